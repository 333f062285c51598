//! `try`: a statement typed on the command line, refuted, proved or left standing; and files of statements.

use std::path::{Path, PathBuf};

use clap::Args;
use enclosures::stream;
use evidence::budget::Budget;
use evidence::claim::{Fixtures, Role};
use evidence::report::Register;
use evidence::run::{self, LONGEST_WITNESS, Plan, Silent, WitnessStore};
use evidence::{reading, writing};
use statements::catalogue;
use statements::{Attempt, AttemptOutcome, Options, Refutation, Texts, attempt, is_violated, replay};

use super::Catalogue;
use super::console::{self, say, tell};
use super::finish::Finish;
use super::interruption::Advice;
use super::seed::DEFAULT_SEED;
use super::select::select;
use super::status::{Status, Trouble};
use super::threads::on_threads;
use cli::report::stopped::Stopped;
use cli::storage::own_folders;
use cli::terminal::patience::Patience;
use cli::words::arguments::{Explain, Selection, Verify};

const EXAMPLES: &str = "\
Examples:
  contrapositive try 'log(1 + exp(a)) <= log 2 + a/2'
  contrapositive try 'kl(p, q) >= 2.1*tv(p, q)^2' --for 'n in 1..8, p, q in simplex(n)'
  contrapositive try 'x^2 >= x' --where '0 < x < 1'
  contrapositive try 'x^2 >= x' --output counterexample.json
  contrapositive try --replay counterexample.json

Exit status: 0 proved, sampled or standing, 1 refuted, 2 cannot be read, 4 no instance meets the conditions.
With --replay: 0 still refuted, 1 no longer refuted.
The language: docs/statements.md.";

/// Refute, prove or leave standing a statement of your own.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Try {
    /// The statement: a comparison, a chain of them, or several joined by `or` and `=>`. Variables that are not declared are real numbers.
    #[arg(required_unless_present = "replay", allow_hyphen_values = true)]
    pub statement: Option<String>,
    /// What the variables range over: 'x, y in R^n, n in 1..8, p in simplex(n), A in sym(n), t in (0, 1], u in [t, 1]'; 'let s = x + 1' names a formula.
    #[arg(
        long = "for",
        visible_alias = "over",
        default_value = "",
        value_name = "DECLARATIONS",
        allow_hyphen_values = true
    )]
    pub ranges: String,
    /// Conditions: 'norm(x) <= 1, p[1] > 0 or p[2] > 0'.
    #[arg(long = "where", default_value = "", value_name = "CONDITIONS", allow_hyphen_values = true)]
    pub conditions: String,
    /// How much work to spend: quick, standard or deep.
    #[arg(long, default_value = "standard")]
    pub budget: Budget,
    /// Master seed of every random stream.
    #[arg(long, default_value_t = DEFAULT_SEED)]
    pub seed: u64,
    /// Where to write the counterexample, if there is one; "-" for nowhere. By default it goes to your cache, and its file is printed.
    #[arg(long)]
    pub output: Option<PathBuf>,
    /// Judge a stored counterexample again.
    #[arg(long, conflicts_with_all = ["statement", "ranges", "conditions"])]
    pub replay: Option<PathBuf>,
}

/// Tries a statement, or judges a stored counterexample again.
pub fn r#try(options: &Try) -> Result<Status, Trouble> {
    if let Some(path) = &options.replay {
        return again(path, options.seed);
    }
    let texts = Texts {
        statement: options.statement.clone().unwrap_or_default(),
        ranges: options.ranges.clone(),
        conditions: options.conditions.clone(),
    };
    let plan = Options { seed: options.seed, budget: options.budget };
    let _advice = Advice::give(|| {
        "partial results on a statement are not stored; --budget quick or standard takes less time, and a larger \
         budget finds all that they find"
            .to_owned()
    });
    let patience = Patience::with("the statement is tried");
    let found = attempt(&texts, plan).map_err(|e| Trouble::Unusable(e.to_string()))?;
    drop(patience);
    console::print(&found.to_string())?;
    if let AttemptOutcome::Refuted { refutation, .. } = &found.outcome {
        store(refutation, options.output.as_deref())?;
    }
    Ok(status(&found))
}

fn status(found: &Attempt) -> Status {
    match found.outcome {
        AttemptOutcome::Refuted { .. } => Status::Changed,
        AttemptOutcome::Vacuous => Status::Vacuous,
        AttemptOutcome::Proved(_) | AttemptOutcome::Sampled(_) | AttemptOutcome::Stands { .. } => Status::AsExpected,
    }
}

/// Whether what is selected are files of statements rather than claims of the catalogue.
#[must_use]
pub fn are_files(ids: &[String]) -> bool {
    !ids.is_empty() && ids.iter().all(|id| id.ends_with(".toml"))
}

/// The claims of files of statements as a catalogue of their own.
pub fn catalogue_of(paths: &[String], seed: u64) -> Result<Catalogue, Trouble> {
    let mut claims = Vec::new();
    let mut papers = Vec::new();
    for path in paths {
        let read = catalogue::load(Path::new(path), seed).map_err(|e| Trouble::Unusable(e.to_string()))?;
        claims.extend(read.claims);
        papers.extend(read.register.papers);
    }
    let catalogue = Catalogue::new("contrapositive", env!("CARGO_PKG_VERSION"), claims);
    let files = paths.iter().map(|path| quoted(Path::new(path))).collect::<Vec<_>>().join(" ");
    let notes = pages::Notes { files: Some(files), ..pages::Notes::default() };
    Ok(catalogue.with_register(Register { papers }).with_notes(notes))
}

