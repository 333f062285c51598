//! Lemma B.17: without negatives the condition number can become large: there is σ obeying the assumptions such that at
//! the end of Stage 1 cond(K_A) is large. The instance of the proof is σ_1² = s, of order log d, and the
//! other σ_p² = 1. How large is not legible: d^{Ω(1)}, √d up to logarithms, or unbounded.
//!
//! In closed form from infinite width κ_1²/κ_2² → s e^{λ(s−1)} with e^{λs} + (r−1)e^λ = 2w, w = ‖W_A‖_F²: w = r without
//! noise and w = d if the noise dies out. Two sides of that equation give **s·min((w/2)^{1−1/s}, (3w/2r)^{s−1}) ≤
//! cond(κ²) ≤ s·min((2w)^{1−1/s}, (2w/r)^{s−1})**: if the first term is below w/2 the second exceeds 3w/2, and each is
//! at most 2w. With s = c log d, w^{1−1/s} is w up to the factor e^{1/c}. So the answer depends on what the text leaves
//! open: with noise that dies out cond(κ) is √d times √log d for r ≤ √d, and for r = d, where there is none, d^{min(1,
//! c log 2)/2} up to logarithms, so that d^{Ω(1)} holds in all of the setting d = r + q; for σ_ξ = 0 it is d^{min(a, c
//! log 2)/2} up to logarithms for r = d^a, and at most √(2rs), no power of d, for fixed r.

mod long_training;
mod strength_sweeps;

use evidence::prelude::*;
use proptest::strategy::Strategy;
use two_view::{DiagonalLaw, DiagonalState, Objective};

use crate::shared::diagonal_motion::DiagonalMotion;
use crate::shared::diagonal_points::point;
use crate::shared::notation::{
    AGREEMENT, CLOCK, CONDITION, DATA, EXTREME_STRENGTHS, FEATURES, H_ORTH, KAPPA, LONG_RUN, LOSS_WITHOUT_NEGATIVES,
    NORMALISER_BOTH, OUTPUTS, RHO, SIZES, SPEED, SPREAD, WEIGHT_NORM,
};
use long_training::{LongTrainingEnd, Proof, Sizes, at, end};
use strength_sweeps::{Strength, StrengthSweep, SweepEnd, ends, noisy_sweeps, stops, sweeps, weak_sweeps};

/// Whether log cond(κ²) is at least `power`·log d, the power a function of the sweep, at each size.
fn at_least_power(ends: &[SweepEnd], power: f64) -> Evaluation {
    all_of(ends.iter().map(|end| {
        let name = format!("log d = {}", end.log_d);
        (name, at_least(end.log_condition, exact(power) * end.log_d).on_unit_scale())
    }))
}

/// Whether cond(κ²) ≥ d/(log d)³ at each size.
fn is_almost_linear(ends: &[SweepEnd]) -> Evaluation {
    all_of(ends.iter().map(|end| {
        let log_d = exact(end.log_d);
        let name = format!("log d = {}", end.log_d);
        (name, at_least(end.log_condition, log_d - 3.0 * log_d.ln()).on_unit_scale())
    }))
}

/// The exponent min(a, c)/8 of r = d^a that the sandwich grants from both of its terms, or c/8 where r does not grow.
fn rank_power(s: &StrengthSweep) -> f64 {
    if s.power > 0.0 { s.power.min(s.c) / 8.0 } else { s.c / 8.0 }
}

/// What the sweeps have in common.
const SWEEP: &str = "H-orth; from infinite width (κ_p² = σ_p², ρ_p = 0, squared noise norms σ_ξ²), τ = 0, r = max(2, \
                     d^a) with 0 ≤ a ≤ 3/4 (or a = 1 where there is no noise), σ² = (σ_1², 1, …, 1), q = d − r with \
                     σ_ξ = 1 or no noise; log d = 40, 160, 640; both sides are compared by their logarithms";

/// artanh ½ and artanh ¾, to rounding.
const WINDOW: [f64; 2] = [0.549_306_144_334_054_8, 0.972_955_074_527_656_6];

