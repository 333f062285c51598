//! `L_sup` of models that can only be drawn from, between two ends.
//!
//! **Below.** Draw `m` embeddings of every class. The loss of a linear head on them, classes weighted by `rho`, is on average its loss on the
//! model. So the smallest loss on them is on average at most the smallest loss on the model, `E min_W L_S(W) <= min_W E L_S(W) = L_sup`
//! (Norkin, Pflug and Ruszczynski 1998). What is observed is a dual bound of `min_W L_S(W)`, which lies between zero and `log T` and is
//! proven for the embeddings drawn ([`best_head_dual_bound`]): rounding has no part in it.
//!
//! **Above.** Any head loses at least `L_sup`. The one that is best on a larger sample is held against fresh draws,
//! [`Supervised::of_head`](super::Supervised::of_head).

use super::unsupervised::law_error;
use super::{ChunkStream, Estimator, MonteCarloError, ObservationRange, Sampler};
use contrastive::{Atom, LatentClassModel, best_head_dual_bound, best_head_on};
use enclosures::interval::Interval;

/// A dual bound of the best head on a sample of every class: on average at most `L_sup`.
#[derive(Clone, Copy, Debug)]
pub struct EmpiricalHead<'a, S: Sampler + ?Sized> {
    model: &'a S,
    per_class: usize,
}

impl<'a, S: Sampler + ?Sized> EmpiricalHead<'a, S> {
    /// Samples of so many embeddings of every class.
    ///
    /// # Errors
    /// [`MonteCarloError::Count`] for a model of a single class, or samples of none.
    pub fn new(model: &'a S, per_class: usize) -> Result<Self, MonteCarloError> {
        let classes = model.class_weights().len();
        for (what, value, least) in [("number of classes", classes, 2), ("embeddings of a class", per_class, 1)] {
            if value < least {
                let (value, least) = (value as u64, least as u64);
                return Err(MonteCarloError::Count { what, value, least, most: u64::MAX });
            }
        }
        Ok(EmpiricalHead { model, per_class })
    }

    /// The head that is best on one sample: rows for [`Supervised::of_head`](super::Supervised::of_head).
    ///
    /// # Errors
    /// [`MonteCarloError::NotFinite`] for a sample that is no model.
    pub fn head(&self, stream: &mut ChunkStream) -> Result<Vec<Vec<f64>>, MonteCarloError> {
        let sample = self.sample(stream).ok_or(MonteCarloError::NotFinite { index: 0, value: f64::NAN })?;
        let all: Vec<usize> = (0..sample.n_classes()).collect();
        best_head_on(&sample, &all).map_err(|_| MonteCarloError::Task { task: all.clone(), classes: all.len() })
    }

    fn sample(&self, stream: &mut ChunkStream) -> Option<LatentClassModel> {
        let weights = self.model.class_weights();
        let mut class = |class| {
            let mut atom = || {
                let mut at = vec![0.0; self.model.dimension()];
                self.model.draw_embedding(class, stream, &mut at);
                Atom { weight: 1.0, at }
            };
            (0..self.per_class).map(|_| atom()).collect::<Vec<_>>()
        };
        let classes = (0..weights.len()).map(&mut class).collect();
        LatentClassModel::new(weights.to_vec(), classes).ok()
    }
}

impl<S: Sampler + ?Sized> Estimator for EmpiricalHead<'_, S> {
    fn range(&self) -> Option<ObservationRange> {
        let most = Interval::point(self.model.class_weights().len() as f64).ln().hi();
        ObservationRange::new(0.0, most).ok()
    }

    fn error(&self) -> f64 {
        let drawn = self.per_class.saturating_mul(self.model.class_weights().len());
        law_error(self.range(), drawn, self.model.distance())
    }

    fn chunk_len(&self) -> usize {
        4
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        let all: Vec<usize> = (0..self.model.class_weights().len()).collect();
        let most = self.range().map_or(0.0, ObservationRange::hi);
        for observation in out {
            let bound = self.sample(stream).map(|sample| best_head_dual_bound(&sample, &all));
            // A sample that is no model would have no bound: an observation that is refused.
            *observation = bound.and_then(Result::ok).map_or(f64::NAN, |bound| bound.clamp(0.0, most));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monte_carlo::{AtomSampler, Supervised, sample};
    use contrastive::best_head_loss_all;

    #[test]
    fn the_best_head_lies_between_its_mean_on_samples_and_a_head_on_fresh_draws() {
        let points = [1.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.5, 0.5, -0.2, 0.4, 0.0, -1.0];
        let model = LatentClassModel::from_labelled(&points, 2, &[0, 1, 2, 0, 1, 2]).unwrap();
        let sampler = AtomSampler::new(&model).unwrap();
        let exact = best_head_loss_all(&model).unwrap();
        let mut below = Vec::new();
        for per_class in [4, 64] {
            let estimator = EmpiricalHead::new(&sampler, per_class).unwrap();
            let tally = sample(&estimator, &[4; 32], 0..40).unwrap().tally().unwrap();
            below.push(tally.mean());
        }
        assert!(below[0] < below[1] && below[1] < exact.hi(), "{below:?} {exact:?}");
        assert!(exact.lo() - below[1] < 0.05, "{below:?} {exact:?}");
        let rows = EmpiricalHead::new(&sampler, 400).unwrap().head(&mut ChunkStream::new(&[5; 32], 0)).unwrap();
        let above = Supervised::of_head(&sampler, rows).unwrap();
        let mean = sample(&above, &[6; 32], 0..40).unwrap().tally().unwrap().mean();
        assert!((exact.lo() - 0.01..exact.hi() + 0.05).contains(&mean), "{mean} {exact:?}");
    }

    #[test]
    fn a_single_class_has_no_head() {
        let model = LatentClassModel::from_labelled(&[1.0, 2.0], 1, &[0, 0]).unwrap();
        let sampler = AtomSampler::new(&model).unwrap();
        assert!(EmpiricalHead::new(&sampler, 3).is_err());
        assert!(Supervised::of_head(&sampler, vec![vec![1.0]; 2]).is_err());
    }
}
