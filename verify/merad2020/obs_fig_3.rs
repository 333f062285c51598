//! Section 5 and Figure 3: along training the output norms stay between positive constants.
//!
//! Over a finite training it is nearly empty: the norms at finitely many steps have a smallest and a largest value, and all that
//! can fail is that an output vanishes (a dead network). Here none does. As support for Assumption 2 it does not go far: with the
//! largest norm C, L̂_un ≥ nζ(−2C²), so a loss that keeps falling needs norms that keep growing. On fixed triplets the squared norm
//! grows like log t, slowly enough to look bounded in a figure, and no constant C serves for ever.

use std::sync::Arc;

use enclosures::probability::fit_line;
use evidence::claim::Series;
use evidence::prelude::*;
use evidence::trend::LEVEL;

use super::long_descent::{Course, Descent, descend};
use crate::shared::experiments::{Architecture, Experiment, Source, Stage, averages, mean, runs};
use crate::shared::notation::{LOGARITHM, NORM, NORMAL_LAW};

/// What is trained.
const TRAINED: &str = "two convolutions with ReLU (4 and 8 maps, windows of 5 × 5 pixels, stride 2) and a dense layer \
                       on the first 100 images of each class of MNIST, 28 × 28 pixels in [0, 1], with N = 1, 15, 25 \
                       and 35, every parameter uniform in ±1/√k with k the inputs of its unit, mini-batches of 16 \
                       pairs (x, x⁺) with the same N negatives, Adam with rate 0.003; f(x) = Bx on the 1797 digits of \
                       8 × 8 pixels in [0, 1] with N = 1 and 35, B from N(0, 1/64), stochastic gradient descent with \
                       rate 0.05; f(x) = B relu(A x) with 32 hidden units, A from N(0, 2/32), B from N(0, 1/8), on the \
                       digits with N = 1, 15, 25 and 35 and with N = 1 on a mixture of 40, 30, 20 and 10 points of \
                       ℝ¹⁶, (centre + offset)/6 with standard Gaussian centres of the four classes and offsets of the \
                       points, and with A = 0 on the digits (N = 1) and the mixture (N = 5), Adam with rate 0.003; d = \
                       8, mini-batches of 8 tuples (x, x⁺, x_1⁻, …, x_N⁻) but for MNIST, the loss the mean over the \
                       mini-batch of log(1 + Σ_{i≤N} e^{f(x)·(f(x_i⁻) − f(x⁺))}); at the standard budget 250 updates \
                       and four runs, logged before training and after 1, 2, 5, 10, … and all updates";

/// The descents on fixed triplets.
const FIXED: &str = "(n, m, L, d, 1/ν) = (1, 4, 0, 1, 20), (1, 16, 1, 2, 20), (4, 16, 0, 4, 40), (4, 16, 1, 4, 40), \
                     (8, 32, 1, 4, 80), (4, 16, 2, 8, 80), one start each";

fn experiments() -> Vec<(String, Experiment)> {
    let of = |(encoder, data, n)| Experiment::new(encoder, data, n).named();
    let mnist = [1, 15, 25, 35].map(|n| of((Architecture::Convolutional, Source::Mnist, n)));
    let smaller = [
        of((Architecture::Linear, Source::Digits, 1)),
        of((Architecture::Linear, Source::Digits, 35)),
        of((Architecture::Relu, Source::Digits, 1)),
        of((Architecture::Relu, Source::Digits, 15)),
        of((Architecture::Relu, Source::Digits, 25)),
        of((Architecture::Relu, Source::Digits, 35)),
        of((Architecture::Relu, Source::Mixture, 1)),
        of((Architecture::Dead, Source::Digits, 1)),
        of((Architecture::Dead, Source::Mixture, 5)),
    ];
    mnist.into_iter().chain(smaller).collect()
}

fn smallest(stage: &Stage) -> Enclosure {
    stage.norms.smallest().map_or(Enclosure::ZERO, Enclosure::from).as_measured()
}

fn largest(stage: &Stage) -> Enclosure {
    stage.norms.largest().map_or(exact(f64::INFINITY), Enclosure::from).as_measured()
}

/// The smallest norm of each run.
fn floor(stages: &[Stage]) -> Enclosure {
    stages.iter().map(smallest).fold(exact(f64::INFINITY), Enclosure::min)
}

/// The largest norm of each run.
fn cap(stages: &[Stage]) -> Enclosure {
    stages.iter().map(largest).fold(Enclosure::ZERO, Enclosure::max)
}

