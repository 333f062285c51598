//! Proposition 1: the average task loss is controlled by the loss with N negatives.
//!
//! True, in every unit of information (both sides are homogeneous in the logarithm). For one negative, and for k = 1,
//! k/(1 − τ_N) is the best constant. For k ≥ 2 and N ≥ 2 it is not, and it stays above k where the best one tends to 1:
//!
//! K(N_C, k, N) = max over 1 ≤ m ≤ N_C − 1 of (1 − C(N_C−1−m, k)/C(N_C−1, k)) / (1 − (1 − m/N_C)^N),
//!
//! the largest ratio of the chances that k other classes, and that N negatives, meet a given set A of m classes. Proof:
//! after Jensen an anchor's loss is at least g(J), J the set of other classes among the negatives, g(S) = log(1 +
//! Σ_{j∈S} e^{a_j}), and log(N+1) if J is empty; L_sup,k^μ is the mean of g(S) over k-subsets S. Because log(1+y) = ∫(1
//! − e^{−ty})e^{−t} dt/t, g is a mixture of the functions "S meets A", so E g(S) ≤ K E g(J). With m classes at v and
//! the rest at 1 on a line the ratio tends to the m-th member as v → ∞. The printed factor follows from 1 − C(N_C−1−m,
//! k)/C(N_C−1, k) ≤ km/(N_C−1) and from the concavity of m ↦ 1 − (1 − m/N_C)^N, which is 0 at 0 and 1 − τ_N at N_C − 1.

use contrastive::{LogarithmBase, drawn_probability, task_hits};
use estimators::bounds::{PROPOSITION_1, TASK_BEST_FACTOR};
use evidence::prelude::*;

use crate::shared::augmented_images::{AUGMENTED, AugmentedTask, augmented_tasks};
use crate::shared::digits;
use crate::shared::drawn_models::{DRAWN, DrawnTask, INTERVALS, SampledLosses, any_task, named_tasks};
use crate::shared::families::models;
use crate::shared::hypotheses::{MODEL, OTHER_LAWS, UNIFORM, is_uniform};
use crate::shared::notation::{
    BEST_HEAD_LOSS, BEST_TASK_AVERAGE, BITS, CLASS_COUNT, EMBEDDING, LOGARITHM, MEAN_CLASSIFIER_LOSS, RHO,
    TASK_AVERAGE, UNSUPERVISED_LOSS,
};
use crate::shared::task_average::{
    TaskDraws, TaskLosses, approaching, far_classes, less_collisions, many_classes, skewed, uniform_task_sizes,
};

pub fn claim() -> Claim {
    Claim::new("merad2020.prop-1", "average task loss, N negatives (main-text form)", Kind::Inequality)
        .statement(
            "L_sup,k(f) ≤ L_sup,k^μ(f) ≤ (k/(1−τ_N))·(L_un^N(f) − τ_N log(N+1)) for uniform ρ, 1 ≤ k ≤ N_C − 1 and N ≥ \
             1",
        )
        .speaks_also_of(OTHER_LAWS)
        .symbols([
            CLASS_COUNT, RHO, EMBEDDING, MEAN_CLASSIFIER_LOSS, TASK_AVERAGE, BEST_HEAD_LOSS, BEST_TASK_AVERAGE,
            UNSUPERVISED_LOSS, LOGARITHM, BITS,
        ])
        .symbol("C(N_C−1, k)", "the binomial coefficient, 0 if k > N_C − 1")
        .source("Proposition 1", &["section 3.2", "Proposition 3.3 of the earlier version"])
        .remark("The first inequality is tried with equation (5) (sup-le-mu, its check `average`).")
        .remark(
            "Ten-way tasks out of ten classes with 15 negatives: the best constant is 1.26, the printed one 9. For k = \
             N_C − 1 it is 1/(1 − (1 − 1/N_C)^N), the constant that also replaces 1/p_cc(N) in Lemma 2.",
        )
        .setting(printed())
        .setting(less_collisions())
        .setting(drawn())
        .setting(augmented())
}

