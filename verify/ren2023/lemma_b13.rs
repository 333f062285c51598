//! Lemma B.13: the norms of the two views stay close. Δ_p := ‖[K_A]_p‖²/‖[K_B]_p‖² + ‖[K_B]_p‖²/‖[K_A]_p‖² = 2cosh u_p
//! is at least 2, and u̇_p = (4c_Kσ_p²/(N_AN_B))( −ρ_p sinh(u_p/2) + Ψ sinh(ν/2) ), ν = log(N_A²/N_B²), is an identity
//! at τ = 0.
//!
//! What survives of the right side is that it is quadratic in the error. Quadratic in the relative error |u| of the
//! norms is true: |Δ̇_p| ≤ 10(c_Kσ_p²/(N_AN_B)) max|u|² while max|u| ≤ 1, because sinh(u_p) and the bracket are both of
//! first order. Quadratic in the tracked error Δ − 2 ≈ u² is false: with ρ = (0, 1), σ = 1 and both u equal, Δ̇_1 ≈
//! 2c_K u²/N² ≈ 2c_K(Δ_1−2)/N². So the use made of it in Section B.4, that a small enough start makes the right side
//! negligible, needs the linear coefficient max(Ψ − ρ_p, 0), which is integrable along the trajectory (Lemma B.2), not
//! smallness alone.

use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};
use two_view::{DiagonalState, Objective, View};

use crate::shared::diagonal_motion::DiagonalMotion;
use crate::shared::diagonal_points::{DIAGONAL, DiagonalPoint, point, points};
use crate::shared::hypotheses::over_orthogonal_learning_states;
use crate::shared::learning_motion::LearningMotion;
use crate::shared::learning_states::LearningState;
use crate::shared::notation::{
    AGREEMENT, DATA, EXTREME_STRENGTHS, FEATURES, H_ORTH, LOSS, LOSS_WITHOUT_NEGATIVES, MOTION, NORM_RATIO, NORMALISER,
    NORMALISER_RATIO, OUTPUTS, RHO, SIZES, SPEED, SPREAD,
};

/// What the sides are differences of.
const SUMMANDS: &str = "the largest summands of the rate";

fn sinh(x: Interval) -> Interval {
    0.5 * (x.exp_m1() - (-x).exp_m1())
}

/// u̇ of one column pair of a state of any width, and its prediction without the factor of the ν-term.
struct ColumnRatio {
    name: String,
    rate: Interval,
    own: Interval,
    common: Interval,
    scale: f64,
}

fn ratios(s: &LearningState) -> Result<Vec<ColumnRatio>, MeasureError> {
    let m = LearningMotion::cold(s)?;
    let nu = (m.square_a / m.square_b).ln();
    let of = |k: usize| {
        let (a, b) = ((View::A, k), (View::B, k));
        let u = (m.squared_norm(a) / m.squared_norm(b)).ln();
        let unit = 4.0 * m.factor() * m.strength(k) * m.signal_share(k) / m.both;
        let aligned = if k < m.signal() { m.correlation(k) * sinh(0.5 * u) } else { Interval::ZERO };
        ColumnRatio {
            name: format!("column {}", k + 1),
            rate: m.log_rate(a) - m.log_rate(b),
            own: -(unit * aligned),
            common: unit * m.agreement * sinh(0.5 * nu),
            scale: m.pace(a) + m.pace(b),
        }
    };
    Ok((0..m.latents()).map(of).collect())
}

/// The log-ratios of a diagonal state at τ = 0 and their rates.
struct RatioDrift {
    /// u_p.
    ratios: Vec<f64>,
    rates: Vec<Interval>,
    correlations: Vec<f64>,
    /// c_Kσ_p²/(N_AN_B).
    pulls: Vec<Interval>,
    /// max|u| over signal and noise.
    largest: f64,
    extremes: (f64, f64),
    nu: Interval,
    agreement: Interval,
    scale: f64,
}

fn drift(p: &DiagonalPoint) -> Result<RatioDrift, MeasureError> {
    let m = DiagonalMotion::cold(p)?;
    let ratios: Vec<f64> = p.directions.iter().map(|d| d.log_ratio).collect();
    let all = || ratios.iter().copied().chain(p.noise.map(|n| n.log_ratio));
    Ok(RatioDrift {
        largest: all().map(f64::abs).fold(0.0, f64::max),
        extremes: (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max)),
        rates: m.directions().map(|k| m.log_rates(k)[0] - m.log_rates(k)[1]).collect(),
        correlations: p.directions.iter().map(|d| d.correlation).collect(),
        pulls: m.directions().map(|k| m.pull(k)).collect(),
        nu: m.log_ratio_of_outputs(),
        agreement: m.agreement,
        scale: m.pace(),
        ratios,
    })
}

