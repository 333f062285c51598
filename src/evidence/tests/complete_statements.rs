//! What makes a line of the report a complete statement, and a check worth its line: assumptions, exceptions, scopes, power,
//! convincing witnesses.

use contrapositive_evidence::budget::Budget;
use contrapositive_evidence::claim::{
    Claim, Evaluation, Fixtures, Hypothesis, Kind, Setting, all_of, at_least, at_most, edge, equal, fails, holds,
    none_of, outside, random, vacuous,
};
use contrapositive_evidence::instance::Instance;
use contrapositive_evidence::run::{ClaimResult, Plan, Silent, Weakness, Without, WitnessStore, run};
use contrapositive_evidence::verdict::Verdict;
use enclosures::enclosure::exact;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Point {
    x: f64,
    y: f64,
}

impl Instance for Point {
    fn describe(&self) -> String {
        format!("({}, {})", self.x, self.y)
    }
}

fn at(points: &'static [(f64, f64)]) -> Vec<(String, Point)> {
    let named = |&(x, y): &(f64, f64)| (format!("({x}, {y})"), Point { x, y });
    points.iter().map(named).collect()
}

/// A setting on named points, without search.
fn on(points: &'static [(f64, f64)]) -> Setting<Point, ()> {
    Setting::of().family(edge("points", move || at(points))).without_search()
}

fn tried(claim: Claim, stored: &WitnessStore) -> ClaimResult {
    let plan = Plan { seed: 5, budget: Budget::Quick };
    run(&[&claim], plan, &Fixtures::at("none"), stored, &Silent).claims.remove(0)
}

fn result(settings: impl IntoIterator<Item = Setting<Point, ()>>) -> ClaimResult {
    let claim = Claim::new("staged.statement", "staged", Kind::Inequality);
    tried(settings.into_iter().fold(claim, Claim::setting), &WitnessStore::default())
}

const CORNERS: &[(f64, f64)] = &[(0.0, 0.0), (1.0, 0.0), (1.0, 2.0), (-1.0, 3.0)];

#[test]
fn a_check_carries_what_its_setting_scope_and_families_assume() {
    let setting = on(CORNERS)
        .given("x, y doubles")
        .assume(Hypothesis::new("y ≥ 0", |p| p.y >= 0.0))
        .family(outside("below", || at(&[(0.0, -1.0)])))
        .family(edge("diagonal", || at(&[(1.0, 1.0), (2.0, 2.0)])).restricted("x = y"))
        .part("sum", "x + y ≥ 0", holds(), |p, ()| at_least(exact(p.x) + p.y, 0))
        .assume(Hypothesis::new("x ≥ 0", |p: &Point| p.x >= 0.0))
        .part("product", "xy ≥ 0", holds(), |p, ()| at_least(exact(p.x) * p.y, 0))
        .assume(Hypothesis::new("x ≥ 0", |p: &Point| p.x >= 0.0))
        .assume(Hypothesis::new("y > 0", |p| p.y > 0.0))
        .ours("outside the scope", "y ≥ 0", holds(), |p, ()| at_least(exact(p.y), 0));
    let found = result([setting]);
    let of = |at: usize| &found.checks[at].assumes;
    assert_eq!(of(0).givens, ["x, y doubles"]);
    assert_eq!(of(0).hypotheses, ["y ≥ 0", "x ≥ 0"]);
    assert_eq!(of(1).hypotheses, ["y ≥ 0", "x ≥ 0", "y > 0"]);
    assert_eq!(of(2).hypotheses, ["y ≥ 0"]);
    // All was picked by hand, so it is told.
    assert_eq!(of(0).restrictions, ["(0, 0); (1, 0); (1, 2); (-1, 3)", "x = y (diagonal): (1, 1); (2, 2)"]);
    assert!(found.unmissed.is_empty(), "{:?}", found.unmissed);
    assert_eq!(found.reach[0].1.in_words(), ["x from -1 to 2", "y from 0 to 3"], "what is outside does not reach");
}

