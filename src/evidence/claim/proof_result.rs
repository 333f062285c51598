//! What came of a proof by subdivision beside a check.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::reduction::{ProofInfo, Reduction};
use enclosures::proof::Conclusion;

/// What came of one proof by subdivision beside a check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProofResult {
    /// Domain and form.
    #[serde(skip)]
    pub info: ProofInfo,
    /// How the proof ended.
    pub conclusion: Conclusion,
    /// The false margins on the same domain, and how each ended.
    pub controls: Vec<(Cow<'static, str>, Conclusion)>,
    /// Judged instances of the families whose parameters lie in the domain.
    pub inside: usize,
    /// The first instance on which check and proof contradict each other.
    pub contradiction: Option<String>,
}

impl ProofResult {
    /// A proof without reference to any instance.
    pub(crate) fn alone(reduction: &dyn Reduction) -> Self {
        ProofResult {
            info: reduction.info(),
            conclusion: reduction.run(),
            controls: reduction.run_controls().into_iter().map(|(name, c)| (name.into(), c)).collect(),
            inside: 0,
            contradiction: None,
        }
    }

    /// Whether the whole domain is covered by a procedure that can fail, and agrees with the check.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        let powerful = !self.controls.is_empty() && self.controls.iter().all(|(_, c)| c.is_refuted());
        self.conclusion.is_covered() && powerful && self.contradiction.is_none()
    }
}
