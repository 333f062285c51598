//! Lemma 5.3 with eq. (10): Stage 2 makes the norms equal.
//!
//! The displays hold for every aligned, noise-free state: with T_p = tanh x_p, x_p = τ²κ_p²/‖κ‖², the ratio
//! κ_p²/κ_{p'}² of the largest to the smallest falls at least at the rate (4(1−S̄)σ_min²/N²)(T_p − T_{p'}), since T̄
//! lies between.
//!
//! "T_p − T_{p'} is Ω(1)" is not free: for τ_2² = Θ(1) it is Θ(1/r) (R2), and for τ_2² = Θ(r) it is Θ(1) (R1) but 1 −
//! S̄ is exponentially small. No τ_2² does better than 1/r: u = τ²/(r+1) for κ² = (2, 1, …, 1) gives T_1 − T_2 ≤ u
//! and 1 − S̄ ≤ K((1 + e^{−2u})/2)^{r−1} ≤ K e^{−(r−1) min(u,1)/2}, hence **(1 − S̄)(T_1 − T_2) ≤ 2K/(e(r−1))** for
//! every τ² and K. (For u ≥ 1, T_1 − T_2 ≤ 1 and x e^{−x} ≤ 1/e.)

use contrapositive::claim::{
    Claim, Evaluation, Kind, MeasureError, Series, Setting, Trial, all_of, at_least, at_most, consistent, edge, equal,
    fails, holds, random,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use contrapositive::interval::Interval;
use contrapositive::multimodal::{DiagonalLaw, DiagonalState, Objective};
use proptest::collection::vec;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use super::schedules::{Sweep, sweeps};
use super::temperature_schedule::Schedule;
use super::two_stages::{Run, TwoStages, runs};

/// An aligned state without noise: (σ_p², κ_p²).
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Aligned {
    directions: Vec<[f64; 2]>,
    tau_squared: f64,
    negatives: f64,
}

impl Instance for Aligned {
    fn describe(&self) -> String {
        format!(
            "(σ², κ²) = {:?}, τ² = {}, K = {}",
            self.directions, self.tau_squared, self.negatives
        )
    }

    fn validate(&self) -> Result<(), String> {
        let fits = |x: f64| (1e-3..=1e3).contains(&x);
        let numbers = self.directions.iter().flatten().all(|&x| fits(x)) && fits(self.negatives);
        if numbers && !self.directions.is_empty() && (0.0..=100.0).contains(&self.tau_squared) {
            Ok(())
        } else {
            Err(self.describe())
        }
    }

    fn simpler(&self) -> Vec<Self> {
        let without = |drop: usize| {
            let mut less = self.clone();
            less.directions.remove(drop);
            less
        };
        (0..self.directions.len()).map(without).collect()
    }
}

struct Motion {
    /// d/dt log κ_p² and dρ_p/dt.
    log_norm: Vec<Interval>,
    correlation: Vec<Interval>,
    /// T_p and T̄.
    tanh: Vec<Interval>,
    mean: Interval,
    /// 4(1−S̄)/N².
    speed: Interval,
    /// Positions of the largest and the smallest κ_p².
    extremes: [usize; 2],
}

fn motion(s: &Aligned) -> Result<Motion, MeasureError> {
    let law = DiagonalLaw::new(s.directions.iter().map(|d| d[0]).collect(), 1.0, 0)?;
    let kappa: Vec<Interval> = s.directions.iter().map(|d| Interval::point(d[1])).collect();
    let state = DiagonalState {
        a: kappa.clone(),
        b: kappa.clone(),
        h: kappa.clone(),
        noise_a: vec![],
        noise_b: vec![],
    };
    let objective = Objective::Contrastive {
        tau_squared: s.tau_squared,
        negatives: s.negatives,
    };
    let (by, v) = (law.selection(&state, objective)?, law.velocity(&state, objective)?);
    let tanh: Vec<Interval> = by.arguments.iter().map(|x| x.tanh()).collect();
    let weighted: Interval = kappa.iter().zip(&tanh).map(|(k, t)| *k * *t).sum();
    let order = |a: &usize, b: &usize| s.directions[*a][1].total_cmp(&s.directions[*b][1]);
    let n = s.directions.len();
    Ok(Motion {
        log_norm: v.a.iter().zip(&kappa).map(|(v, k)| *v / *k).collect(),
        correlation: (0..n).map(|p| (v.h[p] - v.a[p]) / kappa[p]).collect(),
        mean: weighted / kappa.iter().copied().sum::<Interval>(),
        tanh,
        speed: 4.0 * by.rest / by.normalisers_squared[0],
        extremes: [(0..n).max_by(order).unwrap_or(0), (0..n).min_by(order).unwrap_or(0)],
    })
}

/// d/dt log(κ_p²/κ_{p'}²) ≤ −factor·(4(1−S̄)/N²)(T_p − T_{p'}) for the largest and the smallest.
fn falls(m: &Motion, factor: f64) -> Evaluation {
    let [p, o] = m.extremes;
    let bound = -(m.speed * factor * (m.tanh[p] - m.tanh[o]));
    at_most(m.log_norm[p] - m.log_norm[o], bound).on_scale((m.speed * factor).hi())
}

fn strengths(s: &Aligned) -> [f64; 2] {
    let sigma = s.directions.iter().map(|d| d[0]);
    [sigma.clone().fold(f64::INFINITY, f64::min), sigma.fold(0.0, f64::max)]
}

fn aligned() -> Vec<(&'static str, Aligned)> {
    let of = |directions: &[[f64; 2]], tau_squared: f64, negatives: f64| Aligned {
        directions: directions.to_vec(),
        tau_squared,
        negatives,
    };
    vec![
        ("κ² = (4,1)", of(&[[1.0, 4.0], [1.0, 1.0]], 1.0, 1.0)),
        (
            "σ² = (1,1,9), κ² = (3,1,2)",
            of(&[[1.0, 3.0], [1.0, 1.0], [9.0, 2.0]], 1.0, 1.0),
        ),
        ("κ against σ", of(&[[1.0, 5.0], [4.0, 1.0], [2.0, 2.0]], 3.0, 2.0)),
        ("balanced", of(&[[2.0, 1.0], [1.0, 1.0]], 2.0, 0.5)),
        ("one direction", of(&[[1.0, 2.0]], 1.0, 1.0)),
        (
            "one dominates",
            of(&[[1.0, 500.0], [1.0, 1.0], [3.0, 0.01]], 10.0, 10.0),
        ),
        ("τ = 0", of(&[[3.0, 4.0], [1.0, 1.0]], 0.0, 1.0)),
        ("large τ", of(&[[3.0, 2.0], [1.0, 1.0], [1.0, 1.0]], 50.0, 0.1)),
    ]
}

fn drawn() -> impl Strategy<Value = Aligned> {
    (vec((-2.0..3.0f64, -3.0..3.0f64), 1..7), -5.0..3.4f64, -2.3..2.3f64).prop_map(
        |(directions, log_tau, log_negatives)| {
            let e = |x: f64| Enclosure::from(x).exp().midpoint();
            Aligned {
                directions: directions.into_iter().map(|(s, k)| [e(s), e(k)]).collect(),
                tau_squared: e(log_tau),
                negatives: e(log_negatives),
            }
        },
    )
}

/// A quantity at κ² = (ratio, 1, …, 1) for every r.
fn along(s: &Sweep, f: impl Fn(f64, super::schedules::Motion) -> Interval) -> Vec<Interval> {
    let y = Interval::point(s.ratio).ln();
    Sweep::SIZES.iter().map(|&r| f(r, s.motion(r, y))).collect()
}

fn shown(list: &[Interval]) -> String {
    let one = |x: &Interval| format!("{:.2e}", x.midpoint());
    list.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Bounded below as r grows: the last value is at least a quarter of that at r = 16.
fn stays(list: &[Interval]) -> Evaluation {
    at_least(list[7], 0.25 * list[1])
        .as_trend()
        .noting(format!("r = 8 to 1024: {}", shown(list)))
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
    for (schedule, name) in [
        (Schedule::Constant, "1"),
        (Schedule::Logarithm, "log r"),
        (Schedule::Root, "√r"),
        (Schedule::Linear, "r"),
    ] {
        let sweep = Sweep {
            schedule,
            strength: 1.0,
            ratio: 2.0,
            negatives: 1.0,
        };
        for r in [8.0, 32.0, 128.0, 512.0] {
            let m = sweep.motion(r, Interval::point(2.0).ln());
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

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-5.3", "Stage 2 (informal), eq. (10)", Kind::Convergence)
        .statement(
            "after Stage 1 and a switch to τ_2², within poly(d) time κ_p/κ_{p'} ≤ 1 + small for all p, p', while \
             ρ_p ≥ 1 − small and the noise ratio stays small; for the largest κ_p and the smallest κ_{p'}, T_p ≥ T̄ \
             ≥ T_{p'} and d/dt log(κ_p²/κ_{p'}²) ≤ −(4(1−S̄)σ_min²/N²)(T_p−T_{p'})",
        )
        .source("Lemma 5.3", &["eq. (10)", "Section 5.4", "formal version: Lemma C.1"])
        .remark(
            "Reconstructed: only the qualitative claim survives; the displays are ours. How T_p − T_{p'} scales is \
             lost: R1 reads Ω(1), R2 reads Ω(1/r) for τ_2² = Θ(1).",
        )
        .remark(
            "R1 and a rate that is not small exclude each other: for κ² = (2, 1, …, 1) and every τ², (1 − S̄)(T_1 − \
             T_2) ≤ 2K/(e(r−1)), proved from (1 + e^{−2u})/2 ≤ e^{−min(u,1)/2} and x e^{−x} ≤ 1/e. So Stage 2 takes \
             a time of order r at least; τ_2² = Θ(1) attains it.",
        )
        .setting(
            Setting::measuring(|s: &Aligned, _| motion(s))
                .assume("aligned, no noise", |s| !s.directions.is_empty())
                .family(edge("named", aligned))
                .family(random("any aligned state", drawn))
                .without_search()
                .reading(
                    "printed",
                    "d/dt log(κ_p²/κ_{p'}²) ≤ −(4(1−S̄)σ_min²/N²)(T_p−T_{p'}) for the largest and the smallest",
                    holds(),
                    |s, m| falls(m, strengths(s)[0]),
                )
                .reading(
                    "display",
                    "d/dt κ_p² = (4(1−S̄)σ_p²/N²)(T̄ − T_p)κ_p² for every p",
                    holds(),
                    |s, m| {
                        all_of(s.directions.iter().enumerate().map(|(p, d)| {
                            let expected = m.speed * d[0] * (m.mean - m.tanh[p]);
                            (
                                format!("direction {p}"),
                                equal(m.log_norm[p], expected).on_scale((m.speed * d[0]).hi()),
                            )
                        }))
                    },
                )
                .reading(
                    "aligned-stays",
                    "an aligned state stays aligned: dρ_p/dt = 0",
                    holds(),
                    |s, m| {
                        all_of(m.correlation.iter().enumerate().map(|(p, v)| {
                            (
                                format!("direction {p}"),
                                equal(*v, 0.0).on_scale((m.speed * s.directions[p][0]).hi()),
                            )
                        }))
                    },
                )
                .step(
                    "s1",
                    "T_p ≥ T̄ ≥ T_{p'} for the largest κ_p and the smallest κ_{p'}",
                    holds(),
                    |_, m| {
                        let [p, o] = m.extremes;
                        all_of([
                            ("largest", at_least(m.tanh[p], m.mean).on_scale(1.0)),
                            ("smallest", at_most(m.tanh[o], m.mean).on_scale(1.0)),
                        ])
                    },
                )
                .control("n1", "the ratio falls with τ_2² = 0", |_, m| {
                    let [p, o] = m.extremes;
                    at_most(m.log_norm[p] - m.log_norm[o], -1e-6 * m.speed)
                })
                .when("τ = 0", |s| s.tau_squared == 0.0)
                .control("n2", "T̄ − T_p replaced by T_p − T̄", |s, m| {
                    let [p, _] = m.extremes;
                    equal(m.log_norm[p], m.speed * s.directions[p][0] * (m.tanh[p] - m.mean))
                })
                .control("n3", "the rate with σ_max² in place of σ_min²", |s, m| {
                    falls(m, strengths(s)[1])
                }),
        )
        .setting(
            Setting::of()
                .assume("κ_1² > κ_2²", |s: &Sweep| s.ratio > 1.0)
                .family(edge("schedules", sweeps))
                .without_search()
                .reading(
                    "gap-r1",
                    "R1: T_p − T_{p'} is Ω(1) at a fixed ratio, τ_2² = 1",
                    fails("T_1 − T_2 = (ratio − 1)τ²/r·(1 + o(1))"),
                    |s, ()| stays(&along(s, |_, m| m.gap)),
                )
                .when("τ_2² = 1", |s| s.schedule == Schedule::Constant)
                .reading("gap-r1-full", "R1 for τ_2² = r", consistent(), |s, ()| {
                    stays(&along(s, |_, m| m.gap))
                })
                .when("τ_2² = r", |s| s.schedule == Schedule::Linear)
                .reading(
                    "rest-full",
                    "1 − S̄ is Ω(1/poly(r)) for τ_2² = r",
                    fails("1 − S̄ ≤ K((1 + e^{−2u})/2)^{r−1}, u → 1: exponentially small"),
                    |s, ()| stays(&along(s, |r, m| m.rest * Interval::point(r).powi(4))),
                )
                .when("τ_2² = r", |s| s.schedule == Schedule::Linear)
                .reading(
                    "gap-r2",
                    "R2: T_p − T_{p'} is Ω(1/r) and 1 − S̄ is Ω(1) for τ_2² = 1",
                    consistent(),
                    |s, ()| {
                        all_of([
                            ("r(T_1 − T_2)", stays(&along(s, |r, m| r * m.gap))),
                            ("1 − S̄", stays(&along(s, |_, m| m.rest))),
                        ])
                    },
                )
                .when("τ_2² = 1", |s| s.schedule == Schedule::Constant)
                .sharpening(
                    "no-schedule",
                    "(1 − S̄)(T_1 − T_2) ≤ 2K/(e(r−1)) at κ² = (2, 1, …, 1), for every τ_2²",
                    holds(),
                    |s, ()| {
                        let part = |&r: &f64| {
                            let m = s.motion(r, Interval::point(2.0).ln());
                            let bound = 2.0 * s.negatives / (Interval::point(1.0).exp() * (r - 1.0));
                            (format!("r = {r}"), at_most(m.rest * m.gap, bound))
                        };
                        all_of(Sweep::SIZES.iter().map(part))
                    },
                ),
        )
        .setting(
            Setting::measuring(|s: &TwoStages, _| s.run())
                .assume("τ_2² > 0", |s| s.tau_squared[1] > 0.0)
                .family(edge("two stages", runs))
                .without_search()
                .reading(
                    "balanced",
                    "after both stages cond(κ²) ≤ 1.1, min ρ ≥ 0.999, noise ratio ≤ 0.05",
                    consistent(),
                    |_, run: &Run| {
                        all_of([
                            ("condition", at_most(run.second.condition, 1.1).as_trend()),
                            ("alignment", at_least(run.second.correlation, 0.999).as_trend()),
                            ("noise", at_most(run.second.noise_ratio, 0.05).as_trend()),
                        ])
                    },
                )
                .reading(
                    "kept",
                    "alignment and noise ratio are no worse after Stage 2 than before it",
                    consistent(),
                    |_, run: &Run| {
                        all_of([
                            (
                                "alignment",
                                at_least(run.second.correlation + run.error, run.first.correlation).as_trend(),
                            ),
                            (
                                "noise",
                                at_most(run.second.noise_ratio, run.first.noise_ratio + run.error).as_trend(),
                            ),
                        ])
                    },
                ),
        )
        .series("schedules", "Stage 2 at κ² = (2, 1, …, 1), σ² = 1, K = 1", table)
}
