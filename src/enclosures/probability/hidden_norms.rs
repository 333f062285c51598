//! The law of the norms of hidden vectors of a random ReLU network.
//!
//! With independent weights `N(0, 2/m)` and given the layer before, `||h_l||^2 / ||h_{l-1}||^2 = (2/m) chi^2_B` with
//! `B ~ Binomial(m, 1/2)`, independent over the layers, the first included (`h_{-1} = x`, of norm one). The mean of an
//! increment is 1, its variance `5/m`, and it vanishes with probability `2^-m`.

use std::sync::OnceLock;

use rand::Rng;

use super::binomial::{Binomial, ln_factorial};
use super::standard_normal::{FEW, fair_binomial, half_turns, standard_normal, standard_normal_pair, uniform};
use crate::interval::Interval;
use crate::kernels::{PAIRS, Polar};
use crate::work;

/// Up to this many degrees of freedom a chi-square number is a sum of squares.
const SUM_OF_SQUARES: u32 = 12;
/// Widest layer whose increment law is computed.
const WIDTH_LIMIT: u32 = 10_000_000;
/// Below this `e^{-h}` has lost its relative accuracy, or soon will.
const TINY_DECAY: f64 = 1e-290;
/// Numbers of active neurons less likely than this are bounded, not summed.
const NEGLIGIBLE: f64 = 1e-30;

/// A draw of `chi^2_k`; zero for `k = 0`. Sums of squared normals for small `k`, otherwise twice a gamma number of shape
/// `k/2` by the rejection method of Marsaglia and Tsang (2000). The same bits on every machine.
pub fn chi_square<R: Rng + ?Sized>(rng: &mut R, freedom: u32) -> f64 {
    if freedom <= SUM_OF_SQUARES {
        let mut total = 0.0;
        for index in 0..freedom.div_ceil(2) {
            let (a, b) = standard_normal_pair(rng);
            total += a * a;
            if 2 * index + 2 <= freedom {
                total += b * b;
            }
        }
        return total;
    }
    let law = Gamma::of_half(freedom);
    loop {
        let (x, threshold) = (standard_normal(rng), uniform(rng));
        if let Some(found) = law.kept(x, threshold) {
            return found;
        }
    }
}

/// The bits of as many calls of [`chi_square`], sooner, and the generator where these leave it: every proposal takes the same number of
/// words, so that the normal numbers of as many proposals as are wanted at least can be made together.
pub fn chi_squares<R: Rng + ?Sized>(rng: &mut R, freedoms: &[u32]) -> Vec<f64> {
    let mut found = Vec::with_capacity(freedoms.len());
    let mut polar = None;
    while let Some(&next) = freedoms.get(found.len()) {
        let wanted = freedoms[found.len()..].iter().take_while(|&&f| f > SUM_OF_SQUARES);
        let proposals = wanted.take(PAIRS).count();
        if proposals < FEW {
            found.push(chi_square(rng, next));
            continue;
        }
        let (mut fractions, mut angles, mut thresholds) = ([1.0; PAIRS], [0.0; PAIRS], [0.0; PAIRS]);
        for i in 0..proposals {
            (fractions[i], angles[i]) = (uniform(rng), half_turns(rng));
            thresholds[i] = uniform(rng);
        }
        let polar = polar.get_or_insert(Polar::EMPTY);
        let pairs = polar.normal_pairs(&fractions, &angles, proposals);
        for (pair, threshold) in pairs.iter().zip(thresholds).take(proposals) {
            // What is refused is proposed again for the same number.
            found.extend(Gamma::of_half(freedoms[found.len()]).kept(pair[0], threshold));
        }
    }
    found
}

/// The rejection method for a chi-square number: `d` and `c = 1 / sqrt(9 d)`.
struct Gamma {
    d: f64,
    c: f64,
}

impl Gamma {
    /// That of so many degrees of freedom.
    fn of_half(freedom: u32) -> Self {
        let d = 0.5 * f64::from(freedom) - 1.0 / 3.0;
        Gamma { d, c: 1.0 / (9.0 * d).sqrt() }
    }

    /// The chi-square number that a normal number and a uniform one propose, unless it is refused.
    fn kept(&self, x: f64, threshold: f64) -> Option<f64> {
        let root = 1.0 + self.c * x;
        if root <= 0.0 {
            return None;
        }
        let v = root * root * root;
        let kept = surely_kept(self.d, x, threshold) || is_kept(self.d, x, v, threshold);
        kept.then_some(2.0 * self.d * v)
    }
}

/// Whether the normal number `x`, with `v = (1 + x / sqrt(9 d))^3`, is one of those that are kept.
fn is_kept(d: f64, x: f64, v: f64, threshold: f64) -> bool {
    core_math::log(threshold) < 0.5 * x * x + d - d * v + d * core_math::log(v)
}

