//! The supervised loss of the classifier whose rows are the class means: `L_sup^mu(f, T)` and its average over tasks.

mod streamed;

use self::streamed::{Means, Weighted};
use super::average::average;
use super::data::LabelledPoints;
use super::{ContrastiveError, LatentClassModel};
use enclosures::interval::{self, Interval};

/// No more than this many exponentials are taken for an average over tasks.
const LIMIT: f64 = 2e7;
/// With more products of coordinates than this, they are streamed.
const LARGE: f64 = 8e6;

/// One anchor `x` of a model, seen by the mean classifier.
#[derive(Clone, Debug)]
pub struct AnchorLogits {
    /// The class `c` of the anchor.
    pub class: usize,
    /// Probability given the class.
    pub within: Interval,
    /// Probability under the law of the model.
    pub probability: Interval,
    /// `a_{c'} = f(x).(mu_{c'} - mu_c)` for every class `c'`; exactly zero for `c' = c`.
    pub logits: Vec<Interval>,
}

/// The inner product of a vector of doubles with one of intervals.
pub(super) fn product(a: &[f64], b: &[Interval]) -> Interval {
    interval::sum(&a.iter().zip(b).map(|(&x, &y)| y * x).collect::<Vec<_>>())
}

/// `a_{c'}(x)` for every anchor `x`, class by class.
#[must_use]
pub fn anchor_logits(model: &LatentClassModel) -> Vec<AnchorLogits> {
    let means: Vec<Vec<Interval>> = (0..model.n_classes()).map(|c| model.class_mean(c)).collect();
    // mu_{c'} - mu_c is taken first: exact where the means are close or short.
    let differences: Vec<Vec<Vec<Interval>>> = means
        .iter()
        .map(|own| {
            let from = |other: &Vec<Interval>| other.iter().zip(own).map(|(o, m)| *o - *m).collect();
            means.iter().map(from).collect()
        })
        .collect();
    let one = |atom: super::WeightedAtom<'_>| AnchorLogits {
        class: atom.class,
        within: atom.within,
        probability: atom.overall,
        logits: (differences.get(atom.class).into_iter().flatten().enumerate())
            .map(|(c, way)| if c == atom.class { Interval::ZERO } else { product(atom.at, way) })
            .collect(),
    };
    model.weighted_atoms().into_iter().map(one).collect()
}

/// `log sum_{c' in T} e^{a_{c'}}` of one anchor, accurate also where it is tiny.
fn anchor_loss(anchor: &AnchorLogits, task: &[usize]) -> Interval {
    let terms: Vec<Interval> = task.iter().filter_map(|c| anchor.logits.get(*c).copied()).collect();
    let loss = interval::log_sum_exp(&terms);
    // The anchor's own term is 1, so that the loss cannot be negative.
    Interval::new(loss.lo().max(0.0), loss.hi().max(0.0))
}

fn task_loss(anchors: &[AnchorLogits], task: &[usize], shares: &[Interval]) -> Interval {
    let terms = anchors.iter().filter_map(|anchor| {
        let position = task.iter().position(|&c| c == anchor.class)?;
        Some((anchor_loss(anchor, task), anchor.within * *shares.get(position)?))
    });
    average(&terms.collect::<Vec<_>>())
}

/// `L_sup^mu(f, T) = E_{(x,c) ~ D_T} log sum_{c' in T} e^{f(x).(mu_{c'} - mu_c)}` in nats; there is no intercept.
///
/// # Errors
/// [`ContrastiveError::Task`] unless the task is a non-empty set of distinct classes.
pub fn sup_mean(model: &LatentClassModel, task: &[usize]) -> Result<Interval, ContrastiveError> {
    model.check_task(task)?;
    Ok(task_loss(&anchor_logits(model), task, &model.task_probabilities(task)))
}

