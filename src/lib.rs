//! Executable claims of contrastive-learning theory.
pub mod enclosure;
pub mod flow;
pub mod instance;
pub mod interval;
pub mod linear_algebra;
pub mod self_supervised;
