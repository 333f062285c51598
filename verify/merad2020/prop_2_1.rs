//! Proposition 2, part (1): the average task loss is controlled by the loss with one negative.
//!
//! The printed right side subtracts τ, and its proof takes logarithms to base two "without loss of generality". What is
//! subtracted is τ log 2: one unit in bits, 0.693 in nats. So the statement is true in bits and false in nats.
//!
//! The right side is evaluated without cancellation: with D = E[loss | c⁻ ≠ c] and S = E[loss | c⁻ = c] ≥ log 2,
//! (k/(1−τ))(L_un − τ x) = k D + (kτ/(1−τ))(S − x).

use contrapositive::claim::{Claim, Evaluation, Kind, Setting, at_least, at_most, equal, fails, holds};
use contrapositive::contrastive::{
    AnchorLogits, CollisionSplit, LatentClassModel, LogarithmBase, anchor_logits, collision_split, jensen_loss,
    sup_mean_average, unsupervised_loss,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use serde::{Deserialize, Serialize};

use super::families::{models, uniform};
use super::subsets::subsets;
use crate::digits;

/// A model and the number k + 1 of classes of a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct TaskSize {
    k: usize,
    model: LatentClassModel,
}

impl Instance for TaskSize {
    fn describe(&self) -> String {
        format!("k = {}, {}", self.k, self.model.describe())
    }

    fn validate(&self) -> Result<(), String> {
        let classes = self.model.n_classes();
        if (1..classes).contains(&self.k) {
            Ok(())
        } else {
            Err(format!(
                "k = {} is not between 1 and N_C − 1 = {}",
                self.k,
                classes.saturating_sub(1)
            ))
        }
    }

    fn simpler(&self) -> Vec<Self> {
        let models = self.model.simpler().into_iter().map(|model| TaskSize {
            k: self.k.min(model.n_classes() - 1),
            model,
        });
        let sizes = (1..self.k).map(|k| TaskSize {
            k,
            model: self.model.clone(),
        });
        models.chain(sizes).collect()
    }
}

struct Losses {
    /// L_sup,k^μ.
    average: Enclosure,
    unsupervised: Enclosure,
    jensen: Enclosure,
    tau: Enclosure,
    split: CollisionSplit,
    /// D = E[loss | c⁻ ≠ c].
    different: Enclosure,
    /// S − log 2, exactly zero for point masses.
    excess: Enclosure,
    anchors: Vec<AnchorLogits>,
    k: Enclosure,
}

impl Losses {
    fn of(instance: &TaskSize) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let model = &instance.model;
        let split = collision_split(model, 1)?;
        let points = model.classes().iter().all(|atoms| atoms.len() == 1);
        Ok(Losses {
            average: sup_mean_average(model, instance.k)?,
            unsupervised: unsupervised_loss(model, 1)?,
            jensen: jensen_loss(model, 1)?,
            tau: model.tau(1).into(),
            different: split.different.ok_or("a task needs two classes")?,
            excess: if points {
                Enclosure::ZERO
            } else {
                split.same - Enclosure::ln_2()
            },
            split,
            anchors: anchor_logits(model),
            k: instance.k.into(),
        })
    }

    /// L_sup,k^μ ≤ factor·(L_un − τ log 2), with what is subtracted in nats and the margin in factored form.
    fn bounded(&self, factor: Enclosure) -> Evaluation {
        let right = factor * (1.0 - self.tau) * self.different + factor * self.tau * self.excess;
        at_most(self.average, right)
    }

    fn printed_factor(&self) -> Enclosure {
        self.k / (1.0 - self.tau)
    }

    /// The average over anchors, and for each over the k-subsets of the other classes, of a function of their logits.
    fn over_subsets(&self, of: impl Fn(&[Enclosure]) -> Enclosure) -> Enclosure {
        self.expectation(|anchor| {
            let others = foreign(anchor);
            let k = self.k.midpoint() as usize;
            let sets = subsets(others.len(), k);
            let count = Enclosure::from(sets.len());
            let each = |set: &Vec<usize>| of(&set.iter().map(|&i| others[i]).collect::<Vec<_>>());
            sets.iter().map(each).sum::<Enclosure>() / count
        })
    }

    fn expectation(&self, of: impl Fn(&AnchorLogits) -> Enclosure) -> Enclosure {
        self.anchors
            .iter()
            .map(|anchor| of(anchor) * Enclosure::from(anchor.probability))
            .sum()
    }

    /// E_{c,x} of the mean over c' ≠ c of ζ(a_{c'}).
    fn foreign_softplus(&self) -> Enclosure {
        self.expectation(|anchor| {
            let others = foreign(anchor);
            let count = Enclosure::from(others.len());
            others.into_iter().map(Enclosure::softplus).sum::<Enclosure>() / count
        })
    }
}

/// The logits of the classes other than the anchor's own.
fn foreign(anchor: &AnchorLogits) -> Vec<Enclosure> {
    let others = anchor.logits.iter().enumerate().filter(|(c, _)| *c != anchor.class);
    others.map(|(_, &a)| a.into()).collect()
}

