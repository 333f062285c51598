//! Section 3.1, after Lemma 2: is a better inequality than Lemma 2 out of reach?
//!
//! It is not, and the best one has a closed form. For at least two classes and every N ≥ 1,
//! sup L_sup^μ/L_un^N = κ*(ρ, N) = 1/(1 − (1 − p_min)^N), which needs no N of the order of N_C log N_C, is 1/p_min for
//! N = 1 (Lemma 1 without log N_C) and falls to 1 as N grows. For 10 equally likely classes and N = 15 it is 1.26,
//! where 1/p_cc(N) is 21.8.
//!
//! Proof that κ* is never exceeded. Fix an anchor of class c, w_j = e^{a_j(x)}, g(S) = log(1 + Σ_{j∈S} w_j), and number
//! the other classes 1, 2, …. Let J be the set of those that the negatives show. After Jensen the anchor's loss is at
//! least g(J), because each class of J enters the log-sum-exp at least once, and it is log(N+1) if J is empty. Now g(J)
//! is the sum over j ∈ J of the increments g(J ∩ {1..j}) − g(J ∩ {1..j−1}), each at least Δ_j = g({1..j}) −
//! g({1..j−1}), since the increments of a concave function fall. Hence E g(J) ≥ Σ_j P(j ∈ J) Δ_j ≥ (1 − (1 − p_min)^N)
//! Σ_j Δ_j, and Σ_j Δ_j is the anchor's part of L_sup^μ.
//!
//! Proof that it is approached. One value per class on a line, v for the rarest class and 1 for all others. The anchors
//! at 1, of share F, have logit v − 1 towards the rarest class and 0 towards the others; the anchors at v have no
//! positive logit. So L_sup^μ ≥ F(v−1) and L_un^N ≤ F(v−1)/κ* + log(N+1): κ*(L_un^N − log(N+1)) ≤ L_sup^μ, and L_un^N
//! grows without bound with v.

use contrastive::{LatentClassModel, drawn_probability, sup_mean_all};
use enclosures::probability::Coverage;
use estimators::bounds::{LEMMA_2, RAREST_CLASS};
use evidence::prelude::*;

use crate::shared::digits;
use crate::shared::drawn_models::{DRAWN, DrawnModel, INTERVALS, SampledLosses, named};
use crate::shared::families::{line, models};
use crate::shared::hypotheses::{MODEL, OTHER_LAWS, has_as_many_negatives, is_zero};
use crate::shared::many_points::unsupervised;
use crate::shared::negatives::{Negatives, sizes};
use crate::shared::notation::{
    CLASS_COUNT, COLLISION, COVERAGE, EMBEDDING, LOGARITHM, MEAN_CLASSIFIER_LOSS, P_MAX, P_MIN, RHO, UNSUPERVISED_LOSS,
};

struct RarestClassLosses {
    /// L_sup^μ(f, 𝒞).
    mean_classifier: Enclosure,
    /// L_un^N(f).
    unsupervised: Enclosure,
    /// 1/κ* = 1 − (1 − p_min)^N.
    rarest_drawn: Enclosure,
    /// p_cc(N).
    covered: Enclosure,
    tau: Enclosure,
    p_min: Enclosure,
    /// log(N + 1).
    log_draws: Enclosure,
}

fn losses(i: &Negatives) -> Result<RarestClassLosses, Box<dyn std::error::Error + Send + Sync>> {
    let (model, n) = (&i.model, i.negatives);
    Ok(RarestClassLosses {
        mean_classifier: sup_mean_all(model).into(),
        unsupervised: unsupervised(model, n)?,
        rarest_drawn: drawn_probability(model.p_min(), n).into(),
        covered: Coverage::of_weights(model.class_weights(), n)?.covered.into(),
        tau: model.tau(n).into(),
        p_min: model.p_min().into(),
        log_draws: (Enclosure::from(n) + 1.0).ln(),
    })
}

impl RarestClassLosses {
    /// L_sup^μ/L_un^N, for the report.
    fn ratio(&self) -> String {
        let ratio = (self.mean_classifier / self.unsupervised).midpoint();
        let most = (1.0 / self.rarest_drawn).midpoint();
        format!("L_sup^μ/L_un^N = {ratio:.4}, κ* = {most:.4}, 1/p_cc = {:.4}", (1.0 / self.covered).midpoint())
    }
}

/// Sizes of the register, and class probabilities equal or skewed.
fn laws() -> Vec<(u64, Vec<f64>)> {
    let uniform = [(2, 1), (2, 2), (3, 5), (10, 15), (10, 25), (10, 35)].map(|(classes, n)| (n, vec![1.0; classes]));
    let skewed = [(1, vec![9.0, 1.0]), (2, vec![9.0, 1.0]), (5, vec![5.0, 3.0, 2.0]), (15, vec![8.0, 4.0, 2.0, 1.0])];
    uniform.into_iter().chain(skewed).collect()
}

