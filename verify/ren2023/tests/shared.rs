//! The unit tests of what the claims share. These files are compiled here once more, and the claims are not.

#![allow(dead_code, reason = "the claims use the rest")]

#[path = "../shared/mod.rs"]
mod shared;
