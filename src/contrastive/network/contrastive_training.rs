//! Contrastive training of an encoder on labelled points.

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use serde::{Deserialize, Serialize};

use super::dense::add_scaled;
use super::optimiser::Descent;
use super::trainable::{Trainable, takes};
use super::{Encoder, LossAndGradient, NetworkError, Optimiser, contrastive_loss};
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
    /// Whether all tuples of a mini-batch have the same N negatives, drawn once for it, so that 2 `batch` + N points are encoded
    /// in place of (N + 2) `batch`. Each tuple alone has the same law either way. Default false.
    pub shared_negatives: bool,
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
            shared_negatives: false,
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
        let refuse = |name, value: usize, limit| Err(NetworkError::Setting { name, value: value.to_string(), limit });
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
pub struct Snapshot<E = Encoder> {
    /// Number of updates made before.
    pub step: usize,
    /// The encoder at that moment.
    pub encoder: E,
}

/// What a training yields.
#[derive(Debug, Clone, PartialEq)]
pub struct ContrastiveRun<E = Encoder> {
    /// The encoder after the last update.
    pub encoder: E,
    /// The copies asked for, in the order of the settings.
    pub snapshots: Vec<Snapshot<E>>,
    /// The mean loss of each mini-batch before the update it causes: one value per update.
    pub losses: Vec<f64>,
}

/// Trains `encoder` by stochastic minimisation of [`contrastive_loss`]: each update draws a fresh mini-batch of tuples
/// with [`draw_tuple`]. The result depends on the arguments alone, to the last bit.
///
/// # Errors
/// As [`ContrastiveDescent::new`] and [`ContrastiveDescent::step`].
pub fn train<E: Trainable>(
    encoder: E,
    data: &LabelledPoints,
    settings: &ContrastiveSettings,
) -> Result<ContrastiveRun<E>, NetworkError> {
    let mut descent = ContrastiveDescent::new(encoder, data, settings)?;
    let mut snapshots = Vec::new();
    let mut losses = Vec::new();
    for step in 0..=settings.steps {
        if settings.snapshots.binary_search(&step).is_ok() {
            snapshots.push(Snapshot { step, encoder: descent.encoder.clone() });
        }
        if step < settings.steps {
            losses.push(descent.step()?);
        }
    }
    Ok(ContrastiveRun { encoder: descent.encoder, snapshots, losses })
}

/// A training under way, update by update, for as long as the caller likes: the number of steps and the snapshots of the
/// settings do not concern it.
pub struct ContrastiveDescent<'a, E: Trainable> {
    encoder: E,
    data: &'a LabelledPoints,
    negatives: usize,
    batch: usize,
    shared_negatives: bool,
    rng: ChaCha20Rng,
    descent: Descent<E::Parameters>,
    steps: usize,
    drawn: Vec<usize>,
}

impl<'a, E: Trainable> ContrastiveDescent<'a, E> {
    /// Starts at `encoder`.
    ///
    /// # Errors
    /// As [`ContrastiveSettings::validate`]; [`NetworkError::WrongDimension`], [`NetworkError::TooLarge`] if a layer of a
    /// mini-batch would hold more than 2^27 numbers.
    pub fn new(encoder: E, data: &'a LabelledPoints, settings: &ContrastiveSettings) -> Result<Self, NetworkError> {
        settings.validate()?;
        takes(&encoder, data)?;
        let rows = settings.negatives.checked_add(2).and_then(|rows| rows.checked_mul(settings.batch));
        if rows.and_then(|rows| rows.checked_mul(encoder.numbers_per_point())).is_none_or(|size| size > LARGEST_LAYER) {
            return Err(NetworkError::TooLarge { name: "a layer of a mini-batch", limit: LARGEST_LAYER });
        }
        let mut rng = ChaCha20Rng::seed_from_u64(settings.seed);
        rng.set_stream(TUPLE_STREAM);
        Ok(ContrastiveDescent {
            descent: Descent::new(settings.optimiser, encoder.parameters()),
            encoder,
            data,
            negatives: settings.negatives,
            batch: settings.batch,
            shared_negatives: settings.shared_negatives,
            rng,
            steps: 0,
            drawn: Vec::new(),
        })
    }

