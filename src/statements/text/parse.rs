//! From text to the syntax tree. The grammar is `grammar.pest`; this file bounds what it is asked to read, and takes down what it found.

use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::{Pair, Pairs};

use super::fault::{Fault, Misfit, Problem, Understood};
use super::grammar::{Grammar, Rule};
use super::syntax::{
    Argument, Comparison, Declaration, DeclaredDomain, Expression, ExpressionForm, Literal, Operation, Relation, Span,
};

/// The longest text that is read, in characters.
pub const LONGEST: usize = 4_000;

/// The deepest nesting of brackets that is followed.
const DEEPEST: usize = 64;

/// How many bars, powers, roots and functions without parentheses a text may hold or string together.
const MOST_PREFIXES: usize = 128;

/// A comparison such as `log(1 + x) <= x`.
///
/// # Errors
/// The text is too long or too deep, or the grammar does not allow it.
pub fn statement(text: &str) -> std::result::Result<Comparison, Fault> {
    let pairs = read(Rule::statement, text, "the statement")?;
    let inner = children(pairs).find(|p| p.as_rule() == Rule::comparison);
    complete(inner.map(comparison), text, "the statement")
}

/// Comparisons, separated by commas; perhaps none.
///
/// # Errors
/// As for [`statement`].
pub fn conditions(text: &str) -> std::result::Result<Vec<Comparison>, Fault> {
    let pairs = read(Rule::conditions, text, "--where")?;
    let found = children(pairs)
        .filter(|p| p.as_rule() == Rule::comparison)
        .map(comparison);
    found.collect::<Understood<_>>().map_err(|m| m.within(text, "--where"))
}

/// A single expression.
///
/// # Errors
/// As for [`statement`].
pub fn formula(text: &str) -> std::result::Result<Expression, Fault> {
    let pairs = read(Rule::formula, text, "the formula")?;
    let inner = children(pairs).find(|p| p.as_rule() == Rule::expression);
    complete(inner.map(expression), text, "the formula")
}

/// Declarations, separated by commas; perhaps none.
///
/// # Errors
/// As for [`statement`].
pub fn declarations(text: &str) -> std::result::Result<Vec<Declaration>, Fault> {
    let pairs = read(Rule::declarations, text, "--for")?;
    let found = children(pairs)
        .filter(|p| p.as_rule() == Rule::declaration)
        .map(declaration);
    found.collect::<Understood<_>>().map_err(|m| m.within(text, "--for"))
}

fn complete<T>(found: Option<Understood<T>>, text: &str, origin: &'static str) -> std::result::Result<T, Fault> {
    let nothing = || {
        let found = "nothing".to_owned();
        let expected = vec!["a comparison"];
        Err(Misfit::at(&(0..text.len()), Problem::Unexpected { found, expected }))
    };
    found.unwrap_or_else(nothing).map_err(|m| m.within(text, origin))
}

fn children<'t>(mut pairs: Pairs<'t, Rule>) -> impl Iterator<Item = Pair<'t, Rule>> {
    pairs.next().into_iter().flat_map(Pair::into_inner)
}

/// Refuses what is too long or too deep before the parser, which recurses, sees it.
fn bounded(text: &str) -> Understood<()> {
    let length = text.chars().count();
    if length > LONGEST {
        let most = LONGEST;
        return Err(Misfit::at(&(0..text.len()), Problem::TooLong { length, most }));
    }
    let (mut depth, mut prefixes, mut words, mut in_word) = (0usize, 0usize, 0usize, false);
    for (at, c) in text.char_indices() {
        let word = c.is_alphanumeric() || matches!(c, '_' | '.' | '∑' | '∏' | '∞');
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '^' | '|' | '‖' | '√' => prefixes += 1,
            _ => {}
        }
        // Words in a row are functions without parentheses, each the argument of the one before.
        if word && !in_word {
            words += 1;
        } else if !word && !c.is_whitespace() {
            words = 0;
        }
        in_word = word;
        let most = if depth > DEEPEST { DEEPEST } else { MOST_PREFIXES };
        if depth > DEEPEST || prefixes > MOST_PREFIXES || words > MOST_PREFIXES {
            return Err(Misfit::at(&(at..at + c.len_utf8()), Problem::TooDeep { most }));
        }
    }
    Ok(())
}

