//! The kinds of numbers that a formula is evaluated on. One trait holds what the language asks of a number, so that one evaluation serves
//! doubles, enclosures, 256 bits, traces and derivatives. The room stands below the formulas, since
//! its constants, π and e, stand in them.
//!
//! Lowest first: `expansion` (harmonic numbers and factorials of many terms) and [`number`] (the trait; doubles, enclosures, enclosures with slopes), `precise` (256 bits, for what doubles leave undecided), `exact`
//! (closed forms, for what is equal), `recorded` (enclosures with a trace, for the search), `jet` (derivatives, for proofs).

pub(crate) mod exact;
pub(crate) mod expansion;
pub(crate) mod jet;
pub mod number;
mod precise;
pub(crate) mod recorded;
