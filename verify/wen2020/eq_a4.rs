//! (A.4): how far the trajectory goes.
//!
//! The first inequality is the triangle inequality. The second is the gradient bound of Lemma A.3 without its 1/n: measured with room. The third and fourth are powers:
//! with the root over the whole product the third follows from (A.3) and the fourth loses √L; with the root over Lm/d alone the fourth holds and the third
//! does not follow. The radius that is stated is right all the same: if every step lowers the loss by ρη‖∇‖², then
//! Σ η‖∇_{W,t}‖ ≤ √(Tη Σ η‖∇‖²) ≤ √(Tη (L_S(0) − L_S(T))/ρ), without gradient bounds.

use evidence::prelude::*;

use crate::shared::monomials::N;
use crate::shared::proof_exponents::ProofStep::{self, *};
use crate::shared::regime_points::{AtPoint, LogarithmicSides, NUMBERS, points, with_factor};
use crate::shared::signs::{NETWORKS, QUERIES_AND_KEYS, QUERY_GRADIENT, SEPARATION, START, STEP, TUPLE_NORM};
use crate::shared::training_runs::{Run, RunSizes, run};

fn measured(x: f64) -> Enclosure {
    Enclosure::measured(x)
}

/// Σ_{u<t} η‖∇_u‖ for t = 1, …, T, for W or θ.
fn path(r: &Run, side: usize) -> Vec<f64> {
    let lengths = r.progress[..r.length()].iter().scan(0.0, |sum: &mut f64, p| {
        *sum += r.rate * p.gradients[side].sqrt();
        Some(*sum)
    });
    lengths.collect()
}

fn both_sides(test: impl Fn(usize) -> Evaluation) -> Evaluation {
    all_of([("W", test(0)), ("θ", test(1))])
}

fn runs() -> Vec<(String, RunSizes)> {
    of_sizes(&[
        [2, 1, 2, 30, 1, 1, 200],
        [4, 2, 4, 40, 2, 4, 200],
        [5, 4, 3, 40, 1, 2, 200],
        [4, 1, 8, 30, 4, 4, 100],
        [6, 3, 3, 60, 2, 8, 100],
    ])
}

/// Runs with these n, k, b, m, L, d and T.
fn of_sizes(sizes: &[[usize; 7]]) -> Vec<(String, RunSizes)> {
    let of = |(i, [points, negatives, input, width, layers, output, steps]): (usize, [usize; 7])| RunSizes {
        points,
        negatives,
        input,
        width,
        layers,
        output,
        steps,
        rate_in_thousandths: 100,
        seed: 20 + i as u32,
    };
    described(sizes.iter().copied().enumerate().map(of))
}

const ITEMS: [ProofStep; 5] = [K6A, K6AWithLemma, K6BMiddle, K6BLast, K6FromDescent];

pub fn claim() -> Claim {
    Claim::new("wen2020.eq-a4", "trajectory length (A.4)", Kind::Inequality)
        .statement(
            "‖W^{(t)} − W^{(0)}‖_F ≤ Σ_t η‖∇_{W,t}‖_F ≤ Σ_t η O(√(Lm/d)) ‖l̃oss^{(t)}‖ ≤ √(Tη) O(√(Lm/d · n⁴d/(mδ))) ≤ \
             O(n^{7/2}√d/(δε√m)) = ω for Tη = Θ(n³d/(mδε²)), and the same for θ",
        )
        .source("(A.4)", &["the display after it", "ω in Section 5.3"])
        .symbols(NETWORKS)
        .symbols([SEPARATION])
        .symbols(QUERIES_AND_KEYS)
        .symbols([QUERY_GRADIENT, STEP, START])
        .symbol("Tη", "T times η, T the number of steps")
        .symbol(
            "∇_{W,t}",
            "∇_W at (W^{(t)}, θ^{(t)}), where the loss is L_S(t); Σ η‖∇_{W,t}‖_F is a sum over t = 0, …, T − 1",
        )
        .symbol("ω", "the radius of the ball of W; τ is that of θ")
        .symbol("ε", "the accuracy that is asked for")
        .symbol("ρ", "the smallest (L_S(t) − L_S(t+1))/(η(‖∇_W‖² + ‖∇_θ‖²)) of the run")
        .symbols([TUPLE_NORM])
        .sense("A", "the root stands over the whole product (Lm/d)·n⁴d/(mδ)")
        .sense("B", "the root stands over Lm/d alone")
        .remark(NUMBERS)
        .remark("The loss vectors of the runs are the expressions of Facts 1 and 2.")
        .setting(printed())
        .setting(path_lengths())
}

