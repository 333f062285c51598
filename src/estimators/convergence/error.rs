//! What can be wrong with a study.

use thiserror::Error;

use super::Loss;
use crate::EstimatorError;
use crate::monte_carlo::MonteCarloError;
use contrastive::ContrastiveError;
use contrastive::data::DataError;
use enclosures::kernels::KernelError;

/// A refused study, naming the value at fault and the limit it broke.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StudyError {
    /// The interval of the root mean square needs an even number of repetitions.
    #[error("{repetitions} repetitions: the number must be even and between 2 and 1024")]
    Repetitions {
        /// The number asked for.
        repetitions: u64,
    },
    /// Sampled estimators hold as many numbers as there are negatives.
    #[error("{negatives} negatives: the number must lie between 1 and 2^20")]
    Negatives {
        /// The number asked for.
        negatives: usize,
    },
    /// An estimator failed while it was measured.
    #[error("{method} on {subject}, {}: {source}", loss.title())]
    Sampling {
        /// Name of the estimator.
        method: &'static str,
        /// Name of the model.
        subject: String,
        /// What was estimated.
        loss: Loss,
        /// What went wrong.
        source: MonteCarloError,
    },
    /// A model that cannot be sampled.
    #[error(transparent)]
    MonteCarlo(#[from] MonteCarloError),
    /// A model whose exact loss was refused.
    #[error(transparent)]
    Estimator(#[from] EstimatorError),
    /// What the model itself refuses.
    #[error(transparent)]
    Model(#[from] ContrastiveError),
    /// Class weights that have no coverage probability.
    #[error(transparent)]
    Coverage(#[from] enclosures::probability::CollectorError),
    /// Points that are no matrix.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// Points that are no data set.
    #[error(transparent)]
    Data(#[from] DataError),
}
