//! Estimators of the contrastive losses at the sizes of real data sets: exact ones, sampled ones with honest error bars, and what
//! each gives for its work.

pub mod bounds;
pub mod convergence;
mod error;
pub mod exact;
pub mod monte_carlo;

pub use error::EstimatorError;
