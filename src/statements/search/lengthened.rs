//! Long vectors with few different entries: what fails only from a length of some hundreds or thousands on mostly fails on such a one. They are looked
//! at in plain floating point, length after length, as long as there is work left. The judge decides on enclosures; nothing here is evidence.

use std::sync::Arc;

use core_math as cr;
use evidence::claim::Evaluation;
use evidence::instance::Instance;
use evidence::judge::{Judgement, judge};

use super::screen;
use crate::formulas::domain::{Declarations, Domain, Size};
use crate::formulas::term::Kind;
use crate::instances::assignment::{Assignment, Raw, ValueShape};
use crate::instances::compare::{is_met, judged, room_and_steps};
use crate::instances::draw::{LARGEST_SIZE, fill};
use crate::instances::statement::Statement;
use crate::numbers::number::Value;

/// The lengths that are looked at first and last.
const FIRST: i64 = 32;
const LONGEST: i64 = 1 << 16;
/// The longest where every assignment has to be moved to where equations are met.
const LONGEST_MOVED: i64 = 1 << 8;
/// Steps of all evaluations together, and what an assignment costs beside them, by its numbers.
const STEPS: usize = 4_000_000;
/// A side may take more steps with every entry: a length at which more would be taken than are left is not looked at.
const GROWTH: usize = 8;
/// Less room than this is more than a rounding error of a long sum.
const MISSED: f64 = -1e-9;

/// What the entries are, by their places from zero on and the length.
const PATTERNS: [fn(usize, usize) -> f64; 12] = [
    |_, _| 1.0,
    |i, _| if i == 0 { 1.0 } else { 0.0 },
    |i, _| if i % 2 == 0 { 1.0 } else { -1.0 },
    |i, n| if 2 * i < n { 1.0 } else { 0.0 },
    |i, _| cr::exp2(-(i.min(1_000) as f64)),
    |i, _| 1.0 / (i as f64 + 1.0),
    |i, _| 1.0 / (i as f64 + 1.0).sqrt(),
    |i, n| (i as f64 + 1.0) / n as f64,
    |_, n| 1.0 / n as f64,
    |_, n| 1.0 / (n as f64).sqrt(),
    |i, n| if i == 0 { n as f64 } else { 1.0 },
    |_, _| -1.0,
];

/// Numbers beside the vectors.
const NUMBERS: [f64; 5] = [1.0, 0.5, 2.0, 10.0, 0.1];

/// Long vectors that violate a statement, as short as halving finds them, with few different entries; none where the quick look finds shorter ones that
/// do, or shorter ones are drawn.
pub(crate) fn lengthened(statement: &Statement, seed: u64) -> Option<Assignment> {
    let found = shortest(statement)?;
    let is_violated = |a: &Assignment| matches!(judged(&statement.chain, a), Evaluation::Compared(comparison) if judge(&comparison) == Judgement::Violated);
    let is_shorter = |a: &Assignment| a.doubles().len() <= found.doubles().len() && is_violated(a);
    if !is_violated(&found) || screen::closest(statement, seed).iter().any(|(_, a)| is_shorter(a)) {
        return None;
    }
    Some(found)
}

/// The first that violates a statement as far as floating point tells, and then as short as halving finds it.
fn shortest(statement: &Statement) -> Option<Assignment> {
    let declarations = &statement.declarations;
    let longest = if declarations.equations.is_empty() { LONGEST } else { LONGEST_MOVED };
    let largest = largest(declarations)?.min(longest);
    let mut look = LongSearch { statement, left: STEPS };
    let mut size = FIRST;
    let mut spent = 0;
    while look.left > GROWTH * spent {
        let length = size.min(largest);
        let before = look.left;
        if let Some(way) = (0..PATTERNS.len() * ways(declarations)).find(|&way| look.is_violated(way, length)) {
            let found = look.shortest(way, size / 2, length);
            return (found > LARGEST_SIZE).then(|| look.made(way, found)).flatten();
        }
        spent = before - look.left;
        if length == largest {
            break;
        }
        size *= 2;
    }
    None
}

/// How many ways there are to give the vectors patterns of their own, for each that the first may have.
fn ways(declarations: &Declarations) -> usize {
    let vectors = declarations.variables.iter().filter(|v| !matches!(v.domain, Domain::Real(_) | Domain::Whole { .. }));
    if vectors.count() > 1 { PATTERNS.len() } else { 1 }
}

/// The largest value of the whole numbers on which the sizes of vectors depend, where that is more than what is drawn.
fn largest(declarations: &Declarations) -> Option<i64> {
    let places = declarations.order.iter().filter(|&&place| declarations.shaping[place]);
    let ends = places.filter_map(|&place| match &declarations.variables[place].domain {
        Domain::Whole { to: Some(to), .. } => declarations.evaluated(to, &[]).ok(),
        Domain::Whole { .. } => Some(LONGEST),
        _ => None,
    });
    ends.max().filter(|n| *n > LARGEST_SIZE)
}

struct LongSearch<'s> {
    statement: &'s Statement,
    left: usize,
}

