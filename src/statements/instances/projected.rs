//! Moving an assignment to where equations between its numbers are met, by Newton's steps in plain floating point.
//!
//! Nothing here is evidence: whether a solution lies next to what comes out is asked of enclosures afterwards.

use core_math as cr;

use super::assignment::Assignment;
use super::system::{MOST_EQUATIONS, System, solved};

/// Steps that are taken at most.
const STEPS: usize = 24;

/// How often a step is halved before it is given up.
const HALVINGS: usize = 5;

/// What a step has to leave of the residuals if the slopes are to be used once more.
const SLOW: f64 = 1e-2;

/// A step below this, as a fraction of the largest number, changes nothing.
const DONE: f64 = 2e-16;

/// A step below this that gains nothing is one into rounding errors.
const NOISE: f64 = 1e-11;

/// Within one step a number that keeps its sign changes by no more than this power of e.
const STRETCH: f64 = 3.0;

/// The assignment with its doubles moved so that its equations are met up to rounding; as it is where there are none, or no way is found.
pub(crate) fn projected(mut assignment: Assignment) -> Assignment {
    project(&mut assignment);
    assignment
}

/// The same in place.
pub(crate) fn project(assignment: &mut Assignment) {
    // More equations at once than can be shown to be met need not be solved.
    let links = assignment.declarations.equations.iter().map(|e| e.relations.len()).sum::<usize>();
    if links > MOST_EQUATIONS {
        return;
    }
    let found = System::of(assignment).and_then(|system| {
        // What is zero stays zero if it can: sparse instances are worth looking at.
        let kept: Vec<bool> = system.start.iter().map(|x| *x == 0.0).collect();
        let all = vec![false; kept.len()];
        let sparse = kept.contains(&true).then(|| descended(&system, &kept)).flatten();
        sparse.or_else(|| descended(&system, &all))
    });
    if let Some(found) = found {
        assignment.set_doubles(&found);
    }
}

/// The assignment with some of its doubles held and the others moved; none where that does not lead to a solution.
pub(crate) fn with_held(assignment: &Assignment, held: &[bool]) -> Option<Assignment> {
    let found = descended(&System::of(assignment)?, held)?;
    let mut moved = assignment.clone();
    moved.set_doubles(&found);
    Some(moved)
}

/// Where Newton's steps from the start of a system end; none where they lead nowhere.
fn descended(system: &System<'_>, held: &[bool]) -> Option<Vec<f64>> {
    let mut at = system.start.clone();
    let mut residuals = system.plainly(&at)?;
    let mut slopes: Option<Vec<Vec<f64>>> = None;
    for _ in 0..STEPS {
        if residuals.iter().all(|r| *r == 0.0) {
            return Some(at);
        }
        let is_fresh = slopes.is_none();
        let rows = slopes.get_or_insert_with(|| system.slopes(&at, &residuals));
        let weights = weights(system, &at, held);
        let direction = least(rows, &residuals, &weights)?;
        let norms: Vec<f64> =
            rows.iter().map(|row| row.iter().zip(&weights).map(|(s, w)| (s * w) * (s * w)).sum::<f64>()).collect();
        let size = |residuals: &[f64]| -> f64 {
            let scaled = residuals.iter().zip(&norms).map(|(r, n)| r * r / n.max(f64::MIN_POSITIVE));
            scaled.sum::<f64>().sqrt()
        };
        let before = size(&residuals);
        let mut there = moved(system, &at, &direction, &weights, 1.0);
        let asked = direction.iter().zip(&weights).map(|(d, w)| (d * w).abs());
        let far = asked.fold(0.0, f64::max) / system.scale(&at);
        if far <= DONE {
            return Some(at);
        }
        let mut step = 1.0;
        let mut after = None;
        // A step into rounding errors is tried once.
        for _ in 0..if far <= NOISE { 1 } else { HALVINGS } {
            if let Some(found) = system.plainly(&there).filter(|found| size(found) < before) {
                after = Some(found);
                break;
            }
            step *= 0.5;
            there = moved(system, &at, &direction, &weights, step);
        }
        match after {
            Some(after) => {
                if size(&after) > SLOW * before {
                    slopes = None;
                }
                (at, residuals) = (there, after);
            }
            None if far <= NOISE => return Some(at),
            None if is_fresh => return None,
            None => slopes = None,
        }
    }
    None
}

