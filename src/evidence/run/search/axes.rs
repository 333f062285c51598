//! One number at a time: steps that grow while they help and shrink where they do not, a parabola where both neighbours are worse, and
//! after each round a step along all that it changed. And a look along each axis for a lower valley.

use rand::RngExt;

use super::encoding::Encoding;
use super::problem::{SearchProblem, Stop};
use enclosures::stream::Stream;

/// How often a step may double.
const DOUBLINGS: usize = 60;

/// Steps smaller than this, in units of the encoding, change nothing that matters.
const LEAST_STEP: f64 = 1e-15;

/// Minimises from `start` until no step along an axis helps.
pub(super) fn descend(
    problem: &mut SearchProblem<'_, '_>,
    encoding: &Encoding,
    start: &[f64],
    step: f64,
) -> Result<(), Stop> {
    let mut at = encoding.encode(start);
    let mut value = encoding.value(problem, &at)?;
    let mut steps = vec![step; at.len()];
    loop {
        let (before, value_before) = (at.clone(), value);
        for (index, step) in steps.iter_mut().enumerate() {
            along(problem, encoding, index, &mut at, &mut value, step)?;
        }
        if at != before {
            let direction: Vec<f64> = at.iter().zip(&before).map(|(a, b)| a - b).collect();
            let mut factor = 1.0;
            for _ in 0..DOUBLINGS {
                let further: Vec<f64> = at.iter().zip(&direction).map(|(a, d)| a + factor * d).collect();
                let seen = encoding.value(problem, &further)?;
                if seen >= value {
                    break;
                }
                (at, value) = (further, seen);
                factor *= 2.0;
            }
        }
        let exhausted = steps.iter().zip(&at).all(|(s, x)| s.abs() <= LEAST_STEP * x.abs().max(1.0));
        if exhausted || (value == value_before && steps.iter().all(|s| s.abs() < 1e-12)) {
            return Ok(());
        }
    }
}

/// One number moved for as long as it helps.
fn along(
    problem: &mut SearchProblem<'_, '_>,
    encoding: &Encoding,
    index: usize,
    at: &mut [f64],
    value: &mut f64,
    step: &mut f64,
) -> Result<(), Stop> {
    let least = encoding.least_step(problem.space, index);
    if least > 0.0 && step.abs() < least {
        *step = least.copysign(*step);
    }
    let origin = at[index];
    let mut seen = [f64::INFINITY; 2];
    for seen in &mut seen {
        at[index] = origin + *step;
        *seen = encoding.value(problem, at)?;
        if *seen < *value {
            *value = *seen;
            for _ in 0..DOUBLINGS {
                let here = at[index];
                *step *= 2.0;
                at[index] = here + *step;
                let further = encoding.value(problem, at)?;
                if further >= *value {
                    at[index] = here;
                    *step *= 0.5;
                    break;
                }
                *value = further;
            }
            return Ok(());
        }
        *step = -*step;
    }
    at[index] = origin;
    let (ahead, behind) = (seen[0], seen[1]);
    let bend = behind - 2.0 * *value + ahead;
    let vertex = 0.5 * *step * (behind - ahead) / bend;
    if bend > 0.0 && bend.is_finite() && vertex != 0.0 && vertex.is_finite() {
        at[index] = origin + vertex;
        let there = encoding.value(problem, at)?;
        if there < *value {
            *value = there;
            *step = (2.0 * vertex).abs().max(0.01 * step.abs()).copysign(vertex);
            return Ok(());
        }
        at[index] = origin;
    }
    *step *= 0.25;
    Ok(())
}

/// Of the places that are lower than both their neighbours, so many are refined.
const REFINED: usize = 5;

/// Looks along every axis in turn, in so many places over the whole reach of the starts, and goes to the lowest valley.
pub(super) fn scan(
    problem: &mut SearchProblem<'_, '_>,
    encoding: &Encoding,
    start: &[f64],
    places: usize,
    rng: &mut Stream,
) -> Result<(), Stop> {
    let mut at = encoding.encode(start);
    let mut value = encoding.value(problem, &at)?;
    loop {
        let before = value;
        let movable = problem.space.movable.clone();
        // From another axis each time: the share may not reach round.
        let first = rng.random_range(0..movable.len());
        for turn in 0..movable.len() {
            let axis = (first + turn) % movable.len();
            let index = movable[axis];
            let (low, high) = problem.space.reach[index];
            let mut seen: Vec<(f64, f64)> = Vec::with_capacity(places);
            for place in 0..places {
                let mut there = encoding.decode(&at);
                there[index] = low + (high - low) * (place as f64 + rng.random::<f64>()) / places as f64;
                let u = encoding.encode(&there);
                seen.push((encoding.value(problem, &u)?, u[axis]));
            }
            let lower = |k: usize, than: usize| seen.get(than).is_none_or(|(v, _)| seen[k].0 <= *v);
            let mut valleys: Vec<(f64, f64)> =
                (0..seen.len()).filter(|&k| lower(k, k + 1) && lower(k, k.wrapping_sub(1))).map(|k| seen[k]).collect();
            valleys.sort_by(|a, b| a.0.total_cmp(&b.0));
            let width = seen.get(1).map_or(1.0, |next| (next.1 - seen[0].1).abs());
            let (mut lowest, mut there) = (value, at.clone());
            for (valley, place) in valleys.into_iter().take(REFINED) {
                let mut u = at.clone();
                u[axis] = place;
                let (mut seen, mut step) = (valley, 0.3 * width);
                along(problem, encoding, axis, &mut u, &mut seen, &mut step)?;
                if seen < lowest {
                    (lowest, there) = (seen, u);
                }
            }
            let mut step = 0.03 * width;
            for _ in 0..2 {
                along(problem, encoding, axis, &mut there, &mut lowest, &mut step)?;
            }
            if lowest < value {
                (value, at) = (lowest, there);
            }
        }
        if value >= before {
            return Ok(());
        }
    }
}
