use num_dual::{Dual64, DualNum};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::*;
use crate::data::LabelledPoints;
use crate::network::{contrastive_loss, embeddings};
use enclosures::probability::fill_standard_normal;

fn random(shape: EncoderShape, seed: u64) -> Encoder {
    Encoder::initialise(shape, &mut ChaCha20Rng::seed_from_u64(seed)).unwrap()
}

fn random_points(count: usize, seed: u64) -> Vec<f64> {
    let mut points = vec![0.0; count];
    fill_standard_normal(&mut ChaCha20Rng::seed_from_u64(seed), &mut points);
    points
}

/// The same loss written a second time, from the formulas and over dual numbers: the derivative of every operation comes
/// from `num-dual`, not from this crate.
fn loss_over_duals(shape: EncoderShape, weights: &[Dual64], points: &[f64], negatives: usize) -> Dual64 {
    let EncoderShape { input, width, depth, output } = shape;
    let matrix = |from: usize, rows: usize, columns: usize, x: &[Dual64]| -> Vec<Dual64> {
        let entry = |r: usize, c: usize| weights[from + r * columns + c] * x[c];
        (0..rows).map(|r| (0..columns).map(|c| entry(r, c)).sum()).collect()
    };
    let relu = |x: Vec<Dual64>| -> Vec<Dual64> {
        x.into_iter().map(|x| if x.re > 0.0 { x } else { Dual64::from(0.0) }).collect()
    };
    let encode = |x: &[f64]| {
        let x: Vec<Dual64> = x.iter().map(|&x| Dual64::from(x)).collect();
        let mut h = relu(matrix(0, width, input, &x));
        for layer in 0..depth {
            h = relu(matrix(width * input + layer * width * width, width, width, &h));
        }
        matrix(width * input + depth * width * width, output, width, &h)
    };
    let outputs: Vec<Vec<Dual64>> = points.chunks(input).map(encode).collect();
    let inner = |a: &[Dual64], b: &[Dual64]| -> Dual64 { a.iter().zip(b).map(|(a, b)| *a * b).sum() };
    let tuples: Vec<Dual64> = outputs
        .chunks(negatives + 2)
        .map(|tuple| {
            let score = |other: &Vec<Dual64>| (inner(&tuple[0], other) - inner(&tuple[0], &tuple[1])).exp();
            (tuple[2..].iter().map(score).sum::<Dual64>() + 1.0).ln()
        })
        .collect();
    let count = tuples.len() as f64;
    tuples.into_iter().sum::<Dual64>() / count
}

fn flat(weights: &Weights) -> Vec<f64> {
    weights.matrices().flatten().copied().collect()
}

fn with_weight(encoder: &Encoder, index: usize, value: f64) -> Encoder {
    let mut changed = encoder.clone();
    *changed.weights.matrices_mut().flatten().nth(index).unwrap() = value;
    changed
}

#[test]
fn a_worked_example_comes_out_exactly() {
    let shape = EncoderShape { input: 2, width: 2, depth: 1, output: 1 };
    let weights = Weights { a: vec![1.0, 2.0, -1.0, 1.0], w: vec![vec![1.0, -1.0, 0.5, 3.0]], b: vec![2.0, -1.0] };
    let encoder = Encoder::new(shape, weights).unwrap();
    let forward = encoder.forward(&[1.0, 1.0, 1.0, 3.0]).unwrap();
    assert_eq!(forward.hidden(), [vec![3.0, 0.0, 7.0, 2.0], vec![3.0, 1.5, 5.0, 9.5]]);
    assert_eq!(forward.outputs(), [4.5, 0.5]);
    let gradient = encoder.backward(&forward, &[1.0, -2.0]).unwrap();
    assert_eq!(gradient.b, [-7.0, -17.5]);
    // Upstream of W: (2, -1) for the first point and (-4, 2) for the second.
    assert_eq!(gradient.w, [[2.0 * 3.0 - 4.0 * 7.0, -4.0 * 2.0, -3.0 + 2.0 * 7.0, 2.0 * 2.0]]);
    // Upstream of A: (1.5, masked) and (-3, 10).
    assert_eq!(gradient.a, [1.5 - 3.0, 1.5 - 9.0, 10.0, 30.0]);
}

