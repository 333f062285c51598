//! Equation (6): the dynamics of K_A under the non-contrastive loss.
//!
//! True under the orthogonality hypotheses: L_nc = −Ψ because the noises are independent of everything else, and the
//! noise columns only shrink.

use evidence::prelude::*;
use two_view::{Enumeration, MatrixBlock, Objective, View};

use crate::shared::differentiated_loss::{DifferentiatedLoss, agree, largest};
use crate::shared::hypotheses::{ORTHOGONAL, over_models};
use crate::shared::notation::{AGREEMENT, LOSS, LOSS_WITHOUT_NEGATIVES, MOTION, SIZES, WEIGHTS};
use crate::shared::two_views::TwoViews;

struct NonContrastiveVelocity {
    velocity: MatrixBlock<Interval>,
    /// K_B D_σ/(N_AN_B), and zero for the noise.
    pull: MatrixBlock<Interval>,
    /// Ψ K_A D_σ/N_A², and σ_ξ²(r/q)Ψ K_{A,ξ}/N_A².
    shrink: MatrixBlock<Interval>,
    square_ratio: Interval,
    agreement: Interval,
    mean: Interval,
    sides: DifferentiatedLoss,
    scale: f64,
}

fn forms(v: &TwoViews) -> Result<NonContrastiveVelocity, MeasureError> {
    let s = DifferentiatedLoss::of(v, Objective::NonContrastive)?;
    let (r, agreement) = (v.signal, s.state.agreement()?);
    let column = |f: &MatrixBlock<Interval>, i: usize, k: usize| f.at(i, k) * v.strength(k);
    let (rows, d) = (s.features[0].rows(), r + v.noise);
    let pull =
        MatrixBlock::from_fn(
            rows,
            d,
            |i, k| if k < r { column(&s.features[1], i, k) / s.both } else { Interval::ZERO },
        );
    let share = |k: usize| s.data.sizes().variance::<Interval>(k) * r as f64;
    let shrink =
        MatrixBlock::from_fn(rows, d, |i, k| column(&s.features[0], i, k) * agreement * share(k) / s.squares[0]);
    // τ and K do not matter for the mean of the similarity over positive pairs.
    let e = Enumeration::new(s.data.sizes(), &s.state.cross()?, 0.0, 1.0)?;
    let mean: Interval = e.positive_pairs().map(|(i, j)| e.similarity(i, j)).sum();
    Ok(NonContrastiveVelocity {
        velocity: s.velocity(View::A)?,
        square_ratio: s.squares[0] / s.squares[1],
        mean: mean * e.pair_probability(),
        scale: s.speed_scale(View::A).max(largest(&pull)).max(largest(&shrink)),
        agreement,
        pull,
        shrink,
        sides: s,
    })
}

fn difference(f: &NonContrastiveVelocity, factor: Interval) -> MatrixBlock<Interval> {
    MatrixBlock::from_fn(f.pull.rows(), f.pull.columns(), |i, j| f.pull.at(i, j) - f.shrink.at(i, j) * factor)
}

pub fn claim() -> Claim {
    Claim::new("ren2023.eq-6", "dynamics of K_A under the non-contrastive loss", Kind::Dynamics)
        .statement(
            "K̇_A = (K_B/(N_AN_B) − ΨK_A/N_A²)D_σ, Ψ = ⟨K_A,K_B⟩_F/(rN_AN_B), and K̇_{A,ξ} = −σ_ξ²(r/q)ΨK_{A,ξ}/N_A²",
        )
        .source("Equation (6)", &["Section 5.1"])
        .symbols([SIZES, LOSS, LOSS_WITHOUT_NEGATIVES, AGREEMENT])
        .symbol("K̇_A", MOTION)
        .symbols([WEIGHTS])
        .reconstructed("the formula; it is derived from the definitions")
        .remark("The time scale is W' = −r∇L_nc.")
        .setting(printed())
}

