//! Two-stage runs at infinite width: small τ_1² until t = T_1, then τ_2² until t = T_1 + T_2, integrated on the
//! diagonal manifold.

use evidence::prelude::*;
use serde::{Deserialize, Serialize};
use two_view::{DiagonalLaw, DiagonalState, Objective};

/// Groups of equal directions, their noise, and the schedule.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TwoStages {
    /// (σ_p², copies).
    pub signals: Vec<(f64, u32)>,
    /// (σ_ξ², q).
    pub noise: Option<(f64, u32)>,
    pub negatives: f64,
    pub tau_squared: [f64; 2],
    pub times: [f64; 2],
}

impl Instance for TwoStages {
    fn describe(&self) -> String {
        format!("{}, τ² = {:?}, T = {:?}", self.directions_in_words(), self.tau_squared, self.times)
    }

    fn validate(&self) -> Result<(), String> {
        let fits = |x: f64| (1e-2..=1e2).contains(&x);
        let groups = self.signals.iter().chain(&self.noise).all(|&(s, n)| fits(s) && n > 0) && !self.signals.is_empty();
        let schedule = self.tau_squared.iter().all(|t| (0.0..=100.0).contains(t));
        if groups && schedule && fits(self.negatives) && self.times.iter().all(|t| (0.1..=1000.0).contains(t)) {
            Ok(())
        } else {
            Err(self.describe())
        }
    }
}

/// A state in the quantities of the statements.
#[derive(Clone, Debug)]
pub struct Summary {
    /// cond(κ²).
    pub condition: f64,
    /// min ρ.
    pub correlation: f64,
    /// Largest noise norm over smallest signal norm.
    pub noise_ratio: f64,
    /// ρ_B/r: ‖Σ‖_F²/‖Σ‖_2², tr Σ/‖Σ‖_2, (tr Σ)²/‖Σ‖_F².
    pub balance: [f64; 3],
}

impl Summary {
    /// min ρ ≥ 0.999 and a noise ratio of at most 0.05, as a solver measures them.
    pub fn aligned(&self) -> Evaluation {
        all_of([
            ("alignment", at_least(Enclosure::measured(self.correlation), exact(0.999))),
            ("noise", at_most(Enclosure::measured(self.noise_ratio), exact(0.05))),
        ])
    }
}

/// Both ends, and the largest error estimate of an entry.
pub struct Run {
    pub first: Summary,
    pub second: Summary,
    pub error: f64,
}

impl TwoStages {
    /// All but the schedule.
    pub fn directions_in_words(&self) -> String {
        let noise = self.noise.map_or("no noise".to_owned(), |n| format!("(σ_ξ², q) = {n:?}"));
        format!("(σ², copies) = {:?}, {noise}, K = {}", self.signals, self.negatives)
    }

    fn summary(&self, s: &DiagonalState<f64>) -> Summary {
        let least = |list: &[f64]| list.iter().copied().fold(f64::INFINITY, f64::min);
        let most = |list: &[f64]| list.iter().copied().fold(0.0, f64::max);
        let r: f64 = self.signals.iter().map(|g| f64::from(g.1)).sum();
        let q = self.noise.map_or(0.0, |g| f64::from(g.1));
        // Eigenvalues of Σ_A up to a factor: κ_p²/r, and n/q.
        let signal = s.a.iter().zip(&self.signals).map(|(k, g)| (k / r, f64::from(g.1)));
        let all: Vec<(f64, f64)> = signal.chain(s.noise_a.iter().map(|n| (n / q, q))).collect();
        let trace: f64 = all.iter().map(|(x, n)| n * x).sum();
        let squares: f64 = all.iter().map(|(x, n)| n * x * x).sum();
        let top = all.iter().map(|x| x.0).fold(0.0, f64::max);
        Summary {
            condition: most(&s.a) / least(&s.a),
            correlation: s.h.iter().zip(&s.a).map(|(h, a)| h / a).fold(1.0, f64::min),
            noise_ratio: (most(&s.noise_a) / least(&s.a)).sqrt(),
            balance: [squares / (top * top) / r, trace / top / r, trace * trace / squares / r],
        }
    }

    fn law(&self) -> Result<DiagonalLaw, MeasureError> {
        let (strengths, copies) = self.signals.iter().copied().unzip();
        let noise = self.noise.iter().map(|g| g.1).collect();
        Ok(DiagonalLaw::grouped(strengths, copies, self.noise.map_or(1.0, |g| g.0), noise)?)
    }

