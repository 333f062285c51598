//! Numbers that carry their derivatives along one variable: the Taylor coefficients of an expression over a range, in intervals, by the
//! recurrences of Moore (*Interval Analysis*, 1966).

use enclosures::interval::{self, Interval};

use super::number::{Enclosed, Grid, NamedConstant, Number, Real, Undefined, decimal, whole_interval};
use crate::text::syntax::Literal;
use crate::text::words::Function;

/// Coefficients that are carried: derivatives up to the ninth.
pub(crate) const TERMS: usize = 10;

/// `f, f', f''/2, f'''/6, …` over a range of the variable.
#[derive(Clone, Debug)]
pub(crate) struct Jet {
    /// Contains every value of each over the range.
    pub(crate) terms: [Interval; TERMS],
    /// Whether every part of the expression is known to be defined and smooth on the whole range.
    pub(crate) smooth: bool,
}

impl Jet {
    const UNKNOWN: Jet = Jet { terms: [Interval::ENTIRE; TERMS], smooth: false };

    fn constant(value: Interval) -> Self {
        let mut terms = [Interval::ZERO; TERMS];
        terms[0] = value;
        Jet { terms, smooth: true }
    }

    /// The variable itself over a range.
    pub(crate) fn variable(range: Interval) -> Self {
        let mut jet = Jet::constant(range);
        jet.terms[1] = Interval::ONE;
        jet
    }

    fn value(&self) -> Interval {
        self.terms[0]
    }

    fn each(self, other: &Jet, f: impl Fn(Interval, Interval) -> Interval) -> Self {
        Jet { terms: std::array::from_fn(|k| f(self.terms[k], other.terms[k])), smooth: self.smooth && other.smooth }
    }

    fn product(&self, other: &Jet) -> Self {
        let term = |k: usize| sum((0..=k).map(|j| self.terms[j] * other.terms[k - j]));
        Jet { terms: std::array::from_fn(term), smooth: self.smooth && other.smooth }
    }

    fn quotient(&self, other: &Jet) -> Self {
        if other.value().contains(0.0) {
            return Jet::UNKNOWN;
        }
        let mut terms = [Interval::ZERO; TERMS];
        for k in 0..TERMS {
            let known = sum((0..k).map(|j| terms[j] * other.terms[k - j]));
            terms[k] = (self.terms[k] - known) / other.value();
        }
        Jet { terms, smooth: self.smooth && other.smooth }
    }

    /// The function of `self` with this value, and with a slope that depends on the function itself: its terms come one by one, each from
    /// those of the slope before it.
    fn integrated(&self, value: Interval, slope: impl Fn(&Jet) -> Jet) -> Self {
        let mut found = Jet::constant(value);
        found.smooth = self.smooth;
        for k in 1..TERMS {
            let along = slope(&found);
            let total = sum((1..=k).map(|j| whole(j) * self.terms[j] * along.terms[k - j]));
            found.terms[k] = total / whole(k);
            found.smooth &= along.smooth;
        }
        found
    }

    /// The same where the slope is known on its own.
    fn through(&self, value: Interval, slope: &Jet) -> Self {
        self.integrated(value, |_| slope.clone())
    }

    fn scaled(self, by: f64) -> Self {
        let terms = self.terms.map(|t| by * t);
        Jet { terms, ..self }
    }

    fn shifted(mut self, by: f64) -> Self {
        self.terms[0] = self.terms[0] + by;
        self
    }

    fn square(&self) -> Self {
        let mut square = self.product(self);
        square.terms[0] = self.value().square();
        square
    }

    /// Either of two functions that meet.
    fn or(self, other: Self) -> Self {
        self.each(&other, Interval::hull)
    }

    fn reciprocal(&self) -> Self {
        Jet::constant(Interval::ONE).quotient(self)
    }

    fn root(&self) -> Self {
        if self.value().lo() <= 0.0 {
            return Jet::UNKNOWN;
        }
        let mut root = Jet::constant(self.value().sqrt());
        root.smooth = self.smooth;
        for k in 1..TERMS {
            let known = sum((1..k).map(|j| root.terms[j] * root.terms[k - j]));
            root.terms[k] = (self.terms[k] - known) / (2.0 * root.value());
        }
        root
    }

    fn exponential(&self, value: Interval) -> Self {
        let mut e = self.integrated(self.value().exp(), Jet::clone);
        e.terms[0] = value;
        e
    }

    fn logarithm(&self) -> Self {
        if self.value().lo() <= 0.0 {
            return Jet::UNKNOWN;
        }
        self.through(self.value().ln(), &self.reciprocal())
    }

