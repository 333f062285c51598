//! Draws of the two networks of Theorem 1 at initialisation: the same Haar weights with and without the activation.

use contrastive::network::Activation;
use enclosures::linear_algebra::haar_orthonormal;
use enclosures::probability::{chi_square, standard_normals};
use enclosures::stream::Stream;
use enclosures::vectors;
use evidence::prelude::*;

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
        largest_row = largest_row.max(vectors::sum_of_squares(row));
        for (j, w) in weights.iter().enumerate() {
            outputs[j] += w * excess;
            linear[j] += w * s;
        }
    }
    Ok(Difference {
        outputs: vectors::norm(&outputs),
        hidden: hidden.sqrt(),
        linear: vectors::norm(&linear),
        fourth,
        largest_row,
    })
}

/// ‖u^φ(x) − u^I(x)‖ alone, which costs h numbers at any d. W₁x/‖x‖ is a uniform unit vector of ℝ^h, and W₂ is independent of it: of a fixed
/// vector ε the squared length ‖W₂ᵀε‖² is ‖ε‖² times the share of z in h squares of normal numbers.
pub fn draw_in_law(activation: Activation, (_, z, h): (usize, usize, usize), norm: f64, rng: &mut Stream) -> f64 {
    let direction = standard_normals(rng, h);
    let size = vectors::norm(&direction);
    let excess = direction.iter().map(|x| activation.excess(norm * x / size));
    let hidden: f64 = excess.map(|e| e * e).sum();
    let kept = chi_square(rng, z as u32);
    let rest = if h > z { chi_square(rng, (h - z) as u32) } else { 0.0 };
    (hidden * kept / (kept + rest)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use enclosures::stream::stream;

    /// φ(s) = 2s exceeds s by s itself, and orthonormal columns keep lengths.
    #[test]
    fn doubling_differs_by_the_linear_network() {
        let rng = &mut stream(1, &["initial differences"]);
        let found = draw(Activation::Doubled, (3, 2, 8), 0.75, rng).expect("the sizes fit");
        assert!((found.hidden - 0.75).abs() < 1e-14, "{found:?}");
        assert!((found.outputs - found.linear).abs() < 1e-14 && found.linear < 0.75);
        assert!(found.fourth <= 0.75f64 * 0.75 * 0.75 * 0.75 && found.largest_row < 1.0);
        let square = draw(Activation::Doubled, (4, 4, 4), 0.75, rng).expect("the sizes fit");
        assert!((square.outputs - 0.75).abs() < 1e-14, "a square W₂ keeps all of it");
        assert!((square.largest_row - 1.0).abs() < 1e-14);
        let same = draw(Activation::Identity, (3, 2, 8), 0.75, rng).expect("the sizes fit");
        assert_eq!((same.outputs, same.hidden), (0.0, 0.0));
        let shifted = draw(Activation::Shifted, (3, 2, 9), 0.75, rng).expect("the sizes fit");
        assert!((shifted.hidden - 3.0).abs() < 1e-14, "√h");
    }

    /// E‖W₂ᵀε‖² = ‖ε‖² z/h, and a cubic excess has E‖ε‖² = h E s⁶ = 15 c⁶/((h + 2)(h + 4)) for s a coordinate of a uniform vector of
    /// length c; both ways of drawing must give the same.
    #[test]
    fn both_ways_of_drawing_have_the_mean_of_theory() {
        let (sizes, norm, count) = ((3, 2, 6), 1.5f64, 4000);
        let rng = &mut stream(2, &["initial differences"]);
        let mean = |f: &mut dyn FnMut() -> f64| (0..count).map(|_| f()).map(|x| x * x).sum::<f64>() / f64::from(count);
        let matrices = mean(&mut || draw(Activation::Cubic, sizes, norm, rng).expect("the sizes fit").outputs);
        let law = mean(&mut || draw_in_law(Activation::Cubic, sizes, norm, rng));
        let square = norm * norm;
        let theory = 2.0 / 6.0 * 15.0 * square * square * square / (8.0 * 10.0);
        assert!((matrices / theory - 1.0).abs() < 0.1, "{matrices} {theory}");
        assert!((law / theory - 1.0).abs() < 0.1, "{law} {theory}");
        let all = draw_in_law(Activation::Doubled, (3, 6, 6), norm, rng);
        assert!((all - norm).abs() < 1e-14, "as many outputs as hidden units keep all of it");
    }
}
