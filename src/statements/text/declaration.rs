//! Declarations: names, and what they range over.
//!
//! ```text
//! declaration = name ("," name)* [membership domain | relation expression] | expression relation name relation expression
//!             | "let" name ("=" | ":=") expression
//! domain      = box | whole | space
//! box         = ("[" | "(") expression "," expression ("]" | ")") ["^" dimensions]
//! whole       = expression dots [expression]
//! space       = name ["(" expression ("," expression)* ")"] ["^" dimensions]
//! dimensions  = atom ["×" atom] | "(" sizes ")" | "{" sizes "}"
//! sizes       = size [("×" | ",") size]                   × stands between the two sizes of a matrix, * between factors
//! size        = product (sign product)*                   product = atom ("*" atom)*                   atom = number | name
//! ```
//!
//! Signs do not tell the three domains apart: `(1, 2)` and `(1)..2` begin alike, and so do `f(n)..m` and `simplex(n)`. They are tried in this order.

use super::expected::Expected;
use super::expression::{SIGNS, caret, dots, expression, joined, listed, relation};
use super::literal::literal;
use super::scan::{Scanner, plain};
use super::syntax::{Declaration, DeclaredDomain, Expression, ExpressionForm, Operation, Span};
use evidence::claim::Relation;

pub(super) fn declaration(text: &mut Scanner<'_>) -> Option<Declaration> {
    if text.word("let") {
        let named = name(text)?;
        if !text.sign(":=") {
            text.require("=", Expected::Equals)?;
        }
        return Some(Declaration { names: vec![named], domain: DeclaredDomain::Let(expression(text)?) });
    }
    let Some(first) = text.attempt(name) else { return between(text) };
    let mut names = vec![first];
    while let Some(next) = text.attempt(|text| {
        text.require(",", Expected::Comma)?;
        name(text)
    }) {
        names.push(next);
    }
    let domain = if text.membership() {
        domain(text)?
    } else {
        text.miss(Expected::Membership);
        match relation(text) {
            Some(relation) => DeclaredDomain::Bound(relation, expression(text)?),
            None => DeclaredDomain::Unsaid,
        }
    };
    Some(Declaration { names, domain })
}

/// `0 <= x < 1`, where the first end does not begin with a name.
fn between(text: &mut Scanner<'_>) -> Option<Declaration> {
    let first = text.attempt(expression)?;
    let below = relation(text)?;
    let names = vec![name(text)?];
    let above = relation(text)?;
    let second = expression(text)?;
    let is_upward = |relation| matches!(relation, Relation::AtMost | Relation::LessThan);
    let is_open = |relation| matches!(relation, Relation::LessThan | Relation::GreaterThan);
    let ends = ((first, is_open(below)), (second, is_open(above)));
    let ((low, low_open), (high, high_open)) = match (below, above) {
        (Relation::Equal, _) | (_, Relation::Equal) => return None,
        _ if is_upward(below) != is_upward(above) => return None,
        _ if is_upward(below) => ends,
        _ => (ends.1, ends.0),
    };
    Some(Declaration { names, domain: DeclaredDomain::Box { low_open, low, high, high_open, sizes: Vec::new() } })
}

fn name(text: &mut Scanner<'_>) -> Option<(String, Span)> {
    let found = text.name();
    if found.is_none() {
        text.miss(Expected::Name);
    }
    found.map(|(name, at)| (plain(name), at))
}

fn domain(text: &mut Scanner<'_>) -> Option<DeclaredDomain> {
    let found = [interval, whole, space].into_iter().find_map(|read| text.attempt(read));
    if found.is_none() {
        text.miss_whole(Expected::Domain);
    }
    found
}

fn interval(text: &mut Scanner<'_>) -> Option<DeclaredDomain> {
    let low_open = text.one_of(&[("[", false), ("(", true)])?;
    let low = expression(text)?;
    text.require(",", Expected::Comma)?;
    let high = expression(text)?;
    let high_open = text.one_of(&[("]", false), (")", true)]);
    if high_open.is_none() {
        text.miss(Expected::Close);
        text.miss(Expected::CloseBracket);
    }
    Some(DeclaredDomain::Box { low_open, low, high, high_open: high_open?, sizes: exponent(text) })
}

fn whole(text: &mut Scanner<'_>) -> Option<DeclaredDomain> {
    let from = expression(text)?;
    dots(text)?;
    let to = text.attempt(expression);
    Some(DeclaredDomain::Whole { from, to })
}

fn space(text: &mut Scanner<'_>) -> Option<DeclaredDomain> {
    let (name, at) = text.name()?;
    let arguments = if text.sign("(") { listed(text, expression, ")", Expected::Close)? } else { Vec::new() };
    Some(DeclaredDomain::Space { name: name.to_owned(), at, arguments, sizes: exponent(text) })
}

/// The sizes of a vector or a matrix, if there are any.
fn exponent(text: &mut Scanner<'_>) -> Vec<Expression> {
    let sizes = text.attempt(|text| if caret(text) { dimensions(text) } else { None });
    sizes.unwrap_or_default()
}

fn dimensions(text: &mut Scanner<'_>) -> Option<Vec<Expression>> {
    if text.sign("(") {
        return sizes(text, ")", Expected::Close);
    }
    if text.sign("{") {
        return sizes(text, "}", Expected::CloseBrace);
    }
    let mut found = vec![atom(text)?];
    if text.sign("×") {
        found.push(atom(text)?);
    }
    Some(found)
}

fn sizes(text: &mut Scanner<'_>, close: &str, expected: Expected) -> Option<Vec<Expression>> {
    let mut found = vec![size(text)?];
    if text.sign("×") || text.require(",", Expected::Comma).is_some() {
        found.push(size(text)?);
    }
    text.require(close, expected)?;
    Some(found)
}

fn size(text: &mut Scanner<'_>) -> Option<Expression> {
    joined(text, &SIGNS, |text, _| joined(text, &[("*", Operation::Multiply)], |text, _| atom(text)))
}

fn atom(text: &mut Scanner<'_>) -> Option<Expression> {
    let number = text.number().map(|(written, span)| (ExpressionForm::Number(literal(written)), span));
    let found = number.or_else(|| text.name().map(|(name, span)| (ExpressionForm::Name(plain(name)), span)));
    if found.is_none() {
        text.miss(Expected::Size);
    }
    found.map(|(node, span)| Expression { node, span })
}
