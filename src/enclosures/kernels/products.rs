//! All inner products of two lists of vectors.
//!
//! Every product is the plain sum `((0 + a_0 b_0) + a_1 b_1) + ...`, in the order of the coordinates, one accumulator each;
//! vectors run across eight right-hand rows at a time, so that the order is the same for every width, tile and thread. Long rows are met in
//! blocks of coordinates, between which the accumulators rest in the output: storing them rounds nothing. The error is the classical
//! `|computed - exact| <= d u / (1 - d u) * sum_k |a_k b_k|` (Higham, *Accuracy and Stability of Numerical Algorithms*, section
//! 3.1) plus `2^-1075` for every product that underflows.

use std::ops::Range;

use super::KernelError;
use super::dispatch::{InstructionSet, Kernel};
use super::transposition::transposed;
use crate::work::shared;
use rayon::prelude::*;

/// Right-hand rows per panel: as many as the widest register holds, so that every left-hand coordinate is met once per tile and may stay in
/// memory while it is multiplied.
const PANEL: usize = 8;
/// Left-hand rows that are laid out side by side, coordinate by coordinate.
const GROUP: usize = 8;
/// Left-hand rows between two passes over the panels, and where rows are so long that panels come from afar.
const STRIP: usize = 64;
const LONG_STRIP: usize = 192;
/// Coordinates of a block: what a tile meets of both sides stays in the nearest cache.
const BLOCK: usize = 256;
/// Coordinates that are laid out at a time: of as many rows as stand side by side they share the nearest cache, even where rows follow
/// one another at a distance that is a power of two.
const PIECE_OF_ROW: usize = 32;
/// Left-hand rows per parallel piece of work.
const PIECE: usize = 128;

/// Vectors laid out for many inner products: panels of eight, coordinate by coordinate, filled up with zeros.
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
        let mut panels = vec![0.0; Self::room(rows, dimension)];
        InstructionSet::best().run(Layout { vectors, dimension, panels: &mut panels });
        Ok(PackedRows { rows, dimension, panels })
    }

    /// From vectors of a given dimension stored one after the other, in their place: no memory beside theirs where they have room for a whole
    /// number of eights ([`PackedRows::room`]).
    ///
    /// # Errors
    /// As [`PackedRows::new`].
    pub fn in_place(mut vectors: Vec<f64>, dimension: usize) -> Result<Self, KernelError> {
        let rows = row_count("the right side", &vectors, dimension)?;
        vectors.resize(Self::room(rows, dimension), 0.0);
        let mut kept = vec![0.0; PANEL * dimension];
        for panel in vectors.chunks_exact_mut(PANEL * dimension) {
            kept.copy_from_slice(panel);
            InstructionSet::best().run(Layout { vectors: &kept, dimension, panels: panel });
        }
        Ok(PackedRows { rows, dimension, panels: vectors })
    }

    /// How many numbers so many vectors take.
    #[must_use]
    pub fn room(rows: usize, dimension: usize) -> usize {
        rows.div_ceil(PANEL) * PANEL * dimension
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
        let mut panels = vec![0.0; Self::room(range.len(), dimension)];
        for (first, panel) in range.clone().step_by(PANEL).zip(panels.chunks_exact_mut(PANEL * dimension)) {
            let chosen = first..range.end.min(first + PANEL);
            for (place, row) in panel.as_chunks_mut::<PANEL>().0.iter_mut().zip(matrix.chunks_exact(columns)) {
                load(&row[chosen.clone()], place);
            }
        }
        Ok(PackedRows { rows: range.len(), dimension, panels })
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
        set.run(Products { left, right: self, output });
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
    Err(KernelError::Shape { what, found: vectors.len(), rows, columns: dimension })
}

/// Refuses an array that is not so many rows of so many numbers.
///
/// # Errors
/// Another length; `what` names the array.
pub fn check_rows(what: &'static str, array: &[f64], rows: usize, columns: usize) -> Result<(), KernelError> {
    if rows.checked_mul(columns) == Some(array.len()) {
        return Ok(());
    }
    Err(KernelError::Shape { what, found: array.len(), rows, columns })
}

