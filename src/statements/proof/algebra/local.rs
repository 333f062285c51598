//! Formulas next to a point, or towards infinity: `t^v g(t)` for a small positive t, where g has its first terms at zero in closed form and over a
//! range in enclosures. What vanishes at zero is divided by t, so that removable singularities and poles are followed like anything else.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use enclosures::enclosure::around;
use enclosures::interval::Interval;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive};

use super::allowance;
use super::expression::{Formula, Head};
use super::numbers::number_of;
use super::series::Series;
use crate::numbers::exact::Exact;
use crate::numbers::number::{Enclosed, NamedConstant, Number};
use crate::text::words::Function;

/// Terms that are carried.
const TERMS: usize = 14;
/// Larger powers of t are given up.
const LARGEST: i64 = 40;

/// What is approached, and from where: the variable is `at + sign·t^order`, or `sign/t^order` where `at` is none.
#[derive(Clone, Debug)]
pub(super) struct Approach {
    pub(super) at: Option<BigRational>,
    pub(super) sign: i64,
    pub(super) order: u32,
}

/// `t^valuation` times a series.
#[derive(Clone, Debug)]
struct Local {
    valuation: i64,
    exact: Rc<Series<Exact>>,
    over: Series<Enclosed>,
    /// Of the first term in closed form.
    sign: Option<i32>,
}

/// What closed forms there are does not depend on how far t reaches: they are worked out once, in the order in which they are needed.
#[derive(Debug, Default)]
pub(super) struct Memory {
    known: RefCell<Vec<Recalled>>,
}

/// A series in closed form, how often it was divided by t, and the sign of its first term.
type Recalled = (Rc<Series<Exact>>, usize, Option<i32>);

/// What is known of a formula for small t.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Leading {
    /// Positive for all t up to the bound: the power of t and its coefficient at zero.
    Positive(i64, String),
    Negative,
    Unknown,
}

/// The sign of a formula for all positive t up to a bound.
pub(super) fn leading(of: &Formula, towards: &Approach, until: f64, memory: &Memory) -> Leading {
    let on = |range: Interval| Locals { towards, range, memory, place: Cell::new(0) }.of(of);
    let range = Interval::new(0.0, until);
    let (Some(at), Some(over)) = (on(Interval::ZERO), on(range)) else { return Leading::Unknown };
    match over.sign {
        Some(1) => match by_taylor(&at.over, &over.over, range) {
            Some(factor) if factor.lo() > 0.0 => Leading::Positive(over.valuation, around(factor, 4)),
            _ => Leading::Unknown,
        },
        Some(-1) => Leading::Negative,
        _ => Leading::Unknown,
    }
}

/// The values of a series over a range from zero on, by its terms at zero and the remainder of every order.
fn by_taylor(at: &Series<Enclosed>, over: &Series<Enclosed>, range: Interval) -> Option<Interval> {
    let mut found = Interval::ENTIRE;
    for (order, remainder) in over.0.iter().enumerate() {
        let value = at.0[..order].iter().rev().fold(remainder.value, |value, term| value * range + term.value);
        found = found.intersection(value)?;
    }
    Some(found)
}

impl Local {
    fn constant(exact: Exact, over: Enclosed) -> Self {
        let sign = exact.sign();
        let exact = Rc::new(Series::constant(exact, TERMS));
        Local { valuation: 0, exact, over: Series::constant(over, TERMS), sign }
    }

    fn is_defined(&self) -> bool {
        self.over.0.iter().all(|term| term.defined)
    }

    fn positive(&self) -> bool {
        self.is_defined() && self.over.0[0].value.lo() > 0.0
    }

    fn negative(&self) -> bool {
        self.is_defined() && self.over.0[0].value.hi() < 0.0
    }

    fn negated(&self) -> Self {
        let sign = self.sign.map(|s| -s);
        Local { exact: Rc::new(self.exact.negated()), over: self.over.negated(), sign, valuation: self.valuation }
    }
}

struct Locals<'a> {
    towards: &'a Approach,
    /// Of t, from zero on.
    range: Interval,
    memory: &'a Memory,
    /// How many closed forms were asked for.
    place: Cell<usize>,
}

