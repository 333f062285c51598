//! From the moments of one anchor's logits to its loss for every number of draws, with all errors accounted for.
//!
//! # The sum
//! As in [`contrastive::expected_log_ratio`]: `L = int psi(t) G(t) dt/t`, `psi = E e^{-t b_P}`, `G = 1 - (1 - S)^N`,
//! `S = E[1 - e^{-t b_Y}]`, by the trapezoid rule in `u = log t` with step `h = 1/4`, off by at most `2/(cos a (e^{2 pi a/h} - 1)) L` with
//! `a = pi/2 - h/(2 pi)`: below [`TRAPEZOID`] `L`, for every `N` and every law. Nodes and cells share one grid, so that `S(u_k)` and
//! `psi(u_k)` are inner products of the moments with consecutive rows of a [`Table`].
//!
//! With the mean instead of the sum over negatives, `b_P` is multiplied by `N`, a shift of the positive logits by `log N`: whole
//! cells, and a table of `Q` whose grid has the fractional offset.
//!
//! Far to the left both are power series, see [`super::power_sums`].
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

use super::kernels::{self, Instructions, NODES, RUN, STRIDE};
use super::power_sums::{self, PowerTable};
use super::table::{CAP, CELLS, Cell, FLOOR, Table};
use enclosures::interval::Interval;

/// Relative error bound of the infinite trapezoid sum with step 1/4.
pub(super) const TRAPEZOID: f64 = 1e-15;
pub(super) const STEP: f64 = 0.25;
const U: f64 = f64::EPSILON / 2.0;
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

impl Law<'_> {
    /// The expectation of the logit: the moments of order zero and one.
    pub(super) fn mean_logit(&self) -> Interval {
        let (mut sum, mut size) = (0.0, 0.0);
        for (i, cell) in self.cells.iter().enumerate() {
            let middle = (self.first + i as i64) as f64;
            sum += cell[0] * middle + cell[1];
            size += cell[0] * (middle.abs() + 1.0);
        }
        let scale = self.scale / CELLS as f64;
        let roundings = 1.01 * U * (self.roundings + self.cells.len() as f64 + 8.0);
        Interval::point(sum * scale).widened_by(roundings * size * scale)
    }
}

/// One number of draws and how the positives are shifted for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draws {
    /// The number of draws.
    pub(super) number: u64,
    /// Whole cells of the shift of the positive logits.
    pub(super) shift: i64,
    /// Which table of `Q` has the rest of the shift.
    pub(super) table: usize,
}

/// All that anchors share.
pub(super) struct Plan {
    /// Instructions of the inner loops.
    pub(super) set: Instructions,
    /// The numbers of draws.
    pub(super) draws: Vec<Draws>,
    k_table: Table,
    q_tables: Vec<Table>,
    powers: PowerTable,
}

/// The nodes of one anchor.
pub(super) struct Grid {
    /// First and last node for every number of draws.
    pub(super) spans: Vec<(i64, i64)>,
    /// The first of all.
    pub(super) first: i64,
    /// The last of all.
    pub(super) last: i64,
    /// `S` from the first node on.
    pub(super) s: Vec<f64>,
    /// `log(1 - S)` from the first node on.
    pub(super) rates: Vec<f64>,
}

/// The limits of a kernel at both ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kernel {
    /// From zero to one.
    Gain,
    /// From one to zero.
    Decay,
}

impl Plan {
    /// For logits up to `bound` in size, which fill at most `cells` cells. With `mean`, the positives are shifted by `log N`.
    pub(super) fn new(set: Instructions, numbers: &[u64], mean: bool, bound: f64, cells: usize) -> Plan {
        let most = numbers.iter().copied().max().unwrap_or(1);
        let reach = (CELLS as f64 * (2.0 * bound + core_math::log(most as f64))).min(1e6) as i64;
        let first = -(ENTRY + reach + 16);
        let mut draws = Vec::with_capacity(numbers.len());
        let (k_table, q_table) = Table::both(first, 0.0);
        let mut q_tables = vec![q_table];
        for &number in numbers {
            if !mean || number == 1 {
                draws.push(Draws {
                    number,
                    shift: 0,
                    table: 0,
                });
                continue;
            }
            let shift = CELLS as f64 * core_math::log(number as f64);
            let whole = shift.floor();
            draws.push(Draws {
                number,
                shift: whole as i64,
                table: q_tables.len(),
            });
            q_tables.push(Table::both(first, shift - whole).1);
        }
        Plan {
            set,
            draws,
            k_table,
            q_tables,
            powers: PowerTable::new(cells),
        }
    }

