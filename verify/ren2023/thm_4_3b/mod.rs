//! Theorem 4.3 (b): training with negatives in two stages ends aligned and balanced.
//!
//! True for τ_2² of order one or log r, as far as it is checked: two-stage runs with and without noise end with ρ_B ≥ 0.9r
//! in all three meanings, and the time of Stage 2 has an explicit bound, linear in r for τ_2² = 1 and quadratic for log r.
//! For τ_2² = √r, r/2 or r it grows faster than every power, because 1 − S̄ is exponentially small in τ_2² once the norms
//! are comparable: with r = d^a these choices miss "poly(d)". So the size of τ_2², on which the surviving text is silent,
//! matters. No choice takes less than a time of order r, and τ_2² = 1 attains it. m ≥ (1−δ)r is necessary, as ρ_B ≤ m.

mod figure_1;

use evidence::prelude::*;
use two_view::{Balance, Closeness, Features, LatentSizes, MatrixBlock, View, alignment_score};

use crate::shared::feature_families::families;
use crate::shared::finite_width::{FiniteWidth, TWO_STAGES, rigorous};
use crate::shared::high_temperature::HighTemperature;
use crate::shared::notation::{
    AGREEMENT, ALIGNMENT, BALANCE, COVARIANCE, DATA, EXTREME_STRENGTHS, FEATURES, H_ORTH, H_SIGMA, KAPPA, LOSS,
    LOSS_WITHOUT_NEGATIVES, MOTION, NOISE_RATIO, NORMALISER, OTHER_SIGNAL, OUTPUTS, RHO, SEVEN_RUNS, SIZES, SPREAD,
    WIDTH,
};
use crate::shared::stage_two_time::{RankSweep, sweeps};
use crate::shared::temperature_schedule::Schedule;
use crate::shared::two_stages::{Run, Summary, TwoStages, cold_first_stage, runs, without_negatives};
use figure_1::figure_1;

/// The statement about T_2 at every r of a sweep.
fn at_every(times: &[(f64, Interval)], test: impl Fn(f64, Interval) -> Evaluation) -> Evaluation {
    all_of(times.iter().map(|&(r, time)| (format!("r = {r}"), test(r, time))))
}

/// T_2 ≤ (s/K) r³: what the schedules that are exponentially slow miss by far.
fn within_a_cube(s: &RankSweep, times: &[(f64, Interval)]) -> Evaluation {
    at_every(times, |r, time| at_most(time, s.cube(r)))
}

fn balanced(s: &Summary) -> Evaluation {
    let names = ["‖Σ‖_F²/‖Σ‖²", "tr Σ/‖Σ‖", "(tr Σ)²/‖Σ‖_F²"];
    all_of(names.into_iter().zip(s.balance).map(|(name, b)| (name, at_least(Enclosure::measured(b), exact(0.9)))))
}

/// The balance of view A of arbitrary features, and their width.
fn balance_of(s: &HighTemperature) -> Result<(Interval, usize), MeasureError> {
    let sizes = LatentSizes::new(s.signal, s.noise)?;
    let stacked = MatrixBlock::from_fn(s.rows.len(), 2 * sizes.latents(), |i, j| Interval::point(s.rows[i][j]));
    let balance = Balance::of(&Features::new(sizes, stacked)?.gram(), View::A)?;
    Ok((balance.trace_over_largest(), s.rows.len()))
}

/// tr Σ/(r‖Σ‖) and the alignment given another signal, after both stages from a Gaussian start.
fn train(s: &FiniteWidth, trial: &mut Trial) -> Result<[Enclosure; 2], MeasureError> {
    let states = s.stages(&s.start(trial.rng())?, &TWO_STAGES, 1)?;
    let state = states.last().ok_or("no state")?;
    let end = rigorous(state)?;
    let balance = Balance::of(&end, View::A)?.trace_over_largest() / s.sigma_squared.len() as f64;
    let alignment = alignment_score(&end, Closeness::Distance)?.other_signal.score();
    Ok([balance, alignment].map(|x| Enclosure::from(x).as_measured()))
}

fn widths() -> Vec<(&'static str, FiniteWidth)> {
    let of = |width: u32, sigma: &[f64], noise: u32| FiniteWidth {
        width,
        sigma_squared: sigma.to_vec(),
        noise,
        noise_squared: 1.0,
        time: 40.0,
    };
    vec![
        ("m = r = 2, q = 1", of(2, &[2.0, 1.0], 1)),
        ("m = 50, r = 2, q = 1", of(50, &[2.0, 1.0], 1)),
        ("m = 400, r = 2, q = 1", of(400, &[2.0, 1.0], 1)),
        ("m = 100, r = 3", of(100, &[4.0, 1.0, 1.0], 0)),
        ("m = 1600, r = 3", of(1600, &[2.0, 1.0, 1.0], 0)),
    ]
}

