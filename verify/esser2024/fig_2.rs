//! Figure 2: tanh, ReLU and sigmoid against the linear network, before and after training.
//!
//! Half moons, the contrastive loss, Haar starts, t = 5 (500 steps of 0.01). *Tanh* is as described: the difference tends to zero with the width, at the start
//! and after training. *ReLU* is not: at the start the difference vanishes only because both outputs do (its quotient with ‖u^I‖ is near 1/√2, relu-start-share),
//! and after training it is, over all widths up to 2000, at least a quarter of ‖u^I‖ (relu-trained-share). *Sigmoid*: at the start the difference does not increase, it is √z/2 per
//! point in the limit. Its mean square is z(1/4 + E[(y − tanh(y/2)/2)²]) with y = ‖x‖s, s a coordinate of a uniform unit vector: it falls
//! at every doubling of the width. After training it grows, like a power of h that depends on the draw.

use std::fmt;

use contrastive::network::Activation;
use enclosures::linear_algebra::Matrix;
use enclosures::vectors::sum_of_squares;
use evidence::claim::Series;
use evidence::prelude::*;
use evidence::sweep::Sweep;
use evidence::sweep::root_mean_square;
use linear_ssl::flow::OrthonormalNetwork;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::moons_data::Moons;
use crate::shared::notation::{BENT_OUTPUT, GROWTH, LINEAR_OUTPUT};

const TANH: Hypothesis<Panel> = Hypothesis::new("φ = tanh", |p| p.activation == Activation::Tanh);
const RELU: Hypothesis<Panel> = Hypothesis::new("φ = ReLU", |p| p.activation == Activation::Relu);
const SIGMOID: Hypothesis<Panel> = Hypothesis::new("φ = the sigmoid", |p| p.activation == Activation::Sigmoid);

const WIDTHS: [usize; 6] = [10, 32, 100, 316, 1000, 2000];

/// Whether the loss is the sum over the samples, as printed, or their mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "snake_case")]
#[instance(describe = Self::to_string, stored)]
enum LossScale {
    Mean,
    Sum,
}

impl fmt::Display for LossScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LossScale::Mean => "the mean",
            LossScale::Sum => "a sum",
        })
    }
}

/// One panel of the figure.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, stored)]
struct Panel {
    activation: Activation,
    scale: LossScale,
}

impl Panel {
    fn in_words(&self) -> String {
        let (activation, scale, widths) = (self.activation, self.scale, self.widths());
        format!("φ = {activation}, loss as {scale} over n = 4 moons, h = {widths:?}")
    }

    /// The loss as a sum is followed up to h = 1000, to save time.
    fn widths(&self) -> &'static [usize] {
        match self.scale {
            LossScale::Mean => &WIDTHS,
            LossScale::Sum => &WIDTHS[..5],
        }
    }

    /// Independent starts at a width.
    fn starts(width: usize) -> usize {
        match width {
            0..=100 => 24,
            101..=316 => 8,
            317..=1000 => 3,
            _ => 1,
        }
    }
}

/// One width of a panel: root mean squares per point, of one start or over several.
#[derive(Clone, Copy, Debug)]
pub struct PanelRow {
    pub width: f64,
    /// ‖u^φ − u^I‖ at the start and at t = 5.
    pub difference: [f64; 2],
    /// ‖u^I‖ at the start and at t = 5.
    pub linear: [f64; 2],
}

/// Steps of projected gradient descent to t = 5: coarser than the figure's 500 steps of 0.01, and as far.
const STEPS: usize = 125;
const STEP: f64 = 0.04;

/// Points and pairing matrix of a draw of four moons.
fn problem(scale: LossScale, trial: &mut Trial) -> Result<(Matrix, Matrix), MeasureError> {
    // The root of 0.1, the variance in Example 1.
    let moons = Moons::draw(4, 0.1, 0.316_227_766, trial.rng())?;
    let divisor = match scale {
        LossScale::Mean => 4.0,
        LossScale::Sum => 1.0,
    };
    moons.pairing(divisor)
}

/// A network at the start and at t = 5.
struct Machine {
    start: OrthonormalNetwork,
    late: OrthonormalNetwork,
}

