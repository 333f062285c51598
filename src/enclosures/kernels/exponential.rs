//! The exponential.
//!
//! # Reduction
//! `x = k log 2 + r` with the integer `k` nearest to `x / log 2`, found by adding and subtracting `1.5 * 2^52`. `log 2` is
//! `LN_2_HIGH + LN_2_LOW`, the first with 41 bits, so that `k LN_2_HIGH` is exact for `|k| < 2^11`, and so is
//! `x - k LN_2_HIGH`: it is a multiple of the last place of `x`, or of `2^-54`, and below `2^-1`. The low product
//! `k LN_2_LOW` is below `4e-10` and rounded once. What `r`, rounded to a double, leaves out is kept. `|r| <= 0.34665`.
//!
//! # Polynomial
//! `e^r = 1 + r + r^2 Q(r)` with `Q` of degree 9 and a relative error below `2^-57`. `Q` was fitted by weighted least
//! squares, its coefficients rounded one after the other; a test bounds the error of what came out on the whole
//! interval, in rational arithmetic.
//!
//! # Error
//! With `u = 2^-53`. `r^2 Q` is at most `0.054` for negative and `0.068` for positive `r`, and its relative error at most `3.2 u`: the square, the
//! product, and `1.2 u` in `Q`, whose exact first coefficient dominates. `1 + r` is split into `head` and its exact
//! rounding error, below `u`; two additions of small things follow, each rounded by at most `u/16`. The polynomial adds
//! `u/16` of `e^r`. All this is at most `0.36 u` where `e^r < 1` and `0.44 u` where `e^r > 1`; a unit in the last place is `u` and `2 u` there. With the
//! last rounding the error of a normal result is below `0.86` units; measured: 0.70. A subnormal result is rounded once
//! more, to a unit at least twice as large: below `0.5 + 0.43` units; measured: 0.80. The promise is one unit.

use super::elementwise::Elementwise;

/// Half a unit beyond the integers: adding and subtracting it rounds a double below `2^51` to an integer.
pub(super) const SHIFT: f64 = 6_755_399_441_055_744.0;
/// `log 2` to 41 bits.
pub(super) const LN_2_HIGH: f64 = 0.693_147_180_559_663;
/// The rest of `log 2`.
pub(super) const LN_2_LOW: f64 = 2.823_529_056_303_157_7e-13;
/// Within these bounds neither the result nor the scale `2^k` is subnormal or infinite.
pub(super) const ORDINARY: f64 = 708.0;
/// `Q`, lowest first.
pub(super) const Q: [f64; 10] = [
    0.5, 0.166_666_666_666_664_33, 0.041_666_666_666_603_83, 0.008_333_333_333_500_52, 0.001_388_888_892_685_166_5,
    0.000_198_412_694_653_011_51, 2.480_150_860_827_554_4e-5, 2.755_764_153_420_75e-6, 2.762_521_797_049_611_4e-7,
    2.497_821_978_829_78e-8,
];

/// `e^x = 2^k (head + tail)`.
pub(super) struct Parts {
    /// The integer `k`.
    pub(super) k: f64,
    /// `r`, the reduced argument.
    pub(super) r: f64,
    /// `e^r - 1 - r`.
    pub(super) rest: f64,
}

impl Parts {
    /// Of `e^{x + low}`, for `|x| <= 1000` and `low` at most about a unit in the last place of `x`.
    #[inline(always)]
    pub(super) fn new(x: f64, low: f64) -> Parts {
        let k = (x * std::f64::consts::LOG2_E + SHIFT) - SHIFT;
        let high = x - k * LN_2_HIGH;
        let correction = k * LN_2_LOW;
        let r = high - correction;
        let low = ((high - r) - correction) + low;
        let square = r * r;
        Parts { k, r, rest: low + square * q(r, square) }
    }

    /// `e^r` as a rounded double and what it leaves out.
    #[inline(always)]
    pub(super) fn reduced(&self) -> (f64, f64) {
        let head = 1.0 + self.r;
        let tail = ((1.0 - head) + self.r) + self.rest;
        let sum = head + tail;
        (sum, (head - sum) + tail)
    }
}

/// `Q(r)` by pairs, which shortens the chain of dependent operations.
#[inline(always)]
fn q(r: f64, square: f64) -> f64 {
    let fourth = square * square;
    let first = (Q[0] + r * Q[1]) + square * (Q[2] + r * Q[3]);
    let second = (Q[4] + r * Q[5]) + square * (Q[6] + r * Q[7]);
    first + fourth * (second + fourth * (Q[8] + r * Q[9]))
}

/// `2^k` for an integer `k` in `[-1022, 1023]`.
#[inline(always)]
pub(super) fn power_of_two(k: f64) -> f64 {
    f64::from_bits(((k + SHIFT).to_bits() << 52).wrapping_add(1023 << 52))
}

/// `e^{x + low}` where it is ordinary.
#[inline(always)]
pub(super) fn fast(x: f64, low: f64) -> f64 {
    let parts = Parts::new(x, low);
    parts.reduced().0 * power_of_two(parts.k)
}

/// `e^{x + low}` for any `x`; `low` is ignored where it cannot matter. Scaling in two steps, exact but for the last.
#[inline(always)]
pub(super) fn full(x: f64, low: f64) -> f64 {
    let above = if x > 720.0 { 720.0 } else { x };
    let clamped = if above < -760.0 { -760.0 } else { above };
    let low = if clamped == x { low } else { 0.0 };
    let parts = Parts::new(clamped, low);
    let half = (parts.k * 0.5 + SHIFT) - SHIFT;
    let value = (parts.reduced().0 * power_of_two(half)) * power_of_two(parts.k - half);
    if x.is_nan() { f64::NAN } else { value }
}

/// The formula of the exponential.
pub(super) struct Exponential;

impl Elementwise for Exponential {
    #[inline(always)]
    fn ordinary(x: f64) -> bool {
        x.abs() <= ORDINARY
    }

    #[inline(always)]
    fn fast(x: f64) -> f64 {
        fast(x, 0.0)
    }

    #[inline(always)]
    fn full(x: f64) -> f64 {
        full(x, 0.0)
    }
}
