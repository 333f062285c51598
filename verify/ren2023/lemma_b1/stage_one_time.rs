//! When Stage 1 ends: an explicit bound of its clock, and the condition number at its end as the noise block grows.

use evidence::prelude::*;
use serde::{Deserialize, Serialize};
use two_view::{PositivePairsFlow, PositivePairsState};

use crate::shared::equal_norms::{EqualNorms, log_condition};

/// log of the largest noise norm over the smallest signal norm, squared.
pub fn log_noise_ratio(at: &PositivePairsState) -> Option<Interval> {
    let least = at.log_kappa_squared.iter().copied().reduce(Interval::min)?;
    Some(at.log_noise? - least)
}

/// 1 − min ρ.
pub fn rest(at: &PositivePairsState) -> Interval {
    1.0 - at.correlation.iter().copied().fold(Interval::ONE, Interval::min)
}

/// θ* for δ_− = δ_{N/S} = δ.
pub fn clock_bound(s: &EqualNorms, flow: &PositivePairsFlow, delta: f64) -> Interval {
    let weakest = Interval::point(s.weakest());
    let alignment = (2.0 / Interval::point(delta)).ln() / (2.0 * weakest);
    let Some(g) = s.noise else { return alignment };
    let mean =
        s.signals.iter().map(|g| Interval::point(g.sigma_squared) * f64::from(g.copies)).sum::<Interval>() / s.signal();
    let agreement = 0.375 * mean / s.largest_normaliser(flow);
    let digits =
        (2.0 * Interval::point(g.sigma_squared) / (weakest * Interval::point(delta).square())).ln().max(Interval::ZERO);
    alignment.max(1.0 / weakest + digits * f64::from(g.copies) / (s.signal() * g.sigma_squared * agreement))
}

/// Two signals of strengths s and 1, noise of strength σ_ξ², growing q; Stage 1 ends at targets δd^{−a}.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "σ² = ({strength}, 1), σ_ξ² = {noise_squared}, targets {delta}·d^−{fall}, d = 20 to 10⁵", stored)]
pub struct GrowingNoise {
    #[instance(range = "1..=20", scale = "logarithmic")]
    pub strength: f64,
    #[instance(range = "0.01..=10", scale = "logarithmic")]
    pub noise_squared: f64,
    /// The factor δ of both targets.
    #[instance(range = "1e-4..=1", scale = "logarithmic")]
    pub delta: f64,
    /// The exponent a; 0 for targets that do not depend on d.
    #[instance(range = "0..=0.5")]
    pub fall: f64,
}

const DIMENSIONS: [u32; 4] = [20, 200, 2000, 100_000];

/// log cond(κ²) at T_1 for every d.
pub fn conditions(s: &GrowingNoise) -> Result<Vec<Interval>, MeasureError> {
    let one = |d: u32| -> Result<Interval, MeasureError> {
        let start = EqualNorms::wide(&[(s.strength, 1), (1.0, 1)], Some((s.noise_squared, d - 2)), 1.0, 0.0);
        let flow = start.flow()?;
        let shrunk = (Interval::point(f64::from(d)).ln() * -s.fall).exp();
        let delta = (Interval::point(s.delta) * shrunk).lo();
        let target = Interval::point(delta).ln() * 2.0;
        let done = |theta: f64| -> Result<bool, MeasureError> {
            let at = flow.at(theta)?;
            let noise = log_noise_ratio(&at).is_some_and(|x| x.hi() <= target.lo());
            Ok(noise && rest(&at).hi() <= delta)
        };
        let (mut low, mut high) = (0.0, clock_bound(&start, &flow, delta).hi());
        for _ in 0..30 {
            let middle = 0.5 * (low + high);
            if done(middle)? { high = middle } else { low = middle }
        }
        Ok(log_condition(&flow.at(high)?.log_kappa_squared))
    };
    DIMENSIONS.into_iter().map(one).collect()
}
