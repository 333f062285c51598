//! A chain on an instance: judged on enclosures, looked at on doubles.

use std::cell::LazyCell;
use std::fmt;

use enclosures::enclosure::{Enclosure, exact};
use enclosures::formula::is_recording;
use enclosures::interval::Interval;
use enclosures::precise::{BITS, Precise, with_bits};
use enclosures::work;
use evidence::claim::{
    Comparison, Evaluation, Relation, all_of, at_least, at_most, equal, greater_than, less_than, vacuous,
};
use evidence::judge::{Judgement, judge};

use super::assignment::Assignment;
use crate::formulas::evaluate::{Evaluator, STEPS_OF_AN_OPERATION, Trouble};
use crate::formulas::term::Chain;
use crate::numbers::exact::Exact;
use crate::numbers::number::{Enclosed, Number, Real, Value};
use crate::numbers::recorded::Recorded;

/// Why nothing is said where doubles end.
pub const BEYOND: &str = "a side is beyond the range of double precision";
/// Why nothing is said where the domain of a function is touched.
pub const DOUBTFUL: &str = "double precision cannot tell whether a side is defined";

/// Bits to which sides are told apart, one after the other.
const LADDER: [usize; 3] = [BITS, 1024, 4096];
/// Beyond so many steps no more than the first of them.
const LONG: usize = 4_000;
/// Beyond so many no closed form is looked for, and a search does without them.
const LONGEST: usize = 20_000;
/// Beyond so many nothing is evaluated to more bits than doubles have.
const BEARABLE: usize = 100_000;

/// How two sides that doubles do not tell apart are known to relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// They are equal, by exact arithmetic or in closed form.
    Equal,
    /// They are not told apart at so many bits.
    Alike(usize),
    /// They differ.
    Apart,
}

impl fmt::Display for Tie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tie::Equal => f.write_str("none: the sides are equal there, shown in closed form"),
            Tie::Alike(bits) => write!(f, "not told apart at {bits} bits"),
            Tie::Apart => f.write_str("below what doubles tell"),
        }
    }
}

/// The steps that an evaluation of all sides takes in doubles, those that make the values included.
pub(crate) fn steps(chain: &Chain, assignment: &Assignment) -> usize {
    assignment.steps() + assignment.plain().map_or(0, |values| room_and_steps(chain, &values).1)
}

/// Both sides of every relation, enclosed: in doubles first, and in 256 bits where those cannot tell.
pub(crate) fn judged(chain: &Chain, assignment: &Assignment) -> Evaluation {
    judged_within(chain, assignment, LONGEST)
}

/// The same where an evaluation to 256 bits may take so many steps.
fn judged_within(chain: &Chain, assignment: &Assignment, most: usize) -> Evaluation {
    in_turn(chain, assignment, most, |c| judge(c) == Judgement::Undecided, &mut |number, relation, coarse, finer| {
        let sides = if steps(chain, assignment) <= most { finer(BITS, number) } else { None };
        sides.and_then(|(l, r)| in_detail(&l, relation, &r, coarse))
    })
}

/// The same, and where doubles find equality, too: next to a tie the sides may agree to all their digits and differ beyond them. They are told
/// apart to more and more bits, or shown to be equal. Too slow for a search, which meets many ties.
pub(crate) fn judged_thoroughly(chain: &Chain, assignment: &Assignment) -> Evaluation {
    thoroughly(chain, assignment).0
}

/// The same with how the sides of the relation that is closest to failing are known to relate, where doubles do not tell.
pub(crate) fn thoroughly(chain: &Chain, assignment: &Assignment) -> (Evaluation, Option<Tie>) {
    let steps = steps(chain, assignment);
    if steps > LONGEST {
        let is_bearable = steps <= BEARABLE;
        let evaluation = judged_within(chain, assignment, if is_bearable { BEARABLE } else { 0 });
        let bits = if is_bearable { BITS } else { f64::MANTISSA_DIGITS as usize };
        let tie = matches!(&evaluation, Evaluation::Compared(c) if is_tied(c)).then_some(Tie::Alike(bits));
        return (evaluation, tie);
    }
    let closed = LazyCell::new(|| closed_forms(chain, assignment));
    let mut ties: Vec<Option<Tie>> = vec![None; chain.relations.len()];
    let evaluation = in_turn(chain, assignment, BEARABLE, is_tied, &mut |number, relation, coarse, finer| {
        let sign = signs(&closed[number..=number + 1])[0];
        if sign == Some(0) {
            ties[number] = Some(Tie::Equal);
            let known = [number, number + 1].map(|side| closed[side].enclosed());
            return equal_sides(known, relation, coarse, &mut |bits| finer(bits, number));
        }
        // At a jump no number of digits tells a side, and its closed form does.
        if sign.is_some()
            && !matches!(coarse, Evaluation::Compared(_))
            && let (Some(left), Some(right)) = (closed[number].enclosed(), closed[number + 1].enclosed())
            && let Some(found) = apart((left, right, None), relation)
        {
            return Some(found);
        }
        let mut bits = f64::MANTISSA_DIGITS as usize;
        // Numbers that were solved for are known to the digits of doubles only.
        let ladder = if assignment.located().is_some() { &[][..] } else { &LADDER };
        for &step in ladder {
            let Some((left, right)) = finer(step, number) else { break };
            bits = step;
            if let Some(found) = within_doubles(&left, &right).and_then(|sides| apart(sides, relation)) {
                ties[number] = Some(Tie::Apart);
                return Some(found);
            }
        }
        ties[number] = Some(Tie::Alike(bits));
        let (left, right) = finer(BITS, number)?;
        in_detail(&left, relation, &right, coarse)
    });
    let tie = match &evaluation {
        Evaluation::Compared(comparison) => ties[number_of(chain, comparison)],
        _ => None,
    };
    (evaluation, tie)
}