/// Whether a number has one end, and lies on which side of it: such numbers are moved by factors, so that they stay on their side.
fn end(system: &System<'_>, place: usize) -> Option<f64> {
    let (least, greatest) = system.ends[place];
    if least > f64::MIN {
        // An open end at zero has the smallest double for its least value.
        Some(if least.abs() < f64::MIN_POSITIVE { 0.0 } else { least })
    } else {
        (greatest < f64::MAX).then_some(greatest)
    }
}

/// How far each number is moved along a slope of one: not at all if it is held, in proportion to its distance from an end.
fn weights(system: &System<'_>, at: &[f64], held: &[bool]) -> Vec<f64> {
    let one = |(place, x): (usize, &f64)| match end(system, place) {
        _ if held[place] => 0.0,
        Some(end) => (x - end).abs(),
        None => 1.0,
    };
    at.iter().enumerate().map(one).collect()
}

/// The shortest step, in units of the weights, that makes the linearised residuals vanish.
fn least(slopes: &[Vec<f64>], residuals: &[f64], weights: &[f64]) -> Option<Vec<f64>> {
    let scaled: Vec<Vec<f64>> =
        slopes.iter().map(|row| row.iter().zip(weights).map(|(s, w)| s * w).collect()).collect();
    let product = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let gram = scaled.iter().map(|a| scaled.iter().map(|b| product(a, b)).collect()).collect();
    let multipliers = solved(gram, residuals.iter().map(|r| vec![-r]).collect())?;
    let along = |place: usize| scaled.iter().zip(&multipliers).map(|(row, m)| row[place] * m[0]).sum();
    Some((0..weights.len()).map(along).collect())
}

/// The numbers a step further, each within its ends.
fn moved(system: &System<'_>, at: &[f64], direction: &[f64], weights: &[f64], step: f64) -> Vec<f64> {
    let one = |(place, x): (usize, &f64)| {
        let by = step * direction[place];
        if by == 0.0 {
            return *x;
        }
        let (least, greatest) = system.ends[place];
        let to = match end(system, place) {
            // Away from an end by a factor; small steps as they are, which loses no digits.
            Some(end) if by.abs() > 1e-4 => {
                let side = (x - end).signum();
                end + (x - end) * cr::exp((side * by).clamp(-STRETCH, STRETCH))
            }
            _ => x + by * weights[place],
        };
        to.clamp(least, greatest)
    };
    at.iter().enumerate().map(one).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::instances::assignment::Raw;
    use crate::instances::statement::{Statement, Texts};

    fn moved(ranges: &str, given: &str, numbers: &[f64]) -> Vec<f64> {
        let statement = Statement::read(&Texts::of("0 <= 1").ranging(ranges).given(given)).unwrap();
        let own =
            Assignment { declarations: Arc::clone(&statement.declarations), values: vec![Raw::List(numbers.to_vec())] };
        projected(own).doubles()
    }

    #[test]
    fn numbers_move_to_where_the_equations_are_met() {
        let near = |found: Vec<f64>, wanted: &[f64]| {
            assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?}");
        };
        near(moved("x in R^3", "sum(x) = 1", &[2.0, 2.0, 2.0]), &[1.0 / 3.0; 3]);
        let round = moved("x in R^2", "norm(x) = 5", &[6.0, 8.0]);
        assert!(
            (round[0] - 3.0).abs() < 1e-6 && (round[0] * round[0] + round[1] * round[1] - 25.0).abs() < 1e-13,
            "{round:?}"
        );
        // What is zero stays zero, and what is positive positive.
        near(moved("x in R^3", "sum(x) = 1", &[3.0, 0.0, 0.0]), &[1.0, 0.0, 0.0]);
        let positive = moved("x in (0, inf)^3", "sum(x) = 1", &[1e-9, 5.0, 7.0]);
        assert!(positive.iter().all(|x| *x > 0.0) && (positive.iter().sum::<f64>() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn where_nothing_is_met_nothing_moves() {
        assert_eq!(moved("x in R^2", "dot(x, x) = -1", &[1.0, 2.0]), [1.0, 2.0]);
        assert_eq!(moved("x in [0, 1]^2", "sum(x) = 3", &[0.5, 0.5]), [0.5, 0.5]);
        assert_eq!(moved("x in R^2", "x[1] <= 3", &[1.0, 2.0]), [1.0, 2.0]);
    }
}
