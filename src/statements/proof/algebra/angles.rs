//! Sines and cosines of sums of angles, and of whole multiples of them, in those of the single angles. The square of a cosine is written as one less that
//! of the sine.

use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};

use super::normal::{Fraction, Indeterminate, Indeterminates};
use super::polynomial::{Monomial, Polynomial};
use crate::text::words::Function;

/// The largest multiple of an angle that is taken apart.
const MOST: u32 = 4;

/// A part of a sum of angles.
enum Angle {
    /// So many times what is not negative for positive variables.
    Times(i64, Fraction),
    /// So many right angles.
    Right(i64),
}

impl Indeterminates {
    /// The sine or the cosine of a quotient.
    pub(super) fn wave(&mut self, function: Function, of: Fraction) -> Option<Fraction> {
        let Some(angles) = self.angles(&of) else { return Some(self.single(function, &of)) };
        if let [Angle::Times(1, of)] = &angles[..] {
            return Some(self.single(function, of));
        }
        let (mut cosine, mut sine) = (Fraction::whole(1), Fraction::default());
        for angle in &angles {
            let (times, [c, s]) = match angle {
                Angle::Times(times, of) => {
                    let s = self.single(Function::Sin, of);
                    (*times, [self.single(Function::Cos, of), s])
                }
                Angle::Right(times) => (*times, [Fraction::default(), Fraction::whole(1)]),
            };
            let s = self.product(&s, &Fraction::whole(times.signum()));
            for _ in 0..times.abs() {
                let less = self.product(&self.product(&sine, &s), &Fraction::whole(-1));
                let next = self.sum(&self.product(&cosine, &c), &less);
                sine = self.sum(&self.product(&sine, &c), &self.product(&cosine, &s));
                cosine = next;
            }
        }
        Some(if function == Function::Sin { sine } else { cosine })
    }

    /// The angles of a sum of multiples of variables and of right angles; none if it is none.
    fn angles(&self, of: &Fraction) -> Option<Vec<Angle>> {
        let one = |(m, c): (&Monomial, &BigRational)| {
            let place = (0..m.len()).find(|&place| m.exponent(place) > 0).filter(|_| m.degree() == 1)?;
            if self.all[place] == Indeterminate::Pi {
                let right = c * BigRational::from_integer(2.into());
                return right.is_integer().then(|| right.to_integer().to_i64().map(|k| Angle::Right(k % 4)))?;
            }
            let sign = if c.is_negative() { -1 } else { 1 };
            let (times, each) = match c.numer().abs().to_u32().filter(|&k| k <= MOST) {
                Some(times) => (i64::from(times), BigRational::new(1.into(), c.denom().clone())),
                None => (1, c.abs()),
            };
            let is_variable = matches!(self.all[place], Indeterminate::Variable(_));
            is_variable.then(|| Angle::Times(sign * times, Fraction::of(Polynomial::single(m.clone(), each))))
        };
        let is_sum = of.below.is_empty() && !of.above.is_zero();
        is_sum.then(|| of.above.0.iter().map(one).collect())?
    }

    /// The sine or the cosine of one angle; that of its contrary by this.
    fn single(&mut self, function: Function, of: &Fraction) -> Fraction {
        if of.above.is_zero() {
            return Fraction::whole(i64::from(function == Function::Cos));
        }
        let is_turned = of.above.0.last_key_value().is_some_and(|(_, c)| c.is_negative());
        let of = if is_turned { self.product(of, &Fraction::whole(-1)) } else { of.clone() };
        // The sine comes first, by which the square of the cosine is written.
        let sine = self.place(Indeterminate::Applied(Function::Sin, of.clone()));
        let place = if function == Function::Sin { sine } else { self.place(Indeterminate::Applied(function, of)) };
        let found = Fraction::of(Polynomial::variable(place));
        if is_turned && function == Function::Sin { self.product(&found, &Fraction::whole(-1)) } else { found }
    }

    /// The power of an atom that is a polynomial in earlier ones, and that polynomial.
    pub(super) fn power_in_others(&self, place: usize) -> Option<(u32, Polynomial)> {
        match &self.all[place] {
            Indeterminate::Root(of, order) => Some((*order, of.clone())),
            Indeterminate::Applied(Function::Cos, of) => {
                let sine = Indeterminate::Applied(Function::Sin, of.clone());
                let sine = self.all[..place].iter().position(|atom| *atom == sine)?;
                Some((2, Polynomial::whole(1).minus(&Polynomial::variable(sine).power(2))))
            }
            _ => None,
        }
    }
}
