//! Checks without power, found by machine: what was tried on one instance only, what no change of the statement moves, and controls
//! that only an absurd or a single instance refutes.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::claim::{Comparison, FamilyKind, Role, Subject};
use crate::judge::{Judgement, judge};
use crate::run::confirmation::coordinates;
use crate::run::trials::{Mutation, mutated};
use crate::verdict::{Outcome, Record, Verdict};
use enclosures::enclosure::Grade;

/// An instance with a number this large shows little about a control that it refutes.
const FAR_OUT: f64 = 1e5;

/// Why a check shows little.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Weakness {
    /// It was judged on one instance only.
    OneInstance,
    /// Neither a factor of two nor an exchange of the sides makes a statement that an instance of the families violates.
    Unmoved,
    /// The sweep of a trend could not refute an exponent half a unit worse than the claimed one.
    WideTrend,
    /// A control that a single instance refutes.
    SingleRefuter,
    /// A control that is refuted only by instances with numbers of 1e5 and beyond.
    FarOut,
}

impl fmt::Display for Weakness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Weakness::OneInstance => "judged on one instance only",
            Weakness::Unmoved => "no factor of two and no exchange of its sides is refuted",
            Weakness::WideTrend => "too wide an interval to refute an exponent half a unit worse",
            Weakness::SingleRefuter => "a control refuted by a single instance",
            Weakness::FarOut => "a control refuted only at magnitudes of 1e5 and beyond",
        })
    }
}

/// The weaknesses of a check whose trials are `records`, violated by some instances.
pub(super) fn weaknesses(
    role: Role,
    (verdict, grade): (Verdict, Option<Grade>),
    records: &[Record],
    violating: &[(usize, &Subject)],
) -> Vec<Weakness> {
    let mut found = Vec::new();
    if role == Role::Control {
        if verdict == Verdict::Fails {
            let far_out = |(_, instance): &(usize, &Subject)| {
                instance.value().is_ok_and(|v| largest(&coordinates(&v)) >= FAR_OUT)
            };
            if violating.len() == 1 {
                found.push(Weakness::SingleRefuter);
            } else if violating.iter().all(far_out) {
                found.push(Weakness::FarOut);
            }
        }
        return found;
    }
    if !matches!(verdict, Verdict::Holds | Verdict::Consistent) || grade == Some(Grade::Proved) {
        return found;
    }
    let of_families: Vec<&Comparison> = records
        .iter()
        .filter(|r| r.family != FamilyKind::Search)
        .filter_map(|r| match &r.outcome {
            Outcome::Judged { comparison, .. } | Outcome::Redrawn { comparison } => Some(&**comparison),
            _ => None,
        })
        .collect();
    if of_families.len() == 1 {
        found.push(Weakness::OneInstance);
    }
    let is_trend = of_families.iter().any(|c| c.trend);
    if is_trend && of_families.iter().all(|c| c.lacks_power) {
        found.push(Weakness::WideTrend);
    }
    if !is_trend && withstands_every_change(&of_families) {
        found.push(Weakness::Unmoved);
    }
    found
}

fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// Whether neither a factor of two nor an exchange of the sides makes a statement that one of the comparisons violates.
fn withstands_every_change(comparisons: &[&Comparison]) -> bool {
    const CHANGES: [Mutation; 3] = [Mutation::Scaled(0.5), Mutation::Scaled(2.0), Mutation::Swapped];
    let violated = |c: &&&Comparison| {
        let changed = |&change: &Mutation| judge(&mutated(c, change)) == Judgement::Violated;
        CHANGES.iter().any(changed)
    };
    !comparisons.iter().any(|c| violated(&c))
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::{Evaluation, at_most, equal};

    fn comparison(evaluation: Evaluation) -> Comparison {
        match evaluation {
            Evaluation::Compared(c) => c,
            other => panic!("not a comparison: {other:?}"),
        }
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
}
