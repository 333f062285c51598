//! The same bits for every instruction set, length, alignment and neighbourhood.

use crate::kernels::{
    ElementwiseFunction, InstructionSet, KernelError, PackedRows, gram, log_sum_exp_on, log_sum_exp_rows,
};
use crate::stream::stream;
use rand::RngExt;

/// Ordinary numbers with, now and then, anything at all among them.
fn numbers(name: &str, length: usize, oddities: bool) -> Vec<f64> {
    let mut rng = stream(0, &["kernels", "reproducibility", name]);
    (0..length)
        .map(|_| match rng.random_range(0..if oddities { 4 } else { 3 }) {
            0 => rng.random_range(-700.0..700.0),
            1 => rng.random_range(-2.0..2.0),
            2 => rng.random_range(-0.99..50.0),
            _ => f64::from_bits(rng.random()),
        })
        .collect()
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    for oddities in [false, true] {
        let input = numbers("sets", 100_003, oddities);
        for f in ElementwiseFunction::ALL {
            let expected: Vec<f64> = input.iter().map(|&x| f.at(x)).collect();
            for set in InstructionSet::available() {
                let mut values = input.clone();
                f.apply_on(set, &mut values);
                assert_eq!(bits(&values), bits(&expected), "{f:?} in place, {}", set.name());
                let mut output = vec![7.0; input.len()];
                f.map_on(set, &input, &mut output).expect("equal lengths");
                assert_eq!(bits(&output), bits(&expected), "{f:?}, {}", set.name());
            }
        }
        for length in [0, 1, 3, 63, 64, 65, 1000, 100_003] {
            let part: Vec<f64> = input[..length].iter().copied().filter(|x| x.is_finite()).collect();
            let expected = log_sum_exp_on(InstructionSet::PORTABLE, &part);
            for set in InstructionSet::available() {
                assert_eq!(log_sum_exp_on(set, &part).to_bits(), expected.to_bits(), "{}", set.name());
            }
        }
    }
}

#[test]
fn neither_length_nor_place_matter() {
    let input = numbers("places", 300, true);
    for f in ElementwiseFunction::ALL {
        for start in 0..9 {
            for length in (0..=20).chain([63, 64, 65, 127, 128, 129, 200]) {
                let mut values = input[start..start + length].to_vec();
                f.apply(&mut values);
                let expected: Vec<f64> = input[start..start + length].iter().map(|&x| f.at(x)).collect();
                assert_eq!(bits(&values), bits(&expected), "{f:?}: {length} from {start}");
                let mut all = input.clone();
                f.apply(&mut all[start..start + length]);
                assert_eq!(bits(&all[start..start + length]), bits(&expected));
                assert_eq!(bits(&all[..start]), bits(&input[..start]), "touched what is before");
                assert_eq!(bits(&all[start + length..]), bits(&input[start + length..]), "or behind");
            }
        }
    }
}

#[test]
fn log_sum_exp_of_a_slice_anywhere() {
    let input = numbers("log-sum-exp", 300, false);
    for length in [1, 7, 8, 64, 65, 150] {
        let expected = log_sum_exp_on(InstructionSet::PORTABLE, &input[..length]);
        for start in 1..9 {
            let mut moved = vec![0.0; start];
            moved.extend_from_slice(&input[..length]);
            assert_eq!(log_sum_exp_on(InstructionSet::best(), &moved[start..]).to_bits(), expected.to_bits());
        }
    }
    let mut rows = [0.0; 3];
    log_sum_exp_rows(&input, &mut rows).expect("three rows of a hundred");
    for (i, row) in rows.iter().enumerate() {
        let one = log_sum_exp_on(InstructionSet::PORTABLE, &input[100 * i..100 * (i + 1)]);
        assert_eq!(row.to_bits(), one.to_bits());
    }
    assert!(log_sum_exp_rows(&input, &mut [0.0; 7]).is_err());
    assert!(log_sum_exp_rows(&input, &mut []).is_err());
    assert_eq!(log_sum_exp_rows(&[], &mut []), Ok(()));
}

#[test]
fn products_are_the_same_for_all_sets_and_threads() {
    for (n, m, d) in
        [(1, 1, 1), (3, 17, 5), (29, 16, 8), (300, 45, 33), (0, 4, 2), (4, 0, 2), (203, 19, 517), (5, 9, 256)]
    {
        let a: Vec<f64> = numbers("left", n * d, false);
        let b: Vec<f64> = numbers("right", m * d, false);
        let packed = PackedRows::new(&b, d).expect("whole rows");
        assert_eq!((packed.rows(), packed.dimension()), (m, d));
        let mut expected = vec![1.0; n * m];
        packed.products_on(InstructionSet::PORTABLE, &a, &mut expected).expect("the shapes fit");
        for set in InstructionSet::available() {
            let mut output = vec![2.0; n * m];
            packed.products_on(set, &a, &mut output).expect("the shapes fit");
            assert_eq!(bits(&output), bits(&expected), "{}", set.name());
        }
        let mut output = vec![3.0; n * m];
        gram(&a, &b, d, &mut output).expect("the shapes fit");
        assert_eq!(bits(&output), bits(&expected), "all threads");
    }
}

#[test]
fn shapes_are_checked() {
    assert_eq!(ElementwiseFunction::Exp.map(&[1.0, 2.0], &mut [0.0]), Err(KernelError::Length { input: 2, output: 1 }));
    assert!(PackedRows::new(&[1.0, 2.0, 3.0], 2).is_err());
    assert!(PackedRows::in_place(vec![1.0, 2.0, 3.0], 2).is_err());
    assert!(PackedRows::new(&[], 0).is_err());
    assert!(gram(&[1.0, 2.0], &[1.0], 1, &mut [0.0]).is_err());
    assert!(gram(&[1.0, 2.0], &[1.0], 0, &mut [0.0]).is_err());
}

#[test]
fn rows_packed_in_their_place_are_the_rows() {
    for (rows, d) in [(1, 1), (8, 3), (13, 40), (24, 33)] {
        let vectors: Vec<f64> = (0..rows * d).map(|i| (i * i % 37) as f64 / 7.0 - 2.0).collect();
        let mut roomy = Vec::with_capacity(PackedRows::room(rows, d));
        roomy.extend_from_slice(&vectors);
        let (packed, in_place) = (PackedRows::new(&vectors, d), PackedRows::in_place(roomy, d));
        let products = |packed: &PackedRows| {
            let mut all = vec![0.0; rows * rows];
            packed.products(&vectors, &mut all).unwrap();
            all
        };
        let in_place = in_place.unwrap();
        assert_eq!(products(&in_place), products(&packed.unwrap()), "{rows} x {d}");
    }
}
