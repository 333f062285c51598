//! The catalogue as a program: `cargo run -p classics -- verify`.

use std::process::ExitCode;

fn main() -> ExitCode {
    contrapositive::cli::main(classics::claims())
}
