//! A lower bound of a margin on one box: the plain evaluation, the mean value form, and the faces that matter.

use crate::interval::{Dual, Interval};

/// What one look at a box shows.
pub(super) enum Sight<const K: usize> {
    /// The margin is as large as asked for on the whole box.
    Settled,
    /// The margin is too small at this point.
    Refuted { point: [f64; K], margin: Interval },
    /// The sign is not settled.
    Open(Open<K>),
}

/// A box in doubt.
pub(super) struct Open<const K: usize> {
    /// The box, shrunk to the face on which the margin is smallest wherever the margin is monotone.
    pub(super) ranges: [Interval; K],
    /// The slopes of the margin on it.
    pub(super) slopes: [Interval; K],
    /// A lower bound of the margin on it.
    pub(super) bound: f64,
}

/// Whether a margin of at least `x` is enough.
fn enough(x: f64, strict: bool) -> bool {
    if strict { x > 0.0 } else { x >= 0.0 }
}

/// Bounds the margin on a box from below.
///
/// Where a slope has one sign on the whole box the margin is smallest on one face, so the box is replaced by that face and
/// looked at again; every round fixes at least one more parameter. A face at infinity holds no point and is never chosen.
pub(super) fn look<const K: usize>(
    ranges: [Interval; K],
    margin: &dyn Fn([Dual<K>; K]) -> Dual<K>,
    strict: bool,
) -> Sight<K> {
    let mut ranges = ranges;
    let mut bound = f64::NEG_INFINITY;
    loop {
        let over = margin(Dual::variables(ranges));
        if over.defined {
            bound = over.value.lo().max(bound);
        }
        if enough(bound, strict) {
            return Sight::Settled;
        }
        let centre = ranges.map(Interval::midpoint);
        let there = margin(centre.map(Dual::constant));
        if there.defined && (there.value.hi() < 0.0 || (strict && there.value.hi() <= 0.0)) {
            return Sight::Refuted { point: centre, margin: there.value };
        }
        if !over.defined {
            return Sight::Open(Open { ranges, slopes: [Interval::ENTIRE; K], bound });
        }
        // Defined on the whole box, hence at its middle: f(x) = f(c) + slope · (x − c) for some slope in the enclosure. The
        // difference to an infinite end is infinite too, and then the bound says nothing.
        let mean: Interval =
            (0..K).map(|i| over.slopes[i] * (ranges[i] - centre[i])).fold(there.value, |total, term| total + term);
        bound = mean.lo().max(bound);
        if enough(bound, strict) {
            return Sight::Settled;
        }
        let face: [Interval; K] = std::array::from_fn(|i| smallest_end(ranges[i], over.slopes[i]));
        if face == ranges {
            return Sight::Open(Open { ranges, slopes: over.slopes, bound });
        }
        ranges = face;
    }
}

/// The end at which a function with these slopes is smallest, or the whole range if that is not known.
fn smallest_end(range: Interval, slope: Interval) -> Interval {
    if slope.lo() >= 0.0 && range.lo().is_finite() {
        Interval::point(range.lo())
    } else if slope.hi() <= 0.0 && range.hi().is_finite() {
        Interval::point(range.hi())
    } else {
        range
    }
}
