//! Left and right halves of images, and the directions in which they are correlated.

use contrastive::data::{LabelledPoints, mnist};
use enclosures::linear_algebra::{Matrix, MatrixError, diagonalised};

/// Side of a square of pixels that becomes one number, and the sizes of a half after that.
const SQUARE: usize = 2;
const ROWS: usize = mnist::SIDE / SQUARE;
const COLUMNS: usize = ROWS / 2;
/// Numbers of a half.
pub const INPUTS: usize = ROWS * COLUMNS;

/// The two views of all images, centred, one row each, and scaled to the mean squared norm one.
pub struct Halves {
    pub left: Matrix,
    pub right: Matrix,
    /// Unit directions of the left and of the right half, as rows: the singular vectors of E[x_A x_Bᵀ] with the largest singular values,
    /// largest first.
    pub directions: [Matrix; 2],
    /// These singular values.
    pub correlations: Vec<f64>,
}

impl Halves {
    /// The halves of these images, and so many directions.
    ///
    /// # Errors
    /// None in practice: sizes are fixed and pixels finite.
    pub fn of(images: &LabelledPoints, directions: usize) -> Result<Self, MatrixError> {
        let view = |side: usize| {
            let rows = (0..images.len()).map(|i| half(images.point(i), side)).collect();
            Matrix::from_rows(centred(rows))
        };
        let (left, right) = (view(0)?, view(1)?);
        let scale = 1.0 / images.len() as f64;
        let cross = left.transpose().rounded_product(&right)?;
        let cross = Matrix::from_fn(INPUTS, INPUTS, |i, j| cross.row(i)[j] * scale)?;
        // The right singular vectors of S are the eigenvectors of SᵀS.
        let square = cross.transpose().rounded_product(&cross)?;
        let (vectors, values) = diagonalised(square.entries().to_vec(), INPUTS);
        let mut order: Vec<usize> = (0..INPUTS).collect();
        order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        order.truncate(directions);
        let correlations: Vec<f64> = order.iter().map(|&k| values[k].max(0.0).sqrt()).collect();
        let of_right = Matrix::from_rows(order.iter().map(|&k| vectors[k].clone()).collect())?;
        let images_of = of_right.rounded_product(&cross.transpose())?;
        let of_left = Matrix::from_fn(of_right.rows(), INPUTS, |k, i| {
            images_of.row(k)[i] / correlations[k].max(f64::MIN_POSITIVE)
        })?;
        Ok(Halves { left, right, directions: [of_left, of_right], correlations })
    }
}

/// Averages over squares of pixels of the left (0) or right (1) half.
fn half(image: &[f64], side: usize) -> Vec<f64> {
    let average = |place: usize| {
        let (row, column) = (place / COLUMNS * SQUARE, (place % COLUMNS + side * COLUMNS) * SQUARE);
        let pixels = (0..SQUARE * SQUARE).map(|k| image[(row + k / SQUARE) * mnist::SIDE + column + k % SQUARE]);
        pixels.sum::<f64>() / (SQUARE * SQUARE) as f64
    };
    (0..INPUTS).map(average).collect()
}

fn centred(mut rows: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = rows.len() as f64;
    let means: Vec<f64> = (0..INPUTS).map(|i| rows.iter().map(|row| row[i]).sum::<f64>() / n).collect();
    for row in &mut rows {
        row.iter_mut().zip(&means).for_each(|(x, mean)| *x -= mean);
    }
    let square = rows.iter().flatten().map(|x| x * x).sum::<f64>() / n;
    let scale = if square > 0.0 { 1.0 / square.sqrt() } else { 1.0 };
    rows.iter_mut().flatten().for_each(|x| *x *= scale);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_cut_averaged_and_centred_and_their_directions_correlate() {
        let mut image = vec![0.0; mnist::DIMENSION];
        image[14] = 1.0;
        image[27 * mnist::SIDE + 13] = 0.5;
        assert_eq!((half(&image, 1)[0], half(&image, 0)[INPUTS - 1]), (0.25, 0.125));
        assert_eq!(half(&image, 0).iter().chain(&half(&image, 1)).sum::<f64>(), 0.375);

        let pixel = |i: usize| f64::from((i as u32).wrapping_mul(2_654_435_761) >> 20) / 4096.0;
        let points: Vec<f64> = (0..12 * 784).map(pixel).collect();
        let images = LabelledPoints::new(points, 784, (0..12).map(|i| i % 2).collect()).unwrap();
        let halves = Halves::of(&images, 3).unwrap();
        let mean: f64 = halves.left.row_iter().map(|row| row[5]).sum();
        let square: f64 = halves.right.entries().iter().map(|x| x * x).sum();
        assert!(mean.abs() < 1e-13 && (square - 12.0).abs() < 1e-12);
        // uᵀ E[x_A x_Bᵀ] v is the singular value, the largest first, and u is a unit vector.
        for k in 0..3 {
            let along = |view: &Matrix, direction: &[f64]| -> Vec<f64> {
                view.row_iter().map(|x| x.iter().zip(direction).map(|(a, b)| a * b).sum()).collect()
            };
            let (u, v) = (halves.directions[0].row(k), halves.directions[1].row(k));
            let (a, b) = (along(&halves.left, u), along(&halves.right, v));
            let covariance = a.iter().zip(&b).map(|(x, y)| x * y).sum::<f64>() / 12.0;
            assert!((covariance - halves.correlations[k]).abs() < 1e-10);
            assert!((u.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-8);
        }
        assert!(halves.correlations[0] >= halves.correlations[1] && halves.correlations[1] >= halves.correlations[2]);
    }
}
