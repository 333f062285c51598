//! Optima of the constrained problems of Proposition 3 for L = Tr(MᵀCM), enclosed from both sides without any closed form.
//!
//! L is linear in P = MMᵀ, and both constraints leave P between 0 and I with a trace between two integers. For problems 1 to 3 that is
//! 0 ≤ Tr P ≤ min(d,z,h). For problem 4, M = W₁ᵀW₂ and Tr P = Tr(Π₁Π₂) for projectors of ranks d and z in ℝ^h; from
//! Tr((I − Π₁)(I − Π₂)) ≥ 0 one has Tr P ≥ d + z − h, and Tr P ≤ min(d,z) is plain.
//! - *Below.* For each number μ, Tr(CP) = Tr((C − μ)P) + μ Tr P ≥ Σ min(λ_i − μ, 0) + min(μ least, μ most).
//! - *Above.* For a set S of eigenvectors whose size lies in that range there are weights with P = Σ_S v_iv_iᵀ, written down here.
//! - *Which S.* S is optimal iff no exchange, no addition and no removal improves it (the sizes are an interval); that needs comparisons
//!   of eigenvalues only and is exact. The optimal P of rank r are mixtures of the optimal Σ_S v_iv_iᵀ.

use enclosures::interval::Interval;
use enclosures::linear_algebra::{IntervalMatrix, MatrixError};
use linear_ssl::self_supervised::{SelfSupervisedError, forced_unit_singular_values, trace_loss};

/// The range of Tr MMᵀ, and of the numbers of eigenvectors that MMᵀ can project on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    pub least: usize,
    pub most: usize,
}

/// Problems 1 to 3: singular values at most one, rank at most h.
pub fn bounded(d: usize, z: usize, h: usize) -> Sizes {
    Sizes { least: 0, most: d.min(z).min(h) }
}

/// Problem 4: orthonormal columns; none if there is no room for them.
pub fn orthonormal(d: usize, z: usize, h: usize) -> Option<Sizes> {
    let least = forced_unit_singular_values(d, z, h)?;
    Some(Sizes { least, most: d.min(z) })
}

/// A number that no feasible loss undercuts: the best of the bounds above over μ among the eigenvalues and zero.
pub fn lower_bound(spectrum: &[f64], sizes: Sizes) -> Interval {
    let bound = |mu: f64| {
        let mu = Interval::point(mu);
        let negative: Interval = spectrum.iter().map(|&l| (Interval::point(l) - mu).min(Interval::ZERO)).sum();
        negative + (mu * sizes.least as f64).min(mu * sizes.most as f64)
    };
    let best = spectrum.iter().map(|&l| bound(l)).fold(bound(0.0), Interval::max);
    Interval::point(best.lo())
}

/// Every optimal set of eigenvectors, the smallest sets first. Exponential in d.
pub fn optimal_selections(spectrum: &[f64], sizes: Sizes) -> Vec<Vec<usize>> {
    let d = spectrum.len();
    let mut found: Vec<Vec<usize>> = (0u32..1 << d.min(20))
        .map(|bits| (0..d).filter(|i| bits >> i & 1 == 1).collect::<Vec<_>>())
        .filter(|set| (sizes.least..=sizes.most).contains(&set.len()))
        .filter(|set| {
            let inside = |i: &usize| set.contains(i);
            let highest = set.iter().map(|&i| spectrum[i]).fold(f64::NEG_INFINITY, f64::max);
            let left = (0..d).filter(|i| !inside(i)).map(|i| spectrum[i]);
            let lowest_left = left.fold(f64::INFINITY, f64::min);
            highest <= lowest_left
                && (set.len() == sizes.most || lowest_left >= 0.0)
                && (set.len() == sizes.least || highest <= 0.0)
        })
        .collect();
    found.sort_by_key(Vec::len);
    found
}

/// Weights of the two-layer model, feasible exactly: their entries are enclosed, their constraints hold by construction.
pub struct FeasibleWeights {
    pub first: IntervalMatrix,
    pub second: IntervalMatrix,
}

impl FeasibleWeights {
    /// The map W₂ᵀW₁ = Mᵀ.
    pub fn map(&self) -> Result<IntervalMatrix, MatrixError> {
        self.second.transpose().product(&self.first)
    }

