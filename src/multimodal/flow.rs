//! The gradient flow in Gram coordinates: a closed equation for a `2d x 2d` matrix at every width.

use super::MultimodalError;
use super::block::Block;
use super::error::check_domain;
use super::gram::GramState;
use super::integrator::follow;
use super::objective::Objective;
use super::velocity::{Metrics, gram_velocity};

/// States of a Gram flow at the asked times.
#[derive(Clone, Debug, PartialEq)]
pub struct GramOrbit {
    /// One state for each time.
    pub states: Vec<GramState<f64>>,
    /// Largest difference of an entry from a run with steps twice as long.
    pub error: f64,
}

/// Follows `G' = R^T G + G R` from `start` at time 0 to the increasing `times`, in steps of at most `step` and again of half that.
///
/// # Errors
/// Times that do not increase from 0 on, a step that is not positive, metrics of another size, a view whose output vanishes.
pub fn gram_orbit(
    start: &GramState<f64>,
    metrics: &Metrics<f64>,
    objective: Objective,
    times: &[f64],
    step: f64,
) -> Result<GramOrbit, MultimodalError> {
    check_times(times, step)?;
    let (sizes, side) = (start.sizes(), start.gram().rows());
    let state_of = |x: &[f64]| GramState::new(sizes, Block::new(side, side, x.to_vec())?);
    let velocity = |x: &[f64]| -> Result<Vec<f64>, MultimodalError> {
        Ok(gram_velocity(&state_of(x)?, metrics, objective)?
            .gram()
            .entries()
            .to_vec())
    };
    let orbit = follow(velocity, start.gram().entries(), times, step)?;
    let states = orbit.states.iter().map(|x| state_of(x)).collect::<Result<_, _>>()?;
    Ok(GramOrbit {
        states,
        error: orbit.error,
    })
}

/// Refuses times that do not increase from 0 on, and steps that are not positive.
pub(super) fn check_times(times: &[f64], step: f64) -> Result<(), MultimodalError> {
    check_domain("the step", step, |s| s > 0.0 && s.is_finite(), "positive and finite")?;
    let mut clock = 0.0;
    for &time in times {
        check_domain(
            "a time",
            time,
            |t| t >= clock && t.is_finite(),
            "finite and not before its predecessor",
        )?;
        clock = time;
    }
    Ok(())
}
