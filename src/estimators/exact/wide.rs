//! The loss of an anchor whose logits are spread too widely for a histogram: sorted cells, and windows on them.
//!
//! The sum over the nodes is that of [`super::quadrature`], with the same tables and bounds. At a node `u`, the kernel of a cell at
//! `v = u + a` has reached a limit unless `v` lies in a window: from `v = 4.5` on `K = 1` and `Q = 0`; below `v = -40`, `Q = 1` up to
//! `e^-40`; and `K` may be left out where it is below `e^(v' - 40) pi`, with `v' = min(v, 0)` of the largest logit and `pi` the least probability,
//! because `S >= (1 - 1/e) e^v' pi`. So a node costs a few terms of the sorted cells and two sums of weights, known beforehand;
//! and as long as no cell lies in a window, nothing changes from node to node, and they are added up at once.
//!
//! Where even the largest logit of the negatives lies below `v = -45`, `S(u)` is proportional to `e^u` up to `e^-45`, and computed that much
//! further right.

use super::anchor::{Part, segments};
use super::kernels::{Instructions, RUN, STRIDE, dispatched, powers};
use super::logits::AccurateLogits;
use super::options::LossOptions;
use super::quadrature::{Draws, ENTRY, EXIT, Plan, Sum, TRAPEZOID};
use super::sample::Sample;
use super::table::{CAP, CELLS, Cell, TERMS, Table};
use enclosures::interval::Interval;

/// Below this row `Q` counts as one.
const ONE: i64 = -40 * CELLS;
/// Below this row of the largest logit, `S` is exponential.
const EXPONENTIAL: i64 = -45 * CELLS;
/// Below this row of the largest logit at the last node, the loss is left to another path.
const LEAST: i64 = -640 * CELLS;
const U: f64 = f64::EPSILON / 2.0;

/// The moments of one law of logits: non-empty cells only.
pub(super) struct SparseLaw {
    /// Places on the grid of logits, ascending, and moments.
    places: Vec<i64>,
    cells: Vec<Cell>,
    /// Weight of the cells before each one, and of those from it on.
    before: Vec<f64>,
    from: Vec<f64>,
    /// What turns weights into probabilities.
    scale: f64,
    roundings: f64,
}

impl SparseLaw {
    /// From cells, rests and weights of logits.
    fn new(mut logits: Vec<(i32, f64, f64)>, scale: f64) -> Self {
        // Stable, so that equal cells keep the order of the points.
        logits.sort_by_key(|l| l.0);
        let (mut places, mut cells) = (Vec::new(), Vec::new());
        for group in logits.chunk_by(|a, b| a.0 == b.0) {
            let mut cell = [0.0; TERMS];
            for run in group.chunks(RUN) {
                let mut sums = [0.0; TERMS];
                for &(_, rest, weight) in run {
                    let p = powers(rest, weight);
                    for j in 0..TERMS {
                        sums[j] += p[j];
                    }
                }
                for j in 0..TERMS {
                    cell[j] += sums[j];
                }
            }
            places.push(i64::from(group[0].0));
            cells.push(cell);
        }
        let sums = |order: &mut dyn Iterator<Item = usize>| {
            let mut sum = CompensatedSum::default();
            let mut sums = vec![0.0];
            for i in order {
                sum.add(cells[i][0]);
                sums.push(sum.value());
            }
            sums
        };
        let before = sums(&mut (0..cells.len()));
        let mut from = sums(&mut (0..cells.len()).rev());
        from.reverse();
        SparseLaw {
            roundings: 24.0 + (RUN + logits.len().div_ceil(RUN)) as f64,
            places,
            cells,
            before,
            from,
            scale,
        }
    }

    /// Positives and negatives of an anchor.
    pub(super) fn of_anchor(
        sample: &Sample<'_>,
        options: &LossOptions,
        anchor: usize,
        accurate: AccurateLogits,
    ) -> (SparseLaw, SparseLaw) {
        let n = sample.len();
        let (mut cells, mut rests) = (vec![0; n], vec![0.0; n]);
        accurate.split(sample, anchor, 0, 0, &mut cells, &mut rests);
        let (mut own, mut rest) = (Vec::new(), Vec::new());
        for (from, to, part) in segments(sample, options, anchor) {
            let logits = (from..to).map(|y| (cells[y], rests[y], sample.weights[y]));
            match part {
                Part::Own => own.extend(logits),
                Part::Rest => rest.extend(logits),
                Part::Nobody => {}
            }
        }
        let mut others = sample.without_class(sample.class(anchor), options.shares);
        if options.same_class_negatives {
            rest.extend_from_slice(&own);
            others = 1.0;
        }
        let positives = 1.0 / (sample.weights[anchor] * own.len() as f64);
        (SparseLaw::new(own, positives), SparseLaw::new(rest, others))
    }

