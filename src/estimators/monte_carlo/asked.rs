//! Estimators of any model, by what is asked: compiled here, where loops are optimised, and not in the package that asks.

use super::task::less_bias;
use super::{
    BatchUnsupervised, ControlVariateSupervised, EmpiricalHead, EmpiricalObjective, Estimator, MonteCarloError,
    MultilevelSupervised, PlugInSupervised, Sampler, Supervised, Unsupervised,
};
use enclosures::enclosure::Enclosure;
use enclosures::interval::Interval;

/// What is to be estimated, and how. `task` is `k` of the average over tasks of `k + 1` classes, none for the task of all classes.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// `L_un^N` from single draws.
    Unsupervised {
        /// The number `N` of negatives.
        negatives: usize,
    },
    /// `L_un^N` from batches.
    Batch {
        /// The number `N` of negatives.
        negatives: usize,
        /// Embeddings of each class.
        per_class: usize,
    },
    /// The average loss of `n` triplets; see [`EmpiricalObjective`].
    Objective {
        /// The number `n` of triplets.
        triplets: usize,
        /// Whether all have one negative.
        shared: bool,
        /// Whether it is the smaller of the objective and of that of an encoder that answers zero.
        chosen: bool,
    },
    /// The loss of the mean classifier: at known means where there are some, by levels otherwise.
    MeanClassifier {
        /// See [`Asked`].
        task: Option<usize>,
    },
    /// The same at means from so many draws.
    PlugIn {
        /// See [`Asked`].
        task: Option<usize>,
        /// Draws of each class.
        draws: usize,
    },
    /// The same by levels, whether means are known or not.
    Levels {
        /// See [`Asked`].
        task: Option<usize>,
    },
    /// `L_sup` from below, by samples of so many embeddings of each class.
    BestHead {
        /// Embeddings of each class.
        per_class: usize,
    },
    /// The loss of the head with these rows.
    Head {
        /// A row for each class.
        rows: Vec<Vec<f64>>,
    },
}

/// An estimator of what was asked.
pub struct Answer<'a> {
    estimator: Box<dyn Estimator + 'a>,
    bias: Interval,
}

impl<'a> Answer<'a> {
    /// The estimator for a model.
    ///
    /// # Errors
    /// What the constructor of the estimator refuses.
    pub fn of(model: &'a dyn Sampler, asked: Asked) -> Result<Self, MonteCarloError> {
        let known = model.class_mean(0).is_some();
        let plain = |estimator: Box<dyn Estimator + 'a>| Answer { estimator, bias: Interval::ZERO };
        Ok(match asked {
            Asked::Unsupervised { negatives } => plain(Box::new(Unsupervised::new(model, negatives)?)),
            Asked::Batch { negatives, per_class } => {
                plain(Box::new(BatchUnsupervised::new(model, negatives, per_class, 1)?))
            }
            Asked::Objective { triplets, shared, chosen } => {
                plain(Box::new(EmpiricalObjective::new(model, triplets, shared, chosen)?))
            }
            Asked::MeanClassifier { task: Some(k) } if known => plain(Box::new(Supervised::tasks(model, k)?)),
            Asked::MeanClassifier { task: None } if known => plain(Box::new(ControlVariateSupervised::all(model)?)),
            Asked::MeanClassifier { task } | Asked::Levels { task } => {
                let estimator = match task {
                    Some(k) => MultilevelSupervised::tasks(model, k)?,
                    None => MultilevelSupervised::all(model)?,
                };
                Answer { bias: estimator.bias(), estimator: Box::new(estimator) }
            }
            Asked::PlugIn { task, draws } => {
                let estimator = match task {
                    Some(k) => PlugInSupervised::tasks(model, k, draws)?,
                    None => PlugInSupervised::all(model, draws)?,
                };
                Answer { bias: estimator.bias(), estimator: Box::new(estimator) }
            }
            Asked::BestHead { per_class } => plain(Box::new(EmpiricalHead::new(model, per_class)?)),
            Asked::Head { rows } => plain(Box::new(Supervised::of_head(model, rows)?)),
        })
    }

    /// The estimator.
    #[must_use]
    pub fn estimator(&self) -> &(dyn Estimator + 'a) {
        &*self.estimator
    }

    /// What an interval for the mean of an observation says of what was asked.
    #[must_use]
    pub fn of_loss(&self, mean: Enclosure) -> Enclosure {
        if self.bias == Interval::ZERO { mean } else { less_bias(mean, self.bias) }
    }
}
