//! From text to the syntax tree: this file bounds what is read, and says what was found where it cannot be read on.

use super::assertion::{IMPLICATIONS, and, assertion};
use super::declaration::declaration;
use super::expected::Expected;
use super::expression::expression;
use super::fault::{Fault, Misfit, Problem};
use super::scan::{Scanner, is_raised_or_lowered};
use super::syntax::{Assertion, Declaration, Expression};

/// The longest text that is read, in characters.
pub const LONGEST: usize = 4_000;

/// A comparison such as `log(1 + x) <= x`, or several, joined by `or` and `=>`.
///
/// # Errors
/// The text is too long or too deep, or the grammar does not allow it.
pub fn statement(text: &str) -> Result<Assertion, Fault> {
    read(text, "the statement", assertion)
}

/// Comparisons, joined or separated by commas; perhaps none.
///
/// # Errors
/// As for [`statement`].
pub fn conditions(text: &str) -> Result<Vec<Assertion>, Fault> {
    read(text, "--where", |text| Some(separated(text, assertion)))
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
        if !and(text) && !text.sign(";") && text.require(",", Expected::Comma).is_none() {
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

const JOINS: &str =
    "it joins comparisons, in the statement and in --where (`x > 1 or x < -1`), but not ranges in --for";

const A_SUM: &str = "a sum is written out, `x_1 + x_2`, or with an index, `sum(i in 1..n, x[i])`";
const DIFFERS: &str = "it compares two sides and cannot be part of a chain (write `x <= y and y != z`); in --for \
                       write the range, and `x != 0` in --where";

/// What is written for two implications in a row.
const IN_A_ROW: &str =
    "for several in a row write `a and b => c` in place of `a => (b => c)`, or try `a => b` and `b => c` separately";

/// What other languages write, and what to write for it.
const TRANSLATED: [(&str, &str); 22] = [
    ("=>", "write `>=` for at least; an implication joins comparisons, `x > 0 => x^2 > 0`"),
    ("<=>", "try `a => b` and `b => a` separately"),
    ("iff", "try `a => b` and `b => a` separately"),
    ("->", "an implication is written `=>` or `implies`"),
    (
        "for",
        "ranges of variables go into --for: `--for 'x in [0, 1]'`; `for all i in 1..n: x[i] >= y[i]` is written \
         `min(i in 1..n, x[i] - y[i]) >= 0`, a condition on every entry of a vector `max(x) <= 1`",
    ),
    (
        "in",
        "ranges go into --for; elsewhere write `0 <= x <= 1`, and `eigmin(A - B) >= 0` for a positive semidefinite \
         `A - B`",
    ),
    (
        "if",
        "conditions go into --where; a piecewise function is written with `max`, `min`, `abs`, `relu` or `sign`, or \
         tried piece by piece",
    ),
    ("where", "conditions go into --where"),
    ("let", "write it among the declarations: `--for 'let s = x + 1'`"),
    ("not", "write the negation: `x > 1` for `not x <= 1`, `x != 1` for `not x = 1`"),
    ("||", "for a norm write `norm(x)`, for a divergence `kl(p, q)`, for one of two comparisons `or`"),
    ("or", JOINS),
    ("∨", JOINS),
    ("\\lor", JOINS),
    ("!=", DIFFERS),
    ("≠", DIFFERS),
    ("\\ne", DIFFERS),
    ("\\not", "that two numbers differ is written `x != y`"),
    ("\\cdots", A_SUM),
    ("\\ldots", A_SUM),
    ("\\dots", A_SUM),
    (".", "only the attribute `.T` is read: write `sum(x)`, `dot(x, y)`, `norm(x)`"),
];

/// Where a text cannot be read on, and what stands there in place of what.
fn unexpected(text: &str, scanner: Scanner<'_>) -> Misfit {
    let (start, expected) = scanner.missed();
    // There is more white space in Unicode than in the language.
    let rest = text[start..].trim_start();
    let start = text.len() - rest.len();
    let (found, length) = first_token(rest);
    let bars = found == "`|`" || found == "`‖`";
    let stands = |sign: &str| {
        let is_word = sign.ends_with(|c: char| c.is_alphabetic());
        rest.strip_prefix(sign)
            .is_some_and(|behind| !(is_word && behind.starts_with(|c: char| c.is_alphanumeric() || c == '_')))
    };
    // The sign before it was read as a minus.
    if rest.starts_with('>') && text[..start].ends_with('-') {
        let meant = TRANSLATED.iter().find(|(sign, _)| *sign == "->").map_or("", |(_, meant)| meant);
        return Misfit::at(&(start - 1..start + 1), Problem::Translated("->".to_owned(), meant));
    }
    let implications = || IMPLICATIONS.0.iter().chain(IMPLICATIONS.1);
    let is_second = implications().any(|sign| text[..start].contains(sign));
    if let Some(sign) = implications().find(|sign| is_second && stands(sign)) {
        return Misfit::at(&(start..start + sign.len()), Problem::Translated((*sign).to_owned(), IN_A_ROW));
    }
    if let Some((sign, meant)) = TRANSLATED.iter().find(|(sign, _)| stands(sign)) {
        return Misfit::at(&(start..start + sign.len()), Problem::Translated((*sign).to_owned(), meant));
    }
    if let Some(letter) = rest.chars().next().filter(|&c| is_raised_or_lowered(c)) {
        const MEANT: &str = "a power is written `2^n`, an index `x[i]`";
        return Misfit::at(&(start..start + letter.len_utf8()), Problem::Translated(letter.to_string(), MEANT));
    }
    let is_factor = rest.starts_with(|c: char| c.is_alphabetic() || matches!(c, '(' | '‖' | '|' | '√' | '\\'));
    let follows =
        text[..start].trim_end().ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | ']' | '}' | '‖' | '|'));
    if is_factor && follows && expected.contains(&"an operator") && bare_function(&text[..start]).is_none() {
        return Misfit::at(&(start..start + length), Problem::Unmultiplied(found));
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
