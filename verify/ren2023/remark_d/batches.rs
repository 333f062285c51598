//! Batches in place of expectations.

use evidence::instance::Instance;
use serde::{Deserialize, Serialize};
use two_view::Batches;

/// Batches of n samples from r = 2 signals without noise, M any 2x2 matrix.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
pub(super) struct BatchPoint {
    /// M, row by row.
    #[instance(symbol = "M", range = "-10..=10")]
    pub(super) cross: [f64; 4],
    #[instance(range = "1e-3..=10", scale = "logarithmic")]
    pub(super) tau_squared: f64,
    #[instance(symbol = "K", range = "1e-3..=1e3", scale = "logarithmic")]
    pub(super) negatives: f64,
}

impl BatchPoint {
    pub(super) fn batches(&self) -> Batches {
        Batches { cross: self.cross, tau_squared: self.tau_squared, negatives: self.negatives }
    }
}
