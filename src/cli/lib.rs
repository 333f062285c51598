//! The command line of any catalogue of claims: arguments become a validated plan, the plan a run, the run a report and an exit status.
//!
//! A catalogue of one's own is a program of one line:
//!
//! ```no_run
//! # fn claims() -> Vec<evidence::claim::Claim> { Vec::new() }
//! fn main() -> std::process::ExitCode {
//!     contrapositive_cli::main(claims())
//! }
//! ```
//!
//! It verifies, in shards on many machines if need be, lists, explains and replays, and writes its report for people, as JSON, as JUnit and
//! for the summary of a CI step. A [`Catalogue`] says more than a list of claims does: a name, a version, a register of statements, data sets.
//! A program with commands of its own flattens [`Command`] into them, starts by [`answer`] and hands what is not its own to [`obey`].

// What is printed can fail; the macros for it that cannot say so would end in a panic.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod catalogue;
pub mod commands;
pub mod outcome;
pub mod report;
pub mod storage;
pub mod terminal;
pub mod words;

use std::borrow::Cow;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser};

pub use catalogue::{Catalogue, Examine};
pub use outcome::merge_error::MergeError;
pub use outcome::status::{Status, Trouble};
pub use pages::foreign;
pub use storage::carried::Carried;
pub use words::arguments::Command;

use commands::{explain, list, merge, mutate, replay, schema, verify};
use foreign::tame;
use terminal::threads::on_threads;
use terminal::{console, interruption, pipe, standard_output, threads};
use words::{arguments, shell};

/// A catalogue of executable claims: tests statements and shows the evidence for each verdict.
#[derive(Debug, Parser)]
#[command(about, after_help = arguments::EXIT_STATUS)]
struct Arguments {
    /// What to do; without a command, `verify` at the standard budget.
    #[command(subcommand)]
    command: Option<Command>,
}

/// The program of a catalogue: parses the arguments of this process, does what they ask, and answers with the exit status.
#[must_use]
pub fn main(catalogue: impl Into<Catalogue>) -> ExitCode {
    let catalogue = catalogue.into();
    let words = Arguments::command()
        .display_name(catalogue.name().to_owned())
        .bin_name(catalogue.name().to_owned())
        .version(catalogue.version());
    answer(words.clone(), |arguments: Arguments| obey(&catalogue, arguments.command.unwrap_or_default(), words))
}

/// Parses the arguments of this process by these words, takes signals, does what is asked, and answers with the exit status.
#[must_use]
pub fn answer<A, E>(words: clap::Command, obey: impl FnOnce(A) -> Result<Status, E>) -> ExitCode
where
    A: FromArgMatches,
    E: From<Trouble> + Refusal,
{
    evidence::writing::remember_closed(standard_output::were_closed());
    let parsed = words.try_get_matches().and_then(|mut found| A::from_arg_matches_mut(&mut found));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => return words_of(&error).into(),
    };
    pipe::tell_of_named_ones();
    let watched = interruption::watch().map_err(Trouble::Signals);
    let ready = watched.and_then(|()| threads::check_environment()).map_err(E::from);
    let outcome = ready.and_then(|()| {
        let status = obey(arguments)?;
        console::finish()?;
        Ok(status)
    });
    match outcome {
        Ok(status) => status.into(),
        Err(trouble) => {
            let status = Refusal::status(&trouble);
            // The reader is gone: no message.
            if status != Status::NobodyReads {
                tell!("error: {trouble}");
            }
            status.into()
        }
    }
}

/// Says what came of arguments that are no command: help and version are answers, what is left is an error.
fn words_of(error: &clap::Error) -> Status {
    // What clap styles is obeyed by a terminal, and so would be what an argument holds: then nothing is styled.
    let is_plain = std::env::args_os().all(|word| matches!(tame(&word.to_string_lossy()), Cow::Borrowed(_)));
    let styled = |colours: bool| match colours && is_plain {
        true => error.render().ansi().to_string(),
        false => tame(&error.render().to_string()).into_owned(),
    };
    if !matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        let _ = io::stderr().lock().write_all(styled(::console::colors_enabled_stderr()).as_bytes());
        return Status::Usage;
    }
    match console::print_styled(&styled(::console::colors_enabled())).and_then(|()| console::finish()) {
        Ok(()) => Status::AsExpected,
        Err(trouble) => {
            let status = trouble.status();
            if status != Status::NobodyReads {
                tell!("error: {trouble}");
            }
            status
        }
    }
}

/// Why a program could not do what was asked; a sentence, and the exit status that goes with it.
pub trait Refusal: std::error::Error {
    /// The exit status.
    fn status(&self) -> Status;
}

impl Refusal for Trouble {
    fn status(&self) -> Status {
        Trouble::status(self)
    }
}

/// Does what a command asks of a catalogue. The words are those of the whole program, for completions and the manual.
///
/// # Errors
/// Why it could not be done.
pub fn obey(catalogue: &Catalogue, command: Command, words: clap::Command) -> Result<Status, Trouble> {
    match command {
        Command::Verify(options) => verify::verify(catalogue, &options),
        Command::Merge(options) => merge::merge(catalogue, &options),
        Command::List(options) => list::list(catalogue, &options),
        Command::Explain(options) => on_threads(None, || explain::explain(catalogue, &options))?,
        Command::Replay(options) => on_threads(None, || replay::replay(catalogue, &options))?,
        Command::Mutate(options) => on_threads(None, || mutate::mutate(catalogue, &options))?,
        Command::Completions { shell } => shell::completions(shell, words, catalogue.name(), catalogue.claims()),
        Command::Manual => shell::manual(words),
        Command::Schema => schema::schema(),
    }
}
