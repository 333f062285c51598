//! Samples of the moons, descents from random starts on them, and where they settle.

use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use super::moons_descent::PlaneWeights;
use crate::shared::moons_data::{Moons, eigenvalues};

/// A number of moons points, their noise, and the standard deviation of x⁺ − x.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "n = {count}, noise {noise}, deviation \
                       {deviation:.3}", simpler = Self::with_fewer_points, stored)]
pub struct Sample {
    #[instance(range = "1..=500")]
    pub count: usize,
    #[instance(range = "0..=1")]
    pub noise: f64,
    #[instance(range = "0..=1")]
    pub deviation: f64,
}

impl Sample {
    fn with_fewer_points(&self) -> Vec<Self> {
        let fewer = [self.count / 2, self.count - 1];
        fewer.into_iter().filter(|n| *n >= 1).map(|count| Sample { count, ..self.clone() }).collect()
    }
}

/// 0.1 as a variance and as a standard deviation.
pub const DEVIATIONS: [f64; 2] = [0.316_227_766, 0.1];

pub const NOISES: [f64; 2] = [0.0, 0.1];

/// A moons sample and the sizes of the network.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "{sample}, z = {z}, h = {h}", stored)]
pub struct Training {
    pub sample: Sample,
    #[instance(range = "1..=2")]
    pub z: usize,
    #[instance(range = "2..=50")]
    pub h: usize,
}

/// Noise 0.1, and 0.1 as a variance.
pub fn training(count: usize, z: usize, h: usize) -> Training {
    let sample = Sample { count, noise: 0.1, deviation: DEVIATIONS[0] };
    Training { sample, z, h }
}

pub fn trainings() -> Vec<(String, Training)> {
    const SIZES: [(usize, usize); 4] = [(1, 2), (1, 10), (2, 2), (2, 10)];
    let all = [5, 50, 200].into_iter().flat_map(|n| SIZES.map(|(z, h)| training(n, z, h)));
    described(all)
}

/// How one start ended.
#[derive(Clone, Debug)]
pub struct Run {
    /// Loss at the start, and N₀/(8|L₀|).
    pub initial: f64,
    pub deadline: f64,
    /// When the free flow had multiplied N by a million.
    pub escape: Option<f64>,
    /// The largest |λ|, whose inverse is the unit of time.
    pub rate: f64,
    /// The scaled loss along the descent, over the value of problem 1: the left panel of Figure 1.
    pub curve: Vec<f64>,
    /// Spread of the scaled loss over the last fifth, over the value.
    pub spread: f64,
    /// σ₂/σ₁ of W₁ along the descent.
    pub roundness: Vec<f64>,
}

pub const STARTS: usize = 10;
pub const STEPS: usize = 2000;
/// For z = 2, where the second singular values are slow to grow.
const STEPS_FOR_TWO: usize = 10_000;
/// Of the descent, over the largest |λ|.
pub const STEP: f64 = 0.005;

pub fn train(t: &Training, trial: &mut Trial) -> Result<Vec<Run>, MeasureError> {
    let mut all = Vec::new();
    for _ in 0..STARTS {
        let c = Moons::draw(t.sample.count, t.sample.noise, t.sample.deviation, trial.rng())?.matrix();
        let spectrum = eigenvalues(c);
        let value: f64 = spectrum.iter().take(t.z).map(|l| l.min(0.0)).sum();
        let largest = spectrum[0].abs().max(spectrum[1].abs());
        let start = PlaneWeights::gaussian(t.z, t.h, trial.rng())?;
        let initial = start.loss(c);
        let deadline = start.size() / (8.0 * initial.abs());
        let steps = if t.z == 2 { STEPS_FOR_TWO } else { STEPS };
        let (mut now, mut curve, mut roundness) = (start.clone(), Vec::new(), Vec::new());
        for _ in 0..=steps {
            curve.push(now.scaled_loss(c) / value);
            roundness.push(now.roundness());
            now = now.descended(c, STEP / largest);
        }
        let late = &curve[4 * steps / 5..];
        let (low, high) = late.iter().fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(*x), b.max(*x)));
        all.push(Run {
            escape: start.escapes(c, 1.01 * deadline),
            initial,
            deadline,
            rate: largest,
            spread: high - low,
            curve,
            roundness,
        });
    }
    Ok(all)
}
