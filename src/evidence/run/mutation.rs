//! Mutations of a comparison: made stronger by a stated factor, or turned round, after the check has made it, so that no claim needs
//! to know of this. Where a check compares several parts, the one closest to violation stands for it.

use crate::claim::{Comparison, Relation};
use crate::judge::{Judgement, judge};
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

/// Stronger inequalities.
const OF_INEQUALITIES: [Mutation; 4] =
    [Mutation::Scaled(0.99), Mutation::Scaled(0.9), Mutation::Scaled(0.5), Mutation::Swapped];

/// Other identities.
const OF_IDENTITIES: [Mutation; 6] = [
    Mutation::Scaled(0.99),
    Mutation::Scaled(1.01),
    Mutation::Scaled(0.9),
    Mutation::Scaled(1.1),
    Mutation::Scaled(0.5),
    Mutation::Scaled(2.0),
];

/// What became of one mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Refuted by the instance named.
    Killed {
        /// The first instance that violates it.
        by: String,
    },
    /// Violated by no instance.
    Survived,
    /// The mutant says the same as the statement: one side is zero on every instance, and a factor does not change a sign.
    Equivalent,
}

pub(super) fn is_identity(comparisons: &[(&str, &Comparison)]) -> bool {
    comparisons.iter().any(|(_, c)| c.relation == Relation::Equal)
}

pub(super) fn slack(comparisons: &[(&str, &Comparison)]) -> Option<f64> {
    if is_identity(comparisons) {
        return None;
    }
    comparisons
        .iter()
        .filter(|(_, c)| c.lhs.magnitude() > 0.0 || c.rhs.magnitude() > 0.0)
        .map(|(_, c)| c.relative_margin().max(0.0))
        .reduce(f64::min)
}

/// Whether neither a factor of two nor an exchange of the sides makes a statement that one of the comparisons violates.
pub(super) fn withstands_every_change(comparisons: &[&Comparison]) -> bool {
    const CHANGES: [Mutation; 3] = [Mutation::Scaled(0.5), Mutation::Scaled(2.0), Mutation::Swapped];
    let violated = |c: &&&Comparison| {
        let changed = |&change: &Mutation| judge(&mutated(c, change)) == Judgement::Violated;
        CHANGES.iter().any(changed)
    };
    !comparisons.iter().any(|c| violated(&c))
}

pub(super) fn mutants(comparisons: &[(&str, &Comparison)]) -> Vec<(Mutation, Fate)> {
    if comparisons.is_empty() {
        return Vec::new();
    }
    // A statement about a sign has no constant to change.
    let of_signs = comparisons.iter().all(|(_, c)| c.rhs.magnitude() == 0.0)
        || comparisons.iter().all(|(_, c)| c.lhs.magnitude() == 0.0);
    let kinds: &[Mutation] = if is_identity(comparisons) { &OF_IDENTITIES } else { &OF_INEQUALITIES };
    let fate = |mutation: Mutation| {
        if of_signs && mutation != Mutation::Swapped {
            return Fate::Equivalent;
        }
        let violates = |(_, c): &&(&str, &Comparison)| judge(&mutated(c, mutation)) == Judgement::Violated;
        match comparisons.iter().find(violates) {
            Some((name, _)) => Fate::Killed { by: (*name).to_owned() },
            None => Fate::Survived,
        }
    };
    kinds.iter().map(|&mutation| (mutation, fate(mutation))).collect()
}

/// What becomes of an outcome when the statement is changed.
pub(super) fn applied(outcome: Outcome, mutation: Mutation) -> Outcome {
    match outcome {
        Outcome::Judged { comparison, .. } => {
            let changed = mutated(&comparison, mutation);
            Outcome::Judged { judgement: judge(&changed), comparison: Box::new(changed) }
        }
        other => other,
    }
}

fn mutated(comparison: &Comparison, mutation: Mutation) -> Comparison {
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
    use crate::claim::{Evaluation, at_least, at_most, equal, less_than};
    use enclosures::enclosure::exact;

    fn comparison(evaluation: Evaluation) -> Comparison {
        match evaluation {
            Evaluation::Compared(c) => c,
            other => panic!("not a comparison: {other:?}"),
        }
    }

    fn fates(evaluations: Vec<Evaluation>) -> Vec<Fate> {
        let all: Vec<Comparison> = evaluations.into_iter().map(comparison).collect();
        let named: Vec<(&str, &Comparison)> = all.iter().map(|c| ("x", c)).collect();
        mutants(&named).into_iter().map(|(_, fate)| fate).collect()
    }

    fn killed() -> Fate {
        Fate::Killed { by: "x".into() }
    }

    #[test]
    fn a_constant_with_five_percent_of_room_survives_one_percent_only() {
        use Fate::Survived;
        let tight = [Survived, killed(), killed(), killed()];
        for (left, right) in [(0.95, 1.0), (-1.0, -0.95)] {
            assert_eq!(fates(vec![at_most(exact(left), exact(right))]), tight, "{left} ≤ {right}");
            assert_eq!(fates(vec![less_than(exact(left), exact(right))]), tight, "{left} < {right}");
            assert_eq!(fates(vec![at_least(exact(right), exact(left))]), tight, "{right} ≥ {left}");
        }
    }

    #[test]
    fn a_statement_about_a_sign_has_no_constant() {
        use Fate::{Equivalent, Survived};
        let swapped_too = [Equivalent, Equivalent, Equivalent, killed()];
        assert_eq!(fates(vec![at_least(1, 0), at_least(2, 0)]), swapped_too);
        assert_eq!(fates(vec![at_least(0, 0)])[3], Survived, "equality on every instance");
        // One instance with a side that is not zero is enough to have one.
        assert_eq!(fates(vec![at_least(1, 0), at_least(1, exact(0.95))])[..2], [Survived, killed()]);
    }

    #[test]
    fn an_identity_is_broken_by_every_factor() {
        assert_eq!(fates(vec![equal(2, 2)]), vec![killed(); 6]);
        assert_eq!(fates(vec![equal(exact(1e-12), 0).on_scale(1.0)]), vec![Fate::Equivalent; 6]);
        // With a tolerance of 5 % the small changes go unseen.
        let loose = fates(vec![equal(2, 2).within(0.05)]);
        assert_eq!(loose[..2], [Fate::Survived, Fate::Survived]);
        assert_eq!(loose[2..], vec![killed(); 4]);
    }

    #[test]
    fn a_comparison_that_nothing_moves_is_found() {
        let all = |evaluations: Vec<Evaluation>| {
            let list: Vec<Comparison> = evaluations.into_iter().map(comparison).collect();
            withstands_every_change(&list.iter().collect::<Vec<_>>())
        };
        assert!(all(vec![at_most(0, 0), at_most(0, 0)]), "a count of nothing");
        assert!(all(vec![equal(0, 0)]));
        assert!(!all(vec![at_most(0, 0), at_most(0, 1)]), "exchanged, it is violated");
        assert!(!all(vec![at_most(3, 4)]), "half of the right side is too little");
        assert!(!all(vec![equal(2, 2)]));
    }

    #[test]
    fn both_signs_are_pushed_the_same_way() {
        let x = lowered(Enclosure::between(-1.0, 1.0), 0.5);
        assert_eq!((x.lo(), x.hi()), (-2.0, 0.5));
        assert_eq!(lowered(Enclosure::between(-4.0, -1.0), 0.5).hi(), -2.0);
    }
}
