//! Algorithm 1: gradient descent on both encoders at once.
//!
//! Both parameters move against the gradient at the same point, of the loss averaged over all sets of negatives: nothing is random after
//! the initialisation. The step is compared with the exact gradient (forward differentiation of the whole map), and the slope of L_S along it is
//! −‖∇_W‖² − ‖∇_θ‖² for equal rates.

use contrapositive::claim::{Claim, Evaluation, Kind, Setting, all_of, holds, less_than, none_of, vacuous};
use contrapositive::contrastive::subset_loss;
use contrapositive::enclosure::Enclosure;
use contrapositive::interval::{Dual, Interval};
use contrapositive::network::{EnclosedActivations, Encoder, NetworkError, TwoEncoders};

use super::encoder_pair::{EncoderPair, families};
use super::outputs::same_numbers;

/// Step sizes η and γ; different, so that they cannot be confused.
const RATES: [f64; 2] = [0.125, 0.0625];

/// A change of the loss smaller than this may be curvature as well as slope.
const SHORT: f64 = 1.0 / 1024.0;

type Lists = [Vec<Interval>; 2];

struct Step {
    /// ∇_W and ∇_θ at the start, and the weights there.
    gradient: Lists,
    start: [Vec<f64>; 2],
    after: [Vec<f64>; 2],
    again: [Vec<f64>; 2],
    /// θ moved against the gradient at the new W.
    alternating: Vec<f64>,
    /// L_S at the start and after a short step of either sign along the gradient.
    loss: Enclosure,
    uphill: Enclosure,
    downhill: Enclosure,
}

fn flat(encoder: &Encoder) -> Vec<f64> {
    encoder.weights().matrices().flatten().copied().collect()
}

fn both(encoders: &TwoEncoders) -> [Vec<f64>; 2] {
    [flat(&encoders.query), flat(&encoders.key)]
}

fn enclosed_loss(encoders: &TwoEncoders, p: &EncoderPair) -> Result<Enclosure, NetworkError> {
    let outputs = |encoder: &Encoder| -> Result<Vec<Vec<Dual<0>>>, NetworkError> {
        let one = |x: &Vec<f64>| {
            let seen = EnclosedActivations::of(encoder, x)?;
            Ok(seen.output().iter().map(|&y| Dual::constant(y)).collect())
        };
        p.points.iter().map(one).collect()
    };
    let loss = subset_loss(&outputs(&encoders.query)?, &outputs(&encoders.key)?, p.negatives);
    Ok(loss.value.into())
}

fn step(p: &EncoderPair) -> Result<Step, Box<dyn std::error::Error + Send + Sync>> {
    let points = p.points.concat();
    let run = || -> Result<TwoEncoders, NetworkError> {
        let mut moved = p.encoders.clone();
        moved.descend(&points, p.negatives, RATES[0], RATES[1])?;
        Ok(moved)
    };
    let after = run()?;
    let mut half = p.encoders.clone();
    half.descend(&points, p.negatives, RATES[0], 0.0)?;
    half.descend(&points, p.negatives, 0.0, RATES[1])?;
    let exact = p.encoders.enclosed_gradient(&p.points, p.negatives)?;
    // The length of the step along the gradient, so short that the slope decides.
    let size: f64 = exact
        .iter()
        .flatten()
        .flatten()
        .map(|x| x.magnitude() * x.magnitude())
        .sum::<f64>()
        .max(1e-12);
    let rate = SHORT / size.sqrt().max(1.0);
    let moved = |sign: f64| -> Result<Enclosure, NetworkError> {
        let mut to = p.encoders.clone();
        to.descend(&points, p.negatives, sign * rate, sign * rate)?;
        enclosed_loss(&to, p)
    };
    Ok(Step {
        gradient: exact.map(|list| list.concat()),
        start: both(&p.encoders),
        after: both(&after),
        again: both(&run()?),
        alternating: flat(&half.key),
        loss: enclosed_loss(&p.encoders, p)?,
        uphill: moved(-1.0)?,
        downhill: moved(1.0)?,
    })
}

fn points_of(list: &[f64]) -> Vec<Interval> {
    list.iter().map(|&x| Interval::point(x)).collect()
}

impl Step {
    fn moved(&self, side: usize) -> Vec<Interval> {
        let entries = self.start[side].iter().zip(&self.gradient[side]);
        entries.map(|(&w, &g)| Interval::point(w) - g * RATES[side]).collect()
    }

    fn flat_here(&self) -> bool {
        self.gradient.iter().flatten().all(|g| g.magnitude() < 1e-6)
    }
}

fn unless_flat(s: &Step, test: impl FnOnce() -> Evaluation) -> Evaluation {
    if s.flat_here() {
        vacuous("the gradient vanishes")
    } else {
        test()
    }
}

pub fn claim() -> Claim {
    Claim::new("wen2020.algorithm-1", "end-to-end gradient descent", Kind::Definition)
        .statement(
            "W^{(t+1)} = W^{(t)} − η ∇_W L_S(W^{(t)}, θ^{(t)}), θ^{(t+1)} = θ^{(t)} − γ ∇_θ L_S(W^{(t)}, θ^{(t)}); \
             deterministic given W^{(0)}, θ^{(0)}",
        )
        .source("Algorithm 1", &["remark after it"])
        .remark("The derivative of the ReLU at 0 is a convention; the comparison keeps 10⁻⁴ away from the kinks.")
        .setting(
            Setting::measuring(|p: &EncoderPair, _| step(p))
                .assume("every pre-activation is at least 10⁻⁴ in size", |p| {
                    p.off_the_kinks(1e-4)
                })
                .families(families(3))
                .without_search()
                .part(
                    "printed",
                    "one step with η = 1/8, γ = 1/16 against the exact gradients at the same point",
                    holds(),
                    |_, s| {
                        all_of([
                            ("W", same_numbers(&points_of(&s.after[0]), &s.moved(0))),
                            ("θ", same_numbers(&points_of(&s.after[1]), &s.moved(1))),
                        ])
                    },
                )
                .not_evidence("compares the library's step with the library's gradient")
                .part("deterministic", "a second run gives the same bits", holds(), |_, s| {
                    let differ = |(a, b): &(&f64, &f64)| a.to_bits() != b.to_bits();
                    let pairs = s.after.iter().flatten().zip(s.again.iter().flatten());
                    none_of(pairs.filter(differ).count())
                })
                .sharpening(
                    "descent",
                    "a short step lowers L_S where the gradient does not vanish",
                    holds(),
                    |_, s| unless_flat(s, || less_than(s.downhill, s.loss)),
                )
                .when("far from the kinks", |p| p.off_the_kinks(0.02))
                .control("a", "θ moves against the gradient at the new W", |_, s| {
                    same_numbers(&points_of(&s.alternating), &points_of(&s.after[1]))
                })
                .control("b", "the sign reversed: the loss goes down", |_, s| {
                    unless_flat(s, || less_than(s.uphill, s.loss))
                }),
        )
}
