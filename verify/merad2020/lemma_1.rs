//! Lemma 1: one negative controls the loss of the classifier over all classes.
//!
//! The term log N_C is not needed. With a_{c'}(x) = f(x)·(μ_{c'} − μ_c), Jensen's inequality gives L_un ≥ E_{c,x}
//! Σ_{c'} ρ(c') ζ(a_{c'}(x)); every ρ(c') is at least p_min, the summand c' = c is ρ(c) log 2, and a sum of softpluses
//! is at least the softplus of the log-sum: Σ_{c'≠c} log(1 + e^{a_{c'}}) ≥ log(1 + Σ_{c'≠c} e^{a_{c'}}). Hence L_un ≥
//! p_min L_sup^μ + τ log 2 with τ = Σ ρ(c)²: the bound holds without log N_C, and with τ log 2 to spare.

use contrastive::{
    AnchorLogits, ContrastiveError, LatentClassModel, anchor_logits, best_head_dual_bound, best_head_loss_all,
    jensen_loss, sup_mean_all,
};
use estimators::bounds::{Draws, LEMMA_1, LEMMA_1_COLLISIONS, LEMMA_1_WITHOUT_LOG};
use evidence::prelude::*;

use crate::shared::augmented_images::{AUGMENTED, AugmentedImages, augmented as named_augmented};
use crate::shared::digits;
use crate::shared::drawn_models::{DRAWN, DrawnModel, INTERVALS, SampledLosses, any_law, named};
use crate::shared::families::{many_classes, models};
use crate::shared::hypotheses::{LOGITS, MODEL, OTHER_LAWS};
use crate::shared::many_points::unsupervised;
use crate::shared::notation::{
    ANCHOR_CLASS, BEST_HEAD_LOSS, CLASS_COUNT, CLASS_MEAN, DUAL_BOUND, EMBEDDING, LOG_SUM_EXP, LOGARITHM,
    MEAN_CLASSIFIER_LOSS, NEGATIVE_CLASS, ONE_NEGATIVE_LOSS, P_MAX, P_MIN, RHO, SOFTPLUS,
};

struct OneNegativeLosses {
    /// L_sup^μ(f, 𝒞).
    mean_classifier: Enclosure,
    /// L_un(f), one negative.
    unsupervised: Enclosure,
    /// L_un(f) after Jensen's inequality over the positive and the negative.
    jensen: Enclosure,
    p_min: Enclosure,
    p_max: Enclosure,
    /// Σ ρ(c)².
    tau: Enclosure,
    log_classes: Enclosure,
    anchors: Vec<AnchorLogits>,
    /// The right sides of the bounds that are printed for embeddings of a user's own: as printed, without log N_C, and less the
    /// collisions.
    printed: Enclosure,
    without_log: Enclosure,
    less_collisions: Enclosure,
}

impl OneNegativeLosses {
    fn of(model: &LatentClassModel) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let (loss, draws) = (unsupervised(model, 1)?, Draws::of_model(model, 1));
        Ok(OneNegativeLosses {
            mean_classifier: sup_mean_all(model).into(),
            unsupervised: loss,
            jensen: jensen_loss(model, 1)?.into(),
            p_min: draws.p_min(),
            p_max: model.p_max().into(),
            tau: draws.tau(),
            log_classes: Enclosure::from(model.n_classes()).ln(),
            anchors: anchor_logits(model),
            printed: LEMMA_1.sides(loss, &draws, 0)?.limit(),
            without_log: LEMMA_1_WITHOUT_LOG.sides(loss, &draws, 0)?.limit(),
            less_collisions: LEMMA_1_COLLISIONS.sides(loss, &draws, 0)?.limit(),
        })
    }

    /// p_min L_sup^μ as a multiple of `bound`; none where `bound` is not clearly positive.
    fn share_of(&self, bound: Enclosure) -> Option<Enclosure> {
        (bound.lo() > 1e-9 * self.unsupervised.hi()).then(|| self.p_min * self.mean_classifier / bound)
    }

    fn expectation(&self, of: impl Fn(&AnchorLogits) -> Enclosure) -> Enclosure {
        self.anchors.iter().map(|anchor| of(anchor) * Enclosure::from(anchor.probability)).sum()
    }
}

