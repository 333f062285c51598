//! Formulas as they are, with sums and vectors written out: what exact methods start from.

use std::sync::Arc;

use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::numbers::{number_of, rational_of};
use crate::numbers::number::{Grid, NamedConstant, Number, Real, Undefined};
use crate::text::syntax::Literal;
use crate::text::words::Function;

/// A formula in numbered variables, and its number of operations, each counted as often as it is used. Parts are shared.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Formula(pub(crate) Arc<Head>, usize);

/// Its outermost operation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Head {
    Number(BigRational),
    Pi,
    Variable(usize),
    Sum(Formula, Formula),
    Product(Formula, Formula),
    Quotient(Formula, Formula),
    Power(Formula, i64),
    /// A power whose exponent is no whole number; the base is not negative.
    RealPower(Formula, Formula),
    Apply(Function, Formula),
    Larger(Formula, Formula),
    /// `x log x`, zero at zero.
    Entropic(Formula),
    /// A number that is known in part only: nothing is shown of a formula that has one.
    Unknown,
}

impl Head {
    fn inside(&self) -> Vec<&Formula> {
        match self {
            Head::Number(_) | Head::Pi | Head::Variable(_) | Head::Unknown => Vec::new(),
            Head::Power(a, _) | Head::Apply(_, a) | Head::Entropic(a) => vec![a],
            Head::Sum(a, b) | Head::Product(a, b) | Head::Quotient(a, b) => vec![a, b],
            Head::RealPower(a, b) | Head::Larger(a, b) => vec![a, b],
        }
    }
}

/// The most bits of a number that is worked out.
const BITS: u64 = 1 << 12;
/// The most operations of a formula. A power of a matrix shares its parts, and written out would never end.
const OPERATIONS: usize = 20_000;

impl Formula {
    pub(crate) fn number(x: BigRational) -> Self {
        Formula::of(if x.numer().bits() + x.denom().bits() > BITS { Head::Unknown } else { Head::Number(x) })
    }

    pub(crate) fn variable(place: usize) -> Self {
        Formula::of(Head::Variable(place))
    }

    fn of(form: Head) -> Self {
        let size = form.inside().into_iter().fold(1, |size, part| part.1.saturating_add(size));
        if size > OPERATIONS { Formula(Arc::new(Head::Unknown), 1) } else { Formula(Arc::new(form), size) }
    }

    pub(crate) fn as_number(&self) -> Option<&BigRational> {
        match &*self.0 {
            Head::Number(x) => Some(x),
            _ => None,
        }
    }

    /// The formulas directly inside.
    pub(crate) fn inside(&self) -> Vec<&Formula> {
        self.0.inside()
    }

    /// Calls `see` for the formula and for every one inside it, outermost first.
    pub(crate) fn visit<'a>(&'a self, see: &mut dyn FnMut(&'a Formula)) {
        see(self);
        self.inside().into_iter().for_each(|inner| inner.visit(see));
    }

    pub(crate) fn is_known(&self) -> bool {
        let mut known = true;
        self.visit(&mut |e| known &= *e.0 != Head::Unknown);
        known
    }

    /// Whether it is continuous wherever it is defined.
    pub(crate) fn is_without_jumps(&self) -> bool {
        let mut found = true;
        let is_jump = |e: &Formula| {
            matches!(&*e.0, Head::Apply(Function::Sign | Function::Floor | Function::Ceiling, _) | Head::Unknown)
        };
        self.visit(&mut |e| found &= !is_jump(e));
        found
    }

    /// Whether a variable occurs in it.
    pub(crate) fn uses(&self, place: usize) -> bool {
        let mut found = false;
        self.visit(&mut |e| found |= *e.0 == Head::Variable(place));
        found
    }

    /// The same with something in place of a variable.
    pub(crate) fn with_variable(&self, place: usize, by: &Formula) -> Self {
        self.replaced(&mut |e| (*e.0 == Head::Variable(place)).then(|| by.clone()))
    }

