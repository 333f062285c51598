//! The parser that pest makes of `grammar.pest`, which is its documentation.
#![allow(missing_docs, reason = "the rules are generated")]

use pest_derive::Parser;

#[derive(Parser)]
#[grammar = "text/grammar.pest"]
pub(crate) struct Grammar;
