//! Proposition 2, part (2): Proposition 1 restated, with its proof.
//!
//! True in every unit, like every step of its proof. With τ = τ_1 = 1/N_C, part (1) subtracts τ, part (2) at N = 1 subtracts τ log 2: the two
//! parts agree in bits and contradict each other in nats, where part (1) is false. The conditional step (s4) is where
//! the factor k comes in: it keeps one negative of another class out of N. Keeping all of them gives the constant of
//! Proposition 1's sharpening.

use contrastive::{LogarithmBase, unsupervised_loss};
use estimators::bounds::{PROPOSITION_1, printed_task_factor};
use evidence::prelude::*;

use crate::shared::drawn_models::{DRAWN, DrawnTask, INTERVALS, SampledLosses, named_tasks};
use crate::shared::families::models;
use crate::shared::hypotheses::{LISTED, LOGITS, MODEL, OTHER_LAWS, UNIFORM, is_listed, is_uniform, is_zero};
use crate::shared::negatives::over_outcomes;
use crate::shared::notation::{
    self, ANCHOR_CLASS, BEST_HEAD_LOSS, BEST_TASK_AVERAGE, BITS, CLASS_COUNT, CLASS_MEAN, EMBEDDING, LOGARITHM,
    MEAN_CLASSIFIER_LOSS, NEGATIVE_CLASS, RHO, SOFTPLUS, TASK_AVERAGE, UNSUPERVISED_LOSS,
};
use crate::shared::task_average::{
    TaskDraws, TaskLosses, approaching, less_collisions, skewed, softplus_of_sum, softplus_sum, uniform_task_sizes,
};

const ONE_NEGATIVE: Hypothesis<TaskDraws> = Hypothesis::new("N = 1", |i| i.negatives == 1);
const LISTABLE: Hypothesis<TaskDraws> = Hypothesis::new(LISTED, |i| is_listed(&i.model, i.negatives));

/// Sums over all outcomes of the draws: P(all negatives in the anchor's class), and the Jensen'd loss over the other
/// outcomes.
fn listed(i: &TaskDraws, l: &TaskLosses) -> (Enclosure, Enclosure) {
    let shares = i.model.rhos();
    let same = |class: usize, drawn: &[usize]| drawn.iter().all(|&c| c == class);
    let collisions =
        over_outcomes(
            &l.anchors,
            &shares,
            i.negatives,
            |p, class, drawn, _| {
                if same(class, drawn) { p } else { Enclosure::ZERO }
            },
        );
    let foreign =
        over_outcomes(
            &l.anchors,
            &shares,
            i.negatives,
            |p, class, drawn, lse| {
                if same(class, drawn) { Enclosure::ZERO } else { p * lse }
            },
        );
    (collisions, foreign)
}

/// What the right side of part (1) is made of, whatever N is.
struct PartOne {
    /// k/(1 − τ).
    factor: Enclosure,
    /// L_un.
    unsupervised: Enclosure,
    /// τ = τ_1.
    tau: Enclosure,
}

fn part_one(i: &TaskDraws, l: &TaskLosses) -> Result<PartOne, MeasureError> {
    if i.negatives == 1 {
        return Ok(PartOne { factor: l.printed_factor(), unsupervised: l.unsupervised, tau: l.tau });
    }
    let tau = i.model.tau(1).into();
    let unsupervised = unsupervised_loss(&i.model, 1)?.into();
    Ok(PartOne { factor: printed_task_factor(i.k, tau), unsupervised, tau })
}

pub fn claim() -> Claim {
    Claim::new("merad2020.prop-2-2", "average task loss, N negatives (restated form)", Kind::Inequality)
        .statement(
            "L_sup,k(f) ≤ L_sup,k^μ(f) ≤ (k/(1−τ_N))·(L_un^N(f) − τ_N log(N+1)) for uniform ρ, 1 ≤ k ≤ N_C − 1 and N ≥ \
             1",
        )
        .speaks_also_of(OTHER_LAWS)
        .symbols([
            CLASS_COUNT,
            RHO,
            EMBEDDING,
            CLASS_MEAN,
            MEAN_CLASSIFIER_LOSS,
            TASK_AVERAGE,
            BEST_HEAD_LOSS,
            BEST_TASK_AVERAGE,
            UNSUPERVISED_LOSS,
            notation::ONE_NEGATIVE,
            ANCHOR_CLASS,
            NEGATIVE_CLASS,
            SOFTPLUS,
            LOGARITHM,
            BITS,
        ])
        .symbol("c_i⁻", "c_1⁻, …, c_N⁻, the classes of the N negatives, drawn independently from ρ")
        .symbol(
            "a_{c_i}",
            "a at the classes c_1, …, c_k, drawn like c⁻ under the condition that c, c_1, …, c_k are distinct",
        )
        .source(
            "Proposition 2, part (2)",
            &["section 7", "Proposition 3.3 (restated), part (2), of the earlier version"],
        )
        .remark(
            "The first inequality is tried with equation (5) (sup-le-mu, its check `average`), the best constant with \
             Proposition 1.",
        )
        .setting(printed())
        .setting(less_collisions())
        .setting(drawn())
}

