//! Diagonal states: the only non-zero off-diagonal entries of G are ⟨[K_A]_p, [K_B]_p⟩, and any number of noise
//! columns of one norm.

use evidence::prelude::*;
use proptest::collection::vec;
use proptest::option;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};
use two_view::{DiagonalLaw, DiagonalState, MultimodalError, NoiseGroup, PositivePairsFlow, SignalGroup};

/// What every such state has.
pub const DIAGONAL: &str = "H-orth; any two columns of K_A, K_{A,ξ}, K_B, K_{B,ξ} orthogonal but [K_A]_p and [K_B]_p \
                            of the same p, none 0; in each view the noise columns have one norm";

/// And where norms of the two views are made equal.
pub const EQUAL: &str = "columns of signal and noise with the norms of those in the other view, so that N_A = N_B \
                         (differences that an instance has are ignored); τ = 0";

/// One signal direction.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "(σ² = {strength}, κ² = {norm_squared}, ρ = {correlation}, u = {log_ratio})")]
pub struct Direction {
    /// σ_p².
    #[instance(range = "1e-6..=1e6", scale = "logarithmic")]
    pub strength: f64,
    /// ‖[K_A]_p‖ ‖[K_B]_p‖.
    #[instance(range = "1e-6..=1e6", scale = "logarithmic")]
    pub norm_squared: f64,
    /// ρ_p.
    #[instance(range = "-1..=1")]
    pub correlation: f64,
    /// u_p = log(‖[K_A]_p‖²/‖[K_B]_p‖²).
    #[instance(range = "-10..=10")]
    pub log_ratio: f64,
}

/// The noise columns of both views.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "q = {count}, σ_ξ² = {strength}, norm² = {norm_squared}, u_ξ = {log_ratio}")]
pub struct Noise {
    /// σ_ξ².
    #[instance(range = "1e-6..=1e6", scale = "logarithmic")]
    pub strength: f64,
    /// ‖[K_{A,ξ}]_k‖ ‖[K_{B,ξ}]_k‖.
    #[instance(range = "1e-6..=1e6", scale = "logarithmic")]
    pub norm_squared: f64,
    /// log(‖[K_{A,ξ}]_k‖²/‖[K_{B,ξ}]_k‖²).
    #[instance(range = "-10..=10")]
    pub log_ratio: f64,
    /// q.
    #[instance(range = "1..")]
    pub count: u32,
}

/// A diagonal state and the constants of the loss.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, simpler = Self::with_fewer, equivalents = Self::relabelled, stored)]
pub struct DiagonalPoint {
    #[instance(length = "1..=16")]
    pub directions: Vec<Direction>,
    pub noise: Option<Noise>,
    /// K.
    #[instance(range = "1e-3..=1e3", scale = "logarithmic")]
    pub negatives: f64,
    #[instance(range = "0..=100")]
    pub tau_squared: f64,
}

impl DiagonalPoint {
    fn in_words(&self) -> String {
        let list: Vec<String> = self.directions.iter().map(Instance::describe).collect();
        let noise = self.noise.map_or("no noise".to_owned(), |n| n.describe());
        format!("K = {}, τ² = {}, {}, {noise}", self.negatives, self.tau_squared, list.join(" "))
    }

    fn with_fewer(&self) -> Vec<Self> {
        let mut all = Vec::new();
        if self.noise.is_some() {
            all.push(DiagonalPoint { noise: None, ..self.clone() });
        }
        for p in 0..self.directions.len() {
            let mut less = self.clone();
            less.directions.remove(p);
            all.push(less);
        }
        all
    }

    /// The same state under other names of its directions and views.
    fn relabelled(&self) -> Vec<(&'static str, Self)> {
        let mut signals = self.clone();
        signals.directions.reverse();
        let mut views = self.clone();
        for direction in &mut views.directions {
            direction.log_ratio = -direction.log_ratio;
        }
        if let Some(noise) = &mut views.noise {
            noise.log_ratio = -noise.log_ratio;
        }
        vec![("signals in another order", signals), ("views exchanged", views)]
    }

