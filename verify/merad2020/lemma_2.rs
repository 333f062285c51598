//! Lemma 2: many negatives and the coupon collector.
//!
//! True for every N, with the right side infinite for N < N_C. One class fewer needs collecting than the lemma asks:
//! the logit of the anchor's own class is zero and stands in the log-sum-exp already, so it is enough that the
//! negatives show all *other* classes. With q(N) = min_c P(all classes but c are drawn) > p_cc(N) the same proof gives
//! q(N) L_sup^μ ≤ L_un^N, which says something from N = N_C − 1 on.
//!
//! Even that asks for far too much: with 1 − (1 − p_min)^N in place of p_cc(N), the probability that *one* rarest class
//! is drawn, the bound holds for every N ≥ 1, and with no smaller constant. See the remark after the lemma,
//! remark-lemma-2.

use contrastive::{AnchorLogits, LatentClassModel, anchor_logits, jensen_loss, sup_mean_all};
use enclosures::probability::Coverage;
use enclosures::work;
use estimators::bounds::{Draws, EvaluatedBound, Inapplicable, LEMMA_2, RAREST_CLASS};
use evidence::prelude::*;

use crate::shared::augmented_images::{AUGMENTED, AugmentedImages, augmented as named_augmented};
use crate::shared::digits;
use crate::shared::drawn_models::{DRAWN, DrawnModel, INTERVALS, SampledLosses, any_law, named, with_many_negatives};
use crate::shared::families::{many_classes, models};
use crate::shared::hypotheses::{LISTED, LOGITS, MODEL, OTHER_LAWS, REGIME, is_in_the_regime, is_listed};
use crate::shared::many_points::unsupervised;
use crate::shared::negatives::{Negatives, over_outcomes, sizes};
use crate::shared::notation::{
    ANCHOR_CLASS, BEST_HEAD_LOSS, CLASS_COUNT, CLASS_MEAN, COLLISION, COVERAGE, EMBEDDING, LOG_SUM_EXP, LOGARITHM,
    MEAN_CLASSIFIER_LOSS, P_MIN, RHO, UNSUPERVISED_LOSS,
};

struct CoveredLosses {
    mean_classifier: Enclosure,
    unsupervised: Enclosure,
    /// L_un with one negative.
    one_negative: Enclosure,
    jensen: Enclosure,
    /// p_cc(N), the probability that the negatives show every class.
    covered: Enclosure,
    /// min_c of the probability that they show every class but perhaps c.
    others_covered: Enclosure,
    /// 1 − (1 − p_min)^N.
    rarest_drawn: Enclosure,
    /// The bound as printed and with the best factor, as they are printed for embeddings of a user's own.
    printed: Result<EvaluatedBound, Inapplicable>,
    sharp: EvaluatedBound,
    anchors: Vec<AnchorLogits>,
    shares: Vec<Interval>,
}

type Trouble = Box<dyn std::error::Error + Send + Sync>;

fn losses(instance: &Negatives) -> Result<CoveredLosses, Trouble> {
    let (model, n) = (&instance.model, instance.negatives);
    let shares = model.rhos();
    let draws = Draws::of_model(model, n);
    let covered = draws.covered();
    let others = others_covered(model, n, covered.interval())?;
    let loss = unsupervised(model, n)?;
    Ok(CoveredLosses {
        mean_classifier: sup_mean_all(model).into(),
        unsupervised: loss,
        one_negative: unsupervised(model, 1)?,
        jensen: jensen_loss(model, n)?.into(),
        covered,
        others_covered: others.into(),
        rarest_drawn: draws.rarest_drawn(),
        printed: LEMMA_2.sides(loss, &draws, 0),
        sharp: RAREST_CLASS.sides(loss, &draws, 0)?,
        anchors: anchor_logits(model),
        shares,
    })
}

