//! What is typed, and what it selects.
//!
//! Lowest first: `headlines` (verdicts), `likeness` (known names that are like a typed one), `seed`, `shell`
//! (completions and the manual), `arguments`, `form` (the form of a report and its place), `select` (claims and
//! folders).

pub mod arguments;
pub(crate) mod form;
pub(crate) mod headlines;
pub(crate) mod likeness;
pub mod seed;
pub mod select;
#[cfg_attr(not(feature = "manual"), path = "without_manual.rs")]
pub(crate) mod shell;
