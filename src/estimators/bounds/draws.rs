//! What the bounds know of the negatives: class probabilities and how many are drawn.

use contrastive::{LatentClassModel, drawn_probability};
use enclosures::enclosure::Enclosure;
use enclosures::interval::{self, Interval};
use enclosures::probability::{CollectorError, Coverage, probabilities_of};

/// `N` negatives whose classes are drawn independently from `rho`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Draws<'a> {
    class_weights: &'a [f64],
    negatives: u64,
    p_min: Interval,
    tau: Interval,
}

impl<'a> Draws<'a> {
    /// For class probabilities proportional to positive weights, in time linear in their number.
    ///
    /// # Errors
    /// [`CollectorError`]: no class, or a weight that is not a positive finite number.
    pub fn of_weights(class_weights: &'a [f64], negatives: u64) -> Result<Self, CollectorError> {
        let rho = probabilities_of(class_weights)?;
        let exponent = i64::try_from(negatives).unwrap_or(i64::MAX).saturating_add(1);
        let tau = if equal(class_weights) {
            // N_C N_C^-(N+1)
            (Interval::ONE / class_weights.len() as f64).powi(exponent - 1)
        } else {
            interval::sum(&rho.iter().map(|r| r.powi(exponent)).collect::<Vec<_>>())
        };
        Ok(Draws { class_weights, negatives, p_min: rho.iter().copied().fold(Interval::ONE, Interval::min), tau })
    }

    /// For the classes of a model.
    #[must_use]
    pub fn of_model(model: &'a LatentClassModel, negatives: u64) -> Self {
        Draws { class_weights: model.class_weights(), negatives, p_min: model.p_min(), tau: model.tau(negatives) }
    }

    /// The number `N_C` of classes.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.class_weights.len()
    }

    /// The number `N` of negatives.
    #[must_use]
    pub fn negatives(&self) -> u64 {
        self.negatives
    }

    /// Whether all classes are equally likely.
    #[must_use]
    pub fn equal_classes(&self) -> bool {
        equal(self.class_weights)
    }

    /// The smallest class probability.
    #[must_use]
    pub fn p_min(&self) -> Enclosure {
        self.p_min.into()
    }

    /// `tau_N = sum_c rho(c)^(N+1)`: the chance that an anchor and all its negatives share one class.
    #[must_use]
    pub fn tau(&self) -> Enclosure {
        self.tau.into()
    }

    /// `tau_N log(N + 1)`, which the unsupervised loss contains whatever the embeddings are.
    #[must_use]
    pub fn collisions(&self) -> Enclosure {
        self.tau() * (Enclosure::from(self.negatives) + 1.0).ln()
    }

    /// `p_cc(N)`: the chance that the negatives show every class.
    #[must_use]
    pub fn covered(&self) -> Enclosure {
        // The weights have been checked; a chance lies between zero and one in any case.
        let chance = Coverage::of_weights(self.class_weights, self.negatives).map(|coverage| coverage.covered);
        chance.unwrap_or(Interval::new(0.0, 1.0)).into()
    }

    /// `1 - (1 - p_min)^N`: the chance that they show one rarest class.
    #[must_use]
    pub fn rarest_drawn(&self) -> Enclosure {
        drawn_probability(self.p_min, self.negatives).into()
    }
}

fn equal(weights: &[f64]) -> bool {
    weights.windows(2).all(|pair| pair[0] == pair[1])
}