/// cond(κ²) at the end of Stage 1 at τ = 0 for σ² = (s, 1, …, 1), integrated for this K.
fn integrated(p: &Proof, negatives: f64) -> Result<f64, MeasureError> {
    let law = DiagonalLaw::grouped(vec![p.s, 1.0], vec![1, p.r - 1], 1.0, Vec::new())?;
    let start: DiagonalState<f64> = law.infinite_width();
    let factor = 2.0 * negatives / (1.0 + negatives);
    // N² ≤ s, and the slowest direction moves at the rate 2c_K/N².
    let end = 8.0 * p.s / factor;
    let cold = Objective::Contrastive { tau_squared: 0.0, negatives };
    let (states, _) = law.orbit(&start, cold, &[end], 1e-11)?;
    let last = states.last().ok_or("no state")?;
    Ok(last.a[0] / last.a[1])
}

const LOGARITHMIC: Hypothesis<StrengthSweep> =
    Hypothesis::new("σ_1² = c log d", |s| s.strength == Strength::Logarithm);
const FILLING_THE_SPACE: Hypothesis<StrengthSweep> = Hypothesis::new("d = r + q", StrengthSweep::fills_the_space);
const ROOT: Hypothesis<StrengthSweep> = Hypothesis::new("σ_1² = c √log d", |s| s.strength == Strength::Root);
const MANY_SIGNALS: Hypothesis<StrengthSweep> = Hypothesis::new("r = d^a", |s| s.power > 0.0);
const TWO_SIGNALS_ALONE: Hypothesis<StrengthSweep> =
    Hypothesis::new("r = 2, no noise", |s| s.power == 0.0 && s.noise.is_none());
const FEW_SIGNALS: Hypothesis<StrengthSweep> = Hypothesis::new("r ≤ max(2, √d)", |s| s.power <= 0.5);
const WITH_NOISE: Hypothesis<StrengthSweep> = Hypothesis::new("noise", |s| s.noise.is_some());
const ALONE: Hypothesis<StrengthSweep> = Hypothesis::new("no noise", |s| s.noise.is_none());
const WITHOUT_NOISE: Hypothesis<Sizes> = Hypothesis::new("no noise", |s| s.log_excess == 0.0);

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-b17", "negative result for non-contrastive learning", Kind::Asymptotic)
        .statement(
            "there is σ satisfying the assumptions of Theorem 4.3 (σ_1² of order log d, σ_p² = 1 for p ≥ 2) such that \
             at the end of Stage 1 the condition number of K_A is large",
        )
        .reconstructed("the strengths σ and how large the condition number is")
        .source("Lemma B.17", &["Section B.5, and the last clause of Lemma 5.1"])
        .symbols([
            SIZES, DATA, H_ORTH, FEATURES, NORMALISER_BOTH, OUTPUTS, LOSS_WITHOUT_NEGATIVES, AGREEMENT, KAPPA, RHO,
            SPEED, SPREAD, EXTREME_STRENGTHS, CONDITION, CLOCK, WEIGHT_NORM, LONG_RUN,
        ])
        .symbol("w_1", "κ_1²/‖κ‖²")
        .symbol(
            "a",
            "the exponent in r = d^a; c > 0 the factor in σ_1² = c log d, c √log d or c; both, and noise, are named by \
             the instance",
        )
        .remark(
            "\"Large\" is read as d^{Ω(1)} (r1), √d up to logarithms (r2), and unbounded (r3). The text is silent on \
             r(d) and on how long noise is given to die out. The sense r1 keeps d = r + q as in the setting: ‖W_A‖_F² \
             = d, and lets the noise die out; r < d without noise is σ_ξ = 0. Exponents and powers of logarithms that \
             the checks name are ours: that no other one rescues a sense that fails follows from the amendments.",
        )
        .remark(
            "s·min((w/2)^{1−1/s}, (3w/2r)^{s−1}) ≤ cond(κ²) ≤ s·min((2w)^{1−1/s}, (2w/r)^{s−1}) with w = r without \
             noise and w = d with noise that dies out. So under σ_1² = c log d r1 holds whenever d = r + q, and for \
             σ_ξ = 0 if r = d^a but not for fixed r; r2 holds with noise and r ≤ √d and fails without. If Stage 1 may \
             stop at a fixed noise ratio, weak noise does not die out and the case of σ_ξ = 0 returns.",
        )
        .remark(
            "The bounds from above hold for every σ, so that no other choice rescues a sense that fails: Σe^{λσ_p²} ≤ \
             2w and λ ≥ 0 give e^{λ(σ_p²−σ_s²)} ≤ (2w)^{1−1/s}, and λσ_min² ≤ log(2w/r).",
        )
        .setting(strong_signals())
        .setting(constant_ratio())
        .setting(stopped_stage())
        .setting(fixed_rank())
        .setting(order_of_cosines())
        .setting(few_and_many_negatives())
}

