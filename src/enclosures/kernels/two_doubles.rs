//! Values as sums of two doubles, lane by lane, and the correctly rounded doubles that they decide.
//!
//! A sum `h + l` that is off by less than `2^-63 |h|` is rounded like the true value unless `h + (l - e)` and `h + (l + e)`, `e = 2^-63 |h|`, are
//! rounded differently. That happens once in a few hundred times; `core-math` has the last word then. A correctly
//! rounded value has the same bits however it was found.

use crate::interval::sum_error;

/// Numbers that are treated together.
pub(crate) const LANES: usize = 32;
/// More than any relative error: `2^-63`.
const DOUBT: f64 = f64::from_bits((1023 - 63) << 52);

/// What the least and the largest numbers that the values may be are rounded to.
pub(super) struct Bracket {
    pub(super) least: [f64; LANES],
    pub(super) most: [f64; LANES],
}

impl Bracket {
    pub(super) const EMPTY: Bracket = Bracket { least: [0.0; LANES], most: [0.0; LANES] };

    /// The value `high + low`; in doubt, too, if `high` is not a number.
    #[inline(always)]
    pub(super) fn set(&mut self, at: usize, (high, low): (f64, f64)) {
        let doubt = DOUBT * high.abs();
        self.least[at] = high + (low - doubt);
        self.most[at] = high + (low + doubt);
    }

    /// How many values are in doubt.
    #[inline(always)]
    pub(super) fn doubtful(&self) -> u64 {
        let pairs = self.least.iter().zip(&self.most);
        pairs.map(|(&least, &most)| u64::from(is_doubtful(least, most))).sum()
    }

    /// Leaves the values of the first `count` arguments as the lower ends; `otherwise` gives those in doubt.
    pub(super) fn settle(&mut self, arguments: &[f64], count: usize, otherwise: fn(f64) -> f64) {
        let ends = self.least.iter_mut().zip(&self.most);
        for ((least, &most), &x) in ends.zip(arguments).take(count) {
            if is_doubtful(*least, most) {
                *least = otherwise(x);
            }
        }
    }
}

/// The sign of a zero is not known.
#[inline(always)]
fn is_doubtful(least: f64, most: f64) -> bool {
    (least != most) | (least == 0.0)
}

/// A number as the sum of its upper 26 bits and the rest.
#[inline(always)]
pub(super) fn halves(x: f64) -> (f64, f64) {
    let high = f64::from_bits(x.to_bits() & !0x7ff_ffff);
    (high, x - high)
}

#[inline(always)]
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, sum_error(a, b, sum))
}

/// For `|a| >= |b|`, or `a = 0`.
#[inline(always)]
pub(super) fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// A product and its rounding error, up to `2^-105` of it.
#[inline(always)]
pub(super) fn product(a: f64, b: f64) -> (f64, f64) {
    let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
    let product = a * b;
    let error = ((a_high * b_high - product) + (a_high * b_low + a_low * b_high)) + a_low * b_low;
    (product, error)
}