fn read<'t>(rule: Rule, text: &'t str, origin: &'static str) -> std::result::Result<Pairs<'t, Rule>, Fault> {
    bounded(text).map_err(|m| m.within(text, origin))?;
    Grammar::parse(rule, text).map_err(|error| {
        let start = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
        // The parser stops before white space; the reader looks behind it.
        let rest = text.get(start..).unwrap_or("");
        let start = start + (rest.len() - rest.trim_start().len());
        let rest = text.get(start..).unwrap_or("");
        let (found, length) = first_token(rest);
        let expected = match error.variant {
            ErrorVariant::ParsingError { positives, .. } => expectations(&positives),
            ErrorVariant::CustomError { .. } => Vec::new(),
        };
        let bare = if found == "`|`" || found == "`‖`" {
            bare_function(text.get(..start).unwrap_or(""))
        } else {
            None
        };
        let problem = match bare {
            Some(word) => Problem::WantsParentheses(word),
            None => Problem::Unexpected { found, expected },
        };
        Misfit::at(&(start..start + length), problem).within(text, origin)
    })
}

/// The function whose name ends a text.
fn bare_function(text: &str) -> Option<String> {
    let text = text.trim_end();
    let from = text
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_alphanumeric() || *c == '_')
        .last()
        .map(|(at, _)| at)?;
    let word = text.get(from..)?;
    super::words::word(word).map(|_| word.to_owned())
}

/// What stands at the front of a text, in words, and how many bytes it takes.
fn first_token(rest: &str) -> (String, usize) {
    let Some(first) = rest.chars().next() else {
        return ("the end".into(), 0);
    };
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let length = if part(first) {
        rest.find(|c| !part(c)).unwrap_or(rest.len())
    } else {
        first.len_utf8()
    };
    (format!("`{}`", &rest[..length]), length)
}

/// What the grammar would have allowed, in words, the most helpful first.
fn expectations(rules: &[Rule]) -> Vec<&'static str> {
    let word = |rule: &Rule| match rule {
        Rule::relation | Rule::bound => Some("a comparison (<=, <, =, >=, >)"),
        Rule::close => Some("`)`"),
        Rule::close_bracket => Some("`]`"),
        Rule::close_brace => Some("`}`"),
        Rule::open => Some("`(`"),
        Rule::bar => Some("`|`"),
        Rule::double_bar => Some("`‖`"),
        Rule::comma | Rule::semicolon => Some("`,`"),
        Rule::membership => Some("`in`"),
        Rule::dots => Some("`..`"),
        Rule::sign
        | Rule::times
        | Rule::caret
        | Rule::index
        | Rule::transposition
        | Rule::superscript
        | Rule::factorial => Some("an operator"),
        Rule::name => Some("a name"),
        Rule::domain | Rule::r#box | Rule::span | Rule::space => {
            Some("what it ranges over (R, R^n, [0, 1], 1..8, simplex(n), …)")
        }
        Rule::declaration | Rule::declarations => Some("a declaration such as `x in R^n`"),
        Rule::size | Rule::size_atom | Rule::size_term | Rule::dimensions => Some("a size"),
        Rule::comparison
        | Rule::expression
        | Rule::term
        | Rule::factor
        | Rule::power
        | Rule::operand
        | Rule::primary
        | Rule::number
        | Rule::exponent
        | Rule::argument
        | Rule::call
        | Rule::group => Some("an expression"),
        Rule::EOI => Some("the end"),
        _ => None,
    };
    let mut words: Vec<&'static str> = rules.iter().filter_map(word).collect();
    // Whatever may go on may go on with an operator; who forgot a bracket wants to hear of the bracket.
    let rank = |w: &&str| match *w {
        "an operator" | "`(`" => 2,
        "the end" => 3,
        "a name" => 1,
        _ => 0,
    };
    words.sort_by_key(rank);
    words.dedup();
    let mut once: Vec<&'static str> = Vec::new();
    for w in words {
        // An expression may begin with a name or a sign; after a name an opening parenthesis is always possible.
        let implied =
            w == "`(`" && !once.is_empty() || (w == "a name" || w == "an operator") && once.contains(&"an expression");
        if !once.contains(&w) && !implied {
            once.push(w);
        }
    }
    once
}

/// The place of a pair, without the white space that the grammar lets follow.
fn span(pair: &Pair<'_, Rule>) -> Span {
    let start = pair.as_span().start();
    start..start + pair.as_str().trim_end().len()
}

/// What the grammar promises and this file relies on; said as a fault rather than a panic.
fn broken(pair_span: &Span) -> Misfit {
    let (found, expected) = ("something".to_owned(), vec!["an expression"]);
    Misfit::at(pair_span, Problem::Unexpected { found, expected })
}

