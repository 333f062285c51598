//! `log sum_i e^{x_i}`.
//!
//! # Method
//! With the largest entry `m`, which occurs `c` times, `log sum_i e^{x_i} = m + log(1 + S)`, `S = (c - 1) + sum e^{x_i - m}` over the smaller
//! entries. Taking one largest entry out of the sum keeps the relative accuracy of a small `log(1 + S)`. The rounding error of `x_i - m` is found
//! exactly and passed on to the exponential.
//!
//! # Order
//! A block of 64 terms is eight rows of eight; the rows are added as a binary tree, lane by lane, and the eight sums of
//! the block are added to eight compensated accumulators, which are added as a tree at the end. The order depends on the length of
//! the slice alone.
//!
//! # Error
//! All terms are positive. Relatively, in units of `u = 2^-53`: a term is off by `1.8` (`0.86` units in the last place), the
//! tree of a block by `3`, the compensated sums by `1 + n u`, the last tree by `3`, `c - 1` by `1`: `S` by less than
//! `10 + n u`. The relative condition of `log(1 + S)` is at most one, and its own error `1.6` units in the last place, or `3.2`. So, but for
//! subnormal terms, where `n 2^-1074` is to be added,
//!
//! `|computed - exact| <= u |computed| + (14 + n u) u log(1 + S)`, where `log(1 + S) <= log n`.
//!
//! If the largest entry is not negative, this is a relative error of at most `(15 + n u) u`. Where `m` and `log(1 + S)` cancel, the relative
//! error has no bound.
//!
//! The empty sum is minus infinity. A NaN anywhere gives NaN; otherwise plus infinity anywhere gives plus infinity.

use super::dispatch::{InstructionSet, Kernel};
use super::elementwise::{BLOCK, Elementwise};
use super::exponential::{self, ORDINARY};
use super::{KernelError, logarithm};

const LANES: usize = 8;
const ROWS: usize = BLOCK / LANES;

/// `log sum_i e^{x_i}`, within `u |result| + (14 + n u) u log n`, `u = 2^-53`. See the module's text for special values.
#[must_use]
#[inline]
pub fn log_sum_exp(values: &[f64]) -> f64 {
    log_sum_exp_on(InstructionSet::best(), values)
}

/// [`log_sum_exp`] with given instructions.
#[must_use]
pub fn log_sum_exp_on(set: InstructionSet, values: &[f64]) -> f64 {
    set.run(LogSumExp { values })
}

/// [`log_sum_exp`] of every row of a matrix of `output.len()` rows, stored row by row.
///
/// # Errors
/// [`KernelError::Shape`] unless the rows are of equal length.
pub fn log_sum_exp_rows(matrix: &[f64], output: &mut [f64]) -> Result<(), KernelError> {
    let rows = output.len();
    let columns = matrix.len().checked_div(rows).unwrap_or(0);
    if columns * rows != matrix.len() {
        return Err(KernelError::Shape { what: "the matrix", found: matrix.len(), rows, columns });
    }
    let set = InstructionSet::best();
    for (i, value) in output.iter_mut().enumerate() {
        *value = log_sum_exp_on(set, matrix.get(i * columns..(i + 1) * columns).unwrap_or(&[]));
    }
    Ok(())
}

struct LogSumExp<'a> {
    values: &'a [f64],
}

impl Kernel for LogSumExp<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<const WIDTH: usize>(self) -> f64 {
        let (blocks, rest) = self.values.as_chunks::<BLOCK>();
        let mut last = [f64::NEG_INFINITY; BLOCK];
        for (to, from) in last.iter_mut().zip(rest) {
            *to = *from;
        }
        let mut most = [f64::NEG_INFINITY; LANES];
        let mut finite_or_infinite = true;
        for block in blocks {
            finite_or_infinite &= largest(block, &mut most);
        }
        finite_or_infinite &= largest(&last, &mut most);
        if !finite_or_infinite {
            return f64::NAN;
        }
        let m = most.iter().fold(f64::NEG_INFINITY, |a, &b| if b > a { b } else { a });
        if m.is_infinite() {
            return m;
        }
        let mut sum = Accumulators::default();
        for block in blocks {
            sum.add(block, m);
        }
        if !rest.is_empty() {
            // Largest entries do not count as smaller ones, which makes them a good filling.
            for to in last.iter_mut().skip(rest.len()) {
                *to = m;
            }
            sum.add(&last, m);
        }
        let filling = if rest.is_empty() { 0 } else { BLOCK - rest.len() };
        let again = sum.largest() - filling as f64 - 1.0;
        m + logarithm::LogOnePlus::full(again + sum.value())
    }
}

/// Takes the entries of a block into the running maxima; whether none is NaN.
#[inline(always)]
fn largest(block: &[f64; BLOCK], most: &mut [f64; LANES]) -> bool {
    let mut numbers = true;
    for row in block.as_chunks::<LANES>().0 {
        for (m, &x) in most.iter_mut().zip(row) {
            *m = if x > *m { x } else { *m };
        }
    }
    for &x in block {
        numbers &= !x.is_nan();
    }
    numbers
}

#[derive(Default)]
struct Accumulators {
    sums: [f64; LANES],
    errors: [f64; LANES],
    largest: [f64; LANES],
}

impl Accumulators {
    #[inline(always)]
    fn add(&mut self, block: &[f64; BLOCK], m: f64) {
        let mut ordinary = true;
        for &x in block {
            ordinary &= x - m >= -ORDINARY;
        }
        let mut terms = [0.0; BLOCK];
        if ordinary {
            for (term, &x) in terms.iter_mut().zip(block) {
                let (d, low) = difference(x, m);
                let value = exponential::fast(d, low);
                *term = if x == m { 0.0 } else { value };
            }
        } else {
            for (term, &x) in terms.iter_mut().zip(block) {
                let (d, low) = difference(x, m);
                let value = exponential::full(d, low);
                *term = if x == m { 0.0 } else { value };
            }
        }
        for row in block.as_chunks::<LANES>().0 {
            for (count, &x) in self.largest.iter_mut().zip(row) {
                *count += if x == m { 1.0 } else { 0.0 };
            }
        }
        let block_sums = tree(&terms);
        for ((sum, error), term) in self.sums.iter_mut().zip(&mut self.errors).zip(block_sums) {
            let total = *sum + term;
            let back = total - *sum;
            *error += (*sum - (total - back)) + (term - back);
            *sum = total;
        }
    }

    #[inline(always)]
    fn value(&self) -> f64 {
        let mut lanes = self.sums;
        for (lane, error) in lanes.iter_mut().zip(&self.errors) {
            *lane += error;
        }
        pairwise(lanes)
    }

    /// How often the largest entry occurred.
    #[inline(always)]
    fn largest(&self) -> f64 {
        pairwise(self.largest)
    }
}

/// `x - m` as a rounded difference and its error.
#[inline(always)]
fn difference(x: f64, m: f64) -> (f64, f64) {
    let d = x - m;
    let back = d - x;
    (d, (x - (d - back)) - (m + back))
}

/// The eight rows of a block added as a tree.
#[inline(always)]
fn tree(terms: &[f64; BLOCK]) -> [f64; LANES] {
    let mut sums = [0.0; LANES];
    for (lane, sum) in sums.iter_mut().enumerate() {
        let mut column = [0.0; ROWS];
        for (row, value) in column.iter_mut().enumerate() {
            *value = terms[row * LANES + lane];
        }
        *sum = pairwise(column);
    }
    sums
}

#[inline(always)]
fn pairwise(a: [f64; 8]) -> f64 {
    ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]))
}
