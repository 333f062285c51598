//! Features `K = W X` and their Gram matrix: all that losses, scores and flows depend on.

use super::MultimodalError;
use super::block::MatrixBlock;
use super::error::check_size;
use super::scalar::Scalar;

/// One of the two views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The first view.
    A = 0,
    /// The second view.
    B = 1,
}

impl View {
    /// The other view.
    #[must_use]
    pub fn other(self) -> View {
        match self {
            View::A => View::B,
            View::B => View::A,
        }
    }

    fn name(self) -> &'static str {
        match self {
            View::A => "A",
            View::B => "B",
        }
    }
}

/// The numbers r >= 1 of signal and q >= 0 of noise coordinates of each view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LatentSizes {
    signal: usize,
    noise: usize,
}

impl LatentSizes {
    /// r signal and q noise coordinates.
    ///
    /// # Errors
    /// No signal.
    pub fn new(signal: usize, noise: usize) -> Result<Self, MultimodalError> {
        if signal == 0 {
            return Err(MultimodalError::NoSignal);
        }
        Ok(LatentSizes { signal, noise })
    }

    /// r.
    #[must_use]
    pub fn signal(self) -> usize {
        self.signal
    }

    /// q.
    #[must_use]
    pub fn noise(self) -> usize {
        self.noise
    }

    /// d = r + q.
    #[must_use]
    pub fn latents(self) -> usize {
        self.signal + self.noise
    }

    /// The variance of a latent coordinate: 1/r for a signal coordinate, 1/q for a noise coordinate.
    #[must_use]
    pub fn variance<T: Scalar>(self, latent: usize) -> T {
        let block = if latent < self.signal { self.signal } else { self.noise };
        T::from(1.0) / T::count(block)
    }
}

/// `𝐊 = [K_A | K_{A,ξ} | K_B | K_{B,ξ}]` (`m x 2d`).
#[derive(Clone, Debug, PartialEq)]
pub struct Features<T> {
    sizes: LatentSizes,
    stacked: MatrixBlock<T>,
}

impl<T: Scalar> Features<T> {
    /// The features with these columns.
    ///
    /// # Errors
    /// Not 2d columns.
    pub fn new(sizes: LatentSizes, stacked: MatrixBlock<T>) -> Result<Self, MultimodalError> {
        check_size("columns of the features", stacked.columns(), 2 * sizes.latents())?;
        Ok(Features { sizes, stacked })
    }

    /// r and q.
    #[must_use]
    pub fn sizes(&self) -> LatentSizes {
        self.sizes
    }

    /// All of `𝐊`.
    #[must_use]
    pub fn stacked(&self) -> &MatrixBlock<T> {
        &self.stacked
    }

    /// `[K_A | K_{A,ξ}]` or `[K_B | K_{B,ξ}]` (`m x d`).
    #[must_use]
    pub fn of_view(&self, view: View) -> MatrixBlock<T> {
        let start = view as usize * self.sizes.latents();
        self.stacked.columns_between(start, start + self.sizes.latents())
    }

    /// The Gram matrix `G = 𝐊^T 𝐊`.
    #[must_use]
    pub fn gram(&self) -> GramState<T> {
        GramState { sizes: self.sizes, gram: self.stacked.gram() }
    }
}

/// `G = 𝐊^T 𝐊` (`2d x 2d`, symmetric, positive semidefinite): the state of the flow at any width m.
#[derive(Clone, Debug, PartialEq)]
pub struct GramState<T> {
    sizes: LatentSizes,
    gram: MatrixBlock<T>,
}

impl<T: Scalar> GramState<T> {
    /// The state with this Gram matrix. Symmetry and definiteness are the caller's business.
    ///
    /// # Errors
    /// Not `2d x 2d`.
    pub fn new(sizes: LatentSizes, gram: MatrixBlock<T>) -> Result<Self, MultimodalError> {
        check_size("rows of the Gram matrix", gram.rows(), 2 * sizes.latents())?;
        check_size("columns of the Gram matrix", gram.columns(), 2 * sizes.latents())?;
        Ok(GramState { sizes, gram })
    }

