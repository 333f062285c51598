//! Algorithm 1: gradient descent on both encoders at once.
//!
//! Both parameters move against the gradient at the same point, of the loss averaged over all sets of negatives: nothing is random after
//! the initialisation, and nothing depends on the order in which the inputs are listed. The library's step is compared with the exact
//! gradient (forward differentiation of the whole map), which tells it from steps taken in turns.

use contrastive::network::{Encoder, TwoEncoders};
use enclosures::vectors::points;
use evidence::claim::Series;
use evidence::prelude::*;

use crate::shared::encoder_pair::{EncoderPair, families};
use crate::shared::query_key_outputs::same_numbers;
use crate::shared::signs::{HIDDEN, KEY, LOSS, NETWORKS, PRE_ACTIVATION, QUERY, QUERY_GRADIENT, STEP};
use crate::shared::trainings::{Inputs, total, training};

/// Step sizes η and γ; different, so that they cannot be confused.
const RATES: [f64; 2] = [0.125, 0.0625];

/// There the library and the enclosed gradient follow conventions of their own.
const AT_A_KINK: &str = "a pre-activation is zero, where L_S need not have a gradient";

type Lists = [Vec<Interval>; 2];

struct Step {
    /// ∇_W and ∇_θ at the start, and the weights there.
    gradient: Lists,
    start: [Vec<f64>; 2],
    after: [Vec<f64>; 2],
    /// The gradients with the inputs in the opposite order, and with another number of negatives.
    reordered: Lists,
    other_negatives: Lists,
    /// θ moved against the gradient at the new W.
    alternating: Vec<f64>,
}

fn flat(encoder: &Encoder) -> Vec<f64> {
    encoder.weights().matrices().flatten().copied().collect()
}

fn both(encoders: &TwoEncoders) -> [Vec<f64>; 2] {
    [flat(&encoders.query), flat(&encoders.key)]
}

fn step(p: &EncoderPair) -> Result<Step, Box<dyn std::error::Error + Send + Sync>> {
    let points = p.points.concat();
    let mut after = p.encoders.clone();
    after.descend(&points, p.negatives, RATES[0], RATES[1])?;
    let mut half = p.encoders.clone();
    half.descend(&points, p.negatives, RATES[0], 0.0)?;
    half.descend(&points, p.negatives, 0.0, RATES[1])?;
    let reversed: Vec<Vec<f64>> = p.points.iter().rev().cloned().collect();
    let exact = p.encoders.enclosed_gradient(&p.points, p.negatives)?;
    Ok(Step {
        gradient: exact.map(|list| list.concat()),
        start: both(&p.encoders),
        after: both(&after),
        reordered: p.encoders.enclosed_gradient(&reversed, p.negatives)?.map(|list| list.concat()),
        other_negatives: p
            .encoders
            .enclosed_gradient(&p.points, p.negatives % (p.points.len() - 1) + 1)?
            .map(|list| list.concat()),
        alternating: flat(&half.key),
    })
}

impl Step {
    fn moved(&self, side: usize) -> Vec<Interval> {
        let entries = self.start[side].iter().zip(&self.gradient[side]);
        entries.map(|(&w, &g)| Interval::point(w) - g * RATES[side]).collect()
    }
}

fn same_gradients(left: &Lists, right: &Lists) -> Evaluation {
    all_of([("W", same_numbers(&left[0], &right[0])), ("θ", same_numbers(&left[1], &right[1]))])
}