/// Lays vectors out in panels.
struct Layout<'a> {
    vectors: &'a [f64],
    dimension: usize,
    panels: &'a mut [f64],
}

impl Kernel for Layout<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const WIDTH: usize>(self) {
        let size = PANEL * self.dimension;
        for (rows, panel) in self.vectors.chunks(size).zip(self.panels.chunks_exact_mut(size)) {
            side_by_side::<WIDTH>(rows, self.dimension, 0..self.dimension, panel);
        }
    }
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
        let (d, m) = (right.dimension, right.rows);
        if m == 0 {
            return;
        }
        // Few rows at a time keep the output's pages at hand.
        let strip = if d > BLOCK { LONG_STRIP } else { STRIP };
        let rows = strip.min((left.len() / d).next_multiple_of(GROUP));
        let mut packed = vec![0.0; rows * BLOCK.min(d)];
        for (left, output) in left.chunks(strip * d).zip(output.chunks_mut(strip * m)) {
            for from in (0..d).step_by(BLOCK) {
                let block = from..d.min(from + BLOCK);
                let size = GROUP * block.len();
                for (group, into) in left.chunks(GROUP * d).zip(packed.chunks_exact_mut(size)) {
                    side_by_side::<WIDTH>(group, d, block.clone(), into);
                }
                for (p, panel) in right.panels.chunks_exact(PANEL * d).enumerate() {
                    let panel = &panel[PANEL * block.start..PANEL * block.end];
                    let place = (p * PANEL, from == 0);
                    for (group, output) in packed.chunks_exact(size).zip(output.chunks_mut(GROUP * m)) {
                        tiles::<WIDTH>(group.as_chunks().0, panel.as_chunks().0, m, place, output);
                    }
                }
            }
        }
    }
}

/// Some coordinates of up to [`GROUP`] rows, coordinate by coordinate. Places of rows that are not there stay as they are: nobody reads
/// what comes of them.
#[inline(always)]
fn side_by_side<const WIDTH: usize>(rows: &[f64], dimension: usize, range: Range<usize>, into: &mut [f64]) {
    // Shorter registers gather as fast as they turn.
    let whole = if WIDTH == GROUP && rows.len() == GROUP * dimension {
        turned(rows, dimension, range.clone(), into)
    } else {
        0
    };
    let range = range.start + whole..range.end;
    let pieces = range.clone().step_by(PIECE_OF_ROW);
    for (from, into) in pieces.zip(into[whole * GROUP..].chunks_mut(PIECE_OF_ROW * GROUP)) {
        let to = range.end.min(from + PIECE_OF_ROW);
        for (i, row) in rows.chunks_exact(dimension).enumerate() {
            for (into, &x) in into.as_chunks_mut::<GROUP>().0.iter_mut().zip(&row[from..to]) {
                into[i] = x;
            }
        }
    }
}

/// The coordinates of [`GROUP`] rows as far as they fill tiles of as many, and how many these are.
#[inline(always)]
fn turned(rows: &[f64], dimension: usize, range: Range<usize>, into: &mut [f64]) -> usize {
    let rows: [&[[f64; GROUP]]; GROUP] =
        std::array::from_fn(|i| rows[i * dimension..][range.clone()].as_chunks::<GROUP>().0);
    let tiles = rows[0].len();
    let places = into.as_chunks_mut::<GROUP>().0.as_chunks_mut::<GROUP>().0;
    for (tile, place) in places.iter_mut().take(tiles).enumerate() {
        *place = transposed(rows.map(|row| row[tile]));
    }
    tiles * GROUP
}

