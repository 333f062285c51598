//! How long Stage 2 takes as the number of directions grows, for several choices of τ_2²: one strong direction and r
//! − 1 equal weak ones, aligned and without noise.
//!
//! With y = log(κ_1²/κ_2²) the conserved ‖W_A‖_F² = r fixes the norms, so that y obeys one equation y' = −rate(y),
//! and the time from y_0 to y_1 is ∫ dy/rate: enclosed piece by piece.

use std::fmt;

use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use super::temperature_schedule::Schedule;

/// A sweep of r = 8, 16, …, 1024.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::to_string, stored)]
pub struct RankSweep {
    pub schedule: Schedule,
    /// σ_1² of the strong direction; the others have 1.
    #[instance(range = "1e-2..=1e2", scale = "logarithmic")]
    pub strength: f64,
    /// κ_1²/κ_2² at the start of Stage 2.
    #[instance(range = "1.2..=100", scale = "logarithmic")]
    pub ratio: f64,
    #[instance(range = "1e-2..=1e2", scale = "logarithmic")]
    pub negatives: f64,
}

impl fmt::Display for RankSweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "τ_2² = {}, σ_1² = {}, κ_1²/κ_2² = {}, K = {}",
            self.schedule, self.strength, self.ratio, self.negatives
        )
    }
}

/// What moves y at one r.
pub struct RatioMotion {
    /// T_1 − T_2.
    pub gap: Interval,
    /// 1 − S̄.
    pub rest: Interval,
    pub rate: Interval,
}

impl RankSweep {
    pub const SIZES: [f64; 8] = [8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0];

    /// At log ratio y, enclosed over an interval of it.
    pub fn motion(&self, r: f64, y: Interval) -> RatioMotion {
        let (tau, weak) = (self.schedule.at(Interval::point(r)).midpoint(), r - 1.0);
        let (e, top) = (y.exp(), 1.0 / (1.0 + weak * (-y).exp()));
        let (x1, x2) = (tau * top, tau / (e + weak));
        let difference = tau * y.exp_m1() / (e + weak);
        let gap = difference.tanh() * (1.0 - x1.tanh() * x2.tanh());
        // log((1 − S̄)/S̄) = log K + Σ log((1 + e^{−2x})/2).
        let share = |x: Interval| (-2.0 * x).softplus() - Interval::point(2.0).ln();
        let rest = (Interval::point(self.negatives).ln() + share(x1) + weak * share(x2)).sigmoid();
        let square = (e + weak) / (e / self.strength + weak);
        let rate = 4.0 * rest / square * gap * (self.strength * (1.0 - top) + top);
        RatioMotion { gap, rest, rate }
    }

    /// The time from the start until κ_1²/κ_2² = 1.1.
    pub fn time(&self, r: f64) -> Interval {
        const PIECES: u32 = 512;
        let (start, end) = (Interval::point(self.ratio).ln().hi(), Interval::point(1.1).ln().lo());
        let node = |k: u32| end + (start - end) * f64::from(k) / f64::from(PIECES);
        let piece = |k: u32| {
            (Interval::point(node(k + 1)) - node(k)) / self.motion(r, Interval::new(node(k), node(k + 1))).rate
        };
        (0..PIECES).map(piece).sum()
    }

    /// No choice of τ², not even one that varies in time, reaches 1.1 earlier than e(r−1)/(4Ks)·log(11(1 − 1/R_0)), s
    /// = σ_max²/σ_min².
    ///
    /// With x = (Ru, u, …, u), y = e^{−2u} and v = (1 − y)/2, 1 − S̄ ≤ K∏ e^{−x_p} cosh x_p gives (1 − S̄)(T_1 − T_2) ≤
    /// K(1 − v)^{r−2}(y − y^R)/2, and y − y^R ≤ (R − 1)y log(1/y) ≤ 2(R − 1)v(1 − v): so it is at most K(R − 1)v(1 −
    /// v)^{r−1} ≤ K(R − 1)/(e(r − 1)). The rate is at most 4s times that, and ∫ dR/(R(R − 1)) = log(1 − 1/R).
    pub fn least_time(&self, r: f64) -> Interval {
        let logarithm = (11.0 * (1.0 - 1.0 / Interval::point(self.ratio))).ln();
        Interval::point(1.0).exp() * (r - 1.0) / (4.0 * self.negatives * self.spread()) * logarithm
    }

