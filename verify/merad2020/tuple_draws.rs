//! Before Lemma 2: what becomes of the approach of Lemma 1 with several negatives.
//!
//! Bounding the mean over the negatives' classes I below by one tuple, E LSE(0, a_I) ≥ min_T P(I = T) max_T LSE(0, a_T), replaces p_min by
//! p_min^N, as the paper says, and N − 1 further factors are at most ½ each. But nothing asks for a whole tuple. LSE(0, a_I) ≥ ζ(a_c) as soon as
//! the class c of the largest softplus is among the negatives, and it is with probability 1 − (1 − ρ(c))^N ≥ 1 − (1 − p_min)^N. So the same two
//! lines as for one negative leave a factor that grows with N, from p_min towards 1. (One negative alone keeps p_min, as L_un ≤ L_un^N.)

use contrastive::{AnchorLogits, anchor_logits, drawn_probability, jensen_loss, sup_mean_all};
use evidence::prelude::*;

use crate::shared::families::models;
use crate::shared::hypotheses::{LISTED, LOGITS, MODEL, OTHER_LAWS, is_listed, is_zero};
use crate::shared::many_points::unsupervised;
use crate::shared::negatives::{Negatives, outcomes, sizes};
use crate::shared::notation::{
    ANCHOR_CLASS, CLASS_COUNT, CLASS_MEAN, EMBEDDING, LOG_SUM_EXP, LOGARITHM, MEAN_CLASSIFIER_LOSS, P_MAX, P_MIN, RHO,
    SOFTPLUS, UNSUPERVISED_LOSS,
};

/// What the two ways to bound the mean over the negatives' classes leave.
struct Approaches {
    mean_classifier: Enclosure,
    unsupervised: Enclosure,
    jensen: Enclosure,
    /// E max_c ζ(a_c(x)).
    hardest: Enclosure,
    p_min: Enclosure,
    /// 1 − (1 − p_min)^N.
    rarest_drawn: Enclosure,
    /// 1 − (1 − p_max)^N.
    likeliest_drawn: Enclosure,
    log_classes: Enclosure,
    anchors: Vec<AnchorLogits>,
    shares: Vec<Interval>,
}

impl Approaches {
    fn of(i: &Negatives) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let (model, n) = (&i.model, i.negatives);
        let anchors = anchor_logits(model);
        let largest = |anchor: &AnchorLogits| {
            let all = anchor.logits.iter().map(|&a| Enclosure::from(a).softplus());
            all.fold(Enclosure::ZERO, Enclosure::max) * Enclosure::from(anchor.probability)
        };
        Ok(Approaches {
            mean_classifier: sup_mean_all(model).into(),
            unsupervised: unsupervised(model, n)?,
            jensen: jensen_loss(model, n)?.into(),
            hardest: anchors.iter().map(largest).sum(),
            p_min: model.p_min().into(),
            rarest_drawn: drawn_probability(model.p_min(), n).into(),
            likeliest_drawn: drawn_probability(model.p_max(), n).into(),
            log_classes: Enclosure::from(model.n_classes()).ln(),
            shares: model.rhos(),
            anchors,
        })
    }

    /// L_sup^μ ≤ L_un^N/factor + log N_C, multiplied by the factor.
    fn bounded_with(&self, factor: Enclosure) -> Evaluation {
        at_most(factor * (self.mean_classifier - self.log_classes), self.unsupervised)
    }
}

/// The least product of N class probabilities, over all tuples of N classes.
fn rarest_tuple(shares: &[Interval], n: u64) -> Enclosure {
    let chance = |tuple: Vec<usize>| Enclosure::from(tuple.into_iter().map(|c| shares[c]).product::<Interval>());
    outcomes(shares.len(), n).map(chance).fold(Enclosure::ONE, Enclosure::min)
}

/// E max_T LSE(0, a_T(x)), over all tuples of N classes.
fn hardest_tuple(a: &Approaches, n: u64) -> Enclosure {
    let of = |anchor: &AnchorLogits, tuple: Vec<usize>| {
        let logits = tuple.into_iter().map(|c| Enclosure::from(anchor.logits[c]));
        log_sum_exp(&std::iter::once(Enclosure::ZERO).chain(logits).collect::<Vec<_>>())
    };
    let one = |anchor: &AnchorLogits| {
        let all = outcomes(a.shares.len(), n).map(|tuple| of(anchor, tuple));
        all.fold(Enclosure::ZERO, Enclosure::max) * Enclosure::from(anchor.probability)
    };
    a.anchors.iter().map(one).sum()
}

const FEW_OUTCOMES: Hypothesis<Negatives> = Hypothesis::new(LISTED, |i| is_listed(&i.model, i.negatives));

const SEVERAL: Hypothesis<Negatives> = Hypothesis::new("N ≥ 2", |i| i.negatives >= 2);

