use std::path::Path;

use num_dual::{Dual64, DualNum};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::super::trainable::Parameters;
use super::*;
use crate::data::mnist;
use crate::network::{ContrastiveSettings, contrastive_loss, embeddings, train};
use enclosures::probability::fill_standard_normal;
use enclosures::stream;

const SHAPE: ConvolutionalShape =
    ConvolutionalShape { side: 7, channels: 2, maps: [3, 2], kernel: 3, stride: 2, output: 2 };

fn random(shape: ConvolutionalShape, seed: u64) -> ConvolutionalEncoder {
    ConvolutionalEncoder::initialise(shape, &mut ChaCha20Rng::seed_from_u64(seed)).unwrap()
}

fn random_points(count: usize, seed: u64) -> Vec<f64> {
    let mut points = vec![0.0; count];
    fill_standard_normal(&mut ChaCha20Rng::seed_from_u64(seed), &mut points);
    points
}

fn flat(weights: &ConvolutionalWeights) -> Vec<f64> {
    weights.lists().concat()
}

/// One convolution, written a second time: straight from the definition, by coordinates, over dual numbers.
fn convolution(
    at: &dyn Fn(usize, usize, usize) -> Dual64,
    (side, channels): (usize, usize),
    (maps, kernel, stride): (usize, usize, usize),
    weights: &[Dual64],
) -> Vec<Vec<Vec<Dual64>>> {
    let next = (side - kernel) / stride + 1;
    let bias = maps * kernel * kernel * channels;
    let value = |row: usize, column: usize, map: usize| {
        let mut sum = weights[bias + map];
        for r in 0..kernel {
            for c in 0..kernel {
                for channel in 0..channels {
                    let weight = weights[((map * kernel + r) * kernel + c) * channels + channel];
                    sum += weight * at(row * stride + r, column * stride + c, channel);
                }
            }
        }
        if sum.re > 0.0 { sum } else { Dual64::from(0.0) }
    };
    let of = |row| (0..next).map(|c| (0..maps).map(|m| value(row, c, m)).collect()).collect();
    (0..next).map(of).collect()
}

