//! Lemma B.12: how fast the condition number can grow. For equal norms in both views at τ = 0, |d log(κ_p²/κ_s²)/dt| ≤
//! (2c_Kσ_max²/N²)((1 − min ρ) + η), and without noise κ_p²/κ_s² grows at most by exp(s(1 − min ρ(0))), s =
//! σ_max²/σ_min².
//!
//! Both are true. The rate is (2c_K/N²)[σ_p²(ρ_p−Ψ) − σ_s²(ρ_s−Ψ)] and Ψ = (1−η)ρ̄ with a weighted mean ρ̄. If ρ_p − Ψ
//! and ρ_s − Ψ have opposite signs their sizes add up to at most max ρ − min ρ; otherwise the larger one decides, and
//! it is at most the distance from Ψ to the farther end of [min ρ, max ρ]. So 1 − min ρ can be replaced by (max ρ − min
//! ρ) + η max(min ρ, −max ρ, 0) ≤ (1 − min ρ) + η: what drives the condition number is that alignments differ, not that
//! they are incomplete.
//!
//! Without noise, in the clock dθ = (2c_K/N²)dt, artanh ρ_q grows at the rate σ_q². Hence min ρ ≥ tanh(σ_min²θ + artanh
//! min ρ(0)), max ρ ≤ tanh(σ_max²θ + artanh max ρ(0)), and ∫(1 − tanh(cθ + b))dθ = (1/c) log(2/(1 + tanh b)).
//! Integrating max ρ − min ρ gives **κ_p²(t)/κ_s²(t) ≤ (κ_p²(0)/κ_s²(0)) · (2/(1+min ρ(0)))^s · (1+max ρ(0))/2** for
//! every start with ρ > −1: from infinite width the factor is 2^{s−1}, where the lemma's is e^s.

use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;

use crate::shared::diagonal_course::Course;
use crate::shared::diagonal_motion::DiagonalMotion;
use crate::shared::diagonal_points::{DIAGONAL, DiagonalPoint, EQUAL, point, points};
use crate::shared::notation::{
    AGREEMENT, DATA, EXTREME_STRENGTHS, FEATURES, H_ORTH, KAPPA, KAPPA_HAT, LOSS, LOSS_WITHOUT_NEGATIVES, MOTION,
    NOISE_SHARE, NORMALISER, NORMALISER_BOTH, OUTPUTS, RHO, SIZES, SPEED, SPREAD,
};

/// What the sides are differences of.
const SUMMANDS: &str = "the largest summands of the rate";

/// d log(κ_p²/κ_s²)/dt · N²/(2c_K) for every ordered pair, and what bounds it.
struct NormRatioRates {
    pairs: Vec<((usize, usize), Interval)>,
    exact: Vec<Interval>,
    /// The same at the state's own temperature, and how far it may be from that at τ = 0.
    warm: Vec<(Interval, Interval)>,
    strongest: f64,
    weakest: f64,
    spread: (f64, f64),
    share: Interval,
    scale: f64,
}

fn rates(p: &DiagonalPoint) -> Result<NormRatioRates, MeasureError> {
    let even = p.equalised();
    let m = DiagonalMotion::cold(&even)?;
    let unit = 2.0 * m.factor / m.both;
    let (strongest, weakest) = p.extreme_strengths();
    let pairs: Vec<(usize, usize)> = m.directions().flat_map(|i| m.directions().map(move |j| (i, j))).collect();
    let rho = |i: usize| Interval::point(p.directions[i].correlation);
    let pull = |i: usize| m.strength(i) * (rho(i) - m.agreement);
    // B = Σ|h_p|/(rN²) bounds the similarities, e(b) = 2b + c_K(e^{2b} − 1) what τ adds to q_p, and Be(b) what to Q_0.
    let similarity = m.state.h.iter().map(|h| h.abs()).sum::<Interval>() / (m.both * p.directions.len() as f64);
    let b = similarity * p.tau_squared;
    let added = |i: usize| m.strength(i) * (rho(i).abs() + similarity) / m.factor;
    let warm = DiagonalMotion::at(&even, p.tau_squared)?;
    let own = |i: usize, j: usize| (warm.log_rates(i)[0] - warm.log_rates(j)[0]) / unit;
    let allowed = |i: usize, j: usize| (2.0 * b + m.factor * (2.0 * b).exp_m1()) * (added(i) + added(j));
    Ok(NormRatioRates {
        warm: pairs.iter().map(|&(i, j)| (own(i, j), allowed(i, j))).collect(),
        exact: pairs.iter().map(|&(i, j)| pull(i) - pull(j)).collect(),
        pairs: pairs.iter().map(|&(i, j)| ((i, j), (m.log_rates(i)[0] - m.log_rates(j)[0]) / unit)).collect(),
        strongest,
        weakest,
        spread: p.extreme_correlations(),
        share: m.noise_share,
        scale: 4.0 * strongest,
    })
}

