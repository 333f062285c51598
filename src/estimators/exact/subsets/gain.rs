//! The gain `F = 1 - E prod_{y in A} a_y` over the subsets `A` of `k` candidates, for eight nodes at a time.
//!
//! With `e_k` the elementary symmetric polynomial, `E prod = e_k(a)/C(n, k)`. The recurrence of [`super::kernel`] sums `1 - prod a`
//! over subsets instead, in positive terms only, so that `F` keeps its relative accuracy when it is small: a sum over paths, where a
//! path meets one addition per candidate and three more roundings per candidate taken. The factor `scale = k/(n - k)` or so
//! keeps all of `W_c` in range that matter; beyond that, everything is multiplied by powers of two from time to time. Terms that underflow
//! belong to subsets that take a share of the first candidates which has a probability below `1e-280`.
//!
//! # Small and large gains
//! With `b = 1 - a` and `S` the mean of `b`: for `k S <= 1/16` a short [`series`] is enough. And `1 - F <= (1 - S)^k`, so that `F` is one, up to `2^-54`, as
//! soon as `k S >= 54 log 2`.

use super::kernel::{self, Band, LANES, PerNode};
use super::series;
use crate::exact::kernels::Instructions;

/// Powers of two taken out at a time.
const STEP: f64 = 300.0;
const U: f64 = f64::EPSILON / 2.0;

/// The candidates at eight nodes: `a = e^{-t b}` and `1 - a`, first those of every positive, then the positives that are left out
/// of their own negatives.
pub(super) struct Candidates<'a> {
    /// Instructions of the inner loop.
    pub(super) set: Instructions,
    /// All of them.
    pub(super) all: &'a [(PerNode, PerNode)],
    /// Where the second part begins.
    pub(super) common: usize,
    /// The size of the subsets, at least 1.
    pub(super) size: usize,
    /// What depends on the number of candidates and the size only.
    pub(super) shape: &'a Shape,
}

/// What anchors with as many candidates share, for one size of subsets.
pub(super) struct Shape {
    /// The sizes that matter after each candidate, see [`bands`].
    bands: Vec<Band>,
    scale: f64,
    /// Powers of two by which the weights grow with every candidate.
    growth: f64,
    /// `C(n, k) scale^k` of all candidates, and of one less.
    counts: [(f64, f64); 2],
}

impl Shape {
    /// For subsets of at most so many candidates.
    pub(super) fn new(total: usize, size: usize) -> Self {
        let scale = (size as f64 + 0.5) / ((total - size) as f64 + 0.5);
        let without_one = if size < total {
            number_of_subsets(total - 1, size, scale)
        } else {
            (f64::NAN, 0.0)
        };
        Shape {
            bands: bands(total, size),
            scale,
            growth: core_math::log2(1.0 + scale),
            counts: [number_of_subsets(total, size, scale), without_one],
        }
    }
}

/// Gains: over all candidates, and without each one of the second part.
pub(super) struct Gains {
    /// Over all candidates; not computed unless asked for.
    pub(super) full: PerNode,
    /// Without each one of the second part.
    pub(super) without: Vec<PerNode>,
    /// Whether all of them are one, and those at later nodes.
    pub(super) saturated: bool,
}

/// Bound of the relative error of a gain, that of `b` not included.
pub(super) fn error(candidates: usize, size: usize) -> f64 {
    1.02 * U * (1.15 * candidates as f64 + 4.0 * size as f64 + 64.0)
}

