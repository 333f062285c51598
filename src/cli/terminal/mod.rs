//! What a command says and hears while it works.
//!
//! Lowest first: `standard_output` (streams that were closed), `console` (lines of the answer and about the work),
//! `pipe` (named pipes among arguments), `patience` (a word for whoever waits), `page` (pages of the report),
//! `interruption` (signals), `estimate` (the time left), `progress`, `threads`.

pub mod console;
pub(crate) mod estimate;
pub mod interruption;
pub(crate) mod page;
pub mod patience;
pub(crate) mod pipe;
pub(crate) mod progress;
pub(crate) mod standard_output;
pub mod threads;
