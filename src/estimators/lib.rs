//! Estimators of the contrastive losses at the sizes of real data sets: exact ones, sampled ones with honest error bars, and what
//! each gives for its work.
//!
//! ```
//! use contrapositive_estimators::exact::{LossOptions, exact_unsupervised_losses};
//! use contrastive::data::LabelledPoints;
//! // Six points in the plane, two of each of three classes; embeddings that are all zero lose log(N + 1).
//! let points = LabelledPoints::new(vec![0.0; 12], 2, vec![0, 1, 2, 0, 1, 2])?;
//! let losses = exact_unsupervised_losses(&points, &[1, 7], &LossOptions::default())?;
//! assert!(losses[1].lo() <= core_math::log(8.0) && core_math::log(8.0) <= losses[1].hi());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`exact`] holds the losses at all points at once and their gradients, [`monte_carlo`] confidence sequences that may be looked at any
//! time, [`bounds`] every bound on a downstream loss, declared once, and [`convergence`] measures error against work.

pub mod bounds;
pub mod convergence;
mod error;
pub mod exact;
pub mod monte_carlo;

pub use error::EstimatorError;
