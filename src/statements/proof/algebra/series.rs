//! Power series to a number of terms, in numbers of any kind: in closed form at a point, or in enclosures over a range, by the recurrences of Moore.

use crate::numbers::number::{NamedConstant, Number, Real, Undefined};
use crate::text::words::Function;

/// The coefficients, the constant first.
#[derive(Clone, Debug)]
pub(super) struct Series<N>(pub(super) Vec<N>);

type Made<N> = Result<Series<N>, Undefined>;

fn total<N: Number>(terms: impl Iterator<Item = N>) -> N {
    terms.reduce(N::plus).unwrap_or_else(|| N::whole(0))
}

impl<N: Number + Real> Series<N> {
    pub(super) fn constant(value: N, count: usize) -> Self {
        let mut terms = vec![N::whole(0); count];
        terms[0] = value;
        Series(terms)
    }

    fn each(&self, other: &Self, f: impl Fn(N, N) -> N) -> Self {
        Series(self.0.iter().cloned().zip(other.0.iter().cloned()).map(|(a, b)| f(a, b)).collect())
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        self.each(other, N::plus)
    }

    pub(super) fn negated(&self) -> Self {
        Series(self.0.iter().cloned().map(N::negated).collect())
    }

    fn scaled(&self, by: &N) -> Self {
        Series(self.0.iter().map(|a| a.clone().times(by.clone())).collect())
    }

    fn shifted(mut self, by: i64) -> Self {
        self.0[0] = self.0[0].clone().plus(N::whole(by));
        self
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let count = self.0.len().min(other.0.len());
        let term = |k: usize| total((0..=k).map(|j| self.0[j].clone().times(other.0[k - j].clone())));
        Series((0..count).map(term).collect())
    }

    pub(super) fn over(&self, other: &Self) -> Made<N> {
        let mut found: Vec<N> = Vec::new();
        for k in 0..self.0.len().min(other.0.len()) {
            let known = (0..k).map(|j| found[j].clone().times(other.0[k - j].clone()));
            let rest = known.fold(self.0[k].clone(), N::minus);
            found.push(rest.over(other.0[0].clone())?);
        }
        Ok(Series(found))
    }

    fn reciprocal(&self) -> Made<N> {
        Series::constant(N::whole(1), self.0.len()).over(self)
    }

    /// `Σ j u_j s_(k − j) / k` of the slope `s` along `u`: the k-th term of what has that slope.
    fn integral(&self, slope: &[N], k: usize) -> Made<N> {
        let weighted = (1..=k).map(|j| N::whole(j as i64).times(self.0[j].clone()).times(slope[k - j].clone()));
        Ok(Series(vec![total(weighted).over(N::whole(k as i64))?]))
    }

    /// The function of `self` with this value and this slope.
    fn through(&self, value: N, slope: &Self) -> Made<N> {
        let mut found = vec![value];
        for k in 1..self.0.len() {
            found.extend(self.integral(&slope.0, k)?.0);
        }
        Ok(Series(found))
    }

    fn exponential(&self) -> Made<N> {
        let mut found = vec![self.0[0].clone().apply(Function::Exp)?];
        for k in 1..self.0.len() {
            let next = self.integral(&found, k)?.0;
            found.extend(next);
        }
        Ok(Series(found))
    }

    /// Sine and cosine, or their hyperbolic namesakes.
    fn waves(&self, [sine, cosine]: [Function; 2], sign: i64) -> Result<[Self; 2], Undefined> {
        let value = |f| self.0[0].clone().apply(f);
        let (mut sine, mut cosine) = (vec![value(sine)?], vec![value(cosine)?]);
        for k in 1..self.0.len() {
            let along = |of: &[N]| self.integral(of, k);
            let (next, other) = (along(&cosine)?.0, along(&sine)?.scaled(&N::whole(sign)).0);
            sine.extend(next);
            cosine.extend(other);
        }
        Ok([Series(sine), Series(cosine)])
    }

    /// A power whose exponent is a number: `k u₀ h_k = Σ (p j − (k − j)) u_j h_(k − j)`.
    pub(super) fn power(&self, exponent: &N) -> Made<N> {
        let mut found = vec![self.0[0].clone().real_power(exponent.clone())?];
        for k in 1..self.0.len() {
            let term = |j: usize| {
                let weight = exponent.clone().times(N::whole(j as i64)).minus(N::whole((k - j) as i64));
                weight.times(self.0[j].clone()).times(found[k - j].clone())
            };
            let sum = total((1..=k).map(term));
            found.push(sum.over(self.0[0].clone().times(N::whole(k as i64)))?);
        }
        Ok(Series(found))
    }

    fn root(&self) -> Made<N> {
        self.power(&N::whole(1).over(N::whole(2))?)
    }

    fn square(&self) -> Self {
        let mut square = self.times(self);
        if let Ok(value) = self.0[0].clone().whole_power(2) {
            square.0[0] = value;
        }
        square
    }

    pub(super) fn applied(&self, function: Function) -> Made<N> {
        let value = || self.0[0].clone().apply(function);
        let rest = || self.square().negated().shifted(1);
        let circular = || self.waves([Function::Sin, Function::Cos], -1);
        let hyperbolic = || self.waves([Function::Sinh, Function::Cosh], 1);
        match function {
            Function::Exp => self.exponential(),
            Function::ExpM1 => {
                let mut found = self.exponential()?;
                found.0[0] = value()?;
                Ok(found)
            }
            Function::Log => self.through(value()?, &self.reciprocal()?),
            Function::Log1p => self.through(value()?, &self.clone().shifted(1).reciprocal()?),
            Function::Sqrt => self.root(),
            Function::Sin => Ok(circular()?[0].clone()),
            Function::Cos => Ok(circular()?[1].clone()),
            Function::Tan => {
                let [sine, cosine] = circular()?;
                sine.over(&cosine)
            }
            Function::Asin => self.through(value()?, &rest().root()?.reciprocal()?),
            Function::Acos => self.through(value()?, &rest().root()?.reciprocal()?.negated()),
            Function::Atan => self.through(value()?, &self.square().shifted(1).reciprocal()?),
            Function::Sinh => Ok(hyperbolic()?[0].clone()),
            Function::Cosh => Ok(hyperbolic()?[1].clone()),
            Function::Tanh => {
                let [sine, cosine] = hyperbolic()?;
                sine.over(&cosine)
            }
            Function::Asinh => self.through(value()?, &self.square().shifted(1).root()?.reciprocal()?),
            Function::Atanh => self.through(value()?, &rest().reciprocal()?),
            Function::Sigmoid => {
                let decayed = self.negated().exponential()?;
                decayed.shifted(1).reciprocal()
            }
            Function::Softplus => {
                let grown = self.exponential()?.shifted(1);
                grown.through(grown.0[0].clone().apply(Function::Log)?, &grown.reciprocal()?)
            }
            Function::Erf | Function::ErrorComplement => {
                let share = N::whole(if function == Function::Erf { 2 } else { -2 });
                let factor = share.over(N::constant(NamedConstant::Pi).apply(Function::Sqrt)?)?;
                self.through(value()?, &self.square().negated().exponential()?.scaled(&factor))
            }
            _ => Err(Undefined::Unsupported("a series of this function")),
        }
    }
}
