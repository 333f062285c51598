//! Products that orthonormal weights of large width reach: for h ≥ d + z every M with ‖M‖₂ ≤ 1.
//!
//! W₁ = [I; 0] and W₂ = [M; R; 0] with RᵀR = I − MᵀM have orthonormal columns and W₁ᵀW₂ = M. So problems 3 and 4 then allow the same M,
//! and whatever is minimised has the same value and the same minimisers in both.

use enclosures::linear_algebra::{IntervalMatrix, MatrixError, SingularValues};
use evidence::prelude::*;

use crate::shared::equal_optima::defect;
use crate::shared::optima::FeasibleWeights;
use crate::shared::solved::{Solved, Tried};
use crate::shared::spectra::LinearProblem;

/// The size of the products that are tried: below one, so that I − MᵀM is clearly positive definite.
const SIZE: f64 = 0.9;

/// R upper triangular with RᵀR the matrix, by Cholesky's method; none if rounding hides that it is positive definite.
fn factor(m: &IntervalMatrix) -> Option<Vec<Vec<Interval>>> {
    let n = m.rows();
    let mut r = vec![vec![Interval::ZERO; n]; n];
    for i in 0..n {
        for j in i..n {
            let known: Interval = r[..i].iter().map(|row| row[i] * row[j]).sum();
            let rest = m.get(i, j)? - known;
            r[i][j] = if j > i {
                rest / r[i][i]
            } else if rest.lo() > 0.0 {
                rest.sqrt()
            } else {
                return None;
            };
        }
    }
    Some(r)
}

/// The multiple of the product of the instance's weights that has the norm [`SIZE`]; zero if that product is.
fn product(problem: &LinearProblem) -> Result<IntervalMatrix, MatrixError> {
    let first = IntervalMatrix::from(&problem.first);
    let m = first.transpose().product(&IntervalMatrix::from(&problem.second))?;
    let size = SingularValues::of(&m)?.spectral_norm().hi();
    // Midpoints, so that M is one matrix.
    let factor = if size > 1e-6 { SIZE / size } else { 0.0 };
    Ok(m.scaled(Interval::point(factor)).midpoint().into())
}

/// Orthonormal weights with W₁ᵀW₂ = M, h ≥ d + z; none if rounding hides that ‖M‖₂ < 1.
fn weights(m: &IntervalMatrix, h: usize) -> Result<Option<FeasibleWeights>, MatrixError> {
    let (d, z) = (m.rows(), m.columns());
    let rest = IntervalMatrix::identity(z)?.minus(&m.transpose().product(m)?)?;
    let Some(r) = factor(&rest) else { return Ok(None) };
    let one = |i: usize, j: usize| if i == j { Interval::ONE } else { Interval::ZERO };
    let second = |row: usize, j: usize| match row {
        _ if row < d => m.at(row, j),
        _ if row < d + z => r[row - d][j],
        _ => Interval::ZERO,
    };
    Ok(Some(FeasibleWeights {
        first: IntervalMatrix::from_fn(h, d, one)?,
        second: IntervalMatrix::from_fn(h, z, second)?,
    }))
}

/// Under P, both directions: for h ≥ d + z problem 4 allows the M of problem 3; otherwise not M = 0, an optimum of problem 3.
pub fn same_sets_under_norm(problem: &LinearProblem, solved: &Solved) -> Tried {
    let (d, z, h) = (problem.d(), problem.z(), problem.h());
    if h >= d + z {
        let mut parts = Vec::new();
        for m in [product(problem)?, IntervalMatrix::from_fn(d, z, |_, _| Interval::ZERO)?] {
            let weights = weights(&m, h)?.ok_or("rounding hides that the norm is below one")?;
            let off = weights.map()?.minus(&m.transpose())?.frobenius_norm();
            parts.push(("W₁ᵀW₂ = M", equal(off, 0).on_unit_scale()));
            parts.push(("W₁ᵀW₁ = I", equal(defect(&weights.first)?, 0).on_unit_scale()));
            parts.push(("W₂ᵀW₂ = I", equal(defect(&weights.second)?, 0).on_unit_scale()));
        }
        return Ok(all_of(parts));
    }
    // Infeasible, or M = 0 is not feasible: Tr MMᵀ ≥ d + z − h at every point.
    let Some(weights) = solved.turned_point(problem)? else {
        return Ok(less_than(h, d.max(z)));
    };
    let trace = weights.map()?.frobenius_norm_squared();
    Ok(at_least(trace, d + z - h).on_unit_scale())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::spectra::diagonal;

    #[test]
    fn a_product_is_reached() {
        let problem = diagonal(&[-1.0, 1.0], 2, 4);
        let m = product(&problem).unwrap();
        let reached = weights(&m, 4).unwrap().expect("a norm of nine tenths");
        assert!(defect(&reached.second).unwrap().hi() < 1e-12);
        let off = reached.map().unwrap().minus(&m.transpose()).unwrap();
        assert!(off.frobenius_norm().hi() < 1e-12);
    }

    #[test]
    fn a_norm_above_one_is_refused() {
        let long = IntervalMatrix::from_fn(1, 1, |_, _| Interval::point(1.5)).unwrap();
        assert!(weights(&long, 2).unwrap().is_none());
    }
}
