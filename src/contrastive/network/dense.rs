//! Products of dense row-major matrices, summed in an order that depends on the shapes alone.
//!
//! No fused multiply-add and no reduction across threads: the results are the same bits everywhere. What is not whole
//! rows, or as many of them as the other side has, is refused whatever the size of the batch.

use std::ops::Range;

pub(super) use enclosures::kernels::inner_product as dot;
use enclosures::kernels::{InstructionSet, Kernel, KernelError, PackedRows, check_rows, row_count};

use super::images::images;

/// Adds `factor` times `x` to `y`.
#[inline(always)]
pub(super) fn add_scaled(y: &mut [f64], factor: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

/// Adds `factor` times `x` to `y`, by the widest registers that there are, which long lists are worth: a step of gradient descent.
///
/// # Panics
/// If the two lists are not equally long.
pub fn add_multiple(y: &mut [f64], factor: f64, x: &[f64]) {
    assert_eq!(y.len(), x.len(), "the lists are equally long");
    if y.is_empty() {
        return;
    }
    InstructionSet::best().run(Combination { factors: &[factor], rows: x, output: y });
}

/// Rows of a matrix that are laid out for vector instructions at a time, so that they stay in the cache.
const BLOCK: usize = 128;

/// Below so many vectors the layout would cost more than it gains.
const FEW: usize = 6;

/// Applies `matrix` (rows of length `columns`) to every row of `batch`: one row of outputs per row of `batch`.
///
/// Every output is the plain sum over the coordinates in their order, whatever the size of the batch.
///
/// # Errors
/// [`KernelError::Shape`] unless matrix and batch are whole rows of that length.
pub(super) fn apply(matrix: &[f64], columns: usize, batch: &[f64]) -> Result<Vec<f64>, KernelError> {
    let rows = row_count("the matrix", matrix, columns)?;
    let count = row_count("the batch", batch, columns)?;
    if count < FEW {
        return Ok(match count {
            1 => images::<1>(matrix, columns, batch),
            2 => images::<2>(matrix, columns, batch),
            3 => images::<3>(matrix, columns, batch),
            4 => images::<4>(matrix, columns, batch),
            5 => images::<5>(matrix, columns, batch),
            _ => Vec::new(),
        });
    }
    in_blocks(count, rows, batch, |range| PackedRows::new(&matrix[range.start * columns..range.end * columns], columns))
}

/// Applies the transpose of `matrix` (rows of length `columns`) to every row of `batch`.
///
/// # Errors
/// [`KernelError::Shape`] unless the matrix has whole rows, at least one, and the batch whole rows of as many numbers.
pub(super) fn apply_transposed(matrix: &[f64], columns: usize, batch: &[f64]) -> Result<Vec<f64>, KernelError> {
    let rows = row_count("the matrix", matrix, columns)?;
    let count = row_count("the batch", batch, rows)?;
    if count >= FEW {
        return in_blocks(count, columns, batch, |range| PackedRows::of_columns(matrix, columns, range));
    }
    let (set, mut outputs) = (InstructionSet::best(), vec![0.0; count * columns]);
    if count == 1 {
        set.run(Combination { factors: batch, rows: matrix, output: &mut outputs });
    } else {
        set.run(Combinations { factors: batch, rows: matrix, outputs: &mut outputs, columns });
    }
    Ok(outputs)
}

/// The sum over the batch of the outer products left_i right_i^T, where the rows of `left` and `right` have the lengths
/// `rows` and `columns`.
///
/// # Errors
/// [`KernelError::Shape`] unless both are whole rows of these lengths, as many on the right as on the left.
pub(super) fn outer_products(
    left: &[f64],
    rows: usize,
    right: &[f64],
    columns: usize,
) -> Result<Vec<f64>, KernelError> {
    let count = row_count("the left side", left, rows)?;
    row_count("the right side", right, columns)?;
    check_rows("the right side", right, count, columns)?;
    if count >= FEW {
        let mut turned = vec![0.0; rows * count];
        for (i, row) in left.chunks_exact(rows).enumerate() {
            for (place, &x) in turned.iter_mut().skip(i).step_by(count).zip(row) {
                *place = x;
            }
        }
        return in_blocks(rows, columns, &turned, |range| PackedRows::of_columns(right, columns, range));
    }
    let mut sum = vec![0.0; rows * columns];
    InstructionSet::best().run(OuterProducts { left, rows, right, columns, sum: &mut sum });
    Ok(sum)
}

/// The inner products of `count` left vectors with `width` right ones, which are laid out block by block.
fn in_blocks(
    count: usize,
    width: usize,
    left: &[f64],
    packed: impl Fn(Range<usize>) -> Result<PackedRows, KernelError>,
) -> Result<Vec<f64>, KernelError> {
    let mut outputs = vec![0.0; count * width];
    if width <= BLOCK {
        // A single block is all there is.
        packed(0..width)?.products(left, &mut outputs)?;
        return Ok(outputs);
    }
    let mut buffer = vec![0.0; count * BLOCK];
    for first in (0..width).step_by(BLOCK) {
        let range = first..width.min(first + BLOCK);
        let block = &mut buffer[..count * range.len()];
        packed(range.clone())?.products(left, block)?;
        for (row, found) in outputs.chunks_exact_mut(width).zip(block.chunks_exact(range.len())) {
            row[range.clone()].copy_from_slice(found);
        }
    }
    Ok(outputs)
}

/// Adds multiples of rows up. Half of the factors belong to inactive units, and adding zero changes nothing.
struct Combination<'a> {
    factors: &'a [f64],
    rows: &'a [f64],
    output: &'a mut [f64],
}

