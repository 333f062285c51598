//! The sum that gives one anchor's loss for every number of draws, and what it leaves out. Its terms come from the moments of the
//! logits in [`super::wide`].
//!
//! # The sum
//! As in [`contrastive::expected_log_ratio`]: `L = int psi(t) G(t) dt/t`, `psi = E e^{-t b_P}`, `G = 1 - (1 - S)^N`,
//! `S = E[1 - e^{-t b_Y}]`, by the trapezoid rule in `u = log t` with step `h = 1/4`, off by at most `2/(cos a (e^{2 pi a/h} - 1)) L` with
//! `a = pi/2 - h/(2 pi)`: below [`TRAPEZOID`] `L`, for every `N` and every law. Nodes and cells share one grid, so that `S(u_k)` and
//! `psi(u_k)` are inner products of the moments with consecutive rows of a [`super::table::Table`].
//!
//! With the mean instead of the sum over negatives, `b_P` is multiplied by `N`, a shift of the positive logits by `log N`: whole
//! cells, and a table of `Q` whose grid has the fractional offset.
//!
//! # The ends
//! The first node `t_0` has `t_0 max(b_P, N b_Y) <= 2^-24`. Below it `N S (1 - 2^-23) <= psi G <= N S`, and `S/t` is constant
//! up to a factor `1 - 2^-24`, so the terms there add up to `N S(t_0) h/(e^h - 1)` within `2^-22` of itself. That is about `2^-24`
//! of the loss. The last node `T` has `T b_P >= 41`: `G(t) <= G(T) t/T` beyond it, so the terms add up to at most
//! `G(T) psi(T)/41` (the sum of the falling function `t e^{-t b}` is at most its integral).
//!
//! # Rounding
//! `S` is a sum of terms that are positive up to the small factors of [`super::table::Bounds`]; every moment and product has at
//! most [`Law::roundings`] roundings. `G` is concave in `S` with `G(0) = 0`, so the relative error of `S` is not amplified. The
//! error of `psi` is relative to the comparator, which costs a factor of two.

use super::kernels::{Instructions, STRIDE};
use super::table::{CELLS, Cell, FLOOR};
use enclosures::interval::Interval;

/// Relative error bound of the infinite trapezoid sum with step 1/4.
pub(super) const TRAPEZOID: f64 = 1e-15;
pub(super) const STEP: f64 = 0.25;
/// `16 * 24 log 2`, rounded up.
pub(super) const ENTRY: i64 = 267;
/// `16 log 41`, rounded up.
pub(super) const EXIT: i64 = 60;

/// The moments of one law of logits.
pub(super) struct Law<'a> {
    /// Moments of consecutive cells; the first and the last one are not empty.
    pub(super) cells: &'a [Cell],
    /// Place of the first cell on the grid of logits.
    pub(super) first: i64,
    /// What turns weights into probabilities.
    pub(super) scale: f64,
    /// Roundings behind every moment.
    pub(super) roundings: f64,
}

/// One number of draws and how the positives are shifted for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShiftedDraws {
    /// The number of draws.
    pub(super) number: u64,
    /// Whole cells of the shift of the positive logits.
    pub(super) shift: i64,
    /// Which table of `Q` has the rest of the shift.
    pub(super) table: usize,
}

/// All that anchors share.
pub(super) struct QuadraturePlan {
    /// Instructions of the inner loops.
    pub(super) set: Instructions,
    /// The numbers of draws.
    pub(super) draws: Vec<ShiftedDraws>,
    /// The offsets of the tables of `Q`; the first one is zero.
    pub(super) offsets: Vec<f64>,
}

/// The nodes of one anchor.
pub(super) struct Grid {
    /// First and last node for every number of draws.
    pub(super) spans: Vec<(i64, i64)>,
    /// The first of all.
    pub(super) first: i64,
    /// The last of all.
    pub(super) last: i64,
}

impl QuadraturePlan {
    /// For some numbers of draws. With `mean`, the positives are shifted by `log N`.
    pub(super) fn new(set: Instructions, numbers: &[u64], mean: bool) -> QuadraturePlan {
        let mut draws = Vec::with_capacity(numbers.len());
        let mut offsets = vec![0.0];
        for &number in numbers {
            if !mean || number == 1 {
                draws.push(ShiftedDraws { number, shift: 0, table: 0 });
                continue;
            }
            let shift = CELLS as f64 * core_math::log(number as f64);
            let whole = shift.floor();
            draws.push(ShiftedDraws { number, shift: whole as i64, table: offsets.len() });
            offsets.push(shift - whole);
        }
        QuadraturePlan { set, draws, offsets }
    }

    /// The nodes that any number of draws needs; none where the loss may be too small for plain doubles.
    pub(super) fn grid(&self, positives: &Law<'_>, negatives: &Law<'_>) -> Option<Grid> {
        let spans: Vec<(i64, i64)> = self.draws.iter().map(|d| span(d, positives, negatives)).collect();
        let (first, last) = spans.iter().fold((i64::MAX, i64::MIN), |(a, b), s| (a.min(s.0), b.max(s.1)));
        let top = negatives.first + negatives.cells.len() as i64;
        let small = spans.is_empty() || STRIDE as i64 * first + top < FLOOR + 100 * CELLS;
        (!small).then_some(Grid { spans, first, last })
    }
}

/// First and last node for one number of draws.
fn span(draws: &ShiftedDraws, positives: &Law<'_>, negatives: &Law<'_>) -> (i64, i64) {
    let last = |law: &Law<'_>| law.first + law.cells.len() as i64;
    let log = (CELLS as f64 * core_math::log(draws.number as f64)).ceil() as i64 + 1;
    let top = (last(positives) + draws.shift + 2).max(last(negatives) + log);
    let first = (-ENTRY - top).div_euclid(STRIDE as i64);
    let end = EXIT + 1 - positives.first - draws.shift;
    (first, -(-end).div_euclid(STRIDE as i64))
}

/// What one number of draws gathers on its nodes.
#[derive(Clone, Copy, Default)]
pub(super) struct Sum {
    pub(super) value: f64,
    /// `N S` at the first node.
    pub(super) first_gain: f64,
    /// `G` at the last node.
    pub(super) last_gain: f64,
    /// `psi` at the last node.
    pub(super) last_decay: f64,
}

impl Sum {
    /// The integral, when the sum over the nodes has a relative error of at most `relative`.
    pub(super) fn enclose(&self, relative: f64) -> Interval {
        let body = Interval::point(self.value * STEP);
        let body = body.widened_by(relative * body.hi());
        // h/(e^h - 1), and 2^-22 with room for the error of S.
        let below = self.first_gain * STEP / core_math::expm1(STEP);
        let below = Interval::new(below * (1.0 - 2.5e-7), below * (1.0 + 2.5e-7));
        let beyond = self.last_gain * (1.01 * self.last_decay + 1e-21) / 41.0;
        let total = body + below + Interval::new(0.0, beyond);
        Interval::new(total.lo().max(0.0), total.hi())
    }
}
