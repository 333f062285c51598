//! Definition 3.3: the contrastive loss and its average over all sets of k negatives.
//!
//! The definition and form (i) of Appendix D.1 agree. The third line of the display that opens the proof of Lemma D.2 does not: its
//! outer sum over j ∈ A visits every set of negatives k times, so that it is k L_S. Drawing with replacement is another loss
//! for k ≥ 2, never a larger one: the mean of a concave function of a sum over draws without replacement is at least that with
//! replacement (Hoeffding 1963, theorem 4).

use contrastive::{QueriesAndKeys, subset_contrast, subset_loss, subsets};
use enclosures::interval::Dual;
use evidence::prelude::*;

use crate::shared::hypotheses::{LOGITS, large_logits, moderate_logits};
use crate::shared::loss_of_share::loss_of_shares;
use crate::shared::query_key_outputs::families;
use crate::shared::replacement::loss_with_replacement;
use crate::shared::signs::{DIFFERENCE, KEY, LOSS, NEGATIVES, OUTPUT, POINTS, QUERY, SETS};

struct Losses {
    /// (3.2) with (3.1).
    definition: Enclosure,
    /// Form (i).
    logarithms: Enclosure,
    /// Form (ii).
    by_member: Enclosure,
    /// The quadrature over elementary symmetric polynomials, in doubles.
    quadrature: Enclosure,
    with_replacement: Enclosure,
    /// Without the positive in the denominator.
    without_positive: Enclosure,
    /// All keys moved by one vector.
    moved: Enclosure,
    /// The points in the opposite order.
    reversed: Enclosure,
}

fn number(x: Dual<0>) -> Enclosure {
    x.value.into()
}

/// (1/n) Σ_i Σ_{j≠i} C(n−1,k)^{−1} Σ_{A∋j} log(1 + Σ_{s∈A} e^{s_is}).
fn by_member(o: &QueriesAndKeys) -> Interval {
    let logits = o.logits();
    let of_point = |i: usize| {
        let others: Vec<usize> = (0..o.count()).filter(|&j| j != i).collect();
        let (mut sum, mut sets) = (Interval::ZERO, 0.0);
        let all: Vec<Vec<usize>> = subsets(others.len(), o.negatives()).collect();
        sets += all.len() as f64;
        for member in 0..others.len() {
            for set in all.iter().filter(|set| set.contains(&member)) {
                let total: Interval = set.iter().map(|&place| logits[i][others[place]].exp()).sum();
                sum += total.ln_1p();
            }
        }
        sum / sets
    };
    (0..o.count()).map(of_point).sum::<Interval>() / o.count() as f64
}

/// (1/n) Σ_i E_A [log Σ_{j∈A} e^{q_i·k_j} − q_i·k_i].
fn without_positive(o: &QueriesAndKeys) -> Interval {
    let logits = o.logits();
    let of_point = |i: usize| {
        let others: Vec<usize> = (0..o.count()).filter(|&j| j != i).collect();
        let (mut sum, mut sets) = (Interval::ZERO, 0.0);
        for set in subsets(others.len(), o.negatives()) {
            sum += set.iter().map(|&place| logits[i][others[place]].exp()).sum::<Interval>().ln();
            sets += 1.0;
        }
        sum / sets
    };
    (0..o.count()).map(of_point).sum::<Interval>() / o.count() as f64
}

fn losses(o: &QueriesAndKeys) -> Result<Losses, Box<dyn std::error::Error + Send + Sync>> {
    let ([queries, keys], k) = (o.constants::<0>(), o.negatives());
    let by = |c: usize| Interval::point(0.75 - 0.5 * c as f64);
    let moved: Vec<Vec<Dual<0>>> =
        keys.iter().map(|key| key.iter().enumerate().map(|(c, &x)| x + by(c)).collect()).collect();
    let backwards = |rows: &[Vec<Dual<0>>]| rows.iter().rev().cloned().collect::<Vec<_>>();
    let fast = subset_contrast(&o.queries().concat(), &o.keys().concat(), o.dimension(), k)?;
    Ok(Losses {
        definition: number(loss_of_shares(&queries, &keys, k)),
        logarithms: number(subset_loss(&queries, &keys, k)),
        by_member: by_member(o).into(),
        quadrature: Enclosure::measured(fast.loss),
        with_replacement: number(loss_with_replacement(&queries, &keys, k)),
        without_positive: without_positive(o).into(),
        moved: number(loss_of_shares(&queries, &moved, k)),
        reversed: number(loss_of_shares(&backwards(&queries), &backwards(&keys), k)),
    })
}

/// Zero queries: every share is 1/(k + 1).
fn zero_queries(o: &QueriesAndKeys) -> bool {
    o.queries().iter().flatten().all(|&x| x == 0.0)
}

pub fn claim() -> Claim {
    Claim::new("wen2020.def-3.3", "contrastive loss and total loss", Kind::Definition)
        .statement(
            "ℓ(i; A) = −log(e^{q_i·k_i}/(e^{q_i·k_i} + Σ_{j∈A} e^{q_i·k_j})) and L_S = (1/n) Σ_i C(n−1,k)^{−1} Σ_A \
             ℓ(i; A), which is also (1/n) Σ_i C(n−1,k)^{−1} Σ_A log(1 + Σ_{j∈A} e^{q_i·z_ij})",
        )
        .source("Definition 3.3, (3.1), (3.2)", &["Appendices C.1 and D.1"])
        .symbols([POINTS, NEGATIVES, OUTPUT, QUERY, KEY, DIFFERENCE, SETS, LOSS])
        .symbol(
            "S∖i",
            "all inputs but the i-th; independent draws from it are uniform, and one drawn twice counts twice",
        )
        .remark(
            "1 ≤ k ≤ n − 1 is understood. The binomial coefficients of Fact 2 and of Appendices C.1 and D.1 say that \
             negatives are drawn without replacement.",
        )
        .setting(printed())
}

