//! Lemma C.4: how off-diagonal entries of M move S_A and S_B.
//!
//! True with the explicit residual Δ²/(3√3), Δ the largest change of an exponent, for all states (proof: see Lemma
//! C.3). With noise terms the first orders add, and their mean over the latents is zero. The constant
//! is the best one: with opposed views the negatives concentrate at z⁻ = −z⁺, where the change is minus that of the
//! positive pair.

use evidence::prelude::*;

use crate::shared::near_manifold::{Bend, GIVEN, NearManifold, families};
use crate::shared::notation::{
    CHANGE, CROSS_TERMS, DATA, FEATURES, KAPPA, KAPPA_HAT, MEAN_SELECTION, NORMALISER, OUTPUTS, PERTURBATION, RESIDUAL,
    RHO, SELECTION, SIZES, TANH,
};
use crate::shared::selection_off_manifold::{Near, order, within_selection_bound};

/// The printed first order of S_A and S_B, in which no noise occurs.
fn of_signals(q: &Near, i: usize, j: usize) -> [Interval; 2] {
    let r = q.sizes.signal();
    let weight = |at: usize, k: usize, l: usize| if k < r && l < r { q.gap[at] } else { Interval::ZERO };
    [q.first_order(i, j, |k, l| weight(l, k, l)), q.first_order(i, j, |k, l| weight(k, k, l))]
}

/// First order of S_A and S_B with both kinds present, T = 0 on noise coordinates.
fn with_noise(q: &Near, i: usize, j: usize) -> [Interval; 2] {
    [q.first_order(i, j, |_, l| q.gap[l]), q.first_order(i, j, |k, _| q.gap[k])]
}

fn residual(q: &Near) -> Interval {
    q.gap_to_first_order(Near::changes, with_noise)
}

fn mean(q: &Near) -> Interval {
    let sum: Interval = q.at.positive_pairs().map(|(i, j)| q.changes(i, j)[0]).sum();
    sum * q.at.pair_probability()
}

/// κ² = (1, 1), ρ = −0.99 and K so small that the odds of the positive pair are those of the steepest slope of S'.
fn extremal() -> Vec<(&'static str, NearManifold)> {
    let of = |tau_squared: f64, negatives: f64| {
        NearManifold::of(&[1.0, 1.0], 0, 1e-4, &[0.0, 1.0, 1.0, 0.0])
            .correlated(&[-0.99, -0.99])
            .at(tau_squared, negatives)
    };
    // log K + Σ(log cosh x − x) = −1.317 where S = (1 + 1/√3)/2, x = −0.99 τ²/2.
    vec![
        ("opposed, steepest", of(9.0, 1.9537e-8)),
        ("opposed, steepest, τ² = 10", of(10.0, 2.698e-9)),
        ("opposed, steepest, τ² = 12", of(12.0, 5.143e-11)),
    ]
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-c4", "S_A, S_B: effect of off-diagonal signal terms", Kind::Asymptotic)
        .statement(
            "without noise cross terms: S_A = S̄ + S̄(1−S̄)Σ_{p≠s}E_ps(1−T_s)z_pz_s + O(ε²), S_B = S̄ + \
             S̄(1−S̄)Σ_{p≠s}E_ps(1−T_p)z_pz_s + O(ε²); with both kinds present the first orders add; in particular \
             E_z[S_A − S̄] = O(ε²)",
        )
        .reconstructed("the displays; that the terms have mean zero survives in words")
        .source("Lemma C.4", &["Section C.1"])
        .symbols([SIZES, DATA, FEATURES, NORMALISER, OUTPUTS, SELECTION])
        .symbol("κ", KAPPA.meaning)
        .symbols([KAPPA_HAT, RHO, TANH, MEAN_SELECTION, CROSS_TERMS, CHANGE, PERTURBATION, RESIDUAL])
        .symbol("E_w", "mean over uniform z⁻ with the weight e^{rΣ_px_pz_p⁺z_p⁻}/∏_p cosh x_p, x_p = τ²κ̂_p²/(rN_AN_B)")
        .symbol(
            "F_A",
            "S̄ + S̄(1−S̄){Σ_{p≠s}E_ps(1−T_s)z_pz_s + Σ_{k,p}[m_ξAB]_kp(1−T_p)ξ_{A,k}z_p + zᵀm_AξBξ_B + ξ_Aᵀm_ξξξ_B}; F_B \
             = S̄ + S̄(1−S̄){Σ_{p≠s}E_ps(1−T_p)z_pz_s + ξ_Aᵀm_ξABz + Σ_{p,k}[m_AξB]_pk(1−T_p)z_pξ_{B,k} + ξ_Aᵀm_ξξξ_B}: \
             the first-order formulas",
        )
        .remark(
            "Proof of the bound Δ²/(3√3): that of Lemma C.3, which asks nothing of the direction in which M is left: S \
             = sigmoid(φ) with φ' = δ⁺ − E_wδ and φ'' = −Var_wδ, and Taylor's formula.",
        )
        .setting(printed())
        .setting(best())
        .setting(order(Bend::Signal, residual))
}

