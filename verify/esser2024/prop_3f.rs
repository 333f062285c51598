//! After Proposition 3: the constrained problem extracts the most negative eigenvectors.
//!
//! Let C have a negative eigenvalue (without one, C = 1 and d = z = h = 1, problem 1 forces MMᵀ = 1), m = min(d,z,h,ν₋) and
//! P* = Σ_{i ≤ m} v_iv_iᵀ. In problems 1 to 3 P* is then always an optimal MMᵀ; it is the only one iff λ_m < λ_{m+1} (or m = d) and no
//! eigenvector of the eigenvalue zero can be added (m = min(d,z,h) or λ_{m+1} > 0). In problem 4, h ≥ max(d,z), it is optimal iff
//! k₀ = max(0, d + z − h) ≤ ν₋.
//!
//! Why, with a rate: for 0 ≤ P ≤ I, Tr P ≤ min(d,z,h) and any μ, with p_i = v_iᵀPv_i,
//! Tr(CP) − Σ_{i ≤ m} λ_i = Σ_{i ≤ m} (μ−λ_i)(1−p_i) + Σ_{i>m} (λ_i−μ)p_i + μ(Tr P − m), and Σ_{i ≤ m}(1−p_i) + Σ_{i>m}p_i ≥ ‖P − P*‖_F². The last term
//! is non-negative for μ = 0, and for μ ≤ 0 if m = min(d,z,h). So L − L* ≥ γ‖MMᵀ − P*‖_F² with γ = min(μ − λ_m, λ_{m+1} − μ): μ = 0 if m = ν₋, else
//! μ = min(0, (λ_m + λ_{m+1})/2).

use enclosures::linear_algebra::{IntervalMatrix, Matrix};
use evidence::claim::pairs_below;
use evidence::prelude::*;
use linear_ssl::self_supervised::{
    Descent, DescentEffort, descent_on_problem_2, descent_on_problem_4, value_of_problem_1,
};

use crate::shared::hypotheses::ROOM;
use crate::shared::notation::{FORCED, FROBENIUS_NORM};
use crate::shared::optima::{FeasibleWeights, bounded_weights, projector};
use crate::shared::solved::{NOTATION, Optimum, PROBLEMS, Solved, Tried, norm, tried, with_a_negative_eigenvalue};
use crate::shared::spectra::{LinearProblem, diagonal};

/// m = min(d, z, h, ν₋).
fn count(problem: &LinearProblem) -> usize {
    problem.printed_rank().min(problem.h())
}

/// λ_k < λ_{k+1}, or there is no λ_{k+1}.
fn gap_after(problem: &LinearProblem, k: usize) -> bool {
    let spectrum = problem.ascending();
    k == 0 || k == spectrum.len() || spectrum[k - 1] < spectrum[k]
}

/// Where the lowest eigenvalues are an optimal choice in all four problems, so that a control refutes another choice and not the sizes.
const UNFORCED: Hypothesis<LinearProblem> =
    Hypothesis::new("h ≥ max(d, z), k₀ ≤ ν₋", |p| p.forced().is_some_and(|k| k <= p.negative()));

/// Where one order by |λ_i| is the only one.
const APART: Hypothesis<LinearProblem> = Hypothesis::new("no two |λ_i| are equal", |p| {
    let sizes: Vec<f64> = p.spectrum.iter().map(|l| l.abs()).collect();
    pairs_below(sizes.len()).all(|(i, j)| sizes[i] != sizes[j])
});

/// What makes the printed right side well defined.
const GAP: Hypothesis<LinearProblem> =
    Hypothesis::new("λ_k < λ_{k+1} for k = min(d,z,ν₋), or k = d", |p| gap_after(p, p.printed_rank()));
const WIDE: Hypothesis<LinearProblem> = Hypothesis::new("h ≥ d + z", |p| p.h() >= p.d() + p.z());
const REGULAR: Hypothesis<LinearProblem> =
    Hypothesis::new("no eigenvalue is zero", |p| p.negative() == p.at_most_zero());
const AS_WIDE_AS_PRINTED: Hypothesis<LinearProblem> =
    Hypothesis::new("h ≥ min(d,z,ν₋)", |p| p.h() >= p.printed_rank());

