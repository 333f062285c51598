//! What can be wrong with a flow or with a question to it.

use thiserror::Error;

use enclosures::kernels::first_not_finite;
use enclosures::linear_algebra::MatrixError;

/// A flow that cannot be set up, or a time at which it has no value.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FlowError {
    /// The spectrum and the start have different dimensions, or none.
    #[error("{found} coordinates where the spectrum has {expected} eigenvalues (at least one)")]
    Dimension {
        /// Coordinates of the start.
        found: usize,
        /// Eigenvalues.
        expected: usize,
    },
    /// NaN or an infinity.
    #[error("{what} {index} is {value}, not a finite number")]
    NotFinite {
        /// "eigenvalue" or "coordinate".
        what: &'static str,
        /// Its index, from 0.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// Flows are followed forward for a finite time.
    #[error("time {0} is not a finite number at or above zero")]
    Time(f64),
    /// No orthonormal weights give such an output.
    #[error("the squared norm {0} of the start is not in [0, 1]")]
    SquaredNorm(f64),
    /// A positive norm needs a direction.
    #[error("the start has norm above zero but its direction is the zero vector")]
    NoDirection,
    /// The three cases 0, between, and 1 are different flows, and rounding hides which one is meant.
    #[error("the squared norm of the start lies in [{lo}, {hi}]: give a direction and the exact squared norm instead")]
    Undecided {
        /// Lower end.
        lo: f64,
        /// Upper end.
        hi: f64,
    },
    /// No box could be shown to contain the orbit over a whole step.
    #[error("a step of {step} from time {time} is too long to be enclosed: take more steps")]
    StepTooLong {
        /// Length of the step.
        step: f64,
        /// Where it began.
        time: f64,
    },
    /// A network too narrow for what is asked of it.
    #[error("a width of {found} where at least {least} is wanted")]
    Width {
        /// The width.
        found: u32,
        /// The least.
        least: u32,
    },
    /// Matrices that do not fit together.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
}

/// Refuses an empty or non-finite spectrum, and a start of another dimension.
pub(super) fn check_spectrum(spectrum: &[f64], coordinates: usize) -> Result<(), FlowError> {
    if spectrum.is_empty() || spectrum.len() != coordinates {
        return Err(FlowError::Dimension { found: coordinates, expected: spectrum.len() });
    }
    check_finite("eigenvalue", spectrum)
}

/// Refuses NaN and infinities by name.
pub(super) fn check_finite(what: &'static str, values: &[f64]) -> Result<(), FlowError> {
    match first_not_finite(values) {
        Some(index) => Err(FlowError::NotFinite { what, index, value: values[index] }),
        None => Ok(()),
    }
}

/// Refuses a time that is negative, NaN or infinite.
pub(super) fn check_time(time: f64) -> Result<(), FlowError> {
    if time.is_finite() && time >= 0.0 { Ok(()) } else { Err(FlowError::Time(time)) }
}
