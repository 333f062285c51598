//! Moves that a person would try: zero, one, the ends, equal, opposite, all alike, a unit vector, a thousand orders of magnitude away.

use std::ops::Range;

use rand::RngExt;

use super::problem::{SearchProblem, Stop, double_at, order_of};
use super::space::to_frame;
use super::spectrum;
use enclosures::stream::Stream;

/// Where a method stands.
pub(super) struct Position {
    value: f64,
    pub(super) at: Vec<f64>,
}

impl Position {
    pub(super) fn at(problem: &mut SearchProblem<'_, '_>, start: &[f64]) -> Result<Self, Stop> {
        Ok(Position { value: problem.value(start)?, at: start.to_vec() })
    }

    /// Moves there if that is lower, and says so.
    pub(super) fn goes(&mut self, problem: &mut SearchProblem<'_, '_>, to: Vec<f64>) -> Result<bool, Stop> {
        if to == self.at || to.iter().any(|x| !x.is_finite()) {
            return Ok(false);
        }
        let value = problem.value(&to)?;
        let lower = value < self.value;
        if lower {
            *self = Position { value, at: to };
        }
        Ok(lower)
    }

    pub(super) fn with(&self, index: usize, x: f64) -> Vec<f64> {
        let mut moved = self.at.clone();
        moved[index] = x;
        moved
    }

    fn mapped(&self, group: Range<usize>, f: impl Fn(usize, f64) -> f64) -> Vec<f64> {
        let mut moved = self.at.clone();
        for (place, x) in moved[group].iter_mut().enumerate() {
            *x = f(place, *x);
        }
        moved
    }
}

/// Up to so many ordered pairs of numbers are all tried; of more, a few.
const PAIRS: usize = 132;
const FEW_PAIRS: usize = 40;

/// Every plain change of a group, of two groups, of one number, of two numbers; what is lower is kept.
pub(super) fn plain(problem: &mut SearchProblem<'_, '_>, start: &[f64], rng: &mut Stream) -> Result<(), Stop> {
    let mut standing = Position::at(problem, start)?;
    for group in problem.space.groups.clone() {
        of_group(problem, &mut standing, group)?;
    }
    for (start, size) in problem.space.squares.clone() {
        of_square(problem, &mut standing, start, size)?;
    }
    for (size, places) in problem.space.symmetric.clone() {
        of_symmetric(problem, &mut standing, size, &places)?;
    }
    let groups = problem.space.groups.clone();
    for (first, a) in groups.iter().enumerate() {
        let alike = groups[first + 1..].iter().filter(|b| b.len() == a.len() && a.end <= b.start);
        for b in alike.take(8) {
            for sign in [1.0, -1.0] {
                let copied = standing.mapped(b.clone(), |place, _| sign * start[a.start + place]);
                standing.goes(problem, copied)?;
            }
        }
    }
    let movable = problem.space.movable.clone();
    for &index in &movable {
        of_number(problem, &mut standing, index)?;
    }
    let count = movable.len();
    let all = count * count.saturating_sub(1);
    for pair in 0..if all <= PAIRS { all } else { FEW_PAIRS } {
        let (i, j) = if all <= PAIRS {
            let (i, j) = (pair / (count - 1), pair % (count - 1));
            (i, if j >= i { j + 1 } else { j })
        } else {
            (rng.random_range(0..count), rng.random_range(0..count))
        };
        let (i, j) = (movable[i], movable[j]);
        let (x, y) = (standing.at[i], standing.at[j]);
        for to in [y, -y, 1.0 - y, 1.0 / y] {
            let moved = standing.with(i, to);
            standing.goes(problem, moved)?;
        }
        let mut both = standing.with(i, 0.5 * (x + y));
        both[j] = both[i];
        standing.goes(problem, both.clone())?;
        both[j] = -both[i];
        standing.goes(problem, both)?;
    }
    Ok(())
}

