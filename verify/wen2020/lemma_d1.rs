//! Lemma D.1: g(y) = log(1 + Σ e^{y_i}) is 1-smooth.
//!
//! The Hessian is diag(p) − p pᵀ with p_i = e^{y_i}/(1 + Σ e^{y_s}); its largest eigenvalue is at most 1/2 (the
//! covariance of a one-hot vector along a unit direction v is the variance of v_I, at most (max v − min v)²/4 ≤ ‖v‖²/2,
//! where the extra outcome counts as v = 0), so the constant 1 can be halved; for k = 1 it is 1/4.

use enclosures::interval::Dual;
use enclosures::vectors::sum_of_products;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

/// A point y of ℝ^k and a displacement y′.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "k = {k}, y = {point:?}, y′ = {by:?}", simpler = Self::without_an_entry, stored)]
struct PointDisplacement {
    #[instance(length = "k in 0..", range = "-1e6..=1e6")]
    point: Vec<f64>,
    #[instance(length = "k", range = "-1e6..=1e6")]
    by: Vec<f64>,
}

impl PointDisplacement {
    fn without_an_entry(&self) -> Vec<Self> {
        let without = |drop: usize| {
            let keep = |v: &[f64]| v.iter().enumerate().filter(|(i, _)| *i != drop).map(|(_, x)| *x).collect();
            PointDisplacement { point: keep(&self.point), by: keep(&self.by) }
        };
        if self.point.len() <= 1 { Vec::new() } else { (0..self.point.len()).map(without).collect() }
    }
}

struct Smoothness {
    /// p_i = e^{y_i} / (1 + Σ e^{y_s}).
    share: Vec<Enclosure>,
    /// The share of the constant 1 in the sum: 1 − Σ p_i, without cancellation.
    rest: Enclosure,
    /// 1 − p_i, without cancellation.
    complement: Vec<Enclosure>,
    /// g(y + y′) − g(y) − ∇g(y)ᵀy′, as log Σ p_i e^{y′_i − mean} which does not cancel.
    remainder: Enclosure,
    /// ‖y′‖².
    length: Enclosure,
}

fn smoothness(d: &PointDisplacement) -> Smoothness {
    let mut logits = vec![Enclosure::ZERO];
    logits.extend(d.point.iter().map(|&y| exact(y)));
    let total = log_sum_exp(&logits);
    let share: Vec<Enclosure> = d.point.iter().map(|&y| (exact(y) - total).exp()).collect();
    let rest = (-total).exp();
    // g(y + y′) − g(y) = log E e^{V} for V = y′_I, I drawn with the shares (V = 0 with the rest); the linear term is E
    // V.
    let mean = sum_of_products(&share, &d.by);
    // E(e^{V − EV} − 1) has no linear part left but for rounding; log1p keeps what is small accurate.
    let centred = |v: Enclosure| {
        let x = v - mean;
        x.exp_m1() - x
    };
    let spread: Enclosure = share.iter().zip(&d.by).map(|(&p, &v)| p * centred(exact(v))).sum();
    let remainder = (spread + rest * centred(Enclosure::ZERO)).ln_1p();
    let complement = (0..share.len())
        .map(|i| rest + share.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, &p)| p).sum::<Enclosure>())
        .collect();
    Smoothness { share, rest, complement, remainder, length: d.by.iter().map(|&v| exact(v).square()).sum() }
}

/// The curvature y′ᵀ(diag p − p pᵀ)y′: a variance, summed over pairs of outcomes so that nothing cancels.
fn curvature(d: &PointDisplacement, s: &Smoothness) -> Enclosure {
    let pair = |i: usize, j: usize| s.share[i] * s.share[j] * (exact(d.by[i]) - d.by[j]).square();
    let with_rest = |i: usize| s.share[i] * s.rest * exact(d.by[i]).square();
    (0..d.by.len()).map(|i| with_rest(i) + (0..i).map(|j| pair(i, j)).sum::<Enclosure>()).sum()
}

