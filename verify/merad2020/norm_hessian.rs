//! Section 8, end of the proof of Lemma 5: the norm of the Hessian is printed as 2 + 8 max ‖z_i‖‖z_j‖.
//!
//! With M = max_j ‖z_j‖ the maximum over all i, j is M². Put a = z_1·(z_3 − z_2), s = σ(a), k = 1 − s, K = ∇²a, g = ∇a and G = ‖g‖² = ‖z_3 −
//! z_2‖² + 2‖z_1‖². The Hessian is sK + sk ggᵀ. From K²g = 2g and gᵀKg = 4a it maps g to skG g + s Kg and Kg to (2s + 4ska) g, so that λ² −
//! skGλ − s²(4ka + 2) = 0 on their span; elsewhere it is sK, with the norm √2 s. As sk ggᵀ is positive semidefinite, no root lies below −√2 s
//! and the larger one not below √2 s. Hence the norm is s(kG/2 + √((kG/2)² + 4ka + 2)), as for Lemma 3, where both bounds are proved. Since it
//! is at most min(1/√2 + 3G/8, 1 + G/4) and G ≤ 6M², the printed value is an upper bound that no z attains: 2 + 8M² exceeds the norm at least
//! by the factor 2√2, which is reached at z = 0 (norm 1/√2, printed 2).
//!
//! The maximum must include i = j: with i ≠ j only, a single long z_1 has the product 0 and a norm that grows like ‖z_1‖²/2.

use contrastive::Triplet;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::blocks::{Blocks, spectral_norm};
use crate::shared::notation::{HESSIAN, NORM, OUTPUT_TRIPLE, SIGMOID, TRIPLET_LOSS};
use crate::shared::scaled_hessian;
use crate::shared::triples::{drawn, families, is_nonzero, largest_squared_norm, named, norms};

const NOTATION: &str = "M = max_j ‖z_j‖, a = z_1·(z_3 − z_2), s = σ(a), k = 1 − s, G = ‖z_3 − z_2‖² + 2‖z_1‖²";

struct HessianNorms {
    hessian: Enclosure,
    /// max_{i,j} ‖z_i‖‖z_j‖ = M².
    square: Enclosure,
    /// G = ‖z_3 − z_2‖² + 2‖z_1‖².
    g: Enclosure,
}

fn measured(z: &Triplet) -> HessianNorms {
    HessianNorms {
        hessian: z.hessian_spectral_norm().into(),
        square: largest_squared_norm(z),
        g: z.squared_argument_gradient(),
    }
}

/// The largest product of the norms of two different vectors.
pub fn largest_product_of_two(z: &Triplet) -> Enclosure {
    let [a, b, c] = norms(z);
    (a * b).max(a * c).max(b * c)
}

/// A part of the range [0, 1] of τ = tanh(a/2).
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "τ from {from} to {to}", stored)]
struct Part {
    from: f64,
    to: f64,
}

fn parts() -> Vec<(String, Part)> {
    let part = |i: u32| Part { from: f64::from(i) / 128.0, to: f64::from(i + 1) / 128.0 };
    (0..128).map(|i| (format!("part {i} of 128"), part(i))).collect()
}

pub fn claim() -> Claim {
    Claim::new("merad2020.norm-hessian", "norm of the Hessian", Kind::Identity)
        .statement("‖∂²ℓ/∂z²‖ = 2 + 8·max_{i,j} ‖z_i‖‖z_j‖")
        .symbols([OUTPUT_TRIPLE, TRIPLET_LOSS, HESSIAN, SIGMOID, NORM])
        .symbol("∂²ℓ/∂z²", "∇²ℓ")
        .source("section 8, end of the proof of Lemma 5", &["end of the proof of Lemma 4.1 of the earlier version"])
        .remark(
            "Read as an upper bound it is true for every z and suffices for Lemma 3. Equality holds for no z: the norm \
             is at most min(1/√2 + 3G/8, 1 + G/4) with G = ‖z_3 − z_2‖² + 2‖z_1‖² ≤ 6M². Proof of the first bound: the \
             two summands of the Hessian have the norms √2 s and s(1−s)G; use s ≤ ½ + max(a, 0)/4, |a| ≤ G/(2√2), \
             s(1−s) ≤ ¼. Proof of the second: with τ = tanh(a/2), the characteristic quadratic at 1 + G/4 is at least \
             ½ for a ≤ 0, and for a > 0 at least ½ − (2−√2)τ − (3/2)τ² + (1+√2)τ³ + 3τ⁴, which the step `polynomial` \
             shows to be positive.",
        )
        .setting(equality())
        .setting(exact_norm())
        .setting(polynomial())
}