/// `L_sup^mu(f, C)`, the task of all classes. The memory is that of the class means, however many they are.
#[must_use]
pub fn sup_mean_all(model: &LatentClassModel) -> Interval {
    let (classes, dimension) = (model.n_classes(), model.dimension());
    if model.n_atoms() as f64 * classes as f64 * dimension as f64 > LARGE {
        let atoms = model.weighted_atoms();
        let points: Vec<Weighted<'_>> =
            (atoms.iter()).map(|atom| Weighted { at: atom.at, class: atom.class, probability: atom.overall }).collect();
        return Means::new(classes, dimension, |class| model.class_mean(class)).loss(&points);
    }
    let task: Vec<usize> = (0..model.n_classes()).collect();
    task_loss(&anchor_logits(model), &task, &model.task_probabilities(&task))
}

/// `L_sup^mu(f, C)` of labelled points, each as likely as any other, straight from the data.
///
/// Besides the points, the memory is one number per class and coordinate. The same bits for any number of threads and on every processor.
///
/// ```
/// use contrapositive_contrastive::{data::LabelledPoints, mean_classifier_loss};
/// let points = LabelledPoints::new(vec![1.0, 3.0, -2.0], 1, vec![4, 4, 7]).unwrap();
/// // The means are 2 and -2: log(1 + e^-4), log(1 + e^-12), and log(1 + e^-8).
/// let loss = mean_classifier_loss(&points);
/// let by_hand = [-4.0, -12.0, -8.0].map(|a| core_math::log1p(core_math::exp(a))).iter().sum::<f64>() / 3.0;
/// assert!((loss.midpoint() - by_hand).abs() <= 1e-15 && loss.width() <= 1e-15);
/// ```
#[must_use]
pub fn mean_classifier_loss(points: &LabelledPoints) -> Interval {
    let probability = Interval::ONE / points.len() as f64;
    let weighted: Vec<Weighted<'_>> =
        (0..points.len()).map(|i| Weighted { at: points.point(i), class: points.label(i), probability }).collect();
    let mean = |class: usize| {
        let members = points.class_members(class);
        let coordinate = |k: usize| streamed::mean(members.iter().map(|&i| points.point(i)[k]));
        (0..points.dimension()).map(coordinate).collect()
    };
    Means::new(points.classes(), points.dimension(), mean).loss(&weighted)
}

/// `L_sup,k^mu(f)`: the average of `L_sup^mu(f, T)` over all sets `T` of `k + 1` classes, equally likely whatever `rho`.
///
/// # Errors
/// [`ContrastiveError::TaskSize`] unless `1 <= k < N_C`; [`ContrastiveError::TooManyTerms`] when there are too many tasks.
pub fn sup_mean_average(model: &LatentClassModel, k: usize) -> Result<Interval, ContrastiveError> {
    let classes = model.n_classes();
    if k == 0 || k >= classes {
        return Err(ContrastiveError::TaskSize { k, classes });
    }
    let tasks = tasks(classes, k + 1, LIMIT / (model.n_atoms() * (k + 1)) as f64)?;
    let anchors = anchor_logits(model);
    let share = Interval::ONE / tasks.len() as f64;
    let loss = |task: &Vec<usize>| (task_loss(&anchors, task, &model.task_probabilities(task)), share);
    Ok(average(&tasks.iter().map(loss).collect::<Vec<_>>()))
}

/// All sets of `size` classes in lexicographic order.
fn tasks(classes: usize, size: usize, limit: f64) -> Result<Vec<Vec<usize>>, ContrastiveError> {
    let smaller = size.min(classes - size);
    let count = (1..=smaller).fold(1.0, |n, i| n * (classes - smaller + i) as f64 / i as f64);
    if count > limit {
        return Err(ContrastiveError::TooManyTerms { terms: count, limit });
    }
    let mut all = Vec::with_capacity(count as usize + 1);
    let mut task: Vec<usize> = (0..size).collect();
    loop {
        all.push(task.clone());
        let Some(i) = (0..size).rev().find(|&i| task[i] < classes - size + i) else {
            return Ok(all);
        };
        task[i] += 1;
        for j in i + 1..size {
            task[j] = task[j - 1] + 1;
        }
    }
}
