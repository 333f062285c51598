//! Projected gradient descent (11) and Euler's scheme (12) from the same network, and the flows that they follow.

use enclosures::initial_value::Solution;
use enclosures::linear_algebra::{IntervalMatrix, Matrix, Retraction};
use enclosures::vectors::sum_of_squares;
use evidence::prelude::*;
use linear_ssl::flow::{FlowError, OutputFlow, euler_step, projected_descent_outputs, projected_descent_step};

use crate::shared::orthonormal_network::{self, OrthonormalNetwork, Weights, inner};
use crate::shared::second_integration::{GRADIENT, NINE, agrees, followed};

/// Steps to t = ½/|λ|max, and the number of halvings of η after the first.
const FEWEST: usize = 8;
pub const HALVINGS: usize = 2;

/// Distances below this are small against the difference of the flows, and too small for a fitted power.
const SMALL: f64 = 2e-3;

pub fn distance(a: &IntervalMatrix, b: &IntervalMatrix) -> Result<Interval, MeasureError> {
    Ok(a.minus(b)?.frobenius_norm())
}

/// Tr(qᵀΛq).
fn energy(w: &Weights, q: &IntervalMatrix) -> Interval {
    let rows = q.row_iter().zip(&w.spectrum);
    rows.map(|(row, &l)| sum_of_squares(row) * l).sum()
}

/// What was seen with one η.
pub struct SchemesSeen {
    /// The largest distance of (11), with QR, to (12) at the times of the coarsest grid.
    pub qr: Interval,
    /// Where (11), polar, and (12) are at the end.
    pub descent: IntervalMatrix,
    pub euler: IntervalMatrix,
}

/// Both schemes in the eigenbasis, with which the polar step commutes; QR is read there.
pub fn schemes(network: &OrthonormalNetwork) -> Result<Vec<SchemesSeen>, MeasureError> {
    let w = network.weights()?;
    let c: IntervalMatrix = Matrix::diagonal(&network.spectrum)?.into();
    let time = 0.5 / w.steepest;
    let run = |k: usize| -> Result<SchemesSeen, MeasureError> {
        let count = FEWEST << k;
        let eta = Interval::point(time) / count as f64;
        let (mut euler, mut descent, mut qr) = (w.q.clone(), w.q.clone(), w.q.clone());
        let mut far = Interval::ZERO;
        for step in 1..=count {
            euler = euler_step(&w.spectrum, &euler, eta)?;
            descent = projected_descent_outputs(&c, &descent, eta, Retraction::Polar)?;
            qr = projected_descent_outputs(&c, &qr, eta, Retraction::Qr)?;
            if step.is_multiple_of(count / FEWEST) {
                far = far.max(distance(&qr, &euler)?);
            }
        }
        Ok(SchemesSeen { qr: far, descent, euler })
    };
    (0..=HALVINGS).map(run).collect()
}

/// Where (9) and the gradient flow are at t = ½/|λ|max.
pub struct Flows {
    pub nine: IntervalMatrix,
    pub gradient: IntervalMatrix,
    pub apart: Interval,
    /// Their losses, and Σ|λ|.
    pub losses: [Interval; 2],
    pub scale: f64,
    /// Both once more by a solver with error control.
    pub solved: [Solution; 2],
}

pub fn flows(network: &OrthonormalNetwork) -> Result<Flows, MeasureError> {
    let w = network.weights()?;
    let time = 0.5 / w.steepest;
    let end = |flow: OutputFlow| flow.followed(&w.q, time, w.steps(time));
    let nine = end(OutputFlow::printed(network.spectrum.clone())?)?;
    let gradient = end(OutputFlow::stiefel(network.spectrum.clone())?)?;
    Ok(Flows {
        apart: distance(&nine, &gradient)?,
        losses: [energy(&w, &nine), energy(&w, &gradient)],
        scale: network.spectrum.iter().map(|l| l.abs()).sum(),
        solved: [followed(&w, NINE, time)?, followed(&w, GRADIENT, time)?],
        nine,
        gradient,
    })
}

impl Flows {
    /// The enclosures against the solver's orbits, in this order.
    pub fn solved_as(&self, [nine, gradient]: [usize; 2]) -> Evaluation {
        all_of([
            ("(9)", agrees(&self.solved[nine], &self.nine)),
            ("gradient flow", agrees(&self.solved[gradient], &self.gradient)),
        ])
    }

    /// The loss of (9) is at least that of the gradient flow. Orbits are enclosed to about 1e-7, and so is what counts as a tie.
    pub fn slower(&self) -> Evaluation {
        at_least(self.losses[0], self.losses[1]).on_scale_of("1000Σ|λ_i|", 1e3 * self.scale)
    }
}

/// Why two distances say nothing.
pub const NO_ROOM: &str = "the distance is below 1/500 already at the largest η";

/// Distances that fall at least like η^0.8 from the largest to the smallest η. This is no fit: the distances are enclosed, and two of
/// them are compared.
pub fn vanish(values: &[Interval]) -> Evaluation {
    let (Some(&first), Some(&last)) = (values.first(), values.last()) else {
        return Evaluation::Failed("no distances".into());
    };
    if first.hi() < SMALL {
        return vacuous(NO_ROOM);
    }
    let factor = (Enclosure::ln_2() * (-0.8 * HALVINGS as f64)).exp();
    let shown: Vec<String> = values.iter().map(|x| format!("{:.4}", x.midpoint())).collect();
    at_most(last, factor * Enclosure::from(first)).noting(format!("D(η) = {}", shown.join(", ")))
}

