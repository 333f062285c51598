//! Verified singular values, and the norms and ranks that are read off from them.

use super::symmetric_eigenvalues::{decoupled_blocks, in_order, power_of_two_near, rescaled};
use super::{IntervalMatrix, MatrixError, symmetric_eigenvalues};
use crate::enclosure::Enclosure;
use crate::interval::Interval;

/// What is known about a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankBounds {
    /// The rank is at least this.
    pub at_least: usize,
    /// The rank is at most this.
    pub at_most: usize,
}

impl RankBounds {
    /// What two findings about the same matrix say together.
    #[must_use]
    pub fn and(self, other: RankBounds) -> RankBounds {
        RankBounds { at_least: self.at_least.max(other.at_least), at_most: self.at_most.min(other.at_most) }
    }

    /// The rank, if the bounds meet.
    #[must_use]
    pub fn exact(self) -> Option<usize> {
        (self.at_least == self.at_most).then_some(self.at_least)
    }

    /// The rank as a number known to lie between the bounds.
    #[must_use]
    pub fn enclosed(self) -> Enclosure {
        Enclosure::between(self.at_least as f64, self.at_most as f64)
    }
}

/// Enclosures of the singular values `σ_1 >= σ_2 >= ... >= σ_min(m,n) >= 0` of every `m x n` matrix inside an interval matrix.
///
/// The symmetric matrix `[[0, M], [M^T, 0]]` has the eigenvalues `±σ_k` and `|m - n|` zeros (Jordan-Wielandt), so the verified
/// eigenvalues give each `σ_k` twice; the two enclosures are intersected. Rows and columns are first sorted into blocks that
/// do not share a non-zero entry; a block with one row or one column has its Euclidean length as singular value. Zero matrices, diagonal
/// matrices and permutations therefore have point answers.
///
/// ```
/// use contrapositive_enclosures::interval::Interval;
/// use contrapositive_enclosures::linear_algebra::{Matrix, SingularValues};
/// let m = Matrix::from_rows(vec![vec![0.0, 2.0], vec![-3.0, 0.0]])?;
/// let singular = SingularValues::of(&m.into())?;
/// assert_eq!(singular.values(), [Interval::point(3.0), Interval::point(2.0)]);
/// assert_eq!(singular.rank_bounds().exact(), Some(2));
/// # Ok::<(), contrapositive_enclosures::linear_algebra::MatrixError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SingularValues {
    values: Vec<Interval>,
    frobenius_norm_squared: Interval,
}

impl SingularValues {
    /// The singular values of every matrix inside `matrix`.
    ///
    /// # Errors
    /// An unbounded entry.
    pub fn of(matrix: &IntervalMatrix) -> Result<Self, MatrixError> {
        let (m, n) = (matrix.rows(), matrix.columns());
        if let Some(k) = matrix.entries().iter().position(|e| !e.is_finite()) {
            return Err(MatrixError::NotFinite { row: k / n, column: k % n, value: f64::INFINITY });
        }
        let scale = power_of_two_near(matrix.entries().iter().map(|e| e.magnitude()).fold(0.0, f64::max));
        // Nodes 0..m are rows, m..m+n columns.
        let linked = |a: usize, b: usize| a < m && b >= m && matrix.at(a, b - m) != Interval::ZERO;
        let mut found = Vec::new();
        for block in decoupled_blocks(m + n, linked) {
            let (rows, columns): (Vec<usize>, Vec<usize>) = block.into_iter().partition(|&node| node < m);
            if rows.is_empty() || columns.is_empty() {
                continue;
            }
            let part = IntervalMatrix::from_fn(rows.len(), columns.len(), |i, j| {
                rescaled(matrix.at(rows[i], columns[j] - m), 1.0 / scale)
            })?;
            found.extend(of_block(&part)?.into_iter().map(|s| rescaled(s, scale)));
        }
        found.resize(m.min(n), Interval::ZERO);
        let mut values = in_order(&found);
        values.reverse();
        Ok(SingularValues { values, frobenius_norm_squared: matrix.frobenius_norm_squared() })
    }

    /// All of them, the largest first.
    #[must_use]
    pub fn values(&self) -> &[Interval] {
        &self.values
    }

    /// The operator norm `||M||_2 = σ_1`.
    #[must_use]
    pub fn spectral_norm(&self) -> Interval {
        self.values.first().copied().unwrap_or(Interval::ZERO)
    }

    /// The nuclear norm `||M||_* = sum of σ_k`.
    #[must_use]
    pub fn nuclear_norm(&self) -> Interval {
        self.values.iter().copied().sum()
    }

    /// The square of the Frobenius norm.
    #[must_use]
    pub fn frobenius_norm_squared(&self) -> Interval {
        self.frobenius_norm_squared
    }

    /// The stable rank `||M||_F^2 / ||M||_2^2`, a number between 1 and the rank. The zero matrix has none; of a matrix that
    /// may or may not be zero, the answer concerns the other case.
    #[must_use]
    pub fn stable_rank(&self) -> Option<Interval> {
        let bounds = self.rank_bounds();
        if bounds.at_most == 0 {
            return None;
        }
        let range = Interval::new(1.0, bounds.at_most as f64);
        let rest: Interval = self.values.iter().skip(1).map(|s| s.square()).sum();
        let top = self.spectral_norm().square();
        // Two forms of the same number; whichever is tighter.
        let ratio = (self.frobenius_norm_squared / top).intersection(Interval::ONE + rest / top);
        Some(ratio.and_then(|r| r.intersection(range)).unwrap_or(range))
    }