    /// The start and the states at so many equal distances of the whole time, at the second temperature throughout.
    pub fn at_one_temperature(&self, steps: u32) -> Result<Vec<Summary>, MeasureError> {
        let law = self.law()?;
        let start = law.infinite_width::<f64>();
        let objective = Objective::Contrastive { tau_squared: self.tau_squared[1], negatives: self.negatives };
        let whole: f64 = self.times.iter().sum();
        let times: Vec<f64> = (1..=steps).map(|k| whole * f64::from(k) / f64::from(steps)).collect();
        let (states, error) = law.orbit(&start, objective, &times, 1e-11)?;
        if error > 1e-6 {
            return Err(format!("the integration is off by {error}").into());
        }
        Ok(std::iter::once(&start).chain(&states).map(|s| self.summary(s)).collect())
    }

    pub fn run(&self) -> Result<Run, MeasureError> {
        let law = self.law()?;
        let mut state = law.infinite_width::<f64>();
        let (mut ends, mut error) = (Vec::new(), 0.0);
        for (tau_squared, time) in self.tau_squared.into_iter().zip(self.times) {
            let objective = Objective::Contrastive { tau_squared, negatives: self.negatives };
            let (states, off) = law.orbit(&state, objective, &[time], 1e-11)?;
            state = states.into_iter().next().ok_or("no state")?;
            error = off.max(error);
            ends.push(self.summary(&state));
        }
        if error > 1e-6 {
            return Err(format!("the integration is off by {error}").into());
        }
        match <[Summary; 2]>::try_from(ends) {
            Ok([first, second]) => Ok(Run { first, second, error }),
            Err(_) => Err("two stages".into()),
        }
    }
}

/// The directions of register family I3 with moderate temperatures and times, with and without noise.
pub fn runs() -> Vec<(String, TwoStages)> {
    let mut list = Vec::new();
    let mut add =
        |name: &str, signals: &[(f64, u32)], noise: Option<(f64, u32)>, negatives: f64, tau: f64, times: [f64; 2]| {
            let run = TwoStages { signals: signals.to_vec(), noise, negatives, tau_squared: [0.01, tau], times };
            list.push((name.to_owned(), run));
        };
    add("σ² = (3,1,1,1)", &[(3.0, 1), (1.0, 3)], None, 1.0, 1.0, [20.0, 100.0]);
    add("σ² = (4,1,2), q = 3", &[(4.0, 1), (1.0, 1), (2.0, 1)], Some((1.0, 3)), 1.0, 2.0, [60.0, 100.0]);
    add("σ² = (2,1), weak negatives", &[(2.0, 1), (1.0, 1)], None, 0.1, 1.0, [100.0, 600.0]);
    add("σ² = (2,1), strong negatives, q = 6", &[(2.0, 1), (1.0, 1)], Some((0.5, 6)), 10.0, 1.0, [100.0, 100.0]);
    add("r = 16, one strong", &[(2.0, 1), (1.0, 15)], None, 1.0, 2.7, [20.0, 300.0]);
    add("r = 64, half strong", &[(2.0, 32), (1.0, 32)], None, 1.0, 4.0, [20.0, 900.0]);
    add("all equal", &[(1.0, 4)], Some((1.0, 4)), 1.0, 1.0, [30.0, 60.0]);
    list
}

fn one_large(tau_squared: [f64; 2]) -> TwoStages {
    TwoStages { signals: vec![(3.0, 1), (1.0, 3)], noise: None, negatives: 1.0, tau_squared, times: [20.0, 100.0] }
}

/// τ_2² = 0: the second stage changes nothing but the clock.
pub fn without_negatives() -> Vec<(&'static str, TwoStages)> {
    let noisy = TwoStages { noise: Some((1.0, 3)), ..one_large([0.01, 0.0]) };
    vec![("τ_2² = 0", one_large([0.01, 0.0])), ("τ_2² = 0, noise", noisy)]
}

/// A first stage at the temperature of the second.
pub fn cold_first_stage() -> Vec<(&'static str, TwoStages)> {
    vec![("τ_1² = 1", one_large([1.0, 1.0])), ("τ_1² = 4", one_large([4.0, 1.0]))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_runs_are_instances() {
        let named = without_negatives().into_iter().chain(cold_first_stage());
        assert!(named.into_iter().all(|(_, s)| s.validate().is_ok()));
        assert!(runs().iter().all(|(_, s)| s.validate().is_ok()));
    }
}
