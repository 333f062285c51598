//! Polynomials in one variable on a range: where they vanish and change their sign, by Sturm's chains, exactly.

use enclosures::interval::Interval;
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::allowance;
use super::numbers::enclosed;
use super::polynomial::{Polynomial, nearest};

/// What is known of a number's sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Positive,
    NotNegative,
    Zero,
    NotPositive,
    Negative,
}

impl Sign {
    pub(crate) fn of(x: &BigRational) -> Self {
        if x.is_positive() {
            Sign::Positive
        } else if x.is_zero() {
            Sign::Zero
        } else {
            Sign::Negative
        }
    }

    fn of_whole(x: &BigInt) -> Self {
        Sign::of(&BigRational::from_integer(x.clone()))
    }

    pub(crate) fn turned(self) -> Self {
        match self {
            Sign::Positive => Sign::Negative,
            Sign::NotNegative => Sign::NotPositive,
            Sign::Zero => Sign::Zero,
            Sign::NotPositive => Sign::NotNegative,
            Sign::Negative => Sign::Positive,
        }
    }

    /// Whether it says that a number is not negative, or that it is positive.
    pub(crate) fn is_enough(self, strict: bool) -> bool {
        self == Sign::Positive || !strict && matches!(self, Sign::NotNegative | Sign::Zero)
    }
}

/// An end of a range, and whether it is left out.
pub(crate) type Endpoint = (BigRational, bool);

/// A range of real numbers; ends that are missing are infinite.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) low: Option<Endpoint>,
    pub(crate) high: Option<Endpoint>,
}

impl Bounds {
    pub(crate) fn from(low: i64, excluded: bool) -> Self {
        Bounds { low: Some((BigRational::from_integer(low.into()), excluded)), high: None }
    }

    pub(crate) fn between(low: i64, high: i64) -> Self {
        let end = |x: i64| Some((BigRational::from_integer(x.into()), false));
        Bounds { low: end(low), high: end(high) }
    }

    /// Where a number lies that is enclosed.
    pub(crate) fn around(x: Interval) -> Self {
        let end = |x: f64| BigRational::from_float(x).map(|x| (x, false));
        Bounds { low: end(x.lo()), high: end(x.hi()) }
    }

    /// Contains the range.
    pub(crate) fn interval(&self) -> Interval {
        let low = self.low.as_ref().map_or(f64::NEG_INFINITY, |low| enclosed(&low.0).lo());
        let high = self.high.as_ref().map_or(f64::INFINITY, |high| enclosed(&high.0).hi());
        Interval::new(low, high.max(low))
    }

    /// Whether it is one point or none.
    pub(crate) fn is_thin(&self) -> bool {
        matches!((&self.low, &self.high), (Some(a), Some(b)) if a.0 >= b.0)
    }

    /// The double that has about this share of the range below it.
    pub(crate) fn at(&self, share: f64) -> f64 {
        match (self.low.as_ref().map(|x| nearest(&x.0)), self.high.as_ref().map(|x| nearest(&x.0))) {
            (Some(a), Some(b)) => a + (b - a) * share,
            (Some(a), None) => a + share / (1.0 - share),
            (None, Some(b)) => b - (1.0 - share) / share,
            (None, None) => (share - 0.5) / (share * (1.0 - share)),
        }
    }

    /// A point inside.
    pub(crate) fn inner(&self) -> BigRational {
        let two = BigRational::from_integer(2.into());
        match (&self.low, &self.high) {
            (Some(a), Some(b)) => (&a.0 + &b.0) / two,
            (Some(a), None) => &a.0 + BigRational::one(),
            (None, Some(b)) => &b.0 - BigRational::one(),
            (None, None) => BigRational::zero(),
        }
    }
}

/// Whole coefficients without a common divisor, lowest first: a positive multiple, which has the same signs.
type Dense = Vec<BigInt>;

fn dense(p: &Polynomial, place: usize) -> Option<Dense> {
    let all: Vec<BigRational> = p.along(place).into_iter().map(|c| c.as_number()).collect::<Option<_>>()?;
    let below = all.iter().fold(BigInt::one(), |so_far, c| so_far.lcm(c.denom()));
    Some(primitive(all.into_iter().map(|c| c.numer() * (&below / c.denom())).collect()))
}

fn primitive(mut p: Dense) -> Dense {
    while p.last().is_some_and(Zero::is_zero) {
        p.pop();
    }
    let common = p.iter().fold(BigInt::zero(), |common, c| if common.is_one() { common } else { common.gcd(c) });
    if !common.is_zero() && !common.is_one() {
        p.iter_mut().for_each(|c| *c /= &common);
    }
    p
}

fn derivative(p: &Dense) -> Dense {
    primitive(p.iter().enumerate().skip(1).map(|(k, c)| c * BigInt::from(k)).collect())
}

/// A positive multiple of the remainder.
fn remainder(a: &Dense, b: &Dense) -> Dense {
    let mut rest = a.clone();
    let lead = &b[b.len() - 1];
    let size = lead.abs();
    while rest.len() >= b.len() {
        let factor = &rest[rest.len() - 1] * lead.signum();
        let shift = rest.len() - b.len();
        rest.iter_mut().for_each(|c| *c *= &size);
        for (c, d) in rest[shift..].iter_mut().zip(b) {
            *c -= d * &factor;
        }
        while rest.last().is_some_and(Zero::is_zero) {
            rest.pop();
        }
    }
    primitive(rest)
}