/// One value per class on a line: `far` for the rarest class, 1 for all others.
fn approaching(n: u64, weights: &[f64], far: f64) -> Negatives {
    let rarest = (0..weights.len()).rev().min_by(|&a, &b| weights[a].total_cmp(&weights[b]));
    let values: Vec<f64> = (0..weights.len()).map(|c| if Some(c) == rarest { far } else { 1.0 }).collect();
    Negatives { negatives: n, model: line(weights, &values) }
}

/// Models whose quotient L_sup^μ/L_un^N comes near its largest value, 1/(1 − (1 − p_min)^N), as the rarest class moves off.
pub(super) fn extremal() -> Vec<(String, Negatives)> {
    let each = |(n, weights): (u64, Vec<f64>)| {
        [3.0, 30.0, 300.0, 10_000.0]
            .map(|far| (format!("one class at {far}, the rest at 1"), approaching(n, &weights, far)))
    };
    laws().into_iter().flat_map(each).collect()
}

/// Whether all classes but one rarest sit at the value 1 and that one at a larger value.
fn is_extremal(i: &Negatives) -> bool {
    let model: &LatentClassModel = &i.model;
    let points = model.dimension() == 1 && model.classes().iter().all(|atoms| atoms.len() == 1);
    let value = |c: usize| model.classes()[c][0].at[0];
    let least = model.class_weights().iter().copied().fold(f64::INFINITY, f64::min);
    let far: Vec<usize> = (0..model.n_classes()).filter(|&c| points && value(c) != 1.0).collect();
    match far[..] {
        [one] => value(one) > 1.0 && model.class_weights()[one] == least,
        _ => false,
    }
}

pub fn claim() -> Claim {
    Claim::new("merad2020.remark-lemma-2", "room for improvement in Lemma 2", Kind::Observation)
        .statement(
            "it is difficult to obtain a better inequality than L_sup^μ(f,𝒞) ≤ L_un^N(f)/p_cc(N), which holds for N ≥ N_C",
        )
        .speaks_also_of(OTHER_LAWS)
        .symbols([
            CLASS_COUNT, RHO, P_MIN, P_MAX, EMBEDDING, MEAN_CLASSIFIER_LOSS, UNSUPERVISED_LOSS, COVERAGE, COLLISION,
            LOGARITHM,
        ])
        .source("section 3.1, last sentences, after Lemma 2", &["section 3.1, sentence before Lemma 2"])
        .remark(
            "The printed sentence names the losses the other way round (\"upper bound L_un^N(f) by the supervised \
             L_sup(f,𝒞)\"); it is read as (8).",
        )
        .remark(
            "That something is difficult cannot fail. What can be asked is whether 1/p_cc(N) is the best constant: it is \
             not. `closed-form` has the best one, and the witness of `best-is-coverage` shows by how much it is smaller.",
        )
        .setting(constants())
        .setting(drawn())
}

