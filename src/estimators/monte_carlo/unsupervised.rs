//! `L_un^N` of any model that can be sampled, and of finite ones from a table of exponentials.

use rayon::prelude::*;

use super::elementary::{ERROR, dot, exp_below_max, log1p_nonnegative, sum};
use super::{AtomSampler, ChunkStream, Estimator, MonteCarloError, Range, Sampler};
use crate::interval::Interval;

/// The largest number of negatives: one draw takes as many numbers of memory.
pub(super) const MOST_NEGATIVES: usize = 1 << 26;
/// The largest table, 512 MB.
const MOST_ATOMS: usize = 8192;
/// Logits of an anchor spread further than this are not tabulated: their ratios would leave the doubles.
const SPREAD: f64 = 600.0;
/// Unit roundoff.
const U: f64 = f64::EPSILON / 2.0;

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
pub(super) fn loss_range(negatives: usize, lo: f64, hi: f64) -> Option<Range> {
    let end = |difference: f64| (Interval::point(negatives as f64).ln() + difference).softplus();
    let (lo, hi) = (end(lo).lo().max(0.0), end(hi).hi());
    // Equal logits make a constant loss; a range has a positive length.
    Range::new(lo, hi.max(lo + f64::EPSILON * lo.max(1.0))).ok()
}

/// What the law drawn from costs: each of the `N + 2` draws moves the mean by at most its distance times the range.
pub(super) fn law_error(range: Option<Range>, draws: usize, distance: f64) -> f64 {
    range.map_or(0.0, |range| range.length().hi() * draws as f64 * distance)
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
        Ok(Unsupervised {
            model,
            negatives,
            radius: model.radius(),
        })
    }
}

impl<S: Sampler + ?Sized> Estimator for Unsupervised<'_, S> {
    fn range(&self) -> Option<Range> {
        let most = 2.0 * self.radius? * self.radius? * (1.0 + 8.0 * U);
        loss_range(self.negatives, -most, most)
    }

    /// Logits err by at most `(d + 2) u C^2`, the sum by `(N + 8) u` relatively, which the logarithm turns into absolute errors.
    fn error(&self) -> f64 {
        let logits = self
            .radius
            .map_or(0.0, |c| 4.0 * (self.model.dimension() + 2) as f64 * U * c * c);
        let value = self.range().map_or(0.0, |range| 4.0 * U * range.hi());
        logits
            + value
            + (self.negatives as f64 + 32.0) * U
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
            // log(1 + e^a) of a = max + log(sum) - positive, from the smaller of e^a and e^-a.
            let total = sum(others);
            let a = max - positive + core_math::log(total);
            let mut tail = [core_math::exp(-a.abs())];
            log1p_nonnegative(&mut tail);
            *loss = a.max(0.0) + tail[0];
        }
    }
}

/// `e^{f(x).f(y) - max}` for all pairs of atoms of a finite model, row by anchor: with it a negative costs one look-up and one
/// addition. The memory is `8 n^2` bytes.
#[derive(Debug)]
pub struct PairTable<'a> {
    model: &'a AtomSampler,
    rows: Vec<f64>,
    /// Smallest and largest `f(x).(f(y) - f(x+))`.
    differences: (f64, f64),
    radius: f64,
}

impl<'a> PairTable<'a> {
    /// Takes all inner products and exponentials.
    ///
    /// # Errors
    /// [`MonteCarloError::Count`] beyond 8192 atoms, [`MonteCarloError::Spread`] when the logits of an anchor are spread over
    /// more than 600, [`MonteCarloError::NotFinite`] when they overflow.
    pub fn new(model: &'a AtomSampler) -> Result<Self, MonteCarloError> {
        let n = model.n_atoms();
        if n > MOST_ATOMS {
            return Err(MonteCarloError::Count {
                what: "number of atoms",
                value: n as u64,
                least: 1,
                most: MOST_ATOMS as u64,
            });
        }
        let radius = model.radius().ok_or(MonteCarloError::NotFinite {
            index: 0,
            value: f64::INFINITY,
        })?;
        let mut rows = vec![0.0; n * n];
        let row = |(anchor, row): (usize, &mut [f64])| {
            for (y, logit) in row.iter_mut().enumerate() {
                *logit = dot(model.point(anchor), model.point(y));
            }
            let least = row.iter().copied().fold(f64::INFINITY, f64::min);
            let most = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let own = row.get(model.members(model.class_of(anchor))).unwrap_or(&[]);
            let own_least = own.iter().copied().fold(f64::INFINITY, f64::min);
            let own_most = own.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let spread = most - least;
            if spread.is_nan() || spread > SPREAD {
                return Err(MonteCarloError::Spread {
                    anchor,
                    spread,
                    limit: SPREAD,
                });
            }
            exp_below_max(row);
            Ok((least - own_most, most - own_least))
        };
        let ends: Result<Vec<(f64, f64)>, _> = rows.par_chunks_mut(n.max(1)).enumerate().map(row).collect();
        let differences = ends?
            .into_iter()
            .fold((0.0f64, 0.0f64), |(a, b), (lo, hi)| (a.min(lo), b.max(hi)));
        Ok(PairTable {
            model,
            rows,
            differences,
            radius,
        })
    }

