//! What several claims quantify over: laws with finitely many outcomes, and pairs of them.

mod pair_of_laws;
mod weights;

pub use pair_of_laws::{PairOfLaws, divergence};
pub use weights::{refused, shares};
