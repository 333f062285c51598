//! `L_sup^mu` and `L_sup,k^mu` of models whose class means are not known, between two ends.
//!
//! One observation estimates the mean of every class `c` of a task from `K` fresh draws, draws an anchor of every class, and averages the
//! losses `log sum_{c'} e^{f(x).(m_{c'} - m_c)}` at the estimated means `m`.
//!
//! # Bias
//! Given the anchor, the loss is a convex function of the means, and the estimated means are right on average. So the mean of an observation
//! is at least `L_sup^mu` (Jensen), and by no more than this: with `e_j = f(x).(m_j - mu_j)` the loss at the estimated means differs from
//! its first-order expansion at the true ones by half the variance of `e` under the softmax of some logits between, which is at most
//! `max_j e_j^2 / 2`. Every `e_j` is a mean of `K` independent centred numbers in an interval of length `2 R^2`: its variance is at most
//! `R^4/K`, and `P(|e_j| > t) <= 2 exp(-t^2 K / (2 R^4))` (Hoeffding 1963). For `T` classes `E max_j e_j^2` is therefore at most
//! `T R^4/K`, and at most `2 (1 + log 2T) R^4/K`. The bias lies between zero and
//!
//! `(R^4/K) min(T/2, 1 + log 2T)`.
//!
//! # Rounding
//! A mean of `K` numbers of size at most `R` errs by `(K + 1) u R` in every coordinate, `(K + 1) u R sqrt(d)` as a vector; a logit by
//! twice `R` times that, and by the product of the anchor with a difference of at most `2 R`. The rest is as for
//! [`Supervised`](super::Supervised).

use super::task::{Task, averages, bias_of_means, less_bias, loss_at};
use super::unsupervised::{U, law_error, loss_range, product_error};
use super::{ChunkStream, Estimator, MonteCarloError, ObservationRange, Sampler};
use enclosures::enclosure::Enclosure;
use enclosures::interval::Interval;

/// `L_sup^mu` of a task, or with tasks of `k + 1` classes drawn uniformly `L_sup,k^mu`, at estimated means: see the module for how far its
/// mean lies above the loss.
#[derive(Clone, Debug)]
pub struct PlugInSupervised<'a, S: Sampler + ?Sized> {
    model: &'a S,
    task: Task,
    draws: usize,
    radius: f64,
}

impl<'a, S: Sampler + ?Sized> PlugInSupervised<'a, S> {
    /// The task of all classes, with this many draws for the mean of each.
    ///
    /// # Errors
    /// [`MonteCarloError::Range`] for embeddings without a bound, [`MonteCarloError::Count`] for no draw.
    pub fn all(model: &'a S, draws: usize) -> Result<Self, MonteCarloError> {
        Self::new(model, Task::all(model), draws)
    }

    /// The average over tasks of `k + 1` classes.
    ///
    /// # Errors
    /// As [`PlugInSupervised::all`]; [`MonteCarloError::Count`] unless `1 <= k < N_C`.
    pub fn tasks(model: &'a S, k: usize, draws: usize) -> Result<Self, MonteCarloError> {
        Self::new(model, Task::drawn(model, k)?, draws)
    }

    fn new(model: &'a S, task: Task, draws: usize) -> Result<Self, MonteCarloError> {
        let unbounded = MonteCarloError::Range { lo: f64::NEG_INFINITY, hi: f64::INFINITY };
        let radius = model.radius().ok_or(unbounded)?;
        if draws == 0 {
            return Err(MonteCarloError::Count { what: "draws for a mean", value: 0, least: 1, most: u64::MAX });
        }
        Ok(PlugInSupervised { model, task, draws, radius })
    }

    /// How far the mean of an observation may lie above the loss; it never lies below.
    #[must_use]
    pub fn bias(&self) -> Interval {
        bias_of_means(self.radius, self.task.size(), self.draws as f64)
    }

