//! The words of this program: those of every catalogue, and its own.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use evidence::budget::Budget;

use super::seed::DEFAULT_SEED;
use super::shard::Shard;
use super::threads::MOST;

const EXAMPLES: &str = "\
Examples:
  contrapositive                                 every claim; writes REPORT.md
  contrapositive verify 'merad2020.*'            one paper, summary only
  contrapositive verify --kind identity --budget quick
  contrapositive verify mylemmas.toml            your own statements
  contrapositive verify --output run.json        as JSON (run.xml: as JUnit)
  contrapositive verify --format summary >> $GITHUB_STEP_SUMMARY
  contrapositive verify --output run.xml --baseline yesterday.json
  contrapositive verify --shard 3/8              on one of eight machines
  contrapositive merge shard-*.bin               the run of all eight
  contrapositive list --verdict FAIL             what fails in every sense
  contrapositive explain merad2020.lemma-1       one claim, with its evidence
  contrapositive replay merad2020.prop-2-1       judges its counterexamples
  contrapositive replay fixtures/witnesses/merad2020.prop-2-1.nats.json
  contrapositive certify merad2020.norm-rank-term its counterexample, in Coq
  contrapositive bounds embeddings.npy labels.npy --negatives 15,255
  contrapositive convergence                     errors of the estimators
  contrapositive figures                         trains encoders on MNIST
  contrapositive site --output site              a run as a static site
  contrapositive quality                         finds planted errors
  contrapositive mutate 'merad2020.*'            tries stronger versions
  contrapositive try 'log(1 + exp(a)) <= log 2 + a/2'
  contrapositive power 'log(1 + x) <= x'         tries similar statements";

/// Executable claims of contrastive-learning theory: tests lemmas and shows the evidence for each verdict.
#[derive(Debug, Parser)]
#[command(name = "contrapositive", version, about, after_help = format!("{EXAMPLES}\n\n{}", cli::words::arguments::EXIT_STATUS))]
pub struct Arguments {
    /// What to do; without a command, `verify` at the standard budget.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The commands of every catalogue.
    #[command(flatten)]
    Catalogue(cli::Command),
    /// Evaluate the bounds on your own embeddings.
    Bounds(super::bounds::Bounds),
    /// Write a counterexample as a theorem of Coq, and have it checked.
    Certify(super::certify::Certify),
    /// Measure error against work for every estimator on the same models, and write a page, a table and a picture.
    Convergence(Convergence),
    /// Train encoders on images as Merad et al. did, and draw their Figures 1 to 3.
    #[cfg_attr(not(feature = "figures"), doc = "(Not in this program: needs the feature `figures`.)")]
    Figures(super::figures::Figures),
    /// Write a run as a static site: a table with filters, a page for every claim, figures, graphs.
    #[cfg_attr(not(feature = "site"), doc = "(Not in this program: needs the feature `site`.)")]
    Site(super::site::Site),
    /// Plant errors in small true statements and check that the engine finds each.
    Quality(Quality),
    /// Refute or prove your own statement.
    Try(super::r#try::Try),
    /// Check whether a claim or your own statement is testable: which of its neighbours are refuted.
    Power(super::power::Power),
}

impl Default for Command {
    fn default() -> Self {
        Command::Catalogue(cli::Command::default())
    }
}

const CONVERGENCE_EXAMPLES: &str = "\
Examples:
  contrapositive convergence                                     renew docs/convergence.{md,csv,svg}
  contrapositive convergence --budget standard --output study    sixteen times the work, elsewhere
  contrapositive convergence --budget deep --shard 3/8           one of eight machines
  contrapositive convergence --budget deep --merge convergence-*.bin
  contrapositive convergence --points embeddings.npy --labels labels.npy --negatives 15,255 --time";

/// Measure error against work for every estimator.
#[derive(Debug, Args)]
#[command(after_help = CONVERGENCE_EXAMPLES)]
pub struct Convergence {
    /// Folder for convergence.md, convergence.csv and convergence.svg; docs in the checkout if not given, or ./convergence for your
    /// own embeddings.
    #[arg(long)]
    pub output: Option<PathBuf>,
    /// Your own embeddings instead of the built-in models: a NumPy file, or the images of an IDX pair; numbers are taken
    /// as stored.
    #[arg(long, requires = "labels")]
    pub points: Option<PathBuf>,
    /// Their labels, in the same format.
    #[arg(long, requires = "points")]
    pub labels: Option<PathBuf>,
    /// Numbers of negatives.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 15, 255, 4096])]
    pub negatives: Vec<usize>,
    /// How much work to spend: quick (the committed page), standard (16 times as much) or deep (256 times).
    #[arg(long, default_value = "quick")]
    pub budget: Budget,
    /// Master seed of every random stream.
    #[arg(long, default_value_t = DEFAULT_SEED)]
    pub seed: u64,
    /// Worker threads, 1 to 1024; as many as the machine has if not given. The files do not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST)))]
    pub threads: Option<u16>,
    /// Show seconds on the terminal; the files never contain times.
    #[arg(long)]
    pub time: bool,
    /// Measure only one share of the curves, for one of several machines; 3/8 is the third of eight. The file is
    /// convergence-3-of-8.bin, in the folder that --output names.
    #[arg(long, value_name = "NUMBER/COUNT", conflicts_with = "merge")]
    pub shard: Option<Shard>,
    /// Measure nothing: merge what the shards of the same study have measured, in any order.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub merge: Vec<PathBuf>,
    /// The folder with data sets.
    #[arg(long)]
    pub fixtures: Option<PathBuf>,
}

/// Plant errors and check that they are found.
#[derive(Debug, Args)]
pub struct Quality {
    /// Master seed of every random stream.
    #[arg(long, default_value_t = DEFAULT_SEED)]
    pub seed: u64,
}
