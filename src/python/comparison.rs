//! What a comparison of enclosures answers: both sides and the margin between them, never a truth value.

use enclosures::interval::Interval;
use evidence::claim::{self, Evaluation};
use evidence::judge::judge;
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use statements::{BEYOND, DOUBTFUL};

use crate::enclosure::{Enclosure, number};

/// Both sides of a statement on one instance.
#[pyclass(frozen, module = "contrapositive")]
#[derive(Clone, Debug)]
pub struct Comparison {
    pub(crate) evaluation: Evaluation,
}

impl Comparison {
    pub(crate) fn of(left: Enclosure, op: CompareOp, right: Enclosure) -> PyResult<Self> {
        let compare = match op {
            CompareOp::Le => claim::at_most,
            CompareOp::Ge => claim::at_least,
            CompareOp::Lt => claim::less_than,
            CompareOp::Gt => claim::greater_than,
            CompareOp::Eq => claim::equal,
            CompareOp::Ne => {
                return Err(PyTypeError::new_err(
                    "enclosures can show that two numbers differ by how much, not that they differ: use < or >",
                ));
            }
        };
        Ok(Comparison {
            evaluation: between(left, right, compare),
        })
    }
}

/// What is not defined or has left the range of doubles says nothing, as in the language of statements.
fn between(
    left: Enclosure,
    right: Enclosure,
    compare: fn(enclosures::enclosure::Enclosure, enclosures::enclosure::Enclosure) -> Evaluation,
) -> Evaluation {
    if !(left.defined && right.defined) {
        return claim::vacuous(DOUBTFUL);
    }
    let (left, right) = (left.value, right.value);
    let overlap = left.lo() <= right.hi() && right.lo() <= left.hi();
    if overlap && !(left.interval().is_finite() && right.interval().is_finite()) {
        return claim::vacuous(BEYOND);
    }
    compare(left, right)
}

#[pymethods]
impl Comparison {
    /// The left side; none where nothing could be compared.
    #[getter]
    fn left(&self) -> Option<Enclosure> {
        self.sides().map(|c| Enclosure::of(c.lhs))
    }

    /// The right side.
    #[getter]
    fn right(&self) -> Option<Enclosure> {
        self.sides().map(|c| Enclosure::of(c.rhs))
    }

    /// The relation: "≤", "≥", "<", ">" or "=".
    #[getter]
    fn relation(&self) -> Option<String> {
        self.sides().map(|c| c.relation.to_string())
    }

    /// Room to spare: negative where the statement is violated.
    #[getter]
    fn margin(&self) -> Option<Enclosure> {
        self.sides().map(|c| Enclosure::of(c.margin))
    }

    /// What else there is to know, or why nothing could be compared.
    #[getter]
    fn note(&self) -> Option<String> {
        match &self.evaluation {
            Evaluation::Compared(c) => c.note.clone(),
            Evaluation::Vacuous(reason) | Evaluation::Failed(reason) => Some(reason.clone()),
        }
    }

    /// What the judge says of it: "holds", "touches", "violated", "undecided", "vacuous" or "failed".
    #[getter]
    fn judgement(&self) -> String {
        match &self.evaluation {
            Evaluation::Compared(c) => format!("{:?}", judge(c)).to_lowercase(),
            Evaluation::Vacuous(_) => "vacuous".into(),
            Evaluation::Failed(_) => "failed".into(),
        }
    }

    /// The same with the margin replaced by one that was computed without cancellation.
    fn with_margin(&self, margin: &Bound<'_, PyAny>) -> PyResult<Self> {
        let margin = number(margin)?;
        Ok(Comparison {
            evaluation: self.evaluation.clone().with_margin(margin.value),
        })
    }

    /// The same, with the size that counts as one when the margin is judged small or large.
    fn on_scale(&self, scale: f64) -> PyResult<Self> {
        if !(scale > 0.0 && scale.is_finite()) {
            return Err(PyValueError::new_err(format!("scale: {scale} is no positive number")));
        }
        Ok(Comparison {
            evaluation: self.evaluation.clone().on_scale(scale),
        })
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err(
            "a comparison of enclosures is evidence, not a truth value: return it, join several by all_of(...), or look at \
             .judgement; a chain a <= b <= c is all_of(a <= b, b <= c)",
        ))
    }

    fn __repr__(&self) -> String {
        match &self.evaluation {
            Evaluation::Compared(c) => format!("<{} {} {}: {}>", c.lhs, c.relation, c.rhs, self.judgement()),
            Evaluation::Vacuous(reason) => format!("<says nothing: {reason}>"),
            Evaluation::Failed(reason) => format!("<failed: {reason}>"),
        }
    }
}

impl Comparison {
    fn sides(&self) -> Option<&claim::Comparison> {
        match &self.evaluation {
            Evaluation::Compared(comparison) => Some(comparison),
            _ => None,
        }
    }
}

/// The statement that all of several statements hold; the worst of them is the one that is judged.
#[pyfunction]
#[pyo3(signature = (*parts))]
pub fn all_of(parts: Vec<PyRef<'_, Comparison>>) -> PyResult<Comparison> {
    if parts.is_empty() {
        return Err(PyValueError::new_err("parts: there is none"));
    }
    let named = parts
        .iter()
        .enumerate()
        .map(|(at, part)| (format!("part {}", at + 1), part.evaluation.clone()));
    Ok(Comparison {
        evaluation: claim::all_of(named),
    })
}

/// The statement that two numbers are equal: to within a fraction of the larger one, 2^-30 unless another is given.
#[pyfunction]
#[pyo3(signature = (left, right, within = None))]
pub fn equal(left: &Bound<'_, PyAny>, right: &Bound<'_, PyAny>, within: Option<f64>) -> PyResult<Comparison> {
    let evaluation = between(number(left)?, number(right)?, claim::equal);
    Ok(Comparison {
        evaluation: match within {
            Some(tolerance) if tolerance > 0.0 && tolerance < 1.0 => evaluation.within(tolerance),
            Some(tolerance) => {
                return Err(PyValueError::new_err(format!(
                    "within: {tolerance} does not lie between 0 and 1"
                )));
            }
            None => evaluation,
        },
    })
}

/// Both sides of a stored comparison again: its ends, and an end that is none lies at infinity.
#[pyfunction]
pub fn judged(
    left: (Option<f64>, Option<f64>),
    relation: &str,
    right: (Option<f64>, Option<f64>),
) -> PyResult<Comparison> {
    let side = |(lo, hi): (Option<f64>, Option<f64>)| {
        Enclosure::from(Interval::new(
            lo.unwrap_or(f64::NEG_INFINITY),
            hi.unwrap_or(f64::INFINITY),
        ))
    };
    let op = match relation {
        "≤" => CompareOp::Le,
        "≥" => CompareOp::Ge,
        "<" => CompareOp::Lt,
        ">" => CompareOp::Gt,
        "=" => CompareOp::Eq,
        _ => return Err(PyValueError::new_err(format!("relation: {relation:?} is none"))),
    };
    Comparison::of(side(left), op, side(right))
}
