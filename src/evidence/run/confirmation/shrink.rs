//! Shrinking: the smallest sizes first, then few digits, with at least half of the violation kept.

use serde_json::Value;

use super::confirm::{Violating, confirm_within};
use super::coordinates::{coordinates, digits_of, rounded, with_coordinates};
use crate::claim::{AnySetting, Subject};
use crate::run::context::Context;
use crate::run::trials::Judging;

/// Evaluations that shrinking one witness may spend.
const EVALUATIONS: usize = 4000;

/// A simpler instance that keeps at least half of the first one's relative violation. Greedy and deterministic.
pub(crate) fn shrink(judging: Judging<'_>, start: Violating, context: &Context<'_>) -> Violating {
    shrink_among(judging, start, &|_| true, context)
}

/// The same, among instances that keep a property.
pub(crate) fn shrink_among(
    judging: Judging<'_>,
    start: Violating,
    keeps: &dyn Fn(&Subject) -> bool,
    context: &Context<'_>,
) -> Violating {
    let floor = 0.5 * start.comparison.relative_violation();
    let samples = start.samples;
    let mut evaluations = EVALUATIONS / samples;
    let mut best = start;
    let mut accept = |candidate: &Subject| -> Option<Violating> {
        evaluations = evaluations.checked_sub(1)?;
        candidate.validate().ok()?;
        if !keeps(candidate) {
            return None;
        }
        confirm_within(judging, candidate, samples, context).filter(|v| v.comparison.relative_violation() >= floor)
    };
    // Structure, until no smaller instance keeps the violation.
    'structure: loop {
        for candidate in best.instance.simpler() {
            if let Some(smaller) = accept(&candidate) {
                best = smaller;
                continue 'structure;
            }
        }
        break;
    }
    // All numbers at once to few digits, then one value at a time to the plainest that will do.
    for digits in 1..=6 {
        let plain: Vec<f64> = coordinates(&best.json).into_iter().map(|x| rounded(x, digits)).collect();
        if let Some(simpler) = read(judging.setting, &best.json, &plain).and_then(|i| accept(&i)) {
            best = simpler;
            break;
        }
    }
    // One plainer number may open the way for another, so this is repeated until nothing changes.
    loop {
        let before = coordinates(&best.json);
        for change in changes(&before) {
            // A change is proposed for the numbers as they were; once they differ, the next round proposes anew.
            let numbers = coordinates(&best.json);
            let Some(changed) = change.applied_to(&numbers) else {
                continue;
            };
            if let Some(simpler) = read(judging.setting, &best.json, &changed).and_then(|i| accept(&i)) {
                best = simpler;
            }
        }
        if coordinates(&best.json) == before {
            break;
        }
    }
    // Plainer numbers may have opened the way for a smaller structure.
    for candidate in best.instance.simpler() {
        if let Some(smaller) = accept(&candidate) {
            best = smaller;
            break;
        }
    }
    best
}

/// How many different numbers an instance may hold for every two of them to be made equal on trial.
const MANY: usize = 12;

/// A number and the one to put in its place: wherever it stands, or at one coordinate only.
struct Replacement {
    from: f64,
    to: f64,
    only: Option<usize>,
}

impl Replacement {
    /// The changed numbers; none if the number to change is no longer there.
    fn applied_to(&self, numbers: &[f64]) -> Option<Vec<f64>> {
        let mut changed = numbers.to_vec();
        match self.only {
            Some(index) => *changed.get_mut(index).filter(|x| **x == self.from)? = self.to,
            None => changed.iter_mut().filter(|x| **x == self.from).for_each(|x| *x = self.to),
        }
        (changed != numbers).then_some(changed)
    }
}

/// What might make these numbers easier to read, the boldest first: fewer different ones, a plainer one wherever it stands, and a
/// plainer one at one place.
fn changes(numbers: &[f64]) -> Vec<Replacement> {
    let mut different: Vec<f64> = Vec::new();
    for &x in numbers {
        if !different.contains(&x) {
            different.push(x);
        }
    }
    let mut changes = Vec::new();
    if different.len() <= MANY {
        for &to in &different {
            let others = different.iter().filter(|&&from| from != to && plainness(to) <= plainness(from));
            changes.extend(others.map(|&from| Replacement { from, to, only: None }));
        }
    }
    for &from in &different {
        let plainer = plainer(from).into_iter();
        changes.extend(plainer.map(|to| Replacement { from, to, only: None }));
    }
    for (index, &from) in numbers.iter().enumerate() {
        let only = Some(index);
        changes.extend(plainer(from).into_iter().map(|to| Replacement { from, to, only }));
    }
    changes
}

/// The smaller, the easier to read: few digits first, then whole numbers, then small ones. Every change lowers it for some number
/// or leaves fewer different ones, so that shrinking ends.
fn plainness(x: f64) -> (usize, bool, f64) {
    (digits_of(x), x.fract() != 0.0, x.abs())
}

/// Values that are easier to read than `x`, the plainest first.
fn plainer(x: f64) -> Vec<f64> {
    let mut values = vec![0.0, x.signum(), 2.0 * x.signum()];
    values.extend((1..=4).map(|digits| rounded(x, digits)));
    values.retain(|&v| v != x && plainness(v) < plainness(x));
    values
}

fn read(setting: &AnySetting, json: &Value, numbers: &[f64]) -> Option<Subject> {
    (setting.read)(&with_coordinates(json, numbers)?).ok()
}
