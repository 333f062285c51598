use super::*;
use crate::probability::{CoverageLaw, collector_mean};
use num_rational::BigRational;
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    groups: Vec<(u64, usize)>,
    draws: u64,
    covered: String,
    missed: String,
    log_covered: String,
}

impl Case {
    fn weights(&self) -> Vec<f64> {
        let group = |&(weight, count): &(u64, usize)| vec![weight as f64; count];
        self.groups.iter().flat_map(group).collect()
    }
}

/// Whether the decimal number lies inside, give or take its own rounding to a double.
fn holds(x: Interval, digits: &str) -> bool {
    let value: f64 = digits.parse().unwrap();
    x.lo() <= value.next_up() && value.next_down() <= x.hi()
}

fn sharp(x: Interval, relative: f64) -> bool {
    // Relative accuracy ends with the normal numbers.
    x.hi() < 1e-290 || x.width() <= relative * x.lo()
}

#[test]
fn forty_digit_values_lie_inside() {
    let golden: Golden = serde_json::from_str(include_str!("../../../../fixtures/golden/coverage.json")).unwrap();
    assert!(golden.cases.len() > 50);
    for case in &golden.cases {
        let found = Coverage::of_weights(&case.weights(), case.draws).unwrap();
        let context = format!("{:?} {} {found:?}", case.groups, case.draws);
        assert!(holds(found.covered, &case.covered), "{context}");
        assert!(holds(found.missed, &case.missed), "{context}");
        assert!(holds(found.log_covered, &case.log_covered), "{context}");
        assert!(sharp(found.covered, 1e-15) && sharp(found.missed, 1e-14), "{context}");
        let rounded = Coverage::of_probabilities(&probabilities_of(&case.weights()).unwrap(), case.draws).unwrap();
        assert!(holds(rounded.covered, &case.covered) && holds(rounded.missed, &case.missed), "{context}");
        assert!(sharp(rounded.covered, 1e-12) && sharp(rounded.missed, 1e-12), "{context} {rounded:?}");
    }
}

#[test]
fn the_whole_uniform_law_agrees_with_the_recursion() {
    for classes in [2, 3, 10, 50, 200] {
        let draws = 4 * collector_mean(classes).hi() as usize;
        let law = CoverageLaw::uniform(classes as usize, draws).unwrap();
        let weights = vec![0.3; classes as usize];
        let mut before = 0.0;
        for n in (0..=draws).step_by(1 + draws / 300) {
            let found = Coverage::of_weights(&weights, n as u64).unwrap();
            assert!(found.covered.intersection(law.covered(n)).is_some(), "{classes} {n}");
            assert!(found.missed.intersection(law.survival(n)).is_some(), "{classes} {n}");
            assert!(n < classes as usize || sharp(found.covered, 2e-15) && sharp(found.missed, 1e-14), "{found:?}");
            assert!(found.covered.lo() >= before, "more draws cover more: {classes} {n}");
            before = found.covered.lo() * (1.0 - 1e-15);
        }
    }
}

#[test]
fn the_other_ways_agree() {
    let weights = [1.0, 2.0, 2.0, 3.0, 5.0, 8.0, 8.0];
    let rho = probabilities_of(&weights).unwrap();
    for n in [7, 8, 12, 30, 100, 400] {
        let (sets, positive) = (recursion::all_sets(&rho, n).unwrap(), recursion::groups(&rho, n).unwrap());
        let found = Coverage::of_weights(&weights, n as u64).unwrap().covered;
        assert!(found.intersection(sets).is_some() && found.intersection(positive).is_some(), "{n}");
    }
}

#[test]
fn the_two_methods_overlap() {
    for weights in [vec![1.0, 1.0], vec![5.0, 3.0, 2.0], vec![1.0; 60], (10..400).map(f64::from).collect()] {
        let groups = Shares::of_weights(&weights).groups();
        let mut compared = 0;
        for step in 0..60u64 {
            let n = 10 + step * step * step;
            let Some(rare) = rare::missed(&groups, n).filter(|m| m.lo() > 1e-16 && n >= weights.len() as u64) else {
                continue;
            };
            let log = contour::log_covered(&groups, n).unwrap();
            let missed = (-log.value.exponentials().1).widened_by(2.0 * log.error + 1e-28);
            assert!(rare.intersection(missed).is_some(), "{n} {rare:?} {missed:?}");
            assert!(log.error < 1e-22, "{n} {}", log.error);
            compared += 1;
        }
        assert!(compared > 1, "{compared} of {} classes", weights.len());
    }
}

