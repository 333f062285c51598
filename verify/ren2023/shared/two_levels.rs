//! The aligned noise-free states with one large signal and r − 1 equal ones, σ = 1: a flow on a line, in closed form
//! (register family I10).
//!
//! Σκ_p² = r is conserved and N = 1, so that the ratio R = κ_1²/κ_2² is the only coordinate: κ_1² = rR/(R+r−1), κ_2²
//! = r/(R+r−1), and d log R/dt = −4(1−S̄)(T_1 − T_2). The time from one ratio to another is an integral of a function
//! of R, enclosed cell by cell.

use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use super::balancing_path::excess;
use super::temperature_schedule::Schedule;

/// A sweep over r = first, 2·first, .. with τ² = factor · schedule(r), from the ratio R_0 = `start` down to 1 + c.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::starts_above, stored)]
pub struct TwoLevels {
    pub schedule: Schedule,
    #[instance(range = "0..=20")]
    pub factor: f64,
    #[instance(range = "1e-6..=1e6", scale = "logarithmic")]
    pub negatives: f64,
    #[instance(range = "1..=1e4", scale = "logarithmic")]
    pub start: f64,
    /// c.
    #[instance(range = "1e-3..=10", scale = "logarithmic")]
    pub slack: f64,
    #[instance(range = "2..=1024", scale = "logarithmic")]
    pub first: u32,
    #[instance(range = "0..=12")]
    pub doublings: u32,
}

impl TwoLevels {
    fn in_words(&self) -> String {
        let sizes = match self.doublings {
            0 => format!("r = {}", self.first),
            k => format!("r = {} to {}", self.first, u64::from(self.first) << k),
        };
        let tau_squared = match (self.schedule, self.factor) {
            (Schedule::Constant, factor) => factor.to_string(),
            (schedule, 1.0) => schedule.to_string(),
            (schedule, factor) => format!("{factor}·{schedule}"),
        };
        format!("{sizes}, τ² = {tau_squared}, K = {}, R_0 = {}, c = {}", self.negatives, self.start, self.slack)
    }

    fn starts_above(&self) -> Result<(), String> {
        if self.start >= 1.0 + self.slack { Ok(()) } else { Err(format!("R_0 = {}, c = {}", self.start, self.slack)) }
    }

    pub fn sizes(&self) -> impl Iterator<Item = f64> {
        let first = f64::from(self.first);
        (0..=self.doublings).map(move |k| first * f64::from(1u32 << k))
    }

    pub fn at(&self, r: f64) -> Level {
        let size = Interval::point(r);
        let shape = self.schedule.at(size);
        Level { r, tau: shape * self.factor, negatives: self.negatives, start: self.start, slack: self.slack }
    }

    /// The limit of rN²H of Lemma C.12 as r → ∞ at fixed τ²: τ²(R_0+1)(1−S)(2+4S), S = 1/(1+Ke^{−τ²}).
    pub fn decay_limit(&self) -> Enclosure {
        let tau = self.at(f64::from(self.first)).tau;
        let rest = (Interval::point(self.negatives).ln() - tau).sigmoid();
        Enclosure::from(tau * (Interval::point(self.start) + 1.0) * rest * (2.0 + 4.0 * (1.0 - rest)))
    }

    /// Sweeps at a temperature that does not depend on r.
    pub fn sweeps(doublings: u32) -> Vec<(String, TwoLevels)> {
        let of = |factor, negatives, start| TwoLevels {
            schedule: Schedule::Constant,
            factor,
            negatives,
            start,
            slack: 0.1,
            first: 4,
            doublings,
        };
        described([of(1.0, 1.0, 8.0), of(1.0, 2.0, 5.0), of(3.0, 0.5, 8.0), of(0.3, 10.0, 2.0)])
    }
}

/// One size of a sweep.
pub struct Level {
    pub r: f64,
    pub tau: Interval,
    pub negatives: f64,
    pub start: f64,
    pub slack: f64,
}

impl Level {
    /// x_1 and x_2 at ratio R.
    fn arguments(&self, ratio: Interval) -> [Interval; 2] {
        // R/(R + r − 1) with R in one place only.
        let large = 1.0 / (1.0 + (self.r - 1.0) / ratio);
        let small = 1.0 / (ratio + (self.r - 1.0));
        [self.tau * large, self.tau * small]
    }

    /// 1 − S̄.
    fn rest(&self, x: [Interval; 2]) -> Interval {
        (Interval::point(self.negatives).ln() - excess(x[0]) - excess(x[1]) * (self.r - 1.0)).sigmoid()
    }

    /// −d log R/dt.
    fn speed(&self, ratio: Interval) -> Interval {
        let x = self.arguments(ratio);
        // tanh x_1 − tanh x_2 = tanh(x_1 − x_2)(1 − T_1T_2), and x_1 − x_2 = τ²(R−1)/(R+r−1).
        let gap = self.tau / (1.0 + self.r / (ratio - 1.0));
        4.0 * self.rest(x) * gap.tanh() * (1.0 - x[0].tanh() * x[1].tanh())
    }

    /// The time in which the ratio falls from R_0 to 1 + c.
    pub fn time(&self, cells: u32) -> Enclosure {
        let from = (1.0 + Interval::point(self.slack)).ln();
        let step = (Interval::point(self.start).ln() - from) / f64::from(cells);
        let cell = |k: u32| {
            let ratio = (from + step * Interval::new(f64::from(k), f64::from(k + 1))).exp();
            step / self.speed(ratio)
        };
        Enclosure::from((0..cells).map(cell).sum::<Interval>())
    }

