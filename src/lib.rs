//! Executable claims of contrastive-learning theory.
pub mod budget;
pub mod claim;
pub mod enclosure;
pub mod instance;
pub mod interval;
pub mod judge;
pub mod report;
pub mod run;
pub mod stream;
pub mod verdict;
