//! `L_un^N` of any model that can be sampled.
//!
//! # Rounding
//! `u = 2^-53`, `C` a bound on the norms, `g = d u / (1 - d u)`, `B = log(1 + N e^{2 C^2})` the largest loss. One draw computes the
//! logits `l_i = f(x).f(y_i)` and `p = f(x).f(x+)`, `m = max l_i`, `a = m - p + log(sum e^{l_i - m})` and `log(1 + e^a)`.
//! - The loss changes by at most `t` when every `l_i - p` changes by at most `t`. Each inner product errs by at most `g C^2`: `2 g C^2`.
//! - `l_i - m` is rounded, by at most `2 C^2 u`. The exponential errs by one unit in the last place, relatively `2u`; where it underflows the
//!   error is below `2^-1073`, of a sum that is at least one. The sum errs by `(N - 1) u` relatively. These are relative errors of the argument of a
//!   logarithm, hence absolute ones of its value: `(2 C^2 + N + 1) u`.
//! - The logarithm is correctly rounded, by `u log N`; the two sums of `a` by `2 C^2 u` and `(2 C^2 + log N) u`. Together with the line before,
//!   `6 C^2 + 2 log N <= 3 B + 2 B` (`2 C^2 <= B` and `log N <= B`).
//! - The last function errs by two units in the last place, `4 u B`.
//!
//! In all at most `2 g C^2 + (N + 1 + 9 B) u`, up to products of these small numbers; [`Unsupervised`] promises `N + 8 + 12 B`.

use super::elementary::{exp_below_max, sum};
use super::{ChunkStream, Estimator, MonteCarloError, ObservationRange, Sampler};
use enclosures::interval::Interval;
use enclosures::kernels::ElementwiseFunction;

/// The largest number of negatives: one draw takes as many numbers of memory.
pub(super) const MOST_NEGATIVES: usize = 1 << 26;
/// Unit roundoff.
pub(super) const U: f64 = f64::EPSILON / 2.0;

/// Bound of the error of an inner product of two vectors of `d` coordinates and norms of at most `radius`, underflow included.
pub(super) fn product_error(d: usize, radius: f64) -> f64 {
    let d = d as f64;
    d * U / (1.0 - d * U) * radius * radius * (1.0 + 8.0 * U) + d * f64::MIN_POSITIVE
}

pub(super) fn check_negatives(negatives: usize) -> Result<(), MonteCarloError> {
    if (1..=MOST_NEGATIVES).contains(&negatives) {
        return Ok(());
    }
    Err(MonteCarloError::Count {
        what: "number of negatives",
        value: negatives as u64,
        least: 1,
        most: MOST_NEGATIVES as u64,
    })
}

/// `[log(1 + N e^lo), log(1 + N e^hi)]` for logit differences between `lo` and `hi`.
pub(super) fn loss_range(negatives: usize, lo: f64, hi: f64) -> Option<ObservationRange> {
    let end = |difference: f64| (Interval::point(negatives as f64).ln() + difference).softplus();
    let (lo, hi) = (end(lo).lo().max(0.0), end(hi).hi());
    // Equal logits make a constant loss; a range has a positive length.
    ObservationRange::new(lo, hi.max(lo + f64::EPSILON * lo.max(1.0))).ok()
}

/// What the law drawn from costs: each of the `N + 2` draws moves the mean by at most its distance times the range.
pub(super) fn law_error(range: Option<ObservationRange>, draws: usize, distance: f64) -> f64 {
    range.map_or(0.0, |range| range.length().hi() * draws as f64 * distance)
}

/// What rounding costs a single loss, derived in the module's text.
pub(super) fn loss_error(d: usize, radius: Option<f64>, negatives: usize, range: Option<ObservationRange>) -> f64 {
    let most = range.map_or(0.0, ObservationRange::hi);
    2.0 * radius.map_or(0.0, |radius| product_error(d, radius)) + (negatives as f64 + 8.0 + 12.0 * most) * U
}

/// Plain Monte Carlo for `L_un^N`: every observation is the loss of one anchor with one positive and `N` negatives, all
/// drawn afresh.
#[derive(Clone, Copy, Debug)]
pub struct Unsupervised<'a, S: Sampler + ?Sized> {
    model: &'a S,
    negatives: usize,
    radius: Option<f64>,
}

impl<'a, S: Sampler + ?Sized> Unsupervised<'a, S> {
    /// The estimator for `N = negatives`.
    ///
    /// # Errors
    /// [`MonteCarloError::Count`] unless `1 <= N <= 2^26`.
    pub fn new(model: &'a S, negatives: usize) -> Result<Self, MonteCarloError> {
        check_negatives(negatives)?;
        Ok(Unsupervised { model, negatives, radius: model.radius() })
    }
}

impl<S: Sampler + ?Sized> Estimator for Unsupervised<'_, S> {
    fn range(&self) -> Option<ObservationRange> {
        let most = 2.0 * self.radius? * self.radius? * (1.0 + 8.0 * U);
        loss_range(self.negatives, -most, most)
    }

    /// Derived in the module's text.
    fn error(&self) -> f64 {
        loss_error(self.model.dimension(), self.radius, self.negatives, self.range())
            + law_error(self.range(), self.negatives + 2, self.model.distance())
    }

    fn chunk_len(&self) -> usize {
        (4096 / self.negatives).clamp(16, 1024)
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        let d = self.model.dimension();
        let (mut anchor, mut scratch) = (vec![0.0; d], vec![0.0; d]);
        let mut logits = vec![0.0; self.negatives + 1];
        for loss in out {
            let class = self.model.draw_class(stream);
            self.model.draw_embedding(class, stream, &mut anchor);
            let (own, others) = logits.split_at_mut(1);
            self.model.draw_logits(&anchor, Some(class), stream, &mut scratch, own);
            self.model.draw_logits(&anchor, None, stream, &mut scratch, others);
            let positive = own[0];
            let max = exp_below_max(others);
            *loss = ElementwiseFunction::Softplus.at(max - positive + core_math::log(sum(others)));
        }
    }
}
