//! Lemma 4.4 (A.4): the loss is at most its first-order expansion and three brackets.
//!
//! From a random start it is consistent: with all constants one, the remainder stays far below the brackets along the
//! gradients, along Gaussian directions, and where keys and queries are moved along one vector. From other points of
//! the balls, which it admits, one power of L is missing in the last bracket: L matrices, each moved by τ in its
//! spectral norm, move a key by κτ√(m/d) with κ of order L, and W′ moves a query by √(Lm/(2d))‖W′‖_F, so that the
//! square of the change of a logit has L³, and L² is printed.
//!
//! Proof, for n = 2, k = 1, d ≥ 2, θ′ = 0, W = W^{(0)}, ω = τ = C√(d/m) and m → ∞ at fixed L, d. There outputs are
//! linear in displacements of this size. Move θ along the gradient of ⟨u, k_2 − k_1⟩, u orthogonal to q_1, by τ per
//! matrix: k_2 − k_1 gains Cκu, κ = Σ_l √(1 − cos φ_l Π_{j≥l} (1 − φ_j/π)), φ_l the angle of the points before layer
//! l, and the logit s of the first point stays (taken to be 0 here). Then move W along the gradient of ⟨u, q_1⟩ until
//! the logit has changed by Δ = √(Lm/(2d))‖W′‖_F Cκ = 1. The remainder is at least ½(σ(Δ) − σ(0) − Δσ′(0)) = ½ log
//! cosh(Δ/2), σ the softplus (the other point adds something convex), the last bracket is L²C²(m/d)‖W′‖_F² = 2LΔ²/κ²,
//! and the first is O(ω^{1/3}√(log m)) at fixed L, Δ: it vanishes. So the ratio is κ² log cosh(½)/(4L), of order L.

use contrapositive::claim::{
    Claim, Evaluation, Kind, Setting, all_of, at_least, at_most, consistent, edge, fails, holds,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use contrapositive::interval::Interval;
use contrapositive::probability::{angle_chain, both_active};
use serde::{Deserialize, Serialize};

use super::gradient_sweeps::{GradientSweep, Sizes, Vary};
use super::growth_of_ratios::{bounded_above, grows_slowly};
use super::remainders::{Remainders, largest_changes, remainders};

/// The constant in front of the brackets.
const CONSTANT: f64 = 4.0;

type Sweep = Vec<(f64, Remainders)>;

fn ratios(r: &Sweep, of: impl Fn(f64, &Remainders) -> f64) -> Vec<(f64, f64)> {
    r.iter().map(|(size, x)| (*size, of(*size, x).max(1e-12))).collect()
}

/// The ratio is at most the constant at every size, and is not seen to grow.
fn bounded(r: &Sweep, of: impl Fn(f64, &Remainders) -> f64) -> Evaluation {
    let largest = r.iter().map(|(size, x)| of(*size, x)).fold(0.0, f64::max);
    all_of([
        ("growth", bounded_above(&ratios(r, &of))),
        ("largest ratio", at_most(largest, CONSTANT).as_trend()),
    ])
}

/// The product of the largest changes over a power of L.
fn changes(r: &[(f64, f64)], power: impl Fn(f64) -> f64) -> Evaluation {
    bounded_above(&r.iter().map(|&(l, x)| (l, x / power(l))).collect::<Vec<_>>())
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
        of(5, 8, 128, 2, 1_500_000),
        of(4, 12, 128, 4, 500_000),
        of(4, 8, 192, 2, 3_000_000),
    ];
    list.into_iter().map(|s| (s.describe(), s)).collect()
}

fn sweeps() -> Vec<(String, GradientSweep)> {
    let of = GradientSweep::of;
    let list = [
        of(Vary::Width, 4, 8, [5, 4, 50, 1, 4], 1_000_000),
        of(Vary::Width, 3, 8, [3, 4, 40, 2, 2], 1_000_000),
        of(Vary::Width, 5, 20, [2, 2, 50, 1, 1], 1_500_000),
        of(Vary::Layers, 3, 12, [4, 8, 64, 1, 4], 1_000_000),
        of(Vary::Layers, 4, 12, [2, 2, 64, 1, 2], 1_500_000),
        of(Vary::Points, 4, 8, [2, 16, 60, 1, 4], 1_000_000),
        of(Vary::Points, 3, 8, [2, 16, 40, 2, 2], 1_000_000),
        of(Vary::Outputs, 4, 8, [4, 8, 100, 1, 1], 1_000_000),
    ];
    list.into_iter().map(|s| (s.describe(), s)).collect()
}

/// Two unit points at an angle, and depths 1, 2, 4, …, in the limit of infinite width.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Depths {
    angle: f64,
    doublings: usize,
}

