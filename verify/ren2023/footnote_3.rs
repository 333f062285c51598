//! Footnote 3: without negatives, another τ only changes the learning rate.
//!
//! True where τ² stands in the loss as it does in eq. (3): −τ²E⟨f_A⁺,f_B⁺⟩ is τ²L_nc, so that each step at the rate η is one of L_nc at the rate ητ². The
//! steps of the first are taken with the derivative of the loss itself, those of the second by the formula of Lemma A.6. With negatives it is
//! not so: S_A depends on τ.

use enclosures::interval::Dual;
use evidence::prelude::*;
use two_view::{MatrixBlock, MultimodalError, Objective, TwoViewData, View, weight_gradient};

use crate::shared::differentiated_loss::{DifferentiatedLoss, PullAndShrink, agree, largest};
use crate::shared::hypotheses::over_warm_models;
use crate::shared::notation::{AGREEMENT, LOSS, LOSS_WITHOUT_NEGATIVES, SIZES, WEIGHTS};
use crate::shared::two_views::TwoViews;

type Weights = [MatrixBlock<Interval>; 2];

/// η, and the number of steps.
const RATE: f64 = 0.125;
const STEPS: usize = 2;

/// Weights after every step of gradient descent.
fn descended(
    start: &Weights,
    rate: Interval,
    gradient: impl Fn(&Weights) -> Result<Weights, MeasureError>,
) -> Result<[Weights; STEPS], MeasureError> {
    let step = |now: &Weights| -> Result<Weights, MeasureError> {
        let [a, b] = gradient(now)?;
        Ok([now[0].plus(&a.scaled(-rate))?, now[1].plus(&b.scaled(-rate))?])
    };
    let first = step(start)?;
    let second = step(&first)?;
    Ok([first, second])
}

/// ∇_{W_A} and ∇_{W_B} of −τ²Ψ by automatic differentiation.
fn derivative(data: &TwoViewData<Interval>, w: &Weights, tau_squared: f64) -> Result<Weights, MultimodalError> {
    weight_gradient(data, [&w[0], &w[1]], |data, w| {
        let agreement = data.features(w[0], w[1])?.gram().agreement()?;
        Ok(-agreement * Dual::constant(Interval::point(tau_squared)))
    })
}

/// The same of L_nc = −Ψ by Lemma A.6.
fn by_formula(data: &TwoViewData<Interval>, w: &Weights) -> Result<Weights, MeasureError> {
    let of = |view: View| -> Result<MatrixBlock<Interval>, MeasureError> {
        let terms = PullAndShrink::of(data, [&w[0], &w[1]], view)?;
        Ok(terms.shrink.plus(&terms.pull.scaled(-Interval::ONE))?)
    };
    Ok([of(View::A)?, of(View::B)?])
}

struct Descents {
    /// On −τ²E⟨f_A⁺,f_B⁺⟩ at the rate η.
    with_temperature: Weights,
    /// On L_nc at the rate ητ², and at η.
    rescaled: Weights,
    plain: Weights,
    /// ∇_{W_A}L and ∇_{W_B}L at τ², and at 2τ².
    contrastive: [Weights; 2],
    /// The size of the weights at the start and after each step, and of the terms of each step, which may cancel.
    size: f64,
    /// The size of the terms of a gradient of L.
    gradient_size: f64,
}

fn descents(v: &TwoViews) -> Result<Descents, MeasureError> {
    let (data, start) = (v.data()?, [v.weights(View::A), v.weights(View::B)]);
    let rate = Interval::point(RATE);
    let formula = |w: &Weights| by_formula(&data, w);
    let warmer = Objective::Contrastive { tau_squared: 2.0 * v.tau_squared, negatives: v.negatives };
    let loss = [DifferentiatedLoss::of(v, v.contrastive())?, DifferentiatedLoss::of(v, warmer)?];
    let path = descended(&start, rate, |w| Ok(derivative(&data, w, v.tau_squared)?))?;
    let moves = |w: &Weights, view: View| -> Result<f64, MeasureError> {
        let terms = PullAndShrink::of(&data, [&w[0], &w[1]], view)?;
        Ok(RATE * v.tau_squared * largest(&terms.pull).max(largest(&terms.shrink)))
    };
    let mut size = start.iter().chain(path.iter().flatten()).map(largest).fold(1.0, f64::max);
    for weights in [&start, &path[0]] {
        size = size.max(moves(weights, View::A)?).max(moves(weights, View::B)?);
    }
    let [_, rescaled] = descended(&start, rate * v.tau_squared, formula)?;
    let [_, plain] = descended(&start, rate, formula)?;
    Ok(Descents {
        size,
        with_temperature: path[1].clone(),
        rescaled,
        plain,
        gradient_size: loss[1].gradient_scale(View::A).max(loss[1].gradient_scale(View::B)),
        contrastive: loss.map(|l| l.gradient),
    })
}

fn same(left: &Weights, right: &Weights, size: f64) -> Evaluation {
    all_of([0, 1].map(|k| (["W_A", "W_B"][k], agree(&left[k], &right[k], size))))
}

pub fn claim() -> Claim {
    Claim::new("ren2023.footnote-3", "τ without negatives", Kind::Equivalence)
        .statement("in the non-contrastive case, changing τ only changes the learning rate")
        .source("Footnote 3", &["Algorithm 3.1, eq. (4)"])
        .symbols([SIZES, WEIGHTS, LOSS, LOSS_WITHOUT_NEGATIVES, AGREEMENT])
        .symbol(
            "η",
            "the learning rate: a step of gradient descent on a loss takes η times its gradient from the weights",
        )
        .reconstructed(
            "how τ enters the loss without negatives; we take −τ²E⟨f_A⁺,f_B⁺⟩, its exponent in the contrastive loss",
        )
        .remark("Without τ in that loss the footnote is true and says nothing.")
        .setting(steps())
}

fn steps() -> Setting<TwoViews, Descents> {
    over_warm_models(Setting::measuring(|v: &TwoViews, _| descents(v)))
        .without_search()
        .part(
            "rate",
            "two steps of gradient descent on −τ²E⟨f_A⁺,f_B⁺⟩ at η = 1/8 lead to the weights of two steps on L_nc at the rate ητ², \
             these by ∇_{W_A}L_nc = −W_BBAᵀ/(rN_AN_B) + ΨW_A(AAᵀ/r + A_ξA_ξᵀ/q)/N_A² and the same with the views exchanged",
            holds(),
            |_, d| same(&d.with_temperature, &d.rescaled, d.size),
        )
        .our_constant("η = 1/8 and the number of steps")
        .control("a", "two steps on L_nc at the rate η lead to the same weights, whatever τ is", |_, d| {
            same(&d.with_temperature, &d.plain, d.size)
        })
        .control("b", "the same with negatives: the gradients of L at 2τ² are twice those at τ²", |_, d| {
            let [own, warmer] = &d.contrastive;
            let twice = own.clone().map(|gradient| gradient.scaled(Interval::point(2.0)));
            same(warmer, &twice, d.gradient_size)
        })
}
