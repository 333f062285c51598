//! The objects of contrastive-learning theory: latent-class models with their losses, and triplets with their curvature.
//!
//! Every loss of a finitely supported model is a finite quantity, and every function here encloses it rigorously. The
//! notation and the numbering of claims follow Merad, Yu, Bacry and Gaïffas, *About contrastive unsupervised
//! representation learning for classification and its convergence*.
//!
//! ```
//! use contrapositive_contrastive::{LatentClassModel, unsupervised_loss};
//! // Two equally likely classes at 1 and −1 on the line, one negative: log(1 + e^0) or log(1 + e^−2), each half of the time.
//! let model = LatentClassModel::point_masses(&[1.0, 1.0], &[vec![1.0], vec![-1.0]])?;
//! let loss = unsupervised_loss(&model, 1)?;
//! let by_hand = (core_math::log(2.0) + core_math::log1p(core_math::exp(-2.0))) / 2.0;
//! assert!((loss.midpoint() - by_hand).abs() < 1e-15 && loss.width() < 1e-15);
//! # Ok::<(), contrapositive_contrastive::ContrastiveError>(())
//! ```

pub mod data;
pub mod network;

mod average;
mod best_factor;
mod best_head;
mod enumeration;
mod error;
mod exact_span;
mod labelled;
mod largest_draw;
mod latent_class;
mod logarithm;
mod mean_classifier;
mod positive_sums;
mod quadrature;
mod query_key;
mod scaled_law;
mod simplification;
mod softmax_regression;
mod triplet;
mod triplet_ball;
mod unsupervised_loss;

pub use best_factor::{best_task_factor, drawn_probability, task_hits};
pub use best_head::{best_head_dual_bound, best_head_loss, best_head_loss_all, best_head_on};
pub use enumeration::{by_enumeration, enumeration_terms};
pub use error::ContrastiveError;
pub use latent_class::{Atom, LatentClassModel, WeightedAtom};
pub use logarithm::LogarithmBase;
pub use mean_classifier::{
    AnchorLogits, anchor_logits, mean_classifier_loss, sup_mean, sup_mean_all, sup_mean_average,
};
pub use quadrature::{WeightedLogit, expected_log_ratio};
pub use query_key::{
    QueriesAndKeys, SubsetContrast, key_logits, mean_over_subsets, subset_contrast, subset_loss, subset_weights,
    subsets,
};
pub use triplet::Triplet;
pub use triplet_ball::largest_hessian_norm;
pub use unsupervised_loss::{
    CollisionSplit, by_quadrature, collision_split, jensen_loss, unsupervised_loss, unsupervised_losses,
};

#[cfg(test)]
mod tests;
