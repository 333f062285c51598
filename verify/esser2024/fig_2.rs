//! Figure 2: tanh, ReLU and sigmoid against the linear network, before and after training.
//!
//! Half moons, the contrastive loss, Haar starts, t = 5 (500 steps of 0.01). *Tanh* is as described: the difference tends to zero with the width, at the start
//! and after training. *ReLU* is not: at the start the difference vanishes only because both outputs do (its quotient with ‖u^I‖ stays near 1/√2),
//! and after training it is of order one at every width up to 2000. *Sigmoid*: at the start the difference does not increase, it is √z/2 per
//! point at every width, because ‖W₂ᵀ(½, …, ½)‖ has the mean square zh/(4h); after training it grows like √h.

use contrapositive::claim::{
    Claim, Evaluation, Kind, MeasureError, Series, Setting, Trial, all_of, at_least, at_most, consistent, edge, fails,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::flow::OrthonormalNetwork;
use contrapositive::instance::Instance;
use contrapositive::linear_algebra::Matrix;
use contrapositive::network::Activation;
use contrapositive::probability::fit_power_law;
use serde::{Deserialize, Serialize};

use super::initial_differences::rms;
use super::moons_data::Moons;

const WIDTHS: [usize; 6] = [10, 32, 100, 316, 1000, 2000];

/// Whether the loss is the sum over the samples, as printed, or their mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Scale {
    Mean,
    Sum,
}

/// One panel of the figure.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Panel {
    activation: Activation,
    scale: Scale,
}

impl Instance for Panel {
    fn describe(&self) -> String {
        format!(
            "φ = {:?}, loss as a {:?} over n = 4 moons, h = {:?}",
            self.activation,
            self.scale,
            self.widths()
        )
    }
}

impl Panel {
    /// The loss as a sum is followed up to h = 1000, to save time.
    fn widths(&self) -> &'static [usize] {
        match self.scale {
            Scale::Mean => &WIDTHS,
            Scale::Sum => &WIDTHS[..5],
        }
    }

    /// Independent starts at a width.
    fn starts(width: usize) -> usize {
        match width {
            0..=100 => 8,
            101..=316 => 6,
            317..=1000 => 3,
            _ => 2,
        }
    }
}

/// One width of a panel: root mean squares per point over the starts.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub width: f64,
    /// ‖u^φ − u^I‖ at the start and at t = 5.
    pub difference: [f64; 2],
    /// ‖u^I‖ at the start and at t = 5.
    pub linear: [f64; 2],
}

/// Steps of projected gradient descent to t = 5: coarser than the figure's 500 steps of 0.01, and as far.
const STEPS: usize = 200;
const STEP: f64 = 0.025;

/// Points and pairing matrix of a draw of four moons.
fn problem(scale: Scale, trial: &mut Trial) -> Result<(Matrix, Matrix), MeasureError> {
    // The root of 0.1, the variance in Example 1.
    let moons = Moons::draw(4, 0.1, 0.316_227_766, trial.rng())?;
    let divisor = match scale {
        Scale::Mean => 4.0,
        Scale::Sum => 1.0,
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
            found[k + 2] = mean(a.entries().iter().map(|x| x * x).sum());
        }
        Ok(found)
    }
}

impl Row {
    /// The root mean squares over the starts.
    fn of(width: usize, seen: &[[f64; 4]]) -> Self {
        let of = |k: usize| rms(seen.iter().map(|s| s[k]));
        Row {
            width: width as f64,
            difference: [of(0), of(1)],
            linear: [of(2), of(3)],
        }
    }
}

/// The data of one panel.
fn rows(panel: &Panel, trial: &mut Trial) -> Result<Vec<Row>, MeasureError> {
    let (points, pairing) = problem(panel.scale, trial)?;
    let mut all = Vec::new();
    for &h in panel.widths() {
        let mut seen = Vec::new();
        for _ in 0..Panel::starts(h) {
            let start = OrthonormalNetwork::haar(Activation::Identity, (2, 2, h), trial.rng())?;
            let other = Machine::trained(start.with(panel.activation), &points, &pairing)?;
            seen.push(Machine::trained(start, &points, &pairing)?.compared(&other, &points)?);
        }
        all.push(Row::of(h, &seen));
    }
    Ok(all)
}

/// The fitted exponent in the width of a column.
fn exponent(rows: &[Row], of: impl Fn(&Row) -> f64, judged: impl Fn(Enclosure) -> Evaluation) -> Evaluation {
    let points: Vec<(f64, f64)> = rows.iter().map(|r| (r.width, of(r))).collect();
    let fit = fit_power_law(&points, 0.01).map(|fit| {
        let shown: Vec<String> = points.iter().map(|p| format!("{:.3}", p.1)).collect();
        let slope = Enclosure::from(fit.slope);
        judged(slope)
            .as_trend()
            .noting(format!("fitted exponent {slope:.2}; {}", shown.join(", ")))
    });
    fit.into()
}

/// "Tends to zero".
fn falls(rows: &[Row], of: impl Fn(&Row) -> f64) -> Evaluation {
    exponent(rows, of, |slope| at_most(slope, -0.2))
}

/// "Increases".
fn grows(rows: &[Row], of: impl Fn(&Row) -> f64) -> Evaluation {
    exponent(rows, of, |slope| at_least(slope, 0.2))
}

