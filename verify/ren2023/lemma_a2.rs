//! Lemma A.2: the gradient of the contrastive loss.
//!
//! True for arbitrary maps: ∇log S_A = (1 − S_A)τ²(∇⟨f_A⁺,f_B⁺⟩ − E[w_A ∇⟨f_A⁺,f_B⁻⟩]), and the same for S_B. The
//! expectations are summed over all latent states and compared with the derivative of the enumerated loss by
//! automatic differentiation, entry by entry.

use evidence::prelude::*;
use two_view::{Enumeration, MatrixBlock, MultimodalError, View, signs, weight_gradient};

use crate::shared::differentiated_loss::{DifferentiatedLoss, Expectations, agree};
use crate::shared::hypotheses::{Q_MATRICES, over_warm_models};
use crate::shared::notation::SIZES;
use crate::shared::two_views::TwoViews;

struct GradientForms {
    sides: DifferentiatedLoss,
    printed: MatrixBlock<Interval>,
    collected: MatrixBlock<Interval>,
    one_sided: MatrixBlock<Interval>,
    scale: f64,
    enumeration: Enumeration<Interval>,
    /// ∇_{W_A} log S_A at the last positive pair by automatic differentiation, and the formula of s1.
    logarithm: [MatrixBlock<Interval>; 2],
}

/// ∇_{W_A}⟨f_A(i), f_B(j)⟩ for latent states i, j, by Lemma A.1.
fn inner_gradient(
    s: &DifferentiatedLoss,
    e: &Enumeration<Interval>,
    i: usize,
    j: usize,
) -> Result<MatrixBlock<Interval>, MultimodalError> {
    let (sizes, map) = (s.data.sizes(), s.data.map(View::A));
    let d = sizes.latents();
    let variance = |k: usize| sizes.variance::<Interval>(k);
    let latent = |state: usize| {
        let signs = signs(d, state);
        MatrixBlock::from_fn(d, 1, |k, _| variance(k).sqrt() * signs[k])
    };
    let pull = s.features[1].product(&latent(j))?.product(&map.product(&latent(i))?.transpose())?;
    let own = s.features[0].product(&MatrixBlock::from_fn(d, map.rows(), |k, row| map.at(row, k) * variance(k)))?;
    pull.scaled(Interval::ONE / s.both).plus(&own.scaled(-e.similarity(i, j) / s.squares[0]))
}

/// Both sides of s1 at the last positive pair.
fn logarithm(
    v: &TwoViews,
    s: &DifferentiatedLoss,
    e: &Enumeration<Interval>,
) -> Result<[MatrixBlock<Interval>; 2], MeasureError> {
    let (i, j) = e.positive_pairs().last().ok_or("no positive pair")?;
    let [found, _] = weight_gradient(&s.data, [&s.weights[0], &s.weights[1]], |data, w| {
        let cross = data.features(w[0], w[1])?.gram().cross()?;
        let e = Enumeration::new(data.sizes(), &cross, v.tau_squared, v.negatives)?;
        Ok((-e.rest_a(i, j)).ln_1p())
    })?;
    let mut formula = inner_gradient(s, e, i, j)?;
    for other in 0..e.states() {
        let share = e.tilt_a(i, other) / e.states() as f64;
        formula = formula.plus(&inner_gradient(s, e, i, other)?.scaled(-share))?;
    }
    Ok([found, formula.scaled(e.rest_a(i, j) * v.tau_squared)])
}

/// −(τ²/r) bracket · Xᵀ, where the bracket carries the variances 1/r, 1/q of the normaliser.
fn from_bracket(v: &TwoViews, s: &DifferentiatedLoss, e: &Expectations) -> Result<MatrixBlock<Interval>, MeasureError> {
    let bracket = e.bracket(s, [1.0, -1.0, -1.0], |k| s.data.sizes().variance(k));
    let map = s.data.map(View::A);
    let factor = Interval::point(-v.tau_squared) / v.signal as f64;
    Ok(bracket.product(&map.transpose())?.scaled(factor))
}

fn forms(v: &TwoViews) -> Result<GradientForms, MeasureError> {
    let s = DifferentiatedLoss::of(v, v.contrastive())?;
    let (map, r) = (s.data.map(View::A).clone(), Interval::point(v.signal as f64));
    let pull = s.features[1].product(&s.selection.matrix)?.product(&map.transpose())?.scaled(Interval::ONE / s.both);
    let weighted = MatrixBlock::from_fn(map.columns(), map.rows(), |k, i| {
        map.at(i, k) * s.data.sizes().variance::<Interval>(k) * r
    });
    let own = s.features[0].product(&weighted)?.scaled(s.selection.scalar / s.squares[0]);
    let factor = Interval::point(-v.tau_squared) / r;
    let enumeration = Enumeration::new(s.data.sizes(), &s.state.cross()?, v.tau_squared, v.negatives)?;
    Ok(GradientForms {
        logarithm: logarithm(v, &s, &enumeration)?,
        enumeration,
        printed: from_bracket(v, &s, &Expectations::of(v, &s, false)?)?,
        one_sided: from_bracket(v, &s, &Expectations::of(v, &s, true)?)?,
        scale: s.gradient_scale(View::A),
        collected: pull.plus(&own.scaled(-Interval::ONE))?.scaled(factor),
        sides: s,
    })
}

