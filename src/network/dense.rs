//! Products of dense row-major matrices, summed in an order that depends on the shapes alone.
//!
//! No fused multiply-add and no reduction across threads: the results are the same bits everywhere. Lengths are the
//! caller's business; what does not fit is left out.

pub(super) use crate::kernels::inner_product as dot;

/// Adds `factor` times `x` to `y`.
pub(super) fn add_scaled(y: &mut [f64], factor: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

/// Applies `matrix` (rows of length `columns`) to every row of `batch`: one row of outputs per row of `batch`.
pub(super) fn apply(matrix: &[f64], columns: usize, batch: &[f64]) -> Vec<f64> {
    let rows = matrix.len() / columns;
    let mut outputs = Vec::with_capacity(batch.len() / columns * rows);
    for vector in batch.chunks_exact(columns) {
        outputs.extend(matrix.chunks_exact(columns).map(|row| dot(row, vector)));
    }
    outputs
}

/// Applies the transpose of `matrix` (rows of length `columns`) to every row of `batch`.
pub(super) fn apply_transposed(matrix: &[f64], columns: usize, batch: &[f64]) -> Vec<f64> {
    let rows = matrix.len() / columns;
    let mut outputs = vec![0.0; batch.len() / rows * columns];
    for (vector, output) in batch.chunks_exact(rows).zip(outputs.chunks_exact_mut(columns)) {
        for (&factor, row) in vector.iter().zip(matrix.chunks_exact(columns)) {
            // Half of the factors belong to inactive units, and adding zero changes nothing.
            if factor != 0.0 {
                add_scaled(output, factor, row);
            }
        }
    }
    outputs
}

/// The sum over the batch of the outer products left_i right_i^T, where the rows of `left` and `right` have the lengths
/// `rows` and `columns`.
pub(super) fn outer_products(left: &[f64], rows: usize, right: &[f64], columns: usize) -> Vec<f64> {
    let mut sum = vec![0.0; rows * columns];
    for (left, right) in left.chunks_exact(rows).zip(right.chunks_exact(columns)) {
        for (&factor, row) in left.iter().zip(sum.chunks_exact_mut(columns)) {
            if factor != 0.0 {
                add_scaled(row, factor, right);
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn products_agree_with_a_worked_example() {
        let matrix = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert_eq!(
            apply(&matrix, 3, &[1.0, 0.0, -1.0, 1.0, 1.0, 1.0]),
            [-2.0, -2.0, 6.0, 15.0]
        );
        assert_eq!(
            apply_transposed(&matrix, 3, &[1.0, -1.0, 0.0, 2.0]),
            [-3.0, -3.0, -3.0, 8.0, 10.0, 12.0]
        );
        assert_eq!(
            outer_products(&[1.0, 2.0, 0.0, 1.0], 2, &[1.0, 1.0, 0.0, 3.0, 0.0, 1.0], 3),
            [1.0, 1.0, 0.0, 5.0, 2.0, 1.0]
        );
    }

    proptest! {
        // Products and sums of small integers are exact, so the order of summation cannot show.
        #[test]
        fn dot_products_of_integers_are_exact(pairs in prop::collection::vec((-999_i32..999, -999_i32..999), 0..40)) {
            let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            let expected: i64 = pairs.iter().map(|&(a, b)| i64::from(a) * i64::from(b)).sum();
            prop_assert_eq!(dot(&a, &b), expected as f64);
        }
    }
}