/// min_c P(J ⊇ 𝒞∖{c}) = p_cc + min_c P(J = 𝒞∖{c}), the last being (1 − ρ(c))^N times the coverage of the other classes.
fn others_covered(model: &LatentClassModel, n: u64, covered: Interval) -> Result<Interval, Trouble> {
    if model.n_classes() == 1 {
        return Ok(Interval::ONE);
    }
    let mut least = Interval::ONE;
    // The class left out, the other weights, and what was found of them, with the work that it counts as: where all weights are alike it
    // is the same for every class.
    let mut known: Option<(Interval, Vec<f64>, Interval, u64)> = None;
    for c in 0..model.n_classes() {
        let (rho, mut others) = (model.rho(c), model.class_weights().to_vec());
        others.remove(c);
        let (shown, work) = match known.take() {
            Some((left, weights, shown, work)) if left == rho && weights == others => (Ok(shown), work),
            _ => work::counted(|| -> Result<Interval, Trouble> {
                let missed = ((-rho).ln_1p() * n as f64).exp();
                Ok(covered + missed * Coverage::of_weights(&others, n)?.covered)
            }),
        };
        work::spend(work);
        let shown = shown?;
        least = least.min(shown);
        known = Some((rho, others, shown, work));
    }
    Ok(least)
}

impl CoveredLosses {
    /// Sums `of(probability, whether every class is shown, logit log-sum-exp)` over anchors and outcomes.
    fn over_outcomes(&self, draws: u64, of: impl Fn(Enclosure, bool, Enclosure) -> Enclosure) -> Enclosure {
        let all = self.shares.len() as u32;
        over_outcomes(&self.anchors, &self.shares, draws, |p, _, drawn, lse| {
            let shown = drawn.iter().fold(0u32, |set, &c| set | 1 << c);
            of(p, shown.count_ones() == all, lse)
        })
    }

    /// E[LSE · 1{every class is shown}].
    fn where_all_are_shown(&self, draws: u64) -> Enclosure {
        self.over_outcomes(draws, |p, shown, lse| if shown { p * lse } else { Enclosure::ZERO })
    }
}

/// The numbers of negatives of the paper's experiments.
fn of_experiments(model: &LatentClassModel) -> Vec<(String, Negatives)> {
    let with = |negatives| {
        let model = model.clone();
        (format!(", N = {negatives}"), Negatives { negatives, model })
    };
    [15, 25, 35].map(with).to_vec()
}

const FEW_OUTCOMES: Hypothesis<Negatives> = Hypothesis::new(LISTED, |i| is_listed(&i.model, i.negatives));

pub fn claim() -> Claim {
    Claim::new("merad2020.lemma-2", "many negatives and the coupon collector", Kind::Inequality)
        .statement("L_sup(f,𝒞) ≤ L_sup^μ(f,𝒞) ≤ L_un^N(f)/p_cc(N), for N of the order of N_C log N_C at least")
        .speaks_also_of(OTHER_LAWS)
        .symbols([
            CLASS_COUNT, RHO, P_MIN, EMBEDDING, CLASS_MEAN, MEAN_CLASSIFIER_LOSS, BEST_HEAD_LOSS, UNSUPERVISED_LOSS,
            COVERAGE, COLLISION, ANCHOR_CLASS, LOG_SUM_EXP, LOGARITHM,
        ])
        .symbol(
            "q(N)",
            "the smallest over c of the probability that N independent draws from ρ show every class other than c, \
             with or without c",
        )
        .source("Lemma 2", &["section 3.1, inequality (8)", "proof in section 7", "Lemma 3.2 of the earlier version"])
        .remark(
            "Compared as p_cc(N) L_sup^μ ≤ L_un^N, for every N: the order of N is not needed, but for N < N_C the \
             right side is infinite and the statement says nothing. The first inequality is that of Lemma 1, tried \
             there as its part `head`.",
        )
        .remark(
            "Proof of the sharpening: LSE(0, a_{I_1}, …, a_{I_N}) contains a_c = 0 for the anchor's class c whether or \
             not c is drawn, so it is at least LSE(a_1, …, a_{N_C}) as soon as all other classes are drawn.",
        )
        .setting(printed())
        .setting(drawn())
        .setting(augmented())
}

