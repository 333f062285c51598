//! How a formula behaves towards an end of a range: its leading term as a power of what becomes large, of its logarithm, and of exponentials.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::normal::{Fraction, Indeterminate, Indeterminates};
use super::numbers::number_of;
use super::polynomial::Polynomial;
use super::roots::Endpoint;
use crate::numbers::exact::Exact;
use crate::numbers::number::{NamedConstant, Number};
use crate::text::words::Function;

/// `coefficient · t^power · (log t)^logs · exp(Σ c t^k)` for a t that becomes large, to leading order.
#[derive(Clone, Debug)]
struct Growth {
    coefficient: Exact,
    order: Order,
    /// Whether it is that and not only asymptotic to it.
    exact: bool,
}

/// The order alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Order {
    power: Ratio,
    logs: Ratio,
    exponents: BTreeMap<BigRational, BigRational>,
}

/// A fraction that is zero unless it is said.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ratio(BigRational);

impl Default for Ratio {
    fn default() -> Self {
        Ratio(BigRational::zero())
    }
}

impl Order {
    fn times(&self, other: &Order) -> Order {
        let mut exponents = self.exponents.clone();
        for (k, c) in &other.exponents {
            *exponents.entry(k.clone()).or_insert_with(BigRational::zero) += c;
        }
        exponents.retain(|_, c| !c.is_zero());
        Order { power: Ratio(&self.power.0 + &other.power.0), logs: Ratio(&self.logs.0 + &other.logs.0), exponents }
    }

    fn to_the(&self, n: &BigRational) -> Order {
        let mut exponents = self.exponents.clone();
        exponents.values_mut().for_each(|c| *c *= n);
        exponents.retain(|_, c| !c.is_zero());
        Order { power: Ratio(&self.power.0 * n), logs: Ratio(&self.logs.0 * n), exponents }
    }

    /// Against a constant: whether it becomes large, or small, or neither.
    fn size(&self) -> Ordering {
        let zero = BigRational::zero();
        if let Some((_, c)) = self.exponents.iter().next_back() {
            return c.cmp(&zero);
        }
        self.power.0.cmp(&zero).then(self.logs.0.cmp(&zero))
    }

    fn against(&self, other: &Order) -> Ordering {
        self.times(&other.to_the(&-BigRational::one())).size()
    }
}

/// Towards which end.
#[derive(Clone, Debug)]
pub(crate) enum Towards {
    Infinity,
    MinusInfinity,
    Above(BigRational),
    Below(BigRational),
}

impl Towards {
    /// The lower or the upper end of a range.
    pub(crate) fn end(limit: &Option<Endpoint>, lower: bool) -> Self {
        match (limit, lower) {
            (None, false) => Towards::Infinity,
            (None, true) => Towards::MinusInfinity,
            (Some(x), true) => Towards::Above(x.0.clone()),
            (Some(x), false) => Towards::Below(x.0.clone()),
        }
    }

    /// The end and the direction, where it is finite.
    fn shift(&self) -> Option<(BigRational, i64)> {
        match self {
            Towards::Above(x) => Some((x.clone(), 1)),
            Towards::Below(x) => Some((x.clone(), -1)),
            _ => None,
        }
    }
}

/// Whether a quotient, which has a limit towards an end, has one that is not negative.
pub(crate) fn has_limit_not_negative(atoms: &Indeterminates, of: &Fraction, towards: &Towards) -> bool {
    if let Some((at, _)) = towards.shift()
        && let Some(value) = atoms.value::<Exact>(of, &[number_of(&at)])
        && let Some(sign) = value.sign()
    {
        return sign >= 0;
    }
    let limits = Limits { atoms, towards };
    limits.is_not_negative(of).unwrap_or(false)
}

struct Limits<'a> {
    atoms: &'a Indeterminates,
    towards: &'a Towards,
}

