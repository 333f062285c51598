//! The page of one claim: what the evidence says of it, why, and how to see it again.

use crate::assumptions::Assumptions;
use crate::checks;
use crate::notes::{Notes, PaperNotes};
use crate::page::{Block, Item, Line, Page, Section, Table, Target};
use crate::text::{each_side, result, sentence, stopped};
use crate::{curves, ledger, place, signs, theorems};
use enclosures::enclosure::Grade;
use evidence::claim::Role;
use evidence::headline::{Headline, SenseVerdict};
use evidence::run::{CheckResult, ClaimResult, Run, Witness};
use evidence::verdict::Verdict;

/// The page of a claim, which may speak of the other claims of the run.
#[must_use]
pub fn claim_page(claim: &ClaimResult, run: &Run, notes: &Notes) -> Page {
    let number = claim.source.as_ref().map_or("", |s| s.number);
    let assumptions = Assumptions::of(claim);
    let of_role = |role| checks::items(claim.with_role(role), &assumptions);
    let paper = notes.on(claim.paper);
    let mut why: Vec<Block> = prose(claim.prose).into_iter().collect();
    why.extend(claim.remarks.iter().map(|text| Block::Paragraph(Line::written(text))));
    let sections = [
        ("Headline", headline(claim, paper)),
        (BREAKS, refutations(claim, &assumptions, notes)),
        ("As meant", of_role(Role::Meant)),
        ("What holds instead", of_role(Role::Amendment)),
        ("Why", why),
        ("Stronger forms", of_role(Role::Sharpening)),
        ("Dependences", paper.map_or(Vec::new(), |p| p.dependences.blocks(claim, run))),
        (Assumptions::SECTION, assumptions.blocks()),
        ("The statement, part by part", parts(claim, &assumptions)),
        ("Questions of ours", of_role(Role::Ours)),
        ("Steps of the proof", of_role(Role::Step)),
        (theorems::SECTION, theorems::blocks(claim)),
        ("Restated and settled", settled(claim, notes)),
        ("Curves", curves::curves(claim)),
        ("Controls", controls(claim, &assumptions)),
        ("Hypotheses", ledger::hypotheses(claim)),
        ("Constants", ledger::constants(claim)),
        ("What was tried", ledger::tried(claim)),
        ("Reproduce", again(claim, notes)),
    ];
    Page {
        path: place::page(claim),
        title: match number {
            "" => claim.title.to_owned(),
            number => format!("{number}: {}", claim.title),
        },
        opening: opening(claim),
        sections: sections.into_iter().filter_map(|(title, blocks)| Section::of(title, blocks)).collect(),
    }
}

fn opening(claim: &ClaimResult) -> Vec<Block> {
    let mut line = Line::new().strong(result(claim.verdict()));
    let grade = claim.grade().map_or(String::new(), |grade| format!(" · {grade}"));
    if claim.reconstructed.is_some() {
        line = line.text(", of a reconstruction");
    }
    line = line
        .text(format!("{grade} · {} · ", claim.kind))
        .code(claim.id)
        .text(" · ")
        .link(claim.paper, Target::section(place::OVERVIEW, claim.paper))
        .text(" · ")
        .link("words", Target::section(place::OVERVIEW, place::MEANING));
    let mut blocks = vec![Block::Paragraph(line)];
    blocks.push(Block::Quote(claim.statement.into()));
    if let Some(source) = &claim.source {
        let places: Vec<&str> = std::iter::once(source.number).chain(source.also.iter().copied()).collect();
        blocks.push(Block::paragraph(format!("Printed: {}.", places.join("; "))));
    }
    if let Some(lost) = claim.reconstructed {
        blocks.push(Block::paragraph(stopped(&sentence(&reconstruction(lost)))));
    }
    if !claim.symbols.is_empty() {
        let meanings = claim.symbols.iter().map(|symbol| Item::from(signs::line(symbol)));
        blocks.push(Block::Folded { summary: "Notation".to_owned(), inside: vec![Block::Items(meanings.collect())] });
    }
    blocks
}

/// What stands beside the verdict of a statement that its source has lost.
fn reconstruction(lost: &str) -> String {
    format!("reconstructed by us ({lost}); not held against the paper")
}

/// The prose at the top of a claim's file, but for its first paragraph, which says in a line what the title says.
fn prose(source: &str) -> Option<Block> {
    let unmarked = source.lines().map(|line| {
        let text = line.trim_start_matches("//!");
        text.strip_prefix(' ').unwrap_or(text)
    });
    let text = unmarked.collect::<Vec<_>>().join("\n");
    let (_, rest) = text.trim().split_once("\n\n")?;
    let rest = rest.trim_matches('\n');
    (!rest.is_empty()).then(|| Block::Prose(rest.to_owned()))
}