    /// The exponentials of an anchor with all atoms.
    pub(super) fn row(&self, anchor: usize) -> &[f64] {
        let n = self.model.n_atoms();
        self.rows.get(anchor * n..(anchor + 1) * n).unwrap_or(&[])
    }

    pub(super) fn model(&self) -> &'a AtomSampler {
        self.model
    }

    pub(super) fn range(&self, negatives: usize) -> Option<Range> {
        let slack = self.logit_error();
        loss_range(negatives, self.differences.0 - slack, self.differences.1 + slack)
    }

    fn logit_error(&self) -> f64 {
        4.0 * (self.model.dimension() + 4) as f64 * U * self.radius * self.radius
    }

    /// Bound of the difference between a loss from the table and the exact one. Two logits and the maximum err by `d u C^2`
    /// each, an exponential by [`ERROR`] and the exact subtraction's rounding `600 u`, the sum by `(N/8 + 4) u`, the quotient by
    /// `u`: relative errors of the argument of `log(1 + x)`, hence absolute ones of its value.
    pub(super) fn error(&self, negatives: usize) -> f64 {
        let value = self.range(negatives).map_or(0.0, |range| ERROR * U * range.hi());
        let distance = law_error(self.range(negatives), negatives + 2, self.model.distance());
        self.logit_error() + (1220.0 + 4.0 * ERROR + negatives as f64) * U + value + distance
    }
}

/// The sum of the entries of a row at the given places, in four interleaved sums.
#[inline]
pub(super) fn gather(row: &[f64], places: &[u32]) -> f64 {
    let mut sums = [0.0; 4];
    let groups = places.chunks_exact(4);
    for (sum, &i) in sums.iter_mut().zip(groups.remainder()) {
        *sum += row.get(i as usize).copied().unwrap_or(0.0);
    }
    for group in groups {
        for (sum, &i) in sums.iter_mut().zip(group) {
            *sum += row.get(i as usize).copied().unwrap_or(0.0);
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// [`Unsupervised`] for a finite model, from a [`PairTable`].
#[derive(Clone, Copy, Debug)]
pub struct TabulatedUnsupervised<'a> {
    table: &'a PairTable<'a>,
    negatives: usize,
}

impl<'a> TabulatedUnsupervised<'a> {
    /// The estimator for `N = negatives`.
    ///
    /// # Errors
    /// [`MonteCarloError::Count`] unless `1 <= N <= 2^26`.
    pub fn new(table: &'a PairTable<'a>, negatives: usize) -> Result<Self, MonteCarloError> {
        check_negatives(negatives)?;
        Ok(TabulatedUnsupervised { table, negatives })
    }
}

impl Estimator for TabulatedUnsupervised<'_> {
    fn range(&self) -> Option<Range> {
        self.table.range(self.negatives)
    }

    fn error(&self) -> f64 {
        self.table.error(self.negatives)
    }

    fn chunk_len(&self) -> usize {
        (65_536 / self.negatives).clamp(16, 4096)
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        let (model, overall) = (self.table.model(), self.table.model().overall());
        let mut places = vec![0u32; self.negatives];
        for ratio in out.iter_mut() {
            let anchor = overall.draw(stream);
            let class = model.class_of(anchor);
            let positive = model.members(class).start + model.within(class).map_or(0, |law| law.draw(stream));
            overall.fill(stream, &mut places);
            let row = self.table.row(anchor);
            *ratio = gather(row, &places) / row.get(positive).copied().unwrap_or(1.0);
        }
        log1p_nonnegative(out);
    }
}
