//! A quick look in plain floating point before anything is enclosed: thousands of assignments, and a climb from the closest.
//!
//! What it brings back are instances like any others. The judge decides on enclosures; nothing here is evidence.

use std::sync::Arc;

use core_math as cr;
use enclosures::stream;
use evidence::claim::Evaluation;
use evidence::judge::{Judgement, judge};
use rand_core::Rng;

use crate::assignment::{Assignment, Raw};
use crate::compare::{is_met, judged, room_and_steps};
use crate::domain::Domain;
use crate::draw::{Dice, STYLES, draw, edges};
use crate::projected::projected;
use crate::statement::Statement;

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
/// What one step of an evaluation costs: the first few are in the cost of every assignment.
const STEP: usize = 5;
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
    let part = if statement.declarations.equations.is_empty() {
        1
    } else {
        MOVED
    };
    for number in 0..DRAWN / part {
        let style = STYLES[number % STYLES.len()];
        let Some(drawn) = draw(&statement.declarations, style, &mut dice) else {
            continue;
        };
        ranked.extend(look.at(&drawn).map(|room| (room, drawn)));
    }
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    ranked.dedup_by(|a, b| a.1.values == b.1.values);
    // The closest, and the closest with less than perfect equality: where the sides agree exactly there is often nowhere to go.
    let unequal = ranked.iter().filter(|(room, _)| room.abs() > 1e-12).take(CLIMBED / 2);
    let starts: Vec<(f64, Assignment)> = ranked.iter().take(CLIMBED / 2).chain(unequal).cloned().collect();
    let mut found: Vec<(f64, Assignment)> = ranked.into_iter().take(KEPT).collect();
    for start in starts {
        let mut best = start;
        for _ in 0..STEPS / part {
            let moved = projected(step(&best.1, &mut dice));
            if let Some(room) = look.below(best.0, &moved) {
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
    let kept = found.into_iter().filter(|(_, a)| decided(a)).take(KEPT);
    kept.enumerate()
        .map(|(number, (_, a))| (format!("#{}", number + 1), a))
        .collect()
}

struct Look<'s> {
    statement: &'s Statement,
    left: usize,
}

impl Look<'_> {
    fn at(&mut self, assignment: &Assignment) -> Option<f64> {
        self.below(f64::INFINITY, assignment)
    }

    /// The room of an assignment that meets the conditions, if it is less than this.
    fn below(&mut self, most: f64, assignment: &Assignment) -> Option<f64> {
        use evidence::instance::Instance;
        let cost: usize = assignment
            .values
            .iter()
            .map(|raw| if let Raw::List(l) = raw { l.len() * l.len() } else { 1 })
            .sum();
        self.left = self.left.checked_sub(1_000 + 20 * cost)?;
        assignment.validate().ok()?;
        let (room, steps) = room_and_steps(&self.statement.chain, &assignment.plain().ok()?);
        self.left = self.left.saturating_sub(STEP * steps.saturating_sub(200));
        let room = room.filter(|room| *room < most)?;
        self.statement
            .conditions
            .iter()
            .all(|c| is_met(c, assignment))
            .then_some(room)
    }
}

/// One random move of one number, of all numbers of one variable, or of a whole number.
fn step(from: &Assignment, dice: &mut Dice<'_>) -> Assignment {
    let mut moved = from.clone();
    if moved.values.is_empty() {
        return moved;
    }
    let place = dice.below(moved.values.len());
    let size = cr::exp10(0.5 - 8.0 * dice.unit());
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
    let domain = Arc::clone(&from.declarations);
    let inside = |x: f64| match &domain.variables[place].domain {
        Domain::Real(range) | Domain::Vector { range, .. } | Domain::Matrix { range, .. } => range.nearest(x),
        Domain::Simplex(_) => x.abs(),
        _ => x,
    };
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
