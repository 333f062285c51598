//! Renderers of a run: Markdown for people, JSON for programs. Neither holds anything that the records do not.

mod curves;
mod document;
mod json;
mod ledger;
mod markdown;
mod register;
mod text;

pub use json::{SCHEMA as JSON_SCHEMA, json};
pub use markdown::markdown;
pub use register::{Entry, Paper, Register};

/// What a report states besides the evidence: names and values, such as versions and the hash of a data set.
pub type Facts = Vec<(String, String)>;
