//! From words to claims and folders.

use std::path::PathBuf;

use evidence::claim::{Claim, Fixtures, Kind};
use globset::Glob;

use super::arguments::Selection;
use super::status::Trouble;

/// The claims that a selection names, in catalogue order. A plain id and a glob are both patterns.
pub fn select<'a>(claims: &'a [Claim], selection: &Selection) -> Result<Vec<&'a Claim>, Trouble> {
    let mut patterns = Vec::new();
    for pattern in &selection.ids {
        let glob = Glob::new(pattern).map_err(|source| Trouble::Pattern {
            pattern: pattern.clone(),
            source,
        })?;
        let matcher = glob.compile_matcher();
        if !claims.iter().any(|c| matcher.is_match(c.id())) {
            let hint = closest(pattern, claims.iter().map(Claim::id));
            return Err(Trouble::NothingSelected(format!("\"{pattern}\"{hint}")));
        }
        patterns.push(matcher);
    }
    let chosen: Vec<&Claim> = claims
        .iter()
        .filter(|c| patterns.is_empty() || patterns.iter().any(|p| p.is_match(c.id())))
        .filter(|c| selection.paper.as_ref().is_none_or(|paper| c.paper() == paper))
        .filter(|c| selection.kind.is_none_or(|kind| c.kind() == kind))
        .filter(|c| selection.verdict.is_none_or(|verdict| c.expected().verdict == verdict))
        .collect();
    if chosen.is_empty() {
        let unknown = selection
            .paper
            .as_ref()
            .filter(|p| claims.iter().all(|c| c.paper() != *p));
        return Err(Trouble::NothingSelected(match unknown {
            Some(paper) => format!("paper \"{paper}\"{}", closest(paper, claims.iter().map(Claim::paper))),
            None => "the selection".into(),
        }));
    }
    Ok(chosen)
}

/// A kind of statement by its name.
///
/// # Errors
/// There is none of that name; those that there are, and the one that was perhaps meant.
pub fn kind(name: &str) -> Result<Kind, String> {
    name.parse().map_err(|unknown: String| {
        let kinds: Vec<String> = Kind::all().map(|kind| kind.to_string()).collect();
        format!("{unknown}{}", closest(name, kinds.iter().map(String::as_str)))
    })
}

/// The most names that are offered in place of an unknown one.
const OFFERED: usize = 3;

/// How alike two names have to be, from 0 to 1, for one to be offered in place of the other.
const ALIKE: f64 = 0.85;

/// The known names that a word was perhaps meant to be, as the end of a sentence; empty if there is none. The part of a name behind its
/// first dot is a name as well.
pub fn closest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    let likeness = |name: &str| {
        let inner = name.split_once('.').map_or(name, |(_, inner)| inner);
        strsim::jaro_winkler(word, name).max(strsim::jaro_winkler(word, inner))
    };
    let mut names: Vec<(f64, &str)> = known
        .map(|name| (likeness(name), name))
        .filter(|(l, _)| *l >= ALIKE)
        .collect();
    names.sort_by(|(a, x), (b, y)| b.total_cmp(a).then_with(|| x.cmp(y)));
    names.dedup();
    let named: Vec<&str> = names.into_iter().take(OFFERED).map(|(_, name)| name).collect();
    if named.is_empty() {
        String::new()
    } else {
        format!("; did you mean {}?", named.join(" or "))
    }
}

/// The fixtures folder: the one named, or `fixtures` in the current folder or the closest one above it that has witnesses.
pub fn fixtures(named: Option<&PathBuf>) -> Result<Fixtures, Trouble> {
    if let Some(folder) = named {
        return if folder.is_dir() {
            Ok(Fixtures::at(folder))
        } else {
            Err(Trouble::NoFixtures(folder.clone()))
        };
    }
    let here = std::env::current_dir().map_err(|source| Trouble::Io {
        action: "cannot find",
        path: ".".into(),
        source,
    })?;
    here.ancestors()
        .map(|folder| folder.join("fixtures"))
        .find(|folder| folder.join("witnesses").is_dir())
        .map(Fixtures::at)
        .ok_or_else(|| Trouble::NoFixtures(here.join("fixtures")))
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn a_slip_of_the_pen_is_understood() {
        let known = || ["merad2020.lemma-1", "merad2020.lemma-2", "wen2020.theorem-4.2"].into_iter();
        assert!(closest("merad2020.lema-2", known()).starts_with("; did you mean merad2020.lemma-2"));
        assert_eq!(closest("theorem-4.2", known()), "; did you mean wen2020.theorem-4.2?");
        assert_eq!(closest("zebra", known()), "");
        assert_eq!(
            closest("paper", ["papers", "papers"].into_iter()),
            "; did you mean papers?"
        );
    }
}
