//! The command line: arguments become a validated plan, the plan a run, the run a report and an exit status.

// What is printed can fail; the macros for it that cannot say so would end in a panic.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod arguments;
mod baseline;
mod bounds;
pub mod catalogue;
mod console;
mod convergence;
mod costs;
mod explain;
mod figures;
mod finish;
mod foreign;
mod form;
mod format;
mod interruption;
mod journal;
mod junit;
mod list;
mod merge;
mod merge_error;
mod mutate;
pub mod notes;
pub mod planted_errors;
mod portion;
mod progress;
mod quality;
mod replay;
mod sealed;
mod seed;
mod select;
mod shard;
mod shell;
mod site;
mod status;
mod step_summary;
mod stopped;
mod summary;
mod terminal;
mod threads;
mod r#try;
mod unexpected;
mod verify;

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use self::console::tell;
use arguments::{Arguments, Command};
pub use status::Status;
use status::Trouble;
use threads::on_threads;

/// Parses the arguments of this process, does what they ask, and answers with the exit status.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are answers, not errors.
            let _ = error.print();
            let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            return if asked { Status::AsExpected } else { Status::Usage }.into();
        }
    };
    let outcome = interruption::watch().map_err(Trouble::Signals).and_then(|()| {
        let status = obey(arguments.command.unwrap_or_default())?;
        console::finish()?;
        Ok(status)
    });
    match outcome {
        Ok(status) => status.into(),
        // Whoever has gone wants to hear nothing.
        Err(trouble @ Trouble::NobodyReads) => trouble.status().into(),
        Err(trouble) => {
            tell!("error: {trouble}");
            trouble.status().into()
        }
    }
}

fn obey(command: Command) -> Result<Status, Trouble> {
    match command {
        Command::Verify(options) if r#try::names_files(&options) => r#try::verify_files(&options),
        Command::Verify(options) => verify::verify(&options),
        Command::Merge(options) => merge::merge(&options),
        Command::List(options) => list::list(&options),
        Command::Explain(options) => on_threads(None, || explain::explain(&options))?,
        Command::Replay(options) => on_threads(None, || replay::replay(&options))?,
        Command::Bounds(options) => on_threads(None, || bounds::bounds(&options))?,
        Command::Convergence(options) => convergence::convergence(&options),
        Command::Figures(options) => figures::figures(&options),
        Command::Site(options) => site::site(&options),
        Command::Quality(options) => on_threads(None, || quality::quality(&options))?,
        Command::Mutate(options) => on_threads(None, || mutate::mutate(&options))?,
        Command::Try(options) => on_threads(None, || r#try::r#try(&options))?,
        Command::Completions { shell } => shell::completions(shell),
        Command::Manual => shell::manual(),
        Command::Schema => shell::schema(),
    }
}
