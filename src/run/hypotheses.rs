//! What becomes of a statement without one of its hypotheses: is there an instance that misses this one alone and breaks it?

use super::Context;
use super::evaluate::{Judging, violation};
use super::search::search;
use super::shrink::{confirm, shrink};
use super::witness::Sides;
use crate::claim::{AnySetting, Role, Subject};
use crate::judge::Judgement;
use crate::verdict::{Outcome, Verdict};

/// What was found without the hypothesis.
#[derive(Clone, Debug, PartialEq)]
pub enum Without {
    /// An instance that misses only this hypothesis violates the statement.
    Necessary {
        /// The instance in words.
        instance: String,
        /// Both sides on it.
        sides: Sides,
    },
    /// None of the instances that miss only this hypothesis violates the statement.
    Unneeded {
        /// How many were judged.
        judged: usize,
    },
    /// The sides could not be computed on any instance that misses only this hypothesis, or the statement says nothing there.
    Meaningless {
        /// How many there were.
        tried: usize,
    },
    /// No instance that can be written down misses only this hypothesis.
    Untried,
}

/// One hypothesis left out of one check.
#[derive(Clone, Debug, PartialEq)]
pub struct Dropped {
    /// The hypothesis.
    pub hypothesis: &'static str,
    /// The check it was left out of.
    pub check: &'static str,
    /// What came of it.
    pub fate: Without,
}

/// Drops every hypothesis of the setting from its main check, and every further hypothesis of a check from that check. Only checks that
/// came out as holding are asked: the others are broken with all their hypotheses.
pub(crate) fn drop_hypotheses(
    setting: &AnySetting,
    verdicts: &[Verdict],
    instances: &[&Subject],
    context: &Context<'_>,
) -> Vec<Dropped> {
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
            pairs.extend(spec.when.iter().map(|h| (check, h.name)));
        }
    }
    pairs.dedup();
    let one = |(check, name): (usize, &'static str)| Dropped {
        hypothesis: name,
        check: setting.checks[check].id,
        fate: fate(
            Judging {
                setting,
                check,
                without: Some(name),
            },
            instances,
            context,
        ),
    };
    pairs.into_iter().map(one).collect()
}

/// The instances of the families first, then a search from those that miss only this hypothesis.
fn fate(judging: Judging<'_>, instances: &[&Subject], context: &Context<'_>) -> Without {
    let outcomes: Vec<(&Subject, Outcome)> = instances
        .iter()
        .enumerate()
        .map(|(number, instance)| {
            let mut trial = context.trial(&["dropped", &judging.key(), &number.to_string()]);
            (*instance, judging.outcome(instance, &mut trial))
        })
        .collect();
    let mut outside: Vec<&Outcome> = outcomes.iter().map(|(_, o)| o).collect();
    let mut violating: Vec<&Subject> = outcomes
        .iter()
        .filter(|(_, o)| violation(o).is_some())
        .map(|(i, _)| *i)
        .collect();
    violating.sort_by_cached_key(|i| i.length());
    let found;
    if violating.is_empty() && judging.setting.searched {
        let starts: Vec<(&Subject, &Outcome)> = outcomes.iter().map(|(i, o)| (*i, o)).collect();
        // Where no family leaves the hypothesis, a move has to.
        let none = outside.iter().all(|o| matches!(o, Outcome::Discarded { .. }));
        let otherwise = none.then_some(f64::NEG_INFINITY);
        found = search(
            judging,
            &starts,
            otherwise,
            context.budget.search_evaluations() / 2,
            context,
        );
        outside.extend(found.records.iter().map(|r| &r.outcome));
        violating.extend(&found.violating);
    }
    for instance in violating.into_iter().take(4) {
        if let Some(confirmed) = confirm(judging, instance, context) {
            let plain = shrink(judging, confirmed, context);
            return Without::Necessary {
                instance: plain.instance.describe(),
                sides: Sides::of(&plain.comparison),
            };
        }
    }
    let count = |wanted: fn(&Outcome) -> bool| outside.iter().filter(|o| wanted(o)).count();
    let judged = count(|o| {
        let Outcome::Judged { judgement, .. } = o else {
            return false;
        };
        matches!(judgement, Judgement::Holds | Judgement::Touches)
    });
    let tried = count(|o| !matches!(o, Outcome::Discarded { .. }));
    match (judged, tried) {
        (0, 0) => Without::Untried,
        (0, _) => Without::Meaningless { tried },
        _ => Without::Unneeded { judged },
    }
}
