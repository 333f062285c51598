//! `L_sup^mu` and its average over tasks, of models whose class means are known.

use super::elementary::{dot, exp_below_max, sum};
use super::unsupervised::law_error;
use super::{ChunkStream, Estimator, MonteCarloError, Range, Sampler};

/// `L_sup^mu` of the task of all classes, or with tasks of `k + 1` classes drawn uniformly `L_sup,k^mu`.
///
/// One observation draws a task (if it is not all classes), then from every class `c` of it an anchor, and averages the
/// losses `log sum_{c' in T} e^{f(x).(mu_{c'} - mu_c)}` with the weights `rho(c)/rho(T)`. Against a single anchor of a random class
/// this averages over the class exactly: the mean is the same and the variance never larger. Means that are only estimated
/// would bias the loss, which is convex in them; a model that does not know its means is refused.
#[derive(Clone, Debug)]
pub struct Supervised<'a, S: Sampler + ?Sized> {
    model: &'a S,
    means: Vec<Vec<f64>>,
    task: usize,
    radius: Option<f64>,
}

impl<'a, S: Sampler + ?Sized> Supervised<'a, S> {
    /// The task of all classes.
    ///
    /// # Errors
    /// [`MonteCarloError::MeanUnknown`].
    pub fn all(model: &'a S) -> Result<Self, MonteCarloError> {
        let classes = model.class_weights().len();
        let mean = |class| model.class_mean(class).ok_or(MonteCarloError::MeanUnknown { class });
        Ok(Supervised {
            model,
            means: (0..classes).map(mean).collect::<Result<_, _>>()?,
            task: classes,
            radius: model.radius(),
        })
    }

    /// The average over tasks of `k + 1` classes.
    ///
    /// # Errors
    /// [`MonteCarloError::MeanUnknown`]; [`MonteCarloError::Count`] unless `1 <= k < N_C`.
    pub fn tasks(model: &'a S, k: usize) -> Result<Self, MonteCarloError> {
        let all = Self::all(model)?;
        if k == 0 || k >= all.task {
            return Err(MonteCarloError::Count {
                what: "k of tasks of k + 1 classes",
                value: k as u64,
                least: 1,
                most: (all.task as u64).saturating_sub(1),
            });
        }
        Ok(Supervised { task: k + 1, ..all })
    }

    fn loss(&self, class: usize, task: &[usize], anchor: &[f64], way: &mut [f64], logits: &mut Vec<f64>) -> f64 {
        let own = self.means.get(class).map_or(&[][..], Vec::as_slice);
        logits.clear();
        for &other in task {
            let mean = self.means.get(other).map_or(&[][..], Vec::as_slice);
            // The difference first: exactly zero for the own class, accurate for close means.
            way.iter_mut().zip(mean).zip(own).for_each(|((w, a), b)| *w = a - b);
            logits.push(dot(anchor, way));
        }
        // The own logit is zero, so that the largest is not negative.
        let max = exp_below_max(logits);
        (max + core_math::log(sum(logits))).max(0.0)
    }
}

impl<S: Sampler + ?Sized> Estimator for Supervised<'_, S> {
    fn range(&self) -> Option<Range> {
        let radius = self.radius?;
        let most = 2.0 * radius * radius * (1.0 + 8.0 * f64::EPSILON);
        Range::new(
            0.0,
            (core_math::log(self.task as f64) + most).next_up().max(f64::EPSILON),
        )
        .ok()
    }

    /// The means are known to a few roundings of each coordinate, `4 u C` in norm, the products to `(d + 2) u` of `2 C^2`.
    fn error(&self) -> f64 {
        let d = self.model.dimension() as f64;
        let logits = self.radius.map_or(0.0, |c| (2.0 * d + 32.0) * f64::EPSILON * c * c);
        let value = self
            .range()
            .map_or(0.0, |range| (self.task + 8) as f64 * f64::EPSILON * range.hi());
        logits + value + (self.task + 16) as f64 * f64::EPSILON + law_error(self.range(), 1, self.model.distance())
    }

    fn chunk_len(&self) -> usize {
        (2048 / self.task.max(1)).clamp(1, 256)
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        let classes = self.means.len();
        let mut order: Vec<usize> = (0..classes).collect();
        let d = self.model.dimension();
        let (mut anchor, mut way, mut logits) = (vec![0.0; d], vec![0.0; d], Vec::new());
        for observation in out {
            if self.task < classes {
                // The first places of a shuffle; any order of the classes is a fair start for the next one.
                for i in 0..self.task {
                    let j = i + stream.below(classes - i);
                    order.swap(i, j);
                }
            }
            let task = &order[..self.task];
            let weight = |c: &usize| self.model.class_weights().get(*c).copied().unwrap_or(0.0);
            let total: f64 = task.iter().map(weight).sum();
            *observation = 0.0;
            for &class in task {
                self.model.draw_embedding(class, stream, &mut anchor);
                let loss = self.loss(class, task, &anchor, &mut way, &mut logits);
                *observation += weight(&class) / total * loss;
            }
        }
    }
}

/// The means of the classes, estimated from `count` draws each: for models without known means. The loss at estimated means is at
/// least `L_sup^mu` in expectation, by convexity.
#[must_use]
pub fn estimated_means<S: Sampler + ?Sized>(model: &S, stream: &mut ChunkStream, count: usize) -> Vec<Vec<f64>> {
    let mut x = vec![0.0; model.dimension()];
    let mut one = |class| {
        let mut mean = vec![0.0; x.len()];
        for _ in 0..count.max(1) {
            model.draw_embedding(class, stream, &mut x);
            mean.iter_mut().zip(&x).for_each(|(m, x)| *m += x / count.max(1) as f64);
        }
        mean
    };
    (0..model.class_weights().len()).map(&mut one).collect()
}
