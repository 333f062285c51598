//! Lemma C.3: how cosines with noise columns move S_A and S_B.
//!
//! True, and more than asymptotic: for every state whose signal block M is diagonal the residual is at most Δ²/(3√3),
//! with Δ the largest change of an exponent τ²⟨f_A, f_B⟩. Nothing of Stage 2 is used, neither equal norms nor
//! correlations near one. The first derivatives are also computed by automatic differentiation.

use evidence::prelude::*;

use crate::shared::near_manifold::{Bend, GIVEN, NearManifold, families, generic, generic_family};
use crate::shared::notation::{
    CHANGE, CROSS_TERMS, DATA, FEATURES, KAPPA, KAPPA_HAT, MEAN_SELECTION, NORMALISER, OUTPUTS, PERTURBATION, RESIDUAL,
    RHO, SELECTION, SIZES,
};
use crate::shared::selection_off_manifold::{Near, falls_like, state_orders, within_selection_bound};

/// The first-order formulas for S_A and S_B at a pair, in which no E occurs.
fn printed(q: &Near, i: usize, j: usize) -> [Interval; 2] {
    let r = q.sizes.signal();
    let weight = |signal: usize, k: usize, l: usize| match (k < r, l < r) {
        (true, true) => Interval::ZERO,
        _ if signal < r => q.gap[signal],
        _ => Interval::ONE,
    };
    [q.first_order(i, j, |k, l| weight(l, k, l)), q.first_order(i, j, |k, l| weight(k, k, l))]
}

fn residual(q: &Near) -> Interval {
    q.gap_to_first_order(Near::changes, printed)
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-c3", "S_A, S_B: effect of noise cross terms", Kind::Asymptotic)
        .statement(
            "with E = 0: S_A = S̄ + S̄(1−S̄){ξ_Aᵀm_ξAB((1−T)∘z) + zᵀm_AξBξ_B + ξ_Aᵀm_ξξξ_B} + O(ε²), S_B = S̄ + \
             S̄(1−S̄){ξ_Aᵀm_ξABz + ((1−T)∘z)ᵀm_AξBξ_B + ξ_Aᵀm_ξξξ_B} + O(ε²)",
        )
        .reconstructed("the displays; the split into noise terms and off-diagonal signal terms survives in words")
        .source("Lemma C.3", &["Section C.1"])
        .symbols([SIZES, DATA, FEATURES, NORMALISER, OUTPUTS, SELECTION])
        .symbol("κ", KAPPA.meaning)
        .symbols([KAPPA_HAT, RHO, MEAN_SELECTION, CROSS_TERMS, CHANGE, PERTURBATION, RESIDUAL])
        .symbol("∘", "product entry by entry")
        .symbol("T", "as a vector (T_1, …, T_r), T_p = tanh x_p, x_p = τ²κ̂_p²/(rN_AN_B)")
        .remark(
            "Proof of the bound: along C(t) = diag M + tB, 0 ≤ t ≤ 1, the exponents τ²⟨f_A, f_B⟩ move by tδ with |δ| ≤ \
             Δ, so that φ = log(S/(1−S)) has φ' = δ⁺ − μ, δ⁺ that of the positive pair, μ = E_wδ, and φ'' = −v, v = \
             Var_wδ ≤ Δ² − μ². Hence S'' = S(1−S)((1−2S)φ'² − v) with |φ'| ≤ Δ + |μ|. With y = |1−2S| the bracket is \
             in size at most y(Δ + |μ|)² + Δ² − μ², whose largest value is Δ²/(1−y) for y ≤ 1/2 (at |μ| = yΔ/(1−y)) \
             and 4yΔ² beyond (at |μ| = Δ). With S(1−S) = (1−y²)/4 that gives |S''| ≤ 2Δ²/(3√3), reached by the second \
             form at y = 1/√3, and Taylor's formula takes half. Hypotheses of Stage 2 are not used.",
        )
        .setting(derivatives())
        .setting(order())
}

fn derivatives() -> Setting<NearManifold, Near> {
    Setting::measuring(|s: &NearManifold, _| Near::of(s))
        .given(GIVEN)
        .assume(Hypothesis::new("E = 0", |s| !s.bends().0))
        .family(families(Bend::Noise))
        .family(outside("E ≠ 0", generic))
        .without_search()
        .part(
            "printed",
            "at every positive pair S_A and S_B have the derivatives in ε, at ε = 0, of F_A = S̄ + \
             S̄(1−S̄){ξ_Aᵀm_ξAB((1−T)∘z) + zᵀm_AξBξ_B + ξ_Aᵀm_ξξξ_B} and F_B = S̄ + S̄(1−S̄){ξ_Aᵀm_ξABz + \
             ((1−T)∘z)ᵀm_AξBξ_B + ξ_Aᵀm_ξξξ_B}, and |S_A − F_A|, |S_B − F_B| ≤ Δ²/(3√3)",
            holds(),
            |_, q| {
                let derivatives = q.at.positive_pairs().flat_map(|(i, j)| {
                    let (found, first) = (q.slopes(i, j), printed(q, i, j));
                    [("S_A", 0), ("S_B", 1)].map(|(name, view)| {
                        (name, equal(found[view], first[view]).on_scale_of("(1−S̄)Δ", q.first_size()))
                    })
                });
                all_of(derivatives.chain([("residual", within_selection_bound(q, residual(q)))]))
            },
        )
        .our_constant("the explicit multiple: the words name an order only")
        .step(
            "s1",
            "the derivative at ε = 0, times ε, of log E_{x_B⁻}e^{τ²⟨f_A⁺,f_B⁻⟩} is ξ_Aᵀm_ξAB(T∘z), z and ξ_A those of \
             x_A⁺: what is linear in ξ_B⁻ has mean zero",
            holds(),
            |_, q| {
                let r = q.sizes.signal();
                // The derivative of log E_{x_B⁻} e^{…}: only m_ξAB z⁻ is left, with E_w z⁻ = T∘z.
                all_of(q.at.positive_pairs().map(|(i, j)| {
                    let tilted = q.first_order(i, j, |_, l| if l < r { q.tilt[l] } else { Interval::ZERO });
                    let all = q.first_order(i, j, |_, _| Interval::ONE);
                    (
                        "a pair",
                        equal(-q.start.rest_a(i, j).slopes[0], all - tilted).on_scale_of("(1−S̄)Δ", q.first_size()),
                    )
                }))
            },
        )
        .control("n1", "(1−T) dropped in S_A", |_, q| {
            let gap = q.worst(|i, j| q.changes(i, j)[0] - q.first_order(i, j, |_, _| Interval::ONE));
            within_selection_bound(q, gap)
        })
        .control("n2", "S_A = S_B to first order", |_, q| {
            within_selection_bound(q, q.worst(|i, j| q.changes(i, j)[0] - printed(q, i, j)[1]))
        })
        .control("n3", "the residual at most a hundredth of the bound", |_, q| {
            within_selection_bound(q, 100.0 * residual(q))
        })
}

fn order() -> Setting<NearManifold, Option<Vec<(f64, f64)>>> {
    Setting::measuring(|s: &NearManifold, _| Ok(state_orders(s, residual)))
        .given(GIVEN)
        .assume(Hypothesis::new("E = 0", |s| !s.bends().0))
        .family(generic_family(Bend::Noise))
        .family(outside("E ≠ 0", generic))
        .without_search()
        .part(
            "order",
            "as the ε of the state is halved five times, the residual falls like ε² or faster (fitted exponent, slack \
             1/4)",
            consistent(),
            |_, o| falls_like(o, 2.0),
        )
        .except("the residual is zero")
        .implied_by("printed")
}
