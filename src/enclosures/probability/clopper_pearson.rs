//! Exact confidence limits for a success probability (Clopper and Pearson 1934).
//!
//! The lower limit is the largest `p` at which seeing `x` or more successes in `n` trials has probability at most the
//! allowed miss, the upper limit the smallest `p` at which seeing `x` or fewer has. Quantile routines of the beta law can
//! be silently wrong, so none is trusted here: both limits are found by bisection on the binomial tail itself, enclosed
//! in intervals, and the end that is answered has certainly been shown to satisfy the definition.

use super::binomial::{Binomial, BinomialError};
use crate::enclosure::Enclosure;

/// What is wrong with the counts or the level.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum IntervalError {
    /// No trials.
    #[error("a confidence interval needs at least one trial")]
    NoTrials,
    /// More successes than trials.
    #[error("{successes} successes in {trials} trials")]
    Successes {
        /// Number of successes.
        successes: u64,
        /// Number of trials.
        trials: u64,
    },
    /// A miss probability that is none.
    #[error("the miss probability {0} is not strictly between 0 and 1")]
    Level(f64),
    /// The trials cannot be handled.
    #[error(transparent)]
    Binomial(#[from] BinomialError),
}

/// Bisection stops at this relative distance between a certified limit and one that is not.
const RELATIVE_GAP: f64 = 1e-12;
/// More halvings than a double has bits in its mantissa and exponent range together.
const HALVINGS: usize = 1200;

fn check(successes: u64, trials: u64, miss: f64) -> Result<(), IntervalError> {
    if trials == 0 {
        return Err(IntervalError::NoTrials);
    }
    if successes > trials {
        return Err(IntervalError::Successes { successes, trials });
    }
    if !(miss > 0.0 && miss < 1.0) {
        return Err(IntervalError::Level(miss));
    }
    Binomial::new(trials, 0.5)?;
    Ok(())
}

/// Narrows `certified .. open` until the two are neighbours for all purposes; the certified end is the answer.
fn bisect(mut certified: f64, mut open: f64, certain: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (certified + open);
        let gap = (certified - open).abs();
        if gap <= RELATIVE_GAP * certified.min(open) || middle == certified || middle == open {
            break;
        }
        if certain(middle) {
            certified = middle;
        } else {
            open = middle;
        }
    }
    certified
}

/// The lower confidence limit: the success probability lies at or above it with probability at least `1 - miss`.
///
/// # Errors
/// No trials, more successes than trials, a miss probability outside (0, 1).
pub fn lower_bound(successes: u64, trials: u64, miss: f64) -> Result<f64, IntervalError> {
    check(successes, trials, miss)?;
    if successes == 0 {
        return Ok(0.0);
    }
    let certain = |p: f64| Binomial::new(trials, p).is_ok_and(|law| law.upper_tail(successes).hi() <= miss);
    Ok(bisect(0.0, successes as f64 / trials as f64, certain))
}

/// The upper confidence limit: the success probability lies at or below it with probability at least `1 - miss`.
///
/// # Errors
/// As [`lower_bound`].
pub fn upper_bound(successes: u64, trials: u64, miss: f64) -> Result<f64, IntervalError> {
    check(successes, trials, miss)?;
    if successes == trials {
        return Ok(1.0);
    }
    let certain = |p: f64| Binomial::new(trials, p).is_ok_and(|law| law.lower_tail(successes).hi() <= miss);
    Ok(bisect(1.0, successes as f64 / trials as f64, certain))
}

/// The two-sided interval: misses the success probability with probability at most `alpha`, half of it on each side.
///
/// ```
/// use contrapositive_enclosures::probability::clopper_pearson;
/// let none_in_hundred = clopper_pearson(0, 100, 0.05)?;
/// assert!((none_in_hundred.hi() - 0.0362167).abs() < 1e-7);
/// # Ok::<(), contrapositive_enclosures::probability::IntervalError>(())
/// ```
///
/// # Errors
/// As [`lower_bound`].
pub fn clopper_pearson(successes: u64, trials: u64, alpha: f64) -> Result<Enclosure, IntervalError> {
    if !(alpha > 0.0 && alpha < 1.0) {
        return Err(IntervalError::Level(alpha));
    }
    let miss = 0.5 * alpha;
    Ok(Enclosure::sampled(lower_bound(successes, trials, miss)?, upper_bound(successes, trials, miss)?, alpha))
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{Beta, ContinuousCDF};

    #[test]
    fn bisection_stops_at_its_gap_and_not_at_the_last_bit() {
        let asked = std::cell::Cell::new(0);
        let found = bisect(1.0, 0.0, |x| {
            asked.set(asked.get() + 1);
            x >= 0.3
        });
        assert!((0.3..0.3 * (1.0 + RELATIVE_GAP)).contains(&found), "{found}");
        // 2^-41 / 0.3 is the first gap below 10^-12 or so.
        assert!((40..=43).contains(&asked.get()), "{} questions", asked.get());
    }

    #[test]
    fn agrees_with_the_beta_quantiles() {
        for (x, n) in [(1u64, 10u64), (5, 10), (9, 10), (3, 1000), (400, 1000), (77, 1_000_000), (500_000, 1_000_000)] {
            let interval = clopper_pearson(x, n, 0.01).unwrap();
            // The peer's probability at our limits: its quantiles are not used.
            let low = Beta::new(x as f64, (n - x + 1) as f64).unwrap().cdf(interval.lo());
            let high = Beta::new((x + 1) as f64, (n - x) as f64).unwrap().cdf(interval.hi());
            assert!((low - 0.005).abs() < 1e-6 && (high - 0.995).abs() < 1e-6, "{x} {n} {low} {high}");
        }
    }

    #[test]
    fn closed_forms_at_the_ends() {
        // No success: (1 - p)^n = miss.
        let high = upper_bound(0, 1000, 1e-6).unwrap();
        let exact = -core_math::expm1(core_math::log(1e-6) / 1000.0);
        assert!(high >= exact * (1.0 - 1e-14) && high <= exact * (1.0 + 1e-9));
        assert_eq!(lower_bound(0, 5, 0.1).unwrap(), 0.0);
        assert_eq!(upper_bound(5, 5, 0.1).unwrap(), 1.0);
        // Every trial a success: p^n = miss.
        let low = lower_bound(1, 1, 0.25).unwrap();
        assert!(low <= 0.25 && low > 0.25 - 1e-9);
        let tiny = lower_bound(1, 1_000_000, 1e-9).unwrap();
        assert!(tiny <= 1.0000001e-15 && tiny > 0.999999e-15);
    }

    #[test]
    fn refusals() {
        assert_eq!(clopper_pearson(0, 0, 0.1), Err(IntervalError::NoTrials));
        assert!(matches!(clopper_pearson(2, 1, 0.1), Err(IntervalError::Successes { .. })));
        for alpha in [0.0, 1.0, -1.0, f64::NAN] {
            assert!(matches!(clopper_pearson(0, 1, alpha), Err(IntervalError::Level(_))));
        }
    }
}
