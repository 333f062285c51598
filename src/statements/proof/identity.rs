//! Identities between polynomials, and between quotients of them.
//!
//! The difference of the sides is multiplied out in exact arithmetic. Where that takes too much work, it is evaluated modulo a prime: a polynomial
//! that is not zero and has degree D vanishes at a point drawn uniformly from a field of q elements with probability at most D/q (Schwartz and
//! Zippel). The degree is followed through the same evaluation that computes the values; for quotients it is that of the numerator.

use std::ops::{Add, Mul, Neg, Sub};

use enclosures::stream::{self, Stream};
use rand_core::Rng;

use super::algebra::expanded::{Expanded, NOT_POLYNOMIAL};
use super::algebra::spending;
use super::case::{Case, Open};
use crate::formulas::evaluate::{Evaluator, Trouble};
use crate::instances::statement::Statement;
use crate::numbers::number::{Grid, NamedConstant, Number, Undefined, Value};
use crate::text::syntax::Literal;
use crate::text::words::Function;

/// A whole number modulo the prime 2^61 − 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Residue(u64);

const PRIME: u64 = (1 << 61) - 1;

impl Residue {
    fn reduced(x: u128) -> Self {
        Residue((x % u128::from(PRIME)) as u64)
    }

    fn uniform(stream: &mut Stream) -> Self {
        // 61 random bits are below the prime but for one pattern, which is drawn again.
        loop {
            let bits = stream.next_u64() >> 3;
            if bits < PRIME {
                return Residue(bits);
            }
        }
    }

    fn of(x: i64) -> Self {
        let size = Self::reduced(u128::from(x.unsigned_abs()));
        if x < 0 { -size } else { size }
    }

    fn is_zero(self) -> bool {
        self.0 == 0
    }

    fn inverse(self) -> Option<Self> {
        // Fermat: x^(p − 2).
        let (mut base, mut n, mut result) = (self, PRIME - 2, Residue(1));
        while n > 0 {
            if n & 1 == 1 {
                result = result * base;
            }
            base = base * base;
            n >>= 1;
        }
        (self.0 != 0).then_some(result)
    }
}

impl Add for Residue {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::reduced(u128::from(self.0) + u128::from(other.0))
    }
}

impl Neg for Residue {
    type Output = Self;
    fn neg(self) -> Self {
        Self::reduced(u128::from(PRIME - self.0))
    }
}

impl Sub for Residue {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Residue {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self::reduced(u128::from(self.0) * u128::from(other.0))
    }
}

/// A value of a quotient of polynomials modulo the prime, and bounds of the degrees of the two.
#[derive(Clone, Debug, PartialEq)]
struct Tracked {
    value: Residue,
    above: u32,
    below: u32,
}

/// Degrees beyond this are not followed.
const LARGEST_DEGREE: u32 = 1 << 20;

impl Tracked {
    fn constant(value: Residue) -> Self {
        Tracked { value, above: 0, below: 0 }
    }

    fn variable(value: Residue) -> Self {
        Tracked { value, above: 1, below: 0 }
    }

    fn combined(self, other: Self, f: impl FnOnce(Residue, Residue) -> Residue) -> Self {
        let above = if self.below == 0 && other.below == 0 {
            self.above.max(other.above)
        } else {
            (self.above + other.below).max(other.above + self.below)
        };
        Tracked {
            value: f(self.value, other.value),
            above: above.min(LARGEST_DEGREE),
            below: (self.below + other.below).min(LARGEST_DEGREE),
        }
    }
}

impl Number for Tracked {
    fn whole(x: i64) -> Self {
        Tracked::constant(Residue::of(x))
    }

    fn double(x: f64) -> Self {
        // Only whole numbers reach this; others would have to be taken apart.
        Tracked::constant(Residue::of(x as i64))
    }

    fn literal(literal: Literal) -> Self {
        match literal {
            Literal::Decimal { digits, exponent } => {
                let word = |k: u32| Residue::of((digits >> (32 * k) & 0xffff_ffff) as i64);
                let split = (0..3).rev().fold(word(3), |so_far, k| so_far * Residue::of(1 << 32) + word(k));
                let mut power = Residue::of(1);
                for _ in 0..exponent.unsigned_abs() {
                    power = power * Residue::of(10);
                }
                let scale = if exponent < 0 { power.inverse().unwrap_or_else(|| Residue::of(0)) } else { power };
                Tracked::constant(split * scale)
            }
            // Not the number that was written: a formula that holds one is not tried, see `is_exact`.
            Literal::Near(_) => Tracked::constant(Residue::of(0)),
        }
    }

    fn constant(_: NamedConstant) -> Self {
        // As for `literal`.
        Tracked::constant(Residue::of(0))
    }

    fn is_zero(&self) -> bool {
        self.above == 0 && self.below == 0 && self.value.is_zero()
    }

    fn plus(self, other: Self) -> Self {
        self.combined(other, Residue::add)
    }

    fn minus(self, other: Self) -> Self {
        self.combined(other, Residue::sub)
    }

