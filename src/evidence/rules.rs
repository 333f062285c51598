//! The rules of a catalogue: what every claim has to say before it is tried, and what a trial must show of its power.

use std::collections::BTreeSet;

use crate::claim::{CheckInfo, Claim, FamilyKind, Role, Theorems};
use crate::headline::SenseVerdict;
use crate::run::ClaimResult;
use crate::verdict::Verdict;

/// What is wrong with a list of claims, one sentence each; empty if it keeps the rules.
#[must_use]
pub fn faults(claims: &[Claim]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    for claim in claims {
        let id = claim.id;
        let mut fault = |text: &str| faults.push(format!("{id} {text}"));
        if !seen.insert(id) {
            fault("is declared twice");
        }
        if claim.statement.trim().is_empty() {
            fault("has no statement");
        }
        if claim.source.as_ref().is_none_or(|s| s.number.trim().is_empty()) {
            fault("has no source");
        }
        if !claim.families().iter().any(|(kind, _)| *kind == FamilyKind::Edge) {
            fault("has no edge family");
        }
        let checks = claim.checks();
        let assumes_nothing = |c: &CheckInfo| c.assumes.givens.is_empty() && c.assumes.hypotheses.is_empty();
        if checks.iter().all(assumes_nothing) {
            fault("has neither a given nor a hypothesis");
        }
        for problem in headline_faults(claim, &checks) {
            fault(&problem);
        }
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
        for symbol in &claim.symbols {
            let texts = checks.iter().flat_map(|c| {
                let assumes = &c.assumes;
                let listed = assumes.givens.iter().chain(&assumes.hypotheses).chain(&assumes.exceptions);
                listed.copied().chain([c.statement])
            });
            let others = claim.symbols.iter().filter(|s| s.sign != symbol.sign);
            let explained = others.map(|s| s.meaning);
            if !texts.chain([claim.statement]).chain(explained).any(|text| stands_in(symbol.sign, text)) {
                fault(&format!("explains {}, which stands nowhere in it", symbol.sign));
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
    }
    faults
}

/// Whether a sign stands in a text; a small letter inside a word is no sign.
fn stands_in(sign: &str, text: &str) -> bool {
    let small = |c: char| c.is_ascii_lowercase();
    if sign.len() != 1 || !sign.starts_with(small) {
        return text.contains(sign);
    }
    let inside = |(at, _)| text[..at].ends_with(small) || text[at + 1..].starts_with(small);
    text.match_indices(sign).any(|place| !inside(place))
}

/// What is wrong between claims and the record of theorems, one sentence each: a theorem is cited that the record does not have, or that it has
/// about another check, or twice by one check, and a theorem of the record is cited by no check.
#[must_use]
pub fn theorem_faults(claims: &[Claim], record: &Theorems) -> Vec<String> {
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    for claim in claims {
        for check in claim.checks() {
            let (id, here) = (claim.id, check.id);
            let mut of_check = BTreeSet::new();
            for cited in &check.theorems {
                let name = cited.name;
                seen.insert(name);
                if !of_check.insert(name) {
                    faults.push(format!("{id} {here} cites {name} twice"));
                }
                match record.named(name) {
                    None => faults.push(format!("{id} {here} cites {name}, which is not in the record")),
                    Some(theorem) if !theorem.is_about(id, here, check.role) => {
                        let (claim, sense) = (&theorem.claim, &theorem.sense);
                        faults.push(format!("{id} {here} cites {name}, which is about {claim}: {sense}"));
                    }
                    Some(_) => {}
                }
            }
        }
    }
    let idle = record.iter().filter(|theorem| !seen.contains(theorem.name.as_str()));
    faults.extend(idle.map(|theorem| format!("no check cites {}, about {}", theorem.name, theorem.claim)));
    faults
}

/// What a run shows to be without power in a claim, one sentence each: a hypothesis that no instance misses, which demands nothing as far as
/// anyone can see, and every check that passes or falls too easily.
#[must_use]
pub fn powerless(claim: &ClaimResult) -> Vec<String> {
    let idle = claim.unmissed.iter().map(|hypothesis| {
        format!(
            "hypothesis \"{hypothesis}\" is missed by no instance: `outside` names instances that miss it, `given` is \
             for what their making guarantees"
        )
    });
    let evidence = claim.checks.iter().filter(|c| c.classification.not_evidence.is_none());
    let weak = evidence
        .flat_map(|check| check.weaknesses.iter().map(move |why| format!("{} {}: {why}", check.role, check.id)));
    idle.chain(weak).collect()
}

/// What keeps the headline of a claim from being computed as its parts and senses say.
fn headline_faults(claim: &Claim, checks: &[CheckInfo]) -> Vec<String> {
    let mut faults = Vec::new();
    let (senses, expected) = (claim.senses(), claim.expected());
    if !checks.iter().any(|c| c.role == Role::Part) {
        faults.push("has neither a part nor a sense, so that its headline says nothing".to_owned());
    } else if expected.verdict == Verdict::Vacuous {
        faults.push("has no part that counts, so that its headline says nothing".to_owned());
    }
    for check in checks {
        let standing = &check.classification;
        for name in standing.senses.iter().filter(|name| senses.iter().all(|s| s.name != **name)) {
            faults.push(format!("has no sense {name}, to which check {} belongs", check.id));
        }
        if !standing.senses.is_empty() && check.role != Role::Part {
            faults.push(format!("puts check {}, which is no part, into a sense", check.id));
        }
        let known = |id: &str| checks.iter().any(|c| c.id == id && c.id != check.id);
        let is_control = |id: &str| checks.iter().any(|c| c.id == id && c.role == Role::Control);
        if let Some(control) = standing.tested_by.filter(|id| !is_control(id)) {
            faults.push(format!("has no control {control}, by which {} is to be tested", check.id));
        }
        if let Some(other) = standing.implied_by.filter(|id| !known(id)) {
            faults.push(format!("has no check {other}, from which {} is to follow", check.id));
        }
    }
    for sense in expected.senses.iter().filter(|sense| !sense.name.is_empty()) {
        let twice = senses.iter().filter(|s| s.name == sense.name).count() > 1;
        if twice {
            faults.push(format!("declares the sense {} twice", sense.name));
        }
        let belongs = |c: &&CheckInfo| {
            let named = &c.classification.senses;
            c.role == Role::Part && (named.is_empty() || named.contains(&sense.name))
        };
        if checks.iter().filter(belongs).count() == 0 {
            faults.push(format!("has no part for the sense {}", sense.name));
        }
    }
    let has = |role: Role| checks.iter().any(|c| c.role == role);
    let broken = matches!(expected.verdict, Verdict::Fails | Verdict::Misprint | Verdict::Mixed);
    let passes = |s: &SenseVerdict| matches!(s.verdict, Verdict::Holds | Verdict::Consistent);
    if broken && !has(Role::Amendment) && !has(Role::Meant) && !expected.senses.iter().any(passes) {
        faults.push("fails as printed and has neither an amendment nor what was meant".to_owned());
    }
    if has(Role::Meant) && !broken {
        faults.push("says what was meant, although the printed words hold".to_owned());
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::stands_in;

    #[test]
    fn a_letter_inside_a_word_is_no_sign() {
        assert!(stands_in("r", "rN_A² ≤ 1") && stands_in("r", "for every W_A/r") && stands_in("R", "‖Ru(x)‖"));
        assert!(!stands_in("r", "for every T") && !stands_in("m", "the mean"));
        assert!(stands_in("κ_p", "Σκ_p²") && stands_in("G₊", "κ_sG₊"));
    }
}