/// The groups of the ledger: the number of classes, from 2 to 5.
fn few_classes(model: &LatentClassModel) -> Option<String> {
    (2..=5).contains(&model.n_classes()).then(|| format!("N_C = {}", model.n_classes()))
}

fn logits(anchor: &AnchorLogits) -> Vec<Enclosure> {
    anchor.logits.iter().map(|&a| a.into()).collect()
}

/// max_{c'} ζ(a_{c'}) of one anchor.
fn largest_softplus(anchor: &AnchorLogits) -> Enclosure {
    logits(anchor).into_iter().map(Enclosure::softplus).fold(Enclosure::ZERO, Enclosure::max)
}

/// The best head and the mean classifier on the task of all classes.
struct Heads {
    /// L_sup from both sides; its upper end is never above L_sup^μ.
    best: Enclosure,
    /// Its dual bound as it was found, which knows nothing of the mean classifier.
    dual: f64,
    mean: Enclosure,
}

impl Heads {
    fn of(model: &LatentClassModel) -> Result<Self, ContrastiveError> {
        let every: Vec<usize> = (0..model.n_classes()).collect();
        Ok(Heads {
            best: best_head_loss_all(model)?.into(),
            dual: best_head_dual_bound(model, &every)?,
            mean: sup_mean_all(model).into(),
        })
    }
}

pub fn claim() -> Claim {
    Claim::new("merad2020.lemma-1", "one negative controls the full classification loss", Kind::Inequality)
        .statement(
            "L_sup(f,𝒞) ≤ L_sup^μ(f,𝒞) ≤ L_un(f)/p_min + log N_C for all ρ with p_min > 0, all class laws and all f",
        )
        .speaks_also_of(OTHER_LAWS)
        .symbols([
            CLASS_COUNT, RHO, P_MIN, P_MAX, EMBEDDING, CLASS_MEAN, MEAN_CLASSIFIER_LOSS, BEST_HEAD_LOSS, DUAL_BOUND,
            ONE_NEGATIVE_LOSS, ANCHOR_CLASS, NEGATIVE_CLASS, SOFTPLUS, LOG_SUM_EXP, LOGARITHM,
        ])
        .source("Lemma 1", &["section 3.1, inequality (7)", "proof in section 7", "Lemma 3.1 of the earlier version"])
        .remark(
            "The first inequality (part `head`) is trivial: the rows μ_c are one head among all. Proof of the \
             sharpenings: after Jensen, L_un ≥ E_{c,x} Σ_{c'} ρ(c')ζ(a_{c'}); bound ρ(c') below by p_min for c' ≠ c, \
             keep ρ(c) log 2 for c' = c, and use Σ log(1 + e^{a}) ≥ log(1 + Σ e^{a}). So L_un ≥ p_min L_sup^μ + τ log \
             2, and the log N_C of the printed bound is not needed at all.",
        )
        .setting(printed())
        .setting(head())
        .setting(drawn())
        .setting(augmented())
}

