//! What can go wrong in the commands of this program, beside what can in those of every catalogue.

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
    /// A data set cannot be used.
    #[error("{}", with_cause(.0))]
    Data(#[from] DataError),
    /// What the user gave cannot be used: data that an estimator refuses, a statement that cannot be read or tried.
    #[error("{0}")]
    Unusable(String),
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
            Trouble::Picture(_) | Trouble::Study(StudyError::Sampling { .. }) => Status::Internal,
            _ => Status::Usage,
        }
    }
}
