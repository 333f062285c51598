//! Identities in exact arithmetic: each restates a check that is expected to hold, is settled, and is told apart from its false variant.

use std::collections::BTreeSet;

use contrapositive_command_line::catalogue;
use contrapositive_command_line::identities::IDENTITIES;
use evidence::claim::{Kind, Role};
use evidence::verdict::Verdict;
use statements::{Open, TryError};

#[test]
fn every_restated_identity_is_settled_and_its_false_variant_is_not() {
    for identity in IDENTITIES.iter() {
        let name = format!("{}.{}", identity.claim, identity.check);
        if let Err(error) = identity.found() {
            panic!("{name}: {}: {error}", identity.statement);
        }
        match identity.found_of_wrong() {
            Err(TryError::Open(Open::Residual(_))) => {}
            other => panic!("{name}: {}: {other:?}", identity.wrong),
        }
    }
}

#[test]
fn what_is_restated_is_a_check_that_is_expected_to_hold() {
    let claims = catalogue::claims();
    let mut seen = BTreeSet::new();
    for identity in IDENTITIES.iter() {
        let claim = claims.iter().find(|c| c.id() == identity.claim);
        let claim = claim.unwrap_or_else(|| panic!("no claim {}", identity.claim));
        let check = claim.checks().into_iter().find(|c| c.id == identity.check);
        let check = check.unwrap_or_else(|| panic!("no check {}.{}", identity.claim, identity.check));
        assert!(
            check.role != Role::Control && check.expectation.verdict != Verdict::Fails,
            "{}.{} is not expected to hold",
            identity.claim,
            identity.check
        );
        assert!(
            seen.insert((&identity.claim, &identity.statement)),
            "{} twice",
            identity.claim
        );
    }
}

#[test]
fn every_identity_of_the_catalogue_is_restated() {
    let restated: BTreeSet<&str> = IDENTITIES.iter().map(|i| i.claim.as_str()).collect();
    let claims = catalogue::claims();
    let identities = claims.iter().filter(|c| c.kind() == Kind::Identity).map(|c| c.id());
    let left: Vec<&str> = identities.filter(|id| !restated.contains(id)).collect();
    assert!(left.is_empty(), "{left:?}");
}
