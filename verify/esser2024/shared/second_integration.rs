//! The flows of the outputs a second time: by a Runge-Kutta method with error control, from a right side in doubles.

use enclosures::enclosure::Enclosure;
use enclosures::initial_value::{InitialValueError, Solution, Tolerance, solve};
use enclosures::linear_algebra::IntervalMatrix;
use evidence::claim::{Evaluation, MeasureError, at_most};

use crate::shared::orthonormal_network::Weights;

/// What the register asks of the integrator.
const TOLERANCE: f64 = 1e-11;

/// The weights (l, a, b) of q′ = lΛq + aΛqqᵀq + bqqᵀΛq: equation (9), and the limit of projected descent.
pub const NINE: [f64; 3] = [-4.0, 2.0, 2.0];
pub const GRADIENT: [f64; 3] = [-4.0, 1.0, 3.0];

/// The right side at q (d×z, row by row).
fn velocity(spectrum: &[f64], z: usize, [l, a, b]: [f64; 3], q: &[f64]) -> Vec<f64> {
    let column_products = |weight: &dyn Fn(usize) -> f64, i: usize, j: usize| -> f64 {
        (0..spectrum.len())
            .map(|k| weight(k) * q[k * z + i] * q[k * z + j])
            .sum()
    };
    let (mut gram, mut energy) = (vec![0.0; z * z], vec![0.0; z * z]);
    for i in 0..z {
        for j in 0..z {
            gram[i * z + j] = column_products(&|_| 1.0, i, j);
            energy[i * z + j] = column_products(&|k| spectrum[k], i, j);
        }
    }
    let entry = |at: usize| {
        let (row, column) = (at / z, at % z);
        let times = |m: &[f64]| (0..z).map(|j| q[row * z + j] * m[j * z + column]).sum::<f64>();
        spectrum[row] * (l * q[at] + a * times(&gram)) + b * times(&energy)
    };
    (0..q.len()).map(entry).collect()
}

/// The flow with these weights from q of a network, at one time.
pub fn followed(w: &Weights, weights: [f64; 3], time: f64) -> Result<Solution, MeasureError> {
    let spectrum: Vec<f64> = w.spectrum.iter().map(|l| l.midpoint()).collect();
    let (start, z) = (w.q.midpoint(), w.q.columns());
    let right_side = |_: f64, q: &[f64]| Ok::<_, InitialValueError>(velocity(&spectrum, z, weights, q));
    Ok(solve(right_side, start.entries(), &[time], Tolerance::of(TOLERANCE))?)
}

/// No coordinate is further from an enclosed orbit than the tolerance that was achieved.
pub fn agrees(found: &Solution, exact: &IntervalMatrix) -> Evaluation {
    let apart = Enclosure::measured(found.disagreements(0, exact.entries()) as f64);
    at_most(apart, 0).noting(format!("achieved {:e}", found.achieved_power()))
}
