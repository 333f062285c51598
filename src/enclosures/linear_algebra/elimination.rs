//! Ranks by elimination: the way to prove that a matrix has *no more* than a certain rank.

use super::{IntervalMatrix, RankBounds};
use crate::interval::Interval;

/// Bounds for the rank of every matrix inside `matrix`, by Bareiss's fraction-free elimination with complete pivoting.
///
/// Step k replaces `a_ij` by `(a_kk a_ij - a_ik a_kj) / p`, `p` the previous pivot; the new entries are minors of the matrix, so
/// for integers (and integers times a common power of two) of moderate size everything is exact and so is the rank. In
/// general, k certain pivots show rank at least k, and what is left has at most as many independent rows (columns) as there
/// are rows (columns) that are not exactly zero.
#[must_use]
pub fn rank_by_elimination(matrix: &IntervalMatrix) -> RankBounds {
    let mut rest: Vec<Vec<Interval>> = matrix.row_iter().map(<[Interval]>::to_vec).collect();
    let mut previous = Interval::ONE;
    let mut pivots = 0;
    while let Some((row, column)) = largest_certain_entry(&rest) {
        let mut pivot_row = rest.swap_remove(row);
        let pivot = pivot_row.swap_remove(column);
        for other in &mut rest {
            let factor = other.swap_remove(column);
            for (entry, &above) in other.iter_mut().zip(&pivot_row) {
                *entry = (pivot * *entry - factor * above) / previous;
            }
        }
        previous = pivot;
        pivots += 1;
    }
    let rows = rest.iter().filter(|r| r.iter().any(|e| *e != Interval::ZERO)).count();
    let width = rest.first().map_or(0, Vec::len);
    let columns = (0..width).filter(|&j| rest.iter().any(|r| r[j] != Interval::ZERO)).count();
    RankBounds { at_least: pivots, at_most: pivots + rows.min(columns) }
}

/// Place of the entry farthest from zero among those that certainly differ from zero; the first of several.
fn largest_certain_entry(rows: &[Vec<Interval>]) -> Option<(usize, usize)> {
    let mut best: Option<((usize, usize), f64)> = None;
    for (i, row) in rows.iter().enumerate() {
        for (j, entry) in row.iter().enumerate() {
            let size = entry.mignitude();
            if size > best.map_or(0.0, |(_, most)| most) {
                best = Some(((i, j), size));
            }
        }
    }
    best.map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::linear_algebra::Matrix;

    proptest! {
        #[test]
        fn products_of_integer_matrices_have_the_inner_rank_at_most(
            r in 1..4usize,
            left in prop::collection::vec(-3..=3i8, 15),
            right in prop::collection::vec(-3..=3i8, 15),
        ) {
            let a = Matrix::from_fn(5, r, |i, j| f64::from(left[i * r + j])).unwrap();
            let b = Matrix::from_fn(r, 5, |i, j| f64::from(right[i * 5 + j])).unwrap();
            let product = IntervalMatrix::from(a).product(&b.into()).unwrap();
            let bounds = rank_by_elimination(&product);
            prop_assert!(bounds.exact().is_some_and(|rank| rank <= r), "{:?}", bounds);
        }
    }

    #[test]
    fn zero_and_full_rank() {
        let zero = IntervalMatrix::new(2, 3, vec![Interval::ZERO; 6]).unwrap();
        assert_eq!(rank_by_elimination(&zero).exact(), Some(0));
        assert_eq!(rank_by_elimination(&IntervalMatrix::identity(4).unwrap()).exact(), Some(4));
        let unknown = IntervalMatrix::new(1, 2, vec![Interval::ENTIRE; 2]).unwrap();
        assert_eq!(rank_by_elimination(&unknown), RankBounds { at_least: 0, at_most: 1 });
    }
}
