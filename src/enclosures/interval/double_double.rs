//! Real numbers as the unevaluated sum of two doubles, for the few places where sixteen digits are not enough.
//!
//! The operations are those of Joldes, Muller and Popescu, *Tight and rigorous error bounds for basic building blocks
//! of double-word arithmetic* (ACM TOMS 44, 2017), with relative errors of at most `15 u^2`, `u = 2^-53`, as long as
//! nothing overflows and no product is so small (below `2^-960`) that its rounding error underflows. The elementary
//! functions are Taylor sums after argument reduction: at most forty operations, hence the generous
//! [`DoubleDouble::ERROR`], which tests confirm with room to spare.

use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::LazyLock;

use super::Interval;
use super::rounding::product_error;

/// `hi + lo`, where `hi` is the double nearest to the sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DoubleDouble {
    hi: f64,
    lo: f64,
}

/// `1/k!`.
static INVERSE_FACTORIALS: LazyLock<[DoubleDouble; 32]> = LazyLock::new(|| {
    let mut all = [DoubleDouble::ONE; 32];
    for k in 1..all.len() {
        all[k] = all[k - 1] / DoubleDouble::from(k as f64);
    }
    all
});

const LN_2: DoubleDouble = DoubleDouble { hi: std::f64::consts::LN_2, lo: 2.319_046_813_846_299_6e-17 };

fn two_sum(a: f64, b: f64) -> DoubleDouble {
    let hi = a + b;
    let part = hi - a;
    DoubleDouble { hi, lo: (a - (hi - part)) + (b - part) }
}

/// For `|a| >= |b|`, or `a = 0`.
fn fast_two_sum(a: f64, b: f64) -> DoubleDouble {
    let hi = a + b;
    DoubleDouble { hi, lo: b - (hi - a) }
}

fn two_product(a: f64, b: f64) -> DoubleDouble {
    let hi = a * b;
    DoubleDouble { hi, lo: product_error(a, b, hi) }
}

/// `2^exponent`, for exponents of normal numbers.
pub(crate) fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent.clamp(-1022, 1023)) as u64) << 52)
}

impl DoubleDouble {
    pub(crate) const ZERO: DoubleDouble = DoubleDouble { hi: 0.0, lo: 0.0 };
    pub(crate) const ONE: DoubleDouble = DoubleDouble { hi: 1.0, lo: 0.0 };
    pub(crate) const LN_2: DoubleDouble = LN_2;
    pub(crate) const PI: DoubleDouble = DoubleDouble { hi: std::f64::consts::PI, lo: 1.224_646_799_147_353_2e-16 };
    /// The relative error of every function here is below `ERROR (1 + |x|)` (that of [`DoubleDouble::ln`] and
    /// [`DoubleDouble::sin_cos`] absolute for arguments beyond 1/2), `2^-97`.
    pub(crate) const ERROR: f64 = 6.310_887_241_768_095e-30;

    /// The number nearest to the sum.
    pub(crate) fn hi(self) -> f64 {
        self.hi
    }

    #[cfg(test)]
    fn abs(self) -> Self {
        if self.hi < 0.0 { -self } else { self }
    }

    /// An integer, exactly.
    pub(crate) fn from_integer(n: u64) -> Self {
        let hi = n as f64;
        let rest = n as i128 - hi as i128;
        fast_two_sum(hi, rest as f64)
    }

    /// The product with a power of two.
    pub(crate) fn scaled(self, power: f64) -> Self {
        DoubleDouble { hi: self.hi * power, lo: self.lo * power }
    }

    /// The exponential and the exponential minus one, for `|x| <= 700`; zero and minus one below.
    pub(crate) fn exponentials(self) -> (Self, Self) {
        if self.hi < -700.0 {
            return (Self::ZERO, -Self::ONE);
        }
        let reduced = ReducedExponent::of(self);
        let tail =
            INVERSE_FACTORIALS[1..17].iter().rev().fold(INVERSE_FACTORIALS[17], |sum, c| sum * reduced.rest + *c);
        reduced.exponentials(tail)
    }

    /// The exponentials of one number and sine and cosine of another: the bits of [`DoubleDouble::exponentials`] and
    /// [`DoubleDouble::sin_cos`], sooner. The steps of a series wait for one another, those of the other series need not.
    pub(crate) fn exponentials_and_sin_cos(self, angle: Self) -> ((Self, Self), (Self, Self)) {
        if self.hi < -700.0 {
            return (self.exponentials(), angle.sin_cos());
        }
        let table = &*INVERSE_FACTORIALS;
        let (exponent, angle) = (ReducedExponent::of(self), ReducedAngle::of(angle));
        let mut tail = table[17] * exponent.rest + table[16];
        tail = tail * exponent.rest + table[15];
        let (mut sine, mut cosine) = (table[29], table[28]);
        for k in (0..14).rev() {
            tail = tail * exponent.rest + table[k + 1];
            sine = sine * angle.square + table[2 * k + 1];
            cosine = cosine * angle.square + table[2 * k];
        }
        (exponent.exponentials(tail), angle.turned(sine, cosine))
    }

