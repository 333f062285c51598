//! Cauchy's integral for `p_cc(N)`, with every error bounded.
//!
//! `G(z) = e^z prod_c (1 - e^{-rho_c z}) = sum_j p_cc(j) z^j / j!` has non-negative coefficients. So for every
//! `r > 0`, `p_cc(N) = (N! / r^N) G(r) P(X = N)`, where `X` takes the value `j` with probability
//! `p_cc(j) r^j / (j! G(r))`: a sum of independent Poisson variables conditioned on being positive, of parameters
//! `l_c = rho_c r` (and an unconditioned one for what `sum rho_c` misses to one). The root `r` of `E X = N` centres
//! it. The mean of the characteristic function `G(r e^{it})/G(r) e^{-iNt}` over `n` equally spaced angles is
//! `P(X = N mod n)`, so that there are three errors.
//!
//! * *Aliasing*: at most `P(|X - N| >= n)`. The variance of `X` at parameter `r` is at most `r`, since that of each
//!   part, `l (1 - q - l q)/(1 - q)^2` with `q = e^{-l}`, is at most `l` (this is `1 - l <= q`). Tilting by `e^{sX}`
//!   is the change of `r` to `r e^s`; so the logarithm of the moment generating function of `X - E X` has second
//!   derivative at most `r e^s` in `s`, and by Chernoff's bound `P(X - E X >= t) <= exp(-r h(t/r))`,
//!   `h(u) = (1+u) log(1+u) - u`, and `P(X - E X <= -t) <= exp(-t^2/(2r))`.
//! * *Angles left out*: from the product `e^w - 1 = w e^{w/2} prod_k (1 + w^2/(2 pi k)^2)`, the characteristic
//!   function of a part has modulus `exp(-l sin^2(t/2)) prod_k (1 - v_k sin^2 t)^{1/2}`, `v_k = 4 y^2/(1 + y^2)^2`,
//!   `y = 2 pi k/l`, and `sum_k v_k = v - l/2` with `v` the variance. Hence
//!   `|G(r e^{it})/G(r)| <= exp(-r sin^2(t/2) - (V - r/2) sin^2(t)/2)`, where `V - r/2` sums the `v_c - l_c/2 >= 0`;
//!   about twenty angles remain for every `N`.
//! * *Rounding*: [`Disc`] arithmetic in twice the working precision.
//!
//! `N! e^r r^{-N}` is the inverse of a Poisson probability, written by Stirling's series as
//! `sqrt(2 pi N) exp(1/(12N) - ... + N (x - log(1 + x)))`, `r = N (1 + x)`, where nothing large cancels.

use super::disc::Disc;
use crate::interval::{DoubleDouble, power_of_two};

/// Relative error asked of aliasing and truncation, as a power of `e`.
const DECAY: f64 = 56.0;
/// Exponents beyond this contribute less than `1e-35`.
const FAR: f64 = 80.0;
/// Stirling's series is used from here on.
const STIRLING: u64 = 64;
/// `B_{2k}/(2k (2k - 1))`.
const STIRLING_SERIES: [(f64, f64); 10] = [
    (1.0, 12.0),
    (-1.0, 360.0),
    (1.0, 1260.0),
    (-1.0, 1680.0),
    (1.0, 1188.0),
    (-691.0, 360_360.0),
    (1.0, 156.0),
    (-3617.0, 122_400.0),
    (43_867.0, 244_188.0),
    (-174_611.0, 125_400.0),
];

/// A logarithm and how far off it may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Logarithm {
    pub(super) value: DoubleDouble,
    pub(super) error: f64,
}

