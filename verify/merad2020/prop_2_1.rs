//! Proposition 2, part (1): the average task loss is controlled by the loss with one negative.
//!
//! The printed right side subtracts τ, and its proof takes logarithms to base two "without loss of generality". What is
//! subtracted is τ log 2: one unit in bits, 0.693 in nats. So the statement is true in bits and false in nats.
//!
//! The right side is evaluated without cancellation: with D = E[loss | c⁻ ≠ c] and S = E[loss | c⁻ = c] ≥ log 2,
//! (k/(1−τ))(L_un − τ x) = k D + (kτ/(1−τ))(S − x).

use contrastive::{LatentClassModel, LogarithmBase};
use estimators::bounds::PROPOSITION_2_1;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::augmented_images::{AUGMENTED, AugmentedTask, augmented_tasks};
use crate::shared::digits;
use crate::shared::drawn_models::{DRAWN, DrawnTask, INTERVALS, SampledLosses, any_task, named_tasks};
use crate::shared::families::{models, skewed, uniform};
use crate::shared::hypotheses::{LOGITS, MODEL, OTHER_LAWS, UNIFORM, is_uniform, is_zero};
use crate::shared::notation::{
    ANCHOR_CLASS, BEST_HEAD_LOSS, BEST_TASK_AVERAGE, CLASS_COUNT, CLASS_MEAN, EMBEDDING, LOGARITHM,
    MEAN_CLASSIFIER_LOSS, NEGATIVE_CLASS, ONE_NEGATIVE_LOSS, RHO, SOFTPLUS, TASK_AVERAGE,
};
use crate::shared::task_average::{TaskLosses, check_task_size, softplus_of_sum, softplus_sum};

/// A model and the number k + 1 of classes of a task.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "k = {k}, \
                       {model}", valid = Self::fits, simpler = Self::smaller, equivalents = Self::relabelled, stored)]
struct TaskSize {
    k: usize,
    #[instance(nested)]
    model: LatentClassModel,
}

impl TaskSize {
    fn fits(&self) -> Result<(), String> {
        check_task_size(self.k, self.model.n_classes())
    }

    fn smaller(&self) -> Vec<Self> {
        let models =
            self.model.simpler().into_iter().map(|model| TaskSize { k: self.k.min(model.n_classes() - 1), model });
        let sizes = (1..self.k).map(|k| TaskSize { k, model: self.model.clone() });
        models.chain(sizes).collect()
    }

    fn relabelled(&self) -> Vec<(&'static str, Self)> {
        let models = self.model.equivalents().into_iter();
        let of = |model| TaskSize { model, ..self.clone() };
        models.map(|(change, model)| (change, of(model))).collect()
    }
}

pub fn claim() -> Claim {
    Claim::new("merad2020.prop-2-1", "average task loss, one negative", Kind::Inequality)
        .statement("L_sup,k(f) ≤ L_sup,k^μ(f) ≤ (k/(1−τ))·(L_un(f) − τ) for uniform ρ and 1 ≤ k ≤ N_C − 1, τ = 1/N_C")
        .speaks_also_of(OTHER_LAWS)
        .symbols([
            CLASS_COUNT, RHO, EMBEDDING, CLASS_MEAN, MEAN_CLASSIFIER_LOSS, TASK_AVERAGE, BEST_HEAD_LOSS,
            BEST_TASK_AVERAGE, ONE_NEGATIVE_LOSS, ANCHOR_CLASS, NEGATIVE_CLASS, SOFTPLUS, LOGARITHM,
        ])
        .symbol("c_i", "c_1, …, c_k are drawn like c⁻, under the condition that c, c_1, …, c_k are distinct")
        .source(
            "Proposition 2, part (1)",
            &["section 7", "Proposition 3.3 (restated), part (1), of the earlier version"],
        )
        .remark("The first inequality is tried with equation (5) (sup-le-mu, its check `average`).")
        .remark(
            "Bits and the corrected form are one statement: dividing every loss by ln 2 turns τ log 2 into τ. In nats \
             the printed τ exceeds τ log 2, and the bound fails already for the zero encoder.",
        )
        .setting(nats())
        .setting(less_collisions())
        .setting(drawn())
        .setting(augmented())
}

