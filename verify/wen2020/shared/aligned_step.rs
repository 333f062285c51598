//! Displacements of the matrices W_0, …, W_{L−1} of an encoder that move its outputs, to first order, as far as the
//! spectral norms of these matrices allow.

use contrastive::network::{Activations, Encoder, Weights};
use enclosures::vectors::{norm, sum_of_squares};
use evidence::prelude::*;
use nalgebra::{DMatrix, DVector};

/// Matrices W′_0, …, W′_{L−1} of the same spectral norm, and W′_L = 0 (next to the others the output layer moves
/// little).
pub struct AlignedStep {
    pub weights: Weights,
    /// Σ_l ‖W′_l‖_F².
    pub frobenius_squared: f64,
}

/// Σ_i (column_i)(row_i)ᵀ as a list of columns and of rows.
type Factors = Vec<(Vec<f64>, Vec<f64>)>;

/// An input and the direction in which its output is to move.
pub type Aim<'a> = (&'a [f64], &'a [f64]);

/// The gradient of Σ_i v_i·f(x_i) with respect to W_l.
fn gradient(seen: &[(Aim<'_>, Activations<'_>)], l: usize) -> Result<Factors, MeasureError> {
    let mut list = Factors::new();
    for ((point, v), activations) in seen {
        let mut column = activations.back(l + 1, v).ok_or("the vector does not fit the output")?;
        let diagonal = activations.diagonal(l).ok_or("no such layer")?;
        column.iter_mut().zip(diagonal).for_each(|(x, d)| *x *= d);
        let row = if l == 0 { point.to_vec() } else { activations.hidden(l - 1).ok_or("no such layer")?.to_vec() };
        list.push((column, row));
    }
    Ok(list)
}

/// The polar factor of a product CRᵀ of few columns: with C = QT and R = Q′T′ it is Q U Q′ᵀ, U that of T T′ᵀ.
fn polar_factor(list: Factors) -> Result<Factors, MeasureError> {
    if let [(c, r)] = list.as_slice() {
        let unit = |v: &[f64]| {
            let length = norm(v);
            v.iter().map(|x| if length > 0.0 { x / length } else { 0.0 }).collect()
        };
        return Ok(vec![(unit(c), unit(r))]);
    }
    let (columns, rows): (Vec<_>, Vec<_>) =
        list.into_iter().map(|(c, r)| (DVector::from_vec(c), DVector::from_vec(r))).unzip();
    let [left, right] = [columns, rows].map(|side| DMatrix::from_columns(&side).qr());
    let small = (left.r() * right.r().transpose()).svd(true, true);
    let (u, v) = (small.u.ok_or("no singular vectors")?, small.v_t.ok_or("no singular vectors")?);
    let (columns, rows) = (left.q() * u, right.q() * v.transpose());
    let pairs = columns.column_iter().zip(rows.column_iter());
    Ok(pairs.map(|(c, r)| (c.iter().copied().collect(), r.iter().copied().collect())).collect())
}

/// Every hidden matrix moved along the polar factor of its gradient of Σ_i v_i·f(x_i), to the spectral norm `size`: to first
/// order the step of that norm that moves the sum most.
pub fn aligned(encoder: &Encoder, aims: &[Aim<'_>], size: f64) -> Result<AlignedStep, MeasureError> {
    let mut seen = Vec::new();
    for &aim in aims {
        seen.push((aim, encoder.activations(aim.0)?));
    }
    let layers = encoder.hidden_layers();
    let mut weights = encoder.weights().clone();
    let mut total = 0.0;
    for (l, matrix) in weights.matrices_mut().enumerate() {
        matrix.iter_mut().for_each(|x| *x = 0.0);
        if l == layers {
            break;
        }
        for (column, row) in polar_factor(gradient(&seen, l)?)? {
            for (entries, c) in matrix.chunks_exact_mut(row.len()).zip(column) {
                entries.iter_mut().zip(&row).for_each(|(x, r)| *x += size * c * r);
            }
        }
        total += sum_of_squares(matrix);
    }
    Ok(AlignedStep { weights, frobenius_squared: total })
}

#[cfg(test)]
mod tests {
    use enclosures::stream::stream;
    use enclosures::vectors::sum_of_products;

    use super::*;
    use crate::shared::encoder_pair::shape;

    const SIZE: f64 = 0.25;

    fn encoder() -> Encoder {
        Encoder::initialise(shape(3, 6, 3, 2), &mut stream(4, &["aligned steps"])).unwrap()
    }

    fn aims() -> [Aim<'static>; 2] {
        [(&[0.6, 0.8, 0.0], &[1.0, -0.5]), (&[-0.36, 0.48, 0.8], &[0.25, 2.0])]
    }

    /// The singular values of W_0, …, W_{L−1}.
    fn spectra(weights: &Weights) -> Vec<Vec<f64>> {
        let hidden = weights.matrices().take(3);
        let values = |m: &[f64]| DMatrix::from_row_slice(6, m.len() / 6, m).singular_values();
        hidden.map(|m| values(m).iter().copied().collect()).collect()
    }

    /// A matrix of spectral norm s has at most the product s‖G‖_* with another, and the polar factor has it.
    #[test]
    fn the_outputs_move_by_the_nuclear_norms_of_the_gradients() {
        let encoder = encoder();
        for count in [1, 2] {
            let aims = &aims()[..count];
            let points: Vec<f64> = aims.iter().flat_map(|aim| aim.0).copied().collect();
            let ways: Vec<f64> = aims.iter().flat_map(|aim| aim.1).copied().collect();
            let step = aligned(&encoder, aims, SIZE).unwrap();
            let at = |t: f64| {
                let moved = encoder.displaced(&step.weights, t).unwrap();
                sum_of_products(moved.forward(&points).unwrap().outputs(), &ways)
            };
            let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
            let forward = encoder.forward(&points).unwrap();
            let gradient = encoder.backward(&forward, &ways).unwrap();
            let nuclear: f64 = spectra(&gradient).iter().flatten().sum();
            assert!((slope - SIZE * nuclear).abs() < 1e-7 * nuclear, "{slope}, {nuclear}");
        }
    }

    #[test]
    fn all_hidden_matrices_have_one_spectral_norm_and_the_last_does_not_move() {
        for count in [1, 2] {
            let step = aligned(&encoder(), &aims()[..count], SIZE).unwrap();
            for mut values in spectra(&step.weights) {
                values.sort_by(|a, b| b.total_cmp(a));
                // As many singular values as there are aims, all equal.
                for (k, value) in values.iter().enumerate() {
                    let expected = if k < count { SIZE } else { 0.0 };
                    assert!((value - expected).abs() < 1e-12, "{values:?}");
                }
            }
            assert!((step.frobenius_squared - 3.0 * count as f64 * SIZE * SIZE).abs() < 1e-12);
            assert!(step.weights.b.iter().all(|&x| x == 0.0));
        }
    }
}
