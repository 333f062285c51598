//! Optimal values of the constrained problems of Proposition 3, in closed form.
//!
//! A two-layer linear model `u(x) = W_2^T W_1 x` with `W_1` of shape `h x d` and `W_2` of shape `h x z` has the loss
//! `L = Tr(M^T C M)`, `M = W_1^T W_2`, which depends on `M M^T` only. With `r = min(d, z)`:
//!
//! - `||W_1||_2 <= 1, ||W_2||_2 <= 1` (problem 2) and `||M||_2 <= 1` (problem 3) allow exactly the `M` with singular values in [0, 1] of rank
//!   at most h: split a compact singular value decomposition.
//! - `W_1^T W_1 = I_d, W_2^T W_2 = I_z` (problem 4) needs `h >= max(d, z)`. The singular values of M are the cosines of the
//!   principal angles between two subspaces of dimensions d and z of `R^h`, whose intersection has dimension at least
//!   `k_0 = max(0, d + z - h)`: exactly the M with `||M||_2 <= 1` and at least `k_0` of the r singular values equal to 1.
//!
//! By von Neumann's trace inequality the least `Tr(C M M^T)` for squared singular values `w_1 >= ... >= w_r` is
//! `sum over i <= r of w_i λ_i` with `λ_1 <= ... <= λ_d`; each free `w_i` is 1 if `λ_i < 0` and 0 if `λ_i > 0`.
//!
//! Source: Esser, Mukherjee, Ghoshdastidar, Proposition 3 and its proof; the values are derived here.

use super::SelfSupervisedError;
use enclosures::interval::Interval;
use enclosures::linear_algebra::in_order;

fn check_sizes(d: usize, z: usize, h: usize) -> Result<(), SelfSupervisedError> {
    if d == 0 || z == 0 || h == 0 {
        return Err(SelfSupervisedError::Sizes { d, z, h });
    }
    Ok(())
}

/// `k_0 = max(0, d + z - h)`, the number of singular values of `W_1^T W_2` that orthonormality forces to be 1; none if
/// `h < max(d, z)`, where no such weights exist.
#[must_use]
pub fn forced_unit_singular_values(d: usize, z: usize, h: usize) -> Option<usize> {
    (h >= d.max(z)).then(|| d.saturating_sub(h - z))
}

/// The value of problem 1, the infimum over non-zero `W_1`, `W_2` of `L / (||W_1||_2^2 ||W_2||_2^2)`, attained in every case.
///
/// If C has a negative eigenvalue it is that of problem 2. If not, it is zero for `h >= 2` (take `M = 0` with `W_1`, `W_2` of orthogonal
/// ranges), and `λ_1` for `h = 1`, where `M = w_1 w_2^T` cannot vanish.
///
/// # Errors
/// No eigenvalue, or a size of zero.
pub fn value_of_problem_1(spectrum: &[Interval], z: usize, h: usize) -> Result<Interval, SelfSupervisedError> {
    check_sizes(spectrum.len(), z, h)?;
    if h == 1 {
        return Ok(in_order(spectrum)[0]);
    }
    value_of_problem_2(spectrum, z, h)
}

/// The common value of problems 2 and 3, `sum over i <= min(d, z, h) of min(λ_i, 0)`; `spectrum` are the eigenvalues of C in any order.
///
/// # Errors
/// No eigenvalue, or a size of zero.
pub fn value_of_problem_2(spectrum: &[Interval], z: usize, h: usize) -> Result<Interval, SelfSupervisedError> {
    check_sizes(spectrum.len(), z, h)?;
    let lowest = in_order(spectrum).into_iter().take(z.min(h));
    Ok(lowest.map(|l| l.min(Interval::ZERO)).sum())
}

/// The value of problem 4, `sum over i <= k_0 of λ_i + sum over k_0 < i <= min(d, z) of min(λ_i, 0)`; none if `h < max(d, z)`,
/// where nothing is feasible.
///
/// # Errors
/// No eigenvalue, or a size of zero.
pub fn value_of_problem_4(spectrum: &[Interval], z: usize, h: usize) -> Result<Option<Interval>, SelfSupervisedError> {
    check_sizes(spectrum.len(), z, h)?;
    let Some(forced) = forced_unit_singular_values(spectrum.len(), z, h) else {
        return Ok(None);
    };
    let lowest = in_order(spectrum).into_iter().take(z).enumerate();
    let term = |(i, l): (usize, Interval)| if i < forced { l } else { l.min(Interval::ZERO) };
    Ok(Some(lowest.map(term).sum()))
}

/// By how much problem 4 is worse than problem 3: `sum over i <= k_0 of max(λ_i, 0)`; none if problem 4 is infeasible.
///
/// # Errors
/// No eigenvalue, or a size of zero.
pub fn excess_of_problem_4(spectrum: &[Interval], z: usize, h: usize) -> Result<Option<Interval>, SelfSupervisedError> {
    check_sizes(spectrum.len(), z, h)?;
    let forced = forced_unit_singular_values(spectrum.len(), z, h);
    Ok(forced.map(|k| {
        let lowest = in_order(spectrum).into_iter().take(k);
        lowest.map(|l| l.max(Interval::ZERO)).sum()
    }))
}