fn nats() -> Setting<TaskSize, TaskLosses> {
    Setting::measuring(|i: &TaskSize, _| TaskLosses::of(&i.model, i.k, 1))
        .given(MODEL)
        .given("1 ≤ k ≤ N_C − 1")
        .given("τ = Σ_c ρ(c)², which is 1/N_C for uniform ρ")
        .given(LOGITS)
        .assume(Hypothesis::new(UNIFORM, |i| is_uniform(&i.model)))
        .family(outside("ρ skewed", || {
            let each =
                |(name, model): (&'static str, LatentClassModel)| sizes(&model).into_iter().map(move |i| (name, i));
            skewed().into_iter().flat_map(each).collect()
        }))
        .degenerate("f = 0", |i| is_zero(&i.model))
        .family(models(8, |m| sizes(&uniform(&m))))
        .family(digits::family(|model| {
            let of = |k| (format!(", k = {k}"), TaskSize { k, model: model.clone() });
            [1, 4, 9].map(of).to_vec()
        }))
        .sense(
            "nats",
            "L_sup,k^μ ≤ (k/(1−τ))·(L_un − τ) with every logarithm natural",
            fails("what may be subtracted is τ log 2, which is τ in bits only"),
            |_, l| {
                let excess = Enclosure::from(l.split.same) - 1.0;
                let right = l.k * l.different + l.printed_factor() * l.tau * excess;
                at_most(l.average, right)
            },
        )
        .checked("merad2020.Prop1.prop_2_1_nats_refuted")
        .sides("L_sup,k^μ", "(k/(1−τ))·(L_un − τ)")
        .sense(
            "bits",
            "L_sup,k^μ ≤ (k/(1−τ))·(L_un − τ) with every logarithm to base two",
            holds(),
            |_, l| {
                let bits = |x| LogarithmBase::Bits.from_nats(x);
                let right = l.k * bits(l.different) + l.printed_factor() * l.tau * bits(l.excess);
                at_most(bits(l.average), right)
            },
        )
        .checked("merad2020.Prop1.prop_2_1_bits")
        .step("s1", "Jensen: L_un ≥ E ζ(a_{c⁻}(x))", holds(), |_, l| at_least(l.unsupervised, l.jensen))
        .step("s2", "E ζ(a_{c⁻}) = (1−τ)·E[ζ(a_{c⁻}) | c⁻ ≠ c] + τ log 2", holds(), |_, l| {
            equal(l.jensen, (1.0 - l.tau) * l.foreign_softplus() + l.tau * Enclosure::ln_2())
        })
        .step(
            "s3",
            "E[ζ(a_{c⁻}) | c⁻ ≠ c] = (1/k)·E[Σ_{i≤k} ζ(a_{c_i}) | distinct classes]",
            holds(),
            |_, l| equal(l.foreign_softplus(), l.over_subsets(softplus_sum) / l.k),
        )
        .step(
            "s4",
            "E Σ_{i≤k} ζ(a_{c_i}) ≥ E log(1 + Σ_{i≤k} e^{a_{c_i}}) over distinct classes",
            holds(),
            |_, l| at_least(l.over_subsets(softplus_sum), l.over_subsets(softplus_of_sum)),
        )
        .step("s5", "E log(1 + Σ_{i≤k} e^{a_{c_i}}) over distinct classes = L_sup,k^μ", holds(), |_, l| {
            equal(l.over_subsets(softplus_of_sum), l.average).on_scale_of("10⁻⁶", 1e-6)
        })
        .amendment("corrected", "L_sup,k^μ ≤ (k/(1−τ))·(L_un − τ log 2) in nats", holds(), |_, l| {
            l.bounded(l.printed_factor())
        })
        .checked("merad2020.Prop1.prop_2_1_corrected")
        .amendment(
            "same",
            "(k/(1−τ))(L_un − τ ln 2)/ln 2 = (k/(1−τ))(L_un/ln 2 − τ): the right side of `corrected`, divided by ln 2, \
             is that of `bits`",
            holds(),
            |_, l| {
                let nats = l.printed_factor() * (l.unsupervised - l.tau * Enclosure::ln_2());
                let in_bits = LogarithmBase::Bits.from_nats(l.unsupervised);
                let bits = l.printed_factor() * (in_bits - l.tau);
                equal(LogarithmBase::Bits.from_nats(nats), bits)
                    .on_scale_of("(k/(1−τ))·L_un in bits", (l.printed_factor() * in_bits).hi())
            },
        )
        .not_evidence("dividing both sides by ln 2 makes one of the other")
        .constant(
            "factor",
            "γ in L_sup,k^μ ≤ γ·(k/(1−τ))·(L_un − τ log 2)",
            "1",
            |i| {
                let classes = i.model.n_classes();
                (classes <= 4).then(|| format!("N_C = {classes}, k = {}", i.k))
            },
            |_, l| {
                let bound = l.printed_factor() * (l.unsupervised - l.tau * Enclosure::ln_2());
                (bound.lo() > 1e-9 * l.unsupervised.hi()).then(|| l.average / bound)
            },
        )
        .control("a", "L_sup,k^μ ≤ ((k−1)/(1−τ))·(L_un − τ log 2)", |_, l| {
            l.bounded((l.k - 1.0) / (1.0 - l.tau))
        })
        .control("b", "L_sup,k^μ ≤ k·(L_un − τ log 2)", |_, l| l.bounded(l.k))
        .control("d", "L_sup,k^μ ≤ (k/(1−τ))·(L_un − log 2)", |_, l| {
            at_most(l.average, l.printed_factor() * (l.unsupervised - Enclosure::ln_2()))
        })
}

fn less_collisions() -> Setting<TaskSize, TaskLosses> {
    Setting::measuring(|i: &TaskSize, _| TaskLosses::of(&i.model, i.k, 1))
        .given(MODEL)
        .given("1 ≤ k ≤ N_C − 1")
        .family(models(5, |m| sizes(&m)))
        .control(
            "c",
            "L_sup,k^μ ≤ (k/(1−τ))·(L_un − τ log 2) with τ = Σ_c ρ(c)², for every ρ",
            |_, l| at_most(l.average, l.printed_factor() * (l.unsupervised - l.tau * Enclosure::ln_2())),
        )
}

/// One instance for every k.
fn sizes(model: &LatentClassModel) -> Vec<TaskSize> {
    (1..model.n_classes()).map(|k| TaskSize { k, model: model.clone() }).collect()
}

fn drawn() -> Setting<DrawnTask, SampledLosses> {
    Setting::measuring(|t: &DrawnTask, trial| t.losses(&[PROPOSITION_2_1], trial))
        .given(DRAWN)
        .given("β = 0, so that ρ is uniform; N = 1, 1 ≤ k ≤ N_C − 1 and τ = 1/N_C")
        .given(INTERVALS)
        .family(edge("continuous laws", || named_tasks(1)))
        .family(random("drawn laws", || any_task(1)).taking(0.1))
        .without_search()
        .amendment("drawn", "continuous laws: L_sup,k^μ ≤ (k/(1−τ))·(L_un − τ log 2)", holds(), |_, l| {
            l.below(&PROPOSITION_2_1)
        })
        .control("drawn-reversed", "continuous laws: L_sup,k^μ ≥ (k/(1−τ))·(L_un − τ log 2)", |_, l| {
            l.above(&PROPOSITION_2_1)
        })
}

fn augmented() -> Setting<AugmentedTask, SampledLosses> {
    Setting::measuring(|t: &AugmentedTask, trial| t.losses(&[PROPOSITION_2_1], trial))
        .given(AUGMENTED)
        .given("N = 1, 1 ≤ k ≤ N_C − 1 and τ = 1/N_C")
        .given(INTERVALS)
        .family(edge("augmented images", || augmented_tasks(1)))
        .without_search()
        .amendment(
            "augmented",
            "augmented images: L_sup,k^μ ≤ (k/(1−τ))·(L_un − τ log 2)",
            holds(),
            |_, l| l.below(&PROPOSITION_2_1),
        )
        .control("augmented-reversed", "augmented images: L_sup,k^μ ≥ (k/(1−τ))·(L_un − τ log 2)", |_, l| {
            l.above(&PROPOSITION_2_1)
        })
}
