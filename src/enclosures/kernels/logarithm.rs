//! `log(1 + x)`.
//!
//! # Reduction
//! `1 + x = y + c` exactly, `y` a double and `c` its rounding error, and `y = 2^k (1 + f)` with `1 + f` in
//! `[0.7071, 1.4143)`, so that `log(1 + x) = k log 2 + log(1 + f) + c/y` up to `(c/y)^2`. For `k = 0` this is `f = x`
//! without any error, which keeps the relative accuracy of small results. `k LN_2_HIGH` is exact.
//!
//! # Polynomial
//! `log(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2))` with `s = f/(2 + f)`, `|s| <= 0.17158`, and `R(z) = z L(z)`, `L` of
//! degree 6. The error of `R` is below `2^-58.4`, shown like that of the exponential's polynomial. The form is that of
//! the logarithm in FreeBSD's `msun` (Sun Microsystems, 1993); the coefficients are our own.
//!
//! # Error
//! With `u = 2^-53`: `f^2/2` is rounded once; `s (f^2/2 + R)`, about `f^2/10`, carries at most `5.5 u`; their difference, below
//! `f^2/2`, is rounded once. Together at most `1.5 f^2 u`, that is `0.26 u`. `c/y` is taken with `1 - f + f^2 - f^3` for `1/(1 + f)`, off by
//! at most `0.02 u`, and the polynomial by `0.02 u`. For `k = 0` there is one more rounding, that of the result: below `0.5 + 0.6`
//! units. Otherwise the last sum but one, below `1/2`, is rounded by `u/4` at most, and the result is at least `0.3466`,
//! where a unit is `u/2`: below `0.5 + (0.26 + 0.25 + 0.04)/0.5 = 1.6` units. Measured: 0.85. The promise is two units.

use super::elementwise::Elementwise;
use super::exponential::{LN_2_HIGH, LN_2_LOW};

/// `L`, lowest first.
pub(super) const L: [f64; 7] = [
    0.666_666_666_666_673_4, 0.399_999_999_994_165_5, 0.285_714_287_420_556_3, 0.222_221_986_013_311_78,
    0.181_835_630_954_834_04, 0.153_140_773_473_810_7, 0.147_957_196_641_574_36,
];
/// The bits of a double just below the square root of one half.
const HALF_ROOT: u64 = 0x3fe6_a09e << 32;
const ONE: u64 = 1023 << 52;
const FRACTION: u64 = (1 << 52) - 1;

/// `k log 2 + log(1 + f) + c` for `1 + f` in `[0.7071, 1.4143)`, an integer `k`, and a small `c / (1 + f)`.
#[inline(always)]
pub(super) fn reduced(k: f64, f: f64, c: f64) -> f64 {
    let half_square = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let odd = (L[0] + z * L[1]) + w * ((L[2] + z * L[3]) + w * ((L[4] + z * L[5]) + w * L[6]));
    let small = k * LN_2_LOW + c * (1.0 - f * (1.0 - f * (1.0 - f)));
    let correction = half_square - (s * (half_square + z * odd) + small);
    k * LN_2_HIGH - (correction - f)
}

/// `log(1 + x)` for a finite `x > -1`; the sign of a zero is lost.
#[inline(always)]
fn ordinary_log1p(x: f64) -> f64 {
    let y = 1.0 + x;
    let back = y - 1.0;
    let c = (1.0 - (y - back)) + (x - back);
    let shifted = y.to_bits().wrapping_add(ONE - HALF_ROOT);
    let biased = shifted >> 52;
    let m = f64::from_bits((shifted & FRACTION) + HALF_ROOT);
    // The exponent as a double: the low bits of 2^52 + biased.
    let k = f64::from_bits((1075 << 52) | biased) - (4_503_599_627_370_496.0 + 1023.0);
    let unscale = f64::from_bits(2046u64.wrapping_sub(biased) << 52);
    let same = k == 0.0;
    let f = if same { x } else { m - 1.0 };
    // Beyond 2^1000 there is nothing to correct, and no scale.
    let c = if same | (k > 1000.0) { 0.0 } else { c * unscale };
    reduced(k, f, c)
}

/// The formula of `log(1 + x)`.
pub(super) struct LogOnePlus;

impl Elementwise for LogOnePlus {
    #[inline(always)]
    fn ordinary(x: f64) -> bool {
        (x > -1.0) & (x <= f64::MAX)
    }

    #[inline(always)]
    fn fast(x: f64) -> f64 {
        ordinary_log1p(x).copysign(x)
    }

    #[inline(always)]
    fn full(x: f64) -> f64 {
        let value = Self::fast(if Self::ordinary(x) { x } else { 0.0 });
        let value = if x == f64::INFINITY { x } else { value };
        let value = if x == -1.0 { f64::NEG_INFINITY } else { value };
        if (x < -1.0) | x.is_nan() { f64::NAN } else { value }
    }
}
