//! Definition 1: the general loss (8) and the set on which it is minimised.
//!
//! With M = W₁ᵀW₂ and q = VᵀM the loss is Tr(MᵀCM) = Tr(qᵀΛq). WᵀW = I_k for an h×k matrix needs k ≤ h: WᵀW has rank at most h, so
//! ‖WᵀW − I‖² ≥ k − h, with equality at [I 0]. As Tr(C·MMᵀ) with 0 ≤ MMᵀ ≤ I of rank at most min(d,z), the loss lies between the
//! sums of the min(d,z) lowest negative and highest positive eigenvalues. These bounds are attained for h ≥ d + z; for smaller h
//! max(0, d+z−h) singular values of M are one and the exact bounds are those of problem 4 of Proposition 3.

use enclosures::linear_algebra::{IntervalMatrix, Matrix, PlaneRotation};
use enclosures::vectors::{scaled, sum_of_squares};
use evidence::prelude::*;
use linear_ssl::self_supervised::{
    SelfSupervisedError, forced_unit_singular_values, trace_loss, value_of_problem_2, value_of_problem_4,
};
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::notation::{FORCED, LINEAR_PRODUCT, STIEFEL};
use crate::shared::optima::{optimal_selections, orthonormal};
use crate::shared::orthonormal_network::{OrthonormalNetwork, Weights, networks, turn};

struct TraceLoss {
    w: Weights,
    /// Tr(W₂ᵀW₁CW₁ᵀW₂).
    value: Interval,
    scale: f64,
}

fn loss_of(
    first: &IntervalMatrix,
    second: &IntervalMatrix,
    c: &IntervalMatrix,
) -> Result<Interval, SelfSupervisedError> {
    trace_loss(&second.transpose().product(first)?, c)
}

impl TraceLoss {
    fn of(network: &OrthonormalNetwork) -> Result<Self, SelfSupervisedError> {
        let w = network.weights()?;
        Ok(TraceLoss {
            value: loss_of(&w.first, &w.second, &w.c)?,
            scale: network.spectrum.iter().map(|l| l.abs()).sum(),
            w,
        })
    }

    fn is(&self, other: Interval) -> Evaluation {
        equal(self.value, other).on_scale_of("Σ|λ_i|", self.scale)
    }
}

/// Rotations by a Pythagorean angle in all planes of neighbours.
fn mixing(size: usize) -> Result<IntervalMatrix, SelfSupervisedError> {
    let planes: Vec<PlaneRotation> = (1..size).map(|k| turn(k - 1, k, 0.5)).collect();
    Ok(PlaneRotation::product_of(size, &planes)?)
}

/// Tr(MᵀCM), Tr(qᵀΛq), and the loss after W₂ → W₂R and after (W₁, W₂) → (OW₁, OW₂).
fn forms_and_invariances(l: &TraceLoss) -> Result<Evaluation, SelfSupervisedError> {
    let (w, m) = (&l.w, &l.w.product);
    let energy: Interval = (w.q.row_iter().zip(&w.spectrum)).map(|(row, &lambda)| sum_of_squares(row) * lambda).sum();
    let (small, large) = (mixing(w.second.columns())?, mixing(w.second.rows())?);
    let rotated = w.second.product(&small)?;
    let moved = (large.product(&w.first)?, large.product(&w.second)?);
    Ok(all_of([
        ("Tr(MᵀCM)", l.is(m.transpose().product(&w.c)?.product(m)?.trace()?)),
        ("Tr(qᵀΛq)", l.is(energy)),
        ("W₂R", l.is(loss_of(&w.first, &rotated, &w.c)?)),
        ("(OW₁, OW₂)", l.is(loss_of(&moved.0, &moved.1, &w.c)?)),
    ]))
}

/// Σ of the lowest min(d,z) negative eigenvalues, or of the highest positive ones with a minus sign.
fn printed_bound(w: &Weights, sign: f64) -> Result<Interval, SelfSupervisedError> {
    let (d, z) = (w.spectrum.len(), w.second.columns());
    value_of_problem_2(&scaled(&w.spectrum, sign), z, d.max(z))
}

/// The least loss over all weights of the width, or minus the greatest.
fn exact_bound(n: &OrthonormalNetwork, w: &Weights, sign: f64) -> Result<Interval, SelfSupervisedError> {
    let value = value_of_problem_4(&scaled(&w.spectrum, sign), n.outputs, n.width)?;
    value.ok_or(SelfSupervisedError::Infeasible { d: n.d(), z: n.outputs, h: n.width })
}

