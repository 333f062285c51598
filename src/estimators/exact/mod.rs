//! The exact unsupervised loss of labelled embeddings for any number of negatives, at the price of a few Gram products.
//!
//! # The method
//! For an anchor `x` with logits `a_y = f(x).f(y)/temperature`, the loss is an integral over `u = log t` of
//! `psi(u) (1 - (1 - S(u))^N)` with `S(u) = sum_y pi_y K(u + a_y)`, `K(v) = 1 - exp(-e^v)`, and `psi` a like sum over the positives
//! (see [`contrastive::expected_log_ratio`]). Evaluating `K` at every logit and node costs hundreds of exponentials per pair. But
//! `K` is analytic, and relatively smooth: on a cell of width 1/16 it is a polynomial of degree seven to within `1e-14` of
//! itself. So
//! 1. the logits of a few anchors with 512 points at a time come from a blocked product (`kernels`);
//! 2. every logit adds its eight moments `pi_y r^j`, `r` the distance to the middle of its cell, to a histogram (`anchor`): a
//!    dozen instructions per pair, and nothing in the following depends on the number of points any more;
//! 3. all `S(u_k)` and `psi(u_k)` are products of the histogram with consecutive rows of one table of coefficients, because
//!    nodes and cells share a grid (`table`, with its proven bounds);
//! 4. the trapezoid sum over about `110 + 4 (log N + range of the logits)` nodes follows for every `N` (`quadrature`, `wide`), the powers for
//!    all `N` from one another (`gain_chain`).
//!
//! # Errors
//! The answer is an [`Enclosure`] of grade exact. Its relative half-width is about `2e-13` from moments and tables plus twice
//! the error of the logits; where the latter exceeds `1e-13`, inner products are computed in twice the working precision. Large
//! logits, from a hundred or so on, are sorted instead of spread onto a histogram. Beyond `1e14`, and for losses below
//! `1e-250`, the straightforward path remains, one anchor at a time.
//!
//! # More
//! [`exact_unsupervised_gradients`] differentiates the loss by the same tables, from the nodes back to the logits (`slopes`,
//! `gradient`). [`exact_subset_losses`] draws without replacement (`subsets`).

mod anchor;
mod gain_chain;
mod gradient;
mod gradient_kernels;
mod inner_products;
mod kernels;
mod logits;
mod options;
mod powers;
mod quadrature;
mod reference;
mod reference_slopes;
mod sample;
mod slope_row;
mod slopes;
mod spare;
mod subsets;
mod table;
#[cfg(test)]
mod tests;
mod tile_products;
#[cfg(target_arch = "x86_64")]
mod vectors;
mod wide;

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

pub use gradient::{LossGradient, exact_unsupervised_gradients, watched_unsupervised_gradients};
pub use options::{Aggregation, ClassShares, LossOptions};
pub use subsets::{SubsetOptions, exact_subset_losses, watched_subset_losses};

use self::anchor::{AnchorMoments, Workspace};
use self::inner_products::SplitLogits;
use self::kernels::{ANCHORS, Instructions, STRIP};
use self::logits::AccurateLogits;
use self::quadrature::QuadraturePlan;
use self::sample::Sample;
use self::table::CELLS;
use self::wide::{SparseLaw, WidePlan};
use super::EstimatorError;
use contrastive::data::LabelledPoints;
use enclosures::enclosure::Enclosure;
use enclosures::interval::Interval;

/// Logits beyond this are never gathered in a histogram.
const LARGEST: f64 = 1000.0;
/// Logits beyond this take the straightforward path.
const WIDEST: f64 = 1e14;
/// Where plain inner products may be off by more, they are computed in twice the precision.
const TOLERATED: f64 = 1e-13;
/// Most anchors that share a strip while it is in the cache, and the least where their histograms are short.
const MOST_AT_ONCE: usize = 64;
const SHORT_AT_ONCE: usize = 16;
/// Cells of a short histogram, and bytes of histograms that stay in the cache beside a strip.
const SHORT: usize = 2048;
const HISTOGRAM_BYTES: usize = 1 << 20;
/// Blocks of anchors that every thread is to have, so that all are busy to the end.
const BLOCKS_PER_THREAD: usize = 8;

