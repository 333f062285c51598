//! Estimators of the contrastive losses at the sizes of real data sets.

mod error;
pub mod exact;

pub use error::EstimatorError;
