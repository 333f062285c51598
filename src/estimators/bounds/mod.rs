//! Upper bounds on what a linear classifier on top of the embeddings loses, by the unsupervised loss: each declared once.
//!
//! A [`Bound`] is a formula with the id of the claim and the check that try it. The claim evaluates the declaration on its
//! instances, a program on a user's embeddings, so that what is printed is what was tried. All of them have the shape
//!
//! `supervised loss <= scale * (L_un^N - collisions) + log N_C`,
//!
//! with a scale from the class probabilities, the number `N` of negatives and, for tasks of `k + 1` classes, `k`; the
//! collisions `tau_N log(N + 1)` and `log N_C` are there or not.
//!
//! | bound | supervised loss | scale |
//! |---|---|---|
//! | [`LEMMA_1`], [`LEMMA_1_WITHOUT_LOG`], [`LEMMA_1_COLLISIONS`] | mean classifier on all classes | `1/p_min`, `N = 1` |
//! | [`LEMMA_2`] | mean classifier on all classes | `1/p_cc(N)` |
//! | [`RAREST_CLASS`] | mean classifier on all classes | `1/(1 - (1 - p_min)^N)`, the best there is |
//! | [`PROPOSITION_1`], [`PROPOSITION_2_1`] | mean over tasks of `k + 1` classes | `k/(1 - tau_N)`, equally likely classes |
//! | [`TASK_BEST_FACTOR`] | mean over tasks of `k + 1` classes | [`contrastive::best_task_factor`], the best there is |
//!
//! The best linear head loses no more than the mean classifier, so that each bounds it too.

mod draws;

pub use draws::Draws;

use contrastive::best_task_factor;
use enclosures::enclosure::Enclosure;
use serde::Serialize;
use thiserror::Error;

/// What a bound is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bounded {
    /// `L_sup^mu(f, C)`: the mean classifier on the task of all classes.
    AllClasses,
    /// `L_sup,k^mu(f)`: the mean classifier, averaged over all tasks of `k + 1` classes.
    Tasks,
}

/// The number that the unsupervised loss is multiplied with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScaleOf {
    RarestShare,
    Covered,
    RarestDrawn,
    TasksAsPrinted,
    TasksAtBest,
}

/// A number to multiply with, in the form that rounds least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BoundFactor {
    /// The reciprocal of this share, which is positive and at most one.
    Over(Enclosure),
    /// This number.
    Times(Enclosure),
}

impl BoundFactor {
    /// The number itself.
    #[must_use]
    pub fn factor(self) -> Enclosure {
        match self {
            BoundFactor::Over(share) => 1.0 / share,
            BoundFactor::Times(factor) => factor,
        }
    }

    fn of(self, loss: Enclosure) -> Enclosure {
        match self {
            BoundFactor::Over(share) => loss / share,
            BoundFactor::Times(factor) => factor * loss,
        }
    }
}

/// Why a bound does not speak of some embeddings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Inapplicable {
    /// It is about one negative.
    #[error("it is about one negative, N = 1")]
    OneNegative,
    /// It assumes equally likely classes.
    #[error("it assumes equally likely classes")]
    UnequalClasses,
    /// Fewer negatives than classes never show all of them.
    #[error("infinite, with fewer negatives than classes")]
    FewNegatives,
    /// Tasks of `k + 1` classes need `1 <= k <= N_C - 1`.
    #[error("tasks of k + 1 classes need 1 <= k <= N_C - 1")]
    TaskSize,
    /// The number of negatives is zero or beyond 2^53.
    #[error("the number of negatives must lie between 1 and 2^53")]
    Negatives,
}

/// An upper bound with the claim that tries it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Id of the claim.
    pub claim: &'static str,
    /// Id of the check of that claim that evaluates this declaration.
    pub check: &'static str,
    /// A name of a few words.
    pub name: &'static str,
    /// The formula in plain text.
    pub formula: &'static str,
    /// What is bounded.
    pub of: Bounded,
    /// Grade of the check, and of the headline of its claim, in the run that the pages of the claims record.
    pub grade: &'static str,
    scale: ScaleOf,
    less_collisions: bool,
    plus_log_classes: bool,
    equal_classes: bool,
    one_negative: bool,
}

/// Lemma 1, as printed.
pub const LEMMA_1: Bound = Bound {
    claim: "merad2020.lemma-1",
    check: "printed",
    name: "Lemma 1, as printed",
    formula: "L_sup^μ ≤ L_un/p_min + log N_C",
    of: Bounded::AllClasses,
    grade: "exact",
    scale: ScaleOf::RarestShare,
    less_collisions: false,
    plus_log_classes: true,
    equal_classes: false,
    one_negative: true,
};

/// Lemma 1 without the term that is not needed.
pub const LEMMA_1_WITHOUT_LOG: Bound = Bound {
    check: "without-log",
    name: "Lemma 1 without log N_C",
    formula: "L_sup^μ ≤ L_un/p_min",
    plus_log_classes: false,
    ..LEMMA_1
};

