//! Which statement of a paper rests on which, and what falls if one falls.

use std::collections::{BTreeMap, BTreeSet};

use evidence::claim::Claim;
use evidence::run::{ClaimResult, Run};
use evidence::verdict::Verdict;
use serde::Deserialize;
use thiserror::Error;

use crate::page::{Block, Graph, Item, Line, Node, Page, Section, Target};
use crate::place;
use crate::text::result;

/// For every claim of a paper, by its name within the paper, what its proof or its text uses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dependences {
    uses: BTreeMap<String, Vec<String>>,
}

/// A file of dependences could not be read.
#[derive(Debug, Error)]
#[error("these are no dependences: {0}")]
pub struct DependencesError(#[from] toml::de::Error);

/// The name of a claim within its paper.
fn name(id: &str) -> &str {
    id.split_once('.').map_or(id, |(_, name)| name)
}

impl Dependences {
    /// Reads the file of a paper: a table `[uses]` of lists of names.
    ///
    /// # Errors
    /// The text is not TOML or holds something else.
    pub fn from_toml(text: &str) -> Result<Self, DependencesError> {
        Ok(toml::from_str(text)?)
    }

    /// What does not agree with the claims of the paper, one sentence each: names of no claim, claims left out, circles.
    #[must_use]
    pub fn faults(&self, claims: &[Claim]) -> Vec<String> {
        let known: BTreeSet<&str> = claims.iter().map(|c| name(c.id)).collect();
        let mut faults = Vec::new();
        for claim in known.iter().filter(|name| !self.uses.contains_key(**name)) {
            faults.push(format!("nothing says what {claim} uses (its paper's dependences.toml)"));
        }
        for (claim, used) in &self.uses {
            for name in std::iter::once(claim).chain(used).filter(|name| !known.contains(name.as_str())) {
                faults.push(format!("the dependences of {claim} speak of {name}, which is not a claim"));
            }
            if self.all_used(claim).contains(claim.as_str()) {
                faults.push(format!("{claim} rests on itself"));
            }
        }
        faults
    }

    fn used<'a>(&'a self, claim: &str) -> impl Iterator<Item = &'a str> {
        self.uses.get(claim).into_iter().flatten().map(String::as_str)
    }

    fn users(&self, claim: &str) -> Vec<&str> {
        let uses = self.uses.iter().filter(|(_, used)| used.iter().any(|name| name == claim));
        uses.map(|(user, _)| user.as_str()).collect()
    }

    /// Everything that a claim rests on, directly or not.
    fn all_used(&self, claim: &str) -> BTreeSet<&str> {
        reached(claim, |name| self.used(name).collect())
    }

    /// Everything that rests on a claim, directly or not.
    fn all_users(&self, claim: &str) -> BTreeSet<&str> {
        reached(claim, |name| self.users(name))
    }

    /// What the page of a claim says of it.
    pub(crate) fn blocks(&self, claim: &ClaimResult, run: &Run) -> Vec<Block> {
        let own = place::name(claim);
        let linked = |names: Vec<&str>| -> Line {
            let of_paper = run.claims.iter().filter(|c| c.paper == claim.paper);
            let judged: Vec<&ClaimResult> = of_paper.filter(|c| names.contains(&place::name(c))).collect();
            let others = names.iter().filter(|name| judged.iter().all(|c| place::name(c) != **name));
            let others = others.map(|name| Line::from(*name));
            Line::joined(judged.iter().map(|c| with_result(c)).chain(others), ", ")
        };
        let direct = self.users(own);
        let further: Vec<&str> = self.all_users(own).into_iter().filter(|n| !direct.contains(n)).collect();
        let rows = [
            ("Uses", linked(self.used(own).collect())),
            ("Used by", linked(direct)),
            ("Used indirectly by", linked(further)),
        ];
        let items: Vec<Item> = rows
            .into_iter()
            .filter(|(_, line)| !line.is_empty())
            .map(|(word, line)| Item::from(Line::new().strong(word).text(": ").and(line)))
            .collect();
        if items.is_empty() {
            return Vec::new();
        }
        vec![Block::Items(items)]
    }

    /// The page of a paper's dependences: what false statements carry, and the graph.
    pub(crate) fn page(&self, folder: &str, citation: &str, claims: &[&ClaimResult]) -> Page {
        let falls =
            |claim: &&&ClaimResult| matches!(claim.verdict(), Verdict::Fails | Verdict::Misprint | Verdict::Mixed);
        let carried = |claim: &&ClaimResult| {
            let users = self.all_users(place::name(claim));
            let users: Vec<Line> =
                claims.iter().filter(|c| users.contains(place::name(c))).map(|c| with_result(c)).collect();
            (!users.is_empty())
                .then(|| Item::from(with_result(claim).text(" underlies ").and(Line::joined(users, ", "))))
        };
        let items: Vec<Item> = claims.iter().filter(falls).filter_map(carried).collect();
        let mut graph = Graph::default();
        for claim in claims {
            let own = place::name(claim);
            if self.used(own).next().is_none() && self.users(own).is_empty() {
                continue;
            }
            graph.nodes.push(Node {
                name: own.to_owned(),
                result: result(claim.verdict()).to_owned(),
                page: Target::file(place::page(claim)),
            });
            graph.edges.extend(self.used(own).map(|used| (used.to_owned(), own.to_owned())));
        }
        let mut sections = Vec::new();
        if !graph.edges.is_empty() {
            let words = "An arrow leads from a statement to one whose proof or text uses it. Statements without arrows \
                         are left out.";
            sections.extend(Section::of("The graph", vec![Block::paragraph(words), Block::Graph(graph)]));
        }
        if !items.is_empty() {
            sections.extend(Section::of("What depends on a false or mixed statement", vec![Block::Items(items)]));
        }
        Page {
            path: path(folder),
            title: format!("Dependences: {citation}"),
            opening: vec![Block::paragraph(
                "Read from the paper: which statements the proof or the text of each one uses. A result in parentheses \
                 is that of the statement as printed. The errata say whether what depends on a false statement \
                 survives.",
            )],
            sections,
        }
    }
}

