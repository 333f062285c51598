//! Is a claim testable? What the search can refute of its neighbours: the same statement with a stronger constant, turned round, or
//! without one of its hypotheses. A statement whose neighbours all stand is either far from sharp, or its families and the search see
//! too little of it to tell.

use super::fate::{Fate, mutants};
use crate::claim::{AnySetting, Claim, Comparison, Fixtures, Role, Subject};
use crate::judge::Judgement;
use crate::run::conclusion::Sighting;
use crate::run::context::{Context, Observer, Plan};
use crate::run::ledgers::{Dropped, Without, drop_hypotheses};
use crate::run::search::{Start, search};
use crate::run::trials::{Candidate, Judging, Mutation, applied, gather, instances, try_all, violation};
use crate::run::witness::WitnessStore;
use crate::verdict::{Outcome, Verdict};

/// One check of a claim and its neighbours.
#[derive(Clone, Debug)]
pub struct Strength {
    /// The check's id.
    pub check: &'static str,
    /// What it compares.
    pub statement: &'static str,
    /// The instance that violates the statement itself, in words, if there is one; nothing else was then asked.
    pub refuted: Option<String>,
    /// The instance with the least room among all that were tried or found by a search; its room as a fraction of the scale is
    /// [`Strength::room`].
    pub tightest: Option<Sighting>,
    /// Every stronger statement and what became of it, on the families first and then by a search of its own.
    pub mutants: Vec<(Mutation, Fate)>,
    /// The statement without each of its hypotheses.
    pub dropped: Vec<Dropped>,
}

impl Strength {
    /// The least room that was found, as a fraction of the scale: by so much, at most, the statement can be made stronger.
    #[must_use]
    pub fn room(&self) -> Option<f64> {
        self.tightest.as_ref().map(|t| t.comparison.relative_margin().max(0.0))
    }

    /// Whether some neighbour is refuted, so that the statement was put to a test that it could fail.
    #[must_use]
    pub fn is_tested(&self) -> bool {
        let killed = self.mutants.iter().any(|(_, fate)| matches!(fate, Fate::Killed { .. }));
        let needed = self.dropped.iter().any(|d| matches!(d.fate, Without::Necessary { .. }));
        self.refuted.is_some() || killed || needed
    }

    /// A line for each finding.
    #[must_use]
    pub fn in_words(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(instance) = &self.refuted {
            lines.push(format!("refuted by {instance}"));
            return lines;
        }
        if let (Some(room), Some(tightest)) = (self.room(), &self.tightest) {
            lines.push(format!("least room {:.3} % at {}", 100.0 * room, tightest.description));
        }
        for (mutation, fate) in &self.mutants {
            let change = match mutation {
                Mutation::Scaled(factor) => format!("right side times {factor} or its inverse, whichever is stronger"),
                Mutation::Swapped => "sides exchanged".to_owned(),
            };
            lines.push(match fate {
                Fate::Killed { by } => format!("{change}: refuted by {by}"),
                Fate::Survived => format!("{change}: no instance violates it"),
                Fate::Equivalent => format!("{change}: says the same"),
            });
        }
        for dropped in &self.dropped {
            let name = &dropped.hypothesis;
            lines.push(match &dropped.fate {
                Without::Necessary { instance, .. } => format!("without \"{name}\": refuted by {instance}"),
                Without::NoCounterexample { judged, .. } => {
                    format!("without \"{name}\": no counterexample among {judged} that miss it alone")
                }
                Without::Meaningless { tried } => {
                    format!("without \"{name}\": it says nothing on {tried} that miss it alone")
                }
                Without::Untried { .. } => format!("without \"{name}\": no instance that misses it alone"),
            });
        }
        lines
    }
}

/// Tries the neighbours of every check of a claim, controls aside.
#[must_use]
pub fn strength(
    claim: &Claim,
    plan: Plan,
    fixtures: &Fixtures,
    witnesses: &WitnessStore,
    observer: &dyn Observer,
) -> Vec<Strength> {
    let context = Context { seed: plan.seed, budget: plan.budget, fixtures, witnesses, observer, claim: claim.id };
    claim.settings().iter().flat_map(|s| of_setting(s, &context)).collect()
}

