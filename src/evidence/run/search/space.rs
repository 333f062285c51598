//! Where a search moves: the instances of one shape as vectors of numbers, how far each number may go, and what the instances given all
//! have in common (a sum of one, a norm of one, a matrix that equals its transpose), which every move restores.

use std::ops::Range;

use crate::claim::{Subject, SubjectChart};
use crate::instance::layout::{CoordinateKind, Group, Items, Shape, Size};

/// What is restored after every move.
#[derive(Clone, Debug, PartialEq)]
enum Repair {
    /// None negative, and a sum of one.
    Sum(Range<usize>),
    /// Euclidean norm one.
    Norm(Range<usize>),
    /// A square matrix that equals its transpose: first coordinate and size.
    Mirror(usize, usize),
    /// The same numbers in some order, each once.
    Order(Range<usize>, Vec<f64>),
    /// So many rows of so many numbers, of length one and at right angles: first coordinate, rows, columns.
    Frame(usize, usize, usize),
    /// A square matrix without negative entries, rows and columns of which add up to one: first coordinate and size.
    Plan(usize, usize),
}

/// The instances of one shape.
pub(crate) struct Space {
    chart: SubjectChart,
    /// What each number counts in.
    pub(super) kinds: Vec<CoordinateKind>,
    /// The numbers that a coordinate may take are the multiples of this; zero for all numbers.
    pub(super) grid: Vec<f64>,
    /// Least and greatest value that a number may take.
    pub(super) ends: Vec<(f64, f64)>,
    /// Least and greatest value that it takes among the starts.
    pub(super) reach: Vec<(f64, f64)>,
    /// How far the starts lie apart.
    pub(super) spread: Vec<f64>,
    /// The numbers that may move.
    pub(super) movable: Vec<usize>,
    /// The numbers that stand for one of several words; what is next to one has nothing to do with it.
    pub(super) choices: Vec<usize>,
    /// Lists of items that may be exchanged: for each, the coordinates of its items.
    pub(super) lists: Vec<Vec<Vec<usize>>>,
    /// Whether there are weights, or items the order of which does not matter: what may be merged.
    pub(super) weighs: bool,
    /// Plans, by first coordinate and size.
    pub(super) plans: Vec<(usize, usize)>,
    /// Runs of numbers that stand in one list, and all of them together.
    pub(super) groups: Vec<Range<usize>>,
    /// Square blocks of numbers: the first one, and the size.
    pub(super) squares: Vec<(usize, usize)>,
    /// Symmetric matrices: the size, and where each entry stands.
    pub(super) symmetric: Vec<(usize, Vec<usize>)>,
    /// The lengths that fix the shape.
    pub(super) sizes: Vec<Size>,
    repairs: Vec<Repair>,
    /// What the search starts from, the highest first.
    pub(super) starts: Vec<(f64, Vec<f64>)>,
}

/// How many starts of one shape are kept.
const KEPT: usize = 64;

/// How many times as far as the starts a number goes that may hide a cost: a number of steps, a size, a time.
const FAR: f64 = 1_099_511_627_776.0;

/// The grids that are looked for, the coarsest first.
const GRIDS: [f64; 6] = [1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125];

/// Agreement to within what rounding explains.
const ALIKE: f64 = 1e-9;