fn strong_signals() -> Setting<StrengthSweep, Vec<SweepEnd>> {
    Setting::measuring(|s: &StrengthSweep, _| ends(s))
        .given(SWEEP)
        .given("Stage 1 goes on for ever: κ is that of t → ∞")
        .assume(Hypothesis::new("σ_1² ≥ 3/2 at log d = 40", |s| s.ratio(40.0) >= 1.5))
        .assume(Hypothesis::new("σ_1² grows with d", |s| s.strength != Strength::Constant))
        .family(edge("registered sweeps", sweeps))
        .family(outside("weak strengths", weak_sweeps))
        .without_search()
        .sense(
            "r1",
            "cond(κ) ≥ d^{Ω(1)} with σ_1² = c log d and d = r + q, noise in d − r directions that dies out, or r = d: \
             cond(κ²) ≥ d^{min(1,c)/8}",
            holds(),
            |s, v| at_least_power(v, s.c.min(1.0) / 8.0),
        )
        .our_constant("the exponent min(1,c)/8 at log d = 40, 160, 640")
        .assume(LOGARITHMIC)
        .assume(FILLING_THE_SPACE)
        .sense(
            "r1-noiseless",
            "cond(κ) ≥ d^{Ω(1)} with σ_1² = c log d, r = d^a and σ_ξ = 0: cond(κ²) ≥ d^{min(a,c)/8}",
            holds(),
            |s, v| at_least_power(v, rank_power(s)),
        )
        .our_constant("the exponent min(a,c)/8")
        .assume(LOGARITHMIC)
        .assume(MANY_SIGNALS)
        .assume(ALONE)
        .sense(
            "r1-fixed-rank",
            "cond(κ) ≥ d^{Ω(1)} with σ_1² = c log d, fixed r and σ_ξ = 0: cond(κ²) ≥ d^{c/8}",
            fails("cond(κ²) ≤ 2rs: of order log d only"),
            |s, v| at_least_power(v, rank_power(s)),
        )
        .sides("log cond(κ²)", "(c/8) log d")
        .our_constant("the exponent c/8; amendment fixed-rank shows that none serves")
        .assume(LOGARITHMIC)
        .assume(TWO_SIGNALS_ALONE)
        .sense(
            "r1-root",
            "cond(κ) ≥ d^{Ω(1)} with σ_1² = c √log d, r = d^a and no noise: cond(κ²) ≥ d^{min(a,c)/8}",
            fails("cond(κ²) ≤ s 2^{s−1}, which is e^{O(√log d)}"),
            |s, v| at_least_power(v, rank_power(s)),
        )
        .sides("log cond(κ²)", "(min(a,c)/8) log d")
        .our_constant("the exponent min(a,c)/8; amendment fixed-rank shows that none serves")
        .because("the bound on σ_max²/σ_min² in Theorem 4.3 is lost: √log d is its weaker reading")
        .assume(Hypothesis::new("σ_1² = c √log d, r = d^a, no noise", |s| {
            s.strength == Strength::Root && s.power > 0.0 && s.noise.is_none()
        }))
        .sense(
            "r1-root-noise",
            "cond(κ) ≥ d^{Ω(1)} with σ_1² = c √log d, r ≤ max(2, d^{3/4}) and noise: cond(κ²) ≥ d^{min(1,c)/8}",
            holds(),
            |s, v| at_least_power(v, s.c.min(1.0) / 8.0),
        )
        .our_constant("the exponent min(1,c)/8")
        .because("the bound on σ_max²/σ_min² in Theorem 4.3 is lost: √log d is its weaker reading")
        .assume(ROOT)
        .assume(WITH_NOISE)
        .sense(
            "r2",
            "cond(κ) ≥ √d up to logarithms with σ_1² = c log d and noise: cond(κ²) ≥ d/(log d)³",
            holds(),
            |_, v| is_almost_linear(v),
        )
        .our_constant("the power 3 of log d")
        .assume(Hypothesis::new("c ≥ 1/10", |s| s.c >= 0.1))
        .assume(FEW_SIGNALS)
        .assume(LOGARITHMIC)
        .assume(WITH_NOISE)
        .sense(
            "r2-noiseless",
            "cond(κ) ≥ √d up to logarithms with σ_1² = c log d and no noise: cond(κ²) ≥ d/(log d)³",
            fails("cond(κ²) is at most 2rs, and at most s 2^{s−1}"),
            |_, v| is_almost_linear(v),
        )
        .sides("log cond(κ²)", "log(d/(log d)³)")
        .our_constant("the power 3 of log d; amendment fixed-rank shows that none serves")
        .assume(Hypothesis::new("σ_1² = c log d, no noise", |s| {
            s.strength == Strength::Logarithm && s.noise.is_none()
        }))
        .sense(
            "r2-root",
            "cond(κ) ≥ √d up to logarithms with σ_1² = c √log d and noise: cond(κ²) ≥ d/(log d)³",
            fails("a factor e^{√log d/c} is lost, more than any power of log d"),
            |_, v| is_almost_linear(v),
        )
        .sides("log cond(κ²)", "log(d/(log d)³)")
        .our_constant("the power 3 of log d: cond(κ²) ≤ s(2d)^{1−1/s} is smaller than d over every power of log d")
        .because("the bound on σ_max²/σ_min² in Theorem 4.3 is lost: √log d is its weaker reading")
        .assume(ROOT)
        .assume(WITH_NOISE)
        .sense("r3", "cond(κ) is unbounded: cond(κ²) ≥ σ_1², which grows with d", holds(), |s, v| {
            all_of(v.iter().map(|end| {
                let name = format!("log d = {}", end.log_d);
                (name, at_least(end.log_condition, exact(s.ratio(end.log_d)).ln()).on_unit_scale())
            }))
        })
        .control("faster", "cond(κ²) ≥ d^{1.1}", |_, v| at_least_power(v, 1.1))
}

