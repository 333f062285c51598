//! Lemma B.11: the noise-to-signal ratio converges. The tracked combination is lost; the candidate is E_{k,p} =
//! (‖[K_{A,ξ}]_k‖² + ‖[K_{B,ξ}]_k‖²)/‖[K_A]_p + [K_B]_p‖², which is at least half of the plain ratio and grows only
//! when that does.
//!
//! At τ = 0 and N_A = N_B = N: d log E/dt = −(2c_K/N²)( σ_p²(1−Ψ) + σ_ξ²(r/q)Ψ ). For 0 ≤ Ψ ≤ 1 this is a weighted
//! mean, so E falls at least at the linear rate (2c_K/N²) min(σ_p², σ_ξ²r/q), and the constant 2 is the best one. A
//! rate of order σ_min² alone is false: near alignment with little noise left the mean is σ_ξ²r/q, and that is as small
//! as one likes when q is large against r.

use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::diagonal_course::Course;
use crate::shared::diagonal_motion::DiagonalMotion;
use crate::shared::diagonal_points::{DIAGONAL, DiagonalPoint, EQUAL, point, points};
use crate::shared::notation::{
    AGREEMENT, CLOCK, DATA, EXTREME_STRENGTHS, FEATURES, H_ORTH, KAPPA, LOSS, LOSS_WITHOUT_NEGATIVES, MOTION,
    NORMALISER, NORMALISER_BOTH, OUTPUTS, RHO, SIZES, SPEED,
};

/// d log E_{k,p}/dt.
fn ratio_rate(m: &DiagonalMotion, p: usize) -> Interval {
    let (s, v) = (&m.state, &m.speed);
    let noise = (v.noise_a[0] + v.noise_b[0]) / (s.noise_a[0] + s.noise_b[0]);
    noise - (v.a[p] + v.b[p] + 2.0 * v.h[p]) / (s.a[p] + s.b[p] + 2.0 * s.h[p])
}

/// d log(‖[K_{A,ξ}]_k‖²/‖[K_A]_p‖²)/dt.
fn plain_rate(m: &DiagonalMotion, p: usize) -> Interval {
    m.speed.noise_a[0] / m.state.noise_a[0] - m.speed.a[p] / m.state.a[p]
}

/// 2c_K/N².
fn clock(m: &DiagonalMotion) -> Interval {
    2.0 * m.factor / m.both
}

fn each(m: &DiagonalMotion, check: impl Fn(usize) -> Evaluation) -> Evaluation {
    // The sum of a_p, b_p and 2h_p cancels as ρ_p approaches −1.
    let scale = |p: usize| {
        let cancelled = (m.state.a[p] + m.state.b[p]) / (m.state.a[p] + m.state.b[p] + 2.0 * m.state.h[p]);
        m.pace() * (1.0 + cancelled.magnitude())
    };
    for_each_index("p =", m.directions(), |p| {
        check(p).on_scale_of("16 max(σ_max², σ_ξ²r/q)(1 + 1/(1 + ρ_p))/N²", scale(p))
    })
}

fn noisy_motion(p: &DiagonalPoint) -> Result<DiagonalMotion, MeasureError> {
    if p.noise.is_none() {
        return Err("there is no noise".into());
    }
    Ok(DiagonalMotion::cold(&p.equalised())?)
}

/// Ψ of the state, to rounding.
fn agreement(p: &DiagonalPoint) -> Option<Interval> {
    Some(DiagonalMotion::cold(p).ok()?.agreement)
}

/// Aligned states with σ_p² = 1 and less and less noise in more and more directions.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "r = {r}, σ = 1, ρ = 1, σ_ξ² = {noise_strength}, squared noise norms r/q, q/r = 2^{doublings}",
    stored
)]
struct ManyNoises {
    #[instance(range = "1..=8")]
    r: usize,
    #[instance(range = "1e-3..=1e3", scale = "logarithmic")]
    noise_strength: f64,
    /// q/r = 2^doublings.
    #[instance(range = "0..=24")]
    doublings: u32,
}

