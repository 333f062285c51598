//! The difference of two ReLU layers written as a linear map of the difference of their inputs.
//!
//! For `relu(a) - relu(b) = (D + D'')(a - b)` with `D = diag(1{a_k >= 0})`, the diagonal `D''` is determined wherever
//! `a_k != b_k`: zero where both have the same pattern, `b/(a - b)` in `[-1, 0]` for `a >= 0 > b`, and `b/(b - a)` in
//! `[0, 1)` for `a < 0 <= b`. In either mixed case `D + D''` is the share of the way from `b` to `a` that is active.

use crate::interval::Interval;

/// What is wrong with a pair of pre-activations.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PreActivationError {
    /// Not a number, or infinite.
    #[error("coordinate {coordinate} has the pre-activations {a} and {b}, which are not both finite")]
    NotFinite {
        /// Position of the coordinate.
        coordinate: usize,
        /// First pre-activation.
        a: f64,
        /// Second pre-activation.
        b: f64,
    },
    /// Vectors of different lengths.
    #[error("the vectors have {a} and {b} coordinates")]
    Lengths {
        /// Length of the first vector.
        a: usize,
        /// Length of the second.
        b: usize,
    },
}

/// One coordinate of a linearised ReLU difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReluDifference {
    /// The entry of `D`: whether `a >= 0`.
    pub active: bool,
    /// Whether exactly one of the two inputs is active, the only case in which `D''` may differ from zero.
    pub mixed: bool,
    /// The entry of `D''`, within `[-1, 1]`.
    pub correction: Interval,
    /// `D + D''`, the slope of the chord from `b` to `a`, within `[0, 1]`; computed without forming the sum.
    pub slope: Interval,
}

impl ReluDifference {
    /// The decomposition for one pair; where `a = b`, the choice `D'' = 0`.
    ///
    /// ```
    /// use contrapositive_enclosures::piecewise_linear::ReluDifference;
    /// let pair = ReluDifference::new(1.0, -1.0)?;
    /// assert_eq!((pair.correction.lo(), pair.slope.lo()), (-0.5, 0.5));
    /// # Ok::<(), contrapositive_enclosures::piecewise_linear::PreActivationError>(())
    /// ```
    ///
    /// # Errors
    /// A number that is not finite.
    pub fn new(a: f64, b: f64) -> Result<Self, PreActivationError> {
        if !(a.is_finite() && b.is_finite()) {
            return Err(PreActivationError::NotFinite { coordinate: 0, a, b });
        }
        let (active, other) = (a >= 0.0, b >= 0.0);
        let (x, y) = (Interval::point(a), Interval::point(b));
        // a and b have opposite signs below: the gap adds magnitudes and nothing cancels.
        let gap = (x - y).abs();
        let (correction, slope) = match (active, other) {
            (true, true) => (Interval::ZERO, Interval::ONE),
            (false, false) => (Interval::ZERO, Interval::ZERO),
            (true, false) => (y / gap, x / gap),
            (false, true) => (y / gap, y / gap),
        };
        Ok(ReluDifference {
            active,
            mixed: active != other,
            correction: correction.max(Interval::point(-1.0)).min(Interval::ONE),
            slope: slope.max(Interval::ZERO).min(Interval::ONE),
        })
    }

    /// The entry of `D` as a number.
    #[must_use]
    pub fn indicator(self) -> Interval {
        if self.active { Interval::ONE } else { Interval::ZERO }
    }

    /// `|D - D''|`, the quantity that the printed constraint bounds by one; up to two.
    #[must_use]
    pub fn minus(self) -> Interval {
        (self.indicator() - self.correction).abs()
    }

    /// `|D + D''|`, the slope; never above one.
    #[must_use]
    pub fn plus(self) -> Interval {
        self.slope
    }
}

/// The decomposition of every coordinate of two vectors of pre-activations.
///
/// # Errors
/// Vectors of different lengths; a coordinate that is not finite.
pub fn relu_difference(a: &[f64], b: &[f64]) -> Result<Vec<ReluDifference>, PreActivationError> {
    if a.len() != b.len() {
        return Err(PreActivationError::Lengths { a: a.len(), b: b.len() });
    }
    a.iter()
        .zip(b)
        .enumerate()
        .map(|(coordinate, (&a, &b))| {
            ReluDifference::new(a, b).map_err(|_| PreActivationError::NotFinite { coordinate, a, b })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_rational::BigRational;
    use proptest::prelude::*;

    fn exact(x: f64) -> BigRational {
        BigRational::from_float(x).expect("finite")
    }

    fn holds(x: Interval, value: &BigRational) -> bool {
        &exact(x.lo()) <= value && value <= &exact(x.hi())
    }

    fn coordinate() -> impl Strategy<Value = f64> {
        prop_oneof![-2.0..2.0, Just(0.0), Just(-0.0), Just(5e-324), Just(-5e-324), Just(f64::MAX), Just(-1e300)]
    }

    proptest! {
        #[test]
        fn the_identity_determines_the_correction(a in coordinate(), b in coordinate()) {
            let pair = ReluDifference::new(a, b).unwrap();
            let zero = exact(0.0);
            let (x, y) = (exact(a), exact(b));
            if x != y {
                let slope = (x.clone().max(zero.clone()) - y.clone().max(zero.clone())) / (&x - &y);
                let indicator = exact(if a >= 0.0 { 1.0 } else { 0.0 });
                prop_assert!(holds(pair.slope, &slope) && holds(pair.correction, &(slope - indicator)));
            }
            prop_assert!(pair.mixed == ((a >= 0.0) != (b >= 0.0)));
            prop_assert!(pair.mixed || pair.correction == Interval::ZERO);
            prop_assert!(pair.correction.magnitude() <= 1.0 && pair.plus().lo() >= 0.0 && pair.plus().hi() <= 1.0);
        }
    }

    #[test]
    fn printed_constraint_fails_at_the_registered_pairs() {
        let half = ReluDifference::new(1.0, -1.0).unwrap();
        assert_eq!((half.minus(), half.plus()), (Interval::point(1.5), Interval::point(0.5)));
        let extreme = ReluDifference::new(0.0, -1.0).unwrap();
        assert_eq!((extreme.minus(), extreme.plus()), (Interval::point(2.0), Interval::ZERO));
    }

    #[test]
    fn refusals() {
        assert!(matches!(relu_difference(&[1.0], &[]), Err(PreActivationError::Lengths { a: 1, b: 0 })));
        let bad = relu_difference(&[1.0, f64::NAN], &[1.0, 1.0]);
        assert!(matches!(bad, Err(PreActivationError::NotFinite { coordinate: 1, .. })));
        assert_eq!(relu_difference(&[], &[]), Ok(Vec::new()));
    }
}
