//! Initial value problems `y' = f(t, y)`, `y(0) = y_0`, solved with error control, and the tolerance that was achieved.
//!
//! The solver is the Dormand-Prince method of order 8(5,3) of the crate `ode_solvers` (Hairer, Nørsett, Wanner, Solving
//! Ordinary Differential Equations I, section II.5). It controls the error of every step; what becomes of these errors
//! by the end is up to the flow, so every problem is solved twice, and the difference of the two runs is reported. That
//! is an estimate, not a bound: where a proof is needed, use the enclosed flows of [`crate::flow`].
//!
//! Like every Runge-Kutta method it keeps linear invariants to rounding. The crate chooses the lengths of its steps by the
//! platform's `powf`, so that two machines may differ by rounding errors; print fewer digits than
//! [`Solution::achieved`] promises.

use std::cell::RefCell;

use ode_solvers::dop_shared::{IntegrationError, OutputType};
use ode_solvers::{DVector, Dop853, System};
use thiserror::Error;

use crate::interval::Interval;

/// The most steps of one run, rejected ones included.
pub const MOST_STEPS: u32 = 100_000;

/// The second run is asked for so many times less.
const REFINEMENT: f64 = 32.0;

/// Below this a relative tolerance asks for more than doubles can give.
const FINEST: f64 = REFINEMENT * 4.0 * f64::EPSILON;

/// Local errors of coordinate i are kept below `absolute + relative * |y_i|`, in the root mean square over i (time is one of the
/// coordinates, and has no error).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Per unit of the coordinate.
    pub relative: f64,
    /// In units of the coordinate.
    pub absolute: f64,
}

impl Tolerance {
    /// The same number for both, for problems whose coordinates are of order one.
    #[must_use]
    pub fn of(both: f64) -> Self {
        Tolerance {
            relative: both,
            absolute: both,
        }
    }

    fn check(self) -> Result<(), InitialValueError> {
        let fine = self.relative >= FINEST && self.relative < 1.0 && self.absolute > 0.0 && self.absolute.is_finite();
        if fine {
            Ok(())
        } else {
            Err(InitialValueError::Tolerance {
                relative: self.relative,
                absolute: self.absolute,
            })
        }
    }
}

/// States at the asked times, and how far they can be trusted.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// One state for each time, from the run with a 32nd of the tolerance.
    pub states: Vec<Vec<f64>>,
    /// The largest error of a coordinate over all times, estimated: the difference between the runs with the asked tolerance and
    /// with a 32nd of it, plus that finer tolerance (two runs may take the same steps), plus one rounding error of the
    /// largest coordinate for each step. The states are those of the finer run, so this is pessimistic; but no bound.
    pub error: f64,
    /// The same with the error of coordinate i divided by `|y_i| + absolute/relative`: comparable with the relative
    /// tolerance that was asked for, and at least a 32nd of it.
    pub achieved: f64,
    /// Accepted steps of the finer run.
    pub steps: u32,
    /// Evaluations of the velocity in both runs.
    pub evaluations: u32,
}

/// The smallest power of ten that is not below a positive number.
pub(crate) fn power_of_ten_above(x: f64) -> f64 {
    core_math::exp10(core_math::log10(x).ceil())
}

impl Solution {
    /// The smallest power of ten that is not below [`Solution::achieved`]: further digits of an estimate are not worth
    /// printing, and may differ from machine to machine.
    #[must_use]
    pub fn achieved_power(&self) -> f64 {
        power_of_ten_above(self.achieved)
    }

    /// How many coordinates of the state at time `index` are further than ten times [`Solution::error`], which is an
    /// estimate, from intervals that are known to contain them; all of them if there is no such time or the numbers of
    /// coordinates differ.
    #[must_use]
    pub fn disagreements(&self, index: usize, exact: &[Interval]) -> usize {
        match self.states.get(index) {
            Some(state) if state.len() == exact.len() => {
                // Counted the other way round, so that a NaN does not pass for agreement.
                let near = |(x, y): &(&f64, &Interval)| (**y - **x).mignitude() <= 10.0 * self.error;
                exact.len() - state.iter().zip(exact).filter(near).count()
            }
            _ => exact.len().max(1),
        }
    }
}