fn printed() -> Setting<TaskDraws, TaskLosses> {
    Setting::measuring(|i: &TaskDraws, _| TaskLosses::of_task(i))
        .given(MODEL)
        .given("1 ≤ k ≤ N_C − 1 and N ≥ 1")
        .given("R = L_un^N − τ_N log(N+1), τ_N = Σ_c ρ(c)^{N+1}, which is N_C^{−N} for uniform ρ")
        .given("K = max over 1 ≤ m ≤ N_C − 1 of (1 − C(N_C−1−m, k)/C(N_C−1, k))/(1 − (1 − m/N_C)^N)")
        .assume(Hypothesis::new(UNIFORM, |i| is_uniform(&i.model)))
        .family(outside("ρ skewed", skewed))
        .family(edge("approaching", approaching))
        .family(edge("many classes", many_classes))
        .family(models(8, uniform_task_sizes))
        .family(digits::family(|model| {
            let of = |(k, negatives)| {
                (format!(", k = {k}, N = {negatives}"), TaskDraws { k, negatives, model: model.clone() })
            };
            [(1, 15), (4, 35), (9, 15), (9, 65536)].map(of).to_vec()
        }))
        .sense("printed", "L_sup,k^μ ≤ (k/(1−τ_N))·R in nats", holds(), |_, l| {
            let ratio = l.average / l.right_side(Enclosure::ONE);
            l.bounded(l.printed_factor()).noting(format!(
                "L_sup,k^μ/(L_un^N − τ_N log(N+1)) = {:.4}, best constant {:.4}, printed {:.4}",
                ratio.midpoint(),
                l.best.midpoint(),
                l.printed_factor().midpoint()
            ))
        })
        .checked("merad2020.Prop1.prop_1_printed")
        .sense("bits", "L_sup,k^μ ≤ (k/(1−τ_N))·R in bits", holds(), |i, l| {
            let bits = |x| LogarithmBase::Bits.from_nats(x);
            let excess = if l.excess == Enclosure::ZERO {
                Enclosure::ZERO
            } else {
                bits(l.split.same.into()) - LogarithmBase::Bits.log(Enclosure::from(i.negatives) + 1.0)
            };
            at_most(bits(l.average), l.k * bits(l.different) + l.printed_factor() * l.tau * excess)
        })
        .checked("merad2020.Prop1.prop_1_bits")
        .sharpening("best-factor", "L_sup,k^μ ≤ K·R", holds(), |_, l| l.bounded(l.best))
        .sharpening(
            "below-printed",
            "K ≤ k/(1 − τ_N), equal for N = 1 or k = 1; K = 1/(1 − (1 − 1/N_C)^N) for k = N_C − 1",
            holds(),
            |i, l| {
                let classes = i.model.n_classes();
                let mut parts = vec![("below", at_most(l.best, l.printed_factor()))];
                if i.negatives == 1 || i.k == 1 {
                    parts.push(("one negative or other class", equal(l.best, l.printed_factor())));
                }
                if i.k + 1 == classes {
                    let seen = drawn_probability(Interval::ONE / classes as f64, i.negatives);
                    parts.push(("all classes", equal(l.best, Interval::ONE / seen)));
                }
                all_of(parts)
            },
        )
        .sharpening(
            "approached",
            "K_m·(L_un^N − log(N+1)) ≤ L_sup,k^μ, where f = v on exactly m classes, 1 ≤ m ≤ N_C − 1, and K_m is the \
             m-th of the numbers whose maximum is K",
            holds(),
            |i, l| {
                let far = far_classes(&i.model).unwrap_or(0);
                let hits = match task_hits(i.model.n_classes(), i.k, i.negatives) {
                    Ok(hits) => hits,
                    Err(error) => return Evaluation::Failed(error.to_string()),
                };
                let Some([task, draws]) = hits.get(far.wrapping_sub(1)).copied() else {
                    return Evaluation::Failed("no two groups of classes".into());
                };
                let member = Enclosure::from(task / draws);
                at_most(member * (l.unsupervised - l.log_draws), l.average)
            },
        )
        .assume(Hypothesis::new("d = 1, f = v > 1 on some classes and f = 1 on the rest", |i| {
            far_classes(&i.model).is_some()
        }))
        .control("a", "L_sup,k^μ ≤ ((k−1)/(1−τ_N))·R", |_, l| l.bounded((l.k - 1.0) / (1.0 - l.tau)))
        .control("b", "L_sup,k^μ ≤ k·R", |_, l| l.bounded(l.k))
        .control("d", "L_sup,k^μ ≤ (k/(1−τ_N))·(L_un^N − log(N+1))", |_, l| {
            at_most(l.average, l.printed_factor() * (l.unsupervised - l.log_draws))
        })
        .control("e", "L_sup,k^μ ≤ 0.99·K·R", |_, l| l.bounded(0.99 * l.best))
        .control("f", "L_sup,k^μ ≤ R", |_, l| l.bounded(Enclosure::ONE))
        .control("g", "L_sup,k^μ ≤ 0.99·K·R for two or more negatives", |_, l| l.bounded(0.99 * l.best))
        .assume(Hypothesis::new("N ≥ 2", |i| i.negatives >= 2))
}

