//! Coordinates: what they mean, and moving along them.

use contrapositive::instance::layout::{CoordinateKind, Group, Items, Scale, Shape};
use contrapositive::instance::{Chart, Declared, Instance, drawn};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::types::{
    Activation, ByHand, Coins, DiagonalStart, Displacement, Inputs, Journey, Law, Matrices, Network, Quadratic,
    Weighted,
};

fn law() -> Law {
    Law { weights: vec![1.0, 3.0, 4.0], points: vec![vec![0.5, 0.0], vec![-2.0, 1.0], vec![7.0, 8.0]] }
}

#[test]
fn weights_matrices_and_sizes_are_told_apart() {
    let chart = law().chart();
    let layout = chart.layout();
    assert_eq!(chart.start(), [1.0, 3.0, 4.0, 0.5, 0.0, -2.0, 1.0, 7.0, 8.0]);
    let group = |start, length, shape| Group { start, length, shape };
    let matrix = Shape::Matrix { rows: 3, columns: 2 };
    let rows = [3, 5, 7].map(|start| group(start, 2, Shape::Vector));
    let expected = [&[group(0, 3, Shape::Weights), group(3, 6, matrix)], rows.as_slice()].concat();
    assert_eq!(layout.groups, expected);
    let [n, d] = layout.sizes.as_slice() else {
        panic!("two sizes, not {:?}", layout.sizes);
    };
    assert_eq!((n.name.as_str(), n.value, n.least, n.greatest), ("n", 3, 1, 8));
    assert_eq!((d.name.as_str(), d.value, d.items), ("d", 2, Items::Ordered));
    assert_eq!(n.items, Items::Interchangeable);
    assert_eq!(n.item(1).collect::<Vec<_>>(), [1, 5, 6], "the weight and the point of an atom");
    assert_eq!(d.item(1).collect::<Vec<_>>(), [4, 6, 8], "the second coordinate of every point");
    assert!(layout.coordinates[0].range.contains(0.0) && !layout.coordinates[0].range.contains(-1.0));
}

#[test]
fn kinds_ranges_and_scales_are_those_that_are_declared() {
    let coins = Coins { count: 3, probability: 0.5 }.chart();
    let [count, probability] = coins.layout().coordinates[..] else {
        panic!("two coordinates");
    };
    assert_eq!((count.kind, count.range.low, count.range.high), (CoordinateKind::Integer, 1.0, 1e5));
    assert_eq!((count.typical.high, count.range.declared), (60.0, true));
    assert!(!probability.range.contains(0.0) && probability.range.contains(1.0));
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let start: DiagonalStart = drawn(&mut || rng.random()).expect("every field can be drawn");
    assert_eq!(start.chart().layout().coordinates[0].scale, Scale::Logarithmic);
    let quadratic = Quadratic { matrix: vec![vec![1.0, 2.0], vec![2.0, 3.0]], seed: u64::MAX };
    let chart = quadratic.chart();
    assert_eq!(chart.start(), [1.0, 2.0, 3.0], "the upper triangle; the seed is fixed");
    assert_eq!(chart.layout().groups[0].shape, Shape::Symmetric { size: 2 });
    let mut moved = quadratic;
    assert!(chart.place(&mut moved, &[4.0, 5.0, 6.0]));
    assert_eq!(moved.matrix, [[4.0, 5.0], [5.0, 6.0]]);
}

#[test]
fn a_number_that_a_type_does_not_hold_is_refused() {
    let mut coins = Coins { count: 3, probability: 0.5 };
    let chart = coins.chart();
    assert!(!chart.place(&mut coins, &[-1.0, 0.5]) && !chart.place(&mut coins, &[1e10, 0.5]));
    assert!(!chart.place(&mut coins, &[1.0, f64::NAN]) && !chart.place(&mut coins, &[1.0]));
    assert!(!chart.place(&mut coins, &[1.0, 0.5, 0.5]));
    // Ranges are for `validate`.
    assert!(chart.place(&mut coins, &[7.4, 2.0]) && coins.validate().is_err());
    assert_eq!(coins.count, 7, "whole numbers are rounded");
    let mut choice = Activation::Sigmoid;
    let chart = choice.chart();
    assert_eq!((chart.start(), chart.layout().coordinates[0].kind), (&[2.0][..], CoordinateKind::Choice));
    assert!(chart.place(&mut choice, &[1.0]) && choice == Activation::Relu);
    assert!(!chart.place(&mut choice, &[3.0]));
}