/// Where the dependences of a paper lie.
pub(crate) fn path(folder: &str) -> String {
    format!("{folder}/DEPENDENCES.md")
}

fn with_result(claim: &ClaimResult) -> Line {
    let line = Line::new().link(place::name(claim), Target::file(place::page(claim)));
    match claim.verdict() {
        Verdict::Holds | Verdict::Consistent => line,
        verdict => line.text(format!(" ({})", result(verdict))),
    }
}

/// All that is reached from a name, itself only if it lies on a circle.
fn reached<'a>(from: &str, next: impl Fn(&str) -> Vec<&'a str>) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open = next(from);
    while let Some(name) = open.pop() {
        if found.insert(name) {
            open.extend(next(name));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use evidence::claim::Kind;

    #[test]
    fn unknown_names_gaps_and_circles_are_refused() {
        let text = "[uses]\na = [\"b\"]\nb = [\"c\"]\nc = [\"a\", \"x\"]\n";
        let found = Dependences::from_toml(text).expect("dependences");
        let claim = |id| Claim::new(id, "staged", Kind::Identity);
        let claims = [claim("p.a"), claim("p.b"), claim("p.c"), claim("p.d")];
        let faults = found.faults(&claims).join("\n");
        for fault in ["what d uses", "speak of x", "a rests on itself", "b rests on itself"] {
            assert!(faults.contains(fault), "{faults}");
        }
        assert!(Dependences::from_toml("[uses]\na = 1").is_err());
    }

    #[test]
    fn what_falls_is_read_off_backwards() {
        let found = Dependences::from_toml("[uses]\na = []\nb = [\"a\"]\nc = [\"b\"]\n").expect("dependences");
        assert_eq!(found.all_users("a").into_iter().collect::<Vec<_>>(), ["b", "c"]);
        assert_eq!(found.all_used("c").into_iter().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(found.users("a"), ["b"]);
    }
}
