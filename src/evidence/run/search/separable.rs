//! Sums of functions of one number each: whatever their valleys, the lowest point is found one axis at a time.

use rand::RngExt;

use super::axes;
use super::encoding::Encoding;
use super::problem::{SearchProblem, Stop};
use enclosures::stream::Stream;

/// How often it is asked whether a function is such a sum.
const QUESTIONS: usize = 3;

/// What rounding may do to a sum of four values, as a fraction of their differences.
const ROUNDING: f64 = 1e-6;

/// Scans every axis from `start` in so many places, if the function is a sum; else does nothing after a few looks.
pub(super) fn scan(
    problem: &mut SearchProblem<'_, '_>,
    encoding: &Encoding,
    start: &[f64],
    places: usize,
    rng: &mut Stream,
) -> Result<(), Stop> {
    for _ in 0..QUESTIONS {
        if !adds_up(problem, encoding, start, rng)? {
            return Ok(());
        }
    }
    axes::scan(problem, encoding, start, places, rng)
}

/// Whether the values at two points add up to those at the two that exchange some of their numbers.
fn adds_up(
    problem: &mut SearchProblem<'_, '_>,
    encoding: &Encoding,
    start: &[f64],
    rng: &mut Stream,
) -> Result<bool, Stop> {
    let first = encoding.encode(start);
    let mut other = start.to_vec();
    for &index in &problem.space.movable {
        let (low, high) = problem.space.reach[index];
        other[index] = low + (high - low) * rng.random::<f64>();
    }
    let second = encoding.encode(&other);
    let (mut crossed, mut opposite) = (first.clone(), second.clone());
    let sure = rng.random_range(0..first.len());
    for index in 0..first.len() {
        if index == sure || (rng.random::<bool>() && index != (sure + 1) % first.len()) {
            crossed[index] = second[index];
            opposite[index] = first[index];
        }
    }
    let mut values = [0.0; 4];
    for (value, point) in values.iter_mut().zip([&first, &second, &crossed, &opposite]) {
        *value = encoding.value(problem, point)?;
    }
    let [a, b, c, d] = values;
    let differences = (a - c).abs().max((b - c).abs()).max((a - d).abs());
    Ok(differences.is_finite() && differences > 0.0 && (a + b - c - d).abs() <= ROUNDING * differences)
}