/// For every number `r` of candidates that have joined, up to `total`, the sizes `c` of subsets of those that can be part of a subset of
/// size `size` of all of them, but for the least probable ones.
///
/// Of a uniform subset of size `k` out of `n`, `c` are among the first `r` with the hypergeometric probability
/// `C(r, c) C(n-r, k-c)/C(n, k)`, and at most `n` times that given any one of its elements. Those left out have probabilities below
/// `1e-15/(n^4 (k+1))`, so that all together take at most `1e-15/n` of `E X`, for `X` a sum over the subset, and of `F`, which
/// is at least `(1 - 1/e) min(1, k S)`, less than `1e-15`. For `n - 1` candidates the probabilities are larger by a factor of `n` at most.
fn bands(total: usize, size: usize) -> Vec<Band> {
    let mut logs = vec![0.0];
    for i in 1..=total {
        logs.push(logs[i - 1] + core_math::log(i as f64));
    }
    let binomial = |n: usize, k: usize| logs[n] - logs[k] - logs[n - k];
    let limit = -35.0 - 4.0 * core_math::log(total as f64) - core_math::log(size as f64 + 1.0);
    let of_all = binomial(total, size);
    let mut bands = Vec::with_capacity(total);
    let (mut least, mut most) = (0, 0);
    for joined in 1..=total {
        let possible = |c: usize| c <= joined && c <= size && size - c <= total - joined;
        let rare = |c: usize| !possible(c) || binomial(joined, c) + binomial(total - joined, size - c) - of_all < limit;
        // Both ends of the set of sizes that are not rare move upwards.
        while least < size && rare(least) {
            least += 1;
        }
        while most < size && !rare(most + 1) {
            most += 1;
        }
        bands.push(Band { least, most });
    }
    bands
}

/// How the averages are computed.
#[derive(Clone, Copy, PartialEq)]
enum Regime {
    /// `F` is small: a short series, for `k S` at most so much.
    Series(f64),
    /// In between: the full recurrence.
    Recurrence,
    /// `F` is one.
    One,
}

impl Candidates<'_> {
    /// The gains at all nodes; with `full`, over all candidates too.
    pub(super) fn gains(&self, full: bool) -> Gains {
        let excluded = self.all.len() - self.common;
        match self.regime() {
            Regime::One => {
                return Gains {
                    full: [1.0; LANES],
                    without: vec![[1.0; LANES]; excluded],
                    saturated: true,
                };
            }
            Regime::Series(s) => {
                let (full, without) = series::gains(self.set, self.all, self.common, self.size, s);
                return Gains {
                    full,
                    without,
                    saturated: false,
                };
            }
            Regime::Recurrence => {}
        }
        let averages = Averages {
            set: self.set,
            candidates: self.all,
            size: self.size,
            shape: self.shape,
        };
        let mut state = averages.empty();
        averages.join(&mut state, 0, self.common);
        let mut gains = Gains {
            full: [0.0; LANES],
            without: vec![[0.0; LANES]; excluded],
            saturated: false,
        };
        if full {
            let mut all = state.trimmed(self.size, usize::MAX);
            averages.join(&mut all, self.common, self.all.len());
            gains.full = averages.gain(&all, self.all.len());
        }
        if excluded > 0 {
            averages.without_each(state, self.common, self.all.len(), &mut gains.without);
        }
        gains
    }

    /// One regime for all nodes, and for all sets with at most one candidate left out.
    fn regime(&self) -> Regime {
        let (n, k) = (self.all.len() as f64, self.size as f64);
        let mut total = [0.0f64; LANES];
        for (_, b) in self.all {
            for l in 0..LANES {
                total[l] += b[l];
            }
        }
        let least = total.iter().copied().fold(f64::INFINITY, f64::min);
        let most = total.iter().copied().fold(0.0, f64::max);
        let s = 1.001 * k * most / (n - 1.0);
        if s <= 0.0625 {
            Regime::Series(s)
        } else if k * (least - 1.0) >= 38.0 * n {
            Regime::One
        } else {
            Regime::Recurrence
        }
    }
}

/// The sums over the subsets of some candidates.
struct State {
    /// Sums of `1 - prod a` over subsets of each size, scaled.
    sums: Vec<PerNode>,
    /// Numbers of subsets, scaled.
    weights: Vec<f64>,
    /// The size that the first entries stand for: those below cannot reach the size asked for any more.
    base: usize,
    /// Candidates that have joined.
    joined: usize,
    /// Powers of two taken out.
    exponent: f64,
}

impl State {
    /// A copy without the sizes from which `size` cannot be reached by `missing` more candidates.
    fn trimmed(&self, size: usize, missing: usize) -> State {
        let from = size.saturating_sub(missing).saturating_sub(self.base);
        State {
            sums: self.sums.get(from..).unwrap_or(&[]).to_vec(),
            weights: self.weights.get(from..).unwrap_or(&[]).to_vec(),
            base: self.base + from,
            ..*self
        }
    }
}

