//! Lemma 4.3 (A.3): gradients against loss vectors near the initialisation.
//!
//! The lower bound for θ as Section 4 prints it, with the loss vectors of the queries, is false for every constant: the ball contains points at which all queries vanish,
//! at a distance of order √(d/m) from the start; there l̂oss = 0, so ∇_θ L_S = 0, but l̃oss_i = Σ_j P_ij(k_j − k_i) ≠ 0. Lemma A.3 has l̂oss in its place.
//!
//! The lower bound for W is false too, for one hidden layer and antipodal inputs, which Assumption 2 admits. Then f(x) − f(−x) = W_1W_0x, so that on a regular
//! hexagon Σ (−1)^i f(x_i) = 0 for all weights, and loss vectors l̃oss_i = (−1)^i v leave ∇_W = 0. Both encoders linear on the data, k_i = u·x_i and q_i = c k_i, give
//! such loss vectors for one c; and these outputs too are within O(√(d/m)). Two hidden layers, or no antipodal inputs: consistent.
//!
//! The upper bounds need d ≤ O(m): with d ≫ m the gradient of W_L alone is O(1/n) Σ ‖l̃oss_i‖². All of it is for the expressions of Facts 1 and 2;
//! with the derivatives of Definition 4.1 the upper bound lacks a factor n.

