//! Deep ReLU encoders, dense and convolutional, their exact gradients, and a deterministic contrastive trainer.
//!
//! Everything here is plain `f64` arithmetic in a fixed order: the same seed gives the same bits on every machine and
//! with any number of threads. An [`Encoder`] or a [`ConvolutionalEncoder`] maps points to embeddings ([`embeddings`]); [`contrastive_loss`] scores
//! the embeddings of contrastive tuples; `backward` carries the gradient of any such score back to the
//! weights; [`train`] puts the three together; [`GradientDescent`] follows any score of the embeddings of inputs that
//! stay the same.
//!
//! [`TangentKernel`] is what the last becomes in the limit of infinite width.
//!
//! [`TwoEncoders`] are a query and a key encoder trained end to end on the loss over all sets of negatives;
//! [`Activations`] apply products of masked layers of one encoder, and [`EnclosedActivations`] do so in intervals.

mod activation;
mod contrastive_loss;
mod contrastive_training;
mod convolutional;
mod dense;
mod enclosed;
mod encoder;
mod error;
mod gradient_descent;
mod images;
mod layer_products;
mod norm_range;
mod optimiser;
mod separation;
mod tangent_kernel;
mod trainable;
mod two_encoders;
mod weights;

pub use activation::Activation;
pub use contrastive_loss::{LossAndGradient, contrastive_loss};
pub use contrastive_training::{ContrastiveDescent, ContrastiveRun, ContrastiveSettings, Snapshot, train};
pub use convolutional::{ConvolutionalEncoder, ConvolutionalForward, ConvolutionalShape, ConvolutionalWeights};
pub use dense::add_multiple;
pub use enclosed::EnclosedActivations;
pub use encoder::{Encoder, Forward};
pub use error::NetworkError;
pub use gradient_descent::{GradientDescent, Trained};
pub use layer_products::Activations;
pub use norm_range::NormRange;
pub use optimiser::Optimiser;
pub use separation::{Pairs, Separation};
pub use tangent_kernel::TangentKernel;
pub use trainable::{Trainable, embeddings};
pub use two_encoders::{EndToEndGradient, TwoEncoders};
pub use weights::{EncoderShape, Weights};
