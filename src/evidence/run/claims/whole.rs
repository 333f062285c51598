//! Running claims, alone or as a list.

use std::borrow::Cow;

use rayon::prelude::*;

use super::claim_result::ClaimResult;
use super::series::tabulate;
use super::setting_run::run_setting;
use crate::claim::{AnySetting, Claim, Fixtures, Role, Subject};
use crate::run::conclusion::{CheckResult, Weakness};
use crate::run::context::{Context, Event, Observer, Plan};
use crate::run::ledgers::{Leaving, share_counterexamples};
use crate::run::trials::{Candidate, gather, instances};
use crate::run::witness::WitnessStore;
use crate::verdict::Verdict;

/// The evidence on a list of claims.
#[derive(Clone, Debug)]
pub struct Run {
    /// Seed and budget.
    pub plan: Plan,
    /// One result per claim, in the order given.
    pub claims: Vec<ClaimResult>,
}

/// Runs claims on the current thread pool. The result does not depend on the number of threads, on the order in which
/// claims finish, or on which other claims run.
#[must_use]
pub fn run(
    claims: &[&Claim],
    plan: Plan,
    fixtures: &Fixtures,
    witnesses: &WitnessStore,
    observer: &dyn Observer,
) -> Run {
    run_in_order(plan, 0..claims.len(), |at| Some(run_claim(claims[at], plan, fixtures, witnesses, observer)))
}

/// A run of claims by their places in the catalogue, in this order of the work: a free worker takes the next one. Who has a result already
/// gives that; whose claim is not to be judged gives none. The results stand in the order of the places.
#[must_use]
pub fn run_in_order(
    plan: Plan,
    order: impl IntoIterator<Item = usize, IntoIter: Send>,
    result_at: impl Fn(usize) -> Option<ClaimResult> + Sync,
) -> Run {
    let jobs = order.into_iter().par_bridge();
    let mut found: Vec<(usize, ClaimResult)> = jobs.filter_map(|at| Some((at, result_at(at)?))).collect();
    found.sort_unstable_by_key(|(at, _)| *at);
    Run { plan, claims: found.into_iter().map(|(_, result)| result).collect() }
}

/// Runs one claim, as [`run`] does.
#[must_use]
pub fn run_claim(
    claim: &Claim,
    plan: Plan,
    fixtures: &Fixtures,
    witnesses: &WitnessStore,
    observer: &dyn Observer,
) -> ClaimResult {
    observer.event(Event::Started { claim: claim.id.into() });
    let context = Context { seed: plan.seed, budget: plan.budget, fixtures, witnesses, observer, claim: claim.id };
    let settings = claim.settings();
    let gathered: Vec<Vec<Candidate>> = settings.iter().map(|s| gather(s, &context)).collect();
    let (mut checks, mut leaving, mut ledgers) = (Vec::new(), Vec::new(), Vec::new());
    let (mut unmissed, mut reach) = (Vec::new(), Vec::new());
    for (setting, candidates) in settings.iter().zip(&gathered) {
        let others = settings.iter().zip(&gathered).filter(|(s, _)| s.of == setting.of && !std::ptr::eq(*s, setting));
        let others: Vec<&Subject> = others.flat_map(|(_, more)| instances(more)).collect();
        let result = run_setting(setting, candidates, &others, &context);
        reach.push((result.checks.iter().map(|c| c.id.into()).collect(), result.reach));
        checks.extend(result.checks);
        unmissed.extend(result.unmissed.into_iter().map(Cow::Borrowed));
        ledgers.extend(result.ledgers);
        leaving.extend(result.leaving);
    }
    share_counterexamples(&mut leaving, &context);
    excuse_tested(&mut checks);
    let result = ClaimResult {
        unmissed,
        reach,
        checks,
        dropped: leaving.into_iter().map(Leaving::told).collect(),
        ledgers,
        series: tabulate(claim, &context),
        ..ClaimResult::declared(claim)
    };
    settings.iter().for_each(AnySetting::forget);
    let (verdict, as_expected) = (result.verdict(), result.as_expected());
    observer.event(Event::Finished { claim: claim.id.into(), verdict, as_expected });
    result
}

/// A check that compares no numbers cannot be moved by a factor; its power is that of the control it names, if that one is refuted.
fn excuse_tested(checks: &mut [CheckResult]) {
    let refuted: Vec<&'static str> =
        checks.iter().filter(|c| c.role == Role::Control && c.verdict == Verdict::Fails).map(|c| c.id).collect();
    for check in checks.iter_mut() {
        if check.classification.tested_by.is_some_and(|control| refuted.contains(&control)) {
            check.weaknesses.retain(|w| *w != Weakness::Unmoved);
        }
    }
}
