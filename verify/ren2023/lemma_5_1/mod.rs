//! Lemma 5.1 with eq. (9): what Stage 1 achieves, at infinite width and τ = 0.
//!
//! Checked in closed form. ρ_p = tanh(σ_p²θ) in the clock dθ = (2c_K/N²)dt, and N² ≤ N_max² gives the time (e1). κ_p²
//! = σ_p² cosh(σ_p²θ)e^{−σ_p²I} with I ≤ θ is at least σ_p²/2 (e2), and Σ κ_p²/σ_p² ≤ ‖W_A‖_F² then bounds all ratios
//! by 2‖W_A‖_F²σ_p²/σ_{p'}² (e3): polynomial in d. Without noise λ = lim(θ − I) ≤ log 2/σ_min² gives (e4). The order
//! of the κ_p is that of the σ_p at all times, and the extreme ratio does not fall (e5), but the ratio of two weak
//! directions does fall in the presence of a strong group, so (e5′) is false.
//!
//! *How large cond(κ) becomes.* With noise and s = c log d it is of order √(d log d): more than the "√d" that the
//! text points to, by √log d. A smaller s attains √d, by continuity. Without noise it is d^{min(c log 2, a)/2} up to
//! logarithms if r = d^a, and only √log d for fixed r.

mod clock_solution;
mod stage_one_flows;
mod stage_one_rates;
mod wide_starts;

use evidence::prelude::*;
use two_view::PositivePairsState;

use crate::shared::equal_norm_families::{state_families, wide_families};
use crate::shared::equal_norms::{EqualNorms, log_condition};
use crate::shared::growing_dimension::{
    GrowingDimension, GrowthEnd, SignalCount, StrengthRatio, Strong, at_every, sweeps, table,
};
use crate::shared::hypotheses::{from_infinite_width, over_equal_norms};
use crate::shared::notation::{
    AGREEMENT, CONDITION, DATA, EXTREME_STRENGTHS, FEATURES, H_ORTH, H_SIGMA, KAPPA, LONG_RUN, LOSS,
    LOSS_WITHOUT_NEGATIVES, MOTION, NOISE_SHARE, NORMALISER_BOTH, OUTPUTS, RHO, SIZES, SPEED, SPREAD, WEIGHT_NORM,
};
use stage_one_flows::{FollowedFlow, TOO_LONG, follow, for_any_groups, for_ordered_groups, in_time, sigma_ratio};
use stage_one_rates::{StageOneRates, rates};
use wide_starts::{Monotone, WideStart, wide_start_families};

const SEVERAL_GROUPS: Hypothesis<EqualNorms> =
    Hypothesis::new("at least two groups of signals, alike in σ_p, κ_p and ρ_p", |s| s.signals.len() > 1);
