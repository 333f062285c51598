//! A dense matrix of finite doubles.

use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};

use super::MatrixError;
use crate::kernels::first_not_finite;

/// A `rows x columns` matrix of finite doubles, stored row by row; in JSON, a list of rows.
///
/// Never empty: both sides are at least one. Each double stands for exactly that number.
///
/// ```
/// use contrapositive_enclosures::linear_algebra::Matrix;
/// let m = Matrix::from_rows(vec![vec![1.0, 2.0], vec![3.0, 4.0]])?;
/// assert_eq!(m.transpose().row(0), [1.0, 3.0]);
/// assert_eq!(serde_json::to_string(&m).unwrap(), "[[1.0,2.0],[3.0,4.0]]");
/// # Ok::<(), contrapositive_enclosures::linear_algebra::MatrixError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Vec<f64>>", into = "Vec<Vec<f64>>")]
pub struct Matrix {
    rows: usize,
    columns: usize,
    entries: Vec<f64>,
}

impl Matrix {
    /// The matrix with these entries, row by row.
    ///
    /// # Errors
    /// An empty side, a wrong number of entries, or an entry that is not finite.
    pub fn new(rows: usize, columns: usize, entries: Vec<f64>) -> Result<Self, MatrixError> {
        if rows == 0 || columns == 0 {
            return Err(MatrixError::Empty { rows, columns });
        }
        if rows.checked_mul(columns) != Some(entries.len()) {
            let found = entries.len();
            return Err(MatrixError::WrongCount { found, rows, columns });
        }
        if let Some(at) = first_not_finite(&entries) {
            return Err(MatrixError::NotFinite { row: at / columns, column: at % columns, value: entries[at] });
        }
        Ok(Matrix { rows, columns, entries })
    }

    /// A matrix known to be non-empty, full and finite.
    pub(super) fn known(rows: usize, columns: usize, entries: Vec<f64>) -> Self {
        debug_assert!(rows * columns == entries.len() && !entries.is_empty());
        Matrix { rows, columns, entries }
    }

    /// The matrix with these rows.
    ///
    /// # Errors
    /// No row, an empty row, rows of different lengths, or an entry that is not finite.
    pub fn from_rows(rows: Vec<Vec<f64>>) -> Result<Self, MatrixError> {
        let (count, columns) = (rows.len(), rows.first().map_or(0, Vec::len));
        if let Some(row) = rows.iter().position(|r| r.len() != columns) {
            let found = rows[row].len();
            return Err(MatrixError::Ragged { row, found, expected: columns });
        }
        Self::new(count, columns, rows.into_iter().flatten().collect())
    }

    /// The matrix whose entry at (row, column) is `entry(row, column)`.
    ///
    /// # Errors
    /// An empty side or an entry that is not finite.
    pub fn from_fn(
        rows: usize,
        columns: usize,
        mut entry: impl FnMut(usize, usize) -> f64,
    ) -> Result<Self, MatrixError> {
        let mut entries = Vec::new();
        for i in 0..rows {
            entries.extend((0..columns).map(|j| entry(i, j)));
        }
        Self::new(rows, columns, entries)
    }

    /// The square matrix with this diagonal and zeros elsewhere.
    ///
    /// # Errors
    /// An empty diagonal or an entry that is not finite.
    pub fn diagonal(diagonal: &[f64]) -> Result<Self, MatrixError> {
        let n = diagonal.len();
        Self::from_fn(n, n, |i, j| if i == j { diagonal[i] } else { 0.0 })
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The entry at (row, column), if there is one.
    #[must_use]
    pub fn get(&self, row: usize, column: usize) -> Option<f64> {
        (column < self.columns).then(|| self.entries.get(row * self.columns + column).copied()).flatten()
    }

    /// A row; empty when there is no such row.
    #[must_use]
    pub fn row(&self, row: usize) -> &[f64] {
        if row < self.rows { &self.entries[row * self.columns..(row + 1) * self.columns] } else { &[] }
    }

    /// All rows, from the first.
    pub fn row_iter(&self) -> impl Iterator<Item = &[f64]> {
        self.entries.chunks_exact(self.columns)
    }

    /// All entries, row by row.
    #[must_use]
    pub fn entries(&self) -> &[f64] {
        &self.entries
    }

    /// The rows as owned vectors.
    #[must_use]
    pub fn to_rows(&self) -> Vec<Vec<f64>> {
        self.row_iter().map(<[f64]>::to_vec).collect()
    }

    /// The transposed matrix.
    #[must_use]
    pub fn transpose(&self) -> Matrix {
        let mut entries = Vec::with_capacity(self.entries.len());
        for j in 0..self.columns {
            entries.extend((0..self.rows).map(|i| self.entries[i * self.columns + j]));
        }
        Matrix { rows: self.columns, columns: self.rows, entries }
    }

    /// The matrix product in ordinary rounded arithmetic, sums in a fixed order: the same bits on every machine, no error bound.
    ///
    /// # Errors
    /// `self` has not as many columns as `other` has rows, or an entry overflows.
    pub fn rounded_product(&self, other: &Matrix) -> Result<Matrix, MatrixError> {
        if self.columns != other.rows {
            return Err(MatrixError::Shapes {
                operation: "product",
                left: (self.rows, self.columns),
                right: (other.rows, other.columns),
            });
        }
        let right = other.transpose();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum();
        Self::from_fn(self.rows, other.columns, |i, j| dot(self.row(i), right.row(j)))
    }

    /// The same matrix in the type of the `nalgebra` crate.
    #[must_use]
    pub fn to_nalgebra(&self) -> DMatrix<f64> {
        DMatrix::from_row_slice(self.rows, self.columns, &self.entries)
    }

    /// The matrix with these entries in the type of the `nalgebra` crate.
    ///
    /// # Errors
    /// An empty side or an entry that is not finite.
    pub fn from_nalgebra(matrix: &DMatrix<f64>) -> Result<Self, MatrixError> {
        Self::from_fn(matrix.nrows(), matrix.ncols(), |i, j| matrix[(i, j)])
    }
}

impl TryFrom<Vec<Vec<f64>>> for Matrix {
    type Error = MatrixError;
    fn try_from(rows: Vec<Vec<f64>>) -> Result<Self, MatrixError> {
        Self::from_rows(rows)
    }
}

impl From<Matrix> for Vec<Vec<f64>> {
    fn from(matrix: Matrix) -> Self {
        matrix.to_rows()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_input_is_refused_by_name() {
        assert_eq!(Matrix::from_rows(vec![]), Err(MatrixError::Empty { rows: 0, columns: 0 }));
        assert_eq!(
            Matrix::from_rows(vec![vec![1.0], vec![]]),
            Err(MatrixError::Ragged { row: 1, found: 0, expected: 1 })
        );
        assert!(matches!(
            Matrix::new(1, 2, vec![0.0, f64::NAN]),
            Err(MatrixError::NotFinite { row: 0, column: 1, .. })
        ));
        assert!(Matrix::new(2, 2, vec![0.0]).is_err());
        assert!(serde_json::from_str::<Matrix>("[[1.0],[2.0,3.0]]").is_err());
    }

    #[test]
    fn transposing_twice_gives_the_matrix_back() {
        let m = Matrix::new(2, 3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        assert_eq!(m.transpose().transpose(), m);
        assert_eq!(m.transpose().get(2, 1), Some(6.0));
        assert_eq!(m.get(0, 3), None);
        assert_eq!(Matrix::from_nalgebra(&m.to_nalgebra()).unwrap(), m);
    }
}