fn constant_ratio() -> Setting<StrengthSweep, Vec<SweepEnd>> {
    Setting::measuring(|s: &StrengthSweep, _| ends(s))
        .given(SWEEP)
        .given("Stage 1 goes on for ever: κ is that of t → ∞")
        .assume(Hypothesis::new("σ_1² is constant", |s| s.strength == Strength::Constant))
        .family(edge("registered sweeps", sweeps))
        .family(outside("weak strengths", weak_sweeps))
        .without_search()
        .sharpening(
            "constant-ratio",
            "with noise even σ_1² = 2 gives d^{Ω(1)}: cond(κ²) ≥ √d",
            holds(),
            |_, v| at_least_power(v, 0.5),
        )
        .assume(Hypothesis::new("σ_1² = 2", |s| s.c == 2.0))
        .assume(FEW_SIGNALS)
        .assume(WITH_NOISE)
        .control(
            "constant-noiseless",
            "cond(κ) is unbounded for constant σ_1² without noise: cond(κ²) ≥ log d",
            |_, v| all_of(v.iter().map(|end| ("a size", at_least(end.log_condition, exact(end.log_d).ln())))),
        )
        .assume(ALONE)
}

fn stopped_stage() -> Setting<StrengthSweep, Vec<SweepEnd>> {
    Setting::measuring(|s: &StrengthSweep, _| stops(s, 0.1))
        .given(
            "H-orth; from infinite width (κ_p² = σ_p², ρ_p = 0, squared noise norms σ_ξ²), τ = 0, d = r + q, r = \
             max(2, d^a), 0 ≤ a ≤ 3/4, σ² = (σ_1², 1, …, 1); log d = 5, 10, 20; both sides are compared by their \
             logarithms; Stage 1 ends at the first θ = 2^k, k ≥ −10, at which every 1 − ρ_p ≤ 0.1 and \
             ‖[K_{A,ξ}]_k‖²/κ_p² ≤ 0.01",
        )
        .assume(Hypothesis::new("σ_1² = c log d", |s| s.strength == Strength::Logarithm))
        .assume(Hypothesis::new("c ≥ 0.3", |s| s.c >= 0.3))
        .assume(Hypothesis::new("q ≥ 1", |s| s.noise.is_some()))
        .family(edge("with noise", noisy_sweeps))
        .family(outside("registered sweeps", sweeps))
        .without_search()
        .sense(
            "r1-stopped",
            "d^{Ω(1)} also if Stage 1 ends at 1 − ρ ≤ 0.1 and noise ratio ≤ 0.1, r ≤ max(2, d^{3/4}): cond(κ²) ≥ \
             d^{min(1,c)/2}",
            holds(),
            |s, v| at_least_power(v, s.c.min(1.0) / 2.0),
        )
        .our_constant("both tolerances 0.1 and the exponent min(1,c)/2")
        .because("Lemma B.1 ends Stage 1 at given tolerances")
        .assume(Hypothesis::new("σ_ξ = 1", |s| s.noise == Some(1.0)))
        .sense(
            "r1-stopped-weak",
            "d^{Ω(1)} also if Stage 1 ends at 1 − ρ ≤ 0.1 and noise ratio ≤ 0.1, r = 2 and noise whose ratio is below \
             0.1 from the start: cond(κ²) ≥ d^{min(1,c)/2}",
            fails("Stage 1 ends before the noise dies out: cond(κ²) stays of order rs"),
            |s, v| at_least_power(v, s.c.min(1.0) / 2.0),
        )
        .sides("log cond(κ²)", "(min(1,c)/2) log d")
        .our_constant("both tolerances 0.1 and the exponent min(1,c)/2")
        .because("Lemma B.1 ends Stage 1 at given tolerances")
        .assume(Hypothesis::new("r = 2, σ_ξ² ≤ 0.005", |s| s.power == 0.0 && s.noise.is_some_and(|x| x <= 0.005)))
        .control("stopped-slow", "cond(κ²) ≤ d^{1/10} at the end of Stage 1", |_, v| {
            all_of(v.iter().map(|end| ("a size", at_most(end.log_condition, exact(0.1) * end.log_d))))
        })
}

