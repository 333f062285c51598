//! What a formula is evaluated on: doubles, enclosures, enclosures with slopes. One evaluation serves them all.

use core_math as cr;
use enclosures::interval::{self, Dual, Interval};
use enclosures::linear_algebra::{IntervalMatrix, Matrix, SingularValues, symmetric_eigenvalues};

use super::expansion;
use crate::text::syntax::Literal;
use crate::text::words::Function;

/// Why a formula has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// The mathematics gives it none: what it is (the logarithm of a number that is not positive).
    Nowhere(&'static str),
    /// This kind of number cannot do it.
    Unsupported(&'static str),
}

const LOGARITHM: Undefined = Undefined::Nowhere("a logarithm of a number that is not positive");
const ROOT: Undefined = Undefined::Nowhere("a root of a negative number");
const QUOTIENT: Undefined = Undefined::Nowhere("a quotient by zero");
const POWER: Undefined = Undefined::Nowhere("a power of a negative number whose exponent is not whole");
const DIVERGENCE: Undefined = Undefined::Nowhere("an infinite divergence");
const ARC: Undefined = Undefined::Nowhere("an inverse function outside its domain");

/// All reasons for which a formula can have no value.
pub const REASONS: &[&str] = &[
    "a logarithm of a number that is not positive",
    "a root of a negative number",
    "a quotient by zero",
    "a power of a negative number whose exponent is not whole",
    "an inverse function outside its domain",
    "an extremum or a mean of no numbers",
    "an infinite divergence",
    "a factorial, a binomial coefficient or a harmonic number of a negative number",
];

/// Constants with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedConstant {
    /// The circle constant.
    Pi,
    /// The base of the natural logarithm.
    E,
}

/// Rows times columns, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid<N> {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// The entries.
    pub entries: Vec<N>,
}

/// A value of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<N> {
    /// A whole number.
    Whole(i64),
    /// A number.
    Scalar(N),
    /// A vector.
    Vector(Vec<N>),
    /// A matrix.
    Matrix(Grid<N>),
}

/// What a formula is evaluated on.
pub trait Number: Clone {
    /// A whole number, exactly or enclosed.
    fn whole(x: i64) -> Self;
    /// A double, exactly.
    fn double(x: f64) -> Self;
    /// A decimal number.
    fn literal(literal: Literal) -> Self;
    /// A constant.
    fn constant(constant: NamedConstant) -> Self;
    /// Whether it is zero for certain.
    fn is_zero(&self) -> bool;
    /// Sum.
    fn plus(self, other: Self) -> Self;
    /// Difference.
    fn minus(self, other: Self) -> Self;
    /// Product.
    fn times(self, other: Self) -> Self;
    /// Quotient.
    ///
    /// # Errors
    /// The divisor is zero.
    fn over(self, other: Self) -> Result<Self, Undefined>;
    /// The number with its sign changed.
    fn negated(self) -> Self;
    /// A whole power, `0^0 = 1`.
    ///
    /// # Errors
    /// A negative power of zero.
    fn whole_power(self, exponent: i64) -> Result<Self, Undefined>;
    /// A real power.
    ///
    /// # Errors
    /// The base is negative and the exponent not whole, or the base is zero and the exponent not positive.
    fn real_power(self, exponent: Self) -> Result<Self, Undefined>;
    /// A function of one number.
    ///
    /// # Errors
    /// The argument is outside its domain.
    fn apply(self, function: Function) -> Result<Self, Undefined>;
    /// The larger of two.
    fn larger(self, other: Self) -> Self;
    /// `x log x` with `0 log 0 = 0`.
    ///
    /// # Errors
    /// The number is negative.
    fn times_its_logarithm(self) -> Result<Self, Undefined>;
    /// `x log (x/y)` with `0 log (0/y) = 0`, a term of a divergence.
    ///
    /// # Errors
    /// A number is negative, or only the second is zero.
    fn times_its_log_ratio(self, other: Self) -> Result<Self, Undefined> {
        // A ratio has a logarithm where both numbers are negative, too, so that one of them is looked at.
        let looked_at = if self.is_zero() { &other } else { &self };
        looked_at.clone().times_its_logarithm()?;
        if self.is_zero() {
            return Ok(self);
        }
        if other.is_zero() {
            return Err(DIVERGENCE);
        }
        Ok(self.clone().times(self.over(other)?.apply(Function::Log)?))
    }
    /// `log Σ e^x` of one or more.
    fn log_sum_exp(terms: Vec<Self>) -> Self;
    /// A harmonic number of many terms without summing them; none for a kind of number that has no expansion.
    #[must_use]
    fn harmonic(n: i64) -> Option<Self> {
        if n >= expansion::FROM { Self::enclosing(expansion::harmonic(whole_interval(n))) } else { None }
    }
    /// The logarithm of a factorial without multiplying it out; none as for [`Number::harmonic`].
    #[must_use]
    fn log_factorial(n: i64) -> Option<Self> {
        if n >= 0 { Self::enclosing(expansion::log_factorial(n, whole_interval(n))) } else { None }
    }
    /// A number that was enclosed once; none for a kind of number that asks for more than an enclosure.
    #[must_use]
    fn enclosing(_interval: Interval) -> Option<Self> {
        None
    }
    /// The eigenvalues of the symmetric part of a square matrix, the largest first.
    ///
    /// # Errors
    /// Not with this kind of number, or not for this matrix.
    fn eigenvalues(matrix: &Grid<Self>) -> Result<Vec<Self>, Undefined>;
    /// The largest singular value of a matrix.
    ///
    /// # Errors
    /// As for the eigenvalues.
    fn operator_norm(matrix: &Grid<Self>) -> Result<Self, Undefined>;
    /// All singular values of a matrix, the largest first.
    ///
    /// # Errors
    /// As for the eigenvalues.
    fn singular_values(_matrix: &Grid<Self>) -> Result<Vec<Self>, Undefined> {
        Err(Undefined::Unsupported("singular values with this kind of number"))
    }
}

