//! Lemma D.2: the second-order bound of the loss in the outputs.
//!
//! In output space it is right, and ½ can be ¼ (Lemma D.1). The last term of the printed bound has one power of L too
//! few twice over if ω, τ and ‖·‖₂ are spectral norms layer by layer: a displacement of that size moves an output by
//! L√(m/d) times the size (the hidden layers add up), so that (q̃ − q)ᵀz can be L² (m/d) τ‖W̃ − W‖₂, and its square has
//! L⁴. The construction: move two keys apart along a direction v orthogonal to the query and to the keys, then the
//! query along v. As m → ∞ at fixed L the range of ω and τ is not empty, outputs become linear in the displacement, and
//! all sizes follow from the angle of the two keys' inputs, layer by layer: the keys move by at least
//! (L/2)√(m/(2d)) τ each. The remainder is the square of the change of a logit times a factor that does not depend on L
//! (½ Var of ±1 and 0 with the shares of the two keys and the rest). With Frobenius norms of the whole tuple
//! throughout, L² agrees; with the spectral norm for τ alone, the mixture that Lemma 4.4 uses, it is L³ (see there).
//! The factor k is superfluous: logits y_j, with y_0 = 0 for the positive, and their shares p make log Σ p_j e^{Δ_j} −
//! Σ p_j Δ_j at most an eighth of the squared range of the Δ_j (Hoeffding's lemma).
//!
//! Drawn networks take the construction to every point at once: each key moves in a direction of its own, and each
//! query in that of its key. Their bound does not fall with n.
//!
//! In the proof, (D.2) leaves out the sum over the negatives: one term is a k-th of it.

mod deep_limit;
mod keys_moved_apart;
mod output_steps;

use evidence::claim::edge_over;
use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::signs::{
    DIFFERENCE, KEY, KEY_NETWORK, KEY_VECTOR, LAYERS, LOSS, NEGATIVES, OUTPUT, POINTS, QUERY, QUERY_NETWORK,
    QUERY_VECTOR, SETS, SHARE, WIDTH,
};
use deep_limit::{DeepLimit, Gradients};
use keys_moved_apart::{DoubledSize, Found, KeySizes, Networks, NormKind, against, deep_and_wide, measured};
use output_steps::{OutputStep, Sums, drawn_steps, large_logits, steps, sums};

/// The constants of the bounds on drawn networks.
const FROBENIUS: f64 = 0.02;
const SPECTRAL: f64 = 0.05;
const FOURTH_POWER: f64 = 0.1;
const ANY_K: f64 = 0.16;

/// ω, τ, ‖W̃ − W‖ and ‖θ̃ − θ‖.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "(ω, τ) = {radii:?}, distances {shares:?} of the diameters", stored)]
struct Radii {
    #[instance(range = "0..=1")]
    radii: [f64; 2],
    #[instance(range = "0..=1")]
    shares: [f64; 2],
}

impl Radii {
    /// ω, τ, a = ‖W̃ − W‖ ≤ 2ω, b = ‖θ̃ − θ‖ ≤ 2τ.
    fn all(&self) -> [Enclosure; 4] {
        let [omega, tau] = self.radii.map(exact);
        [omega, tau, 2.0 * omega * self.shares[0], 2.0 * tau * self.shares[1]]
    }

