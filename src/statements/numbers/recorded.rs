//! Enclosures that leave a trace of how they were computed, so that a search can ask for the slopes of a statement.

use enclosures::enclosure::{self, Enclosure};
use enclosures::interval::Interval;

use super::number::{Enclosed, Grid, NamedConstant, Number, Real, Undefined};
use crate::text::syntax::Literal;
use crate::text::words::Function;

/// A number enclosed twice: by what decides whether it is defined, and by operations that a recording sees.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    known: Enclosed,
    traced: Enclosure,
}

impl Recorded {
    /// The enclosure with its trace; none where the number is not defined for certain.
    pub(crate) fn enclosure(&self) -> Option<Enclosure> {
        self.known.defined.then_some(self.traced)
    }

    /// A number that enters as it is: a constant, or what no operation on enclosures gives.
    fn entering(known: Enclosed) -> Self {
        Recorded { traced: known.value.into(), known }
    }

    fn of(known: Enclosed, traced: impl FnOnce() -> Enclosure) -> Self {
        Recorded { traced: traced(), known }
    }
}

fn known(matrix: &Grid<Recorded>) -> Grid<Enclosed> {
    Grid {
        rows: matrix.rows,
        columns: matrix.columns,
        entries: matrix.entries.iter().map(|entry| entry.known).collect(),
    }
}

impl Real for Recorded {
    fn within(interval: Interval) -> Self {
        Recorded::entering(Real::within(interval))
    }
}

impl Number for Recorded {
    fn whole(x: i64) -> Self {
        Recorded::entering(Number::whole(x))
    }

    fn double(x: f64) -> Self {
        Recorded::entering(Number::double(x))
    }

    fn literal(literal: Literal) -> Self {
        Recorded::entering(Number::literal(literal))
    }

    fn constant(constant: NamedConstant) -> Self {
        Recorded::entering(Number::constant(constant))
    }

    fn is_zero(&self) -> bool {
        self.known.is_zero()
    }

    fn plus(self, other: Self) -> Self {
        Recorded::of(self.known.plus(other.known), || self.traced + other.traced)
    }

    fn minus(self, other: Self) -> Self {
        Recorded::of(self.known.minus(other.known), || self.traced - other.traced)
    }

    fn times(self, other: Self) -> Self {
        Recorded::of(self.known.times(other.known), || self.traced * other.traced)
    }

    fn over(self, other: Self) -> Result<Self, Undefined> {
        let known = self.known.over(other.known)?;
        Ok(Recorded::of(known, || self.traced / other.traced))
    }

    fn negated(self) -> Self {
        Recorded::of(self.known.negated(), || -self.traced)
    }

    fn whole_power(self, exponent: i64) -> Result<Self, Undefined> {
        let known = self.known.whole_power(exponent)?;
        Ok(Recorded::of(known, || self.traced.powi(exponent)))
    }

    fn real_power(self, exponent: Self) -> Result<Self, Undefined> {
        let (base, power) = (self.known.value, exponent.known.value);
        let known = self.known.real_power(exponent.known)?;
        let whole = power.lo();
        if power.hi() == whole && whole.fract() == 0.0 && whole.abs() <= 1e15 {
            return Ok(Recorded::of(known, || self.traced.powi(whole as i64)));
        }
        if base.lo() <= 0.0 {
            return Ok(Recorded::entering(known));
        }
        Ok(Recorded::of(known, || (exponent.traced * self.traced.ln()).exp()))
    }

    fn apply(self, function: Function) -> Result<Self, Undefined> {
        let known = self.known.apply(function)?;
        let is_traced = !matches!(
            function,
            Function::Floor
                | Function::Ceiling
                | Function::Sign
                | Function::CubeRoot
                | Function::Erf
                | Function::ErrorComplement
        );
        if !(known.defined && is_traced) {
            return Ok(Recorded::entering(known));
        }
        let x = self.traced;
        Ok(Recorded::of(known, || match function {
            Function::Exp => x.exp(),
            Function::ExpM1 => x.exp_m1(),
            Function::Log => x.ln(),
            Function::Log1p => x.ln_1p(),
            Function::Log2 => x.log2(),
            Function::Log10 => x.ln() / enclosure::exact(10.0).ln(),
            Function::Sqrt => x.sqrt(),
            Function::Abs => x.abs(),
            Function::Sin => x.sin(),
            Function::Cos => x.cos(),
            Function::Tan => x.tan(),
            Function::Asin => x.asin(),
            Function::Acos => x.acos(),
            Function::Atan => x.atan(),
            Function::Sinh => x.sinh(),
            Function::Cosh => x.cosh(),
            Function::Tanh => x.tanh(),
            Function::Asinh => x.asinh(),
            Function::Acosh => x.acosh(),
            Function::Atanh => x.atanh(),
            Function::Sigmoid => x.sigmoid(),
            Function::Softplus => x.softplus(),
            Function::Relu => x.max(enclosure::exact(0.0)),
            Function::Floor
            | Function::Ceiling
            | Function::Sign
            | Function::CubeRoot
            | Function::Erf
            | Function::ErrorComplement => known.value.into(),
        }))
    }

