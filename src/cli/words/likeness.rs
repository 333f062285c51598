//! Which known name an unknown one was perhaps meant to be.

use evidence::claim::Kind;

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
    let mut names: Vec<(f64, &str)> = known.map(|name| (likeness(name), name)).filter(|(l, _)| *l >= ALIKE).collect();
    names.sort_by(|(a, x), (b, y)| b.total_cmp(a).then_with(|| x.cmp(y)));
    names.dedup();
    let named: Vec<&str> = names.into_iter().take(OFFERED).map(|(_, name)| name).collect();
    if named.is_empty() { String::new() } else { format!("; did you mean {}?", named.join(" or ")) }
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
        assert_eq!(closest("paper", ["papers", "papers"].into_iter()), "; did you mean papers?");
    }
}
