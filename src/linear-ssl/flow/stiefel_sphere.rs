//! The learning dynamics with one output dimension under orthogonality constraints, solved.

use super::FlowError;
use super::error::{check_finite, check_spectrum, check_time};
use enclosures::interval::Interval;

/// The flow of `q` in `R^d`, `||q|| <= 1`, with `ρ = q·q` and `Λ` diagonal:
/// `q' = -2 [(1 - ρ) Λ q + (I - q q^T) Λ q] = -2 (2 - ρ) Λ q + 2 (q·Λq) q`.
///
/// The solution. In the clock `dτ = (2 - ρ) dt` the first term is `-2 Λ q` and the second is parallel to q, so the direction of q is that of
/// `e^{-2 Λ τ} q_0`. For the length, `ρ' = 2 q·q' = -8 (1 - ρ) q·Λq`. With `N(τ) = ||e^{-2 Λ τ} q_0||^2`, for
/// which `(log N)' = -4 q·Λq / ρ` in the clock τ, this reads `(2 - ρ) / (ρ (1 - ρ)) dρ = 2 d log N`, and as
/// `(2 - ρ) / (ρ (1 - ρ)) = 2/ρ + 1/(1 - ρ)`, the quantity `ρ^2 / ((1 - ρ) N^2)` is conserved. Hence
///
/// `ρ^2 / (1 - ρ) = κ`, `κ = N(τ)^2 / (1 - ρ_0)`, `ρ = 2 / (1 + sqrt(1 + 4/κ))`, `1 - ρ = ρ^2 / κ`, `t = ∫_0^τ ds / (2 - ρ(s))`.
///
/// Two starts are exact special cases: `ρ_0 = 0` rests, and for `ρ_0 = 1` the sphere is invariant and `τ = t`. They are
/// told apart exactly: the start is a direction of any length and the number `ρ_0`, so that (3, 4) with `ρ_0 = 1` lies on the sphere although
/// (0.6, 0.8) does not. A coordinate that is zero stays zero.
///
/// Source: Esser, Mukherjee, Ghoshdastidar, equation (10) and Theorem 3; the solution is derived here.
#[derive(Clone, Debug, PartialEq)]
pub struct SphereFlow {
    spectrum: Vec<f64>,
    direction: Vec<f64>,
    squared_norm: Interval,
}

/// The point reached.
#[derive(Clone, Debug, PartialEq)]
pub struct SphereState {
    /// The clock τ.
    pub clock: Interval,
    /// `ρ = ||q||^2`.
    pub squared_norm: Interval,
    /// `1 - ρ`, with full relative accuracy near the sphere.
    pub slack: Interval,
    /// `q / ||q||`; at the resting point zero, the direction of the start if one was given.
    pub direction: Vec<Interval>,
}

impl SphereState {
    /// The coordinates of `q`.
    #[must_use]
    pub fn position(&self) -> Vec<Interval> {
        let length = self.squared_norm.sqrt();
        self.direction.iter().map(|&x| x * length).collect()
    }
}

/// Where the flow ends up.
#[derive(Clone, Debug, PartialEq)]
pub struct SphereLimit {
    /// The limit of `||q||^2`.
    pub squared_norm: Interval,
    /// The limit of `q / ||q||`: the part of the start in the lowest eigenspace that it touches, normalised. All zero for a start
    /// without direction.
    pub direction: Vec<Interval>,
}

impl SphereLimit {
    /// The coordinates of the limit.
    #[must_use]
    pub fn position(&self) -> Vec<Interval> {
        let length = self.squared_norm.sqrt();
        self.direction.iter().map(|&x| x * length).collect()
    }
}

impl SphereFlow {
    /// The flow from `sqrt(squared_norm) * direction / ||direction||`.
    ///
    /// # Errors
    /// Different dimensions, numbers that are not finite, `squared_norm` outside [0, 1], or a zero direction with a positive norm.
    pub fn new(spectrum: Vec<f64>, direction: Vec<f64>, squared_norm: f64) -> Result<Self, FlowError> {
        if !(0.0..=1.0).contains(&squared_norm) {
            return Err(FlowError::SquaredNorm(squared_norm));
        }
        Self::checked(spectrum, direction, Interval::point(squared_norm))
    }