    /// log(R_0/(1+c))·[ (4K/(K+e^{τ²}))·(τ²/r)·(c/(1+c))·sech²(τ²) ]^{−1}.
    pub fn bound(&self) -> Enclosure {
        let fall = (Interval::point(self.start) / (1.0 + self.slack)).ln();
        let k = Interval::point(self.negatives);
        let sech = (2.0 / (self.tau.exp() + (-self.tau).exp())).square();
        let rate = 4.0 * k / (k + self.tau.exp()) * self.tau / self.r * self.slack
            / (1.0 + Interval::point(self.slack))
            * sech;
        Enclosure::from(fall / rate)
    }

    /// log(2/(1+c))/(4K)·e^{(r−1)f(τ²/(r+1))}, f(x) = x − log cosh x: a lower bound of the time from any R_0 ≥ 2.
    pub fn least_time(&self) -> Enclosure {
        let fall = (2.0 / (1.0 + Interval::point(self.slack))).ln();
        let exponent = excess(self.tau / (self.r + 1.0)) * (self.r - 1.0);
        Enclosure::from(fall / (4.0 * self.negatives) * exponent.exp())
    }

    /// N²H of Lemma C.12 for the large signal and another, at R_0: (x_1 + x_2)G₊, whatever the size of κ.
    pub fn equal_cosine_decay(&self) -> Enclosure {
        let x = self.arguments(Interval::point(self.start));
        let (t1, t2, rest) = (x[0].tanh(), x[1].tanh(), self.rest(x));
        let g = rest * ((1.0 - rest) * (2.0 - t1 - t2).square() + 2.0 - t1.square() - t2.square());
        Enclosure::from((x[0] + x[1]) * g)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(factor: f64) -> TwoLevels {
        TwoLevels {
            schedule: Schedule::Constant,
            factor,
            negatives: 2.0,
            start: 8.0,
            slack: 0.1,
            first: 4,
            doublings: 2,
        }
    }

    /// As τ → 0 the speed is 4Kτ²/(1 + K) times (R − 1)/(R + r − 1), and the integral of (R + r − 1)/(R(R − 1)) is elementary:
    /// r log(R − 1) − (r − 1) log R.
    #[test]
    fn at_small_temperature_the_time_is_elementary() {
        let (tau, r, k) = (1e-6, 4.0, 2.0);
        let found = sweep(tau).at(r).time(4000);
        let integral = r * core_math::log(7.0 / 0.1) - (r - 1.0) * core_math::log(8.0 / 1.1);
        let expected = (1.0 + k) / (4.0 * k * tau) * integral;
        assert!(found.width() < 0.01 * expected, "{found:?} is too wide to say anything");
        let (lo, hi) = (found.lo() / (1.0 + 1e-5), found.hi() * (1.0 + 1e-5));
        assert!((lo..=hi).contains(&expected), "{found:?} {expected}");
    }

    #[test]
    fn a_level_has_the_arguments_and_the_speed_by_hand() {
        // R = 3 among r = 4: κ² = (2, 2/3, 2/3, 2/3), x_p = τ²κ_p²/r, and log R falls at 4(1 − S̄)(T_1 − T_2).
        let (level, ratio) = (sweep(1.5).at(4.0), Interval::point(3.0));
        let x = level.arguments(ratio);
        assert!((x[0] - 0.75).magnitude() < 1e-15 && (x[1] - 0.25).magnitude() < 1e-15, "{x:?}");
        let cosh = core_math::cosh(0.25);
        let odds = 2.0 * core_math::exp(-1.5) * core_math::cosh(0.75) * cosh * cosh * cosh;
        let rest = odds / (1.0 + odds);
        assert!((level.rest(x) - rest).magnitude() < 1e-14, "{:?}", level.rest(x));
        let speed = 4.0 * rest * (core_math::tanh(0.75) - core_math::tanh(0.25));
        assert!((level.speed(ratio) - speed).magnitude() < 1e-14, "{:?}", level.speed(ratio));
    }

    #[test]
    fn the_time_lies_between_its_bounds() {
        for factor in [0.3, 1.0, 3.0] {
            for r in sweep(factor).sizes() {
                let level = sweep(factor).at(r);
                let time = level.time(500);
                assert!(level.least_time().hi() < time.lo(), "τ² = {factor}, r = {r}");
                assert!(time.hi() < level.bound().lo(), "τ² = {factor}, r = {r}");
            }
        }
        assert_eq!(sweep(1.0).sizes().collect::<Vec<_>>(), [4.0, 8.0, 16.0]);
    }

    #[test]
    fn the_decay_tends_to_its_limit() {
        let (sweep, r) = (sweep(1.5), 1e6);
        let (decay, limit) = (sweep.at(r).equal_cosine_decay() * r, sweep.decay_limit());
        assert!((decay - limit).magnitude() < 1e-4 * limit.lo(), "{decay:?} {limit:?}");
        // τ²(R_0 + 1)(1 − S)(2 + 4S) with S = 1/(1 + 2e^{−1.5}).
        let s = 1.0 / (1.0 + 2.0 * core_math::exp(-1.5));
        assert!((limit - 13.5 * (1.0 - s) * (2.0 + 4.0 * s)).magnitude() < 1e-12);
    }
}