    /// τ²a² + ω²b².
    fn bracket(&self) -> Enclosure {
        let [omega, tau, a, b] = self.all();
        (tau * a).square() + (omega * b).square()
    }
}

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-d2", "second-order bound in the outputs", Kind::ProbabilityBound)
        .statement(
            "W, W̃ ∈ B(W^(0), ω), θ, θ̃ ∈ B(θ^(0), τ), ω, τ ∈ [Ω(√(d/m)), O(L^{−9/2}(log m)^{−3/2})]: with probability ≥ \
             1 − e^{−Ω(mω^{3/2}L)} − e^{−Ω(mτ^{3/2}L)}, L_S(W̃, θ̃) − L_S(W, θ) ≤ (1/n) Σ [⟨l̃oss_i, q̃_i − q_i⟩ + \
             ⟨l̂oss_i, k̃_i − k_i⟩] + O(kL²m²/d²)(τ²‖W̃ − W‖₂² + ω²‖θ̃ − θ‖₂²)",
        )
        .source("Lemma D.2", &["Appendix D.1"])
        .symbols([
            POINTS, NEGATIVES, WIDTH, LAYERS, OUTPUT, QUERY_NETWORK, KEY_NETWORK, SETS, QUERY, KEY, DIFFERENCE, SHARE,
            LOSS, QUERY_VECTOR, KEY_VECTOR,
        ])
        .symbol("q̃_i", "the query of input i for W̃; k̃_i its key for θ̃, z̃_ij = k̃_j − k̃_i; q_i, k_i, z_ij for W, θ")
        .symbol("remainder", "L_S(W̃, θ̃) − L_S(W, θ) − (1/n) Σ_i [⟨l̃oss_i, q̃_i − q_i⟩ + ⟨l̂oss_i, k̃_i − k_i⟩]")
        .symbol(
            "((q̃_1 − q_1)·z_12)²",
            "it tends to (L S_L/4)² (m/d)² τ²‖W̃ − W‖², with τ a spectral norm and ‖W̃ − W‖ that of the tuple to (L \
             S_L²/16) (m/d)² τ²‖W̃ − W‖², with ‖·‖_F of tuples for both to (L/16) Σ_{l<L} 2(1 − ρ_l cos φ_l) (m/d)² \
             τ²‖W̃ − W‖²; S_L = Σ_{l<L} √(2(1 − ρ_l cos φ_l) + 2√(1 − ρ_l²) sin φ_l), ρ_l = Π_{j=l}^{L−1} (1 − φ_j/π), \
             φ_0 = π/2, cos φ_{l+1} = (sin φ_l + (π − φ_l) cos φ_l)/π",
        )
        .symbol("Ψ_3", "Σ_{j∈A} p_j (q̃_i − q_i)·(z̃_ij − z_ij), p_j = e^{q_i·z_ij}/(1 + Σ_{s∈A} e^{q_i·z_is})")
        .symbol("E^{Neg(i)}", "the mean over the sets A of point i; E is the same")
        .symbol("ω", "the radius of the ball of W, and τ that of the ball of θ")
        .symbol("v", "a unit vector orthogonal to the outputs")
        .sense("spectral", "ω, τ and ‖·‖₂ are largest spectral norms of a layer; loss vectors of Facts 1 and 2")
        .sense(
            "mixed",
            "ω and τ are largest spectral norms of a layer, ‖·‖₂ is the norm of the whole tuple, as Lemma 4.4 mixes \
             them; loss vectors of Facts 1 and 2",
        )
        .sense("frobenius", "ω, τ and ‖·‖₂ are Frobenius norms of the whole tuple; loss vectors of Facts 1 and 2")
        .sense("definition", "any of these norms; loss vectors the derivatives of Definition 4.1 (repeated as A.1)")
        .remark(
            "‖·‖₂ of a tuple is the largest spectral norm of its matrices unless said otherwise. The range of ω and τ \
             is entered with a constant below one, κ = 3/10, where the outputs are still nearly linear in the \
             displacement; it is empty with constants one at these sizes.",
        )
        .remark(
            "Drawn networks have four sizes with twenty networks of each: L to 8 at m = 450 (at 16 layers they are \
             not linear in the displacement any more), m to 720, n to 16, k to 8 of 8, d to 72. All keys move at \
             once, in orthogonal directions, and then each query in that of its key. The constants 0.02, 0.1 and 0.16 \
             are ours, above every ratio that was drawn. The constants of the range cannot save the statement: at \
             every fixed L the range is not empty for large m, and the limit m → ∞ is judged.",
        )
        .setting(printed())
        .setting(frobenius())
        .setting(outputs())
        .setting(product_of_radii())
}

