//! The empirical objective on laws that can only be drawn from.

use enclosures::stream;
use estimators::monte_carlo::{Answer, Asked, SamplingPlan, Sequence, sample_until};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use super::drawn_models::{DrawnModel, Encoder, named};

/// A law that can only be drawn from, and the number n of triplets drawn from it.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "n = {triplets}, {model}", stored)]
pub struct DrawnSample {
    #[instance(range = "1..=64")]
    pub triplets: u32,
    #[instance(nested)]
    pub model: DrawnModel,
}

/// What the empirical objective is on average.
pub struct DrawnObjective {
    /// E[L̂_un/n] over n triplets with one negative in common.
    pub shared: Enclosure,
    /// E[min(L̂_un(f), L̂_un(0))/n] over n independent triplets.
    pub chosen: Enclosure,
    /// L_un(f).
    pub loss: Enclosure,
    pub n: f64,
}

/// How wide an interval may stay.
const WIDTH: f64 = 0.02;

impl DrawnObjective {
    /// Those of a sample.
    pub fn of(sample: &DrawnSample, trial: &mut Trial) -> Result<Self, MeasureError> {
        let law = sample.model.law()?;
        let (alpha, key, triplets) = (trial.alpha(3), uniform(trial.rng()).to_bits(), sample.triplets as usize);
        let most_chunks = trial.samples_at_least(1024) as u64;
        let within = |asked, name| {
            let seed = stream::seed(key, &["drawn objective", name]);
            let plan = SamplingPlan { seed, alpha, most_chunks, sequence: Sequence::EmpiricalBernstein };
            let answer = Answer::of(&law, asked)?;
            sample_until(answer.estimator(), &plan, |e| e.hi() - e.lo() < WIDTH).map(|found| found.enclosure)
        };
        Ok(DrawnObjective {
            shared: within(Asked::Objective { triplets, shared: true, chosen: false }, "shared")?,
            chosen: within(Asked::Objective { triplets, shared: false, chosen: true }, "chosen")?,
            loss: within(Asked::Unsupervised { negatives: 1 }, "loss")?,
            n: f64::from(sample.triplets),
        })
    }
}

/// Samples of one, two and four triplets, of laws in few dimensions that scatter so much that a later choice wins more than an interval's
/// length.
pub fn named_samples() -> Vec<(String, DrawnSample)> {
    let scatters = |m: &DrawnModel| m.spread > 0.25 && matches!(m.encoder, Encoder::FourierFeatures | Encoder::Relu);
    let laws = named(1).into_iter().map(|(_, model)| model).filter(|m| m.dimension <= 32 && scatters(m));
    let of = |model: DrawnModel| [1, 2, 4].map(|triplets| DrawnSample { triplets, model: model.clone() });
    laws.flat_map(of).map(|sample| (sample.describe(), sample)).collect()
}