fn printed() -> Setting<TaskDraws, TaskLosses> {
    Setting::measuring(|i: &TaskDraws, _| TaskLosses::of_task(i))
        .given(MODEL)
        .given("1 ≤ k ≤ N_C − 1 and N ≥ 1")
        .given("τ_N = Σ_c ρ(c)^{N+1}, which is N_C^{−N} for uniform ρ; τ = τ_1")
        .given(LOGITS)
        .assume(Hypothesis::new(UNIFORM, |i| is_uniform(&i.model)))
        .family(outside("ρ skewed", skewed))
        .degenerate("f = 0", |i| is_zero(&i.model))
        .family(edge("approaching", approaching))
        .family(models(5, uniform_task_sizes))
        .part("printed", "L_sup,k^μ ≤ (k/(1−τ_N))·(L_un^N − τ_N log(N+1))", holds(), |_, l| {
            l.bounded(l.printed_factor())
        })
        .checked("merad2020.Prop1.prop_2_2_printed")
        .ours(
            "part-1-bits",
            "in bits (k/(1−τ_N))·(L_un^N − τ_N log(N+1)) = (k/(1−τ))·(L_un − τ), the right side of part (1)",
            holds(),
            |i, l| {
                let bits = |x| LogarithmBase::Bits.from_nats(x);
                let subtracted = LogarithmBase::Bits.log(Enclosure::from(i.negatives) + 1.0);
                let left = l.printed_factor() * (bits(l.unsupervised) - l.tau * subtracted);
                let compared = |one: PartOne| {
                    equal(left, one.factor * (bits(one.unsupervised) - one.tau))
                        .on_scale_of("(k/(1−τ))·L_un in bits", (one.factor * bits(one.unsupervised)).hi())
                };
                part_one(i, l).map(compared).into()
            },
        )
        .assume(ONE_NEGATIVE)
        .because("\"(2) more generally\" may say that (1) is the case N = 1; the inequality does not depend on it")
        .not_evidence("in bits log 2 is 1, so that both sides are one formula")
        .ours(
            "part-1-nats",
            "in nats (k/(1−τ_N))·(L_un^N − τ_N log(N+1)) = (k/(1−τ))·(L_un − τ), the right side of part (1)",
            fails("part (1) subtracts τ, part (2) subtracts τ log 2"),
            |i, l| {
                let left = l.printed_factor() * (l.unsupervised - l.tau * l.log_draws);
                part_one(i, l).map(|one| equal(left, one.factor * (one.unsupervised - one.tau))).into()
            },
        )
        .sides("(k/(1−τ_N))·(L_un^N − τ_N log(N+1))", "(k/(1−τ))·(L_un − τ)")
        .assume(ONE_NEGATIVE)
        .because("\"(2) more generally\" may say that (1) is the case N = 1; the inequality does not depend on it")
        .step("s1", "Jensen: L_un^N ≥ E log(1 + Σ_{i≤N} e^{a_{c_i⁻}(x)})", holds(), |_, l| {
            at_least(l.unsupervised, l.jensen)
        })
        .step(
            "s2",
            "E log(1 + Σ_{i≤N} e^{a_{c_i⁻}}) = (1−τ_N)·E[log(1 + Σ_{i≤N} e^{a_{c_i⁻}}) | some c_i⁻ ≠ c] + τ_N log(N+1)",
            holds(),
            |i, l| equal(l.jensen, listed(i, l).1 + l.tau * l.log_draws),
        )
        .assume(LISTABLE)
        .step("s3", "P(all c_i⁻ = c) = Σ_c ρ(c)^{N+1} = N_C^{−N} = τ_N", holds(), |i, l| {
            let closed = (Enclosure::ONE / i.model.n_classes() as f64).powi(i.negatives as i64);
            all_of([("listed", equal(listed(i, l).0, l.tau)), ("closed form", equal(closed, l.tau))])
        })
        .assume(LISTABLE)
        .step(
            "s4",
            "E[log(1 + Σ_{i≤N} e^{a_{c_i⁻}}) | some c_i⁻ ≠ c] ≥ E[ζ(a_{c⁻}) | c⁻ ≠ c]",
            holds(),
            |_, l| {
                let left = l.jensen - l.tau * l.log_draws;
                at_least(left, (1.0 - l.tau) * l.foreign_softplus())
                    .on_scale_of("E log(1 + Σ_{i≤N} e^{a_{c_i⁻}})", l.jensen.hi())
            },
        )
        .sides("(1−τ_N)·E[log(1 + Σ_{i≤N} e^{a_{c_i⁻}}) | some c_i⁻ ≠ c]", "(1−τ_N)·E[ζ(a_{c⁻}) | c⁻ ≠ c]")
        .step("s5", "L_un^N ≥ ((1−τ_N)/k)·L_sup,k^μ + τ_N log(N+1)", holds(), |_, l| {
            at_least(l.unsupervised, l.average / l.printed_factor() + l.tau * l.log_draws)
        })
        .step(
            "s6",
            "E[ζ(a_{c⁻}) | c⁻ ≠ c] = (1/k) E Σ_{i≤k} ζ(a_{c_i}) ≥ (1/k) E log(1 + Σ_{i≤k} e^{a_{c_i}}) = (1/k) \
             L_sup,k^μ, as in part (1)",
            holds(),
            |_, l| {
                let sums = l.over_subsets(softplus_sum);
                let whole = l.over_subsets(softplus_of_sum);
                all_of([
                    ("distinct classes", equal(l.foreign_softplus(), sums / l.k)),
                    ("sum of softpluses", at_least(sums, whole)),
                    ("average task", equal(whole, l.average).on_scale_of("10⁻⁶", 1e-6)),
                ])
            },
        )
        .control("a", "L_sup,k^μ ≤ ((k−1)/(1−τ_N))·(L_un^N − τ_N log(N+1))", |_, l| {
            l.bounded((l.k - 1.0) / (1.0 - l.tau))
        })
        .control("b", "L_sup,k^μ ≤ k·(L_un^N − τ_N log(N+1))", |_, l| l.bounded(l.k))
        .control("d", "L_sup,k^μ ≤ (k/(1−τ_N))·(L_un^N − log(N+1))", |_, l| {
            at_most(l.average, l.printed_factor() * (l.unsupervised - l.log_draws))
        })
        .control(
            "e",
            "E[log(1 + Σ_{i≤N} e^{a_{c_i⁻}}) | some c_i⁻ ≠ c] ≤ E[ζ(a_{c⁻}) | c⁻ ≠ c], step s4 reversed",
            |_, l| at_most((l.jensen - l.tau * l.log_draws) / (1.0 - l.tau), l.foreign_softplus()),
        )
        .control(
            "f",
            "E log(1 + Σ_{i≤N} e^{a_{c_i⁻}}) ≥ E[ζ(a_{c⁻}) | c⁻ ≠ c], step s4 without the condition",
            |_, l| at_least(l.jensen, l.foreign_softplus()),
        )
}

fn drawn() -> Setting<DrawnTask, SampledLosses> {
    Setting::measuring(|t: &DrawnTask, trial| t.losses(&[PROPOSITION_1], trial))
        .given(DRAWN)
        .given("β = 0, so that ρ is uniform; 1 ≤ k ≤ N_C − 1, N ≥ 1 and τ_N = N_C^{−N}")
        .given(INTERVALS)
        .family(edge("continuous laws", || [8, 64].into_iter().flat_map(named_tasks).collect()))
        .without_search()
        .part("drawn", "continuous laws: L_sup,k^μ ≤ (k/(1−τ_N))·(L_un^N − τ_N log(N+1))", holds(), |_, l| {
            l.below(&PROPOSITION_1)
        })
        .implied_by("printed")
        .because("bounded laws are limits of laws with finitely many values, along which both losses converge")
        .control(
            "drawn-reversed",
            "continuous laws: L_sup,k^μ ≥ (k/(1−τ_N))·(L_un^N − τ_N log(N+1))",
            |_, l| l.above(&PROPOSITION_1),
        )
}
