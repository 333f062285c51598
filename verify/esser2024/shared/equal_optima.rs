//! When the optima of the problems (3), (4) and (5) agree, in values and in solutions.

use enclosures::linear_algebra::IntervalMatrix;
use evidence::prelude::*;
use linear_ssl::self_supervised::{excess_of_problem_4, trace_loss, value_of_problem_2, value_of_problem_4};

use crate::shared::optima::{FeasibleWeights, orthonormal_weights};
use crate::shared::solved::{Solved, Tried, norm};
use crate::shared::spectra::LinearProblem;

/// δ, a lower bound of ‖MᵀCM‖₂ under the constraints of problem 4.
fn least_compression(problem: &LinearProblem) -> f64 {
    let (spectrum, d) = (problem.ascending(), problem.d());
    match problem.forced() {
        None | Some(0) => 0.0,
        Some(k) => spectrum[k - 1].max(-spectrum[d - k]).max(0.0),
    }
}

/// h ≥ max(d, z).
pub fn feasible(problem: &LinearProblem) -> evidence::claim::Evaluation {
    at_least(problem.h(), problem.d().max(problem.z()))
}

/// Under P: problem 4 has the value 0 and its solutions include M = 0, as for problem 3.
pub fn same_under_norm(problem: &LinearProblem) -> Tried {
    let forced = problem.forced().unwrap_or(0);
    let delta = exact(least_compression(problem));
    Ok(all_of([
        ("feasible", feasible(problem)),
        ("value", equal(delta.square(), 0)),
        ("least Tr MMᵀ", at_most(forced, 0)),
    ]))
}

/// Under T: the same value, and the optimal M of least trace of problem 3 has the trace that problem 4 demands.
pub fn same_under_trace(problem: &LinearProblem, solved: &Solved) -> Tried {
    let Some(four) = &solved.orthonormal else {
        return Ok(feasible(problem));
    };
    Ok(all_of([
        ("value", equal(four.value, solved.bounded.value).on_scale_of("Σ|λ_i|", solved.scale)),
        ("least Tr MMᵀ", at_least(solved.bounded.least_rank(), four.sizes.least)),
    ]))
}

/// Both directions of the condition for equal values.
pub fn values_agree_exactly_when(problem: &LinearProblem, solved: &Solved) -> Tried {
    let (three, forced) = (&solved.bounded, problem.forced());
    let Some(four) = &solved.orthonormal else {
        return Ok(less_than(problem.h(), problem.d().max(problem.z())));
    };
    Ok(if forced.is_some_and(|k| k <= problem.at_most_zero()) {
        equal(four.value, three.value).on_scale_of("Σ|λ_i|", solved.scale)
    } else {
        let excess = excess_of_problem_4(&problem.eigenvalues(), problem.z(), problem.h())?;
        all_of([
            ("values differ", greater_than(excess.unwrap_or(Interval::ENTIRE), 0)),
            (
                "by the excess",
                equal(four.value - three.value, excess.unwrap_or(Interval::ENTIRE)).on_scale_of("Σ|λ_i|", solved.scale),
            ),
        ])
    })
}

/// Both directions of the condition for equal values and equal optimal MMᵀ: the same optimal sets of eigenvectors.
pub fn solutions_agree_exactly_when(problem: &LinearProblem, solved: &Solved) -> Tried {
    let Some(four) = &solved.orthonormal else {
        return Ok(less_than(problem.h(), problem.d().max(problem.z())));
    };
    let three = &solved.bounded;
    if problem.forced().is_some_and(|k| k <= problem.negative()) {
        let differing = three.selections.iter().filter(|s| !four.selections.contains(s)).count()
            + four.selections.iter().filter(|s| !three.selections.contains(s)).count();
        return Ok(all_of([
            ("optimal sets that differ", at_most(differing, 0)),
            ("value", equal(four.value, three.value).on_scale_of("Σ|λ_i|", solved.scale)),
        ]));
    }
    // The optimum of problem 3 of least rank has too small a trace for problem 4.
    Ok(less_than(three.least_rank(), four.sizes.least))
}

