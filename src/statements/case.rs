//! One case of a proof: the whole numbers are fixed, everything else varies; and why a case may be left open.

use std::fmt;
use std::sync::Arc;

use crate::assignment::{Raw, Shape};
use crate::domain::Domain;
use crate::number::{Grid, Number, Value};
use crate::statement::Statement;
use crate::words::Function;

/// Why it was not proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Open {
    /// The method does not apply, for this reason.
    Inapplicable(String),
    /// Boxes are left over.
    Residual(String),
}

impl fmt::Display for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Open::Inapplicable(why) => write!(f, "none attempted: {why}"),
            Open::Residual(left) => write!(f, "none: {left}"),
        }
    }
}

/// The coordinates of a case: the whole numbers are fixed, everything else varies over a box.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) statement: Arc<Statement>,
    pub(crate) wholes: Vec<Raw>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) ranges: Vec<(f64, f64)>,
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

    /// The values of all variables at a point or on a box.
    pub(crate) fn values<N: Number>(&self, at: &[N]) -> Vec<Value<N>> {
        let mut at = at.iter().cloned();
        let mut take = |n: usize| -> Vec<N> { at.by_ref().take(n).collect() };
        let variables = self.statement.declarations.variables.iter();
        let each = variables
            .zip(&self.wholes)
            .zip(&self.shapes)
            .map(|((variable, whole), shape)| {
                let Shape { rows, columns } = *shape;
                match (&variable.domain, whole) {
                    (Domain::Whole { .. }, Raw::Whole(n)) => Value::Whole(*n),
                    (Domain::Simplex(_), _) => Value::Vector(broken_stick(take(rows - 1))),
                    (Domain::Sphere(_), _) => {
                        let angle = take(1).pop().unwrap_or_else(|| N::whole(0));
                        let turned = |f: Function| angle.clone().apply(f).unwrap_or_else(|_| N::whole(0));
                        Value::Vector(vec![turned(Function::Cos), turned(Function::Sin)])
                    }
                    (Domain::Vector { .. }, _) => Value::Vector(take(rows)),
                    (Domain::Matrix { .. }, _) => Value::Matrix(Grid {
                        rows,
                        columns,
                        entries: take(rows * columns),
                    }),
                    (Domain::Symmetric(_), _) => {
                        let upper = take(rows * (rows + 1) / 2);
                        let entry = |place: usize| {
                            let (i, j) = (place / rows, place % rows);
                            let (i, j) = (i.min(j), i.max(j));
                            upper[i * rows - i * i.saturating_sub(1) / 2 + (j - i)].clone()
                        };
                        Value::Matrix(Grid {
                            rows,
                            columns,
                            entries: (0..rows * rows).map(entry).collect(),
                        })
                    }
                    (Domain::Semidefinite(_), _) => {
                        let factor = take(rows * columns);
                        let entry = |place: usize| {
                            let (i, j) = (place / rows, place % rows);
                            let product = |k: usize| {
                                let (a, b) = (factor[i * columns + k].clone(), factor[j * columns + k].clone());
                                if i == j {
                                    a.clone().whole_power(2).unwrap_or(a)
                                } else {
                                    a.times(b)
                                }
                            };
                            (0..columns).map(product).reduce(N::plus).unwrap_or_else(|| N::whole(0))
                        };
                        Value::Matrix(Grid {
                            rows,
                            columns,
                            entries: (0..rows * rows).map(entry).collect(),
                        })
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
