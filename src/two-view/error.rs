//! What can be wrong with a two-view model or with a question to it.

use thiserror::Error;

use enclosures::initial_value::InitialValueError;
use enclosures::linear_algebra::MatrixError;

/// Why a quantity of the two-view model cannot be computed.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MultimodalError {
    /// Two parts do not fit together.
    #[error("{what}: found {found}, expected {expected}")]
    Shape {
        /// Which part.
        what: &'static str,
        /// Its size.
        found: usize,
        /// What it must be.
        expected: usize,
    },
    /// A model without signal.
    #[error("there must be at least one signal direction")]
    NoSignal,
    /// Enumeration visits 4^d pairs of latent states.
    #[error("{latents} latent coordinates are too many to enumerate (at most {limit})")]
    TooManyLatents {
        /// Signal and noise coordinates together.
        latents: usize,
        /// The limit.
        limit: usize,
    },
    /// Representations are divided by their root mean square, which must be positive.
    #[error("the mean square {value} of the outputs of view {view} is not positive")]
    Normaliser {
        /// "A" or "B".
        view: &'static str,
        /// The value met.
        value: f64,
    },
    /// A quantity outside its domain.
    #[error("{what} is {value}, which must be {domain}")]
    Domain {
        /// Which quantity.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What is allowed.
        domain: &'static str,
    },
    /// A flow could not be followed.
    #[error(transparent)]
    Flow(#[from] InitialValueError),
    /// An eigenvalue could not be enclosed.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
}

/// Refuses a size that is not the expected one.
pub(super) fn check_size(what: &'static str, found: usize, expected: usize) -> Result<(), MultimodalError> {
    if found == expected { Ok(()) } else { Err(MultimodalError::Shape { what, found, expected }) }
}

/// Refuses a value outside its domain; NaN is outside of every domain.
pub(super) fn check_domain(
    what: &'static str,
    value: f64,
    inside: impl Fn(f64) -> bool,
    domain: &'static str,
) -> Result<(), MultimodalError> {
    if inside(value) { Ok(()) } else { Err(MultimodalError::Domain { what, value, domain }) }
}
