//! Lemma C.10: how the cosine of a signal column of one view and another signal column of the other view moves in
//! Stage 2.
//!
//! True to first order, at every diagonal state: the tangential part of Lemma A.5 is q_p β_p K̄_{B,p} + Σ_s
//! [Q_1]_{sp} β_s K̄_{B,s}, and only [Q_1]_{sp} of Lemma C.5 is of first order. Neither alignment nor equal norms are
//! needed: in general c_p gets the factor β_p/α_p and X − Y becomes X − ρ_p Y, and h_1, h_2 keep their form with the
//! norms of the two views.

use evidence::prelude::*;

use crate::shared::manifold_directions::ManifoldDirection;
use crate::shared::notation::{
    AGREEMENT, CROSS_PULLS, DATA, FEATURES, FOUR_COSINES, KAPPA, KAPPA_HAT, LOSS, LOSS_WITHOUT_NEGATIVES,
    MEAN_SELECTION, MOTION, NORMALISER, NORMALISER_BOTH, OUTPUTS, PERTURBATION, PULL, PULL_OF_STAGE_TWO,
    PULLS_OF_STAGE_TWO, Q_FIRST_ORDER, RHO, SIZES, TANH,
};
use crate::shared::rates_off_manifold::{Base, Leaving, ordered_pairs, slopes_are};
use crate::shared::stage_two::{EQUAL_NORMS, PARALLEL, over_directions};

/// The terms of d/dt cos([K_A]_p, [K_B]_s) at first order: two pulls, then the contribution of an entry of Q_1.
fn terms(base: &Base, s: &ManifoldDirection, (p, l): (usize, usize), entry: Interval) -> Vec<Interval> {
    let d = s.d();
    let (aa, bb, ab) = (s.cosine(p, l), s.cosine(d + p, d + l), s.cosine(p, d + l));
    let (rho_p, rho_l) = (s.correlation[p], s.correlation[l]);
    let first = base.beta[l] * s.sigma_squared[p] / (base.normalisers * base.alpha[p]);
    let second = base.alpha[p] * s.sigma_squared[l] / (base.normalisers * base.beta[l]);
    vec![
        base.pull_a(s, p) * bb,
        -(base.pull_a(s, p) * rho_p * ab),
        base.pull_b(s, l) * aa,
        -(base.pull_b(s, l) * rho_l * ab),
        first * entry,
        second * entry,
    ]
}

/// The same as printed: κ_p = ‖[K_A]_p‖, and neither ρ_p nor the norms of B occur.
fn printed_terms(base: &Base, s: &ManifoldDirection, (p, l): (usize, usize)) -> Vec<Interval> {
    let d = s.d();
    let (aa, bb, ab) = (s.cosine(p, l), s.cosine(d + p, d + l), s.cosine(p, d + l));
    let (pull_p, pull_l) = (base.aligned_pull(s, p), base.aligned_pull(s, l));
    let kappa = &base.alpha;
    let first = kappa[l] * s.sigma_squared[p] / (base.normalisers * kappa[p]);
    let second = kappa[p] * s.sigma_squared[l] / (base.normalisers * kappa[l]);
    let entry = base.q1(s, l, p);
    vec![pull_p * bb, -(pull_p * ab), pull_l * aa, -(pull_l * ab), first * entry, second * entry]
}

fn moves_as_printed(s: &ManifoldDirection, m: &Leaving) -> Evaluation {
    let d = s.d();
    let columns = ordered_pairs(s.r()).map(|(p, l)| (p, d + l));
    slopes_are(m, columns, |p, column| printed_terms(&m.base, s, (p, column - d)))
}

