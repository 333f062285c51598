//! The binary files in which CIFAR-10 and CIFAR-100 are distributed (A. Krizhevsky, "Learning multiple layers of features from tiny
//! images", 2009): records of labels and pixels, without a header.
//!
//! A record of CIFAR-10 is a label from 0 to 9 and an image of 32 × 32 pixels, a byte each: all red ones row by row, then the green and
//! the blue ones. A record of CIFAR-100 has two labels, a coarse one from 0 to 19 and a fine one from 0 to 99, of which the fine one is
//! taken. The length of a file tells which of them it is.

use std::path::Path;

use super::file::read_whole;
use super::idx::BRIGHTEST;
use super::{DataError, LabelledPoints, NumberTable};

/// Height and width of an image in pixels.
pub const SIDE: usize = 32;
/// Numbers of an image: three channels, one after the other.
pub const DIMENSION: usize = 3 * SIDE * SIDE;
/// The largest file that is read, in bytes: the training images of CIFAR-100 are 154 million.
pub const LARGEST: u64 = 1 << 28;

/// How many values the labels of a record have, the one that is taken last.
const LABELS: [&[usize]; 2] = [&[10], &[20, 100]];

/// Loads the first `per_class` images of every class from the files, in their order: points in [0, 1]^3072.
///
/// # Errors
/// [`DataError::Unreadable`], [`DataError::Endless`] beyond [`LARGEST`], whatever [`parse`] refuses, and [`DataError::Empty`] if there is
/// no file, or no image is asked for.
pub fn load<P: AsRef<Path>>(files: &[P], per_class: usize) -> Result<LabelledPoints, DataError> {
    let (mut values, mut labels) = (Vec::new(), Vec::new());
    let mut taken = [0; 100];
    for file in files {
        let (input, bytes) = read_whole(file.as_ref(), LARGEST)?;
        for (label, pixels) in parse(&input, &bytes)? {
            if taken[label] < per_class {
                taken[label] += 1;
                labels.push(label as u32);
                values.extend(pixels.iter().map(|&pixel| f64::from(pixel) / BRIGHTEST));
            }
        }
    }
    let table = NumberTable::new("CIFAR", values, labels.len(), DIMENSION)?;
    LabelledPoints::from_table("labels", "CIFAR", table, labels)
}

/// The labels of all records and their 3072 pixels. `input` names the file in errors.
///
/// # Errors
/// [`DataError::Empty`], [`DataError::Ragged`] if the length is that of no number of records, [`DataError::OutOfRange`] for a label that
/// there is not: row by record, column by byte.
pub fn parse<'a>(input: &str, bytes: &'a [u8]) -> Result<Vec<(usize, &'a [u8])>, DataError> {
    if bytes.is_empty() {
        let input = input.to_owned();
        return Err(DataError::Empty { input });
    }
    let fits = |kinds: &&&[usize]| bytes.len().is_multiple_of(kinds.len() + DIMENSION);
    let Some(kinds) = LABELS.iter().find(fits) else {
        let columns = 1 + DIMENSION;
        return Err(DataError::Ragged {
            input: format!("{input} (records of CIFAR-10)"),
            found: bytes.len(),
            rows: bytes.len().div_ceil(columns),
            columns,
        });
    };
    let record = |(row, record): (usize, &'a [u8])| {
        let (labels, pixels) = record.split_at(kinds.len());
        let wrong = |column: &usize| usize::from(labels[*column]) >= kinds[*column];
        match (0..labels.len()).find(wrong) {
            Some(column) => Err(DataError::OutOfRange {
                input: input.to_owned(),
                row,
                column,
                value: f64::from(labels[column]),
                low: 0.0,
                high: kinds[column] as f64 - 1.0,
            }),
            None => Ok((usize::from(labels[labels.len() - 1]), pixels)),
        }
    };
    bytes.chunks_exact(kinds.len() + DIMENSION).enumerate().map(record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records of these labels; the first pixel counts them, the last one is white.
    fn records(labels: &[&[u8]]) -> Vec<u8> {
        let one = |(i, labels): (usize, &&[u8])| {
            let mut pixels = vec![0; DIMENSION];
            (pixels[0], pixels[DIMENSION - 1]) = (i as u8, 255);
            [labels.to_vec(), pixels].concat()
        };
        labels.iter().enumerate().flat_map(one).collect()
    }

    #[test]
    fn the_first_images_of_every_class_come_in_the_order_of_the_files() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["data_batch_1.bin", "data_batch_2.bin"].map(|name| folder.path().join(name));
        std::fs::write(&paths[0], records(&[&[9], &[2], &[9]])).unwrap();
        std::fs::write(&paths[1], records(&[&[2], &[2], &[9], &[0]])).unwrap();
        let data = load(&paths, 2).unwrap();
        assert_eq!((data.len(), data.dimension()), (5, DIMENSION));
        assert_eq!(data.original_labels(), [0, 2, 9]);
        assert_eq!(data.labels(), [2, 1, 2, 1, 0]);
        let ends = |i: usize| (data.point(i)[0] * 255.0, data.point(i)[DIMENSION - 1]);
        assert_eq!([0, 1, 2, 3, 4].map(ends), [(0.0, 1.0), (1.0, 1.0), (2.0, 1.0), (0.0, 1.0), (3.0, 1.0)]);
    }

    #[test]
    fn of_two_labels_the_fine_one_is_taken() {
        let bytes = records(&[&[19, 99], &[0, 3]]);
        let labels: Vec<usize> = parse("train.bin", &bytes).unwrap().into_iter().map(|(label, _)| label).collect();
        assert_eq!(labels, [99, 3]);
    }

    #[test]
    fn what_is_no_such_file_is_refused_by_name() {
        let said = |bytes: &[u8]| parse("x.bin", bytes).unwrap_err().to_string();
        assert_eq!(said(&[]), "x.bin: empty, at least one element is required");
        let cut = &records(&[&[1], &[2]])[..5000];
        assert_eq!(said(cut), "x.bin (records of CIFAR-10): 5000 values do not fill 2 rows of 3073");
        let (ten, hundred) = (records(&[&[1], &[10]]), records(&[&[20, 3]]));
        assert_eq!(said(&ten), "x.bin: the value 10 at row 1, column 0 lies outside [0, 9]");
        assert_eq!(said(&hundred), "x.bin: the value 20 at row 0, column 0 lies outside [0, 19]");
        assert!(matches!(load::<&Path>(&[], 1), Err(DataError::Empty { .. })));
    }
}