impl Machine {
    fn trained(start: OrthonormalNetwork, points: &Matrix, pairing: &Matrix) -> Result<Self, MeasureError> {
        let late = start.descended(points, pairing, STEP, STEPS)?;
        Ok(Machine { start, late })
    }

    /// Differences from another machine, and the sizes of this one's outputs, at the start and at t = 5.
    fn compared(&self, other: &Machine, points: &Matrix) -> Result<[f64; 4], MeasureError> {
        let mut found = [0.0; 4];
        let both = [(&self.start, &other.start), (&self.late, &other.late)];
        for (k, (a, b)) in both.into_iter().enumerate() {
            let (a, b) = (a.outputs_at(points)?, b.outputs_at(points)?);
            let mean = |total: f64| (total / points.rows() as f64).sqrt();
            let squares = a.entries().iter().zip(b.entries()).map(|(x, y)| (x - y) * (x - y));
            found[k] = mean(squares.sum());
            found[k + 2] = mean(sum_of_squares(a.entries()));
        }
        Ok(found)
    }
}

impl PanelRow {
    /// The root mean squares over the starts.
    fn of(width: usize, seen: &[[f64; 4]]) -> Self {
        let of = |k: usize| root_mean_square(seen.iter().map(|s| s[k]));
        PanelRow { width: width as f64, difference: [of(0), of(1)], linear: [of(2), of(3)] }
    }
}

/// The data of one panel.
fn rows(panel: &Panel, trial: &mut Trial) -> Result<Sweep<PanelRow>, MeasureError> {
    // What training makes of a network depends on its four points: the starts of one number have data of their own, the same at all widths.
    let most = panel.widths().iter().map(|&h| Panel::starts(h)).max().unwrap_or(0);
    let problems: Vec<(Matrix, Matrix)> = (0..most).map(|_| problem(panel.scale, trial)).collect::<Result<_, _>>()?;
    let places = panel.widths().iter().map(|&h| (h, Panel::starts(h)));
    Sweep::drawn("h", places, |h, number| {
        let (points, pairing) = &problems[number];
        let start = OrthonormalNetwork::haar(Activation::Identity, (2, 2, h), trial.rng())?;
        let other = Machine::trained(start.with(panel.activation), points, pairing)?;
        let seen = Machine::trained(start, points, pairing)?.compared(&other, points)?;
        Ok(PanelRow::of(h, &[seen]))
    })
}

/// "Tends to zero", at the rate of Theorem 1.
fn falls(rows: &Sweep<PanelRow>, of: impl Fn(&PanelRow) -> f64) -> Evaluation {
    rows.trend(of).grows_at_most(-0.5)
}

/// "Increases", as fast as the other falls.
fn grows(rows: &Sweep<PanelRow>, of: impl Fn(&PanelRow) -> f64) -> Evaluation {
    rows.trend(of).grows_at_least(0.5)
}

/// The difference beside the linear outputs, at the start (0) or after training (1), in the mean over all starts; wide networks,
/// whose outputs are small at the start, count as much as narrow ones.
fn share(rows: &Sweep<PanelRow>, when: usize) -> Enclosure {
    let sum = |of: fn(&PanelRow, usize) -> f64| -> f64 {
        rows.rows().iter().map(|(h, r)| h * of(r, when) * of(r, when)).sum()
    };
    Enclosure::measured((sum(|r, k| r.difference[k]) / sum(|r, k| r.linear[k])).sqrt())
}

/// Two widths of a network with the sigmoid, the number of outputs and the norm of the point.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "the sigmoid, h = {narrow} and {wide}, z = {outputs}, ‖x‖ = {norm}",
    valid = Self::is_ordered,
    stored
)]
struct SigmoidWidths {
    narrow: u32,
    #[instance(range = "1..=1_048_576")]
    wide: u32,
    #[instance(range = "1..")]
    outputs: u32,
    #[instance(range = "0..=1e3")]
    norm: f64,
}

impl SigmoidWidths {
    fn is_ordered(&self) -> Result<(), String> {
        let ordered = self.outputs <= self.narrow && self.narrow <= self.wide;
        ordered.then_some(()).ok_or_else(|| "not z ≤ h ≤ h′".into())
    }