impl Instance for Depths {
    fn describe(&self) -> String {
        format!(
            "n = 2, angle {}, m → ∞, L = 1, 2, 4, …, {}",
            self.angle,
            1usize << self.doublings
        )
    }

    fn validate(&self) -> Result<(), String> {
        if (1e-3..=3.1).contains(&self.angle) && (3..=8).contains(&self.doublings) {
            Ok(())
        } else {
            Err("an angle of 0.001 to 3.1, three to eight doublings".into())
        }
    }
}

/// How far k_2 − k_1 moves along a direction orthogonal to it, in units of τ√(m/d): with τ for every matrix, and with
/// τ for all of them together.
struct Reach {
    layers: f64,
    each: Interval,
    together: Interval,
}

impl Reach {
    fn of(angle: f64, layers: usize) -> Self {
        let angle = Interval::point(angle);
        let angles: Vec<Interval> = std::iter::once(angle).chain(angle_chain(angle)).take(layers).collect();
        let mut shared = Interval::ONE;
        let squares: Vec<Interval> = angles
            .iter()
            .rev()
            .map(|&angle| {
                shared *= both_active(angle) * 2.0;
                Interval::ONE - angle.cos() * shared
            })
            .collect();
        Reach {
            layers: layers as f64,
            each: squares.iter().map(|x| x.sqrt()).sum(),
            together: squares.iter().copied().sum::<Interval>().sqrt(),
        }
    }
}

fn reaches(s: &Depths) -> Vec<Reach> {
    (0..=s.doublings).map(|k| Reach::of(s.angle, 1 << k)).collect()
}

/// log cosh(½).
fn curvature() -> Interval {
    ((Interval::point(0.5).exp() + Interval::point(-0.5).exp()) / 2.0).ln()
}

/// The limit of the remainder over the brackets at one depth, κ² log cosh(½)/(4L).
fn limit(reach: Interval, layers: f64) -> Interval {
    reach.square() * curvature() / (4.0 * layers)
}

/// The limit, times a function of L, does not grow.
fn in_the_limit(list: &[Reach], reach: impl Fn(&Reach) -> Interval, factor: impl Fn(f64) -> f64) -> Evaluation {
    let ratio = |r: &Reach| (limit(reach(r), r.layers) * factor(r.layers)).midpoint();
    let points: Vec<(f64, f64)> = list.iter().map(|r| (r.layers, ratio(r))).collect();
    bounded_above(&points)
}

/// The limit, divided by a function of L, is at most ½ log cosh(½) at every depth: 1 − cos φ Π is at most 2.
fn below_half(list: &[Reach], reach: impl Fn(&Reach) -> Interval, divisor: impl Fn(f64) -> f64) -> Evaluation {
    let at = |r: &Reach| {
        let ratio = limit(reach(r), r.layers) / divisor(r.layers);
        (
            format!("L = {}", r.layers),
            at_most(Enclosure::from(ratio), Enclosure::from(curvature() / 2.0)),
        )
    };
    all_of(list.iter().map(at))
}

