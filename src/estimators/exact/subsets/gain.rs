//! The gain `F = 1 - E prod_{y in A} a_y` over the subsets `A` of `k` candidates, for eight nodes at a time.
//!
//! With `e_k` the elementary symmetric polynomial, `E prod = e_k(a)/C(n, k)`. The recurrence of [`super::kernel`] sums `1 - prod a`
//! over subsets instead, in positive terms only, so that `F` keeps its relative accuracy when it is small: a sum over paths, where a
//! path meets one addition per candidate and three more roundings per candidate taken. The factor `scale = k/(n - k)` or so
//! keeps all of `W_c` in range that matter; beyond that, everything is multiplied by powers of two from time to time. Terms that underflow
//! belong to subsets that take a share of the first candidates which has a probability below `1e-280`.
//!
//! # Gains of a half and more
//! Where `1 - F <= (1 - S)^k` (Maclaurin's inequality, `S` as below) is at most a half, the sums of the products themselves are as good, at a third of
//! the work: with the computed `b` as they are, `a = 1 - b` and every path have no more roundings than above, and what is a relative error of
//! `1 - F` is at most as much of `F`. The sizes left out take a probability of less than `1e-15` from it.
//!
//! # Small and large gains
//! With `b = 1 - a` and `S` the mean of `b`: for `k S <= 1/16` a short [`series`] is enough, and up to one a longer one whose error is
//! bounded as it is computed. So the recurrence of gains remains for large subsets of few candidates, and for gains that few candidates make. And `1 - F <= (1 - S)^k`, so that `F` is one, up to `2^-54`, as
//! soon as `k S >= 54 log 2`.

use super::kernel::{self, Band, LANES, MANY, PerNode};
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
        let without_one = if size < total { number_of_subsets(total - 1, size, scale) } else { (f64::NAN, 0.0) };
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
#[derive(Clone, Copy, Debug, PartialEq)]
enum Regime {
    /// `F` is small: a short series, for `k S` at most so much.
    Series(f64),
    /// `F` is smaller than a half at some nodes: a long series there, and products at the others.
    Both([bool; LANES]),
    /// In between: the recurrence of gains.
    Recurrence,
    /// `F` is at least a half: the recurrence of products.
    Products,
    /// `F` is one.
    One,
}

impl Candidates<'_> {
    /// The gains at all nodes; with `full`, over all candidates too.
    pub(super) fn gains(&self, full: bool) -> Gains {
        match self.regime() {
            Regime::One => {
                Gains { full: [1.0; LANES], without: vec![[1.0; LANES]; self.all.len() - self.common], saturated: true }
            }
            Regime::Series(s) => {
                let (full, without) = series::gains(self.set, self.all, self.common, self.size, s);
                Gains { full, without, saturated: false }
            }
            Regime::Both(small) => match self.long_series(small) {
                Some(by_series) if small == [true; LANES] => by_series,
                Some(by_series) => by_series.or(self.averages(Of::Products, full), small),
                None => self.averages(Of::Gains, full),
            },
            Regime::Products => self.averages(Of::Products, full),
            Regime::Recurrence => self.averages(Of::Gains, full),
        }
    }

    /// The gains by a long series; none if it is not good enough at some of these nodes.
    fn long_series(&self, at: [bool; LANES]) -> Option<Gains> {
        let (full, without, errors) = series::long_gains(self.set, self.all, self.common, self.size);
        let allowed = error(self.all.len(), self.size);
        let good = at.iter().zip(errors).all(|(&meant, error)| !meant || error <= allowed);
        good.then_some(Gains { full, without, saturated: false })
    }

    /// The gains by a recurrence.
    fn averages(&self, of: Of, full: bool) -> Gains {
        let excluded = self.all.len() - self.common;
        let averages = Averages { of, set: self.set, candidates: self.all, size: self.size, shape: self.shape };
        let mut state = averages.empty();
        averages.join(&mut state, 0, self.common);
        let mut gains = Gains { full: [0.0; LANES], without: vec![[0.0; LANES]; excluded], saturated: false };
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
        let s = |total: f64| 1.001 * k * total / (n - 1.0);
        // e^-0.7 < 1/2.
        let half = |total: f64| k * (total - 1.0) >= 0.7 * n;
        let small = total.map(|total| !half(total));
        if s(most) <= 0.0625 {
            Regime::Series(s(most))
        } else if k * (least - 1.0) >= 38.0 * n {
            Regime::One
        } else if half(least) {
            Regime::Products
        } else if self.size >= MANY && total.iter().all(|&total| half(total) || s(total) <= 1.0) {
            Regime::Both(small)
        } else {
            Regime::Recurrence
        }
    }
}

impl Gains {
    /// These at some nodes, the others elsewhere.
    fn or(self, other: Gains, at: [bool; LANES]) -> Gains {
        let choose = |own: PerNode, other: PerNode| std::array::from_fn(|l| if at[l] { own[l] } else { other[l] });
        let pairs = self.without.into_iter().zip(other.without);
        Gains {
            full: choose(self.full, other.full),
            without: pairs.map(|(own, other)| choose(own, other)).collect(),
            saturated: false,
        }
    }
}

/// The sums over the subsets of some candidates.
struct State {
    /// Sums of `1 - prod a`, or of `prod a`, over subsets of each size, scaled.
    sums: Vec<PerNode>,
    /// Numbers of subsets, scaled; none beside products.
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

/// What is added up over subsets.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    /// `1 - prod a`.
    Gains,
    /// `prod a`.
    Products,
}

