//! A rectangular array of finite numbers.

use super::DataError;
use enclosures::kernels::first_not_finite;

/// A rectangular, non-empty array of finite numbers, stored row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberTable {
    values: Vec<f64>,
    rows: usize,
    columns: usize,
}

impl NumberTable {
    /// Takes `rows * columns` values stored row by row. `input` names the origin of the values in errors.
    ///
    /// # Errors
    /// [`DataError::Empty`] if an axis has length zero, [`DataError::TooLarge`] or [`DataError::Ragged`] if the number of
    /// values is not `rows * columns`, [`DataError::NotFinite`] for the first value that is NaN or infinite.
    pub fn new(input: &str, values: Vec<f64>, rows: usize, columns: usize) -> Result<Self, DataError> {
        if rows == 0 || columns == 0 {
            return Err(DataError::Empty { input: input.to_owned() });
        }
        let expected = rows
            .checked_mul(columns)
            .ok_or_else(|| DataError::TooLarge { input: input.to_owned(), shape: vec![rows as u64, columns as u64] })?;
        if values.len() != expected {
            return Err(DataError::Ragged { input: input.to_owned(), found: values.len(), rows, columns });
        }
        if let Some(at) = first_not_finite(&values) {
            let (row, column) = (at / columns, at % columns);
            return Err(DataError::NotFinite { input: input.to_owned(), row, column, value: values[at] });
        }
        Ok(Self { values, rows, columns })
    }

    /// Number of rows, at least one.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Length of a row, at least one.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// All values, row by row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// All values, row by row, without a copy.
    pub fn into_values(self) -> Vec<f64> {
        self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_keeps_its_values_row_by_row() {
        let table = NumberTable::new("t", vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2, 3).unwrap();
        assert_eq!((table.rows(), table.columns()), (2, 3));
        assert_eq!(table.values()[3], 4.0);
        assert_eq!(table.into_values().len(), 6);
    }

    #[test]
    fn empty_ragged_and_oversized_tables_are_refused() {
        assert!(matches!(NumberTable::new("t", vec![], 0, 3), Err(DataError::Empty { .. })));
        assert!(matches!(NumberTable::new("t", vec![], 3, 0), Err(DataError::Empty { .. })));
        let ragged = NumberTable::new("t", vec![1.0, 2.0, 3.0], 2, 2);
        assert!(matches!(ragged, Err(DataError::Ragged { found: 3, rows: 2, columns: 2, .. })));
        assert!(matches!(NumberTable::new("t", vec![1.0], usize::MAX, 2), Err(DataError::TooLarge { .. })));
    }

    #[test]
    fn the_first_value_that_is_not_finite_is_named() {
        let error = NumberTable::new("t", vec![0.0, 1.0, 2.0, f64::NEG_INFINITY], 2, 2).unwrap_err();
        assert_eq!(error.to_string(), "t: the value at row 1, column 1 is -inf, only finite numbers are accepted");
        assert!(matches!(
            NumberTable::new("t", vec![f64::NAN], 1, 1),
            Err(DataError::NotFinite { row: 0, column: 0, .. })
        ));
    }
}
