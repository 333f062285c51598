//! Quasi-Newton steps (limited memory, Nocedal 1980): what smooth functions of many numbers need. The gradients come from the operations
//! of the check where those tell them, else from central differences.

use std::collections::VecDeque;

use super::encoding::Encoding;
use super::problem::{SearchProblem, Stop};

/// Pairs of steps and changes of the gradient that are remembered.
const MEMORY: usize = 20;

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn moved(at: &[f64], direction: &[f64], step: f64) -> Vec<f64> {
    at.iter().zip(direction).map(|(x, d)| x + step * d).collect()
}

/// Minimises from `start`; `width` is the half width of the differences. Points outside the hypotheses stand for those where the way to
/// them from the start leaves the hypotheses.
pub(super) fn descend(
    problem: &mut SearchProblem<'_, '_>,
    encoding: &Encoding,
    start: &[f64],
    width: f64,
) -> Result<(), Stop> {
    let mut at = encoding.encode(start);
    let anchor = at.clone();
    let mut value = encoding.value(problem, &at)?;
    let mut width = width;
    let mut source = GradientSource::of(problem, encoding, &at, width)?;
    let mut gradient = source.gradient(problem, encoding, &anchor, (&at, value), width)?;
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
        let slope = dot(&direction, &gradient);
        let Some((next, lower)) = line(problem, encoding, &anchor, (&at, value), (&direction, slope))? else {
            if source.is_recorded() {
                // A kink, perhaps: differences see both sides of it.
                source = GradientSource::Differences;
            } else if memory.is_empty() {
                // Even straight down nothing is gained: finer differences, or the end.
                if width < 1e-8 {
                    return Ok(());
                }
                width *= 0.03;
                length *= 0.1;
            }
            memory.clear();
            gradient = source.gradient(problem, encoding, &anchor, (&at, value), width)?;
            continue;
        };
        let after = source.gradient(problem, encoding, &anchor, (&next, lower), width)?;
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

/// Where gradients come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GradientSource {
    /// The recorded operations of the check.
    Recorded,
    Differences,
}

/// Of fewer numbers the differences cost as little.
const FEW: usize = 4;

/// Beyond this width differences are meant to see past ripples, which a gradient does not.
const NARROW: f64 = 1e-2;

/// How well a recorded gradient has to agree with a difference along it.
const AGREES: f64 = 1e-2;

impl GradientSource {
    /// Recorded operations if they tell a gradient that differences confirm: a check may round its numbers, or compute on them before it
    /// encloses them.
    fn of(problem: &mut SearchProblem<'_, '_>, encoding: &Encoding, at: &[f64], width: f64) -> Result<Self, Stop> {
        if at.len() < FEW || width > NARROW || encoding.is_radial() {
            return Ok(GradientSource::Differences);
        }
        let Some(gradient) = recorded(problem, encoding, at)? else {
            return Ok(GradientSource::Differences);
        };
        let size = dot(&gradient, &gradient).sqrt();
        let step = width / size;
        let ahead = encoding.value(problem, &moved(at, &gradient, step))?;
        let behind = encoding.value(problem, &moved(at, &gradient, -step))?;
        let difference = (ahead - behind) / (2.0 * step);
        if (difference - size * size).abs() <= AGREES * size * size {
            Ok(GradientSource::Recorded)
        } else {
            Ok(GradientSource::Differences)
        }
    }

    fn is_recorded(self) -> bool {
        self == GradientSource::Recorded
    }

    fn gradient(
        self,
        problem: &mut SearchProblem<'_, '_>,
        encoding: &Encoding,
        anchor: &[f64],
        (at, value): (&[f64], f64),
        width: f64,
    ) -> Result<Vec<f64>, Stop> {
        if self.is_recorded()
            && let Some(gradient) = recorded(problem, encoding, at)?
        {
            return Ok(gradient);
        }
        differences(problem, encoding, anchor, (at, value), width)
    }
}

/// The gradient by the recorded operations of the check, if they tell it.
fn recorded(problem: &mut SearchProblem<'_, '_>, encoding: &Encoding, at: &[f64]) -> Result<Option<Vec<f64>>, Stop> {
    let point = encoding.decode(at);
    let slopes = problem.slopes(&point)?;
    Ok(slopes.map(|slopes| encoding.chained(&point, &slopes)))
}

/// The gradient; where one neighbour has no value, from the other one alone.
fn differences(
    problem: &mut SearchProblem<'_, '_>,
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

/// How far from one the lowest point of a parabola has to be for another look.
const ASIDE: f64 = 0.1;

/// The steps that a parabola is trusted with.
const TRUSTED: std::ops::Range<f64> = 0.02..10.0;

/// A lower point along the direction, in which the values have this slope: where a parabola is lowest, else longer steps while they help,
/// else shorter ones.
fn line(
    problem: &mut SearchProblem<'_, '_>,
    encoding: &Encoding,
    anchor: &[f64],
    (at, value): (&[f64], f64),
    (direction, slope): (&[f64], f64),
) -> Result<Reached, Stop> {
    let mut step = 1.0;
    let (mut lower, mut point) = encoding.value_within(problem, anchor, &moved(at, direction, step))?;
    let vertex = -0.5 * slope / (lower - value - slope);
    if TRUSTED.contains(&vertex) && (vertex - 1.0).abs() > ASIDE {
        let (there, reached) = encoding.value_within(problem, anchor, &moved(at, direction, vertex))?;
        if there < lower.min(value) {
            return Ok(Some((reached, there)));
        }
    }
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
