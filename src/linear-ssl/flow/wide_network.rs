//! Gradient flow of a two-layer network of finite width on a pairing loss, in plain doubles, and its kernel prediction.

use rand::Rng;

use super::FlowError;
use super::runge_kutta::classical_step;
use super::two_layers::{check_inputs, hidden_units, output_sums};
use contrastive::network::Activation;
use enclosures::linear_algebra::{Matrix, matrix_exponential};
use enclosures::probability::standard_normals;

/// `u(x) = h^(-1/2) W_2^T φ(W_1 x)`, with `W_1` (`h x d`) and `W_2` (`h x z`) started at independent standard normals.
///
/// The bits are the same on every machine: fixed order, correctly rounded functions, no fused operations.
///
/// Source: Esser, Mukherjee, Ghoshdastidar, Lemma 1 and the text after Proposition 1; the scaling is the usual one of the neural
/// tangent kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct WideNetwork {
    unit: Activation,
    inputs: usize,
    outputs: usize,
    /// `W_1` and `W_2`, row by row.
    first: Vec<f64>,
    second: Vec<f64>,
}

impl WideNetwork {
    /// A random network.
    pub fn gaussian<R: Rng + ?Sized>(unit: Activation, (d, z, h): (usize, usize, usize), rng: &mut R) -> Self {
        WideNetwork {
            unit,
            inputs: d,
            outputs: z,
            first: standard_normals(rng, h * d),
            second: standard_normals(rng, h * z),
        }
    }

    fn width(&self) -> f64 {
        (self.first.len() / self.inputs) as f64
    }

    /// Values and derivatives of the hidden units, unit by unit, at each of the points.
    fn hidden(&self, points: &Matrix) -> Vec<(f64, f64)> {
        hidden_units(&self.first, points, self.unit)
    }

    /// The outputs at the points (rows), one row each.
    ///
    /// # Errors
    /// Points of another dimension, or an output that is not finite.
    pub fn outputs_at(&self, points: &Matrix) -> Result<Matrix, FlowError> {
        check_inputs(points, self.inputs)?;
        self.outputs_from(&self.hidden(points), points.rows())
    }

    fn outputs_from(&self, hidden: &[(f64, f64)], n: usize) -> Result<Matrix, FlowError> {
        let z = self.outputs;
        let sums = output_sums(hidden, &self.second, z, n);
        let scale = self.width().sqrt();
        Ok(Matrix::new(n, z, sums.into_iter().map(|s| s / scale).collect())?)
    }

    /// The tangent kernel of one output at the points, averaged over the output weights:
    /// `k(x, x') = mean over hidden units of φ(w·x) φ(w·x') + x·x' φ'(w·x) φ'(w·x')`. Tends to the kernel of infinite width like `h^(-1/2)`.
    ///
    /// # Errors
    /// Points of another dimension.
    pub fn kernel(&self, points: &Matrix) -> Result<Matrix, FlowError> {
        check_inputs(points, self.inputs)?;
        let n = points.rows();
        let inner = points.rounded_product(&points.transpose())?;
        let mut sums = vec![0.0; n * n];
        for values in self.hidden(points).chunks_exact(n) {
            for (i, (value, slope)) in values.iter().enumerate() {
                for (j, (other, other_slope)) in values.iter().enumerate() {
                    sums[i * n + j] += value * other + inner.row(i)[j] * slope * other_slope;
                }
            }
        }
        let width = self.width();
        Ok(Matrix::new(n, n, sums.into_iter().map(|s| s / width).collect())?)
    }

    /// The velocity of all weights under the gradient flow of `Tr(U^T S U)`, `U` the outputs at the points, `S` symmetric.
    fn velocity(&self, points: &Matrix, pairing: &Matrix) -> Result<(Vec<f64>, Vec<f64>), FlowError> {
        let (d, z) = (self.inputs, self.outputs);
        check_inputs(points, self.inputs)?;
        let hidden = self.hidden(points);
        let pull = pairing.rounded_product(&self.outputs_from(&hidden, points.rows())?)?;
        let scale = -2.0 / self.width().sqrt();
        let (mut first, mut second) = (vec![0.0; self.first.len()], vec![0.0; self.second.len()]);
        for (k, values) in hidden.chunks_exact(points.rows()).enumerate() {
            let weights = &self.second[k * z..(k + 1) * z];
            for ((point, (value, slope)), force) in points.row_iter().zip(values).zip(pull.row_iter()) {
                let mut back = 0.0;
                for (l, (w, f)) in weights.iter().zip(force).enumerate() {
                    second[k * z + l] += scale * value * f;
                    back += w * f;
                }
                for (v, x) in first[k * d..(k + 1) * d].iter_mut().zip(point) {
                    *v += scale * slope * back * x;
                }
            }
        }
        Ok((first, second))
    }

