//! Gradient descent on least squares, ½ Σ ‖f(x_i) − y_i‖², for a network with W trained.

use contrastive::network::{Encoder, EncoderShape, GradientDescent, Pairs, Separation, Trained};
use enclosures::interval;
use enclosures::probability::list_of_standard_normals;
use enclosures::stream::stream;
use enclosures::vectors::{minus, sum_of_squares};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// Unit inputs in random directions, targets uniform on the sphere of radius 1.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, stored)]
pub struct RegressionRun {
    /// n.
    #[instance(range = "2..=20")]
    pub inputs: usize,
    /// d_x.
    #[instance(range = "2..=64")]
    pub dimension: usize,
    /// m.
    #[instance(range = "1..=1024")]
    pub width: usize,
    /// L.
    #[instance(range = "1..=4")]
    pub depth: usize,
    /// d.
    #[instance(range = "1..=16")]
    pub output: usize,
    /// The last input repeats the first, with another target.
    pub twins: bool,
    pub seed: u64,
    /// The most updates.
    #[instance(range = "1..=1_000_000")]
    pub steps: usize,
}

/// What is kept of one training.
pub struct RegressionRecord {
    /// (ε, T(ε)) for the accuracies reached.
    pub passages: Vec<(f64, usize)>,
    /// The smallest loss.
    pub least: Enclosure,
    /// ¼‖y − y'‖² for the repeated input.
    pub floor: Enclosure,
    pub steps: usize,
}

fn unit_rows(count: usize, dimension: usize, seed: u64, name: &str) -> Vec<f64> {
    let mut rows = list_of_standard_normals(&mut stream(seed, &[name]), count * dimension);
    for x in rows.chunks_exact_mut(dimension) {
        let norm = interval::dot(x, x).sqrt().midpoint();
        x.iter_mut().for_each(|t| *t /= norm);
    }
    rows
}

impl RegressionRun {
    fn points(&self) -> Vec<f64> {
        let mut points = unit_rows(self.inputs, self.dimension, self.seed, "inputs");
        if self.twins {
            let (first, last) = (0..self.dimension, (self.inputs - 1) * self.dimension);
            points.copy_within(first, last);
        }
        points
    }

    /// Targets on the unit sphere; for twins the last is the opposite of the first.
    fn targets(&self) -> Vec<f64> {
        let mut targets = unit_rows(self.inputs, self.output, self.seed, "targets");
        if self.twins {
            for i in 0..self.output {
                targets[(self.inputs - 1) * self.output + i] = -targets[i];
            }
        }
        targets
    }

    /// Unit inputs at distance δ > 0 of each other.
    pub fn is_separated(&self) -> bool {
        Separation::of(&self.points(), self.dimension)
            .is_ok_and(|s| s.satisfies(Pairs::Indexed, 1e-3, 1e-12) == Some(true))
    }

    /// Trains with ν = dδ/(n^{1/2}(L + 1)m), δ the smallest distance of distinct inputs, until the last accuracy.
    pub fn measure(&self, accuracies: &[f64]) -> Result<RegressionRecord, MeasureError> {
        let shape = EncoderShape { input: self.dimension, width: self.width, depth: self.depth, output: self.output };
        let encoder = Encoder::initialise(shape, &mut stream(self.seed, &["weights"]))?;
        let (points, targets) = (self.points(), self.targets());
        let delta = Separation::of(&points, self.dimension)?
            .smallest_distance(Pairs::Distinct)
            .ok_or("all inputs are equal")?
            .midpoint();
        let polynomial = (self.inputs as f64).sqrt() * (self.depth + 1) as f64;
        let rate = self.output as f64 * delta / (polynomial * self.width as f64);
        let mut run = GradientDescent::new(encoder, points, rate, Trained::Hidden)?;
        let last = (self.inputs - 1) * self.output;
        let apart = (0..self.output).map(|i| (exact(targets[i]) - targets[last + i]).square());
        let mut found = RegressionRecord {
            passages: Vec::new(),
            least: exact(f64::MAX),
            floor: if self.twins { apart.sum::<Enclosure>() / 4.0 } else { Enclosure::ZERO },
            steps: 0,
        };
        let mut awaited = accuracies.iter().peekable();
        loop {
            let slope = minus(run.outputs(), &targets);
            let half = sum_of_squares(&slope) / 2.0;
            if half <= found.least.hi() {
                let squares = run.outputs().iter().zip(&targets).map(|(&f, &y)| (Enclosure::measured(f) - y).square());
                found.least = found.least.min(squares.sum::<Enclosure>() / 2.0).as_measured();
            }
            while let Some(&accuracy) = awaited.next_if(|&&e| half <= e) {
                found.passages.push((accuracy, run.steps()));
            }
            if awaited.peek().is_none() || run.steps() == self.steps {
                found.steps = run.steps();
                return Ok(found);
            }
            run.step(&slope)?;
        }
    }
}

impl RegressionRun {
    fn in_words(&self) -> String {
        let (n, k, m, l, d) = (self.inputs, self.dimension, self.width, self.depth, self.output);
        let twins = if self.twins { ", one twice with opposite targets" } else { "" };
        format!("{n} inputs in dimension {k}{twins}, m = {m}, L = {l}, d = {d}")
    }
}
