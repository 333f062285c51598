//! What can be wrong with data, a model or the sizes of a constrained problem.

use thiserror::Error;

use enclosures::linear_algebra::MatrixError;

/// Data that are no samples, a map that does not take them, or a problem without sizes.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SelfSupervisedError {
    /// No anchor, or anchors of dimension zero.
    #[error("there is no anchor with at least one coordinate")]
    NoAnchor,
    /// A different number of partners than anchors.
    #[error("{found} {role} where there are {expected} anchors")]
    Count {
        /// "positives" or "negatives".
        role: &'static str,
        /// How many there are.
        found: usize,
        /// How many anchors there are.
        expected: usize,
    },
    /// A sample of another dimension than the first anchor.
    #[error("{role} {index} has {found} coordinates where the first anchor has {expected}")]
    Dimension {
        /// "anchor", "positive" or "negative".
        role: &'static str,
        /// Which of them, from 0.
        index: usize,
        /// Its dimension.
        found: usize,
        /// The dimension of the first anchor.
        expected: usize,
    },
    /// NaN or an infinity.
    #[error("{role} {index} has the coordinate {value}, not a finite number")]
    NotFinite {
        /// "anchor", "positive", "negative" or "eigenvalue".
        role: &'static str,
        /// Which of them, from 0.
        index: usize,
        /// The coordinate.
        value: f64,
    },
    /// Input dimension, embedding dimension and width are all at least one.
    #[error("sizes d = {d}, z = {z}, h = {h}: each must be at least one")]
    Sizes {
        /// Input dimension.
        d: usize,
        /// Embedding dimension.
        z: usize,
        /// Hidden width.
        h: usize,
    },
    /// Orthonormal columns need room.
    #[error("width {h} has no room for {d} and {z} orthonormal columns")]
    Infeasible {
        /// Input dimension.
        d: usize,
        /// Embedding dimension.
        z: usize,
        /// Hidden width.
        h: usize,
    },
    /// Matrices that do not fit together.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
}
