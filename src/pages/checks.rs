//! The checks of a claim on its page: each with what it compares, all that it assumes, and what came of it.

use std::fmt::Write;

use crate::page::{Block, Item, Line};
use crate::text::{in_numbers, met, result, tightest};
use enclosures::enclosure::plain;
use evidence::claim::{Comparison, Role};
use evidence::run::{CheckResult, ClaimResult, ProofResult, Scaled, Witness};
use evidence::verdict::Verdict;

/// What several checks assume alike, under a letter, so that each says only what it assumes besides.
struct Basis {
    letter: char,
    givens: Vec<&'static str>,
    hypotheses: Vec<&'static str>,
    restrictions: Vec<String>,
}

/// The common assumptions of a claim's checks.
pub(crate) struct Bases(Vec<Basis>);

impl Bases {
    /// One basis for all checks with the same givens, which are those of one setting or of several alike.
    pub(crate) fn of(claim: &ClaimResult) -> Self {
        let mut bases: Vec<Basis> = Vec::new();
        for check in &claim.checks {
            let assumes = &check.assumes;
            let known = bases
                .iter_mut()
                .find(|b| b.givens == assumes.givens && b.restrictions == assumes.restrictions);
            match known {
                Some(basis) => basis.hypotheses.retain(|h| assumes.hypotheses.contains(h)),
                None => bases.push(Basis {
                    letter: char::from(b'A' + (bases.len() % 26) as u8),
                    givens: assumes.givens.clone(),
                    hypotheses: assumes.hypotheses.clone(),
                    restrictions: assumes.restrictions.clone(),
                }),
            }
        }
        Bases(bases)
    }

    fn under(&self, check: &CheckResult) -> Option<&Basis> {
        let assumes = &check.assumes;
        let mut bases = self.0.iter();
        bases.find(|b| b.givens == assumes.givens && b.restrictions == assumes.restrictions)
    }

    /// Every basis in full.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for basis in &self.0 {
            let given = basis.givens.iter().map(|text| Item::from(format!("given {text}")));
            let checked = basis.hypotheses.iter().map(|text| Item::from((*text).to_owned()));
            let tried = basis
                .restrictions
                .iter()
                .map(|text| Item::from(format!("on the family {text}")));
            let items: Vec<Item> = given.chain(checked).chain(tried).collect();
            let opening = match (self.0.len(), items.is_empty()) {
                (1, true) => "Nothing but what each check says.".to_owned(),
                (_, true) => format!("({}) Nothing but what the check says.", basis.letter),
                (1, false) => "Every check assumes, besides what it says itself:".to_owned(),
                (_, false) => format!("({}) A check marked with this letter assumes:", basis.letter),
            };
            blocks.push(Block::paragraph(opening));
            if !items.is_empty() {
                blocks.push(Block::Items(items));
            }
        }
        blocks
    }

    /// What one check assumes: the letter, where there are several, and what it adds.
    fn assumed(&self, check: &CheckResult) -> Line {
        let assumes = &check.assumes;
        let mut told = Vec::new();
        if let Some(basis) = self.under(check) {
            if self.0.len() > 1 {
                told.push(Line::from(format!("Under ({})", basis.letter)));
            }
            let further: Vec<&str> = assumes
                .hypotheses
                .iter()
                .filter(|h| !basis.hypotheses.contains(h))
                .copied()
                .collect();
            if !further.is_empty() {
                told.push(Line::from(format!("Assuming {}", further.join("; "))));
            }
        }
        if !assumes.exceptions.is_empty() {
            told.push(Line::from(format!("Except where {}", assumes.exceptions.join("; "))));
        }
        if !check.undeclared.is_empty() {
            let reasons = check.undeclared.join("; ");
            told.push(Line::new().strong("undeclared exception").text(format!(": {reasons}")));
        }
        if let Some(scaled) = &check.scaled {
            told.push(Line::from(on_a_scale(scaled)));
        }
        Line::joined(told, ". ")
    }

    /// One check in full.
    pub(crate) fn item(&self, check: &CheckResult) -> Item {
        let mut item = Item::from(headed(check));
        let assumed = self.assumed(check);
        if !assumed.is_empty() {
            item.below.push(assumed.text("."));
        }
        item.below.extend(marks(check));
        item.below.push(outcome(check));
        item.below.extend(check.proofs.iter().map(proved));
        item.below.extend(weak(check));
        item
    }

    /// The checks of one role, in full.
    pub(crate) fn items(&self, claim: &ClaimResult, role: Role) -> Vec<Block> {
        let items: Vec<Item> = claim.with_role(role).map(|check| self.item(check)).collect();
        if items.is_empty() {
            Vec::new()
        } else {
            vec![Block::Items(items)]
        }
    }
}

