//! Equation (4): how outputs move when the non-contrastive loss is trained.
//!
//! True for every model that is differentiable in Θ: the chain rule with the gradient displayed before (4). Both terms stand under
//! the double sum. The left side is forward differentiation of the loss and then of u along Θ′; the right side has the gradients
//! by hand.

use evidence::prelude::*;
use linear_ssl::self_supervised::TripletData;

use crate::shared::hypotheses::{SMOOTH, is_smooth};
use crate::shared::linear_data::Loss;
use crate::shared::model_families::{models_on_triplets, named_models_on_triplets};
use crate::shared::model_instances::{Dynamics, ModelOn, Terms};
use crate::shared::notation::{ANCHORS, GRADIENT_MODEL, NON_CONTRASTIVE_LOSS, PARAMETERS, POINT};

/// u_l(x)′ against some combination of the printed sums.
fn each(s: &Dynamics, right: impl Fn(&Terms) -> Interval) -> Evaluation {
    for_each("component", s.terms.iter().zip(&s.velocity), |_, (terms, &left)| {
        let size = terms[0].size + terms[1].size;
        equal(left, right(terms)).on_scale_of("the terms in absolute value", size)
    })
}

pub fn claim() -> Claim {
    Claim::new("esser2024.eq-4", "output dynamics, non-contrastive", Kind::Dynamics)
        .statement("under Θ′ = −∇L_nc: u_l(x)′ = Σ_iΣ_j ⟨∇u_l(x), ∇u_j(x_i)⟩u_j(x_i⁺) + ⟨∇u_l(x), ∇u_j(x_i⁺)⟩u_j(x_i)")
        .source("Equation (4)", &["Dynamics of naïve SSL has Trivial Solution"])
        .symbols([GRADIENT_MODEL, PARAMETERS, ANCHORS, NON_CONTRASTIVE_LOSS, POINT])
        .symbol("′", "the derivative in the time t of the gradient flow Θ′ = −∇L_nc, at the start")
        .symbol(
            "the printed double sum",
            "Σ_iΣ_j (⟨∇u_l(x), ∇u_j(x_i)⟩u_j(x_i⁺) + ⟨∇u_l(x), ∇u_j(x_i⁺)⟩u_j(x_i)), i = 1, …, n, j = 1, …, z",
        )
        .remark(
            "Both terms under the double sum. Left sides by forward differentiation in interval arithmetic, right \
             sides from gradients written down by hand.",
        )
        .setting(
            Setting::measuring(|i: &ModelOn<TripletData>, _| Ok(Dynamics::of(i, Loss::NonContrastive)))
                .assume(Hypothesis::new(SMOOTH, is_smooth))
                .family(edge("named", named_models_on_triplets))
                .family(random("models, data and points", models_on_triplets).taking(0.5))
                .part("printed", "u_l(x)′ = the printed double sum, for every l", holds(), |_, s| {
                    each(s, |t| t[0].value + t[1].value)
                })
                .checked_in_part("esser2024.GradientFlows.eq_4_printed")
                .step("s1", "u_l(x)′ = ⟨∇u_l(x), Θ′⟩ for every l", holds(), |_, s| {
                    for_each("component", &s.terms, |l, t| {
                        equal(s.velocity[l], s.chain[l])
                            .on_scale_of("the terms in absolute value", t[0].size + t[1].size)
                    })
                })
                .control("a", "u_l(x)′ = the printed double sum without its second term", |_, s| {
                    each(s, |t| t[0].value)
                })
                .control("b", "u_l(x)′ = minus the printed double sum", |_, s| {
                    each(s, |t| -(t[0].value + t[1].value))
                }),
        )
}