const WITHOUT_NOISE: Hypothesis<EqualNorms> = Hypothesis::new("q = 0", |s| s.noise.is_none());
const WITH_NOISE: Hypothesis<GrowingDimension> = Hypothesis::new("noise", |g| g.noise);
const READING_A: Hypothesis<GrowingDimension> =
    Hypothesis::new("H-σ(a): s = max(1, c log d)", |g| g.ratio == StrengthRatio::Log);

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-5.1", "Stage 1 (informal), eq. (9)", Kind::Convergence)
        .statement(
            "with τ_1² small and m large, within poly(d) time and for all p, p', k: ‖[K_{A,ξ}]_k‖/‖[K_A]_p‖ small, ρ_p \
             ≥ 1 − small, and κ_p/κ_{p'} at most polynomial in d (of order √d); some σ obeying H-σ attains polynomial \
             growth",
        )
        .source("Lemma 5.1", &["eq. (9)", "Section 5.3", "formal version: Lemma B.1"])
        .symbols([
            SIZES, DATA, H_ORTH, H_SIGMA, FEATURES, NORMALISER_BOTH, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, AGREEMENT,
            KAPPA, RHO, SPEED, NOISE_SHARE, SPREAD, EXTREME_STRENGTHS, CONDITION, WEIGHT_NORM,
        ])
        .symbol("flow of L", MOTION)
        .symbols([LONG_RUN])
        .symbol("(e1)", "the bounds of the proof are numbered (e1) to (e5′)")
        .reconstructed("all sizes; only the qualitative claim survives, and the explicit forms are ours")
        .sense(
            "R1",
            "the condition number is at most polynomial in d, and some σ obeying H-σ attains a power of d; with noise",
        )
        .sense(
            "R1, growing r, no noise",
            "at most polynomial, and a power of d is attained without noise, under H-σ(a), where r grows like a power \
             of d",
        )
        .sense("R1, fixed r, no noise", "at most polynomial, and a power of d is attained without noise at a fixed r")
        .sense("R1, reading b, no noise", "at most polynomial, and a power of d is attained without noise under H-σ(b)")
        .sense("R2", "the condition number of K_A is O(√d) for every σ obeying H-σ(a), and some σ attains √d")
        .remark(
            "Checked at infinite width and τ = 0, where the flow is known in closed form; the noise ratio and finite \
             width are checked at Lemma B.1.",
        )
        .remark(
            "With noise and σ_1² = c log d, others 1: cond(κ²) → 2c e^{−1/c} d log d as t → ∞, so cond(κ) = O(√d) \
             fails by √log d and O(√(d σ_max²/σ_min²)) holds. A σ with cond(κ²) = d exists by continuity in σ_1². \
             Without noise and for fixed r, cond(κ²) ~ (r + 1) c log d: not polynomial; for r = d^a its exponent is \
             min(c log 2, a).",
        )
        .remark(
            "Proof of `with-ratio`, for every d: ‖W_A‖_F² ≤ d is constant, so that κ_p² ≤ dσ_p², and by (e2) κ_{p'}² ≥ \
             σ_{p'}²/2; hence κ_p²/κ_{p'}² ≤ 2dσ_p²/σ_{p'}².",
        )
        .remark(
            "(e5) holds with noise, too: log κ_p² = log σ_p² + log cosh σ_p²θ − σ_p²I increases in σ_p², because \
             x/(e^x + 1) < 1, and the extreme ratio has the rate σ_max²(ρ_max − Ψ) − σ_min²(ρ_min − Ψ) ≥ 0. (e5′) \
             fails where Ψ is held high by a strong group: the rate σ²(tanh σ²θ − Ψ) is not monotone in σ².",
        )
        .setting(printed())
        .setting(step_at_zero())
        .setting(step_of_ratios())
        .setting(from_wide_starts())
        .setting(attained_noise())
        .series("growth", "condition number at the end of Stage 1, one strong direction, c = 1", table)
}

fn printed() -> Setting<EqualNorms, FollowedFlow> {
    let setting = from_infinite_width(Setting::measuring(|s: &EqualNorms, _| follow(s)))
        .family(wide_families().into_iter().map(|f| f.taking(0.5)))
        .family(outside("nearly opposed views", || {
            // Where ρ is 0: artanh 0.99.
            let clock = 2.646_652_412_362_246;
            vec![("r = 1, ρ(0) = −0.99", EqualNorms::alike(1, -0.99, clock))]
        }))
        .without_search();
    controls(sharper(parts(setting)))
}

