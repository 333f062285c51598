//! Statements about growth, judged by the one rule that the engine has for them.

use evidence::claim::Evaluation;
use evidence::trend::{self, SLACK};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use statements::interned;

use crate::numbers::Comparison;

/// A sweep of sizes and the quantity measured at each.
#[pyclass(frozen, module = "contrapositive")]
pub struct Trend {
    points: Vec<(f64, f64)>,
    name: &'static str,
    slack: f64,
}

impl Trend {
    fn judged(&self, answer: impl FnOnce(trend::Trend) -> Evaluation) -> Comparison {
        let trend = trend::Trend::through(&self.points).named(self.name).within(self.slack);
        Comparison { evaluation: answer(trend) }
    }
}

#[pymethods]
impl Trend {
    /// Pairs of a size and the positive quantity there; how the size is called; how far a fitted exponent may lie beyond the claimed one.
    #[new]
    #[pyo3(signature = (points, name = "size", slack = SLACK))]
    fn new(points: Vec<(f64, f64)>, name: &str, slack: f64) -> PyResult<Self> {
        if !(slack >= 0.0 && slack.is_finite()) {
            return Err(PyValueError::new_err(format!("slack: {slack} is not at least zero")));
        }
        Ok(Trend { points, name: interned(name), slack })
    }

    /// The quantity grows no faster than this power of the size.
    fn grows_at_most(&self, exponent: f64) -> Comparison {
        self.judged(|trend| trend.grows_at_most(exponent))
    }

    /// The quantity grows no slower than this power of the size.
    fn grows_at_least(&self, exponent: f64) -> Comparison {
        self.judged(|trend| trend.grows_at_least(exponent))
    }

    /// The quantity does not tend to zero.
    fn stays_above_zero(&self) -> Comparison {
        self.judged(trend::Trend::stays_above_zero)
    }

    /// The quantity grows like this power of the size.
    fn grows_like(&self, exponent: f64) -> Comparison {
        self.judged(|trend| trend.grows_like(exponent))
    }
}
