//! Quotients of polynomials, multiplied out, as numbers that formulas are evaluated in.

use super::allowance;
use super::normal::{Fraction, Indeterminates};
use super::numbers::rational_of;
use super::polynomial::Polynomial;
use crate::numbers::number::{Grid, NamedConstant, Number, Undefined};
use crate::text::syntax::Literal;
use crate::text::words::Function;

/// What the formulas have to consist of.
pub(crate) const NOT_POLYNOMIAL: Undefined = Undefined::Unsupported("a function that is no quotient of polynomials");

/// Larger powers are not multiplied out.
const LARGEST_POWER: i64 = 4_096;

/// A quotient of polynomials in the variables of a statement. What is computed beyond the allowance of work is not one.
#[derive(Clone, Debug)]
pub(crate) struct Expanded(Fraction);

impl Expanded {
    pub(crate) fn variable(place: usize) -> Self {
        Expanded(Fraction::of(Polynomial::variable(place)))
    }
}

impl Number for Expanded {
    fn whole(x: i64) -> Self {
        Expanded(Fraction::whole(x))
    }

    fn double(x: f64) -> Self {
        // Only whole numbers reach this.
        Self::whole(x as i64)
    }

    fn literal(literal: Literal) -> Self {
        // A formula with a number that is only near the one that was written is not multiplied out.
        rational_of(literal).map_or_else(|| Self::whole(0), |x| Expanded(Fraction::of(Polynomial::number(x))))
    }

    fn constant(_: NamedConstant) -> Self {
        // As for a literal that is near.
        Self::whole(0)
    }

    fn is_zero(&self) -> bool {
        self.0.above.is_zero()
    }

    fn plus(self, other: Self) -> Self {
        let (Fraction { above: a, below: b }, Fraction { above: c, below: d }) = (self.0, other.0);
        allowance::spend(a.len().min(c.len()) as u64 / 4);
        // Most sums, without copies and without trying to cancel.
        if b == d {
            let (longer, shorter) = if a.len() < c.len() { (c, a) } else { (a, c) };
            let above = longer.plus(&shorter);
            let below = if above.is_zero() { Default::default() } else { b };
            return Expanded(Fraction { above, below });
        }
        allowance::spend((a.len() + c.len()) as u64 / 4);
        Expanded(Indeterminates::default().sum(&Fraction { above: a, below: b }, &Fraction { above: c, below: d }))
    }

    fn minus(self, other: Self) -> Self {
        self.plus(other.negated())
    }

    fn times(self, other: Self) -> Self {
        Expanded(Indeterminates::default().product(&self.0, &other.0))
    }

    fn over(self, other: Self) -> Result<Self, Undefined> {
        let inverse = Indeterminates::default().inverse(&other.0).ok_or(Undefined::Nowhere("a quotient by zero"))?;
        Ok(self.times(Expanded(inverse)))
    }

    fn negated(self) -> Self {
        Expanded(Fraction { above: self.0.above.negated(), below: self.0.below })
    }

    fn whole_power(self, exponent: i64) -> Result<Self, Undefined> {
        if exponent < 0 {
            return Self::whole(1).over(self.whole_power(exponent.saturating_neg())?);
        }
        if exponent > LARGEST_POWER {
            return Err(Undefined::Unsupported("a power of this size"));
        }
        Ok((0..exponent).fold(Self::whole(1), |power, _| power.times(self.clone())))
    }

    fn real_power(self, _: Self) -> Result<Self, Undefined> {
        Err(NOT_POLYNOMIAL)
    }

    fn apply(self, _: Function) -> Result<Self, Undefined> {
        Err(NOT_POLYNOMIAL)
    }

    fn larger(self, _: Self) -> Self {
        // A formula with an extremum is not multiplied out.
        self
    }

    fn times_its_logarithm(self) -> Result<Self, Undefined> {
        Err(NOT_POLYNOMIAL)
    }

    fn log_sum_exp(terms: Vec<Self>) -> Self {
        // As for `larger`.
        terms.into_iter().reduce(Number::plus).unwrap_or_else(|| Self::whole(0))
    }

    fn eigenvalues(_: &Grid<Self>) -> Result<Vec<Self>, Undefined> {
        Err(NOT_POLYNOMIAL)
    }

    fn operator_norm(_: &Grid<Self>) -> Result<Self, Undefined> {
        Err(NOT_POLYNOMIAL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tenth(exponent: i32) -> Expanded {
        Expanded::literal(Literal::Decimal { digits: 1, exponent })
    }

    #[test]
    fn sums_of_quotients_are_told_from_others() {
        let [x, y] = [0, 1].map(Expanded::variable);
        let one = || Expanded::whole(1);
        let over = |above: Expanded, below: Expanded| above.over(below).unwrap();
        // 1/(x − y) + 1/(x + y) = 2x/(x² − y²)
        let left = over(one(), x.clone().minus(y.clone())).plus(over(one(), x.clone().plus(y.clone())));
        let square = |v: &Expanded| v.clone().whole_power(2).unwrap();
        let right = |two: Expanded| over(two.times(x.clone()), square(&x).minus(square(&y)));
        assert!(left.clone().minus(right(Expanded::whole(2))).is_zero());
        assert!(!left.minus(right(Expanded::whole(2).plus(tenth(-30)))).is_zero());
        assert!(x.clone().whole_power(-2).unwrap().times(square(&x)).minus(one()).is_zero());
        assert!(one().over(y.clone().minus(y)).is_err());
    }

    #[test]
    fn what_takes_too_much_work_is_given_up() {
        let sum = (0..6).map(Expanded::variable).reduce(Number::plus).unwrap();
        let power = |work| allowance::within(work, || sum.clone().whole_power(8).ok());
        // Σ_k C(k + 5, 5)·6 products of two terms for k = 0, …, 7.
        assert!(power(11_000).is_some());
        assert!(power(9_000).is_none());
    }
}
