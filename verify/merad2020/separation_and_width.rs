//! What Theorem 1 and Lemma 6 both say about training as the separation falls and the width grows.

use contrapositive::claim::{Setting, consistent, holds};

use super::training_record::Goal;
use super::training_sweep::{SweepRecord, TrainingSweep, Varied, sweeps};

/// What every training starts from, and its step.
pub const START: &str = "a random start, A and W_l from N(0, 2/m), B from N(0, 1/d); ν = κdδ/(n(L+1)m), κ from 1 to \
                         4; all matrices are trained, or W alone";

/// T(ε) along the sweeps of δ (m → ∞, and m fixed) and of m, under the names that the claim gives these two parts of
/// its sense M.
pub fn separation_and_width(goal: Goal, [separation, width]: [&'static str; 2]) -> Setting<TrainingSweep, SweepRecord> {
    let in_the_limit = |s: &TrainingSweep| s.varied == Varied::SeparationInTheLimit;
    let at_fixed_width = |s: &TrainingSweep| s.varied == Varied::Separation;
    let over_width = |s: &TrainingSweep| s.varied == Varied::Width;
    Setting::measuring(move |s: &TrainingSweep, trial| s.measure(goal, trial))
        .given("Assumption 1 (M): ‖x‖ = 1 and no input twice, by construction of the data")
        .given(START)
        .given("T is the median over the starts of a sweep, of the first step with the goal at most the ε of the sweep")
        .families(sweeps())
        .without_search()
        .part(
            separation,
            "m → ∞, ν ∝ δ, x_i⁻ at distance δ from x_i⁺: T grows at most like δ^{−2} over the last five values of δ",
            consistent(),
            |_, s| s.growth_at_the_end(2.0),
        )
        .when("δ varies, m → ∞", in_the_limit)
        .in_sense("M")
        .part(
            width,
            "T at ν ∝ 1/m is bounded in m: at every width at most twice its value for m → ∞",
            holds(),
            |_, s| s.bounded_by_the_limit(2.0),
        )
        .when("m varies", over_width)
        .in_sense("M")
        .because("the factor 2 is ours")
        .sharpening(
            "separation-logarithm",
            "m → ∞, ν ∝ δ: T/log(1/δ) grows at most like δ^{−3/2} over the last five values of δ",
            consistent(),
            |_, s| s.growth_up_to_a_logarithm(1.5),
        )
        .when("δ varies, m → ∞", in_the_limit)
        .ours(
            "separation-cubic",
            "at a fixed width, which is excluded for small δ, T at ν ∝ δ grows at most like δ^{−3}",
            consistent(),
            |_, s| s.growth(3.0),
        )
        .when("δ varies, m fixed", at_fixed_width)
        .control(
            "linear",
            "m → ∞, ν ∝ δ: T grows at most like 1/δ over the last five values of δ",
            |_, s| s.growth_at_the_end(1.0),
        )
        .when("δ varies, m → ∞", in_the_limit)
        .control(
            "half-limit",
            "T at ν ∝ 1/m is at most half of its value for m → ∞",
            |_, s| s.bounded_by_the_limit(0.5),
        )
        .when("m varies", over_width)
        .control("flat", "T at ν ∝ δ is bounded as δ falls", |_, s| s.growth(0.0))
        .when("δ varies, m fixed", at_fixed_width)
}
