//! The judge: turns a margin into holds, touches, violated or undecided, and knows nothing of where the instance came from.

use crate::comparison::{Comparison, RESOLUTION, Relation};
use enclosures::enclosure::Grade;

/// What a margin says, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// The whole margin is on the bad side.
    Violated,
    /// The margin contains zero and is wide.
    Undecided,
    /// The margin contains zero and is so narrow that the two sides agree to all digits that double precision supports:
    /// equality is attained, as far as can be told. Counted apart from the instances with room to spare.
    Touches,
    /// The whole margin is on the good side.
    Holds,
}

/// Judges one comparison. A strict relation needs a positive margin and is violated by a margin of zero.
#[must_use]
pub fn judge(comparison: &Comparison) -> Judgement {
    let (mut lo, mut hi) = (comparison.margin.lo(), comparison.margin.hi());
    // A measured number has no error bound: what lies within the resolution of its scale is not told apart.
    let measured = comparison.margin.grade() == Grade::Measured && comparison.relation != Relation::Equal;
    if measured && comparison.scale.is_finite() {
        let resolution = RESOLUTION * comparison.scale;
        (lo, hi) = if lo == 0.0 && hi == 0.0 { (lo, hi) } else { (lo - resolution, hi + resolution) };
    }
    let strict = matches!(comparison.relation, Relation::LessThan | Relation::GreaterThan);
    if lo > 0.0 || (!strict && lo >= 0.0) {
        return Judgement::Holds;
    }
    if hi < 0.0 || (strict && hi <= 0.0) {
        return Judgement::Violated;
    }
    let equality_counts = !strict && !comparison.margin.grade().is_sampled() && comparison.scale.is_finite();
    if equality_counts && comparison.margin.width() <= RESOLUTION * comparison.scale + f64::MIN_POSITIVE {
        Judgement::Touches
    } else {
        Judgement::Undecided
    }
}

/// Whether both sides agree only because double precision ends there: the margin is below the smallest normal number and yet wide against
/// their size. e^{-2000} and e^{-1000} are alike to it, so that nothing is told of an equality.
#[must_use]
pub fn vanishes(comparison: &Comparison) -> bool {
    judge(comparison) == Judgement::Touches && comparison.margin.width() > RESOLUTION * comparison.scale
}

/// Whether the stated scale or tolerance decides: on the larger side and with [`RESOLUTION`] the judge would say something else.
#[must_use]
pub(crate) fn is_decided_by_scale(comparison: &Comparison) -> bool {
    let natural = comparison.natural_scale();
    if comparison.scale == natural && comparison.tolerance == RESOLUTION {
        return false;
    }
    judge(&comparison.clone().on_natural_scale()) != judge(comparison)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::{Evaluation, at_least, at_most, equal, less_than};
    use crate::testing::judged;
    use enclosures::enclosure::{Enclosure, exact};

    #[test]
    fn the_sign_of_the_whole_margin_decides() {
        assert_eq!(judged(at_most(1, 2)), Judgement::Holds);
        assert_eq!(judged(at_most(2, 1)), Judgement::Violated);
        assert_eq!(judged(at_least(2, 1)), Judgement::Holds);
        assert_eq!(judged(at_most(Enclosure::between(0.0, 2.0), 1)), Judgement::Undecided);
        assert_eq!(judged(at_most(exact(f64::NAN), 1)), Judgement::Undecided);
    }

    #[test]
    fn equality_counts_for_a_weak_relation_only() {
        assert_eq!(judged(at_most(1, 1)), Judgement::Holds);
        assert_eq!(judged(less_than(1, 1)), Judgement::Violated);
        let third = Enclosure::from(1) / 3.0;
        assert_eq!(judged(at_most(third, third)), Judgement::Touches);
        assert_eq!(judged(less_than(third, third)), Judgement::Undecided);
        let sampled = Enclosure::sampled(1.0, 1.0 + 1e-15, 1e-12);
        assert_eq!(judged(at_most(sampled, 1)), Judgement::Undecided);
    }

    #[test]
    fn sides_below_the_smallest_normal_number_attain_no_equality() {
        let compared = |evaluation: Evaluation| match evaluation {
            Evaluation::Compared(c) => (judge(&c), vanishes(&c)),
            other => panic!("not a comparison: {other:?}"),
        };
        let power = |x: f64| exact(x).exp();
        assert_eq!(compared(at_most(power(-2000.0), power(-1000.0))), (Judgement::Touches, true));
        let noise = Enclosure::between(-f64::from_bits(1), f64::from_bits(1));
        assert_eq!(compared(at_most(noise, noise)), (Judgement::Touches, true));
        let third = Enclosure::from(1) / 3.0;
        assert_eq!(compared(at_most(third, third)), (Judgement::Touches, false));
        assert_eq!(compared(at_most(noise, noise).on_unit_scale()), (Judgement::Touches, false));
        assert_eq!(compared(at_most(0, 0)), (Judgement::Holds, false));
        assert_eq!(compared(at_most(power(-2000.0), 1)), (Judgement::Holds, false));
    }

    #[test]
    fn a_measured_margin_is_judged_beyond_the_resolution_of_its_scale() {
        let above = |room: f64| judged(at_most(Enclosure::measured(1.0), exact(1.0 + room)));
        assert_eq!(above(4.0 * RESOLUTION), Judgement::Holds);
        assert_eq!(above(-4.0 * RESOLUTION), Judgement::Violated);
        assert_eq!((above(0.25 * RESOLUTION), above(-0.25 * RESOLUTION)), (Judgement::Touches, Judgement::Touches));
        // Sides that are the same number attain equality, measured or not; an enclosed margin needs no such room.
        assert_eq!(above(0.0), Judgement::Holds);
        assert_eq!(judged(at_most(1, exact(1.0 + 0.25 * RESOLUTION))), Judgement::Holds);
        assert_eq!(judged(equal(Enclosure::measured(1.0), 1)), Judgement::Holds);
    }

    #[test]
    fn a_scale_decides_where_the_larger_side_would_not_do() {
        let is_decided = |evaluation: Evaluation| match evaluation {
            Evaluation::Compared(c) => is_decided_by_scale(&c),
            other => panic!("not a comparison: {other:?}"),
        };
        assert!(!is_decided(equal(1, 1)) && !is_decided(equal(1, 1).on_scale(5.0)));
        assert!(is_decided(equal(1, exact(1.25)).within(0.5)));
        assert!(is_decided(equal(exact(1e-12), 0).on_scale(1.0)));
        let wide = Enclosure::between(-1e-12, 1e-12);
        assert!(is_decided(at_most(wide, 0).on_scale(1.0)) && !is_decided(at_most(wide, 0)));
        assert!(!is_decided(at_most(1, 2).on_scale(8.0)));
    }

    #[test]
    fn identities_are_judged_against_their_tolerance() {
        assert_eq!(judged(equal(Enclosure::from(1) / 3.0, Enclosure::from(2) / 6.0)), Judgement::Holds);
        assert_eq!(judged(equal(1, exact(1.0 + 1e-8))), Judgement::Violated);
        assert_eq!(judged(equal(0, 0)), Judgement::Holds);
        assert_eq!(judged(equal(exact(1e-12), 0).on_scale(1.0)), Judgement::Holds);
        assert_eq!(judged(equal(1, exact(1.001)).within(0.01)), Judgement::Holds);
    }
}
