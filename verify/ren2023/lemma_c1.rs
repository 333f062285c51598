//! Lemma C.1 (formal version of Lemma 5.3): Stage 2.
//!
//! The orthogonality errors at most double, to leading order: at aligned states the modes u = (AA ± BB)/2, v = (AB ±
//! BA)/2 of the cosines of two signals have |u| + |v| non-increasing, and so have the cosines of a signal of A and of
//! B with a noise column; now max(|AA|, |BB|) = |u₊| + |u₋|, so that no cosine exceeds twice the largest at the
//! start. The mismatch of norms does not: where K_A and K_B differ by a factor, u_1 = log(‖[K_A]_1‖²/‖[K_B]_1‖²)
//! grows as fast as the largest κ_1² falls, by a factor that is unbounded as σ_1²/σ_2² grows (see
//! `balancing_path.rs`). The time is polynomial for τ_2² = O(1) or log r, and exponential in r for τ_2² = r.

use contrapositive::claim::{
    Claim, Evaluation, Kind, MeasureError, Setting, all_of, at_most, consistent, edge, equal, fails, holds, random,
    vacuous,
};
use contrapositive::interval::Interval;
use contrapositive::probability::fit_power_law;
use proptest::sample::select;
use proptest::strategy::Strategy;

use super::aligned_cosines::{AlignedCosines, Rates, families};
use super::balancing_path::{BalancingPath, Followed};
use super::balancing_sweeps::{Schedule, Sweep, sweeps};

const STEPS: u32 = 400;

/// d(|u| + |v|)/dt, given (value, velocity) of both; at a zero the derivative from the right.
fn growth(modes: &[(Interval, Interval)]) -> Interval {
    let one = |&(value, velocity): &(Interval, Interval)| {
        if value.lo() > 0.0 {
            velocity
        } else if value.hi() < 0.0 {
            -velocity
        } else if value == Interval::ZERO {
            velocity.abs()
        } else {
            velocity.abs().hull(-velocity.abs())
        }
    };
    modes.iter().map(one).sum()
}

fn never_grows(q: &Rates, modes: &[(Interval, Interval)]) -> Evaluation {
    at_most(growth(modes), 0.0).on_scale(q.scale)
}

/// Local exponents of time against r must not keep growing.
fn polynomial(s: &Sweep, times: &[Interval]) -> Evaluation {
    let slope = |k: usize| (times[k + 1].ln() - times[k].ln()) / Interval::point(2.0).ln();
    if times.len() < 3 {
        return vacuous("too few sizes");
    }
    let (first, last) = (slope(0), slope(times.len() - 2));
    let points: Vec<(f64, f64)> = s
        .sizes()
        .iter()
        .zip(times)
        .map(|(&r, t)| (f64::from(r), t.midpoint()))
        .collect();
    let fitted = fit_power_law(&points, 0.01).map_or(f64::NAN, |fit| fit.slope.midpoint());
    at_most(last, first.max(Interval::ZERO) + 3.0)
        .as_trend()
        .noting(format!("fitted exponent {fitted:.2}"))
}

fn times(s: &Sweep) -> Result<Vec<Followed>, MeasureError> {
    Ok(s.paths()?.iter().map(|p| p.follow(STEPS)).collect())
}

