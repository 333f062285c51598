//! Inner products of anchors with points, split into cells and rests in the registers that hold them.

use std::ops::Range;

use super::kernels::{ANCHORS, CHAIN, Instructions, PANEL, dispatched};

/// Anchors that share a pass over a panel where registers are too few for all.
const FEW: usize = 4;
/// `1.5 * 2^52`: adding it rounds to an integer, which then stands in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;

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
        let (Some(to_cells), Some(to_rests)) =
            (self.cells.get_mut(from..from + count), self.rests.get_mut(from..from + count))
        else {
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
                    sums[a][l] = x[FIRST + a].mul_add(y[l], sums[a][l]);
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

/// All anchors with two panels at a time: what is read of an anchor meets both.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn products_avx512(
    anchors: &[f64],
    panels: &[f64],
    dimension: usize,
    (scale, base): (f64, i32),
    out: &mut SplitLogits<'_>,
) {
    for (pair, panels) in panels.chunks(2 * PANEL * dimension).enumerate() {
        let (first, second) = panels.split_at(PANEL * dimension);
        if second.is_empty() {
            let totals = registers::products(anchors, [first]);
            registers::split(totals, 2 * pair, (scale, base), out);
        } else {
            let totals = registers::products(anchors, [first, second]);
            registers::split(totals, 2 * pair, (scale, base), out);
        }
    }
}

/// What [`products_avx512`] consists of.
#[cfg(target_arch = "x86_64")]
mod registers {
    use std::arch::x86_64::{__m512d, _mm512_add_pd, _mm512_mul_pd, _mm512_set1_pd, _mm512_setzero_pd, _mm512_sub_pd};

    use super::{ANCHORS, CHAIN, PANEL, ROUND, SplitLogits};
    use crate::exact::vectors::{add_products, low_halves, store};

    /// The inner products of all anchors with some panels.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn products<const PANELS: usize>(
        anchors: &[f64],
        panels: [&[f64]; PANELS],
    ) -> [[__m512d; ANCHORS]; PANELS] {
        let anchors = anchors.as_chunks::<ANCHORS>().0;
        let mut points: [&[[f64; PANEL]]; PANELS] = [&[]; PANELS];
        for (points, panel) in points.iter_mut().zip(panels) {
            *points = &panel.as_chunks().0[..anchors.len()];
        }
        let mut totals = [[_mm512_setzero_pd(); ANCHORS]; PANELS];
        for (chain, coordinates) in anchors.chunks(CHAIN).enumerate() {
            let mut sums = [[_mm512_setzero_pd(); ANCHORS]; PANELS];
            for (k, weights) in (chain * CHAIN..).zip(coordinates) {
                add_products(&mut sums, weights, &points, k);
            }
            for p in 0..PANELS {
                for a in 0..ANCHORS {
                    totals[p][a] = _mm512_add_pd(totals[p][a], sums[p][a]);
                }
            }
        }
        totals
    }

    /// Cells and rests of the products with panels from `first` on, put in their places.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn split<const PANELS: usize>(
        totals: [[__m512d; ANCHORS]; PANELS],
        first: usize,
        (scale, base): (f64, i32),
        out: &mut SplitLogits<'_>,
    ) {
        let (scale, round) = (_mm512_set1_pd(scale), _mm512_set1_pd(ROUND));
        for (p, totals) in totals.into_iter().enumerate() {
            for (a, total) in totals.into_iter().enumerate() {
                let t = _mm512_mul_pd(total, scale);
                let shifted = _mm512_add_pd(t, round);
                let mut rests = [0.0; PANEL];
                store(&mut rests, _mm512_sub_pd(t, _mm512_sub_pd(shifted, round)));
                let cells = low_halves(shifted).map(|cell| cell.wrapping_sub(base));
                out.write((a, first + p), cells, rests);
            }
        }
    }
}