    fn larger(self, other: Self) -> Self {
        Recorded::of(self.known.larger(other.known), || self.traced.max(other.traced))
    }

    fn times_its_logarithm(self) -> Result<Self, Undefined> {
        let inside = self.known.value.lo() > 0.0;
        let known = self.known.times_its_logarithm()?;
        if inside { Ok(Recorded::of(known, || self.traced * self.traced.ln())) } else { Ok(Recorded::entering(known)) }
    }

    fn log_sum_exp(terms: Vec<Self>) -> Self {
        let (known, traced): (Vec<Enclosed>, Vec<Enclosure>) = terms.into_iter().map(|t| (t.known, t.traced)).unzip();
        Recorded::of(Number::log_sum_exp(known), || enclosure::log_sum_exp(&traced))
    }

    fn enclosing(interval: Interval) -> Option<Self> {
        Some(Real::within(interval))
    }

    fn eigenvalues(matrix: &Grid<Self>) -> Result<Vec<Self>, Undefined> {
        let found = Enclosed::eigenvalues(&known(matrix))?;
        Ok(found.into_iter().map(Recorded::entering).collect())
    }

    fn operator_norm(matrix: &Grid<Self>) -> Result<Self, Undefined> {
        Enclosed::operator_norm(&known(matrix)).map(Recorded::entering)
    }

    fn singular_values(matrix: &Grid<Self>) -> Result<Vec<Self>, Undefined> {
        let found = Enclosed::singular_values(&known(matrix))?;
        Ok(found.into_iter().map(Recorded::entering).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use enclosures::formula::recorded;
    use evidence::claim::Evaluation;

    use crate::instances::assignment::{Assignment, Raw};
    use crate::instances::compare::{judged, room};
    use crate::instances::statement::{Statement, Texts};

    /// The slopes of the margin along the numbers of a vector `x`, as a search is told them, and the margin.
    fn told(statement: &Statement, x: &[f64]) -> (Vec<f64>, f64) {
        let assignment =
            Assignment { declarations: Arc::clone(&statement.declarations), values: vec![Raw::List(x.to_vec())] };
        let (evaluation, formula) = recorded(1 << 16, || judged(&statement.chain, &assignment));
        let Evaluation::Compared(comparison) = evaluation else {
            panic!("{evaluation:?}");
        };
        let Evaluation::Compared(plain) = judged(&statement.chain, &assignment) else {
            panic!("it was judged a moment ago");
        };
        let (traced, plain) = (comparison.margin.interval(), plain.margin.interval());
        assert!(traced.intersection(plain).is_some(), "{traced:?} {plain:?}");
        let slopes = formula.slopes(comparison.margin).unwrap();
        let along = |x: &f64| slopes.iter().find(|(y, _)| y == x).map_or(0.0, |(_, slope)| *slope);
        (x.iter().map(along).collect(), traced.midpoint())
    }

    #[test]
    fn slopes_are_differences_of_margins() {
        // Every function and every kind of operation, where it is smooth.
        let formulas = [
            "0 <= exp(x[1]) + expm1(x[2]) * log(x[3]) - log1p(x[1]) / log2(x[2]) + log10(x[3])",
            "x[1]^3 + x[2]^(-2) >= x[3]^0.5 + x[1]^x[2] - sqrt(x[2])",
            "sin(x[1]) + cos(x[2]) * tan(x[3]) <= asin(x[1]) + acos(x[2]) - atan(x[3])",
            "sinh(x[1]) + cosh(x[2]) * tanh(x[3]) <= asinh(x[1]) + acosh(1 + x[2]) - atanh(x[3])",
            "sigmoid(x[1]) + softplus(x[2]) + relu(x[3]) + abs(-x[1]) <= lse(x) + max(x) + entropy(x / sum(x))",
            "norm(x) + dot(x, x) <= prod(i in 1..3, x[i]) + mean(i in 1..3, 1 / x[i])",
        ];
        let at = [0.21, 0.37, 0.53];
        for formula in formulas {
            let statement = Statement::read(&Texts::of(formula).ranging("x in R^3")).unwrap();
            let (slopes, _) = told(&statement, &at);
            for (place, slope) in slopes.iter().enumerate() {
                let moved = |step: f64| {
                    let mut there = at;
                    there[place] += step;
                    told(&statement, &there).1
                };
                let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                assert!((slope - difference).abs() < 1e-7 * slope.abs().max(1.0), "{formula}: {slope} {difference}");
            }
        }
    }

    #[test]
    fn what_is_undefined_stays_so_and_what_is_not_traced_has_no_slope() {
        let statement = Statement::read(&Texts::of("log(x[1]) <= 1").ranging("x in R^1")).unwrap();
        let assignment =
            Assignment { declarations: Arc::clone(&statement.declarations), values: vec![Raw::List(vec![-1.0])] };
        let (evaluation, _) = recorded(100, || judged(&statement.chain, &assignment));
        assert!(matches!(evaluation, Evaluation::Vacuous { .. }), "{evaluation:?}");
        assert!(room(&statement.chain, &assignment.lifted().unwrap()).is_none());
    }
}
