//! What all two-layer networks `x ↦ W_2^T φ(W_1 x)` share: their hidden units at points, and the sums of these over the output weights.
//!
//! `W_1` (`h x d`) and `W_2` (`h x z`) are stored row by row; the order of every sum is fixed.

use super::FlowError;
use contrastive::network::Activation;
use enclosures::linear_algebra::Matrix;

/// A call of an inlined function with a number that the compiler knows where it is one of these: short loops over so many numbers vanish.
macro_rules! known {
    ($number:ident in [$($small:literal),+] => $call:expr) => {
        match $number {
            $($small => { let $number = $small; $call })+
            _ => $call,
        }
    };
}
pub(super) use known;

/// Refuses points (rows) of another dimension than that of the inputs.
pub(super) fn check_inputs(points: &Matrix, inputs: usize) -> Result<(), FlowError> {
    if points.columns() == inputs {
        Ok(())
    } else {
        Err(FlowError::Dimension { found: points.columns(), expected: inputs })
    }
}

/// Values and slopes of the hidden units, unit by unit, at each of the points.
pub(super) fn hidden_units(first: &[f64], points: &Matrix, activation: Activation) -> Vec<(f64, f64)> {
    let inputs = points.columns();
    activation.at_each(&known!(inputs in [2, 3] => input_sums_of(first, points.entries(), inputs)))
}

/// `w·x` of every unit at every point, the points row by row.
#[inline(always)]
fn input_sums_of(first: &[f64], points: &[f64], inputs: usize) -> Vec<f64> {
    let mut all = Vec::with_capacity(points.len() / inputs * (first.len() / inputs));
    for weights in first.chunks_exact(inputs) {
        let sum = |p: &[f64]| weights.iter().zip(p).fold(0.0, |s, (w, x)| s + w * x);
        all.extend(points.chunks_exact(inputs).map(sum));
    }
    all
}

/// The `z` output sums at each of `n` points, one row each.
pub(super) fn output_sums(hidden: &[(f64, f64)], second: &[f64], z: usize, n: usize) -> Vec<f64> {
    known!(z in [1, 2] => output_sums_of(hidden, second, z, n))
}

/// The same, inlined for sizes that are known.
#[inline(always)]
fn output_sums_of(hidden: &[(f64, f64)], second: &[f64], z: usize, n: usize) -> Vec<f64> {
    let mut sums = vec![0.0; n * z];
    for (values, weights) in hidden.chunks_exact(n).zip(second.chunks_exact(z)) {
        for (row, (value, _)) in sums.chunks_exact_mut(z).zip(values) {
            for (sum, w) in row.iter_mut().zip(weights) {
                *sum += w * value;
            }
        }
    }
    sums
}
