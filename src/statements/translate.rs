//! From a statement to a claim that the engine runs like any other.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use evidence::claim::{Claim, Evaluation, Family, Kind, Setting, edge, holds};

use crate::assignment::Assignment;
use crate::compare::{is_met, judged, judged_thoroughly};
use crate::draw::edges;
use crate::families::{drawn, excepted};
use crate::meeting::meeting;
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
    let text = kept(&statement.texts.statement);
    let chain = statement.chain.clone();
    let test = move |a: &Assignment, (): &()| -> Evaluation { by(&chain, a) };
    let setting = excepted(setting(statement, seed).part(STATED, text, holds(), test));
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
