//! Enclosures with ends of 256 bits, or of more where those do not suffice, for what doubles cannot decide. Every operation of dashu-float is rounded in the direction that its
//! type names, so an end computed in the type of its side is a bound.

use std::cell::{Cell, RefCell};

use dashu_float::round::mode::{Down, Up};
use dashu_float::round::{ErrorBounds, Round};
use dashu_float::{ConstCache, Context, FBig};

use crate::interval::Interval;

type Low = FBig<Down, 2>;
type High = FBig<Up, 2>;

thread_local! {
    /// The digits of log 2 and its like, which every exponential and every logarithm would compute anew. They change no digit of a result,
    /// which is the nearest number on its side whatever is known before.
    static CONSTANTS: RefCell<ConstCache> = const { RefCell::new(ConstCache::new()) };
}

/// A function in the form that makes use of [`CONSTANTS`].
macro_rules! with_constants {
    ($($name:ident),*) => {$(
        fn $name<R: ErrorBounds>(x: &FBig<R, 2>) -> FBig<R, 2> {
            let context: Context<R> = x.context();
            context.unwrap_fp(CONSTANTS.with_borrow_mut(|known| context.$name(x.repr(), Some(known))))
        }
    )*};
}

with_constants!(exp, exp_m1, ln, ln_1p);

/// Below this size `log(1 + x)` is `x` to twice as many digits as are kept: `x - x^2 < log(1 + x) < x`.
const NEXT_TO_ITSELF: f64 = f64::from_bits((1023 - 600) << 52);

fn is_next_to_its_logarithm<R: Round>(x: &FBig<R, 2>) -> bool {
    let size = FBig::<R, 2>::try_from(NEXT_TO_ITSELF);
    size.is_ok_and(|size| *x < size && *x > -size && *x != FBig::<R, 2>::ZERO)
}

/// The lower bound of `log(1 + x)`. The logarithm of what is next to one wants as many digits as that is close: ten thousands where `x` is an
/// exponential.
fn ln_1p_down(x: &Low) -> Low {
    if is_next_to_its_logarithm(x) { x - x * x } else { ln_1p(x) }
}

/// The upper bound.
fn ln_1p_up(x: &High) -> High {
    if is_next_to_its_logarithm(x) { x.clone() } else { ln_1p(x) }
}

/// Bits of every number, unless more are asked for.
pub const BITS: usize = 256;

thread_local! {
    static KEPT: Cell<usize> = const { Cell::new(BITS) };
}

/// Computes with as many bits.
pub fn with_bits<T>(bits: usize, compute: impl FnOnce() -> T) -> T {
    /// Restores the number of bits, however the computation ends.
    struct Before(usize);
    impl Drop for Before {
        fn drop(&mut self) {
            KEPT.set(self.0);
        }
    }
    let _before = Before(KEPT.replace(bits.max(BITS)));
    compute()
}

fn bits() -> usize {
    KEPT.get()
}

/// Beyond this size an exponential has more digits in front of its point than are kept.
const LARGEST_EXPONENT: f64 = 1e6;
/// Beyond this size an angle has lost its digits.
const LARGEST_ANGLE: f64 = 1e12;
/// The largest whole exponent.
const LARGEST_POWER: u64 = 1 << 20;

/// A number between two others, each of 256 bits; unknown where nothing is known of it, or where it may not be defined.
#[derive(Clone, Debug)]
pub struct Precise(Option<(Low, High)>);

fn low(x: High) -> Low {
    x.with_rounding()
}

fn high(x: Low) -> High {
    x.with_rounding()
}

/// None for a double that is not finite.
fn lows(x: f64) -> Option<Low> {
    if !x.is_finite() {
        return None;
    }
    Some(Low::try_from(x).ok()?.with_precision(bits()).value())
}

fn highs(x: f64) -> Option<High> {
    lows(x).map(high)
}

impl Precise {
    /// A number of which nothing is known.
    pub const UNKNOWN: Precise = Precise(None);

    /// An exact result, a logarithm of one say, comes without a precision, and then cannot be computed with.
    fn between(lo: Low, hi: High) -> Self {
        let lo = if lo.precision() == 0 { lo.with_precision(bits()).value() } else { lo };
        let hi = if hi.precision() == 0 { hi.with_precision(bits()).value() } else { hi };
        Precise(Some((lo, hi)))
    }

