//! Assertions: comparisons, and how they are joined.
//!
//! ```text
//! assertion   = either [implies either]           implies = "=>" | "==>" | "⇒" | "implies" | "\implies" | "\Rightarrow"
//! either      = both (or both)*                   or      = "or" | "∨" | "\lor"
//! both        = plain (and plain)*                and     = "and" | "∧" | "&&" | "\land"
//! plain       = comparison | "(" assertion ")"
//! ```

use super::expected::Expected;
use super::expression::comparison;
use super::scan::Scanner;
use super::syntax::Assertion;

/// The signs and the words of an implication.
pub(super) const IMPLICATIONS: (&[&str], &[&str]) =
    (&["==>", "=>", "⇒"], &["implies", "\\implies", "\\Rightarrow", "\\Longrightarrow"]);

/// Parentheses may also belong to an expression: a comparison is tried first, so that what is inside is read once more for every pair around it.
pub(super) fn assertion(text: &mut Scanner<'_>) -> Option<Assertion> {
    let first = either(text)?;
    if !is_joined(text, IMPLICATIONS.0, IMPLICATIONS.1) {
        return Some(first);
    }
    let second = either(text)?;
    Some(Assertion::Implies(Box::new(first), Box::new(second)))
}

fn either(text: &mut Scanner<'_>) -> Option<Assertion> {
    let mut all = vec![both(text)?];
    while is_joined(text, &["∨"], &["or", "\\lor"]) {
        all.push(both(text)?);
    }
    // Alternatives in parentheses are alternatives like the others.
    let flat = |one| if let Assertion::Any(inner) = one { inner } else { vec![one] };
    let mut all: Vec<Assertion> = all.into_iter().flat_map(flat).collect();
    Some(if all.len() == 1 { all.swap_remove(0) } else { Assertion::Any(all) })
}

fn both(text: &mut Scanner<'_>) -> Option<Assertion> {
    let mut all = vec![plain(text)?];
    while and(text) {
        all.push(plain(text)?);
    }
    Some(if all.len() == 1 { all.swap_remove(0) } else { Assertion::All(all) })
}

fn plain(text: &mut Scanner<'_>) -> Option<Assertion> {
    text.attempt(comparison).or_else(|| text.attempt(|text| text.deeper(parenthesised)))
}

fn parenthesised(text: &mut Scanner<'_>) -> Option<Assertion> {
    text.sign("(").then_some(())?;
    let inner = assertion(text)?;
    text.require(")", Expected::Close)?;
    Some(inner)
}

/// The sign or the word between assertions all of which are meant.
pub(super) fn and(text: &mut Scanner<'_>) -> bool {
    is_joined(text, &["∧", "&&"], &["and", "\\land"])
}

fn is_joined(text: &mut Scanner<'_>, signs: &[&str], words: &[&str]) -> bool {
    signs.iter().any(|sign| text.sign(sign)) || words.iter().any(|word| text.word(word))
}
