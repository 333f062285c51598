//! Witnesses: instances that refute a check, stored as values in JSON and re-judged from their digits.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::claim::Comparison;
use crate::enclosure::Enclosure;

/// Version of the stored form.
pub const SCHEMA: u32 = 1;

/// Both sides of a comparison as numbers; an end at infinity is stored as null.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

/// A stored instance that refutes one check of one claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
pub enum WitnessError {
    /// The file could not be read or written.
    #[error("witness {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
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
        found: u32,
    },
}

impl Witness {
    /// The file name under which a witness is stored.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("{}.{}.json", self.claim, self.check)
    }

    /// Reads a witness from a file.
    ///
    /// # Errors
    /// The file cannot be read, is not a witness, or has another schema.
    pub fn load(path: &Path) -> Result<Self, WitnessError> {
        let text = std::fs::read_to_string(path).map_err(|source| WitnessError::Io {
            path: path.into(),
            source,
        })?;
        let format = |source| WitnessError::Format {
            path: path.into(),
            source,
        };
        let value: Value = serde_json::from_str(&text).map_err(format)?;
        if let Some(found) = value
            .get("schema")
            .and_then(Value::as_u64)
            .filter(|&s| s != u64::from(SCHEMA))
        {
            return Err(WitnessError::Schema {
                path: path.into(),
                found: found as u32,
            });
        }
        serde_json::from_value(value).map_err(format)
    }

    /// Writes the witness into a folder under its own name.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn store(&self, folder: &Path) -> Result<PathBuf, WitnessError> {
        let path = folder.join(self.file_name());
        let io = |source| WitnessError::Io {
            path: path.clone(),
            source,
        };
        let text = serde_json::to_string_pretty(self).map_err(|source| WitnessError::Format {
            path: path.clone(),
            source,
        })?;
        std::fs::create_dir_all(folder).map_err(io)?;
        std::fs::write(&path, text + "\n").map_err(|source| WitnessError::Io {
            path: path.clone(),
            source,
        })?;
        Ok(path)
    }
}

/// The stored witnesses of a catalogue, by claim and check.
#[derive(Clone, Debug, Default)]
pub struct WitnessStore {
    by_check: BTreeMap<(String, String), Witness>,
}

impl WitnessStore {
    /// Reads every `.json` file of a folder; a folder that does not exist holds none.
    ///
    /// # Errors
    /// The folder or one of its files cannot be read.
    pub fn load(folder: &Path) -> Result<Self, WitnessError> {
        let mut store = WitnessStore::default();
        if !folder.exists() {
            return Ok(store);
        }
        let io = |source| WitnessError::Io {
            path: folder.into(),
            source,
        };
        for entry in std::fs::read_dir(folder).map_err(io)? {
            let path = entry.map_err(io)?.path();
            if path.extension().is_some_and(|e| e == "json") {
                store.insert(Witness::load(&path)?);
            }
        }
        Ok(store)
    }

    /// Adds a witness, in place of one for the same check.
    pub fn insert(&mut self, witness: Witness) {
        self.by_check
            .insert((witness.claim.clone(), witness.check.clone()), witness);
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
}