fn printed() -> Setting<NearManifold, Near> {
    Setting::measuring(|s: &NearManifold, _| Near::of(s))
        .given(GIVEN)
        .family(families(Bend::Signal))
        .family(families(Bend::Both).map(|f| f.taking(0.25)))
        .without_search()
        .part(
            "printed",
            "at every positive pair S_A and S_B have the derivatives in ε, at ε = 0, of F_A = S̄ + \
             S̄(1−S̄)Σ_{p≠s}E_ps(1−T_s)z_pz_s and F_B = S̄ + S̄(1−S̄)Σ_{p≠s}E_ps(1−T_p)z_pz_s, and |S_A − F_A|, |S_B − F_B| \
             ≤ Δ²/(3√3)",
            holds(),
            |_, q| {
                let derivatives = q.at.positive_pairs().flat_map(|(i, j)| {
                    let (found, first) = (q.slopes(i, j), of_signals(q, i, j));
                    [("S_A", 0), ("S_B", 1)].map(|(name, view)| {
                        (name, equal(found[view], first[view]).on_scale_of("(1−S̄)Δ", q.first_size()))
                    })
                });
                all_of(
                    derivatives.chain([(
                        "residual",
                        within_selection_bound(q, q.gap_to_first_order(Near::changes, of_signals)),
                    )]),
                )
            },
        )
        .our_constant("the explicit multiple: the words name an order only")
        .assume(Hypothesis::new("no noise cross terms: m_AξB = 0, m_ξAB = 0, m_ξξ = 0", |s| !s.bends().1))
        .part(
            "both",
            "with both kinds present the first orders add: |S_A − F_A|, |S_B − F_B| ≤ Δ²/(3√3) at every positive pair",
            holds(),
            |_, q| within_selection_bound(q, residual(q)),
        )
        .our_constant("the explicit multiple: the words name an order only")
        .part(
            "mean",
            "|E_{z,ξ_A,ξ_B}[S_A − S̄]| ≤ Δ²/(3√3), the mean over all positive pairs",
            holds(),
            |_, q| within_selection_bound(q, mean(q).abs()),
        )
        .our_constant("the explicit multiple: the words name an order only")
        .step(
            "first-order",
            "at every positive pair S_A and S_B have the derivatives in ε, at ε = 0, of F_A and F_B",
            holds(),
            |_, q| {
                all_of(q.at.positive_pairs().flat_map(|(i, j)| {
                    let (found, first) = (q.slopes(i, j), with_noise(q, i, j));
                    [0, 1].map(|view| ("a pair", equal(found[view], first[view]).on_scale_of("(1−S̄)Δ", q.first_size())))
                }))
            },
        )
        .step(
            "s1",
            "E_w[z⁺ᵀEz⁻] = Σ_{p≠s}E_psT_sz_p⁺z_s⁺ for every z⁺, the weights w those at ε = 0, on the diagonal \
             manifold, and E that of the state",
            holds(),
            |_, q| {
                let (n, d) = (q.at.states(), q.bend.rows());
                let places = || pairs(0..d, 0..d);
                let means = |i: usize| {
                    let value = |j: usize| -> Interval {
                        places().map(|(k, l)| q.bend.at(k, l) * q.latent(k, i) * q.latent(l, j)).sum()
                    };
                    let tilted: Interval = (0..n).map(|j| q.start.tilt_a(i, j).value * value(j)).sum();
                    let expected: Interval =
                        places().map(|(k, l)| q.bend.at(k, l) * q.tilt[l] * q.latent(k, i) * q.latent(l, i)).sum();
                    ("a state", equal(tilted / n as f64, expected).on_scale_of("Δ", q.change.hi()))
                };
                all_of((0..n).map(means))
            },
        )
        .assume(Hypothesis::new("no noise cross terms: m_AξB = 0, m_ξAB = 0, m_ξξ = 0", |s| !s.bends().1))
        .step("s2", "on the diagonal manifold S_A = S_B = S̄ at every positive pair", holds(), |_, q| {
            all_of(q.at.positive_pairs().flat_map(|(i, j)| {
                let (a, b) = (q.start.rest_a(i, j).value, q.start.rest_b(i, j).value);
                [("1 − S_A", a), ("1 − S_B", b)]
                    .map(|(name, rest)| (name, equal(rest, q.rest).on_scale_of("1−S̄", q.rest.hi())))
            }))
        })
        .control("n1", "1−T_s and 1−T_p swapped", |_, q| {
            within_selection_bound(q, q.worst(|i, j| q.changes(i, j)[0] - with_noise(q, i, j)[1]))
        })
        .control("n2", "first order absent", |_, q| within_selection_bound(q, q.worst(|i, j| q.changes(i, j)[0])))
        .control("n3", "the mean over z moves at first order: |E[S_A − S̄]| ≥ S̄(1−S̄)Δ/10", |_, q| {
            at_least(mean(q).abs(), 0.1 * q.chosen * q.rest * q.change)
        })
}

fn best() -> Setting<NearManifold, Near> {
    Setting::measuring(|s: &NearManifold, _| Near::of(s))
        .given(GIVEN)
        .family(edge("extremal", extremal))
        .without_search()
        .sharpening(
            "best",
            "the constant 1/(3√3) cannot be lowered by one percent: at the instances named the residual is at least \
             0.99Δ²/(3√3)",
            holds(),
            |_, q| {
                let bound = q.change.square() / (3.0 * Interval::point(3.0).sqrt());
                at_least(residual(q), 0.99 * bound)
            },
        )
}