    fn times(self, other: Self) -> Self {
        Tracked {
            value: self.value * other.value,
            above: (self.above + other.above).min(LARGEST_DEGREE),
            below: (self.below + other.below).min(LARGEST_DEGREE),
        }
    }

    fn over(self, other: Self) -> Result<Self, Undefined> {
        let inverse = other.value.inverse().ok_or(Undefined::Nowhere("a quotient by zero"))?;
        Ok(Tracked {
            value: self.value * inverse,
            above: (self.above + other.below).min(LARGEST_DEGREE),
            below: (self.below + other.above).min(LARGEST_DEGREE),
        })
    }

    fn negated(self) -> Self {
        Tracked { value: -self.value, ..self }
    }

    fn whole_power(self, exponent: i64) -> Result<Self, Undefined> {
        if exponent < 0 {
            return Tracked::constant(Residue::of(1)).over(self.whole_power(exponent.saturating_neg())?);
        }
        if exponent > 4_096 {
            return Err(Undefined::Unsupported("a power of this size"));
        }
        let (mut power, mut square, mut left) = (Tracked::constant(Residue::of(1)), self, exponent);
        while left > 0 {
            if left % 2 == 1 {
                power = power.times(square.clone());
            }
            left /= 2;
            if left > 0 {
                square = square.clone().times(square);
            }
        }
        Ok(power)
    }

    fn real_power(self, _: Self) -> Result<Self, Undefined> {
        Err(NOT_POLYNOMIAL)
    }

    fn apply(self, _: Function) -> Result<Self, Undefined> {
        Err(NOT_POLYNOMIAL)
    }

    fn larger(self, _: Self) -> Self {
        // Formulas with an extremum are not tried, see `is_exact`.
        self
    }

    fn times_its_logarithm(self) -> Result<Self, Undefined> {
        Err(NOT_POLYNOMIAL)
    }

    fn log_sum_exp(terms: Vec<Self>) -> Self {
        // As for `larger`.
        terms.into_iter().reduce(Number::plus).unwrap_or_else(|| Tracked::constant(Residue::of(0)))
    }

    fn eigenvalues(_: &Grid<Self>) -> Result<Vec<Self>, Undefined> {
        Err(NOT_POLYNOMIAL)
    }

    fn operator_norm(_: &Grid<Self>) -> Result<Self, Undefined> {
        Err(NOT_POLYNOMIAL)
    }
}

/// What exact arithmetic says of an equation.
#[derive(Clone, Debug, PartialEq)]
pub struct Identity {
    /// Cases: values of the whole numbers.
    pub cases: usize,
    /// Cases in which the two sides are the same when multiplied out.
    pub expanded: usize,
    /// Random points at which they agree modulo the prime, over all other cases.
    pub random: usize,
    /// A bound of the degree of their difference.
    pub degree: u32,
    /// The chance that sides which differ agree at all random points, unless all coefficients of their difference are multiples of the
    /// prime; zero if every case is multiplied out.
    pub alpha: f64,
}

impl std::fmt::Display for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Identity { cases, expanded, random, degree, alpha } = self;
        let all = if *cases == 1 { String::new() } else { format!(" in {cases} cases") };
        if expanded == cases {
            return write!(f, "the sides are the same when multiplied out{all}");
        }
        write!(f, "the sides, of degree at most {degree}, agree{all}: ")?;
        if *expanded > 0 {
            write!(f, "in {expanded} they are the same when multiplied out; in the others they agree ")?;
        }
        write!(
            f,
            "modulo 2^61 - 1 at {random} random points; if they were different, the chance of that would be at most \
             {alpha:.1e} (Schwartz and Zippel)"
        )
    }
}

/// Work for multiplying out, in products of two terms, in all cases together.
const WORK: u64 = 1_000_000;
/// Random points of every case.
const DRAWN: usize = 2;
/// The points that are drawn again because a side is not defined there.
const REDRAWN: usize = 8;

/// Whether a formula consists of what this arithmetic computes exactly.
fn is_exact(statement: &Statement) -> bool {
    use crate::formulas::term::{Node, NormKind, visit};
    use crate::text::words::Fold;
    let mut exact = true;
    for side in &statement.chain.sides {
        visit(side, &mut |term| {
            exact &= !matches!(
                term.node,
                Node::Number(Literal::Near(_))
                    | Node::Constant(_)
                    | Node::Fold(Fold::Max | Fold::Min | Fold::LogSumExp, _)
                    | Node::Norm(NormKind::Largest | NormKind::Operator | NormKind::One, _)
                    | Node::Entropy(_)
                    | Node::Kl(..)
                    | Node::Softmax(_)
                    | Node::Eigenvalues(_)
            );
        });
    }
    exact
}

