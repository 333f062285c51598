//! A third list, of instances no number of which can move alone: permutations, signs, orthonormal rows, laws with places. It was written and
//! measured before the search had any move for them. Frozen as well: a statement may be added, none is changed or taken away because a
//! search finds it or does not.

mod choices;
mod frames;
mod orders;

use crate::statement::Statement;

/// Every statement of the list, by class.
pub fn all() -> Vec<Statement> {
    let lists = [orders::all(), choices::all(), frames::all()];
    let mut statements: Vec<Statement> = lists.into_iter().flatten().collect();
    statements.sort_by_key(|s| s.class);
    statements
}
