//! What a run found that its catalogue does not expect, in words: for the terminal, for JUnit and for the summary of a CI step.

use std::fmt;

use evidence::run::{CheckResult, ClaimResult};

/// What is not as expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The claim has neither a part nor a sense, so that its headline says nothing.
    Vacuous,
    /// A series could not be computed.
    Missing,
    /// A check came out otherwise, or a proof did.
    Changed,
    /// A control was not refuted.
    Survived,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Vacuous => "vacuous",
            Kind::Missing => "missing",
            Kind::Changed => "changed",
            Kind::Survived => "survived",
        })
    }
}

/// One check, control or series that is not as expected.
#[derive(Clone, Debug)]
pub struct Unexpected {
    /// What is wrong with it.
    pub kind: Kind,
    /// Its claim.
    pub claim: &'static str,
    /// Its id within the claim.
    pub id: String,
    /// What is wrong, a predicate for each.
    pub predicates: Vec<String>,
    /// What a reader may want to know besides: the instance that refutes it, the message of a trial.
    pub details: Vec<String>,
}

impl fmt::Display for Unexpected {
    /// A line for each predicate, then the details, indented.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.kind {
            Kind::Survived => format!("control {} of {}", self.id, self.claim),
            Kind::Vacuous | Kind::Missing | Kind::Changed => format!("{} {}", self.claim, self.id),
        };
        let lines = self.predicates.iter().map(|p| format!("{}: {name} {p}", self.kind));
        let details = self.details.iter().map(|d| format!("  {d}"));
        f.write_str(&lines.chain(details).collect::<Vec<_>>().join("\n"))
    }
}

/// Everything about a claim that is not as expected: the headline and series first, then checks, then controls.
#[must_use]
pub fn unexpected(claim: &ClaimResult) -> Vec<Unexpected> {
    let of = |kind, id: &str, predicates, details| Unexpected {
        kind,
        claim: claim.id,
        id: id.to_owned(),
        predicates,
        details,
    };
    let series = claim.missing_series();
    let series =
        series.map(|(id, reason)| of(Kind::Missing, id, vec![format!("could not be computed: {reason}")], vec![]));
    let nothing = "says nothing: the claim has neither a part nor a sense".to_owned();
    let headline = claim.is_bare().then(|| of(Kind::Vacuous, "headline", vec![nothing], vec![]));
    let checks = claim.regressions().map(|check| {
        let (predicates, details) = regression(check);
        of(Kind::Changed, check.id, predicates, details)
    });
    let controls = claim.survivors().map(|control| {
        let told = format!("is {}: {}", control.verdict, control.statement);
        of(Kind::Survived, control.id, vec![told], trouble(control))
    });
    headline.into_iter().chain(series).chain(checks).chain(controls).collect()
}

fn regression(check: &CheckResult) -> (Vec<String>, Vec<String>) {
    let (mut predicates, mut details) = (Vec::new(), Vec::new());
    let expected = check.expectation.verdict;
    if check.verdict != expected {
        predicates.push(format!("is {}, expected {expected}", check.verdict));
    }
    for reason in &check.undeclared {
        predicates.push(format!("skips an instance for an undeclared reason: {reason}"));
    }
    for proof in check.proofs.iter().filter(|p| !p.succeeded()) {
        let conclusion = proof.conclusion.to_string();
        let told = proof.contradiction.as_ref().unwrap_or(&conclusion);
        predicates.push(format!("is not proved for {}: {told}", proof.info.domain));
        for (control, conclusion) in proof.controls.iter().filter(|(_, c)| !c.is_refuted()) {
            details.push(format!("its control survives ({control}): {conclusion}"));
        }
    }
    for cited in check.contradicted() {
        predicates.push(format!("is {}, and the theorem {} contradicts that", check.verdict, cited.name));
    }
    details.extend(trouble(check));
    if let Some(witness) = &check.witness {
        details.push(format!("refuted by {}", witness.description));
    }
    if let Some(doubt) = &check.doubtful {
        let c = &doubt.comparison;
        details.push(format!("undecided on {}: {} {} {}", doubt.instance, c.lhs, c.relation, c.rhs));
    }
    (predicates, details)
}

fn trouble(check: &CheckResult) -> Vec<String> {
    check.trouble.iter().cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use evidence::budget::Budget;
    use evidence::claim::{Claim, Fixtures, Kind};
    use evidence::run::{Plan, Silent, WitnessStore, run};

    #[test]
    fn a_claim_with_neither_a_part_nor_a_sense_is_told() {
        let bare = Claim::new("staged.claim", "staged", Kind::Inequality);
        let plan = Plan { seed: 0, budget: Budget::Quick };
        let run = run(&[&bare], plan, &Fixtures::at("none"), &WitnessStore::default(), &Silent);
        assert!(!run.claims[0].as_expected());
        let told: Vec<String> = unexpected(&run.claims[0]).iter().map(Unexpected::to_string).collect();
        assert_eq!(told, ["vacuous: staged.claim headline says nothing: the claim has neither a part nor a sense"]);
    }
}
