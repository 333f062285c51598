//! Products of a tile of slopes with vectors, by its rows and by its columns: what turns slopes into a gradient.

#[cfg(target_arch = "x86_64")]
use std::ops::Range;

use super::kernels::{Instructions, RUN, STRIP, dispatched};

/// From one row of a tile to the next: a strip, and a little more, so that the rows do not compete for the same places of a cache.
pub(super) const TILE: usize = STRIP + 8;
/// Rows of the result that stand side by side.
pub(super) const ROWS: usize = 8;
/// Rows of the result that share a pass over the vectors where registers are too few for all.
const FEW: usize = 4;
/// Coordinates of a vector that stand side by side: an eight.
pub(super) const LANES: usize = 8;

dispatched! {
    /// `out[r] = sum_c tile[r][c] vectors[c]`, in chains of [`RUN`]; rows of a tile at a distance of [`TILE`], their number a multiple of [`ROWS`].
    /// Coordinates stand in eights: `vectors[eight][c]` for so many points, and `out[eight][r]`, so that what is read one after another
    /// lies side by side, whatever the number of coordinates.
    row_products = rows_portable(tile: &[f64], vectors: &[f64], points: usize, out: &mut [f64]), rows_avx512
}

dispatched! {
    /// `out[c] += sum_r tile[r][c] vectors[r]`, likewise, for so many rows and points.
    add_column_products = columns_portable(
        tile: &[f64], vectors: &[f64], size: (usize, usize), out: &mut [f64]
    ), columns_avx512
}

#[inline(always)]
fn rows_portable(tile: &[f64], vectors: &[f64], points: usize, out: &mut [f64]) {
    let rows = tile.as_chunks::<TILE>().0;
    out.fill(0.0);
    for begin in (0..points).step_by(RUN) {
        let eights = (eights(vectors).chunks_exact(points)).zip(eights_mut(out).chunks_exact_mut(rows.len()));
        for (vectors, out) in eights {
            let run = vectors.get(begin..(begin + RUN).min(points)).unwrap_or(&[]);
            for (rows, out) in rows.as_chunks::<FEW>().0.iter().zip(out.as_chunks_mut::<FEW>().0) {
                let mut sums = [[0.0f64; LANES]; FEW];
                for (c, vector) in (begin..TILE).zip(run) {
                    for r in 0..FEW {
                        for l in 0..LANES {
                            sums[r][l] = rows[r][c].mul_add(vector[l], sums[r][l]);
                        }
                    }
                }
                for r in 0..FEW {
                    for l in 0..LANES {
                        out[r][l] += sums[r][l];
                    }
                }
            }
        }
    }
}

/// Numbers that stand in eights.
#[inline(always)]
fn eights(numbers: &[f64]) -> &[[f64; LANES]] {
    numbers.as_chunks().0
}

/// The same, inlined for sizes that are known.
#[inline(always)]
fn eights_mut(numbers: &mut [f64]) -> &mut [[f64; LANES]] {
    numbers.as_chunks_mut().0
}

/// `N` numbers from `first` on.
#[inline(always)]
fn some<const N: usize>(row: &[f64; TILE], first: usize) -> Option<&[f64; N]> {
    row.get(first..)?.first_chunk()
}

