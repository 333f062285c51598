//! What the evidence says beyond PASS and FAIL: how tight the inequalities are, what constants they need, and which hypotheses.

use std::fmt::Write;

use super::text::{cell, in_numbers};
use crate::claim::{Comparison, Relation, Role};
use crate::run::{CheckResult, ClaimResult, Run, Without};
use crate::verdict::Verdict;
use enclosures::enclosure::safe_digits;
use enclosures::interval::Interval;

/// The sections on tightness, constants and hypotheses; each only if it has a row.
pub(super) fn ledgers(out: &mut String, run: &Run) {
    tightness(out, run);
    constants(out, run);
    hypotheses(out, run);
    powerless(out, run);
}

/// Checks that a machine found to show little, each with the mark that admits it or without.
fn powerless(out: &mut String, run: &Run) {
    let weak = |claim: &'_ ClaimResult| -> Vec<(&'static str, String, String)> {
        let of = |check: &CheckResult| {
            let found: Vec<String> = check.weaknesses.iter().map(ToString::to_string).collect();
            let mark = check.classification.not_evidence;
            let told = mark.map_or("**unmarked**".to_owned(), |why| format!("not evidence: {why}"));
            (!found.is_empty()).then(|| (check.id, found.join("; "), told))
        };
        claim.checks.iter().filter_map(of).collect()
    };
    let rows: Vec<(&ClaimResult, (&'static str, String, String))> = run
        .claims
        .iter()
        .flat_map(|c| weak(c).into_iter().map(move |row| (c, row)))
        .collect();
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "\n## Checks without power\n\nFound by machine: judged on one instance only; moved by no factor of two and no exchange of the sides (unless a \
         refuted control stands for that); a trend whose interval is too wide to refute an exponent half a unit worse; controls refuted by a single \
         instance, or only at magnitudes of 1e5 and beyond. What is marked is not counted as evidence.\n\n\
         | claim | check | found | mark |\n|---|---|---|---|"
    );
    for (claim, (check, found, told)) in rows {
        let _ = writeln!(out, "| {} | {check} | {} | {} |", claim.id, cell(&found), cell(&told));
    }
}

fn tightness(out: &mut String, run: &Run) {
    let rows: Vec<(&ClaimResult, &CheckResult, String)> = run
        .claims
        .iter()
        .flat_map(|claim| claim.checks.iter().map(move |check| (claim, check)))
        .filter(|(_, check)| !matches!(check.role, Role::Control | Role::Step) && check.verdict == Verdict::Holds)
        .filter_map(|(claim, check)| {
            let ratio = ratio(&check.tightest.as_ref()?.comparison)?;
            Some((claim, check, ratio))
        })
        .collect();
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "\n## Tightness ledger\n\nFor every inequality that holds: the largest ratio of its smaller side to its larger side that families and \
         search reached, and where. 1 means that equality is attained, to within what doubles resolve.\n\n\
         | claim | check | largest ratio | reached at |\n|---|---|---|---|"
    );
    for (claim, check, ratio) in rows {
        let place = check.tightest.as_ref().map_or("", |t| {
            if t.description.is_empty() {
                &t.instance
            } else {
                &t.description
            }
        });
        let _ = writeln!(out, "| {} | {} | {ratio} | {} |", claim.id, check.id, cell(place));
    }
}

/// The smaller side over the larger one; none for identities and for sides that are not both positive.
fn ratio(c: &Comparison) -> Option<String> {
    let (small, large) = match c.relation {
        Relation::AtMost | Relation::LessThan => (c.lhs, c.rhs),
        Relation::AtLeast | Relation::GreaterThan => (c.rhs, c.lhs),
        Relation::Equal => return None,
    };
    if small.lo() < 0.0 || large.lo() <= 0.0 {
        return None;
    }
    let ratio = small.interval() / large.interval();
    Some(if c.margin.lo() <= 0.0 {
        "1".to_owned()
    } else if ratio.hi() > 0.9999 {
        "above 0.9999".to_owned()
    } else {
        safe_digits(ratio, 4)
    })
}

fn constants(out: &mut String, run: &Run) {
    let mut rows = run
        .claims
        .iter()
        .flat_map(|claim| claim.ledgers.iter().map(move |l| (claim, l)))
        .peekable();
    if rows.peek().is_none() {
        return;
    }
    let _ = writeln!(
        out,
        "\n## Constants\n\nThe smallest constant that the evidence leaves room for: no smaller one would do on the instance shown.\n\n\
         | claim | constant | printed | size | needed | by | measured |\n|---|---|---|---|---|---|---|"
    );
    for (claim, ledger) in rows {
        for entry in &ledger.entries {
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {} | {} | {} |",
                claim.id,
                cell(ledger.statement),
                cell(ledger.printed),
                cell(&entry.group),
                safe_digits(Interval::point(entry.needed.lo()), 4),
                cell(&entry.instance),
                entry.measured,
            );
        }
    }
}

fn hypotheses(out: &mut String, run: &Run) {
    let mut rows = run
        .claims
        .iter()
        .flat_map(|claim| claim.dropped.iter().map(move |d| (claim, d)))
        .peekable();
    if rows.peek().is_none() {
        return;
    }
    let _ = writeln!(
        out,
        "\n## Hypotheses\n\nEvery hypothesis of a statement that holds was left out in turn, and instances that miss this one alone were tried and \
         searched for, those of the claim's other checks on the same type included. *Necessary*: one of them violates the statement. *No \
         counterexample found*: none did, which proves nothing.\n\n\
         | claim | hypothesis | of check | without it |\n|---|---|---|---|"
    );
    for (claim, dropped) in rows {
        let fate = match &dropped.fate {
            Without::Necessary { instance, sides } => format!("necessary: {instance} (not {})", in_numbers(sides)),
            Without::NoCounterexample { judged, searched: 0 } => {
                format!("no counterexample found: {judged} instances miss it alone, none by search")
            }
            Without::NoCounterexample { judged, searched } => format!(
                "no counterexample found: {judged} instances miss it alone, {searched} of them met by a search for a violation"
            ),
            Without::Meaningless { tried } => format!("the statement has no meaning on {tried} instances"),
            Without::Untried => "no instance misses it alone".to_owned(),
        };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} |",
            claim.id,
            cell(dropped.hypothesis),
            dropped.check,
            cell(&fate)
        );
    }
}
