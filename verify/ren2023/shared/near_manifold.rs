//! States near the diagonal manifold: every column of one view is nearly orthogonal to the columns of the other one
//! that are not its partner.

use evidence::claim::pairs_below;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

/// What is known of every state; not even that columns with these cosines exist is used.
pub const GIVEN: &str = "K > 0, τ² > 0, no [K_A]_p or [K_B]_p zero, otherwise any norms, any ρ_p and other cosines \
                         between the views in [−1, 1], scaled by ε in [0, 1], as numbers, whether or not columns have \
                         them; cosines within a view do not enter, the strengths σ² = (σ_1², …, σ_r²) and σ_ξ² only rates of columns";

/// Norms and cosines of a state. Cosines of different columns of one view are free: neither loss nor velocity of the
/// norms contains them.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::fits, equivalents = Self::relabelled, stored)]
pub struct NearManifold {
    #[instance(range = "1..=5")]
    pub signal: usize,
    #[instance(range = "0..=4")]
    pub noise: usize,
    /// σ_p² and σ_ξ², which only move the norms.
    #[instance(length = "1..=5", range = "1e-4..=1e4", scale = "logarithmic")]
    pub sigma_squared: Vec<f64>,
    #[instance(range = "1e-4..=1e4", scale = "logarithmic")]
    pub noise_squared: f64,
    /// Squared column norms of [K_A | K_{A,ξ}] and [K_B | K_{B,ξ}].
    #[instance(range = "0..=1e4")]
    pub norms: [Vec<f64>; 2],
    /// ρ_p.
    #[instance(range = "-1..=1")]
    pub correlation: Vec<f64>,
    /// Cosines of column i of A and column j of B over ε, row by row; places (p, p) of the signal are not read.
    #[instance(range = "-1..=1")]
    pub cosines: Vec<f64>,
    /// ε.
    #[instance(symbol = "ε", range = "0..=1")]
    pub size: f64,
    #[instance(range = "1e-4..=100", scale = "logarithmic")]
    pub tau_squared: f64,
    #[instance(range = "1e-12..=1e4", scale = "logarithmic")]
    pub negatives: f64,
}

impl NearManifold {
    fn in_words(&self) -> String {
        format!(
            "r = {}, q = {}, squared norms {:?} and {:?}, ρ = {:?}, other cosines {} · {:?}, σ² = {:?}, σ_ξ² = {}, τ² \
             = {}, K = {}",
            self.signal,
            self.noise,
            self.norms[0],
            self.norms[1],
            self.correlation,
            self.size,
            self.cosines,
            self.sigma_squared,
            self.noise_squared,
            self.tau_squared,
            self.negatives
        )
    }

    fn fits(&self) -> Result<(), String> {
        let (r, d) = (self.signal, self.latents());
        let lengths = [self.norms[0].len(), self.sigma_squared.len(), self.correlation.len(), self.cosines.len()];
        if d > 5 || lengths != [d, r, r, d * d] {
            return Err("r + q is beyond 5, or a list has the wrong length".into());
        }
        match self.norms.iter().flat_map(|view| &view[..r]).find(|&&x| x < 1e-4) {
            Some(x) => Err(format!("a signal norm is {x}, below 1e-4")),
            None => Ok(()),
        }
    }

    /// The state with its latent coordinates renamed: the one at k was at `from(k)`.
    fn renamed(&self, from: impl Fn(usize) -> usize) -> Self {
        let (r, d) = (self.signal, self.latents());
        let signals = |list: &[f64]| (0..r).map(|p| list[from(p)]).collect::<Vec<_>>();
        let all = |list: &[f64]| (0..d).map(|k| list[from(k)]).collect::<Vec<_>>();
        NearManifold {
            sigma_squared: signals(&self.sigma_squared),
            correlation: signals(&self.correlation),
            norms: [all(&self.norms[0]), all(&self.norms[1])],
            cosines: (0..d * d).map(|at| self.cosines[from(at / d) * d + from(at % d)]).collect(),
            ..self.clone()
        }
    }

    /// The same state under other names of its coordinates.
    fn relabelled(&self) -> Vec<(&'static str, Self)> {
        let (r, d) = (self.signal, self.latents());
        let [a, b] = self.norms.clone();
        let views = NearManifold {
            norms: [b, a],
            cosines: (0..d * d).map(|at| self.cosines[at % d * d + at / d]).collect(),
            ..self.clone()
        };
        vec![
            ("signals in another order", self.renamed(|k| if k < r { r - 1 - k } else { k })),
            ("noise in another order", self.renamed(|k| if k < r { k } else { d - 1 - (k - r) })),
            ("views exchanged", views),
        ]
    }

    /// σ = 1, noise columns of squared norm 0.3, ρ = 1/2, τ² = 2, K = 1.
    pub fn of(signal: &[f64], noise: usize, size: f64, cosines: &[f64]) -> Self {
        let norms: Vec<f64> = signal.iter().copied().chain(std::iter::repeat_n(0.3, noise)).collect();
        NearManifold {
            signal: signal.len(),
            noise,
            sigma_squared: vec![1.0; signal.len()],
            noise_squared: 0.5,
            norms: [norms.clone(), norms],
            correlation: vec![0.5; signal.len()],
            cosines: cosines.to_vec(),
            size,
            tau_squared: 2.0,
            negatives: 1.0,
        }
    }