impl Locals<'_> {
    /// Divided by t as often as the constant vanishes: the terms move up, over a range that begins at zero as well as at zero itself, since
    /// `g(t)/t` is the mean of `g'` between zero and t.
    fn made(
        &self,
        valuation: i64,
        over: Series<Enclosed>,
        exact: impl FnOnce() -> Option<Series<Exact>>,
    ) -> Option<Local> {
        let place = self.place.replace(self.place.get() + 1);
        let known = self.memory.known.borrow().get(place).cloned();
        let (exact, stripped, sign) = match known {
            Some(known) => known,
            None => {
                let mut exact = exact()?;
                let (mut stripped, mut sign) = (0, exact.0[0].sign());
                while exact.0.len() > 1 && sign == Some(0) {
                    exact.0.remove(0);
                    sign = exact.0[0].sign();
                    stripped += 1;
                }
                // Every term took a product with every other one.
                let weight: u64 = exact.0.iter().map(Exact::weight).sum();
                if !allowance::spend((20 + weight) * exact.0.len() as u64) {
                    return None;
                }
                let found = (Rc::new(exact), stripped, sign);
                self.memory.known.borrow_mut().push(found.clone());
                found
            }
        };
        let over = Series(over.0.into_iter().skip(stripped).collect());
        let found = Local { valuation: valuation + stripped as i64, exact, over, sign };
        (found.valuation.abs() <= LARGEST && found.is_defined()).then_some(found)
    }

    /// The same with a lower power of t in front.
    fn lowered(&self, of: &Local, valuation: i64) -> Local {
        let more = (of.valuation - valuation) as usize;
        let count = of.exact.0.len();
        let mut exact = vec![Exact::whole(0); count.min(more)];
        exact.extend(of.exact.0.iter().take(count.saturating_sub(more)).cloned());
        // t^more over the range: binom(more, k) t^(more − k).
        let mut factor = Vec::new();
        let mut binomial = 1.0;
        for k in 0..count {
            factor.push(if k > more {
                Enclosed::whole(0)
            } else {
                Enclosed::constant(self.range.powi((more - k) as i64) * binomial)
            });
            binomial = binomial * (more as f64 - k as f64) / (k as f64 + 1.0);
        }
        let sign = if more == 0 { of.sign } else { Some(0) };
        Local { valuation, exact: Rc::new(Series(exact)), over: of.over.times(&Series(factor)), sign }
    }

    fn sum(&self, a: &Local, b: &Local) -> Option<Local> {
        let valuation = a.valuation.min(b.valuation);
        if a.valuation.max(b.valuation) - valuation > LARGEST {
            return None;
        }
        let (a, b) = (self.lowered(a, valuation), self.lowered(b, valuation));
        self.made(valuation, a.over.plus(&b.over), || Some(a.exact.plus(&b.exact)))
    }

    fn product(&self, a: &Local, b: &Local) -> Option<Local> {
        let valuation = a.valuation + b.valuation;
        self.made(valuation, a.over.times(&b.over), || Some(a.exact.times(&b.exact)))
    }

    fn quotient(&self, a: &Local, b: &Local) -> Option<Local> {
        if b.sign? == 0 || !(b.positive() || b.negative()) {
            return None;
        }
        let valuation = a.valuation - b.valuation;
        self.made(valuation, a.over.over(&b.over).ok()?, || a.exact.over(&b.exact).ok())
    }

    fn variable(&self) -> Option<Local> {
        let Approach { at, sign, order } = self.towards;
        let power =
            |valuation: i64| Local { valuation, ..Local::constant(Exact::whole(*sign), Enclosed::whole(*sign)) };
        match at {
            None => Some(power(-i64::from(*order))),
            Some(at) => {
                let step = power(i64::from(*order));
                let start = Local::constant(number_of(at), number_of(at));
                self.sum(&start, &step)
            }
        }
    }

    fn of(&self, e: &Formula) -> Option<Local> {
        if !allowance::spend(40) {
            return None;
        }
        match &*e.0 {
            Head::Number(x) => Some(Local::constant(number_of(x), number_of(x))),
            Head::Pi => Some(Local::constant(Exact::constant(NamedConstant::Pi), Enclosed::constant(Interval::pi()))),
            Head::Variable(_) => self.variable(),
            Head::Sum(a, b) => self.sum(&self.of(a)?, &self.of(b)?),
            Head::Product(a, b) => self.product(&self.of(a)?, &self.of(b)?),
            Head::Quotient(a, b) => self.quotient(&self.of(a)?, &self.of(b)?),
            Head::Power(a, n) => {
                let base = self.of(a)?;
                let mut found = base.clone();
                for _ in 1..(*n).min(64) {
                    found = self.product(&found, &base)?;
                }
                (*n <= 64).then_some(found)
            }
            Head::RealPower(a, b) => match b.as_number() {
                Some(exponent) => self.power(&self.of(a)?, exponent),
                None => {
                    let log = self.applied(Function::Log, &self.of(a)?)?;
                    self.applied(Function::Exp, &self.product(&log, &self.of(b)?)?)
                }
            },
            Head::Apply(Function::Sqrt, a) => self.power(&self.of(a)?, &BigRational::new(1.into(), 2.into())),
            Head::Apply(function, a) => self.applied(*function, &self.of(a)?),
            Head::Larger(a, b) => {
                let (a, b) = (self.of(a)?, self.of(b)?);
                let difference = self.sum(&a, &b.negated())?;
                if difference.positive() {
                    Some(a)
                } else if difference.negative() {
                    Some(b)
                } else {
                    None
                }
            }
            Head::Entropic(a) => {
                let a = self.of(a)?;
                self.product(&a, &self.applied(Function::Log, &a)?)
            }
            Head::Unknown => None,
        }
    }

    /// A power of what is positive next to the point.
    fn power(&self, base: &Local, exponent: &BigRational) -> Option<Local> {
        let valuation = BigRational::from_integer(base.valuation.into()) * exponent;
        if !valuation.is_integer() || !base.positive() || base.sign? <= 0 {
            return None;
        }
        let over = base.over.power(&number_of(exponent)).ok()?;
        self.made(valuation.to_i64()?, over, || base.exact.power(&number_of(exponent)).ok())
    }

    fn applied(&self, function: Function, of: &Local) -> Option<Local> {
        if function == Function::Abs {
            return match (of.positive(), of.negative()) {
                (true, _) => Some(of.clone()),
                (_, true) => Some(of.negated()),
                _ => None,
            };
        }
        if of.valuation < 0 {
            // atan u = ±π/2 − atan 1/u.
            if function != Function::Atan || !(of.positive() || of.negative()) {
                return None;
            }
            let one = Local::constant(Exact::whole(1), Enclosed::whole(1));
            let inner = self.applied(Function::Atan, &self.quotient(&one, of)?)?;
            let half = if of.positive() { 1 } else { -1 };
            let right =
                Formula::constant(NamedConstant::Pi).times(Formula::number(BigRational::new(half.into(), 2.into())));
            return self.sum(&self.of(&right)?, &inner.negated());
        }
        if function == Function::Tan {
            // Its poles are followed like those of any other quotient.
            return self.quotient(&self.applied(Function::Sin, of)?, &self.applied(Function::Cos, of)?);
        }
        let of = self.lowered(of, 0);
        self.made(0, of.over.applied(function).ok()?, || of.exact.applied(function).ok())
    }
}

