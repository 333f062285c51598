//! What can be wrong with a request for samples.

use thiserror::Error;

use contrastive::ContrastiveError;
use enclosures::kernels::KernelError;

/// A refused request, naming the value at fault and the limit it broke.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum MonteCarloError {
    /// An observation that is not a number or infinite is an error, never evidence.
    #[error("observation {index} of its chunk is {value}, which is not finite")]
    NotFinite {
        /// Position inside the chunk.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// An observation outside the promised range would void the guarantee.
    #[error("an observation of {value} lies outside the promised range [{lo}, {hi}]")]
    OutOfRange {
        /// The observation.
        value: f64,
        /// Lower end of the range.
        lo: f64,
        /// Upper end of the range.
        hi: f64,
    },
    /// Confidence sequences need a bounded loss.
    #[error("the range [{lo}, {hi}] of the observations is not a bounded interval of positive length")]
    Range {
        /// Lower end of the range.
        lo: f64,
        /// Upper end of the range.
        hi: f64,
    },
    /// A miss probability that is none.
    #[error("the miss probability {alpha} is not strictly between 0 and 1")]
    Level {
        /// The number asked for.
        alpha: f64,
    },
    /// A chunk that two shards both hold would be counted twice.
    #[error("chunk {chunk} is in both shards")]
    Overlap {
        /// Index of the chunk.
        chunk: u64,
    },
    /// The class means are needed in closed form and the model has none.
    #[error("the mean of class {class} is not known in closed form")]
    MeanUnknown {
        /// Index of the class.
        class: usize,
    },
    /// A task is a non-empty set of different classes.
    #[error("the task {task:?} is not a set of different classes among {classes}")]
    Task {
        /// The classes asked for.
        task: Vec<usize>,
        /// Number of classes of the model.
        classes: usize,
    },
    /// Probabilities come from positive finite weights whose sum is finite.
    #[error("weight {value} at position {index}: weights must be positive, normal and finite, with a finite sum")]
    Weight {
        /// Position of the weight.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// A number of items outside its limits.
    #[error("{what}: {value} is not between {least} and {most}")]
    Count {
        /// What is counted.
        what: &'static str,
        /// The number asked for.
        value: u64,
        /// The smallest number allowed.
        least: u64,
        /// The largest number allowed.
        most: u64,
    },
    /// A parameter of a law that is out of range.
    #[error("{what}: {value} is not a finite positive number")]
    Parameter {
        /// Which parameter.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// The logits of an anchor are spread too far for a table of exponentials.
    #[error("the logits of anchor {anchor} are spread over {spread}, more than the limit of {limit}")]
    Spread {
        /// Index of the anchor.
        anchor: usize,
        /// Largest minus smallest logit.
        spread: f64,
        /// The limit.
        limit: f64,
    },
    /// What the model itself refuses.
    #[error(transparent)]
    Model(#[from] ContrastiveError),
    /// What the kernels refuse.
    #[error(transparent)]
    Kernel(#[from] KernelError),
}
