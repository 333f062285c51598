//! After (7): the data matrix of the non-contrastive loss is printed with the wrong sign.
//!
//! L_nc = −Σ (Ax_i)ᵀAx_i⁺ = −Tr(A(Σ x_i x_i⁺ᵀ)Aᵀ) with A = W₂ᵀW₁: what is printed is −L_nc, so it is right only where the loss is zero. With
//! C̃ = −Σ x_i x_i⁺ᵀ the trace form holds for all data and all weights.

use enclosures::linear_algebra::IntervalMatrix;
use evidence::prelude::*;
use linear_ssl::self_supervised::{SelfSupervisedError, TripletData, trace_loss};

use crate::shared::data_families::{data_size, triples};
use crate::shared::linear_model::LinearModelOn;
use crate::shared::notation::{ANCHORS, NON_CONTRASTIVE_LOSS};

/// As for the contrastive loss.
const ROUND_OFF: f64 = 1e-12;

struct TraceForms {
    /// L_nc.
    loss: Interval,
    /// The trace form with the symmetric part of the printed matrix Σ x_i x_i⁺ᵀ.
    printed: Interval,
    /// The same with −Σ x_i x_i⁺ᵀ.
    corrected: Interval,
    /// The same with −Σ x_i⁺ x_i⁺ᵀ.
    positives_twice: Interval,
    scale: f64,
}

impl TraceForms {
    fn of(model: &LinearModelOn<TripletData>) -> Result<Self, SelfSupervisedError> {
        let (map, data) = (model.map()?, &model.data);
        let form = |matrix: IntervalMatrix| trace_loss(&map, &matrix.symmetric_part()?);
        let twice = TripletData { anchors: data.positives.clone(), ..data.clone() };
        Ok(TraceForms {
            loss: data.non_contrastive_loss(&map)?,
            printed: form(data.printed_non_contrastive_matrix()?)?,
            corrected: form(data.non_contrastive_matrix()?)?,
            positives_twice: form(twice.non_contrastive_matrix()?)?,
            scale: data_size(data) * model.size(),
        })
    }

    fn loss_is(&self, right: Interval) -> Evaluation {
        equal(self.loss, right).on_scale_of("Σ‖x_i‖(‖x_i⁻‖ + ‖x_i⁺‖)‖W₁‖²‖W₂‖²", self.scale).within(ROUND_OFF)
    }
}

pub fn claim() -> Claim {
    Claim::new("esser2024.eq-7nc", "trace form of the non-contrastive loss", Kind::Identity)
        .statement("L_nc = Tr(W₂ᵀW₁CW₁ᵀW₂) with C̃ = Σ_i x_i(x_i⁺)ᵀ and C = (C̃ + C̃ᵀ)/2")
        .source("the text after equation (7)", &[])
        .symbols([ANCHORS, NON_CONTRASTIVE_LOSS])
        .symbol("W₁", "h×d and W₂ h×z: u(x) = W₂ᵀW₁x; ‖W₁‖² is the sum of the squared entries")
        .symbol("C̃", "a d×d matrix; C = (C̃ + C̃ᵀ)/2")
        .remark("Wherever another claim needs C of the non-contrastive loss, it takes the corrected sign.")
        .setting(
            Setting::measuring(|m: &LinearModelOn<TripletData>, _| Ok(TraceForms::of(m)?))
                .given("W₁ ∈ ℝ^{h×d}, W₂ ∈ ℝ^{h×z} and the n pairs are arbitrary")
                .degenerate("all data or weights zero", |m| data_size(&m.data) * m.size() == 0.0)
                .family(triples())
                .part(
                    "printed",
                    "L_nc = Tr(W₂ᵀW₁CW₁ᵀW₂) with C̃ = Σ x_i(x_i⁺)ᵀ",
                    fails("the sign: the printed form is −L_nc"),
                    |_, s| s.loss_is(s.printed),
                )
                .checked("esser2024.Trace.eq_7nc_printed_refuted")
                .sides("L_nc", "Tr(W₂ᵀW₁CW₁ᵀW₂)")
                .meant(
                    "corrected",
                    "L_nc = Tr(W₂ᵀW₁CW₁ᵀW₂) with C̃ = −Σ x_i(x_i⁺)ᵀ",
                    holds(),
                    |_, s| s.loss_is(s.corrected),
                )
                .checked("esser2024.Trace.eq_7nc_corrected")
                .because("a minus sign is missing")
                .amendment(
                    "opposite",
                    "Tr(W₂ᵀW₁CW₁ᵀW₂) with C̃ = Σ x_i(x_i⁺)ᵀ is −L_nc, so the printed form is right exactly where L_nc = \
                     0",
                    holds(),
                    |_, s| s.loss_is(-s.printed),
                )
                .checked("esser2024.Trace.eq_7nc_opposite")
                .control("a", "L_nc = ½Tr(W₂ᵀW₁CW₁ᵀW₂) with C̃ = Σ x_i(x_i⁺)ᵀ", |_, s| {
                    s.loss_is(s.printed * 0.5)
                })
                .control("b", "L_nc = Tr(W₂ᵀW₁CW₁ᵀW₂) with C̃ = −Σ x_i⁺(x_i⁺)ᵀ", |_, s| {
                    s.loss_is(s.positives_twice)
                }),
        )
}
