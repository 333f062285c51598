use std::path::Path;

use sha2::{Digest, Sha256};

use super::*;
use crate::data::digits;
use crate::network::EncoderShape;

fn digit_points() -> LabelledPoints {
    digits::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures"))).unwrap()
}

fn encoder(seed: u64) -> Encoder {
    let shape = EncoderShape { input: digits::DIMENSION, width: 32, depth: 1, output: 8 };
    Encoder::initialise(shape, &mut ChaCha20Rng::seed_from_u64(seed)).unwrap()
}

fn bits(encoder: &Encoder) -> Vec<u64> {
    encoder.weights().matrices().flatten().map(|weight| weight.to_bits()).collect()
}

fn two_points() -> LabelledPoints {
    LabelledPoints::new(vec![1.0, 0.0, 0.0, 1.0], 2, vec![0, 1]).unwrap()
}

fn small() -> Encoder {
    let shape = EncoderShape { input: 2, width: 4, depth: 1, output: 2 };
    Encoder::initialise(shape, &mut ChaCha20Rng::seed_from_u64(1)).unwrap()
}

#[test]
fn training_on_digits_lowers_the_loss() {
    let data = digit_points();
    for negatives in [1, 4] {
        let settings = ContrastiveSettings { negatives, steps: 400, ..Default::default() };
        let losses = train(encoder(1), &data, &settings).unwrap().losses;
        assert_eq!(losses.len(), 400);
        let mean = |losses: &[f64]| losses.iter().sum::<f64>() / losses.len() as f64;
        let (early, late) = (mean(&losses[..20]), mean(&losses[350..]));
        // A constant encoder costs log(1 + N); a negative of the class of x costs log 2 at best, now and then.
        assert!(late < 0.7 * early, "{early} to {late}");
        assert!(late < 0.7 * core_math::log1p(negatives as f64), "{late}");
    }
}

#[test]
fn training_again_gives_the_same_bits() {
    let data = digit_points();
    let settings = ContrastiveSettings { steps: 100, seed: 9, ..Default::default() };
    let first = train(encoder(2), &data, &settings).unwrap();
    let second = train(encoder(2), &data, &settings).unwrap();
    assert_eq!(bits(&first.encoder), bits(&second.encoder));
    let loss_bits = |run: &ContrastiveRun| run.losses.iter().map(|loss| loss.to_bits()).collect::<Vec<_>>();
    assert_eq!(loss_bits(&first), loss_bits(&second));
    let other = ContrastiveSettings { seed: 10, ..settings };
    assert_ne!(bits(&first.encoder), bits(&train(encoder(2), &data, &other).unwrap().encoder));
}

#[test]
fn the_bits_are_those_of_every_other_machine() {
    // A deliberate change of the draws or of the order of a sum changes this; a machine, a compiler or a number of
    // threads may not.
    let settings = ContrastiveSettings { steps: 50, negatives: 2, ..Default::default() };
    let run = train(encoder(1), &digit_points(), &settings).unwrap();
    let bytes: Vec<u8> = bits(&run.encoder).into_iter().flat_map(u64::to_le_bytes).collect();
    let digest = Sha256::digest(&bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!(digest, "d9c2eca28f96e966");
}

#[test]
fn snapshots_are_what_shorter_trainings_yield() {
    let data = digit_points();
    let settings = ContrastiveSettings { steps: 30, snapshots: vec![0, 7, 30], ..Default::default() };
    let run = train(encoder(3), &data, &settings).unwrap();
    assert_eq!(run.snapshots.iter().map(|snapshot| snapshot.step).collect::<Vec<_>>(), [0, 7, 30]);
    assert_eq!(run.snapshots[0].encoder, encoder(3));
    assert_eq!(run.snapshots[2].encoder, run.encoder);
    let shorter = ContrastiveSettings { steps: 7, snapshots: vec![], ..settings };
    let shorter = train(encoder(3), &data, &shorter).unwrap();
    assert_eq!(bits(&shorter.encoder), bits(&run.snapshots[1].encoder));
    assert!(shorter.snapshots.is_empty());
}

#[test]
fn settings_out_of_range_are_refused() {
    let train = |settings: ContrastiveSettings| train(small(), &two_points(), &settings).unwrap_err();
    let setting = |error, expected| matches!(error, NetworkError::Setting { name, .. } if name == expected);
    let base = ContrastiveSettings::default;
    assert!(setting(train(ContrastiveSettings { negatives: 0, ..base() }), "negatives"));
    assert!(setting(train(ContrastiveSettings { batch: 0, ..base() }), "batch"));
    assert!(setting(train(ContrastiveSettings { snapshots: vec![1001], ..base() }), "snapshots"));
    assert!(setting(train(ContrastiveSettings { snapshots: vec![3, 3], ..base() }), "snapshots"));
    let optimiser = Optimiser { rate: -1.0, ..Default::default() };
    assert!(setting(train(ContrastiveSettings { optimiser, ..base() }), "rate"));
    for (batch, negatives) in [(usize::MAX, 1), (1, usize::MAX), (1 << 27, 1)] {
        let error = train(ContrastiveSettings { batch, negatives, ..base() });
        assert!(matches!(error, NetworkError::TooLarge { .. }));
    }
}

#[test]
fn data_of_another_dimension_is_refused() {
    let error = train(encoder(1), &two_points(), &ContrastiveSettings::default()).unwrap_err();
    assert!(matches!(error, NetworkError::WrongDimension { found: 2, expected: 64 }));
}

#[test]
fn divergence_is_an_error_and_not_a_nan() {
    let optimiser = Optimiser { rate: 1e200, ..Default::default() };
    let settings = ContrastiveSettings { optimiser, ..Default::default() };
    let error = train(small(), &two_points(), &settings).unwrap_err();
    assert!(matches!(error, NetworkError::Diverged { .. }), "{error}");
}

#[test]
fn settings_may_be_given_in_part() {
    let settings: ContrastiveSettings = serde_json::from_str(r#"{"steps": 5}"#).unwrap();
    assert_eq!(settings, ContrastiveSettings { steps: 5, ..Default::default() });
    assert!(serde_json::from_str::<ContrastiveSettings>(r#"{"stpes": 5}"#).is_err());
}
