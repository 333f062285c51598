//! A model with a number of negatives, and the sum over everything that the negatives' classes can be.

use contrastive::{AnchorLogits, LatentClassModel};
use enclosures::enclosure::{Enclosure, log_sum_exp};
use enclosures::interval::Interval;
use evidence::instance::Instance;
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
    [1, 2, n / 2, n.saturating_sub(1)]
        .into_iter()
        .filter(move |&fewer| (1..n).contains(&fewer))
}

impl Negatives {
    fn smaller(&self) -> Vec<Self> {
        let models = self.model.simpler().into_iter().map(|model| Negatives {
            negatives: self.negatives,
            model,
        });
        models
            .chain(fewer_negatives(self.negatives).map(|negatives| Negatives {
                negatives,
                model: self.model.clone(),
            }))
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
    SIZES
        .map(|negatives| Negatives {
            negatives,
            model: model.clone(),
        })
        .to_vec()
}

/// Sums `of(probability, anchor's class, drawn classes, LSE(0, a_I))` over anchors and all N_C^N outcomes I of the
/// negatives' classes.
pub fn over_outcomes(
    anchors: &[AnchorLogits],
    shares: &[Interval],
    draws: u64,
    of: impl Fn(Enclosure, usize, &[usize], Enclosure) -> Enclosure,
) -> Enclosure {
    let classes = shares.len();
    let draws = u32::try_from(draws).unwrap_or(u32::MAX);
    let mut total = Enclosure::ZERO;
    for anchor in anchors {
        for outcome in 0..classes.pow(draws) {
            let drawn: Vec<usize> = (0..draws).map(|i| outcome / classes.pow(i) % classes).collect();
            let chance: Interval = drawn.iter().map(|&c| shares[c]).product();
            let mut logits = vec![Enclosure::ZERO];
            logits.extend(drawn.iter().map(|&c| Enclosure::from(anchor.logits[c])));
            let chance = Enclosure::from(chance * anchor.probability);
            total += of(chance, anchor.class, &drawn, log_sum_exp(&logits));
        }
    }
    total
}
