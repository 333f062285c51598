//! Mean and variance of the coupon-collector time for uniform draws.
//!
//! `T_cc` is a sum of independent geometric times with success probabilities `(N - i)/N`, `i = 0 .. N-1`, so that
//! `E T_cc = N H_N` and `Var T_cc = sum_i (1 - p_i)/p_i^2 = N sum_{j<N} (N - j)/j^2 = N^2 H_N^(2) - N H_N`.

use crate::interval::Interval;

/// The sum of `term(k)` over `first <= k < end`, by halves: the error grows like the logarithm of the number of terms.
fn by_halves(first: u64, end: u64, term: &impl Fn(u64) -> Interval) -> Interval {
    if end.saturating_sub(first) <= 8 {
        return (first..end).map(term).sum();
    }
    let middle = first + (end - first) / 2;
    by_halves(first, middle, term) + by_halves(middle, end, term)
}

fn count(n: u64) -> Interval {
    crate::enclosure::Enclosure::from(n).interval()
}

/// The harmonic number `H_n = sum_{i <= n} 1/i`; time proportional to `n`.
///
/// ```
/// use contrapositive_enclosures::probability::harmonic;
/// assert!(harmonic(4).contains(25.0 / 12.0));
/// ```
#[must_use]
pub fn harmonic(n: u64) -> Interval {
    by_halves(1, n.saturating_add(1), &|i| Interval::ONE / count(i))
}

/// `E T_cc = N H_N` draws, for `N` equally likely classes; zero for no class.
#[must_use]
pub fn collector_mean(classes: u64) -> Interval {
    count(classes) * harmonic(classes)
}

/// `Var T_cc = N sum_{j<N} (N - j)/j^2` squared draws, every term positive; zero for at most one class.
#[must_use]
pub fn collector_variance(classes: u64) -> Interval {
    count(classes)
        * by_halves(1, classes.max(1), &|j| {
            let j_interval = count(j);
            count(classes - j) / j_interval / j_interval
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_rational::BigRational;

    fn exact(numerator: u64, denominator: u64) -> BigRational {
        BigRational::new(numerator.into(), denominator.into())
    }

    fn holds(x: Interval, value: &BigRational) -> bool {
        let end = |e: f64| BigRational::from_float(e).expect("finite");
        &end(x.lo()) <= value && value <= &end(x.hi())
    }

    #[test]
    fn small_cases_by_rationals() {
        for n in 1..60u64 {
            let mean: BigRational = (0..n).map(|i| exact(n, n - i)).sum();
            let variance: BigRational = (0..n).map(|i| exact(n * i, (n - i) * (n - i))).sum();
            assert!(holds(collector_mean(n), &mean) && holds(collector_variance(n), &variance), "{n}");
        }
    }

    #[test]
    fn reference_values() {
        assert_eq!(collector_mean(2), Interval::point(3.0));
        assert_eq!(collector_variance(1), Interval::ZERO);
        assert_eq!(collector_variance(2), Interval::point(2.0));
        assert!((collector_variance(10).midpoint() - 125.69).abs() < 0.01);
    }

    #[test]
    fn a_million_classes_are_sharp() {
        let (mean, variance) = (collector_mean(1_000_000), collector_variance(1_000_000));
        assert!(mean.width() < 1e-13 * mean.lo() && variance.width() < 1e-13 * variance.lo());
        // H_n = log n + gamma + 1/(2n) - ..., with Euler's constant.
        assert!(
            (harmonic(1_000_000).midpoint() - (13.815_510_557_964_274 + 0.577_215_664_901_532_9 + 5e-7)).abs() < 1e-12
        );
    }
}