fn comparison(pair: Pair<'_, Rule>) -> Understood<Comparison> {
    let span = span(&pair);
    let (mut sides, mut relations) = (Vec::new(), Vec::new());
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::relation => relations.push(relation(part.as_str())),
            _ => sides.push(expression(part)?),
        }
    }
    Ok(Comparison { sides, relations, span })
}

fn relation(text: &str) -> Relation {
    match text {
        "<=" | "≤" | "⩽" => Relation::AtMost,
        ">=" | "≥" | "⩾" => Relation::AtLeast,
        "<" => Relation::Less,
        ">" => Relation::Greater,
        _ => Relation::Equal,
    }
}

fn boxed(node: ExpressionForm, span: Span) -> Expression {
    Expression { node, span }
}

fn binary(operation: Operation, left: Expression, right: Expression) -> Expression {
    let span = left.span.start..right.span.end;
    boxed(ExpressionForm::Binary(operation, Box::new(left), Box::new(right)), span)
}

/// `expression` and `size`: terms with signs between them.
fn expression(pair: Pair<'_, Rule>) -> Understood<Expression> {
    let whole = span(&pair);
    let mut so_far: Option<Expression> = None;
    let mut operation = Operation::Add;
    for part in pair.into_inner() {
        if part.as_rule() == Rule::sign {
            operation = if part.as_str() == "+" {
                Operation::Add
            } else {
                Operation::Subtract
            };
            continue;
        }
        let next = term(part)?;
        so_far = Some(match so_far {
            None => next,
            Some(left) => binary(operation, left, next),
        });
    }
    so_far.ok_or_else(|| broken(&whole))
}

/// `term` and `size_term`: factors with products and quotients between them.
fn term(pair: Pair<'_, Rule>) -> Understood<Expression> {
    let whole = span(&pair);
    let mut so_far: Option<Expression> = None;
    let mut operation = Operation::Multiply;
    for part in pair.into_inner() {
        if part.as_rule() == Rule::times {
            let divides = matches!(part.as_str(), "/" | "÷");
            operation = if divides {
                Operation::Divide
            } else {
                Operation::Multiply
            };
            continue;
        }
        // 1/2x may be meant as (1/2)x or as 1/(2x).
        let mut inside = part.clone().into_inner();
        if operation == Operation::Divide && inside.any(|p| p.as_rule() == Rule::multiple) {
            return Err(Misfit::at(
                &span(&part),
                Problem::Ambiguous(part.as_str().trim().to_owned()),
            ));
        }
        let next = match part.as_rule() {
            Rule::size_atom => size_atom(part)?,
            _ => factor(part)?,
        };
        so_far = Some(match so_far {
            None => next,
            Some(left) => binary(operation, left, next),
        });
    }
    so_far.ok_or_else(|| broken(&whole))
}

fn size_atom(pair: Pair<'_, Rule>) -> Understood<Expression> {
    let whole = span(&pair);
    let inner = pair.into_inner().next().ok_or_else(|| broken(&whole))?;
    Ok(match inner.as_rule() {
        Rule::number => boxed(ExpressionForm::Number(literal(inner.as_str())), whole),
        _ => boxed(ExpressionForm::Name(inner.as_str().to_owned()), whole),
    })
}

/// `factor` and `exponent`: signs before a power or a multiple.
fn factor(pair: Pair<'_, Rule>) -> Understood<Expression> {
    let whole = span(&pair);
    let mut negative = false;
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::sign => negative ^= part.as_str() != "+",
            _ => {
                let inner = match part.as_rule() {
                    Rule::multiple => multiple(part)?,
                    _ => power(part)?,
                };
                return Ok(if negative {
                    boxed(ExpressionForm::Negated(Box::new(inner)), whole)
                } else {
                    inner
                });
            }
        }
    }
    Err(broken(&whole))
}

fn multiple(pair: Pair<'_, Rule>) -> Understood<Expression> {
    let whole = span(&pair);
    let mut parts = pair.into_inner();
    let (Some(coefficient), Some(rest)) = (parts.next(), parts.next()) else {
        return Err(broken(&whole));
    };
    let number = boxed(
        ExpressionForm::Number(literal(coefficient.as_str())),
        span(&coefficient),
    );
    Ok(binary(Operation::Multiply, number, power(rest)?))
}

