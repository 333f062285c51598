//! Contrastive training of an encoder on labelled points.

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use serde::{Deserialize, Serialize};

use super::optimiser::Descent;
use super::{Encoder, NetworkError, Optimiser, contrastive_loss};
use crate::data::{LabelledPoints, draw_tuple};

/// The most `f64` that a layer of a batch may hold, one gigabyte.
const LARGEST_LAYER: usize = 1 << 27;
/// The stream of the generator that draws tuples. Stream 0 is what a caller gets who seeds an encoder with the same
/// number, and the two must not repeat each other.
const TUPLE_STREAM: u64 = 1;

/// How to train.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContrastiveSettings {
    /// Number N of negatives of a tuple, at least 1. Default 1.
    pub negatives: usize,
    /// Number of tuples of a mini-batch, at least 1. Default 32.
    pub batch: usize,
    /// Number of updates, may be 0. Default 1000.
    pub steps: usize,
    /// How a gradient becomes an update. Default Adam with rate 0.003.
    pub optimiser: Optimiser,
    /// Seed of the generator that draws the tuples. Default 0.
    pub seed: u64,
    /// Numbers of updates after which a copy of the encoder is kept, strictly increasing and at most `steps`; 0 is the
    /// encoder before training. Default none.
    pub snapshots: Vec<usize>,
}

impl Default for ContrastiveSettings {
    fn default() -> Self {
        Self {
            negatives: 1,
            batch: 32,
            steps: 1000,
            optimiser: Optimiser::default(),
            seed: 0,
            snapshots: Vec::new(),
        }
    }
}

impl ContrastiveSettings {
    /// Refuses numbers outside their ranges.
    ///
    /// # Errors
    /// [`NetworkError::Setting`].
    pub fn validate(&self) -> Result<(), NetworkError> {
        let refuse = |name, value: usize, limit| {
            Err(NetworkError::Setting {
                name,
                value: value.to_string(),
                limit,
            })
        };
        for (name, value) in [("negatives", self.negatives), ("batch", self.batch)] {
            if value == 0 {
                return refuse(name, value, "at least 1");
            }
        }
        if let Some(pair) = self.snapshots.windows(2).find(|pair| pair[0] >= pair[1]) {
            return refuse("snapshots", pair[1], "strictly increasing");
        }
        match self.snapshots.last() {
            Some(&last) if last > self.steps => refuse("snapshots", last, "at most the number of steps"),
            _ => self.optimiser.validate(),
        }
    }
}

/// The encoder at a moment of its training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Number of updates made before.
    pub step: usize,
    /// The encoder at that moment.
    pub encoder: Encoder,
}

/// What a training yields.
#[derive(Debug, Clone, PartialEq)]
pub struct ContrastiveRun {
    /// The encoder after the last update.
    pub encoder: Encoder,
    /// The copies asked for, in the order of the settings.
    pub snapshots: Vec<Snapshot>,
    /// The mean loss of each mini-batch before the update it causes: one value per update.
    pub losses: Vec<f64>,
}

/// Trains `encoder` by stochastic minimisation of [`contrastive_loss`]: each update draws a fresh mini-batch of tuples
/// with [`draw_tuple`]. The result depends on the arguments alone, to the last bit.
///
/// # Errors
/// As [`ContrastiveSettings::validate`]; [`NetworkError::WrongDimension`], [`NetworkError::TooLarge`] if a layer of a
/// mini-batch would hold more than 2^27 numbers, [`NetworkError::Diverged`] if training leaves the range of `f64`.
pub fn train(
    mut encoder: Encoder,
    data: &LabelledPoints,
    settings: &ContrastiveSettings,
) -> Result<ContrastiveRun, NetworkError> {
    settings.validate()?;
    let shape = encoder.shape();
    if data.dimension() != shape.input {
        return Err(NetworkError::WrongDimension {
            found: data.dimension(),
            expected: shape.input,
        });
    }
    let widest = shape.input.max(shape.width).max(shape.output);
    let rows = settings
        .negatives
        .checked_add(2)
        .and_then(|rows| rows.checked_mul(settings.batch));
    if rows
        .and_then(|rows| rows.checked_mul(widest))
        .is_none_or(|size| size > LARGEST_LAYER)
    {
        return Err(NetworkError::TooLarge {
            name: "a layer of a mini-batch",
            limit: LARGEST_LAYER,
        });
    }

    let mut rng = ChaCha20Rng::seed_from_u64(settings.seed);
    rng.set_stream(TUPLE_STREAM);
    let mut descent = Descent::new(settings.optimiser, encoder.weights());
    let mut snapshots = Vec::new();
    let mut losses = Vec::new();
    let mut points = Vec::new();
    for step in 0..=settings.steps {
        if settings.snapshots.binary_search(&step).is_ok() {
            snapshots.push(Snapshot {
                step,
                encoder: encoder.clone(),
            });
        }
        if step == settings.steps {
            break;
        }
        points.clear();
        for _ in 0..settings.batch {
            for index in draw_tuple(data, settings.negatives, &mut rng) {
                points.extend_from_slice(data.point(index));
            }
        }
        let diverged = |source| NetworkError::Diverged {
            step,
            source: Box::new(source),
        };
        let loss = update(&mut encoder, &mut descent, &points, settings.negatives).map_err(diverged)?;
        losses.push(loss);
    }
    Ok(ContrastiveRun {
        encoder,
        snapshots,
        losses,
    })
}

/// Makes one update and returns the loss before it.
fn update(encoder: &mut Encoder, descent: &mut Descent, points: &[f64], negatives: usize) -> Result<f64, NetworkError> {
    let forward = encoder.forward(points)?;
    let loss = contrastive_loss(forward.outputs(), encoder.shape().output, negatives)?;
    let gradient = encoder.backward(&forward, &loss.gradient)?;
    descent.step(encoder.weights_mut(), &gradient);
    // The gradient is finite, but its square or the step may not be; an encoder never holds such weights.
    let shape = encoder.shape();
    encoder.weights().validate(shape)?;
    Ok(loss.value)
}

#[cfg(test)]
mod tests;