    /// Its value at numbers of any kind.
    ///
    /// # Errors
    /// It is not defined there, or not known.
    pub(crate) fn on<N: Number + Real>(&self, at: &[N]) -> Result<N, Undefined> {
        const UNKNOWN: Undefined = Undefined::Unsupported("a number that is not known");
        Ok(match &*self.0 {
            Head::Number(x) => number_of(x),
            Head::Pi => N::constant(NamedConstant::Pi),
            Head::Variable(place) => at.get(*place).cloned().ok_or(UNKNOWN)?,
            Head::Sum(a, b) => a.on(at)?.plus(b.on(at)?),
            Head::Product(a, b) => a.on(at)?.times(b.on(at)?),
            Head::Quotient(a, b) => a.on(at)?.over(b.on(at)?)?,
            Head::Power(a, n) => a.on(at)?.whole_power(*n)?,
            Head::RealPower(a, b) => a.on(at)?.real_power(b.on(at)?)?,
            Head::Apply(function, a) => a.on(at)?.apply(*function)?,
            Head::Larger(a, b) => a.on(at)?.larger(b.on(at)?),
            Head::Entropic(a) => a.on(at)?.times_its_logarithm()?,
            Head::Unknown => return Err(UNKNOWN),
        })
    }

    /// The same with everything that `by` knows better put in its place, innermost first.
    pub(crate) fn replaced(&self, by: &mut dyn FnMut(&Formula) -> Option<Formula>) -> Self {
        let rebuilt = match &*self.0 {
            Head::Number(_) | Head::Pi | Head::Variable(_) | Head::Unknown => self.clone(),
            Head::Sum(a, b) => a.replaced(by).plus(b.replaced(by)),
            Head::Product(a, b) => a.replaced(by).times(b.replaced(by)),
            Head::Quotient(a, b) => a.replaced(by).over(b.replaced(by)).unwrap_or(Self::of(Head::Unknown)),
            Head::Power(a, n) => a.replaced(by).whole_power(*n).unwrap_or(Self::of(Head::Unknown)),
            Head::RealPower(a, b) => a.replaced(by).real_power(b.replaced(by)).unwrap_or(Self::of(Head::Unknown)),
            Head::Apply(f, a) => a.replaced(by).apply(*f).unwrap_or(Self::of(Head::Unknown)),
            Head::Larger(a, b) => a.replaced(by).larger(b.replaced(by)),
            Head::Entropic(a) => Self::of(Head::Entropic(a.replaced(by))),
        };
        by(&rebuilt).unwrap_or(rebuilt)
    }
}

impl Number for Formula {
    fn whole(x: i64) -> Self {
        Formula::number(BigRational::from_integer(x.into()))
    }

    fn double(x: f64) -> Self {
        BigRational::from_float(x).map_or(Self::of(Head::Unknown), Formula::number)
    }

    fn literal(literal: Literal) -> Self {
        rational_of(literal).map_or(Self::of(Head::Unknown), Formula::number)
    }

    fn constant(constant: NamedConstant) -> Self {
        match constant {
            NamedConstant::Pi => Self::of(Head::Pi),
            NamedConstant::E => Self::of(Head::Apply(Function::Exp, Self::whole(1))),
        }
    }

    fn is_zero(&self) -> bool {
        self.as_number().is_some_and(Zero::is_zero)
    }

    fn plus(self, other: Self) -> Self {
        match (self.as_number(), other.as_number()) {
            (Some(a), Some(b)) => Formula::number(a + b),
            (Some(a), _) if a.is_zero() => other,
            (_, Some(b)) if b.is_zero() => self,
            _ => Self::of(Head::Sum(self, other)),
        }
    }

    fn minus(self, other: Self) -> Self {
        self.plus(other.negated())
    }

    fn times(self, other: Self) -> Self {
        match (self.as_number(), other.as_number()) {
            (Some(a), Some(b)) => Formula::number(a * b),
            (Some(a), _) if a.is_zero() => self,
            (_, Some(b)) if b.is_zero() => other,
            (Some(a), _) if a.is_one() => other,
            (_, Some(b)) if b.is_one() => self,
            _ => Self::of(Head::Product(self, other)),
        }
    }

    fn over(self, other: Self) -> Result<Self, Undefined> {
        match other.as_number() {
            Some(b) if b.is_zero() => Err(Undefined::Nowhere("a quotient by zero")),
            Some(b) => Ok(self.times(Formula::number(b.recip()))),
            None => Ok(Self::of(Head::Quotient(self, other))),
        }
    }

    fn negated(self) -> Self {
        Self::whole(-1).times(self)
    }

    fn whole_power(self, exponent: i64) -> Result<Self, Undefined> {
        if exponent == 0 {
            return Ok(Self::whole(1));
        }
        if exponent == 1 {
            return Ok(self);
        }
        if exponent < 0 {
            return Self::whole(1).over(self.whole_power(exponent.saturating_neg())?);
        }
        Ok(match self.as_number() {
            Some(x) if exponent <= 1024 => Formula::number(num_traits::pow(x.clone(), exponent as usize)),
            _ => Self::of(Head::Power(self, exponent)),
        })
    }