/// Lemma 1 less what collisions add to the unsupervised loss.
pub const LEMMA_1_COLLISIONS: Bound = Bound {
    check: "collision",
    name: "Lemma 1 less the collisions",
    formula: "L_sup^μ ≤ (L_un − τ log 2)/p_min",
    less_collisions: true,
    ..LEMMA_1_WITHOUT_LOG
};

/// Lemma 2, as printed.
pub const LEMMA_2: Bound = Bound {
    claim: "merad2020.lemma-2",
    check: "printed",
    name: "Lemma 2, as printed",
    formula: "L_sup^μ ≤ L_un^N/p_cc(N)",
    scale: ScaleOf::Covered,
    one_negative: false,
    ..LEMMA_1_WITHOUT_LOG
};

/// Lemma 2 with the best factor: one rarest class has to be drawn, not all.
pub const RAREST_CLASS: Bound = Bound {
    check: "rarest-class",
    name: "Lemma 2, sharp factor",
    formula: "L_sup^μ ≤ (L_un^N − τ_N log(N + 1))/(1 − (1 − p_min)^N)",
    scale: ScaleOf::RarestDrawn,
    less_collisions: true,
    ..LEMMA_2
};

/// Proposition 1, as printed.
pub const PROPOSITION_1: Bound = Bound {
    claim: "merad2020.prop-1",
    check: "printed",
    name: "Proposition 1, as printed",
    formula: "L_sup,k^μ ≤ (k/(1 − τ_N))·(L_un^N − τ_N log(N + 1))",
    of: Bounded::Tasks,
    grade: "exact",
    scale: ScaleOf::TasksAsPrinted,
    less_collisions: true,
    plus_log_classes: false,
    equal_classes: true,
    one_negative: false,
};

/// Proposition 1 with the best factor.
pub const TASK_BEST_FACTOR: Bound = Bound {
    check: "best-factor",
    name: "Proposition 1, sharp factor",
    formula: "L_sup,k^μ ≤ K(N_C, k, N)·(L_un^N − τ_N log(N + 1))",
    scale: ScaleOf::TasksAtBest,
    ..PROPOSITION_1
};

/// Proposition 2, part (1), corrected: what may be subtracted is `tau log 2`.
pub const PROPOSITION_2_1: Bound = Bound {
    claim: "merad2020.prop-2-1",
    check: "corrected",
    name: "Proposition 2 (1), corrected",
    formula: "L_sup,k^μ ≤ (k/(1 − τ))·(L_un − τ log 2)",
    one_negative: true,
    ..PROPOSITION_1
};

/// `k/(1 - tau_N)`, the factor of Propositions 1 and 2 as printed.
#[must_use]
pub fn printed_task_factor(k: usize, tau: Enclosure) -> Enclosure {
    Enclosure::from(k) / (1.0 - tau)
}

/// All of them, in the order in which they are shown: about all classes first, and the sharp ones first of their kind.
pub const BOUNDS: [Bound; 8] = [
    RAREST_CLASS, LEMMA_2, LEMMA_1_COLLISIONS, LEMMA_1_WITHOUT_LOG, LEMMA_1, TASK_BEST_FACTOR, PROPOSITION_1,
    PROPOSITION_2_1,
];

/// A bound at some embeddings: `loss <= scale * rest + added`, in nats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvaluatedBound {
    /// What the unsupervised loss is multiplied with.
    pub scale: BoundFactor,
    /// The unsupervised loss, less the collisions where the bound subtracts them.
    pub rest: Enclosure,
    /// `log N_C` or nothing.
    pub added: Option<Enclosure>,
}

impl EvaluatedBound {
    /// The right side.
    #[must_use]
    pub fn limit(&self) -> Enclosure {
        let scaled = self.scale.of(self.rest);
        self.added.map_or(scaled, |added| scaled + added)
    }

    /// Both sides for a supervised loss, multiplied by the share where the scale is one over a share and nothing is added: the
    /// form that stays finite.
    #[must_use]
    pub fn against(&self, loss: Enclosure) -> (Enclosure, Enclosure) {
        match (self.scale, self.added) {
            (BoundFactor::Over(share), None) => (share * loss, self.rest),
            _ => (loss, self.limit()),
        }
    }
}

