//! A chain on an instance: judged on enclosures, looked at on doubles.

use enclosures::enclosure::{Enclosure, exact};
use enclosures::formula::is_recording;
use enclosures::interval::Interval;
use enclosures::precise::Precise;
use enclosures::work;
use evidence::claim::{Evaluation, all_of, at_least, at_most, equal, greater_than, less_than, vacuous};
use evidence::judge::{Judgement, judge};

use super::assignment::Assignment;
use crate::formulas::evaluate::{Evaluator, STEPS_OF_AN_OPERATION, Trouble};
use crate::formulas::term::Chain;
use crate::numbers::number::{Enclosed, Real, Value};
use crate::numbers::recorded::Recorded;
use crate::text::syntax::Relation;

/// Why nothing is said where doubles end.
pub const BEYOND: &str = "a side is beyond the range of double precision";
/// Why nothing is said where the domain of a function is touched.
pub const DOUBTFUL: &str = "double precision cannot tell whether a side is defined";

/// Both sides of every relation, enclosed: in doubles first, and in 256 bits where those cannot tell.
pub(crate) fn judged(chain: &Chain, assignment: &Assignment) -> Evaluation {
    in_turn(chain, assignment, |found, _| found == Judgement::Undecided)
}

/// The same, and in 256 bits where doubles find equality, too: next to a tie the sides of an inequality may agree to all their digits and
/// differ beyond them. Too slow for a search, which meets many ties.
pub(crate) fn judged_thoroughly(chain: &Chain, assignment: &Assignment) -> Evaluation {
    in_turn(chain, assignment, |found, relation| {
        found == Judgement::Undecided || found == Judgement::Touches && relation != Relation::Equal
    })
}

/// Every relation in doubles, and in 256 bits where what was found is `in_doubt`.
fn in_turn(chain: &Chain, assignment: &Assignment, in_doubt: impl Fn(Judgement, Relation) -> bool) -> Evaluation {
    let sides = match enclosed(chain, assignment) {
        Ok(sides) => sides,
        Err(evaluation) => return *evaluation,
    };
    let mut finer: Option<Option<Vec<Precise>>> = None;
    let mut parts: Vec<(String, Evaluation)> = Vec::new();
    for (number, relation) in chain.relations.iter().enumerate() {
        let (left, right) = (sides[number], sides[number + 1]);
        let coarse = in_doubles(left, *relation, right);
        let doubtful = match &coarse {
            Evaluation::Compared(comparison) => in_doubt(judge(comparison), *relation),
            _ => true,
        };
        let part = if doubtful {
            let finer = finer.get_or_insert_with(|| precisely(chain, assignment));
            let sides = finer.as_ref().map(|f| (&f[number], &f[number + 1]));
            sides.and_then(|(l, r)| in_detail(l, *relation, r, &coarse)).unwrap_or(coarse)
        } else {
            coarse
        };
        parts.push((format!("relation {}", number + 1), part));
    }
    if parts.len() == 1 { parts.swap_remove(0).1 } else { all_of(parts) }
}

/// All sides in doubles, each none where it is not defined for certain; while a search records, with the trace of how they were computed.
pub(crate) fn enclosed(chain: &Chain, assignment: &Assignment) -> Result<Vec<Option<Enclosure>>, Box<Evaluation>> {
    if is_recording() {
        all_sides(chain, assignment, |side: &Recorded| side.enclosure())
    } else {
        all_sides(chain, assignment, |side: &Enclosed| side.defined.then(|| side.value.into()))
    }
}

fn all_sides<N: Real, T>(
    chain: &Chain,
    assignment: &Assignment,
    of: impl Fn(&N) -> T,
) -> Result<Vec<T>, Box<Evaluation>> {
    let values = assignment.lifted::<N>().map_err(Evaluation::Failed).map_err(Box::new)?;
    let side = |term| Evaluator::new(&values).scalar(term).map(|side| of(&side));
    let sides: Result<Vec<T>, Trouble> = chain.sides.iter().map(side).collect();
    sides.map_err(|trouble| {
        Box::new(match trouble {
            Trouble::Undefined(reason) => vacuous(reason),
            trouble => Evaluation::Failed(trouble.told(chain)),
        })
    })
}

