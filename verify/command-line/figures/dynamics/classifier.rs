//! The downstream task: a linear support vector machine on embeddings of two classes.

use enclosures::linear_algebra::Matrix;
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::svm::Kernels;
use smartcore::svm::svc::{SVC, SVCParameters};

use super::super::super::status::Trouble;
use super::two_digits::DigitImages;

/// The price of a point on the wrong side of its margin.
pub const PRICE: f64 = 1.0;
/// Passes of the solver over the points; two are said to be enough.
const PASSES: usize = 10;
/// The order in which it visits them.
const ORDER: u64 = 1;

/// How many test points a machine gets right that has learned from the training points, both embedded by x ↦ Mᵀx.
///
/// # Errors
/// What the solver says.
pub fn correct(training: &DigitImages, test: &DigitImages, map: &Matrix) -> Result<usize, Trouble> {
    let unusable = |e: &dyn std::fmt::Display| Trouble::Unusable(format!("the support vector machine: {e}"));
    let embedded = |images: &DigitImages| {
        let rows = images.pixels.rounded_product(map).map_err(|e| unusable(&e))?;
        DenseMatrix::new(rows.rows(), rows.columns(), rows.entries().to_vec(), false).map_err(|e| unusable(&e))
    };
    let (known, asked) = (embedded(training)?, embedded(test)?);
    let parameters =
        SVCParameters::default().with_c(PRICE).with_epoch(PASSES).with_seed(Some(ORDER)).with_kernel(Kernels::linear());
    let machine = SVC::fit(&known, &training.labels, &parameters).map_err(|e| unusable(&e))?;
    let sides = machine.decision_function(&asked).map_err(|e| unusable(&e))?;
    let right = sides.iter().zip(&test.labels).filter(|(side, label)| (**side > 0.0) == (**label > 0));
    Ok(right.count())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of the plane on both sides of the line x + y = 1, off it by at least 0.2.
    fn images(shift: f64) -> DigitImages {
        let point = |i: usize| {
            let side = if i.is_multiple_of(2) { -1.0 } else { 1.0 };
            let (along, off) = ((i * 37 % 50) as f64 / 25.0 - 1.0, 0.2 + (i * 13 % 7) as f64 / 10.0 + shift);
            vec![0.5 + along + side * off, 0.5 - along + side * off]
        };
        DigitImages {
            pixels: Matrix::from_rows((0..60).map(point).collect()).unwrap(),
            labels: (0..60).map(|i| if i % 2 == 0 { -1 } else { 1 }).collect(),
        }
    }

    #[test]
    fn what_a_line_separates_is_told_apart_and_what_it_cannot_see_is_not() {
        let identity = Matrix::diagonal(&[1.0; 2]).unwrap();
        assert_eq!(correct(&images(0.0), &images(0.05), &identity).unwrap(), 60);
        // The projection onto the line itself shows nothing of the side.
        let along = Matrix::new(2, 1, vec![1.0, -1.0]).unwrap();
        assert!(correct(&images(0.0), &images(0.05), &along).unwrap() < 50);
    }
}
