//! A witness in its file: the instance as a value in JSON, read back within limits.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::sides::Sides;
use super::strict_json::Strict;
use crate::writing::{self, WriteError};

/// Version of the stored form.
pub const SCHEMA: u32 = 1;

/// The largest size of a witness file in bytes, some hundred times that of the largest one stored so far.
pub const LONGEST: u64 = 1 << 20;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_without_an_end_is_left_at_a_stated_length() {
        let error = Witness::load(Path::new("/dev/zero")).expect_err("no witness");
        assert!(matches!(error, WitnessError::TooLong { .. }), "{error}");
    }
}
