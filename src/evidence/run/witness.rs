//! Witnesses: instances that refute a check, stored as values in JSON and re-judged from their digits.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::strict_json::Strict;
use crate::claim::Comparison;
use crate::writing::{self, WriteError};
use enclosures::enclosure::Enclosure;

/// Version of the stored form.
pub const SCHEMA: u32 = 1;

/// The largest size of a witness file in bytes, some hundred times that of the largest one stored so far.
pub const LONGEST: u64 = 1 << 20;

/// Both sides of a comparison as numbers; an end at infinity is stored as null.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sides {
    /// Left side, `[lo, hi]`.
    pub left: [Option<f64>; 2],
    /// The relation that the statement asserts.
    pub relation: String,
    /// Right side, `[lo, hi]`.
    pub right: [Option<f64>; 2],
    /// Margin, `[lo, hi]`; negative is violated.
    pub margin: [Option<f64>; 2],
}

impl Sides {
    /// The numbers of a comparison.
    #[must_use]
    pub fn of(comparison: &Comparison) -> Self {
        // The sign of a zero is no part of a side, and depends on how a sum was compiled: adding zero takes it away.
        let ends = |e: Enclosure| [e.lo(), e.hi()].map(|x| x.is_finite().then_some(x + 0.0));
        Sides {
            left: ends(comparison.lhs),
            relation: comparison.relation.to_string(),
            right: ends(comparison.rhs),
            margin: ends(comparison.margin),
        }
    }
}

impl Sides {
    /// Whether both can be enclosures of the same two sides: the relations are the same, and the intervals overlap to within 1e-9 of
    /// their size, more than processors differ by.
    #[must_use]
    pub fn agrees_with(&self, other: &Sides) -> bool {
        let overlap = |a: [Option<f64>; 2], b: [Option<f64>; 2]| {
            let lo = |x: [Option<f64>; 2]| x[0].unwrap_or(f64::NEG_INFINITY);
            let hi = |x: [Option<f64>; 2]| x[1].unwrap_or(f64::INFINITY);
            let size = [a, b].concat().into_iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
            lo(a) <= hi(b) + 1e-9 * size && lo(b) <= hi(a) + 1e-9 * size
        };
        self.relation == other.relation && overlap(self.left, other.left) && overlap(self.right, other.right)
    }
}

/// A stored instance that refutes one check of one claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Witness {
    /// Version of this form.
    pub schema: u32,
    /// The claim's id.
    pub claim: String,
    /// The check's id within the claim.
    pub check: String,
    /// The statement that is refuted.
    pub statement: String,
    /// The instance in words.
    pub description: String,
    /// The instance itself.
    pub instance: Value,
    /// Both sides as they were judged when this was stored; a replay computes them anew.
    pub sides: Sides,
    /// Where the instance is degenerate: the smallest one found that is not, and refutes the check too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub convincing: Option<Convincing>,
}

/// A second instance that refutes a check, not degenerate in the sense that its claim declares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Convincing {
    /// What the first instance is, and this one is not.
    pub degenerate: String,
    /// The instance in words.
    pub description: String,
    /// The instance itself.
    pub instance: Value,
    /// Both sides as they were judged when this was stored.
    pub sides: Sides,
}

/// A stored witness could not be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WitnessError {
    /// The file could not be read.
    #[error("witness {path} cannot be read: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// The file is longer than any witness.
    #[error("witness {path} has more than {LONGEST} bytes")]
    TooLong {
        /// The file.
        path: PathBuf,
    },
    /// The file is not a witness.
    #[error("witness {path} is not readable: {source}")]
    Format {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: serde_json::Error,
    },
    /// The file was written by another version.
    #[error("witness {path} has schema {found}, this program reads schema {SCHEMA}")]
    Schema {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u64,
    },
    /// The file goes by the name of another witness, so that a check could have two.
    #[error("witness {path} is one for {claim} {check}, whose file is {expected}")]
    Misnamed {
        /// The file.
        path: PathBuf,
        /// The claim that it speaks of.
        claim: String,
        /// The check that it speaks of.
        check: String,
        /// The name that it should have.
        expected: String,
    },
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl WitnessError {
    /// The file at fault.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            WitnessError::Io { path, .. }
            | WitnessError::TooLong { path }
            | WitnessError::Format { path, .. }
            | WitnessError::Schema { path, .. }
            | WitnessError::Misnamed { path, .. } => path,
            WitnessError::Write(error) => &error.path,
        }
    }
}