/// A kind of number that can be told no more than that it lies between two doubles.
pub trait Real: Number {
    /// Some number of an interval; its middle for a kind that does not enclose.
    fn within(interval: Interval) -> Self;
}

impl<const K: usize> Real for Dual<K> {
    fn within(interval: Interval) -> Self {
        Dual::constant(interval)
    }
}

impl Real for f64 {
    fn within(interval: Interval) -> Self {
        interval.midpoint()
    }
}

/// An enclosure that knows whether it is defined.
pub type Enclosed = Dual<0>;

/// An enclosure of a decimal number, a point where it is a double.
#[must_use]
pub fn decimal(literal: Literal) -> Interval {
    match literal {
        Literal::Decimal { digits, exponent } => {
            let digits = if digits <= 1 << 53 {
                Interval::point(digits as f64)
            } else {
                let near = digits as f64;
                Interval::new(near.next_down(), near.next_up())
            };
            let ten = Interval::point(10.0).powi(i64::from(exponent.abs()));
            if exponent < 0 { digits / ten } else { digits * ten }
        }
        Literal::Near(x) => Interval::new(x.next_down(), x.next_up()),
    }
}

pub(crate) fn whole_interval(x: i64) -> Interval {
    let near = x as f64;
    if x.unsigned_abs() <= 1 << 53 { Interval::point(near) } else { Interval::new(near.next_down(), near.next_up()) }
}

/// −1, 0 or 1.
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// A function that is constant between its steps: where a step may lie within, nothing is continuous, and nothing is said.
fn step(x: Interval, of: fn(f64) -> f64) -> Option<f64> {
    let (low, high) = (of(x.lo()), of(x.hi()));
    (low == high && low.is_finite()).then_some(low)
}

fn stepped<const K: usize>(x: Dual<K>, of: fn(f64) -> f64) -> Dual<K> {
    match step(x.value, of) {
        Some(value) => Dual { value: Interval::point(value), slopes: [Interval::ZERO; K], defined: x.defined },
        None => Dual { value: Interval::new(of(x.value.lo()), of(x.value.hi())), ..unknown() },
    }
}

