//! Corollary A.4: the dynamics in terms of the matrix Q and the scalar Q_0.
//!
//! True under the orthogonality hypotheses. The companion rQ_0 = tr(CQ) says that both sums run over the same pairs:
//! Q_0 = ΣΩ_ijΛ_ij and Q = rΣΩ_ij u_ju_iᵀ with Λ_ij = u_iᵀCu_j; it is the conservation of ‖W_A‖_F² in disguise.

use evidence::prelude::*;
use two_view::{MatrixBlock, MultimodalError, View, rates_of};

use crate::shared::differentiated_loss::{DifferentiatedLoss, agree, largest};
use crate::shared::hypotheses::{ORTHOGONAL, Q_MATRICES, over_warm_models};
use crate::shared::notation::{AGREEMENT, LOSS_WITHOUT_NEGATIVES, MOTION, SIZES};
use crate::shared::two_views::TwoViews;

struct FeatureVelocities {
    sides: DifferentiatedLoss,
    velocities: [MatrixBlock<Interval>; 2],
    /// The printed right sides for A and B.
    printed: [MatrixBlock<Interval>; 2],
    /// For B with Q in place of Qᵀ.
    untransposed: MatrixBlock<Interval>,
    /// 𝐊R for arbitrary maps.
    general: [MatrixBlock<Interval>; 2],
    /// C Q.
    product: MatrixBlock<Interval>,
    scales: [f64; 2],
}

/// Columns of the other view times Q-blocks, minus Q_0 times the own column, block by block as printed.
fn printed(
    v: &TwoViews,
    s: &DifferentiatedLoss,
    view: View,
    transposed: bool,
) -> Result<MatrixBlock<Interval>, MultimodalError> {
    let (r, d, q) = (v.signal, v.signal + v.noise, &s.selection);
    let other = &s.features[view.other() as usize];
    let (signal, noise) = (other.columns_between(0, r), other.columns_between(r, d));
    let turned = |block: MatrixBlock<Interval>| if transposed { block.transpose() } else { block };
    // For view B the blocks are transposed, and Q_{1,ξA}, Q_{1,ξB} change places.
    let (cross_in, cross_out) = match view {
        View::A => (q.noise_signal(), q.signal_noise()),
        View::B => (q.signal_noise(), q.noise_signal()),
    };
    let add = |a: MatrixBlock<Interval>, b: MatrixBlock<Interval>| if v.noise == 0 { Ok(a) } else { a.plus(&b) };
    let to_signal = add(
        signal.product(&turned(q.signal_signal()))?,
        noise.product(&if view == View::A { cross_in } else { cross_in.transpose() })?,
    )?;
    let to_noise = add(
        signal.product(&if view == View::A { cross_out } else { cross_out.transpose() })?,
        noise.product(&turned(q.noise_noise()))?,
    )?;
    let pulls = to_signal.beside(&to_noise)?;
    let own = &s.features[view as usize];
    Ok(MatrixBlock::from_fn(own.rows(), d, |i, k| {
        let share = if k < r { Interval::ONE } else { Interval::point(r as f64) / v.noise as f64 };
        let shrink = share * q.scalar * own.at(i, k) / s.squares[view as usize];
        (pulls.at(i, k) / s.both - shrink) * v.strength(k)
    }))
}

fn forms(v: &TwoViews) -> Result<FeatureVelocities, MeasureError> {
    let s = DifferentiatedLoss::of(v, v.contrastive())?;
    let d = v.signal + v.noise;
    let moved = s.features[0].beside(&s.features[1])?.product(&rates_of(&s.state, &s.metrics(), &s.selection)?)?;
    Ok(FeatureVelocities {
        velocities: [s.velocity(View::A)?, s.velocity(View::B)?],
        printed: [printed(v, &s, View::A, false)?, printed(v, &s, View::B, true)?],
        untransposed: printed(v, &s, View::B, false)?,
        general: [moved.columns_between(0, d), moved.columns_between(d, 2 * d)],
        product: s.state.cross()?.product(&s.selection.matrix)?,
        scales: [s.speed_scale(View::A), s.speed_scale(View::B)],
        sides: s,
    })
}

fn both(f: &FeatureVelocities, sides: &[MatrixBlock<Interval>; 2]) -> Evaluation {
    all_of([
        ("A", agree(&f.velocities[0], &sides[0], f.scales[0])),
        ("B", agree(&f.velocities[1], &sides[1], f.scales[1])),
    ])
}

fn trace(f: &FeatureVelocities, upto: usize) -> Evaluation {
    let sum: Interval = (0..upto).map(|k| f.product.at(k, k)).sum();
    let r = f.sides.data.sizes().signal() as f64;
    equal(f.sides.selection.scalar * r, sum)
        .on_scale_of("the terms before they cancel", r * f.sides.weight * f.sides.similarity)
}

