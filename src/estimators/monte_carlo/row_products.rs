//! The inner products of drawn rows: the kernel of the estimator that looks nothing up but embeddings.
#![allow(unsafe_code)] // Calls of the same portable code compiled for wider registers, after asking the processor.

use super::elementary::dot;

/// For every draw `k` with anchor `a`, positive `p` and negatives `y_1 .. y_N`: writes `0, f_a.f_{y_1} - f_a.f_p, ...` to the `k`-th group
/// of `N + 1` places of `out`. `points` holds rows of length `d`; places beyond it count as zero vectors.
#[inline(always)]
fn portable(points: &[f64], d: usize, pairs: &[[u32; 2]], negatives: &[u32], n: usize, out: &mut [f64]) {
    let row = |i: u32| points.get(i as usize * d..(i as usize + 1) * d).unwrap_or(&[]);
    for ((pair, places), group) in pairs
        .iter()
        .zip(negatives.chunks_exact(n))
        .zip(out.chunks_exact_mut(n + 1))
    {
        let anchor = row(pair[0]);
        let against = dot(anchor, row(pair[1]));
        group[0] = 0.0;
        for (difference, &y) in group[1..].iter_mut().zip(places) {
            *difference = dot(anchor, row(y)) - against;
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(points: &[f64], d: usize, pairs: &[[u32; 2]], negatives: &[u32], n: usize, out: &mut [f64]) {
    portable(points, d, pairs, negatives, n, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512dq")]
fn avx512(points: &[f64], d: usize, pairs: &[[u32; 2]], negatives: &[u32], n: usize, out: &mut [f64]) {
    portable(points, d, pairs, negatives, n, out);
}

/// See [`portable`]; `n >= 1`.
pub(super) fn row_differences(
    points: &[f64],
    d: usize,
    pairs: &[[u32; 2]],
    negatives: &[u32],
    n: usize,
    out: &mut [f64],
) {
    #[cfg(target_arch = "x86_64")]
    {
        let wide = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl");
        if wide && is_x86_feature_detected!("avx512dq") {
            // SAFETY: the processor has the features the function was compiled for.
            return unsafe { avx512(points, d, pairs, negatives, n, out) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: as above.
            return unsafe { avx2(points, d, pairs, negatives, n, out) };
        }
    }
    portable(points, d, pairs, negatives, n, out);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_width_of_registers_makes_the_same_bits() {
        let points: Vec<f64> = (0..77).map(|i| core_math::sin(f64::from(i))).collect();
        for d in [1, 7, 11] {
            let (pairs, negatives) = ([[0, 1], [2, 3], [3, 0]], [4u32, 5, 6, 0, 1, 2]);
            let (mut a, mut b) = ([1.0; 9], [2.0; 9]);
            portable(&points, d, &pairs, &negatives, 2, &mut a);
            row_differences(&points, d, &pairs, &negatives, 2, &mut b);
            assert_eq!(a, b);
            let row = |i: usize| &points[i * d..(i + 1) * d];
            assert_eq!((a[3], a[4]), (0.0, dot(row(2), row(6)) - dot(row(2), row(3))));
        }
    }
}