/// `log p_cc(draws)` for classes of these probabilities, all positive and at most one in total, with how many share
/// each. There must be at least as many draws as classes, and at most `2^53`. Nothing if the sum fails to be
/// positive, which has not been seen.
pub(super) fn log_covered(groups: &[(DoubleDouble, u64)], draws: u64) -> Option<Logarithm> {
    let classes: u64 = groups.iter().map(|g| g.1).sum();
    let shares =
        groups.iter().fold(Disc::ONE, |p, (rho, m)| p.times(Disc::new(*rho, DoubleDouble::ZERO, 0.0).power(*m)));
    if draws == classes {
        // N! times the product of the probabilities.
        let whole =
            (1..=draws).fold(shares, |p, k| p.times(Disc::new(DoubleDouble::from_integer(k), DoubleDouble::ZERO, 0.0)));
        return logarithm_of(whole, DoubleDouble::ZERO, 0.0);
    }
    let saddle = Saddle::new(groups, classes, draws);
    let (mean, scale) = saddle.mean(groups)?;
    let (poisson, error) = inverse_poisson(draws, saddle.radius);
    logarithm_of(Disc { exponent: scale, ..mean }, poisson, error)
}

/// The logarithm of the positive real number in a disc, plus another one.
fn logarithm_of(disc: Disc, other: DoubleDouble, error: f64) -> Option<Logarithm> {
    let relative = 2.0 * disc.radius / disc.re.hi();
    if !(disc.re.hi() > 0.0 && relative < 1e-6) {
        return None;
    }
    let binary = DoubleDouble::LN_2 * disc.exponent as f64;
    let own = disc.re.ln();
    let size = binary.hi().abs() + own.hi().abs() + other.hi().abs() + 1.0;
    Some(Logarithm { value: own + binary + other, error: relative + error + 4.0 * DoubleDouble::ERROR * size })
}

/// Where the circle of integration lies, and the numbers that bound the integrand there.
struct Saddle {
    draws: u64,
    classes: u64,
    /// Radius `r` of the circle.
    radius: f64,
    /// A lower bound of `V - r/2`.
    excess: f64,
}

impl Saddle {
    /// Newton's method for `E X = r + sum l_c/(e^{l_c} - 1) = N` from the right, where a convex function lets it
    /// converge monotonically. Nothing depends on how close it comes but the number of angles.
    fn new(groups: &[(DoubleDouble, u64)], classes: u64, draws: u64) -> Self {
        let target = draws as f64;
        let mut radius = target;
        for _ in 0..60 {
            let (mut mean, mut slope) = (radius, 1.0);
            for (rho, count) in groups {
                let (l, count) = (rho.hi() * radius, *count as f64);
                if l < 1e-4 {
                    mean += count * (1.0 - 0.5 * l);
                    slope -= 0.5 * count * rho.hi();
                } else if l < FAR {
                    let e = core_math::expm1(l);
                    mean += count * l / e;
                    slope += count * rho.hi() * (e - l * (e + 1.0)) / (e * e);
                }
            }
            let next = radius - (mean - target) / slope.max(0.25);
            let close = (next - radius).abs() < 1e-9 * radius;
            // E X <= r + N_C.
            radius = next.clamp((draws - classes) as f64, target);
            if close {
                break;
            }
        }
        let excess = groups.iter().map(|(rho, count)| {
            let l = rho.hi() * radius;
            if l < 0.1 {
                return 0.0;
            }
            let q = core_math::exp(-l);
            let variance = l * (1.0 - q - l * q) / ((1.0 - q) * (1.0 - q));
            *count as f64 * (0.999 * variance - 0.5 * l).max(0.0)
        });
        Saddle { draws, classes, radius, excess: 0.999 * excess.sum::<f64>() }
    }

    /// How far the mean of `X` may be from the number of draws.
    fn offset(&self, groups: &[(DoubleDouble, u64)]) -> f64 {
        let mean: f64 = groups
            .iter()
            .map(|(rho, count)| {
                let l = rho.hi() * self.radius;
                let part = if l < 1e-300 { 1.0 } else { l / core_math::expm1(l) };
                *count as f64 * part
            })
            .sum();
        // The parts are at most one each, so that their rounding is far below this.
        (self.radius + mean - self.draws as f64).abs() + 1e-12 * self.draws as f64
    }

