//! Names that nobody declared, and declared names that nobody uses: where one may have been meant by the other, it is said and not guessed.

use super::domain::Variable;
use crate::text::fault::{Misfit, Problem};
use crate::text::syntax::Span;

/// A name that became a real number because nothing else was said of it.
#[derive(Clone, Debug)]
pub(crate) struct Undeclared {
    pub(crate) name: String,
    /// Where it stands first.
    pub(crate) span: Span,
    /// The indices of the sums in which it stands.
    pub(crate) indices: Vec<String>,
}

/// How alike two long names must be for one to be meant by the other.
const ALIKE: f64 = 0.92;

/// What may have been meant by the first of these names by which something may have been, among all variables, of which the first so many are
/// declared: its place, and the fault.
pub(crate) fn misread(names: &[Undeclared], variables: &[Variable], declared: usize) -> Option<(usize, Misfit)> {
    let all: Vec<&str> = variables.iter().map(|v| v.name.as_str()).collect();
    let one = |(place, undeclared): (usize, &Undeclared)| {
        let Undeclared { name, span, indices } = undeclared;
        let meant = product(name, &all).or_else(|| entry(name, &all[..declared], indices)).or_else(|| {
            let like = all[..declared].iter().find(|known| is_like(name, known))?;
            Some(format!("write `{like}`, which is declared"))
        })?;
        let problem = Problem::Undeclared { name: name.clone(), meant };
        Some((place, Misfit::at(span, problem)))
    };
    names.iter().enumerate().find_map(one)
}

/// Longer names are no products of others.
const LONGEST: usize = 12;

/// A name that is other names, one after the other.
fn product(name: &str, all: &[&str]) -> Option<String> {
    if name.len() > LONGEST {
        return None;
    }
    let others: Vec<&str> = all.iter().copied().filter(|known| *known != name).collect();
    let factors = factors(name, &others)?;
    Some(format!("write `{}` for the product", factors.join("*")))
}

fn factors<'t>(name: &'t str, all: &[&str]) -> Option<Vec<&'t str>> {
    if name.is_empty() {
        return Some(Vec::new());
    }
    // The longest first.
    let lengths = (1..=name.len()).rev().filter(|&at| name.is_char_boundary(at));
    lengths.into_iter().find_map(|at| {
        let (first, rest) = name.split_at(at);
        let mut found = all.contains(&first).then(|| vec![first])?;
        found.extend(factors(rest, all)?);
        Some(found)
    })
}

/// A declared name, or one under a sum, with an index behind it: `x_1`, `x1`, `x₁`, `x_i`.
fn entry(name: &str, declared: &[&str], indices: &[String]) -> Option<String> {
    let (base, index) = match name.rsplit_once('_') {
        Some((base, index)) => (base, index.to_owned()),
        None => {
            let base = name.trim_end_matches(|c: char| c.is_ascii_digit() || ('₀'..='₉').contains(&c));
            (base, name[base.len()..].to_owned())
        }
    };
    let plain: String = index.chars().map(|c| if ('₀'..='₉').contains(&c) { plain_digit(c) } else { c }).collect();
    let is_number = !plain.is_empty() && plain.chars().all(|c| c.is_ascii_digit());
    let is_index = indices.contains(&plain);
    if base.is_empty() || !(is_index || is_number && declared.contains(&base)) {
        return None;
    }
    Some(format!("write `{base}[{plain}]` for an entry of a vector `{base}`"))
}

fn plain_digit(c: char) -> char {
    char::from_digit(c as u32 - '₀' as u32, 10).unwrap_or(c)
}

/// The same letters in another case, or two long names that differ by little.
fn is_like(name: &str, known: &str) -> bool {
    let (name, known) = (name.to_lowercase(), known.to_lowercase());
    name == known || name.len().min(known.len()) >= 4 && strsim::jaro_winkler(&name, &known) >= ALIKE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_others_and_into_an_index() {
        assert_eq!(product("xy", &["x", "y", "xy"]).as_deref(), Some("write `x*y` for the product"));
        assert_eq!(product("abc", &["a", "b", "ab", "c"]).as_deref(), Some("write `ab*c` for the product"));
        assert_eq!(product("xx", &["x"]).as_deref(), Some("write `x*x` for the product"));
        assert_eq!(product("xz", &["x", "y"]), None);
        let told = |name: &str, declared: &[&str], indices: &[&str]| {
            entry(name, declared, &indices.iter().map(|&i| i.to_owned()).collect::<Vec<_>>())
        };
        assert!(told("x_1", &["x"], &[]).is_some_and(|t| t.contains("`x[1]`")));
        assert!(told("x₁₂", &["x"], &[]).is_some_and(|t| t.contains("`x[12]`")));
        assert!(told("x3", &["x"], &[]).is_some() && told("x_i", &[], &["i"]).is_some());
        assert!(
            told("x_1", &["y"], &[]).is_none()
                && told("x_i", &["x"], &[]).is_none()
                && told("_1", &["x"], &[]).is_none()
        );
    }
}
