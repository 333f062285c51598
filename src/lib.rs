//! Executable claims of contrastive-learning theory.
pub mod contrastive;
pub mod enclosure;
pub mod instance;
pub mod interval;