    /// `E log(1 + sum_{i<=N} e^{a_{Y_i} - a_P})` for every `N`, the logits taken as they are; none where the loss may be too small
    /// for plain doubles.
    pub(super) fn expected_log_ratio(&self, positives: &Law<'_>, negatives: &Law<'_>) -> Option<Vec<Interval>> {
        let Grid {
            spans,
            first,
            last,
            s,
            rates,
        } = self.grid(positives, negatives)?;
        let mut decays: Vec<Option<Vec<f64>>> = vec![None; self.q_tables.len()];
        let mut losses = Vec::with_capacity(self.draws.len());
        for (draws, span) in self.draws.iter().zip(&spans) {
            let table = self.q_tables.get(draws.table)?;
            let psi = decays
                .get_mut(draws.table)?
                .get_or_insert_with(|| self.on_nodes(positives, table, Kernel::Decay, first, last, draws.shift));
            let from = usize::try_from(span.0 - first).ok()?;
            let to = usize::try_from(span.1 - first).ok()?;
            let sum = Sum::over(
                s.get(from..=to)?,
                rates.get(from..=to)?,
                psi.get(from..=to)?,
                draws.number,
            );
            losses.push(self.enclose(&sum, draws, positives, negatives));
        }
        Some(losses)
    }

    /// The nodes that any number of draws needs, with the values of the negatives; none as in [`Plan::expected_log_ratio`].
    pub(super) fn grid(&self, positives: &Law<'_>, negatives: &Law<'_>) -> Option<Grid> {
        let spans: Vec<(i64, i64)> = self.draws.iter().map(|d| span(d, positives, negatives)).collect();
        let (first, last) = spans
            .iter()
            .fold((i64::MAX, i64::MIN), |(a, b), s| (a.min(s.0), b.max(s.1)));
        let top = negatives.first + negatives.cells.len() as i64;
        if spans.is_empty() || STRIDE as i64 * first + top < FLOOR + 100 * CELLS {
            return None;
        }
        let s = self.on_nodes(negatives, &self.k_table, Kernel::Gain, first, last, 0);
        let rates = power_sums::log_complements(&s);
        Some(Grid {
            spans,
            first,
            last,
            s,
            rates,
        })
    }

    /// `psi` at the nodes of a grid, for one number of draws.
    pub(super) fn decay(&self, positives: &Law<'_>, draws: &Draws, grid: &Grid) -> Option<Vec<f64>> {
        let table = self.q_tables.get(draws.table)?;
        Some(self.on_nodes(positives, table, Kernel::Decay, grid.first, grid.last, draws.shift))
    }

    /// The offsets of the tables of `Q`.
    pub(super) fn q_offsets(&self) -> impl Iterator<Item = f64> {
        self.q_tables.iter().map(Table::offset)
    }

    /// The tables of the slope, one for every table of `Q`; the first one has no offset.
    pub(super) fn slope_tables(&self) -> Vec<Table> {
        self.q_tables.iter().map(Table::slope).collect()
    }

    /// The expectation of a kernel at the nodes `first ..= last` (and some more).
    fn on_nodes(&self, law: &Law<'_>, table: &Table, kernel: Kernel, first: i64, last: i64, shift: i64) -> Vec<f64> {
        let limits = limits(law.cells, kernel);
        let count = law.cells.len() as i64;
        let mut values = Vec::with_capacity((last - first + 1 + NODES as i64).max(0) as usize);
        let mut node = first;
        // As long as the top cell is far to the left, a power series.
        let top = shift + law.first + count - 1;
        if let Some((rows, stride)) = self.powers.rows(law.cells.len())
            && STRIDE as i64 * node + top <= power_sums::LAST_ROW
        {
            let mut mu = [0.0; NODES];
            kernels::sliding(self.set, law.cells, rows, stride, &mut mu);
            while node <= last && STRIDE as i64 * node + top <= power_sums::LAST_ROW {
                let x = table.exponential(STRIDE as i64 * node + top);
                let gain = power_sums::series(&mu, x) * law.scale;
                values.push(if kernel == Kernel::Gain { gain } else { 1.0 - gain });
                node += 1;
            }
        }
        while node <= last {
            let row = STRIDE as i64 * node + shift + law.first;
            let lo = (table.first() - row).clamp(0, count);
            let hi = (CAP + 1 - row).clamp(lo, count);
            let mut out = [0.0; NODES];
            let cells = law.cells.get(lo as usize..hi as usize).unwrap_or(&[]);
            kernels::sliding(self.set, cells, table.from(row + lo), STRIDE, &mut out);
            let limit = limits[if kernel == Kernel::Gain { hi } else { lo } as usize];
            values.extend(out.iter().map(|x| (x + limit) * law.scale));
            node += NODES as i64;
        }
        values
    }