fn printed() -> Setting<LatentClassModel, OneNegativeLosses> {
    Setting::measuring(|m: &LatentClassModel, _| OneNegativeLosses::of(m))
        .given(MODEL)
        .given(LOGITS)
        .family(models(10, |m| vec![m]))
        .family(edge("many classes", many_classes))
        .family(digits::family(|m| vec![(String::new(), m)]))
        .family(digits::whole_family(|m| vec![(String::new(), m)]))
        .part("printed", "L_sup^μ ≤ L_un/p_min + log N_C", holds(), |_, l| at_most(l.mean_classifier, l.printed))
        .checked("merad2020.Lemma1.lemma_1_printed")
        .step("s1", "Jensen: L_un ≥ E ζ(a_{c⁻}(x)), a_{c⁻}(x) = f(x)·(μ_{c⁻} − μ_c)", holds(), |_, l| {
            at_least(l.unsupervised, l.jensen)
        })
        .checked("merad2020.Lemma1.lemma_1_s1")
        .step(
            "s2",
            "E ζ(a_{c⁻}(x)) ≥ p_min E max_{c'} ζ(a_{c'}(x)), the maximum over all classes c'",
            holds(),
            |_, l| at_least(l.jensen, l.p_min * l.expectation(largest_softplus)),
        )
        .step("s3", "ζ(a) = LSE(0, a) for every a = a_{c'}(x)", holds(), |_, l| {
            let each = |anchor: &AnchorLogits| {
                let one = |a: Enclosure| ("a logit", equal(a.softplus(), log_sum_exp(&[Enclosure::ZERO, a])));
                logits(anchor).into_iter().map(one).collect::<Vec<_>>()
            };
            all_of(l.anchors.iter().flat_map(each))
        })
        .step(
            "s4",
            "max_{c'} ζ(a_{c'}(x)) ≥ LSE(a_1(x), …, a_{N_C}(x)) − log N_C for every anchor x",
            holds(),
            |_, l| {
                all_of(l.anchors.iter().map(|anchor| {
                    let bound = log_sum_exp(&logits(anchor)) - l.log_classes;
                    ("an anchor", at_least(largest_softplus(anchor), bound))
                }))
            },
        )
        .step("s5", "E LSE(a_1(x), …, a_{N_C}(x)) = L_sup^μ", holds(), |_, l| {
            let direct = l.expectation(|anchor| log_sum_exp(&logits(anchor)));
            equal(direct, l.mean_classifier).on_scale_of("10⁻⁶", 1e-6)
        })
        .sharpening("without-log", "L_sup^μ ≤ L_un/p_min: the term log N_C is not needed", holds(), |_, l| {
            at_most(l.mean_classifier, l.without_log)
        })
        .checked("merad2020.Lemma1.lemma_1_without_log")
        .sharpening("collision", "L_sup^μ ≤ (L_un − τ log 2)/p_min with τ = Σ_c ρ(c)²", holds(), |_, l| {
            at_most(l.mean_classifier, l.less_collisions).on_scale_of("L_un/p_min", (l.unsupervised / l.p_min).hi())
        })
        .checked("merad2020.Lemma1.lemma_1_collision")
        .constant(
            "factor",
            "γ in L_sup^μ ≤ γ·(L_un − τ log 2)/p_min",
            "1, with τ log 2 not subtracted and log N_C added",
            few_classes,
            |_, l| l.share_of(l.unsupervised - l.tau * Enclosure::ln_2()),
        )
        .constant("log", "γ in L_sup^μ ≤ L_un/p_min + γ log N_C", "1", few_classes, |_, l| {
            Some((l.mean_classifier - l.unsupervised / l.p_min) / l.log_classes)
        })
        .control("a", "L_sup^μ ≤ L_un + log N_C, without 1/p_min", |_, l| {
            at_most(l.mean_classifier, l.unsupervised + l.log_classes)
        })
        .control("b", "L_sup^μ ≤ L_un/p_max + log N_C", |_, l| {
            at_most(l.mean_classifier, l.unsupervised / l.p_max + l.log_classes)
        })
        .control("c", "L_sup^μ ≥ L_un/p_min", |_, l| at_least(l.mean_classifier, l.unsupervised / l.p_min))
}

