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

use contrastive::network::Activation;
use enclosures::linear_algebra::Matrix;
use enclosures::vectors::plus;
use evidence::prelude::*;
use evidence::sweep::Sweep;
use linear_ssl::flow::OrthonormalNetwork;
use serde::{Deserialize, Serialize};

use crate::shared::notation::{BENT_OUTPUT, GROWTH, LINEAR_OUTPUT};
use crate::thm_1b::coherent;

const SQUARES: Hypothesis<UnitOnData> =
    Hypothesis::new("loss Tr(uᵀu) on four anchors in ℝ³", |p| p.data == Data::Squares);
const CLOUD: Hypothesis<UnitOnData> = Hypothesis::new("loss (1) on four anchors in ℝ³", |p| p.data == Data::Cloud);
const CLOUD_OR_LINE: Hypothesis<UnitOnData> =
    Hypothesis::new("loss (1) on four anchors in ℝ³ or on x = x⁺ = 1, x⁻ = 0", |p| {
        matches!(p.data, Data::Cloud | Data::Line)
    });
const LATE_ON_THE_LINE: Hypothesis<UnitOnData> =
    Hypothesis::new("loss (1) on x = x⁺ = 1, x⁻ = 0, up to t = 10 + √h", |p| p.data == Data::Late);
const TOUCHING: Hypothesis<UnitOnData> =
    Hypothesis::new("φ(0) = 0 and φ′(0) = 1", |p| p.activation().touches_identity());
const BOUNDED: Hypothesis<UnitOnData> = Hypothesis::new("|φ″| ≤ c", |p| p.activation().curvature().is_some());
const TANH_OR_ARCTAN: Hypothesis<UnitOnData> =
    Hypothesis::new("φ = tanh or arctan", |p| matches!(p.unit, Unit::Tanh | Unit::Arctangent));

/// The data, the widths and the times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "snake_case")]
#[instance(stored)]
enum Data {
    /// Four anchors in ℝ³, z = 2, widths 64, …, 2048, times 0, 1/4, 1/2 and 1.
    #[instance(describe = "n = 4, d = 3, z = 2, h = 64, …, 2048")]
    Cloud,
    /// The same anchors with the loss Tr(UᵀU) over them.
    #[instance(describe = "n = 4, d = 3, z = 2, h = 64, …, 2048, loss Tr(UᵀU)")]
    Squares,
    /// x = x⁺ = 1, x⁻ = 0, z = 1, widths 256, …, 4096, times 0, 1/4, 1/2 and 1.
    #[instance(describe = "x = x⁺ = 1, x⁻ = 0, z = 1, h = 256, …, 4096")]
    Line,
    /// The same up to the time 10 + √h, widths 32, …, 512; the largest difference seen on the way.
    #[instance(describe = "x = x⁺ = 1, x⁻ = 0, z = 1, h = 32, …, 512, t ≤ 10 + √h")]
    Late,
}

/// The activations that are tried, without parameters that a search would move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "snake_case")]
#[instance(stored)]
enum Unit {
    Tanh,
    Arctangent,
    /// s + s²/2.
    Parabola,
    /// s + s²sin(1/s).
    Oscillating,
    Relu,
    Sigmoid,
}

/// An activation on one of the data sets.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, stored)]
struct UnitOnData {
    unit: Unit,
    data: Data,
}

impl UnitOnData {
    fn in_words(&self) -> String {
        format!("φ = {}, {}", self.activation(), self.data.describe())
    }

    fn activation(&self) -> Activation {
        match self.unit {
            Unit::Tanh => Activation::Tanh,
            Unit::Arctangent => Activation::Arctangent,
            Unit::Parabola => Activation::Parabola(1.0),
            Unit::Oscillating => Activation::Oscillating,
            Unit::Relu => Activation::Relu,
            Unit::Sigmoid => Activation::Sigmoid,
        }
    }
}

/// Both machines at one time, from one start.
#[derive(Clone, Copy, Debug)]
struct TwoMachines {
    time: f64,
    difference: f64,
    linear: f64,
    largest_row: f64,
}

/// Points, pairing matrix and 1/|λ₁|.
fn problem(data: Data) -> Result<(Matrix, Matrix, f64), MeasureError> {
    if matches!(data, Data::Line | Data::Late) {
        let points = Matrix::from_rows(vec![vec![1.0], vec![1.0]])?;
        let pairing = Matrix::from_fn(2, 2, |i, j| if i == j { 0.0 } else { -0.5 })?;
        return Ok((points, pairing, 1.0));
    }
    let anchors = [[1.0, 0.5, -0.25], [-0.75, 1.0, 0.5], [0.25, -1.25, 0.75], [-0.5, 0.25, -1.0]];
    let shifts = [[0.25, -0.25, 0.0], [0.0, 0.25, -0.25], [-0.25, 0.0, 0.25], [0.25, 0.25, 0.25]];
    let mut rows: Vec<Vec<f64>> = anchors.iter().map(|x| x.to_vec()).collect();
    if data == Data::Squares {
        // C = XᵀX, whose largest eigenvalue is near 4.
        let pairing = Matrix::from_fn(4, 4, |i, j| f64::from(u8::from(i == j)))?;
        return Ok((Matrix::from_rows(rows)?, pairing, 0.25));
    }
    for (x, e) in anchors.iter().zip(shifts) {
        rows.push(plus(x, &e));
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
        Data::Cloud | Data::Squares => 0.125,
        // Short, because slopes oscillate.
        Data::Line => 0.05,
        Data::Late => 0.25,
    }
}

