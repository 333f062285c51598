//! Expressions, and what is made of them: comparisons.
//!
//! One function for each line of the grammar, loosest first. What is in brackets may be missing, `*` is any number, `+` at least one.
//!
//! ```text
//! comparison  = expression (relation expression)+ | expression unequal expression
//! expression  = term (sign term)*                         sign = "+" | "-" | "−"
//! term        = factor ((times | "%") factor)*            times = "*" | "·" | "×" | "⋅" | "/" | "÷"
//! factor      = sign* (multiple | power)                  a sign binds more loosely than a power
//! multiple    = coefficient power                         coefficient = number, where a letter, "(", "√", "|" or "‖" follows without a gap
//! power       = operand [("^" | "**") sign* power]
//! operand     = primary ("[" expression ("," expression)* "]" | "'" | "ᵀ" | superscript | factorial)*
//! primary     = number | "√" operand | call | application | name | "(" expression ")" | "|" expression "|" | "‖" expression "‖"
//!             | "[" expression ("," expression)* "]"
//! call        = name "(" argument ("," argument)* ")"
//! unequal     = "!=" | "≠" | "\ne" | "\neq"
//! argument    = name (membership | "=") expression dots expression | name ("~" | "∼") expression | expression | comparison
//! application = name power, where a letter, a digit or "√" follows; in place of the power a multiple is refused: log 2x
//!             | name ("^" number | superscript) ("(" expression ")" | power)      the power of a function: sin^2 x is sin(x)^2
//! dots        = ".." | "…"
//! ```
//!
//! Of several readings the first that is possible is taken. Signs decide which one that is, but for a number before a bar: in `2|x|` it is a
//! coefficient, in `|2|` not.

use super::expected::Expected;
use super::literal::literal;
use super::scan::{Scanner, is_letter, plain};
use super::syntax::{Argument, Assertion, ComparisonChain, Expression, ExpressionForm, Operation, Span};
use evidence::claim::Relation;

/// Signs between terms and before factors.
pub(super) const SIGNS: [(&str, Operation); 3] =
    [("+", Operation::Add), ("-", Operation::Subtract), ("−", Operation::Subtract)];

const TIMES: [(&str, Operation); 9] = [
    ("\\cdot", Operation::Multiply),
    ("\\times", Operation::Multiply),
    ("@", Operation::Multiply),
    ("*", Operation::Multiply),
    ("·", Operation::Multiply),
    ("×", Operation::Multiply),
    ("⋅", Operation::Multiply),
    ("/", Operation::Divide),
    ("÷", Operation::Divide),
];

/// Longer signs before those that they begin with.
const RELATIONS: [(&str, Relation); 17] = [
    ("\\leq", Relation::AtMost),
    ("\\le", Relation::AtMost),
    ("\\lt", Relation::LessThan),
    ("\\geq", Relation::AtLeast),
    ("\\ge", Relation::AtLeast),
    ("\\gt", Relation::GreaterThan),
    ("=<", Relation::AtMost),
    ("<=", Relation::AtMost),
    ("≤", Relation::AtMost),
    ("⩽", Relation::AtMost),
    (">=", Relation::AtLeast),
    ("≥", Relation::AtLeast),
    ("⩾", Relation::AtLeast),
    ("==", Relation::Equal),
    ("=", Relation::Equal),
    ("<", Relation::LessThan),
    (">", Relation::GreaterThan),
];

/// A comparison, or a chain of them.
pub(super) fn comparison(text: &mut Scanner<'_>) -> Option<Assertion> {
    let start = text.next();
    let first = expression(text)?;
    compared(text, start, first)
}

/// What an expression is compared with.
fn compared(text: &mut Scanner<'_>, start: usize, first: Expression) -> Option<Assertion> {
    if ["!=", "≠"].into_iter().any(|sign| text.sign(sign)) || ["\\neq", "\\ne"].into_iter().any(|word| text.word(word))
    {
        return Some(Assertion::Unequal(Box::new(first), Box::new(expression(text)?)));
    }
    let (mut sides, mut relations) = (vec![first], Vec::new());
    while let Some(relation) = relation(text) {
        relations.push(relation);
        sides.push(expression(text)?);
    }
    let span = text.since(start);
    (!relations.is_empty()).then_some(Assertion::Comparison(ComparisonChain { sides, relations, span }))
}

