//! The command line: arguments become a validated plan, the plan a run, the run a report and an exit status.

mod arguments;
mod bounds;
mod convergence;
mod explain;
mod list;
mod mutate;
mod progress;
mod quality;
mod replay;
mod select;
mod status;
mod threads;
mod verify;

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use arguments::{Arguments, Command};
pub use status::Status;

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
    let outcome = match arguments.command.unwrap_or_default() {
        Command::Verify(options) => verify::verify(&options),
        Command::List(options) => list::list(&options),
        Command::Explain(options) => explain::explain(&options),
        Command::Replay(options) => replay::replay(&options),
        Command::Bounds(options) => bounds::bounds(&options),
        Command::Convergence(options) => convergence::convergence(&options),
        Command::Quality(options) => quality::quality(&options),
        Command::Mutate(options) => mutate::mutate(&options),
    };
    match outcome {
        Ok(status) => status.into(),
        Err(trouble) => {
            eprintln!("error: {trouble}");
            trouble.status().into()
        }
    }
}
