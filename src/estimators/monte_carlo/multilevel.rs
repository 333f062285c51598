//! `L_sup^mu` and `L_sup,k^mu` of models whose class means are not known, without a visible bias: a randomised multilevel estimator.
//!
//! Write `phi(m) = log sum_{c'} e^{f(x).(m_{c'} - m_c)}` for the loss of an anchor `x` of class `c` at means `m`, and `m_l` for the means of
//! `K_l = 2^l K_0` fresh draws of every class. `E phi(m_l)` falls to the loss as `l` grows. One observation draws a level `l` with probability
//! `p_l` proportional to `2^-l`, `1 <= l <= L`, and is
//!
//! `phi(m_0) + D_l/p_l`, `D_l = phi((a + b)/2) - (phi(a) + phi(b))/2`,
//!
//! with `a` and `b` the means of two independent batches of `K_(l-1)` draws, and `m_0` of a batch of its own (Giles 2008, Rhee and Glynn 2015; the
//! two halves are the antithetic coupling). `E D_l = E phi(m_l) - E phi(m_(l-1))`, so that the mean is `E phi(m_L)`, and that of `L = infinity`
//! is the loss itself: without a last level the estimator is unbiased. A level costs `K_l` draws with probability `p_l`, all levels together
//! `K_0 L`. The variance is finite for every `L`: with `d_j = f(x).(a_j - b_j)` the second difference of a log-sum-exp obeys
//!
//! `0 <= -D_l <= max_j d_j^2 / 8`,
//!
//! and `d_j` is a mean of `K_(l-1)` independent centred numbers in an interval of length `4 R^2`, so that `E D_l^2` is of the order of `4^-l` and
//! `E D_l^2/p_l` of that of `2^-l`.
//!
//! # Bounded observations
//! An interval that holds at all times wants a range. By Hoeffding (1963) `P(|d_j| > s) <= 2 exp(-K s^2 / (8 R^4))`, `K = K_(l-1)`; for `T`
//! classes `P(-D_l > t) <= 2 T exp(-K t/R^4)`, and `E (-D_l - t)_+ <= 2 T (R^4/K) exp(-K t/R^4)`. What is observed is
//! `phi(m_0) + max(D_l/p_l, -M)` with
//!
//! `M = (2 R^4/K_0) log(4 T 2^L)`.
//!
//! Level `l` is cut at `t = p_l M >= 2^-l M`, where `K t/R^4 >= K_0 M/(2 R^4) = log(4 T 2^L)`. The cut raises the mean by at most
//! `(R^4/K_(l-1)) 2^-(L+1)`, and that of all levels by at most `R^4/K_L`. The mean of what is left out beyond the last level lies between
//! zero and `(R^4/K_L) min(T/2, 1 + log 2T)` (see [`PlugInSupervised`](super::PlugInSupervised)). In all the mean of an observation
//! lies above the loss by no more than
//!
//! `(R^4/K_L) (1 + min(T/2, 1 + log 2T))`,
//!
//! which is `10^-5 R^4` for ten classes, `K_0 = 8` and `L = 16`; the same precision takes a plug-in half a million draws of every class for a
//! single observation, and this one `K_0 (L + 1) = 136`.
//!
//! # Rounding
//! Means are averages of averages: a mean of level `l` errs by `(K_0 + l + 1) u R` in every coordinate. A loss errs by `e` as in the text of
//! `PlugInSupervised`, `D_l` by `2 e` and one rounding of a number of the size of a loss, and `1/p_l < 2^l`: in all at most `(1 + 2^L) 3 e`.

use super::task::{Task, averages, bias_of_means, less_bias, loss_at};
use super::unsupervised::{U, law_error, loss_range, product_error};
use super::{ChunkStream, Estimator, MonteCarloError, ObservationRange, Sampler};
use enclosures::enclosure::Enclosure;
use enclosures::interval::Interval;

/// Draws of every class for a mean of level 0.
const FIRST: usize = 8;
/// The last level.
const LEVELS: u32 = 16;

/// `L_sup^mu` of a task, or with tasks of `k + 1` classes drawn uniformly `L_sup,k^mu`, of any model with bounded embeddings: see the module.
#[derive(Clone, Debug)]
pub struct MultilevelSupervised<'a, S: Sampler + ?Sized> {
    model: &'a S,
    task: Task,
    radius: f64,
    /// `M` of the module.
    cut: f64,
}