    fn exactly(x: Low) -> Self {
        Precise::between(x.clone(), high(x))
    }

    /// A whole number.
    #[must_use]
    pub fn whole(x: i64) -> Self {
        Precise::exactly(Low::from(x).with_precision(bits()).value())
    }

    /// A whole number that is not negative.
    #[must_use]
    pub fn natural(x: u64) -> Self {
        Precise::exactly(Low::from(x).with_precision(bits()).value())
    }

    /// A double, exactly; unknown if it is not finite.
    #[must_use]
    pub fn double(x: f64) -> Self {
        lows(x).map_or(Precise(None), Precise::exactly)
    }

    /// A number between two doubles; unknown if one is not finite.
    #[must_use]
    pub fn within(interval: Interval) -> Self {
        match (lows(interval.lo()), highs(interval.hi())) {
            (Some(lo), Some(hi)) => Precise::between(lo, hi),
            _ => Precise(None),
        }
    }

    /// The circle constant.
    #[must_use]
    pub fn pi() -> Self {
        Precise::between(Low::pi(bits()), High::pi(bits()))
    }

    fn map(self, f: impl FnOnce(Low, High) -> (Low, High)) -> Self {
        match self.0 {
            None => Precise(None),
            Some((lo, hi)) => {
                let (lo, hi) = f(lo, hi);
                Precise::between(lo, hi)
            }
        }
    }

