//! Executable claims of contrastive-learning theory.