    pub(crate) fn exp(self) -> Self {
        self.exponentials().0
    }

    /// The natural logarithm of a positive normal number.
    pub(crate) fn ln(self) -> Self {
        // The reciprocal of a larger power of two is no normal number.
        let mut exponent = (((self.hi.to_bits() >> 52) as i32) - 1023).min(1022);
        let mut mantissa = self.scaled(power_of_two(-exponent));
        while mantissa.hi > std::f64::consts::SQRT_2 {
            mantissa = mantissa.scaled(0.5);
            exponent += 1;
        }
        // One step from the logarithm in double precision: log m = y + log(1 + t), |t| < 1e-15.
        let near = DoubleDouble::from(core_math::log(mantissa.hi));
        let t = (mantissa * (-near).exp()) + -1.0;
        let correction = t - (t * t).scaled(0.5) + t * t * t / DoubleDouble::from(3.0);
        near + correction + LN_2 * f64::from(exponent)
    }

    /// Sine and cosine of an angle in radians.
    pub(crate) fn sin_cos(self) -> (Self, Self) {
        let (table, angle) = (&*INVERSE_FACTORIALS, ReducedAngle::of(self));
        let (mut sine, mut cosine) = (table[29], table[28]);
        for k in (0..14).rev() {
            sine = sine * angle.square + table[2 * k + 1];
            cosine = cosine * angle.square + table[2 * k];
        }
        angle.turned(sine, cosine)
    }

    /// The numbers within `radius` of this one.
    pub(crate) fn widened_by(self, radius: f64) -> Interval {
        Interval::point(self.hi) + Interval::point(self.lo) + Interval::new(-radius.abs(), radius.abs())
    }
}

/// An exponent less the nearest multiple of `log 2`, an eighth of it.
struct ReducedExponent {
    steps: f64,
    rest: DoubleDouble,
}

impl ReducedExponent {
    fn of(x: DoubleDouble) -> Self {
        let steps = if x.hi.abs() < 0.35 { 0.0 } else { (x.hi / LN_2.hi).round() };
        // |rest| <= 0.0438, so that the remainder after the power 17 is below 1e-39 of it.
        let rest = (x - LN_2 * steps).scaled(0.125);
        ReducedExponent { steps, rest }
    }

    /// The exponential and the exponential minus one, from that of the rest less one, over the rest.
    fn exponentials(self, tail: DoubleDouble) -> (DoubleDouble, DoubleDouble) {
        let mut minus_one = tail * self.rest;
        for _ in 0..3 {
            minus_one = minus_one * (minus_one + 2.0);
        }
        if self.steps == 0.0 {
            return (minus_one + 1.0, minus_one);
        }
        let value = (minus_one + 1.0).scaled(power_of_two(self.steps as i32));
        (value, value + -1.0)
    }
}

/// An angle less the nearest multiple of a quarter turn.
struct ReducedAngle {
    quarters: f64,
    rest: DoubleDouble,
    /// Minus the square of the rest.
    square: DoubleDouble,
}

impl ReducedAngle {
    fn of(angle: DoubleDouble) -> Self {
        let quarters = (angle.hi * std::f64::consts::FRAC_2_PI).round();
        // |rest| <= 0.786: the first power left out of the series, 30, is below 3e-36.
        let rest = angle - DoubleDouble::PI.scaled(0.5) * quarters;
        ReducedAngle { quarters, rest, square: -(rest * rest) }
    }

    /// Sine and cosine, from those of the rest, the sine over it.
    fn turned(self, sine: DoubleDouble, cosine: DoubleDouble) -> (DoubleDouble, DoubleDouble) {
        let sine = sine * self.rest;
        match self.quarters.rem_euclid(4.0) as u8 {
            0 => (sine, cosine),
            1 => (cosine, -sine),
            2 => (-sine, -cosine),
            _ => (-cosine, sine),
        }
    }
}

impl From<f64> for DoubleDouble {
    fn from(hi: f64) -> Self {
        DoubleDouble { hi, lo: 0.0 }
    }
}

impl Neg for DoubleDouble {
    type Output = Self;
    fn neg(self) -> Self {
        DoubleDouble { hi: -self.hi, lo: -self.lo }
    }
}

impl Add for DoubleDouble {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (s, t) = (two_sum(self.hi, other.hi), two_sum(self.lo, other.lo));
        let v = fast_two_sum(s.hi, s.lo + t.hi);
        fast_two_sum(v.hi, t.lo + v.lo)
    }
}

