//! `contrapositive`: runs the catalogue of claims and writes the report.

use std::process::ExitCode;

fn main() -> ExitCode {
    contrapositive_command_line::main()
}
