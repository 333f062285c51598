use super::*;
use serde::Deserialize;

fn points(weights: &[f64], at: &[f64]) -> LatentClassModel {
    LatentClassModel::point_masses(weights, &at.iter().map(|x| vec![*x]).collect::<Vec<_>>()).unwrap()
}

#[test]
fn zero_encoder_and_coinciding_classes_have_the_entropy() {
    for n in 2..6 {
        let zero = best_head_loss_all(&LatentClassModel::zero_encoder(n, 2).unwrap()).unwrap();
        assert!(zero.width() < 1e-14 && zero.lo() <= core_math::log(n as f64) && zero.hi() >= core_math::log(n as f64));
    }
    // Two classes at one point of probability 1/4 and 3/4: the head sees nothing but the shares.
    let same = best_head_loss_all(&points(&[1.0, 3.0], &[2.0, 2.0])).unwrap();
    let entropy = core_math::log(4.0) - 0.75 * core_math::log(3.0);
    assert!(same.lo() <= entropy && entropy <= same.hi() && same.width() < 1e-12, "{same:?}");
}

#[test]
fn separable_classes_have_loss_zero() {
    let separable = best_head_loss_all(&points(&[1.0, 1.0], &[1.0, -1.0])).unwrap();
    assert!(separable.lo() == 0.0 && separable.hi() < 1e-12, "{separable:?}");
    assert_eq!(best_head_loss(&points(&[1.0, 1.0], &[1.0, -1.0]), &[1]).unwrap(), Interval::ZERO);
}

#[test]
fn overlapping_classes_are_enclosed_narrowly() {
    // The task {1, 3} of the register's model R0.
    let model: LatentClassModel = serde_json::from_str(
        r#"{"class_weights":[5.0,3.0,2.0],"classes":[
            [{"weight":1.0,"at":[1.0,0.0]},{"weight":3.0,"at":[0.5,0.5]}],
            [{"weight":1.0,"at":[-1.0,0.0]}],
            [{"weight":2.0,"at":[0.0,2.0]},{"weight":3.0,"at":[0.0,-1.0]},{"weight":5.0,"at":[1.0,1.0]}]]}"#,
    )
    .unwrap();
    let pair = best_head_loss(&model, &[0, 2]).unwrap();
    assert!((pair.midpoint() - 0.573_711_059_1).abs() < 1e-10 && pair.width() < 1e-10, "{pair:?}");
    let dual = best_head_dual_bound(&model, &[0, 2]).unwrap();
    assert_eq!(dual, pair.lo(), "nothing was cut off");
    assert!(best_head_dual_bound(&model, &[3]).is_err());
    let all = best_head_loss_all(&model).unwrap();
    assert!((all.midpoint() - 0.438_911_86).abs() < 1e-8 && all.width() < 1e-9, "{all:?}");
    assert!(best_head_loss(&model, &[]).is_err() && best_head_loss(&model, &[7]).is_err());
}

#[derive(Deserialize)]
struct Golden {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    kind: String,
    model: LatentClassModel,
    value: String,
}

#[test]
fn values_by_other_means_are_enclosed_narrowly() {
    let golden: Golden = serde_json::from_str(include_str!("../../../fixtures/golden/best_head.json")).unwrap();
    for kind in ["overlapping", "separable", "partly"] {
        assert!(golden.cases.iter().filter(|case| case.kind == kind).count() > 5, "{kind}");
    }
    for case in &golden.cases {
        let found = best_head_loss_all(&case.model).unwrap();
        let value: f64 = case.value.parse().unwrap();
        assert!(found.lo() <= value.next_up() && value <= found.hi(), "{} {found:?} {value}", case.name);
        assert!(found.width() < 1e-9, "{} {found:?} {value}", case.name);
    }
}

#[test]
fn heads_of_hundreds_of_parameters_are_enclosed_narrowly() {
    // Ten overlapping classes in 30 dimensions, by a fixed rule.
    let classes = (0..10u32).map(|c| {
        let coordinate = |j: u32, i: u32| {
            f64::from((j * (5 + 7 * i) + c * (73 + 17 * i * i * i) + 61 * i * i + 3 * j * j * (i + 1)) % 211) / 105.0
                - 1.0
        };
        let atom = |j: u32| super::super::Atom { weight: 1.0, at: (0..30).map(|i| coordinate(j, i)).collect() };
        (0..60).map(atom).collect()
    });
    let model = LatentClassModel::new(vec![1.0; 10], classes.collect()).unwrap();
    let found = best_head_loss_all(&model).unwrap();
    assert!(found.lo() > 0.5 && found.hi() < core_math::log(10.0) && found.width() < 1e-9, "{found:?}");
}

#[test]
fn quasi_newton_steps_reach_the_same_head() {
    let golden: Golden = serde_json::from_str(include_str!("../../../fixtures/golden/best_head.json")).unwrap();
    for case in golden.cases.iter().filter(|case| case.kind == "overlapping") {
        let task: Vec<usize> = (0..case.model.n_classes()).collect();
        let problem = SoftmaxRegression::new(&case.model, &task);
        let value: f64 = case.value.parse().unwrap();
        let found = problem.loss(&problem.quasi_newton());
        assert!(
            found.lo() <= value + 1e-9 && found.hi() >= value && found.hi() < value + 1e-9,
            "{} {found:?}",
            case.name
        );
    }
}

#[test]
fn a_pair_that_is_all_but_separable_is_not_dropped() {
    // Separable only if 2^-60 were zero: the first class has points on both sides of a line through the second.
    let tiny = core_math::exp2(-60.0);
    let atom = |x: f64, y: f64| super::super::Atom { weight: 1.0, at: vec![x, y] };
    let model = |slope: f64| {
        let classes = vec![vec![atom(0.0, 1.0), atom(slope, -1.0)], vec![atom(0.0, 2.0), atom(0.0, -1.0)]];
        LatentClassModel::new(vec![1.0, 1.0], classes).unwrap()
    };
    let (separable, overlapping) = (best_head_loss_all(&model(1.0)).unwrap(), best_head_loss_all(&model(0.0)).unwrap());
    let between = best_head_loss_all(&model(tiny)).unwrap();
    // The atom (slope, -1) can be separated from the second class for every slope but zero.
    assert!(
        between.lo() <= separable.hi() && between.lo() < overlapping.lo(),
        "{between:?} {separable:?} {overlapping:?}"
    );
}
