//! What is kept of one training: when each accuracy is reached, and the norms of the outputs up to then.

use contrastive::Triplet;
use contrastive::network::{GradientDescent, NormRange, contrastive_loss};
use enclosures::vectors::norm;
use evidence::prelude::*;

use super::training_run::{FLOOR, TrainingRun};

/// What is to become small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// L̂_un.
    Loss,
    /// ‖∇L̂_un‖ with respect to the 3n outputs.
    Gradient,
}

impl Goal {
    /// What is to become small, of L̂_un and its derivatives with respect to the outputs.
    fn size(self, loss: f64, slopes: &[f64]) -> f64 {
        match self {
            Goal::Loss => loss,
            Goal::Gradient => norm(slopes),
        }
    }
}

/// The first step at which an accuracy is reached.
#[derive(Clone, Debug)]
pub struct Passage {
    /// ε.
    pub accuracy: f64,
    /// T(ε).
    pub step: usize,
    /// The norms of all outputs of all steps up to then.
    pub norms: NormRange,
    /// ‖∇L̂_un‖ there, enclosed.
    pub gradient: Enclosure,
}

/// One training in brief. What plain arithmetic computed is measured; a run that never moves, from halves of whole numbers, is
/// exact.
#[derive(Clone, Debug)]
pub struct TrainingRecord {
    /// L̂_un before training.
    pub first_loss: Enclosure,
    /// What is waited for, before training: L̂_un or ‖∇L̂_un‖.
    pub first_size: f64,
    /// L̂_un before training on the data with positives and negatives exchanged.
    pub exchanged_loss: Enclosure,
    /// The accuracies reached, in falling order.
    pub passages: Vec<Passage>,
    /// The accuracies not reached.
    pub missed: Vec<f64>,
    /// The smallest L̂_un − nζ(−2C_t²) over the steps looked at, C_t the largest norm so far.
    pub least_excess: Enclosure,
    /// The norms along the whole run.
    pub norms: NormRange,
    /// The last L̂_un and the last ‖∇L̂_un‖.
    pub last_loss: Enclosure,
    pub last_gradient: Enclosure,
    /// ‖∇L̂_un‖ before training.
    pub first_gradient: Enclosure,
    /// Whether every derivative with respect to the matrices is zero at the end: descent has come to rest.
    pub at_rest: bool,
    pub steps: usize,
}

/// The outputs as triplets of vectors.
pub fn triplets(outputs: &[f64], dimension: usize) -> Result<Vec<Triplet>, MeasureError> {
    let vector = |z: &[f64], i: usize| z[i * dimension..(i + 1) * dimension].to_vec();
    outputs.chunks_exact(3 * dimension).map(|z| Ok(Triplet::new(vector(z, 0), vector(z, 1), vector(z, 2))?)).collect()
}

/// L̂_un.
pub fn loss(triplets: &[Triplet]) -> Enclosure {
    triplets.iter().map(Triplet::loss).sum()
}

/// ‖∇L̂_un‖ with respect to the 3n outputs.
pub fn gradient(triplets: &[Triplet]) -> Enclosure {
    let squares = triplets.iter().map(Triplet::squared_gradient_norm);
    squares.sum::<Enclosure>().max(0).sqrt()
}

/// The derivatives of L̂_un with respect to the outputs, and L̂_un, in plain arithmetic: what descent follows.
pub fn slopes(run: &GradientDescent) -> Result<(f64, Vec<f64>), MeasureError> {
    let dimension = run.encoder().shape().output;
    let mean = contrastive_loss(run.outputs(), dimension, 1)?;
    let n = (run.outputs().len() / (3 * dimension)) as f64;
    let slopes = mean.gradient.into_iter().map(|g| n * g).collect();
    Ok((n * mean.value, slopes))
}

/// So many of the last accuracies are judged: what counts is small ε.
const LAST: usize = 7;

/// ε = 1, 1/2, 1/4, …, so many.
pub fn halvings(count: usize) -> Vec<f64> {
    std::iter::successors(Some(1.0), |e| Some(e / 2.0)).take(count).collect()
}

