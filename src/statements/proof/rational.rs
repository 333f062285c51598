//! Rational numbers: in two machine words as long as they fit, which on grids of small whole numbers is nearly always, in as many as it takes
//! otherwise.

use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

/// In lowest terms, the denominator positive; long only where the short form has no room.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rational(Form);

#[derive(Clone, Debug, PartialEq)]
enum Form {
    Short { above: i64, below: i64 },
    Long(Box<BigRational>),
}

impl Rational {
    pub(super) const ZERO: Rational = Rational(Form::Short { above: 0, below: 1 });

    /// The quotient; the denominator is positive.
    fn reduced(above: i128, below: i128) -> Self {
        let common = common_divisor(above.unsigned_abs(), below.unsigned_abs()) as i128;
        let (above, below) = (above / common, below / common);
        match (i64::try_from(above), i64::try_from(below)) {
            (Ok(above), Ok(below)) => Rational(Form::Short { above, below }),
            _ => Rational(Form::Long(Box::new(BigRational::new_raw(above.into(), below.into())))),
        }
    }

    fn long(&self) -> BigRational {
        match &self.0 {
            Form::Short { above, below } => BigRational::new_raw((*above).into(), (*below).into()),
            Form::Long(x) => (**x).clone(),
        }
    }

    fn shortened(x: BigRational) -> Self {
        match (x.numer().to_i64(), x.denom().to_i64()) {
            (Some(above), Some(below)) => Rational(Form::Short { above, below }),
            _ => Rational(Form::Long(Box::new(x))),
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// One over it, unless it is zero.
    pub(super) fn inverse(self) -> Option<Self> {
        match self.0 {
            Form::Short { above: 0, .. } => None,
            Form::Short { above, below } => {
                let (above, below) = (i128::from(above), i128::from(below));
                Some(Self::reduced(below * above.signum(), above.abs()))
            }
            Form::Long(x) if x.is_zero() => None,
            Form::Long(x) => Some(Self::shortened(BigRational::one() / *x)),
        }
    }
}

/// Euclid's algorithm, in single words once both fit; of zero and a number the number.
fn common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b > u128::from(u64::MAX) || a > u128::from(u64::MAX) {
        if b == 0 {
            return a;
        }
        (a, b) = (b, a % b);
    }
    let (mut a, mut b) = (a as u64, b as u64);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a.into()
}

impl From<i64> for Rational {
    fn from(above: i64) -> Self {
        Rational(Form::Short { above, below: 1 })
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.long().fmt(f)
    }
}

impl Add for Rational {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        if let (Form::Short { above: a, below: b }, Form::Short { above: c, below: d }) = (&self.0, &other.0) {
            let [a, b, c, d] = [*a, *b, *c, *d].map(i128::from);
            // Two products of at most 2^126 each.
            return Self::reduced(a * d + c * b, b * d);
        }
        Self::shortened(self.long() + other.long())
    }
}

impl Neg for Rational {
    type Output = Self;
    fn neg(self) -> Self {
        match self.0 {
            Form::Short { above, below } if above > i64::MIN => Rational(Form::Short { above: -above, below }),
            _ => Self::shortened(-self.long()),
        }
    }
}

impl Sub for Rational {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Rational {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        if let (Form::Short { above: a, below: b }, Form::Short { above: c, below: d }) = (&self.0, &other.0) {
            let [a, b, c, d] = [*a, *b, *c, *d].map(i128::from);
            return Self::reduced(a * c, b * d);
        }
        Self::shortened(self.long() * other.long())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enclosures::stream::stream;
    use rand_core::Rng;

    fn big(above: i64, below: i64) -> BigRational {
        BigRational::new(above.into(), below.into())
    }

    /// Around every size at which something has no room any more, and around zero.
    fn drawn() -> Vec<i64> {
        let mut stream = stream(1, &["rationals"]);
        let mut all = vec![0, 1, -1, 2, 6, i64::MAX, i64::MIN + 1, 1 << 32, -(1 << 31), 3 << 40];
        all.extend((0..14).map(|i| stream.next_u64() as i64 >> (4 * i + 1)));
        all
    }

    #[test]
    fn sums_products_and_inverses_are_those_of_long_arithmetic() {
        let numbers = drawn();
        let of = |a: i64, b: i64| (Rational::from(a) * Rational::from(b).inverse().unwrap(), big(a, b));
        let mut seen = [0; 2];
        let mut same = |found: Rational, expected: BigRational| {
            assert_eq!(found.long(), expected);
            // One number has one form, so that equality of forms is that of numbers.
            assert_eq!(found, Rational::shortened(expected));
            seen[usize::from(matches!(found.0, Form::Long(_)))] += 1;
        };
        for (i, &a) in numbers.iter().enumerate() {
            for &b in numbers.iter().filter(|&&b| b != 0) {
                let (x, long_x) = of(a, b);
                for (&c, &d) in numbers.iter().zip(numbers.iter().cycle().skip(i)).filter(|(_, d)| **d != 0) {
                    let (y, long_y) = of(c, d);
                    same(x.clone() + y.clone(), &long_x + &long_y);
                    same(x.clone() - y.clone(), &long_x - &long_y);
                    let product = x.clone() * y.clone();
                    same(product.clone() * y, &long_x * &long_y * &long_y);
                    match product.clone().inverse() {
                        None => assert!(product.is_zero()),
                        Some(inverse) => same(inverse, BigRational::one() / (&long_x * &long_y)),
                    }
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
        assert_eq!(Rational::ZERO.inverse(), None);
    }
}