impl NormRatioRates {
    fn at_most(&self, bound: Interval) -> Evaluation {
        all_of(self.pairs.iter().filter(|((i, j), _)| i != j).map(|((i, j), rate)| {
            let name = format!("p = {}, s = {}", i + 1, j + 1);
            (name, at_most(rate.abs(), bound).on_scale_of(SUMMANDS, self.scale))
        }))
    }

    /// What τ adds to the rate of each pair, against what it may add.
    fn moved_at_most(&self, bound: impl Fn(Interval) -> Interval) -> Evaluation {
        let each = self.pairs.iter().zip(&self.warm).filter(|(((i, j), _), _)| i != j);
        all_of(each.map(|(((i, j), cold), (warm, allowed))| {
            let name = format!("p = {}, s = {}", i + 1, j + 1);
            (name, at_most((*warm - *cold).abs(), bound(*allowed)).on_scale_of(SUMMANDS, self.scale))
        }))
    }

    /// (1 − min ρ) + η.
    fn printed(&self) -> Interval {
        1.0 - Interval::point(self.spread.0) + self.share
    }

    /// (max ρ − min ρ) + η max(min ρ, −max ρ, 0).
    fn spread(&self) -> Interval {
        let (low, high) = self.spread;
        Interval::point(high) - low + self.share * low.max(-high).max(0.0)
    }
}

/// log of κ_p²/κ_s² over its value at the start, for every pair; at the limit θ → ∞ too.
struct PairGrowth {
    pairs: Vec<(String, Enclosure)>,
    s: Enclosure,
    low: Enclosure,
    high: Enclosure,
}

fn growth(c: &Course) -> Result<PairGrowth, MeasureError> {
    let flow = c.start.equalised().flow()?;
    let now = flow.at(c.theta)?.log_kappa_squared;
    let ends = flow.limit().map(|end| ("the limit", end));
    let start: Vec<Interval> = c.start.directions.iter().map(|d| Interval::point(d.norm_squared).ln()).collect();
    let mut pairs = Vec::new();
    for (when, logs) in [("θ", now)].into_iter().chain(ends) {
        for i in 0..start.len() {
            for j in (0..start.len()).filter(|&j| j != i) {
                let grown = (logs[i] - start[i]) - (logs[j] - start[j]);
                pairs.push((format!("p = {}, s = {} at {when}", i + 1, j + 1), grown.into()));
            }
        }
    }
    let (strongest, weakest) = c.start.extreme_strengths();
    let (low, high) = c.start.extreme_correlations();
    Ok(PairGrowth { pairs, s: exact(strongest) / weakest, low: exact(low), high: exact(high) })
}

impl PairGrowth {
    fn at_most(&self, bound: Enclosure) -> Evaluation {
        all_of(self.pairs.iter().map(|(name, grown)| (name.clone(), at_most(*grown, bound).on_unit_scale())))
    }

    /// s log(2/(1 + min ρ)) − log(2/(1 + max ρ)).
    fn sharp(&self) -> Enclosure {
        let defect = |rho: Enclosure| (2.0 / (1.0 + rho)).ln();
        self.s * defect(self.low) - defect(self.high)
    }
}