/// The distance from the point, or the size, that t stands for, rounded towards the point.
pub(super) fn reached(towards: &Approach, t: f64) -> Option<BigRational> {
    let step = num_traits::pow(BigRational::from_float(t)?, towards.order as usize);
    let sign = BigRational::from_integer(towards.sign.into());
    match &towards.at {
        Some(at) => Some(at + sign * step),
        None if step.is_positive() => Some(sign * BigRational::one() / step),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x() -> Formula {
        Formula::variable(0)
    }

    fn of(f: Function) -> Formula {
        x().apply(f).expect("a formula")
    }

    fn sign(formula: &Formula, at: Option<i64>, sign: i64, until: f64) -> Leading {
        let at = at.map(|x| BigRational::from_integer(x.into()));
        leading(formula, &Approach { at, sign, order: 1 }, until, &Memory::default())
    }

    #[test]
    fn the_power_of_the_leading_term_is_found_where_a_quotient_has_a_hole() {
        // 1 − sin(x)/x = x²/6 − …
        let hole = Formula::whole(1).minus(of(Function::Sin).over(x()).expect("a formula"));
        assert!(matches!(sign(&hole, Some(0), 1, 1.0), Leading::Positive(2, _)));
        assert!(matches!(sign(&hole, Some(0), -1, 1.0), Leading::Positive(2, _)));
        assert_eq!(sign(&hole.negated(), Some(0), 1, 1.0), Leading::Negative);
    }

    #[test]
    fn towards_infinity_powers_are_compared() {
        // sqrt(x² + 1) − x goes as 1/(2x).
        let square = x().whole_power(2).expect("a formula").plus(Formula::whole(1));
        let difference = square.apply(Function::Sqrt).expect("a formula").minus(x());
        assert!(matches!(sign(&difference, None, 1, 0.25), Leading::Positive(1, _)));
        // π/2 − atan x goes as 1/x.
        let right = Formula::constant(NamedConstant::Pi).times(Formula::number(BigRational::new(1.into(), 2.into())));
        assert!(matches!(sign(&right.minus(of(Function::Atan)), None, 1, 0.25), Leading::Positive(1, _)));
    }

    #[test]
    fn a_sign_that_changes_within_reach_is_none() {
        // x − x² is positive up to one and no further.
        let parabola = x().minus(x().whole_power(2).expect("a formula"));
        assert!(matches!(sign(&parabola, Some(0), 1, 0.99), Leading::Positive(1, _)));
        assert_eq!(sign(&parabola, Some(0), 1, 1.01), Leading::Unknown);
        // What vanishes to all orders that are carried says nothing.
        let nothing = of(Function::Sin).minus(of(Function::Sin));
        assert_eq!(sign(&nothing, Some(0), 1, 0.5), Leading::Unknown);
    }
}
