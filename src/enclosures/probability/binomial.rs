//! The binomial law with interval-valued point masses and tails.
//!
//! Point masses are built outward from the mode by the ratio `p(k+1)/p(k) = (n-k)/(k+1) * p/(1-p)` and divided by their
//! sum, which is one: no factorial is formed and no difference is taken, so small tails keep their relative accuracy.

use crate::interval::Interval;

/// What is wrong with the parameters of a binomial law.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BinomialError {
    /// Not a probability.
    #[error("the success probability {0} is not in [0, 1]")]
    Probability(f64),
    /// Counts are turned into doubles, which are exact up to 2^53 only.
    #[error("{0} trials are more than the limit of 2^40")]
    Trials(u64),
}

/// Relative size below which what is left of a sum is bounded instead of summed.
const NEGLIGIBLE: f64 = 1e-25;
/// Below this the relative accuracy of a tail is given up.
const VANISHING: f64 = 1e-280;
/// Largest number of trials for which `2^n` masses of the fair coin are exact doubles.
const EXACT_COIN: u64 = 53;

/// The number of successes in `n` independent trials, each with probability `p`, both known exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Binomial {
    trials: u64,
    probability: f64,
}

/// One side of the law, walked from the mode outward, with the mass of the mode as the unit.
struct SideMass {
    /// Everything beyond the mode on this side.
    total: Interval,
    /// Everything at least `from` steps away from the mode.
    beyond: Interval,
    /// The mass exactly `from` steps away.
    at: Interval,
}

impl Binomial {
    /// The law of `trials` trials of probability `probability`.
    ///
    /// # Errors
    /// A probability outside [0, 1] or NaN; more than 2^40 trials.
    pub fn new(trials: u64, probability: f64) -> Result<Self, BinomialError> {
        if !(0.0..=1.0).contains(&probability) {
            return Err(BinomialError::Probability(probability));
        }
        if trials > 1 << 40 {
            return Err(BinomialError::Trials(trials));
        }
        Ok(Binomial { trials, probability })
    }

    fn mode(self) -> u64 {
        (((self.trials as f64 + 1.0) * self.probability).floor() as u64).min(self.trials)
    }

    /// Walks away from the mode; `ratio(s)` is the mass `s + 1` steps away over the mass `s` steps away. The ratios
    /// decrease, so that what follows a term `t` with next ratio `r < 1` adds up to at most `t r / (1 - r)`.
    fn side(steps: u64, from: u64, ratio: impl Fn(u64) -> Interval) -> SideMass {
        let mut mass = Interval::ONE;
        let mut side = SideMass {
            total: Interval::ZERO,
            beyond: if from == 0 { Interval::ONE } else { Interval::ZERO },
            at: if from == 0 { Interval::ONE } else { Interval::ZERO },
        };
        for step in 0..steps {
            let factor = ratio(step);
            let rest = mass * factor / (Interval::ONE - factor);
            let reference = if step >= from { side.beyond.lo().max(VANISHING) } else { VANISHING };
            if factor.hi() < 1.0 && rest.hi() <= NEGLIGIBLE * reference {
                let rest = Interval::new(0.0, rest.hi());
                side.total += rest;
                side.beyond += rest;
                if step < from {
                    side.at = rest;
                }
                return side;
            }
            mass *= factor;
            side.total += mass;
            if step + 1 >= from {
                side.beyond += mass;
            }
            if step + 1 == from {
                side.at = mass;
            }
        }
        side
    }

    /// Both sides of the mode, the upper one with marker `above`, the lower one with marker `below`.
    fn sides(self, above: u64, below: u64) -> (SideMass, SideMass) {
        let (n, mode) = (self.trials, self.mode());
        let p = Interval::point(self.probability);
        let odds = p / (Interval::ONE - p);
        let up = Self::side(n - mode, above, |s| odds * ((n - mode - s) as f64) / ((mode + s + 1) as f64));
        let down = Self::side(mode, below, |s| Interval::point((mode - s) as f64) / ((n - mode + s + 1) as f64) / odds);
        (up, down)
    }

    /// `P(X >= k)`, with relative accuracy however small it is (down to the smallest doubles).
    #[must_use]
    pub fn upper_tail(self, k: u64) -> Interval {
        if k == 0 {
            return Interval::ONE;
        }
        if k > self.trials || self.probability == 0.0 {
            return Interval::ZERO;
        }
        if self.probability == 1.0 {
            return Interval::ONE;
        }
        if self.probability == 0.5 && self.trials <= EXACT_COIN {
            return self.coin(k..=self.trials);
        }
        let mode = self.mode();
        let tail = if k > mode {
            let (up, down) = self.sides(k - mode, 0);
            up.beyond / (Interval::ONE + up.total + down.total)
        } else {
            let (up, down) = self.sides(0, mode - k + 1);
            Interval::ONE - down.beyond / (Interval::ONE + up.total + down.total)
        };
        unit(tail)
    }

