//! How far a root mean square of few errors can be from the true one.
//!
//! Errors of averages over many draws are nearly normal with mean zero (the truth is known, nothing is subtracted), so that
//! `R rms^2 / sigma^2` has the chi-square law with `R` degrees of freedom. For even `R = 2k` its tail is that of a Poisson count:
//! `P(chi^2 > 2y) = e^-y sum_{j<k} y^j / j!`, and `Var log rms = psi'(k) / 4` with `psi'(k) = pi^2/6 - sum_{j<k} 1/j^2`.

use enclosures::probability::{FitError, fit_power_law};
use serde::{Deserialize, Serialize};

/// Miss probability of every interval and confidence sequence of a study.
pub const LEVEL: f64 = 0.05;
/// The normal quantile of that level, two-sided.
pub const NORMAL_QUANTILE: f64 = 1.959_963_984_540_054;

/// `P(chi^2 > 2y)` with `2k` degrees of freedom, `y <= 700`.
fn tail(k: u64, y: f64) -> f64 {
    let (mut term, mut sum) = (core_math::exp(-y), 0.0);
    for j in 1..=k {
        sum += term;
        term *= y / j as f64;
    }
    sum
}

/// The `y` with `P(chi^2 > 2y) = probability`, by bisection: the tail falls with `y`.
fn half_quantile(k: u64, probability: f64) -> f64 {
    let (mut lo, mut hi) = (0.0, 40.0 + 1.5 * k as f64);
    for _ in 0..80 {
        let middle = 0.5 * (lo + hi);
        if tail(k, middle) > probability {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    0.5 * (lo + hi)
}

/// The factors by which the root mean square of `repetitions` (an even number) normal errors must be multiplied to get the ends
/// of the interval of the true one, at miss probability [`LEVEL`].
pub(super) fn root_mean_square_factors(repetitions: u64) -> (f64, f64) {
    let k = (repetitions / 2).max(1);
    let end = |probability: f64| (k as f64 / half_quantile(k, probability)).sqrt();
    (end(0.5 * LEVEL), end(1.0 - 0.5 * LEVEL))
}

/// The slope of `log rms` against the logarithm of the number of observations, with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slope {
    /// Least squares.
    pub value: f64,
    /// Lower end of the interval.
    pub lo: f64,
    /// Upper end of the interval.
    pub hi: f64,
}

/// Fits independent root mean squares of `repetitions` errors each, given as `(observations, rms)`. All have the same known
/// variance of the logarithm, from which the interval follows; none for fewer than three points or one that is not positive.
///
/// # Errors
/// What [`fit_power_law`] refuses.
pub(super) fn slope(points: &[(f64, f64)], repetitions: u64) -> Result<Slope, FitError> {
    let value = fit_power_law(points, LEVEL)?.slope.midpoint();
    let k = (repetitions / 2).max(1);
    let trigamma =
        core::f64::consts::PI * core::f64::consts::PI / 6.0 - (1..k).map(|j| 1.0 / (j as f64 * j as f64)).sum::<f64>();
    let logs: Vec<f64> = points.iter().map(|p| core_math::log(p.0)).collect();
    let mean = logs.iter().sum::<f64>() / logs.len() as f64;
    let spread: f64 = logs.iter().map(|x| (x - mean) * (x - mean)).sum();
    let reach = NORMAL_QUANTILE * (0.25 * trigamma / spread).sqrt();
    Ok(Slope { value, lo: value - reach, hi: value + reach })
}

#[cfg(test)]
mod tests {
    use super::*;
    use enclosures::probability::standard_normal;
    use enclosures::stream::stream;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        // Abramowitz and Stegun, table 26.8: 10 degrees of freedom, 3.24697 and 20.4831; 30, 16.7908 and 46.9792.
        for (k, low, high) in [(5, 3.246_97, 20.483_1), (15, 16.790_8, 46.979_2)] {
            assert!((2.0 * half_quantile(k, 0.975) - low).abs() < 1e-4);
            assert!((2.0 * half_quantile(k, 0.025) - high).abs() < 1e-3);
        }
        let (lo, hi) = root_mean_square_factors(1024);
        assert!(lo < 1.0 && 1.0 < hi && hi - lo < 0.1, "{lo} {hi}");
    }

    #[test]
    fn intervals_miss_as_often_as_promised() {
        let mut rng = stream(1, &["dispersion"]);
        let (repetitions, (low, high)) = (16u64, root_mean_square_factors(16));
        let (mut missed, mut missed_slope) = (0, 0);
        for _ in 0..2000 {
            let mut rms = |sigma: f64| {
                let squares: f64 = (0..repetitions).map(|_| standard_normal(&mut rng)).map(|z| z * z).sum();
                sigma * (squares / repetitions as f64).sqrt()
            };
            let points: Vec<(f64, f64)> = [1.0f64, 4.0, 16.0, 64.0].map(|n| (n, rms(3.0 / n.sqrt()))).to_vec();
            missed += usize::from(!(points[0].1 * low..points[0].1 * high).contains(&3.0));
            let slope = slope(&points, repetitions).unwrap();
            missed_slope += usize::from(!(slope.lo..slope.hi).contains(&-0.5));
        }
        // 100 expected, standard deviation 10.
        assert!((60..140).contains(&missed), "{missed}");
        assert!((60..140).contains(&missed_slope), "{missed_slope}");
    }
}
