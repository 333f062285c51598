//! The IDX format of MNIST and its relatives: unsigned bytes, plain or compressed by gzip. Its other types are named and refused.
//!
//! A file is `00 00 08 r`, then the lengths of the r axes as big-endian 32-bit integers, then the bytes in C order.
//! Compression is recognised by the first two bytes of the file, whatever its name.

use std::io::Read;
use std::path::Path;

use flate2::bufread::GzDecoder;

use super::file::{MOST_LABELS, MOST_NUMBERS, at_most, read, room};
use super::{DataError, LabelledPoints, NumberTable};

const GZIP: [u8; 2] = [0x1f, 0x8b];
/// The largest byte; pixels are divided by it.
pub const BRIGHTEST: f64 = 255.0;

/// Loads images (three axes: count, rows, columns) and their labels (one axis). A point is an image row by row, its
/// pixels divided by 255.
///
/// # Errors
/// [`DataError::Unreadable`], whatever [`parse_images`] and [`parse_labels`] refuse, and [`DataError::CountMismatch`].
pub fn load(images: &Path, labels: &Path) -> Result<LabelledPoints, DataError> {
    let (of, bytes) = read(images)?;
    let table = parse_images(&of, &bytes)?;
    drop(bytes);
    let (input, bytes) = read(labels)?;
    LabelledPoints::from_table(&input, &of, table, parse_labels(&input, &bytes)?)
}

/// Reads images from the bytes of a file: one row per image, pixels divided by 255. `input` names the file in errors.
///
/// # Errors
/// [`DataError::WrongMagic`], [`DataError::UnsupportedType`], [`DataError::WrongRank`], [`DataError::Empty`], [`DataError::TooLarge`],
/// [`DataError::Truncated`], [`DataError::TrailingBytes`], [`DataError::Gzip`], [`DataError::TooMany`] beyond [`super::MOST_NUMBERS`].
pub fn parse_images(input: &str, bytes: &[u8]) -> Result<NumberTable, DataError> {
    images(input, bytes, |pixel| f64::from(pixel) / BRIGHTEST)
}

/// As [`parse_images`], with the pixels as they are stored: whole numbers from 0 to 255.
///
/// # Errors
/// As there.
pub fn parse_pixels(input: &str, bytes: &[u8]) -> Result<NumberTable, DataError> {
    images(input, bytes, f64::from)
}

fn images(input: &str, bytes: &[u8], value: impl Fn(u8) -> f64) -> Result<NumberTable, DataError> {
    let (shape, pixels) = parse::<3>(input, bytes, MOST_NUMBERS)?;
    let mut values = room(input, pixels.len())?;
    values.extend(pixels.into_iter().map(value));
    NumberTable::new(input, values, shape[0], shape[1] * shape[2])
}

/// Reads labels from the bytes of a file. `input` names the file in errors.
///
/// # Errors
/// As [`parse_images`].
pub fn parse_labels(input: &str, bytes: &[u8]) -> Result<Vec<u32>, DataError> {
    let (_, labels) = parse::<1>(input, bytes, MOST_LABELS)?;
    Ok(labels.into_iter().map(u32::from).collect())
}

/// What a type is called that IDX has beside unsigned bytes.
#[must_use]
pub fn type_name(kind: u8) -> Option<&'static str> {
    Some(match kind {
        0x09 => "signed bytes (0x09)",
        0x0b => "integers of 16 bits (0x0b)",
        0x0c => "integers of 32 bits (0x0c)",
        0x0d => "floats of 32 bits (0x0d)",
        0x0e => "floats of 64 bits (0x0e)",
        _ => return None,
    })
}

/// Reads an array with `RANK` axes, decompressing it if need be. The product of the axes is the number of bytes returned.
fn parse<const RANK: usize>(input: &str, bytes: &[u8], most: u64) -> Result<([usize; RANK], Vec<u8>), DataError> {
    if !bytes.starts_with(&GZIP) {
        return parse_stream::<RANK, _>(input, bytes, most);
    }
    let mut decoder = GzDecoder::new(bytes);
    let result = parse_stream::<RANK, _>(input, &mut decoder, most)?;
    let left = decoder.into_inner().len();
    if left > 0 {
        let (input, found, expected) = (input.to_owned(), bytes.len(), bytes.len() - left);
        return Err(DataError::TrailingBytes { input, found, expected });
    }
    Ok(result)
}

