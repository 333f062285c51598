//! The sentence after Proposition 1: its dynamics and the collapse hold for wide networks.
//!
//! Networks u = h^{−½}W₂ᵀφ(W₁x) with standard normal weights follow, at fixed time and for h → ∞, the kernel flow with their tangent
//! kernel: the difference falls like h^{−½}. The collapse inherits the exceptions of the linear case. If x_i⁻ = x_i⁺ the
//! contrastive loss is identically zero for every network, so nothing ever moves and the outputs keep their rank, at every width. For
//! orthonormal anchors with x⁺ = x and odd φ the kernel is a multiple of the identity on the anchors, all modes grow alike, and
//! the stable rank stays what it was as h → ∞. Where the lowest eigenvalue of the kernel flow is simple, outputs do collapse.

use std::fmt;

use contrastive::network::Activation;
use enclosures::linear_algebra::{IntervalMatrix, Matrix, MatrixError, SingularValues, rank_by_elimination};
use enclosures::vectors::{minus, norm, unit_vector};
use evidence::prelude::*;
use evidence::sweep::Sweep;
use evidence::sweep::median;
use linear_ssl::flow::{WideNetwork, kernel_prediction};
use linear_ssl::self_supervised::TripletData;
use serde::{Deserialize, Serialize};

use crate::shared::decoupled_outputs::NOT_AT_REST;
use crate::shared::gradient_models::Model;
use crate::shared::linear_data::Loss;
use crate::shared::model_families::{named_models_on_triplets, wide_at_rest};
use crate::shared::model_instances::{ModelOn, triplet_loss};
use crate::shared::notation::GROWTH;

/// Narrow networks are cheap: more of them make up for the scatter of single ones.
const WIDTHS: [usize; 3] = [64, 256, 1024];
const SEEDS: [usize; 3] = [32, 16, 8];
const STEPS: usize = 6;

/// How much later the kernel flow, which never blows up, is looked at again.
const LATER: f64 = 6.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "snake_case")]
#[instance(describe = Self::to_string, stored)]
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

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Points::Cloud => "the cloud with loss (2)",
            Points::CloudWithNegatives => "the cloud with negatives and loss (1)",
            Points::Orthonormal => "x_i = x_i⁺ = e_i with loss (2)",
            Points::EqualPartners => "the cloud with x⁻ = x⁺ and loss (1)",
        })
    }
}

/// A data set, an activation and the number of outputs; the widths are swept.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "φ = {activation}, {points}, n = d = 3, z = {outputs}, h = {WIDTHS:?}",
    valid = Self::is_looked_at,
    simpler = Self::still_or_linear,
    stored
)]
struct PredictionSweep {
    activation: Activation,
    points: Points,
    #[instance(range = "2..=3")]
    outputs: usize,
}

impl PredictionSweep {
    fn is_looked_at(&self) -> Result<(), String> {
        match self.activation {
            Activation::Identity | Activation::Tanh | Activation::Relu => Ok(()),
            other => Err(format!("φ = {other}")),
        }
    }

    fn still_or_linear(&self) -> Vec<Self> {
        let (points, activation) = (Points::EqualPartners, Activation::Identity);
        let still = (self.points != points).then(|| PredictionSweep { points, ..self.clone() });
        let linear = (self.activation != activation).then(|| PredictionSweep { activation, ..self.clone() });
        still.into_iter().chain(linear).collect()
    }

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
        Ok((Matrix::from_rows(rows.into_iter().map(|r| r.to_vec()).collect())?, pairing))
    }

    /// When to look: late enough for the modes to part, early enough for the outputs to stay of order one.
    fn time(&self) -> f64 {
        let times = match self.points {
            Points::Cloud => [0.15, 0.35, 0.25],
            Points::CloudWithNegatives => [0.08, 0.18, 0.2],
            Points::Orthonormal | Points::EqualPartners => [0.25, 0.45, 0.4],
        };
        match self.activation {
            Activation::Identity => times[0],
            Activation::Tanh => times[1],
            _ => times[2],
        }
    }
}

/// What was seen of one network.
struct NetworkSeen {
    /// Relative distance of the outputs to the kernel prediction.
    error: f64,
    /// Stable rank of the anchors' outputs at the start and at the end.
    before: f64,
    after: f64,
    /// Stable rank of the kernel prediction at a later time.
    later: f64,
}

fn stable_rank(outputs: &Matrix) -> Result<f64, MeasureError> {
    let anchors = Matrix::from_fn(3, outputs.columns(), |i, j| outputs.row(i)[j])?;
    Ok(SingularValues::of(&anchors.into())?.stable_rank().map_or(0.0, |s| s.midpoint()))
}

