//! `verify`: runs claims, and takes from the journal what an earlier run of the same program has finished.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use evidence::claim::{Claim, Fixtures};
use evidence::run::{self, ClaimResult, Context, Plan, Run, Silent, WitnessStore};
use evidence::writing;

use crate::catalogue::Catalogue;
use crate::outcome::status::{Status, Trouble};
use crate::report::finish::Finish;
use crate::report::portion::{Circumstances, Portion};
use crate::report::stopped::Stopped;
use crate::report::summary::summary;
use crate::storage::costs::{self, Costs, Seconds, thread_seconds};
use crate::storage::journal::Journal;
use crate::storage::shard::Shard;
use crate::terminal::console::tell;
use crate::terminal::interruption::Advice;
use crate::terminal::progress::Progress;
use crate::terminal::threads::on_threads;
use crate::words::arguments::Verify;
use crate::words::select::select;

/// Runs the selected claims, or one shard of them.
///
/// # Errors
/// Nothing was selected, data cannot be used, or something cannot be written.
pub fn verify(catalogue: &Catalogue, options: &Verify) -> Result<Status, Trouble> {
    let claims = catalogue.claims();
    let selected = select(claims, &options.selection)?;
    let fixtures = catalogue.fixtures(options.reporting.fixtures.as_ref())?;
    let plan = Plan { seed: options.seed, budget: options.budget };
    // What would spoil the run at its end is found before it begins.
    let end = End::of(catalogue, options, &fixtures)?;
    let chosen = match options.shard {
        Some(shard) => share(shard, &selected, plan, &fixtures)?,
        None => selected.clone(),
    };
    catalogue.examine(&fixtures)?;
    let witnesses = WitnessStore::load(&fixtures.path("witnesses"))?;
    let all = || selected.iter().map(|c| c.id.to_owned()).collect();
    let circumstances = options.shard.map(|_| Circumstances::of(plan, &fixtures, catalogue.data(), &witnesses, all()));
    let circumstances = circumstances.transpose()?;
    let journal = match options.no_journal || options.costs.is_some() {
        true => None,
        false => Journal::of(options.journal.as_deref(), plan, &fixtures, catalogue.data())?,
    };
    if let Some(journal) = journal.as_ref().filter(|_| options.fresh) {
        journal.forget(&chosen, &witnesses);
    }
    let stopped = Stopped::of(&chosen, &witnesses, catalogue);
    let measured = options.costs.as_ref().map(|_| Mutex::new(Seconds::new()));
    let threads = options.threads.or(measured.as_ref().map(|_| 1));
    let run = on_threads(threads, || {
        let journal = journal.as_ref();
        run_claims(&chosen, plan, &fixtures, &witnesses, journal, &stopped, measured.as_ref())
    })?;
    // Claims that read their data after it changed are not to be trusted, and nor are their records.
    if let Err(changed) = catalogue.examine(&fixtures) {
        if let Some(journal) = &journal {
            journal.forget(&chosen, &witnesses);
        }
        return Err(changed);
    }
    let measured = measured.map(|m| m.into_inner().unwrap_or_else(PoisonError::into_inner));
    let status = match (&end, circumstances) {
        (End::Shard(shard, path), Some(circumstances)) => {
            summary(&run, &witnesses);
            stopped.tell();
            hand_on(*shard, path, circumstances, &run, &stopped)?
        }
        (End::Shard(..), None) => return Err(Trouble::NothingSelected("the shard".into())),
        (End::Report(finish), _) => {
            finish.finish(catalogue, &run, &stopped, &fixtures, &witnesses, measured.as_ref())?
        }
    };
    if let Some((path, measured)) = options.costs.as_ref().zip(measured) {
        Costs::load(path)?.renew(plan.budget, measured, path)?;
    }
    Ok(status)
}

/// What a run ends with.
enum End {
    /// A report and whatever else was asked for.
    Report(Finish),
    /// A file for `merge`.
    Shard(Shard, PathBuf),
}

impl End {
    fn of(catalogue: &Catalogue, options: &Verify, fixtures: &Fixtures) -> Result<Self, Trouble> {
        if let Some(path) = &options.costs {
            writing::check(path).map_err(Trouble::NoPlace)?;
            Costs::load(path)?;
        }
        let Some(shard) = options.shard else {
            let is_whole = options.selection.is_everything() && catalogue.has_page();
            return Ok(End::Report(Finish::of(&options.reporting, is_whole, fixtures)?));
        };
        let (number, of) = shard.parts();
        let named = options.reporting.output.clone();
        let path = named.unwrap_or_else(|| format!("shard-{number}-of-{of}.bin").into());
        writing::check(&path).map_err(Trouble::NoPlace)?;
        Ok(End::Shard(shard, path))
    }
}

