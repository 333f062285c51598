//! A recording of the operations on intervals, which carry no mark: each result is widened by an amount of its own, so that its ends tell
//! which step made it.

use std::collections::HashMap;

use super::{BinaryOperation, Constant, Formula, How, Operand, Step, TAPE, UnaryFunction, recorded_by};
use crate::interval::{Interval, Seen};

/// How many steps of one unit in the last place an end may be moved to make an interval known: far less than what a counterexample is about.
const MOVES: usize = 64;

/// The ends of an interval.
type Ends = [u64; 2];

/// What makes two steps the same.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Key {
    Applied(&'static str, KnownOperand),
    Power(i64, KnownOperand),
    Combined(BinaryOperation, KnownOperand, KnownOperand),
    LogSumExp(Vec<KnownOperand>),
    Pi,
}

/// A step, or a double.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum KnownOperand {
    Step(usize),
    Double(u64),
}

/// What is known of the intervals of a recording.
#[derive(Debug)]
pub(super) struct Throughout {
    functions: &'static [&'static UnaryFunction],
    /// The step that made the interval with these ends.
    made: HashMap<Ends, usize>,
    /// The step that has done this.
    done: HashMap<Key, usize>,
}

impl Throughout {
    /// The step that made an interval. A single double is no more than that.
    pub(super) fn step_of(&self, interval: Interval) -> Option<usize> {
        self.made.get(&ends(interval)).copied()
    }
}

fn ends(interval: Interval) -> Ends {
    [interval.lo().to_bits(), interval.hi().to_bits()]
}

/// Some work, and the formula behind every enclosure and every interval that it computed on this thread.
pub(crate) fn recorded_throughout<T>(
    most: usize,
    functions: &'static [&'static UnaryFunction],
    work: impl FnOnce() -> T,
) -> (T, Formula) {
    let throughout = Throughout { functions, made: HashMap::new(), done: HashMap::new() };
    recorded_by(most, Some(throughout), work)
}

/// Notes an operation, and answers with its result, known by its ends.
pub(super) fn see(seen: Seen, value: Interval) -> Interval {
    let noted = TAPE.with_borrow_mut(|tape| tape.as_mut().and_then(|formula| formula.note(seen, value)));
    noted.unwrap_or(value)
}

impl Formula {
    /// None where the result is no more than its interval.
    fn note(&mut self, seen: Seen, value: Interval) -> Option<Interval> {
        if self.steps.len() >= self.most || !value.is_finite() || ends(value) == ends(Interval::ZERO) {
            return None;
        }
        if let Seen::Other = seen {
            return self.distinct(value);
        }
        if let Some(same) = unchanged(&seen) {
            return Some(same);
        }
        let how = self.how_of(seen)?;
        let key = key(&how);
        let throughout = self.throughout.as_ref()?;
        if let Some(step) = key.as_ref().and_then(|key| throughout.done.get(key)) {
            return self.steps.get(*step).map(|step| step.value);
        }
        let value = self.distinct(value)?;
        let step = self.steps.len();
        self.steps.push(Step { how, value });
        let throughout = self.throughout.as_mut()?;
        throughout.made.insert(ends(value), step);
        throughout.done.extend(key.map(|key| (key, step)));
        Some(value)
    }

    fn how_of(&self, seen: Seen) -> Option<How> {
        let operand = |x: Interval| self.step_of(x).map_or(Operand::Number(x), Operand::Step);
        Some(match seen {
            Seen::Applied(name, x) => {
                let function = self.throughout.as_ref()?.functions.iter().find(|f| f.name == name)?;
                How::Applied(function, operand(x))
            }
            Seen::Power(exponent, x) => How::Power(exponent, operand(x)),
            Seen::Combined(operation, x, y) => How::Combined(operation, operand(x), operand(y)),
            Seen::LogSumExp(terms) => How::LogSumExp(terms.into_iter().map(operand).collect()),
            Seen::Pi => How::Constant(Constant::Pi),
            Seen::Other => return None,
        })
    }

    /// The interval a little wider, with ends that no step before has.
    fn distinct(&self, value: Interval) -> Option<Interval> {
        let made = &self.throughout.as_ref()?.made;
        let first = self.steps.len();
        (first..first + MOVES * MOVES).find_map(|number| {
            let lo = (0..=number % MOVES).fold(value.lo(), |x, _| x.next_down());
            let hi = (0..=number / MOVES % MOVES).fold(value.hi(), |x, _| x.next_up());
            let wider = Interval::new(lo, hi);
            (wider.is_finite() && !made.contains_key(&ends(wider))).then_some(wider)
        })
    }
}

/// What stays the same number under an operation: the sum with zero, the product with one, the other sign of a double.
fn unchanged(seen: &Seen) -> Option<Interval> {
    let is = |x: &Interval, y: f64| x.lo() == y && x.hi() == y;
    match seen {
        Seen::Combined(BinaryOperation::Add, x, y) if is(x, 0.0) => Some(*y),
        Seen::Combined(BinaryOperation::Add | BinaryOperation::Subtract, x, y) if is(y, 0.0) => Some(*x),
        Seen::Combined(BinaryOperation::Multiply, x, y) if is(x, 1.0) => Some(*y),
        Seen::Combined(BinaryOperation::Multiply | BinaryOperation::Divide, x, y) if is(y, 1.0) => Some(*x),
        Seen::Power(1, x) => Some(*x),
        Seen::Applied("neg", x) if x.lo() == x.hi() => Some(Interval::point(-x.lo())),
        _ => None,
    }
}

/// What makes a step the same as another; none if a number enters of which no more than an interval is known: two of those need not be the
/// same number.
fn key(how: &How) -> Option<Key> {
    let known = |operand: &Operand| match operand {
        Operand::Step(step) => Some(KnownOperand::Step(*step)),
        Operand::Number(x) => (x.lo() == x.hi()).then_some(KnownOperand::Double(x.lo().to_bits())),
    };
    Some(match how {
        How::Applied(function, x) => Key::Applied(function.name, known(x)?),
        How::Power(exponent, x) => Key::Power(*exponent, known(x)?),
        How::Combined(operation, x, y) => Key::Combined(*operation, known(x)?, known(y)?),
        How::LogSumExp(terms) => Key::LogSumExp(terms.iter().map(known).collect::<Option<_>>()?),
        How::Constant(_) => Key::Pi,
    })
}