impl Space {
    /// The space of some instances of one shape, each with its height. `free` says that no number hides a cost: else a number of which
    /// nothing is declared goes no further than [`FAR`] times the starts, and a whole one no further than they do.
    pub(super) fn of(instances: &[(f64, &Subject)], free: bool) -> Option<Self> {
        let (_, first) = instances.first()?;
        let chart = first.chart();
        let layout = chart.layout().clone();
        let count = layout.coordinates.len();
        let points = instances.iter().map(|(height, instance)| {
            let own = instance.chart();
            (own.start().len() == count).then(|| (*height, own.start().to_vec()))
        });
        let mut starts: Vec<(f64, Vec<f64>)> = points.flatten().collect();
        starts.sort_by(|a, b| b.0.total_cmp(&a.0));
        let of = |i: usize| starts.iter().map(move |(_, x)| x[i]);
        let reach: Vec<(f64, f64)> =
            (0..count).map(|i| (of(i).fold(f64::MAX, f64::min), of(i).fold(f64::MIN, f64::max))).collect();
        let kinds: Vec<CoordinateKind> = layout.coordinates.iter().map(|c| c.kind).collect();
        let mut groups: Vec<Range<usize>> = layout.groups.iter().map(|g| g.range()).collect();
        let mut squares = Vec::new();
        for group in &layout.groups {
            if let Shape::Matrix { rows, columns } = group.shape
                && rows == columns
                && rows > 1
            {
                squares.push((group.start, rows));
            }
        }
        // Lists of lists that the type does not declare as matrices: as many runs, one after the other, as each has numbers.
        for (at, group) in groups.clone().iter().enumerate() {
            let size = group.len();
            let follow =
                |k: usize| groups.get(at + k).is_some_and(|g| *g == (group.start + k * size..group.end + k * size));
            let begins = at == 0 || groups[at - 1].len() != size || groups[at - 1].end != group.start;
            if size > 1 && begins && (0..size).all(follow) && !squares.contains(&(group.start, size)) {
                squares.push((group.start, size));
            }
        }
        let ends = layout.coordinates.iter().zip(&reach);
        let ends = ends.map(|(c, reach)| match (c.range.declared, c.kind) {
            (true, _) => (c.range.least(), c.range.greatest()),
            (false, CoordinateKind::Real) if free => (c.range.least(), c.range.greatest()),
            (false, CoordinateKind::Real) => {
                let far = FAR * reach.0.abs().max(reach.1.abs()).max(1.0);
                (c.range.least().max(-far), c.range.greatest().min(far))
            }
            // Smaller whole numbers cost less than those of the starts; larger ones are tried with care.
            (false, _) if free => (reach.0.min(0.0), reach.1),
            (false, _) => *reach,
        });
        let ends: Vec<(f64, f64)> = ends.collect();
        let mut movable: Vec<usize> = (0..count).filter(|&i| ends[i].0 < ends[i].1).collect();
        let choices = movable.extract_if(.., |i| kinds[*i] == CoordinateKind::Choice).collect();
        let mut matrices: Vec<(usize, usize, usize)> = squares.iter().map(|&(start, n)| (start, n, n)).collect();
        matrices.extend(layout.groups.iter().filter_map(|group| match group.shape {
            Shape::Matrix { rows, columns } if rows < columns => Some((group.start, rows, columns)),
            _ => None,
        }));
        let lists = lists(&layout.sizes, &groups, &matrices);
        if count > 1 && !groups.contains(&(0..count)) {
            groups.push(0..count);
        }
        let spread = reach.iter().map(|&(low, high)| {
            let width = 0.3 * (high - low);
            let size = low.abs().max(high.abs());
            if width.is_finite() && width > 0.0 { width } else { size.clamp(1e-3, 1e3) }
        });
        let spread = spread.collect();
        let points: Vec<&[f64]> = starts.iter().map(|(_, x)| x.as_slice()).collect();
        let repairs = repairs(&groups, &matrices, &points);
        let plans = repairs.iter().filter_map(|repair| match repair {
            Repair::Plan(start, size) => Some((*start, *size)),
            _ => None,
        });
        let plans = plans.collect();
        let weighs = layout.groups.iter().any(|group| group.shape == Shape::Weights)
            || layout.sizes.iter().any(|size| size.items == Items::Interchangeable)
            || repairs.iter().any(|repair| matches!(repair, Repair::Sum(_)));
        let symmetric = symmetric(&layout.groups, &repairs);
        starts.truncate(KEPT);
        Some(Space {
            chart,
            grid: kinds.iter().map(|kind| f64::from(u8::from(*kind != CoordinateKind::Real))).collect(),
            kinds,
            ends,
            reach,
            spread,
            movable,
            choices,
            lists,
            weighs,
            plans,
            groups,
            squares,
            symmetric,
            sizes: layout.sizes,
            repairs,
            starts,
        })
    }

