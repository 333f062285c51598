//! Comparisons in place of alternatives and implications.
//!
//! A statement `a => b` is `b` under the condition `a`, and `a or b` is `b` where `a` is false, or `a` where `b` is: whichever says something. A
//! condition `a or b` is one comparison of the larger of two differences with zero, and of two equations it is the equation of a product with zero.

use super::fault::{Misfit, Problem, Understood};
use super::syntax::{
    Argument, Assertion, ComparisonChain, Expression, ExpressionForm, Literal, Operation, Span, typed,
};
use evidence::claim::Relation;

/// A comparison, and how it is written where the text does not have it in one piece.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) comparison: ComparisonChain,
    pub(crate) text: Option<String>,
}

/// A statement: what it claims, and under which conditions that it states itself.
#[derive(Clone, Debug)]
pub(crate) struct Claimed {
    /// What it assumes.
    pub(crate) given: Vec<Asked>,
    /// That its other alternatives are false.
    pub(crate) otherwise: Vec<Asked>,
    pub(crate) stated: Asked,
}

const ONE_BY_ONE: &str = "a statement is one comparison or a chain `a <= b <= c`; try the others one by one";

/// What a statement claims, in all ways of saying it that are the same; `text` is what it was read from. A statement of alternatives claims one of
/// them where the others are false, the last one first. Where none of these says anything, some alternative is true everywhere: the last way says so in
/// one comparison of the largest difference.
pub(crate) fn claimed(assertion: &Assertion, text: &str) -> Understood<Vec<Claimed>> {
    match assertion {
        Assertion::Comparison(_) | Assertion::Unequal(..) => {
            let mut one = conditions(assertion, text);
            Ok(vec![Claimed { given: Vec::new(), otherwise: Vec::new(), stated: one.swap_remove(0) }])
        }
        Assertion::Implies(first, second) => {
            let mut found = claimed(second, text)?;
            for way in &mut found {
                way.given.splice(0..0, conditions(first, text));
            }
            Ok(found)
        }
        Assertion::Any(all) => {
            let is_one = |a: &Assertion| matches!(a, Assertion::Comparison(_) | Assertion::Unequal(..));
            let places = (0..all.len()).rev().filter(|&place| is_one(&all[place]));
            let mut found = Vec::new();
            for place in places {
                let others = all.iter().enumerate().filter(|(at, _)| *at != place);
                let otherwise = others.flat_map(|(_, other)| contraries(other, text)).collect();
                let mut one = claimed(&all[place], text)?;
                found.push(Claimed { otherwise, ..one.swap_remove(0) });
            }
            if found.is_empty() {
                return Err(several(assertion));
            }
            let stated = compared_with_zero(assertion, text);
            found.push(Claimed { given: Vec::new(), otherwise: Vec::new(), stated });
            Ok(found)
        }
        Assertion::All(_) => Err(several(assertion)),
    }
}

fn several(assertion: &Assertion) -> Misfit {
    Misfit::at(&span(assertion), Problem::Translated("and".into(), ONE_BY_ONE))
}

/// The comparisons that a condition asks for, all of them.
pub(crate) fn conditions(assertion: &Assertion, text: &str) -> Vec<Asked> {
    match assertion {
        Assertion::Comparison(comparison) => vec![Asked { comparison: comparison.clone(), text: None }],
        Assertion::All(all) => all.iter().flat_map(|each| conditions(each, text)).collect(),
        Assertion::Any(all) => {
            let equations = all.iter().map(equation).collect::<Option<Vec<_>>>();
            vec![equations.map_or_else(|| compared_with_zero(assertion, text), |all| product(assertion, &all, text))]
        }
        Assertion::Unequal(..) | Assertion::Implies(..) => vec![compared_with_zero(assertion, text)],
    }
}

/// One comparison with zero that is true where the assertion is.
fn compared_with_zero(assertion: &Assertion, text: &str) -> Asked {
    let (by_signs, relation) = match strictness(assertion) {
        [true, true] => (true, Relation::GreaterThan),
        [_, true] => (false, Relation::GreaterThan),
        _ => (false, Relation::AtLeast),
    };
    let span = span(assertion);
    let sides = vec![room(assertion, by_signs), at(&span, number(0))];
    Asked { comparison: ComparisonChain { sides, relations: vec![relation], span }, text: Some(told(assertion, text)) }
}

/// The sides of a single equation.
fn equation(assertion: &Assertion) -> Option<(&Expression, &Expression)> {
    let Assertion::Comparison(comparison) = assertion else { return None };
    match (comparison.sides.as_slice(), comparison.relations.as_slice()) {
        ([a, b], [Relation::Equal]) => Some((a, b)),
        _ => None,
    }
}

