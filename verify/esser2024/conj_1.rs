//! Conjecture 1: a trained non-linear network stays near its trained linear counterpart.
//!
//! Both machines follow the gradient flow of the contrastive loss on the two Stiefel manifolds from the same Haar start (the limit of projected
//! gradient descent with the polar retraction). Three conclusions are told apart.
//! - *Absolute difference at a fixed time*: consistent, but for a plain reason. The outputs start at size h^{−1/2}, and by Grönwall's inequality a
//!   Lipschitz φ with φ(0) = 0 multiplies them by at most e^{Kt}; so both outputs vanish, for ReLU as well.
//! - *Quotient with the linear output*: consistent if |φ″| ≤ c, false under the printed hypotheses φ(0) = 0, φ′(0) = 1 alone. For φ = s + s²sin(1/s) the slope
//!   1 − cos(1/s) + … oscillates over the range of the pre-activations, weights get stuck where it vanishes, and training slows down.
//! - *Uniformly in time*: false even for φ = s + s²/2. After the linear machine has converged, the cubic part of the loss still falls when the weights
//!   concentrate on one unit: at times of order √h the non-linear machine has moved on by an amount of order one.

use contrapositive::claim::{
    Claim, Evaluation, Kind, MeasureError, Setting, Trial, all_of, at_most, consistent, edge, fails, vacuous,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::flow::OrthonormalNetwork;
use contrapositive::instance::Instance;
use contrapositive::linear_algebra::Matrix;
use contrapositive::network::Activation;
use contrapositive::probability::fit_power_law;
use serde::{Deserialize, Serialize};

use super::initial_differences::rms;
use super::thm_1b::coherent;

/// The data, the widths and the times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Data {
    /// Four anchors in ℝ³, z = 2, widths 64, …, 4096, times 0, 1/4, 1/2 and 1.
    Cloud,
    /// x = x⁺ = 1, x⁻ = 0, z = 1, widths 256, …, 4096, times 0, 1/4, 1/2 and 1.
    Line,
    /// The same up to the time 10 + √h, widths 16, …, 256; the largest difference seen on the way.
    Late,
}

/// The activations that are tried, without parameters that a search would move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Unit {
    Tanh,
    /// s + s²/2.
    Parabola,
    /// s + s²sin(1/s).
    Oscillating,
    Relu,
    Sigmoid,
}

/// An activation on one of the data sets.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Pair {
    unit: Unit,
    data: Data,
}

impl Pair {
    fn activation(&self) -> Activation {
        match self.unit {
            Unit::Tanh => Activation::Tanh,
            Unit::Parabola => Activation::Parabola(1.0),
            Unit::Oscillating => Activation::Oscillating,
            Unit::Relu => Activation::Relu,
            Unit::Sigmoid => Activation::Sigmoid,
        }
    }
}

impl Instance for Pair {
    fn describe(&self) -> String {
        let data = match self.data {
            Data::Cloud => "n = 4, d = 3, z = 2, h = 64, …, 4096",
            Data::Line => "x = x⁺ = 1, x⁻ = 0, z = 1, h = 256, …, 4096",
            Data::Late => "x = x⁺ = 1, x⁻ = 0, z = 1, h = 32, …, 512, t ≤ 10 + √h",
        };
        format!("φ = {:?}, {data}", self.unit)
    }
}

/// Both machines at one width and one time, root mean squares over the starts.
#[derive(Clone, Copy, Debug)]
struct Row {
    width: f64,
    time: f64,
    difference: f64,
    linear: f64,
    largest_row: f64,
}

