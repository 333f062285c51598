//! The theorems that checks cite: what the kernel of Coq has accepted, for what, and on which axioms.

use std::collections::BTreeSet;

use enclosures::enclosure::Grade;
use evidence::claim::{Cited, Theorem};
use evidence::run::{CheckResult, ClaimResult, Run};
use evidence::verdict::Verdict;

use crate::page::{Block, Item, Line, Target};
use crate::place;

/// The section of a claim's page that has them in full.
pub(crate) const SECTION: &str = "Checked by Coq";

/// The file of a theorem, as a path from the root of the repository.
fn file(theorem: &Theorem) -> String {
    format!("{}/{}", place::PROOFS, theorem.file)
}

/// The name of a theorem, which leads to its file.
pub(crate) fn link(theorem: &Theorem) -> Line {
    Line::new().link(theorem.name.clone(), Target::file(file(theorem)))
}

/// How much of its check a theorem settles.
pub(crate) fn settles(cited: &Cited, theorem: &Theorem) -> &'static str {
    match (theorem.refutes(), cited.whole) {
        (true, _) => "a counterexample",
        (false, true) => "the whole check",
        (false, false) => "part of the check",
    }
}

/// What is said of a check's theorems below its line.
pub(crate) fn findings(check: &CheckResult) -> impl Iterator<Item = Line> {
    check.theorems.iter().map(|cited| {
        let Some(theorem) = cited.theorem.as_deref() else {
            return Line::new().strong("not in the record of Coq").text(format!(": {}.", cited.name));
        };
        let line = match (cited.contradicts(check.verdict), theorem.refutes(), cited.whole) {
            (true, ..) => Line::new().strong("contradicted by Coq"),
            (_, true, _) => Line::from("Coq checks a counterexample"),
            (_, false, true) => Line::from("Checked by Coq"),
            (_, false, false) => Line::from("Checked by Coq in part"),
        };
        line.text(format!(" ({}): ", theorem.scope)).and(link(theorem)).text(".")
    })
}

/// The theorems of a claim in full.
pub(crate) fn blocks(claim: &ClaimResult) -> Vec<Block> {
    let mut items: Vec<Item> = Vec::new();
    let mut told: Vec<&str> = Vec::new();
    for (check, cited) in claim.checks.iter().flat_map(|check| check.theorems.iter().map(move |cited| (check, cited))) {
        let Some(theorem) = cited.theorem.as_deref().filter(|theorem| !told.contains(&theorem.name.as_str())) else {
            continue;
        };
        told.push(&theorem.name);
        items.push(item(check, cited, theorem));
    }
    if items.is_empty() {
        return Vec::new();
    }
    let summary = match items.len() {
        1 => "1 theorem that Coq's kernel accepts, as Coq prints it".to_owned(),
        n => format!("{n} theorems that Coq's kernel accepts, as Coq prints them"),
    };
    let rest = "What the proofs rest on";
    let words = Line::from("The definitions are in these files and in those that they import. ")
        .link(rest, Target::section(place::ABOUT_PROOFS, rest));
    vec![Block::Folded { summary, inside: vec![Block::Items(items), Block::Paragraph(words.text("."))] }]
}

fn item(check: &CheckResult, cited: &Cited, theorem: &Theorem) -> Item {
    let line = Line::new().strong(check.id).text(": ").and(link(theorem));
    let line = line.text(format!(", {}, {}", settles(cited, theorem), theorem.scope));
    let sibling = theorem.control.as_deref().map_or(String::new(), |control| format!("; control: `{control}`"));
    let below = format!("Axioms: {}{sibling}.", axioms(theorem));
    Item { line, below: vec![Line::new().code(theorem.statement.clone()), Line::written(&below)] }
}

/// The axioms that a proof rests on, by the names that `proofs/README.md` has for them.
pub(crate) fn axioms(theorem: &Theorem) -> String {
    let of = |axiom: &str| match axiom.split('.').next() {
        Some("ClassicalDedekindReals" | "FunctionalExtensionality") => "classical reals".to_owned(),
        Some("Classical_Prop") => "excluded middle".to_owned(),
        Some("PrimInt63" | "Uint63") => "63-bit integers of the kernel".to_owned(),
        _ => axiom.to_owned(),
    };
    let mut told: Vec<String> = Vec::new();
    for axiom in theorem.axioms.iter().map(|axiom| of(axiom)) {
        if !told.contains(&axiom) {
            told.push(axiom);
        }
    }
    if told.is_empty() { "none".to_owned() } else { told.join(", ") }
}

/// How many checks and headlines theorems settle; nothing where no check cites one.
pub(crate) fn counted(run: &Run) -> Option<String> {
    let checks = || run.claims.iter().flat_map(|claim| &claim.checks);
    let cited: BTreeSet<&str> = checks().flat_map(|check| &check.theorems).map(|cited| cited.name).collect();
    let is_checked = |grade: Option<Grade>| grade == Some(Grade::Checked);
    let of = |verdict: Verdict| checks().filter(move |c| is_checked(c.grade) && c.verdict == verdict).count();
    let claims = run.claims.iter().filter(|claim| claim.checks.iter().any(|check| !check.theorems.is_empty())).count();
    // The grade of a headline that fails in one sense and passes in another, or as meant, is that of the refutation alone.
    let is_whole = |verdict: Verdict| matches!(verdict, Verdict::Holds | Verdict::Fails);
    let headlines = run.claims.iter().filter(|c| is_checked(c.grade()) && is_whole(c.verdict())).count();
    let told = format!(
        "Coq's kernel accepts {} theorems about {claims} claims. Theorems cover {} checks that hold and {} that \
         fail, each wholly and for the scope that its page names, and the instances agree. {headlines} headlines rest \
         on such checks alone.",
        cited.len(),
        of(Verdict::Holds),
        of(Verdict::Fails),
    );
    (!cited.is_empty()).then_some(told)
}

/// What the theorems of the parts that decide a headline are proved for, if these make its grade.
pub(crate) fn scope(claim: &ClaimResult) -> String {
    let decisive = claim.decisive();
    let whole = decisive.iter().flat_map(|check| &check.theorems).filter(|cited| cited.whole);
    let mut scopes: Vec<&str> = Vec::new();
    for theorem in whole.filter_map(|cited| cited.theorem.as_deref()) {
        if !scopes.contains(&theorem.scope.as_str()) {
            scopes.push(&theorem.scope);
        }
    }
    scopes.join("; ")
}