    pub fn at(mut self, tau_squared: f64, negatives: f64) -> Self {
        (self.tau_squared, self.negatives) = (tau_squared, negatives);
        self
    }

    pub fn correlated(mut self, correlation: &[f64]) -> Self {
        self.correlation = correlation.to_vec();
        self
    }

    /// Other norms and strengths of view B.
    pub fn unequal(mut self, norms_b: &[f64], sigma_squared: &[f64]) -> Self {
        self.norms[1] = norms_b.to_vec();
        self.sigma_squared = sigma_squared.to_vec();
        self
    }

    pub fn latents(&self) -> usize {
        self.signal + self.noise
    }

    /// The cosine of column i of A and column j of B beside the diagonal of the signal.
    pub fn cosine(&self, i: usize, j: usize) -> Interval {
        if i == j && i < self.signal {
            Interval::ZERO
        } else {
            Interval::point(self.cosines[i * self.latents() + j]) * self.size
        }
    }

    /// Whether no cosine of signals, and none with noise, differs from zero beside the diagonal.
    pub fn bends(&self) -> (bool, bool) {
        let d = self.latents();
        let mut found = (false, false);
        for (i, j) in pairs(0..d, 0..d) {
            if self.cosine(i, j) != Interval::ZERO {
                if i.max(j) < self.signal { found.0 = true } else { found.1 = true }
            }
        }
        found
    }
}

/// Which cosines are not zero.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Bend {
    Signal,
    Noise,
    Both,
}

impl Bend {
    fn keep(self, mut s: NearManifold) -> NearManifold {
        let (r, d) = (s.signal, s.latents());
        for (place, c) in s.cosines.iter_mut().enumerate() {
            let signal = (place / d).max(place % d) < r;
            if self == Bend::Signal && !signal || self == Bend::Noise && signal {
                *c = 0.0;
            }
        }
        s
    }
}

/// Generic states, whose residuals have a second-order term.
pub fn generic() -> Vec<(&'static str, NearManifold)> {
    let of = NearManifold::of;
    let three = [0.0, 0.5, -0.3, 0.9, 0.0, 0.4, -0.6, 0.2, 0.7];
    let four = [0.0, 0.5, -0.3, 0.2, 0.9, 0.0, 0.4, -0.7, -0.6, 0.2, 0.3, 0.8, 0.1, -0.4, 0.6, 0.5];
    vec![
        ("r = 2, q = 1", of(&[2.0, 1.0], 1, 0.05, &three).correlated(&[0.8, 0.6])),
        ("r = 1, q = 2", of(&[1.5], 2, 0.05, &three).at(3.0, 0.5)),
        ("r = 2, q = 2", of(&[1.0, 0.5], 2, 0.05, &four).correlated(&[0.9, 0.7]).at(4.0, 2.0)),
        ("r = 3, q = 1", of(&[1.0, 0.5, 2.0], 1, 0.05, &four).correlated(&[0.9, 0.7, 0.3]).at(2.5, 1.0)),
        ("unequal views", of(&[4.0, 2.0], 2, 0.05, &four).unequal(&[1.0, 0.7, 0.2, 0.1], &[3.0, 1.0]).at(2.0, 0.3)),
    ]
}

