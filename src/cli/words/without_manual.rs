//! What stands for the manual and the completions in a build without the feature `manual`.

use evidence::claim::Claim;

use crate::outcome::status::{Status, Trouble};

/// The name of a shell, whichever it is.
pub type Shell = String;

/// Names the missing feature.
pub fn completions(_shell: Shell, _words: clap::Command, _name: &str, _claims: &[Claim]) -> Result<Status, Trouble> {
    Err(Trouble::without("`completions`", "manual"))
}

/// Names the missing feature.
pub fn manual(_words: clap::Command) -> Result<Status, Trouble> {
    Err(Trouble::without("`manual`", "manual"))
}