    /// Sine and cosine, or their hyperbolic namesakes, which differ in one sign.
    fn waves(&self, [sine, cosine]: [Interval; 2], sign: f64) -> [Self; 2] {
        let mut found = [Jet::constant(sine), Jet::constant(cosine)];
        found.iter_mut().for_each(|jet| jet.smooth = self.smooth);
        for k in 1..TERMS {
            let along = |of: &Jet| sum((1..=k).map(|j| whole(j) * self.terms[j] * of.terms[k - j])) / whole(k);
            let (sine, cosine) = (along(&found[1]), sign * along(&found[0]));
            found[0].terms[k] = sine;
            found[1].terms[k] = cosine;
        }
        found
    }

    fn circular(&self) -> [Self; 2] {
        self.waves([self.value().sin(), self.value().cos()], -1.0)
    }

    fn hyperbolic(&self) -> [Self; 2] {
        self.waves([self.value().sinh(), self.value().cosh()], 1.0)
    }

    fn sigmoid(&self) -> Self {
        self.integrated(self.value().sigmoid(), |s| s.product(&s.clone().scaled(-1.0).shifted(1.0)))
    }

    /// One over the root of `self`.
    fn over_root(&self) -> Self {
        self.root().reciprocal()
    }
}

/// Whether two branches may meet at a value: on a range that begins there one of them counts, at the point itself either may. What is as narrow
/// as this is the value at a point.
fn is_kink(value: Interval) -> bool {
    const NARROW: f64 = 1e-9;
    (value.lo() == 0.0 || value.hi() == 0.0) && value.width() < NARROW
}

fn sum(terms: impl Iterator<Item = Interval>) -> Interval {
    terms.fold(Interval::ZERO, |total, term| total + term)
}

fn whole(k: usize) -> Interval {
    Interval::point(k as f64)
}

impl Number for Jet {
    fn whole(x: i64) -> Self {
        Jet::constant(whole_interval(x))
    }

    fn double(x: f64) -> Self {
        Jet::constant(Interval::point(x))
    }

    fn literal(literal: Literal) -> Self {
        Jet::constant(decimal(literal))
    }

    fn constant(constant: NamedConstant) -> Self {
        Jet::constant(match constant {
            NamedConstant::Pi => Interval::pi(),
            NamedConstant::E => Interval::ONE.exp(),
        })
    }

    fn is_zero(&self) -> bool {
        self.terms.iter().all(|t| *t == Interval::ZERO)
    }

    fn plus(self, other: Self) -> Self {
        self.each(&other, |a, b| a + b)
    }

    fn minus(self, other: Self) -> Self {
        self.each(&other, |a, b| a - b)
    }

    fn times(self, other: Self) -> Self {
        self.product(&other)
    }

    fn over(self, other: Self) -> Result<Self, Undefined> {
        Ok(self.quotient(&other))
    }

    fn negated(self) -> Self {
        self.scaled(-1.0)
    }

    fn whole_power(self, exponent: i64) -> Result<Self, Undefined> {
        let mut base = if exponent < 0 { self.reciprocal() } else { self };
        let (mut power, mut n) = (Jet::constant(Interval::ONE), exponent.unsigned_abs());
        while n > 0 {
            if n & 1 == 1 {
                power = power.product(&base);
            }
            n >>= 1;
            if n > 0 {
                base = base.square();
            }
        }
        Ok(power)
    }

    fn real_power(self, exponent: Self) -> Result<Self, Undefined> {
        let value = exponent.value();
        let is_constant = exponent.terms[1..].iter().all(|t| *t == Interval::ZERO);
        let n = value.lo();
        if is_constant && value.hi() == n && n.fract() == 0.0 && n.abs() <= 1e15 {
            return self.whole_power(n as i64);
        }
        if is_constant && value == Interval::point(0.5) {
            return Ok(self.root());
        }
        let power = exponent.product(&self.logarithm());
        Ok(power.exponential(power.value().exp()))
    }

