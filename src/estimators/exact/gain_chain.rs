//! `g_n = 1 - (1 - s)^n` for many numbers `n` at once, each from two smaller ones.
//!
//! `g_1 = s` and `g_{m+n} = g_m + g_n (1 - g_m)`: positive terms, and neither error is amplified. Those of `g_m` and `g_n` enter with the factors
//! `1 - g_n` and `1 - g_m`, and `g_m (1 - g_n) + g_n (1 - g_m) <= g_{m+n}`, so that the relative error of `g_{m+n}` is at most the larger of theirs and three
//! roundings. Numbers that many requests ask for together are a link apart from each other; a number alone is `2 log2 n` links from one.

use std::collections::BTreeMap;

use super::kernels::{Instructions, dispatched};

const U: f64 = f64::EPSILON / 2.0;

/// Which number comes from which, for the numbers of draws of a request.
pub(super) struct GainChain {
    /// The places of the two numbers that each further number is the sum of; place 0 is the number one.
    links: Vec<(usize, usize)>,
    /// The place of every number asked for.
    places: Vec<usize>,
    /// The most links in a row.
    depth: usize,
}

/// What is known while a chain is made.
struct Known {
    places: BTreeMap<u64, usize>,
    links: Vec<(usize, usize)>,
    depths: Vec<usize>,
}

impl GainChain {
    /// For positive numbers.
    pub(super) fn new(numbers: &[u64]) -> Self {
        let mut known = Known { places: BTreeMap::from([(1, 0)]), links: Vec::new(), depths: vec![0] };
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        sorted.iter().for_each(|&number| {
            known.place(number.max(1));
        });
        GainChain {
            places: numbers.iter().map(|&number| known.place(number.max(1))).collect(),
            depth: known.depths.iter().copied().max().unwrap_or(0),
            links: known.links,
        }
    }

    /// Bound of the relative error that the chain adds to that of `s`.
    pub(super) fn error(&self) -> f64 {
        1.01 * 3.0 * U * self.depth as f64
    }

    /// Writes the gains of all places to the beginning of `out`, one row of as many numbers as `s` has for each. What rounding has put above one counts as one.
    pub(super) fn gains(&self, set: Instructions, s: &[f64], out: &mut Vec<f64>) {
        // What is there from before is written over.
        out.resize(out.len().max(s.len() * (self.links.len() + 1)), 0.0);
        out.iter_mut().zip(s).for_each(|(out, s)| *out = s.min(1.0));
        for (at, &(a, b)) in self.links.iter().enumerate() {
            let (known, next) = out.split_at_mut((at + 1) * s.len());
            let row = |place: usize| known.get(place * s.len()..(place + 1) * s.len()).unwrap_or(&[]);
            join(set, row(a), row(b), &mut next[..s.len()]);
        }
    }

    /// The gains of one of the numbers asked for.
    pub(super) fn row<'a>(&self, number: usize, gains: &'a [f64], length: usize) -> &'a [f64] {
        let place = self.places.get(number).copied().unwrap_or(0);
        gains.get(place * length..(place + 1) * length).unwrap_or(&[])
    }
}

impl Known {
    fn place(&mut self, number: u64) -> usize {
        if let Some(&place) = self.places.get(&number) {
            return place;
        }
        let (a, b) = if number.is_multiple_of(2) {
            let half = self.place(number / 2);
            (half, half)
        } else {
            (self.place(number - 1), 0)
        };
        let place = self.links.len() + 1;
        self.links.push((a, b));
        self.depths.push(1 + self.depths[a].max(self.depths[b]));
        self.places.insert(number, place);
        place
    }
}

dispatched! {
    /// `a + b (1 - a)`, number by number.
    join = join_portable(a: &[f64], b: &[f64], out: &mut [f64]), join_avx512
}

dispatched! {
    /// The inner product, in sixteen sums of every sixteenth term.
    weighted_sum = weighted_portable(weights: &[f64], values: &[f64]) -> f64, weighted_avx512
}

#[inline(always)]
fn join_portable(a: &[f64], b: &[f64], out: &mut [f64]) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = b.mul_add(1.0 - a, *a);
    }
}

#[inline(always)]
fn weighted_portable(weights: &[f64], values: &[f64]) -> f64 {
    let (blocks, rest) = weights.as_chunks::<16>();
    let (others, other_rest) = values.as_chunks::<16>();
    let mut sums = [0.0; 16];
    for (weights, values) in blocks.iter().zip(others) {
        for l in 0..16 {
            sums[l] = weights[l].mul_add(values[l], sums[l]);
        }
    }
    for (sum, (weight, value)) in sums.iter_mut().zip(rest.iter().zip(other_rest)) {
        *sum = weight.mul_add(*value, *sum);
    }
    // Halves on halves, which keeps whole registers together.
    let eight: [f64; 8] = std::array::from_fn(|l| sums[l] + sums[l + 8]);
    let four: [f64; 4] = std::array::from_fn(|l| eight[l] + eight[l + 4]);
    (four[0] + four[2]) + (four[1] + four[3])
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn join_avx512(a: &[f64], b: &[f64], out: &mut [f64]) {
    join_portable(a, b, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn weighted_avx512(weights: &[f64], values: &[f64]) -> f64 {
    weighted_portable(weights, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_those_of_the_powers() {
        let numbers = [255, 1, 65_536, 25, 1_000_003, 1 << 53];
        let chain = GainChain::new(&numbers);
        let s: Vec<f64> = (0..60).map(|i| core_math::exp(-0.9 * f64::from(i))).chain([0.0, 1.0, 1.0 + 1e-15]).collect();
        let mut gains = Vec::new();
        for set in Instructions::available() {
            chain.gains(set, &s, &mut gains);
            for (k, &number) in numbers.iter().enumerate() {
                for (&s, &gain) in s.iter().zip(chain.row(k, &gains, s.len())) {
                    let exact = -core_math::expm1(number as f64 * core_math::log1p(-s.min(1.0)));
                    let allowed = (chain.error() + 8.0 * U) * exact;
                    assert!((gain - exact).abs() <= allowed, "{number} {s} {gain} {exact}");
                    assert!(gain <= 1.0);
                }
            }
        }
    }

    #[test]
    fn neighbours_are_few_links_apart() {
        let together = GainChain::new(&[1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25]);
        assert_eq!(together.links.len(), 12, "24 is the only number in between");
        assert_eq!(GainChain::new(&[1]).depth, 0);
        assert_eq!(GainChain::new(&[65_536]).depth, 16);
    }
}
