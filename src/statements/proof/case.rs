//! One case of a proof: the whole numbers are fixed, everything else varies; and why a case may be left open.

use std::fmt;
use std::sync::Arc;

use enclosures::interval::Interval;
use evidence::instance::Instance;

use crate::formulas::domain::{Domain, End, RealRange};
use crate::formulas::scope::exact_of_closed;
use crate::instances::assignment::{Assignment, Raw, ValueShape, numbers};
use crate::instances::statement::Statement;
use crate::numbers::exact::Exact;
use crate::numbers::number::{Grid, Number, Real, Value};
use crate::text::words::Function;

/// Why it was not proved.
#[derive(Clone, Debug, PartialEq)]
pub enum Open {
    /// The method does not apply, for this reason.
    Inapplicable(String),
    /// Boxes are left over.
    Residual(String),
    /// Whole numbers at which it fails were met on the way.
    Violated(Assignment),
    /// What boxes leave open, and the other methods that were tried.
    Beside(Box<Open>, Tried),
}

/// The methods that looked at a statement and did not show it, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tried(Vec<&'static str>);

impl Tried {
    pub(crate) fn note(&mut self, method: &'static str) {
        if !self.0.contains(&method) {
            self.0.push(method);
        }
    }
}

impl Open {
    /// The same with the other methods that were tried.
    pub(crate) fn beside(self, tried: Tried) -> Self {
        if tried.0.is_empty() { self } else { Open::Beside(Box::new(self), tried) }
    }
}

impl fmt::Display for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Open::Inapplicable(why) => write!(f, "none attempted: {why}"),
            Open::Residual(left) => write!(f, "none: {left}"),
            Open::Violated(at) => write!(f, "none: it fails at {}", at.describe()),
            Open::Beside(open, Tried(methods)) => {
                match &**open {
                    Open::Inapplicable(why) => write!(f, "none: not by boxes, since {why}")?,
                    other => other.fmt(f)?,
                }
                write!(f, "; tried without success: {}", methods.join(", "))
            }
        }
    }
}

/// One end of what a number varies over.
#[derive(Clone)]
pub(crate) struct Limit {
    /// Contains the end.
    pub(crate) value: Interval,
    /// Whether the end itself does not belong to the domain.
    pub(crate) excluded: bool,
    /// The end in closed form.
    pub(crate) exact: Exact,
}

/// What a number varies over.
#[derive(Clone)]
pub(crate) struct Extent {
    pub(crate) low: Limit,
    pub(crate) high: Limit,
}

impl Limit {
    fn of(end: &End) -> Self {
        let exact = match &end.term {
            Some(term) => exact_of_closed(term),
            None => Exact::within(end.value),
        };
        Limit { value: end.value, excluded: end.open, exact }
    }

    fn closed(x: f64) -> Self {
        Limit { value: Interval::point(x), excluded: false, exact: Exact::double(x) }
    }
}

impl Extent {
    pub(crate) fn of(range: &RealRange) -> Self {
        Extent { low: Limit::of(&range.low), high: Limit::of(&range.high) }
    }

    pub(crate) fn between(low: f64, high: f64) -> Self {
        Extent { low: Limit::closed(low), high: Limit::closed(high) }
    }

    /// The closed interval that contains it, infinite ends included.
    pub(crate) fn hull(&self) -> (f64, f64) {
        (self.low.value.lo(), self.high.value.hi())
    }

    /// An interval, made to contain the ends of the range that it reaches: next to an end that is no double lies a double beyond it.
    pub(crate) fn reached(&self, x: Interval) -> Interval {
        let (low, high) = self.hull();
        let x = if x.lo() == low { x.hull(self.low.value) } else { x };
        if x.hi() == high { x.hull(self.high.value) } else { x }
    }

    /// The end that a number stands for, if it stands for one.
    pub(crate) fn limit(&self, x: f64) -> Option<&Limit> {
        let (low, high) = self.hull();
        if x == low { Some(&self.low) } else { Some(&self.high).filter(|_| x == high) }
    }
}

/// The coordinates of a case: the whole numbers are fixed, everything else varies over a box.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) statement: Arc<Statement>,
    pub(crate) wholes: Vec<Raw>,
    pub(crate) shapes: Vec<ValueShape>,
    pub(crate) ranges: Vec<Extent>,
}

impl Case {
    /// Numbers that vary.
    pub(crate) fn count(&self) -> usize {
        self.ranges.len()
    }

    /// The statement it is a case of.
    pub(crate) fn statement(&self) -> &Statement {
        &self.statement
    }

