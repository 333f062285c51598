//! Values in forty digits, computed by `fixtures/golden/exact_losses.py`.

use serde::Deserialize;

use crate::exact::{Aggregation, LossOptions, exact_unsupervised_losses};
use contrastive::data::LabelledPoints;

#[derive(Deserialize)]
struct Golden {
    sets: std::collections::BTreeMap<String, LabelledPoints>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    points: String,
    n: u64,
    value: String,
    #[serde(default = "one")]
    temperature: f64,
    #[serde(default = "yes")]
    same: bool,
    #[serde(default = "yes")]
    itself: bool,
    #[serde(default = "yes")]
    positive: bool,
    #[serde(default)]
    mean: bool,
}

fn one() -> f64 {
    1.0
}

fn yes() -> bool {
    true
}

#[test]
fn forty_digit_values_lie_inside() {
    let golden: Golden = serde_json::from_str(include_str!("../../../../fixtures/golden/exact_losses.json")).unwrap();
    let mut smallest = f64::INFINITY;
    for case in &golden.cases {
        let options = LossOptions {
            positive_in_denominator: case.positive,
            temperature: case.temperature,
            aggregation: if case.mean { Aggregation::Mean } else { Aggregation::Sum },
            same_class_negatives: case.same,
            self_positive: case.itself,
            ..LossOptions::default()
        };
        let loss = exact_unsupervised_losses(&golden.sets[&case.points], &[case.n], &options).unwrap()[0];
        // Read as the nearest double, half a unit of the last place off.
        let value: f64 = case.value.parse().unwrap();
        assert!(loss.lo() <= value.next_up() && value.next_down() <= loss.hi(), "{loss:?} {}", case.value);
        assert!(0.5 * loss.width() <= 1e-12 * value.abs().max(if case.positive { 0.0 } else { 1.0 }), "{loss:?}");
        smallest = smallest.min(value.abs());
    }
    assert!(smallest < 1e-15, "the set of separated classes has a tiny loss");
}
