//! A dense matrix of intervals: every matrix whose entries lie in them.

use super::{Matrix, MatrixError};
use crate::interval::{self, Interval};
use crate::vectors;

/// Columns of a product that are summed together.
const TOGETHER: usize = 4;

/// A `rows x columns` matrix of intervals, stored row by row; stands for all matrices of doubles or reals inside.
///
/// Every operation returns an interval matrix (or interval) that contains the result for every matrix inside the operands.
/// Entries may be unbounded; both sides are at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct IntervalMatrix {
    rows: usize,
    columns: usize,
    entries: Vec<Interval>,
}

impl IntervalMatrix {
    /// The matrix with these entries, row by row.
    ///
    /// # Errors
    /// An empty side or a wrong number of entries.
    pub fn new(rows: usize, columns: usize, entries: Vec<Interval>) -> Result<Self, MatrixError> {
        if rows == 0 || columns == 0 {
            return Err(MatrixError::Empty { rows, columns });
        }
        if rows.checked_mul(columns) != Some(entries.len()) {
            let found = entries.len();
            return Err(MatrixError::WrongCount { found, rows, columns });
        }
        Ok(IntervalMatrix { rows, columns, entries })
    }

    /// The matrix whose entry at (row, column) is `entry(row, column)`.
    ///
    /// # Errors
    /// An empty side.
    pub fn from_fn(
        rows: usize,
        columns: usize,
        mut entry: impl FnMut(usize, usize) -> Interval,
    ) -> Result<Self, MatrixError> {
        let mut entries = Vec::new();
        for i in 0..rows {
            entries.extend((0..columns).map(|j| entry(i, j)));
        }
        Self::new(rows, columns, entries)
    }

    /// The identity matrix of this size.
    ///
    /// # Errors
    /// Size zero.
    pub fn identity(size: usize) -> Result<Self, MatrixError> {
        Self::from_fn(size, size, |i, j| if i == j { Interval::ONE } else { Interval::ZERO })
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
    pub fn get(&self, row: usize, column: usize) -> Option<Interval> {
        (column < self.columns).then(|| self.entries.get(row * self.columns + column).copied()).flatten()
    }

    /// The entry at a place known to exist.
    ///
    /// # Panics
    /// There is no such place.
    #[must_use]
    pub fn at(&self, row: usize, column: usize) -> Interval {
        assert!(column < self.columns, "column {column} of {}", self.columns);
        self.entries[row * self.columns + column]
    }

    /// All rows, from the first.
    pub fn row_iter(&self) -> impl Iterator<Item = &[Interval]> {
        self.entries.chunks_exact(self.columns)
    }

    /// All entries, row by row.
    #[must_use]
    pub fn entries(&self) -> &[Interval] {
        &self.entries
    }

    /// The matrix of the numbers [`Interval::midpoint`]; all of them are finite.
    #[must_use]
    pub fn midpoint(&self) -> Matrix {
        let middle = |e: &Interval| e.midpoint().clamp(f64::MIN, f64::MAX);
        Matrix::known(self.rows, self.columns, self.entries.iter().map(middle).collect())
    }

    /// Whether the entries of `matrix` lie in these intervals, shape included.
    #[must_use]
    pub fn contains(&self, matrix: &Matrix) -> bool {
        (self.rows, self.columns) == (matrix.rows(), matrix.columns())
            && self.entries.iter().zip(matrix.entries()).all(|(e, &x)| e.contains(x))
    }

    /// The largest width of an entry.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.entries.iter().map(|e| e.width()).fold(0.0, f64::max)
    }

    /// The largest absolute value that an entry may have.
    #[must_use]
    pub fn magnitude(&self) -> f64 {
        vectors::largest_magnitude(&self.entries)
    }

