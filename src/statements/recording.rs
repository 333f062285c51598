//! A refutation with the operations that lead to its sides, for whoever writes it down for others to check.

use enclosures::formula::{Formula, recorded};
use evidence::claim::Comparison;

use crate::attempt::{Refutation, TryError};
use crate::formulas::term::Chain;
use crate::instances::assignment::Assignment;
use crate::instances::compare::relations;
use crate::instances::statement::Statement;

/// The most operations that are recorded.
const STEPS: usize = 1 << 16;

/// A refutation, with how its sides and those of its conditions were computed.
#[derive(Debug)]
pub struct Recording {
    /// The relations of the conditions, each with the text of its condition; all hold.
    pub conditions: Vec<(String, Comparison)>,
    /// The equations that the instance solves: a solution lies within its bounds, and is not computed.
    pub solved: Vec<String>,
    /// The relations of the statement; one of them fails.
    pub stated: Vec<Comparison>,
    /// The operations on enclosures.
    pub formula: Formula,
}

/// Computes a refutation once more, in doubles alone.
///
/// # Errors
/// Its statement cannot be read, its instance is none, or a side is not defined there.
pub fn recording(refutation: &Refutation) -> Result<Recording, TryError> {
    let statement = Statement::read(&refutation.texts)?;
    let no_instance = |error: serde_json::Error| TryError::Instance(error.to_string());
    let at: Assignment = serde_json::from_value(refutation.instance.clone()).map_err(no_instance)?;
    let is_solved = |condition: &Chain| at.declarations.asks_for(condition) && at.located().is_some();
    let solved = statement.conditions.iter().filter(|c| is_solved(c)).map(|c| c.text.clone()).collect();
    let (found, formula) = recorded(STEPS, || {
        let mut conditions = Vec::new();
        for condition in statement.conditions.iter().filter(|condition| !is_solved(condition)) {
            let each = relations(condition, &at)?;
            conditions.extend(each.into_iter().map(|relation| (condition.text.clone(), relation)));
        }
        Ok::<_, String>((conditions, relations(&statement.chain, &at)?))
    });
    let (conditions, stated) = found.map_err(TryError::Evaluation)?;
    Ok(Recording { conditions, solved, stated, formula })
}
