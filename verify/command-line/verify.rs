//! `verify`: runs claims and keeps a journal of them.

use std::sync::Arc;

use contrastive::data::digits;
use evidence::claim::{Claim, Fixtures};
use evidence::run::{self, ClaimResult, Context, Plan, Run, Silent, WitnessStore};
use rayon::prelude::*;

use super::arguments::Verify;
use super::console::tell;
use super::finish::Finish;
use super::interruption::Advice;
use super::journal::Journal;
use super::progress::Progress;
use super::select::{fixtures, select};
use super::status::{Status, Trouble};
use super::stopped::Stopped;
use super::threads::on_threads;
use crate::catalogue;

/// Runs the selected claims.
pub fn verify(options: &Verify) -> Result<Status, Trouble> {
    let claims = catalogue::claims();
    let chosen = select(&claims, &options.selection)?;
    let fixtures = fixtures(options.reporting.fixtures.as_ref())?;
    // What would spoil the run at its end is found before it begins.
    let finish = Finish::of(&options.reporting, &options.selection, &fixtures)?;
    digits::load(fixtures.root())?;
    let witnesses = WitnessStore::load(&fixtures.path("witnesses"))?;
    let plan = Plan {
        seed: options.seed,
        budget: options.budget,
    };
    let journal = match options.no_journal {
        true => None,
        false => Journal::of(options.journal.as_deref(), plan, &fixtures)?,
    };
    if let Some(journal) = journal.as_ref().filter(|_| options.fresh) {
        journal.forget(&chosen, &witnesses);
        journal.reopen();
    }
    let stopped = Stopped::of(&chosen, &witnesses);
    let run = on_threads(options.threads, || {
        run_claims(&chosen, plan, &fixtures, &witnesses, journal.as_ref(), &stopped)
    })?;
    // Claims that read their data after it changed are not to be trusted, and nor are their records.
    if let Err(changed) = digits::load(fixtures.root()) {
        if let Some(journal) = &journal {
            journal.forget(&chosen, &witnesses);
        }
        return Err(changed.into());
    }
    let status = finish.finish(&run, &stopped, &fixtures, &witnesses)?;
    if let Some(journal) = journal.as_ref().filter(|_| stopped.is_empty()) {
        journal.forget(&chosen, &witnesses);
    }
    Ok(status)
}

/// Runs every claim that is not stopped, or recalls what an earlier run made of it.
fn run_claims(
    chosen: &[&Claim],
    plan: Plan,
    fixtures: &Fixtures,
    witnesses: &WitnessStore,
    journal: Option<&Journal>,
    stopped: &Stopped,
) -> Run {
    let recall = |claim: &&Claim| journal.and_then(|j| j.recall(claim, witnesses));
    let recalled: Vec<Option<ClaimResult>> = chosen.iter().map(recall).collect();
    let before = recalled.iter().flatten().count();
    if before > 0 {
        tell!(
            "going on: {before} of {} claims were finished before (--fresh starts anew)",
            chosen.len()
        );
    }
    let progress = Arc::new(Progress::of(chosen.len(), before));
    let advice = {
        let progress = Arc::clone(&progress);
        let kept = journal.cloned();
        Advice::give(move || {
            progress.finish();
            match &kept {
                Some(journal) => format!(
                    "{} finished claims are kept in {}; the same command goes on from there",
                    journal.count(),
                    journal.folder().display()
                ),
                None => "nothing is kept without a journal".to_owned(),
            }
        })
    };
    let one = |(claim, recalled): (&&Claim, Option<ClaimResult>)| -> Option<ClaimResult> {
        let context = Context {
            seed: plan.seed,
            budget: plan.budget,
            fixtures,
            witnesses,
            observer: &Silent,
            claim: claim.id(),
        };
        if !stopped.lets(claim, &context) {
            progress.leave_out();
            return None;
        }
        if recalled.is_some() {
            return recalled;
        }
        let result = run::run_claim(claim, plan, fixtures, witnesses, progress.as_ref());
        if let Some(journal) = journal {
            journal.keep(claim, witnesses, &result);
        }
        Some(result)
    };
    let claims = chosen.par_iter().zip(recalled).filter_map(one).collect();
    drop(advice);
    progress.finish();
    Run { plan, claims }
}
