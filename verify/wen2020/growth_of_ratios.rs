//! The exponent with which a measured ratio grows along a sweep.

use contrapositive::claim::{Evaluation, at_least, at_most};
use contrapositive::enclosure::Enclosure;
use contrapositive::probability::fit_power_law;

/// Slopes up to this size are not told from a bounded ratio.
pub const ALLOWED: f64 = 0.25;

fn fitted(points: &[(f64, f64)], compare: impl Fn(Enclosure) -> Evaluation) -> Evaluation {
    let fit = fit_power_law(points, 0.01).map(|fit| {
        let ratios: Vec<String> = points.iter().map(|(_, ratio)| format!("{ratio:.1e}")).collect();
        compare(Enclosure::from(fit.slope))
            .as_trend()
            .noting(format!("ratios {}", ratios.join(", ")))
    });
    Evaluation::from(fit)
}

/// O(·): the least-squares slope of log ratio against log size is not clearly positive.
pub fn bounded_above(points: &[(f64, f64)]) -> Evaluation {
    fitted(points, |slope| at_most(slope, ALLOWED).on_scale(1.0))
}

/// Ω(·): the slope is not clearly negative.
pub fn bounded_below(points: &[(f64, f64)]) -> Evaluation {
    fitted(points, |slope| at_least(slope, -ALLOWED).on_scale(1.0))
}
