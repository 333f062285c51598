//! `p_cc(N)`: the probability that `N` independent draws show every class, for any class probabilities and any `N`.
//!
//! Two ways, both to about fifteen digits of the probability *and* of its complement, at a cost that hardly depends
//! on `N`:
//! * Bonferroni's inequalities where it is rare that a class is missing (`rare`);
//! * Cauchy's integral elsewhere (`contour`).
//!
//! Both are evaluated at lower bounds `rho` of the class probabilities, the rest counting as draws that show nothing.
//! Then `p_cc` grows with every probability,
//! `d log p_cc/d log rho_c = P(c is seen exactly once | all classes are seen)` lies between 0 and 1, and
//! `d p_cc/d rho_c = N P(N - 1 draws show all classes but c) <= N (1 - rho_c)^{N-1}`. This turns the uncertainty of
//! the probabilities into that of the result.

mod class_probabilities;
mod contour;
mod disc;
mod rare;
#[cfg(test)]
mod recursion;

use class_probabilities::Shares;

use super::coupon_collector::CollectorError;
use crate::interval::{DoubleDouble, Interval, sum};

/// How likely it is that every class is drawn, and that one is missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coverage {
    /// `p_cc(N)`, with relative accuracy down to the smallest doubles.
    pub covered: Interval,
    /// `1 - p_cc(N)`, with relative accuracy however small it is.
    pub missed: Interval,
    /// `log p_cc(N)`, also where the probability itself underflows; minus infinity where it is zero.
    pub log_covered: Interval,
}

impl Coverage {
    const ALWAYS: Coverage = Coverage { covered: Interval::ONE, missed: Interval::ZERO, log_covered: Interval::ZERO };

    /// `p_cc(draws)` for classes drawn with probability proportional to positive weights. The weights are taken as
    /// exact, which makes the result independent of how their shares would be rounded. Time proportional to the
    /// number of different weights: about 40 microseconds for each at most.
    ///
    /// ```
    /// use contrapositive_enclosures::probability::Coverage;
    /// let coverage = Coverage::of_weights(&[5.0, 3.0, 2.0], 5)?;
    /// assert!((coverage.covered.midpoint() - 0.507).abs() < 1e-15);
    /// // A hundred thousand draws from a thousand classes miss one with probability 3.5e-41.
    /// let many = Coverage::of_weights(&vec![1.0; 1000], 100_000)?;
    /// assert!(many.missed.lo() > 3e-41 && many.missed.width() < 1e-14 * many.missed.lo());
    /// # Ok::<(), contrapositive_enclosures::probability::CollectorError>(())
    /// ```
    ///
    /// # Errors
    /// No classes; a weight that is not a positive finite number.
    pub fn of_weights(weights: &[f64], draws: u64) -> Result<Self, CollectorError> {
        check_weights(weights)?;
        Ok(Self::of(&Shares::of_weights(weights), draws))
    }

    /// `p_cc(draws)` for enclosed class probabilities, of which the true ones add up to one. If all enclosures are
    /// the same, the classes count as equally likely.
    ///
    /// # Errors
    /// No classes; a probability that is not positive; probabilities that cannot add up to one.
    pub fn of_probabilities(probabilities: &[Interval], draws: u64) -> Result<Self, CollectorError> {
        if probabilities.is_empty() {
            return Err(CollectorError::NoClasses);
        }
        for (class, rho) in probabilities.iter().enumerate() {
            if rho.hi() <= 0.0 || rho.lo() < 0.0 || rho.lo() > 1.0 {
                return Err(CollectorError::Weight { class, weight: rho.midpoint() });
            }
        }
        let total = sum(probabilities);
        if !total.contains(1.0) {
            return Err(CollectorError::Total { lo: total.lo(), hi: total.hi() });
        }
        Ok(Self::of(&Shares::of_intervals(probabilities), draws))
    }

