//! One step of gradient descent on the weights of both views.

use enclosures::vectors::points;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};
use two_view::{MatrixBlock, MultimodalError};

/// Weights of both views (m x d each, row by row) for d = r + q inputs with orthogonal maps, and a step size.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "m = {width}, σ² = {sigma_squared:?}, σ_ξ² = {noise_squared:?}, τ² = {tau_squared}, K = {negatives}, h \
                = {step}, W = {weights:?}",
    valid = Self::has_outputs,
    stored
)]
pub(super) struct Step {
    #[instance(range = "1..=3")]
    pub(super) width: usize,
    #[instance(length = "1..=3", range = "1e-3..=1e3", scale = "logarithmic")]
    pub(super) sigma_squared: Vec<f64>,
    #[instance(length = "..=2", range = "1e-3..=1e3", scale = "logarithmic")]
    pub(super) noise_squared: Vec<f64>,
    #[instance(range = "-100..=100")]
    pub(super) weights: [Vec<f64>; 2],
    #[instance(range = "1e-3..=20", scale = "logarithmic")]
    pub(super) tau_squared: f64,
    #[instance(range = "1e-3..=1e3", scale = "logarithmic")]
    pub(super) negatives: f64,
    #[instance(range = "0..=10")]
    pub(super) step: f64,
}

impl Step {
    fn has_outputs(&self) -> Result<(), String> {
        let d = self.sigma_squared.len() + self.noise_squared.len();
        if d > 3 || self.weights[0].len() != self.width * d {
            return Err("r + q is beyond 3, or the weights do not fit".into());
        }
        // The normaliser is a mean of squares; a view without output has none.
        match self.weights.iter().any(|w| w.iter().all(|x| x.abs() < 1e-3)) {
            true => Err("a view without output".into()),
            false => Ok(()),
        }
    }

    pub(super) fn d(&self) -> usize {
        self.sigma_squared.len() + self.noise_squared.len()
    }

    pub(super) fn map(&self) -> MatrixBlock<Interval> {
        let scales = self.sigma_squared.iter().chain(&self.noise_squared).map(|&x| Interval::point(x).sqrt());
        MatrixBlock::diagonal(&scales.collect::<Vec<_>>())
    }

    pub(super) fn weights_of(&self, view: usize) -> Result<MatrixBlock<Interval>, MultimodalError> {
        MatrixBlock::new(self.width, self.d(), points(&self.weights[view]))
    }
}
