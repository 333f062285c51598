//! From text to the syntax tree: this file bounds what is read, and says what was found where it cannot be read on.

use super::declaration::declaration;
use super::expected::Expected;
use super::expression::{comparison, expression};
use super::fault::{Fault, Misfit, Problem};
use super::scan::Scanner;
use super::syntax::{Comparison, Declaration, Expression};

/// The longest text that is read, in characters.
pub const LONGEST: usize = 4_000;

/// A comparison such as `log(1 + x) <= x`.
///
/// # Errors
/// The text is too long or too deep, or the grammar does not allow it.
pub fn statement(text: &str) -> Result<Comparison, Fault> {
    read(text, "the statement", comparison)
}

/// Comparisons, separated by commas; perhaps none.
///
/// # Errors
/// As for [`statement`].
pub fn conditions(text: &str) -> Result<Vec<Comparison>, Fault> {
    read(text, "--where", |text| Some(separated(text, comparison)))
}

/// A single expression.
///
/// # Errors
/// As for [`statement`].
pub fn formula(text: &str) -> Result<Expression, Fault> {
    read(text, "the formula", expression)
}

/// Declarations, separated by commas; perhaps none.
///
/// # Errors
/// As for [`statement`].
pub fn declarations(text: &str) -> Result<Vec<Declaration>, Fault> {
    read(text, "--for", |text| {
        let found = separated(text, declaration);
        if found.is_empty() && text.end().is_none() {
            text.miss_whole(Expected::Declaration);
            return None;
        }
        Some(found)
    })
}

/// Items with commas, semicolons or "and" between them, and perhaps behind the last.
fn separated<'t, T>(text: &mut Scanner<'t>, item: fn(&mut Scanner<'t>) -> Option<T>) -> Vec<T> {
    let mut items = Vec::new();
    while let Some(next) = text.attempt(item) {
        items.push(next);
        let and = ["and", "\\land"].into_iter().any(|word| text.word(word)) || text.sign("∧") || text.sign("&&");
        if !and && !text.sign(";") && text.require(",", Expected::Comma).is_none() {
            break;
        }
    }
    items
}

/// Reads a text to its end.
fn read<'t, T>(text: &'t str, origin: &'static str, grammar: fn(&mut Scanner<'t>) -> Option<T>) -> Result<T, Fault> {
    let length = text.chars().count();
    if length > LONGEST {
        let most = LONGEST;
        return Err(Misfit::at(&(0..text.len()), Problem::TooLong { length, most }).within(text, origin));
    }
    let mut scanner = Scanner::new(text);
    let found = grammar(&mut scanner).filter(|_| scanner.end().is_some());
    let misfit = match (scanner.too_deep(), found) {
        (Some(misfit), _) => misfit,
        (None, None) => unexpected(text, scanner),
        (None, Some(found)) => match scanner.first_doubt() {
            None => return Ok(found),
            Some(doubt) => doubt,
        },
    };
    Err(misfit.within(text, origin))
}

/// What other languages write, and what to write for it.
const TRANSLATED: [(&str, &str); 14] = [
    ("!=", "for `x != 0` try `x > 0` and `x < 0` one after the other"),
    ("≠", "for `x ≠ 0` try `x > 0` and `x < 0` one after the other"),
    ("\\ne", "for `x != 0` try `x > 0` and `x < 0` one after the other"),
    ("=>", "write `>=` for at least; what an implication assumes stands after --where"),
    ("==>", "what an implication assumes stands after --where"),
    ("⇒", "what an implication assumes stands after --where"),
    ("implies", "what an implication assumes stands after --where"),
    ("->", "what an implication assumes stands after --where"),
    ("and", "a statement is one comparison or a chain `a <= b <= c`; try the others one by one"),
    ("&&", "a statement is one comparison or a chain `a <= b <= c`; try the others one by one"),
    ("∧", "a statement is one comparison or a chain `a <= b <= c`; try the others one by one"),
    ("or", "try the cases one by one, each with a condition after --where"),
    ("||", "for a norm write `norm(x)`, for a divergence `kl(p, q)`; cases are tried one by one"),
    (".", "of an object nothing is read but `.T`: write `sum(x)`, `dot(x, y)`, `norm(x)`"),
];

/// Where a text cannot be read on, and what stands there in place of what.
fn unexpected(text: &str, scanner: Scanner<'_>) -> Misfit {
    let (start, expected) = scanner.missed();
    // There is more white space in Unicode than in the language.
    let rest = text[start..].trim_start();
    let start = text.len() - rest.len();
    let (found, length) = first_token(rest);
    let bars = found == "`|`" || found == "`‖`";
    if let Some((sign, meant)) = TRANSLATED.iter().find(|(sign, _)| rest.starts_with(sign)) {
        return Misfit::at(&(start..start + sign.len()), Problem::Translated((*sign).to_owned(), meant));
    }
    let problem = match bare_function(&text[..start]).filter(|_| bars) {
        Some(word) => Problem::WantsParentheses(word),
        None => Problem::Unexpected { found, expected },
    };
    Misfit::at(&(start..start + length), problem)
}

/// The function whose name ends a text.
fn bare_function(text: &str) -> Option<String> {
    let text = text.trim_end();
    let from =
        text.char_indices().rev().take_while(|(_, c)| c.is_alphanumeric() || *c == '_').last().map(|(at, _)| at)?;
    let word = text.get(from..)?;
    super::words::word(word).map(|_| word.to_owned())
}

/// What stands at the front of a text, in words, and how many bytes it takes.
fn first_token(rest: &str) -> (String, usize) {
    let Some(first) = rest.chars().next() else {
        return ("the end".into(), 0);
    };
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let length = if part(first) { rest.find(|c| !part(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
    (format!("`{}`", &rest[..length]), length)
}
