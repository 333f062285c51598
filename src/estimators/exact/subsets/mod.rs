//! The exact loss over subsets of the points: negatives drawn without replacement.
//!
//! # The method
//! A set `A` of `k` negatives is drawn uniformly from the candidates of an anchor (Wen 2020, definition 3.3). As in [`super::quadrature`],
//! the expectation of `log(1 + sum_{y in A} e^{a_y - a_p})` is `int e^{-t b_p} F(t) dt/t` with the gain `F = 1 - E prod_{y in A} e^{-t b_y}`, now an
//! average over subsets ([`gain`]) instead of a power. `F` is a mixture of functions `1 - e^{-tX}`, concave and zero at `t = 0`, which is all that the
//! bounds of the trapezoid sum and of its ends ask for.
//!
//! A positive that may not be among its own negatives has candidates of its own; all these sets of one anchor are
//! averaged together, by halving the list of positives ([`gain::Averages::without_each`]).
//!
//! # Cost
//! Per anchor and size, for `n` candidates: two exponentials per node and candidate, and at most `n k` steps for each of the dozen or two
//! nodes where `F` is at least a half and not one. Below, a series does, but for large subsets of few candidates.

mod gain;
mod kernel;
mod law;
mod series;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use self::gain::Shape;
use self::law::SubsetLaw;
use super::kernels::Instructions;
use super::options::{Aggregation, ClassShares, LossOptions};
use super::sample::Sample;
use super::{reference, sum};
use crate::EstimatorError;
use contrastive::LogarithmBase;
use contrastive::data::LabelledPoints;
use enclosures::enclosure::Enclosure;
use enclosures::interval::Interval;

/// One definition of the loss over subsets,
///
/// `E log(1 + sum_{y in A} e^{a_y - a_P})`, `a_y = f(x).f(y) / temperature`,
///
/// where the anchor `x` is drawn from `rho` and its class, the positive `P` from the class of `x`, and `A` uniformly from the
/// sets of `k` candidates. The default is what training in batches does: the anchor is neither its own positive nor a negative,
/// and the positive is no negative. The class shares weigh the anchors; candidates are equally likely in any case.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SubsetOptions {
    /// What the inner products are divided by (default: 1).
    pub temperature: f64,
    /// Sum or mean over the negatives (default: sum).
    pub aggregation: Aggregation,
    /// Unit of the answer (default: nats).
    pub base: LogarithmBase,
    /// Whether points of the anchor's class are candidates (default: yes).
    pub same_class_negatives: bool,
    /// Whether the positive may be the anchor itself (default: no).
    pub self_positive: bool,
    /// Whether the anchor is a candidate, where points of its class are (default: no).
    pub anchor_among_negatives: bool,
    /// Whether the positive is a candidate, where points of its class are (default: no).
    pub positive_among_negatives: bool,
    /// Probabilities of the classes of anchors (default: empirical).
    pub shares: ClassShares,
}

impl Default for SubsetOptions {
    fn default() -> Self {
        SubsetOptions {
            temperature: 1.0,
            aggregation: Aggregation::Sum,
            base: LogarithmBase::Nats,
            same_class_negatives: true,
            self_positive: false,
            anchor_among_negatives: false,
            positive_among_negatives: false,
            shares: ClassShares::Empirical,
        }
    }
}

impl SubsetOptions {
    /// The same choices for independent draws, as far as there is a choice.
    fn independent(&self) -> LossOptions {
        LossOptions {
            positive_in_denominator: true,
            temperature: self.temperature,
            aggregation: self.aggregation,
            base: self.base,
            same_class_negatives: self.same_class_negatives,
            self_positive: self.self_positive,
            shares: self.shares,
        }
    }
}