    /// Tr(MᵀCM).
    pub fn loss(&self, c: &IntervalMatrix) -> Result<Interval, SelfSupervisedError> {
        trace_loss(&self.map()?, c)
    }
}

fn indicator(yes: bool) -> Interval {
    if yes { Interval::ONE } else { Interval::ZERO }
}

/// Weights of norm at most one with MMᵀ the projector on the selected columns of `frame`: row j of W₁ is the j-th of them, of W₂ the
/// j-th unit vector, and the other rows are zero. Needs as many rows and outputs as columns are selected.
pub fn bounded_weights(
    frame: &IntervalMatrix,
    selection: &[usize],
    z: usize,
    h: usize,
) -> Result<FeasibleWeights, MatrixError> {
    let chosen = |row: usize, i: usize| selection.get(row).map_or(Interval::ZERO, |&s| frame.at(i, s));
    Ok(FeasibleWeights {
        first: IntervalMatrix::from_fn(h, frame.rows(), chosen)?,
        second: IntervalMatrix::from_fn(h, z, |row, j| indicator(row == j && row < selection.len()))?,
    })
}

/// Weights with orthonormal columns and the same MMᵀ: the rows of W₁ are the columns of `frame`, the selected ones first, and then zeros;
/// the columns of W₂ are the unit vectors of the selected rows, then such as belong to zero rows of W₁.
pub fn orthonormal_weights(
    frame: &IntervalMatrix,
    selection: &[usize],
    z: usize,
    h: usize,
) -> Result<FeasibleWeights, MatrixError> {
    let d = frame.rows();
    let others = (0..d).filter(|i| !selection.contains(i));
    let order: Vec<usize> = selection.iter().copied().chain(others).collect();
    let place = |j: usize| {
        if j < selection.len() { j } else { d + j - selection.len() }
    };
    Ok(FeasibleWeights {
        first: IntervalMatrix::from_fn(h, d, |row, i| order.get(row).map_or(Interval::ZERO, |&s| frame.at(i, s)))?,
        second: IntervalMatrix::from_fn(h, z, |row, j| indicator(row == place(j)))?,
    })
}

/// Σ_S v_iv_iᵀ for the selected columns of `frame`.
pub fn projector(frame: &IntervalMatrix, selection: &[usize]) -> Result<IntervalMatrix, MatrixError> {
    let d = frame.rows();
    IntervalMatrix::from_fn(d, d, |i, j| selection.iter().map(|&s| frame.at(i, s) * frame.at(j, s)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_meet_at_every_optimal_selection() {
        let frame = IntervalMatrix::identity(4).unwrap();
        for spectrum in [[-2.0, 0.5, 0.0, 3.0], [-1.0, -1.0, -1.0, 2.0], [1.0, 1.0, 2.0, 0.0], [0.0; 4]] {
            let c =
                IntervalMatrix::from_fn(4, 4, |i, j| Interval::point(if i == j { spectrum[i] } else { 0.0 })).unwrap();
            for z in 1..=5 {
                for h in 1..=10 {
                    let below = lower_bound(&spectrum, bounded(4, z, h));
                    for set in optimal_selections(&spectrum, bounded(4, z, h)) {
                        assert_eq!(bounded_weights(&frame, &set, z, h).unwrap().loss(&c).unwrap(), below);
                    }
                    let Some(sizes) = orthonormal(4, z, h) else { continue };
                    let below = lower_bound(&spectrum, sizes);
                    let sets = optimal_selections(&spectrum, sizes);
                    assert!(!sets.is_empty());
                    for set in sets {
                        let weights = orthonormal_weights(&frame, &set, z, h).unwrap();
                        assert_eq!(weights.loss(&c).unwrap(), below);
                        let gram = weights.second.transpose().product(&weights.second).unwrap();
                        assert_eq!(gram, IntervalMatrix::identity(z).unwrap());
                        let gram = weights.first.transpose().product(&weights.first).unwrap();
                        assert_eq!(gram, IntervalMatrix::identity(4).unwrap());
                    }
                }
            }
        }
    }
}