impl Limits<'_> {
    fn is_not_negative(&self, of: &Fraction) -> Option<bool> {
        let below = self.polynomial(&of.denominator(), 0)?;
        let sign = below.coefficient.sign()?;
        let mut terms = self.terms(&of.above, 0)?;
        let inverse = below.order.to_the(&-BigRational::one());
        for term in &mut terms {
            term.order = term.order.times(&inverse);
            if sign < 0 {
                term.coefficient = term.coefficient.clone().negated();
            }
        }
        loop {
            let Some(top) = terms.iter().map(|t| t.order.clone()).max_by(Order::against) else { return Some(true) };
            let (first, rest): (Vec<Growth>, Vec<Growth>) =
                terms.into_iter().partition(|t| t.order.against(&top) == Ordering::Equal);
            if top.size() == Ordering::Less {
                return Some(true);
            }
            let exact = first.iter().all(|t| t.exact) && below.exact;
            let sum = first.into_iter().map(|t| t.coefficient).reduce(Number::plus)?;
            match sum.sign()? {
                1 => return Some(true),
                0 if top.size() == Ordering::Equal || exact => terms = rest,
                _ => return Some(false),
            }
            if top.size() == Ordering::Equal {
                return Some(true);
            }
        }
    }

    /// The terms of a polynomial, each to leading order, those in the variable alone exactly.
    fn terms(&self, p: &Polynomial, depth: usize) -> Option<Vec<Growth>> {
        // The variable as the end and what is left to it.
        let p = match self.towards.shift() {
            Some((at, sign)) => {
                let step = Polynomial::variable(0).scaled(&BigRational::from_integer(sign.into()));
                p.substituted(0, &step.plus(&Polynomial::number(at)))
            }
            None => p.clone(),
        };
        let mut found = Vec::new();
        for (m, c) in &p.0 {
            let mut term = Growth { coefficient: number_of(c), order: Order::default(), exact: true };
            for place in 0..m.len() {
                let k = m.exponent(place);
                if k > 0 {
                    let atom = self.atom(place, depth)?;
                    term.coefficient = term.coefficient.times(atom.coefficient.whole_power(i64::from(k)).ok()?);
                    term.order = term.order.times(&atom.order.to_the(&BigRational::from_integer(k.into())));
                    term.exact &= atom.exact;
                }
            }
            found.push(term);
        }
        Some(found)
    }

    fn polynomial(&self, p: &Polynomial, depth: usize) -> Option<Growth> {
        let mut terms = self.terms(p, depth)?;
        loop {
            let top = terms.iter().map(|t| t.order.clone()).max_by(Order::against)?;
            let (first, rest): (Vec<Growth>, Vec<Growth>) =
                terms.into_iter().partition(|t| t.order.against(&top) == Ordering::Equal);
            let exact = first.iter().all(|t| t.exact);
            let alone = rest.is_empty();
            let sum = first.into_iter().map(|t| t.coefficient).reduce(Number::plus)?;
            if sum.sign()? != 0 {
                return Some(Growth { coefficient: sum, order: top, exact: exact && alone });
            }
            if !exact {
                return None;
            }
            terms = rest;
        }
    }

    fn fraction(&self, of: &Fraction, depth: usize) -> Option<Growth> {
        let (above, below) = (self.polynomial(&of.above, depth)?, self.polynomial(&of.denominator(), depth)?);
        Some(Growth {
            coefficient: above.coefficient.over(below.coefficient).ok()?,
            order: above.order.times(&below.order.to_the(&-BigRational::one())),
            exact: above.exact && below.exact,
        })
    }

    fn atom(&self, place: usize, depth: usize) -> Option<Growth> {
        if depth > 6 {
            return None;
        }
        let constant = |coefficient: Exact| Some(Growth { coefficient, order: Order::default(), exact: false });
        let one = BigRational::one;
        match &self.atoms.all[place] {
            Indeterminate::Variable(_) => {
                let (power, sign) = match self.towards {
                    Towards::Infinity => (one(), 1),
                    Towards::MinusInfinity => (one(), -1),
                    // The distance to the end is one over what becomes large.
                    Towards::Above(_) | Towards::Below(_) => (-one(), 1),
                };
                let order = Order { power: Ratio(power), ..Order::default() };
                Some(Growth { coefficient: Exact::whole(sign), order, exact: true })
            }
            Indeterminate::Pi => constant(Exact::constant(NamedConstant::Pi)),
            Indeterminate::Root(of, order) => {
                let inner = self.polynomial(of, depth + 1)?;
                let share = BigRational::new(1.into(), (*order).into());
                let coefficient = match order {
                    2 => inner.coefficient.apply(Function::Sqrt).ok()?,
                    _ => inner.coefficient.real_power(number_of(&share)).ok()?,
                };
                Some(Growth { coefficient, order: inner.order.to_the(&share), exact: inner.exact })
            }
            Indeterminate::Applied(function, of) => {
                let inner = self.fraction(of, depth + 1)?;
                let size = inner.order.size();
                match (function, size) {
                    (Function::Log, Ordering::Equal) => {
                        let less = inner.coefficient.clone().minus(Exact::whole(1));
                        if less.sign()? != 0 {
                            return constant(inner.coefficient.apply(Function::Log).ok()?);
                        }
                        // log(1 + u) goes as u.
                        let rest = self.atoms.sum(of, &Fraction::whole(-1));
                        Some(Growth { exact: false, ..self.fraction(&rest, depth + 1)? })
                    }
                    (Function::Log, _) => {
                        if let Some((k, c)) = inner.order.exponents.iter().next_back() {
                            let order = Order { power: Ratio(k.clone()), ..Order::default() };
                            return Some(Growth { coefficient: number_of(c), order, exact: false });
                        }
                        let power = inner.order.power.0;
                        let order = Order { logs: Ratio(one()), ..Order::default() };
                        (!power.is_zero()).then(|| Growth { coefficient: number_of(&power), order, exact: false })
                    }
                    (Function::Exp, Ordering::Greater) => {
                        let simple = inner.order.exponents.is_empty() && inner.order.logs.0.is_zero();
                        let coefficient = self.rational(of, &inner).filter(|_| simple && inner.exact)?;
                        let exponents = BTreeMap::from([(inner.order.power.0, coefficient)]);
                        Some(Growth {
                            coefficient: Exact::whole(1),
                            order: Order { exponents, ..Order::default() },
                            exact: true,
                        })
                    }
                    (Function::Exp | Function::Cos, Ordering::Less) => constant(Exact::whole(1)),
                    (Function::Atan, Ordering::Greater) => {
                        let right = Exact::constant(NamedConstant::Pi).over(Exact::whole(2)).ok()?;
                        constant(if inner.coefficient.sign()? > 0 { right } else { right.negated() })
                    }
                    (Function::Erf, Ordering::Greater) => constant(Exact::whole(inner.coefficient.sign()?.into())),
                    (Function::Erf, Ordering::Less) => {
                        let root = Exact::constant(NamedConstant::Pi).apply(Function::Sqrt).ok()?;
                        let share = Exact::whole(2).over(root).ok()?;
                        Some(Growth { exact: false, coefficient: inner.coefficient.times(share), ..inner })
                    }
                    (Function::Atan | Function::Sin | Function::Asin, Ordering::Less) => {
                        Some(Growth { exact: false, ..inner })
                    }
                    (_, Ordering::Equal) => {
                        let value = inner.coefficient.apply(*function).ok()?;
                        (value.sign()? != 0).then(|| constant(value))?
                    }
                    _ => None,
                }
            }
        }
    }

    /// The coefficient of an exponent that is a single rational multiple of a power.
    fn rational(&self, of: &Fraction, inner: &Growth) -> Option<BigRational> {
        let terms = self.terms(&of.above, 0)?;
        let below = of.denominator();
        let single = terms.len() == 1
            && below.len() == 1
            && of.above.variables().iter().chain(&below.variables()).all(|&v| v == 0);
        let sign = inner.coefficient.sign()?;
        let (_, above) = of.above.0.first_key_value()?;
        let (_, below) = below.0.first_key_value()?;
        let size = (above / below).abs();
        single.then(|| if sign < 0 { -size } else { size })
    }
}
