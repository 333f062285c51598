//! Witnesses: instances that refute a check, stored as values in JSON and re-judged from their digits.
//!
//! Lowest first: `strict_json`, `sides`, `file`, `store`.

mod file;
mod sides;
mod store;
mod strict_json;

pub use file::{Convincing, LONGEST, SCHEMA, Witness, WitnessError};
pub use sides::Sides;
pub use store::WitnessStore;