fn observe(sweep: &PredictionSweep, trial: &mut Trial) -> Result<Sweep<NetworkSeen>, MeasureError> {
    let (points, pairing) = sweep.problem()?;
    let places = WIDTHS.into_iter().zip(SEEDS);
    let places: Vec<(usize, usize)> = places.map(|(h, seeds)| (h, trial.samples_at_least(seeds))).collect();
    Sweep::drawn("h", places, |h, _| {
        let network = WideNetwork::gaussian(sweep.activation, (3, sweep.outputs, h), trial.rng());
        let start = network.outputs_at(&points)?;
        let end = network.followed(&points, &pairing, sweep.time(), STEPS)?.outputs_at(&points)?;
        let kernel = network.kernel(&points)?;
        let predicted = kernel_prediction(&kernel, &pairing, &start, sweep.time())?;
        let later = kernel_prediction(&kernel, &pairing, &start, LATER * sweep.time())?;
        let off = minus(end.entries(), predicted.entries());
        Ok(NetworkSeen {
            error: norm(&off) / norm(predicted.entries()),
            before: stable_rank(&start)?,
            after: stable_rank(&end)?,
            later: stable_rank(&later)?,
        })
    })
}

fn curve(all: &Sweep<NetworkSeen>) -> String {
    let (before, after) = (all.median(|s| s.before), all.median(|s| s.after));
    let parts = before.rows().iter().zip(after.rows());
    let parts = parts.map(|((h, before), (_, after))| format!("h = {h}: {before:.2} → {after:.2}"));
    format!("median stable rank {}", parts.collect::<Vec<_>>().join(", "))
}

/// What was seen at the largest width.
fn wide(all: &Sweep<NetworkSeen>) -> impl ExactSizeIterator<Item = &NetworkSeen> + Clone {
    let rows = all.rows();
    let widest = rows.last().map_or(0.0, |(h, _)| *h);
    let first = rows.partition_point(|(h, _)| *h < widest);
    rows[first..].iter().map(|(_, seen)| seen)
}

/// At the largest width, the median over seeds of (stable rank − 1 at some time)/(stable rank − 1 at the start).
fn excess_left(all: &Sweep<NetworkSeen>, now: impl Fn(&NetworkSeen) -> f64) -> Enclosure {
    Enclosure::measured(median(wide(all).map(|s| (now(s) - 1.0) / (s.before - 1.0))))
}

/// At the largest width, at most half of what the stable rank exceeds one by is left at that time.
fn collapses(all: &Sweep<NetworkSeen>, now: impl Fn(&NetworkSeen) -> f64) -> Evaluation {
    at_most(excess_left(all, now), exact(0.5))
}

/// The error falls with the width. The rate is ours, half of what independent terms have: the errors of single networks scatter by a factor of
/// two, and a sweep of this length can tell h^{−¼} from a constant.
fn follows_kernel(all: &Sweep<NetworkSeen>) -> Evaluation {
    all.trend(|s| s.error).grows_at_most(-0.25)
}

/// x_i = x_i⁺ = e_i in ℝ³ with x_i⁻ = x_i⁺ but x_3⁻ = 0: the loss is −‖u(e_3)‖², and a network that does not see e_3 is at its saddle.
fn saddle() -> Vec<(&'static str, ModelOn<TripletData>)> {
    let one: Vec<Vec<f64>> = (0..3).map(|k| unit_vector(3, k)).collect();
    let data = TripletData {
        anchors: one.clone(),
        positives: one.clone(),
        negatives: vec![unit_vector(3, 0), unit_vector(3, 1), vec![0.0; 3]],
    };
    let first: &[&[f64]] = &[&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0]];
    let second: &[&[f64]] = &[&[1.0, 0.0], &[0.0, 1.0]];
    let network =
        ModelOn { data, model: Model::two_layer(Activation::Identity, first, second), point: unit_vector(3, 2) };
    vec![("W₁ e_3 = 0", network)]
}

fn sweeps() -> Vec<(String, PredictionSweep)> {
    let mut list = Vec::new();
    for points in [Points::EqualPartners, Points::Orthonormal, Points::Cloud, Points::CloudWithNegatives] {
        for activation in [Activation::Identity, Activation::Tanh, Activation::Relu] {
            let outputs = if points == Points::Cloud { 3 } else { 2 };
            list.push((format!("{points}, φ = {activation}"), PredictionSweep { activation, points, outputs }));
        }
    }
    list
}

fn generic(s: &PredictionSweep) -> bool {
    matches!(s.points, Points::Cloud | Points::CloudWithNegatives)
}

/// Where the kernel flow rests, the error is how far the outputs moved.
fn nothing_moves(all: &Sweep<NetworkSeen>) -> Evaluation {
    let moved = all.rows().iter().fold(0.0, |m: f64, (_, s)| m.max(s.error));
    equal(Enclosure::measured(moved), 0).on_unit_scale()
}

