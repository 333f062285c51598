//! What the catalogue expects of a check; anything else is a regression, whichever way it goes.

use crate::verdict::Verdict;

/// The expected verdict of a check and, where it is not a plain pass, the reason in one line.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The expected verdict.
    pub verdict: Verdict,
    /// Why it fails or stays undecided, for the report.
    pub reason: Option<&'static str>,
}

/// The statement holds on every instance.
#[must_use]
pub fn holds() -> Expectation {
    Expectation { verdict: Verdict::Holds, reason: None }
}

/// The measured trend agrees with an asymptotic statement whose constant is not given.
#[must_use]
pub fn consistent() -> Expectation {
    Expectation { verdict: Verdict::Consistent, reason: None }
}

/// The statement is refuted, for the reason given in one line.
#[must_use]
pub fn fails(reason: &'static str) -> Expectation {
    Expectation { verdict: Verdict::Fails, reason: Some(reason) }
}

/// The measured trend neither agrees with the statement nor refutes it, for the reason given in one line.
#[must_use]
pub fn inconclusive(reason: &'static str) -> Expectation {
    Expectation { verdict: Verdict::Inconclusive, reason: Some(reason) }
}

/// No instance meets the hypotheses, or the statement says nothing on those that do, for the reason given in one line.
#[must_use]
pub fn vacuous_expected(reason: &'static str) -> Expectation {
    Expectation { verdict: Verdict::Vacuous, reason: Some(reason) }
}

/// The evidence decides neither way, for the reason given in one line.
#[must_use]
pub fn undecided(reason: &'static str) -> Expectation {
    Expectation { verdict: Verdict::Undecided, reason: Some(reason) }
}