fn of_group(problem: &mut SearchProblem<'_, '_>, standing: &mut Position, group: Range<usize>) -> Result<(), Stop> {
    let numbers: Vec<f64> = standing.at[group.clone()].to_vec();
    let length = numbers.len();
    let mean = numbers.iter().sum::<f64>() / length as f64;
    let size = numbers.iter().map(|x| x.abs()).sum::<f64>() / length as f64;
    let largest = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for alike in [0.0, 1.0, -1.0, mean, 0.5, 1.0 / length as f64, largest, size] {
        let moved = standing.mapped(group.clone(), |_, _| alike);
        standing.goes(problem, moved)?;
    }
    for upper in [false, true] {
        // The end for the first number is the end for all of them, if they are alike.
        let end = problem.end_of(&standing.at.clone(), group.start, upper);
        let moved = standing.mapped(group.clone(), |_, _| end);
        standing.goes(problem, moved)?;
    }
    let kept = standing.at.clone();
    let changed: [&dyn Fn(usize, f64) -> f64; 8] = [
        &|_, x| -x,
        &|_, x| size * x.signum(),
        &|_, x| x.round(),
        &|place, _| if place % 2 == 0 { size } else { -size },
        &|place, _| if place % 2 == 0 { 1.0 } else { 0.0 },
        &|place, _| kept[group.start + length - 1 - place],
        &|place, _| if place == 0 { 1.0 } else { 0.0 },
        &|place, _| place as f64 + 1.0,
    ];
    for change in changed {
        let moved = standing.mapped(group.clone(), change);
        standing.goes(problem, moved)?;
    }
    for unit in 0..length.min(12) {
        let moved = standing.mapped(group.clone(), |place, x| if place == unit { x } else { 0.0 });
        standing.goes(problem, moved)?;
    }
    Ok(())
}

fn of_square(
    problem: &mut SearchProblem<'_, '_>,
    standing: &mut Position,
    start: usize,
    size: usize,
) -> Result<(), Stop> {
    let block = start..start + size * size;
    let kept = standing.at[block.clone()].to_vec();
    let (row, column) = (move |place: usize| place / size, move |place: usize| place % size);
    let diagonal = kept.iter().step_by(size + 1).sum::<f64>() / size as f64;
    let changed: [&dyn Fn(usize, f64) -> f64; 6] = [
        &|place, _| if row(place) == column(place) { 1.0 } else { 0.0 },
        &|place, _| if row(place) == column(place) { diagonal } else { 0.0 },
        &|place, x| if row(place) == column(place) { x } else { 0.0 },
        &|place, x| 0.5 * (x + kept[column(place) * size + row(place)]),
        &|place, _| if place == 0 { 1.0 } else { 0.0 },
        // Rank one: the first row times the first column.
        &|place, x| {
            if kept[0] == 0.0 { x } else { kept[row(place) * size] * kept[column(place)] / kept[0] }
        },
    ];
    for change in changed {
        let moved = standing.mapped(block.clone(), change);
        standing.goes(problem, moved)?;
    }
    let mut turned = standing.at.clone();
    to_frame(&mut turned[block], size);
    standing.goes(problem, turned)?;
    Ok(())
}

/// The largest symmetric matrix the eigenvalues of which are tried.
const LARGEST_SPECTRUM: usize = 12;

fn of_symmetric(
    problem: &mut SearchProblem<'_, '_>,
    standing: &mut Position,
    size: usize,
    places: &[usize],
) -> Result<(), Stop> {
    if size > LARGEST_SPECTRUM {
        return Ok(());
    }
    let matrix: Vec<f64> = places.iter().map(|&place| standing.at[place]).collect();
    problem.effort.work((16 * size * size * size) as u64);
    for changed in spectrum::changed(&matrix, size) {
        let mut moved = standing.at.clone();
        for (&place, x) in places.iter().zip(changed) {
            moved[place] = x;
        }
        standing.goes(problem, moved)?;
    }
    Ok(())
}

fn of_number(problem: &mut SearchProblem<'_, '_>, standing: &mut Position, index: usize) -> Result<(), Stop> {
    let x = standing.at[index];
    let grid = problem.space.grid[index];
    let plain = if grid == 0.0 {
        vec![0.0, 1.0, -1.0, 0.5, -x, x.round(), 2.0, 1.0 / x]
    } else {
        vec![0.0, 1.0, 2.0, 3.0, -x, x - grid, x + grid]
    };
    for to in plain {
        let moved = standing.with(index, to);
        standing.goes(problem, moved)?;
    }
    for upper in [false, true] {
        let end = problem.end_of(&standing.at.clone(), index, upper);
        let moved = standing.with(index, end);
        standing.goes(problem, moved)?;
    }
    Ok(())
}