/// Whether the outputs at the anchors have rank at most one, where the gradient of the contrastive loss is exactly zero.
fn rest_is_collapsed(i: &ModelOn<TripletData>) -> Result<Evaluation, MatrixError> {
    let slopes = i.gradient_of(|u| triplet_loss(Loss::Contrastive, &i.data, u));
    if slopes.iter().any(|s| *s != Interval::ZERO) {
        return Ok(vacuous(NOT_AT_REST));
    }
    let outputs: Vec<Vec<Interval>> = i.data.anchors.iter().map(|x| i.model.at(x)).collect();
    let outputs = IntervalMatrix::from_fn(outputs.len(), i.model.output_count(), |a, l| outputs[a][l])?;
    let rank = rank_by_elimination(&outputs);
    Ok(at_most(rank.enclosed(), 1))
}

pub fn claim() -> Claim {
    Claim::new("esser2024.prop-1e", "collapse of wide networks", Kind::Asymptotic)
        .statement(
            "Proposition 1 and dimension collapse also hold for wide neural networks trained on the losses (1), (2)",
        )
        .source("The sentence after Proposition 1", &[])
        .symbols([GROWTH])
        .symbol(
            "cloud",
            "x_1 = (1, ¼, −¼), x_2 = (¾, −¼, ¼), x_3 = (½, ¼, ¼), x_1⁺ = (1, ½, −¼), x_2⁺ = (¾, −¼, 0), x_3⁺ = (¾, ¼, \
             ¼), loss (2) −Σ_i u(x_i)ᵀu(x_i⁺), z = 3; with negatives x_1⁻ = (−1, −¼, ¼), x_2⁻ = (−½, ¼, −¼), x_3⁻ = \
             (−¾, 0, −¼): loss (1) Σ_i u(x_i)ᵀ(u(x_i⁻) − u(x_i⁺)), z = 2",
        )
        .symbol("x⁻ = x⁺", "the cloud with every x_i⁻ replaced by x_i⁺, loss (1), z = 2")
        .symbol("orthonormal anchors", "x_i = x_i⁺ = e_i, the unit vectors of ℝ³, loss (2), z = 2")
        .symbol(
            "stable rank",
            "‖U‖_F²/‖U‖₂² of the 3×z matrix U of the outputs at the anchors, ‖·‖_F the root of the sum of the squared \
             entries, ‖·‖₂ the largest singular value; its excess is what it exceeds one by",
        )
        .symbol(
            "excess left",
            "the median over the networks of the widest size of (stable rank at the time − 1)/(stable rank at the \
             start − 1)",
        )
        .symbol(
            "T",
            "the time of observation; for φ = id, tanh, ReLU in this order 0.15, 0.35, 0.25 on the cloud, 0.08, 0.18, \
             0.2 on the cloud with negatives, 0.25, 0.45, 0.4 otherwise",
        )
        .symbol(
            "kernel flow",
            "U(t) = e^{−2KSt}U(0) for the outputs at all nine points x_i, x_i⁺, x_i⁻ (for the loss (2) x_i⁻ as on the \
             cloud with negatives); K(p, p′) is the mean over the hidden units w of φ(wᵀp)φ(wᵀp′) + \
             pᵀp′φ′(wᵀp)φ′(wᵀp′), of the network at its start; S has the entries −½ between x_i and x_i⁺, for the loss \
             (1) also ½ between x_i and x_i⁻, and zeros otherwise; on the cloud, with or without negatives, the lowest \
             eigenvalue of KS is simple",
        )
        .symbol("rank", "of the matrix whose rows are the outputs at the anchors")
        .remark(
            "u = h^{−½}W₂ᵀφ(W₁x), standard normal weights, gradient flow at fixed time, widths 64, 256, 1024, several \
             seeds each; the kernel is averaged over the hidden units of the network itself at the start.",
        )
        .remark(
            "Exact for x⁻ = x⁺: the contrastive loss vanishes identically, so weights and outputs stay where they are \
             at every width. At fixed width and late times outputs blow up and leave the kernel regime; that order of \
             limits is not judged here.",
        )
        .setting(printed())
        .setting(at_rest())
}

