//! Lemma 5.2: the comparison lemma of the main text (Lemma B.2), and the use that Section 5.3 makes of it.
//!
//! True; see Lemma B.2 for the solution and the slack. In its use X = 1 − min ρ and Y = κ_p²/κ_s², with A =
//! 2c_Kσ_min²/N²: without noise and from ρ(0) ≥ 0 the flow obeys X' ≤ −AX and |Y'| ≤ sAXY, so log Y grows by at most
//! s X_0, as the text concludes.
//!
//! With noise the text takes X as the larger of 1 − min ρ and the noise ratio. Then X' ≤ −AX is false for this A, and
//! so is the conclusion: for σ² = (2, 1), σ_ξ² = 1, r = 2 and growing d the ratio κ_1²/κ_2² grows from κ² = σ²
//! (infinite width), ρ = 0, by the factor √(2d)(1 + o(1)), to 2√(2d)(1 + o(1)), whereas s = 2 and X_0 = 1 stay fixed.
//! From κ² = (1, 1), ρ = 0 and squared noise norms 1 it ends at 2√d(1 + o(1)).

use enclosures::vectors::minus;
use evidence::claim::edge_over;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;

use crate::shared::comparison_lemma::{PROCESS, Process, Solution, negative, solve};
use crate::shared::comparison_lemma::{bounded_with_slack, exact_growth, with_false_bounds};
use crate::shared::equal_norm_families::{state_families, wide_families};
use crate::shared::equal_norms::{EqualNorms, log_condition};
use crate::shared::hypotheses::over_equal_norms;
use crate::shared::notation::{
    AGREEMENT, DATA, EXTREME_STRENGTHS, FEATURES, H_ORTH, INTEGRAL, KAPPA, LOSS, LOSS_WITHOUT_NEGATIVES, MOTION,
    NOISE_SHARE, NORMALISER_BOTH, OUTPUTS, RHO, SIZES, SPEED, SPREAD, WEIGHT_NORM,
};

/// The two coupled quantities of a simulated Stage 1, at the start, at its clock and in the limit.
struct Coupled {
    /// s = σ_max²/σ_min².
    ratio: Interval,
    /// X_0 = 1 − min ρ(0), or the noise ratio max n_k/κ_p² if that is larger.
    progress_start: Interval,
    alignment: [Interval; 2],
    /// log X at the clock with the noise ratio counted.
    log_noise_ratio: Interval,
    /// The largest |log(Y/Y_0)| over all pairs.
    growth: Interval,
    /// ∫A dt = σ_min²θ.
    integral: Interval,
}

fn couple(s: &EqualNorms) -> Result<Coupled, MeasureError> {
    let flow = s.flow()?;
    let (start, at) = (flow.at(0.0)?, flow.at(s.clock)?);
    let change = |logs: &[Interval]| minus(logs, &start.log_kappa_squared);
    let end = flow.limit().map_or(Interval::ZERO, |l| log_condition(&change(&l)));
    let least = |c: &[Interval]| 1.0 - c.iter().copied().fold(Interval::ONE, Interval::min);
    let weakest = |logs: &[Interval]| logs.iter().copied().reduce(Interval::min).unwrap_or(Interval::ENTIRE);
    let noise = |state: &two_view::PositivePairsState| state.log_noise.map(|n| n - weakest(&state.log_kappa_squared));
    let alignment = [least(&start.correlation), least(&at.correlation)];
    Ok(Coupled {
        ratio: Interval::point(s.strongest()) / s.weakest(),
        progress_start: noise(&start).map_or(alignment[0], |n| alignment[0].max(n.exp())),
        alignment,
        log_noise_ratio: noise(&at).unwrap_or(Interval::point(-1e300)),
        growth: log_condition(&change(&at.log_kappa_squared)).max(end),
        integral: s.weakest() * Interval::point(s.clock),
    })
}

const WITHOUT_NOISE: Hypothesis<EqualNorms> = Hypothesis::new("q = 0", |s| s.noise.is_none());
const WITH_NOISE: Hypothesis<EqualNorms> = Hypothesis::new("q ≥ 1", |s| s.noise.is_some());

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-5.2", "the comparison lemma in the main text", Kind::Dynamics)
        .statement("X' = −A_t X, Y' = A_t X Y with A_t > 0 and X_0, Y_0 > 0 implies Y_T ≤ Y_0 exp(X_0) for every T ≥ 0")
        .source("Lemma 5.2", &["Section 5.3", "identical to Lemma B.2"])
        .symbols([
            SIZES, DATA, H_ORTH, FEATURES, NORMALISER_BOTH, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, AGREEMENT, KAPPA,
            RHO, SPEED, NOISE_SHARE, SPREAD, EXTREME_STRENGTHS, WEIGHT_NORM,
        ])
        .symbol("flow of L", MOTION)
        .symbols([INTEGRAL])
        .reconstructed("the formulas; they are derived from the proof in the appendix, whose words survive")
        .remark(
            "The use in Section 5.3 is checked on flows of the positive pairs from equal norms in both views and ρ_p ≥ \
             0, infinite width among them: sound without noise (log-growth ≤ s X_0; Lemma B.12 has the sharp factor). \
             If noise is present, its ratio decays at a rate set by σ_ξ²r/q and not by σ_min², and the growth of the \
             condition number is not bounded by a function of s and X_0: for σ² = (2, 1), σ_ξ² = 1, r = 2, from κ² = \
             σ² (infinite width), ρ = 0, cond(κ²) grows by the factor √(2d), up to 1 + o(1).",
        )
        .setting(printed())
        .setting(use_progress())
}

