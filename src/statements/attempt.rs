//! Trying a statement: refuted, proved, or left standing.

use std::sync::Arc;

use enclosures::interval::Interval;
use evidence::budget::Budget;
use evidence::claim::{Claim, Comparison, Evaluation, FamilyKind, Fixtures, Relation};
use evidence::instance::Instance;
use evidence::judge::{Judgement, judge};
use evidence::run::{self, CheckResult, Context, Counts, Plan, Sighting, Silent, Witness, WitnessStore};
use evidence::verdict::{Outcome, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use thiserror::Error;

use crate::formulas::domain::Declarations;
use crate::instances::assignment::Assignment;
use crate::instances::compare::{Tie, in_closed_form, is_met, judged_thoroughly, thoroughly};
use crate::instances::statement::{Statement, Texts};
use crate::proof::case::Open;
use crate::proof::identity::Identity;
use crate::proof::prove::{BoxMethod, Proved, Settled, settle};
use crate::proof::substituted::substituted;
use crate::search::lengthened::lengthened;
use crate::search::rearranged::rearranged;
use crate::search::screen;
use crate::search::sharpen::{MovableConstant, constants};
use crate::search::translate::{
    Closest, STATED, Seen, further_claim, is_bounded, is_degenerate, observed_claim, thorough_claim,
};
use crate::search::wholes::{SearchExtent, glance};
use crate::text::fault::Fault;

/// The id under which a statement is tried.
const ID: &str = "try.statement";

/// How to try.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Master seed of every random stream.
    pub seed: u64,
    /// How much work to spend.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Self {
        Options { seed: 20_201_126, budget: Budget::Standard }
    }
}

/// A refutation: enough to judge it again without anything else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refutation {
    /// What was refuted.
    #[serde(flatten)]
    pub texts: Texts,
    /// The instance in words.
    pub description: String,
    /// The instance.
    pub instance: Json,
    /// Both sides as they were judged.
    pub sides: run::Sides,
}

/// What came of it.
#[derive(Clone, Debug)]
pub enum AttemptOutcome {
    /// An instance violates the statement.
    Refuted {
        /// The simplest one found.
        refutation: Refutation,
        /// Both sides on it.
        comparison: Comparison,
    },
    /// It holds on the whole domain.
    Proved(Settled),
    /// It holds on the whole domain but for a chance of error that is stated.
    Sampled(Identity),
    /// Nothing was found against it, and nothing proves it.
    Stands {
        /// The instance with the least room, with both sides.
        tightest: Option<Sighting>,
        /// How its sides are known to relate, where doubles do not tell.
        tie: Option<Tie>,
        /// The one with the least room that has no zero, no size of one, and sides that differ, where the other is not such a one.
        generic: Option<Box<Sighting>>,
        /// An instance that could not be decided.
        doubtful: Option<Sighting>,
        /// What would decide that one.
        advice: Option<String>,
        /// How many values of whole numbers were looked at, where that is all that varies.
        glanced: Option<Box<SearchExtent>>,
        /// Why it is not proved.
        proof: Option<Open>,
        /// What its constants could be.
        constants: Vec<MovableConstant>,
    },
    /// The conditions were never met, or a side is defined nowhere.
    Vacuous,
}

/// What came of trying a statement.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The statement, as it was understood.
    pub statement: Arc<Statement>,
    /// What came of it.
    pub outcome: AttemptOutcome,
    /// How many instances ended how.
    pub counts: Counts,
}

/// Why a statement could not be tried.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TryError {
    /// It could not be read.
    #[error("{}", .0.rendered())]
    Fault(#[from] Fault),
    /// It could not be evaluated on an instance.
    #[error("cannot evaluate the statement: {0}")]
    Evaluation(String),
    /// It is neither proved nor settled in exact arithmetic.
    #[error("not settled: {0}")]
    Open(Open),
    /// A stored refutation is no instance of its statement.
    #[error("not an instance of the statement: {0}")]
    Instance(String),
}

