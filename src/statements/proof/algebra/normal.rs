//! Formulas as quotients of polynomials in atoms: in their variables, and in roots and functions that are left as they stand.

use std::collections::BTreeMap;

use enclosures::interval::Interval;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::allowance;
use super::expression::{Formula, Head};
use super::numbers::{enclosed, number_of};
use super::polynomial::{Monomial, Polynomial};
use super::roots::{self, Bounds, Sign};
use crate::numbers::number::{Enclosed, NamedConstant, Number, Real};
use crate::text::words::Function;

/// What a polynomial is one in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Indeterminate {
    /// A variable of the statement.
    Variable(usize),
    /// The circle constant.
    Pi,
    /// The root of this order of a polynomial in earlier atoms, which is not negative.
    Root(Polynomial, u32),
    /// A function of what it stands for.
    Applied(Function, Fraction),
}

/// A quotient; the factors below are primitive, with a positive leading coefficient.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Fraction {
    pub(crate) above: Polynomial,
    pub(crate) below: BTreeMap<Polynomial, u32>,
}

/// Longer polynomials are given up.
const LONGEST: usize = 1500;

impl Fraction {
    pub(crate) fn whole(x: i64) -> Self {
        Fraction { above: Polynomial::whole(x), below: BTreeMap::new() }
    }

    pub(crate) fn of(above: Polynomial) -> Self {
        Fraction { above, below: BTreeMap::new() }
    }

    /// Whether a variable occurs in it, other than under a root or a function.
    pub(crate) fn uses(&self, place: usize) -> bool {
        self.above.degree_in(place) > 0 || self.below.keys().any(|p| p.degree_in(place) > 0)
    }

    pub(crate) fn as_number(&self) -> Option<BigRational> {
        self.below.is_empty().then(|| self.above.as_number()).flatten()
    }

    pub(crate) fn denominator(&self) -> Polynomial {
        self.below.iter().fold(Polynomial::whole(1), |product, (p, &k)| product.times(&p.power(k)))
    }
}

/// The atoms of some formulas, and what the variables among them range over.
#[derive(Clone, Debug, Default)]
pub(crate) struct Indeterminates {
    pub(crate) all: Vec<Indeterminate>,
    /// Of the variables.
    pub(crate) ranges: Vec<Bounds>,
    /// Of every atom.
    pub(crate) bounds: Vec<Bounds>,
}

impl Indeterminates {
    /// Those of variables alone.
    pub(crate) fn of(ranges: &[Bounds]) -> Self {
        let all = (0..ranges.len()).map(Indeterminate::Variable).collect();
        Indeterminates { all, ranges: ranges.to_vec(), bounds: ranges.to_vec() }
    }

    pub(super) fn place(&mut self, atom: Indeterminate) -> usize {
        if let Some(place) = self.all.iter().position(|a| *a == atom) {
            return place;
        }
        let bounds = self.bounds_of(&atom);
        self.all.push(atom);
        self.bounds.push(bounds);
        self.all.len() - 1
    }

    fn bounds_of(&self, atom: &Indeterminate) -> Bounds {
        let number = |x: Interval| Bounds::around(x);
        match atom {
            Indeterminate::Variable(place) => self.ranges[*place].clone(),
            Indeterminate::Pi => number(Interval::pi()),
            Indeterminate::Root(of, order) => match of.as_number() {
                Some(x) => {
                    let x = Enclosed::constant(enclosed(&x));
                    let order = BigRational::new(1.into(), (*order).into());
                    x.real_power(Enclosed::constant(enclosed(&order)))
                        .map_or_else(|_| Bounds::from(0, false), |x| number(x.value))
                }
                None => Bounds::from(0, self.sign(of) == Some(Sign::Positive)),
            },
            Indeterminate::Applied(function, of) => {
                if let Some(x) = of.as_number()
                    && let Ok(x) = Enclosed::constant(enclosed(&x)).apply(*function)
                    && x.defined
                {
                    return number(x.value);
                }
                match function {
                    Function::Exp => match self.sign_of(of) {
                        Some(Sign::Positive) => Bounds::from(1, true),
                        Some(Sign::NotNegative) => Bounds::from(1, false),
                        Some(Sign::NotPositive) => {
                            Bounds { low: Some((BigRational::zero(), true)), ..Bounds::between(0, 1) }
                        }
                        Some(Sign::Negative) => {
                            Bounds { low: Some((BigRational::zero(), true)), high: Some((BigRational::one(), true)) }
                        }
                        _ => Bounds::from(0, true),
                    },
                    Function::Log => match self.sign_of(&self.less_one(of)) {
                        Some(Sign::Positive) => Bounds::from(0, true),
                        Some(Sign::NotNegative) => Bounds::from(0, false),
                        _ => Bounds::default(),
                    },
                    Function::Atan | Function::Asin => match self.sign_of(of) {
                        Some(Sign::Positive) => Bounds::from(0, true),
                        Some(Sign::NotNegative) => Bounds::from(0, false),
                        _ => Bounds::default(),
                    },
                    Function::Acos => Bounds::from(0, false),
                    Function::Sin | Function::Cos | Function::Erf => self.enclosed_bounds(*function, of),
                    _ => Bounds::default(),
                }
            }
        }
    }

