//! Standard output and standard error: a full disk or a reader that has gone is an error there and never a panic, and nothing that
//! came from a file steers the terminal.

use std::fmt;
use std::io::{self, Write};

use super::standard_output;
use crate::outcome::status::Trouble;
use pages::foreign::tame;

/// Prints one line of the answer on standard output, or answers with why it cannot be had.
#[macro_export]
macro_rules! say {
    ($($words:tt)*) => { $crate::terminal::console::answer(format_args!($($words)*)) };
}

/// Prints one line about the work on standard error; what nobody can read is not said.
#[macro_export]
macro_rules! tell {
    ($($words:tt)*) => { $crate::terminal::console::remark(format_args!($($words)*)) };
}

pub use crate::{say, tell};

/// One line of the answer.
///
/// # Errors
/// Standard output cannot be written, or nobody reads it any more.
pub fn answer(words: fmt::Arguments<'_>) -> Result<(), Trouble> {
    print(&format!("{words}\n"))
}

/// Text on standard output, as it is but for what steers terminals.
///
/// # Errors
/// Standard output cannot be written, or nobody reads it any more.
pub fn print(text: &str) -> Result<(), Trouble> {
    print_styled(&tame(text))
}

/// Text on standard output that has been made fit for a terminal already, its colours included.
///
/// # Errors
/// Standard output cannot be written, or nobody reads it any more.
pub fn print_styled(text: &str) -> Result<(), Trouble> {
    if standard_output::was_closed() {
        return Err(Trouble::output(io::Error::new(io::ErrorKind::NotConnected, "it is closed")));
    }
    io::stdout().lock().write_all(text.as_bytes()).map_err(Trouble::output)
}

/// Whatever of the answer is still held back.
///
/// # Errors
/// Standard output cannot be written, or nobody reads it any more.
pub fn finish() -> Result<(), Trouble> {
    io::stdout().lock().flush().map_err(Trouble::output)
}

/// One line about the work.
pub fn remark(words: fmt::Arguments<'_>) {
    let line = format!("{words}\n");
    let _ = io::stderr().lock().write_all(tame(&line).as_bytes());
}