fn loss_over_duals(shape: ConvolutionalShape, weights: &[Dual64], points: &[f64], negatives: usize) -> Dual64 {
    let (side, channels) = (shape.side, shape.channels);
    let [first, second, _, _, dense, _] =
        shape.lengths().map(|l| [l[0] + l[1], l[2] + l[3], 0, 0, l[4], l[5]]).unwrap();
    let encode = |image: &[f64]| -> Vec<Dual64> {
        let pixel =
            |row: usize, column: usize, channel: usize| Dual64::from(image[(channel * side + row) * side + column]);
        let sizes = |maps| (maps, shape.kernel, shape.stride);
        let one = convolution(&pixel, (side, channels), sizes(shape.maps[0]), weights);
        let below = |row: usize, column: usize, map: usize| one[row][column][map];
        let two = convolution(&below, (one.len(), shape.maps[0]), sizes(shape.maps[1]), &weights[first..]);
        let h: Vec<Dual64> = two.concat().concat();
        let last = &weights[first + second..];
        let product = |d: usize| h.iter().enumerate().map(|(i, h)| last[d * h_len(&two) + i] * *h).sum::<Dual64>();
        (0..shape.output).map(|d| product(d) + last[dense + d]).collect()
    };
    let outputs: Vec<Vec<Dual64>> = points.chunks(side * side * channels).map(encode).collect();
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

fn h_len(maps: &[Vec<Vec<Dual64>>]) -> usize {
    maps.iter().flatten().flatten().count()
}

#[test]
fn gradients_of_encoder_and_loss_agree_with_automatic_differentiation() {
    let grey = ConvolutionalShape { side: 6, channels: 1, maps: [2, 3], kernel: 2, stride: 1, output: 3 };
    for (shape, negatives) in [(SHAPE, 1), (SHAPE, 2), (grey, 3)] {
        let encoder = random(shape, 40 + negatives as u64);
        let points = random_points(4 * (negatives + 2) * encoder.point_dimension(), 50);
        let forward = encoder.forward(&points).unwrap();
        let loss = contrastive_loss(forward.outputs(), shape.output, negatives).unwrap();
        let gradient = flat(&encoder.backward(&forward, &loss.gradient).unwrap());
        let weights: Vec<Dual64> = flat(encoder.weights()).into_iter().map(Dual64::from).collect();
        assert_eq!(gradient.len(), shape.parameters().unwrap());
        assert!(gradient.iter().filter(|&&g| g != 0.0).count() > gradient.len() / 2);
        for (index, &found) in gradient.iter().enumerate() {
            let mut seeded = weights.clone();
            seeded[index] = seeded[index].derivative();
            let expected = loss_over_duals(shape, &seeded, &points, negatives);
            assert!((expected.re - loss.value).abs() <= 1e-13 * (1.0 + loss.value));
            assert!((expected.eps - found).abs() <= 1e-12 * (1.0 + found.abs()), "{index}: {expected} {found}");
        }
    }
}

#[test]
fn gradients_of_encoder_and_loss_agree_with_central_differences() {
    const STEP: f64 = 1e-6;
    let encoder = random(SHAPE, 7);
    let points = random_points(5 * 4 * encoder.point_dimension(), 8);
    let score = |encoder: &ConvolutionalEncoder| {
        let forward = encoder.forward(&points).unwrap();
        contrastive_loss(forward.outputs(), 2, 2).unwrap()
    };
    let forward = encoder.forward(&points).unwrap();
    let gradient = encoder.backward(&forward, &score(&encoder).gradient).unwrap();
    for (index, found) in flat(&gradient).into_iter().enumerate() {
        let moved = |by: f64| {
            let mut changed = encoder.clone();
            let mut lists = changed.weights.lists_mut();
            *lists.iter_mut().flat_map(|list| list.iter_mut()).nth(index).unwrap() += by;
            score(&changed).value
        };
        let expected = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
        assert!((expected - found).abs() <= 1e-7 * (1.0 + found.abs()), "{index}: {expected} {found}");
    }
}

#[test]
fn images_are_encoded_alike_in_any_company() {
    let encoder = random(SHAPE, 3);
    let size = encoder.point_dimension();
    let images = random_points(150 * size, 4);
    let all = encoder.embed(&images).unwrap();
    assert_eq!(all, encoder.forward(&images).unwrap().outputs());
    for (image, output) in images.chunks_exact(size).zip(all.chunks_exact(2)) {
        assert_eq!(encoder.embed(image).unwrap(), output);
    }
}

fn mnist_points() -> crate::data::LabelledPoints {
    mnist::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures"))).unwrap()
}

fn for_mnist(seed: u64) -> ConvolutionalEncoder {
    let shape = ConvolutionalShape { side: mnist::SIDE, channels: 1, maps: [4, 8], kernel: 5, stride: 2, output: 8 };
    random(shape, seed)
}

#[test]
fn training_on_images_lowers_the_loss_with_shared_negatives_or_without() {
    let data = mnist_points();
    for (shared_negatives, negatives) in [(true, 4), (false, 1)] {
        let settings = ContrastiveSettings { negatives, shared_negatives, batch: 16, steps: 150, ..Default::default() };
        let run = train(for_mnist(1), &data, &settings).unwrap();
        let mean = |losses: &[f64]| losses.iter().sum::<f64>() / losses.len() as f64;
        let (early, late) = (mean(&run.losses[..10]), mean(&run.losses[120..]));
        assert!(late < 0.8 * early, "{early} to {late}");
        let embedded = embeddings(&run.encoder, &data.subset_per_class(3).unwrap()).unwrap();
        assert_eq!((embedded.len(), embedded.dimension()), (30, 8));
    }
}

#[test]
fn the_bits_are_those_of_every_other_machine() {
    // A deliberate change of the draws or of the order of a sum changes this; a machine, a compiler or a number of
    // threads may not.
    let settings =
        ContrastiveSettings { negatives: 3, shared_negatives: true, batch: 8, steps: 20, ..Default::default() };
    let run = train(for_mnist(1), &mnist_points(), &settings).unwrap();
    let bytes: Vec<u8> = flat(run.encoder.weights()).into_iter().flat_map(f64::to_le_bytes).collect();
    assert_eq!(stream::hash(&bytes)[..16], *"30ecba269198acc8");
}

#[test]
fn shapes_and_weights_that_do_not_fit_are_refused() {
    for (shape, name) in [
        (ConvolutionalShape { side: 2, ..SHAPE }, "side"),
        (ConvolutionalShape { side: 6, ..SHAPE }, "side"),
        (ConvolutionalShape { channels: 0, ..SHAPE }, "channels"),
        (ConvolutionalShape { maps: [3, 0], ..SHAPE }, "maps"),
        (ConvolutionalShape { kernel: 0, ..SHAPE }, "kernel"),
        (ConvolutionalShape { stride: 0, ..SHAPE }, "stride"),
        (ConvolutionalShape { output: 0, ..SHAPE }, "output"),
    ] {
        let refused = shape.validate();
        assert!(matches!(refused, Err(NetworkError::Setting { name: found, .. }) if found == name), "{refused:?}");
    }
    for shape in [
        ConvolutionalShape { side: usize::MAX, ..SHAPE },
        ConvolutionalShape { channels: 1 << 40, ..SHAPE },
        ConvolutionalShape { maps: [1 << 20, 1 << 20], ..SHAPE },
        ConvolutionalShape { output: usize::MAX, ..SHAPE },
    ] {
        assert!(matches!(ConvolutionalWeights::zeros(shape), Err(NetworkError::TooLarge { .. })));
    }
    let encoder = random(SHAPE, 1);
    let mut short = encoder.weights().clone();
    short.second_bias.pop();
    let refused = ConvolutionalEncoder::new(SHAPE, short);
    assert!(matches!(refused, Err(NetworkError::WrongLength { name: "bias of the second convolution", .. })));
    let mut infinite = encoder.weights().clone();
    infinite.dense[1] = f64::INFINITY;
    let refused = ConvolutionalEncoder::new(SHAPE, infinite);
    assert!(matches!(refused, Err(NetworkError::NotFinite { name: "dense layer", index: 1, .. })));
}

#[test]
fn batches_that_do_not_fit_are_refused() {
    let encoder = random(SHAPE, 1);
    let size = encoder.point_dimension();
    for images in [vec![], vec![0.0; size + 1]] {
        assert!(matches!(encoder.forward(&images), Err(NetworkError::Ragged { .. })));
        assert!(matches!(encoder.embed(&images), Err(NetworkError::Ragged { .. })));
    }
    let mut images = vec![0.5; 2 * size];
    let forward = encoder.forward(&images).unwrap();
    assert!(matches!(encoder.backward(&forward, &[1.0; 6]), Err(NetworkError::WrongLength { .. })));
    assert!(matches!(encoder.backward(&forward, &[1.0; 3]), Err(NetworkError::Ragged { .. })));
    assert!(matches!(encoder.backward(&forward, &[f64::NAN; 4]), Err(NetworkError::NotFinite { .. })));
    images[size] = f64::NAN;
    assert!(matches!(encoder.forward(&images), Err(NetworkError::NotFinite { name: "images", .. })));
}

proptest! {
    #[test]
    fn the_dense_encoder_of_a_convolutional_one_is_the_same_function(
        side in 3usize..7, channels in 1usize..3, maps in (1usize..4, 1usize..9), stride in 1usize..3, seed: u64,
    ) {
        let shape = ConvolutionalShape { side, channels, maps: [maps.0, maps.1], kernel: 2, stride, output: 3 };
        prop_assume!(shape.validate().is_ok());
        let encoder = random(shape, seed);
        let dense = encoder.as_dense().unwrap();
        let images = random_points(4 * encoder.point_dimension(), seed ^ 1);
        let with_one: Vec<f64> = images
            .chunks_exact(encoder.point_dimension())
            .flat_map(|image| image.iter().copied().chain([1.0]))
            .collect();
        let pairs = encoder.embed(&images).unwrap().into_iter().zip(dense.embed(&with_one).unwrap());
        for (convolved, multiplied) in pairs {
            prop_assert!((convolved - multiplied).abs() < 1e-12, "{convolved} and {multiplied}");
        }
        // The last unit carries the one through both layers.
        let hidden = dense.forward(&with_one).unwrap();
        let ones = hidden.hidden().iter().flat_map(|h| h.chunks_exact(dense.shape().width).map(|row| row[row.len() - 1]));
        prop_assert!(ones.eq(std::iter::repeat_n(1.0, 8)));
    }

    #[test]
    fn serialising_and_back_changes_nothing(seed: u64) {
        let encoder = random(SHAPE, seed);
        let text = serde_json::to_string(&encoder).unwrap();
        prop_assert_eq!(serde_json::from_str::<ConvolutionalEncoder>(&text).unwrap(), encoder);
        let other = text.replace("\"stride\":2", "\"stride\":1");
        prop_assert!(serde_json::from_str::<ConvolutionalEncoder>(&other).is_err());
    }
}
