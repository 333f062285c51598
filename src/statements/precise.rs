//! Enclosures with ends of 256 bits, for what doubles cannot decide. Every operation of dashu-float is rounded in the direction that its
//! type names, so an end computed in the type of its side is a bound.

use dashu_float::FBig;
use dashu_float::round::mode::{Down, Up};
use enclosures::interval::Interval;

use crate::number::{Constant, Grid, Number, Undefined};
use crate::syntax::Literal;
use crate::words::Function;

type Low = FBig<Down, 2>;
type High = FBig<Up, 2>;

/// Bits of every number.
const BITS: usize = 256;

/// Beyond this size an exponential has more digits in front of its point than are kept.
const LARGEST_EXPONENT: f64 = 1e6;
/// Beyond this size an angle has lost its digits.
const LARGEST_ANGLE: f64 = 1e12;

/// A number between two others; none where nothing is known, or where it may not be defined.
#[derive(Clone, Debug)]
pub(crate) struct Precise(Option<(Low, High)>);

fn low(x: High) -> Low {
    x.with_rounding()
}

fn high(x: Low) -> High {
    x.with_rounding()
}

fn lows(x: f64) -> Option<Low> {
    Some(Low::try_from(x).ok()?.with_precision(BITS).value())
}

fn highs(x: f64) -> Option<High> {
    lows(x).map(high)
}

const TOO_LARGE: Undefined = Undefined::Unsupported("a number of this size");

impl Precise {
    /// An exact result, a logarithm of one say, comes without a precision, and then cannot be computed with.
    fn between(lo: Low, hi: High) -> Self {
        let lo = if lo.precision() == 0 {
            lo.with_precision(BITS).value()
        } else {
            lo
        };
        let hi = if hi.precision() == 0 {
            hi.with_precision(BITS).value()
        } else {
            hi
        };
        Precise(Some((lo, hi)))
    }

