//! Corollary B.7: in Stage 1 a signal column of view A has d‖[K_A]_p‖²/dt = 2c_Kσ_p²(κ̂_p²/(N_AN_B) −
//! Ψ‖[K_A]_p‖²/N_A²) + O(τ²), a noise column d‖[K_{A,ξ}]_k‖²/dt = −2c_Kσ_ξ²(r/q)Ψ‖[K_{A,ξ}]_k‖²/N_A² + O(τ²), and the
//! same with A and B exchanged.
//!
//! True for every Gram matrix, so at every width; the near-orthogonality (11) is not used. At τ = 0 both are
//! identities, and the remainder has an explicit bound at every temperature: with e(b) = 2b + c_K(e^{2b} − 1), b =
//! τ²B, |remainder| ≤ 2σ² e(b) ( r √v_p Σ_j √v_j |⟨x, x'_j⟩|/(N_AN_B) + r v_p B ‖x‖²/N² ).

use evidence::prelude::*;
use two_view::View;

use crate::shared::hypotheses::{over_learning_states, over_orthogonal_learning_states};
use crate::shared::learning_motion::{Column, LearningMotion};
use crate::shared::learning_states::LearningState;
use crate::shared::notation::{
    AGREEMENT, COLUMN, DATA, FEATURES, H_ORTH, KAPPA, KAPPA_HAT, LOSS, LOSS_WITHOUT_NEGATIVES, MOTION, NORMALISER,
    NORMALISER_BOTH, OUTPUTS, SIMILARITY, SIZES, SPEED,
};

/// The right side at τ = 0, with this square in the place of N_A² and this share in the place of r/q.
fn predicted_with(m: &LearningMotion, x: Column, square: Interval, share: Interval) -> Interval {
    let rate = 2.0 * m.factor() * m.strength(x.1);
    let shrunk = m.agreement * m.squared_norm(x) / square;
    if x.1 < m.signal() { rate * (m.inner(x, (x.0.other(), x.1)) / m.both - shrunk) } else { -(rate * share * shrunk) }
}

fn predicted(m: &LearningMotion, x: Column) -> Interval {
    predicted_with(m, x, m.square(x.0), m.signal_share(x.1))
}

fn named_column(x: Column) -> String {
    format!("column {} of view {:?}", x.1 + 1, x.0)
}

fn agrees(m: &LearningMotion, columns: Vec<Column>, right: impl Fn(Column) -> Interval) -> Evaluation {
    all_of(columns.into_iter().map(|x| {
        let scale = m.pace(x) * m.squared_norm(x).magnitude();
        (named_column(x), equal(m.squared_norm_rate(x), right(x)).on_scale_of("the terms before they cancel", scale))
    }))
}

const WITH_NOISE: Hypothesis<LearningState> = Hypothesis::new("q ≥ 1", |s| s.latents() > s.signal);

pub fn claim() -> Claim {
    Claim::new("ren2023.cor-b7", "radial dynamics in Stage 1", Kind::Dynamics)
        .statement(
            "d‖[K_A]_p‖²/dt = 2c_Kσ_p²(κ̂_p²/(N_AN_B) − Ψ‖[K_A]_p‖²/N_A²) + O(τ²) and d‖[K_{A,ξ}]_k‖²/dt = \
             −2c_Kσ_ξ²(r/q)Ψ‖[K_{A,ξ}]_k‖²/N_A² + O(τ²), c_K = 2K/(1+K); the same for B",
        )
        .source("Corollary B.7", &["Section B.1"])
        .symbols([
            SIZES, DATA, H_ORTH, FEATURES, NORMALISER, NORMALISER_BOTH, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES,
            AGREEMENT,
        ])
        .symbol("κ", KAPPA.meaning)
        .symbols([KAPPA_HAT, SPEED])
        .symbol("/dt", MOTION)
        .symbols([SIMILARITY, COLUMN])
        .reconstructed("the formulas and the size of the remainder; O(τ²) is ours")
        .remark(
            "True at every width and without (11): at τ = 0 both lines are identities. The remainder is bounded \
             explicitly by 2σ² e(τ²B)(r√v_p Σ_j √v_j |⟨x, x'_j⟩|/(N_AN_B) + r v_p B‖x‖²/N²), B = Σ√(v_iv_j)|C_ij|, \
             e(b) = 2b + c_K(e^{2b} − 1), at every temperature: S differs from 1/(1+K) by at most b/2 and a tilt from \
             1 by at most e^{2b} − 1.",
        )
        .setting(printed())
        .setting(zero())
        .setting(shrink())
}

