//! Equations between vectors and between matrices, as equations between their entries.

use super::domain::{Domain, Size, Variable};
use super::evaluate::Evaluator;
use super::symmetric::is_symmetric;
use super::term::{Chain, Kind, Node, NormKind, Term, uses};
use crate::numbers::number::{Grid, Value};
use crate::text::fault::{Misfit, Problem, Understood};
use crate::text::syntax::{Operation, Span};
use evidence::claim::Relation;

/// An equation between matrices of more entries is refused.
const MOST_ENTRIES: usize = 64;

const SIZES: &str = "in an equation between vectors or matrices sizes are numbers, `A in R^(3, 3)`; an orthogonal matrix of any size is \
                     `A in orthogonal(n)`";

/// The equations between entries that an equation between two vectors or matrices asks for. Where both sides are symmetric by the way they are
/// written, the upper triangle says all.
pub(crate) fn entrywise(variables: &[Variable], left: &Term, right: &Term, text: &str) -> Understood<Vec<Chain>> {
    let place = left.span.start..right.span.end;
    let domain = |message: String| Misfit::at(&place, Problem::Domain(message));
    let values = variables.iter().map(sample).collect::<Vec<_>>();
    let is_sized = |term: &Term| uses(term).iter().all(|&v| values[v].is_some());
    if !is_sized(left) || !is_sized(right) {
        return Err(domain(SIZES.into()));
    }
    let values: Vec<Value<f64>> = values.into_iter().map(|v| v.unwrap_or(Value::Scalar(1.0))).collect();
    let shape = |term: &Term| match term.kind {
        Kind::Vector => Evaluator::new(&values).vector(term).map(|entries| (entries.len(), 1)),
        _ => Evaluator::new(&values).matrix(term).map(|grid| (grid.rows, grid.columns)),
    };
    let (rows, columns) = shape(left).map_err(|trouble| domain(trouble.to_string()))?;
    let others = shape(right).map_err(|trouble| domain(trouble.to_string()))?;
    if left.kind != right.kind || (rows, columns) != others {
        let (left, right) = (sized(left.kind, (rows, columns)), sized(right.kind, others));
        let hint = "both sides have as many rows and columns";
        return Err(Misfit::at(&place, Problem::Unfit { what: "no equation", left, right, hint }));
    }
    if rows * columns > MOST_ENTRIES {
        return Err(domain(format!("an equation between {} numbers is too large to solve", rows * columns)));
    }
    let is_symmetric = left.kind == Kind::Matrix && [left, right].iter().all(|t| is_symmetric(t, variables));
    let entries = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
    let asked = entries.filter(|(i, j)| !is_symmetric || i <= j);
    Ok(asked.map(|at| entry(left, right, at, text)).collect())
}

/// Whether two vectors or matrices are known to have different sizes.
pub(crate) fn have_other_sizes(variables: &[Variable], left: &Term, right: &Term) -> bool {
    let values = variables.iter().map(sample).collect::<Vec<_>>();
    let fixed = |v: &usize| values[*v].is_some() && !matches!(variables[*v].domain, Domain::Whole { .. });
    if ![left, right].into_iter().flat_map(uses).all(|v| fixed(&v)) {
        return false;
    }
    let values: Vec<Value<f64>> = values.into_iter().map(|v| v.unwrap_or(Value::Scalar(1.0))).collect();
    let shape = |term: &Term| match term.kind {
        Kind::Vector => Evaluator::new(&values).vector(term).ok().map(|entries| (entries.len(), 1)),
        _ => Evaluator::new(&values).matrix(term).ok().map(|grid| (grid.rows, grid.columns)),
    };
    shape(left).zip(shape(right)).is_some_and(|(a, b)| a != b)
}

/// That a whole vector or matrix is another one, as a statement: the square of the norm of their difference is zero.
pub(crate) fn equal(left: Term, right: Term, span: &Span) -> Chain {
    let (kind, place) = (left.kind, span.clone());
    let term = |kind, node| Term { kind, node, span: place.clone() };
    let difference = term(kind, Node::Binary(Operation::Subtract, Box::new(left), Box::new(right)));
    let norm = term(Kind::Scalar, Node::Norm(NormKind::Euclidean, Box::new(difference)));
    let two = term(Kind::Whole, Node::Whole(2));
    let square = term(Kind::Scalar, Node::WholePower(Box::new(norm), Box::new(two)));
    let zero = term(Kind::Whole, Node::Whole(0));
    Chain { sides: vec![square, zero], relations: vec![Relation::Equal], text: String::new(), start: span.start }
}

fn sized(kind: Kind, (rows, columns): (usize, usize)) -> String {
    match kind {
        Kind::Vector => format!("a vector of {rows}"),
        kind if kind.is_number() => kind.in_words().to_owned(),
        _ => format!("a matrix of {rows} × {columns}"),
    }
}

/// Some value of a variable, to see what sizes formulas have; none where its own size is not known.
fn sample(variable: &Variable) -> Option<Value<f64>> {
    let size = |size: &Size| {
        let is_closed = uses(&size.term).is_empty();
        let n = if is_closed { Evaluator::<f64>::new(&[]).whole(&size.term).ok() } else { None };
        n.and_then(|n| usize::try_from(n).ok()).filter(|n| (1..=MOST_ENTRIES).contains(n))
    };
    let numbers = |count: usize| (0..count).map(|k| ((k * k * 31 + k * 7 + 3) % 97) as f64 / 97.0 + 0.01).collect();
    let matrix = |rows: usize, columns: usize| {
        Value::Matrix(Grid { rows, columns, entries: numbers(rows.saturating_mul(columns)) })
    };
    Some(match &variable.domain {
        Domain::Real(_) => Value::Scalar(0.37),
        Domain::Whole { .. } => Value::Whole(1),
        Domain::Vector { size: n, .. } | Domain::Simplex(n) | Domain::Sphere(n) => Value::Vector(numbers(size(n)?)),
        Domain::Symmetric(n) | Domain::Semidefinite(n) | Domain::Orthogonal(n) => matrix(size(n)?, size(n)?),
        Domain::Matrix { rows, columns, .. } | Domain::Stochastic { rows, columns } => {
            matrix(size(rows)?, size(columns)?)
        }
    })
}

/// One entry of both sides, written so that it can be read again.
fn entry(left: &Term, right: &Term, (i, j): (usize, usize), text: &str) -> Chain {
    let index =
        |at: usize| Box::new(Term { kind: Kind::Whole, node: Node::Whole(at as i64 + 1), span: left.span.clone() });
    let side = |term: &Term| {
        let own = Box::new(term.clone());
        let node = match term.kind {
            Kind::Vector => Node::Entry(own, index(i)),
            _ => Node::Cell(own, index(i), index(j)),
        };
        Term { kind: Kind::Scalar, node, span: term.span.clone() }
    };
    let written = |term: &Term| {
        let own = written(term, text);
        let own = if matches!(term.node, Node::Variable(_)) { own } else { format!("({own})") };
        match term.kind {
            Kind::Vector => format!("{own}[{}]", i + 1),
            _ => format!("{own}[{}, {}]", i + 1, j + 1),
        }
    };
    let text = format!("{} = {}", written(left), written(right));
    Chain { sides: vec![side(left), side(right)], relations: vec![Relation::Equal], text, start: usize::MAX }
}

fn written(term: &Term, text: &str) -> String {
    text.get(term.span.clone()).unwrap_or("").trim().to_owned()
}