    /// The values of a function that lie between minus one and one, for all that its argument may be.
    fn enclosed_bounds(&self, function: Function, of: &Fraction) -> Bounds {
        let ranges: Vec<Enclosed> = self.ranges.iter().map(|range| Enclosed::within(range.interval())).collect();
        let argument = self.value::<Enclosed>(of, &ranges).filter(|x| x.defined).map(|x| x.value);
        let value = argument.and_then(|x| Enclosed::within(x).apply(function).ok()).map(|value| value.value);
        let mut bounds = Bounds::between(-1, 1);
        if let Some(value) = value.and_then(|value| value.intersection(Interval::new(-1.0, 1.0))) {
            // Short fractions, outwards.
            let share = |x: f64| BigRational::new((x as i64).into(), 1024.into());
            let (low, high) = ((value.lo() * 1024.0).floor(), (value.hi() * 1024.0).ceil());
            bounds.low = Some((share(low), low == 0.0 && value.lo() > 0.0));
            bounds.high = Some((share(high), high == 0.0 && value.hi() < 0.0));
        }
        // At the ends of a range the sign is known better.
        let is_odd = function == Function::Erf
            || function == Function::Sin && argument.is_some_and(|x| x.magnitude() < Interval::pi().lo());
        let is_known = bounds.low.as_ref().is_some_and(|low| low.0.is_positive());
        match self.sign_of(of).filter(|_| is_odd && !is_known) {
            Some(Sign::Positive) => bounds.low = Bounds::from(0, true).low,
            Some(Sign::NotNegative) => bounds.low = Bounds::from(0, false).low,
            _ => {}
        }
        bounds
    }

    /// What is known of the sign of a formula of variables in these ranges.
    pub(crate) fn sign_within(ranges: &[Bounds], of: &Formula) -> Option<Sign> {
        let mut atoms = Indeterminates::of(ranges);
        let read = atoms.fraction(of).and_then(|of| atoms.sign_of(&of));
        read.or_else(|| {
            let ranges: Vec<Enclosed> = ranges.iter().map(|range| Enclosed::within(range.interval())).collect();
            let value = of.on(&ranges).ok().filter(|value| value.defined)?.value;
            match (value.lo() > 0.0, value.hi() < 0.0) {
                (true, _) => Some(Sign::Positive),
                (_, true) => Some(Sign::Negative),
                _ => None,
            }
        })
    }

    /// Whether an atom is a number.
    pub(super) fn is_constant(&self, place: usize) -> bool {
        (0..self.ranges.len()).all(|v| !self.depends(place, v))
    }

    /// A quotient as a formula in the variables.
    pub(crate) fn formula(&self, of: &Fraction) -> Option<Formula> {
        let mut found = self.polynomial_as_formula(&of.above)?;
        for (p, &k) in &of.below {
            let below = self.polynomial_as_formula(p)?.whole_power(i64::from(k)).ok()?;
            found = found.over(below).ok()?;
        }
        Some(found)
    }