fn in_doubles(left: Option<Enclosure>, relation: Relation, right: Option<Enclosure>) -> Evaluation {
    let (Some(left), Some(right)) = (left, right) else {
        return vacuous(DOUBTFUL);
    };
    // An end at infinity: a number too large for a double. Where the sides overlap nothing can be told of them.
    let overlap = left.lo() <= right.hi() && right.lo() <= left.hi();
    if overlap && !(left.interval().is_finite() && right.interval().is_finite()) {
        return vacuous(BEYOND);
    }
    compared(left, relation, right)
}

/// What a step of an evaluation to 256 bits costs, in operations on intervals, roughly: most are sums and products, some are logarithms.
const OPERATIONS_OF_A_STEP: usize = 200;

/// All sides to 256 bits; none where that is not possible. What that costs is counted.
fn precisely(chain: &Chain, assignment: &Assignment) -> Option<Vec<Precise>> {
    let values = assignment.lifted::<Precise>().ok()?;
    let side = |term| {
        let mut evaluator = Evaluator::new(&values);
        let side = evaluator.scalar(term);
        work::spend((evaluator.steps() * OPERATIONS_OF_A_STEP) as u64);
        side
    };
    chain.sides.iter().map(side).collect::<Result<_, _>>().ok()
}

/// A comparison whose margin is known to 256 bits; none if it says no more than the one in doubles.
fn in_detail(left: &Precise, relation: Relation, right: &Precise, coarse: &Evaluation) -> Option<Evaluation> {
    let margin = match relation {
        Relation::AtMost | Relation::Less => right.clone().minus(left.clone()),
        Relation::AtLeast | Relation::Greater => left.clone().minus(right.clone()),
        Relation::Equal => return None,
    };
    let strict = matches!(relation, Relation::Less | Relation::Greater);
    let known = margin.interval()?;
    let sides = || Some(compared(left.interval()?.into(), relation, right.interval()?.into()));
    // A sign that is certain may be that of a number too small for a double, and then nothing is gained.
    let evaluation = match margin.sign(strict) {
        Some(true) if known.lo() > 0.0 || !strict => sides()?,
        Some(false) if known.hi() < 0.0 || strict => sides()?,
        // The sides agree to 256 bits. On the scale on which doubles lost them, that is equality.
        None if known.is_finite() && matches!(coarse, Evaluation::Compared(_)) => coarse.clone(),
        _ => return None,
    };
    Some(evaluation.with_margin(known.into()))
}

fn compared(left: Enclosure, relation: Relation, right: Enclosure) -> Evaluation {
    match relation {
        Relation::AtMost => at_most(left, right),
        Relation::Less => less_than(left, right),
        Relation::AtLeast => at_least(left, right),
        Relation::Greater => greater_than(left, right),
        // The instance is exact and the sides enclosed: what is apart is not equal, however little.
        Relation::Equal if left.hi() < right.lo() || right.hi() < left.lo() => equal(left, right).within(0.0),
        Relation::Equal => equal(left, right),
    }
}

/// The sides of a condition, enclosed; none where one is not defined for certain.
fn defined_sides(condition: &Chain, assignment: &Assignment) -> Option<Vec<Interval>> {
    let sides = all_sides(condition, assignment, |side: &Enclosed| side.defined.then_some(side.value));
    sides.ok()?.into_iter().collect()
}

/// Whether a condition holds for certain: an equation between real numbers where it is shown to have a solution, together with all the others.
pub(crate) fn is_met(condition: &Chain, assignment: &Assignment) -> bool {
    if assignment.declarations.asks_for(condition) && assignment.located().is_some() {
        return true;
    }
    defined_sides(condition, assignment).is_some_and(|sides| {
        sides.windows(2).zip(&condition.relations).all(|(pair, relation)| {
            let (a, b) = (pair[0], pair[1]);
            match relation {
                Relation::AtMost => a.hi() <= b.lo(),
                Relation::Less => a.hi() < b.lo(),
                Relation::AtLeast => a.lo() >= b.hi(),
                Relation::Greater => a.lo() > b.hi(),
                Relation::Equal => a.lo() == a.hi() && a == b,
            }
        })
    })
}

