//! What is left of L_S(W + W′, θ + θ′) after the first-order terms, in units of the brackets of the semi-smoothness lemma.

use contrastive::network::{Encoder, EndToEndGradient, TwoEncoders, Weights};
use contrastive::{ContrastiveError, subset_contrast};
use enclosures::stream::Stream;
use enclosures::vectors::norm;
use evidence::prelude::*;

use crate::shared::encoder_pair::shape;
use crate::shared::gradient_sweeps::{GradientSweep, SweepSizes, directions};
use crate::shared::training_runs::sizes;

/// Extremes over seeds, directions and radii.
#[derive(Clone, Copy, Debug, Default)]
pub struct Remainders {
    /// Largest remainder over the sum of the printed brackets, each with the constant one.
    pub printed: f64,
    /// Largest remainder.
    pub alone: f64,
    /// Largest remainder over k(τ²‖W′‖² + ω²‖θ′‖²).
    pub plain: f64,
    /// Largest L_S(new) − L_S(old) + first-order terms, over the sum of the printed brackets, for steps far below the range.
    pub flipped: f64,
}

/// A pair of displacements, and with which signs.
struct Directions {
    by: [Weights; 2],
    signs: &'static [[f64; 2]],
}

/// Both one way and the other, each with each.
const ALL_SIGNS: &[[f64; 2]] = &[[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]];

impl Directions {
    fn both_ways(by: [Weights; 2]) -> Self {
        Directions { by, signs: ALL_SIGNS }
    }
}

/// Every matrix divided by its norm.
fn per_matrix(mut weights: Weights) -> Weights {
    for matrix in weights.matrices_mut() {
        let length = norm(matrix).max(1e-300);
        matrix.iter_mut().for_each(|x| *x /= length);
    }
    weights
}

fn inner(left: &Weights, right: &Weights) -> f64 {
    let products = left.matrices().flatten().zip(right.matrices().flatten());
    products.map(|(a, b)| a * b).sum()
}

/// The base point with what is known there.
struct Base<'a> {
    encoders: &'a TwoEncoders,
    at: EndToEndGradient,
    flat: Vec<f64>,
    sizes: SweepSizes,
}

