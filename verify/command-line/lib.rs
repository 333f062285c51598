//! The program over the catalogue of four papers: what every catalogue can be asked ([`cli`]), and commands of its own: `bounds` (what the
//! theory says about embeddings), `try` and `power` (statements typed as text), `certify` (counterexamples as theorems of Coq), `site`, `figures`, `convergence`, `quality` (planted errors).
//! `contrapositive --help` lists them all; the repository's `docs` has a page for each.

// What is printed can fail; the macros for it that cannot say so would end in a panic.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod arguments;
mod bounds;
pub mod catalogue;
mod certify;
mod convergence;
#[cfg(feature = "figures")]
mod figures;
pub mod notes;
pub mod planted_errors;
mod power;
mod quality;
pub mod restatements;
#[cfg(feature = "site")]
mod site;
mod status;
mod r#try;
#[cfg(not(all(feature = "figures", feature = "site")))]
mod without;

use std::process::ExitCode;

use clap::CommandFactory;
// What the command line of every catalogue holds, called as if it stood here.
use cli::report::finish;
use cli::storage::{sealed, shard};
use cli::terminal::{console, interruption, threads};
use cli::words::{seed, select};
use cli::{Catalogue, foreign};

use arguments::{Arguments, Command};
pub use status::Status;
use status::Trouble;
use threads::on_threads;
#[cfg(not(feature = "figures"))]
use without::figures;
#[cfg(not(feature = "site"))]
use without::site;

/// Parses the arguments of this process, does what they ask, and answers with the exit status.
#[must_use]
pub fn main() -> ExitCode {
    let catalogue = catalogue::catalogue();
    cli::answer(Arguments::command(), |arguments: Arguments| obey(&catalogue, arguments.command.unwrap_or_default()))
}

fn obey(catalogue: &Catalogue, command: Command) -> Result<Status, Trouble> {
    match command {
        Command::Catalogue(cli::Command::Verify(options)) if r#try::are_files(&options.selection.ids) => {
            r#try::verify_files(&options)
        }
        Command::Catalogue(cli::Command::Explain(options)) if r#try::are_files(std::slice::from_ref(&options.id)) => {
            r#try::explain_file(options)
        }
        Command::Catalogue(command) => Ok(cli::obey(catalogue, command, Arguments::command())?),
        Command::Bounds(options) => on_threads(None, || bounds::bounds(&options))?,
        Command::Certify(options) => on_threads(None, || certify::certify(catalogue, &options))?,
        Command::Convergence(options) => convergence::convergence(&options),
        Command::Figures(options) => figures::figures(&options),
        Command::Site(options) => site::site(catalogue, &options),
        Command::Quality(options) => on_threads(None, || quality::quality(&options))?,
        Command::Power(options) => on_threads(None, || power::power(catalogue, &options))?,
        Command::Try(options) => on_threads(None, || r#try::r#try(&options))?,
    }
}
