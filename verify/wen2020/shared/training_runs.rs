//! Runs of Algorithm 1 on small networks, with all that the statements on its progress compare.

use contrastive::network::{Encoder, EndToEndGradient, TwoEncoders, Weights};
use enclosures::stream::{Stream, stream};
use evidence::claim::MeasureError;
use evidence::instance::Instance;
use serde::{Deserialize, Serialize};

use crate::shared::encoder_pair::shape;
use crate::shared::unit_points::on_the_sphere;

/// Sizes and step of a run: η = γ = rate · d/m, inputs drawn on the sphere of ℝ^b.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::fits, simpler = Self::shorter_or_narrower, stored)]
pub struct RunSizes {
    #[instance(range = "2..")]
    pub points: usize,
    #[instance(range = "1..")]
    pub negatives: usize,
    #[instance(range = "1..")]
    pub input: usize,
    #[instance(range = "1..")]
    pub width: usize,
    #[instance(range = "1..")]
    pub layers: usize,
    #[instance(range = "1..")]
    pub output: usize,
    #[instance(range = "1..")]
    pub steps: usize,
    /// Stored as text of whole thousandths, so that a search leaves it alone.
    #[instance(range = "1..")]
    pub rate_in_thousandths: u32,
    pub seed: u32,
}

impl RunSizes {
    fn in_words(&self) -> String {
        format!(
            "n = {}, k = {}, b = {}, m = {}, L = {}, d = {}, T = {}, η = γ = {} d/m, seed {}",
            self.points,
            self.negatives,
            self.input,
            self.width,
            self.layers,
            self.output,
            self.steps,
            f64::from(self.rate_in_thousandths) / 1000.0,
            self.seed
        )
    }

    fn fits(&self) -> Result<(), String> {
        if self.negatives >= self.points {
            return Err("there are too few points for the negatives".into());
        }
        if self.steps * self.points * self.width * (self.input + self.layers * self.width) > 1 << 31 {
            return Err("the run is too long".into());
        }
        Ok(())
    }

    fn shorter_or_narrower(&self) -> Vec<Self> {
        let (steps, width) = (self.steps / 2, self.width / 2);
        let (shorter, narrower) = (RunSizes { steps, ..self.clone() }, RunSizes { width, ..self.clone() });
        [shorter, narrower]
            .into_iter()
            .filter(|s| s.validate().is_ok())
            .collect()
    }
}

/// What was found before one step.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// L_S(t).
    pub loss: f64,
    /// ‖l̃oss‖² and ‖l̂oss‖² of the expressions of Facts 1 and 2, n² times those of the derivatives.
    pub loss_vectors: [f64; 2],
    /// ‖∇_W L_S‖_F² and ‖∇_θ L_S‖_F².
    pub gradients: [f64; 2],
    /// ‖W − W^{(0)}‖_F and ‖θ − θ^{(0)}‖_F.
    pub distances: [f64; 2],
}

/// A run with T steps: what was found at t = 0, …, T.
pub struct Run {
    pub progress: Vec<Progress>,
    pub rate: f64,
    /// δ, the smallest distance of two inputs.
    pub separation: f64,
}

pub fn squares(numbers: &[f64]) -> f64 {
    numbers.iter().map(|x| x * x).sum()
}

/// ‖W − V‖_F of two encoders of one shape.
pub fn distance(from: &Encoder, to: &Encoder) -> f64 {
    let entries = |encoder: &Encoder| encoder.weights().matrices().flatten().copied().collect::<Vec<_>>();
    let difference = |(a, b): (f64, f64)| (a - b) * (a - b);
    entries(from)
        .into_iter()
        .zip(entries(to))
        .map(difference)
        .sum::<f64>()
        .sqrt()
}

fn progress(found: &EndToEndGradient, start: &TwoEncoders, at: &TwoEncoders) -> Progress {
    let norm = |weights: &Weights| weights.matrices().map(squares).sum();
    Progress {
        loss: found.contrast.loss,
        loss_vectors: [
            squares(&found.contrast.query_loss_vectors),
            squares(&found.contrast.key_loss_vectors),
        ],
        gradients: [norm(&found.query), norm(&found.key)],
        distances: [distance(&start.query, &at.query), distance(&start.key, &at.key)],
    }
}

/// Trains on points drawn on the sphere; a pure function of the sizes.
pub fn run(s: &RunSizes) -> Result<Run, MeasureError> {
    let mut rng = stream(u64::from(s.seed), &["end-to-end run"]);
    let mut coordinates = vec![0.0; s.points * s.input];
    enclosures::probability::fill_standard_normal(&mut rng, &mut coordinates);
    let points = on_the_sphere(coordinates.chunks_exact(s.input).map(<[f64]>::to_vec).collect());
    run_on(&points, s, &mut rng)
}

/// The smallest distance of two points.
pub fn smallest_distance(points: &[Vec<f64>]) -> f64 {
    let apart = |i: usize, j: usize| {
        let difference: Vec<f64> = points[i].iter().zip(&points[j]).map(|(a, b)| a - b).collect();
        squares(&difference).sqrt()
    };
    let pairs = (0..points.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    pairs.map(|(i, j)| apart(i, j)).fold(2.0, f64::min)
}

/// Trains on the given points.
pub fn run_on(points: &[Vec<f64>], s: &RunSizes, rng: &mut Stream) -> Result<Run, MeasureError> {
    let start = TwoEncoders::initialise(shape(s.input, s.width, s.layers, s.output), rng)?;
    let mut encoders = start.clone();
    let rate = f64::from(s.rate_in_thousandths) / 1000.0 * s.output as f64 / s.width as f64;
    let flat = points.concat();
    let mut list = Vec::with_capacity(s.steps + 1);
    for _ in 0..s.steps {
        let before = encoders.clone();
        let found = encoders.descend(&flat, s.negatives, rate, rate)?;
        list.push(progress(&found, &start, &before));
    }
    list.push(progress(&encoders.gradient(&flat, s.negatives)?, &start, &encoders));
    Ok(Run {
        progress: list,
        rate,
        separation: smallest_distance(points),
    })
}