/// Tries a statement.
///
/// # Errors
/// It cannot be read, or not be evaluated on any instance.
pub fn attempt(texts: &Texts, options: Options) -> Result<Attempt, TryError> {
    let first = one_way(Statement::typed(texts)?, options)?;
    // Where the contraries of its alternatives are never met, another one is claimed.
    let mut found = first.clone();
    while matches!(found.outcome, AttemptOutcome::Vacuous) {
        let Some(other) = found.statement.otherwise() else { return Ok(first) };
        found = one_way(other, options)?;
    }
    let elsewhere = || under_an_alternative(&found, options).or_else(|| at_closed_forms(&found, options));
    Ok(in_another_way(&found, options).or_else(elsewhere).unwrap_or(found))
}

/// A statement that stands, refuted at a number that is no double.
fn at_closed_forms(found: &Attempt, options: Options) -> Option<Attempt> {
    let AttemptOutcome::Stands { .. } = found.outcome else { return None };
    let each = substituted(&found.statement);
    let mut outcomes = each.iter().filter_map(|texts| attempt(texts, options).ok()).map(|there| there.outcome);
    let outcome = outcomes.find(|outcome| matches!(outcome, AttemptOutcome::Refuted { .. }))?;
    Some(Attempt { outcome, ..found.clone() })
}

/// A statement of alternatives that stands, shown in another of the ways to say it, which are all the same.
fn in_another_way(found: &Attempt, options: Options) -> Option<Attempt> {
    let AttemptOutcome::Stands { .. } = found.outcome else { return None };
    let ways = std::iter::successors(found.statement.otherwise(), Statement::otherwise).map(Arc::new);
    ways.into_iter().find_map(|way| match settle(&way, options.seed, options.budget) {
        Ok(Settled::Identity(_)) | Err(_) => None,
        Ok(settled) => {
            let (outcome, counts) = (AttemptOutcome::Proved(settled), found.counts.clone());
            Some(Attempt { statement: way, outcome, counts })
        }
    })
}

/// A statement that stands, refuted under one alternative of a condition: no draw meets the equation of `x^2 = 2 or x > 3` by chance.
fn under_an_alternative(found: &Attempt, options: Options) -> Option<Attempt> {
    let AttemptOutcome::Stands { .. } = found.outcome else { return None };
    let alternatives = found.statement.texts.alternatives();
    let mut tried = alternatives.iter().filter_map(|texts| attempt(texts, options).ok());
    tried.find(|attempt| matches!(attempt.outcome, AttemptOutcome::Refuted { .. }))
}

fn one_way(statement: Statement, options: Options) -> Result<Attempt, TryError> {
    let statement = Arc::new(statement);
    if let Some(long) = lengthened(&statement, options.seed) {
        let outcome = refuted_at(&statement, &long, options)?;
        let counts = Counts { met: 1, violated: 1, by_family: [(FamilyKind::Search, 1)].into(), ..Counts::default() };
        return Ok(Attempt { statement, outcome, counts });
    }
    let (check, seen) = tried(&statement, ID, options)?;
    let outcome = concluded(&statement, &check, &seen, options)?;
    Ok(Attempt { statement, outcome, counts: check.counts })
}

/// What the engine says of a statement, and what was seen on the way.
fn tried(statement: &Arc<Statement>, id: &str, options: Options) -> Result<(CheckResult, Arc<Seen>), TryError> {
    let seen = Arc::new(Seen::default());
    let claim = observed_claim(statement, id, options.seed, &seen);
    Ok((run(&claim, options)?, seen))
}

fn run(claim: &Claim, options: Options) -> Result<CheckResult, TryError> {
    let plan = Plan { seed: options.seed, budget: options.budget };
    let (fixtures, store) = (Fixtures::at("fixtures"), WitnessStore::default());
    let mut result = run::run(&[claim], plan, &fixtures, &store, &Silent);
    let check = result.claims.pop().and_then(|mut c| c.checks.pop());
    check.ok_or_else(|| TryError::Evaluation("the engine returned no result".into()))
}

