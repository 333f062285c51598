//! Runs of Algorithm 1 on small networks, with all that the statements on its progress compare.

use contrastive::network::{Encoder, EndToEndGradient, TwoEncoders, Weights};
use enclosures::stream::{Stream, stream};
use enclosures::vectors::{minus, norm, sum_of_squares};
use evidence::claim::pairs_below;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::encoder_pair::shape;
use crate::shared::unit_points::drawn_on_the_sphere;

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
        [shorter, narrower].into_iter().filter(|s| s.validate().is_ok()).collect()
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

/// ‖W − V‖_F of two encoders of one shape.
pub fn distance(from: &Encoder, to: &Encoder) -> f64 {
    let mut sum = 0.0;
    for (from, to) in from.weights().matrices().zip(to.weights().matrices()) {
        for (x, y) in from.iter().zip(to) {
            sum += (x - y) * (x - y);
        }
    }
    f64::sqrt(sum)
}

/// ‖W‖_F² of two gradients of one shape, together: each term of a sum waits for the one before, those of the other need not.
pub fn sizes(weights: [&Weights; 2]) -> [f64; 2] {
    let mut totals = [0.0; 2];
    for (first, second) in weights[0].matrices().zip(weights[1].matrices()) {
        let mut sums = [0.0; 2];
        for (x, y) in first.iter().zip(second) {
            sums[0] += x * x;
            sums[1] += y * y;
        }
        totals[0] += sums[0];
        totals[1] += sums[1];
    }
    totals
}

fn progress(found: &EndToEndGradient, start: &TwoEncoders, at: &TwoEncoders) -> Progress {
    Progress {
        loss: found.contrast.loss,
        loss_vectors: [
            sum_of_squares(&found.contrast.query_loss_vectors),
            sum_of_squares(&found.contrast.key_loss_vectors),
        ],
        gradients: sizes([&found.query, &found.key]),
        distances: [distance(&start.query, &at.query), distance(&start.key, &at.key)],
    }
}

/// Trains on points drawn on the sphere; a pure function of the sizes.
pub fn run(s: &RunSizes) -> Result<Run, MeasureError> {
    let mut rng = stream(u64::from(s.seed), &["end-to-end run"]);
    let points = drawn_on_the_sphere(&mut rng, s.points, s.input);
    run_on(&points, s, &mut rng)
}

/// The smallest distance of two points.
pub fn smallest_distance(points: &[Vec<f64>]) -> f64 {
    let apart = |i: usize, j: usize| norm(&minus(&points[i], &points[j]));
    pairs_below(points.len()).map(|(j, i)| apart(i, j)).fold(2.0, f64::min)
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
    Ok(Run { progress: list, rate, separation: smallest_distance(points) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::unit_points::{circle, on_the_sphere, simplex};

    fn sizes(rate_in_thousandths: u32) -> RunSizes {
        RunSizes {
            points: 3,
            negatives: 2,
            input: 3,
            width: 12,
            layers: 2,
            output: 2,
            steps: 4,
            rate_in_thousandths,
            seed: 3,
        }
    }

    #[test]
    fn distances_are_those_of_the_figure() {
        for n in [4, 6, 12] {
            // The side of a regular n-gon in the unit circle.
            let side = 2.0 * core_math::sin(std::f64::consts::PI / n as f64);
            assert!((smallest_distance(&circle(n)) - side).abs() < 1e-14, "{n}");
        }
        assert!((smallest_distance(&on_the_sphere(simplex(4))) - (8.0_f64 / 3.0).sqrt()).abs() < 1e-14);
        assert_eq!(smallest_distance(&[vec![3.0, 4.0], vec![3.0, 4.25]]), 0.25);
    }

    /// One step moves W by η‖∇_W‖ and θ by η‖∇_θ‖, and lowers the loss by η times both squares, to first order.
    #[test]
    fn a_short_step_is_as_long_and_as_steep_as_the_gradient() {
        let found = run(&sizes(1)).unwrap();
        assert_eq!(found.progress.len(), 5);
        assert!((found.rate - 0.001 * 2.0 / 12.0).abs() < 1e-18);
        let (first, second) = (&found.progress[0], &found.progress[1]);
        assert_eq!(first.distances, [0.0; 2]);
        for side in 0..2 {
            let length = found.rate * first.gradients[side].sqrt();
            assert!((second.distances[side] / length - 1.0).abs() < 1e-9);
        }
        for pair in found.progress.windows(2) {
            let slope = found.rate * (pair[0].gradients[0] + pair[0].gradients[1]);
            assert!(((pair[0].loss - pair[1].loss) / slope - 1.0).abs() < 0.01);
        }
    }

    /// The same start at another step: what is found before the first one does not depend on it.
    #[test]
    fn the_start_does_not_depend_on_the_step_and_the_way_does() {
        let (slow, fast) = (run(&sizes(1)).unwrap(), run(&sizes(10)).unwrap());
        assert_eq!(slow.progress[0].loss, fast.progress[0].loss);
        let ratio = fast.progress[1].distances[1] / slow.progress[1].distances[1];
        assert!((ratio - 10.0).abs() < 1e-6, "{ratio}");
        let distances = [distance, |a: &Encoder, b: &Encoder| distance(b, a)];
        let shapes = shape(2, 3, 1, 1);
        let [a, b] = [1, 2].map(|seed| Encoder::initialise(shapes, &mut stream(seed, &["distances"])).unwrap());
        let by_hand: f64 = (a.weights().a.iter().zip(&b.weights().a).chain(a.weights().b.iter().zip(&b.weights().b)))
            .map(|(x, y)| (x - y) * (x - y))
            .sum();
        assert!(distances.iter().all(|d| (d(&a, &b) - by_hand.sqrt()).abs() < 1e-14));
    }
}
