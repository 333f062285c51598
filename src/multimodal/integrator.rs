//! A fixed-step integrator of order eight: extrapolation of the midpoint rule with 2, 4, 6 and 8 substeps.
//!
//! Source: Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, section II.9. It is a Runge-Kutta method, so linear
//! invariants are kept to rounding; only the four operations are used, so the result is the same on every machine.

const SUBSTEPS: [usize; 4] = [2, 4, 6, 8];

/// The velocity of an autonomous flow at a point, or why it has none there.
pub trait Velocity<E>: FnMut(&[f64]) -> Result<Vec<f64>, E> {}

impl<E, F: FnMut(&[f64]) -> Result<Vec<f64>, E>> Velocity<E> for F {}

fn moved(from: &[f64], by: f64, along: &[f64]) -> Vec<f64> {
    from.iter().zip(along).map(|(x, v)| x + by * v).collect()
}

/// The midpoint rule over `step` in `count` (even) substeps, given the velocity at the start.
fn midpoint<E>(
    velocity: &mut impl Velocity<E>,
    start: &[f64],
    initial: &[f64],
    step: f64,
    count: usize,
) -> Result<Vec<f64>, E> {
    let h = step / count as f64;
    let mut before = start.to_vec();
    let mut now = moved(start, h, initial);
    for _ in 1..count {
        let next = moved(&before, 2.0 * h, &velocity(&now)?);
        before = std::mem::replace(&mut now, next);
    }
    Ok(now)
}

/// One step: the midpoint rules extrapolated to substeps of length zero.
fn extrapolated<E>(velocity: &mut impl Velocity<E>, start: &[f64], step: f64) -> Result<Vec<f64>, E> {
    let initial = velocity(start)?;
    let mut row: Vec<Vec<f64>> = Vec::new();
    for (j, &count) in SUBSTEPS.iter().enumerate() {
        let mut next = vec![midpoint(velocity, start, &initial, step, count)?];
        for k in 1..=j {
            let ratio = count as f64 / SUBSTEPS[j - k] as f64;
            let weight = 1.0 / (ratio * ratio - 1.0);
            let (fine, coarse) = (&next[k - 1], &row[k - 1]);
            next.push(fine.iter().zip(coarse).map(|(f, c)| f + weight * (f - c)).collect());
        }
        row = next;
    }
    Ok(row.pop().unwrap_or_default())
}

/// States at the asked times, and how far they can be trusted.
#[derive(Clone, Debug, PartialEq)]
pub struct Orbit {
    /// One state for each time.
    pub states: Vec<Vec<f64>>,
    /// The largest difference, over all times and coordinates, from a run with steps twice as long: an estimate (about 2^8
    /// times too large for smooth flows and small steps), not a bound.
    pub error: f64,
}

/// Follows a flow from `start` at time 0 to the increasing `times`, in equal steps of length at most `step` between them, and
/// again in steps of twice the number; the finer run is returned.
///
/// # Errors
/// What the velocity refuses.
pub fn follow<E>(mut velocity: impl Velocity<E>, start: &[f64], times: &[f64], step: f64) -> Result<Orbit, E> {
    let mut run = |refine: f64| -> Result<Vec<Vec<f64>>, E> {
        let (mut state, mut clock, mut states) = (start.to_vec(), 0.0, Vec::new());
        for &time in times {
            let span = time - clock;
            let count = (span / step).ceil().max(1.0) * refine;
            for _ in 0..count as u64 {
                state = extrapolated(&mut velocity, &state, span / count)?;
            }
            clock = time;
            states.push(state.clone());
        }
        Ok(states)
    };
    let (coarse, states) = (run(1.0)?, run(2.0)?);
    let differences = coarse
        .iter()
        .flatten()
        .zip(states.iter().flatten())
        .map(|(c, f)| (c - f).abs());
    // A NaN must not be lost in a maximum.
    let error = differences.fold(0.0, |e: f64, x| if e.is_nan() || x <= e { e } else { x });
    Ok(Orbit { states, error })
}