    fn apply(self, function: Function) -> Result<Self, Undefined> {
        let x = self.value();
        let one_more = || self.clone().shifted(1.0);
        let one_less_square = || self.square().scaled(-1.0).shifted(1.0);
        let within = x.magnitude() < 1.0;
        let exponential = |of: Jet| of.exponential(of.value().exp());
        Ok(match function {
            Function::Exp => self.exponential(x.exp()),
            Function::ExpM1 => self.exponential(x.exp_m1()),
            Function::Log => self.logarithm(),
            Function::Log1p if x.lo() > -1.0 => self.through(x.ln_1p(), &one_more().reciprocal()),
            Function::Log2 | Function::Log10 => {
                let base = if function == Function::Log2 { 2.0 } else { 10.0 };
                self.logarithm().quotient(&Jet::constant(Interval::point(base).ln()))
            }
            Function::Sqrt => self.root(),
            Function::Abs if is_kink(x) => self.clone().or(self.scaled(-1.0)),
            Function::Relu if is_kink(x) => self.or(Jet::constant(Interval::ZERO)),
            Function::Abs if x.lo() >= 0.0 => self,
            Function::Abs if x.hi() <= 0.0 => self.scaled(-1.0),
            Function::Relu if x.lo() >= 0.0 => self,
            Function::Relu if x.hi() <= 0.0 => Jet::constant(Interval::ZERO),
            Function::Floor | Function::Ceiling | Function::Sign => {
                // A little more than the range, so that no step lies at its end.
                let around = Interval::new(x.lo().next_down(), x.hi().next_up());
                let known = <Enclosed as Real>::within(around).apply(function)?;
                if known.defined { Jet::constant(known.value) } else { Jet::UNKNOWN }
            }
            Function::CubeRoot if x.lo() > 0.0 => {
                let three = Jet::constant(Interval::point(3.0));
                let slope = exponential(self.logarithm().scaled(-2.0).quotient(&three));
                let slope = slope.quotient(&three);
                self.through(<Enclosed as Real>::within(x).apply(function)?.value, &slope)
            }
            Function::CubeRoot => Jet::UNKNOWN,
            Function::Erf | Function::ErrorComplement => {
                let factor = Interval::point(2.0) / Interval::pi().sqrt();
                let factor = if function == Function::Erf { factor } else { -factor };
                let slope = exponential(self.square().scaled(-1.0)).product(&Jet::constant(factor));
                self.through(<Enclosed as Real>::within(x).apply(function)?.value, &slope)
            }
            Function::Sin => self.circular()[0].clone(),
            Function::Cos => self.circular()[1].clone(),
            Function::Tan => {
                let [sine, cosine] = self.circular();
                sine.quotient(&cosine)
            }
            Function::Asin if within => self.through(x.asin(), &one_less_square().over_root()),
            Function::Acos if within => self.through(x.acos(), &one_less_square().over_root().scaled(-1.0)),
            Function::Atan => self.through(x.atan(), &self.square().shifted(1.0).reciprocal()),
            Function::Sinh => self.hyperbolic()[0].clone(),
            Function::Cosh => self.hyperbolic()[1].clone(),
            Function::Tanh => self.integrated(x.tanh(), |t| t.square().scaled(-1.0).shifted(1.0)),
            Function::Asinh => self.through(x.asinh(), &self.square().shifted(1.0).over_root()),
            Function::Acosh if x.lo() > 1.0 => self.through(x.acosh(), &self.square().shifted(-1.0).over_root()),
            Function::Atanh if within => self.through(x.atanh(), &one_less_square().reciprocal()),
            Function::Sigmoid => self.sigmoid(),
            Function::Softplus => self.through(x.softplus(), &self.sigmoid()),
            _ => Jet::UNKNOWN,
        })
    }

    fn larger(self, other: Self) -> Self {
        if is_kink(self.value() - other.value()) {
            self.or(other)
        } else if self.value().lo() >= other.value().hi() {
            self
        } else if other.value().lo() >= self.value().hi() {
            other
        } else {
            Jet::UNKNOWN
        }
    }

    fn times_its_logarithm(self) -> Result<Self, Undefined> {
        if self.is_zero() {
            return Ok(self);
        }
        Ok(self.product(&self.logarithm()))
    }

    fn log_sum_exp(terms: Vec<Self>) -> Self {
        let values: Vec<Interval> = terms.iter().map(Jet::value).collect();
        let value = interval::log_sum_exp(&values);
        let total = terms.iter().map(|x| x.exponential(x.value().exp())).reduce(|a, b| a.each(&b, |a, b| a + b));
        match total {
            Some(total) => Jet {
                terms: {
                    let mut terms = total.logarithm().terms;
                    terms[0] = value;
                    terms
                },
                smooth: total.smooth && total.value().lo() > 0.0,
            },
            None => Jet::UNKNOWN,
        }
    }

    fn enclosing(interval: Interval) -> Option<Self> {
        Some(Jet::constant(interval))
    }

    fn eigenvalues(_: &Grid<Self>) -> Result<Vec<Self>, Undefined> {
        Err(Undefined::Unsupported("derivatives of eigenvalues"))
    }

