//! Elementary functions: correctly rounded by `core-math`, then widened by one unit in the last place.
//!
//! A correctly rounded value is one of the two doubles next to the truth, so one step outward is a proven bound. Values
//! that are exact by definition (`exp 0`, `log 1` ...) stay points.

use core_math as cr;

use super::Interval;
use super::watching::{Seen, applied, watched};
use crate::work::spend;

fn down(value: f64) -> f64 {
    if value == f64::NEG_INFINITY { value } else { value.next_down() }
}

fn up(value: f64) -> f64 {
    if value == f64::INFINITY { value } else { value.next_up() }
}

/// A non-decreasing function on an interval; `exact` says at which argument the rounded value is the true one.
fn increasing(x: Interval, f: impl Fn(f64) -> f64, exact: impl Fn(f64) -> bool, floor: f64, ceiling: f64) -> Interval {
    spend(8);
    let lo = if exact(x.lo) { f(x.lo) } else { down(f(x.lo)).max(floor) };
    let hi = if exact(x.hi) { f(x.hi) } else { up(f(x.hi)).min(ceiling) };
    Interval::new(lo, hi)
}

/// The doubles on either side of a correctly rounded sine or cosine.
fn neighbours(value: f64) -> Interval {
    Interval::new(down(value).max(-1.0), up(value).min(1.0))
}

/// The range of the sine or cosine: its values at the two ends and at the extrema `(k + shift) pi` that may lie between,
/// which are +1 for even `k` and -1 for odd `k`.
fn oscillating(x: Interval, at: impl Fn(f64) -> Interval, shift: f64) -> Interval {
    spend(12);
    if x.magnitude() > 1_048_576.0 || x.width() >= std::f64::consts::TAU {
        return Interval::ordered(-1.0, 1.0);
    }
    let mut range = at(x.lo).hull(at(x.hi));
    let first = (x.lo / std::f64::consts::PI).floor() as i64 - 1;
    let last = (x.hi / std::f64::consts::PI).ceil() as i64 + 1;
    for k in first..=last {
        let extremum = Interval::pi() * (k as f64 + shift);
        if extremum.hi >= x.lo && extremum.lo <= x.hi {
            range = range.hull(Interval::point(if k % 2 == 0 { 1.0 } else { -1.0 }));
        }
    }
    range
}

impl Interval {
    /// The exponential.
    #[must_use]
    pub fn exp(self) -> Self {
        applied("exp", self, |x| increasing(x, cr::exp, |x| x == 0.0 || x.is_infinite(), 0.0, f64::INFINITY))
    }

    /// `e^x - 1`, accurate near zero.
    #[must_use]
    pub fn exp_m1(self) -> Self {
        applied("exp_m1", self, |x| increasing(x, cr::expm1, |x| x == 0.0 || x.is_infinite(), -1.0, f64::INFINITY))
    }

    /// The natural logarithm; the part at or below zero is dropped, so a lower end there becomes minus infinity.
    #[must_use]
    pub fn ln(self) -> Self {
        applied("ln", self, |x| {
            let x = Self::ordered(x.lo.max(0.0), x.hi.max(0.0));
            increasing(x, cr::log, |x| x == 1.0 || x == 0.0 || x.is_infinite(), f64::NEG_INFINITY, f64::INFINITY)
        })
    }

    /// The logarithm to base two (the unit is the bit); exact at powers of two.
    #[must_use]
    pub fn log2(self) -> Self {
        applied("log2", self, |x| {
            let x = Self::ordered(x.lo.max(0.0), x.hi.max(0.0));
            let exact = |x: f64| x == 0.0 || x.is_infinite() || (x.is_normal() && x.to_bits() << 12 == 0);
            increasing(x, cr::log2, exact, f64::NEG_INFINITY, f64::INFINITY)
        })
    }

    /// `log(1 + x)`, accurate near zero; the part at or below -1 is dropped.
    #[must_use]
    pub fn ln_1p(self) -> Self {
        applied("ln_1p", self, |x| {
            let x = Self::ordered(x.lo.max(-1.0), x.hi.max(-1.0));
            increasing(x, cr::log1p, |x| x == 0.0 || x == -1.0 || x.is_infinite(), f64::NEG_INFINITY, f64::INFINITY)
        })
    }

    /// The softplus function `log(1 + e^x)`, accurate in both tails.
    #[must_use]
    pub fn softplus(self) -> Self {
        applied("softplus", self, |x| {
            // On each end separately, so that an interval across zero loses nothing.
            let at = |x: f64| {
                let decay = Interval::point(-x.abs()).exp().ln_1p();
                Interval::point(x.max(0.0)) + decay
            };
            let (low, high) = (at(x.lo), at(x.hi));
            Self::new(low.lo.max(0.0), high.hi)
        })
    }

    /// The logistic sigmoid `1 / (1 + e^{-x})`, with full relative accuracy for very negative `x`.
    #[must_use]
    pub fn sigmoid(self) -> Self {
        applied("sigmoid", self, |x| {
            let at = |x: f64| {
                let e = Interval::point(-x.abs()).exp();
                if x >= 0.0 { Interval::ONE / (Interval::ONE + e) } else { e / (Interval::ONE + e) }
            };
            Self::new(at(x.lo).lo.max(0.0), at(x.hi).hi.min(1.0))
        })
    }

