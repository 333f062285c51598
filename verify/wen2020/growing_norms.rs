//! Norms of tuples of matrices, and ratios of printed bounds that grow with the width or the number of layers.

use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use serde::{Deserialize, Serialize};

/// Norms of a list of matrices or of vectors.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Norms {
    pub list: Vec<f64>,
}

impl Instance for Norms {
    fn describe(&self) -> String {
        format!("{} norms {:?}", self.list.len(), self.list)
    }

    fn validate(&self) -> Result<(), String> {
        let sound = self.list.iter().all(|x| (0.0..=1e6).contains(x));
        sound.then_some(()).ok_or_else(|| "a norm outside [0, 10⁶]".into())
    }

    fn simpler(&self) -> Vec<Self> {
        let shorter = |k: usize| Norms {
            list: self.list[..k].to_vec(),
        };
        (1..self.list.len()).map(shorter).collect()
    }
}

impl Norms {
    pub fn sum(&self) -> Enclosure {
        self.list.iter().map(|&x| Enclosure::from(x)).sum()
    }

    pub fn length(&self) -> Enclosure {
        self.list
            .iter()
            .map(|&x| Enclosure::from(x).square())
            .sum::<Enclosure>()
            .sqrt()
    }
}

/// What grows along a sweep of exponents: the width 2^{10 k}, or the number of layers 2^k, k = 1, …, `steps`; ω =
/// `share` (log m)^{−3/2}.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Growing {
    pub steps: u32,
    pub share: f64,
}

impl Instance for Growing {
    fn describe(&self) -> String {
        format!("{} steps, ω = {} (log m)^(−3/2)", self.steps, self.share)
    }

    fn validate(&self) -> Result<(), String> {
        let sound = (3..=60).contains(&self.steps) && self.share > 0.0 && self.share <= 1.0;
        sound
            .then_some(())
            .ok_or_else(|| "not 3 to 60 steps, or a share outside (0, 1]".into())
    }
}

impl Growing {
    /// For m = 2^{10 k}, L = 1 and d = m/log m: ω²/(ω^{1/3} √(log m/d) √2 ω), the last two factors ‖W′‖_F; times
    /// m^{−1/2} if the root is restored.
    pub fn last_layer(&self, with_root: bool) -> Vec<(f64, f64)> {
        let at = |k: u32| {
            let log = Enclosure::ln_2() * f64::from(10 * k);
            let omega = self.share * log.powi(-3).sqrt();
            let room = (omega.ln() * 2.0 / 3.0).exp() / Enclosure::from(2.0).sqrt();
            let width = log.exp();
            let ratio = if with_root {
                room / log
            } else {
                room * width.sqrt() / log
            };
            (width.midpoint(), ratio.midpoint())
        };
        (1..=self.steps).map(at).collect()
    }

    /// For m = 2^{10 k}, L = 1, d = 1, τ = `share` (log m)^{−3/2} and ω = m^{−1/2}: flips that reach τ^{1/3}√m ‖θ′‖_F
    /// against the bound ω^{1/3}√(m log m) ‖θ′‖_F, or with τ in place of ω.
    pub fn flips(&self, with_tau: bool) -> Vec<(f64, f64)> {
        let at = |k: u32| {
            let log = Enclosure::ln_2() * f64::from(10 * k);
            let tau = self.share * log.powi(-3).sqrt();
            // (τ/ω)^{1/3} with ω = e^{−log m/2}.
            let lost = ((tau.ln() + log / 2.0) / 3.0).exp();
            let ratio = if with_tau { 1.0 / log.sqrt() } else { lost / log.sqrt() };
            // Against τ/ω.
            (lost.powi(3).midpoint(), ratio.midpoint())
        };
        (1..=self.steps).map(at).collect()
    }

    /// Σ_l ‖W′_l‖_F/‖W′‖_F = √(L+1) for L + 1 matrices of equal norms.
    pub fn layers(&self, power: i64) -> Vec<(f64, f64)> {
        let at = |k: u32| {
            let count = f64::from(1u32 << k);
            let norms = Norms {
                list: vec![1.0; 1 << k],
            };
            let ratio = norms.sum() / norms.length() / Enclosure::from(count).powi(power).sqrt();
            (count, ratio.midpoint())
        };
        (1..=self.steps).map(at).collect()
    }
}