fn printed() -> Setting<Negatives, CoveredLosses> {
    Setting::measuring(|i: &Negatives, _| losses(i))
        .given(MODEL)
        .given(LOGITS)
        .given("N ≥ 1; I are the classes of the N negatives and LSE(0, a_I) = LSE(0, a_{I_1}(x), …, a_{I_N}(x))")
        .family(models(10, sizes))
        .family(edge("many classes", || {
            let with = |(name, model): (String, LatentClassModel)| {
                [35, 64, 200, 1024].map(|negatives| {
                    let model = model.clone();
                    (format!("{name}, N = {negatives}"), Negatives { negatives, model })
                })
            };
            many_classes().into_iter().flat_map(with).collect()
        }))
        .family(digits::family(|model| of_experiments(&model)))
        .family(digits::whole_family(|model| of_experiments(&model)))
        .part("printed", "p_cc(N) L_sup^μ ≤ L_un^N for every N ≥ N_C", holds(), |_, l| match &l.printed {
            Ok(sides) => {
                let (left, right) = sides.against(l.mean_classifier);
                at_most(left, right)
            }
            Err(_) => vacuous("N < N_C: the right side is infinite"),
        })
        .checked("merad2020.Lemma2.lemma_2_printed")
        .except("N < N_C: the right side is infinite")
        .because("the constant of N = Ω(N_C log N_C) is not printed: tried for every N, it holds for every constant")
        .part("regime", "p_cc(N) L_sup^μ ≤ L_un^N", holds(), |_, l| {
            at_most(l.covered * l.mean_classifier, l.unsupervised)
        })
        .assume(Hypothesis::new(REGIME, |i| is_in_the_regime(&i.model, i.negatives)))
        .implied_by("printed")
        .our_constant("the constant 1 of N = Ω(N_C log N_C)")
        .step("s1", "Jensen: L_un^N ≥ E LSE(0, a_{I_1}(x), …, a_{I_N}(x))", holds(), |_, l| {
            at_least(l.unsupervised, l.jensen)
        })
        .checked("merad2020.Lemma2.lemma_2_s1")
        .step(
            "s2",
            "E[LSE(0, a_I)·1{I shows all classes}] ≤ E LSE(0, a_I): dropping the draws that miss a class does not \
             increase it",
            holds(),
            |i, l| {
                let kept = l.where_all_are_shown(i.negatives);
                let whole = l.over_outcomes(i.negatives, |p, _, lse| p * lse);
                all_of([("listing", equal(whole, l.jensen)), ("dropping", at_most(kept, whole))])
            },
        )
        .assume(FEW_OUTCOMES)
        .step("s3", "E[LSE(0, a_I)·1{I shows all classes}] ≥ p_cc(N) L_sup^μ", holds(), |i, l| {
            let kept = l.where_all_are_shown(i.negatives);
            at_least(kept, l.covered * l.mean_classifier)
        })
        .assume(FEW_OUTCOMES)
        .step(
            "s4",
            "the probabilities ρ(I_1)⋯ρ(I_N) of those of the N_C^N outcomes I that show every class add up to p_cc(N)",
            holds(),
            |i, l| {
                let listed = l.over_outcomes(i.negatives, |p, shown, _| if shown { p } else { Enclosure::ZERO });
                equal(listed, l.covered).on_scale_of("1", 1.0)
            },
        )
        .assume(FEW_OUTCOMES)
        .sharpening(
            "own-class-free",
            "q(N) L_sup^μ ≤ L_un^N for every N ≥ 1, and q(N) ≥ p_cc(N)",
            holds(),
            |_, l| {
                all_of([
                    ("bound", at_most(l.others_covered * l.mean_classifier, l.unsupervised)),
                    ("stronger", at_least(l.others_covered, l.covered).on_scale_of("1", 1.0)),
                ])
            },
        )
        .checked("merad2020.Lemma2.lemma_2_own_class_free")
        .constant(
            "factor",
            "γ in L_sup^μ ≤ γ L_un^N/p_cc(N)",
            "1",
            |i| {
                let (classes, n) = (i.model.n_classes() as u64, i.negatives);
                let shown = (2..=3).contains(&classes) && (classes..=10).contains(&n);
                shown.then(|| format!("N_C = {classes}, N = {n}"))
            },
            |_, l| (l.unsupervised.lo() > 0.0).then(|| l.covered * l.mean_classifier / l.unsupervised),
        )
        .sharpening(
            "rarest-class",
            "(1 − (1 − p_min)^N) L_sup^μ ≤ L_un^N − τ_N log(N + 1), and 1 − (1 − p_min)^N ≥ q(N), for every N ≥ 1",
            holds(),
            |_, l| {
                let (left, right) = l.sharp.against(l.mean_classifier);
                all_of([
                    ("bound", at_most(left, right).on_scale_of("L_un^N", l.unsupervised.hi())),
                    ("stronger", at_least(l.rarest_drawn, l.others_covered).on_scale_of("1", 1.0)),
                ])
            },
        )
        .checked("merad2020.Lemma2.lemma_2_rarest_class")
        .control("a", "L_sup^μ ≤ p_cc(N) L_un^N: multiplied in place of divided", |_, l| {
            at_most(l.mean_classifier, l.covered * l.unsupervised)
        })
        .control("b", "p_cc(N) L_sup^μ ≤ L_un: one negative on the right", |_, l| {
            at_most(l.covered * l.mean_classifier, l.one_negative)
        })
        .control("c", "p_cc(N) L_un^N ≤ L_sup^μ: roles exchanged", |_, l| {
            at_most(l.covered * l.unsupervised, l.mean_classifier)
        })
}

