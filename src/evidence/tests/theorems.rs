//! Claims whose checks cite theorems: what makes the grade `checked`, and what must not.

use contrapositive_evidence::budget::Budget;
use contrapositive_evidence::claim::{
    Claim, Expectation, Fixtures, Kind, Setting, Theorems, at_most, edge, fails, holds,
};
use contrapositive_evidence::instance::Instance;
use contrapositive_evidence::report::{Facts, Register, json};
use contrapositive_evidence::run::{ClaimResult, Plan, Run, Silent, WitnessStore, run};
use contrapositive_evidence::verdict::Verdict;
use enclosures::enclosure::{Grade, exact};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json as value};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Number {
    x: f64,
}

impl Instance for Number {
    fn describe(&self) -> String {
        format!("x = {}", self.x)
    }
}

fn record() -> Theorems {
    let theorem = |name: &str, sense: &str| {
        value!({
            "theorem": name, "claim": "staged.square", "sense": sense, "scope": "every real x", "statement": "forall x : R, 0 <= x ^ 2",
            "axioms": ["ClassicalDedekindReals.sig_forall_dec"], "control": null, "file": "staged/Square.v", "sha256": "", "imports": {},
        })
    };
    let list = [
        theorem("staged.Square.printed", "printed"),
        theorem("staged.Square.left", "printed, left side"),
        theorem("staged.Square.other", "other"),
        theorem("staged.Square.printed_refuted", "printed"),
    ];
    Theorems::from_json(&Value::from(list.to_vec()).to_string()).expect("a list of theorems")
}

/// −x² ≤ bound, on a few numbers.
fn setting(bound: f64, expected: Expectation) -> Setting<Number, ()> {
    Setting::of()
        .given("x a double")
        .family(edge("named", || [-1.0, 0.5, 3.0].map(|x| (format!("{x}"), Number { x })).to_vec()))
        .without_search()
        .part("printed", "−x² ≤ bound", expected, move |n, ()| at_most(-exact(n.x).square(), exact(bound)))
}

fn claim(setting: Setting<Number, ()>) -> Claim {
    let claim = Claim::new("staged.square", "a staged claim", Kind::Inequality);
    claim.statement("−x² ≤ bound").source("Lemma 1", &[]).setting(setting)
}

fn judged(claim: Claim) -> (Run, ClaimResult) {
    let plan = Plan { seed: 7, budget: Budget::Quick };
    let claim = claim.with_record(&record());
    let run = run(&[&claim], plan, &Fixtures::at("fixtures"), &WitnessStore::default(), &Silent);
    let result = run.claims[0].clone();
    (run, result)
}

fn grades(setting: Setting<Number, ()>) -> (Option<Grade>, bool) {
    let (_, result) = judged(claim(setting));
    (result.checks[0].grade, result.as_expected())
}

#[test]
fn a_theorem_about_all_of_a_check_makes_its_grade_and_that_of_the_headline() {
    let (run, result) = judged(claim(setting(0.0, holds()).checked("staged.Square.printed")));
    let check = &result.checks[0];
    assert_eq!((check.verdict, check.grade), (Verdict::Holds, Some(Grade::Checked)));
    assert_eq!((check.grade_without_theorems, result.grade()), (Some(Grade::Exact), Some(Grade::Checked)));
    assert!(result.as_expected());
    let document = json(&run, &Register { papers: Vec::new() }, &Facts::new());
    let check = &document["claims"][0]["checks"][0];
    assert_eq!(
        (&check["grade"]["name"], &check["grade_without_theorems"]["name"]),
        (&"checked".into(), &"exact".into())
    );
    let theorem = &check["theorems"][0];
    assert_eq!((&theorem["scope"], &theorem["whole"]), (&"every real x".into(), &true.into()));
    assert_eq!((&theorem["refutes"], &theorem["contradicted"]), (&false.into(), &false.into()));
}

#[test]
fn a_headline_whose_words_speak_of_more_keeps_the_grade_of_its_instances() {
    let wider = claim(setting(0.0, holds()).checked("staged.Square.printed")).speaks_also_of("complex numbers");
    let (_, result) = judged(wider);
    assert_eq!((result.checks[0].grade, result.grade()), (Some(Grade::Checked), Some(Grade::Exact)));
    // What refutes the checks refutes the words, whatever else they speak of.
    let refuted = setting(-2.0, fails("a half")).checked("staged.Square.printed_refuted");
    let (_, result) = judged(claim(refuted).speaks_also_of("complex numbers"));
    assert_eq!((result.verdict(), result.grade()), (Verdict::Fails, Some(Grade::Checked)));
}

#[test]
fn a_part_or_what_the_record_does_not_have_raises_no_grade() {
    let exact = (Some(Grade::Exact), true);
    assert_eq!(grades(setting(0.0, holds()).checked_in_part("staged.Square.left")), exact);
    for other in ["staged.Square.other", "staged.Square.none"] {
        assert_eq!(grades(setting(0.0, holds()).checked(other)), exact, "{other}");
        let both = setting(0.0, holds()).checked("staged.Square.printed").checked(other);
        assert_eq!(grades(both), exact, "{other} says a part that is not known to be true");
    }
    let both = setting(0.0, holds()).checked("staged.Square.printed").checked("staged.Square.left");
    assert_eq!(grades(both).0, Some(Grade::Checked));
    let unknown = claim(setting(0.0, holds()).checked("staged.Square.printed"));
    let plan = Plan { seed: 7, budget: Budget::Quick };
    let without = run(&[&unknown], plan, &Fixtures::at("fixtures"), &WitnessStore::default(), &Silent);
    assert_eq!(without.claims[0].grade(), Some(Grade::Exact), "without a record nothing is known of any theorem");
}

#[test]
fn a_theorem_makes_no_verdict_and_one_that_contradicts_it_is_a_fault() {
    // The instances refute what the theorem says holds: the bound is another one.
    let (_, result) = judged(claim(setting(-2.0, fails("a half")).checked("staged.Square.printed")));
    let check = &result.checks[0];
    assert_eq!((check.verdict, check.grade), (Verdict::Fails, Some(Grade::Exact)));
    assert!(!check.as_expected() && check.contradicted().count() == 1);
    // No instance refutes what a theorem says is false.
    let (_, result) = judged(claim(setting(0.0, holds()).checked("staged.Square.printed_refuted")));
    assert_eq!((result.verdict(), result.grade()), (Verdict::Holds, Some(Grade::Exact)));
    assert!(!result.as_expected());
    // What violates the check may lie outside of the scope of a theorem about a part of it.
    let (_, result) = judged(claim(setting(-2.0, fails("a half")).checked_in_part("staged.Square.left")));
    assert!(result.as_expected());
}
