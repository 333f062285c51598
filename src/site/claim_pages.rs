//! The pages of the report: that of every claim, with the ones before and after it in its paper, and those that belong to no claim.

use evidence::run::ClaimResult;
use maud::{Markup, html};
use pages::page::{Page, Section, Target};

use crate::Contents;
use crate::blocks::Writer;
use crate::frame::Frame;
use crate::mathml;
use crate::place::address;
use crate::shelf::Shelf;

/// Every page of the report.
pub(crate) fn pages(contents: &Contents<'_>, all: &[Page], frame: &Frame, shelf: &Shelf) -> Vec<(String, String)> {
    let claims = &contents.run.claims;
    let shown = |page: &Page| {
        let here = address(&page.path);
        let writer = Writer::new(&here, &page.path, shelf);
        let at = claims.iter().position(|claim| pages::path_of_page(claim) == page.path);
        let content = html! {
            @if let Some(at) = at { (above(&claims[at], contents, &writer)) }
            article {
                h1 { (mathml::text(&page.title)) }
                (writer.blocks(&page.opening))
                // The other pages say themselves what stands on them.
                @if at.is_some() { (on_this_page(&page.sections)) }
                @for section in &page.sections {
                    section {
                        h2 id=(writer.anchor(&section.title)) { (section.title) }
                        (writer.blocks(&section.blocks))
                    }
                }
            }
            @if let Some(at) = at { (neighbours(claims, at, &writer)) }
        };
        let text = frame.page(&here, &page.title, &content);
        (here, text)
    };
    all.iter().map(shown).collect()
}

/// Which paper a claim is of, and what there is besides.
fn above(claim: &ClaimResult, contents: &Contents<'_>, writer: &Writer<'_>) -> Markup {
    let paper = contents.register.papers.iter().find(|paper| paper.id == claim.paper);
    html! {
        p.above {
            (paper.map_or(claim.paper, |paper| &paper.citation))
            @for (name, address) in beside(contents, claim.paper, writer) { " · " a href=(address) { (name) } }
        }
    }
}

/// The pages on a paper as a whole: names and addresses.
pub(crate) fn beside(contents: &Contents<'_>, paper: &str, writer: &Writer<'_>) -> Vec<(&'static str, String)> {
    let notes = contents.notes.papers.iter().filter(|notes| notes.paper == paper);
    let named = notes.flat_map(|notes| {
        let errata = (notes.errata.title(), notes.path_of_errata());
        [errata, ("Dependences", notes.path_of_dependences())]
    });
    let linked =
        |(name, path): (&'static str, String)| Some((name, writer.shelf.link(writer.here, &Target::file(path))?));
    named.filter_map(linked).collect()
}

fn on_this_page(sections: &[Section]) -> Markup {
    html! {
        nav.contents aria-label="On this page" {
            @for section in sections { a href=(format!("#{}", pages::anchor(&section.title))) { (section.title) } }
        }
    }
}

/// The claims before and after one in its paper.
fn neighbours(claims: &[ClaimResult], at: usize, writer: &Writer<'_>) -> Markup {
    let of_paper = |claim: &&ClaimResult| claim.paper == claims[at].paper;
    let before = at.checked_sub(1).and_then(|i| claims.get(i)).filter(of_paper);
    let after = claims.get(at + 1).filter(of_paper);
    let linked = |claim: Option<&ClaimResult>, sign: &str| {
        let claim = claim?;
        let address = writer.shelf.link(writer.here, &Target::file(pages::path_of_page(claim)))?;
        let number = claim.source.as_ref().map_or(claim.id, |source| source.number);
        Some(html! { a href=(address) { (sign) " " (number) ": " (claim.title) } })
    };
    html! {
        nav.neighbours aria-label="Neighbours in the paper" {
            @if let Some(link) = linked(before, "←") { (link) }
            @if let Some(link) = linked(after, "→") { (link) }
        }
    }
}
