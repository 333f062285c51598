//! What is written by hand about a paper and told together with the run: its errata, what rests on what, and restatements of its checks.

use evidence::report::Register;
use evidence::run::{ClaimResult, Run};

use crate::dependences::{self, Dependences};
use crate::errata::{self, Errata};
use crate::page::{Item, Line, Page, Target};

/// A check restated in the language of typed statements, and what settles it there.
#[derive(Clone, Debug)]
pub struct Restatement {
    /// The id of the check.
    pub check: String,
    /// The statement, in that language.
    pub statement: String,
    /// What its variables range over.
    pub ranges: String,
    /// What settles it.
    pub found: String,
    /// How it restates the check.
    pub note: String,
}

/// The most characters of a statement that stands on a page.
const LONGEST: usize = 600;

impl Restatement {
    /// With its note, or the name of the one before it that has the same.
    pub(crate) fn item(&self, before: &[Restatement]) -> Item {
        let line = Line::new().strong(self.check.clone());
        let line = if self.statement.chars().count() > LONGEST {
            line.text(" as a statement that is too long for this page (the file of restatements has it)")
        } else {
            line.text(" as ").code(self.statement.clone())
        };
        let line = if self.ranges.is_empty() { line } else { line.text(" for ").code(self.ranges.clone()) };
        let note = match before.iter().find(|other| other.note == self.note) {
            Some(other) => Line::from(format!("As for {}.", other.check)),
            None => Line::written(&self.note),
        };
        Item { line: line.text(format!(": {}.", self.found)), below: vec![note] }
    }
}

/// The notes on all papers of a catalogue, and the program that runs it.
#[derive(Clone, Debug)]
pub struct Notes {
    /// How a reader calls the program that judges these claims again.
    pub program: String,
    /// The files that the claims were read from, as a shell reads them; none for the claims of a program.
    pub files: Option<String>,
    /// The restatements of the checks of a claim, by its id; they are settled when a page asks for them.
    pub restated: fn(claim: &str) -> Vec<Restatement>,
    /// Paper by paper.
    pub papers: Vec<PaperNotes>,
}

/// The notes on one paper.
#[derive(Clone, Debug)]
pub struct PaperNotes {
    /// The id that claims of the paper begin with.
    pub paper: String,
    /// The folder of its pages, as a path from the root of the repository.
    pub folder: String,
    /// What is wrong in it.
    pub errata: Errata,
    /// What rests on what.
    pub dependences: Dependences,
}

impl Default for Notes {
    /// None, for the program of this library.
    fn default() -> Self {
        Notes { program: "contrapositive".to_owned(), files: None, restated: |_| Vec::new(), papers: Vec::new() }
    }
}

impl Notes {
    /// The notes on a paper, if there are any.
    pub(crate) fn on(&self, paper: &str) -> Option<&PaperNotes> {
        self.papers.iter().find(|notes| notes.paper == paper)
    }

    /// The folder that holds those of the papers; none unless a run holds all of their claims.
    pub(crate) fn folder(&self, run: &Run) -> Option<&str> {
        let (folder, _) = self.papers.first()?.folder.rsplit_once('/')?;
        self.papers.iter().all(|paper| paper.is_covered(run)).then_some(folder)
    }
}

impl PaperNotes {
    /// Where the errata lie, as a path from the root of the repository.
    #[must_use]
    pub fn path_of_errata(&self) -> String {
        errata::path(&self.folder)
    }

    /// Where it lies what rests on what, as a path from the root of the repository.
    #[must_use]
    pub fn path_of_dependences(&self) -> String {
        dependences::path(&self.folder)
    }

    /// Whether a run holds every claim that the notes speak of, so that their pages can be written.
    fn is_covered(&self, run: &Run) -> bool {
        let run_of = |id: &str| run.claims.iter().any(|c| c.id == id);
        !self.errata.entries.is_empty() && self.errata.entries.iter().all(|e| run_of(&e.claim))
    }

    /// The pages of errata and of dependences.
    pub(crate) fn pages(&self, run: &Run, register: &Register) -> Vec<Page> {
        if !self.is_covered(run) {
            return Vec::new();
        }
        let paper = register.papers.iter().find(|p| p.id == self.paper);
        let citation = paper.map_or(self.paper.as_str(), |p| &p.citation);
        let claims: Vec<&ClaimResult> = run.claims.iter().filter(|c| c.paper == self.paper).collect();
        vec![self.errata.page(&self.folder, citation, run), self.dependences.page(&self.folder, citation, &claims)]
    }

    /// Links to those pages, where a run has them.
    pub(crate) fn links(&self, run: &Run) -> Option<Line> {
        let errata = Line::new().link(self.errata.title(), Target::file(self.path_of_errata()));
        let both = errata.text(" · ").link("Dependences", Target::file(self.path_of_dependences()));
        self.is_covered(run).then_some(both)
    }

    /// Where the errata speak of a claim, and of which of its checks.
    pub(crate) fn errata_of(&self, claim: &ClaimResult) -> Option<Line> {
        let path = errata::path(&self.folder);
        let link = |(heading, entry): (String, &errata::Erratum)| {
            let there = Target::section(&path, heading.clone());
            Line::new().link(heading, there).text(format!(", on {}", entry.covers.join(", ")))
        };
        let links = Line::joined(self.errata.of(claim.id).map(link), "; ");
        (!links.is_empty()).then(|| Line::from(format!("{}: ", self.errata.title())).and(links).text("."))
    }
}