    /// The transposed matrix.
    #[must_use]
    pub fn transpose(&self) -> Self {
        let mut entries = Vec::with_capacity(self.entries.len());
        for j in 0..self.columns {
            entries.extend((0..self.rows).map(|i| self.at(i, j)));
        }
        IntervalMatrix { rows: self.columns, columns: self.rows, entries }
    }

    fn shapes(&self, operation: &'static str, other: &Self) -> MatrixError {
        MatrixError::Shapes { operation, left: (self.rows, self.columns), right: (other.rows, other.columns) }
    }

    /// The matrix product `self * other`.
    ///
    /// # Errors
    /// `self` has not as many columns as `other` has rows.
    pub fn product(&self, other: &Self) -> Result<Self, MatrixError> {
        if self.columns != other.rows {
            return Err(self.shapes("product", other));
        }
        let right = other.transpose();
        let mut entries = Vec::with_capacity(self.rows * other.columns);
        // A sum waits for its last term; those of other columns need not.
        let blocks = right.entries.chunks_exact(TOGETHER * self.columns);
        let rest = blocks.remainder();
        for row in self.row_iter() {
            for block in blocks.clone() {
                let columns: [&[Interval]; TOGETHER] =
                    std::array::from_fn(|c| &block[c * self.columns..(c + 1) * self.columns]);
                let mut sums = [Interval::ZERO; TOGETHER];
                for (k, &a) in row.iter().enumerate() {
                    for (sum, column) in sums.iter_mut().zip(columns) {
                        *sum += a * column[k];
                    }
                }
                entries.extend(sums);
            }
            for column in rest.chunks_exact(self.columns) {
                entries.push(row.iter().zip(column).map(|(&a, &b)| a * b).sum());
            }
        }
        Ok(IntervalMatrix { rows: self.rows, columns: other.columns, entries })
    }

    fn entrywise(
        &self,
        operation: &'static str,
        other: &Self,
        f: impl Fn(Interval, Interval) -> Interval,
    ) -> Result<Self, MatrixError> {
        if (self.rows, self.columns) != (other.rows, other.columns) {
            return Err(self.shapes(operation, other));
        }
        let entries = self.entries.iter().zip(&other.entries);
        Ok(IntervalMatrix {
            rows: self.rows,
            columns: self.columns,
            entries: entries.map(|(&a, &b)| f(a, b)).collect(),
        })
    }

    /// The sum of two matrices of one shape.
    ///
    /// # Errors
    /// Different shapes.
    pub fn plus(&self, other: &Self) -> Result<Self, MatrixError> {
        self.entrywise("sum", other, |a, b| a + b)
    }

    /// The difference `self - other` of two matrices of one shape.
    ///
    /// # Errors
    /// Different shapes.
    pub fn minus(&self, other: &Self) -> Result<Self, MatrixError> {
        self.entrywise("difference", other, |a, b| a - b)
    }

    /// Every entry multiplied by `factor`.
    #[must_use]
    pub fn scaled(&self, factor: impl Into<Interval>) -> Self {
        let factor = factor.into();
        IntervalMatrix {
            rows: self.rows,
            columns: self.columns,
            entries: self.entries.iter().map(|&e| e * factor).collect(),
        }
    }

    /// The symmetric part `(A + A^T) / 2` of a square matrix.
    ///
    /// # Errors
    /// Not square.
    pub fn symmetric_part(&self) -> Result<Self, MatrixError> {
        self.square_side()?;
        Ok(self.plus(&self.transpose())?.scaled(0.5))
    }

    /// The image of a vector.
    ///
    /// # Errors
    /// The vector has not as many entries as the matrix has columns.
    pub fn times_vector(&self, vector: &[Interval]) -> Result<Vec<Interval>, MatrixError> {
        if vector.len() != self.columns {
            return Err(MatrixError::Shapes {
                operation: "product",
                left: (self.rows, self.columns),
                right: (vector.len(), 1),
            });
        }
        let dot = |row: &[Interval]| row.iter().zip(vector).map(|(&a, &b)| a * b).sum();
        Ok(self.row_iter().map(dot).collect())
    }

