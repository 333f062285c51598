//! `E log(1 + sum_{i<=N} e^{a_{Y_i} - a_P})` for any number `N` of draws, by a quadrature with a proven relative error.
//!
//! # The integral
//! With `log((A + B)/A) = int_0^inf e^{-tA} (1 - e^{-tB}) dt/t` and independent draws, the expectation over the `N` draws
//! is a power: for positives `P` with values `b_p = e^{a_p}`, draws `Y` with values `b_y = e^{a_y}`,
//!
//! `psi(t) = E e^{-t b_P}`, `phi(t) = E e^{-t b_Y}`, `G(t) = 1 - phi(t)^N`:  `L = int_0^inf psi(t) G(t) dt/t`.
//!
//! Every factor is positive, so that all positives are pooled at full relative accuracy, however small the loss.
//!
//! # The trapezoid rule and its error
//! Put `t = e^{v}` and sum over `v` in `v_0 + h Z`, `h = (log 2)/3`. On the line `Im v = y`, `|y| < pi/2`, `t` turns into
//! `z = t e^{iy}` with `Re z = t cos y`. Since `|phi(z)| <= phi(Re z)` and `|phi'(z)| <= |phi'(Re z)|`, writing
//! `1 - phi(z)^N = -int_0^1 d/ds phi(sz)^N ds` gives `|1 - phi(z)^N| <= (1 - phi(t cos y)^N) / cos y`. Together with
//! `|psi(z)| <= psi(t cos y)` and the invariance of `dt/t` under `t -> t cos y`, the integral of the modulus along that line
//! is at most `L / cos y`. The integrand is analytic in `|Im v| < pi/2`, and for `|Im v| <= a < pi/2` it tends to 0 at both ends
//! uniformly: it is at most `N t E b_Y / cos a` for small and `psi(t cos a) / cos a` for large `t`. So (Trefethen and
//! Weideman, *The exponentially convergent trapezoidal rule*, SIAM Review 56, theorem 5.1) the infinite sum is off by at most
//! `2 / (cos a (e^{2 pi a/h} - 1)) * L`; `a = pi/2 - h/(2 pi)` makes this `4.3e-17 L`, for every `N` and every law. Here it
//! is rounded up to [`TRAPEZOID`].
//!
//! # The ends
//! With `t_0` the first node: `G(t) <= N t E b_Y`, so `h sum_{t_k < t_0} <= N t_0 E b_Y * h/(e^h - 1) <= N t_0 E b_Y`, and
//! `t_0 = 2^-60 / (N max b)` makes this at most `2^-60/log 2` of `L`. Let `T` be a node with `T b_p >= 64` for all `p`, followed by
//! two more. `G` is concave with `G(0) = 0`, so `G(t) <= G(T) t/T` beyond; `t e^{-t b}` falls there, so its sum is at most its
//! integral, and the terms after those two add up to at most `G(T) psi(T)/64`.
//!
//! # Rounding
//! Nodes are `t_0 2^j 2^{i/3}`, and along a doubling chain `e = expm1(-t b)` obeys `e' = e (2 + e)`, which does not amplify
//! relative errors (the map has relative condition `(2 + 2e)/(2 + e) <= 1`) and adds two roundings; every sixteen steps `e` is
//! computed afresh. All `e` share their sign, so `S = phi - 1 = E e` keeps their accuracy. `G` is a concave function of `-S`
//! that vanishes at 0, so a relative error of `S` is not amplified in `G = -expm1(N log1p(S))`. `q = e^{-t b_p}` is `1 + e` up to
//! `t b_p = log 2` and squared from there on, which keeps its relative error below `t b_p (1.5 eta + 6u) + u`, `eta` being
//! that of `e`; the sum of `q t b_p` is carried along to bound this. Everything is summed with compensation.

use super::ContrastiveError;
use super::largest_draw::around_largest;
use super::positive_sums::{Compensated, relative_error, weighted_sum};
use super::scaled_law::{ScaledLaw, binary_exponent, scaled};
use enclosures::interval::Interval;

/// Relative error bound of the infinite trapezoid sum.
pub const TRAPEZOID: f64 = 5e-17;
/// Unit roundoff.
const U: f64 = f64::EPSILON / 2.0;
/// Doublings between two fresh evaluations of the exponentials.
const BLOCK: i64 = 16;
/// For a single draw the double sum is taken while its cost per logit, in softpluses, stays below that of the quadrature.
const DIRECT: usize = 40;
/// A possible value of a logit and its probability.
#[derive(Clone, Copy, Debug)]
pub struct WeightedLogit {
    /// Probability of the value.
    pub probability: Interval,
    /// The logit `a`, in nats.
    pub logit: Interval,
}