    /// The instance at a point.
    pub(super) fn at(&mut self, point: &[f64]) -> Option<&Subject> {
        self.chart.at(point)
    }

    /// Finds out which real numbers the hypotheses want to be multiples of something: all starts are, and a start that is moved off the
    /// grid is refused.
    pub(super) fn find_grid(&mut self, admits: &dyn Fn(&Subject) -> bool) {
        if self.starts.len() < 3 {
            return;
        }
        let first = self.starts[0].1.clone();
        if !self.at(&first).is_some_and(admits) {
            return;
        }
        for index in self.movable.clone() {
            if self.kinds[index] != CoordinateKind::Real {
                continue;
            }
            let on = |step: &f64| self.starts.iter().all(|(_, x)| (x[index] / step).fract() == 0.0);
            let Some(step) = GRIDS.into_iter().find(on) else {
                continue;
            };
            let mut moved = first.clone();
            let refused = [0.37, -0.37].iter().all(|part| {
                moved[index] = first[index] + part * step;
                !self.at(&moved).is_some_and(admits)
            });
            if refused {
                self.grid[index] = step;
            }
        }
    }

    /// Whether moving one number may move others.
    pub(super) fn is_repaired(&self) -> bool {
        !self.repairs.is_empty()
    }

    /// Whether some numbers are always the same ones, in some order.
    pub(super) fn is_ordered(&self) -> bool {
        self.repairs.iter().any(|repair| matches!(repair, Repair::Order(..)))
    }

    /// Whether there is little to do but to exchange and to choose.
    pub(super) fn is_combinatorial(&self) -> bool {
        self.is_ordered() || !self.plans.is_empty() || self.choices.len() > 1
    }

    /// How many things may be exchanged or chosen.
    pub(super) fn items(&self) -> usize {
        let plans = self.plans.iter().map(|(_, size)| size * size);
        self.lists.iter().map(Vec::len).chain(plans).chain([self.choices.len()]).sum()
    }

    /// The nearest point that has what all starts have in common, whole numbers whole, and every number within its ends. Says
    /// how many operations that took beyond one for every number.
    pub(super) fn restore(&self, point: &mut [f64]) -> u64 {
        let mut work = 0;
        for repair in &self.repairs {
            // Before whole numbers are made whole: any numbers tell an order.
            if let Repair::Order(range, sorted) = repair {
                to_order(&mut point[range.clone()], sorted);
            }
        }
        for (i, x) in point.iter_mut().enumerate() {
            if self.grid[i] > 0.0 {
                *x = (*x / self.grid[i]).round() * self.grid[i];
            }
            let (low, high) = self.ends[i];
            *x = x.min(high).max(low);
        }
        for repair in &self.repairs {
            match repair {
                Repair::Sum(range) => to_unit_sum(&mut point[range.clone()]),
                Repair::Norm(range) => to_unit_norm(&mut point[range.clone()]),
                Repair::Order(..) => {}
                Repair::Frame(start, rows, columns) => {
                    to_frame(&mut point[*start..start + rows * columns], *columns);
                    work += 2 * rows * rows * columns;
                }
                Repair::Plan(start, size) => {
                    let turns = to_plan(&mut point[*start..start + size * size], *size);
                    work += turns * size * size;
                }
                Repair::Mirror(start, size) => {
                    for i in 0..*size {
                        for j in 0..i {
                            point[start + j * size + i] = point[start + i * size + j];
                        }
                    }
                }
            }
        }
        work as u64
    }
}

