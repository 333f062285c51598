//! `L_sup^mu` of a task and its average over tasks, of models whose class means are known.
//!
//! # Range
//! With all norms at most `C` and all distances of class means at most `D`, every logit `f(x).(mu_{c'} - mu_c)` lies in `[-C D, C D]`, so
//! that a loss lies between `log(1 + k e^{-C D})` and `log(1 + k e^{C D})`, and so does the average over a task.
//!
//! # Rounding
//! `u = 2^-53`, `g = d u / (1 - d u)`, `e` a bound on the error of the means, `T = k + 1` classes, `B` the upper end of the range; `C D <= B` and
//! `log T <= B`. A logit errs by `2 C e` from the means, `C D u` from their rounded difference and `g C D` from the product. A loss
//! moves by no more than its logits do. The distance of a logit to the largest one is rounded, by `2 C D u`; the exponential errs by
//! one unit in the last place, `2u`; the sum by `T u`; the correctly rounded logarithm and the last addition by `2 u B`. The average takes `T` weights and
//! terms, `(2 T + 4) u B`. In all at most `2 C e + C D (g + u) + (T + 2 + (2 T + 8) B) u`.

use super::task::{Task, loss_at};
use super::unsupervised::{U, law_error, loss_range};
use super::{ChunkStream, Estimator, MonteCarloError, ObservationRange, Sampler};
use enclosures::kernels::inner_product;

/// `L_sup^mu` of one task, or with tasks of `k + 1` classes drawn uniformly `L_sup,k^mu`.
///
/// One observation draws a task (if it is not given), then from every class `c` of it an anchor, and averages the
/// losses `log sum_{c' in T} e^{f(x).(mu_{c'} - mu_c)}` with the weights `rho(c)/rho(T)`. Against a single anchor of a random class
/// this averages over the class exactly: the mean is the same and the variance never larger. Means that are only estimated
/// would bias the loss, which is convex in them; a model that does not know its means is refused.
#[derive(Clone, Debug)]
pub struct Supervised<'a, S: Sampler + ?Sized> {
    model: &'a S,
    means: Vec<Vec<f64>>,
    task: Task,
    radius: Option<f64>,
    /// A bound on the distances of the means of different classes.
    apart: f64,
    /// A bound on the norm of the error of every mean.
    mean_error: f64,
}

impl<'a, S: Sampler + ?Sized> Supervised<'a, S> {
    fn new(model: &'a S, task: Task) -> Result<Self, MonteCarloError> {
        let mean = |class| model.class_mean(class).ok_or(MonteCarloError::MeanUnknown { class });
        let means = (0..model.class_weights().len()).map(mean).collect::<Result<_, _>>()?;
        Ok(Self::with_rows(model, means, model.mean_error(), task))
    }

    /// The loss of the linear head with these rows, one for each class, on the task of all classes: an upper bound of `L_sup`.
    ///
    /// # Errors
    /// [`MonteCarloError::Count`] unless there are as many rows as classes, each with as many coordinates as an embedding.
    pub fn of_head(model: &'a S, rows: Vec<Vec<f64>>) -> Result<Self, MonteCarloError> {
        let counted = |what, value: usize, exact: usize| {
            let (value, exact) = (value as u64, exact as u64);
            (value != exact).then_some(MonteCarloError::Count { what, value, least: exact, most: exact })
        };
        let wrong = counted("rows of a head", rows.len(), model.class_weights().len());
        let wrong =
            wrong.or_else(|| rows.iter().find_map(|row| counted("coordinates of a row", row.len(), model.dimension())));
        wrong.map_or_else(|| Ok(Self::with_rows(model, rows, 0.0, Task::all(model))), Err)
    }

    fn with_rows(model: &'a S, means: Vec<Vec<f64>>, mean_error: f64, task: Task) -> Self {
        let mut square = 0.0f64;
        for (c, own) in means.iter().enumerate() {
            for other in &means[..c] {
                let way: Vec<f64> = own.iter().zip(other).map(|(a, b)| a - b).collect();
                square = square.max(inner_product(&way, &way));
            }
        }
        let slack = 1.0 + 4.0 * (model.dimension() + 4) as f64 * U;
        Supervised {
            model,
            means,
            task,
            radius: model.radius(),
            apart: (square.sqrt() * slack + 2.0 * mean_error).next_up(),
            mean_error,
        }
    }

    /// The task of all classes.
    ///
    /// # Errors
    /// [`MonteCarloError::MeanUnknown`].
    pub fn all(model: &'a S) -> Result<Self, MonteCarloError> {
        Self::new(model, Task::all(model))
    }

    /// The task of the given classes.
    ///
    /// # Errors
    /// [`MonteCarloError::MeanUnknown`]; [`MonteCarloError::Task`] unless they are different classes of the model, at least one.
    pub fn of_task(model: &'a S, task: &[usize]) -> Result<Self, MonteCarloError> {
        Self::new(model, Task::given(model, task)?)
    }

    /// The average over tasks of `k + 1` classes.
    ///
    /// # Errors
    /// [`MonteCarloError::MeanUnknown`]; [`MonteCarloError::Count`] unless `1 <= k < N_C`.
    pub fn tasks(model: &'a S, k: usize) -> Result<Self, MonteCarloError> {
        Self::new(model, Task::drawn(model, k)?)
    }
}

impl<S: Sampler + ?Sized> Estimator for Supervised<'_, S> {
    fn range(&self) -> Option<ObservationRange> {
        let most = self.radius? * self.apart * (1.0 + 4.0 * U);
        match self.task.size() {
            // The loss of a single class is zero; a range has a positive length.
            1 => ObservationRange::new(0.0, f64::EPSILON).ok(),
            size => loss_range(size - 1, -most, most),
        }
    }

    /// Derived in the module's text.
    fn error(&self) -> f64 {
        let (d, size) = (self.model.dimension() as f64, self.task.size() as f64);
        let logits = self.radius.map_or(0.0, |c| {
            let product = c * self.apart * (d * U / (1.0 - d * U) + U) + d * f64::MIN_POSITIVE;
            2.0 * c * self.mean_error + product
        });
        let most = self.range().map_or(0.0, ObservationRange::hi);
        let rounding = logits + (size + 2.0 + (2.0 * size + 8.0) * most) * U;
        rounding * (1.0 + 1e-6) + law_error(self.range(), 1, self.model.distance())
    }

    fn chunk_len(&self) -> usize {
        (2048 / self.task.size().max(1)).clamp(1, 256)
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        let weight = |c: &usize| self.model.class_weights().get(*c).copied().unwrap_or(0.0);
        let rows = |class: usize| self.means.get(class).map_or(&[][..], Vec::as_slice);
        let mut tasks = self.task.draws(self.means.len());
        let d = self.model.dimension();
        let (mut anchor, mut way, mut logits) = (vec![0.0; d], vec![0.0; d], Vec::new());
        for observation in out {
            let task = tasks.next(stream);
            let total: f64 = task.iter().map(weight).sum();
            *observation = 0.0;
            for &class in task {
                self.model.draw_embedding(class, stream, &mut anchor);
                let means = task.iter().map(|&other| rows(other));
                let loss = loss_at(&anchor, rows(class), means, &mut way, &mut logits);
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
