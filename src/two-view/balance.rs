//! The balance score: how many directions the covariance of a representation effectively has.

use super::MultimodalError;
use super::gram::{GramState, View};
use enclosures::interval::Interval;
use enclosures::linear_algebra::{IntervalMatrix, rank_by_elimination, symmetric_eigenvalues};

/// The spectrum of `Σ_A = E[f_A f_A^T] = (K_A K_A^T/r + K_{A,ξ} K_{A,ξ}^T/q) / N_A^2`, whose trace is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    /// The d eigenvalues of `D^{1/2} G_AA D^{1/2} / N_A^2`, the largest first; zero or not, they hold all non-zero
    /// ones of `Σ_A`.
    pub eigenvalues: Vec<Interval>,
    /// `||Σ||_F^2`.
    pub squared_norm: Interval,
    /// An upper bound of the rank.
    pub rank_at_most: usize,
}

impl Balance {
    /// The spectrum of one view.
    ///
    /// # Errors
    /// A view without output, or eigenvalues that cannot be enclosed.
    pub fn of(state: &GramState<Interval>, view: View) -> Result<Self, MultimodalError> {
        let (sizes, d) = (state.sizes(), state.sizes().latents());
        let square = state.normaliser_squared(view)?;
        let root = |k: usize| sizes.variance::<Interval>(k).sqrt();
        let covariance = IntervalMatrix::from_fn(d, d, |i, j| {
            let inner = state.inner((view, i), (view, j));
            let scale =
                if (i < sizes.signal()) == (j < sizes.signal()) { sizes.variance(i) } else { root(i) * root(j) };
            inner * scale / square
        })?;
        let mut eigenvalues = symmetric_eigenvalues(&covariance)?;
        eigenvalues.reverse();
        Ok(Balance {
            squared_norm: covariance.frobenius_norm_squared(),
            rank_at_most: rank_by_elimination(&covariance).at_most,
            eigenvalues: eigenvalues.into_iter().map(|e| e.max(Interval::ZERO)).collect(),
        })
    }

    /// `λ_1`.
    #[must_use]
    pub fn largest(&self) -> Interval {
        self.eigenvalues.first().copied().unwrap_or(Interval::ZERO)
    }

    /// The usual stable rank `||Σ||_F^2 / ||Σ||_2^2`.
    #[must_use]
    pub fn stable_rank(&self) -> Interval {
        let rest: Interval = self.eigenvalues.iter().skip(1).map(|e| e.square()).sum();
        let top = self.largest().square();
        let ratio = self.squared_norm / top;
        ratio.intersection(Interval::ONE + rest / top).unwrap_or(ratio)
    }

    /// `tr Σ / ||Σ||_2 = 1/λ_1`.
    #[must_use]
    pub fn trace_over_largest(&self) -> Interval {
        Interval::ONE / self.largest()
    }

    /// `(tr Σ)^2 / ||Σ||_F^2`.
    #[must_use]
    pub fn participation_ratio(&self) -> Interval {
        Interval::ONE / self.squared_norm
    }

    /// The three meanings of a stable rank in the order above, which is that of their sizes.
    #[must_use]
    pub fn meanings(&self) -> [Interval; 3] {
        [self.stable_rank(), self.trace_over_largest(), self.participation_ratio()]
    }
}
