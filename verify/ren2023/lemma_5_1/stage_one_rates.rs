//! How fast norms and correlations move at τ = 0, at a state with equal norms in both views.

use evidence::prelude::*;
use two_view::{DiagonalState, Objective};

use crate::shared::equal_norms::EqualNorms;

/// d/dt log κ_p², dρ_p/dt, N², Ψ, c_K and the noise share η.
pub struct StageOneRates {
    pub log_norm: Vec<Interval>,
    pub correlation: Vec<Interval>,
    pub square: Interval,
    pub agreement: Interval,
    pub speed: Interval,
    pub noise_share: Interval,
}

/// From the velocity on the diagonal manifold.
pub fn rates(s: &EqualNorms) -> Result<StageOneRates, MeasureError> {
    let (law, state) = (s.law()?, s.state());
    let objective = Objective::Contrastive { tau_squared: 0.0, negatives: s.negatives };
    let by = law.selection(&state, objective)?;
    let v: DiagonalState<Interval> = law.velocity(&state, objective)?;
    let groups = 0..s.signals.len();
    let k = Interval::point(s.negatives);
    let square = by.normalisers_squared[0];
    let speed = 2.0 * k / (1.0 + k);
    Ok(StageOneRates {
        log_norm: groups.clone().map(|p| v.a[p] / state.a[p]).collect(),
        correlation: groups.map(|p| (v.h[p] - s.signals[p].correlation * v.a[p]) / state.a[p]).collect(),
        agreement: by.scalar / speed,
        noise_share: s.noise.map_or(Interval::ZERO, |g| Interval::point(g.norm_squared)) / square,
        square,
        speed,
    })
}