#[test]
fn uncertain_probabilities_widen_the_result() {
    let wide: Vec<Interval> = [0.5, 0.3, 0.2].map(|p| Interval::new(0.99 * p, 1.01 * p)).to_vec();
    for n in [3, 5, 20, 100, 1000] {
        let found = Coverage::of_probabilities(&wide, n).unwrap();
        for shift in [-0.009, 0.0, 0.009] {
            let inside = Coverage::of_weights(&[0.5 * (1.0 + shift), 0.3, 0.2 - 0.5 * shift], n);
            let fits = (0.2 - 0.5 * shift) / 0.2 - 1.0;
            let inside = inside.unwrap();
            let within = fits.abs() <= 0.01;
            assert!(!within || found.covered.contains(inside.covered.midpoint()), "{n} {shift}");
            assert!(!within || found.missed.contains(inside.missed.midpoint()), "{n} {shift}");
        }
        assert!(found.covered.lo() > 0.0 && found.covered.hi() <= 1.0);
    }
    let vague = [Interval::new(0.0, 0.1), Interval::new(0.5, 1.0)];
    let found = Coverage::of_probabilities(&vague, 2).unwrap();
    assert!(found.covered.contains(0.18) && found.covered.hi() < 0.2, "{found:?}");
}

#[test]
fn weights_of_any_size() {
    let plain = Coverage::of_weights(&[1.0, 2.0, 4.0], 9).unwrap();
    for scale in [1e-300, 1e300] {
        let scaled = Coverage::of_weights(&[scale, 2.0 * scale, 4.0 * scale], 9).unwrap();
        assert!(scaled.covered.intersection(plain.covered).is_some() && sharp(scaled.covered, 1e-15));
    }
    for weights in [[1e-320, 1.0], [f64::MIN_POSITIVE, f64::MAX]] {
        let found = Coverage::of_weights(&weights, 1000).unwrap();
        assert!(found.covered.hi() < 1e-200 && found.missed.contains(1.0), "{found:?}");
    }
}

#[test]
fn refusals_and_ends() {
    assert_eq!(probabilities_of(&[]), Err(CollectorError::NoClasses));
    assert!(matches!(probabilities_of(&[1.0, 0.0]), Err(CollectorError::Weight { class: 1, .. })));
    assert!(matches!(Coverage::of_weights(&[f64::NAN], 1), Err(CollectorError::Weight { .. })));
    let half = Interval::point(0.5);
    assert!(matches!(coverage_probability(&[half], 3), Err(CollectorError::Total { .. })));
    assert_eq!(coverage_probability(&[], 3), Err(CollectorError::NoClasses));
    let few = Coverage::of_weights(&[1.0, 2.0], 1).unwrap();
    assert_eq!((few.covered, few.missed, few.log_covered.lo()), (Interval::ZERO, Interval::ONE, f64::NEG_INFINITY));
    assert_eq!(Coverage::of_weights(&[3.0], 1).unwrap().covered, Interval::ONE);
    assert_eq!(Coverage::of_weights(&[3.0], 0).unwrap().covered, Interval::ZERO);
    let far = Coverage::of_weights(&[1.0, 1e-300], u64::MAX).unwrap();
    assert!(far.covered.contains(1.0) && far.missed.hi() <= 1.0);
}

/// `p_cc` of integer weights by inclusion and exclusion in rational numbers.
fn rational(weights: &[u32], draws: usize) -> BigRational {
    let whole: u32 = weights.iter().sum();
    let mut total = BigRational::from_integer(0.into());
    for set in 0..1u32 << weights.len() {
        let kept: u32 = weights.iter().enumerate().filter(|(c, _)| set >> c & 1 == 1).map(|(_, w)| *w).sum();
        let share = BigRational::new(kept.into(), whole.into());
        let term = (0..draws).fold(BigRational::from_integer(1.into()), |power, _| power * &share);
        let missing = weights.len() as u32 - set.count_ones();
        total += if missing.is_multiple_of(2) { term } else { -term };
    }
    total
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn small_cases_by_rationals(weights in prop::collection::vec(1u32..500, 1..7), extra in 0usize..80) {
        let draws = weights.len() + extra;
        let truth = rational(&weights, draws);
        let doubles: Vec<f64> = weights.iter().map(|&w| f64::from(w)).collect();
        let found = Coverage::of_weights(&doubles, draws as u64).unwrap();
        let end = |e: f64| BigRational::from_float(e).unwrap();
        prop_assert!(end(found.covered.lo()) <= truth && truth <= end(found.covered.hi()), "{found:?}");
        let rest = end(1.0) - truth;
        prop_assert!(end(found.missed.lo()) <= rest && rest <= end(found.missed.hi()), "{found:?}");
    }
}
