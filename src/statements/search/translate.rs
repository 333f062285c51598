//! From a statement to a claim that the engine runs like any other.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use evidence::claim::{Claim, Comparison, Evaluation, Family, Kind, Relation, Setting, edge, holds};
use evidence::instance::Instance;
use evidence::judge::{Judgement, judge};
use evidence::run::Sighting;

use super::families::{assuming, drawn, excepted};
use super::interned::interned;
use super::meeting::meeting;
use super::screen;
use crate::instances::assignment::{Assignment, Raw};
use crate::instances::compare::{glanced, is_met, is_tied, judged, judged_thoroughly};
use crate::instances::draw::edges;
use crate::instances::statement::Statement;

/// The id of the check that is the statement itself.
pub const STATED: &str = "stated";

/// The statement as a claim with one check, expected to hold.
#[must_use]
pub fn claim(statement: &Arc<Statement>, id: &str, seed: u64) -> Claim {
    let chain = statement.chain.clone();
    claim_of(statement, id, setting(statement, seed), move |a: &Assignment| judged(&chain, a))
}

/// The same, for judging a single instance: more is asked of ties, and its numbers may be as large as they are.
pub(crate) fn thorough_claim(statement: &Arc<Statement>, id: &str, seed: u64, instance: Assignment) -> Claim {
    let chain = statement.chain.clone();
    let stored = edge("stored", move || vec![("stored", instance.clone())]);
    let setting = setting(statement, seed).family(stored);
    claim_of(statement, id, setting, move |a: &Assignment| judged_thoroughly(&chain, a))
}

/// The same as [`claim`], and what is judged is seen.
pub(crate) fn observed_claim(statement: &Arc<Statement>, id: &str, seed: u64, seen: &Arc<Seen>) -> Claim {
    claim_of(statement, id, setting(statement, seed).without_ledger(), observed(statement, seen))
}

/// The same, searched from a few assignments for as long as that brings it closer to a violation, up to so much work.
pub(crate) fn further_claim(
    statement: &Arc<Statement>,
    id: &str,
    near: Vec<(String, Assignment)>,
    work: u64,
    seen: &Arc<Seen>,
) -> Claim {
    let near = edge("where a search came closest", move || near.clone());
    let cost = screen::cost(statement);
    let drawn = drawn(&statement.declarations, share(cost));
    let setting = assuming(Setting::of(), &statement.declarations, &statement.conditions).family(near).family(drawn);
    claim_of(statement, id, setting.sparing(work).without_ledger(), observed(statement, seen))
}

/// The judge of a statement that notes what it sees.
fn observed(statement: &Arc<Statement>, seen: &Arc<Seen>) -> impl Fn(&Assignment) -> Evaluation + Send + Sync + use<> {
    let (seen, seen_of) = (Arc::clone(seen), Arc::clone(statement));
    move |a: &Assignment| {
        let evaluation = judged(&seen_of.chain, a);
        if let Evaluation::Compared(comparison) = &evaluation {
            seen.look(&seen_of, a, comparison);
        }
        evaluation
    }
}

/// What was seen on the way: the engine keeps the description of the closest instance only.
#[derive(Debug, Default)]
pub(crate) struct Seen(Mutex<Sights>);

#[derive(Debug, Default)]
struct Sights {
    /// The instance with the least room among those whose sides are bounded: a side at infinity says nothing of room.
    closest: Option<Closest>,
    /// The same among those that are not degenerate.
    generic: Option<Closest>,
    /// The shortest of those on which doubles do not tell the sides apart, each with its length and its words.
    ties: BTreeMap<(usize, String), Closest>,
}

/// How many instances are kept on which doubles do not tell the sides apart.
const TIES: usize = 8;

/// Sides that differ by less than this fraction of the larger are next to a tie.
const APART: f64 = 1e-3;

/// Whether an instance has a zero or a size of one: there many statements say little.
pub(crate) fn is_degenerate(at: &Assignment) -> bool {
    let declarations = &at.declarations;
    let is_plain = |(place, raw): (usize, &Raw)| match raw {
        Raw::Whole(n) => *n == 0 || *n == 1 && declarations.shaping[place],
        Raw::Real(x) => *x == 0.0,
        Raw::List(list) => list.contains(&0.0),
    };
    at.values.iter().enumerate().any(is_plain)
}

#[derive(Clone, Debug)]
pub(crate) struct Closest {
    room: f64,
    pub(crate) at: Assignment,
    pub(crate) comparison: Comparison,
}

/// Whether both sides are known to lie below some double.
pub(crate) fn is_bounded(comparison: &Comparison) -> bool {
    comparison.scale.is_finite() && comparison.margin.lo().is_finite() && comparison.margin.hi().is_finite()
}

