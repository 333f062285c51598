//! Section 5 and Figure 2: inequality (8) without the coupon-collector factor 1/p_cc(N).
//!
//! Along training it holds here too, with room to spare; as a general statement it is false for every N: one class at C
//! and the others at C/2 on a line make L_sup^μ > L_un^N once C is large enough, because the far class is missing from the N
//! negatives with the probability (1 − 1/N_C)^N. True in general is (1 − (1 − p_min)^N) L_sup^μ ≤ L_un^N (the remark after Lemma 2).
//!
//! And L_sup^μ ≤ L_un^N holds while the outputs are short. For equally likely classes and norms at most C, Hoeffding's lemma gives
//! Σ_{c'} e^{a_{c'}} ≤ N_C e^{ā + C⁴/2} with ā the mean logit of an anchor (the logits f(x)·(μ_{c'} − μ_c) spread over at
//! most 2C²), and Jensen's inequality gives L_un^N ≥ E log(1 + N e^ā). So N_C e^{C⁴/2} ≤ N + e^{−2C²} is enough, as ā ≤ 2C².

use std::sync::Arc;

use contrastive::{Atom, LatentClassModel, drawn_probability, sup_mean_all, unsupervised_loss};
use enclosures::interval;
use enclosures::probability::Coverage;
use evidence::claim::Series;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;

use super::far_class::{caps, far_class, is_short};
use super::obs_fig_1::{at_every_step, mean_rank_correlation};
use super::remark_lemma_2::extremal;
use crate::shared::augmented_images::{AUGMENTED, AugmentedImages, along_training};
use crate::shared::drawn_models::{INTERVALS, SampledLosses, told_apart};
use crate::shared::experiments::{Architecture, Experiment, OURS, Source, TrainedLosses, averages, losses, mean};
use crate::shared::families::{line, models};
use crate::shared::hypotheses::{AS_MANY_NEGATIVES, MODEL, REGIME, has_as_many_negatives, is_in_the_regime};
use crate::shared::negatives::{Negatives, sizes};
use crate::shared::notation::{
    CLASS_COUNT, COVERAGE, EMBEDDING, LOGARITHM, MEAN_CLASSIFIER_LOSS, P_MIN, RHO, UNSUPERVISED_LOSS,
};

const ENOUGH_NEGATIVES: Hypothesis<Negatives> =
    Hypothesis::new(AS_MANY_NEGATIVES, |i| has_as_many_negatives(&i.model, i.negatives));
const EQUALLY_LIKELY: Hypothesis<Negatives> = Hypothesis::new("ρ uniform", |i| i.model.is_uniform());
const SHORT_OUTPUTS: Hypothesis<Negatives> = Hypothesis::new("N_C e^{C⁴/2} ≤ N + e^{−2C²}", |i| {
    is_short(i.model.n_classes(), i.negatives, longest(&i.model))
});

/// The numbers of negatives of the figure.
const NEGATIVES: [u64; 3] = [15, 25, 35];

fn experiments() -> Vec<(String, Experiment)> {
    let trained = [
        (Architecture::Convolutional, Source::Mnist),
        (Architecture::Linear, Source::Digits),
        (Architecture::Relu, Source::Digits),
        (Architecture::Relu, Source::Mixture),
    ];
    let each = |(encoder, data)| NEGATIVES.map(|n| Experiment::new(encoder, data, n).named());
    trained.into_iter().flat_map(each).collect()
}

/// Both losses along training for the three numbers of negatives, the average of the runs.
fn curve(encoder: Architecture, data: Source) -> impl Fn(&mut Trial) -> Result<Series, MeasureError> {
    move |trial| {
        let all: Vec<Arc<Vec<Vec<TrainedLosses>>>> =
            NEGATIVES.iter().map(|&n| losses(&Experiment::new(encoder, data, n), trial)).collect::<Result<_, _>>()?;
        let mut columns = vec![("updates".to_owned(), "")];
        for n in NEGATIVES {
            columns.push((format!("L_un^{n}"), "nats"));
            columns.push((format!("L_sup^μ for N = {n}"), "nats"));
            columns.push(("largest L_sup^μ/L_un^N".to_owned(), ""));
        }
        let trends: Vec<String> = all.iter().map(|runs| format!("{:.2}", mean_rank_correlation(runs))).collect();
        let mut series = Series::of(columns).noting(format!(
            "{}; Kendall's rank correlation of the two losses: {} for N = 15, 25, 35.",
            averages(all[0].len(), ", and the largest ratio in any of them"),
            trends.join(", ")
        ));
        for (i, stage) in all[0][0].iter().enumerate() {
            let mut row = vec![stage.step.into()];
            for runs in &all {
                let ratio = |run: &Vec<TrainedLosses>| run[i].mean_classifier / run[i].unsupervised;
                row.push(mean(runs, |l| l.unsupervised)[i].into());
                row.push(mean(runs, |l| l.mean_classifier)[i].into());
                row.push(runs.iter().map(ratio).fold(Enclosure::ZERO, Enclosure::max).into());
            }
            series.push(row);
        }
        Ok(series)
    }
}

