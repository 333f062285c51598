//! Figure 3: does projected gradient descent (11) follow Euler's scheme (12)?
//!
//! No. The polar retraction projects orthogonally, so for small η (11), with the descending sign, follows the gradient flow of thm-2b,
//! q′ = −4Λq + Λqqᵀq + 3qqᵀΛq, and (12) follows (9) with the weights 2 and 2; D(η) tends to the distance of the two flows. Their
//! velocities differ by the commutator of MMᵀ and C, times M. On the circle h = d = 2, z = 1 they are one curve, tan θ = tan θ₀ e^{−3Δt}
//! against e^{−2Δt}, so (11) is 3/2 times as fast. From the same point (12) descends slower; along orbits that fails for z ≥ 2, and for
//! z = 1 with positive eigenvalues. There ρ = ‖q‖² has the same equation under both flows, ρ′ = −8(1−ρ)qᵀΛq, and the direction follows
//! e^{−2Λτ} with τ′ = 2 − ρ against 2 − ρ/2: the gradient flow turns sooner to low eigenvalues, where ρ falls more slowly. Both reach the same loss from generic starts; the outputs agree for z = 1, and differ for z ≥ 2.

use contrapositive::claim::{
    Claim, Evaluation, Kind, MeasureError, Series, Setting, Trial, all_of, at_least, at_most, consistent, edge, equal,
    fails, holds, random, vacuous,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::flow::{FlowError, OutputFlow, euler_step, projected_descent_outputs, projected_descent_step};
use contrapositive::initial_value::Solution;
use contrapositive::interval::Interval;
use contrapositive::linear_algebra::{IntervalMatrix, Matrix, Retraction};

use super::figure_3::table;
use super::orthonormal_network::{OrthonormalNetwork, Weights, drawn_networks, generic, inner, named_networks, turn};
use super::second_integration::{GRADIENT, NINE, agrees, followed};

/// Steps to t = ½/|λ|max, and the number of halvings of η after the first.
const FEWEST: usize = 8;
const HALVINGS: usize = 2;

/// Distances below this are small against the difference of the flows, and too small for a fitted power.
const SMALL: f64 = 2e-3;

fn distance(a: &IntervalMatrix, b: &IntervalMatrix) -> Result<Interval, MeasureError> {
    Ok(a.minus(b)?.frobenius_norm())
}

/// Tr(qᵀΛq).
fn energy(w: &Weights, q: &IntervalMatrix) -> Interval {
    let rows = q.row_iter().zip(&w.spectrum);
    rows.map(|(row, &l)| row.iter().map(|x| x.square()).sum::<Interval>() * l)
        .sum()
}

/// What was seen with one η.
struct Seen {
    /// The largest distances of (11) to (12) at the times of the coarsest grid, polar and QR.
    polar: Interval,
    qr: Interval,
    /// Where (11), polar, and (12) are at the end.
    descent: IntervalMatrix,
    euler: IntervalMatrix,
}

/// Both schemes in the eigenbasis, with which the polar step commutes; QR is read there.
fn schemes(network: &OrthonormalNetwork) -> Result<Vec<Seen>, MeasureError> {
    let w = network.weights()?;
    let c: IntervalMatrix = Matrix::diagonal(&network.spectrum)?.into();
    let time = 0.5 / w.steepest;
    let run = |k: usize| -> Result<Seen, MeasureError> {
        let count = FEWEST << k;
        let eta = Interval::point(time) / count as f64;
        let (mut euler, mut descent, mut qr) = (w.q.clone(), w.q.clone(), w.q.clone());
        let (mut far, mut far_qr) = (Interval::ZERO, Interval::ZERO);
        for step in 1..=count {
            euler = euler_step(&w.spectrum, &euler, eta)?;
            descent = projected_descent_outputs(&c, &descent, eta, Retraction::Polar)?;
            qr = projected_descent_outputs(&c, &qr, eta, Retraction::Qr)?;
            if step.is_multiple_of(count / FEWEST) {
                far = far.max(distance(&descent, &euler)?);
                far_qr = far_qr.max(distance(&qr, &euler)?);
            }
        }
        Ok(Seen {
            polar: far,
            qr: far_qr,
            descent,
            euler,
        })
    };
    (0..=HALVINGS).map(run).collect()
}

/// Where (9) and the gradient flow are at t = ½/|λ|max.
struct Flows {
    nine: IntervalMatrix,
    gradient: IntervalMatrix,
    apart: Interval,
    /// Their losses, and Σ|λ|.
    losses: [Interval; 2],
    scale: f64,
    /// Both once more by a solver with error control.
    solved: [Solution; 2],
}

fn flows(network: &OrthonormalNetwork) -> Result<Flows, MeasureError> {
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
    fn solved_as(&self, [nine, gradient]: [usize; 2]) -> Evaluation {
        all_of([
            ("(9)", agrees(&self.solved[nine], &self.nine)),
            ("gradient flow", agrees(&self.solved[gradient], &self.gradient)),
        ])
    }

    /// The loss of (9) is at least that of the gradient flow. Orbits are enclosed to about 1e-7, and so is what counts as a tie.
    fn slower(&self) -> Evaluation {
        at_least(self.losses[0], self.losses[1]).on_scale(1e3 * self.scale)
    }
}

/// Distances that fall at least like η^0.8 from the largest to the smallest η.
fn vanish(values: &[Interval]) -> Evaluation {
    let (Some(&first), Some(&last)) = (values.first(), values.last()) else {
        return Evaluation::Failed("no distances".into());
    };
    if first.hi() < SMALL {
        return vacuous("the distance is small already at the largest η");
    }
    let factor = (Enclosure::ln_2() * (-0.8 * HALVINGS as f64)).exp();
    let shown: Vec<String> = values.iter().map(|x| format!("{:.4}", x.midpoint())).collect();
    at_most(last, factor * Enclosure::from(first))
        .as_trend()
        .noting(format!("D(η) = {}", shown.join(", ")))
}

/// At most 4η|λ|max for every η; the difference of the flows is a multiple of that for the smallest.
fn first_order(errors: &[Interval]) -> Evaluation {
    let one = |(k, &e): (usize, &Interval)| {
        let eta = 0.5 / (FEWEST << k) as f64;
        (format!("η|λ|max = {eta}"), at_most(e, 4.0 * eta).as_trend())
    };
    all_of(errors.iter().enumerate().map(one))
}

/// Distances of the schemes to the flows that they tend to.
fn errors(network: &OrthonormalNetwork) -> Result<[Vec<Interval>; 2], MeasureError> {
    let (seen, flows) = (schemes(network)?, flows(network)?);
    let euler = seen.iter().map(|s| distance(&s.euler, &flows.nine));
    let descent = seen.iter().map(|s| distance(&s.descent, &flows.gradient));
    Ok([euler.collect::<Result<_, _>>()?, descent.collect::<Result<_, _>>()?])
}

/// Where the two schemes end after many steps at η|λ|max = 0.05.
struct Ends {
    /// Distance of the outputs, and the two losses, (11) first.
    apart: f64,
    losses: [f64; 2],
    start: f64,
    scale: f64,
}

const MANY: usize = 300;

fn ends(network: &OrthonormalNetwork) -> Result<Ends, MeasureError> {
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
    Ok(Ends {
        apart: distance(&descent, &euler)?.midpoint(),
        losses: [energy(&w, &descent).midpoint(), energy(&w, &euler).midpoint()],
        start: energy(&w, &w.q).midpoint(),
        scale: network.spectrum.iter().map(|l| l.abs()).sum(),
    })
}

fn sees_negative(n: &OrthonormalNetwork) -> bool {
    n.spectrum.iter().any(|l| *l < 0.0)
}

/// The printed and the gradient flow from one point: L′ = 2⟨Λq, q′⟩ for both.
fn slopes(n: &OrthonormalNetwork) -> Result<Evaluation, FlowError> {
    let w = n.weights()?;
    let slope = |flow: OutputFlow| -> Result<Interval, FlowError> {
        let image = IntervalMatrix::from_fn(w.q.rows(), w.q.columns(), |i, j| {
            w.q.get(i, j).unwrap_or(Interval::ENTIRE) * w.spectrum[i]
        })?;
        Ok(inner(&image, &flow.velocity(&w.q)?) * 2.0)
    };
    let printed = slope(OutputFlow::printed(n.spectrum.clone())?)?;
    let gradient = slope(OutputFlow::stiefel(n.spectrum.clone())?)?;
    Ok(at_least(printed, gradient).on_scale(w.steepest * w.steepest))
}

/// On the circle: the ratio of the coordinates after a time under (9) and under the gradient flow.
fn circle(n: &OrthonormalNetwork) -> Result<Evaluation, FlowError> {
    let w = n.weights()?;
    // A closed form holds at every time; a short one takes few steps to enclose.
    let time = 0.125 / w.steepest;
    let tangent =
        |q: &IntervalMatrix| q.get(1, 0).unwrap_or(Interval::ENTIRE) / q.get(0, 0).unwrap_or(Interval::ENTIRE);
    let [low, high] = w.spectrum[..] else {
        return Ok(vacuous("d = 2 only"));
    };
    let gap = high - low;
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

fn on_circle(n: &OrthonormalNetwork) -> bool {
    let off_axes = n
        .weights()
        .is_ok_and(|w| w.q.entries().iter().all(|x| x.mignitude() > 0.05));
    n.d() == 2 && n.outputs == 1 && n.width == 2 && off_axes
}

pub fn claim() -> Claim {
    Claim::new("esser2024.eq-11-12", "gradient descent and the discretised dynamics stay together", Kind::Dynamics)
        .statement(
            "from the same start, projected gradient descent (11) (descending) and the scheme (12) give the same q(t) up to discretisation, \
             t = ηk; both converge to the same final loss and outputs; the loss decays slightly more slowly in (12)",
        )
        .source("Numerical Evaluation, Learning dynamics", &["Figure 3", "Learning Dynamics of Linear SSL Models, second paragraph"])
        .remark("D(η) is the largest distance of the two schemes up to t = ½/|λ|max, enclosed, for 8, 16 and 32 steps; polar retraction, QR as a reading of its own. Consistent iff it falls at least like η^0.8.")
        .remark("Long runs are rounded, 300 steps at η|λ|max = 0.1, from networks that see every eigenvector. On the circle the two flows are one curve at the speeds 3 and 2.")
        .setting(
            Setting::measuring(|n: &OrthonormalNetwork, _| schemes(n))
                .assume("h ≥ max(d,z), λ₁ < 0", |n| n.is_small() && sees_negative(n))
                .family(edge("named", || starts(2)))
                .family(random("random rotations", drawn_networks).taking(0.125))
                .without_search()
                .reading("same-orbit", "the distance of (11), polar, and (12) up to t = ½/|λ|max vanishes with η", fails("(11) follows the gradient flow, whose cubic terms have the weights 1 and 3, (12) follows (9)"), |_, s| {
                    vanish(&s.iter().map(|x| x.polar).collect::<Vec<_>>())
                })
                .reading("same-orbit-qr", "the same with the QR retraction", fails("QR leads to a third flow"), |_, s| {
                    vanish(&s.iter().map(|x| x.qr).collect::<Vec<_>>())
                }),
        )
        .setting(
            Setting::measuring(|n: &OrthonormalNetwork, _| flows(n))
                .assume("h ≥ max(d,z), λ₁ < 0", |n| n.is_small() && sees_negative(n))
                .family(edge("named", || starts(3)))
                .family(random("random rotations", drawn_networks).taking(0.125))
                .without_search()
                .reading("slower", "as η → 0 the loss of (12) at t = ½/|λ|max is at least that of (11)", fails("true from one point, not along orbits: for z ≥ 2 the slower flow may come through a steeper place"), |_, f| f.slower())
                .reading("slower-z1", "the same for z = 1", fails("positive eigenvalues: the flow that turns sooner to a lower one shrinks more slowly"), |_, f| f.slower())
                .when("z = 1", |n| n.outputs == 1)
                .sharpening("slower-z1-negative", "the same for z = 1 and no positive eigenvalue", holds(), |_, f| f.slower())
                .when("z = 1, all λ ≤ 0", |n| n.outputs == 1 && n.spectrum.iter().all(|l| *l <= 0.0))
                .step("solver", "an adaptive solver at rtol = 1e-11 agrees with the enclosures of both flows within ten times the tolerance it achieved", holds(), |_, f| f.solved_as([0, 1]))
                .control("d", "the solver agrees with the two flows exchanged", |_, f| f.solved_as([1, 0]))
                .control("c", "the two flows never part by more than 1e-4", |_, f| at_most(f.apart, 1e-4)),
        )
        .setting(
            Setting::measuring(|n: &OrthonormalNetwork, _| errors(n))
                .assume("h ≥ max(d,z), λ₁ < 0", |n| n.is_small() && sees_negative(n))
                .family(edge("named", || starts(3)))
                .family(random("random rotations", drawn_networks).taking(0.0625))
                .without_search()
                .amendment("limits", "(12) stays within 4η|λ|max of (9), (11) within 4η|λ|max of q′ = −4Λq + Λqqᵀq + 3qqᵀΛq, for η|λ|max = 1/16, 1/32, 1/64", consistent(), |_, [euler, descent]| {
                    all_of([("(12)", first_order(euler)), ("(11)", first_order(descent))])
                })
                .control("a", "(12) stays 0.01 away from (9) as η falls", |_, [euler, _]| at_least(euler[HALVINGS], 0.01)),
        )
        .setting(
            Setting::of()
                .assume("h ≥ max(d,z)", |_: &OrthonormalNetwork| true)
                .family(edge("named", || starts(1)))
                .family(random("random rotations", drawn_networks))
                .without_search()
                .amendment("slower-at-a-point", "from the same point L falls no faster along (9) than along the gradient flow", holds(), |n, ()| slopes(n).into())
                .sharpening("circle", "h = d = 2, z = 1: tan θ(t) = tan θ₀ e^{−2(λ₂−λ₁)t} under (9), e^{−3(λ₂−λ₁)t} under the gradient flow", holds(), |n, ()| circle(n).into())
                .when("h = d = 2, z = 1, off the axes", on_circle),
        )
        .setting(
            Setting::measuring(|n: &OrthonormalNetwork, _| ends(n))
                .assume("h ≥ d + z, λ₁ < 0, a start in general position", |n| n.width >= n.d() + n.outputs && sees_negative(n))
                .family(edge("in general position", || {
                    let spectra: [&[f64]; 5] = [&[-1.0], &[-1.0, 1.0], &[-1.0, -2.0], &[-1.0, -2.0, 0.5], &[-2.0, -1.0, -0.5]];
                    let of = |(spectrum, z): (&[f64], usize)| (format!("diag{spectrum:?}, z = {z}"), generic(spectrum, z, spectrum.len() + z));
                    spectra.into_iter().flat_map(|s| [(s, 1), (s, 2)]).map(of).collect()
                }))
                .without_search()
                .reading("same-loss", "both end at the same loss, to 1 % of Σ|λ|", consistent(), |_, e| {
                    at_most((e.losses[0] - e.losses[1]).abs(), 0.01 * e.scale).on_scale(e.scale).as_trend()
                })
                .reading("same-outputs", "both end at the same outputs, to 0.001", fails("for z ≥ 2 minimisers form a continuum, and the two flows end at different points of it"), |_, e| {
                    at_most(e.apart, 0.001).on_scale(1.0).as_trend()
                })
                .amendment("same-outputs-z1", "for z = 1 they do", consistent(), |_, e| at_most(e.apart, 0.001).on_scale(1.0).as_trend())
                .when("z = 1", |n| n.outputs == 1)
                .control("b", "(11) converges to the maximum of (8): the loss does not fall", |_, e| at_least(e.losses[0], e.start)),
        )
        .series("figure-3", "projected gradient descent (11) and Euler's scheme (12) from the same network", table)
        .series("flows", "the two flows at t = ½/|λ|max, and the tolerance achieved by the solver", flow_table)
}

/// Both flows at t = ½/|λ|max from the starts picked by hand: enclosed, and the tolerance that the solver achieved.
fn flow_table(_: &mut Trial) -> Result<Series, MeasureError> {
    let mut table = Series::of([
        ("start", ""),
        ("L along (9)", ""),
        ("L along the gradient flow", ""),
        ("distance", ""),
        ("solver achieved, (9)", ""),
        ("solver achieved, gradient flow", ""),
    ]);
    for (name, network) in hand_picked() {
        let f = flows(&network)?;
        let number = |x: Interval| Enclosure::from(x).into();
        let [nine, gradient] = [0, 1].map(|k| format!("{:e}", f.solved[k].achieved_power()).into());
        let [loss, other] = f.losses.map(number);
        table.push([name.into(), loss, other, number(f.apart), nine, gradient]);
    }
    Ok(table)
}

/// Every so many of the named networks, and those picked by hand.
fn starts(every: usize) -> Vec<(String, OrthonormalNetwork)> {
    let mut all: Vec<(String, OrthonormalNetwork)> = named_networks().into_iter().step_by(every).collect();
    all.extend(hand_picked());
    all
}

/// The circle with λ₁ < 0, and starts from which the printed flow is ahead for a while.
fn hand_picked() -> Vec<(String, OrthonormalNetwork)> {
    let circle = |spectrum: &[f64], half_tangent| OrthonormalNetwork {
        width: 2,
        outputs: 1,
        spectrum: spectrum.to_vec(),
        rotations: Vec::new(),
        first: Vec::new(),
        second: vec![turn(0, 1, half_tangent)],
    };
    vec![
        ("circle, diag(−1, 1)".into(), circle(&[-1.0, 1.0], 0.5)),
        ("circle, diag(−1, −½)".into(), circle(&[-1.0, -0.5], 0.75)),
        (
            "z = 1, a slower flow that gets ahead".into(),
            OrthonormalNetwork {
                width: 4,
                outputs: 1,
                spectrum: vec![0.5, 1.0, -0.25],
                rotations: Vec::new(),
                first: Vec::new(),
                second: vec![turn(0, 1, 0.5), turn(0, 3, 0.25)],
            },
        ),
        (
            "a slower flow that gets ahead".into(),
            OrthonormalNetwork {
                width: 4,
                outputs: 2,
                spectrum: vec![-0.5, -1.0],
                rotations: Vec::new(),
                first: Vec::new(),
                second: vec![turn(0, 1, 0.5), turn(0, 2, 1.5), turn(1, 3, 0.25)],
            },
        ),
    ]
}
