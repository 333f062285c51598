//! Lemma B.14: the norms of the noise columns of one view keep their ratios. At τ = 0 exactly, because the radial rate
//! −2c_Kσ_ξ²(r/q)Ψ/N² is the same for all; for τ > 0 up to O(τ²), and of second order in the cross terms.
//!
//! True, with an explicit remainder at every temperature. If the sign of ξ_k is flipped in the anchor, the logit of S_A
//! moves by at most 4τ²b_k and its tilts by factors e^{±4τ²b_k}, b_k = √v_k Σ_j √v_j |C_kj|; S_B moves by half of that
//! and the tilts of view B's anchors by e^{±2τ²b_k}. So |Q_jk| ≤ r √(v_jv_k) g(τ²b_k), g(x) = 5x/4 +
//! (e^{4x} + e^{2x} − 2)/2, and **|d log(‖x_k‖/‖x_l‖)/dt| ≤ σ_ξ² r ( g(τ²b_k)b_k/‖x_k‖² + g(τ²b_l)b_l/‖x_l‖² )**:
//! first order in τ², second in the cross terms b.

use evidence::prelude::*;
use two_view::View;

use crate::shared::hypotheses::over_orthogonal_learning_states;
use crate::shared::learning_motion::{Column, LearningMotion};
use crate::shared::learning_states::{LearningState, named, state};
use crate::shared::notation::{
    AGREEMENT, DATA, FEATURES, H_ORTH, LOSS, LOSS_WITHOUT_NEGATIVES, MOTION, NORMALISER, OUTPUTS, SIZES, SPEED,
};

/// What the sides are differences of.
const SUMMANDS: &str = "the largest summands of the rate";

/// The pairs of noise columns of one view.
fn pairs(m: &LearningMotion) -> Vec<(Column, Column)> {
    let noises = m.noise_columns();
    let both =
        |x: Column| noises.iter().filter(move |y| y.0 == x.0 && y.1 > x.1).map(move |&y| (x, y)).collect::<Vec<_>>();
    noises.iter().flat_map(|&x| both(x)).collect()
}

/// d/dt log(‖x‖/‖y‖).
fn ratio_rate(m: &LearningMotion, x: Column, y: Column) -> Interval {
    0.5 * (m.log_rate(x) - m.log_rate(y))
}

fn each(m: &LearningMotion, check: impl Fn(Column, Column) -> Evaluation) -> Evaluation {
    all_of(pairs(m).into_iter().map(|(x, y)| {
        let name = format!("noise columns {} and {} of view {:?}", x.1 + 1, y.1 + 1, x.0);
        (name, check(x, y).on_scale_of(SUMMANDS, m.pace(x) + m.pace(y)))
    }))
}

/// b = √v Σ_j √v_j |C_j|, the size of the cross terms of a noise column x.
fn cross_terms(m: &LearningMotion, x: Column) -> Interval {
    let share = |k: usize| m.signal_share(k) / m.signal() as f64;
    let cross: Interval = (0..m.latents()).map(|j| m.inner(x, (x.0.other(), j)).abs() / m.both * share(j).sqrt()).sum();
    share(x.1).sqrt() * cross
}

/// σ_ξ² r g(τ²b)b/‖x‖².
fn allowance(m: &LearningMotion, x: Column, tau_squared: f64) -> Interval {
    let b = cross_terms(m, x);
    let t = b * tau_squared;
    let g = 1.25 * t + 0.5 * ((4.0 * t).exp_m1() + (2.0 * t).exp_m1());
    m.strength(x.1) * m.signal() as f64 * g * b / m.squared_norm(x)
}