impl LongSearch<'_> {
    /// Vectors of this length with the patterns of one of the ways.
    fn made(&self, way: usize, length: i64) -> Option<Assignment> {
        let declarations = &self.statement.declarations;
        let wholes = wholes(declarations, length)?;
        let (first, further) = (way % PATTERNS.len(), way / PATTERNS.len());
        let (mut vectors, mut reals) = (0, 0);
        fill(declarations, wholes, &mut |domain, shape| {
            if let Domain::Real(range) = domain {
                reals += 1;
                return Raw::Real(range.nearest(NUMBERS[(way + reals - 1) % NUMBERS.len()]));
            }
            vectors += 1;
            let pattern = PATTERNS[(first + further * (vectors - 1)) % PATTERNS.len()];
            Raw::List(entries(domain, shape, pattern))
        })
    }

    fn is_violated(&mut self, way: usize, length: i64) -> bool {
        let Some(made) = self.made(way, length) else { return false };
        let Ok(values) = made.plain() else { return false };
        let (room, steps) = room_and_steps(&self.statement.chain, &values);
        self.left = self.left.saturating_sub(steps + made.doubles().len());
        room.is_some_and(|room| room < MISSED)
            && made.validate().is_ok()
            && self.statement.conditions.iter().all(|c| is_met(c, &made))
    }

    /// The shortest that halving finds between a length that is too short and one that is not.
    fn shortest(&mut self, way: usize, mut short: i64, mut long: i64) -> i64 {
        while long - short > 1 {
            let middle = short + (long - short) / 2;
            if self.is_violated(way, middle) { long = middle } else { short = middle }
        }
        long
    }
}

/// The entries of a vector that follow a pattern; those of a matrix follow it with the distance from the diagonal.
fn entries(domain: &Domain, shape: ValueShape, pattern: fn(usize, usize) -> f64) -> Vec<f64> {
    let ValueShape { rows, columns } = shape;
    let from = |i: usize| if matches!(domain, Domain::Symmetric(_)) { i } else { 0 };
    let each: Vec<f64> = if domain.kind() == Kind::Vector {
        (0..rows).map(|i| pattern(i, rows)).collect()
    } else {
        (0..rows).flat_map(|i| (from(i)..columns).map(move |j| pattern(i.abs_diff(j), rows.max(columns)))).collect()
    };
    match domain {
        Domain::Vector { range, .. } | Domain::Matrix { range, .. } => {
            each.into_iter().map(|x| range.nearest(x)).collect()
        }
        Domain::Simplex(_) | Domain::Stochastic { .. } => each.into_iter().map(f64::abs).collect(),
        _ => each,
    }
}

/// The whole numbers: the length where sizes depend on one, the first value elsewhere.
fn wholes(declarations: &Arc<Declarations>, length: i64) -> Option<Vec<Raw>> {
    let mut known: Vec<Value<f64>> = vec![Value::Scalar(0.0); declarations.variables.len()];
    let mut values = vec![Raw::Real(0.0); declarations.variables.len()];
    for &place in &declarations.order {
        let Domain::Whole { from, to } = &declarations.variables[place].domain else { continue };
        let end = |size: &Option<Size>| size.as_ref().and_then(|s| declarations.evaluated(s, &known).ok());
        let (from, to) = (end(from).unwrap_or(0), end(to).unwrap_or(i64::MAX));
        let n = if declarations.shaping[place] { length.max(from).min(to) } else { from };
        known[place] = Value::Whole(n);
        values[place] = Raw::Whole(n);
    }
    declarations.shapes(&values).ok().map(|_| values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instances::statement::Texts;

    fn length(statement: &str, ranges: &str) -> Option<Raw> {
        let texts = Texts::of(statement).ranging(ranges);
        shortest(&Statement::read(&texts).unwrap()).map(|a| a.values[0].clone())
    }

    #[test]
    fn the_length_from_which_on_a_statement_fails_is_found() {
        for (statement, ranges, first) in [
            ("norm(x, 1) <= 10*norm(x)", "n in N, x in R^n", 101),
            ("norm(x, 1) <= 120*norm(x)", "n in N, x in R^n", 14401),
            ("sum(i in 1..n, x[i]) <= 50*norm(x)", "n in N, x in R^n", 2501),
            ("trace(A) <= 40*norm(A, 2)", "n in N, A in psd(n)", 41),
            ("entropy(p) <= 5", "n in N, p in simplex(n)", 149),
            ("norm(x)^2 >= norm(x, 1)^2/200", "n in 1..1000, x in (0, inf)^n", 201),
            ("dot(x, y) <= 100*norm(x, inf)*norm(y, inf)", "n in N, x, y in R^n", 101),
            ("sum(i in 1..n, sum(j in 1..n, x[i]*x[j])) <= 100*norm(x)^2", "n in N, x in R^n", 101),
        ] {
            assert_eq!(length(statement, ranges), Some(Raw::Whole(first)), "{statement}");
        }
    }

    #[test]
    fn what_holds_at_all_lengths_or_has_none_is_left_alone() {
        for (statement, ranges) in [
            ("norm(x, 1) <= sqrt(n)*norm(x)", "n in N, x in R^n"),
            ("norm(x, 1) <= 10*norm(x)", "n in 1..100, x in R^n"),
            ("norm(x, 1) <= 4*norm(x)", "n in N, x in R^n"),
            ("x^n <= 10", "n in N, x in R"),
        ] {
            assert_eq!(length(statement, ranges), None, "{statement}");
        }
    }
}