impl Kernel for Combination<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const WIDTH: usize>(self) {
        for (&factor, row) in self.factors.iter().zip(self.rows.chunks_exact(self.output.len())) {
            if factor != 0.0 {
                add_scaled(self.output, factor, row);
            }
        }
    }
}

/// Adds multiples of rows up, for several lists of factors: every row is read once for all of them.
struct Combinations<'a> {
    factors: &'a [f64],
    rows: &'a [f64],
    outputs: &'a mut [f64],
    columns: usize,
}

impl Kernel for Combinations<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const WIDTH: usize>(self) {
        let count = self.rows.len() / self.columns;
        for (r, row) in self.rows.chunks_exact(self.columns).enumerate() {
            let lists = self.factors.chunks_exact(count);
            for (factors, output) in lists.zip(self.outputs.chunks_exact_mut(self.columns)) {
                if factors[r] != 0.0 {
                    add_scaled(output, factors[r], row);
                }
            }
        }
    }
}

/// Adds the products of all coordinates of several pairs of vectors to a matrix, row by row.
struct OuterProducts<'a> {
    left: &'a [f64],
    rows: usize,
    right: &'a [f64],
    columns: usize,
    sum: &'a mut [f64],
}

impl Kernel for OuterProducts<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const WIDTH: usize>(self) {
        match self.columns {
            1 => self.short::<1>(),
            2 => self.short::<2>(),
            3 => self.short::<3>(),
            4 => self.short::<4>(),
            _ => self.long(),
        }
    }
}

