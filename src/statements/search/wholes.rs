//! Statements about whole numbers within bounds: a look in plain floating point at every one of them where they are few enough, and at what
//! is left of the box that holds them once enclosures have ruled out its larger parts where they are not.
//!
//! What it brings back are instances like any others; nothing here is evidence.

use std::fmt;
use std::sync::Arc;

use enclosures::interval::Interval;
use evidence::instance::Instance;

use crate::formulas::domain::{Declarations, Domain, Size};
use crate::formulas::evaluate::Evaluator;
use crate::formulas::term::{Chain, Term};
use crate::instances::assignment::{Assignment, Raw};
use crate::instances::compare::{is_false, is_met, is_true, room_of};
use crate::instances::statement::Statement;
use crate::numbers::number::{Enclosed, Real, Value};

/// Steps of evaluations that all looks may take together.
const STEPS: usize = 40_000_000;

/// What a look costs beside its steps.
const LOOK: usize = 10;

/// What a look at a box costs for every step of its evaluation.
const BOX: usize = 8;

/// How many assignments are kept.
const KEPT: usize = 12;

/// A box of so few is gone through.
const FEW: u128 = 16;

/// A room of less than this could be none.
const CLOSE: f64 = 1e-9;

/// How much was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchExtent {
    /// How many assignments were looked at, or lay in boxes on which the statement holds for certain.
    pub looked: u128,
    /// How many there are, or more where ranges depend on one another.
    pub of: u128,
    /// Whether there are exactly so many.
    pub exactly: bool,
}

impl fmt::Display for SearchExtent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.exactly, self.looked == self.of) {
            (true, true) => write!(f, "all {}", self.of)?,
            (true, false) => write!(f, "{} of {}", self.looked, self.of)?,
            (false, _) => write!(f, "{} of at most {}", self.looked, self.of)?,
        }
        write!(f, " values in floating point; the {KEPT} closest and the ends of the ranges were judged")
    }
}

/// A look at all assignments of a statement, and those with the least room; none where not all variables are whole numbers within bounds.
pub(crate) fn glance(statement: &Statement) -> Option<(SearchExtent, Vec<(String, Assignment)>)> {
    let declarations = &statement.declarations;
    let order = &declarations.order;
    if order.is_empty() || order.len() != declarations.variables.len() {
        return None;
    }
    let mut look =
        Tour { statement, left: STEPS, looked: 0, near: Vec::new(), values: vec![Value::Whole(0); order.len()] };
    let hull = hull(declarations)?;
    let ends = at_ends(declarations, &hull);
    let of = hull.iter().try_fold(1u128, |product, range| product.checked_mul(count(*range)))?;
    if of <= (STEPS / LOOK) as u128
        && let Some(counted) = look.through(0)
    {
        let near = look.near().into_iter().chain(ends).collect();
        return Some((SearchExtent { looked: look.looked, of: counted, exactly: true }, near));
    }
    // What is left of a box comes closer than what was looked at first; ranges that depend on one another are no box.
    let is_box = declarations.variables.iter().all(|v| v.domain.sizes().iter().all(|size| is_number(size)));
    if is_box {
        let first = (look.looked, std::mem::take(&mut look.near));
        (look.left, look.looked) = (STEPS, 0);
        if look.boxes(hull).is_none() {
            (look.looked, look.near) = first;
        }
    }
    let near = look.near().into_iter().chain(ends).collect();
    Some((SearchExtent { looked: look.looked, of, exactly: is_box }, near))
}

/// The instances at the least and at the greatest values of all variables: where whole numbers are beyond those that floating point tells apart,
/// many seem to be the closest.
fn at_ends(declarations: &Arc<Declarations>, hull: &[(i64, i64)]) -> Vec<(String, Assignment)> {
    let of = |end: fn(&(i64, i64)) -> i64| {
        let values = hull.iter().map(|range| Raw::Whole(end(range))).collect();
        Assignment { declarations: Arc::clone(declarations), values }
    };
    let each = [("the least values", of(|range| range.0)), ("the greatest values", of(|range| range.1))];
    each.into_iter().filter(|(_, a)| a.validate().is_ok()).map(|(name, a)| (name.to_owned(), a)).collect()
}

fn is_number(size: &Size) -> bool {
    Evaluator::<f64>::new(&[]).whole(&size.term).is_ok()
}

fn count((from, to): (i64, i64)) -> u128 {
    if from > to { 0 } else { u128::from(to.abs_diff(from)) + 1 }
}

