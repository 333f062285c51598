//! A quick look in plain floating point before anything is enclosed: thousands of assignments, and a climb from the closest.
//!
//! What it brings back are instances like any others. The judge decides on enclosures; nothing here is evidence.

use std::sync::Arc;

use core_math as cr;
use enclosures::stream;
use enclosures::work;
use evidence::claim::Evaluation;
use evidence::judge::{Judgement, judge};
use rand_core::Rng;

use super::meeting::moved;
use crate::formulas::domain::Domain;
use crate::formulas::term::Kind;
use crate::instances::assignment::{Assignment, Raw};
use crate::instances::compare::{is_clear, is_met, judged, room_and_steps, steps};
use crate::instances::draw::{Dice, STYLES, draw, edges};
use crate::instances::projected::projected;
use crate::instances::statement::Statement;

/// How many assignments are drawn.
const DRAWN: usize = 3_000;
/// How many of them are climbed from.
const CLIMBED: usize = 6;
/// How many steps each climb may take.
const STEPS: usize = 700;
/// Where every assignment has to be moved to where equations are met, one in so many is drawn, and as many steps are taken.
const MOVED: usize = 3;
/// How many assignments are kept.
const KEPT: usize = 8;
/// Less room than this is none.
const EQUAL: f64 = 1e-12;
/// What one step of an evaluation costs: the first few are in the cost of every assignment.
const STEP: usize = 5;
/// What an operation on intervals costs.
const OPERATION: usize = 20;
/// What the whole look may cost, so that a costly statement is looked at less often.
const WORK: usize = 40_000_000;

/// The assignments with the least room, none of them judged.
pub(crate) fn closest(statement: &Statement, seed: u64) -> Vec<(String, Assignment)> {
    let mut stream = stream::stream(seed, &["screen", &statement.texts.statement]);
    let mut bits = || stream.next_u64();
    let mut dice = Dice::new(&mut bits);
    let mut look = Look { statement, left: WORK };
    let mut ranked: Vec<(f64, Assignment)> = Vec::new();
    for (_, edge) in edges(&statement.declarations) {
        ranked.extend(look.at(&edge).map(|room| (room, edge)));
    }
    let part = if statement.declarations.equations.is_empty() { 1 } else { MOVED };
    for number in 0..DRAWN / part {
        let style = STYLES[number % STYLES.len()];
        let Some(drawn) = draw(&statement.declarations, style, &mut dice) else {
            continue;
        };
        ranked.extend(look.at(&drawn).map(|room| (room, drawn)));
    }
    if ranked.is_empty() && !statement.conditions.is_empty() {
        // Where no draw meets the conditions, those that were moved to them are climbed from.
        for moved in moved(statement, seed) {
            ranked.extend(look.at(&moved).map(|room| (room, moved)));
        }
    }
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    ranked.dedup_by(|a, b| a.1.values == b.1.values);
    // The closest, and the closest that are told apart from equality: where the sides agree exactly there is often nowhere to go.
    let mut starts: Vec<(f64, Assignment)> = ranked.iter().take(1).cloned().collect();
    for (room, assignment) in ranked.iter().filter(|(room, _)| !is_equal(*room)) {
        if starts.len() < CLIMBED && look.is_clear(assignment) {
            starts.push((*room, assignment.clone()));
        }
    }
    let wasted = starts.iter().filter(|(room, _)| is_equal(*room)).count();
    let spared = wasted * (STEPS - STEPS / 4) / (starts.len() - wasted).max(1);
    let mut found: Vec<(f64, Assignment)> = ranked;
    let others = found.split_off(found.len().min(KEPT));
    found.extend(others.into_iter().filter(|(room, _)| !is_equal(*room)).take(KEPT));
    for start in starts {
        let steps = if is_equal(start.0) { STEPS / 4 } else { STEPS + spared };
        let mut best = start;
        for _ in 0..steps / part {
            let moved = projected(step(&best.1, &mut dice));
            if let Some(room) = look.below(best.0, &moved)
                && (is_equal(best.0) || look.is_clear(&moved))
            {
                best = (room, moved);
            }
        }
        found.push(best);
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.dedup_by(|a, b| a.1.values == b.1.values);
    // A rounding error looks like a violation, and leads where nothing can be told apart: such points are no instances to judge by.
    let decided = |assignment: &Assignment| match judged(&statement.chain, assignment) {
        Evaluation::Compared(comparison) => judge(&comparison) != Judgement::Undecided,
        _ => false,
    };
    // Where there is equality there is often a lot of it, and it is not to hide what else came close.
    let (equal, unequal): (Vec<_>, Vec<_>) = found.into_iter().partition(|(room, _)| is_equal(*room));
    let first = |list: Vec<(f64, Assignment)>, most: usize| -> Vec<Assignment> {
        let decided = list.into_iter().map(|(_, a)| a).filter(|a| decided(a));
        decided.take(most).collect()
    };
    let mut kept = first(unequal, KEPT);
    let equal = first(equal, KEPT / 2);
    kept.truncate(KEPT - equal.len());
    kept.extend(equal);
    let named = kept.into_iter().enumerate();
    named.map(|(number, a)| (format!("#{}", number + 1), a)).collect()
}

/// The steps that an evaluation takes on ordinary instances, on average; those that make the instances included.
pub(crate) fn cost(statement: &Statement) -> usize {
    const SAMPLES: usize = 16;
    let mut stream = stream::stream(0, &["cost", &statement.texts.statement]);
    let mut bits = || stream.next_u64();
    let mut dice = Dice::new(&mut bits);
    let drawn = (0..SAMPLES).filter_map(|n| draw(&statement.declarations, STYLES[n % STYLES.len()], &mut dice));
    let costs: Vec<usize> = drawn.map(|a| steps(&statement.chain, &a)).collect();
    costs.iter().sum::<usize>() / costs.len().max(1)
}

/// Whether the sides seem to agree exactly.
fn is_equal(room: f64) -> bool {
    room.abs() <= EQUAL
}

struct Look<'s> {
    statement: &'s Statement,
    left: usize,
}