struct FigureTwoLosses {
    /// L_sup^μ(f, 𝒞).
    supervised: Enclosure,
    /// L_un^N(f).
    unsupervised: Enclosure,
    /// 1 − (1 − p_min)^N.
    rarest_drawn: Enclosure,
    /// p_cc(N).
    covered: Enclosure,
}

fn sides(i: &Negatives) -> Result<FigureTwoLosses, MeasureError> {
    Ok(FigureTwoLosses {
        supervised: sup_mean_all(&i.model).into(),
        unsupervised: unsupervised_loss(&i.model, i.negatives)?.into(),
        rarest_drawn: drawn_probability(i.model.p_min(), i.negatives).into(),
        covered: Coverage::of_weights(i.model.class_weights(), i.negatives)?.covered.into(),
    })
}

fn bare(s: &FigureTwoLosses) -> Evaluation {
    at_most(s.supervised, s.unsupervised)
}

/// max ‖f(x)‖.
fn longest(model: &LatentClassModel) -> Enclosure {
    let norms = model.classes().iter().flatten().map(|atom| interval::dot(&atom.at, &atom.at));
    let square = norms.fold(Enclosure::ZERO, |most, norm| most.max(Enclosure::from(norm)));
    square.sqrt()
}

/// The extremal line for few and many classes, beyond its threshold and at it, and short outputs.
fn far_and_near() -> Vec<(String, Negatives)> {
    let of = |(classes, negatives, cap): (usize, u64, f64)| {
        let model = line(&vec![1.0; classes], &far_class(classes, cap));
        (format!("{classes} classes, one at {cap} and the others at half of that"), Negatives { negatives, model })
    };
    let sizes = [
        (2, 2, 4.5),
        (2, 2, 6.0),
        (3, 3, 4.0),
        (3, 5, 8.0),
        (10, 10, 3.3),
        (10, 10, 3.4),
        (10, 10, 3.5),
        (5, 5, 3.5),
        (10, 15, 5.0),
        (10, 25, 9.0),
        (10, 35, 20.0),
        (2, 2, 0.7),
        (3, 5, 0.95),
        (10, 15, 0.9),
        (10, 35, 1.2),
    ];
    sizes.map(of).to_vec()
}

pub fn claim() -> Claim {
    Claim::new(
        "merad2020.obs-fig-2",
        "observation: inequality (8) without the coupon-collector factor",
        Kind::Observation,
    )
    .statement(
        "Along training with N = 15, 25, 35, inequality (8) seems to hold even without the factor 1/p_cc(N): \
         L_sup^μ(f,𝒞) ≤ L_un^N(f); both losses behave similarly",
    )
    .symbols([CLASS_COUNT, RHO, P_MIN, EMBEDDING, MEAN_CLASSIFIER_LOSS, UNSUPERVISED_LOSS, COVERAGE, LOGARITHM])
    .symbol("C⁴", "C is the largest ‖f(x)‖ of the model, Euclidean")
    .source("Figure 2", &["section 5, Results"])
    .remark(
        "Training is repeated here briefly on images of MNIST with a small convolutional encoder, and on the digits \
         and on a Gaussian mixture with smaller ones; the losses of each logged encoder are exact for the sample shown \
         (100 images per class, 20 digits per class).",
    )
    .remark(
        "What the figure supports: that trained encoders stay clear of the violation, as they do here. What it does \
         not support: the inequality itself. It is false for every N (under Curves, the series caps): a far class that \
         the negatives miss suffices, and outputs of norm 5 do for N_C = 10 and N = 15 (figure-sizes). The right \
         factor is 1/(1 − (1 − p_min)^N), which is 1.26 there, not 1/p_cc(N) = 21.8.",
    )
    .remark(
        "Proof of `short-outputs`, for equally likely classes and norms at most C: for an anchor x let ā be the mean \
         over c' of a_{c'} = f(x)·(μ_{c'} − μ_c). The a_{c'} lie in an interval of length 2C², so Hoeffding's lemma \
         gives log Σ e^{a_{c'}} ≤ log N_C + ā + C⁴/2; Jensen's inequality, twice, gives log(1 + N e^ā) as a lower \
         bound of the anchor's part of L_un^N; and ā ≤ 2C².",
    )
    .series("convolutional", "a convolutional encoder on MNIST", curve(Architecture::Convolutional, Source::Mnist))
    .series("linear", "a linear encoder on the digits", curve(Architecture::Linear, Source::Digits))
    .series("relu", "a ReLU encoder on the digits", curve(Architecture::Relu, Source::Digits))
    .series(
        "caps",
        "norms of the outputs up to which L_sup^μ ≤ L_un^N is proved for equally likely classes, and from which it is \
         violated",
        caps,
    )
    .setting(printed())
    .setting(every_model())
    .setting(shortest())
    .setting(fresh())
}

