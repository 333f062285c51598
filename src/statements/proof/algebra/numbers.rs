//! Rational numbers as numbers of the kinds that formulas are evaluated in.

use enclosures::interval::Interval;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::numbers::number::{Number, Real};
use crate::text::syntax::Literal;

/// The number that was written, unless only the nearest double of it is kept.
pub(super) fn rational_of(literal: Literal) -> Option<BigRational> {
    let Literal::Decimal { digits, exponent } = literal else { return None };
    let power = num_traits::pow(BigInt::from(10), exponent.unsigned_abs() as usize);
    let digits = BigInt::from(digits);
    Some(if exponent < 0 { BigRational::new(digits, power) } else { (digits * power).into() })
}

/// The number itself, or what lies around it.
pub(crate) fn number_of<N: Number + Real>(x: &BigRational) -> N {
    match (x.numer().to_i64(), x.denom().to_i64()) {
        (Some(above), Some(1)) => N::whole(above),
        (Some(above), Some(below)) => N::whole(above).over(N::whole(below)).unwrap_or_else(|_| N::whole(0)),
        _ => N::within(enclosed(x)),
    }
}

/// Contains the number.
pub(crate) fn enclosed(x: &BigRational) -> Interval {
    match (x.numer().to_i64(), x.denom().to_i64()) {
        (Some(above), Some(below)) => {
            crate::numbers::number::whole_interval(above) / crate::numbers::number::whole_interval(below)
        }
        _ => {
            // `to_f64` of a quotient is within a unit in the last place.
            let near = x.to_f64().unwrap_or(f64::NAN);
            Interval::new(near.next_down().next_down(), near.next_up().next_up())
        }
    }
}