#[test]
fn nested_and_listed_parts_move_too() {
    let mut network = Network {
        activation: Activation::Identity,
        inputs: Inputs::Given(vec![1.0, 2.0]),
        start: ByHand { x: 0.5 },
        layers: vec![Coins { count: 2, probability: 0.25 }; 2],
        eta: None,
        bias: [8.0, 9.0],
        biased: false,
    };
    let chart = network.chart();
    assert_eq!(chart.start(), [0.0, 1.0, 2.0, 0.5, 2.0, 0.25, 2.0, 0.25, 8.0, 9.0, 0.0]);
    let layers = chart.layout().sizes.iter().find(|s| s.items == Items::Interchangeable);
    assert_eq!(layers.map(|s| s.item(1).collect()), Some(vec![6, 7]));
    assert!(chart.place(&mut network, &[2.0, 3.0, 4.0, 1.0, 5.0, 0.5, 6.0, 0.75, 1.0, 2.0, 1.0]));
    assert_eq!(
        network,
        Network {
            activation: Activation::Sigmoid,
            inputs: Inputs::Given(vec![3.0, 4.0]),
            start: ByHand { x: 1.0 },
            layers: vec![Coins { count: 5, probability: 0.5 }, Coins { count: 6, probability: 0.75 }],
            eta: None,
            bias: [1.0, 2.0],
            biased: true,
        }
    );
}

/// A native chart and the chart of the stored form move the same numbers to the same instances.
#[track_caller]
fn as_stored<I: Declared + PartialEq>() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..100 {
        let mut draw = || drawn::<I>(&mut || rng.random()).expect("every field can be drawn");
        let (here, there) = (draw(), draw());
        let (native, stored) = (here.chart(), Chart::stored(&here));
        assert_eq!(native.start(), stored.start());
        let (mut one, mut other) = (there.clone(), there);
        if native.place(&mut one, native.start()) {
            assert_eq!(one, here);
        } else {
            // Another shape: a chart moves instances of its own.
            one = here.clone();
        }
        let at: Vec<f64> = native.start().iter().map(|x| if *x == 0.5 { 0.25 } else { *x }).collect();
        other.clone_from(&here);
        assert!(native.place(&mut one, &at) && stored.place(&mut other, &at));
        assert_eq!(one, other);
    }
}

#[test]
fn charts_in_place_and_through_the_stored_form_agree() {
    as_stored::<Coins>();
    as_stored::<DiagonalStart>();
}

/// Wherever a draw lies, its chart leads from any other instance of its shape to it.
#[track_caller]
fn leads_back<I: Declared + PartialEq>() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..200 {
        let instance: I = drawn(&mut || rng.random()).expect("every field can be drawn");
        let chart = instance.chart();
        let away: Vec<f64> = chart.layout().coordinates.iter().map(|c| c.range.clamp(1.0)).collect();
        let mut moved = instance.clone();
        assert!(chart.place(&mut moved, &away) && chart.place(&mut moved, chart.start()));
        assert_eq!(moved, instance);
    }
}

#[test]
fn every_instance_can_be_reached() {
    leads_back::<Coins>();
    leads_back::<Displacement>();
    leads_back::<Matrices>();
    leads_back::<Weighted>();
    leads_back::<DiagonalStart>();
    leads_back::<Law>();
    leads_back::<Quadratic>();
    leads_back::<Inputs>();
    leads_back::<Network>();
}

#[test]
fn no_name_of_a_field_is_taken() {
    let journey = Journey {
        from: Coins { count: 2, probability: 0.5 },
        lengths: vec![1.0],
        survey: 2.0,
        edit: 3.0,
        sentence: 4.0,
    };
    assert_eq!(journey.chart().start(), [2.0, 0.5, 1.0, 2.0, 3.0, 4.0]);
    assert_eq!(journey.describe(), "m = 2, p = 0.5, lengths = [1.0], survey = 2, edit = 3, sentence = 4");
}
