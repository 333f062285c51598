//! The inner loops: inner products and moments, on whatever vector instructions there are.
//!
//! Each is written once, in separate multiplications and additions in a fixed order (the compiler never fuses them), and compiled
//! for several instruction sets, so that every machine computes the same bits.

use std::ops::Range;

use super::table::{Cell, TERMS};

/// Points of a panel: its coordinates are stored coordinate by coordinate, `PANEL` points side by side.
/// As many as the widest register holds, so that every coordinate of an anchor is met once and may stay in memory
/// while it is multiplied.
pub(super) const PANEL: usize = 8;
/// Anchors whose coordinates are stored side by side.
pub(super) const ANCHORS: usize = 8;
/// Anchors that share a pass over a panel where registers are too few for all.
const FEW: usize = 4;
/// Coordinates that are added up in one chain.
pub(super) const CHAIN: usize = 16;
/// Points of a strip, the unit of work after which moments are moved to their totals.
pub(super) const STRIP: usize = 512;
/// Nodes that are treated together.
pub(super) const NODES: usize = 8;
/// Cells from one node to the next.
pub(super) const STRIDE: usize = 4;
/// Cells that are added up in one chain.
pub(super) const RUN: usize = 64;

/// The instruction sets this processor offers, found out once per call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instructions {
    /// What every processor of the family has.
    Portable,
    /// 256-bit vectors and fused multiply-adds.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 512-bit vectors.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// The widest set.
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                return Instructions::Avx512;
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                return Instructions::Avx2;
            }
        }
        Instructions::Portable
    }

    /// All sets this processor offers.
    #[cfg(test)]
    pub(super) fn available() -> Vec<Self> {
        let mut all = vec![Instructions::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                all.push(Instructions::Avx2);
            }
            if is_x86_feature_detected!("avx512f") {
                all.push(Instructions::Avx512);
            }
        }
        all
    }
}

/// Compiles a function for every instruction set and picks one at run time.
macro_rules! dispatched {
    ($(#[$doc:meta])* $name:ident = $portable:ident ($($arg:ident : $type:ty),* $(,)?) $(-> $out:ty)?, $avx512:ident) => {
        $(#[$doc])*
        #[allow(unsafe_code, reason = "functions compiled for instructions that were detected may only be called unsafely")]
        pub(super) fn $name(set: Instructions, $($arg: $type),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn avx2($($arg: $type),*) $(-> $out)? {
                    $portable($($arg),*)
                }
                match set {
                    // SAFETY: `Instructions::detect` has found the instructions on this processor.
                    Instructions::Avx512 => return unsafe { $avx512($($arg),*) },
                    // SAFETY: as above.
                    Instructions::Avx2 => return unsafe { avx2($($arg),*) },
                    Instructions::Portable => {}
                }
            }
            let _ = set;
            $portable($($arg),*)
        }
    };
}
pub(super) use dispatched;

/// Where cells and rests of the logits of some anchors with consecutive points are to stand: those of anchor `a` from `a * stride` on. Anchors
/// for which there is no room are left out.
pub(super) struct SplitLogits<'a> {
    pub(super) cells: &'a mut [i32],
    pub(super) rests: &'a mut [f64],
    pub(super) stride: usize,
    /// So many points.
    pub(super) count: usize,
}

dispatched! {
    /// Inner products of [`ANCHORS`] anchors (`anchors[k * ANCHORS + a]`) with the points of consecutive panels, times `scale`, each split into
    /// the nearest cell, relative to `base`, and the rest. Chains of [`CHAIN`] products are added up and their sums added in order, so that a
    /// product is off by at most `(min(d, CHAIN) + ceil(d/CHAIN) + 2) u sum |a_k b_k|`. A half goes to the even side; the rest is exact.
    split_products = products_portable(
        anchors: &[f64], panels: &[f64], dimension: usize, scale_and_base: (f64, i32), out: &mut SplitLogits<'_>
    ), products_avx512
}

dispatched! {
    /// Adds `w r^j`, `j < 8`, to the cell of every logit, alternating between two copies of the histogram so that no addition waits
    /// for the one before. Logits whose cell is out of range are ignored.
    add_moments = moments_portable(cells: &[i32], rests: &[f64], weights: &[f64], even: &mut [Cell], odd: &mut [Cell]), moments_avx512
}

dispatched! {
    /// The smallest and the largest of some numbers.
    extremes = extremes_portable(numbers: &[i32]) -> (i32, i32), extremes_avx512
}

