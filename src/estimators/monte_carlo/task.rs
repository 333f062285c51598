//! Tasks of the supervised losses: which classes an observation is about, and what an anchor loses at given means.

use super::elementary::{exp_below_max, sum};
use super::{ChunkStream, MonteCarloError, Sampler};
use enclosures::enclosure::{Enclosure, Grade};
use enclosures::interval::Interval;
use enclosures::kernels::inner_product;

/// Which task an observation is about.
#[derive(Clone, Debug)]
pub(super) enum Task {
    /// Always these classes.
    Fixed(Vec<usize>),
    /// So many classes, all sets of them equally likely.
    Drawn(usize),
}

impl Task {
    /// All classes.
    pub(super) fn all<S: Sampler + ?Sized>(model: &S) -> Self {
        Task::Fixed((0..model.class_weights().len()).collect())
    }

    /// The given classes, which are different classes of the model, at least one.
    pub(super) fn given<S: Sampler + ?Sized>(model: &S, task: &[usize]) -> Result<Self, MonteCarloError> {
        let classes = model.class_weights().len();
        let repeated = |(i, class): (usize, &usize)| *class >= classes || task[..i].contains(class);
        if task.is_empty() || task.iter().enumerate().any(repeated) {
            return Err(MonteCarloError::Task { task: task.to_vec(), classes });
        }
        Ok(Task::Fixed(task.to_vec()))
    }

    /// `k + 1` classes, drawn.
    pub(super) fn drawn<S: Sampler + ?Sized>(model: &S, k: usize) -> Result<Self, MonteCarloError> {
        let classes = model.class_weights().len();
        if (1..classes).contains(&k) {
            return Ok(Task::Drawn(k + 1));
        }
        Err(MonteCarloError::Count {
            what: "k of tasks of k + 1 classes",
            value: k as u64,
            least: 1,
            most: (classes as u64).saturating_sub(1),
        })
    }

    /// Number of classes.
    pub(super) fn size(&self) -> usize {
        match self {
            Task::Fixed(classes) => classes.len(),
            Task::Drawn(size) => *size,
        }
    }

    /// The tasks of one observation after the other, of a model with so many classes.
    pub(super) fn draws(&self, classes: usize) -> TaskDraws {
        match self {
            Task::Fixed(task) => TaskDraws { order: task.clone(), drawn: 0, size: task.len() },
            Task::Drawn(size) => TaskDraws { order: (0..classes).collect(), drawn: *size, size: *size },
        }
    }
}

/// See [`Task::draws`].
pub(super) struct TaskDraws {
    order: Vec<usize>,
    /// How many places are drawn afresh each time.
    drawn: usize,
    size: usize,
}

impl TaskDraws {
    /// The next task.
    pub(super) fn next(&mut self, stream: &mut ChunkStream) -> &[usize] {
        // The first places of a shuffle; any order of the classes is a fair start for the next one.
        for i in 0..self.drawn {
            let j = i + stream.below(self.order.len() - i);
            self.order.swap(i, j);
        }
        &self.order[..self.size]
    }
}

/// `log sum_{c'} e^{f(x).(m_{c'} - m_c)}` for an anchor of the class with the mean `own`; `way` has as many places as the anchor.
pub(super) fn loss_at<'a>(
    anchor: &[f64],
    own: &[f64],
    means: impl Iterator<Item = &'a [f64]>,
    way: &mut [f64],
    logits: &mut Vec<f64>,
) -> f64 {
    logits.clear();
    for mean in means {
        // The difference first: exactly zero for the own class, accurate for close means.
        way.iter_mut().zip(mean).zip(own).for_each(|((w, a), b)| *w = a - b);
        logits.push(inner_product(anchor, way));
    }
    // The own logit is zero, so that the largest is not negative.
    let max = exp_below_max(logits);
    (max + core_math::log(sum(logits))).max(0.0)
}

/// The means of the classes of a task from `count` draws of each, one after the other in `means`.
pub(super) fn averages<S: Sampler + ?Sized>(
    model: &S,
    task: &[usize],
    count: usize,
    stream: &mut ChunkStream,
    means: &mut [f64],
) {
    let d = model.dimension();
    let mut batch = vec![0.0; count * d];
    for (mean, &class) in means.chunks_exact_mut(d).zip(task) {
        mean.fill(0.0);
        model.draw_embeddings(class, stream, &mut batch);
        for x in batch.chunks_exact(d) {
            mean.iter_mut().zip(x).for_each(|(m, x)| *m += x);
        }
        mean.iter_mut().for_each(|m| *m /= count as f64);
    }
}

/// How far the mean of the loss at the means of `draws` fresh draws may lie above the loss at the true ones, which it never lies below:
/// `(R^4/K) min(T/2, 1 + log 2T)`, derived in the text of [`PlugInSupervised`](super::PlugInSupervised).
pub(super) fn bias_of_means(radius: f64, classes: usize, draws: f64) -> Interval {
    let (classes, square) = (classes as f64, Interval::point(radius).square());
    let factor = Interval::point(classes / 2.0).min(Interval::point(2.0 * classes).ln() + 1.0);
    square.square() / draws * factor
}

/// What an interval for the mean of an observation says of a loss that lies below that mean by a number in `bias`.
pub(super) fn less_bias(mean: Enclosure, bias: Interval) -> Enclosure {
    let least = (Interval::point(mean.lo()) - bias).lo().max(0.0);
    match mean.grade() {
        Grade::Sampled { alpha } => Enclosure::sampled(least, mean.hi(), alpha),
        _ => Enclosure::between(least, mean.hi()),
    }
}