fn printed() -> Setting<Experiment, Arc<Vec<Vec<TrainedLosses>>>> {
    Setting::measuring(|e: &Experiment, trial| losses(e, trial))
        .given("N = 15, 25, 35")
        .family(data("trained encoders", |_| Ok(experiments())).restricted(OURS))
        .without_search()
        .part("printed", "L_sup^μ ≤ L_un^N at every logged step of every run", holds(), |_, runs| {
            at_every_step(runs, |l| at_most(l.mean_classifier, l.unsupervised))
        })
        .part(
            "trend",
            "similar behaviour: Kendall's rank correlation of the two losses over the logged steps (the share of pairs \
             of steps that both order alike, less the share that they order differently), averaged over runs, is above \
             ½",
            consistent(),
            |_, runs| greater_than(mean_rank_correlation(runs), exact(0.5)),
        )
        .our_constant("the measure of \"similarly\" and its level ½")
        .control("a", "the losses change places: L_un^N ≤ L_sup^μ along training", |_, runs| {
            at_every_step(runs, |l| at_most(l.unsupervised, l.mean_classifier))
        })
        .control("b", "half of the right side: 2 L_sup^μ ≤ L_un^N along training", |_, runs| {
            at_every_step(runs, |l| at_most(2.0 * l.mean_classifier, l.unsupervised))
        })
        .control("c", "the trends are the same: a rank correlation of 1 on average", |_, runs| {
            at_least(mean_rank_correlation(runs), 1)
        })
}

fn every_model() -> Setting<Negatives, FigureTwoLosses> {
    Setting::measuring(|i: &Negatives, _| sides(i))
        .given(MODEL)
        .given("N ≥ 1")
        .family(edge("a far class", far_and_near))
        .family(edge("a rarest class moving off", extremal))
        .family(models(6, sizes).into_iter().map(|family| family.taking(0.6)))
        .ours(
            "every-model",
            "L_sup^μ ≤ L_un^N",
            fails("a far class that the negatives miss costs L_sup^μ more than L_un^N"),
            |_, s| bare(s),
        )
        .sides("L_sup^μ", "L_un^N")
        .assume(ENOUGH_NEGATIVES)
        .because("the caption says \"in these experiments\"")
        .ours(
            "regime",
            "L_sup^μ ≤ L_un^N",
            fails("a far class that the negatives miss costs L_sup^μ more than L_un^N"),
            |_, s| bare(s),
        )
        .sides("L_sup^μ", "L_un^N")
        .assume(Hypothesis::new(REGIME, |i| is_in_the_regime(&i.model, i.negatives)))
        .because("the caption says \"in these experiments\"")
        .ours(
            "figure-sizes",
            "L_sup^μ ≤ L_un^N",
            fails("a far class that the negatives miss costs L_sup^μ more than L_un^N"),
            |_, s| bare(s),
        )
        .sides("L_sup^μ", "L_un^N")
        .assume(Hypothesis::new("N_C = 10 and N = 15, 25, 35", |i| {
            i.model.n_classes() == 10 && NEGATIVES.contains(&i.negatives)
        }))
        .because("the caption says \"in these experiments\"")
        .amendment("factor", "(1 − (1 − p_min)^N) L_sup^μ ≤ L_un^N for every N ≥ 1", holds(), |_, s| {
            at_most(s.rarest_drawn * s.supervised, s.unsupervised)
        })
        .amendment("short-outputs", "L_sup^μ ≤ L_un^N", holds(), |_, s| bare(s))
        .assume(EQUALLY_LIKELY)
        .assume(SHORT_OUTPUTS)
        .control("d", "L_sup^μ ≤ p_cc(N) L_un^N for N ≥ N_C", |_, s| {
            at_most(s.supervised, s.covered * s.unsupervised)
        })
        .assume(ENOUGH_NEGATIVES)
        .control("e", "L_un^N ≤ L_sup^μ for N ≥ N_C", |_, s| at_most(s.unsupervised, s.supervised))
        .assume(ENOUGH_NEGATIVES)
        .control("f", "1.01·(1 − (1 − p_min)^N) L_sup^μ ≤ L_un^N: 1 % more than the factor", |_, s| {
            at_most(1.01 * s.rarest_drawn * s.supervised, s.unsupervised)
        })
        .control("g", "L_sup^μ ≤ L_un^N", |_, s| bare(s))
        .assume(Hypothesis::new("ρ uniform, N ≥ N_C, ‖f(x)‖ ≤ 3.5 everywhere", |i| {
            i.model.is_uniform() && ENOUGH_NEGATIVES.is_met(i) && longest(&i.model).hi() <= 3.5
        }))
        .control("h", "1.1 L_sup^μ ≤ L_un^N for short outputs", |_, s| at_most(1.1 * s.supervised, s.unsupervised))
        .assume(EQUALLY_LIKELY)
        .assume(SHORT_OUTPUTS)
}

