//! The claims of the four papers: listed, run, and their stored counterexamples judged again.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use embeddings::Watcher as _;
use estimators::bounds::BOUNDS;
use evidence::claim::{Claim, Fixtures, Theorems};
use evidence::report::{self, Register};
use evidence::run::{self, ClaimResult, Context, Event, Observer, Plan, Run, Sides, Silent, Witness, WitnessStore};
use evidence::verdict::Outcome;
use glob::Pattern;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::{Value, json};

use crate::typed;
use crate::worker::{self, Watch};

fn catalogue() -> Vec<Claim> {
    let record = Theorems::from_json(include_str!("checked.json")).expect("the committed record is readable");
    let papers = [merad2020::claims(), esser2024::claims(), wen2020::claims(), ren2023::claims()];
    papers.into_iter().flatten().map(|claim| claim.with_record(&record)).collect()
}

/// What the catalogue says of the claims behind bounds: their headline with its grade, and the verdicts of their checks, as the command line's
/// `bounds --format json` has them.
pub fn ledger<'a>(ids: impl Iterator<Item = &'a str>) -> Value {
    let claims = catalogue();
    let one = |id: &'a str| {
        let claim = claims.iter().find(|claim| claim.id == id)?;
        let checks = claim.checks().into_iter();
        let checks: serde_json::Map<String, Value> =
            checks.map(|check| (check.id.to_owned(), check.expectation.verdict.to_string().into())).collect();
        let grade = BOUNDS.iter().find(|bound| bound.claim == id).map(|bound| bound.grade);
        let headline = claim.expected().verdict.to_string();
        let value = json!({"title": claim.title, "headline": headline, "grade": grade, "checks": checks});
        Some((id.to_owned(), value))
    };
    Value::Object(ids.filter_map(one).collect())
}

/// The claims that patterns name, in the order of the papers; all of them without a pattern.
fn chosen<'a>(claims: &'a [Claim], patterns: &[String]) -> PyResult<Vec<&'a Claim>> {
    let mut matchers = Vec::new();
    for pattern in patterns {
        let matcher = Pattern::new(pattern).map_err(|error| PyValueError::new_err(format!("claims: {error}")))?;
        if !claims.iter().any(|c| matcher.matches(c.id)) {
            return Err(PyValueError::new_err(format!("claims: {pattern:?} names none; claims() lists all of them")));
        }
        matchers.push(matcher);
    }
    let named = |c: &&Claim| matchers.is_empty() || matchers.iter().any(|m| m.matches(c.id));
    Ok(claims.iter().filter(named).collect())
}

/// What the claims state and what is expected of them, as JSON.
#[pyfunction]
pub fn claims(patterns: Vec<String>) -> PyResult<String> {
    let claims = catalogue();
    let one = |claim: &&Claim| {
        let check = |c: &evidence::claim::CheckInfo| {
            json!({
                "id": c.id,
                "role": c.role.to_string(),
                "statement": c.statement,
                "expected": c.expectation.verdict.to_string(),
                "why": c.expectation.reason,
            })
        };
        json!({
            "id": claim.id,
            "paper": claim.paper,
            "number": claim.source.as_ref().map(|s| s.number),
            "title": claim.title,
            "kind": claim.kind.to_string(),
            "statement": claim.statement,
            "expected": claim.expected().verdict.to_string(),
            "reconstructed": claim.reconstructed,
            "checks": claim.checks().iter().map(check).collect::<Vec<_>>(),
        })
    };
    let listed: Vec<Value> = chosen(&claims, &patterns)?.iter().map(one).collect();
    Ok(json!(listed).to_string())
}

/// Ends a run at the next event once nobody waits for it.
struct Heard<'a> {
    watch: &'a Watch,
    claims: usize,
    finished: AtomicUsize,
}

impl Observer for Heard<'_> {
    fn event(&self, event: Event) {
        self.watch.leave_if_stopped();
        if let Event::Finished { claim, verdict, .. } = event {
            let finished = self.finished.fetch_add(1, Ordering::Relaxed) + 1;
            let share = finished as f64 / self.claims as f64;
            self.watch.advance(share, &format!("{claim}: {verdict}"));
        }
    }
}