    /// The encoder as it is now.
    pub fn encoder(&self) -> &E {
        &self.encoder
    }

    /// Number of updates made.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The points that the last mini-batch encoded, as indices into the data: its tuples one after the other or, with shared
    /// negatives, the pairs (x, x⁺) and then the negatives. None before the first update.
    pub fn drawn(&self) -> &[usize] {
        &self.drawn
    }

    /// Draws a mini-batch, makes one update and returns the mean loss of the mini-batch before it.
    ///
    /// # Errors
    /// [`NetworkError::Diverged`] if training leaves the range of `f64`; it is then spent.
    pub fn step(&mut self) -> Result<f64, NetworkError> {
        let batch = self.draw();
        let loss = self
            .update(&batch)
            .map_err(|source| NetworkError::Diverged { step: self.steps, source: Box::new(source) })?;
        self.steps += 1;
        self.drawn = batch.points;
        Ok(loss)
    }

    /// The points that the next mini-batch encodes, as indices, and the tuples of places among them.
    fn draw(&mut self) -> MiniBatch {
        let mut tuple = |negatives| draw_tuple(self.data, negatives, &mut self.rng);
        if !self.shared_negatives {
            let points = (0..self.batch).flat_map(|_| tuple(self.negatives)).collect();
            return MiniBatch { points, places: None };
        }
        let mut points: Vec<usize> = (0..self.batch).flat_map(|_| tuple(0)).collect();
        // Of one more tuple only the negatives are used.
        points.extend(tuple(self.negatives).into_iter().skip(2));
        let shared = 2 * self.batch..points.len();
        let places = (0..self.batch).flat_map(|t| [2 * t, 2 * t + 1].into_iter().chain(shared.clone()));
        MiniBatch { places: Some(places.collect()), points }
    }

    fn update(&mut self, batch: &MiniBatch) -> Result<f64, NetworkError> {
        let mut points = Vec::with_capacity(batch.points.len() * self.data.dimension());
        for &index in &batch.points {
            points.extend_from_slice(self.data.point(index));
        }
        let forward = self.encoder.forwards(&points)?;
        let loss = batch.loss(E::embedded(&forward), self.encoder.embedding_dimension(), self.negatives)?;
        let gradient = self.encoder.backwards(&forward, &loss.gradient)?;
        self.descent.step(self.encoder.parameters_mut(), &gradient);
        // The gradient is finite, but its square or the step may not be; an encoder never holds such weights.
        self.encoder.check_parameters()?;
        Ok(loss.value)
    }
}

/// Points drawn for one update, as indices into the data.
struct MiniBatch {
    points: Vec<usize>,
    /// Which of the points stand in the tuples, one after the other; all in their order if there is no such list.
    places: Option<Vec<usize>>,
}

impl MiniBatch {
    /// The loss of the tuples, and its derivatives with respect to the embeddings of the points.
    fn loss(&self, outputs: &[f64], dimension: usize, negatives: usize) -> Result<LossAndGradient, NetworkError> {
        let Some(places) = &self.places else {
            return contrastive_loss(outputs, dimension, negatives);
        };
        let row = |place: usize| place * dimension..(place + 1) * dimension;
        let mut tuples = Vec::with_capacity(places.len() * dimension);
        for &place in places {
            tuples.extend_from_slice(&outputs[row(place)]);
        }
        let loss = contrastive_loss(&tuples, dimension, negatives)?;
        let mut gradient = vec![0.0; outputs.len()];
        for (&place, slopes) in places.iter().zip(loss.gradient.chunks_exact(dimension)) {
            add_scaled(&mut gradient[row(place)], 1.0, slopes);
        }
        Ok(LossAndGradient { gradient, ..loss })
    }
}

#[cfg(test)]
mod tests;
