//! All inner products of two lists of vectors.
//!
//! Every product is the plain sum `((0 + a_0 b_0) + a_1 b_1) + ...`, in the order of the coordinates, one accumulator each;
//! vectors run across sixteen right-hand rows at a time, so that the order is the same for every width, tile and thread. The error is the classical
//! `|computed - exact| <= d u / (1 - d u) * sum_k |a_k b_k|` (Higham, *Accuracy and Stability of Numerical Algorithms*, section
//! 3.1) plus `2^-1075` for every product that underflows.

use std::ops::Range;

use super::KernelError;
use super::dispatch::{InstructionSet, Kernel};
use crate::work::shared;
use rayon::prelude::*;

/// Right-hand rows per panel.
const PANEL: usize = 16;
/// Left-hand rows between two passes over the panels.
const STRIP: usize = 64;
/// Left-hand rows per parallel piece of work.
const PIECE: usize = 128;

/// Vectors laid out for many inner products: panels of sixteen, coordinate by coordinate, filled up with zeros.
#[derive(Clone, Debug)]
pub struct PackedRows {
    rows: usize,
    dimension: usize,
    panels: Vec<f64>,
}

impl PackedRows {
    /// From vectors of a given dimension stored one after the other.
    ///
    /// # Errors
    /// [`KernelError::Shape`] unless `dimension` divides the number of coordinates and is not zero.
    pub fn new(vectors: &[f64], dimension: usize) -> Result<Self, KernelError> {
        let rows = row_count("the right side", vectors, dimension)?;
        let mut panels = vec![0.0; rows.div_ceil(PANEL) * PANEL * dimension];
        for (i, row) in vectors.chunks_exact(dimension).enumerate() {
            let start = (i / PANEL) * PANEL * dimension + i % PANEL;
            for (place, &x) in panels.iter_mut().skip(start).step_by(PANEL).zip(row) {
                *place = x;
            }
        }
        Ok(PackedRows {
            rows,
            dimension,
            panels,
        })
    }

    /// From some columns of a matrix stored row by row: one vector per column, one coordinate per row.
    ///
    /// # Errors
    /// [`KernelError::Shape`] unless the matrix has rows, all of them whole, and these columns.
    pub fn of_columns(matrix: &[f64], columns: usize, range: Range<usize>) -> Result<Self, KernelError> {
        let dimension = row_count("the right side", matrix, columns)?;
        if dimension == 0 || range.start > range.end || range.end > columns {
            return Err(KernelError::Shape {
                what: "the columns of the right side",
                found: matrix.len(),
                rows: dimension,
                columns: range.end,
            });
        }
        let mut panels = vec![0.0; range.len().div_ceil(PANEL) * PANEL * dimension];
        for (first, panel) in range
            .clone()
            .step_by(PANEL)
            .zip(panels.chunks_exact_mut(PANEL * dimension))
        {
            let chosen = first..range.end.min(first + PANEL);
            for (place, row) in panel.chunks_exact_mut(PANEL).zip(matrix.chunks_exact(columns)) {
                place[..chosen.len()].copy_from_slice(&row[chosen.clone()]);
            }
        }
        Ok(PackedRows {
            rows: range.len(),
            dimension,
            panels,
        })
    }

    /// Number of vectors.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Coordinates per vector.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The inner products of some left-hand vectors (stored one after the other) with all of these: `output` has one row of
    /// [`PackedRows::rows`] numbers per left-hand vector. On the calling thread.
    ///
    /// # Errors
    /// [`KernelError::Shape`] when the lengths do not fit.
    pub fn products(&self, left: &[f64], output: &mut [f64]) -> Result<(), KernelError> {
        self.products_on(InstructionSet::best(), left, output)
    }

    /// [`PackedRows::products`] with given instructions.
    ///
    /// # Errors
    /// As there.
    pub fn products_on(&self, set: InstructionSet, left: &[f64], output: &mut [f64]) -> Result<(), KernelError> {
        let rows = row_count("the left side", left, self.dimension)?;
        check_rows("the output", output, rows, self.rows)?;
        set.run(Products {
            left,
            right: self,
            output,
        });
        Ok(())
    }
}

