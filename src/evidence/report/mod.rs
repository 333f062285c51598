//! What a report is made of besides the run, and the run as JSON for programs. Pages for people are made in a package above this one.

mod document;
mod json;
mod register;

pub use json::{SCHEMA as JSON_SCHEMA, json};
pub use register::{Paper, Register, RegisteredStatement};

/// The JSON Schema of reports, for programs in other languages.
pub const SCHEMA: &str = include_str!("schema.json");

/// What a report states besides the evidence: names and values, such as versions and the hash of a data set.
pub type Facts = Vec<(String, String)>;
