//! Gaussian matrices and uniformly distributed (Haar) matrices with orthonormal columns.

use rand::Rng;

use super::{Matrix, MatrixError};
use crate::probability::standard_normals;

/// A `rows x columns` matrix of independent standard normal numbers.
///
/// # Errors
/// An empty side.
pub fn gaussian_matrix<R: Rng + ?Sized>(rng: &mut R, rows: usize, columns: usize) -> Result<Matrix, MatrixError> {
    Matrix::new(rows, columns, standard_normals(rng, rows * columns))
}

/// A `rows x columns` matrix with orthonormal columns (up to rounding), uniformly distributed: the Q of the QR
/// decomposition with positive diagonal R of a Gaussian matrix, by Gram-Schmidt with one repetition.
///
/// Positive diagonal entries of R make the decomposition unique and hence Q invariant in law under `Q -> OQ`
/// (Mezzadri, How to generate random matrices from the classical compact groups, 2007).
///
/// # Errors
/// An empty side, or more columns than rows.
pub fn haar_orthonormal<R: Rng + ?Sized>(rng: &mut R, rows: usize, columns: usize) -> Result<Matrix, MatrixError> {
    if rows == 0 || columns == 0 {
        return Err(MatrixError::Empty { rows, columns });
    }
    if columns > rows {
        return Err(MatrixError::TooManyColumns { rows, columns });
    }
    let mut done: Vec<Vec<f64>> = Vec::with_capacity(columns);
    while done.len() < columns {
        let mut column = standard_normals(rng, rows);
        for _ in 0..2 {
            for earlier in &done {
                let along: f64 = column.iter().zip(earlier).map(|(x, q)| x * q).sum();
                for (x, q) in column.iter_mut().zip(earlier) {
                    *x -= along * q;
                }
            }
        }
        let length = column.iter().map(|x| x * x).sum::<f64>().sqrt();
        // A draw that is nearly dependent on the earlier ones has negligible probability; it would lose accuracy.
        if length > 1e-6 {
            done.push(column.into_iter().map(|x| x / length).collect());
        }
    }
    Matrix::from_fn(rows, columns, |i, j| done[j][i])
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::linear_algebra::IntervalMatrix;

    #[test]
    fn columns_are_orthonormal() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for (rows, columns) in [(1, 1), (3, 3), (7, 2), (40, 40)] {
            let q: IntervalMatrix = haar_orthonormal(&mut rng, rows, columns).unwrap().into();
            let gram = q.transpose().product(&q).unwrap();
            let defect = gram.minus(&IntervalMatrix::identity(columns).unwrap()).unwrap();
            assert!(defect.infinity_norm().hi() < 1e-13);
        }
        assert!(haar_orthonormal(&mut rng, 2, 3).is_err());
        assert!(haar_orthonormal(&mut rng, 0, 0).is_err());
    }

    #[test]
    fn second_and_fourth_moments_of_an_entry() {
        // E s^2 = 1/h, E s^4 = 3/(h (h + 2)).
        let (mut rng, h, draws) = (ChaCha8Rng::seed_from_u64(2), 4, 20_000);
        let (mut second, mut fourth, mut mean) = (0.0, 0.0, 0.0);
        for _ in 0..draws {
            let s = haar_orthonormal(&mut rng, h, 2).unwrap().get(3, 1).unwrap() / 1.0;
            mean += s / f64::from(draws);
            second += s * s / f64::from(draws);
            fourth += s * s * s * s / f64::from(draws);
        }
        assert!(mean.abs() < 0.02 && (second - 0.25).abs() < 0.01 && (fourth - 0.125).abs() < 0.01);
    }
}