/// The `n x m` matrix of inner products of `n` left-hand and `m` right-hand vectors, row by row, on all threads.
///
/// # Errors
/// [`KernelError::Shape`] when the lengths do not fit.
pub fn gram(left: &[f64], right: &[f64], dimension: usize, output: &mut [f64]) -> Result<(), KernelError> {
    let packed = PackedRows::new(right, dimension)?;
    let rows = row_count("the left side", left, dimension)?;
    check_rows("the output", output, rows, packed.rows)?;
    let set = InstructionSet::best();
    shared(output.len() as u64, || {
        output
            .par_chunks_mut((PIECE * packed.rows).max(1))
            .zip(left.par_chunks(PIECE * dimension))
            .try_for_each(|(output, left)| packed.products_on(set, left, output))
    })
}

/// How many vectors of a given dimension, not zero, are stored one after the other.
///
/// # Errors
/// The dimension is zero or does not divide the number of entries; `what` names the array.
pub fn row_count(what: &'static str, vectors: &[f64], dimension: usize) -> Result<usize, KernelError> {
    let rows = vectors.len().checked_div(dimension).unwrap_or(0);
    if dimension > 0 && rows * dimension == vectors.len() {
        return Ok(rows);
    }
    Err(KernelError::Shape {
        what,
        found: vectors.len(),
        rows,
        columns: dimension,
    })
}

/// Refuses an array that is not so many rows of so many numbers.
///
/// # Errors
/// Another length; `what` names the array.
pub fn check_rows(what: &'static str, array: &[f64], rows: usize, columns: usize) -> Result<(), KernelError> {
    if rows.checked_mul(columns) == Some(array.len()) {
        return Ok(());
    }
    Err(KernelError::Shape {
        what,
        found: array.len(),
        rows,
        columns,
    })
}

struct Products<'a> {
    left: &'a [f64],
    right: &'a PackedRows,
    output: &'a mut [f64],
}

impl Kernel for Products<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const WIDTH: usize>(self) {
        let Products { left, right, output } = self;
        // Few rows at a time keep the output's pages at hand.
        let pieces = left.chunks(STRIP * right.dimension);
        for (left, output) in pieces.zip(output.chunks_mut((STRIP * right.rows).max(1))) {
            // As many left rows per tile as the registers can hold accumulators for.
            match WIDTH {
                8 => tiles::<8>(left, right, output),
                4 => tiles::<2>(left, right, output),
                _ => tiles::<1>(left, right, output),
            }
        }
    }
}

#[inline(always)]
fn tiles<const ROWS: usize>(left: &[f64], right: &PackedRows, output: &mut [f64]) {
    let (d, m) = (right.dimension, right.rows);
    for (p, panel) in right.panels.chunks_exact(PANEL * d).enumerate() {
        let first = p * PANEL;
        let width = PANEL.min(m - first);
        let mut left = left;
        let mut row = 0;
        while left.len() >= ROWS * d {
            let (now, later) = left.split_at(ROWS * d);
            let sums = tile::<ROWS>(now, panel, d);
            for (i, sum) in sums.iter().enumerate() {
                let start = (row + i) * m + first;
                store(&mut output[start..start + width], sum);
            }
            left = later;
            row += ROWS;
        }
        for one in left.chunks_exact(d) {
            let sums = tile::<1>(one, panel, d);
            let start = row * m + first;
            store(&mut output[start..start + width], &sums[0]);
            row += 1;
        }
    }
}

/// A whole panel's products in one piece where there is room, or as many as there are.
#[inline(always)]
fn store(places: &mut [f64], sums: &[f64; PANEL]) {
    if let Some(whole) = places.first_chunk_mut::<PANEL>() {
        *whole = *sums;
    } else {
        for (place, sum) in places.iter_mut().zip(sums) {
            *place = *sum;
        }
    }
}

/// The products of some left rows with one panel.
#[inline(always)]
fn tile<const ROWS: usize>(left: &[f64], panel: &[f64], d: usize) -> [[f64; PANEL]; ROWS] {
    let mut sums = [[0.0; PANEL]; ROWS];
    let mut rows = [&left[..d]; ROWS];
    for (i, row) in rows.iter_mut().enumerate() {
        *row = &left[i * d..(i + 1) * d];
    }
    for (k, column) in panel.as_chunks::<PANEL>().0.iter().take(d).enumerate() {
        for (sum, row) in sums.iter_mut().zip(&rows) {
            let x = row[k];
            for (s, &y) in sum.iter_mut().zip(column) {
                *s += x * y;
            }
        }
    }
    sums
}