pub(super) fn relation(text: &mut Scanner<'_>) -> Option<Relation> {
    // What joins comparisons begins like them.
    let joins = ["=>", "==>", "<=>"].into_iter().any(|sign| text.rest().starts_with(sign));
    let found = if joins { None } else { text.one_of(&RELATIONS) };
    if found.is_none() {
        text.miss(Expected::Relation);
    }
    found
}

pub(super) fn expression(text: &mut Scanner<'_>) -> Option<Expression> {
    joined(text, &SIGNS, |text, _| product(text))
}

/// Factors with signs of multiplication, of division, or of a remainder between them.
fn product(text: &mut Scanner<'_>) -> Option<Expression> {
    let mut so_far = joined(text, &TIMES, factor)?;
    loop {
        let start = text.next();
        if !text.sign("%") {
            return Some(so_far);
        }
        let at = text.since(start);
        let by = factor(text, Some(Operation::Divide))?;
        let span = so_far.span.start..by.span.end;
        let node = call("mod", at, vec![Argument::Value(so_far), Argument::Value(by)]);
        so_far = Expression { node, span };
        while let Some(operation) = text.one_of(&TIMES) {
            so_far = binary(operation, so_far, factor(text, Some(operation))?);
        }
    }
}

/// Operands with operators between them, joined from the left; an operand is told the operator before it.
pub(super) fn joined<'t>(
    text: &mut Scanner<'t>,
    operators: &[(&str, Operation)],
    operand: fn(&mut Scanner<'t>, Option<Operation>) -> Option<Expression>,
) -> Option<Expression> {
    let mut so_far = operand(text, None)?;
    while let Some(operation) = text.one_of(operators) {
        so_far = binary(operation, so_far, operand(text, Some(operation))?);
    }
    text.miss(Expected::Operator);
    Some(so_far)
}

fn binary(operation: Operation, left: Expression, right: Expression) -> Expression {
    let span = left.span.start..right.span.end;
    let node = ExpressionForm::Binary(operation, Box::new(left), Box::new(right));
    Expression { node, span }
}

fn factor(text: &mut Scanner<'_>, before: Option<Operation>) -> Option<Expression> {
    let start = text.next();
    let negative = signs(text);
    let is_divisor = before == Some(Operation::Divide);
    let inner = match multiple(text) {
        None => power(text)?,
        Some(product) => {
            // 1/2x may be meant as (1/2)x or as 1/(2x).
            if is_divisor {
                let place = text.since(start);
                text.doubt(&place, text.part(place.clone()).to_owned());
            }
            product
        }
    };
    let inner = beside_bars(text, start, inner, is_divisor);
    Some(signed(negative, inner, text.since(start)))
}

/// The product with absolute values and norms that follow another one without a gap: `2|x||y|`. Behind a quotient, a power or a root it may be
/// meant otherwise: `6/|x||y|`, `2^|x||y|`, `√|x||y|`.
fn beside_bars(text: &mut Scanner<'_>, start: usize, so_far: Expression, is_divisor: bool) -> Expression {
    let mut so_far = so_far;
    let is_first_of_a_product =
        is_divisor || matches!(so_far.node, ExpressionForm::Power(..)) || is_bare_root(text, &so_far);
    loop {
        let ends_in_a_bar = text.part(text.since(start)).ends_with('|');
        let begins = text.touches(|c| c == '|') && text.rest()[1..].starts_with(|c| is_letter(c) || c == '(');
        let next = (ends_in_a_bar && begins).then(|| text.attempt(|text| text.once(between_bars)));
        let Some(next) = next.flatten() else { return so_far };
        so_far = binary(Operation::Multiply, so_far, next);
        if is_first_of_a_product {
            let place = text.since(start);
            text.doubt(&place, text.part(place.clone()).to_owned());
        }
    }
}

/// Whether it is the root of something that has no parentheses around it.
fn is_bare_root(text: &Scanner<'_>, expression: &Expression) -> bool {
    let written = text.part(expression.span.clone());
    written.strip_prefix('√').is_some_and(|inner| !inner.trim_start().starts_with('('))
}