/// Name and statement of a check.
fn headed(check: &CheckResult) -> Line {
    let senses = match check.classification.senses.as_slice() {
        [] => String::new(),
        some => format!(" (sense {})", some.join(", ")),
    };
    Line::new()
        .strong(check.id)
        .text(format!("{senses}: "))
        .and(Line::written(check.statement))
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
    let mut told = Vec::new();
    let control = check.role == Role::Control;
    let line = match (control, check.verdict) {
        (true, Verdict::Fails) => Line::from("Refuted"),
        (true, _) => Line::new().strong("survived"),
        (false, Verdict::Fails) => Line::new().strong("FAIL"),
        (false, verdict) => Line::from(result(verdict)),
    };
    if !control && check.verdict != check.expectation.verdict {
        told.push(format!("(expected {})", check.expectation.verdict));
    }
    let mut facts = Vec::new();
    facts.extend(check.grade.map(|g| g.to_string()));
    facts.push(met(check));
    if !control && check.verdict != Verdict::Fails {
        facts.extend(tightest(check));
    }
    told.push(format!(": {}.", facts.join("; ")));
    let mut text = told.join(" ");
    if !told[0].starts_with(':') {
        text.insert(0, ' ');
    }
    if let Some(witness) = &check.witness {
        let _ = write!(text, " Refuted by {}.", sides_in_words(witness));
    }
    if let Some(reason) = check.expectation.reason.filter(|_| !control) {
        let _ = write!(text, " Reason: {reason}.");
    }
    if let Some(trouble) = &check.trouble {
        let _ = write!(text, " Trouble: {trouble}.");
    }
    if let (Some(doubt), Verdict::Undecided) = (&check.doubtful, check.verdict) {
        let _ = write!(text, " In doubt: {} {}.", doubt.instance, in_words(&doubt.comparison));
    }
    let note = check.tightest.as_ref().and_then(|t| t.comparison.note.as_deref());
    if let (Some(note), false) = (note, control) {
        let _ = write!(text, " [{note}]");
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
        Some(contradiction) => line
            .text(" ")
            .strong("contradicted")
            .text(format!(": {contradiction}.")),
        None => line,
    }
}

/// How a proof by subdivision ended.
pub(crate) fn proof_in_words(proof: &ProofResult) -> String {
    let weak = proof.controls.iter().filter(|(_, c)| !c.is_refuted()).count();
    let mut text = format!("{}: {}", proof.info.domain, proof.conclusion);
    text.insert_str(
        0,
        if proof.succeeded() {
            "proved for "
        } else {
            "not proved for "
        },
    );
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

/// Where something larger than the sides is the measure of their difference, what it is and how far they differ.
fn on_a_scale(scaled: &Scaled) -> String {
    let Scaled { instances, name, most } = scaled;
    let measured = match name {
        Some(name) => format!("the sides are small beside {name} and are compared relative to that"),
        None => {
            "the sides are compared relative to what they are differences of, or to the tolerance that the check names"
                .to_owned()
        }
    };
    let differ = match *most > 0.0 {
        true => format!(
            "; agreement there means differences of up to {} of the larger side",
            plain(*most, 2)
        ),
        false => String::new(),
    };
    format!("On {instances} of the instances {measured}{differ}")
}
