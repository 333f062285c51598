//! Validation: what is refused, and in which words; and agreement with the catalogue's own validation.

use contrapositive::instance::{Instance, drawn};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::types::{Coins, DiagonalStart, Displacement, Inputs, Law, Network, Quadratic};

#[track_caller]
fn refused(instance: &impl Instance, because: &str) {
    assert_eq!(instance.validate(), Err(because.to_owned()));
}

#[test]
fn what_is_wrong_is_named_with_its_value_and_its_limit() {
    let coins = |count, probability| Coins { count, probability };
    assert_eq!(coins(1, 1.0).validate(), Ok(()));
    refused(&coins(0, 0.5), "m = 0 is not in [1, 100000]");
    refused(&coins(3, 0.0), "p = 0 is not in (0, 1]");
    refused(&coins(3, f64::NAN), "p = NaN is not a finite number");
    let moved = |point: &[f64], by: &[f64]| Displacement { point: point.to_vec(), by: by.to_vec() };
    refused(&moved(&[1.0, 2e6], &[0.0, 0.0]), "entry 2 of y = 2000000 is not in [−1000000, 1000000]");
    refused(&moved(&[1.0, 2.0], &[0.0]), "y′ has 1 item where k = 2");
    let law = |weights: &[f64], points: &[&[f64]]| Law {
        weights: weights.to_vec(),
        points: points.iter().map(|p| p.to_vec()).collect(),
    };
    refused(&law(&[], &[]), "p has 0 items, fewer than 1");
    refused(&law(&[0.0, 0.0], &[&[1.0], &[1.0]]), "p has no positive entry");
    refused(&law(&[1.0, -1.0], &[&[1.0], &[1.0]]), "entry 2 of p = -1 is not in [0, ∞)");
    refused(&law(&[1.0, 1.0], &[&[1.0], &[1.0, 2.0]]), "entry 2 of x has 2 items where d = 1");
    refused(&law(&[1.0], &[&[f64::INFINITY]]), "entry (1, 1) of x = inf is not a finite number");
    let matrix = |rows: &[&[f64]]| Quadratic { matrix: rows.iter().map(|r| r.to_vec()).collect(), seed: 0 };
    assert_eq!(matrix(&[&[1.0, 2.0], &[2.0, 0.0]]).validate(), Ok(()));
    refused(&matrix(&[&[1.0, 2.0], &[3.0, 0.0]]), "entry (1, 2) of A = 2 differs from its mirror, 3");
    refused(&matrix(&[&[1.0, 2.0]]), "entry 1 of A has 2 items where n = 1");
    refused(&Inputs::Close { angle: 3.1 }, "angle = 3.1 is not in (1e-6, 3.1)");
}

#[test]
fn parts_of_parts_are_found_at_fault() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let mut network: Network = drawn(&mut || rng.random()).expect("every field can be drawn");
    network.layers = vec![Coins { count: 1, probability: 0.5 }; 2];
    assert_eq!(network.validate(), Ok(()));
    network.layers[1].probability = 2.0;
    refused(&network, "item 2 of layers: p = 2 is not in (0, 1]");
    network.layers.clear();
    refused(&network, "layers has 0 items, fewer than 1");
    network.layers.push(Coins { count: 1, probability: 0.5 });
    network.start.x = 3.0;
    refused(&network, "beyond two");
}

/// As it stands in ren2023.
fn by_hand(s: &DiagonalStart) -> bool {
    let r = s.sigma_squared.len();
    if r == 0 || r + s.noise > 6 || s.kappa_squared.len() != r || s.correlation.len() != r {
        return false;
    }
    let positive = |x: f64| (1e-4..=1e4).contains(&x);
    let all = s.sigma_squared.iter().chain(&s.kappa_squared);
    if !all.chain([&s.noise_squared, &s.negatives]).all(|&x| positive(x)) {
        return false;
    }
    if !(0.0..=1e4).contains(&s.noise_norm_squared) || !(0.0..=30.0).contains(&s.tau_squared) {
        return false;
    }
    s.correlation.iter().all(|c| (-1.0..=1.0).contains(c))
}

#[test]
fn the_declared_ranges_accept_what_the_catalogue_accepts() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..2000 {
        let mut start: DiagonalStart = drawn(&mut || rng.random()).expect("every field can be drawn");
        // Sound, or with something broken in it.
        match rng.random_range(0..10) {
            0 => start.noise += 2,
            1 => start.tau_squared *= 3.0,
            2 => start.correlation[0] *= 2.0,
            3 => start.kappa_squared.push(1.0),
            4 => start.negatives /= 100.0,
            5 => start.noise_norm_squared -= 1.0,
            _ => {}
        }
        assert_eq!(start.validate().is_ok(), by_hand(&start), "{}", start.describe());
        *if by_hand(&start) { &mut accepted } else { &mut refused } += 1;
    }
    assert!(accepted > 500 && refused > 300, "{accepted} accepted, {refused} refused");
}
