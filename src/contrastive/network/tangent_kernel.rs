//! What gradient descent of a wide ReLU encoder becomes in the limit of infinite width: descent of the outputs along a
//! kernel.
//!
//! Weights are drawn as in [`Weights::initialise`](super::Weights::initialise), and the inputs have norm one. For two
//! of them let `phi_0` be their angle and `phi_{l+1}` the angle after one more layer of infinite width
//! ([`next_angle`]). As the width m grows, with everything else fixed (Jacot, Gabriel and Hongler 2018, for these
//! weights):
//! - the d coordinates of the outputs before training are independent Gaussian vectors over the inputs, with covariance
//!   `cos(phi_{L+1}) / d`;
//! - the inner product of the gradients of `f_a(x)` and `f_b(x')` in A and all W_l is `(m/d) K(x, x')` for a = b and of
//!   smaller order otherwise, `K = sum_{l=0..L} cos(phi_l) * (1/2) prod_{j=l..L} (1 - phi_j/pi)`: the l-th summand is the
//!   inner product of what goes into the l-th matrix times that of what comes back to it. The term of A is l = 0; B
//!   adds at most 1, which vanishes against m/d;
//! - K does not change while the outputs move by a bounded amount, so that an update with step size `nu` takes the
//!   outputs z to `z - nu (m/d) K grad_z`.

use rand::Rng;

use super::error::{all_finite, whole_rows};
use super::{NetworkError, Trained};
use enclosures::interval::Interval;
use enclosures::probability::{angle_of_chord, both_active, fill_standard_normal, next_angle};

/// How far the norm of an input may be from one.
const TOLERANCE: f64 = 1e-9;

/// The kernel K of infinite width and the covariance of the first outputs, for n inputs.
///
/// ```
/// use contrapositive_contrastive::network::{TangentKernel, Trained};
/// // One input twice, and another that is orthogonal to it; one hidden matrix between A and B.
/// let points = [1.0, 0.0, 1.0, 0.0, 0.0, 1.0];
/// let limit = TangentKernel::of_unit_inputs(&points, 2, 1, Trained::All)?;
/// assert_eq!(limit.kernel(0, 1), Some(1.0));
/// assert!(limit.kernel(0, 2).unwrap() < 0.2);
/// # Ok::<(), contrapositive_contrastive::network::NetworkError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TangentKernel {
    inputs: usize,
    kernel: Vec<f64>,
    /// A lower triangular factor of the covariance of one coordinate, times d.
    factor: Vec<f64>,
}

impl TangentKernel {
    /// The limit for `points`, n rows of `dimension` and norm one, with `depth` square matrices.
    ///
    /// # Errors
    /// [`NetworkError::Ragged`], [`NetworkError::NotFinite`]; [`NetworkError::Setting`] for an input whose norm is not
    /// one.
    pub fn of_unit_inputs(
        points: &[f64],
        dimension: usize,
        depth: usize,
        trained: Trained,
    ) -> Result<Self, NetworkError> {
        let inputs = whole_rows("points", points, dimension)?;
        all_finite("points", points)?;
        let rows: Vec<&[f64]> = points.chunks_exact(dimension).collect();
        for row in &rows {
            let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (norm - 1.0).abs() > TOLERANCE {
                return Err(NetworkError::Setting { name: "norm of an input", value: norm.to_string(), limit: "one" });
            }
        }
        let (mut kernel, mut covariance) = (vec![0.0; inputs * inputs], vec![0.0; inputs * inputs]);
        for i in 0..inputs {
            for j in 0..inputs {
                let (k, c) = pair(rows[i], rows[j], depth, trained);
                (kernel[i * inputs + j], covariance[i * inputs + j]) = (k, c);
            }
        }
        Ok(TangentKernel { inputs, kernel, factor: triangular(inputs, &covariance) })
    }

    /// The number of inputs.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// `K(x_i, x_j)`, if there are such inputs.
    #[must_use]
    pub fn kernel(&self, i: usize, j: usize) -> Option<f64> {
        let exists = i < self.inputs && j < self.inputs;
        exists.then(|| self.kernel[i * self.inputs + j])
    }

    /// Outputs before training: n rows of `output` coordinates.
    pub fn first_outputs<R: Rng + ?Sized>(&self, output: usize, rng: &mut R) -> Vec<f64> {
        let n = self.inputs;
        let mut normals = vec![0.0; n * output];
        fill_standard_normal(rng, &mut normals);
        let scale = 1.0 / (output as f64).sqrt();
        let entry = |i: usize, k: usize| {
            let sum: f64 = (0..=i).map(|j| self.factor[i * n + j] * normals[j * output + k]).sum();
            scale * sum
        };
        (0..n * output).map(|at| entry(at / output, at % output)).collect()
    }

    /// `K gradient` for derivatives with respect to the outputs, n rows of d; d is read off from the length.
    ///
    /// # Errors
    /// [`NetworkError::Ragged`] if the rows are not n.
    pub fn apply(&self, gradient: &[f64]) -> Result<Vec<f64>, NetworkError> {
        let n = self.inputs;
        if gradient.is_empty() || !gradient.len().is_multiple_of(n) {
            return Err(NetworkError::Ragged { name: "gradient", found: gradient.len(), row: n });
        }
        let output = gradient.len() / n;
        let entry = |at: usize| {
            let (i, k) = (at / output, at % output);
            (0..n).map(|j| self.kernel[i * n + j] * gradient[j * output + k]).sum()
        };
        Ok((0..gradient.len()).map(entry).collect())
    }
}

