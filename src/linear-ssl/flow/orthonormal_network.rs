//! Two-layer networks with orthonormal weight columns, trained on a pairing loss, in plain doubles.

use rand::Rng;

use super::FlowError;
use super::runge_kutta::classical_step;
use super::two_layers::{check_inputs, hidden_units, known, output_sums};
use contrastive::network::Activation;
use enclosures::kernels::{InstructionSet, Kernel};
use enclosures::linear_algebra::{Matrix, diagonalised, haar_orthonormal};

/// `u(x) = W_2^T φ(W_1 x)` with `W_1` (`h x d`) and `W_2` (`h x z`) of orthonormal columns.
///
/// The bits are the same on every machine: fixed order, correctly rounded functions, no fused operations.
///
/// Source: Esser, Mukherjee, Ghoshdastidar, equations (6), (8) and (11).
#[derive(Clone, Debug, PartialEq)]
pub struct OrthonormalNetwork {
    activation: Activation,
    inputs: usize,
    outputs: usize,
    /// `W_1` and `W_2`, row by row.
    first: Vec<f64>,
    second: Vec<f64>,
}

impl OrthonormalNetwork {
    /// The network with these weights, whose columns must be orthonormal up to rounding.
    ///
    /// # Errors
    /// Weights of different widths.
    pub fn new(activation: Activation, first: &Matrix, second: &Matrix) -> Result<Self, FlowError> {
        if first.rows() != second.rows() {
            return Err(FlowError::Dimension { found: second.rows(), expected: first.rows() });
        }
        Ok(OrthonormalNetwork {
            activation,
            inputs: first.columns(),
            outputs: second.columns(),
            first: first.entries().to_vec(),
            second: second.entries().to_vec(),
        })
    }

    /// A random network: both matrices independent and uniformly distributed.
    ///
    /// # Errors
    /// A size of zero, or a width below `d` or `z`.
    pub fn haar<R: Rng + ?Sized>(
        activation: Activation,
        (d, z, h): (usize, usize, usize),
        rng: &mut R,
    ) -> Result<Self, FlowError> {
        Self::new(activation, &haar_orthonormal(rng, h, d)?, &haar_orthonormal(rng, h, z)?)
    }

    /// The same weights under another activation.
    #[must_use]
    pub fn with(&self, activation: Activation) -> Self {
        OrthonormalNetwork { activation, ..self.clone() }
    }

    /// The largest Euclidean norm of a row of either matrix.
    #[must_use]
    pub fn largest_row(&self) -> f64 {
        let largest = |w: &[f64], columns: usize| {
            w.chunks_exact(columns).map(|row| row.iter().map(|x| x * x).sum::<f64>()).fold(0.0, f64::max)
        };
        largest(&self.first, self.inputs).max(largest(&self.second, self.outputs)).sqrt()
    }

    /// Values and slopes of the hidden units, unit by unit, at each of the points.
    fn hidden(&self, points: &Matrix) -> Vec<(f64, f64)> {
        hidden_units(&self.first, points, self.activation)
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
        Ok(Matrix::new(n, z, sums)?)
    }

    /// Minus the free gradients of `Tr(U^T S U)`, `U` the outputs at the points, `S` symmetric.
    fn descent(&self, points: &Matrix, pairing: &Matrix) -> Result<(Vec<f64>, Vec<f64>), FlowError> {
        let (d, z) = (self.inputs, self.outputs);
        check_inputs(points, self.inputs)?;
        let hidden = self.hidden(points);
        let pull = pairing.rounded_product(&self.outputs_from(&hidden, points.rows())?)?;
        let (hidden, points, pull) = (&hidden[..], points, &pull);
        Ok(match (d, z) {
            (2, 1) => self.descent_together::<2, 1>(hidden, points, pull),
            (2, 2) => self.descent_together::<2, 2>(hidden, points, pull),
            (3, 1) => self.descent_together::<3, 1>(hidden, points, pull),
            (3, 2) => self.descent_together::<3, 2>(hidden, points, pull),
            sizes => self.descent_from(0, hidden, points, pull, sizes),
        })
    }

    /// The same from the hidden units, and the derivatives of half the loss with respect to the outputs; as many units at a time as
    /// registers hold.
    fn descent_together<const D: usize, const Z: usize>(
        &self,
        hidden: &[(f64, f64)],
        points: &Matrix,
        pull: &Matrix,
    ) -> (Vec<f64>, Vec<f64>) {
        let units = self.second.len() / Z;
        let whole = units / UNITS * UNITS;
        let (mut first, mut second) = InstructionSet::best().run(UnitsTogether::<D, Z> {
            hidden: &hidden[..whole * points.rows()],
            weights: &self.second[..whole * Z],
            points: points.entries(),
            pull: pull.entries(),
        });
        let rest = self.descent_from(whole, &hidden[whole * points.rows()..], points, pull, (D, Z));
        first.extend(rest.0);
        second.extend(rest.1);
        (first, second)
    }

