//! Shrinking: the smallest sizes first, then few digits, with at least half of the violation kept.

use serde_json::Value;

use super::Context;
use super::coordinates::{coordinates, digits_of, rounded, with_coordinates};
use super::evaluate::{Judging, violation, witness_trial};
use crate::claim::Comparison;
use crate::instance::Instance;

/// A violating instance in its stored form.
pub(crate) struct Violating<I> {
    pub(crate) instance: I,
    pub(crate) json: Value,
    pub(crate) comparison: Comparison,
}

/// Judges an instance from its stored digits; `Some` if it violates the check.
pub(crate) fn confirm<I: Instance, Q>(
    judging: Judging<'_, I, Q>,
    instance: &I,
    context: &Context<'_>,
) -> Option<Violating<I>> {
    // Through text, as a reader of the stored file would get it.
    let text = serde_json::to_string(instance).ok()?;
    let json: Value = serde_json::from_str(&text).ok()?;
    let instance: I = serde_json::from_str(&text).ok()?;
    let outcome = judging.outcome(&instance, &mut witness_trial(&json, context));
    let comparison = violation(&outcome)?.clone();
    Some(Violating {
        instance,
        json,
        comparison,
    })
}

/// A simpler instance that keeps at least half of the first one's relative violation. Greedy and deterministic.
pub(crate) fn shrink<I: Instance, Q>(
    judging: Judging<'_, I, Q>,
    start: Violating<I>,
    context: &Context<'_>,
) -> Violating<I> {
    let floor = 0.5 * start.comparison.relative_violation();
    let mut evaluations = context.budget.shrink_evaluations();
    let mut best = start;
    let mut accept = |candidate: &I| -> Option<Violating<I>> {
        evaluations = evaluations.checked_sub(1)?;
        candidate.validate().ok()?;
        confirm(judging, candidate, context).filter(|v| v.comparison.relative_violation() >= floor)
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
    // All numbers at once to few digits, then one number at a time to the plainest value that will do.
    for digits in 1..=6 {
        let plain: Vec<f64> = coordinates(&best.json)
            .into_iter()
            .map(|x| rounded(x, digits))
            .collect();
        if let Some(simpler) = read(&best.json, &plain).and_then(|i| accept(&i)) {
            best = simpler;
            break;
        }
    }
    // One plainer number may open the way for another, so this is repeated until nothing changes.
    loop {
        let before = coordinates(&best.json);
        for index in 0..before.len() {
            let current = coordinates(&best.json);
            let Some(&x) = current.get(index) else { break };
            for plain in plainer(x) {
                let mut changed = current.clone();
                changed[index] = plain;
                if let Some(simpler) = read(&best.json, &changed).and_then(|i| accept(&i)) {
                    best = simpler;
                    break;
                }
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

/// Values that are easier to read than `x`, the plainest first.
fn plainer(x: f64) -> Vec<f64> {
    let mut values = vec![0.0, x.signum(), 2.0 * x.signum()];
    values.extend((1..=4).map(|digits| rounded(x, digits)));
    let plain = |v: f64| (digits_of(v), u8::from(v.fract() != 0.0));
    let (digits, size) = (plain(x), x.abs());
    values.retain(|&v| v != x && (plain(v) < digits || (plain(v) == digits && v.abs() < size)));
    values
}

fn read<I: Instance>(json: &Value, numbers: &[f64]) -> Option<I> {
    serde_json::from_value(with_coordinates(json, numbers)?).ok()
}