impl<'a, S: Sampler + ?Sized> MultilevelSupervised<'a, S> {
    fn new(model: &'a S, task: Task) -> Result<Self, MonteCarloError> {
        let unbounded = MonteCarloError::Range { lo: f64::NEG_INFINITY, hi: f64::INFINITY };
        let radius = model.radius().ok_or(unbounded)?;
        let classes = Interval::point(4.0 * task.size() as f64) * f64::from(1u32 << LEVELS);
        let cut = (Interval::point(radius).square().square() * 2.0 / FIRST as f64 * classes.ln()).hi();
        Ok(MultilevelSupervised { model, task, radius, cut })
    }

    /// The task of all classes.
    ///
    /// # Errors
    /// [`MonteCarloError::Range`] for embeddings without a bound.
    pub fn all(model: &'a S) -> Result<Self, MonteCarloError> {
        Self::new(model, Task::all(model))
    }

    /// The average over tasks of `k + 1` classes.
    ///
    /// # Errors
    /// [`MonteCarloError::Range`] for embeddings without a bound; [`MonteCarloError::Count`] unless `1 <= k < N_C`.
    pub fn tasks(model: &'a S, k: usize) -> Result<Self, MonteCarloError> {
        Self::new(model, Task::drawn(model, k)?)
    }

    /// How far the mean of an observation may lie above the loss; it never lies below.
    #[must_use]
    pub fn bias(&self) -> Interval {
        let last = FIRST as f64 * f64::from(1u32 << LEVELS);
        let cut = Interval::point(self.radius).square().square() / last;
        bias_of_means(self.radius, self.task.size(), last) + cut
    }

    /// What an interval for the mean of an observation says of the loss.
    #[must_use]
    pub fn of_loss(&self, mean: Enclosure) -> Enclosure {
        less_bias(mean, self.bias())
    }

    /// Draws of an embedding that an observation takes on average.
    #[must_use]
    pub fn draws(&self) -> usize {
        (FIRST * (LEVELS as usize + 1) + 1) * self.task.size()
    }

    /// The means of a task at a level: averages of the averages of two halves.
    fn means(&self, task: &[usize], level: u32, stream: &mut ChunkStream) -> Vec<f64> {
        let Some(below) = level.checked_sub(1) else {
            let mut means = vec![0.0; task.len() * self.model.dimension()];
            averages(self.model, task, FIRST, stream, &mut means);
            return means;
        };
        let first = self.means(task, below, stream);
        midpoints(&first, &self.means(task, below, stream))
    }
}

fn midpoints(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| 0.5 * (a + b)).collect()
}

/// A level between 1 and the last, half as likely as the one before, and its probability.
fn draw_level(stream: &mut ChunkStream) -> (u32, f64) {
    let level = loop {
        let level = 1 + stream.word().trailing_zeros();
        if level <= LEVELS {
            break level;
        }
    };
    let power = |l: u32| 1.0 / f64::from(1u32 << l);
    (level, power(level) / (1.0 - power(LEVELS)))
}

