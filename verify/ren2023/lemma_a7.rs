//! Lemma A.7: the derivation of equation (8).
//!
//! True step by step on Gram matrices of the structure (7) without noise: flipping one coordinate of z⁺ and z⁻
//! together leaves the exponent as it is, so that S is one number, E e^{…} = ∏cosh x_p, and rE[w_A z_s⁻z_p⁺] =
//! δ_psT_p. All expectations are enumerated.

use evidence::prelude::*;
use two_view::{DiagonalState, Enumeration, FeatureSelection, MatrixBlock, feature_rates, noiseless_velocity};

use crate::shared::diagonal_starts::{DiagonalStart, families};
use crate::shared::hypotheses::over_diagonal_states;
use crate::shared::notation::{
    AGREEMENT, DATA, FEATURES, H_ORTH, KAPPA, KAPPA_HAT, KRONECKER, LOSS, LOSS_WITHOUT_NEGATIVES, MOTION, NORMALISER,
    NORMALISER_BOTH, OUTPUTS, Q_MATRIX, Q_SCALAR, SELECTION, SIZES,
};

struct ProductForms {
    cross: MatrixBlock<Interval>,
    enumeration: Enumeration<Interval>,
    /// The same with an off-diagonal 0.3 added to M.
    crooked: Enumeration<Interval>,
    selection: FeatureSelection<Interval>,
    /// T_p and x_p.
    tilts: Vec<(Interval, Interval)>,
    /// 1 − S̄ and N² of the product form.
    rest: Interval,
    square: Interval,
    /// The matrix R of 𝐊̇ = 𝐊R.
    rates: MatrixBlock<Interval>,
    velocity: DiagonalState<Interval>,
    printed: Vec<(Interval, Interval)>,
}

fn parts(s: &DiagonalStart) -> Result<ProductForms, MeasureError> {
    let (state, sizes) = (s.gram::<Interval>()?, s.sizes()?);
    let cross = state.cross()?;
    let bent = MatrixBlock::from_fn(s.signal(), s.signal(), |i, j| cross.at(i, j) + if i + 1 == j { 0.3 } else { 0.0 });
    let by = s.law()?.selection(&s.diagonal::<Interval>(), s.contrastive())?;
    Ok(ProductForms {
        enumeration: Enumeration::new(sizes, &cross, s.tau_squared, s.negatives)?,
        crooked: Enumeration::new(sizes, &bent, s.tau_squared, s.negatives)?,
        selection: FeatureSelection::of(&state, s.contrastive())?,
        tilts: s.tilts()?,
        rest: by.rest,
        square: by.normalisers_squared[0],
        rates: feature_rates(&state, &s.metrics()?, s.contrastive())?,
        velocity: DiagonalState::of(&s.enumerated_velocity()?),
        printed: noiseless_velocity(
            &s.sigma_squared,
            &s.kappa::<Interval>(),
            &s.kappa_hat(),
            s.tau_squared,
            s.negatives,
        )?,
        cross,
    })
}

/// S_A and S_B at every positive pair against one value.
fn one_value(e: &Enumeration<Interval>, rest: Interval) -> Evaluation {
    all_of(e.positive_pairs().map(|(i, j)| {
        let name = format!("z = {i}");
        (name, all_of([("S_A", equal(e.rest_a(i, j), rest)), ("S_B", equal(e.rest_b(i, j), rest))]))
    }))
}

/// r E[w_A z_s⁻ z_p⁺].
fn moment(e: &Enumeration<Interval>, s: usize, p: usize) -> Interval {
    let n = e.states();
    let sign = |state: usize, k: usize| if state >> k & 1 == 1 { -1.0 } else { 1.0 };
    let sum: Interval = pairs(0..n, 0..n).map(|(i, j)| e.tilt_a(i, j) * (sign(j, s) * sign(i, p))).sum();
    sum / (n * n) as f64
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-a7", "derivation of eq. (8)", Kind::Dynamics)
        .statement("eq. (8) holds in the noiseless infinite-width case")
        .source("Lemma A.7", &["Section A.2"])
        .symbols([
            SIZES, DATA, H_ORTH, FEATURES, NORMALISER, NORMALISER_BOTH, OUTPUTS, SELECTION, LOSS,
            LOSS_WITHOUT_NEGATIVES, AGREEMENT,
        ])
        .symbol("κ", KAPPA.meaning)
        .symbols([KAPPA_HAT])
        .symbol("K̇_A", MOTION)
        .symbols([Q_MATRIX, Q_SCALAR, KRONECKER])
        .symbol("M", "K_AᵀK_B/(N_AN_B)")
        .reconstructed("the formulas; they are derived from the definitions")
        .remark("T_p = tanh(x_p), x_p = τ²κ̂_p²/(rN²).")
        .setting(printed())
}