/// Marsaglia and Tsang's bound for most of what is kept, `1 - 0.0331 x^4 < e^{x^2/2 + d - d v + d log v}`, by more than the right-hand side is
/// rounded by: to say so without a logarithm.
fn surely_kept(d: f64, x: f64, threshold: f64) -> bool {
    let square = x * x;
    threshold < 1.0 - 0.0331 * square * square - 1e-14 * (1.0 + d)
}

/// Norms `||h_0||, ||h_1||, ...` of one random network of width `m` on an input of norm one, in law, without end: two
/// scalars per layer instead of a matrix. Width zero gives zeros.
pub fn hidden_norms<R: Rng + ?Sized>(rng: &mut R, width: u32) -> impl Iterator<Item = f64> + '_ {
    let mut squared = 1.0;
    std::iter::repeat_with(move || {
        let active = fair_binomial(rng, width);
        squared *= chi_square(rng, active) * 2.0 / f64::from(width.max(1));
        f64::sqrt(squared)
    })
}

/// `P(all L norms are positive) = (1 - 2^-m)^L`, exactly as an interval.
///
/// A bound on what can be promised: whatever asks for norms in `[1 - eps, 1 + eps]`, `eps < 1`, holds with at most this
/// probability, which for a fixed width tends to zero exponentially in the depth.
#[must_use]
pub fn all_positive(width: u32, layers: u32) -> Interval {
    if layers == 0 {
        return Interval::ONE;
    }
    if width == 0 {
        return Interval::ZERO;
    }
    let dead = Interval::point(0.5).powi(i64::from(width));
    ((-dead).ln_1p() * f64::from(layers)).exp()
}

/// The law of the squared-norm increment `(2/m) chi^2_B`, `B ~ Binomial(m, 1/2)`, of a layer of width `m`.
///
/// The survival functions of the chi-square laws follow from each other by positive terms: `Q_1 = erfc(sqrt(y/2))`,
/// `Q_2 = e^{-y/2}`, `Q_{k+2} = Q_k + (y/2)^{k/2} e^{-y/2} / Gamma(k/2 + 1)`.
#[derive(Clone, Debug)]
pub struct IncrementLaw {
    width: u32,
    /// `P(B = k)` for `k = 0 ..= m`; empty beyond the widest layer.
    masses: Vec<Interval>,
    /// `log Gamma(k/2 + 1)` for `k = 1 ..= m` and the work that each counts as, once they were asked for.
    log_gammas: OnceLock<Vec<(Interval, u64)>>,
}

impl IncrementLaw {
    /// The law for a width; nothing is known (every probability is [0, 1]) beyond a width of 10^7. Width zero puts
    /// everything at zero.
    #[must_use]
    pub fn new(width: u32) -> Self {
        let masses =
            if width > WIDTH_LIMIT { Vec::new() } else { Binomial::masses(width as usize, Interval::point(0.5)) };
        IncrementLaw { width, masses, log_gammas: OnceLock::new() }
    }

    /// `P((2/m) chi^2_B <= x)`, non-decreasing and enclosed for every number in the interval, with absolute accuracy about
    /// `1e-13`. Time proportional to the width.
    #[must_use]
    pub fn cdf(&self, x: Interval) -> Interval {
        let (low, work) = work::counted(|| self.at(x.lo()));
        work::spend(work);
        if x.lo() == x.hi() {
            // Counted as the two evaluations that any other interval takes.
            work::spend(work);
            return low;
        }
        Interval::new(low.lo(), self.at(x.hi()).hi())
    }

    fn at(&self, x: f64) -> Interval {
        let Some(&dead) = self.masses.first() else {
            return Interval::new(0.0, 1.0);
        };
        if x < 0.0 {
            return Interval::ZERO;
        }
        if x == 0.0 {
            return dead;
        }
        if x == f64::INFINITY {
            return Interval::ONE;
        }
        let half = Interval::point(x) * f64::from(self.width) / 4.0;
        let mut survivals = chi_square_survivals(half, |k| self.log_gamma(k));
        let mut survival = Interval::ZERO;
        let mut neglected = Interval::ZERO;
        for &mass in &self.masses[1..] {
            let current = survivals();
            if mass.hi() < NEGLIGIBLE {
                neglected += mass;
            } else {
                survival += mass * current;
            }
        }
        survival += Interval::new(0.0, neglected.hi());
        (Interval::ONE - survival).max(dead).min(Interval::ONE)
    }

    /// `log Gamma(k/2 + 1)` for `k = 1 ..= m`: looked up, and counted as if it were computed.
    fn log_gamma(&self, k: u64) -> Interval {
        let all = self.log_gammas.get_or_init(|| {
            let widest = u64::from(self.width);
            work::counted(|| (1..=widest).map(|k| work::counted(|| log_gamma(k))).collect()).0
        });
        let (log, cost) = all[k as usize - 1];
        work::spend(cost);
        log
    }
}