/// So many orders of magnitude are tried between the ends of a number.
const RUNGS: i32 = 48;

/// Every number, every group and all of them at once, over all orders of magnitude that the hypotheses allow.
pub(super) fn magnitudes(problem: &mut SearchProblem<'_, '_>, start: &[f64], rng: &mut Stream) -> Result<(), Stop> {
    let mut standing = Position::at(problem, start)?;
    let mut groups: Vec<Range<usize>> = problem.space.groups.clone();
    groups.reverse();
    let movable = problem.space.movable.clone();
    groups.extend(movable.iter().map(|&i| i..i + 1));
    for group in groups {
        let origin = standing.at.clone();
        // Logarithms to base two, over all of the doubles, and denser close by.
        let turn: f64 = rng.random();
        for rung in 0..RUNGS {
            let exponent = if rung % 2 == 0 {
                40.0 * (f64::from(rung) + turn) / f64::from(RUNGS) - 20.0
            } else {
                2000.0 * (f64::from(rung) + turn) / f64::from(RUNGS) - 1000.0
            };
            let factor = core_math::exp2(exponent);
            let mut moved = origin.clone();
            for index in group.clone() {
                if problem.space.grid[index] == 0.0 {
                    moved[index] = (origin[index] * factor).clamp(f64::MIN, f64::MAX);
                }
            }
            standing.goes(problem, moved)?;
        }
    }
    Ok(())
}

/// The largest number of coordinates in which evenly spread points are closer than random ones.
const EVENLY: usize = 6;

/// Points drawn where the starts lie, evenly for few numbers (Kronecker's sequence with the powers of a generalised golden ratio), else
/// at random; and in between points drawn by magnitude.
pub(super) fn draws(
    problem: &mut SearchProblem<'_, '_>,
    start: &[f64],
    rng: &mut Stream,
    round: u32,
) -> Result<(), Stop> {
    let movable = problem.space.movable.clone();
    let ratio = golden(movable.len());
    let turn: Vec<f64> = movable.iter().map(|_| rng.random()).collect();
    let mut number = 0u32;
    loop {
        number += 1;
        if movable.len() > EVENLY || number % 4 == round % 4 {
            let drawn = drawn(problem, start, rng);
            problem.value(&drawn)?;
            continue;
        }
        let mut point = start.to_vec();
        let mut step = 1.0;
        for (&index, turn) in movable.iter().zip(&turn) {
            step /= ratio;
            let place = turn + f64::from(number) * step;
            let (low, high) = problem.space.reach[index];
            point[index] = low + (high - low) * (place - place.floor());
        }
        problem.value(&point)?;
    }
}

/// The positive root of `x^(d + 1) = x + 1`: the golden ratio for one number.
fn golden(dimension: usize) -> f64 {
    let mut x = 2.0;
    for _ in 0..64 {
        x = core_math::pow(1.0 + x, 1.0 / (dimension as f64 + 1.0));
    }
    x
}

/// One such point.
pub(super) fn drawn(problem: &mut SearchProblem<'_, '_>, start: &[f64], rng: &mut Stream) -> Vec<f64> {
    let mut point = start.to_vec();
    let way: u32 = rng.random_range(0..4);
    for &index in &problem.space.movable {
        let (low, high) = problem.space.reach[index];
        point[index] = match way {
            0 | 1 => low + (high - low) * rng.random::<f64>(),
            2 if problem.space.grid[index] == 0.0 => {
                let factor = core_math::exp2(30.0 * (rng.random::<f64>() - 0.5));
                (point[index] * factor).clamp(f64::MIN, f64::MAX)
            }
            _ => {
                // Uniform among the doubles between the reach and its opposite.
                let size = order_of(low.abs().max(high.abs()));
                let order = (size as f64 * (1.0 - 0.05 * rng.random::<f64>())) as i64;
                let x = double_at(order.clamp(0, size));
                if low < 0.0 && rng.random::<bool>() { -x } else { x }
            }
        };
    }
    point
}
