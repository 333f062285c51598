//! What a claim says of itself before its checks: its words, where they stand, what its signs mean.

use super::kind::Kind;

/// Where a statement is printed: every number it goes by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The number under which readers look for it ("Lemma 1").
    pub number: &'static str,
    /// Sections, equation numbers, and its numbers in other versions.
    pub also: Vec<&'static str>,
}

/// A sign of the statement and what it stands for. Papers share theirs as constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The sign as it stands in the statement and the checks ("ρ_A").
    pub sign: &'static str,
    /// What it stands for, in a line that a reader of the report alone can compute from.
    pub meaning: &'static str,
}

impl Symbol {
    /// A sign and what it stands for.
    #[must_use]
    pub const fn new(sign: &'static str, meaning: &'static str) -> Self {
        Symbol { sign, meaning }
    }
}

/// What a claim says of itself, the senses of its words and its checks aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The id, `paper.name`.
    pub id: &'static str,
    /// The paper: the id up to its first dot.
    pub paper: &'static str,
    /// A title of a few words.
    pub title: &'static str,
    /// The kind of statement.
    pub kind: Kind,
    /// The statement as printed; empty if none was given, which a catalogue refuses.
    pub statement: &'static str,
    /// Where it is printed, if that was given.
    pub source: Option<Source>,
    /// What the signs of its statement and checks stand for.
    pub symbols: Vec<Symbol>,
    /// What the report should say beside the verdict.
    pub remarks: Vec<&'static str>,
    /// What the source lost, if the statement was reconstructed by us.
    pub reconstructed: Option<&'static str>,
    /// What the printed words speak of and the checks do not.
    pub speaks_also_of: Option<&'static str>,
    /// The file in which it stands, as the compiler names it: for a package of the workspace, relative to the workspace's root.
    pub file: &'static str,
    /// What that file says of it before the code, as it stands there.
    pub prose: &'static str,
}

impl Head {
    pub(super) fn new(id: &'static str, title: &'static str, kind: Kind, file: &'static str) -> Self {
        Head {
            id,
            paper: id.split('.').next().unwrap_or(id),
            title,
            kind,
            statement: "",
            source: None,
            symbols: Vec::new(),
            remarks: Vec::new(),
            reconstructed: None,
            speaks_also_of: None,
            file,
            prose: "",
        }
    }

    /// In place of that of a claim, where only what was found is stored.
    pub(crate) fn absent() -> Self {
        Head::new("", "", Kind::Identity, "")
    }
}
