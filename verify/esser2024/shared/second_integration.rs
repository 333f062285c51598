//! The flows of the outputs a second time: by a Runge-Kutta method with error control, from a right side in doubles.

use enclosures::initial_value::{InitialValueError, Solution, Tolerance, solve};
use enclosures::linear_algebra::IntervalMatrix;
use evidence::prelude::*;

use crate::shared::orthonormal_network::Weights;

/// What the register asks of the integrator.
const TOLERANCE: f64 = 1e-11;

/// The weights (l, a, b) of q′ = lΛq + aΛqqᵀq + bqqᵀΛq: equation (9), and the limit of projected descent.
pub const NINE: [f64; 3] = [-4.0, 2.0, 2.0];
pub const GRADIENT: [f64; 3] = [-4.0, 1.0, 3.0];

/// The right side at q (d×z, row by row).
fn velocity(spectrum: &[f64], z: usize, [l, a, b]: [f64; 3], q: &[f64]) -> Vec<f64> {
    let column_products = |weight: &dyn Fn(usize) -> f64, i: usize, j: usize| -> f64 {
        (0..spectrum.len()).map(|k| weight(k) * q[k * z + i] * q[k * z + j]).sum()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::orthonormal_network::{OrthonormalNetwork, turn};

    /// d eigenvalues, one output, W₁ = [I; 0] and W₂ = (0.6, ±0.8, 0, …): q is the first d of these numbers.
    fn network(spectrum: &[f64]) -> Weights {
        let network = OrthonormalNetwork {
            width: 2,
            outputs: 1,
            spectrum: spectrum.to_vec(),
            rotations: Vec::new(),
            first: Vec::new(),
            second: vec![turn(0, 1, 0.5)],
        };
        network.weights().expect("the sizes fit")
    }

    /// q′ = −4λ(q − q³), whatever divides the weight of the cubic terms: q² is a logistic function of time.
    #[test]
    fn one_number_follows_the_logistic_function() {
        for (lambda, weights) in [(-1.0, NINE), (0.5, NINE), (-0.75, GRADIENT)] {
            let found = followed(&network(&[lambda]), weights, 0.5).expect("it is integrated");
            let square = 1.0 / (1.0 + (1.0 / 0.36 - 1.0) * core_math::exp(8.0 * lambda * 0.5));
            assert!((found.states[0][0] - square.sqrt()).abs() < 1e-9, "λ = {lambda}");
        }
    }

    /// On the circle (9) is q′ = −2(Λ − qᵀΛq)q, and q(t) is e^{−2Λt}q₀ normalised; the limit of descent has 3 for 2.
    #[test]
    fn on_the_circle_q_is_a_normalised_exponential() {
        let w = network(&[-1.0, 2.0]);
        let start = w.q.midpoint();
        for (weights, rate) in [(NINE, 2.0), (GRADIENT, 3.0)] {
            let found = followed(&w, weights, 0.25).expect("it is integrated");
            let grown = [(0, -1.0), (1, 2.0)].map(|(i, l)| start.entries()[i] * core_math::exp(-rate * l * 0.25));
            let length = (grown[0] * grown[0] + grown[1] * grown[1]).sqrt();
            for (x, y) in found.states[0].iter().zip(grown) {
                assert!((x - y / length).abs() < 1e-9, "{weights:?}");
            }
        }
    }

    #[test]
    fn an_orthogonal_matrix_rests_and_a_scaled_one_does_not() {
        let (spectrum, turned) = ([-1.0, 0.5], [0.6, -0.8, 0.8, 0.6]);
        let half: Vec<f64> = turned.iter().map(|x| 0.5 * x).collect();
        // qqᵀ = I makes both cubic terms multiples of Λq, by a quarter for half of q: −4 + 4/4.
        assert!(velocity(&spectrum, 2, NINE, &turned).iter().all(|v| v.abs() < 1e-15));
        assert!(velocity(&spectrum, 2, GRADIENT, &turned).iter().all(|v| v.abs() < 1e-15));
        let moved = velocity(&spectrum, 2, NINE, &half);
        for (k, v) in moved.iter().enumerate() {
            assert!((v + 3.0 * spectrum[k / 2] * half[k]).abs() < 1e-15);
        }
    }
}
