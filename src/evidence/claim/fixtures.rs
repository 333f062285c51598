//! Where data sets and witnesses are.

use std::path::{Path, PathBuf};

/// The folder that holds data sets and witnesses.
#[derive(Clone, Debug)]
pub struct Fixtures {
    root: PathBuf,
}

impl Fixtures {
    /// The fixtures below `root`; nothing is read yet.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Fixtures { root: root.into() }
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A file or folder in it.
    #[must_use]
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }
}
