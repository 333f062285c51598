//! Lemma C.8: the scalar Q_0 in Stage 2.
//!
//! True with an explicit residual: τ²|Q_0 − Q̄_0| ≤ (3 + 7(X+Δ)/2)Δ², X = Σ|x_p|, for all states. The
//! first derivative vanishes because Q is diagonal at ε = 0 and its diagonal does not move at first order.

use evidence::prelude::*;

use crate::shared::near_manifold::{Bend, GIVEN, NearManifold, families};
use crate::shared::notation::{
    ARGUMENT, CHANGE, CROSS_TERMS, DATA, FEATURES, KAPPA, KAPPA_HAT, MEAN_SELECTION, NORMALISER, OUTPUTS, PERTURBATION,
    Q_MATRIX, Q_SCALAR, RESIDUAL, RHO, SELECTION, SIZES, TANH,
};
use crate::shared::selection_off_manifold::{Near, falls_like, order};

/// Q̄_0 = (2(1−S̄)/(rN_AN_B)) Σ κ̂_p²(1−T_p), the gaps 1 − T_p given.
fn leading(q: &Near, gap: impl Fn(usize) -> Interval) -> Interval {
    let sum: Interval = q.diagonal.iter().enumerate().map(|(p, &c)| c * gap(p)).sum();
    2.0 * q.rest * sum / q.sizes.signal() as f64
}

fn residual(q: &Near) -> Interval {
    (q.scalar - leading(q, |p| q.gap[p])).abs()
}

fn within(s: &NearManifold, q: &Near, residual: Interval) -> Evaluation {
    let bound = (3.0 + 3.5 * (q.total() + q.change)) * q.change.square();
    at_most(s.tau_squared * residual, bound).on_scale_of("max(1, τ²)", s.tau_squared.max(1.0))
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-c8", "Q_0 in Stage 2", Kind::Asymptotic)
        .statement("Q_0 = (2(1−S̄)/(rN_AN_B)) Σ_p κ̂_p²(1−T_p) + O(ε²)")
        .reconstructed("the display")
        .source("Lemma C.8", &["Section C.1"])
        .symbols([SIZES, DATA, FEATURES, NORMALISER, OUTPUTS, SELECTION])
        .symbol("κ", KAPPA.meaning)
        .symbols([
            KAPPA_HAT, RHO, ARGUMENT, TANH, MEAN_SELECTION, CROSS_TERMS, CHANGE, PERTURBATION, RESIDUAL, Q_SCALAR,
            Q_MATRIX,
        ])
        .symbol(
            "C",
            "[K_A, K_{A,ξ}]ᵀ[K_B, K_{B,ξ}]/(N_AN_B), d × d, d = r + q: the products of the columns of A, rows, with \
             those of B",
        )
        .symbol("Q̄_0", "(2(1−S̄)/(rN_AN_B)) Σ_p κ̂_p²(1−T_p), the first-order formula of Q_0")
        .remark(
            "O(ε²) is replaced by an explicit bound. Proof: τ²Q_0 is the sum that an entry of Q is (Lemma C.5), with \
             the exponents τ²⟨f_A, f_B⟩ themselves for the products: these are at most X + Δ in size and move at most \
             at the rate Δ. So half of its second derivative is at most 7(X+Δ)Δ²/2 from the old terms and 3Δ·Δ from \
             the mixed ones.",
        )
        .setting(printed())
        .setting(second_order())
}

fn printed() -> Setting<NearManifold, Near> {
    Setting::measuring(|s: &NearManifold, _| Near::of(s))
        .given(GIVEN)
        .family(families(Bend::Both))
        .without_search()
        .part(
            "printed",
            "τ²|Q_0 − Q̄_0| ≤ (3 + 7(X+Δ)/2)Δ², Q̄_0 = (2(1−S̄)/(rN_AN_B)) Σ_p κ̂_p²(1−T_p), X = Σ_p|x_p|",
            holds(),
            |s, q| within(s, q, residual(q)),
        )
        .our_constant("the explicit multiple: the words name an order only")
        .step("s1", "rQ_0 = tr(CQ)", holds(), |s, q| {
            let d = q.sizes.latents();
            let cross = |i: usize, j: usize| {
                let straight = if i == j && i < s.signal { q.diagonal[i] } else { Interval::ZERO };
                straight + q.bend.at(i, j) / s.tau_squared
            };
            let terms: Vec<Interval> = pairs(0..d, 0..d).map(|(i, j)| cross(i, j) * q.terms.q(j, i)).collect();
            let scale: f64 = terms.iter().map(|t| t.magnitude()).sum::<f64>().max(q.rest.hi());
            equal(q.scalar * s.signal as f64, terms.iter().copied().sum::<Interval>())
                .on_scale_of("the sum of the sizes of the summands, at least 1−S̄", scale)
        })
        .step("s2", "at ε = 0 Q_0 = Q̄_0, and the derivative of Q_0 in ε is 0", holds(), |s, q| {
            let scale = q.rest.hi() * q.total().hi().max(q.change.hi()) / s.tau_squared;
            all_of([
                (
                    "value",
                    equal(q.start_scalar.value, leading(q, |p| q.gap[p])).on_scale_of("(1−S̄) max(X, Δ)/τ²", scale),
                ),
                (
                    "derivative",
                    equal(q.start_scalar.slopes[0], 0)
                        .on_scale_of("(1−S̄) max(X, Δ)/τ²", scale.max(q.first_size() / s.tau_squared)),
                ),
            ])
        })
        .control("n1", "1−T_p dropped", |s, q| within(s, q, (q.scalar - leading(q, |_| Interval::ONE)).abs()))
        .control("n2b", "T_p in place of 1−T_p", |s, q| within(s, q, (q.scalar - leading(q, |p| q.tilt[p])).abs()))
}

fn second_order() -> Setting<NearManifold, Option<Vec<(f64, f64)>>> {
    order(Bend::Both, residual)
        .control("n2", "the residual falls like ε³", |_, o| falls_like(o, 3.0))
        .except("the residual is zero")
}
