//! The engine: executable claims, the judge, verdicts, and what they rest on. It knows nothing of contrastive learning.
//!
//! A [`claim::Claim`] states a theorem's promise, names families of instances, and encloses both sides of it on each; the [`judge`] says
//! what the margin between them shows; a [`verdict`] is a pure function of the recorded trials.
//!
//! Floors, lowest first; nothing imports upwards: [`instance`], [`comparison`], [`judge`], [`family_kind`], [`verdict`], [`headline`],
//! [`trend`], [`budget`], [`claim`], [`sweep`], [`writing`], [`run`], [`report`], [`rules`], [`testing`]; [`prelude`] is what a
//! file of claims imports.

pub mod budget;
pub mod claim;
pub mod comparison;
pub mod family_kind;
pub mod headline;
pub mod instance;
pub mod judge;
pub mod prelude;
pub mod report;
pub mod rules;
pub mod run;
pub mod sweep;
pub mod testing;
pub mod trend;
pub mod verdict;
pub mod writing;
