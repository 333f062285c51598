//! The formats behind the feature `formats`: each is read by a crate of its own.

use std::borrow::Cow;

use contrastive::data::{ClassNames, DataError, Table};

use super::source::OtherFormat;
use super::{columnar, delimited, tensors, zipped};

pub(super) use super::delimited::label_like;

/// All columns, or the array of a given name, as a table; `without` is the column that holds the labels.
pub(super) fn table(
    format: OtherFormat,
    input: &str,
    bytes: Cow<'_, [u8]>,
    asked: Option<&str>,
    without: Option<&str>,
) -> Result<Table, DataError> {
    match format {
        OtherFormat::Zip => zipped::table(input, &bytes, asked),
        OtherFormat::Safetensors => tensors::table(input, &bytes, asked),
        OtherFormat::Parquet => columnar::table(input, bytes.into_owned(), asked, without),
        OtherFormat::Text => delimited::table(input, &bytes, asked, without),
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
