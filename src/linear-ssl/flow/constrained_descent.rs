//! One step of the schemes (11) and (12): projected gradient descent of the two weight matrices, and Euler's method for the outputs.

use super::{FlowError, orthogonal_velocity};
use enclosures::interval::Interval;
use enclosures::linear_algebra::{IntervalMatrix, Retraction};

/// One step of gradient descent on `L = Tr(W_2^T W_1 C W_1^T W_2)` with both matrices moved at once and then retracted:
/// `W_i -> retraction(W_i - η G_i)`, `G_1 = 2 W_2 W_2^T W_1 C`, `G_2 = 2 W_1 C W_1^T W_2`. A negative η ascends.
///
/// Source: Esser, Mukherjee, Ghoshdastidar, equation (11), whose printed sign is that of a negative η.
///
/// # Errors
/// Shapes that do not go together, or a step so long that the retraction is not computed.
pub fn projected_descent_step(
    c: &IntervalMatrix,
    weights: (&IntervalMatrix, &IntervalMatrix),
    eta: Interval,
    retraction: Retraction,
) -> Result<(IntervalMatrix, IntervalMatrix), FlowError> {
    let (first, second) = weights;
    let image = c.product(&first.transpose().product(second)?)?;
    let down = second.product(&image.transpose())?.scaled(eta * 2.0);
    let up = first.product(&image)?.scaled(eta * 2.0);
    Ok((retraction.applied(&first.minus(&down)?)?, retraction.applied(&second.minus(&up)?)?))
}

/// The same step for the outputs `M = W_1^T W_2` (`d x z`) alone, at a cost that does not depend on the width. With orthonormal weights,
///
/// `M -> X_1^T (M - 4 η C M + 4 η^2 C M M^T C M) X_2`, where `X_i` retracts the Gram matrices
/// `I - 2 η (M M^T C + C M M^T) + 4 η^2 C M M^T C` and `I - 4 η M^T C M + 4 η^2 M^T C^2 M`.
///
/// # Errors
/// As [`projected_descent_step`].
pub fn projected_descent_outputs(
    c: &IntervalMatrix,
    outputs: &IntervalMatrix,
    eta: Interval,
    retraction: Retraction,
) -> Result<IntervalMatrix, FlowError> {
    let (image, turned) = (c.product(outputs)?, outputs.transpose());
    let energy = turned.product(&image)?;
    let mixed = outputs.product(&image.transpose())?;
    let identity = |n: usize| IntervalMatrix::identity(n);
    let four = eta.square() * 4.0;
    let gram_1 = identity(c.rows())?
        .minus(&mixed.plus(&mixed.transpose())?.scaled(eta * 2.0))?
        .plus(&image.product(&image.transpose())?.scaled(four))?;
    let gram_2 = identity(outputs.columns())?
        .minus(&energy.scaled(eta * 4.0))?
        .plus(&image.transpose().product(&image)?.scaled(four))?;
    let inner = outputs.minus(&image.scaled(eta * 4.0))?.plus(&image.product(&energy)?.scaled(four))?;
    let (left, right) = (retraction.correction(&gram_1)?, retraction.correction(&gram_2)?);
    Ok(left.transpose().product(&inner)?.product(&right)?)
}

/// One step of (12): `q -> q - 2 η [2 Λ q - Λ q q^T q - q q^T Λ q]`, Euler's method for (9).
///
/// # Errors
/// `q` has not as many rows as there are eigenvalues.
pub fn euler_step(spectrum: &[Interval], q: &IntervalMatrix, eta: Interval) -> Result<IntervalMatrix, FlowError> {
    Ok(q.plus(&orthogonal_velocity(spectrum, q)?.scaled(eta))?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use enclosures::linear_algebra::{Matrix, PlaneRotation};

    proptest! {
        #[test]
        fn the_step_of_the_outputs_is_the_step_of_the_weights(
            half_tangents in prop::collection::vec(-1.0..1.0f64, 8), entries in prop::collection::vec(-0.4..0.4f64, 6),
            eta in -0.05..0.05f64,
        ) {
            let turn = |k: usize| PlaneRotation { first: k % 5, second: (k + 1 + k / 5) % 5, half_tangent: half_tangents[k] };
            let frame = |from: usize, columns: usize| {
                let o = PlaneRotation::product_of(5, &(from..from + 4).map(turn).collect::<Vec<_>>()).unwrap();
                IntervalMatrix::from_fn(5, columns, |i, j| o.at(i, j)).unwrap()
            };
            let (first, second) = (frame(0, 3), frame(4, 2));
            let at = |i: usize, j: usize| entries[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
            let c = IntervalMatrix::from(Matrix::from_fn(3, 3, at).unwrap());
            let eta = Interval::point(eta);
            for retraction in [Retraction::Polar, Retraction::Qr] {
                let (one, two) = projected_descent_step(&c, (&first, &second), eta, retraction).unwrap();
                let outputs = first.transpose().product(&second).unwrap();
                let direct = projected_descent_outputs(&c, &outputs, eta, retraction).unwrap();
                let off = one.transpose().product(&two).unwrap().minus(&direct).unwrap();
                prop_assert!(off.infinity_norm().hi() < 1e-12);
            }
        }
    }

    #[test]
    fn one_by_one() {
        // d = z = h = 1: the weights are signs, and nothing moves under (11); under (12) neither, as q = ±1 rests.
        let one = IntervalMatrix::identity(1).unwrap();
        let eta = Interval::point(0.05);
        let c = one.scaled(-1.0);
        let next = projected_descent_outputs(&c, &one, eta, Retraction::Polar).unwrap();
        assert!(next.at(0, 0).contains(1.0) && next.width() < 1e-14);
        assert_eq!(euler_step(&[-Interval::ONE], &one, eta).unwrap(), one);
        // q = 1/2: q - 4 η Λ q (1 - q^2).
        let half = one.scaled(0.5);
        let next = euler_step(&[-Interval::ONE], &half, Interval::point(0.25)).unwrap();
        assert_eq!(next.at(0, 0), Interval::point(0.875));
    }
}
