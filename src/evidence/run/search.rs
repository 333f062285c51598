//! The adversarial search: a climb towards violation from the instances that came closest to breaking a check.

use super::Context;
use super::climb::{Height, climb};
use super::evaluate::{Judging, violation};
use crate::claim::{FamilyKind, Subject, Trial};
use crate::judge::Judgement;
use crate::verdict::{Outcome, Record};

/// The objective: the larger, the closer to violation; zero where equality is attained to within what doubles resolve.
pub(crate) fn closeness(outcome: &Outcome) -> Option<f64> {
    match outcome {
        Outcome::Judged {
            judgement: Judgement::Touches,
            comparison,
        } if !comparison.margin.grade().is_sampled() => Some(0.0),
        // An unbounded enclosure comes close to everything, and leads nowhere.
        Outcome::Judged { comparison, .. } if !comparison.margin.grade().is_sampled() => {
            Some(-comparison.relative_margin()).filter(|close| close.is_finite())
        }
        _ => None,
    }
}

/// What a search brings back.
pub(crate) struct Found {
    /// Every evaluation.
    pub(crate) records: Vec<Record>,
    /// The instance that violates the check, if there is one; the last record is its own.
    pub(crate) violating: Option<Subject>,
    /// The instance that came closest without violating it, and the number of its record.
    pub(crate) closest: Option<(usize, Subject)>,
}

/// Climbs from the closest of `starts`; the search ends at the first violation. A start that could not be judged counts as being
/// `otherwise` close, or not at all.
pub(crate) fn search(
    judging: Judging<'_>,
    starts: &[(&Subject, &Outcome)],
    otherwise: Option<f64>,
    evaluations: usize,
    context: &Context<'_>,
) -> Found {
    let starts: Vec<(f64, &Subject)> = starts
        .iter()
        .filter_map(|(i, o)| Some((closeness(o).or(otherwise)?, *i)))
        .collect();
    let mut records: Vec<Record> = Vec::new();
    let (mut violating, mut closest) = (None, None::<(f64, usize, Subject)>);
    let trial = |number: usize| context.trial(&["search", &judging.key(), &number.to_string()]);
    let mut look = |instance: &Subject, trial: &mut Trial, (start, evaluation): (usize, usize)| {
        let outcome = judging.outcome(instance, trial);
        let (violated, close) = (violation(&outcome).is_some(), closeness(&outcome));
        records.push(Record {
            family: FamilyKind::Search,
            instance: format!("search {start}.{evaluation}"),
            outcome,
        });
        if violated {
            violating = Some(instance.clone());
            return Height::Found;
        }
        let Some(close) = close else {
            return Height::Nothing;
        };
        if closest.as_ref().is_none_or(|(most, ..)| close > *most) {
            closest = Some((close, records.len() - 1, instance.clone()));
        }
        Height::At(close)
    };
    climb(judging.setting, &starts, evaluations, &trial, &mut look);
    Found {
        records,
        violating,
        closest: closest.map(|(_, at, instance)| (at, instance)),
    }
}