/// Diagonal states with q = 2 and all other inner products scaled by ε.
fn near(epsilon: f64) -> LearningState {
    let generic = named().into_iter().find(|(name, _)| name.starts_with("q = 2, generic, τ² = 1"));
    let mut near = generic.map_or_else(|| state(1, &[1.0], &[&[1.0], &[1.0]]), |(_, s)| s);
    let (d, m) = (near.latents(), near.columns.first().map_or(0, Vec::len));
    let base = [(0, 1.0), (1, 1.0), (2, 0.75), (3, 1.25), (0, 0.5), (1, 0.75), (4, 1.0), (5, 0.5)];
    for (j, column) in near.columns.iter_mut().enumerate().take(2 * d) {
        for entry in column.iter_mut() {
            *entry *= epsilon;
        }
        column.resize(m.max(6), 0.0);
        column[base[j].0] += base[j].1;
    }
    near
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-b14", "condition number of the noise block", Kind::Dynamics)
        .statement(
            "for noise columns k, l of one view ‖[K_{A,ξ}]_k‖/‖[K_{A,ξ}]_l‖ is constant at τ = 0, and for τ > 0 d/dt \
             of its logarithm is O(τ²) and of second order in the cross terms",
        )
        .reconstructed("the displayed right side")
        .source("Lemma B.14", &["Section B.3, and its use in (15)"])
        .symbols([SIZES, DATA, H_ORTH, FEATURES, NORMALISER, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, AGREEMENT, SPEED])
        .symbol("d/dt", MOTION)
        .symbol(
            "x_k",
            "the k-th noise column of a view; C_kj = ⟨x_k, x'_j⟩/(N_AN_B) with the columns x'_j of the other view, v = \
             1/r or 1/q",
        )
        .remark(
            "True at every width and temperature: the rate is at most σ_ξ²r(g(τ²b_k)b_k/‖x_k‖² + g(τ²b_l)b_l/‖x_l‖²), \
             g(x) = 5x/4 + (e^{4x} + e^{2x} − 2)/2, b_k = √v_k Σ_j √v_j |C_kj|. Proof: what does not depend on ξ_k \
             averages out, and flipping ξ_k moves logits and log-tilts by multiples of τ²b_k.",
        )
        .setting(printed())
        .setting(zero())
        .setting(unequal_noise())
}

fn printed() -> Setting<LearningState, LearningMotion> {
    over_orthogonal_learning_states(Setting::measuring(|s: &LearningState, _| Ok(LearningMotion::warm(s)?)))
        .assume(Hypothesis::new("q ≥ 2", |s| s.latents() >= s.signal + 2))
        .family(edge("near the manifold", || {
            let mut list = vec![("ε = 1/16", near(0.0625)), ("ε = 1/1024", near(1.0 / 1024.0))];
            list.push(("ε = 1/4, τ² = 1/1024", near(0.25).at(1.0 / 1024.0)));
            list
        }))
        .without_search()
        .part(
            "printed",
            "|d/dt log(‖x_k‖/‖x_l‖)| ≤ σ_ξ²r(g(τ²b_k)b_k/‖x_k‖² + g(τ²b_l)b_l/‖x_l‖²), g(x) = 5x/4 + (e^{4x} + e^{2x} \
             − 2)/2, b_k = √v_k Σ_j √v_j|C_kj| the size of the cross terms, v = 1/r for a signal, 1/q for noise, for \
             all noise columns x_k, x_l of one view",
            holds(),
            |s, m| {
                each(m, |x, y| {
                    let allowed = allowance(m, x, s.tau_squared) + allowance(m, y, s.tau_squared);
                    at_most(ratio_rate(m, x, y).abs(), allowed)
                })
            },
        )
        .our_constant("the explicit multiple: the words name an order only")
        .constant(
            "share",
            "share of the allowed rate that is used where τ² ≥ 1/1000",
            "1",
            |s| (s.tau_squared >= 1e-3).then(|| format!("r = {}", s.signal)),
            |s, m| {
                let share = |(x, y): (Column, Column)| {
                    let allowed = allowance(m, x, s.tau_squared) + allowance(m, y, s.tau_squared);
                    (allowed.lo() > 1e-9).then(|| ratio_rate(m, x, y).abs() / allowed)
                };
                pairs(m).into_iter().filter_map(share).reduce(Interval::max).map(Into::into)
            },
        )
        .control("fourth", "the rate is O(τ⁴): at most τ² times what is allowed", |s, m| {
            each(m, |x, y| {
                let allowed = allowance(m, x, s.tau_squared) + allowance(m, y, s.tau_squared);
                at_most(ratio_rate(m, x, y).abs(), allowed * s.tau_squared)
            })
        })
        .control("third", "the rate is of third order in the cross terms: at most b times what is allowed", |s, m| {
            each(m, |x, y| {
                let of = |x| allowance(m, x, s.tau_squared) * cross_terms(m, x);
                at_most(ratio_rate(m, x, y).abs(), of(x) + of(y))
            })
        })
        .control("n2", "constant at τ² = 1", |_, m| each(m, |x, y| equal(ratio_rate(m, x, y), 0)))
        .assume(Hypothesis::new("τ² = 1", |s| s.tau_squared == 1.0))
}

