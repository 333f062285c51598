//! Polynomials in many variables with rational coefficients.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::allowance;

/// Fractions with fewer bits take next to no work.
const BITS: u64 = 192;

/// Exponents of the variables, without zeros at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Monomial(Vec<u32>);

impl Monomial {
    pub(crate) fn of(mut exponents: Vec<u32>) -> Self {
        while exponents.last() == Some(&0) {
            exponents.pop();
        }
        Monomial(exponents)
    }

    pub(crate) fn variable(place: usize) -> Self {
        let mut exponents = vec![0; place + 1];
        exponents[place] = 1;
        Monomial(exponents)
    }

    pub(crate) fn exponent(&self, place: usize) -> u32 {
        self.0.get(place).copied().unwrap_or(0)
    }

    pub(crate) fn degree(&self) -> u32 {
        self.0.iter().sum()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn times(&self, other: &Monomial) -> Monomial {
        let length = self.0.len().max(other.0.len());
        Monomial((0..length).map(|i| self.exponent(i) + other.exponent(i)).collect())
    }

    /// The quotient, where it is a monomial.
    pub(crate) fn over(&self, other: &Monomial) -> Option<Monomial> {
        if other.0.len() > self.0.len() {
            return None;
        }
        let each = (0..self.0.len()).map(|i| self.0[i].checked_sub(other.exponent(i)));
        Some(Monomial::of(each.collect::<Option<_>>()?))
    }
}

/// A sum of monomials with coefficients that are not zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Polynomial(pub(crate) BTreeMap<Monomial, BigRational>);

impl Polynomial {
    pub(crate) fn number(x: BigRational) -> Self {
        Self::single(Monomial::default(), x)
    }

    pub(crate) fn whole(x: i64) -> Self {
        Self::number(BigRational::from_integer(x.into()))
    }

    pub(crate) fn single(monomial: Monomial, factor: BigRational) -> Self {
        Polynomial(if factor.is_zero() { BTreeMap::new() } else { BTreeMap::from([(monomial, factor)]) })
    }

    pub(crate) fn variable(place: usize) -> Self {
        Self::single(Monomial::variable(place), BigRational::one())
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn as_number(&self) -> Option<BigRational> {
        match self.0.first_key_value() {
            None => Some(BigRational::zero()),
            Some((m, c)) => (self.0.len() == 1 && m.0.is_empty()).then(|| c.clone()),
        }
    }

    pub(crate) fn degree(&self) -> u32 {
        self.0.keys().map(Monomial::degree).max().unwrap_or(0)
    }

    pub(crate) fn degree_in(&self, place: usize) -> u32 {
        self.0.keys().map(|m| m.exponent(place)).max().unwrap_or(0)
    }

    /// The variables that occur.
    pub(crate) fn variables(&self) -> Vec<usize> {
        let most = self.0.keys().map(Monomial::len).max().unwrap_or(0);
        (0..most).filter(|&place| self.degree_in(place) > 0).collect()
    }

    pub(crate) fn coefficient(&self, monomial: &Monomial) -> BigRational {
        self.0.get(monomial).cloned().unwrap_or_else(BigRational::zero)
    }

    pub(crate) fn add(&mut self, monomial: Monomial, factor: BigRational) {
        if factor.is_zero() {
            return;
        }
        match self.0.entry(monomial) {
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(factor);
            }
            std::collections::btree_map::Entry::Occupied(mut place) => {
                let sum = sum(place.get(), &factor);
                *place.get_mut() = sum;
                if place.get().is_zero() {
                    place.remove();
                }
            }
        }
    }

    pub(crate) fn plus(mut self, other: &Polynomial) -> Self {
        other.0.iter().for_each(|(m, c)| self.add(m.clone(), c.clone()));
        self
    }

    pub(crate) fn minus(mut self, other: &Polynomial) -> Self {
        other.0.iter().for_each(|(m, c)| self.add(m.clone(), -c.clone()));
        self
    }

    pub(crate) fn scaled(mut self, by: &BigRational) -> Self {
        if by.is_zero() {
            return Polynomial::default();
        }
        self.0.values_mut().for_each(|c| *c = product(c, by));
        self
    }

    pub(crate) fn negated(self) -> Self {
        self.scaled(&-BigRational::one())
    }

    pub(crate) fn times(&self, other: &Polynomial) -> Self {
        let each = 1 + (self.bits() + other.bits()) / 512;
        if !allowance::spend((self.len() * other.len()) as u64 * each) {
            return Polynomial::default();
        }
        let mut found = Polynomial::default();
        for (m, c) in &self.0 {
            for (n, d) in &other.0 {
                found.add(m.times(n), product(c, d));
            }
        }
        found
    }

    pub(crate) fn power(&self, exponent: u32) -> Self {
        (0..exponent).fold(Polynomial::whole(1), |power, _| power.times(self))
    }

    /// The coefficients along one variable, lowest first.
    pub(crate) fn along(&self, place: usize) -> Vec<Polynomial> {
        let mut found = vec![Polynomial::default(); self.degree_in(place) as usize + 1];
        for (m, c) in &self.0 {
            let k = m.exponent(place);
            let mut rest = m.clone();
            if k > 0 {
                rest.0[place] = 0;
            }
            found[k as usize].add(Monomial::of(rest.0), c.clone());
        }
        found
    }

