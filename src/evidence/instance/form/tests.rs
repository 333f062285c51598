//! What JSON can store, a form can; and it moves.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Form;
use crate::instance::layout::{CoordinateKind, Group, Shape};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Part {
    Nothing,
    One(f64),
    Two(f64, u32),
    Named { x: f64, at: [f64; 2] },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Unit;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Wrapped(Vec<f64>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Tagged {
    Plain { x: f64 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Everything {
    parts: Vec<Part>,
    matrix: Vec<Vec<f64>>,
    ragged: Vec<Vec<f64>>,
    wrapped: Wrapped,
    unit: Unit,
    some: Option<f64>,
    none: Option<f64>,
    letter: char,
    word: String,
    flag: bool,
    signed: i32,
    seed: u64,
    single: f32,
    counted: BTreeMap<u32, f64>,
    tagged: Tagged,
    pair: (f64, u8),
    #[serde(skip_serializing_if = "Option::is_none", default)]
    skipped: Option<f64>,
}

fn everything() -> Everything {
    Everything {
        parts: vec![Part::Nothing, Part::One(1.5), Part::Two(2.0, 7), Part::Named { x: 3.0, at: [4.0, 5.0] }],
        matrix: vec![vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]],
        ragged: vec![vec![1.0], vec![], vec![2.0, 3.0]],
        wrapped: Wrapped(vec![8.0]),
        unit: Unit,
        some: Some(9.0),
        none: None,
        letter: 'ω',
        word: "nats".into(),
        flag: true,
        signed: -3,
        seed: u64::MAX,
        single: 0.5,
        counted: BTreeMap::from([(2, 0.25), (3, 0.75)]),
        tagged: Tagged::Plain { x: 10.0 },
        pair: (11.0, 12),
        skipped: None,
    }
}

#[test]
fn a_form_reads_as_the_value_that_was_written() {
    let form = Form::of(&everything()).unwrap();
    assert_eq!(form.read::<Everything>(&form.start()).unwrap(), everything());
}

#[test]
fn a_form_writes_the_json_that_the_value_writes() {
    let form = Form::of(&everything()).unwrap();
    assert_eq!(serde_json::to_string(&form).unwrap(), serde_json::to_string(&everything()).unwrap());
    assert_eq!(serde_json::to_value(&form).unwrap(), serde_json::to_value(everything()).unwrap());
    assert_eq!(
        serde_json::to_string(&Form::of(&[f64::NAN, f64::INFINITY, -0.0]).unwrap()).unwrap(),
        "[null,null,-0.0]"
    );
}

#[test]
fn the_form_of_json_reads_as_the_value() {
    let stored = serde_json::to_value(everything()).unwrap();
    let form = Form::of(&stored).unwrap();
    assert_eq!(form.read::<Everything>(&form.start()).unwrap(), everything());
    for (place, other) in [
        ("flag", "1"),
        ("word", "2"),
        ("signed", "\"-3\""),
        ("signed", "-3.5"),
        ("pair", "[1.0]"),
        ("pair", "[1.0, 2, 3]"),
        ("counted", "{\"two\": 0.5}"),
        ("matrix", "{}"),
    ] {
        let mut damaged = stored.clone();
        damaged[place] = serde_json::from_str(other).unwrap();
        let form = Form::of(&damaged).unwrap();
        assert!(form.read::<Everything>(&form.start()).is_err(), "{place}: {other} was read");
    }
}

#[test]
fn every_number_can_be_replaced_and_nothing_else_changes() {
    let form = Form::of(&everything()).unwrap();
    let (layout, mut doubled) = (form.layout(), form.start());
    for (x, coordinate) in doubled.iter_mut().zip(&layout.coordinates) {
        *x = if coordinate.kind == CoordinateKind::Choice { 1.0 - *x } else { 2.0 * *x };
    }
    let moved: Everything = form.read(&doubled).unwrap();
    assert_eq!(moved.flag, !everything().flag);
    let flag = layout.coordinates.iter().position(|c| c.kind == CoordinateKind::Choice).unwrap();
    let neither = [&doubled[..flag], &[2.0], &doubled[flag + 1..]].concat();
    assert!(form.read::<Everything>(&neither).is_err(), "two is neither true nor false");
    assert_eq!(moved.parts[3], Part::Named { x: 6.0, at: [8.0, 10.0] });
    assert_eq!((moved.signed, moved.single, moved.pair), (-6, 1.0, (22.0, 24)));
    assert_eq!(moved.counted, BTreeMap::from([(2, 0.5), (3, 1.5)]), "keys stay");
    assert_eq!(moved.seed, u64::MAX, "a double would not hold it");
    assert_eq!(Form::of(&moved).unwrap().start(), doubled);
}

#[test]
fn numbers_that_the_type_cannot_hold_are_refused() {
    let form = Form::of(&everything()).unwrap();
    let layout = form.layout();
    let byte = layout.coordinates.iter().position(|c| c.kind == CoordinateKind::Integer && c.range.high == 255.0);
    let with = |place: usize, x: f64| {
        let mut at = form.start();
        at[place] = x;
        form.read::<Everything>(&at).map(|e| e.pair.1)
    };
    let byte = byte.unwrap();
    assert_eq!(with(byte, 254.6).unwrap(), 255, "whole numbers are rounded");
    assert!(with(byte, 256.0).is_err() && with(byte, -1.0).is_err() && with(byte, 1e300).is_err());
    assert!(with(0, f64::NAN).is_err() && with(0, f64::INFINITY).is_err());
    assert!(form.read::<Everything>(&form.start()[1..]).is_err(), "one number is missing");
}

#[test]
fn lists_of_numbers_are_vectors_and_equally_long_ones_a_matrix() {
    #[derive(Serialize)]
    struct Lists {
        a: f64,
        matrix: Vec<Vec<f64>>,
        ragged: Vec<Vec<f64>>,
        sizes: Vec<u32>,
        flags: Vec<bool>,
    }
    let lists = Lists {
        a: 0.5,
        matrix: vec![vec![1.0, 2.0], vec![3.0, 4.0]],
        ragged: vec![vec![5.0], vec![6.0, 7.0]],
        sizes: vec![3, 4],
        flags: vec![true, false],
    };
    let group = |start, length, shape| Group { start, length, shape };
    let matrix = Shape::Matrix { rows: 2, columns: 2 };
    assert_eq!(
        Form::of(&lists).unwrap().layout().groups,
        [
            group(1, 4, matrix),
            group(1, 2, Shape::Vector),
            group(3, 2, Shape::Vector),
            group(5, 1, Shape::Vector),
            group(6, 2, Shape::Vector),
            group(8, 2, Shape::List),
            group(10, 2, Shape::List),
        ]
    );
}