fn constants() -> Setting<Negatives, RarestClassLosses> {
    Setting::measuring(|i: &Negatives, _| losses(i))
        .given(MODEL)
        .given("N ≥ 1 and κ* = 1/(1 − (1 − p_min)^N)")
        .assume(Hypothesis::new("N_C ≥ 2", |i| i.model.n_classes() >= 2))
        .degenerate("f = 0", |i| is_zero(&i.model))
        .family(edge("approaching", extremal))
        .family(models(8, sizes))
        .family(digits::family(|model| {
            let with = |n| (format!(", N = {n}"), Negatives { negatives: n, model: model.clone() });
            [15, 35].map(with).to_vec()
        }))
        .part("bound", "p_cc(N) L_sup^μ ≤ L_un^N: what is to be improved upon", holds(), |i, l| {
            if !has_as_many_negatives(&i.model, i.negatives) {
                return vacuous("N < N_C: 1/p_cc(N) is infinite");
            }
            at_most(l.covered * l.mean_classifier, l.unsupervised)
        })
        .except("N < N_C: 1/p_cc(N) is infinite")
        .because("that something is difficult cannot fail; what the sentence rests on can")
        .ours(
            "best-is-coverage",
            "κ* ≥ 1/p_cc(N): no constant is better than 1/p_cc(N)",
            fails("κ* is smaller: one rarest class has to be drawn, not all"),
            |i, l| {
                if !has_as_many_negatives(&i.model, i.negatives) {
                    return vacuous("N < N_C: 1/p_cc(N) is infinite");
                }
                at_least(l.covered, l.rarest_drawn)
            },
        )
        .checked("merad2020.Lemma2.remark_lemma_2_refuted")
        .sides("p_cc(N)", "1/κ*")
        .except("N < N_C: 1/p_cc(N) is infinite")
        .because("whether nothing better than 1/p_cc(N) exists is more than the sentence says")
        .sharpening(
            "closed-form",
            "L_sup^μ ≤ κ* L_un^N for every N ≥ 1, where κ* is the best constant",
            holds(),
            |_, l| at_most(l.rarest_drawn * l.mean_classifier, l.unsupervised).noting(l.ratio()),
        )
        .checked("merad2020.Lemma2.remark_lemma_2_corrected")
        .sides("L_sup^μ/κ*", "L_un^N")
        .checked_in_part("merad2020.BestConstant.remark_lemma_2_best")
        .sharpening("approached", "κ*(L_un^N − log(N+1)) ≤ L_sup^μ ≤ κ* L_un^N", holds(), |_, l| {
            let left = l.unsupervised - l.log_draws;
            ascending([left, l.rarest_drawn * l.mean_classifier, l.unsupervised]).noting(l.ratio())
        })
        .checked_in_part("merad2020.BestConstant.remark_lemma_2_approached")
        .sides("L_un^N − log(N+1), or L_sup^μ/κ*", "L_sup^μ/κ*, or L_un^N")
        .assume(Hypothesis::new("d = 1, f = v > 1 on one rarest class and f = 1 on all others", is_extremal))
        .sharpening("never-worse", "κ* ≤ 1/p_cc(N) and κ* ≤ 1/p_min", holds(), |_, l| {
            all_of([
                ("coverage", at_least(l.rarest_drawn, l.covered).on_scale_of("1", 1.0)),
                ("one negative", at_least(l.rarest_drawn, l.p_min)),
            ])
        })
        .checked("merad2020.BestConstant.remark_lemma_2_never_worse")
        .sides("1/κ*", "p_cc(N), or p_min")
        .sharpening("collisions", "L_sup^μ ≤ κ* (L_un^N − τ_N log(N+1))", holds(), |_, l| {
            let rest = l.unsupervised - l.tau * l.log_draws;
            at_most(l.rarest_drawn * l.mean_classifier, rest).on_scale_of("L_un^N", l.unsupervised.hi())
        })
        .checked("merad2020.Lemma2.remark_lemma_2_collisions")
        .sides("L_sup^μ/κ*", "L_un^N − τ_N log(N+1)")
        .control("a", "L_sup^μ ≤ L_un^N/2", |_, l| at_most(l.mean_classifier, l.unsupervised / 2.0))
        .control("b", "1.01 L_sup^μ ≤ κ* L_un^N: 1 % less than κ*", |_, l| {
            at_most(1.01 * l.mean_classifier, l.unsupervised / l.rarest_drawn)
        })
        .control("c", "L_sup^μ ≤ L_un^N/(1 − (1 − p_max)^N)", |i, l| {
            let seen = drawn_probability(i.model.p_max(), i.negatives);
            at_most(l.mean_classifier, l.unsupervised / Enclosure::from(seen))
        })
        .control("d", "L_sup^μ ≤ L_un^N, without a factor", |_, l| at_most(l.mean_classifier, l.unsupervised))
        .control("e", "L_sup^μ ≤ κ*(L_un^N − log(N+1)), without the factor τ_N", |_, l| {
            at_most(l.mean_classifier, (l.unsupervised - l.log_draws) / l.rarest_drawn)
        })
}

fn drawn() -> Setting<DrawnModel, SampledLosses> {
    Setting::measuring(|m: &DrawnModel, trial| m.losses(None, &[RAREST_CLASS], trial))
        .given(DRAWN)
        .given("N ≥ 1 and κ* = 1/(1 − (1 − p_min)^N)")
        .given(INTERVALS)
        .family(edge("continuous laws", || named(16)))
        .without_search()
        .sharpening(
            "drawn",
            "continuous laws: L_sup^μ ≤ κ* (L_un^N − τ_N log(N+1)) ≤ κ* L_un^N",
            holds(),
            |_, l| l.below(&RAREST_CLASS),
        )
        .sides("L_sup^μ/κ*", "L_un^N − τ_N log(N+1)")
        .because("bounded laws are limits of laws with finitely many values, along which both losses converge")
        .control("drawn-reversed", "continuous laws: L_sup^μ ≥ κ* (L_un^N − τ_N log(N+1))", |_, l| {
            l.above(&RAREST_CLASS)
        })
        .sides("L_sup^μ/κ*", "L_un^N − τ_N log(N+1)")
        .control(
            "drawn-coverage",
            "continuous laws: L_sup^μ ≥ L_un^N/p_cc(N), as if 1/p_cc(N) were the constant that is needed",
            |_, l| l.above(&LEMMA_2),
        )
        .sides("p_cc(N) L_sup^μ", "L_un^N")
        .assume(Hypothesis::new("N ≥ N_C", |m: &DrawnModel| m.negatives >= m.classes.into()))
}
