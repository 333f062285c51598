//! The adversarial search as a stranger meets it: one plain random family, no instance picked by hand.

use std::sync::Mutex;

use contrapositive_evidence::budget::Budget;
use contrapositive_evidence::claim::{
    Claim, Evaluation, FamilyKind, Fixtures, Hypothesis, Kind, Setting, all_of, at_least, at_most, fails, greater_than,
    random, vacuous,
};
use contrapositive_evidence::instance::Instance;
use contrapositive_evidence::judge::Judgement;
use contrapositive_evidence::run::{CheckResult, Context, Fate, Mutation, Plan, Silent, WitnessStore, run, strength};
use contrapositive_evidence::verdict::{Outcome, Verdict};
use enclosures::enclosure::{Enclosure, exact};
use proptest::collection::vec;
use proptest::strategy::Strategy;
use rand::RngExt;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Point {
    n: u32,
    x: Vec<f64>,
}

impl Instance for Point {
    fn describe(&self) -> String {
        format!("n = {}, x = {:?}", self.n, self.x)
    }
}

type Test = fn(&Point, f64) -> Evaluation;

/// A statement about points drawn uniformly from a cube, with a constant; `x` positive if `positive` says so.
fn stated(test: Test, constant: f64, (sizes, low, high): (std::ops::Range<usize>, f64, f64), positive: bool) -> Claim {
    let family = move || {
        let numbers = vec(low..high, sizes.clone());
        (1u32..20, numbers).prop_map(|(n, x)| Point { n, x })
    };
    let mut setting = Setting::of().family(random("uniform", family));
    if positive {
        setting = setting.assume(Hypothesis::new("x > 0", |p: &Point| p.x.iter().all(|&x| x > 0.0)));
    }
    let setting = setting.part("printed", "as stated", fails("by a hair"), move |p: &Point, ()| test(p, constant));
    Claim::new("toy.lemma", "a toy", Kind::Inequality).statement("a toy").source("nowhere", &[]).setting(setting)
}

fn judged(claim: &Claim, seed: u64, budget: Budget) -> CheckResult {
    let (fixtures, witnesses) = (Fixtures::at("fixtures"), WitnessStore::default());
    let mut result = run(&[claim], Plan { seed, budget }, &fixtures, &witnesses, &Silent);
    result.claims.swap_remove(0).checks.swap_remove(0)
}

fn humps(p: &Point, c: f64) -> Evaluation {
    let factors = p.x.iter().map(|&x| exact(x) * (1.0 - exact(x)).exp());
    at_most(factors.fold(Enclosure::ONE, |a, b| a * b), exact(c))
}

/// Humps at places of their own, so small together almost everywhere that the constant swallows them.
fn apart(p: &Point, c: f64) -> Evaluation {
    let factor = |(i, &x): (usize, &f64)| {
        let share = exact(x) / (1.3 + 0.17 * i as f64);
        share * (1.0 - share).exp()
    };
    let factors = p.x.iter().enumerate().map(factor);
    at_most(factors.fold(Enclosure::ONE, |a, b| a * b), exact(c))
}

fn spread(p: &Point, c: f64) -> Evaluation {
    let mean = p.x.iter().map(|&x| exact(x)).sum::<Enclosure>() / p.x.len() as f64;
    at_least(p.x.iter().map(|&x| (exact(x) - mean).square()).sum::<Enclosure>(), exact(c))
}

fn gap(p: &Point, c: f64) -> Evaluation {
    let x = exact(p.x[0]);
    at_least(1.0 / ((x.square() + 1.0).sqrt() + x), exact(c))
}

fn depth(p: &Point, c: f64) -> Evaluation {
    at_most(-exact(p.x[0]).ln(), exact(c))
}

fn compound(p: &Point, c: f64) -> Evaluation {
    let n = Enclosure::from(p.n);
    at_most(n * (1.0 / n).ln_1p(), exact(c))
}

/// Cancels in doubles wherever it is small.
fn gap_as_written(p: &Point, c: f64) -> Evaluation {
    let x = exact(p.x[0]);
    at_least((x.square() + 1.0).sqrt() - x, exact(c))
}

/// How far the logarithm stays below its tangent at one, where both cancel; it falls to zero far out.
fn tangent(p: &Point, c: f64) -> Evaluation {
    let x = exact(p.x[0]);
    at_least((x - 1.0 - x.ln()) / (x - 1.0).square(), exact(c))
}

