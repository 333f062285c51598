//! A text, read from left to right: blanks, signs, names and numbers, and how far and how deep it was read.
//!
//! ```text
//! blank       = " " | tab | carriage return | line feed | no-break space              any number before each of the following
//! name        = ["\\"] letter part* [("{" ["\\"] part+ "}" | "\\" part+), where "_" comes before it], but not "in", a word that joins,
//!               or a sign of TeX
//! letter      = a letter of Unicode that is neither raised nor lowered | "∞" | "∑" | "∏"
//! part        = a letter of Unicode that is neither raised nor lowered | digit | "_" | ₀ to ₉
//! number      = (digit+ ["." digit+] | "." digit+) [("e" | "E") ["+" | "-"] digit+]
//! superscript = ["⁻"] (⁰ to ⁹)+
//! membership  = "∈" | "in", where no part of a name follows
//! factorial   = "!", where neither "!" nor "=" follows
//! ```

use std::collections::BTreeMap;

use super::expected::{Expected, Farthest};
use super::fault::{Misfit, Problem};
use super::syntax::{Expression, Span};

/// How deep functions, brackets, bars, powers and roots may stand in one another.
const DEEPEST: usize = 128;

/// A text, and how far it was read.
pub(super) struct Scanner<'t> {
    text: &'t str,
    /// Behind what was read last.
    at: usize,
    farthest: Farthest,
    /// What can be read in two ways, in the order in which it was read.
    doubts: Vec<Misfit>,
    /// What was read by [`Scanner::once`], by where it begins.
    once: BTreeMap<usize, OnceRead>,
    depth: usize,
    /// Where that was more than is followed.
    too_deep: Option<Misfit>,
}

/// How the reading of an expression went: what it is, where it ends, and the doubts that it raised; none if there is none.
type OnceRead = Option<(Expression, usize, Vec<Misfit>)>;

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{A0}')
}

pub(super) fn is_letter(c: char) -> bool {
    is_plain_letter(c) || matches!(c, '∞' | '∑' | '∏')
}

fn is_name_part(c: char) -> bool {
    is_plain_letter(c) || c.is_ascii_digit() || matches!(c, '_' | '₀'..='₉')
}

/// A letter of Unicode that stands on the line. (Numerals that are written with letters are alphabetic, too.)
fn is_plain_letter(c: char) -> bool {
    c.is_alphabetic() && !c.is_numeric() && !is_raised_or_lowered(c)
}

/// A letter of a power (`2ⁿ`), of an index (`xᵢ`), or of a transpose (`Aᵀ`).
pub(super) fn is_raised_or_lowered(c: char) -> bool {
    let is_raised = matches!(c, 'ª' | 'º' | 'ʰ'..='ʸ' | 'ˠ'..='ˤ' | 'ᴬ'..='ᵡ' | 'ᵸ' | 'ᶛ'..='ᶿ' | 'ⁱ' | 'ⁿ' | 'ⱽ');
    is_raised || matches!(c, 'ᵢ'..='ᵪ' | 'ₐ'..='ₜ' | 'ⱼ')
}