    /// E‖u^φ − u^I‖² over Haar weights of width h, enclosed. With y = ‖x‖s, s a coordinate of a uniform unit vector, it is zE[(σ(y) − y)²] =
    /// z(1/4 + E[(y − tanh(y/2)/2)²]); 0 ≤ tanh(y/2)/2 ≤ y/4 for y ≥ 0, and E s² = 1/h.
    fn mean_square(&self, h: u32) -> Enclosure {
        let spread = exact(self.norm).square() / Enclosure::from(h);
        let inner = Enclosure::between((spread * 9.0 / 16.0).lo(), spread.hi());
        (inner + exact(0.25)) * Enclosure::from(self.outputs)
    }
}

fn two_widths() -> Vec<(String, SigmoidWidths)> {
    let of = |(narrow, wide, outputs, norm)| SigmoidWidths { narrow, wide, outputs, norm };
    let all = [
        (10, 2000, 2, 1.0),
        (10, 32, 2, 1.0),
        (32, 100, 2, 2.0),
        (1000, 2000, 1, 0.5),
        (100, 100, 2, 1.0),
        (10, 20, 1, 0.0),
    ];
    described(all.map(of))
}

fn panels() -> Vec<(String, Panel)> {
    let mut all = Vec::new();
    for activation in [Activation::Tanh, Activation::Relu, Activation::Sigmoid] {
        for scale in [LossScale::Mean, LossScale::Sum] {
            all.push(Panel { activation, scale });
        }
    }
    described(all)
}

/// Widths of the table: one in a decade, with so many starts each at the standard budget.
const SHOWN: [(usize, usize); 3] = [(10, 8), (100, 8), (1000, 2)];

/// The rows of the table for each activation. All activations start from the same weights, and the linear network is trained once
/// for all.
fn shown(activations: &[Activation], trial: &mut Trial) -> Result<Vec<Vec<PanelRow>>, MeasureError> {
    let (points, pairing) = problem(LossScale::Mean, trial)?;
    let mut all = vec![Vec::new(); activations.len()];
    for (h, starts) in SHOWN {
        let mut seen = vec![Vec::new(); activations.len()];
        for _ in 0..trial.samples(starts) {
            let linear = Machine::trained(
                OrthonormalNetwork::haar(Activation::Identity, (2, 2, h), trial.rng())?,
                &points,
                &pairing,
            )?;
            for (activation, seen) in activations.iter().zip(&mut seen) {
                let other = Machine::trained(linear.start.with(*activation), &points, &pairing)?;
                seen.push(linear.compared(&other, &points)?);
            }
        }
        for (rows, seen) in all.iter_mut().zip(&seen) {
            rows.push(PanelRow::of(h, seen));
        }
    }
    Ok(all)
}

fn table(trial: &mut Trial) -> Result<Series, MeasureError> {
    let mut table = Series::of([
        ("φ", ""),
        ("h", ""),
        ("‖u^φ − u^I‖ at the start", ""),
        ("‖u^I‖ at the start", ""),
        ("‖u^φ − u^I‖ after training", ""),
        ("‖u^I‖ after training", ""),
    ])
    .noting("root mean squares per point, over starts that the three have in common");
    let activations = [Activation::Tanh, Activation::Relu, Activation::Sigmoid];
    for (activation, rows) in activations.iter().zip(shown(&activations, trial)?) {
        for r in rows {
            table.push([
                activation.to_string().into(),
                (r.width as u64).into(),
                r.difference[0].into(),
                r.linear[0].into(),
                r.difference[1].into(),
                r.linear[1].into(),
            ]);
        }
    }
    Ok(table)
}