/// Smallest and largest norm along training, the average of the runs, and the extremes over all of them.
fn curve(
    encoder: Architecture,
    data: Source,
    negatives: &'static [u64],
) -> impl Fn(&mut Trial) -> Result<Series, MeasureError> {
    move |trial| {
        let all = negatives
            .iter()
            .map(|&n| runs(&Experiment::new(encoder, data, n), trial))
            .collect::<Result<Vec<_>, _>>()?;
        let mut columns = vec!["updates".to_owned()];
        for n in negatives {
            columns.extend([format!("smallest, N = {n}"), format!("largest, N = {n}")]);
        }
        let extremes = |runs: &[Vec<Stage>]| {
            let least = runs.iter().map(|run| floor(run)).fold(exact(f64::INFINITY), Enclosure::min);
            let most = runs.iter().map(|run| cap(run)).fold(Enclosure::ZERO, Enclosure::max);
            format!("{least:.3} to {most:.3}")
        };
        let ranges: Vec<String> = all.iter().map(|runs| extremes(runs)).collect();
        let mut series = Series::of(columns.into_iter().map(|name| (name, ""))).noting(format!(
            "{}; over all logged steps{} the norms range from {}.",
            averages(all[0].len(), ""),
            if all[0].len() == 1 { "" } else { " of all runs" },
            ranges.join(", from ")
        ));
        for (i, stage) in all[0][0].iter().enumerate() {
            let mut row = vec![stage.step.into()];
            for runs in &all {
                row.push(mean(runs, smallest)[i].into());
                row.push(mean(runs, largest)[i].into());
            }
            series.push(row);
        }
        Ok(series)
    }
}

fn descents() -> Vec<(String, Descent)> {
    let of = |triplets, width, depth, output, slowness, seed| Descent {
        triplets,
        input: 6,
        width,
        depth,
        output,
        slowness,
        seed,
    };
    let list = [
        of(1, 4, 0, 1, 20, 1),
        of(1, 16, 1, 2, 20, 2),
        of(4, 16, 0, 4, 40, 3),
        of(4, 16, 1, 4, 40, 4),
        of(8, 32, 1, 4, 80, 5),
        of(4, 16, 2, 8, 80, 6),
    ];
    list.map(|d| (format!("n = {}, L = {}", d.triplets, d.depth), d)).to_vec()
}

/// ½ log(1/(e^{L̂/n} − 1)): what the square of the largest norm exceeds when the loss is L̂.
fn needed(course: &Course, loss: Enclosure) -> Enclosure {
    0.5 * (1.0 / (loss / course.triplets).exp_m1()).ln()
}

/// One long descent at its logged steps.
fn long_curve(trial: &mut Trial) -> Result<Series, MeasureError> {
    let descent = Descent { triplets: 4, input: 6, width: 16, depth: 1, output: 4, slowness: 40, seed: 4 };
    let course = descend(&descent, trial)?;
    let mut series = Series::of([
        ("updates t", ""),
        ("L̂_un", "nats"),
        ("smallest ‖f(x)‖", ""),
        ("largest ‖f(x)‖", ""),
        ("its square", ""),
        ("½ log(1/(e^{L̂/n} − 1))", ""),
    ])
    .noting(format!(
        "{}; over the last two decades of t the squared largest norm grows by {:.2} for each unit of log t.",
        descent.describe(),
        fit_line(&course.growth(), LEVEL)?.slope.midpoint()
    ));
    for moment in &course.moments {
        series.push([
            moment.step.into(),
            moment.loss.into(),
            moment.smallest.into(),
            moment.largest.into(),
            moment.largest.square().into(),
            needed(&course, moment.loss).into(),
        ]);
    }
    Ok(series)
}

pub fn claim() -> Claim {
    Claim::new("merad2020.obs-fig-3", "observation: output norms stay bounded away from 0 and ∞", Kind::Observation)
        .statement(
            "Along training one can assume the smallest and the largest ‖f(x)‖ over the data to be lower and upper \
             bounded by constants, also in the early iterations",
        )
        .symbols([NORM, LOGARITHM, NORMAL_LAW])
        .symbol("L̂_un", "Σ_i log(1 + e^{f(x_i)·(f(x_i⁻) − f(x_i⁺))}) over the n triplets")
        .symbol("slope", "of a least-squares line, judged by its 95 % interval")
        .source("Figure 3", &["section 5, Results", "section 4, after Assumption 2"])
        .remark(
            "Training is repeated here briefly on images of MNIST with a small convolutional encoder, and on the \
             digits with smaller ones; the norms are taken over 100 images per class, or all 1797 digits, at each \
             logged step.",
        )
        .remark(
            "What the figure supports: that no output vanishes in a training of that length. What it does not support: \
             constants η and C that are fixed beforehand and serve for every accuracy. The loss is at least nζ(−2C²), \
             so norms must grow as it falls (`floor`), and on fixed triplets they grow like √log t for as long as \
             training was followed (`longer`, `growth`).",
        )
        .series(
            "convolutional",
            "norms of the outputs of a convolutional encoder over images of MNIST",
            curve(Architecture::Convolutional, Source::Mnist, &[1, 15, 25, 35]),
        )
        .series(
            "relu",
            "norms of the outputs of a ReLU encoder over the digits",
            curve(Architecture::Relu, Source::Digits, &[1, 15, 25, 35]),
        )
        .series(
            "linear",
            "norms of the outputs of a linear encoder over the digits",
            curve(Architecture::Linear, Source::Digits, &[1, 35]),
        )
        .series("long", "full-batch gradient descent on four fixed triplets", long_curve)
        .setting(printed())
        .setting(longer())
}