/// A bowl with a dent about every whole point near the middle of the cube.
fn dents(p: &Point, c: f64) -> Evaluation {
    let term = |&x: &f64| {
        let y = exact(x) - 1.3;
        y.square() + 10.0 * (1.0 - (2.0 * Enclosure::pi() * y).cos())
    };
    at_least(p.x.iter().map(term).sum::<Enclosure>(), exact(c))
}

/// A bowl with ripples that no axis shows.
fn ripples(p: &Point, c: f64) -> Evaluation {
    let bowl: Enclosure = p.x.iter().map(|&x| (exact(x) - 17.0).square()).sum();
    let mut ripple = Enclosure::ONE;
    for (i, &x) in p.x.iter().enumerate() {
        ripple = ripple * ((exact(x) - 17.0) / (1.0 + i as f64).sqrt()).cos();
    }
    at_least(1.0 + bowl / 3000.0 - ripple, exact(c))
}

/// What the search is tried on: a test, the constant with which it is false, one with which it is true, a cube, a hypothesis.
type Case = (Test, f64, f64, (std::ops::Range<usize>, f64, f64), bool);

fn cases() -> Vec<Case> {
    vec![
        (humps, 1.0 - 1e-6, 1.0, (3..4, 0.0, 50.0), true),
        (apart, 1.0 - 1e-6, 1.0, (8..9, 0.0, 60.0), true),
        (spread, 1e-12, 0.0, (2..9, -5.0, 5.0), false),
        (gap, 1e-200, 0.0, (1..2, 0.0, 1000.0), true),
        (depth, 600.0, 800.0, (1..2, 0.0, 1.0), true),
        (compound, 1.0 - 1e-5, 1.0, (1..2, 0.0, 1.0), false),
        (gap_as_written, 1e-9, 0.0, (1..2, 0.0, 1000.0), true),
        (tangent, 1e-9, 0.0, (1..2, 0.0, 10.0), true),
        (dents, 0.9, -1e-9, (20..21, -5.0, 5.0), false),
        (ripples, 0.004, -1e-9, (3..4, -100.0, 100.0), false),
    ]
}

#[test]
fn what_is_false_by_a_hair_falls_and_its_true_twin_stands() {
    for (number, (test, wrong, right, cube, positive)) in cases().into_iter().enumerate() {
        for seed in 0..6 {
            let claim = stated(test, wrong, cube.clone(), positive);
            let check = judged(&claim, seed, Budget::Standard);
            assert_eq!(check.verdict, Verdict::Fails, "case {number}, seed {seed}");
            assert!(check.witness.is_some());
        }
        let twin = stated(test, right, cube, positive);
        for seed in 0..3 {
            let verdict = judged(&twin, seed, Budget::Standard).verdict;
            assert_ne!(verdict, Verdict::Fails, "twin {number}, seed {seed}");
        }
    }
}

#[test]
fn a_larger_budget_loses_nothing_that_a_smaller_one_finds() {
    let mut found = [0; 2];
    // Hair by hair: the smaller budgets refute some of these and not others.
    for exponent in [2, 4, 6, 8, 10] {
        let hair = core_math::exp10(-f64::from(exponent));
        for (test, constant, cube) in
            [(humps as Test, 1.0 - hair, (6..7, 0.0, 50.0)), (spread, hair, (8..9, -5.0, 5.0))]
        {
            let claim = stated(test, constant, cube, true);
            for seed in 0..4 {
                let falls = |budget| judged(&claim, seed, budget).verdict == Verdict::Fails;
                let quick = falls(Budget::Quick);
                let standard = falls(Budget::Standard);
                assert!(standard || !quick, "standard loses 1e-{exponent} from seed {seed}");
                if standard {
                    assert!(falls(Budget::Deep), "deep loses 1e-{exponent} from seed {seed}");
                }
                found[0] += usize::from(quick);
                found[1] += usize::from(standard);
            }
        }
    }
    assert!(found[0] > 0 && found[1] > 0, "nothing was found, so nothing could be lost: {found:?}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let told = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("a pool of threads").install(|| {
            let all = cases().into_iter().flat_map(|(test, wrong, right, cube, positive)| {
                [stated(test, wrong, cube.clone(), positive), stated(test, right, cube, positive)]
            });
            let claims: Vec<Claim> = all.collect();
            let claims: Vec<&Claim> = claims.iter().collect();
            let plan = Plan { seed: 3, budget: Budget::Quick };
            let (fixtures, witnesses) = (Fixtures::at("fixtures"), WitnessStore::default());
            let run = run(&claims, plan, &fixtures, &witnesses, &Silent);
            let checks = run.claims.into_iter().flat_map(|claim| claim.checks);
            let shown = checks.map(|c| format!("{:?} {:?} {:?} {:?}", c.verdict, c.counts, c.witness, c.tightest));
            shown.collect::<Vec<_>>()
        })
    };
    assert_eq!(told(1), told(3));
}