fn fixed_rank() -> Setting<Sizes, LongTrainingEnd> {
    Setting::measuring(|s: &Sizes, _| end(s))
        .given(
            "H-orth; from infinite width (κ_p² = σ_p², ρ_p = 0, squared noise norms σ_ξ²), τ = 0, t → ∞; r ≥ 2, σ² = \
             (s, 1, …, 1), s ≥ 1, w = ‖W_A‖_F²: w = r without noise, r + q with noise of σ_ξ = 1; r ≥ 2 and q ≥ 1 are \
             real numbers, and there is no noise where r(w/r − 1) < 1; both sides are compared by their logarithms",
        )
        .family(edge("named sizes", || {
            let of = |s, log_rank, log_excess| Sizes { s, log_rank, log_excess };
            vec![
                ("σ² = (3,1,1,1)", of(3.0, 1.386_294_361_119_890_6, 0.0)),
                ("all equal", of(1.0, 2.0, 0.0)),
                ("all equal, r = e^10", of(1.0, 10.0, 0.0)),
                ("nearly equal", of(1.1, 3.0, 0.0)),
                ("r = 2, d = e^100, s = 30", of(30.0, 0.7, 99.3)),
                ("r = e^50, s = 20, no noise", of(20.0, 50.0, 0.0)),
                ("r = e^50, d = e^100, s = 100", of(100.0, 50.0, 50.0)),
                ("s = 2, d = e^40", of(2.0, 1.0, 39.0)),
            ]
        }))
        .family(random("random sizes", || {
            (0.0..5.0f64, 0.7..60.0f64, 0.0..60.0f64).prop_map(|(log_s, log_rank, x)| Sizes {
                s: core_math::exp(log_s),
                log_rank,
                log_excess: (x - 15.0).max(0.0),
            })
        }))
        .amendment("fixed-rank", "without noise cond(κ²) ≤ 2rs and cond(κ²) ≤ s 2^{s−1}", holds(), |i, e| {
            let two = Enclosure::ln_2();
            all_of([
                ("2rs", at_most(e.log_condition, e.log_spread + two + e.log_rank).on_unit_scale()),
                ("s 2^{s−1}", at_most(e.log_condition, e.log_spread + (exact(i.s) - 1.0) * two).on_unit_scale()),
            ])
        })
        .assume(WITHOUT_NOISE)
        .sharpening(
            "sandwich",
            "s·min((w/2)^{1−1/s}, (3w/2r)^{s−1}) ≤ cond(κ²) ≤ s·min((2w)^{1−1/s}, (2w/r)^{s−1})",
            holds(),
            |i, e| {
                all_of([
                    ("from below", at_least(e.log_condition, e.bound(i.s, 0.5, 1.5)).on_unit_scale()),
                    ("from above", at_most(e.log_condition, e.bound(i.s, 2.0, 2.0)).on_unit_scale()),
                ])
            },
        )
        .control("n2", "cond(κ²) ≥ s·2^s without noise", |i, e| {
            at_least(e.log_condition, e.log_spread + i.s * Enclosure::ln_2())
        })
        .assume(WITHOUT_NOISE)
        .control("n1", "cond(κ) ≥ 2 for all σ, compared as cond(κ²) ≥ 4", |_, e| {
            at_least(e.log_condition, 2.0 * Enclosure::ln_2())
        })
        .control("tight-above", "cond(κ²) ≤ s·min((0.7w)^{1−1/s}, (1.4w/r)^{s−1})", |i, e| {
            at_most(e.log_condition, e.bound(i.s, 0.7, 1.4))
        })
        .control("tight-below", "cond(κ²) ≥ s·min((2.1w)^{1−1/s}, (2.1w/r)^{s−1})", |i, e| {
            at_least(e.log_condition, e.bound(i.s, 2.1, 2.1))
        })
        .assume(Hypothesis::new("s > 3/2", |s| s.s > 1.5))
}

