//! From words to claims and folders.

use std::path::PathBuf;

use evidence::claim::{Claim, Fixtures};
use glob::Pattern;

use super::arguments::Selection;
use super::likeness::closest;
use crate::outcome::status::Trouble;

/// The claims that a selection names, in catalogue order. A plain id and a glob are both patterns.
pub fn select<'a>(claims: &'a [Claim], selection: &Selection) -> Result<Vec<&'a Claim>, Trouble> {
    let mut patterns = Vec::new();
    for pattern in &selection.ids {
        let matcher = Pattern::new(pattern).map_err(|source| Trouble::Pattern { pattern: pattern.clone(), source })?;
        if !claims.iter().any(|c| matcher.matches(c.id)) {
            let hint = closest(pattern, claims.iter().map(|c| c.id));
            return Err(Trouble::NothingSelected(format!("\"{pattern}\"{hint}")));
        }
        patterns.push(matcher);
    }
    let chosen: Vec<&Claim> = claims
        .iter()
        .filter(|c| patterns.is_empty() || patterns.iter().any(|p| p.matches(c.id)))
        .filter(|c| selection.paper.as_ref().is_none_or(|paper| c.paper == paper))
        .filter(|c| selection.kind.is_none_or(|kind| c.kind == kind))
        .filter(|c| selection.verdict.as_ref().is_none_or(|wanted| wanted.contain(c.expected().verdict)))
        .collect();
    if chosen.is_empty() {
        let unknown = selection.paper.as_ref().filter(|p| claims.iter().all(|c| c.paper != *p));
        return Err(Trouble::NothingSelected(match unknown {
            Some(paper) => format!("paper \"{paper}\"{}", closest(paper, claims.iter().map(|c| c.paper))),
            None => "the selection".into(),
        }));
    }
    Ok(chosen)
}

/// The fixtures folder: the one named, or `fixtures` in the current folder or the closest one above it that has witnesses.
pub fn fixtures(named: Option<&PathBuf>) -> Result<Fixtures, Trouble> {
    if let Some(folder) = named {
        return if folder.is_dir() { Ok(Fixtures::at(folder)) } else { Err(Trouble::NoFixtures(folder.clone())) };
    }
    let here =
        std::env::current_dir().map_err(|source| Trouble::Io { action: "cannot find", path: ".".into(), source })?;
    here.ancestors()
        .map(|folder| folder.join("fixtures"))
        .find(|folder| folder.join("witnesses").is_dir())
        .map(Fixtures::at)
        .ok_or_else(|| Trouble::NoFixtures(here.join("fixtures")))
}
