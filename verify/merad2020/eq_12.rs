//! Equation (12) with Lemma 3: which z and z' does "the restriction of ℓ to B³" speak of?
//!
//! It does not matter: with L = 2 + 8C² the inequality holds whether z and z + z' lie in B³ (A), z and z' do (B), or z
//! does and z' is arbitrary (C). Proof of more. Let a = z_1·w, w = z_3 − z_2, s = σ(a), and let the displacement change
//! the argument by b + e, with b = g·z' linear and e = z'_1·(z'_3 − z'_2) quadratic in z'. With ζ(t) = log(1 + e^t), ζ(a+b+e) ≤ ζ(a+b) +
//! max(e, 0) as ζ has slope below 1, ζ(a+b) − ζ(a) − sb ≤ b²/8 as its curvature is at most 1/4, |b|² ≤ G‖z'‖² and |e| ≤
//! ‖z'‖²/√2. So for all z and z'
//!
//!   **Q(z, z') ≤ √2 + G(z)/4 ≤ √2 + 3C²/2**, G = ‖w‖² + 2‖z_1‖² ≤ 6C².
//!
//! Under A the constant 1 + 3C²/2 of Lemma 3 does. Under C it does not: from z = 0 along (√2 e, −e, e) the quotient
//! tends to √2, so that neither √2 nor 3/2 (d ≥ 2, Lemma 3) can be lowered. The supremum under A is S(C, d), that of
//! the Hessian's norm (step s1).

use contrastive::largest_hessian_norm;
use evidence::prelude::*;

use crate::shared::ball_maximum::{Ball, balls, drawn_balls, steepest};
use crate::shared::displacements::{Displacement, Smoothness, families};
use crate::shared::notation::{HESSIAN, NORM, OUTPUT_TRIPLE, SIGMOID, TRIPLET_GRADIENT, TRIPLET_LOSS};

/// Q ≤ constant.
fn bounded(q: &Smoothness, constant: Enclosure) -> Evaluation {
    match q.quotient {
        None => Evaluation::Failed("‖z'‖² is below the smallest double".into()),
        Some(quotient) => at_most(quotient, constant),
    }
}

/// 2 + 8C².
fn printed(radius: Enclosure) -> Enclosure {
    2.0 + 8.0 * radius.square()
}

pub fn claim() -> Claim {
    Claim::new("merad2020.eq-12", "the gradient-Lipschitz inequality itself", Kind::Inequality)
        .statement(
            "ℓ(z+z') ≤ ℓ(z) + ⟨∇ℓ(z), z'⟩ + (L/2)‖z'‖² with L = 2 + 8C² for the restriction of ℓ to B³ = {z : max_j \
             ‖z_j‖ ≤ C}",
        )
        .symbols([OUTPUT_TRIPLE, TRIPLET_LOSS, TRIPLET_GRADIENT, HESSIAN, SIGMOID, NORM])
        .source("equation (12) with Lemma 3", &["section 4", "Lemma 4.1 of the earlier version"])
        .remark(
            "Compared as Q(z, z') = 2(ℓ(z+z') − ℓ(z) − ⟨∇ℓ(z), z'⟩)/‖z'‖² ≤ L, in each sense with the smallest C that \
             it allows. The numerator is taken as 2(ζ(a+x) − ζ(a) − σ(a)x + σ(a)e), x the change of the argument and e \
             its quadratic part, ζ(t) = log(1 + e^t).",
        )
        .setting(pointwise())
        .setting(largest_quotient())
}