    /// What an interval for the mean of an observation says of the loss.
    #[must_use]
    pub fn of_loss(&self, mean: Enclosure) -> Enclosure {
        less_bias(mean, self.bias())
    }
}

impl<S: Sampler + ?Sized> Estimator for PlugInSupervised<'_, S> {
    fn range(&self) -> Option<ObservationRange> {
        let most = 2.0 * self.radius * self.radius * (1.0 + 16.0 * U);
        match self.task.size() {
            1 => ObservationRange::new(0.0, f64::EPSILON).ok(),
            size => loss_range(size - 1, -most, most),
        }
    }

    /// Derived in the module's text.
    fn error(&self) -> f64 {
        let (d, size, draws) = (self.model.dimension(), self.task.size() as f64, self.draws as f64);
        let means = 2.0 * self.radius * (draws + 1.0) * U * self.radius * (d as f64).sqrt();
        let products = 2.0 * product_error(d, self.radius) + 4.0 * self.radius * self.radius * U;
        let most = self.range().map_or(0.0, ObservationRange::hi);
        let rounding = 2.0 * means + products + (size + 2.0 + (2.0 * size + 8.0) * most) * U;
        let drawn = (self.draws + 1).saturating_mul(self.task.size());
        rounding * (1.0 + 1e-6) + law_error(self.range(), drawn, self.model.distance())
    }

    fn chunk_len(&self) -> usize {
        (65_536 / (self.draws * self.task.size()).max(1)).clamp(1, 64)
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        let d = self.model.dimension();
        let weight = |c: &usize| self.model.class_weights().get(*c).copied().unwrap_or(0.0);
        let mut tasks = self.task.draws(self.model.class_weights().len());
        let (mut anchor, mut way) = (vec![0.0; d], vec![0.0; d]);
        let (mut means, mut logits) = (vec![0.0; d * self.task.size()], Vec::new());
        for observation in out {
            let task = tasks.next(stream);
            let total: f64 = task.iter().map(weight).sum();
            averages(self.model, task, self.draws, stream, &mut means);
            *observation = 0.0;
            for (own, class) in means.chunks_exact(d).zip(task) {
                self.model.draw_embedding(*class, stream, &mut anchor);
                let loss = loss_at(&anchor, own, means.chunks_exact(d), &mut way, &mut logits);
                *observation += weight(class) / total * loss;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monte_carlo::{AtomSampler, SamplingPlan, Sequence, sample_until};
    use contrastive::{LatentClassModel, sup_mean_all};
    use enclosures::stream::seed;

    fn model() -> LatentClassModel {
        let points = [1.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.5, 0.5, -0.2, 0.4, 0.0, -1.0];
        LatentClassModel::from_labelled(&points, 2, &[0, 1, 2, 0, 1, 2]).unwrap()
    }

    #[test]
    fn few_draws_raise_the_loss_and_the_bound_of_the_bias_covers_it() {
        let (model, exact) = (model(), sup_mean_all(&model()));
        let sampler = AtomSampler::new(&model).unwrap();
        let mut above = 0;
        for draws in [1, 2, 8, 64] {
            let estimator = PlugInSupervised::all(&sampler, draws).unwrap();
            let plan = SamplingPlan {
                seed: seed(5, &["plug-in", &draws.to_string()]),
                alpha: 1e-9,
                most_chunks: 400,
                sequence: Sequence::EmpiricalBernstein,
            };
            let mean = sample_until(&estimator, &plan, |_| false).unwrap().enclosure;
            // With one draw the plain mean is a visible overestimate.
            above += usize::from(mean.lo() > exact.hi());
            let loss = estimator.of_loss(mean);
            assert!(loss.lo() <= exact.hi() && exact.lo() <= loss.hi(), "{draws}: {loss:?}, {exact:?}");
        }
        assert!(above >= 1);
    }

    #[test]
    fn no_draw_is_refused() {
        let model = model();
        assert!(PlugInSupervised::all(&AtomSampler::new(&model).unwrap(), 0).is_err());
    }
}