/// `K(x, y)` and `cos(phi_{L+1})`.
fn pair(x: &[f64], y: &[f64], depth: usize, trained: Trained) -> (f64, f64) {
    // The chord, not the inner product, so that the angle of close inputs keeps its digits.
    let square: Interval = (x.iter().zip(y)).map(|(&x, &y)| (Interval::point(x) - y).square()).sum();
    let mut angles = vec![angle_of_chord(square.max(Interval::ZERO).sqrt())];
    for l in 0..=depth {
        angles.push(next_angle(angles[l]));
    }
    let (mut back, mut kernel) = (0.5, 0.0);
    for l in (0..=depth).rev() {
        back *= 2.0 * both_active(angles[l]).midpoint();
        if l > 0 || trained == Trained::All {
            kernel += back * angles[l].cos().midpoint();
        }
    }
    (kernel, angles[depth + 1].cos().midpoint())
}

/// Cholesky's factor; a pivot that rounding makes negative belongs to a repeated input, and is zero.
fn triangular(n: usize, matrix: &[f64]) -> Vec<f64> {
    let mut factor = vec![0.0; n * n];
    for j in 0..n {
        let square: f64 = (0..j).map(|k| factor[j * n + k] * factor[j * n + k]).sum();
        let pivot = (matrix[j * n + j] - square).max(0.0).sqrt();
        factor[j * n + j] = pivot;
        for i in j + 1..n {
            let product: f64 = (0..j).map(|k| factor[i * n + k] * factor[j * n + k]).sum();
            if pivot > 1e-12 {
                factor[i * n + j] = (matrix[i * n + j] - product) / pivot;
            }
        }
    }
    factor
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Encoder, EncoderShape, GradientDescent, Weights};
    use enclosures::stream::stream;

    const POINTS: [f64; 6] = [1.0, 0.0, 0.6, 0.8, -0.8, 0.6];

    /// The gradients of f(x_1), f(x_2), f(x_3) of a wide network with one output, matrix by matrix.
    fn gradients(width: usize, depth: usize, seed: u64) -> Vec<Weights> {
        let shape = EncoderShape { input: 2, width, depth, output: 1 };
        let encoder = Encoder::initialise(shape, &mut stream(seed, &["tangent kernel"])).unwrap();
        let run = GradientDescent::new(encoder, POINTS.to_vec(), 1.0, Trained::All).unwrap();
        let unit = |i: usize| (0..3).map(|j| if i == j { 1.0 } else { 0.0 }).collect::<Vec<_>>();
        (0..3).map(|i| run.gradient(&unit(i)).unwrap()).collect()
    }

    fn dot(x: &[f64], y: &[f64]) -> f64 {
        x.iter().zip(y).map(|(x, y)| x * y).sum()
    }

    #[test]
    fn a_wide_network_has_nearly_this_kernel() {
        const WIDTH: usize = 512;
        const SEEDS: u64 = 12;
        for depth in [1, 2] {
            let found: Vec<_> = (0..SEEDS).map(|seed| gradients(WIDTH, depth, seed)).collect();
            for trained in [Trained::All, Trained::Hidden] {
                let limit = TangentKernel::of_unit_inputs(&POINTS, 2, depth, trained).unwrap();
                let product = |x: &Weights, y: &Weights| {
                    let hidden: f64 = x.w.iter().zip(&y.w).map(|(x, y)| dot(x, y)).sum();
                    let ends = dot(&x.a, &y.a) + dot(&x.b, &y.b);
                    hidden + if trained == Trained::All { ends } else { 0.0 }
                };
                for (i, j) in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)] {
                    let mean = found.iter().map(|g| product(&g[i], &g[j])).sum::<f64>() / SEEDS as f64;
                    let (wide, expected) = (mean / WIDTH as f64, limit.kernel(i, j).unwrap());
                    // One network is off by about a tenth, the mean of twelve by a thirtieth.
                    assert!((wide / expected - 1.0).abs() < 0.1, "{depth} {i} {j}: {wide} {expected}");
                }
            }
        }
    }

    #[test]
    fn equal_inputs_have_the_largest_entry() {
        for depth in 0..4 {
            let limit = TangentKernel::of_unit_inputs(&POINTS, 2, depth, Trained::All).unwrap();
            // Every summand is one half.
            assert!((limit.kernel(1, 1).unwrap() - 0.5 * (depth + 1) as f64).abs() < 1e-12);
            assert!(limit.kernel(0, 1).unwrap() < limit.kernel(1, 1).unwrap());
        }
    }

    #[test]
    fn first_outputs_have_the_covariance() {
        let limit = TangentKernel::of_unit_inputs(&POINTS, 2, 1, Trained::All).unwrap();
        let z = limit.first_outputs(40_000, &mut stream(4, &["first outputs"]));
        let rows: Vec<&[f64]> = z.chunks_exact(40_000).collect();
        let expected = |x: &[f64], y: &[f64]| pair(x, y, 1, Trained::All).1;
        for i in 0..3 {
            for j in 0..3 {
                let (x, y) = (&POINTS[2 * i..2 * i + 2], &POINTS[2 * j..2 * j + 2]);
                assert!((dot(rows[i], rows[j]) - expected(x, y)).abs() < 0.03);
            }
        }
    }

    #[test]
    fn refusals() {
        let of = |points: &[f64]| TangentKernel::of_unit_inputs(points, 2, 1, Trained::All);
        assert!(matches!(of(&[1.0, 1.0]), Err(NetworkError::Setting { .. })));
        assert!(matches!(of(&[1.0]), Err(NetworkError::Ragged { .. })));
        assert!(matches!(of(&[f64::NAN, 1.0]), Err(NetworkError::NotFinite { .. })));
        assert!(of(&POINTS).unwrap().apply(&[1.0; 4]).is_err());
        assert_eq!(of(&POINTS).unwrap().apply(&[0.0; 6]).unwrap(), [0.0; 6]);
    }
}
