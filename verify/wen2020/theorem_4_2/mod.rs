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

mod large_outputs;
mod training_sweep;

use enclosures::probability::fit_power_law;
use evidence::claim::Series;
use evidence::prelude::*;

use crate::shared::monomials::N;
use crate::shared::proof_exponents::ProofStep::{self, *};
use crate::shared::regime_points::{AtPoint, LogarithmicSides, NUMBERS, points, with_factor};
use crate::shared::signs::{
    DIFFERENCE, KEY, KEY_NETWORK, KEY_VECTOR, LAYERS, LOSS, LOSS_LENGTH, NEGATIVES, OUTPUT, POINTS, QUERY,
    QUERY_GRADIENT, QUERY_NETWORK, QUERY_VECTOR, SEPARATION, SHARE, START, STEP, WIDTH,
};
use crate::shared::training_runs::Run;
use crate::shared::trainings::{Inputs, Training, slope, total, training};
use large_outputs::{LargeOutputs, large_outputs};
use training_sweep::{Grown, TrainingSweep, numbers, product, sweeps};

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
    let ratio = |pair: &[crate::shared::training_runs::Progress]| {
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
    described([
        training(Inputs::Separated { least: 1.0 }, [4, 2, 4, 100, 2, 8, 400], 100, 1),
        training(Inputs::Separated { least: 0.5 }, [6, 3, 4, 60, 1, 16, 400], 100, 2),
        training(Inputs::Separated { least: 1.0 }, [5, 4, 8, 60, 3, 8, 500], 100, 3),
        training(Inputs::Separated { least: 1.0 }, [4, 1, 4, 60, 2, 8, 1500], 30, 4),
        training(Inputs::Separated { least: 0.8 }, [2, 1, 2, 80, 2, 2, 400], 100, 5),
        training(Inputs::Antipodal, [6, 2, 3, 80, 1, 8, 1600], 100, 6),
        training(Inputs::Antipodal, [4, 3, 2, 60, 2, 8, 400], 100, 7),
        training(Inputs::Circle, [6, 5, 2, 100, 1, 8, 1200], 100, 8),
        training(Inputs::Close { angle: 0.1 }, [3, 2, 3, 100, 1, 8, 400], 100, 9),
    ])
}

fn digits() -> Vec<Training> {
    vec![
        training(Inputs::Digits, [10, 3, 64, 50, 2, 16, 800], 500, 10),
        training(Inputs::Digits, [12, 1, 64, 60, 1, 16, 800], 500, 11),
    ]
}

