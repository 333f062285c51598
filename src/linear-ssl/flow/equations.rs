//! The right sides of the learning dynamics of linear models under orthogonality constraints, as enclosures.
//!
//! `q = V^T W_1^T W_2` (`d x z`) are the outputs at the eigenvectors of the data matrix `C = V Λ V^T`, `Λ` diagonal with the given
//! spectrum. Source: Esser, Mukherjee, Ghoshdastidar, equations (9) and (10), and the text after Theorem 2.

use super::FlowError;
use enclosures::interval::Interval;
use enclosures::linear_algebra::{IntervalMatrix, MatrixError};

fn diagonal(spectrum: &[Interval]) -> Result<IntervalMatrix, MatrixError> {
    let n = spectrum.len();
    IntervalMatrix::from_fn(n, n, |i, j| if i == j { spectrum[i] } else { Interval::ZERO })
}

/// Equation (9): `q' = -2 [2 Λ q - Λ q q^T q - q q^T Λ q]` for `q` of shape `d x z`.
///
/// # Errors
/// `q` has not as many rows as there are eigenvalues.
pub fn orthogonal_velocity(spectrum: &[Interval], q: &IntervalMatrix) -> Result<IntervalMatrix, FlowError> {
    let image = diagonal(spectrum)?.product(q)?;
    let gram = q.transpose().product(q)?;
    let energy = q.transpose().product(&image)?;
    let bracket = image.scaled(2.0).minus(&image.product(&gram)?)?.minus(&q.product(&energy)?)?;
    Ok(bracket.scaled(-2.0))
}

/// The closed equation for `P = q q^T` (`d x d`): `P' = -4 (Λ P + P Λ) + 2 (Λ P^2 + P^2 Λ) + 4 P Λ P`.
///
/// # Errors
/// `p` is not square of the size of the spectrum.
pub fn riccati_velocity(spectrum: &[Interval], p: &IntervalMatrix) -> Result<IntervalMatrix, FlowError> {
    let lambda = diagonal(spectrum)?;
    let square = p.product(p)?;
    let both = |m: &IntervalMatrix| lambda.product(m)?.plus(&m.product(&lambda)?);
    let inner = p.product(&lambda)?.product(p)?;
    let sum = both(p)?.scaled(-4.0).plus(&both(&square)?.scaled(2.0))?;
    Ok(sum.plus(&inner.scaled(4.0))?)
}

/// Equation (10), the case z = 1: `q' = -2 [(1 - q·q) Λ q + (I - q q^T) Λ q]` for `q` in `R^d`.
///
/// # Errors
/// `q` has not as many coordinates as there are eigenvalues.
pub fn sphere_velocity(spectrum: &[Interval], q: &[Interval]) -> Result<Vec<Interval>, FlowError> {
    if spectrum.len() != q.len() || q.is_empty() {
        return Err(FlowError::Dimension { found: q.len(), expected: spectrum.len() });
    }
    let image: Vec<Interval> = spectrum.iter().zip(q).map(|(&l, &x)| l * x).collect();
    let slack = Interval::ONE - q.iter().map(|x| x.square()).sum::<Interval>();
    let energy: Interval = spectrum.iter().zip(q).map(|(&l, x)| l * x.square()).sum();
    let coordinate = |(&lx, &x): (&Interval, &Interval)| -2.0 * (slack * lx + (lx - energy * x));
    Ok(image.iter().zip(q).map(coordinate).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn points(values: &[i8]) -> Vec<Interval> {
        values.iter().map(|&x| Interval::point(x.into())).collect()
    }

    proptest! {
        #[test]
        fn equation_ten_is_equation_nine_for_one_column(
            pairs in prop::collection::vec((-9..=9i8, -9..=9i8), 1..5),
        ) {
            let (spectrum, q): (Vec<i8>, Vec<i8>) = pairs.into_iter().unzip();
            let (spectrum, q) = (points(&spectrum), points(&q));
            let column = IntervalMatrix::new(q.len(), 1, q.clone()).unwrap();
            // Integers: both sides are exact.
            let nine = orthogonal_velocity(&spectrum, &column).unwrap();
            prop_assert_eq!(nine.entries(), sphere_velocity(&spectrum, &q).unwrap());
        }

        #[test]
        fn the_equation_for_the_projector_follows(
            lambda in prop::collection::vec(-5..=5i8, 3),
            entries in prop::collection::vec(-3..=3i8, 6),
        ) {
            let lambda = points(&lambda);
            let q = IntervalMatrix::new(3, 2, points(&entries)).unwrap();
            let velocity = orthogonal_velocity(&lambda, &q).unwrap();
            let half = velocity.product(&q.transpose()).unwrap();
            let product_rule = half.plus(&half.transpose()).unwrap();
            let p = q.product(&q.transpose()).unwrap();
            prop_assert_eq!(product_rule, riccati_velocity(&lambda, &p).unwrap());
        }
    }

    #[test]
    fn wrong_shapes_are_errors() {
        let two = points(&[1, 2]);
        assert!(sphere_velocity(&two, &two[..1]).is_err());
        assert!(sphere_velocity(&[], &[]).is_err());
        assert!(orthogonal_velocity(&two, &IntervalMatrix::identity(3).unwrap()).is_err());
        assert!(riccati_velocity(&two, &IntervalMatrix::identity(3).unwrap()).is_err());
    }
}