#[test]
fn tried_only_on_is_said_where_nothing_else_is_tried_and_of_all_of_it() {
    let many: &'static [(f64, f64)] = &[(0.0, 7.0); 13];
    let sum = |s: Setting<Point, ()>| s.part("sum", "x + y ≥ 0", holds(), |p, ()| at_least(exact(p.x) + p.y, 0));
    let assumes = |s: Setting<Point, ()>| result([sum(s)]).checks[0].assumes.clone();
    let two = assumes(on(CORNERS).family(edge("many", move || at(many))));
    assert_eq!(
        two.restrictions,
        ["(0, 0); (1, 0); (1, 2); (-1, 3)", "13 instances, of which the first is (0, 7), and the last (0, 7) (many)"]
    );
    assert!(two.restricted_throughout);
    // Instances that only show what the hypotheses exclude are not tried.
    let excluded = on(CORNERS).assume(Hypothesis::new("y ≥ 0", |p| p.y >= 0.0));
    assert!(assumes(excluded.family(outside("below", || at(&[(0.0, -1.0)])))).restricted_throughout);
    let drawn = random("drawn", || (0.0..1.0f64, 0.0..1.0f64).prop_map(|(x, y)| Point { x, y }));
    let beside = assumes(on(CORNERS).family(drawn.restricted("x, y in [0, 1]")));
    assert_eq!(beside.restrictions, ["x, y in [0, 1] (drawn)"]);
    assert!(!beside.restricted_throughout, "the corners are tried as well");
}

#[test]
fn a_hypothesis_that_no_instance_misses_is_named() {
    let ignoring =
        on(CORNERS)
            .assume(Hypothesis::new("any point", |_| true))
            .part("printed", "0 ≤ 1", holds(), |_, ()| at_most(0, 1));
    assert_eq!(result([ignoring]).unmissed, ["any point"]);
}

#[test]
fn an_exception_has_to_be_declared_whole_or_in_part() {
    let reciprocal = |p: &Point| {
        if p.x == 0.0 { vacuous("x = 0") } else { at_most(exact(1.0) / exact(p.x).abs(), 1) }
    };
    let both = move |p: &Point| all_of([("x", reciprocal(p)), ("y", at_least(exact(p.y), 0))]);
    let found = result([on(CORNERS)
        .part("silent", "1/|x| ≤ 1", holds(), move |p, ()| reciprocal(p))
        .part("in part", "1/|x| ≤ 1 and y ≥ 0", holds(), move |p, ()| both(p))
        .part("declared", "1/|x| ≤ 1 and y ≥ 0", holds(), move |p, ()| both(p))
        .except("x = 0")]);
    for (at, undeclared) in [(0, vec!["x = 0"]), (1, vec!["x = 0"]), (2, vec![])] {
        let check = &found.checks[at];
        assert_eq!(check.verdict, Verdict::Holds, "{}", check.id);
        assert_eq!(check.undeclared, undeclared, "{}", check.id);
        assert_eq!(check.as_expected(), undeclared.is_empty(), "{}", check.id);
    }
}

#[test]
fn a_scale_that_decides_is_counted_and_named() {
    let off = |p: &Point| equal(exact(p.x), exact(p.x) + 1e-12);
    let found = result([on(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)])
        .part("on its own", "x = x + 10^-12", holds(), move |p, ()| match off(p) {
            Evaluation::Compared(_) if p.x == 0.0 => equal(exact(0.0), exact(1e-12)).on_scale_of("one", 1.0),
            other => other,
        })
        .part("plain", "x = x", holds(), |p, ()| equal(exact(p.x), exact(p.x)).on_scale(5.0))]);
    let scaled = found.checks[0].scaled.as_ref().expect("decided at x = 0");
    assert_eq!((scaled.instances, scaled.name.as_deref()), (1, Some("one")));
    assert_eq!(found.checks[1].scaled, None, "a scale that decides nothing is not told");
}

