//! The hedged capital confidence sequence: a mean is excluded once a bet against it has made a fortune.
//!
//! For observations in `[0, 1]` with mean `mu` the capital `K+_t(m) = prod (1 + lambda_i(m)(X_i - m))` of a gambler who bets
//! that the mean exceeds `m` is, at `m = mu`, a martingale, whatever predictable `0 <= lambda_i(m) <= 1/m`; likewise
//! `K-_t(m) = prod (1 - lambda_i(m)(X_i - m))` with `lambda_i(m) <= 1/(1 - m)`. By Ville's inequality both stay below
//! `2/alpha` for ever with probability `1 - alpha` (Waudby-Smith and Ramdas, *Estimating means of bounded random variables by
//! betting*, 2024, theorem 3 with hedge 1/2). The bets are `lambda_i(m) = min(l_i, c/m)` with a plug-in `l_i` that does not
//! depend on `m`: then every factor falls with `m` (its derivative is `-l_i`, or `-c X_i/m^2`), so that the excluded means form
//! an interval whose end is found by bisection, and no grid is needed. The end that is answered has been excluded itself.
//!
//! # Rounding
//! Each factor is at least `1 - c = 1/2` and its terms are at most as large as itself, so that its relative error is at most
//! `4u` and that of a product of `t` at most `6 u t`; a rounded `c/m` disturbs the monotony by at most `2u` per factor. A fortune
//! must exceed `2/alpha` by the factor `1 + 16 u t`. Scaling to the range and reflecting cost at most `4u` of the range each.

use super::range::check_level;
use super::{MonteCarloError, ObservationRange};
use enclosures::enclosure::Enclosure;
use enclosures::interval::Interval;

/// No bet risks more than this share of the capital.
const SHARE: f64 = 0.5;
/// The capital is rescaled by `2^512` below its reciprocal.
const TINY: f64 = f64::from_bits((1023 - 512) << 52);
const HUGE: f64 = f64::from_bits((1023 + 512) << 52);
/// Bets are sized as if so many observations had been made before the first one: looking that early is not worth its price.
const PATIENCE: f64 = 64.0;
/// Bisection stops when the open gap is this share of the interval's width, or after so many halvings.
const GAP: f64 = 1e-4;
const HALVINGS: usize = 60;

/// A bet that was placed and what came of it.
#[derive(Clone, Copy, Debug)]
struct Bet {
    lambda: f64,
    outcome: f64,
}

/// The history of all bets; see the module's text. Memory grows by 16 bytes per observation: feed it chunk means where
/// observations are cheap.
///
/// ```
/// use contrapositive_estimators::monte_carlo::{Betting, ObservationRange};
/// let mut sequence = Betting::new(ObservationRange::new(0.0, 1.0).unwrap(), 0.05).unwrap();
/// for i in 0..1000 {
///     sequence.push(if i % 4 == 0 { 1.0 } else { 0.0 }).unwrap();
/// }
/// let mean = sequence.enclosure();
/// assert!(mean.lo() < 0.25 && 0.25 < mean.hi() && mean.width() < 0.15);
/// ```
#[derive(Clone, Debug)]
pub struct Betting {
    range: ObservationRange,
    alpha: f64,
    prior: f64,
    bets: Vec<Bet>,
    sum: f64,
    spread: f64,
}

impl Betting {
    /// A sequence for observations in `range` that misses with probability at most `alpha`, at all times together.
    ///
    /// # Errors
    /// [`MonteCarloError::Level`].
    pub fn new(range: ObservationRange, alpha: f64) -> Result<Self, MonteCarloError> {
        check_level(alpha)?;
        Ok(Betting { range, alpha, prior: 0.25, bets: Vec::new(), sum: 0.0, spread: 0.0 })
    }

    /// For observations that are means of so many draws: the variance believed in before the first of them is divided by that
    /// number. A wrong belief costs width, never coverage.
    #[must_use]
    pub fn of_means(mut self, draws: u64) -> Self {
        self.prior = 0.25 / draws.max(1) as f64;
        self
    }

