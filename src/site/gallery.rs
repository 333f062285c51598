//! The figures of the papers, drawn from the run, beside what the papers say of them.

use evidence::run::ClaimResult;
use maud::{Markup, html};
use pages::page::{Line, Target};

use crate::Contents;
use crate::blocks::{Writer, outcome};
use crate::figure::{Figure, More};
use crate::frame::Frame;
use crate::place::GALLERY;
use crate::shelf::Shelf;

/// The page of the figures; none where the run has none of them.
pub(crate) fn page(contents: &Contents<'_>, frame: &Frame, shelf: &Shelf) -> Option<(String, String)> {
    let writer = Writer::new(GALLERY, GALLERY, shelf);
    let claim_of = |figure: &&Figure| contents.run.claims.iter().find(|c| c.id == figure.claim);
    let shown: Vec<(&Figure, &ClaimResult)> =
        contents.figures.iter().filter_map(|f| Some((f, claim_of(&f)?))).collect();
    if shown.is_empty() {
        return None;
    }
    let papers = contents.register.papers.iter().map(|paper| (paper.id.as_str(), paper.citation.as_str()));
    let content = html! {
        article {
            h1 { "Figures" }
            p { "What the papers say of their figures, and what came out when we drew them again, from the curves of \
                 this run. Models and data are ours where the papers do not give theirs; the pages of the claims say \
                 which. Each number stands in a table there." }
            nav.contents aria-label="On this page" {
                @for (figure, _) in &shown { a href=(format!("#{}", anchor(figure))) { (figure.paper) ", " (figure.number) } }
            }
            @for (paper, citation) in papers {
                @let of_paper: Vec<_> = shown.iter().filter(|(figure, _)| figure.paper == paper).collect();
                @if !of_paper.is_empty() {
                    h2 { (citation) }
                    @for (figure, claim) in of_paper { (one(figure, claim, &writer)) }
                }
            }
            @if !contents.studies.is_empty() {
                section.figure {
                    h2 { "Studies of our own" }
                    @for more in contents.studies { (picture(more, &writer)) }
                }
            }
        }
    };
    Some((GALLERY.to_owned(), frame.page(GALLERY, "Figures", &content)))
}

fn anchor(figure: &Figure) -> String {
    pages::anchor(&format!("{} {}", figure.paper, figure.number))
}

fn one(figure: &Figure, claim: &ClaimResult, writer: &Writer<'_>) -> Markup {
    let page = Target::file(pages::path_of_page(claim));
    let own = html! {
        @for panel in &figure.panels {
            @match panel.plots(claim) {
                Ok(plots) => { @for plot in &plots { @if let Some(drawn) = plot.markup() { (drawn) } } }
                Err(reason) => { p.missing { "Not drawn: " (reason) "." } }
            }
        }
    };
    let used = |id: &str| figure.panels.iter().any(|panel| panel.series == id);
    let series = claim.series.iter().filter(|series| used(&series.id));
    let notes =
        series.filter_map(|series| Some((&*series.caption, series.outcome.as_ref().ok()?.note().unwrap_or_default())));
    html! {
        section.figure {
            h3 id=(anchor(figure)) { (figure.number) ": " (claim.title) }
            div.beside {
                div {
                    h4 { "What the paper says, in our words" }
                    blockquote { p { (claim.statement) } }
                }
                div {
                    h4 { "What came out" }
                    p { (outcome(claim, writer)) ": " (claim.headline().why()) "." }
                    @for remark in &claim.remarks { p { (writer.line(&Line::written(remark))) } }
                    p { (writer.line(&Line::new().link("All evidence", page))) }
                }
            }
            div.plots { (own) }
            @for (caption, note) in notes { p.note { (pages::sentence(caption)) @if !note.is_empty() { ": " (note.trim_end_matches('.')) } "." } }
            @for more in &figure.more { (picture(more, writer)) }
        }
    }
}

/// A picture of the repository; nothing where the site does not hold it.
fn picture(more: &More, writer: &Writer<'_>) -> Markup {
    let about = Line::new().link("How, and with what numbers", Target::file(more.page));
    html! {
        @if let Some(address) = writer.shelf.picture(writer.here, more.picture) {
            figure.more {
                figcaption { (more.words) " " (writer.line(&about)) "." }
                div.wide tabindex="0" { img src=(address) alt=(more.words); }
            }
        }
    }
}
