//! Default edge instances.

use std::collections::BTreeSet;

use contrapositive::instance::Instance;

use super::types::{Activation, ByHand, Coins, DiagonalStart, Inputs, Law, Network, Quadratic};

#[track_caller]
fn sound<I: Instance>() -> Vec<(String, I)> {
    let edges = I::edges();
    assert!((3..=96).contains(&edges.len()), "{} edges", edges.len());
    let mut seen = BTreeSet::new();
    for (name, edge) in &edges {
        assert_eq!(edge.validate(), Ok(()), "{name}: {}", edge.describe());
        assert!(seen.insert(name.clone()), "{name} twice");
    }
    edges
}

fn has<I: Instance + PartialEq>(edges: &[(String, I)], wanted: &I) {
    let found = edges.iter().any(|(_, edge)| edge == wanted);
    assert!(found, "{} is missing among {:?}", wanted.describe(), edges);
}

#[test]
fn the_ends_of_declared_ranges_are_edges() {
    let edges = sound::<Coins>();
    let coins = |count, probability| Coins { count, probability };
    has(&edges, &coins(1, 1.0));
    has(&edges, &coins(1, 0.0_f64.next_up()));
    has(&edges, &coins(60, 1.0));
    let starts = sound::<DiagonalStart>();
    assert!(starts.iter().any(|(_, s)| s.sigma_squared == [1e-4] && s.correlation == [-1.0]));
}

#[test]
fn vectors_weights_and_matrices_have_theirs() {
    let edges = sound::<Law>();
    let atoms = |weights: &[f64], points: &[&[f64]]| Law {
        weights: weights.to_vec(),
        points: points.iter().map(|p| p.to_vec()).collect(),
    };
    has(&edges, &atoms(&[1.0], &[&[0.0]]));
    has(&edges, &atoms(&[1.0, 1.0], &[&[1.0], &[1.0]]));
    assert!(edges.iter().any(|(_, law)| law.weights == [1.0, 0.0]), "an atom of weight zero");
    let edges = sound::<Quadratic>();
    let matrix = |rows: [[f64; 2]; 2]| Quadratic { matrix: rows.iter().map(|r| r.to_vec()).collect(), seed: 0 };
    has(&edges, &matrix([[1.0, 0.0], [0.0, 1.0]]));
    has(&edges, &matrix([[0.0, 1.0], [1.0, 0.0]]));
    has(&edges, &matrix([[1.0, -1.0], [-1.0, 1.0]]));
    has(&edges, &matrix([[-100.0, -100.0], [-100.0, -100.0]]));
}

#[test]
fn every_choice_and_variant_occurs() {
    let choices: Vec<Activation> = sound().into_iter().map(|(_, a)| a).collect();
    assert_eq!(choices.len(), 3);
    let inputs: Vec<Inputs> = sound().into_iter().map(|(_, i)| i).collect();
    assert!(inputs.contains(&Inputs::Circle));
    assert!(inputs.iter().any(|i| matches!(i, Inputs::Close { .. })));
    assert!(inputs.contains(&Inputs::Given(vec![0.0])));
    // A hand-written part gives its own edge instances.
    assert!(sound::<Network>().iter().any(|(_, n)| n.start == ByHand { x: 2.0 }));
}