#[test]
fn numbers_that_add_up_to_one_stay_so_while_they_move() {
    #[derive(Clone, Debug, Serialize, Deserialize)]
    struct Law {
        p: Vec<f64>,
    }
    impl Instance for Law {
        fn describe(&self) -> String {
            format!("p = {:?}", self.p)
        }
        fn validate(&self) -> Result<(), String> {
            let sum: f64 = self.p.iter().sum();
            if self.p.iter().all(|&p| p >= 0.0) && (sum - 1.0).abs() < 1e-12 { Ok(()) } else { Err("no law".into()) }
        }
    }
    let laws = || {
        vec(0.0..1.0, 4).prop_map(|w| {
            let total: f64 = w.iter().sum();
            Law { p: w.iter().map(|w| w / total).collect() }
        })
    };
    let collision = |l: &Law| l.p.iter().map(|&p| exact(p).square()).sum::<Enclosure>();
    let claim = Claim::new("toy.law", "a toy", Kind::Inequality).statement("a toy").source("nowhere", &[]).setting(
        Setting::of()
            .family(random("uniform", laws))
            .part("least", "Σ p² > 1/4 + 10⁻⁹", fails("at the uniform law"), move |l: &Law, ()| {
                greater_than(collision(l), exact(0.25 + 1e-9))
            })
            .part("most", "Σ p² ≤ 0.999999", fails("at a vertex"), move |l, ()| {
                at_most(collision(l), exact(0.999_999))
            }),
    );
    let plan = Plan { seed: 1, budget: Budget::Standard };
    let (fixtures, witnesses) = (Fixtures::at("fixtures"), WitnessStore::default());
    for check in &run(&[&claim], plan, &fixtures, &witnesses, &Silent).claims[0].checks {
        assert_eq!(check.verdict, Verdict::Fails, "{}", check.id);
    }
}

#[test]
fn a_sampled_quantity_is_searched_and_confirmed_by_other_draws() {
    let sampled = |c: f64| {
        let family = || vec(0.0..10.0, 2).prop_map(|x| Point { n: 1, x });
        let measure = move |p: &Point, trial: &mut contrapositive_evidence::claim::Trial| {
            let chance: f64 = p.x.iter().map(|x| 2.0 * x / (1.0 + x * x)).product();
            let (draws, alpha) = (trial.samples(4096), trial.alpha(1));
            let hits = (0..draws).filter(|_| trial.rng().random::<f64>() < chance).count();
            let radius = (core_math::log(2.0 / alpha) / (2.0 * draws as f64)).sqrt();
            let mean = hits as f64 / draws as f64;
            Ok(Enclosure::sampled(mean - radius, mean + radius, alpha))
        };
        let setting = Setting::measuring(measure)
            .assume(Hypothesis::new("x ≥ 0", |p| p.x.iter().all(|&x| x >= 0.0)))
            .family(random("uniform", family))
            .part("printed", "P(success) ≤ c", fails("near (1, 1)"), move |_, &chance| at_most(chance, exact(c)));
        Claim::new("toy.chance", "a toy", Kind::Inequality).statement("a toy").source("nowhere", &[]).setting(setting)
    };
    for seed in 0..4 {
        // The usual number of samples sees differences of 0.059, four times as many half of that, sixteen times as many a quarter.
        for constant in [0.92, 0.96, 0.98] {
            let claim = sampled(constant);
            let check = judged(&claim, seed, Budget::Standard);
            assert_eq!(check.verdict, Verdict::Fails, "{constant}");
            let witness = check.witness.expect("a refuted check has a witness");
            let (fixtures, witnesses) = (Fixtures::at("fixtures"), WitnessStore::default());
            let context = Context {
                seed,
                budget: Budget::Standard,
                fixtures: &fixtures,
                witnesses: &witnesses,
                observer: &Silent,
                claim: "toy.chance",
            };
            let again = claim.rejudge("printed", &witness.instance, &context);
            let outcome = again.expect("an instance of the claim").outcome;
            assert!(matches!(outcome, Outcome::Judged { judgement: Judgement::Violated, .. }));
        }
        assert_ne!(judged(&sampled(1.0), seed, Budget::Standard).verdict, Verdict::Fails);
    }
}