/// K e^{τ²⟨f_A⁺,f_B⁻⟩} S_A/e^{τ²⟨f_A⁺,f_B⁺⟩} = (1 − S_A) w_A at every positive pair and negative; K replaced by
/// `strength`.
fn tilt_identity(f: &GradientForms, v: &TwoViews, strength: f64) -> Evaluation {
    let e = &f.enumeration;
    let difference = |i: usize, j: usize, negative: usize| {
        let exponent = (e.similarity(i, negative) - e.similarity(i, j)) * v.tau_squared;
        let left = exponent.exp() * strength * (Interval::ONE - e.rest_a(i, j));
        let right = e.rest_a(i, j) * e.tilt_a(i, negative);
        // Near S_A = 1 or 0 one of the factors is a small difference: the size of the other side counts.
        equal(left, right).on_scale_of("the terms before they cancel", exponent.exp().magnitude() * strength)
    };
    all_of(e.positive_pairs().flat_map(|(i, j)| (0..e.states()).map(move |n| (i, j, n))).map(|(i, j, n)| {
        let name = format!("anchor {}, positive {}, negative {}", i + 1, j + 1, n + 1);
        (name, difference(i, j, n))
    }))
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-a2", "gradient of the contrastive loss", Kind::Identity)
        .statement(
            "∇_{W_A}L = −τ² E{(2−S_A−S_B)∇⟨f_A⁺,f_B⁺⟩} + τ² E{(1−S_A) w_A ∇⟨f_A⁺,f_B⁻⟩} + τ² E{(1−S_B) w_B \
             ∇⟨f_A⁻,f_B⁺⟩}",
        )
        .source("Lemma A.2", &["Section A.1"])
        .symbols([SIZES])
        .symbol(
            "∇",
            "∇_{W_A}, the derivative in all entries of W_A, through N_A; of one inner product it is Lemma A.1: \
             ∇⟨f_A(x_A),f_B(x_B)⟩ = W_Bx_Bx_Aᵀ/(N_AN_B) − ⟨f_A(x_A),f_B(x_B)⟩W_A(AAᵀ/r + A_ξA_ξᵀ/q)/N_A²",
        )
        .reconstructed("the formula; it is derived from the definitions")
        .remark("The population loss and its normalisers are differentiated; no orthogonality is used.")
        .setting(printed())
}

fn printed() -> Setting<TwoViews, [GradientForms; 2]> {
    over_warm_models(Setting::measuring(|v: &TwoViews, _| Ok([forms(v)?, forms(&v.swapped())?])))
        .given(Q_MATRICES)
        .without_search()
        .part(
            "printed",
            "the equation of the statement, entry by entry, ∇_{W_A}L being the derivative of the enumerated L, and the \
             same of ∇_{W_B}L with the views exchanged",
            holds(),
            |_, f| {
                all_of(
                    ["A", "B"].into_iter().zip(f).map(|(n, f)| (n, agree(&f.sides.gradient[0], &f.printed, f.scale))),
                )
            },
        )
        .checked("ren2023.Gradients.lemma_a2_printed")
        .ours(
            "collected",
            "∇_{W_A}L = −(τ²/r){[K_B|K_{B,ξ}] Q [A|A_ξ]ᵀ/(N_AN_B) − Q_0 W_A(AAᵀ + (r/q)A_ξA_ξᵀ)/N_A²}; the same of \
             ∇_{W_B}L with the views exchanged and Qᵀ",
            holds(),
            |_, f| {
                all_of(
                    ["A", "B"].into_iter().zip(f).map(|(n, f)| (n, agree(&f.sides.gradient[0], &f.collected, f.scale))),
                )
            },
        )
        .because("the Q-matrices enter with Corollary A.4")
        .step(
            "s1",
            "∇log S_A = (1−S_A)τ²(∇⟨f_A⁺,f_B⁺⟩ − E_{x_B⁻}[w_A∇⟨f_A⁺,f_B⁻⟩]), at one positive pair: every coordinate of \
             z, ξ_A and ξ_B negative",
            holds(),
            |_, f| {
                let [found, formula] = &f[0].logarithm;
                // The terms before they cancel: the sides are multiplied by τ²(1 − S_A) at most.
                let size = f[0].scale / f[0].sides.weight;
                agree(found, formula, size)
            },
        )
        .assume(Hypothesis::new("τ² ≤ 2", |v| v.tau_squared <= 2.0))
        .step(
            "s2",
            "K e^{τ²⟨f_A⁺,f_B⁻⟩} S_A/e^{τ²⟨f_A⁺,f_B⁺⟩} = (1 − S_A) w_A at every positive pair and x_B⁻",
            holds(),
            |v, f| tilt_identity(&f[0], v, v.negatives),
        )
        .checked("ren2023.Gradients.lemma_a2_s2")
        .control("n1", "K left out of s2", |v, f| tilt_identity(&f[0], v, 1.0))
        .control("n2", "1 − S_A in place of 2 − S_A − S_B", |_, f| {
            agree(&f[0].sides.gradient[0], &f[0].one_sided, f[0].scale)
        })
        .control("n3", "τ² forgotten", |v, f| {
            let without = f[0].printed.scaled(Interval::ONE / v.tau_squared);
            agree(&f[0].sides.gradient[0], &without, f[0].scale)
        })
}