impl RatioDrift {
    /// Every p with |ν| ≤ |u_p|: one that attains max|u| over signal and noise, or leads |ν| for certain.
    fn leaders(&self) -> impl Iterator<Item = usize> {
        let leads = |u: f64| u.abs() == self.largest || self.nu.magnitude() < u.abs();
        (0..self.ratios.len()).filter(move |&p| leads(self.ratios[p]))
    }

    /// d|u_p|/dt against 4c_Kσ_p²/(N_AN_B) sinh(|u_p|/2) times a coefficient, where |ν| ≤ |u_p|: for a p that attains
    /// max|u| over signal and noise, and for every other p that leads |ν| for certain.
    fn largest_grows_at_most(&self, coefficient: impl Fn(Interval) -> Interval) -> Evaluation {
        for_each_index("p =", self.leaders(), |p| {
            let u = self.ratios[p];
            let growth = if u < 0.0 { -self.rates[p] } else { self.rates[p] };
            let allowed = 4.0 * self.pulls[p] * sinh(Interval::point(u.abs()) * 0.5);
            let right = allowed * coefficient(self.agreement - self.correlations[p]);
            at_most(growth, right).on_scale_of(SUMMANDS, self.scale * u.abs())
        })
    }

    /// Δ̇_p.
    fn error_rate(&self, p: usize) -> Interval {
        2.0 * sinh(Interval::point(self.ratios[p])) * self.rates[p]
    }
}

/// ρ = (ρ_1, 1), equal strengths, no noise, and u_1 = u_2 = 2^{-k} for k = 2, …, halvings.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "ρ = ({correlation}, 1), σ² = {strength}, κ = 1, u_1 = u_2 = 2^-2, …, 2^-{halvings}", stored)]
struct EqualMismatch {
    #[instance(range = "-1..=1")]
    correlation: f64,
    #[instance(range = "1e-3..=1e3", scale = "logarithmic")]
    strength: f64,
    #[instance(range = "4..=30")]
    halvings: u32,
}

impl EqualMismatch {
    /// Δ̇_1 N_AN_B/(c_Kσ²) and Δ_1 − 2 = 4 sinh²(u/2).
    fn at(&self, k: u32) -> Result<(Enclosure, Enclosure), MeasureError> {
        let u = 1.0 / f64::from(1u32 << k);
        let directions = [[self.strength, 1.0, self.correlation, u], [self.strength, 1.0, 1.0, u]];
        let d = drift(&point(&directions, None))?;
        let rate = d.error_rate(0) / d.pulls[0];
        Ok((rate.into(), (4.0 * sinh(Interval::point(u) * 0.5).square()).into()))
    }
}

/// The largest factor by which max|u| exceeds its start, this amplitude, on the trajectory at τ = 0 from the state
/// without noise and with |ρ_p| for ρ_p.
fn largest_growth(p: &DiagonalPoint, amplitude: f64) -> Result<f64, MeasureError> {
    let mut small = p.without_noise();
    let top = p.directions.iter().map(|d| d.log_ratio.abs()).fold(0.0, f64::max);
    for d in &mut small.directions {
        d.log_ratio *= amplitude / top;
        d.correlation = d.correlation.abs();
    }
    let near = |list: &[Interval]| list.iter().map(|x| x.midpoint()).collect::<Vec<f64>>();
    let s = small.state();
    let start = DiagonalState {
        a: near(&s.a),
        b: near(&s.b),
        h: near(&s.h),
        noise_a: near(&s.noise_a),
        noise_b: near(&s.noise_b),
    };
    let m = DiagonalMotion::cold(&small)?;
    let unit = (m.both / (m.factor * p.extreme_strengths().1)).midpoint();
    let times: Vec<f64> = (1..=12).map(|k| 0.25 * f64::from(k) * unit).collect();
    let cold = Objective::Contrastive { tau_squared: 0.0, negatives: p.negatives };
    let (orbit, _) = small.law()?.orbit(&start, cold, &times, 1e-12)?;
    let mismatch =
        |s: &DiagonalState<f64>| s.a.iter().zip(&s.b).map(|(a, b)| core_math::log(a / b).abs()).fold(0.0, f64::max);
    Ok(orbit.iter().map(mismatch).fold(amplitude, f64::max) / amplitude)
}