    /// The expectation of the logit.
    pub(super) fn mean_logit(&self) -> Interval {
        let (mut sum, mut size) = (CompensatedSum::default(), 0.0);
        for (&place, cell) in self.places.iter().zip(&self.cells) {
            sum.add(cell[0] * place as f64);
            sum.add(cell[1]);
            size += cell[0] * (place.abs() as f64 + 1.0);
        }
        let scale = self.scale / CELLS as f64;
        Interval::point(sum.value() * scale).widened_by(1.01 * U * (self.roundings + 16.0) * size * scale)
    }

    /// The sum of the rows that the cells meet at a node, `rows[i]` belonging to row `first + i`, when cells lie `at` rows further
    /// right than their places.
    fn window(&self, set: Instructions, range: std::ops::Range<usize>, table: &Table, at: i64) -> f64 {
        if range.is_empty() {
            return 0.0;
        }
        let offset = at - table.first();
        window(
            set,
            &self.places[range.clone()],
            &self.cells[range],
            table.from(table.first()),
            offset,
        )
    }

    /// Index of the first cell at or beyond a place.
    fn index(&self, place: i64) -> usize {
        self.places.partition_point(|&p| p < place)
    }
}

dispatched! {
    /// `sum_i cells[i] . rows[places[i] + offset]`, in chains of [`RUN`].
    window = window_portable(places: &[i64], cells: &[Cell], rows: &[Cell], offset: i64) -> f64, window_avx512
}

