//! The promised range of a bounded observation, and the level of a guarantee.

use super::MonteCarloError;
use enclosures::interval::Interval;

/// An interval of positive length in which every observation lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObservationRange {
    lo: f64,
    hi: f64,
}

impl ObservationRange {
    /// The range from `lo` to `hi`.
    ///
    /// # Errors
    /// [`MonteCarloError::Range`] unless both ends and their difference are finite and `lo < hi`.
    pub fn new(lo: f64, hi: f64) -> Result<ObservationRange, MonteCarloError> {
        if lo < hi && (hi - lo).is_finite() && (hi - lo).is_normal() {
            Ok(ObservationRange { lo, hi })
        } else {
            Err(MonteCarloError::Range { lo, hi })
        }
    }

    /// Lower end.
    #[must_use]
    pub fn lo(self) -> f64 {
        self.lo
    }

    /// Upper end.
    #[must_use]
    pub fn hi(self) -> f64 {
        self.hi
    }

    /// Whether an observation keeps the promise.
    #[must_use]
    pub fn contains(self, x: f64) -> bool {
        self.lo <= x && x <= self.hi
    }

    /// The range with an error of the observations added at both ends.
    ///
    /// # Errors
    /// As [`ObservationRange::new`].
    pub fn widened_by(self, error: f64) -> Result<ObservationRange, MonteCarloError> {
        let wide = Interval::new(self.lo, self.hi).widened_by(error);
        ObservationRange::new(wide.lo(), wide.hi())
    }

    /// `hi - lo`.
    pub(super) fn length(self) -> Interval {
        Interval::point(self.hi) - self.lo
    }

    /// Where in the range the shares `at` of its length lie, cut to the range.
    pub(super) fn at(self, at: Interval) -> Interval {
        let x = self.length() * at + self.lo;
        let whole = Interval::new(self.lo, self.hi);
        x.intersection(whole).unwrap_or(whole)
    }
}

/// Refuses what is no miss probability.
pub(super) fn check_level(alpha: f64) -> Result<(), MonteCarloError> {
    // Subnormal levels have no accurate reciprocal.
    if alpha.is_normal() && alpha > 0.0 && alpha < 1.0 { Ok(()) } else { Err(MonteCarloError::Level { alpha }) }
}