/// Points, pairing matrix and 1/|λ₁|.
fn problem(data: Data) -> Result<(Matrix, Matrix, f64), MeasureError> {
    if data != Data::Cloud {
        let points = Matrix::from_rows(vec![vec![1.0], vec![1.0]])?;
        let pairing = Matrix::from_fn(2, 2, |i, j| if i == j { 0.0 } else { -0.5 })?;
        return Ok((points, pairing, 1.0));
    }
    let anchors = [
        [1.0, 0.5, -0.25],
        [-0.75, 1.0, 0.5],
        [0.25, -1.25, 0.75],
        [-0.5, 0.25, -1.0],
    ];
    let shifts = [
        [0.25, -0.25, 0.0],
        [0.0, 0.25, -0.25],
        [-0.25, 0.0, 0.25],
        [0.25, 0.25, 0.25],
    ];
    let mut rows: Vec<Vec<f64>> = anchors.iter().map(|x| x.to_vec()).collect();
    for (x, e) in anchors.iter().zip(shifts) {
        rows.push(x.iter().zip(e).map(|(a, b)| a + b).collect());
    }
    // x_i⁺ is a moved anchor, x_i⁻ the next anchor; the rates are those of C = XᵀSX, whose lowest eigenvalue is near −4.
    let pairing = Matrix::from_fn(8, 8, |i, j| match (i.min(j), i.max(j)) {
        (a, b) if b == a + 4 => -0.5,
        (a, b) if b < 4 && (b == a + 1 || (a == 0 && b == 3)) => 0.5,
        _ => 0.0,
    })?;
    Ok((Matrix::from_rows(rows)?, pairing, 0.25))
}

fn norm(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|x| x * x).sum::<f64>().sqrt()
}

/// The longest Runge-Kutta step in units of 1/|λ₁|; the fastest rates are near 4|λ₁|.
fn longest_step(data: Data) -> f64 {
    match data {
        Data::Cloud => 0.125,
        // Short, because slopes oscillate.
        Data::Line => 0.05,
        Data::Late => 0.25,
    }
}

/// The table behind the fits.
fn table(pair: &Pair, trial: &mut Trial) -> Result<Vec<Row>, MeasureError> {
    let (points, pairing, unit) = problem(pair.data)?;
    let (d, z) = if pair.data == Data::Cloud { (3, 2) } else { (1, 1) };
    let (widths, starts): (&[usize], usize) = match pair.data {
        Data::Cloud => (&[64, 256, 1024, 4096], 2),
        Data::Line => (&[256, 1024, 4096], 3),
        Data::Late => (&[32, 64, 128, 256, 512], 2),
    };
    let mut rows = Vec::new();
    for &h in widths {
        let root = (h as f64).sqrt();
        let times: Vec<f64> = match pair.data {
            // With weights that touch nothing at the start, there is no need to train.
            Data::Cloud if pair.unit == Unit::Sigmoid => vec![0.0],
            Data::Cloud | Data::Line => vec![0.0, 0.25, 0.5, 1.0],
            Data::Late => (0..=10).map(|k| f64::from(k) / 10.0 * (10.0 + root)).collect(),
        };
        let mut seen: Vec<Vec<[f64; 3]>> = vec![Vec::new(); times.len()];
        // The widest networks are the dearest, and those on the cloud vary least.
        let starts = if pair.data == Data::Cloud && h == 4096 {
            1
        } else {
            starts
        };
        for _ in 0..starts {
            let mut linear = OrthonormalNetwork::haar(Activation::Identity, (d, z, h), trial.rng())?;
            let mut other = linear.with(pair.activation());
            let mut now = 0.0;
            for (time, seen) in times.iter().zip(&mut seen) {
                let span = time - now;
                let steps = (span / longest_step(pair.data)).ceil() as usize;
                linear = linear.followed(&points, &pairing, span * unit, steps)?;
                other = other.followed(&points, &pairing, span * unit, steps)?;
                now = *time;
                let (a, b) = (linear.outputs_at(&points)?, other.outputs_at(&points)?);
                let apart = norm(a.entries().iter().zip(b.entries()).map(|(x, y)| x - y));
                let size = norm(a.entries().iter().copied());
                seen.push([apart, size, other.largest_row()]);
            }
        }
        for (time, seen) in times.iter().zip(&seen) {
            let of = |k: usize| rms(seen.iter().map(|s| s[k]));
            rows.push(Row {
                width: h as f64,
                time: *time,
                difference: of(0),
                linear: of(1),
                largest_row: of(2),
            });
        }
    }
    Ok(rows)
}

