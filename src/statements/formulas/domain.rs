//! What variables range over.

use std::fmt;

use enclosures::interval::Interval;

use super::term::{Chain, Kind, Term};

/// One end of a range: a number, and how it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// The number; infinite ends stand for no end.
    pub value: Interval,
    /// As it was written.
    pub text: String,
    /// Whether the end itself is left out.
    pub open: bool,
    /// The formula it was written as; none for an end that nobody wrote.
    pub(crate) term: Option<Term>,
}

impl End {
    /// Whether both ends are at the same number for certain.
    pub(crate) fn is_at(&self, other: &End) -> bool {
        self.value == other.value && (self.value.lo() == self.value.hi() || self.text == other.text)
    }
}

/// A range of real numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct RealRange {
    /// The lower end.
    pub low: End,
    /// The upper end.
    pub high: End,
}

impl RealRange {
    /// Every real number.
    #[must_use]
    pub fn everything() -> Self {
        let end = |x: f64, text: &str| End { value: Interval::new(x, x), text: text.into(), open: true, term: None };
        RealRange { low: end(f64::NEG_INFINITY, "-inf"), high: end(f64::INFINITY, "inf") }
    }

    /// The least double that belongs to it for certain; the most negative one if there is no end.
    #[must_use]
    pub fn least(&self) -> f64 {
        let end = self.low.value.hi();
        if self.low.value.lo() == f64::NEG_INFINITY {
            f64::MIN
        } else if self.low.open {
            end.next_up()
        } else {
            end
        }
    }

    /// The greatest double that belongs to it for certain.
    #[must_use]
    pub fn greatest(&self) -> f64 {
        let end = self.high.value.lo();
        if self.high.value.hi() == f64::INFINITY {
            f64::MAX
        } else if self.high.open {
            end.next_down()
        } else {
            end
        }
    }

    /// Whether a double belongs to it for certain.
    #[must_use]
    pub fn contains(&self, x: f64) -> bool {
        self.least() <= x && x <= self.greatest()
    }

    /// The nearest double that belongs to it.
    #[must_use]
    pub fn nearest(&self, x: f64) -> f64 {
        x.min(self.greatest()).max(self.least())
    }

    /// Whether it has no end on either side.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.low.value.lo() == f64::NEG_INFINITY && self.high.value.hi() == f64::INFINITY
    }

    /// Whether it has both ends.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.low.value.is_finite() && self.high.value.is_finite()
    }

    /// Whether some double belongs to it.
    #[must_use]
    pub fn is_inhabited(&self) -> bool {
        self.least() <= self.greatest()
    }

    /// The closed interval that contains it, infinite ends included.
    #[must_use]
    pub fn hull(&self) -> (f64, f64) {
        let low = if self.low.value.lo() == f64::NEG_INFINITY { f64::NEG_INFINITY } else { self.low.value.lo() };
        let high = if self.high.value.hi() == f64::INFINITY { f64::INFINITY } else { self.high.value.hi() };
        (low, high)
    }

    /// Why no number can be taken from it for the variable of that name, if none can.
    pub(crate) fn emptiness(&self, name: &str) -> Option<String> {
        if self.is_inhabited() {
            return None;
        }
        let (low, high) = (&self.low, &self.high);
        let are_closed = !low.open && !high.open;
        Some(if low.is_at(high) && are_closed {
            format!("there is no double in {self}; write `let {name} = {}`", low.text)
        } else if low.value.lo() > high.value.hi() || low.is_at(high) {
            format!("there is no number in {self}")
        } else {
            format!("no double is in {self} for certain")
        })
    }

    /// Makes the range smaller by a further end; true if that changed it. An end that may be beyond the new one stays.
    pub(crate) fn tighten(&mut self, end: End, lower: bool) -> bool {
        let old = if lower { &mut self.low } else { &mut self.high };
        let is_inside = if lower { end.value.lo() > old.value.hi() } else { end.value.hi() < old.value.lo() };
        let sharper = is_inside || end.is_at(old) && end.open && !old.open;
        if sharper {
            *old = end;
        }
        sharper
    }
}

impl fmt::Display for RealRange {
    /// "(0, inf)"
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let opening = if self.low.open { '(' } else { '[' };
        let closing = if self.high.open { ')' } else { ']' };
        write!(f, "{opening}{}, {}{closing}", self.low.text, self.high.text)
    }
}

/// A size of a vector or a matrix, or the end of a range of whole numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Size {
    /// The formula, a whole number.
    pub term: Term,
    /// As it was written.
    pub text: String,
}

