//! Why a network computation was refused.

use crate::ContrastiveError;
use crate::data::DataError;
use enclosures::kernels::{KernelError, first_not_finite};

/// Why a network computation was refused: the value at fault and the limit it broke.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// A number of a shape or of the settings is outside its range.
    #[error("{name} is {value}, expected {limit}")]
    Setting {
        /// Name of the field.
        name: &'static str,
        /// Its value, as text because fields have different types.
        value: String,
        /// The values it may have.
        limit: &'static str,
    },
    /// The numbers of the settings multiply to more `f64` than a computation may hold.
    #[error("{name} would hold more than {limit} numbers")]
    TooLarge {
        /// What would be too large.
        name: &'static str,
        /// The largest number of `f64` allowed.
        limit: usize,
    },
    /// An array has another length than the shape of the network calls for.
    #[error("{name} has {found} values, expected {expected}")]
    WrongLength {
        /// Name of the array.
        name: &'static str,
        /// Its length.
        found: usize,
        /// The length called for.
        expected: usize,
    },
    /// An array does not consist of whole rows, at least one.
    #[error("{name} has {found} values, expected a positive multiple of {row}")]
    Ragged {
        /// Name of the array.
        name: &'static str,
        /// Its length.
        found: usize,
        /// Length of a row.
        row: usize,
    },
    /// The data has another dimension than the network.
    #[error("points of dimension {found} for a network on dimension {expected}")]
    WrongDimension {
        /// Dimension of the data.
        found: usize,
        /// Input dimension of the network.
        expected: usize,
    },
    /// A number is NaN or infinite: given so, or by overflow.
    #[error("{name} at position {index} is {value}, only finite numbers are accepted")]
    NotFinite {
        /// Name of the array.
        name: &'static str,
        /// Position in the array.
        index: usize,
        /// The value.
        value: f64,
    },
    /// Training left the range of `f64`.
    #[error("training diverged at step {step}")]
    Diverged {
        /// Number of updates made before.
        step: usize,
        /// The computation that overflowed.
        #[source]
        source: Box<NetworkError>,
    },
    /// The loss of the outputs could not be had.
    #[error(transparent)]
    Contrast(#[from] ContrastiveError),
    /// The points could not be had.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Matrices and batches that do not fit together.
    #[error(transparent)]
    Product(#[from] KernelError),
}

/// Refuses the first value of an array that is NaN or infinite.
pub(super) fn all_finite(name: &'static str, values: &[f64]) -> Result<(), NetworkError> {
    match first_not_finite(values) {
        Some(index) => Err(NetworkError::NotFinite { name, index, value: values[index] }),
        None => Ok(()),
    }
}

/// Counts the rows of an array that must consist of whole rows, at least one.
pub(super) fn whole_rows(name: &'static str, values: &[f64], row: usize) -> Result<usize, NetworkError> {
    match values.len().checked_rem(row) {
        Some(0) if !values.is_empty() => Ok(values.len() / row),
        _ => Err(NetworkError::Ragged { name, found: values.len(), row }),
    }
}