/// Work that the search of a statement that stands may spend beyond its budget: about two seconds of it.
const FURTHER: u64 = 8_000_000;

/// A further search, from where the first one came closest, for as long as that gains something.
fn searched_on(
    statement: &Arc<Statement>,
    seen: &Arc<Seen>,
    options: Options,
) -> Result<(CheckResult, Option<SearchExtent>), TryError> {
    let closest = seen.closest().map(|c| ("closest".to_owned(), c.at));
    let mut near: Vec<_> = screen::closest(statement, options.seed).into_iter().chain(closest).collect();
    let glanced = glance(statement).map(|(glance, found)| {
        near.extend(found);
        glance
    });
    let claim = further_claim(statement, "try.further", near, FURTHER, seen);
    // Where a single look takes too much work, there is nothing to tell.
    let told = glanced.filter(|glance| glance.looked > 0);
    // What has been drawn once need not be drawn again.
    Ok((run(&claim, Options { budget: Budget::Quick, ..options })?, told))
}

/// Settles a statement without trying it: an equation in exact arithmetic, an inequality by covering its domain.
///
/// # Errors
/// It cannot be read, or is not settled.
pub fn settled(texts: &Texts, seed: u64) -> Result<Settled, TryError> {
    let statement = Arc::new(Statement::read(texts)?);
    settle(&statement, seed, Budget::Standard).map_err(TryError::Open)
}

fn concluded(
    statement: &Arc<Statement>,
    check: &CheckResult,
    seen: &Arc<Seen>,
    options: Options,
) -> Result<AttemptOutcome, TryError> {
    if let Some(witness) = &check.witness {
        return refuted(statement, witness, options);
    }
    if check.counts.unrepeated > 0 || check.counts.panicked > 0 {
        let trouble = check.trouble.clone().unwrap_or_else(|| {
            "a counterexample was found, and is none after it was written out and read again".into()
        });
        return Err(TryError::Evaluation(trouble));
    }
    if check.counts.met == 0
        && let Some(trouble) = &check.trouble
    {
        return Err(TryError::Evaluation(trouble.clone()));
    }
    if statement.declarations.variables.is_empty()
        && let Some(outcome) = decided(statement, options)
    {
        return outcome;
    }
    if check.verdict == Verdict::Vacuous {
        return Ok(AttemptOutcome::Vacuous);
    }
    let ties = told_apart(statement, seen);
    if let Some(violating) = ties.iter().find(|tie| judge(&tie.closest.comparison) == Judgement::Violated) {
        return refuted_at(statement, &violating.closest.at, options);
    }
    let open = match settle(statement, options.seed, options.budget) {
        Ok(Settled::Identity(identity)) if identity.alpha > 0.0 => return Ok(AttemptOutcome::Sampled(identity)),
        Ok(settled) => return Ok(AttemptOutcome::Proved(settled)),
        Err(Open::Violated(violating)) => return refuted_at(statement, &violating, options),
        Err(open) => open,
    };
    let mut glanced = None;
    if options.budget != Budget::Quick {
        let (further, looked) = searched_on(statement, seen, options)?;
        glanced = looked;
        if let Some(witness) = &further.witness {
            return refuted(statement, witness, options);
        }
    }
    for other in rearranged(statement) {
        let (check, _) = tried(&other, "try.rearranged", options)?;
        let found = check.witness.as_ref().map(|w| refuted(statement, w, options));
        // The other form may be violated by less than what the enclosures of this one leave open.
        if let Some(Ok(found)) = found.filter(|f| f.as_ref().is_ok_and(AttemptOutcome::is_violated)) {
            return Ok(found);
        }
    }
    let unbounded = check.tightest.as_ref().is_some_and(|t| !is_bounded(&t.comparison));
    let bounded = if unbounded { seen.closest().map(|c| c.sighting()) } else { None };
    // What is shown to be equal says more than what is not told apart, and that more than what differs.
    let tie = ties.into_iter().min_by_key(|tie| match tie.tie {
        Tie::Equal => 0,
        Tie::Alike(_) => 1,
        Tie::Apart => 2,
    });
    let shown = tie.as_ref().map(|tie| tie.closest.sighting());
    let is_generic = tie.is_none() && seen.closest().is_some_and(|c| !is_degenerate(&c.at));
    let generic = if is_generic { None } else { seen.generic() };
    // The draws that constants are held against need not come as close as the search did, and may not contradict what is shown of it.
    let mut near: Vec<Assignment> = seen.closest().map(|c| c.at).into_iter().collect();
    near.extend(screen::closest(statement, options.seed).into_iter().map(|(_, a)| a));
    Ok(AttemptOutcome::Stands {
        tie: tie.map(|tie| tie.tie),
        generic: generic.map(|generic| Box::new(generic.sighting())),
        tightest: shown.or(bounded).or_else(|| check.tightest.clone()),
        glanced: glanced.map(Box::new),
        doubtful: check.doubtful.clone(),
        advice: check.advice.clone(),
        proof: Some(open),
        constants: constants(statement, &near, options.seed),
    })
}

