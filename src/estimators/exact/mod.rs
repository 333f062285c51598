//! The exact unsupervised loss of labelled embeddings for any number of negatives, at the price of a few Gram products.
//!
//! # The method
//! For an anchor `x` with logits `a_y = f(x).f(y)/temperature`, the loss is an integral over `u = log t` of
//! `psi(u) (1 - (1 - S(u))^N)` with `S(u) = sum_y pi_y K(u + a_y)`, `K(v) = 1 - exp(-e^v)`, and `psi` a like sum over the positives
//! (see [`crate::contrastive::expected_log_ratio`]). Evaluating `K` at every logit and node costs hundreds of exponentials per pair. But
//! `K` is analytic, and relatively smooth: on a cell of width 1/16 it is a polynomial of degree seven to within `1e-14` of
//! itself. So
//! 1. the logits of a few anchors with 512 points at a time come from a blocked product (`kernels`);
//! 2. every logit adds its eight moments `pi_y r^j`, `r` the distance to the middle of its cell, to a histogram (`anchor`): a
//!    dozen instructions per pair, and nothing in the following depends on the number of points any more;
//! 3. all `S(u_k)` and `psi(u_k)` are products of the histogram with consecutive rows of one table of coefficients, because
//!    nodes and cells share a grid (`table`, with its proven bounds);
//! 4. the trapezoid sum over about `110 + 4 (log N + range of the logits)` nodes follows for every `N` (`quadrature`).
//!
//! # Errors
//! The answer is an [`Enclosure`] of grade exact. Its relative half-width is about `2e-13` from moments and tables plus twice
//! the error of the logits; where the latter exceeds `1e-13`, inner products are computed in twice the working precision. Logits
//! beyond 1000 in size, and losses below `1e-250`, take the straightforward path, one anchor at a time.

mod anchor;
mod kernels;
mod logits;
mod options;
mod power_sums;
mod quadrature;
mod reference;
mod sample;
mod table;
#[cfg(test)]
mod tests;

use rayon::prelude::*;

pub use options::{Aggregation, ClassShares, LossOptions};

use self::anchor::Workspace;
use self::kernels::{ANCHORS, Instructions, STRIP};
use self::logits::AccurateLogits;
use self::quadrature::{Law, Plan};
use self::sample::Sample;
use self::table::CELLS;
use super::EstimatorError;
use crate::data::LabelledPoints;
use crate::enclosure::Enclosure;
use crate::interval::Interval;

/// Logits beyond this take the straightforward path.
const LARGEST: f64 = 1000.0;
/// Where plain inner products may be off by more, they are computed in twice the precision.
const TOLERATED: f64 = 1e-13;
/// Anchors that share a strip while it is in the cache.
const BLOCK: usize = 16;

/// The unsupervised loss of labelled points, one enclosure for every number of negatives, in the convention of `options`.
///
/// The law is the empirical one: points of a class are equally likely, negatives are drawn with replacement. Relative error below
/// `1e-12` (for a loss without the positive in its denominator: of the sum of its parts). The answer has the same bits
/// for any number of threads and on every processor.
///
/// ```
/// use contrapositive::data::LabelledPoints;
/// use contrapositive::estimators::exact::{LossOptions, exact_unsupervised_losses};
/// let points = LabelledPoints::new(vec![0.0; 12], 2, vec![0, 1, 2, 0, 1, 2]).unwrap();
/// let losses = exact_unsupervised_losses(&points, &[1, 7], &LossOptions::default()).unwrap();
/// assert!(losses[1].lo() <= core_math::log(8.0) && core_math::log(8.0) <= losses[1].hi());
/// ```
///
/// # Errors
/// [`EstimatorError`]: a number of negatives outside `1 ..= 2^53`, a temperature that is not a positive number, options that leave an
/// anchor without positives or negatives.
pub fn exact_unsupervised_losses(
    points: &LabelledPoints,
    negatives: &[u64],
    options: &LossOptions,
) -> Result<Vec<Enclosure>, EstimatorError> {
    losses_with(Instructions::detect(), points, negatives, options)
}

fn losses_with(
    set: Instructions,
    points: &LabelledPoints,
    negatives: &[u64],
    options: &LossOptions,
) -> Result<Vec<Enclosure>, EstimatorError> {
    options.check()?;
    if let Some(&negatives) = negatives.iter().find(|n| !(1..=1 << 53).contains(*n)) {
        return Err(EstimatorError::Negatives { negatives });
    }
    if negatives.is_empty() {
        return Ok(Vec::new());
    }
    let sample = Sample::new(points, options)?;
    let per_anchor = Problem::new(set, &sample, negatives, options).per_anchor()?;
    let probability: Vec<Interval> = (0..points.classes())
        .map(|c| reference::probability(&sample, options.shares, sample.members(c).0))
        .collect();
    let average = |column: usize| {
        let terms = per_anchor.iter().enumerate().map(|(i, row)| {
            let loss = row.get(column).copied().unwrap_or(Interval::ENTIRE);
            loss * probability.get(sample.class(i)).copied().unwrap_or(Interval::ENTIRE)
        });
        options.base.from_nats(sum(terms.collect()).into())
    };
    Ok((0..negatives.len()).map(average).collect())
}

/// A sum in blocks of 64, so that its error grows with the logarithm of the number of terms.
fn sum(mut terms: Vec<Interval>) -> Interval {
    while terms.len() > 1 {
        terms = terms.chunks(64).map(crate::interval::sum).collect();
    }
    terms.first().copied().unwrap_or(Interval::ZERO)
}

