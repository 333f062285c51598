//! NumPy's `.npz`: a zip archive of `.npy` files.

use std::io::{Cursor, Read};

use contrastive::data::{DataError, LARGEST_FILE};
use zip::ZipArchive;
use zip::result::ZipError;

/// The array of a given name, or the only one: how it is called in errors, and the bytes of its `.npy` file.
pub(super) fn member(input: &str, bytes: &[u8], asked: Option<&str>) -> Result<(String, Vec<u8>), DataError> {
    let malformed = |error: ZipError| DataError::Malformed {
        input: input.to_owned(),
        reason: error.to_string(),
    };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(malformed)?;
    let mut names: Vec<String> = archive
        .file_names()
        .filter_map(|name| Some(name.ok()?.strip_suffix(".npy")?.to_owned()))
        .collect();
    names.sort_unstable();
    let wanted = match (asked, names.as_slice()) {
        (None, [only]) => only.clone(),
        (Some(name), _) if names.iter().any(|other| other == name) => name.to_owned(),
        _ => {
            return Err(DataError::NoSuchArray {
                input: input.to_owned(),
                format: "a NumPy archive",
                asked: asked.map(str::to_owned),
                found: names,
            });
        }
    };
    let name = format!("{input}:{wanted}");
    let mut array = Vec::new();
    let file = archive.by_name(&format!("{wanted}.npy")).map_err(malformed)?;
    // What it says of its own size is not trusted.
    let read = file.take(LARGEST_FILE + 1).read_to_end(&mut array);
    match read {
        Err(error) => Err(DataError::Malformed {
            input: name,
            reason: error.to_string(),
        }),
        Ok(length) if length as u64 > LARGEST_FILE => Err(DataError::Endless {
            input: name,
            limit: LARGEST_FILE,
        }),
        Ok(_) => Ok((name, array)),
    }
}
