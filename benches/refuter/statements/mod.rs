//! The list, frozen: a statement may be added, none is changed or taken away because a search finds it or does not.

mod discrete;
mod drafts;
mod ends;
mod landscapes;
mod matrices;
mod sampled;
pub mod second;
mod structured;
pub mod third;

use super::statement::Statement;

/// Every statement of the benchmark, by class.
pub fn all() -> Vec<Statement> {
    let lists = [landscapes::all(), ends::all(), discrete::all(), structured::all(), sampled::all()];
    let mut statements: Vec<Statement> = lists.into_iter().flatten().collect();
    statements.sort_by_key(|s| s.class);
    statements
}