impl ManyNoises {
    /// The largest C with d log E/dt ≤ −C c_Kσ_min²/N².
    fn room(&self) -> Result<Enclosure, MeasureError> {
        let k = self.doublings;
        let q = (self.r as u32) << k;
        let directions = vec![[1.0, 1.0, 1.0, 0.0]; self.r];
        let aligned = point(&directions, Some((self.noise_strength, 1.0 / f64::from(1u32 << k), 0.0, q)));
        let m = DiagonalMotion::cold(&aligned)?;
        Ok((-(ratio_rate(&m, 0)) * m.both / m.factor).into())
    }

    /// 2(1+σ_ξ²)r/q.
    fn ceiling(&self) -> Enclosure {
        2.0 * (1.0 + exact(self.noise_strength)) / f64::from(1u32 << self.doublings)
    }
}

/// log E_{k,p} and log of the plain ratio at a clock.
fn logs(c: &Course, theta: f64) -> Result<Vec<[Enclosure; 2]>, MeasureError> {
    let s = c.start.equalised().flow()?.at(theta)?;
    let noise: Enclosure = s.log_noise.ok_or("no noise")?.into();
    let pairs = s.log_kappa_squared.iter().zip(&s.correlation);
    Ok(pairs
        .map(|(&k, &rho)| [noise - Enclosure::from(k) - Enclosure::from(rho).ln_1p(), noise - Enclosure::from(k)])
        .collect())
}

fn courses() -> Vec<(String, Course)> {
    let start = |q: u32, strength: f64| {
        point(&[[9.0, 9.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]], Some((strength, strength, 0.0, q)))
    };
    let of = |q: u32, strength: f64, theta: f64| {
        (format!("σ² = (9,1), σ_ξ² = {strength}, q = {q}, θ = {theta}"), Course { start: start(q, strength), theta })
    };
    let mut list = vec![
        of(18, 0.05, 0.5),
        of(18, 0.05, 2.0),
        of(2, 1.0, 4.0),
        of(18, 1.0, 40.0),
        of(200, 0.5, 2400.0),
        of(2000, 0.5, 24_000.0),
        of(18, 0.05, 800.0),
    ];
    // The weak signal shrinks before it turns: the plain ratio grows at first.
    list.push((
        "σ² = (4,1), σ_ξ² = 0.1, q = 8, θ = 0.25".to_owned(),
        Course { start: point(&[[4.0, 4.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]], Some((0.1, 0.1, 0.0, 8))), theta: 0.25 },
    ));
    list
}

const AGREEING: Hypothesis<DiagonalPoint> =
    Hypothesis::new("Ψ ≥ 0", |p| agreement(&p.equalised()).is_some_and(|a| a.lo() >= 0.0));
const NONE_OPPOSED: Hypothesis<Course> =
    Hypothesis::new("every ρ_p(0) ≥ 0", |c| c.start.extreme_correlations().0 >= 0.0);

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-b11", "convergence of the noise-to-signal ratio", Kind::Dynamics)
        .statement(
            "E_{k,p} := (‖[K_{A,ξ}]_k‖² + ‖[K_{B,ξ}]_k‖²)/‖[K_A]_p + [K_B]_p‖² obeys, at τ = 0 and N_A = N_B = N, d \
             log E/dt = −(2c_K/N²)(σ_p²(1−Ψ) + σ_ξ²(r/q)Ψ), and converges at a linear rate",
        )
        .reconstructed(
            "the tracked ratio and the displayed rate; that the ratio dominates the plain one, and converges, survives \
             in words",
        )
        .source("Lemma B.11", &["Section B.2"])
        .symbols([
            SIZES, DATA, H_ORTH, FEATURES, NORMALISER, NORMALISER_BOTH, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES,
            AGREEMENT,
        ])
        .symbol("κ", KAPPA.meaning)
        .symbols([RHO, SPEED])
        .symbol("σ_min²", EXTREME_STRENGTHS.meaning)
        .symbols([CLOCK])
        .symbol("/dt", MOTION)
        .symbol(
            "E",
            "E_{k,p} = (‖[K_{A,ξ}]_k‖² + ‖[K_{B,ξ}]_k‖²)/‖[K_A]_p + [K_B]_p‖², for any k and p; E(θ) its value at θ",
        )
        .remark(
            "The mean σ_p²(1−Ψ) + σ_ξ²(r/q)Ψ lies between σ_p² and σ_ξ²r/q for 0 ≤ Ψ ≤ 1. So the rate is linear with \
             the constant min(σ_p², σ_ξ²r/q), which is attained, and not with one of order σ_min²: the last phase of \
             Stage 1 takes a time of order q/(rσ_ξ²), polynomial in d but not bounded by 1/σ_min².",
        )
        .setting(printed())
        .setting(rate_by_strengths())
        .setting(in_time())
}

