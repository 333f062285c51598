//! Section 2, on related work: the best that the model can do is to recover the latent vector up to a rotation.
//!
//! True, by a bound that is attained: L ≥ 2 log(1 + Ke^{−τ²}cosh(τ²/r)^r). Let M = K_AᵀK_B/(N_AN_B), so that Ψ = tr M/r, and Ψ ≤ 1 by Cauchy and
//! Schwarz. log(1 + Ke^x) is convex and increasing, so −E log S_A ≥ log(1 + Ke^g), g = E log E_{x_B⁻}e^{τ²⟨f_A⁺,f_B⁻⟩} − τ²Ψ. The noises have mean 0,
//! and by Jensen's inequality g only falls without them. Then E_{z⁻} is ∏_q cosh(τ²(Mᵀz)_q/√r), and (Mᵀz)_q is M_qq z_q plus a symmetric rest: the
//! mean of its logarithm is at least Σ_q log cosh(τ²M_qq/r). log cosh x − x is convex and falling. So the sum over q, at x = τ²M_qq/r, is at least r
//! times the value at τ²Ψ/r, and this is least at Ψ = 1. Equality needs Ψ = 1, hence K_A/N_A = K_B/N_B without noise, and M = I.

use enclosures::vectors::sum_of_squares;
use evidence::prelude::*;
use proptest::strategy::Strategy;
use two_view::{Balance, FeatureSelection, MatrixBlock, View};

use crate::shared::hypotheses::over_warm_models;
use crate::shared::notation::{BALANCE, COVARIANCE, LOSS, NORMALISER, OUTPUTS, SIZES};
use crate::shared::two_views::TwoViews;

/// A model's loss beside that of the best ones.
struct AgainstBest {
    loss: Enclosure,
    /// 2 log(1 + Ke^{−τ²}cosh(τ²/r)^r).
    least: Enclosure,
    /// 2 log(1 + Ke^{−τ²}cosh τ²), the loss where K_A = K_B learn one signal alone.
    one_signal: Enclosure,
    /// R1, R2, R3.
    balance: [Enclosure; 3],
}

/// 2 log(1 + Ke^{−τ²}cosh(τ²/parts)^parts).
fn loss_of(v: &TwoViews, parts: usize) -> Enclosure {
    let tau = exact(v.tau_squared);
    // e^{−x}cosh x = (1 + e^{−2x})/2 at x = τ²/parts.
    let share = (1.0 + (-(2.0 * tau / parts as f64)).exp()) / 2.0;
    2.0 * (exact(v.negatives) * share.powi(parts as i64)).ln_1p()
}

fn against_best(v: &TwoViews) -> Result<AgainstBest, MeasureError> {
    let state = v.features()?.gram();
    let balance = Balance::of(&state, View::A)?;
    Ok(AgainstBest {
        loss: FeatureSelection::of(&state, v.contrastive())?.loss.into(),
        least: loss_of(v, v.signal),
        one_signal: loss_of(v, 1),
        balance: balance.meanings().map(Into::into),
    })
}

/// ‖K_A/N_A − K_B/N_B‖_F² + ‖K_AᵀK_A/N_A² − I‖_F² + ‖K_{A,ξ}‖_F²/N_A² + ‖K_{B,ξ}‖_F²/N_B².
fn distance(v: &TwoViews) -> Result<Interval, MeasureError> {
    let (features, r, d) = (v.features()?, v.signal, v.signal + v.noise);
    let state = features.gram();
    let scaled = |view: View| -> Result<MatrixBlock<Interval>, MeasureError> {
        Ok(features.of_view(view).scaled(Interval::ONE / state.normaliser_squared(view)?.sqrt()))
    };
    let (a, b) = (scaled(View::A)?, scaled(View::B)?);
    let signal = a.columns_between(0, r);
    let views = signal.plus(&b.columns_between(0, r).scaled(-Interval::ONE))?;
    let identity = MatrixBlock::diagonal(&vec![Interval::ONE; r]);
    let orthonormal = signal.gram().plus(&identity.scaled(-Interval::ONE))?;
    let noises = [&a, &b].map(|f| f.columns_between(r, d).squared_norm());
    Ok(views.squared_norm() + sum_of_squares(orthonormal.entries()) + noises[0] + noises[1])
}

const RECOVERS: Hypothesis<TwoViews> = Hypothesis::new(
    "f_A = Uz = f_B with UᵀU = I, that is K_A/N_A = K_B/N_B = U and K_{A,ξ} = K_{B,ξ} = 0, each to 10⁻¹⁰ in ‖·‖_F",
    |v| distance(v).is_ok_and(|far| far.contains(0.0) && far.hi() < 1e-20),
);

const FAR: Hypothesis<TwoViews> = Hypothesis::new(
    "‖K_A/N_A − K_B/N_B‖_F² + ‖K_AᵀK_A/N_A² − I‖_F² + ‖K_{A,ξ}‖_F²/N_A² + ‖K_{B,ξ}‖_F²/N_B² ≥ 1/10, 1/10 ≤ τ² ≤ 10, K ≥ 1/100",
    |v| (0.1..=10.0).contains(&v.tau_squared) && v.negatives >= 0.01 && distance(v).is_ok_and(|far| far.lo() >= 0.1),
);