/// What the text says of the panel, at the start (0) or after training (1).
fn described(panel: &Panel, rows: &[Row], when: usize) -> Evaluation {
    match panel.activation {
        Activation::Sigmoid => grows(rows, |r| r.difference[when]),
        _ => falls(rows, |r| r.difference[when]),
    }
}

fn panels() -> Vec<(String, Panel)> {
    let mut all = Vec::new();
    for activation in [Activation::Tanh, Activation::Relu, Activation::Sigmoid] {
        for scale in [Scale::Mean, Scale::Sum] {
            let p = Panel { activation, scale };
            all.push((p.describe(), p));
        }
    }
    all
}

/// Widths of the table: one in a decade, with so many starts each at the standard budget.
const SHOWN: [(usize, usize); 3] = [(10, 8), (100, 8), (1000, 2)];

/// The rows of the table for each activation. All activations start from the same weights, and the linear network is trained once
/// for all.
fn shown(activations: &[Activation], trial: &mut Trial) -> Result<Vec<Vec<Row>>, MeasureError> {
    let (points, pairing) = problem(Scale::Mean, trial)?;
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
            rows.push(Row::of(h, seen));
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
                format!("{activation:?}").into(),
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
    let tanh = |p: &Panel| p.activation == Activation::Tanh;
    let relu = |p: &Panel| p.activation == Activation::Relu;
    let sigmoid = |p: &Panel| p.activation == Activation::Sigmoid;
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
    .remark(
        "Half moons with n = 4, noise 0.1, x⁺ = x + ε of variance 0.1; z = 2; 2 to 8 Haar starts per width. Training \
         is projected gradient descent with the polar retraction to t = 5, in 200 steps of 0.025 in place of 500 of \
         0.01, with the loss as a mean (C/n) and as a sum; differences are root mean squares per point.",
    )
    .remark(
        "At a fixed t the difference tends to zero for ReLU too, in the end (conj-1): e^{−4|λ₁|t} is of the order of \
         h^{−1/2} only far beyond h = 2000.",
    )
    .setting(
        Setting::measuring(rows)
            .assume("Haar start, projected gradient descent", |_| true)
            .family(edge("panels", panels))
            .without_search()
            .part(
                "tanh",
                "(a): exponents in h at most −0.2, at the start and after training",
                consistent(),
                |p, rows| all_of([("start", described(p, rows, 0)), ("trained", described(p, rows, 1))]),
            )
            .when("tanh", tanh)
            .part("relu-start", "(b) at the start", consistent(), |p, rows| {
                described(p, rows, 0)
            })
            .when("ReLU", relu)
            .part(
                "relu-trained",
                "(b) after training",
                fails("the difference stays of order one"),
                |p, rows| described(p, rows, 1),
            )
            .when("ReLU", relu)
            .part(
                "sigmoid-start",
                "(c) at the start",
                fails("the difference is √z/2 per point at every width"),
                |p, rows| described(p, rows, 0),
            )
            .when("sigmoid", sigmoid)
            .part("sigmoid-trained", "(c) after training", consistent(), |p, rows| {
                described(p, rows, 1)
            })
            .when("sigmoid", sigmoid)
            .amendment(
                "relu-relative",
                "ReLU: the quotient with ‖u^I‖ does not fall, at the start or after training: exponent at least −0.15",
                consistent(),
                |_, rows| {
                    all_of([0, 1].map(|k| {
                        (
                            ["start", "trained"][k],
                            exponent(rows, |r| r.difference[k] / r.linear[k], |slope| at_least(slope, -0.15)),
                        )
                    }))
                },
            )
            .when("ReLU", relu)
            .amendment(
                "sigmoid-constant",
                "sigmoid at the start: exponent between −0.15 and 0.15, and within 60 % of √z/2 at every width",
                consistent(),
                |_, rows| {
                    let half = Enclosure::from(0.5).sqrt();
                    let mut parts = vec![
                        (
                            "from below",
                            exponent(rows, |r| r.difference[0], |slope| at_least(slope, -0.15)),
                        ),
                        (
                            "from above",
                            exponent(rows, |r| r.difference[0], |slope| at_most(slope, 0.15)),
                        ),
                    ];
                    for r in rows {
                        parts.push(("√z/2", at_most((half - r.difference[0]).abs(), 0.6 * half).as_trend()));
                    }
                    all_of(parts)
                },
            )
            .when("sigmoid", sigmoid)
            .sharpening(
                "sigmoid-root",
                "sigmoid after training grows at least like h^{0.35}",
                consistent(),
                |_, rows| exponent(rows, |r| r.difference[1], |slope| at_least(slope, 0.35)),
            )
            .when("sigmoid", sigmoid)
            .sharpening(
                "tanh-relative",
                "tanh: the quotient with ‖u^I‖ tends to zero too",
                consistent(),
                |_, rows| {
                    all_of([0, 1].map(|k| (["start", "trained"][k], falls(rows, |r| r.difference[k] / r.linear[k]))))
                },
            )
            .when("tanh", tanh)
            .control("a", "tanh: the difference at the start grows with h", |_, rows| {
                grows(rows, |r| r.difference[0])
            })
            .when("tanh", tanh)
            .control(
                "b",
                "sigmoid: the difference tends to zero, at the start or after training",
                |_, rows| falls(rows, |r| r.difference[0].min(r.difference[1])),
            )
            .when("sigmoid", sigmoid),
    )
    .series(
        "figure-2",
        "distance of the non-linear and the linear outputs, loss as a mean",
        table,
    )
}
