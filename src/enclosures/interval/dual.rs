//! First derivatives in intervals: numbers that carry their partial derivatives along `K` variables.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Interval;

/// The range of an expression over a box, and the ranges of its `K` partial derivatives there: forward differentiation,
/// in which every rule is the chain rule.
///
/// Where the expression has a kink (`abs`, `max`, `min`) the slopes enclose its generalised gradient, which is what the mean
/// value theorem needs. An [`Interval`] drops what is not defined; a `Dual` remembers that something was (the logarithm or
/// the root of a negative number, a quotient by zero), so that what is concluded from it holds on the whole box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<const K: usize> {
    /// Contains every value over the box.
    pub value: Interval,
    /// Contains the partial derivatives over the box.
    pub slopes: [Interval; K],
    /// Whether every part of the expression is known to be defined on the whole box.
    pub defined: bool,
}

impl<const K: usize> Dual<K> {
    const UNKNOWN: Self = Dual { value: Interval::ENTIRE, slopes: [Interval::ENTIRE; K], defined: false };

    /// A number that does not depend on the variables.
    #[must_use]
    pub fn constant(value: impl Into<Interval>) -> Self {
        Dual { value: value.into(), slopes: [Interval::ZERO; K], defined: true }
    }

    /// All variables at once, each over its own range.
    #[must_use]
    pub fn variables(ranges: [Interval; K]) -> [Self; K] {
        std::array::from_fn(|i| Dual {
            value: ranges[i],
            slopes: std::array::from_fn(|j| if i == j { Interval::ONE } else { Interval::ZERO }),
            defined: true,
        })
    }

    /// `f(self)` for a function with this range and this range of its derivative.
    fn through(self, value: Interval, slope: Interval) -> Self {
        Dual { value, slopes: self.slopes.map(|s| slope * s), defined: self.defined }
    }

    fn zip(self, other: Self, value: Interval, f: impl Fn(Interval, Interval) -> Interval) -> Self {
        Dual {
            value,
            slopes: std::array::from_fn(|i| f(self.slopes[i], other.slopes[i])),
            defined: self.defined && other.defined,
        }
    }

    fn by_product_rule(self, other: Self) -> Self {
        self.zip(other, self.value * other.value, |s, o| s * other.value + self.value * o)
    }

    fn by_quotient_rule(self, other: Self) -> Self {
        if other.value.contains(0.0) {
            return Self::UNKNOWN;
        }
        // (s b - a o)/b² as (s - q o)/b, which has one product less to overestimate.
        let quotient = self.value / other.value;
        self.zip(other, quotient, |s, o| (s - quotient * o) / other.value)
    }

    /// Exponential.
    #[must_use]
    pub fn exp(self) -> Self {
        let e = self.value.exp();
        self.through(e, e)
    }

    /// `e^x - 1`, accurate near zero.
    #[must_use]
    pub fn exp_m1(self) -> Self {
        self.through(self.value.exp_m1(), self.value.exp())
    }

    /// Natural logarithm.
    #[must_use]
    pub fn ln(self) -> Self {
        if self.value.lo() < 0.0 {
            return Self::UNKNOWN;
        }
        self.through(self.value.ln(), Interval::ONE / self.value)
    }

    /// `log(1 + x)`, accurate near zero.
    #[must_use]
    pub fn ln_1p(self) -> Self {
        if self.value.lo() < -1.0 {
            return Self::UNKNOWN;
        }
        self.through(self.value.ln_1p(), Interval::ONE / (1.0 + self.value))
    }

    /// Softplus `log(1 + e^x)`.
    #[must_use]
    pub fn softplus(self) -> Self {
        self.through(self.value.softplus(), self.value.sigmoid())
    }

    /// Logistic sigmoid `1 / (1 + e^-x)`.
    #[must_use]
    pub fn sigmoid(self) -> Self {
        self.through(self.value.sigmoid(), bell(self.value))
    }

    /// The slope of the sigmoid, `σ(x) σ(-x)`, taken as one function: without overestimation.
    #[must_use]
    pub fn sigmoid_slope(self) -> Self {
        let (s, k) = (self.value.sigmoid(), (-self.value).sigmoid());
        let value = bell(self.value);
        self.through(value, value * (k - s))
    }

    /// Hyperbolic tangent.
    #[must_use]
    pub fn tanh(self) -> Self {
        self.through(self.value.tanh(), 4.0 * bell(2.0 * self.value))
    }

    /// Square root.
    #[must_use]
    pub fn sqrt(self) -> Self {
        if self.value.lo() < 0.0 {
            return Self::UNKNOWN;
        }
        let root = self.value.sqrt();
        self.through(root, 0.5 / root)
    }

    /// Square.
    #[must_use]
    pub fn square(self) -> Self {
        self.through(self.value.square(), 2.0 * self.value)
    }

    /// Integer power, `0^0 = 1`.
    #[must_use]
    pub fn powi(self, exponent: i64) -> Self {
        let slope = match exponent {
            0 => Interval::ZERO,
            // Beyond 2^53 the exponent is not a double; no claim comes near it, and nothing is then known.
            n if n.unsigned_abs() > 1 << 53 => Interval::ENTIRE,
            n => n as f64 * self.value.powi(n - 1),
        };
        if exponent < 0 && self.value.contains(0.0) {
            return Self::UNKNOWN;
        }
        self.through(self.value.powi(exponent), slope)
    }

    /// Sine of an angle in radians.
    #[must_use]
    pub fn sin(self) -> Self {
        self.through(self.value.sin(), self.value.cos())
    }

    /// Cosine of an angle in radians.
    #[must_use]
    pub fn cos(self) -> Self {
        self.through(self.value.cos(), -self.value.sin())
    }

