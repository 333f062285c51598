//! Back to orthonormal columns: the polar factor and the Q of the QR decomposition, enclosed.

use super::{IntervalMatrix, MatrixError};
use crate::interval::Interval;

/// A way from a matrix `A` (`h x k`, full column rank) to one with orthonormal columns that span the same space: `A X` with a
/// `k x k` matrix `X` that depends on the Gram matrix `A^T A` only.
///
/// Source: Absil, Mahony, Sepulchre, Optimization Algorithms on Matrix Manifolds, section 4.1.1.
///
/// ```
/// use contrapositive_enclosures::linear_algebra::{IntervalMatrix, Matrix, Retraction};
/// let a: IntervalMatrix = Matrix::from_rows(vec![vec![0.75], vec![1.0]])?.into();
/// for retraction in [Retraction::Polar, Retraction::Qr] {
///     let unit = retraction.applied(&a)?;
///     assert!(unit.get(0, 0).unwrap().contains(0.6) && unit.width() < 1e-14);
/// }
/// # Ok::<(), contrapositive_enclosures::linear_algebra::MatrixError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retraction {
    /// `A (A^T A)^(-1/2)`, the nearest matrix with orthonormal columns.
    Polar,
    /// The Q of `A = Q R`, R upper triangular with positive diagonal.
    Qr,
}

impl Retraction {
    /// The matrix `X` for the Gram matrix `A^T A` (`k x k`): `(A^T A)^(-1/2)`, or `R^(-1)` with `A^T A = R^T R`.
    ///
    /// # Errors
    /// Not square; for the polar factor a Gram matrix whose distance to the identity is one or more (Frobenius norm), for QR one that may be
    /// singular.
    pub fn correction(self, gram: &IntervalMatrix) -> Result<IntervalMatrix, MatrixError> {
        match self {
            Retraction::Polar => inverse_square_root(gram),
            Retraction::Qr => inverse_upper_factor(gram),
        }
    }

    /// The matrix with orthonormal columns.
    ///
    /// # Errors
    /// As [`Retraction::correction`].
    pub fn applied(self, a: &IntervalMatrix) -> Result<IntervalMatrix, MatrixError> {
        a.product(&self.correction(&a.transpose().product(a)?)?)
    }
}

/// `(I + E)^(-1/2)` by the binomial series. Its coefficients are at most one in absolute value, so what is left out after the power K
/// has entries of at most `e^(K+1) / (1 - e)` with `e = ||E||_F`.
fn inverse_square_root(gram: &IntervalMatrix) -> Result<IntervalMatrix, MatrixError> {
    let n = gram.square_side()?;
    let identity = IntervalMatrix::identity(n)?;
    let off = gram.minus(&identity)?;
    let distance = off.frobenius_norm().hi();
    if distance == 0.0 {
        return Ok(identity);
    }
    if distance.is_nan() || distance >= 0.95 {
        return Err(MatrixError::FarFromIdentity { distance });
    }
    let (mut coefficients, mut rest) = (vec![Interval::ONE], Interval::ONE);
    while rest.hi() > 1e-19 {
        let k = coefficients.len() as f64;
        coefficients.push(coefficients[coefficients.len() - 1] * (0.5 - k) / k);
        rest = rest * distance;
    }
    let radius = (rest * distance / (Interval::ONE - distance)).hi();
    let mut sum = identity.scaled(coefficients.pop().unwrap_or(Interval::ZERO));
    while let Some(c) = coefficients.pop() {
        sum = off.product(&sum)?.plus(&identity.scaled(c))?;
    }
    IntervalMatrix::from_fn(n, n, |i, j| sum.at(i, j).widened_by(radius))
}

/// The inverse of the upper triangular Cholesky factor.
fn inverse_upper_factor(gram: &IntervalMatrix) -> Result<IntervalMatrix, MatrixError> {
    let n = gram.square_side()?;
    let mut upper = vec![vec![Interval::ZERO; n]; n];
    for i in 0..n {
        let pivot = gram.at(i, i) - (0..i).map(|k| upper[k][i].square()).sum::<Interval>();
        if !pivot.is_positive() {
            return Err(MatrixError::MayBeSingular { column: i });
        }
        upper[i][i] = pivot.sqrt();
        for j in i + 1..n {
            let known: Interval = (0..i).map(|k| upper[k][i] * upper[k][j]).sum();
            upper[i][j] = (gram.at(i, j) - known) / upper[i][i];
        }
    }
    let mut inverse = vec![vec![Interval::ZERO; n]; n];
    for j in 0..n {
        inverse[j][j] = Interval::ONE / upper[j][j];
        for i in (0..j).rev() {
            let known: Interval = (i + 1..=j).map(|k| upper[i][k] * inverse[k][j]).sum();
            inverse[i][j] = -known / upper[i][i];
        }
    }
    IntervalMatrix::new(n, n, inverse.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::linear_algebra::Matrix;

    const BOTH: [Retraction; 2] = [Retraction::Polar, Retraction::Qr];

    proptest! {
        #[test]
        fn the_result_is_orthonormal_and_spans_the_same_space(entries in prop::collection::vec(-0.1..0.1f64, 15)) {
            let a = Matrix::from_fn(5, 3, |i, j| entries[3 * i + j] + f64::from(u8::from(i == j))).unwrap();
            let a = IntervalMatrix::from(a);
            for retraction in BOTH {
                let q = retraction.applied(&a).unwrap();
                let gram = q.transpose().product(&q).unwrap();
                let defect = gram.minus(&IntervalMatrix::identity(3).unwrap()).unwrap();
                prop_assert!(defect.infinity_norm().hi() < 1e-12);
                // q^T A is symmetric and positive, or upper triangular with a positive diagonal: what makes the factor unique.
                let factor = q.transpose().product(&a).unwrap();
                for i in 0..3 {
                    prop_assert!(factor.at(i, i).is_positive());
                    for j in 0..i {
                        let zero = match retraction {
                            Retraction::Polar => factor.at(i, j) - factor.at(j, i),
                            Retraction::Qr => factor.at(i, j),
                        };
                        prop_assert!(zero.contains(0.0) && zero.width() < 1e-12, "{:?}", zero);
                    }
                }
                let back = q.product(&factor).unwrap().minus(&a).unwrap();
                prop_assert!(back.infinity_norm().hi() < 1e-12);
            }
        }
    }

    #[test]
    fn orthonormal_columns_stay_as_they_are_and_bad_input_is_an_error() {
        let unit = IntervalMatrix::from(Matrix::from_rows(vec![vec![0.0, 1.0], vec![-1.0, 0.0]]).unwrap());
        let dependent = IntervalMatrix::from(Matrix::from_rows(vec![vec![1.0, 1.0], vec![1.0, 1.0]]).unwrap());
        for retraction in BOTH {
            assert_eq!(retraction.applied(&unit).unwrap(), unit);
            assert!(retraction.applied(&dependent).is_err());
            assert!(retraction.correction(&IntervalMatrix::new(1, 2, vec![Interval::ONE; 2]).unwrap()).is_err());
        }
        let unbounded = IntervalMatrix::new(1, 1, vec![Interval::ENTIRE]).unwrap();
        assert!(BOTH.iter().all(|r| r.correction(&unbounded).is_err()));
    }
}