/// No point of problem 4 undercuts its value, has a smaller trace than k₀, or a smaller printed loss than δ².
pub fn points_of_problem_4(problem: &LinearProblem, solved: &Solved) -> Tried {
    let (Some(weights), Some(four)) = (solved.turned_point(problem)?, &solved.orthonormal) else {
        return Ok(feasible(problem));
    };
    let delta = exact(least_compression(problem));
    let map = weights.map()?;
    Ok(all_of([
        ("loss", at_least(weights.loss(&solved.c)?, four.value).on_scale_of("Σ|λ_i|", solved.scale)),
        ("Tr MMᵀ", at_least(map.frobenius_norm_squared(), four.sizes.least).on_unit_scale()),
        (
            "P",
            at_least(solved.printed_loss(&weights)?, delta.square())
                .on_scale_of("(Σ|λ_i|)²", solved.scale * solved.scale),
        ),
    ]))
}

/// ‖WᵀW − I‖_F².
pub fn defect(weights: &IntervalMatrix) -> Result<Enclosure, enclosures::linear_algebra::MatrixError> {
    let gram = weights.transpose().product(weights)?;
    Ok(gram.minus(&IntervalMatrix::identity(weights.columns())?)?.frobenius_norm_squared().into())
}

pub fn closed_forms(problem: &LinearProblem, solved: &Solved) -> Tried {
    let (spectrum, z, h) = (problem.eigenvalues(), problem.z(), problem.h());
    let three = value_of_problem_2(&spectrum, z, h)?;
    let mut parts = vec![("problem 3", equal(solved.bounded.value, three).on_scale_of("Σ|λ_i|", solved.scale))];
    if let (Some(four), Some(closed)) = (&solved.orthonormal, value_of_problem_4(&spectrum, z, h)?) {
        parts.push(("problem 4", equal(four.value, closed).on_scale_of("Σ|λ_i|", solved.scale)));
        for set in &four.selections {
            let weights = orthonormal_weights(&solved.frame, set, z, h)?;
            parts.push((
                "an optimum of problem 4",
                equal(weights.loss(&solved.c)?, closed).on_scale_of("Σ|λ_i|", solved.scale),
            ));
            parts.push(("W₁ᵀW₁ = I", equal(defect(&weights.first)?, 0).on_unit_scale()));
            parts.push(("W₂ᵀW₂ = I", equal(defect(&weights.second)?, 0).on_unit_scale()));
        }
    }
    Ok(all_of(parts))
}

/// (k₀ − 1)/√(d − 1) · ‖C‖_F, for k₀ ≥ 1 and d ≥ 2.
pub fn largest_excess(problem: &LinearProblem, forced: usize) -> Enclosure {
    let frobenius = problem.spectrum.iter().map(|&l| exact(l).square()).sum::<Enclosure>().sqrt();
    (Enclosure::from(forced) - 1.0) * frobenius / (Enclosure::from(problem.d()) - 1.0).sqrt()
}

/// Tr(CMMᵀ) for the weights of the instance, divided by norms so that ‖M‖₂ ≤ 1, against the sum of the lowest negative eigenvalues.
pub fn ky_fan(problem: &LinearProblem, solved: &Solved) -> Tried {
    let weights = FeasibleWeights { first: (&problem.first).into(), second: (&problem.second).into() };
    let map = weights.map()?;
    let (loss, size) = (Enclosure::from(trace_loss(&map, &solved.c)?), norm(&map)?.square());
    let k = problem.d().min(problem.z()).min(problem.negative());
    let bound: Enclosure = problem.ascending().iter().take(k).map(|&l| exact(l)).sum();
    Ok(at_least(loss, bound * size).on_scale_of("Σ|λ_i|‖M‖₂²", (solved.scale * size).hi()))
}

#[cfg(test)]
mod tests {
    use evidence::judge::Judgement;

    use super::*;
    use crate::shared::spectra::diagonal;

    fn judged(tried: Tried) -> Judgement {
        evidence::testing::judged(tried.expect("both sides are computed"))
    }

    fn holds(tried: Tried) -> bool {
        matches!(judged(tried), Judgement::Holds | Judgement::Touches)
    }

