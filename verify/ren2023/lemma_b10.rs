//! Lemma B.10: convergence of the alignment, dρ_p/dt = (c_Kσ_p²/(N_AN_B))(a + 1/a)(1 − ρ_p²) + O(τ²) with a =
//! ‖[K_A]_p‖/‖[K_B]_p‖.
//!
//! An identity at τ = 0 for every Gram matrix: both directions turn towards each other, and the radial parts drop out
//! of the cosine. a + 1/a ≥ 2 gives the two rates, so unequal norms only help. On diagonal states a stronger statement
//! needs no small τ: ρ̇_p = (σ_p² q_p/(N_AN_B))(a + 1/a)(1 − ρ_p²) with q_p = 2(1−S̄)(1 − tanh x_p) > 0, so that
//! alignment grows at every temperature.

use evidence::prelude::*;
use two_view::View;

use crate::shared::diagonal_motion::DiagonalMotion;
use crate::shared::diagonal_points::{DIAGONAL, DiagonalPoint, point, points};
use crate::shared::hypotheses::{over_learning_states, over_orthogonal_learning_states};
use crate::shared::learning_motion::LearningMotion;
use crate::shared::learning_states::LearningState;
use crate::shared::notation::{
    AGREEMENT, DATA, EXTREME_STRENGTHS, FEATURES, H_ORTH, KAPPA, KAPPA_HAT, LOSS, LOSS_WITHOUT_NEGATIVES, MOTION,
    NORMALISER, OUTPUTS, REMAINDER, RHO, SIZES, SPEED,
};

/// What the sides are differences of.
const SUMMANDS: &str = "the largest summands of the rate";

/// The rate of ρ_p, and what it can be compared with.
struct Turn {
    rate: Interval,
    correlation: Interval,
    /// c_Kσ_p²/(N_AN_B).
    pull: Interval,
    /// a + 1/a.
    ratios: Interval,
    scale: f64,
    error: Interval,
    /// e(τ²B).
    selection: Interval,
}

impl Turn {
    fn of(m: &LearningMotion, p: usize, tau_squared: f64) -> Self {
        let (a, b) = ((View::A, p), (View::B, p));
        let ratio = m.norm(a) / m.norm(b);
        Turn {
            rate: m.cosine_rate(a, b),
            correlation: m.correlation(p),
            pull: m.pull(p),
            ratios: ratio + 1.0 / ratio,
            scale: m.pace(a) + m.pace(b),
            error: m.tangential_error(a, tau_squared) + m.tangential_error(b, tau_squared),
            selection: m.selection_error(tau_squared),
        }
    }

    fn all(m: &LearningMotion, tau_squared: f64) -> Vec<Turn> {
        (0..m.signal()).map(|p| Turn::of(m, p, tau_squared)).collect()
    }

    /// (c_Kσ_p²/(N_AN_B))(a + 1/a)(1 − ρ_p²).
    fn predicted(&self) -> Interval {
        self.pull * self.ratios * (1.0 - self.correlation.square())
    }
}

fn each(turns: &[Turn], check: impl Fn(&Turn) -> Evaluation) -> Evaluation {
    for_each_index("p =", 0..turns.len(), |p| check(&turns[p]).on_scale_of(SUMMANDS, turns[p].scale))
}

