//! Corollary C.20: how long Stage 2 takes to balance the signals.
//!
//! The explicit bound follows from Lemma C.19 by N² ≤ σ_max², 1−S̄ ≥ K/(K+e^{τ²}) and T_p−T_{p'} ≥ (c/(1+c))(τ²/r)
//! sech²(τ²), each true pointwise. So the time is polynomial for τ_2² = Θ(1) (about linear in r) and for Θ(log r). It
//! is not for every schedule: 1−S̄ ≤ K exp(−Σf(x_p)), f(x) = x − log cosh x concave, and near balance Σf ≈ r f(τ²/r),
//! which is of order min(τ², r). For τ_2² = r the time is at least e^{(r−1)f(r/(r+1))}·log(2/(1+c))/(4K):
//! exponential; for √r it is e^{Θ(√r)}.

use std::error::Error;

use contrapositive::claim::{
    Claim, Evaluation, Kind, Setting, all_of, at_least, at_most, consistent, edge, fails, holds, random, vacuous,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::interval::Interval;
use proptest::strategy::Strategy;

use super::manifold_directions::NearManifold;
use super::near_states::{Views, on_manifold};
use super::norm_rates::{largest, on_it, smallest};
use super::temperature_schedule::Schedule;
use super::two_levels::TwoLevels;

/// The ratio from which the time is taken has to fall to 1 + c.
const SLACK: f64 = 0.1;
const CELLS: u32 = 600;

/// Growth exponents of the time between consecutive doublings of r that count as polynomial, and what they may rise
/// by along the sweep.
const LARGEST_EXPONENT: f64 = 4.0;

/// Local exponents log2(T(2r)/T(r)).
fn exponents(t: &TwoLevels) -> Vec<Enclosure> {
    let times: Vec<Enclosure> = t.sizes().map(|r| t.at(r).time(CELLS)).collect();
    times.windows(2).map(|pair| (pair[1] / pair[0]).log2()).collect()
}

fn is_polynomial(exponents: &[Enclosure]) -> Evaluation {
    let shown: Vec<String> = exponents.iter().map(|e| format!("{:.1}", e.midpoint())).collect();
    let (Some(&before), Some(&last)) = (exponents.get(exponents.len().saturating_sub(2)), exponents.last()) else {
        return Evaluation::Failed("a sweep needs two doublings".into());
    };
    all_of([
        ("last exponent", at_most(last, LARGEST_EXPONENT)),
        ("its rise", at_most(last - before, 0.5)),
    ])
    .as_trend()
    .noting(format!("exponents {}", shown.join(", ")))
}

/// The steps of the proof at one state: N², 1−S̄, T_p − T_{p'} and the rate, each with its bound.
struct Steps {
    square: [Interval; 2],
    rest: [Interval; 2],
    gap: [Interval; 2],
    /// −d/dt log(κ_p²/κ_{p'}²), and the bracket of the bound.
    rate: [Interval; 2],
}

fn steps(s: &NearManifold) -> Result<Steps, Box<dyn Error + Send + Sync>> {
    let (state, law) = (s.diagonal(), s.law()?);
    let moved = law.velocity(&state, s.objective())?;
    let by = law.selection(&state, s.objective())?;
    let (r, k, tau) = (
        s.r() as f64,
        Interval::point(s.negatives),
        Interval::point(s.tau_squared),
    );
    let (p, l) = largest(s).zip(smallest(s)).next().ok_or("no signal")?;
    let most = s.sigma_squared.iter().copied().fold(0.0, f64::max);
    let least = s.sigma_squared.iter().copied().fold(f64::INFINITY, f64::min);
    // ‖W_A‖_F² = Σκ_p²/σ_p², which the statement takes to be r: N² ≤ σ_max²‖W_A‖_F²/r.
    let weights: Interval = (0..s.r()).map(|p| state.a[p] / s.sigma_squared[p]).sum::<Interval>() / r;
    let (tp, tl) = (by.arguments[p].tanh(), by.arguments[l].tanh());
    let sech = (2.0 / (tau.exp() + (-tau).exp())).square();
    let share = Interval::point(SLACK) / (1.0 + Interval::point(SLACK));
    let least_gap = share * tau / r * sech;
    let least_rest = k / (k + tau.exp());
    Ok(Steps {
        square: [by.normalisers_squared[0], most * weights],
        rest: [by.rest, least_rest],
        gap: [(by.arguments[p] - by.arguments[l]).tanh() * (1.0 - tp * tl), least_gap],
        rate: [
            moved.a[l] / state.a[l] - moved.a[p] / state.a[p],
            4.0 * least_rest * least / (most * weights) * least_gap,
        ],
    })
}

fn above([found, bound]: [Interval; 2]) -> Evaluation {
    at_least(Enclosure::from(found), Enclosure::from(bound))
}

pub fn claim() -> Claim {
    Claim::new("ren2023.cor-c20", "time to balance", Kind::Asymptotic)
        .statement(
            "for every constant c > 0 the ratio of the largest to the smallest \
             κ² falls below 1 + c within poly(d) time. Explicit (aligned, noise-free, \
             ‖W_A‖_F² = r): T ≤ log(R_0/(1+c))·[(4K/(K+e^{τ²}))(σ_min²/σ_max²)(τ²/r)(c/(1+c)) \
             sech²(τ²)]^{−1}",
        )
        .reconstructed("the bound on the time and the order of τ_2²")
        .source("Corollary C.20", &["Section C.5"])
        .remark("That the time is polynomial survives in Section C.6; the explicit bound is derived.")
        .remark(
            "The sweeps are two-level starts with σ = 1, where the time is an integral over \
             the ratio, enclosed cell by cell. Polynomial is measured as: the growth exponent \
             of the last doubling of r is at most 4, and at most 1/2 above the one before.",
        )
        .remark("The explicit bound is the best of its form: it is approached as τ² → 0 and R_0 → 1 + c → 1.")
        .remark(
            "The first two senses follow from the explicit bound, which is linear in r at fixed τ_2², and of order \
             r^{1+3a}/log r for τ_2² = a log r; the third is refuted by the lower bound, which is e^{(r−1)f(r/(r+1))} \
             times a constant for τ_2² = r.",
        )
        .remark(
            "Proof of the lower bound: while the ratio lies in [1, 2], every κ_p² ≥ r/(r+1), \
             so that x_p ≥ τ²/(r+1) and 1−S̄ ≤ K∏cosh x_p e^{−x_p} ≤ K e^{−(r−1)f(τ²/(r+1))}; \
             the ratio's logarithm falls at most at the rate 4(1−S̄).",
        )
        .setting(
            Setting::measuring(|t: &TwoLevels, _| Ok(exponents(t)))
                .assume("at least two doublings", |t| t.doublings >= 2)
                .family(edge("two levels", || {
                    let of = |schedule, factor, negatives, start| TwoLevels {
                        schedule,
                        factor,
                        negatives,
                        start,
                        slack: 0.1,
                        first: 2,
                        doublings: 5,
                    };
                    let mut list = Vec::new();
                    for schedule in [
                        Schedule::Constant,
                        Schedule::Logarithm,
                        Schedule::Root,
                        Schedule::Linear,
                    ] {
                        for (factor, negatives, start) in [(1.0, 1.0, 5.0), (0.5, 2.0, 10.0)] {
                            list.push((
                                format!("τ² = {factor}·{schedule}"),
                                of(schedule, factor, negatives, start),
                            ));
                        }
                    }
                    list
                }))
                .without_search()
                .sense("r1", "τ_2² = Θ(1): polynomial", consistent(), |_, e| {
                    is_polynomial(e)
                })
                .implied_by("explicit")
                .when("τ_2² = Θ(1)", |t| t.schedule == Schedule::Constant)
                .sense("r2", "τ_2² = Θ(log r): polynomial", consistent(), |_, e| {
                    is_polynomial(e)
                })
                .implied_by("explicit")
                .when("τ_2² = Θ(log r)", |t| t.schedule == Schedule::Logarithm)
                .sense(
                    "r3",
                    "τ_2² = Θ(r), large enough for T_p of order one: polynomial",
                    fails("1−S̄ is exponentially small in r, and so is every speed"),
                    |_, e| is_polynomial(e),
                )
                .when("τ_2² = Θ(r)", |t| t.schedule == Schedule::Linear)
                .sense(
                    "r4",
                    "every schedule: polynomial",
                    fails("τ_2² = r is a counterexample"),
                    |_, e| is_polynomial(e),
                )
                .control("n1", "the time is bounded independently of r at τ_2² = 1", |_, e| {
                    at_most(e[e.len() - 1], 0.5).as_trend()
                })
                .when("τ_2² = Θ(1)", |t| t.schedule == Schedule::Constant),
        )
        .setting(
            Setting::measuring(|t: &TwoLevels, _| Ok(t.at(f64::from(t.first)).time(CELLS)))
                .assume("τ² > 0", |t| t.factor > 0.0)
                .family(edge("single sizes", || {
                    let of = |schedule, first, factor, negatives, start, slack| TwoLevels {
                        schedule,
                        factor,
                        negatives,
                        start,
                        slack,
                        first,
                        doublings: 0,
                    };
                    vec![
                        (
                            "r = 2, at the bound",
                            of(Schedule::Constant, 2, 1e-3, 1.0, 1.00101, 1e-3),
                        ),
                        ("r = 2, near the bound", of(Schedule::Constant, 2, 0.1, 1.0, 1.5, 0.1)),
                        ("r = 2, nearer", of(Schedule::Constant, 2, 0.01, 1.0, 1.2, 0.1)),
                        ("r = 16, τ² = 1", of(Schedule::Constant, 16, 1.0, 1.0, 8.0, 0.1)),
                        ("r = 64, τ² = log r", of(Schedule::Logarithm, 64, 1.0, 2.0, 8.0, 0.1)),
                        ("r = 32, τ² = r", of(Schedule::Linear, 32, 1.0, 1.0, 4.0, 0.5)),
                        ("r = 64, τ² = r", of(Schedule::Linear, 64, 1.0, 1.0, 2.0, 0.1)),
                        ("r = 512, τ² = 4√r", of(Schedule::Root, 512, 4.0, 1.0, 3.0, 0.1)),
                    ]
                }))
                .family(
                    random("single sizes", || {
                        (2u32..40, 0.02..4.0f64, 0.2..5.0f64, 0.05..0.8f64, 0.1..3.0f64).prop_map(
                            |(first, factor, negatives, slack, more)| TwoLevels {
                                schedule: Schedule::Constant,
                                factor,
                                negatives,
                                start: (1.0 + slack) * (1.0 + more),
                                slack,
                                first,
                                doublings: 0,
                            },
                        )
                    })
                    .taking(0.5),
                )
                .without_search()
                .part(
                    "explicit",
                    "the time is at most the explicit bound",
                    holds(),
                    |t, &time| at_most(time, t.at(f64::from(t.first)).bound()),
                )
                .in_senses(&["r1", "r2"])
                .because("the bound is ours; at fixed τ_2² it is linear in r, for τ_2² = a log r a power of r")
                .amendment(
                    "lower",
                    "from R_0 ≥ 2 the time is at least (log(2/(1+c))/(4K)) e^{(r−1)f(τ²/(r+1))}, f(x) \
                     = x − log cosh x: not polynomial once τ²/log r → ∞",
                    holds(),
                    |t, &time| at_least(time, t.at(f64::from(t.first)).least_time()),
                )
                .when("R_0 ≥ 2 > 1 + c", |t| t.start >= 2.0 && t.slack < 1.0)
                .control("tight", "the explicit bound less by two per cent", |t, &time| {
                    at_most(time, 0.98 * t.at(f64::from(t.first)).bound())
                })
                .control("n3", "the explicit bound divided by 10", |t, &time| {
                    at_most(time, t.at(f64::from(t.first)).bound() / 10.0)
                }),
        )
        .setting(
            Setting::measuring(|s: &NearManifold, _| steps(s))
                .assume("aligned", NearManifold::is_aligned)
                .assume("no noise", |s| s.q() == 0)
                .assume("the ratio is above 1 + c, c = 0.1", |s| {
                    let most = s.norms_a.iter().copied().fold(0.0, f64::max);
                    let least = s.norms_a.iter().copied().fold(f64::INFINITY, f64::min);
                    most > (1.0 + SLACK) * least
                })
                .family(edge("named", || {
                    let of = |sigma: &[f64], kappa: &[f64], tau, k| on_it(sigma, kappa, (1.0, &[]), tau, k);
                    vec![
                        ("two equal strengths", of(&[1.0, 1.0], &[1.2, 0.8], 0.1, 1.0)),
                        ("with σ", of(&[9.0, 1.0, 1.0], &[3.0, 0.5, 1.0], 1.0, 2.0)),
                        ("against σ", of(&[1.0, 9.0], &[3.0, 0.5], 3.0, 0.5)),
                        ("nothing moves at τ = 0", of(&[1.0, 1.0], &[4.0, 1.0], 0.0, 1.0)),
                    ]
                }))
                .family(random("aligned", || on_manifold(0..1, Views::Aligned)))
                .without_search()
                .step("s1", "N² ≤ σ_max²‖W_A‖_F²/r", holds(), |_, m| {
                    at_most(Enclosure::from(m.square[0]), Enclosure::from(m.square[1]))
                })
                .step("s2", "1−S̄ ≥ K/(K+e^{τ²})", holds(), |_, m| above(m.rest))
                .step(
                    "s3",
                    "T_p − T_{p'} ≥ (c/(1+c))(τ²/r) sech²(τ²)",
                    holds(),
                    |_, m| above(m.gap),
                )
                .step(
                    "rate",
                    "the ratio's logarithm falls at least at the rate of the bracket, at every state \
                     with ratio above 1 + c",
                    holds(),
                    |_, m| above(m.rate),
                )
                .when("τ² > 0", |s| s.tau_squared > 0.0)
                .control(
                    "n2",
                    "it falls at least at the rate 10^{−6} also at τ_2² = 0",
                    |s, m| {
                        if s.tau_squared > 0.0 {
                            return vacuous("τ² > 0");
                        }
                        at_least(Enclosure::from(m.rate[0]), 1e-6)
                    },
                ),
        )
}
