//! Inequalities typed as text: parsed, checked, and then refuted, proved or left standing.
//!
//! ```
//! use contrapositive_statements::{AttemptOutcome, Options, Texts, attempt};
//! let found = attempt(&Texts::of("log(1 + exp(a)) <= log 2 + a/2"), Options::default())?;
//! let AttemptOutcome::Refuted { refutation, .. } = found.outcome else { panic!("it is false") };
//! assert!(refutation.description.starts_with("a = "));
//! # Ok::<(), contrapositive_statements::TryError>(())
//! ```
//!
//! The way of a statement, from text to evidence, leads through six folders, each of which imports only those before it:
//!
//! 1. `text`: [`parse`] reads the grammar into a [`syntax`] tree, with the [`words`] of the language; what cannot be read is a [`Fault`].
//! 2. `numbers`: every kind of [`number`] that formulas are evaluated on.
//! 3. `formulas`: the scope resolves names and checks kinds, which makes terms over variables, each with its domain; `evaluate`
//!    computes them on any number.
//! 4. `instances`: an [`assignment`] of the variables is an instance, drawn, moved and compared; a [`Statement`] is read whole.
//! 5. `search`: the statement becomes a claim of the engine, and instances that violate it are looked for.
//! 6. `proof`: a statement that stands is proved, or it is said why not.
//!
//! Above these folders are the entry points: a claim whose checks are written in a program ([`Over`]), a file of statements ([`catalogue`]), one
//! statement ([`attempt()`]), and whether it is testable ([`power()`]).
//!
//! Lowest first: `text`, `numbers`, `formulas`, `instances`, `search`, `proof`, `over`, [`catalogue`], `attempt`, `show` (an attempt in words),
//! `recording` (a refutation with its operations), `power`.

mod attempt;
pub mod catalogue;
mod formulas;
mod instances;
mod numbers;
mod over;
mod power;
mod proof;
mod recording;
mod search;
mod show;
mod text;

pub use attempt::{Attempt, AttemptOutcome, Options, Refutation, TryError, attempt, is_violated, replay, settled};
pub use instances::assignment;
pub use instances::compare::{BEYOND, DOUBTFUL, Tie};
pub use instances::statement::{Statement, Texts, declarations};
pub use numbers::number;
pub use over::{Over, Test, Written};
pub use power::{Change, Neighbour, Power, power};
pub use proof::case::{Open, Tried};
pub use proof::identity::Identity;
pub use proof::prove::{BoxMethod, Proved, Settled};
pub use proof::reasoning::Reasoning;
pub use recording::{Recording, recording};
pub use search::interned::interned;
pub use search::sharpen::{MovableConstant, Room};
pub use search::translate::{STATED, claim};
pub use search::wholes::SearchExtent;
pub use text::fault::Fault;
pub use text::{parse, syntax, words};
