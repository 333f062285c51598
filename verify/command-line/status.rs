//! What can go wrong in the commands of this program, beside what can in those of every catalogue.

use std::path::PathBuf;

use cli::Refusal;
pub use cli::Status;
use contrastive::data::DataError;
use estimators::convergence::StudyError;
use evidence::run::WitnessError;
use evidence::writing::WriteError;
use thiserror::Error;

/// Why the program could not do what was asked.
#[derive(Debug, Error)]
pub enum Trouble {
    /// What can happen with any catalogue.
    #[error(transparent)]
    Catalogue(#[from] cli::Trouble),
    /// A file could not be read or written.
    #[error("{action} {path}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// A place for results turned out to be none before any work was done.
    #[error("{0}\nhint: nothing has been computed yet")]
    NoPlace(WriteError),
    /// A data set cannot be used.
    #[error("{}", with_cause(.0))]
    Data(#[from] DataError),
    /// An estimator refused a user's data.
    #[error("{0}")]
    Unusable(String),
    /// A statement, or a file of them, cannot be read or tried.
    #[error("{0}")]
    Statement(String),
    /// A convergence study was refused, or an estimator failed in it.
    #[error(transparent)]
    Study(StudyError),
    /// The picture of a study could not be drawn.
    #[error("cannot draw the picture: {0}")]
    Picture(String),
}

/// A data error and what the system said, which the error itself keeps to itself.
pub fn with_cause(error: &DataError) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

impl From<WitnessError> for Trouble {
    fn from(error: WitnessError) -> Self {
        cli::Trouble::from(error).into()
    }
}

impl From<WriteError> for Trouble {
    fn from(error: WriteError) -> Self {
        cli::Trouble::from(error).into()
    }
}

impl Refusal for Trouble {
    fn status(&self) -> Status {
        match self {
            Trouble::Catalogue(trouble) => trouble.status(),
            Trouble::NoPlace(error) if error.source.kind() == std::io::ErrorKind::NotConnected => Status::Unwritten,
            Trouble::Picture(_) | Trouble::Study(StudyError::Sampling { .. }) => Status::Internal,
            _ => Status::Usage,
        }
    }
}
