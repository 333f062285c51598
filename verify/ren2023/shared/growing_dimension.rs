//! The end of Stage 1 as the dimension grows: the limit t → ∞ of the positive-pair flow from infinite width, in
//! closed form, for one strong direction σ_1² = s among weak ones σ_p² = 1 with s tied to d by H-σ.
//!
//! The limit is κ_p² = (σ_p²/2)e^{λσ_p²}, Σ e^{λσ_p²} = 2‖W_A‖_F², with ‖W_A‖_F² = r without noise and = d with it.
//! One strong direction: without noise λ ≤ log 2 and e^{λs} ≤ 2r, so cond(κ²) = s e^{λ(s−1)} has the exponent min(c
//! log 2, a) in d if r = d^a, s = c log d, and grows like (r+1)c log d if r is fixed. With noise λ → 1/c and e^{λs} → 2d:
//! cond(κ²) ~ 2c e^{−1/c} d log d.
//!
//! *Explicitly.* e^{λs} + (r−1)e^λ = 2‖W_A‖² gives e^λ ≤ (2‖W_A‖²)^{1/s}, hence cond(κ²) = s e^{λ(s−1)} =
//! s(2‖W_A‖²e^{−λ} − r + 1) ≥ s((2‖W_A‖²)^{1−1/s} − r + 1) (1), and, as ‖W_A‖² ≥ r, for every w in (1, 2) either e^λ ≥ w
//! or 2re^{−λ} − r + 1 ≥ r(2/w − 1) + 1 (2).

use std::fmt;

use evidence::claim::Series;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};
use two_view::PositivePairsFlow;

/// How the number r of signals grows with d.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Instance)]
pub enum SignalCount {
    /// r is fixed.
    Fixed(#[instance(range = "2..=64")] u32),
    /// r = d^{1/k}.
    Root(#[instance(range = "2..=8")] u32),
}

/// How σ_max²/σ_min² grows with d.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
pub enum StrengthRatio {
    /// c log d, reading (a).
    Log,
    /// c √log d, reading (b).
    RootLog,
    /// 1: all directions equally strong.
    One,
}

/// How many directions are strong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
pub enum Strong {
    /// One.
    One,
    /// Half of them.
    Half,
    /// A share 1/s of them, at least one and at most half.
    Inverse,
}

/// A sweep of log d from 20 in three doublings.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::to_string, stored)]
pub struct GrowingDimension {
    pub signals: SignalCount,
    pub ratio: StrengthRatio,
    /// The constant c of H-σ.
    #[instance(range = "0.05..=5", scale = "logarithmic")]
    pub constant: f64,
    pub noise: bool,
    pub strong: Strong,
}

impl fmt::Display for GrowingDimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.signals {
            SignalCount::Fixed(r) => write!(f, "r = {r}")?,
            SignalCount::Root(k) => write!(f, "r = d^(1/{k})")?,
        }
        match self.ratio {
            StrengthRatio::Log => write!(f, ", s = {} log d", self.constant)?,
            StrengthRatio::RootLog => write!(f, ", s = {} √log d", self.constant)?,
            StrengthRatio::One => f.write_str(", s = 1")?,
        }
        f.write_str(match self.strong {
            Strong::One => ", one strong",
            Strong::Half => ", half strong",
            Strong::Inverse => ", a share 1/s strong",
        })?;
        f.write_str(if self.noise { ", noise" } else { ", no noise" })
    }
}

/// The limit at one dimension.
pub struct GrowthEnd {
    pub log_d: f64,
    /// s and r.
    pub strength: f64,
    pub signal: f64,
    /// d, the whole number next to e^{log d}.
    pub dimension: f64,
    /// ‖W_A‖_F².
    pub weight: Interval,
    /// log cond(κ²).
    pub log_condition: Interval,
    /// λ_1(Σ_A), the share of one strong direction, and 1 − λ_1.
    pub top_share: Interval,
    pub other_share: Interval,
    /// Balance divided by r: ‖Σ‖_F²/‖Σ‖_2², tr Σ/‖Σ‖_2, (tr Σ)²/‖Σ‖_F².
    pub balance: [Interval; 3],
}

impl GrowingDimension {
    pub fn sweep(&self) -> Result<Vec<GrowthEnd>, MeasureError> {
        [20.0, 40.0, 80.0, 160.0].into_iter().map(|log_d| self.end(log_d)).collect()
    }

