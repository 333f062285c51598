//! Moving an assignment to where inequalities among the conditions hold: numbers in the wrong order change places, and what a condition misses is
//! made up along its slopes (Kaczmarz's projections; Agmon, Motzkin and Schoenberg, 1954, for inequalities), in plain floating point.
//!
//! Nothing here is evidence: whether the conditions are met is asked of enclosures afterwards.

use core_math as cr;
use evidence::claim::Relation;
use evidence::instance::Instance;

use super::assignment::{Assignment, Raw};
use super::compare::is_met;
use super::draw::Dice;
use super::projected::project;
use crate::formulas::domain::Domain;
use crate::formulas::evaluate::Evaluator;
use crate::formulas::term::{Chain, Term};
use crate::numbers::number::Value;

/// Rounds through all conditions.
const ROUNDS: usize = 40;

/// Steps of evaluations that one repair may take.
const STEPS: usize = 300_000;

/// The step of a difference, as a fraction of the number.
const STEP: f64 = 1e-6;

/// The assignment moved to where all conditions are met for certain; none where no way is found.
pub(crate) fn repaired(conditions: &[Chain], from: &Assignment, dice: &mut Dice<'_>) -> Option<Assignment> {
    // How far inside of its condition an instance is to lie, as a fraction of the sides.
    let inside = cr::exp10(-4.0 * dice.unit());
    let mut repair = Repair { at: from.clone(), places: places(from), inside, left: STEPS };
    let asked: Vec<&Chain> = conditions.iter().filter(|c| !from.declarations.asks_for(c)).collect();
    for _ in 0..ROUNDS {
        let mut moved = false;
        for chain in &asked {
            for (pair, relation) in chain.sides.windows(2).zip(&chain.relations) {
                moved |= repair.link(&pair[0], *relation, &pair[1])?;
            }
        }
        if moved {
            project(&mut repair.at);
        } else {
            let at = repair.at;
            let is_met = at.validate().is_ok() && conditions.iter().all(|c| is_met(c, &at));
            return is_met.then_some(at);
        }
    }
    None
}

/// A number that may move: the place of its variable, and its place within it.
type Place = (usize, usize);

fn places(assignment: &Assignment) -> Vec<Place> {
    let declarations = &assignment.declarations;
    let of = |(at, raw): (usize, &Raw)| -> Vec<Place> {
        match raw {
            Raw::Whole(_) if declarations.shaping[at] => Vec::new(),
            Raw::Whole(_) | Raw::Real(_) => vec![(at, 0)],
            Raw::List(list) => (0..list.len()).map(|i| (at, i)).collect(),
        }
    };
    assignment.values.iter().enumerate().flat_map(of).collect()
}

struct Repair {
    at: Assignment,
    places: Vec<Place>,
    inside: f64,
    left: usize,
}

impl Repair {
    fn get(&self, (at, i): Place) -> f64 {
        match &self.at.values[at] {
            Raw::Whole(n) => *n as f64,
            Raw::Real(x) => *x,
            Raw::List(list) => list[i],
        }
    }

    fn set(&mut self, (at, i): Place, x: f64) {
        let domain = &self.at.declarations.variables[at].domain;
        let x = match domain {
            Domain::Real(range) | Domain::Vector { range, .. } | Domain::Matrix { range, .. } => range.nearest(x),
            Domain::Simplex(_) | Domain::Stochastic { .. } => x.max(0.0),
            _ => x,
        };
        match &mut self.at.values[at] {
            Raw::Whole(n) => *n = x.clamp(-1e15, 1e15).round() as i64,
            Raw::Real(old) => *old = x,
            Raw::List(list) => list[i] = x,
        }
    }

    /// By how much a link of a condition is missed, and the size of its sides; none where a side has no value, or the steps are spent.
    fn missed(&mut self, left: &Term, relation: Relation, right: &Term) -> Option<(f64, f64)> {
        let values = self.at.plain().ok()?;
        let mut side = |term: &Term| side(&values, term, &mut self.left);
        let (left, right) = (side(left)?, side(right)?);
        let by = match relation {
            Relation::AtMost | Relation::LessThan => left - right,
            Relation::AtLeast | Relation::GreaterThan => right - left,
            Relation::Equal => (left - right).abs(),
        };
        by.is_finite().then_some((by, left.abs().max(right.abs()).max(1e-3)))
    }