fn moves_by(s: &ManifoldDirection, m: &Leaving, entry: impl Fn(usize, usize) -> Interval) -> Evaluation {
    let d = s.d();
    let columns = ordered_pairs(s.r()).map(|(p, l)| (p, d + l));
    slopes_are(m, columns, |p, column| terms(&m.base, s, (p, column - d), entry(p, column - d)))
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-c10", "off-diagonal cosines across views", Kind::Dynamics)
        .statement(
            "at an aligned state, with c_p = q_pσ_p²/N², h_1 = σ_p²κ_s/(κ_pN²), h_2 = σ_s²κ_p/(κ_sN²) and p ≠ s: d AB \
             = c_p(BB − AB) + c_s(AA − AB) + (h_1 + h_2)[Q_1]_{sp} + O(ε²), d BA = c_p(AA − BA) + c_s(BB − BA) + (h_1 \
             + h_2)[Q_1]_{ps} + O(ε²)",
        )
        .reconstructed("the display; the equation is derived from the definitions")
        .source("Lemma C.10", &["Section C.2"])
        .symbols([
            SIZES, DATA, FEATURES, NORMALISER, NORMALISER_BOTH, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, AGREEMENT,
            KAPPA, KAPPA_HAT, RHO, TANH, MEAN_SELECTION, PULL, FOUR_COSINES,
        ])
        .symbol("d AB", MOTION)
        .symbols([PERTURBATION, Q_FIRST_ORDER, PULLS_OF_STAGE_TWO, CROSS_PULLS, PULL_OF_STAGE_TWO])
        .remark(
            "The rates are those of the flow of Gram matrices, d/dt G as a function of G, taken at every symmetric G \
             with these entries, also where no W has it (ρ_p = 1 makes the columns of both views parallel, so that AA \
             = AB = BA = BB in every state). The rate is analytic in ε, so that O(ε²) says: it vanishes on the \
             manifold, and its derivative in ε at 0 is the linear form. Both are enclosed, for BA as AB of the \
             exchanged pair.",
        )
        .setting(printed())
}

fn printed() -> Setting<ManifoldDirection, Leaving> {
    over_directions(Setting::measuring(|s: &ManifoldDirection, _| Ok(s.leaving()?)))
        .assume(Hypothesis::new("r ≥ 2", |s| s.r() >= 2))
        .without_search()
        .part(
            "printed",
            "for all signals p ≠ s, d AB/dt and d BA/dt are 0 at ε = 0, and their derivatives in ε are those of c_p(BB \
             − AB) + c_s(AA − AB) + (h_1 + h_2)[Q_1]_{sp} and c_p(AA − BA) + c_s(BB − BA) + (h_1 + h_2)[Q_1]_{ps}",
            holds(),
            moves_as_printed,
        )
        .assume(EQUAL_NORMS)
        .assume(PARALLEL)
        .sharpening(
            "general",
            "for any norms and ρ_p, and all signals p ≠ s: d AB = c_{A,p}(BB − ρ_pAB) + c_{B,s}(AA − ρ_sAB) + \
             (σ_p²β_s/α_p + σ_s²α_p/β_s)[Q_1]_{sp}/(N_AN_B) + O(ε²), d BA = c_{A,s}(BB − ρ_sBA) + c_{B,p}(AA − ρ_pBA) \
             + (σ_s²β_p/α_s + σ_p²α_s/β_p)[Q_1]_{ps}/(N_AN_B) + O(ε²)",
            holds(),
            |s, m| moves_by(s, m, |p, l| m.base.q1(s, l, p)),
        )
        .step(
            "s2",
            "noise contributes nothing at first order: with ε times any cosines of the noise columns too, for any \
             norms and ρ_p, and all signals p ≠ s: d AB = c_{A,p}(BB − ρ_pAB) + c_{B,s}(AA − ρ_sAB) + (σ_p²β_s/α_p + \
             σ_s²α_p/β_s)[Q_1]_{sp}/(N_AN_B) + O(ε²), d BA = c_{A,s}(BB − ρ_sBA) + c_{B,p}(AA − ρ_pBA) + (σ_s²β_p/α_s \
             + σ_p²α_s/β_p)[Q_1]_{ps}/(N_AN_B) + O(ε²)",
            holds(),
            |s, m| moves_by(s, m, |p, l| m.base.q1(s, l, p)),
        )
        .assume(Hypothesis::new("q ≥ 1", |s| s.q() >= 1))
        .control("n1", "the terms with Q_1 dropped", |s, m| moves_by(s, m, |_, _| Interval::ZERO))
        .assume(EQUAL_NORMS)
        .assume(PARALLEL)
        .control("n2", "[Q_1]_{ps} and [Q_1]_{sp} exchanged", |s, m| moves_by(s, m, |p, l| m.base.q1(s, p, l)))
        .assume(EQUAL_NORMS)
        .assume(PARALLEL)
}
