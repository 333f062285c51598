//! Student's t law with an integer number of degrees of freedom, in closed form (Abramowitz and Stegun 26.7.3-4).
//!
//! With `theta = atan(t / sqrt(nu))`, `P(|T| <= t)` is, for even `nu`,
//! `sin theta (1 + 1/2 cos^2 theta + ... + (1 3 ... (nu-3))/(2 4 ... (nu-2)) cos^{nu-2} theta)`, and for odd `nu`,
//! `(2/pi) (theta + sin theta (cos theta + 2/3 cos^3 theta + ... + (2 4 ... (nu-3))/(3 5 ... (nu-2)) cos^{nu-2} theta))`.

use crate::interval::Interval;

/// What is wrong with a question about the t law.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StudentError {
    /// Degrees of freedom zero or too many.
    #[error("{0} degrees of freedom are not between 1 and 10^6")]
    Freedom(u64),
    /// Not a probability.
    #[error("the miss probability {0} is not strictly between 0 and 1")]
    Level(f64),
    /// The tail is too small for the closed form.
    #[error("no quantile could be certified for the miss probability {0}: it is below the accuracy of the closed form")]
    Unreachable(f64),
}

const FREEDOM_LIMIT: u64 = 1_000_000;
/// No quantile is looked for beyond this.
const LARGEST: f64 = 1e15;

fn check(freedom: u64) -> Result<(), StudentError> {
    if freedom == 0 || freedom > FREEDOM_LIMIT { Err(StudentError::Freedom(freedom)) } else { Ok(()) }
}

/// `P(|T| > t)` for `t >= 0` (the sign of `t` is ignored), absolute accuracy about `1e-15` times the root of `freedom`.
///
/// # Errors
/// Degrees of freedom outside `1 ..= 10^6`.
pub fn two_sided_tail(freedom: u64, t: f64) -> Result<Interval, StudentError> {
    check(freedom)?;
    let nu = Interval::point(freedom as f64);
    let squared = Interval::point(t).square();
    if !squared.is_finite() {
        return Ok(Interval::new(0.0, if t.is_nan() { 1.0 } else { tail(freedom, nu, Interval::point(1e150)).hi() }));
    }
    Ok(tail(freedom, nu, Interval::point(t.abs())))
}

fn tail(freedom: u64, nu: Interval, t: Interval) -> Interval {
    let radius = nu + t.square();
    let sine = (t / radius.sqrt()).min(Interval::ONE);
    let cosine_squared = nu / radius;
    let even = freedom.is_multiple_of(2);
    // The term of index j over the one before: (2j - 1)/(2j) for even nu, 2j/(2j + 1) for odd nu, times cos^2.
    let mut term = if even { Interval::ONE } else { cosine_squared.sqrt() };
    let mut total = if freedom == 1 { Interval::ZERO } else { term };
    let last = if even { freedom / 2 } else { (freedom - 1) / 2 };
    for j in 1..last {
        let j = j as f64;
        let (numerator, denominator) = if even { (2.0 * j - 1.0, 2.0 * j) } else { (2.0 * j, 2.0 * j + 1.0) };
        term *= cosine_squared * numerator / denominator;
        total += term;
    }
    let tail = if even {
        Interval::ONE - sine * total
    } else if sine.hi() < 0.7 {
        Interval::ONE - (sine.asin() + sine * total) * 2.0 / Interval::pi()
    } else {
        // 1 - 2 theta/pi through the complementary angle: the arc sine is steep at one.
        (cosine_squared.sqrt().asin() - sine * total) * 2.0 / Interval::pi()
    };
    tail.max(Interval::ZERO).min(Interval::ONE)
}

/// A number `t` with `P(|T| > t) <= miss` certainly, and within `1e-12` of the smallest for which that can be shown.
/// Found by bisection on the enclosed tail, so that the round trip holds by construction.
///
/// # Errors
/// Degrees of freedom outside `1 ..= 10^6`; a miss probability outside (0, 1), or too small to be certified.
pub fn two_sided_quantile(freedom: u64, miss: f64) -> Result<f64, StudentError> {
    check(freedom)?;
    if !(miss > 0.0 && miss < 1.0) {
        return Err(StudentError::Level(miss));
    }
    let certain = |t: f64| two_sided_tail(freedom, t).is_ok_and(|tail| tail.hi() <= miss);
    let (mut open, mut certified) = (0.0, 1.0);
    while !certain(certified) {
        if certified > LARGEST {
            return Err(StudentError::Unreachable(miss));
        }
        (open, certified) = (certified, 2.0 * certified);
    }
    while certified - open > 1e-12 * certified {
        let middle = 0.5 * (open + certified);
        if middle <= open || middle >= certified {
            break;
        }
        if certain(middle) {
            certified = middle;
        } else {
            open = middle;
        }
    }
    Ok(certified)
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{ContinuousCDF, StudentsT};

    #[test]
    fn closed_forms() {
        // nu = 1: the Cauchy law; nu = 2: 1 - t / sqrt(2 + t^2).
        assert!(two_sided_tail(1, 1.0).unwrap().contains(0.5));
        let two = two_sided_tail(2, 1.0).unwrap();
        assert!((two.midpoint() - (1.0 - 1.0 / 3f64.sqrt())).abs() < 1e-15 && two.width() < 1e-14);
        assert!(two_sided_tail(7, 0.0).unwrap().contains(1.0));
    }

    #[test]
    fn agrees_with_a_peer() {
        for freedom in [1u64, 2, 3, 4, 5, 8, 17, 30, 101] {
            let law = StudentsT::new(0.0, 1.0, freedom as f64).unwrap();
            for t in [0.1, 1.0, 2.5, 6.0] {
                let tail = two_sided_tail(freedom, t).unwrap();
                assert!((tail.midpoint() - 2.0 * law.sf(t)).abs() < 1e-9 && tail.width() < 1e-13, "{freedom} {t}");
            }
        }
    }

    #[test]
    fn table_of_quantiles() {
        for (freedom, miss, value) in
            [(1, 0.05, 12.7062), (3, 0.05, 3.18245), (10, 0.01, 3.16927), (1000, 0.05, 1.96234)]
        {
            let t = two_sided_quantile(freedom, miss).unwrap();
            assert!((t - value).abs() < 1e-4, "{freedom} {t}");
            assert!(two_sided_tail(freedom, t).unwrap().hi() <= miss);
            assert!(two_sided_tail(freedom, t * (1.0 - 1e-6)).unwrap().lo() > miss);
        }
    }

    #[test]
    fn refusals() {
        assert_eq!(two_sided_tail(0, 1.0), Err(StudentError::Freedom(0)));
        assert!(two_sided_quantile(3, 0.0).is_err() && two_sided_quantile(3, f64::NAN).is_err());
        assert!(matches!(two_sided_quantile(3, 1e-300), Err(StudentError::Unreachable(_))));
        assert!(two_sided_tail(3, f64::NAN).unwrap().contains(0.5));
        assert!(two_sided_tail(3, f64::MAX).unwrap().hi() < 1e-12);
    }
}