fn to_unit_sum(x: &mut [f64]) {
    x.iter_mut().for_each(|x| *x = x.abs());
    let total: f64 = x.iter().sum();
    if !(total > 0.0 && total.is_finite()) {
        return;
    }
    x.iter_mut().for_each(|x| *x /= total);
    let rest = 1.0 - x.iter().sum::<f64>();
    // What rounding left over goes to the largest, where it is smallest in proportion.
    if let Some(largest) = x.iter_mut().max_by(|a, b| a.total_cmp(b)) {
        *largest += rest;
    }
}

fn to_unit_norm(x: &mut [f64]) {
    let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    if norm > 0.0 && norm.is_finite() {
        x.iter_mut().for_each(|x| *x /= norm);
    }
}

/// The sorted numbers in the order of `x`.
fn to_order(x: &mut [f64], sorted: &[f64]) {
    let mut places: Vec<usize> = (0..x.len()).collect();
    places.sort_by(|&i, &j| x[i].total_cmp(&x[j]));
    for (place, number) in places.into_iter().zip(sorted) {
        x[place] = *number;
    }
}

/// Every row without what it has of those before it, and of length one (Gram and Schmidt, twice).
pub(super) fn to_frame(x: &mut [f64], columns: usize) {
    for i in 0..x.len() / columns {
        let (before, from) = x.split_at_mut(i * columns);
        let row = &mut from[..columns];
        for _ in 0..2 {
            for other in before.chunks(columns) {
                let inner: f64 = row.iter().zip(other).map(|(a, b)| a * b).sum();
                row.iter_mut().zip(other).for_each(|(a, b)| *a -= inner * b);
            }
            to_unit_norm(row);
        }
    }
}

/// Turns of [`to_plan`].
const TURNS: usize = 60;

/// Rows and columns divided by their sums in turn (Sinkhorn) until both are one, and how often.
fn to_plan(x: &mut [f64], size: usize) -> usize {
    x.iter_mut().for_each(|x| *x = x.abs());
    for turn in 1..=TURNS {
        let mut furthest: f64 = 0.0;
        for row in x.chunks_mut(size) {
            let sum: f64 = row.iter().sum();
            furthest = furthest.max((sum - 1.0).abs());
            row.iter_mut().for_each(|x| *x /= sum);
        }
        for column in 0..size {
            let sum: f64 = x[column..].iter().step_by(size).sum();
            furthest = furthest.max((sum - 1.0).abs());
            x[column..].iter_mut().step_by(size).for_each(|x| *x /= sum);
        }
        if furthest < 1e-3 * ALIKE {
            return turn;
        }
    }
    TURNS
}

/// The symmetric matrices among the groups, and those that all starts have in common.
fn symmetric(groups: &[Group], repairs: &[Repair]) -> Vec<(usize, Vec<usize>)> {
    let upper = |group: &Group| match group.shape {
        Shape::Symmetric { size } => {
            let row = |i: usize| group.start + i * size - i * (i + 1) / 2;
            let at = |place: usize| {
                let (i, j) = (place / size, place % size);
                row(i.min(j)) + i.max(j)
            };
            Some((size, (0..size * size).map(at).collect()))
        }
        _ => None,
    };
    let full = |repair: &Repair| match *repair {
        Repair::Mirror(start, size) => Some((size, (start..start + size * size).collect())),
        _ => None,
    };
    groups.iter().filter_map(upper).chain(repairs.iter().filter_map(full)).collect()
}

/// The coordinates of a matrix: first coordinate, rows, columns.
fn block(&(start, rows, columns): &(usize, usize, usize)) -> Range<usize> {
    start..start + rows * columns
}

fn lies_in_one(group: &Range<usize>, blocks: &[Range<usize>]) -> bool {
    blocks.iter().any(|block| block.start <= group.start && group.end <= block.end)
}

