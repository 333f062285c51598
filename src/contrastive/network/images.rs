//! The inner products of the rows of a matrix with a few vectors.
//!
//! Each of them is the plain sum over the coordinates in their order, so that vectors of registers run over rows, and what they hold of a
//! coordinate lies as far apart in memory as the rows are long. Gathered number by number that costs more than the products: with one vector
//! and registers of eight doubles twice as much as all the rest. Tiles of eight rows and eight coordinates are read along the rows and turned.

use enclosures::kernels::{InstructionSet, Kernel, transposed};

/// Rows at a time, because each sum waits for its last term; what is read of them serves all vectors.
const ROWS: usize = 8;
/// Coordinates of a tile.
const LANES: usize = 8;

/// One row of outputs per vector, of which there are `COUNT`, each of `columns` coordinates.
pub(super) fn images<const COUNT: usize>(matrix: &[f64], columns: usize, batch: &[f64]) -> Vec<f64> {
    InstructionSet::best().run(Images::<COUNT> { matrix, columns, batch })
}

struct Images<'a, const COUNT: usize> {
    matrix: &'a [f64],
    columns: usize,
    batch: &'a [f64],
}

/// The sums of [`ROWS`] rows with each vector.
type Sums<const COUNT: usize> = [[f64; ROWS]; COUNT];

impl<const COUNT: usize> Kernel for Images<'_, COUNT> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<const WIDTH: usize>(self) -> Vec<f64> {
        let Images { matrix, columns, batch } = self;
        let vectors: [&[f64]; COUNT] = std::array::from_fn(|v| &batch[v * columns..(v + 1) * columns]);
        let count = matrix.len() / columns;
        let mut outputs = vec![0.0; COUNT * count];
        let blocks = matrix.chunks_exact(ROWS * columns);
        let rest = blocks.remainder();
        for (b, block) in blocks.enumerate() {
            let rows: [&[f64]; ROWS] = std::array::from_fn(|r| &block[r * columns..(r + 1) * columns]);
            let sums = sums_of::<COUNT, WIDTH>(rows, vectors);
            for (sums, outputs) in sums.iter().zip(outputs.chunks_exact_mut(count)) {
                outputs[b * ROWS..(b + 1) * ROWS].copy_from_slice(sums);
            }
        }
        let first = count / ROWS * ROWS;
        for (vector, outputs) in vectors.iter().zip(outputs.chunks_exact_mut(count.max(1))) {
            for (output, row) in outputs[first..].iter_mut().zip(rest.chunks_exact(columns)) {
                *output = vector.iter().zip(row).fold(0.0, |sum, (x, y)| sum + x * y);
            }
        }
        outputs
    }
}

/// The image of one vector, each entry times that of `diagonal`; rows that a zero takes out are not read.
pub(super) fn masked_image(matrix: &[f64], vector: &[f64], diagonal: &[f64]) -> Vec<f64> {
    let rows: Vec<usize> = (0..diagonal.len()).filter(|&r| diagonal[r] != 0.0).collect();
    let mut outputs = InstructionSet::best().run(ChosenImages { matrix, vector, rows: &rows, count: diagonal.len() });
    for r in rows {
        outputs[r] *= diagonal[r];
    }
    outputs
}

/// The inner products of one vector with these rows, of `count`; zero for the others.
struct ChosenImages<'a> {
    matrix: &'a [f64],
    vector: &'a [f64],
    rows: &'a [usize],
    count: usize,
}

impl Kernel for ChosenImages<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<const WIDTH: usize>(self) -> Vec<f64> {
        let (vector, columns) = (self.vector, self.vector.len());
        let mut outputs = vec![0.0; self.count];
        let (blocks, rest) = self.rows.as_chunks::<ROWS>();
        for block in blocks {
            let rows = block.map(|r| &self.matrix[r * columns..(r + 1) * columns]);
            let [sums] = sums_of::<1, WIDTH>(rows, [vector]);
            for (&r, sum) in block.iter().zip(sums) {
                outputs[r] = sum;
            }
        }
        for &r in rest {
            let row = &self.matrix[r * columns..(r + 1) * columns];
            outputs[r] = vector.iter().zip(row).fold(0.0, |sum, (x, y)| sum + x * y);
        }
        outputs
    }
}