/// The cube root, a point where it is a double.
pub(crate) fn cube_root(x: Interval) -> Interval {
    let end = |x: f64, outwards: fn(f64) -> f64| {
        let root = cr::cbrt(x);
        // Of a small whole number the cube is exact.
        let is_exact = root.fract() == 0.0 && root.abs() < 1e5 && root * root * root == x;
        if is_exact || !x.is_finite() { root } else { outwards(root) }
    };
    Interval::new(end(x.lo(), f64::next_down), end(x.hi(), f64::next_up))
}

/// A function of `x` with this value and this slope.
fn along<const K: usize>(x: Dual<K>, value: Interval, slope: Interval) -> Dual<K> {
    Dual { value, slopes: x.slopes.map(|s| slope * s), defined: x.defined }
}

fn unknown<const K: usize>() -> Dual<K> {
    Dual { value: Interval::ENTIRE, slopes: [Interval::ENTIRE; K], defined: false }
}

impl<const K: usize> Number for Dual<K> {
    fn whole(x: i64) -> Self {
        Dual::constant(whole_interval(x))
    }

    fn double(x: f64) -> Self {
        Dual::constant(x)
    }

    fn literal(literal: Literal) -> Self {
        Dual::constant(decimal(literal))
    }

    fn constant(constant: NamedConstant) -> Self {
        Dual::constant(match constant {
            NamedConstant::Pi => Interval::pi(),
            NamedConstant::E => Interval::ONE.exp(),
        })
    }

    fn is_zero(&self) -> bool {
        self.value == Interval::ZERO
    }

    fn plus(self, other: Self) -> Self {
        self + other
    }

    fn minus(self, other: Self) -> Self {
        self - other
    }

    fn times(self, other: Self) -> Self {
        self * other
    }

    fn over(self, other: Self) -> Result<Self, Undefined> {
        if other.is_zero() {
            return Err(QUOTIENT);
        }
        Ok(self / other)
    }

    fn negated(self) -> Self {
        -self
    }

    fn whole_power(self, exponent: i64) -> Result<Self, Undefined> {
        if exponent < 0 && self.is_zero() {
            return Err(QUOTIENT);
        }
        Ok(if exponent == 2 { self.square() } else { self.powi(exponent) })
    }

    fn real_power(self, exponent: Self) -> Result<Self, Undefined> {
        let whole = exponent.value.lo();
        if exponent.value.hi() == whole && whole.fract() == 0.0 && whole.abs() <= 1e15 {
            return self.whole_power(whole as i64);
        }
        // Enclosed, the exponent of a power may be whole, and a base may be zero.
        let may_be_whole = exponent.value.lo().ceil() <= exponent.value.hi();
        match self.value {
            base if base == Interval::ZERO && exponent.value.lo() > 0.0 => return Ok(self),
            base if base == Interval::ZERO && exponent.value.hi() < 0.0 => return Err(POWER),
            base if base.hi() < 0.0 && !may_be_whole => return Err(POWER),
            base if base.hi() <= 0.0 => return Ok(unknown()),
            _ => {}
        }
        if exponent.value == Interval::point(0.5) {
            return Ok(self.sqrt());
        }
        if self.value.lo() == 0.0 && exponent.value.lo() <= 0.0 {
            return Ok(unknown());
        }
        Ok((exponent * self.ln()).exp())
    }