/// The ranks that an optimal `M` can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankRange {
    /// The smallest.
    pub least: usize,
    /// The largest; it differs from the smallest when eigenvectors of the eigenvalue zero may be added for free.
    pub greatest: usize,
}

fn ranks(spectrum: &[f64], room: usize, forced: usize) -> Result<RankRange, SelfSupervisedError> {
    if let Some(index) = spectrum.iter().position(|l| !l.is_finite()) {
        return Err(SelfSupervisedError::NotFinite { role: "eigenvalue", index, value: spectrum[index] });
    }
    let negative = spectrum.iter().filter(|l| **l < 0.0).count();
    let at_most_zero = spectrum.iter().filter(|l| **l <= 0.0).count();
    Ok(RankRange { least: forced.max(room.min(negative)), greatest: forced.max(room.min(at_most_zero)) })
}

/// Ranks of the optimal `M` of problems 2 and 3: from `min(d, z, h, ν_-)` to `min(d, z, h, ν_- + ν_0)`, with the numbers `ν_-`, `ν_0` of
/// negative and zero eigenvalues.
///
/// # Errors
/// No eigenvalue, one that is not finite, or a size of zero.
pub fn optimal_ranks_of_problem_3(spectrum: &[f64], z: usize, h: usize) -> Result<RankRange, SelfSupervisedError> {
    check_sizes(spectrum.len(), z, h)?;
    ranks(spectrum, spectrum.len().min(z).min(h), 0)
}

/// Ranks of the optimal `M` of problem 4: from `max(k_0, min(d, z, ν_-))` to `max(k_0, min(d, z, ν_- + ν_0))`; none if it is
/// infeasible.
///
/// # Errors
/// No eigenvalue, one that is not finite, or a size of zero.
pub fn optimal_ranks_of_problem_4(
    spectrum: &[f64],
    z: usize,
    h: usize,
) -> Result<Option<RankRange>, SelfSupervisedError> {
    check_sizes(spectrum.len(), z, h)?;
    let d = spectrum.len();
    forced_unit_singular_values(d, z, h).map(|forced| ranks(spectrum, d.min(z), forced)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(spectrum: &[f64]) -> Vec<Interval> {
        spectrum.iter().map(|&l| Interval::point(l)).collect()
    }

    #[test]
    fn two_by_two() {
        let value =
            |spectrum: &[f64], z, h| value_of_problem_4(&points(spectrum), z, h).unwrap().map(Interval::midpoint);
        // Square orthogonal weights: M is orthogonal and L is the trace of C.
        assert_eq!(value(&[-1.0, 1.0], 2, 2), Some(0.0));
        assert_eq!(value(&[-1.0, 1.0], 2, 3), Some(-1.0));
        assert_eq!(value(&[1.0, 2.0], 2, 3), Some(1.0));
        assert_eq!(value(&[1.0, 2.0], 2, 4), Some(0.0));
        assert_eq!(value(&[-1.0, 1.0], 2, 1), None);
        let bounded = |h| value_of_problem_2(&points(&[-1.0, -1.0]), 2, h).unwrap().midpoint();
        assert_eq!((bounded(1), bounded(2)), (-1.0, -2.0));
        let scaled = |h| value_of_problem_1(&points(&[2.0, 3.0]), 1, h).unwrap().midpoint();
        assert_eq!((scaled(1), scaled(2)), (2.0, 0.0));
        assert!(value_of_problem_2(&[], 1, 1).is_err() && value_of_problem_4(&points(&[1.0]), 0, 1).is_err());
    }

    #[test]
    fn the_excess_is_the_difference() {
        for h in 1..10 {
            for z in 1..5 {
                let spectrum = points(&[-2.0, 0.5, 0.0, 3.0]);
                let excess = excess_of_problem_4(&spectrum, z, h).unwrap();
                let four = value_of_problem_4(&spectrum, z, h).unwrap();
                assert_eq!(excess, four.map(|v| v - value_of_problem_2(&spectrum, z, h).unwrap()));
            }
        }
    }

    #[test]
    fn ranks_of_optima() {
        let three = |spectrum: &[f64], z, h| optimal_ranks_of_problem_3(spectrum, z, h).unwrap();
        let four = |spectrum: &[f64], z, h| optimal_ranks_of_problem_4(spectrum, z, h).unwrap();
        assert_eq!(three(&[-1.0, 1.0], 2, 9), RankRange { least: 1, greatest: 1 });
        assert_eq!(three(&[-1.0, -1.0], 2, 1), RankRange { least: 1, greatest: 1 });
        assert_eq!(three(&[-1.0, 0.0], 2, 9), RankRange { least: 1, greatest: 2 });
        assert_eq!(four(&[-1.0, 1.0], 2, 2), Some(RankRange { least: 2, greatest: 2 }));
        assert_eq!(four(&[-1.0, 1.0], 2, 1), None);
    }
}
