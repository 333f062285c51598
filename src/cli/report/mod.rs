//! What is made of the evidence of a run.
//!
//! Lowest first: `unexpected` (what the catalogue does not expect), `junit`, `summary` (the end of a run in words),
//! `baseline` (what moved since an earlier run), `step_summary` (a page for CI), `stopped` (damaged witnesses),
//! `portion` (the file of a shard), `finish` (all of this, once every claim has run).

pub mod baseline;
pub mod finish;
#[cfg_attr(not(feature = "junit"), path = "without_junit.rs")]
pub(crate) mod junit;
pub(crate) mod portion;
pub(crate) mod step_summary;
pub mod stopped;
pub(crate) mod summary;
pub(crate) mod unexpected;