/// Whether a condition fails for certain.
pub(crate) fn is_missed(condition: &Chain, assignment: &Assignment) -> bool {
    defined_sides(condition, assignment).is_some_and(|sides| {
        sides.windows(2).zip(&condition.relations).any(|(pair, relation)| {
            let (a, b) = (pair[0], pair[1]);
            match relation {
                Relation::AtMost => a.lo() > b.hi(),
                Relation::Less => a.lo() >= b.hi(),
                Relation::AtLeast => a.hi() < b.lo(),
                Relation::Greater => a.hi() <= b.lo(),
                Relation::Equal => a.lo() > b.hi() || a.hi() < b.lo(),
            }
        })
    })
}

/// Whether doubles tell by how much every relation of a chain holds or fails, to one digit at least: where they do not, a search that goes
/// by them follows rounding errors.
pub(crate) fn is_clear(chain: &Chain, assignment: &Assignment) -> bool {
    let Ok(sides) = enclosed(chain, assignment) else {
        return false;
    };
    sides.windows(2).zip(&chain.relations).all(|(pair, relation)| match in_doubles(pair[0], *relation, pair[1]) {
        Evaluation::Compared(comparison) => comparison.margin.width() <= CLEAR * comparison.margin.midpoint().abs(),
        _ => false,
    })
}

/// The width of a margin that is clear, as a fraction of it.
const CLEAR: f64 = 0.1;

/// The tightest relation of a chain in doubles, for a search to go by; it says nothing where a side has no finite value.
pub(crate) fn glanced(chain: &Chain, assignment: &Assignment) -> Evaluation {
    let sides = assignment.plain().ok().and_then(|values| {
        let (sides, steps) = plain_sides(chain, &values);
        work::spend((steps / STEPS_OF_AN_OPERATION) as u64);
        sides
    });
    let tightest = sides.as_deref().and_then(|sides| tightest(chain, sides));
    tightest.map_or_else(|| vacuous(BEYOND), |(left, relation, right, _)| compared(exact(left), relation, exact(right)))
}

/// How far a chain is from being violated, in doubles, as a fraction of the larger side; negative where it seems violated. None where
/// a side has no finite value.
pub(crate) fn room(chain: &Chain, values: &[Value<f64>]) -> Option<f64> {
    room_and_steps(chain, values).0
}

/// The same with the steps that it took.
pub(crate) fn room_and_steps(chain: &Chain, values: &[Value<f64>]) -> (Option<f64>, usize) {
    let (sides, steps) = plain_sides(chain, values);
    let least = sides.as_deref().and_then(|sides| tightest(chain, sides));
    (least.map(|(.., room)| room), steps)
}

/// All sides in doubles, and the steps that they took; none where one has no value.
fn plain_sides(chain: &Chain, values: &[Value<f64>]) -> (Option<Vec<f64>>, usize) {
    let mut steps = 0;
    let each = chain.sides.iter().map(|side| {
        let mut evaluator = Evaluator::new(values);
        let value = evaluator.scalar(side);
        steps += evaluator.steps();
        value
    });
    let sides: Result<Vec<f64>, Trouble> = each.collect();
    (sides.ok(), steps)
}

/// The relation with the least room, its sides, and that room; none where a side is not finite.
fn tightest(chain: &Chain, sides: &[f64]) -> Option<(f64, Relation, f64, f64)> {
    let rooms = sides.windows(2).zip(&chain.relations).map(|(pair, relation)| {
        let (a, b) = (pair[0], pair[1]);
        let scale = a.abs().max(b.abs()).max(f64::MIN_POSITIVE);
        let room = match relation {
            Relation::AtMost | Relation::Less => (b - a) / scale,
            Relation::AtLeast | Relation::Greater => (a - b) / scale,
            Relation::Equal => -((a - b) / scale).abs(),
        };
        (a, *relation, b, room)
    });
    let least = rooms.reduce(|least, next| if next.3 < least.3 || next.3.is_nan() { next } else { least })?;
    least.3.is_finite().then_some(least)
}
