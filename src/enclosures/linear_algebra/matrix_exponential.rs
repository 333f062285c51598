//! The exponential of a square matrix, enclosed.

use super::{IntervalMatrix, MatrixError};
use crate::interval::Interval;

/// Degree of the Taylor polynomial; with norm at most one half the remainder is below 1e-20.
const DEGREE: usize = 16;

/// Norms beyond this are refused: every diagonal entry of the exponential could overflow.
const LARGEST_NORM: f64 = 700.0;

/// Enclosure of `e^A` for every real matrix `A` inside the square matrix `a`.
///
/// Scaling and squaring: `e^A = (e^B)^(2^s)` with `B = A / 2^s` and `||B||_inf <= 1/2`; `e^B` is the Taylor polynomial of degree m by
/// Horner's rule, and as `||sum over k > m of B^k / k!||_inf <= b^(m+1)/(m+1)! / (1 - b/(m+2))` for `b = ||B||_inf`, so is
/// every entry of the remainder. Widths are a small multiple of `2^s` roundings of `e^||A||`; a zero matrix gives the identity, and a
/// coordinate with zero row and column keeps its unit vector exactly.
///
/// ```
/// use contrapositive_enclosures::linear_algebra::{Matrix, matrix_exponential};
/// let turn = Matrix::from_rows(vec![vec![0.0, -1.0], vec![1.0, 0.0]])?;
/// let cosine = matrix_exponential(&turn.into())?.get(0, 0).unwrap();
/// assert!(cosine.contains(0.540_302_305_868_139_7) && cosine.width() < 1e-14);
/// # Ok::<(), contrapositive_enclosures::linear_algebra::MatrixError>(())
/// ```
///
/// # Errors
/// Not square, or an infinity norm that is not below 700.
pub fn matrix_exponential(a: &IntervalMatrix) -> Result<IntervalMatrix, MatrixError> {
    let n = a.square_side()?;
    let norm = a.infinity_norm().hi();
    if norm.is_nan() || norm > LARGEST_NORM {
        return Err(MatrixError::NotFinite { row: 0, column: 0, value: norm });
    }
    if norm == 0.0 {
        return IntervalMatrix::identity(n);
    }
    let mut halvings = 0;
    let mut factor = 1.0;
    while norm * factor > 0.5 {
        factor *= 0.5;
        halvings += 1;
    }
    let b = a.scaled(factor);
    let identity = IntervalMatrix::identity(n)?;
    let mut sum = identity.clone();
    for k in (1..=DEGREE).rev() {
        sum = identity.plus(&b.product(&sum)?.scaled(Interval::ONE / k as f64))?;
    }
    let mut power = with_remainder(&sum, a, b.infinity_norm())?;
    for _ in 0..halvings {
        power = power.product(&power)?;
    }
    Ok(power)
}

/// The polynomial widened by the remainder, except where a zero row or column of the matrix says that there is none.
fn with_remainder(
    polynomial: &IntervalMatrix,
    a: &IntervalMatrix,
    norm: Interval,
) -> Result<IntervalMatrix, MatrixError> {
    let factorial: Interval = (1..=DEGREE + 1).map(|k| Interval::point(k as f64)).product();
    let first = norm.powi(DEGREE as i64 + 1) / factorial;
    let radius = (first / (Interval::ONE - norm / (DEGREE + 2) as f64)).hi();
    let n = a.rows();
    let idle_row: Vec<bool> = a.row_iter().map(|r| r.iter().all(|e| *e == Interval::ZERO)).collect();
    let idle_column: Vec<bool> = (0..n).map(|j| (0..n).all(|i| a.at(i, j) == Interval::ZERO)).collect();
    IntervalMatrix::from_fn(n, n, |i, j| {
        let exact = idle_row[i] || idle_column[j];
        polynomial.at(i, j).widened_by(if exact { 0.0 } else { radius })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::linear_algebra::{Matrix, PlaneRotation};

    #[test]
    fn diagonal_nilpotent_and_zero_matrices() {
        let diagonal = matrix_exponential(&Matrix::diagonal(&[-3.0, 0.0, 5.0]).unwrap().into()).unwrap();
        for (k, x) in [-3.0, 0.0, 5.0].into_iter().enumerate() {
            let exact = Interval::point(x).exp();
            let found = diagonal.get(k, k).unwrap();
            assert!(found.intersection(exact).is_some() && found.width() < 1e-10, "{found:?}");
        }
        let shift = Matrix::from_rows(vec![vec![0.0, 1.0], vec![0.0, 0.0]]).unwrap();
        let found = matrix_exponential(&shift.into()).unwrap();
        let corner = found.get(0, 1).unwrap();
        assert!(corner.contains(1.0) && corner.width() < 1e-15, "{corner:?}");
        let zero = IntervalMatrix::new(2, 2, vec![Interval::ZERO; 4]).unwrap();
        assert_eq!(matrix_exponential(&zero).unwrap(), IntervalMatrix::identity(2).unwrap());
    }

    #[test]
    fn what_has_no_representable_exponential_is_refused() {
        let huge = Matrix::diagonal(&[1e4]).unwrap();
        assert!(matrix_exponential(&huge.into()).is_err());
        let unbounded = IntervalMatrix::new(1, 1, vec![Interval::ENTIRE]).unwrap();
        assert!(matrix_exponential(&unbounded).is_err());
        let wide = IntervalMatrix::new(1, 2, vec![Interval::ONE; 2]).unwrap();
        assert!(matrix_exponential(&wide).is_err());
    }

    proptest! {
        #[test]
        fn the_exponential_commutes_with_rotations(
            spectrum in prop::collection::vec(-6.0..6.0f64, 3),
            turns in prop::collection::vec((0..3usize, 1..3usize, -2.0..2.0f64), 3),
        ) {
            let rotations: Vec<PlaneRotation> = turns.into_iter().map(|(first, by, half_tangent)| {
                PlaneRotation { first, second: (first + by) % 3, half_tangent }
            }).collect();
            let v = PlaneRotation::product_of(3, &rotations).unwrap();
            let conjugated = |diagonal: Vec<Interval>| {
                let d = IntervalMatrix::from_fn(3, 3, |i, j| if i == j { diagonal[i] } else { Interval::ZERO }).unwrap();
                v.product(&d).unwrap().product(&v.transpose()).unwrap()
            };
            let a = conjugated(spectrum.iter().map(|&l| Interval::point(l)).collect());
            let exact = conjugated(spectrum.iter().map(|&l| Interval::point(l).exp()).collect());
            let found = matrix_exponential(&a).unwrap();
            for (x, y) in found.entries().iter().zip(exact.entries()) {
                prop_assert!(x.intersection(*y).is_some(), "{x:?} {y:?}");
                prop_assert!(x.width() < 1e-8, "{x:?}");
            }
        }

        #[test]
        fn the_exponential_of_minus_a_is_the_inverse(entries in prop::collection::vec(-2.0..2.0f64, 9)) {
            let a: IntervalMatrix = Matrix::new(3, 3, entries).unwrap().into();
            let product = matrix_exponential(&a).unwrap().product(&matrix_exponential(&a.scaled(-1.0)).unwrap()).unwrap();
            prop_assert!(product.contains(&IntervalMatrix::identity(3).unwrap().midpoint()));
        }
    }
}
