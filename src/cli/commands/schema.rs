//! What readers of reports in other languages ask of the program: the JSON Schema.

use evidence::report::SCHEMA;

use crate::outcome::status::{Status, Trouble};
use crate::terminal::console;

/// Prints the JSON Schema of reports.
pub fn schema() -> Result<Status, Trouble> {
    console::print(SCHEMA)?;
    Ok(Status::AsExpected)
}
