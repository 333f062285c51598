//! Reports of a run for people: a first page, and a page for every claim beside its code.
//!
//! What a [`page::Page`] holds is told apart from how it is written, so that Markdown, a terminal and a site show the same. Nothing
//! stands there that the records of the run do not hold.
//!
//! Lowest first: [`foreign`], [`formula`], [`page`], `text`, `place`, `signs`, `differences`, `assumptions`, `theorems`, `checks`, `ledger`, `picture`, `curves`,
//! `errata`, `dependences`, `searched`, `proved`, `notes`, `claim_page`,
//! `overview`, `markdown`, `latex`.

mod assumptions;
mod checks;
mod claim_page;
mod curves;
mod dependences;
mod differences;
mod errata;
pub mod foreign;
pub mod formula;
mod latex;
mod ledger;
mod markdown;
mod notes;
mod overview;
pub mod page;
mod picture;
mod place;
mod proved;
mod searched;
mod signs;
mod text;
mod theorems;

use evidence::report::{Facts, Register};
use evidence::run::Run;
use rayon::prelude::*;

pub use claim_page::claim_page;
pub use curves::pictures;
pub use dependences::{Dependences, DependencesError};
pub use errata::{Errata, ErrataError, Erratum, ErratumKind};
pub use latex::document as document_in_latex;
pub use markdown::{bundle as bundle_as_markdown, page as page_as_markdown, relative, slug as anchor};
pub use notes::{Notes, PaperNotes, Restatement};
pub use overview::{Glance, glance, overview};
use page::Page;
pub use place::{page as path_of_page, picture as path_of_picture};
pub use text::{result, sentence};

/// Every page of the report on a run: the first one, one for each claim, and the errata and dependences of every paper that was run
/// as a whole, and what the search found and what is proved if all of them were.
#[must_use]
pub fn pages(run: &Run, register: &Register, facts: &Facts, notes: &Notes) -> Vec<Page> {
    let mut pages = vec![overview(run, register, facts, notes)];
    // What the notes restate is settled while its page is written, which takes seconds for some claims.
    let of_claims: Vec<Page> = (run.claims.par_iter()).map(|claim| claim_page(claim, run, notes)).collect();
    pages.extend(of_claims);
    pages.extend(notes.papers.iter().flat_map(|paper| paper.pages(run, register)));
    let whole = notes.folder(run).into_iter();
    pages.extend(whole.flat_map(|folder| [searched::page(folder, run), proved::page(folder, run)]));
    pages
}

/// The errata of every paper that was run as a whole, as a document of LaTeX; of a run of less, the pages of its claims.
#[must_use]
pub fn latex(run: &Run, register: &Register, notes: &Notes) -> String {
    // The first of a paper's pages.
    let errata = notes.papers.iter().filter_map(|paper| paper.pages(run, register).into_iter().next());
    let mut pages: Vec<Page> = errata.collect();
    if pages.is_empty() {
        pages = run.claims.par_iter().map(|claim| claim_page(claim, run, notes)).collect();
    }
    document_in_latex(&pages)
}

/// The report in one file of Markdown that stands alone. A run of one claim is the page of that claim, and nothing else. How a reader runs
/// it again is told by the name of the program among the facts.
#[must_use]
pub fn markdown(run: &Run, register: &Register, facts: &Facts) -> String {
    let program = facts.iter().find(|(name, _)| name == "program");
    let program = program.and_then(|(_, version)| version.split(' ').next());
    let none = match program {
        Some(program) => Notes { program: program.to_owned(), ..Notes::default() },
        None => Notes::default(),
    };
    let pages = match run.claims.as_slice() {
        [claim] => vec![claim_page(claim, run, &none)],
        _ => pages(run, register, facts, &none),
    };
    bundle_as_markdown(&pages)
}
