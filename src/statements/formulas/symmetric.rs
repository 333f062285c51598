//! Which matrices are symmetric by how they are written. Eigenvalues are asked of no others: those of (A + A')/2, which are what this program
//! would compute, are not those of A. An equation between two of them says all in its upper triangle.

use super::domain::{Domain, Variable};
use super::evaluate::Evaluator;
use super::term::{Kind, Node, Term, inside, uses};
use crate::numbers::number::{Enclosed, Value};
use crate::text::syntax::Operation;

/// Whether a matrix equals its transpose, whatever the values of the variables.
pub(super) fn is_symmetric(term: &Term, variables: &[Variable]) -> bool {
    let symmetric = |inner: &Term| is_symmetric(inner, variables);
    match &term.node {
        Node::Variable(place) => matches!(variables[*place].domain, Domain::Symmetric(_) | Domain::Semidefinite(_)),
        Node::Identity(_) | Node::Diagonal(_) => true,
        Node::Negated(a) | Node::Transposed(a) | Node::Inverse(a) | Node::WholePower(a, _) => symmetric(a),
        Node::Outer(a, b) => same(a, b),
        Node::Rows(rows) => is_written_symmetric(rows) || is_symmetric_in_numbers(term),
        Node::Binary(Operation::Add, a, b) => symmetric(a) && symmetric(b) || are_transposed(a, b),
        Node::Binary(Operation::Subtract, a, b) => symmetric(a) && symmetric(b),
        Node::Binary(Operation::Divide, a, _) => symmetric(a),
        Node::Binary(Operation::Multiply, a, b) => match (a.kind, b.kind) {
            (Kind::Matrix, Kind::Matrix) => are_transposed(a, b) || is_congruent(a, b, variables),
            (Kind::Matrix, _) => symmetric(a),
            _ => symmetric(b),
        },
        _ => false,
    }
}

/// B'*S*B with a symmetric S, given as (B'*S) and B.
fn is_congruent(left: &Term, right: &Term, variables: &[Variable]) -> bool {
    match &left.node {
        Node::Binary(Operation::Multiply, outer, inner) => {
            are_transposed(outer, right) && is_symmetric(inner, variables)
        }
        _ => false,
    }
}

/// Whether one of two terms is written as the transpose of the other.
fn are_transposed(a: &Term, b: &Term) -> bool {
    matches!(&a.node, Node::Transposed(of) if same(of, b)) || matches!(&b.node, Node::Transposed(of) if same(of, a))
}

/// Whether each entry of a matrix of rows is written as the one across the diagonal.
fn is_written_symmetric(rows: &[Term]) -> bool {
    let entry = |i: usize, j: usize| match &rows[i].node {
        Node::List(entries) => entries.get(j),
        _ => None,
    };
    let alike = |i: usize, j: usize| entry(i, j).zip(entry(j, i)).is_some_and(|(a, b)| same(a, b));
    let is_square = rows.iter().all(|row| matches!(&row.node, Node::List(entries) if entries.len() == rows.len()));
    is_square && (0..rows.len()).all(|i| (0..i).all(|j| alike(i, j)))
}

/// The same of numbers that are written otherwise, 0.5 and 1/2.
fn is_symmetric_in_numbers(matrix: &Term) -> bool {
    let nothing: &[Value<Enclosed>] = &[];
    uses(matrix).is_empty()
        && Evaluator::new(nothing).matrix(matrix).is_ok_and(|grid| {
            let at = |i: usize, j: usize| grid.entries[i * grid.columns + j].value;
            let alike = |i: usize, j: usize| at(i, j) == at(j, i) && at(i, j).lo() == at(i, j).hi();
            grid.rows == grid.columns && (0..grid.rows).all(|i| (0..i).all(|j| alike(i, j)))
        })
}

/// Whether two terms are written alike, wherever they stand.
fn same(a: &Term, b: &Term) -> bool {
    let alike = match (&a.node, &b.node) {
        (Node::Number(x), Node::Number(y)) => x == y,
        (Node::Whole(x), Node::Whole(y)) => x == y,
        (Node::Constant(x), Node::Constant(y)) => x == y,
        (Node::Variable(x), Node::Variable(y)) | (Node::Index(x), Node::Index(y)) => x == y,
        (Node::Binary(x, ..), Node::Binary(y, ..)) => x == y,
        (Node::Apply(x, _), Node::Apply(y, _)) => x == y,
        (Node::Norm(x, _), Node::Norm(y, _)) => x == y,
        (Node::Fold(..) | Node::Guarded(..) | Node::Expectation { .. }, _) => false,
        (x, y) => std::mem::discriminant(x) == std::mem::discriminant(y),
    };
    let (inner, other) = (inside(a), inside(b));
    alike && inner.len() == other.len() && inner.into_iter().zip(other).all(|(a, b)| same(a, b))
}
