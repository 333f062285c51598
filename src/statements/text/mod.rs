//! From typed text to a tree. Nothing is known here of variables or values: what cannot be read is a fault, which says where, what stood
//! there and what was expected.
//!
//! Lowest first: [`words`] (the words of the language), [`syntax`] (the tree), [`fault`] (what can be wrong with a text), `expected` (what could have
//! stood where it cannot be read on), `scan` (signs, names and numbers), `literal` (the value of a number), `expression`, `assertion` and
//! `declaration` (the grammar), [`parse`] (from text to tree), `logic` (comparisons in place of alternatives and implications).

mod assertion;
mod declaration;
mod expected;
mod expression;
pub mod fault;
pub(crate) mod literal;
pub(crate) mod logic;
pub mod parse;
mod scan;
pub mod syntax;
pub mod words;
