//! Lemma 4.4 (A.4): the loss is at most its first-order expansion and three brackets.
//!
//! Consistent where it can be measured: with all constants one, the remainder stays far below the brackets along the gradients, along Gaussian directions, and where keys and queries
//! are moved along one vector. The last bracket alone is another matter. To first order the keys of a ball move by τL√(m/d) (L matrices, each by τ in its own norm) and
//! the queries by √(Lm/d)‖W′‖_F, so that the square of a change of a logit grows like L³, or L⁴ with the norms of Lemma D.2, and L² is printed: one L is missing. The
//! first bracket hides it for ω near the upper end of the range, where ω^{1/3}L^{3/2} ≈ 1, and not for ω ≤ L^{−6}, say.

use contrapositive::claim::{Claim, Evaluation, Kind, Setting, all_of, at_least, at_most, consistent, edge, fails};
use contrapositive::instance::Instance;

use super::gradient_sweeps::{GradientSweep, Sizes, Vary, exponent};
use super::remainders::{Remainders, largest_changes, remainders};

const FLAT: f64 = 0.25;
/// The constant in front of the brackets.
const CONSTANT: f64 = 4.0;

type Sweep = Vec<(f64, Remainders)>;

fn growth(r: &Sweep, of: impl Fn(f64, &Remainders) -> f64, most: f64) -> Evaluation {
    let points: Vec<(f64, f64)> = r.iter().map(|(size, x)| (*size, of(*size, x).max(1e-12))).collect();
    match exponent(&points) {
        Ok((slope, shown)) => at_most(slope, most).as_trend().noting(shown),
        Err(error) => Evaluation::Failed(error),
    }
}

/// The ratio is at most the constant at every size, and does not grow.
fn bounded(r: &Sweep, of: impl Fn(f64, &Remainders) -> f64) -> Evaluation {
    let largest = r.iter().map(|(size, x)| of(*size, x)).fold(0.0, f64::max);
    all_of([
        ("growth", growth(r, &of, FLAT)),
        ("largest ratio", at_most(largest, CONSTANT).as_trend()),
    ])
}

/// The product of the largest changes over a power of L.
fn changes(r: &[(f64, f64)], power: impl Fn(f64) -> f64) -> Evaluation {
    let points: Vec<(f64, f64)> = r.iter().map(|&(l, x)| (l, x / power(l))).collect();
    match exponent(&points) {
        Ok((slope, shown)) => at_most(slope, FLAT).as_trend().noting(shown),
        Err(error) => Evaluation::Failed(error),
    }
}

fn deep_sweeps() -> Vec<(String, GradientSweep)> {
    let of = |doublings, seeds, width, output, angle| GradientSweep {
        vary: Vary::Layers,
        doublings,
        seeds,
        start: Sizes {
            points: 2,
            input: 2,
            width,
            layers: 1,
            output,
            angle,
        },
    };
    let list = [
        of(5, 2, 128, 2, 1_500_000),
        of(4, 3, 128, 4, 500_000),
        of(4, 2, 192, 2, 3_000_000),
    ];
    list.into_iter().map(|s| (s.describe(), s)).collect()
}

