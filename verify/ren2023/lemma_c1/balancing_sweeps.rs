//! Sweeps of balancing paths: over r at a schedule of τ_2², or over σ_1² from the end of Stage 1.

use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::balancing_path::BalancingPath;

/// What changes along the sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
pub enum BalancingSchedule {
    /// r doubles, τ_2² = 1.
    Constant,
    /// r doubles, τ_2² = log r.
    Logarithm,
    /// r doubles, τ_2² = r.
    Linear,
    /// σ_1² is multiplied by four at fixed r and τ_2² = 2.
    Strength,
}

/// A start and how often the size grows.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, stored)]
pub struct BalancingSweep {
    pub schedule: BalancingSchedule,
    /// The smallest r.
    #[instance(range = "2..=64")]
    pub first: u32,
    #[instance(range = "3..=8")]
    pub count: u32,
    /// κ_1² over the others at the start (σ = 1), or the smallest σ_1².
    #[instance(range = "1.2..=100", scale = "logarithmic")]
    pub start: f64,
}

impl BalancingSweep {
    fn in_words(&self) -> String {
        let doublings = self.count.saturating_sub(1).min(16);
        let (r, last, start) = (self.first, u64::from(self.first).saturating_mul(1 << doublings), self.start);
        let tau = match self.schedule {
            BalancingSchedule::Constant => "1",
            BalancingSchedule::Logarithm => "log r",
            BalancingSchedule::Linear => "r",
            BalancingSchedule::Strength => {
                let last = start * (1u64 << (2 * doublings)) as f64;
                return format!(
                    "σ_1² multiplied by four from {start} to {last}, σ_p² = 1 else, r = {r}, τ² = 2, K = 1, from the \
                     limit of Stage 1 at infinite width (κ_p² = (σ_p²/2)y^{{σ_p²}}, Σκ_p²/σ_p² = r, ρ = 1) until κ_1² \
                     = 2κ_2²"
                );
            }
        };
        format!("r doubled from {r} to {last}, τ² = {tau}, K = 1, σ = 1, κ_1² = {start} and κ_p² = 1 else at the start")
    }

    /// r along the sweep.
    pub fn sizes(&self) -> Vec<u32> {
        let grows = self.schedule != BalancingSchedule::Strength;
        (0..self.count).map(|k| if grows { self.first << k } else { self.first }).collect()
    }

    /// The paths along the sweep.
    pub fn paths(&self) -> Result<Vec<BalancingPath>, MeasureError> {
        let path = |(k, r): (usize, u32)| -> Result<BalancingPath, MeasureError> {
            let tau_squared = match self.schedule {
                BalancingSchedule::Constant => 1.0,
                BalancingSchedule::Logarithm => Interval::point(f64::from(r)).ln().midpoint(),
                BalancingSchedule::Linear => f64::from(r),
                BalancingSchedule::Strength => {
                    let sigma = self.start * f64::from(1u32 << (2 * k));
                    return Ok(BalancingPath::after_stage_one(sigma, r - 1, 2.0)?);
                }
            };
            Ok(BalancingPath {
                sigma_squared: 1.0,
                others: r - 1,
                kappa_squared: [self.start, 1.0],
                tau_squared,
                negatives: 1.0,
                ratio: 1.1,
            })
        };
        self.sizes().into_iter().enumerate().map(path).collect()
    }
}

pub fn sweeps() -> Vec<(&'static str, BalancingSweep)> {
    let of = |schedule, first, count, start| BalancingSweep { schedule, first, count, start };
    vec![
        ("τ² = 1 to r = 256", of(BalancingSchedule::Constant, 4, 7, 5.0)),
        ("τ² = 1, one direction ten times the others", of(BalancingSchedule::Constant, 2, 7, 10.0)),
        ("τ² = log r to r = 256", of(BalancingSchedule::Logarithm, 4, 7, 5.0)),
        ("τ² = log r, one direction ten times the others", of(BalancingSchedule::Logarithm, 2, 7, 10.0)),
        ("τ² = r to r = 64", of(BalancingSchedule::Linear, 4, 5, 5.0)),
        ("σ_1² from 4 to 4096, r = 2", of(BalancingSchedule::Strength, 2, 6, 4.0)),
        ("σ_1² from 4 to 4096, r = 4", of(BalancingSchedule::Strength, 4, 6, 4.0)),
    ]
}
