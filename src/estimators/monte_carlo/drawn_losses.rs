//! Both losses of a model that can only be drawn from, sampled until a question is decided.

use enclosures::enclosure::Enclosure;

use super::{Answer, Asked, MonteCarloError, Sampler, SamplingPlan, Sequence, sample_until};

/// What is asked of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossQuestion {
    /// The number `N` of negatives of the unsupervised loss.
    pub negatives: usize,
    /// `k` of the average over all tasks of `k + 1` classes; none for the task of all classes.
    pub task: Option<usize>,
    /// Key of the streams.
    pub seed: [u8; 32],
    /// Miss probability of each of the two losses.
    pub alpha: f64,
    /// The most chunks of observations of each.
    pub most_chunks: u64,
}

/// Both losses in nats, each within an interval that holds at all times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnLosses {
    /// `L_un^N`.
    pub unsupervised: Enclosure,
    /// `L_sup^mu` of the task of all classes, or `L_sup,k^mu`.
    pub mean_classifier: Enclosure,
}

/// Chunks of the first round.
const FIRST_CHUNKS: u64 = 8;
/// The most draws for the mean of a class in one observation.
const MOST_DRAWS_OF_A_MEAN: u64 = 64;

/// Samples both losses, twice as many chunks with every round, until `decided` says that they tell what was asked, or the chunks are used up.
/// The stopping costs nothing: the intervals hold at all times. Where the class means are not known, every round estimates them from more draws,
/// and has a share of the miss probability.
///
/// # Errors
/// As [`sample_until`]; [`MonteCarloError::Count`] for numbers of negatives or of classes of a task that there are not.
pub fn drawn_losses(
    model: &dyn Sampler,
    question: &LossQuestion,
    decided: &mut dyn FnMut(&DrawnLosses) -> bool,
) -> Result<DrawnLosses, MonteCarloError> {
    let unsupervised = Answer::of(model, Asked::Unsupervised { negatives: question.negatives })?;
    let at_known_means = match model.class_mean(0) {
        Some(_) => Some(Answer::of(model, Asked::MeanClassifier { task: question.task })?),
        None => None,
    };
    let within = |answer: &Answer<'_>, name: u8, [share, most_chunks]: [u64; 2]| {
        let mut seed = question.seed;
        seed[31] ^= name;
        let (alpha, sequence) = (question.alpha / share as f64, Sequence::EmpiricalBernstein);
        let plan = SamplingPlan { seed, alpha, most_chunks, sequence };
        sample_until(answer.estimator(), &plan, |_| false).map(|estimate| answer.of_loss(estimate.enclosure))
    };
    let mut most_chunks = FIRST_CHUNKS.min(question.most_chunks);
    // Shares of 1/2, 1/4, … of the miss probability, one for each round.
    let mut share = 2;
    loop {
        let mean_classifier = match &at_known_means {
            Some(answer) => within(answer, 1, [1, most_chunks])?,
            None => {
                let draws = most_chunks.min(MOST_DRAWS_OF_A_MEAN) as usize;
                let answer = Answer::of(model, Asked::PlugIn { task: question.task, draws })?;
                let found = within(&answer, 1, [share, most_chunks])?;
                Enclosure::sampled(found.lo(), found.hi(), question.alpha)
            }
        };
        let losses = DrawnLosses { mean_classifier, unsupervised: within(&unsupervised, 2, [1, most_chunks])? };
        if most_chunks >= question.most_chunks || decided(&losses) {
            return Ok(losses);
        }
        most_chunks = (2 * most_chunks).min(question.most_chunks);
        share *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monte_carlo::{AtomSampler, BoundedLaw, BoundedLawShape, ChunkStream, Encoding};
    use contrastive::{LatentClassModel, sup_mean_all, sup_mean_average, unsupervised_loss};
    use enclosures::enclosure::Grade;

    fn question(task: Option<usize>, most_chunks: u64) -> LossQuestion {
        LossQuestion { negatives: 3, task, seed: [9; 32], alpha: 1e-9, most_chunks }
    }

    #[test]
    fn the_losses_of_a_finite_model_lie_in_their_intervals() {
        let points = [1.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.5, 0.5, -0.2, 0.4, 0.0, -1.0];
        let model = LatentClassModel::from_labelled(&points, 2, &[0, 1, 2, 0, 1, 2]).unwrap();
        let sampler = AtomSampler::new(&model).unwrap();
        let exact = unsupervised_loss(&model, 3).unwrap();
        for (task, loss) in [(None, sup_mean_all(&model)), (Some(1), sup_mean_average(&model, 1).unwrap())] {
            let found = drawn_losses(&sampler, &question(task, 64), &mut |_| false).unwrap();
            for (drawn, exact) in [(found.unsupervised, exact), (found.mean_classifier, loss)] {
                assert!(drawn.lo() <= exact.lo() && exact.hi() <= drawn.hi(), "{drawn:?}, {exact:?}");
                assert!(drawn.hi() - drawn.lo() < 0.2, "{drawn:?}");
            }
        }
    }

    /// A finite model that does not say its class means.
    struct WithoutMeans(AtomSampler);

    impl Sampler for WithoutMeans {
        fn class_weights(&self) -> &[f64] {
            self.0.class_weights()
        }

        fn dimension(&self) -> usize {
            self.0.dimension()
        }

        fn radius(&self) -> Option<f64> {
            self.0.radius()
        }

        fn distance(&self) -> f64 {
            self.0.distance()
        }

        fn draw_class(&self, stream: &mut ChunkStream) -> usize {
            self.0.draw_class(stream)
        }

        fn draw_embedding(&self, class: usize, stream: &mut ChunkStream, out: &mut [f64]) {
            self.0.draw_embedding(class, stream, out);
        }

        fn class_mean(&self, _: usize) -> Option<Vec<f64>> {
            None
        }
    }

    #[test]
    fn without_known_means_the_loss_lies_in_the_interval_of_every_round() {
        let points = [1.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.5, 0.5, -0.2, 0.4, 0.0, -1.0];
        let model = LatentClassModel::from_labelled(&points, 2, &[0, 1, 2, 0, 1, 2]).unwrap();
        let sampler = WithoutMeans(AtomSampler::new(&model).unwrap());
        for (task, exact) in [(None, sup_mean_all(&model)), (Some(1), sup_mean_average(&model, 1).unwrap())] {
            let mut widths = Vec::new();
            let mut look = |losses: &DrawnLosses| {
                let found = losses.mean_classifier;
                assert!(found.lo() <= exact.lo() && exact.hi() <= found.hi(), "{found:?}, {exact:?}");
                widths.push(found.hi() - found.lo());
                false
            };
            let found = drawn_losses(&sampler, &question(task, 256), &mut look).unwrap().mean_classifier;
            assert!(matches!(found.grade(), Grade::Sampled { alpha } if alpha == 1e-9));
            assert!(widths.is_sorted_by(|a, b| a > b) && widths.len() == 5, "{widths:?}");
            assert!(found.hi() - exact.hi() < 0.05, "{found:?}, {exact:?}");
        }
    }

    #[test]
    fn sampling_stops_when_the_question_is_decided_and_not_before() {
        let shape = BoundedLawShape {
            encoding: Encoding::ReluNetwork,
            classes: 3,
            input: 4,
            dimension: 4,
            radius: 1.0,
            spread: 0.5,
            skew: 0.0,
        };
        let law = BoundedLaw::new(shape, &[2; 32]).unwrap();
        let width = |l: &DrawnLosses| l.unsupervised.hi() - l.unsupervised.lo();
        let mut looks = Vec::new();
        let found = drawn_losses(&law, &question(None, 512), &mut |l| {
            looks.push(width(l));
            width(l) < 0.02
        });
        assert!(width(&found.unwrap()) < 0.02);
        assert!(looks.len() > 1 && looks.is_sorted_by(|a, b| a >= b), "{looks:?}");
        assert!(drawn_losses(&law, &question(Some(1), 8), &mut |_| false).is_ok(), "tasks of unknown means");
        assert!(drawn_losses(&law, &question(Some(3), 8), &mut |_| false).is_err(), "no task of four classes");
    }
}