/// The claims of one shard.
fn share<'a>(shard: Shard, selected: &[&'a Claim], plan: Plan, fixtures: &Fixtures) -> Result<Vec<&'a Claim>, Trouble> {
    let costs = Costs::load(&fixtures.path(costs::TABLE))?;
    let ids: Vec<&str> = selected.iter().map(|c| c.id).collect();
    let mine = shard.share(&ids, costs.at(plan.budget));
    tell!("shard {shard}: {} of {} claims", mine.len(), ids.len());
    Ok(mine.into_iter().map(|at| selected[at]).collect())
}

/// Writes what a shard has computed; its status is that of its claims.
fn hand_on(
    shard: Shard,
    path: &Path,
    circumstances: Circumstances,
    run: &Run,
    stopped: &Stopped,
) -> Result<Status, Trouble> {
    Portion::of(shard, circumstances, run, stopped)?.save(path)?;
    tell!("wrote {}", path.display());
    Ok(match Status::of(run) {
        // There may be more shards than claims.
        Status::NothingSelected if stopped.is_empty() => Status::AsExpected,
        status if stopped.is_empty() => status,
        Status::Internal => Status::Internal,
        _ => Status::Usage,
    })
}

/// Places of the claims in the order of the work: what costs most comes first, so that nothing long is left to one thread at the end. A
/// claim whose cost is not known stands behind the others, where the catalogue has it.
fn costliest_first(chosen: &[&Claim], cost: &dyn Fn(&Claim) -> Option<f64>) -> Vec<usize> {
    let cost = |at: usize| cost(chosen[at]).unwrap_or(0.0);
    let mut order: Vec<usize> = (0..chosen.len()).collect();
    order.sort_by(|&a, &b| cost(b).total_cmp(&cost(a)));
    order
}

/// Runs every claim that is not stopped, or recalls what an earlier run made of it.
#[must_use]
pub fn run_claims(
    chosen: &[&Claim],
    plan: Plan,
    fixtures: &Fixtures,
    witnesses: &WitnessStore,
    journal: Option<&Journal>,
    stopped: &Stopped,
    measured: Option<&Mutex<Seconds>>,
) -> Run {
    let recall = |claim: &&Claim| journal.and_then(|j| j.recall(claim, witnesses));
    let recalled: Vec<Option<ClaimResult>> = chosen.iter().map(recall).collect();
    let before = recalled.iter().flatten().count();
    if before > 0 {
        tell!("{before} of {} claims were finished by an earlier run (--fresh computes them again)", chosen.len());
    }
    // A table that cannot be read changes nothing but the time.
    let table = Costs::load(&fixtures.path(costs::TABLE)).unwrap_or_default();
    let to_do = || chosen.iter().zip(&recalled).filter(|(_, recalled)| recalled.is_none());
    let cost = |claim: &Claim| table.at(plan.budget)?.get(claim.id).copied();
    let progress = Arc::new(Progress::of(
        to_do().map(|(claim, _)| (claim.id, cost(claim))),
        before,
        rayon::current_num_threads(),
        table.measured_at(plan.budget).is_some(),
    ));
    let advice = {
        let progress = Arc::clone(&progress);
        let kept = journal.cloned();
        Advice::give(move || {
            progress.finish();
            match &kept {
                Some(journal) => format!(
                    "{} finished claims are stored in {}; the same command resumes from there",
                    journal.count(),
                    journal.folder().display()
                ),
                None => "nothing is stored without a journal".to_owned(),
            }
        })
    };
    let result_at = |at: usize| -> Option<ClaimResult> {
        let claim = chosen[at];
        let context =
            Context { seed: plan.seed, budget: plan.budget, fixtures, witnesses, observer: &Silent, claim: claim.id };
        if !stopped.lets(claim, &context) {
            progress.leave_out(claim.id);
            return None;
        }
        if let Some(known) = &recalled[at] {
            return Some(known.clone());
        }
        let before = thread_seconds();
        let result = run::run_claim(claim, plan, fixtures, witnesses, progress.as_ref());
        if let Some(measured) = measured {
            let mut measured = measured.lock().unwrap_or_else(PoisonError::into_inner);
            measured.insert(claim.id.to_owned(), thread_seconds() - before);
        }
        if let Some(journal) = journal {
            journal.keep(claim, witnesses, &result);
        }
        Some(result)
    };
    let run = run::run_in_order(plan, costliest_first(chosen, &cost), result_at);
    drop(advice);
    progress.finish();
    run
}
