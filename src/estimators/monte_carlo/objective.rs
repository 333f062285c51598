//! The empirical objective of a few triplets, for any model that can be sampled.

use super::unsupervised::U;
use super::{ChunkStream, Estimator, MonteCarloError, ObservationRange, Sampler, Unsupervised};
use enclosures::kernels::{ElementwiseFunction, inner_product};
use std::f64::consts::LN_2;

/// The average loss `log(1 + e^{f(x).(f(x-) - f(x+))})` of `n` triplets, which are independent or share their negative, or the smaller of it
/// and of `log 2`, that of an encoder that answers zero.
///
/// Its error is that of its triplets, whose law and rounding are those of [`Unsupervised`], and of `n` additions.
#[derive(Clone, Debug)]
pub struct EmpiricalObjective<'a, S: Sampler + ?Sized> {
    model: &'a S,
    triplets: usize,
    shared: bool,
    chosen: bool,
    one: Unsupervised<'a, S>,
}

impl<'a, S: Sampler + ?Sized> EmpiricalObjective<'a, S> {
    /// The objective of so many triplets.
    ///
    /// # Errors
    /// [`MonteCarloError::Count`] for no triplet.
    pub fn new(model: &'a S, triplets: usize, shared: bool, chosen: bool) -> Result<Self, MonteCarloError> {
        if triplets == 0 {
            return Err(MonteCarloError::Count { what: "number of triplets", value: 0, least: 1, most: u64::MAX });
        }
        Ok(EmpiricalObjective { model, triplets, shared, chosen, one: Unsupervised::new(model, 1)? })
    }
}

impl<S: Sampler + ?Sized> Estimator for EmpiricalObjective<'_, S> {
    fn range(&self) -> Option<ObservationRange> {
        let one = self.one.range()?;
        if self.chosen {
            ObservationRange::new(one.lo().min(0.5), one.hi().min(LN_2.next_up())).ok()
        } else {
            Some(one)
        }
    }

    fn error(&self) -> f64 {
        let n = self.triplets as f64;
        n * self.one.error() + 2.0 * (n + 4.0) * U * self.one.range().map_or(0.0, ObservationRange::hi)
    }

    fn chunk_len(&self) -> usize {
        (1024 / self.triplets).clamp(16, 1024)
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        let d = self.model.dimension();
        let [mut anchor, mut positive, mut negative] = [vec![0.0; d], vec![0.0; d], vec![0.0; d]];
        for objective in out {
            let mut total = 0.0;
            for triplet in 0..self.triplets {
                if triplet == 0 || !self.shared {
                    let class = self.model.draw_class(stream);
                    self.model.draw_embedding(class, stream, &mut negative);
                }
                let class = self.model.draw_class(stream);
                self.model.draw_embedding(class, stream, &mut anchor);
                self.model.draw_embedding(class, stream, &mut positive);
                let logit = inner_product(&anchor, &negative) - inner_product(&anchor, &positive);
                total += ElementwiseFunction::Softplus.at(logit);
            }
            let mean = total / self.triplets as f64;
            *objective = if self.chosen { mean.min(LN_2) } else { mean };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monte_carlo::{AtomSampler, sample};
    use contrastive::{LatentClassModel, unsupervised_loss};

    #[test]
    fn the_mean_of_any_triplets_is_the_loss_and_that_of_a_later_choice_is_smaller() {
        let points = [1.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.5, 0.5, -0.2, 0.4, 0.0, -1.0];
        let model = LatentClassModel::from_labelled(&points, 2, &[0, 1, 2, 0, 1, 2]).unwrap();
        let sampler = AtomSampler::new(&model).unwrap();
        let exact = unsupervised_loss(&model, 1).unwrap().midpoint();
        for (shared, chosen) in [(true, false), (false, false), (false, true)] {
            let objective = EmpiricalObjective::new(&sampler, 3, shared, chosen).unwrap();
            let tally = sample(&objective, &[8; 32], 0..60).unwrap().tally().unwrap();
            let away = (tally.mean() - exact) / tally.standard_error();
            assert!(if chosen { away < -10.0 } else { away.abs() < 4.0 }, "{shared} {chosen}: {away}");
        }
        assert!(EmpiricalObjective::new(&sampler, 0, false, false).is_err());
    }
}
