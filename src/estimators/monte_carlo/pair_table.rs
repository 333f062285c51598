//! The exponentials of all logits of a finite model.
//!
//! # Rounding
//! With `u`, `C`, `g` and `B` as in [`super::unsupervised`]. The entry of a pair is `e^{l - m}`, `m` the largest computed logit of the anchor, which cancels from
//! every ratio of entries of one row. The logit errs by `g C^2`, `l - m` is rounded by at most `600 u`, the exponential by one unit in
//! the last place: the logarithm of an entry errs by at most `g C^2 + 602.1 u`. A loss is `log(1 + r)` of the ratio `r` of a sum of
//! `N` entries, each of which also takes its part of `(N - 1) u` from the sum, to another entry; the ratio is formed
//! with a reciprocal and a product, `2u`. The logarithm of `r` so errs by at most `2 g C^2 + (1204.2 + N + 1) u`, and the loss by no more since
//! `d log(1 + r) / d log r < 1`. The last function errs by two units in the last place, `4 u B`.

use rayon::prelude::*;

use super::elementary::exp_below_max;
use super::unsupervised::{U, law_error, loss_range, product_error};
use super::{AtomSampler, MonteCarloError, ObservationRange, Sampler};
use enclosures::kernels::PackedRows;
use enclosures::work::shared;

/// The largest table, 512 MB.
const MOST_ATOMS: usize = 8192;
/// Anchors per piece of parallel work.
const PIECE: usize = 32;
/// Logits of an anchor spread further than this are not tabulated: their ratios would leave the doubles.
const SPREAD: f64 = 600.0;

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
        let radius = model.radius().ok_or(MonteCarloError::NotFinite { index: 0, value: f64::INFINITY })?;
        let packed = PackedRows::new(model.points(), model.dimension())?;
        let mut rows = vec![0.0; n * n];
        let row = |(anchor, row): (usize, &mut [f64])| {
            let least = row.iter().copied().fold(f64::INFINITY, f64::min);
            let most = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let own = row.get(model.members(model.class_of(anchor))).unwrap_or(&[]);
            let own_least = own.iter().copied().fold(f64::INFINITY, f64::min);
            let own_most = own.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let spread = most - least;
            if spread.is_nan() || spread > SPREAD {
                return Err(MonteCarloError::Spread { anchor, spread, limit: SPREAD });
            }
            exp_below_max(row);
            Ok((least - own_most, most - own_least))
        };
        let piece = |(first, (rows, left)): (usize, (&mut [f64], &[f64]))| {
            packed.products(left, rows)?;
            let each = rows.chunks_exact_mut(n).enumerate();
            each.map(|(i, one)| row((first * PIECE + i, one))).collect::<Result<Vec<_>, MonteCarloError>>()
        };
        let left = model.points().par_chunks(PIECE * model.dimension());
        let pieces = rows.par_chunks_mut(PIECE * n).zip(left).enumerate();
        let ends: Vec<Vec<(f64, f64)>> = shared((n * n) as u64, || pieces.map(piece).collect::<Result<_, _>>())?;
        let differences = ends.into_iter().flatten().fold((0.0f64, 0.0f64), |(a, b), (lo, hi)| (a.min(lo), b.max(hi)));
        Ok(PairTable { model, rows, differences, radius })
    }

    /// The exponentials of an anchor with all atoms.
    pub(super) fn row(&self, anchor: usize) -> &[f64] {
        let n = self.model.n_atoms();
        self.rows.get(anchor * n..(anchor + 1) * n).unwrap_or(&[])
    }

    pub(super) fn model(&self) -> &'a AtomSampler {
        self.model
    }

    pub(super) fn range(&self, negatives: usize) -> Option<ObservationRange> {
        // The subtraction of two logits is rounded as well.
        let slack = self.logit_error() + 4.0 * U * self.radius * self.radius;
        loss_range(negatives, self.differences.0 - slack, self.differences.1 + slack)
    }

    /// What the rounding of two inner products costs their difference.
    fn logit_error(&self) -> f64 {
        2.0 * product_error(self.model.dimension(), self.radius)
    }

    /// Bound of the difference between a loss from the table and the exact one, derived in the module's text, and of what the
    /// law drawn from costs.
    pub(super) fn error(&self, negatives: usize) -> f64 {
        let range = self.range(negatives);
        let rounding = 1206.0 + negatives as f64 + 4.0 * range.map_or(0.0, ObservationRange::hi);
        // One part in a million covers the products of these small numbers.
        (self.logit_error() + rounding * U) * (1.0 + 1e-6) + law_error(range, negatives + 2, self.model.distance())
    }
}
