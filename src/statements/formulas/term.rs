//! A formula whose names are resolved and whose kinds fit: what is evaluated.

use crate::numbers::number::NamedConstant;
use crate::text::syntax::{Literal, Operation, Span};
use crate::text::words::{Fold, Function};
use evidence::claim::Relation;

/// What a formula is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number by construction: an index, a size.
    Whole,
    /// A real number.
    Scalar,
    /// A vector.
    Vector,
    /// A matrix.
    Matrix,
}

impl Kind {
    /// In words, with an article.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Kind::Whole => "a whole number",
            Kind::Scalar => "a real number",
            Kind::Vector => "a vector",
            Kind::Matrix => "a matrix",
        }
    }

    /// Whether it is a number of some kind.
    #[must_use]
    pub fn is_number(self) -> bool {
        matches!(self, Kind::Whole | Kind::Scalar)
    }
}

/// A formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What it is.
    pub kind: Kind,
    /// How it is computed.
    pub node: Node,
    /// Where it stands in the text.
    pub span: Span,
}

/// Which norm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormKind {
    /// `Σ |x|`
    One,
    /// Euclidean, of a matrix the Frobenius norm.
    Euclidean,
    /// The largest entry in size.
    Largest,
    /// The largest singular value of a matrix.
    Operator,
    /// The sum of the singular values of a matrix.
    Nuclear,
}

/// What is folded.
#[derive(Clone, Debug, PartialEq)]
pub enum Terms {
    /// A body for every value of an index; the index is the innermost one.
    Over {
        /// First value.
        from: Box<Term>,
        /// Last value.
        to: Box<Term>,
        /// The body.
        body: Box<Term>,
    },
    /// The entries of a vector.
    Entries(Box<Term>),
    /// Several numbers.
    Listed(Vec<Term>),
}

/// How a formula is computed.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A number.
    Number(Literal),
    /// A whole number.
    Whole(i64),
    /// A constant.
    Constant(NamedConstant),
    /// A variable, by its place among the declarations.
    Variable(usize),
    /// An index of a sum, by its depth.
    Index(usize),
    /// `−a`
    Negated(Box<Term>),
    /// `a + b` and its siblings, for any kinds that fit.
    Binary(Operation, Box<Term>, Box<Term>),
    /// A whole power of a number or of a square matrix.
    WholePower(Box<Term>, Box<Term>),
    /// A real power.
    RealPower(Box<Term>, Box<Term>),
    /// The body of a sum at those values of its indices that count: where this holds.
    Guarded(Box<Chain>, Box<Term>),
    /// One entry of a vector.
    Entry(Box<Term>, Box<Term>),
    /// One entry of a matrix.
    Cell(Box<Term>, Box<Term>, Box<Term>),
    /// One row of a matrix.
    Row(Box<Term>, Box<Term>),
    /// A function of a number, or of a vector entry by entry.
    Apply(Function, Box<Term>),
    /// A reduction.
    Fold(Fold, Terms),
    /// `Σ p[i] f`; the index is the innermost one.
    Expectation {
        /// The probabilities.
        law: Box<Term>,
        /// The body.
        body: Box<Term>,
    },
    /// A vector of numbers.
    List(Vec<Term>),
    /// A matrix of rows.
    Rows(Vec<Term>),
    /// Inner product.
    Dot(Box<Term>, Box<Term>),
    /// A norm.
    Norm(NormKind, Box<Term>),
    /// Trace.
    Trace(Box<Term>),
    /// Determinant.
    Det(Box<Term>),
    /// Eigenvalues, largest first.
    Eigenvalues(Box<Term>),
    /// Singular values, largest first.
    Singular(Box<Term>),
    /// The inverse of a square matrix.
    Inverse(Box<Term>),
    /// `−Σ p log p`
    Entropy(Box<Term>),
    /// `Σ p log(p/q)`
    Kl(Box<Term>, Box<Term>),
    /// `½ Σ |p − q|`
    TotalVariation(Box<Term>, Box<Term>),
    /// Binomial coefficient.
    Binomial(Box<Term>, Box<Term>),
    /// Harmonic number.
    Harmonic(Box<Term>),
    /// Factorial.
    Factorial(Box<Term>),
    /// Greatest common divisor of whole numbers.
    Gcd(Box<Term>, Box<Term>),
    /// What a division of whole numbers leaves.
    Remainder(Box<Term>, Box<Term>),
    /// Number of entries.
    Length(Box<Term>),
    /// Softmax.
    Softmax(Box<Term>),
    /// Transpose.
    Transposed(Box<Term>),
    /// Identity matrix.
    Identity(Box<Term>),
    /// Diagonal matrix.
    Diagonal(Box<Term>),
    /// Outer product.
    Outer(Box<Term>, Box<Term>),
}

