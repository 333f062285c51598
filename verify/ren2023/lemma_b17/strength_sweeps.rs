//! The instance of the negative result over growing dimensions: one strong direction, weak ones, and possibly noise.

use evidence::prelude::*;
use serde::{Deserialize, Serialize};
use two_view::PositivePairsFlow;

use crate::shared::equal_norms::log_condition;

/// How σ_1² depends on d.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
pub(super) enum Strength {
    /// c log d, the first reading of the assumption.
    Logarithm,
    /// c √log d, the second one.
    Root,
    /// c.
    Constant,
}

/// A sweep over d of the instance of the proof, r = max(2, d^power) treated as a real number. There are d − r noise
/// directions; none (σ_ξ = 0 unless r = d) without noise.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::leaves_room, stored)]
pub(super) struct StrengthSweep {
    pub(super) strength: Strength,
    #[instance(range = "0.01..=100", scale = "logarithmic")]
    pub(super) c: f64,
    #[instance(range = "0..=1")]
    pub(super) power: f64,
    /// σ_ξ² of d − r noise directions; none without noise.
    #[instance(range = "1e-3..=1e3", scale = "logarithmic")]
    pub(super) noise: Option<f64>,
}

impl StrengthSweep {
    fn in_words(&self) -> String {
        let rule = match self.strength {
            Strength::Logarithm => "c log d",
            Strength::Root => "c √log d",
            Strength::Constant => "c",
        };
        let rank = match self.power {
            0.0 => "2".into(),
            1.0 => "d".into(),
            power => format!("d^{power}"),
        };
        let noise = self.noise.map_or("no noise".into(), |s| format!("σ_ξ² = {s}"));
        format!("σ_1² = {rule}, c = {}, r = {rank}, {noise}", self.c)
    }

    /// With noise r stays well below d; r = d leaves no room for it.
    fn leaves_room(&self) -> Result<(), String> {
        if self.power <= 0.75 || self.power == 1.0 && self.noise.is_none() {
            Ok(())
        } else {
            Err(format!("r = d^{}, with noise or close to d", self.power))
        }
    }

    /// Whether d = r + q: noise in d − r directions, or r = d.
    pub(super) fn fills_the_space(&self) -> bool {
        self.noise.is_some() || self.power == 1.0
    }

    /// s at this log d.
    pub(super) fn ratio(&self, log_d: f64) -> f64 {
        match self.strength {
            Strength::Logarithm => self.c * log_d,
            Strength::Root => self.c * log_d.sqrt(),
            Strength::Constant => self.c,
        }
    }

    fn flow(&self, log_d: f64) -> Result<PositivePairsFlow, MeasureError> {
        let d = core_math::exp(log_d);
        let rank = core_math::exp(self.power * log_d).max(2.0);
        let noise = self.noise.map(|s| (s, d - rank));
        Ok(PositivePairsFlow::infinite_width(&[self.ratio(log_d), 1.0], &[1.0, rank - 1.0], noise)?)
    }

    /// cond(κ²) in the limit.
    fn end(&self, log_d: f64) -> Result<SweepEnd, MeasureError> {
        let end = self.flow(log_d)?.limit().ok_or("no limit")?;
        Ok(SweepEnd { log_d, log_condition: log_condition(&end).into() })
    }

    /// cond(κ²) at the first θ = 2^k with 1 − ρ_p ≤ δ and squared noise ratios at most δ².
    fn stop(&self, log_d: f64, delta: f64) -> Result<SweepEnd, MeasureError> {
        let flow = self.flow(log_d)?;
        for k in -10..50 {
            let state = flow.at(core_math::exp2(f64::from(k)))?;
            let aligned = state.correlation.iter().all(|rho| rho.lo() >= 1.0 - delta);
            let quiet =
                |kappa: &Interval| state.log_noise.is_none_or(|n| (n - *kappa).hi() <= 2.0 * core_math::log(delta));
            if aligned && state.log_kappa_squared.iter().all(quiet) {
                return Ok(SweepEnd { log_d, log_condition: log_condition(&state.log_kappa_squared).into() });
            }
        }
        Err("Stage 1 does not end".into())
    }
}

/// log cond(κ²) at one size.
pub(super) struct SweepEnd {
    pub(super) log_d: f64,
    pub(super) log_condition: Enclosure,
}

/// cond(κ²) in the limit at log d = 40, 160 and 640.
pub(super) fn ends(sweep: &StrengthSweep) -> Result<Vec<SweepEnd>, MeasureError> {
    [40.0, 160.0, 640.0].into_iter().map(|log_d| sweep.end(log_d)).collect()
}

/// The same where Stage 1 stops at 1 − ρ_p ≤ δ and noise ratios at most δ, at log d = 5, 10 and 20: much later doubles
/// no longer tell σ_p²θ from σ_p²I.
pub(super) fn stops(sweep: &StrengthSweep, delta: f64) -> Result<Vec<SweepEnd>, MeasureError> {
    [5.0, 10.0, 20.0].into_iter().map(|log_d| sweep.stop(log_d, delta)).collect()
}

/// Both readings of the assumption on σ, ranks 2, d^{1/4}, √d, with and without noise, and d; and constant strengths.
pub(super) fn sweeps() -> Vec<(String, StrengthSweep)> {
    let mut all = Vec::new();
    for (strength, constants) in
        [(Strength::Logarithm, vec![0.1, 0.3, 1.0]), (Strength::Root, vec![0.3, 1.0]), (Strength::Constant, vec![2.0])]
    {
        for c in constants {
            let below = [0.0, 0.25, 0.5].into_iter().flat_map(|power| [(power, None), (power, Some(1.0))]);
            for (power, noise) in below.chain([(1.0, None)]) {
                all.push(StrengthSweep { strength, c, power, noise });
            }
        }
    }
    described(all)
}

/// Strengths outside the statements: so weak that they do not set a direction apart, or σ_1² = 1 at log d = 40, and
/// another constant; and more signals with noise than √d.
pub(super) fn weak_sweeps() -> Vec<(String, StrengthSweep)> {
    let of = |strength, c, noise| StrengthSweep { strength, c, power: 0.25, noise };
    let equal_at_first = StrengthSweep { strength: Strength::Logarithm, c: 1.0 / 40.0, power: 0.0, noise: Some(1.0) };
    let many = |strength, c| StrengthSweep { strength, c, power: 0.75, noise: Some(1.0) };
    described([
        equal_at_first,
        of(Strength::Logarithm, 0.01, Some(1.0)),
        of(Strength::Logarithm, 0.04, Some(1.0)),
        of(Strength::Root, 0.1, None),
        of(Strength::Constant, 1.2, Some(1.0)),
        many(Strength::Logarithm, 1.0),
        many(Strength::Constant, 2.0),
    ])
}

/// σ_1² = c log d with noise, σ_ξ² = 1, and noise so weak that its ratio is below 1/10 from the start.
pub(super) fn noisy_sweeps() -> Vec<(String, StrengthSweep)> {
    let weak = |(c, power)| StrengthSweep { strength: Strength::Logarithm, c, power, noise: Some(0.005) };
    let strong =
        sweeps().into_iter().filter(|(_, s)| s.strength == Strength::Logarithm && s.noise.is_some() && s.c >= 0.3);
    strong.chain(described([(0.3, 0.0), (1.0, 0.0), (1.0, 0.5)].map(weak))).collect()
}
