//! What is seen of two encoders at one moment.

use enclosures::linear_algebra::{Matrix, MatrixError, diagonalised};
use serde::{Deserialize, Serialize};

use super::halves::Halves;
use super::model::{Embedded, Encoders};

/// One moment of one training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TwoViewLook {
    pub step: u32,
    pub loss: f64,
    /// The share of pairs of different images for which an anchor of view A is closer to its own partner than to that of the other.
    pub closer: f64,
    /// The average over the directions of the cosine between W_A u_i and W_B v_i.
    pub alignment: f64,
    /// The largest singular value of the directions' images under W_A over the smallest.
    pub condition: f64,
    /// tr Σ/‖Σ‖ of Σ = E f_A f_Aᵀ.
    pub stable_rank: f64,
}

/// Looks at the encoders after so many steps.
///
/// # Errors
/// Embeddings that are not finite.
pub fn look(step: u32, loss: f64, encoders: &Encoders, halves: &Halves) -> Result<TwoViewLook, MatrixError> {
    let embedded = encoders.embed(halves)?;
    let learned = [0, 1].map(|k| halves.directions[k].rounded_product(&encoders.weights[k].transpose()));
    let [left, right] = learned;
    let (left, right) = (left?, right?);
    let cosines = left.row_iter().zip(right.row_iter()).map(|(a, b)| cosine(a, b));
    let values = eigenvalues(&left.rounded_product(&left.transpose())?);
    let (least, most) = ends(&values);
    let f = &embedded.views[0];
    let spectrum = eigenvalues(&f.transpose().rounded_product(f)?);
    Ok(TwoViewLook {
        step,
        loss,
        closer: closer(&embedded)?,
        alignment: cosines.sum::<f64>() / left.rows() as f64,
        condition: (most / least.max(f64::MIN_POSITIVE)).sqrt(),
        stable_rank: spectrum.iter().sum::<f64>() / ends(&spectrum).1,
    })
}

fn eigenvalues(symmetric: &Matrix) -> Vec<f64> {
    diagonalised(symmetric.entries().to_vec(), symmetric.rows()).1
}

fn ends(values: &[f64]) -> (f64, f64) {
    let range = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &x| (l.min(x), h.max(x)));
    (range.0.max(0.0), range.1)
}

fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let inner = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    inner(a, b) / (inner(a, a) * inner(b, b)).sqrt()
}

/// Strictly closer, counted over all ordered pairs of different images.
fn closer(embedded: &Embedded) -> Result<f64, MatrixError> {
    let [a, b] = &embedded.views;
    let products = a.rounded_product(&b.transpose())?;
    let squares: Vec<f64> = b.row_iter().map(|row| row.iter().map(|x| x * x).sum()).collect();
    let n = a.rows();
    let distance = |i: usize, j: usize| squares[j] - 2.0 * products.row(i)[j];
    let wins = (0..n).map(|i| (0..n).filter(|&j| j != i && distance(i, i) < distance(i, j)).count());
    Ok(wins.sum::<usize>() as f64 / (n * (n - 1)) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosines_and_ranges() {
        assert!((cosine(&[1.0, 0.0], &[1.0, 1.0]) - 0.5f64.sqrt()).abs() < 1e-15);
        assert_eq!(ends(&[2.0, -1e-20, 5.0]), (0.0, 5.0));
        let diagonal = Matrix::diagonal(&[4.0, 1.0, 2.0]).unwrap();
        assert_eq!(ends(&eigenvalues(&diagonal)), (1.0, 4.0));
    }
}
