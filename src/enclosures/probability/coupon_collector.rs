//! The law of the coupon-collector time for uniform draws.
//!
//! With `N` equally likely classes let `D_n(j)` be the probability that `n` draws show exactly `j` of them. Then
//! `D_{n+1}(j) = D_n(j) j/N + D_n(j-1) (N-j+1)/N`, all terms positive, and
//! `P(T_cc <= n) = D_n(N)`, `P(T_cc > n) = sum_{j<N} D_n(j)`: both tails keep their relative accuracy.

use super::collector_moments::collector_mean;
use super::distinct_classes::DistinctClasses;
use crate::interval::{Interval, sum};

/// What is wrong with a coupon-collector question.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CollectorError {
    /// No class at all.
    #[error("there must be at least one class")]
    NoClasses,
    /// A class probability or weight that is not positive, or not finite.
    #[error("class {class} has weight {weight}, which is not a positive number")]
    Weight {
        /// Position of the class.
        class: usize,
        /// Its weight.
        weight: f64,
    },
    /// The probabilities cannot add up to one.
    #[error("the class probabilities add up to a number in [{lo}, {hi}], not to one")]
    Total {
        /// Lower end of the total.
        lo: f64,
        /// Upper end of the total.
        hi: f64,
    },
    /// The recursion would take too long.
    #[error("{classes} classes and {draws} draws exceed the limit of 4e9 steps or 5e7 draws")]
    TooLarge {
        /// Number of classes.
        classes: usize,
        /// Number of draws.
        draws: usize,
    },
}

/// Most steps of a recursion.
const STEP_LIMIT: f64 = 4e9;
/// Most draws whose law is kept in memory.
const DRAW_LIMIT: usize = 50_000_000;

/// `P(T_cc <= n)` and `P(T_cc > n)` for `n = 0 ..= draws`, uniform draws from `classes` classes.
///
/// ```
/// use contrapositive_enclosures::probability::CoverageLaw;
/// let law = CoverageLaw::uniform(2, 10)?;
/// assert_eq!(law.survival(3).hi(), 0.25);     // three equal draws of two sides
/// # Ok::<(), contrapositive_enclosures::probability::CollectorError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CoverageLaw {
    classes: usize,
    covered: Vec<Interval>,
    survival: Vec<Interval>,
}

impl CoverageLaw {
    /// The law up to `draws` draws; time proportional to `classes * draws`.
    ///
    /// # Errors
    /// No classes, more than 4e9 steps or more than 5e7 draws.
    pub fn uniform(classes: usize, draws: usize) -> Result<Self, CollectorError> {
        if classes == 0 {
            return Err(CollectorError::NoClasses);
        }
        if classes as f64 * draws as f64 > STEP_LIMIT || draws > DRAW_LIMIT {
            return Err(CollectorError::TooLarge { classes, draws });
        }
        let mut seen = DistinctClasses::before_any_draw(classes);
        let mut law =
            CoverageLaw { classes, covered: Vec::with_capacity(draws + 1), survival: Vec::with_capacity(draws + 1) };
        for n in 0..=draws {
            let shown = seen.probabilities();
            law.covered.push(shown[classes].min(Interval::ONE));
            law.survival.push(if n < classes {
                Interval::ONE
            } else {
                sum(&shown[..classes]).max(Interval::ZERO).min(Interval::ONE)
            });
            seen.after_another_draw();
        }
        Ok(law)
    }

    /// Number of classes.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Largest number of draws for which the law was computed.
    #[must_use]
    pub fn draws(&self) -> usize {
        self.covered.len() - 1
    }

    /// `p_cc(n) = P(T_cc <= n)`. Beyond the computed range: between the last value and one.
    #[must_use]
    pub fn covered(&self, n: usize) -> Interval {
        match self.covered.get(n) {
            Some(value) => *value,
            None => Interval::new(self.covered[self.draws()].lo(), 1.0),
        }
    }

    /// `P(T_cc > n)`. Beyond the computed range: between zero and the last value.
    #[must_use]
    pub fn survival(&self, n: usize) -> Interval {
        match self.survival.get(n) {
            Some(value) => *value,
            None => Interval::new(0.0, self.survival[self.draws()].hi()),
        }
    }

