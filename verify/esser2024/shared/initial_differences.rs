//! Draws of the two networks of Theorem 1 at initialisation: the same Haar weights with and without the activation.

use contrastive::network::Activation;
use enclosures::enclosure::{Enclosure, exact};
use enclosures::linear_algebra::haar_orthonormal;
use enclosures::probability::{chi_square, standard_normals};
use enclosures::stream::Stream;
use evidence::claim::MeasureError;

/// What one draw of (W₁, W₂) gives at a point x of a given norm, rounded.
#[derive(Clone, Copy, Debug)]
pub struct Difference {
    /// ‖u^φ(x) − u^I(x)‖ = ‖W₂ᵀε‖.
    pub outputs: f64,
    /// ‖ε‖, ε = φ(W₁x) − W₁x.
    pub hidden: f64,
    /// ‖u^I(x)‖.
    pub linear: f64,
    /// Σ(row_i·x)⁴.
    pub fourth: f64,
    /// max‖row_i(W₁)‖².
    pub largest_row: f64,
}

/// Sums of at most 10⁵ products of doubles are this accurate, relative to the sums of absolute values.
pub const ROUND_OFF: f64 = 1e-11;

/// One draw with x = norm·(1, …, 1)/√d.
pub fn draw(
    activation: Activation,
    (d, z, h): (usize, usize, usize),
    norm: f64,
    rng: &mut Stream,
) -> Result<Difference, MeasureError> {
    let (first, second) = (haar_orthonormal(rng, h, d)?, haar_orthonormal(rng, h, z)?);
    let coordinate = (exact(norm) / Enclosure::from(d).sqrt()).midpoint();
    let (mut outputs, mut linear) = (vec![0.0; z], vec![0.0; z]);
    let (mut hidden, mut fourth, mut largest_row) = (0.0, 0.0, 0.0f64);
    for (row, weights) in first.row_iter().zip(second.row_iter()) {
        let s = row.iter().sum::<f64>() * coordinate;
        let excess = activation.excess(s);
        hidden += excess * excess;
        fourth += s * s * s * s;
        largest_row = largest_row.max(row.iter().map(|x| x * x).sum());
        for (j, w) in weights.iter().enumerate() {
            outputs[j] += w * excess;
            linear[j] += w * s;
        }
    }
    let length = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    Ok(Difference {
        outputs: length(&outputs),
        hidden: hidden.sqrt(),
        linear: length(&linear),
        fourth,
        largest_row,
    })
}

/// ‖u^φ(x) − u^I(x)‖ alone, which costs h numbers at any d. W₁x/‖x‖ is a uniform unit vector of ℝ^h, and W₂ is independent of it: of a fixed
/// vector ε the squared length ‖W₂ᵀε‖² is ‖ε‖² times the share of z in h squares of normal numbers.
pub fn draw_in_law(activation: Activation, (_, z, h): (usize, usize, usize), norm: f64, rng: &mut Stream) -> f64 {
    let direction = standard_normals(rng, h);
    let size = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
    let excess = direction.iter().map(|x| activation.excess(norm * x / size));
    let hidden: f64 = excess.map(|e| e * e).sum();
    let kept = chi_square(rng, z as u32);
    let rest = if h > z { chi_square(rng, (h - z) as u32) } else { 0.0 };
    (hidden * kept / (kept + rest)).sqrt()
}
