//! The matrices of the proof of Lemma 3 as they are printed, block by block, evaluated without any of the closed forms.

use contrastive::Triplet;
use enclosures::interval::{self, HyperDual};
use enclosures::linear_algebra::{IntervalMatrix, MatrixError, symmetric_eigenvalues};
use enclosures::vectors::{minus, points, sum_of_products};
use evidence::prelude::*;

type Result<T> = std::result::Result<T, MatrixError>;

/// A_j: 3d × d, the identity in block j (counted from 0).
fn selector(d: usize, j: usize) -> Result<IntervalMatrix> {
    IntervalMatrix::from_fn(3 * d, d, |row, column| if row == j * d + column { Interval::ONE } else { Interval::ZERO })
}

/// ∂²(z_i·z_j)/∂z² as printed: A_iA_jᵀ + A_jA_iᵀ.
pub fn product_hessian(d: usize, i: usize, j: usize) -> Result<IntervalMatrix> {
    let (a, b) = (selector(d, i)?, selector(d, j)?);
    a.product(&b.transpose())?.plus(&b.product(&a.transpose())?)
}

/// ∂(z_i·z_j)/∂z as printed, a column: (A_iA_jᵀ + A_jA_iᵀ)z.
pub fn product_gradient(z: &Triplet, i: usize, j: usize) -> Result<IntervalMatrix> {
    let stacked = points(&z.vectors().concat());
    let column = product_hessian(z.dimension(), i, j)?.times_vector(&stacked)?;
    IntervalMatrix::new(column.len(), 1, column)
}

/// The printed ingredients for one triple: cos_12 and cos_13 stand for the inner products z_1·z_2 and z_1·z_3.
pub struct Blocks {
    pub d: usize,
    /// v = softmax(z_1·z_2, z_1·z_3).
    pub v: [Interval; 2],
    /// (∂cos_12 ∂cos_13), 3d × 2.
    pub gradients: IntervalMatrix,
    /// (diag v − vvᵀ)(∂cos_12 ∂cos_13)ᵀ, 2 × 3d.
    pub softmax_derivative: IntervalMatrix,
    /// (∂cos_12 ∂cos_13)·∂v, 3d × 3d.
    pub rank_term: IntervalMatrix,
}

impl Blocks {
    pub fn of(z: &Triplet) -> std::result::Result<Self, MeasureError> {
        let [anchor, positive, negative] = z.vectors();
        let difference = interval::dot(anchor, negative) - interval::dot(anchor, positive);
        let v = [(-difference).sigmoid(), difference.sigmoid()];
        let columns = [product_gradient(z, 0, 1)?, product_gradient(z, 0, 2)?];
        let gradients = IntervalMatrix::from_fn(3 * z.dimension(), 2, |row, column| columns[column].entries()[row])?;
        // diag v − vvᵀ with 1 − v_1 = v_2: no digit is lost where one of the two is small.
        let off = v[0] * v[1];
        let jacobian = IntervalMatrix::new(2, 2, vec![off, -off, -off, off])?;
        let softmax_derivative = jacobian.product(&gradients.transpose())?;
        let rank_term = gradients.product(&softmax_derivative)?;
        Ok(Blocks { d: z.dimension(), v, gradients, softmax_derivative, rank_term })
    }

    /// ∂ℓ/∂z as printed: (v_1 − 1)·∂cos_12 + v_2·∂cos_13.
    pub fn loss_gradient(&self) -> Result<IntervalMatrix> {
        let weights = IntervalMatrix::new(2, 1, vec![-self.v[1], self.v[1]])?;
        self.gradients.product(&weights)
    }

    /// ∂²ℓ/∂z² as printed: (v_1 − 1)·∂²cos_12 + v_2·∂²cos_13 + (∂cos_12 ∂cos_13)·∂v.
    pub fn loss_hessian(&self) -> Result<IntervalMatrix> {
        let first = product_hessian(self.d, 0, 1)?.scaled(-self.v[1]);
        let second = product_hessian(self.d, 0, 2)?.scaled(self.v[1]);
        first.plus(&second)?.plus(&self.rank_term)
    }
}

/// The spectral norm of a symmetric matrix, from verified eigenvalues.
pub fn spectral_norm(matrix: &IntervalMatrix) -> Result<Interval> {
    let eigenvalues = symmetric_eigenvalues(matrix)?;
    Ok(eigenvalues.into_iter().map(Interval::abs).fold(Interval::ZERO, Interval::max))
}

/// Value, gradient (a column) and Hessian of a function of the 3d coordinates, by exact differentiation of its definition.
pub struct Derivatives {
    pub gradient: IntervalMatrix,
    pub hessian: IntervalMatrix,
}

