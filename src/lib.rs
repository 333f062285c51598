//! Executable claims of contrastive-learning theory: the front door.
//!
//! A theorem is a promise about every instance of its hypotheses. This library takes such promises at their word: a
//! [`claim::Claim`] states one, names families of instances, and encloses both sides of it on each; the [`judge`] says what
//! the margin between them shows; a [`verdict`] is a pure function of the recorded trials.
//!
//! What stands here is re-exported from the packages that hold it, lowest first: `enclosures` (numbers), `evidence` (the engine) and, behind
//! features of their names, `contrastive` (latent classes, losses, networks, data), `linear-ssl` and `two-view` (the objects of single
//! papers), `estimators`, `pages` (reports for people), and `cli`, the command line of any catalogue: `contrapositive::cli::main(claims())`.

pub use enclosures::{
    enclosure, initial_value, interval, kernels, linear_algebra, piecewise_linear, probability, proof, stream, work,
};
pub use evidence::{
    assert_claim, budget, catalogue, catalogue_tests, claim, comparison, family_kind, headline, instance, judge,
    prelude, report, rules, run, sweep, testing, trend, verdict, writing,
};

#[cfg(feature = "cli")]
pub use cli;
#[cfg(feature = "contrastive")]
pub use contrastive;
#[cfg(feature = "estimators")]
pub use estimators;
#[cfg(feature = "linear-ssl")]
pub use linear_ssl;
#[cfg(feature = "pages")]
pub use pages;
#[cfg(feature = "two-view")]
pub use two_view;

/// The example in the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