    fn apply(self, function: Function) -> Result<Self, Undefined> {
        let x = self.value;
        // In a box, points without a value say nothing. A number that may be such a point has none for certain.
        let is_at_an_end = match function {
            Function::Log | Function::Log2 | Function::Log10 => x.lo() <= 0.0 && x.hi() > 0.0,
            Function::Log1p => x.lo() <= -1.0 && x.hi() > -1.0,
            Function::Atanh => x.magnitude() >= 1.0 && x.lo() < 1.0 && x.hi() > -1.0,
            _ => false,
        };
        if K == 0 && is_at_an_end {
            return Ok(unknown());
        }
        Ok(match function {
            Function::Exp => self.exp(),
            Function::ExpM1 => self.exp_m1(),
            Function::Log if x.hi() <= 0.0 => return Err(LOGARITHM),
            Function::Log => self.ln(),
            Function::Log1p if x.hi() <= -1.0 => return Err(LOGARITHM),
            Function::Log1p => self.ln_1p(),
            Function::Log2 | Function::Log10 if x.hi() <= 0.0 => return Err(LOGARITHM),
            Function::Log2 => logarithm(self, 2.0, x.log2()),
            Function::Log10 => logarithm(self, 10.0, Interval::ENTIRE),
            Function::Sqrt if x.hi() < 0.0 => return Err(ROOT),
            Function::Sqrt => self.sqrt(),
            Function::Abs => self.abs(),
            Function::Sin => self.sin(),
            Function::Cos => self.cos(),
            Function::Tan => self.tan(),
            Function::Asin | Function::Acos if x.lo() > 1.0 || x.hi() < -1.0 => return Err(ARC),
            Function::Asin => self.asin(),
            Function::Acos => self.acos(),
            Function::Atan => self.atan(),
            Function::Sinh => self.sinh(),
            Function::Cosh => self.cosh(),
            Function::Tanh => self.tanh(),
            Function::Asinh => self.asinh(),
            Function::Acosh if x.hi() < 1.0 => return Err(ARC),
            Function::Acosh => self.acosh(),
            Function::Atanh if x.lo() >= 1.0 || x.hi() <= -1.0 => return Err(ARC),
            Function::Atanh => self.atanh(),
            Function::Sigmoid => self.sigmoid(),
            Function::Softplus => self.softplus(),
            Function::Relu => self.max(0.0),
            Function::Floor => stepped(self, f64::floor),
            Function::Ceiling => stepped(self, f64::ceil),
            Function::Sign => stepped(self, sign),
            Function::CubeRoot => {
                let root = cube_root(x);
                let slope = Interval::ONE / (Interval::point(3.0) * root.powi(2));
                along(self, root, slope)
            }
            Function::Erf => {
                let value = Interval::new(cr::erf(x.lo()).next_down(), cr::erf(x.hi()).next_up());
                let value = if x == Interval::ZERO { Interval::ZERO } else { value };
                let slope = Interval::point(2.0) / Interval::pi().sqrt() * (-x.powi(2)).exp();
                along(self, value.intersection(Interval::new(-1.0, 1.0)).unwrap_or(value), slope)
            }
            Function::ErrorComplement => {
                let value = Interval::new(cr::erfc(x.hi()).next_down().max(0.0), cr::erfc(x.lo()).next_up());
                let value = if x == Interval::ZERO { Interval::ONE } else { value };
                let slope = -Interval::point(2.0) / Interval::pi().sqrt() * (-x.powi(2)).exp();
                along(self, value, slope)
            }
        })
    }

    fn larger(self, other: Self) -> Self {
        self.max(other)
    }

    fn times_its_logarithm(self) -> Result<Self, Undefined> {
        if self.is_zero() {
            return Ok(self);
        }
        if self.value.hi() < 0.0 {
            return Err(LOGARITHM);
        }
        if self.value.lo() > 0.0 {
            return Ok(self * self.ln());
        }
        if self.value.lo() < 0.0 {
            return Ok(unknown());
        }
        // On [0, h]: between the minimum −1/e and the larger end.
        let h = Interval::point(self.value.hi());
        let value = Interval::new(-0.367_879_441_171_442_4, (h * h.ln()).hi().max(0.0));
        let slope = Interval::new(f64::NEG_INFINITY, (h.ln() + 1.0).hi());
        let slopes = self.slopes.map(|s| slope * s);
        Ok(Dual { value, slopes, defined: self.defined })
    }

    fn log_sum_exp(terms: Vec<Self>) -> Self {
        let values: Vec<Interval> = terms.iter().map(|t| t.value).collect();
        let value = interval::log_sum_exp(&values);
        // The slope along a term is its softmax weight.
        let mut slopes = [Interval::ZERO; K];
        let mut defined = true;
        for term in &terms {
            let weight = (term.value - value).exp().min(Interval::ONE);
            for (total, slope) in slopes.iter_mut().zip(&term.slopes) {
                *total += weight * *slope;
            }
            defined &= term.defined;
        }
        Dual { value, slopes, defined }
    }