/// Trains until every accuracy (in falling order) is reached or the run's steps are used up.
pub fn record(run: &TrainingRun, goal: Goal, accuracies: &[f64]) -> Result<TrainingRecord, MeasureError> {
    let mut descent = run.begin()?;
    let d = run.output;
    let start = triplets(descent.outputs(), d)?;
    let exchanged: Result<Vec<Triplet>, _> = start
        .iter()
        .map(|z| {
            let [x, positive, negative] = z.vectors();
            Triplet::new(x.to_vec(), negative.to_vec(), positive.to_vec())
        })
        .collect();
    let (first_loss, first_slopes) = slopes(&descent)?;
    let graded = |x: Enclosure| if run.is_exact() { x } else { x.as_measured() };
    let mut found = TrainingRecord {
        first_loss: graded(loss(&start)),
        first_size: goal.size(first_loss, &first_slopes),
        exchanged_loss: graded(loss(&exchanged?)),
        passages: Vec::new(),
        missed: Vec::new(),
        least_excess: graded(exact(f64::MAX)),
        norms: NormRange::default(),
        last_loss: graded(loss(&start)),
        last_gradient: graded(gradient(&start)),
        first_gradient: graded(gradient(&start)),
        at_rest: false,
        steps: 0,
    };
    let mut awaited = accuracies.iter().peekable();
    loop {
        found.norms.record(descent.outputs(), d)?;
        let (value, slope) = slopes(&descent)?;
        let size = goal.size(value, &slope);
        let rest = awaited.peek().is_none() || descent.steps() == run.steps;
        let passing = awaited.peek().is_some_and(|&&e| size <= e);
        if passing || rest || descent.steps().is_power_of_two() {
            let z = triplets(descent.outputs(), d)?;
            (found.last_loss, found.last_gradient) = (graded(loss(&z)), graded(gradient(&z)));
            let largest = found.norms.largest().map_or(Enclosure::ZERO, Enclosure::from);
            let floor = Enclosure::from(run.triplets) * (-2.0 * largest.square()).softplus();
            found.least_excess = found.least_excess.min(found.last_loss - floor);
        }
        while let Some(&accuracy) = awaited.next_if(|&&e| size <= e) {
            found.passages.push(Passage {
                accuracy,
                step: descent.steps(),
                norms: found.norms.clone(),
                gradient: found.last_gradient,
            });
        }
        if rest || awaited.peek().is_none() {
            let weights = descent.gradient(&slope)?;
            found.at_rest = weights.matrices().flatten().all(|&g| g == 0.0);
            found.steps = descent.steps();
            found.missed = awaited.copied().collect();
            return Ok(found);
        }
        descent.step(&slope)?;
    }
}

impl TrainingRecord {
    /// The last accuracies, without those above half of what the start has: there T(ε) is zero or counts the way from this one start.
    fn last_awaited(&self) -> impl DoubleEndedIterator<Item = &Passage> + Clone {
        let last = self.passages.iter().skip(self.passages.len().saturating_sub(LAST));
        last.filter(|p| p.accuracy <= self.first_size / 2.0)
    }

    /// What is to be said where an accuracy was not reached.
    fn unreached(&self) -> Option<Evaluation> {
        let e = self.missed.first()?;
        Some(Evaluation::Failed(format!("ε = {e} not reached in {} steps", self.steps)))
    }

    /// T(ε) grows at most like ε^{−limit} over the last accuracies that are at most half of what the start has.
    pub fn growth(&self, limit: f64) -> Evaluation {
        if let Some(failed) = self.unreached() {
            return failed;
        }
        let point = |p: &Passage| (1.0 / p.accuracy, (p.step + 1) as f64);
        Trend::through(&self.last_awaited().map(point).collect::<Vec<_>>()).named("1/ε").grows_at_most(limit)
    }

    /// From the first to the last of the last accuracies that are at most half of what the start has T(ε) + 1 grows at most as ε^{−power} does, whatever it
    /// does in between.
    pub fn overall_growth(&self, power: f64) -> Evaluation {
        if let Some(failed) = self.unreached() {
            return failed;
        }
        let (Some(first), Some(last)) = (self.last_awaited().next(), self.last_awaited().next_back()) else {
            return vacuous("no accuracy was awaited");
        };
        let steps = |p: &Passage| Enclosure::measured((p.step + 1) as f64);
        let factor = ((exact(first.accuracy) / last.accuracy).ln() * power).exp();
        at_most(steps(last), steps(first) * factor)
    }

