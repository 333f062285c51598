//! Proposition 3, third part: bounded products against orthonormal weights.
//!
//! Orthonormal weights exist iff h ≥ max(d,z), and then Tr MMᵀ ≥ k₀ = max(0, d+z−h): the ranges of W₁ and W₂ are subspaces of ℝ^h that
//! cannot avoid each other. So problem 4 is problem 3 with at least k₀ unit singular values, and its value is
//! Σ_{i ≤ k₀} λ_i + Σ_{k₀ < i ≤ min(d,z)} min(λ_i, 0). The excess over problem 3 is Σ_{i ≤ k₀} max(λ_i, 0): zero iff k₀ ≤ ν₋ + ν₀. The optimal MMᵀ
//! of problem 3 of least rank, Σ_{i ≤ min(d,z,ν₋)} v_iv_iᵀ, is attainable in problem 4 iff k₀ ≤ ν₋, and then all optimal M are the same. A width
//! h ≥ d + z − 1 suffices, as then k₀ ≤ 1 ≤ ν₋. The excess is at most (k₀ − 1)/√(d − 1) · ‖C‖_F, because the k₀ − 1 lowest of d − 1 numbers
//! add up to at most their share of Σ_{i ≥ 2} max(λ_i, 0).
//!
//! *Printed norm.* Under P problem 3 has the value 0, at M = 0 among others, which is feasible for problem 4 iff k₀ = 0. By interlacing, ‖MᵀCM‖₂ ≥
//! δ = max(0, λ_{k₀}, −λ_{d−k₀+1}) in problem 4.

mod reachable_products;

use evidence::prelude::*;
use linear_ssl::self_supervised::{DescentEffort, descent_on_problem_2, descent_on_problem_4, value_of_problem_4};

use crate::shared::equal_optima::{
    closed_forms, defect, feasible, ky_fan, largest_excess, points_of_problem_4, same_under_norm, same_under_trace,
    solutions_agree_exactly_when, values_agree_exactly_when,
};
use crate::shared::hypotheses::ROOM;
use crate::shared::notation::{FORCED, FROBENIUS_NORM, OPERATOR_NORM};
use crate::shared::optima::{bounded_weights, optimal_selections, orthonormal};
use crate::shared::solved::{NOTATION, PROBLEMS, Solved, Tried, tried, with_a_negative_eigenvalue};
use crate::shared::spectra::{LinearProblem, diagonal};
use reachable_products::same_sets_under_norm;

/// Descent from random starts: it never undercuts the enclosed value, and comes within a thousandth of it.
fn descents() -> Vec<(String, LinearProblem)> {
    const CASES: [(&[f64], usize, usize); 13] = [
        (&[-1.0, 1.0], 2, 1),
        (&[-1.0], 1, 1),
        (&[-1.0, 1.0], 2, 2),
        (&[-1.0, 1.0], 2, 3),
        (&[-1.0, 1.0], 2, 4),
        (&[-1.0, -1.0], 1, 3),
        (&[-2.0, -1.0], 2, 2),
        (&[-1.0, 1.0, 2.0], 2, 3),
        (&[-1.0, 1.0, 2.0], 2, 4),
        (&[-2.0, 0.0, 1.0], 2, 3),
        (&[-2.0, -1.0, 1.0], 3, 5),
        (&[-3.0, 1.0, 2.0], 1, 3),
        (&[1.0, 2.0], 2, 3),
    ];
    let case = |&(spectrum, z, h): &(&[f64], usize, usize)| {
        (format!("diag{spectrum:?}, z = {z}, h = {h}"), diagonal(spectrum, z, h))
    };
    CASES.iter().map(case).collect()
}