    /// As an interval of doubles; none where nothing is known.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        let (lo, hi) = self.0.as_ref()?;
        Some(Interval::new(lo.to_f64().value(), hi.to_f64().value()))
    }

    /// Whether it is known to be positive (or zero, if that is allowed), to be negative (or zero, if positive must be), or neither.
    #[must_use]
    pub fn sign(&self, strict: bool) -> Option<bool> {
        let (lo, hi) = self.0.as_ref()?;
        if *lo > Low::ZERO || !strict && *lo >= Low::ZERO {
            Some(true)
        } else if *hi < High::ZERO || strict && *hi <= High::ZERO {
            Some(false)
        } else {
            None
        }
    }

    /// A power of two that is about as large, none where nothing is known, or for zero.
    #[must_use]
    pub fn binary_exponent(&self) -> Option<i64> {
        fn of<R: Round>(x: &FBig<R, 2>) -> Option<i64> {
            let digits = i64::try_from(x.repr().digits()).ok()?;
            let exponent = i64::try_from(x.repr().exponent()).ok()?;
            (digits > 0).then(|| digits + exponent)
        }
        let (lo, hi) = self.0.as_ref()?;
        of(lo).max(of(hi))
    }

    /// Whether it is zero for certain.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0.as_ref().is_some_and(|(lo, hi)| *lo == Low::ZERO && *hi == High::ZERO)
    }

    /// A non-decreasing function, bounded at its ends.
    fn rising(self, at_low: impl Fn(&Low) -> Low, at_high: impl Fn(&High) -> High) -> Self {
        self.map(|lo, hi| (at_low(&lo), at_high(&hi)))
    }

    /// The number where all of it lies within a size; unknown otherwise.
    fn up_to(self, size: f64) -> Self {
        let fits = self.interval().is_some_and(|x| x.magnitude() <= size);
        if fits { self } else { Precise(None) }
    }

    /// What lies in a range for certain; unknown otherwise.
    fn inside(self, least: Option<f64>, greatest: Option<f64>, open: bool) -> Self {
        let fits = self.0.as_ref().is_some_and(|(lo, hi)| {
            let above = least.and_then(lows).is_none_or(|l| if open { *lo > l } else { *lo >= l });
            let below = greatest.and_then(highs).is_none_or(|g| if open { *hi < g } else { *hi <= g });
            above && below
        });
        if fits { self } else { Precise(None) }
    }

    /// Sine or cosine: its value at one end, and no farther from it than the width.
    fn wave(self, down: impl Fn(&Low) -> Low, up: impl Fn(&High) -> High) -> Self {
        // With more bits than usual a quarter of them may be in front of the point.
        let longest = f64::from_bits((1023 + (bits() as u64 / 4).min(1023)) << 52);
        let largest = if bits() > BITS { longest } else { LARGEST_ANGLE };
        self.up_to(largest).map(|lo, hi| {
            let width = hi - high(lo.clone());
            let (least, greatest) = (down(&lo) - low(width.clone()), up(&high(lo)) + width);
            (least.max(-Low::ONE), greatest.min(High::ONE))
        })
    }

    /// Sum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        match (self.0, other.0) {
            (Some((a, b)), Some((c, d))) => Precise::between(a + c, b + d),
            _ => Precise(None),
        }
    }

    /// Difference.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        self.plus(other.negated())
    }

    /// Product.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        let (Some((a, b)), Some((c, d))) = (self.0, other.0) else {
            return Precise(None);
        };
        let (down_b, down_d) = (low(b.clone()), low(d.clone()));
        let (up_a, up_c) = (high(a.clone()), high(c.clone()));
        let least = (&a * &c).min(&a * &down_d).min(&down_b * &c).min(&down_b * &down_d);
        let greatest = (&up_a * &up_c).max(&up_a * &d).max(&b * &up_c).max(&b * &d);
        Precise::between(least, greatest)
    }

    /// Quotient; unknown where the divisor may be zero.
    #[must_use]
    pub fn over(self, other: Self) -> Self {
        let (Some((a, b)), Some((c, d))) = (self.0, other.0) else {
            return Precise(None);
        };
        if c <= Low::ZERO && d >= High::ZERO {
            return Precise(None);
        }
        let (down_b, down_d) = (low(b.clone()), low(d.clone()));
        let (up_a, up_c) = (high(a.clone()), high(c.clone()));
        let least = (&a / &c).min(&a / &down_d).min(&down_b / &c).min(&down_b / &down_d);
        let greatest = (&up_a / &up_c).max(&up_a / &d).max(&b / &up_c).max(&b / &d);
        Precise::between(least, greatest)
    }

    /// The number with its sign changed.
    #[must_use]
    pub fn negated(self) -> Self {
        self.map(|lo, hi| (low(-hi), high(-lo)))
    }

    /// Absolute value.
    #[must_use]
    pub fn abs(self) -> Self {
        self.map(|lo, hi| {
            if lo >= Low::ZERO {
                (lo, hi)
            } else if hi <= High::ZERO {
                (low(-hi), high(-lo))
            } else {
                (Low::ZERO, hi.max(high(-lo)))
            }
        })
    }

    /// The larger of two.
    #[must_use]
    pub fn larger(self, other: Self) -> Self {
        match (self.0, other.0) {
            (Some((a, b)), Some((c, d))) => Precise::between(a.max(c), b.max(d)),
            _ => Precise(None),
        }
    }

    /// The smaller of two.
    #[must_use]
    pub fn smaller(self, other: Self) -> Self {
        match (self.0, other.0) {
            (Some((a, b)), Some((c, d))) => Precise::between(a.min(c), b.min(d)),
            _ => Precise(None),
        }
    }

    /// A whole power, `0^0 = 1`; unknown for a negative power of what may be zero.
    #[must_use]
    pub fn powi(self, exponent: i64) -> Self {
        if exponent < 0 {
            return Precise::whole(1).over(self.powi(exponent.saturating_neg()));
        }
        let mut n = exponent.unsigned_abs();
        if n > LARGEST_POWER {
            return Precise(None);
        }
        let mut base = if n.is_multiple_of(2) { self.abs() } else { self };
        let mut result = Precise::whole(1);
        while n > 0 {
            if n % 2 == 1 {
                result = result.times(base.clone());
            }
            n /= 2;
            if n > 0 {
                base = base.clone().times(base);
            }
        }
        result
    }

    /// Square, never negative.
    #[must_use]
    pub fn square(self) -> Self {
        self.powi(2)
    }

    /// Square root; unknown where the number may be negative.
    #[must_use]
    pub fn sqrt(self) -> Self {
        self.inside(Some(0.0), None, false).map(|lo, hi| (root(&lo), root(&hi)))
    }

    /// Exponential.
    #[must_use]
    pub fn exp(self) -> Self {
        self.up_to(LARGEST_EXPONENT).rising(exp, exp)
    }

    /// `e^x − 1`.
    #[must_use]
    pub fn exp_m1(self) -> Self {
        self.up_to(LARGEST_EXPONENT).rising(exp_m1, exp_m1)
    }

    /// Natural logarithm; unknown where the number may not be positive, as for every other logarithm.
    #[must_use]
    pub fn ln(self) -> Self {
        self.inside(Some(0.0), None, true).rising(ln, ln)
    }

    /// Logarithm to base two.
    #[must_use]
    pub fn log2(self) -> Self {
        self.ln().over(Precise::whole(2).ln())
    }

    /// Logarithm to base ten.
    #[must_use]
    pub fn log10(self) -> Self {
        self.ln().over(Precise::whole(10).ln())
    }

    /// `log(1 + x)`.
    #[must_use]
    pub fn ln_1p(self) -> Self {
        self.inside(Some(-1.0), None, true).rising(ln_1p_down, ln_1p_up)
    }

    /// Softplus `log(1 + e^x)`.
    #[must_use]
    pub fn softplus(self) -> Self {
        self.exp().rising(ln_1p_down, ln_1p_up)
    }

    /// Logistic sigmoid `1 / (1 + e^-x)`.
    #[must_use]
    pub fn sigmoid(self) -> Self {
        let one = Precise::whole(1);
        one.clone().over(one.plus(self.negated().exp()))
    }

    /// Hyperbolic tangent.
    #[must_use]
    pub fn tanh(self) -> Self {
        self.up_to(LARGEST_EXPONENT).rising(Low::tanh, High::tanh)
    }

    /// Hyperbolic sine.
    #[must_use]
    pub fn sinh(self) -> Self {
        self.up_to(LARGEST_EXPONENT).rising(Low::sinh, High::sinh)
    }

    /// Hyperbolic cosine.
    #[must_use]
    pub fn cosh(self) -> Self {
        self.up_to(LARGEST_EXPONENT).abs().rising(Low::cosh, High::cosh)
    }

    /// Inverse hyperbolic sine.
    #[must_use]
    pub fn asinh(self) -> Self {
        self.rising(Low::asinh, High::asinh)
    }

    /// Inverse hyperbolic cosine; unknown where the number may lie below one.
    #[must_use]
    pub fn acosh(self) -> Self {
        self.inside(Some(1.0), None, false).rising(Low::acosh, High::acosh)
    }

    /// Inverse hyperbolic tangent; unknown where the number may lie outside (−1, 1).
    #[must_use]
    pub fn atanh(self) -> Self {
        self.inside(Some(-1.0), Some(1.0), true).rising(Low::atanh, High::atanh)
    }

    /// Sine of an angle in radians.
    #[must_use]
    pub fn sin(self) -> Self {
        self.wave(Low::sin, High::sin)
    }

    /// Cosine of an angle in radians.
    #[must_use]
    pub fn cos(self) -> Self {
        self.wave(Low::cos, High::cos)
    }

    /// Tangent of an angle in radians; unknown where a pole may be.
    #[must_use]
    pub fn tan(self) -> Self {
        self.clone().sin().over(self.cos())
    }

    /// Arc tangent.
    #[must_use]
    pub fn atan(self) -> Self {
        self.rising(Low::atan, High::atan)
    }

    /// Arc sine; unknown where the number may lie outside [−1, 1].
    #[must_use]
    pub fn asin(self) -> Self {
        self.inside(Some(-1.0), Some(1.0), false).rising(Low::asin, High::asin)
    }

    /// Arc cosine; unknown where the number may lie outside [−1, 1].
    #[must_use]
    pub fn acos(self) -> Self {
        self.inside(Some(-1.0), Some(1.0), false).map(|lo, hi| (low(hi).acos(), high(lo).acos()))
    }
}

