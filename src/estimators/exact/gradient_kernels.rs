//! The inner loops of the gradient, written and compiled like those of [`super::kernels`].

use super::kernels::{Instructions, NODES, RUN, STRIDE, STRIP, dispatched, powers};
use super::table::{Cell, TERMS};

/// Cells of one call of [`spread`].
pub(super) const SPREAD: usize = 8;
/// From one row of a tile to the next: a strip, and a little more, so that the rows do not compete for the same places of a cache.
pub(super) const TILE: usize = STRIP + 8;
/// Rows of the result that stand side by side.
pub(super) const ROWS: usize = 8;
/// Rows of the result that share a pass over the vectors where registers are too few for all.
const FEW: usize = 4;
/// Coordinates of a vector that stand side by side: an eight.
pub(super) const LANES: usize = 8;

dispatched! {
    /// `out[i] = sum_k weights[k] rows[i + k STRIDE]`, in chains of [`RUN`].
    spread = spread_portable(weights: &[f64], rows: &[Cell], out: &mut [Cell; SPREAD]), spread_avx512
}

dispatched! {
    /// `out[i] += sum_m factors[m] powers[m][i]`.
    add_powers = add_powers_portable(
        factors: &[f64; NODES], powers: &[[Cell; SPREAD]; NODES], out: &mut [Cell; SPREAD]
    ), add_powers_avx512
}

dispatched! {
    /// The polynomials of the cells, the first of which is cell `first`, at the rests. A cell that is not there has the value 0.
    polynomials = polynomials_portable(cells: &[i32], rests: &[f64], first: i32, rows: &[Cell], out: &mut [f64]), polynomials_avx512
}

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

dispatched! {
    /// `slopes[y] += factor weights[y] values[y]`; adds errors of `factor weights[y] (|values[y]| relative + absolute)` to the columns and answers
    /// with their sum. `factors` are `(factor, relative, absolute)`.
    add_weighted = weighted_portable(
        values: &[f64], weights: &[f64], factors: (f64, f64, f64), slopes: &mut [f64], columns: &mut [f64]
    ) -> f64, weighted_avx512
}

dispatched! {
    /// `slopes[y] -= factor values[y]`; adds errors of `|values[y]| rate` to the columns and answers with their sum, one by one. `factors` are
    /// `(factor, rate)`.
    subtract_scaled = scaled_portable(
        values: &[f64], factors: (f64, f64), slopes: &mut [f64], columns: &mut [f64]
    ) -> f64, scaled_avx512
}

#[inline(always)]
fn spread_portable(weights: &[f64], rows: &[Cell], out: &mut [Cell; SPREAD]) {
    *out = [[0.0; TERMS]; SPREAD];
    for (run, weights) in weights.chunks(RUN).enumerate() {
        let mut sums = Sums::of([[0.0; TERMS]; SPREAD]);
        for (k, &w) in weights.iter().enumerate() {
            let at = (run * RUN + k) * STRIDE;
            let Some(rows) = rows.get(at..).and_then(|rows| rows.first_chunk::<SPREAD>()) else {
                break;
            };
            sums = sums.plus(w, rows);
        }
        for (out, sum) in out.iter_mut().zip(sums.all()) {
            *out = plus(*out, 1.0, &sum);
        }
    }
}

/// Eight sums by name: in a list of them compilers look for vectors across the sums.
struct Sums(Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell);

impl Sums {
    #[inline(always)]
    fn of([a, b, c, d, e, f, g, h]: [Cell; SPREAD]) -> Self {
        Sums(a, b, c, d, e, f, g, h)
    }

    #[inline(always)]
    fn plus(self, w: f64, rows: &[Cell; SPREAD]) -> Self {
        let [a, b, c, d, e, f, g, h] = rows;
        Sums(
            plus(self.0, w, a),
            plus(self.1, w, b),
            plus(self.2, w, c),
            plus(self.3, w, d),
            plus(self.4, w, e),
            plus(self.5, w, f),
            plus(self.6, w, g),
            plus(self.7, w, h),
        )
    }