/// The unsupervised loss of labelled points, one enclosure for every number of negatives, in the convention of `options`.
///
/// The law is the empirical one: points of a class are equally likely, negatives are drawn with replacement. Relative error below
/// `1e-12` (for a loss without the positive in its denominator: of the sum of its parts). The answer has the same bits
/// for any number of threads and on every processor.
///
/// ```
/// use contrastive::data::LabelledPoints;
/// use contrapositive_estimators::exact::{LossOptions, exact_unsupervised_losses};
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
    losses_with(Instructions::detect(), points, negatives, options, &|_| ())
}

/// [`exact_unsupervised_losses`], telling `watch` again and again what share of the anchors is done, from whichever thread.
///
/// # Errors
/// As there.
pub fn watched_unsupervised_losses(
    points: &LabelledPoints,
    negatives: &[u64],
    options: &LossOptions,
    watch: &(dyn Fn(f64) + Sync),
) -> Result<Vec<Enclosure>, EstimatorError> {
    losses_with(Instructions::detect(), points, negatives, options, watch)
}

fn losses_with(
    set: Instructions,
    points: &LabelledPoints,
    negatives: &[u64],
    options: &LossOptions,
    watch: &(dyn Fn(f64) + Sync),
) -> Result<Vec<Enclosure>, EstimatorError> {
    check(negatives, options)?;
    if negatives.is_empty() {
        return Ok(Vec::new());
    }
    let sample = Sample::new(points, options)?;
    let per_anchor = Problem::new(set, &sample, negatives, options, sorted_beyond(&sample)).per_anchor(watch)?;
    let probability: Vec<Interval> =
        (0..points.classes()).map(|c| reference::probability(&sample, options.shares, sample.members(c).0)).collect();
    let average = |column: usize| {
        let terms = per_anchor.iter().enumerate().map(|(i, row)| {
            let loss = row.get(column).copied().unwrap_or(Interval::ENTIRE);
            loss * probability.get(sample.class(i)).copied().unwrap_or(Interval::ENTIRE)
        });
        options.base.from_nats(sum(terms.collect()).into())
    };
    Ok((0..negatives.len()).map(average).collect())
}

/// How many anchors meet a strip one after another: many, so that it is fetched from afar seldom. No bit depends on it.
fn anchors_at_once(points: usize, cells: usize) -> usize {
    let wanted = if cells <= SHORT {
        // Those of positives and of negatives.
        (HISTOGRAM_BYTES / (2 * cells * size_of::<table::Cell>())).clamp(SHORT_AT_ONCE, MOST_AT_ONCE)
    } else {
        ANCHORS
    };
    let share = points / (BLOCKS_PER_THREAD * rayon::current_num_threads());
    (wanted.min(share) / ANCHORS * ANCHORS).max(ANCHORS)
}

/// The size of logits beyond which sorting them is cheaper than emptying the many cells of a histogram after every strip.
fn sorted_beyond(sample: &Sample<'_>) -> f64 {
    (60.0 + sample.dimension() as f64).min(LARGEST)
}

/// Refuses options and numbers of negatives that make no sense.
fn check(negatives: &[u64], options: &LossOptions) -> Result<(), EstimatorError> {
    options.check()?;
    match negatives.iter().find(|n| !(1..=1 << 53).contains(*n)) {
        Some(&negatives) => Err(EstimatorError::Negatives { negatives }),
        None => Ok(()),
    }
}

/// A sum in blocks of 64, so that its error grows with the logarithm of the number of terms.
fn sum(mut terms: Vec<Interval>) -> Interval {
    while terms.len() > 1 {
        terms = terms.chunks(64).map(enclosures::interval::sum).collect();
    }
    terms.first().copied().unwrap_or(Interval::ZERO)
}

/// One request.
struct Problem<'a> {
    sample: &'a Sample<'a>,
    options: &'a LossOptions,
    numbers: &'a [u64],
    plan: QuadraturePlan,
    accurate: AccurateLogits,
    /// Cells on either side of zero.
    half: i32,
    /// Logits beyond this are not gathered in histograms.
    largest: f64,
    /// The tables of all laws. Not made when first asked for: threads that share the making would ask again while they wait.
    wide: WidePlan,
}

