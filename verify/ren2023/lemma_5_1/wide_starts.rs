//! Infinite-width starts in free coordinates, so that a search may move the strengths, the noise and the clock while
//! the start keeps κ_p² = σ_p², ρ_p = 0 and noise norms σ_ξ².

use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::equal_norm_families::{any_wide_start, wide_starts};
use crate::shared::equal_norms::EqualNorms;

/// (σ_p², copies), (σ_ξ², q), and the clock θ.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WideStart {
    pub signals: Vec<(f64, u32)>,
    pub noise: Option<(f64, u32)>,
    pub clock: f64,
}

impl WideStart {
    fn of(s: &EqualNorms) -> Self {
        WideStart {
            signals: s.signals.iter().map(|g| (g.sigma_squared, g.copies)).collect(),
            noise: s.noise.map(|g| (g.sigma_squared, g.copies)),
            clock: s.clock,
        }
    }

    fn start(&self) -> EqualNorms {
        EqualNorms::wide(&self.signals, self.noise, 1.0, self.clock)
    }

    pub fn strengths_differ(&self) -> bool {
        self.signals.iter().any(|g| g.0 != self.signals[0].0)
    }

    /// What is said to be monotone, at the clock.
    pub fn monotone(&self) -> Result<Monotone, MeasureError> {
        let start = self.start();
        let at = start.flow()?.at(self.clock)?;
        let agreement = start.normaliser(&at).1;
        let mut order: Vec<usize> = (0..self.signals.len()).collect();
        order.sort_by(|a, b| self.signals[*a].0.total_cmp(&self.signals[*b].0));
        let rate = |p: usize| self.signals[p].0 * (at.correlation[p] - agreement);
        let (weak, strong) = (order[0], order[order.len() - 1]);
        let neighbours = || order.windows(2).filter(|w| self.signals[w[0]].0 < self.signals[w[1]].0);
        let least = |f: &dyn Fn(usize, usize) -> Interval| {
            neighbours().map(|w| f(w[1], w[0])).reduce(Interval::min).unwrap_or(Interval::ZERO)
        };
        Ok(Monotone {
            extreme_rate: rate(strong) - rate(weak),
            least_step: least(&|p, s| at.log_kappa_squared[p] - at.log_kappa_squared[s]),
            least_rate: least(&|p, s| rate(p) - rate(s)),
            strongest: start.strongest(),
        })
    }
}

/// The rates of log(κ_p²/κ_s²) in the clock, and the logarithms themselves.
pub struct Monotone {
    /// For the strongest and the weakest direction.
    pub extreme_rate: Interval,
    /// The smallest log(κ_p²/κ_s²) of neighbouring strengths σ_p > σ_s.
    pub least_step: Interval,
    /// The smallest rate of neighbouring strengths.
    pub least_rate: Interval,
    pub strongest: f64,
}

impl Instance for WideStart {
    fn describe(&self) -> String {
        self.start().describe()
    }

    fn validate(&self) -> Result<(), String> {
        if self.signals.len() > 8 {
            return Err("more than eight groups".into());
        }
        self.start().validate()
    }

    fn simpler(&self) -> Vec<Self> {
        self.start().simpler().iter().map(WideStart::of).collect()
    }
}

/// The starts of `starts`, as places to search from.
pub fn wide_start_families() -> [Family<WideStart>; 2] {
    [
        edge("infinite width", || wide_starts().into_iter().map(|(name, s)| (name, WideStart::of(&s))).collect()),
        random("any infinite width", || any_wide_start().prop_map(|s| WideStart::of(&s))),
    ]
}
