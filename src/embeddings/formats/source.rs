//! Where an array comes from: a file, perhaps with the name of an array in it, or standard input.

use std::fs::{File, Metadata};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use contrastive::data::{DataError, LARGEST_FILE, idx};
use flate2::read::GzDecoder;

/// Bytes by which a format is told.
const BEGINNING: usize = 512;
/// The largest header of a safetensors file, as its readers have it.
const LARGEST_HEADER: u64 = 100_000_000;
/// What is read.
const ACCEPTED: &str = "NumPy (.npy, .npz), safetensors, Parquet, IDX, CSV, each also in gzip";

/// A file, or standard input for `-`, and the name of an array or column in it where one is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArraySource {
    /// The file.
    pub path: PathBuf,
    /// The array or column.
    pub array: Option<String>,
}

/// Formats that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Npy,
    Idx,
    /// Any but IDX inside gzip, which its own reader unpacks.
    Gzip,
    Other(OtherFormat),
}

/// Formats that are read with the feature `formats`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OtherFormat {
    Zip,
    Safetensors,
    Parquet,
    Text,
}

impl ArraySource {
    /// `file`, or `file:array` where there is no file of the whole name.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let whole = PathBuf::from(text);
        match text.rsplit_once(':') {
            Some((path, array)) if !path.is_empty() && !array.is_empty() && !whole.exists() => {
                ArraySource { path: path.into(), array: Some(array.to_owned()) }
            }
            _ => whole.into(),
        }
    }

    /// Whether it is a regular file, which has an end and waits for nobody.
    pub(super) fn is_file(&self) -> bool {
        self.path.is_file()
    }

    /// The name in errors, the format and the source itself, read once and from the beginning: it may be a pipe. Of what is of no format
    /// that is read, only the beginning is read.
    pub(super) fn open(&self) -> Result<Opened, DataError> {
        if self.path == Path::new("-") {
            return Opened::new("standard input", Box::new(io::stdin().lock()), None);
        }
        let input = self.path.display().to_string();
        match File::open(&self.path) {
            Ok(file) => {
                let length = file.metadata().ok().filter(Metadata::is_file).map(|known| known.len());
                Opened::new(&input, Box::new(file), length)
            }
            Err(source) => Err(DataError::Unreadable { input, source }),
        }
    }
}

/// A source of which the beginning has been read.
pub(super) struct Opened {
    /// What it is called in errors.
    pub(super) input: String,
    pub(super) format: Format,
    /// Bytes of a regular file; none of a pipe.
    length: Option<u64>,
    pub(super) beginning: Vec<u8>,
    rest: Box<dyn Read>,
}

impl Opened {
    fn new(input: &str, mut rest: Box<dyn Read>, length: Option<u64>) -> Result<Self, DataError> {
        let mut beginning = Vec::new();
        let read = rest.by_ref().take(BEGINNING as u64).read_to_end(&mut beginning);
        read.map_err(|source| DataError::Unreadable { input: input.to_owned(), source })?;
        Ok(Opened { input: input.to_owned(), format: Format::of(input, &beginning)?, length, beginning, rest })
    }

    /// Bytes to read at the most: a file has an end, and a pipe may have none.
    pub(super) fn limit(&self) -> u64 {
        self.length.map_or(LARGEST_FILE, |length| length.max(LARGEST_FILE))
    }

    /// All of it as a stream.
    pub(super) fn stream(self) -> impl Read {
        Cursor::new(self.beginning).chain(self.rest)
    }

    /// All of it at once, with its name.
    pub(super) fn bytes(self) -> Result<(String, Vec<u8>), DataError> {
        let input = self.input.clone();
        let mut bytes = Vec::new();
        match self.stream().take(LARGEST_FILE + 1).read_to_end(&mut bytes) {
            Err(source) => Err(DataError::Unreadable { input, source }),
            Ok(length) if length as u64 > LARGEST_FILE => Err(DataError::Endless { input, limit: LARGEST_FILE }),
            Ok(_) => Ok((input, bytes)),
        }
    }
}