/// Checks restated where they are settled on their whole domain.
fn settled(claim: &ClaimResult, notes: &Notes) -> Vec<Block> {
    let restated = (notes.restated)(claim.id);
    let items: Vec<Item> = (0..restated.len()).map(|at| restated[at].item(&restated[..at])).collect();
    if items.is_empty() {
        return Vec::new();
    }
    let summary = match items.len() {
        1 => "1 check restated as a typed statement, and how it is settled".to_owned(),
        n => format!("{n} checks restated as typed statements, and how each is settled"),
    };
    vec![Block::Folded { summary, inside: vec![Block::Items(items)] }]
}

/// The headline, which rule made it, and where the errata speak of it.
fn headline(claim: &ClaimResult, paper: Option<&PaperNotes>) -> Vec<Block> {
    let headline = claim.headline();
    let mut line = Line::new().strong(result(headline.verdict));
    line = line.text(format!(": {}.", rule(claim, &headline)));
    if headline.verdict != claim.expected.verdict {
        line = line.text(format!(" Expected: {}.", claim.expected.verdict));
    }
    let mut blocks = vec![Block::Paragraph(line)];
    let sense = |sense: &SenseVerdict| {
        let grade = sense.grade(|part| claim.grade_of(part));
        let grade = grade.map_or(String::new(), |grade| format!(", {grade}"));
        let words = match sense.words {
            "" => String::new(),
            words => format!(", {words}"),
        };
        let line = Line::new().strong(sense.name).text(format!("{words}: "));
        let result = match sense.verdict {
            Verdict::Fails => Line::new().strong(result(sense.verdict)),
            other => Line::from(result(other)),
        };
        Item::from(line.and(result).text(format!("{grade}{}", deciding(sense))))
    };
    if headline.senses.len() > 1 || headline.senses.iter().any(|s| !s.words.is_empty()) {
        blocks.push(Block::Items(headline.senses.iter().map(sense).collect()));
    }
    blocks.extend(unreached(claim));
    blocks.extend(paper.and_then(|paper| paper.errata_of(claim)).map(Block::Paragraph));
    blocks
}

/// Why theorems about the parts that decide do not make the grade of the headline.
fn unreached(claim: &ClaimResult) -> Option<Block> {
    let beyond = claim.speaks_also_of?;
    let is_checked = claim.decisive().iter().any(|check| check.grade == Some(Grade::Checked));
    let told =
        format!("The words also cover {beyond}, which no theorem here covers: the grade is that of the instances.");
    (is_checked && claim.grade() != Some(Grade::Checked)).then(|| Block::paragraph(told))
}

/// The parts that decide a sense, where it has others.
fn deciding(sense: &SenseVerdict) -> String {
    match sense.decisive.len() {
        n if n == sense.counted => String::new(),
        _ => format!(", decided by {}", sense.decisive.join(", ")),
    }
}

/// The headline in words: what became of the senses or of the only one, and the rule as far as it was used.
fn rule(claim: &ClaimResult, headline: &Headline) -> String {
    let mut told = Vec::new();
    match headline.senses.as_slice() {
        [only] => told.push(match (only.counted, only.decisive.len()) {
            (0, _) if claim.is_bare() => "the claim has neither a part nor a sense".to_owned(),
            (0 | 1, _) => only.verdict.to_string(),
            (2, 2) => format!("{}, in both parts", only.verdict),
            (all, deciding) if all == deciding => format!("{}, in all {all} parts", only.verdict),
            (all, _) => format!("{} in {}, the worst of {all} parts", only.verdict, only.decisive.join(", ")),
        }),
        several => {
            let telling = || several.iter().filter(|s| s.counted > 0);
            told.push(if headline.verdict == Verdict::Mixed {
                "some senses fail and others do not".to_owned()
            } else if let Some(first) = telling().next().filter(|first| telling().all(|s| s.verdict == first.verdict)) {
                format!("{}, in every sense", first.verdict)
            } else {
                "no sense fails; the weakest one decides".to_owned()
            });
        }
    }
    if let Some(verdict) = headline.as_meant {
        told.push(format!("as meant: {verdict}"));
    }
    for part in claim.with_role(Role::Part) {
        let why = &part.classification;
        if let Some(other) = why.implied_by {
            told.push(format!("{} does not count: it follows from {other}", part.id));
        } else if why.not_evidence.is_some() {
            told.push(format!("{} does not count: it is no evidence", part.id));
        }
    }
    told.join("; ")
}

/// The section with the parts that make the headline fail.
const BREAKS: &str = "What breaks it";

/// The parts that make the headline fail.
fn failing(claim: &ClaimResult) -> Vec<&CheckResult> {
    claim.decisive().into_iter().filter(|c| c.verdict == Verdict::Fails).collect()
}

