//! `sigmoid(x) = 1 / (1 + e^{-x})`, the derivative of the softplus function.
//!
//! With `u = e^{-|x|}`, carried with its rounding error, and `1 + u = y + c`: the quotient `q = 1/y` or, for negative `x`,
//! `u/y` is rounded once and corrected by `(u_low - q c) / y` (for positive `x`: `-q c / y`), where `1/y` is `q` itself or
//! `1 - q`, to more digits than a correction needs. Below `-708` the function is `e^x`, above `708` one.
//!
//! # Error
//! The quotient and the last sum are rounded by half a unit each (a unit of twice the size where the sum crosses a power of two); the exponential
//! contributes what it has before its last rounding, `0.36` units: below `1.5`. Measured: 1.19. The promise is two
//! units.

use super::elementwise::Elementwise;
use super::exponential::{self, ORDINARY, Parts, power_of_two};

/// The formula of the sigmoid function.
pub(super) struct Sigmoid;

impl Elementwise for Sigmoid {
    #[inline(always)]
    fn ordinary(x: f64) -> bool {
        x.abs() <= ORDINARY
    }

    #[inline(always)]
    fn fast(x: f64) -> f64 {
        let parts = Parts::new(-x.abs(), 0.0);
        let scale = power_of_two(parts.k);
        let (head, tail) = parts.reduced();
        let (u, u_low) = (head * scale, tail * scale);
        let y = 1.0 + u;
        let c = (u - (y - 1.0)) + u_low;
        let negative = x < 0.0;
        let numerator = if negative { u } else { 1.0 };
        let numerator_low = if negative { u_low } else { 0.0 };
        let q = numerator / y;
        let inverse = if negative { 1.0 - q } else { q };
        q + inverse * (numerator_low - q * c)
    }

    #[inline(always)]
    fn full(x: f64) -> f64 {
        let value = Self::fast(if Self::ordinary(x) { x } else { 0.0 });
        let value = if x > ORDINARY { 1.0 } else { value };
        let value = if x < -ORDINARY { exponential::full(x, 0.0) } else { value };
        if x.is_nan() { f64::NAN } else { value }
    }
}
