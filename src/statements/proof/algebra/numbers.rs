//! Rational numbers as numbers of the kinds that formulas are evaluated in.

use enclosures::interval::Interval;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::numbers::number::{Number, Real};

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
