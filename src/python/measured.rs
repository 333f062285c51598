//! Losses and bounds of arrays. Settings come in as JSON and reports go out as JSON, each in the form that the library stores them in.

use embeddings::{
    Embeddings, EmbeddingsError, Settings, ViewSettings, is_normalized, labelled_report, unsupervised_gradients,
    unsupervised_losses, views_report,
};
use enclosures::enclosure::Enclosure;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyUntypedArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::arrays::table;
use crate::catalogue::ledger;
use crate::refusal::refused;
use crate::{numbers, worker};

fn parsed<T: DeserializeOwned>(text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| PyValueError::new_err(format!("settings: {error}")))
}

/// Points with the number of the class of each, and the names of the classes.
fn embeddings_of(
    points: &Bound<'_, PyUntypedArray>,
    codes: &PyReadonlyArray1<'_, u32>,
    names: Vec<String>,
) -> PyResult<Embeddings> {
    let table = table("X", points)?;
    let codes: Vec<u32> = codes.as_array().iter().copied().collect();
    Embeddings::with_names(table, codes, names).map_err(|error| refused(error, "X"))
}

/// A gradient row by row, and the largest error of an entry.
type Gradient<'py> = (Bound<'py, PyArray1<f64>>, f64);

/// A number of negatives and the loss with it.
type Loss = (u64, numbers::Enclosure);

/// What is asked where nothing is said, as JSON.
#[pyfunction]
pub fn default_settings() -> PyResult<String> {
    serde_json::to_string(&Settings::default()).map_err(|error| PyValueError::new_err(format!("settings: {error}")))
}

/// The losses of every number of negatives, in the order asked for, and if it is asked for the gradient of each.
#[pyfunction]
#[pyo3(signature = (points, codes, names, settings, gradient, progress = None))]
pub fn losses<'py>(
    py: Python<'py>,
    points: &Bound<'py, PyUntypedArray>,
    codes: PyReadonlyArray1<'py, u32>,
    names: Vec<String>,
    settings: &str,
    gradient: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Vec<Loss>, Vec<Gradient<'py>>)> {
    let settings: Settings = parsed(settings)?;
    let embeddings = embeddings_of(points, &codes, names)?;
    drop(codes);
    let found = worker::run(py, progress, move |watch| -> Result<_, EmbeddingsError> {
        let gradients = if gradient { unsupervised_gradients(&embeddings, &settings, &**watch)? } else { Vec::new() };
        Ok((unsupervised_losses(&embeddings, &settings, &**watch)?, gradients))
    })?;
    let (losses, gradients) = found.map_err(|error| refused(error, "X"))?;
    let shown = |(n, loss): (u64, Enclosure)| (n, numbers::Enclosure::of(loss));
    let arrays = gradients.into_iter().map(|g| (g.values().to_vec().into_pyarray(py), g.largest_radius())).collect();
    Ok((losses.into_iter().map(shown).collect(), arrays))
}

/// All that is known of labelled points: the report, its words, and what the catalogue says of the claims behind it, as JSON.
#[pyfunction]
#[pyo3(signature = (points, codes, names, settings, progress = None))]
pub fn bounds<'py>(
    py: Python<'py>,
    points: &Bound<'py, PyUntypedArray>,
    codes: PyReadonlyArray1<'py, u32>,
    names: Vec<String>,
    settings: &str,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<String> {
    let settings: Settings = parsed(settings)?;
    let embeddings = embeddings_of(points, &codes, names)?;
    drop(codes);
    let report = worker::run(py, progress, move |watch| labelled_report(&embeddings, &settings, &**watch))?;
    let report = report.map_err(|error| refused(error, "X"))?;
    let value = json!({
        "format": "contrapositive bounds 1",
        "conclusion": report.conclusion(),
        "reality": report.reality(),
        "conventions": report.conventions(),
        "claims": ledger(report.bounds.iter().map(|row| row.claim)),
        "report": report,
    });
    Ok(value.to_string())
}

/// The losses of pairs of views, as JSON.
#[pyfunction]
#[pyo3(signature = (one, other, settings, progress = None))]
pub fn views(
    py: Python<'_>,
    one: &Bound<'_, PyUntypedArray>,
    other: &Bound<'_, PyUntypedArray>,
    settings: &str,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let settings: ViewSettings = parsed(settings)?;
    let (one, other) = (table("a", one)?, table("b", other)?);
    let found = worker::run(py, progress, move |watch| {
        let cosines = settings.normalize || is_normalized(&one) && is_normalized(&other);
        views_report(&one, &other, &settings, &**watch).map(|report| (report, cosines))
    })?;
    let (report, cosines) = found.map_err(|error| refused(error, "b"))?;
    let value = json!({
        "format": "contrapositive views 1",
        "conclusion": report.conclusion(),
        "cosines": cosines,
        "report": report,
    });
    Ok(value.to_string())
}
