//! Eight doubles in one 512-bit register: what kernels need beside arithmetic when the compiler does not find the vectors itself.

use std::arch::x86_64::{
    __m512d, _mm256_storeu_si256, _mm512_castpd_si512, _mm512_cvtepi64_epi32, _mm512_fmadd_pd, _mm512_loadu_pd,
    _mm512_set1_pd, _mm512_setzero_pd, _mm512_shuffle_f64x2, _mm512_storeu_pd, _mm512_unpackhi_pd, _mm512_unpacklo_pd,
};

/// Eight doubles.
pub(super) const LANES: usize = 8;

/// Takes eight doubles into a register.
#[target_feature(enable = "avx512f")]
#[inline]
#[allow(unsafe_code, reason = "vector loads take pointers")]
pub(super) fn load(from: &[f64; LANES]) -> __m512d {
    // SAFETY: these are eight doubles, and their address may be any.
    unsafe { _mm512_loadu_pd(from.as_ptr()) }
}

/// Puts a register into eight doubles.
#[target_feature(enable = "avx512f")]
#[inline]
#[allow(unsafe_code, reason = "vector stores take pointers")]
pub(super) fn store(to: &mut [f64; LANES], from: __m512d) {
    // SAFETY: as above.
    unsafe { _mm512_storeu_pd(to.as_mut_ptr(), from) }
}

/// The low halves of the bits of eight doubles.
#[target_feature(enable = "avx512f")]
#[inline]
#[allow(unsafe_code, reason = "vector stores take pointers")]
pub(super) fn low_halves(from: __m512d) -> [i32; LANES] {
    let mut halves = [0; LANES];
    let narrow = _mm512_cvtepi64_epi32(_mm512_castpd_si512(from));
    // SAFETY: these are eight integers of 32 bits, and their address may be any.
    unsafe { _mm256_storeu_si256(halves.as_mut_ptr().cast(), narrow) };
    halves
}

/// Adds the products of eight weights with vector `k` of some lists, that of weight `w` and list `v` to `sums[v][w]`: what is read of a
/// weight meets all lists. Loops in place of closures, which are not compiled for these instructions.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn add_products<const LISTS: usize>(
    sums: &mut [[__m512d; LANES]; LISTS],
    weights: &[f64; LANES],
    lists: &[&[[f64; LANES]]; LISTS],
    k: usize,
) {
    let mut vectors = [_mm512_setzero_pd(); LISTS];
    for v in 0..LISTS {
        vectors[v] = load(&lists[v][k]);
    }
    for w in 0..LANES {
        let weight = _mm512_set1_pd(weights[w]);
        for v in 0..LISTS {
            sums[v][w] = _mm512_fmadd_pd(weight, vectors[v], sums[v][w]);
        }
    }
}

/// Rows become columns: lane `j` of register `i` goes to lane `i` of register `j`.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn transposed(rows: [__m512d; LANES]) -> [__m512d; LANES] {
    let [a, b, c, d, e, f, g, h] = rows;
    // Pairs of rows: in the quarter q of a register lanes 2q (even) or 2q + 1 (odd) of both.
    let (even_ab, odd_ab) = (_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b));
    let (even_cd, odd_cd) = (_mm512_unpacklo_pd(c, d), _mm512_unpackhi_pd(c, d));
    let (even_ef, odd_ef) = (_mm512_unpacklo_pd(e, f), _mm512_unpackhi_pd(e, f));
    let (even_gh, odd_gh) = (_mm512_unpacklo_pd(g, h), _mm512_unpackhi_pd(g, h));
    // Quarters 0 and 2, or 1 and 3, of two registers; twice.
    let (even_first, even_second) = (quarters(even_ab, even_cd), quarters(even_ef, even_gh));
    let (odd_first, odd_second) = (quarters(odd_ab, odd_cd), quarters(odd_ef, odd_gh));
    let (zero, four) = quarters(even_first.0, even_second.0);
    let (two, six) = quarters(even_first.1, even_second.1);
    let (one, five) = quarters(odd_first.0, odd_second.0);
    let (three, seven) = quarters(odd_first.1, odd_second.1);
    [zero, one, two, three, four, five, six, seven]
}

/// The quarters 0 and 2 of two registers, and the quarters 1 and 3.
#[target_feature(enable = "avx512f")]
#[inline]
fn quarters(a: __m512d, b: __m512d) -> (__m512d, __m512d) {
    (_mm512_shuffle_f64x2::<0b10_00_10_00>(a, b), _mm512_shuffle_f64x2::<0b11_01_11_01>(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[target_feature(enable = "avx512f")]
    fn by_registers(rows: &[[f64; LANES]; LANES]) -> [[f64; LANES]; LANES] {
        let columns = transposed([
            load(&rows[0]),
            load(&rows[1]),
            load(&rows[2]),
            load(&rows[3]),
            load(&rows[4]),
            load(&rows[5]),
            load(&rows[6]),
            load(&rows[7]),
        ]);
        let mut all = [[0.0; LANES]; LANES];
        for (to, from) in all.iter_mut().zip(columns) {
            store(to, from);
        }
        all
    }

    #[test]
    #[allow(unsafe_code, reason = "a function compiled for instructions that were detected")]
    fn rows_become_columns() {
        if !is_x86_feature_detected!("avx512f") {
            return;
        }
        let rows: [[f64; LANES]; LANES] = std::array::from_fn(|i| std::array::from_fn(|j| (10 * i + j) as f64));
        // SAFETY: the instructions are there.
        let columns = unsafe { by_registers(&rows) };
        for (i, row) in rows.iter().enumerate() {
            for (j, &x) in row.iter().enumerate() {
                assert_eq!(columns[j][i], x);
            }
        }
    }
}