#[test]
fn the_neighbours_of_a_statement_tell_how_much_room_it_has() {
    // 2x/(1 + x²) ≤ 1.05 for x ≥ 0: the largest value is 1, so that 95 % of the right side is too little and 99 % is not.
    let family = || vec(0.0..100.0, 1).prop_map(|x| Point { n: 1, x });
    let claim = Claim::new("toy.hump", "a toy", Kind::Inequality).statement("a toy").source("nowhere", &[]).setting(
        Setting::of()
            .assume(Hypothesis::new("x ≥ 0", |p: &Point| p.x[0] >= 0.0))
            .family(random("uniform", family))
            .part("hump", "2x/(1 + x²) ≤ 1.05", contrapositive_evidence::claim::holds(), |p: &Point, ()| {
                let x = exact(p.x[0]);
                at_most(2.0 * x / (1.0 + x.square()), exact(1.05))
            }),
    );
    let plan = Plan { seed: 5, budget: Budget::Standard };
    let found = strength(&claim, plan, &Fixtures::at("fixtures"), &WitnessStore::default(), &Silent);
    let [hump] = &found[..] else { panic!("one check: {found:?}") };
    assert!(hump.refuted.is_none() && hump.is_tested());
    let room = hump.room().expect("something was judged");
    assert!((room - 0.05 / 1.05).abs() < 1e-6, "{room}");
    let fate = |wanted| hump.mutants.iter().find(|(m, _)| *m == wanted).map(|(_, fate)| fate.clone());
    assert_eq!(fate(Mutation::Scaled(0.99)), Some(Fate::Survived));
    assert!(matches!(fate(Mutation::Scaled(0.9)), Some(Fate::Killed { .. })));
    assert!(matches!(fate(Mutation::Swapped), Some(Fate::Killed { .. })));
    // The function is odd, so that the hypothesis is not needed; the search says no more than that it found nothing.
    assert!(hump.in_words().iter().any(|line| line.starts_with("without \"x ≥ 0\": no counterexample")));
}

#[test]
fn a_check_that_breaks_down_where_only_the_search_comes_is_undecided() {
    // True wherever the family draws, and the search is free to go on.
    let stated = |instance: &Point, beyond: f64| {
        let x = instance.x[0];
        assert!(x <= beyond, "no table for x = {x}");
        at_least(exact(10.0) - 1.0 / (1.0 + exact(x).square()), exact(0.0))
    };
    let claim = |beyond: f64| {
        let family = || vec(0.0..1.0, 1).prop_map(|x| Point { n: 1, x });
        let setting = Setting::of()
            .assume(Hypothesis::new("x ≥ 0", |p: &Point| p.x[0] >= 0.0))
            .family(random("uniform", family))
            .part("printed", "as stated", fails("a breakdown"), move |p: &Point, ()| stated(p, beyond));
        Claim::new("toy.table", "a toy", Kind::Inequality).statement("a toy").source("nowhere", &[]).setting(setting)
    };
    for seed in 0..3 {
        let check = judged(&claim(2.0), seed, Budget::Quick);
        assert_eq!(check.verdict, Verdict::Undecided, "seed {seed}: {:?}", check.counts);
        assert!(check.counts.panicked > 0, "{:?}", check.counts);
        let trouble = check.trouble.as_deref().unwrap_or_default();
        assert!(trouble.contains("no table for x"), "{trouble}");
        assert_eq!(judged(&claim(f64::INFINITY), seed, Budget::Quick).verdict, Verdict::Holds);
    }
}

/// The same statement, whose search goes by plain floating point.
fn guided(constant: f64, guide: fn(&Point) -> Evaluation) -> CheckResult {
    let family = || vec(0.0..50.0, 6..7).prop_map(|x| Point { n: 1, x });
    let setting = Setting::of()
        .family(random("uniform", family))
        .assume(Hypothesis::new("x > 0", |p: &Point| p.x.iter().all(|&x| x > 0.0)))
        .part("printed", "as stated", fails("by a hair"), move |p: &Point, ()| humps(p, constant))
        .guided_by(guide);
    let claim =
        Claim::new("toy.lemma", "a toy", Kind::Inequality).statement("a toy").source("nowhere", &[]).setting(setting);
    judged(&claim, 3, Budget::Standard)
}

