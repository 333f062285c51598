//! The inner loops of the gradient, written and compiled like those of [`super::kernels`].

use super::kernels::{Instructions, NODES, RUN, STRIDE, dispatched};
use super::table::{Cell, TERMS};

/// Cells of one call of [`spread`].
pub(super) const SPREAD: usize = 8;
/// Logits that are treated together.
#[cfg(target_arch = "x86_64")]
const LANES: usize = 8;

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
    std::array::from_fn(|j| w.mul_add(row[j], sum[j]))
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
                let error = weight * values[y].abs().mul_add(relative, absolute);
                slopes[y] = weight.mul_add(values[y], slopes[y]);
                columns[y] += error;
                sums[y] += error;
            }
            break;
        };
        for l in 0..8 {
            let weight = factor * weights[l];
            let error = weight * values[l].abs().mul_add(relative, absolute);
            slopes[l] = weight.mul_add(values[l], slopes[l]);
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
        *slope = value.mul_add(-factor, *slope);
        *column = value.abs().mul_add(rate, *column);
    }
    (values.iter()).fold(0.0, |sum: f64, value| value.abs().mul_add(rate, sum))
}

#[inline(always)]
fn polynomials_portable(cells: &[i32], rests: &[f64], first: i32, rows: &[Cell], out: &mut [f64]) {
    for ((&cell, &r), out) in cells.iter().zip(rests).zip(out) {
        *out = match rows.get(cell.wrapping_sub(first) as u32 as usize) {
            None => 0.0,
            Some(row) => {
                let [a, b, c, d, e, f, g, h] = *row;
                let (r2, r4) = (r * r, (r * r) * (r * r));
                let (ae, bf) = (r4.mul_add(e, a), r4.mul_add(f, b));
                let (cg, dh) = (r4.mul_add(g, c), r4.mul_add(h, d));
                r2.mul_add(r.mul_add(dh, cg), r.mul_add(bf, ae))
            }
        };
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
/// [`polynomials_portable`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn polynomials_avx512(cells: &[i32], rests: &[f64], first: i32, rows: &[Cell], out: &mut [f64]) {
    use super::vectors::{load, store, transposed};
    use std::arch::x86_64::{_mm512_fmadd_pd, _mm512_mul_pd, _mm512_setzero_pd};
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
        let r4 = _mm512_mul_pd(r2, r2);
        let (ae, bf) = (_mm512_fmadd_pd(r4, e, a), _mm512_fmadd_pd(r4, f, b));
        let (cg, dh) = (_mm512_fmadd_pd(r4, g, c), _mm512_fmadd_pd(r4, h, d));
        let (even, odd) = (_mm512_fmadd_pd(r, bf, ae), _mm512_fmadd_pd(r, dh, cg));
        store(out, _mm512_fmadd_pd(r2, odd, even));
    }
    polynomials_portable(last, last_rests, first, rows, last_out);
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
