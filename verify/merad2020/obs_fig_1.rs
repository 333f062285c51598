//! Section 5 and Figure 1: inequality (7) without log N_C, along training.
//!
//! True, and not an observation only: L_sup^μ ≤ L_un/p_min holds for every model and every encoder, trained or not (proof in
//! Lemma 1, sharpening `without-log`). So the figure could not have come out otherwise. That the two losses follow a similar
//! trend is a measurement: in every run here their order over the logged steps agrees for nearly all pairs of steps. It does
//! not follow from the inequality, which leaves a factor of 1/p_min = 10 between them.

use std::sync::Arc;

use contrastive::{LatentClassModel, sup_mean_all, unsupervised_loss};
use estimators::bounds::LEMMA_1_WITHOUT_LOG;
use evidence::claim::Series;
use evidence::claim::pairs_below;
use evidence::prelude::*;

use super::remark_lemma_2::extremal;
use crate::shared::augmented_images::{AUGMENTED, AugmentedImages, along_training, convolutional_along_training};
use crate::shared::drawn_models::{INTERVALS, SampledLosses};
use crate::shared::experiments::{Architecture, Experiment, OURS, Source, TrainedLosses, averages, losses, mean};
use crate::shared::families::models;
use crate::shared::hypotheses::MODEL;
use crate::shared::notation::{CLASS_COUNT, EMBEDDING, LOGARITHM, MEAN_CLASSIFIER_LOSS, ONE_NEGATIVE_LOSS, P_MIN, RHO};

fn experiments() -> Vec<(String, Experiment)> {
    let trained = [
        (Architecture::Convolutional, Source::Mnist),
        (Architecture::Linear, Source::Digits),
        (Architecture::Relu, Source::Digits),
        (Architecture::Relu, Source::Mixture),
    ];
    trained.map(|(encoder, data)| Experiment::new(encoder, data, 1).named()).to_vec()
}

/// A comparison at every logged step of every run, judged by the worst.
pub fn at_every_step(runs: &[Vec<TrainedLosses>], compare: impl Fn(&TrainedLosses) -> Evaluation) -> Evaluation {
    let stages = runs.iter().enumerate().flat_map(|(run, stages)| stages.iter().map(move |stage| (run, stage)));
    all_of(stages.map(|(run, stage)| (format!("run {}, {} updates", run + 1, stage.step), compare(stage))))
}

/// Kendall's rank correlation of the two losses over the logged steps: of all pairs of steps, the share on which both losses agree
/// which is the larger, less the share on which they do not.
pub fn rank_correlation(stages: &[TrainedLosses]) -> Enclosure {
    let order = |x: Enclosure, y: Enclosure| match () {
        () if x.hi() < y.lo() => Enclosure::ONE,
        () if x.lo() > y.hi() => -Enclosure::ONE,
        () => Enclosure::between(-1.0, 1.0),
    };
    let pairs = pairs_below(stages.len()).map(|(j, i)| (&stages[i], &stages[j]));
    let agreement = pairs.map(|(early, late)| {
        order(early.unsupervised, late.unsupervised) * order(early.mean_classifier, late.mean_classifier)
    });
    let agreements: Vec<Enclosure> = agreement.collect();
    let count = agreements.len().max(1) as f64;
    // The signs forget that the losses were measured.
    (agreements.into_iter().sum::<Enclosure>() / count).as_measured()
}

/// The average over the runs.
pub fn mean_rank_correlation(runs: &[Vec<TrainedLosses>]) -> Enclosure {
    runs.iter().map(|stages| rank_correlation(stages)).sum::<Enclosure>() / runs.len().max(1) as f64
}

/// Both losses along training, the average of the runs, and the worst run's share of the bound.
fn curve(encoder: Architecture, data: Source) -> impl Fn(&mut Trial) -> Result<Series, MeasureError> {
    move |trial| {
        let runs = losses(&Experiment::new(encoder, data, 1), trial)?;
        let unsupervised = mean(&runs, |stage| stage.unsupervised);
        let bound = mean(&runs, |stage| stage.unsupervised / stage.p_min);
        let supervised = mean(&runs, |stage| stage.mean_classifier);
        let mut series = Series::of([
            ("updates", ""),
            ("L_un", "nats"),
            ("L_sup^μ", "nats"),
            ("L_un/p_min", "nats"),
            ("largest p_min L_sup^μ/L_un", ""),
        ])
        .noting(format!(
            "{}; Kendall's rank correlation of L_un and L_sup^μ over the logged steps: {:.2}.",
            averages(runs.len(), ", the rank correlation among them, and the largest ratio in any of them"),
            mean_rank_correlation(&runs)
        ));
        for (i, stage) in runs[0].iter().enumerate() {
            let share = |run: &Vec<TrainedLosses>| run[i].mean_classifier * run[i].p_min / run[i].unsupervised;
            let largest = runs.iter().map(share).fold(Enclosure::ZERO, Enclosure::max);
            series.push([
                stage.step.into(),
                unsupervised[i].into(),
                supervised[i].into(),
                bound[i].into(),
                largest.into(),
            ]);
        }
        Ok(series)
    }
}

