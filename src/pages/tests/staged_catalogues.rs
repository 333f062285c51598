//! Small catalogues that each stage one situation, run end to end and rendered.

use contrapositive_pages::markdown;
use enclosures::enclosure::{Enclosure, exact};
use evidence::budget::Budget;
use evidence::claim::{
    Claim, FamilyKind, Fixtures, Hypothesis, Kind, Setting, at_least, at_most, edge, equal, fails, holds, random,
    vacuous,
};
use evidence::instance::Instance;
use evidence::report::{Paper, Register, RegisteredStatement, json};
use evidence::run::{Plan, Run, Silent, Witness, WitnessStore, run};
use evidence::verdict::Verdict;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Pair {
    x: f64,
    y: f64,
}

impl Instance for Pair {
    fn describe(&self) -> String {
        format!("x = {}, y = {}", self.x, self.y)
    }
}

fn pairs() -> Setting<Pair, ()> {
    Setting::of()
        .assume(Hypothesis::new("x ≥ 0", |p: &Pair| p.x >= 0.0))
        .family(edge("corners", || vec![("origin", Pair { x: 0.0, y: 0.0 }), ("unit", Pair { x: 1.0, y: 1.0 })]))
        .family(random("square", || (-1.0..1.0f64, -1.0..1.0f64).prop_map(|(x, y)| Pair { x, y })))
}

fn staged(id: &'static str, setting: Setting<Pair, ()>) -> Claim {
    Claim::new(id, "a staged claim", Kind::Inequality)
        .statement("2xy ≤ x² + y²")
        .source("Lemma 1", &["section 1"])
        .setting(setting)
}

fn means(p: &Pair) -> (Enclosure, Enclosure) {
    (2.0 * exact(p.x) * p.y, exact(p.x).square() + exact(p.y).square())
}

fn sound(id: &'static str) -> Claim {
    let setting = pairs().part("printed", "2xy ≤ x² + y²", holds(), |p, ()| at_most(means(p).0, means(p).1)).control(
        "a",
        "2xy ≥ x² + y²",
        |p, ()| at_least(means(p).0, means(p).1),
    );
    staged(id, setting)
}

fn register() -> Register {
    let entry = |id: &str| RegisteredStatement { id: id.into(), title: "a staged claim".into() };
    let entries = ["staged.sound", "staged.missing"].map(entry).to_vec();
    Register { papers: vec![Paper { id: "staged".into(), citation: "Nobody, A staged paper".into(), entries }] }
}

fn try_out(claims: &[Claim], store: &WitnessStore) -> Run {
    let chosen: Vec<&Claim> = claims.iter().collect();
    run_at(Budget::Quick, &chosen, store)
}

fn run_at(budget: Budget, chosen: &[&Claim], store: &WitnessStore) -> Run {
    let plan = Plan { seed: 7, budget };
    run(chosen, plan, &Fixtures::at("fixtures"), store, &Silent)
}

fn verdict_of(claim: Claim) -> (Run, Verdict) {
    let run = try_out(&[claim], &WitnessStore::default());
    let verdict = run.claims[0].verdict();
    (run, verdict)
}

#[test]
fn a_sound_claim_passes_and_renders() {
    let run = try_out(&[sound("staged.sound")], &WitnessStore::default());
    assert!(run.claims[0].as_expected());
    let facts = vec![("program".to_owned(), "staged".to_owned())];
    insta::assert_snapshot!("sound_markdown", markdown(&run, &register(), &facts));
    insta::assert_snapshot!("sound_json", format!("{:#}", json(&run, &register(), &facts)));
}