#[inline(always)]
fn columns_portable(tile: &[f64], vectors: &[f64], (rows, points): (usize, usize), out: &mut [f64]) {
    for first in (0..points).step_by(FEW) {
        let eights = (eights(vectors).chunks_exact(rows)).zip(eights_mut(out).chunks_exact_mut(points));
        for (vectors, out) in eights {
            let mut sums = [[0.0f64; LANES]; FEW];
            for (row, vector) in tile.as_chunks().0.iter().zip(vectors) {
                let Some(weights) = some::<FEW>(row, first) else {
                    break;
                };
                for c in 0..FEW {
                    for l in 0..LANES {
                        sums[c][l] = weights[c].mul_add(vector[l], sums[c][l]);
                    }
                }
            }
            for (out, sums) in out.iter_mut().skip(first).zip(&sums) {
                for l in 0..LANES {
                    out[l] += sums[l];
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn rows_avx512(tile: &[f64], vectors: &[f64], points: usize, out: &mut [f64]) {
    let rows = tile.as_chunks::<TILE>().0;
    out.fill(0.0);
    for begin in (0..points).step_by(RUN) {
        let run = begin..(begin + RUN).min(points);
        let (vectors, out) = (eights(vectors).chunks(2 * points), eights_mut(out).chunks_mut(2 * rows.len()));
        for (vectors, out) in vectors.zip(out) {
            match (vectors.split_at_checked(points), out.split_at_mut_checked(rows.len())) {
                (Some((a, b)), Some((c, d))) if !b.is_empty() => registers::rows(rows, run.clone(), [a, b], [c, d]),
                _ => registers::rows(rows, run.clone(), [vectors], [out]),
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn columns_avx512(tile: &[f64], vectors: &[f64], (rows, points): (usize, usize), out: &mut [f64]) {
    let tile = &tile.as_chunks().0[..rows];
    for first in (0..points).step_by(ROWS) {
        let (vectors, out) = (eights(vectors).chunks(2 * rows), eights_mut(out).chunks_mut(2 * points));
        for (vectors, out) in vectors.zip(out) {
            match (vectors.split_at_checked(rows), out.split_at_mut_checked(points)) {
                (Some((a, b)), Some((c, d))) if !b.is_empty() => registers::columns(tile, first, [a, b], [c, d]),
                _ => registers::columns(tile, first, [vectors], [out]),
            }
        }
    }
}

/// What both consist of.
#[cfg(target_arch = "x86_64")]
mod registers {
    use std::arch::x86_64::{_mm512_add_pd, _mm512_fmadd_pd, _mm512_set1_pd, _mm512_setzero_pd};

    use super::{LANES, ROWS, Range, TILE, some};
    use crate::exact::vectors::{add_products, load, store};

    /// Adds what a run of points contributes to some eights of the result: a weight from the tile meets all of them at once.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn rows<const EIGHTS: usize>(
        rows: &[[f64; TILE]],
        run: Range<usize>,
        vectors: [&[[f64; LANES]]; EIGHTS],
        mut out: [&mut [[f64; LANES]]; EIGHTS],
    ) {
        let mut points: [&[[f64; LANES]]; EIGHTS] = [&[]; EIGHTS];
        for (points, all) in points.iter_mut().zip(vectors) {
            *points = &all[run.clone()];
        }
        for (block, rows) in rows.as_chunks::<ROWS>().0.iter().enumerate() {
            let mut sums = [[_mm512_setzero_pd(); ROWS]; EIGHTS];
            let mut of_rows: [&[f64]; ROWS] = [&[]; ROWS];
            for (of_row, row) in of_rows.iter_mut().zip(rows) {
                *of_row = &row[run.clone()];
            }
            for k in 0..run.len() {
                // As `add_products`, with each weight from a row of its own: put side by side first, they take longer.
                let mut at = [_mm512_setzero_pd(); EIGHTS];
                for e in 0..EIGHTS {
                    at[e] = load(&points[e][k]);
                }
                for r in 0..ROWS {
                    let weight = _mm512_set1_pd(of_rows[r][k]);
                    for e in 0..EIGHTS {
                        sums[e][r] = _mm512_fmadd_pd(weight, at[e], sums[e][r]);
                    }
                }
            }
            for (out, sums) in out.iter_mut().zip(sums) {
                for (out, sum) in out[block * ROWS..].iter_mut().zip(sums) {
                    let sum = _mm512_add_pd(load(out), sum);
                    store(out, sum);
                }
            }
        }
    }

    /// Adds what a block of points contributes to some eights of the result for the columns from `first` on.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn columns<const EIGHTS: usize>(
        tile: &[[f64; TILE]],
        first: usize,
        vectors: [&[[f64; LANES]]; EIGHTS],
        mut out: [&mut [[f64; LANES]]; EIGHTS],
    ) {
        let mut sums = [[_mm512_setzero_pd(); ROWS]; EIGHTS];
        let mut points: [&[[f64; LANES]]; EIGHTS] = [&[]; EIGHTS];
        for (points, all) in points.iter_mut().zip(vectors) {
            *points = &all[..tile.len()];
        }
        for (k, row) in tile.iter().enumerate() {
            let Some(weights) = some::<ROWS>(row, first) else {
                break;
            };
            add_products(&mut sums, weights, &points, k);
        }
        for (out, sums) in out.iter_mut().zip(sums) {
            for (out, sum) in out.iter_mut().skip(first).zip(sums) {
                let sum = _mm512_add_pd(load(out), sum);
                store(out, sum);
            }
        }
    }
}
