//! The sentence after Proposition 1: its dynamics and the collapse hold for wide networks.
//!
//! Networks u = h^{−½}W₂ᵀφ(W₁x) with standard normal weights follow, at fixed time and for h → ∞, the kernel flow with their tangent
//! kernel: the difference falls like h^{−½}. The collapse inherits the exceptions of the linear case. If x_i⁻ = x_i⁺ the
//! contrastive loss is identically zero for every network, so nothing ever moves and the outputs keep their rank, at every width. For
//! orthonormal anchors with x⁺ = x and odd φ the kernel is a multiple of the identity on the anchors, all modes grow alike, and
//! the stable rank stays what it was as h → ∞. Where the lowest eigenvalue of the kernel flow is simple, outputs do collapse.

use contrapositive::claim::{
    Claim, Evaluation, Kind, MeasureError, Setting, Trial, all_of, at_least, at_most, consistent, edge, equal, fails,
    vacuous,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::flow::{WideNetwork, kernel_prediction};
use contrapositive::instance::Instance;
use contrapositive::linear_algebra::{Matrix, SingularValues};
use contrapositive::network::Activation;
use serde::{Deserialize, Serialize};

const WIDTHS: [usize; 3] = [128, 512, 2048];
const SEEDS: usize = 8;
const STEPS: usize = 6;

/// How much later the kernel flow, which never blows up, is looked at again.
const LATER: f64 = 6.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Points {
    /// Three anchors on an elongated cloud, partners nearby, non-contrastive loss.
    Cloud,
    /// The same with negatives on the far side, contrastive loss.
    CloudWithNegatives,
    /// The anchors e_1, e_2, e_3 with x⁺ = x, non-contrastive loss.
    Orthonormal,
    /// The cloud with x⁻ = x⁺, contrastive loss.
    EqualPartners,
}

/// A data set, an activation and the number of outputs; the widths are swept.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Sweep {
    activation: Activation,
    points: Points,
    outputs: usize,
}

impl Instance for Sweep {
    fn describe(&self) -> String {
        format!(
            "φ = {:?}, {:?}, n = d = 3, z = {}, h = {WIDTHS:?}",
            self.activation, self.points, self.outputs
        )
    }

    fn validate(&self) -> Result<(), String> {
        let looked_at = matches!(
            self.activation,
            Activation::Identity | Activation::Tanh | Activation::Relu
        );
        if looked_at && (2..=3).contains(&self.outputs) {
            Ok(())
        } else {
            Err(format!("{:?}, {} outputs", self.activation, self.outputs))
        }
    }

    fn simpler(&self) -> Vec<Self> {
        let still = Sweep {
            points: Points::EqualPartners,
            ..self.clone()
        };
        let linear = Sweep {
            activation: Activation::Identity,
            ..self.clone()
        };
        let smaller = [
            (self.points != still.points, still),
            (self.activation != linear.activation, linear),
        ];
        smaller
            .into_iter()
            .filter(|(changed, _)| *changed)
            .map(|(_, s)| s)
            .collect()
    }
}

impl Sweep {
    /// Anchors, positives, negatives, one row each; and the pairing matrix of the loss.
    fn problem(&self) -> Result<(Matrix, Matrix), MeasureError> {
        let cloud = [[1.0, 0.25, -0.25], [0.75, -0.25, 0.25], [0.5, 0.25, 0.25]];
        let near = [[1.0, 0.5, -0.25], [0.75, -0.25, 0.0], [0.75, 0.25, 0.25]];
        let far = [[-1.0, -0.25, 0.25], [-0.5, 0.25, -0.25], [-0.75, 0.0, -0.25]];
        let unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let (anchors, positives, negatives) = match self.points {
            Points::Cloud | Points::CloudWithNegatives => (cloud, near, far),
            Points::Orthonormal => (unit, unit, far),
            Points::EqualPartners => (cloud, near, near),
        };
        let rows = [anchors, positives, negatives].concat();
        let contrastive = matches!(self.points, Points::CloudWithNegatives | Points::EqualPartners);
        let pairing = Matrix::from_fn(9, 9, |i, j| match (i.min(j), i.max(j)) {
            (a, b) if a < 3 && b == a + 3 => -0.5,
            (a, b) if a < 3 && b == a + 6 && contrastive => 0.5,
            _ => 0.0,
        })?;
        Ok((
            Matrix::from_rows(rows.into_iter().map(|r| r.to_vec()).collect())?,
            pairing,
        ))
    }

