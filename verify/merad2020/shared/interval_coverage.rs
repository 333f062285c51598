//! How often the sampled intervals of the losses miss, on finite models whose losses are known exactly.

use contrastive::{Atom, LatentClassModel, sup_mean_all, sup_mean_average, unsupervised_loss};
use enclosures::stream;
use estimators::monte_carlo::{AtomSampler, LossQuestion, drawn_losses};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// Chunks of observations that an interval is made of.
const CHUNKS: u64 = 4;

/// Many small models, drawn one after the other, with an interval for each of two losses.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, stored)]
pub struct CoverageStudy {
    /// The stated chance of a miss, in hundredths.
    #[instance(range = "1..=50")]
    pub percent: u32,
    /// Whether the supervised loss is the average over tasks of two classes, or that of all classes.
    pub pairs: bool,
}

/// What a study counted.
pub struct Misses {
    /// Intervals of each loss.
    pub intervals: u64,
    /// Those of L_un^N and of L_sup^μ or L_sup,1^μ that missed.
    pub missed: [u64; 2],
    /// Those that would have missed with a third of the length around the same middle.
    pub missed_by_a_third: [u64; 2],
}

impl CoverageStudy {
    fn in_words(&self) -> String {
        let supervised = if self.pairs { "L_sup,1^μ" } else { "L_sup^μ" };
        format!("intervals of L_un^N and {supervised} that miss with probability {}/100", self.percent)
    }

    /// The stated chance of a miss.
    pub fn level(&self) -> f64 {
        f64::from(self.percent) / 100.0
    }

    /// Draws a model, a number of negatives and a seed each time, and asks whether the intervals hold the exact losses.
    pub fn misses(&self, trial: &mut Trial) -> Result<Misses, MeasureError> {
        let intervals = trial.samples_at_least(2500) as u64;
        let (mut missed, mut missed_by_a_third) = ([0; 2], [0; 2]);
        for _ in 0..intervals {
            let model = small_model(trial)?;
            let negatives = 1 + (uniform(trial.rng()) * 7.99) as usize;
            let question = LossQuestion {
                negatives,
                task: self.pairs.then_some(1),
                seed: stream::seed(uniform(trial.rng()).to_bits(), &["coverage"]),
                alpha: self.level(),
                most_chunks: CHUNKS,
            };
            let found = drawn_losses(&AtomSampler::new(&model)?, &question, &mut |_| true)?;
            let supervised = if self.pairs { sup_mean_average(&model, 1)? } else { sup_mean_all(&model) };
            let pairs = [
                (found.unsupervised, unsupervised_loss(&model, negatives as u64)?),
                (found.mean_classifier, supervised),
            ];
            for (loss, (drawn, exact)) in pairs.into_iter().enumerate() {
                let away = |lo: f64, hi: f64| u64::from(exact.hi() < lo || hi < exact.lo());
                missed[loss] += away(drawn.lo(), drawn.hi());
                let (middle, third) = (drawn.midpoint(), (drawn.hi() - drawn.lo()) / 6.0);
                missed_by_a_third[loss] += away(middle - third, middle + third);
            }
        }
        Ok(Misses { intervals, missed, missed_by_a_third })
    }
}

/// Two to five classes of one to three atoms in one to three dimensions, none of them at rest.
fn small_model(trial: &mut Trial) -> Result<LatentClassModel, MeasureError> {
    let mut whole = |most: f64| 1 + (uniform(trial.rng()) * (most - 0.01)) as usize;
    let (classes, dimension) = (1 + whole(4.0), whole(3.0));
    let sizes: Vec<usize> = (0..classes).map(|_| whole(3.0)).collect();
    let mut number = |low: f64, high: f64| low + (high - low) * uniform(trial.rng());
    let atoms = sizes.iter().map(|&size| {
        let mut atom = || Atom { weight: number(0.1, 1.0), at: (0..dimension).map(|_| number(-1.0, 1.0)).collect() };
        (0..size).map(|_| atom()).collect::<Vec<_>>()
    });
    let atoms: Vec<Vec<Atom>> = atoms.collect();
    let weights = (0..classes).map(|_| number(0.1, 1.0)).collect();
    Ok(LatentClassModel::new(weights, atoms)?)
}
