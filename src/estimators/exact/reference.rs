//! The straightforward path of one anchor, for logits beyond the reach of the tables, and to compare with.

use super::options::{ClassShares, LossOptions};
use super::sample::Sample;
use crate::EstimatorError;
use contrastive::{WeightedLogit, expected_log_ratio};
use enclosures::interval::{self, Interval};

/// Probability of one sorted point, enclosed.
pub(super) fn probability(sample: &Sample<'_>, shares: ClassShares, sorted: usize) -> Interval {
    let (start, end) = sample.members(sample.class(sorted));
    match shares {
        ClassShares::Empirical => Interval::ONE / sample.len() as f64,
        ClassShares::Uniform => Interval::ONE / (sample.data().classes() as f64 * (end - start) as f64),
    }
}

/// The loss of one anchor in nats for every number of negatives, by [`expected_log_ratio`] on all its logits.
pub(super) fn anchor_losses(
    sample: &Sample<'_>,
    anchor: usize,
    numbers: &[u64],
    options: &LossOptions,
) -> Result<Vec<Interval>, EstimatorError> {
    use super::options::Aggregation::Mean;
    let x = sample.point(anchor);
    let class = sample.class(anchor);
    let (start, end) = sample.members(class);
    let others = if options.same_class_negatives {
        Interval::ONE
    } else {
        let (n, classes) = (sample.len() as f64, sample.data().classes() as f64);
        match options.shares {
            ClassShares::Empirical => Interval::point(n) / (n - (end - start) as f64),
            ClassShares::Uniform => Interval::point(classes) / (classes - 1.0),
        }
    };
    let logit = |y: usize| interval::dot(x, sample.point(y)) / options.temperature;
    let positives: Vec<WeightedLogit> = (start..end)
        .filter(|&y| options.self_positive || y != anchor)
        .map(|y| WeightedLogit {
            probability: Interval::ONE / (end - start - usize::from(!options.self_positive)) as f64,
            logit: logit(y),
        })
        .collect();
    let negatives: Vec<WeightedLogit> = (0..sample.len())
        .filter(|&y| options.same_class_negatives || !(start..end).contains(&y))
        .map(|y| WeightedLogit { probability: probability(sample, options.shares, y) * others, logit: logit(y) })
        .collect();
    let mean = |law: &[WeightedLogit]| {
        let terms: Vec<Interval> = law.iter().map(|w| w.logit * w.probability).collect();
        interval::sum(&terms)
    };
    let mut losses = Vec::with_capacity(numbers.len());
    for &number in numbers {
        let log = if options.aggregation == Mean { Interval::point(number as f64).ln() } else { Interval::ZERO };
        losses.push(if options.positive_in_denominator {
            let shifted: Vec<WeightedLogit> =
                (negatives.iter()).map(|w| WeightedLogit { logit: w.logit - log, ..*w }).collect();
            first(expected_log_ratio(&positives, &shifted, &[number])?)
        } else {
            // One of the draws takes the place of the positive.
            let rest = if number > 1 {
                first(expected_log_ratio(&negatives, &negatives, &[number - 1])?)
            } else {
                Interval::ZERO
            };
            rest + (mean(&negatives) - mean(&positives)) - log
        });
    }
    Ok(losses)
}

fn first(values: Vec<Interval>) -> Interval {
    values.into_iter().next().unwrap_or(Interval::ENTIRE)
}
