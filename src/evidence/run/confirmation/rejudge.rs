//! A stored instance, judged again from its digits.

use serde_json::Value;

use super::admission;
use super::confirm::{CONFIRMING, MOST_SAMPLES, stored_outcome, stored_trial};
use crate::claim::{AnySetting, Claim};
use crate::run::context::Context;
use crate::run::trials::{Judging, guarded};
use crate::run::witness::Witness;
use crate::verdict::Outcome;
use enclosures::enclosure::recorded_throughout;
use enclosures::formula::{Formula, recorded};

/// What came of judging a stored instance again.
#[derive(Clone, Debug)]
pub struct Rejudged {
    /// The instance in words.
    pub instance: String,
    /// What became of it.
    pub outcome: Outcome,
}

/// The most operations that are recorded of one check.
const STEPS: usize = 1 << 16;

/// The same with those on intervals.
const STEPS_THROUGHOUT: usize = 1 << 20;

impl Claim {
    /// Re-judges a stored instance under one check.
    ///
    /// # Errors
    /// The check does not exist, or the value is not a valid instance of its setting, or one of a size far beyond all instances of
    /// its families.
    pub fn rejudge(&self, check: &str, instance: &Value, context: &Context<'_>) -> Result<Rejudged, String> {
        let (setting, index) = self.place_of(check)?;
        let value = admission::read(setting, instance, context)?;
        let (outcome, _) = stored_outcome(Judging::of(setting, index), &value, instance, MOST_SAMPLES, context);
        let instance = guarded(|| value.describe()).map_err(|_| "the instance cannot be described".to_owned())?;
        Ok(Rejudged { instance, outcome })
    }

    /// Judges a stored instance under one check in doubles alone: what came of it, and the operations on enclosures that led to its sides.
    ///
    /// # Errors
    /// As for [`Claim::rejudge`].
    pub fn recorded(&self, check: &str, instance: &Value, context: &Context<'_>) -> Result<(Outcome, Formula), String> {
        self.recorded_by(check, instance, context, |judge| recorded(STEPS, judge))
    }

    /// The same with the operations on intervals, too. Its numbers are a little wider, so that an outcome may be undecided that was not.
    ///
    /// # Errors
    /// As for [`Claim::rejudge`].
    pub fn recorded_throughout(
        &self,
        check: &str,
        instance: &Value,
        context: &Context<'_>,
    ) -> Result<(Outcome, Formula), String> {
        self.recorded_by(check, instance, context, |judge| recorded_throughout(STEPS_THROUGHOUT, judge))
    }

    fn recorded_by(
        &self,
        check: &str,
        instance: &Value,
        context: &Context<'_>,
        record: impl FnOnce(&mut dyn FnMut() -> Outcome) -> (Outcome, Formula),
    ) -> Result<(Outcome, Formula), String> {
        let (setting, index) = self.place_of(check)?;
        let judging = Judging { twice: false, ..Judging::of(setting, index) };
        let value = admission::read(setting, instance, context)?;
        // What was measured before was not recorded.
        setting.forget();
        Ok(record(&mut || judging.outcome(&value, &mut stored_trial(CONFIRMING, instance, context))))
    }

    /// Whether a stored witness of this claim can be judged: its check exists, and its instances are valid ones of bearable size.
    ///
    /// # Errors
    /// Why it cannot, in a lower-case fragment.
    pub fn admit(&self, witness: &Witness, context: &Context<'_>) -> Result<(), String> {
        let (setting, _) = self.place_of(&witness.check)?;
        let second = witness.convincing.iter().map(|c| &c.instance);
        for instance in std::iter::once(&witness.instance).chain(second) {
            admission::read(setting, instance, context)?;
        }
        Ok(())
    }

    /// The setting of a check, and which of its checks it is.
    fn place_of(&self, check: &str) -> Result<(&AnySetting, usize), String> {
        let mut settings = self.settings().iter();
        let found = settings.find_map(|s| Some((s, s.checks.iter().position(|c| c.id == check)?)));
        found.ok_or_else(|| format!("claim {} has no check {check:?}", self.id))
    }
}
