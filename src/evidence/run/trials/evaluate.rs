//! One instance under the checks of a setting: hypotheses, measurement, comparison, judgement, and a second look with more digits where
//! doubles are in doubt.

use super::counts::VALID;
use super::guard::guarded;
use super::second_look::decided;
use crate::claim::{AnyHypothesis, AnySetting, Check, Comparison, Evaluation, MeasureError, Measured, Subject, Trial};
use crate::judge::{Judgement, judge};
use crate::verdict::Outcome;

fn missed(hypotheses: &[AnyHypothesis], instance: &Subject) -> Option<Outcome> {
    let missed = hypotheses.iter().find(|h| !h.is_met(instance))?;
    Some(Outcome::Discarded { hypothesis: missed.name.to_owned() })
}

fn compare(check: &Check, instance: &Subject, quantities: &Measured) -> Outcome {
    missed(&check.when, instance).unwrap_or_else(|| test(check, instance, quantities))
}

/// The outcome of a check on an instance whose quantities are measured, whatever it assumes.
pub(super) fn test(check: &Check, instance: &Subject, quantities: &Measured) -> Outcome {
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
pub(super) fn measure(
    setting: &AnySetting,
    instance: &Subject,
    trial: &mut Trial,
) -> (Result<Measured, MeasureError>, bool) {
    let found = setting.measured(instance, trial);
    let repeatable = found.as_ref().is_ok_and(|found| found.work <= REPEATED && !found.drew);
    (found.map(|found| found.quantities), repeatable)
}

/// The outcome of the chosen checks on one instance, in order; the quantities are measured once.
pub(crate) fn evaluate(setting: &AnySetting, chosen: &[usize], instance: &Subject, trial: &mut Trial) -> Vec<Outcome> {
    evaluated(setting, chosen, instance, trial, true)
}

/// The same, with a second look at what doubles leave in doubt or without.
pub(super) fn evaluated(
    setting: &AnySetting,
    chosen: &[usize],
    instance: &Subject,
    trial: &mut Trial,
    twice: bool,
) -> Vec<Outcome> {
    let all = |outcome: Outcome| vec![outcome; chosen.len()];
    if let Err(problem) = instance.validate() {
        return all(Outcome::Discarded { hypothesis: format!("{VALID} ({problem})") });
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
pub(super) fn again(setting: &AnySetting, check: &Check, instance: &Subject, trial: &mut Trial) -> Option<Outcome> {
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

/// Whether a valid instance meets every hypothesis of the setting; a panic counts as no.
pub(crate) fn meets(setting: &AnySetting, instance: &Subject) -> bool {
    instance.validate().is_ok() && guarded(|| missed(&setting.hypotheses, instance).is_none()).unwrap_or(false)
}

/// The comparison of a violated outcome.
pub(crate) fn violation(outcome: &Outcome) -> Option<&Comparison> {
    match outcome {
        Outcome::Judged { judgement: Judgement::Violated, comparison } => Some(comparison),
        _ => None,
    }
}
