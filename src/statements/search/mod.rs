//! How an instance that violates a statement is looked for: by a quick look in floating point, and by the engine, for which the statement
//! becomes a claim. Nothing here is evidence but what the engine judges.
//!
//! Lowest first: `interned` (labels), `families` (random instances, as the engine takes them), `meeting` (instances that meet rare conditions),
//! `screen` (the quick look), `lengthened` (long vectors with few different entries), `wholes` (a look at all whole numbers of bounded ranges),
//! `translate` (the claim), `rearranged` (the same inequality as a quotient), `sharpen` (how far its constants could move, for all that was tried).

pub(crate) mod families;
pub(crate) mod interned;
pub(crate) mod lengthened;
mod meeting;
pub(crate) mod rearranged;
pub(crate) mod screen;
pub(crate) mod sharpen;
pub(crate) mod translate;
pub(crate) mod wholes;
