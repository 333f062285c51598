//! What the site holds, and so where a link can lead: pages, files of the repository that they speak of, and pictures.

use std::collections::{BTreeMap, BTreeSet};

use evidence::run::ClaimResult;
use pages::page::{Block, Inline, Line, Page, Target};

use crate::Contents;
use crate::figure::plots_of;
use crate::place::{WORDS, address, resolved};
use crate::plot::Plot;
use crate::prose::pictures_of;

/// What the site holds. Paths are those of the repository.
pub(crate) struct Shelf {
    pages: BTreeSet<String>,
    files: BTreeMap<String, String>,
    pictures: BTreeMap<String, String>,
    plots: BTreeMap<String, Vec<Plot>>,
}

impl Shelf {
    /// The pages of a run, every file that one of them leads to, and every picture that such a file shows.
    pub(crate) fn of(contents: &Contents<'_>, all: &[Page]) -> Self {
        let mut shelf = Shelf {
            pages: all.iter().map(|page| page.path.clone()).collect(),
            files: BTreeMap::new(),
            pictures: BTreeMap::new(),
            plots: contents.run.claims.iter().flat_map(plots).collect(),
        };
        let mut wanted = BTreeSet::from([WORDS.to_owned()]);
        for page in all {
            let blocks = page.sections.iter().flat_map(|section| &section.blocks);
            page.opening.iter().chain(blocks).for_each(|block| targets(block, &mut wanted));
        }
        let drawn = |claim: &str| contents.run.claims.iter().any(|c| c.id == claim);
        let figures = contents.figures.iter().filter(|figure| drawn(figure.claim));
        for more in figures.flat_map(|figure| &figure.more).chain(contents.studies) {
            wanted.insert(more.page.to_owned());
            shelf.take_picture(more.picture.to_owned(), contents);
        }
        for path in wanted {
            if shelf.pages.contains(&path) {
                continue;
            }
            let Some(text) = (contents.file)(&path) else { continue };
            if is_prose(&path) {
                let shown = pictures_of(&text);
                shown
                    .iter()
                    .filter_map(|link| resolved(&path, link))
                    .for_each(|picture| shelf.take_picture(picture, contents));
            }
            shelf.files.insert(path, text);
        }
        shelf
    }

    fn take_picture(&mut self, path: String, contents: &Contents<'_>) {
        if path.ends_with(".svg")
            && let Some(text) = (contents.file)(&path)
        {
            self.pictures.insert(path, text);
        }
    }

    /// Where a target is, seen from a file of the site; none if the site does not hold it.
    pub(crate) fn link(&self, here: &str, to: &Target) -> Option<String> {
        if !self.pages.contains(&to.path) && !self.files.contains_key(&to.path) {
            return None;
        }
        let there = address(&to.path);
        let anchor = to.section.as_ref().map(|title| format!("#{}", pages::anchor(title)));
        Some(match anchor {
            Some(anchor) if there == here => anchor,
            anchor => format!("{}{}", pages::relative(here, &there), anchor.unwrap_or_default()),
        })
    }

    /// Where a picture is, seen from a file of the site.
    pub(crate) fn picture(&self, here: &str, path: &str) -> Option<String> {
        self.pictures.contains_key(path).then(|| pages::relative(here, path))
    }

    /// The curves that stand in the place of a picture of a claim.
    pub(crate) fn plots(&self, path: &str) -> Option<&[Plot]> {
        self.plots.get(path).map(Vec::as_slice)
    }

    /// The files of the repository that pages lead to.
    pub(crate) fn files(&self) -> &BTreeMap<String, String> {
        &self.files
    }

    /// The pictures as files of the site.
    pub(crate) fn pictures(self) -> impl Iterator<Item = (String, String)> {
        self.pictures.into_iter()
    }
}

/// Whether a file is CommonMark.
pub(crate) fn is_prose(path: &str) -> bool {
    path.ends_with(".md")
}

fn plots(claim: &ClaimResult) -> Vec<(String, Vec<Plot>)> {
    let of = |series: &evidence::run::SeriesResult| {
        let plots = plots_of(series.outcome.as_ref().ok()?);
        Some((pages::path_of_picture(claim, &series.id), plots))
    };
    claim.series.iter().filter_map(of).collect()
}

/// The files that a block leads to.
fn targets(block: &Block, found: &mut BTreeSet<String>) {
    let mut line = |line: &Line| {
        for span in &line.0 {
            if let Inline::Link { to, .. } = span {
                found.insert(to.path.clone());
            }
        }
    };
    match block {
        Block::Paragraph(text) | Block::Quote(text) => line(text),
        Block::Items(items) => items.iter().flat_map(|i| std::iter::once(&i.line).chain(&i.below)).for_each(line),
        Block::Table(table) => table.rows.iter().flatten().for_each(line),
        Block::Graph(graph) => found.extend(graph.nodes.iter().map(|node| node.page.path.clone())),
        Block::Folded { inside, .. } => inside.iter().for_each(|block| targets(block, found)),
        Block::Prose(_) | Block::Heading(_) | Block::Commands(_) | Block::Picture { .. } => {}
    }
}