    /// The hyperbolic tangent.
    #[must_use]
    pub fn tanh(self) -> Self {
        applied("tanh", self, |x| increasing(x, cr::tanh, |x| x == 0.0 || x.is_infinite(), -1.0, 1.0))
    }

    /// The hyperbolic sine.
    #[must_use]
    pub fn sinh(self) -> Self {
        applied("sinh", self, |x| {
            increasing(x, cr::sinh, |x| x == 0.0 || x.is_infinite(), f64::NEG_INFINITY, f64::INFINITY)
        })
    }

    /// The hyperbolic cosine.
    #[must_use]
    pub fn cosh(self) -> Self {
        applied("cosh", self, |x| increasing(x.abs(), cr::cosh, |x| x == 0.0 || x.is_infinite(), 1.0, f64::INFINITY))
    }

    /// The inverse hyperbolic sine.
    #[must_use]
    pub fn asinh(self) -> Self {
        applied("asinh", self, |x| {
            increasing(x, cr::asinh, |x| x == 0.0 || x.is_infinite(), f64::NEG_INFINITY, f64::INFINITY)
        })
    }

    /// The inverse hyperbolic cosine; what lies below 1 is dropped.
    #[must_use]
    pub fn acosh(self) -> Self {
        applied("acosh", self, |x| {
            let x = Self::ordered(x.lo.max(1.0), x.hi.max(1.0));
            increasing(x, cr::acosh, |x| x == 1.0 || x.is_infinite(), 0.0, f64::INFINITY)
        })
    }

    /// The inverse hyperbolic tangent; what lies outside [-1, 1] is dropped.
    #[must_use]
    pub fn atanh(self) -> Self {
        applied("atanh", self, |x| {
            let x = Self::ordered(x.lo.clamp(-1.0, 1.0), x.hi.clamp(-1.0, 1.0));
            let exact = |x: f64| x == 0.0 || x.abs() == 1.0;
            increasing(x, cr::atanh, exact, f64::NEG_INFINITY, f64::INFINITY)
        })
    }

    /// The arc tangent.
    #[must_use]
    pub fn atan(self) -> Self {
        applied("atan", self, |x| increasing(x, cr::atan, |x| x == 0.0, f64::NEG_INFINITY, f64::INFINITY))
    }

    /// The tangent of every angle in radians; [`Interval::ENTIRE`] where a pole may lie inside, and where an end is beyond 2^20 in size.
    #[must_use]
    pub fn tan(self) -> Self {
        applied("tan", self, |x| {
            if x.magnitude() > 1_048_576.0 || x.width() >= std::f64::consts::PI {
                return Self::ENTIRE;
            }
            let first = (x.lo / std::f64::consts::PI).floor() as i64 - 1;
            let last = (x.hi / std::f64::consts::PI).ceil() as i64 + 1;
            for k in first..=last {
                let pole = Self::pi() * (k as f64 + 0.5);
                if pole.hi >= x.lo && pole.lo <= x.hi {
                    return Self::ENTIRE;
                }
            }
            increasing(x, cr::tan, |x| x == 0.0, f64::NEG_INFINITY, f64::INFINITY)
        })
    }

    /// The arc sine; what lies outside [-1, 1] is dropped.
    #[must_use]
    pub fn asin(self) -> Self {
        applied("asin", self, |x| {
            let x = Self::ordered(x.lo.clamp(-1.0, 1.0), x.hi.clamp(-1.0, 1.0));
            increasing(x, cr::asin, |x| x == 0.0, f64::NEG_INFINITY, f64::INFINITY)
        })
    }

    /// The arc cosine; what lies outside [-1, 1] is dropped.
    #[must_use]
    pub fn acos(self) -> Self {
        applied("acos", self, |x| {
            let x = Self::ordered(x.lo.clamp(-1.0, 1.0), x.hi.clamp(-1.0, 1.0));
            -increasing(x, |x| -cr::acos(x), |x| x == 1.0, f64::NEG_INFINITY, 0.0)
        })
    }

    /// The sine of every angle in radians, with full relative accuracy near zero; ends beyond 2^20 in size give the whole
    /// range [-1, 1].
    #[must_use]
    pub fn sin(self) -> Self {
        applied("sin", self, |x| {
            let at = |x: f64| if x == 0.0 { Self::ZERO } else { neighbours(cr::sin(x)) };
            oscillating(x, at, 0.5)
        })
    }

    /// The cosine of every angle in radians; ends beyond 2^20 in size give the whole range [-1, 1].
    #[must_use]
    pub fn cos(self) -> Self {
        applied("cos", self, |x| {
            let at = |x: f64| if x == 0.0 { Self::ONE } else { neighbours(cr::cos(x)) };
            oscillating(x, at, 0.0)
        })
    }

    /// The circle constant, enclosed.
    #[must_use]
    pub fn pi() -> Self {
        // The double nearest to pi lies below it.
        watched(Self::ordered(std::f64::consts::PI, std::f64::consts::PI.next_up()), || Seen::Pi)
    }
}