/// The inner products of the rows with each vector.
#[inline(always)]
fn sums_of<const COUNT: usize, const WIDTH: usize>(rows: [&[f64]; ROWS], vectors: [&[f64]; COUNT]) -> Sums<COUNT> {
    let mut sums = [[0.0; ROWS]; COUNT];
    // Shorter registers gather as fast as they turn.
    let turned = if WIDTH == LANES { by_tiles(rows, vectors, &mut sums) } else { 0 };
    for k in turned..rows[0].len() {
        add(rows.map(|row| row[k]), vectors.map(|vector| vector[k]), &mut sums);
    }
    sums
}

/// Adds the products of one coordinate of all rows with that of each vector.
#[inline(always)]
fn add<const COUNT: usize>(column: [f64; ROWS], of_vectors: [f64; COUNT], sums: &mut Sums<COUNT>) {
    for (sums, x) in sums.iter_mut().zip(of_vectors) {
        for (sum, y) in sums.iter_mut().zip(column) {
            *sum += x * y;
        }
    }
}

/// Adds what the coordinates of whole tiles contribute, and answers with how many these are.
#[inline(always)]
fn by_tiles<const COUNT: usize>(rows: [&[f64]; ROWS], vectors: [&[f64]; COUNT], sums: &mut Sums<COUNT>) -> usize {
    let rows = rows.map(|row| row.as_chunks::<LANES>().0);
    let vectors = vectors.map(|vector| vector.as_chunks::<LANES>().0);
    let tiles = rows[0].len();
    for tile in 0..tiles {
        let columns = transposed(rows.map(|row| row[tile]));
        let of_vectors = vectors.map(|vector| vector[tile]);
        for (k, column) in columns.into_iter().enumerate() {
            add(column, of_vectors.map(|vector| vector[k]), sums);
        }
    }
    tiles * LANES
}

#[cfg(test)]
mod tests {
    use super::*;
    use enclosures::probability::fill_standard_normal;
    use enclosures::stream::stream;

    #[test]
    fn every_set_of_instructions_sums_in_the_order_of_the_coordinates() {
        let mut rng = stream(3, &["images"]);
        // Whole tiles and what is left beside and below them.
        for (rows, columns) in [(8, 8), (16, 24), (17, 29), (7, 9), (9, 7), (24, 3)] {
            let (mut matrix, mut batch) = (vec![0.0; rows * columns], vec![0.0; 3 * columns]);
            fill_standard_normal(&mut rng, &mut matrix);
            fill_standard_normal(&mut rng, &mut batch);
            let mut plain = Vec::new();
            for vector in batch.chunks_exact(columns) {
                for row in matrix.chunks_exact(columns) {
                    plain.push(vector.iter().zip(row).fold(0.0, |sum, (x, y)| sum + x * y));
                }
            }
            for set in InstructionSet::available() {
                let (matrix, batch) = (&matrix[..], &batch[..]);
                let found = set.run(Images::<3> { matrix, columns, batch });
                assert_eq!(found, plain, "{} {rows} x {columns}", set.name());
                let chosen: Vec<usize> = (0..rows).filter(|r| r % 5 != 1).collect();
                let found = set.run(ChosenImages { matrix, vector: &batch[..columns], rows: &chosen, count: rows });
                for (r, (found, plain)) in found.iter().zip(&plain).enumerate() {
                    assert_eq!(*found, if r % 5 == 1 { 0.0 } else { *plain }, "{} row {r}", set.name());
                }
            }
        }
    }
}