pub fn claim() -> Claim {
    Claim::new("merad2020.tuple-draws", "the approach of Lemma 1 with several negatives", Kind::Observation)
        .statement(
            "for N ≥ 2 negatives the approach of the proof of Lemma 1 further degrades: p_min is replaced by the minimum \
             probability among tuple draws, a much smaller quantity",
        )
        .speaks_also_of(OTHER_LAWS)
        .symbols([
            CLASS_COUNT, RHO, P_MIN, P_MAX, EMBEDDING, CLASS_MEAN, MEAN_CLASSIFIER_LOSS, UNSUPERVISED_LOSS,
            ANCHOR_CLASS, SOFTPLUS, LOG_SUM_EXP, LOGARITHM,
        ])
        .symbol("I", "the classes I_1, …, I_N of the N negatives, independent with the law ρ; T runs over [N_C]^N")
        .symbol("a_I", "(a_{I_1}(x), …, a_{I_N}(x))")
        .source("section 3.1, sentence before Lemma 2", &["proof of Lemma 1 in section 7"])
        .remark(
            "The sentence is true of the factor that it names. That the approach needs this factor is more than it says: \
             `improves` follows the proof of Lemma 1 line by line and finds 1 − (1 − p_min)^N ≥ p_min in place of p_min. \
             The term log N_C is not needed either, see remark-lemma-2.",
        )
        .setting(tuples())
}

fn tuples() -> Setting<Negatives, Approaches> {
    Setting::measuring(|i: &Negatives, _| Approaches::of(i))
        .given(MODEL)
        .given(LOGITS)
        .given("N ≥ 1")
        .assume(Hypothesis::new("N_C ≥ 2", |i| i.model.n_classes() >= 2))
        .degenerate("f = 0", |i| is_zero(&i.model))
        .family(models(8, sizes))
        .part("smaller", "min_T P(I = T) = p_min^N ≤ p_min/2^{N−1}, compared by logarithms", holds(), |i, a| {
            let further = (i.negatives - 1) as f64;
            at_most(further * (a.p_min.ln() + Enclosure::ln_2()), 0).on_scale_of("N", i.negatives as f64)
        })
        .checked("merad2020.TupleDraws.tuple_draws_smaller")
        .sides("(N − 1) log(2 p_min)", "0")
        .our_constant("\"much smaller\": by a factor of two for each further negative")
        .step("minimum", "min_T P(I = T) = p_min^N", holds(), |i, a| {
            equal(rarest_tuple(&a.shares, i.negatives), a.p_min.powi(i.negatives as i64))
        })
        .checked("merad2020.TupleDraws.tuple_draws_minimum")
        .assume(FEW_OUTCOMES)
        .step("tuple", "E LSE(0, a_I) ≥ min_T P(I = T) · E max_T LSE(0, a_T)", holds(), |i, a| {
            at_least(a.jensen, rarest_tuple(&a.shares, i.negatives) * hardest_tuple(a, i.negatives))
        })
        .checked("merad2020.TupleDraws.tuple_draws_tuple")
        .assume(FEW_OUTCOMES)
        .step("bound", "p_min^N (L_sup^μ − log N_C) ≤ L_un^N", holds(), |i, a| {
            a.bounded_with(a.p_min.powi(i.negatives as i64))
        })
        .checked("merad2020.TupleDraws.tuple_draws_bound")
        .ours(
            "degrades",
            "the proof of Lemma 1 leaves less than for one negative: 1 − (1 − p_min)^N, the least probability that the \
             class of the largest ζ(a_c(x)) is among the negatives, is at most p_min",
            fails("one class has to be drawn, no whole tuple, and more draws make that more likely"),
            |_, a| at_most(a.rarest_drawn, a.p_min),
        )
        .checked("merad2020.TupleDraws.tuple_draws_degrades_refuted")
        .assume(SEVERAL)
        .sides("1 − (1 − p_min)^N", "p_min")
        .because("the sentence says what becomes of p_min in one way to go on; whether there is a better one is our question")
        .sharpening(
            "improves",
            "E LSE(0, a_I) ≥ (1 − (1 − p_min)^N) E max_c ζ(a_c(x)), and (1 − (1 − p_min)^N)(L_sup^μ − log N_C) ≤ L_un^N",
            holds(),
            |_, a| {
                let step = at_least(a.jensen, a.rarest_drawn * a.hardest);
                all_of([("step", step), ("bound", a.bounded_with(a.rarest_drawn))])
            },
        )
        .checked("merad2020.TupleDraws.tuple_draws_improves")
        .control("a", "min_T P(I = T) = p_min/N", |i, a| {
            equal(rarest_tuple(&a.shares, i.negatives), a.p_min / i.negatives as f64)
        })
        .assume(FEW_OUTCOMES)
        .control("b", "E LSE(0, a_I) ≥ (1 − (1 − p_max)^N) E max_c ζ(a_c(x))", |_, a| {
            at_least(a.jensen, a.likeliest_drawn * a.hardest)
        })
        .control("c", "E LSE(0, a_I) ≥ 1.1 (1 − (1 − p_min)^N) E max_c ζ(a_c(x))", |_, a| {
            at_least(a.jensen, 1.1 * a.rarest_drawn * a.hardest)
        })
        .control("d", "E LSE(0, a_I) ≥ 2 min_T P(I = T) · E max_T LSE(0, a_T)", |i, a| {
            at_least(a.jensen, 2.0 * rarest_tuple(&a.shares, i.negatives) * hardest_tuple(a, i.negatives))
        })
        .assume(FEW_OUTCOMES)
}