/// The loss at M = the eigenvectors of an optimal set, which orthonormal weights of the width attain.
fn attained(n: &OrthonormalNetwork, sign: f64) -> Interval {
    let spectrum = scaled(&n.spectrum, sign);
    let sets = orthonormal(n.d(), n.outputs, n.width).map(|sizes| optimal_selections(&spectrum, sizes));
    let best = sets.and_then(|all| all.into_iter().next()).unwrap_or_default();
    best.into_iter().map(|k| Interval::point(spectrum[k])).sum()
}

fn tried(f: impl FnOnce() -> Result<Evaluation, SelfSupervisedError>) -> Evaluation {
    f().into()
}

/// Sizes, and any h×d and h×z matrices.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Candidates {
    first: Matrix,
    second: Matrix,
}

impl Instance for Candidates {
    fn describe(&self) -> String {
        let (h, d, z) = (self.first.rows(), self.first.columns(), self.second.columns());
        format!("h = {h}, d = {d}, z = {z}")
    }

    fn validate(&self) -> Result<(), String> {
        if self.first.rows() == self.second.rows() { Ok(()) } else { Err("matrices of different heights".into()) }
    }
}

fn unit_columns(h: usize, k: usize) -> Result<IntervalMatrix, SelfSupervisedError> {
    Ok(IntervalMatrix::from_fn(h, k, |i, j| if i == j { Interval::ONE } else { Interval::ZERO })?)
}

/// ‖W₁ᵀW₁ − I‖² + ‖W₂ᵀW₂ − I‖².
fn infeasibility(first: &IntervalMatrix, second: &IntervalMatrix) -> Result<Interval, SelfSupervisedError> {
    let one = |w: &IntervalMatrix| -> Result<Interval, SelfSupervisedError> {
        let gram = w.transpose().product(w)?;
        Ok(gram.minus(&IntervalMatrix::identity(w.columns())?)?.frobenius_norm_squared())
    };
    Ok(one(first)? + one(second)?)
}

/// The least infeasibility is (d−h)₊ + (z−h)₊: no candidate is below it, unit columns attain it, and it is zero iff h ≥ max(d,z).
fn feasibility(c: &Candidates) -> Result<Evaluation, SelfSupervisedError> {
    let (h, d, z) = (c.first.rows(), c.first.columns(), c.second.columns());
    let least = d.saturating_sub(h) + z.saturating_sub(h);
    let best = infeasibility(&unit_columns(h, d)?, &unit_columns(h, z)?)?;
    let mut parts = vec![
        ("a candidate", at_least(infeasibility(&(&c.first).into(), &(&c.second).into())?, least)),
        ("unit columns", equal(best, least)),
    ];
    if forced_unit_singular_values(d, z, h).is_some() {
        parts.push(("feasible", at_most(best, 0)));
    } else {
        parts.push(("infeasible", greater_than(best, 0)));
    }
    Ok(all_of(parts))
}

fn candidates() -> [Family<Candidates>; 2] {
    [
        edge("every size", || {
            let mut all = Vec::new();
            for (d, z) in (1..=4).flat_map(|d| (1..=4).map(move |z| (d, z))) {
                for h in 1..=d + z + 2 {
                    let of =
                        |k| Matrix::from_fn(h, k, |i, j| if i == j { 1.0 } else { 0.5 }).expect("sizes above zero");
                    all.push((format!("h = {h}, d = {d}, z = {z}"), Candidates { first: of(d), second: of(z) }));
                }
            }
            all
        }),
        random("any matrices", || {
            (1usize..=5, 1usize..=4, 1usize..=4).prop_flat_map(|(h, d, z)| {
                proptest::collection::vec(-1.2..1.2f64, h * (d + z)).prop_map(move |entries| {
                    let (first, second) = entries.split_at(h * d);
                    Candidates {
                        first: Matrix::new(h, d, first.to_vec()).expect("h d entries"),
                        second: Matrix::new(h, z, second.to_vec()).expect("h z entries"),
                    }
                })
            })
        }),
    ]
}

pub fn claim() -> Claim {
    Claim::new("esser2024.def-1", "the general loss under orthogonality constraints", Kind::Definition)
        .statement("L = Tr(W₂ᵀW₁CW₁ᵀW₂) subject to W₂ᵀW₂ = I_z, W₁ᵀW₁ = I_d, with C symmetric d×d")
        .source("Definition 1", &["equation (8)"])
        .symbols([STIEFEL, LINEAR_PRODUCT, FORCED])
        .symbol("λ_i", "the eigenvalues of C, λ₁ ≤ … ≤ λ_d, Λ = diag(λ_i), C = VΛVᵀ with orthogonal V")
        .symbol("q", "VᵀM")
        .symbol(
            "R",
            "an orthogonal z×z matrix (in c: d×d), O an orthogonal h×h one: products of rotations by arctan(4/3) in \
             the planes (k, k + 1)",
        )
        .symbol("₊", "x₊ = max(x, 0)")
        .remark(
            "A definition; what is checked are its equivalent forms Tr(MᵀCM) = Tr(qᵀΛq), its invariances, its domain \
             and its range.",
        )
        .remark(
            "The domain is empty for h < max(d,z), which Definition 1 does not exclude. L depends on W₁ through its \
             column space and C in its basis, so it is not a function on the Grassmannian in W₁ (thm-2b).",
        )
        .setting(forms())
        .setting(width_needed())
}

