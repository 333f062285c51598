//! Iterates of Euler's scheme (12) on the sphere: errors, orbits and what is linear about a fixed point.

use enclosures::linear_algebra::IntervalMatrix;
use enclosures::vectors::{largest_magnitude, minus, norm, plus, points, sum_of_squares};
use evidence::prelude::*;
use linear_ssl::flow::{FlowError, euler_step};
use serde::{Deserialize, Serialize};

use crate::shared::flows::SphereStart;

/// A start and a step size.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "{start}, η = {step}", simpler = Self::with_simpler_starts, stored)]
pub struct EulerStart {
    #[instance(nested)]
    pub start: SphereStart,
    #[instance(range = "1e-6..=10", scale = "logarithmic")]
    pub step: f64,
}

impl EulerStart {
    fn with_simpler_starts(&self) -> Vec<Self> {
        let with = |start| EulerStart { start, step: self.step };
        self.start.simpler().into_iter().map(with).collect()
    }
}

impl EulerStart {
    pub fn steepest(&self) -> f64 {
        largest_magnitude(&self.start.spectrum)
    }

    /// η|λ|max.
    pub fn fraction(&self) -> f64 {
        self.step * self.steepest()
    }

    pub fn lowest_is_simple(&self) -> bool {
        let lowest = self.start.smallest();
        self.start.spectrum.iter().filter(|l| **l == lowest).count() == 1
    }

    /// |e₁ᵀq₀| > ‖q₀‖/1000 for the first place of the lowest eigenvalue.
    pub fn sees_lowest(&self) -> bool {
        let lowest = self.start.smallest();
        let place = self.start.spectrum.iter().position(|l| *l == lowest).unwrap_or(0);
        let squares: f64 = sum_of_squares(&self.start.direction);
        let x = self.start.direction[place];
        self.start.touches(place) && x * x > 1e-6 * squares
    }

    /// q₀ = ±e_j.
    pub fn is_on_an_axis(&self) -> bool {
        self.start.squared_norm == 1.0 && self.start.direction.iter().filter(|x| **x != 0.0).count() == 1
    }

    pub fn spectrum(&self) -> Vec<Interval> {
        points(&self.start.spectrum)
    }

    pub fn column(&self) -> Result<IntervalMatrix, FlowError> {
        let q = self.start.position();
        Ok(IntervalMatrix::new(q.len(), 1, q)?)
    }
}

/// ‖q(η) − q₁‖, the exact solution against one step.
pub fn one_step(e: &EulerStart) -> Result<Interval, FlowError> {
    let exact = e.start.flow()?.at_time(e.step)?.position();
    let step = euler_step(&e.spectrum(), &e.column()?, Interval::point(e.step))?;
    Ok(norm(&minus(&exact, step.entries())))
}

const HALVINGS: usize = 4;

/// Global errors at t = ½/|λ|max with 64, 128, 256, 512 steps, enclosed.
pub fn global_errors(start: &SphereStart) -> Result<Vec<Interval>, FlowError> {
    let e = EulerStart { start: start.clone(), step: 1.0 };
    // A power of two times the exact time keeps the steps exact.
    let time = 0.5 / e.steepest().max(1e-3);
    let exact = start.flow()?.at_time(time)?.position();
    let error = |k: usize| -> Result<Interval, FlowError> {
        let count = 64usize << k;
        let (eta, spectrum) = (Interval::point(time / count as f64), e.spectrum());
        let mut q = e.column()?;
        for _ in 0..count {
            q = euler_step(&spectrum, &q, eta)?;
        }
        Ok(norm(&minus(&exact, q.entries())))
    };
    (0..HALVINGS).map(error).collect()
}

/// η|λ|max with the fewest steps; it is halved with each number of steps.
const COARSEST: f64 = 0.5 / 64.0;

/// Every error is at most `constant`·η|λ|max.
pub fn first_order(errors: &[Interval], constant: f64) -> Evaluation {
    let one = |(k, &error): (usize, &Interval)| {
        let fraction = COARSEST / f64::from(1u32 << k);
        (format!("η|λ|max = {fraction}"), at_most(error, exact(fraction) * constant))
    };
    all_of(errors.iter().enumerate().map(one))
}

/// The error with the most steps is at most 2^{−5.4} of that with the fewest, an eighth of the steps.
pub fn nearly_second_order(errors: &[Interval]) -> Evaluation {
    let (Some(&coarse), Some(&fine)) = (errors.first(), errors.last()) else {
        return Evaluation::Failed("no errors".into());
    };
    at_most(fine, (Enclosure::ln_2() * -5.4).exp() * Enclosure::from(coarse))
}

/// A rounded orbit: where it is after many steps, the largest ‖q‖ seen, and how far apart its last two points are.
pub struct Orbit {
    end: Vec<f64>,
    pub largest: f64,
    last_move: f64,
}

const LONG: usize = 10_000;

pub fn orbit(e: &EulerStart) -> Orbit {
    let mut q: Vec<f64> = e.start.position().iter().map(|x| x.midpoint()).collect();
    let (mut largest, mut last_move) = (norm(&q), 0.0);
    for _ in 0..LONG {
        let rho: f64 = sum_of_squares(&q);
        let energy: f64 = q.iter().zip(&e.start.spectrum).map(|(x, l)| l * x * x).sum();
        let moved = |(x, l): (&f64, &f64)| -2.0 * e.step * ((2.0 - rho) * l * x - energy * x);
        let change: Vec<f64> = q.iter().zip(&e.start.spectrum).map(moved).collect();
        last_move = norm(&change);
        q = plus(&q, &change);
        largest = largest.max(norm(&q));
        if largest.is_nan() || largest > 1e100 {
            largest = f64::INFINITY;
            break;
        }
    }
    Orbit { end: q, largest, last_move }
}

