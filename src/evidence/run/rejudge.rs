//! A stored instance, judged again from its digits.

use serde_json::Value;

use super::Context;
use super::admission;
use super::evaluate::{Judging, MOST_SAMPLES, guarded, stored_outcome};
use crate::claim::AnySetting;
use crate::verdict::Outcome;

/// What came of judging a stored instance again.
#[derive(Clone, Debug)]
pub struct Rejudged {
    /// The instance in words.
    pub instance: String,
    /// What became of it.
    pub outcome: Outcome,
}

/// Reads an instance from its stored digits and judges one check on it.
pub(crate) fn rejudge(
    setting: &AnySetting,
    check: &str,
    instance: &Value,
    context: &Context<'_>,
) -> Result<Rejudged, String> {
    let index = setting.checks.iter().position(|c| c.id == check).ok_or_else(|| format!("no check \"{check}\""))?;
    let value = admission::read(setting, instance, context)?;
    let (outcome, _) = stored_outcome(Judging::of(setting, index), &value, instance, MOST_SAMPLES, context);
    let described = guarded(|| value.describe()).map_err(|_| "the instance cannot be described".to_owned())?;
    Ok(Rejudged { instance: described, outcome })
}