/// What may be exchanged: the items of a size in all its lists; the numbers of a group, alone and beside those of groups as long; rows and
/// columns.
fn lists(sizes: &[Size], groups: &[Range<usize>], matrices: &[(usize, usize, usize)]) -> Vec<Vec<Vec<usize>>> {
    let mut found: Vec<Vec<Vec<usize>>> = Vec::new();
    let mut add = |items: Vec<Vec<usize>>| {
        if items.len() > 1 && !found.contains(&items) {
            found.push(items);
        }
    };
    for size in sizes.iter().filter(|size| !size.blocks.is_empty()) {
        add((0..size.value as usize).map(|item| size.item(item).collect()).collect());
    }
    for &(start, rows, columns) in matrices {
        let at = |row: usize, column: usize| start + row * columns + column;
        add((0..rows).map(|i| (0..columns).map(|j| at(i, j)).collect()).collect());
        add((0..columns).map(|j| (0..rows).map(|i| at(i, j)).collect()).collect());
    }
    let blocks: Vec<Range<usize>> = matrices.iter().map(block).collect();
    let plain: Vec<&Range<usize>> = groups.iter().filter(|group| !lies_in_one(group, &blocks)).collect();
    for (number, group) in plain.iter().enumerate() {
        add((*group).clone().map(|i| vec![i]).collect());
        let alike = plain.iter().filter(|other| other.len() == group.len());
        let beside: Vec<&&Range<usize>> = alike.collect();
        let apart = beside.windows(2).all(|pair| pair[0].end <= pair[1].start);
        if beside.len() > 1 && apart && plain.iter().position(|g| g.len() == group.len()) == Some(number) {
            let item = |i: usize| beside.iter().map(|group| group.start + i).collect();
            add((0..group.len()).map(item).collect());
        }
    }
    found
}

