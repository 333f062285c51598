//! Algorithm 1 on separated data, on antipodal pairs, on the digits and on MNIST: runs, and sweeps of one size at equal times.

use std::fmt;

use contrastive::data::{digits, mnist};
use enclosures::stream::stream;
use evidence::claim::Fixtures;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::training_runs::{Progress, Run, RunSizes, run_on};
use crate::shared::unit_points::{axes, circle, drawn_on_the_sphere, on_the_sphere, two};

/// Where the inputs come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "kebab-case")]
#[instance(describe = Self::to_string, stored)]
pub enum Inputs {
    /// Drawn on the sphere, drawn again until the smallest distance is at least this.
    Separated {
        #[instance(range = "0..=1.3")]
        least: f64,
    },
    /// Both ends of coordinate axes.
    Antipodal,
    /// Equally spaced in the plane.
    Circle,
    /// Two points of the plane at an angle, and further axes.
    Close {
        #[instance(range = "1e-6<..3.1")]
        angle: f64,
    },
    /// The first images of the digits, divided by their norms.
    Digits,
    /// The first image of each of the first classes of MNIST, divided by its norm.
    Mnist,
}

/// The inputs in words, beside the numbers n and b.
impl fmt::Display for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Inputs::Separated { least } => write!(f, "inputs drawn with δ ≥ {least}"),
            Inputs::Antipodal => f.write_str("inputs ±e_i"),
            Inputs::Circle => f.write_str("inputs equally spaced on a circle"),
            Inputs::Close { angle } => write!(f, "two inputs at the angle {angle}, others orthogonal"),
            Inputs::Digits => f.write_str("images of digits as inputs"),
            Inputs::Mnist => f.write_str("images of MNIST as inputs"),
        }
    }
}

/// A run of Algorithm 1.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "{inputs}, {sizes}", valid = Self::fits, stored)]
pub struct Training {
    pub inputs: Inputs,
    pub sizes: RunSizes,
}

impl Training {
    fn fits(&self) -> Result<(), String> {
        let (n, b) = (self.sizes.points, self.sizes.input);
        let fits = match &self.inputs {
            Inputs::Separated { .. } => true,
            Inputs::Antipodal => n == 2 * b,
            Inputs::Circle => b == 2,
            Inputs::Close { .. } => n == b,
            Inputs::Digits => b == digits::DIMENSION && n <= digits::COUNT,
            Inputs::Mnist => b == mnist::DIMENSION && n <= mnist::CLASSES,
        };
        fits.then_some(()).ok_or_else(|| "the inputs do not have these sizes".into())
    }

    fn points(&self, fixtures: &Fixtures) -> Result<Vec<Vec<f64>>, MeasureError> {
        let (n, b) = (self.sizes.points, self.sizes.input);
        Ok(match &self.inputs {
            Inputs::Separated { least } => {
                let mut rng = stream(u64::from(self.sizes.seed), &["separated inputs"]);
                let drawn = || drawn_on_the_sphere(&mut rng, n, b);
                let apart = |points: &Vec<Vec<f64>>| crate::shared::training_runs::smallest_distance(points) >= *least;
                let mut tries = std::iter::repeat_with(drawn).take(10_000);
                tries.find(apart).ok_or("no separated inputs were found")?
            }
            Inputs::Antipodal => axes(b),
            Inputs::Circle => circle(n),
            Inputs::Close { angle } => {
                let mut points = axes(b).into_iter().step_by(2).collect::<Vec<_>>();
                let pair = two(*angle);
                points[1][..2].copy_from_slice(&pair[1]);
                points
            }
            Inputs::Digits => {
                let images = digits::load(fixtures.root())?;
                on_the_sphere((0..n).map(|i| images.point(i).to_vec()).collect())
            }
            Inputs::Mnist => {
                let images = mnist::load(fixtures.root())?;
                let first = |class: usize| images.class_members(class).first().map(|&i| images.point(i).to_vec());
                on_the_sphere((0..n).filter_map(first).collect())
            }
        })
    }

    pub fn run(&self, fixtures: &Fixtures) -> Result<Run, MeasureError> {
        let mut rng = stream(u64::from(self.sizes.seed), &["end-to-end training"]);
        run_on(&self.points(fixtures)?, &self.sizes, &mut rng)
    }
}

/// ‖loss‖² = ‖l̃oss‖² + ‖l̂oss‖², with the expressions of Facts 1 and 2.
pub fn total(p: &Progress) -> f64 {
    p.loss_vectors.iter().sum()
}