fn printed() -> Setting<DiagonalStart, ProductForms> {
    let setting = over_diagonal_states(Setting::measuring(|s: &DiagonalStart, _| parts(s)))
        .assume(Hypothesis::new("q = 0", |s| s.noise == 0))
        .family(families())
        .without_search();
    controls(steps(statement(setting)))
}

fn statement(setting: Setting<DiagonalStart, ProductForms>) -> Setting<DiagonalStart, ProductForms> {
    setting
        .part(
            "printed",
            "the velocity by enumeration is the right side of (8): dκ_p²/dt = (4(1−S̄)σ_p²/N²)(κ̂_p²(1−T_p) − Q′κ_p²), \
         dκ̂_p²/dt = (4(1−S̄)σ_p²/N²)(κ_p²(1−T_p) − Q′κ̂_p²), Q′ = Σ_sκ̂_s²(1−T_s)/‖κ‖²",
            holds(),
            |s, q| {
                let scale = 8.0
                    * (0..s.signal()).map(|p| s.sigma_squared[p] * s.kappa_squared[p]).sum::<f64>()
                    * s.signal() as f64
                    / q.square.lo();
                all_of((0..s.signal()).flat_map(|p| {
                    let (norm, inner) = q.printed[p];
                    [
                        (
                            format!("κ²_{}", p + 1),
                            equal(q.velocity.a[p], norm).on_scale_of("the terms before they cancel", scale),
                        ),
                        (
                            format!("κ̂²_{}", p + 1),
                            equal(q.velocity.h[p], inner).on_scale_of("the terms before they cancel", scale),
                        ),
                    ]
                }))
            },
        )
        .checked("ren2023.Noiseless.lemma_a7_printed")
}