/// Reads signs, and says whether they are those of a negative number.
fn signs(text: &mut Scanner<'_>) -> bool {
    let mut negative = false;
    while let Some(sign) = text.one_of(&SIGNS) {
        negative ^= sign == Operation::Subtract;
    }
    negative
}

fn signed(negative: bool, inner: Expression, span: Span) -> Expression {
    if !negative {
        return inner;
    }
    let node = ExpressionForm::Negated(Box::new(inner));
    Expression { node, span }
}

fn multiple(text: &mut Scanner<'_>) -> Option<Expression> {
    text.attempt(|text| {
        let coefficient = number(text)?;
        let goes_on = text.touches(|c| is_letter(c) || matches!(c, '(' | '√' | '|' | '‖' | '⟨' | '\\'))
            || text.attempt_only(|text| text.name().is_some());
        let rest = goes_on.then(|| power(text))??;
        Some(binary(Operation::Multiply, coefficient, rest))
    })
}

fn number(text: &mut Scanner<'_>) -> Option<Expression> {
    let (written, span) = text.number()?;
    let node = ExpressionForm::Number(literal(written));
    Some(Expression { node, span })
}

/// A power, at least the first: whatever stands in something stands in one, but for what stands under a root.
fn power(text: &mut Scanner<'_>) -> Option<Expression> {
    text.deeper(|text| {
        let start = text.next();
        let base = operand(text)?;
        if !caret(text) {
            return Some(base);
        }
        let exponent = exponent(text)?;
        let span = text.since(start);
        if is_bare_root(text, &base) {
            text.doubt(&span, text.part(span.clone()).to_owned());
        }
        let node = ExpressionForm::Power(Box::new(base), Box::new(exponent));
        Some(Expression { node, span })
    })
}

fn exponent(text: &mut Scanner<'_>) -> Option<Expression> {
    let start = text.next();
    if text.sign("{") {
        let inner = enclosed(text, "}", Expected::CloseBrace)?;
        return Some(Expression { span: text.since(start), ..inner });
    }
    // The transpose, which no letter names.
    if text.sign("⊤") {
        return Some(Expression { node: ExpressionForm::Name("⊤".into()), span: text.since(start) });
    }
    let negative = signs(text);
    let inner = power(text)?;
    Some(signed(negative, inner, text.since(start)))
}

pub(super) fn caret(text: &mut Scanner<'_>) -> bool {
    let found = text.sign("^") || text.sign("**");
    if !found {
        text.miss(Expected::Operator);
    }
    found
}

fn operand(text: &mut Scanner<'_>) -> Option<Expression> {
    let mut so_far = primary(text)?;
    loop {
        let start = so_far.span.start;
        let node = if text.sign("[") {
            let places = listed(text, expression, "]", Expected::CloseBracket)?;
            ExpressionForm::Indexed(Box::new(so_far), places)
        } else if text.sign("'") || text.sign("ᵀ") || text.sign("⊤") || text.sign(".T") {
            ExpressionForm::Transposed(Box::new(so_far))
        } else if let Some((written, span)) = text.superscript() {
            let node = superscript(written);
            ExpressionForm::Power(Box::new(so_far), Box::new(Expression { node, span }))
        } else if let Some(at) = text.factorial() {
            call("factorial", at, vec![Argument::Value(so_far)])
        } else {
            text.miss(Expected::Operator);
            return Some(so_far);
        };
        let span = text.since(start);
        so_far = Expression { node, span };
    }
}

fn superscript(text: &str) -> ExpressionForm {
    const DIGITS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let negative = text.starts_with('⁻');
    let digit = |c: char| DIGITS.chars().position(|d| d == c);
    let plain: String = text.chars().filter_map(digit).map(|d| d.to_string()).collect();
    let node = ExpressionForm::Number(literal(&plain));
    if negative { ExpressionForm::Negated(Box::new(Expression { node, span: 0..0 })) } else { node }
}

