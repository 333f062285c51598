//! The inner loop: one candidate after the other joins the average over subsets.

use crate::exact::kernels::{Instructions, dispatched};

/// Nodes that are treated together.
pub(super) const LANES: usize = 8;
/// One number per node.
pub(super) type PerNode = [f64; LANES];

dispatched! {
    /// Adds candidates to the sums over subsets. With `W_c` the number of subsets of `c` of the `before` candidates so far, times
    /// `scale^c`, and `H_c` the sum of `1 - prod a` over them, likewise:
    ///
    /// `H_c += scale (a H_{c-1} + b W_{c-1})`, `W_c += scale W_{c-1}`, `c = 1 .. size`,
    ///
    /// `b = 1 - a`. The first entries of both stand for `c = base`; only those `c` are brought up to date that lie in the band
    /// belonging to their number of candidates.
    join = join_portable(
        candidates: &[(PerNode, PerNode)], scale: f64, before: (usize, usize), bands: &[Band], weights: &mut [f64], sums: &mut [PerNode]
    ), join_avx512
}

dispatched! {
    /// Every value times every factor.
    multiples = multiples_portable(values: &[f64], factors: &PerNode, out: &mut [PerNode]), multiples_avx512
}

dispatched! {
    /// Adds `sum b^m` over candidates `(1 - b, b)` to the sums, `m = 1, 2 …`, in runs of [`RUN`].
    add_power_sums = power_sums_portable(candidates: &[(PerNode, PerNode)], sums: &mut [PerNode]), power_sums_avx512
}

dispatched! {
    /// `sum_m coefficients[m - 1] e_m`, `e_m` the elementary symmetric polynomials by Newton's identities, for every group of as many power sums.
    alternate = alternate_portable(powers: &[PerNode], coefficients: &[f64], out: &mut [PerNode]), alternate_avx512
}

/// Powers that are added up in one chain.
const RUN: usize = 32;
/// The most power sums of one kind.
pub(super) const TERMS: usize = 8;

#[inline(always)]
fn power_sums_portable(candidates: &[(PerNode, PerNode)], sums: &mut [PerNode]) {
    match sums.len() {
        1 => power_sums::<1>(candidates, sums),
        2 => power_sums::<2>(candidates, sums),
        3 => power_sums::<3>(candidates, sums),
        4 => power_sums::<4>(candidates, sums),
        5 => power_sums::<5>(candidates, sums),
        6 => power_sums::<6>(candidates, sums),
        7 => power_sums::<7>(candidates, sums),
        _ => power_sums::<8>(candidates, sums),
    }
}