/// At most 4η|λ|max for every η; the difference of the flows is a multiple of that for the smallest.
pub fn first_order(errors: &[Interval]) -> Evaluation {
    let one = |(k, &e): (usize, &Interval)| {
        let eta = 0.5 / (FEWEST << k) as f64;
        (format!("η|λ|max = {eta}"), at_most(e, exact(4.0 * eta)))
    };
    all_of(errors.iter().enumerate().map(one))
}

/// Distances of the schemes to the flows that they tend to.
pub fn errors(network: &OrthonormalNetwork) -> Result<[Vec<Interval>; 2], MeasureError> {
    let (seen, flows) = (schemes(network)?, flows(network)?);
    // Entry by entry: the Frobenius norm would grow with the number of outputs.
    let euler = seen.iter().map(|s| orthonormal_network::distance(&s.euler, &flows.nine));
    let descent = seen.iter().map(|s| orthonormal_network::distance(&s.descent, &flows.gradient));
    Ok([euler.collect::<Result<_, _>>()?, descent.collect::<Result<_, _>>()?])
}

/// Where the two schemes end after many steps at η|λ|max = 0.05.
pub struct SchemeEnds {
    /// Distance of the outputs, and the two losses, (11) first, of rounded orbits.
    pub apart: Enclosure,
    pub losses: [Enclosure; 2],
    pub start: Enclosure,
    pub scale: f64,
}

const MANY: usize = 300;

pub fn ends(network: &OrthonormalNetwork) -> Result<SchemeEnds, MeasureError> {
    let w = network.weights()?;
    let eta = Interval::point(0.1) / w.steepest;
    let (mut first, mut second, mut q) = (w.first.midpoint(), w.second.midpoint(), w.q.midpoint());
    for _ in 0..MANY {
        let next = projected_descent_step(&w.c, (&first.into(), &second.into()), eta, Retraction::Polar)?;
        (first, second) = (next.0.midpoint(), next.1.midpoint());
        q = euler_step(&w.spectrum, &q.into(), eta)?.midpoint();
    }
    let product = IntervalMatrix::from(first).transpose().product(&second.into())?;
    let (descent, euler) = (w.v.transpose().product(&product)?, IntervalMatrix::from(q));
    let measured = |x: Interval| Enclosure::from(x).as_measured();
    Ok(SchemeEnds {
        apart: measured(distance(&descent, &euler)?),
        losses: [energy(&w, &descent), energy(&w, &euler)].map(measured),
        start: energy(&w, &w.q).into(),
        scale: network.spectrum.iter().map(|l| l.abs()).sum(),
    })
}

pub fn sees_negative(n: &OrthonormalNetwork) -> bool {
    n.spectrum.iter().any(|l| *l < 0.0)
}

/// The printed and the gradient flow from one point: L′ = 2⟨Λq, q′⟩ for both.
pub fn slopes(n: &OrthonormalNetwork) -> Result<Evaluation, FlowError> {
    let w = n.weights()?;
    let slope = |flow: OutputFlow| -> Result<Interval, FlowError> {
        let image = IntervalMatrix::from_fn(w.q.rows(), w.q.columns(), |i, j| w.q.at(i, j) * w.spectrum[i])?;
        Ok(inner(&image, &flow.velocity(&w.q)?) * 2.0)
    };
    let printed = slope(OutputFlow::printed(n.spectrum.clone())?)?;
    let gradient = slope(OutputFlow::stiefel(n.spectrum.clone())?)?;
    Ok(at_least(printed, gradient).on_scale_of("|λ|max²", w.steepest * w.steepest))
}

/// Where q is no vector of the plane.
pub const NO_ANGLE: &str = "d ≠ 2 or z ≠ 1";

/// On the circle: the ratio of the coordinates after a time under (9) and under the gradient flow.
pub fn circle(n: &OrthonormalNetwork) -> Result<Evaluation, FlowError> {
    let w = n.weights()?;
    // A closed form holds at every time; a short one takes few steps to enclose.
    let time = 0.125 / w.steepest;
    let tangent = |q: &IntervalMatrix| q.at(1, 0) / q.at(0, 0);
    let ([low, high], 1) = (&w.spectrum[..], w.q.columns()) else {
        return Ok(vacuous(NO_ANGLE));
    };
    let gap = *high - *low;
    let one = |flow: OutputFlow, rate: f64| -> Result<Evaluation, FlowError> {
        let found = tangent(&flow.followed(&w.q, time, w.steps(time))?);
        let exact = tangent(&w.q) * (gap * -rate * time).exp();
        // Orbits are enclosed to 1e-6.
        Ok(equal(found, exact).within(1e-6))
    };
    Ok(all_of([
        ("(9)", one(OutputFlow::printed(n.spectrum.clone())?, 2.0)?),
        ("gradient flow", one(OutputFlow::stiefel(n.spectrum.clone())?, 3.0)?),
    ]))
}

pub fn on_circle(n: &OrthonormalNetwork) -> bool {
    let off_axes = n.weights().is_ok_and(|w| w.q.entries().iter().all(|x| x.mignitude() > 0.05));
    n.d() == 2 && n.outputs == 1 && n.width == 2 && off_axes
}
