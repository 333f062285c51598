//! How close a comparison is to violation, by two measures, and how that changes.

use std::collections::BTreeMap;

use crate::claim::{Comparison, Relation};
use crate::verdict::Outcome;
use enclosures::enclosure::Enclosure;
use enclosures::formula::Formula;

/// How close an outcome is to violation, by two measures, the larger the closer: by the quotient of the sides, and in their own units.
/// What counts is the end of the margin that is certain: a margin that contains zero and is wide is as far from violation as its upper
/// end, so that nobody climbs where nothing can be decided.
pub(super) fn closeness(outcome: &Outcome) -> Option<[f64; 2]> {
    match outcome {
        Outcome::Judged { comparison, .. } => closeness_of(comparison),
        _ => None,
    }
}

/// How close a comparison is to violation.
pub(super) fn closeness_of(comparison: &Comparison) -> Option<[f64; 2]> {
    let margin = comparison.margin;
    let certain = if margin.grade().is_sampled() { margin.midpoint() } else { margin.hi() };
    // An unbounded enclosure comes close to everything, and leads nowhere, be it of the margin or of a side.
    (certain.is_finite() && comparison.scale.is_finite()).then(|| [-relative(comparison, certain), -certain])
}

/// Beyond this fraction of the larger side a margin says nothing of the smaller one: rounding has absorbed it.
const ABSORBED: f64 = 1.0 - 1e-6;

/// Further away than any quotient of two doubles.
const BEYOND: f64 = 2000.0;

/// The logarithm of the quotient of the sides where both have the same sign: how many times closer they have to come, which a product
/// of small factors tells where its distance from the other side is the same wherever one looks. Where the signs differ there is no such
/// number, and the margin itself counts. On a stated scale the margin is a fraction of that.
fn relative(comparison: &Comparison, margin: f64) -> f64 {
    let fraction = margin / comparison.scale;
    let Some([smaller, larger]) = same_sign(comparison) else {
        let stated = comparison.relation == Relation::Equal || comparison.scale != comparison.natural_scale();
        if stated {
            return if fraction.is_nan() { 0.0 } else { fraction };
        }
        return BEYOND + core_math::log1p(margin.max(0.0));
    };
    if fraction.is_nan() {
        return 0.0;
    }
    let by_margin = -core_math::log1p(-fraction.min(ABSORBED));
    if fraction < ABSORBED {
        return by_margin;
    }
    by_margin.max(core_math::log(larger) - core_math::log(smaller.max(f64::MIN_POSITIVE)))
}

/// The sizes of the sides of an inequality that is judged on its own scale, the one that has to grow first; none where their signs
/// differ, and where both may be zero: however close they are there, their quotient says nothing, and whoever went by it would stay.
fn same_sign(comparison: &Comparison) -> Option<[f64; 2]> {
    if comparison.relation == Relation::Equal || comparison.scale != comparison.natural_scale() {
        return None;
    }
    let upwards = matches!(comparison.relation, Relation::AtMost | Relation::LessThan);
    let (small, large) = if upwards { (comparison.lhs, comparison.rhs) } else { (comparison.rhs, comparison.lhs) };
    let may_vanish = |side: Enclosure| side.lo() <= 0.0 && side.hi() >= 0.0;
    if may_vanish(small) && may_vanish(large) {
        None
    } else if small.midpoint() > 0.0 && large.midpoint() > 0.0 {
        Some([small.lo(), large.hi()])
    } else if small.midpoint() < 0.0 && large.midpoint() < 0.0 {
        Some([-large.hi(), -small.lo()])
    } else {
        None
    }
}

/// The slopes of the logarithm of the quotient of the sides, the larger one above; none where the quotient does not count.
pub(super) fn quotient_slopes(comparison: &Comparison, formula: &Formula) -> Vec<(f64, f64)> {
    if same_sign(comparison).is_none() {
        return Vec::new();
    }
    let upwards = matches!(comparison.relation, Relation::AtMost | Relation::LessThan);
    let mut along: BTreeMap<u64, f64> = BTreeMap::new();
    for (side, sign) in [(comparison.lhs, -1.0), (comparison.rhs, 1.0)] {
        let sign = if upwards { sign } else { -sign };
        for (x, slope) in formula.slopes(side).unwrap_or_default() {
            *along.entry(x.to_bits()).or_default() += sign * slope / side.midpoint();
        }
    }
    along.into_iter().map(|(x, slope)| (f64::from_bits(x), slope)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Evaluation;
    use crate::comparison::at_least;
    use enclosures::enclosure::exact;

    fn close(lhs: Enclosure, rhs: Enclosure) -> Option<[f64; 2]> {
        match at_least(lhs, rhs) {
            Evaluation::Compared(comparison) => closeness_of(&comparison),
            other => panic!("not a comparison: {other:?}"),
        }
    }

    #[test]
    fn sides_that_may_both_vanish_come_less_close_than_sides_with_a_quotient() {
        let zeros = close(Enclosure::between(-1e-16, 1e-16), Enclosure::between(0.0, 1e-32)).unwrap();
        let near = close(exact(1.001), exact(1.0)).unwrap();
        assert!(zeros[0] < near[0], "{zeros:?} {near:?}");
        assert!(zeros[1] > near[1], "in their own units they are close: {zeros:?} {near:?}");
    }

    #[test]
    fn an_unbounded_side_leads_nowhere() {
        let unbounded = Enclosure::between(f64::NEG_INFINITY, 2.0);
        assert_eq!(close(unbounded, exact(1.0)), None);
    }
}
