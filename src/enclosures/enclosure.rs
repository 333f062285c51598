//! A real number in `[lo, hi]` together with how well that is known: the currency in which claims are judged.

use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

use serde::{Deserialize, Serialize};

use crate::formula::{self, BinaryOperation, Constant, Formula, Mark, Traced, UnaryFunction};
use crate::interval::{self, Interval};
use crate::precise::Precise;

mod digits;

pub use digits::{around, plain, safe_digits};

/// How well an enclosure is known, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Computed in floating point without an error bound: a fitted slope, a trained network, a numerical solution of an
    /// equation. What is compared by it is shown as measured, however far apart the sides lie.
    Measured,
    /// The number lies inside with probability at least `1 - alpha` over the draws of this run.
    Sampled {
        /// Probability of a miss; misses of several sampled quantities add up.
        alpha: f64,
    },
    /// Computed by finite sums, closed forms or quadrature with an error bound.
    Exact,
    /// Shown for a whole domain at once, by interval subdivision or by a reduction that the code checks.
    Proved,
    /// A theorem whose proof the kernel of a proof assistant has accepted. No number has this grade, only what is said of numbers.
    Checked,
}

impl Grade {
    /// The grade of a quantity that depends on both: the weaker one; two sampled ones add their chances of a miss.
    #[must_use]
    pub fn and(self, other: Grade) -> Grade {
        match (self, other) {
            (Grade::Measured, _) | (_, Grade::Measured) => Grade::Measured,
            (Grade::Sampled { alpha: a }, Grade::Sampled { alpha: b }) => Grade::Sampled { alpha: (a + b).min(1.0) },
            (sampled @ Grade::Sampled { .. }, _) | (_, sampled @ Grade::Sampled { .. }) => sampled,
            (Grade::Exact, _) | (_, Grade::Exact) => Grade::Exact,
            (Grade::Proved, _) | (_, Grade::Proved) => Grade::Proved,
            (Grade::Checked, Grade::Checked) => Grade::Checked,
        }
    }

    /// The grade of a conclusion that either of two comparisons supports: the stronger one; of two sampled ones that with the
    /// smaller chance of a miss.
    #[must_use]
    pub fn or(self, other: Grade) -> Grade {
        match (self, other) {
            (Grade::Checked, _) | (_, Grade::Checked) => Grade::Checked,
            (Grade::Proved, _) | (_, Grade::Proved) => Grade::Proved,
            (Grade::Exact, _) | (_, Grade::Exact) => Grade::Exact,
            (Grade::Sampled { alpha: a }, Grade::Sampled { alpha: b }) => Grade::Sampled { alpha: a.min(b) },
            (sampled @ Grade::Sampled { .. }, _) | (_, sampled @ Grade::Sampled { .. }) => sampled,
            (Grade::Measured, Grade::Measured) => Grade::Measured,
        }
    }

    /// Whether the enclosure depends on the draws of a run.
    #[must_use]
    pub fn is_sampled(self) -> bool {
        matches!(self, Grade::Sampled { .. })
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Grade::Measured => f.write_str("measured"),
            Grade::Sampled { .. } => f.write_str("sampled"),
            Grade::Exact => f.write_str("exact"),
            Grade::Proved => f.write_str("proved"),
            Grade::Checked => f.write_str("checked"),
        }
    }
}

/// An [`Interval`] that contains the number of interest, and its [`Grade`].
///
/// Arithmetic rounds outward and keeps the weaker grade. A float becomes an enclosure only by saying which it is: [`exact`], this
/// double itself is the number, or [`Enclosure::measured`], it was computed without an error bound. In arithmetic with an enclosure a
/// plain `f64` is a constant of the formula and counts as that exact number.
///
/// ```
/// use contrapositive_enclosures::enclosure::{Enclosure, exact};
/// let third = exact(1.0) / 3.0;
/// assert!(third.lo() < third.hi());            // one third is not a double
/// assert_eq!((third * 0.0).hi(), 0.0);
/// assert_eq!((exact(0.5) + 0.25).lo(), 0.75);  // dyadic numbers stay points
/// let slope = Enclosure::measured(0.1 + 0.2);
/// assert_eq!((slope + third).grade(), slope.grade());
/// ```
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Enclosure {
    interval: Interval,
    grade: Grade,
    /// The step of a recording that made it: see [`formula`].
    #[serde(skip)]
    mark: Mark,
}

