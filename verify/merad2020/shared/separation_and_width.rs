//! What Theorem 1 and Lemma 6 both say about training as the separation falls and the width grows.

use evidence::prelude::*;

use super::training_record::Goal;
use super::training_sweep::{SweepRecord, TrainingSweep, Varied, sweeps};

const SEPARATION_IN_THE_LIMIT: Hypothesis<TrainingSweep> =
    Hypothesis::new("δ varies, m → ∞", |s| s.varied == Varied::SeparationInTheLimit);
const SEPARATION_AT_FIXED_WIDTH: Hypothesis<TrainingSweep> =
    Hypothesis::new("δ varies, m fixed", |s| s.varied == Varied::Separation);
const WIDTH: Hypothesis<TrainingSweep> = Hypothesis::new("m varies", |s| s.varied == Varied::Width);

/// What every training starts from, and its step.
pub const START: &str = "a random start, entries of A and W_l from N(0, 2/m), of B from N(0, 1/d); ν = κdδ/(n(L+1)m) \
                         with the κ of the family; all matrices are trained, or W_1, …, W_L alone";

/// T(ε) along the sweeps of δ (m → ∞, and m fixed) and of m, under the names that the claim gives these two parts of
/// its sense M.
pub fn separation_and_width(goal: Goal, [separation, width]: [&'static str; 2]) -> Setting<TrainingSweep, SweepRecord> {
    Setting::measuring(move |s: &TrainingSweep, trial| s.measure(goal, trial))
        .given("Assumption 1 (M): ‖x‖ = 1 and no input twice, by construction of the data")
        .given(START)
        .given(
            "T is the median over the starts of a sweep of the first step, counted from 1, at which the goal is at \
             most the ε of the sweep",
        )
        .given(
            "m → ∞: the coordinates of the first outputs are independent Gaussian vectors with covariances cos \
             φ_{L+1}/d, and an update takes the outputs z to z − (κδ/(n(L+1))) K ∇L̂_un with K(x, x') = ½ Σ_l cos φ_l \
             Π_{j=l..L} (1 − φ_j/π), l = 0, …, L or from 1 for W alone, φ_0 the angle of x and x', cos φ_{l+1} = (sin \
             φ_l + (π − φ_l) cos φ_l)/π",
        )
        .family(sweeps())
        .without_search()
        .part(
            separation,
            "m → ∞, ν ∝ δ, x_i⁻ at distance δ from x_i⁺: T grows at most like δ^{−2} over the last five of seven \
             values of δ = 1/2, 1/4, …, 1/128",
            consistent(),
            |_, s| s.growth_at_the_end(2.0),
        )
        .assume(SEPARATION_IN_THE_LIMIT)
        .in_sense("M")
        .part(
            width,
            "T at ν ∝ 1/m is bounded in m: at m = 32, 64, 128 and 256 at most twice its value for m → ∞, a median over \
             41 starts",
            consistent(),
            |_, s| s.bounded_by_the_limit(2.0),
        )
        .assume(WIDTH)
        .in_sense("M")
        .our_constant("the factor 2")
        .sharpening(
            "separation-logarithm",
            "m → ∞, ν ∝ δ: T/log(1/δ) grows at most like δ^{−3/2} over the last five of seven values of δ = 1/2, 1/4, \
             …, 1/128",
            consistent(),
            |_, s| s.growth_up_to_a_logarithm(1.5),
        )
        .assume(SEPARATION_IN_THE_LIMIT)
        .ours(
            "separation-cubic",
            "at a fixed width, which is excluded for small δ, T at ν ∝ δ grows at most like δ^{−3} over δ = 1/2, 1/4, \
             1/8, 1/16",
            consistent(),
            |_, s| s.growth(3.0),
        )
        .assume(SEPARATION_AT_FIXED_WIDTH)
        .control(
            "linear",
            "m → ∞, ν ∝ δ: T grows at most like 1/δ over the last five of seven values of δ = 1/2, 1/4, …, 1/128",
            |_, s| s.growth_at_the_end(1.0),
        )
        .assume(SEPARATION_IN_THE_LIMIT)
        .control("half-limit", "T at ν ∝ 1/m is at most half of its value for m → ∞", |_, s| {
            s.bounded_by_the_limit(0.5)
        })
        .assume(WIDTH)
        .control("flat", "T at ν ∝ δ grows at most like δ^0, as if it were bounded as δ falls", |_, s| {
            s.growth(0.0)
        })
        .assume(SEPARATION_AT_FIXED_WIDTH)
}
