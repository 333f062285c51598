//! What stands for the readers of other formats in a build without the feature `formats`: a refusal that names the feature.

use std::borrow::Cow;

use contrastive::data::{ClassNames, DataError};

use super::columns::{Columns, Coordinates};
use super::source::OtherFormat;

/// Names the missing feature.
pub(super) fn table(
    format: OtherFormat,
    input: &str,
    _bytes: Cow<'_, [u8]>,
    _asked: Option<&str>,
    _columns: &Columns,
    _without: Option<&str>,
) -> Result<Coordinates, DataError> {
    Err(refused(format, input))
}

/// Names the missing feature.
pub(super) fn classes(
    format: OtherFormat,
    input: &str,
    _bytes: &[u8],
    _asked: Option<&str>,
) -> Result<ClassNames, DataError> {
    Err(refused(format, input))
}

/// None.
pub(super) fn announced_rows(_format: OtherFormat, _input: &str, _bytes: &[u8], _asked: Option<&str>) -> Option<u64> {
    None
}

fn refused(format: OtherFormat, input: &str) -> DataError {
    DataError::OtherFormat {
        input: input.to_owned(),
        found: match format {
            OtherFormat::Zip => "an archive of NumPy (.npz)",
            OtherFormat::Safetensors => "safetensors",
            OtherFormat::Parquet => "Parquet",
            OtherFormat::Text => "CSV",
        },
        advice: "save the array by numpy.save, or build with the feature `formats`: cargo install --path \
                 verify/command-line --features full",
    }
}
