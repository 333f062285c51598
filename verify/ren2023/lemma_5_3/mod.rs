//! Lemma 5.3 with eq. (10): Stage 2 makes the norms equal.
//!
//! The displays hold for every aligned, noise-free state: with T_p = tanh x_p, x_p = τ²κ_p²/‖κ‖², the ratio
//! κ_p²/κ_{p'}² of the largest to the smallest falls at least at the rate (4(1−S̄)σ_min²/N²)(T_p − T_{p'}), since T̄
//! lies between.
//!
//! "T_p − T_{p'} is Ω(1)" is not free: for τ_2² = Θ(1) it is Θ(1/r) (R2), and for τ_2² = Θ(r) it is Θ(1) (R1) but 1 −
//! S̄ is exponentially small. No τ_2² does better than 1/r: **(1 − S̄)(T_1 − T_2) ≤ K r^r/(r+1)^{r+1} ≤ K/(er)** at
//! κ² = (2, 1, …, 1), for every τ² and K. Proof: x = (2u, u, …, u) with u = τ²/(r+1), 1 − S̄ ≤ K∏ e^{−x_p} cosh x_p
//! and T_1 − T_2 = sinh u/(cosh 2u cosh u). With v = (1 − e^{−2u})/2 the product of the two is K v(1 − 2v)(1 −
//! v)^{r−2} ≤ K v(1 − v)^r, which is largest at v = 1/(r+1). The constant is approached as r → ∞, K → 0 at τ² = 1.

mod aligned_states;

use evidence::claim::Series;
use evidence::prelude::*;

use crate::shared::finite_columns::{Columns, finite, trained, widths};
use crate::shared::finite_width::{FiniteWidth, TWO_STAGES};
use crate::shared::notation::{
    AGREEMENT, CONDITION, DATA, EXTREME_STRENGTHS, FEATURES, GRAM, H_ORTH, KAPPA, LOSS, LOSS_WITHOUT_NEGATIVES, MOTION,
    NOISE_RATIO, NORMALISER_BOTH, OUTPUTS, RHO, SEVEN_RUNS, SIZES, WIDTH,
};
use crate::shared::stage_two_time::{RankSweep, sweeps};
use crate::shared::temperature_schedule::Schedule;
use crate::shared::two_stages::{Run, TwoStages, runs, without_negatives};
use aligned_states::{Aligned, AlignedMotion, families, motion};

/// d/dt log(κ_p²/κ_{p'}²) ≤ −factor·(4(1−S̄)/N²)(T_p − T_{p'}) for the largest and the smallest.
fn falls(m: &AlignedMotion, factor: f64) -> Evaluation {
    let [p, o] = m.extremes;
    let bound = -(m.speed * factor * (m.tanh[p] - m.tanh[o]));
    at_most(m.log_norm[p] - m.log_norm[o], bound)
        .on_scale_of("4(1−S̄)σ²/N², σ² the strength on the right", (m.speed * factor).hi())
}

fn strengths(s: &Aligned) -> [f64; 2] {
    let sigma = s.directions.iter().map(|d| d[0]);
    [sigma.clone().fold(f64::INFINITY, f64::min), sigma.fold(0.0, f64::max)]
}

fn table(_: &mut Trial) -> Result<Series, MeasureError> {
    let mut table = Series::of([
        ("τ_2²", ""),
        ("r", ""),
        ("T_1 − T_2", ""),
        ("r(T_1 − T_2)", ""),
        ("1 − S̄", ""),
        ("T_2 to cond(κ²) = 1.1", ""),
    ]);
    for (schedule, name) in
        [(Schedule::Constant, "1"), (Schedule::Logarithm, "log r"), (Schedule::Root, "√r"), (Schedule::Linear, "r")]
    {
        let sweep = RankSweep { schedule, strength: 1.0, ratio: 2.0, negatives: 1.0 };
        for r in [8.0, 32.0, 128.0, 512.0] {
            let m = sweep.start(r);
            let number = |x: Interval| Enclosure::from(x).into();
            table.push([
                name.into(),
                (r as u64).into(),
                number(m.gap),
                number(r * m.gap),
                number(m.rest),
                number(sweep.time(r)),
            ]);
        }
    }
    Ok(table)
}

