//! How far outputs of deep networks move, in the limit of infinite width, from the angles of two orthonormal inputs
//! layer by layer.
//!
//! The gradient of v·f(x) with respect to W_l is c_l h_{l−1}ᵀ with c_l = D_l Back_{l+1}ᵀ v. As m → ∞ its norm tends to
//! a = √(m/(2d)) for a unit vector v, so that steps of spectral norm ε in all L hidden layers move v·f(x) by Lεa. For
//! two inputs the gradient of v·(f(x) − f(x′)) is c_l h_{l−1}ᵀ − c′_l h′_{l−1}ᵀ, where h and h′ are at the angle
//! φ_{l−1} of the recursion and c_l·c′_l = a²ρ_l, ρ_l = ∏_{j=l}^{L−1} (1 − φ_{j−1}/π): every mask keeps the share
//! 2P(both active) of what both have. Its nuclear norm is a √(2(1 − ρ cos φ) + 2 √(1 − ρ²) sin φ), and steps of
//! spectral norm τ along its polar factors move v·(f(x) − f(x′)) by τaS_L, S_L the sum of these roots.
//!
//! S_L grows like L: φ_j is at least the chord 1/(1/√2 + κ(j + 1)) of Lemma B.10, so that ρ_l ≤ e^{−Σ_{j≥l} φ_{j−1}/π}
//! stays below a number less than one for l ≤ L/2, and each of these layers adds at least √(2(1 − ρ_l)).

use enclosures::probability::angle_chain;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// A number L of hidden layers, and three orthonormal inputs: the query of the first, the keys of the others.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "orthonormal inputs, m → ∞, L = {layers}", simpler = Self::shallower, stored)]
pub struct DeepLimit {
    #[instance(range = "1..=10_000")]
    pub layers: u32,
}

impl DeepLimit {
    fn shallower(&self) -> Vec<Self> {
        let fewer = [1, self.layers / 2, self.layers - 1];
        let fewer = fewer.into_iter().filter(|&layers| layers > 0 && layers < self.layers);
        fewer.map(|layers| DeepLimit { layers }).collect()
    }
}

/// What the gradients of v·(f(x) − f(x′)) add up to over the hidden layers, in units of a.
pub struct Gradients {
    pub layers: usize,
    /// S_L, the sum of the nuclear norms.
    pub nuclear: Enclosure,
    /// The sum of the squares of the Frobenius norms.
    pub frobenius_squared: Enclosure,
}

/// Sums over the layers of a network of this depth.
fn gradients(layers: usize) -> Gradients {
    // φ_{−1}, φ_0, …: the angles of what enters each layer.
    let right = Interval::pi() / 2.0;
    let entering: Vec<Interval> = std::iter::once(right).chain(angle_chain(right)).take(layers).collect();
    let (mut shared, mut nuclear, mut square) = (Interval::ONE, Interval::ZERO, Interval::ZERO);
    for &angle in entering.iter().rev() {
        shared *= Interval::ONE - angle / Interval::pi();
        let apart = Interval::ONE - shared * angle.cos();
        let skew = (Interval::ONE - shared.square()).max(Interval::ZERO).sqrt() * angle.sin();
        nuclear += ((apart + skew) * 2.0).max(Interval::ZERO).sqrt();
        square += apart * 2.0;
    }
    Gradients { layers, nuclear: nuclear.into(), frobenius_squared: square.into() }
}

impl Gradients {
    pub fn depth(&self) -> Enclosure {
        Enclosure::from(self.layers)
    }

    /// The square of ((q̃ − q)·z_12)/((m/d) τ‖W̃ − W‖) with spectral norms: two keys moved apart by τ, each half of the
    /// way, and the query along them.
    pub fn spectral(&self) -> Enclosure {
        (self.depth() * self.nuclear / 4.0).square()
    }

    /// The same with Frobenius norms of whole tuples: √L a ‖W̃ − W‖_F times half of a τ (Σ‖·‖_F²)^{1/2}.
    pub fn frobenius(&self) -> Enclosure {
        self.depth() * self.frobenius_squared / 16.0
    }

    /// τ a spectral norm and ‖W̃ − W‖ that of the tuple.
    pub fn mixed(&self) -> Enclosure {
        self.depth() * self.nuclear.square() / 16.0
    }
}

impl DeepLimit {
    pub fn gradients(&self) -> Gradients {
        gradients(self.layers as usize)
    }
}

impl Gradients {
    /// C = (L − 1)/16: with S_L ≥ L the square with spectral norms is at least L⁴/16, and with the mixture at least L³/16.
    pub fn failing_constant(&self) -> Enclosure {
        (self.depth() - 1.0) / 16.0
    }

    /// L^power.
    pub fn depth_to(&self, power: i64) -> Enclosure {
        self.depth().powi(power)
    }
}