/// Each of those in full, with its witness.
fn refutations(claim: &ClaimResult, assumptions: &Assumptions, notes: &Notes) -> Vec<Block> {
    let refutation = |part: &CheckResult| {
        let mut blocks = vec![Block::Items(vec![checks::refuted_below(part, assumptions)])];
        if let Some(witness) = &part.witness {
            blocks.push(Block::Table(shown(witness, part.classification.sides)));
            // What refutes a statement of a file is kept only where that is asked for.
            if notes.files.is_none() {
                blocks.push(Block::Commands(vec![format!("{} replay {}.{}", notes.program, claim.id, part.id)]));
            }
        }
        blocks
    };
    failing(claim).into_iter().flat_map(refutation).collect()
}

/// The other parts, in full, and where those are.
fn parts(claim: &ClaimResult, assumptions: &Assumptions) -> Vec<Block> {
    let above: Vec<&str> = failing(claim).iter().map(|c| c.id).collect();
    let others = claim.with_role(Role::Part).filter(|c| !above.contains(&c.id));
    let mut blocks = checks::items(others, assumptions);
    if !above.is_empty() && !blocks.is_empty() {
        let there = Target::section(place::page(claim), BREAKS);
        let line = Line::from("Under ").link(BREAKS, there).text(format!(": {}.", above.join(", ")));
        blocks.insert(0, Block::Paragraph(line));
    }
    blocks
}

/// Both sides of a failing part at its witness, and at one that convinces where the smallest is degenerate, under the names that the
/// claim has for them.
fn shown(witness: &Witness, sides: Option<[&str; 2]>) -> Table {
    let [left_name, right_name] = sides.unwrap_or(["left side", "right side"]);
    let mut table = Table::of(["", "smallest found"]);
    let relation = &witness.sides.relation;
    let [left, right] = each_side(&witness.sides);
    let asked = format!("asked {relation} {right_name}");
    let mut rows = [("at", vec![witness.description.clone()]), (left_name, vec![left]), (asked.as_str(), vec![right])];
    if let Some(convincing) = &witness.convincing {
        table.columns.push(format!("smallest found, leaving out: {}", convincing.degenerate));
        let more = std::iter::once(convincing.description.clone()).chain(each_side(&convincing.sides));
        for ((_, cells), cell) in rows.iter_mut().zip(more) {
            cells.push(cell);
        }
    }
    for (name, cells) in rows {
        table.push(std::iter::once(Line::written(name)).chain(cells.into_iter().map(Line::from)));
    }
    table
}

fn controls(claim: &ClaimResult, assumptions: &Assumptions) -> Vec<Block> {
    let controls = claim.controls();
    if controls.total == 0 {
        return Vec::new();
    }
    let summary = format!("{} of {} false variants refuted, each by an instance", controls.refuted, controls.total);
    vec![Block::Folded { summary, inside: checks::controls(claim, assumptions) }]
}

/// How to run it again, where its code is, and how to say that it was read wrongly.
fn again(claim: &ClaimResult, notes: &Notes) -> Vec<Block> {
    let program = &notes.program;
    if let Some(files) = &notes.files {
        return vec![Block::Commands(vec![format!("{program} verify {files}")])];
    }
    let mut commands = vec![format!("{program} verify {}", claim.id)];
    let stored = |c: &&CheckResult| c.role != Role::Control && c.witness.is_some();
    if claim.checks.iter().any(|c| stored(&c)) {
        commands.push(format!("{program} replay {}", claim.id));
    }
    let mut line = Line::new();
    if let Some(file) = place::source(claim) {
        line = line.text("Code: ").link(file.clone(), Target::file(file)).text(". ");
    }
    let witnesses: Vec<Line> = claim
        .checks
        .iter()
        .filter(stored)
        .filter_map(|c| c.witness.as_ref())
        .map(|witness| {
            let path = format!("{}/{}", place::WITNESSES, witness.file_name());
            Line::new().link(witness.check.clone(), Target::file(path))
        })
        .collect();
    if !witnesses.is_empty() {
        line = line.text("Witnesses: ").and(Line::joined(witnesses, ", ")).text(". ");
    }
    let doubt = Target::section("CONTRIBUTING.md", "You think that we read a statement wrongly");
    line = line.text("Did we misread the paper? ").link("Tell us", doubt).text(".");
    vec![Block::Commands(commands), Block::Paragraph(line)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_loses_its_marks_and_keeps_its_paragraphs() {
        let told = prose("//! Lemma 1: ε\n//! and more.\n//!\n//! *True*:\n//!\n//!   a ≤ b\n");
        assert_eq!(told, Some(Block::Prose("*True*:\n\n  a ≤ b".to_owned())));
        assert_eq!(prose("//! Lemma 1"), None);
    }
}