pub fn claim() -> Claim {
    Claim::new(
        "esser2024.fig-2",
        "numerical statements on tanh, ReLU, sigmoid",
        Kind::Observation,
    )
    .statement(
        "trained with the loss (1), h from 10 to 2000: the difference of non-linear and linear output (a) tends to 0 \
         for tanh, (b) likewise for ReLU but more slowly, (c) increases with h for sigmoid, at the start and after 500 \
         epochs of step 0.01",
    )
    .source("Figure 2", &["Numerical Evaluation after Conjecture 1"])
    .symbols([BENT_OUTPUT, LINEAR_OUTPUT, GROWTH])
    .symbol("the difference", "‖u^φ − u^I‖ per point, √(Σ‖u^φ(p) − u^I(p)‖²/8) over the eight points p = x_i, x_i⁺; \
                               ‖u^I‖ is √(Σ‖u^I(p)‖²/8) in the same way")
    .symbol("at least like √h", "judged over the sweep: the 95 % interval of the fitted exponent lies above ½ − ¼")
    .symbol("at least like h^{1/4}", "judged over the sweep: the 95 % interval of the fitted exponent lies above ¼ − ¼")
    .symbol("half moons", "(cos θ, sin θ), (1 − cos θ, ½ − sin θ) at θ = 0 and π, plus normal noise of deviation 0.1 \
                           in both coordinates")
    .symbol("Haar", "W₁ and W₂ uniformly distributed with orthonormal columns, the same for u^φ and u^I at the start")
    .symbol("descent", "125 steps W_i ← A(AᵀA)^{−1/2}, A = W_i − 0.04∇_iL, of u^φ and of u^I, each on its own outputs; \
                        L = s·Σ_i u(x_i)ᵀ(u(x_i⁻) − u(x_i⁺)) with s = 1 or ¼")
    .symbol("z", "the number of outputs")
    .remark(
        "Half moons with n = 4, noise 0.1, x⁺ = x + ε of variance 0.1; z = 2; 1 to 24 Haar starts per width. Training \
         is projected gradient descent with the polar retraction to t = 5, in 125 steps of 0.04 in place of 500 of \
         0.01, with the loss as a mean (s = ¼) and as a sum (s = 1); differences are root mean squares per point.",
    )
    .remark(
        "At a fixed t the difference tends to zero for ReLU too, in the end (conj-1): e^{−4|λ₁|t}, λ₁ the lowest \
         eigenvalue of the symmetric part of s·Σ_i x_i(x_i⁻ − x_i⁺)ᵀ, is of the order of h^{−1/2} only far beyond h = \
         2000.",
    )
    .setting(tanh())
    .setting(sigmoid_start())
    .series(
        "figure-2",
        "distance of the non-linear and the linear outputs, loss as a mean",
        table,
    )
}

fn tanh() -> Setting<Panel, Sweep<PanelRow>> {
    Setting::measuring(rows)
        .given(
            "four points of the half moons with noise 0.1, x⁺ = x + ε, ε normal of variance 0.1, x⁻ uniform over the \
             four, a draw for each number of a start, the same at all widths, d = z = 2, projected descent to t = 5; \
             Haar starts, 24, 24, 24, 8, 3, 1 at h = 10, 32, 100, 316, 1000, 2000 (2000 for s = ¼ only)",
        )
        .family(edge("panels", panels))
        .without_search()
        .part(
            "tanh",
            "(a): the difference is O(h^{−1/2}), at the start and after training",
            consistent(),
            |_, rows| {
                all_of([("start", falls(rows, |r| r.difference[0])), ("trained", falls(rows, |r| r.difference[1]))])
            },
        )
        .our_constant("no rate is printed; that of Theorem 1 is asked for")
        .assume(TANH)
        .part("relu-start", "(b) at the start: the difference is O(h^{−1/2})", consistent(), |_, rows| {
            falls(rows, |r| r.difference[0])
        })
        .our_constant("no rate is printed; that of Theorem 1 is asked for")
        .assume(RELU)
        .ours(
            "relu-trained",
            "(b) after training: the difference is O(h^{−1/2})",
            fails("the difference falls more slowly, if at all"),
            |_, rows| falls(rows, |r| r.difference[1]),
        )
        .sides("slope of log difference in log h", "−1/2 + 1/4")
        .our_constant("no rate is printed; that of Theorem 1 is asked for")
        .assume(RELU)
        .part(
            "sigmoid-trained",
            "(c) after training: the difference increases, at least like h^{1/4}",
            consistent(),
            |_, rows| rows.trend(|r| r.difference[1]).grows_at_least(0.25),
        )
        .our_constant("no rate is printed")
        .assume(SIGMOID)
        .amendment(
            "relu-start-share",
            "at the start √(Σh·difference²/Σh‖u^I‖²) over all widths and starts is within 0.3 of 1/√2, where u^φ \
             differs from u^I by the negative pre-activations",
            holds(),
            |_, rows| {
                let half = exact(0.5).sqrt();
                at_most((share(rows, 0) - half).abs(), exact(0.3))
            },
        )
        .assume(RELU)
        .amendment(
            "relu-trained-share",
            "after training √(Σh·difference²/Σh‖u^I‖²) over all widths and starts is at least 1/4",
            holds(),
            |_, rows| at_least(share(rows, 1), exact(0.25)),
        )
        .assume(RELU)
        .control(
            "c",
            "after training √(Σh·difference²/Σh‖u^I‖²) over all widths and starts is at least 1/4 for tanh",
            |_, rows| at_least(share(rows, 1), exact(0.25)),
        )
        .assume(TANH)
        .amendment(
            "sigmoid-constant",
            "at the start over all widths and starts the root mean square of the difference is within 40 % of \
             √z/2",
            holds(),
            |_, rows| {
                let half = exact(0.5).sqrt();
                let found = Enclosure::measured(root_mean_square(rows.rows().iter().map(|(_, r)| r.difference[0])));
                at_most((half - found).abs(), 0.4 * half)
            },
        )
        .assume(SIGMOID)
        .sharpening(
            "tanh-relative",
            "tanh: the quotient with ‖u^I‖ tends to zero too, as O(h^{−1/2}) at the start and as O(h^{−1/4}) after \
             training",
            consistent(),
            |_, rows| {
                all_of([("start", 0, -0.5), ("trained", 1, -0.25)].map(|(name, k, exponent)| {
                    (name, rows.trend(|r| r.difference[k] / r.linear[k]).grows_at_most(exponent))
                }))
            },
        )
        .assume(TANH)
        .control("a", "tanh: the difference at the start grows at least like √h", |_, rows| {
            grows(rows, |r| r.difference[0])
        })
        .sides("slope of log difference in log h", "½ − ¼")
        .assume(TANH)
        .control("b", "the difference after training is O(h^{−1/2})", |_, rows| falls(rows, |r| r.difference[1]))
        .sides("slope of log difference in log h", "−1/2 + 1/4")
        .assume(SIGMOID)
}

