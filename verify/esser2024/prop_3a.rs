//! Proposition 3, hypothesis: the general form of the losses is printed as a squared norm.
//!
//! With A = W₂ᵀW₁ the losses are Tr(ACAᵀ), quadratic in A and of either sign; ‖ACAᵀ‖₂² is of degree four in A and never negative. The
//! trace of a z×z matrix is at most z times its norm, so always L² ≤ z²‖ACAᵀ‖₂², with equality for z = 1: the printed form is then the square of
//! the loss, and right only where L is 0 or 1.

use evidence::prelude::*;
use linear_ssl::self_supervised::{SelfSupervisedError, TripletData, norm_loss, trace_loss};

use crate::shared::data_families::{data_size, triples};
use crate::shared::linear_model::LinearModelOn;
use crate::shared::notation::{ANCHORS, BOTH_LOSSES, OPERATOR_NORM};

/// One of the two losses and its general forms.
struct LossForms {
    name: &'static str,
    loss: Interval,
    /// ‖ACAᵀ‖₂².
    norm: Interval,
    /// Tr(ACAᵀ).
    trace: Interval,
    /// Tr(A(−C)Aᵀ).
    negated: Interval,
    /// The loss with both weight matrices doubled.
    doubled: Interval,
}

struct Losses {
    both: [LossForms; 2],
    /// Σ‖x_i‖(‖x_i⁻‖ + ‖x_i⁺‖)‖W₁‖²‖W₂‖².
    scale: f64,
    outputs: usize,
}

impl Losses {
    fn of(model: &LinearModelOn<TripletData>) -> Result<Self, SelfSupervisedError> {
        let (map, data) = (model.map()?, &model.data);
        let doubled = map.scaled(4.0);
        let contrastive = data.contrastive_matrix()?.symmetric_part()?;
        let attracting = data.non_contrastive_matrix()?.symmetric_part()?;
        let forms = |name, c, loss, doubled| -> Result<LossForms, SelfSupervisedError> {
            let trace = trace_loss(&map, c)?;
            Ok(LossForms { name, loss, norm: norm_loss(&map, c)?, trace, negated: -trace, doubled })
        };
        Ok(Losses {
            both: [
                forms("(1)", &contrastive, data.contrastive_loss(&map)?, data.contrastive_loss(&doubled)?)?,
                forms("(2)", &attracting, data.non_contrastive_loss(&map)?, data.non_contrastive_loss(&doubled)?)?,
            ],
            scale: data_size(data) * model.size(),
            outputs: map.rows(),
        })
    }

    fn each(&self, of: impl Fn(&LossForms) -> Evaluation) -> Evaluation {
        all_of(self.both.iter().map(|forms| (format!("loss {}", forms.name), of(forms))))
    }
}

pub fn claim() -> Claim {
    Claim::new("esser2024.prop-3a", "the general form of the loss in Proposition 3", Kind::Definition)
        .statement("the losses (1) and (2) of the linear two-layer model are of the form L = ‖W₂ᵀW₁CW₁ᵀW₂‖₂²")
        .source("Proposition 3, hypothesis", &["against Definition 1, equation (8)", "the proof of Proposition 3"])
        .symbols([ANCHORS, BOTH_LOSSES, OPERATOR_NORM])
        .symbol(
            "(7)",
            "C is the symmetric part of Σ_i x_i(x_i⁻ − x_i⁺)ᵀ for the loss (1), of −Σ_i x_i(x_i⁺)ᵀ for the loss (2)",
        )
        .symbol("W₁", "any h×d and h×z matrices W₁, W₂, with u(x) = W₂ᵀW₁x; ‖W₁‖² is the sum of the squared entries")
        .symbol("L", "one of the losses (1), (2)")
        .remark(
            "P is the norm that Proposition 3 prints, T the trace of Definition 1, with which its proof works. The \
             proposition says both that L is given by (1) or (2) and that this is P; so the claims prop-3b to prop-3f \
             are judged in either sense.",
        )
        .remark("C of the non-contrastive loss (2) has the corrected sign of eq-7nc.")
        .setting(trace())
}

fn trace() -> Setting<LinearModelOn<TripletData>, Losses> {
    Setting::measuring(|m: &LinearModelOn<TripletData>, _| Ok(Losses::of(m)?))
        .given("C from (7), for the loss (2) with the sign that reproduces it")
        .family(triples())
        .part(
            "P",
            "L = ‖W₂ᵀW₁CW₁ᵀW₂‖₂² for both losses",
            fails(
                "the loss has either sign and degree two in M = W₁ᵀW₂, the squared norm is non-negative and of degree \
                 four",
            ),
            |_, l| l.each(|f| equal(f.loss, f.norm).on_scale_of("Σ‖x_i‖(‖x_i⁻‖ + ‖x_i⁺‖)‖W₁‖²‖W₂‖²", l.scale)),
        )
        .checked_in_part("esser2024.TraceNorm.prop_3a_P_refuted")
        .sides("L", "‖W₂ᵀW₁CW₁ᵀW₂‖₂²")
        .meant("T", "L = Tr(W₂ᵀW₁CW₁ᵀW₂) for both losses", holds(), |_, l| {
            l.each(|f| equal(f.loss, f.trace).on_scale_of("Σ‖x_i‖(‖x_i⁻‖ + ‖x_i⁺‖)‖W₁‖²‖W₂‖²", l.scale))
        })
        .amendment(
            "trace",
            "both losses are Tr(W₂ᵀW₁CW₁ᵀW₂), and for z = 1 ‖W₂ᵀW₁CW₁ᵀW₂‖₂² is the square of the loss",
            holds(),
            |_, l| {
                let scale = l.scale;
                l.each(|f| {
                    let mut parts =
                        vec![("trace", equal(f.loss, f.trace).on_scale_of("Σ‖x_i‖(‖x_i⁻‖ + ‖x_i⁺‖)‖W₁‖²‖W₂‖²", scale))];
                    if l.outputs == 1 {
                        parts.push((
                            "square",
                            equal(f.norm, f.loss.square())
                                .on_scale_of("(Σ‖x_i‖(‖x_i⁻‖ + ‖x_i⁺‖)‖W₁‖²‖W₂‖²)²", scale * scale),
                        ));
                    }
                    all_of(parts)
                })
            },
        )
        .sharpening(
            "relation",
            "L² ≤ z²‖W₂ᵀW₁CW₁ᵀW₂‖₂² for both losses, z the number of outputs",
            holds(),
            |_, l| {
                let z = l.outputs as f64;
                l.each(|f| {
                    at_most(f.loss.square(), z * z * f.norm)
                        .on_scale_of("(Σ‖x_i‖(‖x_i⁻‖ + ‖x_i⁺‖)‖W₁‖²‖W₂‖²)²", l.scale * l.scale)
                })
            },
        )
        .checked_in_part("esser2024.TraceNorm.prop_3a_relation")
        .control("a", "L = Tr(W₂ᵀW₁(−C)W₁ᵀW₂) for both losses", |_, l| {
            l.each(|f| equal(f.loss, f.negated).on_scale_of("Σ‖x_i‖(‖x_i⁻‖ + ‖x_i⁺‖)‖W₁‖²‖W₂‖²", l.scale))
        })
        .control("b", "L at (2W₁, 2W₂) is 4L for both losses: degree two in (W₁, W₂) jointly", |_, l| {
            l.each(|f| equal(f.doubled, f.loss * 4.0).on_scale_of("Σ‖x_i‖(‖x_i⁻‖ + ‖x_i⁺‖)‖W₁‖²‖W₂‖²", l.scale))
        })
}