pub fn claim() -> Claim {
    Claim::new("ren2023.thm-4.3b", "training with negatives: aligned and balanced", Kind::Convergence)
        .statement(
            "there are τ_1² (small) and τ_2², chosen from the sizes only, such that for every σ obeying H-σ the \
             two-stage flow of L reaches within poly(d) time a point with ρ_A → 1 and ρ_B ≥ (1−δ)r",
        )
        .source("Theorem 4.3 (b)", &["Section 4", "proof: Lemmas B.1, C.1"])
        .symbols([
            SIZES, WIDTH, DATA, H_ORTH, H_SIGMA, FEATURES, NORMALISER, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES,
            AGREEMENT, KAPPA, RHO, SPREAD, EXTREME_STRENGTHS,
        ])
        .symbol("Σ", COVARIANCE.meaning)
        .symbols([BALANCE, ALIGNMENT, OTHER_SIGNAL])
        .symbol("flow of L", MOTION)
        .symbols([SEVEN_RUNS, NOISE_RATIO])
        .symbol(
            "R_0",
            "κ_1²/κ_2² at the start of Stage 2; the time is t along the flow of L at τ_2² from there until κ_1²/κ_2² = \
             1.1",
        )
        .reconstructed("both temperatures and all sizes; only the qualitative claim survives")
        .remark(
            "The theorem says that some τ_1² and τ_2² work, and τ_2² = 1 does; the other schedules are a question of \
             ours. Times of Stage 2 are enclosures for aligned, noise-free starts with one strong direction.",
        )
        .remark(
            "Proof of the sharpening: with x = (Ru, u, …, u), R = κ_1²/κ_2² and v = (1 − e^{−2u})/2, (1 − S̄)(T_1 − \
             T_2) ≤ K(R − 1)v(1 − v)^{r−1} ≤ K(R − 1)/(e(r − 1)), so that R'/R ≥ −4Ks(R − 1)/(e(r − 1)). τ_2² = 1 \
             comes close to it for large r and small K: no temperature is much better.",
        )
        .remark(
            "Aligned with norms of one order, 1 − S̄ = O(K e^{−τ²/2}) for τ² ≤ r, so that τ_2² must stay O(log d); with \
             r = O(log d), τ_2² = Θ(r) would do. Over all draws ρ_A = 1 − 2^{−r}; the alignment here is that given z^- \
             ≠ z^+.",
        )
        .setting(printed())
        .setting(balanced_ends())
        .setting(width())
        .setting(at_finite_width())
        .series(
            "figure-1",
            "both stages of training with negatives, beside training without them, from one Gaussian start",
            figure_1,
        )
}

fn printed() -> Setting<RankSweep, Vec<(f64, Interval)>> {
    Setting::measuring(|s: &RankSweep, _| Ok(s.times()))
        .given(
            "H-orth; the flow of L, K > 0; K_A = K_B with orthogonal columns, no noise, one direction with σ_1² = s or \
             1/s among r − 1 with σ² = 1, κ_1²/κ_p² = R_0 ≥ 1.2 for p ≥ 2, ‖W_A‖_F² = r; r = 8, 16, …, 1024",
        )
        .family(edge("schedules", sweeps))
        .without_search()
        .part(
            "printed",
            "the time from κ_1²/κ_2² = R_0 to 1.1 is at most s(1 + K)e/(4K)·cosh²(R_0/(R_0 + r − 1))·((r−1) \
             log(11(1 − 1/R_0)) + log(10(R_0 − 1))): linear in r",
            holds(),
            |s, t| at_every(t, |r, time| at_most(time, s.longest_time(r, Interval::ONE))),
        )
        .our_constant("δ = 1/10 and the explicit bound: the words say a polynomial")
        .assume(Hypothesis::new("τ_2² = 1", |s| s.schedule == Schedule::Constant))
        .ours(
            "log",
            "the time from κ_1²/κ_2² = R_0 to 1.1 is at most s(1 + K)r/(4K log r)·cosh²(log r·R_0/(R_0 + \
             r − 1))·((r−1) log(11(1 − 1/R_0)) + log(10(R_0 − 1))): quadratic in r up to a logarithm",
            holds(),
            |s, t| at_every(t, |r, time| at_most(time, s.longest_time(r, Interval::point(r).ln()))),
        )
        .because("the theorem asks for one temperature that works")
        .assume(Hypothesis::new("τ_2² = log r", |s| s.schedule == Schedule::Logarithm))
        .ours(
            "root",
            "τ_2² = √r: the time is at most (s/K)r³",
            fails("1 − S̄ falls like e^{−√r}, so that no power of r is enough"),
            |s, t| within_a_cube(s, t),
        )
        .sides("the time", "(s/K)r³")
        .because("the theorem asks for one temperature that works")
        .assume(Hypothesis::new("τ_2² = √r", |s| s.schedule == Schedule::Root))
        .ours(
            "half",
            "τ_2² = r/2: the time is at most (s/K)r³",
            fails("1 − S̄ is exponentially small in r, so that no power of r is enough"),
            |s, t| within_a_cube(s, t),
        )
        .sides("the time", "(s/K)r³")
        .because("the theorem asks for one temperature that works")
        .assume(Hypothesis::new("τ_2² = r/2", |s| s.schedule == Schedule::Half))
        .ours(
            "full",
            "τ_2² = r: the time is at most (s/K)r³",
            fails("1 − S̄ is exponentially small in r, so that no power of r is enough"),
            |s, t| within_a_cube(s, t),
        )
        .sides("the time", "(s/K)r³")
        .because("the theorem asks for one temperature that works")
        .assume(Hypothesis::new("τ_2² = r", |s| s.schedule == Schedule::Linear))
        .sharpening(
            "no-faster",
            "for every τ_2², even one that varies in time, the time from κ_1²/κ_2² = R_0 to 1.1 is at least \
             (e(r−1)/(4Ks)) log(11(1 − 1/R_0))",
            holds(),
            |s, t| at_every(t, |r, time| at_least(time, s.least_time(r))),
        )
        .control(
            "n4",
            "the time from κ_1²/κ_2² = R_0 to 1.1 is at least (e(r−1)/(2Ks)) log(11(1 − 1/R_0))",
            |s, t| at_every(t, |r, time| at_least(time, 2.0 * s.least_time(r))),
        )
}

