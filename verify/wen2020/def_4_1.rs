//! Definition 4.1: the loss vectors as derivatives of L_S, and as the expressions of Facts 1 and 2 and Appendix C.1.
//!
//! The same symbols carry two meanings that differ by the factor n, on both sides: L_S has a factor 1/n in front, point i enters
//! the sum over queries once, and so ∂L_S/∂q_i = (1/n) Σ_j P_ij (k_j − k_i); likewise for the keys. With n ≥ 2 they agree only
//! where both vanish. Σ_i l̂oss_i = 0 because L_S does not change when all keys move together; Σ q_i·l̃oss_i = Σ k_i·l̂oss_i because
//! L_S depends on the products q_i·k_j alone. Both hold for either meaning.

use contrastive::QueriesAndKeys;
use enclosures::interval::Dual;
use enclosures::vectors::{points, sum_of_products};
use evidence::prelude::*;

use crate::shared::hypotheses::{LOGITS, large_logits, moderate_logits};
use crate::shared::query_key_outputs::{adds_up_to_zero, families, same_vectors, scaled, size};
use crate::shared::signs::{DIFFERENCE, KEY, LOSS, NEGATIVES, POINTS, QUERY, SETS, SHARE};

pub(super) struct ThreeLossVectors {
    /// ∂L_S/∂q_i and ∂L_S/∂k_i.
    derivatives: [Vec<Vec<Interval>>; 2],
    /// The same of the logarithms that Appendix D prints, −log of the shares that Definition 3.3 prints.
    of_shares: [Vec<Vec<Interval>>; 2],
    /// The right sides of Facts 1 and 2.
    formulas: [Vec<Vec<Interval>>; 2],
    /// ∂ℓ/∂q_i for the first set of negatives of each point.
    one_set: Vec<Vec<Interval>>,
}

impl ThreeLossVectors {
    fn of(o: &QueriesAndKeys) -> Self {
        ThreeLossVectors {
            derivatives: o.derivatives(),
            of_shares: derivatives_of_shares(o),
            formulas: [o.query_loss_vectors(), o.key_loss_vectors()],
            one_set: one_set(o),
        }
    }
}

/// The derivatives of −(1/n) Σ_i E_A log(e^{q_i·k_i}/(e^{q_i·k_i} + Σ_{j∈A} e^{q_i·k_j})), all exponents shifted by one constant.
fn derivatives_of_shares(o: &QueriesAndKeys) -> [Vec<Vec<Interval>>; 2] {
    let slope = |side: usize, at: usize, c: usize| {
        let mut numbers = o.constants::<1>();
        numbers[side][at][c].slopes = [Interval::ONE];
        crate::shared::loss_of_share::loss_of_shares(&numbers[0], &numbers[1], o.negatives()).slopes[0]
    };
    [0, 1].map(|side| {
        let row = |i: usize| (0..o.dimension()).map(|c| slope(side, i, c)).collect();
        (0..o.count()).map(row).collect()
    })
}

fn one_set(o: &QueriesAndKeys) -> Vec<Vec<Interval>> {
    let row = |i: usize| {
        let set: Vec<usize> = (0..o.count()).filter(|&j| j != i).take(o.negatives()).collect();
        let entry = |c: usize| {
            let mut numbers = o.constants::<1>();
            numbers[0][i][c].slopes = [Interval::ONE];
            let loss: Dual<1> = crate::shared::loss_of_share::loss_of_share(&numbers[0][i], &numbers[1], i, &set);
            loss.slopes[0]
        };
        (0..o.dimension()).map(entry).collect()
    };
    (0..o.count()).map(row).collect()
}

fn both(o: &QueriesAndKeys, left: &[Vec<Vec<Interval>>; 2], right: &[Vec<Vec<Interval>>; 2]) -> Evaluation {
    all_of([
        ("queries", same_vectors(&left[0], &right[0], size(o))),
        ("keys", same_vectors(&left[1], &right[1], size(o))),
    ])
}

/// Σ_i q_i·l̃oss_i = Σ_i k_i·l̂oss_i, on the scale of the sizes added up.
fn products_agree(o: &QueriesAndKeys, vectors: &[Vec<Vec<Interval>>; 2]) -> Evaluation {
    let numbers = |rows: &[Vec<f64>]| points(&rows.concat());
    let sides = [(o.queries(), &vectors[0]), (o.keys(), &vectors[1])];
    let total =
        |x: &[Interval], y: &[Interval]| x.iter().zip(y).map(|(a, b)| a.magnitude() * b.magnitude()).sum::<f64>();
    let [left, right] = sides.map(|(rows, v)| sum_of_products(&numbers(rows), &v.concat()));
    let largest: f64 = sides.iter().map(|(rows, v)| total(&numbers(rows), &v.concat())).sum();
    let scale = largest.max(1e-4 * size(o));
    equal(left, right).on_scale_of("the terms before they cancel", scale)
}