    /// A bound of the characteristic function that decreases in the angle, up to a quarter turn and from there on.
    fn bound(&self, angle: f64) -> f64 {
        let half = core_math::sin(0.5 * angle);
        let mut exponent = self.radius * half * half;
        if angle < 1.57 {
            let sine = core_math::sin(angle);
            exponent += 0.5 * self.excess * sine * sine;
        }
        core_math::exp(-0.999 * exponent)
    }

    /// `P(|X - N| >= n)`, bounded.
    fn aliasing(&self, angles: f64, offset: f64) -> f64 {
        let (r, t) = (self.radius, (angles - offset).max(0.0));
        let above = r * ((1.0 + t / r) * core_math::log1p(t / r) - t / r);
        let below = t * t / (2.0 * r);
        let lower = if angles > (self.draws - self.classes) as f64 { 0.0 } else { core_math::exp(-0.999 * below) };
        core_math::exp(-0.999 * above) + lower
    }

    /// `G(r e^{it}) e^{-r - iNt}` averaged over the angles: a disc around `e^{-r} G(r) P(X = N)`, and its binary
    /// exponent.
    fn mean(&self, groups: &[(DoubleDouble, u64)]) -> Option<(Disc, i64)> {
        let r = self.radius;
        let wanted = core_math::exp(-DECAY) / (1.0 + 2.6 * r.sqrt());
        let offset = self.offset(groups);
        let mut width = 2.0;
        while self.aliasing(width, offset) > wanted {
            width *= 1.02;
        }
        let angles = 2 * (width.ceil() as u64 / 2) + 1;
        let mut beyond = self.aliasing(angles as f64, offset);
        let first = self.at(groups, DoubleDouble::ZERO);
        let (mut total, mut radius) = (first.re, first.radius);
        for k in 1..=angles / 2 {
            let angle = DoubleDouble::PI * (2 * k) as f64 / DoubleDouble::from_integer(angles);
            // What is left out from here on, both sides counted: fewer than a quarter of all angles lie before
            // the quarter turn on each, at most one more beyond it.
            let left = if angle.hi() < 1.57 {
                0.5 * self.bound(angle.hi()) + 1.5 * self.bound(1.57)
            } else {
                1.5 * self.bound(angle.hi())
            };
            if left < wanted {
                beyond += left;
                break;
            }
            let term = self.at(groups, angle);
            let shift = term.exponent - first.exponent;
            if shift > 900 {
                return None;
            }
            let power = if shift < -900 { 0.0 } else { 2.0 * power_of_two(shift as i32) };
            total = total + term.re.scaled(power);
            radius += term.radius * power + 1e-250;
        }
        let count = DoubleDouble::from_integer(angles);
        let mean = Disc {
            re: total / count,
            im: DoubleDouble::ZERO,
            radius: 1.001 * (radius / angles as f64 + first.modulus() * beyond)
                + 100.0 * DoubleDouble::ERROR * first.modulus(),
            exponent: 0,
        };
        Some((mean, first.exponent))
    }

    /// `e^{r (e^{it} - 1) - iNt} prod_c (1 - e^{-rho_c r e^{it}})`.
    fn at(&self, groups: &[(DoubleDouble, u64)], angle: DoubleDouble) -> Disc {
        let (half_sine, half_cosine) = angle.scaled(0.5).sin_cos();
        let sine = (half_sine * half_cosine).scaled(2.0);
        let cosine = (half_sine * half_sine).scaled(-2.0) + 1.0;
        let turn = angle * DoubleDouble::from_integer(self.draws);
        let (phase, damping) = (sine * self.radius - turn, (half_sine * half_sine) * (-2.0 * self.radius));
        let ((amplitude, _), (s, c)) = damping.exponentials_and_sin_cos(phase);
        let size = 1.0 + damping.hi().abs() + self.radius * sine.hi().abs() + turn.hi().abs();
        let mut product =
            Disc::new(amplitude * c, amplitude * s, 8.0 * DoubleDouble::ERROR * size * amplitude.hi() + 1e-300);
        for (rho, count) in groups {
            let l = *rho * self.radius;
            let (a, b) = (l * cosine, l * sine);
            if a.hi() > FAR {
                product.radius += 2.0 * *count as f64 * core_math::exp(-FAR) * (product.modulus() + product.radius);
                continue;
            }
            // 1 - e^{-a} (cos b - i sin b), with no cancellation in the real part for a > 0.
            let ((decay, minus_one), (s, c)) = (-a).exponentials_and_sin_cos(b.scaled(0.5));
            let own = (1.0 + a.hi().abs()) * minus_one.hi().abs() + (20.0 + 2.0 * l.hi()) * l.hi() * decay.hi();
            let factor = Disc::new(
                (decay * s * s).scaled(2.0) - minus_one,
                (decay * s * c).scaled(2.0),
                2.0 * DoubleDouble::ERROR * own,
            );
            product = product.times(factor.power(*count));
        }
        product
    }
}