impl Look<'_> {
    fn at(&mut self, assignment: &Assignment) -> Option<f64> {
        self.below(f64::INFINITY, assignment)
    }

    /// Whether doubles tell by how much the statement holds or fails, as long as there is work left for such questions.
    fn is_clear(&mut self, assignment: &Assignment) -> bool {
        let (clear, work) = work::counted(|| self.left > 0 && is_clear(&self.statement.chain, assignment));
        self.left = self.left.saturating_sub(OPERATION * work as usize);
        clear
    }

    /// The room of an assignment that meets the conditions, if it is less than this.
    fn below(&mut self, most: f64, assignment: &Assignment) -> Option<f64> {
        use evidence::instance::Instance;
        let variables = assignment.declarations.variables.iter().zip(&assignment.values);
        let costs = variables.map(|(variable, raw)| match (raw, variable.domain.kind()) {
            (Raw::List(list), Kind::Matrix) => list.len() * list.len(),
            (Raw::List(list), _) => list.len(),
            _ => 1,
        });
        let cost: usize = costs.sum();
        self.left = self.left.checked_sub(1_000 + 20 * cost)?;
        assignment.validate().ok()?;
        let (room, steps) = room_and_steps(&self.statement.chain, &assignment.plain().ok()?);
        self.left = self.left.saturating_sub(STEP * steps.saturating_sub(200));
        let room = room.filter(|room| *room < most)?;
        self.statement.conditions.iter().all(|c| is_met(c, assignment)).then_some(room)
    }
}