    /// Bounds of the relative errors of `S`, and of what those of `psi` do to the loss and its slopes.
    pub(super) fn errors(&self, draws: &Draws, positives: &Law<'_>, negatives: &Law<'_>) -> (f64, f64) {
        let (k, q) = (
            self.k_table.bounds,
            self.q_tables.get(draws.table).map_or(self.k_table.bounds, |t| t.bounds),
        );
        let rounding = |law: &Law<'_>| {
            let products = RUN as f64 + law.cells.len() as f64 / RUN as f64 + 12.0;
            1.01 * U * (products + law.roundings)
        };
        (
            k.error + power_sums::ERROR + k.size * rounding(negatives) + 32.0 * U,
            2.02 * (q.error + power_sums::ERROR + q.size * rounding(positives)) + 24.0 * U,
        )
    }

    /// From the sum over the nodes to the loss.
    fn enclose(&self, sum: &Sum, draws: &Draws, positives: &Law<'_>, negatives: &Law<'_>) -> Interval {
        let (of_s, of_psi) = self.errors(draws, positives, negatives);
        let relative = 1.01 * (of_s + of_psi + (sum.nodes + 16.0) * U + TRAPEZOID);
        sum.enclose(relative)
    }
}

/// First and last node for one number of draws.
fn span(draws: &Draws, positives: &Law<'_>, negatives: &Law<'_>) -> (i64, i64) {
    let last = |law: &Law<'_>| law.first + law.cells.len() as i64;
    let log = (CELLS as f64 * core_math::log(draws.number as f64)).ceil() as i64 + 1;
    let top = (last(positives) + draws.shift + 2).max(last(negatives) + log);
    let first = (-ENTRY - top).div_euclid(STRIDE as i64);
    let end = EXIT + 1 - positives.first - draws.shift;
    (first, -(-end).div_euclid(STRIDE as i64))
}

/// For every cell the total weight of those whose kernel has reached its limit one: from it on for the gain, before it for the
/// decay. Summed with compensation.
fn limits(cells: &[Cell], kernel: Kernel) -> Vec<f64> {
    let (mut sum, mut carry) = (0.0f64, 0.0f64);
    let mut limits = vec![0.0; cells.len() + 1];
    let mut add = |weight: f64| {
        let next = sum + weight;
        let back = next - sum;
        carry += (sum - (next - back)) + (weight - back);
        sum = next;
        sum + carry
    };
    match kernel {
        Kernel::Gain => (0..cells.len()).rev().for_each(|i| limits[i] = add(cells[i][0])),
        Kernel::Decay => (0..cells.len()).for_each(|i| limits[i + 1] = add(cells[i][0])),
    }
    limits
}

/// What one number of draws gathers on its nodes.
#[derive(Clone, Copy, Default)]
pub(super) struct Sum {
    pub(super) value: f64,
    nodes: f64,
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

    fn over(s: &[f64], rates: &[f64], psi: &[f64], number: u64) -> Sum {
        let n = number as f64;
        let (mut value, mut last) = (0.0, 1.0);
        for (gain, psi) in power_sums::gains(rates, number).iter().zip(psi) {
            last = *gain;
            value += psi * gain;
        }
        Sum {
            value,
            nodes: s.len() as f64,
            first_gain: n * s.first().copied().unwrap_or(0.0),
            last_gain: last,
            last_decay: psi.last().copied().unwrap_or(0.0).max(0.0),
        }
    }
}
