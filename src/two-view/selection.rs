//! The matrix Q and the scalar `Q_0` through which either loss moves the features.

use super::MultimodalError;
use super::block::MatrixBlock;
use super::enumeration::Enumeration;
use super::gram::{GramState, LatentSizes};
use super::objective::Objective;
use super::scalar::Scalar;

/// `Q_0`, Q and the loss at one state.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureSelection<T> {
    sizes: LatentSizes,
    /// L, or `L_nc`.
    pub loss: T,
    /// `Q_0`; r times it is the trace of `C Q`.
    pub scalar: T,
    /// Q (`d x d`); rows belong to view B, columns to view A.
    pub matrix: MatrixBlock<T>,
}

impl<T: Scalar> FeatureSelection<T> {
    /// The selection of a state by an objective. The non-contrastive loss has `Q = diag(I_r, 0)`, `Q_0 = Ψ`, and the
    /// contrastive one at τ = 0 the same times `2K/(1+K)`: at any dimension. Otherwise all latent states are
    /// enumerated.
    ///
    /// # Errors
    /// A view without output, too many latent coordinates, or a parameter outside its domain.
    pub fn of(state: &GramState<T>, objective: Objective) -> Result<Self, MultimodalError> {
        let sizes = state.sizes();
        objective.check()?;
        let positive_only = |factor: T, loss: T| -> Result<Self, MultimodalError> {
            let (r, d) = (sizes.signal(), sizes.latents());
            Ok(FeatureSelection {
                sizes,
                loss,
                scalar: state.agreement()? * factor,
                matrix: MatrixBlock::from_fn(d, d, |i, j| if i == j && i < r { factor } else { T::from(0.0) }),
            })
        };
        match objective {
            Objective::NonContrastive => positive_only(T::from(1.0), -state.agreement()?),
            Objective::Contrastive { tau_squared: 0.0, negatives } => {
                let k = T::from(negatives);
                positive_only(T::from(2.0) * k / (T::from(1.0) + k), T::from(2.0) * k.ln_1p())
            }
            Objective::Contrastive { tau_squared, negatives } => Self::enumerated(state, tau_squared, negatives),
        }
    }

    /// The selection by the contrastive loss from all latent states, also at `τ^2 = 0`.
    ///
    /// # Errors
    /// A view without output, too many latent coordinates, or a parameter outside its domain.
    pub fn enumerated(state: &GramState<T>, tau_squared: f64, negatives: f64) -> Result<Self, MultimodalError> {
        let all = Enumeration::new(state.sizes(), &state.cross()?, tau_squared, negatives)?;
        let pulls = all.pulls();
        Ok(FeatureSelection {
            sizes: state.sizes(),
            loss: all.loss(),
            scalar: all.scalar_of(&pulls),
            matrix: all.matrix_of(&pulls),
        })
    }

    fn part(&self, rows: (usize, usize), columns: (usize, usize)) -> MatrixBlock<T> {
        MatrixBlock::from_fn(rows.1 - rows.0, columns.1 - columns.0, |i, j| self.matrix.at(rows.0 + i, columns.0 + j))
    }

    /// `Q_1` (`r x r`).
    #[must_use]
    pub fn signal_signal(&self) -> MatrixBlock<T> {
        let r = self.sizes.signal();
        self.part((0, r), (0, r))
    }

    /// `Q_{1,ξA}` (`r x q`): signal of view B, noise of view A.
    #[must_use]
    pub fn signal_noise(&self) -> MatrixBlock<T> {
        let (r, d) = (self.sizes.signal(), self.sizes.latents());
        self.part((0, r), (r, d))
    }

    /// `Q_{1,ξB}` (`q x r`): noise of view B, signal of view A.
    #[must_use]
    pub fn noise_signal(&self) -> MatrixBlock<T> {
        let (r, d) = (self.sizes.signal(), self.sizes.latents());
        self.part((r, d), (0, r))
    }

    /// `Q_2` (`q x q`).
    #[must_use]
    pub fn noise_noise(&self) -> MatrixBlock<T> {
        let (r, d) = (self.sizes.signal(), self.sizes.latents());
        self.part((r, d), (r, d))
    }
}