fn power(pair: Pair<'_, Rule>) -> Understood<Expression> {
    let whole = span(&pair);
    let mut parts = pair.into_inner();
    let base = operand(parts.next().ok_or_else(|| broken(&whole))?)?;
    // Between base and exponent stands the caret.
    match parts.nth(1) {
        None => Ok(base),
        Some(exponent) => Ok(boxed(
            ExpressionForm::Power(Box::new(base), Box::new(factor(exponent)?)),
            whole,
        )),
    }
}

fn operand(pair: Pair<'_, Rule>) -> Understood<Expression> {
    let whole = span(&pair);
    let mut parts = pair.into_inner();
    let mut so_far = primary(parts.next().ok_or_else(|| broken(&whole))?)?;
    for part in parts {
        let covered = so_far.span.start..part.as_span().end();
        let node = match part.as_rule() {
            Rule::index => ExpressionForm::Indexed(Box::new(so_far), expressions(part)?),
            Rule::transposition => ExpressionForm::Transposed(Box::new(so_far)),
            Rule::factorial => call("factorial", span(&part), vec![Argument::Value(so_far)]),
            _ => {
                let exponent = boxed(superscript(part.as_str()), span(&part));
                ExpressionForm::Power(Box::new(so_far), Box::new(exponent))
            }
        };
        so_far = boxed(node, covered);
    }
    Ok(so_far)
}

fn superscript(text: &str) -> ExpressionForm {
    const DIGITS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let negative = text.starts_with('⁻');
    let digit = |c: char| DIGITS.chars().position(|d| d == c);
    let plain: String = text.chars().filter_map(digit).map(|d| d.to_string()).collect();
    let number = ExpressionForm::Number(literal(&plain));
    if negative {
        ExpressionForm::Negated(Box::new(boxed(number, 0..0)))
    } else {
        number
    }
}

/// Every expression among the parts of a pair.
fn expressions(pair: Pair<'_, Rule>) -> Understood<Vec<Expression>> {
    let parts = pair.into_inner().filter(|p| p.as_rule() == Rule::expression);
    parts.map(expression).collect()
}

fn inside(pair: Pair<'_, Rule>) -> Understood<Box<Expression>> {
    let whole = span(&pair);
    let found = expressions(pair)?.into_iter().next();
    found.map(Box::new).ok_or_else(|| broken(&whole))
}

fn primary(pair: Pair<'_, Rule>) -> Understood<Expression> {
    let whole = span(&pair);
    let inner = pair.into_inner().next().ok_or_else(|| broken(&whole))?;
    let node = match inner.as_rule() {
        Rule::number => ExpressionForm::Number(literal(inner.as_str())),
        Rule::name => ExpressionForm::Name(inner.as_str().to_owned()),
        Rule::group => {
            // The parentheses belong to the place of what is inside.
            let inner = inside(inner)?;
            return Ok(boxed(inner.node, whole));
        }
        Rule::absolute => ExpressionForm::Absolute(inside(inner)?),
        Rule::norm => ExpressionForm::Norm(inside(inner)?),
        Rule::list => ExpressionForm::List(expressions(inner)?),
        Rule::root => {
            let at = inner.as_span().start()..inner.as_span().start() + '√'.len_utf8();
            let under = inner.into_inner().next().ok_or_else(|| broken(&whole))?;
            call("sqrt", at, vec![Argument::Value(operand(under)?)])
        }
        Rule::application => {
            let mut parts = inner.into_inner();
            let (Some(name), Some(rest)) = (parts.next(), parts.next()) else {
                return Err(broken(&whole));
            };
            if rest.as_rule() == Rule::coefficient_error {
                let text = format!("{} {}", name.as_str(), rest.as_str().trim());
                return Err(Misfit::at(&whole, Problem::Ambiguous(text)));
            }
            call(name.as_str(), span(&name), vec![Argument::Value(power(rest)?)])
        }
        Rule::call => {
            let mut parts = inner.into_inner();
            let name = parts.next().ok_or_else(|| broken(&whole))?;
            let given = parts.filter(|p| p.as_rule() == Rule::argument).map(argument);
            call(name.as_str(), span(&name), given.collect::<Understood<_>>()?)
        }
        _ => return Err(broken(&whole)),
    };
    Ok(boxed(node, whole))
}

fn call(word: &str, at: Span, arguments: Vec<Argument>) -> ExpressionForm {
    let word = word.to_owned();
    ExpressionForm::Call { word, at, arguments }
}