/// What all the points have in common. Two points may do so by chance, more hardly.
fn repairs(groups: &[Range<usize>], matrices: &[(usize, usize, usize)], points: &[&[f64]]) -> Vec<Repair> {
    if points.len() < 3 {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut settled = Vec::new();
    for matrix @ &(start, rows, columns) in matrices {
        let all = |property: &dyn Fn(&[f64]) -> bool| points.iter().all(|x| property(&x[block(matrix)]));
        if all(&|x| is_frame(x, columns)) {
            found.push(Repair::Frame(start, rows, columns));
        } else if rows == columns && all(&|x| is_plan(x, rows)) {
            found.push(Repair::Plan(start, rows));
        } else {
            continue;
        }
        settled.push(block(matrix));
    }
    for group in groups.iter().filter(|g| g.len() > 1 && !lies_in_one(g, &settled)) {
        let all = |property: fn(&[f64]) -> bool| points.iter().all(|x| property(&x[group.clone()]));
        if all(|x| x.iter().all(|&x| x >= 0.0) && (x.iter().sum::<f64>() - 1.0).abs() < ALIKE) {
            found.push(Repair::Sum(group.clone()));
        } else if all(|x| (x.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < ALIKE) {
            found.push(Repair::Norm(group.clone()));
        } else if let Some(sorted) = reordered(group, points) {
            found.push(Repair::Order(group.clone(), sorted));
        }
    }
    for &(start, size, columns) in matrices.iter().filter(|(_, rows, columns)| rows == columns) {
        let mirrored = |x: &&[f64]| {
            let block = &x[start..start + size * columns];
            (0..size).all(|i| (0..i).all(|j| block[i * size + j] == block[j * size + i]))
        };
        if points.iter().all(mirrored) {
            found.push(Repair::Mirror(start, size));
        }
    }
    found
}

/// The numbers of a group in rising order, if all points have the same ones, each once, and not all in the same order.
fn reordered(group: &Range<usize>, points: &[&[f64]]) -> Option<Vec<f64>> {
    let sorted = |x: &[f64]| {
        let mut numbers = x[group.clone()].to_vec();
        numbers.sort_by(f64::total_cmp);
        numbers
    };
    let first = sorted(points[0]);
    let once = first.windows(2).all(|pair| pair[0] < pair[1]);
    let moves = points.iter().any(|x| x[group.clone()] != points[0][group.clone()]);
    (once && moves && points.iter().all(|x| sorted(x) == first)).then_some(first)
}

/// Whether rows of so many numbers have length one and stand at right angles.
fn is_frame(x: &[f64], columns: usize) -> bool {
    let row = |i: usize| &x[i * columns..(i + 1) * columns];
    let inner = |i: usize, j: usize| row(i).iter().zip(row(j)).map(|(a, b)| a * b).sum::<f64>();
    let is_right = |i: usize, j: usize| (inner(i, j) - f64::from(u8::from(i == j))).abs() < ALIKE;
    (0..x.len() / columns).all(|i| (0..=i).all(|j| is_right(i, j)))
}

/// Whether no entry is negative, and rows and columns add up to one.
fn is_plan(x: &[f64], size: usize) -> bool {
    let is_one = |sum: f64| (sum - 1.0).abs() < ALIKE;
    x.iter().all(|&x| x >= 0.0)
        && x.chunks(size).all(|row| is_one(row.iter().sum()))
        && (0..size).all(|column| is_one(x[column..].iter().step_by(size).sum()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_points_have_in_common_is_found_and_restored() {
        let (pair, rows) = (vec![Range { start: 0, end: 2 }], [0..2, 2..4]);
        let laws: [&[f64]; 3] = [&[0.5, 0.5], &[0.25, 0.75], &[1.0, 0.0]];
        assert_eq!(repairs(&pair, &[], &laws), [Repair::Sum(0..2)]);
        let circle: [&[f64]; 3] = [&[0.6, -0.8], &[1.0, 0.0], &[0.0, -1.0]];
        assert_eq!(repairs(&pair, &[], &circle), [Repair::Norm(0..2)]);
        let mirrored: [&[f64]; 3] = [&[1.0, 2.0, 2.0, 3.0], &[0.0, 5.0, 5.0, 1.0], &[1.0, 0.0, 0.0, 4.0]];
        assert_eq!(repairs(&rows, &[(0, 2, 2)], &mirrored), [Repair::Mirror(0, 2)]);
        assert!(repairs(&pair, &[], &laws[..2]).is_empty(), "two points may agree by chance");
        let orders: [&[f64]; 3] = [&[0.0, 1.0, 2.0], &[2.0, 0.0, 1.0], &[0.0, 2.0, 1.0]];
        let three = vec![Range { start: 0, end: 3 }];
        assert_eq!(repairs(&three, &[], &orders), [Repair::Order(0..3, vec![0.0, 1.0, 2.0])]);
        assert!(repairs(&three, &[], &[orders[0]; 3]).is_empty(), "numbers that never moved are no order");
        let mut order = [0.3, -8.0, 0.2];
        to_order(&mut order, &[0.0, 1.0, 2.0]);
        assert_eq!(order, [2.0, 0.0, 1.0]);
        let turned: [&[f64]; 3] = [&[0.6, 0.8, -0.8, 0.6], &[1.0, 0.0, 0.0, -1.0], &[0.0, 1.0, 1.0, 0.0]];
        assert_eq!(repairs(&rows, &[(0, 2, 2)], &turned), [Repair::Frame(0, 2, 2)]);
        let plans: [&[f64]; 3] = [&[0.25, 0.75, 0.75, 0.25], &[0.5, 0.5, 0.5, 0.5], &[1.0, 0.0, 0.0, 1.0]];
        assert_eq!(repairs(&rows, &[(0, 2, 2)], &plans)[..1], [Repair::Plan(0, 2)]);
        let mut frame = [3.0, 4.0, 1.0, 0.0];
        to_frame(&mut frame, 2);
        assert!(is_frame(&frame, 2));
        let mut plan = [3.0, 4.0, -1.0, 0.5];
        to_plan(&mut plan, 2);
        assert!(is_plan(&plan, 2));
        let mut law = [0.2, -0.4, 0.1];
        to_unit_sum(&mut law);
        assert_eq!(law.iter().sum::<f64>(), 1.0);
        assert!(law.iter().all(|&p| p >= 0.0));
    }
}