/// Reads an array from a stream that ends with it. Memory grows with what arrives, not with what the header announces.
fn parse_stream<const RANK: usize, R: Read>(
    input: &str,
    mut stream: R,
    most: u64,
) -> Result<([usize; RANK], Vec<u8>), DataError> {
    let start = 4 + 4 * RANK;
    let mut header = Vec::with_capacity(start);
    // Reading from a slice cannot fail, so an error is the decoder's.
    let gzip = |source| DataError::Gzip { input: input.to_owned(), source };
    stream.by_ref().take(start as u64).read_to_end(&mut header).map_err(gzip)?;
    let magic = [0, 0, 8, RANK as u8];
    if !header.starts_with(&magic) {
        let input = input.to_owned();
        return Err(match header[..] {
            [0, 0, 8, axes, ..] if axes > 0 => DataError::WrongRank { input, found: usize::from(axes), expected: RANK },
            [0, 0, kind, axes, ..] if axes > 0 && type_name(kind).is_some() => DataError::UnsupportedType {
                input,
                found: type_name(kind).unwrap_or_default().to_owned(),
                accepted: "unsigned bytes (0x08); save other numbers by numpy.save",
            },
            _ => {
                header.truncate(magic.len());
                let expected = magic.to_vec();
                DataError::WrongMagic { input, format: "IDX of unsigned bytes", found: header, expected }
            }
        });
    }
    if header.len() < start {
        return Err(DataError::Truncated { input: input.to_owned(), found: header.len(), expected: start });
    }
    let lengths = header[4..].chunks_exact(4).map(|b| u32::from_be_bytes([b[0], b[1], b[2], b[3]]));
    let lengths: Vec<u64> = lengths.map(u64::from).collect();
    if lengths.contains(&0) {
        return Err(DataError::Empty { input: input.to_owned() });
    }
    let mut shape = [0; RANK];
    let mut count = Some(1_usize);
    for (axis, &length) in shape.iter_mut().zip(&lengths) {
        *axis = length as usize;
        count = count.and_then(|count| count.checked_mul(*axis));
    }
    // Room for the header too, so that the sizes named in errors do not overflow either.
    let Some((count, expected)) = count.and_then(|count| Some((count, count.checked_add(start + 1)? - 1))) else {
        return Err(DataError::TooLarge { input: input.to_owned(), shape: lengths });
    };
    at_most(input, count as u64, most)?;
    let mut data = Vec::new();
    // One byte more than announced: it tells trailing bytes, and makes the decoder check its checksum at the end.
    stream.take(count as u64 + 1).read_to_end(&mut data).map_err(gzip)?;
    let found = start + data.len();
    match data.len() {
        length if length < count => Err(DataError::Truncated { input: input.to_owned(), found, expected }),
        length if length > count => Err(DataError::TrailingBytes { input: input.to_owned(), found, expected }),
        _ => Ok((shape, data)),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use proptest::prelude::*;

    use super::*;

    fn idx(lengths: &[u32], data: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0, 0, 8, lengths.len() as u8];
        bytes.extend(lengths.iter().flat_map(|length| length.to_be_bytes()));
        bytes.extend(data);
        bytes
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn images_and_labels_load_from_any_mix_of_plain_and_gzip() {
        let images = idx(&[2, 1, 3], &[0, 51, 255, 102, 0, 0]);
        let labels = idx(&[2], &[9, 4]);
        let directory = tempfile::tempdir().unwrap();
        // The names say nothing about the compression, on purpose.
        let (i, l) = (directory.path().join("images.gz"), directory.path().join("labels"));
        fs::write(&i, &images).unwrap();
        fs::write(&l, gzip(&labels)).unwrap();
        let mixed = load(&i, &l).unwrap();
        assert_eq!((mixed.len(), mixed.dimension()), (2, 3));
        assert_eq!(mixed.point(0), [0.0, 0.2, 1.0]);
        assert_eq!(mixed.original_labels(), [4, 9]);
        assert_eq!(mixed.labels(), [1, 0]);
        fs::write(&i, gzip(&images)).unwrap();
        fs::write(&l, &labels).unwrap();
        assert_eq!(load(&i, &l).unwrap(), mixed);
        fs::write(&l, idx(&[3], &[9, 4, 4])).unwrap();
        assert!(matches!(load(&i, &l), Err(DataError::CountMismatch { points: 2, labels: 3, .. })));
        assert!(matches!(load(directory.path(), &l), Err(DataError::Unreadable { .. })));
    }

    #[test]
    fn files_of_the_wrong_length_are_refused() {
        let whole = idx(&[2, 1, 3], &[7; 6]);
        for length in 0..4 {
            assert!(matches!(parse_images("a", &whole[..length]), Err(DataError::WrongMagic { .. })));
        }
        for length in 4..whole.len() {
            for bytes in [whole[..length].to_vec(), gzip(&whole[..length])] {
                let error = parse_images("a", &bytes).unwrap_err();
                assert!(matches!(error, DataError::Truncated { found, .. } if found == length), "{error}");
            }
        }
        let longer = [whole.as_slice(), &[0, 0]].concat();
        for bytes in [longer.clone(), gzip(&longer)] {
            assert!(matches!(parse_images("a", &bytes), Err(DataError::TrailingBytes { expected: 22, .. })));
        }
    }

    #[test]
    fn damaged_compression_is_refused() {
        let whole = gzip(&idx(&[4], &[1, 2, 3, 4]));
        assert_eq!(parse_labels("a", &whole).unwrap(), [1, 2, 3, 4]);
        for length in 2..whole.len() {
            let error = parse_labels("a", &whole[..length]).unwrap_err();
            assert!(matches!(error, DataError::Gzip { .. }), "{length}: {error}");
        }
        let mut checksum = whole.clone();
        checksum[whole.len() - 5] ^= 1;
        assert!(matches!(parse_labels("a", &checksum), Err(DataError::Gzip { .. })));
        let longer = [whole.as_slice(), b"x"].concat();
        assert!(matches!(parse_labels("a", &longer), Err(DataError::TrailingBytes { .. })));
    }

    #[test]
    fn other_formats_and_impossible_shapes_are_refused() {
        let floats = [vec![0, 0, 0x0d, 1], 1_u32.to_be_bytes().to_vec(), vec![0; 4]].concat();
        let error = parse_labels("a", &floats).unwrap_err();
        assert!(error.to_string().contains("floats of 32 bits (0x0d), expected one of unsigned bytes"), "{error}");
        for kind in [0x09, 0x0b, 0x0c, 0x0e] {
            let refused = parse_images("a", &[0, 0, kind, 3, 0, 0, 0, 1]);
            assert!(matches!(refused, Err(DataError::UnsupportedType { .. })), "{kind}: {refused:?}");
        }
        assert!(matches!(parse_images("a", &[0, 0, 0x0a, 3, 0]), Err(DataError::WrongMagic { .. })));
        let error = parse_images("a", &idx(&[1], &[0])).unwrap_err();
        assert!(matches!(error, DataError::WrongRank { found: 1, expected: 3, .. }), "{error}");
        let error = parse_images("a", b"IDX?").unwrap_err();
        assert!(error.to_string().contains("expected [00, 00, 08, 03]"), "{error}");
        assert_eq!(parse_pixels("a", &idx(&[1, 1, 2], &[51, 255])).unwrap().values(), [51.0, 255.0]);
        assert!(matches!(parse_labels("a", &idx(&[0], &[])), Err(DataError::Empty { .. })));
        assert!(matches!(parse_images("a", &idx(&[1, 0, 3], &[])), Err(DataError::Empty { .. })));
        let huge = idx(&[u32::MAX; 3], &[0; 9]);
        assert!(matches!(parse_images("a", &huge), Err(DataError::TooLarge { .. })));
        assert!(matches!(parse_images("a", &gzip(&huge)), Err(DataError::TooLarge { .. })));
        assert!(matches!(parse_labels("a", &idx(&[1 << 26], &[0; 9])), Err(DataError::Truncated { .. })));
        // More announced than there is room for as numbers, and a stream that might deliver it.
        for bytes in [idx(&[u32::MAX], &[0; 9]), gzip(&idx(&[(1 << 26) + 1], &[0; 9]))] {
            let error = parse_labels("a", &bytes).unwrap_err();
            assert!(matches!(error, DataError::TooMany { limit: MOST_LABELS, .. }), "{error}");
        }
        for bytes in [idx(&[1 << 10, 1 << 10, 513], &[0; 9]), gzip(&idx(&[1 << 29, 1, 2], &[0; 9]))] {
            let error = parse_images("a", &bytes).unwrap_err();
            assert!(matches!(error, DataError::TooMany { limit: MOST_NUMBERS, .. }), "{error}");
        }
    }

    proptest! {
        #[test]
        fn labels_come_back_as_they_were(labels in prop::collection::vec(any::<u8>(), 1..200), compress: bool) {
            let plain = idx(&[labels.len() as u32], &labels);
            let bytes = if compress { gzip(&plain) } else { plain };
            let expected: Vec<u32> = labels.into_iter().map(u32::from).collect();
            prop_assert_eq!(parse_labels("a", &bytes).unwrap(), expected);
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..60), compressed: bool) {
            let bytes = if compressed { [&GZIP, bytes.as_slice()].concat() } else { bytes };
            let _ = parse_images("a", &bytes);
            let _ = parse_labels("a", &bytes);
        }
    }
}
