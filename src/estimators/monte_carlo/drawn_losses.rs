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

/// Samples both losses, twice as many chunks with every round, until `decided` says that they tell what was asked, or the chunks are used up.
/// The stopping costs nothing: the intervals hold at all times.
///
/// # Errors
/// As [`sample_until`]; [`MonteCarloError::Count`] for numbers of negatives or of classes of a task that there are not.
pub fn drawn_losses(
    model: &dyn Sampler,
    question: &LossQuestion,
    decided: &mut dyn FnMut(&DrawnLosses) -> bool,
) -> Result<DrawnLosses, MonteCarloError> {
    let unsupervised = Answer::of(model, Asked::Unsupervised { negatives: question.negatives })?;
    let mean_classifier = Answer::of(model, Asked::MeanClassifier { task: question.task })?;
    let mut most_chunks = 8.min(question.most_chunks);
    loop {
        let plan = |name: u8| {
            let mut seed = question.seed;
            seed[31] ^= name;
            SamplingPlan { seed, alpha: question.alpha, most_chunks, sequence: Sequence::EmpiricalBernstein }
        };
        let within = |answer: &Answer<'_>, name| -> Result<Enclosure, MonteCarloError> {
            Ok(answer.of_loss(sample_until(answer.estimator(), &plan(name), |_| false)?.enclosure))
        };
        let losses =
            DrawnLosses { mean_classifier: within(&mean_classifier, 1)?, unsupervised: within(&unsupervised, 2)? };
        if most_chunks >= question.most_chunks || decided(&losses) {
            return Ok(losses);
        }
        most_chunks = (2 * most_chunks).min(question.most_chunks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monte_carlo::{AtomSampler, BoundedLaw, BoundedLawShape, Encoding};
    use contrastive::{LatentClassModel, sup_mean_all, sup_mean_average, unsupervised_loss};

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