/// Why a problem has no solution here.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum InitialValueError {
    /// A tolerance that cannot be met, or is none.
    #[error(
        "relative tolerance {relative}, absolute tolerance {absolute}: the first must lie in [{FINEST:e}, 1), the \
         second be positive"
    )]
    Tolerance {
        /// The relative one.
        relative: f64,
        /// The absolute one.
        absolute: f64,
    },
    /// Times are finite and do not decrease from zero on.
    #[error("time {index} is {value}, which is not finite or lies before its predecessor (or zero)")]
    Time {
        /// Its index, from 0.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// No coordinate, or a velocity with another number of them.
    #[error("the velocity has {found} coordinates, the start {expected} (at least one)")]
    Dimension {
        /// Coordinates of the velocity.
        found: usize,
        /// Coordinates of the start.
        expected: usize,
    },
    /// The start has a coordinate that is NaN or infinite.
    #[error("coordinate {index} of the start is {value}")]
    Start {
        /// Its index, from 0.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// No step is short enough: a pole, or a velocity that is not finite there.
    #[error("no step from time {time} is short enough: the solution seems to end there")]
    Underflow {
        /// How far the solution was followed.
        time: f64,
    },
    /// A problem that is too stiff or too long for an explicit method.
    #[error("more than {MOST_STEPS} steps, at time {time}")]
    TooManySteps {
        /// How far the solution was followed.
        time: f64,
    },
}

/// The velocity as the crate wants it: it cannot fail there, so refusals become NaN (the step is tried again, shorter) and
/// the last of them is kept.
///
/// The last coordinate is the time, with velocity one. Version 0.6.2 of the crate evaluates the twelfth stage of a velocity that
/// depends on time at the start of the step instead of its end (`c_12 = 0` in its table); the coordinate is where it should be.
struct Field<'a, F, E> {
    velocity: &'a RefCell<F>,
    refused: &'a RefCell<Option<E>>,
}

impl<F, E> System<f64, DVector<f64>> for Field<'_, F, E>
where
    F: FnMut(f64, &[f64]) -> Result<Vec<f64>, E>,
    E: From<InitialValueError>,
{
    fn system(&self, _: f64, state: &DVector<f64>, out: &mut DVector<f64>) {
        let Some((&time, state)) = state.as_slice().split_last() else {
            return;
        };
        let found = (*self.velocity.borrow_mut())(time, state).and_then(|v| {
            let (found, expected) = (v.len(), state.len());
            if found == expected {
                Ok(v)
            } else {
                Err(InitialValueError::Dimension { found, expected }.into())
            }
        });
        match found {
            Ok(velocity) => {
                for (out, v) in out.iter_mut().zip(velocity.into_iter().chain([1.0])) {
                    *out = v;
                }
            }
            Err(e) => {
                out.fill(f64::NAN);
                *self.refused.borrow_mut() = Some(e);
            }
        }
    }

    /// Nothing is left to follow once a coordinate has overflowed.
    fn solout(&mut self, _: f64, state: &DVector<f64>, _: &DVector<f64>) -> bool {
        state.iter().any(|x| !x.is_finite())
    }
}

struct Run {
    states: Vec<Vec<f64>>,
    steps: u32,
    evaluations: u32,
}