/// `P(chi^2_k > 2 half)` for `k = 1, 2, 3, ...`, one with every call, given `log Gamma(k/2 + 1)`.
fn chi_square_survivals(half: Interval, log_gamma: impl Fn(u64) -> Interval) -> impl FnMut() -> Interval {
    let decay = (-half).exp();
    let root = half.sqrt();
    // Survival for the current odd and even k, and what leads from k to k + 2.
    let mut survivals = [error_function_complement(root), decay];
    let mut terms = [decay * root * 2.0 / Interval::pi().sqrt(), decay * half];
    let (log_half, cost) = work::counted(|| half.ln());
    let mut k = 0u64;
    move || {
        k += 1;
        let parity = usize::from(k.is_multiple_of(2));
        let answer = survivals[parity].min(Interval::ONE);
        if decay.lo() < TINY_DECAY {
            work::spend(cost);
            // h^{k/2} e^{-h} / Gamma(k/2 + 1) through logarithms, as e^{-h} underflows.
            terms[parity] = (log_half * (k as f64 / 2.0) - half - log_gamma(k)).exp();
        }
        survivals[parity] += terms[parity];
        terms[parity] = terms[parity] * half / (k as f64 / 2.0 + 1.0);
        answer
    }
}

/// `log Gamma(k/2 + 1)`. For odd `k = 2i - 1` the gamma function is `Gamma(i + 1/2) = (2i)! sqrt(pi) / (4^i i!)`.
fn log_gamma(k: u64) -> Interval {
    let i = k.div_ceil(2);
    if k.is_multiple_of(2) {
        ln_factorial(i)
    } else {
        ln_factorial(2 * i) + Interval::pi().ln() / 2.0 - Interval::point(4.0).ln() * i as f64 - ln_factorial(i)
    }
}