/// The fitted exponent in the width, with three standard errors in its favour if that many points allow.
fn exponent(points: &[(f64, f64)], most: f64) -> Evaluation {
    if points.iter().any(|p| p.1 <= 1e-12) {
        return vacuous("there is no difference at all");
    }
    let fit = fit_power_law(points, 0.01).map(|fit| {
        let shown: Vec<String> = points.iter().map(|p| format!("{:.2e}", p.1)).collect();
        at_most(fit.slope, most).as_trend().noting(format!(
            "fitted exponent {:.2}; {}",
            Enclosure::from(fit.slope),
            shown.join(", ")
        ))
    });
    fit.into()
}

fn at_time(rows: &[Row], time: f64, of: impl Fn(&Row) -> f64, most: f64) -> Evaluation {
    let points: Vec<(f64, f64)> = rows
        .iter()
        .filter(|r| r.time == time)
        .map(|r| (r.width, of(r)))
        .collect();
    exponent(&points, most)
}

fn both_times(rows: &[Row], of: impl Fn(&Row) -> f64, most: f64) -> Evaluation {
    all_of([0.5, 1.0].map(|t| (format!("t = {t}/|λ₁|"), at_time(rows, t, &of, most))))
}

/// The largest difference over all times against the width.
fn over_time(rows: &[Row], most: f64) -> Evaluation {
    let mut points: Vec<(f64, f64)> = Vec::new();
    for row in rows {
        match points.last_mut() {
            Some(last) if last.0 == row.width => last.1 = last.1.max(row.difference),
            _ => points.push((row.width, row.difference)),
        }
    }
    exponent(&points, most)
}

fn relative(row: &Row) -> f64 {
    row.difference / row.linear
}

fn smooth(p: &Pair) -> bool {
    p.activation().touches_identity() && p.activation().curvature().is_some()
}

fn pairs() -> Vec<(String, Pair)> {
    let list = [
        (Unit::Tanh, Data::Cloud),
        (Unit::Parabola, Data::Cloud),
        (Unit::Oscillating, Data::Cloud),
        (Unit::Relu, Data::Cloud),
        (Unit::Sigmoid, Data::Cloud),
        (Unit::Oscillating, Data::Line),
        (Unit::Tanh, Data::Late),
        (Unit::Parabola, Data::Late),
    ];
    let named = |(unit, data)| {
        let p = Pair { unit, data };
        (p.describe(), p)
    };
    list.into_iter().map(named).collect()
}

