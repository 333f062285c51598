//! The checks of a claim on its page: each with what it compares, what it assumes beyond what every check of the page does, and what came
//! of it.

use std::fmt::Write;

use crate::assumptions::Assumptions;
use crate::page::{Block, Item, Line};
use crate::text::{in_numbers, met, result, stopped, tightest};
use crate::theorems;
use evidence::claim::{Comparison, ProofResult, Role};
use evidence::run::{CheckResult, ClaimResult, Witness};
use evidence::verdict::Verdict;

/// All that a check assumes and leaves out, but for what every check of the page assumes, which the section says that holds it.
fn assumed(check: &CheckResult, assumptions: &Assumptions) -> Line {
    let mut told = vec![assumptions.of_check(check)];
    if !check.assumes.exceptions.is_empty() {
        told.push(Line::written(&format!("Exceptions: {}", check.assumes.exceptions.join("; "))));
    }
    if !check.undeclared.is_empty() {
        let reasons = check.undeclared.join("; ");
        told.push(Line::new().strong("undeclared exception").text(format!(": {reasons}")));
    }
    let line = Line::joined(told, ". ");
    if line.is_empty() { line } else { line.text(".") }
}

/// One check in full.
fn item(check: &CheckResult, assumptions: &Assumptions) -> Item {
    let mut item = Item::from(headed(check));
    item.below.extend(conditions(check, assumptions));
    item.below.push(judged(check).text(format!("{}.{}", closeness(check), refuted(check))).text(remarks(check)));
    item.below.extend(findings(check));
    item
}

/// A check that is refuted by what is shown below it: why comes before what it assumes.
pub(crate) fn refuted_below(check: &CheckResult, assumptions: &Assumptions) -> Item {
    let mut item = Item::from(headed(check));
    item.below.push(judged(check).text(".").text(remarks(check)));
    item.below.extend(conditions(check, assumptions));
    item.below.extend(findings(check));
    item
}

/// What a check assumes, and how it counts.
fn conditions(check: &CheckResult, assumptions: &Assumptions) -> impl Iterator<Item = Line> {
    let assumed = Some(assumed(check, assumptions)).filter(|line| !line.is_empty());
    assumed.into_iter().chain(marks(check))
}

/// What proofs, theorems and a machine found of a check.
fn findings(check: &CheckResult) -> impl Iterator<Item = Line> {
    check.proofs.iter().map(proved).chain(theorems::findings(check)).chain(weak(check))
}

/// Some checks, in full.
pub(crate) fn items<'a>(checks: impl Iterator<Item = &'a CheckResult>, assumptions: &Assumptions) -> Vec<Block> {
    let items: Vec<Item> = checks.map(|check| item(check, assumptions)).collect();
    if items.is_empty() { Vec::new() } else { vec![Block::Items(items)] }
}

/// The most characters of an instance that is told again where it refutes another false variant, too.
const LONGEST: usize = 40;

/// The false variants. Those with the same assumptions and counts share a line; each stands below it with the instance that refutes it.
pub(crate) fn controls(claim: &ClaimResult, assumptions: &Assumptions) -> Vec<Block> {
    let mut groups: Vec<(Line, Vec<Item>)> = Vec::new();
    let mut told_of: Vec<&CheckResult> = Vec::new();
    for check in claim.with_role(Role::Control) {
        let assumed = Some(assumed(check, assumptions)).filter(|line| !line.is_empty());
        let shared = Line::joined(assumed.into_iter().chain([judged(check)]), " ").text(":");
        let mut item = Item::from(headed(check));
        item.below.extend(marks(check));
        let told = format!("{}{}", refuting(check, &told_of), remarks(check));
        told_of.push(check);
        if !told.is_empty() {
            item.below.push(Line::from(told.trim_start()));
        }
        item.below.extend(findings(check));
        match groups.iter_mut().find(|(line, _)| *line == shared) {
            Some((_, items)) => items.push(item),
            None => groups.push((shared, vec![item])),
        }
    }
    groups.into_iter().flat_map(|(line, items)| [Block::Paragraph(line), Block::Items(items)]).collect()
}