fn of_setting(setting: &AnySetting, context: &Context<'_>) -> Vec<Strength> {
    let candidates = gather(setting, context);
    let rows = try_all(setting, &candidates, context);
    let asked: Vec<usize> =
        (0..setting.checks.len()).filter(|&check| setting.checks[check].role != Role::Control).collect();
    let mut found: Vec<Strength> =
        asked.iter().map(|&check| of_check(Judging::of(setting, check), &candidates, &rows, context)).collect();
    let mut verdicts = vec![Verdict::Fails; setting.checks.len()];
    for (&check, strength) in asked.iter().zip(&found) {
        if strength.refuted.is_none() {
            verdicts[check] = Verdict::Holds;
        }
    }
    for leaving in drop_hypotheses(setting, &verdicts, &instances(&candidates), context) {
        let dropped = leaving.told();
        if let Some(strength) = found.iter_mut().find(|s| s.check == dropped.check) {
            strength.dropped.push(dropped);
        }
    }
    found
}

/// One in so many of the budget is spent on each neighbour.
const PART: usize = 4;

fn of_check(judging: Judging<'_>, candidates: &[Candidate], rows: &[Vec<Outcome>], context: &Context<'_>) -> Strength {
    let spec = &judging.setting.checks[judging.check];
    let outcomes: Vec<(&Candidate, &Subject, &Outcome)> =
        candidates.iter().zip(rows).filter_map(|(c, row)| Some((c, c.subject()?, &row[judging.check]))).collect();
    let mut strength = Strength {
        check: spec.id,
        statement: spec.statement,
        refuted: None,
        tightest: None,
        mutants: Vec::new(),
        dropped: Vec::new(),
    };
    let violating = outcomes.iter().find(|(_, _, outcome)| violation(outcome).is_some());
    if let Some((_, instance, _)) = violating {
        strength.refuted = Some(instance.describe());
        return strength;
    }
    let own: Vec<Start<'_>> = outcomes
        .iter()
        .map(|(candidate, instance, outcome)| Start { since: candidate.since, instance, outcome })
        .collect();
    let mut tightest: Option<(f64, String, String, Comparison)> = None;
    let mut see = |name: &str, instance: &Subject, outcome: &Outcome| {
        if let Outcome::Judged { judgement: Judgement::Holds | Judgement::Touches, comparison } = outcome {
            let room = comparison.relative_margin();
            if tightest.as_ref().is_none_or(|(least, ..)| room < *least) {
                tightest = Some((room, name.to_owned(), instance.describe(), (**comparison).clone()));
            }
        }
    };
    for (candidate, instance, outcome) in &outcomes {
        see(&candidate.name, instance, outcome);
    }
    let mut found = None;
    if judging.setting.searched {
        let brought = search(judging, &own, None, PART, context);
        if let Some(instance) = &brought.violating {
            strength.refuted = Some(instance.describe());
            return strength;
        }
        if let Some((at, instance)) = &brought.closest {
            see("search", instance, &brought.records[*at].outcome);
        }
        found = brought.closest;
    }
    strength.tightest =
        tightest.map(|(_, instance, description, comparison)| Sighting { instance, description, comparison });
    let comparisons: Vec<(String, &Comparison)> = outcomes
        .iter()
        .filter_map(|(_, instance, outcome)| match outcome {
            Outcome::Judged { comparison, .. } => Some((instance.describe(), &**comparison)),
            _ => None,
        })
        .collect();
    let named: Vec<(&str, &Comparison)> = comparisons.iter().map(|(name, c)| (name.as_str(), *c)).collect();
    strength.mutants = mutants(&named);
    if judging.setting.searched {
        for (mutation, fate) in &mut strength.mutants {
            if *fate == Fate::Survived
                && let Some(by) = searched(judging, *mutation, &outcomes, found.as_ref(), context)
            {
                *fate = Fate::Killed { by };
            }
        }
    }
    strength
}

/// The instance that violates a mutant, if the search finds one.
fn searched(
    judging: Judging<'_>,
    mutation: Mutation,
    outcomes: &[(&Candidate, &Subject, &Outcome)],
    closest: Option<&(usize, Subject)>,
    context: &Context<'_>,
) -> Option<String> {
    let judging = Judging { changed: Some(mutation), ..judging };
    let changed: Vec<Outcome> = outcomes.iter().map(|(_, _, o)| applied((*o).clone(), mutation)).collect();
    let first = closest.map(|(_, instance)| (instance, judging.outcome(instance, &mut context.trial(&["closest"]))));
    let mut starts: Vec<Start<'_>> = outcomes
        .iter()
        .zip(&changed)
        .map(|((candidate, instance, _), outcome)| Start { since: candidate.since, instance, outcome })
        .collect();
    if let Some((instance, outcome)) = &first {
        starts.push(Start { since: crate::budget::Budget::Quick, instance, outcome });
    }
    search(judging, &starts, None, PART, context).violating.map(|instance| instance.describe())
}
