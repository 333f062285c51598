//! The best linear head of laws that can only be drawn from, between what it loses on samples and what one head loses on fresh draws.

use enclosures::stream;
use estimators::monte_carlo::{Answer, Asked, ChunkStream, EmpiricalHead, SamplingPlan, Sequence, sample_until};
use evidence::prelude::*;

use super::drawn_models::{DrawnModel, Encoder, named};

/// How the losses of heads are found.
pub const HEADS: &str = "S: 32 draws of every class, weighted by ρ; E_S: the mean over S of the dual bound of the least loss of a head on S, \
                         at most L_sup since E_S min_W L_S(W) ≤ min_W E_S L_S(W); W: the head that is best on 200 draws of every class; all \
                         three within intervals that miss with probability 2^{−42} at most, more samples S being drawn until E_S is told \
                         apart from L_sup^μ, and from L_sup^μ/2 where it seems to be more";

/// Draws of a class in a sample.
const SAMPLE: usize = 32;
/// Draws of a class on which a head is fitted.
const FITTED: usize = 200;

/// Losses of the linear heads of a law.
pub struct DrawnHeads {
    /// E_S, which is at most L_sup.
    pub below: Enclosure,
    /// The loss of a head, which is at least L_sup.
    pub above: Enclosure,
    /// L_sup^μ.
    pub mean: Enclosure,
}

impl DrawnHeads {
    /// Those of a law, for the task of all classes.
    pub fn of(model: &DrawnModel, trial: &mut Trial) -> Result<Self, MeasureError> {
        let law = model.law()?;
        let (alpha, key) = (trial.alpha(3), uniform(trial.rng()).to_bits());
        let seed = |name: &str| stream::seed(key, &["drawn heads", name]);
        let within = |asked, name, sequence, decided: &dyn Fn(Enclosure) -> bool| -> Result<_, MeasureError> {
            let answer = Answer::of(&law, asked)?;
            let plan =
                SamplingPlan { seed: seed(name), alpha, most_chunks: trial.samples_at_least(256) as u64, sequence };
            Ok(answer.of_loss(sample_until(answer.estimator(), &plan, decided)?.enclosure))
        };
        let narrow = |loss: Enclosure| loss.hi() - loss.lo() < 0.04;
        let bernstein = Sequence::EmpiricalBernstein;
        let mean = within(Asked::MeanClassifier { task: None }, "mean", bernstein, &narrow)?;
        let rows = EmpiricalHead::new(&law, FITTED)?.head(&mut ChunkStream::new(&seed("fitted"), 0))?;
        let above = within(Asked::Head { rows }, "above", bernstein, &narrow)?;
        let apart = |a: Enclosure, b: Enclosure| a.hi() <= b.lo() || b.hi() <= a.lo();
        let decided = |below: Enclosure| {
            apart(below, mean) && (2.0 * below.midpoint() < mean.lo() || 2.0 * below.lo() > mean.hi())
        };
        let below = within(Asked::BestHead { per_class: SAMPLE }, "below", Sequence::Betting, &decided)?;
        Ok(DrawnHeads { below, above, mean })
    }
}

/// Laws of every kind in few dimensions, and classes that scatter so widely that no head tells them apart well.
pub fn named_for_heads() -> Vec<(String, DrawnModel)> {
    let few = named(1).into_iter().map(|(_, model)| model).filter(|model| model.dimension <= 8);
    let wide = DrawnModel {
        encoder: Encoder::Cap,
        classes: 3,
        negatives: 1,
        input: 3,
        dimension: 3,
        radius: 0.5,
        spread: 1.25,
        skew: 0.0,
        drawing: 6,
    };
    few.chain([wide]).map(|model| (model.describe(), model)).collect()
}
