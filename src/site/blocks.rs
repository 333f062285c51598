//! The blocks of a page as HTML.

use std::cell::RefCell;
use std::collections::BTreeMap;

use evidence::run::ClaimResult;
use evidence::verdict::Verdict;
use maud::{Markup, html};
use pages::page::{Block, Inline, Item, Line, Table, Target};

use crate::graph;
use crate::mathml;
use crate::place::resolved;
use crate::prose::{Addresses, html_of};
use crate::shelf::Shelf;

/// Writes what stands in one file of the site.
pub(crate) struct Writer<'a> {
    /// Where the file lies in the site.
    pub here: &'a str,
    /// Which path of the repository it shows.
    pub source: &'a str,
    /// What else there is.
    pub shelf: &'a Shelf,
    /// How often a heading of each name has stood there: a later one gets a number, as on GitHub.
    headings: RefCell<BTreeMap<String, usize>>,
}

impl<'a> Writer<'a> {
    /// A writer of a file that is still empty.
    pub(crate) fn new(here: &'a str, source: &'a str, shelf: &'a Shelf) -> Self {
        Writer { here, source, shelf, headings: RefCell::default() }
    }

    /// The name by which a link finds a heading.
    pub(crate) fn anchor(&self, title: &str) -> String {
        let name = pages::anchor(title);
        let mut headings = self.headings.borrow_mut();
        let times = headings.entry(name.clone()).or_default();
        *times += 1;
        match *times {
            1 => name,
            n => format!("{name}-{}", n - 1),
        }
    }

    /// Blocks, one below the other.
    pub(crate) fn blocks(&self, blocks: &[Block]) -> Markup {
        html! { @for block in blocks { (self.block(block)) } }
    }

    fn block(&self, block: &Block) -> Markup {
        match block {
            Block::Paragraph(line) => html! { p { (self.line(line)) } },
            Block::Quote(line) => html! { blockquote { p { (self.line(line)) } } },
            Block::Prose(text) => self.prose(text),
            Block::Heading(title) => html! { h3 id=(self.anchor(title)) { (mathml::text(title)) } },
            Block::Items(items) => html! { ul { @for item in items { (self.item(item)) } } },
            Block::Table(table) => self.table(table),
            Block::Commands(commands) => html! { pre.commands { code { (commands.join("\n")) } } },
            Block::Picture { path, words } => self.picture(path, words),
            Block::Graph(graph) => graph::markup(graph, &|node| self.shelf.link(self.here, &node.page)),
            Block::Folded { summary, inside } => html! { details { summary { (summary) } (self.blocks(inside)) } },
        }
    }

    /// CommonMark, whose links are relative to its place in the repository.
    pub(crate) fn prose(&self, text: &str) -> Markup {
        let link = |to: &str| {
            let (path, section) = to.split_once('#').unwrap_or((to, ""));
            if path.is_empty() {
                return Some(to.to_owned());
            }
            let address = self.shelf.link(self.here, &Target::file(resolved(self.source, path)?))?;
            Some(match section {
                "" => address,
                section => format!("{address}#{section}"),
            })
        };
        let picture = |to: &str| self.shelf.picture(self.here, &resolved(self.source, to)?);
        html_of(text, &Addresses { link: &link, picture: &picture })
    }

    /// Drawn anew, so that it takes its colours from the page.
    fn picture(&self, path: &str, words: &str) -> Markup {
        match self.shelf.plots(path) {
            Some(plots) => {
                html! { div.plots { @for plot in plots { @if let Some(drawn) = plot.markup() { (drawn) } } } }
            }
            None => match self.shelf.picture(self.here, path) {
                Some(address) => html! { img src=(address) alt=(words); },
                None => html! { p { (words) } },
            },
        }
    }

    fn item(&self, item: &Item) -> Markup {
        html! { li {
            (self.line(&item.line))
            @for line in &item.below { div.below { (self.line(line)) } }
        } }
    }

    fn table(&self, table: &Table) -> Markup {
        html! {
            div.wide tabindex="0" { table {
                thead { tr { @for name in &table.columns {
                    @if name.is_empty() { td {} } @else { th scope="col" { (name) } }
                } } }
                tbody { @for row in &table.rows {
                    tr { @for (at, cell) in row.iter().enumerate() {
                        @if at == 0 && table.columns.first().is_some_and(String::is_empty) {
                            th scope="row" { (self.line(cell)) }
                        } @else {
                            td { (self.line(cell)) }
                        }
                    } }
                } }
            } }
        }
    }

    /// A line of text.
    pub(crate) fn line(&self, line: &Line) -> Markup {
        html! { @for span in &line.0 { (self.span(span)) } }
    }

    fn span(&self, span: &Inline) -> Markup {
        match span {
            Inline::Text(text) => mathml::text(text),
            Inline::Strong(text) => match class_of(text) {
                Some(class) => html! { strong class=(format!("result {class}")) { (text) } },
                None => html! { strong { (mathml::text(text)) } },
            },
            Inline::Code(text) => html! { code { (text) } },
            Inline::Link { text, to } => match self.shelf.link(self.here, to) {
                Some(address) => html! { a href=(address) { (mathml::text(text)) } },
                None => mathml::text(text),
            },
        }
    }
}

/// What came of a claim, in its colour.
pub(crate) fn outcome(claim: &ClaimResult, writer: &Writer<'_>) -> Markup {
    let class = class_of_verdict(claim.verdict());
    html! { span class=(format!("result {class}")) { (writer.line(&pages::glance(claim).result)) } }
}

/// The class in the style of a verdict.
pub(crate) fn class_of_verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds | Verdict::Consistent => "passes",
        Verdict::Fails => "fails",
        Verdict::Misprint => "misprint",
        Verdict::Mixed => "mixed",
        _ => "open",
    }
}

/// The class in the style of a word that is a result.
pub(crate) fn class_of(word: &str) -> Option<&'static str> {
    match word {
        "FAIL" => Some("fails"),
        "MISPRINT" => Some("misprint"),
        "MIXED" => Some("mixed"),
        "PASS" | "PASS (consistent)" => Some("passes"),
        "undecided" | "inconclusive" | "vacuous" => Some("open"),
        _ => None,
    }
}