pub fn claim() -> Claim {
    Claim::new("merad2020.obs-fig-1", "observation: inequality (7) without log N_C", Kind::Observation)
        .statement(
            "Along training, inequality (7) is satisfied even when the log N_C term is discarded, L_sup^μ(f,𝒞) ≤ \
             L_un(f)/p_min, and both losses follow a similar trend",
        )
        .symbols([CLASS_COUNT, RHO, P_MIN, EMBEDDING, MEAN_CLASSIFIER_LOSS, ONE_NEGATIVE_LOSS, LOGARITHM])
        .source("Figure 1", &["section 5, Results"])
        .remark(
            "Training is repeated here briefly on images of MNIST with a small convolutional encoder, and on the \
             digits and on a Gaussian mixture with smaller ones, not on all of the paper's three image sets with its \
             networks; the losses of each logged encoder are exact for the sample shown (100 images per class, 20 \
             digits per class).",
        )
        .remark(
            "What the figure supports: nothing beyond Lemma 1's own proof, since the inequality without log N_C is \
             true of every encoder. What it does not support: that L_sup^μ is anywhere near L_un/p_min along training \
             (see the last column of the curves).",
        )
        .series(
            "convolutional",
            "a convolutional encoder on MNIST, N = 1",
            curve(Architecture::Convolutional, Source::Mnist),
        )
        .series("linear", "a linear encoder on the digits, N = 1", curve(Architecture::Linear, Source::Digits))
        .series("relu", "a ReLU encoder on the digits, N = 1", curve(Architecture::Relu, Source::Digits))
        .series(
            "mixture",
            "a ReLU encoder on a Gaussian mixture of four classes, N = 1",
            curve(Architecture::Relu, Source::Mixture),
        )
        .setting(printed())
        .setting(every_model())
        .setting(fresh())
}

fn printed() -> Setting<Experiment, Arc<Vec<Vec<TrainedLosses>>>> {
    Setting::measuring(|e: &Experiment, trial| losses(e, trial))
        .given("N = 1")
        .family(data("trained encoders", |_| Ok(experiments())).restricted(OURS))
        .without_search()
        .part("printed", "L_sup^μ ≤ L_un/p_min at every logged step of every run", holds(), |_, runs| {
            at_every_step(runs, |l| at_most(l.mean_classifier, l.unsupervised / l.p_min))
        })
        .part(
            "trend",
            "similar trend: Kendall's rank correlation of the two losses over the logged steps (the share of pairs of \
             steps that both order alike, less the share that they order differently), averaged over runs, is above ½",
            consistent(),
            |_, runs| greater_than(mean_rank_correlation(runs), exact(0.5)),
        )
        .our_constant("the measure of \"similar\" and its level ½")
        .control("a", "1/p_min discarded too: L_sup^μ ≤ L_un along training", |_, runs| {
            at_every_step(runs, |l| at_most(l.mean_classifier, l.unsupervised))
        })
        .control("b", "the trends are the same: a rank correlation of 1 on average", |_, runs| {
            at_least(mean_rank_correlation(runs), 1)
        })
        .control("c", "the bound is nearly attained: 2 L_sup^μ ≥ L_un/p_min along training", |_, runs| {
            at_every_step(runs, |l| at_most(l.unsupervised / l.p_min, 2.0 * l.mean_classifier))
        })
}

fn every_model() -> Setting<LatentClassModel, (Interval, Interval)> {
    Setting::measuring(|m: &LatentClassModel, _| Ok((sup_mean_all(m), unsupervised_loss(m, 1)?)))
        .given(MODEL)
        .family(edge("a rarest class moving off, N = 1", || {
            let alone = extremal().into_iter().filter(|(_, i)| i.negatives == 1);
            alone.map(|(name, i)| (name, i.model)).collect()
        }))
        .family(models(10, |m| vec![m]))
        .ours("every-model", "L_sup^μ ≤ L_un/p_min for every model", holds(), |m, &(supervised, unsupervised)| {
            at_most(supervised, unsupervised / m.p_min())
        })
        .because("the figure speaks of its encoders only")
        .control("d", "1/p_min discarded too: L_sup^μ ≤ L_un", |_, &(supervised, unsupervised)| {
            at_most(supervised, unsupervised)
        })
        .control("e", "L_sup^μ ≤ 0.99·L_un/p_min", |m, &(supervised, unsupervised)| {
            at_most(supervised, unsupervised * 0.99 / m.p_min())
        })
}

fn fresh() -> Setting<AugmentedImages, SampledLosses> {
    Setting::measuring(|m: &AugmentedImages, trial| m.losses(None, &[LEMMA_1_WITHOUT_LOG], trial))
        .given(AUGMENTED)
        .given("N = 1")
        .given(INTERVALS)
        .family(edge("augmented images", || {
            along_training(1).into_iter().chain(convolutional_along_training(1)).collect()
        }))
        .without_search()
        .ours("fresh-draws", "augmented images, on fresh draws: L_sup^μ ≤ L_un/p_min", holds(), |_, l| {
            l.below(&LEMMA_1_WITHOUT_LOG)
        })
        .sides("p_min L_sup^μ", "L_un")
        .because("the figure takes the losses on the images that it has")
        .control("f", "augmented images, on fresh draws: L_sup^μ ≥ L_un/p_min", |_, l| l.above(&LEMMA_1_WITHOUT_LOG))
        .sides("p_min L_sup^μ", "L_un")
}
