//! The inner loop: one candidate after the other joins the average over subsets.

use crate::exact::kernels::{Instructions, dispatched};

/// Nodes that are treated together.
pub(super) const LANES: usize = 8;
/// One number per node.
pub(super) type Lanes = [f64; LANES];

dispatched! {
    /// Adds candidates to the sums over subsets. With `W_c` the number of subsets of `c` of the `before` candidates so far, times
    /// `scale^c`, and `H_c` the sum of `1 - prod a` over them, likewise:
    ///
    /// `H_c += scale (a H_{c-1} + b W_{c-1})`, `W_c += scale W_{c-1}`, `c = 1 .. size`,
    ///
    /// `b = 1 - a`. The first entries of both stand for `c = base`; only those `c` are brought up to date that lie in the band
    /// belonging to their number of candidates, if there is one.
    join = join_portable(
        candidates: &[(Lanes, Lanes)], scale: f64, before: (usize, usize), bands: &[Band], weights: &mut [f64], sums: &mut [Lanes]
    ), join_avx512
}

dispatched! {
    /// Every value times every factor.
    multiples = multiples_portable(values: &[f64], factors: &Lanes, out: &mut [Lanes]), multiples_avx512
}

#[inline(always)]
fn multiples_portable(values: &[f64], factors: &Lanes, out: &mut [Lanes]) {
    for (out, value) in out.iter_mut().zip(values) {
        for l in 0..LANES {
            out[l] = factors[l] * value;
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn multiples_avx512(values: &[f64], factors: &Lanes, out: &mut [Lanes]) {
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

#[inline(always)]
fn join_portable(
    candidates: &[(Lanes, Lanes)],
    scale: f64,
    (before, base): (usize, usize),
    bands: &[Band],
    weights: &mut [f64],
    sums: &mut [Lanes],
) {
    for (i, (a, b)) in candidates.iter().enumerate() {
        let all = Band {
            least: 0,
            most: usize::MAX,
        };
        let band = bands.get(before + i).copied().unwrap_or(all);
        let least = band.least.saturating_sub(base).max(1);
        let most = band
            .most
            .saturating_sub(base)
            .min(sums.len() - 1)
            .min(weights.len() - 1);
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

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn join_avx512(
    candidates: &[(Lanes, Lanes)],
    scale: f64,
    before: (usize, usize),
    bands: &[Band],
    weights: &mut [f64],
    sums: &mut [Lanes],
) {
    join_portable(candidates, scale, before, bands, weights, sums);
}
