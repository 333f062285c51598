//! What several claims quantify over: laws with finitely many outcomes, pairs of them, bounded variables,
//! counts of successes.

mod bounded_variable;
mod pair_of_laws;
mod successes;
mod weights;

pub use bounded_variable::BoundedVariable;
pub use pair_of_laws::{PairOfLaws, divergence};
pub use successes::Successes;
pub use weights::{refused, shares};