const SOME_LEADER: Hypothesis<DiagonalPoint> =
    Hypothesis::new("some p has |ν| ≤ |u_p|", |p| drift(p).is_ok_and(|d| d.leaders().next().is_some()));
const AGREEING: Hypothesis<DiagonalPoint> =
    Hypothesis::new("Ψ ≥ 0", |p| drift(p).is_ok_and(|d| d.agreement.lo() >= 0.0));
const NO_LARGE_DIFFERENCE: Hypothesis<DiagonalPoint> =
    Hypothesis::new("max|u| ≤ 1", |p| drift(p).is_ok_and(|d| d.largest <= 1.0));

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-b13", "norms in A against norms in B", Kind::Dynamics)
        .statement(
            "Δ_p = ‖[K_A]_p‖²/‖[K_B]_p‖² + ‖[K_B]_p‖²/‖[K_A]_p‖² = 2cosh u_p moves at τ = 0 by u̇_p = \
             (4c_Kσ_p²/(N_AN_B))(−ρ_p sinh(u_p/2) + Ψ sinh(ν/2)), and Δ̇_p is quadratic in the error",
        )
        .reconstructed(
            "the displayed right sides; the tracked quantity, and that (14) is quadratic in the error, survive",
        )
        .source("Lemma B.13", &["Section B.3, and its use in (14) and Section B.4"])
        .symbols([
            SIZES, DATA, H_ORTH, FEATURES, NORMALISER, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, AGREEMENT, RHO, SPEED,
            SPREAD, EXTREME_STRENGTHS, NORM_RATIO, NORMALISER_RATIO,
        ])
        .symbol("u̇_p", MOTION)
        .symbol("Δ_p", "‖[K_A]_p‖²/‖[K_B]_p‖² + ‖[K_B]_p‖²/‖[K_A]_p‖² = 2cosh u_p")
        .symbol("max|u|", "the largest |u_p| and |u_ξ| over all signals and noise columns")
        .remark(
            "True if the error is the relative error |u| of the norms, false if it is the tracked Δ − 2, which is \
             itself quadratic in |u|: the right side is then linear, with a coefficient proportional to Ψ − ρ_p. \
             Section B.4 makes the right side small by a small start alone; a linear right side also needs that the \
             coefficient is integrable, which Lemmas B.2 and B.10 give.",
        )
        .setting(printed())
        .setting(contraction())
        .setting(linear())
        .setting(along_trajectories())
}

fn printed() -> Setting<LearningState, Vec<ColumnRatio>> {
    over_orthogonal_learning_states(Setting::measuring(|s: &LearningState, _| ratios(s)))
        .given("τ = 0, whatever the τ² of the instance")
        .without_search()
        .part(
            "printed",
            "u̇_p = (4c_Kσ_p²/(N_AN_B))(−ρ_p sinh(u_p/2) + Ψ sinh(ν/2)) for every signal, and u̇_ξ = \
             (4c_Kσ_ξ²(r/q)/(N_AN_B))Ψ sinh(ν/2) for u_ξ = log(‖[K_{A,ξ}]_k‖²/‖[K_{B,ξ}]_k‖²) of every noise column, \
             at every width",
            holds(),
            |_, all| {
                all_of(
                    all.iter()
                        .map(|r| (r.name.clone(), equal(r.rate, r.own + r.common).on_scale_of(SUMMANDS, r.scale))),
                )
            },
        )
        .checked("ren2023.StageOne.lemma_b13_printed")
        .control("n2", "without the ν-term", |_, all| {
            all_of(all.iter().map(|r| (r.name.clone(), equal(r.rate, r.own).on_scale_of(SUMMANDS, r.scale))))
        })
        .control("factor", "one per cent more", |_, all| {
            all_of(
                all.iter()
                    .map(|r| (r.name.clone(), equal(r.rate, 1.01 * (r.own + r.common)).on_scale_of(SUMMANDS, r.scale))),
            )
        })
}

