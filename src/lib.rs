//! Executable claims of contrastive-learning theory.

pub mod data;
pub mod network;
