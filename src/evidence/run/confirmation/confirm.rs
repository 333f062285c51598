//! A violation counts if it repeats from the digits of its instance, on draws of its own, with as many samples as that takes.

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::claim::{Comparison, Subject, Trial};
use crate::judge::Judgement;
use crate::run::context::Context;
use crate::run::trials::{Judging, violation};
use crate::verdict::Outcome;

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
pub(crate) const MOST_SAMPLES: usize = 64;

/// A margin that seems to want a few times more samples than may be drawn may want fewer: what it seems to be is sampled too.
const SEEMS: f64 = 4.0;

/// How many times as many samples would decide an outcome that sampling left in doubt, by a confidence interval that narrows with the
/// square root of their number; none where samples are not what is lacking, or where it would be many more than `most` times as many.
pub(crate) fn samples_wanted(outcome: &Outcome, most: usize) -> Option<f64> {
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
pub(crate) fn stored_outcome(
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

/// A violating instance in its stored form.
pub(crate) struct Violating {
    pub(crate) instance: Subject,
    pub(crate) json: Value,
    pub(crate) comparison: Comparison,
    /// How many times the usual number of samples it took to see that.
    pub(super) samples: usize,
}

/// An instance as a reader of its stored file would get it: written out, and read again.
pub(crate) fn as_stored(judging: Judging<'_>, instance: &Subject) -> Option<(Subject, Value)> {
    let json: Value = serde_json::from_str(&instance.text().ok()?).ok()?;
    Some(((judging.setting.read)(&json).ok()?, json))
}

/// Judges an instance from its stored digits; `Some` if it violates the check.
pub(crate) fn confirm(judging: Judging<'_>, instance: &Subject, context: &Context<'_>) -> Option<Violating> {
    confirm_within(judging, instance, MOST_SAMPLES, context)
}

/// The same with no more than so many times the usual number of samples.
pub(super) fn confirm_within(
    judging: Judging<'_>,
    instance: &Subject,
    most: usize,
    context: &Context<'_>,
) -> Option<Violating> {
    let (instance, json) = as_stored(judging, instance)?;
    let (outcome, samples) = stored_outcome(judging, &instance, &json, most, context);
    let comparison = violation(&outcome)?.clone();
    Some(Violating { instance, json, comparison, samples })
}