#[test]
fn gradients_of_encoder_and_loss_agree_with_automatic_differentiation() {
    for (depth, output, negatives) in [(0, 1, 1), (1, 2, 1), (2, 3, 2), (3, 1, 4)] {
        let shape = EncoderShape { input: 3, width: 5, depth, output };
        let encoder = random(shape, 40 + depth as u64);
        let points = random_points(4 * (negatives + 2) * 3, 50);
        let forward = encoder.forward(&points).unwrap();
        let loss = contrastive_loss(forward.outputs(), output, negatives).unwrap();
        let gradient = flat(&encoder.backward(&forward, &loss.gradient).unwrap());
        let weights: Vec<Dual64> = flat(encoder.weights()).into_iter().map(Dual64::from).collect();
        assert!(gradient.iter().any(|&g| g != 0.0));
        for (index, &found) in gradient.iter().enumerate() {
            let mut seeded = weights.clone();
            seeded[index] = seeded[index].derivative();
            let expected = loss_over_duals(shape, &seeded, &points, negatives);
            assert!((expected.re - loss.value).abs() <= 1e-13 * (1.0 + loss.value), "{expected} {}", loss.value);
            assert!((expected.eps - found).abs() <= 1e-12 * (1.0 + found.abs()), "{index}: {expected} {found}");
        }
    }
}

#[test]
fn gradients_of_encoder_and_loss_agree_with_central_differences() {
    const STEP: f64 = 1e-6;
    let shape = EncoderShape { input: 3, width: 6, depth: 2, output: 2 };
    let encoder = random(shape, 7);
    let points = random_points(5 * 4 * 3, 8);
    let value = |encoder: &Encoder| contrastive_loss(encoder.forward(&points).unwrap().outputs(), 2, 2).unwrap().value;
    let forward = encoder.forward(&points).unwrap();
    let loss = contrastive_loss(forward.outputs(), 2, 2).unwrap();
    let gradient = flat(&encoder.backward(&forward, &loss.gradient).unwrap());
    for (index, weight) in flat(encoder.weights()).into_iter().enumerate() {
        let (above, below) = (weight + STEP, weight - STEP);
        let rise = value(&with_weight(&encoder, index, above)) - value(&with_weight(&encoder, index, below));
        let difference = rise / (above - below);
        assert!((difference - gradient[index]).abs() < 1e-7, "{index}: {difference} {}", gradient[index]);
    }
}

#[test]
fn malformed_batches_are_refused() {
    let shape = EncoderShape { input: 2, width: 3, depth: 1, output: 2 };
    let encoder = random(shape, 1);
    for points in [vec![], vec![1.0; 3]] {
        assert!(matches!(encoder.forward(&points), Err(NetworkError::Ragged { row: 2, .. })));
    }
    let nan = encoder.forward(&[0.0, 1.0, 2.0, f64::NAN]);
    assert!(matches!(nan, Err(NetworkError::NotFinite { name: "points", index: 3, .. })));
    let overflow = encoder.forward(&[f64::MAX, f64::MAX]);
    assert!(matches!(overflow, Err(NetworkError::NotFinite { name: "pre-activation" | "output", .. })));

    let forward = encoder.forward(&[1.0; 4]).unwrap();
    let short = encoder.backward(&forward, &[1.0; 3]);
    assert!(matches!(short, Err(NetworkError::WrongLength { name: "output gradient", found: 3, expected: 4 })));
    let nan = encoder.backward(&forward, &[f64::NAN; 4]);
    assert!(matches!(nan, Err(NetworkError::NotFinite { name: "output gradient", index: 0, .. })));
    let large = encoder.backward(&encoder.forward(&[1e300; 4]).unwrap(), &[1e300; 4]);
    assert!(matches!(large, Err(NetworkError::NotFinite { name: "gradient", .. })));
    for other in [EncoderShape { depth: 2, ..shape }, EncoderShape { width: 4, ..shape }] {
        let foreign = random(other, 1).backward(&forward, &[1.0; 4]);
        assert!(matches!(foreign, Err(NetworkError::WrongLength { .. })));
    }
    let foreign = random(EncoderShape { input: 3, ..shape }, 1).backward(&forward, &[1.0; 4]);
    assert!(matches!(foreign, Err(NetworkError::Ragged { .. })));
}