fn printed() -> Setting<LearningState, LearningMotion> {
    over_orthogonal_learning_states(Setting::measuring(|s: &LearningState, _| Ok(LearningMotion::warm(s)?)))
        .without_search()
        .part(
            "printed",
            "at every τ², for every column x the line of the statement that is its own (signal or noise), O(τ²) left \
             out, holds up to 2σ² e(τ²B)(r√v Σ_j √v_j |⟨x, x'_j⟩|/(N_AN_B) + r v B‖x‖²/N²) = O(τ²), e(b) = 2b + \
             c_K(e^{2b} − 1), B = Σ√(v_iv_j)|C_ij|, v = 1/r or 1/q the variance of the column's latent, x'_j the \
             columns of the other view",
            holds(),
            |s, m| {
                all_of(m.columns().into_iter().map(|x| {
                    let remainder = (m.squared_norm_rate(x) - predicted(m, x)).abs();
                    let allowed = m.radial_error(x, s.tau_squared) * m.squared_norm(x);
                    let scale = m.pace(x) * m.squared_norm(x).magnitude();
                    (named_column(x), at_most(remainder, allowed).on_scale_of("the terms before they cancel", scale))
                }))
            },
        )
        .our_constant("the explicit multiple: the words name an order only")
        .control("fourth", "the remainder is O(τ⁴): at most τ²B times the bound", |s, m| {
            all_of(m.columns().into_iter().map(|x| {
                let remainder = (m.squared_norm_rate(x) - predicted(m, x)).abs();
                let allowed = m.radial_error(x, s.tau_squared) * m.squared_norm(x);
                (named_column(x), at_most(remainder, allowed * m.largest_similarity() * s.tau_squared))
            }))
        })
        .constant(
            "remainder",
            "share of the allowed remainder that is used where τ² ≥ 1/1000",
            "1",
            |s| (s.tau_squared >= 1e-3).then(|| format!("q = {}", s.latents() - s.signal)),
            |s, m| {
                let share = |x: Column| {
                    let allowed = m.radial_error(x, s.tau_squared) * m.squared_norm(x);
                    (allowed.lo() > 1e-9).then(|| (m.squared_norm_rate(x) - predicted(m, x)).abs() / allowed)
                };
                m.columns().into_iter().filter_map(share).reduce(Interval::max).map(Into::into)
            },
        )
}

fn zero() -> Setting<LearningState, LearningMotion> {
    over_orthogonal_learning_states(Setting::measuring(|s: &LearningState, _| Ok(LearningMotion::cold(s)?)))
        .without_search()
        .ours(
            "zero",
            "at τ = 0 both lines of the statement, and those of B, are equations without O(τ²), at every width",
            holds(),
            |_, m| agrees(m, m.columns(), |x| predicted(m, x)),
        )
        .checked("ren2023.StageOne.cor_b7_zero")
        .control("n1", "N_AN_B in place of N_A² in the second term", |_, m| {
            agrees(m, m.signal_columns(), |x| predicted_with(m, x, m.both, m.signal_share(x.1)))
        })
        .control("n2", "r/q dropped", |_, m| {
            agrees(m, m.noise_columns(), |x| predicted_with(m, x, m.square(x.0), Interval::ONE))
        })
        .assume(WITH_NOISE)
        .control("n3", "noise columns never grow", |_, m| {
            all_of(m.noise_columns().into_iter().map(|x| (named_column(x), at_most(m.squared_norm_rate(x), 0))))
        })
        .assume(WITH_NOISE)
        .control("factor", "c_K one per cent larger", |_, m| agrees(m, m.columns(), |x| 1.01 * predicted(m, x)))
}

fn shrink() -> Setting<LearningState, LearningMotion> {
    over_learning_states(Setting::measuring(|s: &LearningState, _| Ok(LearningMotion::cold(s)?)))
        .assume(Hypothesis::new("Ψ ≥ 0", |s| {
            s.gram::<Interval>().and_then(|g| g.agreement()).is_ok_and(|a| a.lo() >= 0.0)
        }))
        .sharpening(
            "shrink",
            "at τ = 0 no noise column of either view grows when Ψ ≥ 0: d‖[K_{A,ξ}]_k‖²/dt ≤ 0 and d‖[K_{B,ξ}]_k‖²/dt ≤ \
             0 for every k",
            holds(),
            |_, m| {
                let noises = m.noise_columns().into_iter();
                all_of(noises.map(|x| {
                    let scale = m.pace(x) * m.squared_norm(x).magnitude();
                    (
                        named_column(x),
                        at_most(m.squared_norm_rate(x), 0).on_scale_of("the terms before they cancel", scale),
                    )
                }))
            },
        )
        .checked("ren2023.StageOne.cor_b7_shrink")
        .assume(WITH_NOISE)
        .control("a-signal", "no signal column grows when Ψ ≥ 0", |_, m| {
            let signals = (0..m.signal()).map(|p| (View::A, p));
            all_of(signals.map(|x| (named_column(x), at_most(m.squared_norm_rate(x), 0))))
        })
}