/// The exact condition for problems 1 to 3.
fn unique(problem: &LinearProblem) -> bool {
    let m = count(problem);
    gap_after(problem, m) && (m == problem.room() || problem.ascending()[m] > 0.0)
}

/// γ, for m ≥ 1.
fn rate(problem: &LinearProblem) -> Enclosure {
    let (spectrum, m) = (problem.ascending(), count(problem));
    let last = exact(spectrum[m - 1]);
    let Some(&next) = spectrum.get(m) else {
        return -last;
    };
    let middle = (last + next) / 2.0;
    let mu = if m == problem.room() { middle.min(0) } else { Enclosure::ZERO };
    (mu - last).min(next - mu)
}

/// ‖A − B‖_F².
fn distance(a: &IntervalMatrix, b: &IntervalMatrix) -> Result<Enclosure, enclosures::linear_algebra::MatrixError> {
    Ok(a.minus(b)?.frobenius_norm_squared().into())
}

/// MMᵀ.
fn gram(weights: &FeasibleWeights) -> Result<IntervalMatrix, enclosures::linear_algebra::MatrixError> {
    let map = weights.map()?;
    map.transpose().product(&map)
}

/// How far the optimal projectors of each problem lie from the one on `chosen`: the `nearest` or the farthest.
fn optima_are(solved: &Solved, chosen: &[usize], nearest: bool) -> Tried {
    let target = projector(&solved.frame, chosen)?;
    let mut parts = Vec::new();
    for (name, optimum) in solved.solutions() {
        let away = |set: &Vec<usize>| {
            set.iter().filter(|i| !chosen.contains(i)).count() + chosen.iter().filter(|i| !set.contains(i)).count()
        };
        let ranked = optimum.selections.iter();
        let set = if nearest { ranked.min_by_key(|set| away(set)) } else { ranked.max_by_key(|set| away(set)) };
        let off = distance(&projector(&solved.frame, set.map_or(&[], Vec::as_slice))?, &target)?;
        parts.push((name, equal(off, 0).on_unit_scale()));
    }
    Ok(all_of(parts))
}

/// Both directions of a condition for P* to be the only optimum; where it is not, another one is exhibited.
fn only_optimum(problem: &LinearProblem, solved: &Solved, optimum: &Optimum, condition: bool) -> Tried {
    let chosen = problem.lowest(count(problem));
    let target = projector(&solved.frame, &chosen)?;
    let mut others = optimum.selections.iter().filter(|set| **set != chosen);
    if condition {
        let attained = gram(&optimum.weights)?;
        return Ok(all_of([
            ("another optimum", at_most(others.count(), 0)),
            ("the optimum", equal(distance(&attained, &target)?, 0).on_unit_scale()),
        ]));
    }
    let other = others.next().map(|set| projector(&solved.frame, set)).transpose()?;
    let off = other.map(|p| distance(&p, &target)).transpose()?;
    Ok(greater_than(off.unwrap_or(Enclosure::ZERO), 0))
}

/// L − L* ≥ γ‖MMᵀ − P*‖_F² at feasible weights.
fn grows(problem: &LinearProblem, solved: &Solved, weights: &FeasibleWeights) -> Tried {
    let size = (norm(&weights.first)? * norm(&weights.second)?).square().interval();
    let target = projector(&solved.frame, &problem.lowest(count(problem)))?;
    let off = distance(&gram(weights)?.scaled(Interval::ONE / size), &target)?;
    let excess = Enclosure::from(weights.loss(&solved.c)? / size) - solved.bounded.value;
    Ok(at_least(excess, rate(problem) * off).on_scale_of("Σ|λ_i|", solved.scale))
}

/// Under P the printed optimum would have to have the value of the problem, which is zero.
fn printed_optimum_under_norm(problem: &LinearProblem, solved: &Solved) -> Tried {
    let k = problem.printed_rank();
    if k > problem.h() {
        return Ok(at_most(k, problem.h()));
    }
    let weights = bounded_weights(&solved.frame, &problem.lowest(k), problem.z(), problem.h())?;
    Ok(at_most(solved.printed_loss(&weights)?, 0))
}