/// Whether some ρ_p of the state is such.
fn some_correlation(s: &LearningState, such: impl Fn(Interval) -> bool) -> bool {
    let gram = s.gram::<Interval>();
    gram.is_ok_and(|g| (0..s.signal).any(|p| such(g.correlation(p))))
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-b10", "convergence of the alignment", Kind::Dynamics)
        .statement(
            "dρ_p/dt = (c_Kσ_p²/(N_AN_B))(a + 1/a)(1 − ρ_p²) + O(τ²), a = ‖[K_A]_p‖/‖[K_B]_p‖; so at τ = 0 d(1 − \
             ρ_p)/dt ≤ −(2c_Kσ_p²/(N_AN_B))(1 − ρ_p) once ρ_p ≥ 0",
        )
        .reconstructed("the displayed rate; the title and the use made of it in (12) survive")
        .source("Lemma B.10", &["Section B.2"])
        .symbols([SIZES, DATA, H_ORTH, FEATURES, NORMALISER, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, AGREEMENT])
        .symbol("κ", KAPPA.meaning)
        .symbols([KAPPA_HAT, RHO, SPEED, EXTREME_STRENGTHS])
        .symbol("ρ̇", MOTION)
        .symbols([REMAINDER])
        .symbol("pace", "4 max(σ_max², σ_ξ²r/q)(1/N_A² + 1/N_B² + max_p(a + 1/a)/(N_AN_B))")
        .symbol(
            "t_A",
            "t_A = σ_p²e(τ²B)√r Σ_j √v_j‖x_j‖/(N_AN_B‖[K_A]_p‖) with the columns x_j of [K_B | K_{B,ξ}]; t_B with the \
             views exchanged",
        )
        .symbol("q_p", "2(1−S̄)(1−T_p), S̄ = e^{Σx_p}/(e^{Σx_p} + K∏cosh x_p), T_p = tanh x_p, x_p = τ²κ̂_p²/(rN_AN_B)")
        .symbol("a +", "a = ‖[K_A]_p‖/‖[K_B]_p‖")
        .remark(
            "True at every width without (11). The remainder is at most the sum of the two tangential remainders of \
             Corollary B.8. With equal norms of the views artanh ρ_p grows at the rate 2c_Kσ_p²/N² exactly, so that \
             only ρ_p(0) = −1 does not converge.",
        )
        .setting(printed())
        .setting(zero())
        .setting(all_temperatures())
}

fn printed() -> Setting<LearningState, Vec<Turn>> {
    over_orthogonal_learning_states(Setting::measuring(|s: &LearningState, _| {
        Ok(Turn::all(&LearningMotion::warm(s)?, s.tau_squared))
    }))
    .without_search()
    .part(
        "printed",
        "|dρ_p/dt − (c_Kσ_p²/(N_AN_B))(a + 1/a)(1 − ρ_p²)| ≤ t_A + t_B, t = σ_p²e(τ²B)√r Σ_j √v_j‖x_j‖/(N_AN_B‖[K]_p‖) \
         over the columns x_j of the other view (t_A and t_B), for every p",
        holds(),
        |_, turns| each(turns, |t| at_most((t.rate - t.predicted()).abs(), t.error)),
    )
    .our_constant("the explicit multiple: the words name an order only")
    .control("fourth", "the remainder is O(τ⁴): at most e(τ²B) times what is allowed", |_, turns| {
        each(turns, |t| at_most((t.rate - t.predicted()).abs(), t.error * t.selection))
    })
    .control("warm-exact", "the identity without remainder at every temperature", |_, turns| {
        each(turns, |t| equal(t.rate, t.predicted()))
    })
}