    fn exactly(x: Low) -> Self {
        Precise::between(x.clone(), high(x))
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
    pub(crate) fn interval(&self) -> Option<Interval> {
        let (lo, hi) = self.0.as_ref()?;
        Some(Interval::new(lo.to_f64().value(), hi.to_f64().value()))
    }

    /// Whether it is known to be positive (or zero, if that is allowed), to be negative (or zero, if positive must be), or neither.
    pub(crate) fn sign(&self, strict: bool) -> Option<bool> {
        let (lo, hi) = self.0.as_ref()?;
        if *lo > Low::ZERO || !strict && *lo >= Low::ZERO {
            Some(true)
        } else if *hi < High::ZERO || strict && *hi <= High::ZERO {
            Some(false)
        } else {
            None
        }
    }

    /// A non-decreasing function, bounded at its ends.
    fn rising(self, at_low: impl Fn(&Low) -> Low, at_high: impl Fn(&High) -> High) -> Self {
        self.map(|lo, hi| (at_low(&lo), at_high(&hi)))
    }

    /// Whether all of it lies within a size; unknown numbers do.
    fn within(&self, size: f64) -> bool {
        self.interval().is_none_or(|x| x.magnitude() <= size)
    }

    fn exp(self) -> Result<Self, Undefined> {
        if self.within(LARGEST_EXPONENT) {
            Ok(self.rising(Low::exp, High::exp))
        } else {
            Err(TOO_LARGE)
        }
    }

    /// What lies in a range for certain; unknown otherwise.
    fn inside(self, least: Option<f64>, greatest: Option<f64>, open: bool) -> Self {
        let fits = self.0.as_ref().is_some_and(|(lo, hi)| {
            let above = least
                .and_then(lows)
                .is_none_or(|l| if open { *lo > l } else { *lo >= l });
            let below = greatest
                .and_then(highs)
                .is_none_or(|g| if open { *hi < g } else { *hi <= g });
            above && below
        });
        if fits { self } else { Precise(None) }
    }

    /// Sine or cosine: its value at one end, and no farther from it than the width.
    fn wave(self, down: impl Fn(&Low) -> Low, up: impl Fn(&High) -> High) -> Result<Self, Undefined> {
        if !self.within(LARGEST_ANGLE) {
            return Err(TOO_LARGE);
        }
        Ok(self.map(|lo, hi| {
            let width = hi - high(lo.clone());
            let (least, greatest) = (down(&lo) - low(width.clone()), up(&high(lo)) + width);
            (least.max(-Low::ONE), greatest.min(High::ONE))
        }))
    }

    fn abs(self) -> Self {
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
}

impl Number for Precise {
    fn whole(x: i64) -> Self {
        Precise::exactly(Low::from(x).with_precision(BITS).value())
    }

    fn double(x: f64) -> Self {
        lows(x).map_or(Precise(None), Precise::exactly)
    }

    fn literal(literal: Literal) -> Self {
        match literal {
            Literal::Decimal { digits, exponent } => {
                let digits = Precise::exactly(Low::from(digits).with_precision(BITS).value());
                let ten = Precise::whole(10).whole_power(i64::from(exponent.abs()));
                let shifted = ten.and_then(|ten| {
                    if exponent < 0 {
                        digits.over(ten)
                    } else {
                        Ok(digits.times(ten))
                    }
                });
                shifted.unwrap_or(Precise(None))
            }
            Literal::Near(x) => match (lows(x.next_down()), highs(x.next_up())) {
                (Some(lo), Some(hi)) => Precise::between(lo, hi),
                _ => Precise(None),
            },
        }
    }

    fn constant(constant: Constant) -> Self {
        match constant {
            Constant::Pi => Precise::between(Low::pi(BITS), High::pi(BITS)),
            Constant::E => Precise::whole(1).rising(Low::exp, High::exp),
        }
    }

    fn is_zero(&self) -> bool {
        self.0
            .as_ref()
            .is_some_and(|(lo, hi)| *lo == Low::ZERO && *hi == High::ZERO)
    }

    fn plus(self, other: Self) -> Self {
        match (self.0, other.0) {
            (Some((a, b)), Some((c, d))) => Precise::between(a + c, b + d),
            _ => Precise(None),
        }
    }

    fn minus(self, other: Self) -> Self {
        self.plus(other.negated())
    }

    fn times(self, other: Self) -> Self {
        let (Some((a, b)), Some((c, d))) = (self.0, other.0) else {
            return Precise(None);
        };
        let (down_b, down_d) = (low(b.clone()), low(d.clone()));
        let (up_a, up_c) = (high(a.clone()), high(c.clone()));
        let least = (&a * &c).min(&a * &down_d).min(&down_b * &c).min(&down_b * &down_d);
        let greatest = (&up_a * &up_c).max(&up_a * &d).max(&b * &up_c).max(&b * &d);
        Precise::between(least, greatest)
    }

    fn over(self, other: Self) -> Result<Self, Undefined> {
        if other.is_zero() {
            return Err(Undefined::Nowhere("a quotient by zero"));
        }
        let (Some((a, b)), Some((c, d))) = (self.0, other.0) else {
            return Ok(Precise(None));
        };
        if c <= Low::ZERO && d >= High::ZERO {
            return Ok(Precise(None));
        }
        let (down_b, down_d) = (low(b.clone()), low(d.clone()));
        let (up_a, up_c) = (high(a.clone()), high(c.clone()));
        let least = (&a / &c).min(&a / &down_d).min(&down_b / &c).min(&down_b / &down_d);
        let greatest = (&up_a / &up_c).max(&up_a / &d).max(&b / &up_c).max(&b / &d);
        Ok(Precise::between(least, greatest))
    }

    fn negated(self) -> Self {
        self.map(|lo, hi| (low(-hi), high(-lo)))
    }

    fn whole_power(self, exponent: i64) -> Result<Self, Undefined> {
        if exponent < 0 {
            return Precise::whole(1).over(self.whole_power(exponent.saturating_neg())?);
        }
        if exponent > 1 << 20 {
            return Err(TOO_LARGE);
        }
        let (mut base, mut n, mut result) = (self, exponent, Precise::whole(1));
        if n % 2 == 0 {
            base = base.abs();
        }
        while n > 0 {
            if n % 2 == 1 {
                result = result.times(base.clone());
            }
            base = base.clone().times(base);
            n /= 2;
        }
        Ok(result)
    }

    fn real_power(self, exponent: Self) -> Result<Self, Undefined> {
        let negative = Undefined::Nowhere("a power of a negative number whose exponent is not whole");
        if self.is_zero() {
            return if exponent.sign(true) == Some(true) {
                Ok(self)
            } else {
                Err(negative)
            };
        }
        if self.sign(true) == Some(false) {
            return Err(negative);
        }
        exponent.times(self.apply(Function::Log)?).exp()
    }

    fn apply(self, function: Function) -> Result<Self, Undefined> {
        let arc = |x: &Self, size: f64| {
            let outside = x.interval().is_some_and(|x| x.lo() > size || x.hi() < -size);
            if outside {
                Err(Undefined::Nowhere("an inverse function outside its domain"))
            } else {
                Ok(())
            }
        };
        let logarithm = Undefined::Nowhere("a logarithm of a number that is not positive");
        let one = Precise::whole(1);
        Ok(match function {
            Function::Exp => self.exp()?,
            Function::ExpM1 if !self.within(LARGEST_EXPONENT) => return Err(TOO_LARGE),
            Function::ExpM1 => self.rising(Low::exp_m1, High::exp_m1),
            Function::Log if self.sign(true) == Some(false) => return Err(logarithm),
            Function::Log => self.inside(Some(0.0), None, true).rising(Low::ln, High::ln),
            Function::Log1p if one.clone().plus(self.clone()).sign(true) == Some(false) => return Err(logarithm),
            Function::Log1p => self.inside(Some(-1.0), None, true).rising(Low::ln_1p, High::ln_1p),
            Function::Log2 => self
                .apply(Function::Log)?
                .over(Precise::whole(2).apply(Function::Log)?)?,
            Function::Log10 => self
                .apply(Function::Log)?
                .over(Precise::whole(10).apply(Function::Log)?)?,
            Function::Sqrt if self.sign(false) == Some(false) => {
                return Err(Undefined::Nowhere("a root of a negative number"));
            }
            Function::Sqrt => self.inside(Some(0.0), None, false).rising(root, root),
            Function::Abs => self.abs(),
            Function::Sin => self.wave(Low::sin, High::sin)?,
            Function::Cos => self.wave(Low::cos, High::cos)?,
            Function::Tan => self
                .clone()
                .wave(Low::sin, High::sin)?
                .over(self.wave(Low::cos, High::cos)?)?,
            Function::Asin => {
                arc(&self, 1.0)?;
                self.inside(Some(-1.0), Some(1.0), false).rising(Low::asin, High::asin)
            }
            Function::Acos => {
                arc(&self, 1.0)?;
                let x = self.inside(Some(-1.0), Some(1.0), false);
                x.map(|lo, hi| (low(hi).acos(), high(lo).acos()))
            }
            Function::Atan => self.rising(Low::atan, High::atan),
            Function::Sinh | Function::Cosh if !self.within(LARGEST_EXPONENT) => return Err(TOO_LARGE),
            Function::Sinh => self.rising(Low::sinh, High::sinh),
            Function::Cosh => self.abs().rising(Low::cosh, High::cosh),
            Function::Tanh if !self.within(LARGEST_EXPONENT) => return Err(TOO_LARGE),
            Function::Tanh => self.rising(Low::tanh, High::tanh),
            Function::Asinh => self.rising(Low::asinh, High::asinh),
            Function::Acosh if self.clone().minus(one.clone()).sign(false) == Some(false) => {
                return Err(Undefined::Nowhere("an inverse function outside its domain"));
            }
            Function::Acosh => self.inside(Some(1.0), None, false).rising(Low::acosh, High::acosh),
            Function::Atanh => {
                let (below, above) = (one.clone().plus(self.clone()), one.minus(self.clone()));
                if below.sign(true) == Some(false) || above.sign(true) == Some(false) {
                    return Err(Undefined::Nowhere("an inverse function outside its domain"));
                }
                self.inside(Some(-1.0), Some(1.0), true).rising(Low::atanh, High::atanh)
            }
            Function::Sigmoid => one.clone().over(one.plus(self.negated().exp()?))?,
            Function::Softplus => self.exp()?.rising(Low::ln_1p, High::ln_1p),
            Function::Relu => self.larger(Precise::whole(0)),
        })
    }

    fn larger(self, other: Self) -> Self {
        match (self.0, other.0) {
            (Some((a, b)), Some((c, d))) => Precise::between(a.max(c), b.max(d)),
            _ => Precise(None),
        }
    }

    fn times_its_logarithm(self) -> Result<Self, Undefined> {
        if self.is_zero() {
            Ok(self)
        } else {
            Ok(self.clone().times(self.apply(Function::Log)?))
        }
    }

    fn log_sum_exp(terms: Vec<Self>) -> Self {
        let Some(largest) = terms.iter().cloned().reduce(Number::larger) else {
            return Precise(None);
        };
        let shifted = terms.into_iter().map(|x| x.minus(largest.clone()).exp());
        let total = shifted
            .collect::<Result<Vec<_>, _>>()
            .ok()
            .and_then(|t| t.into_iter().reduce(Number::plus));
        let logarithm = total.and_then(|t| t.apply(Function::Log).ok());
        logarithm.map_or(Precise(None), |l| l.plus(largest))
    }

    fn eigenvalues(_: &Grid<Self>) -> Result<Vec<Self>, Undefined> {
        Err(Undefined::Unsupported("eigenvalues to 256 bits"))
    }

    fn operator_norm(_: &Grid<Self>) -> Result<Self, Undefined> {
        Err(Undefined::Unsupported("singular values to 256 bits"))
    }
}

/// The square root in the rounding of its type.
fn root<R: dashu_float::round::ErrorBounds>(x: &FBig<R, 2>) -> FBig<R, 2> {
    if *x == FBig::<R, 2>::ZERO { x.clone() } else { x.sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Enclosed;

    #[test]
    fn both_kinds_of_enclosure_hold_one_number() {
        let functions = [
            Function::Exp,
            Function::ExpM1,
            Function::Log,
            Function::Log1p,
            Function::Log2,
            Function::Log10,
            Function::Sqrt,
            Function::Abs,
            Function::Sin,
            Function::Cos,
            Function::Tan,
            Function::Asin,
            Function::Acos,
            Function::Atan,
            Function::Sinh,
            Function::Cosh,
            Function::Tanh,
            Function::Asinh,
            Function::Acosh,
            Function::Atanh,
            Function::Sigmoid,
            Function::Softplus,
            Function::Relu,
        ];
        let mut compared = 0;
        for function in functions {
            for x in [
                -30.5, -1.0, -0.75, -1e-9, 0.0, 1e-200, 0.3, 0.999, 1.0, 1.25, 7.0, 300.0,
            ] {
                let (wide, narrow) = (Enclosed::double(x).apply(function), Precise::double(x).apply(function));
                let (Ok(wide), Ok(narrow)) = (&wide, &narrow) else {
                    assert_eq!(wide.is_err(), narrow.is_err(), "{function:?} at {x}");
                    continue;
                };
                let Some(narrow) = narrow.interval() else { continue };
                assert!(
                    wide.value.intersection(narrow).is_some(),
                    "{function:?} at {x}: {:?} {narrow:?}",
                    wide.value
                );
                assert!(
                    narrow.width() <= 4e-16 * narrow.magnitude(),
                    "{function:?} at {x}: {narrow:?}"
                );
                compared += 1;
            }
        }
        assert!(compared > 200, "{compared}");
    }

    #[test]
    fn a_difference_that_doubles_lose_keeps_its_sign() {
        // sqrt(x² + 1) − x at x = 10^12 is 5·10^-13.
        let x = Precise::whole(1_000_000_000_000);
        let root = x
            .clone()
            .whole_power(2)
            .map(|s| s.plus(Precise::whole(1)))
            .and_then(|s| s.apply(Function::Sqrt));
        let difference = root.map(|r| r.minus(x));
        let found = difference.ok().and_then(|d| d.interval());
        assert!(found.is_some_and(|d| (d.midpoint() - 5e-13).abs() < 1e-25), "{found:?}");
    }
}
