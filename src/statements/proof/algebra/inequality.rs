//! An inequality between polynomials under conditions that are such.

use num_traits::{Signed, Zero};

use super::goal::{Goal, Says};
use super::normal::{Fraction, Indeterminate, Indeterminates, names};
use super::polynomial::{Monomial, Polynomial};
use super::roots::Sign;
use crate::text::words::Function;

/// What was shown, in words that can be checked again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) by: &'static str,
    pub(crate) lines: Vec<String>,
}

/// A polynomial that is to be not negative, or positive.
#[derive(Clone, Debug)]
pub(crate) struct Inequality {
    pub(crate) atoms: Indeterminates,
    pub(crate) names: Vec<String>,
    /// Not negative, or positive.
    pub(crate) given: Vec<(Polynomial, bool)>,
    pub(crate) zeros: Vec<Polynomial>,
    pub(crate) wanted: Polynomial,
    pub(crate) strict: bool,
}

impl Inequality {
    /// The goal in polynomials; conditions that are none are left out.
    pub(crate) fn of(goal: &Goal) -> Option<Self> {
        let mut atoms = Indeterminates::of(&goal.ranges);
        let wanted = atoms.fraction(&goal.wanted)?;
        let wanted = numerator(&atoms, &wanted);
        let (mut given, mut zeros) = (Vec::new(), Vec::new());
        for (formula, says) in &goal.given {
            let Some(of) = atoms.fraction(formula) else { continue };
            match says {
                Says::Zero => zeros.push(of.above),
                _ => given.push((numerator(&atoms, &of), *says == Says::Positive)),
            }
        }
        for place in 0..atoms.all.len() {
            if let Some((order, of)) = atoms.power_in_others(place) {
                zeros.push(Polynomial::variable(place).power(order).minus(&of));
            }
            if let Indeterminate::Applied(Function::Log, of) = &atoms.all[place] {
                given.push((numerator(&atoms, of), true));
            }
        }
        given.extend(in_order(&atoms, &given));
        given.retain(|(p, strict)| !p.is_zero() && !atoms.sign(p).is_some_and(|s| s.is_enough(*strict)));
        let names = names(&atoms, &goal.names);
        Some(Inequality { atoms, names, given, zeros, wanted, strict: goal.strict })
    }

    /// The same as a form, by an equation that says that a form is one, and what was put in place of one.
    pub(crate) fn homogenised(&self) -> Option<(Inequality, String)> {
        let degree = self.wanted.degree();
        self.zeros.iter().find_map(|zero| {
            let constant = zero.coefficient(&Monomial::default());
            if constant.is_zero() {
                return None;
            }
            let one = zero.clone().minus(&Polynomial::number(constant.clone())).scaled(&-constant.recip());
            let each = one.degree();
            if each == 0 || one.0.keys().any(|m| m.degree() != each) {
                return None;
            }
            let mut wanted = Polynomial::default();
            for (m, c) in &self.wanted.0 {
                let missing = degree - m.degree();
                if !missing.is_multiple_of(each) {
                    return None;
                }
                wanted = wanted.plus(&one.power(missing / each).times(&Polynomial::single(m.clone(), c.clone())));
            }
            Some((Inequality { wanted, ..self.clone() }, format!("1 replaced by {}", one.written(&self.names))))
        })
    }
}

/// What follows for exponentials and logarithms from conditions that say which of their arguments is larger.
fn in_order(atoms: &Indeterminates, given: &[(Polynomial, bool)]) -> Vec<(Polynomial, bool)> {
    let rising = |place: usize| match &atoms.all[place] {
        Indeterminate::Applied(function @ (Function::Exp | Function::Log | Function::Atan), of) => {
            Some((*function, of))
        }
        _ => None,
    };
    let mut found = Vec::new();
    for a in 0..atoms.all.len() {
        for b in 0..atoms.all.len() {
            let (Some((f, below)), Some((g, above))) = (rising(a), rising(b)) else { continue };
            if a == b || f != g {
                continue;
            }
            let difference = numerator(atoms, &atoms.sum(above, &atoms.product(below, &Fraction::whole(-1))));
            for (condition, strict) in given {
                let factor = difference.divided(condition);
                if factor.and_then(|f| f.as_number()).is_some_and(|f| f.is_positive()) {
                    found.push((Polynomial::variable(b).minus(&Polynomial::variable(a)), *strict));
                }
            }
        }
    }
    found
}

/// A polynomial of the sign of a quotient.
pub(crate) fn numerator(atoms: &Indeterminates, of: &Fraction) -> Polynomial {
    let mut found = of.above.clone();
    for (p, k) in &of.below {
        if k.is_multiple_of(2) {
            continue;
        }
        match atoms.sign(p) {
            Some(Sign::Positive | Sign::NotNegative) => {}
            Some(Sign::Negative | Sign::NotPositive) => found = found.negated(),
            _ => found = found.times(p),
        }
    }
    found
}