    /// When to look: late enough for the modes to part, early enough for the outputs to stay of order one.
    fn time(&self) -> f64 {
        let times = match self.points {
            Points::Cloud => [0.15, 0.35, 0.25],
            Points::CloudWithNegatives => [0.08, 0.18, 0.2],
            Points::Orthonormal | Points::EqualPartners => [0.25, 0.45, 0.55],
        };
        match self.activation {
            Activation::Identity => times[0],
            Activation::Tanh => times[1],
            _ => times[2],
        }
    }
}

/// What was seen at one width: one entry per seed.
#[derive(Default)]
struct Seen {
    /// Relative distance of the anchors' outputs to the kernel prediction.
    error: Vec<f64>,
    /// Stable rank of the anchors' outputs at the start and at the end.
    before: Vec<f64>,
    after: Vec<f64>,
    /// Stable rank of the kernel prediction at a later time.
    later: Vec<f64>,
}

fn stable_rank(outputs: &Matrix) -> Result<f64, MeasureError> {
    let anchors = Matrix::from_fn(3, outputs.columns(), |i, j| outputs.row(i)[j])?;
    Ok(SingularValues::of(&anchors.into())?
        .stable_rank()
        .map_or(0.0, |s| s.midpoint()))
}

fn observe(sweep: &Sweep, trial: &mut Trial) -> Result<Vec<Seen>, MeasureError> {
    let (points, pairing) = sweep.problem()?;
    let mut all = Vec::new();
    for h in WIDTHS {
        let mut seen = Seen::default();
        for _ in 0..trial.samples(SEEDS).max(5) {
            let network = WideNetwork::gaussian(sweep.activation, (3, sweep.outputs, h), trial.rng());
            let start = network.outputs_at(&points)?;
            let end = network
                .followed(&points, &pairing, sweep.time(), STEPS)?
                .outputs_at(&points)?;
            let kernel = network.kernel(&points)?;
            let predicted = kernel_prediction(&kernel, &pairing, &start, sweep.time())?;
            let later = kernel_prediction(&kernel, &pairing, &start, LATER * sweep.time())?;
            let size = |m: &[f64]| m.iter().map(|x| x * x).sum::<f64>().sqrt();
            let off: Vec<f64> = end
                .entries()
                .iter()
                .zip(predicted.entries())
                .map(|(a, b)| a - b)
                .collect();
            seen.error.push(size(&off) / size(predicted.entries()));
            seen.before.push(stable_rank(&start)?);
            seen.after.push(stable_rank(&end)?);
            seen.later.push(stable_rank(&later)?);
        }
        all.push(seen);
    }
    Ok(all)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// Median over seeds of (stable rank − 1 at some time)/(stable rank − 1 at the start).
fn excess_left(before: &[f64], now: &[f64]) -> f64 {
    median(before.iter().zip(now).map(|(b, a)| (a - 1.0) / (b - 1.0)))
}

fn curve(all: &[Seen]) -> String {
    let parts = WIDTHS.iter().zip(all).map(|(h, seen)| {
        let (before, after) = (median(seen.before.iter().copied()), median(seen.after.iter().copied()));
        format!("h = {h}: {before:.2} → {after:.2}")
    });
    format!("median stable rank {}", parts.collect::<Vec<_>>().join(", "))
}

/// At every width, at most half of what the stable rank exceeds one by is left at that time.
fn collapses(all: &[Seen], now: impl Fn(&Seen) -> &[f64]) -> Evaluation {
    let left = |seen: &Seen| at_most(excess_left(&seen.before, now(seen)), 0.5).as_trend();
    all_of(WIDTHS.iter().zip(all).map(|(h, seen)| (format!("h = {h}"), left(seen))))
}

/// Slope of the mean log error against log h, and its standard error over the seeds.
fn slope(all: &[Seen]) -> Option<(f64, f64)> {
    let log = |x: f64| Enclosure::from(x).ln().midpoint();
    if all.iter().flat_map(|s| &s.error).any(|e| *e < 1e-9) {
        return None;
    }
    let xs = WIDTHS.map(|h| log(h as f64));
    let centre = xs.iter().sum::<f64>() / 3.0;
    let spread: f64 = xs.iter().map(|x| (x - centre) * (x - centre)).sum();
    let (mut total, mut variance) = (0.0, 0.0);
    for (x, seen) in xs.iter().zip(all) {
        let logs: Vec<f64> = seen.error.iter().map(|&e| log(e)).collect();
        let n = logs.len() as f64;
        let mean = logs.iter().sum::<f64>() / n;
        let weight = (x - centre) / spread;
        total += weight * mean;
        variance += weight * weight * logs.iter().map(|l| (l - mean) * (l - mean)).sum::<f64>() / (n * (n - 1.0));
    }
    Some((total, variance.sqrt()))
}

/// The fitted exponent is at most −0.4, up to three standard errors.
fn follows_kernel(all: &[Seen]) -> Evaluation {
    let Some((slope, error)) = slope(all) else {
        return vacuous("the loss is identically zero: nothing moves");
    };
    at_most(slope - 3.0 * error, -0.4)
        .as_trend()
        .noting(format!("fitted exponent {slope:.2} ± {error:.2}"))
}

fn sweeps() -> Vec<(String, Sweep)> {
    let mut list = Vec::new();
    for points in [
        Points::EqualPartners,
        Points::Orthonormal,
        Points::Cloud,
        Points::CloudWithNegatives,
    ] {
        for activation in [Activation::Identity, Activation::Tanh, Activation::Relu] {
            let outputs = if points == Points::Cloud { 3 } else { 2 };
            list.push((
                format!("{points:?}, {activation:?}"),
                Sweep {
                    activation,
                    points,
                    outputs,
                },
            ));
        }
    }
    list
}

fn generic(s: &Sweep) -> bool {
    matches!(s.points, Points::Cloud | Points::CloudWithNegatives)
}

pub fn claim() -> Claim {
    Claim::new("esser2024.prop-1e", "collapse of wide networks", Kind::Asymptotic)
        .statement(
            "Proposition 1 and dimension collapse also hold for wide neural networks trained on the losses (1), (2)",
        )
        .source("The sentence after Proposition 1", &[])
        .remark(
            "u = h^{−½}W₂ᵀφ(W₁x), standard normal weights, gradient flow at fixed time, widths 128, 512, 2048, several \
             seeds each; the kernel is averaged over the hidden units of the network itself at the start.",
        )
        .remark(
            "Exact for x⁻ = x⁺: the contrastive loss vanishes identically, so weights and outputs stay where they are \
             at every width. At fixed width and late times outputs blow up and leave the kernel regime; that order of \
             limits is not judged here.",
        )
        .setting(
            Setting::measuring(observe)
                .assume("wide networks with the scaling of the tangent kernel", |_| true)
                .family(edge("data and activations", sweeps))
                .without_search()
                .part(
                    "printed",
                    "the outputs' stable rank loses at least half of its excess over one, at every width",
                    fails("x⁻ = x⁺ makes the loss vanish identically; orthonormal anchors make all modes grow alike"),
                    |_, all| collapses(all, |s| &s.after).noting(curve(all)),
                )
                .because("what counts as collapse at a finite time is ours: half of the excess")
                .part(
                    "dynamics",
                    "at fixed time the outputs follow the kernel flow, with an error of exponent at most −0.4 in h",
                    consistent(),
                    |_, all| follows_kernel(all),
                )
                .amendment(
                    "simple",
                    "where the lowest eigenvalue of the kernel flow is simple: h → ∞ first, then t: the kernel flow \
                     with the network's kernel and start loses at least half of the excess, at every width",
                    consistent(),
                    |_, all| collapses(all, |s| &s.later),
                )
                .when("data in general position", generic)
                .amendment(
                    "still",
                    "x⁻ = x⁺: outputs do not move at all, whatever the width and the activation",
                    consistent(),
                    |_, all| {
                        let moved = all.iter().flat_map(|s| &s.error).fold(0.0, |m: f64, e| m.max(*e));
                        equal(moved, 0.0).on_scale(1.0).as_trend()
                    },
                )
                .when("x⁻ = x⁺", |s| s.points == Points::EqualPartners)
                .amendment(
                    "orthonormal",
                    "orthonormal anchors, x⁺ = x, odd φ: at the largest width at least 0.8 of the excess is left",
                    consistent(),
                    |_, all| {
                        at_least(excess_left(&all[2].before, &all[2].after), 0.8)
                            .as_trend()
                            .noting(curve(all))
                    },
                )
                .when("orthonormal anchors, odd φ", |s| {
                    s.points == Points::Orthonormal && s.activation != Activation::Relu
                })
                .control(
                    "a",
                    "the stable rank is below 1.01 at the start for most seeds",
                    |_, all| {
                        let below = all[0].before.iter().filter(|s| **s < 1.01).count();
                        at_least(2.0 * below as f64, all[0].before.len())
                    },
                )
                .control("b", "the stable rank stays constant", |_, all| {
                    let at = |v: &[f64]| median(v.iter().copied());
                    equal(at(&all[2].after), at(&all[2].before)).within(0.01)
                }),
        )
}