    fn moved(&self, (first, second): &(Vec<f64>, Vec<f64>), step: f64) -> Self {
        let along = |w: &[f64], v: &[f64]| w.iter().zip(v).map(|(x, y)| x + step * y).collect();
        WideNetwork { first: along(&self.first, first), second: along(&self.second, second), ..self.clone() }
    }

    /// The network after gradient flow of `Tr(U^T S U)` for a time, by so many classical Runge-Kutta steps.
    ///
    /// # Errors
    /// Points of another dimension, a pairing of another size, or outputs that overflow.
    pub fn followed(&self, points: &Matrix, pairing: &Matrix, time: f64, steps: usize) -> Result<Self, FlowError> {
        let step = time / steps.max(1) as f64;
        let mut now = self.clone();
        for _ in 0..steps {
            now = classical_step(&now, step, |w| w.velocity(points, pairing), Self::moved)?;
        }
        Ok(now)
    }
}

/// The outputs after a time under a fixed kernel: `U(t) = e^{-2 K S t} U(0)`, rounded.
///
/// # Errors
/// Matrices that do not fit together, or an exponent out of range.
pub fn kernel_prediction(kernel: &Matrix, pairing: &Matrix, start: &Matrix, time: f64) -> Result<Matrix, FlowError> {
    let generator = kernel.rounded_product(pairing)?;
    let growth = matrix_exponential(&enclosures::linear_algebra::IntervalMatrix::from(generator).scaled(-2.0 * time))?;
    Ok(growth.midpoint().rounded_product(start)?)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn setup() -> (Matrix, Matrix) {
        let points = Matrix::from_rows(vec![vec![1.0, 0.5], vec![0.8, 0.3]]).unwrap();
        let pairing = Matrix::from_rows(vec![vec![0.0, -0.5], vec![-0.5, 0.0]]).unwrap();
        (points, pairing)
    }

    fn loss(network: &WideNetwork, points: &Matrix, pairing: &Matrix) -> f64 {
        let u = network.outputs_at(points).unwrap();
        let pulled = pairing.rounded_product(&u).unwrap();
        u.entries().iter().zip(pulled.entries()).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn the_velocity_is_minus_the_gradient() {
        let (points, pairing) = setup();
        for unit in [Activation::Identity, Activation::Tanh, Activation::Relu] {
            let network = WideNetwork::gaussian(unit, (2, 3, 7), &mut ChaCha8Rng::seed_from_u64(5));
            let v = network.velocity(&points, &pairing).unwrap();
            let squared: f64 = v.0.iter().chain(&v.1).map(|x| x * x).sum();
            let e = 1e-5;
            let slope = (loss(&network.moved(&v, e), &points, &pairing)
                - loss(&network.moved(&v, -e), &points, &pairing))
                / (2.0 * e);
            assert!((slope + squared).abs() < 1e-6 * squared, "{unit:?}: {slope} {squared}");
        }
    }

    #[test]
    fn a_very_wide_network_follows_its_kernel() {
        let (points, pairing) = setup();
        let error = |h: usize| {
            let network = WideNetwork::gaussian(Activation::Tanh, (2, 2, h), &mut ChaCha8Rng::seed_from_u64(1));
            let start = network.outputs_at(&points).unwrap();
            let found = network.followed(&points, &pairing, 0.3, 10).unwrap().outputs_at(&points).unwrap();
            let expected = kernel_prediction(&network.kernel(&points).unwrap(), &pairing, &start, 0.3).unwrap();
            found.entries().iter().zip(expected.entries()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        assert!(error(8192) < 0.03, "{}", error(8192));
    }

    #[test]
    fn shapes_are_checked() {
        let (points, pairing) = setup();
        let network = WideNetwork::gaussian(Activation::Relu, (3, 1, 4), &mut ChaCha8Rng::seed_from_u64(1));
        assert!(network.outputs_at(&points).is_err() && network.followed(&points, &pairing, 1.0, 1).is_err());
    }
}