impl<'a> Problem<'a> {
    /// For anchors with logits up to `largest` in histograms.
    fn new(
        set: Instructions,
        sample: &'a Sample<'a>,
        numbers: &'a [u64],
        options: &'a LossOptions,
        largest: f64,
    ) -> Self {
        let bound = (0..sample.len()).map(|i| sample.logit_bound(i)).filter(|&b| b <= largest).fold(0.0, f64::max);
        let mean = options.aggregation == Aggregation::Mean && options.positive_in_denominator;
        // Without the positive, one of the draws takes its place.
        let draws: Vec<u64> = if options.positive_in_denominator {
            numbers.to_vec()
        } else {
            numbers.iter().map(|n| (n - 1).max(1)).collect()
        };
        let half = (CELLS as f64 * bound).ceil() as i32 + 2;
        let plan = QuadraturePlan::new(set, &draws, mean);
        let least = sample.weights.iter().copied().fold(1.0, f64::min);
        let spread = (0..sample.len()).any(|i| sample.logit_bound(i) > largest);
        let alike = options.shares == ClassShares::Empirical && options.same_class_negatives && spread;
        let alike = alike.then_some(sample.len());
        Problem {
            sample,
            options,
            numbers,
            wide: WidePlan::new(&plan, least, alike),
            plan,
            accurate: AccurateLogits::new(options.temperature),
            half,
            largest,
        }
    }

    /// Cells of a histogram.
    fn cells(&self) -> usize {
        2 * self.half as usize + 1
    }

    /// The losses of the sorted points, in nats.
    fn per_anchor(&self, watch: &(dyn Fn(f64) + Sync)) -> Result<Vec<Vec<Interval>>, EstimatorError> {
        let at_once = anchors_at_once(self.sample.len(), self.cells());
        let blocks = self.sample.len().div_ceil(at_once);
        let done = AtomicUsize::new(0);
        // Whoever is told may end the work: pieces that are left get no memory, and a block of anchors may take seconds.
        let pass = || watch(done.load(Ordering::Relaxed) as f64 / blocks as f64);
        let memory = || {
            pass();
            let moments = (0..at_once).map(|_| AnchorMoments::new(self.cells())).collect();
            (Workspace::new(self.cells()), moments)
        };
        let losses = |(workspace, moments): &mut (_, Vec<_>), block: usize| {
            let begin = block * at_once;
            let anchors = begin..(begin + at_once).min(self.sample.len());
            let losses = self.block(workspace, moments, anchors, &pass);
            watch((done.fetch_add(1, Ordering::Relaxed) + 1) as f64 / blocks as f64);
            losses
        };
        // How many blocks there are goes by the threads; what they count as may not.
        let amount = 10_000 * self.sample.len().div_ceil(ANCHORS) as u64;
        let losses: Result<Vec<Vec<Vec<Interval>>>, EstimatorError> =
            enclosures::work::shared(amount, || (0..blocks).into_par_iter().map_init(memory, losses).collect());
        Ok(losses?.into_iter().flatten().collect())
    }

    /// The losses of some sorted points; `pass` is called before every strip and every anchor.
    fn block(
        &self,
        workspace: &mut Workspace,
        moments: &mut [AnchorMoments],
        anchors: Range<usize>,
        pass: &dyn Fn(),
    ) -> Result<Vec<Vec<Interval>>, EstimatorError> {
        moments.iter_mut().for_each(AnchorMoments::clear);
        let groups: Vec<(Range<usize>, Vec<f64>)> = self.groups(&anchors);
        for strip in 0..self.sample.len().div_ceil(STRIP) {
            pass();
            for group in &groups {
                workspace.gather(self, strip, group, &mut moments[group.0.start - anchors.start..]);
            }
        }
        let losses = |(anchor, moments)| {
            pass();
            self.anchor_losses(anchor, moments)
        };
        anchors.zip(moments).map(losses).collect()
    }

    /// Some sorted points in groups as the kernels want them, with their coordinates.
    fn groups(&self, anchors: &Range<usize>) -> Vec<(Range<usize>, Vec<f64>)> {
        let group = |first: usize| {
            let mut packed = Vec::new();
            self.sample.packed(first, &mut packed);
            (first..(first + ANCHORS).min(anchors.end), packed)
        };
        anchors.clone().step_by(ANCHORS).map(group).collect()
    }

