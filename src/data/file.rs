//! Whole files in memory, with the name they go by in errors.

use std::fs;
use std::path::Path;

use super::DataError;

/// The path as text and the bytes of the file.
pub(super) fn read(path: &Path) -> Result<(String, Vec<u8>), DataError> {
    let input = path.display().to_string();
    match fs::read(path) {
        Ok(bytes) => Ok((input, bytes)),
        Err(source) => Err(DataError::Unreadable { input, source }),
    }
}
