//! What a run says at its end: counts, and a line for everything that needs a look.

use enclosures::enclosure::Grade;
use evidence::run::{ClaimResult, Run, WitnessStore};
use evidence::verdict::Verdict;

use super::console::tell;

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
        if shown.is_some_and(|w| !w.sides.agrees_with(&stored.sides)) && is_enclosed(check.grade) {
            tell!("stale: witness {file} has sides that are not those of its instance; --save-witnesses renews it");
        }
    }
}

/// Whether sides of this grade are the same in every run.
fn is_enclosed(grade: Option<Grade>) -> bool {
    matches!(grade, Some(Grade::Exact | Grade::Proved))
}

/// Counts, and a line for everything that needs a look.
pub fn summary(run: &Run, witnesses: &WitnessStore) {
    let count = |verdict: Verdict| run.claims.iter().filter(|c| c.verdict() == verdict).count();
    tell!(
        "{} claims: {} hold, {} consistent, {} mixed, {} fail as printed, {} undecided, {} inconclusive, {} vacuous",
        run.claims.len(),
        count(Verdict::Holds),
        count(Verdict::Consistent),
        count(Verdict::Mixed),
        count(Verdict::Fails),
        count(Verdict::Undecided),
        count(Verdict::Inconclusive),
        count(Verdict::Vacuous),
    );
    for claim in &run.claims {
        stale(claim, witnesses);
        for (id, reason) in claim.missing_series() {
            tell!("missing: {} {id} could not be computed: {reason}", claim.id);
        }
        for check in claim.regressions() {
            let expected = check.expectation.verdict;
            if check.verdict != expected {
                tell!(
                    "changed: {} {} is {}, expected {expected}",
                    claim.id,
                    check.id,
                    check.verdict
                );
            }
            for proof in check.proofs.iter().filter(|p| !p.as_expected()) {
                let told = proof
                    .contradiction
                    .clone()
                    .unwrap_or_else(|| proof.conclusion.to_string());
                tell!(
                    "changed: {} {} is not proved for {}: {told}",
                    claim.id,
                    check.id,
                    proof.info.domain
                );
                for (control, conclusion) in proof.controls.iter().filter(|(_, c)| !c.is_refuted()) {
                    tell!("  its control survives ({control}): {conclusion}");
                }
            }
            if let Some(trouble) = &check.trouble {
                tell!("  {trouble}");
            }
            if let Some(witness) = &check.witness {
                tell!("  refuted by {}", witness.description);
            }
            if let Some(doubt) = &check.doubtful {
                let c = &doubt.comparison;
                tell!("  in doubt on {}: {} {} {}", doubt.instance, c.lhs, c.relation, c.rhs);
            }
        }
        for control in claim.survivors() {
            tell!(
                "survived: control {} of {}: {}",
                control.id,
                claim.id,
                control.statement
            );
        }
    }
}