/// The loss over all subsets of `k` negatives, one enclosure for every `k` of `sizes`, in the convention of `options`.
///
/// The relative error is below `1e-12` for up to 2000 candidates, and about `1.2e-16 (candidates + 5 k)` for more; losses below `1e-250`
/// and logits beyond `1e4` get valid but wide enclosures. The answer has the same bits for any number of threads and on every processor.
///
/// ```
/// use contrastive::data::LabelledPoints;
/// use contrapositive_estimators::exact::{SubsetOptions, exact_subset_losses};
/// let points = LabelledPoints::new(vec![0.0; 12], 2, vec![0, 1, 2, 0, 1, 2]).unwrap();
/// // The anchor and its positive are no negatives: four candidates are left.
/// let losses = exact_subset_losses(&points, &[1, 4], &SubsetOptions::default()).unwrap();
/// assert!(losses[1].lo() <= core_math::log(5.0) && core_math::log(5.0) <= losses[1].hi());
/// assert!(exact_subset_losses(&points, &[5], &SubsetOptions::default()).is_err());
/// ```
///
/// # Errors
/// [`EstimatorError`]: a size that is zero or exceeds the number of candidates of some anchor and positive, a temperature that is
/// not a positive number, options that leave an anchor without positives or negatives.
pub fn exact_subset_losses(
    points: &LabelledPoints,
    sizes: &[usize],
    options: &SubsetOptions,
) -> Result<Vec<Enclosure>, EstimatorError> {
    losses_with(Instructions::detect(), points, sizes, options, &|_| ())
}

/// [`exact_subset_losses`], telling `watch` after every anchor what share of them is done, from whichever thread.
///
/// # Errors
/// As there.
pub fn watched_subset_losses(
    points: &LabelledPoints,
    sizes: &[usize],
    options: &SubsetOptions,
    watch: &(dyn Fn(f64) + Sync),
) -> Result<Vec<Enclosure>, EstimatorError> {
    losses_with(Instructions::detect(), points, sizes, options, watch)
}

fn losses_with(
    set: Instructions,
    points: &LabelledPoints,
    sizes: &[usize],
    options: &SubsetOptions,
    watch: &(dyn Fn(f64) + Sync),
) -> Result<Vec<Enclosure>, EstimatorError> {
    let independent = options.independent();
    independent.check()?;
    let sample = Sample::new(points, &independent)?;
    for class in 0..points.classes() {
        let candidates = fewest_candidates(&sample, class, options);
        if let Some(&size) = sizes.iter().find(|k| !(1..=candidates).contains(*k)) {
            let label = points.original_labels().get(class).copied().unwrap_or_default();
            return Err(EstimatorError::SubsetSize { size, candidates, label });
        }
    }
    // As many candidates have all anchors of a class.
    let shapes: Vec<Vec<OnceLock<Shape>>> =
        (0..points.classes()).map(|_| sizes.iter().map(|_| OnceLock::new()).collect()).collect();
    let done = AtomicUsize::new(0);
    let per_anchor: Vec<Vec<Interval>> = enclosures::work::shared(10_000 * sample.len() as u64, || {
        (0..sample.len())
            .into_par_iter()
            .map(|anchor| {
                let law = SubsetLaw::new(set, &sample, anchor, options);
                let shapes = sizes.iter().zip(&shapes[sample.class(anchor)]);
                let losses = shapes.map(|(&size, shape)| law.loss(set, size, shape)).collect();
                watch((done.fetch_add(1, Ordering::Relaxed) + 1) as f64 / sample.len() as f64);
                losses
            })
            .collect()
    });
    let average = |column: usize| {
        let terms = per_anchor.iter().enumerate().map(|(i, row)| {
            let loss = row.get(column).copied().unwrap_or(Interval::ENTIRE);
            loss * reference::probability(&sample, options.shares, i)
        });
        options.base.from_nats(sum(terms.collect()).into())
    };
    Ok((0..sizes.len()).map(average).collect())
}

/// The number of candidates of an anchor of a class, with the positive that leaves the fewest.
fn fewest_candidates(sample: &Sample<'_>, class: usize, options: &SubsetOptions) -> usize {
    let (start, end) = sample.members(class);
    if !options.same_class_negatives {
        return sample.len() - (end - start);
    }
    let anchor = usize::from(!options.anchor_among_negatives);
    // With the anchor as the only possible positive, the anchor is left out once.
    let other_positive = end - start > 1 || anchor == 0;
    sample.len() - anchor - usize::from(!options.positive_among_negatives && other_positive)
}
