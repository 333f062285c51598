//! Proposition 3, last sentence: do the constraints avoid dimension collapse?
//!
//! L is linear in MMᵀ, so an optimal M takes whole eigenvectors of negative eigenvalues while there is room, and eigenvectors of the
//! eigenvalue zero at will. In problems 1 to 3 the optimal ranks run from min(d,z,h,ν₋) to min(d,z,h,ν₋+ν₀); in problem 4, with k₀ = max(0, d+z−h), from
//! max(k₀, min(d,z,ν₋)) to max(k₀, min(d,z,ν₋+ν₀)). One negative eigenvalue thus gives rank one where nothing is forced, and width one gives rank one
//! whatever C is; problem 4 may even have full rank because it must. Under P, M = 0 is optimal in problem 3: rank zero.
//!
//! Certificates: an explicit optimum has the least rank. Smaller ranks cannot do better than a dual bound, which the lowest eigenvectors that are left meet;
//! the eigenvalues that they give up have a negative sum.

use enclosures::linear_algebra::SingularValues;
use evidence::prelude::*;
use linear_ssl::self_supervised::{RankRange, optimal_ranks_of_problem_3, optimal_ranks_of_problem_4};

use crate::shared::hypotheses::{ROOM, SEVERAL};
use crate::shared::notation::{FORCED, FROBENIUS_NORM};
use crate::shared::optima::{Sizes, bounded_weights, lower_bound, optimal_selections};
use crate::shared::solved::{Optimum, Solved, Tried, tried, with_a_negative_eigenvalue};
use crate::shared::spectra::LinearProblem;

const WIDE: Hypothesis<LinearProblem> = Hypothesis::new("h ≥ d + z", |p| p.h() >= p.d() + p.z());
const REGULAR: Hypothesis<LinearProblem> =
    Hypothesis::new("no eigenvalue is zero", |p| p.negative() == p.at_most_zero());
const TWO_UNITS: Hypothesis<LinearProblem> = Hypothesis::new("h ≥ 2", |p| p.h() >= 2);

fn every_optimum_has_rank_two(solved: &Solved) -> Evaluation {
    all_of(solved.solutions().into_iter().map(|(name, optimum)| (name, at_least(optimum.least_rank(), 2))))
}

/// Under P the zero weights are optimal in problems 2 and 3.
fn zero_has_rank_two(problem: &LinearProblem, solved: &Solved) -> Tried {
    let zero = bounded_weights(&solved.frame, &[], problem.z(), problem.h())?;
    let rank = SingularValues::of(&zero.map()?)?.rank_bounds().at_most;
    Ok(all_of([("M = 0 is optimal", equal(solved.printed_loss(&zero)?, 0)), ("its rank", at_least(rank, 2))]))
}

/// The optimum exhibited has the least rank, smaller ranks are worse, and the range of ranks is that of the closed form.
fn certified(problem: &LinearProblem, solved: &Solved, optimum: &Optimum, closed: RankRange) -> Tried {
    let (least, smallest) = (optimum.least_rank(), optimum.selections.first().map_or(&[][..], Vec::as_slice));
    let bounds = SingularValues::of(&optimum.weights.map()?)?.rank_bounds();
    let mut parts = vec![
        ("least rank", equal(least, closed.least)),
        ("greatest rank", equal(optimum.greatest_rank(), closed.greatest)),
        ("loss", equal(optimum.weights.loss(&solved.c)?, optimum.value).on_scale_of("Σ|λ_i|", solved.scale)),
        (
            "rank exhibited",
            // A rank that the bounds leave open is in doubt, and refutes nothing.
            equal(bounds.enclosed(), least),
        ),
    ];
    if least > optimum.sizes.least {
        let fewer = Sizes { most: least - 1, ..optimum.sizes };
        let candidates = optimal_selections(&problem.spectrum, fewer);
        let kept = candidates.into_iter().find(|set| set.iter().all(|i| smallest.contains(i)));
        let kept = kept.ok_or("no optimal selection of fewer eigenvectors is part of the smallest one")?;
        let sum = |set: &[usize]| -> Interval { set.iter().map(|&i| Interval::point(problem.spectrum[i])).sum() };
        // What is given up is compared by itself: in the difference of the two losses rounding might hide it.
        let lost: Vec<usize> = smallest.iter().copied().filter(|i| !kept.contains(i)).collect();
        parts.push((
            "bound of smaller ranks",
            equal(sum(&kept), lower_bound(&problem.spectrum, fewer)).on_scale_of("Σ|λ_i|", solved.scale),
        ));
        parts.push(("smaller ranks", less_than(sum(&lost), 0)));
    }
    Ok(all_of(parts))
}