impl<S: Sampler + ?Sized> Estimator for MultilevelSupervised<'_, S> {
    fn range(&self) -> Option<ObservationRange> {
        let most = 2.0 * self.radius * self.radius * (1.0 + 16.0 * U);
        match self.task.size() {
            1 => ObservationRange::new(0.0, f64::EPSILON).ok(),
            size => {
                let first = loss_range(size - 1, -most, most)?;
                ObservationRange::new((first.lo() - self.cut).next_down(), first.hi()).ok()
            }
        }
    }

    /// Derived in the module's text.
    fn error(&self) -> f64 {
        let (d, size) = (self.model.dimension(), self.task.size() as f64);
        let summands = FIRST as f64 + f64::from(LEVELS) + 1.0;
        let means = 2.0 * self.radius * summands * U * self.radius * (d as f64).sqrt();
        let products = 2.0 * product_error(d, self.radius) + 4.0 * self.radius * self.radius * U;
        let most = self.range().map_or(0.0, ObservationRange::hi);
        let loss = 2.0 * means + products + (size + 2.0 + (2.0 * size + 8.0) * most) * U;
        let rounding = 3.0 * (1.0 + f64::from(1u32 << LEVELS)) * loss;
        rounding * (1.0 + 1e-6) + law_error(self.range(), self.draws(), self.model.distance())
    }

    fn chunk_len(&self) -> usize {
        (16_384 / self.draws()).clamp(1, 64)
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        let d = self.model.dimension();
        let weight = |c: &usize| self.model.class_weights().get(*c).copied().unwrap_or(0.0);
        let mut tasks = self.task.draws(self.model.class_weights().len());
        let (mut anchor, mut way, mut logits) = (vec![0.0; d], vec![0.0; d], Vec::new());
        for observation in out {
            let task = tasks.next(stream);
            let total: f64 = task.iter().map(weight).sum();
            let first = self.means(task, 0, stream);
            let (level, chance) = draw_level(stream);
            let halves = [self.means(task, level - 1, stream), self.means(task, level - 1, stream)];
            let whole = midpoints(&halves[0], &halves[1]);
            *observation = 0.0;
            for (place, class) in task.iter().enumerate() {
                self.model.draw_embedding(*class, stream, &mut anchor);
                let mut loss = |means: &[f64]| {
                    let own = &means[place * d..(place + 1) * d];
                    loss_at(&anchor, own, means.chunks_exact(d), &mut way, &mut logits)
                };
                let difference = loss(&whole) - 0.5 * (loss(&halves[0]) + loss(&halves[1]));
                let correction = (difference / chance).clamp(-self.cut, 0.0);
                *observation += weight(class) / total * (loss(&first) + correction);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monte_carlo::{AtomSampler, PlugInSupervised, SamplingPlan, Sequence, sample, sample_until};
    use contrastive::{LatentClassModel, sup_mean_all, sup_mean_average};
    use enclosures::stream::seed;

    fn model() -> LatentClassModel {
        let points = [1.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.5, 0.5, -0.2, 0.4, 0.0, -1.0];
        LatentClassModel::from_labelled(&points, 2, &[0, 1, 2, 0, 1, 2]).unwrap()
    }

    #[test]
    fn the_mean_is_the_loss_where_that_of_a_plug_in_is_not() {
        let (model, sampler) = (model(), AtomSampler::new(&model()).unwrap());
        let estimators = [
            (MultilevelSupervised::all(&sampler).unwrap(), sup_mean_all(&model)),
            (MultilevelSupervised::tasks(&sampler, 1).unwrap(), sup_mean_average(&model, 1).unwrap()),
        ];
        for (number, (estimator, exact)) in estimators.into_iter().enumerate() {
            assert!(estimator.bias().hi() < 1e-5);
            let tally = sample(&estimator, &seed(6, &["multilevel", &number.to_string()]), 0..3000).unwrap().tally();
            let tally = tally.unwrap();
            let away = (tally.mean() - exact.midpoint()) / tally.standard_error();
            assert!(away.abs() < 4.0, "{away}");
            let plan =
                |seed| SamplingPlan { seed, alpha: 1e-9, most_chunks: 400, sequence: Sequence::EmpiricalBernstein };
            let found = sample_until(&estimator, &plan([3; 32]), |_| false).unwrap().enclosure;
            let loss = estimator.of_loss(found);
            assert!(loss.lo() <= exact.lo() && exact.hi() <= loss.hi(), "{loss:?}, {exact:?}");
        }
        // As many draws for the means of the first level alone: the bias is plain.
        let plain = PlugInSupervised::all(&sampler, FIRST).unwrap();
        let tally = sample(&plain, &[1; 32], 0..3000).unwrap().tally().unwrap();
        assert!(tally.mean() - sup_mean_all(&model).midpoint() > 10.0 * tally.standard_error());
    }

    #[test]
    fn levels_have_the_chances_that_are_divided_by() {
        let mut stream = ChunkStream::new(&[2; 32], 0);
        const DRAWS: u32 = 200_000;
        let mut counts = [0u32; LEVELS as usize + 1];
        for _ in 0..DRAWS {
            let (level, chance) = draw_level(&mut stream);
            counts[level as usize] += 1;
            assert!((chance * f64::from(1u32 << level) - 1.0).abs() < 1e-4);
        }
        for level in 1..=6usize {
            let expected = f64::from(DRAWS) / f64::from(1u32 << level);
            assert!((f64::from(counts[level]) - expected).abs() < 5.0 * expected.sqrt(), "{counts:?}");
        }
        assert_eq!(counts[0], 0);
    }

    #[test]
    fn tasks_of_one_class_or_of_more_than_there_are_are_refused() {
        let sampler = AtomSampler::new(&model()).unwrap();
        assert!(MultilevelSupervised::tasks(&sampler, 0).is_err());
        assert!(MultilevelSupervised::tasks(&sampler, 3).is_err());
    }
}