fn zero() -> Setting<LearningState, LearningMotion> {
    over_orthogonal_learning_states(Setting::measuring(|s: &LearningState, _| Ok(LearningMotion::cold(s)?)))
        .given("τ = 0, whatever the τ² of the instance")
        .without_search()
        .part("zero", "at τ = 0, d/dt log(‖x_k‖/‖x_l‖) = 0 for noise columns of one view", holds(), |_, m| {
            each(m, |x, y| equal(m.log_rate(x), m.log_rate(y)))
        })
        .sides("d log‖x_k‖²/dt", "d log‖x_l‖²/dt")
        .checked("ren2023.ColdFlow.lemma_b14_zero")
        .assume(Hypothesis::new("q ≥ 2", |s| s.latents() >= s.signal + 2))
        .step(
            "s1",
            "at τ = 0, d/dt log‖x_k‖² = −2c_Kσ_ξ²(r/q)Ψ/N² for every noise column x_k, N² that of its own view: N_A² \
             or N_B²",
            holds(),
            |_, m| {
                all_of(m.noise_columns().into_iter().map(|x| {
                    let rate =
                        -(2.0 * m.factor() * m.strength(x.1) * m.signal_share(x.1) * m.agreement / m.square(x.0));
                    (
                        format!("noise column {} of view {:?}", x.1 + 1, x.0),
                        equal(m.log_rate(x), rate).on_scale_of(SUMMANDS, m.pace(x)),
                    )
                }))
            },
        )
        .checked("ren2023.ColdFlow.lemma_b14_s1")
        .assume(Hypothesis::new("q ≥ 1", |s| s.latents() > s.signal))
        .control("n1", "the ratio of a noise column of A to one of B is constant too", |_, m| {
            for_each_index("column", m.signal()..m.latents(), |k| {
                let (a, b) = ((View::A, k), (View::B, k));
                equal(ratio_rate(m, a, b), 0).on_scale_of(SUMMANDS, m.pace(a) + m.pace(b))
            })
        })
        .assume(Hypothesis::new("q ≥ 1", |s| s.latents() > s.signal))
}

fn unequal_noise() -> Setting<LearningState, LearningMotion> {
    Setting::measuring(|s: &LearningState, _| Ok(LearningMotion::cold(s)?))
        .given("H-orth, but A_ξᵀA_ξ = B_ξᵀB_ξ = diag(σ_{ξ,1}², …, σ_{ξ,q}²) with strengths that may differ; τ = 0")
        .family(edge("two noise strengths", || {
            let columns: [&[f64]; 6] = [
                &[1.0, 0.0, 0.0],
                &[0.0, 1.0, 0.0],
                &[0.0, 0.0, 1.0],
                &[1.0, 0.5, 0.0],
                &[0.0, 1.0, 0.5],
                &[0.5, 0.0, 1.0],
            ];
            vec![
                ("σ_ξ² = (1, 2)", state(1, &[1.0, 1.0, 2.0], &columns)),
                ("σ² = 3, σ_ξ² = (2, ½)", state(1, &[3.0, 2.0, 0.5], &columns)),
                ("σ_ξ² = (1, 1)", state(1, &[1.0, 1.0, 1.0], &columns)),
            ]
        }))
        .without_search()
        .control("n3", "constant at τ = 0 also when σ_ξ differs between noise directions", |_, m| {
            each(m, |x, y| equal(ratio_rate(m, x, y), 0))
        })
}
