//! Exact differentiation in intervals: numbers that carry their derivatives along two directions and the mixed second one.

use std::ops::{Add, Mul, Neg, Sub};

use super::Interval;

/// `f + f_u e_1 + f_v e_2 + f_uv e_1 e_2` with `e_1^2 = e_2^2 = 0`: the value of an expression, its derivatives along `u` and
/// along `v`, and its second derivative along both. Every rule is the chain rule, so nothing is approximated but by rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HyperDual {
    /// The value.
    pub value: Interval,
    /// The derivative along the first direction.
    pub first: Interval,
    /// The derivative along the second direction.
    pub second: Interval,
    /// The derivative along both.
    pub mixed: Interval,
}

impl HyperDual {
    /// Zero, whatever the directions.
    pub const ZERO: HyperDual =
        HyperDual { value: Interval::ZERO, first: Interval::ZERO, second: Interval::ZERO, mixed: Interval::ZERO };

    /// A variable with value `x` and these components of the two directions.
    #[must_use]
    pub fn variable(x: f64, first: f64, second: f64) -> Self {
        HyperDual {
            value: Interval::point(x),
            first: Interval::point(first),
            second: Interval::point(second),
            mixed: Interval::ZERO,
        }
    }

    /// `f(self)` for a function with this value, slope and curvature at `self.value`.
    fn through(self, value: Interval, slope: Interval, curvature: Interval) -> Self {
        HyperDual {
            value,
            first: slope * self.first,
            second: slope * self.second,
            mixed: slope * self.mixed + curvature * self.first * self.second,
        }
    }

    /// Logistic sigmoid: `σ' = σ(x) σ(-x)`, `σ'' = σ' (σ(-x) - σ(x))`.
    #[must_use]
    pub fn sigmoid(self) -> Self {
        let (s, k) = (self.value.sigmoid(), (-self.value).sigmoid());
        self.through(s, s * k, s * k * (k - s))
    }

    /// Softplus `log(1 + e^x)`, the integral of the sigmoid.
    #[must_use]
    pub fn softplus(self) -> Self {
        let (s, k) = (self.value.sigmoid(), (-self.value).sigmoid());
        self.through(self.value.softplus(), s, s * k)
    }

    fn each(self, other: Self, f: impl Fn(Interval, Interval) -> Interval) -> Self {
        HyperDual {
            value: f(self.value, other.value),
            first: f(self.first, other.first),
            second: f(self.second, other.second),
            mixed: f(self.mixed, other.mixed),
        }
    }
}

impl Add for HyperDual {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.each(other, Add::add)
    }
}

impl Sub for HyperDual {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.each(other, Sub::sub)
    }
}

impl Neg for HyperDual {
    type Output = Self;
    fn neg(self) -> Self {
        Self::ZERO - self
    }
}

impl Mul for HyperDual {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        HyperDual {
            value: self.value * other.value,
            first: self.first * other.value + self.value * other.first,
            second: self.second * other.value + self.value * other.second,
            mixed: self.mixed * other.value
                + self.first * other.second
                + self.second * other.first
                + self.value * other.mixed,
        }
    }
}

impl std::iter::Sum for HyperDual {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polynomial_is_differentiated_exactly() {
        // f(x, y) = x^2 y - y at (3, 2): f_x = 12, f_y = 8, f_xy = 6.
        let (x, y) = (HyperDual::variable(3.0, 1.0, 0.0), HyperDual::variable(2.0, 0.0, 1.0));
        let f = x * x * y - y;
        assert_eq!([f.value, f.first, f.second, f.mixed], [16.0, 12.0, 8.0, 6.0].map(Interval::point));
        assert_eq!((-f).mixed, Interval::point(-6.0));
    }

    #[test]
    fn a_mixed_derivative_passes_through_a_product_from_either_side() {
        // x y^2 at (2, -3), x counted three times and y five times: 15 * 2 y.
        let (x, y) = (HyperDual::variable(2.0, 3.0, 0.0), HyperDual::variable(-3.0, 0.0, 5.0));
        for product in [y * (x * y), (x * y) * y] {
            assert_eq!(product.mixed, Interval::point(-90.0));
        }
    }

    #[test]
    fn the_slope_of_softplus_is_the_sigmoid() {
        for x in [-40.0, -1.0, 0.0, 0.5, 30.0] {
            let x = HyperDual::variable(x, 1.0, 1.0);
            let (plus, sigma) = (x.softplus(), x.sigmoid());
            assert_eq!((plus.first, plus.mixed), (sigma.value, sigma.first));
            // Against a difference quotient, whose error is far below the tolerance.
            let (h, at) = (1e-5, x.value.midpoint());
            let slope = |y: f64| HyperDual::variable(y, 1.0, 0.0).sigmoid().first.midpoint();
            let quotient = (slope(at + h) - slope(at - h)) / (2.0 * h);
            assert!((quotient - sigma.mixed.midpoint()).abs() < 1e-9);
        }
    }

    /// Whether an interval holds a number, and no more than rounding beside it.
    fn is(found: Interval, expected: f64) -> bool {
        found.widened_by(1e-15).contains(expected) && found.width() <= 1e-14
    }

    /// `x = 0.7` along the first direction and `y = -1.3` along the second, counted three and five times.
    fn variables() -> (HyperDual, HyperDual) {
        (HyperDual::variable(0.7, 3.0, 0.0), HyperDual::variable(-1.3, 0.0, 5.0))
    }

    #[test]
    fn functions_follow_the_chain_rule_along_each_direction_and_both() {
        let (x, y) = variables();
        let t = 0.7 * -1.3;
        let s = 1.0 / (1.0 + core_math::exp(-t));
        let slope = s * (1.0 - s);
        let curvature = slope * (1.0 - 2.0 * s);
        let soft = (x * y).softplus();
        assert!(is(soft.value, core_math::log1p(core_math::exp(t))), "{soft:?}");
        assert!(is(soft.first, 3.0 * -1.3 * s), "{soft:?}");
        assert!(is(soft.second, 5.0 * 0.7 * s), "{soft:?}");
        assert!(is(soft.mixed, 15.0 * (s + t * slope)), "{soft:?}");
        let sigmoid = (x * y).sigmoid();
        assert!(is(sigmoid.value, s), "{sigmoid:?}");
        assert!(is(sigmoid.first, 3.0 * -1.3 * slope), "{sigmoid:?}");
        assert!(is(sigmoid.second, 5.0 * 0.7 * slope), "{sigmoid:?}");
        assert!(is(sigmoid.mixed, 15.0 * (slope + t * curvature)), "{sigmoid:?}");
    }
}