fn parts(setting: Setting<EqualNorms, FollowedFlow>) -> Setting<EqualNorms, FollowedFlow> {
    setting
        .part(
            "printed",
            "(e1) 1 − ρ_p ≤ δ for all p after T ≤ N_max²/(4c_Kσ_min²) log(2/δ): at every θ, with δ = 1 − min ρ there, \
             the time t is at most that",
            holds(),
            |s, f| in_time(s, f, s.weakest()),
        )
        .sides("2c_Kt = ∫N² dθ", "N_max²/(2σ_min²) log(2/δ)")
        .our_constant("the explicit time: the words say a polynomial")
        .ours("e2", "κ_p² ≥ σ_p²/2 at all times", holds(), |s, f| {
            for_each("group", &s.signals, |p, g| {
                let start = Interval::point(g.sigma_squared).ln() - Interval::point(2.0).ln();
                let worst = f.at.log_kappa_squared[p].min(f.limit[p]);
                at_least(worst, start).on_unit_scale()
            })
        })
        .sides("log κ_p² at θ or as t → ∞, the smaller", "log(σ_p²/2)")
        .part(
            "e3",
            "κ_p²/κ_{p'}² ≤ 2‖W_A‖_F² σ_p²/σ_{p'}² for all p, p' at all times: polynomial in d",
            holds(),
            |s, f| {
                for_any_groups(s, |p, o| {
                    let ratio = (f.at.log_kappa_squared[p] - f.at.log_kappa_squared[o]).max(f.limit[p] - f.limit[o]);
                    at_most(ratio, (2.0 * f.weight * sigma_ratio(s, p, o)).ln())
                })
            },
        )
        .sides("log(κ_p²/κ_{p'}²) at θ or as t → ∞, the larger", "log(2‖W_A‖_F²σ_p²/σ_{p'}²)")
        .our_constant("the explicit bound: the words say a polynomial")
        .assume(SEVERAL_GROUPS)
        .ours(
            "e4",
            "without noise, at all times, κ_p²/κ_{p'}² ≤ (σ_p²/σ_{p'}²)2^{s−1} whenever σ_p ≥ σ_{p'}",
            holds(),
            |s, f| {
                let top = (Interval::point(s.strongest()) / s.weakest() - 1.0) * Interval::point(2.0).ln();
                for_ordered_groups(s, |p, o| {
                    let ratio = (f.at.log_kappa_squared[p] - f.at.log_kappa_squared[o]).max(f.limit[p] - f.limit[o]);
                    at_most(ratio, sigma_ratio(s, p, o).ln() + top).on_unit_scale()
                })
            },
        )
        .sides("log(κ_p²/κ_{p'}²) at θ or as t → ∞, the larger", "log((σ_p²/σ_{p'}²)2^{s−1})")
        .assume(SEVERAL_GROUPS)
        .assume(WITHOUT_NOISE)
        .ours("e5", "max κ_p/min κ_p does not decrease from θ to 1.25θ", holds(), |_, f| {
            at_least(log_condition(&f.later.log_kappa_squared), log_condition(&f.at.log_kappa_squared)).on_unit_scale()
        })
        .sides("log cond(κ²) at 1.25θ", "log cond(κ²) at θ")
        .ours(
            "e5-pairs",
            "(e5′) κ_p/κ_{p'} does not decrease from θ to 1.25θ, for all p, p' with σ_p > σ_{p'}",
            fails("σ² = (20, …, 2, 1): the strong group holds Ψ up, and the second-weakest shrinks fastest"),
            |s, f| {
                let ratio =
                    |at: &PositivePairsState, p: usize, o: usize| at.log_kappa_squared[p] - at.log_kappa_squared[o];
                for_ordered_groups(s, |p, o| at_least(ratio(&f.later, p, o), ratio(&f.at, p, o)).on_unit_scale())
            },
        )
        .sides("log(κ_p²/κ_{p'}²) at 1.25θ", "log(κ_p²/κ_{p'}²) at θ")
        .assume(SEVERAL_GROUPS)
        .ours(
            "order",
            "what is left of (e5′): κ_p ≥ κ_{p'} at all times whenever σ_p ≥ σ_{p'}",
            holds(),
            |s, f| {
                for_ordered_groups(s, |p, o| {
                    at_least(f.at.log_kappa_squared[p], f.at.log_kappa_squared[o]).on_unit_scale()
                })
            },
        )
        .sides("log κ_p² at θ", "log κ_{p'}² at θ")
        .assume(SEVERAL_GROUPS)
}

fn sharper(setting: Setting<EqualNorms, FollowedFlow>) -> Setting<EqualNorms, FollowedFlow> {
    setting
        .sharpening(
            "e2-sharp",
            "in the limit t → ∞, κ_p² ≥ (σ_p²/2)2^{σ_p²/σ_max²} for every p",
            holds(),
            |s, f| {
                for_each("group", &s.signals, |p, g| {
                    let share = Interval::point(g.sigma_squared) / s.strongest() - 1.0;
                    let bound = Interval::point(g.sigma_squared).ln() + share * Interval::point(2.0).ln();
                    at_least(f.limit[p], bound).on_unit_scale()
                })
            },
        )
        .sides("log κ_p² as t → ∞", "log((σ_p²/2)2^{σ_p²/σ_max²})")
        .sharpening(
            "e4-sharp",
            "without noise, at all times, κ_p²/κ_{p'}² ≤ (σ_p²/σ_{p'}²)2^{(σ_p²−σ_{p'}²)/σ_min²} whenever σ_p ≥ σ_{p'}",
            holds(),
            |s, f| {
                for_ordered_groups(s, |p, o| {
                    let (a, b) = (s.signals[p].sigma_squared, s.signals[o].sigma_squared);
                    let top = (Interval::point(a) - b) / s.weakest() * Interval::point(2.0).ln();
                    let ratio = (f.at.log_kappa_squared[p] - f.at.log_kappa_squared[o]).max(f.limit[p] - f.limit[o]);
                    at_most(ratio, sigma_ratio(s, p, o).ln() + top).on_unit_scale()
                })
            },
        )
        .sides("log(κ_p²/κ_{p'}²) at θ or as t → ∞, the larger", "log((σ_p²/σ_{p'}²)2^{(σ_p²−σ_{p'}²)/σ_min²})")
        .assume(SEVERAL_GROUPS)
        .assume(WITHOUT_NOISE)
}