fn contraction() -> Setting<DiagonalPoint, RatioDrift> {
    Setting::measuring(|p: &DiagonalPoint, _| drift(p))
        .given(DIAGONAL)
        .given("τ = 0, whatever the τ² of the instance")
        .assume(Hypothesis::new("some u_p ≠ 0", |p| p.directions.iter().any(|d| d.log_ratio != 0.0)))
        .family(points())
        .family(outside("norms far apart in both views", || {
            let of =
                |u: f64| DiagonalPoint { negatives: 1.0, ..point(&[[1.0, 1e-6, -1.0, u], [1.0, 1.0, 1.0, u]], None) };
            vec![("ρ = (−1, 1), u = 1.2", of(1.2)), ("ρ = (−1, 1), u = 3", of(3.0))]
        }))
        .ours(
            "r1",
            "where |ν| ≤ |u_p|, as if p attains max|u|, and Ψ ≥ 0: d|u_p|/dt ≤ (4c_Kσ_p²/(N_AN_B)) max(Ψ−ρ_p, 0) \
             sinh(|u_p|/2)",
            holds(),
            |_, d| d.largest_grows_at_most(|x| x.max(Interval::ZERO)),
        )
        .assume(SOME_LEADER)
        .because("the surviving word is quadratic, and this side is linear")
        .assume(AGREEING)
        .sense(
            "r3",
            "quadratic in the relative error: |Δ̇_p| ≤ 10 (c_Kσ_p²/(N_AN_B)) max|u|² for every p while max|u| ≤ 1",
            holds(),
            |_, d| {
                for_each_index("p =", 0..d.ratios.len(), |p| {
                    let right = 10.0 * d.pulls[p] * Interval::point(d.largest).square();
                    at_most(d.error_rate(p).abs(), right).on_scale_of(SUMMANDS, d.scale * d.largest * d.largest)
                })
            },
        )
        .our_constant("the factor 10")
        .because("(11) measures the same error by the relative difference of the norms")
        .assume(NO_LARGE_DIFFERENCE)
        .step(
            "s2",
            "ν lies between the smallest and the largest u, signals and noise columns together",
            holds(),
            |_, d| {
                all_of([
                    ("from above", at_most(d.nu, exact(d.extremes.1)).on_unit_scale()),
                    ("from below", at_least(d.nu, exact(d.extremes.0)).on_unit_scale()),
                ])
            },
        )
        .sharpening(
            "contraction",
            "where |ν| ≤ |u_p| and Ψ ≥ 0: d|u_p|/dt ≤ (4c_Kσ_p²/(N_AN_B))(Ψ−ρ_p) sinh(|u_p|/2), negative once ρ_p > Ψ",
            holds(),
            |_, d| d.largest_grows_at_most(|x| x),
        )
        .assume(SOME_LEADER)
        .assume(AGREEING)
        .control("n1", "Δ_p is non-increasing at τ = 0", |_, d| {
            for_each_index("p =", 0..d.ratios.len(), |p| at_most(d.error_rate(p), 0))
        })
        .control("constant", "r3 with the constant 2", |_, d| {
            for_each_index("p =", 0..d.ratios.len(), |p| {
                let right = 2.0 * d.pulls[p] * Interval::point(d.largest).square();
                at_most(d.error_rate(p).abs(), right)
            })
        })
        .assume(NO_LARGE_DIFFERENCE)
        .control("half", "the coefficient (Ψ−ρ_p)/2 where it is positive", |_, d| {
            d.largest_grows_at_most(|x| 0.5 * x.max(Interval::ZERO))
        })
        .assume(SOME_LEADER)
        .assume(AGREEING)
}

type Pair = (Enclosure, Enclosure);

