//! Gradient descent on batches in place of the population.

use std::error::Error;

use evidence::prelude::*;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use two_view::{
    Batches, FeatureSelection, GramState, LatentSizes, MatrixBlock, Metrics, MultimodalError, Objective,
    gaussian_features, rates_of,
};

use super::descent::{largest_gap, moved, step};

/// Gradient descent on batches from a Gaussian start: r = 2, no noise, σ² = (2, 1), h = 1/16 up to time `end`.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
pub(super) struct Sampled {
    #[instance(symbol = "m", range = "2..=100")]
    pub(super) width: usize,
    #[instance(range = "1e-3..=10", scale = "logarithmic")]
    pub(super) tau_squared: f64,
    #[instance(symbol = "K", range = "1e-3..=1e3", scale = "logarithmic")]
    pub(super) negatives: f64,
    #[instance(symbol = "T", range = "0.5..=16", scale = "logarithmic")]
    pub(super) end: f64,
}

impl Sampled {
    /// (n, root mean square over the runs of the largest difference of an entry of G from descent with the population
    /// gradient).
    pub(super) fn errors<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Vec<(f64, f64)>, Box<dyn Error + Send + Sync>> {
        const STEP: f64 = 1.0 / 16.0;
        const RUNS: u32 = 64;
        let sizes = LatentSizes::new(2, 0)?;
        let sigma = [2.0, 1.0];
        let metrics = Metrics::orthogonal(sizes, &sigma, 1.0)?;
        let start = gaussian_features::<f64, R>(rng, self.width, sizes, &sigma, 1.0)?.gram();
        let objective = Objective::Contrastive { tau_squared: self.tau_squared, negatives: self.negatives };
        let steps = (self.end / STEP) as u32;
        let mut expected = start.clone();
        for _ in 0..steps {
            expected = step(&expected, &metrics, objective, STEP)?;
        }
        let mut errors = Vec::new();
        for n in (4..=10).map(|k| 1u32 << k) {
            let mut sum = 0.0;
            for _ in 0..RUNS {
                let mut now = start.clone();
                for _ in 0..steps {
                    let mut counts = [0u32; Batches::STATES];
                    (0..n).for_each(|_| counts[rng.random_range(0..Batches::STATES)] += 1);
                    let rates = rates_of(&now, &metrics, &self.estimate(&now, counts)?)?;
                    now = moved(&now, &rates.scaled(STEP))?;
                }
                let gap = largest_gap(&now, &expected);
                sum += gap * gap;
            }
            errors.push((f64::from(n), (sum / f64::from(RUNS)).sqrt()));
        }
        Ok(errors)
    }

    /// Q and Q_0 of a batch with these numbers of the four latent states.
    fn estimate(
        &self,
        state: &GramState<f64>,
        counts: [u32; Batches::STATES],
    ) -> Result<FeatureSelection<f64>, MultimodalError> {
        let cross = state.cross()?;
        let batch = Batches {
            cross: [cross.at(0, 0), cross.at(0, 1), cross.at(1, 0), cross.at(1, 1)],
            tau_squared: self.tau_squared,
            negatives: self.negatives,
        };
        let q = batch.of_counts(&batch.weights(), counts);
        let mut selection = FeatureSelection::of(state, Objective::NonContrastive)?;
        selection.matrix = MatrixBlock::new(2, 2, q.to_vec())?;
        // rQ_0 = tr(CQ), for a batch as for the population.
        selection.scalar = pairs(0..2, 0..2).map(|(i, j)| cross.at(i, j) * q[2 * j + i]).sum::<f64>() / 2.0;
        Ok(selection)
    }
}
