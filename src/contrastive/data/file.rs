//! Whole files in memory, with the name they go by in errors.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::DataError;

/// The largest file that is read, in bytes: half a billion doubles. What has no end is left there.
pub const LARGEST_FILE: u64 = 1 << 32;
/// The most numbers that are read from a file: 4 GiB of doubles. A file may be a thousand times smaller than what it holds, by compression,
/// and eight times by small types.
pub const MOST_NUMBERS: u64 = 1 << 29;
/// The most labels that are read from a file, each of which may be a word.
pub const MOST_LABELS: u64 = 1 << 26;

/// Refuses more numbers than are read, before there is room for them.
///
/// # Errors
/// [`DataError::TooMany`].
pub fn at_most(input: &str, found: u64, limit: u64) -> Result<(), DataError> {
    if found > limit {
        let input = input.to_owned();
        return Err(DataError::TooMany { input, found, limit });
    }
    Ok(())
}

/// Room for so many numbers, where there may be none: a program that asks for more memory than it is given ends otherwise.
///
/// # Errors
/// [`DataError::NoMemory`].
pub fn room<T>(input: &str, numbers: usize) -> Result<Vec<T>, DataError> {
    let mut values = Vec::new();
    match values.try_reserve_exact(numbers) {
        Ok(()) => Ok(values),
        Err(_) => Err(DataError::NoMemory { input: input.to_owned(), numbers }),
    }
}

/// How files of a known format begin: NumPy, IDX of unsigned bytes, gzip. What begins otherwise is not read any further.
const BEGINNINGS: [&[u8]; 3] = [b"\x93NUMPY", &[0, 0, 8], &[0x1f, 0x8b]];

/// The path as text and the bytes of the file, read once and from its beginning: it may be a pipe.
pub(super) fn read(path: &Path) -> Result<(String, Vec<u8>), DataError> {
    read_at_most(path, LARGEST_FILE, &BEGINNINGS)
}

/// The same for a format without a beginning of its own.
pub(super) fn read_whole(path: &Path, limit: u64) -> Result<(String, Vec<u8>), DataError> {
    read_at_most(path, limit, &[&[]])
}

fn read_at_most(path: &Path, limit: u64, beginnings: &[&[u8]]) -> Result<(String, Vec<u8>), DataError> {
    let input = path.display().to_string();
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|mut file| {
        file.by_ref().take(8).read_to_end(&mut bytes)?;
        if beginnings.iter().any(|beginning| bytes.starts_with(beginning)) {
            file.take((limit + 1).saturating_sub(bytes.len() as u64)).read_to_end(&mut bytes)?;
        }
        Ok(bytes.len())
    });
    match read {
        Ok(length) if length as u64 > limit => Err(DataError::Endless { input, limit }),
        Ok(_) => Ok((input, bytes)),
        Err(source) => Err(DataError::Unreadable { input, source }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_at_the_limit_is_read_and_a_longer_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let text = b"\x93NUMPY and more";
        std::fs::write(&path, text).unwrap();
        assert_eq!(read_at_most(&path, 15, &BEGINNINGS).unwrap().1, text);
        assert!(matches!(read_at_most(&path, 14, &BEGINNINGS), Err(DataError::Endless { limit: 14, .. })));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn of_what_is_no_data_file_only_the_beginning_is_read() {
        assert_eq!(read(Path::new("/dev/zero")).unwrap().1, [0; 8]);
        assert!(matches!(read_whole(Path::new("/dev/zero"), 99), Err(DataError::Endless { limit: 99, .. })));
    }
}