pub fn claim() -> Claim {
    Claim::new("esser2024.prop-3d", "bounded product and orthonormal weights: problem 3 ⇔ problem 4", Kind::Equivalence)
        .statement(
            "min L s.t. ‖W₂ᵀW₁‖₂ ≤ 1 and min L s.t. W₂ᵀW₂ = I_z, W₁ᵀW₁ = I_d have the same value and the same optimal \
             MMᵀ, for every C with a negative eigenvalue and all d, z, h",
        )
        .source("Proposition 3, problems 3 and 4", &["third part of its proof"])
        .symbols([OPERATOR_NORM, FROBENIUS_NORM, FORCED])
        .symbol("same value", "problems 3 and 4 have the same least value of L; problem 4 has none for h < max(d,z)")
        .symbol(
            "optimal MMᵀ",
            "of a problem: the set of the matrices MMᵀ over all its minimisers; they are the same if the two sets are \
             equal",
        )
        .symbol("the values agree", "problems 3 and 4 have the same value")
        .symbol(
            "value of 3",
            "the least value of T in problem 3, Σ_{i ≤ min(d,z,h)} min(λ_i, 0); value of 4: that in problem 4, Σ_{i ≤ \
             k₀} λ_i + Σ_{k₀ < i ≤ min(d,z)} min(λ_i, 0)",
        )
        .remark(
            "P is the printed loss ‖W₂ᵀW₁CW₁ᵀW₂‖₂²; T the trace, which the losses (1), (2) are, for all sizes and \
             where problem 4 is feasible.",
        )
        .remark(
            "Values are enclosed by a dual bound and by the loss of weights written down explicitly; random points of \
             problem 4 and projected gradient descent try to undercut them. For P the value of problem 4 is bounded \
             below by δ², which decides; at δ = 0 the value 0 is attained by the converse of interlacing (Fan and \
             Pall), which is not checked.",
        )
        .setting(equivalence())
        .setting(descent())
}

fn equivalence() -> Setting<LinearProblem, Solved> {
    let setting = with_a_negative_eigenvalue()
        .degenerate("h < max(d, z), or C with one row or the eigenvalue 0", |p| {
            !ROOM.is_met(p) || p.d() == 1 || p.spectrum.contains(&0.0)
        });
    controls(corrected(steps(senses(setting))))
}

fn senses(setting: Setting<LinearProblem, Solved>) -> Setting<LinearProblem, Solved> {
    setting
        .sense(
            "P",
            "printed norm: problems 3 and 4 have the same value and the same optimal MMᵀ",
            fails(
                "problem 3 is solved by M = 0, but problem 4 forces d + z − h singular values to be one, or is \
                 infeasible",
            ),
            |p, _| tried(|| same_under_norm(p)),
        )
        .sides("least Tr MMᵀ in problem 4", "that in problem 3")
        .sense(
            "T",
            "trace: problems 3 and 4 have the same value and the same optimal MMᵀ",
            fails(
                "for h < max(d,z) problem 4 is infeasible; for h < d + z its k₀ = d + z − h forced directions may cost \
                 positive eigenvalues",
            ),
            |p, s| tried(|| same_under_trace(p, s)),
        )
        .sides("h, or least Tr MMᵀ in problem 3", "max(d,z), or that in problem 4")
        .because("the proposition says both that the loss is (1) or (2) and that this is its form")
        .sense(
            "T-feasible",
            "trace: problems 3 and 4 have the same value and the same optimal MMᵀ",
            fails("with k₀ = d + z − h > ν₋ some forced direction has an eigenvalue ≥ 0"),
            |p, s| tried(|| same_under_trace(p, s)),
        )
        .sides("least Tr MMᵀ in problem 3", "that in problem 4")
        .because("grants that problem 4 has feasible weights")
        .assume(ROOM)
        .sense(
            "T-same-value",
            "trace: problems 3 and 4 have the same value",
            fails("with k₀ = d + z − h > ν₋ + ν₀ some forced direction has a positive eigenvalue"),
            |p, s| {
                let four = s.orthonormal.as_ref();
                four.map_or_else(
                    || feasible(p),
                    |four| equal(four.value, s.bounded.value).on_scale_of("Σ|λ_i|", s.scale),
                )
            },
        )
        .sides("the value of problem 4", "the value of problem 3")
        .because("grants that, and takes \"equivalent\" to be said of the value alone")
        .assume(ROOM)
}

