//! The words of the command line that every catalogue has.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use evidence::budget::Budget;
use evidence::claim::Kind;

use super::headlines::Headlines;
use super::seed::DEFAULT_SEED;
use super::shell::Shell;
use crate::outcome::format::Format;
use crate::storage::shard::Shard;
use crate::terminal::threads::MOST;

/// The end of the help of every program: its exit statuses.
pub const EXIT_STATUS: &str = "\
Exit status:
  0   every verdict as expected, every control refuted
  1   a verdict changed
  2   bad input or usage
  3   a control was not refuted
  4   no instance met the hypotheses of a claim, nothing was compared, or it has
      neither a part nor a sense
  5   no claim selected
  70  internal fault
  74  a result could not be written: disk full, folder gone
  129, 130, 143  stopped by SIGHUP, SIGINT, SIGTERM; the same command resumes
  141 the reader of standard output has closed it";

/// The commands of every catalogue.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run claims and write the report.
    Verify(Verify),
    /// Merge the shards of a run into the report of a single run.
    Merge(Merge),
    /// List the claims.
    List(List),
    /// Show one claim: its page of the report, with evidence from a new run.
    Explain(Explain),
    /// Judge stored counterexamples again and show both sides.
    Replay(Replay),
    /// Try stronger versions of the statements (mutants) and show which of them the instances refute.
    Mutate(Mutate),
    /// Print a completion script for a shell.
    #[cfg_attr(not(feature = "manual"), doc = "(Not in this program: needs the feature `manual`.)")]
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual, for `man -l -`.
    #[cfg_attr(not(feature = "manual"), doc = "(Not in this program: needs the feature `manual`.)")]
    Manual,
    /// Print the JSON Schema of reports.
    Schema,
}

impl Default for Command {
    fn default() -> Self {
        Command::Verify(Verify {
            selection: Selection::default(),
            budget: Budget::Standard,
            seed: DEFAULT_SEED,
            threads: None,
            shard: None,
            costs: None,
            reporting: Reporting::default(),
            journal: None,
            no_journal: false,
            fresh: false,
        })
    }
}

/// Which claims.
#[derive(Clone, Debug, Default, Args)]
pub struct Selection {
    /// Ids or globs ('paper.lemma-*'); all claims if none is given.
    pub ids: Vec<String>,
    /// Only this paper: the part of the ids before the dot.
    #[arg(long)]
    pub paper: Option<String>,
    /// Only this kind of statement (identity, inequality, probability-bound, asymptotic, convergence, dynamics,
    /// equivalence, definition, observation).
    #[arg(long, value_parser = super::likeness::kind)]
    pub kind: Option<Kind>,
    /// Only claims with this expected headline: PASS, FAIL, MISPRINT, MIXED, or a single verdict (holds, consistent,
    /// fails, undecided, inconclusive, vacuous).
    #[arg(long)]
    pub verdict: Option<Headlines>,
}

impl Selection {
    /// Whether nothing narrows the selection down.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.ids.is_empty() && self.paper.is_none() && self.kind.is_none() && self.verdict.is_none()
    }
}

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TextFormat {
    /// For people.
    Text,
    /// For programs; see docs/json.md.
    Json,
}

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    /// For people.
    Markdown,
    /// For programs; see docs/json.md.
    Json,
}

/// What becomes of the results of a run.
#[derive(Clone, Debug, Default, Args)]
pub struct Reporting {
    /// Format of the report; taken from the ending of --output (.md, .json, .xml, .tex) if not given.
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// Where to write the report: a file ("-" for standard output), or a folder for an overview and a page for each claim. If not
    /// given, a run of the whole catalogue in Markdown renews REPORT.md and the pages beside the claims, and any other format that is
    /// asked for goes to standard output.
    #[arg(long)]
    pub output: Option<PathBuf>,
    /// The folder with data sets and witnesses.
    #[arg(long)]
    pub fixtures: Option<PathBuf>,
    /// Store the witness of every refuted check (controls aside) under fixtures/witnesses.
    #[arg(long)]
    pub save_witnesses: bool,
    /// Compare with an earlier run: its JSON report, its table of costs, or both (--baseline run.json --baseline costs.json).
    #[arg(long, value_name = "FILE")]
    pub baseline: Vec<PathBuf>,
}

