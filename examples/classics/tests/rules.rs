//! What holds for the catalogue as a whole: nothing is without a source or a control, and nothing that passes is without power.

use std::collections::BTreeSet;

use contrapositive::budget::Budget;
use contrapositive::claim::{FamilyKind, Fixtures, Role};
use contrapositive::prelude::*;
use contrapositive::run::{Plan, Silent, WitnessStore, run};

fn is_misquotation(claim: &Claim) -> bool {
    claim.source.as_ref().is_some_and(|source| source.number == "a misquotation")
}

fn with_role(claim: &Claim, role: Role) -> usize {
    claim.checks().iter().filter(|check| check.role == role).count()
}

#[test]
fn ids_are_unique() {
    let claims = classics::claims();
    let ids: BTreeSet<&str> = claims.iter().map(|c| c.id).collect();
    assert_eq!(ids.len(), claims.len());
    assert!(ids.iter().all(|id| id.starts_with("classics.")));
}

#[test]
fn every_claim_is_complete() {
    for claim in classics::claims() {
        let id = claim.id;
        assert!(!claim.statement.is_empty() && claim.source.is_some(), "{id} has no statement or source");
        assert!(with_role(&claim, Role::Control) > 0, "{id} has no control");
        assert!(claim.families().iter().any(|(kind, _)| *kind == FamilyKind::Edge), "{id} has no named instances");
        assert!(claim.families().iter().any(|(kind, _)| *kind == FamilyKind::Random), "{id} draws no instances");
    }
}

#[test]
fn misquotations_fail_with_an_amendment_and_the_others_do_not() {
    for claim in classics::claims() {
        let (id, expected) = (claim.id, claim.expected().verdict);
        if is_misquotation(&claim) {
            assert_eq!(expected, Verdict::Fails, "{id}");
            assert!(with_role(&claim, Role::Amendment) > 0, "{id} has no amendment");
        } else {
            assert_eq!(expected, Verdict::Holds, "{id}");
        }
    }
}

#[test]
fn nothing_passes_without_power() {
    let claims = classics::claims();
    let all: Vec<&Claim> = claims.iter().collect();
    let plan = Plan { seed: 1, budget: Budget::Quick };
    let done = run(&all, plan, &Fixtures::at("fixtures"), &WitnessStore::default(), &Silent);
    let mut faults = Vec::new();
    for claim in &done.claims {
        faults.extend(claim.unmissed.iter().map(|name| format!("{}: no instance misses \"{name}\"", claim.id)));
        for check in &claim.checks {
            faults.extend(check.weaknesses.iter().map(|why| format!("{} {}: {why}", claim.id, check.id)));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
