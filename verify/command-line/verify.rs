//! `verify`: runs claims, keeps a journal of them, writes the report.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use contrastive::data::digits;
use evidence::claim::{Claim, Fixtures, Role};
use evidence::report::{self, Facts};
use evidence::run::{self, ClaimResult, Context, Plan, Run, Silent, WitnessError, WitnessStore};
use evidence::writing::{self, WriteError};
use rayon::prelude::*;

use super::arguments::{Format, Verify};
use super::console::{self, tell};
use super::foreign::in_markdown;
use super::interruption::Advice;
use super::journal::{DATA, Journal};
use super::progress::Progress;
use super::select::{fixtures, select};
use super::status::{Status, Trouble};
use super::stopped::Stopped;
use super::summary::summary;
use super::threads::on_threads;
use crate::catalogue;

/// Runs the selected claims.
pub fn verify(options: &Verify) -> Result<Status, Trouble> {
    let claims = catalogue::claims();
    let chosen = select(&claims, &options.selection)?;
    let fixtures = fixtures(options.fixtures.as_ref())?;
    let output = options.output.clone().or_else(|| default_output(options, &fixtures));
    // What would spoil the run at its end is found before it begins.
    if let Some(path) = output.as_deref().filter(|path| *path != Path::new("-")) {
        writing::check(path).map_err(Trouble::NoPlace)?;
    }
    if options.save_witnesses {
        let folder = fixtures.path("witnesses");
        let made = fs::create_dir_all(&folder).map_err(|source| WriteError {
            path: folder.clone(),
            source,
        });
        made.and_then(|()| writing::check(&folder.join("witness.json")))
            .map_err(Trouble::NoPlace)?;
    }
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
    summary(&run, &witnesses);
    stopped.tell();
    if options.save_witnesses {
        save_witnesses(&run, &fixtures)?;
    }
    if let Some(path) = output {
        // The committed report speaks of every claim.
        if stopped.is_empty() || options.output.is_some() {
            write(&path, &render(&run, options.format, &fixtures, &stopped)?)?;
        } else {
            tell!("{} is left as it was: not every claim was judged", path.display());
        }
    }
    if !stopped.is_empty() {
        return Ok(match Status::of(&run) {
            Status::Internal => Status::Internal,
            _ => Status::Usage,
        });
    }
    if let Some(journal) = &journal {
        journal.forget(&chosen, &witnesses);
    }
    Ok(Status::of(&run))
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

/// Only a run of everything, as a person would read it, may replace the committed report.
fn default_output(options: &Verify, fixtures: &Fixtures) -> Option<PathBuf> {
    let whole = options.selection.is_everything() && options.format == Format::Markdown;
    whole.then(|| fixtures.root().parent().unwrap_or(Path::new(".")).join("REPORT.md"))
}

/// The report in the form asked for, with the claims that were not judged among its facts.
fn render(run: &Run, format: Format, fixtures: &Fixtures, stopped: &Stopped) -> Result<String, Trouble> {
    let register = catalogue::register();
    let mut facts = facts(fixtures)?;
    for (claim, reason) in stopped.reasons() {
        // In JSON the writer of JSON sees to it.
        let reason = match format {
            Format::Markdown => in_markdown(&reason),
            Format::Json => reason,
        };
        facts.push((format!("not judged: {claim}"), reason));
    }
    Ok(match format {
        Format::Markdown => report::markdown(run, &register, &facts),
        Format::Json => format!("{:#}\n", report::json(run, &register, &facts)),
    })
}

/// Versions and data, as the report states them.
fn facts(fixtures: &Fixtures) -> Result<Facts, Trouble> {
    let mut facts = vec![(
        "program".to_owned(),
        format!("contrapositive {}", env!("CARGO_PKG_VERSION")),
    )];
    for name in DATA {
        let path = fixtures.path(name);
        let hash = enclosures::stream::file_hash(&path).map_err(|source| Trouble::Io {
            action: "cannot read",
            path,
            source,
        })?;
        facts.push((format!("SHA-256 of {name}"), hash));
    }
    Ok(facts)
}

fn save_witnesses(run: &Run, fixtures: &Fixtures) -> Result<(), Trouble> {
    let folder = fixtures.path("witnesses");
    let checks = run.claims.iter().flat_map(|c| &c.checks);
    let mut files = Vec::new();
    for witness in checks
        .filter(|c| c.role != Role::Control)
        .filter_map(|c| c.witness.as_ref())
    {
        let path = folder.join(witness.file_name());
        let text = witness.text().map_err(|source| WitnessError::Format {
            path: path.clone(),
            source,
        })?;
        files.push((path, text));
    }
    Ok(writing::write_together(&files)?)
}

pub(super) fn write(path: &Path, text: &str) -> Result<(), Trouble> {
    if path == Path::new("-") {
        return console::print(text);
    }
    writing::write(path, text.as_bytes())?;
    tell!("wrote {}", path.display());
    Ok(())
}