fn printed() -> Setting<Process, Solution> {
    with_false_bounds(
        Setting::measuring(|p: &Process, _| Ok(solve(p)))
            .given(PROCESS)
            .assume(Hypothesis::new("X_0 ≥ 0", |p| p.x0 >= 0.0))
            .assume(Hypothesis::new("A ≥ 0", |p| p.pieces.iter().all(|[_, a, ..]| *a >= 0.0)))
            .family(outside("X_0, C or A negative", negative))
            .family(edge("named", || {
                let of = |x0: f64, coupling: f64, pieces: &[[f64; 4]]| Process {
                    pieces: pieces.to_vec(),
                    x0,
                    log_y0: 0.0,
                    coupling,
                };
                vec![
                    ("at T = 0", of(1.0, 1.0, &[])),
                    ("one long piece", of(1.0, 1.0, &[[10.0, 1.0, 0.0, 0.0]])),
                    ("T = 5", of(1.0, 2.0, &[[5.0, 1.0, 0.0, 0.0]])),
                    ("large X_0", of(50.0, 1.0, &[[0.01, 10.0, 0.0, 0.0], [5.0, 0.1, 0.0, 0.0]])),
                    ("tiny X_0", of(1e-6, 20.0, &[[1.0, 2.0, 0.0, 0.0], [2.0, 0.5, 0.0, 0.0]])),
                    ("slack", of(1.0, 3.0, &[[1.0, 1.0, 0.5, 0.5], [2.0, 3.0, 0.0, 1.0]])),
                ]
            }))
            .family(random("piecewise rates", || {
                let piece = (0.0..3.0f64, 0.0..5.0f64, 0.0..1.0f64, 0.0..1.0f64).prop_map(|(t, a, x, y)| [t, a, x, y]);
                (vec(piece, 0..6), 0.001..20.0f64, 0.0..4.0f64).prop_map(|(pieces, x0, coupling)| Process {
                    pieces,
                    x0,
                    log_y0: 0.0,
                    coupling,
                })
            }))
            .part("printed", "log Y_T ≤ log Y_0 + X_0", holds(), |p, s| {
                at_most(s.growth, exact(p.x0)).with_margin(p.x0 - s.growth).on_scale_of("X_0", p.x0)
            })
            .ours("inequality", "X' ≤ −AX, Y' ≤ CAXY implies log Y_T ≤ log Y_0 + C X_0", holds(), bounded_with_slack)
            .assume(Hypothesis::new("C ≥ 0", |p| p.coupling >= 0.0))
            .because("the form that the proofs use")
            .sharpening("strict", "log Y_T = log Y_0 + X_0(1 − e^{−∫A})", holds(), exact_growth),
    )
}

fn use_progress() -> Setting<EqualNorms, Coupled> {
    over_equal_norms(Setting::measuring(|s: &EqualNorms, _| couple(s)))
        .assume(Hypothesis::new("ρ_p(0) ≥ 0", |s| s.least_correlation() >= 0.0))
        .degenerate("one direction, or θ = 0", |s| s.signals.len() == 1 || s.clock == 0.0)
        .family(wide_families())
        .family(state_families())
        .family(edge_over("two signals, growing noise", "q", [18, 98, 998, 9998, 999_998], |q: u32| {
            EqualNorms::wide(&[(2.0, 1), (1.0, 1)], Some((1.0, q)), 1.0, 10.0)
        }))
        .step(
            "use-progress",
            "without noise X = 1 − min ρ obeys X' ≤ −AX with A = 2c_Kσ_min²/N²: X_T ≤ X_0 e^{−∫A}",
            holds(),
            |_, c| at_most(c.alignment[1], c.alignment[0] * (-c.integral).exp()).on_unit_scale(),
        )
        .assume(WITHOUT_NOISE)
        .step(
            "use-error",
            "without noise |log(Y_T/Y_0)| ≤ s X_0 for Y = κ_p²/κ_{p'}², every pair, at every T and in the limit T → ∞",
            holds(),
            |_, c| at_most(c.growth, c.ratio * c.progress_start).on_unit_scale(),
        )
        .assume(WITHOUT_NOISE)
        .step(
            "use-noise-progress",
            "with X the larger of 1 − min ρ and the noise ratio max_p n/κ_p², n = ‖[K_{A,ξ}]_k‖², and A = \
             2c_Kσ_min²/N²: log X_T ≤ log X_0 − ∫A, tried with the noise ratio at T, which is at most X_T, in its \
             place",
            fails("the noise ratio decays at a rate set by σ_ξ²r/q, not by σ_min²"),
            |_, c| at_most(c.log_noise_ratio, c.progress_start.ln() - c.integral),
        )
        .sides("log of the noise ratio at T", "log X_0 − ∫A")
        .assume(WITH_NOISE)
        .step(
            "use-noise-error",
            "with X the larger of 1 − min ρ and the noise ratio max_p n/κ_p², n = ‖[K_{A,ξ}]_k‖², and Y = \
             κ_p²/κ_{p'}², every pair, at every T and in the limit T → ∞: |log(Y_T/Y_0)| ≤ s X_0",
            fails(
                "σ² = (2, 1), σ_ξ² = 1, r = 2, from κ² = σ² (infinite width), ρ = 0: cond(κ²) grows from 2 to near \
                 2√(2d), while s = 2 and X_0 = 1",
            ),
            |_, c| at_most(c.growth, c.ratio * c.progress_start).on_unit_scale(),
        )
        .sides("largest |log(Y_T/Y_0)|, also T → ∞", "s X_0")
        .assume(WITH_NOISE)
}