    #[inline(always)]
    fn all(self) -> [Cell; SPREAD] {
        [self.0, self.1, self.2, self.3, self.4, self.5, self.6, self.7]
    }
}

/// `sum + w row`.
#[inline(always)]
fn plus(sum: Cell, w: f64, row: &Cell) -> Cell {
    std::array::from_fn(|j| sum[j] + w * row[j])
}

#[inline(always)]
fn add_powers_portable(factors: &[f64; NODES], powers: &[[Cell; SPREAD]; NODES], out: &mut [Cell; SPREAD]) {
    let mut sums = Sums::of([[0.0; TERMS]; SPREAD]);
    for (&factor, powers) in factors.iter().zip(powers).rev() {
        sums = sums.plus(factor, powers);
    }
    for (out, sum) in out.iter_mut().zip(sums.all()) {
        *out = plus(*out, 1.0, &sum);
    }
}

#[inline(always)]
fn weighted_portable(
    values: &[f64],
    weights: &[f64],
    (factor, relative, absolute): (f64, f64, f64),
    slopes: &mut [f64],
    columns: &mut [f64],
) -> f64 {
    let mut sums = [0.0; 8];
    let mut at = 0;
    while at < values.len() {
        let end = (at + 8).min(values.len());
        let (values, weights) = (&values[at..end], &weights[at..end]);
        let (slopes, columns) = (&mut slopes[at..end], &mut columns[at..end]);
        let (Some(values), Some(weights), Some(slopes), Some(columns)) = (
            values.first_chunk::<8>(),
            weights.first_chunk::<8>(),
            slopes.first_chunk_mut::<8>(),
            columns.first_chunk_mut::<8>(),
        ) else {
            for y in 0..values.len() {
                let weight = factor * weights[y];
                let error = weight * (values[y].abs() * relative + absolute);
                slopes[y] += weight * values[y];
                columns[y] += error;
                sums[y] += error;
            }
            break;
        };
        for l in 0..8 {
            let weight = factor * weights[l];
            let error = weight * (values[l].abs() * relative + absolute);
            slopes[l] += weight * values[l];
            columns[l] += error;
            sums[l] += error;
        }
        at = end;
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (b + f)) + ((c + g) + (d + h))
}