fn printed() -> Setting<DiagonalPoint, DiagonalMotion> {
    Setting::measuring(|p: &DiagonalPoint, _| noisy_motion(p))
        .given(DIAGONAL)
        .given(EQUAL)
        .assume(Hypothesis::new("q ≥ 1", |p| p.noise.is_some()))
        .assume(Hypothesis::new("every ρ_p > −1", |p| p.directions.iter().all(|d| d.correlation > -1.0)))
        .family(points())
        .family(edge("extreme agreement", || {
            vec![
                ("opposed, with fast noise", point(&[[1.0, 1.0, -0.9, 0.0]], Some((10.0, 0.01, 0.0, 1)))),
                ("orthogonal, with fast noise", point(&[[1.0, 1.0, 0.0, 0.0]], Some((4.0, 1.0, 0.0, 1)))),
                ("two orthogonal pairs, with fast noise", point(&[[1.0, 1.0, 0.0, 0.0]; 2], Some((4.0, 1.0, 0.0, 1)))),
            ]
        }))
        .part("printed", "d log E_{k,p}/dt = −(2c_K/N²)(σ_p²(1−Ψ) + σ_ξ²(r/q)Ψ)", holds(), |_, m| {
            each(m, |p| {
                let mean = m.strength(p) * (1.0 - m.agreement) + m.noise_rate * m.agreement;
                equal(ratio_rate(m, p), -(clock(m) * mean))
            })
        })
        .checked("ren2023.StageOne.lemma_b11_printed")
        .part("r1", "E is non-increasing once Ψ ≥ 0", holds(), |_, m| each(m, |p| at_most(ratio_rate(m, p), 0)))
        .checked("ren2023.StageOne.lemma_b11_r1")
        .implied_by("r3")
        .assume(AGREEING)
        .sense(
            "r3",
            "linear rate of order min(σ_min², σ_ξ²r/q): d log E/dt ≤ −(2c_K/N²) min(σ_min², σ_ξ²r/q) once Ψ ≥ 0",
            holds(),
            |i, m| {
                let slowest = m.noise_rate.min(Interval::point(i.extreme_strengths().1));
                each(m, |p| at_most(ratio_rate(m, p), -(clock(m) * slowest)))
            },
        )
        .checked("ren2023.StageOne.lemma_b11_r3")
        .our_constant("the factor one: the words name a linear rate only")
        .because("the printed constant is lost: this is the order that the computation gives")
        .assume(AGREEING)
        .step("s1", "d log‖[K_{A,ξ}]_k‖²/dt = −2c_Kσ_ξ²(r/q)Ψ/N_A²", holds(), |_, m| {
            equal(m.speed.noise_a[0] / m.state.noise_a[0], -(clock(m) * m.noise_rate * m.agreement))
                .on_scale_of("16 max(σ_max², σ_ξ²r/q)/N²", m.pace())
        })
        .checked("ren2023.StageOne.lemma_b11_s1")
        .step("s2", "d log‖[K_A]_p + [K_B]_p‖²/dt = 2c_Kσ_p²(1−Ψ)/N²", holds(), |_, m| {
            each(m, |p| {
                let sum = |x: &two_view::DiagonalState<Interval>| x.a[p] + x.b[p] + 2.0 * x.h[p];
                equal(sum(&m.speed) / sum(&m.state), clock(m) * m.strength(p) * (1.0 - m.agreement))
            })
        })
        .checked("ren2023.StageOne.lemma_b11_s2")
        .step(
            "s3",
            "E is at least half of (‖[K_{A,ξ}]_k‖² + ‖[K_{B,ξ}]_k‖²)/(‖[K_A]_p‖² + ‖[K_B]_p‖²)",
            holds(),
            |_, m| {
                for_each_index("p =", m.directions(), |p| {
                    let (a, b, h) = (m.state.a[p], m.state.b[p], m.state.h[p]);
                    at_most(a + b + 2.0 * h, 2.0 * (a + b))
                })
            },
        )
        .checked("ren2023.StageOne.lemma_b11_s3")
        .constant(
            "rate",
            "C in d log E/dt ≤ −C (c_K/N²) min(σ_p², σ_ξ²r/q), as 1/C",
            "1/2",
            |p| agreement(&p.equalised()).is_some_and(|a| a.lo() >= 0.0).then(|| format!("r = {}", p.directions.len())),
            |_, m| {
                let needed = |p: usize| m.noise_rate.min(m.strength(p)) * m.factor / (m.both * -ratio_rate(m, p));
                m.directions().map(needed).filter(|x| x.is_finite()).reduce(Interval::max).map(Into::into)
            },
        )
        .control(
            "n1",
            "the plain ratio ‖[K_{A,ξ}]_k‖²/‖[K_A]_p‖² is non-increasing once Ψ ≥ 0",
            |_, m| each(m, |p| at_most(plain_rate(m, p), 0)),
        )
        .assume(AGREEING)
        .control("n2", "the identity without its second term", |_, m| {
            each(m, |p| equal(ratio_rate(m, p), -(clock(m) * m.strength(p) * (1.0 - m.agreement))))
        })
        .control("negative", "E is non-increasing for every Ψ", |_, m| each(m, |p| at_most(ratio_rate(m, p), 0)))
        .control("faster", "the rate of r3 two per cent faster", |i, m| {
            let slowest = m.noise_rate.min(Interval::point(i.extreme_strengths().1));
            each(m, |p| at_most(ratio_rate(m, p), -(1.02 * clock(m) * slowest)))
        })
        .assume(AGREEING)
}

