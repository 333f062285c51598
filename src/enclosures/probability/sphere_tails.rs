//! Tails of the coordinates of a uniform unit vector, and of the rows of a uniform matrix with orthonormal columns.
//!
//! One coordinate `s_1` of a uniform unit vector of `R^h`, `h >= 2`: `s_1 sqrt(h-1) / sqrt(1 - s_1^2)` has Student's t law with `h - 1` degrees of
//! freedom. Moreover `P(|s_1| >= a) <= (1 - a^2)^((h-1)/2)`: the difference of the two sides vanishes at `a = 0` and `a = 1`, and its
//! derivative is `(1 - a^2)^((h-3)/2)` times a decreasing linear function that is positive at zero.
//!
//! A row of a uniform `h x d` matrix with orthonormal columns has a squared norm with the law Beta(d/2, (h-d)/2). For even `d` and `h` its tail
//! is that of a binomial law. In general `P(norm^2 >= β d/h) <= exp(d (1 - β + log β)/2)` for `β >= 1` (Dasgupta and Gupta 2003).

use super::binomial::Binomial;
use super::student::two_sided_tail;
use crate::interval::Interval;

/// Up to this dimension the closed form is summed.
const EXACT: u64 = 4096;

/// `P(|s_1| >= a)` for one coordinate of a uniform unit vector of `R^h`, `h >= 1`, `a >= 0`.
///
/// ```
/// use contrapositive_enclosures::interval::Interval;
/// use contrapositive_enclosures::probability::sphere_coordinate_tail;
/// // A great circle: the angle is uniform. In R^3 the coordinate itself is uniform (Archimedes).
/// assert!(sphere_coordinate_tail(2, Interval::point(0.5)).contains(2.0 / 3.0));
/// assert!(sphere_coordinate_tail(3, Interval::point(0.25)).contains(0.75));
/// ```
#[must_use]
pub fn sphere_coordinate_tail(h: u64, a: Interval) -> Interval {
    let a = a.max(Interval::ZERO);
    if h <= 1 {
        return indicator(a);
    }
    if a.lo() >= 1.0 {
        return Interval::ZERO;
    }
    let at = |a: f64| -> Interval {
        if a >= 1.0 {
            return Interval::ZERO;
        }
        let square = Interval::point(a).square();
        let left = Interval::ONE - square;
        let bound = ((-square).ln_1p() * (Interval::point(h as f64) - 1.0) / 2.0).exp().hi().min(1.0);
        if h > EXACT || left.lo() <= 0.0 {
            return Interval::new(0.0, bound);
        }
        let t = Interval::point(a) * Interval::point((h - 1) as f64).sqrt() / left.sqrt();
        let tail = |t: f64| two_sided_tail(h - 1, t).unwrap_or(Interval::new(0.0, 1.0));
        let (low, high) = (tail(t.hi()).lo(), tail(t.lo()).hi().min(bound));
        Interval::new(low.min(high), high)
    };
    Interval::new(at(a.hi()).lo(), at(a.lo()).hi())
}

/// Whether one, a fixed number, is at least `a`.
fn indicator(a: Interval) -> Interval {
    if a.hi() <= 1.0 {
        Interval::ONE
    } else if a.lo() > 1.0 {
        Interval::ZERO
    } else {
        Interval::new(0.0, 1.0)
    }
}

/// `P(|row|^2 >= x)` for one row of a uniform `h x d` matrix with orthonormal columns, `1 <= d <= h`.
#[must_use]
pub fn orthonormal_row_tail(h: u64, d: u64, x: Interval) -> Interval {
    let x = x.max(Interval::ZERO);
    if d >= h {
        return indicator(x);
    }
    if d == 1 {
        return sphere_coordinate_tail(h, x.sqrt());
    }
    if x.lo() >= 1.0 {
        return Interval::ZERO;
    }
    let excess = (x * (h as f64) / (d as f64)).lo();
    let chernoff = if excess > 1.0 {
        let beta = Interval::point(excess);
        ((Interval::ONE - beta + beta.ln()) * (d as f64) / 2.0).exp().hi()
    } else {
        1.0
    };
    let even = d.is_multiple_of(2) && h.is_multiple_of(2) && h <= 4 * EXACT;
    let at = |x: f64| match Binomial::new(h / 2 - 1, x.min(1.0)) {
        Ok(law) if even => law.lower_tail(d / 2 - 1),
        _ => Interval::new(0.0, 1.0),
    };
    let (low, high) = (at(x.hi()).lo(), at(x.lo()).hi().min(chernoff).min(1.0));
    Interval::new(low.min(high), high)
}

#[cfg(test)]
mod tests {
    use statrs::distribution::{Beta, ContinuousCDF};

    use super::*;

    #[test]
    fn agree_with_the_beta_law() {
        for h in [2u64, 3, 5, 8, 100, 1000] {
            for a in [0.05, 0.2, 0.5, 0.9] {
                let law = Beta::new(0.5, (h - 1) as f64 / 2.0).unwrap();
                let found = sphere_coordinate_tail(h, Interval::point(a));
                assert!((found.midpoint() - law.sf(a * a)).abs() < 1e-9, "{h} {a} {found:?}");
                assert!(found.width() < 1e-12);
            }
        }
        for (h, d) in [(8u64, 2u64), (8, 6), (100, 4), (1000, 20)] {
            for x in [0.01, 0.1, 0.5] {
                let law = Beta::new(d as f64 / 2.0, (h - d) as f64 / 2.0).unwrap();
                let found = orthonormal_row_tail(h, d, Interval::point(x));
                assert!((found.midpoint() - law.sf(x)).abs() < 1e-9, "{h} {d} {x} {found:?}");
                // The bound alone.
                let odd = orthonormal_row_tail(h + 1, d, Interval::point(x));
                assert!(odd.hi() >= Beta::new(d as f64 / 2.0, (h + 1 - d) as f64 / 2.0).unwrap().sf(x) - 1e-12);
                // It says something as soon as x is beyond the mean d/h: (beta e^(1 - beta))^(d/2) for beta times the mean.
                let beta = x * (h + 1) as f64 / d as f64;
                let bound = core_math::pow(beta * core_math::exp(1.0 - beta), d as f64 / 2.0);
                assert!((odd.hi() - if beta > 1.0 { bound } else { 1.0 }).abs() < 1e-9, "{h} {d} {x} {odd:?}");
            }
        }
    }

    #[test]
    fn ends() {
        assert_eq!(sphere_coordinate_tail(1, Interval::point(1.0)), Interval::ONE);
        assert_eq!(sphere_coordinate_tail(7, Interval::point(1.0)), Interval::ZERO);
        assert!(sphere_coordinate_tail(7, Interval::ZERO).contains(1.0));
        assert!(sphere_coordinate_tail(1 << 40, Interval::point(1e-4)).hi() < 1e-300);
        assert_eq!(orthonormal_row_tail(5, 5, Interval::point(1.0)), Interval::ONE);
        assert_eq!(orthonormal_row_tail(5, 5, Interval::point(1.5)), Interval::ZERO);
        assert!(orthonormal_row_tail(6, 2, Interval::ZERO).contains(1.0));
    }
}