/// ‖∇_W‖_F² + ‖∇_θ‖_F².
pub fn slope(p: &Progress) -> f64 {
    p.gradients.iter().sum()
}

impl Run {
    pub fn length(&self) -> usize {
        self.progress.len() - 1
    }

    /// A(T) = (1/T) Σ_{t<T} ‖loss^{(t)}‖, for 1 ≤ T ≤ the number of steps.
    pub fn average_until(&self, steps: usize) -> f64 {
        let sum: f64 = self.progress[..steps].iter().map(|p| total(p).sqrt()).sum();
        sum / steps as f64
    }

    /// The smallest ρ_t = (L_S(t) − L_S(t+1))/(η(‖∇_W‖² + ‖∇_θ‖²)).
    pub fn least_descent(&self) -> f64 {
        let ratio = |pair: &[Progress]| (pair[0].loss - pair[1].loss) / (self.rate * slope(&pair[0]));
        self.progress.windows(2).map(ratio).fold(f64::INFINITY, f64::min)
    }

    /// The smallest χ_t = (‖∇_W‖² + ‖∇_θ‖²)/‖loss^{(t)}‖².
    pub fn least_conversion(&self) -> f64 {
        let ratio = |p: &Progress| slope(p) / total(p);
        self.progress.iter().map(ratio).fold(f64::INFINITY, f64::min)
    }
}

/// A training with these sizes: inputs, n, k, b, m, L, d, T, step in thousandths of d/m.
pub fn training(inputs: Inputs, sizes: [usize; 7], rate_in_thousandths: u32, seed: u32) -> Training {
    let [points, negatives, input, width, layers, output, steps] = sizes;
    let sizes = RunSizes { points, negatives, input, width, layers, output, steps, rate_in_thousandths, seed };
    Training { inputs, sizes }
}

#[cfg(test)]
mod tests {
    use enclosures::vectors::sum_of_squares;

    use super::*;
    use crate::shared::training_runs::smallest_distance;

    fn points(inputs: Inputs, n: usize, b: usize) -> Vec<Vec<f64>> {
        let training = training(inputs, [n, 1, b, 4, 1, 2, 1], 1, 5);
        assert!(training.validate().is_ok());
        training.points(&Fixtures::at("none")).unwrap()
    }

    #[test]
    fn inputs_have_the_distances_of_their_names() {
        let close = points(Inputs::Close { angle: 0.5 }, 4, 4);
        // The chord of the angle, and a right angle to all others.
        assert!((smallest_distance(&close) - 2.0 * core_math::sin(0.25)).abs() < 1e-14);
        assert!((smallest_distance(&close[1..]) - 2.0_f64.sqrt()).abs() < 1e-14 && close.len() == 4);
        let separated = points(Inputs::Separated { least: 1.2 }, 4, 3);
        assert!(smallest_distance(&separated) >= 1.2);
        let antipodal = points(Inputs::Antipodal, 6, 3);
        for x in &antipodal {
            let minus: Vec<f64> = x.iter().map(|a| -a).collect();
            assert!(antipodal.contains(&minus));
        }
        let on_circle = points(Inputs::Circle, 5, 2);
        let side = 2.0 * core_math::sin(std::f64::consts::PI / 5.0);
        assert!((smallest_distance(&on_circle) - side).abs() < 1e-14);
        for x in [close, separated, antipodal, on_circle].concat() {
            assert!((sum_of_squares(&x) - 1.0).abs() < 1e-14);
        }
        let wrong = training(Inputs::Antipodal, [5, 1, 3, 4, 1, 2, 1], 1, 5);
        assert!(wrong.validate().is_err());
    }

    /// Three moments with small whole numbers.
    #[test]
    fn averages_and_least_ratios_are_those_worked_by_hand() {
        let at = |loss: f64, loss_vectors, gradients| Progress { loss, loss_vectors, gradients, distances: [0.0; 2] };
        let run = Run {
            progress: vec![
                at(5.0, [9.0, 16.0], [3.0, 1.0]),
                at(4.0, [0.0, 1.0], [1.0, 1.0]),
                at(3.75, [4.0, 0.0], [0.0, 0.5]),
            ],
            rate: 0.125,
            separation: 1.0,
        };
        assert_eq!(run.length(), 2);
        assert_eq!((run.average_until(1), run.average_until(2)), (5.0, 3.0));
        // 1/(4/8) and (1/4)/(2/8).
        assert_eq!(run.least_descent(), 1.0);
        // 4/25, 2 and 1/8.
        assert_eq!(run.least_conversion(), 0.125);
    }
}
