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

use super::elementary::{exp_below_max, sum};
use super::unsupervised::{U, law_error, loss_range};
use super::{ChunkStream, Estimator, MonteCarloError, Range, Sampler};
use enclosures::kernels::inner_product;

/// Which task an observation is about.
#[derive(Clone, Debug)]
enum Task {
    /// Always these classes.
    Fixed(Vec<usize>),
    /// So many classes, all sets of them equally likely.
    Drawn(usize),
}

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
}

impl<'a, S: Sampler + ?Sized> Supervised<'a, S> {
    fn new(model: &'a S, task: Task) -> Result<Self, MonteCarloError> {
        let mean = |class| model.class_mean(class).ok_or(MonteCarloError::MeanUnknown { class });
        let means: Vec<Vec<f64>> = (0..model.class_weights().len()).map(mean).collect::<Result<_, _>>()?;
        let mut square = 0.0f64;
        for (c, own) in means.iter().enumerate() {
            for other in &means[..c] {
                let way: Vec<f64> = own.iter().zip(other).map(|(a, b)| a - b).collect();
                square = square.max(inner_product(&way, &way));
            }
        }
        let slack = 1.0 + 4.0 * (model.dimension() + 4) as f64 * U;
        Ok(Supervised {
            model,
            means,
            task,
            radius: model.radius(),
            apart: (square.sqrt() * slack + 2.0 * model.mean_error()).next_up(),
        })
    }

    /// The task of all classes.
    ///
    /// # Errors
    /// [`MonteCarloError::MeanUnknown`].
    pub fn all(model: &'a S) -> Result<Self, MonteCarloError> {
        Self::new(model, Task::Fixed((0..model.class_weights().len()).collect()))
    }

    /// The task of the given classes.
    ///
    /// # Errors
    /// [`MonteCarloError::MeanUnknown`]; [`MonteCarloError::Task`] unless they are different classes of the model, at least one.
    pub fn of_task(model: &'a S, task: &[usize]) -> Result<Self, MonteCarloError> {
        let classes = model.class_weights().len();
        let repeated = |(i, class): (usize, &usize)| *class >= classes || task[..i].contains(class);
        if task.is_empty() || task.iter().enumerate().any(repeated) {
            let task = task.to_vec();
            return Err(MonteCarloError::Task { task, classes });
        }
        Self::new(model, Task::Fixed(task.to_vec()))
    }

    /// The average over tasks of `k + 1` classes.
    ///
    /// # Errors
    /// [`MonteCarloError::MeanUnknown`]; [`MonteCarloError::Count`] unless `1 <= k < N_C`.
    pub fn tasks(model: &'a S, k: usize) -> Result<Self, MonteCarloError> {
        let classes = model.class_weights().len();
        if k == 0 || k >= classes {
            return Err(MonteCarloError::Count {
                what: "k of tasks of k + 1 classes",
                value: k as u64,
                least: 1,
                most: (classes as u64).saturating_sub(1),
            });
        }
        Self::new(model, Task::Drawn(k + 1))
    }

    /// Number of classes of a task.
    fn size(&self) -> usize {
        match &self.task {
            Task::Fixed(classes) => classes.len(),
            Task::Drawn(size) => *size,
        }
    }

    fn loss(&self, class: usize, task: &[usize], anchor: &[f64], way: &mut [f64], logits: &mut Vec<f64>) -> f64 {
        let own = self.means.get(class).map_or(&[][..], Vec::as_slice);
        logits.clear();
        for &other in task {
            let mean = self.means.get(other).map_or(&[][..], Vec::as_slice);
            // The difference first: exactly zero for the own class, accurate for close means.
            way.iter_mut().zip(mean).zip(own).for_each(|((w, a), b)| *w = a - b);
            logits.push(inner_product(anchor, way));
        }
        // The own logit is zero, so that the largest is not negative.
        let max = exp_below_max(logits);
        (max + core_math::log(sum(logits))).max(0.0)
    }
}

impl<S: Sampler + ?Sized> Estimator for Supervised<'_, S> {
    fn range(&self) -> Option<Range> {
        let most = self.radius? * self.apart * (1.0 + 4.0 * U);
        match self.size() {
            // The loss of a single class is zero; a range has a positive length.
            1 => Range::new(0.0, f64::EPSILON).ok(),
            size => loss_range(size - 1, -most, most),
        }
    }

    /// Derived in the module's text.
    fn error(&self) -> f64 {
        let (d, size) = (self.model.dimension() as f64, self.size() as f64);
        let logits = self.radius.map_or(0.0, |c| {
            let product = c * self.apart * (d * U / (1.0 - d * U) + U) + d * f64::MIN_POSITIVE;
            2.0 * c * self.model.mean_error() + product
        });
        let most = self.range().map_or(0.0, Range::hi);
        let rounding = logits + (size + 2.0 + (2.0 * size + 8.0) * most) * U;
        rounding * (1.0 + 1e-6) + law_error(self.range(), 1, self.model.distance())
    }

    fn chunk_len(&self) -> usize {
        (2048 / self.size().max(1)).clamp(1, 256)
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        let classes = self.means.len();
        let (mut order, drawn) = match &self.task {
            Task::Fixed(task) => (task.clone(), 0),
            Task::Drawn(size) => ((0..classes).collect(), *size),
        };
        let d = self.model.dimension();
        let (mut anchor, mut way, mut logits) = (vec![0.0; d], vec![0.0; d], Vec::new());
        for observation in out {
            // The first places of a shuffle; any order of the classes is a fair start for the next one.
            for i in 0..drawn {
                let j = i + stream.below(classes - i);
                order.swap(i, j);
            }
            let task = &order[..self.size()];
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