fn rate_by_strengths() -> Setting<ManyNoises, Enclosure> {
    Setting::measuring(|s: &ManyNoises, _| s.room())
        .given(
            "H-orth; [K_A]_p = [K_B]_p of norm 1 for every p, all other pairs of columns orthogonal, with σ_p = 1 and \
             q = 2^j r noise columns of squared norm 2^{−j} in both views, j ≥ 0 an integer; τ = 0",
        )
        .family(edge("named sizes", || {
            let of = |r, noise_strength, doublings| ManyNoises { r, noise_strength, doublings };
            vec![
                ("r = 2, σ_ξ² = 1", of(2, 1.0, 20)),
                ("r = 1, σ_ξ² = 4", of(1, 4.0, 20)),
                ("r = 8, σ_ξ² = 0.01", of(8, 0.01, 16)),
            ]
        }))
        .family(random("random sizes", || {
            (1usize..=8, -4.0..1.4f64, 0u32..=20).prop_map(|(r, log, doublings)| ManyNoises {
                r,
                noise_strength: core_math::exp(log),
                doublings,
            })
        }))
        .sense(
            "r2",
            "linear rate of order σ_min² alone: d log E/dt ≤ −C c_Kσ_min²/N² with C = 1/1024, whatever q/r is",
            fails("near alignment the rate is that of the noise, σ_ξ²r/q: no C serves all q/r"),
            |_, &room| at_least(room, exact(1.0 / 1024.0)),
        )
        .sides("−(N²/(c_Kσ_min²)) d log E/dt", "1/1024")
        .our_constant("C = 1/1024; step r2-limit shows that none serves")
        .because("(12) joins it with the rate of Lemma B.10, whose constant is of order σ_min²")
        .step(
            "r2-limit",
            "at these states the largest C with d log E/dt ≤ −C c_Kσ_min²/N² is at most 2(1+σ_ξ²)r/q, which is as \
             small as one likes",
            holds(),
            |s, &room| at_most(room, s.ceiling()),
        )
        .control("r2-half", "the largest C with which r2 is true is at most (1+σ_ξ²)r/q", |s, &room| {
            at_most(room, s.ceiling() / 2.0)
        })
}

