//! `list`: one line for each claim.

use super::arguments::Selection;
use super::console::say;
use super::select::select;
use super::status::{Status, Trouble};
use crate::catalogue;

/// Prints id, kind, expected verdict, number and title.
pub fn list(selection: &Selection) -> Result<Status, Trouble> {
    let claims = catalogue::claims();
    let chosen = select(&claims, selection)?;
    let width = chosen.iter().map(|c| c.id().len()).max().unwrap_or(0);
    for claim in &chosen {
        let expected = claim.expected().verdict;
        let number = claim.printed_at().map_or("", |s| s.number);
        say!(
            "{:width$}  {:17}  {:12}  {} ({number})",
            claim.id(),
            claim.kind().to_string(),
            expected.to_string(),
            claim.title(),
        )?;
    }
    if selection.is_everything() {
        let register = catalogue::register();
        let listed = register.ids().len();
        say!(
            "\n{} of {listed} statements of the four papers are in the catalogue.",
            chosen.len()
        )?;
    }
    Ok(Status::AsExpected)
}
