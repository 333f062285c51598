//! The gradient flow in Gram coordinates: a closed equation for a `2d x 2d` matrix at every width.

use super::MultimodalError;
use super::block::MatrixBlock;
use super::gram::GramState;
use super::objective::Objective;
use super::velocity::{Metrics, gram_velocity};
use enclosures::initial_value::{Solution, Tolerance, power_of_ten_above, solve};

/// States of a Gram flow at the asked times.
#[derive(Clone, Debug, PartialEq)]
pub struct GramOrbit {
    /// One state for each time.
    pub states: Vec<GramState<f64>>,
    /// Largest difference of an entry from a run with 32 times the tolerance: an estimate, see [`Solution::error`].
    pub error: f64,
    /// The tolerance that was achieved, in the units of the one asked for: [`Solution::achieved`].
    pub achieved: f64,
}

impl GramOrbit {
    /// The smallest power of ten that is not below the achieved tolerance.
    #[must_use]
    pub fn achieved_power(&self) -> f64 {
        power_of_ten_above(self.achieved)
    }
}

/// Follows `G' = R^T G + G R` from `start` at time 0 to the increasing `times`, to a `tolerance` per step relative to
/// the largest entry of the start.
///
/// # Errors
/// Times that do not increase from 0 on, a tolerance that is not positive or finer than doubles, metrics of another size,
/// a view whose output vanishes.
pub fn gram_orbit(
    start: &GramState<f64>,
    metrics: &Metrics<f64>,
    objective: Objective,
    times: &[f64],
    tolerance: f64,
) -> Result<GramOrbit, MultimodalError> {
    let (sizes, side) = (start.sizes(), start.gram().rows());
    let state_of = |x: &[f64]| GramState::new(sizes, MatrixBlock::new(side, side, x.to_vec())?);
    let velocity = |x: &[f64]| -> Result<Vec<f64>, MultimodalError> {
        Ok(gram_velocity(&state_of(x)?, metrics, objective)?.gram().entries().to_vec())
    };
    let solution = autonomous(velocity, start.gram().entries(), times, tolerance)?;
    let states = solution.states.iter().map(|x| state_of(x)).collect::<Result<_, _>>()?;
    Ok(GramOrbit { states, error: solution.error, achieved: solution.achieved })
}

/// A velocity that does not depend on time, to a tolerance relative to the largest coordinate of the start.
pub(super) fn autonomous(
    mut velocity: impl FnMut(&[f64]) -> Result<Vec<f64>, MultimodalError>,
    start: &[f64],
    times: &[f64],
    tolerance: f64,
) -> Result<Solution, MultimodalError> {
    let largest = start.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let tolerance = Tolerance { relative: tolerance, absolute: tolerance * if largest > 0.0 { largest } else { 1.0 } };
    solve(|_, x: &[f64]| velocity(x), start, times, tolerance)
}