fn printed() -> Setting<DeepLimit, Gradients> {
    Setting::measuring(|d: &DeepLimit, _| Ok(d.gradients()))
        .given(
            "n = 3 orthonormal inputs, k = 2, m → ∞; two keys moved apart and the query along them, orthogonally to \
             all outputs",
        )
        .degenerate("L ≤ 16, where the constant C is less than one", |d| d.layers <= 16)
        .family(edge_over("depths", "L", [1, 2, 3, 4, 8, 16, 64, 256, 1024, 4096], |layers| DeepLimit { layers }))
        .family(random("drawn", || (1u32..200).prop_map(|layers| DeepLimit { layers })))
        .without_search()
        .part(
            "printed",
            "spectral norms, infinite width, with the constant C = (L − 1)/16 at depth L: ((q̃_1 − q_1)·z_12)², of \
             which the remainder is a fixed share, is at most CL²(m/d)² τ²‖W̃ − W‖²",
            fails("outputs move by L√(m/d) each, so that the square of the product has L⁴"),
            |_, g| at_most(g.spectral(), g.failing_constant() * g.depth_to(2)),
        )
        .sides("((q̃_1 − q_1)·z_12)²/((m/d)² τ²‖W̃ − W‖²)", "CL²")
        .in_sense("spectral")
        .because("each instance is one constant C, at L = 16C + 1; no-constant shows that none works")
        .part(
            "mixed",
            "τ a spectral norm and ‖W̃ − W‖ that of the whole tuple, infinite width, with the constant C = (L − 1)/16 \
             at depth L: ((q̃_1 − q_1)·z_12)² is at most CL²(m/d)² τ²‖W̃ − W‖²",
            fails("it is of the order L³"),
            |_, g| at_most(g.mixed(), g.failing_constant() * g.depth_to(2)),
        )
        .sides("((q̃_1 − q_1)·z_12)²/((m/d)² τ²‖W̃ − W‖²)", "CL²")
        .in_sense("mixed")
        .because("each instance is one constant C, at L = 16C + 1; no-constant shows that none works")
        .part(
            "frobenius-limit",
            "Frobenius norms of whole tuples throughout, infinite width: ((q̃_1 − q_1)·z_12)² is at most ⅛ L²(m/d)² \
             τ²‖W̃ − W‖²",
            holds(),
            |_, g| at_most(g.frobenius(), g.depth_to(2) / 8.0),
        )
        .sides("((q̃_1 − q_1)·z_12)²/((m/d)² τ²‖W̃ − W‖²)", "L²/8")
        .our_constant("the constant ⅛, attained at L = 1")
        .in_sense("frobenius")
        .step(
            "s5",
            "① of the Φ_2 bound, spectral norms, with the constant C = (L − 1)/16 at depth L: ‖q̃_1 − q_1‖²‖z_12‖², \
             which is at least ((q̃_1 − q_1)·z_12)², is at most C(L²m²/d²) τ²‖W̃ − W‖²",
            fails("the product of two norms of order L√(m/d), squared"),
            |_, g| at_most(g.spectral(), g.failing_constant() * g.depth_to(2)),
        )
        .sides("((q̃_1 − q_1)·z_12)²/((m/d)² τ²‖W̃ − W‖²)", "CL²")
        .ours(
            "no-constant",
            "for every C ≥ 0 for which L = 16C + 1 is a whole number, at this depth: ((q̃_1 − q_1)·z_12)² > CL²(m/d)² \
             τ²‖W̃ − W‖², with spectral norms and with the mixture",
            holds(),
            |_, g| {
                let bound = g.failing_constant() * g.depth_to(2);
                all_of([("spectral", greater_than(g.spectral(), bound)), ("mixed", greater_than(g.mixed(), bound))])
            },
        )
        .amendment(
            "fourth-power",
            "spectral norms with L⁴ in place of L², infinite width: ((q̃_1 − q_1)·z_12)² is at most ¼ L⁴(m/d)² τ²‖W̃ − \
             W‖²",
            holds(),
            |_, g| at_most(g.spectral(), g.depth_to(4) / 4.0),
        )
        .sides("((q̃_1 − q_1)·z_12)²/((m/d)² τ²‖W̃ − W‖²)", "L⁴/4")
        .amendment(
            "mixed-cube",
            "the mixture of norms with L³, infinite width: ((q̃_1 − q_1)·z_12)² is at most ¼ L³(m/d)² τ²‖W̃ − W‖²",
            holds(),
            |_, g| at_most(g.mixed(), g.depth_to(3) / 4.0),
        )
        .sides("((q̃_1 − q_1)·z_12)²/((m/d)² τ²‖W̃ − W‖²)", "L³/4")
        .sharpening(
            "both-orders",
            "the nuclear norms of the gradients of v·(k_2 − k_3) by θ_0, …, θ_{L−1} add up to S_L√(m/(2d)) with L ≤ \
             S_L ≤ 2L",
            holds(),
            |_, g| ascending([g.depth(), g.nuclear, 2.0 * g.depth()]),
        )
        .control(
            "f",
            "spectral norms, infinite width: ((q̃_1 − q_1)·z_12)² is at most ¼ L^{7/2}(m/d)² τ²‖W̃ − W‖²",
            |_, g| at_most(g.spectral(), g.depth_to(7).sqrt() / 4.0),
        )
        .sides("((q̃_1 − q_1)·z_12)²/((m/d)² τ²‖W̃ − W‖²)", "L^{7/2}/4")
        .control(
            "g",
            "Frobenius norms, infinite width: ((q̃_1 − q_1)·z_12)² is at most ⅛ L^{3/2}(m/d)² τ²‖W̃ − W‖²",
            |_, g| at_most(g.frobenius(), g.depth_to(3).sqrt() / 8.0),
        )
        .sides("((q̃_1 − q_1)·z_12)²/((m/d)² τ²‖W̃ − W‖²)", "L^{3/2}/8")
}