/// What remains of the products after division by what they may grow like is bounded.
fn bounded(s: &TrainingSweep, found: &[(f64, f64)], growth: impl Fn(f64) -> f64) -> Evaluation {
    let points: Vec<(f64, f64)> = found.iter().map(|&(size, product)| (size, product / growth(size))).collect();
    Trend::through(&points)
        .named(match s.grown {
            Grown::Width => "m",
            Grown::Points => "n",
            Grown::Negatives => "k",
            Grown::Closeness => "1/δ",
        })
        .is_bounded()
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
            let points: Vec<(f64, f64)> = (3..=9).map(|k| (f64::from(1u32 << k), r.average_until(1 << k))).collect();
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

const EXPONENTS: [ProofStep; 6] = [K2Appendix, K2Section4, K2Least, K4, K5Amended, Repaired];

pub fn claim() -> Claim {
    Claim::new("wen2020.theorem-4.2", "convergence to approximate stationarity", Kind::Convergence)
        .statement(
            "for ε ∈ (0,1), δ ∈ (0, O(1/L)), d ≥ Ω((log m)²), η, γ = Θ(dε²δ²/(n⁷L²km)) and m ≥ Ω(n^p L¹²(log \
             m)⁵δ^{−5}ε^{−2}), p = 15 (p = 12 in Theorem A.2), with probability ≥ 1 − O(1/m): (1/T) Σ_{t<T} \
             ‖loss^{(t)}‖ ≤ ε for T = Θ(n¹⁰L²kδ^{−3}ε^{−4})",
        )
        .source("Theorem 4.2", &["Theorem A.2", "Section 5.3"])
        .symbols([
            POINTS, NEGATIVES, WIDTH, LAYERS, OUTPUT, QUERY_NETWORK, KEY_NETWORK, SEPARATION, QUERY, KEY, DIFFERENCE,
            SHARE, LOSS, QUERY_VECTOR, KEY_VECTOR, LOSS_LENGTH, QUERY_GRADIENT, STEP, START,
        ])
        .symbol("A(T)", "(1/T) Σ_{t<T} ‖loss^{(t)}‖, and A(t) the same for the first t steps")
        .symbol("T", "the number of steps of the run; Tη is T times η")
        .symbol("ε", "the accuracy that is asked for, 0 < ε < 1")
        .symbol(
            "ρ",
            "the smallest (L_S(t) − L_S(t+1))/(η(‖∇_W‖² + ‖∇_θ‖²)) of the run, and χ the smallest (‖∇_W‖² + \
             ‖∇_θ‖²)/‖loss^{(t)}‖²",
        )
        .symbol(
            "B_W",
            "ω^{1/3}L²√(m log m/(nd)) ‖l̃oss‖ η‖∇_W‖ + k(Lm/d)²τ²η²‖∇_W‖², and B_θ likewise with ω and τ, l̃oss and \
             l̂oss, ∇_W and ∇_θ exchanged; log m at least 1",
        )
        .sense("any-d", "d ≥ Ω((log m)²) and no upper limit of d, as printed")
        .sense(
            "bounded-d",
            "also d ≤ O(m/(L log m)), which Lemmas B.3 and B.6 and Corollary B.9 ask for and the proof uses",
        )
        .remark(NUMBERS)
        .remark(
            "any-output: as d → ∞ at fixed m the logits of the start vanish, and the logit q_1·(k_2 − k_1) after one \
             step grows like d^{5/2} with the sign of −z·y, z = k_2 − k_1 and y = q_2 − q_1 at the start, unless u ≤ 0 \
             or v ≥ 0 for two sums u, v of m independent terms, of which Chebyshev's inequality gives (6π² − 8π)/m and \
             (3π² − 4π)/m; z·y has either sign with probability ½, and where that logit tends to infinity \
             ‖loss^{(1)}‖ does.",
        )
        .remark(
            "A run starts on a plateau (the loss vectors keep their length until the logits are of order one), so that \
             the exponent of A(T) is asked of the last doubling only. d ≤ m in all runs but those of any-output.",
        )
        .remark(
            "A(T) = (1/T) Σ_{t<T} ‖loss^{(t)}‖ with the expressions of Facts 1 and 2; with Definition 4.1 it is n \
             times smaller. Runs have steps of 3d/(100m) to d/(2m) and are compared at equal times Tηm/d, since the \
             printed Tη is Θ(n³d/(mδε²)).",
        )
        .setting(rate())
        .setting(growth_of_constants())
        .setting(crate::shared::wide_limits::one_step())
        .setting(any_output_drawn())
        .setting(width_appendix())
        .series("curves", "A(T), the loss and the distance from the start along two runs", curves)
}

fn rate() -> Setting<Training, Run> {
    Setting::measuring(|s: &Training, trial| s.run(trial.fixtures()))
        .given("Algorithm 1 from a random start on n distinct unit inputs, 1 ≤ k ≤ n − 1, η = γ")
        .assume(Hypothesis::new("d ≤ m", |s| s.sizes.output <= s.sizes.width))
        .assume(Hypothesis::new("η = γ ≤ d/(2m)", |s| s.sizes.rate_in_thousandths <= 500))
        .family(outside("wide outputs, long steps", || {
            let close = || Inputs::Close { angle: std::f64::consts::FRAC_PI_2 };
            vec![
                ("d = 512, m = 4", training(close(), [2, 1, 2, 4, 1, 512, 4], 100, 1)),
                ("η = γ = 20 d/m", training(close(), [2, 1, 2, 40, 1, 2, 40], 20_000, 1)),
            ]
        }))
        .family(edge("synthetic", trainings).restricted("one random start of each size"))
        .family(data("digits", |_| Ok(described(digits()))))
        .without_search()
        .part("rate", "A(T) ≤ √(n³d/(Tηmδ)), what the printed T gives for ε", consistent(), |s, r| {
            at_most(measured(product(s, r)), 1)
        })
        .our_constant("the constant 1; Tη = Θ(n³d/(mδε²)) solved for ε")
        .ours(
            "decay",
            "A(t) = O(t^{−1/2}) over the last doubling of the steps, t = T/2, 9T/16, …, T",
            consistent(),
            |_, r| decay(r),
        )
        .because("what (A.3) gives at fixed steps; the theorem has no rate at fixed steps")
        .step("descent", "A(T) ≤ √(L_S(0)/(ρχηT)) with ρ and χ of the run", holds(), |_, r| {
            let strength = r.least_descent() * r.least_conversion() * r.rate * r.length() as f64;
            at_most(measured(r.average_until(r.length())), measured((r.progress[0].loss / strength).sqrt()))
        })
        .not_evidence("Jensen's inequality with constants read off the run")
        .step(
            "radius",
            "‖W^{(t)} − W^{(0)}‖_F and ‖θ^{(t)} − θ^{(0)}‖_F are at most n^{7/2}√d/(δε√m) for all t ≤ T, with ε = A(T)",
            consistent(),
            |s, r| {
                let [n, _, m, d] = numbers(s);
                let radius = n * n * n * n.sqrt() * d.sqrt() / (r.separation * r.average_until(r.length()) * m.sqrt());
                all_of(["W", "θ"].into_iter().enumerate().map(|(side, name)| {
                    let far = r.progress.iter().map(|p| p.distances[side]).fold(0.0, f64::max);
                    (name, at_most(measured(far), measured(radius)))
                }))
            },
        )
        .our_constant("the constant 1 of the O(·) in (A.4)")
        .step(
            "semi-smoothness",
            "(4.1) with the constants one: L_S(t+1) − L_S(t) + η(‖∇_W‖² + ‖∇_θ‖²) ≤ B_W + B_θ for all t < T, with ω = \
             ‖W^{(T)} − W^{(0)}‖_F and τ = ‖θ^{(T)} − θ^{(0)}‖_F",
            consistent(),
            |s, r| at_most(measured(semi_smoothness(s, r)), 1),
        )
        .our_constant("the three constants, all 1")
        .sharpening(
            "smaller-radius",
            "‖W^{(t)} − W^{(0)}‖_F and ‖θ^{(t)} − θ^{(0)}‖_F are at most √(2TηL_S(0)) for all t ≤ T, no constants",
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
            at_most(measured(r.progress.iter().map(|p| total(p).sqrt()).fold(0.0, f64::max)), exact(0.1))
        })
        .control("b", "at some step L_S does not fall: its smallest fall is at most 0", |_, r| {
            let fall = r.progress.windows(2).map(|p| p[0].loss - p[1].loss).fold(f64::INFINITY, f64::min);
            at_most(measured(fall), 0)
        })
        .control("c", "‖loss^{(0)}‖ ≤ 1/10: T = 1 is enough for ε = 1/10", |_, r| {
            at_most(measured(r.average_until(1)), exact(0.1))
        })
        .control("d", "T A(T) ≤ ‖loss^{(0)}‖: A(T) falls at least like 1/T from the first step on", |_, r| {
            at_most(measured(r.average_until(r.length()) * r.length() as f64), measured(r.average_until(1)))
        })
}

