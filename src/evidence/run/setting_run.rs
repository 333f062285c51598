//! One setting: its instances, every check on each, then search, confirmation and shrinking by check.

use rayon::prelude::*;

use super::candidates::{Candidate, instances, try_all};
use super::evaluate::{Judging, guarded, violation};
use super::ledger::{Ledger, ledger};
use super::power::weaknesses;
use super::proof::{Proofs, refuting};
use super::reach::Reach;
use super::redraw::unrepeated;
use super::result::summarise;
use super::search::{Start, search};
use super::shrink::{Violating, confirm, shrink, shrink_among};
use super::witness::{Convincing, SCHEMA};
use super::{CheckResult, Context, Event, Sides, Witness};
use crate::claim::{AnySetting, FamilyKind, Role, Subject};
use crate::verdict::{Outcome, Record, Verdict};
use enclosures::enclosure::Grade;

/// How many violating trials are re-read before a violation counts as one that does not repeat.
const CONFIRMATIONS: usize = 16;

/// All that is learnt of one setting on its own.
pub(crate) struct SettingResult {
    pub(crate) checks: Vec<CheckResult>,
    /// Hypotheses that no instance of the families misses.
    pub(crate) unmissed: Vec<&'static str>,
    /// What the instances of the families reach.
    pub(crate) reach: Reach,
    pub(crate) ledgers: Vec<Ledger>,
}

/// Runs every check of a setting on its candidates, and asks how much it needs of its constants.
pub(crate) fn run_setting(setting: &AnySetting, candidates: &[Candidate], context: &Context<'_>) -> SettingResult {
    let rows = try_all(setting, candidates, context);
    let checks: Vec<CheckResult> = (0..setting.checks.len())
        .into_par_iter()
        .map(|check| conclude(setting, check, candidates, &rows, context))
        .collect();
    let instances = instances(candidates);
    let meant = candidates.iter().filter(|c| c.family != FamilyKind::Outside);
    let ledgers = setting.constants.par_iter();
    SettingResult {
        unmissed: unmissed(setting, &instances),
        reach: Reach::of(
            meant
                .filter_map(|c| c.instance.as_ref().ok())
                .filter(|i| is_met(setting, i)),
        ),
        ledgers: ledgers.map(|c| ledger(setting, c, &instances, context)).collect(),
        checks,
    }
}

/// Whether a valid instance meets every hypothesis of the setting.
fn is_met(setting: &AnySetting, instance: &Subject) -> bool {
    let met = || setting.hypotheses.iter().all(|h| (h.met)(instance));
    instance.validate().is_ok() && guarded(met).unwrap_or(false)
}

/// The hypotheses of the setting and of its checks that every valid instance of the families meets: what nothing misses is not checked.
fn unmissed(setting: &AnySetting, instances: &[&Subject]) -> Vec<&'static str> {
    let valid: Vec<&&Subject> = instances.iter().filter(|i| i.validate().is_ok()).collect();
    let own = setting.checks.iter().flat_map(|check| &check.when);
    let mut names: Vec<&'static str> = Vec::new();
    for hypothesis in setting.hypotheses.iter().chain(own) {
        let missed = |instance: &&&Subject| guarded(|| !(hypothesis.met)(instance)).unwrap_or(false);
        if !names.contains(&hypothesis.name) && !valid.iter().any(missed) {
            names.push(hypothesis.name);
        }
    }
    names
}