    /// A polynomial in the indeterminates as a formula in the variables.
    pub(crate) fn polynomial_as_formula(&self, p: &Polynomial) -> Option<Formula> {
        let atom = |place: usize| match &self.all[place] {
            Indeterminate::Variable(v) => Some(Formula::variable(*v)),
            Indeterminate::Pi => Some(Formula::constant(NamedConstant::Pi)),
            Indeterminate::Root(of, order) => {
                let order = BigRational::new(1.into(), (*order).into());
                self.polynomial_as_formula(of)?.real_power(Formula::number(order)).ok()
            }
            Indeterminate::Applied(function, of) => self.formula(of)?.apply(*function).ok(),
        };
        p.0.iter().try_fold(Formula::whole(0), |sum, (m, c)| {
            let mut product = Formula::number(c.clone());
            for place in (0..m.len()).filter(|&place| m.exponent(place) > 0) {
                product = product.times(atom(place)?.whole_power(i64::from(m.exponent(place))).ok()?);
            }
            Some(sum.plus(product))
        })
    }

    /// Whether an atom is a logarithm.
    pub(super) fn is_log(&self, place: usize) -> bool {
        matches!(self.all[place], Indeterminate::Applied(Function::Log, _))
    }

    /// Whether an atom changes with a variable.
    pub(crate) fn depends(&self, place: usize, on: usize) -> bool {
        let any = |p: &Polynomial| p.variables().into_iter().any(|inner| self.depends(inner, on));
        match &self.all[place] {
            Indeterminate::Variable(v) => *v == on,
            Indeterminate::Pi => false,
            Indeterminate::Root(of, _) => any(of),
            Indeterminate::Applied(_, of) => any(&of.above) || of.below.keys().any(any),
        }
    }

    /// Whether a variable stands under a root or a function.
    pub(crate) fn is_inside_an_atom(&self, place: usize) -> bool {
        self.all.iter().any(|atom| match atom {
            Indeterminate::Variable(_) | Indeterminate::Pi => false,
            Indeterminate::Root(of, _) => of.degree_in(place) > 0,
            Indeterminate::Applied(_, of) => of.uses(place),
        })
    }

    fn less_one(&self, of: &Fraction) -> Fraction {
        self.sum(of, &Fraction::whole(-1))
    }

    /// The sign of a quotient, where it can be read off.
    pub(crate) fn sign_of(&self, of: &Fraction) -> Option<Sign> {
        let mut sign = self.sign(&of.above)?;
        for (p, k) in &of.below {
            if k % 2 == 1 {
                sign = match self.sign(p)? {
                    Sign::Positive | Sign::NotNegative => sign,
                    Sign::Negative | Sign::NotPositive => sign.turned(),
                    Sign::Zero => return None,
                };
            }
        }
        Some(sign)
    }

    /// The sign of a polynomial on the whole domain, where it can be read off.
    pub(crate) fn sign(&self, p: &Polynomial) -> Option<Sign> {
        if let Some(x) = p.as_number() {
            return Some(Sign::of(&x));
        }
        let variables = p.variables();
        if let [only] = variables[..] {
            return roots::sign(p, only, &self.bounds[only]);
        }
        self.read_off(p).or_else(|| Some(self.read_off(&p.clone().negated())?.turned()))
    }

    /// Whether it is not negative, each variable counted from one of its ends.
    fn read_off(&self, p: &Polynomial) -> Option<Sign> {
        let variables = p.variables();
        let both = |i: &usize| self.bounds[*i].low.is_some() && self.bounds[*i].high.is_some();
        let free: Vec<usize> = variables.iter().copied().filter(both).take(5).collect();
        for choice in 0..1usize << free.len() {
            let from_above = |i: usize| free.iter().position(|&f| f == i).is_some_and(|k| choice >> k & 1 == 1);
            let mut moved = p.clone();
            let mut positive = vec![None; self.bounds.len()];
            for &i in &variables {
                let Bounds { low, high } = &self.bounds[i];
                let (end, rising) = match (low, high) {
                    (Some(low), Some(high)) => {
                        if from_above(i) {
                            (high, false)
                        } else {
                            (low, true)
                        }
                    }
                    (Some(low), None) => (low, true),
                    (None, Some(high)) => (high, false),
                    (None, None) => continue,
                };
                positive[i] = Some(end.1);
                let step = Polynomial::variable(i);
                let step = if rising { step } else { step.negated() };
                moved = moved.substituted(i, &step.plus(&Polynomial::number(end.0.clone())));
            }
            if let Some(sign) = sign_by_terms(&moved, &positive) {
                return Some(sign);
            }
        }
        None
    }