/// Run claims and write the report.
#[derive(Debug, Args)]
pub struct Verify {
    /// Which claims.
    #[command(flatten)]
    pub selection: Selection,
    /// How much work to spend: quick, standard or deep.
    #[arg(long, default_value = "standard")]
    pub budget: Budget,
    /// Master seed of every random stream.
    #[arg(long, default_value_t = DEFAULT_SEED)]
    pub seed: u64,
    /// Worker threads, 1 to 1024; as many as the machine has if not given. The report does not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST)))]
    pub threads: Option<u16>,
    /// What becomes of the results.
    #[command(flatten)]
    pub reporting: Reporting,
    /// Run only one share of the claims, for one of several machines, and write a file for `merge`; 3/8 is the third of eight. The
    /// file is shard-3-of-8.bin if --output names no other.
    #[arg(long, value_name = "NUMBER/COUNT", conflicts_with_all = ["format", "save_witnesses", "baseline", "costs"])]
    pub shard: Option<Shard>,
    /// Measure the cost of each claim on one thread and write it into this table; shards are balanced by fixtures/costs.json.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["threads", "journal"])]
    pub costs: Option<PathBuf>,
    /// Folder that stores finished claims: the same program resumes from it after a stop, and writes other reports of the same run without
    /// computing anything again; by default in your state folder.
    #[arg(long, value_name = "FOLDER", conflicts_with = "no_journal")]
    pub journal: Option<PathBuf>,
    /// Neither store finished claims nor use stored ones.
    #[arg(long)]
    pub no_journal: bool,
    /// Compute every claim again, also those that an earlier run of this program with the same seed and budget has finished.
    #[arg(long)]
    pub fresh: bool,
}

/// Merge the shards of a run.
#[derive(Debug, Args)]
pub struct Merge {
    /// The files that `verify --shard` has written, in any order.
    #[arg(required = true)]
    pub shards: Vec<PathBuf>,
    /// What becomes of the results.
    #[command(flatten)]
    pub reporting: Reporting,
}

/// List the claims.
#[derive(Debug, Args)]
pub struct List {
    /// Which claims.
    #[command(flatten)]
    pub selection: Selection,
    /// Format of the list.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
}

/// Show one claim.
#[derive(Debug, Args)]
pub struct Explain {
    /// The claim's id, or a file of statements if the program reads such files.
    pub id: String,
    /// Also show what the page folds away: notation, controls, numbers.
    #[arg(long)]
    pub all: bool,
    /// How much work to spend on the evidence: quick, standard (as for the committed page) or deep.
    #[arg(long, default_value = "quick")]
    pub budget: Budget,
    /// Format of the answer.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
    /// Print the page as a LaTeX document.
    #[arg(long, conflicts_with_all = ["format", "all"])]
    pub latex: bool,
    /// The folder with data sets and witnesses.
    #[arg(long)]
    pub fixtures: Option<PathBuf>,
}

/// Judge stored counterexamples again.
#[derive(Debug, Args)]
pub struct Replay {
    /// A claim (paper.lemma-1), one of its checks (paper.lemma-1.printed), or a witness file.
    #[arg(value_name = "CLAIM|CHECK|FILE")]
    pub witness: PathBuf,
    /// Master seed; matters for sampled claims only.
    #[arg(long, default_value_t = DEFAULT_SEED)]
    pub seed: u64,
    /// Format of the answer.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
    /// The folder with data sets.
    #[arg(long)]
    pub fixtures: Option<PathBuf>,
}

/// Try stronger statements.
#[derive(Debug, Args)]
#[command(
    long_about = "A mutant is a stronger version of a statement that is expected to hold: its right side is multiplied by \
                  0.99, 0.9 and 0.5 (or divided, where that is stronger), or its sides are exchanged. Identities have one \
                  side multiplied by 1 +- 1 %, 1 +- 10 %, 1/2 and 2. Each mutant is tried on the instances of the \
                  statement's own families. If a mutant survives, either it is true and the statement leaves that much \
                  room, or the families are too weak to refute it."
)]
pub struct Mutate {
    /// Which claims.
    #[command(flatten)]
    pub selection: Selection,
    /// How much work to spend: quick, standard or deep.
    #[arg(long, default_value = "quick")]
    pub budget: Budget,
    /// Master seed of every random stream.
    #[arg(long, default_value_t = DEFAULT_SEED)]
    pub seed: u64,
    /// Format of the table.
    #[arg(long, value_enum, default_value_t = TableFormat::Markdown)]
    pub format: TableFormat,
    /// Show only the mutants that survive.
    #[arg(long)]
    pub survivors: bool,
    /// The folder with data sets and witnesses.
    #[arg(long)]
    pub fixtures: Option<PathBuf>,
}
