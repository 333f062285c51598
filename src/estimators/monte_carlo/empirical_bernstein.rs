//! The predictable plug-in empirical-Bernstein confidence sequence, fed with whole chunks.
//!
//! Let `X_i` be independent in `[0, 1]` with mean `mu`, and let `lambda_i` in `[0, 1)` and `m_i` in `[0, 1]` depend on earlier
//! observations only. By Fan, Grama and Liu (2015, their inequality 4.12), `exp(lambda y - psi(lambda) z^2)` with
//! `psi(lambda) = -log(1 - lambda) - lambda`, `z = X_i - m_i` and `y = X_i - mu` has conditional mean at most one, so that
//! `exp(sum lambda_i (X_i - mu) - sum psi(lambda_i)(X_i - m_i)^2)` is a non-negative supermartingale, and the same for
//! `1 - X_i`. Ville's inequality at `2/alpha` for both gives, at all times together with probability `1 - alpha`,
//!
//! `|sum lambda_i X_i / sum lambda_i - mu| <= (log(2/alpha) + sum psi(lambda_i)(X_i - m_i)^2) / sum lambda_i`
//!
//! (Waudby-Smith and Ramdas 2024, theorem 2). A `lambda` and an `m` that are chosen before a chunk and kept throughout it are
//! predictable for each of its observations. Then only the chunk's number, sum and sum of squares are needed, while the
//! guarantee is that of single observations: chunking costs nothing but the coarser times at which one may look.

use super::range::check_level;
use super::{Moments, MonteCarloError, ObservationRange};
use enclosures::enclosure::Enclosure;
use enclosures::interval::Interval;

/// The largest bet.
const LARGEST: f64 = 0.95;
/// Steps of Newton's method towards the best bet; any bet keeps the guarantee.
const STEPS: usize = 8;

/// The bet that is best where `price` is paid once and `psi` of the bet as often as its `variance` comes to: the minimum of
/// `(price + psi(lambda) v)/lambda`, at which `lambda psi'(lambda) - psi(lambda) = lambda^2/(1 - lambda) + log(1 - lambda) + lambda = price/v`.
/// About `sqrt(2 price / v)` where that is small.
fn best_bet(price: f64, variance: f64) -> f64 {
    let wanted = price / variance;
    let short = |l: f64| l * l / (1.0 - l) + core_math::log1p(-l) + l - wanted;
    // The left side is at least `lambda^2/2` and convex, so that the steps come from above.
    let mut lambda = (2.0 * wanted).sqrt().min(LARGEST);
    if short(lambda) <= 0.0 {
        return lambda;
    }
    for _ in 0..STEPS {
        // Its derivative is `lambda/(1 - lambda)^2`.
        lambda -= short(lambda) * (1.0 - lambda) * (1.0 - lambda) / lambda;
    }
    lambda.clamp(0.0, LARGEST)
}

/// The running state of the sequence; see the module's text.
///
/// ```
/// use contrapositive_estimators::monte_carlo::{EmpiricalBernstein, Moments, ObservationRange};
/// let mut sequence = EmpiricalBernstein::new(ObservationRange::new(0.0, 2.0).unwrap(), 0.05).unwrap();
/// for _ in 0..100 {
///     sequence.push(&Moments::of(&[0.9, 1.1, 1.0, 1.0]).unwrap());
/// }
/// let mean = sequence.enclosure();
/// assert!(mean.lo() < 1.0 && 1.0 < mean.hi() && mean.width() < 0.2);
/// ```
#[derive(Clone, Debug)]
pub struct EmpiricalBernstein {
    range: ObservationRange,
    alpha: f64,
    horizon: Option<f64>,
    /// `log(2/alpha)`.
    price: Interval,
    count: f64,
    /// Shares of the range, added up plainly: they only tune the bets.
    sum: f64,
    spread: f64,
    /// `sum lambda X`, `sum lambda` and `sum psi (X - m)^2`.
    weighted: Interval,
    weight: Interval,
    penalty: Interval,
    /// The part of the range that no time has excluded.
    left: Interval,
}

impl EmpiricalBernstein {
    /// A sequence for observations in `range` that misses with probability at most `alpha`, at all times together.
    ///
    /// # Errors
    /// [`MonteCarloError::Level`].
    pub fn new(range: ObservationRange, alpha: f64) -> Result<Self, MonteCarloError> {
        check_level(alpha)?;
        Ok(EmpiricalBernstein {
            range,
            alpha,
            horizon: None,
            price: (Interval::point(2.0) / alpha).ln(),
            count: 0.0,
            sum: 0.0,
            spread: 0.0,
            weighted: Interval::ZERO,
            weight: Interval::ZERO,
            penalty: Interval::ZERO,
            left: Interval::new(range.lo(), range.hi()),
        })
    }

    /// Bets that are best when stopping near so many observations, in place of bets that are good at all times. The
    /// guarantee is the same; the width at the horizon is that of a fixed-time Bernstein interval.
    #[must_use]
    pub fn with_horizon(mut self, observations: u64) -> Self {
        self.horizon = Some(observations.max(1) as f64);
        self
    }

