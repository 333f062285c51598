//! Whole numbers, and what else has a grid.

use rand::RngExt;

use super::moves::Position;
use super::problem::{SearchProblem, Stop};
use enclosures::stream::Stream;

/// The largest whole number that is tried where nothing is declared.
const LARGEST_WHOLE: f64 = 1_048_576.0;

/// Whole numbers, and what else has a grid: every small one, every one that the starts reach, then doubled for as long as a look stays
/// bearable and the check is said to be `free` of hidden costs.
pub(super) fn search(
    problem: &mut SearchProblem<'_, '_>,
    start: &[f64],
    (free, round): (bool, u32),
    rng: &mut Stream,
) -> Result<(), Stop> {
    let movable = problem.space.movable.iter().copied();
    let indices: Vec<usize> = movable.filter(|&i| problem.space.grid[i] > 0.0).collect();
    let grid = problem.space.grid.clone();
    let mut standing = Position::at(problem, start)?;
    for &index in &indices {
        for small in 0..SMALL {
            let moved = standing.with(index, grid[index] * f64::from(small));
            standing.goes(problem, moved)?;
        }
        if free {
            doubled(problem, &mut standing, index)?;
        }
    }
    if let [first, second, ..] = indices[..] {
        for total in 0..SMALL {
            for i in 0..=total {
                let mut moved = standing.at.clone();
                moved[first] = grid[first] * f64::from(i);
                moved[second] = grid[second] * f64::from(total - i);
                standing.goes(problem, moved)?;
            }
        }
        let turned = if round.is_multiple_of(2) { (first, second) } else { (second, first) };
        valley(problem, &standing.at.clone(), turned)?;
    }
    if let [index] = indices[..] {
        let (low, high) = problem.space.reach[index];
        let steps = ((high - low) / grid[index]).min(65_536.0) as u32;
        for step in 0..=steps {
            let moved = standing.with(index, low + grid[index] * f64::from(step));
            standing.goes(problem, moved)?;
        }
        return Ok(());
    }
    loop {
        let mut moved = standing.at.clone();
        for &index in &indices {
            let (low, high) = problem.space.reach[index];
            moved[index] = low + (high - low) * rng.random::<f64>();
        }
        problem.value(&moved)?;
    }
}

/// Whole numbers that count as small.
const SMALL: u32 = 64;

/// Along one whole number from end to end, the other following to where the value is lowest close by: a curve of near misses is looked
/// at all along.
fn valley(problem: &mut SearchProblem<'_, '_>, start: &[f64], (along, across): (usize, usize)) -> Result<(), Stop> {
    let (low, high) = problem.space.reach[along];
    let (grid, step) = (problem.space.grid[along], problem.space.grid[across]);
    let places = ((high - low) / grid).min(LARGEST_WHOLE) as u32;
    let mut at = start.to_vec();
    for place in 0..=places {
        at[along] = low + grid * f64::from(place);
        let mut lowest = problem.value(&at)?;
        for sign in [1.0, -1.0] {
            let (mut length, moves) = (step, at[across]);
            loop {
                let here = at[across];
                at[across] = here + sign * length;
                let value = problem.value(&at)?;
                if value < lowest {
                    lowest = value;
                    length *= 2.0;
                    continue;
                }
                at[across] = here;
                if length == step {
                    break;
                }
                length = step;
            }
            if at[across] != moves {
                break;
            }
        }
    }
    Ok(())
}

/// Doubles a whole number for as long as the hypotheses allow it and a look stays bearable.
fn doubled(problem: &mut SearchProblem<'_, '_>, standing: &mut Position, index: usize) -> Result<(), Stop> {
    problem.effort.costliest = 0;
    let mut x = problem.space.reach[index].1.max(1.0);
    while x < LARGEST_WHOLE && problem.effort.costliest <= problem.effort.bearable() {
        x *= 2.0;
        let before = problem.space.ends[index].1;
        problem.space.ends[index].1 = before.max(x);
        let moved = standing.with(index, x);
        if !problem.admits(&moved) {
            // The hypotheses end between what was allowed last and this.
            let at = standing.with(index, before);
            let end = problem.end_of(&at, index, true);
            problem.space.ends[index].1 = end;
            let moved = standing.with(index, end);
            standing.goes(problem, moved)?;
            return Ok(());
        }
        standing.goes(problem, moved)?;
    }
    Ok(())
}