/// Differentiates `f`, which sees the vectors z_1, z_2, z_3 as numbers that carry their derivatives.
pub fn derivatives(z: &Triplet, f: impl Fn([&[HyperDual]; 3]) -> HyperDual) -> Result<Derivatives> {
    let (d, stacked) = (z.dimension(), z.vectors().concat());
    let along = |row: usize, column: usize| {
        let unit = |k: usize, at: usize| if k == at { 1.0 } else { 0.0 };
        let number = |(k, &x): (usize, &f64)| HyperDual::variable(x, unit(k, row), unit(k, column));
        let all: Vec<HyperDual> = stacked.iter().enumerate().map(number).collect();
        f([&all[..d], &all[d..2 * d], &all[2 * d..]])
    };
    let mut hessian = vec![Interval::ZERO; 9 * d * d];
    let mut gradient = Vec::with_capacity(3 * d);
    for row in 0..3 * d {
        for column in row..3 * d {
            let found = along(row, column);
            hessian[row * 3 * d + column] = found.mixed;
            hessian[column * 3 * d + row] = found.mixed;
            if row == column {
                gradient.push(found.first);
            }
        }
    }
    Ok(Derivatives {
        gradient: IntervalMatrix::new(3 * d, 1, gradient)?,
        hessian: IntervalMatrix::new(3 * d, 3 * d, hessian)?,
    })
}

/// The argument a = z_1·(z_3 − z_2) of the softplus.
pub fn argument(z: [&[HyperDual]; 3]) -> HyperDual {
    let difference = minus(z[2], z[1]);
    sum_of_products(z[0], &difference)
}

/// The statement that two matrices agree entry by entry, on the scale of the largest entry.
pub fn same(left: &IntervalMatrix, right: &IntervalMatrix) -> Evaluation {
    same_on(left, right, "the largest entry", left.magnitude().max(right.magnitude()))
}

/// The same on the scale of what was added up, where entries cancel.
pub fn same_on(left: &IntervalMatrix, right: &IntervalMatrix, name: &'static str, scale: f64) -> Evaluation {
    if left.rows() != right.rows() || left.columns() != right.columns() {
        return Evaluation::Failed("two matrices of different shapes".into());
    }
    // The largest entries first: of several that agree to all digits, the first stands for the matrices.
    let mut entries: Vec<_> = left.entries().iter().zip(right.entries()).collect();
    entries.sort_by(|(x, _), (y, _)| y.magnitude().total_cmp(&x.magnitude()));
    all_of(entries.into_iter().map(|(&x, &y)| ("an entry", equal(x, y).on_scale_of(name, scale))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The triplet with one of its 3d coordinates moved.
    fn moved(z: &Triplet, steps: &[(usize, f64)]) -> Triplet {
        let (d, mut stacked) = (z.dimension(), z.vectors().concat());
        for &(k, by) in steps {
            stacked[k] += by;
        }
        let part = |j: usize| stacked[j * d..(j + 1) * d].to_vec();
        Triplet::new(part(0), part(1), part(2)).unwrap()
    }

    #[test]
    fn the_printed_derivatives_are_difference_quotients_of_the_loss() {
        let z = Triplet::new(vec![0.5, -1.25], vec![0.75, 0.25], vec![-0.5, -0.375]).unwrap();
        let (h, loss) = (1.0 / 1024.0, |z: &Triplet| z.loss().midpoint());
        let blocks = Blocks::of(&z).unwrap();
        let exact = derivatives(&z, |z| argument(z).softplus()).unwrap();
        let (gradient, hessian) = (blocks.loss_gradient().unwrap(), blocks.loss_hessian().unwrap());
        for i in 0..6 {
            let slope = (loss(&moved(&z, &[(i, h)])) - loss(&moved(&z, &[(i, -h)]))) / (2.0 * h);
            for found in [&gradient, &exact.gradient] {
                assert!((found.at(i, 0) - slope).abs().hi() < 1e-5, "{i}: {slope}");
            }
            for j in 0..6 {
                let at = |s: f64, t: f64| loss(&moved(&z, &[(i, s * h), (j, t * h)]));
                let curvature = (at(1.0, 1.0) - at(1.0, -1.0) - at(-1.0, 1.0) + at(-1.0, -1.0)) / (4.0 * h * h);
                for found in [&hessian, &exact.hessian] {
                    assert!((found.at(i, j) - curvature).abs().hi() < 1e-5, "{i}, {j}: {curvature}");
                }
            }
        }
    }

    /// (2, 1; 1, −3) has the eigenvalues (−1 ± √29)/2: the negative one is the larger in size.
    #[test]
    fn the_spectral_norm_may_belong_to_a_negative_eigenvalue() {
        let entries = [2.0, 1.0, 1.0, -3.0].map(Interval::point).to_vec();
        let norm = spectral_norm(&IntervalMatrix::new(2, 2, entries).unwrap()).unwrap();
        let expected = (Interval::point(29.0).sqrt() + 1.0) / 2.0;
        assert!((norm - expected).abs().hi() < 1e-12, "{norm:?}");
    }
}
