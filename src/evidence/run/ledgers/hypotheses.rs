//! What becomes of a statement without one of its hypotheses: is there an instance that misses this one alone and breaks it?

use std::any::TypeId;
use std::borrow::Cow;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::budget::Budget;
use crate::claim::{AnySetting, Role, Subject};
use crate::judge::Judgement;
use crate::run::confirmation::{confirm, shrink};
use crate::run::context::Context;
use crate::run::search::{Start, search};
use crate::run::trials::{Judging, guarded, violation};
use crate::run::witness::Sides;
use crate::verdict::{Outcome, Verdict};

/// What was found without the hypothesis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Without {
    /// An instance that misses only this hypothesis violates the statement.
    Necessary {
        /// The instance in words.
        instance: String,
        /// Both sides on it.
        sides: Sides,
        /// Whether a search found it, because none of the families' own instances does.
        searched: bool,
    },
    /// None of the instances that miss only this hypothesis violates the statement. That is no proof that it is superfluous.
    NoCounterexample {
        /// How many were judged.
        judged: usize,
        /// How many of them a search for a violation made; `None` if the setting is not searched.
        searched: Option<usize>,
    },
    /// The sides could not be computed on any instance that misses only this hypothesis, or the statement says nothing there.
    Meaningless {
        /// How many there were.
        tried: usize,
    },
    /// No instance that was tried misses only this hypothesis.
    Untried {
        /// How many instances of the families miss it.
        missed: usize,
        /// What they miss besides: a hypothesis that every one of them misses, or if there is none, all that some of them miss.
        besides: Vec<String>,
    },
}

/// One hypothesis left out of one check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dropped {
    /// The hypothesis.
    pub hypothesis: Cow<'static, str>,
    /// The check it was left out of.
    pub check: Cow<'static, str>,
    /// What came of it.
    pub fate: Without,
}

/// What came of leaving one hypothesis out, and the instance that breaks the statement without it.
pub(crate) struct Leaving<'a> {
    judging: Judging<'a>,
    hypothesis: &'static str,
    fate: Without,
    breaking: Option<Subject>,
}

impl Leaving<'_> {
    pub(crate) fn told(self) -> Dropped {
        Dropped {
            hypothesis: self.hypothesis.into(),
            check: self.judging.setting.checks[self.judging.check].id.into(),
            fate: self.fate,
        }
    }
}

/// Drops every hypothesis of the setting from its main check, and every further hypothesis of a check from that check. Only checks that
/// came out as holding are asked: the others are broken with all their hypotheses. `instances` are those of its own families, and of
/// every other setting of the claim that speaks of the same type.
pub(crate) fn drop_hypotheses<'a>(
    setting: &'a AnySetting,
    verdicts: &[Verdict],
    instances: &[&Subject],
    context: &Context<'_>,
) -> Vec<Leaving<'a>> {
    if !setting.asks_for_need {
        return Vec::new();
    }
    let holding = |check: &usize| verdicts[*check] == Verdict::Holds;
    let with_role = |role: Role| (0..setting.checks.len()).find(|c| setting.checks[*c].role == role && holding(c));
    let main = [Role::Part, Role::Meant, Role::Ours, Role::Amendment].into_iter().find_map(with_role);
    let mut pairs: Vec<(usize, &'static str)> = Vec::new();
    if let Some(main) = main {
        pairs.extend(setting.hypotheses.iter().map(|h| (main, h.name)));
    }
    for check in (0..setting.checks.len()).filter(holding) {
        let spec = &setting.checks[check];
        if spec.role != Role::Control && spec.role != Role::Step {
            pairs.extend(spec.when.iter().filter(|h| !h.selects).map(|h| (check, h.name)));
        }
    }
    pairs.dedup();
    let one = |(check, hypothesis): (usize, &'static str)| {
        let judging = Judging { setting, check, without: Some(hypothesis), changed: None, twice: true };
        let (fate, breaking) = fate(judging, instances, context);
        Leaving { judging, hypothesis, fate, breaking }
    };
    pairs.into_par_iter().map(one).collect()
}

