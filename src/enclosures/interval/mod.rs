//! Closed intervals of real numbers with outward rounding: the ground floor of every enclosure.
//!
//! The four operations and the square root are rounded outward only when the floating-point result is inexact, which is
//! found out by error-free transformations; integers and dyadic numbers therefore stay points. Elementary functions are
//! correctly rounded by `core-math` and widened by one unit in the last place.

mod arithmetic;
mod both_ends;
mod double_double;
mod dual;
mod elementary;
mod functions;
mod hyper_dual;
pub(crate) mod rounding;
mod subdivision;
mod watching;

use serde::{Deserialize, Serialize};

pub(crate) use double_double::{DoubleDouble, power_of_two};
pub use dual::Dual;
pub use functions::{dot, log_sum_exp, sum};
pub use hyper_dual::HyperDual;
pub(crate) use rounding::sum_error;
pub use subdivision::maximum_over;
pub use watching::BinaryOperation;
use watching::watched;
pub(crate) use watching::{Seen, Watcher, replace_watcher};

/// A closed interval `[lo, hi]` of extended real numbers that contains a real number of interest.
///
/// Invariant: `lo <= hi`, neither end is NaN, `lo < +inf` and `hi > -inf`. An operation whose value is not a real number
/// on the whole input (division by an interval that contains zero, logarithm of a non-positive one) answers with an end
/// at infinity instead of a NaN: it still contains every value that is defined.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "[f64; 2]", try_from = "[f64; 2]")]
pub struct Interval {
    lo: f64,
    hi: f64,
}

impl From<Interval> for [f64; 2] {
    fn from(interval: Interval) -> [f64; 2] {
        [interval.lo, interval.hi]
    }
}

impl TryFrom<[f64; 2]> for Interval {
    type Error = String;

    /// The ends as they are, to the last bit; refused unless they keep the invariant.
    fn try_from([lo, hi]: [f64; 2]) -> Result<Self, String> {
        if lo <= hi && lo < f64::INFINITY && hi > f64::NEG_INFINITY {
            Ok(Interval { lo, hi })
        } else {
            Err(format!("[{lo}, {hi}] is no interval"))
        }
    }
}

impl Interval {
    /// The whole extended real line: nothing is known.
    pub const ENTIRE: Interval = Interval { lo: f64::NEG_INFINITY, hi: f64::INFINITY };
    /// The point zero.
    pub const ZERO: Interval = Interval { lo: 0.0, hi: 0.0 };
    /// The point one.
    pub const ONE: Interval = Interval { lo: 1.0, hi: 1.0 };

    /// The interval between two ends, in either order. A NaN end gives [`Interval::ENTIRE`]: nothing is known.
    #[must_use]
    pub fn new(a: f64, b: f64) -> Self {
        if a.is_nan() || b.is_nan() {
            return Self::ENTIRE;
        }
        Self::ordered(a.min(b), a.max(b))
    }

    /// The single number `x`. NaN gives [`Interval::ENTIRE`]; an infinity gives the numbers beyond the largest finite one.
    #[must_use]
    pub fn point(x: f64) -> Self {
        Self::new(x, x)
    }

    /// Both ends known to be in order and not NaN.
    fn ordered(lo: f64, hi: f64) -> Self {
        debug_assert!(lo <= hi, "interval ends out of order: {lo} > {hi}");
        Interval {
            lo: if lo == f64::INFINITY { f64::MAX } else { lo },
            hi: if hi == f64::NEG_INFINITY { f64::MIN } else { hi },
        }
    }

    /// Lower end.
    #[must_use]
    pub const fn lo(self) -> f64 {
        self.lo
    }

    /// Upper end.
    #[must_use]
    pub const fn hi(self) -> f64 {
        self.hi
    }

    /// A number inside, the middle where both ends are finite.
    #[must_use]
    pub fn midpoint(self) -> f64 {
        match (self.lo.is_finite(), self.hi.is_finite()) {
            (true, true) => (0.5 * self.lo + 0.5 * self.hi).clamp(self.lo, self.hi),
            (true, false) => self.lo,
            (false, true) => self.hi,
            (false, false) => 0.0,
        }
    }

    /// An upper bound of `hi - lo`.
    #[must_use]
    pub fn width(self) -> f64 {
        rounding::sub_up(self.hi, self.lo)
    }

    /// The largest absolute value inside.
    #[must_use]
    pub fn magnitude(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }

    /// The smallest absolute value inside.
    #[must_use]
    pub fn mignitude(self) -> f64 {
        if self.contains(0.0) { 0.0 } else { self.lo.abs().min(self.hi.abs()) }
    }

    /// Whether `x` lies inside.
    #[must_use]
    pub fn contains(self, x: f64) -> bool {
        self.lo <= x && x <= self.hi
    }

    /// Whether every number inside is positive.
    #[must_use]
    pub fn is_positive(self) -> bool {
        self.lo > 0.0
    }

    /// Whether both ends are finite.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.lo.is_finite() && self.hi.is_finite()
    }

    /// The smallest interval that contains both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        let hull = Self::ordered(self.lo.min(other.lo), self.hi.max(other.hi));
        if self == other { hull } else { watched(hull, || Seen::Other) }
    }

    /// The common part, if there is one.
    #[must_use]
    pub fn intersection(self, other: Self) -> Option<Self> {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        (lo <= hi).then(|| Self::ordered(lo, hi))
    }

    /// Every pairwise maximum.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        let larger = Self::ordered(self.lo.max(other.lo), self.hi.max(other.hi));
        watched(larger, || Seen::Combined(BinaryOperation::Larger, self, other))
    }

    /// Every pairwise minimum.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        let smaller = Self::ordered(self.lo.min(other.lo), self.hi.min(other.hi));
        watched(smaller, || Seen::Combined(BinaryOperation::Smaller, self, other))
    }

    /// Every absolute value.
    #[must_use]
    pub fn abs(self) -> Self {
        watched(Self::ordered(self.mignitude(), self.magnitude()), || Seen::Applied("abs", self))
    }

    /// The interval with a proven absolute error `radius >= 0` added at both ends; a NaN radius gives [`Interval::ENTIRE`].
    #[must_use]
    pub fn widened_by(self, radius: f64) -> Self {
        if radius.is_nan() {
            return Self::ENTIRE;
        }
        Self::ordered(rounding::sub_down(self.lo, radius.abs()), rounding::add_up(self.hi, radius.abs()))
    }
}

impl From<f64> for Interval {
    fn from(x: f64) -> Self {
        Self::point(x)
    }
}

#[cfg(test)]
mod tests;
