//! A simple adversarial search: local moves on the coordinates of the instances that came closest to breaking a check.
//!
//! It may be as wild as it likes; only the judge decides.

use rand::RngExt;
use serde_json::Value;

use super::Context;
use super::coordinates::{coordinates, vectors, with_coordinates};
use super::evaluate::{evaluate, violation};
use crate::claim::{FamilyKind, Setting};
use crate::instance::Instance;
use crate::stream::Stream;
use crate::verdict::{Outcome, Record};

/// How many of the closest instances start a climb.
const STARTS: usize = 4;

/// The objective: the larger, the closer to violation.
fn closeness(outcome: &Outcome) -> Option<f64> {
    match outcome {
        Outcome::Judged { comparison, .. } if comparison.margin.grade().is_certain() => {
            Some(-comparison.relative_margin())
        }
        _ => None,
    }
}

/// Climbs from the closest of `starts` and returns a record of every evaluation, with the violating instance if one was
/// found; the search for this check ends there.
pub(crate) fn search<I: Instance, Q>(
    setting: &Setting<I, Q>,
    check: usize,
    starts: &[(&I, &Outcome)],
    context: &Context<'_>,
) -> (Vec<Record>, Option<I>) {
    let mut ranked: Vec<(f64, &I)> = starts.iter().filter_map(|(i, o)| Some((closeness(o)?, *i))).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.truncate(STARTS);
    let mut records = Vec::new();
    let per_start = context.budget.search_evaluations() / STARTS;
    let check_id = setting.checks[check].id;
    for (number, (mut best, start)) in ranked.into_iter().enumerate() {
        let Ok(mut value) = serde_json::to_value(start) else {
            continue;
        };
        let dimensions = coordinates(&value).len();
        if dimensions == 0 {
            continue;
        }
        let key = number.to_string();
        let mut trial = context.trial(&["search", check_id, &key]);
        for evaluation in 0..per_start {
            let Some(moved) = propose(&value, trial.rng()) else {
                continue;
            };
            let Ok(instance) = serde_json::from_value::<I>(moved.clone()) else {
                continue;
            };
            let outcome = evaluate(setting, &[check], &instance, &mut trial).swap_remove(0);
            let violated = violation(&outcome).is_some();
            let close = closeness(&outcome);
            let name = format!("search {number}.{evaluation}");
            records.push(Record {
                family: FamilyKind::Search,
                instance: name,
                outcome,
            });
            if violated {
                return (records, Some(instance));
            }
            if let Some(closer) = close.filter(|c| *c > best) {
                best = closer;
                value = moved;
            }
        }
    }
    (records, None)
}

/// One random move: a number or a whole vector is scaled, shifted, copied, flipped, rounded or set to zero.
fn propose(value: &Value, rng: &mut Stream) -> Option<Value> {
    let mut numbers = coordinates(value);
    let groups = vectors(value);
    let one = rng.random_range(0..numbers.len());
    let group = match groups.len() {
        0 => one..one + 1,
        n => groups[rng.random_range(0..n)].clone(),
    };
    // Long and short steps alike: the size is log-uniform over three decades.
    let step = core_math::exp10(0.5 - 3.0 * rng.random::<f64>());
    let spread = |rng: &mut Stream| 2.0 * rng.random::<f64>() - 1.0;
    match rng.random_range(0..9u32) {
        0 | 1 => numbers[one] *= core_math::exp(step * spread(rng)),
        2 => numbers[one] += step * spread(rng),
        3 => {
            let factor = core_math::exp(2.0 * step * spread(rng));
            numbers[group].iter_mut().for_each(|x| *x *= factor);
        }
        4 => {
            for x in &mut numbers[group] {
                *x += step * spread(rng) * x.abs().max(0.1);
            }
        }
        5 => numbers[one] = -numbers[one],
        6 => {
            numbers[one] = if rng.random::<bool>() {
                0.0
            } else {
                numbers[one].round()
            }
        }
        7 => {
            let from = rng.random_range(0..numbers.len());
            numbers[one] = numbers[from];
        }
        _ => {
            let source = groups.get(rng.random_range(0..groups.len().max(1)))?.clone();
            if source.len() == group.len() {
                let copied: Vec<f64> = numbers[source].to_vec();
                numbers[group].copy_from_slice(&copied);
            }
        }
    }
    with_coordinates(value, &numbers)
}