/// Continues the products of a group of left rows, as many as there are rows of the output, with one panel: as many rows at a time as the
/// registers can hold accumulators for.
#[inline(always)]
fn tiles<const WIDTH: usize>(
    group: &[[f64; GROUP]],
    panel: &[[f64; PANEL]],
    m: usize,
    place: (usize, bool),
    output: &mut [f64],
) {
    let rows = output.len() / m;
    match WIDTH {
        8 if rows > 4 => tile::<8, 0>(group, panel, m, place, output),
        8 | 4 => {
            tile::<4, 0>(group, panel, m, place, output);
            if rows > 4 {
                tile::<4, 4>(group, panel, m, place, output);
            }
        }
        _ => {
            tile::<2, 0>(group, panel, m, place, output);
            if rows > 2 {
                tile::<2, 2>(group, panel, m, place, output);
            }
            if rows > 4 {
                tile::<2, 4>(group, panel, m, place, output);
            }
            if rows > 6 {
                tile::<2, 6>(group, panel, m, place, output);
            }
        }
    }
}

/// The products of `ROWS` left rows, from `FROM` on, with one panel: from zero, or from what a former block of coordinates has left in the output.
#[inline(always)]
fn tile<const ROWS: usize, const FROM: usize>(
    group: &[[f64; GROUP]],
    panel: &[[f64; PANEL]],
    m: usize,
    (first, begin): (usize, bool),
    output: &mut [f64],
) {
    let width = PANEL.min(m - first);
    let mut sums = [[0.0; PANEL]; ROWS];
    if !begin {
        for (sum, row) in sums.iter_mut().zip(output.chunks_exact(m).skip(FROM)) {
            load(&row[first..first + width], sum);
        }
    }
    if let Some(eight) = sums.first_chunk_mut::<8>() {
        add_eight(eight, group, panel);
    } else if let Some(four) = sums.first_chunk_mut::<4>() {
        add_four::<FROM>(four, group, panel);
    } else if let Some(two) = sums.first_chunk_mut::<2>() {
        add_two::<FROM>(two, group, panel);
    }
    for (sum, row) in sums.iter().zip(output.chunks_exact_mut(m).skip(FROM)) {
        store(&mut row[first..first + width], sum);
    }
}

/// Adds the products of [`GROUP`] rows with a panel, to sums by name: in a list of so many compilers look for vectors across the sums.
#[inline(always)]
fn add_eight(sums: &mut [[f64; PANEL]; GROUP], group: &[[f64; GROUP]], panel: &[[f64; PANEL]]) {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *sums;
    for (y, x) in panel.iter().zip(group) {
        a = plus(a, x[0], y);
        b = plus(b, x[1], y);
        c = plus(c, x[2], y);
        d = plus(d, x[3], y);
        e = plus(e, x[4], y);
        f = plus(f, x[5], y);
        g = plus(g, x[6], y);
        h = plus(h, x[7], y);
    }
    *sums = [a, b, c, d, e, f, g, h];
}

/// Likewise for four rows from `FROM` on.
#[inline(always)]
fn add_four<const FROM: usize>(sums: &mut [[f64; PANEL]; 4], group: &[[f64; GROUP]], panel: &[[f64; PANEL]]) {
    let [mut a, mut b, mut c, mut d] = *sums;
    for (y, x) in panel.iter().zip(group) {
        a = plus(a, x[FROM], y);
        b = plus(b, x[FROM + 1], y);
        c = plus(c, x[FROM + 2], y);
        d = plus(d, x[FROM + 3], y);
    }
    *sums = [a, b, c, d];
}

/// Likewise for two.
#[inline(always)]
fn add_two<const FROM: usize>(sums: &mut [[f64; PANEL]; 2], group: &[[f64; GROUP]], panel: &[[f64; PANEL]]) {
    let [mut a, mut b] = *sums;
    for (y, x) in panel.iter().zip(group) {
        a = plus(a, x[FROM], y);
        b = plus(b, x[FROM + 1], y);
    }
    *sums = [a, b];
}

/// `sum + x y`.
#[inline(always)]
fn plus(sum: [f64; PANEL], x: f64, y: &[f64; PANEL]) -> [f64; PANEL] {
    std::array::from_fn(|l| sum[l] + x * y[l])
}

/// The numbers of one row, as many as there are.
#[inline(always)]
fn load(row: &[f64], into: &mut [f64; PANEL]) {
    if let Some(whole) = row.first_chunk::<PANEL>() {
        *into = *whole;
    } else {
        for (into, x) in into.iter_mut().zip(row) {
            *into = *x;
        }
    }
}

/// Puts them back.
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
