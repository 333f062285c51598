//! Theorem 4.2 (A.2): the average of the loss vectors' norms along Algorithm 1, at laptop scale.
//!
//! The printed sizes cannot be run. At widths up to 200 everything that the statement compares is consistent with it,
//! with room: A(T) ≤ √(n³d/(Tηmδ)) on separated inputs, on antipodal ones and on the digits, and A(T)√(Tηmδ/(n³d)) stays bounded as m, n, k or 1/δ grow. Between what is measured in a
//! run there is an inequality without constants: A(T) ≤ √(L_S(0)/(ρχηT)), with ρ the smallest descent of a step
//! relative to η‖∇‖² and χ the smallest ‖∇‖²/‖loss‖².
//!
//! No upper limit of d is printed, and one is needed (d ≤ O(m/(L log m)) stands in Lemmas B.3, B.6 and Corollary
//! B.9): the step is c d/m with c fixed by n, L, k, δ, ε. For d ≫ m the gradient of W_L does not fall like m/d, so
//! that the first step makes queries and keys ηa_i + … long, of order d/m, along the old keys and queries; these are
//! nearly orthogonal, with products of random sign and order 1/√d, so that the logits η²/√d outgrow everything with
//! the wrong sign for about every other start, and the loss vectors have length η while T and ε stay.
//!
//! The two printings ask for n¹⁵ and n¹². The proof needs n¹³ (with d of order (log m)²), so that Theorem A.2 does
//! not follow from it, and Theorem 4.2 does as far as the width goes; the number of steps that the proof gives has
//! n¹¹ for the printed n¹⁰. These are exponents, see bookkeeping.

use contrapositive::claim::{
    Claim, Evaluation, Kind, MeasureError, Series, Setting, Trial, all_of, at_most, consistent, data, edge, fails,
    holds,
};
use contrapositive::enclosure::{Enclosure, exact};
use contrapositive::instance::Instance;
use contrapositive::probability::fit_power_law;
use contrapositive::trend::Trend;

use super::large_outputs::{LargeOutputs, large_outputs};
use super::monomials::N;
use super::proof_exponents::Step::{self, *};
use super::regime_points::{AtPoint, THIS, points, with_factor};
use super::runs::Run;
use super::training_sweep::{Grown, TrainingSweep, numbers, product, sweeps};
use super::trainings::{Inputs, Training, slope, total, training};

/// Losses of about one in doubles; ratios of their differences are known to about this much.
const ROUNDING: f64 = 1e-9;

/// A(T) over the last doubling of the steps, at nine lengths.
fn decay(r: &Run) -> Evaluation {
    let points: Vec<(f64, f64)> = (8..=16)
        .map(|sixteenths| {
            let steps = (r.length() * sixteenths / 16).max(1);
            (steps as f64, r.average_until(steps))
        })
        .collect();
    Trend::through(&points).named("T").grows_at_most(-0.5)
}

fn measured(x: f64) -> Enclosure {
    Enclosure::measured(x)
}

/// The largest remainder of a step over the brackets of Lemma 4.4 with the constants one, ω and τ the distances that
/// the run reaches.
fn semi_smoothness(s: &Training, r: &Run) -> f64 {
    let [n, l, m, d] = numbers(s);
    let (k, logarithm) = (s.sizes.negatives as f64, core_math::log(m).max(1.0));
    let reached = r.progress[r.length()].distances;
    let ratio = |pair: &[super::runs::Progress]| {
        let (now, next) = (&pair[0], &pair[1]);
        let rest = next.loss - now.loss + r.rate * slope(now);
        let bracket = |side: usize| {
            let first = core_math::cbrt(reached[side]) * l * l * (m * logarithm / (n * d)).sqrt();
            let length = r.rate * now.gradients[side].sqrt();
            let other = reached[1 - side];
            first * now.loss_vectors[side].sqrt() * length
                + k * l * l * (m / d) * (m / d) * other * other * length * length
        };
        rest / (bracket(0) + bracket(1))
    };
    r.progress.windows(2).map(ratio).fold(f64::NEG_INFINITY, f64::max)
}

fn trainings() -> Vec<(String, Training)> {
    let list = [
        training(Inputs::Separated { least: 1.0 }, [4, 2, 4, 100, 2, 8, 400], 100, 1),
        training(Inputs::Separated { least: 0.5 }, [6, 3, 4, 60, 1, 16, 400], 100, 2),
        training(Inputs::Separated { least: 1.0 }, [5, 4, 8, 60, 3, 8, 500], 100, 3),
        training(Inputs::Separated { least: 1.0 }, [4, 1, 4, 60, 2, 8, 1500], 30, 4),
        training(Inputs::Separated { least: 0.8 }, [2, 1, 2, 80, 2, 2, 400], 100, 5),
        training(Inputs::Antipodal, [6, 2, 3, 80, 1, 8, 1600], 100, 6),
        training(Inputs::Antipodal, [4, 3, 2, 60, 2, 8, 400], 100, 7),
        training(Inputs::Circle, [6, 5, 2, 100, 1, 8, 1200], 100, 8),
        training(Inputs::Close { angle: 0.1 }, [3, 2, 3, 100, 1, 8, 400], 100, 9),
    ];
    list.into_iter().map(|s| (s.describe(), s)).collect()
}