fn shortest() -> Setting<Negatives, FigureTwoLosses> {
    Setting::measuring(|i: &Negatives, _| sides(i))
        .given(MODEL)
        .assume(Hypothesis::new("ρ uniform, N_C = N = 2", |i| {
            i.model.is_uniform() && i.model.n_classes() == 2 && i.negatives == 2
        }))
        .assume(Hypothesis::new("‖f(x)‖ ≤ 4.13 everywhere", |i| longest(&i.model).hi() <= 4.13))
        .family(edge("a far class", || {
            let of = |cap: f64| {
                let model = line(&[1.0; 2], &far_class(2, cap));
                (format!("one class at {cap}"), Negatives { negatives: 2, model })
            };
            [0.5, 2.0, 4.0, 4.1, 4.11, 4.12, 4.125].map(of).to_vec()
        }))
        .family(outside("longer outputs, fewer negatives, skewed ρ", || {
            let of = |weights: &[f64], negatives, cap| {
                let model = line(weights, &far_class(2, cap));
                (format!("N = {negatives}, one class at {cap}"), Negatives { negatives, model })
            };
            let even = [1.0; 2];
            vec![of(&even, 2, 4.2), of(&even, 2, 6.0), of(&even, 1, 4.0), of(&[1.0, 4.0], 2, 4.0)]
        }))
        .family(random("two classes in the plane", two_classes))
        .sharpening(
            "shortest",
            "L_sup^μ ≤ L_un^N for N_C = N = 2, ρ uniform, ‖f(x)‖ ≤ 4.13 (tried, not proved)",
            holds(),
            |_, s| bare(s),
        )
        .control("i", "1.01 L_sup^μ ≤ L_un^N", |_, s| at_most(1.01 * s.supervised, s.unsupervised))
}

fn fresh() -> Setting<AugmentedImages, SampledLosses> {
    let apart = |losses: &SampledLosses| {
        let (supervised, unsupervised) = losses.both();
        told_apart(supervised, unsupervised)
    };
    Setting::measuring(move |m: &AugmentedImages, trial| m.losses_until(None, &apart, trial))
        .given(AUGMENTED)
        .given("N = 15, 25, 35")
        .given(INTERVALS)
        .family(edge("augmented images", || NEGATIVES.into_iter().flat_map(along_training).collect()))
        .without_search()
        .ours("fresh-draws", "augmented images, on fresh draws: L_sup^μ ≤ L_un^N", holds(), |_, l| {
            let (supervised, unsupervised) = l.both();
            at_most(supervised, unsupervised)
        })
        .because("the figure takes the losses on the images that it has")
        .control("j", "augmented images, on fresh draws: L_sup^μ ≥ L_un^N", |_, l| {
            let (supervised, unsupervised) = l.both();
            at_least(supervised, unsupervised)
        })
}

/// Two equally likely classes of one or two atoms in the plane, with two negatives.
fn two_classes() -> impl Strategy<Value = Negatives> {
    let atom = (0.1..1.0f64, -2.9..2.9f64, -2.9..2.9f64).prop_map(|(weight, x, y)| Atom { weight, at: vec![x, y] });
    let class = || vec(atom.clone(), 1..=2);
    (class(), class()).prop_filter_map("not a model", |(first, second)| {
        let model = LatentClassModel::new(vec![1.0; 2], vec![first, second]).ok()?;
        Some(Negatives { negatives: 2, model })
    })
}