fn primary(text: &mut Scanner<'_>) -> Option<Expression> {
    if let Some(number) = number(text) {
        return Some(number);
    }
    let start = text.next();
    let node = if text.sign("\\frac") {
        let above = braced(text)?;
        binary(Operation::Divide, above, braced(text)?).node
    } else if let Some((name, at)) = module_free(text) {
        named(text, name, at)?
    } else if text.sign("⟨") {
        let at = text.since(start);
        let factors = listed(text, expression, "⟩", Expected::Close)?;
        call("dot", at, factors.into_iter().map(Argument::Value).collect())
    } else if text.sign("√") {
        let at = text.since(start);
        let is_enclosed = text.rest().starts_with('(');
        let argument = text.deeper(if is_enclosed { primary } else { operand })?;
        // √x² may be meant as the root of x² or as the square of √x.
        if !is_enclosed && text.part(argument.span.clone()).ends_with(|c: char| "!⁰¹²³⁴⁵⁶⁷⁸⁹".contains(c))
        {
            let place = text.since(start);
            text.doubt(&place, text.part(place.clone()).to_owned());
        }
        call("sqrt", at, vec![Argument::Value(argument)])
    } else if text.sign("(") {
        // The parentheses belong to the place of what is inside.
        enclosed(text, ")", Expected::Close)?.node
    } else if text.rest().starts_with(['|', '‖']) {
        text.once(between_bars)?.node
    } else if text.sign("[") {
        ExpressionForm::List(listed(text, expression, "]", Expected::CloseBracket)?)
    } else {
        text.miss(Expected::Expression);
        return None;
    };
    let span = text.since(start);
    Some(Expression { node, span })
}

/// A name, without the module that a program would take it from: `np.log`.
fn module_free<'t>(text: &mut Scanner<'t>) -> Option<(&'t str, Span)> {
    const MODULES: [&str; 12] =
        ["np", "numpy", "math", "torch", "jnp", "scipy", "sp", "linalg", "special", "nn", "functional", "F"];
    let mut found = text.name()?;
    while MODULES.contains(&found.0) && text.touches(|c| c == '.') {
        found = text.attempt(|text| text.sign(".").then(|| text.name())?)?;
    }
    Some(found)
}

/// An expression in braces.
fn braced(text: &mut Scanner<'_>) -> Option<Expression> {
    text.require("{", Expected::Expression)?;
    enclosed(text, "}", Expected::CloseBrace)
}

/// In `|2|+|3|+…` every number is tried as a coefficient of all that follows.
fn between_bars(text: &mut Scanner<'_>) -> Option<Expression> {
    let start = text.next();
    let doubled = text.attempt(|text| if text.sign("||") { enclosed(text, "||", Expected::DoubleBar) } else { None });
    let node = if let Some(inner) = doubled {
        which_norm(text, start, inner)?
    } else if text.sign("|") {
        ExpressionForm::Absolute(Box::new(enclosed(text, "|", Expected::Bar)?))
    } else {
        text.require("‖", Expected::Expression)?;
        let inner = enclosed(text, "‖", Expected::DoubleBar)?;
        which_norm(text, start, inner)?
    };
    let span = text.since(start);
    Some(Expression { node, span })
}

/// A norm with what stands below its bars: `‖x‖_1`, `‖A‖_F`, `‖x‖_{∞}`.
fn which_norm(text: &mut Scanner<'_>, start: usize, inner: Expression) -> Option<ExpressionForm> {
    let at = text.since(start);
    if let Some(sign) =
        [("₁", "1"), ("₂", "2"), ("∞", "inf")].into_iter().find(|(sign, _)| text.rest().starts_with(sign))
    {
        let (written, which) = sign;
        if text.touches(|c| written.starts_with(c)) && text.sign(written) {
            let node = if which == "inf" {
                ExpressionForm::Name(which.into())
            } else {
                ExpressionForm::Number(literal(which))
            };
            let which = Expression { node, span: at.clone() };
            return Some(call("norm", at, vec![Argument::Value(inner), Argument::Value(which)]));
        }
    }
    if !text.touches(|c| c == '_') {
        return Some(ExpressionForm::Norm(Box::new(inner)));
    }
    text.sign("_");
    let is_braced = text.sign("{");
    let nuclear = text.sign("*").then(|| ExpressionForm::Name("nuc".into()));
    let nuclear = nuclear.map(|node| Expression { node, span: at.clone() });
    let which = nuclear.or_else(|| number(text)).or_else(|| {
        let (name, span) = text.name()?;
        let name = if name == "\\infty" { "inf".to_owned() } else { plain(name) };
        Some(Expression { node: ExpressionForm::Name(name), span })
    })?;
    if is_braced {
        text.require("}", Expected::CloseBrace)?;
    }
    Some(call("norm", at, vec![Argument::Value(inner), Argument::Value(which)]))
}

