//! Lists of numbers as vectors: the few words that sums over them need, for doubles, intervals, enclosures and dual numbers alike.
//!
//! Sums go from the first term to the last, one addition each, so that the same numbers give the same bits wherever they are added.
//! Long sums with their own error bounds are elsewhere: [`crate::interval::sum`], [`crate::interval::dot`] and
//! [`crate::kernels::inner_product`], which add in another order.
//!
//! ```
//! use contrapositive_enclosures::interval::Interval;
//! use contrapositive_enclosures::vectors::{minus, norm, points, sum_of_products};
//! let (a, b) = ([3.0, 0.0], [0.0, 4.0]);
//! assert_eq!(norm(&minus(&a, &b)), 5.0);
//! // A double times an interval is an interval.
//! assert_eq!(sum_of_products(&a, &points(&a)), Interval::point(9.0));
//! ```

use std::iter::Sum;
use std::ops::{Add, Mul, Sub};

use crate::enclosure::Enclosure;
use crate::interval::{Dual, Interval};

/// A number that vectors are made of.
pub trait Entry: Copy + Sum {
    /// Its square, which is not negative.
    #[must_use]
    fn square(self) -> Self;

    /// Its square root.
    #[must_use]
    fn sqrt(self) -> Self;
}

/// A number whose absolute value has a largest double.
pub trait Magnitude: Copy {
    /// The largest absolute value that it may have.
    #[must_use]
    fn magnitude(self) -> f64;
}

impl Entry for f64 {
    fn square(self) -> f64 {
        self * self
    }

    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }
}

/// By the methods of the type itself.
macro_rules! by_its_own_methods {
    ($([$($parameter:tt)*] $entry:ty),* $(,)?) => {$(
        impl<$($parameter)*> Entry for $entry {
            fn square(self) -> Self {
                <$entry>::square(self)
            }

            fn sqrt(self) -> Self {
                <$entry>::sqrt(self)
            }
        }
    )*};
}

by_its_own_methods!([] Interval, [] Enclosure, [const K: usize] Dual<K>);

impl Magnitude for f64 {
    fn magnitude(self) -> f64 {
        self.abs()
    }
}

impl Magnitude for Interval {
    fn magnitude(self) -> f64 {
        Interval::magnitude(self)
    }
}

/// `sum a_k b_k`, from the first term to the last; what the longer list has beyond the other is left out.
#[must_use]
pub fn sum_of_products<A, B>(a: &[A], b: &[B]) -> A::Output
where
    A: Copy + Mul<B>,
    B: Copy,
    A::Output: Sum,
{
    a.iter().zip(b).map(|(&a, &b)| a * b).sum()
}

/// `sum a_k^2`, from the first term to the last.
#[must_use]
pub fn sum_of_squares<A: Entry>(a: &[A]) -> A {
    a.iter().map(|&a| a.square()).sum()
}

/// The Euclidean norm, the root of [`sum_of_squares`].
#[must_use]
pub fn norm<A: Entry>(a: &[A]) -> A {
    sum_of_squares(a).sqrt()
}

/// `a + b`, entry by entry; what the longer list has beyond the other is left out.
#[must_use]
pub fn plus<A: Copy + Add<B>, B: Copy>(a: &[A], b: &[B]) -> Vec<A::Output> {
    a.iter().zip(b).map(|(&a, &b)| a + b).collect()
}

/// `a - b`, likewise.
#[must_use]
pub fn minus<A: Copy + Sub<B>, B: Copy>(a: &[A], b: &[B]) -> Vec<A::Output> {
    a.iter().zip(b).map(|(&a, &b)| a - b).collect()
}

/// Every entry times a factor, which stands on the right.
#[must_use]
pub fn scaled<A: Copy + Mul<B>, B: Copy>(a: &[A], factor: B) -> Vec<A::Output> {
    a.iter().map(|&a| a * factor).collect()
}

/// The largest absolute value in a list; zero for an empty one.
#[must_use]
pub fn largest_magnitude<A: Magnitude>(a: &[A]) -> f64 {
    a.iter().map(|a| a.magnitude()).fold(0.0, f64::max)
}

/// Every number as the interval that holds it alone.
#[must_use]
pub fn points(numbers: &[f64]) -> Vec<Interval> {
    numbers.iter().copied().map(Interval::point).collect()
}

/// The vector of `n` entries with a one at place `k`, counted from zero, and zeros elsewhere.
#[must_use]
pub fn unit_vector(n: usize, k: usize) -> Vec<f64> {
    (0..n).map(|i| f64::from(u8::from(i == k))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enclosure::exact;

    #[test]
    fn sums_are_what_they_are_for_every_kind_of_number() {
        let (a, b) = ([1.0, -2.0, 2.0], [4.0, 0.5, -1.0, 7.0]);
        assert_eq!(sum_of_products(&a, &b), 1.0);
        assert_eq!((sum_of_squares(&a), norm(&a)), (9.0, 3.0));
        assert_eq!(sum_of_products(&points(&a), &points(&b)), Interval::point(1.0));
        assert_eq!(sum_of_products(&points(&a), &b), Interval::point(1.0));
        assert_eq!(norm(&points(&a)), Interval::point(3.0));
        assert_eq!(norm(&a.map(exact)).interval(), Interval::point(3.0));
        // The derivative of a norm is the direction.
        let [x, y] = Dual::variables([Interval::point(3.0), Interval::point(4.0)]);
        let length = norm(&[x, y]);
        assert_eq!(length.value, Interval::point(5.0));
        assert!(length.slopes[0].contains(0.6) && length.slopes[1].contains(0.8));
    }

    #[test]
    fn the_square_of_an_interval_about_zero_is_not_negative() {
        let about_zero = [Interval::new(-1.0, 2.0)];
        assert_eq!(sum_of_squares(&about_zero), Interval::new(0.0, 4.0));
        assert_eq!(sum_of_products(&about_zero, &about_zero), Interval::new(-2.0, 4.0));
    }

    #[test]
    fn terms_are_added_from_the_first_on() {
        let a = [1e16, 1.0, 1.0, -1e16];
        assert_eq!(sum_of_products(&a, &[1.0; 4]), 0.0);
        assert_eq!(sum_of_products(&[1.0, 1.0, 1e16, -1e16], &[1.0; 4]), 2.0);
        // As the standard library has it, where zeros have a sign.
        assert!(sum_of_products::<f64, f64>(&[], &[]).is_sign_negative());
    }

    #[test]
    fn entries_go_with_entries() {
        let (a, b) = ([1.0, 2.0, 3.0], [0.5, 0.25]);
        assert_eq!(plus(&a, &b), [1.5, 2.25]);
        assert_eq!(minus(&a, &b), [0.5, 1.75]);
        assert_eq!(scaled(&b, 4.0), [2.0, 1.0]);
        assert_eq!(scaled(&b, Interval::point(2.0)), points(&[1.0, 0.5]));
        assert_eq!(unit_vector(3, 1), [0.0, 1.0, 0.0]);
    }

    #[test]
    fn the_largest_magnitude_looks_at_both_ends() {
        assert_eq!(largest_magnitude(&[1.0, -3.0, 2.0]), 3.0);
        assert_eq!(largest_magnitude(&[Interval::new(-4.0, 1.0), Interval::new(2.0, 3.0)]), 4.0);
        assert_eq!(largest_magnitude::<f64>(&[]), 0.0);
    }
}