/// Settles an equation in all its cases, multiplied out where that takes little work, at random points otherwise.
pub(crate) fn settle(statement: &Statement, cases: &[Case], seed: u64) -> Result<Identity, Open> {
    if !is_exact(statement) {
        return Err(Open::Inapplicable(
            "only an equation between quotients of polynomials is settled in exact arithmetic".into(),
        ));
    }
    let mut told = Identity { cases: cases.len(), expanded: 0, random: 0, degree: 0, alpha: 0.0 };
    let mut stream = stream::stream(seed, &["identity", &statement.texts.statement]);
    let mut work = WORK;
    for case in cases {
        // One point tells nearly every false equation.
        let degree = drawn(case, &mut stream, 1)?;
        told.degree = told.degree.max(degree);
        if spending(&mut work, || multiplied_out(case)).is_some() {
            told.expanded += 1;
        } else {
            drawn(case, &mut stream, DRAWN)?;
            told.random += DRAWN + 1;
            let chance = f64::from(degree) / PRIME as f64;
            // All points must mislead at once; any of the cases may.
            told.alpha += (0..=DRAWN).map(|_| chance).product::<f64>().max(f64::MIN_POSITIVE);
        }
    }
    Ok(told)
}

/// The sides in a case at these values of the variables; none where one of them is not defined.
fn sides<N: Number>(case: &Case, variables: &[N]) -> Result<Option<Vec<N>>, Open> {
    let values: Vec<Value<N>> = case.values(variables);
    let sides = case.statement().chain.sides.iter().map(|t| Evaluator::new(&values).scalar(t));
    match sides.collect::<Result<Vec<_>, _>>() {
        Ok(sides) => Ok(Some(sides)),
        Err(Trouble::Undefined("a quotient by zero")) => Ok(None),
        Err(trouble) => Err(Open::Inapplicable(trouble.to_string())),
    }
}

/// Something if all sides are the same quotient of polynomials.
fn multiplied_out(case: &Case) -> Option<()> {
    let variables: Vec<Expanded> = (0..case.count()).map(Expanded::variable).collect();
    let sides = sides(case, &variables).ok()??;
    let same = |pair: &[Expanded]| pair[0].clone().minus(pair[1].clone()).is_zero();
    sides.windows(2).all(same).then_some(())
}

/// The first difference of two sides at a point that is not zero, or zero; the largest bound of a degree.
fn difference(case: &Case, at: &[Residue]) -> Result<Option<Tracked>, Open> {
    let variables: Vec<Tracked> = at.iter().copied().map(Tracked::variable).collect();
    let Some(sides) = sides(case, &variables)? else { return Ok(None) };
    let mut total: Option<Tracked> = None;
    for pair in sides.windows(2) {
        let difference = pair[0].clone().minus(pair[1].clone());
        let first = total.is_none();
        match &mut total {
            Some(so_far) if so_far.value.is_zero() => {
                let above = so_far.above.max(difference.above);
                *so_far = Tracked { above, ..difference };
            }
            _ if first => total = Some(difference),
            _ => {}
        }
    }
    Ok(total)
}

/// Whether the sides agree at random points modulo the prime; the bound of the degree.
fn drawn(case: &Case, stream: &mut Stream, points: usize) -> Result<u32, Open> {
    let mut degree = 0;
    let (mut done, mut undefined) = (0, 0);
    while done < points {
        let at: Vec<Residue> = (0..case.count()).map(|_| Residue::uniform(stream)).collect();
        match difference(case, &at)? {
            None if undefined > REDRAWN => return Err(Open::Inapplicable("a side is defined almost nowhere".into())),
            None => undefined += 1,
            Some(d) if !d.value.is_zero() => {
                let free = case.statement().conditions.is_empty();
                let message = if free {
                    "the sides differ in exact arithmetic, by less than double precision can tell apart"
                } else {
                    "the sides are equal at most under the conditions, which the proof of an equation does not use"
                };
                return Err(Open::Residual(message.into()));
            }
            Some(d) => {
                degree = d.above;
                done += 1;
            }
        }
    }
    if degree >= LARGEST_DEGREE {
        return Err(Open::Inapplicable("the degree is too large".into()));
    }
    Ok(degree)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_are_a_field() {
        let mut stream = stream::stream(1, &["residues"]);
        for _ in 0..200 {
            let (a, b, c) =
                (Residue::uniform(&mut stream), Residue::uniform(&mut stream), Residue::uniform(&mut stream));
            assert_eq!((a + b) * c, a * c + b * c);
            assert_eq!(a - b + b, a);
            assert_eq!(a.inverse().map(|i| i * a), Some(Residue(1)));
        }
        assert_eq!(Residue::of(-1) + Residue(1), Residue(0));
        assert_eq!(Residue(0).inverse(), None);
    }

    #[test]
    fn degrees_are_those_of_numerators_and_denominators() {
        let x = Tracked::variable(Residue(5));
        let one = || Tracked::constant(Residue(1));
        let square = x.clone().times(x.clone());
        assert_eq!((square.above, square.below), (2, 0));
        // 1/x + x = (1 + x²)/x
        let sum = one().over(x.clone()).map(|q| q.plus(x));
        assert_eq!(sum.map(|s| (s.above, s.below)), Ok((2, 1)));
    }
}