fn printed() -> Setting<Experiment, Arc<Vec<Vec<Stage>>>> {
    Setting::measuring(|e: &Experiment, trial| runs(e, trial))
        .given(
            "1 ≤ N ≤ 64 negatives, an encoder trained contrastively on mini-batches; norms of the outputs over the \
             whole data",
        )
        .family(data("trained encoders", |_| Ok(experiments())).restricted(TRAINED))
        .without_search()
        .part(
            "printed",
            "in every run the norms over data and logged steps lie between 1/100 and 100",
            consistent(),
            |_, runs| {
                let each = runs.iter().flat_map(|stages| {
                    [("smallest", at_least(floor(stages), exact(0.01))), ("largest", at_most(cap(stages), 100))]
                });
                all_of(each)
            },
        )
        .our_constant("the constants 1/100 and 100, and how long is trained")
        .assume(Hypothesis::new("the network is not dead to begin with: not the one with A = 0", |e| {
            e.encoder != Architecture::Dead
        }))
        .control(
            "a",
            "in every run the smallest norm over data and logged steps is positive, for a dead network too",
            |_, runs| all_of(runs.iter().map(|stages| ("a run", greater_than(floor(stages), 0)))),
        )
        .control("b", "the norms of a run stay within a factor of two of each other", |_, runs| {
            all_of(runs.iter().map(|stages| ("a run", at_most(cap(stages), 2.0 * floor(stages)))))
        })
        .sides("the largest norm of a run", "twice its smallest norm")
        .assume(Hypothesis::new("the network is not dead to begin with: not the one with A = 0", |e| {
            e.encoder != Architecture::Dead
        }))
}

fn longer() -> Setting<Descent, Course> {
    Setting::measuring(|d: &Descent, trial| descend(d, trial))
        .given(
            "n triplets of inputs in random directions of norm 1 in ℝ⁶; f(x) = B h_L, h_0 = relu(A x), h_l = relu(W_l \
             h_{l−1}), A and W_l from N(0, 2/m), B from N(0, 1/d); every update subtracts ν times the gradient of L̂_un \
             in all matrices, 20 000 times at the standard budget; logged before training and after 1, 2, 5, 10, … and \
             all updates; max ‖f(x)‖ is over the 3n inputs",
        )
        .family(edge("fixed triplets", descents).restricted(FIXED))
        .without_search()
        .ours(
            "longer",
            "the largest ‖f(x)‖ of an input of the triplets logged up to 20 updates is not exceeded at the logged \
             steps up to 20 000 updates",
            fails("on fixed triplets the loss falls for ever and the norms grow"),
            |_, course| at_most(course.largest_until(usize::MAX), course.largest_until(course.early)),
        )
        .sides("largest ‖f(x)‖ of the run", "largest ‖f(x)‖ up to 20 updates")
        .ours(
            "floor",
            "at every logged step max ‖f(x)‖² ≥ ½ log(1/(e^{L̂_un/n} − 1)): a falling loss needs growing norms",
            holds(),
            |_, course| {
                all_of(course.moments.iter().map(|moment| {
                    let square = moment.largest.square();
                    let part = at_least(square, needed(course, moment.loss));
                    (format!("{} updates", moment.step), part)
                }))
            },
        )
        .ours(
            "growth",
            "over the logged t from 200 to 20 000 the slope of max ‖f(x)‖² against log t, t the number of updates, is \
             ½ or more, which `floor` demands of a loss that falls like 1/t",
            consistent(),
            |_, course| Trend::line(&course.growth()).named("log t").slope_at_least(0.5),
        )
        .control("c", "max ‖f(x)‖² ≥ 1 + ½ log(1/(e^{L̂_un/n} − 1))", |_, course| {
            all_of(course.moments.iter().map(|moment| {
                let part = at_least(moment.largest.square(), 1.0 + needed(course, moment.loss));
                (format!("{} updates", moment.step), part)
            }))
        })
        .control("d", "max ‖f(x)‖² grows at least like t^{1/4} over the last two decades of t", |_, course| {
            let mut last = course.last_two_decades();
            match (last.next(), last.last()) {
                (Some(first), Some(end)) => {
                    let longer = Enclosure::from(end.step) / Enclosure::from(first.step);
                    at_least(end.largest.square(), longer.sqrt().sqrt() * first.largest.square())
                }
                _ => Evaluation::Failed("too few steps".into()),
            }
        })
        .sides(
            "max ‖f(x)‖² at the last t",
            "max ‖f(x)‖² at the first t of the two decades, times the fourth root of the quotient of these t",
        )
        .control("e", "the slope of max ‖f(x)‖² against log t is 2 or more", |_, course| {
            Trend::line(&course.growth()).named("log t").slope_at_least(2.0)
        })
}
