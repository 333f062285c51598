//! Executable claims of contrastive-learning theory: the front door.
//!
//! A theorem is a promise about every instance of its hypotheses. This library takes such promises at their word: a
//! [`claim::Claim`] states one, names families of instances, and encloses both sides of it on each; the [`judge`] says what
//! the margin between them shows; a [`verdict`] is a pure function of the recorded trials.
//!
//! What stands here is re-exported from the packages that hold it, lowest first: `enclosures` (numbers), `evidence` (the engine) and, behind
//! features of their names, `contrastive` (latent classes, losses, networks, data), `linear-ssl` and `two-view` (the objects of single
//! papers), `estimators`, `pages` (reports for people), and `cli`, the command line of any catalogue: `contrapositive::cli::main(claims())`.
//!
//! # From nothing to a refuted lemma
//!
//! ```
//! use contrapositive::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! /// What the lemma quantifies over: description, edges, draws, shrinking and the coordinates of the search follow from the range.
//! #[derive(Clone, Debug, Serialize, Deserialize, Instance)]
//! struct Logit {
//!     #[instance(range = "-700..=700")]
//!     a: f64,
//! }
//!
//! let bound = |x: &Logit| Enclosure::ln_2() + exact(x.a) / 2.0;
//! let claim = Claim::new("mine.lemma-7", "softplus against its tangent", Kind::Inequality)
//!     .statement("log(1 + e^a) ≤ log 2 + a/2 for all real a")
//!     .setting(
//!         Setting::of()
//!             .given("a a double between -700 and 700")
//!             .family(random("drawn", any::<Logit>))
//!             .part("printed", "log(1 + e^a) ≤ log 2 + a/2", fails("softplus is convex"), move |x, ()| {
//!                 at_most(exact(x.a).softplus(), bound(x))
//!             })
//!             .amendment("corrected", "log(1 + e^a) ≥ log 2 + a/2", holds(), move |x, ()| {
//!                 at_least(exact(x.a).softplus(), bound(x))
//!             }),
//!     );
//! let tried = claim.tried();
//! assert_eq!(tried.verdict(), Verdict::Fails);
//! println!("{tried}"); // each check with its verdict, and the smallest instance found that refutes the first: a whole number
//! let witness = tried.checks[0].witness.as_ref().expect("a refuted part has a witness");
//! assert!(witness.description.starts_with("a = "));
//! ```
//!
//! In a test, [`assert_claim!`] tries a claim and holds it to the rules of a catalogue; [`catalogue!`] makes a table of contents of many.
//! What a check answers with is a [`claim::Evaluation`]: both sides as [`enclosure::Enclosure`]s, never a truth value. Growth along a
//! size is judged by a [`trend::Trend`], a whole domain at once by a [`proof::Proof`]. The repository's `CONTRIBUTING.md` goes through
//! these steps with a checklist, its `examples` through probabilities, growth and proofs.

pub use enclosures::{
    enclosure, initial_value, interval, kernels, linear_algebra, piecewise_linear, probability, proof, stream, vectors,
    work,
};
pub use evidence::{
    assert_claim, budget, catalogue, claim, headline, instance, judge, prelude, report, rules, run, sweep, testing,
    trend, verdict, writing,
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