/// `E log(1 + sum_{i<=N} e^{a_{Y_i} - a_P})` for independent `P` from `positives` and `Y_1 .. Y_N` from `negatives`, one
/// interval for every `N` of `draws`. The probabilities of each list must add up to one.
///
/// The cost is about `200 + 4.3 log N + 4.3 (largest - smallest logit)` nodes, `positives.len() + negatives.len()`
/// multiplications each, shared by all `N`. Intervals are about `1e-14` wide, relatively, plus twice the width of the logits.
/// Where the logits are too large or too uncertain for the error analysis (beyond about `1e7`), what they are known to be is integrated
/// and the rest allowed for, and the loss lies within `log(1 + N)` above the excess of the largest draw: about as narrow as the
/// logits, or as `log(1 + N)`.
///
/// # Errors
/// [`ContrastiveError::Negatives`] unless every `N` lies between 1 and `2^53`; [`ContrastiveError::EmptyClass`] when a list is
/// empty (class 0 for the positives, 1 for the negatives).
pub fn expected_log_ratio(
    positives: &[WeightedLogit],
    negatives: &[WeightedLogit],
    draws: &[u64],
) -> Result<Vec<Interval>, ContrastiveError> {
    for &negatives in draws {
        if !(1..=1 << 53).contains(&negatives) {
            return Err(ContrastiveError::Negatives { negatives });
        }
    }
    for (class, list) in [positives, negatives].iter().enumerate() {
        if list.is_empty() {
            return Err(ContrastiveError::EmptyClass { class });
        }
    }
    let first = negatives[0].logit;
    if negatives.iter().all(|y| y.logit == first) {
        return Ok(draws.iter().map(|&n| one_value(positives, first, n as f64)).collect());
    }
    if draws == [1] && positives.len() * negatives.len() <= DIRECT * (positives.len() + negatives.len()) {
        return Ok(vec![one_draw(positives, negatives)]);
    }
    let refined = Integral::new(positives, negatives, draws).map(|integral| integral.evaluate());
    let values = match refined.filter(|values| values.iter().all(|v| v.is_finite())) {
        Some(values) => values,
        None => uncertain(positives, negatives, draws),
    };
    let crude = draws.iter().map(|&n| crude(positives, negatives, n as f64));
    Ok(values.into_iter().zip(crude).map(|(value, crude)| value.intersection(crude).unwrap_or(crude)).collect())
}

/// Negatives this far below every positive count as if they were no further: each of up to `2^53` draws changes the loss by at most
/// `e^-100`.
const NEGLIGIBLE: f64 = 100.0;

/// For logits beyond the error analysis. Their midpoints, negligible negatives moved closer, are an exact law; the loss of the true law
/// differs from its loss by at most twice the largest distance of a logit from its midpoint, since the partial derivatives of
/// `log(1 + sum_i e^{a_i - a})` in the `a_i` are non-negative and at most one together, as is the negative one in `a`.
fn uncertain(positives: &[WeightedLogit], negatives: &[WeightedLogit], draws: &[u64]) -> Vec<Interval> {
    let around = draws.iter().map(|&n| around_largest(positives, negatives, n as f64));
    let middle = |w: &WeightedLogit| w.logit.midpoint();
    let top = positives.iter().chain(negatives).map(middle).fold(f64::NEG_INFINITY, f64::max);
    let least = positives.iter().map(|w| (w.logit - top).midpoint()).fold(0.0, f64::min);
    let mut distance = 0.0f64;
    let mut exact = |list: &[WeightedLogit], floor: f64| -> Vec<WeightedLogit> {
        let one = |w: &WeightedLogit| {
            let shifted = w.logit - top;
            distance = distance.max(shifted.width());
            WeightedLogit { probability: w.probability, logit: Interval::point(shifted.midpoint().max(floor)) }
        };
        list.iter().map(one).collect()
    };
    let exact = (exact(positives, f64::NEG_INFINITY), exact(negatives, least - NEGLIGIBLE));
    let known = Integral::new(&exact.0, &exact.1, draws).map(|integral| integral.evaluate());
    match known {
        Some(values) => (values.into_iter().zip(around))
            .map(|(value, around)| value.widened_by(2.0 * distance + 1e-27).intersection(around).unwrap_or(around))
            .collect(),
        None => around.collect(),
    }
}

/// The plain double sum `E softplus(a_Y - a_P)` over one positive and one negative.
fn one_draw(positives: &[WeightedLogit], negatives: &[WeightedLogit]) -> Interval {
    let against = |p: &WeightedLogit| {
        let loss = |y: &WeightedLogit| (y.logit - p.logit).softplus() * y.probability;
        enclosures::interval::sum(&negatives.iter().map(loss).collect::<Vec<_>>()) * p.probability
    };
    enclosures::interval::sum(&positives.iter().map(against).collect::<Vec<_>>())
}