fn courses() -> Vec<(&'static str, Course)> {
    let of = |directions: &[[f64; 4]], noise: Option<(f64, f64, f64, u32)>, theta: f64| Course {
        start: point(directions, noise),
        theta,
    };
    let wide = |strengths: &[f64]| -> Vec<[f64; 4]> { strengths.iter().map(|&s| [s, s, 0.0, 0.0]).collect() };
    vec![
        ("infinite width, σ² = (3,1,1,1)", of(&wide(&[3.0, 1.0, 1.0, 1.0]), None, 5.0)),
        ("infinite width, equal strengths", of(&wide(&[2.0, 2.0]), None, 3.0)),
        ("infinite width, (20,20,20,20,2,1)", of(&wide(&[20.0, 20.0, 20.0, 20.0, 2.0, 1.0]), None, 1.0)),
        ("a weak direction dominates, (20,1)", of(&[[20.0, 1e-6, 0.0, 0.0], [1.0, 1000.0, 0.0, 0.0]], None, 2.0)),
        ("negative correlations", of(&[[4.0, 1.0, -0.9, 0.0], [1.0, 1.0, -0.5, 0.0]], None, 1.0)),
        ("aligned but for one", of(&[[4.0, 1.0, 1.0, 0.0], [1.0, 1.0, 0.0, 0.0]], None, 0.5)),
        ("with much noise, σ² = (2,1)", of(&wide(&[2.0, 1.0]), Some((1.0, 1.0, 0.0, 9998)), 1e5)),
    ]
}

fn random_courses() -> impl Strategy<Value = Course> {
    let direction = (0.0..2.5f64, -3.0..3.0f64, -0.99..1.0f64);
    (vec(direction, 2..=4), -4.0..2.0f64).prop_map(|(directions, log_theta)| {
        let list: Vec<[f64; 4]> =
            (directions.iter()).map(|&(s, n, rho)| [core_math::exp(s), core_math::exp(n), rho, 0.0]).collect();
        Course { start: point(&list, None), theta: core_math::exp(log_theta) }
    })
}

/// What the states have in common; the temperature is that of the check.
const EQUAL_NORMS: &str =
    "equal norms in both views (differences that an instance has are ignored); τ = 0 unless the check says otherwise";

/// Starts that miss a hypothesis of the courses.
fn other_courses() -> Vec<(&'static str, Course)> {
    let of = |directions: &[[f64; 4]], noise| Course { start: point(directions, noise), theta: 1.0 };
    vec![
        ("one direction", of(&[[2.0, 1.0, 0.0, 0.0]], None)),
        ("ρ_1 = −1", of(&[[2.0, 1.0, -1.0, 0.0], [1.0, 1.0, 0.0, 0.0]], None)),
        ("noise", of(&[[2.0, 2.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]], Some((1.0, 1.0, 0.0, 98)))),
    ]
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-b12", "growth of the condition number", Kind::Inequality)
        .statement(
            "|d log(κ_p²/κ_s²)/dt| ≤ (2c_Kσ_max²/N²)((1 − min ρ) + η) at τ = 0; coupled with Lemma B.10, without noise \
             and for ρ(0) ≥ 0: κ_p²(t)/κ_s²(t) ≤ (κ_p²(0)/κ_s²(0)) exp(s(1 − min ρ(0))), s = σ_max²/σ_min²",
        )
        .reconstructed("the displayed right side; the title and the use made of it in (13) survive")
        .source("Lemma B.12", &["Section B.2, and its use in (13) and Section B.4"])
        .symbols([
            SIZES, DATA, H_ORTH, FEATURES, NORMALISER, NORMALISER_BOTH, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES,
            AGREEMENT, KAPPA, KAPPA_HAT, RHO, SPEED, NOISE_SHARE, SPREAD, EXTREME_STRENGTHS,
        ])
        .symbol("/dt", MOTION)
        .remark(
            "Only the qualitative claim survives; the right side is ours. Norms of the two views are equal, which τ = \
             0 preserves.",
        )
        .remark(
            "Both forms hold, and both can be sharpened. The rate is bounded by (max ρ − min ρ) + η max(min ρ, −max ρ, \
             0) in place of (1 − min ρ) + η: the condition number moves only as alignments differ. Integrated, the \
             growth factor is at most (2/(1+min ρ(0)))^s (1+max ρ(0))/2 from every start with ρ > −1, which is 2^{s−1} \
             from infinite width where the lemma's is e^s.",
        )
        .setting(speed_of_ratios())
        .setting(coupled())
        .setting(course_with_noise())
}

