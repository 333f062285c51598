//! (A.4): how far the trajectory goes.
//!
//! The first inequality is the triangle inequality. The second is the gradient bound of Lemma A.3 without its 1/n: measured with room. The third and fourth are powers:
//! with the root over the whole product the third follows from (A.3) and the fourth loses √L; with the root over Lm/d alone the fourth holds and the third
//! does not follow. The radius that is stated is right all the same: if every step lowers the loss by ρη‖∇‖², then
//! Σ η‖∇_{W,t}‖ ≤ √(Tη Σ η‖∇‖²) ≤ √(Tη (L_S(0) − L_S(T))/ρ), without gradient bounds; runs use a third to two thirds of it.

use contrapositive::claim::{
    Claim, Evaluation, Kind, Setting, all_of, at_least, at_most, consistent, edge, fails, holds,
};
use contrapositive::instance::Instance;

use super::bookkeeping::judge;
use super::proof_exponents::Step::{self, *};
use super::runs::{Run, RunSizes, run};

/// Distances are sums of 10⁴ squares in doubles, and the path of hundreds of terms.
const ROUNDING: f64 = 1e-9;

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
    let of = |(i, [points, negatives, input, width, layers, output, steps]): (usize, [usize; 7])| {
        let s = RunSizes {
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
        (s.describe(), s)
    };
    let sizes = [
        [2, 1, 2, 30, 1, 1, 200],
        [4, 2, 4, 40, 2, 4, 200],
        [5, 4, 3, 40, 1, 2, 200],
        [4, 1, 8, 30, 4, 4, 100],
        [6, 3, 3, 60, 2, 8, 100],
    ];
    sizes.into_iter().enumerate().map(of).collect()
}

pub fn claim() -> Claim {
    let items = [K6A, K6AWithLemma, K6BMiddle, K6BLast, K6FromDescent];
    Claim::new("wen2020.eq-a4", "trajectory length (A.4)", Kind::Inequality)
        .statement(
            "‖W^{(t)} − W^{(0)}‖_F ≤ Σ_t η‖∇_{W,t}‖_F ≤ Σ_t η O(√(Lm/d)) ‖l̃oss^{(t)}‖ ≤ √(Tη) O(√(Lm/d · n⁴d/(mδ))) \
             ≤ O(n^{7/2}√d/(δε√m)) = ω for Tη = Θ(n³d/(mδε²)), and the same for θ",
        )
        .source("(A.4)", &["the display after it", "ω in Section 5.3"])
        .sense("A", "the root stands over the whole product (Lm/d)·n⁴d/(mδ)")
        .sense("B", "the root stands over Lm/d alone")
        .remark("The loss vectors of the runs are the expressions of Facts 1 and 2.")
        .setting(
            Setting::of()
                .assume("an inequality between powers in (A.4)", move |s: &Step| {
                    items.contains(s)
                })
                .family(edge("(A.4)", move || items.map(|s| (format!("{s:?}"), s)).to_vec()))
                .without_search()
                .part(
                    "printed",
                    "A, with the bound √(Lm/d) that (A.4) uses: third and fourth inequality",
                    fails("√L is lost"),
                    |_, ()| judge(K6A),
                )
                .in_sense("A")
                .when("reading A", |s| *s == K6A)
                .part(
                    "printed-b",
                    "B: third and fourth inequality",
                    fails("the third does not follow from (A.3)"),
                    |_, ()| all_of([("third", judge(K6BMiddle)), ("fourth", judge(K6BLast))]),
                )
                .in_sense("B")
                .when("reading B", |s| *s == K6BMiddle)
                .step(
                    "s3",
                    "exponents of A with the bound √(Lm/(nd)) of Lemma A.3",
                    fails("√(L/n) is lost"),
                    |_, ()| judge(K6AWithLemma),
                )
                .when("reading A, with the lemma", |s| *s == K6AWithLemma)
                .step("s4", "exponents of B, fourth inequality alone", holds(), |_, ()| {
                    judge(K6BLast)
                })
                .when("reading B, last", |s| *s == K6BLast)
                .amendment(
                    "from-descent",
                    "√(Tη L_S(0)) with Tη = Θ(n⁴d/(mδε²)) and L_S(0) = O(n) is within ω = n^{7/2}√d/(δε√m)",
                    holds(),
                    |_, ()| judge(K6FromDescent),
                )
                .when("from the descent", |s| *s == K6FromDescent)
                .control("exponents", "the exponent of n in ω replaced by 2", |_, ()| {
                    super::bookkeeping::judge_times(K6A, super::monomials::N.to(-3, 2))
                }),
        )
        .setting(
            Setting::measuring(|s: &RunSizes, _| run(s))
                .assume("1 ≤ k ≤ n − 1", |s| (1..s.points).contains(&s.negatives))
                .family(edge("runs of Algorithm 1", runs))
                .without_search()
                .part(
                    "s1",
                    "‖W^{(t)} − W^{(0)}‖_F ≤ Σ η‖∇_{W,u}‖_F at every t, and the same for θ",
                    holds(),
                    |_, r| {
                        both_sides(|side| {
                            let pairs = path(r, side).into_iter().zip(&r.progress[1..]).enumerate();
                            all_of(pairs.map(|(t, (length, p))| {
                                (
                                    format!("t = {}", t + 1),
                                    at_most(p.distances[side], length * (1.0 + ROUNDING)),
                                )
                            }))
                        })
                    },
                )
                .part(
                    "s2",
                    "‖∇_{W,t}‖_F ≤ √(Lm/d)‖l̃oss^{(t)}‖ at every step, without a constant as printed, and the same \
                     for θ",
                    consistent(),
                    |s, r| {
                        let allowed = (s.layers * s.width) as f64 / s.output as f64;
                        both_sides(|side| {
                            let steps = r.progress.iter().enumerate();
                            all_of(steps.map(|(t, p)| {
                                (
                                    format!("t = {t}"),
                                    at_most(p.gradients[side], allowed * p.loss_vectors[side]).as_trend(),
                                )
                            }))
                        })
                    },
                )
                .because("the display has no constant here")
                .sharpening(
                    "path",
                    "Σ η‖∇_{W,t}‖ ≤ √(Tη(L_S(0) − L_S(T))/ρ), ρ the smallest descent of a step relative to η‖∇‖², and \
                     the same for θ",
                    holds(),
                    |_, r| {
                        let fall = r.progress[0].loss - r.progress[r.length()].loss;
                        let bound = (r.length() as f64 * r.rate * fall / r.least_descent()).sqrt();
                        both_sides(|side| at_most(path(r, side)[r.length() - 1], bound * (1.0 + ROUNDING)))
                    },
                )
                .control("a", "‖W^{(T)} − W^{(0)}‖_F ≥ Σ η‖∇_{W,t}‖_F", |_, r| {
                    both_sides(|side| at_least(r.progress[r.length()].distances[side], path(r, side)[r.length() - 1]))
                })
                .control(
                    "b",
                    "Σ η‖∇_{W,t}‖ ≤ a quarter of √(Tη(L_S(0) − L_S(T)))",
                    |_, r| {
                        let fall = r.progress[0].loss - r.progress[r.length()].loss;
                        let bound = 0.25 * (r.length() as f64 * r.rate * fall).sqrt();
                        both_sides(|side| at_most(path(r, side)[r.length() - 1], bound))
                    },
                ),
        )
}
