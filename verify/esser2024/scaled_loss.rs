//! Conclusion: can the orthogonality constraints be imposed by a scaled loss?
//!
//! That is problem 1 in place of problem 4 of Proposition 3, with the trace. As far as values and outputs go, it is true of wide networks: for h ≥ d + z and
//! a negative eigenvalue all four problems have the value Σ_{i ≤ min(d,z)} min(λ_i, 0) and the same optimal MMᵀ, in problem 1 among weights of norm one: the scaled
//! loss does not see their sizes. For h < d + z problem 4 forces k₀ = d + z − h singular values of M to be one, or has no weights at all, and the scaled loss does
//! not (prop-3d).
//!
//! Of the weights it is false at every width, if d ≥ 2: the scaled loss asks for the largest singular values only. W₁ = e₁v₁ᵀ, W₂ = e₁e₁ᵀ is optimal for
//! one negative eigenvalue, with W₁ᵀW₁ = v₁v₁ᵀ. What can be had is orthonormal weights with the same MMᵀ, written down from M.

use enclosures::linear_algebra::IntervalMatrix;
use evidence::prelude::*;

use crate::shared::equal_optima::{defect, same_under_trace};
use crate::shared::hypotheses::ROOM;
use crate::shared::notation::OPERATOR_NORM;
use crate::shared::optima::{FeasibleWeights, orthonormal_weights, projector};
use crate::shared::solved::{Solved, Tried, norm, tried, with_a_negative_eigenvalue};
use crate::shared::spectra::LinearProblem;

const WIDE: Hypothesis<LinearProblem> = Hypothesis::new("h ≥ d + z", |p| p.h() >= p.d() + p.z());

/// L/(‖W₁‖₂²‖W₂‖₂²).
fn scaled_loss(solved: &Solved, weights: &FeasibleWeights) -> Result<Enclosure, MeasureError> {
    let loss = Enclosure::from(weights.loss(&solved.c)?);
    Ok(loss / (norm(&weights.first)? * norm(&weights.second)?).square())
}

/// The weights that attain problem 1.
fn attains_the_scaled_loss(solved: &Solved) -> Tried {
    let best = &solved.bounded;
    Ok(equal(scaled_loss(solved, &best.weights)?, best.value).on_scale_of("Σ|λ_i|", solved.scale))
}

/// Problem 1 and problem 4 have one value and the same optimal MMᵀ; problem 1 has, at weights of norm one, those of problem 3.
fn equivalent(problem: &LinearProblem, solved: &Solved) -> Tried {
    Ok(all_of([
        ("attained in problem 1", attains_the_scaled_loss(solved)?),
        ("problem 4", same_under_trace(problem, solved)?),
    ]))
}

/// An optimum of problem 1 with ‖W₁‖₂ = ‖W₂‖₂ = 1 meets the constraints of problem 4.
fn optimum_is_orthonormal(solved: &Solved) -> Tried {
    let weights = &solved.bounded.weights;
    Ok(all_of([
        ("attained in problem 1", attains_the_scaled_loss(solved)?),
        ("W₁ᵀW₁ = I", equal(defect(&weights.first)?, 0).on_unit_scale()),
        ("W₂ᵀW₂ = I", equal(defect(&weights.second)?, 0).on_unit_scale()),
    ]))
}

/// Orthonormal weights with the MMᵀ of an optimum of problem 1, for each of the sets of eigenvectors that MMᵀ can project on.
fn same_products(problem: &LinearProblem, solved: &Solved) -> Tried {
    let mut parts = Vec::new();
    for set in &solved.bounded.selections {
        let weights = orthonormal_weights(&solved.frame, set, problem.z(), problem.h())?;
        let map = weights.map()?;
        let square: IntervalMatrix = map.transpose().product(&map)?;
        let off = square.minus(&projector(&solved.frame, set)?)?.frobenius_norm_squared();
        parts.push(("W₁ᵀW₁ = I", equal(defect(&weights.first)?, 0).on_unit_scale()));
        parts.push(("W₂ᵀW₂ = I", equal(defect(&weights.second)?, 0).on_unit_scale()));
        parts.push(("MMᵀ", equal(off, 0).on_unit_scale()));
        let loss = weights.loss(&solved.c)?;
        parts.push(("scaled loss", equal(loss, solved.bounded.value).on_scale_of("Σ|λ_i|", solved.scale)));
    }
    Ok(all_of(parts))
}