type Triple = [Enclosure; 3];

fn order_of_cosines() -> Setting<Proof, (Triple, Triple, Triple)> {
    Setting::measuring(|p: &Proof, _| Ok((at(p, p.theta)?, at(p, WINDOW[0])?, at(p, WINDOW[1])?)))
        .given(
            "H-orth; from infinite width (κ_p² = σ_p², ρ_p = 0), no noise, r ≥ 2, τ = 0; σ² = (s, 1, …, 1), s ≥ 1; dθ \
             = (2c_K/N²)dt",
        )
        .family(edge("named sizes", || {
            let of = |s, r, theta| Proof { s, r, theta };
            vec![
                ("σ² = (3,1,1,1)", of(3.0, 4, 1.0)),
                ("s = 20, r = 1000", of(20.0, 1000, 0.3)),
                ("equal", of(1.0, 3, 2.0)),
                ("start", of(5.0, 2, 0.0)),
            ]
        }))
        .family(random("random sizes", || {
            (0.0..4.0f64, 2u32..=2000, 0.0..4.0f64).prop_map(|(log_s, r, theta)| Proof {
                s: core_math::exp(log_s),
                r,
                theta,
            })
        }))
        .family(outside("a strong direction beyond the range of s2", || {
            vec![("s = 60", Proof { s: 60.0, r: 4, theta: 0.1 })]
        }))
        .step("s1", "ρ_1 ≥ ρ_2 at all times", holds(), |_, (now, ..)| at_least(now[0], now[1]))
        .step(
            "s2",
            "ρ_1 − Ψ = (1−w_1)(ρ_1−ρ_2) and d log(κ_1²/κ_2²)/dθ = s(ρ_1−Ψ) − (ρ_2−Ψ), without noise, at the ρ of θ, \
             log(κ_1²/κ_2²) of θ but at most 20, and at most six directions",
            holds(),
            |p, (now, ..)| {
                let (one, two) = (now[0].midpoint(), now[1].midpoint());
                let first = now[2].midpoint().min(20.0);
                let mut directions = vec![[p.s, core_math::exp(first), one, 0.0]];
                directions.resize(p.r.min(6) as usize, [1.0, 1.0, two, 0.0]);
                let state = point(&directions, None);
                let Ok(m) = DiagonalMotion::cold(&state) else {
                    return Evaluation::Failed("no motion".into());
                };
                let total: Interval = m.state.a.iter().copied().sum();
                let share = m.state.a[0] / total;
                let gap = Interval::point(one) - two;
                let unit = 2.0 * m.factor / m.both;
                let rate = (m.log_rates(0)[0] - m.log_rates(1)[0]) / unit;
                all_of([
                    ("ρ_1 − Ψ", equal(Interval::point(one) - m.agreement, (1.0 - share) * gap).on_unit_scale()),
                    (
                        "rate",
                        equal(rate, m.strength(0) * (1.0 - share) * gap + share * gap).on_scale_of("2s", 2.0 * p.s),
                    ),
                ])
            },
        )
        .assume(Hypothesis::new("s ≤ 50", |p| p.s <= 50.0))
        .step(
            "s3",
            "while ρ_2 goes from ½ to ¾ (θ from artanh ½ to artanh ¾), log(κ_1²/κ_2²) grows by at least \
             s(1−w_1)(ρ_1−¾)(artanh ¾ − artanh ½), w_1 at the end and ρ_1 at the start of that time",
            holds(),
            |p, (_, before, after)| {
                let (ratio, others) = (after[2].exp(), f64::from(p.r - 1));
                let rest = others / (ratio + others);
                let bound = p.s * rest * (before[0] - 0.75) * (exact(WINDOW[1]) - WINDOW[0]);
                at_least(after[2] - before[2], bound).on_unit_scale()
            },
        )
        .assume(Hypothesis::new("s ≥ 2", |p| p.s >= 2.0))
        .control("s3-more", "it grows by at least s(artanh ¾ − artanh ½)", |p, (_, before, after)| {
            at_least(after[2] - before[2], p.s * (exact(WINDOW[1]) - WINDOW[0]))
        })
}

fn few_and_many_negatives() -> Setting<Proof, (f64, f64)> {
    Setting::measuring(|p: &Proof, _| Ok((integrated(p, 0.1)?, integrated(p, 10.0)?)))
        .given("H-orth; from infinite width (κ_p² = σ_p², ρ_p = 0), no noise, τ = 0; σ² = (s, 1, …, 1)")
        .family(edge("integrated", || {
            let of = |s, r| Proof { s, r, theta: 0.0 };
            vec![("σ² = (3,1,1,1)", of(3.0, 4)), ("σ² = (2,1,1)", of(2.0, 3)), ("σ² = (5,1)", of(5.0, 2))]
        }))
        .without_search()
        .control("n3", "the end depends on K: K = 0.1 and K = 10 differ by one per cent", |_, (few, many)| {
            at_least(Enclosure::measured((few / many - 1.0).abs()), exact(0.01))
        })
}