fn steps(setting: Setting<DiagonalStart, ProductForms>) -> Setting<DiagonalStart, ProductForms> {
    setting
        .step("s1", "S_A = S_B = S̄ at every z⁺", holds(), |_, q| one_value(&q.enumeration, q.rest))
        .sides("1 − S_A (part S_A), or 1 − S_B (part S_B)", "1 − S̄")
        .checked("ren2023.Noiseless.lemma_a7_s1")
        .step(
            "s2",
            "E_{z⁻}e^{τ²⟨f_A⁺,f_B⁻⟩} = ∏cosh x_p for every z⁺, z⁻ uniform on {±1/√r}^r",
            holds(),
            |s, q| {
                let product: Interval = q.tilts.iter().map(|(_, x)| (x.exp() + (-*x).exp()) * 0.5).product();
                let n = q.enumeration.states();
                all_of((0..n).map(|i| {
                    let mean: Interval = (0..n).map(|j| (q.enumeration.similarity(i, j) * s.tau_squared).exp()).sum();
                    (format!("z = {i}"), equal(mean / n as f64, product))
                }))
            },
        )
        .checked("ren2023.Noiseless.lemma_a7_s2")
        .step("s3", "rE[w_A z_s⁻z_p⁺] = δ_psT_p for all p, s, the mean over z⁺ and z⁻", holds(), |s, q| {
            all_of(pairs(0..s.signal(), 0..s.signal()).map(|(a, b)| {
                let expected = if a == b { q.tilts[b].0 } else { Interval::ZERO };
                (format!("s = {}, p = {}", a + 1, b + 1), equal(moment(&q.enumeration, a, b), expected).on_unit_scale())
            }))
        })
        .checked("ren2023.Noiseless.lemma_a7_s3")
        .step(
            "s4",
            "Q_1 = 2(1−S̄)(I − diag T), Q_0 = 2(1−S̄)Σ_sκ̂_s²(1−T_s)/‖κ‖²",
            holds(),
            |s, q| {
                let (r, twice) = (s.signal(), q.rest * 2.0);
                let entry = |i: usize, j: usize| {
                    if i == j { twice * (Interval::ONE - q.tilts[i].0) } else { Interval::ZERO }
                };
                let scalar: Interval =
                    s.kappa_hat::<Interval>().iter().zip(&q.tilts).map(|(&h, t)| h * (Interval::ONE - t.0)).sum();
                let first = (0..r * r).map(|k| {
                    let (i, j) = (k / r, k % r);
                    (
                        format!("Q_1 ({}, {})", i + 1, j + 1),
                        equal(q.selection.matrix.at(i, j), entry(i, j))
                            .on_scale_of("the terms before they cancel", 2.0),
                    )
                });
                let last = equal(q.selection.scalar, twice * scalar / q.square / r as f64)
                    .on_scale_of("the terms before they cancel", 2.0);
                all_of(first.chain([("Q_0".to_owned(), last)]))
            },
        )
        .checked("ren2023.Noiseless.lemma_a7_s4")
        .step(
            "s5",
            "K̇_A = (2(1−S̄)/N²)(K_B(I−diag T) − (Σ_sκ̂_s²(1−T_s)/‖κ‖²)K_A)D_σ",
            holds(),
            |s, q| {
                let (r, rate) = (s.signal(), q.rest * 2.0 / q.square);
                let scalar: Interval =
                    s.kappa_hat::<Interval>().iter().zip(&q.tilts).map(|(&h, t)| h * (Interval::ONE - t.0)).sum();
                let mean = scalar / q.square / r as f64;
                let expected = |i: usize, p: usize| -> Interval {
                    let strength = rate * s.sigma_squared[p];
                    if i == p {
                        -(strength * mean)
                    } else if i == r + p {
                        strength * (Interval::ONE - q.tilts[p].0)
                    } else {
                        Interval::ZERO
                    }
                };
                let scale = 2.0 * s.sigma_squared.iter().sum::<f64>() / q.square.lo();
                // Column p of K̇_A is a combination of the columns of K_A, 1 to r, and of K_B, r + 1 to 2r.
                for_each_index("coefficient", pairs(0..2 * r, 0..r), |(i, p)| {
                    equal(q.rates.at(i, p), expected(i, p)).on_scale_of("the terms before they cancel", scale)
                })
            },
        )
        .checked("ren2023.Noiseless.lemma_a7_s5")
        .step(
            "s6",
            "flipping one coordinate of z⁺ and z⁻ together leaves the exponent τ²⟨f_A⁺,f_B⁻⟩ as it is",
            holds(),
            |s, q| {
                let (e, n) = (&q.enumeration, q.enumeration.states());
                let scale = q.cross.entries().iter().map(|x| x.magnitude()).sum::<f64>();
                all_of((0..n * n * s.signal()).map(|k| {
                    let (i, j, flip) = (k / s.signal() / n, k / s.signal() % n, 1usize << (k % s.signal()));
                    (
                        format!("states ({}, {})", i + 1, j + 1),
                        equal(e.similarity(i ^ flip, j ^ flip), e.similarity(i, j))
                            .on_scale_of("the terms before they cancel", scale),
                    )
                }))
            },
        )
        .checked("ren2023.Noiseless.lemma_a7_s6")
}

fn controls(setting: Setting<DiagonalStart, ProductForms>) -> Setting<DiagonalStart, ProductForms> {
    setting
        .control(
            "n1",
            "S_A = S_B, and the same at every z⁺, whatever M is: 0.3 added to each entry next to its diagonal, on the \
             right",
            |_, q| one_value(&q.crooked, q.crooked.rest_a(0, 0)),
        )
        .sides("1 − S_A (part S_A), or 1 − S_B (part S_B)", "1 − S_A at z⁺ = (1, …, 1)/√r")
        .control("n2", "rE[w_A z_p⁻z_p⁺] = tanh(τ²κ̂_p²/N²), without r", |s, q| {
            let without = |p: usize| (q.tilts[p].1 * s.signal() as f64).tanh();
            for_each_index("p =", 0..s.signal(), |p| equal(moment(&q.enumeration, p, p), without(p)).on_unit_scale())
        })
        .control("n3", "rE[w_A z_s⁻z_p⁺] = T_p for s ≠ p too", |s, q| {
            all_of(pairs(0..s.signal(), 0..s.signal()).map(|(a, b)| {
                (
                    format!("s = {}, p = {}", a + 1, b + 1),
                    equal(moment(&q.enumeration, a, b), q.tilts[b].0).on_unit_scale(),
                )
            }))
        })
}