/// The m places of the spectrum that come first in another order.
fn first_by(problem: &LinearProblem, key: impl Fn(f64) -> f64) -> Vec<usize> {
    let mut places: Vec<usize> = (0..problem.d()).collect();
    places.sort_by(|&a, &b| key(problem.spectrum[a]).total_cmp(&key(problem.spectrum[b])));
    places.truncate(count(problem));
    places.sort_unstable();
    places
}

fn descents() -> Family<LinearProblem> {
    edge("descents", || {
        const CASES: [(&[f64], usize, usize); 6] = [
            (&[-1.0, 1.0], 2, 4),
            (&[-1.0, 2.0], 1, 3),
            (&[-2.0, -1.0, 1.0], 2, 4),
            (&[-3.0, -1.5, 1.0], 1, 4),
            (&[-2.0, -1.0, -1.0], 3, 6),
            (&[-2.0, -0.5, 0.5, 1.0], 3, 7),
        ];
        let case = |&(spectrum, z, h): &(&[f64], usize, usize)| {
            (format!("diag{spectrum:?}, z = {z}, h = {h}"), diagonal(spectrum, z, h))
        };
        CASES.iter().map(case).collect()
    })
}

/// ‖MMᵀ − P*‖_F² at the end of a descent.
fn ending(
    problem: &LinearProblem,
    solved: &Solved,
    found: &Descent,
) -> Result<Enclosure, enclosures::linear_algebra::MatrixError> {
    let weights = FeasibleWeights { first: (&found.first).into(), second: (&found.second).into() };
    distance(&gram(&weights)?, &projector(&solved.frame, &problem.lowest(count(problem)))?)
}

fn near(off: Enclosure) -> Evaluation {
    at_most(off.as_measured(), exact(1e-3)).on_unit_scale()
}

pub fn claim() -> Claim {
    Claim::new("esser2024.prop-3f", "the constraint extracts the most negative eigenvectors", Kind::Equivalence)
        .statement("the optimal M of the constrained problem satisfies MMᵀ = Σ_{i ≤ min(d,z,ν₋)} v_iv_iᵀ")
        .source("the text after Proposition 3", &["steps of the third part of its proof"])
        .symbols([FROBENIUS_NORM, FORCED])
        .symbol(
            "optimal",
            "minimising L in the problem named, in problem 1, whose quotient does not see the size of the weights, \
             among those with ‖W₁‖₂ = ‖W₂‖₂ = 1; where problem 4 has no feasible weights (h < max(d,z)) nothing is \
             asked of it",
        )
        .symbol("L*", "the least value of L in problem 3, Σ_{i ≤ min(d,z,h)} min(λ_i, 0)")
        .remark(
            "P is the printed loss ‖W₂ᵀW₁CW₁ᵀW₂‖₂², for problems 2 and 3, where M = 0 is allowed at every h (at d = z = \
             h = 1 it is not in problems 1 and 4); T the trace, which the losses (1), (2) are, for problems 1 to 4 and \
             every h.",
        )
        .remark(
            "The eigenvectors are those of the lowest eigenvalues; a gap λ_k < λ_{k+1} after the last one selected, k \
             = min(d,z,ν₋), makes the right side well defined, and is assumed for the senses. Ties are covered by the \
             amendments, which are equivalences.",
        )
        .setting(equivalence())
        .setting(descent())
}

fn equivalence() -> Setting<LinearProblem, Solved> {
    let setting = with_a_negative_eigenvalue()
        .family(outside("zero weights", || {
            let problem = diagonal(&[-1.0, 1.0], 2, 4);
            let first = Matrix::new(4, 2, vec![0.0; 8]).expect("eight entries");
            vec![("W₁ = 0", LinearProblem { first, ..problem })]
        }))
        .degenerate("C with one row or the eigenvalue 0, or h < max(d, z)", |p| {
            p.d() == 1 || p.spectrum.contains(&0.0) || !ROOM.is_met(p)
        });
    corrected(senses(setting))
}