/// The distance of the orbit's end to the limit of the flow, infinite after an overflow.
pub fn misses(e: &EulerStart, o: &Orbit) -> Result<Evaluation, FlowError> {
    // Only from there does the flow tend to ±e₁.
    if axis(e).is_some_and(|k| !e.lowest_is_simple() || !e.start.touches(k)) {
        return Ok(vacuous("the limit under (10) is neither e₁ nor −e₁"));
    }
    if o.largest.is_infinite() {
        return Ok(at_most(Enclosure::measured(f64::MAX), exact(0.001)).noting("overflow"));
    }
    let limit = match axis(e) {
        Some(k) => {
            let sign = e.start.direction[k].signum();
            let entry = |j: usize| if j == k { sign } else { 0.0 };
            (0..e.start.spectrum.len()).map(|j| Interval::point(entry(j))).collect()
        }
        None => e.start.flow()?.limit().position(),
    };
    let end = points(&o.end);
    let note = format!("largest ‖q‖ {:.3}, last move {:.1e}", o.largest, o.last_move);
    let off = Enclosure::from(norm(&minus(&limit, &end))).as_measured();
    Ok(at_most(off, exact(0.001)).noting(note))
}

/// The Jacobian of the step at a fixed point on an axis, in closed form: the eigenvalue along the axis, and the others.
pub fn multipliers(e: &EulerStart, at: Option<usize>) -> Vec<Interval> {
    let eta = Interval::point(e.step);
    let l = e.spectrum();
    (0..l.len())
        .map(|j| match at {
            None => Interval::ONE - eta * l[j] * 4.0,
            Some(k) if k == j => Interval::ONE + eta * l[k] * 8.0,
            Some(k) => Interval::ONE - eta * (l[j] - l[k]) * 2.0,
        })
        .collect()
}

/// Entry (i, j) of the Jacobian at s·e_k (or 0): the step is cubic, so f′(0) = (8(f(1)−f(−1)) − (f(2)−f(−2)))/12 is exact.
fn jacobian(e: &EulerStart, at: Option<usize>) -> Result<IntervalMatrix, FlowError> {
    let d = e.start.spectrum.len();
    let stepped = |j: usize, by: f64| -> Result<IntervalMatrix, FlowError> {
        let point = |i: usize| f64::from(u8::from(at == Some(i))) + if i == j { by } else { 0.0 };
        let q = IntervalMatrix::new(d, 1, (0..d).map(|i| Interval::point(point(i))).collect())?;
        euler_step(&e.spectrum(), &q, Interval::point(e.step))
    };
    let mut columns = Vec::new();
    for j in 0..d {
        let near = stepped(j, 1.0)?.minus(&stepped(j, -1.0)?)?.scaled(8.0);
        let far = stepped(j, 2.0)?.minus(&stepped(j, -2.0)?)?;
        columns.push(near.minus(&far)?.scaled(Interval::ONE / 12.0));
    }
    Ok(IntervalMatrix::from_fn(d, d, |i, j| columns[j].at(i, 0))?)
}

/// The place of the lowest eigenvalue if it is negative: the limit is that axis; else zero is the limit.
pub fn axis(e: &EulerStart) -> Option<usize> {
    let lowest = e.start.smallest();
    (lowest < 0.0).then(|| e.start.spectrum.iter().position(|l| *l == lowest).unwrap_or(0))
}

/// The Jacobian at the limit is diagonal with the closed-form entries.
pub fn jacobian_is(e: &EulerStart) -> Result<Evaluation, FlowError> {
    let found = jacobian(e, axis(e))?;
    let diagonal = multipliers(e, axis(e));
    let d = diagonal.len();
    let closed = IntervalMatrix::from_fn(d, d, |i, j| if i == j { diagonal[i] } else { Interval::ZERO })?;
    Ok(crate::shared::orthonormal_network::entries_agree(&found, &closed, 1.0 + 32.0 * e.fraction()))
}

/// All multipliers but those of other places of the lowest eigenvalue inside the unit circle, by so much that 10000 steps are many.
pub fn attracts(e: &EulerStart) -> bool {
    let (place, l) = (axis(e), &e.start.spectrum);
    let ties = |j: usize| place.is_some_and(|k| k != j && l[j] == l[k]);
    let all = multipliers(e, place);
    all.iter().enumerate().all(|(j, m)| ties(j) || m.magnitude() < 0.98)
}

/// n samples with x = x⁺ = 1 and x⁻ = 0, so that C = −n by (7), one output, η = 1/100, and the start q₀ of at least 1/100.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "C = −{count}, η = 0.01, q₀ = {start}", stored)]
pub struct EqualSamples {
    #[instance(range = "1..=1000")]
    pub count: u32,
    #[instance(range = "0.01..=1", scale = "logarithmic")]
    pub start: f64,
}

impl EqualSamples {
    /// q after 10000 steps, enclosed: q ↦ q + 4aq(1 − q²) with a = n/100. The mean value form f(m) + f′(I)(I − m) keeps the enclosure narrow
    /// wherever the orbit is attracted, be it by the limit or by a cycle.
    pub fn after_many(&self) -> Interval {
        let four = Interval::point(f64::from(self.count)) * 4.0 / 100.0;
        let step = |q: Interval| q + four * q * (Interval::ONE - q.square());
        let slope = |q: Interval| Interval::ONE + four * (Interval::ONE - q.square() * 3.0);
        (0..LONG).fold(Interval::point(self.start), |q, _| {
            let middle = Interval::point(q.midpoint());
            step(middle) + slope(q) * (q - middle)
        })
    }
}
