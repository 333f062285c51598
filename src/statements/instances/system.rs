//! The equations that the values of an assignment are to meet, as functions of its doubles.

use enclosures::work;

use super::assignment::Assignment;
use crate::formulas::domain::Domain;
use crate::formulas::evaluate::{Evaluator, STEPS_OF_AN_OPERATION};
use crate::numbers::number::Number;

/// The equations with the place at which they are looked at.
pub(crate) struct System<'a> {
    assignment: &'a Assignment,
    /// All doubles of the assignment.
    pub(crate) start: Vec<f64>,
    /// The least and the greatest value of each.
    pub(crate) ends: Vec<(f64, f64)>,
}

/// Equations that are met at once, at most.
pub(crate) const MOST_EQUATIONS: usize = 12;

/// The fraction of a number by which it is moved to measure a slope.
const STEP: f64 = 1e-7;

/// What it costs to look at the equations, beside the steps of their evaluation.
const LOOK: u64 = 10;

/// Numbers this much smaller than the largest are moved as if they were larger.
const SMALL: f64 = 1e-3;

impl<'a> System<'a> {
    /// The equations of an assignment; none if there are none.
    pub(crate) fn of(assignment: &'a Assignment) -> Option<Self> {
        if assignment.declarations.equations.is_empty() {
            return None;
        }
        let variables = assignment.declarations.variables.iter().zip(&assignment.values);
        let ends = variables.flat_map(|(variable, raw)| {
            let ends = match &variable.domain {
                Domain::Real(range) | Domain::Vector { range, .. } | Domain::Matrix { range, .. } => {
                    (range.least(), range.greatest())
                }
                Domain::Simplex(_) | Domain::Stochastic { .. } => (0.0, f64::MAX),
                _ => (f64::MIN, f64::MAX),
            };
            std::iter::repeat_n(ends, raw.count())
        });
        Some(System { assignment, start: assignment.doubles(), ends: ends.collect() })
    }

    /// The left side minus the right side of every equation; none where one is not defined.
    pub(crate) fn residuals<N: Number>(&self, number: &mut dyn FnMut(usize, f64) -> N) -> Option<Vec<N>> {
        let values = self.assignment.lifted_by(number).ok()?;
        let mut found = Vec::new();
        work::spend(LOOK);
        for equation in &self.assignment.declarations.equations {
            let mut sides = Vec::with_capacity(equation.sides.len());
            for side in &equation.sides {
                let mut evaluator = Evaluator::new(&values);
                sides.push(evaluator.scalar(side).ok()?);
                work::spend((evaluator.steps() / STEPS_OF_AN_OPERATION) as u64);
            }
            found.extend(sides.windows(2).map(|pair| pair[0].clone().minus(pair[1].clone())));
        }
        Some(found)
    }

    /// The same in plain floating point; none where one is not finite.
    pub(crate) fn plainly(&self, at: &[f64]) -> Option<Vec<f64>> {
        let found = self.residuals(&mut |place, _| at[place])?;
        found.iter().all(|r| r.is_finite()).then_some(found)
    }

    /// The slopes of the residuals along every number, a row for each equation, by differences in plain floating point.
    pub(crate) fn slopes(&self, at: &[f64], residuals: &[f64]) -> Vec<Vec<f64>> {
        let mut rows = vec![vec![0.0; at.len()]; residuals.len()];
        let scale = self.scale(at);
        let mut moved = at.to_vec();
        for (place, &x) in at.iter().enumerate() {
            let step = STEP * x.abs().max(SMALL * scale);
            for to in [x + step, x - step] {
                moved[place] = to;
                let is_inside = self.ends[place].0 <= to && to <= self.ends[place].1;
                if let Some(there) = is_inside.then(|| self.plainly(&moved)).flatten() {
                    for ((row, after), before) in rows.iter_mut().zip(&there).zip(residuals) {
                        row[place] = (after - before) / (to - x);
                    }
                    break;
                }
            }
            moved[place] = x;
        }
        rows
    }

    /// The size of the largest number; one if all are zero.
    pub(crate) fn scale(&self, at: &[f64]) -> f64 {
        let largest = at.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if largest == 0.0 { 1.0 } else { largest }
    }
}

/// The solutions of a square system of linear equations with these right sides, each a column; none if it is singular in floating point.
pub(crate) fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    for column in 0..n {
        let pivot = (column..n).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let (top, known) = (matrix[column].clone(), right[column].clone());
        if !(top[column].is_finite() && top[column].abs() > f64::MIN_POSITIVE) {
            return None;
        }
        for (row, (coefficients, numbers)) in matrix.iter_mut().zip(&mut right).enumerate() {
            if row == column {
                continue;
            }
            let factor = coefficients[column] / top[column];
            coefficients.iter_mut().zip(&top).for_each(|(x, t)| *x -= factor * t);
            numbers.iter_mut().zip(&known).for_each(|(x, k)| *x -= factor * k);
        }
    }
    for (row, (numbers, coefficients)) in right.iter_mut().zip(&matrix).enumerate() {
        numbers.iter_mut().for_each(|x| *x /= coefficients[row]);
    }
    let is_finite = right.iter().flatten().all(|x| x.is_finite());
    is_finite.then_some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_systems_are_solved_and_singular_ones_are_refused() {
        let matrix = vec![vec![0.0, 2.0], vec![1.0, 1.0]];
        assert_eq!(solved(matrix, vec![vec![4.0], vec![5.0]]), Some(vec![vec![3.0], vec![2.0]]));
        assert_eq!(solved(vec![vec![1.0, 1.0], vec![1.0, 1.0]], vec![vec![1.0], vec![1.0]]), None);
    }
}