fn printed() -> Setting<TwoViews, [NonContrastiveVelocity; 2]> {
    over_models(Setting::measuring(|v: &TwoViews, _| Ok([forms(v)?, forms(&v.swapped())?])))
        .without_search()
        .part(
            "printed",
            "(K_B/(N_AN_B) − ΨK_A/N_A²)D_σ = −r(∇_{W_A}L_nc)A, and (K_A/(N_AN_B) − ΨK_B/N_B²)D_σ = −r(∇_{W_B}L_nc)B",
            holds(),
            |v, f| {
                all_of(["A", "B"].into_iter().zip(f).map(|(n, f)| {
                    let sides = (
                        f.velocity.columns_between(0, v.signal),
                        difference(f, Interval::ONE).columns_between(0, v.signal),
                    );
                    (n, agree(&sides.0, &sides.1, f.scale))
                }))
            },
        )
        .checked("ren2023.Noncontrastive.eq_6_printed")
        .assume(ORTHOGONAL)
        .ours("noise", "K̇_{A,ξ} = −σ_ξ²(r/q)ΨK_{A,ξ}/N_A²", holds(), |v, f| {
            let d = v.signal + v.noise;
            let right = difference(&f[0], Interval::ONE).columns_between(v.signal, d);
            agree(&f[0].velocity.columns_between(v.signal, d), &right, f[0].scale)
        })
        .checked("ren2023.Noncontrastive.eq_6_noise")
        .assume(ORTHOGONAL)
        .because("the equation (6) is that of K_A; the noise columns are its companion")
        .assume(Hypothesis::new("q ≥ 1", |v| v.noise > 0))
        .control("n1", "no second term", |_, f| agree(&f[0].velocity, &difference(&f[0], Interval::ZERO), f[0].scale))
        .assume(ORTHOGONAL)
        .control("n2", "N_B² in place of N_A²", |_, f| {
            agree(&f[0].velocity, &difference(&f[0], f[0].square_ratio), f[0].scale)
        })
        .assume(ORTHOGONAL)
        .control("n3", "noise columns do not move", |v, f| {
            let noise = f[0].velocity.columns_between(v.signal, v.signal + v.noise);
            agree(&noise, &noise.scaled(Interval::ZERO), 0.0)
        })
        .assume(ORTHOGONAL)
        .assume(Hypothesis::new("q ≥ 1", |v| v.noise > 0))
        .step("s1", "E⟨f_A⁺, f_B⁺⟩ = ⟨K_A,K_B⟩_F/(rN_AN_B), over all positive pairs", holds(), |_, f| {
            equal(f[0].mean, f[0].agreement).on_unit_scale()
        })
        .checked("ren2023.Noncontrastive.eq_6_s1")
        .step("s2", "⟨W_A, ∇_{W_A}L_nc⟩ = 0, so that ‖W_A‖_F is constant", holds(), |v, f| {
            let (w, g) = (&f[0].sides.weights[0], &f[0].sides.gradient[0]);
            let size = largest(w) * largest(g) * w.entries().len() as f64;
            equal(w.inner(g), 0).on_scale_of("the terms before they cancel", size + f[0].scale * v.signal as f64)
        })
        .tested_by("n5")
        .control("n5", "⟨W_B, ∇_{W_A}L_nc⟩ = 0", |v, f| {
            let (w, g) = (&f[0].sides.weights[1], &f[0].sides.gradient[0]);
            let size = largest(w) * largest(g) * w.entries().len() as f64;
            equal(w.inner(g), 0).on_scale_of("the terms before they cancel", size + f[0].scale * v.signal as f64)
        })
        .control("n4", "the formulas of the statement without H-orth", |_, f| {
            agree(&f[0].velocity, &difference(&f[0], Interval::ONE), f[0].scale)
        })
        .assume(Hypothesis::new("not H-orth", |v| !v.is_orthogonal()))
}
