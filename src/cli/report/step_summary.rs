//! The run as a page for the summary of a CI step: counts, and what is not as expected. GitHub shows what is appended to the file that
//! `GITHUB_STEP_SUMMARY` names.

use std::fmt::Write;

use evidence::headline::COUNTED;
use evidence::run::{ClaimResult, Run};
use evidence::verdict::Verdict;

use super::baseline::{Move, shortened};
use super::summary::number_of_claims;
use super::unexpected::{Unexpected, unexpected};
use pages::foreign::in_markdown;

/// The page; claims that were not judged are named with the reason.
#[must_use]
pub fn step_summary(program: &str, run: &Run, not_judged: &[(String, String)]) -> String {
    let found: Vec<Unexpected> = run.claims.iter().flat_map(unexpected).collect();
    let mut out = String::new();
    let outcome = match found.len() + not_judged.len() {
        0 => "all as expected".to_owned(),
        n => format!("{n} not as expected"),
    };
    let _ = writeln!(out, "## {program}: {}, {outcome}\n", number_of_claims(run));
    counts(&mut out, run);
    let _ = writeln!(out, "\nBudget {}, seed {}.", run.plan.budget, run.plan.seed);
    if !found.is_empty() {
        let _ = writeln!(out, "\n### Not as expected\n\n| claim | check | what |\n|---|---|---|");
    }
    for wrong in &found {
        let mut words = vec![format!("{}: {}", wrong.kind, wrong.predicates.join("; "))];
        words.extend(wrong.details.iter().cloned());
        let cells: Vec<String> = words.iter().map(|w| cell(w)).collect();
        let _ = writeln!(out, "| {} | {} | {} |", cell(wrong.claim), cell(&wrong.id), cells.join("<br>"));
    }
    if !not_judged.is_empty() {
        let _ = writeln!(out, "\n### Not judged\n\n| claim | why |\n|---|---|");
    }
    for (claim, reason) in not_judged {
        let _ = writeln!(out, "| {} | {} |", cell(claim), cell(reason));
    }
    out
}

/// One row for each paper.
fn counts(out: &mut String, run: &Run) {
    let names: Vec<&str> = COUNTED.iter().map(|(_, words)| *words).collect();
    let _ = writeln!(out, "| paper | claims | {} | controls refuted |", names.join(" | "));
    let _ = writeln!(out, "|---|{}", "---:|".repeat(COUNTED.len() + 2));
    let mut papers: Vec<&str> = Vec::new();
    for claim in &run.claims {
        if !papers.contains(&claim.paper) {
            papers.push(claim.paper);
        }
    }
    for paper in papers {
        let claims: Vec<&ClaimResult> = run.claims.iter().filter(|c| c.paper == paper).collect();
        let of = |verdict: Verdict| claims.iter().filter(|c| c.verdict() == verdict).count().to_string();
        let (refuted, total) = claims
            .iter()
            .map(|c| c.controls())
            .fold((0, 0), |(r, t), controls| (r + controls.refuted, t + controls.total));
        let cells: Vec<String> = COUNTED.iter().map(|(verdict, _)| of(*verdict)).collect();
        let _ = writeln!(out, "| {} | {} | {} | {refuted} of {total} |", cell(paper), claims.len(), cells.join(" | "));
    }
}

/// What moved since a baseline, as a section of the page.
#[must_use]
pub fn moved(baseline: &str, moves: &[Move]) -> String {
    let mut out = format!("\n### Since {}\n\n", in_markdown(baseline));
    if moves.is_empty() {
        out.push_str("Nothing moved.\n");
        return out;
    }
    out.push_str("| what | where | was | is |\n|---|---|---|---|\n");
    let (listed, more) = shortened(moves);
    for one in listed {
        let cells = [&one.what.to_string(), &one.place, &one.was, &one.is].map(|text| cell(text));
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    for (what, count) in more {
        let _ = writeln!(out, "| {what} | {count} more | | |");
    }
    out
}

fn cell(text: &str) -> String {
    in_markdown(text).replace('|', "\\|")
}