pub fn claim() -> Claim {
    let early = |p: &Pair| p.data != Data::Late;
    let cloud = |p: &Pair| p.data == Data::Cloud;
    Claim::new("esser2024.conj-1", "evolution of non-linear networks", Kind::Asymptotic)
        .statement(
            "both machines trained from the same random orthonormal weights under the constraints: φ(0) = 0 and φ′(0) \
             = 1 imply ‖u^φ_(t) − u^I_(t)‖ → 0 for every t > 0 as h → ∞",
        )
        .source("Conjecture 1", &["equation (6)"])
        .remark(
            "The printed loss Tr(uᵀu) is read as the contrastive loss of the machine; training is its gradient flow on \
             the Stiefel manifolds, by Runge-Kutta steps with the polar retraction. Times are in units of 1/|λ₁|; root \
             mean squares over 1 to 3 starts.",
        )
        .remark(
            "The absolute difference at a fixed time is a weak test: ‖u^I‖ itself tends to zero there. The difference \
             is also judged relative to ‖u^I‖, and over all times.",
        )
        .remark(
            "On the line the quotient of s + s²sin(1/s) tends to a positive constant: phases 1/s of the \
             pre-activations, which are of order √h, and the motion of weights, of order 1/h, meet in changes of order \
             one. The difference itself falls with ‖u^I‖.",
        )
        .sense(
            "printed",
            "under the two hypotheses that the conjecture repeats, φ(0) = 0 and φ′(0) = 1",
        )
        .sense(
            "smooth",
            "with |φ″| ≤ c as well, because the conjecture speaks of the setup of Theorem 1",
        )
        .setting(
            Setting::measuring(table)
                .assume("Haar start, λ₁ < 0", |_| true)
                .family(edge("activations and data", pairs))
                .without_search()
                .part(
                    "printed",
                    "φ(0) = 0, φ′(0) = 1: the exponent of ‖u^φ − u^I‖ in h at t = 1/2 is at most −0.2",
                    consistent(),
                    |_, rows| at_time(rows, 0.5, |r| r.difference, -0.2),
                )
                .when("fixed time, n = 4, φ(0) = 0, φ′(0) = 1", move |p| {
                    cloud(p) && p.activation().touches_identity()
                })
                .in_sense("printed")
                .ours(
                    "relative",
                    "the same of ‖u^φ − u^I‖/‖u^I‖ at t = 1, under φ(0) = 0 and φ′(0) = 1 alone",
                    fails(
                        "φ = s + s²sin(1/s): weights are caught where the slope vanishes, and the quotient grows with \
                         h",
                    ),
                    |_, rows| at_time(rows, 1.0, relative, -0.2),
                )
                .when("fixed time, φ(0) = 0, φ′(0) = 1", move |p| {
                    early(p) && p.activation().touches_identity()
                })
                .because("the conjecture speaks of the absolute difference; the quotient asks more, because ‖u^I‖ vanishes too")
                .part(
                    "absolute-smooth",
                    "with |φ″| ≤ c: exponent of ‖u^φ − u^I‖ at t = 1/2 and 1 at most −0.2",
                    consistent(),
                    |_, rows| both_times(rows, |r| r.difference, -0.2),
                )
                .when("fixed time, n = 4, hypotheses of Theorem 1", move |p| {
                    cloud(p) && smooth(p)
                })
                .in_sense("smooth")
                .ours(
                    "relative-smooth",
                    "with |φ″| ≤ c: exponent of ‖u^φ − u^I‖/‖u^I‖ at t = 1/2 and 1 at most −0.2",
                    consistent(),
                    |_, rows| both_times(rows, relative, -0.2),
                )
                .when("fixed time, n = 4, hypotheses of Theorem 1", move |p| {
                    cloud(p) && smooth(p)
                })
                .ours(
                    "uniform",
                    "with |φ″| ≤ c, uniformly in t ≤ 10 + √h: exponent at most −0.2",
                    fails("φ = s + s²/2: the weights concentrate on one unit after a time of order √h"),
                    |_, rows| over_time(rows, -0.2),
                )
                .when("all times, hypotheses of Theorem 1", move |p| !early(p) && smooth(p))
                .because("printed is \"for every t > 0 as h → ∞\": the limit is taken at each t, not uniformly in t")
                .amendment(
                    "uniform-tanh",
                    "uniformly in t ≤ 10 + √h for tanh, which spreads the weights: exponent at most −0.2",
                    consistent(),
                    |_, rows| over_time(rows, -0.2),
                )
                .when("all times, tanh", move |p| !early(p) && p.unit == Unit::Tanh)
                .sharpening(
                    "rows",
                    "with |φ″| ≤ c, t = 1: the largest row norm of the trained weights has an exponent of at most −0.3",
                    consistent(),
                    |_, rows| at_time(rows, 1.0, |r| r.largest_row, -0.3),
                )
                .when("fixed time, n = 4, hypotheses of Theorem 1", move |p| {
                    cloud(p) && smooth(p)
                })
                .control(
                    "a",
                    "sigmoid: the absolute difference falls at least like h^{−0.4} at t = 0",
                    |_, rows| at_time(rows, 0.0, |r| r.difference, -0.4),
                )
                .when("sigmoid", |p| p.unit == Unit::Sigmoid)
                .control(
                    "b",
                    "W₁ = [I; 0], W₂ = [I; 0], tanh, t = 0: the difference at h = 512 is below half of that at h = 8",
                    |_, _| {
                        coherent()
                            .map(|found| {
                                at_most(found[2], found[0] / 2.0).noting(format!("{:.4} at h = 512", found[2]))
                            })
                            .into()
                    },
                )
                .when("tanh", |p| p.unit == Unit::Tanh)
                .control("c", "ReLU: the quotient tends to zero at t = 1/2", |_, rows| {
                    at_time(rows, 0.5, relative, -0.2)
                })
                .when("ReLU", |p| p.unit == Unit::Relu)
                .control(
                    "steep",
                    "with |φ″| ≤ c: exponent of the quotient at most −2",
                    |_, rows| at_time(rows, 0.5, relative, -2.0),
                )
                .when("fixed time, n = 4, hypotheses of Theorem 1", move |p| {
                    cloud(p) && smooth(p)
                }),
        )
}