fn pointwise() -> Setting<Displacement, Smoothness> {
    Setting::measuring(|d: &Displacement, _| Ok(Smoothness::of(d)))
        .given(
            "z, z' ∈ ℝ^{3d}, d ≥ 1; B³ = {max_j ‖z_j‖ ≤ C} with the smallest C for which what the check puts into B³ \
             lies there",
        )
        .given("Q(z, z') = 2(ℓ(z+z') − ℓ(z) − ⟨∇ℓ(z), z'⟩)/‖z'‖², G = ‖z_3 − z_2‖² + 2‖z_1‖²")
        .assume(Hypothesis::new("z' has a coordinate of size 10^{−150} or more", |d| {
            d.by.vectors().concat().iter().any(|x| x.abs() >= 1e-150)
        }))
        .family(families())
        .sense("A", "Q(z, z') ≤ 2 + 8C² for z ∈ B³ and z + z' ∈ B³", holds(), |_, q| {
            bounded(q, printed(q.both_ends))
        })
        .checked("merad2020.Lemma3.eq_12_A")
        .sense("B", "Q(z, z') ≤ 2 + 8C² for z ∈ B³ and z' ∈ B³", holds(), |_, q| {
            bounded(q, printed(q.both_parts))
        })
        .checked("merad2020.Lemma3.eq_12_B")
        .sense("C", "Q(z, z') ≤ 2 + 8C² for z ∈ B³ and z' ∈ R^{3d} arbitrary", holds(), |_, q| {
            bounded(q, printed(q.start))
        })
        .checked("merad2020.Lemma3.eq_12_C")
        .sharpening("pointwise", "Q(z, z') ≤ √2 + G(z)/4 for all z and z'", holds(), |_, q| {
            bounded(q, exact(2.0).sqrt() + q.squared_gradient / 4.0)
        })
        .checked("merad2020.Lemma3.eq_12_pointwise")
        .sharpening(
            "three-halves",
            "Q(z, z') ≤ √2 + 3C²/2 for z ∈ B³ and z' ∈ R^{3d} arbitrary",
            holds(),
            |_, q| bounded(q, exact(2.0).sqrt() + 1.5 * q.start.square()),
        )
        .checked("merad2020.Lemma3.eq_12_three_halves")
        .sharpening("convex", "Q(z, z') ≤ 1 + 3C²/2 for z ∈ B³ and z + z' ∈ B³", holds(), |_, q| {
            bounded(q, 1.0 + 1.5 * q.both_ends.square())
        })
        .checked("merad2020.Lemma3.eq_12_convex")
        .control("a", "Q(z, z') ≤ C²/2 for z ∈ B³ and z + z' ∈ B³", |_, q| {
            bounded(q, q.both_ends.square() / 2.0)
        })
        .control("b", "Q(z, z') ≤ 1 + 7C²/5 for z ∈ B³ and z + z' ∈ B³", |_, q| {
            bounded(q, 1.0 + 1.4 * q.both_ends.square())
        })
        .control("c", "Q(z, z') ≤ 1 + 3C²/2 for z ∈ B³ and z' arbitrary", |_, q| {
            bounded(q, 1.0 + 1.5 * q.start.square())
        })
        .control("d", "Q(z, z') ≤ 1.4 + 3C²/2 for z ∈ B³ and z' arbitrary", |_, q| {
            bounded(q, 1.4 + 1.5 * q.start.square())
        })
        .control("e", "Q(z, z') ≤ 2 + 8C for z ∈ B³ and z + z' ∈ B³", |_, q| {
            bounded(q, 2.0 + 8.0 * q.both_ends)
        })
}

fn largest_quotient() -> Setting<Ball, (Enclosure, Smoothness)> {
    Setting::measuring(|b: &Ball, _| {
        let most = Enclosure::from(largest_hessian_norm(b.dimension as usize, b.radius)).proved();
        Ok((most, Smoothness::of(&steepest(b))))
    })
    .given("C > 0, d ≥ 1; B³ = {max_j ‖z_j‖ ≤ C}, Q(z, z') = 2(ℓ(z+z') − ℓ(z) − ⟨∇ℓ(z), z'⟩)/‖z'‖²")
    .family(edge("radii", balls))
    .family(random("drawn radii", drawn_balls).taking(0.25))
    .without_search()
    .step(
        "s1",
        "the supremum of Q over z, z + z' ∈ B³ is S = S(C, d), that of ‖∇²ℓ‖ over B³: some z, z + z' ∈ B³ have 0.998 S \
         ≤ Q(z, z') ≤ S, namely a move of length 10^{−4} min(C, 1/C) along the top eigenvector of ∇²ℓ(z), from the z \
         with the largest ‖∇²ℓ(z)‖ among 2001 with z_3 = −z_2, norms 0.9997 C and equidistant cos ∠(z_1, z_3) from 0 \
         to 1 (for d = 1: lengths of z_1 from 0 to 0.9997 C)",
        holds(),
        |b, (most, q)| {
            let quotient = q.quotient.unwrap_or(Enclosure::ZERO);
            all_of([
                ("inside the ball", at_most(q.both_ends, exact(b.radius))),
                ("reached", at_least(quotient, 0.998 * *most)),
                ("not passed", at_most(quotient, *most)),
            ])
            .noting(format!("S(C, d) = {:.6}, Q = {:.6}", most.midpoint(), quotient.midpoint()))
        },
    )
    .control("f", "Q ≤ 0.99 S(C, d) for the move of s1", |_, (most, q)| bounded(q, 0.99 * *most))
}