fn paths() -> Vec<(String, BalancingPath)> {
    let mut list = vec![
        (
            "after Stage 1 from σ² = (3, 1, 1, 1)".to_owned(),
            BalancingPath {
                sigma_squared: 3.0,
                others: 3,
                kappa_squared: [5.1926, 0.75637],
                tau_squared: 2.0,
                negatives: 1.0,
                ratio: 1.1,
            },
        ),
        (
            "τ = 0".to_owned(),
            BalancingPath {
                sigma_squared: 1.0,
                others: 1,
                kappa_squared: [4.0, 1.0],
                tau_squared: 0.0,
                negatives: 1.0,
                ratio: 1.1,
            },
        ),
    ];
    for (sigma, others, tau) in [
        (4.0, 1, 1.0),
        (16.0, 1, 1.0),
        (16.0, 1, 3.0),
        (64.0, 1, 3.0),
        (64.0, 3, 3.0),
        (1024.0, 1, 2.0),
    ] {
        if let Ok(path) = BalancingPath::after_stage_one(sigma, others, tau) {
            list.push((
                format!("after Stage 1 from σ² = ({sigma}, 1), n = {others}, τ² = {tau}"),
                path,
            ));
        }
    }
    list
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-c1", "Stage 2 (formal)", Kind::Convergence)
        .statement(
            "from the end of Stage 1, with τ² = τ_2²: within T_2 ≤ poly(d) the condition number of κ falls below any \
             fixed 1 + c; up to then the noise ratio stays small and the errors (17) at most double",
        )
        .reconstructed("all of the statement; what it says is taken from the words of Section C and of its proof")
        .sense(
            "constant",
            "τ_2² is of constant order, and the errors that at most double are the cosines",
        )
        .sense("logarithm", "the same for τ_2² of order log r")
        .sense("linear", "the same for τ_2² of order r")
        .sense(
            "norms",
            "τ_2² is of constant order, and the mismatch of norms is among the errors that at most double",
        )
        .sense(
            "bounded",
            "τ_2² is of constant order, and every error grows at most by a factor that no size enters",
        )
        .source(
            "Lemma C.1",
            &[
                "Section C, with (17); proof in Section C.6",
                "Lemma 5.3 in the main text",
            ],
        )
        .remark(
            "(17) is read as norms of the views, correlations, \
             noise ratio and cosines.",
        )
        .remark(
            "Cosines: to leading order in their size at aligned states of equal norms. The factor two is best: for the \
             pattern (AA, BB, AB, BA) = (−1, −1, 1, 1) and κ_p = κ_s it is approached as x = τ²/r grows (G/c → 2x). \
             Proof of the bound: in each mode |u| + |v| has derivative at most (|c−G| − c − G)|v| ≤ 0 (or (|e|−c)|u| + \
             (|e|+|f|−c−G)|v| with |e| ≤ c, |f| ≤ G).",
        )
        .remark(
            "Norms: a mismatch that is the same in all directions is not decaying. (‖[K_A]_p‖² − ‖[K_B]_p‖²) changes \
             only through Q_0(u_p − ν), so while one direction dominates the difference is kept and κ_1² falls. Under \
             H-σ the factor grows like a power of log d, so that an inverse polynomial mismatch stays small.",
        )
        .setting(
            Setting::measuring(|s: &AlignedCosines, _| Rates::of(s))
                .assume("aligned, equal norms, τ² > 0", |s| s.tau_squared > 0.0)
                .families(families())
                .without_search()
                .part(
                    "R1",
                    "orthogonality errors at most double: |u| + |v| does not increase in any mode, to leading order",
                    holds(),
                    |_, q| {
                        all_of(
                            q.modes
                                .iter()
                                .map(|(name, modes)| (name.clone(), never_grows(q, modes))),
                        )
                    },
                )
                .part(
                    "noise",
                    "the noise ratio does not grow: d/dt log(‖[K_Aξ]_k‖²/min κ²) ≤ 0 at aligned diagonal states",
                    holds(),
                    |_, q| match q.noise_ratio {
                        Some(rate) => at_most(rate, 0.0).on_scale(q.rate_scale),
                        None => vacuous("no noise"),
                    },
                )
                .step(
                    "s1",
                    "across views the cosine of two noise columns decays, within one view it is constant at first \
                     order",
                    holds(),
                    |_, q| {
                        if q.noise_pairs.is_empty() {
                            return vacuous("no noise");
                        }
                        all_of(q.noise_pairs.iter().map(|&(across, value, velocity)| {
                            let part = if across {
                                at_most(growth(&[(value, velocity)]), 0.0).on_scale(q.scale)
                            } else {
                                equal(velocity, 0.0).on_scale(q.scale)
                            };
                            (if across { "across" } else { "within" }, part)
                        }))
                    },
                )
                .control(
                    "n4",
                    "the largest of the four cosines of two signals does not increase",
                    |_, q| {
                        all_of(
                            q.corners
                                .iter()
                                .map(|&(value, velocity)| ("pair", never_grows(q, &[(value, velocity)]))),
                        )
                    },
                ),
        )
        .setting(
            Setting::measuring(|p: &BalancingPath, _| Ok(p.follow(STEPS)))
                .assume("aligned, no noise, σ² = (σ_1², 1, …, 1)", |_| true)
                .family(edge("named", paths))
                .family(
                    random("any start", || {
                        (
                            1.0..6.0f64,
                            select(&[1u32, 2, 5, 15, 63][..]),
                            1.0..5.0f64,
                            -1.5..1.5f64,
                            -2.0..2.0f64,
                        )
                            .prop_map(|(sigma, others, lead, tau, k)| {
                                let exp = |x: f64| Interval::point(x).exp().midpoint();
                                BalancingPath {
                                    sigma_squared: exp(sigma),
                                    others,
                                    kappa_squared: [exp(lead), 1.0],
                                    tau_squared: exp(tau),
                                    negatives: exp(k),
                                    ratio: 2.0,
                                }
                            })
                    })
                    .taking(0.25),
                )
                .without_search()
                .part(
                    "R1-norms",
                    "a small mismatch of norms, the same in all directions, at most doubles",
                    fails("it grows as fast as the largest κ² falls"),
                    |_, f| at_most(f.mismatch, 2.0),
                )
                .in_sense("norms")
                .amendment(
                    "norms",
                    "the mismatch of the largest direction grows by at most κ_1²(start)/κ_1²(end)",
                    holds(),
                    |_, f| at_most(f.mismatch, f.fall),
                )
                .when("τ² > 0", |p| p.tau_squared > 0.0)
                .step(
                    "integrated",
                    "the flow itself from a mismatch of 1e−4 reaches this factor, and the ratio at this time",
                    consistent(),
                    |p, f| match p.integrated(f.time.midpoint()) {
                        _ if f.mismatch.hi() > 1.01 * f.mismatch.lo() => vacuous("the path is enclosed too widely"),
                        // Enclosures of the path are about a percent wide (the time, too), and the flow is seen at 80 times only.
                        Ok((mismatch, ratio)) => all_of([
                            (
                                "mismatch",
                                equal(mismatch, f.mismatch.midpoint()).within(0.05).as_trend(),
                            ),
                            ("ratio", equal(ratio, p.ratio).within(0.05).as_trend()),
                        ]),
                        Err(error) => Evaluation::Failed(error.to_string()),
                    },
                )
                .when("0 < T ≤ 100", |p| {
                    p.tau_squared > 0.0 && p.follow(50).time.hi() <= 100.0
                })
                .control(
                    "n1",
                    "the ratio of κ² is reached within time 1e9, τ_2 = 0 included",
                    |_, f| at_most(f.time, 1e9),
                )
                .control("n3", "the largest κ² changes by at most a factor two", |_, f| {
                    at_most(f.fall, 2.0)
                }),
        )
        .setting(
            Setting::measuring(|s: &Sweep, _| times(s))
                .assume("aligned, no noise", |_| true)
                .family(edge("sweeps", sweeps))
                .without_search()
                .part(
                    "time",
                    "τ_2² = 1: the time to κ_1² ≤ 1.1κ_p² is polynomial in r",
                    consistent(),
                    |s, f| polynomial(s, &f.iter().map(|f| f.time).collect::<Vec<_>>()),
                )
                .in_senses(&["constant", "norms", "bounded"])
                .when("τ_2² = 1", |s| s.schedule == Schedule::Constant)
                .part("time-log", "the same for τ_2² = log r", consistent(), |s, f| {
                    polynomial(s, &f.iter().map(|f| f.time).collect::<Vec<_>>())
                })
                .in_sense("logarithm")
                .when("τ_2² = log r", |s| s.schedule == Schedule::Logarithm)
                .part(
                    "time-linear",
                    "the same for τ_2² = r",
                    fails("1 − S falls exponentially in r: the local exponents keep growing"),
                    |s, f| polynomial(s, &f.iter().map(|f| f.time).collect::<Vec<_>>()),
                )
                .in_sense("linear")
                .when("τ_2² = r", |s| s.schedule == Schedule::Linear)
                .part(
                    "R2",
                    "every error grows by a bounded factor: that of the norms at most like the fourth root of \
                     σ_1²/σ_2²",
                    fails("it grows like a power of σ_1²/σ_2² above one half: no constant serves"),
                    |s, f| match (f.first(), f.last()) {
                        (Some(first), Some(last)) => {
                            let allowed = Interval::point(f64::from(1u32 << (2 * (f.len() - 1)))).sqrt().sqrt();
                            let all: Vec<String> = f.iter().map(|f| format!("{:.2}", f.mismatch.midpoint())).collect();
                            at_most(last.mismatch, first.mismatch * allowed)
                                .as_trend()
                                .noting(format!("factors {} for r = {}", all.join(", "), s.first))
                        }
                        _ => vacuous("no sizes"),
                    },
                )
                .in_sense("bounded")
                .when("σ_1² grows", |s| s.schedule == Schedule::Strength)
                .control(
                    "n2",
                    "T_2 at τ_2² = 1 does not depend on r: at most twice that of the smallest r",
                    |_, f| match (f.first(), f.last()) {
                        (Some(first), Some(last)) => at_most(last.time, 2.0 * first.time),
                        _ => vacuous("no sizes"),
                    },
                )
                .when("τ_2² = 1", |s| s.schedule == Schedule::Constant),
        )
}