fn senses(setting: Setting<LinearProblem, Solved>) -> Setting<LinearProblem, Solved> {
    setting
        .sense(
            "P",
            "printed norm, problems 2 and 3: MMᵀ = Σ_{i ≤ min(d,z,ν₋)} v_iv_iᵀ has the least loss, which is 0",
            fails("its loss is λ₁², while M = 0, which both allow, has the loss 0"),
            |p, s| tried(|| printed_optimum_under_norm(p, s)),
        )
        .sides("loss of the printed MMᵀ, or min(d,z,ν₋) where that exceeds h", "0, or h")
        .assume(GAP)
        .sense(
            "T",
            "trace: every optimal M of problems 1 to 4 has MMᵀ = Σ_{i ≤ min(d,z,ν₋)} v_iv_iᵀ",
            fails(
                "eigenvalues 0 may be added freely, h < min(d,z,ν₋) leaves no room, and problem 4 forces d + z − h \
                 directions",
            ),
            |p, s| tried(|| optima_are(s, &p.lowest(p.printed_rank()), false)),
        )
        .sides("largest ‖MMᵀ − Σ v_iv_iᵀ‖_F² of an optimum", "0")
        .because("the proposition says both that the loss is (1) or (2) and that this is its form")
        .assume(GAP)
        .ours(
            "T-wide",
            "trace, wide: every optimal M of problems 1 to 4 has MMᵀ = Σ_{i ≤ min(d,z,ν₋)} v_iv_iᵀ",
            fails("eigenvectors of the eigenvalue zero may be added freely"),
            |p, s| tried(|| optima_are(s, &p.lowest(p.printed_rank()), false)),
        )
        .sides("largest ‖MMᵀ − Σ v_iv_iᵀ‖_F² of an optimum", "0")
        .assume(GAP)
        .assume(WIDE)
        .sense(
            "T-some",
            "trace: some optimal M of each of the problems 1 to 4 has MMᵀ = Σ_{i ≤ min(d,z,ν₋)} v_iv_iᵀ",
            fails("h < min(d,z,ν₋) leaves no room, and problem 4 forces d + z − h directions"),
            |p, s| tried(|| optima_are(s, &p.lowest(p.printed_rank()), true)),
        )
        .sides("least ‖MMᵀ − Σ v_iv_iᵀ‖_F² of an optimum", "0")
        .because("reads \"extracts\" of some optimum")
        .assume(GAP)
        .ours(
            "T-nonzero",
            "trace, C invertible: every optimal M of problems 1 to 4 has MMᵀ = Σ_{i ≤ min(d,z,ν₋)} v_iv_iᵀ",
            fails("problem 4 forces d + z − h directions, more than ν₋ if h is small"),
            |p, s| tried(|| optima_are(s, &p.lowest(p.printed_rank()), false)),
        )
        .sides("largest ‖MMᵀ − Σ v_iv_iᵀ‖_F² of an optimum", "0")
        .assume(GAP)
        .assume(REGULAR)
        .assume(AS_WIDE_AS_PRINTED)
}

