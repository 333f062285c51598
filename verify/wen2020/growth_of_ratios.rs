//! The exponent with which a measured ratio grows along a sweep.

use contrapositive::claim::{Evaluation, at_least, at_most};
use contrapositive::enclosure::Enclosure;
use contrapositive::probability::{PowerLaw, fit_power_law};

/// Slopes up to this size are not told from a bounded ratio.
pub const ALLOWED: f64 = 0.25;

/// The fitted exponent with its 95 % interval.
pub fn in_words(fit: &PowerLaw) -> String {
    let (slope, lo, hi) = (fit.slope.midpoint(), fit.exponent.lo(), fit.exponent.hi());
    format!("exponent {slope:.2} in [{lo:.2}, {hi:.2}]")
}

fn fitted(points: &[(f64, f64)], compare: impl Fn(Enclosure) -> Evaluation) -> Evaluation {
    let fit = fit_power_law(points, 0.05).map(|fit| {
        let ratios: Vec<String> = points.iter().map(|(_, ratio)| format!("{ratio:.1e}")).collect();
        let largest = points.iter().map(|point| point.1).fold(0.0, f64::max);
        compare(fit.exponent).as_trend().noting(format!(
            "{}, largest ratio {largest:.1e}, ratios {}",
            in_words(&fit),
            ratios.join(", ")
        ))
    });
    Evaluation::from(fit)
}

/// From so many sizes on the 95 % interval of a slope is narrow enough to refute something; with three, one degree of
/// freedom makes it thirteen standard errors wide to either side.
pub const SIZES_FOR_AN_INTERVAL: usize = 4;

/// O(·): the slope of log ratio against log size is not clearly above ¼: the lower end of its 95 % interval is judged, or
/// the slope itself if there are too few sizes.
pub fn bounded_above(points: &[(f64, f64)]) -> Evaluation {
    if points.len() < SIZES_FOR_AN_INTERVAL {
        return grows_slowly(points);
    }
    fitted(points, |slope| at_most(slope.lo(), ALLOWED).on_scale(1.0))
}

/// O(·), judged by the slope itself and not by its interval: for variants that must be refuted.
pub fn grows_slowly(points: &[(f64, f64)]) -> Evaluation {
    fitted(points, |exponent| at_most(exponent.midpoint(), ALLOWED).on_scale(1.0))
}

/// Ω(·): the slope is not clearly below −¼: the upper end of its 95 % interval is judged, or the slope itself.
pub fn bounded_below(points: &[(f64, f64)]) -> Evaluation {
    let few = points.len() < SIZES_FOR_AN_INTERVAL;
    let judged = |slope: Enclosure| if few { slope.midpoint() } else { slope.hi() };
    fitted(points, |slope| at_least(judged(slope), -ALLOWED).on_scale(1.0))
}
