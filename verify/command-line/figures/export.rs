//! The beginning of a training, for an independent implementation to repeat: `benches/peers/contrastive_training.py`.

use contrastive::network::{
    ContrastiveDescent, ConvolutionalEncoder, ConvolutionalShape, ConvolutionalWeights, Optimiser, Trainable,
};
use serde::Serialize;

use super::super::status::Trouble;
use super::images::Images;
use super::training::{Task, TrainingPlan};

/// Embeddings after the last update that are written down.
const SHOWN: usize = 20;

/// Everything that the losses of the mini-batches depend on, and these losses.
#[derive(Serialize)]
struct Beginning {
    shape: ConvolutionalShape,
    start: ConvolutionalWeights,
    adam: Adam,
    pairs: u32,
    negatives: u32,
    images: Vec<Vec<f64>>,
    /// The images of each mini-batch: x and x⁺ of each pair, then the negatives.
    batches: Vec<Vec<usize>>,
    losses: Vec<f64>,
    /// Those of the first images after the last update.
    embeddings: Vec<Vec<f64>>,
}

#[derive(Serialize)]
struct Adam {
    rate: f64,
    first_decay: f64,
    second_decay: f64,
    epsilon: f64,
}

/// All updates of one training, as JSON.
///
/// # Errors
/// Training leaves the range of doubles.
pub fn beginning(plan: &TrainingPlan, task: Task, images: &Images) -> Result<String, Trouble> {
    let unusable = |e: &dyn std::fmt::Display| Trouble::Unusable(e.to_string());
    let encoder: ConvolutionalEncoder = plan.start(task).map_err(|e| unusable(&e))?;
    let settings = plan.settings(task);
    let Optimiser { rate, first_decay, second_decay, epsilon } = settings.optimiser;
    let start = encoder.weights().clone();
    let mut descent = ContrastiveDescent::new(encoder, &images.points, &settings).map_err(|e| unusable(&e))?;
    let (mut batches, mut losses) = (Vec::new(), Vec::new());
    for _ in 0..plan.steps {
        losses.push(descent.step().map_err(|e| unusable(&e))?);
        batches.push(descent.drawn().to_vec());
    }
    let dimension = images.points.dimension();
    let first = &images.points.points()[..SHOWN.min(images.points.len()) * dimension];
    let outputs = descent.encoder().embed(first).map_err(|e| unusable(&e))?;
    let rows = |values: &[f64], length: usize| values.chunks_exact(length).map(<[f64]>::to_vec).collect();
    let beginning = Beginning {
        shape: plan.shape,
        start,
        adam: Adam { rate, first_decay, second_decay, epsilon },
        pairs: plan.batch,
        negatives: task.negatives,
        images: rows(images.points.points(), dimension),
        batches,
        losses,
        embeddings: rows(&outputs, plan.shape.output),
    };
    serde_json::to_string(&beginning).map_err(|e| unusable(&e))
}
