//! All claims of the four papers, and the rules that they must keep.

use cli::Catalogue;
use contrastive::data::{digits, mnist};
use evidence::claim::{Claim, Theorems};
use evidence::report::Register;
use evidence::rules;

use crate::notes::notes;
use crate::status::with_cause;

/// Every claim, in the order of the papers and of their statements, with the theorems that its checks cite.
#[must_use]
pub fn claims() -> Vec<Claim> {
    let record = theorems();
    let papers = [merad2020::claims(), esser2024::claims(), wen2020::claims(), ren2023::claims()];
    papers.into_iter().flatten().map(|claim| claim.with_record(&record)).collect()
}

/// What Coq has accepted: the record of `proofs`.
///
/// # Panics
/// Never: the record is part of the program, and a test reads it.
#[must_use]
pub fn theorems() -> Theorems {
    Theorems::from_json(include_str!("checked.json")).expect("the committed record is readable")
}

/// The catalogue as its program runs it.
#[must_use]
pub fn catalogue() -> Catalogue {
    Catalogue::new("contrapositive", env!("CARGO_PKG_VERSION"), claims())
        .with_register(register())
        .with_data(&[digits::IMAGES, digits::LABELS, mnist::IMAGES, mnist::LABELS], |fixtures| {
            match digits::load(fixtures).and_then(|_| mnist::load(fixtures)) {
                Ok(_) => Ok(()),
                Err(error) => Err(with_cause(&error)),
            }
        })
        .with_carried(include!(concat!(env!("OUT_DIR"), "/carried.rs")))
        .with_notes(notes())
        .with_page()
}

/// The statements of the four papers, from `register.json` beside this file.
///
/// # Panics
/// Never: the register is part of the program, and a test reads it.
#[must_use]
pub fn register() -> Register {
    Register::from_json(include_str!("register.json")).expect("the committed register is readable")
}

/// What is wrong with the claims of this catalogue, one sentence each: the rules of every catalogue, and that each claim stands in the register
/// and explains its signs.
#[must_use]
pub fn faults(claims: &[Claim], register: &Register) -> Vec<String> {
    let known = register.ids();
    let mut faults = rules::faults(claims);
    for claim in claims {
        if !known.contains(claim.id) {
            faults.push(format!("{} is not in the register (verify/command-line/register.json)", claim.id));
        }
        if claim.symbols.is_empty() {
            faults.push(format!("{} does not say what its signs stand for", claim.id));
        }
    }
    faults
}
