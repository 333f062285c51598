//! One setting: its instances, every check on each, and what is concluded check by check.

use rayon::prelude::*;

use super::candidates::{Candidate, instances, try_all};
use super::conclusion::conclude;
use super::evaluate::guarded;
use super::ledger::{Ledger, ledger};
use super::reach::Reach;
use super::{CheckResult, Context};
use crate::claim::{AnySetting, FamilyKind, Subject};

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
        reach: Reach::of(meant.filter_map(|c| c.instance.as_ref().ok()).filter(|i| is_met(setting, i))),
        ledgers: ledgers.map(|c| ledger(setting, c, &instances, context)).collect(),
        checks,
    }
}

/// Whether a valid instance meets every hypothesis of the setting.
fn is_met(setting: &AnySetting, instance: &Subject) -> bool {
    let met = || setting.hypotheses.iter().all(|h| h.is_met(instance));
    instance.validate().is_ok() && guarded(met).unwrap_or(false)
}

/// The hypotheses of the setting and of its checks that every valid instance of the families meets: what nothing misses is not checked.
fn unmissed(setting: &AnySetting, instances: &[&Subject]) -> Vec<&'static str> {
    let valid: Vec<&&Subject> = instances.iter().filter(|i| i.validate().is_ok()).collect();
    let own = setting.checks.iter().flat_map(|check| &check.when);
    let mut names: Vec<&'static str> = Vec::new();
    for hypothesis in setting.hypotheses.iter().chain(own) {
        let missed = |instance: &&&Subject| guarded(|| !hypothesis.is_met(instance)).unwrap_or(false);
        if !names.contains(&hypothesis.name) && !valid.iter().any(missed) {
            names.push(hypothesis.name);
        }
    }
    names
}
