//! Initial value problems `y' = f(t, y)`, `y(0) = y_0`, solved with error control, and the tolerance that was achieved.
//!
//! The solver extrapolates the explicit midpoint rule with 2, 4, 6 and 8 steps to step length zero, which is a Runge-Kutta
//! method of order 8 (Gragg, Bulirsch, Stoer; Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, section
//! II.9). It controls the error of every step; what becomes of these errors by the end is up to the flow, so every problem
//! is solved twice, and the difference of the two runs is reported. That is an estimate, not a bound, so what is judged by
//! it is `measured`: where a proof is needed, use an enclosed orbit (a Taylor method on intervals).
//!
//! Like every Runge-Kutta method it keeps linear invariants to rounding. It uses the four operations and the square root
//! only, so that the same problem takes the same steps on every machine; the solvers in crates that were looked at choose
//! their steps by the platform's `powf`, whose last bit differs from processor to processor.

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
        Tolerance { relative: both, absolute: both }
    }

    fn check(self) -> Result<(), InitialValueError> {
        let fine = self.relative >= FINEST && self.relative < 1.0 && self.absolute > 0.0 && self.absolute.is_finite();
        if fine {
            Ok(())
        } else {
            Err(InitialValueError::Tolerance { relative: self.relative, absolute: self.absolute })
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
#[must_use]
pub fn power_of_ten_above(x: f64) -> f64 {
    core_math::exp10(core_math::log10(x).ceil())
}

impl Solution {
    /// The smallest power of ten that is not below [`Solution::achieved`]: further digits of an estimate are not worth
    /// printing.
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
#[non_exhaustive]
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

/// Numbers of midpoint steps whose results are extrapolated to step length zero.
const SUBSTEPS: [usize; 4] = [2, 4, 6, 8];

/// A rejected step is tried again no shorter than this fraction of it, and an accepted one followed by none longer than [`LONGEST`] times it.
const SHORTEST: f64 = 0.2;
const LONGEST: f64 = 4.0;

/// The step whose error is expected to be the tolerance is shortened by this much.
const SAFETY: f64 = 0.9;

fn root_mean_square(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0), |(sum, count), x| (sum + x * x, count + 1));
    (sum / f64::from(count)).sqrt()
}

/// One problem on its way: where it is, the length of the next step, and what was spent.
struct Integration<F, E> {
    velocity: F,
    tolerance: Tolerance,
    clock: f64,
    state: Vec<f64>,
    /// Length of the next step; none before the first.
    step: Option<f64>,
    /// The last refusal of the velocity, which counts as a step that is too long.
    refused: Option<E>,
    steps: u32,
    tried: u32,
    evaluations: u32,
}

impl<F, E> Integration<F, E>
where
    F: FnMut(f64, &[f64]) -> Result<Vec<f64>, E>,
    E: From<InitialValueError>,
{
    fn velocity_at(&mut self, time: f64, state: &[f64]) -> Option<Vec<f64>> {
        self.evaluations += 1;
        let found = (self.velocity)(time, state).and_then(|v| {
            let (found, expected) = (v.len(), state.len());
            if found == expected { Ok(v) } else { Err(InitialValueError::Dimension { found, expected }.into()) }
        });
        match found {
            Ok(v) => v.iter().all(|x| x.is_finite()).then_some(v),
            Err(e) => {
                self.refused = Some(e);
                None
            }
        }
    }

    /// The explicit midpoint rule with so many steps over a length; an even number, so that its error is a series in the square of the
    /// step (Gragg; Hairer, Nørsett, Wanner, theorem II.8.10).
    fn midpoints(&mut self, length: f64, substeps: usize, first: &[f64]) -> Option<Vec<f64>> {
        let h = length / substeps as f64;
        let mut before = self.state.clone();
        let mut now: Vec<f64> = before.iter().zip(first).map(|(y, v)| y + h * v).collect();
        for step in 1..substeps {
            let v = self.velocity_at(self.clock + h * step as f64, &now)?;
            let next = before.iter().zip(&v).map(|(y, v)| y + 2.0 * h * v).collect();
            before = std::mem::replace(&mut now, next);
        }
        Some(now)
    }

    /// The extrapolated state after a step (order 8), and how many times the tolerance it differs from the one of order 6.
    fn attempt(&mut self, length: f64, first: &[f64]) -> Option<(Vec<f64>, f64)> {
        let mut row: Vec<Vec<f64>> = Vec::new();
        for (j, &substeps) in SUBSTEPS.iter().enumerate() {
            let mut next = vec![self.midpoints(length, substeps, first)?];
            for k in 0..j {
                let ratio = substeps as f64 / SUBSTEPS[j - 1 - k] as f64;
                let divisor = ratio * ratio - 1.0;
                let better = next[k].iter().zip(&row[k]).map(|(fine, coarse)| fine + (fine - coarse) / divisor);
                next.push(better.collect());
            }
            row = next;
        }
        let best = row.pop()?;
        let allowed = |y: f64, z: f64| self.tolerance.absolute + self.tolerance.relative * y.abs().max(z.abs());
        let off = self.state.iter().zip(&best).zip(row.last()?);
        let error = root_mean_square(off.map(|((y, z), w)| (z - w) / allowed(*y, *z)));
        (error.is_finite() && best.iter().all(|x| x.is_finite())).then_some((best, error))
    }

    /// A first step: a hundredth of the time in which the state would change by its own size.
    fn first_step(&self, left: f64, first: &[f64]) -> f64 {
        let scale = |y: f64| self.tolerance.absolute / self.tolerance.relative + y.abs();
        let relative = |v: &[f64]| root_mean_square(v.iter().zip(&self.state).map(|(v, y)| v / scale(*y)));
        let (size, speed) = (relative(&self.state), relative(first));
        let guess = 0.01 * size.max(1e-5) / speed;
        if guess.is_finite() { guess.min(left) } else { left }
    }

    fn advance(&mut self, time: f64) -> Result<(), E> {
        while self.clock < time {
            let left = time - self.clock;
            let state = self.state.clone();
            let first = self.velocity_at(self.clock, &state);
            let mut length = self.step.unwrap_or_else(|| self.first_step(left, first.as_deref().unwrap_or(&[])));
            loop {
                if self.tried >= MOST_STEPS {
                    return Err(InitialValueError::TooManySteps { time: self.clock }.into());
                }
                self.tried += 1;
                let last = length >= left;
                let taken = if last { left } else { length };
                let too_short = taken <= 16.0 * f64::EPSILON * self.clock || taken < f64::MIN_POSITIVE;
                if too_short && !last {
                    let ended = InitialValueError::Underflow { time: self.clock };
                    return Err(self.refused.take().unwrap_or_else(|| ended.into()));
                }
                let found = first.as_ref().and_then(|first| self.attempt(taken, first));
                // The eighth root by three square roots, which every machine rounds alike: a little shorter than the seventh root that
                // the order of the estimate suggests.
                let ideal = |error: f64| SAFETY / error.max(1e-12).sqrt().sqrt().sqrt();
                match found {
                    Some((end, error)) if error <= 1.0 => {
                        self.state = end;
                        self.clock = if last { time } else { self.clock + taken };
                        self.steps += 1;
                        let next = taken * ideal(error).clamp(SHORTEST, LONGEST);
                        // A step that was cut short by the end says little about the next one.
                        self.step = Some(if last { next.max(length) } else { next });
                        break;
                    }
                    Some((_, error)) => length = taken * ideal(error).clamp(SHORTEST, SAFETY),
                    None => length = taken * SHORTEST,
                }
            }
        }
        Ok(())
    }
}

struct Run {
    states: Vec<Vec<f64>>,
    steps: u32,
    evaluations: u32,
}

/// One run; no step passes over an asked time, so that nothing is interpolated.
fn run<F, E>(velocity: F, start: &[f64], times: &[f64], tolerance: Tolerance) -> Result<Run, E>
where
    F: FnMut(f64, &[f64]) -> Result<Vec<f64>, E>,
    E: From<InitialValueError>,
{
    let mut integration = Integration {
        velocity,
        tolerance,
        clock: 0.0,
        state: start.to_vec(),
        step: None,
        refused: None,
        steps: 0,
        tried: 0,
        evaluations: 0,
    };
    let mut states = Vec::with_capacity(times.len());
    for &time in times {
        integration.advance(time)?;
        states.push(integration.state.clone());
    }
    Ok(Run { states, steps: integration.steps, evaluations: integration.evaluations })
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
/// use contrapositive_enclosures::initial_value::{InitialValueError, Tolerance, solve};
/// let circle = |_: f64, y: &[f64]| Ok::<_, InitialValueError>(vec![-y[1], y[0]]);
/// let turned = solve(circle, &[1.0, 0.0], &[std::f64::consts::PI], Tolerance::of(1e-10))?;
/// assert!((turned.states[0][0] + 1.0).abs() <= turned.error && turned.achieved < 1e-9);
/// # Ok::<(), InitialValueError>(())
/// ```
pub fn solve<F, E>(mut velocity: F, start: &[f64], times: &[f64], tolerance: Tolerance) -> Result<Solution, E>
where
    F: FnMut(f64, &[f64]) -> Result<Vec<f64>, E>,
    E: From<InitialValueError>,
{
    check(start, times)?;
    tolerance.check()?;
    let finer = Tolerance { relative: tolerance.relative / REFINEMENT, absolute: tolerance.absolute / REFINEMENT };
    let coarse = run(&mut velocity, start, times, tolerance)?;
    let fine = run(&mut velocity, start, times, finer)?;
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