fn linear() -> Setting<EqualMismatch, (Pair, Pair)> {
    Setting::measuring(|s: &EqualMismatch, _| Ok((s.at(2)?, s.at(s.halvings)?)))
        .given("H-orth; r = 2, no noise, ρ_2 = 1, ‖[K_A]_p‖‖[K_B]_p‖ = 1, σ_1 = σ_2, u_1 = u_2 = 2^{−k}; τ = 0")
        .assume(Hypothesis::new("ρ_1 ≤ 3/4", |s| s.correlation <= 0.75))
        .assume(Hypothesis::new("k ≥ 8", |s| s.halvings >= 8))
        .family(edge("named sweeps", || {
            let of = |correlation, strength, halvings| EqualMismatch { correlation, strength, halvings };
            vec![("ρ = (0, 1)", of(0.0, 1.0, 16)), ("ρ = (½, 1)", of(0.5, 2.0, 12)), ("ρ = (−½, 1)", of(-0.5, 0.5, 20))]
        }))
        .family(random("random sweeps", || {
            (-0.9..0.75f64, 0.1..10.0f64, 8u32..=20).prop_map(|(correlation, strength, halvings)| EqualMismatch {
                correlation,
                strength,
                halvings,
            })
        }))
        .family(outside("other states", || {
            let of = |correlation, halvings| EqualMismatch { correlation, strength: 1.0, halvings };
            vec![("ρ = (1, 1)", of(1.0, 16)), ("u = 2^-4", of(0.0, 4))]
        }))
        .sense(
            "r2",
            "quadratic in the tracked error: Δ̇_p ≤ 1024 (c_Kσ_p²/(N_AN_B))(Δ_p−2)²",
            fails("Δ̇_p is linear in Δ_p − 2, with a coefficient proportional to Ψ − ρ_p"),
            |_, (_, (rate, error))| at_most(*rate, 1024.0 * error.square()),
        )
        .sides("(N_AN_B/(c_Kσ_p²)) Δ̇_p", "1024 (Δ_p−2)²")
        .our_constant("the factor 1024; the amendment shows that none serves")
        .because("Section B.4 calls the right side of (14) quadratic in what it tracks")
        .amendment(
            "linear",
            "Δ̇_1 = 4(c_Kσ_1²/(N_AN_B))(Ψ−ρ_1)(Δ_1−2), linear in Δ_1 − 2, up to 1/64 of the right side at u_1 = u_2 = ¼ \
             and up to 10⁻⁴ of it at u_1 = u_2 = 2^{−k}",
            holds(),
            |s, ((rate, error), (last_rate, last_error))| {
                // Ψ = (1 + ρ_1)/2, and 2 sinh(u) sinh(u/2)/(4 sinh²(u/2)) = cosh(u/2) is within u²/4 of one.
                let coefficient = 2.0 * (exact(1.0) - s.correlation);
                all_of([
                    (
                        "u = ¼",
                        equal(*rate, coefficient * *error)
                            .on_scale_of("the right side", (coefficient * *error).magnitude())
                            .within(1.0 / 64.0),
                    ),
                    (
                        "the smallest u",
                        equal(*last_rate, coefficient * *last_error)
                            .on_scale_of("the right side", (coefficient * *last_error).magnitude())
                            .within(1e-4),
                    ),
                ])
            },
        )
        .sides("(N_AN_B/(c_Kσ_1²)) Δ̇_1", "4(Ψ−ρ_1)(Δ_1−2)")
        .control("linear-more", "the linear form at the smallest u with one per cent more", |s, (_, (rate, error))| {
            equal(*rate, 2.02 * (exact(1.0) - s.correlation) * *error).within(1e-4)
        })
        .sides("(N_AN_B/(c_Kσ_1²)) Δ̇_1", "1.01·4(Ψ−ρ_1)(Δ_1−2)")
}

fn along_trajectories() -> Setting<DiagonalPoint, Vec<(f64, f64)>> {
    Setting::measuring(|p: &DiagonalPoint, _| {
        let sizes = [16.0, 64.0, 256.0, 1024.0];
        let point = |size: f64| Ok((size, largest_growth(p, 1.0 / size)?));
        sizes.into_iter().map(point).collect::<Result<Vec<_>, MeasureError>>()
    })
    .given(DIAGONAL)
    .given(
        "τ = 0; no noise, and |ρ_p| for the ρ_p of the instance; u scaled to max|u| = 1/16, 1/64, 1/256, 1/1024; seen \
         at twelve equal steps of time up to 3N_AN_B/(c_Kσ_min²)",
    )
    .assume(Hypothesis::new("some u_p ≠ 0", |p| p.directions.iter().any(|d| d.log_ratio != 0.0)))
    .assume(Hypothesis::new("s ≤ 25", |p| p.extreme_strengths().0 <= 25.0 * p.extreme_strengths().1))
    .family(points().into_iter().map(|f| f.taking(0.5)))
    .without_search()
    .step(
        "s3",
        "along trajectories the largest max|u(t)|/max|u(0)| stays of one order as max|u(0)| falls from 1/16 to 1/1024",
        consistent(),
        |_, growths| Trend::through(growths).named("1/max|u(0)|").is_bounded(),
    )
    .control("s3-never", "max|u| never grows", |_, growths| {
        all_of(
            growths.iter().map(|&(size, growth)| (format!("from 1/{size}"), at_most(Enclosure::measured(growth), 1))),
        )
    })
    .sides("the largest max|u(t)|/max|u(0)|", "1")
}
