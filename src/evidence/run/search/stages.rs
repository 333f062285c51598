//! A search from its starts, by stages of the budget: each repeats what a smaller budget does before it goes on.

use super::closeness::closeness;
use super::effort::Effort;
use super::looks::{Inspected, SearchResult, Trials};
use super::portfolio::climb;
use super::problem::Slopes;
use crate::budget::Budget;
use crate::claim::Subject;
use crate::run::context::Context;
use crate::run::trials::Judging;
use crate::verdict::Outcome;
use enclosures::enclosure::Grade;

/// Work beyond the budget is spent in slices of so much.
const SLICE: u64 = 2_000_000;

/// So many slices without a gain end it.
const PATIENCE: u32 = 2;

/// The part of what is left that is a gain.
const GAIN: f64 = 1e-3;

/// An instance from which to search: the smallest budget that draws it, itself, and its outcome.
#[derive(Clone, Copy)]
pub(crate) struct Start<'a> {
    pub(crate) since: Budget,
    pub(crate) instance: &'a Subject,
    pub(crate) outcome: &'a Outcome,
}

/// Searches from `starts`, and ends at the first violation that is one from its stored digits too. A start that could not be judged
/// counts as being `otherwise` close, or not at all. `part` of the budget is spent: one in so many.
pub(crate) fn search(
    judging: Judging<'_>,
    starts: &[Start<'_>],
    otherwise: Option<f64>,
    part: usize,
    context: &Context<'_>,
) -> SearchResult {
    let mut seen = Inspected::by(judging, context);
    let costly = starts.iter().any(|start| is_costly(start.outcome));
    let free = judging.setting.plain;
    let mut stretch = |name: String, stage: Budget, mut effort: Effort| {
        // Where the stage before came closest, this one goes on.
        let closest = seen.closest().map(|(close, instance)| (close, instance.clone()));
        let mut starts: Vec<(f64, &Subject)> = starts
            .iter()
            .filter(|start| start.since <= stage)
            .filter_map(|start| Some((closeness(start.outcome).map(|c| c[0]).or(otherwise)?, start.instance)))
            .collect();
        starts.extend(closest.iter().map(|(close, instance)| (*close, instance)));
        let key = judging.key();
        let stream = |turn: &str| context.stream(&["search", &key, &name, turn]);
        let mut trials = Trials::new(|| context.trial(&["search", &key, &name]));
        let admits = |instance: &Subject| judging.admits(instance);
        let mut look = |instance: &Subject, slopes: Option<&mut Slopes>| seen.look(instance, trials.next(), slopes);
        climb(&starts, &mut effort, free, &stream, &admits, &mut look);
        seen.settle_contenders(&|multiple: usize| {
            context.trial(&["search", &key, &name, "contenders"]).with_samples(multiple)
        });
        (seen.has_violating(), seen.closest().map(|(close, _)| close))
    };
    let (mut found, mut closest) = (false, None);
    for stage in context.budget.stages() {
        let most = if costly { stage.search_evaluations() } else { stage.most_evaluations() };
        let least = if judging.setting.is_sparing { 0 } else { stage.search_evaluations() };
        let effort = Effort::new(stage.search_work(), least, most).part(part);
        (found, closest) = stretch(stage.to_string(), *stage, effort);
        if found {
            break;
        }
    }
    let mut patience = PATIENCE;
    let is_stated = judging.without.is_none() && judging.changed.is_none();
    let further = if is_stated { judging.setting.further } else { 0 };
    for slice in 0..further / SLICE {
        if found || patience == 0 {
            break;
        }
        let before = closest;
        let effort = Effort::new(SLICE, 0, usize::MAX);
        (found, closest) = stretch(format!("further {slice}"), context.budget, effort);
        patience = if is_closer(before, closest) { PATIENCE } else { patience - 1 };
    }
    seen.found()
}

/// Whether a stretch came closer to a violation by more than a thousandth of what was left.
fn is_closer(before: Option<f64>, after: Option<f64>) -> bool {
    match (before, after) {
        (Some(before), Some(after)) => after - before > GAIN * before.abs(),
        (before, after) => before.is_none() && after.is_some(),
    }
}

/// Whether what a look costs is not counted: plain floating-point arithmetic, a simulation.
fn is_costly(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Judged { comparison, .. } => {
            comparison.trend || comparison.margin.grade() == Grade::Measured || comparison.margin.grade().is_sampled()
        }
        _ => false,
    }
}
