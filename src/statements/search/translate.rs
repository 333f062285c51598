//! From a statement to a claim that the engine runs like any other.

use std::sync::{Arc, Mutex, PoisonError};

use evidence::claim::{Claim, Comparison, Evaluation, Family, Hypothesis, Kind, Setting, edge, holds};
use evidence::instance::Instance;
use evidence::judge::{Judgement, judge};
use evidence::run::Sighting;

use super::families::{drawn, excepted};
use super::kept::kept;
use super::meeting::meeting;
use super::screen;
use crate::formulas::term::Chain;
use crate::instances::assignment::Assignment;
use crate::instances::compare::{glanced, is_met, judged, judged_thoroughly};
use crate::instances::draw::edges;
use crate::instances::statement::Statement;
use crate::text::syntax::Relation;

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

/// The same as [`claim`], and what is judged is seen.
pub(crate) fn observed_claim(statement: &Arc<Statement>, id: &str, seed: u64, seen: &Arc<Seen>) -> Claim {
    let (seen, seen_of) = (Arc::clone(seen), Arc::clone(statement));
    claim_of(statement, id, seed, move |a: &Assignment| {
        let evaluation = judged(&seen_of.chain, a);
        if let Evaluation::Compared(comparison) = &evaluation {
            seen.look(&seen_of, a, comparison);
        }
        evaluation
    })
}

/// The instance with the least room among those whose sides are bounded: the engine keeps the description of its own only, and that one may
/// have a side at infinity, which says nothing of room.
#[derive(Debug, Default)]
pub(crate) struct Seen(Mutex<Option<Closest>>);

#[derive(Clone, Debug)]
struct Closest {
    room: f64,
    at: Assignment,
    comparison: Comparison,
}

/// Whether both sides are known to lie below some double.
pub(crate) fn is_bounded(comparison: &Comparison) -> bool {
    comparison.scale.is_finite() && comparison.margin.lo().is_finite() && comparison.margin.hi().is_finite()
}

impl Seen {
    fn look(&self, statement: &Statement, at: &Assignment, comparison: &Comparison) {
        let room = match judge(comparison) {
            Judgement::Holds => comparison.relative_margin(),
            Judgement::Touches => 0.0,
            Judgement::Violated | Judgement::Undecided => return,
        };
        if !is_bounded(comparison) {
            return;
        }
        let mut closest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Threads come in any order, and what is seen is to be the same: the shorter of two that are as close, then the first by letters.
        let rank = |a: &Assignment| {
            let text = a.describe();
            (text.len(), text)
        };
        let is_closer = closest.as_ref().is_none_or(|c| room < c.room || room == c.room && rank(at) < rank(&c.at));
        if is_closer && statement.conditions.iter().all(|c| is_met(c, at)) {
            *closest = Some(Closest { room, at: at.clone(), comparison: comparison.clone() });
        }
    }

    /// The instance.
    pub(crate) fn closest(&self) -> Option<Assignment> {
        let closest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        closest.as_ref().map(|c| c.at.clone())
    }

    /// The instance with its sides.
    pub(crate) fn sighting(&self) -> Option<Sighting> {
        let closest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        closest.as_ref().map(|c| Sighting {
            instance: "the closest with bounded sides".into(),
            description: c.at.describe(),
            comparison: c.comparison.clone(),
        })
    }
}

fn claim_judged_by(statement: &Arc<Statement>, id: &str, seed: u64, by: Judge) -> Claim {
    let chain = statement.chain.clone();
    claim_of(statement, id, seed, move |a: &Assignment| by(&chain, a))
}

fn claim_of(
    statement: &Arc<Statement>,
    id: &str,
    seed: u64,
    judged: impl Fn(&Assignment) -> Evaluation + Send + Sync + 'static,
) -> Claim {
    let text = kept(&statement.texts.statement);
    let test = move |a: &Assignment, (): &()| -> Evaluation { judged(a) };
    let seen_of = Arc::clone(statement);
    let guide = move |a: &Assignment| glanced(&seen_of.chain, a);
    let setting = excepted(setting(statement, seed).part(STATED, text, holds(), test)).guided_by(guide);
    Claim::new(kept(id), text, kind(statement)).statement(text).setting(setting)
}

/// How a chain is judged on an instance.
type Judge = fn(&Chain, &Assignment) -> Evaluation;

/// What kind of statement it is.
pub(crate) fn kind(statement: &Statement) -> Kind {
    if statement.chain.relations.contains(&Relation::Equal) { Kind::Identity } else { Kind::Inequality }
}

/// The instances of a statement: what it assumes, and the families.
pub(crate) fn setting(statement: &Arc<Statement>, seed: u64) -> Setting<Assignment, ()> {
    let mut setting = Setting::of();
    for variable in &statement.declarations.variables {
        setting = setting.given(kept(&format!("{} in {}", variable.name, variable.domain)));
    }
    for condition in &statement.conditions {
        let chain = condition.clone();
        setting = setting.assume(Hypothesis::capturing(kept(&condition.text), move |a: &Assignment| is_met(&chain, a)));
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