    /// The losses of one anchor; its moments have been gathered if the tables reach as far as its logits.
    fn anchor_losses(&self, anchor: usize, moments: &mut AnchorMoments) -> Result<Vec<Interval>, EstimatorError> {
        let fast = if self.within(anchor) {
            let laws = moments.laws(self.sample, self.options, anchor, -self.half);
            let laws = laws.map(|(positives, negatives)| (SparseLaw::from(&positives), SparseLaw::from(&negatives)));
            laws.and_then(|laws| self.loss(&laws, self.logit_error(anchor)))
        } else {
            self.wide_loss(anchor)
        };
        match fast {
            Some(losses) => Ok(losses),
            None => reference::anchor_losses(self.sample, anchor, self.numbers, self.options),
        }
    }

    /// Whether the tables reach as far as the logits of an anchor.
    fn within(&self, anchor: usize) -> bool {
        self.sample.logit_bound(anchor) <= self.largest
    }

    /// Whether plain inner products of an anchor are not good enough.
    fn precise(&self, anchor: usize) -> bool {
        self.sample.logit_error(anchor) > TOLERATED
    }

    /// An upper bound of the error of the logits of an anchor.
    fn logit_error(&self, anchor: usize) -> f64 {
        if self.precise(anchor) { AccurateLogits::error(self.sample, anchor) } else { self.sample.logit_error(anchor) }
    }

    /// The points of a strip.
    fn points_of(&self, strip: usize) -> usize {
        STRIP.min(self.sample.len() - strip * STRIP)
    }

    /// Cells and rests of the logits of a group of anchors with one strip, as far as histograms reach; in twice the precision where plain
    /// inner products are not good enough.
    fn split_logits(&self, packed: &[f64], strip: usize, group: Range<usize>, logits: &mut SplitLogits<'_>) {
        let (set, sample, base) = (self.plan.set, self.sample, -self.half);
        if group.clone().any(|i| self.within(i) && !self.precise(i)) {
            let scale = self.accurate.scale();
            inner_products::split_products(set, packed, sample.strip(strip), sample.dimension(), (scale, base), logits);
        }
        for (row, anchor) in group.enumerate().filter(|&(_, i)| self.within(i) && self.precise(i)) {
            let at = logits.of(row);
            let (cells, rests) = (&mut logits.cells[at.clone()], &mut logits.rests[at]);
            self.accurate.split(set, sample, anchor, strip * STRIP, base, cells, rests);
        }
    }

    /// The losses of one anchor whose logits are spread too widely for a histogram.
    fn wide_loss(&self, anchor: usize) -> Option<Vec<Interval>> {
        if self.sample.logit_bound(anchor) > WIDEST {
            return None;
        }
        let laws = SparseLaw::of_anchor(self.plan.set, self.sample, self.options, anchor, self.accurate);
        self.loss(&laws, AccurateLogits::error(self.sample, anchor))
    }

    /// The losses of one anchor from the laws of its positives and negatives, whose logits are off by at most `error` each; none where
    /// they may be too small.
    fn loss(&self, (positives, negatives): &(SparseLaw, SparseLaw), error: f64) -> Option<Vec<Interval>> {
        let means = || negatives.mean_logit() - positives.mean_logit();
        let against = if self.options.positive_in_denominator { positives } else { negatives };
        let ratios = self.wide.expected_log_ratio(&self.plan, against, negatives)?;
        Some(self.finish(ratios, means, error))
    }

    /// From the expected logarithms of ratios to the losses, when logits are off by at most `error` each. Without the positive
    /// in the denominator, the ratios are to one of the draws, and the mean negative logit minus the mean positive one is missing.
    fn finish(&self, ratios: Vec<Interval>, means: impl FnOnce() -> Interval, error: f64) -> Vec<Interval> {
        // With all differences of logits off by at most 2 error, a logarithm of one plus positive terms changes by at most
        // that relatively, to first order: x/(1 + x) <= log(1 + x).
        let factor = Interval::ONE.widened_by(2.02 * error);
        if self.options.positive_in_denominator {
            return ratios.into_iter().map(|loss| loss * factor).collect();
        }
        let means = means().widened_by(2.0 * error);
        let one = |(ratio, &number): (Interval, &u64)| {
            let log = match self.options.aggregation {
                Aggregation::Sum => Interval::ZERO,
                Aggregation::Mean => Interval::point(number as f64).ln(),
            };
            let ratio = if number > 1 { ratio * factor } else { Interval::ZERO };
            ratio + means - log
        };
        ratios.into_iter().zip(self.numbers).map(one).collect()
    }
}