    /// The state in which both views have equal norms.
    pub fn equalised(&self) -> Self {
        let mut same = self.clone();
        for d in &mut same.directions {
            d.log_ratio = 0.0;
        }
        if let Some(noise) = &mut same.noise {
            noise.log_ratio = 0.0;
        }
        same
    }

    pub fn without_noise(&self) -> Self {
        DiagonalPoint { noise: None, ..self.clone() }
    }

    pub fn law(&self) -> Result<DiagonalLaw, MultimodalError> {
        let strengths: Vec<f64> = self.directions.iter().map(|d| d.strength).collect();
        let copies = vec![1; strengths.len()];
        let noise = self.noise.map_or((1.0, Vec::new()), |n| (n.strength, vec![n.count]));
        DiagonalLaw::grouped(strengths, copies, noise.0, noise.1)
    }

    pub fn state(&self) -> DiagonalState<Interval> {
        let half = |u: f64| (0.5 * Interval::point(u)).exp();
        let list = |f: &dyn Fn(&Direction) -> Interval| self.directions.iter().map(f).collect::<Vec<_>>();
        let noise = |f: &dyn Fn(Noise) -> Interval| self.noise.iter().map(|n| f(*n)).collect::<Vec<_>>();
        DiagonalState {
            a: list(&|d| half(d.log_ratio) * d.norm_squared),
            b: list(&|d| half(-d.log_ratio) * d.norm_squared),
            h: list(&|d| Interval::point(d.correlation) * d.norm_squared),
            noise_a: noise(&|n| half(n.log_ratio) * n.norm_squared),
            noise_b: noise(&|n| half(-n.log_ratio) * n.norm_squared),
        }
    }

    /// The closed-form flow of positive pairs, for equal norms.
    pub fn flow(&self) -> Result<PositivePairsFlow, MultimodalError> {
        let group = |d: &Direction| SignalGroup {
            sigma_squared: d.strength,
            kappa_squared: d.norm_squared,
            correlation: d.correlation,
            copies: 1.0,
        };
        PositivePairsFlow::new(
            self.directions.iter().map(group).collect(),
            self.noise.map(|n| NoiseGroup {
                sigma_squared: n.strength,
                norm_squared: n.norm_squared,
                copies: f64::from(n.count),
            }),
        )
    }

    /// σ_max² and σ_min².
    pub fn extreme_strengths(&self) -> (f64, f64) {
        let all = self.directions.iter().map(|d| d.strength);
        (all.clone().fold(0.0, f64::max), all.fold(f64::INFINITY, f64::min))
    }

    /// The smallest and the largest ρ_p.
    pub fn extreme_correlations(&self) -> (f64, f64) {
        let all = self.directions.iter().map(|d| d.correlation);
        (all.clone().fold(1.0, f64::min), all.fold(-1.0, f64::max))
    }
}

/// σ², κ², ρ and u of each direction, K = 2, τ² = 1/2.
pub fn point(directions: &[[f64; 4]], noise: Option<(f64, f64, f64, u32)>) -> DiagonalPoint {
    let direction = |&[strength, norm_squared, correlation, log_ratio]: &[f64; 4]| Direction {
        strength,
        norm_squared,
        correlation,
        log_ratio,
    };
    DiagonalPoint {
        directions: directions.iter().map(direction).collect(),
        noise: noise.map(|(strength, norm_squared, log_ratio, count)| Noise {
            strength,
            norm_squared,
            log_ratio,
            count,
        }),
        negatives: 2.0,
        tau_squared: 0.5,
    }
}