fn argument(pair: Pair<'_, Rule>) -> Understood<Argument> {
    let whole = span(&pair);
    let inner = pair.into_inner().next().ok_or_else(|| broken(&whole))?;
    if inner.as_rule() == Rule::expression {
        return Ok(Argument::Value(expression(inner)?));
    }
    let kind = inner.into_inner().next().ok_or_else(|| broken(&whole))?;
    let drawn = kind.as_rule() == Rule::drawn;
    let name = kind.clone().into_inner().next().ok_or_else(|| broken(&whole))?;
    let (at, name) = (span(&name), name.as_str().to_owned());
    let mut found = expressions(kind)?.into_iter();
    let mut next = || found.next().ok_or_else(|| broken(&whole));
    Ok(if drawn {
        Argument::Drawn { name, at, law: next()? }
    } else {
        let (from, to) = (next()?, next()?);
        Argument::Over { name, at, from, to }
    })
}

/// A decimal number, exactly where 19 digits are enough.
fn literal(text: &str) -> Literal {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = format!("{whole}{fraction}");
    let exact = || {
        let digits: u64 = digits.parse().ok()?;
        let written: i32 = exponent.parse().ok()?;
        let exponent = written.checked_sub(i32::try_from(fraction.len()).ok()?)?;
        // 1e3 is the whole number 1000.
        let scaled = u32::try_from(exponent)
            .ok()
            .and_then(|e| digits.checked_mul(10u64.checked_pow(e)?));
        if let Some(digits) = scaled.filter(|&d| d <= 1 << 53) {
            let exponent = 0;
            return Some(Literal::Decimal { digits, exponent });
        }
        (exponent.abs() <= 400).then_some(Literal::Decimal { digits, exponent })
    };
    exact().unwrap_or_else(|| Literal::Near(text.parse().unwrap_or(f64::INFINITY)))
}

fn declaration(pair: Pair<'_, Rule>) -> Understood<Declaration> {
    let mut names = Vec::new();
    let mut domain = DeclaredDomain::Unsaid;
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::name => names.push((part.as_str().to_owned(), span(&part))),
            Rule::domain => domain = ranged(part)?,
            Rule::bound => {
                let mut parts = part.into_inner();
                if let (Some(sign), Some(limit)) = (parts.next(), parts.next()) {
                    domain = DeclaredDomain::Bound(relation(sign.as_str()), expression(limit)?);
                }
            }
            _ => {}
        }
    }
    Ok(Declaration { names, domain })
}

fn ranged(pair: Pair<'_, Rule>) -> Understood<DeclaredDomain> {
    let whole = span(&pair);
    let inner = pair.into_inner().next().ok_or_else(|| broken(&whole))?;
    match inner.as_rule() {
        Rule::r#box => {
            let (mut ends, mut sizes) = (Vec::new(), Vec::new());
            let (mut low_open, mut high_open) = (false, false);
            for part in inner.into_inner() {
                match part.as_rule() {
                    Rule::open => low_open = true,
                    Rule::close => high_open = true,
                    Rule::expression => ends.push(expression(part)?),
                    Rule::dimensions => sizes = dimensions(part)?,
                    _ => {}
                }
            }
            let mut ends = ends.into_iter();
            let (Some(low), Some(high)) = (ends.next(), ends.next()) else {
                return Err(broken(&whole));
            };
            Ok(DeclaredDomain::Box {
                low_open,
                low,
                high,
                high_open,
                sizes,
            })
        }
        Rule::span => {
            let mut ends = expressions(inner)?.into_iter();
            let from = ends.next().ok_or_else(|| broken(&whole))?;
            Ok(DeclaredDomain::Whole { from, to: ends.next() })
        }
        _ => {
            let mut space = DeclaredDomain::Unsaid;
            for part in inner.into_inner() {
                match (part.as_rule(), &mut space) {
                    (Rule::name, _) => {
                        let (at, name) = (span(&part), part.as_str().to_owned());
                        let (arguments, sizes) = (Vec::new(), Vec::new());
                        space = DeclaredDomain::Space {
                            name,
                            at,
                            arguments,
                            sizes,
                        };
                    }
                    (Rule::arguments, DeclaredDomain::Space { arguments, .. }) => *arguments = expressions(part)?,
                    (Rule::dimensions, DeclaredDomain::Space { sizes, .. }) => *sizes = dimensions(part)?,
                    _ => {}
                }
            }
            Ok(space)
        }
    }
}

fn dimensions(pair: Pair<'_, Rule>) -> Understood<Vec<Expression>> {
    let mut sizes = Vec::new();
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::size => sizes.push(expression(part)?),
            Rule::size_atom => sizes.push(size_atom(part)?),
            _ => {}
        }
    }
    Ok(sizes)
}
