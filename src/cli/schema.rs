//! What readers of reports in other languages ask of the program: the JSON Schema.

use evidence::report::SCHEMA;

use super::console;
use super::status::{Status, Trouble};

/// Prints the JSON Schema of reports.
pub fn schema() -> Result<Status, Trouble> {
    console::print(SCHEMA)?;
    Ok(Status::AsExpected)
}
