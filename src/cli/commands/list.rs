//! `list`: one line for each claim.

use console::{Term, truncate_str};
use evidence::claim::Claim;
use serde_json::{Value, json};

use crate::catalogue::Catalogue;
use crate::outcome::status::{Status, Trouble};
use crate::terminal::console::say;
use crate::words::arguments::{List, TextFormat};
use crate::words::select::select;

/// Version of the JSON form.
const SCHEMA: u32 = 1;

/// Prints id, expected verdict, number, title and kind; on a terminal each in a line of its width, elsewhere in full.
pub fn list(catalogue: &Catalogue, options: &List) -> Result<Status, Trouble> {
    let claims = catalogue.claims();
    let chosen = select(claims, &options.selection)?;
    let listed = catalogue.register().ids().len();
    if options.format == TextFormat::Json {
        let claims: Vec<Value> = chosen.iter().map(|claim| as_json(claim)).collect();
        say!("{:#}", json!({"schema": SCHEMA, "registered": listed, "claims": claims}))?;
        return Ok(Status::AsExpected);
    }
    let terminal = Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    let width = chosen.iter().map(|c| c.id.len()).max().unwrap_or(0);
    for claim in &chosen {
        let expected = claim.expected().verdict;
        let number = claim.source.as_ref().map_or("", |s| s.number);
        let reconstructed = if claim.reconstructed.is_some() { ", of a reconstruction" } else { "" };
        let line = format!(
            "{:width$}  {:10}  {number}: {}  [{}{reconstructed}]",
            claim.id,
            expected.to_string(),
            claim.title,
            claim.kind,
        );
        match terminal {
            Some(columns) => say!("{}", truncate_str(&line, columns, "…"))?,
            None => say!("{line}")?,
        }
    }
    if options.selection.is_everything() {
        say!("\n{} of {listed} statements are in the catalogue.", chosen.len())?;
    }
    Ok(Status::AsExpected)
}

fn as_json(claim: &Claim) -> Value {
    let checks: Vec<Value> = claim
        .checks()
        .iter()
        .map(|check| {
            json!({
                "id": check.id,
                "role": check.role,
                "statement": check.statement,
                "expected": check.expectation.verdict,
            })
        })
        .collect();
    json!({
        "id": claim.id,
        "paper": claim.paper,
        "number": claim.source.as_ref().map(|source| source.number),
        "title": claim.title,
        "kind": claim.kind,
        "statement": claim.statement,
        "expected": claim.expected().verdict,
        "reconstructed": claim.reconstructed,
        "checks": checks,
    })
}
