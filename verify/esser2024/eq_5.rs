//! Equation (5): how outputs move when the contrastive loss is trained.
//!
//! True for every model that is differentiable in Θ: the chain rule and the product rule. For x_i⁻ = x_i⁺ the four terms cancel
//! in pairs, as they must: the loss is then identically zero. The left side is forward differentiation of the loss and then of u
//! along Θ′; the right side has the gradients by hand.

use evidence::prelude::*;
use linear_ssl::self_supervised::TripletData;

use crate::shared::hypotheses::{SMOOTH, is_smooth};
use crate::shared::linear_data::Loss;
use crate::shared::model_families::{models_on_triplets, named_models_on_triplets};
use crate::shared::model_instances::{Dynamics, ModelOn, Terms};
use crate::shared::notation::{ANCHORS, CONTRASTIVE_LOSS, GRADIENT_MODEL, PARAMETERS, POINT};

fn size(terms: &Terms) -> f64 {
    terms.iter().map(|t| t.size).sum()
}

/// u_l(x)′ against the printed sums with these signs.
fn each(s: &Dynamics, signs: [f64; 4]) -> Evaluation {
    for_each("component", s.terms.iter().zip(&s.velocity), |_, (terms, &left)| {
        let right: Interval = terms.iter().zip(signs).map(|(t, sign)| t.value * sign).sum();
        equal(left, right).on_scale_of("the terms in absolute value", size(terms))
    })
}

fn nothing_moves(s: &Dynamics) -> Evaluation {
    let each = s.terms.iter().zip(&s.velocity);
    all_of(each.map(|(t, &v)| ("component", equal(v, 0).on_scale_of("the terms in absolute value", size(t)))))
}

pub fn claim() -> Claim {
    Claim::new("esser2024.eq-5", "output dynamics, contrastive", Kind::Dynamics)
        .statement(
            "under Θ′ = −∇L_c: u_l(x)′ = Σ_iΣ_j {⟨∇u_l(x), ∇u_j(x_i)⟩u_j(x_i⁺) + ⟨∇u_l(x), ∇u_j(x_i⁺)⟩u_j(x_i) − \
             ⟨∇u_l(x), ∇u_j(x_i)⟩u_j(x_i⁻) − ⟨∇u_l(x), ∇u_j(x_i⁻)⟩u_j(x_i)}",
        )
        .source("Equation (5)", &["Dynamics of naïve SSL has Trivial Solution"])
        .symbols([GRADIENT_MODEL, PARAMETERS, ANCHORS, CONTRASTIVE_LOSS, POINT])
        .symbol("′", "the derivative in the time t of the gradient flow Θ′ = −∇L_c, at the start")
        .symbol(
            "the printed double sum",
            "Σ_iΣ_j {⟨∇u_l(x), ∇u_j(x_i)⟩u_j(x_i⁺) + ⟨∇u_l(x), ∇u_j(x_i⁺)⟩u_j(x_i) − ⟨∇u_l(x), ∇u_j(x_i)⟩u_j(x_i⁻) − \
             ⟨∇u_l(x), ∇u_j(x_i⁻)⟩u_j(x_i)}, i = 1, …, n, j = 1, …, z",
        )
        .remark(
            "All four terms under the double sum. Left sides by forward differentiation in interval arithmetic, right \
             sides from gradients written down by hand.",
        )
        .setting(
            Setting::measuring(|i: &ModelOn<TripletData>, _| Ok(Dynamics::of(i, Loss::Contrastive)))
                .assume(Hypothesis::new(SMOOTH, is_smooth))
                .family(edge("named", named_models_on_triplets))
                .family(random("models, data and points", models_on_triplets).taking(0.5))
                .part("printed", "u_l(x)′ = the printed double sum, for every l", holds(), |_, s| {
                    each(s, [1.0, 1.0, -1.0, -1.0])
                })
                .checked_in_part("esser2024.GradientFlows.eq_5_printed")
                .ours("still", "under Θ′ = −∇L_c, u_l(x)′ = 0 for every l", holds(), |_, s| nothing_moves(s))
                .tested_by("still-any")
                .assume(Hypothesis::new("x_i⁻ = x_i⁺ for all i", |i| i.data.negatives == i.data.positives))
                .control("still-any", "u_l(x)′ = 0 for every l, whatever x_i⁻", |_, s| nothing_moves(s))
                .control("a", "u_l(x)′ = the printed double sum with + before its third term", |_, s| {
                    each(s, [1.0, 1.0, 1.0, -1.0])
                })
                .control("b", "u_l(x)′ = the printed double sum without its fourth term", |_, s| {
                    each(s, [1.0, 1.0, -1.0, 0.0])
                }),
        )
}
