//! Quasi-Newton steps (limited memory, Nocedal 1980) on gradients by central differences: what smooth functions of many numbers need.

use std::collections::VecDeque;

use super::encoding::Encoding;
use super::problem::{Problem, Stop};

/// Pairs of steps and changes of the gradient that are remembered.
const MEMORY: usize = 12;

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn moved(at: &[f64], direction: &[f64], step: f64) -> Vec<f64> {
    at.iter().zip(direction).map(|(x, d)| x + step * d).collect()
}

/// Minimises from `start`; `width` is the half width of the differences. Points outside the hypotheses stand for those where the way to
/// them from the start leaves the hypotheses.
pub(super) fn descend(
    problem: &mut Problem<'_, '_>,
    encoding: &Encoding,
    start: &[f64],
    width: f64,
) -> Result<(), Stop> {
    let mut at = encoding.encode(start);
    let anchor = at.clone();
    let mut value = encoding.value(problem, &at)?;
    let mut width = width;
    let mut gradient = differences(problem, encoding, &anchor, (&at, value), width)?;
    let mut memory: VecDeque<(Vec<f64>, Vec<f64>)> = VecDeque::new();
    let mut length = 0.5;
    loop {
        let size = dot(&gradient, &gradient).sqrt();
        if size == 0.0 || !size.is_finite() {
            return Ok(());
        }
        let mut direction = newton(&gradient, &memory);
        if dot(&direction, &gradient) >= 0.0 {
            memory.clear();
            direction = gradient.iter().map(|g| -g).collect();
        }
        if memory.is_empty() {
            direction.iter_mut().for_each(|d| *d *= length / size);
        }
        let Some((next, lower)) = line(problem, encoding, &anchor, (&at, value), &direction)? else {
            if memory.is_empty() {
                // Even straight down nothing is gained: finer differences, or the end.
                if width < 1e-8 {
                    return Ok(());
                }
                width *= 0.03;
                length *= 0.1;
            }
            memory.clear();
            gradient = differences(problem, encoding, &anchor, (&at, value), width)?;
            continue;
        };
        let after = differences(problem, encoding, &anchor, (&next, lower), width)?;
        let step: Vec<f64> = next.iter().zip(&at).map(|(a, b)| a - b).collect();
        let change: Vec<f64> = after.iter().zip(&gradient).map(|(a, b)| a - b).collect();
        let curvature = dot(&step, &change);
        if curvature > 1e-14 * dot(&step, &step).sqrt() * dot(&change, &change).sqrt() {
            memory.push_back((step.clone(), change));
            if memory.len() > MEMORY {
                memory.pop_front();
            }
        }
        length = dot(&step, &step).sqrt();
        if length == 0.0 {
            return Ok(());
        }
        // Close to the minimum the differences have to be finer than the step that is left.
        width = width.min(0.1 * length.max(1e-7));
        (at, value, gradient) = (next, lower, after);
    }
}

/// The gradient; where one neighbour has no value, from the other one alone.
fn differences(
    problem: &mut Problem<'_, '_>,
    encoding: &Encoding,
    anchor: &[f64],
    (at, value): (&[f64], f64),
    width: f64,
) -> Result<Vec<f64>, Stop> {
    let mut gradient = Vec::with_capacity(at.len());
    let mut there = at.to_vec();
    for index in 0..at.len() {
        let h = width.max(encoding.least_step(problem.space, index));
        there[index] = at[index] + h;
        let (ahead, _) = encoding.value_within(problem, anchor, &there)?;
        there[index] = at[index] - h;
        let (behind, _) = encoding.value_within(problem, anchor, &there)?;
        there[index] = at[index];
        gradient.push(match (ahead.is_finite(), behind.is_finite()) {
            (true, true) => (ahead - behind) / (2.0 * h),
            (true, false) => (ahead - value) / h,
            (false, true) => (value - behind) / h,
            (false, false) => 0.0,
        });
    }
    Ok(gradient)
}

/// Minus the inverse Hessian, as far as it is remembered, times the gradient.
fn newton(gradient: &[f64], memory: &VecDeque<(Vec<f64>, Vec<f64>)>) -> Vec<f64> {
    let mut q = gradient.to_vec();
    let mut alphas = Vec::with_capacity(memory.len());
    for (step, change) in memory.iter().rev() {
        let alpha = dot(step, &q) / dot(step, change);
        q = moved(&q, change, -alpha);
        alphas.push(alpha);
    }
    if let Some((step, change)) = memory.back() {
        let scale = dot(step, change) / dot(change, change);
        q.iter_mut().for_each(|x| *x *= scale);
    }
    for ((step, change), alpha) in memory.iter().zip(alphas.into_iter().rev()) {
        let beta = dot(change, &q) / dot(step, change);
        q = moved(&q, step, alpha - beta);
    }
    q.iter_mut().for_each(|x| *x = -*x);
    q
}

type Reached = Option<(Vec<f64>, f64)>;

/// A lower point along the direction: longer steps while they help, else shorter ones.
fn line(
    problem: &mut Problem<'_, '_>,
    encoding: &Encoding,
    anchor: &[f64],
    (at, value): (&[f64], f64),
    direction: &[f64],
) -> Result<Reached, Stop> {
    let mut step = 1.0;
    let (mut lower, mut point) = encoding.value_within(problem, anchor, &moved(at, direction, step))?;
    if lower < value {
        for _ in 0..40 {
            step *= 2.0;
            let (further, beyond) = encoding.value_within(problem, anchor, &moved(at, direction, step))?;
            if further >= lower {
                break;
            }
            (lower, point) = (further, beyond);
        }
        return Ok(Some((point, lower)));
    }
    for _ in 0..12 {
        step *= 0.3;
        (lower, point) = encoding.value_within(problem, anchor, &moved(at, direction, step))?;
        if lower < value {
            return Ok(Some((point, lower)));
        }
    }
    Ok(None)
}