const CONSTANT: Hypothesis<RankSweep> = Hypothesis::new("τ_2² = 1", |s| s.schedule == Schedule::Constant);
const LINEAR: Hypothesis<RankSweep> = Hypothesis::new("τ_2² = r", |s| s.schedule == Schedule::Linear);
const UNBALANCED: Hypothesis<RankSweep> = Hypothesis::new("κ_1²/κ_2² ≥ 2", |s| s.ratio >= 2.0);

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-5.3", "Stage 2 (informal), eq. (10)", Kind::Convergence)
        .statement(
            "after Stage 1 and a switch to τ_2², within poly(d) time κ_p/κ_{p'} ≤ 1 + small for all p, p', while ρ_p ≥ \
             1 − small and the noise ratio stays small; for the largest κ_p and the smallest κ_{p'}, T_p ≥ T̄ ≥ T_{p'} \
             and d/dt log(κ_p²/κ_{p'}²) ≤ −(4(1−S̄)σ_min²/N²)(T_p−T_{p'})",
        )
        .source("Lemma 5.3", &["eq. (10)", "Section 5.4", "formal version: Lemma C.1"])
        .symbols([
            SIZES, WIDTH, DATA, H_ORTH, FEATURES, NORMALISER_BOTH, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, GRAM,
            AGREEMENT, KAPPA, RHO, EXTREME_STRENGTHS, CONDITION,
        ])
        .symbol("flow of L", MOTION)
        .symbols([SEVEN_RUNS, NOISE_RATIO])
        .symbol("p′", "as p' the signal of the smallest κ")
        .symbol(
            "sup-distance",
            "the largest Frobenius norm of the difference of the two G at 12 equal steps of time in each stage, that \
             of infinite width from κ_p² = σ_p², ρ_p = 0, squared noise norms σ_ξ²",
        )
        .reconstructed("all sizes and displays; only the qualitative claim survives")
        .sense("R1", "\"T_p − T_{p'} is …\" reads Ω(1), for τ_2² = Θ(1)")
        .sense("R1-full", "\"T_p − T_{p'} is …\" reads Ω(1), for τ_2² = Θ(r), and the rate is an inverse polynomial")
        .sense("R2", "\"T_p − T_{p'} is …\" reads Ω(1/r), for τ_2² = Θ(1)")
        .remark("How T_p − T_{p'} scales is lost: R1 reads Ω(1), R2 reads Ω(1/r).")
        .remark(
            "R1 and a rate that is not small exclude each other: for κ² = (2, 1, …, 1) and every τ², (1 − S̄)(T_1 − \
             T_2) ≤ K r^r/(r+1)^{r+1} ≤ K/(er), because with v = (1 − e^{−2τ²/(r+1)})/2 it is at most K v(1 − v)^r. So \
             Stage 2 takes a time of order r at least; τ_2² = Θ(1) attains it.",
        )
        .setting(printed())
        .setting(gaps())
        .setting(balanced())
        .setting(at_finite_width())
        .setting(tracks())
        .series(
            "schedules",
            "Stage 2 from κ² proportional to (2, 1, …, 1), with ‖κ‖² = r, so that N² = 1; σ² = 1, K = 1; p = 1, p' = 2, \
             and T_2 is the time from there",
            table,
        )
}

