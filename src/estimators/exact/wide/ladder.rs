//! A sparse law on rungs of two units of the logit, and what eight nodes at a time see of it.
//!
//! Eight nodes are 32 rows apart from the next eight, and 32 places of the law are a rung. With the nodes `8b + 5 ..= 8b + 12`, rung `q`
//! (places `32 q .. 32 q + 32`) is
//! - *entered* for `q >= 2 - b`: its rows lie beyond [`CAP`](crate::exact::table::CAP), the kernel is at its right limit;
//! - *in the window* for the five rungs from `-3 - b` on: rows `-76 ..= 111`, products with the table;
//! - *far* below: rows up to `-49`. With `x = e^v` of the boundary, at most `e^(-47/16) < 0.054`, `E[1 - e^(-t b)] = sum_m (-1)^(m+1) t^m E b^m/m!`, of
//!   which eight terms leave less than `2e-16` of the first one.
//!
//! # The far rungs
//! What they need are the sums `F_m = sum pi e^{m (a - boundary)}` over all far logits, `m = 1 ..= 8`. Each rung's own part comes from
//! its moments by Taylor polynomials, whose remainders `(m/32)^8/8!`, weighted by `x^(m-1)/m!`, add less than `4e-16` to the series. From rung to rung
//! `F_m` is multiplied by `e^(-2m)` per rung between them: positive terms only, and a term that has come `D` rungs, `3 D` roundings, counts for
//! `e^(-2D)`. One that matters at all, next to a rung of at least the least probability `p` of a point, has come
//! at most `1 + log(1/p)/2` rungs before its errors fade faster than they grow; so [`Ladders::far_error`].

use super::law::{CompensatedSum, SparseLaw};
use crate::exact::kernels::{Instructions, NODES, RUN, STRIDE, dispatched};
use crate::exact::table::{CELLS, Cell, TERMS, Table};

/// Rows from eight nodes to the next eight, and places of a rung.
pub(super) const RUNG: i64 = NODES as i64 * STRIDE as i64;
/// First node of block `b`, minus `8 b`.
pub(super) const START: i64 = 5;
/// Row of the first node of a block for the boundary of the far rungs.
const BOUNDARY: i64 = -76;
/// Row of the first place of the lowest rung in the window.
const LOWEST: i64 = BOUNDARY;
/// Rows of the window.
const ROWS: usize = 5 * RUNG as usize;
/// Rungs after which `e^-2` per rung is zero.
pub(super) const DEEPEST: usize = 350;
const U: f64 = f64::EPSILON / 2.0;

/// One number per node, or per power.
pub(super) type PerRungNode = [f64; NODES];

/// What all laws share: the tables, arranged for eight nodes at a time.
pub(super) struct Ladders {
    /// For every place of a rung and every moment its share of `F_1 ..= F_8`.
    powers: Vec<[PerRungNode; TERMS]>,
    /// `e^(-2 m D)` for `D` rungs.
    decays: Vec<PerRungNode>,
    /// Relative error of the far rungs' part.
    pub(super) far_error: f64,
}

/// One kernel, arranged for eight nodes at a time.
pub(super) struct Window {
    /// For every row of the first node and every moment the coefficients at the eight nodes.
    rows: Vec<[PerRungNode; TERMS]>,
    /// `x^m/m!` with the sign it has in the kernel, for every power and node.
    series: [PerRungNode; NODES],
}

/// A rung that is not empty.
struct Rung {
    index: i64,
    begin: usize,
    end: usize,
    /// `F_1 ..= F_8` of this and all rungs below, relative to the upper boundary.
    far: PerRungNode,
    /// Weight of the rungs below, and of those from this one on.
    before: f64,
    from: f64,
}

/// A point far from others.
pub(super) struct Alone {
    pub(super) rung: i64,
    /// Its logit, in places.
    pub(super) place: f64,
    pub(super) weight: f64,
    pub(super) probability: f64,
    /// The probability of what comes after it, and of what has come with it.
    pub(super) left: f64,
    pub(super) come: f64,
}

/// A law on rungs, and which of them are in the window.
pub(super) struct Ladder<'a> {
    law: &'a SparseLaw,
    shift: i64,
    rungs: Vec<Rung>,
    /// The first rung in the window, and the first entered one.
    low: usize,
    high: usize,
    /// Most cells of five neighbouring rungs.
    most: usize,
}

impl Ladders {
    /// For points of at least this probability.
    pub(super) fn new(least: f64) -> Self {
        let place = |i: i64| {
            let mut row = [[0.0; NODES]; TERMS];
            for m in 1..=NODES {
                let mut term = core_math::exp(m as f64 * (i - RUNG) as f64 / CELLS as f64);
                for (j, row) in row.iter_mut().enumerate() {
                    row[m - 1] = term;
                    term *= m as f64 / (CELLS as f64 * (j + 1) as f64);
                }
            }
            row
        };
        let decay = |depth: usize| std::array::from_fn(|m| core_math::exp(-2.0 * (m + 1) as f64 * depth as f64));
        // Six for the terms and 32 for the places of a rung, the way along the rungs, the series; and what the module's text says
        // is left out.
        let roundings = 38.0 + 3.0 * (3.0 - 0.5 * core_math::log(least)) + 16.0;
        Ladders {
            powers: (0..RUNG).map(place).collect(),
            decays: (0..=DEEPEST).map(decay).collect(),
            far_error: 1.1 * U * roundings + 1e-15,
        }
    }
}

