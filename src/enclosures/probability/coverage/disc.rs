//! Discs in the complex plane: complex arithmetic in twice the working precision that carries its own error.

use crate::interval::{DoubleDouble, power_of_two};

/// The numbers within `radius` of `re + i im`, all times `2^exponent`: products of a thousand factors stay in range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    pub(super) re: DoubleDouble,
    pub(super) im: DoubleDouble,
    pub(super) radius: f64,
    pub(super) exponent: i64,
}

/// Covers the rounding of the radii themselves.
const UP: f64 = 1.0 + 1e-14;
/// Relative error of a product of complex numbers: `16 u^2` of both parts together.
const ROUNDING: f64 = 16.0 * f64::EPSILON * f64::EPSILON;
/// The centre is kept between the inverse of this and this.
const RANGE: i32 = 60;

impl Disc {
    pub(super) const ONE: Disc = Disc { re: DoubleDouble::ONE, im: DoubleDouble::ZERO, radius: 0.0, exponent: 0 };

    pub(super) fn new(re: DoubleDouble, im: DoubleDouble, radius: f64) -> Self {
        let disc = Disc { re, im, radius, exponent: 0 };
        disc.normalised()
    }

    /// An upper bound of the modulus of the centre, without the power of two.
    pub(super) fn modulus(self) -> f64 {
        let (x, y) = (self.re.hi(), self.im.hi());
        (x * x + y * y).sqrt() * UP
    }

    fn normalised(self) -> Self {
        let size = self.re.hi().abs().max(self.im.hi().abs()).max(self.radius);
        let shift = ((size.to_bits() >> 52) & 0x7ff) as i32 - 1023;
        if size == 0.0 || shift.abs() < RANGE {
            return self;
        }
        let power = power_of_two(-shift);
        Disc {
            re: self.re.scaled(power),
            im: self.im.scaled(power),
            radius: self.radius * power,
            exponent: self.exponent + i64::from(shift),
        }
    }

    pub(super) fn times(self, other: Self) -> Self {
        let (size, factor) = (self.modulus(), other.modulus());
        let radius = size * other.radius + factor * self.radius + self.radius * other.radius + ROUNDING * size * factor;
        let product = Disc {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
            radius: radius * UP,
            exponent: self.exponent + other.exponent,
        };
        product.normalised()
    }

    /// Repeated squaring.
    pub(super) fn power(self, mut exponent: u64) -> Self {
        let (mut base, mut result) = (self, Self::ONE);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result.times(base);
            }
            exponent >>= 1;
            if exponent > 0 {
                base = base.times(base);
            }
        }
        result
    }
}