/// The quotient by a divisor; both are primitive, so that its coefficients are whole (Gauss).
fn quotient(a: &Dense, b: &Dense) -> Dense {
    let mut rest = a.clone();
    let mut found = vec![BigInt::zero(); (a.len() + 1).saturating_sub(b.len())];
    for shift in (0..found.len()).rev() {
        let factor = &rest[shift + b.len() - 1] / &b[b.len() - 1];
        for (c, d) in rest[shift..].iter_mut().zip(b) {
            *c -= d * &factor;
        }
        found[shift] = factor;
    }
    primitive(found)
}

fn bits(p: &Dense) -> u64 {
    p.iter().map(BigInt::bits).max().unwrap_or(0)
}

fn common(a: &Dense, b: &Dense) -> Dense {
    let (mut a, mut b) = (a.clone(), b.clone());
    while !b.is_empty() {
        if !allowance::spend((a.len() * b.len()) as u64 * (1 + bits(&b) / 256)) {
            return vec![BigInt::one()];
        }
        let rest = remainder(&a, &b);
        (a, b) = (b, rest);
    }
    a
}

/// A positive multiple of the value.
fn at(p: &Dense, x: &BigRational) -> BigInt {
    let mut below = BigInt::one();
    p.iter().rev().fold(BigInt::zero(), |so_far, c| {
        let found = so_far * x.numer() + c * &below;
        below *= x.denom();
        found
    })
}

/// How many roots lie in the range, its ends left out; the polynomial has no double root.
fn roots_inside(p: &Dense, range: &Bounds) -> usize {
    let mut p = p.clone();
    // A root at an end is taken out.
    for end in [&range.low, &range.high].into_iter().flatten() {
        if at(&p, &end.0).is_zero() {
            p = quotient(&p, &vec![-end.0.numer(), end.0.denom().clone()]);
        }
    }
    if p.len() <= 1 {
        return 0;
    }
    let mut chain = vec![p.clone(), derivative(&p)];
    loop {
        let last = chain.len() - 1;
        let rest = remainder(&chain[last - 1], &chain[last]);
        if rest.is_empty() {
            break;
        }
        let bits = bits(&rest);
        chain.push(rest.into_iter().map(|c| -c).collect());
        if !allowance::spend((p.len() * p.len()) as u64 * (1 + bits / 256)) {
            return 1;
        }
    }
    let changes = |sign: &dyn Fn(&Dense) -> BigInt| {
        let signs: Vec<bool> = chain.iter().map(sign).filter(|s| !s.is_zero()).map(|s| s.is_positive()).collect();
        signs.windows(2).filter(|w| w[0] != w[1]).count()
    };
    let lead = |p: &Dense| p[p.len() - 1].clone();
    let low = match &range.low {
        Some(end) => changes(&|p| at(p, &end.0)),
        None => changes(&|p| if p.len() % 2 == 0 { -lead(p) } else { lead(p) }),
    };
    let high = match &range.high {
        Some(end) => changes(&|p| at(p, &end.0)),
        None => changes(&lead),
    };
    low.saturating_sub(high)
}

/// The sign of a polynomial in one variable on a range.
pub(crate) fn sign(p: &Polynomial, place: usize, range: &Bounds) -> Option<Sign> {
    let p = dense(p, place)?;
    if p.is_empty() {
        return Some(Sign::Zero);
    }
    if p.len() > 60 || bits(&p) > 2000 {
        return None;
    }
    if range.is_thin() {
        return Some(Sign::of_whole(&at(&p, &range.low.as_ref()?.0)));
    }
    // Square-free parts: those of odd multiplicity change the sign.
    let mut odd: Vec<Dense> = Vec::new();
    let mut even: Vec<Dense> = Vec::new();
    let mut rest = common(&p, &derivative(&p));
    let mut free = quotient(&p, &rest);
    let mut multiplicity = 1;
    while free.len() > 1 {
        let shared = common(&free, &rest);
        let part = quotient(&free, &shared);
        if part.len() > 1 {
            (if multiplicity % 2 == 1 { &mut odd } else { &mut even }).push(part);
        }
        rest = quotient(&rest, &shared);
        free = shared;
        multiplicity += 1;
    }
    if odd.iter().any(|q| roots_inside(q, range) > 0) {
        return None;
    }
    let mut touches = even.iter().any(|q| roots_inside(q, range) > 0);
    for end in [&range.low, &range.high].into_iter().flatten() {
        touches |= !end.1 && at(&p, &end.0).is_zero();
    }
    // Any point inside that is no root says which sign.
    let mut point = range.inner();
    for k in 2i64.. {
        let value = at(&p, &point);
        if !value.is_zero() {
            let sign = Sign::of_whole(&value);
            return Some(match (sign, touches) {
                (Sign::Positive, true) => Sign::NotNegative,
                (Sign::Negative, true) => Sign::NotPositive,
                (sign, _) => sign,
            });
        }
        if k > 200 {
            break;
        }
        // Towards the lower end, or outwards.
        let step = BigRational::new(1.into(), k.into());
        point = match (&range.low, &range.high) {
            (Some(a), Some(b)) => &a.0 + (&b.0 - &a.0) * step,
            (Some(a), None) => &a.0 + BigRational::from_integer(k.into()),
            (None, Some(b)) => &b.0 - BigRational::from_integer(k.into()),
            (None, None) => BigRational::from_integer(k.into()),
        };
    }
    None
}