    /// Meets one link; whether anything had to move.
    fn link(&mut self, left: &Term, relation: Relation, right: &Term) -> Option<bool> {
        let (by, size) = self.missed(left, relation, right)?;
        let is_strict = matches!(relation, Relation::LessThan | Relation::GreaterThan);
        if by < 0.0 || by == 0.0 && !is_strict {
            return Some(false);
        }
        let mut slopes: Vec<(Place, f64)> = Vec::new();
        for place in self.places.clone() {
            let x = self.get(place);
            let is_whole = matches!(self.at.values[place.0], Raw::Whole(_));
            let step = if is_whole { 1.0 } else { STEP * x.abs().max(1e-3) };
            for to in [x + step, x - step] {
                self.set(place, to);
                let moved = self.get(place);
                let there = if moved == x { None } else { self.missed(left, relation, right) };
                self.set(place, x);
                if let Some((there, _)) = there {
                    let slope = (there - by) / (moved - x);
                    slopes.extend((slope != 0.0).then_some((place, slope)));
                    break;
                }
            }
        }
        let total: f64 = slopes.iter().map(|(_, slope)| slope * slope).sum();
        if !(total > 0.0 && total.is_finite()) {
            return None;
        }
        let is_one = |slope: f64| (slope.abs() - 1.0).abs() < 1e-3;
        if let [(a, up), (b, down)] = slopes[..]
            && by > 0.0
            && is_one(up)
            && is_one(down)
            && up * down < 0.0
        {
            // Two numbers in the wrong order.
            let (x, y) = (self.get(a), self.get(b));
            self.set(a, y);
            self.set(b, x);
            if self.missed(left, relation, right).is_some_and(|(now, _)| now < 0.0) {
                return Some(true);
            }
            self.set(a, x);
            self.set(b, y);
        }
        let far = (by + self.inside * size) / total;
        for (place, slope) in slopes {
            let to = self.get(place) - far * slope;
            // A whole number moves at least by one.
            let is_whole = matches!(self.at.values[place.0], Raw::Whole(_));
            let to = if is_whole { if slope > 0.0 { to.floor() } else { to.ceil() } } else { to };
            self.set(place, to);
        }
        Some(true)
    }
}

fn side(values: &[Value<f64>], term: &Term, left: &mut usize) -> Option<f64> {
    let mut evaluator = Evaluator::new(values);
    let value = evaluator.scalar(term).ok();
    *left = left.checked_sub(evaluator.steps() + 1)?;
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instances::draw::{STYLES, draw};
    use crate::instances::statement::{Statement, Texts};

    /// How many of a hundred draws are repaired.
    fn share(ranges: &str, conditions: &str) -> usize {
        let statement = Statement::read(&Texts::of("0 <= 1").ranging(ranges).given(conditions)).unwrap();
        let mut state = 1u64;
        let mut bits = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ (state >> 29)
        };
        let mut dice = Dice::new(&mut bits);
        let drawn = (0..100).filter_map(|n| draw(&statement.declarations, STYLES[n % 3], &mut dice));
        let drawn: Vec<Assignment> = drawn.collect();
        drawn.iter().filter(|a| repaired(&statement.conditions, a, &mut dice).is_some()).count()
    }

    #[test]
    fn draws_are_moved_into_ordered_and_thin_domains() {
        for (ranges, conditions) in [
            ("a in R^6", "a[1] > a[2] > a[3] > a[4] > a[5] > a[6]"),
            ("a, b, c, d in R", "0 < a < b < c < d"),
            ("x in [0, 1]^8", "x[1] <= x[2] <= x[3] <= x[4] <= x[5] <= x[6] <= x[7] <= x[8]"),
            ("a, b, c, d in 1..1000", "a < b < c < d"),
            ("x in R^10", "sum(x) >= 1000"),
            ("x, y, z in [-100, 100]", "x + y + z <= -250, x <= y"),
            ("p in simplex(6)", "p[1] > p[2] > p[3] > p[4] > p[5] > p[6]"),
            ("x, y, z in R", "x + y > z + 10, y + z > x + 10, z + x > y + 10"),
        ] {
            assert!(share(ranges, conditions) >= 60, "{ranges}, {conditions}: {}", share(ranges, conditions));
        }
        assert_eq!(share("x, y in R", "x < y, y < x"), 0);
        assert_eq!(share("x in [0, 1]^3", "sum(x) > 4"), 0);
    }
}
