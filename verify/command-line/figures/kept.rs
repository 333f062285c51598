//! Finished pieces of a work, kept until all are done, so that the same command goes on where it was stopped.
//!
//! A folder below that of the results holds one file for each finished piece. The folder's name is a digest of everything that a piece
//! depends on: the program, the plan and the images. Every file carries its checksum; where one does not agree with it,
//! the piece is done again.

use std::fs;
use std::path::{Path, PathBuf};

use enclosures::stream;
use evidence::writing;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::console::tell;
use super::super::interruption::Advice;
use super::super::status::Trouble;
use super::piece::Piece;

/// Where finished pieces of one work are kept.
pub struct Kept {
    folder: PathBuf,
}

impl Kept {
    /// The place for a work, below the folder of the results. `circumstances` tell apart everything that a piece depends on, but for the program;
    /// which other pieces there are does not matter.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn below(results: &Path, circumstances: &str) -> Result<Self, Trouble> {
        let program = std::env::current_exe().and_then(|path| stream::file_hash(&path));
        let all = format!("{} {circumstances}", program.unwrap_or_default());
        let folder = results.join(format!(".unfinished-{}", &stream::hash(all.as_bytes())[..16]));
        match fs::create_dir_all(&folder) {
            Ok(()) => Ok(Kept { folder }),
            Err(source) => Err(cli::Trouble::Io { action: "cannot make", path: folder, source }.into()),
        }
    }

    /// What an earlier call has seen in a piece.
    pub fn recall<S: DeserializeOwned>(&self, piece: &str) -> Option<S> {
        let path = self.place(piece);
        let text = fs::read_to_string(&path).ok()?;
        let whole = text.split_once('\n').filter(|(sum, rest)| stream::hash(rest.as_bytes()) == *sum);
        let seen = whole.and_then(|(_, rest)| serde_json::from_str(rest).ok());
        if seen.is_none() {
            tell!("note: {} is damaged, and its training runs again", path.display());
        }
        seen
    }

    /// Keeps what was seen in a piece.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn keep<S: Serialize>(&self, piece: &str, seen: &S) -> Result<(), Trouble> {
        let text = serde_json::to_string(seen).map_err(|e| Trouble::Unusable(e.to_string()))?;
        let sum = stream::hash(text.as_bytes());
        Ok(writing::write(&self.place(piece), format!("{sum}\n{text}").as_bytes())?)
    }

    /// Forgets what was seen in these pieces.
    pub fn discard<P: Piece>(&self, pieces: &[P]) {
        for piece in pieces {
            let _ = fs::remove_file(self.place(&piece.name()));
        }
    }

    /// Forgets these pieces and, if nothing else is kept in it, the folder.
    pub fn forget<P: Piece>(&self, pieces: &[P]) {
        self.discard(pieces);
        let _ = fs::remove_dir(&self.folder);
    }

    /// What an interruption says while work goes on.
    #[must_use]
    pub fn advice(&self) -> Advice {
        Advice::give(|| "finished trainings are stored; the same command resumes".to_owned())
    }

    /// A file whose name has letters and digits only, whatever is in the piece's.
    fn place(&self, piece: &str) -> PathBuf {
        let fit = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        self.folder.join(format!("{}.json", piece.chars().map(fit).collect::<String>()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Seen = Vec<(String, f64)>;

    struct Named(&'static str);

    impl Piece for Named {
        type Seen = Seen;

        fn name(&self) -> String {
            self.0.to_owned()
        }

        fn cost(&self) -> u64 {
            1
        }

        fn carry_out(&self, _: &dyn Fn(u64)) -> Result<Seen, Trouble> {
            Ok(vec![(self.name(), 1.0 / 3.0)])
        }

        fn told(&self, _: &Seen) -> String {
            String::new()
        }
    }

    #[test]
    fn what_is_kept_comes_back_unless_it_is_damaged() {
        let results = tempfile::tempdir().unwrap();
        let kept = Kept::below(results.path(), "a plan").unwrap();
        let piece = Named("N = 3, run 1");
        let seen = piece.carry_out(&|_| ()).unwrap();
        kept.keep(piece.0, &seen).unwrap();
        assert_eq!(kept.recall(piece.0), Some(seen));
        assert_eq!(kept.recall::<Seen>("N = 3, run 2"), None);

        // Other circumstances, another place.
        let other = Kept::below(results.path(), "another plan").unwrap();
        assert_eq!(other.recall::<Seen>(piece.0), None);

        let place = kept.place(piece.0);
        let text = fs::read_to_string(&place).unwrap();
        fs::write(place, text.replacen("run 1", "run 2", 1)).unwrap();
        assert_eq!(kept.recall::<Seen>(piece.0), None);
        kept.forget(&[piece, Named("N = 3, run 2")]);
        assert!(!kept.folder.exists());
    }
}
