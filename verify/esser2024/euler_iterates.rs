//! Iterates of Euler's scheme (12) on the sphere: errors, orbits and what is linear about a fixed point.

use contrapositive::claim::{Evaluation, at_most, vacuous};
use contrapositive::enclosure::Enclosure;
use contrapositive::flow::{FlowError, euler_step};
use contrapositive::instance::Instance;
use contrapositive::interval::Interval;
use contrapositive::linear_algebra::IntervalMatrix;
use serde::{Deserialize, Serialize};

use super::flows::{SphereStart, length, points};

/// A start and a step size.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EulerStart {
    pub start: SphereStart,
    pub step: f64,
}

impl Instance for EulerStart {
    fn describe(&self) -> String {
        format!("{}, η = {}", self.start.describe(), self.step)
    }

    fn validate(&self) -> Result<(), String> {
        self.start.validate()?;
        if self.step.is_nan() || !(1e-6..=10.0).contains(&self.step) {
            return Err(format!("η = {}", self.step));
        }
        Ok(())
    }

    fn simpler(&self) -> Vec<Self> {
        let with = |start| EulerStart { start, step: self.step };
        self.start.simpler().into_iter().map(with).collect()
    }
}

impl EulerStart {
    pub fn steepest(&self) -> f64 {
        self.start.spectrum.iter().fold(0.0, |m: f64, l| m.max(l.abs()))
    }

    /// η|λ|max.
    pub fn fraction(&self) -> f64 {
        self.step * self.steepest()
    }

    pub fn spectrum(&self) -> Vec<Interval> {
        points(&self.start.spectrum)
    }

    pub fn column(&self) -> Result<IntervalMatrix, FlowError> {
        let q = self.start.position();
        Ok(IntervalMatrix::new(q.len(), 1, q)?)
    }
}

pub fn apart(a: &[Interval], b: &[Interval]) -> Interval {
    length(&a.iter().zip(b).map(|(&x, &y)| x - y).collect::<Vec<_>>())
}

/// ‖q(η) − q₁‖, the exact solution against one step.
pub fn one_step(e: &EulerStart) -> Result<Interval, FlowError> {
    let exact = e.start.flow()?.at_time(e.step)?.position();
    let step = euler_step(&e.spectrum(), &e.column()?, Interval::point(e.step))?;
    Ok(apart(&exact, step.entries()))
}

const HALVINGS: usize = 4;

/// Global errors at t = ½/|λ|max with 64, 128, 256, 512 steps, enclosed.
pub fn global_errors(start: &SphereStart) -> Result<Vec<Interval>, FlowError> {
    let e = EulerStart {
        start: start.clone(),
        step: 1.0,
    };
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
        Ok(apart(&exact, q.entries()))
    };
    (0..HALVINGS).map(error).collect()
}

/// The errors fall at least like η^power from the largest step to the smallest.
pub fn order(errors: &[Interval], power: f64) -> Evaluation {
    let (Some(&coarse), Some(&fine)) = (errors.first(), errors.last()) else {
        return Evaluation::Failed("no errors".into());
    };
    if coarse.hi() < 1e-6 {
        return vacuous("the start hardly moves");
    }
    let factor = (Enclosure::ln_2() * (-power * (HALVINGS - 1) as f64)).exp();
    let shown: Vec<String> = errors.iter().map(|x| format!("{:.1e}", x.midpoint())).collect();
    at_most(fine, factor * Enclosure::from(coarse))
        .as_trend()
        .noting(format!("errors {}", shown.join(", ")))
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
    let norm = |q: &[f64]| q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (mut largest, mut last_move) = (norm(&q), 0.0);
    for _ in 0..LONG {
        let rho: f64 = q.iter().map(|x| x * x).sum();
        let energy: f64 = q.iter().zip(&e.start.spectrum).map(|(x, l)| l * x * x).sum();
        let moved = |(x, l): (&f64, &f64)| -2.0 * e.step * ((2.0 - rho) * l * x - energy * x);
        let change: Vec<f64> = q.iter().zip(&e.start.spectrum).map(moved).collect();
        last_move = norm(&change);
        q = q.iter().zip(&change).map(|(x, v)| x + v).collect();
        largest = largest.max(norm(&q));
        if largest.is_nan() || largest > 1e100 {
            largest = f64::INFINITY;
            break;
        }
    }
    Orbit {
        end: q,
        largest,
        last_move,
    }
}

/// The distance of the orbit's end to the limit of the flow, infinite after an overflow.
pub fn misses(e: &EulerStart, o: &Orbit) -> Result<Evaluation, FlowError> {
    if o.largest.is_infinite() {
        return Ok(at_most(f64::MAX, 0.001).as_trend().noting("overflow"));
    }
    let limit = e.start.flow()?.limit().position();
    let end = points(&o.end);
    let note = format!("largest ‖q‖ {:.3}, last move {:.1e}", o.largest, o.last_move);
    Ok(at_most(apart(&limit, &end).midpoint(), 0.001).as_trend().noting(note))
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
    Ok(IntervalMatrix::from_fn(d, d, |i, j| {
        columns[j].get(i, 0).unwrap_or(Interval::ENTIRE)
    })?)
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
    Ok(super::orthonormal_network::entries_agree(
        &found,
        &closed,
        1.0 + 32.0 * e.fraction(),
    ))
}

/// All multipliers clearly inside the unit circle.
pub fn attracts(e: &EulerStart) -> bool {
    let inside = |m: &Interval| m.magnitude() < 0.98;
    multipliers(e, axis(e)).iter().all(inside)
}

/// Starts that see the lowest eigenvalue, off the sphere, whose limit the theorem has right.
pub fn is_plain(e: &EulerStart) -> bool {
    let s = &e.start;
    let sees = s.lowest_touched() == Some(s.smallest());
    let simple = s.spectrum.iter().filter(|l| **l == s.smallest()).count() == 1;
    let clear = s
        .direction
        .iter()
        .zip(&s.spectrum)
        .all(|(x, l)| *l != s.smallest() || x.abs() > 1e-3);
    sees && simple && clear && s.squared_norm > 1e-6 && s.squared_norm <= 0.99
}