/// Largest absolute row sum of the Hessian: an upper bound of its spectral norm.
fn row_sum(s: &Smoothness) -> Enclosure {
    // Row i: p_i (1 − p_i) + Σ_{j ≠ i} p_i p_j = p_i (1 − p_i) + p_i (1 − p_i − rest) ≤ 2 p_i (1 − p_i).
    let row = |i: usize| s.share[i] * (2.0 * s.complement[i] - s.rest);
    (0..s.share.len()).map(row).fold(Enclosure::ZERO, Enclosure::max)
}

/// The curvature along y′ is the variance of a variable whose largest value a ≥ 0 and smallest b ≤ 0 are coordinates of
/// y′, or 0. It is at most (a − b)²/4 (Popoviciu), and (a, b) = ρ(cos φ, sin φ) with ρ ≤ ‖y′‖ and −π/2 ≤ φ ≤ 0. By
/// Taylor's formula a curvature of at most ‖y′‖² everywhere gives the remainder as well.
fn by_range() -> Proof<1> {
    let quarter = |[phi]: [Dual<1>; 1]| 0.25 * (phi.cos() - phi.sin()).square();
    Proof::covering("all k, y and y′", [(-1.6, 0.0)], move |phi| 1.0 - quarter(phi))
        .in_other_form("the curvature along y′ is a variance, at most a quarter of the square of its range")
        .control("¼ in place of 1", move |phi| 0.25 - quarter(phi))
}

/// φ of the largest and the smallest value.
fn angle(d: &PointDisplacement) -> Option<[Enclosure; 1]> {
    let largest = d.by.iter().copied().fold(0.0, f64::max);
    let smallest = d.by.iter().copied().fold(0.0, f64::min);
    let length = (exact(largest).square() + exact(smallest).square()).sqrt();
    let cosine = if length.lo() > 0.0 { largest / length } else { Enclosure::ZERO };
    Some([Enclosure::from(-cosine.interval().acos())])
}

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-d1", "smoothness of log(1 + Σ e^{y_i})", Kind::Inequality)
        .statement(
            "g(y) = log(1 + Σ_{i ≤ k} e^{y_i}) has 1-Lipschitz gradient, and g(y + y′) ≤ g(y) + ∇g(y)ᵀy′ + ½‖y′‖²",
        )
        .source("Lemma D.1", &["Appendix D.1"])
        .symbol("g", "g(y) = log(1 + Σ_{i≤k} e^{y_i}), y ∈ ℝ^k")
        .symbol("y′", "a displacement in ℝ^k")
        .symbol("remainder", "g(y + y′) − g(y) − ∇g(y)ᵀy′")
        .symbol("Hessian", "diag(p) − ppᵀ with p_i = e^{y_i}/(1 + Σ_s e^{y_s}), also ∇²g, ‖∇²g‖ its spectral norm")
        .symbol("k", "the number of coordinates")
        .remark(
            "Proof of the sharpening: y′ᵀ(diag p − ppᵀ)y′ is the variance of a variable with values y′_1, …, y′_k and \
             0, at most a quarter of its squared range; the range is at most |y′_i| + |y′_j| ≤ √2‖y′‖ for k ≥ 2 (and \
             ‖y′‖ for k = 1), which gives ‖y′‖²/2 (and ‖y′‖²/4). The supremum 1/2 is approached as two coordinates of \
             y grow together, and not attained.",
        )
        .setting(printed())
}