    /// The flow from the point `q`.
    ///
    /// # Errors
    /// As [`SphereFlow::new`]; moreover a norm that rounding does not let tell apart from 0 or 1.
    pub fn from_point(spectrum: Vec<f64>, q: Vec<f64>) -> Result<Self, FlowError> {
        check_finite("coordinate", &q)?;
        let rho: Interval = q.iter().map(|&x| Interval::point(x).square()).sum();
        if rho.lo() > 1.0 {
            return Err(FlowError::SquaredNorm(rho.lo()));
        }
        let decided = rho.lo() == rho.hi() || (rho.lo() > 0.0 && rho.hi() < 1.0);
        if !decided {
            return Err(FlowError::Undecided { lo: rho.lo(), hi: rho.hi() });
        }
        Self::checked(spectrum, q, rho)
    }

    fn checked(spectrum: Vec<f64>, direction: Vec<f64>, squared_norm: Interval) -> Result<Self, FlowError> {
        check_spectrum(&spectrum, direction.len())?;
        check_finite("coordinate", &direction)?;
        if squared_norm.hi() > 0.0 && direction.iter().all(|&x| x == 0.0) {
            return Err(FlowError::NoDirection);
        }
        Ok(SphereFlow { spectrum, direction, squared_norm })
    }

    /// The eigenvalues.
    #[must_use]
    pub fn spectrum(&self) -> &[f64] {
        &self.spectrum
    }

    /// `ρ_0`.
    #[must_use]
    pub fn initial_squared_norm(&self) -> Interval {
        self.squared_norm
    }

    /// Whether the start is zero.
    #[must_use]
    pub fn rests(&self) -> bool {
        self.squared_norm == Interval::ZERO
    }

    /// Whether the start has norm exactly one.
    #[must_use]
    pub fn is_on_sphere(&self) -> bool {
        self.squared_norm == Interval::ONE
    }

    /// The coordinates that are not zero.
    pub(super) fn active(&self) -> impl Iterator<Item = usize> {
        (0..self.direction.len()).filter(|&j| self.direction[j] != 0.0)
    }

    /// The lowest eigenvalue with a non-zero coordinate.
    #[must_use]
    pub fn lowest_active(&self) -> Option<f64> {
        self.active().map(|j| self.spectrum[j]).reduce(f64::min)
    }

    /// The coordinate that is largest at τ, by rounded logarithms.
    pub(super) fn leader(&self, tau: f64) -> Option<usize> {
        let size = |j: usize| core_math::log(self.direction[j].abs()) - 2.0 * self.spectrum[j] * tau;
        self.active().reduce(|a, b| if size(b) > size(a) { b } else { a })
    }

    /// `log |p_j / p_leader|`, p the given direction.
    pub(super) fn log_ratio(&self, j: usize, leader: usize) -> Interval {
        if j == leader {
            return Interval::ZERO;
        }
        let log = |k: usize| Interval::point(self.direction[k].abs()).ln();
        log(j) - log(leader)
    }

    /// `|x_j / x_leader|` for `x = e^{-2 Λ τ} p`.
    fn relative(&self, j: usize, leader: usize, tau: Interval) -> Interval {
        let gap = Interval::point(self.spectrum[j]) - self.spectrum[leader];
        (self.log_ratio(j, leader) - gap * 2.0 * tau).exp()
    }

    /// `sum over j of |x_j / x_leader|^2`, at least one.
    fn relative_size(&self, leader: usize, tau: Interval) -> Interval {
        let others = self.active().filter(|&j| j != leader);
        others.fold(Interval::ONE, |sum, j| sum + self.relative(j, leader, tau).square())
    }

    /// The direction of `e^{-2 Λ τ} q_0`.
    fn direction_at(&self, tau: Interval) -> Vec<Interval> {
        let mut all = vec![Interval::ZERO; self.direction.len()];
        if let Some(leader) = self.leader(tau.midpoint()) {
            let length = self.relative_size(leader, tau).sqrt();
            for j in self.active() {
                let size = self.relative(j, leader, tau) / length;
                let size = Interval::new(size.lo().clamp(0.0, 1.0), size.hi().clamp(0.0, 1.0));
                all[j] = if self.direction[j] > 0.0 { size } else { -size };
            }
        }
        all
    }

    /// `log(κ) / 2 = log N(τ) - log(1 - ρ_0) / 2`; meaningful for `0 < ρ_0 < 1`.
    pub(super) fn half_log_kappa(&self, tau: Interval) -> Interval {
        let Some(leader) = self.leader(tau.midpoint()) else {
            return Interval::ENTIRE;
        };
        let growth = self.relative_size(leader, tau) / self.relative_size(leader, Interval::ZERO);
        let log_n = self.squared_norm.ln() - Interval::point(self.spectrum[leader]) * 4.0 * tau + growth.ln();
        log_n - (Interval::ONE - self.squared_norm).ln() / 2.0
    }

