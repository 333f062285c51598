//! The flow of the positive pairs a second time: its equations in the clock θ, solved with error control.

use enclosures::initial_value::{InitialValueError, Solution, Tolerance, solve};
use evidence::prelude::*;
use two_view::PositivePairsState;

use crate::shared::equal_norms::EqualNorms;

/// Beyond this σ_max²θ an explicit method takes its time.
const LONGEST: f64 = 500.0;

/// log κ_p² and ρ_p of every group, log of the noise norm if there is any, and ∫N² dθ at the clock, from
///
/// ρ_p′ = σ_p²(1 − ρ_p²), (log κ_p²)′ = σ_p²(ρ_p − Ψ), (log n)′ = −σ_ξ²(r/q)Ψ, Ψ = Σκ_p²ρ_p/(rN²), N² = Σκ_p²/r + n,
///
/// all of them times `speed`. None if the clock is too long.
pub(super) fn solved(s: &EqualNorms, speed: f64) -> Result<Option<Solution>, MeasureError> {
    if s.strongest() * s.clock > LONGEST {
        return Ok(None);
    }
    let (groups, r) = (s.signals.len(), s.signal());
    let velocity = |_: f64, x: &[f64]| -> Result<Vec<f64>, InitialValueError> {
        let (logs, rest) = x.split_at(groups);
        let (correlations, rest) = rest.split_at(groups);
        let share = |p: usize| f64::from(s.signals[p].copies) / r * core_math::exp(logs[p]);
        let noise = s.noise.map_or(0.0, |_| core_math::exp(rest[0]));
        let square = (0..groups).map(share).sum::<f64>() + noise;
        let agreement = (0..groups).map(|p| share(p) * correlations[p]).sum::<f64>() / square;
        let strength = |p: usize| speed * s.signals[p].sigma_squared;
        let norms = (0..groups).map(|p| strength(p) * (correlations[p] - agreement));
        let turns = (0..groups).map(|p| strength(p) * (1.0 - correlations[p] * correlations[p]));
        let decay = s.noise.map(|g| -speed * g.sigma_squared * r / f64::from(g.copies) * agreement);
        Ok(norms.chain(turns).chain(decay).chain([speed * square]).collect())
    };
    let log = |x: f64| core_math::log(x);
    let start: Vec<f64> = (s.signals.iter().map(|g| log(g.kappa_squared)))
        .chain(s.signals.iter().map(|g| g.correlation))
        .chain(s.noise.map(|g| log(g.norm_squared)))
        .chain([0.0])
        .collect();
    Ok(Some(solve(velocity, &start, &[s.clock], Tolerance::of(1e-11))?))
}

/// The same numbers in closed form.
pub(super) fn closed(at: &PositivePairsState, distance: Interval) -> Vec<Interval> {
    let logs = at.log_kappa_squared.iter().chain(&at.correlation);
    logs.chain(&at.log_noise).copied().chain([distance]).collect()
}
