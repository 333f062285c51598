//! What can be wrong with a request about embeddings.

use contrastive::ContrastiveError;
use contrastive::data::DataError;
use enclosures::kernels::KernelError;
use enclosures::probability::CollectorError;
use estimators::EstimatorError;
use estimators::monte_carlo::MonteCarloError;
use thiserror::Error;

/// A refused request, naming the value at fault and the limit it broke.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EmbeddingsError {
    /// What the data refused.
    #[error(transparent)]
    Data(#[from] DataError),
    /// What an exact loss refused.
    #[error(transparent)]
    Estimator(#[from] EstimatorError),
    /// What a sampled loss refused.
    #[error(transparent)]
    Sampling(#[from] MonteCarloError),
    /// What a model refused.
    #[error(transparent)]
    Model(#[from] ContrastiveError),
    /// What the class probabilities refused.
    #[error(transparent)]
    Classes(#[from] CollectorError),
    /// Arrays that do not fit each other.
    #[error(transparent)]
    Shape(#[from] KernelError),
    /// No number of negatives was asked for.
    #[error("no number of negatives: at least one is needed")]
    NoNegatives,
    /// A row without a direction.
    #[error("row {row}{} is zero and cannot be normalized; leave out --normalize, or this \
             row", if *.second { " of the second views" } else { "" })]
    ZeroRow {
        /// The row, counted from zero.
        row: usize,
        /// Whether it is one of the second views.
        second: bool,
    },
    /// A number that is to be scaled as a pixel and is none.
    #[error("the value at row {row}, column {column} is {value}, not a pixel (a whole number from 0 to 255)")]
    NotAPixel {
        /// The row, counted from zero; of pairs, those of the second views follow those of the first.
        row: usize,
        /// The column, counted from zero.
        column: usize,
        /// The number.
        value: f64,
    },
    /// Nothing to tell a partner from.
    #[error("a single pair of views: at least two pairs are needed")]
    OnePair,
    /// An amount that is no positive number.
    #[error("{name} = {value}: it must be positive and finite")]
    NotPositive {
        /// What it is of.
        name: &'static str,
        /// The number asked for.
        value: f64,
    },
    /// A miss probability outside (0, 1).
    #[error("alpha = {alpha}: a miss probability lies strictly between 0 and 1")]
    Alpha {
        /// The number asked for.
        alpha: f64,
    },
    /// A task size that no task has.
    #[error("tasks of {size} classes: the size must lie between 2 and the number of classes, {classes}")]
    TaskSize {
        /// The size asked for.
        size: usize,
        /// Number of classes.
        classes: usize,
    },
    /// A gradient that is not computed.
    #[error(
        "there is no gradient of the losses of {what}: only with respect to the embeddings as given, with replacement"
    )]
    NoGradient {
        /// What the gradient was asked of.
        what: &'static str,
    },
    /// An exact answer would take more work than was allowed.
    #[error(
        "exactly, this takes about {needed:.1e} multiplications, more than the {allowed:.1e} allowed; allow more with \
         --work, or leave out what has to be exact (--exact, or a gradient)"
    )]
    Work {
        /// Multiplications needed.
        needed: f64,
        /// Multiplications allowed.
        allowed: f64,
    },
}