fn printed() -> Setting<AtPoint, LogarithmicSides> {
    Setting::measuring(|p: &AtPoint, _| Ok(p.sides()))
        .given(
            "n, L, m, log m, d, k ≥ 1 and 0 < δ, ε ≤ 1, real numbers, log m one of its own, sides compared by their logarithms; Tη = n³d/(mδε²), ω = \
             n^{7/2}√d/(δε√m)",
        )
        .family(points(ITEMS))
        .without_search()
        .part("printed", "A: √(Tη)·√((Lm/d)·n⁴d/(mδ)) ≤ 1000 ω", fails("√L is lost"), |_, s| {
            s.hold_up_to_a_thousand()
        })
        .sides("log(√(Tη)·√((Lm/d)·n⁴d/(mδ)))", "log(1000 ω)")
        .our_constant("the factor 1000; L grows, so that none serves")
        .in_sense("A")
        .assume(Hypothesis::own(|p| p.step == K6A))
        .part(
            "printed-b",
            "B, from the step before: √((Lm/d)·n⁴d/(mδ)) ≤ 1000 √(Lm/d)·n⁴d/(mδ) for d = (log m)², m ≥ n¹²L¹²(log \
             m)⁵δ^{−5}ε^{−2}",
            fails("the third member does not follow from (A.3)"),
            |_, s| s.hold_up_to_a_thousand(),
        )
        .sides("log √((Lm/d)·n⁴d/(mδ))", "log(1000 √(Lm/d)·n⁴d/(mδ))")
        .our_constant("the factor 1000; m grows, so that none serves")
        .in_sense("B")
        .assume(Hypothesis::own(|p| p.step == K6BMiddle))
        .step(
            "s3",
            "A with the bound √(Lm/(nd)) of Lemma A.3: √(Tη)·√((Lm/(nd))·n⁴d/(mδ)) ≤ 1000 ω",
            fails("√(L/n) is lost"),
            |_, s| s.hold_up_to_a_thousand(),
        )
        .sides("log(√(Tη)·√((Lm/(nd))·n⁴d/(mδ)))", "log(1000 ω)")
        .our_constant("the factor 1000; L grows, so that none serves")
        .assume(Hypothesis::own(|p| p.step == K6AWithLemma))
        .part(
            "s4",
            "B, the last inequality: √(Tη)·√(Lm/d)·n⁴d/(mδ) ≤ ω for d = (log m)², m ≥ n¹²L¹²(log m)⁵δ^{−5}ε^{−2}",
            holds(),
            |_, s| s.hold(K6BLast),
        )
        .our_constant("the factor 1")
        .in_sense("B")
        .assume(Hypothesis::own(|p| p.step == K6BLast))
        .amendment(
            "from-descent",
            "for Tη = n⁴d/(mδε²), n times the given, and L_S(0) ≤ n: √(nTη) ≤ ω",
            holds(),
            |_, s| s.hold(K6FromDescent),
        )
        .assume(Hypothesis::own(|p| p.step == K6FromDescent))
        .control("exponents", "A: √(Tη)·√((Lm/d)·n⁴d/(mδ)) ≤ 1000 n^{2}√d/(δε√m)", |p, s| {
            with_factor(p, s, N.to(3, 2))
        })
        .sides("log of n^{3/2} times the left side", "log of n^{3/2} times the right side")
        .assume(Hypothesis::own(|p| p.step == K6A))
        .control(
            "with-more",
            "B, the last inequality, with n⁵ more on the left: n⁵√(Tη)·√(Lm/d)·n⁴d/(mδ) ≤ 1000 ω",
            |p, s| with_factor(p, s, N.to(5, 1)),
        )
        .sides("log of the left side", "log(1000 ω)")
        .assume(Hypothesis::own(|p| p.step == K6BLast))
}

