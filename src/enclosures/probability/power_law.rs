//! Growth exponents: the least-squares slope of `log ratio` against `log size`, with its confidence interval.
//!
//! Under `log y_i = a + b log x_i + e_i` with independent normal errors of equal variance the slope has the interval
//! `b -+ t_{n-2} sqrt( sum r_i^2 / (n-2) / sum (log x_i - mean)^2 )`. An `O(.)` claim is consistent with a sweep when the
//! exponent of its ratio is not above zero; the model is a convention of the report, the arithmetic is enclosed.

use super::student::{StudentError, two_sided_quantile};
use crate::interval::{Interval, sum};

/// What is wrong with a sweep.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// Too few points for a slope and its error.
    #[error("{0} points are too few: a slope with an error needs at least three")]
    TooFew(usize),
    /// Not positive and finite.
    #[error("point {index} is ({size}, {ratio}); both numbers must be finite, and positive where a power is fitted")]
    Point {
        /// Position of the point.
        index: usize,
        /// Its size.
        size: f64,
        /// Its ratio.
        ratio: f64,
    },
    /// All sizes are equal.
    #[error("all sizes are equal, so that no slope is determined")]
    NoSpread,
    /// The confidence level or the number of points.
    #[error(transparent)]
    Student(#[from] StudentError),
}

/// A fitted line `value = intercept + slope size`; of a power law, in the logarithms of both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FittedLine {
    /// Confidence interval of the slope.
    pub interval: Interval,
    /// The least-squares slope itself.
    pub slope: Interval,
    /// The least-squares value at zero; of a power law, the logarithm of the ratio at size one.
    pub intercept: Interval,
    /// Estimated standard error of the slope.
    pub standard_error: Interval,
}

/// Fits a power law to points `(size, ratio)`; the exponent's interval misses with probability `alpha` under the model.
///
/// ```
/// use contrapositive_enclosures::probability::fit_power_law;
/// let square: Vec<(f64, f64)> = (1..=6).map(|k| (f64::from(k), f64::from(3 * k * k))).collect();
/// let fit = fit_power_law(&square, 0.05)?;
/// assert!((fit.interval.midpoint() - 2.0).abs() < 1e-9);
/// # Ok::<(), contrapositive_enclosures::probability::FitError>(())
/// ```
///
/// # Errors
/// Fewer than three points, a coordinate that is not positive and finite, equal sizes, `alpha` outside (0, 1).
pub fn fit_power_law(points: &[(f64, f64)], alpha: f64) -> Result<FittedLine, FitError> {
    for (index, &(size, ratio)) in points.iter().enumerate() {
        let sound = |x: f64| x > 0.0 && x.is_finite();
        if !sound(size) || !sound(ratio) {
            return Err(FitError::Point { index, size, ratio });
        }
    }
    let log = |x: f64| Interval::point(x).ln();
    least_squares(points.iter().map(|p| (log(p.0), log(p.1))).collect(), alpha)
}

/// Fits a straight line to points `(size, value)`; the slope's interval misses with probability `alpha` under the same model.
///
/// # Errors
/// Fewer than three points, a coordinate that is not finite, equal sizes, `alpha` outside (0, 1).
pub fn fit_line(points: &[(f64, f64)], alpha: f64) -> Result<FittedLine, FitError> {
    for (index, &(size, ratio)) in points.iter().enumerate() {
        if !size.is_finite() || !ratio.is_finite() {
            return Err(FitError::Point { index, size, ratio });
        }
    }
    let point = Interval::point;
    least_squares(points.iter().map(|p| (point(p.0), point(p.1))).collect(), alpha)
}

fn least_squares(points: Vec<(Interval, Interval)>, alpha: f64) -> Result<FittedLine, FitError> {
    let count = points.len();
    if count < 3 {
        return Err(FitError::TooFew(count));
    }
    let n = count as f64;
    let (xs, ys): (Vec<Interval>, Vec<Interval>) = points.into_iter().unzip();
    let (mean_x, mean_y) = (sum(&xs) / n, sum(&ys) / n);
    let spread: Interval = xs.iter().map(|&x| (x - mean_x).square()).sum();
    // Equal sizes lie in the enclosure of their mean, whatever its rounding: the least spread is zero.
    if spread.lo() <= 0.0 {
        return Err(FitError::NoSpread);
    }
    let covariation: Interval = xs.iter().zip(&ys).map(|(&x, &y)| (x - mean_x) * (y - mean_y)).sum();
    let slope = covariation / spread;
    let residual = |x: Interval, y: Interval| (y - mean_y) - slope * (x - mean_x);
    let squares: Interval = xs.iter().zip(&ys).map(|(&x, &y)| residual(x, y).square()).sum();
    let standard_error = (squares / (n - 2.0) / spread).sqrt();
    let quantile = two_sided_quantile(count as u64 - 2, alpha)?;
    let reach = (standard_error * quantile).hi();
    Ok(FittedLine { interval: slope.widened_by(reach), slope, intercept: mean_y - slope * mean_x, standard_error })
}

#[cfg(test)]
mod tests {
    use super::super::standard_normal_pair;
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn textbook_regression() {
        // log x = 0, 1, 2 and log y = 1, 3, 4: slope 3/2, residual squares 1/6, standard error sqrt(1/12).
        let points: Vec<(f64, f64)> = [(0, 1), (1, 3), (2, 4)]
            .map(|(x, y)| (core_math::exp(f64::from(x)), core_math::exp(f64::from(y))))
            .to_vec();
        let fit = fit_power_law(&points, 0.05).unwrap();
        assert!((fit.slope.midpoint() - 1.5).abs() < 1e-14 && fit.slope.width() < 1e-13);
        assert!((fit.intercept.midpoint() - 7.0 / 6.0).abs() < 1e-14);
        assert!((fit.standard_error.midpoint() - (1.0f64 / 12.0).sqrt()).abs() < 1e-14);
        let reach = 12.706_204_736 * (1.0f64 / 12.0).sqrt();
        assert!((fit.interval.hi() - 1.5 - reach).abs() < 1e-6);
    }

    #[test]
    fn coverage_is_as_promised() {
        let mut rng = ChaCha8Rng::seed_from_u64(31);
        let missed = (0..2000)
            .filter(|_| {
                let points: Vec<(f64, f64)> = (1..=6)
                    .map(|k| {
                        let size = f64::from(1 << k);
                        let noise = 0.1 * standard_normal_pair(&mut rng).0;
                        (size, core_math::exp(0.7 * core_math::log(size) + noise))
                    })
                    .collect();
                !fit_power_law(&points, 0.1).unwrap().interval.contains(0.7)
            })
            .count();
        assert!((150..250).contains(&missed), "{missed}");
    }

    #[test]
    fn refusals() {
        assert_eq!(fit_power_law(&[(1.0, 1.0); 2], 0.1), Err(FitError::TooFew(2)));
        assert_eq!(fit_power_law(&[(2.0, 1.0); 5], 0.1), Err(FitError::NoSpread));
        let bad = [(1.0, 1.0), (2.0, 0.0), (3.0, 1.0)];
        assert!(matches!(fit_power_law(&bad, 0.1), Err(FitError::Point { index: 1, .. })));
        let good = [(1.0, 1.0), (2.0, 2.0), (3.0, 1.0)];
        assert!(matches!(fit_power_law(&good, 1.0), Err(FitError::Student(_))));
    }
}
