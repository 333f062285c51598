//! What can be wrong with a text: the place, what was found there, and what was expected.

use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use thiserror::Error;

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// The text does not go on as the grammar allows.
    #[error("{found} where {} was expected", listed(expected))]
    Unexpected {
        /// What stands there.
        found: String,
        /// What could.
        expected: Vec<&'static str>,
    },
    /// Two factors without a sign between them.
    #[error("{0} directly after a factor: a product is written with `*`")]
    Unmultiplied(String),
    /// The text is longer than this program reads.
    #[error("the text has {length} characters; at most {most} are read")]
    TooLong {
        /// Its length.
        length: usize,
        /// The longest that is read.
        most: usize,
    },
    /// Brackets, bars, powers or functions are nested more deeply than this program follows.
    #[error("nested more than {most} deep")]
    TooDeep {
        /// The deepest that is followed.
        most: usize,
    },
    /// Names that stand for formulas make the text too long.
    #[error("more than {most} terms after every `let` is expanded")]
    TooManyTerms {
        /// The most that are read.
        most: usize,
    },
    /// A function that there is not.
    #[error("there is no function `{name}`{}", offered(near))]
    NoSuchWord {
        /// The name.
        name: String,
        /// The names that are like it.
        near: Vec<&'static str>,
    },
    /// A function's name where a number is expected.
    #[error("`{0}` is a function and needs an argument")]
    WantsArgument(String),
    /// Bars directly behind a function.
    #[error("bars directly after `{0}`: write `{0}(|…|)`, with parentheses")]
    WantsParentheses(String),
    /// A variable in front of something, as if it were a function.
    #[error("`{0}` is a variable and takes no argument; a product is written `{0}*…`")]
    NotAFunction(String),
    /// A number directly in front of a factor, where two readings differ.
    #[error("`{0}` can be read in two ways here; put parentheses around it or write the product with `*`")]
    Ambiguous(String),
    /// The power −1 of a function.
    #[error("`{0}^-1` can be the inverse function or one divided by `{0}`; write {1}")]
    Inverse(String, String),
    /// A function with arguments that it does not take.
    #[error("`{word}` takes {wanted}, not {found}")]
    Arguments {
        /// The function.
        word: String,
        /// What it takes.
        wanted: String,
        /// What it was given.
        found: String,
    },
    /// An operation on things that do not fit.
    #[error("{what} of {left} and {right}: {hint}")]
    Unfit {
        /// The operation.
        what: &'static str,
        /// Left operand.
        left: String,
        /// Right operand.
        right: String,
        /// What would be right.
        hint: &'static str,
    },
    /// Something of one kind where another is needed.
    #[error("{found} where {wanted} is needed")]
    Kind {
        /// What is needed.
        wanted: &'static str,
        /// What stands there.
        found: String,
    },
    /// A name that is declared twice.
    #[error("`{0}` is declared twice; one range may say both (`n in 2..`, `0 < x <= 1`), and --where takes conditions")]
    Twice(String),
    /// An index inside a sum over an index of that name.
    #[error("`{0}` is the index of a sum around this one; give it another name")]
    Shadowed(String),
    /// A name that means something else already.
    #[error("`{0}` is a {1} and cannot be declared")]
    Reserved(String, &'static str),
    /// A name that is not declared and by which something else may have been meant.
    #[error("`{name}` is not declared; {meant}, or declare `{name}`")]
    Undeclared {
        /// The name.
        name: String,
        /// What to write for what may have been meant.
        meant: String,
    },
    /// A name that is declared and not used.
    #[error("`{0}` is declared, and neither the statement nor a condition uses it")]
    Unused(String),
    /// What another language writes, and what to write for it.
    #[error("`{0}` is not read here: {1}")]
    Translated(String, &'static str),
    /// A size or a bound that depends on something it may not.
    #[error("{0}")]
    Domain(String),
    /// Sizes that depend on each other in a circle.
    #[error("the range of `{0}` depends on itself")]
    Circle(String),
}

fn offered(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    if quoted.is_empty() {
        "; docs/statements.md lists all functions".to_owned()
    } else {
        format!("; did you mean {}?", quoted.join(" or "))
    }
}

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{problem}")]
pub struct Fault {
    /// What is wrong.
    pub(crate) problem: Box<Problem>,
    /// The bytes of the text that it concerns.
    pub span: Range<usize>,
    /// The text.
    pub text: Box<str>,
    /// Which text it is ("the statement", "--for").
    pub origin: &'static str,
}

impl Fault {
    /// The message with the text below it, the place marked.
    #[must_use]
    pub fn rendered(&self) -> String {
        let title = self.problem.to_string();
        // Control characters would disturb the line; the snippet shows replacements of the same length.
        let shown: String = self.text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let span = self.span.start.min(shown.len())..self.span.end.min(shown.len());
        let (shown, span) = near(shown, span);
        let report = [Group::with_title(Level::ERROR.no_name().primary_title(title.as_str()))
            .element(Snippet::source(shown.as_str()).path(self.origin).annotation(AnnotationKind::Primary.span(span)))];
        Renderer::plain().render(&report)
    }
}

/// Of a longer text than this only the part about the fault is shown, in bytes.
const SHOWN: usize = 200;

/// The last place up to this one where a text may be cut.
pub(crate) fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// The part of a text about a place in it, and the place in that part.
fn near(text: String, place: Range<usize>) -> (String, Range<usize>) {
    if text.len() <= SHOWN {
        return (text, place);
    }
    const CUT: &str = "…";
    let from = boundary(&text, place.start.saturating_sub(SHOWN / 4));
    let to = boundary(&text, from + SHOWN);
    let mut shown = String::with_capacity(SHOWN + 2 * CUT.len());
    if from > 0 {
        shown.push_str(CUT);
    }
    let before = shown.len();
    shown.push_str(&text[from..to]);
    if to < text.len() {
        shown.push_str(CUT);
    }
    let within = |at: usize| before + at.clamp(from, to) - from;
    let place = within(place.start)..within(place.end);
    (shown, place)
}

/// "a, b or c".
fn listed(items: &[&'static str]) -> String {
    match items {
        [] => "something else".into(),
        [one] => (*one).into(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// A problem whose text is not known yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misfit {
    pub(crate) problem: Problem,
    pub(crate) span: Range<usize>,
}

/// What was understood of a text, or what stood in the way.
pub(crate) type Understood<T> = Result<T, Misfit>;

impl Misfit {
    pub(crate) fn at(span: &Range<usize>, problem: Problem) -> Self {
        Misfit { problem, span: span.clone() }
    }

    pub(crate) fn within(self, text: &str, origin: &'static str) -> Fault {
        Fault { problem: Box::new(self.problem), span: self.span, text: text.into(), origin }
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_text_the_part_about_the_fault_is_shown() {
        let text = format!("{}?{}", "½".repeat(50_000), "x".repeat(50_000));
        let fault = Fault {
            problem: Box::new(Problem::NotAFunction("x".into())),
            span: 100_000..100_001,
            text: text.into(),
            origin: "the statement",
        };
        let shown = fault.rendered();
        assert!(shown.len() < 1000 && shown.contains("½?x") && shown.contains('…'), "{shown}");
        let short = Fault { text: "1 + x(2)".into(), span: 4..5, ..fault };
        assert!(short.rendered().contains("1 + x(2)"), "{}", short.rendered());
    }
}