fn speed_of_ratios() -> Setting<DiagonalPoint, NormRatioRates> {
    Setting::measuring(|p: &DiagonalPoint, _| rates(p))
        .given(DIAGONAL)
        .given(EQUAL_NORMS)
        .assume(Hypothesis::new("r ≥ 2", |p| p.directions.len() >= 2))
        .family(points())
        .family(edge("nearly aligned, with noise", || {
            vec![
                (
                    "aligned, σ² = (4,1), noise share ⅓",
                    point(&[[4.0, 1.0, 1.0, 0.0], [1.0, 1.0, 1.0, 0.0]], Some((1.0, 0.5, 0.0, 3))),
                ),
                (
                    "ρ = (0.99, 0.98), σ² = (4,1), noise share ⅓",
                    point(&[[4.0, 1.0, 0.99, 0.0], [1.0, 1.0, 0.98, 0.0]], Some((1.0, 0.5, 0.0, 3))),
                ),
            ]
        }))
        .part("printed", "|d log(κ_p²/κ_s²)/dt| ≤ (2c_Kσ_max²/N²)((1 − min ρ) + η)", holds(), |_, r| {
            r.at_most(r.printed() * r.strongest)
        })
        .sides("(N²/(2c_K))|d log(κ_p²/κ_s²)/dt|", "σ_max²((1 − min ρ) + η)")
        .checked("ren2023.ColdFlow.lemma_b12_printed")
        .step(
            "exact",
            "d log(κ_p²/κ_s²)/dt = (2c_K/N²)[σ_p²(ρ_p−Ψ) − σ_s²(ρ_s−Ψ)]",
            holds(),
            |_, r| {
                all_of(r.pairs.iter().zip(&r.exact).map(|(((i, j), left), right)| {
                    (format!("p = {}, s = {}", i + 1, j + 1), equal(*left, *right).on_scale_of(SUMMANDS, r.scale))
                }))
            },
        )
        .checked("ren2023.ColdFlow.lemma_b12_exact")
        .step("s1", "1 − Ψ ≤ (1 − min ρ) + η, and Ψ ≤ 1", holds(), |p, r| {
            let Ok(m) = DiagonalMotion::cold(&p.equalised()) else {
                return Evaluation::Failed("no motion".into());
            };
            all_of([
                ("first", at_most(1.0 - m.agreement, r.printed()).on_unit_scale()),
                ("Ψ ≤ 1", at_most(m.agreement, 1)),
            ])
        })
        .checked("ren2023.ColdFlow.lemma_b12_s1")
        .part(
            "warm",
            "at the τ² of the instance d log(κ_p²/κ_s²)/dt differs from what it is at τ = 0 by at most \
             (2e(τ²B)/N²)(σ_p²(|ρ_p|+B) + σ_s²(|ρ_s|+B)) = O(τ²), B = Σ_{p′}|κ̂_{p′}²|/(rN²), e(b) = 2b + c_K(e^{2b} − \
             1)",
            holds(),
            |_, r| r.moved_at_most(|allowed| allowed),
        )
        .sides("N²/(2c_K) times how much the two rates differ", "N²/(2c_K) times what is allowed")
        .our_constant("the explicit multiple: the words name an order only")
        .sharpening(
            "spread",
            "|d log(κ_p²/κ_s²)/dt| ≤ (2c_Kσ_max²/N²)((max ρ − min ρ) + η max(min ρ, −max ρ, 0))",
            holds(),
            |_, r| r.at_most(r.spread() * r.strongest),
        )
        .sides("(N²/(2c_K))|d log(κ_p²/κ_s²)/dt|", "σ_max²((max ρ − min ρ) + η max(min ρ, −max ρ, 0))")
        .checked("ren2023.ColdFlow.lemma_b12_spread")
        .constant(
            "rate",
            "C in |d log(κ_p²/κ_s²)/dt| ≤ C (c_Kσ_max²/N²)((1 − min ρ) + η)",
            "2",
            |p| Some(if p.noise.is_some() { "with noise" } else { "without noise" }.into()),
            |_, r| {
                let bound = r.printed() * r.strongest;
                let largest = r.pairs.iter().map(|(_, rate)| rate.abs()).reduce(Interval::max)?;
                (bound.lo() > 1e-6).then(|| (2.0 * largest / bound).into())
            },
        )
        .control("fourth", "a fiftieth of what τ may add", |_, r| r.moved_at_most(|allowed| allowed * 0.02))
        .sides("N²/(2c_K) times how much the two rates differ", "N²/(2c_K) times a fiftieth of what is allowed")
        .control("n1", "η dropped", |_, r| r.at_most((1.0 - Interval::point(r.spread.0)) * r.strongest))
        .sides("(N²/(2c_K))|d log(κ_p²/κ_s²)/dt|", "σ_max²(1 − min ρ)")
        .control("n2", "half the constant", |_, r| r.at_most(0.5 * r.printed() * r.strongest))
        .sides("(N²/(2c_K))|d log(κ_p²/κ_s²)/dt|", "½σ_max²((1 − min ρ) + η)")
        .control("n3", "σ_min² in place of σ_max²", |_, r| r.at_most(r.printed() * r.weakest))
        .sides("(N²/(2c_K))|d log(κ_p²/κ_s²)/dt|", "σ_min²((1 − min ρ) + η)")
        .control("spread-alone", "max ρ − min ρ without the noise term", |_, r| {
            r.at_most((Interval::point(r.spread.1) - r.spread.0) * r.strongest)
        })
        .sides("(N²/(2c_K))|d log(κ_p²/κ_s²)/dt|", "σ_max²(max ρ − min ρ)")
}

