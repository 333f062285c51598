//! The words of the command line that every catalogue has.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use evidence::budget::Budget;
use evidence::claim::Kind;

use super::format::Format;
use super::headlines::Headlines;
use super::seed::DEFAULT_SEED;
use super::shard::Shard;
use super::shell::Shell;
use super::threads::MOST;

/// The end of the help of every program: what its exit status says.
pub const EXIT_STATUS: &str = "\
Exit status:
  0   every verdict as expected, every control refuted
  1   a verdict changed
  2   bad input or usage
  3   a control survived
  4   a claim's hypotheses were never met, or it says nothing where they were
  5   nothing selected
  70  internal fault
  74  a result could not be written: disk full, place gone
  129, 130, 143  stopped by SIGHUP, SIGINT, SIGTERM; the same command goes on
  141 nobody reads standard output any more";

/// The commands of every catalogue.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run claims and write the report.
    Verify(Verify),
    /// Put the shards of a run together to what one run would have written.
    Merge(Merge),
    /// List the claims.
    List(List),
    /// Show one claim: its page of the report, with evidence from a run at hand.
    Explain(Explain),
    /// Judge stored witnesses again and show both sides.
    Replay(Replay),
    /// Make the statements of the catalogue stronger and see which of these mutants its instances refute.
    Mutate(Mutate),
    /// Print what a shell needs to complete the words of this program.
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
    /// Only this paper, by what stands before the dot of its ids.
    #[arg(long)]
    pub paper: Option<String>,
    /// Only this kind of statement (identity, inequality, probability-bound, asymptotic, convergence, dynamics,
    /// equivalence, definition, observation).
    #[arg(long, value_parser = super::likeness::kind)]
    pub kind: Option<Kind>,
    /// Only claims whose expected headline is this one: PASS, FAIL, MISPRINT, MIXED, or a single verdict (holds,
    /// consistent, fails, undecided, inconclusive, vacuous).
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
    /// Form of the report; that of the output's ending (.md, .json, .xml, .tex) if not given.
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// Where to write it: a file ("-" for standard output), or a folder for a first page and a page for each claim. A run of the whole
    /// catalogue in Markdown renews REPORT.md and the pages beside the claims; any other form that is asked for goes to standard output.
    #[arg(long)]
    pub output: Option<PathBuf>,
    /// The folder with data sets and witnesses.
    #[arg(long)]
    pub fixtures: Option<PathBuf>,
    /// Store the witness of every refuted check (controls aside) under fixtures/witnesses.
    #[arg(long)]
    pub save_witnesses: bool,
    /// Say what moved since an earlier run: its report in JSON, its table of costs, or both (--baseline run.json --baseline costs.json).
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
    /// Run one share of the claims only, for one of several machines, and write what `merge` puts together; 3/8 is the third of eight.
    /// It goes to shard-3-of-8.bin, or where --output says.
    #[arg(long, value_name = "NUMBER/COUNT", conflicts_with_all = ["format", "save_witnesses", "baseline", "costs"])]
    pub shard: Option<Shard>,
    /// Measure what each claim costs, on one thread, and write it into this table; fixtures/costs.json is the one that shards are cut
    /// by.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["threads", "journal"])]
    pub costs: Option<PathBuf>,
    /// Folder in which finished claims are kept until the run has ended, so that the same command goes on where it was stopped; the
    /// user's own folder for state if not given.
    #[arg(long, value_name = "FOLDER", conflicts_with = "no_journal")]
    pub journal: Option<PathBuf>,
    /// Keep no journal.
    #[arg(long)]
    pub no_journal: bool,
    /// Start anew: forget what an earlier run of the same plan has finished.
    #[arg(long)]
    pub fresh: bool,
}

/// Put the shards of a run together.
#[derive(Debug, Args)]
pub struct Merge {
    /// What `verify --shard` has written, in any order.
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
    /// Form of the list.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
}

/// Show one claim.
#[derive(Debug, Args)]
pub struct Explain {
    /// The claim's id.
    pub id: String,
    /// Show also what is folded away on the page: signs, controls, numbers.
    #[arg(long)]
    pub all: bool,
    /// How much work to spend on the evidence: quick, standard (as the committed page) or deep.
    #[arg(long, default_value = "quick")]
    pub budget: Budget,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
    /// Print the page as a document of LaTeX.
    #[arg(long, conflicts_with_all = ["format", "all"])]
    pub latex: bool,
    /// The folder with data sets and witnesses.
    #[arg(long)]
    pub fixtures: Option<PathBuf>,
}

/// Judge stored witnesses again.
#[derive(Debug, Args)]
pub struct Replay {
    /// A claim (paper.lemma-1), one of its checks (paper.lemma-1.printed), or a witness file.
    #[arg(value_name = "CLAIM|CHECK|FILE")]
    pub witness: PathBuf,
    /// Master seed; matters for sampled claims only.
    #[arg(long, default_value_t = DEFAULT_SEED)]
    pub seed: u64,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
    /// The folder with data sets.
    #[arg(long)]
    pub fixtures: Option<PathBuf>,
}

/// Try stronger statements.
#[derive(Debug, Args)]
#[command(
    long_about = "Every statement that is expected to hold is made stronger: its right side is multiplied by 0.99, 0.9 \
                  and 0.5 (or divided, where that is what makes it stronger), or its sides are exchanged; identities \
                  have one side multiplied by 1 +- 1 %, 1 +- 10 %, 1/2 and 2. Each mutant is tried on the instances of \
                  the statement's own families. A mutant that survives is true, and then the statement has that much \
                  room to spare, or the families are too weak to refute it."
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
    /// Form of the table.
    #[arg(long, value_enum, default_value_t = TableFormat::Markdown)]
    pub format: TableFormat,
    /// Show only the mutants that survive.
    #[arg(long)]
    pub survivors: bool,
    /// The folder with data sets and witnesses.
    #[arg(long)]
    pub fixtures: Option<PathBuf>,
}