    /// The formula as a quotient.
    pub(crate) fn fraction(&mut self, e: &Formula) -> Option<Fraction> {
        let found = match &*e.0 {
            Head::Number(x) => Fraction::of(Polynomial::number(x.clone())),
            Head::Pi => Fraction::of(Polynomial::variable(self.place(Indeterminate::Pi))),
            Head::Variable(place) => Fraction::of(Polynomial::variable(*place)),
            Head::Sum(a, b) => {
                let (a, b) = (self.fraction(a)?, self.fraction(b)?);
                self.sum(&a, &b)
            }
            Head::Product(a, b) => {
                let (a, b) = (self.fraction(a)?, self.fraction(b)?);
                self.product(&a, &b)
            }
            Head::Quotient(a, b) => {
                let (a, b) = (self.fraction(a)?, self.fraction(b)?);
                self.product(&a, &self.inverse(&b)?)
            }
            Head::Power(a, n) => {
                let a = self.fraction(a)?;
                self.power(&a, u32::try_from(*n).ok()?)?
            }
            Head::RealPower(a, b) => {
                let Some(exponent) = b.as_number() else {
                    // Powers of zero are no exponentials.
                    let base = self.fraction(a)?;
                    if self.sign_of(&base) != Some(Sign::Positive) {
                        return None;
                    }
                    let log = a.clone().apply(Function::Log).ok()?;
                    return self.fraction(&log.times(b.clone()).apply(Function::Exp).ok()?);
                };
                let (above, below) = (exponent.numer().to_u32()?, exponent.denom().to_u32()?);
                let a = self.fraction(a)?;
                let root = self.root(&a, below)?;
                self.power(&root, above)?
            }
            Head::Apply(function, a) => self.applied(*function, a)?,
            Head::Larger(..) | Head::Entropic(_) | Head::Unknown => return None,
        };
        (found.above.len() <= LONGEST && allowance::spend(1) && found.above.bits() < 4096).then_some(found)
    }

    fn applied(&mut self, function: Function, a: &Formula) -> Option<Fraction> {
        let half = Fraction::of(Polynomial::number(BigRational::new(1.into(), 2.into())));
        let through = |of: Formula, f: Function| of.apply(f).ok();
        match function {
            Function::Sqrt => {
                let a = self.fraction(a)?;
                self.root(&a, 2)
            }
            Function::Exp => {
                let a = self.fraction(a)?;
                self.exponential(&a)
            }
            Function::ExpM1 => self.fraction(&through(a.clone(), Function::Exp)?.minus(Formula::whole(1))),
            Function::Log1p => self.fraction(&through(Formula::whole(1).plus(a.clone()), Function::Log)?),
            Function::Softplus => {
                let sum = Formula::whole(1).plus(through(a.clone(), Function::Exp)?);
                self.fraction(&through(sum, Function::Log)?)
            }
            Function::Sigmoid => {
                let sum = Formula::whole(1).plus(through(a.clone().negated(), Function::Exp)?);
                self.fraction(&Formula::whole(1).over(sum).ok()?)
            }
            Function::Sinh | Function::Cosh | Function::Tanh => {
                let (up, down) = (through(a.clone(), Function::Exp)?, through(a.clone().negated(), Function::Exp)?);
                let (up, down) = (self.fraction(&up)?, self.fraction(&down)?);
                let minus = self.product(&down, &Fraction::whole(-1));
                let (sinh, cosh) = (self.sum(&up, &minus), self.sum(&up, &down));
                match function {
                    Function::Sinh => Some(self.product(&half, &sinh)),
                    Function::Cosh => Some(self.product(&half, &cosh)),
                    _ => Some(self.product(&sinh, &self.inverse(&cosh)?)),
                }
            }
            Function::Tan => {
                let (sin, cos) = (through(a.clone(), Function::Sin)?, through(a.clone(), Function::Cos)?);
                self.fraction(&sin.over(cos).ok()?)
            }
            Function::Sin | Function::Cos => {
                let a = self.fraction(a)?;
                self.wave(function, a)
            }
            Function::Asinh | Function::Acosh => {
                let one = Formula::whole(if function == Function::Asinh { 1 } else { -1 });
                let root = through(a.clone().whole_power(2).ok()?.plus(one), Function::Sqrt)?;
                self.fraction(&through(a.clone().plus(root), Function::Log)?)
            }
            Function::Atanh => {
                let (up, down) = (Formula::whole(1).plus(a.clone()), Formula::whole(1).minus(a.clone()));
                let log = self.fraction(&through(up.over(down).ok()?, Function::Log)?)?;
                Some(self.product(&half, &log))
            }
            Function::Log2 | Function::Log10 => {
                let base = Formula::whole(if function == Function::Log2 { 2 } else { 10 });
                let logs = (through(a.clone(), Function::Log)?, through(base, Function::Log)?);
                self.fraction(&logs.0.over(logs.1).ok()?)
            }
            Function::ErrorComplement => self.fraction(&Formula::whole(1).minus(through(a.clone(), Function::Erf)?)),
            Function::Log | Function::Asin | Function::Acos | Function::Atan | Function::Erf => {
                let a = self.fraction(a)?;
                if a.as_number().is_some_and(|x| if function == Function::Log { x.is_one() } else { x.is_zero() })
                    && function != Function::Acos
                {
                    return Some(Fraction::default());
                }
                if function == Function::Log {
                    return self.logarithm(a);
                }
                Some(Fraction::of(Polynomial::variable(self.place(Indeterminate::Applied(function, a)))))
            }
            _ => None,
        }
    }

