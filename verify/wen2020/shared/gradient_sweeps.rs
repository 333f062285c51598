//! Gradients against loss vectors, along sweeps of one size at a time.

use std::fmt;

use contrastive::network::{EndToEndGradient, NetworkError, TwoEncoders, Weights};
use enclosures::probability::fill_standard_normal;
use enclosures::stream::Stream;
use enclosures::vectors::sum_of_squares;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::encoder_pair::shape;
use crate::shared::training_runs::{sizes, smallest_distance};
use crate::shared::unit_points::{drawn_on_the_sphere, two};

/// What is doubled along a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "kebab-case")]
#[instance(describe = Self::to_string, stored)]
pub enum Vary {
    /// n, with k = max(1, n/4).
    Points,
    /// L.
    Layers,
    /// d, at most m.
    Outputs,
    /// d, beyond m.
    WideOutputs,
    /// m.
    Width,
    /// 1/δ, for two points of the plane at an angle that is halved.
    Closeness,
}

impl fmt::Display for Vary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Vary::Points => "n doubled",
            Vary::Layers => "L doubled",
            Vary::Outputs | Vary::WideOutputs => "d doubled",
            Vary::Width => "m doubled",
            Vary::Closeness => "the angle halved",
        })
    }
}

/// n, m, L, d, inputs in ℝ^b.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Instance)]
#[instance(valid = Self::is_small, stored)]
pub struct SweepSizes {
    #[instance(range = "2..=64")]
    pub points: usize,
    #[instance(range = "1..")]
    pub input: usize,
    #[instance(range = "1..=65536")]
    pub width: usize,
    #[instance(range = "1..")]
    pub layers: usize,
    #[instance(range = "1..")]
    pub output: usize,
    /// The angle of the two points where these are two points of the plane, in millionths: a whole number, so that shrinking leaves it alone.
    #[instance(range = "1000..=3_140_000")]
    pub angle: u32,
}

/// The sizes that sweeps change one or another of: one hidden layer, two outputs. The angle matters for two points of the plane only.
pub const SHALLOW: SweepSizes = SweepSizes { points: 4, input: 16, width: 100, layers: 1, output: 2, angle: 1_000_000 };

impl SweepSizes {
    fn is_small(&self) -> Result<(), String> {
        let small = (self.layers - 1) * self.width * self.width <= 1 << 23;
        small.then_some(()).ok_or_else(|| "the network is too large".into())
    }

    fn radians(&self) -> f64 {
        f64::from(self.angle) / 1e6
    }

    pub fn negatives(&self) -> usize {
        (self.points / 4).max(1)
    }

    /// Two points at the angle, or points drawn on the sphere.
    pub fn inputs(&self, rng: &mut Stream) -> Vec<Vec<f64>> {
        if self.points == 2 && self.input == 2 {
            return two(self.radians());
        }
        drawn_on_the_sphere(rng, self.points, self.input)
    }

    /// δ^{3/2}/(n³L⁶(log m)^{3/2}).
    pub fn radius(&self, delta: f64) -> f64 {
        let (n, l) = (self.points as f64, self.layers as f64);
        let (cube, sixth) = (n * n * n, l * l * l * l * l * l);
        let logarithm = core_math::log(self.width as f64).max(1.0);
        delta * delta.sqrt() / (cube * sixth * logarithm * logarithm.sqrt())
    }
}

/// A sweep from its first sizes.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::fits, stored)]
pub struct GradientSweep {
    pub vary: Vary,
    #[instance(range = "2..=8")]
    pub doublings: usize,
    #[instance(range = "1..=32")]
    pub seeds: usize,
    pub start: SweepSizes,
}

impl GradientSweep {
    fn in_words(&self) -> String {
        let SweepSizes { points: n, input: b, width: m, layers: l, output: d, .. } = self.start;
        let angle = if n == 2 && b == 2 { format!(", angle {}", self.start.radians()) } else { String::new() };
        format!(
            "{} {} times from n = {n}, b = {b}, m = {m}, L = {l}, d = {d}{angle}, {} seeds",
            self.vary, self.doublings, self.seeds
        )
    }

    fn fits(&self) -> Result<(), String> {
        self.sizes().iter().try_for_each(|(_, s)| s.validate())
    }
}