    fn enclosing(interval: Interval) -> Option<Self> {
        Some(Dual::constant(interval))
    }

    fn eigenvalues(matrix: &Grid<Self>) -> Result<Vec<Self>, Undefined> {
        let symmetric = intervals(matrix)?.symmetric_part();
        let mut found = symmetric
            .and_then(|a| symmetric_eigenvalues(&a))
            .map_err(|_| Undefined::Unsupported("eigenvalues of this matrix"))?;
        // They come in increasing order.
        found.reverse();
        Ok(found.into_iter().map(Dual::constant).collect())
    }

    fn operator_norm(matrix: &Grid<Self>) -> Result<Self, Undefined> {
        Ok(Dual::constant(singular(matrix)?.spectral_norm()))
    }

    fn singular_values(matrix: &Grid<Self>) -> Result<Vec<Self>, Undefined> {
        Ok(singular(matrix)?.values().iter().map(|&x| Dual::constant(x)).collect())
    }
}

fn logarithm<const K: usize>(x: Dual<K>, base: f64, known: Interval) -> Dual<K> {
    let quotient = x.ln() / Interval::point(base).ln();
    quotient.known_within(known.lo(), known.hi())
}

fn singular<const K: usize>(matrix: &Grid<Dual<K>>) -> Result<SingularValues, Undefined> {
    SingularValues::of(&intervals(matrix)?).map_err(|_| Undefined::Unsupported("singular values of this matrix"))
}

/// The values of a matrix whose entries have no slopes.
fn intervals<const K: usize>(matrix: &Grid<Dual<K>>) -> Result<IntervalMatrix, Undefined> {
    if K > 0 {
        return Err(Undefined::Unsupported("slopes of eigenvalues and singular values"));
    }
    if matrix.entries.iter().any(|e| !e.defined || !e.value.is_finite()) {
        return Err(Undefined::Unsupported("a matrix with entries that are not finite"));
    }
    let entries = matrix.entries.iter().map(|e| e.value).collect();
    IntervalMatrix::new(matrix.rows, matrix.columns, entries)
        .map_err(|_| Undefined::Unsupported("a matrix of this size"))
}

fn defined(x: f64, otherwise: Undefined) -> Result<f64, Undefined> {
    if x.is_nan() { Err(otherwise) } else { Ok(x) }
}

impl Number for f64 {
    fn whole(x: i64) -> Self {
        x as f64
    }

    fn double(x: f64) -> Self {
        x
    }

    fn literal(literal: Literal) -> Self {
        decimal(literal).midpoint()
    }

    fn constant(constant: NamedConstant) -> Self {
        match constant {
            NamedConstant::Pi => std::f64::consts::PI,
            NamedConstant::E => std::f64::consts::E,
        }
    }

    fn is_zero(&self) -> bool {
        *self == 0.0
    }

    fn plus(self, other: Self) -> Self {
        self + other
    }

    fn minus(self, other: Self) -> Self {
        self - other
    }

    fn times(self, other: Self) -> Self {
        self * other
    }

    fn over(self, other: Self) -> Result<Self, Undefined> {
        if other == 0.0 { Err(QUOTIENT) } else { defined(self / other, QUOTIENT) }
    }

    fn negated(self) -> Self {
        -self
    }

    fn whole_power(self, exponent: i64) -> Result<Self, Undefined> {
        if exponent < 0 && self == 0.0 {
            return Err(QUOTIENT);
        }
        let (mut base, mut n, mut result) = (self, exponent.unsigned_abs(), 1.0);
        while n > 0 {
            if n & 1 == 1 {
                result *= base;
            }
            base *= base;
            n >>= 1;
        }
        defined(if exponent < 0 { 1.0 / result } else { result }, POWER)
    }

    fn real_power(self, exponent: Self) -> Result<Self, Undefined> {
        if self < 0.0 && exponent.fract() != 0.0 || self == 0.0 && exponent <= 0.0 && exponent != 0.0 {
            return Err(POWER);
        }
        defined(cr::pow(self, exponent), POWER)
    }

