//! The forms in which a run is written.

use std::fmt;

use clap::ValueEnum;

/// How the report of a run is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Markdown,
    /// For programs; see docs/json.md.
    Json,
    /// For CI systems: JUnit's XML, a suite for each claim, a case for each check.
    Junit,
    /// For authors: the errata of a paper that is run as a whole ('merad2020.*'), or the pages of single claims.
    Latex,
    /// For the summary of a CI step, in Markdown: counts, and what is not as expected.
    Summary,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Markdown => "markdown",
            Format::Json => "json",
            Format::Junit => "junit",
            Format::Latex => "latex",
            Format::Summary => "summary",
        })
    }
}
