//! Inequalities typed as text: parsed, checked, and then refuted, proved or left standing.
//!
//! ```
//! use contrapositive_statements::{Options, Outcome, Texts, attempt};
//! let found = attempt(&Texts::of("log(1 + exp(a)) <= log 2 + a/2"), Options::default())?;
//! let Outcome::Refuted { refutation, .. } = found.outcome else { panic!("it is false") };
//! assert!(refutation.description.starts_with("a = "));
//! # Ok::<(), contrapositive_statements::TryError>(())
//! ```
//!
//! From text to evidence: [`parse`] reads the grammar into a [`syntax`] tree; the scope resolves names and checks kinds, giving a
//! [`statement`] of [`term`]s; [`evaluate`] computes terms on any [`number`]; an [`assignment`] of the variables is the instance; the
//! statement becomes a claim of the engine.

pub mod assignment;
mod attempt;
mod case;
pub mod catalogue;
mod charted;
mod compare;
pub mod domain;
mod draw;
pub mod evaluate;
mod families;
pub mod fault;
mod grammar;
mod identity;
mod instance;
mod jet;
mod kept;
mod located;
mod meeting;
pub mod number;
mod over;
pub mod parse;
mod plainer;
mod power;
mod precise;
mod projected;
mod prove;
mod rearranged;
mod recorded;
mod scope;
mod screen;
mod sharpen;
mod show;
pub mod statement;
pub mod syntax;
mod system;
pub mod term;
mod touching;
mod translate;
pub mod words;

pub use attempt::{Attempt, Options, Outcome, Refutation, TryError, attempt, is_violated, replay, settled};
pub use case::Open;
pub use compare::{BEYOND, DOUBTFUL};
pub use identity::Identity;
pub use kept::kept;
pub use over::{Over, Test, Written};
pub use power::{Change, Neighbour, Power, power};
pub use prove::{Method, Proved, Settled};
pub use sharpen::{Constant, Room};
pub use statement::{Statement, Texts};
pub use translate::{STATED, claim};
