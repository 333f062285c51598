//! Tails of the standard normal law and of sums of its squares, enclosed.

use crate::interval::Interval;

/// `P(|X| >= a)` for a standard normal `X`; one for `a <= 0`.
///
/// ```
/// use contrapositive_enclosures::interval::Interval;
/// use contrapositive_enclosures::probability::normal_two_sided_tail;
/// let tail = normal_two_sided_tail(Interval::point(1.0));
/// assert!((tail.midpoint() - 0.317_310_507_862_914).abs() < 1e-15);
/// ```
#[must_use]
pub fn normal_two_sided_tail(a: Interval) -> Interval {
    let x = a.max(Interval::ZERO) / Interval::point(2.0).sqrt();
    // Decreasing and correctly rounded; one step outward.
    let (low, high) = (core_math::erfc(x.hi()), core_math::erfc(x.lo()));
    Interval::new(low.next_down().max(0.0), high.next_up().min(1.0))
}

/// `P(X_1^2 + ... + X_k^2 <= y)` for independent standard normals, `k >= 1`; zero for `y <= 0`.
///
/// With `a = k/2` and `x = y/2` this is `x^a e^{-x} / Γ(a+1)` times `1 + x/(a+1) + x^2/((a+1)(a+2)) + ...`, whose terms are positive; what
/// is left out is at most a geometric series. Accurate as long as `e^{-x}` does not underflow; beyond, the answer is wide but true.
#[must_use]
pub fn chi_square_lower_tail(freedom: u32, y: Interval) -> Interval {
    let unit = Interval::new(0.0, 1.0);
    if y.hi() <= 0.0 || freedom == 0 {
        return Interval::ZERO;
    }
    let x = y.max(Interval::ZERO) / 2.0;
    if x.hi() > 700.0 {
        return unit;
    }
    let a = f64::from(freedom) / 2.0;
    // x^a / Γ(a + 1), factor by factor, the decay spread evenly over the factors so that nothing overflows.
    let steps = freedom.div_ceil(2);
    let share = (-x / f64::from(steps)).exp();
    let (mut factor, mut j) =
        if freedom.is_multiple_of(2) { (Interval::ONE, 0.0) } else { ((x / Interval::pi()).sqrt() * 2.0 * share, 0.5) };
    while j < a {
        j += 1.0;
        if j <= a {
            let next = x / j * share;
            factor *= next;
            // Next to zero it stays as it is, since what follows is smaller still.
            if factor.lo() == 0.0 && factor.hi() <= f64::from_bits(1) && next.hi() <= 1.0 {
                break;
            }
        }
    }
    let (mut term, mut total, mut n) = (Interval::ONE, Interval::ONE, 0.0);
    loop {
        n += 1.0;
        let ratio = x / (a + n);
        term *= ratio;
        total += term;
        // The ratios decrease from here on.
        if ratio.hi() < 0.9 && term.hi() < 1e-17 * total.lo() {
            let rest = term * ratio.hi() / (Interval::ONE - ratio.hi());
            return (factor * (total + rest * unit)).min(Interval::ONE);
        }
        if n > 1e6 {
            return unit;
        }
    }
}

/// `P(X_1^2 + ... + X_k^2 > y)` for independent standard normals, `k >= 1`; one for `y <= 0`.
///
/// With `x = y/2` this is a sum of positive terms `x^j e^{-x} / Γ(j+1)`: over j = 0, 1, ..., k/2 - 1 for even k, and over j = 1/2, 3/2, ..., k/2 - 1
/// beside `P(|X_1| > sqrt(y))` for odd k. Small tails keep their digits, which one minus the lower tail would lose.
#[must_use]
pub fn chi_square_upper_tail(freedom: u32, y: Interval) -> Interval {
    if y.hi() <= 0.0 {
        return Interval::ONE;
    }
    let x = y.max(Interval::ZERO) / 2.0;
    let is_even = freedom.is_multiple_of(2);
    // The logarithm of the first term, and its j.
    let (mut log_term, first) = if is_even { (-x, 0.0) } else { ((4.0 * x / Interval::pi()).ln() / 2.0 - x, 0.5) };
    let mut total = if is_even { Interval::ZERO } else { normal_two_sided_tail(y.max(Interval::ZERO).sqrt()) };
    for step in 0..freedom / 2 {
        if step > 0 {
            log_term += (x / (first + f64::from(step))).ln();
        }
        total += log_term.exp();
    }
    total.min(Interval::ONE)
}

#[cfg(test)]
mod tests {
    use statrs::distribution::{ChiSquared, ContinuousCDF};

    use super::*;

    #[test]
    fn agrees_with_a_peer_and_with_closed_forms() {
        for freedom in [1u32, 2, 3, 4, 7, 50, 301] {
            let law = ChiSquared::new(f64::from(freedom)).unwrap();
            for share in [0.01, 0.3, 0.9, 1.0, 1.7] {
                let y = share * f64::from(freedom);
                let found = chi_square_lower_tail(freedom, Interval::point(y));
                assert!((found.midpoint() - law.cdf(y)).abs() < 1e-9, "{freedom} {y} {found:?}");
                assert!(found.width() < 1e-10 * found.hi());
                let above = chi_square_upper_tail(freedom, Interval::point(y));
                assert!(
                    (above.midpoint() - law.sf(y)).abs() < 1e-9 && (above + found).contains(1.0),
                    "{freedom} {y} {above:?}"
                );
                assert!(above.width() < 1e-10 * above.hi());
            }
        }
        // The largest argument that is computed: just above the mean, whose own probability is about 1/2 + sqrt(2/k)/(3 sqrt(pi)).
        let last = chi_square_lower_tail(1399, Interval::point(1400.0));
        assert!((last.midpoint() - ChiSquared::new(1399.0).unwrap().cdf(1400.0)).abs() < 1e-9, "{last:?}");
        assert!(last.width() < 1e-10);
        // Two degrees of freedom: 1 - e^{-y/2}.
        let two = chi_square_lower_tail(2, Interval::point(3.0));
        assert!((two.midpoint() + core_math::expm1(-1.5)).abs() < 1e-15);
        let two = chi_square_upper_tail(2, Interval::point(400.0));
        assert!(two.contains(core_math::exp(-200.0)) && two.width() < 1e-12 * two.hi());
        // One: the complement of the two-sided normal tail.
        let one = chi_square_lower_tail(1, Interval::point(2.25)) + normal_two_sided_tail(Interval::point(1.5));
        assert!(one.contains(1.0) && one.width() < 1e-14);
    }

    #[test]
    fn degenerate_arguments() {
        assert_eq!(chi_square_lower_tail(3, Interval::point(-1.0)), Interval::ZERO);
        assert!(chi_square_lower_tail(3, Interval::point(1e9)).contains(1.0));
        assert_eq!(chi_square_upper_tail(3, Interval::point(-1.0)), Interval::ONE);
        assert!(chi_square_upper_tail(4, Interval::point(1e9)).hi() < 1e-300);
        assert!(normal_two_sided_tail(Interval::point(-1.0)).contains(1.0));
        assert!(normal_two_sided_tail(Interval::point(50.0)).hi() < 1e-300);
    }
}
