//! Lemma C.11: how the cosine of two signal columns of one view moves in Stage 2.
//!
//! True to first order, by the computation of Lemma C.10. Away from ρ = 1 it is not enough to replace X − Y by X −
//! ρ_pY: within a view the inner product ⟨[K_B]_s, [K_A]_s⟩ enters, so that the two terms with Q_1 carry the factors
//! ρ_s and ρ_p.

use evidence::prelude::*;

use crate::shared::manifold_directions::ManifoldDirection;
use crate::shared::notation::{
    AGREEMENT, CROSS_PULLS, DATA, FEATURES, FOUR_COSINES, KAPPA, KAPPA_HAT, LOSS, LOSS_WITHOUT_NEGATIVES,
    MEAN_SELECTION, MOTION, NORMALISER, NORMALISER_BOTH, OUTPUTS, PERTURBATION, PULL, PULL_OF_STAGE_TWO,
    PULLS_OF_STAGE_TWO, Q_FIRST_ORDER, RHO, SIZES, TANH,
};
use crate::shared::rates_off_manifold::{Leaving, ordered_pairs, slopes_are};
use crate::shared::stage_two::{EQUAL_NORMS, PARALLEL, over_directions};

/// What of the linear form is changed by a control.
#[derive(Clone, Copy, PartialEq)]
enum Variant {
    /// At every diagonal state.
    True,
    /// As printed for aligned states: κ_p = ‖[K_A]_p‖, and neither ρ_p nor the norms of B occur.
    Printed,
    WithoutSelection,
    Exchanged,
    WithoutCorrelation,
}

/// "d AA/dt and d BB/dt have these slopes".
fn moves_by(s: &ManifoldDirection, m: &Leaving, variant: Variant) -> Evaluation {
    let (d, base) = (s.d(), &m.base);
    let terms = |view: usize, p: usize, l: usize| {
        let (own, cross) = (s.cosine(view * d + p, view * d + l), |i: usize, j: usize| s.cosine(i, d + j));
        // In view A the partner of column p is [K_B]_p; its cosine with [K_A]_l is BA = cos([K_A]_l, [K_B]_p).
        let (with_p, with_l) = if view == 0 { (cross(l, p), cross(p, l)) } else { (cross(p, l), cross(l, p)) };
        let printed = variant == Variant::Printed;
        let (norm, other) = match (printed, view) {
            (true, _) => (&base.alpha, &base.alpha),
            (false, 0) => (&base.alpha, &base.beta),
            (false, _) => (&base.beta, &base.alpha),
        };
        let [pull, pull_l] = [p, l].map(|k| match (printed, view) {
            (true, _) => base.aligned_pull(s, k),
            (false, 0) => base.pull_a(s, k),
            (false, _) => base.pull_b(s, k),
        });
        let [rho_p, rho_l] = [p, l].map(|k| if printed { 1.0 } else { s.correlation[k] });
        let (mut first, mut second) = (
            other[l] * s.sigma_squared[p] / (base.normalisers * norm[p]),
            other[p] * s.sigma_squared[l] / (base.normalisers * norm[l]),
        );
        if variant == Variant::Exchanged {
            std::mem::swap(&mut first, &mut second);
        }
        if variant != Variant::WithoutCorrelation {
            (first, second) = (first * rho_l, second * rho_p);
        }
        let (into_p, into_l) =
            if view == 0 { (base.q1(s, l, p), base.q1(s, p, l)) } else { (base.q1(s, p, l), base.q1(s, l, p)) };
        let mut sum = vec![pull * with_p, -(pull * rho_p * own), pull_l * with_l, -(pull_l * rho_l * own)];
        if variant != Variant::WithoutSelection {
            sum.extend([first * into_p, second * into_l]);
        }
        sum
    };
    let below = || ordered_pairs(s.r()).filter(|(p, l)| p < l);
    all_of([
        ("AA", slopes_are(m, below(), |p, l| terms(0, p, l))),
        ("BB", slopes_are(m, below().map(|(p, l)| (d + p, d + l)), |p, l| terms(1, p - d, l - d))),
    ])
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-c11", "off-diagonal cosines within a view", Kind::Dynamics)
        .statement(
            "in the notation of Lemma C.10, at an aligned state: d AA = c_p(BA − AA) + c_s(AB − AA) + h_1[Q_1]_{sp} + \
             h_2[Q_1]_{ps} + O(ε²), d BB = c_p(AB − BB) + c_s(BA − BB) + h_1[Q_1]_{ps} + h_2[Q_1]_{sp} + O(ε²)",
        )
        .reconstructed("the displays; the equations are derived from the definitions")
        .source("Lemma C.11", &["Section C.2"])
        .symbols([
            SIZES, DATA, FEATURES, NORMALISER, NORMALISER_BOTH, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, AGREEMENT,
            KAPPA, KAPPA_HAT, RHO, TANH, MEAN_SELECTION, PULL, FOUR_COSINES,
        ])
        .symbol("d AA", MOTION)
        .symbols([PERTURBATION, Q_FIRST_ORDER, PULLS_OF_STAGE_TWO, CROSS_PULLS, PULL_OF_STAGE_TWO])
        .setting(printed())
}

fn printed() -> Setting<ManifoldDirection, Leaving> {
    over_directions(Setting::measuring(|s: &ManifoldDirection, _| Ok(s.leaving()?)))
        .assume(Hypothesis::new("r ≥ 2", |s| s.r() >= 2))
        .without_search()
        .part(
            "printed",
            "for all signals p ≠ s, d AA/dt and d BB/dt are 0 at ε = 0, and their derivatives in ε are those of c_p(BA \
             − AA) + c_s(AB − AA) + h_1[Q_1]_{sp} + h_2[Q_1]_{ps} and c_p(AB − BB) + c_s(BA − BB) + h_1[Q_1]_{ps} + \
             h_2[Q_1]_{sp}",
            holds(),
            |s, m| moves_by(s, m, Variant::Printed),
        )
        .assume(EQUAL_NORMS)
        .assume(PARALLEL)
        .sharpening(
            "general",
            "for any norms and ρ_p, and all signals p ≠ s: d AA = c_{A,p}(BA − ρ_pAA) + c_{A,s}(AB − ρ_sAA) + \
             (ρ_sσ_p²(β_s/α_p)[Q_1]_{sp} + ρ_pσ_s²(β_p/α_s)[Q_1]_{ps})/(N_AN_B) + O(ε²), d BB = c_{B,p}(AB − ρ_pBB) + \
             c_{B,s}(BA − ρ_sBB) + (ρ_sσ_p²(α_s/β_p)[Q_1]_{ps} + ρ_pσ_s²(α_p/β_s)[Q_1]_{sp})/(N_AN_B) + O(ε²)",
            holds(),
            |s, m| moves_by(s, m, Variant::True),
        )
        .control("n1", "the linear form of the statement without the terms of Q_1", |s, m| {
            moves_by(s, m, Variant::WithoutSelection)
        })
        .assume(EQUAL_NORMS)
        .assume(PARALLEL)
        .control("n2", "the linear form of the statement with h_1 and h_2 exchanged", |s, m| {
            moves_by(s, m, Variant::Exchanged)
        })
        .assume(EQUAL_NORMS)
        .assume(PARALLEL)
        .control(
            "n3",
            "the linear form of the statement without the factors ρ_s and ρ_p before the terms of Q_1",
            |s, m| moves_by(s, m, Variant::WithoutCorrelation),
        )
}
