//! The display before (4): the gradient of the non-contrastive loss.
//!
//! True with both terms under the minus sign and the sums (A): the product rule. The print has no brackets, here as in (4) and in
//! Proposition 1; i and j would be free in the second term if the sums did not cover it, and the minus sign stands before the sums.
//! With the second term under the sums but not under the minus sign (B) it would be false: for Θ = 1, x = x⁺ = 1 it gives 0 in place of −2.

use evidence::prelude::*;
use linear_ssl::self_supervised::TripletData;

use crate::shared::hypotheses::{SMOOTH, is_smooth};
use crate::shared::linear_data::Loss;
use crate::shared::model_families::{models_on_triplets, named_models_on_triplets};
use crate::shared::model_instances::{Look, ModelOn, Sum, triplet_loss};
use crate::shared::notation::{ANCHORS, GRADIENT_MODEL, NON_CONTRASTIVE_LOSS, PARAMETERS};

/// One entry per parameter.
struct GradientTerms {
    gradient: Vec<Interval>,
    /// ΣΣ u_j(x_i)∇u_j(x_i⁺) and ΣΣ u_j(x_i⁺)∇u_j(x_i).
    terms: Vec<[Sum; 2]>,
}

fn sides(i: &ModelOn<TripletData>) -> Result<GradientTerms, MeasureError> {
    let gradient = i.gradient_of(|u| triplet_loss(Loss::NonContrastive, &i.data, u));
    let mut terms = vec![[Sum::ZERO; 2]; gradient.len()];
    for (x, plus) in i.data.anchors.iter().zip(&i.data.positives) {
        let (own, plus) = (Look::at(&i.model, x), Look::at(&i.model, plus));
        for j in 0..i.model.output_count() {
            for (p, sums) in terms.iter_mut().enumerate() {
                for (sum, (u, other)) in sums.iter_mut().zip([(&own, &plus), (&plus, &own)]) {
                    let (value, slope) = (u.outputs[j], other.jacobian[j][p]);
                    sum.add(value * slope, value.magnitude() * slope.magnitude());
                }
            }
        }
    }
    Ok(GradientTerms { gradient, terms })
}

/// ∇_ΘL against the two sums with these factors.
fn each(s: &GradientTerms, factors: [f64; 2]) -> Evaluation {
    for_each("parameter", s.gradient.iter().zip(&s.terms), |_, (&left, [first, second])| {
        let right = first.value * factors[0] + second.value * factors[1];
        equal(left, right).on_scale_of("the terms in absolute value", first.size + second.size)
    })
}

pub fn claim() -> Claim {
    Claim::new("esser2024.grad-nc", "gradient of the non-contrastive loss", Kind::Identity)
        .statement("∇_ΘL_nc = −Σ_iΣ_j u_j(x_i)·∇_Θu_j(x_i⁺) + u_j(x_i⁺)·∇_Θu_j(x_i)")
        .source("The display before (4)", &["Dynamics of naïve SSL has Trivial Solution"])
        .symbols([GRADIENT_MODEL, PARAMETERS, ANCHORS, NON_CONTRASTIVE_LOSS])
        .symbol("Σ_iΣ_j", "over i = 1, …, n and j = 1, …, z")
        .remark(
            "Printed without brackets. A puts both terms under the sums, which bind i and j, and so under the minus \
             sign before them; B takes the second term out of the minus sign.",
        )
        .setting(
            Setting::measuring(|i: &ModelOn<TripletData>, _| sides(i))
                .assume(Hypothesis::new(SMOOTH, is_smooth))
                .family(edge("named", named_models_on_triplets))
                .family(random("models and data", models_on_triplets).taking(0.5))
                .part(
                    "A",
                    "∇_ΘL_nc = −Σ_iΣ_j[u_j(x_i)∇u_j(x_i⁺) + u_j(x_i⁺)∇u_j(x_i)]",
                    holds(),
                    |_, s| each(s, [-1.0, -1.0]),
                )
                .checked_in_part("esser2024.GradientFlows.grad_nc_A")
                .ours(
                    "B",
                    "∇_ΘL_nc = −[Σ_iΣ_j u_j(x_i)∇u_j(x_i⁺)] + Σ_iΣ_j u_j(x_i⁺)∇u_j(x_i)",
                    fails("without brackets the second term has the wrong sign"),
                    |_, s| each(s, [-1.0, 1.0]),
                )
                .sides("an entry of ∇_ΘL_nc", "that entry of the right side")
                .because(
                    "the sums bind i and j in the second term only if they cover it, and then so does the minus sign \
                     before them; (4) and Proposition 1 are printed in the same manner",
                )
                .control("a", "∇_ΘL_nc = −Σ_iΣ_j u_j(x_i)∇u_j(x_i⁺), without the second term", |_, s| {
                    each(s, [-1.0, 0.0])
                })
                .control("b", "∇_ΘL_nc = −½Σ_iΣ_j[u_j(x_i)∇u_j(x_i⁺) + u_j(x_i⁺)∇u_j(x_i)]", |_, s| {
                    each(s, [-0.5, -0.5])
                }),
        )
}