/// Whether doubles leave open which side is larger.
pub(crate) fn is_tied(comparison: &Comparison) -> bool {
    let (left, right) = (comparison.lhs, comparison.rhs);
    let are_numbers = left.lo() == left.hi() && right.lo() == right.hi();
    !are_numbers && left.lo() <= right.hi() && right.lo() <= left.hi()
}

/// The sides of one relation to so many bits.
type Finer<'a> = dyn FnMut(usize, usize) -> Option<(Precise, Precise)> + 'a;

/// Every relation in doubles, and by `closer` where what was found is `in_doubt`.
fn in_turn(
    chain: &Chain,
    assignment: &Assignment,
    most: usize,
    in_doubt: impl Fn(&Comparison) -> bool,
    closer: &mut dyn FnMut(usize, Relation, &Evaluation, &mut Finer<'_>) -> Option<Evaluation>,
) -> Evaluation {
    let sides = match enclosed(chain, assignment) {
        Ok(sides) => sides,
        Err(evaluation) => return *evaluation,
    };
    let mut known: Vec<(usize, Option<Vec<Precise>>)> = Vec::new();
    let mut is_long = false;
    let mut finer = |bits: usize, number: usize| -> Option<(Precise, Precise)> {
        if is_long && bits > BITS {
            return None;
        }
        if !known.iter().any(|(b, _)| *b == bits) {
            let found = with_bits(bits, || precisely(chain, assignment, bits, most));
            is_long |= found.as_ref().is_none_or(|(_, steps)| *steps > LONG);
            known.push((bits, found.map(|(sides, _)| sides)));
        }
        let sides = known.iter().find(|(b, _)| *b == bits)?.1.as_ref()?;
        Some((sides[number].clone(), sides[number + 1].clone()))
    };
    let mut parts: Vec<(String, Evaluation)> = Vec::new();
    for (number, relation) in chain.relations.iter().enumerate() {
        let coarse = in_doubles(sides[number], *relation, sides[number + 1]);
        let doubtful = match &coarse {
            Evaluation::Compared(comparison) => in_doubt(comparison),
            _ => true,
        };
        let part = if doubtful { closer(number, *relation, &coarse, &mut finer).unwrap_or(coarse) } else { coarse };
        // Where a side has no value the whole chain says nothing.
        if matches!(&part, Evaluation::Vacuous(reason) if reason == DOUBTFUL) {
            return part;
        }
        parts.push((named(number), part));
    }
    if parts.len() == 1 { parts.swap_remove(0).1 } else { all_of(parts) }
}

/// What a relation of a chain is called.
fn named(number: usize) -> String {
    format!("relation {}", number + 1)
}

/// The relation that a comparison is about, by its name.
fn number_of(chain: &Chain, comparison: &Comparison) -> usize {
    let note = comparison.note.as_deref().unwrap_or_default();
    let name = note.split_once(':').map_or(note, |(name, _)| name);
    (0..chain.relations.len()).find(|&number| named(number) == name).unwrap_or(0)
}

/// All sides in closed form, each unknown where it has none.
fn closed_forms(chain: &Chain, assignment: &Assignment) -> Vec<Exact> {
    let Ok(values) = assignment.lifted::<Exact>() else {
        return vec![Exact::UNKNOWN; chain.sides.len()];
    };
    chain.sides.iter().map(|side| Evaluator::new(&values).scalar(side).unwrap_or(Exact::UNKNOWN)).collect()
}

/// For every relation the sign of its right side minus its left side, where closed forms show it.
pub(crate) fn in_closed_form(chain: &Chain, assignment: &Assignment) -> Vec<Option<i32>> {
    signs(&closed_forms(chain, assignment))
}

fn signs(sides: &[Exact]) -> Vec<Option<i32>> {
    sides.windows(2).map(|pair| pair[1].clone().minus(pair[0].clone()).sign()).collect()
}

/// A comparison of sides that are equal, and enclosed by their closed forms if by nothing else.
fn equal_sides(
    closed: [Option<Precise>; 2],
    relation: Relation,
    coarse: &Evaluation,
    finer: &mut dyn FnMut(usize) -> Option<(Precise, Precise)>,
) -> Option<Evaluation> {
    let both = match coarse {
        Evaluation::Compared(_) => coarse.clone(),
        _ => {
            let [left, right] = closed;
            let (left, right) = left.zip(right).or_else(|| finer(BITS))?;
            let (left, right, note) = within_doubles(&left, &right)?;
            noted(compared(left.interval()?.into(), relation, right.interval()?.into()), note)
        }
    };
    Some(if relation == Relation::Equal { both } else { both.with_margin(Enclosure::ZERO) })
}

/// A comparison of sides that are told apart, with a note on them; none if they are not, or if doubles do not reach their difference.
fn apart((left, right, note): (Precise, Precise, Option<String>), relation: Relation) -> Option<Evaluation> {
    let difference = right.clone().minus(left.clone());
    let is_rising = match (difference.sign(true), difference.sign(false)) {
        (Some(true), _) => true,
        (_, Some(false)) => false,
        _ => return None,
    };
    let difference = difference.interval()?;
    let size = if is_rising { difference } else { -difference };
    if size.lo() <= 0.0 {
        return None;
    }
    let margin = match relation {
        Relation::AtMost | Relation::LessThan => difference,
        Relation::AtLeast | Relation::GreaterThan => -difference,
        Relation::Equal => -size,
    };
    let (left, right): (Enclosure, Enclosure) = (left.interval()?.into(), right.interval()?.into());
    let sides =
        if relation == Relation::Equal { equal(left, right).within(0.0) } else { compared(left, relation, right) };
    Some(noted(sides.with_margin(margin.into()), note))
}

fn noted(evaluation: Evaluation, note: Option<String>) -> Evaluation {
    match note {
        Some(note) => evaluation.noting(note),
        None => evaluation,
    }
}

/// Both sides, multiplied by a power of two where doubles do not reach them or their difference, and then what to say of that.
fn within_doubles(left: &Precise, right: &Precise) -> Option<(Precise, Precise, Option<String>)> {
    const REACH: i64 = 1000;
    let largest = left.binary_exponent().max(right.binary_exponent())?;
    let difference = right.clone().minus(left.clone()).binary_exponent().unwrap_or(largest);
    if largest <= REACH && difference >= -REACH {
        return Some((left.clone(), right.clone(), None));
    }
    // As large as may be where the difference is far below the sides, of the order of one otherwise.
    let by = if difference < largest - REACH { REACH - largest } else { -largest };
    let factor = Precise::whole(2).powi(by);
    let note = format!("both sides are multiplied by 2^{by}");
    Some((left.clone().times(factor.clone()), right.clone().times(factor), Some(note)))
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

/// All sides to so many bits, and the steps that they took; none where that is not possible. What that costs is counted.
fn precisely(chain: &Chain, assignment: &Assignment, bits: usize, most: usize) -> Option<(Vec<Precise>, usize)> {
    let mut steps = assignment.steps();
    let spend = |steps: usize| work::spend(steps.saturating_mul(OPERATIONS_OF_A_STEP * bits / BITS) as u64);
    spend(steps);
    let values = assignment.lifted::<Precise>().ok()?;
    let side = |term| {
        let mut evaluator = Evaluator::within(&values, most);
        let side = evaluator.scalar(term);
        // Of a sum that is refused the terms are counted and not added up.
        let taken = evaluator.steps().min(most);
        steps += taken;
        spend(taken);
        side
    };
    let sides = chain.sides.iter().map(side).collect::<Result<_, _>>().ok()?;
    Some((sides, steps))
}

/// A comparison whose margin is known to more bits than doubles have; none if it says no more than the one in doubles.
fn in_detail(left: &Precise, relation: Relation, right: &Precise, coarse: &Evaluation) -> Option<Evaluation> {
    if relation == Relation::Equal {
        return None;
    }
    // As they are: sides that are multiplied would look closer to a search than they come.
    if let Some(found) = apart((left.clone(), right.clone(), None), relation) {
        return Some(found);
    }
    let difference = right.clone().minus(left.clone());
    let margin = match relation {
        Relation::AtMost | Relation::LessThan | Relation::Equal => difference,
        Relation::AtLeast | Relation::GreaterThan => difference.negated(),
    };
    let strict = matches!(relation, Relation::LessThan | Relation::GreaterThan);
    let known = margin.interval()?;
    let evaluation = match margin.sign(strict) {
        // At most and exactly equal, or less and not even that.
        Some(true) if !strict => compared(left.interval()?.into(), relation, right.interval()?.into()),
        Some(false) if strict => compared(left.interval()?.into(), relation, right.interval()?.into()),
        // The sides agree to all bits. On the scale on which doubles lost them, that is equality.
        None if known.is_finite() && matches!(coarse, Evaluation::Compared(_)) => coarse.clone(),
        _ => return None,
    };
    Some(evaluation.with_margin(known.into()))
}

fn compared(left: Enclosure, relation: Relation, right: Enclosure) -> Evaluation {
    match relation {
        Relation::AtMost => at_most(left, right),
        Relation::LessThan => less_than(left, right),
        Relation::AtLeast => at_least(left, right),
        Relation::GreaterThan => greater_than(left, right),
        // The instance is exact and the sides enclosed: what is apart is not equal, however little.
        Relation::Equal if left.hi() < right.lo() || right.hi() < left.lo() => equal(left, right).within(0.0),
        Relation::Equal => equal(left, right),
    }
}

/// Every relation of a chain in doubles.
pub(crate) fn relations(chain: &Chain, assignment: &Assignment) -> Result<Vec<Comparison>, String> {
    let undefined = |reason: String| format!("a side is not defined: {reason}");
    let sides = enclosed(chain, assignment).map_err(|evaluation| match *evaluation {
        Evaluation::Vacuous(reason) | Evaluation::Failed(reason) => undefined(reason),
        Evaluation::Compared(_) => undefined(DOUBTFUL.to_owned()),
    })?;
    let each = sides.windows(2).zip(&chain.relations);
    each.map(|(pair, relation)| match in_doubles(pair[0], *relation, pair[1]) {
        Evaluation::Compared(comparison) => Ok(comparison),
        Evaluation::Vacuous(reason) | Evaluation::Failed(reason) => Err(undefined(reason)),
    })
    .collect()
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
    let is_clear = defined_sides(condition, assignment).is_some_and(|sides| {
        sides.windows(2).zip(&condition.relations).all(|(pair, relation)| is_true(pair[0], *relation, pair[1]))
    });
    // Of numbers alone more can be told, once and for all.
    is_clear || assignment.values.is_empty() && is_met_in_closed_form(condition, assignment)
}

fn is_met_in_closed_form(condition: &Chain, assignment: &Assignment) -> bool {
    let signs = in_closed_form(condition, assignment);
    signs.iter().zip(&condition.relations).all(|(sign, relation)| {
        sign.is_some_and(|sign| match relation {
            Relation::AtMost => sign >= 0,
            Relation::LessThan => sign > 0,
            Relation::AtLeast => sign <= 0,
            Relation::GreaterThan => sign < 0,
            Relation::Equal => sign == 0,
        })
    })
}

/// Whether a condition fails for certain.
pub(crate) fn is_missed(condition: &Chain, assignment: &Assignment) -> bool {
    defined_sides(condition, assignment).is_some_and(|sides| {
        sides.windows(2).zip(&condition.relations).any(|(pair, relation)| is_false(pair[0], *relation, pair[1]))
    })
}

/// Whether a relation holds between any two numbers of these intervals.
pub(crate) fn is_true(a: Interval, relation: Relation, b: Interval) -> bool {
    match relation {
        Relation::AtMost => a.hi() <= b.lo(),
        Relation::LessThan => a.hi() < b.lo(),
        Relation::AtLeast => a.lo() >= b.hi(),
        Relation::GreaterThan => a.lo() > b.hi(),
        Relation::Equal => a.lo() == a.hi() && a == b,
    }
}

/// Whether it fails between any two of them.
pub(crate) fn is_false(a: Interval, relation: Relation, b: Interval) -> bool {
    match relation {
        Relation::AtMost => a.lo() > b.hi(),
        Relation::LessThan => a.lo() >= b.hi(),
        Relation::AtLeast => a.hi() < b.lo(),
        Relation::GreaterThan => a.hi() <= b.lo(),
        Relation::Equal => a.lo() > b.hi() || a.hi() < b.lo(),
    }
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

/// The same of sides that are known.
pub(crate) fn room_of(chain: &Chain, sides: &[f64]) -> Option<f64> {
    tightest(chain, sides).map(|(.., room)| room)
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
        let scale = a.abs().max(b.abs());
        let room = match relation {
            _ if scale == 0.0 => 0.0,
            Relation::AtMost | Relation::LessThan => (b - a) / scale,
            Relation::AtLeast | Relation::GreaterThan => (a - b) / scale,
            Relation::Equal => -((a - b) / scale).abs(),
        };
        (a, *relation, b, room)
    });
    let least = rooms.reduce(|least, next| if next.3 < least.3 || next.3.is_nan() { next } else { least })?;
    least.3.is_finite().then_some(least)
}
