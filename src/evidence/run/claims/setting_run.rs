//! One setting, from its instances to what is known of it.

use rayon::prelude::*;

use crate::claim::{AnySetting, Subject};
use crate::run::conclusion::{CheckResult, conclude};
use crate::run::context::Context;
use crate::run::ledgers::{Leaving, Ledger, Reach, drop_hypotheses, ledger, unmissed};
use crate::run::trials::{Candidate, instances, try_all};
use crate::verdict::Verdict;

/// All that is learnt of one setting on its own.
pub(super) struct SettingResult<'a> {
    pub(super) checks: Vec<CheckResult>,
    /// Hypotheses that no instance of the families misses.
    pub(super) unmissed: Vec<&'static str>,
    /// What the instances of the families reach.
    pub(super) reach: Reach,
    pub(super) ledgers: Vec<Ledger>,
    /// What became of each check without each of its hypotheses.
    pub(super) leaving: Vec<Leaving<'a>>,
}

/// Runs every check of a setting on its candidates, and asks how much it needs of its constants and its hypotheses. Without a hypothesis a
/// check is tried on the setting's own instances first, then on `others`: those of the claim's other settings of the same type.
pub(super) fn run_setting<'a>(
    setting: &'a AnySetting,
    candidates: &[Candidate],
    others: &[&Subject],
    context: &Context<'_>,
) -> SettingResult<'a> {
    let rows = try_all(setting, candidates, context);
    let checks: Vec<CheckResult> = (0..setting.checks.len())
        .into_par_iter()
        .map(|check| conclude(setting, check, candidates, &rows, context))
        .collect();
    let own = instances(candidates);
    let verdicts: Vec<Verdict> = checks.iter().map(|c| c.verdict).collect();
    SettingResult {
        unmissed: unmissed(setting, &own),
        reach: Reach::of_families(setting, candidates),
        ledgers: setting.constants.par_iter().map(|c| ledger(setting, c, &own, context)).collect(),
        leaving: drop_hypotheses(setting, &verdicts, &[&own[..], others].concat(), context),
        checks,
    }
}