impl OuterProducts<'_> {
    #[inline(always)]
    fn long(self) {
        for (r, row) in self.sum.chunks_exact_mut(self.columns).enumerate() {
            let pairs = self.left.chunks_exact(self.rows).zip(self.right.chunks_exact(self.columns));
            for (left, right) in pairs {
                if left[r] != 0.0 {
                    add_scaled(row, left[r], right);
                }
            }
        }
    }

    /// For so few columns that to ask for zeros would cost more than to add them, which changes nothing where all numbers are finite.
    #[inline(always)]
    fn short<const COLUMNS: usize>(self) {
        let (rows, _) = self.sum.as_chunks_mut::<COLUMNS>();
        let (rights, _) = self.right.as_chunks::<COLUMNS>();
        for (left, right) in self.left.chunks_exact(self.rows).zip(rights) {
            for (row, factor) in rows.iter_mut().zip(left) {
                for (sum, x) in row.iter_mut().zip(right) {
                    *sum += factor * x;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use enclosures::probability::fill_standard_normal;
    use enclosures::stream::stream;

    #[test]
    fn products_agree_with_a_worked_example() {
        let matrix = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert_eq!(apply(&matrix, 3, &[1.0, 0.0, -1.0, 1.0, 1.0, 1.0]).unwrap(), [-2.0, -2.0, 6.0, 15.0]);
        assert_eq!(apply_transposed(&matrix, 3, &[1.0, -1.0, 0.0, 2.0]).unwrap(), [-3.0, -3.0, -3.0, 8.0, 10.0, 12.0]);
        assert_eq!(
            outer_products(&[1.0, 2.0, 0.0, 1.0], 2, &[1.0, 1.0, 0.0, 3.0, 0.0, 1.0], 3).unwrap(),
            [1.0, 1.0, 0.0, 5.0, 2.0, 1.0]
        );
    }

    /// Few rows and many, which are laid out in blocks, are refused alike; nothing is filled up or left out.
    #[test]
    fn what_does_not_fit_is_refused() {
        let (matrix, seven) = ([1.0; 6], [1.0; 21]);
        for batch in [&[1.0; 4][..], &[1.0; 22]] {
            assert!(apply(&matrix, 3, batch).is_err());
            assert!(apply(&matrix[..5], 3, batch).is_err() && apply(&matrix, 0, batch).is_err());
        }
        for batch in [&[1.0; 3][..], &[1.0; 21]] {
            assert!(apply_transposed(&matrix, 3, batch).is_err());
            assert!(apply_transposed(&[], 3, batch).is_err() && apply_transposed(&matrix, 0, batch).is_err());
            assert!(outer_products(batch, 2, &seven, 3).is_err());
            assert!(outer_products(&seven, 3, batch, 0).is_err() && outer_products(batch, 0, &seven, 3).is_err());
        }
        // Seven rows on one side, six or two on the other.
        assert!(outer_products(&seven, 3, &seven[..18], 3).is_err());
        assert!(outer_products(&seven, 3, &seven[..6], 3).is_err());
        assert!(outer_products(&seven[..6], 3, &seven, 3).is_err());
    }

    proptest! {
        // Products and sums of small integers are exact, so the order of summation cannot show.
        #[test]
        fn batches_of_every_size_give_the_same_bits(
            seed: u64, (rows, columns) in (1usize..70, 1usize..40),
        ) {
            let mut rng = stream(seed, &["dense"]);
            let mut normal = |n: usize| {
                let mut list = vec![0.0; n];
                fill_standard_normal(&mut rng, &mut list);
                list
            };
            let (matrix, batch, back) = (normal(rows * columns), normal(9 * columns), normal(9 * rows));
            let one_by_one = |f: &dyn Fn(&[f64]) -> Vec<f64>, batch: &[f64], length: usize| -> Vec<f64> {
                batch.chunks_exact(length).flat_map(f).collect()
            };
            let forward = |v: &[f64]| apply(&matrix, columns, v).unwrap();
            prop_assert_eq!(forward(&batch), one_by_one(&forward, &batch, columns));
            let transposed = |v: &[f64]| apply_transposed(&matrix, columns, v).unwrap();
            prop_assert_eq!(transposed(&back), one_by_one(&transposed, &back, rows));
            let mut sum = vec![0.0; rows * columns];
            for (left, right) in back.chunks_exact(rows).zip(batch.chunks_exact(columns)) {
                add_scaled(&mut sum, 1.0, &outer_products(left, rows, right, columns).unwrap());
            }
            prop_assert_eq!(outer_products(&back, rows, &batch, columns).unwrap(), sum);
        }

        #[test]
        fn dot_products_of_integers_are_exact(pairs in prop::collection::vec((-999_i32..999, -999_i32..999), 0..40)) {
            let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            let expected: i64 = pairs.iter().map(|&(a, b)| i64::from(a) * i64::from(b)).sum();
            prop_assert_eq!(dot(&a, &b), expected as f64);
        }
    }
}