#[test]
fn a_claim_that_fails_shows_a_plain_witness_and_its_amendment() {
    let setting = pairs()
        .part("printed", "2xy ≤ (x² + y²)/2", fails("the constant is off by a factor two"), |p, ()| {
            at_most(means(p).0, means(p).1 / 2.0)
        })
        .amendment("doubled", "2xy ≤ x² + y²", holds(), |p, ()| at_most(means(p).0, means(p).1))
        .control("a", "2xy ≥ x² + y²", |p, ()| at_least(means(p).0, means(p).1));
    let (run, verdict) = verdict_of(staged("staged.fails", setting));
    assert_eq!(verdict, Verdict::Fails);
    assert!(run.claims[0].as_expected());
    let witness = run.claims[0].checks[0].witness.clone().expect("a refuted reading has a witness");
    assert_eq!(witness.instance, serde_json::json!({"x": 1.0, "y": 1.0}));
    insta::assert_snapshot!("fails_markdown", markdown(&run, &register(), &Vec::new()));
}

#[test]
fn a_stored_witness_is_tried_first_and_kept() {
    let refuted = || {
        let setting = pairs()
            .part("printed", "y ≤ x", fails("nothing orders the two"), |p, ()| at_most(exact(p.y), exact(p.x)))
            .amendment("none", "x ≤ x", holds(), |p, ()| at_most(exact(p.x), exact(p.x)))
            .control("a", "y ≥ 2", |p, ()| at_least(exact(p.y), 2));
        staged("staged.witness", setting)
    };
    let first = try_out(&[refuted()], &WitnessStore::default());
    let found = first.claims[0].checks[0].witness.clone().expect("refuted");
    let mut store = WitnessStore::default();
    let stored = Witness { instance: serde_json::json!({"x": 0.25, "y": 0.75}), ..found };
    store.insert(stored.clone());
    let second = try_out(&[refuted()], &store);
    let kept = second.claims[0].checks[0].witness.clone().expect("refuted again");
    assert_eq!(kept.instance, stored.instance);
}

#[test]
fn a_vacuous_claim_does_not_pass() {
    let never = Setting::of()
        .assume(Hypothesis::new("x > 10", |p: &Pair| p.x > 10.0))
        .family(edge("corners", || vec![("origin", Pair { x: 0.0, y: 0.0 })]))
        .part("printed", "2xy ≤ x² + y²", holds(), |p, ()| at_most(means(p).0, means(p).1))
        .control("a", "2xy ≥ x² + y²", |p, ()| at_least(means(p).0, means(p).1));
    let (run, verdict) = verdict_of(staged("staged.vacuous", never));
    assert_eq!(verdict, Verdict::Vacuous);
    assert_eq!(run.claims[0].survivors().count(), 1);
    insta::assert_snapshot!("vacuous_markdown", markdown(&run, &register(), &Vec::new()));

    let silent = pairs().part("printed", "2xy ≤ ∞", holds(), |_, ()| vacuous("the right side is infinite"));
    assert_eq!(verdict_of(staged("staged.silent", silent)).1, Verdict::Vacuous);
}

#[test]
fn a_surviving_control_is_named() {
    let setting = pairs().part("printed", "2xy ≤ x² + y²", holds(), |p, ()| at_most(means(p).0, means(p).1)).control(
        "weak",
        "2xy ≤ 2(x² + y²)",
        |p, ()| at_most(means(p).0, 2.0 * means(p).1),
    );
    let (run, verdict) = verdict_of(staged("staged.survivor", setting));
    assert_eq!(verdict, Verdict::Holds);
    assert_eq!(run.claims[0].survivors().map(|c| c.id).collect::<Vec<_>>(), ["weak"]);
    insta::assert_snapshot!("survivor_markdown", markdown(&run, &register(), &Vec::new()));
}

#[test]
fn a_panic_is_a_fault_of_the_catalogue_and_never_a_verdict() {
    let setting = pairs().part("printed", "2xy ≤ x² + y²", holds(), |_, ()| panic!("a planted panic"));
    let (run, verdict) = verdict_of(staged("staged.panics", setting));
    assert_eq!(verdict, Verdict::Undecided);
    assert!(run.claims[0].checks[0].counts.panicked > 0);
    insta::assert_snapshot!("panics_markdown", markdown(&run, &register(), &Vec::new()));
}

