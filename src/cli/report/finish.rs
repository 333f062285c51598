//! What becomes of the evidence once every claim has run: it is summed up, its witnesses are kept, and the report is written.

use std::fs;
use std::path::{Path, PathBuf};

use evidence::claim::{Fixtures, Role};
use evidence::report::{self, Facts};
use evidence::run::{Run, WitnessError, WitnessStore};
use evidence::writing::{self, WriteError};

use super::baseline::{Baseline, Move, named, shortened};
use super::junit::junit;
use super::step_summary::{moved, step_summary};
use super::stopped::Stopped;
use super::summary::summary;
use crate::catalogue::Catalogue;
use crate::outcome::format::Format;
use crate::outcome::status::{Status, Trouble};
use crate::storage::costs::Seconds;
use crate::terminal::console::{self, tell};
use crate::words::arguments::Reporting;
use crate::words::form::{STANDARD_OUTPUT, destination, is_folder};
use pages::foreign::tame;

/// What is to be done at the end of a run. It is settled before the run, so that what would spoil it is found before any work is done.
#[derive(Debug)]
pub struct Finish {
    report: Option<(Format, PathBuf)>,
    /// Whether the report goes to a page that speaks of every claim and is not named by the user.
    is_own_page: bool,
    save_witnesses: bool,
    baseline: Baseline,
    baseline_name: String,
}

impl Finish {
    /// What the options ask for, after a run of the whole catalogue or of a part of it.
    ///
    /// # Errors
    /// The form of the report contradicts its place, or something cannot be written where it is to go.
    pub fn of(options: &Reporting, is_whole: bool, fixtures: &Fixtures) -> Result<Self, Trouble> {
        // Only a run of everything may replace the committed report.
        let own_page = || {
            let folder = fixtures.root().parent().unwrap_or(Path::new("."));
            is_whole.then(|| folder.join("REPORT.md"))
        };
        let report = destination(options.format, options.output.as_deref(), own_page)?;
        let file = report.as_ref().map(|(_, path)| path);
        let probed = file.filter(|path| *path != Path::new(STANDARD_OUTPUT)).map(|path| probed(path));
        if let Some(path) = probed.flatten() {
            writing::check(&path).map_err(Trouble::NoPlace)?;
        }
        if options.save_witnesses {
            let folder = fixtures.path("witnesses");
            let made = fs::create_dir_all(&folder).map_err(|source| WriteError { path: folder.clone(), source });
            made.and_then(|()| writing::check(&folder.join("witness.json"))).map_err(Trouble::NoPlace)?;
        }
        Ok(Finish {
            report,
            is_own_page: options.output.is_none(),
            save_witnesses: options.save_witnesses,
            baseline: Baseline::load(&options.baseline)?,
            baseline_name: named(&options.baseline),
        })
    }

    /// Sums up, keeps the witnesses, writes the report, and answers with the status of the run.
    ///
    /// # Errors
    /// Something could not be written.
    pub fn finish(
        &self,
        catalogue: &Catalogue,
        run: &Run,
        stopped: &Stopped,
        fixtures: &Fixtures,
        witnesses: &WitnessStore,
        measured: Option<&Seconds>,
    ) -> Result<Status, Trouble> {
        summary(run, witnesses);
        stopped.tell();
        let moves = self.moves(catalogue, run, fixtures, stopped, measured)?;
        if self.save_witnesses {
            save_witnesses(run, fixtures)?;
        }
        if let Some((format, path)) = &self.report {
            // A page for every claim is written by a run that judged every claim.
            if stopped.is_empty() || !self.is_own_page || path == Path::new(STANDARD_OUTPUT) {
                match self.folder(*format, path) {
                    Some(folder) => {
                        write_pages(catalogue, run, &facts_and_reasons(catalogue, fixtures, stopped)?, &folder)?
                    }
                    None => {
                        let mut text = render(catalogue, run, *format, fixtures, stopped)?;
                        if *format == Format::Summary && !self.baseline.is_empty() {
                            text += &moved(&self.baseline_name, &moves);
                        }
                        write(path, &text)?;
                    }
                }
            } else {
                tell!("{} was not changed: not every claim was judged", path.display());
            }
        }
        Ok(match Status::of(run) {
            status if stopped.is_empty() => status,
            Status::Internal => Status::Internal,
            _ => Status::Usage,
        })
    }

