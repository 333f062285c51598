//! What a run owes to the search, and to counterexamples that earlier runs stored, and not to the instances that the claims' own families
//! offer.

use evidence::claim::{Relation, Role};
use evidence::run::{CheckResult, ClaimResult, Run, Sighting, Without};
use evidence::verdict::Verdict;

use crate::page::{Block, Line, Page, Section, Table, Target};
use crate::place;
use crate::text::{in_numbers, shortened};

/// The most characters of a cell: what is longer stands on the page of the claim.
pub(crate) const LONGEST: usize = 160;

/// The page, in a folder.
pub(crate) fn page(folder: &str, run: &Run) -> Page {
    let sections = [
        Section::of("Refuted only by the search or by a stored counterexample", refuted(run)),
        Section::of("Hypotheses that only a search shows to be necessary", necessary(run)),
        Section::of("Smaller margins found by the search", closer(run)),
        Section::of("Shorter counterexamples than those of the families", shorter(run)),
    ];
    Page {
        path: path(folder),
        title: "What the search found".to_owned(),
        opening: vec![Block::paragraph(
            "The families of a claim supply instances that are chosen by hand, taken from data, or drawn at random. \
             This page lists the results that these instances do not give by themselves. They come from the search \
             that starts at these instances, or from counterexamples that earlier runs stored.",
        )],
        sections: sections.into_iter().flatten().collect(),
    }
}

/// Where it lies.
pub(crate) fn path(folder: &str) -> String {
    format!("{folder}/SEARCHED.md")
}

/// Every check but the false variants, with its claim.
pub(crate) fn checks(run: &Run) -> impl Iterator<Item = (&ClaimResult, &CheckResult)> {
    let of = |claim| move |check| (claim, check);
    let all = run.claims.iter().flat_map(move |claim| claim.checks.iter().map(of(claim)));
    all.filter(|(_, check): &(&ClaimResult, &CheckResult)| check.role != Role::Control)
}

pub(crate) fn name(claim: &ClaimResult, check: &str) -> Line {
    Line::new().link(claim.id, Target::file(place::page(claim))).text(" ").code(check)
}

/// A table under a line that counts its rows, or what it means that there are none.
pub(crate) fn counted(table: Table, none: &str, one: &str, several: &str) -> Vec<Block> {
    let told = match table.rows.len() {
        0 => return vec![Block::paragraph(none)],
        1 => format!("1 {one}"),
        n => format!("{n} {several}"),
    };
    vec![Block::paragraph(told), Block::Table(table)]
}

fn refuted(run: &Run) -> Vec<Block> {
    let mut table = Table::of(["check", "statement", "refuted by"]);
    for (claim, check) in checks(run).filter(|(_, check)| check.verdict == Verdict::Fails) {
        let mut kinds = check.counts.violated_by.iter().filter(|(_, n)| **n > 0).map(|(kind, _)| kind);
        let Some(witness) = check.witness.as_ref().filter(|_| !kinds.any(|kind| kind.is_of_a_family())) else {
            continue;
        };
        table.push([
            name(claim, check.id),
            shortened(check.statement, LONGEST).into(),
            format!("{} (not {})", shortened(&witness.description, LONGEST), in_numbers(&witness.sides)).into(),
        ]);
    }
    counted(
        table,
        "None: every statement that is false is violated by an instance of its own families, too.",
        "false statement that no instance of its families violates in this run.",
        "false statements that no instance of their families violates in this run.",
    )
}

fn necessary(run: &Run) -> Vec<Block> {
    let mut table = Table::of(["check", "without", "refuted by"]);
    for claim in &run.claims {
        for dropped in &claim.dropped {
            if let Without::Necessary { instance, sides, searched: true } = &dropped.fate {
                table.push([
                    name(claim, &dropped.check),
                    dropped.hypothesis.as_ref().into(),
                    format!("{} (not {})", shortened(instance, LONGEST), in_numbers(sides)).into(),
                ]);
            }
        }
    }
    counted(
        table,
        "None.",
        "hypothesis whose necessity is shown by an instance that a search found and by none of the families.",
        "hypotheses whose necessity is shown by an instance that a search found and by none of the families.",
    )
}

fn shorter(run: &Run) -> Vec<Block> {
    let mut table = Table::of(["check", "refuted by", "in place of"]);
    for (claim, check) in checks(run).filter(|(_, check)| check.verdict == Verdict::Fails) {
        if let (Some(witness), Some(offered)) = (&check.witness, &check.shortest_offered) {
            table.push([
                name(claim, check.id),
                shortened(&witness.description, LONGEST).into(),
                shortened(offered, LONGEST).into(),
            ]);
        }
    }
    counted(
        table,
        "None.",
        "false statement whose witness is shorter to write down than every violating instance of its families. The \
         last column has the shortest of those.",
        "false statements whose witness is shorter to write down than every violating instance of their families. The \
         last column has the shortest of those.",
    )
}

fn closer(run: &Run) -> Vec<Block> {
    let mut table = Table::of(["check", "before", "found", "at"]);
    for (claim, check) in checks(run).filter(|(_, check)| check.verdict == Verdict::Holds) {
        let (Some(before), Some(found)) = (&check.before_search, &check.tightest) else {
            continue;
        };
        if found.comparison.relation == Relation::Equal {
            continue;
        }
        let (was, is) = (room(before), room(found));
        // What two digits do not tell apart is not closer.
        if was != is {
            let place = match found.description.as_str() {
                "" => found.instance.as_str(),
                words => words,
            };
            table.push([name(claim, check.id), was.into(), is.into(), shortened(place, LONGEST).into()]);
        }
    }
    counted(
        table,
        "None.",
        "inequality that holds and for which the search found a smaller margin. Margins before the search and found by \
         it are fractions of the scale of the comparison.",
        "inequalities that hold and for which the search found smaller margins. Margins before the search and found by \
         it are fractions of the scale of the comparison.",
    )
}

/// The least margin in two digits; zero where equality is attained.
fn room(sighting: &Sighting) -> String {
    crate::text::relative_margin(&sighting.comparison).unwrap_or_else(|| "0".to_owned())
}
