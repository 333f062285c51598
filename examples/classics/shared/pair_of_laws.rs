//! Two laws P and Q on the same finitely many outcomes, and what is measured between them.

use contrapositive::prelude::*;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};
use serde::{Deserialize, Serialize};

use super::weights::{refused, shares};

/// Weights of P and of Q.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "P ∝ {p:?}, Q ∝ {q:?}", valid = Self::is_a_pair, simpler = Self::of_fewer_outcomes, stored)]
pub struct PairOfLaws {
    #[instance(length = "n in 0..")]
    p: Vec<f64>,
    #[instance(length = "n")]
    q: Vec<f64>,
}

impl PairOfLaws {
    /// Laws proportional to these weights.
    pub fn of(p: &[f64], q: &[f64]) -> Self {
        PairOfLaws { p: p.to_vec(), q: q.to_vec() }
    }

    /// The probabilities of the outcomes under P and under Q.
    pub fn laws(&self) -> (Vec<Enclosure>, Vec<Enclosure>) {
        (shares(&self.p), shares(&self.q))
    }

    /// Whether Q gives weight to whatever P gives weight to.
    pub fn is_dominated(&self) -> bool {
        self.p.iter().zip(&self.q).all(|(&p, &q)| p == 0.0 || q > 0.0)
    }

    /// ‖P − Q‖₁, twice the total variation distance.
    pub fn l1(&self) -> Enclosure {
        let (p, q) = self.laws();
        p.into_iter().zip(q).map(|(p, q)| (p - q).abs()).sum()
    }

    /// The total variation distance sup_A |P(A) − Q(A)|.
    pub fn total_variation(&self) -> Enclosure {
        self.l1() / 2.0
    }

    /// KL(P‖Q) in nats; not defined where Q does not dominate P.
    pub fn divergence(&self) -> Enclosure {
        let (p, q) = self.laws();
        divergence(&p, &q)
    }

    /// Pairs whose distance is large, small, and lopsided.
    pub fn named() -> Vec<(&'static str, Self)> {
        vec![
            ("equal", Self::of(&[1.0, 2.0, 1.0], &[1.0, 2.0, 1.0])),
            ("a fair coin and one off by 1/16", Self::of(&[9.0, 7.0], &[1.0, 1.0])),
            ("a fair coin and one off by 1/256", Self::of(&[129.0, 127.0], &[1.0, 1.0])),
            ("certain against fair", Self::of(&[1.0, 0.0], &[1.0, 1.0])),
            ("certain against rare", Self::of(&[1.0, 0.0], &[1.0, 999.0])),
            ("almost disjoint", Self::of(&[999.0, 1.0], &[1.0, 999.0])),
            ("rare against rarer", Self::of(&[1.0, 99.0], &[1.0, 9999.0])),
            ("four outcomes, shifted", Self::of(&[4.0, 3.0, 2.0, 1.0], &[1.0, 2.0, 3.0, 4.0])),
            ("two coins that lean apart", Self::of(&[2.0, 1.0], &[1.0, 2.0])),
            ("two coins that lean further apart", Self::of(&[27.0, 13.0], &[13.0, 27.0])),
            ("one outcome", Self::of(&[1.0], &[3.0])),
        ]
    }

    /// Pairs of which Q does not dominate P.
    pub fn not_dominated() -> Vec<(&'static str, Self)> {
        vec![("disjoint", Self::of(&[1.0, 0.0], &[0.0, 1.0])), ("partly", Self::of(&[1.0, 1.0, 1.0], &[1.0, 1.0, 0.0]))]
    }

    /// Two to five outcomes, some of which P does not give weight to.
    pub fn drawn() -> impl Strategy<Value = Self> {
        (2usize..=5).prop_flat_map(|n| {
            let p = vec(prop_oneof![1 => Just(0.0), 5 => 0.01..1.0f64], n - 1);
            (p, 0.01..1.0f64, vec(0.01..1.0f64, n)).prop_map(|(mut p, last, q)| {
                p.push(last);
                PairOfLaws { p, q }
            })
        })
    }
}

/// Σ p log(p/q) in nats, where 0 log 0 = 0.
pub fn divergence(p: &[Enclosure], q: &[Enclosure]) -> Enclosure {
    let terms = p.iter().zip(q).filter(|(p, _)| p.hi() > 0.0);
    let sum: Enclosure = terms.map(|(&p, &q)| p * (p / q).ln()).sum();
    // Never negative; what lies below zero is rounding.
    sum.max(0)
}

impl PairOfLaws {
    fn is_a_pair(&self) -> Result<(), String> {
        refused(&self.p)?;
        refused(&self.q)
    }

    fn of_fewer_outcomes(&self) -> Vec<Self> {
        let without = |i: usize| {
            let mut fewer = self.clone();
            fewer.p.remove(i);
            fewer.q.remove(i);
            fewer
        };
        (0..self.p.len()).filter(|_| self.p.len() > 1).map(without).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_against_fair_is_one_bit_and_one_half() {
        let pair = PairOfLaws::of(&[1.0, 0.0], &[1.0, 1.0]);
        let (bit, kl) = (Enclosure::ln_2(), pair.divergence());
        assert!(kl.lo() <= bit.hi() && bit.lo() <= kl.hi() && kl.width() < 1e-15);
        assert_eq!(pair.total_variation(), exact(0.5));
    }

    #[test]
    fn domination_is_about_the_outcomes_of_p() {
        assert!(PairOfLaws::of(&[1.0, 0.0], &[1.0, 1.0]).is_dominated());
        assert!(!PairOfLaws::of(&[1.0, 1.0], &[1.0, 0.0]).is_dominated());
    }
}
