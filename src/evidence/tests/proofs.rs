//! Claims that carry a proof by subdivision: what raises the grade, and what must not.

use contrapositive_evidence::budget::Budget;
use contrapositive_evidence::claim::{
    Claim, FamilyKind, Fixtures, Hypothesis, Kind, Setting, at_most, edge, fails, holds,
};
use contrapositive_evidence::instance::Instance;
use contrapositive_evidence::report::{Facts, Register, json};
use contrapositive_evidence::run::{CheckResult, Plan, Run, Silent, WitnessStore, run};
use contrapositive_evidence::verdict::Verdict;
use enclosures::enclosure::{Enclosure, Grade, exact};
use enclosures::proof::Proof;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Share {
    x: f64,
}

impl Instance for Share {
    fn describe(&self) -> String {
        format!("x = {}", self.x)
    }
}

/// −log(1 − x) against factor · x/(1 − x).
fn sides(share: &Share, factor: f64) -> (Enclosure, Enclosure) {
    let x = exact(share.x);
    (-(-x).ln_1p(), factor * x / (1.0 - x))
}

fn setting(xs: &'static [f64], factor: f64) -> Setting<Share, ()> {
    Setting::of()
        .assume(Hypothesis::new("0 ≤ x < 1", |s: &Share| (0.0..1.0).contains(&s.x)))
        .family(edge("grid", || xs.iter().map(|&x| (format!("{x}"), Share { x })).collect()))
        .without_search()
        .part(
            "printed",
            "−log(1 − x) ≤ factor · x/(1 − x)",
            if factor < 1.0 { fails("a factor below one") } else { holds() },
            move |s, ()| {
                let (left, right) = sides(s, factor);
                at_most(left, right)
            },
        )
}

/// log(1 + t) ≤ factor · t with t = x/(1 − x), from 0 to `end`.
fn logarithm(factor: f64, end: f64) -> Proof<1> {
    Proof::covering("0 ≤ x < 1, t = x/(1 − x)", [(0.0, end)], move |[t]| factor * t - t.ln_1p())
        .control("half the right side", |[t]| 0.5 * t - t.ln_1p())
}

fn odds(s: &Share) -> Option<[Enclosure; 1]> {
    Some([exact(s.x) / (1.0 - exact(s.x))])
}

fn from_odds([t]: [f64; 1]) -> Share {
    Share { x: t / (1.0 + t) }
}

fn try_out(setting: Setting<Share, ()>) -> (Run, CheckResult) {
    let claim = Claim::new("staged.neglog", "a staged claim", Kind::Inequality)
        .statement("−log(1 − x) ≤ x/(1 − x)")
        .source("Lemma 1", &[])
        .setting(setting);
    let plan = Plan { seed: 7, budget: Budget::Quick };
    let run = run(&[&claim], plan, &Fixtures::at("fixtures"), &WitnessStore::default(), &Silent);
    let check = run.claims[0].checks[0].clone();
    (run, check)
}

const GRID: &[f64] = &[0.0, 0.25, 0.5, 0.999];

#[test]
fn a_proof_of_the_whole_domain_raises_the_grade_and_is_shown() {
    let (run, check) = try_out(setting(GRID, 1.0).proved_by(logarithm(1.0, f64::INFINITY), odds, from_odds));
    assert_eq!((check.verdict, check.grade), (Verdict::Holds, Some(Grade::Proved)));
    assert!(check.as_expected());
    assert_eq!(check.proofs[0].inside, GRID.len());
    let none = Register { papers: Vec::new() };
    let proof = &check.proofs[0];
    assert_eq!(
        (proof.info.domain, proof.conclusion.to_string().as_str()),
        ("0 ≤ x < 1, t = x/(1 − x)", "covered by 1 box")
    );
    let value = json(&run, &none, &Facts::new());
    let proof = &value["claims"][0]["checks"][0]["proofs"][0];
    assert_eq!((&proof["outcome"], &proof["boxes"]), (&"covered".into(), &1.into()));
    assert_eq!((&proof["controls"]["refuted"], &proof["succeeded"]), (&1.into(), &true.into()));
}