pub fn claim() -> Claim {
    Claim::new("ren2023.cor-a4", "the Q-matrix form", Kind::Identity)
        .statement(
            "K̇_A = (K_BQ_1 + K_{B,ξ}Q_{1,ξB})D_σ/(N_AN_B) − Q_0K_AD_σ/N_A²; K̇_{A,ξ} = σ_ξ²(K_BQ_{1,ξA} + \
             K_{B,ξ}Q_2)/(N_AN_B) − rσ_ξ²Q_0K_{A,ξ}/(qN_A²); K̇_B = (K_AQ_1ᵀ + K_{A,ξ}Q_{1,ξA}ᵀ)D_σ/(N_AN_B) − \
             Q_0K_BD_σ/N_B²; K̇_{B,ξ} = σ_ξ²(K_AQ_{1,ξB}ᵀ + K_{A,ξ}Q_2ᵀ)/(N_AN_B) − rσ_ξ²Q_0K_{B,ξ}/(qN_B²)",
        )
        .source("Corollary A.4", &["Section A.1"])
        .symbols([SIZES, LOSS_WITHOUT_NEGATIVES, AGREEMENT])
        .symbol("K̇_A", MOTION)
        .symbol("𝐊_A", "[K_A|K_{A,ξ}], 𝐊_B likewise")
        .reconstructed("the formulas; which symbols they define survives, and their scale is fixed by us")
        .setting(blocks())
}

fn blocks() -> Setting<TwoViews, FeatureVelocities> {
    over_warm_models(Setting::measuring(|v: &TwoViews, _| forms(v)))
        .given(Q_MATRICES)
        .without_search()
        .part(
            "printed",
            "the four right sides of the statement are the blocks of −(r/τ²)(∇_{W_A}L)[A|A_ξ] and \
             −(r/τ²)(∇_{W_B}L)[B|B_ξ], in its order",
            holds(),
            |_, f| both(f, &f.printed),
        )
        .checked("ren2023.Dynamics.cor_a4_printed")
        .assume(ORTHOGONAL)
        .control("n1", "Q untransposed in the equations of B", |_, f| {
            agree(&f.velocities[1], &f.untransposed, f.scales[1])
        })
        .assume(ORTHOGONAL)
        .ours("companion", "rQ_0 = tr(CQ)", holds(), |_, f| trace(f, f.product.rows()))
        .checked("ren2023.Dynamics.cor_a4_companion")
        .step(
            "s2",
            "⟨W_A, ∇_{W_A}L⟩ = ⟨W_B, ∇_{W_B}L⟩ = 0, so that ‖W_A‖_F and ‖W_B‖_F are constant",
            holds(),
            |_, f| {
                all_of([0, 1].map(|k| {
                    let (w, g) = (&f.sides.weights[k], &f.sides.gradient[k]);
                    let size = largest(w)
                        * f.sides.gradient_scale([View::A, View::B][k])
                        * f.sides.speed.hi()
                        * w.entries().len() as f64;
                    (
                        ["A", "B"][k],
                        equal(w.inner(g) * f.sides.speed, 0).on_scale_of("the terms before they cancel", size),
                    )
                }))
            },
        )
        .checked("ren2023.Gradients.cor_a4_s2")
        .tested_by("n5")
        .sharpening(
            "any-maps",
            "for arbitrary maps, with X = [A|A_ξ] and P = diag(I, (r/q)I): 𝐊̇_A = 𝐊_BQXᵀX/(N_AN_B) − Q_0𝐊_APXᵀX/N_A²; \
             the same for B, with X = [B|B_ξ] and Qᵀ",
            holds(),
            |_, f| both(f, &f.general),
        )
        .checked("ren2023.Dynamics.cor_a4_any_maps")
        .control("n5", "⟨W_B, ∇_{W_A}L⟩ = 0", |_, f| {
            let (w, g) = (&f.sides.weights[1], &f.sides.gradient[0]);
            let size = largest(w) * f.sides.gradient_scale(View::A) * f.sides.speed.hi() * w.entries().len() as f64;
            equal(w.inner(g) * f.sides.speed, 0).on_scale_of("the terms before they cancel", size)
        })
        .control("n2", "rQ_0 = tr(MQ_1), the signal alone", |v, f| {
            let (r, cross) = (v.signal, f.sides.state.cross());
            cross
                .map(|c| {
                    let q = &f.sides.selection.matrix;
                    let sum: Interval = pairs(0..r, 0..r).map(|(k, l)| c.at(k, l) * q.at(l, k)).sum();
                    equal(f.sides.selection.scalar * r as f64, sum)
                })
                .into()
        })
        .control("n3", "the printed form without H-orth", |_, f| both(f, &f.printed))
        .assume(Hypothesis::new("not H-orth", |v| !v.is_orthogonal()))
}