    /// With d = h = 2 and z = 1, problem 4 forces M to be a unit vector v, and the compression is |vᵀCv|.
    #[test]
    fn no_direction_of_the_plane_is_compressed_further_than_said() {
        for (spectrum, expected) in [([2.0, 5.0], 2.0), ([-1.0, 3.0], 0.0), ([-4.0, -3.0], 3.0), ([7.0, -2.0], 0.0)] {
            let least = (-1000..=1000).map(|k| {
                let t = f64::from(k) / 1000.0;
                let (cosine, sine) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
                (spectrum[0] * cosine * cosine + spectrum[1] * sine * sine).abs()
            });
            let least = least.fold(f64::INFINITY, f64::min);
            let found = least_compression(&diagonal(&spectrum, 1, 2));
            assert_eq!(found, expected, "{spectrum:?}");
            assert!(found <= least && least < found + 0.01, "{spectrum:?}: {least}");
        }
        // A plane of ℝ³ meets every plane: its largest eigenvalue is at least the second one. A wide network forces nothing.
        assert_eq!(least_compression(&diagonal(&[4.0, 1.0, 2.0], 2, 3)), 2.0);
        assert_eq!(least_compression(&diagonal(&[4.0, 1.0, 2.0], 2, 5)), 0.0);
    }

    #[test]
    fn a_forced_positive_eigenvalue_tells_the_optima_apart() {
        // Problem 3 takes nothing of diag(1, 2), problem 4 at least one eigenvector.
        let forced = diagonal(&[1.0, 2.0], 1, 2);
        let solved = Solved::of(&forced).expect("it is solved");
        assert_eq!(judged(same_under_trace(&forced, &solved)), Judgement::Violated);
        assert_eq!(judged(same_under_norm(&forced)), Judgement::Violated);
        assert!(holds(values_agree_exactly_when(&forced, &solved)));
        assert!(holds(solutions_agree_exactly_when(&forced, &solved)));
        // Either takes the one negative eigenvalue of diag(−1, 2).
        let free = diagonal(&[-1.0, 2.0], 1, 2);
        let solved = Solved::of(&free).expect("it is solved");
        for tried in [
            same_under_trace(&free, &solved),
            values_agree_exactly_when(&free, &solved),
            solutions_agree_exactly_when(&free, &solved),
            closed_forms(&free, &solved),
            points_of_problem_4(&free, &solved),
        ] {
            assert!(holds(tried));
        }
    }

    #[test]
    fn sizes_are_those_by_hand() {
        let w =
            IntervalMatrix::from_fn(2, 2, |i, j| Interval::point([[2.0, 1.0], [0.0, 1.0]][i][j])).expect("a matrix");
        // WᵀW − I = [3 2; 2 1].
        assert_eq!(defect(&w).expect("sizes fit").midpoint(), 18.0);
        // (3 − 1)/√(5 − 1)·√(4 + 1 + 0 + 16 + 4) = 5.
        let problem = diagonal(&[2.0, -1.0, 0.0, 4.0, 2.0], 3, 5);
        let found = largest_excess(&problem, 3);
        assert!((found - 5.0).magnitude() < 1e-14, "{found:?}");
    }

    /// M = v_1v_1ᵀ attains the least trace, M = v_3v_3ᵀ stays far from it.
    #[test]
    fn the_lowest_eigenvectors_leave_no_room_above_the_sum_of_their_eigenvalues() {
        let margin = |row: usize| {
            let mut problem = diagonal(&[-3.0, -1.0, 2.0], 1, 3);
            let unit = |rows: usize, columns: usize, at: (usize, usize)| {
                enclosures::linear_algebra::Matrix::from_fn(rows, columns, |i, j| f64::from(u8::from((i, j) == at)))
                    .expect("sizes are positive")
            };
            (problem.first, problem.second) = (unit(3, 3, (0, row)), unit(3, 1, (0, 0)));
            let solved = Solved::of(&problem).expect("it is solved");
            match ky_fan(&problem, &solved) {
                Ok(Evaluation::Compared(c)) => c.margin.midpoint(),
                other => panic!("{other:?}"),
            }
        };
        assert!(margin(0).abs() < 1e-12 && (margin(2) - 5.0).abs() < 1e-12);
    }
}