fn depths() -> Vec<(String, Depths)> {
    [(1.5, 6), (0.5, 6), (3.0, 6), (0.1, 8)]
        .map(|(angle, doublings)| Depths { angle, doublings })
        .into_iter()
        .map(|s| (s.describe(), s))
        .collect()
}

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-4.4", "semi-smoothness", Kind::ProbabilityBound)
        .statement(
            "for ω, τ ∈ [Ω(√(d/m)), O(L^{−9/2}(log m)^{−3/2})], with probability ≥ 1 − e^{−Ω(mω^{3/2}L)} − \
             e^{−Ω(mτ^{2/3}L)}: L_S(W+W′, θ+θ′) ≤ L_S(W, θ) + ⟨∇_W L_S, W′⟩ + ⟨∇_θ L_S, θ′⟩ + O(ω^{1/3}L²√(m log \
             m)/√(nd))‖l̃oss‖‖W′‖_F + O(τ^{1/3}L²√(m log m)/√(nd))‖l̂oss‖‖θ′‖_F + O(kL²m²/d²)(τ²‖W′‖_F² + ω²‖θ′‖_F²)",
        )
        .source("Lemma 4.4", &["(4.1)", "Lemma A.4", "Appendix D.2"])
        .sense(
            "spectral",
            "the balls are those of the largest spectral norm of a matrix, as in the papers that the lemmas come from",
        )
        .sense(
            "frobenius",
            "the balls are those of ‖·‖_F, the one norm of tuples that Section 3.1 defines",
        )
        .remark(
            "The norm of the balls is not printed: with the spectral norm of every matrix a power of L is missing, with \
             the Frobenius norm of the tuple L² is enough for the same construction. The refutation needs widths of \
             L^{15} and more, so it is computed in the limit m → ∞; a constant that serves one depth does not serve a \
             larger one.",
        )
        .remark(
            "In the sweeps W, θ are a random start; all matrices of W′, θ′ have Frobenius norm ω = τ, one tenth, a \
             half and twice √(d/m): with the printed constants the range is empty at sizes that can be run (it needs \
             m ≥ dL⁹(log m)³), so these are read with large constants. Eight to twenty starts of each size. k = \
             max(1, n/4); loss vectors of Facts 1 and 2 (with Definition 4.1 the first brackets are n times smaller).",
        )
        .setting(
            Setting::measuring(|s: &Depths, _| Ok(reaches(s)))
                .assume("Assumptions 1 and 2, n = 2, k = 1, m → ∞", |s| s.angle > 0.0)
                .family(edge("depths", depths))
                .without_search()
                .part(
                    "printed",
                    "W, θ anywhere in the balls, ω = τ = C√(d/m), m → ∞: the remainder over the sum of the brackets \
                     is bounded as L grows",
                    fails("keys moved within the ball, then a query: the square of a logit's change has L³"),
                    |_, r| in_the_limit(r, |x| x.each, |_| 1.0),
                ).in_sense("spectral")
                .part(
                    "frobenius",
                    "the same construction with Frobenius norms of whole tuples for the balls: the limit is at most ½ \
                     log cosh(½)",
                    holds(),
                    |_, r| below_half(r, |x| x.together, |_| 1.0),
                ).in_sense("frobenius")
                .amendment(
                    "third-power",
                    "the same construction with L³ in place of L² in the last bracket: the limit is at most ½ log \
                     cosh(½)",
                    holds(),
                    |_, r| below_half(r, |x| x.each, |l| l),
                )
                .control(
                    "first-power",
                    "the same with L in place of L², Frobenius norms",
                    |_, r| in_the_limit(r, |x| x.together, |l| l),
                ),
        )
        .setting(
            Setting::measuring(|s: &GradientSweep, trial| remainders(s, trial))
                .assume("Assumption 1, 1 ≤ k ≤ n − 1", |s| s.start.points >= 2)
                .family(edge("sweeps", sweeps))
                .without_search()
                .part(
                    "start",
                    "W, θ at random initialisation: the remainder over the sum of the brackets is at most 4, and \
                     bounded along sweeps of m, L, n, d",
                    consistent(),
                    |_, r| bounded(r, |_, x| x.printed),
                )
                .part(
                    "definition",
                    "the same with ∂L_S/∂q_i, ∂L_S/∂k_i for the loss vectors, the first brackets n times smaller: \
                     bounded by n times the ratio",
                    consistent(),
                    |s, r| {
                        let n = |size: f64| {
                            if s.vary == Vary::Points {
                                size
                            } else {
                                s.start.points as f64
                            }
                        };
                        let largest = r.iter().map(|(size, x)| n(*size) * x.printed).fold(0.0, f64::max);
                        at_most(largest, CONSTANT).as_trend()
                    },
                )
                .control(
                    "a",
                    "no brackets: L_S(W+W′, θ+θ′) is at most its first-order expansion",
                    |_, r| at_most(r.iter().map(|(_, x)| x.alone).fold(0.0, f64::max), 0.0),
                )
                .control(
                    "b",
                    "only k(τ²‖W′‖² + ω²‖θ′‖²), without m²/d²",
                    |_, r| grows_slowly(&ratios(r, |_, x| x.plain)),
                )
                .when("m grows", |s| s.vary == Vary::Width)
                .control("c", "the first-order terms with the other sign", |_, r| {
                    at_least(CONSTANT, r.iter().map(|(_, x)| x.flipped).fold(0.0, f64::max))
                }),
        )
        .setting(
            Setting::measuring(|s: &GradientSweep, trial| largest_changes(s, trial))
                .assume("L grows", |s| s.vary == Vary::Layers)
                .family(edge("sweeps of the depth", deep_sweeps))
                .without_search()
                .step(
                    "last-bracket",
                    "the last bracket alone covers the product of the largest first-order changes, ‖q̃−q‖²‖z̃−z‖² ≤ \
                     O(L²m²/d²)τ²‖W′‖_F², along sweeps of L",
                    fails("it grows like L³: L matrices move the keys by τ each, and the queries by √L‖W′‖_F"),
                    |_, r| changes(r, |l| l * l),
                )
                .amendment("cubic", "the same with L³", consistent(), |_, r| {
                    changes(r, |l| l * l * l)
                }),
        )
}