    /// With the logarithms of exponentials that are factors taken out.
    fn logarithm(&mut self, mut of: Fraction) -> Option<Fraction> {
        let mut sum = Fraction::default();
        for place in 0..self.all.len() {
            let Indeterminate::Applied(Function::Exp, inner) = self.all[place].clone() else { continue };
            let factor = Polynomial::variable(place);
            let above = of.above.0.keys().map(|m| m.exponent(place)).min().unwrap_or(0);
            let below = of.below.remove(&factor).unwrap_or(0);
            of.above = of.above.divided(&factor.power(above))?;
            let times = Fraction::whole(i64::from(above) - i64::from(below));
            sum = self.sum(&sum, &self.product(&times, &inner));
        }
        if of.as_number().is_some_and(|x| x.is_one()) {
            return Some(sum);
        }
        if of.as_number().is_some_and(|x| !x.is_positive()) {
            return None;
        }
        let rest = Fraction::of(Polynomial::variable(self.place(Indeterminate::Applied(Function::Log, of))));
        Some(self.sum(&sum, &rest))
    }

    /// A product of exponentials of the single terms, so that those of multiples are powers.
    fn exponential(&mut self, of: &Fraction) -> Option<Fraction> {
        let mut product = Fraction::whole(1);
        for (m, c) in &of.above.0 {
            if let Some((base, above, below)) = self.power_of_base(m, c).filter(|_| of.below.is_empty()) {
                let root = self.root(&base, below)?;
                let power = self.power(&root, above)?;
                product = self.product(&product, &if c.is_negative() { self.inverse(&power)? } else { power });
                continue;
            }
            let below = c.denom().to_u32().filter(|&d| d <= 1 << 20);
            let (times, each) = match (below, c.numer().abs().to_u32().filter(|&n| n <= 24)) {
                (Some(below), Some(times)) => (times, BigRational::new(c.numer().signum(), below.into())),
                _ => (1, c.clone()),
            };
            let single = Polynomial::single(m.clone(), each.abs());
            let argument = Fraction { above: single, below: of.below.clone() };
            let atom = Fraction::of(Polynomial::variable(self.place(Indeterminate::Applied(Function::Exp, argument))));
            let power = self.power(&atom, times)?;
            product = self.product(&product, &if each.is_negative() { self.inverse(&power)? } else { power });
        }
        Some(product)
    }

    /// What a logarithm is of, and the numerator and denominator of the multiple of it, both without their sign: its exponential is a power of that.
    fn power_of_base(&self, m: &Monomial, c: &BigRational) -> Option<(Fraction, u32, u32)> {
        let place = m.len().checked_sub(1).filter(|_| m.degree() == 1)?;
        let Indeterminate::Applied(Function::Log, base) = self.all[place].clone() else { return None };
        Some((base, c.numer().abs().to_u32().filter(|&n| n <= 24)?, c.denom().to_u32().filter(|&d| d <= 12)?))
    }

