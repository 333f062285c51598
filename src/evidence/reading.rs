//! Text files of bounded size: a device without an end, or a file that is not what its name says, costs its limit and no more.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The text of a file of at most so many bytes, read once from its beginning, so that pipes will do.
///
/// # Errors
/// The file cannot be read, is longer, or is not UTF-8.
pub fn text(path: &Path, most: u64) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(most.saturating_add(1)).read_to_string(&mut text)?;
    if text.len() as u64 > most {
        let message = format!("it has more than the {most} bytes that are read");
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_longer_than_allowed_is_refused_and_what_is_as_long_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("text");
        std::fs::write(&path, "∑∑").expect("written");
        assert_eq!(text(&path, 6).ok().as_deref(), Some("∑∑"));
        // A limit within a character is one all the same.
        for most in [0, 4, 5] {
            assert!(text(&path, most).is_err(), "{most}");
        }
        let long = text(&path, 2).expect_err("six bytes are more than two");
        assert_eq!(long.kind(), io::ErrorKind::InvalidData);
        std::fs::write(&path, [0xff, 0xfe]).expect("written");
        assert!(text(&path, 6).is_err());
        assert!(text(&folder.path().join("nothing"), 6).is_err_and(|e| e.kind() == io::ErrorKind::NotFound));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_an_end_is_read_to_its_limit() {
        let endless = text(Path::new("/dev/zero"), 1000).expect_err("there is no end");
        assert!(endless.to_string().contains("more than the 1000 bytes"), "{endless}");
    }
}