fn drawn() -> Setting<DrawnTask, SampledLosses> {
    Setting::measuring(|t: &DrawnTask, trial| t.losses(&[PROPOSITION_1, TASK_BEST_FACTOR], trial))
        .given(DRAWN)
        .given("β = 0, so that ρ is uniform; 1 ≤ k ≤ N_C − 1 and N ≥ 1")
        .given("K = max over 1 ≤ m ≤ N_C − 1 of (1 − C(N_C−1−m, k)/C(N_C−1, k))/(1 − (1 − m/N_C)^N)")
        .given(INTERVALS)
        .family(edge("continuous laws", || [1, 16].into_iter().flat_map(named_tasks).collect()))
        .family(random("drawn laws", || any_task(64)).taking(0.1))
        .without_search()
        .sharpening(
            "drawn",
            "continuous laws: L_sup,k^μ ≤ K·(L_un^N − τ_N log(N+1)), which is at most (k/(1−τ_N))·(L_un^N − τ_N \
             log(N+1)), with τ_N = N_C^{−N}",
            holds(),
            |_, l| all_of([("best factor", l.below(&TASK_BEST_FACTOR)), ("printed", l.below(&PROPOSITION_1))]),
        )
        .control(
            "drawn-reversed",
            "continuous laws: L_sup,k^μ ≥ K·(L_un^N − τ_N log(N+1)), τ_N = N_C^{−N}",
            |_, l| l.above(&TASK_BEST_FACTOR),
        )
}

fn augmented() -> Setting<AugmentedTask, SampledLosses> {
    Setting::measuring(|t: &AugmentedTask, trial| t.losses(&[PROPOSITION_1, TASK_BEST_FACTOR], trial))
        .given(AUGMENTED)
        .given("1 ≤ k ≤ N_C − 1 and N = 16")
        .given("K = max over 1 ≤ m ≤ N_C − 1 of (1 − C(N_C−1−m, k)/C(N_C−1, k))/(1 − (1 − m/N_C)^N)")
        .given(INTERVALS)
        .family(edge("augmented images", || augmented_tasks(16)))
        .without_search()
        .sharpening(
            "augmented",
            "augmented images: L_sup,k^μ ≤ K·(L_un^N − τ_N log(N+1)), which is at most (k/(1−τ_N))·(L_un^N − τ_N \
             log(N+1)), with τ_N = N_C^{−N}",
            holds(),
            |_, l| all_of([("best factor", l.below(&TASK_BEST_FACTOR)), ("printed", l.below(&PROPOSITION_1))]),
        )
        .control(
            "augmented-reversed",
            "augmented images: L_sup,k^μ ≥ K·(L_un^N − τ_N log(N+1)), τ_N = N_C^{−N}",
            |_, l| l.above(&TASK_BEST_FACTOR),
        )
}
