//! How far proofs by subdivision came: what they cover, and what they leave open. A grade tells only of those that cover everything.

use enclosures::enclosure::Grade;
use evidence::claim::ProofResult;
use evidence::run::Run;

use crate::checks::proof_in_words;
use crate::page::{Block, Page, Section, Table};
use crate::searched::{LONGEST, checks, counted, name};
use crate::text::{sentence, shortened};
use crate::theorems;

/// The page, in a folder.
pub(crate) fn page(folder: &str, run: &Run) -> Page {
    let everywhere = checks(run).filter(|(_, check)| check.grade_without_theorems == Some(Grade::Proved)).count();
    let in_part = checks(run)
        .filter(|(_, check)| {
            check.grade_without_theorems != Some(Grade::Proved) && check.proofs.iter().any(ProofResult::succeeded)
        })
        .count();
    let sections = [
        Section::of("Covered", listed(run, ProofResult::succeeded, "proof", "proofs")),
        Section::of(theorems::SECTION, checked(run)),
        Section::of("Left open", listed(run, |proof| !proof.succeeded(), "domain", "domains")),
    ];
    Page {
        path: path(folder),
        title: "What is proved".to_owned(),
        opening: vec![
            Block::paragraph(format!(
                "If a statement, or one of its cases, depends on few numbers, their range is cut into boxes until the \
                 difference of the sides, enclosed on each whole box, has the claimed sign. Of {} statements (without \
                 the false variants), {everywhere} are proved in this way in all cases, which gives them the grade \
                 proved unless a theorem gives a higher one, and {in_part} in the cases that are named.",
                checks(run).count(),
            )),
            Block::paragraph(
                "The others have no such proof. They are about matrices, networks, laws, flows, or vectors of any \
                 length, with too many numbers to subdivide; or equality is attained along a curve, so that boxes of \
                 every size contain it; or a probability or a growth is measured. Identities that exact arithmetic \
                 settles are shown on the pages of their claims.",
            ),
        ],
        sections: sections.into_iter().flatten().collect(),
    }
}

/// Where it lies.
pub(crate) fn path(folder: &str) -> String {
    format!("{folder}/PROVED.md")
}

fn listed(run: &Run, which: fn(&ProofResult) -> bool, one: &str, several: &str) -> Vec<Block> {
    let mut table = Table::of(["check", "statement", "proof", "instances inside"]);
    for (claim, check) in checks(run) {
        for proof in check.proofs.iter().filter(|proof| which(proof)) {
            table.push([
                name(claim, check.id),
                shortened(check.statement, LONGEST).into(),
                sentence(&proof_in_words(proof)).into(),
                proof.inside.to_string().into(),
            ]);
        }
    }
    counted(table, "None.", &format!("{one}."), &format!("{several}."))
}

/// Theorems that a proof assistant has accepted, each with the check that cites it.
fn checked(run: &Run) -> Vec<Block> {
    let mut table = Table::of(["check", "statement", "theorem", "settles", "proved for", "axioms"]);
    for (claim, check) in checks(run) {
        for cited in &check.theorems {
            let Some(theorem) = cited.theorem.as_deref() else { continue };
            table.push([
                name(claim, check.id),
                shortened(check.statement, LONGEST).into(),
                theorems::link(theorem),
                theorems::settles(cited, theorem).into(),
                theorem.scope.clone().into(),
                theorems::axioms(theorem).into(),
            ]);
        }
    }
    if table.rows.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![Block::paragraph(
        "Each theorem covers every instance of the scope that the table gives for it. Coq's kernel accepts the proofs. \
         The pages of the claims show the statements as Coq prints them.",
    )];
    blocks.extend(counted(table, "None.", "theorem cited.", "theorems cited, some of them by two checks."));
    blocks
}