fn forms() -> Setting<OrthonormalNetwork, TraceLoss> {
    Setting::measuring(|n: &OrthonormalNetwork, _| Ok(TraceLoss::of(n)?))
        .given("W₁ ∈ St(h,d), W₂ ∈ St(h,z), C symmetric; hence h ≥ max(d,z)")
        .family(networks())
        .ours(
            "forms",
            "L = Tr(MᵀCM) = Tr(qᵀΛq), and L is unchanged under W₂ → W₂R and under (W₁,W₂) → (OW₁,OW₂), R and O \
             orthogonal",
            holds(),
            |_, l| tried(|| forms_and_invariances(l)),
        )
        .because("equivalent forms that the definition does not mention")
        .ours("s2", "Σ_{i≤min(d,z)} min(λ_i,0) ≤ L ≤ Σ_{i>d−min(d,z)} max(λ_i,0)", holds(), |_, l| {
            tried(|| {
                Ok(all_of([
                    ("below", at_least(l.value, printed_bound(&l.w, 1.0)?).on_scale_of("Σ|λ_i|", l.scale)),
                    ("above", at_least(-l.value, printed_bound(&l.w, -1.0)?).on_scale_of("Σ|λ_i|", l.scale)),
                ]))
            })
        })
        .sharpening(
            "range",
            "Σ_{i≤k₀} λ_i + Σ_{k₀<i≤min(d,z)} min(λ_i,0) ≤ L, attained by orthonormal weights of the same sizes; and \
             the same for −L with the eigenvalues −λ_d ≤ … ≤ −λ₁",
            holds(),
            |n, l| {
                tried(|| {
                    let (low, high) = (exact_bound(n, &l.w, 1.0)?, exact_bound(n, &l.w, -1.0)?);
                    Ok(all_of([
                        ("below", at_least(l.value, low).on_scale_of("Σ|λ_i|", l.scale)),
                        ("above", at_least(-l.value, high).on_scale_of("Σ|λ_i|", l.scale)),
                        ("least, attained", equal(attained(n, 1.0), low).on_scale_of("Σ|λ_i|", l.scale)),
                        ("greatest, attained", equal(attained(n, -1.0), high).on_scale_of("Σ|λ_i|", l.scale)),
                    ]))
                })
            },
        )
        .control("a", "L is unchanged under C → C + I", |_, l| l.is(l.value + l.w.product.frobenius_norm_squared()))
        .control("b", "L ≤ 0 if C has a negative eigenvalue", |_, l| {
            at_most(l.value, 0).on_scale_of("Σ|λ_i|", l.scale)
        })
        .assume(Hypothesis::new("λ₁ < 0", |n| n.spectrum.iter().any(|l| *l < 0.0)))
        .control("c", "L is unchanged under W₁ → W₁R, R orthogonal d×d", |_, l| {
            tried(|| {
                let rotated = l.w.first.product(&mixing(l.w.first.columns())?)?;
                Ok(l.is(loss_of(&rotated, &l.w.second, &l.w.c)?))
            })
        })
}

fn width_needed() -> Setting<Candidates, ()> {
    Setting::of()
        .given("h, d, z ≥ 1, a candidate W₁ ∈ ℝ^{h×d}, W₂ ∈ ℝ^{h×z}")
        .family(candidates())
        .without_search()
        .part(
            "s1",
            "W₁ ∈ St(h,d) and W₂ ∈ St(h,z) exist iff h ≥ max(d,z): the least ‖W₁ᵀW₁−I‖² + ‖W₂ᵀW₂−I‖² over all h×d and \
             h×z matrices is (d−h)₊ + (z−h)₊, ‖·‖² the sum of the squared entries",
            holds(),
            |c: &Candidates, ()| tried(|| feasibility(c)),
        )
        .checked("esser2024.Definition1.def_1_s1")
        .because(
            "a definition claims that it can be met; h ≥ max(d,z) is not printed, and without it there are no such \
             weights",
        )
}
