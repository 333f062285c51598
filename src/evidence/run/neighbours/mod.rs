//! Statements beside the declared ones: made stronger, without a hypothesis, of instances that are equivalent. They tell how much a claim can
//! see.
//!
//! Lowest first: `equivalents`, `fate` (of a comparison's mutants), `mutants` (of a catalogue), `testable` (whether one claim is).

mod equivalents;
mod fate;
mod mutants;
mod testable;

pub use equivalents::{Equivalence, Moved, equivalence};
pub use fate::Fate;
pub use mutants::{CheckMutants, mutate};
pub use testable::{Strength, strength};
