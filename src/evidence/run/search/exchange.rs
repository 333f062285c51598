//! Moves that change nothing but who stands where: exchange, reverse, insert, flip, merge, transfer. For orders, choices, atoms and plans,
//! no number of which can move alone, these are all there is; a walk that takes whatever is not worse, and begins anew where it is stuck.

use rand::RngExt;

use super::moves::drawn;
use super::problem::{SearchProblem, Stop};
use super::space::Space;
use enclosures::stream::Stream;

/// Proposals without gain after which the walk begins elsewhere, for every item.
const PATIENCE: usize = 8;

/// Walks until the share is used up: from `start` first, then from where a few moves lead from there, and from points drawn anew.
pub(super) fn walk(
    problem: &mut SearchProblem<'_, '_>,
    start: &[f64],
    fresh: &[f64],
    rng: &mut Stream,
) -> Result<(), Stop> {
    let patience = PATIENCE * problem.space.items().max(4);
    let mut best = (problem.value(start)?, problem.restored(start));
    let (mut value, mut at) = best.clone();
    for stuck in 0.. {
        let mut idle = 0;
        while idle < patience {
            let moved = proposal(problem.space, &at, rng);
            let seen = problem.value(&moved)?;
            idle += 1;
            if seen < value {
                idle = 0;
            }
            if seen <= value {
                (value, at) = (seen, problem.restored(&moved));
            }
        }
        if value < best.0 {
            best = (value, at.clone());
        }
        let mut elsewhere = match stuck % 3 {
            0 => at.clone(),
            1 => best.1.clone(),
            _ => shuffled(problem, fresh, rng),
        };
        for _ in 0..rng.random_range(2..6) {
            elsewhere = proposal(problem.space, &elsewhere, rng);
        }
        value = problem.value(&elsewhere)?;
        at = problem.restored(&elsewhere);
    }
    Ok(())
}

/// A point drawn anew: choices at random, and items in another order.
fn shuffled(problem: &mut SearchProblem<'_, '_>, fresh: &[f64], rng: &mut Stream) -> Vec<f64> {
    let mut point = if problem.space.is_ordered() { fresh.to_vec() } else { drawn(problem, fresh, rng) };
    let space = &*problem.space;
    for &choice in &space.choices {
        point[choice] = any_choice(space, choice, rng);
    }
    for list in &space.lists {
        for last in (1..list.len()).rev() {
            swap(&mut point, &list[last], &list[rng.random_range(0..=last)]);
        }
    }
    point
}

fn any_choice(space: &Space, index: usize, rng: &mut Stream) -> f64 {
    let (low, high) = space.ends[index];
    rng.random_range(low as i64..=high as i64) as f64
}

/// A point next to `at`.
fn proposal(space: &Space, at: &[f64], rng: &mut Stream) -> Vec<f64> {
    let mut moved = at.to_vec();
    let kinds = [!space.choices.is_empty(), !space.lists.is_empty(), !space.plans.is_empty()];
    let count = kinds.iter().filter(|there| **there).count();
    if count == 0 {
        return moved;
    }
    let chosen = rng.random_range(0..count);
    match (0..3).filter(|&kind| kinds[kind]).nth(chosen) {
        Some(0) => flip(space, &mut moved, rng),
        Some(1) => rearrange(space, &mut moved, rng),
        _ => transfer(space, &mut moved, rng),
    }
    moved
}

/// One choice, or two, or a run of them.
fn flip(space: &Space, moved: &mut [f64], rng: &mut Stream) {
    let choices = &space.choices;
    let first = rng.random_range(0..choices.len());
    let other = |x: f64, index: usize, rng: &mut Stream| {
        let (low, high) = space.ends[index];
        let among = (high - low) as u64;
        let next = x + 1.0 + rng.random_range(0..among.max(1)) as f64;
        if next > high { next - (high - low + 1.0) } else { next }
    };
    let way: u32 = rng.random_range(0..8);
    let last = match way {
        0 => choices.len() - 1,
        1 => rng.random_range(first..choices.len()),
        _ => first,
    };
    for &index in &choices[first..=last] {
        moved[index] = other(moved[index], index, rng);
    }
    if way < 4 && last == first {
        let second = choices[rng.random_range(0..choices.len())];
        moved[second] = other(moved[second], second, rng);
    }
}