    /// The same unit by unit, from one unit on.
    fn descent_from(
        &self,
        from: usize,
        hidden: &[(f64, f64)],
        points: &Matrix,
        pull: &Matrix,
        (d, z): (usize, usize),
    ) -> (Vec<f64>, Vec<f64>) {
        let weights = &self.second[from * z..];
        let (mut first, mut second) = (vec![0.0; weights.len() / z * d], vec![0.0; weights.len()]);
        let units = hidden.chunks_exact(points.rows()).zip(weights.chunks_exact(z));
        for ((values, weights), (to_first, to_second)) in
            units.zip(first.chunks_exact_mut(d).zip(second.chunks_exact_mut(z)))
        {
            let seen = points.entries().chunks_exact(d).zip(values);
            for ((point, (value, slope)), force) in seen.zip(pull.entries().chunks_exact(z)) {
                let mut back = 0.0;
                for ((v, w), f) in to_second.iter_mut().zip(weights).zip(force) {
                    *v -= 2.0 * value * f;
                    back += w * f;
                }
                let back = 2.0 * slope * back;
                for (v, x) in to_first.iter_mut().zip(point) {
                    *v -= back * x;
                }
            }
        }
        (first, second)
    }

    /// The velocity of the gradient flow on the two Stiefel manifolds: each free gradient `G` less its normal part `W sym(W^T G)`.
    fn velocity(&self, points: &Matrix, pairing: &Matrix) -> Result<(Vec<f64>, Vec<f64>), FlowError> {
        let (mut first, mut second) = self.descent(points, pairing)?;
        make_tangent(&mut first, &self.first, self.inputs);
        make_tangent(&mut second, &self.second, self.outputs);
        Ok((first, second))
    }

    fn moved(&self, (first, second): &(Vec<f64>, Vec<f64>), step: f64) -> Self {
        let along = |w: &[f64], v: &[f64]| w.iter().zip(v).map(|(x, y)| x + step * y).collect();
        OrthonormalNetwork { first: along(&self.first, first), second: along(&self.second, second), ..self.clone() }
    }

    /// Replaces both matrices by the nearest ones with orthonormal columns, `W (W^T W)^(-1/2)`.
    fn retracted(mut self) -> Self {
        retract(&mut self.first, self.inputs);
        retract(&mut self.second, self.outputs);
        self
    }

    /// The network after the gradient flow of `Tr(U^T S U)` under the constraints for a time, by so many classical Runge-Kutta
    /// steps, each followed by the polar retraction.
    ///
    /// # Errors
    /// Points of another dimension, a pairing of another size, or outputs that are not finite.
    pub fn followed(&self, points: &Matrix, pairing: &Matrix, time: f64, steps: usize) -> Result<Self, FlowError> {
        let step = time / steps.max(1) as f64;
        let mut now = self.clone();
        for _ in 0..steps {
            now = classical_step(&now, step, |w| w.velocity(points, pairing), Self::moved)?.retracted();
        }
        Ok(now)
    }

    /// The network after so many steps of projected gradient descent: `W - η ∇L`, then the polar retraction.
    ///
    /// # Errors
    /// As [`OrthonormalNetwork::followed`].
    pub fn descended(&self, points: &Matrix, pairing: &Matrix, step: f64, steps: usize) -> Result<Self, FlowError> {
        let mut now = self.clone();
        for _ in 0..steps {
            now = now.moved(&now.descent(points, pairing)?, step).retracted();
        }
        Ok(now)
    }
}

/// Units that are treated together.
const UNITS: usize = 8;

/// What [`OrthonormalNetwork::descent_from`] does to one unit after another, done to [`UNITS`] at once, for `D` inputs and `Z` outputs.
struct UnitsTogether<'a, const D: usize, const Z: usize> {
    hidden: &'a [(f64, f64)],
    weights: &'a [f64],
    points: &'a [f64],
    pull: &'a [f64],
}

