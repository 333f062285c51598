//! Monomials in the sizes of the paper, with rational exponents, and what a regime allows of them.

use std::fmt;
use std::ops::{Div, Mul};

use enclosures::enclosure::{Enclosure, exact};
use num_rational::Rational64;

/// The sizes, and whether each is at least one (or at most one).
const SYMBOLS: [(&str, bool); 9] = [
    ("n", true),
    ("L", true),
    ("m", true),
    ("log m", true),
    ("δ", false),
    ("ε", false),
    ("d", true),
    ("k", true),
    ("ω", false),
];
const COUNT: usize = SYMBOLS.len();

/// Natural logarithms of the sizes at one point, in the order of [`SYMBOLS`].
pub type Logarithms = [f64; COUNT];

/// n^a L^b m^c ….
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Monomial([Rational64; COUNT]);

const fn symbol(place: usize) -> Monomial {
    let mut exponents = [Rational64::new_raw(0, 1); COUNT];
    exponents[place] = Rational64::new_raw(1, 1);
    Monomial(exponents)
}

pub const ONE: Monomial = Monomial([Rational64::new_raw(0, 1); COUNT]);
pub const N: Monomial = symbol(0);
pub const L: Monomial = symbol(1);
pub const M: Monomial = symbol(2);
pub const LOG_M: Monomial = symbol(3);
pub const DELTA: Monomial = symbol(4);
pub const EPS: Monomial = symbol(5);
pub const D: Monomial = symbol(6);
pub const K: Monomial = symbol(7);
/// ω, or τ.
pub const RADIUS: Monomial = symbol(8);

impl Mul for Monomial {
    type Output = Monomial;

    fn mul(self, other: Monomial) -> Monomial {
        Monomial(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl Div for Monomial {
    type Output = Monomial;

    fn div(self, other: Monomial) -> Monomial {
        Monomial(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }
}

impl Monomial {
    /// The power p/q, for q ≥ 1.
    pub fn to(self, p: i64, q: i64) -> Monomial {
        let power = Rational64::new(p, q.max(1));
        Monomial(self.0.map(|e| e * power))
    }

    pub fn sqrt(self) -> Monomial {
        self.to(1, 2)
    }

    /// The same with a symbol replaced.
    fn with(self, place: usize, value: Monomial) -> Monomial {
        let exponent = self.0[place];
        let mut rest = self;
        rest.0[place] = Rational64::new_raw(0, 1);
        rest * Monomial(value.0.map(|e| e * exponent))
    }

    /// The logarithm at a point.
    pub fn at(self, point: &Logarithms) -> Enclosure {
        let term = |(e, &x): (&Rational64, &f64)| rational(*e) * x;
        self.0.iter().zip(point).map(term).sum()
    }
}

/// The sizes of a point that are not one, as powers of e.
pub fn in_words(point: &Logarithms) -> String {
    let named = |(x, (name, _)): (&f64, &(&str, bool))| (*x != 0.0).then(|| format!("{name} = e^{x:.1}"));
    let sizes: Vec<String> = point.iter().zip(&SYMBOLS).filter_map(named).collect();
    if sizes.is_empty() { "all sizes one".to_owned() } else { sizes.join(", ") }
}

/// A rational number, enclosed.
fn rational(x: Rational64) -> Enclosure {
    exact(*x.numer() as f64) / *x.denom() as f64
}

impl fmt::Display for Monomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = Rational64::new_raw(1, 1);
        let factor = |(e, (name, _)): (&Rational64, &(&str, bool))| match *e {
            e if *e.numer() == 0 => None,
            e if e == one => Some((*name).to_owned()),
            e => Some(format!("{name}^({e})")),
        };
        let factors: Vec<String> = self.0.iter().zip(&SYMBOLS).filter_map(factor).collect();
        if factors.is_empty() { f.write_str("1") } else { f.write_str(&factors.join(" ")) }
    }
}

/// What a regime says of one size.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    AtLeast(Monomial, Monomial),
    AtMost(Monomial, Monomial),
    Equal(Monomial, Monomial),
}

impl Bound {
    fn parts(self) -> (usize, Monomial) {
        let (Bound::AtLeast(size, bound) | Bound::AtMost(size, bound) | Bound::Equal(size, bound)) = self;
        let place = (0..COUNT).find(|&i| size == symbol(i));
        (place.unwrap_or(COUNT - 1), bound)
    }

    /// The smallest value of a monomial as this size varies in its range, if it is attained at the bound; the monomial itself otherwise.
    fn eliminate(self, monomial: Monomial) -> Monomial {
        let (place, bound) = self.parts();
        let exponent = *monomial.0[place].numer();
        let at_the_bound = match self {
            Bound::AtLeast(..) => exponent > 0,
            Bound::AtMost(..) => exponent < 0,
            Bound::Equal(..) => true,
        };
        if at_the_bound { monomial.with(place, bound) } else { monomial }
    }

    /// Moves a point into the range, with this logarithm of room.
    pub fn impose(self, point: &mut Logarithms, room: f64) {
        let (place, bound) = self.parts();
        let limit = bound.at(point).midpoint();
        point[place] = match self {
            Bound::AtLeast(..) => limit + room,
            Bound::AtMost(..) => limit - room,
            Bound::Equal(..) => limit,
        };
    }
}

/// left ≤ O(right) in a regime. Bounds are eliminated in their order: a bound may mention only sizes that are eliminated after it.
#[derive(Clone, Debug)]
pub struct Inequality {
    pub left: Monomial,
    pub right: Monomial,
    pub given: Vec<Bound>,
}

impl Inequality {
    pub fn of(left: Monomial, right: Monomial) -> Self {
        let given = Vec::new();
        Inequality { left, right, given }
    }

    pub fn given(mut self, bound: Bound) -> Self {
        self.given.push(bound);
        self
    }

    /// right/left at its smallest; the inequality holds up to a constant if and only if this is at least one for all remaining sizes.
    pub fn leftover(&self) -> Monomial {
        let ratio = self.right / self.left;
        self.given.iter().fold(ratio, |found, bound| bound.eliminate(found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_of_exponents() {
        let x = (N.to(3, 1) * D / (M * DELTA)).sqrt();
        assert_eq!(x.to_string(), "n^(3/2) m^(-1/2) δ^(-1/2) d^(1/2)");
        assert_eq!(x.to(2, 1) / (N.to(3, 1) * D), ONE / (M * DELTA));
    }

    #[test]
    fn bounds_are_eliminated_where_the_infimum_lies() {
        let of = |left, right| Inequality::of(left, right).given(Bound::AtLeast(M, N.to(3, 1)));
        assert_eq!(of(N, M).leftover(), N.to(2, 1));
        // m may grow beyond its bound.
        assert_eq!(of(M, N.to(9, 1)).leftover(), N.to(9, 1) / M);
        let upper = Inequality::of(RADIUS, L.to(-1, 1)).given(Bound::AtMost(RADIUS, L.to(-2, 1)));
        assert_eq!(upper.leftover(), L);
    }
}