/// Widths, and starts at each: so many that the exponents are known to a quarter.
fn widths(data: Data) -> &'static [(usize, usize)] {
    match data {
        Data::Cloud | Data::Squares => &[(64, 64), (128, 32), (256, 16), (512, 12), (1024, 8), (2048, 8)],
        Data::Line => &[(256, 16), (1024, 16), (4096, 16)],
        Data::Late => &[(32, 5), (64, 5), (128, 5), (256, 5), (512, 5)],
    }
}

fn times(pair: &UnitOnData, h: usize) -> Vec<f64> {
    match pair.data {
        // With weights that touch nothing at the start, there is no need to train.
        Data::Cloud | Data::Line if pair.unit == Unit::Sigmoid => vec![0.0],
        Data::Cloud | Data::Squares | Data::Line => vec![0.0, 0.25, 0.5, 1.0],
        Data::Late => (0..=10).map(|k| f64::from(k) / 10.0 * (10.0 + (h as f64).sqrt())).collect(),
    }
}

/// What is seen along the way, from one start.
type Course = Vec<TwoMachines>;

/// The table behind the fits.
fn table(pair: &UnitOnData, trial: &mut Trial) -> Result<Sweep<Course>, MeasureError> {
    let (points, pairing, unit) = problem(pair.data)?;
    let shape = |h| match pair.data {
        Data::Cloud | Data::Squares => (3, 2, h),
        Data::Line | Data::Late => (1, 1, h),
    };
    // At t = 0 alone starts are cheap.
    let times_as_many = if pair.unit == Unit::Sigmoid { 8 } else { 1 };
    let places = widths(pair.data).iter().map(|&(h, starts)| (h, starts * times_as_many));
    Sweep::drawn("h", places, |h, _| {
        let mut linear = OrthonormalNetwork::haar(Activation::Identity, shape(h), trial.rng())?;
        let mut other = linear.with(pair.activation());
        let mut now = 0.0;
        let mut orbit = Vec::new();
        for time in times(pair, h) {
            let span = time - now;
            let steps = (span / longest_step(pair.data)).ceil() as usize;
            linear = linear.followed(&points, &pairing, span * unit, steps)?;
            other = other.followed(&points, &pairing, span * unit, steps)?;
            now = time;
            let (a, b) = (linear.outputs_at(&points)?, other.outputs_at(&points)?);
            orbit.push(TwoMachines {
                time,
                difference: norm(a.entries().iter().zip(b.entries()).map(|(x, y)| x - y)),
                linear: norm(a.entries().iter().copied()),
                largest_row: other.largest_row(),
            });
        }
        Ok(orbit)
    })
}

/// "Tends to zero" is judged at the rate h^{−1/2} of Theorem 1, because the conjecture is that its behaviour holds on.
const RATE: f64 = -0.5;

fn at_time(orbits: &Sweep<Course>, time: f64, of: impl Fn(&TwoMachines) -> f64, exponent: f64) -> Evaluation {
    let then = |orbit: &Course| orbit.iter().find(|look| look.time == time).map_or(f64::NAN, &of);
    orbits.trend(then).grows_at_most(exponent)
}

fn both_times(orbits: &Sweep<Course>, of: impl Fn(&TwoMachines) -> f64) -> Evaluation {
    all_of([0.5, 1.0].map(|t| (format!("t = {t}"), at_time(orbits, t, &of, RATE))))
}

/// The largest difference over all times against the width, the median over the starts: with a chance of order 1/h the two machines
/// leave the neighbourhood of zero to different sides.
fn over_time(orbits: &Sweep<Course>) -> Evaluation {
    let largest = |orbit: &Course| orbit.iter().map(|look| look.difference).fold(0.0, f64::max);
    orbits.median(largest).trend(|x| *x).grows_at_most(RATE)
}

fn relative(look: &TwoMachines) -> f64 {
    look.difference / look.linear
}

