//! Identities of the catalogue restated in the language of typed statements, where exact arithmetic settles them.
//!
//! A claim is judged on enclosures; what these show of an equation is that its sides agree to so many digits. Where the equation is one between
//! polynomials in the entries of vectors and matrices, arithmetic modulo a prime (Schwartz and Zippel) or on a grid shows more, size by size.

use std::sync::LazyLock;

use pages::Restatement;
use serde::Deserialize;
use statements::{Settled, Texts, TryError, settled};

use crate::seed::DEFAULT_SEED;

/// A check restated as an equation.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The id of the claim.
    pub claim: String,
    /// The id of the check that it restates.
    pub check: String,
    /// The equation.
    pub statement: String,
    /// What its variables range over.
    #[serde(default, rename = "for")]
    pub ranges: String,
    /// A false variant over the same variables.
    pub wrong: String,
    /// How it restates the check.
    pub note: String,
}

/// The file of identities.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Identities {
    identity: Vec<Identity>,
}

/// The committed identities.
///
/// # Panics
/// Never: the file is part of the program, and a test reads it.
pub static IDENTITIES: LazyLock<Vec<Identity>> = LazyLock::new(|| {
    let text = include_str!("identities.toml");
    let read: Identities = toml::from_str(text).expect("the committed identities are readable");
    read.identity.into_iter().map(Identity::unwrapped).collect()
});

impl Identity {
    /// The same with every text on one line; those of the file are wrapped.
    fn unwrapped(self) -> Self {
        let on_one_line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        Identity {
            statement: on_one_line(self.statement),
            ranges: on_one_line(self.ranges),
            wrong: on_one_line(self.wrong),
            note: on_one_line(self.note),
            ..self
        }
    }

    fn settle(&self, statement: &str) -> Result<Settled, TryError> {
        settled(&Texts::of(statement).ranging(&self.ranges), DEFAULT_SEED)
    }

    /// What exact arithmetic says of the equation.
    ///
    /// # Errors
    /// It cannot be read, or is not settled.
    pub fn found(&self) -> Result<Settled, TryError> {
        self.settle(&self.statement)
    }

    /// What it says of the false variant, which is not to be settled.
    ///
    /// # Errors
    /// It cannot be read, or its sides differ.
    pub fn found_of_wrong(&self) -> Result<Settled, TryError> {
        self.settle(&self.wrong)
    }
}

/// What the page of a claim tells of its identities.
#[must_use]
pub fn restated(claim: &str) -> Vec<Restatement> {
    let own = IDENTITIES.iter().filter(|identity| identity.claim == claim);
    let restated = own.map(|identity| Restatement {
        check: identity.check.clone(),
        equation: identity.statement.clone(),
        ranges: identity.ranges.clone(),
        found: match identity.found() {
            Ok(Settled::Identity(found)) if found.alpha > 0.0 => format!("sampled; {found}"),
            Ok(settled) => format!("proved; {settled}"),
            Err(error) => error.to_string(),
        },
        note: identity.note.clone(),
    });
    restated.collect()
}
