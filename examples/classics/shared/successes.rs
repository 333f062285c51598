//! At least k successes in n independent trials: what inequalities of sums are tried on, with an exact tail.

use contrapositive::prelude::*;
use contrapositive::probability::Binomial;
use proptest::prelude::{Just, Strategy, prop_oneof};
use serde::{Deserialize, Serialize};

/// Tails far below e^-600 are no doubles any more.
const LARGEST_EXPONENT: f64 = 600.0;

/// The event S ≥ k of a binomial variable.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "n = {n}, k = {k}, p = {p}", valid = Self::is_no_underflow, simpler = Self::fewer, stored)]
pub struct Successes {
    /// How many trials.
    #[instance(range = "1..=5000")]
    pub n: u64,
    /// How many successes at least.
    pub k: u64,
    /// With which probability each.
    #[instance(range = "(0, 1)")]
    pub p: f64,
}

impl Successes {
    fn of(n: u64, k: u64, p: f64) -> Self {
        Successes { n, k, p }
    }

    /// n.
    pub fn trials(&self) -> Enclosure {
        self.n.into()
    }

    /// k − np.
    pub fn excess(&self) -> Enclosure {
        Enclosure::from(self.k) - self.trials() * self.p
    }

    /// np(1 − p).
    pub fn variance(&self) -> Enclosure {
        self.trials() * self.p * (1.0 - exact(self.p))
    }

    /// P(S ≥ k).
    ///
    /// # Errors
    /// The law cannot be made.
    pub fn tail(&self) -> Result<Enclosure, MeasureError> {
        Ok(Binomial::new(self.n, self.p)?.upper_tail(self.k).into())
    }

    /// kl(k/n, p), the divergence of a coin of probability k/n from one of probability p, in nats.
    pub fn coin_divergence(&self) -> Enclosure {
        self.divergence_from(self.p)
    }

    fn divergence_from(&self, p: f64) -> Enclosure {
        let (share, p) = (Enclosure::from(self.k) / self.trials(), exact(p));
        let term = |a: Enclosure, b: Enclosure| {
            if a.hi() > 0.0 { a * (a / b).ln() } else { Enclosure::ZERO }
        };
        let failures = Enclosure::from(self.n - self.k) / self.trials();
        term(share, p) + term(failures, 1.0 - p)
    }

    /// Whether k ≥ np for certain.
    pub fn is_above_mean(&self) -> bool {
        self.excess().lo() >= 0.0
    }

    /// Whether p = ½ and k > n/2.
    pub fn is_fair_majority(&self) -> bool {
        self.p == 0.5 && 2 * self.k > self.n
    }

    /// Few and many trials, fair, rare and likely ones.
    pub fn named() -> Vec<(&'static str, Self)> {
        vec![
            ("one fair coin", Self::of(1, 1, 0.5)),
            ("two fair coins", Self::of(2, 2, 0.5)),
            ("three of four", Self::of(4, 3, 0.5)),
            ("fair, at the mean", Self::of(10, 5, 0.5)),
            ("fair, a thousand", Self::of(1000, 560, 0.5)),
            ("fair, three thousand", Self::of(3000, 1800, 0.5)),
            ("rare", Self::of(100, 5, 0.01)),
            ("very rare", Self::of(1000, 4, 0.001)),
            ("very rare, further out", Self::of(1000, 7, 0.001)),
            ("likely", Self::of(50, 50, 0.95)),
            ("a third, far out", Self::of(60, 50, 0.375)),
        ]
    }

    /// Events that reach below the mean.
    pub fn below_mean() -> Vec<(&'static str, Self)> {
        vec![("one of ten", Self::of(10, 1, 0.5)), ("always", Self::of(4, 0, 0.25))]
    }

    /// Up to a thousand trials, k from the mean upwards.
    pub fn drawn() -> impl Strategy<Value = Self> {
        let trials = prop_oneof![1..=20u64, 20..=1000u64];
        let chance = prop_oneof![Just(0.5), 0.001..0.999f64];
        (trials, chance, 0.0..1.0f64).prop_map(|(n, p, share)| {
            let mean = n as f64 * p;
            let k = (mean + share * share * (n as f64 - mean)).ceil() as u64;
            Successes { n, k: k.min(n), p }
        })
    }
}

impl Successes {
    fn is_no_underflow(&self) -> Result<(), String> {
        if self.k > self.n {
            return Err(format!("{} successes of {} trials", self.k, self.n));
        }
        let own = self.divergence_from(self.p);
        let largest = if 2 * self.k > self.n { own.max(self.divergence_from(0.5)) } else { own };
        let exponent = (self.trials() * largest).hi();
        (exponent <= LARGEST_EXPONENT)
            .then_some(())
            .ok_or_else(|| format!("the tail is near e^-{exponent}, where doubles underflow"))
    }

    fn fewer(&self) -> Vec<Self> {
        let with = |n: u64, k: u64| Successes { n, k, p: self.p };
        let halved = with(self.n / 2, self.k.div_ceil(2));
        let fewer = (self.n > 1).then(|| [with(self.n - 1, self.k), with(self.n - 1, self.k.saturating_sub(1))]);
        std::iter::once(halved).chain(fewer.into_iter().flatten()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_fair_coins() {
        let both = Successes::of(2, 2, 0.5);
        assert_eq!(both.tail().expect("a law"), exact(0.25));
        assert_eq!((both.excess(), both.variance()), (exact(1.0), exact(0.5)));
        let (bit, divergence) = (Enclosure::ln_2(), both.coin_divergence());
        assert!(divergence.lo() <= bit.hi() && bit.lo() <= divergence.hi());
    }
}
