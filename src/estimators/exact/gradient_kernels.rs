//! The inner loops of the gradient, written and compiled like those of [`super::kernels`].

use super::kernels::{Instructions, RUN, STRIDE, dispatched, powers};
use super::table::{Cell, TERMS};

/// Cells of one call of [`spread`].
pub(super) const SPREAD: usize = 8;
/// Rows of the result that share a pass of [`combine`] over the vectors.
const ROWS: usize = 4;

dispatched! {
    /// `out[i] = sum_k weights[k] rows[i + k STRIDE]`, in chains of [`RUN`].
    spread = spread_portable(weights: &[f64], rows: &[Cell], out: &mut [Cell; SPREAD]), spread_avx512
}

dispatched! {
    /// The polynomials of the cells, the first of which is cell `first`, at the rests. A cell that is not there has the value 0.
    polynomials = polynomials_portable(cells: &[i32], rests: &[f64], first: i32, rows: &[Cell], out: &mut [f64]), polynomials_avx512
}

dispatched! {
    /// `out[r] += sum_c weights[r row_stride + c column_stride] vectors[c]`, all vectors of `dimension` coordinates, a multiple of
    /// eight; in chains of [`RUN`].
    combine = combine_portable(
        weights: &[f64], row_stride: usize, column_stride: usize, vectors: &[f64], dimension: usize, out: &mut [f64]
    ), combine_avx512
}

#[inline(always)]
fn spread_portable(weights: &[f64], rows: &[Cell], out: &mut [Cell; SPREAD]) {
    *out = [[0.0; TERMS]; SPREAD];
    for (run, weights) in weights.chunks(RUN).enumerate() {
        let mut sums = [[0.0f64; TERMS]; SPREAD];
        for (k, w) in weights.iter().enumerate() {
            let at = (run * RUN + k) * STRIDE;
            let Some(rows) = rows.get(at..).and_then(|rows| rows.first_chunk::<SPREAD>()) else {
                break;
            };
            for i in 0..SPREAD {
                for j in 0..TERMS {
                    sums[i][j] += w * rows[i][j];
                }
            }
        }
        for i in 0..SPREAD {
            for j in 0..TERMS {
                out[i][j] += sums[i][j];
            }
        }
    }
}

#[inline(always)]
fn polynomials_portable(cells: &[i32], rests: &[f64], first: i32, rows: &[Cell], out: &mut [f64]) {
    for ((&cell, &r), out) in cells.iter().zip(rests).zip(out) {
        *out = match rows.get(cell.wrapping_sub(first) as u32 as usize) {
            None => 0.0,
            Some(row) => {
                let mut p = powers(r, 1.0);
                for j in 0..TERMS {
                    p[j] *= row[j];
                }
                let [a, b, c, d, e, f, g, h] = p;
                ((a + e) + (b + f)) + ((c + g) + (d + h))
            }
        };
    }
}

#[inline(always)]
fn combine_portable(
    weights: &[f64],
    row_stride: usize,
    column_stride: usize,
    vectors: &[f64],
    dimension: usize,
    out: &mut [f64],
) {
    for (block, out) in out.chunks_mut(ROWS * dimension).enumerate() {
        let Some(weights) = weights.get(block * ROWS * row_stride..) else {
            return;
        };
        let mut k = 0;
        while k + 16 <= dimension {
            combine_block::<16>(weights, row_stride, column_stride, vectors, dimension, k, out);
            k += 16;
        }
        if k < dimension {
            combine_block::<8>(weights, row_stride, column_stride, vectors, dimension, k, out);
        }
    }
}

/// `LANES` coordinates from `k` on of up to [`ROWS`] rows.
#[inline(always)]
fn combine_block<const LANES: usize>(
    weights: &[f64],
    row_stride: usize,
    column_stride: usize,
    vectors: &[f64],
    dimension: usize,
    k: usize,
    out: &mut [f64],
) {
    for (run, vectors) in vectors.chunks(RUN * dimension).enumerate() {
        let mut sums = [[0.0f64; LANES]; ROWS];
        for (c, vector) in vectors.chunks_exact(dimension).enumerate() {
            let Some(vector) = vector.get(k..).and_then(|v| v.first_chunk::<LANES>()) else {
                break;
            };
            let at = (run * RUN + c) * column_stride;
            for (r, sums) in sums.iter_mut().enumerate() {
                // A row that is not asked for may lie outside; its sums are not used.
                let w = weights.get(at + r * row_stride).copied().unwrap_or(0.0);
                for l in 0..LANES {
                    sums[l] += w * vector[l];
                }
            }
        }
        for (out, sums) in out.chunks_mut(dimension).zip(&sums) {
            for (out, sum) in out.iter_mut().skip(k).zip(sums) {
                *out += sum;
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn spread_avx512(weights: &[f64], rows: &[Cell], out: &mut [Cell; SPREAD]) {
    spread_portable(weights, rows, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn combine_avx512(
    weights: &[f64],
    row_stride: usize,
    column_stride: usize,
    vectors: &[f64],
    dimension: usize,
    out: &mut [f64],
) {
    combine_portable(weights, row_stride, column_stride, vectors, dimension, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code, reason = "vector loads take pointers")]
fn polynomials_avx512(cells: &[i32], rests: &[f64], first: i32, rows: &[Cell], out: &mut [f64]) {
    use std::arch::x86_64::{
        _mm_add_sd, _mm_cvtsd_f64, _mm_unpackhi_pd, _mm256_add_pd, _mm256_castpd256_pd128, _mm256_extractf128_pd,
        _mm512_castpd512_pd256, _mm512_extractf64x4_pd, _mm512_loadu_pd, _mm512_mask_mul_pd, _mm512_mul_pd,
        _mm512_set1_pd,
    };
    for ((&cell, &r), out) in cells.iter().zip(rests).zip(out) {
        let Some(row) = rows.get(cell.wrapping_sub(first) as u32 as usize) else {
            *out = 0.0;
            continue;
        };
        let r = _mm512_set1_pd(r);
        let r2 = _mm512_mul_pd(r, r);
        let r4 = _mm512_mul_pd(r2, r2);
        let p = _mm512_set1_pd(1.0);
        let p = _mm512_mask_mul_pd(p, 0xAA, p, r);
        let p = _mm512_mask_mul_pd(p, 0xCC, p, r2);
        let p = _mm512_mask_mul_pd(p, 0xF0, p, r4);
        // SAFETY: a cell is eight doubles.
        let p = _mm512_mul_pd(p, unsafe { _mm512_loadu_pd(row.as_ptr()) });
        // a + e, b + f, c + g, d + h
        let fours = _mm256_add_pd(_mm512_castpd512_pd256(p), _mm512_extractf64x4_pd::<1>(p));
        let (ab, cd) = (_mm256_castpd256_pd128(fours), _mm256_extractf128_pd::<1>(fours));
        let ab = _mm_add_sd(ab, _mm_unpackhi_pd(ab, ab));
        let cd = _mm_add_sd(cd, _mm_unpackhi_pd(cd, cd));
        *out = _mm_cvtsd_f64(_mm_add_sd(ab, cd));
    }
}