    /// Takes in a chunk. The observations must lie in the range; [`super::sample`] checks that where they are drawn.
    pub fn push(&mut self, chunk: &Moments) {
        if chunk.count == 0 {
            return;
        }
        let (n, after) = (chunk.count as f64, self.count + chunk.count as f64);
        let length = self.range.length();
        let middle = ((0.5 + self.sum) / (self.count + 1.0)).clamp(0.0, 1.0);
        let variance = (0.25 + self.spread) / (self.count + 1.0);
        let times = self.horizon.unwrap_or(after * core_math::log1p(after));
        let lambda = best_bet(self.price.hi(), variance * times);

        // The power sums were rounded: relatively (n/4 + 3) u each, at most n u for chunks of four and more, of sums whose
        // terms are at most the larger end of the range in size.
        let error = (n + 4.0) * f64::EPSILON;
        let size = self.range.lo().abs().max(self.range.hi().abs());
        let sum = Interval::point(chunk.sum).widened_by(error * n * size);
        let squares = Interval::point(chunk.squares).widened_by(error * chunk.squares);
        let share = (sum - Interval::point(self.range.lo()) * n) / length;
        let centre = length * middle + self.range.lo();
        let spread = (squares - centre * sum * 2.0 + centre.square() * n) / length.square();
        let spread = spread.max(Interval::ZERO);

        let psi = -(-Interval::point(lambda)).ln_1p() - lambda;
        self.weighted += share * lambda;
        self.weight += Interval::point(n) * lambda;
        self.penalty += psi.max(Interval::ZERO) * spread;
        self.count = after;
        self.sum += share.midpoint();
        // The deviations from the mean after the chunk, as the running estimate of the variance has it.
        let shift = middle - (0.5 + self.sum) / (after + 1.0);
        self.spread += (spread.midpoint() - n * shift * shift).max(0.0);

        let half = (self.price + self.penalty) / self.weight;
        let here = (self.weighted / self.weight).widened_by(half.hi());
        let here = self.range.at(here.intersection(Interval::new(0.0, 1.0)).unwrap_or(here));
        // An empty intersection is one of the misses that alpha allows.
        self.left = self.left.intersection(here).unwrap_or(here);
    }

    /// Number of observations so far.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count as u64
    }

    /// The mean of the observations: what no time so far has excluded.
    #[must_use]
    pub fn enclosure(&self) -> Enclosure {
        Enclosure::sampled(self.left.lo(), self.left.hi(), self.alpha)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_its_horizon_a_sequence_is_as_narrow_as_bernsteins_interval() {
        let mut rng = enclosures::stream::stream(8, &["bernstein"]);
        let (n, alpha) = (20_000u64, 1e-6);
        let mut sequence =
            EmpiricalBernstein::new(ObservationRange::new(0.0, 1.0).unwrap(), alpha).unwrap().with_horizon(n);
        for _ in 0..200 {
            let chunk: Vec<f64> = (0..n / 200).map(|_| enclosures::probability::uniform(&mut rng)).collect();
            sequence.push(&Moments::of(&chunk).unwrap());
        }
        assert_eq!(sequence.count(), n);
        // Of a variance of 1/12: sqrt(2 V log(2/alpha)/n), and a third of log(2/alpha)/n for the range.
        let log = core_math::log(2.0 / alpha);
        let half = (log / 6.0 / n as f64).sqrt() + log / 3.0 / n as f64;
        let found = 0.5 * sequence.enclosure().width();
        assert!(found < 1.05 * half && found > 0.9 * half, "{found} {half}");
    }

    #[test]
    fn the_first_bets_rest_on_half_the_range_and_a_quarter_of_its_square() {
        // One chunk of equal observations: the spread is counted about the middle, 1/2.
        let (n, alpha) = (64.0, 0.01);
        let mut sequence = EmpiricalBernstein::new(ObservationRange::new(0.0, 1.0).unwrap(), alpha).unwrap();
        sequence.push(&Moments::of(&[0.75; 64]).unwrap());
        let price = core_math::log(2.0 / alpha);
        let lambda = best_bet(price, 0.25 * n * core_math::log1p(n));
        let penalty = (-core_math::log1p(-lambda) - lambda) * n / 16.0;
        let half = (price + penalty) / (lambda * n);
        let (lo, hi) = (sequence.enclosure().lo(), sequence.enclosure().hi());
        assert!(
            (lo - (0.75 - half).max(0.0)).abs() < 1e-12 && (hi - (0.75 + half).min(1.0)).abs() < 1e-12,
            "{lo} {hi} {half}"
        );
    }

    #[test]
    fn no_other_bet_is_better() {
        let loss = |lambda: f64, variance: f64| (16.0 - (core_math::log1p(-lambda) + lambda) * variance) / lambda;
        for variance in [1e-3, 0.5, 3.0, 40.0, 1e4, 1e9] {
            let best = best_bet(16.0, variance);
            assert!(best > 0.0 && best <= LARGEST, "{variance}: {best}");
            for factor in [0.5, 0.9, 0.99, 1.01, 1.1] {
                let other = (factor * best).min(LARGEST);
                assert!(loss(best, variance) <= loss(other, variance), "{variance}: {best}, {other}");
            }
        }
    }
}