    /// At every fixed τ² > 0 the time to 1.1 is at most s(1 + K)e^{τ²}/(4Kτ²)·cosh²(x)·((r−1) log(11(1 − 1/R_0)) + log(10(R_0 − 1))), x
    /// = τ²R_0/(R_0 + r − 1): linear in r for τ² = 1, and at most quadratic up to logarithms for τ² = log r.
    ///
    /// 1 − S̄ ≥ K/(e^{τ²} + K) ≥ Ke^{−τ²}/(1 + K), as Σx_p = τ²; T_1 − T_2 ≥ (x_1 − x_2)/cosh²(x_1) with x_1 − x_2 = τ²(R − 1)/(R + r − 1) and
    /// x_1 ≤ x; the remaining factors of the rate are at least 4/s together; and ∫ dR (R + r − 1)/(R(R − 1)) from 1.1 to R_0
    /// is the last factor.
    pub fn longest_time(&self, r: f64, tau: Interval) -> Interval {
        let (k, start) = (Interval::point(self.negatives), Interval::point(self.ratio));
        let x = tau * start / (start + (r - 1.0));
        let cosh = (x.exp() + (-x).exp()) * 0.5;
        let path = (r - 1.0) * (11.0 * (1.0 - 1.0 / start)).ln() + (10.0 * (start - 1.0)).ln();
        self.spread() * (1.0 + k) * tau.exp() / (4.0 * k * tau) * cosh.square() * path
    }

    /// s = σ_max²/σ_min².
    fn spread(&self) -> Interval {
        Interval::point(self.strength).max(1.0 / Interval::point(self.strength))
    }

    /// (s/K) r³.
    pub fn cube(&self, r: f64) -> Interval {
        self.spread() / self.negatives * Interval::point(r).powi(3)
    }

    /// T_1 − T_2 and 1 − S̄ at κ_1²/κ_2² = R_0.
    pub fn start(&self, r: f64) -> RatioMotion {
        self.motion(r, Interval::point(self.ratio).ln())
    }

    /// The statement at r = 8, 16, …, 1024.
    pub fn at_every(&self, test: impl Fn(f64) -> Evaluation) -> Evaluation {
        all_of(Self::SIZES.map(|r| (format!("r = {r}"), test(r))))
    }

    pub fn times(&self) -> Vec<(f64, Interval)> {
        Self::SIZES.iter().map(|&r| (r, self.time(r))).collect()
    }
}

/// All schedules, strengths above and below one, strong and weak negatives.
pub fn sweeps() -> Vec<(String, RankSweep)> {
    let mut list = Vec::new();
    for schedule in [Schedule::Constant, Schedule::Logarithm, Schedule::Root, Schedule::Half, Schedule::Linear] {
        for (strength, ratio, negatives) in
            [(1.0, 2.0, 1.0), (4.0, 4.0, 0.1), (4.0, 2.0, 10.0), (0.5, 4.0, 1.0), (1.0, 2.0, 0.1)]
        {
            let sweep = RankSweep { schedule, strength, ratio, negatives };
            list.push((sweep.to_string(), sweep));
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::two_levels::TwoLevels;

    /// With equal strengths both quadratures speak of the same flow.
    #[test]
    fn two_quadratures_of_one_time_agree() {
        let sweep = RankSweep { schedule: Schedule::Constant, strength: 1.0, ratio: 8.0, negatives: 2.0 };
        let levels = TwoLevels {
            schedule: Schedule::Constant,
            factor: 1.0,
            negatives: 2.0,
            start: 8.0,
            slack: 0.1,
            first: 8,
            doublings: 0,
        };
        let (here, there) = (sweep.time(8.0), levels.at(8.0).time(256));
        assert!(here.lo() <= there.hi() && there.lo() <= here.hi(), "{here:?} {there:?}");
        assert!(here.width() < 0.2 * here.lo(), "{here:?} is too wide to say anything");
        assert!(sweep.least_time(8.0).hi() < here.lo());
        assert!(sweep.longest_time(8.0, Interval::ONE).lo() > here.hi());
    }

    #[test]
    fn the_named_sweeps_are_instances() {
        assert!(sweeps().iter().all(|(_, s)| s.validate().is_ok()));
    }
}