impl Closest {
    /// The instance with its sides.
    pub(crate) fn sighting(&self) -> Sighting {
        Sighting {
            instance: "the closest with bounded sides".into(),
            description: self.at.describe(),
            comparison: self.comparison.clone(),
        }
    }
}

impl Seen {
    fn sights(&self) -> MutexGuard<'_, Sights> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look(&self, statement: &Statement, at: &Assignment, comparison: &Comparison) {
        let is_tie = is_tied(comparison) || comparison.margin.lo() == 0.0;
        let room = match judge(comparison) {
            Judgement::Holds => comparison.relative_margin(),
            Judgement::Touches => 0.0,
            Judgement::Undecided if is_tie => 0.0,
            Judgement::Violated | Judgement::Undecided => return,
        };
        if !is_bounded(comparison) {
            return;
        }
        // Threads come in any order, and what is seen is to be the same: the shorter of two that are as close, then the first by letters.
        let rank = |a: &Assignment| {
            let text = a.describe();
            (text.len(), text)
        };
        let mut sights = self.sights();
        let is_decided = judge(comparison) != Judgement::Undecided;
        let closest = sights.closest.as_ref();
        let margin = comparison.margin.interval();
        // Beside a side of zero every room is one, and the margin tells which is less.
        let size = |comparison: &Comparison| comparison.margin.midpoint();
        let is_less = |than: Option<&Closest>| {
            let is_before = |c: &Closest| {
                room.total_cmp(&c.room)
                    .then_with(|| size(comparison).total_cmp(&size(&c.comparison)))
                    .then_with(|| rank(at).cmp(&rank(&c.at)))
                    .is_lt()
            };
            is_decided && than.is_none_or(is_before)
        };
        let is_closer = is_less(closest);
        let is_clear = margin.width() <= APART * margin.midpoint().abs();
        let is_generic = room >= APART && is_clear && is_less(sights.generic.as_ref()) && !is_degenerate(at);
        if !is_closer && !is_tie && !is_generic || !statement.conditions.iter().all(|c| is_met(c, at)) {
            return;
        }
        let seen = Closest { room, at: at.clone(), comparison: comparison.clone() };
        if is_tie {
            sights.ties.insert(rank(at), seen.clone());
            if sights.ties.len() > TIES {
                sights.ties.pop_last();
            }
        }
        if is_generic {
            sights.generic = Some(seen.clone());
        }
        if is_closer {
            sights.closest = Some(seen);
        }
    }

    /// The instance with the least room.
    pub(crate) fn closest(&self) -> Option<Closest> {
        self.sights().closest.clone()
    }

    /// The instance with the least room among those without a zero, without a size of one, and with sides that differ by a thousandth at least.
    pub(crate) fn generic(&self) -> Option<Closest> {
        self.sights().generic.clone()
    }

    /// Instances on which doubles do not tell the sides apart, the shortest first.
    pub(crate) fn ties(&self) -> Vec<Closest> {
        self.sights().ties.values().cloned().collect()
    }
}

fn claim_of(
    statement: &Arc<Statement>,
    id: &str,
    setting: Setting<Assignment, ()>,
    judged: impl Fn(&Assignment) -> Evaluation + Send + Sync + 'static,
) -> Claim {
    let text = interned(&statement.texts.statement);
    let test = move |a: &Assignment, (): &()| -> Evaluation { judged(a) };
    let seen_of = Arc::clone(statement);
    let guide = move |a: &Assignment| glanced(&seen_of.chain, a);
    let setting = excepted(setting.part(STATED, text, holds(), test)).guided_by(guide);
    Claim::new(interned(id), text, kind(statement)).statement(text).setting(setting)
}

/// What kind of statement it is.
pub(crate) fn kind(statement: &Statement) -> Kind {
    if statement.chain.relations.contains(&Relation::Equal) { Kind::Identity } else { Kind::Inequality }
}

/// The instances of a statement: what it assumes, and the families.
pub(crate) fn setting(statement: &Arc<Statement>, seed: u64) -> Setting<Assignment, ()> {
    let cost = screen::cost(statement);
    let setting = assuming(Setting::of(), &statement.declarations, &statement.conditions);
    setting.family(families(statement, seed, cost)).sparing(0)
}

/// An evaluation of more steps is costly: fewer instances are drawn.
const COSTLY: usize = 10_000;

/// The share of the random instances that is drawn where an evaluation takes so many steps on average.
fn share(cost: usize) -> f64 {
    (COSTLY as f64 / cost.max(1) as f64).min(1.0)
}

fn families(statement: &Arc<Statement>, seed: u64, cost: usize) -> Vec<Family<Assignment>> {
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
    families.extend(drawn(&statement.declarations, share(cost)));
    families
}