fn printed() -> Setting<Aligned, AlignedMotion> {
    Setting::measuring(|s: &Aligned, _| motion(s))
        .given(
            "H-orth; the flow of L, τ² ≥ 0, K > 0; aligned and without noise: K_A = K_B with orthogonal columns, all \
             κ_p > 0; T_p = tanh(τ²κ_p²/‖κ‖²), T̄ = Σκ_p²T_p/‖κ‖², N² = ‖κ‖²/r, 1 − S̄ = K∏cosh x_p/(e^{τ²} + K∏cosh \
             x_p), x_p = τ²κ_p²/‖κ‖²",
        )
        .family(families())
        .part(
            "printed",
            "d/dt log(κ_p²/κ_{p'}²) ≤ −(4(1−S̄)σ_min²/N²)(T_p−T_{p'}) for p with the largest κ_p and p' with the \
             smallest",
            holds(),
            |s, m| falls(m, strengths(s)[0]),
        )
        .because("a display of Section 5.4, taken with the lemma that it outlines")
        .part("display", "d/dt κ_p² = (4(1−S̄)σ_p²/N²)(T̄ − T_p)κ_p² for every p", holds(), |s, m| {
            for_each("direction", &s.directions, |p, d| {
                let expected = m.speed * d[0] * (m.mean - m.tanh[p]);
                equal(m.log_norm[p], expected).on_scale_of("4(1−S̄)σ_p²/N²", (m.speed * d[0]).hi())
            })
        })
        .sides("d/dt log κ_p²", "(4(1−S̄)σ_p²/N²)(T̄ − T_p)")
        .because("a display of Section 5.4, taken with the lemma that it outlines")
        .part("aligned-stays", "an aligned state stays aligned: dρ_p/dt = 0 for every p", holds(), |s, m| {
            for_each("direction", &m.correlation, |p, v| {
                equal(*v, 0).on_scale_of("4(1−S̄)σ_p²/N²", (m.speed * s.directions[p][0]).hi())
            })
        })
        .tested_by("n5")
        .step("s1", "T_p ≥ T̄ ≥ T_{p'} for the largest κ_p and the smallest κ_{p'}", holds(), |_, m| {
            let [p, o] = m.extremes;
            all_of([
                ("largest", at_least(m.tanh[p], m.mean).on_unit_scale()),
                ("smallest", at_most(m.tanh[o], m.mean).on_unit_scale()),
            ])
        })
        .sides("T_p (part largest) or T_{p'} (part smallest)", "T̄")
        .control("n5", "the norms of an aligned state stay as well: dκ_p²/dt = 0", |s, m| {
            for_each("direction", &m.log_norm, |p, v| {
                let scale = (m.speed * s.directions[p][0]).hi();
                equal(*v, 0).on_scale_of("4(1−S̄)σ_p²/N²", scale)
            })
        })
        .sides("d/dt log κ_p²", "0")
        .control(
            "n1",
            "the ratio of the largest κ_p² to the smallest falls with τ_2² = 0, at least at the rate 10^{−6}·4(1−S̄)/N² \
             of its logarithm",
            |_, m| {
                let [p, o] = m.extremes;
                at_most(m.log_norm[p] - m.log_norm[o], -1e-6 * m.speed)
            },
        )
        .sides("d/dt log(κ_p²/κ_{p'}²)", "−10^{−6}·4(1−S̄)/N²")
        .assume(Hypothesis::new("τ = 0", |s| s.tau_squared == 0.0))
        .control(
            "n2",
            "d/dt κ_p² = (4(1−S̄)σ_p²/N²)(T_p − T̄)κ_p² for the largest κ_p: T̄ − T_p replaced by T_p − T̄",
            |s, m| {
                let [p, _] = m.extremes;
                equal(m.log_norm[p], m.speed * s.directions[p][0] * (m.tanh[p] - m.mean))
            },
        )
        .sides("d/dt log κ_p²", "(4(1−S̄)σ_p²/N²)(T_p − T̄)")
        .control("n3", "the rate with σ_max² in place of σ_min²", |s, m| falls(m, strengths(s)[1]))
        .sides("d/dt log(κ_p²/κ_{p'}²)", "−(4(1−S̄)σ_max²/N²)(T_p−T_{p'})")
}