    /// What moved since the baseline, told on standard error; nothing if there is none.
    fn moves(
        &self,
        catalogue: &Catalogue,
        run: &Run,
        fixtures: &Fixtures,
        stopped: &Stopped,
        measured: Option<&Seconds>,
    ) -> Result<Vec<Move>, Trouble> {
        if self.baseline.is_empty() {
            return Ok(Vec::new());
        }
        let now = report::json(run, catalogue.register(), &facts_and_reasons(catalogue, fixtures, stopped)?);
        let moves = self.baseline.moves(now, run.plan.budget, measured)?;
        let (listed, more) = shortened(&moves);
        if moves.is_empty() {
            tell!("nothing moved since {}", self.baseline_name);
        }
        for one in listed {
            tell!("moved: {one}");
        }
        for (what, count) in more {
            tell!("moved: {count} more of {what}");
        }
        Ok(moves)
    }
}

impl Finish {
    /// The folder for a first page and a page for each claim, where the report is such a set: beside the first page of the checkout, or in
    /// the folder that a user names.
    fn folder(&self, format: Format, path: &Path) -> Option<PathBuf> {
        if format != Format::Markdown || path == Path::new(STANDARD_OUTPUT) {
            None
        } else if self.is_own_page {
            path.parent().map(Path::to_owned)
        } else {
            is_folder(path).then(|| path.to_owned())
        }
    }
}

/// The file that shows whether a place can be written; none for a folder that is still to be made.
fn probed(path: &Path) -> Option<PathBuf> {
    if is_folder(path) { path.is_dir().then(|| path.join("REPORT.md")) } else { Some(path.to_owned()) }
}

/// Writes every page of the report into its place below a folder, all of them or none.
fn write_pages(catalogue: &Catalogue, run: &Run, facts: &Facts, folder: &Path) -> Result<(), Trouble> {
    let pages = pages::pages(run, catalogue.register(), facts, catalogue.notes());
    let texts = pages.iter().map(|page| (page.path.clone(), pages::page_as_markdown(page)));
    let pictures = run.claims.iter().flat_map(pages::pictures);
    let mut files = Vec::new();
    for (path, text) in texts.chain(pictures) {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            let failed = |source| WriteError { path: parent.to_owned(), source };
            fs::create_dir_all(parent).map_err(failed)?;
        }
        files.push((path, text));
    }
    writing::write_together(&files)?;
    let (report, beside) = (folder.join("REPORT.md"), pages.len() - 1);
    tell!("wrote {} and {beside} page{} beside the claims", report.display(), if beside == 1 { "" } else { "s" });
    Ok(())
}

/// The facts with the claims that were not judged among them, each with its reason.
///
/// # Errors
/// A data set cannot be read.
pub fn facts_and_reasons(catalogue: &Catalogue, fixtures: &Fixtures, stopped: &Stopped) -> Result<Facts, Trouble> {
    let reasons = stopped.reasons().into_iter();
    let reasons = reasons.map(|(claim, reason)| (format!("not judged: {claim}"), reason));
    Ok(facts(catalogue, fixtures)?.into_iter().chain(reasons).collect())
}

/// The report in the form asked for, with the claims that were not judged among its facts.
fn render(
    catalogue: &Catalogue,
    run: &Run,
    format: Format,
    fixtures: &Fixtures,
    stopped: &Stopped,
) -> Result<String, Trouble> {
    let register = catalogue.register();
    let not_judged = stopped.reasons();
    match format {
        Format::Markdown => Ok(pages::markdown(run, register, &facts_and_reasons(catalogue, fixtures, stopped)?)),
        Format::Json => {
            Ok(format!("{:#}\n", report::json(run, register, &facts_and_reasons(catalogue, fixtures, stopped)?)))
        }
        Format::Latex => Ok(pages::latex(run, register, catalogue.notes())),
        Format::Junit => junit(catalogue.name(), run, &not_judged),
        Format::Summary => Ok(step_summary(catalogue.name(), run, &not_judged)),
    }
}

/// Versions and data, as the report states them.
pub(crate) fn facts(catalogue: &Catalogue, fixtures: &Fixtures) -> Result<Facts, Trouble> {
    let mut facts = vec![("program".to_owned(), format!("{} {}", catalogue.name(), catalogue.version()))];
    for name in catalogue.data() {
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
    for witness in checks.filter(|c| c.role != Role::Control).filter_map(|c| c.witness.as_ref()) {
        let path = folder.join(witness.file_name());
        let text = witness.text().map_err(|source| WitnessError::Format { path: path.clone(), source })?;
        files.push((path, text));
    }
    Ok(writing::write_together(&files)?)
}

/// Writes a text to a file, or to standard output, as it is but for what steers terminals.
///
/// # Errors
/// It cannot be written.
pub fn write(path: &Path, text: &str) -> Result<(), Trouble> {
    if path == Path::new(STANDARD_OUTPUT) {
        return console::print(text);
    }
    writing::write(path, tame(text).as_bytes())?;
    tell!("wrote {}", path.display());
    Ok(())
}