/// The eigenvectors of the k lowest eigenvalues as an optimum of problem 3.
fn lowest_are_optimal(problem: &LinearProblem, solved: &Solved, k: usize) -> Tried {
    if k > problem.h() {
        return Ok(at_most(k, problem.h()));
    }
    let weights = bounded_weights(&solved.frame, &problem.lowest(k), problem.z(), problem.h())?;
    Ok(equal(weights.loss(&solved.c)?, solved.bounded.value).on_scale_of("Σ|λ_i|", solved.scale))
}

pub fn claim() -> Claim {
    Claim::new("esser2024.prop-3e", "the constraints avoid dimension collapse", Kind::Convergence)
        .statement(
            "for C with a negative eigenvalue and d, z ≥ 2, every optimal M = W₁ᵀW₂ of problems 1 to 4 has rank ≥ 2",
        )
        .source("Proposition 3, last sentence", &["end of its proof, where it is said to hold when possible"])
        .symbols([FORCED, FROBENIUS_NORM])
        .symbol(
            "optimum",
            "weights that minimise L in the problem named; where problem 4 has no feasible weights (h < max(d,z)) \
             nothing is asked of it",
        )
        .symbol("optimal rank", "the rank of M at an optimum")
        .symbol(
            "σ_i",
            "the singular values of M; eigenvectors v_i, i ∈ S, with σ_i = 1 are weights with MMᵀ = Σ_{i ∈ S} v_iv_iᵀ",
        )
        .remark(
            "P is the printed loss ‖W₂ᵀW₁CW₁ᵀW₂‖₂²; T the trace, which the losses (1), (2) are. Each is run as the \
             proposition has it, without condition, and with several negative eigenvalues, the condition of its proof.",
        )
        .remark(
            "Where problem 4 is infeasible it has no optimum and nothing is asked of it. With d, z ≥ 2 and several \
             negative eigenvalues problem 4 never collapses; problems 1 to 3 do so only at width one.",
        )
        .setting(p_several())
}

