//! From a statement to a claim that the engine runs like any other.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use evidence::claim::{Claim, Evaluation, Expectation, Family, Kind, Setting, edge, holds, random};
use proptest::prelude::{Just, Strategy};
use rand_core::Rng;

use crate::assignment::Assignment;
use crate::compare::{BEYOND, DOUBTFUL, is_met, judged, judged_thoroughly};
use crate::domain::Declarations;
use crate::draw::{Dice, Style, draw, edges};
use crate::meeting::meeting;
use crate::number::REASONS;
use crate::screen;
use crate::statement::Statement;
use crate::syntax::Relation;
use crate::term::Chain;

/// A text that lives as long as the program. The engine's labels do, because those of a catalogue in Rust are literals; a label that was
/// kept before is not kept twice.
#[must_use]
pub fn kept(text: &str) -> &'static str {
    static TEXTS: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let texts = texts.get_or_insert_default();
    if let Some(known) = texts.get(text) {
        return known;
    }
    let new: &'static str = Box::leak(text.to_owned().into_boxed_str());
    texts.insert(new);
    new
}

/// The id of the check that is the statement itself.
pub const STATED: &str = "stated";

/// The statement as a claim with one check, expected to hold.
#[must_use]
pub fn claim(statement: &Arc<Statement>, id: &str, seed: u64) -> Claim {
    claim_judged_by(statement, id, seed, judged)
}

/// The same, for judging single instances: more is asked of ties.
pub(crate) fn thorough_claim(statement: &Arc<Statement>, id: &str, seed: u64) -> Claim {
    claim_judged_by(statement, id, seed, judged_thoroughly)
}

fn claim_judged_by(statement: &Arc<Statement>, id: &str, seed: u64, by: Judge) -> Claim {
    let setting = checked_by(setting(statement, seed), statement, STATED, holds(), by);
    let text = kept(&statement.texts.statement);
    Claim::new(kept(id), text, kind(statement))
        .statement(text)
        .setting(setting)
}

/// How a chain is judged on an instance.
type Judge = fn(&Chain, &Assignment) -> Evaluation;

/// What kind of statement it is.
pub(crate) fn kind(statement: &Statement) -> Kind {
    if statement.chain.relations.contains(&Relation::Equal) {
        Kind::Identity
    } else {
        Kind::Inequality
    }
}

/// The instances of a statement: what it assumes, and the families.
pub(crate) fn setting(statement: &Arc<Statement>, seed: u64) -> Setting<Assignment, ()> {
    let mut setting = Setting::of();
    for variable in &statement.declarations.variables {
        setting = setting.given(kept(&format!("{} in {}", variable.name, variable.domain)));
    }
    for condition in &statement.conditions {
        let chain = condition.clone();
        setting = setting.assume(kept(&condition.text), move |a: &Assignment| is_met(&chain, a));
    }
    families(statement, seed).into_iter().fold(setting, Setting::family)
}

fn families(statement: &Arc<Statement>, seed: u64) -> Vec<Family<Assignment>> {
    let declared = Arc::clone(&statement.declarations);
    let looked = Arc::clone(statement);
    let mut families = vec![
        edge("plain values", move || edges(&declared)),
        edge("closest in floating point", move || screen::closest(&looked, seed)),
    ];
    if !statement.conditions.is_empty() {
        let conditioned = Arc::clone(statement);
        families.push(edge("meeting the conditions", move || meeting(&conditioned, seed)));
    }
    families.extend(drawn(&statement.declarations));
    families
}

/// The random families of declared variables; none where nothing varies.
pub(crate) fn drawn(declarations: &Arc<Declarations>) -> Vec<Family<Assignment>> {
    let mut families = Vec::new();
    if declarations.variables.is_empty() {
        return families;
    }
    for (name, style, share) in [
        ("ordinary sizes", Style::Plain, 0.6),
        ("equal, whole and extreme entries", Style::Structured, 0.2),
        ("all magnitudes", Style::Wide, 0.2),
    ] {
        let declared = Arc::clone(declarations);
        let strategy = move || {
            let declared = Arc::clone(&declared);
            let drawn = Just(()).prop_perturb(move |(), mut rng| {
                let mut bits = || rng.next_u64();
                draw(&declared, style, &mut Dice::new(&mut bits))
            });
            drawn.prop_filter_map("the ranges leave nothing", |a| a)
        };
        families.push(random(name, strategy).taking(share));
    }
    families
}

/// Adds the statement as a check of a setting.
fn checked_by(
    setting: Setting<Assignment, ()>,
    statement: &Statement,
    id: &str,
    expectation: Expectation,
    by: Judge,
) -> Setting<Assignment, ()> {
    let chain = statement.chain.clone();
    let test = move |a: &Assignment, (): &()| -> Evaluation { by(&chain, a) };
    let setting = setting.part(kept(id), kept(&statement.texts.statement), expectation, test);
    excepted(setting)
}

/// Says where the check declared last says nothing.
pub(crate) fn excepted<Q: 'static>(setting: Setting<Assignment, Q>) -> Setting<Assignment, Q> {
    let reasons = REASONS.iter().copied().chain([BEYOND, DOUBTFUL]);
    reasons.fold(setting, Setting::except)
}