impl Base<'_> {
    /// (∇_W⟨u, q_1⟩, ∇_θ⟨u, k_2 − k_1⟩).
    fn slopes(&self, u: &[f64]) -> Result<[Weights; 2], MeasureError> {
        let d = self.sizes.output;
        let mut outputs = [vec![0.0; self.sizes.points * d], vec![0.0; self.sizes.points * d]];
        outputs[0][..d].copy_from_slice(u);
        for c in 0..d {
            outputs[1][c] = -u[c];
            outputs[1][d + c] = u[c];
        }
        let (query, key) = (&self.encoders.query, &self.encoders.key);
        Ok([
            query.backward(&query.forward(&self.flat)?, &outputs[0])?,
            key.backward(&key.forward(&self.flat)?, &outputs[1])?,
        ])
    }

    /// k_2 − k_1, and a direction orthogonal to it (itself for d = 1), both of norm one.
    fn axes(&self) -> Result<[Vec<f64>; 2], MeasureError> {
        let d = self.sizes.output;
        let outputs = self.encoders.key.forward(&self.flat)?.into_outputs();
        let mut along: Vec<f64> = (0..d).map(|c| outputs[d + c] - outputs[c]).collect();
        let length = norm(&along).max(1e-300);
        along.iter_mut().for_each(|x| *x /= length);
        let mut across = along.clone();
        if d > 1 {
            (across[0], across[1]) = (-along[1], along[0]);
            across[2..].fill(0.0);
            let length = norm(&across).max(1e-300);
            across.iter_mut().for_each(|x| *x /= length);
        }
        Ok([along, across])
    }

    /// Pairs of displacements whose matrices all have Frobenius norm one.
    fn directions(&self, rng: &mut Stream) -> Result<Vec<Directions>, MeasureError> {
        let gradient = [per_matrix(self.at.query.clone()), per_matrix(self.at.key.clone())];
        let mut list = vec![Directions::both_ways(gradient)];
        for u in self.axes()? {
            list.push(Directions::both_ways(self.slopes(&u)?.map(per_matrix)));
        }
        list.push(Directions {
            by: directions([&self.at.query, &self.at.key], rng).map(per_matrix),
            signs: &ALL_SIGNS[..1],
        });
        Ok(list)
    }

    /// The loss after displacements by the radius, sign by sign; none where it throws logits beyond what the loss takes, which a displacement
    /// far outside the range of the lemma may do in deep networks.
    fn losses(&self, directions: &Directions, radius: f64) -> Result<Vec<Option<f64>>, MeasureError> {
        let ways = if directions.signs.len() == 1 { 1 } else { 2 };
        // What one side does is the same whatever the other does.
        let outputs = |encoder: &Encoder, by: &Weights| -> Result<Vec<Vec<f64>>, MeasureError> {
            let to = |sign: &f64| Ok(encoder.displaced(by, sign * radius)?.forward(&self.flat)?.into_outputs());
            [1.0, -1.0][..ways].iter().map(to).collect()
        };
        let queries = outputs(&self.encoders.query, &directions.by[0])?;
        let keys = outputs(&self.encoders.key, &directions.by[1])?;
        let way = |sign: f64| usize::from(sign < 0.0);
        let signs = directions.signs.iter();
        signs.map(|&[query, key]| self.loss(&queries[way(query)], &keys[way(key)])).collect()
    }

    fn loss(&self, queries: &[f64], keys: &[f64]) -> Result<Option<f64>, MeasureError> {
        let (dimension, k) = (self.sizes.output, self.sizes.negatives());
        match subset_contrast(queries, keys, dimension, k) {
            Ok(contrast) => Ok(Some(contrast.loss)),
            Err(ContrastiveError::NotFinite { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The sum of the brackets for ω = τ = radius, and k(τ²‖W′‖² + ω²‖θ′‖²), from the norms of the directions.
    fn brackets(&self, norms: [f64; 2], radius: f64) -> (f64, f64) {
        let s = &self.sizes;
        let [n, l, m, d, k] = [s.points, s.layers, s.width, s.output, s.negatives()].map(|x| x as f64);
        let logarithm = core_math::log(m).max(1.0);
        let first = core_math::cbrt(radius) * l * l * (m * logarithm / (n * d)).sqrt();
        let vectors = [&self.at.contrast.query_loss_vectors, &self.at.contrast.key_loss_vectors].map(|v| norm(v));
        let lengths = norms.map(|norm| radius * norm);
        let plain = k * radius * radius * (lengths[0] * lengths[0] + lengths[1] * lengths[1]);
        let linear = first * (vectors[0] * lengths[0] + vectors[1] * lengths[1]);
        (linear + l * l * (m / d) * (m / d) * plain, plain)
    }

    fn record(&self, rng: &mut Stream, found: &mut Remainders) -> Result<(), MeasureError> {
        let range = (self.sizes.output as f64 / self.sizes.width as f64).sqrt();
        for directions in self.directions(rng)? {
            let [query, key] = &directions.by;
            let inner = [inner(&self.at.query, query), inner(&self.at.key, key)];
            let slope = |signs: [f64; 2]| signs[0] * inner[0] + signs[1] * inner[1];
            let norms = sizes([query, key]).map(f64::sqrt);
            for factor in [0.1, 0.5, 2.0] {
                let radius = factor * range;
                let (printed, plain) = self.brackets(norms, radius);
                for (loss, &signs) in self.losses(&directions, radius)?.into_iter().zip(directions.signs) {
                    let Some(loss) = loss else {
                        continue;
                    };
                    let rest = loss - self.at.contrast.loss - radius * slope(signs);
                    found.printed = found.printed.max(rest / printed);
                    found.alone = found.alone.max(rest);
                    found.plain = found.plain.max(rest / plain);
                }
            }
            let radius = 1e-6 * range;
            let bracket = self.brackets(norms, radius).0;
            for (loss, &signs) in self.losses(&directions, radius)?.into_iter().zip(directions.signs) {
                let moved = loss.ok_or("logits beyond what the loss takes at a millionth of √(d/m)")?;
                let flipped = moved - self.at.contrast.loss + radius * slope(signs);
                found.flipped = found.flipped.max(flipped / bracket);
            }
        }
        Ok(())
    }
}

/// What is computed at random starts of one size.
fn at_starts(
    sizes: &SweepSizes,
    seeds: usize,
    rng: &mut Stream,
    mut visit: impl FnMut(&Base, &mut Stream) -> Result<(), MeasureError>,
) -> Result<(), MeasureError> {
    for _ in 0..seeds {
        let flat = sizes.inputs(rng).concat();
        let shape = shape(sizes.input, sizes.width, sizes.layers, sizes.output);
        let encoders = TwoEncoders::initialise(shape, rng)?;
        let at = encoders.gradient(&flat, sizes.negatives())?;
        let base = Base { encoders: &encoders, at, flat, sizes: *sizes };
        visit(&base, rng)?;
    }
    Ok(())
}

/// Along a sweep: (the size that grows, the extremes).
pub fn remainders(sweep: &GradientSweep, trial: &mut Trial) -> Result<Vec<(f64, Remainders)>, MeasureError> {
    let seeds = trial.samples(sweep.seeds);
    let at = |(grown, sizes): (f64, SweepSizes)| {
        let mut found = Remainders::default();
        at_starts(&sizes, seeds, trial.rng(), |base, rng| base.record(rng, &mut found))?;
        Ok((grown, found))
    };
    sweep.sizes().into_iter().map(at).collect()
}