    fn of(shares: &Shares, draws: u64) -> Self {
        let classes = shares.each().len() as u64;
        if draws < classes {
            return Coverage { covered: Interval::ZERO, missed: Interval::ONE, log_covered: Interval::ZERO.ln() };
        }
        if classes == 1 {
            return Self::ALWAYS;
        }
        if draws > 1 << 53 {
            // More draws than doubles can count never cover less.
            let fewer = Self::of(shares, 1 << 53);
            return Coverage {
                covered: Interval::new(fewer.covered.lo(), 1.0),
                missed: Interval::new(0.0, fewer.missed.hi()),
                log_covered: Interval::new(fewer.log_covered.lo(), 0.0),
            };
        }
        let n = draws as f64;
        if let Some(rarest) = shares.each().iter().filter(|s| s.low.hi() <= 0.0).map(|s| s.slack).reduce(f64::min) {
            // Nothing is known of this class but that it is rare; it must be drawn at least once.
            let most = (-((-Interval::point(rarest)).ln_1p() * n).exp_m1()).hi().clamp(0.0, 1.0);
            let covered = Interval::new(0.0, most);
            return Coverage { covered, missed: Interval::ONE - covered, log_covered: covered.ln() };
        }
        let groups = shares.groups();
        // What the slack of the probabilities can add to p_cc: relatively, and absolutely.
        let (mut growth, mut gain) = (0.0, 0.0);
        for share in shares.each() {
            growth += share.slack / share.low.hi();
            gain += share.slack * n * core_math::exp((n - 1.0) * core_math::log1p(-share.low.hi()));
        }
        let (growth, gain) = (1.001 * growth, 1.001 * gain + 1e-300);
        let slack = |missed: Interval| Interval::new((missed - gain).lo().max(0.0), missed.hi().min(1.0));
        if let Some(missed) = rare::missed(&groups, draws).filter(|m| m.hi() < 1e-7) {
            let missed = slack(missed);
            return Coverage { covered: Interval::ONE - missed, missed, log_covered: (-missed).ln_1p() };
        }
        let Some(log) = contour::log_covered(&groups, draws) else {
            let covered = Interval::new(0.0, 1.0);
            return Coverage { covered, missed: covered, log_covered: covered.ln() };
        };
        let log_covered = log.value.widened_by(log.error) + Interval::new(0.0, growth);
        let log_covered = Interval::new(log_covered.lo().min(0.0), log_covered.hi().min(0.0));
        if log.value.hi() < -690.0 {
            let covered = log_covered.exp();
            return Coverage { covered, missed: Interval::ONE - covered, log_covered };
        }
        let (value, minus_one) = log.value.exponentials();
        let off = 2.0 * value.hi() * (log.error + DoubleDouble::ERROR * (1.0 + log.value.hi().abs()));
        let covered = value.widened_by(off);
        let more = (covered * (Interval::point(growth).exp())).hi().min((covered + gain).hi());
        let missed = (-minus_one).widened_by(off);
        Coverage { covered: Interval::new(covered.lo().max(0.0), more.min(1.0)), missed: slack(missed), log_covered }
    }
}

fn check_weights(weights: &[f64]) -> Result<(), CollectorError> {
    if weights.is_empty() {
        return Err(CollectorError::NoClasses);
    }
    for (class, &weight) in weights.iter().enumerate() {
        if !(weight > 0.0 && weight.is_finite()) {
            return Err(CollectorError::Weight { class, weight });
        }
    }
    Ok(())
}

/// The class probabilities `w_c / sum w` of positive weights, enclosed to about one unit in the last place.
///
/// # Errors
/// No classes; a weight that is not a positive finite number.
pub fn probabilities_of(weights: &[f64]) -> Result<Vec<Interval>, CollectorError> {
    check_weights(weights)?;
    let shares = Shares::of_weights(weights);
    Ok(shares.each().iter().map(|s| s.enclosure()).collect())
}

/// `p_cc(draws)` for class probabilities that add up to one; zero exactly for fewer draws than classes. It is
/// [`Coverage::of_probabilities`] without the complement.
///
/// ```
/// use contrapositive_enclosures::probability::{coverage_probability, probabilities_of};
/// let rho = probabilities_of(&[5.0, 3.0, 2.0])?;
/// assert!((coverage_probability(&rho, 5)?.midpoint() - 0.507).abs() < 1e-14);
/// # Ok::<(), contrapositive_enclosures::probability::CollectorError>(())
/// ```
///
/// # Errors
/// No classes; a probability that is not positive; probabilities that cannot add up to one.
pub fn coverage_probability(probabilities: &[Interval], draws: u64) -> Result<Interval, CollectorError> {
    Ok(Coverage::of_probabilities(probabilities, draws)?.covered)
}

#[cfg(test)]
mod tests;
