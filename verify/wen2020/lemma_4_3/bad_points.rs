//! Points near the initialisation at which a gradient vanishes though loss vectors do not.
//!
//! Wide networks reach any outputs that their kernel allows within a distance of order √(d/m) of the start, far less than the radius δ^{3/2}/(n³L⁶(log m)^{3/2})
//! once m is large. So it is enough to name outputs.

use std::fmt;

use contrastive::network::{Encoder, NetworkError, TwoEncoders};
use contrastive::subset_contrast;
use enclosures::stream::stream;
use enclosures::vectors::minus;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::encoder_pair::shape;
use crate::shared::gradient_sweeps::squared;
use crate::shared::training_runs::{distance, smallest_distance};
use crate::shared::unit_points::{axes, circle};

/// Which outputs are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "kebab-case")]
pub enum NamedOutputs {
    /// All queries zero, orthogonal inputs: l̂oss = 0 and ∇_θ = 0, while l̃oss_i = Σ_j P_ij (k_j − k_i).
    ZeroQueries,
    /// Inputs on a regular hexagon, k_i = −cos(iπ/3) e_1 and q_i = c k_i, with c such that l̃oss_i = (−1)^i v: one hidden layer has ∇_W = 0, because
    /// f(x) − f(−x) is linear in x for it and Σ (−1)^i f(x_i) = 0.
    Alternating,
}

impl fmt::Display for NamedOutputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NamedOutputs::ZeroQueries => "all queries 0",
            NamedOutputs::Alternating => "the alternating outputs on the hexagon",
        })
    }
}

/// Such outputs, reached from random starts of doubled widths.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::fits, stored)]
pub struct BadPoints {
    pub outputs: NamedOutputs,
    #[instance(range = "1..")]
    pub negatives: usize,
    #[instance(range = "2..")]
    pub width: usize,
    #[instance(range = "2..=10")]
    pub doublings: usize,
    #[instance(range = "1..")]
    pub layers: usize,
    #[instance(range = "1..=16")]
    pub output: usize,
    #[instance(range = "1..=16")]
    pub seeds: usize,
}

impl BadPoints {
    fn in_words(&self) -> String {
        format!(
            "{}, k = {}, m = {} to {}, L = {}, d = {}, {} seeds",
            self.outputs,
            self.negatives,
            self.width,
            self.width << self.doublings,
            self.layers,
            self.output,
            self.seeds
        )
    }

    fn fits(&self) -> Result<(), String> {
        let widest = self.width << self.doublings;
        if self.negatives < self.count() && widest * (widest * (self.layers - 1) + 16) <= 1 << 23 {
            Ok(())
        } else {
            Err("the sizes do not fit".into())
        }
    }
}

/// What was found at one width.
#[derive(Clone, Copy, Debug)]
pub struct Reached {
    pub width: usize,
    /// The larger of ‖W − W^{(0)}‖_F and ‖θ − θ^{(0)}‖_F, at most over the seeds.
    pub distance: f64,
    /// ‖∇‖²/((mδ/(n³d)) Σ ‖l̃oss_i‖²), at most over the seeds: ∇_θ for zero queries, ∇_W for alternating loss vectors.
    pub ratio: f64,
    /// The same at the start.
    pub before: f64,
}

/// Descends on ½ Σ ‖f(x_i) − y_i‖² until the outputs are there.
fn approach(mut encoder: Encoder, points: &[f64], targets: &[f64]) -> Result<Encoder, NetworkError> {
    const STEPS: usize = 400;
    const CLOSE: f64 = 1e-11;
    let shape = encoder.shape();
    let (layers, m, d) = ((shape.depth + 1) as f64, shape.width as f64, shape.output as f64);
    // The largest eigenvalue of the kernel is at most about this, for up to six points.
    let rate = 1.0 / (0.8 * layers * m / d + 4.0);
    for _ in 0..STEPS {
        let forward = encoder.forward(points)?;
        let missing = minus(forward.outputs(), targets);
        if missing.iter().all(|x| x.abs() < CLOSE) {
            break;
        }
        encoder = encoder.displaced(&encoder.backward(&forward, &missing)?, -rate)?;
    }
    Ok(encoder)
}

/// c with l̃oss_0 + l̃oss_1 = 0 for q = c k, k_i = −cos(iπ/3); the other loss vectors then alternate too, by symmetry.
fn multiple(negatives: usize) -> Result<f64, MeasureError> {
    let (mut low, mut high) = (0.0, 64.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        let queries = COSINES.map(|x| middle * x);
        let vectors = subset_contrast(&queries, &COSINES, 1, negatives)?.query_loss_vectors;
        if vectors[0] + vectors[1] > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(0.5 * (low + high))
}

const COSINES: [f64; 6] = [-1.0, -0.5, 0.5, 1.0, 0.5, -0.5];

impl BadPoints {
    fn count(&self) -> usize {
        match self.outputs {
            NamedOutputs::ZeroQueries => 2,
            NamedOutputs::Alternating => 6,
        }
    }

    pub fn measure(&self) -> Result<Vec<Reached>, MeasureError> {
        (0..=self.doublings).map(|k| self.at(self.width << k)).collect()
    }

    fn at(&self, width: usize) -> Result<Reached, MeasureError> {
        let points = match self.outputs {
            NamedOutputs::ZeroQueries => axes(2).into_iter().step_by(2).collect(),
            NamedOutputs::Alternating => circle(6),
        };
        let (flat, delta) = (points.concat(), smallest_distance(&points));
        let (n, m, d) = (self.count() as f64, width as f64, self.output as f64);
        let along = |factor: f64| -> Vec<f64> {
            let row = |x: f64| (0..self.output).map(move |c| if c == 0 { factor * x } else { 0.0 });
            COSINES.into_iter().flat_map(row).collect()
        };
        let mut reached = Reached { width, distance: 0.0, ratio: 0.0, before: f64::INFINITY };
        for seed in 0..self.seeds {
            let mut rng = stream(seed as u64, &["bad points"]);
            let start = TwoEncoders::initialise(shape(2, width, self.layers, self.output), &mut rng)?;
            let to = start.clone();
            let (to, side) = match self.outputs {
                NamedOutputs::ZeroQueries => {
                    let query = approach(to.query, &flat, &vec![0.0; 2 * self.output])?;
                    (TwoEncoders { query, key: to.key }, 1)
                }
                NamedOutputs::Alternating => {
                    let query = approach(to.query, &flat, &along(multiple(self.negatives)?))?;
                    let key = approach(to.key, &flat, &along(1.0))?;
                    (TwoEncoders { query, key }, 0)
                }
            };
            let ratio = |encoders: &TwoEncoders| -> Result<f64, NetworkError> {
                let (gradients, vectors) = squared(&encoders.gradient(&flat, self.negatives)?);
                Ok(gradients[side] / (vectors[0] * m * delta / (n * n * n * d)))
            };
            let far = distance(&start.query, &to.query).max(distance(&start.key, &to.key));
            reached.distance = reached.distance.max(far);
            reached.ratio = reached.ratio.max(ratio(&to)?);
            reached.before = reached.before.min(ratio(&start)?);
        }
        Ok(reached)
    }
}
