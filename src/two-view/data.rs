//! The linear two-view data: one shared signal, independent noises.

use super::block::MatrixBlock;
use super::error::{check_domain, check_size};
use super::gram::{LatentSizes, View};
use super::scalar::Scalar;
use super::{Features, MultimodalError};
use enclosures::interval::Interval;
use enclosures::linear_algebra::{IntervalMatrix, Matrix};

/// `x_A = A z + A_ξ ξ_A`, `x_B = B z + B_ξ ξ_B` with z uniform on `{±1/√r}^r`, `ξ_A`, `ξ_B` uniform on `{±1/√q}^q`,
/// all three independent. Stored are `X_A = [A | A_ξ]` and `X_B = [B | B_ξ]` (`D x (r + q)` each; D = r + q in the
/// paper, any D here).
#[derive(Clone, Debug, PartialEq)]
pub struct TwoViewData<T> {
    sizes: LatentSizes,
    maps: [MatrixBlock<T>; 2],
}

impl<T: Scalar> TwoViewData<T> {
    /// The data model with these maps `[A | A_ξ]` and `[B | B_ξ]` from latent coordinates to inputs.
    ///
    /// # Errors
    /// A map whose columns are not r + q, or maps with different numbers of rows.
    pub fn new(sizes: LatentSizes, map_a: MatrixBlock<T>, map_b: MatrixBlock<T>) -> Result<Self, MultimodalError> {
        check_size("columns of [A | A_xi]", map_a.columns(), sizes.latents())?;
        check_size("columns of [B | B_xi]", map_b.columns(), sizes.latents())?;
        check_size("rows of [B | B_xi]", map_b.rows(), map_a.rows())?;
        Ok(TwoViewData { sizes, maps: [map_a, map_b] })
    }

    /// The numbers r and q of signal and noise coordinates.
    #[must_use]
    pub fn sizes(&self) -> LatentSizes {
        self.sizes
    }

    /// `[A | A_ξ]` or `[B | B_ξ]`.
    #[must_use]
    pub fn map(&self, view: View) -> &MatrixBlock<T> {
        &self.maps[view as usize]
    }

    /// `X_A^T X_A` or `X_B^T X_B` (`d x d`), which is `diag(σ_1^2, .., σ_r^2, σ_ξ^2, ..)` under the hypotheses of
    /// the paper.
    #[must_use]
    pub fn metric(&self, view: View) -> MatrixBlock<T> {
        self.map(view).gram()
    }

    /// `K_A`, `K_{A,ξ}`, `K_B`, `K_{B,ξ}` for the weights `W_A`, `W_B` (`m x D` each).
    ///
    /// # Errors
    /// Weights of other shapes.
    pub fn features(
        &self,
        weights_a: &MatrixBlock<T>,
        weights_b: &MatrixBlock<T>,
    ) -> Result<Features<T>, MultimodalError> {
        let left = weights_a.product(&self.maps[0])?;
        let stacked = left.beside(&weights_b.product(&self.maps[1])?)?;
        Features::new(self.sizes, stacked)
    }
}

/// `O diag(σ_1, .., σ_r, σ_ξ, .., σ_ξ)` for an orthogonal O: orthogonal signal and noise directions, as the paper
/// assumes.
///
/// # Errors
/// A frame that is not `d x d`, or a square of a scale that is not positive.
pub fn orthogonal_map(
    sizes: LatentSizes,
    sigma_squared: &[f64],
    noise_squared: f64,
    frame: &IntervalMatrix,
) -> Result<MatrixBlock<Interval>, MultimodalError> {
    let d = sizes.latents();
    check_size("signal strengths", sigma_squared.len(), sizes.signal())?;
    check_size("rows of the frame", frame.rows(), d)?;
    check_size("columns of the frame", frame.columns(), d)?;
    let squares = metric_diagonal(sizes, sigma_squared, noise_squared)?;
    let scales: Vec<Interval> = squares.iter().map(|&s| Interval::point(s).sqrt()).collect();
    Ok(MatrixBlock::from_fn(d, d, |i, j| frame.entries()[i * d + j] * scales[j]))
}

/// `(σ_1^2, .., σ_r^2, σ_ξ^2, .., σ_ξ^2)`.
///
/// # Errors
/// A wrong number of strengths, or one that is not positive and finite (the noise strength only if there is noise).
pub fn metric_diagonal(
    sizes: LatentSizes,
    sigma_squared: &[f64],
    noise_squared: f64,
) -> Result<Vec<f64>, MultimodalError> {
    check_size("signal strengths", sigma_squared.len(), sizes.signal())?;
    let mut squares = sigma_squared.to_vec();
    squares.resize(sizes.latents(), noise_squared);
    for &s in &squares {
        check_domain("a squared strength", s, |s| s > 0.0 && s.is_finite(), "positive and finite")?;
    }
    Ok(squares)
}

/// A matrix of doubles as a block of scalars.
#[must_use]
pub fn block_of<T: Scalar>(matrix: &Matrix) -> MatrixBlock<T> {
    MatrixBlock::from_fn(matrix.rows(), matrix.columns(), |i, j| T::from(matrix.row(i)[j]))
}