    /// The state at clock τ, `τ >= 0`.
    ///
    /// # Errors
    /// A negative or non-finite clock.
    pub fn at_clock(&self, tau: f64) -> Result<SphereState, FlowError> {
        check_time(tau)?;
        Ok(self.state(Interval::point(tau)))
    }

    /// The state at time t, `t >= 0`.
    ///
    /// # Errors
    /// A negative or non-finite time.
    pub fn at_time(&self, t: f64) -> Result<SphereState, FlowError> {
        Ok(self.state(self.clock_at(t)?))
    }

    fn state(&self, tau: Interval) -> SphereState {
        let (squared_norm, slack) = if self.rests() || self.is_on_sphere() {
            (self.squared_norm, Interval::ONE - self.squared_norm)
        } else {
            norm_and_slack(self.half_log_kappa(tau))
        };
        SphereState { clock: tau, squared_norm, slack, direction: self.direction_at(tau) }
    }

    /// The limit as t tends to infinity, in closed form. With `λ` the lowest eigenvalue that the start touches and `P` the projection on
    /// its eigenspace, the direction tends to that of `P q_0`, and `ρ` to 1 if `λ < 0` or `ρ_0 = 1`, to 0 if `λ > 0`
    /// and `ρ_0 < 1`, and to the root of `ρ^2 / (1 - ρ) = ||P q_0||^4 / (1 - ρ_0)` if `λ = 0`.
    #[must_use]
    pub fn limit(&self) -> SphereLimit {
        let mut direction = vec![Interval::ZERO; self.direction.len()];
        let Some(lowest) = self.lowest_active() else {
            return SphereLimit { squared_norm: Interval::ZERO, direction };
        };
        let winners: Vec<usize> = self.active().filter(|&j| self.spectrum[j] == lowest).collect();
        // Relative to the largest of them, so that no square overflows.
        let leader = (winners.iter().copied())
            .reduce(|a, b| if self.direction[b].abs() > self.direction[a].abs() { b } else { a })
            .unwrap_or(0);
        let ratio = |j: usize| Interval::point(self.direction[j]) / self.direction[leader].abs();
        let share: Interval = winners.iter().map(|&j| ratio(j).square()).sum();
        for &j in &winners {
            let x = ratio(j) / share.sqrt();
            direction[j] = Interval::new(x.lo().clamp(-1.0, 1.0), x.hi().clamp(-1.0, 1.0));
        }
        let squared_norm = if self.rests() || self.is_on_sphere() {
            self.squared_norm
        } else if lowest < 0.0 {
            Interval::ONE
        } else if lowest > 0.0 {
            Interval::ZERO
        } else {
            let total = self.relative_size(leader, Interval::ZERO);
            let log_n = self.squared_norm.ln() + (share / total).ln();
            norm_and_slack(log_n - (Interval::ONE - self.squared_norm).ln() / 2.0).0
        };
        SphereLimit { squared_norm, direction }
    }
}

/// `ρ` and `1 - ρ` for `y = log(κ) / 2`; ρ grows with y, so the ends give the range.
pub(super) fn norm_and_slack(y: Interval) -> (Interval, Interval) {
    let at = |y: f64| {
        // With r = e^{-|y|}: 2 / (1 + sqrt(1 + 4 r^2)) for y >= 0 and 2 r / (r + sqrt(r^2 + 4)) for y <= 0.
        let r = Interval::point(-y.abs()).exp();
        if y >= 0.0 {
            let rho = 2.0 / (Interval::ONE + (Interval::ONE + r.square() * 4.0).sqrt());
            (rho, rho.square() * r.square())
        } else {
            let rho = r * 2.0 / (r + (r.square() + 4.0).sqrt());
            // rho^2 / kappa with rho = r s: s^2.
            (rho, (2.0 / (r + (r.square() + 4.0).sqrt())).square())
        }
    };
    let (low, high) = (at(y.lo()), at(y.hi()));
    let unit = |a: f64, b: f64| Interval::new(a.clamp(0.0, 1.0), b.clamp(0.0, 1.0));
    (unit(low.0.lo(), high.0.hi()), unit(high.1.lo(), low.1.hi()))
}

#[cfg(test)]
mod tests;
