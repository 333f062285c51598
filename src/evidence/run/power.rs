//! Checks without power, found by machine: what was tried on one instance only, what no change of the statement moves, and controls
//! that only an absurd or a single instance refutes.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::coordinates::coordinates;
use super::mutation::withstands_every_change;
use super::result::CheckResult;
use crate::claim::{Comparison, FamilyKind, Role, Subject};
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
pub(super) fn weaknesses(check: &CheckResult, records: &[Record], violating: &[(usize, &Subject)]) -> Vec<Weakness> {
    let mut found = Vec::new();
    if check.role == Role::Control {
        if check.verdict == Verdict::Fails {
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
    if !matches!(check.verdict, Verdict::Holds | Verdict::Consistent) || check.grade == Some(Grade::Proved) {
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
