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

/// The kind of an erratum. Only errors and misprints are false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ErratumKind {
    /// The statement has to change.
    Error,
    /// What was meant is evident: the same statement but for a slip of the pen.
    Misprint,
    /// The words allow a sense that fails beside one that a fair reader takes.
    Imprecise,
    /// A stronger result of ours makes a true sentence look weak, or a remark is settled that nobody would defend word by word.
    Improvement,
    /// The source lost the formula; a form that we reconstructed fails.
    Question,
}

/// The kinds in the order in which they are told, with their headings.
const KINDS: [(ErratumKind, &str); 5] = [
    (ErratumKind::Error, "Errors"),
    (ErratumKind::Misprint, "Misprints"),
    (ErratumKind::Imprecise, "Imprecise words"),
    (ErratumKind::Improvement, "Improvements"),
    (ErratumKind::Question, "Questions"),
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
    /// The checks of the claim that fail, by their ids: parts and steps; of an improvement also questions of ours.
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
    /// Which version of the paper was read: identifier and date.
    pub version: String,
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
    version: String,
    erratum: Vec<Erratum>,
}

impl Errata {
    /// Reads the file of a paper: a list of tables `[[erratum]]`.
    ///
    /// # Errors
    /// The text is not TOML, or an entry lacks a key or has one too many.
    pub fn from_toml(text: &str) -> Result<Self, ErrataError> {
        let File { version, erratum } = toml::from_str(text)?;
        Ok(Errata { version, entries: erratum })
    }

    /// What of the entries does not agree with the claims of the paper, one sentence each.
    #[must_use]
    pub fn faults(&self, claims: &[Claim]) -> Vec<String> {
        let mut faults = Vec::new();
        for entry in &self.entries {
            let Some(claim) = claims.iter().find(|c| c.id == entry.claim) else {
                faults.push(format!("an erratum speaks of {}, which is not a claim", entry.claim));
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
                    Some(check)
                        if !(is_wrong(check) || entry.kind == ErratumKind::Improvement && is_answered(check)) =>
                    {
                        fault(format!("covers {name}, which is no part or step that fails"))
                    }
                    Some(_) => {}
                }
            }
            if (entry.kind == ErratumKind::Question) != claim.reconstructed.is_some() {
                fault("has to be a question exactly where the statement was reconstructed".to_owned());
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
            faults.extend(self.kind_fault(claim));
            for check in claim.checks().iter().filter(|c| is_wrong(c)) {
                let covering = self.of(claim.id).filter(|(_, e)| e.covers.iter().any(|name| name == check.id));
                let count = covering.count();
                if count != 1 {
                    let (claim, check) = (claim.id, check.id);
                    faults.push(format!(
                        "{claim} {check} fails as printed and is covered by {count} errata in place of one"
                    ));
                }
            }
        }
        faults
    }

    /// What a headline asks of the kinds of the errata on its decisive parts: a FAIL has an error, a MISPRINT a misprint and no error.
    fn kind_fault(&self, claim: &Claim) -> Option<String> {
        let expected = claim.expected();
        let decisive: Vec<&str> = expected.decisive().collect();
        let kinds: Vec<ErratumKind> = self
            .of(claim.id)
            .filter(|(_, e)| e.covers.iter().any(|name| decisive.contains(&name.as_str())))
            .map(|(_, e)| e.kind)
            .collect();
        let has = |kind: ErratumKind| kinds.contains(&kind);
        let fits = match expected.verdict {
            Verdict::Fails => has(ErratumKind::Error) || has(ErratumKind::Question),
            Verdict::Misprint => has(ErratumKind::Misprint) && !has(ErratumKind::Error),
            _ => true,
        };
        (!fits)
            .then(|| format!("{} has the headline {}, and its errata are of other kinds", claim.id, expected.verdict))
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
        let asks = self.only_asks();
        let opening = Block::paragraph(if asks {
            "Our copy of the paper lost most of its formulas. Each entry asks about a statement that we reconstructed: \
             which form was meant, an instance that breaks the form we tried, a form that holds, and what later results \
             need. Nothing here is held against the paper. Short files of plain Python recompute the instances."
        } else {
            "What we found in the paper, in its order. Each entry has the smallest convincing instance, the corrected \
             statement, how sure we are, and what later results need. Only errors and misprints are false statements: \
             imprecise words have a true sense beside a false one, and an improvement is a stronger result of ours. \
             Short files of plain Python recompute the instances without our program."
        });
        let version = Block::Paragraph(Line::new().strong("Version").text(format!(": {}.", self.version)));
        let mut table = Table::of(["kind", "entries"]);
        for (kind, title) in KINDS {
            let count = of(kind).count();
            if count > 0 {
                let line = Line::new().link(title, Target::section(&path, title));
                table.push([line, count.to_string().into()]);
            }
        }
        let mut sections = Vec::new();
        for (kind, title) in KINDS {
            let blocks = of(kind).flat_map(|(at, entry)| self.entry(at, entry, folder, run)).collect();
            sections.extend(Section::of(title, blocks));
        }
        let title = format!("{}: {citation}", self.title());
        Page { path, title, opening: vec![version, opening, Block::Table(table)], sections }
    }

    /// Whether every entry is a question about a reconstruction.
    fn only_asks(&self) -> bool {
        !self.entries.is_empty() && self.entries.iter().all(|e| e.kind == ErratumKind::Question)
    }

    /// What the page is called.
    #[must_use]
    pub fn title(&self) -> &'static str {
        if self.only_asks() { "Questions to the authors" } else { "Errata" }
    }

    fn entry(&self, at: usize, entry: &Erratum, folder: &str, run: &Run) -> Vec<Block> {
        let claim = run.claims.iter().find(|c| c.id == entry.claim);
        let line = match claim {
            Some(claim) => found(claim, entry),
            None => Line::new().code(entry.claim.clone()),
        };
        let text = |name: &str, text: &str| Item::from(Line::new().strong(name).text(": ").and(Line::written(text)));
        let [printed, breaks, corrected] = match entry.kind {
            ErratumKind::Question => ["As we read it", "What breaks this reading", "What holds"],
            _ => ["As printed", "What breaks it", "Corrected"],
        };
        let mut items = vec![
            text(printed, &entry.printed),
            text(breaks, &entry.breaks),
            text(corrected, &entry.corrected),
            text("How sure", &entry.surety),
            text("What depends on it", &entry.later),
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

/// Whether a check is a question of ours that is expected to have the answer no.
fn is_answered(check: &CheckInfo) -> bool {
    check.role == Role::Ours && check.expectation.verdict == Verdict::Fails
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
        Some(lost) => line.text(format!(". Reconstructed by us ({lost}).")),
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
        let file = |entries: String| Errata::from_toml(&("version = \"v\"\n".to_owned() + &entries));
        let errata = file(entry("Lemma 1", "x") + &entry("Lemma 1", "y")).expect("errata");
        assert_eq!(errata.entries[0].kind, ErratumKind::Misprint);
        assert_eq!((errata.heading(0).as_str(), errata.heading(1).as_str()), ("Lemma 1", "Lemma 1 (2)"));
        assert!(file(entry("Lemma 1", "x").replace("surety", "sure")).is_err());
        assert!(file(entry("Lemma 1", "x").replace("misprint", "slip")).is_err());
        assert!(Errata::from_toml(&entry("Lemma 1", "x")).is_err(), "without the version");
    }
}
