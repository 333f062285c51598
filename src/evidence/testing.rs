//! Claims as tests: one `#[test]` per claim, whose failure text holds the witness.

use std::fmt::Write;

use crate::budget::Budget;
use crate::claim::{Claim, Evaluation, Fixtures, Relation, Role};
use crate::judge::{Judgement, judge};
use crate::rules;
use crate::run::{CheckResult, Plan, Silent, WitnessStore, run};
use crate::verdict::Verdict;
use enclosures::enclosure::plain;

/// Runs a claim. Where all is as expected it says how sharp the test was: a line for each check that holds, with the least room that an
/// instance left it, and what makes the check weak.
///
/// # Errors
/// A text for the reader of a failed test: every check that came out otherwise, with the instance that refutes it in words and as the
/// JSON value that a witness file stores, and how to run it again; or every rule of a catalogue that is broken: all that a claim has to say,
/// every control refuted, every hypothesis missed by some instance.
pub fn examine(claim: &Claim, plan: Plan, fixtures: &Fixtures) -> Result<String, String> {
    let done = run(&[claim], plan, fixtures, &WitnessStore::default(), &Silent);
    let Some(result) = done.claims.first() else {
        return Ok(String::new());
    };
    if result.as_expected() {
        let faults = rules::faults(std::slice::from_ref(claim));
        let faults: Vec<String> = faults.into_iter().chain(rules::powerless(result)).collect();
        if !faults.is_empty() {
            let (id, title) = (claim.id, claim.title);
            return Err(format!(
                "{id} ({title}) comes out as expected, but shows less than a claim must\n  {}",
                faults.join("\n  ")
            ));
        }
        let sharp = result.checks.iter().filter(|c| c.role != Role::Control).filter_map(sharpness);
        return Ok(sharp.collect::<Vec<_>>().join("\n"));
    }
    let mut text = format!("{} ({}) is not as expected\n", claim.id, claim.title);
    let _ = writeln!(text, "  {}", claim.statement);
    if result.is_bare() {
        text.push_str("  it has neither a part nor a sense, so that its headline says nothing\n");
    }
    for check in result.checks.iter().filter(|c| !c.as_expected()) {
        told(&mut text, check);
    }
    for (series, reason) in result.missing_series() {
        let _ = writeln!(text, "  series {series} could not be computed: {reason}");
    }
    let _ = write!(
        text,
        "  again: seed {}, budget {}; the same seed and budget find the same instance",
        plan.seed, plan.budget
    );
    Err(text)
}

/// How near to violation a check came, and what is weak about it: how much a test that it passes says.
fn sharpness(check: &CheckResult) -> Option<String> {
    let room = check.tightest.as_ref().filter(|t| t.comparison.relation != Relation::Equal);
    let room = room.map(|tightest| {
        let left = tightest.comparison.relative_margin();
        let at = if tightest.description.is_empty() { &tightest.instance } else { &tightest.description };
        if left > 0.0 {
            format!("least room {} of its size, at {at}", plain(left, 2))
        } else {
            format!("no room: the sides agree at {at}")
        }
    });
    let found: Vec<String> =
        room.into_iter().chain(check.weaknesses.iter().map(|weakness| format!("weak: {weakness}"))).collect();
    (!found.is_empty()).then(|| format!("{} {}: {}", check.role, check.id, found.join("; ")))
}

fn told(text: &mut String, check: &CheckResult) {
    let _ = writeln!(
        text,
        "  {} {}: {} (expected {}): {}",
        check.role, check.id, check.verdict, check.expectation.verdict, check.statement
    );
    if let Some(witness) = &check.witness {
        let sides = &witness.sides;
        let _ = writeln!(
            text,
            "    refuted by {}: {:?} {} {:?} is asked for\n    instance {}",
            witness.description, sides.left, sides.relation, sides.right, witness.instance
        );
    }
    if check.expectation.verdict == Verdict::Fails && check.witness.is_none() {
        let _ = writeln!(
            text,
            "    nothing refuted it: name an instance that does (`edge`), or let a larger budget look for one \
             (`--budget standard --save-witnesses`)"
        );
    }
    if let Some(trouble) = &check.trouble {
        let _ = writeln!(text, "    trouble: {trouble}");
    }
    if let Some(doubt) = &check.doubtful {
        let c = &doubt.comparison;
        let _ = writeln!(text, "    in doubt: {} ({} {} {})", doubt.instance, c.lhs, c.relation, c.rhs);
    }
    for reason in &check.undeclared {
        let _ = writeln!(text, "    says nothing where {reason}, which it does not declare");
    }
    if let Some(sharpness) = sharpness(check) {
        let _ = writeln!(text, "    {sharpness}");
    }
    let tried = check.counts.tried();
    let _ = writeln!(text, "    {} of {tried} instances met the hypotheses", check.counts.met);
}

/// What the judge says of an evaluation.
///
/// # Panics
/// Nothing was compared.
#[must_use]
pub fn judged(evaluation: Evaluation) -> Judgement {
    match evaluation {
        Evaluation::Compared(comparison) => judge(&comparison),
        other => panic!("not a comparison: {other:?}"),
    }
}