fn drawn() -> Setting<DrawnModel, SampledLosses> {
    Setting::measuring(|m: &DrawnModel, trial| m.losses(None, &[LEMMA_2, RAREST_CLASS], trial))
        .given(DRAWN)
        .given("N ≥ 1")
        .given(INTERVALS)
        .assume(Hypothesis::new("N ≥ N_C", |m| m.negatives >= m.classes.into()))
        .family(edge("continuous laws", || [16, 128].into_iter().flat_map(named).collect()))
        .family(edge("many negatives", with_many_negatives))
        .family(random("drawn laws", || any_law(64)).taking(0.1))
        .without_search()
        .part("drawn", "continuous laws: p_cc(N) L_sup^μ ≤ L_un^N", holds(), |_, l| l.below(&LEMMA_2))
        .implied_by("printed")
        .because("bounded laws are limits of laws with finitely many values, along which both losses converge")
        .sharpening(
            "drawn-rarest-class",
            "continuous laws: (1 − (1 − p_min)^N) L_sup^μ ≤ L_un^N − τ_N log(N+1)",
            holds(),
            |_, l| l.below(&RAREST_CLASS),
        )
        .control(
            "drawn-reversed",
            "continuous laws: (1 − (1 − p_min)^N) L_sup^μ ≥ L_un^N − τ_N log(N+1)",
            |_, l| l.above(&RAREST_CLASS),
        )
}

fn augmented() -> Setting<AugmentedImages, SampledLosses> {
    Setting::measuring(|m: &AugmentedImages, trial| m.losses(None, &[LEMMA_2, RAREST_CLASS], trial))
        .given(AUGMENTED)
        .given("N = 32, so that N ≥ N_C")
        .given(INTERVALS)
        .family(edge("augmented images", || named_augmented(32)))
        .without_search()
        .part("augmented", "augmented images: p_cc(N) L_sup^μ ≤ L_un^N", holds(), |_, l| l.below(&LEMMA_2))
        .implied_by("printed")
        .because("bounded laws are limits of laws with finitely many values, along which both losses converge")
        .sharpening(
            "augmented-rarest-class",
            "augmented images: (1 − (1 − p_min)^N) L_sup^μ ≤ L_un^N − τ_N log(N+1)",
            holds(),
            |_, l| l.below(&RAREST_CLASS),
        )
        .control(
            "augmented-reversed",
            "augmented images: (1 − (1 − p_min)^N) L_sup^μ ≥ L_un^N − τ_N log(N+1)",
            |_, l| l.above(&RAREST_CLASS),
        )
}