impl Witness {
    /// The file name under which a witness is stored.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("{}.{}.json", self.claim, self.check)
    }

    /// Reads a witness from a file, which may be a pipe: it is read once.
    ///
    /// # Errors
    /// The file cannot be read, is longer than [`LONGEST`], is not a witness, has a key twice or one too many, or has another schema.
    pub fn load(path: &Path) -> Result<Self, WitnessError> {
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut bytes));
        read.map_err(|source| WitnessError::Io { path: path.into(), source })?;
        Witness::parse(path, &bytes)
    }

    /// Reads a witness from the bytes of a file, by whose path it goes in errors.
    ///
    /// # Errors
    /// As [`Witness::load`].
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, WitnessError> {
        if bytes.len() as u64 > LONGEST {
            return Err(WitnessError::TooLong { path: path.into() });
        }
        let format = |source| WitnessError::Format { path: path.into(), source };
        let Strict(value) = serde_json::from_slice(bytes).map_err(format)?;
        let schema = value.get("schema").and_then(Value::as_u64);
        if let Some(found) = schema.filter(|&s| s != u64::from(SCHEMA)) {
            return Err(WitnessError::Schema { path: path.into(), found });
        }
        serde_json::from_value(value).map_err(format)
    }

    /// The stored form.
    ///
    /// # Errors
    /// The instance cannot be written as JSON.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Writes the witness into a folder under its own name, whole or not at all; the folder is made if there is none.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn store(&self, folder: &Path) -> Result<PathBuf, WitnessError> {
        let path = folder.join(self.file_name());
        let text = self.text().map_err(|source| WitnessError::Format { path: path.clone(), source })?;
        std::fs::create_dir_all(folder).map_err(|source| WriteError { path: folder.into(), source })?;
        writing::write(&path, text.as_bytes())?;
        Ok(path)
    }
}

/// The stored witnesses of a catalogue, by claim and check, and the files among them that are none.
#[derive(Debug, Default)]
pub struct WitnessStore {
    by_check: BTreeMap<(String, String), Witness>,
    damaged: Vec<WitnessError>,
}