/// The instance that refutes a false variant, or which of those before it the same instance refutes.
fn refuting(check: &CheckResult, before: &[&CheckResult]) -> String {
    let Some(witness) = &check.witness else {
        return String::new();
    };
    let is_same = |other: &Witness| other.description == witness.description;
    match before.iter().find(|other| other.witness.as_ref().is_some_and(is_same)) {
        Some(other) if witness.description.chars().count() > LONGEST => {
            format!("The same instance as {} (not {}).", other.id, in_numbers(&witness.sides))
        }
        _ => format!("{}.", sides_in_words(witness)),
    }
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
    // The parts that fail have a table with these names.
    let in_table = check.role == Role::Part && check.verdict == Verdict::Fails;
    if let Some([left, right]) = marks.sides.filter(|_| !in_table) {
        told.push(format!("Compared: {left} and {right}."));
    }
    if let Some(what) = marks.our_constant {
        told.push(format!("Our choice, since the words leave it open: {what}."));
    }
    if let Some(why) = marks.because {
        told.push(format!("Counted as {} because {why}.", check.role));
    }
    (!told.is_empty()).then(|| Line::written(&told.join(" ")))
}

/// Verdict, grade, and how many instances.
fn judged(check: &CheckResult) -> Line {
    let control = check.role == Role::Control;
    let line = match (control, check.verdict == Verdict::Fails) {
        (true, true) => Line::from("Refuted"),
        (true, false) => Line::new().strong("survived"),
        (false, true) => Line::new().strong("FAIL"),
        (false, false) => Line::from(result(check.verdict)),
    };
    let grade = check.grade.map_or(String::new(), |grade| format!(", {grade}"));
    let expected = if control || check.verdict == check.expectation.verdict {
        String::new()
    } else {
        format!(" (expected {})", check.expectation.verdict)
    };
    line.text(format!("{grade}{expected}, {}", met(check)))
}

/// How close to a violation the instances of a check came that is not refuted.
fn closeness(check: &CheckResult) -> String {
    let closest = tightest(check).filter(|_| check.verdict != Verdict::Fails);
    closest.map_or(String::new(), |closest| format!("; {closest}"))
}

/// What refutes a check.
fn refuted(check: &CheckResult) -> String {
    check.witness.as_ref().map_or(String::new(), |witness| format!(" Refuted by {}.", sides_in_words(witness)))
}

/// Why a check is expected to fail, and what else there is to say of its outcome.
fn remarks(check: &CheckResult) -> String {
    let mut text = String::new();
    let control = check.role == Role::Control;
    if let Some(reason) = check.expectation.reason.filter(|_| !control) {
        let _ = write!(text, " Reason: {}", stopped(reason));
    }
    if let Some(trouble) = &check.trouble {
        let _ = write!(text, " Trouble: {trouble}.");
    }
    if let (Some(doubt), Verdict::Undecided) = (&check.doubtful, check.verdict) {
        let _ = write!(text, " Undecided at: {} {}.", doubt.instance, in_words(&doubt.comparison));
    }
    // Of the instance that came closest: beside a refutation it would speak of another one.
    let note = check.tightest.as_ref().and_then(|t| t.comparison.note.as_deref());
    if let (Some(note), false, true) = (note, control, check.verdict != Verdict::Fails) {
        let _ = write!(text, " Closest: {}", stopped(note));
    }
    text
}

/// How a proof by subdivision ended, with its domain.
fn proved(proof: &ProofResult) -> Line {
    let mut text = proof_in_words(proof);
    if let Some(reason) = proof.info.form {
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
        text.push_str(", but no control shows that the procedure can fail");
    }
    text
}

/// Why a check shows little, as a machine found, and the mark that admits it.
fn weak(check: &CheckResult) -> Option<Line> {
    if check.weaknesses.is_empty() {
        return None;
    }
    let found: Vec<String> = check.weaknesses.iter().map(ToString::to_string).collect();
    let line = Line::from(format!("Weak evidence: {}", found.join("; ")));
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
