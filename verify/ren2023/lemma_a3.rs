//! Lemma A.3: the dynamics of the four K-matrices under the contrastive loss.
//!
//! True under the orthogonality hypotheses, AᵀA_ξ = 0 included, which the paper uses silently. Without them the
//! bracket is multiplied by the whole Gram matrix of [A | A_ξ] instead of diag(D_σ, σ_ξ²): the form that holds for
//! arbitrary maps.

use evidence::prelude::*;
use two_view::{MatrixBlock, View};

use crate::shared::differentiated_loss::{DifferentiatedLoss, Expectations, agree, times_strengths};
use crate::shared::hypotheses::{ORTHOGONAL, over_warm_models};
use crate::shared::notation::{AGREEMENT, LOSS_WITHOUT_NEGATIVES, MOTION, SIZES};
use crate::shared::two_views::TwoViews;

struct BracketForms {
    velocity: MatrixBlock<Interval>,
    printed: MatrixBlock<Interval>,
    /// The bracket times [A | A_ξ]ᵀ[A | A_ξ].
    general: MatrixBlock<Interval>,
    /// The bracket with 1/r for every coordinate, times the strengths.
    uniform: MatrixBlock<Interval>,
    bracket: MatrixBlock<Interval>,
    metric: MatrixBlock<Interval>,
    scale: f64,
}

fn forms(v: &TwoViews) -> Result<BracketForms, MeasureError> {
    let s = DifferentiatedLoss::of(v, v.contrastive())?;
    let e = Expectations::of(v, &s, false)?;
    let signs = [1.0, -1.0, -1.0];
    let bracket = e.bracket(&s, signs, |k| s.data.sizes().variance(k));
    let metric = s.data.metric(View::A);
    Ok(BracketForms {
        velocity: s.velocity(View::A)?,
        printed: times_strengths(v, &bracket),
        general: bracket.product(&metric)?,
        uniform: times_strengths(v, &e.bracket(&s, signs, |_| s.data.sizes().variance(0))),
        bracket,
        metric,
        scale: s.speed_scale(View::A),
    })
}

fn split(v: &TwoViews, f: &BracketForms, side: &MatrixBlock<Interval>) -> Evaluation {
    let (r, d) = (v.signal, v.signal + v.noise);
    let part = |from, to| agree(&f.velocity.columns_between(from, to), &side.columns_between(from, to), f.scale);
    all_of(
        [("signal columns", 0, r), ("noise columns", r, d)]
            .into_iter()
            .filter(|(_, from, to)| from < to)
            .map(|(name, from, to)| (name, part(from, to))),
    )
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-a3", "dynamics of the four K-matrices", Kind::Dynamics)
        .statement(
            "K̇_A = r [E{(2−S_A−S_B)(f_B⁺z⁺ᵀ/N_A − ⟨f_A⁺,f_B⁺⟩K_A/(rN_A²))} − E{(1−S_A)w_A(f_B⁻z⁺ᵀ/N_A − \
             ⟨f_A⁺,f_B⁻⟩K_A/(rN_A²))} − E{(1−S_B)w_B(f_B⁺z⁻ᵀ/N_A − ⟨f_A⁻,f_B⁺⟩K_A/(rN_A²))}] D_σ (eq. (5)), and \
             K̇_{A,ξ} = r σ_ξ² [E{(2−S_A−S_B)(f_B⁺ξ_A⁺ᵀ/N_A − ⟨f_A⁺,f_B⁺⟩K_{A,ξ}/(qN_A²))} − E{(1−S_A)w_A(f_B⁻ξ_A⁺ᵀ/N_A \
             − ⟨f_A⁺,f_B⁻⟩K_{A,ξ}/(qN_A²))} − E{(1−S_B)w_B(f_B⁺ξ_A⁻ᵀ/N_A − ⟨f_A⁻,f_B⁺⟩K_{A,ξ}/(qN_A²))}]; K̇_B, K̇_{B,ξ} \
             by symmetry",
        )
        .source("Lemma A.3", &["Section A.1"])
        .symbols([SIZES, LOSS_WITHOUT_NEGATIVES, AGREEMENT])
        .symbol("K̇_A", MOTION)
        .reconstructed("the formulas; they are derived from the definitions")
        .remark("The time scale is W' = −(r/τ²)∇L. AᵀA_ξ = 0 is not legible in the source and is needed.")
        .remark(
            "Proof of the general form: K̇ = −(r/τ²)(∇L)X with X = [A | A_ξ], and every term of Lemma A.2 ends in Xᵀ, \
             so that XᵀX appears on the right; it is diag(D_σ, σ_ξ²) under the hypotheses.",
        )
        .setting(printed())
}

fn printed() -> Setting<TwoViews, [BracketForms; 2]> {
    over_warm_models(Setting::measuring(|v: &TwoViews, _| Ok([forms(v)?, forms(&v.swapped())?])))
        .without_search()
        .part(
            "printed",
            "the formulas of the statement are −(r/τ²)(∇_{W_A}L)A and −(r/τ²)(∇_{W_A}L)A_ξ, and the same with the \
             views exchanged",
            holds(),
            |v, f| all_of([("A", split(v, &f[0], &f[0].printed)), ("B", split(v, &f[1], &f[1].printed))]),
        )
        .checked("ren2023.Dynamics.lemma_a3_printed")
        .assume(ORTHOGONAL)
        .step("s1", "[A | A_ξ]ᵀ[A | A_ξ] = diag(D_σ, σ_ξ²I)", holds(), |v, f| {
            let d = v.signal + v.noise;
            let part =
                |i: usize, j: usize| equal(f[0].metric.at(i, j), exact(if i == j { v.strength(i) } else { 0.0 }));
            let scale = (0..d).map(|k| v.strength(k)).fold(0.0, f64::max);
            for_each_index("entry", 0..d * d, |k| part(k / d, k % d).on_scale_of("the terms before they cancel", scale))
        })
        .assume(ORTHOGONAL)
        .not_evidence("it is H-orth itself, which is assumed")
        .control("n1", "1/r in place of 1/q in the noise equation", |v, f| split(v, &f[0], &f[0].uniform))
        .assume(ORTHOGONAL)
        .control("n2", "D_σ left out", |v, f| split(v, &f[0], &f[0].bracket))
        .assume(ORTHOGONAL)
        .sharpening(
            "any-maps",
            "for arbitrary maps −(r/τ²)(∇_{W_A}L)[A | A_ξ] is r times the two brackets [E{…} − E{…} − E{…}] of the \
             statement, side by side, times [A | A_ξ]ᵀ[A | A_ξ]; the same with the views exchanged",
            holds(),
            |v, f| all_of([("A", split(v, &f[0], &f[0].general)), ("B", split(v, &f[1], &f[1].general))]),
        )
        .checked("ren2023.Dynamics.lemma_a3_any_maps")
        .control("n3", "the formulas of the statement without H-orth", |v, f| split(v, &f[0], &f[0].printed))
        .assume(Hypothesis::new("not H-orth", |v| !v.is_orthogonal()))
}