impl Window {
    /// Of a table; `sign` is that of the kernel's growth.
    pub(super) fn new(table: &Table, sign: f64) -> Self {
        let first = table.from(LOWEST);
        let row = |i: usize| {
            let mut row = [[0.0; NODES]; TERMS];
            for (j, row) in row.iter_mut().enumerate() {
                for (k, coefficient) in row.iter_mut().enumerate() {
                    *coefficient = first.get(i + k * STRIDE).map_or(0.0, |cell| cell[j]);
                }
            }
            row
        };
        let mut series = [[0.0; NODES]; NODES];
        for k in 0..NODES {
            let x = table.exponential(BOUNDARY + (k * STRIDE) as i64);
            let mut term = sign;
            for (m, series) in series.iter_mut().enumerate() {
                term *= x / (m + 1) as f64;
                series[k] = term;
                term = -term;
            }
        }
        Window { rows: (0..ROWS).map(row).collect(), series }
    }

    /// The first row that the window needs.
    pub(super) fn first_row() -> i64 {
        LOWEST
    }
}

impl<'a> Ladder<'a> {
    /// A law whose logits are moved to the right by some places.
    pub(super) fn new(set: Instructions, ladders: &Ladders, law: &'a SparseLaw, shift: i64) -> Self {
        let index = |place: i64| (place + shift).div_euclid(RUNG);
        let mut rungs: Vec<Rung> = Vec::new();
        let (mut begin, mut weight) = (0, CompensatedSum::default());
        for group in law.places.chunk_by(|&a, &b| index(a) == index(b)) {
            let end = begin + group.len();
            let at = index(group[0]);
            let mut far = [0.0; NODES];
            let cells = &law.cells[begin..end];
            products(set, cells, group, shift - RUNG * at, &ladders.powers, &mut far);
            if let Some(below) = rungs.last()
                && let Some(decay) = ladders.decays.get((at - below.index) as usize)
            {
                for m in 0..NODES {
                    far[m] += below.far[m] * decay[m];
                }
            }
            rungs.push(Rung { index: at, begin, end, far, before: weight.value(), from: 0.0 });
            cells.iter().for_each(|cell| weight.add(cell[0]));
            begin = end;
        }
        let mut weight = CompensatedSum::default();
        for rung in rungs.iter_mut().rev() {
            law.cells[rung.begin..rung.end].iter().rev().for_each(|cell| weight.add(cell[0]));
            rung.from = weight.value();
        }
        let cells = |(at, lowest): (usize, &Rung)| {
            let window = rungs[at..].iter().take_while(|rung| rung.index < lowest.index + 5);
            window.map(|rung| rung.end - rung.begin).sum::<usize>()
        };
        Ladder {
            law,
            shift,
            most: rungs.iter().enumerate().map(cells).max().unwrap_or(0),
            low: rungs.len(),
            high: rungs.len(),
            rungs,
        }
    }

    /// Bound of the relative error of what is seen, where all terms have the kernel's sign, from moments and sums.
    pub(super) fn rounding(&self) -> f64 {
        // Eight terms of a cell, the cells, and then far rungs, weights and the scale.
        let products = 6 + self.most.min(RUN) + self.most.div_ceil(RUN) + 8;
        1.01 * U * (products as f64 + self.law.roundings)
    }

    /// Moves on to a block of nodes further right.
    pub(super) fn advance(&mut self, block: i64) {
        while self.low > 0 && self.rungs[self.low - 1].index >= -3 - block {
            self.low -= 1;
        }
        while self.high > 0 && self.rungs[self.high - 1].index >= 2 - block {
            self.high -= 1;
        }
    }

    /// Whether the window is empty.
    pub(super) fn is_idle(&self) -> bool {
        self.low == self.high
    }

    /// The block of nodes at which the next rung enters the window.
    pub(super) fn next_entry(&self) -> Option<i64> {
        Some(-3 - self.rungs.get(self.low.checked_sub(1)?)?.index)
    }

    /// The next point, where it is alone in its rung and the rung after it is so many further on.
    pub(super) fn next_alone(&self, gap: i64) -> Option<Alone> {
        let at = self.low.checked_sub(1)?;
        let rung = self.rungs.get(at)?;
        let alone = rung.end == rung.begin + 1
            && at
                .checked_sub(1)
                .and_then(|below| self.rungs.get(below))
                .is_none_or(|below| rung.index - below.index >= gap);
        let (cell, place) = (self.law.cells.get(rung.begin)?, self.law.places.get(rung.begin)?);
        alone.then(|| Alone {
            rung: rung.index,
            place: (place + self.shift) as f64 + cell[1] / cell[0],
            weight: cell[0],
            probability: cell[0] * self.law.scale,
            left: rung.before * self.law.scale,
            come: rung.from * self.law.scale,
        })
    }