    /// Tangent of an angle in radians.
    #[must_use]
    pub fn tan(self) -> Self {
        let tan = self.value.tan();
        if !tan.is_finite() {
            return Self::UNKNOWN;
        }
        self.through(tan, 1.0 + tan.square())
    }

    /// Arc tangent.
    #[must_use]
    pub fn atan(self) -> Self {
        self.through(self.value.atan(), 1.0 / (1.0 + self.value.square()))
    }

    /// Arc sine.
    #[must_use]
    pub fn asin(self) -> Self {
        if self.value.magnitude() > 1.0 {
            return Self::UNKNOWN;
        }
        self.through(self.value.asin(), 1.0 / (1.0 - self.value.square()).sqrt())
    }

    /// Arc cosine.
    #[must_use]
    pub fn acos(self) -> Self {
        if self.value.magnitude() > 1.0 {
            return Self::UNKNOWN;
        }
        self.through(self.value.acos(), -1.0 / (1.0 - self.value.square()).sqrt())
    }

    /// Hyperbolic sine.
    #[must_use]
    pub fn sinh(self) -> Self {
        self.through(self.value.sinh(), self.value.cosh())
    }

    /// Hyperbolic cosine.
    #[must_use]
    pub fn cosh(self) -> Self {
        self.through(self.value.cosh(), self.value.sinh())
    }

    /// Inverse hyperbolic sine.
    #[must_use]
    pub fn asinh(self) -> Self {
        self.through(self.value.asinh(), 1.0 / (1.0 + self.value.square()).sqrt())
    }

    /// Inverse hyperbolic cosine.
    #[must_use]
    pub fn acosh(self) -> Self {
        if self.value.lo() < 1.0 {
            return Self::UNKNOWN;
        }
        self.through(self.value.acosh(), 1.0 / (self.value.square() - 1.0).sqrt())
    }

    /// Inverse hyperbolic tangent.
    #[must_use]
    pub fn atanh(self) -> Self {
        if self.value.magnitude() > 1.0 {
            return Self::UNKNOWN;
        }
        self.through(self.value.atanh(), 1.0 / (1.0 - self.value.square()))
    }

    /// Absolute value.
    #[must_use]
    pub fn abs(self) -> Self {
        let sign = if self.value.lo() >= 0.0 {
            Interval::ONE
        } else if self.value.hi() <= 0.0 {
            -Interval::ONE
        } else {
            Interval::new(-1.0, 1.0)
        };
        self.through(self.value.abs(), sign)
    }

    /// The larger of two numbers.
    #[must_use]
    pub fn max(self, other: impl Into<Self>) -> Self {
        let other = other.into();
        let value = self.value.max(other.value);
        let slopes: fn(Interval, Interval) -> Interval = if self.value.lo() >= other.value.hi() {
            |s, _| s
        } else if other.value.lo() >= self.value.hi() {
            |_, o| o
        } else {
            Interval::hull
        };
        self.zip(other, value, slopes)
    }

    /// The smaller of two numbers.
    #[must_use]
    pub fn min(self, other: impl Into<Self>) -> Self {
        -(-self).max(-other.into())
    }

    /// The same number with a second enclosure of its value from elsewhere: a bound that is known on paper and says so
    /// beside the call. Where the two have nothing in common one of them is wrong, and nothing is known.
    #[must_use]
    pub fn known_within(self, lo: f64, hi: f64) -> Self {
        match self.value.intersection(Interval::new(lo, hi)) {
            Some(value) => Dual { value, ..self },
            None => Self::UNKNOWN,
        }
    }
}

/// `σ(x) σ(-x)`, which is even and falls with the size of `x`.
fn bell(x: Interval) -> Interval {
    let at = |x: f64| Interval::point(x).sigmoid() * Interval::point(-x).sigmoid();
    at(x.magnitude()).hull(at(x.mignitude()))
}

impl<const K: usize> From<f64> for Dual<K> {
    fn from(x: f64) -> Self {
        Self::constant(x)
    }
}

impl<const K: usize> From<Interval> for Dual<K> {
    fn from(x: Interval) -> Self {
        Self::constant(x)
    }
}

impl<const K: usize> Add for Dual<K> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.zip(other, self.value + other.value, Add::add)
    }
}

impl<const K: usize> Sub for Dual<K> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.zip(other, self.value - other.value, Sub::sub)
    }
}

impl<const K: usize> Neg for Dual<K> {
    type Output = Self;
    fn neg(self) -> Self {
        Dual { value: -self.value, slopes: self.slopes.map(Neg::neg), defined: self.defined }
    }
}

impl<const K: usize> Mul for Dual<K> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        self.by_product_rule(other)
    }
}

impl<const K: usize> Div for Dual<K> {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        self.by_quotient_rule(other)
    }
}

macro_rules! with_constants {
    ($($constant:ty),*) => {$(
        with_constants!(@ $constant, Add::add, Sub::sub, Mul::mul, Div::div);
    )*};
    (@ $constant:ty, $($trait:ident :: $method:ident),*) => {$(
        impl<const K: usize> $trait<$constant> for Dual<K> {
            type Output = Dual<K>;
            fn $method(self, other: $constant) -> Dual<K> {
                $trait::$method(self, Dual::constant(other))
            }
        }
        impl<const K: usize> $trait<Dual<K>> for $constant {
            type Output = Dual<K>;
            fn $method(self, other: Dual<K>) -> Dual<K> {
                $trait::$method(Dual::constant(self), other)
            }
        }
    )*};
}
with_constants!(f64, Interval);

impl<const K: usize> std::iter::Sum for Dual<K> {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::constant(0.0), Add::add)
    }
}