    /// A root of something whose denominator has a known sign.
    fn root(&mut self, of: &Fraction, order: u32) -> Option<Fraction> {
        if order > 12 {
            return None;
        }
        // u/d = u d^(order − 1) / d^order.
        let mut above = of.above.clone();
        let mut below = Fraction::whole(1);
        for (p, &k) in &of.below {
            let missing = (order - k % order) % order;
            let sign = self.sign(p)?;
            let turned = match sign {
                Sign::Positive | Sign::NotNegative => false,
                Sign::Negative | Sign::NotPositive => true,
                Sign::Zero => return None,
            };
            if turned && order % 2 == 1 {
                return None;
            }
            above = above.times(&p.power(missing));
            let out = (k + missing) / order;
            let mut single = Fraction { above: Polynomial::whole(1), below: BTreeMap::from([(p.clone(), out)]) };
            if turned && out % 2 == 1 {
                single.above = single.above.negated();
            }
            below = self.product(&below, &single);
        }
        if above.is_zero() {
            return Some(Fraction::default());
        }
        // Whole powers of positive variables, and squares of numbers, come out. One of a variable that may be zero does only where that leaves
        // nothing negative under the root: at zero the root is defined whatever else stands under it.
        let (content, rest) = above.content();
        let (mut inner, mut outer) = (vec![0u32; content.len()], vec![0u32; content.len()]);
        let is_not_negative = |p: &Polynomial| matches!(self.sign(p), Some(Sign::Positive | Sign::NotNegative));
        let is_safe = is_not_negative(&rest)
            && (0..content.len()).all(|i| content.exponent(i) % 2 == 0 || is_not_negative(&Polynomial::variable(i)));
        for place in 0..content.len() {
            let k = content.exponent(place);
            let comes_out = match self.sign(&Polynomial::variable(place)) {
                Some(Sign::Positive) => true,
                Some(Sign::NotNegative) => is_safe,
                _ => false,
            };
            outer[place] = if comes_out { k / order } else { 0 };
            inner[place] = k - outer[place] * order;
        }
        let (factor, rest) = rest.primitive();
        let mut number = factor.recip();
        let mut taken = BigRational::one();
        if let Some(root) = exact_root(&number, order) {
            (number, taken) = (BigRational::one(), root);
        }
        let inner = Polynomial::single(Monomial::of(inner), number).times(&rest);
        let outer = Fraction::of(Polynomial::single(Monomial::of(outer), taken));
        let kept = match inner.as_number() {
            Some(x) if x.is_one() => Fraction::whole(1),
            Some(x) if x.is_negative() => return None,
            _ => Fraction::of(Polynomial::variable(self.place(Indeterminate::Root(inner, order)))),
        };
        let found = self.product(&self.product(&outer, &kept), &below);
        Some(found)
    }

    /// The same with powers of roots written as what they are roots of, and squares of cosines by those of sines.
    pub(super) fn reduced(&self, mut p: Polynomial) -> Polynomial {
        for place in (0..self.all.len()).rev() {
            let Some((order, of)) = self.power_in_others(place).filter(|(order, _)| p.degree_in(place) >= *order)
            else {
                continue;
            };
            let mut found = Polynomial::default();
            for (k, part) in p.along(place).into_iter().enumerate() {
                let k = k as u32;
                let rest = Polynomial::variable(place).power(k % order);
                found = found.plus(&part.times(&of.power(k / order)).times(&rest));
            }
            p = found;
        }
        p
    }

    pub(crate) fn sum(&self, a: &Fraction, b: &Fraction) -> Fraction {
        let mut below = a.below.clone();
        for (p, &k) in &b.below {
            let most = below.entry(p.clone()).or_insert(0);
            *most = (*most).max(k);
        }
        let lifted = |of: &Fraction| {
            below.iter().fold(of.above.clone(), |product, (p, &k)| {
                let missing = k - of.below.get(p).copied().unwrap_or(0);
                product.times(&p.power(missing))
            })
        };
        let above = lifted(a).plus(&lifted(b));
        self.cancelled(Fraction { above, below })
    }

    pub(crate) fn product(&self, a: &Fraction, b: &Fraction) -> Fraction {
        let mut below = a.below.clone();
        for (p, &k) in &b.below {
            *below.entry(p.clone()).or_insert(0) += k;
        }
        self.cancelled(Fraction { above: a.above.times(&b.above), below })
    }

    /// One over it.
    pub(crate) fn inverse(&self, of: &Fraction) -> Option<Fraction> {
        if of.above.is_zero() {
            return None;
        }
        let mut above = of.denominator();
        let (content, rest) = of.above.content();
        let (factor, mut rest) = rest.primitive();
        above = above.scaled(&factor);
        if rest.0.last_key_value().is_some_and(|(_, c)| c.is_negative()) {
            rest = rest.negated();
            above = above.negated();
        }
        let mut below = BTreeMap::new();
        for place in 0..content.len() {
            if content.exponent(place) > 0 {
                below.insert(Polynomial::variable(place), content.exponent(place));
            }
        }
        if rest.as_number().is_none() {
            *below.entry(rest).or_insert(0) += 1;
        }
        Some(self.cancelled(Fraction { above, below }))
    }

