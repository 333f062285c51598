//! Inner products in twice the working precision, with a proven error bound.

use crate::interval::{self, Interval};

/// Unit roundoff of double precision.
const UNIT: f64 = f64::EPSILON / 2.0;

/// Smallest positive double times a safety factor: what one product may lose to underflow.
const UNDERFLOW: f64 = 5e-323;

/// The inner product of two vectors of equal length (the tail of a longer one is ignored), enclosed to about one unit in the
/// last place plus `(n u)^2 sum |a_i b_i|`.
///
/// Algorithm Dot2 of Ogita, Rump and Oishi (Accurate sum and dot product, SIAM J. Sci. Comput. 26, 2005, theorem 5.1 and
/// proposition 5.5): every product and sum is split into its rounded value and its exact error, and the errors are
/// summed as well; then `|res - a·b| <= u |a·b| + γ_n^2 |a|·|b|`, `γ_n = n u / (1 - n u)`, and a few units of underflow per term. The
/// factors below are generous multiples of that.
pub(super) fn accurate_dot(a: &[f64], b: &[f64]) -> Interval {
    let n = a.len().min(b.len());
    let (mut value, mut correction, mut size) = (0.0f64, 0.0f64, 0.0f64);
    for (&x, &y) in a.iter().zip(b) {
        let product = x * y;
        let product_error = x.mul_add(y, -product);
        let sum = value + product;
        let part = sum - value;
        let sum_error = (value - (sum - part)) + (product - part);
        value = sum;
        correction += sum_error + product_error;
        size += product.abs();
    }
    let result = value + correction;
    if n <= 2 || !result.is_finite() {
        return interval::dot(a, b);
    }
    if size == 0.0 && a.iter().zip(b).all(|(&x, &y)| x == 0.0 || y == 0.0) {
        return Interval::ZERO;
    }
    let gamma = 2.0 * n as f64 * UNIT;
    let radius = 2.0 * UNIT * result.abs() + gamma * gamma * size + n as f64 * UNDERFLOW;
    Interval::point(result).widened_by(radius)
}

/// The inner product of a vector of doubles and one of intervals: midpoints by [`accurate_dot`], radii on top.
pub(super) fn accurate_dot_with_intervals(a: &[f64], b: &[Interval]) -> Interval {
    let centres: Vec<f64> = b.iter().map(|x| x.midpoint()).collect();
    let spread: Interval =
        (a.iter().zip(b).zip(&centres)).map(|((&x, &y), &centre)| (y - centre).abs() * x.abs()).sum();
    accurate_dot(a, &centres).widened_by(spread.hi())
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use proptest::prelude::*;

    use super::*;

    fn exact(x: f64) -> BigRational {
        BigRational::from_float(x).unwrap_or_else(|| BigRational::from_integer(BigInt::from(0)))
    }

    proptest! {
        #[test]
        fn the_exact_inner_product_lies_inside(
            terms in prop::collection::vec((-1e3..1e3f64, -1e3..1e3f64, -40..40i32), 3..20),
        ) {
            let mut a: Vec<f64> = terms.iter().map(|t| t.0 * core_math::exp2(f64::from(t.2))).collect();
            let mut b: Vec<f64> = terms.iter().map(|t| t.1).collect();
            // Massive cancellation on top.
            a.extend(a.clone());
            b.extend(b.clone().into_iter().map(|x| -x * (1.0 + f64::EPSILON)));
            let inside = accurate_dot(&a, &b);
            let truth: BigRational = a.iter().zip(&b).map(|(&x, &y)| exact(x) * exact(y)).sum();
            prop_assert!(exact(inside.lo()) <= truth && truth <= exact(inside.hi()));
            let size: f64 = a.iter().zip(&b).map(|(x, y)| (x * y).abs()).sum();
            prop_assert!(inside.width() <= 1e-15 * inside.magnitude() + 1e-26 * size);
        }
    }
}
