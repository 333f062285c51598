//! The engine with declared types: families for nothing, and a false statement that falls by them alone.

use contrapositive::budget::Budget;
use contrapositive::claim::{Claim, Fixtures, Kind, Setting, at_most, fails, holds, random};
use contrapositive::enclosure::exact;
use contrapositive::instance::{Instance, any};
use contrapositive::run::{Plan, Silent, WitnessStore, run};
use contrapositive::verdict::Verdict;

use super::types::{Coins, Displacement};

fn judged(claim: &Claim) -> Vec<Verdict> {
    let plan = Plan { seed: 3, budget: Budget::Standard };
    let result = run(&[claim], plan, &Fixtures::at("fixtures"), &WitnessStore::default(), &Silent);
    result.claims[0].checks.iter().map(|check| check.verdict).collect()
}

#[test]
fn a_setting_tries_the_edges_of_its_type_by_itself() {
    // True for every draw but where p is at the very end of its range, which no random family meets.
    let claim = Claim::new("toy.edge", "an end of a range", Kind::Inequality)
        .statement("p ≥ 1e-300")
        .source("nowhere", &[])
        .setting(
            Setting::of()
                .part("bound", "1e-300 ≤ p", fails("p may be as small as one likes"), |c: &Coins, ()| {
                    at_most(exact(1e-300), exact(c.probability))
                })
                .control("false", "p ≤ 0", |c, ()| at_most(exact(c.probability), exact(0.0))),
        );
    assert_eq!(judged(&claim), [Verdict::Fails, Verdict::Fails]);
}

#[test]
fn a_family_draws_from_the_declared_ranges() {
    let claim =
        Claim::new("toy.square", "a square", Kind::Inequality).statement("0 ≤ |y|²").source("nowhere", &[]).setting(
            Setting::of()
                .family(random("within a million", any::<Displacement>))
                .part("square", "0 ≤ |y|²", holds(), |d: &Displacement, ()| {
                    at_most(exact(0.0), d.point.iter().map(|&x| exact(x).square()).fold(exact(0.0), |a, b| a + b))
                })
                .control("false", "y_1 ≤ 1e5", |d, ()| {
                    at_most(exact(d.point.first().copied().unwrap_or(0.0)), exact(1e5))
                }),
        );
    let verdicts = judged(&claim);
    assert_eq!(verdicts, [Verdict::Holds, Verdict::Fails]);
    assert!(Displacement::edges().len() > 10);
}