    fn apply(self, function: Function) -> Result<Self, Undefined> {
        let x = self;
        Ok(match function {
            Function::Exp => cr::exp(x),
            Function::ExpM1 => cr::expm1(x),
            Function::Log | Function::Log2 | Function::Log10 if x <= 0.0 => return Err(LOGARITHM),
            Function::Log => cr::log(x),
            Function::Log1p if x <= -1.0 => return Err(LOGARITHM),
            Function::Log1p => cr::log1p(x),
            Function::Log2 => cr::log2(x),
            Function::Log10 => cr::log10(x),
            Function::Sqrt => return defined(x.sqrt(), ROOT),
            Function::Abs => x.abs(),
            Function::Sin => return defined(cr::sin(x), ARC),
            Function::Cos => return defined(cr::cos(x), ARC),
            Function::Tan => return defined(cr::tan(x), ARC),
            Function::Asin => return defined(cr::asin(x), ARC),
            Function::Acos => return defined(cr::acos(x), ARC),
            Function::Atan => cr::atan(x),
            Function::Sinh => cr::sinh(x),
            Function::Cosh => cr::cosh(x),
            Function::Tanh => cr::tanh(x),
            Function::Asinh => cr::asinh(x),
            Function::Acosh => return defined(cr::acosh(x), ARC),
            Function::Atanh if x.abs() >= 1.0 => return Err(ARC),
            Function::Atanh => cr::atanh(x),
            Function::Sigmoid if x >= 0.0 => 1.0 / (1.0 + cr::exp(-x)),
            Function::Sigmoid => {
                let e = cr::exp(x);
                e / (1.0 + e)
            }
            Function::Softplus => x.max(0.0) + cr::log1p(cr::exp(-x.abs())),
            Function::Relu => x.max(0.0),
            Function::Floor => x.floor(),
            Function::Ceiling => x.ceil(),
            Function::Sign => sign(x),
            Function::CubeRoot => cr::cbrt(x),
            Function::Erf => cr::erf(x),
            Function::ErrorComplement => cr::erfc(x),
        })
    }

    fn larger(self, other: Self) -> Self {
        self.max(other)
    }

    fn times_its_logarithm(self) -> Result<Self, Undefined> {
        if self == 0.0 {
            Ok(0.0)
        } else if self < 0.0 {
            Err(LOGARITHM)
        } else {
            Ok(self * cr::log(self))
        }
    }

    fn log_sum_exp(terms: Vec<Self>) -> Self {
        let largest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if !largest.is_finite() {
            return largest;
        }
        let rest: f64 = terms.iter().map(|&x| cr::exp(x - largest)).sum();
        largest + cr::log(rest)
    }

    fn enclosing(interval: Interval) -> Option<Self> {
        Some(interval.midpoint())
    }

    fn eigenvalues(matrix: &Grid<Self>) -> Result<Vec<Self>, Undefined> {
        let found = <Enclosed as Number>::eigenvalues(&enclosed(matrix)?)?;
        Ok(found.into_iter().map(|x| x.value.midpoint()).collect())
    }

    fn operator_norm(matrix: &Grid<Self>) -> Result<Self, Undefined> {
        <Enclosed as Number>::operator_norm(&enclosed(matrix)?).map(|x| x.value.midpoint())
    }

    fn singular_values(matrix: &Grid<Self>) -> Result<Vec<Self>, Undefined> {
        let found = <Enclosed as Number>::singular_values(&enclosed(matrix)?)?;
        Ok(found.into_iter().map(|x| x.value.midpoint()).collect())
    }
}

fn enclosed(matrix: &Grid<f64>) -> Result<Grid<Enclosed>, Undefined> {
    // The library's own checks on sizes and entries.
    Matrix::new(matrix.rows, matrix.columns, matrix.entries.clone())
        .map_err(|_| Undefined::Unsupported("a matrix with entries that are not finite"))?;
    Ok(Grid {
        rows: matrix.rows,
        columns: matrix.columns,
        entries: matrix.entries.iter().map(|&x| Dual::constant(x)).collect(),
    })
}
