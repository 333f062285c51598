//! Points and labels from two files of whichever format.

use std::path::Path;

use super::file::read;
use super::{DataError, LabelledPoints, idx, npy};

impl LabelledPoints {
    /// Loads points and their labels from two NumPy files, or two IDX files as MNIST has them, plain or gzip, with all numbers as they
    /// are stored. The format is told by the first bytes of the points' file; both files are read once, so that they may be pipes.
    ///
    /// # Errors
    /// [`DataError::Unreadable`], [`DataError::Endless`], whatever the readers of [`npy`] and [`idx`] refuse, and
    /// [`DataError::CountMismatch`].
    pub fn load(points: &Path, labels: &Path) -> Result<Self, DataError> {
        let (of, bytes) = read(points)?;
        let is_npy = bytes.starts_with(npy::MAGIC);
        let table = if is_npy { npy::parse_table(&of, &bytes)? } else { idx::parse_pixels(&of, &bytes)? };
        drop(bytes);
        let (input, bytes) = read(labels)?;
        let labels = if is_npy { npy::parse_labels(&input, &bytes)? } else { idx::parse_labels(&input, &bytes)? };
        Self::from_table(&input, &of, table, labels)
    }
}
