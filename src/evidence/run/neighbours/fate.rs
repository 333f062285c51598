//! The mutants of a statement, made of its comparisons, and what becomes of each.

use crate::claim::{Comparison, Relation};
use crate::judge::{Judgement, judge};
use crate::run::trials::{Mutation, mutated};

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
}