/// A run on MNIST: how far down the loss vectors come, and how far both encoders move, beside the radius of the proof.
fn on_mnist(trial: &mut Trial) -> Result<Series, MeasureError> {
    let (points, width, layers) = (10, 100, 2);
    let run = training(Inputs::Mnist, [points, 3, 784, width, layers, 16, 200], 500, 10).run(trial.fixtures())?;
    let measured = Enclosure::measured;
    let count = Enclosure::from(points);
    let depth = Enclosure::from(layers);
    let logarithm = Enclosure::from(width).ln();
    let cube = |x: Enclosure| x.square() * x;
    let root = |x: Enclosure| cube(x).sqrt();
    let radius = root(measured(run.separation)) / (cube(count) * cube(depth).square() * root(logarithm));
    let over_radius = |steps: usize| measured(run.progress[steps].distances[0]) / radius;
    let mut series = Series::of([
        ("T", ""),
        ("L_S(T)", "nats"),
        ("‖loss^{(T)}‖₂", ""),
        ("(1/T) Σ_{t<T} ‖loss^{(t)}‖₂", ""),
        ("‖W^{(T)} − W^{(0)}‖_F", ""),
        ("‖θ^{(T)} − θ^{(0)}‖_F", ""),
        ("distance of W over the radius", ""),
        ("distance of θ over the radius", ""),
    ])
    .noting(format!(
        "the first image of each class of MNIST, divided by its norm; n = {points}, k = 3, b = 784, m = {width}, L = \
         {layers}, d = 16, η = γ = d/(2m), one start; δ = {:.3}; the radius of the proof, δ^{{3/2}}/(n³L⁶(log \
         m)^{{3/2}}) with the constant 1, is {:.2e}: the first step already leaves it, {:.0e} times over, so that what \
         the proof says of the gradients within it says nothing of this run, whose loss falls all the same",
        run.separation,
        radius.midpoint(),
        over_radius(1).midpoint()
    ));
    for steps in [1, 2, 5, 10, 20, 50, 100, 200] {
        let now = &run.progress[steps];
        series.push([
            steps.into(),
            measured(now.loss).into(),
            measured(total(now).sqrt()).into(),
            measured(run.average_until(steps)).into(),
            measured(now.distances[0]).into(),
            measured(now.distances[1]).into(),
            (measured(now.distances[0]) / radius).into(),
            (measured(now.distances[1]) / radius).into(),
        ]);
    }
    Ok(series)
}

pub fn claim() -> Claim {
    Claim::new("wen2020.algorithm-1", "end-to-end gradient descent", Kind::Definition)
        .statement(
            "W^{(t+1)} = W^{(t)} − η ∇_W L_S(W^{(t)}, θ^{(t)}), θ^{(t+1)} = θ^{(t)} − γ ∇_θ L_S(W^{(t)}, θ^{(t)}); \
             deterministic given W^{(0)}, θ^{(0)}",
        )
        .source("Algorithm 1", &["remark after it"])
        .symbols(NETWORKS)
        .symbols([HIDDEN, PRE_ACTIVATION, QUERY, KEY, LOSS, QUERY_GRADIENT, STEP])
        .symbol("S", "the list x_1, …, x_n of inputs")
        .remark("The derivative of the ReLU at 0 is a convention; the comparison keeps 10⁻⁴ away from the kinks.")
        .series("mnist", "a run on images of MNIST", on_mnist)
        .setting(printed())
}

fn printed() -> Setting<EncoderPair, Step> {
    Setting::measuring(|p: &EncoderPair, _| step(p))
        .given("both encoders have one shape, 1 ≤ k ≤ n − 1")
        .assume(Hypothesis::new("every pre-activation is at least 10⁻⁴ in size", |p| p.off_the_kinks(1e-4)))
        .family(families(3))
        .without_search()
        .part(
            "printed",
            "W − η∇_W L_S and θ − γ∇_θ L_S with both gradients at the start, η = 1/8, γ = 1/16, are what one step \
             gives",
            holds(),
            |p, s| {
                if !p.off_the_kinks(f64::MIN_POSITIVE) {
                    return vacuous(AT_A_KINK);
                }
                all_of([
                    ("W", same_numbers(&points(&s.after[0]), &s.moved(0))),
                    ("θ", same_numbers(&points(&s.after[1]), &s.moved(1))),
                ])
            },
        )
        .except(AT_A_KINK)
        .not_evidence(
            "on this page a step is this formula: what is compared is the library's step and its exact gradient",
        )
        .part(
            "deterministic",
            "nothing but W, θ and the inputs of S in any order decides the step: ∇_W L_S and ∇_θ L_S are the same for \
             x_n, …, x_1",
            holds(),
            |_, s| same_gradients(&s.gradient, &s.reordered),
        )
        .control(
            "c",
            "∇_W L_S and ∇_θ L_S are the same with (k mod (n − 1)) + 1 negatives in place of k",
            |_, s| same_gradients(&s.gradient, &s.other_negatives),
        )
        .assume(Hypothesis::new("n ≥ 3", |p| p.points.len() >= 3))
        .control("a", "θ − γ∇_θ L_S with the gradient at the new W is what one step gives", |_, s| {
            same_numbers(&points(&s.alternating), &points(&s.after[1]))
        })
}