    /// `P(X <= k)`, with relative accuracy however small it is.
    #[must_use]
    pub fn lower_tail(self, k: u64) -> Interval {
        if k >= self.trials || self.probability == 0.0 {
            return Interval::ONE;
        }
        if self.probability == 1.0 {
            return Interval::ZERO;
        }
        if self.probability == 0.5 && self.trials <= EXACT_COIN {
            return self.coin(0..=k);
        }
        let mode = self.mode();
        let tail = if k < mode {
            let (up, down) = self.sides(0, mode - k);
            down.beyond / (Interval::ONE + up.total + down.total)
        } else {
            let from = k + 1 - mode;
            let (up, down) = self.sides(from, 0);
            Interval::ONE - up.beyond / (Interval::ONE + up.total + down.total)
        };
        unit(tail)
    }

    /// `P(X = k)`, with relative accuracy however small it is.
    #[must_use]
    pub fn mass(self, k: u64) -> Interval {
        if k > self.trials {
            return Interval::ZERO;
        }
        if self.probability == 0.0 || self.probability == 1.0 {
            let certain = if self.probability == 0.0 { 0 } else { self.trials };
            return if k == certain { Interval::ONE } else { Interval::ZERO };
        }
        if self.probability == 0.5 && self.trials <= EXACT_COIN {
            return self.coin(k..=k);
        }
        let mode = self.mode();
        let (up, down) = self.sides(k.saturating_sub(mode), mode.saturating_sub(k));
        let at = if k >= mode { up.at } else { down.at };
        unit(at / (Interval::ONE + up.total + down.total))
    }

    /// The masses of `0..=n` for a success probability that is itself only known to lie in an interval: the odds
    /// `p/(1-p)` are enclosed and carried through. Empty if the interval is not inside (0, 1).
    #[must_use]
    pub fn masses(trials: usize, probability: Interval) -> Vec<Interval> {
        if probability.lo() <= 0.0 || probability.hi() >= 1.0 {
            return Vec::new();
        }
        let coin = Binomial { trials: trials as u64, probability: 0.5 };
        if probability == Interval::point(0.5) && coin.trials <= EXACT_COIN {
            return (0..=coin.trials).map(|k| coin.coin(k..=k)).collect();
        }
        let (low, high) = (Interval::point(probability.lo()), Interval::point(probability.hi()));
        let odds = (low / (Interval::ONE - low)).hull(high / (Interval::ONE - high));
        let mode = (((trials as f64 + 1.0) * probability.midpoint()) as usize).min(trials);
        let mut masses = vec![Interval::ONE; trials + 1];
        for k in mode..trials {
            masses[k + 1] = masses[k] * odds * ((trials - k) as f64) / ((k + 1) as f64);
        }
        for k in (0..mode).rev() {
            masses[k] = masses[k + 1] * ((k + 1) as f64) / ((trials - k) as f64) / odds;
        }
        let total = crate::interval::sum(&masses);
        for mass in &mut masses {
            *mass = unit(*mass / total);
        }
        masses
    }

    /// The natural logarithm of `P(X = k)`, also where the probability itself underflows. Absolute accuracy about
    /// `1e-15 * n`; minus infinity where the mass is zero.
    #[must_use]
    pub fn log_mass(self, k: u64) -> Interval {
        let mass_is_zero =
            k > self.trials || (self.probability == 0.0 && k > 0) || (self.probability == 1.0 && k < self.trials);
        if mass_is_zero {
            return Interval::ZERO.ln();
        }
        let failures = self.trials - k;
        let p = Interval::point(self.probability);
        let weighted = |count: u64, log: Interval| {
            if count == 0 { Interval::ZERO } else { log * count as f64 }
        };
        ln_factorial(self.trials) - ln_factorial(k) - ln_factorial(failures)
            + weighted(k, p.ln())
            + weighted(failures, (-p).ln_1p())
    }