fn printed() -> Setting<PointDisplacement, Smoothness> {
    Setting::measuring(|d: &PointDisplacement, _| Ok(smoothness(d)))
        .given("k ≥ 1")
        .family(edge("named", || {
            let of = |point: &[f64], by: &[f64]| PointDisplacement { point: point.to_vec(), by: by.to_vec() };
            vec![
                ("k = 1, origin", of(&[0.0], &[1.0])),
                ("no displacement", of(&[0.0, 1.0], &[0.0, 0.0])),
                ("two large and opposite", of(&[30.0, 30.0], &[0.1, -0.1])),
                ("two huge and opposite", of(&[500.0, 500.0], &[1e-3, -1e-3])),
                ("one large", of(&[40.0, 0.0, 0.0], &[1.0, 0.0, -1.0])),
                ("all large", of(&[50.0; 10], &[1.0; 10])),
                ("far below zero", of(&[-700.0, -700.0], &[1.0, 1.0])),
                ("a long step", of(&[0.0; 5], &[300.0, -300.0, 0.0, 1.0, -1.0])),
            ]
        }))
        .family(random("Gaussian scales", || {
            (1usize..=10, -3.0..2.0f64, -3.0..1.5f64).prop_flat_map(|(k, point, by)| {
                (vec(scaled(point), k), vec(scaled(by), k)).prop_map(|(point, by)| PointDisplacement { point, by })
            })
        }))
        .part("printed", "remainder ≤ ½‖y′‖² and ‖∇²g‖ ≤ 1", holds(), |_, s| {
            all_of([("remainder", at_most(s.remainder, 0.5 * s.length)), ("Hessian", at_most(row_sum(s), 1))])
        })
        .checked("wen2020.Contrastive.lemma_d1_printed")
        .proved_by(by_range(), angle, |[phi]| PointDisplacement {
            point: vec![30.0, 30.0],
            by: vec![core_math::cos(phi), core_math::sin(phi)],
        })
        .step(
            "s1",
            "diagonal entries p_i(1 − p_i) = e^{y_i}(1 + Σ_{j≠i} e^{y_j})/(1 + Σ_s e^{y_s})², i ≤ k",
            holds(),
            |d, s| {
                for_each_index("entry", 0..d.point.len(), |i| {
                    let mut others = vec![Enclosure::ZERO];
                    others.extend(d.point.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, &y)| exact(y)));
                    let mut logits = others.clone();
                    logits.push(exact(d.point[i]));
                    let printed = (d.point[i] + log_sum_exp(&others) - 2.0 * log_sum_exp(&logits)).exp();
                    equal(s.share[i] * s.complement[i], printed)
                })
            },
        )
        .step("s2", "trace of the Hessian ≤ 1", holds(), |_, s| at_most(trace(s), 1))
        .step("s3", "y′ᵀ∇²g(y)y′ ≤ trace of the Hessian times ‖y′‖²", holds(), |d, s| {
            at_most(curvature(d, s), trace(s) * s.length)
        })
        .step("s4", "convexity: the remainder is non-negative", holds(), |_, s| {
            at_least(s.remainder, 0).on_scale_of("‖y′‖²", s.length.hi())
        })
        .checked("wen2020.Contrastive.lemma_d1_s4")
        .sharpening(
            "half",
            "remainder ≤ ¼‖y′‖² and y′ᵀ∇²g(y)y′ ≤ ½‖y′‖²",
            holds(),
            |d, s| {
                all_of([
                    ("remainder", at_most(s.remainder, 0.25 * s.length)),
                    ("Hessian", at_most(curvature(d, s), 0.5 * s.length)),
                ])
            },
        )
        .checked("wen2020.Contrastive.lemma_d1_half")
        .sharpening("eighth", "for k = 1: remainder ≤ ⅛‖y′‖²", holds(), |_, s| {
            at_most(s.remainder, s.length / 8.0)
        })
        .checked("wen2020.Contrastive.lemma_d1_eighth")
        .assume(Hypothesis::new("k = 1", |d| d.point.len() == 1))
        .control("a", "remainder ≤ ⅛‖y′‖²", |_, s| at_most(s.remainder, s.length / 8.0))
        .control("b", "remainder ≤ 0", |_, s| at_most(s.remainder, 0))
        .control("c", "y′ᵀ∇²g(y)y′ ≥ 0.01‖y′‖²", |d, s| -> Evaluation {
            at_least(curvature(d, s), 0.01 * s.length)
        })
}

fn trace(s: &Smoothness) -> Enclosure {
    sum_of_products(&s.share, &s.complement)
}

/// A number of either sign, up to ten to the given power in size.
fn scaled(decades: f64) -> impl Strategy<Value = f64> {
    let size = (exact(decades) * exact(10.0).ln()).exp().midpoint();
    (-1.0..1.0f64).prop_map(move |x| x * size)
}