fn digits() -> Vec<Training> {
    vec![
        training(Inputs::Digits, [10, 3, 64, 50, 2, 16, 800], 500, 10),
        training(Inputs::Digits, [12, 1, 64, 60, 1, 16, 800], 500, 11),
    ]
}

/// What remains of the products after division by what they may grow like is bounded.
fn bounded(found: &[(f64, f64)], growth: impl Fn(f64) -> f64) -> Evaluation {
    let points: Vec<(f64, f64)> = found
        .iter()
        .map(|&(size, product)| (size, product / growth(size)))
        .collect();
    Trend::through(&points).is_bounded()
}

/// A(T), L_S and distances at T = 1, 2, 4, … for the first separated data set and for the digits.
fn curves(trial: &mut Trial) -> Result<Series, MeasureError> {
    let chosen = [
        training(Inputs::Separated { least: 1.0 }, [4, 2, 4, 100, 2, 8, 512], 100, 1),
        training(Inputs::Digits, [10, 3, 64, 50, 2, 16, 512], 500, 10),
    ];
    let runs = [chosen[0].run(trial.fixtures())?, chosen[1].run(trial.fixtures())?];
    let mut table = Series::of([
        ("T", ""),
        ("A(T), separated", ""),
        ("L_S(T), separated", "nats"),
        ("‖W^(T) − W^(0)‖, separated", ""),
        ("A(T), digits", ""),
        ("L_S(T), digits", "nats"),
        ("‖W^(T) − W^(0)‖, digits", ""),
    ]);
    for k in 0..=9u32 {
        let steps = 1usize << k;
        let mut row = vec![steps.into()];
        for r in &runs {
            let p = &r.progress[steps];
            row.extend([r.average_until(steps), p.loss, p.distances[0]].map(|x| measured(x).into()));
        }
        table.push(row);
    }
    let exponents: Vec<String> = runs
        .iter()
        .map(|r| {
            let points: Vec<(f64, f64)> = (3..=9)
                .map(|k| (f64::from(1u32 << k), r.average_until(1 << k)))
                .collect();
            fit_power_law(&points, 0.05).map_or_else(|e| e.to_string(), |fit| format!("{:.2}", fit.slope.midpoint()))
        })
        .collect();
    Ok(table.noting(format!(
        "{}; {}; exponents of A(T) from T = 8 on: {}",
        chosen[0].describe(),
        chosen[1].describe(),
        exponents.join(" and ")
    )))
}

const EXPONENTS: [Step; 6] = [K2Appendix, K2Section4, K2Least, K4, K5Amended, Repaired];