fn steps(setting: Setting<LinearProblem, Solved>) -> Setting<LinearProblem, Solved> {
    setting
        .step("s1", "T: Tr(CMMᵀ) ≥ Σ_{i ≤ min(d,z,ν₋)} λ_i if ‖M‖₂ ≤ 1", holds(), |p, s| {
            tried(|| ky_fan(p, s))
        })
        .step(
            "s2",
            "T: problem 3 has an optimum whose MMᵀ has the eigenvalues 0 and 1 only: Σ_{i ∈ S} v_iv_iᵀ is one for \
             every set S of at most min(d,z,h) indices such that Σ_{i ∈ S} λ_i is the value of 3",
            holds(),
            |p, s| {
                tried(|| {
                    let projectors = optimal_selections(&p.spectrum, s.bounded.sizes);
                    let each = |set: &Vec<usize>| -> Tried {
                        let weights = bounded_weights(&s.frame, set, p.z(), p.h())?;
                        let square = weights.map()?.transpose().product(&weights.map()?)?;
                        let off = square.product(&square)?.minus(&square)?.frobenius_norm();
                        Ok(all_of([
                            ("a projector", equal(off, 0).on_unit_scale()),
                            ("optimal", equal(weights.loss(&s.c)?, s.bounded.value).on_scale_of("Σ|λ_i|", s.scale)),
                        ]))
                    };
                    Ok(all_of(projectors.iter().map(|set| ("a set of eigenvectors", tried(|| each(set))))))
                })
            },
        )
        .step(
            "s3",
            "rank M ≤ min(rank W₁, rank W₂) ≤ min(d,z) ≤ h",
            fails("the last inequality is not among the hypotheses of problem 3"),
            |p, _| at_most(p.d().min(p.z()), p.h()),
        )
        .sides("min(d,z)", "h")
        .step(
            "s4",
            "the printed factors of an optimal M = UᵀV of problem 3, of rank k (W₁ and W₂ are U ∈ ℝ^{k×d} and V ∈ \
             ℝ^{k×z} with orthonormal rows, over zero rows), are feasible for problem 4",
            fails("k orthonormal rows give W₁ᵀW₁ of rank k, which is I_d only if k = d, and likewise k = z"),
            |p, s| {
                tried(|| {
                    let printed = bounded_weights(&s.frame, &s.bounded.selections[0], p.z(), p.h())?;
                    Ok(all_of([
                        ("W₁ᵀW₁ = I", equal(defect(&printed.first)?, 0).on_unit_scale()),
                        ("W₂ᵀW₂ = I", equal(defect(&printed.second)?, 0).on_unit_scale()),
                    ]))
                })
            },
        )
        .sides("‖W_iᵀW_i − I‖_F²", "0")
}

fn corrected(setting: Setting<LinearProblem, Solved>) -> Setting<LinearProblem, Solved> {
    setting
        .amendment(
            "T-value",
            "T: the values agree iff h ≥ max(d,z) and max(0, d+z−h) ≤ ν₋ + ν₀",
            holds(),
            |p, s| tried(|| values_agree_exactly_when(p, s)),
        )
        .amendment(
            "T-solutions",
            "T: problems 3 and 4 have the same value and the same optimal MMᵀ iff h ≥ max(d,z) and max(0, d+z−h) ≤ ν₋",
            holds(),
            |p, s| tried(|| solutions_agree_exactly_when(p, s)),
        )
        .amendment("T-wide", "T: problems 3 and 4 have the same value and the same optimal MMᵀ", holds(), |p, s| {
            tried(|| same_under_trace(p, s))
        })
        .assume(Hypothesis::new("h ≥ d + z − 1", |p| p.h() + 1 >= p.d() + p.z()))
        .amendment(
            "P-wide",
            "P: problems 3 and 4 have the same value and the same optimal MMᵀ iff h ≥ d + z: then every M with ‖M‖₂ ≤ \
             1 is W₁ᵀW₂ for W₁ = [I; 0], W₂ = [M; R; 0] with orthonormal columns, RᵀR = I − MᵀM (tried at ‖M‖₂ = 0.9 \
             and M = 0); otherwise M = 0, an optimum of problem 3, is not allowed in problem 4, because Tr MMᵀ ≥ d + z \
             − h there, or h < max(d,z)",
            holds(),
            |p, s| tried(|| same_sets_under_norm(p, s)),
        )
        .sharpening(
            "values",
            "T: the value of problem 3, and for h ≥ max(d,z) that of problem 4, are those that are given as the value \
             of 3 and the value of 4, and for h ≥ max(d,z) weights with MMᵀ = Σ_{i ∈ S} v_iv_iᵀ, S the first max(0, d \
             + z − h) indices and those i ≤ min(d, z) with λ_i < 0, attain the latter",
            holds(),
            |p, s| tried(|| closed_forms(p, s)),
        )
        .sharpening(
            "points",
            "W₁ᵀW₁ = I, W₂ᵀW₂ = I: Tr(MᵀCM) ≥ the value of 4, Tr MMᵀ ≥ d+z−h, and ‖MᵀCM‖₂ ≥ max(0, λ_{k₀}, \
             −λ_{d−k₀+1}) if k₀ ≥ 1",
            holds(),
            |p, s| tried(|| points_of_problem_4(p, s)),
        )
        .assume(ROOM.selecting())
        .sharpening(
            "excess",
            "T: (value of 4) − (value of 3) ≤ (k₀ − 1)/√(d−1) · ‖C‖_F",
            holds(),
            |p, s| {
                let Some(four) = &s.orthonormal else {
                    return feasible(p);
                };
                let bound = largest_excess(p, four.sizes.least);
                at_most(four.value - s.bounded.value, bound).on_scale_of("Σ|λ_i|", s.scale)
            },
        )
        .assume(ROOM.selecting())
        .assume(Hypothesis::new("d ≥ 2 and k₀ = d + z − h ≥ 1", |p| p.d() >= 2 && p.d() + p.z() > p.h()))
}