fn gaps() -> Setting<RankSweep, ()> {
    Setting::<RankSweep, ()>::of()
        .given(
            "H-orth; aligned and without noise, κ² = (R_0, 1, …, 1) with R_0 > 1; K > 0; r = 8, 16, …, 1024; p = 1 and \
             p' = 2; T_p = tanh x_p, x_p = τ_2²κ_p²/‖κ‖², 1 − S̄ = K∏cosh x_p/(e^{τ_2²} + K∏cosh x_p)",
        )
        .family(edge("schedules", sweeps))
        .family(outside("a small ratio", || {
            let sweep = |schedule| RankSweep { schedule, strength: 1.0, ratio: 1.5, negatives: 1.0 };
            [Schedule::Linear, Schedule::Constant].map(|x| (sweep(x).to_string(), sweep(x))).to_vec()
        }))
        .family(edge("weak negatives", || {
            let sweep = RankSweep { schedule: Schedule::Constant, strength: 1.0, ratio: 2.0, negatives: 0.01 };
            vec![(sweep.to_string(), sweep)]
        }))
        .without_search()
        .part(
            "gap-r1",
            "R1: T_p − T_{p'} is Ω(1) at a fixed ratio, τ_2² = 1: at least 1/100 for r up to 1024",
            fails("T_1 − T_2 ≤ (R_0 − 1)/(R_0 + r − 1): no constant is small enough"),
            |s, ()| s.at_every(|r| at_least(s.start(r).gap, exact(0.01))),
        )
        .sides("T_1 − T_2", "1/100")
        .our_constant("the level 1/100: the gap falls like 1/r, so that none serves")
        .in_sense("R1")
        .assume(CONSTANT)
        .part(
            "gap-r1-full",
            "R1 for τ_2² = r: T_1 − T_2 ≥ tanh 2 − tanh 1 = 0.20… for every r",
            holds(),
            |s, ()| {
                let limit = Interval::point(2.0).tanh() - Interval::ONE.tanh();
                s.at_every(|r| at_least(s.start(r).gap, limit))
            },
        )
        .our_constant("the level tanh 2 − tanh 1 from the ratio 2 on")
        .in_sense("R1-full")
        .assume(LINEAR)
        .assume(UNBALANCED)
        .part(
            "rest-full",
            "1 − S̄ is Ω(1/poly(r)) for τ_2² = r: at least r^{−10} for r up to 1024",
            fails("1 − S̄ ≤ K((1 + e^{−2u})/2)^{r−1}, u → 1: exponentially small, so that no power of r is enough"),
            |s, ()| s.at_every(|r| at_least(s.start(r).rest, Interval::point(r).powi(-10))),
        )
        .sides("1 − S̄", "r^{−10}")
        .our_constant("the power 10: 1 − S̄ is exponentially small in r, so that none serves")
        .in_sense("R1-full")
        .because("the linear rate that the text concludes needs it")
        .assume(LINEAR)
        .part(
            "gap-r2",
            "R2: T_p − T_{p'} is Ω(1/r) and 1 − S̄ is Ω(1) for τ_2² = 1: T_1 − T_2 ≥ (R_0 − 1)/((R_0 + r − 1) cosh² 1) \
             and 1 − S̄ ≥ K/(K + e) for every r",
            holds(),
            |s, ()| {
                let (start, k) = (Interval::point(s.ratio), Interval::point(s.negatives));
                let cosh = (Interval::ONE.exp() + (-Interval::ONE).exp()) * 0.5;
                s.at_every(|r| {
                    let m = s.start(r);
                    let gap = (start - 1.0) / ((start + (r - 1.0)) * cosh.square());
                    all_of([
                        ("T_1 − T_2", at_least(m.gap, gap)),
                        ("1 − S̄", at_least(m.rest, k / (k + Interval::ONE.exp()))),
                    ])
                })
            },
        )
        .our_constant("the explicit factors: the words name an order only")
        .in_sense("R2")
        .assume(CONSTANT)
        .sharpening(
            "no-schedule",
            "(1 − S̄)(T_1 − T_2) ≤ K r^r/(r+1)^{r+1} ≤ K/(er) at κ² = (2, 1, …, 1), for every τ_2²",
            holds(),
            |s, ()| {
                s.at_every(|r| {
                    let m = s.motion(r, Interval::point(2.0).ln());
                    let power = (-(r + 1.0) * (Interval::ONE / r).ln_1p()).exp();
                    let largest = Interval::point(s.negatives) / r;
                    ascending([m.rest * m.gap, largest * power, largest / Interval::ONE.exp()].map(Into::into))
                })
            },
        )
}

