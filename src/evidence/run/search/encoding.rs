//! Numbers as the methods move them: in units of the spread of the starts, or by their logarithms.

use super::problem::{SearchProblem, Seen, Stop, Valued};
use super::space::Space;

/// A value and where it was found, or the end.
pub(super) type Placed = Result<Valued, Stop>;

/// A number between the representable extremes of an exponential.
const LARGEST_LOGARITHM: f64 = 700.0;

/// How one number is written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Code {
    /// As `base + unit u`.
    Linear { base: f64, unit: f64 },
    /// As `sign e^u`.
    Logarithm { sign: f64 },
}

/// The movable numbers of a space about a point, written so that a step of size one is a large one.
pub(super) struct Encoding {
    base: Vec<f64>,
    movable: Vec<usize>,
    codes: Vec<Code>,
    /// A point inside the hypotheses from which every point is moved out, or back, to where they end.
    centre: Option<Vec<f64>>,
}

impl Encoding {
    /// Sums: a step adds.
    pub(super) fn linear(space: &Space, about: &[f64], unit: f64) -> Self {
        let code = |i: usize| Code::Linear { base: about[i], unit: (unit * space.spread[i]).max(space.grid[i]) };
        Self::with(space, about, code)
    }

    /// Products: a step multiplies, and no number changes its sign.
    pub(super) fn logarithmic(space: &Space, about: &[f64]) -> Self {
        let code = |i: usize| {
            if space.grid[i] == 0.0 && about[i] != 0.0 {
                Code::Logarithm { sign: about[i].signum() }
            } else {
                Code::Linear { base: about[i], unit: space.spread[i].max(space.grid[i]) }
            }
        };
        Self::with(space, about, code)
    }

    fn with(space: &Space, about: &[f64], code: impl Fn(usize) -> Code) -> Self {
        Encoding {
            base: about.to_vec(),
            codes: space.movable.iter().map(|&i| code(i)).collect(),
            movable: space.movable.clone(),
            centre: None,
        }
    }

    /// Directions from a point inside the hypotheses: each stands for the last point along it where those are met.
    pub(super) fn radial(space: &Space, centre: &[f64]) -> Self {
        Encoding { centre: Some(centre.to_vec()), ..Self::linear(space, centre, 1.0) }
    }

    /// Whether points stand for directions.
    pub(super) fn is_radial(&self) -> bool {
        self.centre.is_some()
    }

    pub(super) fn dimension(&self) -> usize {
        self.movable.len()
    }

    /// The point in the methods' numbers.
    pub(super) fn encode(&self, point: &[f64]) -> Vec<f64> {
        let one = |(&i, code): (&usize, &Code)| match code {
            Code::Linear { base, unit } => (point[i] - base) / unit,
            Code::Logarithm { .. } => core_math::log(point[i].abs().max(f64::MIN_POSITIVE)),
        };
        self.movable.iter().zip(&self.codes).map(one).collect()
    }

    /// The point that belongs to the methods' numbers.
    pub(super) fn decode(&self, u: &[f64]) -> Vec<f64> {
        let mut point = self.base.clone();
        for ((&i, code), &u) in self.movable.iter().zip(&self.codes).zip(u) {
            point[i] = match code {
                Code::Linear { base, unit } => base + unit * u,
                Code::Logarithm { sign } => sign * core_math::exp(u.clamp(-LARGEST_LOGARITHM, LARGEST_LOGARITHM)),
            };
        }
        point
    }

    /// Slopes along the methods' numbers at a point, of those along the numbers themselves.
    pub(super) fn chained(&self, point: &[f64], slopes: &[f64]) -> Vec<f64> {
        let one = |((&i, code), slope): ((&usize, &Code), &f64)| match code {
            Code::Linear { unit, .. } => slope * unit,
            Code::Logarithm { .. } => slope * point[i],
        };
        self.movable.iter().zip(&self.codes).zip(slopes).map(one).collect()
    }

    /// The least step of a number that changes anything.
    pub(super) fn least_step(&self, space: &Space, index: usize) -> f64 {
        match self.codes[index] {
            Code::Logarithm { .. } => 0.0,
            Code::Linear { unit, .. } => space.grid[self.movable[index]] / unit,
        }
    }

    /// The value at a point in the methods' numbers.
    pub(super) fn value(&self, problem: &mut SearchProblem<'_, '_>, u: &[f64]) -> Seen {
        let point = self.decode(u);
        match &self.centre {
            None => problem.value(&point),
            Some(centre) => match problem.drawn_out(centre, &point) {
                Some(end) => problem.value(&end),
                None => Ok(f64::INFINITY),
            },
        }
    }

    /// The value there or, where there is none, at the last point on the way from `inside` where the hypotheses are met; and that point.
    pub(super) fn value_within(&self, problem: &mut SearchProblem<'_, '_>, inside: &[f64], u: &[f64]) -> Placed {
        let value = self.value(problem, u)?;
        if value.is_finite() || self.is_radial() {
            return Ok((value, u.to_vec()));
        }
        let from = self.decode(inside);
        let at = problem.restored(&self.decode(u));
        match problem.drawn_in(&from, &at) {
            Some(within) => Ok((problem.value(&within)?, self.encode(&within))),
            None => Ok((value, u.to_vec())),
        }
    }
}
