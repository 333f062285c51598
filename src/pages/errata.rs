//! Errata: what is wrong in a paper as printed, as one could send it to its authors.
//!
//! The words are written by hand, in a file of each paper; which statement fails, and how well that is known, comes from the run. The
//! rules hold the two together: every part and every step that fails is covered by exactly one entry, and no entry covers what holds.

use evidence::claim::{CheckInfo, Claim, Role};
use evidence::run::{ClaimResult, Run};
use evidence::verdict::Verdict;
use serde::Deserialize;
use thiserror::Error;

use crate::page::{Block, Item, Line, Page, Section, Table, Target};
use crate::place;
use crate::text::result;

/// The kind of an erratum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ErratumKind {
    /// An error of substance: the statement has to change.
    Substance,
    /// The words allow a sense that fails beside one that holds.
    Reading,
    /// What was meant is evident.
    Misprint,
}

/// The kinds in the order in which they are told, with their headings.
const KINDS: [(ErratumKind, &str); 3] = [
    (ErratumKind::Substance, "Errors of substance"),
    (ErratumKind::Reading, "Words that allow a false reading"),
    (ErratumKind::Misprint, "Misprints"),
];

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Erratum {
    /// Id of the claim.
    pub claim: String,
    /// Where it stands in the paper.
    pub place: String,
    /// The kind.
    pub kind: ErratumKind,
    /// The parts and steps of the claim that fail, by their ids.
    pub covers: Vec<String>,
    /// The statement as printed.
    pub printed: String,
    /// The smallest convincing instance that breaks it.
    pub breaks: String,
    /// The statement that holds.
    pub corrected: String,
    /// How sure this is.
    pub surety: String,
    /// What of the paper rests on it, and whether that survives.
    pub later: String,
    /// The stand-alone check, a file in the folder `checks` of the paper.
    #[serde(default)]
    pub check: Option<String>,
}

/// The errata of one paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errata {
    /// The entries, in the paper's order.
    pub entries: Vec<Erratum>,
}

/// A file of errata could not be read.
#[derive(Debug, Error)]
#[error("these are no errata: {0}")]
pub struct ErrataError(#[from] toml::de::Error);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    erratum: Vec<Erratum>,
}

impl Errata {
    /// Reads the file of a paper: a list of tables `[[erratum]]`.
    ///
    /// # Errors
    /// The text is not TOML, or an entry lacks a key or has one too many.
    pub fn from_toml(text: &str) -> Result<Self, ErrataError> {
        let File { erratum } = toml::from_str(text)?;
        Ok(Errata { entries: erratum })
    }

    /// What of the entries does not agree with the claims of the paper, one sentence each.
    #[must_use]
    pub fn faults(&self, claims: &[Claim]) -> Vec<String> {
        let mut faults = Vec::new();
        for entry in &self.entries {
            let Some(claim) = claims.iter().find(|c| c.id() == entry.claim) else {
                faults.push(format!("an erratum speaks of {}, which is no claim", entry.claim));
                continue;
            };
            let checks = claim.checks();
            let mut fault =
                |text: String| faults.push(format!("the erratum on {} ({}) {text}", entry.claim, entry.place));
            if entry.covers.is_empty() {
                fault("covers nothing".to_owned());
            }
            for name in &entry.covers {
                match checks.iter().find(|c| c.id == name) {
                    None => fault(format!("covers {name}, which is no check of the claim")),
                    Some(check) if !is_wrong(check) => {
                        fault(format!("covers {name}, which is no part or step that fails"))
                    }
                    Some(_) => {}
                }
            }
            let stands = |c: &CheckInfo| matches!(c.expectation.verdict, Verdict::Holds | Verdict::Consistent);
            if !checks.iter().any(|c| c.role != Role::Control && stands(c)) {
                fault("has no check of what holds instead".to_owned());
            }
            let texts = [&entry.place, &entry.printed, &entry.breaks, &entry.corrected, &entry.surety, &entry.later];
            if texts.iter().any(|text| text.trim().is_empty()) {
                fault("leaves a text empty".to_owned());
            }
        }
        for claim in claims {
            for check in claim.checks().iter().filter(|c| is_wrong(c)) {
                let covering = self.of(claim.id()).filter(|(_, e)| e.covers.iter().any(|name| name == check.id));
                let count = covering.count();
                if count != 1 {
                    let (claim, check) = (claim.id(), check.id);
                    faults.push(format!(
                        "{claim} {check} fails as printed and is covered by {count} errata in place of one"
                    ));
                }
            }
        }
        faults
    }

