//! Both sides of a comparison, as they are stored and compared with those of a later run.

use serde::{Deserialize, Serialize};

use crate::claim::Comparison;
use enclosures::enclosure::Enclosure;

/// Both sides of a comparison as numbers; an end at infinity is stored as null.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sides {
    /// Left side, `[lo, hi]`.
    pub left: [Option<f64>; 2],
    /// The relation that the statement asserts.
    pub relation: String,
    /// Right side, `[lo, hi]`.
    pub right: [Option<f64>; 2],
    /// Margin, `[lo, hi]`; negative is violated.
    pub margin: [Option<f64>; 2],
}

impl Sides {
    /// The numbers of a comparison.
    #[must_use]
    pub fn of(comparison: &Comparison) -> Self {
        // The sign of a zero is no part of a side, and depends on how a sum was compiled: adding zero takes it away.
        let ends = |e: Enclosure| [e.lo(), e.hi()].map(|x| x.is_finite().then_some(x + 0.0));
        Sides {
            left: ends(comparison.lhs),
            relation: comparison.relation.to_string(),
            right: ends(comparison.rhs),
            margin: ends(comparison.margin),
        }
    }
}

impl Sides {
    /// Whether both can be enclosures of the same two sides: the relations are the same, and the intervals overlap to within 1e-9 of
    /// their size, more than processors differ by.
    #[must_use]
    pub fn agrees_with(&self, other: &Sides) -> bool {
        let overlap = |a: [Option<f64>; 2], b: [Option<f64>; 2]| {
            let lo = |x: [Option<f64>; 2]| x[0].unwrap_or(f64::NEG_INFINITY);
            let hi = |x: [Option<f64>; 2]| x[1].unwrap_or(f64::INFINITY);
            let size = [a, b].concat().into_iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
            lo(a) <= hi(b) + 1e-9 * size && lo(b) <= hi(a) + 1e-9 * size
        };
        self.relation == other.relation && overlap(self.left, other.left) && overlap(self.right, other.right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::{Evaluation, at_most};
    use enclosures::enclosure::exact;

    #[test]
    fn sides_have_no_negative_zero_and_no_infinity() {
        let Evaluation::Compared(comparison) = at_most(exact(-0.0), Enclosure::measured_between(-0.0, f64::INFINITY))
        else {
            panic!("a comparison")
        };
        let sides = Sides::of(&comparison);
        let bits = |ends: [Option<f64>; 2]| ends.map(|x| x.map(f64::to_bits));
        assert_eq!(bits(sides.left), [Some(0), Some(0)]);
        assert_eq!(bits(sides.right), [Some(0), None]);
    }
}
