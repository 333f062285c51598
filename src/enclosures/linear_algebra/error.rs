//! What can be wrong with a matrix or with a pair of them.

use thiserror::Error;

/// A matrix that cannot be built, or an operation that is not defined for its operands.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// A side of length zero.
    #[error("a matrix needs at least one row and one column, this one is {rows} x {columns}")]
    Empty {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// Rows of different lengths.
    #[error("row {row} has {found} entries where the first row has {expected}")]
    Ragged {
        /// Index of the row at fault, from 0.
        row: usize,
        /// Its length.
        found: usize,
        /// The length of row 0.
        expected: usize,
    },
    /// As many entries as `rows * columns` were expected.
    #[error("{found} entries do not fill a {rows} x {columns} matrix")]
    WrongCount {
        /// Number of entries given.
        found: usize,
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// NaN or an infinity.
    #[error("entry ({row}, {column}) is {value}, not a finite number")]
    NotFinite {
        /// Row, from 0.
        row: usize,
        /// Column, from 0.
        column: usize,
        /// The entry.
        value: f64,
    },
    /// Two operands whose shapes do not go together.
    #[error("the {operation} of a {} x {} and a {} x {} matrix is not defined", left.0, left.1, right.0, right.1)]
    Shapes {
        /// What was to be computed.
        operation: &'static str,
        /// Rows and columns of the left operand.
        left: (usize, usize),
        /// Rows and columns of the right operand.
        right: (usize, usize),
    },
    /// A square matrix was needed.
    #[error("a square matrix is needed, this one is {rows} x {columns}")]
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// No symmetric matrix lies inside the interval matrix.
    #[error("entries ({row}, {column}) and ({column}, {row}) have no number in common")]
    NotSymmetric {
        /// Row, from 0.
        row: usize,
        /// Column, from 0.
        column: usize,
    },
    /// Orthonormal columns longer than they are many were needed.
    #[error("{columns} orthonormal columns do not fit into dimension {rows}")]
    TooManyColumns {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// A plane is spanned by two different coordinates of the space.
    #[error("coordinates {first} and {second} do not span a plane of dimension-{size} space")]
    Plane {
        /// First coordinate, from 0.
        first: usize,
        /// Second coordinate, from 0.
        second: usize,
        /// Dimension of the space.
        size: usize,
    },
    /// A series around the identity was asked for a matrix too far from it.
    #[error(
        "the Gram matrix lies at distance {distance} from the identity, where its inverse square root is not computed"
    )]
    FarFromIdentity {
        /// Frobenius norm of the difference.
        distance: f64,
    },
    /// Columns that rounding does not let tell apart from dependent ones.
    #[error("column {column} may depend on the columns before it")]
    MayBeSingular {
        /// Index of the column, from 0.
        column: usize,
    },
}