/// Both sides of an inequality at every time of a course.
type Inequalities = Vec<[Enclosure; 2]>;

fn in_time() -> Setting<Course, (Inequalities, Inequalities, Inequalities)> {
    Setting::measuring(|c: &Course, _| {
        let (start, once, twice) = (logs(c, 0.0)?, logs(c, c.theta)?, logs(c, 2.0 * c.theta)?);
        Ok((start, once, twice))
    })
    .given(DIAGONAL)
    .given(EQUAL)
    .given("both sides of an inequality for E or the plain ratio at different times are compared by their logarithms")
    .assume(Hypothesis::new("q ≥ 1", |c| c.start.noise.is_some()))
    .family(edge("infinite width", courses))
    .family(outside("other starts", || {
        let of =
            |rho: f64, noise| Course { start: point(&[[4.0, 1.0, rho, 0.0], [1.0, 1.0, 0.5, 0.0]], noise), theta: 1.0 };
        vec![
            ("no noise", of(0.5, None)),
            ("ρ_1 = −½", of(-0.5, Some((1.0, 1.0, 0.0, 2)))),
            (
                "ρ = −0.9, strong noise",
                Course { start: point(&[[1.0, 1.0, -0.9, 0.0]], Some((10.0, 0.01, 0.0, 1))), theta: 0.05 },
            ),
        ]
    }))
    .without_search()
    .part(
        "in-time",
        "E falls at least exponentially in the clock θ, dθ = (2c_K/N²)dt: E(θ) ≤ E(0)e^{−min(σ_p², σ_ξ²r/q)θ}, at θ \
         and 2θ for the θ of the instance",
        holds(),
        |c, (start, once, twice)| {
            let noise = late(c) / c.theta;
            all_of((0..start.len()).flat_map(|p| {
                let slowest = noise.min(exact(c.start.directions[p].strength));
                [(once, 1.0), (twice, 2.0)].map(|(then, times)| {
                    let name = format!("p = {} at {times}θ", p + 1);
                    (name, at_most(then[p][0], start[p][0] - slowest * c.theta * times).on_unit_scale())
                })
            }))
        },
    )
    .in_sense("r3")
    .implied_by("r3")
    .assume(NONE_OPPOSED)
    .control("in-time-strongest", "E(θ) ≤ E(0)e^{−σ_p²θ}", |c, (start, once, _)| {
        for_each_index("p =", 0..start.len(), |p| {
            at_most(once[p][0], start[p][0] - exact(c.start.directions[p].strength) * c.theta)
        })
    })
    .assume(NONE_OPPOSED)
    .step(
        "late-rate",
        "the late rate log(E(θ)/E(2θ))/θ is σ_ξ²r/q, to one per cent, for σ² = κ² = (9, 1), ρ(0) = 0, σ_ξ² = ½, θ = \
         12q, q = 200 and 2000",
        holds(),
        |c, (_, once, twice)| {
            for_each_index("p =", 0..once.len(), |p| {
                let rate = (once[p][0] - twice[p][0]) / c.theta;
                equal(rate, late(c) / c.theta).on_scale_of("σ_ξ²r/q", (late(c) / c.theta).magnitude()).within(0.01)
            })
        },
    )
    .assume(Hypothesis::new("θσ_ξ²r/q ≥ 10", |c| late(c).lo() >= 10.0))
    .control("n1-course", "the plain ratio never exceeds its start", |_, (start, once, _)| {
        for_each_index("p =", 0..start.len(), |p| at_most(once[p][1], start[p][1]))
    })
}

/// θσ_ξ²r/q.
fn late(c: &Course) -> Enclosure {
    let noise = c.start.noise.map_or(exact(0.0), |n| exact(n.strength) / f64::from(n.count));
    noise * c.theta * c.start.directions.len() as f64
}