fn frobenius() -> Setting<Networks, Vec<Found>> {
    Setting::measuring(measured)
        .given(
            "a random start as in Definition 3.2, orthonormal inputs, 1 ≤ k ≤ n − 1, d ≥ 3n; θ_0, …, θ_{L−1} moved by \
             τ = 0.3√(d/m) each in spectral norm, every key in a direction of its own, orthogonal to all outputs and \
             to the others; then θ̃ = θ, and W_0, …, W_{L−1} moved to W̃ by τ/16 each, every query in the direction of \
             its key; where norms are of Frobenius, τ is that of the whole move of θ",
        )
        .family(edge("sweeps", sweeps))
        .without_search()
        .part(
            "frobenius",
            "drawn networks, Frobenius norms of whole tuples throughout: the remainder is at most 0.02kL²(m/d)² τ²‖W̃ − \
             W‖²",
            consistent(),
            |_, list| against(list, NormKind::Frobenius, FROBENIUS, |s| s.k() * deep_and_wide(s, 2)),
        )
        .sides("the remainder/(kL²(m/d)² τ²‖W̃ − W‖²)", "0.02")
        .our_constant("the constant 0.02, above every ratio that was drawn")
        .in_sense("frobenius")
        .amendment(
            "fourth-power-drawn",
            "drawn networks, spectral norms with L⁴ in place of L²: the remainder is at most 0.1kL⁴(m/d)² τ²‖W̃ − W‖²",
            holds(),
            |_, list| against(list, NormKind::Spectral, FOURTH_POWER, |s| s.k() * deep_and_wide(s, 4)),
        )
        .sides("the remainder/(kL⁴(m/d)² τ²‖W̃ − W‖²)", "0.1")
        .sharpening(
            "any-k-drawn",
            "drawn networks, spectral norms, without the factor k (see range): the remainder is at most 0.16L⁴(m/d)² \
             τ²‖W̃ − W‖²",
            holds(),
            |_, list| against(list, NormKind::Spectral, ANY_K, |s| deep_and_wide(s, 4)),
        )
        .sides("the remainder/(L⁴(m/d)² τ²‖W̃ − W‖²)", "0.16")
        .control(
            "a",
            "drawn networks, spectral norms: the remainder is at most 0.05kL⁴ τ²‖W̃ − W‖²",
            |_, list| against(list, NormKind::Spectral, SPECTRAL, |s| s.k() * core_math::pow(s.layers as f64, 4.0)),
        )
        .sides("the remainder/(kL⁴ τ²‖W̃ − W‖²)", "0.05")
        .control(
            "j",
            "drawn networks, spectral norms: the remainder is at most 0.05kL²(m/d)² τ²‖W̃ − W‖²",
            |_, list| against(list, NormKind::Spectral, SPECTRAL, |s| s.k() * deep_and_wide(s, 2)),
        )
        .sides("the remainder/(kL²(m/d)² τ²‖W̃ − W‖²)", "0.05")
        .control(
            "i",
            "drawn networks, spectral norms: the remainder is at most 0.05(k/n)L⁴(m/d)² τ²‖W̃ − W‖²",
            |_, list| against(list, NormKind::Spectral, SPECTRAL, |s| s.k() * deep_and_wide(s, 4) / s.points as f64),
        )
        .sides("the remainder/((k/n)L⁴(m/d)² τ²‖W̃ − W‖²)", "0.05")
}

