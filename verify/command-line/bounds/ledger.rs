//! What the catalogue says of the claims that try the bounds.

use std::collections::BTreeMap;

use estimators::bounds::BOUNDS;
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
            title: claim.title,
            headline: claim.expected().verdict.to_string(),
            checks: claim.checks().into_iter().map(|check| (check.id, check.expectation.verdict.to_string())).collect(),
        };
        Ledger { claims: claims.iter().map(|claim| (claim.id, entry(claim))).collect() }
    }

    /// The verdict on a check and the headline of its claim, each with its grade; "not in the catalogue" for what is not there.
    pub fn standing(&self, claim: &str, id: &str) -> String {
        let unknown = "not in the catalogue";
        let Some(entry) = self.claims.get(claim) else {
            return unknown.into();
        };
        let check = id.strip_prefix(claim).and_then(|rest| rest.strip_prefix('.'));
        let verdict = check.and_then(|check| entry.checks.get(check)).map_or(unknown, String::as_str);
        let grade = grade(claim);
        format!("{verdict}{grade}; headline: {}{grade}", entry.headline)
    }

    /// The entries of some claims, by id.
    pub fn claims(&self, ids: impl Iterator<Item = &'static str>) -> Value {
        let one = |id: &'static str| {
            let entry = self.claims.get(id)?;
            let value = json!({"title": entry.title, "headline": entry.headline, "grade": recorded(id), "checks": entry.checks});
            Some((id.to_owned(), value))
        };
        Value::Object(ids.filter_map(one).collect())
    }
}

/// The grade of a claim behind a bound, in the recorded run.
fn recorded(claim: &str) -> Option<&'static str> {
    BOUNDS.iter().find(|bound| bound.claim == claim).map(|bound| bound.grade)
}

/// The same behind a comma.
fn grade(claim: &str) -> String {
    recorded(claim).map_or_else(String::new, |grade| format!(", {grade}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_bound_is_tried_by_a_check_that_is_expected_to_hold() {
        let ledger = Ledger::of_catalogue();
        for bound in BOUNDS {
            let standing = ledger.standing(bound.claim, &bound.id());
            assert!(standing.starts_with("holds, exact; headline"), "{}: {standing}", bound.id());
        }
        assert_eq!(ledger.standing("merad2020.no-such", "merad2020.no-such.a"), "not in the catalogue");
    }

    #[test]
    fn grades_are_those_of_the_recorded_run() {
        for bound in BOUNDS {
            let (paper, number) = bound.claim.split_once('.').expect("a paper and a number");
            let page = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../{paper}/{number}.md"));
            let page = std::fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
            let lines: Vec<&str> = page.lines().collect();
            let head = lines.iter().find(|line| line.contains(&format!("`{}`", bound.claim)));
            let grade = bound.grade;
            // The grade of the instances, beyond which a theorem may go.
            let graded =
                |line: &str| [format!(" · {grade} · "), " · checked · ".to_owned()].iter().any(|g| line.contains(g));
            assert!(head.is_some_and(|line| graded(line)), "{}: {head:?}", bound.claim);
            // The check's own verdict stands below its line.
            let passes = |at: usize| {
                let verdict = lines[at..].iter().take(6).find(|line| line.trim_start().starts_with("PASS"));
                verdict.is_some_and(|line| {
                    [format!("PASS, {grade}"), "PASS, checked".to_owned()].iter().any(|told| line.contains(told))
                })
            };
            let start = format!("- **{}**", bound.check);
            let found = (0..lines.len()).any(|at| lines[at].starts_with(&start) && passes(at));
            assert!(found, "{} is not recorded as {grade}", bound.id());
        }
    }
}