#[test]
fn instances_outside_the_domain_keep_the_grade_down() {
    // The proof stops at t = 10, x = 0.909; one instance lies beyond.
    let (_, check) = try_out(setting(GRID, 1.0).proved_by(logarithm(1.0, 10.0), odds, from_odds));
    assert_eq!((check.verdict, check.grade), (Verdict::Holds, Some(Grade::Exact)));
    assert!(check.proofs[0].succeeded() && check.as_expected());
    assert_eq!(check.proofs[0].inside, GRID.len() - 1);
    let (_, check) = try_out(setting(GRID, 1.0).proved_by(logarithm(1.0, f64::INFINITY), |_| None, from_odds));
    assert_eq!(check.grade, Some(Grade::Exact));
    // Two proofs that share the domain between them do.
    let rest = Proof::covering("t ≥ 10", [(10.0, f64::INFINITY)], |[t]| t - t.ln_1p())
        .control("a hundredth of the right side", |[t]| 0.01 * t - t.ln_1p());
    let both = setting(GRID, 1.0).proved_by(logarithm(1.0, 10.0), odds, from_odds).proved_by(rest, odds, from_odds);
    assert_eq!(try_out(both).1.grade, Some(Grade::Proved));
}

#[test]
fn a_refuted_proof_hands_its_point_to_the_check() {
    // 0.999 t is below log(1 + t) for 0 < t < 0.002 only, where no instance of the family lies.
    let far: &[f64] = &[0.0, 0.25, 0.5];
    let (_, check) = try_out(setting(far, 0.999));
    assert_eq!(check.verdict, Verdict::Holds, "the family does not see it");
    let (_, check) = try_out(setting(far, 0.999).proved_by(logarithm(0.999, f64::INFINITY), odds, from_odds));
    assert_eq!(check.verdict, Verdict::Fails);
    assert_eq!(check.counts.by_family[&FamilyKind::Proof], 1);
    let x = check.witness.expect("a witness").instance["x"].as_f64().expect("a number");
    assert!(0.0 < x && x < 0.002, "{x}");
}

#[test]
fn a_proof_of_something_else_is_contradicted_by_the_instances() {
    // The wrong parameter: x itself in place of x/(1 − x).
    let (_, check) =
        try_out(setting(GRID, 1.0).proved_by(logarithm(1.0, f64::INFINITY), |s| Some([exact(s.x)]), |[x]| Share { x }));
    assert!(check.proofs[0].contradiction.is_some());
    assert_eq!(check.grade, Some(Grade::Exact));
    assert!(!check.as_expected());
    // In another form only the signs are compared: a margin that is negative where the statement holds.
    let wrong_sign = Proof::covering("t ≥ 0", [(0.0, f64::INFINITY)], |[t]| t.ln_1p() - t).in_other_form("it is not");
    let (_, check) = try_out(setting(GRID, 1.0).proved_by(wrong_sign, odds, from_odds));
    assert!(check.proofs[0].contradiction.is_some() && !check.as_expected());
}

#[test]
fn a_proof_without_power_proves_nothing() {
    let bare = Proof::covering("t ≥ 0", [(0.0, f64::INFINITY)], |[t]| t - t.ln_1p());
    let (_, check) = try_out(setting(GRID, 1.0).proved_by(bare, odds, from_odds));
    assert_eq!((check.grade, check.as_expected()), (Some(Grade::Exact), false));
    let weak = logarithm(1.0, f64::INFINITY).control("twice the right side", |[t]| 2.0 * t - t.ln_1p());
    let (_, check) = try_out(setting(GRID, 1.0).proved_by(weak, odds, from_odds));
    assert_eq!((check.grade, check.as_expected()), (Some(Grade::Exact), false));
}

#[test]
fn a_residual_region_is_a_regression() {
    // In x, not in t: the cancellation at 0 is not resolved.
    let in_x = Proof::covering("0 ≤ x ≤ 0.999", [(0.0, 0.999)], |[x]| x / (1.0 - x) + (-x).ln_1p())
        .control("half the right side", |[x]| 0.5 * x / (1.0 - x) + (-x).ln_1p())
        .within(300);
    let same = |s: &Share| Some([exact(s.x)]);
    let (_, check) = try_out(setting(GRID, 1.0).proved_by(in_x, same, |[x]| Share { x }));
    assert_eq!((check.grade, check.as_expected()), (Some(Grade::Exact), false));
    let left = check.proofs[0].conclusion.to_string();
    assert!(!check.proofs[0].succeeded() && left.contains("left over, within [0, "), "{left}");
}