/// The square root in the rounding of its type.
fn root<R: dashu_float::round::ErrorBounds>(x: &FBig<R, 2>) -> FBig<R, 2> {
    if *x == FBig::<R, 2>::ZERO { x.clone() } else { x.sqrt() }
}

/// `log Σ e^x` of one or more numbers; unknown for none.
#[must_use]
pub fn log_sum_exp(terms: Vec<Precise>) -> Precise {
    let Some(largest) = terms.iter().cloned().reduce(Precise::larger) else {
        return Precise::UNKNOWN;
    };
    let shifted = terms.into_iter().map(|x| x.minus(largest.clone()).exp());
    let total = shifted.reduce(Precise::plus).unwrap_or(Precise::UNKNOWN);
    total.ln().plus(largest)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function on intervals of doubles and on intervals of 256 bits.
    type Both = (fn(Interval) -> Interval, fn(Precise) -> Precise);

    #[test]
    fn both_kinds_of_enclosure_hold_one_number() {
        let functions: [Both; 22] = [
            (Interval::exp, Precise::exp),
            (Interval::exp_m1, Precise::exp_m1),
            (Interval::ln, Precise::ln),
            (Interval::ln_1p, Precise::ln_1p),
            (Interval::log2, Precise::log2),
            (Interval::sqrt, Precise::sqrt),
            (Interval::abs, Precise::abs),
            (Interval::square, Precise::square),
            (Interval::sin, Precise::sin),
            (Interval::cos, Precise::cos),
            (Interval::tan, Precise::tan),
            (Interval::asin, Precise::asin),
            (Interval::acos, Precise::acos),
            (Interval::atan, Precise::atan),
            (Interval::sinh, Precise::sinh),
            (Interval::cosh, Precise::cosh),
            (Interval::tanh, Precise::tanh),
            (Interval::asinh, Precise::asinh),
            (Interval::acosh, Precise::acosh),
            (Interval::atanh, Precise::atanh),
            (Interval::sigmoid, Precise::sigmoid),
            (Interval::softplus, Precise::softplus),
        ];
        let mut compared = 0;
        for (number, (wide, narrow)) in functions.into_iter().enumerate() {
            for x in [-30.5, -1.0, -0.75, -1e-9, 0.0, 1e-200, 0.3, 0.999, 1.0, 1.25, 7.0, 300.0] {
                let Some(narrow) = narrow(Precise::double(x)).interval() else {
                    continue;
                };
                let wide = wide(Interval::point(x));
                assert!(wide.intersection(narrow).is_some(), "function {number} at {x}: {wide:?} {narrow:?}");
                assert!(
                    narrow.width() <= 4e-16 * narrow.magnitude() + f64::MIN_POSITIVE,
                    "function {number} at {x}: {narrow:?}"
                );
                compared += 1;
            }
        }
        assert!(compared > 200, "{compared}");
    }

    #[test]
    fn bounds_of_the_logarithm_next_to_one_are_those_of_a_long_computation() {
        for exponent in [-590.0, -601.0, -700.0, -1000.0] {
            let power = Precise::double(exponent).times(Precise::whole(2).ln()).exp();
            for x in [power.clone(), power.clone().negated(), Precise::double(core_math::exp2(exponent))] {
                let (lo, hi) = x.clone().0.expect("known");
                let found = x.ln_1p().0.expect("known");
                assert_eq!(found.1, ln_1p(&hi), "2^{exponent}");
                // The logarithm lies above x - x^2, here without rounding; below, one is as far from it as the other.
                let long = lo.clone().with_precision(3 * BITS + 2048).value();
                assert!(found.0 <= &long - &long * &long, "2^{exponent}");
                let apart = found.0 - ln_1p(&lo);
                let digit = high(lo.clone()) * High::try_from(core_math::exp2(-254.0)).expect("finite");
                let digit = low(digit.clone()).max(low(-digit));
                assert!(apart <= digit && -apart <= digit, "2^{exponent}");
            }
        }
        // No computation of this one ends soon.
        let softplus = Precise::double(-9e5).softplus().0.expect("known");
        let exponential = Precise::double(-9e5).exp().0.expect("known");
        assert!(softplus.0 < exponential.0 && softplus.1 == exponential.1);
    }

    #[test]
    fn a_difference_that_doubles_lose_keeps_its_sign() {
        // sqrt(x² + 1) − x at x = 10^12 is 5·10^-13.
        let x = Precise::whole(1_000_000_000_000);
        let difference = x.clone().square().plus(Precise::whole(1)).sqrt().minus(x);
        let found = difference.interval();
        assert!(found.is_some_and(|d| (d.midpoint() - 5e-13).abs() < 1e-25), "{found:?}");
    }

    #[test]
    fn what_may_not_be_defined_is_unknown() {
        let about_zero = || Precise::within(Interval::new(-1.0, 1.0));
        for unknown in [
            about_zero().ln(),
            about_zero().sqrt(),
            Precise::whole(1).over(about_zero()),
            about_zero().powi(-1),
            Precise::double(2.0).asin(),
            Precise::double(1e7).exp(),
            Precise::double(f64::INFINITY),
            log_sum_exp(Vec::new()),
        ] {
            assert!(unknown.interval().is_none(), "{unknown:?}");
        }
    }
}
