//! What stands around every page: its head, the ways to the other pages, and which run it is of.

use maud::{DOCTYPE, Markup, html};
use pages::page::Target;

use crate::Contents;
use crate::place::{FRONT, GALLERY, SCRIPT, STYLE, WORDS, address};
use crate::shelf::Shelf;

/// What all pages have around them.
pub(crate) struct Frame {
    has_figures: bool,
    /// Other pages of the navigation that the site holds: what each is called, and its address.
    others: Vec<(&'static str, String)>,
    run: String,
}

impl Frame {
    /// The frame of a site.
    pub(crate) fn of(contents: &Contents<'_>, shelf: &Shelf) -> Self {
        let plan = contents.run.plan;
        let program = contents.facts.iter().find(|(name, _)| name == "program");
        let program = program.map_or(String::new(), |(_, version)| format!(", {version}"));
        let shown = |id: &str| contents.run.claims.iter().any(|c| c.id == id);
        Frame {
            has_figures: contents.figures.iter().any(|figure| shown(figure.claim)),
            others: [("Report", REPORT), ("Words", WORDS)]
                .into_iter()
                .filter(|(_, path)| shelf.link(FRONT, &Target::file(*path)).is_some())
                .map(|(name, path)| (name, address(path)))
                .collect(),
            run: format!("A run at the {} budget with seed {}{program}.", plan.budget, plan.seed),
        }
    }

    /// A whole file of the site.
    pub(crate) fn page(&self, here: &str, title: &str, content: &Markup) -> String {
        let to = |there: &str| pages::relative(here, there);
        let whole = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (title) @if here != FRONT { " · contrapositive" } }
                    // Without it a browser asks the server for one.
                    link rel="icon" href="data:,";
                    link rel="stylesheet" href=(to(STYLE));
                    @if here == FRONT { script src=(to(SCRIPT)) defer {} }
                }
                body {
                    header {
                        nav aria-label="Site" {
                            a.home href=(to(FRONT)) { "contrapositive" }
                            a href=(to(FRONT)) { "Statements" }
                            @if self.has_figures { a href=(to(GALLERY)) { "Figures" } }
                            @for (name, path) in &self.others { a href=(to(path)) { (name) } }
                        }
                    }
                    main { (content) }
                    footer { p { (self.run) } }
                }
            }
        };
        whole.into_string() + "\n"
    }
}

/// The first page of the report in the repository.
const REPORT: &str = "REPORT.md";