fn controls(setting: Setting<EqualNorms, FollowedFlow>) -> Setting<EqualNorms, FollowedFlow> {
    setting
        .step(
            "solver",
            "an adaptive solver at rtol = 1e-11 agrees with the closed form of log κ_p², ρ_p, the log of the squared \
             noise norm and ∫N²dθ at θ, within ten times the tolerance it achieved",
            holds(),
            |_, f| f.agrees(&f.solved[0]),
        )
        .sides("how many of these numbers are further apart", "0")
        .tested_by("n4")
        .except(TOO_LONG)
        .control("n4", "the solver agrees with every rate halved", |_, f| f.agrees(&f.solved[1]))
        .sides("how many of its numbers are further apart", "0")
        .except(TOO_LONG)
        .control("n1", "max κ_p²/min κ_p² is at the end at most σ_max²/σ_min²", |s, f| {
            at_most(log_condition(&f.limit), (Interval::point(s.strongest()) / s.weakest()).ln()).on_unit_scale()
        })
        .sides("log cond(κ²) as t → ∞", "log(σ_max²/σ_min²)")
        .control("n2", "without noise cond(κ²) always reaches s·2^s", |s, f| {
            let ratio = Interval::point(s.strongest()) / s.weakest();
            at_least(log_condition(&f.limit), ratio.ln() + ratio * Interval::point(2.0).ln())
        })
        .sides("log cond(κ²) as t → ∞", "log(s·2^s)")
        .assume(WITHOUT_NOISE)
        .control(
            "n3",
            "(e1) with σ_max²/20 in place of σ_min²: the time to align does not depend on σ_min, within a factor 20",
            |s, f| in_time(s, f, s.strongest() / 20.0),
        )
        .sides("2c_Kt = ∫N² dθ", "10N_max²/σ_max² log(2/δ)")
}

fn step_at_zero() -> Setting<EqualNorms, StageOneRates> {
    over_equal_norms(Setting::measuring(|s: &EqualNorms, _| rates(s)))
        .family(state_families())
        .step("s1", "at τ = 0, d/dt(1−ρ_p) = −(2c_Kσ_p²/N²)(1−ρ_p²)", holds(), |s, r| {
            for_each("group", &s.signals, |p, g| {
                let speed = 2.0 * r.speed * g.sigma_squared / r.square;
                let expected = speed * (1.0 - Interval::point(g.correlation).square());
                equal(r.correlation[p], expected).on_scale_of("2c_Kσ_p²/N²", speed.hi())
            })
        })
        .sides("dρ_p/dt", "(2c_Kσ_p²/N²)(1−ρ_p²)")
        .step(
            "s2",
            "d/dt log(κ_p²/κ_{p'}²) = (2c_K/N²)[σ_p²(ρ_p−Ψ) − σ_{p'}²(ρ_{p'}−Ψ)]",
            holds(),
            |s, r| {
                let rate = |p: usize| s.signals[p].sigma_squared * (s.signals[p].correlation - r.agreement);
                for_ordered_groups(s, |p, o| {
                    let speed = 2.0 * r.speed / r.square;
                    equal(r.log_norm[p] - r.log_norm[o], speed * (rate(p) - rate(o)))
                        .on_scale_of("4c_Kσ_max²/N²", 2.0 * s.strongest() * speed.hi())
                })
            },
        )
        .assume(SEVERAL_GROUPS)
        .step("s3", "|d/dt log(κ_p²/κ_{p'}²)| ≤ (2c_Kσ_max²/N²)((1 − min ρ) + η)", holds(), |s, r| {
            let bound = 2.0 * r.speed * s.strongest() / r.square
                * (1.0 - Interval::point(s.least_correlation()) + r.noise_share);
            for_ordered_groups(s, |p, o| {
                at_most((r.log_norm[p] - r.log_norm[o]).abs(), bound).on_scale_of("the right side", bound.hi())
            })
        })
        .assume(SEVERAL_GROUPS)
}