/// What all states of one group of nodes share.
pub(super) struct Averages<'a> {
    of: Of,
    set: Instructions,
    candidates: &'a [(PerNode, PerNode)],
    size: usize,
    shape: &'a Shape,
}

impl Averages<'_> {
    fn empty(&self) -> State {
        let mut state =
            State { sums: vec![[0.0; LANES]; self.size + 1], weights: Vec::new(), base: 0, joined: 0, exponent: 0.0 };
        match self.of {
            Of::Gains => {
                state.weights = vec![0.0; self.size + 1];
                state.weights[0] = 1.0;
            }
            Of::Products => state.sums[0] = [1.0; LANES],
        }
        state
    }

    /// Adds candidates `from .. to`.
    fn join(&self, state: &mut State, from: usize, to: usize) {
        let growth = self.shape.growth;
        for candidates in self.candidates[from..to].chunks((STEP / growth).max(1.0) as usize) {
            let (scale, bands, at) = (self.shape.scale, &self.shape.bands, (state.joined, state.base));
            match self.of {
                Of::Gains => kernel::join(self.set, candidates, scale, at, bands, &mut state.weights, &mut state.sums),
                Of::Products => kernel::join_products(self.set, candidates, scale, at, bands, &mut state.sums),
            }
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
        sums.map(|sum| {
            let average = (sum * factor).min(1.0);
            match self.of {
                Of::Gains => average,
                Of::Products => 1.0 - average,
            }
        })
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

#[cfg(test)]
mod tests {
    use super::super::tests::{by_recurrence, candidates};
    use super::*;
    use enclosures::probability::uniform;
    use enclosures::stream::stream;

    /// As [`checked`], for some candidates, the mean of whose `b` times `size` is `first` at the first node.
    fn drawn(set: Instructions, (count, size): (usize, usize), first: f64) -> (Regime, Gains) {
        let mut rng = stream(9, &["gains"]);
        let mut values: Vec<f64> = (0..count).map(|_| 0.4 + uniform(&mut rng)).collect();
        let factor = first * count as f64 / (size as f64 * values.iter().sum::<f64>());
        values.iter_mut().for_each(|b| *b *= factor);
        assert!(values.iter().all(|&b| b < 1.0), "{count} {size} {first}");
        checked(set, &values, size)
    }

    /// The gains of subsets of candidates with these `b` at the first of eight nodes, half as much at the next, and so on, the last fifth of which are
    /// left out one by one; and the regime.
    fn checked(set: Instructions, values: &[f64], size: usize) -> (Regime, Gains) {
        let count = values.len();
        let (all, shape, common) = (candidates(values), Shape::new(count, size), count - count / 5);
        let candidates = Candidates { set, all: &all, common, size, shape: &shape };
        let gains = candidates.gains(true);
        let slack = error(count, size) + 2.0 * f64::EPSILON * (count + 4 * size) as f64;
        for lane in 0..LANES {
            let at_node: Vec<f64> = values.iter().map(|b| b / (1u32 << lane) as f64).collect();
            let expected = by_recurrence(&at_node, size);
            let what = format!("{count} {size} {lane}");
            assert!((gains.full[lane] - expected).abs() <= slack * expected, "{what}");
            for at in [common, count - 1] {
                let mut others = at_node.clone();
                others.remove(at);
                let expected = by_recurrence(&others, size);
                let found = gains.without[at - common][lane];
                assert!((found - expected).abs() <= slack * expected, "{what}: {found} {expected}");
            }
        }
        (candidates.regime(), gains)
    }

    #[test]
    fn gains_are_what_they_are_in_every_regime() {
        let detect = Instructions::detect();
        let regime = |shape: (usize, usize), first: f64| drawn(detect, shape, first).0;
        assert!(matches!(regime((200, 20), 0.05), Regime::Series(_)));
        // Some nodes below a half, some above, or all below.
        assert!(matches!(regime((200, 20), 0.75), Regime::Both(small) if small == [true; LANES]));
        assert!(matches!(regime((400, 40), 6.0), Regime::Both(small) if !small[0] && small[7]));
        assert_eq!(regime((400, 360), 210.0), Regime::Products);
        // Few negatives, and subsets of nearly all candidates.
        assert_eq!(regime((90, 5), 0.9), Regime::Recurrence);
        assert_eq!(regime((90, 80), 1.3), Regime::Recurrence);
    }

    #[test]
    fn a_series_that_is_not_good_enough_is_not_used() {
        // One candidate makes nearly all of the gain; without it, little is left of what the bound is made of.
        for at in [7, 399] {
            let mut values = vec![1e-4; 400];
            values[at] = 0.9;
            let (all, shape) = (candidates(&values), Shape::new(400, 40));
            let candidates =
                Candidates { set: Instructions::detect(), all: &all, common: 320, size: 40, shape: &shape };
            let Regime::Both(small) = candidates.regime() else {
                panic!("{:?}", candidates.regime());
            };
            assert!(candidates.long_series(small).is_none());
            checked(Instructions::detect(), &values, 40);
        }
    }

    #[test]
    fn bits_of_gains_do_not_depend_on_instructions() {
        for (shape, first) in [((400, 40), 6.0), ((401, 360), 211.0), ((90, 5), 0.9)] {
            let of = |set| {
                let gains = drawn(set, shape, first).1;
                (gains.full, gains.without)
            };
            for set in Instructions::available() {
                assert_eq!(of(set), of(Instructions::Portable), "{set:?} {shape:?}");
            }
        }
    }
}
