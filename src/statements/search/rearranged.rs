//! The same inequality, divided by one of its summands.
//!
//! The search goes by the quotient of the sides as well as by their difference. Of `lse(y) <= lse(x) + dot(p, y - x) + c*norm(y - x)^2`
//! neither says much: both vanish where `x` and `y` meet, and it fails next to that. All else divided by the last summand is, but for `c`, the
//! very number that `c` is compared with.

use evidence::claim::Relation;
use std::sync::Arc;

use crate::formulas::term::{Chain, Kind, Node, Term};
use crate::instances::statement::Statement;
use crate::text::syntax::Operation;

/// How many summands are set apart.
const MOST: usize = 2;

/// The statement divided by one of its summands, those with a number as a factor first; none for an equation or a chain of
/// several relations, and where each side is one summand already.
pub(crate) fn rearranged(statement: &Statement) -> Vec<Arc<Statement>> {
    let chain = &statement.chain;
    let ([left, right], [relation]) = (chain.sides.as_slice(), chain.relations.as_slice()) else {
        return Vec::new();
    };
    // Everything on the smaller side: the sum is at most zero.
    let (small, large, relation) = match relation {
        Relation::AtMost | Relation::LessThan => (left, right, *relation),
        Relation::AtLeast => (right, left, Relation::AtMost),
        Relation::GreaterThan => (right, left, Relation::LessThan),
        Relation::Equal => return Vec::new(),
    };
    let mut summands = Vec::new();
    collect(small, true, &mut summands);
    collect(large, false, &mut summands);
    if summands.len() < 3 {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..summands.len()).filter(|&i| !is_number(summands[i].1)).collect();
    order.sort_by_key(|&i| !has_factor(summands[i].1));
    let apart = |alone: usize| -> Option<Arc<Statement>> {
        let (added, term) = summands[alone];
        // A summand of the smaller side stays there, and the others change sides; one of the larger side stays, and they keep theirs.
        let rest = summands.iter().enumerate().filter(|(i, _)| *i != alone);
        let rest =
            rest.map(|(_, (sign, t))| (*sign != added, *t)).fold(None, |sum, (sign, t)| Some(joined(sum, sign, t)))?;
        // Where the summand is positive, this is the statement; what is found elsewhere does not survive being judged as it was typed.
        let quotient = Term {
            kind: Kind::Scalar,
            span: term.span.clone(),
            node: Node::Binary(Operation::Divide, Box::new(rest), Box::new(term.clone())),
        };
        let one = Term { kind: Kind::Whole, span: term.span.clone(), node: Node::Whole(1) };
        let sides = if added { vec![one, quotient] } else { vec![quotient, one] };
        Some(Arc::new(Statement {
            chain: Chain { sides, relations: vec![relation], text: chain.text.clone(), start: chain.start },
            ..statement.clone()
        }))
    };
    order.into_iter().filter_map(apart).take(MOST).collect()
}

/// The summands of a sum, each with whether it is added.
fn collect<'t>(term: &'t Term, added: bool, into: &mut Vec<(bool, &'t Term)>) {
    match &term.node {
        Node::Binary(Operation::Add, a, b) if term.kind.is_number() => {
            collect(a, added, into);
            collect(b, added, into);
        }
        Node::Binary(Operation::Subtract, a, b) if term.kind.is_number() => {
            collect(a, added, into);
            collect(b, !added, into);
        }
        Node::Negated(a) if term.kind.is_number() => collect(a, !added, into),
        _ => into.push((added, term)),
    }
}

fn is_number(term: &Term) -> bool {
    match &term.node {
        Node::Number(_) | Node::Whole(_) | Node::Constant(_) => true,
        Node::Binary(_, a, b) => is_number(a) && is_number(b),
        _ => false,
    }
}

fn has_factor(term: &Term) -> bool {
    match &term.node {
        Node::Binary(Operation::Multiply, a, b) => is_number(a) || is_number(b) || has_factor(a),
        Node::Binary(Operation::Divide, a, b) => is_number(b) || has_factor(a),
        _ => false,
    }
}

fn joined(sum: Option<Term>, added: bool, term: &Term) -> Term {
    let (span, kind) = (term.span.clone(), Kind::Scalar);
    let node = match (sum, added) {
        (None, true) => return term.clone(),
        (None, false) => return opposite(term.clone()),
        (Some(sum), true) => Node::Binary(Operation::Add, Box::new(sum), Box::new(term.clone())),
        (Some(sum), false) => Node::Binary(Operation::Subtract, Box::new(sum), Box::new(term.clone())),
    };
    Term { kind, node, span }
}

fn opposite(term: Term) -> Term {
    Term { kind: Kind::Scalar, span: term.span.clone(), node: Node::Negated(Box::new(term)) }
}