    /// A fair coin: the binomial coefficients of a row of at most 53 add up to a double exactly.
    fn coin(self, range: std::ops::RangeInclusive<u64>) -> Interval {
        let (mut coefficient, mut total) = (1u128, 0u128);
        for k in 0..=self.trials {
            if range.contains(&k) {
                total += coefficient;
            }
            coefficient = coefficient * u128::from(self.trials - k) / u128::from(k + 1);
        }
        Interval::point(total as f64) / Interval::point(2.0).powi(self.trials as i64)
    }
}

fn unit(x: Interval) -> Interval {
    x.max(Interval::ZERO).min(Interval::ONE)
}

/// `log n!`: the logarithm of the product up to 20, Stirling's series beyond,
/// `n log n - n + log(2 pi n)/2 + 1/(12n) - 1/(360n^3) + 1/(1260n^5) - r`, `0 < r < 1/(1680 n^7)`
/// (the series envelops its limit; Abramowitz and Stegun 6.1.42).
#[must_use]
pub fn ln_factorial(n: u64) -> Interval {
    if n <= 20 {
        let product: u64 = (2..=n).product();
        // At most 20! = 2^18 times an odd number below 2^53: the double is exact.
        return Interval::point(product as f64).ln();
    }
    let x = if n <= 1 << 53 {
        Interval::point(n as f64)
    } else {
        Interval::new((n as f64).next_down(), (n as f64).next_up())
    };
    let remainder = Interval::ONE / (x.powi(7) * 1680.0);
    x * x.ln() - x + (Interval::pi() * 2.0 * x).ln() / 2.0 + Interval::ONE / (x * 12.0)
        - Interval::ONE / (x.powi(3) * 360.0)
        + Interval::ONE / (x.powi(5) * 1260.0)
        - Interval::new(0.0, remainder.hi())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_for_a_fair_coin() {
        let law = Binomial::new(10, 0.5).unwrap();
        assert_eq!(law.mass(5), Interval::point(252.0 / 1024.0));
        assert_eq!(law.upper_tail(8), Interval::point(56.0 / 1024.0));
        assert_eq!(law.lower_tail(2), Interval::point(56.0 / 1024.0));
        assert_eq!(law.lower_tail(10), Interval::ONE);
    }

    #[test]
    fn masses_and_tails_agree() {
        for (n, p) in [(1, 0.3), (7, 0.9), (60, 0.5), (300, 0.01), (300, 0.999)] {
            let law = Binomial::new(n, p).unwrap();
            let row = Binomial::masses(n as usize, Interval::point(p));
            for k in 0..=n {
                let (mass, near) = (law.mass(k), row[k as usize]);
                assert!(mass.intersection(near).is_some(), "{n} {p} {k}");
                let above: Interval = row[k as usize..].iter().copied().sum();
                assert!(law.upper_tail(k).intersection(above).is_some(), "{n} {p} {k}");
                let both = law.upper_tail(k + 1) + law.lower_tail(k);
                assert!(both.contains(1.0) && both.width() < 1e-12);
                assert!(mass.ln().intersection(law.log_mass(k)).is_some(), "{n} {p} {k}");
            }
        }
    }

    #[test]
    fn small_tails_keep_their_relative_accuracy() {
        let law = Binomial::new(1_000_000, 0.1).unwrap();
        let tail = law.upper_tail(110_000);
        assert!(tail.lo() > 0.0 && tail.width() <= 1e-9 * tail.lo());
        assert!(tail.intersection(Interval::ONE - law.lower_tail(109_999)).is_some());
        let coin = Binomial::new(2000, 0.5).unwrap().upper_tail(2000);
        assert!(coin.contains(0.0) && coin.hi() < 1e-280);
    }

    #[test]
    fn factorials() {
        for n in 1..200u64 {
            let step = ln_factorial(n) - ln_factorial(n - 1);
            assert!(step.intersection(Interval::point(n as f64).ln()).is_some(), "{n}");
            // The remainder of the series is below 4e-13 from the first number on for which it is used.
            let width = ln_factorial(n).width();
            assert!(width <= 4e-13 + 4e-15 * ln_factorial(n).hi(), "{n} {width}");
        }
    }

    #[test]
    fn refusals() {
        assert!(Binomial::new(3, f64::NAN).is_err() && Binomial::new(3, 1.5).is_err());
        assert!(Binomial::new(1 << 41, 0.5).is_err());
        assert_eq!(Binomial::new(3, 0.0).unwrap().upper_tail(1), Interval::ZERO);
        assert_eq!(Binomial::new(3, 1.0).unwrap().lower_tail(2), Interval::ZERO);
        assert_eq!(Binomial::new(3, 1.0).unwrap().lower_tail(3), Interval::ONE);
    }
}
