//! The four operations, powers and the square root.

use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use super::rounding::{div_down, div_up, mul_down, mul_up, sqrt_down, sqrt_up};
use super::watching::{BinaryOperation, Seen, unwatched, watched};
use super::{Interval, both_ends};
use crate::work::spend;

impl Add for Interval {
    type Output = Interval;
    fn add(self, other: Self) -> Self {
        spend(1);
        watched(both_ends::sum(self, other), || Seen::Combined(BinaryOperation::Add, self, other))
    }
}

impl Neg for Interval {
    type Output = Interval;
    fn neg(self) -> Self {
        watched(self.negative(), || Seen::Applied("neg", self))
    }
}

impl Sub for Interval {
    type Output = Interval;
    fn sub(self, other: Self) -> Self {
        spend(1);
        watched(both_ends::sum(self, other.negative()), || Seen::Combined(BinaryOperation::Subtract, self, other))
    }
}

impl Mul for Interval {
    type Output = Interval;
    fn mul(self, other: Self) -> Self {
        spend(1);
        watched(self.times(other), || Seen::Combined(BinaryOperation::Multiply, self, other))
    }
}

impl Interval {
    fn negative(self) -> Self {
        Self::ordered(-self.hi, -self.lo)
    }

    /// The product, rounded outward.
    #[inline]
    fn times(self, other: Self) -> Self {
        let (a, b, c, d) = (self.lo, self.hi, other.lo, other.hi);
        // The signs tell which two of the four products of ends are the extreme ones; each rounding costs more than they.
        let (least, largest) = if a >= 0.0 {
            if c >= 0.0 {
                ((a, c), (b, d))
            } else if d <= 0.0 {
                ((b, c), (a, d))
            } else {
                ((b, c), (b, d))
            }
        } else if b <= 0.0 {
            if c >= 0.0 {
                ((a, d), (b, c))
            } else if d <= 0.0 {
                ((b, d), (a, c))
            } else {
                ((a, d), (a, c))
            }
        } else if c >= 0.0 {
            ((a, d), (b, d))
        } else if d <= 0.0 {
            ((b, c), (a, c))
        } else {
            let lo = mul_down(a, d).min(mul_down(b, c));
            let hi = mul_up(a, c).max(mul_up(b, d));
            return Self::ordered(lo, hi);
        };
        both_ends::product(least, largest)
    }
}

impl Div for Interval {
    type Output = Interval;
    /// Division by an interval with zero inside it is [`Interval::ENTIRE`]; with zero at one end, a half line.
    fn div(self, other: Self) -> Self {
        spend(2);
        watched(self.over(other), || Seen::Combined(BinaryOperation::Divide, self, other))
    }
}

impl Interval {
    /// The quotient, rounded outward.
    #[inline]
    fn over(self, other: Self) -> Self {
        let (a, b, c, d) = (self.lo, self.hi, other.lo, other.hi);
        if c <= 0.0 && d >= 0.0 {
            if a == 0.0 && b == 0.0 && !(c == 0.0 && d == 0.0) {
                return Self::ZERO;
            }
            return match (c == 0.0, d == 0.0) {
                (true, false) if a >= 0.0 => Self::ordered(div_down(a, d), f64::INFINITY),
                (true, false) if b <= 0.0 => Self::ordered(f64::NEG_INFINITY, div_up(b, d)),
                (false, true) if a >= 0.0 => Self::ordered(f64::NEG_INFINITY, div_up(a, c)),
                (false, true) if b <= 0.0 => Self::ordered(div_down(b, c), f64::INFINITY),
                _ => Self::ENTIRE,
            };
        }
        let (least, largest) = match (c > 0.0, a >= 0.0, b <= 0.0) {
            (true, true, _) => ((a, d), (b, c)),
            (true, _, true) => ((a, c), (b, d)),
            (true, ..) => ((a, c), (b, c)),
            (false, true, _) => ((b, d), (a, c)),
            (false, _, true) => ((b, c), (a, d)),
            (false, ..) => ((b, d), (a, d)),
        };
        both_ends::quotient(least, largest)
    }
}

macro_rules! with_f64 {
    ($($trait:ident :: $method:ident),*) => {$(
        impl $trait<f64> for Interval {
            type Output = Interval;
            fn $method(self, other: f64) -> Interval {
                $trait::$method(self, Interval::point(other))
            }
        }
        impl $trait<Interval> for f64 {
            type Output = Interval;
            fn $method(self, other: Interval) -> Interval {
                $trait::$method(Interval::point(self), other)
            }
        }
    )*};
}
with_f64!(Add::add, Sub::sub, Mul::mul, Div::div);

impl AddAssign for Interval {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Interval {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl MulAssign for Interval {
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl Interval {
    /// Every square; never negative, unlike the product of the interval with itself.
    #[must_use]
    pub fn square(self) -> Self {
        unwatched(
            || {
                let a = self.abs();
                a * a
            },
            || Seen::Applied("square", self),
        )
    }

    /// Every integer power, `0^0 = 1`; a negative exponent of an interval with zero inside is unbounded.
    #[must_use]
    pub fn powi(self, exponent: i64) -> Self {
        unwatched(
            || {
                let power = self.natural_power(exponent.unsigned_abs());
                if exponent < 0 { Self::ONE / power } else { power }
            },
            || Seen::Power(exponent, self),
        )
    }

    /// Repeated squaring on the ends.
    fn natural_power(self, exponent: u64) -> Self {
        spend(4);
        if exponent == 0 {
            return Self::ONE;
        }
        let magnitude = |x: f64, down: bool| {
            let (mut base, mut n, mut result) = (x, exponent, 1.0);
            while n > 0 {
                if n & 1 == 1 {
                    result = if down { mul_down(result, base) } else { mul_up(result, base) };
                }
                n >>= 1;
                if n > 0 {
                    base = if down { mul_down(base, base) } else { mul_up(base, base) };
                }
            }
            result.max(0.0)
        };
        if exponent.is_multiple_of(2) {
            let a = self.abs();
            Self::ordered(magnitude(a.lo, true), magnitude(a.hi, false))
        } else {
            let end = |x: f64, lower: bool| {
                if x >= 0.0 { magnitude(x, lower) } else { -magnitude(-x, !lower) }
            };
            Self::ordered(end(self.lo, true), end(self.hi, false))
        }
    }

    /// Every square root of a number at or above zero; a negative part of the interval is dropped.
    #[must_use]
    pub fn sqrt(self) -> Self {
        spend(2);
        let root = Self::ordered(sqrt_down(self.lo.max(0.0)), sqrt_up(self.hi.max(0.0)));
        watched(root, || Seen::Applied("sqrt", self))
    }
}

impl std::iter::Sum for Interval {
    fn sum<I: Iterator<Item = Interval>>(terms: I) -> Interval {
        terms.fold(Interval::ZERO, |total, term| total + term)
    }
}

impl std::iter::Product for Interval {
    fn product<I: Iterator<Item = Interval>>(factors: I) -> Interval {
        factors.fold(Interval::ONE, |total, factor| total * factor)
    }
}