fn path_lengths() -> Setting<RunSizes, Run> {
    Setting::measuring(|s: &RunSizes, _| run(s))
        .given(
            "Algorithm 1 from a random start on n unit inputs drawn uniformly on the sphere, 1 ≤ k ≤ n − 1, η = γ = \
             d/(10m)",
        )
        .family(edge("runs of Algorithm 1", runs).restricted("one random start of each size"))
        .family(outside("more outputs than units", || of_sizes(&[[2, 1, 2, 4, 1, 8, 20], [3, 2, 3, 2, 1, 30, 20]])))
        .without_search()
        .part(
            "s1",
            "‖W^{(t)} − W^{(0)}‖_F ≤ Σ_{u<t} η‖∇_{W,u}‖_F for t = 1, …, T, and the same for θ",
            holds(),
            |_, r| {
                both_sides(|side| {
                    let pairs = path(r, side).into_iter().zip(&r.progress[1..]).enumerate();
                    all_of(pairs.map(|(t, (length, p))| {
                        (format!("t = {}", t + 1), at_most(measured(p.distances[side]), measured(length)))
                    }))
                })
            },
        )
        .part(
            "s2",
            "‖∇_{W,t}‖_F ≤ √(Lm/d)‖l̃oss^{(t)}‖ at every step, ‖l̃oss‖² = Σ_i ‖l̃oss_i‖², without a constant as printed \
             for θ, and the same for θ with ‖l̂oss‖² = Σ_i ‖l̂oss_i‖²",
            holds(),
            |s, r| {
                let allowed = (s.layers * s.width) as f64 / s.output as f64;
                both_sides(|side| {
                    let steps = r.progress.iter().enumerate();
                    all_of(steps.map(|(t, p)| {
                        (
                            format!("t = {t}"),
                            at_most(measured(p.gradients[side]), measured(allowed * p.loss_vectors[side])),
                        )
                    }))
                })
            },
        )
        .sides("‖∇_{W,t}‖_F²", "(Lm/d)‖l̃oss^{(t)}‖²")
        .assume(Hypothesis::new("d ≤ m", |s| s.output <= s.width))
        .because("the display has no constant here")
        .sharpening(
            "path",
            "Σ η‖∇_{W,t}‖ ≤ √(Tη(L_S(0) − L_S(T))/ρ), ρ the smallest descent of a step relative to η‖∇‖², and the same \
             for θ",
            holds(),
            |_, r| {
                let fall = r.progress[0].loss - r.progress[r.length()].loss;
                let bound = (r.length() as f64 * r.rate * fall / r.least_descent()).sqrt();
                both_sides(|side| at_most(measured(path(r, side)[r.length() - 1]), measured(bound)))
            },
        )
        .not_evidence("the inequality of Cauchy and Schwarz with a constant read off the run")
        .control("a", "‖W^{(T)} − W^{(0)}‖_F ≥ Σ η‖∇_{W,t}‖_F", |_, r| {
            both_sides(|side| {
                at_least(measured(r.progress[r.length()].distances[side]), measured(path(r, side)[r.length() - 1]))
            })
        })
        .control("b", "Σ η‖∇_{W,t}‖ ≤ a quarter of √(Tη(L_S(0) − L_S(T)))", |_, r| {
            let fall = r.progress[0].loss - r.progress[r.length()].loss;
            let bound = 0.25 * (r.length() as f64 * r.rate * fall).sqrt();
            both_sides(|side| at_most(measured(path(r, side)[r.length() - 1]), measured(bound)))
        })
}
