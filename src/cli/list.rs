//! `list`: one line for each claim.

use console::{Term, truncate_str};

use super::arguments::Selection;
use super::catalogue::Catalogue;
use super::console::say;
use super::select::select;
use super::status::{Status, Trouble};

/// Prints id, expected verdict, number, title and kind; on a terminal each in a line of its width, elsewhere in full.
pub fn list(catalogue: &Catalogue, selection: &Selection) -> Result<Status, Trouble> {
    let claims = catalogue.claims();
    let chosen = select(claims, selection)?;
    let terminal = Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    let width = chosen.iter().map(|c| c.id().len()).max().unwrap_or(0);
    for claim in &chosen {
        let expected = claim.expected().verdict;
        let number = claim.printed_at().map_or("", |s| s.number);
        let line = format!(
            "{:width$}  {:10}  {number}: {}  [{}]",
            claim.id(),
            expected.to_string(),
            claim.title(),
            claim.kind(),
        );
        match terminal {
            Some(columns) => say!("{}", truncate_str(&line, columns, "…"))?,
            None => say!("{line}")?,
        }
    }
    if selection.is_everything() {
        let register = catalogue.register();
        let listed = register.ids().len();
        say!("\n{} of {listed} statements are in the catalogue.", chosen.len())?;
    }
    Ok(Status::AsExpected)
}
