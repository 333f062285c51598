//! Diagonal states with equal norms in both views, and the flow of the positive pairs from them in closed form.
//!
//! Groups of equal directions carry κ_p² = ‖[K_A]_p‖² = ‖[K_B]_p‖² and ρ_p; the noise columns are orthogonal to
//! everything. The infinite-width start has κ_p² = σ_p², ρ_p = 0 and noise norms σ_ξ². Time is measured by the clock
//! θ, dθ = (2c_K/N²) dt.

use enclosures::vectors::sum_of_products;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};
use two_view::{DiagonalLaw, DiagonalState, NoiseGroup, PositivePairsFlow, PositivePairsState, SignalGroup};

/// Equal signal directions.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "{copies} × (σ² = {sigma_squared}, κ² = {kappa_squared}, ρ = {correlation})")]
pub struct EqualSignals {
    #[instance(range = "1e-6..=1e6", scale = "logarithmic")]
    pub sigma_squared: f64,
    #[instance(range = "1e-6..=1e6", scale = "logarithmic")]
    pub kappa_squared: f64,
    #[instance(range = "-1..=1")]
    pub correlation: f64,
    #[instance(range = "1..")]
    pub copies: u32,
}

/// The noise columns of each view.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "{copies} noise columns (σ_ξ² = {sigma_squared}, squared norm {norm_squared})")]
pub struct EqualNoises {
    #[instance(range = "1e-6..=1e6", scale = "logarithmic")]
    pub sigma_squared: f64,
    #[instance(range = "0..=1e6")]
    pub norm_squared: f64,
    #[instance(range = "1..")]
    pub copies: u32,
}

/// A state, the strength K of the negatives, and a clock θ ≥ 0.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, simpler = Self::with_fewer, equivalents = Self::relabelled, stored)]
pub struct EqualNorms {
    #[instance(length = "1..")]
    pub signals: Vec<EqualSignals>,
    pub noise: Option<EqualNoises>,
    #[instance(range = "1e-6..=1e6", scale = "logarithmic")]
    pub negatives: f64,
    #[instance(range = "0..=1e6")]
    pub clock: f64,
}

impl EqualNorms {
    fn in_words(&self) -> String {
        let groups: Vec<String> = self.signals.iter().map(Instance::describe).collect();
        let noise = self.noise.map_or("no noise".to_owned(), |n| n.describe());
        format!("{}; {noise}; K = {}, θ = {}", groups.join(", "), self.negatives, self.clock)
    }

    fn with_fewer(&self) -> Vec<Self> {
        let mut list = Vec::new();
        if self.noise.is_some() {
            list.push(EqualNorms { noise: None, ..self.clone() });
        }
        for k in 0..self.signals.len() {
            let mut less = self.clone();
            less.signals.remove(k);
            list.push(less);
            if self.signals[k].copies > 1 {
                let mut less = self.clone();
                less.signals[k].copies /= 2;
                list.push(less);
            }
        }
        list
    }

    /// The same state under other names of its directions.
    fn relabelled(&self) -> Vec<(&'static str, Self)> {
        let of = |signals| EqualNorms { signals, ..self.clone() };
        let one_by_one = |group: &EqualSignals| {
            let (first, rest) = (EqualSignals { copies: 1, ..*group }, group.copies - 1);
            let rest = EqualSignals { copies: rest, ..*group };
            [first, rest].into_iter().filter(|group| group.copies > 0)
        };
        vec![
            ("signals in another order", of(self.signals.iter().rev().copied().collect())),
            ("equal signals apart", of(self.signals.iter().flat_map(one_by_one).collect())),
        ]
    }

    /// So many equal signals with σ = κ = 1 and the correlation ρ, without noise, at K = 1.
    pub fn alike(copies: u32, correlation: f64, clock: f64) -> Self {
        EqualNorms {
            signals: vec![EqualSignals { sigma_squared: 1.0, kappa_squared: 1.0, correlation, copies }],
            noise: None,
            negatives: 1.0,
            clock,
        }
    }

