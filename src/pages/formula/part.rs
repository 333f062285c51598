//! What a formula is made of.

/// A stretch of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Words, as they stand.
    Words(String),
    /// A formula.
    Formula(Vec<Part>),
}

/// A part of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
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
        base: Box<Part>,
        /// Below.
        sub: Vec<Part>,
        /// Above.
        sup: Vec<Part>,
    },
    /// A square root.
    Root(Vec<Part>),
    /// A fraction whose numerator and denominator are each one sign or one bracket.
    Fraction(Vec<Part>, Vec<Part>),
    /// A bracket and what it holds.
    Fenced(char, Vec<Part>, char),
}