fn step_of_ratios() -> Setting<EqualNorms, (PositivePairsState, Option<Vec<Interval>>)> {
    over_equal_norms(Setting::measuring(|s: &EqualNorms, _| {
        let flow = s.flow()?;
        Ok((flow.at(s.clock)?, flow.limit()))
    }))
    .assume(Hypothesis::new("q = 0", |s| s.noise.is_none()))
    .assume(Hypothesis::new("ρ_p(0) ≥ 0", |s| s.least_correlation() >= 0.0))
    .family(state_families())
    .family(wide_families().into_iter().map(|f| f.taking(0.5)))
    .step(
        "s4",
        "at all times log(κ_p²/κ_{p'}²) differs from its start by at most s(1 − min ρ(0)), for all p, p'",
        holds(),
        |s, (at, limit)| {
            let room = Interval::point(s.strongest()) / s.weakest() * (1.0 - Interval::point(s.least_correlation()));
            for_ordered_groups(s, |p, o| {
                let start = (Interval::point(s.signals[p].kappa_squared) / s.signals[o].kappa_squared).ln();
                let change = |logs: &[Interval]| (logs[p] - logs[o] - start).abs();
                let worst = limit.as_ref().map_or(Interval::ZERO, |l| change(l)).max(change(&at.log_kappa_squared));
                at_most(worst, room).on_unit_scale()
            })
        },
    )
    .sides("|log(κ_p²/κ_{p'}²) − its start|, the larger of that at θ and as t → ∞", "s(1 − min ρ(0))")
    .assume(SEVERAL_GROUPS)
}

fn from_wide_starts() -> Setting<WideStart, Monotone> {
    Setting::measuring(|s: &WideStart, _| s.monotone())
        .given(
            "H-orth; τ = 0; the infinite-width start: κ_p² = σ_p², ρ_p = 0, squared noise norms σ_ξ²; dθ = (2c_K/N²)dt",
        )
        .family(wide_start_families())
        .step(
            "e5-search",
            "(e5) from any infinite-width start, also searched for: the rate σ_max²(ρ_max − Ψ) − σ_min²(ρ_min − Ψ) in \
             θ of the log ratio of κ² of the strongest and the weakest signal, ρ_max and ρ_min theirs, is ≥ 0, and κ_p \
             ≥ κ_{p'} where σ_p > σ_{p'}",
            holds(),
            |_, m| {
                let rate = at_least(m.extreme_rate, 0).on_scale_of("σ_max²", m.strongest);
                all_of([("rate", rate), ("order", at_least(m.least_step, 0).on_unit_scale())])
            },
        )
        .sides("the rate (part rate), or the least log(κ_p²/κ_{p'}²) of neighbouring strengths (part order)", "0")
        .assume(Hypothesis::new("two different strengths", |s| s.strengths_differ()))
        .control("a-all", "(e5′) for every pair of neighbouring strengths", |_, m| at_least(m.least_rate, 0))
        .sides("the least rate in θ of log(κ_p²/κ_{p'}²), σ_p²(ρ_p − Ψ) − σ_{p'}²(ρ_{p'} − Ψ)", "0")
}