fn printed() -> Setting<QueriesAndKeys, Losses> {
    Setting::measuring(|o: &QueriesAndKeys, _| losses(o))
        .given("n points, 1 ≤ k ≤ n − 1; their queries q_i and keys k_i are any vectors of one dimension")
        .degenerate(crate::shared::query_key_outputs::DEGENERATE, crate::shared::query_key_outputs::degenerate)
        .assume(Hypothesis::new(LOGITS, moderate_logits))
        .family(outside("large logits", large_logits))
        .family(families(6))
        .without_search()
        .part(
            "printed",
            "(1/n) Σ_i C(n−1,k)^{−1} Σ_A −log(e^{q_i·k_i}/(e^{q_i·k_i} + Σ_{j∈A} e^{q_i·k_j})) = (1/n) Σ_i \
             C(n−1,k)^{−1} Σ_A log(1 + Σ_{j∈A} e^{q_i·(k_j − k_i)})",
            holds(),
            |_, l| equal(l.definition, l.logarithms).on_unit_scale(),
        )
        .ours(
            "with-replacement",
            "the mean over k independent draws from S∖i in place of the mean over all sets A gives the same L_S",
            fails("a repeated negative is possible: the same for k = 1 only"),
            |_, l| equal(l.with_replacement, l.logarithms),
        )
        .sides("the loss with replacement", "L_S")
        .because("{x_{i,j}} ⊂ S∖i is a set, and Fact 2 divides by C(n−1,k): no printed word asks for replacement")
        .step(
            "s1",
            "form (i) of Appendix D.1, (1/n) Σ_i C(n−1,k)^{−1} Σ_A log(1 + Σ_{j∈A} e^{q_i·z_ij}), is L_S as Definition \
             3.3 prints it, (1/n) Σ_i C(n−1,k)^{−1} Σ_A −log(e^{q_i·k_i}/(e^{q_i·k_i} + Σ_{j∈A} e^{q_i·k_j}))",
            holds(),
            |_, l| equal(l.logarithms, l.definition).on_unit_scale(),
        )
        .not_evidence("the same comparison as printed")
        .step(
            "s2",
            "form (ii) of Appendix D.1, (1/n) Σ_i Σ_{j≠i} C(n−1,k)^{−1} Σ_{A∋j} log(1 + Σ_{s∈A} e^{q_i·z_is}), is L_S",
            fails("every set is counted k times: right for k = 1 only"),
            |_, l| equal(l.by_member, l.logarithms),
        )
        .checked("wen2020.Notation.def_3_3_s2_refuted")
        .sides("form (ii)", "L_S")
        // The trapezoid rule with step 1/4 is off by less than 1e-16, its rounding by less than 1e-12.
        .step(
            "s3",
            "the quadrature over elementary symmetric polynomials, which the library has for large n, gives L_S to \
             within 10^{−11}",
            holds(),
            |_, l| equal(l.quadrature, l.logarithms).within(1e-11),
        )
        .not_evidence("compares two computations of the library")
        .amendment(
            "k-times",
            "form (ii) of Appendix D.1, (1/n) Σ_i Σ_{j≠i} C(n−1,k)^{−1} Σ_{A∋j} log(1 + Σ_{s∈A} e^{q_i·z_is}), is k \
             L_S",
            holds(),
            |o, l| equal(l.by_member, o.negatives() as f64 * l.logarithms),
        )
        .checked("wen2020.Notation.def_3_3_k_times")
        .sharpening(
            "at-most",
            "k independent draws from S∖i in place of the sets A never give a larger L_S",
            holds(),
            |_, l| at_most(l.with_replacement, l.logarithms),
        )
        .sharpening(
            "invariance",
            "L_S stays the same when one vector is added to all keys, and when the pairs (q_i, k_i) are permuted",
            holds(),
            |_, l| {
                all_of([
                    ("moved keys", equal(l.moved, l.definition).on_unit_scale()),
                    ("permuted points", equal(l.reversed, l.definition).on_unit_scale()),
                ])
            },
        )
        .sharpening("zero-queries", "with all queries zero L_S = log(k + 1)", holds(), |o, l| {
            equal(l.definition, Enclosure::from(o.negatives() + 1).ln())
        })
        .assume(Hypothesis::new("all queries zero", zero_queries))
        .control(
            "a",
            "without the positive: (1/n) Σ_i C(n−1,k)^{−1} Σ_A (log Σ_{j∈A} e^{q_i·k_j} − q_i·k_i) is L_S",
            |_, l| equal(l.without_positive, l.logarithms),
        )
        .control("b", "the mean over k independent draws from S∖i is the mean over sets, for k ≥ 2", |_, l| {
            equal(l.with_replacement, l.logarithms)
        })
        .assume(Hypothesis::new("k ≥ 2", |o| o.negatives() >= 2))
}
