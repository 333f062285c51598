//! Deep ReLU encoders, their exact gradients, and a deterministic contrastive trainer.
//!
//! Everything here is plain `f64` arithmetic in a fixed order: the same seed gives the same bits on every machine and with
//! any number of threads. An [`Encoder`] maps points to embeddings ([`embeddings`]); [`contrastive_loss`] scores the
//! embeddings of contrastive tuples; [`Encoder::backward`] carries the gradient of any such score back to the weights;
//! [`train`] puts the three together; [`GradientDescent`] follows any score of the embeddings of inputs that stay the same.

mod activation;
mod contrastive_loss;
mod contrastive_training;
mod dense;
mod encoder;
mod error;
mod gradient_descent;
mod norm_range;
mod optimiser;
mod separation;
mod weights;

pub use activation::Activation;
pub use contrastive_loss::{LossAndGradient, contrastive_loss};
pub use contrastive_training::{ContrastiveRun, ContrastiveSettings, Snapshot, train};
pub use encoder::{Encoder, Forward, embeddings};
pub use error::NetworkError;
pub use gradient_descent::{GradientDescent, Trained};
pub use norm_range::NormRange;
pub use optimiser::Optimiser;
pub use separation::{Pairs, Separation};
pub use weights::{EncoderShape, Weights};