fn coupled() -> Setting<Course, PairGrowth> {
    Setting::measuring(|c: &Course, _| growth(c))
        .given(DIAGONAL)
        .given(EQUAL)
        .assume(Hypothesis::new("r ≥ 2", |c| c.start.directions.len() >= 2))
        .assume(Hypothesis::new("no noise", |c| c.start.noise.is_none()))
        .assume(Hypothesis::new("every ρ_p(0) > −1", |c| c.start.directions.iter().all(|d| d.correlation > -1.0)))
        .family(edge("named courses", courses))
        .family(random("random starts", random_courses))
        .family(outside("other starts", other_courses))
        .part(
            "coupled",
            "κ_p²/κ_s² is at most exp(σ_max²/σ_min² · (1 − min ρ(0))) times its value at the start, for all p, s, at \
             all times and in the limit",
            holds(),
            |_, g| g.at_most(g.s * (1.0 - g.low)),
        )
        .sides("log of the growth of κ_p²/κ_s²", "s(1 − min ρ(0))")
        .assume(Hypothesis::new("every ρ_p(0) ≥ 0", |c| c.start.extreme_correlations().0 >= 0.0))
        .sharpening(
            "sharp",
            "κ_p²/κ_s² is at most (2/(1+min ρ(0)))^{σ_max²/σ_min²} (1+max ρ(0))/2 times its value at the start, for \
             all p ≠ s, at all times and in the limit",
            holds(),
            |_, g| g.at_most(g.sharp()),
        )
        .sides("log of the growth of κ_p²/κ_s²", "s log(2/(1 + min ρ(0))) − log(2/(1 + max ρ(0)))")
        .control("half", "κ_p²/κ_s² grows at most by exp(s(1 − min ρ(0))/2)", |_, g| {
            g.at_most(0.5 * g.s * (1.0 - g.low))
        })
        .sides("log of the growth of κ_p²/κ_s²", "s(1 − min ρ(0))/2")
        .control("signed", "exp(s(1 − min ρ(0))/2) also for ρ(0) < 0", |_, g| g.at_most(0.5 * g.s * (1.0 - g.low)))
        .sides("log of the growth of κ_p²/κ_s²", "s(1 − min ρ(0))/2")
        .assume(Hypothesis::new("some ρ_p(0) < 0", |c| c.start.extreme_correlations().0 < 0.0))
        .control("sharper", "two per cent less in the exponent of the sharp bound", |_, g| g.at_most(0.98 * g.sharp()))
        .sides("log of the growth of κ_p²/κ_s²", "0.98(s log(2/(1 + min ρ(0))) − log(2/(1 + max ρ(0))))")
}

fn course_with_noise() -> Setting<Course, PairGrowth> {
    Setting::measuring(|c: &Course, _| growth(c))
        .given(DIAGONAL)
        .given(EQUAL)
        .assume(Hypothesis::new("r ≥ 2", |c| c.start.directions.len() >= 2))
        .family(edge("named courses", courses))
        .family(outside("other starts", other_courses))
        .without_search()
        .control("n4", "the coupled form also with noise", |_, g| g.at_most(g.s * (1.0 - g.low)))
        .sides("log of the growth of κ_p²/κ_s²", "s(1 − min ρ(0))")
        .assume(Hypothesis::new("every ρ_p(0) ≥ 0", |c| c.start.extreme_correlations().0 >= 0.0))
}
