//! What was refused, as a `ValueError` that begins with the name of the argument at fault.

use contrastive::data::DataError;
use embeddings::EmbeddingsError;
use estimators::EstimatorError;
use estimators::monte_carlo::MonteCarloError;
use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

/// `points` is the name of the argument that holds them.
pub fn refused(error: EmbeddingsError, points: &str) -> PyErr {
    PyValueError::new_err(match &error {
        EmbeddingsError::Sampling(MonteCarloError::Level { .. }) => format!("alpha: {error}"),
        EmbeddingsError::NoNegatives => "negatives: there is none; at least one number is needed".into(),
        EmbeddingsError::Estimator(EstimatorError::Negatives { .. }) | EmbeddingsError::Sampling(_) => {
            format!("negatives: {error}")
        }
        EmbeddingsError::Estimator(EstimatorError::SubsetSize { .. }) => format!("negatives: {error}"),
        EmbeddingsError::Estimator(EstimatorError::Temperature { temperature }) => {
            format!("temperature: {temperature} is not positive and finite, or its reciprocal is not")
        }
        EmbeddingsError::Estimator(EstimatorError::NoPositive { .. }) => format!("self_positive: {error}"),
        EmbeddingsError::Alpha { .. } => error.to_string(),
        EmbeddingsError::TaskSize { .. } => format!("tasks: {error}"),
        // Of pairs, `points` names the second ones.
        EmbeddingsError::ZeroRow { row, second } => {
            let of = if *second || points == "X" { points } else { "a" };
            format!("normalize: row {row} of {of} is zero and has no direction")
        }
        EmbeddingsError::NotPositive { name, value } => {
            format!("{}: {value} is not positive and finite", name.replace('-', "_"))
        }
        EmbeddingsError::NotAPixel { .. } => format!("pixels: {error}"),
        EmbeddingsError::OnePair => format!("{points}: {error}"),
        EmbeddingsError::NoGradient { .. } => format!("gradient: {error}"),
        EmbeddingsError::Work { needed, allowed } => format!(
            "work: this takes about {needed:.1e} multiplications, more than the {allowed:.1e} allowed; allow more, or \
             leave out what has to be exact"
        ),
        // The library calls the arrays of pairs by other words.
        EmbeddingsError::Data(DataError::WrongShape { input, .. }) if input != points => format!("{points}: {error}"),
        EmbeddingsError::Data(_) => error.to_string(),
        _ => format!("{points}: {error}"),
    })
}