/// The closed form `log(1 + N e^{a - a_P})` when all negatives share one logit.
fn one_value(positives: &[WeightedLogit], logit: Interval, n: f64) -> Interval {
    let value = |p: Interval| {
        let difference = logit - p;
        if difference.hi() < 600.0 {
            (difference.exp() * n).ln_1p()
        } else {
            (Interval::point(n).ln() + difference).softplus()
        }
    };
    if positives.iter().all(|p| p.logit == positives[0].logit) {
        return value(positives[0].logit);
    }
    enclosures::interval::sum(&positives.iter().map(|p| value(p.logit) * p.probability).collect::<Vec<_>>())
}

fn crude(positives: &[WeightedLogit], negatives: &[WeightedLogit], n: f64) -> Interval {
    let least = positives.iter().map(|p| p.logit.lo()).fold(f64::INFINITY, f64::min);
    let most = negatives.iter().map(|y| y.logit.hi()).fold(f64::NEG_INFINITY, f64::max);
    let top = Interval::point(n).ln() + (Interval::point(most) - least);
    Interval::new(0.0, top.softplus().hi())
}

/// What one number of draws has gathered.
#[derive(Clone, Default)]
struct Gathered {
    sum: Compensated,
    /// `sum G(t) E[q t b_P]`, for the error of the squared exponentials.
    sensitivity: f64,
    /// `G` at the node before.
    gain: f64,
    /// The term at the last node of the unshifted chain.
    last: f64,
    /// The bound of everything below the first node.
    below: f64,
}

struct Integral<'a> {
    positives: ScaledLaw,
    negatives: ScaledLaw,
    draws: &'a [u64],
    first: i64,
    last: i64,
}

/// The state of all exponentials at one node.
struct Node {
    /// `expm1(-t b_y)` of the negatives.
    e: Vec<f64>,
    /// `t b_p`, `expm1(-t b_p)` and `exp(-t b_p)` of the positives.
    x: Vec<f64>,
    ep: Vec<f64>,
    q: Vec<f64>,
}

impl<'a> Integral<'a> {
    /// None where the error analysis does not apply.
    fn new(positives: &[WeightedLogit], negatives: &[WeightedLogit], draws: &'a [u64]) -> Option<Self> {
        let logits = || positives.iter().chain(negatives).map(|w| w.logit);
        if !logits().all(|a| a.is_finite() && a.magnitude() < 1e9) {
            return None;
        }
        let top = logits().map(|a| a.midpoint()).fold(f64::NEG_INFINITY, f64::max);
        let (positives, negatives) = (ScaledLaw::new(positives, top), ScaledLaw::new(negatives, top));
        let most = draws.iter().copied().max().unwrap_or(1);
        let first = -60 - i64::from(64 - most.leading_zeros());
        // The smallest j with 2^j b_p >= 65 for every positive.
        let reach = |(m, n): (&Interval, &i64)| 7 - n - binary_exponent(m.lo().max(f64::MIN_POSITIVE));
        let last = positives.mantissa.iter().zip(&positives.exponent).map(reach).max()?;
        (last - first < 1 << 33).then_some(Integral { positives, negatives, draws, first, last })
    }

    fn evaluate(&self) -> Vec<Interval> {
        let mut gathered = vec![Gathered::default(); self.draws.len()];
        let (mut start_error, mut least) = (0.0f64, f64::INFINITY);
        for phase in 0..3 {
            let (b_y, error_y) = self.negatives.phase(phase);
            let (b_p, error_p) = self.positives.phase(phase);
            start_error = start_error.max(error_y).max(error_p);
            least = least.min(self.chain(phase == 0, &b_y, &b_p, &mut gathered));
        }
        gathered.iter().map(|g| self.enclose(g, start_error, least)).collect()
    }