/// Two items of a list exchanged, a run of them reversed or turned by one, one made like another, or merged into it.
fn rearrange(space: &Space, moved: &mut [f64], rng: &mut Stream) {
    let list = &space.lists[rng.random_range(0..space.lists.len())];
    let (i, j) = two_of(list.len(), rng);
    let (low, high) = (i.min(j), i.max(j));
    let mut way: u32 = rng.random_range(0..8);
    if space.is_ordered() {
        way %= 6;
    }
    match way {
        0..=2 => swap(moved, &list[i], &list[j]),
        3 => {
            let (mut low, mut high) = (low, high);
            while low < high {
                swap(moved, &list[low], &list[high]);
                (low, high) = (low + 1, high - 1);
            }
        }
        4 => (low..high).for_each(|k| swap(moved, &list[k], &list[k + 1])),
        5 => (low..high).rev().for_each(|k| swap(moved, &list[k], &list[k + 1])),
        6 => {
            for (&from, &to) in list[i].iter().zip(&list[j]) {
                moved[to] = moved[from];
            }
        }
        _ => merge(space, moved, &list[i], &list[j]),
    }
}

/// Gives one item what two of them weigh, and their mean place; the other one nothing.
fn merge(space: &Space, moved: &mut [f64], one: &[usize], other: &[usize]) {
    let weighs = |i: usize| space.grid[i] == 0.0 && space.reach[i].0 >= 0.0;
    let pairs = || one.iter().copied().zip(other.iter().copied());
    let Some((first, second)) = pairs().find(|&(i, j)| weighs(i) && weighs(j)) else {
        return;
    };
    let (a, b) = (moved[first], moved[second]);
    let total = a + b;
    if !(total > 0.0 && total.is_finite()) {
        return;
    }
    for (i, j) in pairs() {
        if weighs(i) && weighs(j) {
            (moved[i], moved[j]) = (moved[i] + moved[j], 0.0);
        } else if space.grid[i] == 0.0 {
            moved[i] = (a * moved[i] + b * moved[j]) / total;
        }
    }
}

/// What one entry of a plan has goes to another one of its row, and as much the other way in another row.
fn transfer(space: &Space, moved: &mut [f64], rng: &mut Stream) {
    let (start, size) = space.plans[rng.random_range(0..space.plans.len())];
    let ((i, k), (j, l)) = (two_of(size, rng), two_of(size, rng));
    let at = |row: usize, column: usize| start + row * size + column;
    let most = moved[at(i, j)].min(moved[at(k, l)]);
    let part = if rng.random::<bool>() { most } else { most * rng.random::<f64>() };
    for (row, column, sign) in [(i, j, -1.0), (k, l, -1.0), (i, l, 1.0), (k, j, 1.0)] {
        moved[at(row, column)] += sign * part;
    }
}

/// Two different ones of at least two.
fn two_of(count: usize, rng: &mut Stream) -> (usize, usize) {
    let i = rng.random_range(0..count);
    let j = rng.random_range(0..count - 1);
    (i, if j >= i { j + 1 } else { j })
}

fn swap(point: &mut [f64], one: &[usize], other: &[usize]) {
    for (&i, &j) in one.iter().zip(other) {
        point.swap(i, j);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Subject;
    use crate::instance::Instance;
    use crate::run::search::space::Space;
    use enclosures::stream::stream;
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Debug, Serialize, Deserialize)]
    struct Atoms {
        weights: Vec<f64>,
        places: Vec<f64>,
        flags: Vec<bool>,
    }

    impl Instance for Atoms {
        fn describe(&self) -> String {
            format!("{self:?}")
        }
    }

    fn space() -> Space {
        let atoms = |weights: [f64; 3], places: [f64; 3]| {
            Subject::of(Atoms { weights: weights.to_vec(), places: places.to_vec(), flags: vec![true, false] })
        };
        let starts = [atoms([1.0, 3.0, 0.5], [-2.0, 2.0, 0.7]), atoms([0.1, 0.2, 0.9], [4.0, -1.0, 3.0])];
        let starts: Vec<(f64, &Subject)> = starts.iter().map(|s| (0.0, s)).collect();
        Space::of(&starts, true).unwrap()
    }

    #[test]
    fn two_atoms_merge_at_their_mean() {
        let space = space();
        let mut point = vec![1.0, 3.0, 0.5, -2.0, 2.0, 0.7, 1.0, 0.0];
        assert!(space.lists.iter().any(|list| *list == [[0, 3], [1, 4], [2, 5]]));
        merge(&space, &mut point, &[0, 3], &[1, 4]);
        assert_eq!(point, [4.0, 0.0, 0.5, 1.0, 2.0, 0.7, 1.0, 0.0]);
    }

    #[test]
    fn choices_stay_choices() {
        let space = space();
        assert_eq!(space.choices, [6, 7]);
        let mut rng = stream(7, &["exchange"]);
        let mut point = vec![1.0, 3.0, 0.5, -2.0, 2.0, 0.7, 1.0, 0.0];
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..64 {
            flip(&space, &mut point, &mut rng);
            seen.insert(point[6..].iter().map(|x| *x as i64).collect::<Vec<_>>());
        }
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), [[0, 0], [0, 1], [1, 0], [1, 1]]);
    }
}
