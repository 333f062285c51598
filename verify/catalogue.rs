//! All claims, and the rules that a catalogue must keep.

use std::collections::BTreeSet;

use contrapositive::claim::{Claim, FamilyKind, Role};
use contrapositive::report::Register;

/// Every claim, in the order of the papers and of their statements.
#[must_use]
pub fn claims() -> Vec<Claim> {
    [
        crate::merad2020::claims(),
        crate::esser2024::claims(),
        crate::wen2020::claims(),
        crate::ren2023::claims(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The statements of the four papers, from `fixtures/register.json`.
///
/// # Panics
/// Never: the register is part of the program, and a test reads it.
#[must_use]
pub fn register() -> Register {
    Register::from_json(include_str!("../fixtures/register.json")).expect("the committed register is readable")
}

/// What is wrong with a list of claims, one sentence each; empty if it keeps the rules.
#[must_use]
pub fn faults(claims: &[Claim], register: &Register) -> Vec<String> {
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    let known = register.ids();
    for claim in claims {
        let id = claim.id();
        let mut fault = |text: &str| faults.push(format!("{id} {text}"));
        if !seen.insert(id) {
            fault("is declared twice");
        }
        if !known.contains(id) {
            fault("is not in the register");
        }
        if claim.printed().trim().is_empty() {
            fault("has no statement");
        }
        if claim.printed_at().is_none_or(|s| s.number.trim().is_empty()) {
            fault("has no source");
        }
        if claim.hypotheses().is_empty() {
            fault("has no hypothesis");
        }
        if !claim.families().iter().any(|(kind, _)| *kind == FamilyKind::Edge) {
            fault("has no edge family");
        }
        if claim.first_reading().is_none() {
            fault("has no reading, so nothing is expected of it");
        }
        let checks = claim.checks();
        if !checks.iter().any(|c| c.role == Role::Control) {
            fault("has no control");
        }
        let mut ids = BTreeSet::new();
        for check in &checks {
            if !ids.insert(check.id) {
                fault(&format!("has two checks named {}", check.id));
            }
            if check.statement.trim().is_empty() {
                fault(&format!("does not say what check {} compares", check.id));
            }
        }
        let mut captions = BTreeSet::new();
        for (series, caption) in claim.captions() {
            if !captions.insert(series) {
                fault(&format!("has two series named {series}"));
            }
            if caption.trim().is_empty() {
                fault(&format!("does not say what series {series} shows"));
            }
        }
        let amended = checks.iter().any(|c| c.role == Role::Amendment);
        let fails = claim
            .first_reading()
            .is_some_and(|c| c.expectation.verdict == contrapositive::verdict::Verdict::Fails);
        if fails && !amended {
            fault("fails as printed and has no amendment");
        }
    }
    faults
}