/// The least and the greatest value of every variable; the ends of those that depend on others are taken at their hull's ends, which holds
/// for ranges such as `1..n` that grow or fall with each of them.
fn hull(declarations: &Declarations) -> Option<Vec<(i64, i64)>> {
    let mut corners: [Vec<Value<f64>>; 2] = [(); 2].map(|()| vec![Value::Whole(0); declarations.variables.len()]);
    let mut found = vec![(0, 0); declarations.variables.len()];
    for &place in &declarations.order {
        let Domain::Whole { from: Some(from), to: Some(to) } = &declarations.variables[place].domain else {
            return None;
        };
        let ends = |size: &Size| -> Option<[i64; 2]> {
            let [low, high] = &corners;
            let ends = [declarations.evaluated(size, low).ok()?, declarations.evaluated(size, high).ok()?];
            Some([ends[0].min(ends[1]), ends[0].max(ends[1])])
        };
        let (least, greatest) = (ends(from)?[0], ends(to)?[1]);
        found[place] = (least, greatest);
        corners[0][place] = Value::Whole(least);
        corners[1][place] = Value::Whole(greatest);
    }
    Some(found)
}

struct Tour<'s> {
    statement: &'s Statement,
    left: usize,
    looked: u128,
    /// The assignments with the least room, that with the least first.
    near: Vec<(f64, Assignment)>,
    values: Vec<Value<f64>>,
}