/// `erfc`, decreasing and correctly rounded; one step outward.
fn error_function_complement(x: Interval) -> Interval {
    let (low, high) = (core_math::erfc(x.hi()), core_math::erfc(x.lo()));
    Interval::new(low.next_down().max(0.0), high.next_up().min(2.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use statrs::distribution::{ChiSquared, ContinuousCDF};

    #[test]
    fn many_are_the_bits_of_one_by_one_and_leave_the_generator_where_these_do() {
        let freedoms: [Vec<u32>; 4] = [
            (0..90).rev().collect(),
            vec![13; 200],
            (0..80).map(|k| if k % 2 == 0 { 1000 - k } else { 40 - k.min(40) }).collect(),
            vec![20, 21, 5, 30],
        ];
        for freedoms in freedoms {
            let (mut together, mut apart) = (ChaCha8Rng::seed_from_u64(4), ChaCha8Rng::seed_from_u64(4));
            let expected: Vec<f64> = freedoms.iter().map(|&f| chi_square(&mut apart, f)).collect();
            assert_eq!(chi_squares(&mut together, &freedoms), expected);
            assert_eq!(uniform(&mut together), uniform(&mut apart));
        }
    }

    #[test]
    fn chi_square_has_its_law() {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        for freedom in [1u32, 2, 5, 12, 13, 40, 1000] {
            let law = ChiSquared::new(f64::from(freedom)).unwrap();
            let (count, mut below, mut mean) = (20_000, [0u32; 3], 0.0);
            let levels = [0.1, 0.5, 0.9];
            for _ in 0..count {
                let x = chi_square(&mut rng, freedom);
                mean += x / f64::from(count);
                let p = law.cdf(x);
                for (tally, level) in below.iter_mut().zip(levels) {
                    *tally += u32::from(p <= level);
                }
            }
            assert!((mean / f64::from(freedom) - 1.0).abs() < 6.0 * (2.0 / f64::from(freedom * 20_000)).sqrt());
            for (tally, level) in below.iter().zip(levels) {
                assert!((f64::from(*tally) / f64::from(count) - level).abs() < 0.018, "{freedom} {level}");
            }
        }
        assert_eq!(chi_square(&mut rng, 0), 0.0);
    }

    /// The bound decides for nearly all, and never otherwise than the logarithms.
    #[test]
    fn what_is_surely_kept_is_kept() {
        let mut rng = ChaCha8Rng::seed_from_u64(13);
        for freedom in [13u32, 14, 40, 1000, 1_000_000] {
            let d = 0.5 * f64::from(freedom) - 1.0 / 3.0;
            let (count, mut sure) = (20_000, 0);
            for i in 0..count {
                let x = standard_normal(&mut rng);
                // The largest threshold that the bound lets pass, and its neighbours, too.
                let square = x * x;
                let edge = 1.0 - 0.0331 * square * square - 1e-14 * (1.0 + d);
                let threshold = [uniform(&mut rng), edge, edge.next_down(), edge - 1e-9][i % 4];
                let root = 1.0 + x / (9.0 * d).sqrt();
                if root > 0.0 && threshold > 0.0 && surely_kept(d, x, threshold) {
                    assert!(is_kept(d, x, root * root * root, threshold), "{freedom} {x} {threshold}");
                    sure += u32::from(i % 4 == 0);
                }
            }
            assert!(sure > count as u32 / 4 * 8 / 10, "{freedom}: {sure}");
        }
    }

    #[test]
    fn far_tails_are_thinned_as_the_method_asks() {
        // The smallest number of degrees that is drawn by rejection: there the proposals differ most from the law.
        let (freedom, count) = (SUM_OF_SQUARES + 1, 1_000_000);
        let law = ChiSquared::new(f64::from(freedom)).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(12);
        let (low, high) = (law.inverse_cdf(1e-3), law.inverse_cdf(1.0 - 1e-3));
        let (mut below, mut above) = (0i32, 0i32);
        for _ in 0..count {
            let x = chi_square(&mut rng, freedom);
            below += i32::from(x < low);
            above += i32::from(x > high);
        }
        // A thousand either way, and a standard deviation of 32.
        assert!((below - 1000).abs() < 160 && (above - 1000).abs() < 160, "{below} {above}");
    }

    #[test]
    fn increment_law_in_closed_form() {
        // m = 1: half an atom at zero, half of 2 chi^2_1. m = 2: a quarter, a half of chi^2_1, a quarter of chi^2_2.
        for x in [0.01, 0.3, 1.0, 4.0, 20.0] {
            let one = 0.5 + 0.5 * core_math::erf((x / 4.0f64).sqrt());
            let enclosure = IncrementLaw::new(1).cdf(Interval::point(x));
            assert!((enclosure.midpoint() - one).abs() < 1e-15 && enclosure.width() < 1e-14);
            let two = 0.25 + 0.5 * core_math::erf((x / 2.0f64).sqrt()) - 0.25 * core_math::expm1(-x / 2.0);
            assert!((IncrementLaw::new(2).cdf(Interval::point(x)).midpoint() - two).abs() < 1e-15);
        }
        assert_eq!(IncrementLaw::new(3).cdf(Interval::ZERO), Interval::point(0.125));
        assert_eq!(IncrementLaw::new(3).cdf(Interval::point(-1.0)), Interval::ZERO);
    }

    #[test]
    fn increment_law_against_a_peer() {
        for width in [3u32, 10, 57, 200] {
            let masses = Binomial::masses(width as usize, Interval::point(0.5));
            for x in [0.2, 0.8, 1.0, 1.5] {
                let peer: f64 = masses
                    .iter()
                    .enumerate()
                    .map(|(b, mass)| {
                        let cdf = match b {
                            0 => 1.0,
                            b => ChiSquared::new(b as f64).unwrap().cdf(x * f64::from(width) / 2.0),
                        };
                        mass.midpoint() * cdf
                    })
                    .sum();
                let own = IncrementLaw::new(width).cdf(Interval::point(x));
                assert!((own.midpoint() - peer).abs() < 1e-9 && own.width() < 1e-12, "{width} {x} {own:?} {peer}");
            }
        }
    }

    #[test]
    fn wide_layers() {
        // The increment has mean 1 and variance 5/m: at its mean the law is near one half.
        for width in [2_500, 3_500, 20_000] {
            let law = IncrementLaw::new(width);
            let p = law.cdf(Interval::ONE);
            assert!(p.width() < 1e-9 && (p.midpoint() - 0.5).abs() < 0.05, "{width} {p:?}");
            let far = law.cdf(Interval::point(1.0 + 3.0 * (5.0 / f64::from(width)).sqrt()));
            assert!((far.midpoint() - 0.99865).abs() < 2e-3, "{width} {far:?}");
        }
        assert_eq!(IncrementLaw::new(u32::MAX).cdf(Interval::ONE), Interval::new(0.0, 1.0));
    }

    #[test]
    fn dead_layers() {
        assert!(all_positive(1, 10).contains(1.0 / 1024.0));
        assert!(all_positive(1, 10).width() < 1e-15);
        assert_eq!((all_positive(0, 3), all_positive(5, 0)), (Interval::ZERO, Interval::ONE));
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let alive = (0..20_000).filter(|_| hidden_norms(&mut rng, 2).take(3).all(|x| x > 0.0)).count();
        assert!((alive as f64 / 20_000.0 - 27.0 / 64.0).abs() < 0.018);
    }
}