/// The rest of a call, of an application, or of nothing but a name.
fn named(text: &mut Scanner<'_>, name: &str, at: Span) -> Option<ExpressionForm> {
    if let Some(fold) = name.strip_suffix('_').filter(|_| text.rest().starts_with('{')) {
        return under(text, &plain(fold), at);
    }
    let name = match name {
        "\\infty" => "inf",
        name => &*plain(name),
    };
    // A function of TeX in braces: \sqrt{x}.
    if super::words::word(name).is_some() && text.rest().starts_with('{') {
        return Some(call(name, at, vec![Argument::Value(braced(text)?)]));
    }
    if text.sign("(") {
        return Some(call(name, at, arguments(text)?));
    }
    if let Some(found) = text.attempt(|text| of_a_function(text, name, &at)) {
        return Some(found);
    }
    let applied = |c: char| is_letter(c) || c.is_ascii_digit() || matches!(c, '√' | '\\');
    let argument = text.rest().starts_with(applied).then(|| {
        let start = text.next();
        if let Some(product) = multiple(text) {
            // log 2x may be meant as log(2)x or as log(2x).
            let written = format!("{name} {}", text.part(text.since(start)));
            text.doubt(&text.since(at.start), written);
            return Some(product);
        }
        text.attempt(power)
    });
    Some(match argument.flatten() {
        Some(argument) => call(name, at, vec![Argument::Value(argument)]),
        None => ExpressionForm::Name(name.to_owned()),
    })
}

fn one(at: usize) -> Expression {
    Expression { node: ExpressionForm::Number(literal("1")), span: at..at }
}

/// The power of a function: `sin^2 x`, `sin²(x)`.
fn of_a_function(text: &mut Scanner<'_>, name: &str, at: &Span) -> Option<ExpressionForm> {
    if !matches!(super::words::word(name)?.meaning, super::words::Meaning::Function(_)) {
        return None;
    }
    let exponent = if text.rest().starts_with('^') {
        caret(text);
        let start = text.next();
        if ["-1", "(-1)", "{-1}", "−1"].into_iter().any(|inverse| text.sign(inverse)) {
            text.doubt_inverse(at, name);
            Expression { node: ExpressionForm::Negated(Box::new(one(start))), span: text.since(start) }
        } else {
            number(text)?
        }
    } else {
        let (written, span) = text.superscript().filter(|(written, _)| !written.starts_with('⁻'))?;
        Expression { node: superscript(written), span }
    };
    let start = text.next();
    let argument = if text.sign("(") {
        enclosed(text, ")", Expected::Close)?
    } else {
        text.rest().starts_with(|c: char| is_letter(c) || matches!(c, '√' | '\\')).then_some(())?;
        power(text)?
    };
    // A power behind the parentheses may be of them or of the function.
    if text.rest().starts_with('^') {
        text.doubt(&text.since(at.start), text.part(text.since(at.start)).to_owned());
    }
    let span = text.since(start);
    let applied = Expression { node: call(name, at.clone(), vec![Argument::Value(argument)]), span };
    Some(ExpressionForm::Power(Box::new(applied), Box::new(exponent)))
}

/// A sum over what stands below it, of the product behind it: `sum_{i=1}^n x[i]`. What is added to that may be meant inside, and is refused.
fn under(text: &mut Scanner<'_>, fold: &str, at: Span) -> Option<ExpressionForm> {
    text.sign("{");
    let (name, place) = text.name()?;
    let name = plain(name);
    text.require("=", Expected::Membership)?;
    let from = expression(text)?;
    text.require("}", Expected::CloseBrace)?;
    if !caret(text) {
        return None;
    }
    // A name by itself: in `^n x[i]` it is not applied to what follows.
    let to = if text.sign("{") {
        enclosed(text, "}", Expected::CloseBrace)?
    } else if let Some(to) = number(text) {
        to
    } else {
        let (name, span) = text.name()?;
        Expression { node: ExpressionForm::Name(plain(name)), span }
    };
    let start = text.next();
    let body = joined(text, &TIMES, factor)?;
    if SIGNS.iter().any(|(sign, _)| text.rest().starts_with(sign)) {
        let place = text.since(start);
        text.doubt(&place, text.part(place.clone()).to_owned());
    }
    Some(call(fold, at, vec![Argument::Over { name, at: place, from, to }, Argument::Value(body)]))
}