/// `log(N! e^r r^{-N})` and its error.
fn inverse_poisson(draws: u64, radius: f64) -> (DoubleDouble, f64) {
    let n = DoubleDouble::from_integer(draws);
    let r = DoubleDouble::from(radius);
    if draws < STIRLING {
        let factorial = (2..=draws).fold(DoubleDouble::ONE, |product, k| product * k as f64);
        let (log_factorial, power) = (factorial.ln(), r.ln() * n);
        let size = log_factorial.hi().abs() + power.hi().abs() + radius + n.hi();
        return (log_factorial - power + r, 4.0 * DoubleDouble::ERROR * size);
    }
    let x = (r - n) / n;
    let deviation = if x.hi().abs() < 1.0 / 16.0 {
        // x - log(1 + x) = x^2 (1/2 - x/3 + ...), up to a relative remainder of 1e-38.
        let series = (2..32u32)
            .rev()
            .fold(DoubleDouble::ZERO, |sum, k| DoubleDouble::ONE / DoubleDouble::from(f64::from(k)) - sum * x);
        x * x * series
    } else {
        x - (r / n).ln()
    };
    let inverse = DoubleDouble::ONE / n;
    let square = inverse * inverse;
    let correction = STIRLING_SERIES
        .iter()
        .rev()
        .fold(DoubleDouble::ZERO, |sum, (p, q)| sum * square + DoubleDouble::from(*p) / DoubleDouble::from(*q))
        * inverse;
    let exponent = deviation * n;
    let root = (DoubleDouble::PI.scaled(2.0) * n).ln().scaled(0.5);
    // The remainder of Stirling's series is below 13.5/n^21 < 2e-37.
    let size = 1.0 + root.hi() + exponent.hi() + if x.hi().abs() < 1.0 / 16.0 { 0.0 } else { n.hi() };
    (exponent + root + correction, 8.0 * DoubleDouble::ERROR * size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_float::FBig;
    use dashu_float::round::mode::HalfEven;

    type Real = FBig<HalfEven, 2>;

    fn real(x: f64) -> Real {
        Real::try_from(x).expect("finite").with_precision(200).value()
    }

    /// Every term of Stirling's series counts: at 64 draws the fifth is `5e-20`, the last `7e-35`.
    #[test]
    fn inverse_poisson_probabilities_agree_with_the_factorial() {
        for draws in [0, 1, 5, 63, 64, 65, 90, 500] {
            let n = draws as f64;
            let log_factorial = (2..=draws).fold(real(1.0), |product, k| product * real(k as f64)).ln();
            for radius in [0.3, 0.97 * n, n, n + 0.5, 1.04 * n, 1.5 * n, 3.0 * n].map(|r: f64| r.max(0.25)) {
                let exact = &log_factorial + real(radius) - real(n) * real(radius).ln();
                let (log, error) = inverse_poisson(draws, radius);
                let high = log.hi();
                let low = (log - DoubleDouble::from(high)).hi();
                let off = (real(high) + real(low) - exact).to_f64().value().abs();
                assert!(off <= error, "{draws} {radius}: {off:e} {error:e}");
                let size = 1.0 + n + radius + high.abs();
                assert!(error < 1e-27 * size, "{draws} {radius}: {error:e}");
            }
        }
    }
}