/// How it was computed is no part of what it is.
impl PartialEq for Enclosure {
    fn eq(&self, other: &Self) -> bool {
        self.interval == other.interval && self.grade == other.grade
    }
}

impl fmt::Debug for Enclosure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Enclosure");
        shown.field("interval", &self.interval).field("grade", &self.grade).finish()
    }
}

impl Enclosure {
    /// Zero, exactly.
    pub const ZERO: Enclosure = Enclosure { interval: Interval::ZERO, grade: Grade::Exact, mark: Mark::NONE };
    /// One, exactly.
    pub const ONE: Enclosure = Enclosure { interval: Interval::ONE, grade: Grade::Exact, mark: Mark::NONE };

    /// An interval of a given grade.
    #[must_use]
    pub fn graded(interval: Interval, grade: Grade) -> Self {
        Self::made(interval, grade, Mark::NONE)
    }

    fn made(interval: Interval, grade: Grade, mark: Mark) -> Self {
        Enclosure { interval, grade, mark }
    }

    /// The numbers between `lo` and `hi`, known with probability `1 - alpha`.
    #[must_use]
    pub fn sampled(lo: f64, hi: f64, alpha: f64) -> Self {
        Self::graded(Interval::new(lo, hi), Grade::Sampled { alpha })
    }

    /// The numbers between `lo` and `hi`, computed with a proven error bound.
    #[must_use]
    pub fn between(lo: f64, hi: f64) -> Self {
        Interval::new(lo, hi).into()
    }

    /// A number computed in floating point, without a bound of its error.
    #[must_use]
    pub fn measured(x: f64) -> Self {
        Self::measured_between(x, x)
    }

    /// The numbers between two that were computed in floating point, without a bound of their errors.
    #[must_use]
    pub fn measured_between(lo: f64, hi: f64) -> Self {
        Self::graded(Interval::new(lo, hi), Grade::Measured)
    }

    /// The same interval, known by measurement only.
    #[must_use]
    pub fn as_measured(self) -> Self {
        Self::graded(self.interval, Grade::Measured)
    }

    /// The natural logarithm of two.
    #[must_use]
    pub fn ln_2() -> Self {
        Self::constant(Interval::point(2.0).ln(), Constant::LogTwo)
    }

    /// The circle constant.
    #[must_use]
    pub fn pi() -> Self {
        Self::constant(Interval::pi(), Constant::Pi)
    }

    /// The interval without its grade.
    #[must_use]
    pub fn interval(self) -> Interval {
        self.interval
    }

    /// How well the enclosure is known.
    #[must_use]
    pub fn grade(self) -> Grade {
        self.grade
    }

    /// Lower end.
    #[must_use]
    pub fn lo(self) -> f64 {
        self.interval.lo()
    }

    /// Upper end.
    #[must_use]
    pub fn hi(self) -> f64 {
        self.interval.hi()
    }

    /// A number inside.
    #[must_use]
    pub fn midpoint(self) -> f64 {
        self.interval.midpoint()
    }

    /// An upper bound of `hi - lo`.
    #[must_use]
    pub fn width(self) -> f64 {
        self.interval.width()
    }

    /// The largest absolute value inside.
    #[must_use]
    pub fn magnitude(self) -> f64 {
        self.interval.magnitude()
    }

    /// The same interval raised to the grade `proved`: for quantities that cover a whole domain.
    #[must_use]
    pub fn proved(self) -> Self {
        Self::graded(self.interval, Grade::Proved)
    }

    fn constant(interval: Interval, number: Constant) -> Self {
        Self::made(interval, Grade::Exact, formula::constant(number, interval))
    }

    fn map(self, f: impl FnOnce(Interval) -> Interval, function: &'static UnaryFunction) -> Self {
        let value = f(self.interval);
        Self::made(value, self.grade, formula::applied(function, self.into(), value))
    }

    fn combine(self, other: Self, f: impl FnOnce(Interval, Interval) -> Interval, operation: BinaryOperation) -> Self {
        let value = f(self.interval, other.interval);
        let mark = formula::combined(operation, self.into(), other.into(), value);
        Self::made(value, self.grade.and(other.grade), mark)
    }

