//! NumPy's `.npz`: a zip archive of `.npy` files.

use std::io::{Cursor, Read};

use contrastive::data::{ClassNames, DataError, NumberTable, npy};
use zip::ZipArchive;
use zip::result::ZipError;

/// The most bytes of an array of labels: what it holds is not known before it is all there, and a megabyte may hold a thousand.
const LARGEST_LABELS: u64 = 1 << 30;
/// Bytes that hold the header of an array.
const LONGEST_BEGINNING: u64 = 1 << 14;

/// The array of a given name, or the only one, as a table. It is decompressed piece by piece, and not before its header has said that there
/// is room for it.
pub(super) fn table(input: &str, bytes: &[u8], asked: Option<&str>) -> Result<NumberTable, DataError> {
    member(input, bytes, asked, |name, file| match npy::read_table(name, file) {
        // Nothing but the archive itself can fail to be read from memory.
        Err(DataError::Unreadable { input, source }) => Err(DataError::Malformed { input, reason: source.to_string() }),
        read => read,
    })
}

/// How many rows the header of an array says that it has.
pub(super) fn announced_rows(input: &str, bytes: &[u8], asked: Option<&str>) -> Option<u64> {
    let header = member(input, bytes, asked, |name, file| {
        let mut beginning = Vec::new();
        match file.take(LONGEST_BEGINNING).read_to_end(&mut beginning) {
            Ok(_) => Ok(npy::announced_rows(&beginning)),
            Err(source) => Err(DataError::Unreadable { input: name.to_owned(), source }),
        }
    });
    header.ok().flatten()
}

/// The array of a given name, or the only one, as the class of every point.
pub(super) fn classes(input: &str, bytes: &[u8], asked: Option<&str>) -> Result<ClassNames, DataError> {
    classes_within(input, bytes, asked, LARGEST_LABELS)
}

fn classes_within(input: &str, bytes: &[u8], asked: Option<&str>, limit: u64) -> Result<ClassNames, DataError> {
    member(input, bytes, asked, |name, file| {
        let mut array = Vec::new();
        // What it says of its own size is not trusted.
        match file.take(limit + 1).read_to_end(&mut array) {
            Err(error) => Err(DataError::Malformed { input: name.to_owned(), reason: error.to_string() }),
            Ok(length) if length as u64 > limit => Err(DataError::Endless { input: name.to_owned(), limit }),
            Ok(_) => npy::parse_classes(name, &array),
        }
    })
}

/// Reads the array of a given name, or the only one: `read` is told how it is called in errors, and given the bytes of its `.npy` file.
fn member<T>(
    input: &str,
    bytes: &[u8],
    asked: Option<&str>,
    read: impl FnOnce(&str, &mut dyn Read) -> Result<T, DataError>,
) -> Result<T, DataError> {
    let malformed = |error: ZipError| DataError::Malformed { input: input.to_owned(), reason: error.to_string() };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(malformed)?;
    let mut names: Vec<String> =
        archive.file_names().filter_map(|name| Some(name.ok()?.strip_suffix(".npy")?.to_owned())).collect();
    names.sort_unstable();
    if names.is_empty() {
        return Err(DataError::OtherFormat {
            input: input.to_owned(),
            found: "a zip archive without NumPy arrays (PyTorch's .pt is one)",
            advice: "save the tensor by numpy.save(file, tensor.numpy()), or by safetensors",
        });
    }
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
    let mut file = archive.by_name(&format!("{wanted}.npy")).map_err(malformed)?;
    read(&name, &mut file)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use contrastive::data::MOST_NUMBERS;
    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::*;

    fn archive(header: &str, zeros: usize) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        writer.start_file("x.npy", options).unwrap();
        let mut array = b"\x93NUMPY\x01\0".to_vec();
        array.extend((header.len() as u16).to_le_bytes());
        array.extend(header.as_bytes());
        array.resize(array.len() + zeros, 0);
        writer.write_all(&array).unwrap();
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn a_bomb_is_refused_by_what_it_announces_or_at_the_limit() {
        let header = |shape: &str| format!("{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}");
        let small = archive(&header("(2, 3)"), 6);
        assert_eq!(table("a", &small, None).unwrap().values(), [0.0; 6]);
        // What says that it holds a billion numbers is not decompressed.
        let bomb = archive(&header("(1, 1073741824)"), 1 << 22);
        assert!(bomb.len() < 1 << 14, "{}", bomb.len());
        let error = table("a", &bomb, None).unwrap_err();
        assert!(matches!(error, DataError::TooMany { limit: MOST_NUMBERS, .. }), "{error}");
        let error = classes_within("a", &archive(&header("(4194304,)"), 1 << 22), None, 1 << 20).unwrap_err();
        assert!(matches!(error, DataError::Endless { limit: 0x10_0000, .. }), "{error}");
        // More than it announces is left where it is.
        let error = table("a", &archive(&header("(2, 3)"), 1 << 22), None).unwrap_err();
        assert!(matches!(error, DataError::TrailingBytes { .. }), "{error}");
    }
}
