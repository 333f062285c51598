//! Claims written in Python: declared variables as instances, functions on enclosures as checks, and the engine around them.

use std::sync::{Arc, Mutex, PoisonError};

use evidence::budget::{Budget, TRIAL_ALPHA};
use evidence::claim::{
    Claim, Evaluation, Expectation, Fixtures, Kind, MeasureError, Role, Trial, consistent, fails, holds, inconclusive,
    undecided, vacuous, vacuous_expected,
};
use evidence::report::{self, Register};
use evidence::run::{Plan, Run, Silent, WitnessStore, run_claim};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use rand::Rng;
use statements::assignment::Assignment;
use statements::number::{Enclosed, REASONS, Value};
use statements::{Over, Written, interned};

use crate::numbers::{Comparison, Enclosure, Undefined};
use crate::typed;
use crate::worker::{self, Threads, Watch};

/// What a function may draw on while it measures an instance.
#[pyclass(frozen, module = "contrapositive")]
#[derive(Clone, Copy)]
pub struct Draws {
    key: [u64; 2],
    budget: Budget,
    /// Checks that share the trial's chance of a miss.
    checks: usize,
}

#[pymethods]
impl Draws {
    /// A whole number of 128 bits that belongs to this instance alone: the seed of a generator.
    #[getter]
    fn seed(&self) -> u128 {
        u128::from(self.key[0]) << 64 | u128::from(self.key[1])
    }

    /// How many samples to draw where the standard budget draws so many.
    fn samples(&self, standard: usize) -> usize {
        self.budget.samples(standard)
    }

    /// The chance of a miss that each of so many sampled quantities may use.
    #[pyo3(signature = (quantities = 1))]
    fn alpha(&self, quantities: usize) -> f64 {
        TRIAL_ALPHA / (quantities.max(1) * self.checks) as f64
    }
}

/// The first exception of a function, which ends the run.
#[derive(Default)]
struct Trouble(Mutex<Option<(PyErr, String)>>);

impl Trouble {
    fn keep(&self, watch: &Watch, error: PyErr, place: String) {
        watch.stop();
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert((error, place));
    }

    fn take(&self) -> Option<(PyErr, String)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A function as a check.
struct Function {
    id: String,
    function: Py<PyAny>,
    watch: Arc<Watch>,
    trouble: Arc<Trouble>,
}

impl Function {
    fn evaluated(&self, assignment: &Assignment, draws: &Draws) -> Evaluation {
        if self.watch.is_stopped() {
            return Evaluation::Failed("the run was stopped".into());
        }
        let values = match assignment.lifted::<Enclosed>() {
            Ok(values) => values,
            Err(reason) => return Evaluation::Failed(reason),
        };
        Python::attach(|py| match self.called(py, values, draws) {
            Ok(evaluation) => evaluation,
            Err(error) if error.is_instance_of::<Undefined>(py) => {
                let said = error.value(py).to_string();
                let known = REASONS.iter().find(|reason| **reason == said);
                vacuous(*known.unwrap_or(&ELSEWHERE))
            }
            Err(error) => {
                use evidence::instance::Instance as _;
                let place = format!("while {} was tried on {}", self.id, assignment.describe());
                let said = error.to_string();
                self.trouble.keep(&self.watch, error, place);
                Evaluation::Failed(said)
            }
        })
    }

    fn called(&self, py: Python<'_>, values: Vec<Value<Enclosed>>, draws: &Draws) -> PyResult<Evaluation> {
        let values = values.into_iter().map(|value| shown(py, value)).collect::<PyResult<Vec<_>>>()?;
        let answer = self.function.bind(py).call1((PyTuple::new(py, values)?, Py::new(py, *draws)?))?;
        match answer.cast::<Comparison>() {
            Ok(comparison) => Ok(comparison.get().evaluation.clone()),
            Err(_) => Err(PyTypeError::new_err(format!(
                "{} returned {}: a check returns a comparison of enclosures, such as x.exp() <= 1 + x; numbers \
                 computed in floating point come in by measured(x)",
                self.id,
                answer.get_type().qualname()?
            ))),
        }
    }
}

/// The reason to say nothing that is given where a function raises `Undefined` for one of its own.
const ELSEWHERE: &str = "the function has no value there";

/// A value for Python: a whole number, an enclosure, a list of them, a list of rows.
fn shown(py: Python<'_>, value: Value<Enclosed>) -> PyResult<Bound<'_, PyAny>> {
    let one = |x: Enclosed| Enclosure { value: x.value.into(), defined: x.defined };
    let list = |entries: Vec<Enclosed>| -> PyResult<Bound<'_, PyAny>> {
        Ok(PyList::new(py, entries.into_iter().map(one))?.into_any())
    };
    match value {
        Value::Whole(n) => Ok(n.into_pyobject(py)?.into_any()),
        Value::Scalar(x) => Ok(Bound::new(py, one(x))?.into_any()),
        Value::Vector(entries) => list(entries),
        Value::Matrix(grid) => {
            let rows = grid.entries.chunks(grid.columns.max(1)).map(|row| list(row.to_vec()));
            Ok(PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)?.into_any())
        }
    }
}