fn balanced_ends() -> Setting<TwoStages, Run> {
    Setting::measuring(|s: &TwoStages, _| s.run())
        .given("H-orth; the infinite-width start, the flow of L in two stages")
        .assume(Hypothesis::new("τ_1² ≤ 0.01", |s| s.tau_squared[0] <= 0.01))
        .family(edge("two stages", runs).restricted("runs after which nothing moves any more"))
        .family(edge("no negatives in Stage 2", without_negatives))
        .family(outside("a cold Stage 1", cold_first_stage))
        .without_search()
        .part(
            "balanced",
            "at the end of each of seven runs ρ_B ≥ 0.9r, all three meanings",
            consistent(),
            |_, run: &Run| balanced(&run.second),
        )
        .sides("ρ_B/r", "0.9")
        .our_constant("the runs and the level 0.9")
        .assume(Hypothesis::new("τ_2² > 0", |s| s.tau_squared[1] > 0.0))
        .part(
            "aligned",
            "at the end of each of seven runs min ρ ≥ 0.999 and the noise ratio is at most 0.05",
            consistent(),
            |_, run: &Run| run.second.aligned(),
        )
        .our_constant("the runs and the levels 0.999 and 0.05")
        .assume(Hypothesis::new("τ_2² > 0", |s| s.tau_squared[1] > 0.0))
        .step("stage-1", "at the end of Stage 1 of each run min ρ ≥ 0.99", consistent(), |_, run: &Run| {
            at_least(Enclosure::measured(run.first.correlation), exact(0.99))
        })
        .our_constant("the runs and the level 0.99")
        .control("n1", "τ_2² = 0 balances too", |_, run: &Run| balanced(&run.second))
        .sides("ρ_B/r at the end", "0.9")
        .assume(Hypothesis::new("τ_2² = 0", |s| s.tau_squared[1] == 0.0))
        .control("n3", "balanced at the end of Stage 1", |_, run: &Run| balanced(&run.first))
        .sides("ρ_B/r at the end of Stage 1", "0.9")
}

fn width() -> Setting<HighTemperature, (Interval, usize)> {
    Setting::measuring(|s: &HighTemperature, _| balance_of(s))
        .given("N_A > 0; Σ = E[f_Af_Aᵀ]")
        .family(families().into_iter().map(|f| f.taking(0.5)))
        .without_search()
        .step(
            "width",
            "tr Σ/‖Σ‖_2 ≤ m, so that m ≥ (1−δ)r is necessary",
            holds(),
            |_, &(balance, width)| at_most(balance, width),
        )
        .control("n2", "tr Σ/‖Σ‖_2 ≥ 0.9r for every width", |s, &(balance, _)| {
            at_least(balance, exact(0.9) * s.signal as f64)
        })
        .assume(Hypothesis::new("m < r", |s| s.rows.len() < s.signal))
}

fn at_finite_width() -> Setting<FiniteWidth, [Enclosure; 2]> {
    Setting::measuring(train)
        .given("H-orth; a start of iid N(0, 1/m) weights, the flow of L with τ_1² = 0.01 and τ_2² = 1, K = 1")
        .family(edge("widths", widths).restricted("five networks with m ≥ r"))
        .without_search()
        .part(
            "finite-width",
            "five networks, one start each, (m; σ²; q) = (2; 2,1; 1), (50; 2,1; 1), (400; 2,1; 1), (100; 4,1,1; 0), \
             (1600; 2,1,1; 0), σ_ξ² = 1: after t = 40 in each stage tr Σ/‖Σ‖_2 ≥ 0.9r and ρ_A by distance given z⁻ ≠ \
             z⁺ is ≥ 0.99",
            consistent(),
            |_, [balance, alignment]| {
                all_of([("balance", at_least(*balance, exact(0.9))), ("alignment", at_least(*alignment, exact(0.99)))])
            },
        )
        .sides("tr Σ/(r‖Σ‖_2), or ρ_A", "0.9, or 0.99")
        .our_constant("the networks, the times and the levels 0.9 and 0.99")
}
