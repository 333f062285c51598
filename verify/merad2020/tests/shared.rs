//! The unit tests of what the claims share, and of some parts of single claims. These files are compiled here once more, and the claims are not.

#![allow(dead_code, reason = "the claims use the rest")]

#[path = "../chain_rule.rs"]
mod chain_rule;
#[path = "../shared/mod.rs"]
mod shared;