fn balanced() -> Setting<TwoStages, Run> {
    Setting::measuring(|s: &TwoStages, _| s.run())
        .given("H-orth; the infinite-width start, the flow of L in two stages")
        .assume(Hypothesis::new("τ_2² > 0", |s| s.tau_squared[1] > 0.0))
        .family(edge("two stages", runs).restricted("runs after which nothing moves any more"))
        .family(outside("no negatives in Stage 2", without_negatives))
        .without_search()
        .part(
            "balanced",
            "at the end of each of seven runs cond(κ²) ≤ 1.1, min ρ ≥ 0.999, noise ratio ≤ 0.05",
            consistent(),
            |_, run: &Run| {
                let condition = Enclosure::measured(run.second.condition);
                all_of([("condition", at_most(condition, exact(1.1))), ("alignment and noise", run.second.aligned())])
            },
        )
        .our_constant("the runs and the levels 1.1, 0.999 and 0.05")
        .part(
            "kept",
            "in each of seven runs min ρ is no smaller and the noise ratio no larger after Stage 2 than before it, to \
             within the largest error that the solver estimates",
            holds(),
            |_, run: &Run| {
                let (first, second, error) = (&run.first, &run.second, Enclosure::measured(run.error));
                let measured = Enclosure::measured;
                all_of([
                    ("alignment", at_least(measured(second.correlation) + error, measured(first.correlation))),
                    ("noise", at_most(measured(second.noise_ratio), measured(first.noise_ratio) + error)),
                ])
            },
        )
        .sides(
            "min ρ after Stage 2 plus the error (part alignment), or the noise ratio after it (part noise)",
            "min ρ before Stage 2 (part alignment), or the noise ratio before it plus the error (part noise)",
        )
}

fn at_finite_width() -> Setting<FiniteWidth, [Columns; 2]> {
    Setting::measuring(trained)
        .given("H-orth; a start of iid N(0, 1/m) weights, the flow of L with τ_1² = 0.01 and τ_2² = 1, K = 1")
        .family(edge("widths", widths).restricted("three networks with m ≥ 50 r/3"))
        .without_search()
        .part(
            "finite-width",
            "three networks, one start each, (m; σ²; q) = (50; 2,1; 1), (400; 2,1; 1), (100; 4,1,1; 0), σ_ξ² = 1: \
             after t = 40 in each stage cond(κ²) ≤ 1.1, min ρ ≥ 0.999, noise ratio ≤ 0.05, |cos| of columns of \
             different signals of one view ≤ 0.05, the worse of both views",
            consistent(),
            |_, [_, after]| {
                let measured = Enclosure::measured;
                all_of([
                    ("condition", at_most(measured(after.condition), exact(1.1))),
                    ("alignment", at_least(measured(after.correlation), exact(0.999))),
                    ("noise", at_most(measured(after.noise_ratio), exact(0.05))),
                    ("cosines", at_most(measured(after.cosine), exact(0.05))),
                ])
            },
        )
        .our_constant("the networks, the times and the levels 1.1, 0.999 and 0.05")
        .control("n4", "balanced before Stage 2, at finite width: cond(κ²) ≤ 1.1", |_, [before, _]| {
            at_most(Enclosure::measured(before.condition), exact(1.1))
        })
}

fn tracks() -> Setting<FiniteWidth, Vec<(f64, f64)>> {
    Setting::measuring(|s: &FiniteWidth, trial| s.distances(&TWO_STAGES, 12, &[1, 8, 64, 512], trial))
        .given(
            "H-orth; starts of iid N(0, 1/m) weights, the flow of L with τ_1² = 0.01 and τ_2² = 1, K = 1, t ≤ 10 + 10",
        )
        .family(edge("growing width", || {
            vec![("r = 2", finite(50, &[2.0, 1.0], 0, 10.0)), ("r = 2, q = 1", finite(50, &[2.0, 1.0], 1, 10.0))]
        }))
        .without_search()
        .part(
            "tracks",
            "the sup-distance of G to the infinite-width trajectory over both stages falls at least like m^{−1/2}, m = \
             50, 400, 3200, 25600, eight starts or more at each",
            consistent(),
            |_, distances| Trend::through(distances).named("m").grows_at_most(-0.5),
        )
}
