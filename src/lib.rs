//! Executable claims of contrastive-learning theory.
pub mod enclosure;
pub mod instance;
pub mod interval;
pub mod piecewise_linear;
pub mod probability;