/// Extremes over seeds and points of the ball: ‖∇‖² in units of the printed bounds, for W and θ, with the expressions of Facts 1 and 2.
#[derive(Clone, Copy, Debug)]
pub struct Ratios {
    /// Largest ‖∇‖²/((Lm/(nd)) Σ ‖loss_i‖²).
    pub up: [f64; 2],
    /// Smallest ‖∇‖²/((mδ/(n³d)) Σ ‖loss_i‖²).
    pub low: [f64; 2],
    /// δ.
    pub separation: f64,
}

/// ‖∇_W‖², ‖∇_θ‖², ‖l̃oss‖², ‖l̂oss‖².
pub fn squared(found: &EndToEndGradient) -> ([f64; 2], [f64; 2]) {
    let vectors = [&found.contrast.query_loss_vectors, &found.contrast.key_loss_vectors];
    (sizes([&found.query, &found.key]), vectors.map(|v| sum_of_squares(v)))
}

/// Gaussian directions of Frobenius norm one, drawn one after the other.
pub fn directions(like: [&Weights; 2], rng: &mut Stream) -> [Weights; 2] {
    let mut drawn = like.map(|like| Weights {
        a: vec![0.0; like.a.len()],
        w: like.w.iter().map(|w| vec![0.0; w.len()]).collect(),
        b: vec![0.0; like.b.len()],
    });
    for weights in &mut drawn {
        weights.matrices_mut().for_each(|matrix| fill_standard_normal(rng, matrix));
    }
    let norms = sizes([&drawn[0], &drawn[1]]).map(f64::sqrt);
    for (weights, norm) in drawn.iter_mut().zip(norms) {
        for matrix in weights.matrices_mut() {
            matrix.iter_mut().for_each(|x| *x /= norm);
        }
    }
    drawn
}

/// Both encoders moved by the radius: along Gaussian directions, and along the gradient, of these squared norms, either way.
fn rim_of_the_ball(
    start: &TwoEncoders,
    at: &EndToEndGradient,
    squares: [f64; 2],
    radius: f64,
    rng: &mut Stream,
) -> Result<[TwoEncoders; 3], NetworkError> {
    let moved = |query: &Weights, key: &Weights, by: [f64; 2]| -> Result<TwoEncoders, NetworkError> {
        Ok(TwoEncoders { query: start.query.displaced(query, by[0])?, key: start.key.displaced(key, by[1])? })
    };
    let drawn = directions([&at.query, &at.key], rng);
    let rate = |sign: f64| squares.map(|square| sign * radius / square.sqrt().max(1e-300));
    Ok([
        moved(&drawn[0], &drawn[1], [radius; 2])?,
        moved(&at.query, &at.key, rate(1.0))?,
        moved(&at.query, &at.key, rate(-1.0))?,
    ])
}

impl GradientSweep {
    /// A sweep in which one size is doubled so many times, with so many seeds at every step.
    pub fn of(vary: Vary, doublings: usize, seeds: usize, start: SweepSizes) -> Self {
        GradientSweep { vary, doublings, seeds, start }
    }

    /// (the size that grows, all sizes).
    pub fn sizes(&self) -> Vec<(f64, SweepSizes)> {
        let at = |k: usize| {
            let mut s = self.start;
            let grown = match self.vary {
                Vary::Closeness => {
                    s.angle >>= k;
                    return ((1u64 << k) as f64, s);
                }
                Vary::Points => &mut s.points,
                Vary::Layers => &mut s.layers,
                Vary::Outputs | Vary::WideOutputs => &mut s.output,
                Vary::Width => &mut s.width,
            };
            *grown <<= k;
            (*grown as f64, s)
        };
        (0..=self.doublings).map(at).collect()
    }

    pub fn measure(&self, trial: &mut Trial) -> Result<Vec<(f64, Ratios)>, MeasureError> {
        let seeds = trial.samples(self.seeds);
        let at = |(size, s): &(f64, SweepSizes)| Ok((*size, Self::ratios(s, seeds, trial.rng())?));
        self.sizes().iter().map(at).collect()
    }

