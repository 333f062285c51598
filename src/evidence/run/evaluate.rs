//! One instance under the checks of a setting: hypotheses, measurement, comparison, judgement, and a second look with more digits where
//! doubles are in doubt. Panics stop here.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::Context;
use super::mutation::{Mutation, applied};
use super::second_look::decided;
use crate::claim::{AnyHypothesis, AnySetting, Check, Comparison, Evaluation, MeasureError, Measured, Subject, Trial};
use crate::judge::{Judgement, judge};
use crate::verdict::Outcome;

fn missed(hypotheses: &[AnyHypothesis], instance: &Subject) -> Option<Outcome> {
    let missed = hypotheses.iter().find(|h| !h.is_met(instance))?;
    Some(Outcome::Discarded { hypothesis: missed.name.to_owned() })
}

/// What the work returns, or the message of its panic.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Outcome> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
        let message = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".into());
        Outcome::Panicked { message }
    })
}

fn compare(check: &Check, instance: &Subject, quantities: &Measured) -> Outcome {
    missed(&check.when, instance).unwrap_or_else(|| test(check, instance, quantities))
}

fn test(check: &Check, instance: &Subject, quantities: &Measured) -> Outcome {
    match check.test.ask(instance, quantities) {
        Evaluation::Compared(comparison) => {
            Outcome::Judged { judgement: judge(&comparison), comparison: Box::new(comparison) }
        }
        Evaluation::Vacuous(reason) => Outcome::Vacuous { reason },
        Evaluation::Failed(message) => Outcome::Failed { message },
    }
}

/// Work of a measurement that is made once more for a second look.
const REPEATED: u64 = 200_000;

/// Measures an instance, and says whether that can be repeated: nothing was drawn, and it was not much work.
fn measure(setting: &AnySetting, instance: &Subject, trial: &mut Trial) -> (Result<Measured, MeasureError>, bool) {
    let found = setting.measured(instance, trial);
    let repeatable = found.as_ref().is_ok_and(|found| found.work <= REPEATED && !found.drew);
    (found.map(|found| found.quantities), repeatable)
}

/// The outcome of the chosen checks on one instance, in order; the quantities are measured once.
pub(crate) fn evaluate(setting: &AnySetting, chosen: &[usize], instance: &Subject, trial: &mut Trial) -> Vec<Outcome> {
    evaluated(setting, chosen, instance, trial, true)
}

/// The same, with a second look at what doubles leave in doubt or without.
fn evaluated(
    setting: &AnySetting,
    chosen: &[usize],
    instance: &Subject,
    trial: &mut Trial,
    twice: bool,
) -> Vec<Outcome> {
    let all = |outcome: Outcome| vec![outcome; chosen.len()];
    if let Err(problem) = instance.validate() {
        return all(Outcome::Discarded { hypothesis: format!("a valid instance ({problem})") });
    }
    match guarded(|| missed(&setting.hypotheses, instance)) {
        Ok(None) => {}
        Ok(Some(discarded)) => return all(discarded),
        Err(panicked) => return all(panicked),
    }
    let (quantities, repeatable) = match guarded(|| measure(setting, instance, trial)) {
        Ok((Ok(quantities), repeatable)) => (quantities, repeatable),
        Ok((Err(error), _)) => {
            return all(Outcome::Failed { message: error.to_string() });
        }
        Err(panicked) => return all(panicked),
    };
    let one = |&c: &usize| {
        let check = &setting.checks[c];
        let outcome = guarded(|| compare(check, instance, &quantities)).unwrap_or_else(|p| p);
        if repeatable && twice { decided(outcome, || again(setting, check, instance, trial)) } else { outcome }
    };
    chosen.iter().map(one).collect()
}

/// A check made once more, with a measurement of its own.
fn again(setting: &AnySetting, check: &Check, instance: &Subject, trial: &mut Trial) -> Option<Outcome> {
    let made = guarded(|| {
        let quantities = setting.measured(instance, trial).ok()?.quantities;
        Some(test(check, instance, &quantities))
    });
    made.ok()?
}

/// The quantities of an instance that meets every hypothesis of the setting; a panic counts as none.
pub(crate) fn measured(setting: &AnySetting, instance: &Subject, trial: &mut Trial) -> Option<Measured> {
    instance.validate().ok()?;
    guarded(|| {
        if missed(&setting.hypotheses, instance).is_some() {
            return None;
        }
        Some(setting.measured(instance, trial).ok()?.quantities)
    })
    .ok()?
}

/// One check of a setting, whole or without one of its hypotheses.
#[derive(Clone, Copy)]
pub(crate) struct Judging<'a> {
    pub(crate) setting: &'a AnySetting,
    /// The check's place in the setting.
    pub(crate) check: usize,
    /// The hypothesis that is left out; only instances that miss it, and no other, are judged.
    pub(crate) without: Option<&'static str>,
    /// The change under which it is judged.
    pub(crate) changed: Option<Mutation>,
    /// Whether what doubles leave in doubt gets a second look.
    pub(crate) twice: bool,
}

impl<'a> Judging<'a> {
    /// The check as declared.
    pub(crate) fn of(setting: &'a AnySetting, check: usize) -> Self {
        Judging { setting, check, without: None, changed: None, twice: true }
    }

