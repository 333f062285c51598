//! A constrained problem with its solutions: C, the optima of problems 1 to 4, and their values enclosed from both sides.

use enclosures::linear_algebra::{IntervalMatrix, MatrixError, PlaneRotation, SingularValues, SymmetricMatrix};
use evidence::prelude::*;
use linear_ssl::self_supervised::{SelfSupervisedError, norm_loss};

use crate::shared::hypotheses::{NEGATIVE, has_a_negative_eigenvalue};
use crate::shared::optima::{
    FeasibleWeights, Sizes, bounded, bounded_weights, lower_bound, optimal_selections, orthonormal, orthonormal_weights,
};
use crate::shared::spectra::{LinearProblem, problems};

/// One problem solved: its optimal selections, and the enclosure of its value between the two bounds.
pub struct Optimum {
    pub sizes: Sizes,
    /// Every optimal set of eigenvectors, the smallest first; never empty.
    pub selections: Vec<Vec<usize>>,
    /// Weights that attain the value, for the smallest of the sets.
    pub weights: FeasibleWeights,
    pub value: Enclosure,
}

impl Optimum {
    fn of(
        spectrum: &[f64],
        c: &IntervalMatrix,
        sizes: Sizes,
        weights: impl Fn(&[usize]) -> Result<FeasibleWeights, MatrixError>,
    ) -> Result<Self, MeasureError> {
        let selections = optimal_selections(spectrum, sizes);
        let smallest = selections.first().ok_or("no selection of eigenvectors is optimal")?;
        let weights = weights(smallest)?;
        let (below, above) = (lower_bound(spectrum, sizes), weights.loss(c)?);
        if below.lo() > above.hi() {
            return Err("a feasible loss undercuts the lower bound".into());
        }
        Ok(Optimum { sizes, value: Enclosure::between(below.lo(), above.hi()), weights, selections })
    }

    pub fn least_rank(&self) -> usize {
        self.selections.first().map_or(0, Vec::len)
    }

    pub fn greatest_rank(&self) -> usize {
        self.selections.last().map_or(0, Vec::len)
    }
}

/// The matrix C and the optima of problems 2 and 3 (and 1, if C has a negative eigenvalue) and of problem 4.
pub struct Solved {
    pub c: IntervalMatrix,
    /// V.
    pub frame: IntervalMatrix,
    pub bounded: Optimum,
    /// None if problem 4 is infeasible.
    pub orthonormal: Option<Optimum>,
    /// Σ|λ_i|, against which losses are measured.
    pub scale: f64,
}

impl Solved {
    pub fn of(problem: &LinearProblem) -> Result<Self, MeasureError> {
        let LinearProblem { spectrum, rotations, .. } = problem;
        let (d, z, h) = (problem.d(), problem.z(), problem.h());
        let frame = PlaneRotation::product_of(d, rotations)?;
        let c = SymmetricMatrix::Spectral { spectrum: spectrum.clone(), rotations: rotations.clone() }.entries()?;
        let free = Optimum::of(spectrum, &c, bounded(d, z, h), |set| bounded_weights(&frame, set, z, h))?;
        let tight = orthonormal(d, z, h)
            .map(|sizes| Optimum::of(spectrum, &c, sizes, |set| orthonormal_weights(&frame, set, z, h)))
            .transpose()?;
        Ok(Solved { bounded: free, orthonormal: tight, scale: spectrum.iter().map(|l| l.abs()).sum(), c, frame })
    }

    /// Each problem that has a solution, with its name.
    pub fn solutions(&self) -> Vec<(&'static str, &Optimum)> {
        let four = self.orthonormal.as_ref().map(|optimum| ("problem 4", optimum));
        [("problems 1 to 3", &self.bounded)].into_iter().chain(four).collect()
    }

    /// The point of problem 4 that the instance proposes: W₁ = [Vᵀ; 0], W₂ the first z columns of O; none if infeasible.
    pub fn turned_point(&self, problem: &LinearProblem) -> Result<Option<FeasibleWeights>, MatrixError> {
        let (d, z, h) = (problem.d(), problem.z(), problem.h());
        if problem.forced().is_none() {
            return Ok(None);
        }
        let turn = PlaneRotation::product_of(h, &problem.turns)?;
        let first = |row, i| {
            if row < d { self.frame.at(i, row) } else { Interval::ZERO }
        };
        Ok(Some(FeasibleWeights {
            first: IntervalMatrix::from_fn(h, d, first)?,
            second: IntervalMatrix::from_fn(h, z, |row, j| turn.at(row, j))?,
        }))
    }

    /// ‖MᵀCM‖₂², the loss in the sense P.
    pub fn printed_loss(&self, weights: &FeasibleWeights) -> Result<Enclosure, SelfSupervisedError> {
        Ok(norm_loss(&weights.map()?, &self.c)?.into())
    }
}

/// What a check that computes more than one thing returns.
pub type Tried = Result<Evaluation, MeasureError>;

/// The answer of a check that may meet an error.
pub fn tried(check: impl FnOnce() -> Tried) -> Evaluation {
    check().into()
}

/// The operator norm.
pub fn norm(matrix: &IntervalMatrix) -> Result<Enclosure, MatrixError> {
    Ok(SingularValues::of(matrix)?.spectral_norm().into())
}

/// What the statements about Proposition 3 write.
pub const NOTATION: &str = "W₁ ∈ ℝ^{h×d}, W₂ ∈ ℝ^{h×z}, M = W₁ᵀW₂; T: L = Tr(MᵀCM), P: L = ‖MᵀCM‖₂²; λ₁ ≤ … ≤ λ_d the \
                            eigenvalues of C, which is symmetric, v_i orthonormal eigenvectors, ν₋, ν₀ the numbers of \
                            negative eigenvalues and of zeros";

/// The four problems.
pub const PROBLEMS: &str = "problem 1: the least L/(‖W₁‖₂²‖W₂‖₂²) over non-zero W₁, W₂; 2: the least L subject to \
                            ‖W₁‖₂, ‖W₂‖₂ ≤ 1; 3: the least L subject to ‖M‖₂ ≤ 1; 4: the least L subject to W₁ᵀW₁ = \
                            I_d, W₂ᵀW₂ = I_z; ‖·‖₂ the largest singular value";

/// The setting of Proposition 3: problems whose C has a negative eigenvalue, solved.
pub fn with_a_negative_eigenvalue() -> Setting<LinearProblem, Solved> {
    Setting::measuring(|p: &LinearProblem, _| Solved::of(p))
        .given(NOTATION)
        .given(PROBLEMS)
        .assume(Hypothesis::new(NEGATIVE, has_a_negative_eigenvalue))
        .family(problems())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::spectra::diagonal;

    #[test]
    fn the_optimum_takes_the_negative_eigenvalues() {
        let solved = Solved::of(&diagonal(&[-3.0, -1.0, 2.0], 2, 5)).expect("it is solved");
        let tight = solved.orthonormal.as_ref().expect("problem 4 is feasible");
        for optimum in [&solved.bounded, tight] {
            assert!(optimum.value.lo() <= -4.0 && -4.0 <= optimum.value.hi(), "{:?}", optimum.value);
            assert!(optimum.value.hi() - optimum.value.lo() < 1e-9, "{:?}", optimum.value);
            assert_eq!(optimum.selections.first(), Some(&vec![0, 1]));
        }
        let narrow = Solved::of(&diagonal(&[-3.0, -1.0, 2.0], 2, 2)).expect("it is solved");
        assert!(narrow.orthonormal.is_none(), "three orthonormal columns need three rows");
    }
}
