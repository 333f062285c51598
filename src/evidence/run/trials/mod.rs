//! Instances under checks: gathered, tried one by one, looked at again with more digits where doubles are in doubt, and counted.
//!
//! Lowest first: `guard` (panics stop here), `counts`, `second_look`, `evaluate` (the checks of a setting on an instance), `mutation`,
//! `judging` (one check, without a hypothesis or changed), `candidates` (all instances of a setting).

mod candidates;
mod counts;
mod evaluate;
mod guard;
mod judging;
mod mutation;
mod second_look;

pub(crate) use candidates::{Candidate, gather, instances, try_all};
pub use counts::Counts;
pub(crate) use evaluate::{evaluate, measured, meets, violation};
pub(crate) use guard::guarded;
pub(crate) use judging::Judging;
pub use mutation::Mutation;
pub(crate) use mutation::{applied, mutated};
pub(crate) use second_look::wants_digits;