fn special() -> Vec<(&'static str, NearManifold)> {
    let of = NearManifold::of;
    let five: Vec<f64> = (0..25).map(|k| f64::from((k * 7 + 3) % 11 - 5) / 16.0).collect();
    vec![
        ("one direction, no noise", of(&[1.0], 0, 0.1, &[0.0])),
        ("no perturbation", of(&[2.0, 1.0], 0, 0.0, &[0.0, 1.0, 1.0, 0.0])),
        ("E symmetric", of(&[2.0, 1.0], 0, 0.01, &[0.0, 1.0, 1.0, 0.0]).correlated(&[0.9, 0.9])),
        ("E antisymmetric", of(&[2.0, 1.0], 0, 0.01, &[0.0, 1.0, -1.0, 0.0]).correlated(&[0.9, 0.5])),
        ("one entry of E", of(&[2.0, 1.0], 0, 1e-3, &[0.0, 1.0, 0.0, 0.0]).correlated(&[0.9, 0.1])),
        (
            "aligned, κ² = (4, 1)",
            of(&[4.0, 1.0], 1, 0.01, &[0.0, 1.0, 0.5, 1.0, 0.0, -0.5, 0.5, -0.5, 0.0]).correlated(&[1.0, 1.0]),
        ),
        ("aligned and cold", of(&[1.0, 1.0], 0, 1e-3, &[0.0, 1.0, 1.0, 0.0]).correlated(&[1.0, 1.0]).at(30.0, 1.0)),
        ("opposed", of(&[1.0, 2.0], 0, 0.1, &[0.0, 1.0, -0.5, 0.0]).correlated(&[-0.8, -0.6]).at(3.0, 0.2)),
        (
            "uncorrelated",
            of(&[1.0, 2.0], 1, 0.1, &[0.0, 1.0, 0.3, -0.5, 0.0, 0.2, 0.6, 0.1, 0.9]).correlated(&[0.0, 0.0]),
        ),
        ("hot", of(&[2.0, 1.0], 1, 0.05, &[0.0, 0.5, -0.3, 0.9, 0.0, 0.4, -0.6, 0.2, 0.7]).at(0.01, 10.0)),
        (
            "cold and bent far",
            of(&[1.0, 1.0], 1, 0.3, &[0.0, 0.9, 0.0, 0.9, 0.0, 0.0, 0.0, 0.0, 1.0])
                .correlated(&[0.7, 0.7])
                .at(100.0, 0.1),
        ),
        ("only noise against noise", of(&[1.0], 1, 0.05, &[0.0, 0.0, 0.0, 1.0]).at(2.5, 2.0)),
        (
            "K_A ten times K_B",
            of(&[100.0, 50.0], 1, 0.01, &[0.0, 1.0, 1.0, -1.0, 0.0, 1.0, 1.0, 1.0, 1.0])
                .unequal(&[1.0, 0.5, 0.3], &[2.0, 1.0]),
        ),
        (
            // So little that what is of second order hides nothing of the first.
            "two unlike directions, bent by a hair",
            of(&[2.0, 0.5], 1, 1e-5, &[0.0, 0.5, -0.3, 0.9, 0.0, 0.4, -0.6, 0.2, 0.7]).correlated(&[0.9, 0.1]),
        ),
        ("r = 3, q = 2", of(&[3.0, 2.0, 1.0], 2, 0.05, &five).correlated(&[0.8, 0.5, -0.3])),
        ("r = 4, q = 1", of(&[3.0, 2.0, 1.0, 0.5], 1, 0.05, &five).correlated(&[0.8, 0.5, 0.9, 0.0]).at(6.0, 1.0)),
    ]
}

fn strategy() -> impl Strategy<Value = NearManifold> {
    let sizes = select(&[(1usize, 1usize), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (4, 0)][..]);
    let constants = (-11.0..-1.5f64, -4.0..3.0f64, -2.3..2.3f64, proptest::bool::weighted(0.3));
    (sizes, constants).prop_flat_map(|((signal, noise), (size, tau, k, aligned))| {
        let d = signal + noise;
        let norms = move || vec(-1.5..1.5f64, d);
        let rest = (vec(-0.9..0.9f64, signal), vec(-1.0..1.0f64, d * d), vec(-1.5..1.5f64, signal), -1.5..1.5f64);
        (norms(), norms(), rest).prop_map(move |(a, b, (correlation, mut cosines, sigma, noise_squared))| {
            let exp = |x: &f64| Interval::point(*x).exp().midpoint();
            if aligned {
                for (i, j) in pairs_below(d) {
                    cosines[i * d + j] = if j < signal { cosines[j * d + i] } else { 0.0 };
                    cosines[j * d + i] = cosines[i * d + j];
                }
                for k in 0..d {
                    cosines[k * d + k] = 0.0;
                }
            }
            NearManifold {
                signal,
                noise,
                sigma_squared: sigma.iter().map(exp).collect(),
                noise_squared: exp(&noise_squared),
                norms: [a.iter().map(exp).collect(), b.iter().map(exp).collect()],
                correlation: if aligned {
                    vec![1.0; signal]
                } else {
                    correlation.iter().map(|c| c.abs().max(*c)).collect()
                },
                cosines: cosines.iter().map(|c| c / d as f64).collect(),
                size: exp(&size).min(0.09),
                tau_squared: exp(&tau),
                negatives: exp(&k),
            }
        })
    })
}

/// Hand-picked and random states with these cosines.
pub fn families(bend: Bend) -> [Family<NearManifold>; 3] {
    let kept = move |list: Vec<(&'static str, NearManifold)>| -> Vec<_> {
        list.into_iter().map(|(name, s)| (name, bend.keep(s))).collect()
    };
    [
        edge("generic", move || kept(generic())),
        edge("named", move || kept(special())),
        random("near the manifold", move || strategy().prop_map(move |s| bend.keep(s))).taking(0.5),
    ]
}

/// The generic states alone, for exponents.
pub fn generic_family(bend: Bend) -> Family<NearManifold> {
    edge("generic", move || generic().into_iter().map(|(name, s)| (name, bend.keep(s))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_states_are_instances_and_a_list_too_short_is_none() {
        for (name, s) in generic() {
            assert_eq!(s.validate(), Ok(()), "{name}");
        }
        let mut short = NearManifold::of(&[1.0, 1.0], 0, 1e-4, &[0.0, 1.0, 1.0, 0.0]);
        short.cosines.pop();
        assert!(short.validate().is_err());
    }
}