/// What all states of one group of nodes share.
pub(super) struct Averages<'a> {
    set: Instructions,
    candidates: &'a [(PerNode, PerNode)],
    size: usize,
    shape: &'a Shape,
}

impl Averages<'_> {
    fn empty(&self) -> State {
        let mut state = State {
            sums: vec![[0.0; LANES]; self.size + 1],
            weights: vec![0.0; self.size + 1],
            base: 0,
            joined: 0,
            exponent: 0.0,
        };
        state.weights[0] = 1.0;
        state
    }

    /// Adds candidates `from .. to`.
    fn join(&self, state: &mut State, from: usize, to: usize) {
        let growth = self.shape.growth;
        for candidates in self.candidates[from..to].chunks((STEP / growth).max(1.0) as usize) {
            kernel::join(
                self.set,
                candidates,
                self.shape.scale,
                (state.joined, state.base),
                &self.shape.bands,
                &mut state.weights,
                &mut state.sums,
            );
            state.joined += candidates.len();
            // All weights together are (1 + scale)^joined.
            if state.joined as f64 * growth - state.exponent > STEP {
                let factor = power_of_two(-STEP);
                state.weights.iter_mut().for_each(|w| *w *= factor);
                state.sums.iter_mut().flatten().for_each(|h| *h *= factor);
                state.exponent += STEP;
            }
        }
    }

    /// The gains without each one of the candidates `from .. to`, all others of which have yet to join: half of them join, and
    /// the other half is left out one by one, and the other way round.
    fn without_each(&self, state: State, from: usize, to: usize, out: &mut [PerNode]) {
        if to - from == 1 {
            out[0] = self.gain(&state, self.candidates.len() - 1);
            return;
        }
        let middle = from.midpoint(to);
        let (left, right) = out.split_at_mut(middle - from);
        let missing = to - from - 1;
        let mut with_right = state.trimmed(self.size, missing);
        self.join(&mut with_right, middle, to);
        self.without_each(with_right, from, middle, left);
        let mut with_left = state;
        self.join(&mut with_left, from, middle);
        self.without_each(with_left, middle, to, right);
    }

    /// The average over subsets of `total` candidates, all of them or one less, all of which have joined.
    fn gain(&self, state: &State, total: usize) -> PerNode {
        let (weight, exponent) = self.shape.counts[self.candidates.len() - total];
        let factor = power_of_two(state.exponent - exponent) / weight;
        let sums = state.sums.last().copied().unwrap_or([0.0; LANES]);
        sums.map(|h| (h * factor).min(1.0))
    }
}

/// `2^e` for an integer `e`, zero or infinite out of range.
fn power_of_two(e: f64) -> f64 {
    if (-1022.0..=1023.0).contains(&e) {
        return f64::from_bits(((1023 + e as i64) as u64) << 52);
    }
    core_math::exp2(e)
}

/// `C(n, k) scale^k` as `x 2^e`, with a relative error of a few roundings: the product is carried in twice the precision.
fn number_of_subsets(n: usize, k: usize, scale: f64) -> (f64, f64) {
    let (mut high, mut low, mut exponent) = (1.0f64, 0.0f64, 0.0f64);
    for i in 1..=k {
        for factor in [(n - k + i) as f64, scale] {
            let product = high * factor;
            let rest = high.mul_add(factor, -product) + low * factor;
            high = product + rest;
            low = (product - high) + rest;
        }
        let divisor = i as f64;
        let quotient = high / divisor;
        let rest = ((-quotient).mul_add(divisor, high) + low) / divisor;
        high = quotient + rest;
        low = (quotient - high) + rest;
        if high > power_of_two(STEP) {
            let factor = power_of_two(-STEP);
            (high, low, exponent) = (high * factor, low * factor, exponent + STEP);
        }
        if high < power_of_two(-STEP) {
            let factor = power_of_two(STEP);
            (high, low, exponent) = (high * factor, low * factor, exponent - STEP);
        }
    }
    (high, exponent)
}
