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
    /// Adds candidates to the sums `P_c` of `scale^c prod a` over subsets of `c` of the `before` candidates so far:
    /// `P_c += scale a P_{c-1}`. The first entry stands for `c = base`; of [`TOGETHER`] candidates at a time those `c` are brought up to date that
    /// lie in the band of some of them.
    join_products = join_products_portable(
        candidates: &[(PerNode, PerNode)], scale: f64, before: (usize, usize), bands: &[Band], sums: &mut [PerNode]
    ), join_products_avx512
}

dispatched! {
    /// Every value times every factor.
    multiples = multiples_portable(values: &[f64], factors: &PerNode, out: &mut [PerNode]), multiples_avx512
}

dispatched! {
    /// Adds `sum b^m` over candidates `(1 - b, b)` to the sums, `m = 1, 2 …` up to [`TERMS`] or to [`MANY`], in runs of [`RUN`].
    add_power_sums = power_sums_portable(candidates: &[(PerNode, PerNode)], sums: &mut [PerNode]), power_sums_avx512
}

dispatched! {
    /// `sum_m coefficients[m - 1] e_m`, `e_m` the elementary symmetric polynomials by Newton's identities, for every group of as many power sums.
    alternate = alternate_portable(powers: &[PerNode], coefficients: &[f64], out: &mut [PerNode]), alternate_avx512
}

/// Powers that are added up in one chain.
const RUN: usize = 32;
/// The most power sums of a short series, and as many as a long one has.
pub(super) const TERMS: usize = 8;
pub(super) const MANY: usize = 17;

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
        8 => power_sums::<8>(candidates, sums),
        _ => power_sums::<MANY>(candidates, sums),
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

/// Groups of power sums that are treated together, so that no sum waits for its last term.
const GROUPS: usize = 4;

#[inline(always)]
fn alternate_portable(powers: &[PerNode], coefficients: &[f64], out: &mut [PerNode]) {
    let terms = coefficients.len();
    let fours = powers.chunks_exact(GROUPS * terms);
    let rest = fours.remainder().chunks_exact(terms);
    let (out_fours, out_rest) = out.as_chunks_mut::<GROUPS>();
    for (powers, out) in fours.zip(out_fours) {
        *out = alternating(std::array::from_fn(|g| &powers[g * terms..(g + 1) * terms]), coefficients);
    }
    for (powers, out) in rest.zip(out_rest) {
        [*out] = alternating([powers], coefficients);
    }
}

#[inline(always)]
fn alternating<const N: usize>(powers: [&[PerNode]; N], coefficients: &[f64]) -> [PerNode; N] {
    let terms = coefficients.len();
    let mut elementary = [[[1.0; LANES]; N]; MANY + 1];
    for m in 1..=terms {
        let mut sums = [[0.0; LANES]; N];
        for i in 1..=m {
            let sign = if i % 2 == 1 { 1.0 } else { -1.0 };
            for g in 0..N {
                let (below, power) = (elementary[m - i][g], powers[g][i - 1]);
                for l in 0..LANES {
                    sums[g][l] += below[l] * (sign * power[l]);
                }
            }
        }
        elementary[m] = sums.map(|sum| sum.map(|sum| sum / m as f64));
    }
    let mut gains = [[0.0; LANES]; N];
    for (elementary, coefficient) in elementary[1..=terms].iter().zip(coefficients).rev() {
        for g in 0..N {
            for l in 0..LANES {
                gains[g][l] += coefficient * elementary[g][l];
            }
        }
    }
    gains
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

/// Candidates that join one band of sizes.
const TOGETHER: usize = 4;

/// The sizes that some candidates change whom `joined` have preceded, and the one below, counted from `base`.
#[inline(always)]
fn changed_together<'a>(
    bands: &[Band],
    (joined, count): (usize, usize),
    base: usize,
    sums: &'a mut [PerNode],
) -> &'a mut [PerNode] {
    let (least, _) = changed(bands, joined, base, sums.len());
    let (_, most) = changed(bands, joined + count - 1, base, sums.len());
    sums.get_mut(least - 1..=most).unwrap_or(&mut [])
}

#[inline(always)]
fn join_products_portable(
    candidates: &[(PerNode, PerNode)],
    scale: f64,
    (before, base): (usize, usize),
    bands: &[Band],
    sums: &mut [PerNode],
) {
    for (at, candidates) in (before..).step_by(TOGETHER).zip(candidates.chunks(TOGETHER)) {
        let sums = changed_together(bands, (at, candidates.len()), base, sums);
        for (a, _) in candidates {
            let a = a.map(|a| a * scale);
            for c in (1..sums.len()).rev() {
                let below = sums[c - 1];
                for l in 0..LANES {
                    sums[c][l] += a[l] * below[l];
                }
            }
        }
    }
}

/// What the candidates before have made of a size, and of the size below, stays in registers. The operations on every number are those of
/// [`join_products_portable`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn join_products_avx512(
    candidates: &[(PerNode, PerNode)],
    scale: f64,
    (before, base): (usize, usize),
    bands: &[Band],
    sums: &mut [PerNode],
) {
    use crate::exact::vectors::{load, store};
    use std::arch::x86_64::{_mm512_add_pd, _mm512_mul_pd, _mm512_set1_pd};
    let (fours, last) = candidates.as_chunks::<TOGETHER>();
    for (at, [first, second, third, fourth]) in (before..).step_by(TOGETHER).zip(fours) {
        let [one, others @ ..] = changed_together(bands, (at, TOGETHER), base, sums) else {
            continue;
        };
        let scaled = |(a, _): &(PerNode, PerNode)| _mm512_mul_pd(load(a), _mm512_set1_pd(scale));
        let (a, b, c, d) = (scaled(first), scaled(second), scaled(third), scaled(fourth));
        // No candidate changes the first size.
        let below = load(one);
        let (mut raw, mut one, mut two, mut three) = (below, below, below, below);
        for sum in others {
            let now = load(sum);
            let with_one = _mm512_add_pd(now, _mm512_mul_pd(a, raw));
            let with_two = _mm512_add_pd(with_one, _mm512_mul_pd(b, one));
            let with_three = _mm512_add_pd(with_two, _mm512_mul_pd(c, two));
            store(sum, _mm512_add_pd(with_three, _mm512_mul_pd(d, three)));
            (raw, one, two, three) = (now, with_one, with_two, with_three);
        }
    }
    let at = before + candidates.len() - last.len();
    join_products_portable(last, scale, (at, base), bands, sums);
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
    let (first, second) = ((scaled(&first.0), scaled(&first.1)), (scaled(&second.0), scaled(&second.1)));
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