    /// The larger of two numbers.
    #[must_use]
    pub fn max(self, other: impl Into<Self>) -> Self {
        self.combine(other.into(), Interval::max, BinaryOperation::Larger)
    }

    /// The smaller of two numbers.
    #[must_use]
    pub fn min(self, other: impl Into<Self>) -> Self {
        self.combine(other.into(), Interval::min, BinaryOperation::Smaller)
    }

    /// Integer power.
    #[must_use]
    pub fn powi(self, exponent: i64) -> Self {
        let value = self.interval.powi(exponent);
        Self::made(value, self.grade, formula::power(exponent, self.into(), value))
    }
}

/// The change of sign.
const NEGATION: &UnaryFunction = &UnaryFunction { name: "neg", precisely: Precise::negated, slope: |_, _| -1.0 };

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident with slope $slope:expr),* $(,)?) => {
        impl Enclosure {$(
            $(#[$doc])*
            #[must_use]
            pub fn $name(self) -> Self {
                const FUNCTION: &UnaryFunction =
                    &UnaryFunction { name: stringify!($name), precisely: Precise::$name, slope: $slope };
                self.map(Interval::$name, FUNCTION)
            }
        )*}

        /// Every function of one number, by the name of its method.
        const FUNCTIONS: &[&UnaryFunction] = &[
            NEGATION,
            $(&UnaryFunction { name: stringify!($name), precisely: Precise::$name, slope: $slope },)*
        ];
    };
}
functions!(
    /// Absolute value.
    abs with slope |x, _| if x < 0.0 { -1.0 } else { 1.0 },
    /// Square, never negative.
    square with slope |x, _| 2.0 * x,
    /// Square root.
    sqrt with slope |_, y| 0.5 / y,
    /// Exponential.
    exp with slope |_, y| y,
    /// `e^x - 1`, accurate near zero.
    exp_m1 with slope |_, y| 1.0 + y,
    /// Natural logarithm.
    ln with slope |x, _| 1.0 / x,
    /// Logarithm to base two.
    log2 with slope |x, _| std::f64::consts::LOG2_E / x,
    /// `log(1 + x)`, accurate near zero.
    ln_1p with slope |x, _| 1.0 / (1.0 + x),
    /// Softplus `log(1 + e^x)`.
    softplus with slope |x, y| core_math::exp(x - y),
    /// Logistic sigmoid `1 / (1 + e^-x)`.
    sigmoid with slope |_, y| y * (1.0 - y),
    /// Hyperbolic tangent.
    tanh with slope |_, y| 1.0 - y * y,
    /// Hyperbolic sine.
    sinh with slope |x, _| core_math::cosh(x),
    /// Hyperbolic cosine.
    cosh with slope |x, _| core_math::sinh(x),
    /// Inverse hyperbolic sine.
    asinh with slope |x, _| 1.0 / (1.0 + x * x).sqrt(),
    /// Inverse hyperbolic cosine.
    acosh with slope |x, _| 1.0 / (x * x - 1.0).sqrt(),
    /// Inverse hyperbolic tangent.
    atanh with slope |x, _| 1.0 / (1.0 - x * x),
    /// Sine of an angle in radians.
    sin with slope |x, _| core_math::cos(x),
    /// Cosine of an angle in radians.
    cos with slope |x, _| -core_math::sin(x),
    /// Tangent of an angle in radians.
    tan with slope |_, y| 1.0 + y * y,
    /// Arc tangent.
    atan with slope |x, _| 1.0 / (1.0 + x * x),
    /// Arc sine.
    asin with slope |x, _| 1.0 / (1.0 - x * x).sqrt(),
    /// Arc cosine.
    acos with slope |x, _| -1.0 / (1.0 - x * x).sqrt(),
);

/// This double itself: a constant of a formula, a coordinate of an instance, a whole number.
#[must_use]
pub fn exact(x: f64) -> Enclosure {
    Interval::point(x).into()
}

impl From<i32> for Enclosure {
    fn from(x: i32) -> Self {
        exact(f64::from(x))
    }
}