fn softplus_sum(logits: &[Enclosure]) -> Enclosure {
    logits.iter().map(|a| a.softplus()).sum()
}

/// log(1 + Σ e^{a_i}).
fn softplus_of_sum(logits: &[Enclosure]) -> Enclosure {
    contrapositive::enclosure::log_sum_exp(logits).softplus()
}

pub fn claim() -> Claim {
    Claim::new(
        "merad2020.prop-2-1",
        "average task loss, one negative",
        Kind::Inequality,
    )
    .statement("L_sup,k(f) ≤ L_sup,k^μ(f) ≤ (k/(1−τ))·(L_un(f) − τ) for uniform ρ and 1 ≤ k ≤ N_C − 1, τ = 1/N_C")
    .source(
        "Proposition 2, part (1)",
        &[
            "section 7",
            "Proposition 3.3 (restated), part (1), of the earlier version",
        ],
    )
    .remark("The first inequality is tried with Lemma 1.")
    .remark(
        "Bits and the corrected form are one statement: dividing every loss by ln 2 turns τ log 2 into τ. In nats the \
             printed τ exceeds τ log 2, and the bound fails already for the zero encoder.",
    )
    .setting(
        Setting::measuring(|i: &TaskSize, _| Losses::of(i))
            .assume("ρ uniform", |i| i.model.is_uniform())
            .families(models(8, |m| sizes(&uniform(&m))))
            .family(digits::family(|model| {
                let of = |k| {
                    (
                        format!(", k = {k}"),
                        TaskSize {
                            k,
                            model: model.clone(),
                        },
                    )
                };
                [1, 4, 9].map(of).to_vec()
            }))
            .reading(
                "nats",
                "every logarithm natural, τ subtracted as printed",
                fails("what may be subtracted is τ log 2, which is τ in bits only"),
                |_, l| {
                    let excess = l.split.same - 1.0;
                    let right = l.k * l.different + l.printed_factor() * l.tau * excess;
                    at_most(l.average, right)
                },
            )
            .reading(
                "bits",
                "every logarithm to base two, τ subtracted as printed",
                holds(),
                |_, l| {
                    let bits = |x| LogarithmBase::Bits.from_nats(x);
                    let right = l.k * bits(l.different) + l.printed_factor() * l.tau * bits(l.excess);
                    at_most(bits(l.average), right)
                },
            )
            .step("s1", "Jensen: L_un ≥ E ζ(a_{c⁻}(x))", holds(), |_, l| {
                at_least(l.unsupervised, l.jensen)
            })
            .step(
                "s2",
                "E ζ(a_{c⁻}) = (1−τ)·E[ζ(a_{c⁻}) | c⁻ ≠ c] + τ log 2",
                holds(),
                |_, l| {
                    equal(
                        l.jensen,
                        (1.0 - l.tau) * l.foreign_softplus() + l.tau * Enclosure::ln_2(),
                    )
                },
            )
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
            .step(
                "s5",
                "E log(1 + Σ_{i≤k} e^{a_{c_i}}) over distinct classes = L_sup,k^μ",
                holds(),
                |_, l| equal(l.over_subsets(softplus_of_sum), l.average).on_scale(1e-6),
            )
            .amendment(
                "corrected",
                "L_sup,k^μ ≤ (k/(1−τ))·(L_un − τ log 2) in nats",
                holds(),
                |_, l| l.bounded(l.printed_factor()),
            )
            .amendment(
                "same",
                "bits and corrected differ by the factor ln 2 only",
                holds(),
                |_, l| {
                    let nats = l.printed_factor() * (l.unsupervised - l.tau * Enclosure::ln_2());
                    let in_bits = LogarithmBase::Bits.from_nats(l.unsupervised);
                    let bits = l.printed_factor() * (in_bits - l.tau);
                    equal(LogarithmBase::Bits.from_nats(nats), bits).on_scale((l.printed_factor() * in_bits).hi())
                },
            )
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
            .control("a", "k − 1 in place of k", |_, l| {
                l.bounded((l.k - 1.0) / (1.0 - l.tau))
            })
            .control("b", "without 1/(1−τ)", |_, l| l.bounded(l.k))
            .control("d", "log 2 subtracted without the factor τ", |_, l| {
                at_most(l.average, l.printed_factor() * (l.unsupervised - Enclosure::ln_2()))
            }),
    )
    .setting(
        Setting::measuring(|i: &TaskSize, _| Losses::of(i))
            .assume("p_min > 0", |i| i.model.p_min().lo() > 0.0)
            .families(models(5, |m| sizes(&m)))
            .control("c", "uniformity dropped, τ = Σ ρ²", |_, l| {
                at_most(
                    l.average,
                    l.printed_factor() * (l.unsupervised - l.tau * Enclosure::ln_2()),
                )
            }),
    )
}

/// One instance for every k.
fn sizes(model: &LatentClassModel) -> Vec<TaskSize> {
    (1..model.n_classes())
        .map(|k| TaskSize {
            k,
            model: model.clone(),
        })
        .collect()
}
