//! What can be wrong with the input of a kernel: only its shape.

use thiserror::Error;

/// A refused input.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum KernelError {
    /// Input and output differ in length.
    #[error("{input} numbers do not fit an output of {output}")]
    Length {
        /// Length of the input.
        input: usize,
        /// Length of the output.
        output: usize,
    },
    /// A flat array is not a matrix of the shape that the other arguments ask for.
    #[error("{what} has {found} numbers, which are not {rows} rows of {columns}")]
    Shape {
        /// Which array.
        what: &'static str,
        /// Its length.
        found: usize,
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        columns: usize,
    },
}