#[inline(always)]
fn scaled_portable(values: &[f64], (factor, rate): (f64, f64), slopes: &mut [f64], columns: &mut [f64]) -> f64 {
    for ((slope, column), value) in slopes.iter_mut().zip(columns).zip(values) {
        *slope -= factor * value;
        *column += value.abs() * rate;
    }
    values.iter().fold(0.0, |sum, value| sum + value.abs() * rate)
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
                            sums[r][l] += rows[r][c] * vector[l];
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

/// Likewise.
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
                        sums[c][l] += weights[c] * vector[l];
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
fn spread_avx512(weights: &[f64], rows: &[Cell], out: &mut [Cell; SPREAD]) {
    spread_portable(weights, rows, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn add_powers_avx512(factors: &[f64; NODES], powers: &[[Cell; SPREAD]; NODES], out: &mut [Cell; SPREAD]) {
    add_powers_portable(factors, powers, out);
}

/// Eight logits at a time: the rows of their cells become registers with one coefficient of all of them each. The roundings are those of
/// [`polynomials_portable`]; that a factor of one is left out rounds nothing.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn polynomials_avx512(cells: &[i32], rests: &[f64], first: i32, rows: &[Cell], out: &mut [f64]) {
    use super::vectors::{load, store, transposed};
    use std::arch::x86_64::{_mm512_add_pd, _mm512_mul_pd, _mm512_setzero_pd};
    let (eights, last) = cells.as_chunks::<LANES>();
    let (rest_eights, last_rests) = rests.as_chunks::<LANES>();
    let (out_eights, last_out) = out.as_chunks_mut::<LANES>();
    for ((cells, rests), out) in eights.iter().zip(rest_eights).zip(out_eights) {
        let mut coefficients = [_mm512_setzero_pd(); LANES];
        for (coefficients, cell) in coefficients.iter_mut().zip(cells) {
            if let Some(row) = rows.get(cell.wrapping_sub(first) as u32 as usize) {
                *coefficients = load(row);
            }
        }
        let [a, b, c, d, e, f, g, h] = transposed(coefficients);
        let r = load(rests);
        let r2 = _mm512_mul_pd(r, r);
        let r3 = _mm512_mul_pd(r, r2);
        let r4 = _mm512_mul_pd(r2, r2);
        let times_power = |x, power| _mm512_mul_pd(_mm512_mul_pd(power, r4), x);
        let ae = _mm512_add_pd(a, _mm512_mul_pd(r4, e));
        let bf = _mm512_add_pd(_mm512_mul_pd(r, b), times_power(f, r));
        let cg = _mm512_add_pd(_mm512_mul_pd(r2, c), times_power(g, r2));
        let dh = _mm512_add_pd(_mm512_mul_pd(r3, d), times_power(h, r3));
        store(out, _mm512_add_pd(_mm512_add_pd(ae, bf), _mm512_add_pd(cg, dh)));
    }
    polynomials_portable(last, last_rests, first, rows, last_out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn rows_avx512(tile: &[f64], vectors: &[f64], points: usize, out: &mut [f64]) {
    use super::vectors::{load, store};
    use std::arch::x86_64::{_mm512_add_pd, _mm512_mul_pd, _mm512_set1_pd, _mm512_setzero_pd};
    let rows = tile.as_chunks::<TILE>().0;
    out.fill(0.0);
    for begin in (0..points).step_by(RUN) {
        let eights = (eights(vectors).chunks_exact(points)).zip(eights_mut(out).chunks_exact_mut(rows.len()));
        for (vectors, out) in eights {
            let run = vectors.get(begin..(begin + RUN).min(points)).unwrap_or(&[]);
            for (rows, out) in rows.as_chunks::<ROWS>().0.iter().zip(out.as_chunks_mut::<ROWS>().0) {
                let mut sums = [_mm512_setzero_pd(); ROWS];
                for (c, vector) in (begin..TILE).zip(run) {
                    let vector = load(vector);
                    for r in 0..ROWS {
                        sums[r] = _mm512_add_pd(sums[r], _mm512_mul_pd(_mm512_set1_pd(rows[r][c]), vector));
                    }
                }
                for (out, sum) in out.iter_mut().zip(sums) {
                    let sum = _mm512_add_pd(load(out), sum);
                    store(out, sum);
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn columns_avx512(tile: &[f64], vectors: &[f64], (rows, points): (usize, usize), out: &mut [f64]) {
    use super::vectors::{load, store};
    use std::arch::x86_64::{_mm512_add_pd, _mm512_mul_pd, _mm512_set1_pd, _mm512_setzero_pd};
    for first in (0..points).step_by(ROWS) {
        let eights = (eights(vectors).chunks_exact(rows)).zip(eights_mut(out).chunks_exact_mut(points));
        for (vectors, out) in eights {
            let mut sums = [_mm512_setzero_pd(); ROWS];
            for (row, vector) in tile.as_chunks().0.iter().zip(vectors) {
                let Some(weights) = some::<ROWS>(row, first) else {
                    break;
                };
                let vector = load(vector);
                for c in 0..ROWS {
                    sums[c] = _mm512_add_pd(sums[c], _mm512_mul_pd(_mm512_set1_pd(weights[c]), vector));
                }
            }
            for (out, sum) in out.iter_mut().skip(first).zip(sums) {
                let sum = _mm512_add_pd(load(out), sum);
                store(out, sum);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn weighted_avx512(
    values: &[f64],
    weights: &[f64],
    factors: (f64, f64, f64),
    slopes: &mut [f64],
    columns: &mut [f64],
) -> f64 {
    weighted_portable(values, weights, factors, slopes, columns)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn scaled_avx512(values: &[f64], factors: (f64, f64), slopes: &mut [f64], columns: &mut [f64]) -> f64 {
    scaled_portable(values, factors, slopes, columns)
}
