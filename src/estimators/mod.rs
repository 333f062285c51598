//! Estimators of the contrastive losses at the sizes of real data sets: exact ones, and sampled ones with honest error bars.

mod error;
pub mod exact;
pub mod monte_carlo;

pub use error::EstimatorError;