dispatched! {
    /// Adds the sum of two copies to the total, cell by cell, and empties the copies.
    absorb = absorb_portable(total: &mut [Cell], even: &mut [Cell], odd: &mut [Cell]), absorb_avx512
}

#[inline(always)]
fn products_portable(
    anchors: &[f64],
    panels: &[f64],
    dimension: usize,
    (scale, base): (f64, i32),
    out: &mut SplitLogits<'_>,
) {
    for (p, panel) in panels.chunks_exact(PANEL * dimension).enumerate() {
        let totals = [few_products::<0>(anchors, panel), few_products::<FEW>(anchors, panel)];
        for (a, total) in totals.as_flattened().iter().enumerate() {
            let (mut cells, mut rests) = ([0; PANEL], [0.0; PANEL]);
            for l in 0..PANEL {
                let t = total[l] * scale;
                let shifted = t + ROUND;
                rests[l] = t - (shifted - ROUND);
                cells[l] = (shifted.to_bits() as i32).wrapping_sub(base);
            }
            out.write((a, p), cells, rests);
        }
    }
}

/// The inner products of [`FEW`] anchors from `FIRST` on with one panel.
#[inline(always)]
fn few_products<const FIRST: usize>(anchors: &[f64], panel: &[f64]) -> [[f64; PANEL]; FEW] {
    let mut totals = [[0.0f64; PANEL]; FEW];
    let chains = panel.chunks(PANEL * CHAIN).zip(anchors.chunks(ANCHORS * CHAIN));
    for (points, anchors) in chains {
        let mut sums = [[0.0f64; PANEL]; FEW];
        for (y, x) in (points.as_chunks::<PANEL>().0.iter()).zip(anchors.as_chunks::<ANCHORS>().0) {
            for a in 0..FEW {
                for l in 0..PANEL {
                    sums[a][l] += x[FIRST + a] * y[l];
                }
            }
        }
        for a in 0..FEW {
            for l in 0..PANEL {
                totals[a][l] += sums[a][l];
            }
        }
    }
    totals
}

/// `1.5 * 2^52`: adding it rounds to an integer, which then stands in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;

impl SplitLogits<'_> {
    /// Where those of an anchor stand.
    pub(super) fn of(&self, anchor: usize) -> Range<usize> {
        let from = anchor * self.stride;
        from..from + self.count
    }

    /// What there is of an anchor with a panel, put in its place.
    #[inline(always)]
    fn write(&mut self, (anchor, panel): (usize, usize), cells: [i32; PANEL], rests: [f64; PANEL]) {
        let count = PANEL.min(self.count - panel * PANEL);
        let from = anchor * self.stride + panel * PANEL;
        let (Some(to_cells), Some(to_rests)) = (
            self.cells.get_mut(from..from + count),
            self.rests.get_mut(from..from + count),
        ) else {
            return;
        };
        match (to_cells.first_chunk_mut(), to_rests.first_chunk_mut()) {
            (Some(to_cells), Some(to_rests)) => (*to_cells, *to_rests) = (cells, rests),
            _ => {
                to_cells.copy_from_slice(&cells[..count]);
                to_rests.copy_from_slice(&rests[..count]);
            }
        }
    }
}

#[inline(always)]
fn extremes_portable(numbers: &[i32]) -> (i32, i32) {
    let (mut least, mut most) = (i32::MAX, i32::MIN);
    for &x in numbers {
        least = least.min(x);
        most = most.max(x);
    }
    (least, most)
}

#[inline(always)]
fn absorb_portable(total: &mut [Cell], even: &mut [Cell], odd: &mut [Cell]) {
    for ((total, a), b) in total.iter_mut().zip(even).zip(odd) {
        for j in 0..TERMS {
            total[j] += a[j] + b[j];
        }
        (*a, *b) = ([0.0; TERMS], [0.0; TERMS]);
    }
}

/// `w r^j` for `j < 8`, each with at most seven roundings.
#[inline(always)]
pub(super) fn powers(r: f64, w: f64) -> Cell {
    let r2 = r * r;
    let r4 = r2 * r2;
    let mut p = [w; TERMS];
    for (j, p) in p.iter_mut().enumerate() {
        if j & 1 != 0 {
            *p *= r;
        }
        if j & 2 != 0 {
            *p *= r2;
        }
        if j & 4 != 0 {
            *p *= r4;
        }
    }
    p
}