/// One random move of one number, of all numbers of one variable, of two variables together, or of a whole number.
fn step(from: &Assignment, dice: &mut Dice<'_>) -> Assignment {
    let mut moved = from.clone();
    if moved.values.is_empty() {
        return moved;
    }
    let place = dice.below(moved.values.len());
    let size = cr::exp10(0.5 - 8.0 * dice.unit());
    let likes = likes(from, place);
    if !likes.is_empty() && dice.unit() < 0.4 {
        together(&mut moved, place, likes[dice.below(likes.len())], size, dice);
        return moved;
    }
    let kind = dice.below(8);
    let nudge = |x: f64, dice: &mut Dice<'_>| match kind {
        0..=2 => x * cr::exp(size * dice.bell()),
        3 | 4 => x + size * dice.bell(),
        5 => x + size * dice.bell() * x.abs().max(1e-3),
        6 => x.round(),
        _ => -x,
    };
    if let Raw::Whole(n) = moved.values[place] {
        let to = match dice.below(4) {
            0 => n.saturating_add(1),
            1 => n.saturating_sub(1),
            2 => n.saturating_mul(2),
            _ => n / 2,
        };
        return from.resized(place, to, false).unwrap_or(moved);
    }
    let inside = |x: f64| inside(&from.declarations.variables[place].domain, x);
    match &mut moved.values[place] {
        Raw::Real(x) => *x = inside(nudge(*x, dice)),
        Raw::List(list) if dice.unit() < 0.2 => {
            let (from, to) = (dice.below(list.len()), dice.below(list.len()));
            list[to] = list[from];
        }
        Raw::List(list) if dice.unit() < 0.6 => {
            let at = dice.below(list.len());
            list[at] = inside(nudge(list[at], dice));
        }
        Raw::List(list) => list.iter_mut().for_each(|x| *x = inside(nudge(*x, dice))),
        Raw::Whole(_) => {}
    }
    moved
}

/// The nearest number that a variable may have in one place.
fn inside(domain: &Domain, x: f64) -> f64 {
    match domain {
        Domain::Real(range) | Domain::Vector { range, .. } | Domain::Matrix { range, .. } => range.nearest(x),
        Domain::Simplex(_) | Domain::Stochastic { .. } => x.abs(),
        _ => x,
    }
}

/// The other variables that have as many real numbers as this one.
fn likes(assignment: &Assignment, place: usize) -> Vec<usize> {
    let own = assignment.values[place].count();
    let like = |other: &usize| *other != place && own > 0 && assignment.values[*other].count() == own;
    (0..assignment.values.len()).filter(like).collect()
}

fn entries(raw: &mut Raw) -> &mut [f64] {
    match raw {
        Raw::Whole(_) => &mut [],
        Raw::Real(x) => std::slice::from_mut(x),
        Raw::List(list) => list,
    }
}

/// Moves a variable towards another one or away from it, one place of both by the same amount, or to differences of one size: what is said
/// of differences is often tightest where they are small or equal.
fn together(moved: &mut Assignment, place: usize, other: usize, size: f64, dice: &mut Dice<'_>) {
    let declarations = Arc::clone(&moved.declarations);
    let domain = |place: usize| &declarations.variables[place].domain;
    let mut towards = moved.values[other].clone();
    let towards = entries(&mut towards);
    let own = entries(&mut moved.values[place]);
    match dice.below(4) {
        0 => {
            let factor = cr::exp10(1.0 - 4.0 * dice.unit());
            for (x, y) in own.iter_mut().zip(towards) {
                *x = inside(domain(place), *y + factor * (*x - *y));
            }
        }
        1 => {
            let at = dice.below(own.len());
            let by = size * dice.bell();
            own[at] = inside(domain(place), own[at] + by);
            let others = entries(&mut moved.values[other]);
            others[at] = inside(domain(other), others[at] + by);
        }
        2 => {
            let total: f64 = own.iter().zip(towards.iter()).map(|(x, y)| (x - y).abs()).sum();
            let mean = total / own.len() as f64;
            for (x, y) in own.iter_mut().zip(towards) {
                *x = inside(domain(place), if *x < *y { *y - mean } else { *y + mean });
            }
        }
        _ => {
            let at = dice.below(own.len());
            let to = if dice.unit() < 0.5 { towards[at] } else { 2.0 * towards[at] - own[at] };
            own[at] = inside(domain(place), to);
        }
    }
}