use contrapositive::claim::{
    Claim, Evaluation, Kind, Setting, all_of, at_least, at_most, consistent, edge, equal, fails, holds, random, vacuous,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use contrapositive::interval::Interval;
use proptest::collection::vec;
use proptest::strategy::Strategy;

use super::bad_points::{BadPoints, Outputs, Reached};
use super::bookkeeping::judge;
use super::encoder_pair::{EncoderPair, families};
use super::gradient_sweeps::{GradientSweep, Ratios, Vary, exponent};
use super::growth_of_ratios::{bounded_above, bounded_below, grows_slowly};
use super::one_unit::OneUnit;
use super::proof_exponents::Step;

type Sweep = Vec<(f64, Ratios)>;

fn up(r: &Sweep, side: usize, factor: impl Fn(f64) -> f64) -> Evaluation {
    let ratio = |(size, x): &(f64, Ratios)| (*size, x.up[side] * factor(*size));
    bounded_above(&r.iter().map(ratio).collect::<Vec<_>>())
}

fn low(r: &Sweep, side: usize, factor: impl Fn(f64, &Ratios) -> f64) -> Evaluation {
    let ratio = |(size, x): &(f64, Ratios)| (*size, x.low[side] * factor(*size, x));
    bounded_below(&r.iter().map(ratio).collect::<Vec<_>>())
}

/// The radius at which the bad points are reached, in units of the printed one, along the widths.
fn stays_outside(r: &[Reached]) -> Evaluation {
    let worst = r.iter().map(|x| x.ratio).fold(0.0, f64::max);
    if worst > 1e-9 {
        return vacuous("the outputs were not reached, or the gradient does not vanish there");
    }
    let points: Vec<(f64, f64)> = r.iter().map(|x| (x.width as f64, x.constant)).collect();
    match exponent(&points) {
        Ok((slope, shown)) => at_least(slope, -0.1)
            .as_trend()
            .noting(format!("{shown}; there the ratio is at most {worst:.0e}")),
        Err(error) => Evaluation::Failed(error),
    }
}

/// Eight to 24 starts of each size. Where δ falls, m stays above n³d/δ², which Lemma C.1 asks for.
fn sweeps() -> Vec<(String, GradientSweep)> {
    let of = GradientSweep::of;
    let list = [
        of(Vary::Points, 4, 12, [2, 64, 100, 1, 4], 1_000_000),
        of(Vary::Points, 3, 8, [2, 64, 100, 2, 2], 1_000_000),
        of(Vary::Layers, 3, 8, [4, 16, 128, 1, 4], 1_000_000),
        of(Vary::Layers, 3, 12, [2, 8, 64, 1, 2], 1_000_000),
        of(Vary::Outputs, 5, 12, [4, 16, 200, 1, 1], 1_000_000),
        of(Vary::Width, 5, 24, [4, 16, 50, 1, 4], 1_000_000),
        of(Vary::Width, 3, 24, [3, 8, 40, 2, 2], 1_000_000),
        of(Vary::Width, 3, 24, [4, 8, 40, 3, 1], 1_000_000),
        of(Vary::Closeness, 3, 12, [2, 2, 65_536, 1, 1], 125_000),
        of(Vary::Closeness, 2, 16, [2, 2, 65_536, 1, 4], 125_000),
        of(Vary::WideOutputs, 6, 12, [3, 4, 8, 1, 32], 1_000_000),
        of(Vary::WideOutputs, 6, 12, [2, 2, 4, 2, 32], 1_500_000),
    ];
    list.into_iter().map(|s| (s.describe(), s)).collect()
}

fn bad_points() -> Vec<(String, BadPoints)> {
    let of = |outputs, negatives, width, doublings, layers, output, seeds| BadPoints {
        outputs,
        negatives,
        width,
        doublings,
        layers,
        output,
        seeds,
    };
    let (zero, alternating) = (Outputs::ZeroQueries, Outputs::Alternating);
    let list = [
        of(zero, 1, 256, 6, 1, 1, 3),
        of(zero, 1, 256, 5, 1, 4, 2),
        of(zero, 1, 32, 3, 2, 2, 2),
        of(alternating, 1, 256, 5, 1, 1, 2),
        of(alternating, 3, 256, 4, 1, 4, 1),
        of(alternating, 1, 32, 2, 2, 1, 2),
    ];
    list.into_iter().map(|s| (s.describe(), s)).collect()
}

fn squares(matrix: &[Interval]) -> Enclosure {
    matrix.iter().map(|x| Enclosure::from(*x).square()).sum()
}

pub fn claim() -> Claim {
    let narrow = |s: &GradientSweep| s.vary != Vary::WideOutputs;
    let wide = |s: &GradientSweep| s.vary == Vary::WideOutputs;
    Claim::new(
        "wen2020.lemma-4.3",
        "gradient bounds near initialisation",
        Kind::ProbabilityBound,
    )
    .statement(
        "for ω, τ ≤ O(δ^{3/2}/(n³L⁶(log m)^{3/2})), with probability ≥ 1 − e^{−Ω(mω^{3/2}L)} − e^{−Ω(mτ^{3/2}L)}, for \
         all W, θ in the balls: Ω(mδ/(n³d)) Σ ‖l̃oss_i‖² ≤ ‖∇_W L_S‖² ≤ O(Lm/(nd)) Σ ‖l̃oss_i‖², Ω(mδ/(n³d)) Σ \
         ‖l̃oss_i‖² ≤ ‖∇_θ L_S‖² ≤ O(Lm/(nd)) Σ ‖l̂oss_i‖²; Lemma A.3 has l̂oss_i in the last lower bound",
    )
    .source("Lemma 4.3", &["Lemma A.3", "Appendix C.4"])
    .sense(
        "facts",
        "the loss vectors are the expressions of Facts 1 and 2, and d ≤ O(m/(L log m)), as Lemmas B.3 and B.6 ask",
    )
    .sense(
        "definition-4.1",
        "the loss vectors are the derivatives of Definition 4.1, and d ≤ O(m/(L log m))",
    )
    .sense(
        "any-d",
        "the loss vectors are the expressions of Facts 1 and 2, and d has no upper limit, as printed",
    )
    .remark(
        "Distances are ‖·‖_F over all matrices, at least the distance per matrix in ‖·‖₂. The bad points are reached \
         by descent on the squared difference of the outputs; what is measured is the constant in the radius that \
         they need, which tends to zero like (log m)^{3/2}/√m: every constant is refuted by a width.",
    )
    .remark(
        "With d of order (log m)² or larger the queries of a random start are not close to zero, but those of points \
         of the ball are. The probability 1 − e^{−Ω(mω^{3/2}L)} is not contested: it tends to one as m grows, while \
         the bad points are there from almost every start.",
    )
    .setting(
        Setting::measuring(|s: &BadPoints, _| s.measure())
            .assume("Assumptions 1 and 2", |s| s.negatives >= 1)
            .family(edge("outputs reached", bad_points))
            .without_search()
            .part(
                "printed",
                "K-low of Lemma 4.3, with l̃oss: points with ‖∇_θ‖² < 10^{−9} (mδ/(n³d)) Σ ‖l̃oss_i‖² stay out of the \
                 ball: their distance in units of the radius falls no faster than m^{−1/10}",
                fails("all queries can be made zero within O(√(d/m)): then ∇_θ = 0, and l̃oss ≠ 0"),
                |_, r| stays_outside(r),
            )
            .in_senses(&["facts", "definition-4.1", "any-d"])
            .when("zero queries", |s| s.outputs == Outputs::ZeroQueries)
            .part(
                "q-low-antipodal",
                "Q-low for one hidden layer and antipodal inputs: the same for ∇_W",
                fails("on a hexagon Σ (−1)^i f(x_i) = 0, and alternating loss vectors are within O(√(d/m))"),
                |_, r| stays_outside(r),
            )
            .when("a hexagon, one hidden layer", |s| {
                s.outputs == Outputs::Alternating && s.layers == 1
            })
            .sharpening(
                "how-near",
                "their distance from the start is O(√(d/m))",
                consistent(),
                |_, r| {
                    let points = r
                        .iter()
                        .map(|x| (x.width as f64, x.distance * (x.width as f64).sqrt()))
                        .collect::<Vec<_>>();
                    bounded_above(&points)
                },
            )
            .amendment(
                "two-layers",
                "on a hexagon with two hidden layers, at the same outputs: Q-low",
                consistent(),
                |_, r| bounded_below(&r.iter().map(|x| (x.width as f64, x.ratio)).collect::<Vec<_>>()),
            )
            .when("a hexagon, two hidden layers", |s| {
                s.outputs == Outputs::Alternating && s.layers == 2
            })
            .control(
                "not-at-the-start",
                "the ratio is below 10^{−9} at random starts already",
                |_, r| at_most(r.iter().map(|x| x.before).fold(0.0, f64::max), 1e-9),
            ),
    )
    .setting(
        Setting::measuring(|s: &GradientSweep, trial| s.measure(trial))
            .assume("Assumptions 1 and 2", |s| s.start.points >= 2)
            .family(edge("sweeps", sweeps))
            .without_search()
            .part(
                "q-up",
                "‖∇_W‖²/((Lm/(nd)) Σ ‖l̃oss_i‖²) is bounded along sweeps with d ≤ m",
                consistent(),
                |_, r| up(r, 0, |_| 1.0),
            )
            .in_senses(&["facts", "lemma-a3"])
            .when("d ≤ m", narrow)
            .part(
                "q-low",
                "‖∇_W‖²/((mδ/(n³d)) Σ ‖l̃oss_i‖²) is bounded below, no antipodal inputs",
                consistent(),
                |_, r| low(r, 0, |_, _| 1.0),
            )
            .in_senses(&["facts", "lemma-a3"])
            .when("d ≤ m", narrow)
            .part(
                "k-up",
                "‖∇_θ‖²/((Lm/(nd)) Σ ‖l̂oss_i‖²) is bounded along sweeps with d ≤ m",
                consistent(),
                |_, r| up(r, 1, |_| 1.0),
            )
            .in_senses(&["facts", "lemma-a3"])
            .when("d ≤ m", narrow)
            .part(
                "k-low-a3",
                "‖∇_θ‖²/((mδ/(n³d)) Σ ‖l̂oss_i‖²) is bounded below, no antipodal inputs",
                consistent(),
                |_, r| low(r, 1, |_, _| 1.0),
            )
            .in_sense("lemma-a3")
            .when("d ≤ m", narrow)
            .part(
                "definition",
                "Q-up with ∂L_S/∂q_i for l̃oss_i, along sweeps of n",
                fails("the derivatives are n times shorter: a factor n is missing"),
                |_, r| up(r, 0, |n| n * n),
            )
            .in_sense("definition-4.1")
            .when("n grows", |s| s.vary == Vary::Points)
            .part(
                "any-d",
                "Q-up with d beyond m",
                fails("the gradient of W_L alone is about (1/n) Σ ‖l̃oss_i‖² for any d"),
                |_, r| up(r, 0, |_| 1.0),
            )
            .in_sense("any-d")
            .when("d grows beyond m", wide)
            .amendment(
                "any-d-amended",
                "‖∇_W‖² ≤ O((L/n)(m/d + 1)) Σ ‖l̃oss_i‖² with d beyond m",
                consistent(),
                |s, r| {
                    let m = s.start.width as f64;
                    up(r, 0, |d| (m / d) / (m / d + 1.0))
                },
            )
            .when("d grows beyond m", wide)
            .sharpening(
                "n-squared",
                "Q-low with n² in place of n³, along sweeps of n",
                consistent(),
                |_, r| low(r, 0, |n, _| 1.0 / n),
            )
            .when("n grows", |s| s.vary == Vary::Points)
            .control("a", "Q-low without δ: Ω(m/(n³d))", |_, r| {
                low(r, 0, |_, x| x.separation)
            })
            .when("δ falls", |s| s.vary == Vary::Closeness)
            .control("b", "Q-up without L", |_, r| {
                grows_slowly(&r.iter().map(|(l, x)| (*l, x.up[0] * l)).collect::<Vec<_>>())
            })
            .when("L grows", |s| s.vary == Vary::Layers)
            .control("c", "‖∇_W‖² ≥ Ω(m/d) Σ ‖l̃oss_i‖²", |_, r| {
                low(r, 0, |n, x| x.separation / (n * n * n))
            })
            .when("n grows", |s| s.vary == Vary::Points),
    )
    .setting(
        Setting::of()
            .assume("n ≥ 2", |p: &OneUnit| p.points.len() >= 2)
            .family(edge("named", || {
                let same = [1.0, 1.0, 2.0, 1.0, 2.0, 1.0];
                let moved = [1.0, 0.5, 1.0, 1.0, 1.0, 1.0];
                vec![
                    ("two equal points", OneUnit { points: vec![same; 2] }),
                    ("only the loss vectors move", OneUnit { points: vec![moved; 2] }),
                    (
                        "nothing moves",
                        OneUnit {
                            points: vec![[1.0; 6]; 3],
                        },
                    ),
                    (
                        "equal parts",
                        OneUnit {
                            points: vec![[1.0, 1.0, 1.0, 0.0, 2.0, 1.0]; 2],
                        },
                    ),
                    (
                        "opposite signs",
                        OneUnit {
                            points: vec![[1.0, 1.0, 2.0, 1.0, 1.0, 2.0]; 2],
                        },
                    ),
                ]
            }))
            .family(random("drawn", || {
                let numbers = (
                    -1.0..1.0f64,
                    -1.0..1.0f64,
                    -2.0..2.0f64,
                    -2.0..2.0f64,
                    0.0..2.0f64,
                    0.0..2.0f64,
                );
                vec(numbers.prop_map(|(a, b, c, d, e, f)| [a, b, c, d, e, f]), 2..=5)
                    .prop_map(|points| OneUnit { points })
            }))
            .step(
                "s1",
                "∇(W^{(0)}) − ∇(W) = (1/n) Σ v_i (u_i^{(0)}h_i^{(0)} − u_ih_i) with v_i = l̃oss_i at each of the two \
                 points",
                fails("l̃oss_i moves with W: the formula needs one v_i for both"),
                |p, ()| {
                    let moving = p.mean(|[v, w, u0, u, h0, h]| w * u0 * h0 - v * u * h);
                    let fixed = p.mean(|[v, _, u0, u, h0, h]| v * (u0 * h0 - u * h));
                    equal(moving, fixed).on_scale(p.scale())
                },
            )
            .step(
                "s1-fixed",
                "the same with v_i fixed, split as v_iu_i^{(0)}(h_i^{(0)} − h_i) + v_i(u_i^{(0)} − u_i)h_i",
                holds(),
                |p, ()| {
                    let split = p.mean(|[v, _, u0, u, h0, h]| v * u0 * (h0 - h) + v * (u0 - u) * h);
                    equal(p.mean(|[v, _, u0, u, h0, h]| v * (u0 * h0 - u * h)), split).on_scale(p.scale())
                },
            )
            .step(
                "s2",
                "‖that‖² ≤ (1/n) Σ ‖v_iu_i^{(0)}‖²‖h_i^{(0)} − h_i‖² + (1/n) Σ ‖v_i(u_i^{(0)} − u_i)‖²‖h_i‖²",
                fails("the factor 2 of ‖a + b‖² ≤ 2‖a‖² + 2‖b‖² is missing"),
                |p, ()| at_most(p.left(), p.right()),
            )
            .amendment("s2-twice", "the same with the factor 2", holds(), |p, ()| {
                let right = 2.0 * p.right();
                at_most(p.left(), right + 1e-14 * right).on_scale(p.scale())
            })
            .control("s2-more", "the same with the factor 1.9", |p, ()| {
                at_most(p.left(), 1.9 * p.right())
            }),
    )
    .setting(
        Setting::of()
            .assume("the exponents of ① in Appendix C.4", |s: &Step| *s == Step::K9)
            .family(edge("(k9)", || vec![("(k9)", Step::K9)]))
            .without_search()
            .step(
                "s3",
                "ω^{2/3}L⁴m log m/(nd) ≤ O(mδ/(n³d)) at the printed ω",
                holds(),
                |s, ()| judge(*s),
            ),
    )
    .setting(
        Setting::measuring(|p: &EncoderPair, _| Ok(p.encoders.enclosed_gradient(&p.points, p.negatives)?))
            .assume("1 ≤ k ≤ n − 1", |p| (1..p.points.len()).contains(&p.negatives))
            .families(families(2))
            .without_search()
            .step(
                "s4",
                "‖∇_W‖² ≥ ‖∇_{W_{L−1}}‖², and the same for θ",
                holds(),
                |p, gradient| {
                    let last = p.layers() - 1;
                    all_of(["W", "θ"].into_iter().zip(gradient).map(|(name, matrices)| {
                        let last = squares(&matrices[last]);
                        let others = matrices.iter().enumerate().filter(|(l, _)| *l + 1 != p.layers());
                        let others: Enclosure = others.map(|(_, m)| squares(m)).sum();
                        (name, at_least(last + others, last).with_margin(others))
                    }))
                },
            )
            .control(
                "s4-equal",
                "‖∇_W‖² ≤ ‖∇_{W_{L−1}}‖²",
                |p, gradient| {
                    let all: Enclosure = gradient[0].iter().map(|m| squares(m)).sum();
                    at_most(all, squares(&gradient[0][p.layers() - 1]))
                },
            ),
    )
}