    /// The limit t → ∞ at this log d.
    pub fn end(&self, log_d: f64) -> Result<GrowthEnd, MeasureError> {
        let strength = match self.ratio {
            StrengthRatio::Log => self.constant * log_d,
            StrengthRatio::RootLog => self.constant * log_d.sqrt(),
            StrengthRatio::One => 1.0,
        };
        let strength = strength.max(1.0);
        let exp = |x: f64| Interval::point(x).exp().midpoint().round();
        let signal = match self.signals {
            SignalCount::Fixed(r) => f64::from(r),
            SignalCount::Root(k) => exp(log_d / f64::from(k)),
        };
        let strong = match self.strong {
            Strong::One => 1.0,
            Strong::Half => (signal / 2.0).floor(),
            Strong::Inverse => (signal / strength).min(signal / 2.0).floor().max(1.0),
        };
        let copies = [strong, signal - strong];
        let dimension = exp(log_d);
        let noise = self.noise.then_some((1.0, dimension - signal));
        let flow = PositivePairsFlow::infinite_width(&[strength, 1.0], &copies, noise)?;
        let logs = flow.limit().ok_or("no limit")?;
        // With x = κ_2²/κ_1² ≤ 1 everything is a function of x.
        let x = (logs[1] - logs[0]).exp();
        let sum = |power: Interval| copies[0] + copies[1] * power;
        let (first, second) = (sum(x), sum(x.square()));
        Ok(GrowthEnd {
            log_d,
            strength,
            signal,
            dimension,
            weight: flow.squared_weight_norm(),
            log_condition: logs[0] - logs[1],
            top_share: 1.0 / first,
            other_share: (copies[0] - 1.0 + copies[1] * x) / first,
            balance: [second / signal, first / signal, first.square() / second / signal],
        })
    }
}

/// log cond(κ²)/log d.
fn exponent(e: &GrowthEnd) -> Interval {
    e.log_condition / e.log_d
}

impl GrowthEnd {
    /// (2‖W_A‖²)^{1−1/s} − r + 1, if that is positive: cond(κ²)/s is at least as large, by (1).
    pub fn spread(&self) -> Option<Interval> {
        self.spread_at((2.0 * self.weight).ln())
    }

    /// (2d)^{1−1/s} − r + 1, if that is positive: the same with noise, where ‖W_A‖² = d.
    pub fn spread_in_dimension(&self) -> Option<Interval> {
        self.spread_at((2.0 * Interval::point(self.dimension)).ln())
    }

    fn spread_at(&self, log: Interval) -> Option<Interval> {
        let power = (1.0 - 1.0 / Interval::point(self.strength)) * log;
        let spread = power.exp() - self.signal + 1.0;
        (spread.lo() > 0.0).then_some(spread)
    }

    /// s·min((3/2)^{s−1}, r/3 + 1), logarithm: by (2) with w = 3/2.
    pub fn log_moderate(&self) -> Interval {
        let power = (Interval::point(self.strength) - 1.0) * Interval::point(1.5).ln();
        let rank = (Interval::point(self.signal) / 3.0 + 1.0).ln();
        Interval::point(self.strength).ln() + power.min(rank)
    }
}

/// The statement at every dimension of a sweep.
pub fn at_every(ends: &[GrowthEnd], test: impl Fn(&GrowthEnd) -> Evaluation) -> Evaluation {
    all_of(ends.iter().map(|e| (format!("log d = {}", e.log_d), test(e))))
}

/// All combinations that the statements tell apart.
pub fn sweeps() -> Vec<(String, GrowingDimension)> {
    let mut list = Vec::new();
    for signals in [SignalCount::Fixed(2), SignalCount::Fixed(4), SignalCount::Root(4), SignalCount::Root(2)] {
        for noise in [false, true] {
            for (ratio, constants) in [
                (StrengthRatio::Log, &[0.1, 0.3, 1.0][..]),
                (StrengthRatio::RootLog, &[0.3, 1.0]),
                (StrengthRatio::One, &[1.0]),
            ] {
                for &constant in constants {
                    for strong in [Strong::One, Strong::Half, Strong::Inverse] {
                        let growth = GrowingDimension { signals, ratio, constant, noise, strong };
                        list.push((growth.to_string(), growth));
                    }
                }
            }
        }
    }
    list
}

/// The end of Stage 1 for one strong direction and c = 1.
pub fn table(_: &mut Trial) -> Result<Series, MeasureError> {
    let mut table = Series::of([("case", ""), ("log d", ""), ("log cond(κ²)/log d", ""), ("cond(κ²)/d", "")]);
    for signals in [SignalCount::Fixed(2), SignalCount::Root(2)] {
        for (ratio, noise) in [
            (StrengthRatio::Log, false),
            (StrengthRatio::Log, true),
            (StrengthRatio::RootLog, false),
            (StrengthRatio::RootLog, true),
        ] {
            let growth = GrowingDimension { signals, ratio, constant: 1.0, noise, strong: Strong::One };
            for end in growth.sweep()? {
                let excess = (end.log_condition - end.log_d).exp();
                table.push([
                    growth.to_string().into(),
                    end.log_d.into(),
                    Enclosure::from(exponent(&end)).into(),
                    Enclosure::from(excess).into(),
                ]);
            }
        }
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sweeps_are_instances_that_say_what_they_are() {
        let sweeps = sweeps();
        assert!(sweeps.iter().all(|(_, s)| s.validate().is_ok()));
        let mut told: Vec<String> = sweeps.iter().map(|(_, s)| s.describe()).collect();
        told.sort();
        told.dedup();
        assert_eq!(told.len(), sweeps.len());
        let mut outside = sweeps[0].1.clone();
        outside.signals = SignalCount::Fixed(1);
        assert!(outside.validate().is_err());
    }
}
