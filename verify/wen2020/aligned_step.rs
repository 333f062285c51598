//! Displacements of the matrices W_0, …, W_{L−1} of an encoder that move its outputs as far as their spectral norms
//! allow, up to a factor of two.

use contrapositive::claim::MeasureError;
use contrapositive::network::{Activations, Encoder, Weights};

use super::perturbed_products::dot;

fn squared(a: &[f64]) -> f64 {
    dot(a, a)
}

/// Matrices W′_0, …, W′_{L−1} of the same spectral norm, and W′_L = 0 (next to the others the output layer moves
/// little).
pub struct Step {
    pub weights: Weights,
    /// Σ_l ‖W′_l‖_F².
    pub frobenius_squared: f64,
}

/// The gradient of Σ_i sign_i v·f(x_i) with respect to W_l, as a list of columns and of rows: Σ_i (column_i)(row_i)ᵀ.
type Factors = Vec<(Vec<f64>, Vec<f64>)>;

fn factors(seen: &[(f64, &[f64], Activations<'_>)], v: &[f64], l: usize) -> Result<Factors, MeasureError> {
    let mut list = Factors::new();
    for (sign, point, activations) in seen {
        let mut column = activations.back(l + 1, v).ok_or("the vector does not fit the output")?;
        let diagonal = activations.diagonal(l).ok_or("no such layer")?;
        column.iter_mut().zip(diagonal).for_each(|(x, d)| *x *= d * sign);
        let row = if l == 0 {
            point.to_vec()
        } else {
            activations.hidden(l - 1).ok_or("no such layer")?.to_vec()
        };
        list.push((column, row));
    }
    Ok(list)
}

/// The largest singular value of Σ_i c_i r_iᵀ for one or two terms: the root of the larger eigenvalue of (CᵀC)(RᵀR).
fn spectral_norm(list: &Factors) -> f64 {
    if let [(c, r)] = list.as_slice() {
        return (squared(c) * squared(r)).sqrt();
    }
    let (c, d) = (&list[0], &list[1]);
    let (left, right) = (dot(&c.0, &d.0), dot(&c.1, &d.1));
    let trace = squared(&c.0) * squared(&c.1) + 2.0 * left * right + squared(&d.0) * squared(&d.1);
    let determinant = (squared(&c.0) * squared(&d.0) - left * left) * (squared(&c.1) * squared(&d.1) - right * right);
    let root = (trace * trace - 4.0 * determinant).max(0.0).sqrt();
    ((trace + root) / 2.0).sqrt()
}

/// Every hidden matrix moved along its gradient of Σ_i sign_i v·f(x_i), one or two points, to the spectral norm `size`.
///
/// For one point the gradients have rank one, and this is the step of that norm which moves v·f(x) most, to first
/// order.
pub fn aligned(encoder: &Encoder, points: &[(f64, &[f64])], v: &[f64], size: f64) -> Result<Step, MeasureError> {
    let mut seen = Vec::new();
    for &(sign, point) in points {
        seen.push((sign, point, encoder.activations(point)?));
    }
    let layers = encoder.hidden_layers();
    let mut weights = encoder.weights().clone();
    let mut total = 0.0;
    for (l, matrix) in weights.matrices_mut().enumerate() {
        matrix.iter_mut().for_each(|x| *x = 0.0);
        if l == layers {
            break;
        }
        let list = factors(&seen, v, l)?;
        let norm = spectral_norm(&list);
        let scale = if norm > 0.0 { size / norm } else { 0.0 };
        for (column, row) in &list {
            for (entries, &c) in matrix.chunks_exact_mut(row.len()).zip(column) {
                entries.iter_mut().zip(row).for_each(|(x, r)| *x += scale * c * r);
            }
        }
        total += squared(matrix);
    }
    Ok(Step {
        weights,
        frobenius_squared: total,
    })
}
