//! Sums of independent non-negative variables in the proof of Lemma C.1: coins, and the variables Z_r that count
//! disjoint events with weights.

use enclosures::probability::Binomial;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// m independent variables that are 1 with probability p.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
pub struct Coins {
    #[instance(symbol = "m", range = "1..=100_000")]
    pub count: u32,
    #[instance(symbol = "p", range = "(0, 1]")]
    pub probability: f64,
}

impl Coins {
    /// P(ΣZ ≤ factor · ΣEZ).
    pub fn below(&self, factor: f64) -> Result<Enclosure, MeasureError> {
        let limit = Enclosure::from(self.count) * self.probability * factor;
        let at =
            |k: f64| Binomial::new(u64::from(self.count), self.probability).map(|b| b.lower_tail(k.floor() as u64));
        Ok(Enclosure::between(at(limit.lo())?.lo(), at(limit.hi())?.hi()))
    }

    /// e^{−m (EZ)²/(constant · EZ²)} with EZ = EZ² = p.
    pub fn allowed(&self, constant: f64) -> Enclosure {
        (-(Enclosure::from(self.count) * self.probability / constant)).exp()
    }
}

/// Z = Σ_i 1_{A_i} a_i/(32d) for disjoint events A_i with probabilities at least κ and a_i = ‖v_i‖².
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "‖v_i‖² = {squares:?}, P(A_i)/κ = {excess:?}, nκ = {share}, d = {output}",
    valid = Self::has_probabilities,
    simpler = Self::beginnings, stored)]
pub struct Weighted {
    /// a_i = ‖v_i‖².
    #[instance(length = "n in 1..", range = "0..=1e6")]
    pub squares: Vec<f64>,
    /// P(A_i)/κ ≥ 1.
    #[instance(length = "n", range = "1..=1e3")]
    pub excess: Vec<f64>,
    /// nκ ≤ 1.
    #[instance(range = "0<..")]
    pub share: f64,
    #[instance(range = "1..")]
    pub output: u32,
}

impl Weighted {
    fn has_probabilities(&self) -> Result<(), String> {
        if self.excess.iter().sum::<f64>() * self.share <= self.squares.len() as f64 {
            Ok(())
        } else {
            Err("probabilities beyond one".into())
        }
    }

    fn beginnings(&self) -> Vec<Self> {
        let first = |k: usize| Weighted {
            squares: self.squares[..k].to_vec(),
            excess: self.excess[..k].to_vec(),
            ..self.clone()
        };
        (1..self.squares.len()).map(first).collect()
    }
}

impl Weighted {
    /// κ.
    fn least(&self) -> Enclosure {
        exact(self.share) / self.squares.len() as f64
    }

    /// Σ_i weight_i (a_i/(32d))^power, weight_i = P(A_i) or one.
    fn moment(&self, power: i64, with_probabilities: bool) -> Enclosure {
        let term = |(&a, &p): (&f64, &f64)| {
            let weight = if with_probabilities { p * self.least() } else { Enclosure::ONE };
            weight * (exact(a) / (32.0 * f64::from(self.output))).powi(power)
        };
        self.squares.iter().zip(&self.excess).map(term).sum()
    }

    /// EZ and κ Σ a_i/(32d).
    pub fn mean(&self) -> [Enclosure; 2] {
        [self.moment(1, true), self.least() * self.moment(1, false)]
    }

    /// (EZ)² and κ² Σ a_i²/(32d)².
    pub fn squared_mean(&self) -> [Enclosure; 2] {
        [self.mean()[0].square(), self.least().square() * self.moment(2, false)]
    }

    /// EZ² and Σ a_i²/(32d)².
    pub fn second_moment(&self) -> [Enclosure; 2] {
        [self.moment(2, true), self.moment(2, false)]
    }
}
