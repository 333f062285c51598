//! Executable claims of contrastive-learning theory.
//!
//! A theorem is a promise about every instance of its hypotheses. This library takes such promises at their word: a
//! [`claim::Claim`] states one, names families of instances, and encloses both sides of it on each; the [`judge`] says what
//! the margin between them shows; a [`verdict`] is a pure function of the recorded trials.
//!
//! Floors, lowest first; nothing imports upwards:
//! - numbers: [`interval`], [`proof`], [`enclosure`], [`kernels`], [`linear_algebra`], [`probability`], [`initial_value`],
//!   [`stream`], [`instance`], [`writing`];
//! - mathematical objects: [`contrastive`], [`estimators`], [`network`], [`data`], [`flow`], [`self_supervised`], [`multimodal`],
//!   [`piecewise_linear`];
//! - evidence: [`comparison`], [`judge`], [`family_kind`], [`verdict`], [`headline`], [`trend`], [`budget`], [`claim`], [`run`], [`report`].

pub mod budget;
pub mod claim;
pub mod comparison;
pub mod contrastive;
pub mod data;
pub mod enclosure;
pub mod estimators;
pub mod family_kind;
pub mod flow;
pub mod headline;
pub mod initial_value;
pub mod instance;
pub mod interval;
pub mod judge;
pub mod kernels;
pub mod linear_algebra;
pub mod multimodal;
pub mod network;
pub mod piecewise_linear;
pub mod probability;
pub mod proof;
pub mod report;
pub mod run;
pub mod self_supervised;
pub mod stream;
pub mod trend;
pub mod verdict;
pub mod writing;

/// The example in the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