    /// What keys its random streams.
    pub(crate) fn key(&self) -> String {
        let id = self.setting.checks[self.check].id;
        let key = self.without.map_or(id.to_owned(), |name| format!("{id} without {name}"));
        match self.changed {
            None => key,
            Some(change) => format!("{key} changed: {change:?}"),
        }
    }

    /// The outcome on one instance.
    pub(crate) fn outcome(&self, instance: &Subject, trial: &mut Trial) -> Outcome {
        let outcome = self.as_declared(instance, trial);
        match self.changed {
            None => outcome,
            Some(change) => applied(outcome, change),
        }
    }

    fn as_declared(&self, instance: &Subject, trial: &mut Trial) -> Outcome {
        let Some(name) = self.without else {
            return evaluated(self.setting, &[self.check], instance, trial, self.twice).swap_remove(0);
        };
        let discarded = |hypothesis: String| Outcome::Discarded { hypothesis };
        if let Err(problem) = instance.validate() {
            return discarded(format!("a valid instance ({problem})"));
        }
        let check = &self.setting.checks[self.check];
        let every = || self.setting.hypotheses.iter().chain(&check.when);
        let judged = guarded(|| {
            if let Some(other) = every().find(|h| h.name != name && !h.is_met(instance)) {
                return Ok(discarded(other.name.to_owned()));
            }
            if every().all(|h| h.name != name || h.is_met(instance)) {
                return Ok(discarded(format!("not {name}")));
            }
            let (quantities, repeatable) = measure(self.setting, instance, trial);
            let outcome = test(check, instance, &quantities?);
            if repeatable && self.twice {
                return Ok(decided(outcome, || again(self.setting, check, instance, trial)));
            }
            Ok(outcome)
        });
        match judged {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(error)) => {
                let error: MeasureError = error;
                Outcome::Failed { message: error.to_string() }
            }
            Err(panicked) => panicked,
        }
    }
}

/// The draw in which a violation is confirmed, and a stored witness replayed.
pub(super) const CONFIRMING: &str = "witness";

/// The trial in which a stored instance is judged: keyed by its digits, so that a replay draws the same numbers wherever
/// the instance came from, and so that a sampled violation is confirmed on fresh draws.
pub(super) fn stored_trial(draw: &str, instance: &Value, context: &Context<'_>) -> Trial {
    let text = instance.to_string();
    let digest = Sha256::digest(text.as_bytes());
    let hex: String = digest.iter().map(|b| format!("{b:02x}")).collect();
    context.trial(&[draw, &hex])
}

/// So many times the usual number of samples are the most that are drawn for one instance.
pub(super) const MOST_SAMPLES: usize = 64;

/// A margin that seems to want a few times more samples than may be drawn may want fewer: what it seems to be is sampled too.
const SEEMS: f64 = 4.0;

/// How many times as many samples would decide an outcome that sampling left in doubt, by a confidence interval that narrows with the
/// square root of their number; none where samples are not what is lacking, or where it would be many more than `most` times as many.
pub(super) fn samples_wanted(outcome: &Outcome, most: usize) -> Option<f64> {
    let Outcome::Judged { judgement: Judgement::Undecided, comparison } = outcome else {
        return None;
    };
    let margin = comparison.margin;
    let parts = 0.5 * margin.width() / margin.midpoint().abs();
    let of_samples = margin.grade().is_sampled() && !comparison.trend;
    Some(parts * parts).filter(|wanted| of_samples && *wanted <= SEEMS * most as f64)
}

/// The outcome on a stored instance, and how many times the usual number of samples it took: as long as those leave it in doubt and
/// more might end that, four times as many, up to `most` times.
pub(super) fn stored_outcome(
    judging: Judging<'_>,
    instance: &Subject,
    json: &Value,
    most: usize,
    context: &Context<'_>,
) -> (Outcome, usize) {
    let mut multiple = 1;
    loop {
        let mut trial = stored_trial(CONFIRMING, json, context).with_samples(multiple);
        let outcome = judging.outcome(instance, &mut trial);
        if 4 * multiple > most || samples_wanted(&outcome, most / multiple).is_none() {
            return (outcome, multiple);
        }
        multiple *= 4;
    }
}

/// The comparison of a violated outcome.
pub(crate) fn violation(outcome: &Outcome) -> Option<&Comparison> {
    match outcome {
        Outcome::Judged { judgement: Judgement::Violated, comparison } => Some(comparison),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::prelude::*;
    use crate::toy::Point;

    #[test]
    fn every_way_of_judging_draws_from_a_stream_of_its_own() {
        let setting = Setting::of()
            .assume(Hypothesis::new("x > 0", |p: &Point| p.x > 0.0))
            .part("first", "1 ≤ 2", holds(), |_, ()| at_most(1, 2))
            .part("second", "1 ≤ 3", holds(), |_, ()| at_most(1, 3));
        let claim = Claim::new("mine.keys", "two checks", Kind::Inequality).setting(setting);
        let of = |check| Judging::of(&claim.settings()[0], check);
        let without = Judging { without: Some("x > 0"), ..of(0) };
        let changed = |change| Judging { changed: Some(change), ..of(0) };
        let ways = [
            of(0),
            of(1),
            without,
            changed(Mutation::Swapped),
            changed(Mutation::Scaled(0.5)),
            changed(Mutation::Scaled(0.9)),
        ];
        let keys: BTreeSet<String> = ways.iter().map(Judging::key).collect();
        assert_eq!(keys.len(), ways.len(), "{keys:?}");
    }
}
