//! What a run says at its end: counts, and a line for everything that needs a look.

use enclosures::enclosure::Grade;
use evidence::headline::COUNTED;
use evidence::run::{ClaimResult, Run, WitnessStore};
use evidence::verdict::Verdict;

use super::unexpected::unexpected;
use crate::terminal::console::tell;

/// What a stored witness says that is no longer so, for whoever keeps the file.
fn stale(claim: &ClaimResult, witnesses: &WitnessStore) {
    for check in &claim.checks {
        let Some(stored) = witnesses.get(claim.id, check.id) else {
            continue;
        };
        let file = stored.file_name();
        if stored.statement != check.statement {
            tell!("stale: witness {file} states {:?}", stored.statement);
        }
        let shown = check.witness.as_ref().filter(|w| w.instance == stored.instance);
        if shown.is_some_and(|w| !w.sides.agrees_with(&stored.sides)) && is_enclosed(check.grade_without_theorems) {
            tell!(
                "stale: witness {file} has stored sides that its instance does not have; --save-witnesses updates it"
            );
        }
    }
}

/// Whether sides of this grade are the same in every run.
fn is_enclosed(grade: Option<Grade>) -> bool {
    matches!(grade, Some(Grade::Exact | Grade::Proved))
}

/// How many claims ran.
pub fn number_of_claims(run: &Run) -> String {
    match run.claims.len() {
        1 => "1 claim".to_owned(),
        n => format!("{n} claims"),
    }
}

/// Counts, and a line for everything that needs a look.
pub fn summary(run: &Run, witnesses: &WitnessStore) {
    let count = |verdict: Verdict| run.claims.iter().filter(|c| c.verdict() == verdict).count();
    let counts = COUNTED.map(|(verdict, words)| format!("{} {words}", count(verdict)));
    tell!("{}: {}", number_of_claims(run), counts.join(", "));
    for claim in &run.claims {
        stale(claim, witnesses);
        for wrong in unexpected(claim) {
            tell!("{wrong}");
        }
    }
}