    /// `P(|T_cc - N H_N| >= beta N)`, the event with its end points. `T_cc` is an integer: where the enclosure of
    /// `N (H_N -+ beta)` does not settle which integer comes next, both answers are enclosed.
    #[must_use]
    pub fn deviation(&self, beta: Interval) -> Interval {
        let (mean, radius) = (collector_mean(self.classes as u64), beta * self.classes as f64);
        if radius.hi() <= 0.0 {
            return Interval::ONE;
        }
        let (below, above) = (mean - radius, mean + radius);
        let at_most = |x: f64| {
            if x < 0.0 { Interval::ZERO } else { self.covered(x.floor() as usize) }
        };
        let at_least = |x: f64| {
            if x <= 1.0 { Interval::ONE } else { self.survival(x.ceil() as usize - 1) }
        };
        let total = at_most(below.lo()).hull(at_most(below.hi())) + at_least(above.hi()).hull(at_least(above.lo()));
        total.min(Interval::ONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_rational::BigRational;

    fn near(x: Interval, value: f64, relative: f64) -> bool {
        (x.midpoint() - value).abs() <= relative * value && x.width() <= 1e-10 * x.lo()
    }

    #[test]
    fn reference_values() {
        let law = CoverageLaw::uniform(10, 35).unwrap();
        assert!(near(law.covered(10), 3.6288e-4, 1e-14));
        assert!(near(law.covered(15), 0.045_950_224_32, 1e-14));
        assert!(near(law.covered(25), 0.436_603_931_753, 1e-11));
        assert!(near(law.covered(35), 0.767_487_638_43, 1e-11));
        assert_eq!(law.covered(9), Interval::ZERO);
        assert_eq!(law.survival(9), Interval::ONE);
    }

    #[test]
    fn exact_rationals() {
        let exact = |n: usize, classes: i64| -> BigRational {
            // Inclusion and exclusion.
            let mut binomial = num_bigint::BigInt::from(1);
            let mut total = BigRational::from_float(0.0).unwrap();
            for missing in 0..=classes {
                let share = BigRational::new((classes - missing).into(), classes.into());
                let mut power = BigRational::from_float(1.0).unwrap();
                for _ in 0..n {
                    power *= &share;
                }
                let sign = if missing % 2 == 0 { 1 } else { -1 };
                total += power * BigRational::from_integer(binomial.clone() * sign);
                binomial = binomial * (classes - missing) / (missing + 1);
            }
            total
        };
        let end = |e: f64| BigRational::from_float(e).unwrap();
        for classes in [1, 2, 3, 7, 12] {
            let law = CoverageLaw::uniform(classes as usize, 60).unwrap();
            for n in 0..=60 {
                let truth = exact(n, classes);
                let (covered, survival) = (law.covered(n), law.survival(n));
                assert!(end(covered.lo()) <= truth && truth <= end(covered.hi()), "{classes} {n}");
                let miss = end(1.0) - truth;
                assert!(end(survival.lo()) <= miss && miss <= end(survival.hi()), "{classes} {n}");
            }
        }
    }

    #[test]
    fn both_tails_are_relatively_accurate() {
        let law = CoverageLaw::uniform(100, 6000).unwrap();
        for n in [100, 150, 500, 6000] {
            for tail in [law.covered(n), law.survival(n)] {
                assert!(tail.lo() > 0.0 && tail.width() <= 1e-10 * tail.lo(), "{n} {tail:?}");
            }
        }
        assert!(law.survival(6000).hi() < 1e-23);
    }

    #[test]
    fn chebyshev_event_has_its_end_points() {
        // One class: T = 1 = N H always, so any positive deviation has probability zero.
        let one = CoverageLaw::uniform(1, 5).unwrap();
        assert_eq!(one.deviation(Interval::point(0.5)), Interval::ZERO);
        // Two classes: mean 3, deviation 1 means T = 2 (probability 1/2) or T >= 4 (probability 1/4).
        let two = CoverageLaw::uniform(2, 50).unwrap();
        assert!(two.deviation(Interval::point(0.5)).contains(0.75));
        let hundred = CoverageLaw::uniform(100, 3000).unwrap();
        assert!((hundred.deviation(Interval::ONE).midpoint() - 0.393).abs() < 1e-3);
    }

    #[test]
    fn refusals_and_the_far_end() {
        assert_eq!(CoverageLaw::uniform(0, 3).err(), Some(CollectorError::NoClasses));
        assert!(matches!(CoverageLaw::uniform(100_000, 100_000), Err(CollectorError::TooLarge { .. })));
        let law = CoverageLaw::uniform(3, 5).unwrap();
        assert_eq!(law.covered(99).hi(), 1.0);
        assert_eq!(law.survival(99).lo(), 0.0);
    }
}
