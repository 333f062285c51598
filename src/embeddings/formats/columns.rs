//! Which columns of a file are to be coordinates, and what comes of them.

use contrastive::data::{DataError, NumberTable};

/// Which columns of Parquet or CSV are coordinates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Columns {
    /// All but the labels and what numbers the rows: an index by the file's metadata, an index or an id by its name, whole numbers that are all
    /// different. What is left out so is said in [`Embeddings::reading`](crate::Embeddings::reading).
    #[default]
    Found,
    /// Those of these names, in which `*` stands for any signs, in the order of the file; the labels never.
    Chosen(Vec<String>),
}

/// What was made of a file.
#[derive(Debug)]
pub(super) struct Coordinates {
    pub(super) table: NumberTable,
    /// What was left out and not asked to be, in a sentence.
    pub(super) remark: Option<String>,
    /// A column that was taken and is called like labels.
    pub(super) suspect: Option<String>,
}

impl From<NumberTable> for Coordinates {
    fn from(table: NumberTable) -> Self {
        Coordinates { table, remark: None, suspect: None }
    }
}

/// Refuses a choice of columns of a format that has none.
pub(super) fn without_columns(input: &str, format: &'static str, columns: &Columns) -> Result<(), DataError> {
    match columns {
        Columns::Found => Ok(()),
        Columns::Chosen(_) => Err(DataError::NoColumns { input: input.to_owned(), format }),
    }
}

/// Refuses the name of an array of a format that holds one without a name.
pub(super) fn without_name(input: &str, format: &'static str, asked: Option<&str>) -> Result<(), DataError> {
    match asked {
        None => Ok(()),
        Some(name) => {
            Err(DataError::NoSuchArray { input: input.to_owned(), format, asked: Some(name.into()), found: Vec::new() })
        }
    }
}
