//! The syntax tree of a text: what was written, before anything is known of its names.

use std::ops::Range;

use evidence::claim::Relation;

/// A decimal number as it was written, so that nothing is lost to binary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// `digits · 10^exponent`, exactly.
    Decimal {
        /// Its digits as a whole number.
        digits: u128,
        /// The power of ten.
        exponent: i32,
    },
    /// A number with more digits than fit: only the nearest double is kept, and the number lies next to it.
    Near(f64),
}

/// Bytes of the text.
pub type Span = Range<usize>;

/// The two-sided operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `a + b`
    Add,
    /// `a − b`
    Subtract,
    /// `a · b`
    Multiply,
    /// `a / b`
    Divide,
}

/// How a relation is typed.
pub(crate) fn typed(relation: Relation) -> &'static str {
    match relation {
        Relation::AtMost => "<=",
        Relation::LessThan => "<",
        Relation::AtLeast => ">=",
        Relation::GreaterThan => ">",
        Relation::Equal => "=",
    }
}

/// An expression and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// What it is.
    pub node: ExpressionForm,
    /// Where it stands.
    pub span: Span,
}

/// What an expression can be.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionForm {
    /// A number.
    Number(Literal),
    /// A variable or a constant.
    Name(String),
    /// `−a`
    Negated(Box<Expression>),
    /// `a + b` and its siblings.
    Binary(Operation, Box<Expression>, Box<Expression>),
    /// `a ^ b`
    Power(Box<Expression>, Box<Expression>),
    /// `a[i]`, `a[i, j]`
    Indexed(Box<Expression>, Vec<Expression>),
    /// `a'`
    Transposed(Box<Expression>),
    /// `|a|`
    Absolute(Box<Expression>),
    /// `‖a‖`
    Norm(Box<Expression>),
    /// `[a, b, c]`
    List(Vec<Expression>),
    /// `f(a, b)`, `f a`
    Call {
        /// The function.
        word: String,
        /// Where its name stands.
        at: Span,
        /// What it is given.
        arguments: Vec<Argument>,
    },
}

/// An argument of a function.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// An expression.
    Value(Expression),
    /// `i in 1..n`
    Over {
        /// The index.
        name: String,
        /// Where it stands.
        at: Span,
        /// First value.
        from: Expression,
        /// Last value.
        to: Expression,
    },
    /// `i ~ p`
    Drawn {
        /// The index.
        name: String,
        /// Where it stands.
        at: Span,
        /// The probabilities.
        law: Expression,
    },
    /// `i != j`: which values of the indices before it count.
    Given(Box<Assertion>),
}

/// A chain `a ≤ b < c`: one side more than relations.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparisonChain {
    /// The sides.
    pub sides: Vec<Expression>,
    /// The relations between neighbours.
    pub relations: Vec<Relation>,
    /// Where it stands.
    pub span: Span,
}

/// Comparisons, and how they are joined.
#[derive(Clone, Debug, PartialEq)]
pub enum Assertion {
    /// One comparison or a chain.
    Comparison(ComparisonChain),
    /// `a != b`
    Unequal(Box<Expression>, Box<Expression>),
    /// All of them: `a and b`.
    All(Vec<Assertion>),
    /// One of them at least: `a or b`.
    Any(Vec<Assertion>),
    /// The second wherever the first is true: `a => b`.
    Implies(Box<Assertion>, Box<Assertion>),
}

/// `x, y in R^n`: names and what they range over; nothing said, the real numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// The names with their places.
    pub names: Vec<(String, Span)>,
    /// What they range over.
    pub domain: DeclaredDomain,
}

/// What a declared name ranges over.
#[derive(Clone, Debug, PartialEq)]
pub enum DeclaredDomain {
    /// Nothing said.
    Unsaid,
    /// `let s = x + 1`: another way to write a formula.
    Let(Expression),
    /// `> 0`
    Bound(Relation, Expression),
    /// `(0, 1]`, `[0, 1]^n`
    Box {
        /// Whether the lower end is left out.
        low_open: bool,
        /// The lower end.
        low: Expression,
        /// The upper end.
        high: Expression,
        /// Whether the upper end is left out.
        high_open: bool,
        /// Sizes of a vector or a matrix.
        sizes: Vec<Expression>,
    },
    /// `1..n`, `1..`
    Whole {
        /// The first.
        from: Expression,
        /// The last, if there is one.
        to: Option<Expression>,
    },
    /// `R^n`, `simplex(n)`
    Space {
        /// Its name.
        name: String,
        /// Where it stands.
        at: Span,
        /// In parentheses.
        arguments: Vec<Expression>,
        /// Behind `^`.
        sizes: Vec<Expression>,
    },
}