fn outputs() -> Setting<OutputStep, Sums> {
    Setting::measuring(|s, _| Ok(sums(s)))
        .given("any vectors q_i, k_i, q̃_i, k̃_i of one dimension, n ≥ 2, 1 ≤ k ≤ n − 1")
        .assume(Hypothesis::new("|q_i·z_ij|, |q̃_i·z̃_ij| ≤ 300 for all i, j", |s| {
            s.old.logits().iter().chain(&s.new.logits()).flatten().all(|x| x.magnitude() <= 300.0)
        }))
        .family(outside("large logits", large_logits))
        .family(edge("named", steps))
        .family(random("drawn", drawn_steps))
        .without_search()
        .step(
            "outputs",
            "remainder ≤ (1/n) Σ_{i≠j} P_ij (q̃_i−q_i)·(z̃_ij−z_ij) + (1/n) Σ_i ½ E Σ_{j∈A} (q̃_i·z̃_ij − q_i·z_ij)², \
             Facts 1 and 2",
            holds(),
            |_, s| s.bounded(s.linear, 0.5),
        )
        .sides("n times the remainder", "n times the right side")
        .part(
            "outputs-definition",
            "remainder ≤ (1/n) Σ_{i≠j} P_ij (q̃_i−q_i)·(z̃_ij−z_ij) + (1/n) Σ_i ½ E Σ_{j∈A} (q̃_i·z̃_ij − q_i·z_ij)² with \
             ∂L_S/∂q_i for l̃oss_i and ∂L_S/∂k_i for l̂oss_i",
            fails("the linear terms are n times too small"),
            |_, s| s.bounded(s.linear / s.count, 0.5),
        )
        .sides("n times the remainder", "n times the right side")
        .in_sense("definition")
        .sharpening(
            "quarter",
            "remainder ≤ (1/n) Σ_{i≠j} P_ij (q̃_i−q_i)·(z̃_ij−z_ij) + (1/n) Σ_i ¼ E Σ_{j∈A} (q̃_i·z̃_ij − q_i·z_ij)², \
             Facts 1 and 2",
            holds(),
            |_, s| s.bounded(s.linear, 0.25),
        )
        .sides("n times the remainder", "n times the right side")
        .sharpening(
            "range",
            "remainder ≤ (1/n) Σ_{i≠j} P_ij (q̃_i−q_i)·(z̃_ij−z_ij) + (1/n) Σ_i ⅛ E (max_{j∈A∪{0}} Δ_j − min_{j∈A∪{0}} \
             Δ_j)², Δ_j = q̃_i·z̃_ij − q_i·z_ij, Δ_0 = 0: at most ½ E max_j Δ_j², without a factor k",
            holds(),
            |_, s| s.bounded_by_range(0.125),
        )
        .sides("n times the remainder", "n times the right side")
        .control("k", "range with 1/12 in place of ⅛", |_, s| s.bounded_by_range(1.0 / 12.0))
        .sides("n times the remainder", "n times the right side")
        .step(
            "s1",
            "(D.2) with the sum over the negatives inside: Σ_i E^{Neg(i)}[Σ_{j∈A} p_j z_ij]·(q̃_i − q_i) = Σ_i ⟨l̃oss_i, \
             q̃_i − q_i⟩",
            holds(),
            |_, s| equal(s.query_part[0], s.query_part[1]).on_scale_of("the terms before they cancel", s.size),
        )
        .step(
            "s1-printed",
            "(D.2) with one negative j of the set, as printed, in the mean a k-th of the sum: (1/k) Σ_i \
             E^{Neg(i)}[Σ_{j∈A} p_j z_ij]·(q̃_i − q_i) = Σ_i ⟨l̃oss_i, q̃_i − q_i⟩",
            fails("a k-th of the sum: Σ_j is missing"),
            |_, s| {
                equal(s.query_part[0] / s.negatives, s.query_part[1])
                    .on_scale_of("the terms before they cancel", s.size)
            },
        )
        .step(
            "s3",
            "Ψ_3 ≤ Σ_{j∈A} p_j ‖q̃_i − q_i‖‖z̃_ij − z_ij‖ ≤ ‖q̃_i − q_i‖ max_{j∈A} ‖z̃_ij − z_ij‖, for every i and every \
             set A",
            holds(),
            |_, s| s.crossed_bounded(1.0),
        )
        .control(
            "h",
            "Ψ_3 ≤ Σ_{j∈A} p_j ‖q̃_i − q_i‖‖z̃_ij − z_ij‖ ≤ (1/3) ‖q̃_i − q_i‖ max_{j∈A} ‖z̃_ij − z_ij‖, for every i and \
             every set A",
            |_, s| s.crossed_bounded(1.0 / 3.0),
        )
        .step(
            "s2",
            "(D.3): Σ_{i≠j} P_ij q_i·(z̃_ij − z_ij) = Σ_i ⟨l̂oss_i, k̃_i − k_i⟩",
            holds(),
            |_, s| equal(s.key_part[0], s.key_part[1]).on_scale_of("the terms before they cancel", s.size),
        )
        .control(
            "b",
            "remainder ≤ (1/n) Σ_{i≠j} P_ij (q̃_i−q_i)·(z̃_ij−z_ij), without the squares",
            |_, s| s.bounded(s.linear, 0.0),
        )
        .sides("n times the remainder", "n times the right side")
        .control("c", "outputs with l̃oss_i and l̂oss_i exchanged", |_, s| s.bounded(s.exchanged, 0.5))
        .sides("n times the remainder", "n times the right side")
}