    fn ratios(s: &SweepSizes, seeds: usize, rng: &mut Stream) -> Result<Ratios, MeasureError> {
        let mut found = Ratios { up: [0.0; 2], low: [f64::INFINITY; 2], separation: 2.0 };
        for _ in 0..seeds {
            let points = s.inputs(rng);
            let delta = smallest_distance(&points);
            found.separation = found.separation.min(delta);
            let start = TwoEncoders::initialise(shape(s.input, s.width, s.layers, s.output), rng)?;
            let flat = points.concat();
            let at = start.gradient(&flat, s.negatives())?;
            let (n, l, m, d) = (s.points as f64, s.layers as f64, s.width as f64, s.output as f64);
            let of_start = squared(&at);
            let rim = rim_of_the_ball(&start, &at, of_start.0, s.radius(delta), rng)?;
            let mut seen = vec![of_start];
            for encoders in rim {
                seen.push(squared(&encoders.gradient(&flat, s.negatives())?));
            }
            for (gradients, vectors) in seen {
                for side in 0..2 {
                    let ratio = gradients[side] / vectors[side];
                    found.up[side] = found.up[side].max(ratio * n * d / (l * m));
                    found.low[side] = found.low[side].min(ratio * n * n * n * d / (m * delta));
                }
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use enclosures::stream::stream;

    use super::*;
    use crate::shared::training_runs::distance;

    fn sizes(points: usize, layers: usize, width: usize) -> SweepSizes {
        SweepSizes { points, input: 2, width, layers, output: 2, angle: 1_047_198 }
    }

    #[test]
    fn the_radius_is_that_of_the_powers_worked_by_hand() {
        // log 2 counts as one: δ^{3/2} = 1/8 for δ = 1/4, n³ = 8, L⁶ = 64.
        assert_eq!(sizes(2, 1, 2).radius(0.25), 1.0 / 64.0);
        assert_eq!(sizes(2, 2, 2).radius(1.0), 1.0 / 512.0);
        // (log m)³ from the square of the radius.
        let (found, log) = (8.0 * sizes(2, 1, 1000).radius(1.0), 6.907_755_278_982_137);
        assert!((found * found * log * log * log - 1.0).abs() < 1e-13, "{found}");
        // Two points of the plane at 60°.
        let points = sizes(2, 1, 2).inputs(&mut stream(1, &["inputs"]));
        assert!((smallest_distance(&points) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn points_on_the_rim_of_the_ball_lie_uphill_and_downhill() {
        let mut rng = stream(2, &["points of the ball"]);
        let start = TwoEncoders::initialise(shape(2, 8, 2, 2), &mut rng).unwrap();
        let points = two(1.0).concat();
        let at = start.gradient(&points, 1).unwrap();
        let radius = 1e-4;
        let ([query, key], _) = squared(&at);
        let list = rim_of_the_ball(&start, &at, [query, key], radius, &mut rng).unwrap();
        for moved in &list {
            for (from, to) in [(&start.query, &moved.query), (&start.key, &moved.key)] {
                assert!((distance(from, to) / radius - 1.0).abs() < 1e-9);
            }
        }
        // Along the gradient the loss changes by the radius times its norms.
        let change = |e: &TwoEncoders| e.gradient(&points, 1).unwrap().contrast.loss - at.contrast.loss;
        let slope = radius * (query.sqrt() + key.sqrt());
        assert!((change(&list[1]) / slope - 1.0).abs() < 0.01 && (change(&list[2]) / slope + 1.0).abs() < 0.01);
    }

    #[test]
    fn a_sweep_doubles_one_size_and_leaves_the_others() {
        let start = SweepSizes { points: 4, input: 3, width: 8, angle: 80_000, ..SHALLOW };
        let all = |s: &SweepSizes| [s.points, s.input, s.width, s.layers, s.output];
        for (vary, place) in
            [(Vary::Points, 0), (Vary::Width, 2), (Vary::Layers, 3), (Vary::Outputs, 4), (Vary::WideOutputs, 4)]
        {
            let sweep = GradientSweep::of(vary, 3, 1, start);
            for (k, (size, s)) in sweep.sizes().iter().enumerate() {
                let mut expected = all(&start);
                expected[place] *= [1, 2, 4, 8][k];
                assert_eq!((all(s), *size as usize, s.angle), (expected, expected[place], 80_000));
            }
        }
        let two = SweepSizes { points: 2, input: 2, ..start };
        let closer = GradientSweep::of(Vary::Closeness, 3, 1, two);
        assert!(closer.sizes().iter().all(|(size, s)| size * s.radians() == 0.08));
    }
}