fn call(word: &str, at: Span, arguments: Vec<Argument>) -> ExpressionForm {
    let word = word.to_owned();
    ExpressionForm::Call { word, at, arguments }
}

fn enclosed(text: &mut Scanner<'_>, close: &str, expected: Expected) -> Option<Expression> {
    let inner = expression(text)?;
    text.require(close, expected)?;
    Some(inner)
}

/// At least one of some items, with commas between them, up to the sign that closes the list.
pub(super) fn listed<'t, T>(
    text: &mut Scanner<'t>,
    item: fn(&mut Scanner<'t>) -> Option<T>,
    close: &str,
    expected: Expected,
) -> Option<Vec<T>> {
    let mut items = vec![item(text)?];
    while text.require(",", Expected::Comma).is_some() {
        items.push(item(text)?);
    }
    text.require(close, expected)?;
    Some(items)
}

/// What is in the parentheses of a call. A comparison says which values of an index count, and so stands behind one.
fn arguments(text: &mut Scanner<'_>) -> Option<Vec<Argument>> {
    let mut found = vec![argument(text, false)?];
    while text.require(",", Expected::Comma).is_some() {
        let is_behind_an_index = found.iter().any(|a| matches!(a, Argument::Over { .. }));
        found.push(argument(text, is_behind_an_index)?);
    }
    text.require(")", Expected::Close)?;
    Some(found)
}

/// An equation of an index: `i = 2`, where `i = 1..2` is a range.
fn equation(text: &mut Scanner<'_>) -> Option<Argument> {
    let start = text.next();
    let (name, span) = text.name()?;
    (!text.rest().starts_with("==") && text.sign("=")).then_some(())?;
    let (mut sides, mut relations) =
        (vec![Expression { node: ExpressionForm::Name(plain(name)), span }, expression(text)?], vec![Relation::Equal]);
    if text.rest().starts_with("..") || text.rest().starts_with('…') {
        return None;
    }
    while let Some(relation) = relation(text) {
        relations.push(relation);
        sides.push(expression(text)?);
    }
    let span = text.since(start);
    Some(Argument::Given(Box::new(Assertion::Comparison(ComparisonChain { sides, relations, span }))))
}

fn argument(text: &mut Scanner<'_>, may_compare: bool) -> Option<Argument> {
    if let Some(given) = may_compare.then(|| text.attempt(equation)).flatten() {
        return Some(given);
    }
    let bound = text.attempt(|text| {
        let (name, at) = text.name()?;
        let over = text.membership() || !text.rest().starts_with("==") && text.sign("=");
        if !over {
            text.miss(Expected::Membership);
        }
        (over || text.sign("~") || text.sign("∼")).then(|| (plain(name), at, over))
    });
    let Some((name, at, over)) = bound else {
        let start = text.next();
        let value = expression(text)?;
        let is_compared = text.attempt_only(|text| relation(text).is_some() || text.rest().starts_with(['≠', '!']));
        return if may_compare && (is_compared || text.rest().starts_with("\\ne")) {
            compared(text, start, value).map(|given| Argument::Given(Box::new(given)))
        } else {
            Some(Argument::Value(value))
        };
    };
    let first = expression(text)?;
    if !over {
        return Some(Argument::Drawn { name, at, law: first });
    }
    dots(text)?;
    let (from, to) = (first, expression(text)?);
    Some(Argument::Over { name, at, from, to })
}

pub(super) fn dots(text: &mut Scanner<'_>) -> Option<()> {
    if text.sign("…") {
        return Some(());
    }
    text.require("..", Expected::Dots)
}