    /// The start at infinite width: columns of squared norms `σ_p^2` and `σ_ξ^2`, all orthogonal (register family
    /// I4).
    ///
    /// # Errors
    /// See [`super::metric_diagonal`].
    pub fn infinite_width(
        sizes: LatentSizes,
        sigma_squared: &[f64],
        noise_squared: f64,
    ) -> Result<Self, MultimodalError> {
        let squares = super::metric_diagonal(sizes, sigma_squared, noise_squared)?;
        let both: Vec<T> = squares.iter().chain(&squares).map(|&s| T::from(s)).collect();
        Self::new(sizes, MatrixBlock::diagonal(&both))
    }

    /// r and q.
    #[must_use]
    pub fn sizes(&self) -> LatentSizes {
        self.sizes
    }

    /// All of G.
    #[must_use]
    pub fn gram(&self) -> &MatrixBlock<T> {
        &self.gram
    }

    /// The inner product of column i of one view with column j of another; columns 0..r are signal, r..d noise.
    #[must_use]
    pub fn inner(&self, (view, i): (View, usize), (other, j): (View, usize)) -> T {
        let d = self.sizes.latents();
        self.gram.at(view as usize * d + i, other as usize * d + j)
    }

    /// `||[K_A]_p||^2` for p < r, `||[K_{A,ξ}]_k||^2` for p = r + k; the same for B.
    #[must_use]
    pub fn squared_norm(&self, view: View, column: usize) -> T {
        self.inner((view, column), (view, column))
    }

    /// The cosine of `[K_A]_p` and `[K_B]_p`.
    #[must_use]
    pub fn correlation(&self, p: usize) -> T {
        let product = self.squared_norm(View::A, p) * self.squared_norm(View::B, p);
        self.inner((View::A, p), (View::B, p)) / product.sqrt()
    }

    /// `N_A^2 = ||K_A||_F^2 / r + ||K_{A,ξ}||_F^2 / q`, the mean square of the outputs; the same for B.
    ///
    /// # Errors
    /// Not positive.
    pub fn normaliser_squared(&self, view: View) -> Result<T, MultimodalError> {
        let part = |from: usize, to: usize| T::total((from..to).map(|k| self.squared_norm(view, k)));
        let (r, d) = (self.sizes.signal, self.sizes.latents());
        let mut sum = part(0, r) / T::count(r);
        if d > r {
            sum = sum + part(r, d) / T::count(d - r);
        }
        if sum.near() > 0.0 {
            Ok(sum)
        } else {
            Err(MultimodalError::Normaliser { view: view.name(), value: sum.near() })
        }
    }

    /// `N_A N_B`.
    ///
    /// # Errors
    /// One of them is not positive.
    pub fn normalisers(&self) -> Result<T, MultimodalError> {
        let product = self.normaliser_squared(View::A)? * self.normaliser_squared(View::B)?;
        Ok(product.sqrt())
    }

    /// `C = [K_A | K_{A,ξ}]^T [K_B | K_{B,ξ}] / (N_A N_B)` (`d x d`).
    ///
    /// # Errors
    /// A view without output.
    pub fn cross(&self) -> Result<MatrixBlock<T>, MultimodalError> {
        let (d, scale) = (self.sizes.latents(), self.normalisers()?);
        Ok(MatrixBlock::from_fn(d, d, |i, j| self.inner((View::A, i), (View::B, j)) / scale))
    }

    /// `Ψ = E<f_A^+, f_B^+> = <K_A, K_B>_F / (r N_A N_B)`.
    ///
    /// # Errors
    /// A view without output.
    pub fn agreement(&self) -> Result<T, MultimodalError> {
        let r = self.sizes.signal;
        let sum = T::total((0..r).map(|p| self.inner((View::A, p), (View::B, p))));
        Ok(sum / (T::count(r) * self.normalisers()?))
    }
}