    /// The side of a square matrix.
    ///
    /// # Errors
    /// The matrix is not square.
    pub fn square_side(&self) -> Result<usize, MatrixError> {
        if self.rows == self.columns {
            Ok(self.rows)
        } else {
            Err(MatrixError::NotSquare { rows: self.rows, columns: self.columns })
        }
    }

    /// The trace of a square matrix.
    ///
    /// # Errors
    /// Not square.
    pub fn trace(&self) -> Result<Interval, MatrixError> {
        Ok((0..self.square_side()?).map(|i| self.at(i, i)).sum())
    }

    /// The square `||A||_F^2 = sum of a_ij^2` of the Frobenius norm.
    #[must_use]
    pub fn frobenius_norm_squared(&self) -> Interval {
        let squares: Vec<Interval> = self.entries.iter().map(|e| e.square()).collect();
        let sum = interval::sum(&squares);
        Interval::new(sum.lo().max(0.0), sum.hi())
    }

    /// The Frobenius norm.
    #[must_use]
    pub fn frobenius_norm(&self) -> Interval {
        self.frobenius_norm_squared().sqrt()
    }

    /// The operator norm of the maximum norm, `||A||_inf = max_i sum_j |a_ij|`.
    #[must_use]
    pub fn infinity_norm(&self) -> Interval {
        self.row_iter().map(|row| row.iter().map(|e| e.abs()).sum()).fold(Interval::ZERO, Interval::max)
    }
}

impl From<&Matrix> for IntervalMatrix {
    fn from(matrix: &Matrix) -> Self {
        IntervalMatrix {
            rows: matrix.rows(),
            columns: matrix.columns(),
            entries: matrix.entries().iter().map(|&x| Interval::point(x)).collect(),
        }
    }
}

impl From<Matrix> for IntervalMatrix {
    fn from(matrix: Matrix) -> Self {
        (&matrix).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integers(rows: usize, columns: usize, entries: &[i32]) -> IntervalMatrix {
        IntervalMatrix::new(rows, columns, entries.iter().map(|&x| Interval::point(x.into())).collect()).unwrap()
    }

    #[test]
    fn the_largest_magnitude_looks_at_both_ends_of_every_entry() {
        let entries = vec![Interval::new(-3.0, 1.0), Interval::point(2.0)];
        assert_eq!(IntervalMatrix::new(2, 1, entries).unwrap().magnitude(), 3.0);
    }

    #[test]
    #[should_panic(expected = "column 2 of 2")]
    fn a_place_beyond_the_last_column_is_none() {
        let _ = integers(2, 2, &[1, 2, 3, 4]).at(0, 2);
    }

    #[test]
    fn integer_arithmetic_is_exact() {
        let (a, b) = (integers(2, 3, &[1, 2, 3, 4, 5, 6]), integers(3, 2, &[7, 8, 9, 10, 11, 12]));
        assert_eq!(a.product(&b).unwrap(), integers(2, 2, &[58, 64, 139, 154]));
        assert_eq!(a.product(&b).unwrap().trace().unwrap(), Interval::point(212.0));
        assert_eq!(a.infinity_norm(), Interval::point(15.0));
        assert_eq!(a.frobenius_norm_squared(), Interval::point(91.0));
        let image = a.times_vector(&[Interval::ONE; 3]).unwrap();
        assert_eq!(image, [Interval::point(6.0), Interval::point(15.0)]);
        assert!(a.product(&a).is_err() && a.trace().is_err() && a.plus(&b).is_err());
        assert!(a.times_vector(&image).is_err());
    }

    #[test]
    fn the_symmetric_part_is_symmetric() {
        let a = integers(2, 2, &[0, 1, 0, 0]).symmetric_part().unwrap();
        assert_eq!(a, a.transpose());
        assert_eq!(a.get(0, 1), Some(Interval::point(0.5)));
    }
}