fn zero() -> Setting<LearningState, Vec<Turn>> {
    over_learning_states(Setting::measuring(|s: &LearningState, _| Ok(Turn::all(&LearningMotion::cold(s)?, 0.0))))
        .given("τ = 0, whatever the τ² of the instance")
        .without_search()
        .part("zero", "at τ = 0, dρ_p/dt = (c_Kσ_p²/(N_AN_B))(a + 1/a)(1 − ρ_p²)", holds(), |_, turns| {
            each(turns, |t| equal(t.rate, t.predicted()))
        })
        .checked("ren2023.ColdFlow.lemma_b10_zero")
        .part("lower", "at τ = 0, ρ̇_p ≥ (2c_Kσ_p²/(N_AN_B))(1 − ρ_p²)", holds(), |_, turns| {
            each(turns, |t| at_least(t.rate, 2.0 * t.pull * (1.0 - t.correlation.square())))
        })
        .checked("ren2023.ColdFlow.lemma_b10_lower")
        .part(
            "linear",
            "at τ = 0, d(1 − ρ_p)/dt ≤ −(2c_Kσ_p²/(N_AN_B))(1 − ρ_p) once ρ_p ≥ 0",
            holds(),
            |_, turns| {
                let aligned = turns.iter().enumerate().filter(|(_, t)| t.correlation.lo() >= 0.0);
                all_of(aligned.map(|(p, t)| {
                    let check = at_most(-t.rate, -(2.0 * t.pull * (1.0 - t.correlation)));
                    (format!("p = {}", p + 1), check.on_scale_of(SUMMANDS, t.scale))
                }))
            },
        )
        .checked("ren2023.ColdFlow.lemma_b10_linear")
        .assume(Hypothesis::new("some ρ_p ≥ 0", |s| some_correlation(s, |rho| rho.lo() >= 0.0)))
        .step("s1", "a + 1/a ≥ 2", holds(), |_, turns| each(turns, |t| at_least(t.ratios, 2)))
        .checked("ren2023.Cosines.lemma_b10_s1")
        .control("n2", "d(1 − ρ_p)/dt ≤ −(4c_Kσ_p²/(N_AN_B))(1 − ρ_p) from ρ_p ≥ 0 on", |_, turns| {
            let aligned = turns.iter().filter(|t| t.correlation.lo() >= 0.0);
            all_of(aligned.map(|t| ("a direction", at_most(-t.rate, -(4.0 * t.pull * (1.0 - t.correlation))))))
        })
        .assume(Hypothesis::new("some ρ_p ≥ 0", |s| some_correlation(s, |rho| rho.lo() >= 0.0)))
        .control("early", "the linear rate also for ρ_p < 0", |_, turns| {
            each(turns, |t| at_most(-t.rate, -(2.0 * t.pull * (1.0 - t.correlation))))
        })
        .control("factor", "c_K one per cent larger", |_, turns| each(turns, |t| equal(t.rate, 1.01 * t.predicted())))
}

fn all_temperatures() -> Setting<DiagonalPoint, (DiagonalMotion, DiagonalMotion)> {
    Setting::measuring(|p: &DiagonalPoint, _| {
        let warm = DiagonalMotion::at(p, p.tau_squared)?;
        Ok((warm, DiagonalMotion::cold(p)?))
    })
    .given(DIAGONAL)
    .assume(Hypothesis::new("ρ_p < 1 for some p", |p| p.directions.iter().any(|d| d.correlation < 1.0)))
    .family(points())
    .family(edge("opposed views", || {
        vec![
            ("ρ = (−1, ½)", point(&[[2.0, 1.0, -1.0, 0.0], [1.0, 2.0, 0.5, 0.0]], None)),
            (
                "ρ = (−1, 0), unequal norms, with noise",
                point(&[[1.0, 2.0, -1.0, 0.5], [3.0, 1.0, 0.0, -0.5]], Some((0.5, 0.25, 0.0, 3))),
            ),
        ]
    }))
    .sharpening(
        "all-temperatures",
        "on diagonal states ρ̇_p = (σ_p² q_p/(N_AN_B))(a + 1/a)(1 − ρ_p²) at every τ² ≥ 0, so that ρ_p never falls",
        holds(),
        |p, (m, _)| {
            all_of(m.directions().flat_map(|k| {
                let u = Interval::point(p.directions[k].log_ratio) * 0.5;
                let skew = u.exp() + (-u).exp();
                let one = 1.0 - Interval::point(p.directions[k].correlation).square();
                let right = m.strength(k) * m.pulls[k] / m.both * skew * one;
                [
                    (
                        format!("identity, p = {}", k + 1),
                        equal(m.correlation_rate(k), right).on_scale_of("the pace", m.pace()),
                    ),
                    (format!("sign, p = {}", k + 1), at_least(right, 0)),
                ]
            }))
        },
    )
    .control("n1", "the rate with σ_max² for every p", |p, (_, m)| {
        let strongest = p.extreme_strengths().0;
        for_each_index("p =", m.directions(), |k| {
            let right = 2.0 * m.factor * strongest / m.both * (1.0 - m.correlation(k).square());
            at_least(m.correlation_rate(k), right)
        })
    })
    .control("n3", "alignment grows from every start, at 1e-9 of the pace at least", |_, (_, m)| {
        for_each_index("p =", m.directions(), |k| at_least(m.correlation_rate(k), exact(1e-9) * m.pace()))
    })
    .assume(Hypothesis::new("some ρ_p = −1", |p| p.directions.iter().any(|d| d.correlation == -1.0)))
}