impl Add<f64> for DoubleDouble {
    type Output = Self;
    fn add(self, other: f64) -> Self {
        let s = two_sum(self.hi, other);
        fast_two_sum(s.hi, self.lo + s.lo)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let c = two_product(self.hi, other.hi);
        fast_two_sum(c.hi, c.lo + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Mul<f64> for DoubleDouble {
    type Output = Self;
    fn mul(self, other: f64) -> Self {
        let c = two_product(self.hi, other);
        fast_two_sum(c.hi, c.lo + self.lo * other)
    }
}

impl Div for DoubleDouble {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let near = self.hi / other.hi;
        let back = other * near;
        let rest = (self.hi - back.hi) + (self.lo - back.lo);
        fast_two_sum(near, rest / other.hi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_float::FBig;
    use dashu_float::round::mode::HalfEven;

    type Big = FBig<HalfEven, 2>;

    fn big(x: DoubleDouble) -> Big {
        let part = |p: f64| Big::try_from(p).expect("finite").with_precision(400).value();
        part(x.hi) + part(x.lo)
    }

    /// The error relative to `scale`, in units of the stated bound.
    fn error(x: DoubleDouble, truth: &Big, scale: f64) -> f64 {
        let difference = (big(x) - truth).to_f64().value().abs();
        difference / (scale * DoubleDouble::ERROR)
    }

    fn arguments(limit: f64) -> impl Iterator<Item = DoubleDouble> {
        let smallest = limit * 1e-12;
        (0..400).flat_map(move |i| {
            let size = smallest * core_math::exp(f64::from(i) * core_math::log(limit / smallest) / 400.0);
            // A second word that is anything.
            [size, -size].map(|x| two_sum(x, x * f64::EPSILON * 0.37 * core_math::sin(f64::from(i))))
        })
    }

    #[test]
    fn the_functions_keep_their_error_bound() {
        for x in arguments(690.0) {
            let (value, minus_one) = x.exponentials();
            let truth = big(x).exp();
            assert!(error(value, &truth, value.hi.abs() * (1.0 + x.hi.abs())) < 0.5, "{x:?}");
            let truth = big(x).exp_m1();
            let scale = minus_one.hi.abs() * (1.0 + x.hi.abs());
            assert!(error(minus_one, &truth, scale) < 0.5, "{x:?}");
            if x.hi > 0.0 {
                let truth = big(x).ln();
                assert!(error(x.ln(), &truth, 1.0 + truth.to_f64().value().abs()) < 0.5, "{x:?}");
            }
        }
    }

    #[test]
    fn functions_computed_together_are_the_bits_of_each_by_itself() {
        let exponents: Vec<DoubleDouble> = arguments(720.0).filter(|x| x.hi < 700.0).collect();
        for (i, &x) in exponents.iter().enumerate() {
            for &angle in exponents.iter().skip(i % 41).step_by(41) {
                let (both, turned) = x.exponentials_and_sin_cos(angle);
                assert_eq!((both, turned), (x.exponentials(), angle.sin_cos()), "{x:?} {angle:?}");
            }
        }
    }

    #[test]
    fn sine_and_cosine_by_addition_theorems() {
        let (mut sine, mut cosine) = (DoubleDouble::from(0.1).sin_cos().0, DoubleDouble::from(0.1).sin_cos().1);
        // sin 0.1 by its series in the reference arithmetic.
        let x = big(DoubleDouble::from(0.1));
        let (mut term, mut truth) = (x.clone(), x.clone());
        for k in 1..30 {
            term = -(term * &x * &x) / Big::from((2 * k) * (2 * k + 1)).with_precision(400).value();
            truth += &term;
        }
        assert!(error(sine, &truth, 0.1) < 0.5);
        for doubled in 1..24 {
            (sine, cosine) = ((sine * cosine).scaled(2.0), cosine * cosine - sine * sine);
            let (s, c) = DoubleDouble::from(0.1 * power_of_two(doubled)).sin_cos();
            let allowed = power_of_two(doubled) * DoubleDouble::ERROR;
            assert!((s - sine).abs().hi < allowed && (c - cosine).abs().hi < allowed, "{doubled}");
        }
        for x in arguments(1e6) {
            let (s, c) = x.sin_cos();
            assert!((s * s + c * c + -1.0).abs().hi < DoubleDouble::ERROR, "{x:?}");
            let (half, other) = x.scaled(0.5).sin_cos();
            let allowed = DoubleDouble::ERROR * s.hi.abs().max(x.hi.abs());
            assert!((s - (half * other).scaled(2.0)).abs().hi < allowed, "{x:?}");
        }
    }

    #[test]
    fn arithmetic_against_the_reference() {
        for (x, y) in arguments(3.0).zip(arguments(700.0).skip(5)) {
            let scale = |z: DoubleDouble| z.hi.abs() / 50.0;
            for (z, truth) in [
                (x * y, big(x) * big(y)),
                (x / y, big(x) / big(y)),
                (x + y, big(x) + big(y)),
                (x - y, big(x) - big(y)),
                (x * y.hi, big(x) * big(y.hi.into())),
            ] {
                assert!(error(z, &truth, scale(z)) < 1.0, "{x:?} {y:?}");
            }
        }
        assert_eq!(DoubleDouble::from_integer(u64::MAX).lo, -1.0);
        assert!((DoubleDouble::PI * 2.0).widened_by(0.0).width() < 1e-15);
    }
}