#[test]
fn a_dead_network_maps_everything_to_zero_and_has_no_gradient() {
    let shape = EncoderShape { input: 2, width: 3, depth: 1, output: 2 };
    let weights = Weights { a: vec![-1.0; 6], ..random(shape, 1).into_weights() };
    let encoder = Encoder::new(shape, weights).unwrap();
    let forward = encoder.forward(&[1.0, 2.0]).unwrap();
    assert!(forward.outputs().iter().all(|&y| y == 0.0));
    assert!(flat(&encoder.backward(&forward, &[1.0, 1.0]).unwrap()).iter().all(|&g| g == 0.0));
}

#[test]
fn embeddings_keep_the_labels() {
    let encoder = random(EncoderShape { input: 2, width: 3, depth: 1, output: 4 }, 1);
    let data = LabelledPoints::new(random_points(6, 2), 2, vec![9, 5, 9]).unwrap();
    let embedded = embeddings(&encoder, &data).unwrap();
    assert_eq!((embedded.dimension(), embedded.labels()), (4, data.labels()));
    assert_eq!(embedded.original_labels(), [5, 9]);
    assert_eq!(embedded.point(1), encoder.forward(data.point(1)).unwrap().outputs());
    let flat = LabelledPoints::new(vec![1.0], 1, vec![0]).unwrap();
    let error = embeddings(&encoder, &flat).unwrap_err();
    assert!(matches!(error, NetworkError::WrongDimension { found: 1, expected: 2 }));
}

#[test]
fn encoders_survive_serialising_and_are_checked_when_read() {
    let shape = EncoderShape { input: 1, width: 2, depth: 1, output: 1 };
    let weights = Weights { a: vec![0.5, -1.25], w: vec![vec![1.0, 2.0, 3.0, 4.0]], b: vec![0.0, -0.75] };
    let encoder = Encoder::new(shape, weights).unwrap();
    let text = serde_json::to_string(&encoder).unwrap();
    assert_eq!(serde_json::from_str::<Encoder>(&text).unwrap(), encoder);
    let drawn = random(EncoderShape { input: 20, width: 20, depth: 2, output: 5 }, 3);
    let text_of_many_digits = serde_json::to_string(&drawn).unwrap();
    assert_eq!(serde_json::from_str::<Encoder>(&text_of_many_digits).unwrap(), drawn);
    let error = serde_json::from_str::<Encoder>(&text.replace("-0.75", "-0.75,1.0")).unwrap_err();
    assert!(error.to_string().contains("matrix B has 3 values, expected 2"), "{error}");
}

proptest! {
    #[test]
    fn the_encoder_is_positively_homogeneous(seed: u64, exponent in -8_i32..8) {
        // Without biases, scaling by a power of two scales every number on the way exactly.
        let scale = (0..exponent.abs()).fold(1.0, |s, _| if exponent > 0 { s * 2.0 } else { s / 2.0 });
        let encoder = random(EncoderShape { input: 3, width: 9, depth: 2, output: 2 }, seed);
        let points = random_points(6, seed ^ 1);
        let scaled: Vec<f64> = points.iter().map(|x| x * scale).collect();
        let outputs = encoder.forward(&points).unwrap().into_outputs();
        let expected: Vec<f64> = outputs.iter().map(|y| y * scale).collect();
        prop_assert_eq!(encoder.forward(&scaled).unwrap().into_outputs(), expected);
    }

    #[test]
    fn a_batch_is_its_points_one_by_one(seed: u64, count in 1_usize..5) {
        let encoder = random(EncoderShape { input: 3, width: 10, depth: 1, output: 2 }, seed);
        let points = random_points(3 * count, seed ^ 1);
        let together = encoder.forward(&points).unwrap().into_outputs();
        let apart: Vec<f64> = points.chunks(3).flat_map(|x| encoder.forward(x).unwrap().into_outputs()).collect();
        prop_assert_eq!(together, apart);
    }
}