    /// Walks one chain of doublings; answers with the smallest `|S|` met.
    fn chain(&self, unshifted: bool, b_y: &[f64], b_p: &[f64], gathered: &mut [Gathered]) -> f64 {
        let mut node = Node {
            e: vec![0.0; b_y.len()],
            x: vec![0.0; b_p.len()],
            ep: vec![0.0; b_p.len()],
            q: vec![0.0; b_p.len()],
        };
        let (mut s_before, mut least) = (f64::NAN, f64::INFINITY);
        let mut j = self.first;
        while j <= self.last {
            let idle = self.refresh(&mut node, j, b_y, b_p);
            let steps = BLOCK.min(self.last - j + 1);
            let repeats = if idle >= BLOCK { (idle / BLOCK).min((self.last - j) / BLOCK) } else { 0 };
            for step in 0..if repeats > 0 { 1 } else { steps } {
                if step > 0 {
                    node.double();
                }
                let s = (-weighted_sum(&self.negatives.probability, &node.e)).min(1.0);
                let psi = weighted_sum(&self.positives.probability, &node.q);
                let chi: f64 =
                    (self.positives.probability.iter().zip(&node.q).zip(&node.x)).map(|((p, q), x)| p * q * x).sum();
                least = least.min(s);
                let rate = if s == s_before { 0.0 } else { core_math::log1p(-s) };
                for (g, &n) in gathered.iter_mut().zip(self.draws) {
                    if s != s_before {
                        g.gain = -core_math::expm1(n as f64 * rate);
                    }
                    let count = if repeats > 0 { (repeats * BLOCK) as f64 } else { 1.0 };
                    g.sum.add(psi * g.gain * count);
                    g.sensitivity += chi * g.gain * count;
                    if unshifted {
                        g.last = psi * g.gain;
                        if j == self.first && step == 0 {
                            g.below = 1.1 * n as f64 * (s + 1e-290);
                        }
                    }
                }
                s_before = s;
            }
            j += if repeats > 0 { repeats * BLOCK } else { steps };
        }
        least
    }

    /// Computes all exponentials at `t = 2^j` afresh. Answers for how many doublings nothing will change: those atoms that
    /// are not used up yet stay so small that they change `S` and `psi` by less than `2^-60`, relatively.
    fn refresh(&self, node: &mut Node, j: i64, b_y: &[f64], b_p: &[f64]) -> i64 {
        let mut used_up = 0.0;
        for (i, (e, &b)) in node.e.iter_mut().zip(b_y).enumerate() {
            *e = core_math::expm1(-scaled(b, self.negatives.exponent[i] + j));
            if *e == -1.0 {
                used_up += self.negatives.probability[i];
            }
        }
        // Subnormal or zero, the weight of the used up atoms asks for an exponent that is never reached.
        let asked = -62 + binary_exponent(used_up).max(-1023);
        let wait = |k: i64, b: f64| asked - k - binary_exponent(b) - 1;
        let mut idle = if used_up > 0.0 { i64::MAX } else { 0 };
        for (i, &b) in b_y.iter().enumerate().filter(|(i, _)| node.e[*i] != -1.0) {
            idle = idle.min(wait(self.negatives.exponent[i] + j, b));
        }
        for (i, &b) in b_p.iter().enumerate() {
            let k = self.positives.exponent[i] + j;
            let x = scaled(b, k);
            (node.x[i], node.ep[i]) = (x, core_math::expm1(-x));
            node.q[i] = if node.ep[i] > -0.5 { 1.0 + node.ep[i] } else { core_math::exp(-x) };
            if node.q[i] != 0.0 {
                idle = idle.min(wait(k, b));
            }
        }
        idle
    }

    /// From the gathered sums to an interval around the integral; see the module's account of the errors.
    fn enclose(&self, g: &Gathered, start_error: f64, least: f64) -> Interval {
        let unseen = 1e-290 / least;
        // exp or expm1, then fifteen doublings of two roundings each.
        let eta = 1.01 * (start_error + 32.0 * U);
        let of_s = eta + self.negatives.blur + relative_error(self.negatives.probability.len()) + unseen;
        let of_psi = self.positives.blur + relative_error(self.positives.probability.len()) + U;
        let relative = 1.01 * (of_s + of_psi + 10.0 * U + TRAPEZOID);
        if !(start_error < 1e-7 && relative < 1e-3) {
            return Interval::new(0.0, f64::INFINITY);
        }
        let sum = g.sum.value();
        let absolute = 1.02 * (1.5 * eta + 6.0 * U) * g.sensitivity + 1e-290;
        let step = Interval::point(2.0).ln() / 3.0;
        let body = Interval::point(sum).widened_by(1.01 * (relative * sum + absolute)) * step;
        let ends = 1.01 * (g.below + g.last / 64.0) + 1e-290;
        let total = body + Interval::new(0.0, ends);
        Interval::new(total.lo().max(0.0), total.hi())
    }
}

impl Node {
    /// From `t` to `2t`.
    fn double(&mut self) {
        for e in &mut self.e {
            *e *= 2.0 + *e;
        }
        for ((x, e), q) in self.x.iter_mut().zip(&mut self.ep).zip(&mut self.q) {
            *x = (*x + *x).min(1e300);
            *e *= 2.0 + *e;
            *q = if *e > -0.5 { 1.0 + *e } else { *q * *q };
        }
    }
}