fn corrected(setting: Setting<LinearProblem, Solved>) -> Setting<LinearProblem, Solved> {
    setting
        .amendment(
            "unique-3",
            "T, problems 1 to 3, m = min(d,z,h,ν₋): Σ_{i ≤ m} v_iv_iᵀ is the only optimal MMᵀ iff λ_m < λ_{m+1} (or m \
             = d) and (m = min(d,z,h) or λ_{m+1} > 0)",
            holds(),
            |p, s| {
                tried(|| {
                    let of_two_and_three = only_optimum(p, s, &s.bounded, unique(p))?;
                    let first = value_of_problem_1(&p.eigenvalues(), p.z(), p.h())?;
                    let same = equal(first, s.bounded.value).on_scale_of("Σ|λ_i|", s.scale);
                    Ok(all_of([("problem 1 has this value", same), ("problems 2 and 3", of_two_and_three)]))
                })
            },
        )
        .amendment(
            "unique-4",
            "T, problem 4, m = min(d,z,h,ν₋): Σ_{i ≤ m} v_iv_iᵀ is the only optimal MMᵀ iff λ_m < λ_{m+1} (or m = d) \
             and (m = min(d,z,h) or λ_{m+1} > 0) and max(0, d+z−h) ≤ ν₋",
            holds(),
            |p, s| {
                let Some(four) = &s.orthonormal else {
                    return vacuous("problem 4 has no feasible weights");
                };
                let condition = unique(p) && four.sizes.least <= p.negative();
                tried(|| only_optimum(p, s, four, condition))
            },
        )
        .assume(ROOM)
        .sharpening(
            "growth",
            "T: L − L* ≥ γ‖MMᵀ − Σ_{i ≤ m} v_iv_iᵀ‖_F² for weights with ‖W₁‖₂ = ‖W₂‖₂ = 1 and for orthonormal ones \
             (W₁ᵀW₁ = I, W₂ᵀW₂ = I, if h ≥ max(d,z)), m = min(d,z,h,ν₋), γ = min(μ − λ_m, λ_{m+1} − μ) with μ = min(0, \
             (λ_m + λ_{m+1})/2) if m = min(d,z,h), else μ = 0; γ = −λ_d if m = d",
            holds(),
            |p, s| {
                tried(|| {
                    let given = FeasibleWeights { first: (&p.first).into(), second: (&p.second).into() };
                    let mut parts = vec![("weights of norm one", grows(p, s, &given)?)];
                    if let Some(turned) = s.turned_point(p)? {
                        parts.push(("orthonormal weights", grows(p, s, &turned)?));
                    }
                    Ok(all_of(parts))
                })
            },
        )
        .assume(Hypothesis::new(
            "W₁ and W₂ each with an entry beyond 1e-3 in size, before they are normalised",
            |p| {
                let large = |entries: &[f64]| entries.iter().any(|x| x.abs() > 1e-3);
                large(p.first.entries()) && large(p.second.entries())
            },
        ))
        .control(
            "a",
            "T: Σ v_iv_iᵀ over the min(d,z,h,ν₋) largest eigenvalues is an optimal MMᵀ of problems 1 to 4",
            |p, s| tried(|| optima_are(s, &first_by(p, |l| -l), true)),
        )
        .sides("least ‖MMᵀ − Σ v_iv_iᵀ‖_F² of an optimum", "0")
        .assume(UNFORCED)
        .control(
            "b",
            "T: Σ v_iv_iᵀ over the min(d,z,h,ν₋) largest |λ_i| is an optimal MMᵀ of problems 1 to 4",
            |p, s| tried(|| optima_are(s, &first_by(p, |l| -l.abs()), true)),
        )
        .assume(UNFORCED)
        .assume(APART)
}

fn descent() -> Setting<LinearProblem, [Enclosure; 2]> {
    Setting::measuring(|p: &LinearProblem, trial| {
        let effort = DescentEffort { starts: 6, steps: 60 };
        let three = descent_on_problem_2(&p.spectrum, p.z(), p.h(), effort, trial.rng())?;
        let four = descent_on_problem_4(&p.spectrum, p.z(), p.h(), effort, trial.rng())?;
        let solved = Solved::of(p)?;
        Ok([ending(p, &solved, &three)?, ending(p, &solved, &four)?])
    })
    .given(NOTATION)
    .given(PROBLEMS)
    .given(
        "T; C diagonal, of six starts with independent standard normal entries, put on the constraints, the one that \
         ends with the least L, 60 steps W_i ← W_i − η∇L, one layer after the other, η = 1/(4 max|λ_i|), each followed \
         by the projection on the constraints of problem 2 or by the polar retraction A(AᵀA)^{−1/2} (problem 4)",
    )
    .assume(Hypothesis::new(
        "Σ_{i ≤ m} v_iv_iᵀ, m = min(d,z,h,ν₋), is the only optimum of problems 2 to 4",
        |p| unique(p) && p.forced().is_some_and(|k| k <= p.negative()),
    ))
    .family(descents())
    .family(outside("ties and forced directions", || {
        vec![("λ_1 = λ_2", diagonal(&[-1.0, -1.0], 1, 3)), ("k₀ = 2 > ν₋", diagonal(&[-1.0, 1.0], 2, 2))]
    }))
    .without_search()
    .sharpening(
        "descent",
        "projected gradient descent on problems 2 and 4 ends near P* = Σ_{i ≤ m} v_iv_iᵀ: ‖MMᵀ − P*‖_F² ≤ 1e-3",
        holds(),
        |_, [three, four]| all_of([("problem 2", near(*three)), ("problem 4", near(*four))]),
    )
}