    fn power(&self, of: &Fraction, n: u32) -> Option<Fraction> {
        let mut power = Fraction::whole(1);
        for _ in 0..n {
            power = self.product(&power, of);
            if power.above.len() > LONGEST || n > 64 {
                return None;
            }
        }
        Some(power)
    }

    fn cancelled(&self, of: Fraction) -> Fraction {
        let mut above = self.reduced(of.above);
        let mut below = BTreeMap::new();
        for (p, mut k) in of.below {
            while k > 0 && above.len() <= 200 && allowance::spend(above.len() as u64) {
                let Some(quotient) = above.divided(&p) else { break };
                above = quotient;
                k -= 1;
            }
            if k > 0 && !above.is_zero() {
                below.insert(p, k);
            }
        }
        Fraction { above, below }
    }

    /// The derivative along a variable.
    pub(crate) fn derivative(&mut self, of: &Fraction, along: usize) -> Option<Fraction> {
        let mut total = self.derivative_of(&of.above, along)?;
        total = self.product(&total, &Fraction { above: Polynomial::whole(1), below: of.below.clone() });
        for (p, &k) in &of.below {
            let slope = self.derivative_of(p, along)?;
            let mut below = of.below.clone();
            *below.entry(p.clone()).or_insert(0) += 1;
            let whole =
                Fraction { above: of.above.clone().scaled(&BigRational::from_integer((-i64::from(k)).into())), below };
            total = self.sum(&total, &self.product(&slope, &whole));
        }
        Some(total)
    }

    fn derivative_of(&mut self, p: &Polynomial, along: usize) -> Option<Fraction> {
        let mut total = Fraction::default();
        for place in p.variables() {
            let slope = self.slope(place, along)?;
            if !slope.above.is_zero() {
                total = self.sum(&total, &self.product(&Fraction::of(p.derivative(place)), &slope));
            }
        }
        Some(total)
    }

    fn slope(&mut self, place: usize, along: usize) -> Option<Fraction> {
        let itself = Fraction::of(Polynomial::variable(place));
        let one = Fraction::whole(1);
        let (inner, factor) = match self.all[place].clone() {
            Indeterminate::Variable(v) => return Some(Fraction::whole(i64::from(v == along))),
            Indeterminate::Pi => return Some(Fraction::default()),
            Indeterminate::Root(of, order) => {
                // r' = r u'/(order u)
                let of = Fraction::of(of);
                let below = self.product(&self.inverse(&of)?, &itself);
                let share = Fraction::of(Polynomial::number(BigRational::new(1.into(), order.into())));
                (of, self.product(&below, &share))
            }
            Indeterminate::Applied(function, of) => {
                let square = self.product(&of, &of);
                let factor = match function {
                    Function::Exp => itself,
                    Function::Log => self.inverse(&of)?,
                    Function::Atan => self.inverse(&self.sum(&one, &square))?,
                    Function::Erf => {
                        let pi = Fraction::of(Polynomial::variable(self.place(Indeterminate::Pi)));
                        let root = self.root(&pi, 2)?;
                        let share = self.product(&Fraction::whole(2), &self.inverse(&root)?);
                        let bell = self.exponential(&self.product(&square, &Fraction::whole(-1)))?;
                        self.product(&share, &bell)
                    }
                    Function::Asin | Function::Acos => {
                        let rest = self.sum(&one, &self.product(&square, &Fraction::whole(-1)));
                        let root = self.root(&rest, 2)?;
                        let slope = self.inverse(&root)?;
                        let sign = if function == Function::Acos { -1 } else { 1 };
                        self.product(&slope, &Fraction::whole(sign))
                    }
                    Function::Sin => Fraction::of(Polynomial::variable(
                        self.place(Indeterminate::Applied(Function::Cos, of.clone())),
                    )),
                    Function::Cos => {
                        let sine = Polynomial::variable(self.place(Indeterminate::Applied(Function::Sin, of.clone())));
                        Fraction::of(sine.negated())
                    }
                    _ => return None,
                };
                (of, factor)
            }
        };
        let slope = self.derivative(&inner, along)?;
        Some(self.product(&slope, &factor))
    }

