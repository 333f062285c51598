//! A run of claims as a static site: a front page that filters, a page for every claim, the figures of the papers, and graphs of what
//! rests on what.
//!
//! The pages are those of the package `pages`; this package writes them as HTML. Nothing is fetched from a network, the only script
//! is that of the front page's text filter, and every text that comes from a file is escaped. The same run gives the same bytes.
//!
//! Lowest first: `place`, `mathml`, `prose`, `axis`, `plot`, [`figure`], `layers`, `graph`, `shelf`, `blocks`, `frame`, `document`, `claim_pages`, `gallery`,
//! `front`.

mod axis;
mod blocks;
mod claim_pages;
mod document;
pub mod figure;
mod frame;
mod front;
mod gallery;
mod graph;
mod layers;
mod mathml;
mod place;
mod plot;
mod prose;
mod shelf;

use evidence::report::{Facts, Register};
use evidence::run::Run;
use figure::{Figure, More};
use frame::Frame;
use pages::Notes;
use pages::foreign::tame;
use shelf::Shelf;

/// What a site is made of.
pub struct Contents<'a> {
    /// The run.
    pub run: &'a Run,
    /// The statements of the papers, those that did not run among them.
    pub register: &'a Register,
    /// Versions and data, as the report states them.
    pub facts: &'a Facts,
    /// Errata and dependences.
    pub notes: &'a Notes,
    /// The figures of the papers, and where the run has their curves.
    pub figures: &'a [Figure],
    /// Pictures of our own that belong to no claim.
    pub studies: &'a [More],
    /// The text of a file of the repository, named by its path from the root with slashes; none if it is not to be shown.
    pub file: &'a dyn Fn(&str) -> Option<String>,
}

/// Every file of the site: its path from the site's root with slashes, and its text. No path stands there twice.
#[must_use]
pub fn site(contents: &Contents<'_>) -> Vec<(String, String)> {
    let pages = pages::pages(contents.run, contents.register, contents.facts, contents.notes);
    let shelf = Shelf::of(contents, &pages);
    let frame = Frame::of(contents, &shelf);
    let mut files = vec![
        (place::STYLE.to_owned(), include_str!("style/style.css").to_owned()),
        (place::SCRIPT.to_owned(), include_str!("style/filter.js").to_owned()),
        (place::FRONT.to_owned(), front::page(contents, &frame, &shelf)),
    ];
    files.extend(gallery::page(contents, &frame, &shelf));
    files.extend(claim_pages::pages(contents, &pages, &frame, &shelf));
    files.extend(document::documents(&frame, &shelf));
    files.extend(shelf.pictures());
    for (_, text) in &mut files {
        *text = tame(text).into_owned();
    }
    files
}