fn equality() -> Setting<Triplet, HessianNorms> {
    Setting::measuring(|z: &Triplet, _| Ok(measured(z)))
        .given("z_1, z_2, z_3 ∈ ℝ^d, d ≥ 1")
        .given(NOTATION)
        .degenerate("one of the vectors vanishes", |z| z.vectors().iter().any(|v| v.iter().all(|&x| x == 0.0)))
        .family(families())
        .part(
            "equality",
            "‖∇²ℓ‖ = 2 + 8M²",
            fails(
                "the triangle inequality is strict and sub-multiplicativity loses: the value is an upper bound, \
                 attained nowhere",
            ),
            |_, n| equal(n.hessian, printed(n)),
        )
        .checked("merad2020.Lemma3.norm_hessian_equality_refuted")
        .sides("‖∇²ℓ‖", "2 + 8M²")
        .meant("upper", "‖∇²ℓ‖ ≤ 2 + 8M²", holds(), |_, n| at_most(n.hessian, printed(n)))
        .checked("merad2020.Lemma3.norm_hessian_upper")
        .because("the proof bounds norms, and Lemma 3 needs no more than the bound")
        .proved_by(scaled_hessian::printed_bound(), scaled_hessian::parameters, scaled_hessian::instance)
        .amendment("nowhere", "‖∇²ℓ‖ < 2 + 8M²: equality is attained nowhere", holds(), |_, n| {
            less_than(n.hessian, printed(n))
        })
        .checked("merad2020.Lemma3.norm_hessian_nowhere")
        .sharpening("factor", "‖∇²ℓ‖ ≤ (2 + 8M²)/(2√2), an equality at z = 0", holds(), |z, n| {
            let bound = printed(n) / exact(8.0).sqrt();
            if is_nonzero(z) { at_most(n.hessian, bound) } else { equal(n.hessian, bound) }
        })
        .checked_in_part("merad2020.Lemma3.norm_hessian_factor")
        .sharpening("pointwise", "‖∇²ℓ‖ ≤ min(1/√2 + 3G/8, 1 + G/4)", holds(), |_, n| {
            let near_zero = exact(0.5).sqrt() + 0.375 * n.g;
            at_most(n.hessian, near_zero.min(1.0 + 0.25 * n.g))
        })
        .checked("merad2020.Lemma3.norm_hessian_pointwise")
        .sharpening("from-below", "‖∇²ℓ‖ ≥ max(√2 s, skG − √2 s)", holds(), |z, n| {
            let root = exact(2.0).sqrt() * z.slope();
            at_least(n.hessian, root.max(z.curvature_norm() - root))
        })
        .control("a", "‖∇²ℓ‖ ≤ 1 + ½M²", |_, n| at_most(n.hessian, 1.0 + 0.5 * n.square))
        .control("b", "‖∇²ℓ‖ ≤ 2 + 8·max_{i≠j} ‖z_i‖‖z_j‖, different indices only", |z, n| {
            at_most(n.hessian, 2.0 + 8.0 * largest_product_of_two(z))
        })
        .control("c", "‖∇²ℓ‖ ≤ 1/√2 + G/4: both constants at their least", |_, n| {
            at_most(n.hessian, exact(0.5).sqrt() + 0.25 * n.g)
        })
        .control("d", "‖∇²ℓ‖ ≤ 1/√2 + 0.37·G: a slope below 3/8", |_, n| {
            at_most(n.hessian, exact(0.5).sqrt() + 0.37 * n.g)
        })
}

fn exact_norm() -> Setting<Triplet, Enclosure> {
    Setting::measuring(|z: &Triplet, _| Ok(Enclosure::from(spectral_norm(&Blocks::of(z)?.loss_hessian()?)?)))
        .given("z_1, z_2, z_3 ∈ ℝ^d, d ≥ 1")
        .given(NOTATION)
        .family(edge("named", named))
        .family(random("drawn triples", drawn))
        .without_search()
        .amendment(
            "exact",
            "‖∇²ℓ‖ = s(kG/2 + √((kG/2)² + 4ka + 2)), the left side from verified eigenvalues of the 3d × 3d matrix",
            holds(),
            |z, &dense| equal(z.hessian_spectral_norm(), dense),
        )
}

fn polynomial() -> Setting<Part, ()> {
    Setting::of().given("0 ≤ τ ≤ 1").family(edge("the whole range", parts)).without_search().sharpening(
        "polynomial",
        "½ − (2−√2)τ − (3/2)τ² + (1+√2)τ³ + 3τ⁴ > 0 and (1+τ²)/√2 > ½(1+τ)(1−τ²) on [0, 1], by subdivision",
        holds(),
        |part: &Part, ()| {
            let t = Enclosure::between(part.from, part.to).proved();
            let root = exact(2.0).sqrt().interval();
            let root = Enclosure::from(root).proved();
            let (square, one) = (t.square(), Enclosure::ONE.proved());
            let rest = (root + one) * t * square + one * 3.0 * square.square();
            let value = one * 0.5 - (one * 2.0 - root) * t - one * 1.5 * square + rest;
            let coefficient = (one + square) / root - one * 0.5 * (one + t) * (one - square);
            let zero = Enclosure::ZERO.proved();
            all_of([("polynomial", greater_than(value, zero)), ("coefficient of a", greater_than(coefficient, zero))])
        },
    )
}

/// 2 + 8M².
fn printed(n: &HessianNorms) -> Enclosure {
    2.0 + 8.0 * n.square
}
