//! Mutations of a comparison: made stronger by a stated factor, or turned round, after the check has made it, so that no claim needs
//! to know of this. Where a check compares several parts, the one closest to violation stands for it.

use crate::claim::{Comparison, Relation};
use crate::judge::judge;
use crate::verdict::Outcome;
use enclosures::enclosure::{Enclosure, Grade};
use enclosures::interval::Interval;

/// A change to a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mutation {
    /// The right side multiplied by this factor; of an inequality, by the factor or its inverse, whichever makes it stronger.
    Scaled(f64),
    /// The two sides exchanged.
    Swapped,
}

/// What becomes of an outcome when the statement is changed.
pub(crate) fn applied(outcome: Outcome, mutation: Mutation) -> Outcome {
    match outcome {
        Outcome::Judged { comparison, .. } => {
            let changed = mutated(&comparison, mutation);
            Outcome::Judged { judgement: judge(&changed), comparison: Box::new(changed) }
        }
        other => other,
    }
}

/// The comparison of the changed statement.
pub(crate) fn mutated(comparison: &Comparison, mutation: Mutation) -> Comparison {
    let (lhs, rhs) = (comparison.lhs, comparison.rhs);
    match mutation {
        Mutation::Swapped => comparison.clone().with_sides(rhs, lhs),
        // Where a check compares now an identity and now an inequality, the latter is only ever made stronger.
        Mutation::Scaled(factor) if factor > 1.0 && comparison.relation != Relation::Equal => comparison.clone(),
        Mutation::Scaled(factor) => {
            let scaled = match comparison.relation {
                Relation::Equal => rhs * factor,
                Relation::AtMost | Relation::LessThan => lowered(rhs, factor),
                Relation::AtLeast | Relation::GreaterThan => -lowered(-rhs, factor),
            };
            comparison.clone().with_sides(lhs, scaled)
        }
    }
}

/// Positive numbers times the factor below one, negative ones divided by it: an increasing function that makes all numbers smaller.
fn lowered(x: Enclosure, factor: f64) -> Enclosure {
    let grade: Grade = x.grade();
    let (positive, negative) = (x.interval().max(Interval::ZERO), x.interval().min(Interval::ZERO));
    Enclosure::graded(positive * factor + negative / factor, grade)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_signs_are_pushed_the_same_way() {
        let x = lowered(Enclosure::between(-1.0, 1.0), 0.5);
        assert_eq!((x.lo(), x.hi()), (-2.0, 0.5));
        assert_eq!(lowered(Enclosure::between(-4.0, -1.0), 0.5).hi(), -2.0);
    }
}
