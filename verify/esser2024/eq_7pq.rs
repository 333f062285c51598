//! After (7): several positive and several negative samples.
//!
//! Both readings are the identity aᵀb = Tr(b aᵀ), summed: with samples of their own for each anchor (R1) the matrix is
//! Σ_i x_i(Σ_j x_ij⁻ − Σ_j x_ij⁺)ᵀ, with one shared set (R2) it is (Σ_i x_i)(Σ_j x_j⁻ − Σ_j x_j⁺)ᵀ, of rank at most one whatever n is. Each
//! matrix goes with its own loss and not with the other's. An empty sum is zero, so p = 0 and q = 0 are covered.

use enclosures::linear_algebra::IntervalMatrix;
use evidence::prelude::*;
use linear_ssl::self_supervised::{AnchoredSamples, SelfSupervisedError, SharedSamples, trace_loss};

use crate::shared::data_families::{anchored, shared};
use crate::shared::linear_model::LinearModelOn;

struct PairedForms {
    loss: Interval,
    /// The trace form with the symmetric part of the matrix.
    form: Interval,
    /// The trace form of another matrix, for the controls.
    other: Interval,
    /// The trace form with means in place of sums.
    means: Interval,
    scale: f64,
}

impl PairedForms {
    fn loss_is(&self, right: Interval) -> Evaluation {
        equal(self.loss, right).on_scale_of("the terms in absolute value", self.scale)
    }
}

fn largest(points: &[Vec<f64>]) -> f64 {
    points.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// An upper bound of Σ_ij |x_i||x_ij| in terms of the largest coordinates.
fn scale<D>(model: &LinearModelOn<D>, anchors: &[Vec<f64>], samples: &[Vec<f64>], pairs: usize) -> f64 {
    let d = anchors.first().map_or(0, Vec::len);
    largest(anchors) * largest(samples) * (d * pairs) as f64 * model.size()
}

/// Each list replaced by its mean, repeated so often that the sum over the list is the mean.
fn averaged(list: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let count = list.len() as f64;
    list.iter().map(|x| x.iter().map(|t| t / count).collect()).collect()
}

fn form(map: &IntervalMatrix, matrix: &IntervalMatrix) -> Result<Interval, SelfSupervisedError> {
    trace_loss(map, &matrix.symmetric_part()?)
}

fn own_samples(model: &LinearModelOn<AnchoredSamples>) -> Result<PairedForms, SelfSupervisedError> {
    let (map, data) = (model.map()?, &model.data);
    let literal = SharedSamples {
        anchors: data.anchors.clone(),
        positives: data.positives[0].clone(),
        negatives: data.negatives[0].clone(),
    };
    let means = AnchoredSamples {
        anchors: data.anchors.clone(),
        positives: data.positives.iter().map(|list| averaged(list)).collect(),
        negatives: data.negatives.iter().map(|list| averaged(list)).collect(),
    };
    let samples: Vec<Vec<f64>> = data.positives.iter().chain(&data.negatives).flatten().cloned().collect();
    Ok(PairedForms {
        loss: data.loss(&map)?,
        form: form(&map, &data.matrix()?)?,
        other: form(&map, &literal.matrix()?)?,
        means: form(&map, &means.matrix()?)?,
        scale: scale(model, &data.anchors, &samples, samples.len()),
    })
}

fn shared_samples(model: &LinearModelOn<SharedSamples>) -> Result<PairedForms, SelfSupervisedError> {
    let (map, data) = (model.map()?, &model.data);
    let means = SharedSamples {
        anchors: data.anchors.clone(),
        positives: averaged(&data.positives),
        negatives: averaged(&data.negatives),
    };
    let first_anchor = SharedSamples { anchors: data.anchors[..1].to_vec(), ..data.clone() };
    let samples: Vec<Vec<f64>> = data.positives.iter().chain(&data.negatives).cloned().collect();
    Ok(PairedForms {
        loss: data.loss(&map)?,
        form: form(&map, &data.matrix()?)?,
        other: form(&map, &first_anchor.matrix()?)?,
        means: form(&map, &means.matrix()?)?,
        scale: scale(model, &data.anchors, &samples, samples.len() * data.anchors.len()),
    })
}

pub fn claim() -> Claim {
    Claim::new("esser2024.eq-7pq", "trace form with p positives and q negatives", Kind::Identity)
        .statement(
            "L = Tr(W₂ᵀW₁CW₁ᵀW₂) with C̃ = Σ_i(Σ_{j=1}^q x_i(x_j⁻)ᵀ − Σ_{j=1}^p x_i(x_j⁺)ᵀ) and C its symmetric part",
        )
        .source("the text after equation (7)", &[])
        .symbol("W₁", "h×d and W₂ h×z: u(x) = W₂ᵀW₁x, M = W₁ᵀW₂")
        .symbol(
            "x_ij",
            "samples j = 1, …, q (x_ij⁻) and j = 1, …, p (x_ij⁺) of anchor i = 1, …, n; x_j⁻, x_j⁺ without i where all \
             anchors share them",
        )
        .symbol(
            "MᵀCM",
            "C the symmetric part of Σ_i(Σ_j x_i(x_ij⁻)ᵀ − Σ_j x_i(x_ij⁺)ᵀ) in R1, of Σ_i(Σ_j x_i(x_j⁻)ᵀ − Σ_j \
             x_i(x_j⁺)ᵀ) in R2",
        )
        .remark(
            "R1 supplies the index i that the print leaves out, because a positive sample belongs to an anchor; R2 \
             takes the formula as it stands. Both are identities, each with the loss it belongs to; under R2 the \
             matrix C̃ has rank at most one.",
        )
        .setting(with_own_samples())
        .setting(with_shared_samples())
}

fn with_own_samples() -> Setting<LinearModelOn<AnchoredSamples>, PairedForms> {
    Setting::measuring(|m: &LinearModelOn<AnchoredSamples>, _| Ok(own_samples(m)?))
        .given("n anchors, each with q negative and p positive samples of its own; W₁, W₂ arbitrary")
        .family(anchored())
        .sense(
            "R1",
            "samples x_ij of their own: Σ_i u(x_i)ᵀ(Σ_j u(x_ij⁻) − Σ_j u(x_ij⁺)) = Tr(MᵀCM)",
            holds(),
            |_, s| s.loss_is(s.form),
        )
        .control(
            "a",
            "the loss of R1 = Tr(MᵀCM) with the samples x_1j of the first anchor in place of every x_ij in C",
            |_, s| s.loss_is(s.other),
        )
        .control("b", "the loss of R1 = Tr(MᵀCM) with means over j in place of sums in C", |_, s| s.loss_is(s.means))
}

fn with_shared_samples() -> Setting<LinearModelOn<SharedSamples>, PairedForms> {
    Setting::measuring(|m: &LinearModelOn<SharedSamples>, _| Ok(shared_samples(m)?))
        .given("n anchors, and q negative and p positive samples shared by all; W₁, W₂ arbitrary")
        .family(shared())
        .sense(
            "R2",
            "shared samples x_j: Σ_i u(x_i)ᵀ(Σ_j u(x_j⁻) − Σ_j u(x_j⁺)) = Tr(MᵀCM)",
            holds(),
            |_, s| s.loss_is(s.form),
        )
        .control("b2", "the loss of R2 = Tr(MᵀCM) with means over j in place of sums in C", |_, s| s.loss_is(s.means))
        .control("c", "the loss of R2 = Tr(MᵀCM) with the first anchor alone in C", |_, s| s.loss_is(s.other))
}
