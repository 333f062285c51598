//! A dense matrix over any [`Scalar`], which may have no column: a model without noise has an empty noise block.

use super::MultimodalError;
use super::error::check_size;
use super::scalar::Scalar;

/// A `rows x columns` matrix, row by row; either side may be zero.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixBlock<T> {
    rows: usize,
    columns: usize,
    entries: Vec<T>,
}

impl<T: Scalar> MatrixBlock<T> {
    /// The matrix whose entry at (row, column) is `entry(row, column)`.
    #[must_use]
    pub fn from_fn(rows: usize, columns: usize, mut entry: impl FnMut(usize, usize) -> T) -> Self {
        let mut entries = Vec::with_capacity(rows * columns);
        for i in 0..rows {
            entries.extend((0..columns).map(|j| entry(i, j)));
        }
        MatrixBlock { rows, columns, entries }
    }

    /// The matrix with these entries, row by row.
    ///
    /// # Errors
    /// A wrong number of entries.
    pub fn new(rows: usize, columns: usize, entries: Vec<T>) -> Result<Self, MultimodalError> {
        check_size("entries of a matrix", entries.len(), rows * columns)?;
        Ok(MatrixBlock { rows, columns, entries })
    }

    /// The square matrix with this diagonal.
    #[must_use]
    pub fn diagonal(diagonal: &[T]) -> Self {
        let entry = |i, j| if i == j { diagonal[i] } else { T::from(0.0) };
        Self::from_fn(diagonal.len(), diagonal.len(), entry)
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

    /// All entries, row by row.
    #[must_use]
    pub fn entries(&self) -> &[T] {
        &self.entries
    }

    /// The entry at (row, column); zero outside the matrix.
    #[must_use]
    pub fn at(&self, row: usize, column: usize) -> T {
        if row < self.rows && column < self.columns { self.entries[row * self.columns + column] } else { T::from(0.0) }
    }

    /// A row; empty when there is no such row.
    #[must_use]
    pub fn row(&self, row: usize) -> &[T] {
        self.entries.get(row * self.columns..(row + 1) * self.columns).unwrap_or(&[])
    }

    /// A column as a vector.
    #[must_use]
    pub fn column(&self, column: usize) -> Vec<T> {
        (0..self.rows).map(|i| self.at(i, column)).collect()
    }

    /// The transposed matrix.
    #[must_use]
    pub fn transpose(&self) -> Self {
        Self::from_fn(self.columns, self.rows, |i, j| self.at(j, i))
    }

    /// The product.
    ///
    /// # Errors
    /// `other` has not as many rows as `self` has columns.
    pub fn product(&self, other: &Self) -> Result<Self, MultimodalError> {
        check_size("rows of a right factor", other.rows, self.columns)?;
        let right = other.transpose();
        Ok(Self::from_fn(self.rows, other.columns, |i, j| {
            T::total(self.row(i).iter().zip(right.row(j)).map(|(&a, &b)| a * b))
        }))
    }

    /// `self^T self`, computed once per pair.
    #[must_use]
    pub fn gram(&self) -> Self {
        let columns = self.transpose();
        let mut gram = Self::from_fn(self.columns, self.columns, |_, _| T::from(0.0));
        for i in 0..self.columns {
            for j in 0..=i {
                let pairs = columns.row(i).iter().zip(columns.row(j));
                let value = if i == j {
                    T::total(columns.row(i).iter().map(|a| a.square()))
                } else {
                    T::total(pairs.map(|(&a, &b)| a * b))
                };
                gram.entries[i * self.columns + j] = value;
                gram.entries[j * self.columns + i] = value;
            }
        }
        gram
    }

    /// The sum of two matrices of one shape.
    ///
    /// # Errors
    /// Different shapes.
    pub fn plus(&self, other: &Self) -> Result<Self, MultimodalError> {
        check_size("rows of a summand", other.rows, self.rows)?;
        check_size("columns of a summand", other.columns, self.columns)?;
        Ok(Self::from_fn(self.rows, self.columns, |i, j| self.at(i, j) + other.at(i, j)))
    }

    /// Every entry times `factor`.
    #[must_use]
    pub fn scaled(&self, factor: T) -> Self {
        self.map(|x| x * factor)
    }

    /// Every entry through a function.
    #[must_use]
    pub fn map<S: Scalar>(&self, f: impl Fn(T) -> S) -> MatrixBlock<S> {
        MatrixBlock { rows: self.rows, columns: self.columns, entries: self.entries.iter().map(|&x| f(x)).collect() }
    }

    /// Columns `from..to`; what lies outside the matrix is left out.
    #[must_use]
    pub fn columns_between(&self, from: usize, to: usize) -> Self {
        let (from, to) = (from.min(self.columns), to.min(self.columns));
        Self::from_fn(self.rows, to.saturating_sub(from), |i, j| self.at(i, from + j))
    }

    /// Both matrices side by side.
    ///
    /// # Errors
    /// Different numbers of rows.
    pub fn beside(&self, other: &Self) -> Result<Self, MultimodalError> {
        check_size("rows of a block", other.rows, self.rows)?;
        let left = self.columns;
        Ok(Self::from_fn(
            self.rows,
            left + other.columns,
            |i, j| {
                if j < left { self.at(i, j) } else { other.at(i, j - left) }
            },
        ))
    }

    /// `||M||_F^2`, the sum of the squares of the entries.
    #[must_use]
    pub fn squared_norm(&self) -> T {
        T::total(self.entries.iter().map(|x| x.square()))
    }

    /// The sum of the products of corresponding entries, `<M, N>`; entries without a partner are left out.
    #[must_use]
    pub fn inner(&self, other: &Self) -> T {
        T::total(self.entries.iter().zip(&other.entries).map(|(&a, &b)| a * b))
    }
}