/// Runs claims; for each its words and its page, and the whole run as JSON.
#[pyfunction]
#[pyo3(signature = (patterns, budget, seed, fixtures, progress = None))]
pub fn verify(
    py: Python<'_>,
    patterns: Vec<String>,
    budget: &str,
    seed: u64,
    fixtures: PathBuf,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Told> {
    let budget = typed::budget(budget)?;
    chosen(&catalogue(), &patterns)?;
    let done = worker::run(py, progress, move |watch| {
        let claims = catalogue();
        let chosen = chosen(&claims, &patterns).map_err(|error| error.to_string())?;
        let fixtures = Fixtures::at(fixtures);
        let witnesses = WitnessStore::load(&fixtures.path("witnesses")).map_err(|error| error.to_string())?;
        let plan = Plan { seed, budget };
        let heard = Heard { watch, claims: chosen.len(), finished: 0.into() };
        Ok::<_, String>(told(&run::run(&chosen, plan, &fixtures, &witnesses, &heard)))
    })?;
    done.map_err(PyValueError::new_err)
}

/// For each claim of a run its words and its page, and the whole run as JSON.
type Told = (Vec<(String, String)>, String);

fn told(run: &Run) -> Told {
    let notes = pages::Notes::default();
    let one = |claim: &ClaimResult| {
        let page = pages::claim_page(claim, run, &notes);
        (claim.to_string(), pages::page_as_markdown(&page))
    };
    let register = Register { papers: Vec::new() };
    (run.claims.iter().map(one).collect(), report::json(run, &register, &Vec::new()).to_string())
}

/// Runs one claim, perhaps on another machine than the one that asks for it; its result as bytes for [`gathered`].
#[pyfunction]
pub fn recorded<'py>(
    py: Python<'py>,
    id: String,
    budget: &str,
    seed: u64,
    fixtures: PathBuf,
) -> PyResult<Bound<'py, PyBytes>> {
    let plan = Plan { seed, budget: typed::budget(budget)? };
    let done = worker::run(py, None, move |_| {
        let claims = catalogue();
        let claim = claims.iter().find(|c| c.id == id);
        let claim = claim.ok_or_else(|| format!("claims: no claim is called {id:?}; claims() lists all of them"))?;
        let fixtures = Fixtures::at(fixtures);
        let witnesses = WitnessStore::load(&fixtures.path("witnesses")).map_err(|error| error.to_string())?;
        let result = run::run_claim(claim, plan, &fixtures, &witnesses, &Silent);
        result.to_record().map_err(|error| format!("{id}: {error}"))
    })?;
    Ok(PyBytes::new(py, &done.map_err(PyValueError::new_err)?))
}

/// What [`verify`] answers, of claims whose results were recorded one by one, in the order of the catalogue.
#[pyfunction]
pub fn gathered(
    py: Python<'_>,
    patterns: Vec<String>,
    budget: &str,
    seed: u64,
    records: Vec<Vec<u8>>,
) -> PyResult<Told> {
    let plan = Plan { seed, budget: typed::budget(budget)? };
    let done = worker::run(py, None, move |_| {
        let claims = catalogue();
        let chosen = chosen(&claims, &patterns).map_err(|error| error.to_string())?;
        if chosen.len() != records.len() {
            return Err(format!("records: {} of {} claims", records.len(), chosen.len()));
        }
        let read = |(claim, record): (&&Claim, &Vec<u8>)| {
            ClaimResult::from_record(claim, record).map_err(|error| format!("{}: {error}", claim.id))
        };
        let claims = chosen.iter().zip(&records).map(read).collect::<Result<_, String>>()?;
        Ok(told(&Run { plan, claims }))
    })?;
    done.map_err(PyValueError::new_err)
}

/// The stored counterexamples of a claim, or of one check of it behind another dot, judged again; as JSON.
#[pyfunction]
pub fn replay(py: Python<'_>, name: String, seed: u64, fixtures: PathBuf) -> PyResult<String> {
    let done = worker::run(py, None, move |_| {
        let claims = catalogue();
        let fixtures = Fixtures::at(fixtures);
        let store = WitnessStore::load(&fixtures.path("witnesses")).map_err(|error| error.to_string())?;
        let owner = |c: &&Claim| {
            let rest = name.strip_prefix(c.id);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        // A name may continue another one behind a dot: the longest is meant.
        let claim = claims.iter().filter(owner).max_by_key(|c| c.id.len());
        let claim = claim.ok_or_else(|| format!("witness: no claim is called {name:?}; claims() lists all of them"))?;
        let check = name[claim.id.len()..].strip_prefix('.').map(str::to_owned);
        let checks = claim.checks();
        let asked = checks.iter().filter(|c| check.as_deref().is_none_or(|wanted| wanted == c.id));
        let stored: Vec<&Witness> = asked.filter_map(|c| store.get(claim.id, c.id)).collect();
        if stored.is_empty() {
            return Err(format!("witness: nothing that refutes {name:?} is stored"));
        }
        let again: Result<Vec<Value>, String> =
            stored.into_iter().map(|w| rejudged(claim, w, &fixtures, seed)).collect();
        Ok(json!(again?).to_string())
    })?;
    done.map_err(PyValueError::new_err)
}

fn rejudged(claim: &Claim, witness: &Witness, fixtures: &Fixtures, seed: u64) -> Result<Value, String> {
    let context = Context {
        seed,
        budget: evidence::budget::Budget::Standard,
        fixtures,
        witnesses: &WitnessStore::default(),
        observer: &Silent,
        claim: claim.id,
    };
    let rejudged = claim.rejudge(&witness.check, &witness.instance, &context)?;
    let mut value = json!({
        "claim": claim.id,
        "check": witness.check,
        "statement": witness.statement,
        "description": rejudged.instance,
        "instance": witness.instance,
        "refutes": false,
    });
    match rejudged.outcome {
        Outcome::Judged { judgement, comparison } => {
            value["sides"] = json!(Sides::of(&comparison));
            value["grade"] = json!(comparison.margin.grade().to_string());
            value["refutes"] = json!(judgement == evidence::judge::Judgement::Violated);
        }
        Outcome::Discarded { hypothesis } => value["why"] = json!(format!("outside the hypotheses: {hypothesis}")),
        Outcome::Vacuous { reason } => value["why"] = json!(format!("says nothing here: {reason}")),
        Outcome::Failed { message } | Outcome::Panicked { message } => return Err(message),
        Outcome::Unrepeated | Outcome::Redrawn { .. } => {}
    }
    Ok(value)
}