/// What a variable ranges over.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// Real numbers.
    Real(RealRange),
    /// Whole numbers, both ends included.
    Whole {
        /// The first; none if there is no first.
        from: Option<Size>,
        /// The last; none if there is no last.
        to: Option<Size>,
    },
    /// Vectors.
    Vector {
        /// Number of entries.
        size: Size,
        /// What every entry ranges over.
        range: RealRange,
    },
    /// Matrices.
    Matrix {
        /// Number of rows.
        rows: Size,
        /// Number of columns.
        columns: Size,
        /// What every entry ranges over.
        range: RealRange,
    },
    /// Symmetric matrices.
    Symmetric(Size),
    /// Positive semidefinite matrices.
    Semidefinite(Size),
    /// Probability vectors.
    Simplex(Size),
    /// Vectors of Euclidean norm one.
    Sphere(Size),
    /// Matrices whose rows are probability vectors.
    Stochastic {
        /// Number of rows.
        rows: Size,
        /// Number of columns.
        columns: Size,
    },
    /// Orthogonal matrices.
    Orthogonal(Size),
}

impl Domain {
    /// What its values are.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Domain::Real(_) => Kind::Scalar,
            Domain::Whole { .. } => Kind::Whole,
            Domain::Vector { .. } | Domain::Simplex(_) | Domain::Sphere(_) => Kind::Vector,
            Domain::Matrix { .. }
            | Domain::Symmetric(_)
            | Domain::Semidefinite(_)
            | Domain::Stochastic { .. }
            | Domain::Orthogonal(_) => Kind::Matrix,
        }
    }

    /// The formulas of its sizes and ends.
    pub(crate) fn sizes(&self) -> Vec<&Size> {
        match self {
            Domain::Real(_) => Vec::new(),
            Domain::Whole { from, to } => from.iter().chain(to).collect(),
            Domain::Matrix { rows, columns, .. } | Domain::Stochastic { rows, columns } => vec![rows, columns],
            Domain::Vector { size, .. }
            | Domain::Symmetric(size)
            | Domain::Semidefinite(size)
            | Domain::Simplex(size)
            | Domain::Sphere(size)
            | Domain::Orthogonal(size) => vec![size],
        }
    }
}

impl fmt::Display for Domain {
    /// As it can be declared again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries = |range: &RealRange| {
            if range.is_everything() { "R".to_owned() } else { range.to_string() }
        };
        match self {
            Domain::Real(range) => f.write_str(&entries(range)),
            Domain::Whole { from: None, .. } => f.write_str("Z"),
            Domain::Whole { from: Some(from), to } => {
                write!(f, "{}..{}", from.text, to.as_ref().map_or("", |to| to.text.as_str()))
            }
            Domain::Vector { size, range } => write!(f, "{}^({})", entries(range), size.text),
            Domain::Matrix { rows, columns, range } => {
                write!(f, "{}^({}, {})", entries(range), rows.text, columns.text)
            }
            Domain::Symmetric(size) => write!(f, "sym({})", size.text),
            Domain::Semidefinite(size) => write!(f, "psd({})", size.text),
            Domain::Simplex(size) => write!(f, "simplex({})", size.text),
            Domain::Sphere(size) => write!(f, "sphere({})", size.text),
            Domain::Stochastic { rows, columns } => write!(f, "stochastic({}, {})", rows.text, columns.text),
            Domain::Orthogonal(size) => write!(f, "orthogonal({})", size.text),
        }
    }
}

/// A name and what it ranges over.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// What it ranges over.
    pub domain: Domain,
}

/// All variables of a statement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declarations {
    /// In the order of their declaration; those that were not declared follow in the order of their use.
    pub variables: Vec<Variable>,
    /// Names that stand for formulas, with these.
    pub(crate) abbreviations: Vec<(String, String)>,
    /// The places of the whole numbers, each after those that its range depends on.
    pub(crate) order: Vec<usize>,
    /// Whether the shape of some value depends on the variable, for every variable.
    pub(crate) shaping: Vec<bool>,
    /// Equations between real numbers that their values are to meet, besides.
    pub(crate) equations: Vec<Chain>,
}

impl Declarations {
    /// The same with values that meet the equations among these conditions, too.
    pub(crate) fn under(&self, conditions: &[Chain]) -> Self {
        let mut found = self.clone();
        let equations = conditions.iter().filter(|condition| condition.is_equation());
        found.equations.extend(equations.cloned());
        found
    }

    /// The equations as they can be written again; empty if there are none.
    pub(crate) fn equations_text(&self) -> String {
        let texts: Vec<&str> = self.equations.iter().map(|e| e.text.as_str()).collect();
        texts.join(", ")
    }

    /// Whether a condition is one of the equations.
    pub(crate) fn asks_for(&self, condition: &Chain) -> bool {
        condition.is_equation() && self.equations.iter().any(|e| e.text == condition.text)
    }
}

impl fmt::Display for Declarations {
    /// As they can be declared again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variables = self.variables.iter().map(|v| format!("{} in {}", v.name, v.domain));
        let names = self.abbreviations.iter().map(|(name, formula)| format!("let {name} = {formula}"));
        f.write_str(&variables.chain(names).collect::<Vec<_>>().join(", "))
    }
}