/// An instance on which doubles do not tell the sides apart, and how they relate.
struct Tied {
    closest: Closest,
    tie: Tie,
}

/// The ties that were seen, each judged again to as many bits as it takes.
fn told_apart(statement: &Statement, seen: &Seen) -> Vec<Tied> {
    let one = |mut closest: Closest| {
        let (evaluation, tie) = thoroughly(&statement.chain, &closest.at);
        let Evaluation::Compared(comparison) = evaluation else { return None };
        let tie = tie.or_else(|| comparison.margin.interval().eq(&Interval::ZERO).then_some(Tie::Equal))?;
        closest.comparison = comparison;
        Some(Tied { closest, tie })
    };
    seen.ties().into_iter().filter_map(one).collect()
}

/// A statement of numbers alone, decided to as many bits as it takes; none if it is not.
fn decided(statement: &Arc<Statement>, options: Options) -> Option<Result<AttemptOutcome, TryError>> {
    let nothing = Assignment { declarations: Arc::clone(&statement.declarations), values: Vec::new() };
    if !statement.conditions.iter().all(|condition| is_met(condition, &nothing)) {
        return Some(Ok(AttemptOutcome::Vacuous));
    }
    let (evaluation, tie) = thoroughly(&statement.chain, &nothing);
    let Evaluation::Compared(comparison) = evaluation else { return None };
    match judge(&comparison) {
        Judgement::Violated => Some(refuted_at(statement, &nothing, options)),
        // What is equal as far as can be told is not shown to be.
        Judgement::Holds if equations_are_shown(statement, &nothing) => {
            let cases = statement.chain.relations.len();
            let method = if tie == Some(Tie::Equal) { BoxMethod::Closed } else { BoxMethod::Evaluation };
            Some(Ok(AttemptOutcome::Proved(Settled::Boxes(Proved { method, boxes: 0, cases }))))
        }
        _ => None,
    }
}

fn equations_are_shown(statement: &Statement, at: &Assignment) -> bool {
    let relations = &statement.chain.relations;
    if !relations.contains(&Relation::Equal) {
        return true;
    }
    let signs = in_closed_form(&statement.chain, at);
    signs.iter().zip(relations).all(|(sign, relation)| *relation != Relation::Equal || *sign == Some(0))
}

impl AttemptOutcome {
    /// Whether it is a refutation whose sides contradict the statement when they are judged again.
    fn is_violated(&self) -> bool {
        matches!(self, AttemptOutcome::Refuted { comparison, .. } if judge(comparison) == Judgement::Violated)
    }
}

