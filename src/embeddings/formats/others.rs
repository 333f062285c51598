//! The formats behind the feature `formats`: each is read by a crate of its own.

use std::borrow::Cow;

use contrastive::data::{ClassNames, DataError};

use super::columns::{Columns, Coordinates, without_columns};
use super::source::OtherFormat;
use super::{columnar, delimited, tensors, zipped};

/// The columns that are chosen or are coordinates, or the array of a given name, as a table; `without` is the column that holds the labels.
pub(super) fn table(
    format: OtherFormat,
    input: &str,
    bytes: Cow<'_, [u8]>,
    asked: Option<&str>,
    columns: &Columns,
    without: Option<&str>,
) -> Result<Coordinates, DataError> {
    let asked_alone = asked.map(|name| Columns::Chosen(vec![name.to_owned()]));
    let wanted = asked_alone.as_ref().unwrap_or(columns);
    match format {
        OtherFormat::Zip => {
            without_columns(input, "an archive of NumPy", columns)?;
            zipped::table(input, &bytes, asked).map(Coordinates::from)
        }
        OtherFormat::Safetensors => {
            without_columns(input, "safetensors", columns)?;
            tensors::table(input, &bytes, asked).map(Coordinates::from)
        }
        OtherFormat::Parquet => columnar::table(input, bytes.into_owned(), wanted, without),
        OtherFormat::Text => delimited::table(input, &bytes, wanted, without),
    }
}

/// How many rows a file says that it has; none where it does not say so or cannot be read, which its reader tells.
pub(super) fn announced_rows(format: OtherFormat, input: &str, bytes: &[u8], asked: Option<&str>) -> Option<u64> {
    match format {
        OtherFormat::Zip => zipped::announced_rows(input, bytes, asked),
        OtherFormat::Safetensors => tensors::announced_rows(input, bytes, asked),
        OtherFormat::Parquet => columnar::announced_rows(input, bytes),
        OtherFormat::Text => None,
    }
}

/// The array or column of a given name, or the only one, as the class of every point.
pub(super) fn classes(
    format: OtherFormat,
    input: &str,
    bytes: &[u8],
    asked: Option<&str>,
) -> Result<ClassNames, DataError> {
    match format {
        OtherFormat::Zip => zipped::classes(input, bytes, asked),
        OtherFormat::Safetensors => tensors::classes(input, bytes, asked),
        OtherFormat::Parquet => columnar::classes(input, bytes.to_vec(), asked),
        OtherFormat::Text => delimited::classes(input, bytes, asked),
    }
}