    /// Takes in an observation.
    ///
    /// # Errors
    /// [`MonteCarloError::OutOfRange`] also for NaN; the observation is not taken in.
    pub fn push(&mut self, observation: f64) -> Result<(), MonteCarloError> {
        let (lo, hi) = (self.range.lo(), self.range.hi());
        if !self.range.contains(observation) {
            return Err(MonteCarloError::OutOfRange { value: observation, lo, hi });
        }
        let outcome = ((observation - lo) / (hi - lo)).clamp(0.0, 1.0);
        let before = self.bets.len() as f64;
        let variance = (self.prior + self.spread) / (before + 1.0);
        let patient = before + PATIENCE;
        let times = patient * core_math::log1p(patient);
        let lambda = (2.0 * core_math::log(2.0 / self.alpha) / (variance * times)).sqrt();
        self.bets.push(Bet { lambda, outcome });
        self.sum += outcome;
        let mean = (0.5 + self.sum) / (before + 2.0);
        self.spread += (outcome - mean) * (outcome - mean);
        Ok(())
    }

    /// Number of observations so far.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.bets.len() as u64
    }

    /// Whether a bet that the mean exceeds (or, of `reflected` outcomes, undercuts) `m` ever made a fortune.
    fn fortune(&self, m: f64, reflected: bool) -> bool {
        let cap = SHARE / m;
        let goal = 2.0 / self.alpha * (1.0 + 16.0 * f64::EPSILON * (self.bets.len() + 1) as f64);
        let (mut capital, mut debts) = (1.0f64, 0u32);
        for bet in &self.bets {
            let x = if reflected { 1.0 - bet.outcome } else { bet.outcome };
            capital *= 1.0 + bet.lambda.min(cap) * (x - m);
            if debts == 0 {
                if capital >= goal {
                    return true;
                }
            } else if capital >= HUGE {
                (capital, debts) = (capital * TINY, debts - 1);
            }
            if capital < TINY {
                (capital, debts) = (capital * HUGE, debts + 1);
            }
        }
        false
    }

    /// The largest share of the range below which every mean has been excluded, as far as bisection goes.
    fn excluded_below(&self, reflected: bool) -> f64 {
        if !self.fortune(0.0, reflected) {
            return 0.0;
        }
        let n = self.bets.len().max(1) as f64;
        let mean = if reflected { 1.0 - self.sum / n } else { self.sum / n };
        let (mut excluded, mut open) = (0.0f64, 1.0f64);
        for _ in 0..HALVINGS {
            if open - excluded <= GAP * (mean - excluded).abs() {
                break;
            }
            let middle = 0.5 * (excluded + open);
            if self.fortune(middle, reflected) {
                excluded = middle;
            } else {
                open = middle;
            }
        }
        excluded
    }

    /// The mean of the observations: what no time so far has excluded. The work is about 40 passes over all observations.
    #[must_use]
    pub fn enclosure(&self) -> Enclosure {
        let ends = Interval::new(self.excluded_below(false), 1.0 - self.excluded_below(true));
        let left = self.range.at(ends.widened_by(8.0 * f64::EPSILON));
        Enclosure::sampled(left.lo(), left.hi(), self.alpha)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_of_many_draws_are_believed_to_vary_little() {
        let width = |draws: u64| {
            let range = ObservationRange::new(0.0, 1.0).unwrap();
            let mut bets = Betting::new(range, 1e-6).unwrap().of_means(draws);
            for k in 0..60 {
                bets.push(if k % 2 == 0 { 0.49 } else { 0.51 }).unwrap();
            }
            bets.enclosure().width()
        };
        assert_eq!(width(0), width(1));
        assert!(width(100) < 0.99 * width(1), "{} {}", width(100), width(1));
    }

    #[test]
    fn a_capital_that_is_rescaled_comes_back() {
        assert_eq!((TINY * HUGE, TINY), (1.0, core_math::exp2(-512.0)));
    }
}
