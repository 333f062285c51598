//! `softplus(x) = log(1 + e^x)`, the loss of one negative.
//!
//! `softplus(x) = max(x, 0) + log(1 + u)` with `u = e^{-|x|}` in `(0, 1]`. What `u`, rounded to a double, leaves out is
//! carried along, so that the exponential contributes only the error it has before its last rounding, at most `0.36` units of
//! `u`. `1 + u` in `[1, 2]` is reduced as in [`super::logarithm`], with `k` zero or one. Beyond `|x| = 708` the
//! function is `x` or `e^x`.
//!
//! # Error
//! In units in the last place. For `x <= 0`: where `k = 1` (`f` in `[-0.293, 0]`) the logarithm is off by `1.34` at most, and `u` by `0.31` after division by
//! `1 + u`; where `k = 0`, by `1.1` and `0.43`: below `1.65`. For `x > 0` the result is above `log 2`, with a unit of `2^-53` at least,
//! in which the logarithm is off by `0.92`, `u` by `0.2` and the last sum by half a unit: below `1.65` again. Measured: 1.21. The
//! promise is two units.

use super::elementwise::{BLOCK, Elementwise};
use super::exponential::{self, ORDINARY, Parts, power_of_two};
use super::logarithm;

/// The formula of the softplus function.
pub(super) struct Softplus;

/// `u = e^{-|x|}` and its rounding error.
#[inline(always)]
fn decay(x: f64) -> (f64, f64) {
    let parts = Parts::new(-x.abs(), 0.0);
    let scale = power_of_two(parts.k);
    let (head, tail) = parts.reduced();
    (head * scale, tail * scale)
}

/// `max(x, 0) + log(1 + u + u_low)`.
#[inline(always)]
fn sum(x: f64, u: f64, u_low: f64) -> f64 {
    let y = 1.0 + u;
    let c = (u - (y - 1.0)) + u_low;
    let large = y > std::f64::consts::SQRT_2;
    let k = if large { 1.0 } else { 0.0 };
    let f = if large { 0.5 * y - 1.0 } else { u };
    let c = if large { 0.5 * c } else { u_low };
    let log = logarithm::reduced(k, f, c);
    (if x > 0.0 { x } else { 0.0 }) + log
}

impl Elementwise for Softplus {
    #[inline(always)]
    fn ordinary(x: f64) -> bool {
        x.abs() <= ORDINARY
    }

    #[inline(always)]
    fn fast(x: f64) -> f64 {
        let (u, u_low) = decay(x);
        sum(x, u, u_low)
    }

    #[inline(always)]
    fn full(x: f64) -> f64 {
        let value = Self::fast(if Self::ordinary(x) { x } else { 0.0 });
        let value = if x > ORDINARY { x } else { value };
        let value = if x < -ORDINARY { exponential::full(x, 0.0) } else { value };
        if x.is_nan() { f64::NAN } else { value }
    }

    #[inline(always)]
    fn fast_block(input: &[f64; BLOCK], output: &mut [f64; BLOCK]) {
        let mut u = [0.0; BLOCK];
        let mut u_low = [0.0; BLOCK];
        for ((u, u_low), &x) in u.iter_mut().zip(&mut u_low).zip(input) {
            (*u, *u_low) = decay(x);
        }
        for (((y, &x), &u), &u_low) in output.iter_mut().zip(input).zip(&u).zip(&u_low) {
            *y = sum(x, u, u_low);
        }
    }
}
