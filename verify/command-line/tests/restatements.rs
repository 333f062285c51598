//! Checks restated as typed statements: each is one that is expected to hold, is settled, and is told apart from its false variant.

use std::collections::BTreeSet;

use contrapositive_command_line::catalogue;
use contrapositive_command_line::restatements::{RESTATEMENTS, Restated};
use evidence::budget::Budget;
use evidence::claim::{Kind, Role};
use evidence::verdict::Verdict;
use statements::{AttemptOutcome, Open, Options, Settled, TryError, attempt, settled};

fn settles(restated: &Restated) -> Settled {
    let Restated { claim, check, .. } = restated;
    restated.found().unwrap_or_else(|e| panic!("{claim}.{check}: {e}"))
}

#[test]
fn every_restated_identity_is_settled_and_its_false_variant_is_not() {
    for identity in &RESTATEMENTS.identities {
        assert!(matches!(settles(identity), Settled::Identity(_)), "{identity:?}");
        match settled(&identity.false_texts(), 1) {
            Err(TryError::Open(Open::Residual(_))) => {}
            other => panic!("{}.{}: {}: {other:?}", identity.claim, identity.check, identity.wrong),
        }
    }
}

#[test]
fn every_restated_inequality_is_proved_and_its_false_variant_is_refuted() {
    let options = Options { budget: Budget::Quick, ..Options::default() };
    for inequality in &RESTATEMENTS.inequalities {
        assert!(matches!(settles(inequality), Settled::Boxes(_)), "{inequality:?}");
        match attempt(&inequality.false_texts(), options).map(|found| found.outcome) {
            Ok(AttemptOutcome::Refuted { .. }) => {}
            other => panic!("{}.{}: {}: {other:?}", inequality.claim, inequality.check, inequality.wrong),
        }
    }
}

#[test]
fn what_is_restated_is_a_check_that_is_expected_to_hold() {
    let claims = catalogue::claims();
    let mut seen = BTreeSet::new();
    for restated in RESTATEMENTS.all() {
        let name = format!("{}.{}", restated.claim, restated.check);
        let claim = claims.iter().find(|c| c.id == restated.claim);
        let checks = claim.map(|c| c.checks()).unwrap_or_default();
        let check = checks.iter().find(|c| c.id == restated.check);
        let check = check.unwrap_or_else(|| panic!("no check {name}"));
        assert!(
            check.role != Role::Control && check.expectation.verdict != Verdict::Fails,
            "{name} is not expected to hold"
        );
        assert!(seen.insert((&restated.claim, &restated.statement)), "{name} twice");
    }
}

#[test]
fn every_identity_of_the_catalogue_is_restated() {
    let restated: BTreeSet<&str> = RESTATEMENTS.identities.iter().map(|i| i.claim.as_str()).collect();
    let claims = catalogue::claims();
    let identities = claims.iter().filter(|c| c.kind == Kind::Identity).map(|c| c.id);
    let left: Vec<&str> = identities.filter(|id| !restated.contains(id)).collect();
    assert!(left.is_empty(), "{left:?}");
}