#[test]
fn a_claim_that_never_decides_is_undecided() {
    let setting = pairs().part("printed", "x ≤ [0, 2]", holds(), |_, ()| at_most(1, Enclosure::between(0.0, 2.0)));
    let (run, verdict) = verdict_of(staged("staged.undecided", setting));
    assert_eq!(verdict, Verdict::Undecided);
    insta::assert_snapshot!("undecided_markdown", markdown(&run, &register(), &Vec::new()));
}

#[test]
fn not_a_number_is_never_a_verdict() {
    let setting = pairs().part("printed", "NaN = NaN", holds(), |_, ()| equal(exact(f64::NAN), exact(f64::NAN)));
    assert_eq!(verdict_of(staged("staged.nan", setting)).1, Verdict::Undecided);
}

#[test]
fn search_finds_what_the_families_miss() {
    // True but for a disc around (0.62, -0.37) that no edge instance is near and a random one hits with probability 1/500.
    let narrow = |p: &Pair| {
        let distance = (exact(p.x) - 0.62).square() + (exact(p.y) + 0.37).square();
        at_least(distance, exact(0.0025))
    };
    let setting =
        pairs().part("printed", "|(x, y) − (0.62, −0.37)| ≥ 0.05", fails("a hole"), move |p, ()| narrow(p));
    let run = run_at(Budget::Standard, &[&staged("staged.hole", setting)], &WitnessStore::default());
    let printed = &run.claims[0].checks[0];
    assert_eq!(printed.verdict, Verdict::Fails);
    assert!(
        printed.counts.by_family.contains_key(&FamilyKind::Search),
        "found without the search: choose another hole"
    );
    let x = printed.witness.as_ref().and_then(|w| w.instance["x"].as_f64()).expect("a number");
    assert!((0.57..0.67).contains(&x), "x = {x}");
}

#[test]
fn a_page_says_once_what_its_checks_assume() {
    let first = pairs()
        .given("x and y are doubles")
        .part("printed", "2xy ≤ x² + y²", holds(), |p, ()| at_most(means(p).0, means(p).1))
        .step("s1", "0 ≤ (x − y)²", holds(), |p, ()| at_most(0, (exact(p.x) - p.y).square()))
        .assume(Hypothesis::new("y ≥ 0", |p: &Pair| p.y >= 0.0))
        .control("a", "2xy ≥ x² + y²", |p, ()| at_least(means(p).0, means(p).1));
    let second = Setting::of()
        .given("x and y are doubles")
        .family(edge("corners", || vec![("unit", Pair { x: 1.0, y: 1.0 })]))
        .amendment("wide", "xy = yx", holds(), |p: &Pair, ()| equal(exact(p.x) * p.y, exact(p.y) * p.x))
        .amendment("small", "x − x = 0", holds(), |p, ()| {
            equal(exact(p.x) - p.x, exact(1e-12)).on_scale_of("the mass 1", 1.0)
        });
    let run = try_out(&[staged("staged.copied", first).setting(second)], &WitnessStore::default());
    let text = markdown(&run, &register(), &Vec::new());
    for line in [
        "Every check assumes:\n\n- given x and y are doubles\n\nSome checks also assume:\n\n- **A1**: x ≥ 0\n\n",
        "- **printed**: 2xy ≤ x² + y²\\\n  Under [A1](#what-is-assumed).\\\n",
        "- **s1**: 0 ≤ (x − y)²\\\n  Under [A1](#what-is-assumed). Assuming y ≥ 0.\\\n",
        "- **wide**: xy = yx\\\n  PASS, exact, on ",
        "- **small**: x − x = 0\\\n  Sides within 9.3e-10 times the mass 1 count as equal.\\\n  PASS, exact, on ",
        " equal by tolerance",
        "both sides agree to nine digits at x = 0, y = 0, and on",
        "both sides agree to nine digits",
    ] {
        assert!(text.contains(line), "no {line:?} in:\n{text}");
    }
    for once in ["x and y are doubles", "**A1**: x ≥ 0\n", "Assuming y ≥ 0."] {
        assert_eq!(text.matches(once).count(), 1, "{once:?} in:\n{text}");
    }
    assert!(!text.contains("Decided by"), "one part decides, and nothing is said of it");
}