impl WitnessStore {
    /// Reads every `.json` file of a folder; a folder that does not exist holds none. A file that is no witness, or goes by the
    /// name of another one, is set aside among the [`damaged`](WitnessStore::damaged) and does not keep the others from being read.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn load(folder: &Path) -> Result<Self, WitnessError> {
        let mut store = WitnessStore::default();
        let io = |source| WitnessError::Io { path: folder.into(), source };
        let entries = match std::fs::read_dir(folder) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(store),
            entries => entries.map_err(io)?,
        };
        let mut paths = Vec::new();
        for entry in entries {
            paths.push(entry.map_err(io)?.path());
        }
        // The order in which a folder lists its files is nobody's choice.
        paths.sort();
        for path in paths.into_iter().filter(|p| p.extension().is_some_and(|e| e == "json")) {
            // A pipe would be waited for.
            let file = if path.is_file() {
                Witness::load(&path)
            } else {
                let source = std::io::Error::other("not a file");
                Err(WitnessError::Io { path: path.clone(), source })
            };
            match file {
                Err(error) => store.damaged.push(error),
                Ok(witness) => {
                    let expected = witness.file_name();
                    if path.file_name().is_some_and(|name| name == expected.as_str()) {
                        store.insert(witness);
                    } else {
                        let Witness { claim, check, .. } = witness;
                        store.damaged.push(WitnessError::Misnamed { path, claim, check, expected });
                    }
                }
            }
        }
        Ok(store)
    }

    /// Adds a witness, in place of one for the same check.
    pub fn insert(&mut self, witness: Witness) {
        self.by_check.insert((witness.claim.clone(), witness.check.clone()), witness);
    }

    /// All of them, by claim and check.
    pub fn iter(&self) -> impl Iterator<Item = &Witness> {
        self.by_check.values()
    }

    /// The witness of one check.
    #[must_use]
    pub fn get(&self, claim: &str, check: &str) -> Option<&Witness> {
        self.by_check.get(&(claim.to_owned(), check.to_owned()))
    }

    /// The files that could not be used, by path.
    #[must_use]
    pub fn damaged(&self) -> &[WitnessError] {
        &self.damaged
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::{Evaluation, at_most};
    use enclosures::enclosure::exact;

    #[test]
    fn sides_have_no_negative_zero_and_no_infinity() {
        let Evaluation::Compared(comparison) = at_most(exact(-0.0), Enclosure::measured_between(-0.0, f64::INFINITY))
        else {
            panic!("a comparison")
        };
        let sides = Sides::of(&comparison);
        let bits = |ends: [Option<f64>; 2]| ends.map(|x| x.map(f64::to_bits));
        assert_eq!(bits(sides.left), [Some(0), Some(0)]);
        assert_eq!(bits(sides.right), [Some(0), None]);
    }

    fn stored(folder: &Path) -> Witness {
        let sides = Sides {
            left: [Some(1.0), Some(1.0)],
            relation: "≤".to_owned(),
            right: [Some(0.0), None],
            margin: [None, Some(-1.0)],
        };
        let witness = Witness {
            schema: SCHEMA,
            claim: "staged.claim".to_owned(),
            check: "printed".to_owned(),
            statement: "x ≤ 0".to_owned(),
            description: "x = 1".to_owned(),
            instance: serde_json::json!({"x": 1.0}),
            sides,
            convincing: None,
        };
        witness.store(folder).expect("stored");
        witness
    }

    #[test]
    fn a_damaged_file_is_named_and_the_others_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let witness = stored(folder.path());
        let text = witness.text().expect("JSON");
        let twice = text.replacen("\"schema\": 1,", "\"schema\": 1, \"schema\": 1,", 1);
        let more = text.replacen("\"schema\": 1,", "\"schema\": 1, \"scheme\": 1,", 1);
        let damaged = [
            ("a.empty.json", ""),
            ("b.cut.json", &text[..text.len() / 2]),
            ("c.copy.json", &text),
            ("d.twice.json", &twice),
            ("e.more.json", &more),
            ("f.later.json", r#"{"schema": 4294967297}"#),
            ("g.deep.json", &"[".repeat(100_000)),
        ];
        for (name, text) in damaged {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        let store = WitnessStore::load(folder.path()).expect("a folder");
        assert_eq!(store.iter().collect::<Vec<_>>(), [&witness]);
        let told: Vec<String> = store.damaged().iter().map(ToString::to_string).collect();
        let reasons = [
            "EOF",
            "EOF",
            "whose file is staged.claim.printed.json",
            "stands twice",
            "scheme",
            "schema 4294967297",
            "recursion",
        ];
        assert_eq!(told.len(), damaged.len(), "{told:#?}");
        for ((told, (name, _)), reason) in told.iter().zip(damaged).zip(reasons) {
            assert!(told.contains(name) && told.contains(reason), "{told}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_without_an_end_is_left_at_a_stated_length() {
        let error = Witness::load(Path::new("/dev/zero")).expect_err("no witness");
        assert!(matches!(error, WitnessError::TooLong { .. }), "{error}");
    }
}