/// One of some equations at least: the product of the differences is zero, which can be met exactly where no number makes both sides equal.
fn product(assertion: &Assertion, equations: &[(&Expression, &Expression)], text: &str) -> Asked {
    let span = span(assertion);
    let differences = equations.iter().map(|(a, b)| binary(&span, Operation::Subtract, (*a).clone(), (*b).clone()));
    let product = differences.reduce(|a, b| binary(&span, Operation::Multiply, a, b));
    let sides = vec![product.unwrap_or_else(|| at(&span, number(0))), at(&span, number(0))];
    let relations = vec![Relation::Equal];
    Asked { comparison: ComparisonChain { sides, relations, span }, text: Some(told(assertion, text)) }
}

/// The comparisons that hold where an assertion is false.
fn contraries(assertion: &Assertion, text: &str) -> Vec<Asked> {
    let written = |one: &Assertion| {
        let found = conditions(one, text);
        found.into_iter().map(|asked| Asked { text: Some(told(one, text)), ..asked }).collect::<Vec<_>>()
    };
    each_of(negated(assertion)).iter().flat_map(written).collect()
}

/// The assertions all of which are meant, each with a text of its own.
fn each_of(assertion: Assertion) -> Vec<Assertion> {
    match assertion {
        Assertion::All(all) => all.into_iter().flat_map(each_of).collect(),
        one => vec![one],
    }
}

/// The contrary.
fn negated(assertion: &Assertion) -> Assertion {
    match assertion {
        Assertion::Comparison(comparison) => {
            let mut links: Vec<Assertion> =
                links(comparison).map(|(a, relation, b)| contrary(a, relation, b)).collect();
            if links.len() == 1 { links.swap_remove(0) } else { Assertion::Any(links) }
        }
        Assertion::Unequal(a, b) => one(a, Relation::Equal, b),
        Assertion::All(all) => Assertion::Any(all.iter().map(negated).collect()),
        Assertion::Any(all) => Assertion::All(all.iter().map(negated).collect()),
        Assertion::Implies(a, b) => Assertion::All(vec![(**a).clone(), negated(b)]),
    }
}

fn contrary(a: &Expression, relation: Relation, b: &Expression) -> Assertion {
    match relation {
        Relation::AtMost => one(a, Relation::GreaterThan, b),
        Relation::LessThan => one(a, Relation::AtLeast, b),
        Relation::AtLeast => one(a, Relation::LessThan, b),
        Relation::GreaterThan => one(a, Relation::AtMost, b),
        Relation::Equal => Assertion::Unequal(Box::new(a.clone()), Box::new(b.clone())),
    }
}

fn one(a: &Expression, relation: Relation, b: &Expression) -> Assertion {
    let span = a.span.start..b.span.end;
    Assertion::Comparison(ComparisonChain { sides: vec![a.clone(), b.clone()], relations: vec![relation], span })
}

fn links(comparison: &ComparisonChain) -> impl Iterator<Item = (&Expression, Relation, &Expression)> {
    let pairs = comparison.sides.windows(2).zip(&comparison.relations);
    pairs.map(|(pair, relation)| (&pair[0], *relation, &pair[1]))
}

/// Whether it has relations that hold where both sides are equal, and whether it has others.
fn strictness(assertion: &Assertion) -> [bool; 2] {
    let either = |a: [bool; 2], b: [bool; 2]| [a[0] || b[0], a[1] || b[1]];
    let of_all = |all: &[Assertion]| all.iter().map(strictness).fold([false; 2], either);
    match assertion {
        Assertion::Comparison(comparison) => {
            let strict = |r: &Relation| matches!(r, Relation::LessThan | Relation::GreaterThan);
            [comparison.relations.iter().any(|r| !strict(r)), comparison.relations.iter().any(strict)]
        }
        Assertion::Unequal(..) => [false, true],
        Assertion::All(all) | Assertion::Any(all) => of_all(all),
        Assertion::Implies(a, b) => either(strictness(&negated(a)), strictness(b)),
    }
}

