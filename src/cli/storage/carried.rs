//! Data sets and witnesses inside a program, for where there is no folder with them.

use std::path::{Path, PathBuf};
use std::{fs, process};

use super::own_folders;
use crate::outcome::status::Trouble;

/// Files of a program.
#[derive(Clone, Copy, Debug)]
pub struct Carried {
    /// Another one for other bytes.
    pub mark: &'static str,
    /// Paths below the fixtures, and bytes.
    pub files: &'static [(&'static str, &'static [u8])],
}

impl Carried {
    /// The folder in the user's cache that holds these files, written if it is not there; none if there are no files, or the user has no cache.
    pub(crate) fn unpacked(self) -> Result<Option<PathBuf>, Trouble> {
        match own_folders::cache() {
            Some(cache) if !self.files.is_empty() => self.unpacked_below(&cache).map(Some),
            _ => Ok(None),
        }
    }

    fn unpacked_below(self, cache: &Path) -> Result<PathBuf, Trouble> {
        let place = cache.join(format!("fixtures-{}", self.mark));
        if place.is_dir() {
            return Ok(place);
        }
        let part = cache.join(format!("fixtures-{}.{}.part", self.mark, process::id()));
        let trouble = |path: &Path, source| Trouble::Io { action: "cannot write", path: path.to_owned(), source };
        for (name, bytes) in self.files {
            let path = part.join(name);
            let folder = path.parent().unwrap_or(&part);
            fs::create_dir_all(folder).map_err(|source| trouble(folder, source))?;
            fs::write(&path, bytes).map_err(|source| trouble(&path, source))?;
        }
        // Whole or not at all; another program may have been first.
        let moved = fs::rename(&part, &place);
        if moved.is_err() && place.is_dir() {
            fs::remove_dir_all(&part).map_err(|source| trouble(&part, source))?;
            return Ok(place);
        }
        moved.map(|()| place.clone()).map_err(|source| trouble(&place, source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_unpacked_once_and_whole() {
        let cache = std::env::temp_dir().join(format!("contrapositive-carried-{}", process::id()));
        let carried = Carried { mark: "one", files: &[("a/b.txt", b"text"), ("c.txt", b"")] };
        let place = carried.unpacked_below(&cache).expect("a folder");
        assert_eq!(fs::read(place.join("a/b.txt")).expect("a file"), b"text");
        // What is there is used as it is.
        fs::write(place.join("c.txt"), "changed").expect("a file");
        assert_eq!(carried.unpacked_below(&cache).expect("a folder"), place);
        assert_eq!(fs::read(place.join("c.txt")).expect("a file"), b"changed");
        assert_eq!(fs::read_dir(&cache).expect("a folder").count(), 1);
        fs::remove_dir_all(&cache).expect("removed");
    }
}