fn attained_noise() -> Setting<GrowingDimension, Vec<GrowthEnd>> {
    Setting::measuring(|g: &GrowingDimension, _| g.sweep())
        .given(
            "H-orth; τ = 0, m = ∞, t → ∞, from κ_p² = σ_p², ρ_p = 0; with noise, q = d − r and σ_ξ = 1; r fixed, 2 ≤ r \
             ≤ 64, or d^{1/k}, 2 ≤ k ≤ 8; log d = 20, 40, 80, 160",
        )
        .assume(Hypothesis::new("one direction with σ² = s, the others with 1", |g| g.strong == Strong::One))
        .family(edge("growing dimension", sweeps))
        .without_search()
        .part(
            "attained-noise",
            "last clause, R1, with noise: cond(κ²) ≥ s((2d)^{1−1/s} − r + 1) at every d",
            holds(),
            |_, e| {
                at_every(e, |e| match e.spread_in_dimension() {
                    Some(spread) => at_least(e.log_condition, (e.strength * spread).ln()),
                    None => vacuous("(2d)^{1−1/s} ≤ r − 1"),
                })
            },
        )
        .sides("log cond(κ²)", "log(s((2d)^{1−1/s} − r + 1))")
        .our_constant("the explicit bound: the words say a power of d")
        .in_sense("R1")
        .assume(WITH_NOISE)
        .except("(2d)^{1−1/s} ≤ r − 1")
        .part(
            "attained-growing",
            "last clause, R1, without noise, for r = d^a under H-σ(a): cond(κ²) ≥ s min((3/2)^{s−1}, r/3 + 1) at every \
             d",
            holds(),
            |_, e| at_every(e, |e| at_least(e.log_condition, e.log_moderate())),
        )
        .sides("log cond(κ²)", "log(s min((3/2)^{s−1}, r/3 + 1))")
        .our_constant("the explicit bound: the words say a power of d")
        .in_sense("R1, growing r, no noise")
        .assume(Hypothesis::new("no noise", |g| !g.noise))
        .assume(Hypothesis::new("r = d^a", |g| matches!(g.signals, SignalCount::Root(_))))
        .assume(READING_A)
        .part(
            "attained-fixed",
            "last clause, R1, without noise, for fixed r: cond(κ²) ≥ d^{1/10} at log d = 160",
            fails(
                "cond(κ²) ≤ (r + 1)s: logarithmic in d, so that no power of d is attained; log cond(κ²)/log d at four \
                 sizes stands in the table growth under Curves",
            ),
            |_, e| at_least(e[3].log_condition, exact(e[3].log_d) / 10.0),
        )
        .sides("log cond(κ²) at log d = 160", "(log d)/10")
        .our_constant("the power 1/10 at log d = 160; without noise cond(κ²) ≤ 2rs, so that none serves")
        .in_sense("R1, fixed r, no noise")
        .assume(Hypothesis::new("no noise, fixed r, s = log d", |g| {
            !g.noise && matches!(g.signals, SignalCount::Fixed(_)) && g.constant == 1.0 && g.ratio == StrengthRatio::Log
        }))
        .part(
            "attained-b",
            "last clause, R1, without noise, under H-σ(b), r = d^a: cond(κ²) ≥ d^{1/10} at log d = 160",
            fails("cond(κ²) ≤ s 2^{s−1} with s = c√log d: smaller than every power of d"),
            |_, e| at_least(e[3].log_condition, exact(e[3].log_d) / 10.0),
        )
        .sides("log cond(κ²) at log d = 160", "(log d)/10")
        .our_constant("the power 1/10 at log d = 160; without noise cond(κ²) ≤ s2^{s−1}, so that none serves")
        .in_sense("R1, reading b, no noise")
        .assume(Hypothesis::new("no noise, r = d^a, H-σ(b): s = max(1, √log d)", |g| {
            !g.noise
                && matches!(g.signals, SignalCount::Root(_))
                && g.ratio == StrengthRatio::RootLog
                && g.constant == 1.0
        }))
        .part(
            "at-most-root-d",
            "R2: cond(κ) ≤ 10√d for every σ obeying H-σ(a), log d up to 160",
            fails("with noise and s = c log d, cond(κ²) ~ 2c e^{−1/c} d log d: no constant is large enough"),
            |_, e| at_every(e, |e| at_most(e.log_condition, Interval::point(100.0).ln() + e.log_d)),
        )
        .sides("log cond(κ²)", "log(100d)")
        .our_constant("the factor 10, at log d = 160: cond(κ²)/d is of order log d, so that none serves")
        .in_sense("R2")
        .assume(READING_A)
        .part(
            "attains-root-d",
            "R2, last clause, with noise, 2 ≤ r ≤ 64 or r = d^{1/k} with 2 ≤ k ≤ 8: s = log d has cond(κ) ≥ √d",
            holds(),
            |_, e| at_every(e, |e| at_least(e.log_condition, exact(e.log_d))),
        )
        .sides("log cond(κ²)", "log d")
        .our_constant("the factor one")
        .in_sense("R2")
        .assume(WITH_NOISE)
        .assume(Hypothesis::new("s = log d", |g| g.ratio == StrengthRatio::Log && g.constant == 1.0))
        .amendment("with-ratio", "cond(κ²) ≤ 2ds", holds(), |_, e| {
            at_every(e, |e| at_most(e.log_condition, Interval::point(2.0 * e.strength).ln() + e.log_d))
        })
        .sides("log cond(κ²)", "log(2ds)")
}
