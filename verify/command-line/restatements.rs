//! Checks of the catalogue restated in the language of typed statements, where they are settled on their whole domain.
//!
//! A claim is judged on instances: what these show of an equation is that its sides agree to so many digits, of an inequality that none of
//! them violates it. Where the equation is one between polynomials, exact arithmetic or arithmetic modulo a prime (Schwartz and Zippel) shows more, size by
//! size; where the inequality is one in few numbers, their whole domain is covered.

use std::sync::LazyLock;

use pages::Restatement;
use serde::Deserialize;
use statements::{Settled, Texts, TryError, settled};

use crate::seed::DEFAULT_SEED;

/// A check restated.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restated {
    /// The id of the claim.
    pub claim: String,
    /// The id of the check that it restates.
    pub check: String,
    /// The equation or the inequality.
    pub statement: String,
    /// What its variables range over.
    #[serde(default, rename = "for")]
    pub ranges: String,
    /// A false variant over the same variables.
    pub wrong: String,
    /// How it restates the check.
    pub note: String,
}

/// All that is restated.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restatements {
    /// Equations between polynomials, or quotients of them.
    #[serde(rename = "identity")]
    pub identities: Vec<Restated>,
    /// Inequalities in few numbers.
    #[serde(default, rename = "inequality")]
    pub inequalities: Vec<Restated>,
}

/// The committed restatements.
///
/// # Panics
/// Never: the file is part of the program, and a test reads it.
pub static RESTATEMENTS: LazyLock<Restatements> = LazyLock::new(|| {
    let text = include_str!("restatements.toml");
    let read: Restatements = toml::from_str(text).expect("the committed restatements are readable");
    let unwrapped = |list: Vec<Restated>| list.into_iter().map(Restated::unwrapped).collect();
    Restatements { identities: unwrapped(read.identities), inequalities: unwrapped(read.inequalities) }
});

impl Restatements {
    /// The equations, then the inequalities.
    pub fn all(&self) -> impl Iterator<Item = &Restated> {
        self.identities.iter().chain(&self.inequalities)
    }
}

impl Restated {
    /// The same with every text on one line; those of the file are wrapped.
    fn unwrapped(self) -> Self {
        let on_one_line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        Restated {
            statement: on_one_line(self.statement),
            ranges: on_one_line(self.ranges),
            wrong: on_one_line(self.wrong),
            note: on_one_line(self.note),
            ..self
        }
    }

    /// The statement, as it is typed.
    #[must_use]
    pub fn texts(&self) -> Texts {
        Texts::of(&self.statement).ranging(&self.ranges)
    }

    /// Its false variant.
    #[must_use]
    pub fn false_texts(&self) -> Texts {
        Texts::of(&self.wrong).ranging(&self.ranges)
    }

    /// What settles the statement.
    ///
    /// # Errors
    /// It cannot be read, or is not settled.
    pub fn found(&self) -> Result<Settled, TryError> {
        settled(&self.texts(), DEFAULT_SEED)
    }
}

/// What the page of a claim tells of its checks that are restated.
#[must_use]
pub fn restated(claim: &str) -> Vec<Restatement> {
    let own = RESTATEMENTS.all().filter(|restated| restated.claim == claim);
    let told = own.map(|restated| Restatement {
        check: restated.check.clone(),
        statement: restated.statement.clone(),
        ranges: restated.ranges.clone(),
        found: match restated.found() {
            Ok(Settled::Identity(found)) if found.alpha > 0.0 => format!("sampled; {found}"),
            Ok(settled) => format!("proved; {settled}"),
            Err(error) => error.to_string(),
        },
        note: restated.note.clone(),
    });
    told.collect()
}