    /// The value at numbers of any kind for the variables; none where something is not defined.
    pub(crate) fn value<N: Number + Real>(&self, of: &Fraction, at: &[N]) -> Option<N> {
        let mut known: Vec<Option<N>> = vec![None; self.all.len()];
        self.value_knowing(of, at, &mut known)
    }

    fn value_knowing<N: Number + Real>(&self, of: &Fraction, at: &[N], known: &mut Vec<Option<N>>) -> Option<N> {
        let above = self.polynomial_at(&of.above, at, known)?;
        let mut below = N::whole(1);
        for (p, &k) in &of.below {
            below = below.times(self.polynomial_at(p, at, known)?.whole_power(i64::from(k)).ok()?);
        }
        above.over(below).ok()
    }

    fn polynomial_at<N: Number + Real>(&self, p: &Polynomial, at: &[N], known: &mut Vec<Option<N>>) -> Option<N> {
        let mut total = N::whole(0);
        for (m, c) in &p.0 {
            let mut product = number_of::<N>(c);
            for place in 0..m.len() {
                let k = m.exponent(place);
                if k > 0 {
                    let atom = self.atom_at(place, at, known)?;
                    product = product.times(atom.whole_power(i64::from(k)).ok()?);
                }
            }
            total = total.plus(product);
        }
        Some(total)
    }

    fn atom_at<N: Number + Real>(&self, place: usize, at: &[N], known: &mut Vec<Option<N>>) -> Option<N> {
        if let Some(found) = &known[place] {
            return Some(found.clone());
        }
        let found = match &self.all[place] {
            Indeterminate::Variable(v) => at.get(*v)?.clone(),
            Indeterminate::Pi => N::constant(NamedConstant::Pi),
            Indeterminate::Root(of, order) => {
                let of = self.polynomial_at(of, at, known)?;
                if *order == 2 {
                    of.apply(Function::Sqrt).ok()?
                } else {
                    of.real_power(N::whole(1).over(N::whole(i64::from(*order))).ok()?).ok()?
                }
            }
            Indeterminate::Applied(function, of) => self.value_knowing(of, at, known)?.apply(*function).ok()?,
        };
        known[place] = Some(found.clone());
        Some(found)
    }
}

/// The atoms in words.
pub(crate) fn names(atoms: &Indeterminates, variables: &[String]) -> Vec<String> {
    let mut names = variables.to_vec();
    for atom in atoms.all.iter().skip(variables.len()) {
        let name = match atom {
            Indeterminate::Variable(v) => variables[*v].clone(),
            Indeterminate::Pi => "pi".into(),
            Indeterminate::Root(of, 2) => format!("sqrt({})", of.written(&names)),
            Indeterminate::Root(of, order) => format!("({})^(1/{order})", of.written(&names)),
            Indeterminate::Applied(function, of) => {
                format!("{}({})", format!("{function:?}").to_lowercase(), written(of, &names))
            }
        };
        names.push(name);
    }
    names
}

pub(crate) fn written(of: &Fraction, names: &[String]) -> String {
    if of.below.is_empty() {
        return of.above.written(names);
    }
    format!("({})/({})", of.above.written(names), of.denominator().written(names))
}

/// Whether every term has the same sign; `positive` says of the variables that are not negative whether they are positive.
fn sign_by_terms(p: &Polynomial, positive: &[Option<bool>]) -> Option<Sign> {
    let mut sign = Sign::NotNegative;
    for (m, c) in &p.0 {
        let even = (0..m.len()).all(|i| m.exponent(i) % 2 == 0 || positive[i].is_some());
        if c.is_negative() || !even {
            return None;
        }
        if (0..m.len()).all(|i| m.exponent(i) == 0 || positive[i] == Some(true)) {
            sign = Sign::Positive;
        }
    }
    Some(sign)
}

/// The root of a positive rational number, where it is rational.
fn exact_root(x: &BigRational, order: u32) -> Option<BigRational> {
    if !x.is_positive() {
        return None;
    }
    let (above, below) = (x.numer().nth_root(order), x.denom().nth_root(order));
    let found = BigRational::new(above, below);
    (num_traits::pow(found.clone(), order as usize) == *x).then_some(found)
}