fn controls(setting: Setting<LinearProblem, Solved>) -> Setting<LinearProblem, Solved> {
    setting
        .control("a", "T: the value of 4 is Σ_i min(λ_i, 0), whatever z is", |p, s| {
            let negative: Enclosure = p.spectrum.iter().map(|&l| exact(l.min(0.0))).sum();
            s.orthonormal
                .as_ref()
                .map_or_else(|| feasible(p), |four| equal(four.value, negative).on_scale_of("Σ|λ_i|", s.scale))
        })
        .assume(ROOM)
        .control("b", "T: the value of 4 is the greatest value of L under W₁ᵀW₁ = I, W₂ᵀW₂ = I", |p, s| {
            tried(|| {
                let opposite: Vec<Interval> = p.eigenvalues().into_iter().map(|l| -l).collect();
                let most = value_of_problem_4(&opposite, p.z(), p.h())?.map(|v| Enclosure::from(-v));
                let (Some(four), Some(most)) = (&s.orthonormal, most) else {
                    return Ok(feasible(p));
                };
                Ok(equal(four.value, most).on_scale_of("Σ|λ_i|", s.scale))
            })
        })
        .assume(ROOM)
}

fn descent() -> Setting<LinearProblem, (Solved, f64, Option<f64>)> {
    Setting::measuring(|p: &LinearProblem, trial| {
        let effort = DescentEffort { starts: 6, steps: 60 };
        let (z, h) = (p.z(), p.h());
        let three = descent_on_problem_2(&p.spectrum, z, h, effort, trial.rng())?.upper_bound;
        let four = orthonormal(p.d(), z, h)
            .map(|_| descent_on_problem_4(&p.spectrum, z, h, effort, trial.rng()))
            .transpose()?;
        Ok((Solved::of(p)?, three, four.map(|found| found.upper_bound)))
    })
    .given(NOTATION)
    .given(PROBLEMS)
    .given(
        "T; C diagonal, six starts with independent standard normal entries, put on the constraints, 60 steps W_i ← \
         W_i − η∇L, one layer after the other, η = 1/(4 max|λ_i|), each followed by the projection on the constraints \
         of problem 2 (which has the value of 3) or by the polar retraction A(AᵀA)^{−1/2}",
    )
    .family(
        edge("descents", descents)
            .restricted("thirteen matrices C of at most three rows with whole eigenvalues from −3 to 2, not all 0"),
    )
    .without_search()
    .sharpening(
        "descent",
        "projected gradient descent, the best of its starts and for problem 3 of zero weights, ends at the value of 3 \
         and, if h ≥ max(d,z), at the value of 4, within 1e-3 Σ|λ_i|, and not below",
        holds(),
        |_, (s, three, four)| {
            // The loss found certainly belongs to a feasible point; that descent comes as far as this is a matter of its rounded steps.
            let near = |found: f64, value: Enclosure| {
                all_of([
                    ("not below", at_least(Enclosure::measured(found), value).on_scale_of("Σ|λ_i|", s.scale)),
                    ("reached", at_most(Enclosure::measured(found) - value, exact(1e-3) * s.scale)),
                ])
            };
            let mut parts = vec![("problem 3", near(*three, s.bounded.value))];
            if let (Some(found), Some(solved)) = (four, &s.orthonormal) {
                parts.push(("problem 4", near(*found, solved.value)));
            }
            all_of(parts)
        },
    )
}
