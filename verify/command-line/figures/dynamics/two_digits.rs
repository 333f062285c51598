//! Images of two digits, 7 × 7 pixels, and the matrix C of their contrastive loss.

use contrastive::data::{LabelledPoints, mnist};
use enclosures::linear_algebra::{Matrix, MatrixError, diagonalised};
use enclosures::probability::{standard_normal, uniform};
use enclosures::stream::Stream;

/// Side of a square of pixels that becomes one.
const SQUARE: usize = 4;
/// Side of an image after that, and the number of its pixels.
const SIDE: usize = mnist::SIDE / SQUARE;
pub const INPUTS: usize = SIDE * SIDE;
/// Images of each digit that make up C and train the classifier; the others test it.
pub const TRAINING: usize = 200;
/// Variance of the noise that makes x⁺ of x, that of Example 1.
pub const VARIANCE: f64 = 0.1;

/// Rows and which of the two digits each shows.
pub struct DigitImages {
    pub pixels: Matrix,
    /// -1 and 1.
    pub labels: Vec<i32>,
}

/// All that both schemes and the classifier are given.
pub struct TwoDigits {
    pub training: DigitImages,
    pub test: DigitImages,
    /// C/n = (C̃ + C̃ᵀ)/2n with C̃ = Σ x_i(x_i⁻ − x_i⁺)ᵀ.
    pub matrix: Matrix,
    /// Its eigenvalues, and as rows its unit eigenvectors.
    pub spectrum: Vec<f64>,
    pub eigenvectors: Matrix,
}

impl TwoDigits {
    /// The first 200 images of each digit with partners and negatives drawn, and the other images.
    ///
    /// # Errors
    /// None in practice: sizes are fixed and pixels finite.
    pub fn of(images: &LabelledPoints, digits: [u8; 2], rng: &mut Stream) -> Result<Self, MatrixError> {
        let part = |from: usize, to: usize| {
            let of = |(digit, label): (u8, i32)| {
                let members = images.class_members(usize::from(digit));
                members[from..to.min(members.len())].iter().map(move |&i| (pooled(images.point(i)), label))
            };
            let (rows, labels) = [(digits[0], -1), (digits[1], 1)].into_iter().flat_map(of).unzip();
            Ok::<_, MatrixError>(DigitImages { pixels: Matrix::from_rows(rows)?, labels })
        };
        let (training, test) = (part(0, TRAINING)?, part(TRAINING, usize::MAX)?);
        let matrix = contrasts(&training.pixels, rng)?;
        let (eigenvectors, spectrum) = diagonalised(matrix.entries().to_vec(), INPUTS);
        Ok(TwoDigits { training, test, matrix, spectrum, eigenvectors: Matrix::from_rows(eigenvectors)? })
    }

    /// The rows of its eigenvectors, the lowest eigenvalue first.
    pub fn lowest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..INPUTS).collect();
        order.sort_by(|&a, &b| self.spectrum[a].total_cmp(&self.spectrum[b]));
        order
    }

    /// What both schemes go to with so many outputs, up to a rotation of these: the lowest eigenvectors as columns, nothing where
    /// an eigenvalue is not negative.
    pub fn limit(&self, outputs: usize) -> Result<Matrix, MatrixError> {
        let order = self.lowest_first();
        Matrix::from_fn(INPUTS, outputs, |i, j| {
            let pulls = self.spectrum[order[j]] < 0.0;
            if pulls { self.eigenvectors.row(order[j])[i] } else { 0.0 }
        })
    }

    /// How far apart the averages of the two digits are along each eigenvector, from the lowest, in standard deviations within a digit.
    pub fn separations(&self) -> Vec<f64> {
        let of = |row: usize| {
            let direction = self.eigenvectors.row(row);
            let [first, second] = [-1, 1].map(|label| {
                let images = self.training.pixels.row_iter().zip(&self.training.labels);
                let along = |image: &[f64]| image.iter().zip(direction).map(|(x, v)| x * v).sum::<f64>();
                let of_label = images.filter(|(_, of)| **of == label);
                spread(&of_label.map(|(image, _)| along(image)).collect::<Vec<f64>>())
            });
            (first[0] - second[0]).abs() / (0.5 * (first[1] + second[1])).sqrt()
        };
        self.lowest_first().into_iter().map(of).collect()
    }

    /// The least value of Tr(MᵀCM)/n over the products M of orthonormal weights with so many outputs.
    pub fn least(&self, outputs: usize) -> f64 {
        let mut lowest = self.spectrum.clone();
        lowest.sort_by(f64::total_cmp);
        lowest.iter().take(outputs).map(|l| l.min(0.0)).sum()
    }
}