impl Format {
    /// The format of a file with this beginning.
    pub(super) fn of(input: &str, bytes: &[u8]) -> Result<Self, DataError> {
        let beginning = &bytes[..bytes.len().min(BEGINNING)];
        if beginning.is_empty() {
            return Err(DataError::Empty { input: input.to_owned() });
        }
        let header = beginning.first_chunk::<8>().map(|length| u64::from_le_bytes(*length));
        if beginning.starts_with(b"\x93NUMPY") {
            Ok(Format::Npy)
        } else if beginning.starts_with(b"PK\x03\x04") {
            Ok(Format::Other(OtherFormat::Zip))
        } else if beginning.starts_with(b"PAR1") {
            Ok(Format::Other(OtherFormat::Parquet))
        } else if beginning.starts_with(&[0x1f, 0x8b]) {
            Ok(if is_idx(&unpacked(beginning)) { Format::Idx } else { Format::Gzip })
        } else if is_idx(beginning) {
            Ok(Format::Idx)
        } else if beginning.get(8) == Some(&b'{') && header.is_some_and(|length| length <= LARGEST_HEADER) {
            Ok(Format::Other(OtherFormat::Safetensors))
        } else if let Some((found, advice)) = known(beginning) {
            Err(DataError::OtherFormat { input: input.to_owned(), found, advice })
        } else if is_text(beginning) {
            Ok(Format::Other(OtherFormat::Text))
        } else {
            Err(DataError::UnknownFormat {
                input: input.to_owned(),
                found: format!("\"{}\"", beginning[..beginning.len().min(16)].escape_ascii()),
                accepted: ACCEPTED,
            })
        }
    }
}

/// Whether a beginning is that of IDX, of whichever type.
fn is_idx(beginning: &[u8]) -> bool {
    matches!(beginning, [0, 0, kind, _, ..] if *kind == 8 || idx::type_name(*kind).is_some())
}

/// What the beginning of a gzip file unpacks to, as far as it does: some bytes tell the format.
fn unpacked(beginning: &[u8]) -> Vec<u8> {
    let mut inside = Vec::new();
    // The end of what there is of it is an error that says nothing.
    let _ = GzDecoder::new(beginning).take(8).read_to_end(&mut inside);
    inside
}

/// What a beginning is of, and what to do about it, for formats that people have and that are not read.
fn known(beginning: &[u8]) -> Option<(&'static str, &'static str)> {
    let save = "save the array by numpy.save, or by safetensors";
    let text = beginning.trim_ascii_start();
    Some(if matches!(beginning, [0x80, 2..=5, ..]) {
        ("a pickle of Python, which is a program and is not run", save)
    } else if beginning.starts_with(b"\x89HDF\r\n\x1a\n") {
        ("HDF5", save)
    } else if beginning.starts_with(b"ARROW1") || beginning.starts_with(b"FEA1") {
        ("Arrow (Feather)", "write it as Parquet")
    } else if beginning.starts_with(&[0xff, 0xff, 0xff, 0xff]) && beginning.get(7).is_some_and(|&last| last < 0x80) {
        // A mark of continuation, and a length that is not negative.
        ("a stream of Arrow", "write it as Parquet")
    } else if beginning.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        ("Zstandard", "unpack it first")
    } else if text.starts_with(b"{") || text.starts_with(b"[") {
        ("JSON", "write it as CSV, or save the array by numpy.save")
    } else {
        return None;
    })
}

/// Whether a beginning is that of a text; its last character may be cut.
fn is_text(beginning: &[u8]) -> bool {
    let text = match str::from_utf8(beginning) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() && beginning.len() == BEGINNING => {
            str::from_utf8(&beginning[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colon_parts_the_file_from_the_array_unless_a_file_has_it_in_its_name() {
        assert_eq!(ArraySource::parse("a/b.npz:x:y").array.as_deref(), Some("y"));
        assert_eq!(ArraySource::parse("a/b.npy").array, None);
        assert_eq!(ArraySource::parse("-").path, Path::new("-"));
        assert_eq!(ArraySource::parse("no-name:").array, None);
    }

    #[test]
    fn formats_are_told_by_their_beginnings() {
        let of = |bytes: &[u8]| Format::of("a", bytes);
        assert_eq!(of(b"\x93NUMPY\x01").unwrap(), Format::Npy);
        assert_eq!(of(b"PK\x03\x04....").unwrap(), Format::Other(OtherFormat::Zip));
        assert_eq!(of(b"\x40\0\0\0\0\0\0\0{\"a\"").unwrap(), Format::Other(OtherFormat::Safetensors));
        assert_eq!(of(b"PAR1\x15\x04").unwrap(), Format::Other(OtherFormat::Parquet));
        assert_eq!(of(b"x,y\n1,2\n").unwrap(), Format::Other(OtherFormat::Text));
        assert_eq!(of("é".repeat(300).as_bytes()).unwrap(), Format::Other(OtherFormat::Text));
        assert!(matches!(of(b""), Err(DataError::Empty { .. })));
        for (known, word) in [
            (&b"\x80\x04\x95\x00"[..], "pickle"),
            (b"\x89HDF\r\n\x1a\n", "HDF5"),
            (b"ARROW1\0\0", "Parquet"),
            (b" [[1, 2]]", "JSON"),
        ] {
            let refused = of(known).unwrap_err().to_string();
            assert!(refused.contains(word) && refused.contains("a: "), "{refused}");
        }
        for other in [&[0u8; 16][..], b"\x89PNG\r\n", &[0xff; 600], b"\x1b[31m"] {
            assert!(matches!(of(other), Err(DataError::UnknownFormat { .. })));
        }
    }
}
