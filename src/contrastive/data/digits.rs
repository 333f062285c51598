//! The 8 x 8 handwritten digits that come with the project: the test part of the UCI data set Optical Recognition of Handwritten Digits
//! (E. Alpaydin and C. Kaynak, 1998), in the form distributed with scikit-learn, under CC BY 4.0.

use std::path::Path;

use super::file::read;
use super::{DataError, LabelledPoints, NumberTable, npy};
use enclosures::stream;

/// The images, below the fixtures folder.
pub const IMAGES: &str = "digits/digits_images.npy";
/// SHA-256 of the images' file.
pub const IMAGES_SHA256: &str = "06622382efae4888481a982e2eb3ac77ac3e5b64ef0da69168b7943041fbebe0";
/// The labels, below the fixtures folder.
pub const LABELS: &str = "digits/digits_labels.npy";
/// SHA-256 of the labels' file.
pub const LABELS_SHA256: &str = "03ec0343bca84958ae3df825f252a3680415fa07fccb1ed1125ed521c13169e5";
/// Number of images.
pub const COUNT: usize = 1797;
/// Height and width of an image in pixels.
pub const SIDE: usize = 8;
/// Number of pixels of an image: the dimension of a point.
pub const DIMENSION: usize = SIDE * SIDE;
/// The largest pixel value in the file; pixels are divided by it.
pub const DARKEST: f64 = 16.0;

/// Loads the digits from the directory `digits` under `fixtures`: 1797 points in [0, 1]^64, row by row from the top
/// left, labelled 0 to 9.
///
/// # Errors
/// Whatever [`npy::load_table`] and [`npy::parse_labels`] refuse; [`DataError::WrongShape`], [`DataError::OutOfRange`],
/// [`DataError::CountMismatch`] or, where a single byte differs, [`DataError::Changed`] if the files are not the digits.
pub fn load(fixtures: &Path) -> Result<LabelledPoints, DataError> {
    let (input, image_bytes) = read(&fixtures.join(IMAGES))?;
    let table = npy::parse_table(&input, &image_bytes)?;
    if (table.rows(), table.columns()) != (COUNT, DIMENSION) {
        return Err(DataError::WrongShape {
            input,
            found_rows: table.rows(),
            found_columns: table.columns(),
            rows: COUNT,
            columns: DIMENSION,
        });
    }
    if let Some(at) = table.values().iter().position(|pixel| !(0.0..=DARKEST).contains(pixel)) {
        let (row, column, value) = (at / DIMENSION, at % DIMENSION, table.values()[at]);
        return Err(DataError::OutOfRange { input, row, column, value, low: 0.0, high: DARKEST });
    }
    let scaled = table.into_values().into_iter().map(|pixel| pixel / DARKEST).collect();
    let (of, label_bytes) = read(&fixtures.join(LABELS))?;
    let classes = npy::parse_labels(&of, &label_bytes)?;
    let scaled = NumberTable::new(&input, scaled, COUNT, DIMENSION)?;
    let digits = LabelledPoints::from_table(&of, &input, scaled, classes)?;
    // Last, so that what is plainly wrong is said more plainly.
    unchanged(&input, &image_bytes, IMAGES_SHA256)?;
    unchanged(&of, &label_bytes, LABELS_SHA256)?;
    Ok(digits)
}

pub(super) fn unchanged(input: &str, bytes: &[u8], expected: &'static str) -> Result<(), DataError> {
    let found = stream::hash(bytes);
    if found == expected {
        return Ok(());
    }
    Err(DataError::Changed { input: input.to_owned(), found, expected })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use npyz::WriterBuilder;

    use super::*;

    fn fixtures() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures"))
    }

    #[test]
    fn the_digits_are_the_known_ones() {
        let data = load(fixtures()).unwrap();
        assert_eq!((data.len(), data.dimension(), data.classes()), (1797, 64, 10));
        assert_eq!(data.original_labels(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let counts: Vec<usize> = (0..10).map(|class| data.class_members(class).len()).collect();
        assert_eq!(counts, [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]);
        assert_eq!(data.labels()[..10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert!(data.points().iter().all(|pixel| (0.0..=1.0).contains(pixel)));
        assert!(data.points().contains(&1.0));
        // The first row of the first image, in sixteenths.
        assert_eq!(data.point(0)[..8].iter().map(|p| p * 16.0).collect::<Vec<_>>(), [0., 0., 5., 13., 9., 1., 0., 0.]);
    }

    #[test]
    fn files_that_are_not_the_digits_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        assert!(matches!(load(directory.path()), Err(DataError::Unreadable { .. })));
        let digits = directory.path().join("digits");
        fs::create_dir(&digits).unwrap();
        let write = |pixels: &[u8], columns: u64| {
            let file = fs::File::create(digits.join("digits_images.npy")).unwrap();
            let shape = [pixels.len() as u64 / columns, columns];
            let mut writer = npyz::WriteOptions::new().default_dtype().shape(&shape).writer(file).begin_nd().unwrap();
            writer.extend(pixels).unwrap();
            writer.finish().unwrap();
        };
        write(&[3; 128], 64);
        assert!(matches!(load(directory.path()), Err(DataError::WrongShape { found_rows: 2, .. })));
        let mut pixels = vec![16; COUNT * DIMENSION];
        pixels[65] = 17;
        write(&pixels, 64);
        assert!(matches!(load(directory.path()), Err(DataError::OutOfRange { row: 1, column: 1, .. })));
        write(&[16; COUNT * DIMENSION], 64);
        fs::copy(fixtures().join("digits/digits_images.npy"), digits.join("digits_labels.npy")).unwrap();
        assert!(matches!(load(directory.path()), Err(DataError::WrongRank { found: 2, expected: 1, .. })));
    }

    #[test]
    fn a_single_changed_byte_is_noticed_and_the_file_named() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("digits")).unwrap();
        for (damaged, whole) in [(IMAGES, LABELS), (LABELS, IMAGES)] {
            fs::copy(fixtures().join(whole), directory.path().join(whole)).unwrap();
            let mut bytes = fs::read(fixtures().join(damaged)).unwrap();
            // Pixels and labels alike: one unit more or less.
            *bytes.last_mut().unwrap() ^= 1;
            fs::write(directory.path().join(damaged), bytes).unwrap();
            let error = load(directory.path()).unwrap_err();
            assert!(matches!(error, DataError::Changed { .. }), "{error}");
            assert!(error.to_string().contains(damaged), "{error}");
        }
    }
}