/// Explains every claim of a file of statements.
pub fn explain_file(options: Explain) -> Result<Status, Trouble> {
    let catalogue = catalogue_of(std::slice::from_ref(&options.id), DEFAULT_SEED)?;
    let every = cli::Command::Explain(Explain { id: "*".into(), ..options });
    Ok(cli::obey(&catalogue, every, clap::Command::new("contrapositive"))?)
}

/// Runs the claims of files of statements, as `verify` runs those of the catalogue.
pub fn verify_files(options: &Verify) -> Result<Status, Trouble> {
    refuse_what_is_kept_of_the_catalogue_alone(options)?;
    let patience = Patience::with("statements of files are tried");
    let catalogue = catalogue_of(&options.selection.ids, options.seed)?;
    let everything = Selection { ids: Vec::new(), ..options.selection.clone() };
    let chosen = select(catalogue.claims(), &everything)?;
    let fixtures = options.reporting.fixtures.clone().unwrap_or_else(|| PathBuf::from("."));
    let fixtures = Fixtures::at(fixtures);
    let finish = Finish::of(&options.reporting, false, &fixtures)?;
    let plan = Plan { seed: options.seed, budget: options.budget };
    let store = WitnessStore::default();
    let _advice = Advice::give(|| {
        "results of files of statements are not stored, and no report is written; run one file at a time to lose less"
            .to_owned()
    });
    let run = on_threads(options.threads, || run::run(&chosen, plan, &fixtures, &store, &Silent))?;
    drop(patience);
    for claim in &run.claims {
        let mark = if claim.as_expected() { "as expected" } else { "NOT as expected" };
        tell!("{:<40} {:<10} {mark}", claim.id, claim.verdict().to_string());
        for check in claim.checks.iter().filter(|c| c.role != Role::Control) {
            if let Some(witness) = &check.witness {
                tell!("  {} refuted at {}", check.id, witness.description);
            }
        }
    }
    let stopped = Stopped::of(&chosen, &store, &catalogue);
    Ok(finish.finish(&catalogue, &run, &stopped, &fixtures, &store, None)?)
}

/// A journal, shards and a table of costs go by ids, which a file may give to another statement the next time.
fn refuse_what_is_kept_of_the_catalogue_alone(options: &Verify) -> Result<(), Trouble> {
    let asked = [
        ("--shard", options.shard.is_some()),
        ("--costs", options.costs.is_some()),
        ("--journal", options.journal.is_some()),
        ("--fresh", options.fresh),
    ];
    match asked.into_iter().find(|(_, asked)| *asked) {
        Some((option, _)) => Err(Trouble::Unusable(format!(
            "{option} is for claims of the catalogue. A run on a file of statements stores its report and, with \
             --save-witnesses, its counterexamples"
        ))),
        None => Ok(()),
    }
}

/// Eight digits that tell texts apart.
pub fn digest(text: &str) -> String {
    stream::seed(0, &[text]).iter().take(4).map(|b| format!("{b:02x}")).collect()
}

/// The same refutation has the same name, so that nothing else is overwritten.
fn store(refutation: &Refutation, path: Option<&Path>) -> Result<(), Trouble> {
    if path == Some(Path::new("-")) {
        return Ok(());
    }
    let text = serde_json::to_string_pretty(refutation).map_err(|e| Trouble::Unusable(e.to_string()))?;
    let named = format!("counterexample-{}.json", digest(&text));
    match path.map(Path::to_owned).or_else(|| own_folders::cache().map(|folder| folder.join(&named))) {
        Some(file) => {
            let written = kept_in(&file, path.is_none(), (text + "\n").as_bytes());
            match written {
                Ok(()) => say!("  replay    contrapositive try --replay {}", quoted(&file))?,
                // The verdict stands whether or not its instance could be kept.
                Err(error) if path.is_none() => {
                    say!("  replay    not stored in {}: {error}; --output FILE writes it", file.display())?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        None => say!("  replay    not stored: there is no cache folder; --output FILE writes it")?,
    }
    Ok(())
}

/// Writes a file, in a folder that is made for it where nobody named one.
fn kept_in(file: &Path, is_kept: bool, text: &[u8]) -> Result<(), writing::WriteError> {
    if let Some(folder) = file.parent().filter(|_| is_kept) {
        std::fs::create_dir_all(folder).map_err(|source| writing::WriteError { path: folder.into(), source })?;
    }
    writing::write(file, text)
}

/// A path as a shell reads it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = text.chars().all(|c| c.is_alphanumeric() || "/._-:~+@".contains(c));
    if is_plain { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

fn again(path: &Path, seed: u64) -> Result<Status, Trouble> {
    let text = reading::text(path, LONGEST_WITNESS).map_err(|source| cli::Trouble::Io {
        action: "cannot read",
        path: path.into(),
        source,
    })?;
    let unreadable =
        |e: serde_json::Error| Trouble::Unusable(format!("{} is no stored counterexample: {e}", path.display()));
    let refutation: Refutation = serde_json::from_str(&text).map_err(unreadable)?;
    let trial = replay(&refutation, seed).map_err(|e| Trouble::Unusable(e.to_string()))?;
    say!("{}", refutation.texts.statement)?;
    say!("  at        {}", refutation.description)?;
    if let evidence::verdict::Outcome::Judged { comparison, .. } = &trial {
        say!("  left      {}", comparison.lhs)?;
        say!("  asked     left {} right", comparison.relation)?;
        say!("  right     {}", comparison.rhs)?;
    }
    let violated = is_violated(&trial);
    say!("  judged    {}", if violated { "still refuted" } else { "no longer refuted" })?;
    Ok(if violated { Status::AsExpected } else { Status::Changed })
}
