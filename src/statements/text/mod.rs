//! From typed text to a tree. Nothing is known here of variables or values: what cannot be read is a fault, which says where, what stood
//! there and what was expected.
//!
//! Lowest first: [`words`] (the words of the language), [`syntax`] (the tree), [`fault`] (what can be wrong with a text), `grammar` (the
//! parser that is made of `grammar.pest`), [`parse`] (from text to tree).

pub mod fault;
mod grammar;
pub mod parse;
pub mod syntax;
pub mod words;