impl Tour<'_> {
    fn near(&mut self) -> Vec<(String, Assignment)> {
        let near = std::mem::take(&mut self.near).into_iter().enumerate();
        near.map(|(number, (_, a))| (format!("value #{}", number + 1), a)).collect()
    }

    fn room(&mut self) -> Option<f64> {
        let mut evaluator = Evaluator::new(&self.values);
        let sides: Option<Vec<f64>> =
            self.statement.chain.sides.iter().map(|side| evaluator.scalar(side).ok()).collect();
        let steps = evaluator.steps();
        self.left = self.left.saturating_sub(LOOK + steps);
        room_of(&self.statement.chain, &sides?)
    }

    /// Goes through all values of the variables from a place in their order on; none where the work is spent.
    fn through(&mut self, depth: usize) -> Option<u128> {
        let declarations = Arc::clone(&self.statement.declarations);
        let Some(&place) = declarations.order.get(depth) else {
            self.at_values();
            return Some(1);
        };
        let Domain::Whole { from: Some(from), to: Some(to) } = &declarations.variables[place].domain else {
            return None;
        };
        let (from, to) = (declarations.evaluated(from, &self.values), declarations.evaluated(to, &self.values));
        let mut counted = 0;
        for n in from.ok()?..=to.ok()? {
            self.values[place] = Value::Whole(n);
            counted += self.through(depth + 1)?;
            if self.left == 0 {
                return None;
            }
        }
        Some(counted)
    }

    fn at_values(&mut self) {
        self.looked += 1;
        let Some(room) = self.room() else { return };
        if self.near.len() >= KEPT && self.near.last().is_some_and(|(most, _)| *most <= room) {
            return;
        }
        let raw = |value: &Value<f64>| match value {
            Value::Whole(n) => Raw::Whole(*n),
            _ => Raw::Real(f64::NAN),
        };
        let declarations = Arc::clone(&self.statement.declarations);
        let assignment = Assignment { declarations, values: self.values.iter().map(raw).collect() };
        if assignment.validate().is_err() || !self.statement.conditions.iter().all(|c| is_met(c, &assignment)) {
            return;
        }
        let at = self.near.partition_point(|(other, _)| *other <= room);
        self.near.insert(at, (room, assignment));
        self.near.truncate(KEPT);
    }

    /// Halves the box of all values until the statement holds for certain on what is left, or few are left, which are looked at; none where
    /// the statement cannot be enclosed on a box.
    fn boxes(&mut self, hull: Vec<(i64, i64)>) -> Option<()> {
        let mut stack = vec![hull];
        while let Some(ranges) = stack.pop() {
            if self.left == 0 || self.near.len() >= KEPT && self.near.last().is_some_and(|(room, _)| *room < -CLOSE) {
                break;
            }
            let inside: u128 = ranges.iter().map(|range| count(*range)).product();
            if inside <= FEW {
                self.few(&ranges, 0);
                continue;
            }
            if self.is_settled(&ranges)? {
                self.looked += inside;
                continue;
            }
            let widest = (0..ranges.len()).max_by_key(|&at| (count(ranges[at]), std::cmp::Reverse(at)))?;
            let (from, to) = ranges[widest];
            let middle = from + (to - from) / 2;
            let half = |range| {
                let mut ranges = ranges.clone();
                ranges[widest] = range;
                ranges
            };
            // The smaller numbers first.
            stack.push(half((middle + 1, to)));
            stack.push(half((from, middle)));
        }
        Some(())
    }

    fn few(&mut self, ranges: &[(i64, i64)], at: usize) {
        let Some(&(from, to)) = ranges.get(at) else {
            self.at_values();
            return;
        };
        for n in from..=to {
            self.values[at] = Value::Whole(n);
            self.few(ranges, at + 1);
        }
    }

    /// Whether the statement holds on a whole box for certain, or some condition is missed on all of it; none where it cannot be enclosed.
    fn is_settled(&mut self, ranges: &[(i64, i64)]) -> Option<bool> {
        let within = |&(from, to): &(i64, i64)| {
            let number: Enclosed = Real::within(Interval::new((from as f64).next_down(), (to as f64).next_up()));
            let exact = from.unsigned_abs().max(to.unsigned_abs()) <= 1 << 53;
            Value::Scalar(if exact { Real::within(Interval::new(from as f64, to as f64)) } else { number })
        };
        let values: Vec<Value<Enclosed>> = ranges.iter().map(within).collect();
        let mut steps = LOOK;
        let mut sides_of = |chain: &Chain| -> Option<Vec<Enclosed>> {
            let mut side = |term: &Term| {
                let mut evaluator = Evaluator::new(&values);
                let side = evaluator.scalar(term).ok();
                steps += evaluator.steps();
                side
            };
            chain.sides.iter().map(&mut side).collect()
        };
        let sides = sides_of(&self.statement.chain);
        let is_missed = self.statement.conditions.iter().any(|condition| {
            sides_of(condition).is_some_and(|sides| {
                let all = sides.windows(2).zip(&condition.relations);
                sides.iter().all(|s| s.defined) && { all }.any(|(pair, r)| is_false(pair[0].value, *r, pair[1].value))
            })
        });
        self.left = self.left.saturating_sub(BOX * steps);
        if is_missed {
            return Some(true);
        }
        let sides = sides?;
        let mut all = sides.windows(2).zip(&self.statement.chain.relations);
        Some(
            sides.iter().all(|s| s.defined)
                && all.all(|(pair, relation)| is_true(pair[0].value, *relation, pair[1].value)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instances::statement::Texts;

    fn looked(statement: &str, ranges: &str, conditions: &str) -> (SearchExtent, Vec<Vec<Raw>>) {
        let texts = Texts::of(statement).ranging(ranges).given(conditions);
        let statement = Statement::read(&texts).unwrap();
        let (glance, near) = glance(&statement).unwrap_or_else(|| panic!("{texts:?} has whole numbers only"));
        (glance, near.into_iter().map(|(_, a)| a.values).collect())
    }

    fn first(statement: &str, ranges: &str, conditions: &str) -> Vec<Raw> {
        looked(statement, ranges, conditions).1.swap_remove(0)
    }

    #[test]
    fn a_single_value_among_many_is_seen() {
        let at = |numbers: &[i64]| numbers.iter().map(|&n| Raw::Whole(n)).collect::<Vec<_>>();
        assert_eq!(first("abs(n^2 + n + 41 - a*b) >= 1/2", "n in 1..100, a, b in 2..200", "a <= b"), at(&[40, 41, 41]));
        assert_eq!(first("(n - 54321)^2 >= 1/2", "n in 1..100000", ""), at(&[54321]));
        // Too many to go through: enclosures rule out all but the neighbourhood of a curve.
        assert_eq!(first("abs(x^2 - 46*y^2 - 1) >= 1/2", "x in 2..30000, y in 1..5000", ""), at(&[24335, 3588]));
        assert_eq!(first("abs(x^2 - 61*y^2 + 1) >= 1/2", "x in 2..40000, y in 1..5000", ""), at(&[29718, 3805]));
        assert_eq!(first("abs(x^3 + y^3 - 1729) >= 1/2", "x, y in 1..100000", "x <= y, x >= 5"), at(&[9, 10]));
        // A range that depends on another variable.
        assert_eq!(first("abs(n*k - 391) >= 1/2", "n in 2..60, k in 2..n", ""), at(&[23, 17]));
    }

    #[test]
    fn what_was_looked_at_is_counted() {
        let (glance, _) = looked("n*k >= 1", "n in 1..50, k in 1..n", "");
        assert_eq!((glance.looked, glance.of), (1275, 1275));
        let (glance, _) = looked("x^2 + y^2 >= 1", "x, y in 1..10^9", "");
        assert_eq!((glance.looked, glance.of), (10u128.pow(18), 10u128.pow(18)));
        let (part, _) = looked("n + 1 <= binom(n + 1, 1)", "n in 1..10^12", "");
        assert!(part.looked < part.of, "{part}");
        let real = Statement::read(&Texts::of("n*x^2 >= 0").ranging("n in 1..9")).unwrap();
        assert!(self::glance(&real).is_none());
        let endless = Statement::read(&Texts::of("n >= 1").ranging("n in 1..")).unwrap();
        assert!(self::glance(&endless).is_none());
    }
}