    /// Whether the norms were in (η, C) at every step up to the passage.
    pub fn stayed_inside(passage: &Passage, cap: f64) -> bool {
        passage.norms.lies_within(FLOOR, cap) == Some(true)
    }
}

#[cfg(test)]
mod tests {
    use evidence::judge::Judgement;
    use evidence::testing::judged;

    use super::super::training_run::Data;
    use super::*;

    fn run() -> TrainingRun {
        TrainingRun { steps: 30, ..TrainingRun::new(2, Data::Apart { separation: 1.0 }, (16, 1, 2), 3) }
    }

    /// The enclosures are made of triplets, what descent follows of plain products.
    #[test]
    fn enclosures_and_plain_arithmetic_see_one_loss_and_one_gradient() {
        let descent = run().begin().unwrap();
        let z = triplets(descent.outputs(), 2).unwrap();
        let (value, slope) = slopes(&descent).unwrap();
        assert_eq!((z.len(), slope.len()), (2, 12));
        assert!((loss(&z).midpoint() - value).abs() < 1e-13);
        assert!((gradient(&z).midpoint() - Goal::Gradient.size(value, &slope)).abs() < 1e-13);
        // z = 1, z⁺ = z⁻ = 0: log 2, and ½√(0 + 1 + 1).
        let half = triplets(&[1.0, 0.0, 0.0], 1).unwrap();
        assert!((loss(&half) - Enclosure::ln_2()).abs().hi() < 1e-15);
        assert!((gradient(&half).square() - 0.5).abs().hi() < 1e-15);
    }

    /// A run that is followed by hand, step by step, passes where the record says, and not before.
    #[test]
    fn an_accuracy_is_passed_at_the_first_step_that_has_it() {
        let mut descent = run().begin().unwrap();
        let mut losses = Vec::new();
        for _ in 0..=run().steps {
            let (value, slope) = slopes(&descent).unwrap();
            losses.push(value);
            descent.step(&slope).unwrap();
        }
        let accuracies = [losses[0] + 1.0, 0.999 * losses[0], losses[7], 1e-9];
        let found = record(&run(), Goal::Loss, &accuracies).unwrap();
        for passage in &found.passages {
            let first = losses.iter().position(|&x| x <= passage.accuracy);
            assert_eq!(Some(passage.step), first, "{}", passage.accuracy);
            assert_eq!(passage.norms.steps(), passage.step + 1);
        }
        assert_eq!((found.passages.len(), found.missed.as_slice()), (3, [1e-9].as_slice()));
        assert_eq!((found.first_size, found.steps), (losses[0], 30));
        assert!((found.last_loss.midpoint() - losses[30]).abs() < 1e-13);
        // log(1 + e^a) − log(1 + e^{−a}) = a, summed over the triplets.
        let start = triplets(run().begin().unwrap().outputs(), 2).unwrap();
        let arguments: Enclosure = start.iter().map(Triplet::argument).sum();
        assert!((found.first_loss - found.exchanged_loss - arguments).abs().hi() < 1e-13);
    }

    /// T(ε) + 1 = ε^{−2}, planted: it grows like ε^{−2}, and no less.
    #[test]
    fn a_planted_growth_is_found() {
        let template = record(&run(), Goal::Loss, &[]).unwrap();
        let passage = |accuracy: f64| Passage {
            accuracy,
            step: (1.0 / (accuracy * accuracy)) as usize - 1,
            norms: NormRange::default(),
            gradient: Enclosure::ZERO,
        };
        let planted = TrainingRecord {
            first_size: 1.0,
            passages: halvings(9).into_iter().map(passage).collect(),
            missed: Vec::new(),
            ..template
        };
        assert_eq!(judged(planted.growth(2.0)), Judgement::Holds);
        assert_eq!(judged(planted.growth(1.5)), Judgement::Violated);
        assert_eq!(judged(planted.overall_growth(2.01)), Judgement::Holds);
        assert_eq!(judged(planted.overall_growth(1.99)), Judgement::Violated);
        // One large step count among the accuracies above half of the start counts for nothing.
        let mut late = planted.clone();
        (late.first_size, late.passages[2].step) = (0.25, 1 << 20);
        assert_eq!(judged(late.growth(2.0)), Judgement::Holds);
    }
}
