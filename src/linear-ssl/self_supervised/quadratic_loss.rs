//! The general losses of Proposition 3 and Definition 1 for a linear map.

use super::SelfSupervisedError;
use enclosures::interval::Interval;
use enclosures::linear_algebra::{IntervalMatrix, SingularValues};

/// `Tr(A C A^T)` for the map `u(x) = A x`, `A` of shape `z x d`, and any square `C` (`d x d`, symmetric or not).
///
/// For the two-layer linear model `A = W_2^T W_1`, so this is `Tr(W_2^T W_1 C W_1^T W_2)` of Esser, Mukherjee, Ghoshdastidar,
/// (7) and (8).
///
/// # Errors
/// Shapes that do not go together.
pub fn trace_loss(map: &IntervalMatrix, c: &IntervalMatrix) -> Result<Interval, SelfSupervisedError> {
    Ok(map.product(c)?.product(&map.transpose())?.trace()?)
}

/// `||A C A^T||_2^2`, the squared operator norm: the loss as Proposition 3 of the same paper prints it.
///
/// # Errors
/// Shapes that do not go together, or unbounded entries.
pub fn norm_loss(map: &IntervalMatrix, c: &IntervalMatrix) -> Result<Interval, SelfSupervisedError> {
    let inner = map.product(c)?.product(&map.transpose())?;
    Ok(SingularValues::of(&inner)?.spectral_norm().square())
}

#[cfg(test)]
mod tests {
    use super::*;
    use enclosures::linear_algebra::Matrix;

    #[test]
    fn one_by_one() {
        let number = |x: f64| IntervalMatrix::from(Matrix::from_rows(vec![vec![x]]).unwrap());
        assert_eq!(trace_loss(&number(3.0), &number(-2.0)).unwrap(), Interval::point(-18.0));
        assert_eq!(norm_loss(&number(3.0), &number(-2.0)).unwrap(), Interval::point(324.0));
        assert!(trace_loss(&number(1.0), &IntervalMatrix::identity(2).unwrap()).is_err());
    }
}
