//! Shrinking of structured values, found by quickcheck: what it brings down to is simple, sound, and still shows the failure.

use contrapositive::instance::{Declared, drawn, shrunk};
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult};

use super::types::{DiagonalStart, Inputs, Law, Network, Quadratic, Weighted};

/// A declared instance for quickcheck.
#[derive(Clone, Debug)]
struct Any<I>(I);

impl<I: Declared> Arbitrary for Any<I> {
    fn arbitrary(g: &mut Gen) -> Self {
        Any(drawn(&mut || u64::arbitrary(g)).expect("every field can be drawn"))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(shrunk(&self.0).into_iter().map(Any))
    }
}

fn check<I: Declared>(property: fn(Any<I>) -> TestResult) {
    let generator = Gen::from_size_and_seed(30, 5);
    QuickCheck::new().rng(generator).tests(200).quickcheck(property);
}

fn result(holds: bool) -> TestResult {
    TestResult::from_bool(holds)
}

/// Draws and everything simpler are valid, are stored and read as they are, and have as many coordinates as their layout says.
fn sound<I: Declared>(Any(instance): Any<I>) -> TestResult {
    let stored = |i: &I| serde_json::to_string(i).expect("every declared type is stored");
    let good = |i: &I| {
        let read: I = serde_json::from_str(&stored(i)).expect("what was stored is read");
        let chart = i.chart();
        i.validate().is_ok() && stored(&read) == stored(i) && chart.layout().coordinates.len() == chart.start().len()
    };
    result(good(&instance) && shrunk(&instance).iter().all(good))
}

#[test]
fn draws_and_what_is_simpler_are_sound() {
    check(sound::<DiagonalStart>);
    check(sound::<Law>);
    check(sound::<Network>);
    check(sound::<Quadratic>);
    check(sound::<Weighted>);
    check(sound::<Inputs>);
}

/// Follows the first simpler instance that still fails, as a tester does; it must come to an end.
fn simplest<I: Declared>(mut instance: I, fails: impl Fn(&I) -> bool) -> I {
    for _ in 0..10_000 {
        match shrunk(&instance).into_iter().find(&fails) {
            Some(simpler) => instance = simpler,
            None => return instance,
        }
    }
    panic!("shrinking does not end: {}", instance.describe());
}

/// An atom far out, in whatever law: a single atom on a line is the simplest.
fn far_out(law: &Law) -> bool {
    law.points.iter().flatten().any(|x| x.abs() > 1.2)
}

fn shrinks_to_one_atom(Any(law): Any<Law>) -> TestResult {
    if !far_out(&law) {
        return TestResult::discard();
    }
    let simplest = simplest(law, far_out);
    let [point] = simplest.points.as_slice() else {
        return TestResult::failed();
    };
    result(simplest.weights.len() == 1 && simplest.weights[0] == 1.0 && matches!(point[..], [x] if x.abs() == 2.0))
}

#[test]
fn a_law_shrinks_to_the_atom_that_shows_the_failure() {
    check(shrinks_to_one_atom);
}

/// An indefinite matrix needs two rows, unless one entry shows it.
fn negative_direction(q: &Quadratic) -> bool {
    let m = &q.matrix;
    (0..m.len()).any(|i| (0..i).any(|j| m[i][i] >= 0.0 && m[j][j] >= 0.0 && m[i][j] * m[i][j] > m[i][i] * m[j][j]))
}

fn shrinks_to_two_rows(Any(q): Any<Quadratic>) -> TestResult {
    if !negative_direction(&q) {
        return TestResult::discard();
    }
    let simplest = simplest(q, negative_direction);
    let off = simplest.matrix[0][1].abs();
    result(simplest.matrix.len() == 2 && off == 1.0 && simplest.matrix[0][0] == 0.0)
}

#[test]
fn a_matrix_shrinks_with_its_mirror() {
    check(shrinks_to_two_rows);
}

#[test]
fn the_tester_itself_finds_and_shrinks_a_failure() {
    fn few_layers(Any(network): Any<Network>) -> bool {
        network.layers.len() < 2
    }
    let generator = Gen::from_size_and_seed(30, 9);
    let found = QuickCheck::new().rng(generator).quicktest(few_layers as fn(Any<Network>) -> bool);
    let failure = format!("{:?}", found.expect_err("networks with two layers are drawn"));
    // All that is not part of the failure is at its plainest.
    assert!(
        failure.contains("layers: [Coins { count: 1, probability: 1.0 }, Coins { count: 1, probability: 1.0 }]"),
        "{failure}"
    );
    assert!(failure.contains("activation: Identity, inputs: Circle"), "{failure}");
    assert!(failure.contains("bias: [0.0, 0.0], biased: false"), "{failure}");
}
