//! What the catalogue says of the claims that try the bounds.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::catalogue;

/// Headlines of claims and verdicts of checks, as every run of the catalogue finds them.
pub struct Ledger {
    claims: BTreeMap<&'static str, Entry>,
}

struct Entry {
    title: &'static str,
    headline: String,
    checks: BTreeMap<&'static str, String>,
}

impl Ledger {
    /// From the declarations of the catalogue: a run in which one of them comes out otherwise fails.
    pub fn of_catalogue() -> Self {
        let claims = catalogue::claims();
        let entry = |claim: &evidence::claim::Claim| Entry {
            title: claim.title(),
            headline: claim.expected().verdict.to_string(),
            checks: claim
                .checks()
                .into_iter()
                .map(|check| (check.id, check.expectation.verdict.to_string()))
                .collect(),
        };
        Ledger {
            claims: claims.iter().map(|claim| (claim.id(), entry(claim))).collect(),
        }
    }

    /// The verdict on a check and the headline of its claim; "not in the catalogue" for what is not there.
    pub fn standing(&self, claim: &str, id: &str) -> String {
        let unknown = "not in the catalogue";
        let Some(entry) = self.claims.get(claim) else {
            return unknown.into();
        };
        let check = id.strip_prefix(claim).and_then(|rest| rest.strip_prefix('.'));
        let verdict = check
            .and_then(|check| entry.checks.get(check))
            .map_or(unknown, String::as_str);
        format!("{verdict}; headline of the claim: {}", entry.headline)
    }

    /// The entries of some claims, by id.
    pub fn claims(&self, ids: impl Iterator<Item = &'static str>) -> Value {
        let one = |id: &'static str| {
            let entry = self.claims.get(id)?;
            let value = json!({"title": entry.title, "headline": entry.headline, "checks": entry.checks});
            Some((id.to_owned(), value))
        };
        Value::Object(ids.filter_map(one).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use estimators::bounds::BOUNDS;

    #[test]
    fn every_bound_is_tried_by_a_check_that_is_expected_to_hold() {
        let ledger = Ledger::of_catalogue();
        for bound in BOUNDS {
            let standing = ledger.standing(bound.claim, &bound.id());
            assert!(standing.starts_with("holds; headline"), "{}: {standing}", bound.id());
        }
        assert_eq!(
            ledger.standing("merad2020.no-such", "merad2020.no-such.a"),
            "not in the catalogue"
        );
    }
}
