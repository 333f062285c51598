//! What can be wrong with a request to an estimator.

use thiserror::Error;

use contrastive::ContrastiveError;

/// A refused request, naming the value at fault and the limit it broke.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum EstimatorError {
    /// The loss needs at least one negative, and counts beyond 2^53 are not doubles.
    #[error("{negatives} negatives: the number must lie between 1 and 2^53")]
    Negatives {
        /// The number asked for.
        negatives: u64,
    },
    /// Logits are divided by the temperature.
    #[error("temperature {temperature:?}: it must be positive and finite, and so must its reciprocal")]
    Temperature {
        /// The temperature asked for.
        temperature: f64,
    },
    /// A class of one point has no positive other than the anchor itself.
    #[error("label {label} has a single point, so that without the anchor itself no positive is left")]
    NoPositive {
        /// The label, as it came with the data.
        label: u32,
    },
    /// Negatives from other classes than the anchor's need a second class.
    #[error("label {label} is the only one, so that no negative of another class exists")]
    NoNegative {
        /// The label, as it came with the data.
        label: u32,
    },
    /// Subsets have at least one element and at most all candidates.
    #[error(
        "subsets of {size} negatives: an anchor of label {label} has {candidates} candidates, and the size must lie \
         between 1 and that"
    )]
    SubsetSize {
        /// The size asked for.
        size: usize,
        /// Candidates of the anchor.
        candidates: usize,
        /// The label of the anchor, as it came with the data.
        label: u32,
    },
    /// What the reference path refused.
    #[error(transparent)]
    Model(#[from] ContrastiveError),
}