/// The refutation by values that were gone through one after another.
fn refuted_at(
    statement: &Arc<Statement>,
    violating: &Assignment,
    options: Options,
) -> Result<AttemptOutcome, TryError> {
    let Evaluation::Compared(comparison) = judged_thoroughly(&statement.chain, violating) else {
        return Err(TryError::Evaluation("a refutation did not repeat".into()));
    };
    let witness = Refutation {
        texts: statement.texts.clone(),
        description: violating.describe(),
        instance: serde_json::to_value(violating).map_err(|e| TryError::Evaluation(e.to_string()))?,
        sides: run::Sides::of(&comparison),
    };
    repeated(witness, options)
}

fn refuted(statement: &Arc<Statement>, witness: &Witness, options: Options) -> Result<AttemptOutcome, TryError> {
    let refutation = Refutation {
        texts: statement.texts.clone(),
        description: witness.description.clone(),
        instance: witness.instance.clone(),
        sides: witness.sides.clone(),
    };
    repeated(refutation, options)
}

/// A refutation as it is judged again from its digits.
fn repeated(refutation: Refutation, options: Options) -> Result<AttemptOutcome, TryError> {
    match replay(&refutation, options.seed)? {
        Outcome::Judged { judgement: Judgement::Violated, comparison } => {
            Ok(AttemptOutcome::Refuted { refutation, comparison: *comparison })
        }
        other => Err(TryError::Evaluation(format!("a refutation did not repeat: {other:?}"))),
    }
}

/// Judges a stored refutation again, from its digits. Of the ways to say a statement of alternatives, the first whose conditions the instance meets
/// decides.
///
/// # Errors
/// Its statement cannot be read, or its instance is none.
pub fn replay(refutation: &Refutation, seed: u64) -> Result<Outcome, TryError> {
    let first = Statement::read(&refutation.texts)?;
    let others = std::iter::successors(first.otherwise(), Statement::otherwise);
    let found = replayed(&Arc::new(first), refutation, seed);
    if !matches!(found, Ok(Outcome::Discarded { .. }) | Err(TryError::Instance(_))) {
        return found;
    }
    let mut elsewhere = others.map(|way| replayed(&Arc::new(way), refutation, seed));
    elsewhere.find(|found| matches!(found, Ok(Outcome::Judged { .. }))).unwrap_or(found)
}

fn replayed(statement: &Arc<Statement>, refutation: &Refutation, seed: u64) -> Result<Outcome, TryError> {
    let claim = thorough_claim(statement, ID, seed, stored(refutation, statement)?);
    let (fixtures, witnesses) = (Fixtures::at("fixtures"), WitnessStore::default());
    let context = Context {
        seed,
        budget: Budget::Quick,
        fixtures: &fixtures,
        witnesses: &witnesses,
        observer: &Silent,
        claim: ID,
    };
    let rejudged = claim.rejudge(STATED, &refutation.instance, &context);
    rejudged.map(|r| r.outcome).map_err(TryError::Instance)
}

/// The instance of a refutation, if it is one of its statement, and the one that its description tells of.
fn stored(refutation: &Refutation, statement: &Statement) -> Result<Assignment, TryError> {
    let instance: Assignment =
        serde_json::from_value(refutation.instance.clone()).map_err(|e| TryError::Instance(e.to_string()))?;
    let declared = |d: &Declarations| (d.to_string(), d.equations_text());
    let (own, wanted) = (declared(&instance.declarations), declared(&statement.declarations));
    if own != wanted {
        return Err(TryError::Instance(format!("it is one for {:?}, the statement is for {:?}", own.0, wanted.0)));
    }
    instance.validate().map_err(TryError::Instance)?;
    let described = instance.describe();
    if described != refutation.description {
        let told = &refutation.description;
        return Err(TryError::Instance(format!("it is {described:?}, and is described as {told:?}")));
    }
    Ok(instance)
}

/// Whether a trial still refutes.
#[must_use]
pub fn is_violated(trial: &Outcome) -> bool {
    matches!(trial, Outcome::Judged { judgement: Judgement::Violated, .. })
}
