//! `verify`: runs claims, writes the report, prints a summary.

use std::fs;
use std::path::{Path, PathBuf};

use contrapositive::claim::{Fixtures, Role};
use contrapositive::report::{self, Facts};
use contrapositive::run::{self, Plan, Run, WitnessStore};
use contrapositive::verdict::Verdict;

use super::arguments::{Format, Verify};
use super::progress::Progress;
use super::select::{fixtures, select};
use super::status::{Status, Trouble};
use super::threads::on_threads;
use crate::catalogue;

/// Runs the selected claims.
pub fn verify(options: &Verify) -> Result<Status, Trouble> {
    let claims = catalogue::claims();
    let chosen = select(&claims, &options.selection)?;
    let fixtures = fixtures(options.fixtures.as_ref())?;
    let witnesses = WitnessStore::load(&fixtures.path("witnesses"))?;
    let progress = Progress::of(chosen.len());
    let plan = Plan {
        seed: options.seed,
        budget: options.budget,
    };
    let run = on_threads(options.threads, || {
        run::run(&chosen, plan, &fixtures, &witnesses, &progress)
    })?;
    progress.finish();
    if options.save_witnesses {
        save_witnesses(&run, &fixtures)?;
    }
    let output = options.output.clone().or_else(|| default_output(options, &fixtures));
    if let Some(path) = output {
        write(&path, &render(&run, options.format, &fixtures))?;
    }
    summary(&run);
    Ok(Status::of(&run))
}

/// Only a run of everything, as a person would read it, may replace the committed report.
fn default_output(options: &Verify, fixtures: &Fixtures) -> Option<PathBuf> {
    let whole = options.selection.is_everything() && options.format == Format::Markdown;
    whole.then(|| fixtures.root().parent().unwrap_or(Path::new(".")).join("REPORT.md"))
}

/// The report in the form asked for.
#[must_use]
pub fn render(run: &Run, format: Format, fixtures: &Fixtures) -> String {
    let register = catalogue::register();
    let facts = facts(fixtures);
    match format {
        Format::Markdown => report::markdown(run, &register, &facts),
        Format::Json => format!("{:#}\n", report::json(run, &register, &facts)),
    }
}

/// Versions and data, as the report states them.
fn facts(fixtures: &Fixtures) -> Facts {
    let mut facts = vec![(
        "program".to_owned(),
        format!("contrapositive {}", env!("CARGO_PKG_VERSION")),
    )];
    let hash = |name: &str| contrapositive::stream::file_hash(&fixtures.path(name)).unwrap_or_else(|e| e.to_string());
    for name in ["digits/digits_images.npy", "digits/digits_labels.npy"] {
        facts.push((format!("SHA-256 of {name}"), hash(name)));
    }
    facts
}

fn save_witnesses(run: &Run, fixtures: &Fixtures) -> Result<(), Trouble> {
    let folder = fixtures.path("witnesses");
    for check in run
        .claims
        .iter()
        .flat_map(|c| &c.checks)
        .filter(|c| c.role != Role::Control)
    {
        if let Some(witness) = &check.witness {
            witness.store(&folder)?;
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), Trouble> {
    if path == Path::new("-") {
        print!("{text}");
        return Ok(());
    }
    fs::write(path, text).map_err(|source| Trouble::Io {
        action: "cannot write",
        path: path.into(),
        source,
    })?;
    eprintln!("wrote {}", path.display());
    Ok(())
}

/// Counts, and a line for everything that needs a look.
fn summary(run: &Run) {
    let count = |verdict: Verdict| run.claims.iter().filter(|c| c.verdict() == verdict).count();
    eprintln!(
        "{} claims: {} hold, {} consistent, {} mixed, {} fail as printed, {} undecided, {} inconclusive, {} vacuous",
        run.claims.len(),
        count(Verdict::Holds),
        count(Verdict::Consistent),
        count(Verdict::Mixed),
        count(Verdict::Fails),
        count(Verdict::Undecided),
        count(Verdict::Inconclusive),
        count(Verdict::Vacuous),
    );
    for claim in &run.claims {
        for (id, reason) in claim.missing_series() {
            eprintln!("missing: {} {id} could not be computed: {reason}", claim.id);
        }
        for check in claim.regressions() {
            let expected = check.expectation.verdict;
            if check.verdict != expected {
                eprintln!(
                    "changed: {} {} is {}, expected {expected}",
                    claim.id, check.id, check.verdict
                );
            }
            for proof in check.proofs.iter().filter(|p| !p.as_expected()) {
                let told = proof
                    .contradiction
                    .clone()
                    .unwrap_or_else(|| proof.conclusion.to_string());
                eprintln!(
                    "changed: {} {} is not proved for {}: {told}",
                    claim.id, check.id, proof.info.domain
                );
                for (control, conclusion) in proof.controls.iter().filter(|(_, c)| !c.is_refuted()) {
                    eprintln!("  its control survives ({control}): {conclusion}");
                }
            }
            if let Some(trouble) = &check.trouble {
                eprintln!("  {trouble}");
            }
            if let Some(witness) = &check.witness {
                eprintln!("  refuted by {}", witness.description);
            }
            if let Some(doubt) = &check.doubtful {
                let c = &doubt.comparison;
                eprintln!("  in doubt on {}: {} {} {}", doubt.instance, c.lhs, c.relation, c.rhs);
            }
        }
        for control in claim.survivors() {
            eprintln!(
                "survived: control {} of {}: {}",
                control.id, claim.id, control.statement
            );
        }
    }
}