#[inline(always)]
fn moments_portable(cells: &[i32], rests: &[f64], weights: &[f64], even: &mut [Cell], odd: &mut [Cell]) {
    let mut add = |cell: i32, r: f64, w: f64, is_odd: bool| {
        let histogram = if is_odd { &mut *odd } else { &mut *even };
        if let Some(cell) = histogram.get_mut(cell as u32 as usize) {
            let p = powers(r, w);
            for j in 0..TERMS {
                cell[j] += p[j];
            }
        }
    };
    for (i, ((&cell, &r), &w)) in cells.iter().zip(rests).zip(weights).enumerate() {
        add(cell, r, w, i & 1 != 0);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn products_avx512(
    anchors: &[f64],
    panels: &[f64],
    dimension: usize,
    (scale, base): (f64, i32),
    out: &mut SplitLogits<'_>,
) {
    use super::vectors::{load, low_halves, store};
    use std::arch::x86_64::{_mm512_add_pd, _mm512_mul_pd, _mm512_set1_pd, _mm512_setzero_pd, _mm512_sub_pd};
    let (scale, round) = (_mm512_set1_pd(scale), _mm512_set1_pd(ROUND));
    for (p, panel) in panels.chunks_exact(PANEL * dimension).enumerate() {
        let mut totals = [_mm512_setzero_pd(); ANCHORS];
        let chains = panel.chunks(PANEL * CHAIN).zip(anchors.chunks(ANCHORS * CHAIN));
        for (points, anchors) in chains {
            let mut sums = [_mm512_setzero_pd(); ANCHORS];
            for (y, x) in (points.as_chunks::<PANEL>().0.iter()).zip(anchors.as_chunks::<ANCHORS>().0) {
                let y = load(y);
                for a in 0..ANCHORS {
                    sums[a] = _mm512_add_pd(sums[a], _mm512_mul_pd(_mm512_set1_pd(x[a]), y));
                }
            }
            for a in 0..ANCHORS {
                totals[a] = _mm512_add_pd(totals[a], sums[a]);
            }
        }
        for (a, total) in totals.into_iter().enumerate() {
            let t = _mm512_mul_pd(total, scale);
            let shifted = _mm512_add_pd(t, round);
            let mut rests = [0.0; PANEL];
            store(&mut rests, _mm512_sub_pd(t, _mm512_sub_pd(shifted, round)));
            out.write((a, p), low_halves(shifted).map(|cell| cell.wrapping_sub(base)), rests);
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn extremes_avx512(numbers: &[i32]) -> (i32, i32) {
    extremes_portable(numbers)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn absorb_avx512(total: &mut [Cell], even: &mut [Cell], odd: &mut [Cell]) {
    absorb_portable(total, even, odd);
}

/// Eight logits at a time: register `j` holds `w r^j` of all of them, and what comes of it by exchanging rows and columns is the powers
/// of one logit. The roundings are those of [`powers`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn moments_avx512(cells: &[i32], rests: &[f64], weights: &[f64], even: &mut [Cell], odd: &mut [Cell]) {
    use super::vectors::{LANES, load, store, transposed};
    use std::arch::x86_64::{_mm512_add_pd, _mm512_mul_pd};
    let (eights, last) = cells.as_chunks::<LANES>();
    let (rest_eights, last_rests) = rests.as_chunks::<LANES>();
    let (weight_eights, last_weights) = weights.as_chunks::<LANES>();
    for ((cells, rests), weights) in eights.iter().zip(rest_eights).zip(weight_eights) {
        let (r, zeroth) = (load(rests), load(weights));
        let r2 = _mm512_mul_pd(r, r);
        let r4 = _mm512_mul_pd(r2, r2);
        let first = _mm512_mul_pd(zeroth, r);
        let second = _mm512_mul_pd(zeroth, r2);
        let third = _mm512_mul_pd(first, r2);
        let powers = transposed([
            zeroth,
            first,
            second,
            third,
            _mm512_mul_pd(zeroth, r4),
            _mm512_mul_pd(first, r4),
            _mm512_mul_pd(second, r4),
            _mm512_mul_pd(third, r4),
        ]);
        for (l, (&cell, powers)) in cells.iter().zip(powers).enumerate() {
            let histogram = if l & 1 != 0 { &mut *odd } else { &mut *even };
            if let Some(cell) = histogram.get_mut(cell as u32 as usize) {
                let sum = _mm512_add_pd(load(cell), powers);
                store(cell, sum);
            }
        }
    }
    // Their number is even, so that what is left begins with the same copy.
    moments_portable(last, last_rests, last_weights, even, odd);
}
