//! What the evidence on a claim says beyond PASS and FAIL: what constants its inequalities need, and which hypotheses; and how hard it was
//! tried.

use std::collections::BTreeSet;

use std::borrow::Cow;

use crate::page::{Block, Item, Line, Table};
use crate::text::{closest_in_full, in_numbers, listed};
use enclosures::enclosure::safe_digits;
use enclosures::interval::Interval;
use evidence::claim::{FamilyKind, Role};
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
        let mut table = Table::of(["size", "needed", "at", "instances"]);
        for entry in &ledger.entries {
            table.push([
                entry.group.clone().into(),
                safe_digits(Interval::point(entry.needed.lo()), 4).into(),
                entry.instance.clone().into(),
                entry.measured.to_string().into(),
            ]);
        }
        let summary = format!(
            "{}: printed {}; the smallest constants that the tested instances allow",
            ledger.statement, ledger.printed
        );
        blocks.extend(folded(&summary, table));
    }
    blocks
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

/// What became of checks without a hypothesis, each with the checks of which that became.
type Fates<'a> = Vec<(String, Vec<&'a str>)>;

/// What became of a check without one of its hypotheses.
fn fate(dropped: &Dropped) -> String {
    let among = |judged: &usize| match judged {
        1 => "no counterexample: 1 instance misses it alone".to_owned(),
        n => format!("no counterexample among {n} instances that miss it alone"),
    };
    match &dropped.fate {
        Without::Necessary { instance, sides, .. } => {
            format!("necessary: refuted without it by {instance} (not {})", in_numbers(sides))
        }
        Without::NoCounterexample { judged, searched: None } => format!("{}, not searched", among(judged)),
        Without::NoCounterexample { judged, searched: Some(0) } => {
            format!("{}; a search found no other instance", among(judged))
        }
        Without::NoCounterexample { judged, searched: Some(searched) } => {
            format!("{}, {searched} of them found by a search", among(judged))
        }
        Without::Meaningless { tried: 1 } => {
            "nothing to compare without it on the 1 instance that misses it".to_owned()
        }
        Without::Meaningless { tried } => format!("nothing to compare without it on {tried} instances that miss it"),
        Without::Untried { missed, besides } => alone(*missed, besides),
    }
}

/// What became of the statement without each of its hypotheses: each hypothesis once, and under it each fate once.
pub(crate) fn hypotheses(claim: &ClaimResult) -> Vec<Block> {
    let mut found: Vec<(&str, Fates<'_>)> = Vec::new();
    for dropped in &claim.dropped {
        let fates = entry(&mut found, &*dropped.hypothesis);
        entry(fates, fate(dropped)).push(&*dropped.check);
    }
    let item = |(hypothesis, fates): (&str, Fates<'_>)| {
        let line = Line::new().strong(hypothesis);
        let told = |(fate, checks): &(String, Vec<&str>)| format!("in {}: {fate}", checks.join(", "));
        match fates.as_slice() {
            [only] => Item::from(line.text(format!(", {}", told(only)))),
            several => Item { line, below: several.iter().map(told).map(Line::from).collect() },
        }
    };
    let items: Vec<Item> = found.into_iter().map(item).collect();
    if items.is_empty() {
        return Vec::new();
    }
    let summary = "Is each assumption necessary? Each is left out in turn";
    vec![Block::Folded { summary: summary.to_owned(), inside: vec![Block::Items(items)] }]
}

/// What is kept under a key, in the order in which keys were first asked for.
fn entry<K: PartialEq, V: Default>(kept: &mut Vec<(K, V)>, key: K) -> &mut V {
    let at = kept.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
        kept.push((key, V::default()));
        kept.len() - 1
    });
    &mut kept[at].1
}

/// What was tried and how hard.
pub(crate) fn tried(claim: &ClaimResult) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !claim.unmissed.is_empty() {
        let names = claim.unmissed.join("; ");
        blocks.push(Block::Paragraph(Line::new().strong("Missed by no instance").text(format!(": {names}."))));
    }
    let reach = |(checks, reach): &(Vec<Cow<'static, str>>, evidence::run::Reach)| {
        let families = families(claim.checks.iter().filter(|c| checks.iter().any(|id| *id == c.id)));
        let told: Vec<String> = families.into_iter().chain(in_brief(&reach.in_words())).collect();
        Item::from(Line::new().strong(listed(checks)).text(format!(": {}", told.join("; "))))
    };
    let closest = claim.checks.iter().filter(|c| !matches!(c.role, Role::Control | Role::Step));
    let in_full = closest.filter(|c| c.verdict != Verdict::Fails).filter_map(|c| {
        let description = closest_in_full(c)?;
        Some(Item::from(Line::new().strong(c.id).text(format!(": {description}"))))
    });
    for (summary, items) in [
        ("Instances by family, and the ranges of their values", claim.reach.iter().map(reach).collect()),
        ("Closest instances in full", in_full.collect::<Vec<_>>()),
    ] {
        if !items.is_empty() {
            blocks.push(Block::Folded { summary: summary.to_owned(), inside: vec![Block::Items(items)] });
        }
    }
    blocks
}

/// The phrases of a reach with fewer words: "x from 1 to 9" and "x length 2 to 3" are "x 1…9, length 2…3".
fn in_brief(phrases: &[String]) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for phrase in phrases {
        let ranges = phrase.contains(" from ") || phrase.contains(" length ");
        let brief = if ranges { phrase.replacen(" from ", " ", 1).replacen(" to ", "…", 1) } else { phrase.clone() };
        let of_the_one_before = brief.split_once(" length ").and_then(|(field, lengths)| {
            let last = told.last_mut()?;
            (last.split(' ').next() == Some(field)).then(|| last.push_str(&format!(", length {lengths}")))
        });
        if of_the_one_before.is_none() {
            told.push(brief);
        }
    }
    told
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reach_is_told_in_few_words() {
        let phrases = ["base a to b/c", "k from 1 to 9", "w from 0.1 to 2", "w length 2 to 3", "x length 4", "y = 1"];
        let told = in_brief(&phrases.map(str::to_owned));
        assert_eq!(told, ["base a to b/c", "k 1…9", "w 0.1…2, length 2…3", "x length 4", "y = 1"]);
    }
}