#[inline(always)]
fn window_portable(places: &[i64], cells: &[Cell], rows: &[Cell], offset: i64) -> f64 {
    let mut total = [0.0f64; TERMS];
    for (places, cells) in places.chunks(RUN).zip(cells.chunks(RUN)) {
        let mut sums = [0.0f64; TERMS];
        for (place, cell) in places.iter().zip(cells) {
            let Some(row) = rows.get((place + offset) as usize) else {
                continue;
            };
            for j in 0..TERMS {
                sums[j] += cell[j] * row[j];
            }
        }
        for j in 0..TERMS {
            total[j] += sums[j];
        }
    }
    let [a, b, c, d, e, f, g, h] = total;
    ((a + e) + (b + f)) + ((c + g) + (d + h))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn window_avx512(places: &[i64], cells: &[Cell], rows: &[Cell], offset: i64) -> f64 {
    window_portable(places, cells, rows, offset)
}

/// A sum that carries its rounding errors along (Neumaier).
#[derive(Clone, Copy, Default)]
struct CompensatedSum {
    sum: f64,
    carry: f64,
}

impl CompensatedSum {
    fn add(&mut self, x: f64) {
        let next = self.sum + x;
        let back = next - self.sum;
        self.carry += (self.sum - (next - back)) + (x - back);
        self.sum = next;
    }

    fn value(self) -> f64 {
        self.sum + self.carry
    }
}

/// Tables for all anchors with widely spread logits.
pub(super) struct WidePlan {
    k_table: Table,
    q_tables: Vec<Table>,
    /// Rows below that of the largest logit, or below zero, from which on `K` is left out.
    reach: i64,
}

/// One law at one node: the cells in the window, and how long nothing changes if there are none.
struct View {
    value: f64,
    /// Place up to which cells have not entered the window yet; none when cells are in it.
    waiting: Option<i64>,
}

impl WidePlan {
    /// For the draws of a plan and the least probability of a point.
    pub(super) fn new(plan: &Plan, least: f64) -> Self {
        let reach = (CELLS as f64 * (40.0 - core_math::log(least))).ceil() as i64 + 1;
        let first = EXPONENTIAL - reach - 2;
        let (k_table, _) = Table::both(first, 0.0);
        WidePlan {
            k_table,
            q_tables: plan.q_offsets().map(|offset| Table::both(first, offset).1).collect(),
            reach,
        }
    }

    /// As [`Plan::expected_log_ratio`]; none where the loss may be too small for doubles.
    pub(super) fn expected_log_ratio(
        &self,
        plan: &Plan,
        positives: &SparseLaw,
        negatives: &SparseLaw,
    ) -> Option<Vec<Interval>> {
        let most = |law: &SparseLaw| law.places.last().copied();
        let (top, top_positive, low) = (most(negatives)?, most(positives)?, *positives.places.first()?);
        let log = |d: &Draws| (CELLS as f64 * core_math::log(d.number as f64)).ceil() as i64 + 1;
        let highest = |d: &Draws| (top_positive + d.shift + 3).max(top + 1 + log(d));
        let first = (-ENTRY - plan.draws.iter().map(highest).max()?).div_euclid(STRIDE as i64);
        let end = EXIT + 1 - low - plan.draws.iter().map(|d| d.shift).min()?;
        let last = -(-end).div_euclid(STRIDE as i64);
        if STRIDE as i64 * last + top < LEAST {
            return None;
        }
        let mut sums = vec![CompensatedSum::default(); plan.draws.len()];
        let mut ends: Vec<Sum> = (plan.draws.iter()).map(|_| Sum::default()).collect();
        let mut node = first;
        while node <= last {
            let at = STRIDE as i64 * node;
            let gain = self.gain(plan.set, negatives, at, top);
            let s = gain.value;
            let rate = core_math::log1p(-s.min(1.0));
            // The shifts differ only with the mean over negatives; then so do the decays.
            let mut decays: Vec<((usize, i64), View)> = Vec::new();
            let mut waiting = gain.waiting;
            for draws in &plan.draws {
                let key = (draws.table, draws.shift);
                if decays.iter().all(|d| d.0 != key) {
                    let view = self.decay(plan.set, positives, at + draws.shift, draws.table)?;
                    waiting = match (waiting, view.waiting) {
                        (Some(a), Some(b)) => Some(a.min(b)),
                        _ => None,
                    };
                    decays.push((key, view));
                }
            }
            // Up to the node at which the next cell enters a window.
            let count = match waiting {
                None => 1,
                Some(rows) => (-(-rows).div_euclid(STRIDE as i64)).clamp(1, last + 1 - node),
            };
            for ((draws, sum), ends) in plan.draws.iter().zip(&mut sums).zip(&mut ends) {
                let key = (draws.table, draws.shift);
                let psi = decays.iter().find(|d| d.0 == key).map_or(0.0, |d| d.1.value);
                let n = draws.number as f64;
                // Beyond, one up to rounding; most nodes are there.
                let gain = if n * rate < -40.0 {
                    1.0
                } else {
                    -core_math::expm1(n * rate)
                };
                sum.add(psi * gain * count as f64);
                if node == first {
                    ends.first_gain = n * s;
                }
                (ends.last_gain, ends.last_decay) = (gain, psi.max(0.0));
            }
            node += count;
        }
        let enclose = |((draws, sum), ends): ((&Draws, &CompensatedSum), &mut Sum)| {
            ends.value = sum.value();
            let q = self.q_tables.get(draws.table).map_or(self.k_table.bounds, |t| t.bounds);
            let k = self.k_table.bounds;
            let rounding = |law: &SparseLaw| {
                let products = (RUN + law.cells.len() / RUN) as f64 + 16.0;
                1.01 * U * (products + law.roundings)
            };
            let of_s = k.error + k.size * rounding(negatives) + 32.0 * U;
            let of_psi = 2.02 * (q.error + q.size * rounding(positives)) + 32.0 * U;
            ends.enclose(1.01 * (of_s + of_psi + 16.0 * U + TRAPEZOID))
        };
        Some(plan.draws.iter().zip(&sums).zip(&mut ends).map(enclose).collect())
    }

    /// `S` at a node.
    fn gain(&self, set: Instructions, law: &SparseLaw, at: i64, top: i64) -> View {
        // As far as the largest logit lies to the left of where K is exponential.
        let moved = (EXPONENTIAL - (at + top)).max(0);
        let at = at + moved;
        let least = (at + top).min(0) - self.reach;
        let (from, to) = (law.index(least - at), law.index(CAP - at));
        let sum = law.window(set, from..to, &self.k_table, at) + law.from.get(to).copied().unwrap_or(0.0);
        let mut value = sum * law.scale;
        if moved > 0 {
            value *= core_math::exp(-(moved as f64) / CELLS as f64);
        }
        View {
            value,
            waiting: waiting(law, from, to, least - at),
        }
    }

    /// `psi` at a node.
    fn decay(&self, set: Instructions, law: &SparseLaw, at: i64, table: usize) -> Option<View> {
        let (from, to) = (law.index(ONE - at), law.index(CAP - at));
        let sum = law.window(set, from..to, self.q_tables.get(table)?, at);
        Some(View {
            value: (sum + law.before.get(from).copied().unwrap_or(0.0)) * law.scale,
            waiting: waiting(law, from, to, ONE - at),
        })
    }
}

/// When no cell lies in the window: how many rows until the next one enters at its lower end.
fn waiting(law: &SparseLaw, from: usize, to: usize, least: i64) -> Option<i64> {
    let next = |at: usize| law.places.get(at).map_or(i64::MAX / 4, |place| least - place);
    (from == to).then(|| from.checked_sub(1).map_or(i64::MAX / 4, next))
}