pub fn claim() -> Claim {
    Claim::new("wen2020.def-4.1", "loss vectors", Kind::Definition)
        .statement(
            "l̃oss_i = ∂L_S/∂q_i and l̂oss_i = ∂L_S/∂k_i, and the same symbols stand for Σ_j P_ij (k_j − k_i) and Σ_j \
             (P_ji q_j − P_ij q_i) in Facts 1 and 2 and in Appendix C.1",
        )
        .source("Definition 4.1", &["Definition A.1", "Facts 1 and 2", "Appendix C.1"])
        .symbols([POINTS, NEGATIVES, QUERY, KEY, DIFFERENCE, SETS, LOSS, SHARE])
        .symbol(
            "l̃oss_i",
            "∂L_S/∂q_i (Definition 4.1) or Σ_{j≠i} P_ij z_ij (Fact 1); both are tried where a check does not say which",
        )
        .symbol(
            "l̂oss_i",
            "∂L_S/∂k_i (Definition 4.1) or Σ_{j≠i} (P_ji q_j − P_ij q_i) (Fact 2); both are tried where a check does \
             not say which",
        )
        .remark(
            "P_ij = E_A[1{j ∈ A} e^{q_i·z_ij}/(1 + Σ_{s∈A} e^{q_i·z_is})]. Theorem 4.2 and the lemmas that bound \
             gradients by loss vectors mean different things under the two conventions: every power of n in them \
             shifts.",
        )
        .setting(printed())
}

fn printed() -> Setting<QueriesAndKeys, ThreeLossVectors> {
    Setting::measuring(|o: &QueriesAndKeys, _| Ok(ThreeLossVectors::of(o)))
        .given("n points, 1 ≤ k ≤ n − 1; their queries q_i and keys k_i are any vectors of one dimension")
        .degenerate(crate::shared::query_key_outputs::DEGENERATE, crate::shared::query_key_outputs::degenerate)
        .assume(Hypothesis::new(LOGITS, moderate_logits))
        .family(outside("large logits", large_logits))
        .family(families(6))
        .without_search()
        .part(
            "printed",
            "the definition and the expressions agree: ∂L_S/∂q_i = Σ_j P_ij z_ij, ∂L_S/∂k_i = Σ_j (P_ji q_j − P_ij \
             q_i)",
            fails("the expressions are n times the derivatives"),
            |o, v| both(o, &v.derivatives, &v.formulas),
        )
        .checked("wen2020.QueryLoss.def_4_1_printed_refuted")
        .sides("an entry of the derivatives", "that entry of the expressions")
        .step(
            "s1",
            "(3.2), the mean of −log(e^{q_i·k_i}/(e^{q_i·k_i} + Σ_{j∈A} e^{q_i·k_j})) over all i and A, has the \
             derivatives by every q_i and k_i of the mean of log(1 + Σ_{j∈A} e^{q_i·z_ij}), as Definition A.1 has them",
            holds(),
            |o, v| both(o, &v.of_shares, &v.derivatives),
        )
        .step(
            "s2",
            "queries alone: ∂L_S/∂q_i = Σ_j P_ij z_ij",
            fails("the expression is n times the derivative"),
            |o, v| same_vectors(&v.derivatives[0], &v.formulas[0], size(o)),
        )
        .checked("wen2020.QueryLoss.def_4_1_s2_refuted")
        .sides("an entry of ∂L_S/∂q_i", "that entry of Σ_j P_ij z_ij")
        .step("s3", "Σ_i l̂oss_i = 0, under both meanings", holds(), |o, v| {
            let zero = |vectors: &Vec<Vec<Interval>>| adds_up_to_zero(vectors, size(o));
            all_of([("derivatives", zero(&v.derivatives[1])), ("expressions", zero(&v.formulas[1]))])
        })
        .tested_by("b")
        .step("s4", "Σ_i q_i·l̃oss_i = Σ_i k_i·l̂oss_i, under both meanings", holds(), |o, v| {
            all_of([
                ("derivatives", products_agree(o, &v.derivatives)),
                ("expressions", products_agree(o, &v.formulas)),
            ])
        })
        .meant(
            "n-times",
            "n ∂L_S/∂q_i = Σ_j P_ij z_ij and n ∂L_S/∂k_i = Σ_j (P_ji q_j − P_ij q_i)",
            holds(),
            |o, v| {
                let n = o.count() as f64;
                both(o, &[scaled(&v.derivatives[0], n), scaled(&v.derivatives[1], n)], &v.formulas)
            },
        )
        .because("the factor n is missing: the proofs compute with the sums")
        .control(
            "a",
            "Σ_j P_ij z_ij = ∂ℓ/∂q_i for ℓ = log(1 + Σ_{j∈A} e^{q_i·z_ij}) and A the first k indices other than i",
            |o, v| same_vectors(&v.formulas[0], &v.one_set, size(o)),
        )
        .control("b", "Σ_i l̃oss_i = 0 for l̃oss_i = Σ_j P_ij z_ij", |o, v| {
            adds_up_to_zero(&v.formulas[0], size(o))
        })
}