fn growth_of_constants() -> Setting<TrainingSweep, Vec<(f64, f64)>> {
    Setting::measuring(|s: &TrainingSweep, trial| s.products(trial))
        .given(
            "Algorithm 1 from a random start on n distinct unit inputs, 1 ≤ k ≤ n − 1, η = γ ≤ d/(10m), d ≤ m, Tηm/d \
             fixed along a sweep",
        )
        .family(edge("sweeps at equal times", sweeps).restricted("one random start of each size"))
        .without_search()
        .part("sweeps", "A(T)√(Tηmδ/(n³d)) is bounded as m, n or 1/δ grow", consistent(), |s, found| {
            bounded(s, found, |_| 1.0)
        })
        .sides("slope of log(A(T)√(Tηmδ/(n³d))) in the log of what grows", "1/4")
        .assume(Hypothesis::new("m, n or 1/δ grows", |s| s.grown != Grown::Negatives))
        .part(
            "negatives",
            "A(T)√(Tηmδ/(n³d log(k+1))) is bounded as k grows, L_S(0) being of order log(k + 1)",
            consistent(),
            |s, found| bounded(s, found, |k| core_math::log(k + 1.0).sqrt()),
        )
        .sides("slope of log(A(T)√(Tηmδ/(n³d log(k+1)))) in log k", "1/4")
        .because("T is proportional to k, and L_S(0) to log(k + 1): the root of the latter is granted")
        .assume(Hypothesis::new("k grows", |s| s.grown == Grown::Negatives))
        .control(
            "no-separation",
            "A(T) itself vanishes along sweeps: A(T)√(Tηmδ/(n³d)) ≤ 10^{−3}",
            |_, found| at_most(measured(found.iter().map(|x| x.1).fold(0.0, f64::max)), exact(1e-3)),
        )
}

