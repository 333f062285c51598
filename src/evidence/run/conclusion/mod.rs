//! What is concluded of one check from all that was tried.
//!
//! Lowest first: `advice` (what would decide a doubt), `power` (why a check shows little), `check_result`, `proofs`, `conclude`.

mod advice;
mod check_result;
mod conclude;
mod power;
mod proofs;

pub use check_result::{CheckResult, Scaled, Sighting};
pub(crate) use conclude::conclude;
pub use power::Weakness;
