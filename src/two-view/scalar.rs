//! The numbers in which the model is evaluated: doubles for flows, intervals for claims, dual numbers for gradients.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

use enclosures::interval::{Dual, Interval};

/// A number with the operations that losses and velocities need. Implemented by `f64` (correctly rounded elementary
/// functions), [`Interval`] (outward rounding) and [`Dual`] (intervals with first derivatives).
pub trait Scalar:
    Copy
    + Debug
    + PartialEq
    + Send
    + Sync
    + From<f64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Exponential.
    #[must_use]
    fn exp(self) -> Self;
    /// `log(1 + x)`.
    #[must_use]
    fn ln_1p(self) -> Self;
    /// Square root.
    #[must_use]
    fn sqrt(self) -> Self;
    /// Square.
    #[must_use]
    fn square(self) -> Self;
    /// Hyperbolic tangent.
    #[must_use]
    fn tanh(self) -> Self;
    /// `log(1 + e^x)`.
    #[must_use]
    fn softplus(self) -> Self;
    /// `1 / (1 + e^-x)`.
    #[must_use]
    fn sigmoid(self) -> Self;
    /// A double inside or close by, for shifts that cancel and for refusing what is not positive.
    #[must_use]
    fn near(self) -> f64;

    /// The sum from left to right.
    #[must_use]
    fn total(terms: impl IntoIterator<Item = Self>) -> Self {
        terms.into_iter().fold(Self::from(0.0), Add::add)
    }

    /// A whole number.
    #[must_use]
    fn count(n: usize) -> Self {
        Self::from(n as f64)
    }
}

impl Scalar for f64 {
    fn exp(self) -> Self {
        core_math::exp(self)
    }
    fn ln_1p(self) -> Self {
        core_math::log1p(self)
    }
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    fn square(self) -> Self {
        self * self
    }
    fn tanh(self) -> Self {
        core_math::tanh(self)
    }
    fn softplus(self) -> Self {
        self.max(0.0) + core_math::log1p(core_math::exp(-self.abs()))
    }
    fn sigmoid(self) -> Self {
        1.0 / (1.0 + core_math::exp(-self))
    }
    fn near(self) -> f64 {
        self
    }
}

macro_rules! through_own_methods {
    () => {
        fn exp(self) -> Self {
            self.exp()
        }
        fn ln_1p(self) -> Self {
            self.ln_1p()
        }
        fn sqrt(self) -> Self {
            self.sqrt()
        }
        fn square(self) -> Self {
            self.square()
        }
        fn tanh(self) -> Self {
            self.tanh()
        }
        fn softplus(self) -> Self {
            self.softplus()
        }
        fn sigmoid(self) -> Self {
            self.sigmoid()
        }
    };
}

impl Scalar for Interval {
    through_own_methods!();
    fn near(self) -> f64 {
        self.midpoint()
    }
}

impl<const K: usize> Scalar for Dual<K> {
    through_own_methods!();
    fn near(self) -> f64 {
        self.value.midpoint()
    }
}