    /// The rung of the next cell.
    pub(super) fn next_rung(&self) -> Option<i64> {
        Some(self.rungs.get(self.low.checked_sub(1)?)?.index)
    }

    /// The probability of all entered rungs.
    pub(super) fn entered(&self) -> f64 {
        self.rungs.get(self.high).map_or(0.0, |rung| rung.from) * self.law.scale
    }

    /// The probability of all far rungs.
    pub(super) fn far(&self) -> f64 {
        self.before() * self.law.scale
    }

    fn before(&self) -> f64 {
        match self.rungs.get(self.low) {
            Some(rung) => rung.before,
            None => self.rungs.first().map_or(0.0, |rung| rung.from),
        }
    }

    /// `F_1` of the far rungs at the boundary of the highest one.
    pub(super) fn far_sum(&self) -> f64 {
        let highest = self.low.checked_sub(1).and_then(|at| self.rungs.get(at));
        highest.map_or(0.0, |rung| rung.far[0]) * self.law.scale
    }

    /// The part of window and far rungs at the nodes of a block, probabilities.
    fn seen(&self, set: Instructions, ladders: &Ladders, window: &Window, block: i64) -> PerRungNode {
        let mut out = [0.0; NODES];
        if let Some(rung) = self.low.checked_sub(1).and_then(|at| self.rungs.get(at))
            && let Some(decay) = ladders.decays.get((-4 - block - rung.index) as usize)
        {
            series(set, &rung.far, decay, &window.series, &mut out);
        }
        if self.low < self.high {
            let range = self.rungs[self.low].begin..self.rungs[self.high - 1].end;
            // The row of the first node, counted from the lowest one.
            let offset = RUNG * block + START * STRIDE as i64 + self.shift - LOWEST;
            let (cells, places) = (&self.law.cells[range.clone()], &self.law.places[range]);
            products(set, cells, places, offset, &window.rows, &mut out);
        }
        out
    }

    /// The expectation of the kernel that grows from zero to one.
    pub(super) fn gain(&self, set: Instructions, ladders: &Ladders, window: &Window, block: i64) -> PerRungNode {
        let entered = self.rungs.get(self.high).map_or(0.0, |rung| rung.from);
        self.seen(set, ladders, window, block).map(|x| (x + entered) * self.law.scale)
    }

    /// The expectation of the kernel that falls from one to zero.
    pub(super) fn decay(&self, set: Instructions, ladders: &Ladders, window: &Window, block: i64) -> PerRungNode {
        let before = self.before();
        self.seen(set, ladders, window, block).map(|x| (x + before) * self.law.scale)
    }
}

dispatched! {
    /// Adds to `out` what cells contribute, `rows[places[i] + offset]` being the coefficients of the moments of cell `i`.
    products = products_portable(
        cells: &[Cell], places: &[i64], offset: i64, rows: &[[PerRungNode; TERMS]], out: &mut PerRungNode
    ), products_avx512
}

dispatched! {
    /// Adds `sum_m far[m] decay[m] terms[m]` to `out`.
    series = series_portable(far: &PerRungNode, decay: &PerRungNode, terms: &[PerRungNode; NODES], out: &mut PerRungNode), series_avx512
}

/// In chains of [`RUN`] cells.
#[inline(always)]
fn products_portable(
    cells: &[Cell],
    places: &[i64],
    offset: i64,
    rows: &[[PerRungNode; TERMS]],
    out: &mut PerRungNode,
) {
    for (cells, places) in cells.chunks(RUN).zip(places.chunks(RUN)) {
        let mut total = [0.0; NODES];
        for (cell, place) in cells.iter().zip(places) {
            let Some(row) = rows.get((place + offset) as usize) else {
                continue;
            };
            let mut even = [0.0; NODES];
            let mut odd = [0.0; NODES];
            for j in 0..TERMS / 2 {
                for k in 0..NODES {
                    even[k] = cell[2 * j].mul_add(row[2 * j][k], even[k]);
                    odd[k] = cell[2 * j + 1].mul_add(row[2 * j + 1][k], odd[k]);
                }
            }
            for k in 0..NODES {
                total[k] += even[k] + odd[k];
            }
        }
        for k in 0..NODES {
            out[k] += total[k];
        }
    }
}

#[inline(always)]
fn series_portable(far: &PerRungNode, decay: &PerRungNode, terms: &[PerRungNode; NODES], out: &mut PerRungNode) {
    let mut sum = [0.0; NODES];
    for m in (0..NODES).rev() {
        let f = far[m] * decay[m];
        for k in 0..NODES {
            sum[k] = f.mul_add(terms[m][k], sum[k]);
        }
    }
    for k in 0..NODES {
        out[k] += sum[k];
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn products_avx512(cells: &[Cell], places: &[i64], offset: i64, rows: &[[PerRungNode; TERMS]], out: &mut PerRungNode) {
    products_portable(cells, places, offset, rows, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn series_avx512(far: &PerRungNode, decay: &PerRungNode, terms: &[PerRungNode; NODES], out: &mut PerRungNode) {
    series_portable(far, decay, terms, out);
}