impl<const D: usize, const Z: usize> Kernel for UnitsTogether<'_, D, Z> {
    type Output = (Vec<f64>, Vec<f64>);

    #[inline(always)]
    fn run<const WIDTH: usize>(self) -> (Vec<f64>, Vec<f64>) {
        let ((points, _), (pull, _)) = (self.points.as_chunks::<D>(), self.pull.as_chunks::<Z>());
        let (weights, n) = (self.weights.as_chunks::<Z>().0, points.len());
        let (mut first, mut second) = (vec![0.0; weights.len() * D], vec![0.0; weights.len() * Z]);
        let (to_first, to_second) = (first.as_chunks_mut::<D>().0, second.as_chunks_mut::<Z>().0);
        for start in (0..weights.len()).step_by(UNITS) {
            let weights = &weights[start..start + UNITS];
            let hidden = &self.hidden[start * n..(start + UNITS) * n];
            let (mut along_first, mut along_second) = ([[0.0; UNITS]; D], [[0.0; UNITS]; Z]);
            for (p, (point, force)) in points.iter().zip(pull).enumerate() {
                let (mut values, mut slopes) = ([0.0; UNITS], [0.0; UNITS]);
                for i in 0..UNITS {
                    (values[i], slopes[i]) = hidden[i * n + p];
                }
                let mut back = [0.0; UNITS];
                for k in 0..Z {
                    for i in 0..UNITS {
                        along_second[k][i] -= 2.0 * values[i] * force[k];
                        back[i] += weights[i][k] * force[k];
                    }
                }
                for i in 0..UNITS {
                    back[i] *= 2.0 * slopes[i];
                }
                for j in 0..D {
                    for i in 0..UNITS {
                        along_first[j][i] -= back[i] * point[j];
                    }
                }
            }
            for i in 0..UNITS {
                to_first[start + i] = along_first.map(|along| along[i]);
                to_second[start + i] = along_second.map(|along| along[i]);
            }
        }
        (first, second)
    }
}

/// `A^T B` for two matrices with so many columns, stored row by row.
fn inner_products(a: &[f64], b: &[f64], columns: usize) -> Vec<f64> {
    known!(columns in [1, 2, 3] => inner_products_of(a, b, columns))
}

/// The same, inlined for sizes that are known.
#[inline(always)]
fn inner_products_of(a: &[f64], b: &[f64], columns: usize) -> Vec<f64> {
    let mut sums = vec![0.0; columns * columns];
    for (row, other) in a.chunks_exact(columns).zip(b.chunks_exact(columns)) {
        for (x, sums) in row.iter().zip(sums.chunks_exact_mut(columns)) {
            for (sum, y) in sums.iter_mut().zip(other) {
                *sum += x * y;
            }
        }
    }
    sums
}

/// Row by row `x <- x A`, `A` a small square matrix.
fn times(rows: &mut [f64], a: &[f64], columns: usize) {
    known!(columns in [1, 2, 3] => times_of(rows, a, columns))
}

/// The same, inlined for sizes that are known.
#[inline(always)]
fn times_of(rows: &mut [f64], a: &[f64], columns: usize) {
    let mut old = vec![0.0; columns];
    for row in rows.chunks_exact_mut(columns) {
        old.copy_from_slice(row);
        for (j, x) in row.iter_mut().enumerate() {
            *x = old.iter().zip(a.chunks_exact(columns)).fold(0.0, |s, (y, a)| s + y * a[j]);
        }
    }
}

fn make_tangent(velocity: &mut [f64], weights: &[f64], columns: usize) {
    let mut normal = inner_products(weights, velocity, columns);
    for i in 0..columns {
        for j in 0..i {
            let mean = 0.5 * (normal[i * columns + j] + normal[j * columns + i]);
            normal[i * columns + j] = mean;
            normal[j * columns + i] = mean;
        }
    }
    let mut part = weights.to_vec();
    times(&mut part, &normal, columns);
    for (v, p) in velocity.iter_mut().zip(part) {
        *v -= p;
    }
}

