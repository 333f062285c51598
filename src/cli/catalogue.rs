//! A catalogue as the command line sees it: claims, the register of statements they work through, and the data they draw on.

use std::path::{Path, PathBuf};

use evidence::claim::{Claim, Fixtures};
use evidence::report::{Paper, Register, RegisteredStatement};
use pages::Notes;

use crate::outcome::status::Trouble;
use crate::storage::carried::Carried;
use crate::words::select::fixtures;

/// Looks whether the data sets below a folder of fixtures are what they should be; the error is a sentence that names the file.
pub type Examine = fn(&Path) -> Result<(), String>;

/// Claims under the name of their program, and what a run of them needs to know.
pub struct Catalogue {
    name: String,
    version: &'static str,
    claims: Vec<Claim>,
    register: Register,
    /// Whether the register names every statement that there is, so that a stored witness of any other is a mistake.
    is_closed: bool,
    data: &'static [&'static str],
    examine: Examine,
    carried: Option<Carried>,
    notes: Notes,
    has_page: bool,
}

impl Catalogue {
    /// A catalogue without data sets. Its register holds its claims, by paper, in the order in which they stand.
    #[must_use]
    pub fn new(name: impl Into<String>, version: &'static str, claims: Vec<Claim>) -> Self {
        let name = name.into();
        Catalogue {
            notes: Notes { program: name.clone(), ..Notes::default() },
            name,
            version,
            register: listing(&claims),
            claims,
            is_closed: false,
            data: &[],
            examine: |_| Ok(()),
            carried: None,
            has_page: false,
        }
    }

    /// The statements that the catalogue works through, some of which may have no claim yet. A stored witness of any other statement is
    /// a mistake then; without a register it belongs to another catalogue and is let alone.
    #[must_use]
    pub fn with_register(mut self, register: Register) -> Self {
        self.register = register;
        self.is_closed = true;
        self
    }

    /// Data sets that claims draw on, by their paths below the fixtures, and what examines them. Results that are kept depend on their
    /// bytes.
    #[must_use]
    pub fn with_data(mut self, data: &'static [&'static str], examine: Examine) -> Self {
        self.data = data;
        self.examine = examine;
        self
    }

    /// Data sets and witnesses that the program has with it, for commands that only read them.
    #[must_use]
    pub fn with_carried(mut self, carried: Carried) -> Self {
        self.carried = Some(carried);
        self
    }

    /// Errata and dependences that were written by hand, shown on the pages.
    #[must_use]
    pub fn with_notes(mut self, notes: Notes) -> Self {
        self.notes = Notes { program: self.name.clone(), ..notes };
        self
    }

    /// A run of every claim renews `REPORT.md` beside the fixtures, and a page beside the code of each claim.
    #[must_use]
    pub fn with_page(mut self) -> Self {
        self.has_page = true;
        self
    }

    /// The name of its program.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version of its program.
    #[must_use]
    pub fn version(&self) -> &'static str {
        self.version
    }

    /// Every claim, in order.
    #[must_use]
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }

    /// Every statement.
    #[must_use]
    pub fn register(&self) -> &Register {
        &self.register
    }

    /// The data sets, by their paths below the fixtures.
    #[must_use]
    pub fn data(&self) -> &'static [&'static str] {
        self.data
    }

    /// What was written by hand about its papers.
    #[must_use]
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    /// Whether a run of every claim renews a page of its own.
    #[must_use]
    pub fn has_page(&self) -> bool {
        self.has_page
    }

    /// Whether a stored witness of this claim should be one of this catalogue's.
    #[must_use]
    pub fn answers_for(&self, claim: &str) -> bool {
        let paper = claim.split('.').next().unwrap_or(claim);
        self.is_closed || self.register.papers.iter().any(|p| p.id == paper)
    }

    /// The folder of fixtures: the one named, or `fixtures` in the current folder or the closest one above it that has witnesses. A
    /// catalogue without data sets is content with one that is still to be made.
    ///
    /// # Errors
    /// There is no such folder.
    pub fn fixtures(&self, named: Option<&PathBuf>) -> Result<Fixtures, Trouble> {
        match fixtures(named) {
            Err(Trouble::NoFixtures(here)) if self.data.is_empty() => Ok(Fixtures::at(here)),
            found => found,
        }
    }

    /// The same for a command that only reads them: where there is no such folder, it is what the program has with it.
    ///
    /// # Errors
    /// There is none, or what the program has cannot be written to the user's cache.
    pub fn fixtures_to_read(&self, named: Option<&PathBuf>) -> Result<Fixtures, Trouble> {
        match (self.fixtures(named), self.carried) {
            (Err(missing @ Trouble::NoFixtures(_)), Some(carried)) if named.is_none() => {
                carried.unpacked()?.map(Fixtures::at).ok_or(missing)
            }
            (found, _) => found,
        }
    }

    /// Whether the data sets are what they should be.
    ///
    /// # Errors
    /// One is not; the error names the file.
    pub fn examine(&self, fixtures: &Fixtures) -> Result<(), Trouble> {
        (self.examine)(fixtures.root()).map_err(Trouble::Unusable)
    }
}

impl From<Vec<Claim>> for Catalogue {
    /// A catalogue that is called what its program is, at the version of this library.
    fn from(claims: Vec<Claim>) -> Self {
        let program = std::env::current_exe().ok();
        let stem = program.as_deref().and_then(Path::file_stem);
        let name = stem.map_or("catalogue".into(), |stem| stem.to_string_lossy());
        Catalogue::new(name, env!("CARGO_PKG_VERSION"), claims)
    }
}

/// The claims as a register.
fn listing(claims: &[Claim]) -> Register {
    let mut papers: Vec<Paper> = Vec::new();
    for claim in claims {
        let entry = RegisteredStatement { id: claim.id.to_owned(), title: claim.title.to_owned() };
        match papers.iter_mut().find(|p| p.id == claim.paper) {
            Some(paper) => paper.entries.push(entry),
            None => papers.push(Paper {
                id: claim.paper.to_owned(),
                citation: claim.paper.to_owned(),
                entries: vec![entry],
            }),
        }
    }
    Register { papers }
}