pub fn claim() -> Claim {
    Claim::new(
        "wen2020.theorem-4.2",
        "convergence to approximate stationarity",
        Kind::Convergence,
    )
    .statement(
        "for ε ∈ (0,1), δ ∈ (0, O(1/L)), d ≥ Ω((log m)²), η, γ = Θ(dε²δ²/(n⁷L²km)) and m ≥ Ω(n^p L¹²(log \
         m)⁵δ^{−5}ε^{−2}), p = 15 (p = 12 in Theorem A.2), with probability ≥ 1 − O(1/m): (1/T) Σ_{t<T} ‖loss^{(t)}‖ \
         ≤ ε for T = Θ(n¹⁰L²kδ^{−3}ε^{−4})",
    )
    .source("Theorem 4.2", &["Theorem A.2", "Section 5.3"])
    .sense("any-d", "d ≥ Ω((log m)²) and no upper limit of d, as printed")
    .sense(
        "bounded-d",
        "also d ≤ O(m/(L log m)), which Lemmas B.3 and B.6 and Corollary B.9 ask for and the proof uses",
    )
    .remark(
        "A run starts on a plateau (the loss vectors keep their length until the logits are of order one), so that \
         the exponent of A(T) is asked of the last doubling only. d ≤ m in all runs but those of any-output.",
    )
    .remark(
        "A(T) = (1/T) Σ_{t<T} ‖loss^{(t)}‖ with the expressions of Facts 1 and 2; with Definition 4.1 it is n times \
         smaller. Runs have steps of 3d/(100m) to d/(2m) and are compared at equal times Tηm/d, since the printed Tη \
         is Θ(n³d/(mδε²)).",
    )
    .setting(
        Setting::measuring(|s: &Training, trial| s.run(trial.fixtures()))
            .given("Algorithm 1 on n distinct unit inputs, 1 ≤ k ≤ n − 1, η = γ")
            .assume("d ≤ m", |s| s.sizes.output <= s.sizes.width)
            .assume("η = γ ≤ d/(2m)", |s| s.sizes.rate_in_thousandths <= 500)
            .outside("wide outputs, long steps", || {
                let close = || Inputs::Close {
                    angle: std::f64::consts::FRAC_PI_2,
                };
                vec![
                    ("d = 512, m = 4", training(close(), [2, 1, 2, 4, 1, 512, 4], 100, 1)),
                    ("η = γ = 20 d/m", training(close(), [2, 1, 2, 40, 1, 2, 40], 20_000, 1)),
                ]
            })
            .family(edge("synthetic", trainings).restricted("one random start of each size"))
            .family(data("digits", |_| {
                Ok(digits().into_iter().map(|s| (s.describe(), s)).collect())
            }))
            .without_search()
            .part(
                "rate",
                "A(T) ≤ √(n³d/(Tηmδ)), what the printed T gives for ε",
                holds(),
                |s, r| at_most(measured(product(s, r)), 1),
            )
            .because("Tη = Θ(n³d/(mδε²)) solved for ε; the constant 1 is ours")
            .ours(
                "decay",
                "A(T) = O(T^{−1/2}) over the last doubling of the steps",
                consistent(),
                |_, r| decay(r),
            )
            .because("what (A.3) gives at fixed steps; the theorem has no rate at fixed steps")
            .step(
                "descent",
                "A(T) ≤ √(L_S(0)/(ρχηT)) with ρ and χ of the run",
                holds(),
                |_, r| {
                    let strength = r.least_descent() * r.least_conversion() * r.rate * r.length() as f64;
                    at_most(
                        measured(r.average_until(r.length())),
                        measured((r.progress[0].loss / strength).sqrt() * (1.0 + ROUNDING)),
                    )
                },
            )
            .not_evidence("Jensen's inequality with constants read off the run")
            .step(
                "radius",
                "both networks stay within n^{7/2}√d/(δε√m) for ε = A(T)",
                holds(),
                |s, r| {
                    let [n, _, m, d] = numbers(s);
                    let radius =
                        n * n * n * n.sqrt() * d.sqrt() / (r.separation * r.average_until(r.length()) * m.sqrt());
                    all_of(["W", "θ"].into_iter().enumerate().map(|(side, name)| {
                        let far = r.progress.iter().map(|p| p.distances[side]).fold(0.0, f64::max);
                        (name, at_most(measured(far), measured(radius)))
                    }))
                },
            )
            .step(
                "semi-smoothness",
                "at every step the remainder of L_S is at most the sum of the brackets of (4.1) with the constants one, ω and τ the distances that the run reaches",
                holds(),
                |s, r| at_most(measured(semi_smoothness(s, r)), 1),
            )
            .sharpening(
                "smaller-radius",
                "both networks stay within √(2TηL_S(0)), no constants",
                holds(),
                |_, r| {
                    let radius = (2.0 * r.length() as f64 * r.rate * r.progress[0].loss).sqrt();
                    all_of(["W", "θ"].into_iter().enumerate().map(|(side, name)| {
                        let far = r.progress.iter().map(|p| p.distances[side]).fold(0.0, f64::max);
                        (name, at_most(measured(far), measured(radius)))
                    }))
                },
            )
            .control("a", "‖loss^{(t)}‖ ≤ 1/10 for every t", |_, r| {
                at_most(
                    measured(r.progress.iter().map(|p| total(p).sqrt()).fold(0.0, f64::max)),
                    exact(0.1),
                )
            })
            .control("b", "L_S increases at every step", |_, r| {
                let fall = r
                    .progress
                    .windows(2)
                    .map(|p| p[0].loss - p[1].loss)
                    .fold(f64::INFINITY, f64::min);
                at_most(measured(fall), 0)
            })
            .control("c", "T = 1 is enough for ε = 1/10", |_, r| {
                at_most(measured(r.average_until(1)), exact(0.1))
            })
            .control("d", "A(T) falls at least like 1/T from the first step on", |_, r| {
                at_most(
                    measured(r.average_until(r.length()) * r.length() as f64),
                    measured(r.average_until(1)),
                )
            }),
    )
    .setting(
        Setting::measuring(|s: &TrainingSweep, trial| s.products(trial))
            .given("Algorithm 1 on n distinct unit inputs, 1 ≤ k ≤ n − 1, η = γ ≤ d/(10m), d ≤ m, Tηm/d fixed")
            .family(edge("sweeps at equal times", sweeps).restricted("one random start of each size"))
            .without_search()
            .part(
                "sweeps",
                "A(T)√(Tηmδ/(n³d)) is bounded as m, n or 1/δ grow",
                consistent(),
                |_, found| bounded(found, |_| 1.0),
            )
            .when("m, n or 1/δ grows", |s| s.grown != Grown::Negatives)
            .part(
                "negatives",
                "A(T)√(Tηmδ/(n³d log(k+1))) is bounded as k grows, L_S(0) being of order log(k + 1)",
                consistent(),
                |_, found| bounded(found, |k| core_math::log(k + 1.0).sqrt()),
            )
            .because("T is proportional to k, and L_S(0) to log(k + 1): the root of the latter is granted")
            .when("k grows", |s| s.grown == Grown::Negatives)
            .control(
                "no-separation",
                "A(T) itself vanishes along sweeps: A(T)√(Tηmδ/(n³d)) ≤ 10^{−3}",
                |_, found| at_most(measured(found.iter().map(|x| x.1).fold(0.0, f64::max)), exact(1e-3)),
            ),
    )
    .setting(
        Setting::measuring(|s: &LargeOutputs, trial| s.after_one_step(trial.fixtures()))
            .given("two orthogonal unit inputs, one hidden layer, η = γ = c d/m")
            .family(edge("d beyond m", large_outputs))
            .without_search()
            .part(
                "any-output",
                "d ≥ Ω((log m)²) without an upper limit: ‖loss^{(1)}‖ ≤ Tε is bounded as d grows at fixed m, n, T, ε \
                 and η = γ = c d/m",
                fails("steps of c d/m with d ≫ m²: after the first one, logits of either sign grow with d"),
                |_, found| Trend::through(found).named("d").is_bounded(),
            )
            .in_sense("any-d"),
    )
    .setting(
        Setting::measuring(|p: &AtPoint, _| Ok(p.sides()))
            .given("n, L, m, log m, d, k ≥ 1 and δ, ε ≤ 1")
            .families(points(EXPONENTS))
            .without_search()
            .step(
                "width-appendix",
                "Theorem A.2, the trajectory of (A.4) in the ball of the gradient bounds: n^{7/2}√d/(δε√m) ≤ 1000 \
                 δ^{3/2}/(n³L⁶(log m)^{3/2}) for d = (log m)², m ≥ n¹²L¹²(log m)⁵δ^{−5}ε^{−2}",
                fails("it needs n¹³"),
                |_, s| s.hold_up_to_a_thousand(),
            )
            .when(THIS, |p| p.step == K2Appendix)
            .step(
                "width-section-4",
                "Theorem 4.2: n^{7/2}√d/(δε√m) ≤ δ^{3/2}/(n³L⁶(log m)^{3/2}) for d = (log m)², m ≥ n¹⁵L¹²(log m)⁵δ^{−5}ε^{−2}",
                holds(),
                |_, s| s.hold(K2Section4),
            )
            .when(THIS, |p| p.step == K2Section4)
            .sharpening(
                "width",
                "n^{7/2}√d/(δε√m) ≤ δ^{3/2}/(n³L⁶(log m)^{3/2}) for d = (log m)², m ≥ n¹³L¹²(log m)⁵δ^{−5}ε^{−2}: it repairs the width of (A.4) alone, all other steps granted",
                holds(),
                |_, s| s.hold(K2Least),
            )
            .when(THIS, |p| p.step == K2Least)
            .step(
                "steps",
                "the last member of (A.3), √(n⁴d/(Tηδm)), is at most 1000 ε for the printed Tη = n³d/(mδε²)",
                fails("it needs n¹¹ in T"),
                |_, s| s.hold_up_to_a_thousand(),
            )
            .when(THIS, |p| p.step == K4)
            .amendment(
                "steps-eleventh",
                "for Tη = n⁴d/(mδε²), which makes the last member of (A.3) ε, and η = dε²δ²/(n⁷L²km): T = n¹¹L²kδ^{−3}ε^{−4}",
                holds(),
                |_, s| s.hold(K5Amended),
            )
            .when(THIS, |p| p.step == K5Amended)
            .amendment(
                "repaired",
                "all lost powers together, but L³ in the last bracket on trust: the path √(n·n⁴d/(mδε²)) that the \
                 descent gives is at most δ^{3/2}/(n³L^{15/2}(log m)^{3/2}) for d = (log m)², m ≥ n¹¹L¹⁵(log \
                 m)⁵δ^{−4}ε^{−2}",
                holds(),
                |_, s| s.hold(Repaired),
            )
            .when(THIS, |p| p.step == Repaired)
            .control(
                "width-more",
                "Theorem 4.2 with a factor n² to spare, up to 1000",
                |p, s| with_factor(p, s, N.to(2, 1)),
            )
            .when(THIS, |p| p.step == K2Section4),
    )
    .series(
        "curves",
        "A(T), the loss and the distance from the start along two runs",
        curves,
    )
}