    /// The same with a polynomial in place of a variable.
    pub(crate) fn substituted(&self, place: usize, by: &Polynomial) -> Self {
        // Horner's scheme.
        let parts = self.along(place);
        parts.into_iter().rev().fold(Polynomial::default(), |so_far, part| so_far.times(by).plus(&part))
    }

    /// `below^degree` times the same with `above/below` in place of a variable.
    pub(crate) fn substituted_quotient(&self, place: usize, above: &Polynomial, below: &Polynomial) -> Self {
        let parts = self.along(place);
        let mut power = Polynomial::whole(1);
        let mut total = Polynomial::default();
        for part in parts.into_iter().rev() {
            total = total.times(above).plus(&part.times(&power));
            power = power.times(below);
        }
        total
    }

    pub(crate) fn derivative(&self, place: usize) -> Self {
        let mut found = Polynomial::default();
        for (m, c) in &self.0 {
            let k = m.exponent(place);
            if k > 0 {
                let mut exponents = m.0.clone();
                exponents[place] -= 1;
                found.add(Monomial::of(exponents), c * BigRational::from_integer(k.into()));
            }
        }
        found
    }

    /// The largest monomial that divides it, and the quotient.
    pub(crate) fn content(&self) -> (Monomial, Polynomial) {
        let most = self.0.keys().map(Monomial::len).max().unwrap_or(0);
        let least = |i| self.0.keys().map(|m| m.exponent(i)).min().unwrap_or(0);
        let common = Monomial::of((0..most).map(least).collect());
        let rest = self.0.iter().filter_map(|(m, c)| Some((m.over(&common)?, c.clone()))).collect();
        (common, Polynomial(rest))
    }

    /// The positive multiple whose coefficients are whole and have no common divisor, and what it was multiplied by.
    pub(crate) fn primitive(&self) -> (BigRational, Polynomial) {
        if self.is_zero() {
            return (BigRational::one(), self.clone());
        }
        allowance::spend(self.len() as u64 * (self.bits() / BITS).pow(2));
        let below = self.0.values().fold(BigInt::one(), |so_far, c| so_far.lcm(c.denom()));
        let above = self.0.values().fold(BigInt::zero(), |so_far, c| so_far.gcd(&(c.numer() * (&below / c.denom()))));
        let factor = BigRational::new(below, above.abs());
        (factor.clone(), self.clone().scaled(&factor))
    }

    /// The quotient, where the other one divides it.
    pub(crate) fn divided(&self, by: &Polynomial) -> Option<Polynomial> {
        let (lead, factor) = by.0.last_key_value()?;
        let mut rest = self.clone();
        let mut quotient = Polynomial::default();
        while let Some((m, c)) = rest.0.last_key_value() {
            let (m, c) = (m.over(lead)?, c / factor);
            let part = Polynomial::single(m.clone(), c.clone());
            rest = rest.minus(&by.times(&part));
            quotient.add(m, c);
            if quotient.len() > 2000 || !allowance::spend(1) {
                return None;
            }
        }
        Some(quotient)
    }

    /// The most bits of a coefficient.
    pub(crate) fn bits(&self) -> u64 {
        self.0.values().map(|c| c.numer().bits() + c.denom().bits()).max().unwrap_or(0)
    }

    /// As it can be typed, with these names.
    pub(crate) fn written(&self, names: &[String]) -> String {
        if self.is_zero() {
            return "0".into();
        }
        let mut text = String::new();
        for (m, c) in self.0.iter().rev() {
            let mut factors: Vec<String> = Vec::new();
            let size = c.abs();
            if !size.is_one() || m.0.is_empty() {
                factors.push(size.to_string());
            }
            for place in 0..m.len() {
                let name = names.get(place).map_or("?", String::as_str);
                match m.exponent(place) {
                    0 => {}
                    1 => factors.push(name.to_owned()),
                    k => factors.push(format!("{name}^{k}")),
                }
            }
            text += match (text.is_empty(), c.is_negative()) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text += &factors.join("*");
        }
        text
    }
}

// Of whole numbers no common divisor with one is looked for, which takes longer than all else.
fn sum(a: &BigRational, b: &BigRational) -> BigRational {
    if a.is_integer() && b.is_integer() {
        return BigRational::from_integer(a.numer() + b.numer());
    }
    divided(a, b);
    a + b
}

pub(super) fn product(a: &BigRational, b: &BigRational) -> BigRational {
    if a.is_integer() && b.is_integer() {
        return BigRational::from_integer(a.numer() * b.numer());
    }
    divided(a, b);
    a * b
}

/// Counts what it takes to find the common divisors of two fractions.
fn divided(a: &BigRational, b: &BigRational) {
    let bits = [a.numer(), a.denom(), b.numer(), b.denom()].into_iter().map(BigInt::bits).max().unwrap_or(0);
    if bits >= BITS {
        allowance::spend((bits / BITS).pow(2));
    }
}

/// The nearest double.
pub(crate) fn nearest(x: &BigRational) -> f64 {
    x.to_f64().unwrap_or(f64::NAN)
}