/// One request.
struct Problem<'a> {
    sample: &'a Sample<'a>,
    options: &'a LossOptions,
    numbers: &'a [u64],
    plan: Plan,
    accurate: AccurateLogits,
    /// Cells on either side of zero.
    half: i32,
}

impl<'a> Problem<'a> {
    fn new(set: Instructions, sample: &'a Sample<'a>, numbers: &'a [u64], options: &'a LossOptions) -> Self {
        let bound = (0..sample.len())
            .map(|i| sample.logit_bound(i))
            .filter(|&b| b <= LARGEST)
            .fold(0.0, f64::max);
        let mean = options.aggregation == Aggregation::Mean && options.positive_in_denominator;
        // Without the positive, one of the draws takes its place.
        let draws: Vec<u64> = if options.positive_in_denominator {
            numbers.to_vec()
        } else {
            numbers.iter().map(|n| (n - 1).max(1)).collect()
        };
        let half = (CELLS as f64 * bound).ceil() as i32 + 2;
        Problem {
            sample,
            options,
            numbers,
            plan: Plan::new(set, &draws, mean, bound, 2 * half as usize + 1),
            accurate: AccurateLogits::new(options.temperature),
            half,
        }
    }

    /// The losses of the sorted points, in nats.
    fn per_anchor(&self) -> Result<Vec<Vec<Interval>>, EstimatorError> {
        let cells = 2 * self.half as usize + 1;
        let at_once = if cells <= 2048 { BLOCK } else { ANCHORS };
        let blocks = self.sample.len().div_ceil(at_once);
        let losses: Result<Vec<Vec<Vec<Interval>>>, EstimatorError> = (0..blocks)
            .into_par_iter()
            .map_init(
                || Workspace::new(cells, at_once),
                |workspace, block| {
                    let end = ((block + 1) * at_once).min(self.sample.len());
                    self.block(workspace, block * at_once, end)
                },
            )
            .collect();
        Ok(losses?.into_iter().flatten().collect())
    }

    /// The losses of the sorted points `begin .. end`.
    fn block(&self, workspace: &mut Workspace, begin: usize, end: usize) -> Result<Vec<Vec<Interval>>, EstimatorError> {
        let within = |anchor: usize| self.sample.logit_bound(anchor) <= LARGEST;
        let precise = |anchor: usize| (self.sample.logit_error(anchor) > TOLERATED).then_some(&self.accurate);
        workspace.clear();
        let mut packed: Vec<Vec<f64>> = Vec::new();
        for first in (begin..end).step_by(ANCHORS) {
            self.sample.packed(first, &mut workspace.packed);
            packed.push(std::mem::take(&mut workspace.packed));
        }
        for strip in 0..self.sample.len().div_ceil(STRIP) {
            for (first, packed) in (begin..end).step_by(ANCHORS).zip(&packed) {
                let group = first..(first + ANCHORS).min(end);
                if group.clone().any(|i| within(i) && precise(i).is_none()) {
                    kernels::inner_products(
                        self.plan.set,
                        packed,
                        self.sample.strip(strip),
                        self.sample.dimension(),
                        self.accurate.scale(),
                        &mut workspace.logits,
                    );
                }
                for anchor in group.filter(|&i| within(i)) {
                    let place = (anchor - begin, anchor - first, anchor);
                    workspace.gather(
                        self.plan.set,
                        self.sample,
                        self.options,
                        strip,
                        place,
                        -self.half,
                        precise(anchor),
                    );
                }
            }
        }
        let loss = |anchor: usize| {
            let fast = within(anchor)
                .then(|| {
                    let error = if precise(anchor).is_some() {
                        AccurateLogits::error(self.sample, anchor)
                    } else {
                        self.sample.logit_error(anchor)
                    };
                    let (positives, negatives) =
                        workspace.laws(anchor - begin, self.sample, self.options, anchor, -self.half)?;
                    self.loss(&positives, &negatives, error)
                })
                .flatten();
            match fast {
                Some(losses) => Ok(losses),
                None => reference::anchor_losses(self.sample, anchor, self.numbers, self.options),
            }
        };
        (begin..end).map(loss).collect()
    }

    /// The losses of one anchor whose logits are off by at most `error` each.
    fn loss(&self, positives: &Law<'_>, negatives: &Law<'_>, error: f64) -> Option<Vec<Interval>> {
        // With all differences of logits off by at most 2 error, a logarithm of one plus positive terms changes by at most
        // that relatively, to first order: x/(1 + x) <= log(1 + x).
        let factor = Interval::ONE.widened_by(2.02 * error);
        if self.options.positive_in_denominator {
            let losses = self.plan.expected_log_ratio(positives, negatives)?;
            return Some(losses.into_iter().map(|loss| loss * factor).collect());
        }
        let ratios = self.plan.expected_log_ratio(negatives, negatives)?;
        let means = (negatives.mean_logit() - positives.mean_logit()).widened_by(2.0 * error);
        let one = |(ratio, &number): (Interval, &u64)| {
            let log = match self.options.aggregation {
                Aggregation::Sum => Interval::ZERO,
                Aggregation::Mean => Interval::point(number as f64).ln(),
            };
            let ratio = if number > 1 { ratio * factor } else { Interval::ZERO };
            ratio + means - log
        };
        Some(ratios.into_iter().zip(self.numbers).map(one).collect())
    }
}
