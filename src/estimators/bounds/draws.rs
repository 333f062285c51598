//! What the bounds know of the negatives: class probabilities and how many are drawn.

use contrastive::drawn_probability;
use enclosures::enclosure::Enclosure;
use enclosures::interval::{self, Interval};
use enclosures::probability::{CollectorError, Coverage, probabilities_of};

/// `N` negatives whose classes are drawn independently from `rho`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Draws {
    /// The number `N_C` of classes.
    pub classes: usize,
    /// The number `N` of negatives.
    pub negatives: u64,
    /// Whether all classes are equally likely.
    pub equal_classes: bool,
    /// The smallest class probability.
    pub p_min: Enclosure,
    /// `tau_N = sum_c rho(c)^(N+1)`: the chance that an anchor and all its negatives share one class.
    pub tau: Enclosure,
    /// `tau_N log(N + 1)`, which the unsupervised loss contains whatever the embeddings are.
    pub collisions: Enclosure,
    /// `p_cc(N)`: the chance that the negatives show every class.
    pub covered: Enclosure,
    /// `1 - (1 - p_min)^N`: the chance that they show one rarest class.
    pub rarest_drawn: Enclosure,
}

impl Draws {
    /// For class probabilities proportional to positive weights, in time linear in their number.
    ///
    /// # Errors
    /// [`CollectorError`]: no class, or a weight that is not a positive finite number.
    pub fn of_weights(weights: &[f64], negatives: u64) -> Result<Self, CollectorError> {
        let rho = probabilities_of(weights)?;
        let equal_classes = weights.windows(2).all(|pair| pair[0] == pair[1]);
        let p_min = rho.iter().copied().fold(Interval::ONE, Interval::min);
        let exponent = i64::try_from(negatives).unwrap_or(i64::MAX).saturating_add(1);
        let tau = if equal_classes {
            // N_C N_C^-(N+1)
            (Interval::ONE / weights.len() as f64).powi(exponent - 1)
        } else {
            interval::sum(&rho.iter().map(|r| r.powi(exponent)).collect::<Vec<_>>())
        };
        let tau = Enclosure::from(tau);
        Ok(Draws {
            classes: weights.len(),
            negatives,
            equal_classes,
            p_min: p_min.into(),
            tau,
            collisions: tau * (Enclosure::from(negatives) + 1.0).ln(),
            covered: Coverage::of_weights(weights, negatives)?.covered.into(),
            rarest_drawn: drawn_probability(p_min, negatives).into(),
        })
    }
}
