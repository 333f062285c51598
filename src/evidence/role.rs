//! The part that a check plays in a claim.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What part a check plays in its claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A reading of the printed words: a conjunct of one of their senses.
    Part,
    /// What was evidently intended where the printed words are a misprint. Never makes the headline.
    Meant,
    /// A question of ours, not the paper's. Never makes the headline.
    Ours,
    /// A step of the printed proof.
    Step,
    /// A deliberately false variant, which must be refuted.
    Control,
    /// The corrected statement of a claim that fails as printed.
    Amendment,
    /// A stronger statement that holds.
    Sharpening,
}

impl Role {
    /// Whether a check of this role reads the statement itself, rather than its proof, a variant or a correction.
    #[must_use]
    pub(crate) fn is_reading(self) -> bool {
        matches!(self, Role::Part | Role::Meant | Role::Ours)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Part => "part",
            Role::Meant => "meant",
            Role::Ours => "ours",
            Role::Step => "step",
            Role::Control => "control",
            Role::Amendment => "amendment",
            Role::Sharpening => "sharpening",
        })
    }
}