    /// The entries on a claim, each with the heading that it stands under.
    pub(crate) fn of<'a>(&'a self, claim: &'a str) -> impl Iterator<Item = (String, &'a Erratum)> {
        let entries = self.entries.iter().enumerate();
        entries.filter(move |(_, e)| e.claim == claim).map(|(at, e)| (self.heading(at), e))
    }

    /// The place of an entry, with a number where several stand at one place.
    fn heading(&self, at: usize) -> String {
        let place = &self.entries[at].place;
        match self.entries[..at].iter().filter(|e| e.place == *place).count() {
            0 => place.clone(),
            n => format!("{place} ({})", n + 1),
        }
    }

    /// The page of the errata of a paper.
    pub(crate) fn page(&self, folder: &str, citation: &str, run: &Run) -> Page {
        let path = path(folder);
        let of = |kind: ErratumKind| self.entries.iter().enumerate().filter(move |(_, e)| e.kind == kind);
        let opening = Block::paragraph(
            "Statements and steps that are false as printed, in the paper's order, each with the smallest convincing \
             instance that breaks it, the corrected statement, and what the paper's later results owe to it. Every \
             instance can be recomputed without our program: the checks are short files of plain Python, each beside \
             its entry.",
        );
        let mut table = Table::of(["kind", "entries"]);
        for (kind, title) in KINDS {
            let line = Line::new().link(title, Target::section(&path, title));
            table.push([line, of(kind).count().to_string().into()]);
        }
        let mut sections = Vec::new();
        for (kind, title) in KINDS {
            let blocks = of(kind).flat_map(|(at, entry)| self.entry(at, entry, folder, run)).collect();
            sections.extend(Section::of(title, blocks));
        }
        Page { path, title: format!("Errata: {citation}"), opening: vec![opening, Block::Table(table)], sections }
    }

    fn entry(&self, at: usize, entry: &Erratum, folder: &str, run: &Run) -> Vec<Block> {
        let claim = run.claims.iter().find(|c| c.id == entry.claim);
        let line = match claim {
            Some(claim) => found(claim, entry),
            None => Line::new().code(entry.claim.clone()),
        };
        let text = |name: &str, text: &str| Item::from(Line::new().strong(name).text(": ").and(Line::written(text)));
        let mut items = vec![
            text("As printed", &entry.printed),
            text("What breaks it", &entry.breaks),
            text("Corrected", &entry.corrected),
            text("How sure", &entry.surety),
            text("What rests on it", &entry.later),
        ];
        if let Some(check) = &entry.check {
            let file = format!("{folder}/checks/{check}");
            let line = Line::new().strong("Recomputed by").text(": ");
            items.push(line.link(check.clone(), Target::file(file)).into());
        }
        vec![Block::Heading(self.heading(at)), Block::Paragraph(line), Block::Items(items)]
    }
}

/// Where the errata of a paper lie.
pub(crate) fn path(folder: &str) -> String {
    format!("{folder}/ERRATA.md")
}

/// Whether a check is expected to be false as printed: a part of a sense, or a step of the proof.
fn is_wrong(check: &CheckInfo) -> bool {
    matches!(check.role, Role::Part | Role::Step) && check.expectation.verdict == Verdict::Fails
}

/// What the run found of the checks that an entry covers.
fn found(claim: &ClaimResult, entry: &Erratum) -> Line {
    let covered = claim.checks.iter().filter(|c| entry.covers.iter().any(|name| name == c.id));
    let each = covered.map(|check| {
        let grade = check.grade.map_or(String::new(), |g| format!(", {g}"));
        Line::new().code(check.id).text(format!(" ({}{grade})", result(check.verdict)))
    });
    let page = Target::file(place::page(claim));
    let line = Line::new().link(claim.title, page).text(": ").and(Line::joined(each, ", "));
    match claim.reconstructed {
        Some(lost) => line.text(format!(". Reconstructed by us ({lost}); not held against the paper.")),
        None => line.text("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(place: &str, covers: &str) -> String {
        format!(
            "[[erratum]]\nclaim = \"a.b\"\nplace = \"{place}\"\nkind = \"misprint\"\ncovers = [\"{covers}\"]\nprinted \
             = \"p\"\n\
             breaks = \"b\"\ncorrected = \"c\"\nsurety = \"s\"\nlater = \"l\"\n"
        )
    }

    #[test]
    fn a_file_is_read_strictly() {
        let errata = Errata::from_toml(&(entry("Lemma 1", "x") + &entry("Lemma 1", "y"))).expect("errata");
        assert_eq!(errata.entries[0].kind, ErratumKind::Misprint);
        assert_eq!((errata.heading(0).as_str(), errata.heading(1).as_str()), ("Lemma 1", "Lemma 1 (2)"));
        assert!(Errata::from_toml(&entry("Lemma 1", "x").replace("surety", "sure")).is_err());
        assert!(Errata::from_toml(&entry("Lemma 1", "x").replace("misprint", "slip")).is_err());
    }
}
