//! One check of a setting on one instance, whole or without one of its hypotheses, as declared or changed.

use super::counts::VALID;
use super::evaluate::{again, evaluated, measure, test};
use super::guard::guarded;
use super::mutation::{Mutation, applied};
use super::second_look::decided;
use crate::claim::{AnySetting, MeasureError, Subject, Trial};
use crate::verdict::Outcome;

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
            return discarded(format!("{VALID} ({problem})"));
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

    /// Whether an instance is valid and meets the hypotheses, and misses the one that is left out.
    pub(crate) fn admits(&self, instance: &Subject) -> bool {
        if instance.validate().is_err() {
            return false;
        }
        let check = &self.setting.checks[self.check];
        let mut every = self.setting.hypotheses.iter().chain(&check.when);
        let met = || match self.without {
            None => every.all(|h| h.is_met(instance)),
            Some(name) => every.all(|h| h.is_met(instance) != (h.name == name)),
        };
        guarded(met).unwrap_or(false)
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

    #[test]
    fn without_a_hypothesis_only_what_misses_that_one_alone_is_admitted() {
        let setting = Setting::of()
            .assume(Hypothesis::new("x > 0", |p: &Point| p.x > 0.0))
            .assume(Hypothesis::new("x < 1", |p: &Point| p.x < 1.0))
            .part("printed", "1 ≤ 2", holds(), |_, ()| at_most(1, 2))
            .assume(Hypothesis::new("x ≠ 1/2", |p: &Point| p.x != 0.5));
        let claim = Claim::new("mine.point", "a point", Kind::Inequality).setting(setting);
        let whole = Judging::of(&claim.settings()[0], 0);
        let cases = [
            (None, [0.25].as_slice()),
            (Some("x > 0"), &[0.0, -3.0]),
            (Some("x < 1"), &[1.0, 2.0]),
            (Some("x ≠ 1/2"), &[0.5]),
        ];
        let all = [0.25, 0.0, -3.0, 1.0, 2.0, 0.5, f64::INFINITY];
        for (without, admitted) in cases {
            let judging = Judging { without, ..whole };
            let found: Vec<f64> = all.into_iter().filter(|&x| judging.admits(&Subject::of(Point { x }))).collect();
            assert_eq!(found, admitted, "{without:?}");
        }
    }
}