impl Bound {
    /// `claim.check`.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}.{}", self.claim, self.check)
    }

    /// The scale for the draws of a model; `k` matters for bounds on tasks only.
    ///
    /// # Errors
    /// [`Inapplicable`], where the hypotheses are not met or the scale is infinite.
    pub fn scale(&self, draws: &Draws<'_>, k: usize) -> Result<BoundFactor, Inapplicable> {
        if !(1..=1 << 53).contains(&draws.negatives()) {
            return Err(Inapplicable::Negatives);
        }
        if self.one_negative && draws.negatives() != 1 {
            return Err(Inapplicable::OneNegative);
        }
        if self.equal_classes && !draws.equal_classes() {
            return Err(Inapplicable::UnequalClasses);
        }
        if self.of == Bounded::Tasks && !(1..draws.classes()).contains(&k) {
            return Err(Inapplicable::TaskSize);
        }
        Ok(match self.scale {
            ScaleOf::RarestShare => BoundFactor::Over(draws.p_min()),
            ScaleOf::Covered if draws.negatives() < draws.classes() as u64 => return Err(Inapplicable::FewNegatives),
            ScaleOf::Covered => BoundFactor::Over(draws.covered()),
            ScaleOf::RarestDrawn => BoundFactor::Over(draws.rarest_drawn()),
            ScaleOf::TasksAsPrinted => BoundFactor::Times(printed_task_factor(k, draws.tau())),
            ScaleOf::TasksAtBest => match best_task_factor(draws.classes(), k, draws.negatives()) {
                Ok(factor) => BoundFactor::Times(factor.into()),
                Err(_) => return Err(Inapplicable::TaskSize),
            },
        })
    }

    /// Both sides for the draws of a model and its unsupervised loss `L_un^N` in nats; `k` matters for bounds on tasks only.
    ///
    /// # Errors
    /// [`Inapplicable`], where the hypotheses are not met or the scale is infinite.
    pub fn sides(&self, unsupervised: Enclosure, draws: &Draws<'_>, k: usize) -> Result<EvaluatedBound, Inapplicable> {
        Ok(EvaluatedBound {
            scale: self.scale(draws, k)?,
            rest: if self.less_collisions { unsupervised - draws.collisions() } else { unsupervised },
            added: self.plus_log_classes.then(|| Enclosure::from(draws.classes()).ln()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contrastive::{LatentClassModel, sup_mean_all, sup_mean_average, unsupervised_loss};

    fn three_classes(weights: &[f64]) -> LatentClassModel {
        LatentClassModel::point_masses(weights, &[vec![1.0, 0.2], vec![-0.4, 0.9], vec![0.3, -1.1]]).unwrap()
    }

    #[test]
    fn every_bound_is_above_the_loss_that_it_is_about() {
        for (weights, equal) in [([1.0, 1.0, 1.0], true), ([5.0, 3.0, 2.0], false)] {
            let model = three_classes(&weights);
            for n in [1, 2, 5, 40] {
                let draws = Draws::of_weights(&weights, n).unwrap();
                assert_eq!(draws.equal_classes(), equal);
                let loss = unsupervised_loss(&model, n).unwrap();
                for bound in BOUNDS {
                    for k in [1, 2] {
                        let Ok(sides) = bound.sides(loss.into(), &draws, k) else {
                            continue;
                        };
                        let supervised = match bound.of {
                            Bounded::AllClasses => sup_mean_all(&model),
                            Bounded::Tasks => sup_mean_average(&model, k).unwrap(),
                        };
                        assert!(supervised.lo() <= sides.limit().hi(), "{} N = {n} k = {k}", bound.id());
                        let (left, right) = sides.against(supervised.into());
                        assert!(left.lo() <= right.hi(), "{} N = {n} k = {k}", bound.id());
                    }
                }
            }
        }
    }

    #[test]
    fn scales_are_those_of_plain_arithmetic() {
        let draws = Draws::of_weights(&[5.0, 3.0, 2.0], 3).unwrap();
        let at = |bound: Bound| bound.scale(&draws, 2).map(|s| s.factor().midpoint());
        assert!((at(RAREST_CLASS).unwrap() - 1.0 / (1.0 - 0.8 * 0.8 * 0.8)).abs() < 1e-12);
        assert!((at(LEMMA_2).unwrap() - 1.0 / (6.0 * 0.5 * 0.3 * 0.2)).abs() < 1e-10);
        assert!((draws.tau().midpoint() - (0.0625 + 0.0081 + 0.0016)).abs() < 1e-15);
        assert_eq!(at(LEMMA_1), Err(Inapplicable::OneNegative));
        assert_eq!(at(PROPOSITION_1), Err(Inapplicable::UnequalClasses));
        let equal = Draws::of_weights(&[7.0; 4], 2).unwrap();
        assert_eq!(LEMMA_2.scale(&equal, 1), Err(Inapplicable::FewNegatives));
        assert_eq!(PROPOSITION_1.scale(&equal, 4), Err(Inapplicable::TaskSize));
        let printed = PROPOSITION_1.scale(&equal, 3).unwrap().factor().midpoint();
        assert!((printed - 3.0 / (1.0 - 1.0 / 16.0)).abs() < 1e-12);
        let one = Draws::of_weights(&[2.0], 2).unwrap();
        assert!((RAREST_CLASS.scale(&one, 1).unwrap().factor().midpoint() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn ids_are_unique() {
        let ids: std::collections::BTreeSet<String> = BOUNDS.iter().map(Bound::id).collect();
        assert_eq!(ids.len(), BOUNDS.len());
        assert!(ids.contains("merad2020.lemma-2.rarest-class"));
    }
}
