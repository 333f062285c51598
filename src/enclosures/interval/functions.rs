//! Sums and the log-sum-exp function over slices.

use super::Interval;
use super::watching::{Seen, is_watched, unwatched};
use crate::work::spend;

/// Unit roundoff of double precision.
const UNIT: f64 = f64::EPSILON / 2.0;

/// The sum of many intervals with a running error bound: two ordinary sums and the a-priori bound
/// `(n - 1) u / (1 - (n - 1) u) * sum |x_i|` (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2).
/// Much faster than adding intervals one by one and, for terms of mixed sign, hardly wider.
#[must_use]
pub fn sum(terms: &[Interval]) -> Interval {
    if terms.len() <= 8 || is_watched() {
        return terms.iter().copied().sum();
    }
    spend(1 + terms.len() as u64 / 4);
    let (mut lo, mut hi, mut size_lo, mut size_hi) = (0.0, 0.0, 0.0, 0.0);
    for term in terms {
        lo += term.lo();
        hi += term.hi();
        size_lo += term.lo().abs();
        size_hi += term.hi().abs();
    }
    if !(size_lo.is_finite() && size_hi.is_finite()) {
        return terms.iter().copied().sum();
    }
    // The sizes were summed with the same relative error; twice the factor covers that and the last roundings.
    let factor = 2.0 * terms.len() as f64 * UNIT;
    Interval::new(lo, lo).widened_by(factor * size_lo).hull(Interval::new(hi, hi).widened_by(factor * size_hi))
}

/// The inner product of two vectors of doubles of equal length, enclosed by the a-priori error bound
/// `n u / (1 - n u) * sum |a_i b_i|` (Higham, section 3.1) plus one underflow per product. Of unequal lengths, the longer
/// one's tail is ignored.
#[must_use]
pub fn dot(a: &[f64], b: &[f64]) -> Interval {
    let n = a.len().min(b.len());
    if n <= 4 || is_watched() {
        return a.iter().zip(b).map(|(&x, &y)| Interval::point(x) * y).sum();
    }
    spend(1 + n as u64 / 4);
    let (mut value, mut size) = (0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        let product = x * y;
        value += product;
        size += product.abs();
    }
    if size == 0.0 && a.iter().zip(b).all(|(&x, &y)| x == 0.0 || y == 0.0) {
        return Interval::ZERO;
    }
    let count = n as f64;
    Interval::point(value).widened_by(2.0 * (count + 1.0) * UNIT * size + count * f64::MIN_POSITIVE)
}

/// `log(sum_i e^{x_i})` for a non-empty slice, with the largest entry taken out so that nothing overflows. The empty sum
/// has the logarithm minus infinity, answered as the interval below the smallest finite double.
#[must_use]
pub fn log_sum_exp(terms: &[Interval]) -> Interval {
    // The function grows in every argument, so its range over the box is given by the two corners.
    let corner = |end: fn(Interval) -> f64| {
        let largest = terms.iter().map(|t| end(*t)).fold(f64::NEG_INFINITY, f64::max);
        if largest == f64::NEG_INFINITY {
            return Interval::new(f64::NEG_INFINITY, f64::MIN);
        }
        if largest == f64::INFINITY {
            return Interval::new(f64::MAX, f64::INFINITY);
        }
        let mut seen_largest = false;
        let mut others = Vec::with_capacity(terms.len());
        for term in terms {
            let x = end(*term);
            if x == largest && !seen_largest {
                seen_largest = true;
            } else {
                others.push((Interval::point(x) - largest).exp());
            }
        }
        Interval::point(largest) + sum(&others).ln_1p()
    };
    unwatched(
        || Interval::new(corner(Interval::lo).lo(), corner(Interval::hi).hi()),
        || Seen::LogSumExp(terms.to_vec()),
    )
}