fn sweeps() -> Vec<(String, GradientSweep)> {
    let of = GradientSweep::of;
    let list = [
        of(Vary::Width, 4, 2, [5, 4, 50, 1, 4], 1_000_000),
        of(Vary::Width, 2, 2, [3, 4, 40, 2, 2], 1_000_000),
        of(Vary::Width, 5, 3, [2, 2, 50, 1, 1], 1_500_000),
        of(Vary::Layers, 3, 3, [4, 8, 64, 1, 4], 1_000_000),
        of(Vary::Layers, 4, 3, [2, 2, 64, 1, 2], 1_500_000),
        of(Vary::Points, 4, 2, [2, 16, 60, 1, 4], 1_000_000),
        of(Vary::Points, 3, 2, [2, 16, 40, 2, 2], 1_000_000),
        of(Vary::Outputs, 4, 2, [4, 8, 100, 1, 1], 1_000_000),
    ];
    list.into_iter().map(|s| (s.describe(), s)).collect()
}

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-4.4", "semi-smoothness", Kind::ProbabilityBound)
        .statement(
            "for ω, τ ∈ [Ω(√(d/m)), O(L^{−9/2}(log m)^{−3/2})], with probability ≥ 1 − e^{−Ω(mω^{3/2}L)} − e^{−Ω(mτ^{2/3}L)}: L_S(W+W′, θ+θ′) ≤ L_S(W, θ) + ⟨∇_W L_S, W′⟩ + \
             ⟨∇_θ L_S, θ′⟩ + O(ω^{1/3}L²√(m log m)/√(nd))‖l̃oss‖‖W′‖_F + O(τ^{1/3}L²√(m log m)/√(nd))‖l̂oss‖‖θ′‖_F + O(kL²m²/d²)(τ²‖W′‖_F² + ω²‖θ′‖_F²)",
        )
        .source("Lemma 4.4", &["(4.1)", "Lemma A.4", "Appendix D.2"])
        .remark(
            "W, θ are a random start; all matrices of W′, θ′ have Frobenius norm ω = τ, one tenth, a half and twice √(d/m): with the printed constants the range is empty at sizes that can be run \
             (it needs m ≥ dL⁹(log m)³), so these are read with large constants. k = max(1, n/4); loss vectors of Facts 1 and 2 (with Definition 4.1 the first brackets are n times smaller).",
        )
        .setting(
            Setting::measuring(|s: &GradientSweep, _| remainders(s))
                .assume("Assumption 1, 1 ≤ k ≤ n − 1", |s| s.start.points >= 2)
                .family(edge("sweeps", sweeps))
                .without_search()
                .reading("printed", "the remainder over the sum of the brackets is at most 4, and bounded along sweeps of m, L, n, d", consistent(), |_, r| {
                    bounded(r, |_, x| x.printed)
                })
                .reading(
                    "definition",
                    "the same with ∂L_S/∂q_i, ∂L_S/∂k_i for the loss vectors, the first brackets n times smaller: bounded by n times the ratio",
                    consistent(),
                    |s, r| {
                        let n = |size: f64| if s.vary == Vary::Points { size } else { s.start.points as f64 };
                        let largest = r.iter().map(|(size, x)| n(*size) * x.printed).fold(0.0, f64::max);
                        at_most(largest, CONSTANT).as_trend()
                    },
                )
                .control("a", "no brackets: L_S(W+W′, θ+θ′) is at most its first-order expansion", |_, r| {
                    at_most(r.iter().map(|(_, x)| x.alone).fold(0.0, f64::max), 0.0)
                })
                .control("b", "only k(τ²‖W′‖² + ω²‖θ′‖²), without m²/d²", |_, r| growth(r, |_, x| x.plain, FLAT))
                .when("m grows", |s| s.vary == Vary::Width)
                .control("c", "the first-order terms with the other sign", |_, r| {
                    at_least(CONSTANT, r.iter().map(|(_, x)| x.flipped).fold(0.0, f64::max))
                }),
        )
        .setting(
            Setting::measuring(|s: &GradientSweep, _| largest_changes(s))
                .assume("L grows", |s| s.vary == Vary::Layers)
                .family(edge("sweeps of the depth", deep_sweeps))
                .without_search()
                .step(
                    "last-bracket",
                    "the last bracket alone covers the product of the largest first-order changes, ‖q̃−q‖²‖z̃−z‖² ≤ O(L²m²/d²)τ²‖W′‖_F², along sweeps of L",
                    fails("it grows like L³: L matrices move the keys by τ each, and the queries by √L‖W′‖_F"),
                    |_, r| changes(r, |l| l * l),
                )
                .amendment("cubic", "the same with L³", consistent(), |_, r| changes(r, |l| l * l * l)),
        )
}
