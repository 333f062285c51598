//! Statements in which whole numbers occur in remainders of polynomials alone: one period shows them.

use evidence::claim::Relation;
use std::sync::Arc;

use num_integer::Integer as _;

use super::reasoning::Reasoning;
use crate::formulas::domain::Domain;
use crate::formulas::evaluate::Evaluator;
use crate::formulas::term::{Kind, Node, Term, inside, uses};
use crate::instances::statement::Statement;
use crate::numbers::number::{Enclosed, Value};
use crate::text::syntax::Operation;

/// The most values that are gone through.
const MOST: i64 = 20_000;

/// Shows a statement by the values of its whole numbers in one period.
pub(super) fn by_remainders(statement: &Arc<Statement>) -> Option<Reasoning> {
    let variables = &statement.declarations.variables;
    let are_whole = variables.iter().all(|v| matches!(v.domain, Domain::Whole { .. }));
    if variables.is_empty() || !are_whole || !statement.conditions.is_empty() {
        return None;
    }
    let chain = &statement.chain;
    let mut period = 1;
    for side in &chain.sides {
        period = period_of(side, period)?;
    }
    let count = (0..variables.len()).try_fold(1, |count: i64, _| count.checked_mul(period).filter(|c| *c <= MOST))?;
    for place in 0..count {
        let mut rest = place;
        let values: Vec<Value<Enclosed>> = (0..variables.len())
            .map(|_| {
                let value = rest % period;
                rest /= period;
                Value::Whole(value)
            })
            .collect();
        let side = |term| Evaluator::new(&values).scalar(term).ok().filter(|s: &Enclosed| s.defined).map(|s| s.value);
        for (pair, relation) in chain.sides.windows(2).zip(&chain.relations) {
            let (a, b) = (side(&pair[0])?, side(&pair[1])?);
            let holds = match relation {
                Relation::AtMost => a.hi() <= b.lo(),
                Relation::LessThan => a.hi() < b.lo(),
                Relation::AtLeast => a.lo() >= b.hi(),
                Relation::GreaterThan => a.lo() > b.hi(),
                Relation::Equal => a.lo() == b.hi() && a.hi() == b.lo(),
            };
            if !holds {
                return None;
            }
        }
    }
    let line = format!("both sides repeat after {period}");
    Some(Reasoning { by: "by the remainders of whole numbers".into(), lines: vec![line], cases: count as usize })
}

/// A period of a term in every variable, together with one that is known; none if it has none.
fn period_of(term: &Term, known: i64) -> Option<i64> {
    if uses(term).is_empty() {
        return Some(known);
    }
    match &term.node {
        Node::Variable(_) => None,
        Node::Remainder(of, by) if uses(by).is_empty() && is_polynomial(of) => {
            let by = Evaluator::<f64>::new(&[]).whole(by).ok()?;
            let found = known.lcm(&by.checked_abs().filter(|by| (1..=MOST).contains(by))?);
            (found <= MOST).then_some(found)
        }
        _ => inside(term).into_iter().try_fold(known, |known, inner| period_of(inner, known)),
    }
}

/// Whether a whole number is a polynomial with whole coefficients.
fn is_polynomial(term: &Term) -> bool {
    term.kind == Kind::Whole
        && match &term.node {
            Node::Variable(_) | Node::Whole(_) | Node::Number(_) => true,
            Node::Negated(a) => is_polynomial(a),
            Node::Binary(operation, a, b) => *operation != Operation::Divide && is_polynomial(a) && is_polynomial(b),
            Node::WholePower(a, b) => {
                let exponent = uses(b).is_empty().then(|| Evaluator::<f64>::new(&[]).whole(b).ok()).flatten();
                is_polynomial(a) && exponent.is_some_and(|k| k >= 0)
            }
            _ => false,
        }
}
