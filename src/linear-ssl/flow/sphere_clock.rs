//! From the clock of the exact solution to time and back.

use super::error::check_time;
use super::stiefel_sphere::norm_and_slack;
use super::taylor::{Taylor, integral};
use super::{FlowError, SphereFlow};
use enclosures::interval::Interval;

/// Relative accuracy at which a piece of the integral is not divided any further.
const ACCURACY: f64 = 1e-13;

/// Pieces after which no more are divided; what is left gets a wider, still true, enclosure.
const MOST_PIECES: usize = 2_000;

/// Largest product of an eigenvalue and the length of a piece for which polynomials are tried.
const STEEPEST: f64 = 1.5;

/// Corrections of the clock before its enclosure is returned as it is.
const MOST_CORRECTIONS: usize = 60;

impl SphereFlow {
    /// The time `t(τ) = ∫_0^τ ds / (2 - ρ(s))` that belongs to the clock τ.
    ///
    /// The integrand lies between 1/2 and 1. It is integrated over adaptively halved pieces by Taylor polynomials with Lagrange remainders in
    /// interval arithmetic, or by its range where that is tighter. Exactly `τ/2` at the resting point and `τ` on the sphere.
    ///
    /// # Errors
    /// A negative or non-finite clock.
    pub fn time_at_clock(&self, tau: f64) -> Result<Interval, FlowError> {
        check_time(tau)?;
        let whole = Interval::point(tau);
        if self.is_on_sphere() {
            return Ok(whole);
        }
        if self.rests() {
            return Ok(whole / 2.0);
        }
        let mut total = Interval::ZERO;
        let mut pending = vec![(0.0, tau)];
        let mut pieces = 0;
        while let Some((a, b)) = pending.pop() {
            pieces += 1;
            let value = self.piece(a, b);
            let middle = 0.5 * (a + b);
            let fine = value.width() <= ACCURACY * (b - a);
            if fine || pieces + pending.len() >= MOST_PIECES || middle <= a || middle >= b {
                total += value;
            } else {
                // The left half next: the sum always runs from left to right.
                pending.push((middle, b));
                pending.push((a, middle));
            }
        }
        let bounds = Interval::new((whole / 2.0).lo(), tau);
        Ok(total.intersection(bounds).unwrap_or(bounds))
    }

    /// The clock τ at time t: Newton's method on rounded numbers, then, as `dt/dτ >= 1/2`, the bound
    /// `|τ - τ*| <= 2 |t(τ*) - t|`.
    ///
    /// # Errors
    /// A negative or non-finite time.
    pub fn clock_at(&self, t: f64) -> Result<Interval, FlowError> {
        check_time(t)?;
        if self.is_on_sphere() {
            return Ok(Interval::point(t));
        }
        let limits = Interval::new(t, (Interval::point(t) * 2.0).hi());
        if self.rests() || !limits.is_finite() {
            return Ok(if self.rests() { Interval::point(t) * 2.0 } else { limits });
        }
        let mut best = (f64::INFINITY, limits);
        let mut tau = t;
        for _ in 0..MOST_CORRECTIONS {
            let off = self.time_at_clock(tau)? - t;
            let radius = off.magnitude();
            if radius >= best.0 {
                break;
            }
            let around = Interval::point(tau).widened_by(2.0 * radius);
            best = (radius, around.intersection(limits).unwrap_or(limits));
            if radius <= 2.0 * ACCURACY * tau {
                break;
            }
            let rho = norm_and_slack(self.half_log_kappa(Interval::point(tau))).0.midpoint();
            tau = (tau - off.midpoint() * (2.0 - rho)).clamp(limits.lo(), limits.hi());
        }
        Ok(best.1)
    }

    /// The integral over `[a, b]`, `a <= b`.
    fn piece(&self, a: f64, b: f64) -> Interval {
        let cell = Interval::new(a, b);
        let length = Interval::point(b) - a;
        let rho = norm_and_slack(self.half_log_kappa(cell)).0;
        let by_range = length / (2.0 - rho);
        // The exponents may move by 4 |λ| times the length; beyond a few units the polynomial knows less than the range.
        let steepest = self.active().map(|j| self.spectrum()[j].abs()).fold(0.0, f64::max);
        if by_range.width() <= ACCURACY * (b - a) || steepest * (b - a) > STEEPEST {
            return by_range;
        }
        let middle = cell.midpoint();
        // Centred at a double; the two halves may differ in the last bit, so the longer one is used and its excess paid for.
        let (left, right) = (Interval::point(middle) - a, Interval::point(b) - middle);
        let radius = left.max(right);
        let excess = (left - right).magnitude();
        let wide = Interval::point(middle).widened_by(radius.hi());
        let by_polynomial = match (self.integrand(Interval::point(middle)), self.integrand(wide)) {
            (Some(centre), Some(around)) => integral(&centre, &around, radius).widened_by(excess),
            _ => Interval::ENTIRE,
        };
        by_range.intersection(by_polynomial).unwrap_or(by_range)
    }

    /// `1 / (2 - ρ)` with its derivatives on `at`, by the formulas of [`SphereFlow`] in the branch that does not overflow.
    fn integrand(&self, at: Interval) -> Option<Taylor> {
        let leader = self.leader(at.midpoint())?;
        let x = Taylor::variable(at);
        let size = |x: &Taylor| {
            let others = self.active().filter(|&j| j != leader);
            others.fold(Taylor::constant(Interval::ONE), |sum, j| {
                let gap = Interval::point(self.spectrum()[j]) - self.spectrum()[leader];
                let exponent = x.scaled(gap * -4.0).shifted(self.log_ratio(j, leader) * 2.0);
                sum.plus(&exponent.exp())
            })
        };
        let at_start = size(&Taylor::constant(Interval::ZERO)).coefficient(0);
        let rho = self.initial_squared_norm();
        let offset = rho.ln() - at_start.ln() - (Interval::ONE - rho).ln() / 2.0;
        let slope = Interval::point(self.spectrum()[leader]) * -4.0;
        let y = size(&x).ln().plus(&x.scaled(slope)).shifted(offset);
        let four = Interval::point(4.0);
        let result = if y.coefficient(0).midpoint() >= 0.0 {
            // 1 / (2 - 2 / (1 + s)) = (1 + s) / (2 s), s = sqrt(1 + 4 e^{-2y}).
            let s = y.scaled(Interval::point(-2.0)).exp().scaled(four).shifted(Interval::ONE).sqrt();
            s.reciprocal().shifted(Interval::ONE).scaled(Interval::point(0.5))
        } else {
            // 1 / (2 - 2 r / (r + s)) = (r + s) / (2 s), r = e^y, s = sqrt(r^2 + 4).
            let r = y.exp();
            let s = r.times(&r).shifted(four).sqrt();
            r.times(&s.reciprocal()).shifted(Interval::ONE).scaled(Interval::point(0.5))
        };
        Some(result)
    }
}
