//! `power`: is a claim, or a statement of one's own, testable? Its neighbours, and which of them the search refutes.

use std::path::Path;

use clap::Args;
use cli::Catalogue;
use evidence::budget::Budget;
use evidence::run::{self, Plan, Silent, WitnessStore};
use statements::Texts;

use super::console::{print, say, tell};
use super::seed::DEFAULT_SEED;
use super::select::select;
use super::status::{Status, Trouble};
use cli::words::arguments::Selection;

const EXAMPLES: &str = "\
Examples:
  contrapositive power merad2020.lemma-4
  contrapositive power 'log(1 + x) <= x' --for 'x > -1'
  contrapositive power 'kl(p, q) >= 2*tv(p, q)^2' --for 'n in 1..8, p, q in simplex(n)'
  contrapositive power mylemmas.toml

Exit status: 0; 1 if the statement itself is refuted (in a file: unless it is expected to fail), 2 if it cannot be \
read.";

/// Ask whether a claim or a statement of your own is testable: which of its neighbours fall.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Power {
    /// A claim of the catalogue by its id, a statement as for `try`, or a file of statements.
    #[arg(value_name = "CLAIM|STATEMENT|FILE", allow_hyphen_values = true)]
    pub asked: String,
    /// What the variables of a statement range over.
    #[arg(long = "for", visible_alias = "over", default_value = "", value_name = "DECLARATIONS")]
    pub ranges: String,
    /// Conditions of a statement.
    #[arg(long = "where", default_value = "", value_name = "CONDITIONS")]
    pub conditions: String,
    /// How much work to spend on each neighbour: quick, standard or deep.
    #[arg(long, default_value = "standard")]
    pub budget: Budget,
    /// Master seed of every random stream.
    #[arg(long, default_value_t = DEFAULT_SEED)]
    pub seed: u64,
    /// The folder with data sets and witnesses.
    #[arg(long)]
    pub fixtures: Option<std::path::PathBuf>,
}

/// Asks after the neighbours of a claim or of a statement.
pub fn power(catalogue: &Catalogue, options: &Power) -> Result<Status, Trouble> {
    if options.asked.ends_with(".toml") {
        of_file(options)
    } else if is_id(&options.asked) {
        of_claims(catalogue, options)
    } else {
        of_statement(options)
    }
}

/// An id or a pattern of ids holds no comparison.
fn is_id(text: &str) -> bool {
    !text.contains(['<', '>', '=', '≤', '≥'])
}

fn of_statement(options: &Power) -> Result<Status, Trouble> {
    let texts = Texts::of(&options.asked).ranging(&options.ranges).given(&options.conditions);
    let found = statements::power(&texts, plan(options)).map_err(|e| Trouble::Unusable(e.to_string()))?;
    print(&found.to_string())?;
    Ok(if found.refuted.is_some() { Status::Changed } else { Status::AsExpected })
}

fn plan(options: &Power) -> statements::Options {
    statements::Options { seed: options.seed, budget: options.budget }
}

/// The statements of a file, one after another.
fn of_file(options: &Power) -> Result<Status, Trouble> {
    let typed = statements::catalogue::typed(Path::new(&options.asked), options.seed);
    let mut status = Status::AsExpected;
    for stated in typed.map_err(|e| Trouble::Unusable(e.to_string()))? {
        tell!("{} at the {} budget:", stated.id, options.budget);
        let found = statements::power(&stated.texts, plan(options)).map_err(|e| Trouble::Unusable(e.to_string()))?;
        print(&found.to_string())?;
        if found.refuted.is_some() && !stated.fails {
            status = Status::Changed;
        }
    }
    Ok(status)
}

fn of_claims(catalogue: &Catalogue, options: &Power) -> Result<Status, Trouble> {
    let selection = Selection { ids: vec![options.asked.clone()], ..Selection::default() };
    let chosen = select(catalogue.claims(), &selection)?;
    let fixtures = catalogue.fixtures_to_read(options.fixtures.as_ref())?;
    let witnesses = WitnessStore::load(&fixtures.path("witnesses")).map_err(cli::Trouble::from)?;
    let plan = Plan { seed: options.seed, budget: options.budget };
    for claim in chosen {
        tell!("{} at the {} budget:", claim.id, plan.budget);
        for check in run::strength(claim, plan, &fixtures, &witnesses, &Silent) {
            say!("{}.{}  {}", claim.id, check.check, check.statement)?;
            for line in check.in_words() {
                say!("  {line}")?;
            }
            if !check.is_tested() {
                say!("  no similar statement is refuted on these instances: that it stands is weak evidence")?;
            }
        }
    }
    Ok(Status::AsExpected)
}