fn conclude(
    setting: &AnySetting,
    check: usize,
    candidates: &[Candidate],
    rows: &[Vec<Outcome>],
    context: &Context<'_>,
) -> CheckResult {
    let spec = &setting.checks[check];
    let mut records: Vec<Record> = candidates
        .iter()
        .zip(rows)
        .map(|(c, row)| Record {
            family: c.family,
            instance: c.name.clone(),
            outcome: row[check].clone(),
        })
        .collect();
    let mut violating: Vec<(usize, &Subject)> = candidates
        .iter()
        .enumerate()
        .filter(|(at, _)| violation(&records[*at].outcome).is_some())
        .filter_map(|(at, c)| Some((at, c.instance.as_ref().ok()?)))
        .collect();
    let judging = Judging::of(setting, check);
    let judged = candidates
        .iter()
        .zip(rows)
        .filter_map(|(c, row)| Some((c.name.as_str(), c.instance.as_ref().ok()?, &row[check])));
    let mut proofs = Proofs::run(&spec.proofs, judged);
    let points = refuting(setting, check, &mut proofs, context);
    for (name, instance, outcome) in &points {
        if violation(outcome).is_some() {
            violating.push((records.len(), instance));
        }
        records.push(Record {
            family: FamilyKind::Proof,
            instance: name.clone(),
            outcome: outcome.clone(),
        });
    }
    let found;
    let mut searched = None;
    let mut nearest: Vec<(usize, &Subject)> = Vec::new();
    if violating.is_empty() && setting.searched {
        let starts: Vec<Start<'_>> = candidates
            .iter()
            .zip(rows)
            .filter(|(c, _)| c.family != FamilyKind::Data)
            .filter_map(|(c, row)| {
                Some(Start {
                    since: c.since,
                    instance: c.instance.as_ref().ok()?,
                    outcome: &row[check],
                })
            })
            .collect();
        found = search(judging, &starts, None, 1, context);
        context.observer.event(Event::Tried {
            trials: found.records.len() + found.counts.tried(),
        });
        searched = Some(&found.counts);
        let worth = found.closest.iter().chain(&found.doubtful);
        nearest.extend(worth.map(|(at, instance)| (records.len() + at, instance)));
        records.extend(found.records.iter().cloned());
        if let Some(instance) = &found.violating {
            violating.push((records.len() - 1, instance));
        }
    }
    // What is enclosed before what is only measured; then the stored witness, then the shortest to write down.
    let measured = |at: usize| violation(&records[at].outcome).is_some_and(|c| c.margin.grade() == Grade::Measured);
    violating.sort_by_cached_key(|(at, i)| {
        let stored = records[*at].family == FamilyKind::Witness;
        (measured(*at), !stored, i.length(), *at)
    });
    let confirmed = violating.iter().take(CONFIRMATIONS).find_map(|(at, instance)| {
        let confirmed = confirm(judging, instance, context)?;
        Some((*at, confirmed))
    });
    let witness = match confirmed {
        None => {
            for (at, instance) in &violating {
                records[*at].outcome = unrepeated(judging, instance, &records[*at].outcome, context);
            }
            None
        }
        Some((at, confirmed)) => {
            // A control needs no witness to show, and a stored one was shrunk when it was stored.
            let stored = records[at].family == FamilyKind::Witness
                && context
                    .witnesses
                    .get(context.claim, spec.id)
                    .is_some_and(|w| w.instance == confirmed.json);
            let shown = if spec.role == Role::Control || stored {
                confirmed
            } else {
                shrink(judging, confirmed, context)
            };
            let mut told = witness(spec.id, spec.statement, &shown, context);
            if spec.role != Role::Control {
                told.convincing = convincing(judging, &shown.instance, &violating, context);
            }
            Some(told)
        }
    };
    let in_words = |at: usize| match candidates.get(at) {
        Some(candidate) => candidate.instance.as_ref().ok().map(Subject::describe),
        None => nearest.iter().find(|(n, _)| *n == at).map(|(_, i)| i.describe()),
    };
    let mut result = summarise(setting.info(check), &records, witness, &in_words);
    if let Some(counts) = searched {
        result.counts.add(counts);
    }
    if result.verdict == Verdict::Holds && proofs.everywhere {
        result.grade = Some(Grade::Proved);
    }
    result.proofs = proofs.results;
    result.weaknesses = weaknesses(&result, &records, &violating);
    result
}

fn witness(check: &str, statement: &str, found: &Violating, context: &Context<'_>) -> Witness {
    Witness {
        schema: SCHEMA,
        claim: context.claim.to_owned(),
        check: check.to_owned(),
        statement: statement.to_owned(),
        description: found.instance.describe(),
        instance: found.json.clone(),
        sides: Sides::of(&found.comparison),
        convincing: None,
    }
}

/// Beside a degenerate witness: the one that was stored, or the shortest violating instance that is not degenerate, shrunk as far as it
/// stays so.
fn convincing(
    judging: Judging<'_>,
    shown: &Subject,
    violating: &[(usize, &Subject)],
    context: &Context<'_>,
) -> Option<Convincing> {
    let degenerate = judging.setting.degenerate.as_ref()?;
    let is_degenerate = |instance: &Subject| guarded(|| (degenerate.met)(instance)).unwrap_or(true);
    if !is_degenerate(shown) {
        return None;
    }
    let spec = &judging.setting.checks[judging.check];
    let stored = || {
        let stored = context.witnesses.get(context.claim, spec.id)?.convincing.as_ref()?;
        let instance = (judging.setting.read)(&stored.instance).ok()?;
        confirm(judging, &instance, context).filter(|v| !is_degenerate(&v.instance))
    };
    let found = stored().or_else(|| {
        let others = violating.iter().map(|(_, i)| *i).filter(|i| !is_degenerate(i));
        let first = others.take(CONFIRMATIONS).find_map(|i| confirm(judging, i, context))?;
        Some(shrink_among(judging, first, &|i| !is_degenerate(i), context))
    })?;
    Some(Convincing {
        degenerate: degenerate.name.to_owned(),
        description: found.instance.describe(),
        instance: found.json.clone(),
        sides: Sides::of(&found.comparison),
    })
}
