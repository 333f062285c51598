//! Random starts of finite width.

use rand::Rng;

use super::MultimodalError;
use super::block::MatrixBlock;
use super::data::{block_of, metric_diagonal};
use super::gram::{Features, LatentSizes};
use super::scalar::Scalar;
use enclosures::linear_algebra::gaussian_matrix;

/// Weights `W` (`width x inputs`) with independent entries N(0, 1/width).
///
/// # Errors
/// An empty side.
pub fn gaussian_weights<T: Scalar, R: Rng + ?Sized>(
    rng: &mut R,
    width: usize,
    inputs: usize,
) -> Result<MatrixBlock<T>, MultimodalError> {
    let drawn = block_of::<f64>(&gaussian_matrix(rng, width, inputs)?);
    let scale = 1.0 / (width as f64).sqrt();
    Ok(drawn.map(|x| T::from(x * scale)))
}

/// Features of Gaussian weights under the paper's hypotheses: independent columns N(0, `σ_p^2`/m) and N(0,
/// `σ_ξ^2`/m), in both views (register family I5).
///
/// # Errors
/// Width zero, a wrong number of strengths, or one that is not positive.
pub fn gaussian_features<T: Scalar, R: Rng + ?Sized>(
    rng: &mut R,
    width: usize,
    sizes: LatentSizes,
    sigma_squared: &[f64],
    noise_squared: f64,
) -> Result<Features<T>, MultimodalError> {
    let d = sizes.latents();
    let squares = metric_diagonal(sizes, sigma_squared, noise_squared)?;
    let weights = gaussian_weights::<f64, R>(rng, width, 2 * d)?;
    let stacked = MatrixBlock::from_fn(width, 2 * d, |i, j| T::from(weights.at(i, j) * squares[j % d].sqrt()));
    Features::new(sizes, stacked)
}