    /// The infinite-width start for directions (σ², copies) and noise (σ_ξ², q).
    pub fn wide(signals: &[(f64, u32)], noise: Option<(f64, u32)>, negatives: f64, clock: f64) -> Self {
        let signals = signals.iter().map(|&(s, copies)| EqualSignals {
            sigma_squared: s,
            kappa_squared: s,
            correlation: 0.0,
            copies,
        });
        EqualNorms {
            signals: signals.collect(),
            noise: noise.map(|(s, copies)| EqualNoises { sigma_squared: s, norm_squared: s, copies }),
            negatives,
            clock,
        }
    }

    pub fn is_wide(&self) -> bool {
        let signals = self.signals.iter().all(|g| g.kappa_squared == g.sigma_squared && g.correlation == 0.0);
        signals && self.noise.is_none_or(|g| g.norm_squared == g.sigma_squared)
    }

    pub fn strongest(&self) -> f64 {
        self.signals.iter().map(|g| g.sigma_squared).fold(0.0, f64::max)
    }

    pub fn weakest(&self) -> f64 {
        self.signals.iter().map(|g| g.sigma_squared).fold(f64::INFINITY, f64::min)
    }

    /// r.
    pub fn signal(&self) -> f64 {
        self.signals.iter().map(|g| f64::from(g.copies)).sum()
    }

    /// 1 − min ρ.
    pub fn least_correlation(&self) -> f64 {
        self.signals.iter().map(|g| g.correlation).fold(1.0, f64::min)
    }

    pub fn flow(&self) -> Result<PositivePairsFlow, MeasureError> {
        let signal = |g: &EqualSignals| SignalGroup {
            sigma_squared: g.sigma_squared,
            kappa_squared: g.kappa_squared,
            correlation: g.correlation,
            copies: f64::from(g.copies),
        };
        let noise = self.noise.map(|g| NoiseGroup {
            sigma_squared: g.sigma_squared,
            norm_squared: g.norm_squared,
            copies: f64::from(g.copies),
        });
        Ok(PositivePairsFlow::new(self.signals.iter().map(signal).collect(), noise)?)
    }

    pub fn law(&self) -> Result<DiagonalLaw, MeasureError> {
        let (strengths, copies) = self.signals.iter().map(|g| (g.sigma_squared, g.copies)).unzip();
        let noise = self.noise.iter().map(|g| g.copies).collect();
        Ok(DiagonalLaw::grouped(strengths, copies, self.noise.map_or(1.0, |g| g.sigma_squared), noise)?)
    }

    pub fn state(&self) -> DiagonalState<Interval> {
        let kappa: Vec<Interval> = self.signals.iter().map(|g| Interval::point(g.kappa_squared)).collect();
        let noise: Vec<Interval> = self.noise.iter().map(|g| Interval::point(g.norm_squared)).collect();
        DiagonalState {
            h: self.signals.iter().map(|g| Interval::point(g.kappa_squared) * g.correlation).collect(),
            a: kappa.clone(),
            b: kappa,
            noise_a: noise.clone(),
            noise_b: noise,
        }
    }

    /// N_max² = ‖W_A‖_F² max(σ_max²/r, σ_ξ²/q), which bounds N² at all times.
    pub fn largest_normaliser(&self, flow: &PositivePairsFlow) -> Interval {
        let signal = Interval::point(self.strongest()) / self.signal();
        let noise = self.noise.map_or(Interval::ZERO, |g| Interval::point(g.sigma_squared) / f64::from(g.copies));
        flow.squared_weight_norm() * signal.max(noise)
    }

    /// (N², Ψ) of a state of the flow.
    pub fn normaliser(&self, at: &PositivePairsState) -> (Interval, Interval) {
        let share = |(g, k): (&EqualSignals, &Interval)| k.exp() * f64::from(g.copies) / self.signal();
        let shares: Vec<Interval> = self.signals.iter().zip(&at.log_kappa_squared).map(share).collect();
        let square = shares.iter().copied().sum::<Interval>() + at.log_noise.map_or(Interval::ZERO, Interval::exp);
        let agreement = sum_of_products(&shares, &at.correlation) / square;
        (square, agreement)
    }