    /// The assignment at a point.
    pub(crate) fn assigned(&self, at: &[f64]) -> Option<Assignment> {
        let variables = self.statement.declarations.variables.iter();
        let mut taken = 0;
        let mut values = Vec::with_capacity(self.wholes.len());
        let on_point = self.values(at);
        for (((variable, whole), shape), value) in variables.zip(&self.wholes).zip(&self.shapes).zip(on_point) {
            let numbers = numbers(&variable.domain, *shape);
            values.push(match (&variable.domain, value) {
                (Domain::Whole { .. }, _) => whole.clone(),
                (Domain::Real(_), _) => {
                    taken += 1;
                    Raw::Real(*at.get(taken - 1)?)
                }
                (Domain::Simplex(_), Value::Vector(weights)) => {
                    taken += shape.rows - 1;
                    Raw::List(weights)
                }
                (Domain::Sphere(_), Value::Vector(entries)) => {
                    taken += 1;
                    Raw::List(entries)
                }
                _ => {
                    taken += numbers;
                    Raw::List(at.get(taken - numbers..taken)?.to_vec())
                }
            });
        }
        Some(Assignment { declarations: Arc::clone(&self.statement.declarations), values })
    }

    /// The assignment nearest to a point, every number in its range.
    pub(crate) fn nearest(&self, at: &[f64]) -> Option<Assignment> {
        let mut found = self.assigned(at)?;
        for (variable, raw) in self.statement.declarations.variables.iter().zip(&mut found.values) {
            match (&variable.domain, raw) {
                (Domain::Real(range), Raw::Real(x)) => *x = range.nearest(*x),
                (Domain::Vector { range, .. } | Domain::Matrix { range, .. }, Raw::List(list)) => {
                    list.iter_mut().for_each(|x| *x = range.nearest(*x));
                }
                _ => {}
            }
        }
        found.validate().is_ok().then_some(found)
    }

    /// The values of all variables at a point or on a box.
    pub(crate) fn values<N: Number>(&self, at: &[N]) -> Vec<Value<N>> {
        let mut at = at.iter().cloned();
        let mut take = |n: usize| -> Vec<N> { at.by_ref().take(n).collect() };
        let variables = self.statement.declarations.variables.iter();
        let each = variables.zip(&self.wholes).zip(&self.shapes).map(|((variable, whole), shape)| {
            let ValueShape { rows, columns } = *shape;
            match (&variable.domain, whole) {
                (Domain::Whole { .. }, Raw::Whole(n)) => Value::Whole(*n),
                (Domain::Simplex(_), _) => Value::Vector(broken_stick(take(rows - 1))),
                (Domain::Sphere(_), _) => {
                    let angle = take(1).pop().unwrap_or_else(|| N::whole(0));
                    let turned = |f: Function| angle.clone().apply(f).unwrap_or_else(|_| N::whole(0));
                    Value::Vector(vec![turned(Function::Cos), turned(Function::Sin)])
                }
                (Domain::Vector { .. }, _) => Value::Vector(take(rows)),
                (Domain::Matrix { .. }, _) => Value::Matrix(Grid { rows, columns, entries: take(rows * columns) }),
                (Domain::Symmetric(_), _) => {
                    let upper = take(rows * (rows + 1) / 2);
                    let entry = |place: usize| {
                        let (i, j) = (place / rows, place % rows);
                        let (i, j) = (i.min(j), i.max(j));
                        upper[i * rows - i * i.saturating_sub(1) / 2 + (j - i)].clone()
                    };
                    Value::Matrix(Grid { rows, columns, entries: (0..rows * rows).map(entry).collect() })
                }
                (Domain::Semidefinite(_), _) => {
                    let factor = take(rows * columns);
                    let entry = |place: usize| {
                        let (i, j) = (place / rows, place % rows);
                        let product = |k: usize| {
                            let (a, b) = (factor[i * columns + k].clone(), factor[j * columns + k].clone());
                            if i == j { a.clone().whole_power(2).unwrap_or(a) } else { a.times(b) }
                        };
                        (0..columns).map(product).reduce(N::plus).unwrap_or_else(|| N::whole(0))
                    };
                    Value::Matrix(Grid { rows, columns, entries: (0..rows * rows).map(entry).collect() })
                }
                _ => Value::Scalar(take(1).pop().unwrap_or_else(|| N::whole(0))),
            }
        });
        each.collect()
    }
}

/// Probabilities from shares of what is left: `t₁, (1 − t₁) t₂, …`, and the rest.
fn broken_stick<N: Number>(shares: Vec<N>) -> Vec<N> {
    let mut rest = N::whole(1);
    let mut found = Vec::new();
    for share in shares {
        found.push(rest.clone().times(share.clone()));
        rest = rest.times(N::whole(1).minus(share));
    }
    found.push(rest);
    found
}