fn product_of_radii() -> Setting<Radii, ()> {
    Setting::of()
        .given("0 ≤ ω, τ ≤ 1, ‖W̃ − W‖ ≤ 2ω, ‖θ̃ − θ‖ ≤ 2τ")
        .family(edge("named", || {
            vec![
                ("diameters", Radii { radii: [0.5, 0.25], shares: [1.0, 1.0] }),
                ("one does not move", Radii { radii: [0.5, 0.25], shares: [0.0, 1.0] }),
                ("all one", Radii { radii: [1.0, 1.0], shares: [1.0, 1.0] }),
            ]
        }))
        .family(random("drawn", || {
            ([0.0..1.0f64, 0.0..1.0], [0.0..1.0f64, 0.0..1.0]).prop_map(|(radii, shares)| Radii { radii, shares })
        }))
        .step(
            "s6",
            "‖W̃−W‖²‖θ̃−θ‖² ≤ 2(τ²‖W̃−W‖² + ω²‖θ̃−θ‖²)",
            holds(),
            |r: &Radii, ()| {
                let [_, _, a, b] = r.all();
                at_most((a * b).square(), 2.0 * r.bracket())
            },
        )
        .step(
            "s6-printed",
            "τ‖W̃−W‖ ω‖θ̃−θ‖² ≤ τ²‖W̃−W‖² + ω²‖θ̃−θ‖², as printed",
            holds(),
            |r, ()| {
                let [omega, tau, a, b] = r.all();
                at_most(tau * a * omega * b.square(), r.bracket())
            },
        )
        .step("s4", "(x + y + z)² ≤ 3(x² + y² + z²), for ω, τ and ‖W̃−W‖", holds(), |r, ()| {
            let [x, y, z, _] = r.all();
            all_of([("sum", at_most((x + y + z).square(), 3.0 * (x.square() + y.square() + z.square())))])
        })
        .control("d", "s6 with the factor 1 in place of 2", |r, ()| {
            let [_, _, a, b] = r.all();
            at_most((a * b).square(), r.bracket())
        })
        .control("e", "(x + y + z)² ≤ 2(x² + y² + z²)", |r, ()| {
            let [x, y, z, _] = r.all();
            at_most((x + y + z).square(), 2.0 * (x.square() + y.square() + z.square()))
        })
}

/// One size at a time; d ≥ 3n leaves n directions orthogonal to all outputs.
fn sweeps() -> Vec<(&'static str, Networks)> {
    let of = |vary, [points, negatives, width, layers, outputs]: [usize; 5]| {
        let start = KeySizes { points, negatives, width, layers, outputs };
        Networks { vary, kappa: 0.3, start }
    };
    vec![
        ("layers", of(DoubledSize::Layers, [3, 2, 450, 1, 9])),
        ("width", of(DoubledSize::Width, [3, 2, 90, 2, 9])),
        ("points", of(DoubledSize::Points, [2, 1, 640, 2, 48])),
        ("negatives", of(DoubledSize::Negatives, [9, 1, 320, 2, 27])),
        ("outputs", of(DoubledSize::Outputs, [3, 2, 640, 2, 9])),
    ]
}