/// Hand-picked diagonal states.
pub fn named() -> Vec<(&'static str, DiagonalPoint)> {
    vec![
        ("one direction, ρ = 0", point(&[[1.0, 1.0, 0.0, 0.0]], None)),
        ("one direction, ρ = −1", point(&[[1.0, 1.0, -1.0, 0.0]], None)),
        ("one direction, ρ = 1, u = 2", point(&[[1.0, 1.0, 1.0, 2.0]], None)),
        ("ρ = (1, 0), σ² = (1,1)", point(&[[1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 0.0, 0.0]], None)),
        ("ρ = (1, 0), σ² = (4,1)", point(&[[4.0, 1.0, 1.0, 0.0], [1.0, 1.0, 0.0, 0.0]], None)),
        ("ρ = (1, 0), σ² = (1,4)", point(&[[1.0, 1.0, 1.0, 0.0], [4.0, 1.0, 0.0, 0.0]], None)),
        (
            "aligned, σ² = (2,1), noise share ½",
            point(&[[2.0, 1.0, 1.0, 0.0], [1.0, 1.0, 1.0, 0.0]], Some((1.0, 1.0, 0.0, 1))),
        ),
        ("ρ = (0, 1), u = 0.1 in both", point(&[[1.0, 1.0, 0.0, 0.1], [1.0, 1.0, 1.0, 0.1]], None)),
        ("u of both signs", point(&[[1.0, 1.0, 0.5, 0.5], [2.0, 0.5, 0.9, -0.25]], Some((0.5, 0.25, 1.0, 3)))),
        (
            "infinite width, σ² = (9,1), σ_ξ² = 0.05, q = 18",
            point(&[[9.0, 9.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]], Some((0.05, 0.05, 0.0, 18))),
        ),
        (
            "infinite width, σ² = (2,1), σ_ξ² = 1, q = 9998",
            point(&[[2.0, 2.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]], Some((1.0, 1.0, 0.0, 9998))),
        ),
        (
            "nearly aligned, little noise in many directions",
            point(&[[1.0, 1.0, 0.9999, 0.0], [1.0, 1.0, 0.9999, 0.0]], Some((0.01, 0.0001, 0.0, 10_000))),
        ),
        ("opposite views with strong noise", point(&[[1.0, 1.0, -0.5, 0.0]], Some((4.0, 1.0, 0.0, 1)))),
        (
            "a strong signal dominates",
            point(&[[20.0, 50.0, 0.999, 0.0], [1.0, 0.02, 0.1, 0.0], [2.0, 1.0, -0.5, 0.0]], None),
        ),
        ("all correlations −½", point(&[[3.0, 1.0, -0.5, 0.0], [1.0, 2.0, -0.5, 0.0]], None)),
    ]
}

fn strategy() -> impl Strategy<Value = DiagonalPoint> {
    let direction = (-1.0..3.0f64, -2.0..2.0f64, -1.0..=1.0f64, -1.0..1.0f64);
    let noise = (-4.0..1.5f64, -4.0..1.0f64, -1.0..1.0f64, 0.0..9.2f64);
    let exp = core_math::exp;
    (vec(direction, 1..=4), option::of(noise), -2.3..2.3f64, -5.0..2.5f64).prop_map(
        move |(directions, noise, log_k, log_tau)| {
            let list: Vec<[f64; 4]> = directions.iter().map(|&(s, n, rho, u)| [exp(s), exp(n), rho, u]).collect();
            let noise = noise.map(|(s, n, u, log_q)| (exp(s), exp(n), u, exp(log_q) as u32));
            DiagonalPoint { negatives: exp(log_k), tau_squared: exp(log_tau), ..point(&list, noise) }
        },
    )
}

/// The named states and random ones with up to four directions and ten thousand noise columns.
pub fn points() -> Vec<Family<DiagonalPoint>> {
    vec![edge("named states", named), random("random diagonal states", strategy)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_equalised_point_has_equal_views_and_the_rest_as_it_was() {
        for (name, point) in named() {
            assert_eq!(point.validate(), Ok(()), "{name}");
            let even = point.equalised();
            assert!(even.directions.iter().all(|d| d.log_ratio == 0.0), "{name}");
            let state = even.state();
            assert!(state.a.iter().zip(&state.b).all(|(a, b)| a.intersection(*b).is_some()), "{name}");
            assert_eq!(even.directions.len(), point.directions.len(), "{name}");
        }
    }
}
