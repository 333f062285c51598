//! Why shards make no run.

use std::path::PathBuf;

use thiserror::Error;

/// The largest size of a shard in bytes, some hundred times that of a deep run of everything.
pub const LONGEST: u64 = 1 << 30;

/// Why shards make no run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MergeError {
    /// A file could not be read.
    #[error("shard {path} cannot be read: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// A file is longer than any shard.
    #[error("{path} has more than {LONGEST} bytes and is not a shard")]
    TooLong {
        /// The file.
        path: PathBuf,
    },
    /// A file is no shard, or not a whole one.
    #[error("{path} is not a shard, or is damaged: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A shard belongs to another run.
    #[error("foreign shard {path}: its {what} is {found}, that of {other} is {expected}")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// In what it differs.
        what: &'static str,
        /// What it has.
        found: String,
        /// What it is compared with.
        other: String,
        /// What that has.
        expected: String,
    },
    /// Two shards hold the same claims.
    #[error("duplicate: {first} and {second} both contain {claims}")]
    Doubled {
        /// A file.
        first: PathBuf,
        /// Another file.
        second: PathBuf,
        /// The claims.
        claims: String,
    },
    /// Claims of the run are in no shard.
    #[error("missing: {0}")]
    Missing(String),
}
