//! `site`: a run as a static site.

mod paper_figures;

use std::fs;
use std::path::{Component, Path, PathBuf};

use clap::Args;
use cli::Catalogue;
use cli::commands::merge::Merged;
use cli::commands::verify::run_claims;
use cli::report::stopped::Stopped;
use cli::storage::journal::Journal;
use cli::terminal::patience::Patience;
use cli::words::arguments::Selection;
use evidence::budget::Budget;
use evidence::claim::Fixtures;
use evidence::run::{Plan, Run, WitnessStore};
use evidence::writing::{self, WriteError};

use super::console::tell;
use super::finish::facts_and_reasons;
use super::seed::DEFAULT_SEED;
use super::select::select;
use super::status::{Status, Trouble};
use super::threads::{MOST, on_threads};
use super::r#try::{are_files, catalogue_of};

const EXAMPLES: &str = "\
Examples:
  contrapositive site --output site                        run everything, write the site, open site/index.html
  contrapositive verify --shard 1/1 --output run.bin       keep a run …
  contrapositive site --run run.bin --output site          … and make a site of it, as often as you like
  contrapositive site --output site --budget quick 'merad2020.*'";

/// Write a run as a static site.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Site {
    /// Which claims.
    #[command(flatten)]
    pub selection: Selection,
    /// The folder to write into; it is made if there is none. Files of the same names are replaced, others are left alone.
    #[arg(long, value_name = "FOLDER")]
    pub output: PathBuf,
    /// What `verify --shard` has written, all shards of one run, in place of a run of its own.
    #[arg(long, value_name = "SHARD", num_args = 1.., conflicts_with_all = ["ids", "paper", "kind", "verdict", "budget", "seed", "threads"])]
    pub run: Vec<PathBuf>,
    /// How much work to spend on a run of its own: quick, standard or deep.
    #[arg(long, default_value = "standard")]
    pub budget: Budget,
    /// Master seed of every random stream.
    #[arg(long, default_value_t = DEFAULT_SEED)]
    pub seed: u64,
    /// Worker threads, 1 to 1024; as many as the machine has if not given. The site does not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST)))]
    pub threads: Option<u16>,
    /// The folder with data sets and witnesses.
    #[arg(long)]
    pub fixtures: Option<PathBuf>,
}

/// Files of the repository that are longer than this are not shown.
const LONGEST: u64 = 1 << 20;

/// Runs the claims, or takes a run that was kept, and writes every file of the site.
pub fn site(catalogue: &Catalogue, options: &Site) -> Result<Status, Trouble> {
    if are_files(&options.selection.ids) {
        return site_of_files(options);
    }
    let fixtures = catalogue.fixtures(options.fixtures.as_ref())?;
    // What would spoil the run at its end is found before it begins.
    make(&options.output).map_err(cli::Trouble::NoPlace)?;
    writing::check(&options.output.join("index.html")).map_err(cli::Trouble::NoPlace)?;
    if options.run.is_empty() {
        return run_and_write(catalogue, options, &fixtures);
    }
    let merged = Merged::of(catalogue, &options.run, &fixtures)?;
    write(catalogue, &merged.run, &merged.stopped, &fixtures, &options.output)
}

/// The site of files of statements. Nothing of it is kept until it is written: a file may give an id to another statement the next time.
fn site_of_files(options: &Site) -> Result<Status, Trouble> {
    let catalogue = catalogue_of(&options.selection.ids, options.seed)?;
    let fixtures = Fixtures::at(options.fixtures.clone().unwrap_or_else(|| PathBuf::from(".")));
    make(&options.output).map_err(cli::Trouble::NoPlace)?;
    writing::check(&options.output.join("index.html")).map_err(cli::Trouble::NoPlace)?;
    let everything = Selection { ids: Vec::new(), ..options.selection.clone() };
    let chosen = select(catalogue.claims(), &everything)?;
    let plan = Plan { seed: options.seed, budget: options.budget };
    let witnesses = WitnessStore::default();
    let stopped = Stopped::of(&chosen, &witnesses, &catalogue);
    let run = on_threads(options.threads, || run_claims(&chosen, plan, &fixtures, &witnesses, None, &stopped, None))?;
    write(&catalogue, &run, &stopped, &fixtures, &options.output)
}

/// A run of its own, of the claims that no earlier run of this program has finished.
fn run_and_write(catalogue: &Catalogue, options: &Site, fixtures: &Fixtures) -> Result<Status, Trouble> {
    let chosen = select(catalogue.claims(), &options.selection)?;
    let plan = Plan { seed: options.seed, budget: options.budget };
    catalogue.examine(fixtures)?;
    let witnesses = WitnessStore::load(&fixtures.path("witnesses"))?;
    let journal = Journal::of(None, plan, fixtures, catalogue.data())?;
    let stopped = Stopped::of(&chosen, &witnesses, catalogue);
    let run = on_threads(options.threads, || {
        run_claims(&chosen, plan, fixtures, &witnesses, journal.as_ref(), &stopped, None)
    })?;
    // Claims that read their data after it changed are not to be trusted, and nor are their records.
    if let Err(changed) = catalogue.examine(fixtures) {
        if let Some(journal) = &journal {
            journal.forget(&chosen, &witnesses);
        }
        return Err(changed.into());
    }
    write(catalogue, &run, &stopped, fixtures, &options.output)
}

fn write(
    catalogue: &Catalogue,
    run: &Run,
    stopped: &Stopped,
    fixtures: &Fixtures,
    folder: &Path,
) -> Result<Status, Trouble> {
    stopped.tell();
    let _patience = Patience::with("the pages are written");
    let root = fixtures.root().parent().unwrap_or(Path::new("."));
    let contents = site::Contents {
        run,
        register: catalogue.register(),
        facts: &facts_and_reasons(catalogue, fixtures, stopped)?,
        notes: catalogue.notes(),
        figures: &paper_figures::figures(),
        studies: &paper_figures::STUDIES,
        file: &|path| file(root, path),
    };
    let mut files = Vec::new();
    for (path, text) in site::site(&contents) {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            make(parent)?;
        }
        files.push((path, text));
    }
    writing::write_together(&files)?;
    tell!("wrote {} and {} files beside it", folder.join("index.html").display(), files.len() - 1);
    Ok(match Status::of(run) {
        status if stopped.is_empty() => status,
        Status::Internal => Status::Internal,
        _ => Status::Usage,
    })
}

fn make(folder: &Path) -> Result<(), WriteError> {
    fs::create_dir_all(folder).map_err(|source| WriteError { path: folder.to_owned(), source })
}

/// The text of a file below the root of the repository; none for what is not there, is no text, or lies elsewhere.
fn file(root: &Path, path: &str) -> Option<String> {
    let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let path = root.join(path);
    let kind = fs::symlink_metadata(&path).ok().filter(|_| inside)?;
    let fits = kind.is_file() && kind.len() <= LONGEST;
    fits.then(|| fs::read_to_string(&path).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::file;
    use std::fs;

    #[test]
    fn files_outside_the_repository_are_not_shown() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("root");
        fs::create_dir(&root).expect("made");
        fs::write(folder.path().join("secret"), "s").expect("written");
        fs::write(root.join("code.rs"), "fn").expect("written");
        assert_eq!(file(&root, "code.rs").as_deref(), Some("fn"));
        let secret = folder.path().join("secret");
        for other in ["../secret", "nothing", ".", &secret.to_string_lossy()] {
            assert_eq!(file(&root, other), None, "{other}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&secret, root.join("link")).expect("linked");
            assert_eq!(file(&root, "link"), None);
        }
    }
}
