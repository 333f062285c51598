//! Sums of independent non-negative variables in the proof of Lemma C.1: coins, and the variables Z_r that count
//! disjoint events with weights.

use enclosures::enclosure::{Enclosure, exact};
use enclosures::probability::Binomial;
use evidence::claim::MeasureError;
use evidence::instance::Instance;
use serde::{Deserialize, Serialize};

/// m independent variables that are 1 with probability p.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Coins {
    pub count: u32,
    pub probability: f64,
}

impl Instance for Coins {
    fn describe(&self) -> String {
        format!("m = {}, p = {}", self.count, self.probability)
    }

    fn validate(&self) -> Result<(), String> {
        let sound = (1..=100_000).contains(&self.count) && self.probability > 0.0 && self.probability <= 1.0;
        sound
            .then_some(())
            .ok_or_else(|| "m outside 1 to 10⁵, or p outside (0, 1]".into())
    }
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
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Weighted {
    /// a_i = ‖v_i‖².
    pub squares: Vec<f64>,
    /// P(A_i)/κ ≥ 1.
    pub excess: Vec<f64>,
    /// nκ ≤ 1.
    pub share: f64,
    pub output: u32,
}

impl Instance for Weighted {
    fn describe(&self) -> String {
        let Weighted {
            squares,
            excess,
            share,
            output,
        } = self;
        format!("‖v_i‖² = {squares:?}, P(A_i)/κ = {excess:?}, nκ = {share}, d = {output}")
    }

    fn validate(&self) -> Result<(), String> {
        let n = self.squares.len();
        let sizes = n > 0 && self.excess.len() == n && self.output > 0;
        let sound =
            self.squares.iter().all(|a| (0.0..=1e6).contains(a)) && self.excess.iter().all(|p| (1.0..=1e3).contains(p));
        if sizes && sound && self.share > 0.0 && self.excess.iter().sum::<f64>() * self.share <= n as f64 {
            Ok(())
        } else {
            Err("lists of different lengths, a number out of range, or probabilities beyond one".into())
        }
    }

    fn simpler(&self) -> Vec<Self> {
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
            let weight = if with_probabilities {
                p * self.least()
            } else {
                Enclosure::ONE
            };
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