#[inline(always)]
fn power_sums<const M: usize>(candidates: &[(PerNode, PerNode)], sums: &mut [PerNode]) {
    for run in candidates.chunks(RUN) {
        let mut chain = [[0.0; LANES]; M];
        for (_, b) in run {
            let mut power = *b;
            for (m, sum) in chain.iter_mut().enumerate() {
                for l in 0..LANES {
                    if m > 0 {
                        power[l] *= b[l];
                    }
                    sum[l] += power[l];
                }
            }
        }
        for (sum, chain) in sums.iter_mut().zip(&chain) {
            for l in 0..LANES {
                sum[l] += chain[l];
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn power_sums_avx512(candidates: &[(PerNode, PerNode)], sums: &mut [PerNode]) {
    power_sums_portable(candidates, sums);
}

#[inline(always)]
fn alternate_portable(powers: &[PerNode], coefficients: &[f64], out: &mut [PerNode]) {
    for (powers, out) in powers.chunks_exact(coefficients.len()).zip(out) {
        let mut elementary = [[1.0; LANES]; TERMS + 1];
        let mut gain = [0.0; LANES];
        for m in 1..=powers.len() {
            let mut sum = [0.0; LANES];
            for i in 1..=m {
                let (below, power) = (elementary[m - i], powers[i - 1]);
                for l in 0..LANES {
                    let term = below[l] * power[l];
                    sum[l] += if i % 2 == 1 { term } else { -term };
                }
            }
            elementary[m] = sum.map(|sum| sum / m as f64);
        }
        for (elementary, coefficient) in elementary[1..=powers.len()].iter().zip(coefficients).rev() {
            for l in 0..LANES {
                gain[l] += coefficient * elementary[l];
            }
        }
        *out = gain;
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn alternate_avx512(powers: &[PerNode], coefficients: &[f64], out: &mut [PerNode]) {
    alternate_portable(powers, coefficients, out);
}

#[inline(always)]
fn multiples_portable(values: &[f64], factors: &PerNode, out: &mut [PerNode]) {
    for (out, value) in out.iter_mut().zip(values) {
        for l in 0..LANES {
            out[l] = factors[l] * value;
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn multiples_avx512(values: &[f64], factors: &PerNode, out: &mut [PerNode]) {
    multiples_portable(values, factors, out);
}

/// Sizes of subsets that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Band {
    /// The smallest.
    pub(super) least: usize,
    /// The largest.
    pub(super) most: usize,
}

/// The least and the largest of the first `end` sizes from `base` on that a candidate changes whom `joined` have preceded, counted from `base`.
#[inline(always)]
fn changed(bands: &[Band], joined: usize, base: usize, end: usize) -> (usize, usize) {
    let Band { least, most } = bands[joined];
    let last = end.saturating_sub(1);
    (least.saturating_sub(base).max(1), most.saturating_sub(base).min(last))
}

#[inline(always)]
fn join_portable(
    candidates: &[(PerNode, PerNode)],
    scale: f64,
    (before, base): (usize, usize),
    bands: &[Band],
    weights: &mut [f64],
    sums: &mut [PerNode],
) {
    let end = sums.len().min(weights.len());
    for (i, (a, b)) in candidates.iter().enumerate() {
        let (least, most) = changed(bands, before + i, base, end);
        let (mut sa, mut sb) = (*a, *b);
        for l in 0..LANES {
            sa[l] *= scale;
            sb[l] *= scale;
        }
        if least > most {
            continue;
        }
        let weights = &mut weights[least - 1..=most];
        let sums = &mut sums[least - 1..=most];
        for c in (1..sums.len().min(weights.len())).rev() {
            let weight = weights[c - 1];
            let below = sums[c - 1];
            let sum = &mut sums[c];
            for l in 0..LANES {
                sum[l] += sa[l] * below[l] + sb[l] * weight;
            }
            weights[c] += scale * weight;
        }
    }
}

/// Two candidates at a time: what the first one makes of a size stays in a register until the second one needs it. The operations on every
/// number are those of [`join_portable`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn join_avx512(
    candidates: &[(PerNode, PerNode)],
    scale: f64,
    (before, base): (usize, usize),
    bands: &[Band],
    weights: &mut [f64],
    sums: &mut [PerNode],
) {
    let end = sums.len().min(weights.len());
    let step = |i: usize| changed(bands, before + i, base, end);
    let (pairs, last) = candidates.as_chunks::<2>();
    for (i, pair) in pairs.iter().enumerate() {
        let (first, second) = (step(2 * i), step(2 * i + 1));
        // Both ends of the bands move upwards, by a size or none.
        let next = first.0 <= second.0 && second.0 <= first.0 + 1 && first.1 <= second.1 && second.1 <= first.1 + 1;
        if next && first.0 < first.1 {
            let range = first.0 - 1..=second.1;
            let beyond = (second.0 > first.0, second.1 > first.1);
            join_pair(pair, scale, beyond, &mut weights[range.clone()], &mut sums[range]);
        } else {
            let at = before + 2 * i;
            join_portable(pair, scale, (at, base), bands, weights, sums);
        }
    }
    let at = before + candidates.len() - last.len();
    join_portable(last, scale, (at, base), bands, weights, sums);
}

/// Two candidates join the sizes of these numbers but the first one: the second one leaves out the next size if `beyond.0`, the first one
/// the last size if `beyond.1`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn join_pair(
    [first, second]: &[(PerNode, PerNode); 2],
    scale: f64,
    beyond: (bool, bool),
    weights: &mut [f64],
    sums: &mut [PerNode],
) {
    use crate::exact::vectors::{load, store};
    use std::arch::x86_64::{__m512d, _mm512_add_pd, _mm512_mul_pd, _mm512_set1_pd};
    let scaled = |lanes: &PerNode| _mm512_mul_pd(load(lanes), _mm512_set1_pd(scale));
    let (first, second) = (
        (scaled(&first.0), scaled(&first.1)),
        (scaled(&second.0), scaled(&second.1)),
    );
    // `sum + (a below + b weight)`.
    let joined = |sum: __m512d, (a, b): (__m512d, __m512d), below: __m512d, weight: f64| {
        let added = _mm512_add_pd(_mm512_mul_pd(a, below), _mm512_mul_pd(b, _mm512_set1_pd(weight)));
        _mm512_add_pd(sum, added)
    };
    let count = sums.len().min(weights.len());
    let (weights, sums) = (&mut weights[..count], &mut sums[..count]);
    let top = count - 1;
    // What the size below was before, and what the first one has made of the last.
    let mut raw = (load(&sums[top - 1]), weights[top - 1]);
    let mut after = (load(&sums[top]), weights[top]);
    if !beyond.1 {
        after = (joined(after.0, first, raw.0, raw.1), after.1 + scale * raw.1);
    }
    for c in (2..=top).rev() {
        let below = (load(&sums[c - 2]), weights[c - 2]);
        let next = (joined(raw.0, first, below.0, below.1), raw.1 + scale * below.1);
        after = (joined(after.0, second, next.0, next.1), after.1 + scale * next.1);
        store(&mut sums[c], after.0);
        weights[c] = after.1;
        (after, raw) = (next, below);
    }
    // Size one of these, next to the first, which no candidate changes.
    if !beyond.0 {
        after = (joined(after.0, second, raw.0, raw.1), after.1 + scale * raw.1);
    }
    store(&mut sums[1], after.0);
    weights[1] = after.1;
}