fn pairs() -> Vec<(String, UnitOnData)> {
    let list = [
        (Unit::Tanh, Data::Cloud),
        (Unit::Parabola, Data::Cloud),
        (Unit::Oscillating, Data::Cloud),
        (Unit::Relu, Data::Cloud),
        (Unit::Sigmoid, Data::Cloud),
        (Unit::Tanh, Data::Squares),
        (Unit::Parabola, Data::Squares),
        (Unit::Oscillating, Data::Squares),
        (Unit::Oscillating, Data::Line),
        (Unit::Relu, Data::Line),
        (Unit::Sigmoid, Data::Line),
        (Unit::Tanh, Data::Late),
        (Unit::Arctangent, Data::Late),
        (Unit::Parabola, Data::Late),
    ];
    described(list.map(|(unit, data)| UnitOnData { unit, data }))
}

pub fn claim() -> Claim {
    Claim::new("esser2024.conj-1", "evolution of non-linear networks", Kind::Asymptotic)
        .statement(
            "both machines trained from the same random orthonormal weights under the constraints: φ(0) = 0 and φ′(0) \
             = 1 imply ‖u^φ_(t) − u^I_(t)‖ → 0 for every t > 0 as h → ∞",
        )
        .source("Conjecture 1", &["equation (6)"])
        .symbols([BENT_OUTPUT, LINEAR_OUTPUT, GROWTH])
        .symbol(
            "φ",
            "the activation: tanh, arctan, s + s²/2, which have |φ″| ≤ c with some constant c, s + s²sin(1/s) (0 at s \
             = 0), ReLU or the sigmoid",
        )
        .symbol(
            "both machines",
            "u^φ and u^I with weights of their own, W₁ ∈ St(h,d), W₂ ∈ St(h,z), equal and uniformly distributed at the \
             start, each trained on its own outputs",
        )
        .symbol(
            "Stiefel manifolds",
            "St(h,k): h×k matrices with orthonormal columns; each of W₁, W₂ moves by minus the orthogonal projection \
             of the gradient of the loss on the tangent space",
        )
        .symbol(
            "t =",
            "times in units of ¼ on the four anchors (near 1/|λ₁|, λ₁ the eigenvalue of largest modulus of the \
             symmetric C with L = Tr(W₂ᵀW₁CW₁ᵀW₂) for u^I: t = 1 stands for the time ¼), of 1 on the line (x = x⁺ = \
             1), where n = d = z = 1",
        )
        .symbol(
            "four anchors",
            "x_1 = (1, ½, −¼), x_2 = (−¾, 1, ½), x_3 = (¼, −5/4, ¾), x_4 = (−½, ¼, −1); x_1⁺ = x_1 + (¼, −¼, 0), x_2⁺ \
             = x_2 + (0, ¼, −¼), x_3⁺ = x_3 + (−¼, 0, ¼), x_4⁺ = x_4 + (¼, ¼, ¼); x_i⁻ = x_{i+1}, x_4⁻ = x_1; z = 2",
        )
        .symbol("loss (1)", "Σ_i u(x_i)ᵀ(u(x_i⁻) − u(x_i⁺)); Tr(uᵀu) is Σ_i ‖u(x_i)‖²")
        .symbol(
            "‖u^φ − u^I‖",
            "the root of the sum of the squared differences over all outputs at the anchors and, for the loss (1), at \
             their positives; in the same way ‖u^I‖",
        )
        .sense("literal", "trained on the loss that the conjecture prints, Tr(uᵀu)")
        .sense("general", "trained on the general loss, which is what the words before the formula and Figure 2 say")
        .sense(
            "smooth",
            "on the general loss, with |φ″| ≤ c as well, because the conjecture speaks of the setup of Theorem 1",
        )
        .remark(
            "Training is the gradient flow of the loss on the Stiefel manifolds, by Runge-Kutta steps with the polar \
             retraction. 5 to 64 Haar starts at each width, more for the sigmoid.",
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
        .setting(squares())
}

fn squares() -> Setting<UnitOnData, Sweep<Vec<TwoMachines>>> {
    Setting::measuring(table)
        .given(
            "both machines from one Haar start, trained by the gradient flow on the Stiefel manifolds; on the four \
             anchors 64, 32, 16, 12, 8, 8 starts at h = 64, 128, 256, 512, 1024, 2048, on the line sixteen starts at h \
             = 256, 1024, 4096 (for the sigmoid eight times as many on both, at t = 0 only), or five at h = 32, 64, \
             128, 256, 512 where it goes up to t = 10 + √h",
        )
        .family(edge("activations and data", pairs))
        .without_search()
        .part("squares", "‖u^φ − u^I‖ = O(h^{−1/2}) at t = 1/2 and 1", consistent(), |_, rows| {
            both_times(rows, |r| r.difference)
        })
        .our_constant("the conjecture names no rate; that of Theorem 1, whose behaviour it continues, is asked for")
        .assume(SQUARES)
        .assume(TOUCHING)
        .in_sense("literal")
        .part("printed", "‖u^φ − u^I‖ = O(h^{−1/2}) at t = 1/2 and 1", consistent(), |_, rows| {
            both_times(rows, |r| r.difference)
        })
        .our_constant("the conjecture names no rate; that of Theorem 1, whose behaviour it continues, is asked for")
        .assume(CLOUD)
        .assume(TOUCHING)
        .in_sense("general")
        .part("absolute-smooth", "‖u^φ − u^I‖ = O(h^{−1/2}) at t = 1/2 and 1", consistent(), |_, rows| {
            both_times(rows, |r| r.difference)
        })
        .our_constant("the conjecture names no rate; that of Theorem 1, whose behaviour it continues, is asked for")
        .assume(CLOUD)
        .assume(TOUCHING)
        .assume(BOUNDED)
        .in_sense("smooth")
        .ours(
            "relative",
            "‖u^φ − u^I‖/‖u^I‖ = O(h^{−1/2}) at t = 1",
            fails("φ = s + s²sin(1/s): weights are caught where the slope vanishes, and the quotient grows with h"),
            |_, rows| at_time(rows, 1.0, relative, RATE),
        )
        .sides("slope of log(‖u^φ − u^I‖/‖u^I‖) in log h", "−1/2 + 1/4")
        .assume(CLOUD_OR_LINE)
        .assume(TOUCHING)
        .because("the conjecture speaks of the absolute difference; the quotient asks more, because ‖u^I‖ vanishes too")
        .ours(
            "relative-smooth",
            "‖u^φ − u^I‖/‖u^I‖ = O(h^{−1/2}) at t = 1/2 and 1",
            consistent(),
            |_, rows| both_times(rows, relative),
        )
        .assume(CLOUD)
        .assume(TOUCHING)
        .assume(BOUNDED)
        .ours(
            "uniform",
            "the median over Haar starts of the largest ‖u^φ − u^I‖ at t = k(10 + √h)/10, k = 0, …, 10, is O(h^{−1/2})",
            fails("φ = s + s²/2: the weights concentrate on one unit after a time of order √h"),
            |_, rows| over_time(rows),
        )
        .sides("slope of log median in log h", "−1/2 + 1/4")
        .assume(LATE_ON_THE_LINE)
        .assume(TOUCHING)
        .assume(BOUNDED)
        .because("printed is \"for every t > 0 as h → ∞\": the limit is taken at each t, not uniformly in t")
        .sharpening(
            "uniform-odd",
            "the median over Haar starts of the largest ‖u^φ − u^I‖ at t = k(10 + √h)/10, k = 0, …, 10, is O(h^{−1/2})",
            consistent(),
            |_, rows| over_time(rows),
        )
        .assume(LATE_ON_THE_LINE)
        .assume(TANH_OR_ARCTAN)
        .sharpening(
            "rows",
            "the largest length of a row of W₁ or W₂ of the non-linear machine at t = 1 is O(h^{−1/2}), a logarithm \
             within the slack of 1/4",
            consistent(),
            |_, rows| at_time(rows, 1.0, |r| r.largest_row, RATE),
        )
        .assume(CLOUD)
        .assume(TOUCHING)
        .assume(BOUNDED)
        .control("a", "‖u^φ − u^I‖ = O(h^{−1/2}) at t = 0", |_, rows| {
            at_time(rows, 0.0, |r| r.difference, RATE)
        })
        .sides("slope of log ‖u^φ − u^I‖ in log h", "−1/2 + 1/4")
        .assume(Hypothesis::new("φ = the sigmoid", |p| p.unit == Unit::Sigmoid))
        .control(
            "b",
            "W₁ = [I; 0], W₂ = [I; 0], tanh, t = 0, at the first unit vector: ‖u^φ − u^I‖ = 1 − tanh 1 ≤ 10/√h at h = \
             10⁴",
            |_, _| at_most(coherent(), Enclosure::ONE / 10.0),
        )
        .assume(Hypothesis::new("φ = tanh", |p| p.unit == Unit::Tanh))
        .control("c", "‖u^φ − u^I‖/‖u^I‖ = O(h^{−1/2}) at t = 1/2", |_, rows| {
            at_time(rows, 0.5, relative, RATE)
        })
        .sides("slope of log(‖u^φ − u^I‖/‖u^I‖) in log h", "−1/2 + 1/4")
        .assume(Hypothesis::new("φ = ReLU", |p| p.unit == Unit::Relu))
        .control("steep", "‖u^φ − u^I‖/‖u^I‖ = O(h^{−2}) at t = 1/2", |_, rows| {
            at_time(rows, 0.5, relative, -2.0)
        })
        .sides("slope of log(‖u^φ − u^I‖/‖u^I‖) in log h", "−2 + 1/4")
        .assume(CLOUD)
        .assume(TOUCHING)
        .assume(BOUNDED)
}
