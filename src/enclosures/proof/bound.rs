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

/// What is covered: a closed box, and which of its ends do not belong to the domain.
pub(super) struct Domain<const K: usize> {
    pub(super) ranges: [Interval; K],
    /// For each parameter, whether the lower end is left out, and the upper.
    pub(super) excluded: [(bool, bool); K],
}

impl<const K: usize> Domain<K> {
    /// Whether an end of the box along a parameter is left out.
    fn excludes(&self, parameter: usize, end: f64) -> bool {
        let (low, high) = self.excluded[parameter];
        low && end == self.ranges[parameter].lo() || high && end == self.ranges[parameter].hi()
    }

    fn contains(&self, point: [f64; K]) -> bool {
        (0..K).all(|i| !self.excludes(i, point[i]))
    }
}

/// Whether a margin of at least `x` is enough.
fn enough(x: f64, strict: bool) -> bool {
    if strict { x > 0.0 } else { x >= 0.0 }
}

/// Bounds the margin on a box from below.
///
/// Where a slope has one sign on the whole box the margin is smallest on one face, so the box is replaced by that face and
/// looked at again; every round fixes at least one more parameter. A face at infinity holds no point and is never chosen.
///
/// A margin that has to be positive, and moves away from a face that is left out at a slope that never vanishes, need only not be negative on
/// that face: everywhere else it is larger. Where the slope may vanish, the face settles nothing, and the box itself stays in doubt.
pub(super) fn look<const K: usize>(
    domain: &Domain<K>,
    ranges: [Interval; K],
    margin: &dyn Fn([Dual<K>; K]) -> Dual<K>,
    strict: bool,
) -> Sight<K> {
    let mut ranges = ranges;
    let mut strict = strict;
    let mut bound = f64::NEG_INFINITY;
    let mut kept: Option<Open<K>> = None;
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
        if there.defined && (there.value.hi() < 0.0 || (strict && there.value.hi() <= 0.0 && domain.contains(centre))) {
            return Sight::Refuted { point: centre, margin: there.value };
        }
        if !over.defined {
            return Sight::Open(kept.unwrap_or(Open { ranges, slopes: [Interval::ENTIRE; K], bound }));
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
            return Sight::Open(kept.unwrap_or(Open { ranges, slopes: over.slopes, bound }));
        }
        let left_out = |i: &usize| face[*i] != ranges[*i] && domain.excludes(*i, face[*i].lo());
        if strict && (0..K).filter(left_out).any(|i| rises(over.slopes[i])) {
            strict = false;
        } else if strict && (0..K).any(|i| left_out(&i)) {
            kept.get_or_insert(Open { ranges, slopes: over.slopes, bound });
        }
        ranges = face;
    }
}

/// Whether a function with these slopes rises or falls everywhere.
fn rises(slope: Interval) -> bool {
    slope.lo() > 0.0 || slope.hi() < 0.0
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