    fn real_power(self, exponent: Self) -> Result<Self, Undefined> {
        match exponent.as_number() {
            Some(n) if n.is_integer() && n.numer().to_i64().is_some() => {
                let n = n.numer().to_i64().unwrap_or(0);
                self.whole_power(n)
            }
            Some(half) if *half == BigRational::new(1.into(), 2.into()) => self.apply(Function::Sqrt),
            // Of one the power is one, of other numbers it need not be defined.
            Some(n) if n.is_negative() => Self::whole(1).over(self.real_power(Formula::number(-n.clone()))?),
            _ if self.as_number().is_some_and(One::is_one) => Ok(self),
            _ => Ok(Self::of(Head::RealPower(self, exponent))),
        }
    }

    fn apply(self, function: Function) -> Result<Self, Undefined> {
        Ok(match (function, self.as_number()) {
            (Function::Abs, Some(x)) => Formula::number(x.abs()),
            (Function::Exp, Some(x)) if x.is_zero() => Self::whole(1),
            (Function::Relu, _) => self.larger(Self::whole(0)),
            _ => Self::of(Head::Apply(function, self)),
        })
    }

    fn larger(self, other: Self) -> Self {
        match (self.as_number(), other.as_number()) {
            (Some(a), Some(b)) => {
                if a < b {
                    other
                } else {
                    self
                }
            }
            _ => Self::of(Head::Larger(self, other)),
        }
    }

    fn times_its_logarithm(self) -> Result<Self, Undefined> {
        Ok(Self::of(Head::Entropic(self)))
    }

    fn times_its_log_ratio(self, other: Self) -> Result<Self, Undefined> {
        // At zero the term has a value, and a quotient or a logarithm in its place has none: what holds where these are defined would be
        // taken for what holds everywhere. With one of both a positive number, the domain is that of the term.
        let is_positive = |x: &Self| x.as_number().is_some_and(BigRational::is_positive);
        if is_positive(&self) {
            return Ok(self.clone().times(self.over(other)?.apply(Function::Log)?));
        }
        if is_positive(&other) {
            return Ok(self.clone().times_its_logarithm()?.minus(self.times(other.apply(Function::Log)?)));
        }
        Ok(Self::of(Head::Unknown))
    }

    fn log_sum_exp(terms: Vec<Self>) -> Self {
        let each = terms.into_iter().map(|t| t.apply(Function::Exp).unwrap_or(Self::of(Head::Unknown)));
        let sum = each.reduce(Number::plus).unwrap_or(Self::of(Head::Unknown));
        sum.apply(Function::Log).unwrap_or(Self::of(Head::Unknown))
    }

    fn eigenvalues(matrix: &Grid<Self>) -> Result<Vec<Self>, Undefined> {
        match (matrix.rows, &matrix.entries[..]) {
            (1, [a]) => Ok(vec![a.clone()]),
            // (a + d ± sqrt((a − d)² + 4b²))/2
            (2, [a, b, _, d]) => {
                let half = |x: Self| x.over(Self::whole(2));
                let (sum, difference) = (a.clone().plus(d.clone()), a.clone().minus(d.clone()));
                let square = b.clone().whole_power(2)?.times(Self::whole(4)).plus(difference.whole_power(2)?);
                let root = square.apply(Function::Sqrt)?;
                Ok(vec![half(sum.clone().plus(root.clone()))?, half(sum.minus(root))?])
            }
            _ => Err(Undefined::Unsupported("an eigenvalue in closed form")),
        }
    }

    fn operator_norm(matrix: &Grid<Self>) -> Result<Self, Undefined> {
        let Grid { rows, columns: 2, entries } = matrix else {
            return Err(Undefined::Unsupported("an operator norm in closed form"));
        };
        // The root of the largest eigenvalue of the product with the transpose.
        let inner = |i: usize, j: usize| {
            let each = (0..*rows).map(|k| entries[2 * k + i].clone().times(entries[2 * k + j].clone()));
            each.fold(Self::whole(0), Number::plus)
        };
        let product = Grid { rows: 2, columns: 2, entries: vec![inner(0, 0), inner(0, 1), inner(1, 0), inner(1, 1)] };
        Self::eigenvalues(&product)?.swap_remove(0).apply(Function::Sqrt)
    }
}