fn p_several() -> Setting<LinearProblem, Solved> {
    with_a_negative_eigenvalue()
        .assume(Hypothesis::new("d ≥ 2 and z ≥ 2", |p| p.d() >= 2 && p.z() >= 2))
        .sense(
            "P",
            "printed norm: rank M ≥ 2 at every optimum of problem 3",
            fails("M = 0 is an optimum of problem 3"),
            |p, s| tried(|| zero_has_rank_two(p, s)),
        )
        .sides("rank of the optimum M = 0", "2")
        .sense(
            "P-several",
            "printed norm: rank M ≥ 2 at every optimum of problem 3",
            fails("M = 0 is an optimum of problem 3 for every C"),
            |p, s| tried(|| zero_has_rank_two(p, s)),
        )
        .sides("rank of the optimum M = 0", "2")
        .because("grants the condition of the proof")
        .assume(SEVERAL)
        .sense(
            "T",
            "trace: rank M ≥ 2 at every optimum of problems 1 to 4",
            fails("one negative eigenvalue, or width one, leaves rank one"),
            |_, s| every_optimum_has_rank_two(s),
        )
        .sides("the least rank M of an optimum", "2")
        .because("the proposition says both that the loss is (1) or (2) and that this is its form")
        .ours(
            "T-wide",
            "trace, wide: rank M ≥ 2 at every optimum of problems 1 to 4",
            fails("with one negative eigenvalue the only optimal MMᵀ is v₁v₁ᵀ"),
            |_, s| every_optimum_has_rank_two(s),
        )
        .sides("the least rank M of an optimum", "2")
        .assume(WIDE)
        .assume(REGULAR)
        .sense(
            "T-several",
            "trace: rank M ≥ 2 at every optimum of problems 1 to 4",
            fails("at width h = 1 problems 1 to 3 allow rank one only"),
            |_, s| every_optimum_has_rank_two(s),
        )
        .sides("the least rank M of an optimum", "2")
        .because("grants the condition of the proof")
        .assume(SEVERAL)
        .sense("T-room", "trace: rank M ≥ 2 at every optimum of problems 1 to 4", holds(), |_, s| {
            every_optimum_has_rank_two(s)
        })
        .because("grants the condition of the proof, and that problem 4 has feasible weights")
        .assume(SEVERAL)
        .assume(ROOM)
        .step(
            "s1",
            "T: the eigenvectors of the min(d,z,ν₋) lowest eigenvalues, with σ_i = 1, are an optimum of problem 3",
            fails("M has rank at most h, so this needs h ≥ min(d,z,ν₋)"),
            |p, s| tried(|| lowest_are_optimal(p, s, p.printed_rank())),
        )
        .sides("min(d,z,ν₋), or L of these weights where that is at most h", "h, or the least L")
        .amendment(
            "s1-width",
            "T: the eigenvectors of the min(d,z,h,ν₋) lowest eigenvalues, with σ_i = 1, are an optimum of problem 3",
            holds(),
            |p, s| tried(|| lowest_are_optimal(p, s, p.printed_rank().min(p.h()))),
        )
        .amendment("T-width", "T: every optimum of problems 1 to 4 has rank ≥ 2", holds(), |_, s| {
            every_optimum_has_rank_two(s)
        })
        .assume(SEVERAL)
        .assume(TWO_UNITS)
        .amendment(
            "T-exact",
            "T: every optimum has rank ≥ 2 iff min(d,z,h,ν₋) ≥ 2 in problems 1 to 3, iff max(k₀, min(d,z,ν₋)) ≥ 2 in \
             problem 4",
            holds(),
            |p, s| {
                let free = p.printed_rank().min(p.h()) >= 2;
                let tight = p.printed_rank().max(p.forced().unwrap_or(0)) >= 2;
                all_of(s.solutions().into_iter().zip([free, tight]).map(|((name, optimum), avoided)| {
                    let rank = optimum.least_rank();
                    (name, if avoided { at_least(rank, 2) } else { at_most(rank, 1) })
                }))
            },
        )
        .sharpening(
            "T-ranks",
            "T: the least and the greatest optimal rank are min(d,z,h,ν₋) and min(d,z,h,ν₋+ν₀) in problems 1 to 3, \
             max(k₀, min(d,z,ν₋)) and max(k₀, min(d,z,ν₋+ν₀)) in problem 4",
            holds(),
            |p, s| {
                tried(|| {
                    let (z, h) = (p.z(), p.h());
                    let three = optimal_ranks_of_problem_3(&p.spectrum, z, h)?;
                    let four = optimal_ranks_of_problem_4(&p.spectrum, z, h)?;
                    let closed = [Some(three), four].into_iter().flatten();
                    let parts = s.solutions().into_iter().zip(closed);
                    Ok(all_of(
                        parts.map(|((name, optimum), closed)| (name, tried(|| certified(p, s, optimum, closed)))),
                    ))
                })
            },
        )
        .control(
            "a",
            "T under ‖W₁‖_F, ‖W₂‖_F ≤ 1: every optimum has rank ≥ 2, that is, none of rank one attains min(λ₁, 0)",
            |p, s| {
                tried(|| {
                    let one = bounded_weights(&s.frame, &p.lowest(1), p.z(), p.h())?;
                    Ok(greater_than(one.loss(&s.c)?, exact(p.ascending()[0].min(0.0))).on_scale_of("Σ|λ_i|", s.scale))
                })
            },
        )
        .control("b", "T: the least optimal rank of problem 3 is z", |p, s| equal(s.bounded.least_rank(), p.z()))
}