/// A check as Python hands it over: role, id, statement, conditions, what is expected and why, the function.
type Handed = (String, String, String, String, String, String, Py<PyAny>);

fn role(name: &str) -> PyResult<Role> {
    [Role::Part, Role::Meant, Role::Ours, Role::Step, Role::Control, Role::Amendment, Role::Sharpening]
        .into_iter()
        .find(|role| role.to_string() == name)
        .ok_or_else(|| PyValueError::new_err(format!("role: {name:?} is none")))
}

fn expectation(verdict: &str, why: &str) -> PyResult<Expectation> {
    Ok(match verdict {
        "holds" => holds(),
        "consistent" => consistent(),
        "fails" => fails(interned(why)),
        "undecided" => undecided(interned(why)),
        "inconclusive" => inconclusive(interned(why)),
        "vacuous" => vacuous_expected(interned(why)),
        other => {
            return Err(PyValueError::new_err(format!(
                "expect: {other:?}; use holds, consistent, fails, undecided, inconclusive or vacuous"
            )));
        }
    })
}

/// The names of declared variables, in the order in which a function is given them.
#[pyfunction]
pub fn names(ranges: &str, conditions: &str) -> PyResult<Vec<String>> {
    let over = over(ranges, conditions)?;
    Ok(over.names().into_iter().map(str::to_owned).collect())
}

fn over(ranges: &str, conditions: &str) -> PyResult<Over> {
    Over::read(ranges, conditions).map_err(|fault| PyValueError::new_err(fault.rendered()))
}

/// Tries a claim: its id, title, statement and kind, what it is over, its checks. The result in words, and as the report in JSON.
#[pyfunction]
#[pyo3(signature = (named, ranges, conditions, checks, budget, seed, search))]
#[allow(clippy::too_many_arguments, reason = "the interpreter, and what the Python side hands over by name")]
pub fn run(
    py: Python<'_>,
    named: (String, String, String, String),
    ranges: &str,
    conditions: &str,
    checks: Vec<Handed>,
    budget: &str,
    seed: u64,
    search: bool,
) -> PyResult<(String, String)> {
    let over = over(ranges, conditions)?;
    let budget = typed::budget(budget)?;
    let kind: Kind = named.3.parse().map_err(|error: String| PyValueError::new_err(format!("kind: {error}")))?;
    let count = checks.len();
    let trouble = Arc::new(Trouble::default());
    // The functions need to know of the run's end, which is known only inside of it.
    type Check = (Role, Expectation, Handed);
    let checks: Vec<Check> =
        checks.into_iter().map(|c| Ok((role(&c.0)?, expectation(&c.4, &c.5)?, c))).collect::<PyResult<_>>()?;
    let kept_trouble = Arc::clone(&trouble);
    let outcome = worker::run_on(Threads::Own, py, None, move |watch| {
        let written = checks.into_iter().map(|(role, expectation, check)| {
            let (_, id, statement, conditions, _, _, function) = check;
            let function =
                Function { id: id.clone(), function, watch: Arc::clone(watch), trouble: Arc::clone(&kept_trouble) };
            Written {
                role,
                id,
                statement,
                conditions,
                expectation,
                test: Box::new(move |a: &Assignment, draws: &Draws| function.evaluated(a, draws)),
            }
        });
        let measure = move |_: &Assignment, trial: &mut Trial| -> Result<Draws, MeasureError> {
            Ok(Draws { key: [trial.rng().next_u64(), trial.rng().next_u64()], budget, checks: count })
        };
        let mut setting = over.setting(measure, written.collect(), &[ELSEWHERE]).map_err(|fault| fault.rendered())?;
        if !search {
            setting = setting.without_search();
        }
        let claim = Claim::new(interned(&named.0), interned(&named.1), kind)
            .in_file("")
            .statement(interned(&named.2))
            .setting(setting);
        let plan = Plan { seed, budget };
        let result = run_claim(&claim, plan, &Fixtures::at("."), &WitnessStore::default(), &Silent);
        let words = result.to_string();
        let run = Run { plan, claims: vec![result] };
        let register = Register { papers: Vec::new() };
        Ok::<_, String>((words, report::json(&run, &register, &Vec::new()).to_string()))
    });
    if let Some((error, place)) = trouble.take() {
        // Since Python 3.11; before, the exception alone has to do.
        let _ = error.value(py).call_method1("add_note", (place,));
        return Err(error);
    }
    outcome?.map_err(PyValueError::new_err)
}