/// The plan of a test: the first seed at the budget of seconds.
#[must_use]
pub fn plan() -> Plan {
    Plan { seed: 1, budget: Budget::Quick }
}

/// Fails the test unless the claim comes out as it expects: its parts, steps and amendments, every control refuted; and unless it keeps the
/// [rules](crate::rules) of a catalogue. A plan and a folder of fixtures may follow. A test that passes prints how sharp it was (shown by
/// `cargo test -- --show-output`).
#[macro_export]
macro_rules! assert_claim {
    ($claim:expr $(,)?) => {
        $crate::assert_claim!($claim, $crate::testing::plan(), "fixtures")
    };
    ($claim:expr, $plan:expr, $fixtures:expr $(,)?) => {
        match $crate::testing::examine(&$claim, $plan, &$crate::claim::Fixtures::at($fixtures)) {
            Ok(sharpness) => ::std::println!("{sharpness}"),
            Err(text) => panic!("{text}"),
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Expectation;
    use crate::prelude::*;
    use crate::toy::Point;

    fn claim(expectation: Expectation) -> Claim {
        Claim::new("mine.square", "squares", Kind::Inequality)
            .statement("x ≤ x² for all real x")
            .source("Lemma 1", &[])
            .setting(
                setting(expectation)
                    .assume(Hypothesis::new("x > 0", |p| p.x > 0.0))
                    .family(outside("others", || vec![("zero", Point { x: 0.0 })])),
            )
    }

    fn setting(expectation: Expectation) -> Setting<Point, ()> {
        Setting::of()
            .given("x a finite double")
            .family(edge("some", || {
                vec![("half", Point { x: 0.5 }), ("two", Point { x: 2.0 }), ("three", Point { x: 3.0 })]
            }))
            .part("printed", "x ≤ x²", expectation, |p: &Point, ()| at_most(exact(p.x), exact(p.x).square()))
            .amendment("tangent", "2x - 1 ≤ x²", holds(), |p, ()| {
                at_most(exact(p.x) * 2.0 - 1.0, exact(p.x).square())
            })
            .control("a", "x² ≤ x", |p, ()| at_most(exact(p.x).square(), exact(p.x)))
    }

    #[test]
    fn a_claim_that_says_too_little_is_told_what_is_missing() {
        let bare = setting(fails("between zero and one")).assume(Hypothesis::new("x ≥ -1e300", |p| p.x >= -1e300));
        let claim = Claim::new("mine.square", "squares", Kind::Inequality).setting(bare);
        let text = examine(&claim, plan(), &Fixtures::at("fixtures")).unwrap_err();
        for part in ["mine.square", "has no source", "\"x ≥ -1e300\" is missed by no instance"] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn a_claim_with_neither_a_part_nor_a_sense_does_not_pass() {
        let bare = Claim::new("mine.square", "squares", Kind::Inequality).statement("x ≤ x² for all real x");
        let text = examine(&bare, plan(), &Fixtures::at("fixtures")).unwrap_err();
        assert!(text.contains("it has neither a part nor a sense"), "{text}");
    }

    #[test]
    fn a_claim_as_expected_passes() {
        crate::assert_claim!(claim(fails("between zero and one")));
    }

    #[test]
    fn a_claim_that_holds_says_how_near_it_came() {
        let above = Claim::new("mine.above", "squares", Kind::Inequality)
            .statement("1 ≤ 1 + x² for all real x")
            .source("a test", &[])
            .setting(
                Setting::of()
                    .given("x real")
                    .family(edge("some", || vec![("two", Point { x: 2.0 }), ("three", Point { x: 3.0 })]))
                    .part("printed", "1 ≤ 1 + x²", holds(), |p: &Point, ()| at_most(1, 1.0 + exact(p.x).square()))
                    .control("a", "1 + x² ≤ 1", |p, ()| at_most(1.0 + exact(p.x).square(), 1)),
            );
        let told = examine(&above, plan(), &Fixtures::at("fixtures"));
        assert_eq!(told.as_deref(), Ok("part printed: no room: the sides agree at x = 0"));
    }

    #[test]
    fn the_failure_text_holds_the_witness_and_how_to_find_it_again() {
        let text = examine(&claim(holds()), plan(), &Fixtures::at("fixtures")).unwrap_err();
        for part in [
            "mine.square", "x ≤ x²", "part printed: fails (expected holds)", "refuted by x = ", "instance {\"x\":",
            "seed 1",
        ] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn what_should_fail_and_does_not_is_told_what_to_do() {
        let true_everywhere =
            Claim::new("mine.square", "a square", Kind::Inequality).statement("0 ≤ x²").source("a test", &[]).setting(
                Setting::of()
                    .given("x real")
                    .family(edge("some", || vec![("two", Point { x: 2.0 })]))
                    .part("printed", "0 ≤ x²", fails("it does not"), |p: &Point, ()| at_most(0, exact(p.x).square()))
                    .control("a", "1 + x² ≤ 1", |p, ()| at_most(1.0 + exact(p.x).square(), 1)),
            );
        let text = examine(&true_everywhere, plan(), &Fixtures::at("fixtures")).unwrap_err();
        assert!(text.contains("nothing refuted it: name an instance that does"), "{text}");
    }
}
