//! What stands for JUnit's XML in a build without the feature `junit`.

use evidence::run::Run;

use crate::outcome::status::Trouble;

/// Names the missing feature.
///
/// # Errors
/// Always [`Trouble::NotBuilt`].
pub fn junit(_program: &str, _run: &Run, _not_judged: &[(String, String)]) -> Result<String, Trouble> {
    Err(Trouble::without("`--format junit`", "junit"))
}