/// One run; the solver is started anew at every time, because its interpolant is of lower order than its steps.
fn run<F, E>(velocity: &RefCell<F>, start: &[f64], times: &[f64], tolerance: Tolerance) -> Result<Run, E>
where
    F: FnMut(f64, &[f64]) -> Result<Vec<f64>, E>,
    E: From<InitialValueError>,
{
    let mut run = Run {
        states: Vec::with_capacity(times.len()),
        steps: 0,
        evaluations: 0,
    };
    let (mut state, mut clock, mut tried) = (start.to_vec(), 0.0, 0);
    for &time in times {
        if time > clock {
            let refused = RefCell::new(None);
            let field = Field {
                velocity,
                refused: &refused,
            };
            let mut solver = Dop853::from_param(
                field,
                clock,
                time,
                0.0,
                DVector::from_iterator(start.len() + 1, state.iter().copied().chain([clock])),
                tolerance.relative,
                tolerance.absolute,
                0.9,
                0.0,
                1.0 / 3.0,
                6.0,
                time - clock,
                0.0,
                MOST_STEPS - tried,
                // The test for stiffness gives up early; an explicit method is slow there, not wrong.
                u32::MAX,
                OutputType::Sparse,
            );
            let outcome = solver.integrate();
            let reached = solver.x_out().last().copied().unwrap_or(clock);
            match outcome {
                Ok(counts) => {
                    run.steps += counts.accepted_steps;
                    run.evaluations += counts.num_eval;
                    tried += counts.accepted_steps + counts.rejected_steps;
                }
                Err(IntegrationError::MaxNumStepReached { x, .. }) => {
                    return Err(InitialValueError::TooManySteps { time: x }.into());
                }
                Err(IntegrationError::StepSizeUnderflow { x } | IntegrationError::StiffnessDetected { x }) => {
                    return Err(refused
                        .take()
                        .unwrap_or_else(|| InitialValueError::Underflow { time: x }.into()));
                }
            }
            match solver.y_out().last() {
                Some(end) if end.iter().all(|x| x.is_finite()) => {
                    state = end.as_slice()[..start.len()].to_vec();
                }
                _ => return Err(InitialValueError::Underflow { time: reached }.into()),
            }
            clock = time;
        }
        run.states.push(state.clone());
    }
    Ok(run)
}

/// Follows `y' = velocity(t, y)` from `start` at time 0 to the `times`, which do not decrease.
///
/// Where the velocity refuses a point or is not finite, the step that led there is tried again, shorter: the solution may
/// come close to the border of its domain.
///
/// # Errors
/// What the velocity refuses at a point that no shorter step avoids; or an [`InitialValueError`]: bad tolerances, times or
/// starts, a velocity of another dimension, a solution that ends before the last time, too many steps.
///
/// ```
/// use contrapositive::initial_value::{InitialValueError, Tolerance, solve};
/// let circle = |_: f64, y: &[f64]| Ok::<_, InitialValueError>(vec![-y[1], y[0]]);
/// let turned = solve(circle, &[1.0, 0.0], &[std::f64::consts::PI], Tolerance::of(1e-10))?;
/// assert!((turned.states[0][0] + 1.0).abs() <= turned.error && turned.achieved < 1e-9);
/// # Ok::<(), InitialValueError>(())
/// ```
pub fn solve<F, E>(velocity: F, start: &[f64], times: &[f64], tolerance: Tolerance) -> Result<Solution, E>
where
    F: FnMut(f64, &[f64]) -> Result<Vec<f64>, E>,
    E: From<InitialValueError>,
{
    check(start, times)?;
    tolerance.check()?;
    let velocity = RefCell::new(velocity);
    let finer = Tolerance {
        relative: tolerance.relative / REFINEMENT,
        absolute: tolerance.absolute / REFINEMENT,
    };
    let coarse = run(&velocity, start, times, tolerance)?;
    let fine = run(&velocity, start, times, finer)?;
    let floor = tolerance.absolute / tolerance.relative;
    let rounding = f64::EPSILON * f64::from(fine.steps);
    let (mut error, mut achieved, mut largest): (f64, f64, f64) = (0.0, 0.0, 0.0);
    for (c, f) in coarse.states.iter().flatten().zip(fine.states.iter().flatten()) {
        error = error.max((c - f).abs() + finer.absolute + finer.relative * f.abs());
        achieved = achieved.max((c - f).abs() / (f.abs() + floor));
        largest = largest.max(f.abs());
    }
    Ok(Solution {
        error: error + rounding * largest,
        achieved: achieved + finer.relative + rounding,
        steps: fine.steps,
        evaluations: coarse.evaluations + fine.evaluations,
        states: fine.states,
    })
}

fn check(start: &[f64], times: &[f64]) -> Result<(), InitialValueError> {
    if start.is_empty() {
        return Err(InitialValueError::Dimension { found: 0, expected: 0 });
    }
    if let Some((index, &value)) = start.iter().enumerate().find(|(_, x)| !x.is_finite()) {
        return Err(InitialValueError::Start { index, value });
    }
    let mut clock = 0.0;
    for (index, &value) in times.iter().enumerate() {
        if !value.is_finite() || value < clock {
            return Err(InitialValueError::Time { index, value });
        }
        clock = value;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
