//! A model with a number of negatives, and the sum over everything that the negatives' classes can be.

use contrastive::{AnchorLogits, LatentClassModel};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// A model and a number of negatives.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "N = {negatives}, {model}", simpler = Self::smaller, equivalents = Self::relabelled, stored)]
pub struct Negatives {
    #[instance(range = "1..=1_048_576")]
    pub negatives: u64,
    #[instance(nested)]
    pub model: LatentClassModel,
}

/// Smaller numbers of negatives, the boldest first.
pub fn fewer_negatives(n: u64) -> impl Iterator<Item = u64> {
    [1, 2, n / 2, n.saturating_sub(1)].into_iter().filter(move |&fewer| (1..n).contains(&fewer))
}

impl Negatives {
    fn smaller(&self) -> Vec<Self> {
        let models = self.model.simpler().into_iter().map(|model| Negatives { negatives: self.negatives, model });
        models
            .chain(fewer_negatives(self.negatives).map(|negatives| Negatives { negatives, model: self.model.clone() }))
            .collect()
    }

    fn relabelled(&self) -> Vec<(&'static str, Self)> {
        let models = self.model.equivalents().into_iter();
        let of = |model| Negatives { model, ..self.clone() };
        models.map(|(change, model)| (change, of(model))).collect()
    }
}

/// Numbers of negatives that a model is tried with.
const SIZES: [u64; 13] = [1, 2, 3, 5, 8, 10, 15, 25, 35, 64, 1024, 65536, 1 << 20];

/// The model with each of them.
pub fn sizes(model: LatentClassModel) -> Vec<Negatives> {
    SIZES.map(|negatives| Negatives { negatives, model: model.clone() }).to_vec()
}

/// All N_C^N tuples of the negatives' classes.
pub fn outcomes(classes: usize, draws: u64) -> impl Iterator<Item = Vec<usize>> {
    let draws = u32::try_from(draws).unwrap_or(u32::MAX);
    (0..classes.pow(draws)).map(move |outcome| (0..draws).map(|i| outcome / classes.pow(i) % classes).collect())
}

/// Sums `of(probability, anchor's class, drawn classes, LSE(0, a_I))` over anchors and all N_C^N outcomes I of the
/// negatives' classes.
pub fn over_outcomes(
    anchors: &[AnchorLogits],
    shares: &[Interval],
    draws: u64,
    of: impl Fn(Enclosure, usize, &[usize], Enclosure) -> Enclosure,
) -> Enclosure {
    let mut total = Enclosure::ZERO;
    for anchor in anchors {
        for drawn in outcomes(shares.len(), draws) {
            let chance: Interval = drawn.iter().map(|&c| shares[c]).product();
            let mut logits = vec![Enclosure::ZERO];
            logits.extend(drawn.iter().map(|&c| Enclosure::from(anchor.logits[c])));
            let chance = Enclosure::from(chance * anchor.probability);
            total += of(chance, anchor.class, &drawn, log_sum_exp(&logits));
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use contrastive::{anchor_logits, unsupervised_loss};

    use super::super::families::line;
    use super::*;

    /// Two classes at ±1 with the weights 3 and 1: a negative of the other class has the logit −2, of the own one 0.
    #[test]
    fn two_classes_have_the_loss_that_is_worked_by_hand() {
        let model = line(&[3.0, 1.0], &[1.0, -1.0]);
        let (anchors, shares) = (anchor_logits(&model), model.rhos());
        let loss = |draws| over_outcomes(&anchors, &shares, draws, |p, _, _, loss| p * loss);
        let small = exact(-2.0).exp();
        let alone = 0.625 * Enclosure::ln_2() + 0.375 * small.ln_1p();
        assert!((loss(1) - alone).abs().hi() < 1e-14);
        // With two draws: both of the own class 27/64 + 1/64, one 18/64 + 6/64, none 3/64 + 9/64.
        let own = 28.0 * exact(3.0).ln() + 24.0 * (2.0 + small).ln() + 12.0 * (1.0 + 2.0 * small).ln();
        assert!((loss(2) - own / 64.0).abs().hi() < 1e-14);
        let all_own = |p: Enclosure, class: usize, drawn: &[usize], _: Enclosure| {
            if drawn.iter().all(|&c| c == class) { p } else { Enclosure::ZERO }
        };
        let collision = over_outcomes(&anchors, &shares, 2, all_own);
        assert!(collision.interval().contains(28.0 / 64.0) && collision.width() < 1e-15);
    }

    #[test]
    fn outcomes_exhaust_the_probability_and_give_the_unsupervised_loss() {
        let model = line(&[1.0, 2.0, 5.0], &[0.5, -1.0, 2.0]);
        let (anchors, shares) = (anchor_logits(&model), model.rhos());
        for draws in 1..=4 {
            let total = over_outcomes(&anchors, &shares, draws, |p, _, _, _| p);
            assert!(total.interval().contains(1.0) && total.width() < 1e-13, "{total}");
            let found = over_outcomes(&anchors, &shares, draws, |p, _, _, loss| p * loss);
            let expected = unsupervised_loss(&model, draws).unwrap();
            assert!((found - Enclosure::from(expected)).abs().hi() < 1e-11, "{draws}: {found}");
        }
    }

    #[test]
    fn fewer_negatives_are_fewer() {
        for n in 1..=9u64 {
            let found: Vec<u64> = fewer_negatives(n).collect();
            assert!(found.iter().all(|&fewer| 1 <= fewer && fewer < n), "{n}: {found:?}");
            // From one step below the shrinking gets to all the others.
            assert_eq!(found.contains(&(n - 1)), n > 1, "{n}: {found:?}");
        }
    }
}
