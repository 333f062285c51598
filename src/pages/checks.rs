//! The checks of a claim on its page: each with what it compares, what it assumes beyond what every check of the page does, and what came
//! of it.

use std::fmt::Write;

use crate::assumptions::Assumptions;
use crate::page::{Block, Item, Line};
use crate::text::{in_numbers, met, result, stopped, tightest};
use enclosures::enclosure::plain;
use evidence::claim::{Comparison, Role};
use evidence::run::{CheckResult, ClaimResult, ProofResult, Scaled, Witness};
use evidence::verdict::Verdict;

/// All that a check assumes and leaves out, and when its sides count as equal; what every check of the page assumes is left to the section
/// that says so.
fn assumed(check: &CheckResult, assumptions: &Assumptions) -> Line {
    let mut told = vec![assumptions.of_check(check)];
    if !check.assumes.exceptions.is_empty() {
        told.push(Line::written(&format!("Exceptions: {}", check.assumes.exceptions.join("; "))));
    }
    if !check.undeclared.is_empty() {
        let reasons = check.undeclared.join("; ");
        told.push(Line::new().strong("undeclared exception").text(format!(": {reasons}")));
    }
    if let Some(scaled) = &check.scaled {
        told.push(Line::from(on_a_scale(scaled)));
    }
    let line = Line::joined(told, ". ");
    if line.is_empty() { line } else { line.text(".") }
}

/// One check in full.
pub(crate) fn item(check: &CheckResult, assumptions: &Assumptions) -> Item {
    let mut item = Item::from(headed(check));
    item.below.extend(Some(assumed(check, assumptions)).filter(|line| !line.is_empty()));
    item.below.extend(marks(check));
    item.below.push(outcome(check));
    item.below.extend(check.proofs.iter().map(proved));
    item.below.extend(weak(check));
    item
}

/// The checks of one role, in full.
pub(crate) fn items(claim: &ClaimResult, role: Role, assumptions: &Assumptions) -> Vec<Block> {
    let items: Vec<Item> = claim.with_role(role).map(|check| item(check, assumptions)).collect();
    if items.is_empty() { Vec::new() } else { vec![Block::Items(items)] }
}

/// Name and statement of a check.
fn headed(check: &CheckResult) -> Line {
    let senses = match check.classification.senses.as_slice() {
        [] => String::new(),
        some => format!(" (sense {})", some.join(", ")),
    };
    Line::new().strong(check.id).text(format!("{senses}: ")).and(Line::written(check.statement))
}

/// How a check counts, where that is not plain.
fn marks(check: &CheckResult) -> Option<Line> {
    let marks = &check.classification;
    let mut told = Vec::new();
    if let Some(other) = marks.implied_by {
        told.push(format!("Implied by {other}."));
    }
    if let Some(why) = marks.not_evidence {
        told.push(format!("Not evidence: {why}."));
    }
    if let Some(what) = marks.our_constant {
        told.push(format!("The words leave it to us: {what}."));
    }
    if let Some(why) = marks.because {
        told.push(format!("Counted as {} because {why}.", check.role));
    }
    (!told.is_empty()).then(|| Line::written(&told.join(" ")))
}

/// Verdict, grade, how many instances, how close they came or what refutes.
fn outcome(check: &CheckResult) -> Line {
    let control = check.role == Role::Control;
    let fails = check.verdict == Verdict::Fails;
    let line = match (control, fails) {
        (true, true) => Line::from("Refuted"),
        (true, false) => Line::new().strong("survived"),
        (false, true) => Line::new().strong("FAIL"),
        (false, false) => Line::from(result(check.verdict)),
    };
    let mut text = check.grade.map_or(String::new(), |grade| format!(", {grade}"));
    if !control && check.verdict != check.expectation.verdict {
        let _ = write!(text, " (expected {})", check.expectation.verdict);
    }
    let _ = write!(text, ": {}", met(check));
    if let (false, false, Some(closest)) = (control, fails, tightest(check)) {
        let _ = write!(text, "; {closest}");
    }
    text.push('.');
    if let Some(witness) = &check.witness {
        let _ = write!(text, " Refuted by {}.", sides_in_words(witness));
    }
    if let Some(reason) = check.expectation.reason.filter(|_| !control) {
        let _ = write!(text, " Reason: {}", stopped(reason));
    }
    if let Some(trouble) = &check.trouble {
        let _ = write!(text, " Trouble: {trouble}.");
    }
    if let (Some(doubt), Verdict::Undecided) = (&check.doubtful, check.verdict) {
        let _ = write!(text, " In doubt: {} {}.", doubt.instance, in_words(&doubt.comparison));
    }
    // Of the instance that came closest: beside a refutation it would speak of another one.
    let note = check.tightest.as_ref().and_then(|t| t.comparison.note.as_deref());
    if let (Some(note), false, false) = (note, control, fails) {
        let _ = write!(text, " Closest: {}", stopped(note));
    }
    line.text(text)
}

/// How a proof by subdivision ended, with its domain.
fn proved(proof: &ProofResult) -> Line {
    let mut text = proof_in_words(proof);
    if let Some(reason) = proof.info.form.or(proof.info.expected_residual) {
        let _ = write!(text, " [{reason}]");
    }
    let line = Line::from(format!("{}.", crate::text::sentence(&text)));
    match &proof.contradiction {
        Some(contradiction) => line.text(" ").strong("contradicted").text(format!(": {contradiction}.")),
        None => line,
    }
}

/// How a proof by subdivision ended.
pub(crate) fn proof_in_words(proof: &ProofResult) -> String {
    let weak = proof.controls.iter().filter(|(_, c)| !c.is_refuted()).count();
    let mut text = format!("{}: {}", proof.info.domain, proof.conclusion);
    text.insert_str(0, if proof.succeeded() { "proved for " } else { "not proved for " });
    if proof.controls.is_empty() || weak > 0 {
        text.push_str(", by a procedure that no control has failed");
    }
    text
}

/// Why a check shows little, as a machine found, and the mark that admits it.
fn weak(check: &CheckResult) -> Option<Line> {
    if check.weaknesses.is_empty() {
        return None;
    }
    let found: Vec<String> = check.weaknesses.iter().map(ToString::to_string).collect();
    let line = Line::from(format!("Shows little: {}", found.join("; ")));
    Some(match check.classification.not_evidence {
        Some(_) => line.text("."),
        None => line.text("; ").strong("unmarked").text("."),
    })
}

fn in_words(c: &Comparison) -> String {
    format!("({} {} {})", c.lhs, c.relation, c.rhs)
}

fn sides_in_words(witness: &Witness) -> String {
    format!("{} (not {})", witness.description, in_numbers(&witness.sides))
}

/// Where something larger than the sides is the measure of their difference, what it is and how far they may differ.
fn on_a_scale(scaled: &Scaled) -> String {
    let within = plain(scaled.tolerance, 2);
    let measure = match scaled.name {
        Some("1") => within,
        Some(name) => format!("{within} times {name}"),
        None => format!("{within} times the larger side, or times what the sides are differences of"),
    };
    let on = match scaled.instances {
        1 => "this decides on 1 instance".to_owned(),
        n => format!("this decides on {n} instances"),
    };
    format!("Sides whose difference is zero to within {measure} count as equal; {on}")
}