/// A hypothesis that one check of a claim shows necessary is tried on the others with the very instance that showed it.
pub(crate) fn share_counterexamples(found: &mut [Leaving<'_>], context: &Context<'_>) {
    let breaking: Vec<(TypeId, &'static str, Subject, bool)> = found
        .iter()
        .filter_map(|l| {
            let searched = matches!(l.fate, Without::Necessary { searched: true, .. });
            Some((l.judging.setting.of, l.hypothesis, l.breaking.clone()?, searched))
        })
        .collect();
    for leaving in found.iter_mut().filter(|l| l.breaking.is_none()) {
        let alike =
            breaking.iter().filter(|(of, name, ..)| *of == leaving.judging.setting.of && *name == leaving.hypothesis);
        for (_, _, instance, searched) in alike {
            if let Some((fate, subject)) = necessary(leaving.judging, instance, *searched, context) {
                (leaving.fate, leaving.breaking) = (fate, Some(subject));
                break;
            }
        }
    }
}

/// The verdict on a hypothesis without which an instance breaks the statement, if it does so from its stored digits.
fn necessary(
    judging: Judging<'_>,
    instance: &Subject,
    searched: bool,
    context: &Context<'_>,
) -> Option<(Without, Subject)> {
    let plain = shrink(judging, confirm(judging, instance, context)?, context);
    let fate =
        Without::Necessary { instance: plain.instance.describe(), sides: Sides::of(&plain.comparison), searched };
    Some((fate, plain.instance))
}

/// The instances of the families first, then a search from those that miss only this hypothesis.
fn fate(judging: Judging<'_>, instances: &[&Subject], context: &Context<'_>) -> (Without, Option<Subject>) {
    let outcomes: Vec<(&Subject, Outcome)> = instances
        .iter()
        .enumerate()
        .map(|(number, instance)| {
            let mut trial = context.trial(&["dropped", &judging.key(), &number.to_string()]);
            (*instance, judging.outcome(instance, &mut trial))
        })
        .collect();
    let outside: Vec<&Outcome> = outcomes.iter().map(|(_, o)| o).collect();
    let mut violating: Vec<&Subject> =
        outcomes.iter().filter(|(_, o)| violation(o).is_some()).map(|(i, _)| *i).collect();
    violating.sort_by_cached_key(|i| i.length());
    let searched = violating.is_empty();
    let (mut met_by_search, mut tried_by_search) = (0, 0);
    let found;
    if violating.is_empty() && judging.setting.searched {
        let starts: Vec<Start<'_>> =
            outcomes.iter().map(|(instance, outcome)| Start { since: Budget::Quick, instance, outcome }).collect();
        // Where no family leaves the hypothesis, a move has to.
        let none = outside.iter().all(|o| matches!(o, Outcome::Discarded { .. }));
        let otherwise = none.then_some(f64::NEG_INFINITY);
        found = search(judging, &starts, otherwise, 2, context);
        let mut counts = found.counts.clone();
        found.records.iter().for_each(|r| counts.count(r.family, &r.outcome));
        met_by_search = counts.met - counts.violated - counts.undecided;
        tried_by_search = counts.tried() - counts.discarded_total();
        violating.extend(&found.violating);
    }
    for instance in violating.into_iter().take(4) {
        if let Some((fate, subject)) = necessary(judging, instance, searched, context) {
            return (fate, Some(subject));
        }
    }
    let is_met = |o: &&&Outcome| {
        let Outcome::Judged { judgement, .. } = o else {
            return false;
        };
        matches!(judgement, Judgement::Holds | Judgement::Touches)
    };
    let judged = outside.iter().filter(is_met).count() + met_by_search;
    let tried = outside.iter().filter(|o| !matches!(o, Outcome::Discarded { .. })).count() + tried_by_search;
    let fate = match (judged, tried) {
        (0, 0) => missed_with_others(judging, instances),
        (0, _) => Without::Meaningless { tried },
        _ => Without::NoCounterexample { judged, searched: judging.setting.searched.then_some(met_by_search) },
    };
    (fate, None)
}

/// Which other hypotheses the instances that miss one miss as well.
fn missed_with_others(judging: Judging<'_>, instances: &[&Subject]) -> Without {
    let check = &judging.setting.checks[judging.check];
    let missed = |instance: &&&Subject| -> Option<Vec<&'static str>> {
        if instance.validate().is_err() {
            return None;
        }
        let every = judging.setting.hypotheses.iter().chain(&check.when);
        guarded(|| every.filter(|h| !h.is_met(instance)).map(|h| h.name).collect::<Vec<_>>())
            .ok()
            .filter(|names| judging.without.is_some_and(|dropped| names.contains(&dropped)))
    };
    let sets: Vec<Vec<&'static str>> = instances.iter().filter_map(|i| missed(&i)).collect();
    let others = || sets.iter().flatten().copied().filter(|name| judging.without != Some(name));
    let always = others().find(|name| sets.iter().all(|set| set.contains(name)));
    let mut besides: Vec<String> = Vec::new();
    for name in always.map_or_else(|| others().collect(), |name| vec![name]) {
        if besides.iter().all(|known| known != name) {
            besides.push(name.to_owned());
        }
    }
    Without::Untried { missed: sets.len(), besides }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use crate::toy::Point;

    #[test]
    fn what_is_always_missed_together_is_named_or_else_all_that_ever_is() {
        let setting = Setting::of()
            .assume(Hypothesis::new("x > 0", |p: &Point| p.x > 0.0))
            .assume(Hypothesis::new("x ≠ -1", |p: &Point| p.x != -1.0))
            .assume(Hypothesis::new("x > -2", |p: &Point| p.x > -2.0))
            .part("printed", "1 ≤ 2", holds(), |_, ()| at_most(1, 2));
        let claim = Claim::new("mine.point", "a point", Kind::Inequality).setting(setting);
        let judging = Judging { without: Some("x > 0"), ..Judging::of(&claim.settings()[0], 0) };
        for (points, missed, besides) in [
            ([-1.0, -1.0, 1.0].as_slice(), 2, ["x ≠ -1"].as_slice()),
            (&[-1.0, -3.0], 2, &["x ≠ -1", "x > -2"]),
            (&[1.0, 2.0], 0, &[]),
        ] {
            let points: Vec<Subject> = points.iter().map(|&x| Subject::of(Point { x })).collect();
            let points: Vec<&Subject> = points.iter().collect();
            let expected = Without::Untried { missed, besides: besides.iter().map(ToString::to_string).collect() };
            assert_eq!(missed_with_others(judging, &points), expected);
        }
    }
}
