//! Lemma A.6: the gradient of the non-contrastive loss.
//!
//! True for arbitrary maps: L_nc = −⟨K_A, K_B⟩_F/(rN_AN_B), and E[x_B⁺x_A⁺ᵀ] = BAᵀ/r because the noises are
//! independent.

use evidence::prelude::*;
use two_view::{Enumeration, MatrixBlock, Objective, View};

use crate::shared::differentiated_loss::{DifferentiatedLoss, PullAndShrink, agree, largest};
use crate::shared::hypotheses::over_models;
use crate::shared::notation::{AGREEMENT, LOSS_WITHOUT_NEGATIVES, SIZES};
use crate::shared::two_views::TwoViews;

struct NonContrastiveGradient {
    sides: DifferentiatedLoss,
    terms: PullAndShrink,
    /// E[x_B⁺ x_A⁺ᵀ] over all positive pairs.
    moment: MatrixBlock<Interval>,
    scale: f64,
}

fn forms(v: &TwoViews) -> Result<NonContrastiveGradient, MeasureError> {
    let s = DifferentiatedLoss::of(v, Objective::NonContrastive)?;
    let (sizes, d) = (s.data.sizes(), v.signal + v.noise);
    let e = Enumeration::new(sizes, &s.state.cross()?, 0.0, 1.0)?;
    let sign = |state: usize, k: usize| if state >> k & 1 == 1 { -1.0 } else { 1.0 };
    let latent = MatrixBlock::from_fn(d, d, |k, l| {
        let sum: f64 = e.positive_pairs().map(|(i, j)| sign(j, k) * sign(i, l)).sum();
        let root = |k: usize| sizes.variance::<Interval>(k).sqrt();
        root(k) * root(l) * (sum * e.pair_probability())
    });
    let terms = PullAndShrink::of(&s.data, [&s.weights[0], &s.weights[1]], View::A)?;
    let own = largest(&s.weights[0]) * largest(&terms.covariance) / s.squares[0].lo();
    Ok(NonContrastiveGradient {
        scale: largest(&terms.pull) + largest(&terms.shrink) + own,
        moment: s.data.map(View::B).product(&latent)?.product(&s.data.map(View::A).transpose())?,
        terms,
        sides: s,
    })
}

fn formula(f: &NonContrastiveGradient, pull: f64, shrink: f64) -> MatrixBlock<Interval> {
    let PullAndShrink { pull: pulled, shrink: shrunk, .. } = &f.terms;
    MatrixBlock::from_fn(pulled.rows(), pulled.columns(), |i, j| shrunk.at(i, j) * shrink - pulled.at(i, j) * pull)
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-a6", "gradient of the non-contrastive loss", Kind::Identity)
        .statement("∇_{W_A}L_nc = −W_BBAᵀ/(rN_AN_B) + ΨW_A(AAᵀ/r + A_ξA_ξᵀ/q)/N_A²")
        .source("Lemma A.6", &["Section A.1"])
        .symbols([SIZES, LOSS_WITHOUT_NEGATIVES, AGREEMENT])
        .symbol("∇_{W_A}", "the derivative in all entries of W_A, through N_A")
        .reconstructed("the formula; it is derived from the definitions")
        .remark("A factor τ² in L_nc would multiply both sides. No orthogonality is used.")
        .setting(printed())
}

fn printed() -> Setting<TwoViews, [NonContrastiveGradient; 2]> {
    over_models(Setting::measuring(|v: &TwoViews, _| Ok([forms(v)?, forms(&v.swapped())?])))
        .without_search()
        .part(
            "printed",
            "the formula of the statement is the derivative that it stands for, entry by entry, in both views",
            holds(),
            |_, f| {
                all_of(
                    ["A", "B"]
                        .into_iter()
                        .zip(f)
                        .map(|(n, f)| (n, agree(&f.sides.gradient[0], &formula(f, 1.0, 1.0), f.scale))),
                )
            },
        )
        .checked("ren2023.Noncontrastive.lemma_a6_printed")
        .step("s1", "E[x_B⁺x_A⁺ᵀ] = BAᵀ/r, over all positive pairs", holds(), |_, f| {
            let size = largest(f[0].sides.data.map(View::A)) * largest(f[0].sides.data.map(View::B));
            agree(&f[0].moment, &f[0].terms.moment, size)
        })
        .checked("ren2023.Noncontrastive.lemma_a6_s1")
        .step("s2", "⟨W_A, ∇_{W_A}L_nc⟩ = 0", holds(), |_, f| {
            let (w, g) = (&f[0].sides.weights[0], &f[0].sides.gradient[0]);
            equal(w.inner(g), 0)
                .on_scale_of("the terms before they cancel", largest(w) * f[0].scale * w.entries().len() as f64)
        })
        .checked("ren2023.Noncontrastive.lemma_a6_s2")
        .tested_by("n5")
        .control("n5", "⟨W_B, ∇_{W_A}L_nc⟩ = 0", |_, f| {
            let (w, g) = (&f[0].sides.weights[1], &f[0].sides.gradient[0]);
            equal(w.inner(g), 0)
                .on_scale_of("the terms before they cancel", largest(w) * f[0].scale * w.entries().len() as f64)
        })
        .control("n1", "1/r missing in the first term", |v, f| {
            agree(&f[0].sides.gradient[0], &formula(&f[0], v.signal as f64, 1.0), f[0].scale)
        })
        .control("n2", "second term missing", |_, f| {
            agree(&f[0].sides.gradient[0], &formula(&f[0], 1.0, 0.0), f[0].scale)
        })
        .control("n3", "the noise counted in the first term: E[x_B⁺x_A⁺ᵀ] = BAᵀ/r + B_ξA_ξᵀ/q", |v, f| {
            let (r, d) = (v.signal, v.signal + v.noise);
            let noise = |view| f[0].sides.data.map(view).columns_between(r, d);
            let sum = noise(View::B)
                .product(&noise(View::A).transpose())
                .and_then(|m| m.scaled(Interval::ONE / v.noise.max(1) as f64).plus(&f[0].terms.moment));
            sum.map(|sum| agree(&f[0].moment, &sum, 0.0)).into()
        })
}
