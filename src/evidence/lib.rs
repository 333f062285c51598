//! The engine: executable claims, the judge, verdicts, and what they rest on. It knows nothing of contrastive learning.
//!
//! A [`claim::Claim`] states a theorem's promise, names families of instances, and encloses both sides of it on each; the [`judge`] says
//! what the margin between them shows; a [`verdict`] is a pure function of the recorded trials.
//!
//! ```
//! use contrapositive::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Clone, Debug, Serialize, Deserialize, Instance)]
//! struct Point {
//!     #[instance(range = "0..=10")]
//!     x: f64,
//! }
//!
//! let claim = Claim::new("mine.square", "squares", Kind::Inequality).statement("x ≤ x² for all x ≥ 0").setting(
//!     Setting::of()
//!         .given("x between 0 and 10")
//!         .family(edge("named", || vec![("zero", Point { x: 0.0 }), ("two", Point { x: 2.0 })]))
//!         .part("printed", "x ≤ x²", fails("between zero and one"), |p: &Point, ()| {
//!             at_most(exact(p.x), exact(p.x).square())
//!         }),
//! );
//! // No named instance refutes it; the search does, and what it finds is shrunk.
//! assert_eq!(claim.tried().verdict(), Verdict::Fails);
//! ```
//!
//! Floors, lowest first; nothing imports upwards: [`instance`], `comparison`, [`judge`], `family_kind`, `role`, [`verdict`], [`headline`],
//! [`trend`], [`budget`], [`claim`], [`sweep`], [`reading`], [`writing`], [`run`], [`report`], [`rules`], [`testing`]; [`prelude`] is what a
//! file of claims imports.

pub mod budget;
pub mod claim;
mod comparison;
mod family_kind;
pub mod headline;
pub mod instance;
pub mod judge;
pub mod prelude;
pub mod reading;
pub mod report;
mod role;
pub mod rules;
pub mod run;
pub mod sweep;
pub mod testing;
#[cfg(test)]
mod toy;
pub mod trend;
pub mod verdict;
pub mod writing;
