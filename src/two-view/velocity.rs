//! The right sides of the learning dynamics, equations (5) and (6) in the form of Corollary A.4, for features and
//! Gram matrices.
//!
//! With `P = diag(I_r, (r/q) I_q)` and `X_A` the map of view A, the gradient of L with respect to `W_A` is
//! `-(τ^2/r)` times the difference of `[K_B|K_{B,ξ}] Q X_A^T / (N_A N_B)` and `Q_0 W_A X_A P X_A^T / N_A^2`. Hence
//! `𝐊' = 𝐊 R`, where R needs the metrics `X_A^T X_A`, `X_B^T X_B` only. No orthogonality of signal and noise is
//! used; the paper's equations are the case of diagonal metrics.

use super::MultimodalError;
use super::block::MatrixBlock;
use super::data::{TwoViewData, metric_diagonal};
use super::error::check_size;
use super::gram::{Features, GramState, LatentSizes, View};
use super::objective::Objective;
use super::scalar::Scalar;
use super::selection::FeatureSelection;

/// `X_A^T X_A` and `X_B^T X_B` (`d x d` each).
#[derive(Clone, Debug, PartialEq)]
pub struct Metrics<T> {
    of: [MatrixBlock<T>; 2],
}

impl<T: Scalar> Metrics<T> {
    /// The metrics of a data model.
    #[must_use]
    pub fn of(data: &TwoViewData<T>) -> Self {
        Metrics { of: [data.metric(View::A), data.metric(View::B)] }
    }

    /// Two metrics.
    ///
    /// # Errors
    /// Not of one size.
    pub fn new(a: MatrixBlock<T>, b: MatrixBlock<T>) -> Result<Self, MultimodalError> {
        for (what, found) in [
            ("columns of a metric", a.columns()),
            ("rows of the second metric", b.rows()),
            ("columns of the second metric", b.columns()),
        ] {
            check_size(what, found, a.rows())?;
        }
        Ok(Metrics { of: [a, b] })
    }

    /// `diag(σ_1^2, .., σ_r^2, σ_ξ^2, ..)` in both views.
    ///
    /// # Errors
    /// See [`metric_diagonal`].
    pub fn orthogonal(sizes: LatentSizes, sigma_squared: &[f64], noise_squared: f64) -> Result<Self, MultimodalError> {
        let squares = metric_diagonal(sizes, sigma_squared, noise_squared)?;
        let diagonal = MatrixBlock::diagonal(&squares.iter().map(|&s| T::from(s)).collect::<Vec<_>>());
        Self::new(diagonal.clone(), diagonal)
    }

    /// The metric of one view.
    #[must_use]
    pub fn view(&self, view: View) -> &MatrixBlock<T> {
        &self.of[view as usize]
    }
}

/// R (`2d x 2d`) with `𝐊' = 𝐊 R`.
///
/// # Errors
/// Metrics of another size, or what [`FeatureSelection::of`] refuses.
pub fn feature_rates<T: Scalar>(
    state: &GramState<T>,
    metrics: &Metrics<T>,
    objective: Objective,
) -> Result<MatrixBlock<T>, MultimodalError> {
    rates_of(state, metrics, &FeatureSelection::of(state, objective)?)
}

/// R for a selection that is known already.
///
/// # Errors
/// Metrics of another size, or a view without output.
pub fn rates_of<T: Scalar>(
    state: &GramState<T>,
    metrics: &Metrics<T>,
    selection: &FeatureSelection<T>,
) -> Result<MatrixBlock<T>, MultimodalError> {
    let (sizes, d) = (state.sizes(), state.sizes().latents());
    check_size("rows of the metrics", metrics.of[0].rows(), d)?;
    let both = state.normalisers()?;
    let pull_a = selection.matrix.product(metrics.view(View::A))?;
    let pull_b = selection.matrix.transpose().product(metrics.view(View::B))?;
    let shrink = |view: View| -> Result<MatrixBlock<T>, MultimodalError> {
        let rate = -(selection.scalar / state.normaliser_squared(view)?);
        let share = |k: usize| T::count(sizes.signal()) * sizes.variance::<T>(k);
        let metric = metrics.view(view);
        Ok(MatrixBlock::from_fn(d, d, |i, j| rate * share(i) * metric.at(i, j)))
    };
    let (shrink_a, shrink_b) = (shrink(View::A)?, shrink(View::B)?);
    Ok(MatrixBlock::from_fn(2 * d, 2 * d, |i, j| match (i < d, j < d) {
        (true, true) => shrink_a.at(i, j),
        (false, false) => shrink_b.at(i - d, j - d),
        (false, true) => pull_a.at(i - d, j) / both,
        (true, false) => pull_b.at(i, j - d) / both,
    }))
}

/// `𝐊'`.
///
/// # Errors
/// See [`feature_rates`].
pub fn feature_velocity<T: Scalar>(
    features: &Features<T>,
    metrics: &Metrics<T>,
    objective: Objective,
) -> Result<Features<T>, MultimodalError> {
    let rates = feature_rates(&features.gram(), metrics, objective)?;
    Features::new(features.sizes(), features.stacked().product(&rates)?)
}

/// `G' = R^T G + G R`.
///
/// # Errors
/// See [`feature_rates`].
pub fn gram_velocity<T: Scalar>(
    state: &GramState<T>,
    metrics: &Metrics<T>,
    objective: Objective,
) -> Result<GramState<T>, MultimodalError> {
    let half = state.gram().product(&feature_rates(state, metrics, objective)?)?;
    GramState::new(state.sizes(), half.plus(&half.transpose())?)
}