    fn operator_norm(_: &Grid<Self>) -> Result<Self, Undefined> {
        Err(Undefined::Unsupported("derivatives of singular values"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The terms of a function at a point, which are known closely there.
    fn terms(function: Function, at: f64) -> [f64; TERMS] {
        let jet = Jet::variable(Interval::point(at)).apply(function).expect("a value");
        assert!(jet.smooth, "{function:?}");
        jet.terms.map(|t| {
            assert!(t.width() <= 1e-10 * (1.0 + t.magnitude()), "{function:?}: {t:?}");
            t.midpoint()
        })
    }

    #[test]
    fn the_series_at_zero_are_those_of_the_tables() {
        let near = |found: [f64; TERMS], wanted: &[f64]| {
            for (k, (a, b)) in found.iter().zip(wanted).enumerate() {
                assert!((a - b).abs() < 1e-12, "term {k}: {a} for {b}");
            }
        };
        near(terms(Function::Exp, 0.0), &[1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0]);
        near(terms(Function::Log1p, 0.0), &[0.0, 1.0, -0.5, 1.0 / 3.0, -0.25]);
        near(terms(Function::Sin, 0.0), &[0.0, 1.0, 0.0, -1.0 / 6.0, 0.0, 1.0 / 120.0]);
        near(terms(Function::Cos, 0.0), &[1.0, 0.0, -0.5, 0.0, 1.0 / 24.0]);
        near(terms(Function::Tan, 0.0), &[0.0, 1.0, 0.0, 1.0 / 3.0, 0.0, 2.0 / 15.0]);
        near(terms(Function::Tanh, 0.0), &[0.0, 1.0, 0.0, -1.0 / 3.0, 0.0, 2.0 / 15.0]);
        near(terms(Function::Atan, 0.0), &[0.0, 1.0, 0.0, -1.0 / 3.0, 0.0, 0.2]);
        near(terms(Function::Asin, 0.0), &[0.0, 1.0, 0.0, 1.0 / 6.0, 0.0, 3.0 / 40.0]);
        near(terms(Function::Asinh, 0.0), &[0.0, 1.0, 0.0, -1.0 / 6.0, 0.0, 3.0 / 40.0]);
        near(terms(Function::Atanh, 0.0), &[0.0, 1.0, 0.0, 1.0 / 3.0, 0.0, 0.2]);
        near(terms(Function::Cosh, 0.0), &[1.0, 0.0, 0.5, 0.0, 1.0 / 24.0]);
        near(terms(Function::Sigmoid, 0.0), &[0.5, 0.25, 0.0, -1.0 / 48.0]);
        let series = [std::f64::consts::LN_2, 0.5, 0.125, 0.0, -1.0 / 192.0];
        near(terms(Function::Softplus, 0.0), &series);
        near(terms(Function::Sqrt, 1.0), &[1.0, 0.5, -0.125, 0.0625]);
        near(terms(Function::Log, 1.0), &[0.0, 1.0, -0.5, 1.0 / 3.0]);
        near(terms(Function::Sinh, 0.0), &[0.0, 1.0, 0.0, 1.0 / 6.0]);
        near(terms(Function::ExpM1, 0.0), &[0.0, 1.0, 0.5]);
    }

    #[test]
    fn terms_over_a_range_contain_those_at_its_points() {
        let range = Interval::new(0.2, 0.3);
        for function in [Function::Exp, Function::Log, Function::Sqrt, Function::Tan, Function::Acos, Function::Log2] {
            let over = Jet::variable(range).apply(function).expect("a value");
            for at in [0.2, 0.25, 0.3] {
                let point = Jet::variable(Interval::point(at)).apply(function).expect("a value");
                for (wide, narrow) in over.terms.iter().zip(&point.terms) {
                    assert!(wide.lo() <= narrow.hi() && narrow.lo() <= wide.hi(), "{function:?} at {at}");
                }
            }
        }
    }

    #[test]
    fn where_something_is_not_smooth_nothing_is_known() {
        let over = |lo, hi, function| Jet::variable(Interval::new(lo, hi)).apply(function).expect("a value").smooth;
        assert!(!over(-1.0, 1.0, Function::Abs) && over(0.0, 1.0, Function::Abs));
        assert!(!over(0.0, 1.0, Function::Sqrt) && !over(0.0, 1.0, Function::Log));
        assert!(!over(-1.0, 1.0, Function::Relu) && !over(0.0, 2.0, Function::Asin));
        let zero = Jet::variable(Interval::new(-1.0, 1.0));
        assert!(!zero.reciprocal().smooth);
    }
}
