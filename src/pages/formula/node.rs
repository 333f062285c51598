//! What a formula is made of.

/// A stretch of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Words, as they stand.
    Words(String),
    /// A formula.
    Formula(Vec<Node>),
}

/// A part of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A letter with its accents, or a name of several letters ("log").
    Symbol(String),
    /// A number.
    Number(String),
    /// An operator, a relation, a bracket, a comma.
    Sign(char),
    /// The space between two factors.
    Space,
    /// A base with scripts, at least one of which is not empty.
    Scripted {
        /// What the scripts belong to.
        base: Box<Node>,
        /// Below.
        sub: Vec<Node>,
        /// Above.
        sup: Vec<Node>,
    },
    /// A square root.
    Root(Vec<Node>),
    /// A fraction whose numerator and denominator are each one sign or one bracket.
    Fraction(Vec<Node>, Vec<Node>),
    /// A bracket and what it holds.
    Fenced(char, Vec<Node>, char),
}