#[test]
fn plain_floating_point_guides_a_search_and_decides_nothing() {
    let plain = |p: &Point| {
        let factors = p.x.iter().map(|&x| x * core_math::exp(1.0 - x));
        at_most(exact(factors.product()), exact(1.0 - 1e-6))
    };
    let (unguided, led) = (guided(1.0 - 1e-6, |_| Evaluation::Failed(String::new())), guided(1.0 - 1e-6, plain));
    assert_eq!([unguided.verdict, led.verdict], [Verdict::Fails, Verdict::Fails]);
    // What is only glanced at is counted nowhere.
    assert!(led.counts.met < unguided.counts.met, "{} {}", led.counts.met, unguided.counts.met);
    // A guide that sees violations everywhere, and one that sees none anywhere, change no verdict of a true statement.
    for lying in [|_: &Point| at_most(2, 1), |_: &Point| at_most(1, 2)] {
        assert_eq!(guided(1.0, lying).verdict, Verdict::Holds);
    }
}

/// A statement of one number between zero and one, of which the search goes on to all others.
fn one_number(test: impl Fn(f64) -> Evaluation + Send + Sync + 'static) -> Claim {
    let family = || vec(0.0..1.0, 1).prop_map(|x| Point { n: 1, x });
    let setting = Setting::of().family(random("uniform", family)).part(
        "printed",
        "as stated",
        fails("nothing"),
        move |p: &Point, ()| test(p.x[0]),
    );
    Claim::new("toy.number", "a toy", Kind::Inequality).statement("a toy").source("nowhere", &[]).setting(setting)
}

fn of_one_number(test: impl Fn(f64) -> Evaluation + Send + Sync + 'static) -> CheckResult {
    judged(&one_number(test), 5, Budget::Quick)
}

#[test]
fn what_no_count_knows_the_cost_of_is_looked_at_less_often() {
    let looks = |side: fn(f64) -> Enclosure| {
        let check = of_one_number(move |x| at_most(side(-x * x), exact(1.0)));
        check.counts.by_family[&FamilyKind::Search]
    };
    let (counted, measured) = (looks(exact), looks(Enclosure::measured));
    let least = Budget::Quick.search_evaluations();
    assert!(measured <= least && counted > 2 * least, "{measured} {counted}");
}

#[test]
fn of_instances_equally_close_the_first_is_kept() {
    let steps: &Mutex<Vec<f64>> = Box::leak(Box::default());
    let check = of_one_number(move |x| {
        if x > 5.0 {
            steps.lock().unwrap().push(x);
        }
        at_most(exact(if x > 5.0 { 1.0 } else { 0.0 }), exact(2.0))
    });
    let (steps, closest) = (steps.lock().unwrap(), check.tightest.unwrap());
    assert!(steps.iter().any(|x| *x != steps[0]), "{steps:?}");
    assert_eq!(closest.description, Point { n: 1, x: vec![steps[0]] }.describe());
}

#[test]
fn of_instances_equally_close_the_strength_of_a_check_names_the_first() {
    let claim = one_number(|_| at_most(1, 2));
    let (seed, budget) = (5, Budget::Quick);
    let (fixtures, witnesses) = (Fixtures::at("fixtures"), WitnessStore::default());
    let found = strength(&claim, Plan { seed, budget }, &fixtures, &witnesses, &Silent);
    let tightest = found[0].tightest.as_ref().unwrap();
    assert_eq!(tightest.instance, judged(&claim, seed, budget).tightest.unwrap().instance);
    assert_eq!(tightest.instance, "uniform #0");
}

#[test]
fn what_a_part_leaves_out_where_only_the_search_comes_is_told() {
    // The closest instances are the largest, and leave nothing out.
    let check = of_one_number(|x| {
        let small = if x < 0.0 { vacuous("negative") } else { at_most(1, 5) };
        all_of([("small", small), ("large", at_most(exact(x).min(exact(9.0)), exact(10.0)))])
    });
    assert_eq!(check.undeclared, ["negative"]);
    assert!(check.tightest.unwrap().comparison.left_out.is_empty());
}