/// A chain of sides and relations, all sides being numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// The sides.
    pub sides: Vec<Term>,
    /// The relations between neighbours.
    pub relations: Vec<Relation>,
    /// The text.
    pub text: String,
    /// Where it begins in the text that the spans of its terms count in.
    pub start: usize,
}

impl Chain {
    /// Whether it asks real numbers to be equal, of which doubles are by chance only, and nothing else.
    pub(crate) fn is_equation(&self) -> bool {
        self.relations.iter().all(|r| *r == Relation::Equal) && self.asks_for_equal_numbers()
    }

    /// The conditions that it stands for, each an equation or free of them, with their texts out of the text that its spans count in:
    /// itself, or its links where it asks real numbers to be equal among other things.
    pub(crate) fn told_apart(self, whole: &str) -> Vec<Chain> {
        if self.is_equation() || !self.asks_for_equal_numbers() {
            return vec![self];
        }
        let links = self.sides.windows(2).zip(&self.relations);
        let link = |(pair, relation): (&[Term], &Relation)| {
            let span = pair[0].span.start..pair[1].span.end;
            Chain {
                start: span.start,
                text: whole.get(span).unwrap_or("").trim().to_owned(),
                sides: pair.to_vec(),
                relations: vec![*relation],
            }
        };
        links.map(link).collect()
    }

    /// Whether real numbers are asked to be equal among other things.
    fn asks_for_equal_numbers(&self) -> bool {
        let sides = self.sides.windows(2).zip(&self.relations);
        sides
            .filter(|(_, relation)| **relation == Relation::Equal)
            .any(|(pair, _)| pair.iter().any(|side| side.kind != Kind::Whole))
    }
}

/// Calls `see` for a term and every term inside it, outermost first.
pub(crate) fn visit<'t>(term: &'t Term, see: &mut dyn FnMut(&'t Term)) {
    see(term);
    for inner in inside(term) {
        visit(inner, see);
    }
}

/// The places of the variables that a term uses.
pub(crate) fn uses(term: &Term) -> Vec<usize> {
    let mut found = Vec::new();
    visit(term, &mut |t| {
        if let Node::Variable(place) = t.node
            && !found.contains(&place)
        {
            found.push(place);
        }
    });
    found
}

/// The terms directly inside another one.
pub(crate) fn inside(term: &Term) -> Vec<&Term> {
    match &term.node {
        Node::Number(_) | Node::Whole(_) | Node::Constant(_) | Node::Variable(_) | Node::Index(_) => Vec::new(),
        Node::Negated(a)
        | Node::Apply(_, a)
        | Node::Norm(_, a)
        | Node::Trace(a)
        | Node::Det(a)
        | Node::Eigenvalues(a)
        | Node::Singular(a)
        | Node::Inverse(a)
        | Node::Entropy(a)
        | Node::Harmonic(a)
        | Node::Factorial(a)
        | Node::Length(a)
        | Node::Softmax(a)
        | Node::Transposed(a)
        | Node::Identity(a)
        | Node::Diagonal(a)
        | Node::Fold(_, Terms::Entries(a)) => vec![a],
        Node::Binary(_, a, b)
        | Node::WholePower(a, b)
        | Node::RealPower(a, b)
        | Node::Entry(a, b)
        | Node::Row(a, b)
        | Node::Dot(a, b)
        | Node::Kl(a, b)
        | Node::TotalVariation(a, b)
        | Node::Binomial(a, b)
        | Node::Gcd(a, b)
        | Node::Remainder(a, b)
        | Node::Outer(a, b)
        | Node::Expectation { law: a, body: b } => vec![a, b],
        Node::Cell(a, b, c) => vec![a, b, c],
        Node::Guarded(guard, body) => guard.sides.iter().chain([&**body]).collect(),
        Node::Fold(_, Terms::Over { from, to, body }) => vec![from, to, body],
        Node::Fold(_, Terms::Listed(items)) | Node::List(items) | Node::Rows(items) => items.iter().collect(),
    }
}