/// Average and variance.
fn spread(values: &[f64]) -> [f64; 2] {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    [mean, values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n]
}

/// Averages over squares of pixels.
fn pooled(image: &[f64]) -> Vec<f64> {
    let average = |place: usize| {
        let (row, column) = (place / SIDE * SQUARE, place % SIDE * SQUARE);
        let pixels = (0..SQUARE * SQUARE).map(|k| image[(row + k / SQUARE) * mnist::SIDE + column + k % SQUARE]);
        pixels.sum::<f64>() / (SQUARE * SQUARE) as f64
    };
    (0..INPUTS).map(average).collect()
}

/// C/n, x⁻ drawn from all images and x⁺ = x + ε.
fn contrasts(images: &Matrix, rng: &mut Stream) -> Result<Matrix, MatrixError> {
    let n = images.rows();
    let mut entries = vec![0.0; INPUTS * INPUTS];
    for x in images.row_iter() {
        let other = images.row(((uniform(rng) * n as f64) as usize).min(n - 1));
        let noise = (0..INPUTS).map(|_| VARIANCE.sqrt() * standard_normal(rng));
        let pull: Vec<f64> = x.iter().zip(other).zip(noise).map(|((x, o), e)| o - (x + e)).collect();
        for (i, a) in x.iter().enumerate() {
            for (j, b) in pull.iter().enumerate() {
                entries[i * INPUTS + j] += 0.5 * a * b / n as f64;
                entries[j * INPUTS + i] += 0.5 * a * b / n as f64;
            }
        }
    }
    Matrix::new(INPUTS, INPUTS, entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use enclosures::stream::stream;

    #[test]
    fn squares_are_averaged_where_they_are() {
        let mut image = vec![0.0; mnist::DIMENSION];
        // The lower right corner of the second square of the first row, and all of the last one.
        image[3 * mnist::SIDE + 7] = 1.0;
        for k in 0..16 {
            image[(24 + k / 4) * mnist::SIDE + 24 + k % 4] = 0.5;
        }
        let small = pooled(&image);
        assert_eq!((small.len(), small[1], small[48]), (49, 1.0 / 16.0, 0.5));
        assert_eq!(small.iter().filter(|x| **x != 0.0).count(), 2);
    }

    #[test]
    fn the_matrix_is_symmetric_and_its_eigenvectors_take_it_apart() {
        let count = 203;
        let pixels: Vec<f64> = (0..2 * count * 784).map(|i| f64::from(i as u32 * 7919 % 251) / 251.0).collect();
        let labels = (0..2 * count).map(|i| (i / count) as u32).collect();
        let images = LabelledPoints::new(pixels, 784, labels).unwrap();
        let two = TwoDigits::of(&images, [0, 1], &mut stream(3, &["two digits"])).unwrap();
        assert_eq!((two.training.labels.len(), two.test.labels.len()), (400, 6));
        assert_eq!((two.training.labels[199], two.training.labels[200]), (-1, 1));
        let back = Matrix::diagonal(&two.spectrum).unwrap().rounded_product(&two.eigenvectors).unwrap();
        let back = two.eigenvectors.transpose().rounded_product(&back).unwrap();
        for (x, y) in back.entries().iter().zip(two.matrix.entries()) {
            assert!((x - y).abs() < 1e-12);
        }
        assert_eq!(two.matrix, two.matrix.transpose());
        // The noise makes some eigenvalues positive and some negative.
        assert!(two.least(1) < 0.0 && two.least(2) < two.least(1) && two.least(49) > -50.0);
        // At the limit the loss is the least.
        let limit = two.limit(2).unwrap();
        let image = two.matrix.rounded_product(&limit).unwrap();
        let loss: f64 = limit.entries().iter().zip(image.entries()).map(|(x, y)| x * y).sum();
        assert!((loss - two.least(2)).abs() < 1e-12);
        assert!(two.limit(49).unwrap().row_iter().all(|row| row[48] == 0.0), "the highest is positive");
        assert_eq!(spread(&[1.0, 3.0, 1.0, 3.0]), [2.0, 1.0]);
        assert!(two.separations().iter().all(|s| s.is_finite()));
    }
}
