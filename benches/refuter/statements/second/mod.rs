//! A second list, written after the search had been tuned on the first and measured before anything was changed for it: at the standard
//! budget 394 of 425 runs refuted (five seeds each, 76 of 85 statements from every seed), no true twin. It is frozen too: a statement may
//! be added, none is changed or taken away because a search finds it or does not.

mod discrete;
mod ends;
mod landscapes;
mod structured;

use crate::statement::Statement;

/// Every statement of the list, by class.
pub fn all() -> Vec<Statement> {
    let lists = [landscapes::all(), ends::all(), discrete::all(), structured::all()];
    let mut statements: Vec<Statement> = lists.into_iter().flatten().collect();
    statements.sort_by_key(|s| s.class);
    statements
}