/// The bytes in front of the first character that is not one of these.
fn run(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// The bytes of the number at the front of a text; none without one.
fn number_length(text: &str) -> Option<usize> {
    let digits = |from: usize| from + run(&text[from..], |c| c.is_ascii_digit());
    let fraction = |from: usize| {
        let end = if text[from..].starts_with('.') { digits(from + 1) } else { from };
        if end > from + 1 { end } else { from }
    };
    let mantissa = fraction(digits(0));
    if mantissa == 0 {
        return None;
    }
    let exponent = text[mantissa..].strip_prefix(['e', 'E']);
    let unsigned = exponent.map(|exponent| exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
    let from = unsigned.map_or(mantissa, |unsigned| text.len() - unsigned.len());
    let end = digits(from);
    Some(if end > from { end } else { mantissa })
}

/// What TeX writes for the sake of the eye.
const SPACING: [&str; 6] = ["\\left", "\\right", "\\,", "\\;", "\\!", "\\ "];

/// Words that join, and are no names.
const JOINING: [&str; 11] = ["in", "and", "or", "implies", "iff", "not", "for", "where", "if", "when", "let"];

/// Commands of TeX that stand for signs.
const SIGNS_OF_TEX: [&str; 23] = [
    "\\not", "\\cdots", "\\ldots", "\\dots", "\\le", "\\leq", "\\ge", "\\geq", "\\ne", "\\neq", "\\lt", "\\gt",
    "\\cdot", "\\times", "\\in", "\\land", "\\lor", "\\implies", "\\Rightarrow", "\\Longrightarrow", "\\frac",
    "\\lVert", "\\rVert",
];

/// The name that is meant by one as it is written: without the signs of TeX.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '\\' | '{' | '}')).collect()
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            farthest: Farthest::default(),
            doubts: Vec::new(),
            once: BTreeMap::new(),
            depth: 0,
            too_deep: None,
        }
    }

    /// Where what comes next begins.
    pub(super) fn next(&self) -> usize {
        let mut at = self.at;
        loop {
            let rest = &self.text[at..];
            let blank = run(rest, is_blank);
            let spacing = SPACING.iter().find(|s| rest[blank..].starts_with(**s)).map_or(0, |s| s.len());
            at += blank + spacing;
            if spacing == 0 {
                return at;
            }
        }
    }

    /// What comes next, and whatever follows it.
    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.next()..]
    }

    /// Whether what was read last touches such a character.
    pub(super) fn touches(&self, such: impl Fn(char) -> bool) -> bool {
        self.text[self.at..].starts_with(such)
    }

    /// The place of all that was read from here on.
    pub(super) fn since(&self, start: usize) -> Span {
        start..self.at
    }

    /// The text at a place.
    pub(super) fn part(&self, place: Span) -> &'t str {
        &self.text[place]
    }

    /// Reads as many bytes of what comes next.
    fn take(&mut self, length: usize) -> (&'t str, Span) {
        let start = self.next();
        self.at = start + length;
        (&self.text[start..self.at], start..self.at)
    }

    /// Reads a sign, if it comes next.
    pub(super) fn sign(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        if found {
            self.take(sign.len());
        }
        found
    }

    /// Reads one of some signs, the first in the list that comes next, and says what it stands for.
    pub(super) fn one_of<T: Copy>(&mut self, signs: &[(&str, T)]) -> Option<T> {
        let found = signs.iter().find(|(sign, _)| self.rest().starts_with(sign));
        found.map(|&(sign, meaning)| {
            self.take(sign.len());
            meaning
        })
    }

    /// Reads a sign that has to come.
    pub(super) fn require(&mut self, sign: &str, expected: Expected) -> Option<()> {
        if self.sign(sign) {
            return Some(());
        }
        self.miss(expected);
        None
    }

    /// A name as it is written; [`plain`] says which it is.
    pub(super) fn name(&mut self) -> Option<(&'t str, Span)> {
        let rest = self.rest();
        let start = usize::from(rest.starts_with('\\'));
        let first = rest[start..].chars().next().filter(|&c| is_letter(c))?;
        let mut length = start + first.len_utf8();
        length += run(&rest[length..], is_name_part);
        // x_{12} is x_12; the index of a sum, sum_{i=1}^n, is no part of a name.
        if let Some(inner) = rest[length..].strip_prefix('{').filter(|_| rest[..length].ends_with('_')) {
            let sign = usize::from(inner.starts_with('\\'));
            let part = sign + run(&inner[sign..], is_name_part);
            if part > sign && inner[part..].starts_with('}') {
                length += part + 2;
            }
        } else if let Some(inner) = rest[length..].strip_prefix('\\').filter(|_| rest[..length].ends_with('_')) {
            let part = run(inner, is_plain_letter);
            length += if part > 0 { part + 1 } else { 0 };
        }
        let name = &rest[..length];
        // x_+ and x_- are parts of a number, and no names.
        if name.ends_with('_') && rest[length..].starts_with(['+', '-']) {
            let start = self.next();
            self.doubt(&(start..start + length + 1), rest[..=length].to_owned());
        }
        (!JOINING.contains(&name) && !SIGNS_OF_TEX.contains(&name)).then(|| self.take(length))
    }

    /// Reads a word that joins, if it comes next.
    pub(super) fn word(&mut self, word: &str) -> bool {
        let behind = self.rest().strip_prefix(word);
        behind.is_some_and(|behind| !behind.starts_with(is_name_part)) && self.sign(word)
    }

    pub(super) fn number(&mut self) -> Option<(&'t str, Span)> {
        number_length(self.rest()).map(|length| self.take(length))
    }

    pub(super) fn superscript(&mut self) -> Option<(&'t str, Span)> {
        let rest = self.rest();
        let digits = rest.strip_prefix('⁻').unwrap_or(rest);
        let length = run(digits, |c| matches!(c, '⁰' | '¹' | '²' | '³' | '⁴'..='⁹'));
        (length > 0).then(|| self.take(rest.len() - digits.len() + length))
    }

    pub(super) fn membership(&mut self) -> bool {
        let word = self.rest().strip_prefix("in");
        self.sign("∈")
            || self.word("\\in")
            || word.is_some_and(|behind| !behind.starts_with(is_name_part)) && self.sign("in")
    }

    pub(super) fn factorial(&mut self) -> Option<Span> {
        let behind = self.rest().strip_prefix('!')?;
        if behind.starts_with('=') && self.touches(|c| c == '!') && (self.follows_a_number() || self.has_factorials()) {
            let start = self.next();
            self.doubt(&(start..start + 2), "!=".to_owned());
        }
        (!behind.starts_with(['!', '='])).then(|| self.take(1).1)
    }

    /// Whether what was read last is a number written in digits: `3!=6`.
    fn follows_a_number(&self) -> bool {
        let before = &self.text[..self.at];
        let word = &before[before.trim_end_matches(is_name_part).len()..];
        !word.is_empty() && word.chars().all(|c| c.is_ascii_digit())
    }

    /// Whether some `!` of the text is the sign of a factorial.
    fn has_factorials(&self) -> bool {
        self.text.match_indices('!').any(|(at, _)| !self.text[at + 1..].starts_with('='))
    }

    /// Whether everything was read.
    pub(super) fn end(&mut self) -> Option<()> {
        if self.rest().is_empty() {
            return Some(());
        }
        self.miss(Expected::End);
        None
    }

    /// Tries a reading, and is where it was before if that fails.
    pub(super) fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let (at, doubts) = (self.at, self.doubts.len());
        let found = read(self);
        if found.is_none() {
            self.at = at;
            self.doubts.truncate(doubts);
        }
        found
    }

    /// Whether something can be read, which is not read.
    pub(super) fn attempt_only(&mut self, read: impl FnOnce(&mut Self) -> bool) -> bool {
        let (at, doubts) = (self.at, self.doubts.len());
        let found = read(self);
        self.at = at;
        self.doubts.truncate(doubts);
        found
    }

    /// Reads an expression that other readings may have come upon before; then it is not read again. At one place there is one such expression.
    pub(super) fn once(&mut self, read: fn(&mut Self) -> Option<Expression>) -> Option<Expression> {
        let start = self.next();
        if let Some(reading) = self.once.get(&start) {
            let (found, end, doubts) = reading.clone()?;
            self.at = end;
            self.doubts.extend(doubts);
            return Some(found);
        }
        let before = self.doubts.len();
        let found = read(self);
        let reading = found.clone().map(|found| (found, self.at, self.doubts[before..].to_vec()));
        self.once.insert(start, reading);
        found
    }

    /// Reads what stands inside of something. Where that goes too deep nothing is read any more.
    pub(super) fn deeper<T>(&mut self, read: fn(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth == DEEPEST && self.too_deep.is_none() {
            let (start, most) = (self.next(), DEEPEST);
            let length = self.rest().chars().next().map_or(0, char::len_utf8);
            self.too_deep = Some(Misfit::at(&(start..start + length), Problem::TooDeep { most }));
        }
        if self.too_deep.is_some() {
            return None;
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }

    pub(super) fn too_deep(&mut self) -> Option<Misfit> {
        self.too_deep.take()
    }

    /// Takes down that something could stand here and does not.
    pub(super) fn miss(&mut self, expected: Expected) {
        self.farthest.miss(self.next(), expected);
    }

    /// The same, in place of how it could begin.
    pub(super) fn miss_whole(&mut self, expected: Expected) {
        self.farthest.miss_whole(self.next(), expected);
    }

    /// Takes down that a part of the text can be read in two ways: a fault, unless the text cannot be read at all.
    pub(super) fn doubt(&mut self, place: &Span, written: String) {
        self.doubts.push(Misfit::at(place, Problem::Ambiguous(written)));
    }

    /// Notes the power −1 of a function, which has two readings.
    pub(super) fn doubt_inverse(&mut self, place: &Span, name: &str) {
        let arc = format!("a{name}");
        let reciprocal = format!("`1/{name}(x)`");
        let inverse = match name {
            _ if super::words::word(&arc).is_some() => format!("`{arc}(x)` or {reciprocal}"),
            "exp" | "log" | "ln" => format!("`{}(x)` or {reciprocal}", if name == "exp" { "log" } else { "exp" }),
            _ => reciprocal,
        };
        self.doubts.push(Misfit::at(place, Problem::Inverse(name.to_owned(), inverse)));
    }

    /// The first part of the text that can be read in two ways.
    pub(super) fn first_doubt(self) -> Option<Misfit> {
        self.doubts.into_iter().min_by_key(|doubt| doubt.span.start)
    }

    /// The farthest place where something was missed, and what, in words.
    pub(super) fn missed(self) -> (usize, Vec<&'static str>) {
        (self.farthest.at(), self.farthest.words())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_ends_where_it_can_be_no_longer() {
        for (text, number) in [
            ("12", "12"),
            ("1.5x", "1.5"),
            (".5e-3.2", ".5e-3"),
            ("1..n", "1"),
            ("1.e3", "1"),
            ("1e", "1"),
            ("2e+x", "2"),
            ("2E+10", "2E+10"),
        ] {
            let mut scanner = Scanner::new(text);
            assert_eq!(scanner.number().map(|(written, _)| written), Some(number), "{text}");
            assert_eq!(scanner.since(0), 0..number.len());
        }
        for text in ["", ".", ".e1", "e1", "x", "-1"] {
            assert!(Scanner::new(text).number().is_none(), "{text}");
        }
    }

    #[test]
    fn in_is_a_name_only_as_a_part_of_one() {
        let name = |text| Scanner::new(text).name().map(|(name, _)| name);
        assert_eq!(name(" inf+1"), Some("inf"));
        assert_eq!(name("in₁"), Some("in₁"));
        assert_eq!(name("in x"), None);
        assert_eq!(name("x₁_2n²"), Some("x₁_2n"));
        assert_eq!(name("xⁿ"), Some("x"));
        assert_eq!(name("∞∞"), Some("∞"));
        assert!(Scanner::new("in(0, 1)").membership() && Scanner::new("∈R").membership());
        assert!(!Scanner::new("inf").membership());
    }
}
