//! The checks of a claim on its page: each with what it compares, all that it assumes, and what came of it.
//!
//! Who copies the entry of a reading, an amendment or a sharpening holds a complete statement: its assumptions stand in it, unless they are
//! long. Steps and controls, which only readers of the page meet, lead to the list of assumptions that they share.

use std::fmt::Write;

use crate::page::{Block, Item, Line, Target};
use crate::place;
use crate::text::{in_numbers, met, result, stopped, tightest};
use enclosures::enclosure::plain;
use evidence::claim::{Comparison, Role};
use evidence::family_kind::FamilyKind;
use evidence::run::{CheckResult, ClaimResult, ProofResult, Scaled, Witness};
use evidence::verdict::Verdict;

/// The most characters of assumptions that stand in the entry of a check; to longer ones a link leads.
const LONGEST: usize = 400;

/// What several checks assume alike, under a letter.
struct Basis {
    letter: String,
    givens: Vec<&'static str>,
    hypotheses: Vec<&'static str>,
    restrictions: Vec<String>,
    /// Whether nothing else is tried.
    throughout: bool,
    /// Whether instances that were found for another check are tried besides those that were picked.
    replayed: bool,
}

/// What is tried besides a list of all that was picked, where a setting has stored refutations.
const REPLAYED: &str = "the witnesses that the page shows for checks of this setting";

impl Basis {
    /// The heading under which all of it stands.
    fn title(&self) -> String {
        format!("Assumptions {}", self.letter)
    }

    fn is_empty(&self) -> bool {
        self.givens.is_empty() && self.hypotheses.is_empty() && self.restrictions.is_empty()
    }

    /// What alone is tried, or else which families do not hold all that the assumptions allow: the beginning of a sentence, and the list.
    fn tried(&self) -> Option<(&'static str, String)> {
        let list = self.restrictions.join("; ");
        match (list.is_empty(), self.throughout, self.replayed) {
            (true, ..) => None,
            (_, true, true) => Some(("Tried only on", format!("{list}; and {REPLAYED}"))),
            (_, true, false) => Some(("Tried only on", list)),
            (_, false, _) => Some(("Some of the families that are tried hold only", list)),
        }
    }

    /// All of it in a line, with what one check assumes besides.
    fn in_words(&self, further: &[&str]) -> String {
        let mut told = Vec::new();
        if !self.givens.is_empty() {
            told.push(format!("Given {}", self.givens.join("; ")));
        }
        let hypotheses: Vec<&str> = self.hypotheses.iter().chain(further).copied().collect();
        if !hypotheses.is_empty() {
            told.push(format!("Assuming {}", hypotheses.join("; ")));
        }
        if let Some((first, list)) = self.tried() {
            let those = if hypotheses.is_empty() || !self.throughout { "" } else { " what meets that, of" };
            told.push(format!("{first}{those}: {list}"));
        }
        told.join(". ")
    }
}

/// Whether a check was tried on stored refutations and, besides these, on nothing but what its families list.
fn replays(check: &CheckResult) -> bool {
    let kinds = &check.counts.by_family;
    let unlisted = [FamilyKind::Random, FamilyKind::Search];
    kinds.contains_key(&FamilyKind::Witness) && unlisted.iter().all(|kind| !kinds.contains_key(kind))
}

/// The common assumptions of a claim's checks, and the page on which they stand.
pub(crate) struct Bases {
    page: String,
    all: Vec<Basis>,
}

impl Bases {
    /// The section of the page that holds them.
    pub(crate) const SECTION: &str = "What is assumed";

    /// One basis for all checks with the same givens, which are those of one setting or of several alike.
    pub(crate) fn of(claim: &ClaimResult) -> Self {
        let mut bases: Vec<Basis> = Vec::new();
        for check in &claim.checks {
            let assumes = &check.assumes;
            let known = bases.iter_mut().find(|b| b.givens == assumes.givens && b.restrictions == assumes.restrictions);
            match known {
                Some(basis) => {
                    basis.hypotheses.retain(|h| assumes.hypotheses.contains(h));
                    basis.replayed |= replays(check);
                }
                None => bases.push(Basis {
                    letter: letter(bases.len()),
                    givens: assumes.givens.clone(),
                    hypotheses: assumes.hypotheses.clone(),
                    restrictions: assumes.restrictions.clone(),
                    throughout: assumes.restricted_throughout,
                    replayed: replays(check),
                }),
            }
        }
        Bases { page: place::page(claim), all: bases }
    }

    fn under(&self, check: &CheckResult) -> Option<&Basis> {
        let assumes = &check.assumes;
        let mut bases = self.all.iter();
        bases.find(|b| b.givens == assumes.givens && b.restrictions == assumes.restrictions)
    }

    /// Every basis in full.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let told: Vec<&Basis> = self.all.iter().filter(|basis| !basis.is_empty()).collect();
        if told.is_empty() {
            return vec![Block::paragraph("Nothing but what each check says.")];
        }
        let mut blocks = vec![Block::paragraph(
            "What is given holds by the construction of the instances, and the search keeps to it: what it makes \
             beyond is not counted as tried. The rest is checked on each of them, and an instance that misses it does \
             not count.",
        )];
        for basis in told {
            let given = basis.givens.iter().map(|text| Item::from(format!("given {text}")));
            let checked = basis.hypotheses.iter().map(|text| Item::from((*text).to_owned()));
            let tried = basis.tried();
            let tried = tried.map(|(first, list)| Item::from(format!("{}: {list}", first.to_lowercase())));
            blocks.push(Block::Heading(basis.title()));
            blocks.push(Block::Items(given.chain(checked).chain(tried).collect()));
        }
        blocks
    }

    /// What one check assumes: in words, or where they stand, and what it adds.
    fn assumed(&self, check: &CheckResult) -> Line {
        let assumes = &check.assumes;
        let mut told = Vec::new();
        if let Some(basis) = self.under(check) {
            let further: Vec<&str> =
                assumes.hypotheses.iter().filter(|h| !basis.hypotheses.contains(h)).copied().collect();
            let words = basis.in_words(&further);
            let copied = !matches!(check.role, Role::Step | Role::Control);
            if basis.is_empty() || (copied && words.chars().count() <= LONGEST) {
                if !words.is_empty() {
                    told.push(Line::written(&words));
                }
            } else {
                let there = Target::section(&self.page, basis.title());
                told.push(Line::from("Under ").link(format!("assumptions {}", basis.letter), there));
                if !further.is_empty() {
                    told.push(Line::written(&format!("Assuming {}", further.join("; "))));
                }
            }
        }
        if !assumes.exceptions.is_empty() {
            told.push(Line::written(&format!("Exceptions: {}", assumes.exceptions.join("; "))));
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
        if items.is_empty() { Vec::new() } else { vec![Block::Items(items)] }
    }
}

/// The letter of the assumptions that come after so many others.
fn letter(before: usize) -> String {
    let letter = char::from(b'A' + (before % 26) as u8);
    match before / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
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