fn any_output_drawn() -> Setting<LargeOutputs, Vec<(f64, f64)>> {
    Setting::measuring(|s: &LargeOutputs, trial| s.after_one_step(trial.fixtures()))
        .given("two orthogonal unit inputs, one hidden layer, η = γ = c d/m")
        .family(edge("d beyond m", large_outputs))
        .without_search()
        .control(
            "any-output-drawn",
            "‖loss^{(1)}‖, at most TA(T) ≤ Tε, is bounded as d grows at fixed m, n, T, ε and η = γ = c d/m, the \
             largest of 12 random starts",
            |_, found| Trend::through(found).named("d").is_bounded(),
        )
        .sides("slope of log ‖loss^{(1)}‖ in log d", "1/4")
}

fn width_appendix() -> Setting<AtPoint, LogarithmicSides> {
    Setting::measuring(|p: &AtPoint, _| Ok(p.sides()))
        .given(
            "n, L, m, log m, d, k ≥ 1 and 0 < δ, ε ≤ 1, log m a size of its own; sides compared by their logarithms",
        )
        .family(points(EXPONENTS))
        .without_search()
        .step(
            "width-appendix",
            "Theorem A.2, the trajectory of (A.4) in the ball of the gradient bounds: n^{7/2}√d/(δε√m) ≤ 1000 \
             δ^{3/2}/(n³L⁶(log m)^{3/2}) for d = (log m)², m ≥ n¹²L¹²(log m)⁵δ^{−5}ε^{−2}",
            fails("it needs n¹³"),
            |_, s| s.hold_up_to_a_thousand(),
        )
        .sides("log of the left side", "log of the right side")
        .assume(Hypothesis::own(|p| p.step == K2Appendix))
        .step(
            "width-section-4",
            "Theorem 4.2: n^{7/2}√d/(δε√m) ≤ δ^{3/2}/(n³L⁶(log m)^{3/2}) for d = (log m)², m ≥ n¹⁵L¹²(log \
             m)⁵δ^{−5}ε^{−2}",
            holds(),
            |_, s| s.hold(K2Section4),
        )
        .assume(Hypothesis::own(|p| p.step == K2Section4))
        .sharpening(
            "width",
            "n^{7/2}√d/(δε√m) ≤ δ^{3/2}/(n³L⁶(log m)^{3/2}) for d = (log m)², m ≥ n¹³L¹²(log m)⁵δ^{−5}ε^{−2}: it \
             repairs the width of (A.4) alone, all other steps granted",
            holds(),
            |_, s| s.hold(K2Least),
        )
        .assume(Hypothesis::own(|p| p.step == K2Least))
        .step(
            "steps",
            "the last member of (A.3), √(n⁴d/(Tηδm)), is at most 1000 ε for the printed Tη = n³d/(mδε²)",
            fails("it needs n¹¹ in T"),
            |_, s| s.hold_up_to_a_thousand(),
        )
        .sides("log of the left side", "log of the right side")
        .assume(Hypothesis::own(|p| p.step == K4))
        .amendment(
            "steps-eleventh",
            "for Tη = n⁴d/(mδε²), which makes the last member of (A.3) ε, and η = dε²δ²/(n⁷L²km): T = \
             n¹¹L²kδ^{−3}ε^{−4}",
            holds(),
            |_, s| s.hold(K5Amended),
        )
        .assume(Hypothesis::own(|p| p.step == K5Amended))
        .amendment(
            "repaired",
            "all lost powers together, where L³ in the last bracket is assumed: the path √(n·n⁴d/(mδε²)) that the descent \
             gives is at most δ^{3/2}/(n³L^{15/2}(log m)^{3/2}) for d = (log m)², m ≥ n¹¹L¹⁵(log m)⁵δ^{−4}ε^{−2}",
            holds(),
            |_, s| s.hold(Repaired),
        )
        .assume(Hypothesis::own(|p| p.step == Repaired))
        .control(
            "width-more",
            "Theorem 4.2 with a factor n² to spare: n² n^{7/2}√d/(δε√m) ≤ 1000 δ^{3/2}/(n³L⁶(log m)^{3/2}) for d = \
             (log m)², m ≥ n¹⁵L¹²(log m)⁵δ^{−5}ε^{−2}",
            |p, s| with_factor(p, s, N.to(2, 1)),
        )
        .sides("log of the left side", "log of the right side")
        .assume(Hypothesis::own(|p| p.step == K2Section4))
}