fn printed() -> Setting<PredictionSweep, Sweep<NetworkSeen>> {
    Setting::measuring(observe)
        .given(
            "u = h^{−½}W₂ᵀφ(W₁x), standard normal weights, unconstrained gradient flow, n = d = 3; 32, 16 and 8 \
             networks of the widths h = 64, 256 and 1024, each followed to the time T",
        )
        .given("the data are the cloud, the cloud with negatives, orthonormal anchors, or the cloud with x⁻ = x⁺")
        .family(edge("data and activations", sweeps).restricted("four data sets written down, φ = id, tanh, ReLU"))
        .without_search()
        .part(
            "printed",
            "the outputs' stable rank loses at least half of its excess: the excess left at T is at most ½, h = 1024",
            fails("x⁻ = x⁺ makes the loss vanish identically; orthonormal anchors make all modes grow alike"),
            |_, all| collapses(all, |s| s.after).noting(curve(all)),
        )
        .sides("median share of the excess left at T", "½")
        .our_constant("what counts as collapse at a finite time: half of the excess")
        .part(
            "dynamics",
            "at T the outputs follow the kernel flow: ‖U − U_k‖_F/‖U_k‖_F, U and U_k the outputs at all nine points of \
             the network and of the kernel flow, is O(h^{−¼})",
            consistent(),
            |_, all| follows_kernel(all),
        )
        .our_constant("no rate is printed, h^{−¼} is ours")
        .assume(Hypothesis::new("not x⁻ = x⁺", |s| s.points != Points::EqualPartners))
        .amendment(
            "simple",
            "h → ∞ first, then t: along the kernel flow the excess left at 6T is at most ½, h = 1024",
            holds(),
            |_, all| collapses(all, |s| s.later),
        )
        .assume(Hypothesis::new("on the cloud, with or without negatives", generic))
        .amendment(
            "still",
            "at T the outputs at all nine points are what they were, to 10⁻⁹ of their norm, whatever the width and the \
             activation",
            holds(),
            |_, all| nothing_moves(all),
        )
        .tested_by("still-any")
        .assume(Hypothesis::new("x⁻ = x⁺", |s| s.points == Points::EqualPartners))
        .amendment("orthonormal", "odd φ: at h = 1024 the excess left at T is at least 0.8", holds(), |_, all| {
            at_least(excess_left(all, |s| s.after), exact(0.8)).noting(curve(all))
        })
        .assume(Hypothesis::new("orthonormal anchors, x⁺ = x, φ = id or tanh", |s| {
            s.points == Points::Orthonormal && s.activation != Activation::Relu
        }))
        .control(
            "still-any",
            "at T the outputs at all nine points are what the kernel flow makes them, whatever x⁻, to 10⁻⁹ of their \
             norm",
            |_, all| nothing_moves(all),
        )
        .control(
            "a",
            "h = 1024: the number of networks whose stable rank at the start is below 1.01 is at least half of all",
            |_, all| {
                let below = wide(all).filter(|s| s.before < 1.01).count();
                at_least(Enclosure::from(below).as_measured(), Enclosure::from(wide(all).len()) / 2.0)
            },
        )
        .control("b", "h = 1024: the median stable rank at T is that at the start, to one per cent", |_, all| {
            let at = |of: fn(&NetworkSeen) -> f64| Enclosure::measured(median(wide(all).map(of)));
            equal(at(|s| s.after), at(|s| s.before)).within(0.01)
        })
}

/// Every triple adds nothing to the loss, whatever the weights: its partners are equal, or its anchor has the output 0.
fn is_constant(i: &ModelOn<TripletData>) -> bool {
    let no_output = |x: &[f64]| {
        let at_zero = matches!(i.model, Model::TwoLayer { activation, .. } if activation.at(0.0).0 == 0.0);
        at_zero && x.iter().all(|e| *e == 0.0)
    };
    let triples = i.data.anchors.iter().zip(&i.data.positives).zip(&i.data.negatives);
    triples.into_iter().all(|((x, plus), minus)| plus == minus || no_output(x))
}

fn at_rest() -> Setting<ModelOn<TripletData>, ()> {
    Setting::of()
        .given(
            "loss (1) Σ_i u(x_i)ᵀ(u(x_i⁻) − u(x_i⁺)), u = W₂ᵀφ(W₁x); a network at whose weights its gradient in all \
             weights is zero stays there",
        )
        .assume(Hypothesis::new("a two-layer network", |i: &ModelOn<TripletData>| {
            matches!(i.model, Model::TwoLayer { .. })
        }))
        .degenerate(
            "in every triple x⁻ = x⁺, or x = 0 and φ(0) = 0, where the loss is zero for all weights",
            is_constant,
        )
        .family(edge("wide, x⁻ = x⁺", wide_at_rest))
        .family(edge("no weight on the one pair that pulls", saddle))
        .family(edge("named", named_models_on_triplets))
        .without_search()
        .part(
            "at-rest",
            "the outputs of a network that stays where it is have rank at most one",
            fails("x⁻ = x⁺ makes the loss vanish identically, at every width: no network moves, whatever its rank"),
            |i, ()| rest_is_collapsed(i).into(),
        )
        .sides("rank of the outputs", "1")
        .except(NOT_AT_REST)
}