pub fn claim() -> Claim {
    Claim::new("esser2024.scaled-loss", "orthogonality constraints by a scaled loss: problem 1 ⇔ problem 4", Kind::Equivalence)
        .statement(
            "the equivalence in Proposition 3 ensures that the orthogonality constraints W₂ᵀW₂ = I, W₁ᵀW₁ = I can be \
             equivalently imposed using the scaled loss L/(‖W₂‖₂²‖W₁‖₂²)",
        )
        .source("Conclusion", &["Proposition 3, problems 1 and 4"])
        .symbols([OPERATOR_NORM])
        .symbol(
            "optimal MMᵀ",
            "of a problem: the set of the matrices MMᵀ over all its minimisers, in problem 1 over those with ‖W₁‖₂ = ‖W₂‖₂ = \
             1, as the scaled loss does not depend on the sizes of the weights; they are the same if the two sets are \
             equal",
        )
        .symbol("scaled loss", "L/(‖W₁‖₂²‖W₂‖₂²), both matrices not zero")
        .sense("all-widths", "of values and outputs: problems 1 and 4 have the same value and the same optimal MMᵀ, at every width")
        .sense("wide", "of values and outputs of wide networks, which the paper is about")
        .sense("weights", "of the weights: those that minimise the scaled loss meet the constraints, up to their sizes")
        .remark(
            "L is the trace Tr(MᵀCM). With the norm that Proposition 3 prints the scaled loss has a minimum in special cases \
             only (prop-3b).",
        )
        .setting(equivalence())
}

fn equivalence() -> Setting<LinearProblem, Solved> {
    with_a_negative_eigenvalue()
        .degenerate("h < max(d, z), or C with one row or the eigenvalue 0", |p| {
            !ROOM.is_met(p) || p.d() == 1 || p.spectrum.contains(&0.0)
        })
        .part(
            "all-widths",
            "trace: problems 1 and 4 have the same value and the same optimal MMᵀ",
            fails("for h < d + z problem 4 forces d + z − h singular values of M to be one, or is infeasible"),
            |p, s| tried(|| equivalent(p, s)),
        )
        .sides("h, or least trace of an optimal MMᵀ of problem 1", "max(d,z), or that of problem 4")
        .in_sense("all-widths")
        .part("wide", "trace: problems 1 and 4 have the same value and the same optimal MMᵀ", holds(), |p, s| {
            tried(|| equivalent(p, s))
        })
        .assume(WIDE)
        .in_sense("wide")
        .part(
            "weights",
            "trace: weights of norm one that minimise the scaled loss have W₁ᵀW₁ = I and W₂ᵀW₂ = I",
            fails("the scaled loss asks for the largest singular values only: W₁ = e₁v₁ᵀ is as good"),
            |_, s| tried(|| optimum_is_orthonormal(s)),
        )
        .sides("‖W_iᵀW_i − I‖_F² at an optimum of problem 1", "0")
        .assume(WIDE)
        .in_sense("weights")
        .amendment(
            "same-products",
            "trace: for each set S of eigenvectors such that Σ_{i ∈ S} v_iv_iᵀ is an optimal MMᵀ of problem 1, there \
             are weights with W₁ᵀW₁ = I, W₂ᵀW₂ = I and this MMᵀ, of the least scaled loss",
            holds(),
            |p, s| tried(|| same_products(p, s)),
        )
        .assume(WIDE)
        .control(
            "a",
            "trace: problems 1 and 4 have the same value and the same optimal MMᵀ if h ≥ d + z − 2",
            |p, s| tried(|| equivalent(p, s)),
        )
        .sides("least trace of an optimal MMᵀ of problem 1 (or its value)", "that of problem 4")
        .assume(Hypothesis::new("h ≥ d + z − 2", |p| p.h() + 2 >= p.d() + p.z()))
        .assume(ROOM)
        .control("b", "trace: weights of problem 4 never minimise the scaled loss", |_, s| {
            let four = s.orthonormal.as_ref();
            four.map_or_else(
                || vacuous("problem 4 is infeasible"),
                |four| greater_than(four.value, s.bounded.value).on_scale_of("Σ|λ_i|", s.scale),
            )
        })
        .sides("the value of problem 4", "that of problem 1")
        .except("problem 4 is infeasible")
}
