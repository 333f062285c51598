//! Where a search moves: the instances of one shape as vectors of numbers, how far each number may go, and what the instances given all
//! have in common (a sum of one, a norm of one, a matrix that equals its transpose), which every move restores.

use std::ops::Range;

use crate::claim::{Subject, SubjectChart};
use crate::instance::layout::{Kind, Shape, Size};

/// What is restored after every move.
#[derive(Clone, Debug, PartialEq)]
enum Repair {
    /// None negative, and a sum of one.
    Sum(Range<usize>),
    /// Euclidean norm one.
    Norm(Range<usize>),
    /// A square matrix that equals its transpose: first coordinate and size.
    Mirror(usize, usize),
}

/// The instances of one shape.
pub(crate) struct Space {
    chart: SubjectChart,
    /// What each number counts in.
    pub(super) kinds: Vec<Kind>,
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
    /// Runs of numbers that stand in one list, and all of them together.
    pub(super) groups: Vec<Range<usize>>,
    /// Square blocks of numbers: the first one, and the size.
    pub(super) squares: Vec<(usize, usize)>,
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
        let reach: Vec<(f64, f64)> = (0..count)
            .map(|i| (of(i).fold(f64::MAX, f64::min), of(i).fold(f64::MIN, f64::max)))
            .collect();
        let kinds: Vec<Kind> = layout.coordinates.iter().map(|c| c.kind).collect();
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
            let follow = |k: usize| {
                groups
                    .get(at + k)
                    .is_some_and(|g| *g == (group.start + k * size..group.end + k * size))
            };
            let begins = at == 0 || groups[at - 1].len() != size || groups[at - 1].end != group.start;
            if size > 1 && begins && (0..size).all(follow) && !squares.contains(&(group.start, size)) {
                squares.push((group.start, size));
            }
        }
        let ends = layout.coordinates.iter().zip(&reach);
        let ends = ends.map(|(c, reach)| match (c.range.declared, c.kind) {
            (true, _) => (c.range.least(), c.range.greatest()),
            (false, Kind::Real) if free => (c.range.least(), c.range.greatest()),
            (false, Kind::Real) => {
                let far = FAR * reach.0.abs().max(reach.1.abs()).max(1.0);
                (c.range.least().max(-far), c.range.greatest().min(far))
            }
            // Smaller whole numbers cost less than those of the starts; larger ones are tried with care.
            (false, _) if free => (reach.0.min(0.0), reach.1),
            (false, _) => *reach,
        });
        let ends: Vec<(f64, f64)> = ends.collect();
        let movable = (0..count)
            .filter(|&i| kinds[i] != Kind::Choice && ends[i].0 < ends[i].1)
            .collect();
        if count > 1 && !groups.contains(&(0..count)) {
            groups.push(0..count);
        }
        let spread = reach.iter().map(|&(low, high)| {
            let width = 0.3 * (high - low);
            let size = low.abs().max(high.abs());
            if width.is_finite() && width > 0.0 {
                width
            } else {
                size.clamp(1e-3, 1e3)
            }
        });
        let spread = spread.collect();
        let points: Vec<&[f64]> = starts.iter().map(|(_, x)| x.as_slice()).collect();
        let repairs = repairs(&groups, &squares, &points);
        starts.truncate(KEPT);
        Some(Space {
            chart,
            grid: kinds
                .iter()
                .map(|kind| f64::from(u8::from(*kind != Kind::Real)))
                .collect(),
            kinds,
            ends,
            reach,
            spread,
            movable,
            groups,
            squares,
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
            if self.kinds[index] != Kind::Real {
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

    /// The nearest point that has what all starts have in common, whole numbers whole, and every number within its ends.
    pub(super) fn restore(&self, point: &mut [f64]) {
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
                Repair::Mirror(start, size) => {
                    for i in 0..*size {
                        for j in 0..i {
                            point[start + j * size + i] = point[start + i * size + j];
                        }
                    }
                }
            }
        }
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

/// What all the points have in common. Two points may do so by chance, more hardly.
fn repairs(groups: &[Range<usize>], squares: &[(usize, usize)], points: &[&[f64]]) -> Vec<Repair> {
    if points.len() < 3 {
        return Vec::new();
    }
    let mut found = Vec::new();
    for group in groups.iter().filter(|g| g.len() > 1) {
        let all = |property: fn(&[f64]) -> bool| points.iter().all(|x| property(&x[group.clone()]));
        if all(|x| x.iter().all(|&x| x >= 0.0) && (x.iter().sum::<f64>() - 1.0).abs() < ALIKE) {
            found.push(Repair::Sum(group.clone()));
        } else if all(|x| (x.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < ALIKE) {
            found.push(Repair::Norm(group.clone()));
        }
    }
    for &(start, size) in squares {
        let mirrored = |x: &&[f64]| {
            let block = &x[start..start + size * size];
            (0..size).all(|i| (0..i).all(|j| block[i * size + j] == block[j * size + i]))
        };
        if points.iter().all(mirrored) {
            found.push(Repair::Mirror(start, size));
        }
    }
    found
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
        assert_eq!(repairs(&rows, &[(0, 2)], &mirrored), [Repair::Mirror(0, 2)]);
        assert!(
            repairs(&pair, &[], &laws[..2]).is_empty(),
            "two points may agree by chance"
        );
        let mut law = [0.2, -0.4, 0.1];
        to_unit_sum(&mut law);
        assert_eq!(law.iter().sum::<f64>(), 1.0);
        assert!(law.iter().all(|&p| p >= 0.0));
    }
}