fn head() -> Setting<LatentClassModel, Heads> {
    Setting::measuring(|m: &LatentClassModel, _| Ok(Heads::of(m)?))
        .given(MODEL)
        .family(models(5, |m| vec![m]).into_iter().map(|f| f.taking(0.3)))
        .without_search()
        .part(
            "head",
            "L_sup ≤ L_sup^μ; the instances show that a lower bound of L_sup, by duality, does not exceed L_sup^μ",
            holds(),
            |_, h| at_most(exact(h.dual), h.mean),
        )
        .checked("merad2020.SupLeMu.lemma_1_head")
        .control("head-reversed", "L_sup ≥ L_sup^μ", |_, h| at_least(h.best, h.mean))
        .control(
            "head-half",
            "L_sup ≤ L_sup^μ/2 where the values of f are all different (only the dual bound can refute this)",
            |_, h| at_most(h.best, h.mean / 2.0),
        )
        .assume(Hypothesis::new("the values of f, counted in each class, are all different", |m| {
            let atoms = m.weighted_atoms();
            (0..atoms.len()).all(|j| atoms[..j].iter().all(|other| other.at != atoms[j].at))
        }))
}

fn drawn() -> Setting<DrawnModel, SampledLosses> {
    Setting::measuring(|m: &DrawnModel, trial| {
        m.losses(None, &[LEMMA_1, LEMMA_1_WITHOUT_LOG, LEMMA_1_COLLISIONS], trial)
    })
    .given(DRAWN)
    .given("N = 1")
    .given(INTERVALS)
    .family(edge("continuous laws", || named(1)))
    .family(random("drawn laws", || any_law(1)).taking(0.1))
    .without_search()
    .part("drawn", "continuous laws: L_sup^μ ≤ L_un/p_min + log N_C", holds(), |_, l| l.below(&LEMMA_1))
    .implied_by("printed")
    .because("bounded laws are limits of laws with finitely many values, along which both losses converge")
    .sharpening("drawn-without-log", "continuous laws: L_sup^μ ≤ L_un/p_min", holds(), |_, l| {
        l.below(&LEMMA_1_WITHOUT_LOG)
    })
    .sides("p_min L_sup^μ", "L_un")
    .sharpening("drawn-collision", "continuous laws: L_sup^μ ≤ (L_un − τ log 2)/p_min", holds(), |_, l| {
        l.below(&LEMMA_1_COLLISIONS)
    })
    .sides("p_min L_sup^μ", "L_un − τ log 2")
    .control("drawn-reversed", "continuous laws: L_sup^μ ≥ (L_un − τ log 2)/p_min", |_, l| {
        l.above(&LEMMA_1_COLLISIONS)
    })
    .sides("p_min L_sup^μ", "L_un − τ log 2")
}

fn augmented() -> Setting<AugmentedImages, SampledLosses> {
    Setting::measuring(|m: &AugmentedImages, trial| {
        m.losses(None, &[LEMMA_1, LEMMA_1_WITHOUT_LOG, LEMMA_1_COLLISIONS], trial)
    })
    .given(AUGMENTED)
    .given("N = 1")
    .given(INTERVALS)
    .family(edge("augmented images", || named_augmented(1)))
    .without_search()
    .part("augmented", "augmented images: L_sup^μ ≤ L_un/p_min + log N_C", holds(), |_, l| l.below(&LEMMA_1))
    .implied_by("printed")
    .because("bounded laws are limits of laws with finitely many values, along which both losses converge")
    .sharpening(
        "augmented-collision",
        "augmented images: L_sup^μ ≤ (L_un − τ log 2)/p_min ≤ L_un/p_min",
        holds(),
        |_, l| all_of([("collisions", l.below(&LEMMA_1_COLLISIONS)), ("without log", l.below(&LEMMA_1_WITHOUT_LOG))]),
    )
    .sides("p_min L_sup^μ", "L_un − τ log 2, or L_un")
    .control("augmented-reversed", "augmented images: L_sup^μ ≥ (L_un − τ log 2)/p_min", |_, l| {
        l.above(&LEMMA_1_COLLISIONS)
    })
    .sides("p_min L_sup^μ", "L_un − τ log 2")
}