#[test]
fn checks_without_power_are_found() {
    let weak = |setting: Setting<Point, ()>| -> Vec<Vec<Weakness>> {
        result([setting]).checks.into_iter().map(|c| c.weaknesses).collect()
    };
    let found = weak(
        on(CORNERS)
            .part("count", "nothing goes wrong", holds(), |_, ()| none_of(0))
            .part("excused", "nothing goes wrong", holds(), |_, ()| none_of(0))
            .tested_by("negative")
            .part("once", "x + y ≥ 3 at (1, 2)", holds(), |p, ()| at_least(exact(p.x) + p.y, 3))
            .assume(Hypothesis::new("(1, 2)", |p| p.y == 2.0))
            .part("sound", "x² ≤ 1", holds(), |p, ()| at_most(exact(p.x).square(), 1))
            .control("negative", "y ≤ 0", |p, ()| at_most(exact(p.y), 0))
            .control("single", "x ≥ 0", |p, ()| at_least(exact(p.x), 0)),
    );
    assert_eq!(found[0], [Weakness::Unmoved]);
    assert_eq!(found[1], [], "a refuted control stands for it");
    assert!(found[2].contains(&Weakness::OneInstance));
    assert_eq!(found[3], []);
    assert_eq!(found[4], []);
    assert_eq!(found[5], [Weakness::SingleRefuter]);
    let far =
        weak(
            on(&[(0.0, 0.0), (1e6, 0.0), (2e6, 0.0)])
                .part("x", "x ≥ 0", holds(), |p, ()| at_least(exact(p.x), 0))
                .control("far", "x ≤ 100", |p, ()| at_most(exact(p.x), 100)),
        );
    assert_eq!(far[1], [Weakness::FarOut]);
}

#[test]
fn beside_a_degenerate_witness_stands_one_that_is_not() {
    let claim = || {
        Claim::new("staged.statement", "staged", Kind::Inequality).setting(
            on(&[(0.0, -1.0), (3.25, -1.5), (2.0, 1.0)]).degenerate("x = 0", |p| p.x == 0.0).part(
                "printed",
                "y ≥ 0",
                fails("nothing says so"),
                |p, ()| at_least(exact(p.y), 0),
            ),
        )
    };
    let first = tried(claim(), &WitnessStore::default()).checks[0].witness.clone().expect("refuted");
    assert_eq!(first.instance["x"], 0.0);
    let second = first.convincing.clone().expect("a second one");
    assert!(second.instance["x"] != 0.0 && second.degenerate == "x = 0", "{second:?}");
    let mut stored = WitnessStore::default();
    stored.insert(first.clone());
    let again = tried(claim(), &stored).checks[0].witness.clone().expect("refuted again");
    assert_eq!(again, first, "what is stored is kept");
}

#[test]
fn what_one_setting_finds_necessary_is_tried_on_the_others() {
    let sound = |p: &Point| at_least(exact(p.x), 0);
    // The first setting's own instances never leave x ≥ 0; the second one's do.
    let first = on(&[(0.0, 0.0), (1.0, 1.0)]).assume(Hypothesis::new("x ≥ 0", |p| p.x >= 0.0)).part(
        "first",
        "x ≥ 0",
        holds(),
        move |p, ()| sound(p),
    );
    let second = on(&[(0.0, 0.0), (-1.0, 1.0)]).assume(Hypothesis::new("x ≥ 0", |p| p.x >= 0.0)).part(
        "second",
        "x ≥ 0",
        holds(),
        move |p, ()| sound(p),
    );
    let found = result([first, second]);
    assert_eq!(found.dropped.len(), 2);
    for dropped in &found.dropped {
        assert!(matches!(dropped.fate, Without::Necessary { .. }), "{dropped:?}");
    }
}

#[test]
fn what_tells_statements_apart_is_printed_and_never_left_out() {
    // Off its own points the line is false; that says nothing of a hypothesis.
    let found = result([on(CORNERS)
        .part("own", "x ≥ 0", holds(), |p, ()| at_least(exact(p.x), 0))
        .assume(Hypothesis::new("y ≤ 2", |p: &Point| p.y <= 2.0).selecting())
        .part("assumed", "x ≥ 0", holds(), |p, ()| at_least(exact(p.x), 0))
        .assume(Hypothesis::new("y < 3", |p| p.y < 3.0))
        .control("n1", "x ≥ 1", |p, ()| at_least(exact(p.x), 1))]);
    assert_eq!(found.checks[0].assumes.hypotheses, ["y ≤ 2"]);
    assert_eq!(found.checks[0].counts.discarded_total(), 1);
    let left_out: Vec<_> = found.dropped.iter().map(|d| (&*d.hypothesis, &*d.check)).collect();
    assert_eq!(left_out, [("y < 3", "assumed")]);
    assert!(matches!(found.dropped[0].fate, Without::Necessary { .. }));
}