/// A number that is positive where the assertion is true, or not negative where its relations are weak, and not so where it is false. By signs where it
/// has relations of both kinds: `2 sign(d) + 1 > 0` says `d >= 0`, and `2 sign(d) − 1 > 0` says `d > 0`.
fn room(assertion: &Assertion, by_signs: bool) -> Expression {
    let place = span(assertion);
    let signed = |difference: Expression, is_strict: bool| {
        if !by_signs {
            return difference;
        }
        let twice = binary(&place, Operation::Multiply, at(&place, number(2)), call(&place, "sign", vec![difference]));
        let operation = if is_strict { Operation::Subtract } else { Operation::Add };
        binary(&place, operation, twice, at(&place, number(1)))
    };
    let link = |(a, relation, b): (&Expression, Relation, &Expression)| {
        let less = |a: &Expression, b: &Expression| binary(&place, Operation::Subtract, b.clone(), a.clone());
        match relation {
            Relation::AtMost => signed(less(a, b), false),
            Relation::LessThan => signed(less(a, b), true),
            Relation::AtLeast => signed(less(b, a), false),
            Relation::GreaterThan => signed(less(b, a), true),
            Relation::Equal => {
                let apart = at(&place, ExpressionForm::Absolute(Box::new(less(a, b))));
                signed(at(&place, ExpressionForm::Negated(Box::new(apart))), false)
            }
        }
    };
    let of_all = |word: &str, mut all: Vec<Expression>| {
        if all.len() == 1 { all.swap_remove(0) } else { call(&place, word, all) }
    };
    let each = |all: &[Assertion]| all.iter().map(|a| room(a, by_signs)).collect::<Vec<_>>();
    match assertion {
        Assertion::Comparison(comparison) => of_all("min", links(comparison).map(link).collect()),
        Assertion::Unequal(a, b) => {
            let difference = binary(&place, Operation::Subtract, (**a).clone(), (**b).clone());
            signed(at(&place, ExpressionForm::Absolute(Box::new(difference))), true)
        }
        Assertion::All(all) => of_all("min", each(all)),
        Assertion::Any(all) => of_all("max", each(all)),
        Assertion::Implies(a, b) => of_all("max", vec![room(&negated(a), by_signs), room(b, by_signs)]),
    }
}

fn span(assertion: &Assertion) -> Span {
    match assertion {
        Assertion::Comparison(comparison) => comparison.span.clone(),
        Assertion::Unequal(a, b) => a.span.start..b.span.end,
        Assertion::All(all) | Assertion::Any(all) => {
            let (first, last) = (all.first().map(span), all.last().map(span));
            first.map_or(0, |f| f.start)..last.map_or(0, |l| l.end)
        }
        Assertion::Implies(a, b) => span(a).start..span(b).end,
    }
}

fn at(span: &Span, node: ExpressionForm) -> Expression {
    Expression { node, span: span.clone() }
}

fn number(digits: u128) -> ExpressionForm {
    ExpressionForm::Number(Literal::Decimal { digits, exponent: 0 })
}

fn binary(span: &Span, operation: Operation, a: Expression, b: Expression) -> Expression {
    at(span, ExpressionForm::Binary(operation, Box::new(a), Box::new(b)))
}

fn call(span: &Span, word: &str, arguments: Vec<Expression>) -> Expression {
    let arguments = arguments.into_iter().map(Argument::Value).collect();
    at(span, ExpressionForm::Call { word: word.to_owned(), at: span.clone(), arguments })
}

/// The alternatives of an assertion, as they can be typed, where some are equations and others are not.
pub(crate) fn mixed(assertion: &Assertion, text: &str) -> Vec<String> {
    let Assertion::Any(all) = assertion else { return Vec::new() };
    let equations = all.iter().filter(|one| equation(one).is_some()).count();
    if equations == 0 || equations == all.len() {
        return Vec::new();
    }
    all.iter().map(|one| told(one, text)).collect()
}

/// As it can be typed again; its expressions are those of the text.
pub(crate) fn told(assertion: &Assertion, text: &str) -> String {
    let written = |e: &Expression| text.get(e.span.clone()).unwrap_or("").trim().to_owned();
    let joined = |all: &[Assertion], word: &str, parenthesised: fn(&Assertion) -> bool| {
        let each = all.iter().map(|a| {
            let told = told(a, text);
            if parenthesised(a) { format!("({told})") } else { told }
        });
        each.collect::<Vec<_>>().join(word)
    };
    let is_joined = |a: &Assertion| !matches!(a, Assertion::Comparison(_) | Assertion::Unequal(..));
    match assertion {
        Assertion::Comparison(comparison) => {
            let mut told = comparison.sides.first().map(written).unwrap_or_default();
            for (_, relation, b) in links(comparison) {
                told += &format!(" {} {}", typed(relation), written(b));
            }
            told
        }
        Assertion::Unequal(a, b) => format!("{} != {}", written(a), written(b)),
        Assertion::All(all) => joined(all, " and ", is_joined),
        Assertion::Any(all) => joined(all, " or ", |a| matches!(a, Assertion::Any(_) | Assertion::Implies(..))),
        Assertion::Implies(a, b) => {
            let one = |a: &Assertion| match a {
                Assertion::Implies(..) => format!("({})", told(a, text)),
                _ => told(a, text),
            };
            format!("{} => {}", one(a), one(b))
        }
    }
}
