//! What the evidence on a claim says beyond PASS and FAIL: what constants its inequalities need, and which hypotheses; and how hard it was
//! tried.

use std::collections::BTreeSet;

use crate::page::{Block, Item, Line, Table};
use crate::text::{closest_in_full, in_numbers, listed};
use enclosures::enclosure::safe_digits;
use enclosures::interval::Interval;
use evidence::claim::Role;
use evidence::family_kind::FamilyKind;
use evidence::run::{CheckResult, ClaimResult, Dropped, Without};
use evidence::verdict::Verdict;

fn folded(summary: &str, table: Table) -> Vec<Block> {
    if table.rows.is_empty() {
        return Vec::new();
    }
    vec![Block::Folded { summary: summary.to_owned(), inside: vec![Block::Table(table)] }]
}

/// The smallest constants that the evidence leaves room for.
pub(crate) fn constants(claim: &ClaimResult) -> Vec<Block> {
    let mut blocks = Vec::new();
    for ledger in &claim.ledgers {
        let mut table = Table::of(["size", "needed", "by", "instances"]);
        for entry in &ledger.entries {
            table.push([
                entry.group.clone().into(),
                safe_digits(Interval::point(entry.needed.lo()), 4).into(),
                entry.instance.clone().into(),
                entry.measured.to_string().into(),
            ]);
        }
        let summary = format!(
            "{}: printed {}; no smaller constant than these would do on the instances shown",
            ledger.statement, ledger.printed
        );
        blocks.extend(folded(&summary, table));
    }
    blocks
}

fn missing(instances: usize) -> String {
    match instances {
        1 => "1 instance misses".to_owned(),
        n => format!("{n} instances miss"),
    }
}

/// Why no instance misses a hypothesis alone.
fn alone(missed: usize, besides: &[String]) -> String {
    let others = match besides {
        [] => return "untried: no instance of the families misses it".to_owned(),
        [one] => one.clone(),
        several => format!("one or more of: {}", several.join("; ")),
    };
    match missed {
        1 => format!("untried: the one instance that misses it also misses {others}"),
        n => format!("untried: each of the {n} instances that miss it also misses {others}"),
    }
}

/// What became of the statement without each of its hypotheses.
pub(crate) fn hypotheses(claim: &ClaimResult) -> Vec<Block> {
    let item = |dropped: &Dropped| {
        let fate = match &dropped.fate {
            Without::Necessary { instance, sides, .. } => {
                format!("necessary: without it {instance} breaks the check (not {})", in_numbers(sides))
            }
            Without::NoCounterexample { judged, searched: None } => format!(
                "no counterexample found: {} it alone; this check is tried on the instances of its families only, not \
                 searched",
                missing(*judged)
            ),
            Without::NoCounterexample { judged, searched: Some(0) } => format!(
                "no counterexample found: {} it alone; a search for a violation met no other that does",
                missing(*judged)
            ),
            Without::NoCounterexample { judged, searched: Some(searched) } => format!(
                "no counterexample found: {} it alone, {searched} of them met by a search for a violation",
                missing(*judged)
            ),
            Without::Meaningless { tried: 1 } => {
                "the statement has no meaning on the 1 instance that misses it".to_owned()
            }
            Without::Meaningless { tried } => format!("the statement has no meaning on {tried} instances that miss it"),
            Without::Untried { missed, besides } => alone(*missed, besides),
        };
        let line = Line::new().strong(dropped.hypothesis);
        Item::from(line.text(format!(", in {}: {fate}", dropped.check)))
    };
    if claim.dropped.is_empty() {
        return Vec::new();
    }
    vec![
        Block::paragraph(
            "Left out in turn, and tried on instances that miss it alone. A check whose instances are costly (a flow, \
             a network, a sweep) or a list picked by hand is not searched. What no counterexample was found for is not \
             thereby superfluous.",
        ),
        Block::Items(claim.dropped.iter().map(item).collect()),
    ]
}

/// What was tried and how hard.
pub(crate) fn tried(claim: &ClaimResult) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !claim.unmissed.is_empty() {
        let names = claim.unmissed.join("; ");
        blocks.push(Block::Paragraph(Line::new().strong("Missed by no instance").text(format!(": {names}."))));
    }
    let reach = |(checks, reach): &(Vec<&'static str>, evidence::run::Reach)| {
        let families = families(claim.checks.iter().filter(|c| checks.contains(&c.id)));
        let told = [families, reach.in_words()].concat();
        Item::from(Line::new().strong(listed(checks)).text(format!(": {}", told.join("; "))))
    };
    let closest = claim.checks.iter().filter(|c| c.role != Role::Control && c.verdict != Verdict::Fails);
    let in_full = closest.filter_map(|c| {
        let description = closest_in_full(c)?;
        Some(Item::from(Line::new().strong(c.id).text(format!(": {description}"))))
    });
    for (summary, items) in [
        (
            "How many instances of each family, and how far those reach that met the assumptions",
            claim.reach.iter().map(reach).collect(),
        ),
        ("The closest instances that are too long for their line", in_full.collect::<Vec<_>>()),
    ] {
        if !items.is_empty() {
            blocks.push(Block::Folded { summary: summary.to_owned(), inside: vec![Block::Items(items)] });
        }
    }
    blocks
}

/// How many instances of each family some checks were tried on: the fewest and the most where they differ, as they do for the search.
fn families<'a>(checks: impl Iterator<Item = &'a CheckResult> + Clone) -> Vec<String> {
    let kinds: BTreeSet<FamilyKind> = checks.clone().flat_map(|c| c.counts.by_family.keys().copied()).collect();
    let counted = |kind: FamilyKind| {
        let counts = checks.clone().map(|c| c.counts.by_family.get(&kind).copied().unwrap_or(0));
        let (fewest, most) = (counts.clone().min().unwrap_or(0), counts.max().unwrap_or(0));
        if fewest == most { format!("{kind} {most}") } else { format!("{kind} {fewest} to {most}") }
    };
    let all: Vec<String> = kinds.into_iter().map(counted).collect();
    if all.is_empty() { all } else { vec![all.join(", ")] }
}