    /// How many singular values are certainly positive, and how many are not certainly zero.
    #[must_use]
    pub fn rank_bounds(&self) -> RankBounds {
        RankBounds {
            at_least: self.values.iter().filter(|s| s.is_positive()).count(),
            at_most: self.values.iter().filter(|s| s.hi() > 0.0).count(),
        }
    }
}

/// Singular values of a matrix without separable blocks, in no particular order.
fn of_block(part: &IntervalMatrix) -> Result<Vec<Interval>, MatrixError> {
    let (r, c) = (part.rows(), part.columns());
    if let [entry] = part.entries() {
        return Ok(vec![entry.abs()]);
    }
    if r == 1 || c == 1 {
        return Ok(vec![part.frobenius_norm()]);
    }
    let doubled = IntervalMatrix::from_fn(r + c, r + c, |i, j| match (i < r, j < r) {
        (true, false) => part.at(i, j - r),
        (false, true) => part.at(j, i - r),
        _ => Interval::ZERO,
    })?;
    let eigenvalues = symmetric_eigenvalues(&doubled)?;
    let pairs = eigenvalues.iter().zip(eigenvalues.iter().rev()).take(r.min(c));
    Ok(pairs
        .map(|(&low, &high)| {
            let both = high.intersection(-low).unwrap_or(high);
            Interval::new(both.lo().max(0.0), both.hi().max(0.0))
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::linear_algebra::{Matrix, PlaneRotation, rank_by_elimination};

    fn of(rows: Vec<Vec<f64>>) -> SingularValues {
        SingularValues::of(&Matrix::from_rows(rows).unwrap().into()).unwrap()
    }

    #[test]
    fn known_matrices() {
        // [[3, 0], [4, 5]]: singular values sqrt(45) and sqrt(5).
        let m = of(vec![vec![3.0, 0.0], vec![4.0, 5.0]]);
        for (s, square) in m.values().iter().zip([45.0, 5.0]) {
            assert!(s.square().contains(square) && s.width() < 1e-13, "{s:?}");
        }
        assert!(m.nuclear_norm().square().contains(80.0));
        let stable = m.stable_rank().unwrap();
        assert!(stable.lo() <= 50.0 / 45.0 && 50.0 / 45.0 <= stable.hi() && stable.width() < 1e-13);
        // A row: its length; the zero matrix: rank 0, no stable rank.
        assert_eq!(of(vec![vec![3.0, 4.0]]).values(), [Interval::point(5.0)]);
        let zero = of(vec![vec![0.0; 3]; 2]);
        assert_eq!((zero.rank_bounds().exact(), zero.stable_rank(), zero.values().len()), (Some(0), None, 2));
        assert_eq!(zero.rank_bounds().enclosed().interval(), Interval::ZERO);
        let either = RankBounds { at_least: 1, at_most: 2 };
        assert_eq!(either.enclosed().interval(), Interval::new(1.0, 2.0));
        let identity = SingularValues::of(&IntervalMatrix::identity(3).unwrap()).unwrap();
        assert_eq!(identity.stable_rank(), Some(Interval::point(3.0)));
    }

    #[test]
    fn rank_one_needs_elimination_for_its_upper_bound() {
        let rows = vec![vec![1.0, 2.0], vec![3.0, 6.0]];
        let matrix: IntervalMatrix = Matrix::from_rows(rows.clone()).unwrap().into();
        assert_eq!(of(rows).rank_bounds().at_least, 1);
        assert_eq!(rank_by_elimination(&matrix).exact(), Some(1));
    }

    #[test]
    fn unbounded_matrices_are_refused() {
        assert!(SingularValues::of(&IntervalMatrix::new(1, 1, vec![Interval::ENTIRE]).unwrap()).is_err());
    }

    proptest! {
        #[test]
        fn prescribed_singular_values_are_found_again(
            mut sigma in prop::collection::vec(0.0..5.0f64, 1..5),
            extra in 0..3usize,
            turns in prop::collection::vec((0..8usize, 0..8usize, -3.0..3.0f64, any::<bool>()), 0..10),
        ) {
            let (n, m) = (sigma.len(), sigma.len() + extra);
            let on = |left: bool, size: usize| -> Vec<PlaneRotation> {
                turns.iter().filter(|t| t.3 == left && t.0 % size != t.1 % size)
                    .map(|t| PlaneRotation { first: t.0 % size, second: t.1 % size, half_tangent: t.2 }).collect()
            };
            let u = PlaneRotation::product_of(m, &on(true, m)).unwrap();
            let v = PlaneRotation::product_of(n, &on(false, n)).unwrap();
            let core = Matrix::from_fn(m, n, |i, j| if i == j { sigma[i] } else { 0.0 }).unwrap();
            let matrix = u.product(&core.into()).unwrap().product(&v).unwrap();
            let found = SingularValues::of(&matrix).unwrap();
            sigma.sort_by(|a, b| b.total_cmp(a));
            prop_assert_eq!(found.values().len(), n);
            for (s, exact) in found.values().iter().zip(&sigma) {
                prop_assert!(s.contains(*exact) && s.width() <= 1e-11, "{:?} {}", s, exact);
            }
            let bounds = found.rank_bounds();
            let rank = sigma.iter().filter(|s| **s > 0.0).count();
            prop_assert!(bounds.at_least <= rank && rank <= bounds.at_most);
            if let Some(stable) = found.stable_rank() {
                prop_assert!(stable.lo() >= 1.0 && stable.hi() <= n as f64);
            }
        }
    }
}
