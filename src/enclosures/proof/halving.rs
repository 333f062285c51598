//! How wide a range is and where it is cut in two, ranges without an end included.

use crate::interval::Interval;

/// The real line brought to [-1, 1], so that half-infinite ranges have a width.
fn compact(x: f64) -> f64 {
    if x.is_infinite() { x.signum() } else { x / (1.0 + x.abs()) }
}

/// The width of a range once the real line is brought to [-1, 1] by `x/(1 + |x|)`: at most two.
#[must_use]
pub fn extent(range: Interval) -> f64 {
    compact(range.hi()) - compact(range.lo())
}

/// Where a range is cut: at its middle, or, where its ends differ by orders of magnitude, at the middle on the compact scale.
#[must_use]
pub fn cut(range: Interval) -> f64 {
    let (lo, hi) = (range.lo(), range.hi());
    if lo.is_finite() && hi.is_finite() && range.width() <= 16.0 * (1.0 + range.mignitude()) {
        return range.midpoint();
    }
    if lo < 0.0 && hi > 0.0 {
        return 0.0;
    }
    let (near, far) = (range.mignitude(), range.magnitude());
    // 1 + cut is the harmonic mean of 1 + near and 1 + far.
    let cut = 2.0 / (1.0 / (1.0 + near) + 1.0 / (1.0 + far)) - 1.0;
    if hi > 0.0 { cut } else { -cut }
}