fn sigmoid_start() -> Setting<SigmoidWidths, ()> {
    Setting::of()
        .given(
            "W₁ of shape h×d and W₂ of shape h×z (h′×d and h′×z at h′) independent and uniformly distributed with \
             orthonormal columns, d ≤ h, z ≤ h ≤ h′, any x ∈ ℝ^d; φ the sigmoid",
        )
        .assume(Hypothesis::new("x ≠ 0", |t: &SigmoidWidths| t.norm > 0.0))
        .assume(Hypothesis::new("h′ ≥ 2h", |t| t.wide >= 2 * t.narrow))
        .family(edge("widths of the figure", two_widths))
        .family(random("any widths", || {
            (2u32..2000, 2u32..10, 1u32..=2, 0.1..3.0f64).prop_map(|(narrow, times, outputs, norm)| SigmoidWidths {
                narrow,
                wide: narrow * times,
                outputs,
                norm,
            })
        }))
        .part(
            "sigmoid-start",
            "(c) at the start: the root mean square of ‖u^φ(x) − u^I(x)‖ over Haar weights is greater at h′ than at h",
            fails("it falls to √z/2"),
            |t, ()| greater_than(t.mean_square(t.wide).sqrt(), t.mean_square(t.narrow).sqrt()),
        )
        .sides("the root mean square at h′", "the root mean square at h")
        .amendment(
            "sigmoid-falls",
            "at the start the root mean square of ‖u^φ(x) − u^I(x)‖ over Haar weights is smaller at h′ than at h, and \
             above √z/2",
            holds(),
            |t, ()| {
                let limit = (Enclosure::from(t.outputs) / 4.0).sqrt();
                let (wide, narrow) = (t.mean_square(t.wide).sqrt(), t.mean_square(t.narrow).sqrt());
                let smaller = less_than(wide, narrow);
                // Equal widths have one mean square, of which nothing but an enclosure is known.
                let smaller = if t.wide == t.narrow { smaller.with_margin(Enclosure::ZERO) } else { smaller };
                all_of([("above √z/2", less_than(limit, wide)), ("smaller at h′", smaller)])
            },
        )
}