/// Rows of U times a number, U orthogonal with rational entries: r = 1 to 4 from whole numbers, none of them all zero.
fn rotation(r: usize, [a, b, c, d]: [i32; 4]) -> Vec<Vec<f64>> {
    let rows: Vec<Vec<i32>> = match r {
        1 => vec![vec![a]],
        2 => vec![vec![a, -b], vec![b, a]],
        // The matrix of a unit quaternion, times its squared length.
        3 => vec![
            vec![a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
            vec![2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)],
            vec![2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d],
        ],
        _ => vec![vec![a, -b, -c, -d], vec![b, a, -d, c], vec![c, d, a, -b], vec![d, -c, b, a]],
    };
    rows.into_iter().map(|row| row.into_iter().map(f64::from).collect()).collect()
}

/// A model that recovers z: both views have the same rotation, view B a third of its length.
fn recovering(r: usize, parts: [i32; 4], tau_squared: f64, negatives: f64) -> TwoViews {
    let rows = rotation(r, parts);
    let longer = rows.iter().map(|row| row.iter().map(|x| 3.0 * x).collect()).collect();
    TwoViews { weights: [longer, rows], ..TwoViews::plain(r, 0, &[], &[]).at(tau_squared, negatives) }
}

pub fn claim() -> Claim {
    Claim::new("ren2023.best-model", "the best the model can do", Kind::Inequality)
        .statement(
            "the best the model can do is to recover the latent vector up to a rotation, so that its outputs naturally span r \
             dimensions of the m",
        )
        .source("Section 2", &["the comparison with earlier work"])
        .symbols([SIZES, NORMALISER, OUTPUTS, LOSS, COVARIANCE, BALANCE])
        .symbol("U", "a real m × r matrix")
        .reconstructed("what is best, for which we take the least contrastive loss, and the sizes of the spaces")
        .remark("The paper has no proof of the sentence.")
        .setting(losses())
}

fn losses() -> Setting<TwoViews, AgainstBest> {
    over_warm_models(Setting::measuring(|v: &TwoViews, _| against_best(v)))
        .family(edge("models that recover z", || {
            let all = [
                (1, [1, 0, 0, 0], 1.0, 1.0),
                (2, [1, 0, 0, 0], 1.0, 2.0),
                (2, [3, 4, 0, 0], 0.1, 0.5),
                (3, [1, 0, 0, 0], 3.0, 1.0),
                (3, [1, 2, 3, 4], 1.0, 10.0),
                (4, [1, 1, 1, 1], 10.0, 1.0),
                (4, [1, 2, -1, 3], 30.0, 0.1),
            ];
            described(all.map(|(r, parts, tau, negatives)| recovering(r, parts, tau, negatives)))
        }))
        .family(random("turned models that recover z", || {
            let parts = (1..=9i32, -9..=9i32, -9..=9i32, -9..=9i32);
            (1usize..=4, parts, -4.0..3.0f64, -3.0..3.0f64).prop_map(|(r, (a, b, c, d), tau, negatives)| {
                let at = |log: f64| exact(log).exp().midpoint();
                recovering(r, [a, b, c, d], at(tau), at(negatives))
            })
        }))
        .part("least", "L ≥ 2 log(1 + Ke^{−τ²}cosh(τ²/r)^r)", holds(), |_, m| at_least(m.loss, m.least))
        .part("attained", "L = 2 log(1 + Ke^{−τ²}cosh(τ²/r)^r)", holds(), |_, m| equal(m.loss, m.least))
        .assume(RECOVERS)
        .part(
            "only",
            "L > 2 log(1 + Ke^{−τ²}cosh(τ²/r)^r) for a model that does not recover z up to a rotation",
            holds(),
            |_, m| less_than(m.least, m.loss),
        )
        .assume(FAR)
        .our_constant("the distance 1/10 from recovery, and the ranges of τ² and K")
        .part(
            "dimensions",
            "Σ_A has r equal eigenvalues and no others: ρ_B = r in all three meanings",
            holds(),
            |v, m| all_of([0, 1, 2].map(|k| (["R1", "R2", "R3"][k], equal(m.balance[k], Enclosure::from(v.signal))))),
        )
        .assume(RECOVERS)
        .control(
            "a",
            "no model is better than one that learns one signal alone: L ≥ 2 log(1 + Ke^{−τ²}cosh τ²)",
            |_, m| at_least(m.loss, m.one_signal),
        )
        .control(
            "b",
            "L ≥ 2 log(1 + K) − τ²K/(1 + K), half of what alignment gains at the first order in τ²",
            |v, m| {
                let k = exact(v.negatives);
                at_least(m.loss, 2.0 * k.ln_1p() - exact(v.tau_squared) * k / (1.0 + k))
            },
        )
        .control(
            "c",
            "every model with balanced outputs is best: L ≤ 2 log(1 + Ke^{−τ²}cosh(τ²/r)^r) where ρ_B ≥ r − 10⁻⁹",
            |_, m| at_most(m.loss, m.least),
        )
        .assume(Hypothesis::new("ρ_B ≥ r − 10⁻⁹ in the meaning R1, q = 0", |v: &TwoViews| {
            v.noise == 0 && against_best(v).is_ok_and(|m| m.balance[0].lo() >= v.signal as f64 - 1e-9)
        }))
}
