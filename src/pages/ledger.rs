//! What the evidence on a claim says beyond PASS and FAIL: where its inequalities are tight, what constants they need, and which
//! hypotheses; and how hard it was tried.

use crate::page::{Block, Item, Line, Table};
use crate::text::{in_numbers, listed, ratio};
use enclosures::enclosure::safe_digits;
use enclosures::interval::Interval;
use evidence::claim::Role;
use evidence::run::{ClaimResult, Dropped, Without};
use evidence::verdict::Verdict;

/// Where the smaller side of an inequality that holds came closest to the larger one.
pub(crate) fn tightness(claim: &ClaimResult) -> Vec<Block> {
    let mut table = Table::of(["check", "largest ratio", "reached at"]);
    for check in &claim.checks {
        let counts = !matches!(check.role, Role::Control | Role::Step) && check.verdict == Verdict::Holds;
        let Some(sighting) = check.tightest.as_ref().filter(|_| counts) else {
            continue;
        };
        let Some(ratio) = ratio(&sighting.comparison) else {
            continue;
        };
        let place = match sighting.description.as_str() {
            "" => sighting.instance.as_str(),
            words => words,
        };
        table.push([check.id.into(), ratio.into(), place.into()]);
    }
    let summary = "The largest ratio of the smaller side to the larger one that families and search reached; 1 where \
                   equality is attained, to within what doubles resolve";
    folded(summary, table)
}

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
        let fields = reach.in_words();
        let line = Line::new().strong(listed(checks));
        (!fields.is_empty()).then(|| Item::from(line.text(format!(": {}", fields.join("; ")))))
    };
    let reached: Vec<Item> = claim.reach.iter().filter_map(reach).collect();
    if !reached.is_empty() {
        blocks.push(Block::Folded {
            summary: "How far the instances reach that met the hypotheses".to_owned(),
            inside: vec![Block::Items(reached)],
        });
    }
    let mut table = Table::of(["check", "judged", "discarded", "says nothing", "in doubt", "tried, by family"]);
    for check in &claim.checks {
        let counts = &check.counts;
        let number = |n: usize| Line::from(if n == 0 { String::new() } else { n.to_string() });
        let families: Vec<String> = counts.by_family.iter().map(|(kind, n)| format!("{kind} {n}")).collect();
        table.push([
            check.id.into(),
            number(counts.met),
            number(counts.discarded_total()),
            number(counts.vacuous),
            number(counts.undecided),
            families.join(", ").into(),
        ]);
    }
    blocks.extend(folded("How many instances each check was tried on", table));
    blocks
}
