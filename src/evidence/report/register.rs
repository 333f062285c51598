//! The tables of contents that a catalogue works through: every id, in the papers' own order.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// All papers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Register {
    /// The papers, in order.
    pub papers: Vec<Paper>,
}

/// One paper's numbered statements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paper {
    /// The id that claims of this paper begin with.
    pub id: String,
    /// Authors and title.
    pub citation: String,
    /// The statements, in the paper's order.
    pub entries: Vec<RegisteredStatement>,
}

/// One numbered statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisteredStatement {
    /// Id of the claim.
    pub id: String,
    /// A title of a few words.
    pub title: String,
}

impl Register {
    /// Reads a register from its JSON form.
    ///
    /// # Errors
    /// The text is not a register.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Every id.
    #[must_use]
    pub fn ids(&self) -> BTreeSet<&str> {
        self.papers.iter().flat_map(|p| &p.entries).map(|e| e.id.as_str()).collect()
    }
}
