//! Statements typed as text: tried, and judged again from a stored counterexample.

use evidence::budget::Budget;
use evidence::claim::Comparison;
use evidence::run::{Sides, Sighting};
use evidence::verdict::Outcome;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Value, json};
use statements::{Attempt, AttemptOutcome, Options, Refutation, Texts, is_violated};

use crate::worker;

fn told(comparison: &Comparison) -> Value {
    json!({
        "sides": Sides::of(comparison),
        "grade": comparison.lhs.grade().and(comparison.rhs.grade()).to_string(),
        "note": comparison.note,
    })
}

fn sighted(sighting: &Sighting) -> Value {
    let mut value = told(&sighting.comparison);
    value["instance"] = json!(sighting.instance);
    value["description"] = json!(sighting.description);
    value
}

fn attempted(attempt: &Attempt) -> Value {
    let statement = &attempt.statement;
    let mut value = json!({
        "format": "contrapositive try 1",
        "statement": statement.texts.statement,
        "over": statement.declarations.to_string(),
        "where": statement.conditions.iter().map(|c| c.text.clone()).collect::<Vec<_>>(),
        "supplied": statement.supplied,
        "counts": attempt.counts,
        "tried": attempt.counts.tried(),
        "text": attempt.to_string(),
    });
    value["outcome"] = json!(match &attempt.outcome {
        AttemptOutcome::Refuted { refutation, comparison } => {
            value["refutation"] = json!(refutation);
            value["comparison"] = told(comparison);
            "refuted"
        }
        AttemptOutcome::Proved(proof) => {
            value["how"] = json!(proof.to_string());
            "proved"
        }
        AttemptOutcome::Sampled(identity) => {
            value["how"] = json!(identity.to_string());
            "sampled"
        }
        AttemptOutcome::Stands { tightest, tie, generic, doubtful, proof, constants, advice, glanced } => {
            value["tightest"] = json!(tightest.as_ref().map(sighted));
            value["generic"] = json!(generic.as_deref().map(sighted));
            value["tie"] = json!(tie.map(|tie| tie.to_string()));
            value["doubtful"] = json!(doubtful.as_ref().map(sighted));
            value["how"] = json!(proof.as_ref().map(ToString::to_string));
            value["advice"] = json!(advice);
            value["looked_at"] = json!(glanced.as_ref().map(ToString::to_string));
            value["constants"] = constants.iter().map(ToString::to_string).collect();
            "stands"
        }
        AttemptOutcome::Vacuous => "vacuous",
    });
    value
}

/// The budget of a name.
pub fn budget(name: &str) -> PyResult<Budget> {
    name.parse().map_err(|error: String| PyValueError::new_err(format!("budget: {error}")))
}

/// Tries a statement; what came of it as JSON.
#[pyfunction]
#[pyo3(signature = (statement, ranges, conditions, budget, seed))]
pub fn attempt(
    py: Python<'_>,
    statement: String,
    ranges: String,
    conditions: String,
    budget: &str,
    seed: u64,
) -> PyResult<String> {
    let texts = Texts { statement, ranges, conditions };
    let budget = self::budget(budget)?;
    let found = worker::run(py, None, move |_| {
        statements::attempt(&texts, Options { seed, budget }).map(|attempt| attempted(&attempt).to_string())
    })?;
    found.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Judges a stored counterexample again; what came of it as JSON.
#[pyfunction]
pub fn again(py: Python<'_>, refutation: &str, seed: u64) -> PyResult<String> {
    let refutation: Refutation = serde_json::from_str(refutation)
        .map_err(|error| PyValueError::new_err(format!("witness: no counterexample: {error}")))?;
    let found = worker::run(py, None, move |_| {
        statements::replay(&refutation, seed).map(|trial| {
            let mut value = match &trial {
                Outcome::Judged { comparison, .. } => told(comparison),
                _ => json!({}),
            };
            value["statement"] = json!(refutation.texts.statement);
            value["description"] = json!(refutation.description);
            value["refutes"] = json!(is_violated(&trial));
            value.to_string()
        })
    })?;
    found.map_err(|error| PyValueError::new_err(error.to_string()))
}
