//! Data that a claim puts before the reader beside its verdict: the curves of a figure, a table of measurements.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::trial::{MeasureError, Trial};
use enclosures::enclosure::Enclosure;

/// A column's name, and its unit; empty for a pure number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// What is measured.
    pub name: String,
    /// In which unit ("nats").
    pub unit: String,
}

/// One cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Cell {
    /// A number; the report prints no digit that its enclosure does not support, and at most four.
    Number(Enclosure),
    /// A size or a count, printed in full.
    Count(u64),
    /// A word.
    Text(String),
}

impl From<f64> for Cell {
    fn from(x: f64) -> Self {
        Cell::Number(Enclosure::measured(x))
    }
}

impl From<Enclosure> for Cell {
    fn from(x: Enclosure) -> Self {
        Cell::Number(x)
    }
}

impl From<u64> for Cell {
    fn from(x: u64) -> Self {
        Cell::Count(x)
    }
}

impl From<usize> for Cell {
    fn from(x: usize) -> Self {
        Cell::Count(x as u64)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell::Text(text)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Number(x) => write!(f, "{x:.4}"),
            Cell::Count(n) => write!(f, "{n}"),
            Cell::Text(text) => f.write_str(text),
        }
    }
}

/// Why a series is not a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SeriesError {
    /// It has no column, or no row.
    #[error("a series has at least one column and one row, this one has {columns} and {rows}")]
    Empty {
        /// Columns.
        columns: usize,
        /// Rows.
        rows: usize,
    },
    /// A row is too short or too long.
    #[error("row {row} has {found} entries for {expected} columns")]
    Ragged {
        /// The row, counted from zero.
        row: usize,
        /// Its entries.
        found: usize,
        /// Columns.
        expected: usize,
    },
}

/// A small table with named columns, computed in the run and written into the report.
///
/// ```
/// use contrapositive::claim::Series;
/// let mut squares = Series::of([("side", "m"), ("area", "m²")]).noting("exact");
/// for side in 1..=3u64 {
///     squares.push([side.into(), (side as f64 * side as f64).into()]);
/// }
/// assert_eq!((squares.rows().len(), squares.rows()[2][1].to_string()), (3, "9".to_owned()));
/// assert!(squares.check().is_ok());
/// squares.push([4u64.into()]);
/// assert!(squares.check().is_err());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Series {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    note: Option<String>,
}

impl Series {
    /// A table with these columns, each a name and a unit, and no rows yet.
    #[must_use]
    pub fn of<N: Into<String>, U: Into<String>>(columns: impl IntoIterator<Item = (N, U)>) -> Self {
        let column = |(name, unit): (N, U)| Column { name: name.into(), unit: unit.into() };
        Series { columns: columns.into_iter().map(column).collect(), ..Self::default() }
    }

    /// Adds a row: one entry for each column.
    pub fn push(&mut self, entries: impl IntoIterator<Item = Cell>) {
        self.rows.push(entries.into_iter().collect());
    }

    /// What else a reader should know, computed with the table: how many runs, a correlation.
    #[must_use]
    pub fn noting(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// The columns.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The rows, in the order in which they were added.
    #[must_use]
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// The note.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Whether this is a table.
    ///
    /// # Errors
    /// No column or no row; a row that is too short or too long.
    pub fn check(&self) -> Result<(), SeriesError> {
        let expected = self.columns.len();
        if expected == 0 || self.rows.is_empty() {
            return Err(SeriesError::Empty { columns: expected, rows: self.rows.len() });
        }
        match self.rows.iter().position(|row| row.len() != expected) {
            Some(row) => Err(SeriesError::Ragged { row, found: self.rows[row].len(), expected }),
            None => Ok(()),
        }
    }
}

type Compute = Box<dyn Fn(&mut Trial) -> Result<Series, MeasureError> + Send + Sync>;

/// A series as declared: its name within the claim, what it shows, and how it is computed.
pub(crate) struct DeclaredSeries {
    pub(crate) id: &'static str,
    pub(crate) caption: &'static str,
    pub(crate) compute: Compute,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs() -> Series {
        let mut pairs = Series::of([("size", ""), ("time", "s")]).noting("measured");
        pairs.push([1u64.into(), 0.5.into()]);
        pairs
    }

    #[test]
    fn a_table_is_rectangular_and_not_empty() {
        assert_eq!(pairs().check(), Ok(()));
        assert_eq!((pairs().note(), pairs().columns()[1].unit.as_str()), (Some("measured"), "s"));
        let (none, bare) = (Series::default(), Series::of([("size", "")]));
        assert_eq!(none.check(), Err(SeriesError::Empty { columns: 0, rows: 0 }));
        assert_eq!(bare.check(), Err(SeriesError::Empty { columns: 1, rows: 0 }));
        for entries in [1, 3] {
            let mut ragged = pairs();
            ragged.push((0..entries).map(|i: u64| i.into()));
            let (row, found, expected) = (1, entries as usize, 2);
            assert_eq!(ragged.check(), Err(SeriesError::Ragged { row, found, expected }));
        }
    }

    #[test]
    fn a_cell_shows_its_number_count_or_word() {
        let shown = |entry: Cell| entry.to_string();
        assert_eq!(shown(7usize.into()), "7");
        assert_eq!((shown("nats".into()), shown("a day".to_owned().into())), ("nats".into(), "a day".into()));
        assert_eq!(shown(Enclosure::from(2).into()), "2");
        assert_eq!(Cell::from(0.5), Cell::Number(Enclosure::measured(0.5)));
    }
}