impl From<u32> for Enclosure {
    fn from(x: u32) -> Self {
        exact(f64::from(x))
    }
}

impl From<usize> for Enclosure {
    /// Exact up to 2^53, enclosed beyond.
    fn from(x: usize) -> Self {
        (x as u64).into()
    }
}

impl From<u64> for Enclosure {
    /// Exact up to 2^53, enclosed beyond.
    fn from(x: u64) -> Self {
        let near = x as f64;
        if x <= 1 << 53 { exact(near) } else { Self::between(near.next_down(), near.next_up()) }
    }
}

impl From<Enclosure> for Traced {
    fn from(x: Enclosure) -> Self {
        Traced { interval: x.interval, mark: x.mark }
    }
}

impl From<Interval> for Enclosure {
    fn from(interval: Interval) -> Self {
        Self::graded(interval, Grade::Exact)
    }
}

macro_rules! operations {
    ($($trait:ident :: $method:ident => $operation:ident),*) => {$(
        impl $trait for Enclosure {
            type Output = Enclosure;
            fn $method(self, other: Enclosure) -> Enclosure {
                self.combine(other, $trait::$method, BinaryOperation::$operation)
            }
        }
        impl $trait<f64> for Enclosure {
            type Output = Enclosure;
            fn $method(self, other: f64) -> Enclosure {
                $trait::$method(self, exact(other))
            }
        }
        impl $trait<Enclosure> for f64 {
            type Output = Enclosure;
            fn $method(self, other: Enclosure) -> Enclosure {
                $trait::$method(exact(self), other)
            }
        }
    )*};
}
operations!(Add::add => Add, Sub::sub => Subtract, Mul::mul => Multiply, Div::div => Divide);

impl Neg for Enclosure {
    type Output = Enclosure;
    fn neg(self) -> Enclosure {
        self.map(Neg::neg, NEGATION)
    }
}

impl AddAssign for Enclosure {
    fn add_assign(&mut self, other: Enclosure) {
        *self = *self + other;
    }
}

impl std::iter::Sum for Enclosure {
    fn sum<I: Iterator<Item = Enclosure>>(terms: I) -> Enclosure {
        terms.fold(Enclosure::ZERO, |total, term| total + term)
    }
}

/// `log(sum_i e^{x_i})`; the empty sum is minus infinity.
#[must_use]
pub fn log_sum_exp(terms: &[Enclosure]) -> Enclosure {
    let intervals: Vec<Interval> = terms.iter().map(|t| t.interval).collect();
    let grade = terms.iter().fold(Grade::Exact, |grade, t| grade.and(t.grade));
    let value = interval::log_sum_exp(&intervals);
    Enclosure::made(value, grade, formula::log_sum_exp(terms.iter().map(|x| (*x).into()), value))
}

/// As [`formula::recorded`], with the operations on intervals, too: slower, and for those who ask how a number was computed, not for its
/// digits. Every result is a little wider than it has to be, by an amount of its own, so that an interval tells which step made it.
pub fn recorded_throughout<T>(most: usize, work: impl FnOnce() -> T) -> (T, Formula) {
    formula::recorded_throughout(most, FUNCTIONS, work)
}

impl fmt::Display for Enclosure {
    /// At most six significant digits, and only those on which both ends agree; `{:.n}` asks for at most `n`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&safe_digits(self.interval, f.precision().unwrap_or(6)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weaker_grade_wins_and_misses_add() {
        let a = Grade::Sampled { alpha: 0.01 };
        assert_eq!(a.and(Grade::Exact), a);
        assert_eq!(Grade::Proved.and(Grade::Exact), Grade::Exact);
        assert_eq!(Grade::Proved.and(Grade::Checked), Grade::Proved);
        assert_eq!(Grade::Proved.or(Grade::Checked), Grade::Checked);
        assert_eq!(a.and(Grade::Sampled { alpha: 0.02 }), Grade::Sampled { alpha: 0.03 });
        for other in [a, Grade::Exact, Grade::Proved, Grade::Checked, Grade::Measured] {
            assert_eq!(Grade::Measured.and(other), Grade::Measured);
            assert_eq!(other.and(Grade::Measured), Grade::Measured);
        }
    }
}