    /// ∫_0^θ N² dθ, that is 2c_K t. On each of several pieces of the clock all κ_p² and the noise norm are enclosed
    /// from both ends of the piece by their rates σ_p²(ρ_p − Ψ) and −σ_ξ²(r/q)Ψ. ρ_p and Ψ (minus the loss) do not
    /// fall from an infinite-width start.
    pub fn distance(&self, flow: &PositivePairsFlow, pieces: u32) -> Result<Interval, MeasureError> {
        // Short pieces first: the strong directions move early.
        let node = |k: u32| {
            let x = f64::from(k) / f64::from(pieces);
            self.clock * x * x * x
        };
        let (mut total, mut before) = (Interval::ZERO, flow.at(0.0)?);
        for k in 1..=pieces {
            let (after, half) = (flow.at(node(k))?, 0.5 * (Interval::point(node(k)) - node(k - 1)));
            let rates = self.rates(&before, &after);
            for (node, moved) in [(&before, Interval::ZERO.hull(half)), (&after, Interval::ZERO.hull(-half))] {
                let logs = node.log_kappa_squared.iter().chain(&node.log_noise);
                let shares = self.signals.iter().map(|g| f64::from(g.copies) / self.signal()).chain([1.0]);
                let terms =
                    logs.zip(&rates).zip(shares).map(|((&log, &rate), share)| (log + moved * rate).exp() * share);
                total += terms.sum::<Interval>() * half;
            }
            before = after;
        }
        Ok(total)
    }

    /// Bounds, between two states of the flow, of the rates of log κ_p² and of the noise.
    fn rates(&self, before: &PositivePairsState, after: &PositivePairsState) -> Vec<Interval> {
        let agreement = self.normaliser(before).1.hull(self.normaliser(after).1);
        let correlation: Vec<Interval> =
            before.correlation.iter().zip(&after.correlation).map(|(b, a)| b.hull(*a)).collect();
        let signal = |(p, g): (usize, &EqualSignals)| {
            // ρ_p − Ψ is a mean of ρ_p − ρ_s over the other directions and of ρ_p over the noise.
            let apart = |(s, c): (usize, &Interval)| if s == p { Interval::ZERO } else { correlation[p] - *c };
            let differences = correlation.iter().enumerate().map(apart);
            let all = differences.chain(self.noise.map(|_| correlation[p])).reduce(Interval::hull);
            let direct = correlation[p] - agreement;
            g.sigma_squared * all.and_then(|mean| mean.intersection(direct)).unwrap_or(direct)
        };
        let noise = self.noise.map(|g| -(g.sigma_squared * self.signal() / f64::from(g.copies) * agreement));
        self.signals.iter().enumerate().map(signal).chain(noise).collect()
    }
}

/// log of the ratio of the largest to the smallest of these, given their logarithms.
pub fn log_condition(logs: &[Interval]) -> Interval {
    let largest = logs.iter().copied().reduce(Interval::max);
    let smallest = logs.iter().copied().reduce(Interval::min);
    largest.zip(smallest).map_or(Interval::ENTIRE, |(l, s)| l - s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_start_is_told_from_others() {
        let start = EqualNorms::wide(&[(4.0, 1), (1.0, 2)], Some((0.5, 3)), 2.0, 1.5);
        assert!(start.is_wide() && start.validate().is_ok());
        assert_eq!([start.strongest(), start.weakest(), start.signal()], [4.0, 1.0, 3.0]);
        let mut turned = start.clone();
        turned.signals[0].correlation = 0.5;
        assert!(!turned.is_wide() && turned.validate().is_ok());
        assert_eq!(
            start.describe(),
            "1 × (σ² = 4, κ² = 4, ρ = 0), 2 × (σ² = 1, κ² = 1, ρ = 0); 3 noise columns (σ_ξ² = 0.5, squared norm 0.5); \
             K = 2, θ = 1.5"
        );
    }

    #[test]
    fn what_is_simpler_is_smaller() {
        let start = EqualNorms::wide(&[(4.0, 1), (1.0, 2)], Some((0.5, 3)), 2.0, 1.5);
        let size = |s: &EqualNorms| s.signal() + s.noise.map_or(0.0, |n| f64::from(n.copies));
        let smaller = start.simpler();
        assert_eq!(smaller.len(), 4);
        assert!(smaller.iter().all(|s| size(s) < size(&start)));
    }
}