fn retract(weights: &mut [f64], columns: usize) {
    let (vectors, squares) = diagonalised(inner_products(weights, weights, columns), columns);
    let mut correction = vec![0.0; columns * columns];
    for (v, square) in vectors.iter().zip(&squares) {
        let factor = 1.0 / square.max(1e-30).sqrt();
        for i in 0..columns {
            for j in 0..columns {
                correction[i * columns + j] += factor * v[i] * v[j];
            }
        }
    }
    times(weights, &correction, columns);
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::self_supervised::value_of_problem_4;
    use enclosures::interval::Interval;

    fn setup() -> (Matrix, Matrix) {
        let rows = vec![vec![1.0, 0.5], vec![-0.5, 1.0], vec![0.75, -0.25], vec![-1.0, 0.25]];
        let pairing = Matrix::from_fn(4, 4, |i, j| match (i.min(j), i.max(j)) {
            (0, 1) => 0.5,
            (0, 2) => -0.5,
            (1, 3) => -0.25,
            _ => 0.0,
        });
        (Matrix::from_rows(rows).unwrap(), pairing.unwrap())
    }

    fn loss(network: &OrthonormalNetwork, points: &Matrix, pairing: &Matrix) -> f64 {
        let u = network.outputs_at(points).unwrap();
        let su = pairing.rounded_product(&u).unwrap();
        u.entries().iter().zip(su.entries()).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn units_together_are_the_bits_of_units_one_by_one() {
        let mut rng = ChaCha8Rng::seed_from_u64(12);
        for (d, z, h) in [(2, 1, 7), (2, 2, 8), (3, 1, 21), (3, 2, 40)] {
            let network = OrthonormalNetwork::haar(Activation::Tanh, (d, z, h), &mut rng).unwrap();
            let number = |i: usize, j: usize| 0.3 * i as f64 - 0.7 * j as f64 + 0.1;
            let points = Matrix::from_fn(5, d, number).unwrap();
            let pull = Matrix::from_fn(5, z, number).unwrap();
            let hidden = network.hidden(&points);
            let expected = network.descent_from(0, &hidden, &points, &pull, (d, z));
            let found = match (d, z) {
                (2, 1) => network.descent_together::<2, 1>(&hidden, &points, &pull),
                (2, 2) => network.descent_together::<2, 2>(&hidden, &points, &pull),
                (3, 1) => network.descent_together::<3, 1>(&hidden, &points, &pull),
                _ => network.descent_together::<3, 2>(&hidden, &points, &pull),
            };
            assert_eq!(found, expected, "{d} {z} {h}");
        }
    }

    #[test]
    fn descent_is_minus_the_gradient_and_the_velocity_is_tangent() {
        let (points, pairing) = setup();
        for activation in [Activation::Identity, Activation::Tanh, Activation::Parabola(1.0), Activation::Sigmoid] {
            let network = OrthonormalNetwork::haar(activation, (2, 2, 6), &mut ChaCha8Rng::seed_from_u64(4)).unwrap();
            let v = network.descent(&points, &pairing).unwrap();
            let squared: f64 = v.0.iter().chain(&v.1).map(|x| x * x).sum();
            let e = 1e-5;
            let slope = (loss(&network.moved(&v, e), &points, &pairing)
                - loss(&network.moved(&v, -e), &points, &pairing))
                / (2.0 * e);
            assert!((slope + squared).abs() < 1e-6 * squared, "{activation:?}: {slope} {squared}");
            let tangent = network.velocity(&points, &pairing).unwrap().0;
            let gram = inner_products(&network.first, &tangent, 2);
            assert!(gram[0].abs() < 1e-14 && (gram[1] + gram[2]).abs() < 1e-14 && gram[3].abs() < 1e-14);
        }
    }

    #[test]
    fn both_ways_of_training_agree_and_reach_the_least_value() {
        let (points, pairing) = setup();
        let start =
            OrthonormalNetwork::haar(Activation::Identity, (2, 1, 7), &mut ChaCha8Rng::seed_from_u64(8)).unwrap();
        let flowed = start.followed(&points, &pairing, 0.5, 20).unwrap();
        let stepped = start.descended(&points, &pairing, 1e-3, 500).unwrap();
        let (a, b) = (flowed.outputs_at(&points).unwrap(), stepped.outputs_at(&points).unwrap());
        let apart = a.entries().iter().zip(b.entries()).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        assert!(apart < 5e-3, "{apart}");
        // C = X^T S X; its eigenvalues by the quadratic formula.
        let c = points.transpose().rounded_product(&pairing).unwrap().rounded_product(&points).unwrap();
        let (p, q, r) = (c.entries()[0], c.entries()[1], c.entries()[3]);
        let root = (0.25 * (p - r) * (p - r) + q * q).sqrt();
        let spectrum = [0.5 * (p + r) - root, 0.5 * (p + r) + root].map(Interval::point);
        let value = value_of_problem_4(&spectrum, 1, 7).unwrap().unwrap().midpoint();
        let last = start.followed(&points, &pairing, 20.0, 200).unwrap();
        assert!((loss(&last, &points, &pairing) - value).abs() < 1e-9 * value.abs(), "{value}");
        assert!(last.largest_row() <= 1.0 + 1e-12);
    }

    #[test]
    fn shapes_are_checked() {
        let (points, pairing) = setup();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        assert!(OrthonormalNetwork::haar(Activation::Tanh, (3, 1, 2), &mut rng).is_err());
        let network = OrthonormalNetwork::haar(Activation::Tanh, (3, 1, 4), &mut rng).unwrap();
        assert!(network.outputs_at(&points).is_err() && network.followed(&points, &pairing, 1.0, 1).is_err());
    }
}
